//! Checks of `forces.yaml`: formations and pieces.

use super::GameCheck;
use crate::{
    game::{Formation, PieceDecl},
    ordered::IndexMap,
    value::{Fields, Value},
};

impl<'a> GameCheck<'a> {
    pub(super) fn forces(&mut self) {
        self.turn_to_ground("forces.yaml");
        let forces = &self.game.forces;
        self.unique(
            "formations",
            forces.formations.iter().map(|one| one.id.as_str()),
        );
        for (number, formation) in forces.formations.iter().enumerate() {
            self.formation(&format!("formations[{number}]"), formation);
        }
        self.unique(
            "pieces",
            forces.pieces.iter().map(|piece| piece.id.as_str()),
        );
        for (number, piece) in forces.pieces.iter().enumerate() {
            self.piece(&format!("pieces[{number}]"), piece);
        }
    }

    fn formation(&mut self, path: &str, formation: &Formation) {
        self.known(
            format!("{path}.side"),
            "side",
            &formation.side,
            self.sides(),
        );
        let Some(leader) = &formation.leader else {
            return;
        };
        let path = format!("{path}.leader");
        if self.piece_exists(path.clone(), leader) {
            let pieces = &self.game.forces.pieces;
            let found = pieces.iter().find(|piece| piece.id == *leader);
            if found.is_some_and(|piece| piece.side != formation.side) {
                self.say(
                    path,
                    format!("`{leader}` is not of side `{}`", formation.side),
                );
            }
        }
    }

    fn piece(&mut self, path: &str, piece: &PieceDecl) {
        let game = self.game;
        self.known(format!("{path}.side"), "side", &piece.side, self.sides());
        let kinds = game.decl.kinds.keys().map(String::as_str);
        self.known(format!("{path}.kind"), "kind of piece", &piece.kind, kinds);
        if let Some(id) = &piece.formation {
            let path = format!("{path}.formation");
            let formations = &game.forces.formations;
            let ids = formations.iter().map(|formation| formation.id.as_str());
            self.known(path.clone(), "formation", id, ids);
            let found = formations.iter().find(|formation| formation.id == *id);
            if found.is_some_and(|formation| formation.side != piece.side) {
                self.say(
                    path,
                    format!("formation `{id}` is not of side `{}`", piece.side),
                );
            }
        }
        self.piece_attributes(&format!("{path}.attributes"), &piece.attributes);
        for name in piece.sources.keys() {
            let known = ["name", "kind", "formation"].into_iter();
            let known = known.chain(piece.attributes.keys().map(String::as_str));
            self.known(format!("{path}.sources.{name}"), "value", name, known);
        }
    }

    /// Returns true if a piece exists; says so if not.
    pub(super) fn piece_exists(&mut self, path: String, id: &str) -> bool {
        let pieces = self.game.forces.pieces.iter();
        self.known(path, "piece", id, pieces.map(|piece| piece.id.as_str()))
    }

    /// Checks that values of a piece are declared and of the right types.
    pub(super) fn piece_attributes(&mut self, path: &str, values: &Fields) {
        let attributes = &self.game.decl.attributes;
        self.declared(path, "attribute", values, attributes, |found| {
            &found.default
        });
    }

    /// Checks that values are declared and of their defaults' types.
    pub(super) fn declared<T>(
        &mut self,
        path: &str,
        what: &str,
        values: &Fields,
        declared: &'a IndexMap<String, T>,
        default: impl Fn(&T) -> &Value,
    ) {
        for (name, value) in values {
            let path = format!("{path}.{name}");
            if let Some(found) = declared.get(name) {
                self.same_type(path, value, default(found));
            } else {
                self.known(path, what, name, declared.keys().map(String::as_str));
            }
        }
    }
}
