//! The sources of every table, piece and place of a game (`games NAME --sources`).

use super::{Game, PieceDecl, Provenance, Table, hex::HexFile};

/// A thing of a game and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcedItem {
    /// The kind of item: `space`, `terrain`, `line`, `crossing`, `road`, `place`, `region`,
    /// `water`, `formation`, `piece`, `table`, `scenario`.
    pub kind: &'static str,
    /// The kind of hexside that a line or a crossing is.
    pub hexside: Option<String>,
    /// Its id, with a part where only that part comes from there (`guard.sp`,
    /// `fight.modifiers.hills`).
    pub name: String,
    /// Its origin.
    pub source: Provenance,
}

impl SourcedItem {
    fn new(kind: &'static str, name: String, source: Provenance) -> Self {
        Self {
            kind,
            hexside: None,
            name,
            source,
        }
    }
}

impl Game {
    /// Everything that says where it comes from, in the order of the files.
    #[must_use]
    pub fn sources(&self) -> Vec<SourcedItem> {
        let mut list = Vec::new();
        for theatre in self.in_theatres() {
            theatre.sources_of_ground(&mut list);
        }
        let mut add = |kind, name: String, source| list.push(SourcedItem::new(kind, name, source));
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
        let map = self.map.map();
        if let Some(hexes) = self.map.hexes() {
            list.extend(hex_sources(hexes.file()));
        }
        let mut add = |kind, name: String, source| list.push(SourcedItem::new(kind, name, source));
        match self.map.hexes() {
            Some(_) => {}
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
fn hex_sources(file: &HexFile) -> Vec<SourcedItem> {
    let item = SourcedItem::new;
    let of_side = |kind: &str, item: SourcedItem| SourcedItem {
        hexside: Some(kind.to_owned()),
        ..item
    };
    let mut list = vec![item("terrain", "rows".to_owned(), file.source)];
    for line in &file.lines {
        let mut add = |name, source| list.push(of_side(&line.kind, item("line", name, source)));
        add(line.id.clone(), line.source);
        if let Some(course) = line.course.filter(|course| *course != line.source) {
            add(format!("{}.sides", line.id), course);
        }
    }
    list.extend(file.crossings.iter().map(|crossing| {
        let name = crossing.side.to_string();
        of_side(&crossing.kind, item("crossing", name, crossing.source))
    }));
    let roads = file.roads.iter();
    list.extend(roads.map(|road| item("road", road.name.clone(), road.source)));
    let places = file.places.iter();
    list.extend(places.map(|place| item("place", place.id.clone(), place.source)));
    list
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
