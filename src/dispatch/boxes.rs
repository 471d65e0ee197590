//! Boxes beside the map: reserves, losses, reinforcements to come.

use minijinja::context;

use super::{build::Builder, document::BoxSection};
use crate::{
    game::{Audience, BoxDecl},
    world::Piece,
};

/// How many names in a row are told as one.
const RUN: usize = 3;

/// Returns true if two names differ in the number, or the letter, at their end alone, and the
/// second comes next.
fn follows(one: &str, next: &str) -> bool {
    let parts = one.rsplit_once(' ').zip(next.rsplit_once(' '));
    parts.is_some_and(|((name, one), (same, next))| {
        let after = ordinal(one).and_then(|one| one.checked_add(1));
        name == same && after.is_some() && after == ordinal(next)
    })
}

/// The place of a number or a capital letter among its like.
fn ordinal(word: &str) -> Option<u32> {
    match word.as_bytes() {
        [letter @ b'A'..=b'Z'] => Some(u32::from(*letter)),
        _ => word.parse().ok(),
    }
}

impl Builder<'_> {
    /// Boxes that hold something: public ones, and the reader's own pieces in the others; all of
    /// them when the campaign is over.
    pub(super) fn boxes(&self) -> Vec<BoxSection> {
        let decl = &self.briefing.game.decl;
        let over = self.briefing.view.ended.is_some();
        let mut boxes = Vec::new();
        for (id, declared) in decl.boxes.iter().filter(|(_, it)| !it.unlisted) {
            let public = declared.shown == Audience::Public;
            let name = self.words.text().boxes.get(id.as_str());
            let name = name.map_or(id.as_str(), String::as_str);
            let mut groups: Vec<(i64, BoxSection)> = Vec::new();
            let shown = self.places.at(id);
            for piece in shown.filter(|piece| public || over || self.own(piece)) {
                let until = self.leaves(declared, piece);
                let mut name = name.to_owned();
                if let Some(keeper) = self.keeper(piece) {
                    name.push_str(&format!(", {keeper}"));
                }
                if let Some(turn) = until {
                    let turn = self.words.say("turn_n", context! { turn });
                    name.push_str(&format!(", {turn}"));
                }
                // Of others than the reader's there are many where there are any: their side is
                // named once.
                if !self.own(piece) {
                    name.push_str(&format!(", {}", self.words.name_of(&piece.side)));
                }
                let piece = self.words.piece_name(&piece.id, &piece.name);
                match groups.iter_mut().find(|(_, group)| group.name == name) {
                    Some((_, group)) => group.pieces.push(piece),
                    None => groups.push((
                        until.unwrap_or(i64::MAX),
                        BoxSection {
                            name,
                            pieces: vec![piece],
                        },
                    )),
                }
            }
            for (_, group) in &mut groups {
                group.pieces = self.runs(std::mem::take(&mut group.pieces));
            }
            groups.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
            boxes.extend(groups.into_iter().map(|(_, group)| group));
        }
        boxes
    }

    /// Names in which numbers follow each other are one, with how many they are: `Dummy 1 to 4
    /// (4)`.
    fn runs(&self, names: Vec<String>) -> Vec<String> {
        let mut runs: Vec<Vec<String>> = Vec::new();
        for name in names {
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| follows(last, &name)) => run.push(name),
                _ => runs.push(vec![name]),
            }
        }
        let mut names = Vec::new();
        for run in runs {
            match run.as_slice() {
                [first, .., last] if run.len() >= RUN => {
                    let last = last.rsplit(' ').next().unwrap_or_default();
                    let said = self.words.say("from_to", context! { first, last });
                    names.push(format!("{said} ({})", run.len()));
                }
                _ => names.extend(run),
            }
        }
        names
    }

    /// The turn in which a piece leaves its box, if the game names the attribute for it.
    fn leaves(&self, declared: &BoxDecl, piece: &Piece) -> Option<i64> {
        let turn = piece.attributes.get(declared.until.as_ref()?)?.as_int()?;
        (turn > 0).then_some(turn)
    }

    /// The piece that stands on the map for one in a box.
    fn keeper(&self, piece: &Piece) -> Option<String> {
        let attribute = self.briefing.display.kept_by.as_ref()?;
        let keeper = piece.attributes.get(attribute)?.as_text()?;
        let keeper = self.briefing.view.piece(keeper)?;
        Some(self.words.piece_name(&keeper.id, &keeper.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_by_number_or_letter() {
        for (one, next, expected) in [
            ("Dummy 1", "Dummy 2", true),
            ("Mask A", "Mask B", true),
            ("Dummy 9", "Dummy 10", true),
            ("Dummy 1", "Dummy 3", false),
            ("Dummy 1", "Mask 2", false),
            ("Mask Z", "Mask AA", false),
            ("Ada", "Bert", false),
        ] {
            assert_eq!(follows(one, next), expected, "{one}, {next}");
        }
    }
}
