//! Theatres: maps with their own forces, of a game whose scenarios are played on several.
//!
//! A scenario names its theatre. A game whose scenario has been chosen is a game like any other,
//! so that nothing else knows of theatres.

use super::{Forces, Game, MapIndex, Tables};

/// A map with its forces and tables.
#[derive(Clone, Debug)]
pub struct Theatre {
    /// `map.yaml` with its look-ups.
    pub map: MapIndex,
    /// `forces.yaml`.
    pub forces: Forces,
    /// All tables: the game's, with those of the theatre in place of theirs.
    pub tables: Tables,
    /// The names of its own tables.
    pub own_tables: Vec<String>,
}

impl Game {
    /// The theatre of a scenario; none if the game has one map for all.
    #[must_use]
    pub fn theatre_of(&self, scenario: &str) -> Option<&str> {
        self.scenarios.get(scenario)?.theatre.as_deref()
    }

    /// Returns true if the game has the map of a scenario already.
    #[must_use]
    pub fn is_staged(&self, scenario: &str) -> bool {
        let wanted = self.theatre_of(scenario);
        wanted.is_none() || wanted == self.theatre.as_deref()
    }

    /// The game as a scenario is played: with the map, the forces and the tables of its theatre.
    #[must_use]
    pub fn staged(self, scenario: &str) -> Self {
        match self.theatre_of(scenario).map(str::to_owned) {
            Some(theatre) => self.in_theatre(&theatre),
            None => self,
        }
    }

    /// The game with the map, the forces and the tables of a theatre; unchanged if there is no such
    /// theatre.
    #[must_use]
    pub fn in_theatre(mut self, name: &str) -> Self {
        if let Some(theatre) = self.theatres.get(name) {
            self.map = theatre.map.clone();
            self.forces = theatre.forces.clone();
            self.tables = theatre.tables.clone();
            self.theatre = Some(name.to_owned());
        }
        self
    }

    /// The game in each of its theatres; itself alone if it has none.
    #[must_use]
    pub fn in_theatres(&self) -> Vec<Self> {
        let names = self.theatres.keys();
        let staged: Vec<Self> = names.map(|name| self.clone().in_theatre(name)).collect();
        if staged.is_empty() {
            return vec![self.clone()];
        }
        staged
    }

    /// All maps of the game: one, or that of each theatre.
    pub fn maps(&self) -> impl Iterator<Item = &MapIndex> + Clone {
        let own = self.theatres.is_empty().then_some(&self.map);
        own.into_iter()
            .chain(self.theatres.values().map(|theatre| &theatre.map))
    }

    /// All force lists of the game: one, or that of each theatre.
    pub fn force_lists(&self) -> impl Iterator<Item = &Forces> + Clone {
        let own = self.theatres.is_empty().then_some(&self.forces);
        own.into_iter()
            .chain(self.theatres.values().map(|theatre| &theatre.forces))
    }

    /// The path of a file of the theatre that the game has taken, below the game's folder: of
    /// `map.yaml` and `forces.yaml`.
    #[must_use]
    pub fn theatre_file(&self, name: &str) -> String {
        match &self.theatre {
            Some(theatre) => format!("theatres/{theatre}/{name}"),
            None => name.to_owned(),
        }
    }
}
