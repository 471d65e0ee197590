//! The sources of every table, piece and place of a game (`games NAME --sources`).

use super::{Game, PieceDecl, Provenance, Table, hex::HexFile};

/// A thing of a game and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedItem {
    /// The kind of item: `space`, `terrain`, `line`, `crossing`, `road`, `place`, `region`,
    /// `water`, `formation`, `piece`, `table`, `scenario`.
    pub kind: &'static str,
    /// Its id, with a part where only that part comes from there (`guard.sp`,
    /// `fight.modifiers.hills`).
    pub name: String,
    /// Its origin.
    pub source: Provenance,
}

impl Game {
    /// Everything that says where it comes from, in the order of the files.
    #[must_use]
    pub fn sources(&self) -> Vec<SourcedItem> {
        let mut list = Vec::new();
        for theatre in self.in_theatres() {
            theatre.sources_of_ground(&mut list);
        }
        let mut add = |kind, name: String, source| list.push(SourcedItem { kind, name, source });
        for (name, table) in &self.tables {
            table_sources(name, table, |name, source| add("table", name, source));
        }
        for scenario in self.scenarios.values() {
            add("scenario", scenario.id.clone(), scenario.source);
        }
        list
    }

    /// The sources of the map and the forces.
    fn sources_of_ground(&self, list: &mut Vec<SourcedItem>) {
        let mut add = |kind, name: String, source| list.push(SourcedItem { kind, name, source });
        let map = self.map.map();
        match self.map.hexes() {
            Some(hexes) => hex_sources(hexes.file(), &mut add),
            None => {
                for space in &map.spaces {
                    add("space", space.id.to_string(), space.source);
                }
                for road in &map.roads {
                    add("road", format!("{}-{}", road.a, road.b), road.source);
                }
            }
        }
        for (name, region) in &map.regions {
            add("region", name.clone(), region.source);
        }
        for (name, water) in &map.waters {
            add("water", name.clone(), water.source);
        }
        for formation in &self.forces.formations {
            add("formation", formation.id.clone(), formation.source);
        }
        for piece in &self.forces.pieces {
            piece_sources(piece, |name, source| add("piece", name, source));
        }
    }
}

/// Of a hex map the terrain as a whole, and everything that has a name.
fn hex_sources(file: &HexFile, add: &mut impl FnMut(&'static str, String, Provenance)) {
    add("terrain", "rows".to_owned(), file.source);
    for line in &file.lines {
        add("line", line.id.clone(), line.source);
        if let Some(course) = line.course.filter(|course| *course != line.source) {
            add("line", format!("{}.sides", line.id), course);
        }
    }
    for crossing in &file.crossings {
        add("crossing", crossing.side.to_string(), crossing.source);
    }
    for road in &file.roads {
        add("road", road.name.clone(), road.source);
    }
    for place in &file.places {
        add("place", place.id.clone(), place.source);
    }
}

fn piece_sources(piece: &PieceDecl, mut add: impl FnMut(String, Provenance)) {
    add(piece.id.to_string(), piece.source);
    for (value, source) in &piece.sources {
        add(format!("{}.{value}", piece.id), *source);
    }
}

/// Rows and modifiers are listed where they come from elsewhere than their table.
fn table_sources(name: &str, table: &Table, mut add: impl FnMut(String, Provenance)) {
    add(name.to_owned(), table.source);
    for (number, row) in table.rows.iter().enumerate() {
        if let Some(source) = row.source.filter(|source| *source != table.source) {
            add(format!("{name}.rows[{number}]"), source);
        }
    }
    for modifier in &table.modifiers {
        if modifier.source != table.source {
            add(format!("{name}.modifiers.{}", modifier.id), modifier.source);
        }
    }
}
