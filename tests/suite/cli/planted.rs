//! Mistakes that authors make, planted one at a time in a small game: `check` finds them with file,
//! line, column and the spelling that was meant. The game and the list of mistakes stand in
//! tests/data/planted, a game of parties in tests/data/league.

use std::{borrow::Cow, fs, path::PathBuf};

use serde::Deserialize;

use estafette::{
    bounded::FileError,
    check,
    game::{Disk, EmbeddedFiles, Files, GameFiles, Layers, bot_scripts},
};

/// Most mistakes of the list that `check` may let pass.
const MOST_THAT_PASS: usize = 8;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    file: String,
    from: String,
    to: String,
    /// What is added at the end of the file.
    #[serde(default)]
    and: String,
    /// What the line that finds it has in it; nothing if it passes.
    finds: Option<Vec<String>>,
    /// Line and column.
    at: Option<String>,
}

/// The game with one file changed.
struct Changed {
    game: Layers,
    path: String,
    text: String,
}

impl Files for Changed {
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        self.game.list(folder)
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        if path == self.path {
            return Ok(Cow::Borrowed(self.text.as_bytes()));
        }
        self.game.read(path)
    }
}

fn data() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "data"]
        .iter()
        .collect()
}

/// The games that mistakes are planted in.
fn games() -> Layers {
    let disk = |name: &str| {
        let folder = data().join(name);
        let disk = Disk::default().games(&folder.join("games"));
        Box::new(disk.rules(&folder.join("rules")))
    };
    Layers(vec![
        disk("planted"),
        disk("league"),
        Box::new(EmbeddedFiles),
    ])
}

/// What `check` says of a game, a line each.
fn said(files: &dyn Files, id: &str) -> Vec<String> {
    let gathered = GameFiles::gather(files, id).unwrap();
    let problems = check::check(&gathered, &bot_scripts(files, id).unwrap(), id);
    problems.iter().map(ToString::to_string).collect()
}

impl Mistake {
    fn plant(&self) -> Changed {
        let game = games();
        let text = String::from_utf8(game.read(&self.file).unwrap().into_owned()).unwrap();
        assert!(text.contains(&self.from), "{self:?}");
        Changed {
            text: text.replacen(&self.from, &self.to, 1) + &self.and,
            path: self.file.clone(),
            game,
        }
    }

    /// The game that it is planted in: the second part of the path.
    fn game(&self) -> &str {
        self.file.split('/').nth(1).unwrap()
    }

    /// Returns true if one of the lines finds it.
    fn is_found(&self, lines: &[String]) -> bool {
        let place = match &self.at {
            Some(at) => format!("{}:{at}: ", self.file),
            None => String::new(),
        };
        let found = |line: &&String| {
            let words = self.finds.iter().flatten();
            line.starts_with(&place) && words.into_iter().all(|words| line.contains(words))
        };
        lines.iter().any(|line| found(&line))
    }
}

fn mistakes() -> Vec<Mistake> {
    serde_yaml::from_str(&fs::read_to_string(data().join("planted/mistakes.yaml")).unwrap())
        .unwrap()
}

#[test]
fn the_games_without_a_mistake_are_sound() {
    for id in ["outpost", "league"] {
        assert_eq!(said(&games(), id), <[String; 0]>::default(), "{id}");
    }
}

#[test]
fn planted_mistakes_are_found() {
    let all = mistakes();
    assert!(all.len() >= 56, "{}", all.len());
    let passing = all.iter().filter(|mistake| mistake.finds.is_none()).count();
    assert!(passing <= MOST_THAT_PASS, "{passing} are let pass");
    let mut wrong = String::new();
    for mistake in &all {
        let lines = said(&mistake.plant(), mistake.game());
        let fits = match mistake.finds {
            Some(_) => mistake.is_found(&lines),
            None => lines.is_empty(),
        };
        if !fits {
            wrong += &format!("{mistake:?}\n    {}\n", lines.join("\n    "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
