//! All scripts of a game are compiled as one text; this recovers file and line.

use rhai::Position;

/// A place in the scripts of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The script, as a number in the game's list.
    pub script: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The joined text of several script files.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    /// Name and first line (from 1) of each file in the joined text.
    starts: Vec<(String, usize)>,
    text: String,
}

/// A place in a script file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptPlace {
    /// The file (`game/combat.rhai`).
    pub script: String,
    /// The line, from 1; 0 when unknown.
    pub line: usize,
    /// The column, from 1; 0 when unknown.
    pub column: usize,
}

impl Sources {
    pub fn join(scripts: &[(String, String)]) -> Self {
        let mut joined = Self::default();
        let mut line = 1;
        for (name, text) in scripts {
            joined.starts.push((name.clone(), line));
            joined.text.push_str(text);
            if !text.ends_with('\n') {
                joined.text.push('\n');
            }
            line += text.lines().count();
        }
        joined
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names of the scripts, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.starts.iter().map(|(name, _)| name.as_str())
    }

    /// Each script, preceded by as many empty lines as there are lines before it in the joined
    /// text, so that its places are those of the joined text.
    pub fn texts_in_place(&self) -> impl Iterator<Item = String> {
        let mut rest = self.text.split_inclusive('\n');
        self.starts
            .iter()
            .enumerate()
            .map(move |(index, (_, start))| {
                let next = self.starts.get(index + 1);
                let lines = next.map_or(usize::MAX, |(_, next)| next - start);
                let mut text = "\n".repeat(start - 1);
                text.extend(rest.by_ref().take(lines));
                text
            })
    }

    pub fn place(&self, position: Position) -> ScriptPlace {
        let Some(spot) = self.spot(position) else {
            return ScriptPlace::default();
        };
        let name = self.starts.get(spot.script).map(|(name, _)| name.clone());
        ScriptPlace {
            script: name.unwrap_or_default(),
            line: spot.line,
            column: spot.column,
        }
    }

    /// The place of a position in the joined text.
    pub fn spot(&self, position: Position) -> Option<Spot> {
        let line = position.line()?;
        let script = self.starts.partition_point(|(_, start)| *start <= line);
        let script = script.checked_sub(1)?;
        let (_, start) = self.starts.get(script)?;
        Some(Spot {
            script,
            line: line - start + 1,
            column: position.position().unwrap_or(0),
        })
    }
}
