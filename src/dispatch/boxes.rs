//! Boxes beside the map: reserves, losses, reinforcements to come.

use minijinja::context;

use super::{build::Builder, document::BoxSection};
use crate::{
    game::{Audience, BoxDecl},
    world::Piece,
};

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
            groups.sort_by(|(a, one), (b, other)| (a, &one.name).cmp(&(b, &other.name)));
            boxes.extend(groups.into_iter().map(|(_, group)| group));
        }
        boxes
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
