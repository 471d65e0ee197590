//! Host functions that read tables: the names they use, and their possible results.

use rhai::Position;

use super::Flow;
use crate::{
    check::{
        names::Sort,
        value::{MapValue, TextValue, Val, fits, shown},
    },
    game::Table,
};

impl<'a> Flow<'a> {
    /// The tables that a value names.
    pub(super) fn tables(&self, names: &Val) -> Vec<String> {
        self.names_meant(Sort::Table, names)
    }

    pub(super) fn table_value(&mut self, tables: &Val, names: &Val, at: Position) -> Val {
        let game = self.game();
        let tables = self.tables(tables);
        let mut val = Val::default();
        let one = tables.len() == 1;
        for table in &tables {
            let Some(found) = game.tables.get(table) else {
                continue;
            };
            let known: Vec<&str> = found.values.keys().map(String::as_str).collect();
            for (name, value) in &found.values {
                if self.means(names, name) {
                    val.join(Val::of_data(value));
                    self.report.entry(table, name);
                }
            }
            if one {
                self.entries(&format!("value in the table `{table}`"), &known, names, at);
            }
        }
        if val.is_nothing() { Val::any() } else { val }
    }

    /// Returns true if a value may mean a name.
    pub(super) fn means(&self, val: &Val, name: &str) -> bool {
        let holds = |sort, word: &str| self.names.holds(sort, word);
        !val.is_told()
            || val
                .texts
                .iter()
                .any(|text| fits(&text.parts(), name, &holds))
    }

    /// Names of parts of a table: written ones that it does not have are errors; of a sort of names
    /// those that it lacks are worth a word.
    pub(super) fn entries(&mut self, what: &str, known: &[&str], names: &Val, at: Position) {
        for text in &names.texts {
            match text {
                TextValue::Word(word, place) if !known.contains(&&**word) => {
                    let near = crate::game::nearest(word, known.iter().copied());
                    let hint = match near {
                        Some(near) => Some(format!("did you mean `{near}`?")),
                        None if known.is_empty() => None,
                        None => Some(format!("there are: {}", known.join(", "))),
                    };
                    let message = format!("there is no {what} called `{word}`");
                    if place.is_none() {
                        self.report.warning(at, message, hint);
                    } else {
                        self.report.error(*place, message, hint);
                    }
                }
                TextValue::Of(sort @ (Sort::Terrain | Sort::Side)) => {
                    let all = self.names.all(*sort).clone();
                    let some = all.iter().any(|name| known.contains(name));
                    for name in all.iter().filter(|name| some && !known.contains(name)) {
                        let what_it_is = sort.name();
                        let message = format!("there is no {what} for the {what_it_is} `{name}`");
                        self.report.warning(at, message, None);
                    }
                }
                TextValue::Parts(parts) => {
                    let holds = |sort, word: &str| self.names.holds(sort, word);
                    if !known.iter().any(|name| fits(parts, name, &holds)) {
                        let message = format!("there is no {what} like `{}`", shown(parts));
                        self.report.error(at, message, None);
                    }
                }
                _ => {}
            }
        }
    }

    /// The tables that are read by rows or columns, and whether they have any.
    pub(super) fn each_table(
        &mut self,
        names: &Val,
        at: Position,
        wanted: fn(&Table) -> bool,
        what: &str,
    ) -> Vec<&Table> {
        let game = self.names.game;
        let tables = self.tables(names);
        let one = tables.len() == 1;
        let mut found = Vec::new();
        for name in tables {
            let Some(table) = game.tables.get(&name) else {
                continue;
            };
            if wanted(table) {
                found.push(table);
            } else if one {
                self.report
                    .error(at, format!("the table `{name}` has no {what}"), None);
            }
        }
        found
    }

    pub(super) fn results(&mut self, names: &Val, at: Position) -> Val {
        let mut val = Val::default();
        for table in self.each_table(names, at, |table| !table.rows.is_empty(), "rows") {
            for result in table.rows.iter().flat_map(|row| &row.result) {
                val.join(Val::of_data(result));
            }
        }
        if val.is_nothing() { Val::any() } else { val }
    }

    pub(super) fn columns(&mut self, names: &Val, at: Position) -> Val {
        let mut val = Val::default();
        for table in self.each_table(names, at, |table| !table.columns.is_empty(), "columns") {
            for column in &table.columns {
                val.join(Val::word(&column.id, Position::NONE));
            }
        }
        if val.is_nothing() { Val::any() } else { val }
    }

    pub(super) fn reason(&mut self, tables: &Val, ids: &Val, at: Position) -> Val {
        let game = self.game();
        let tables = self.tables(tables);
        let one = tables.len() == 1;
        let mut val = Val::default();
        for name in &tables {
            let Some(table) = game.tables.get(name) else {
                continue;
            };
            let known: Vec<&str> = table
                .modifiers
                .iter()
                .map(|modifier| modifier.id.as_str())
                .collect();
            for modifier in table.modifiers.iter() {
                if self.means(ids, &modifier.id) {
                    self.report.modifier(name, &modifier.id);
                    let entries = [
                        ("id", Val::word(&modifier.id, Position::NONE)),
                        ("add", Val::of_data(&modifier.add)),
                    ];
                    val.join(Val::map(MapValue::sure(entries.into_iter())));
                }
            }
            if one {
                self.entries(&format!("modifier of the table `{name}`"), &known, ids, at);
            }
        }
        if val.is_nothing() { Val::any() } else { val }
    }

    /// Checks that the classes of a way's table have a cost on every terrain, and over every kind
    /// of hexside that lies on the map and that the way does not close itself (`closed`).
    pub(super) fn classes(
        &mut self,
        tables: &Val,
        classes: &Val,
        closed: Option<&Val>,
        at: Position,
    ) {
        let game = self.game();
        let names = self.tables(tables);
        // Which of several is meant is not known; each of them is read.
        for table in &names {
            self.report.entries(table);
        }
        let [table] = names.as_slice() else { return };
        let Some(found) = game.tables.get(table) else {
            return;
        };
        let known: std::collections::BTreeSet<&str> = found
            .values
            .values()
            .filter_map(|value| value.as_map())
            .flat_map(|costs| costs.keys())
            .map(String::as_str)
            .collect();
        let known_list: Vec<&str> = known.iter().copied().collect();
        self.entries(
            &format!("class in the table `{table}`"),
            &known_list,
            classes,
            at,
        );
        let sides = self.open_sides(closed);
        for (class, _) in classes.words() {
            if !known.contains(&**class) {
                continue;
            }
            let terrains = game.map.map().terrains.iter().map(String::as_str);
            let lacking: Vec<&str> = terrains
                .chain(sides.iter().copied())
                .filter(|name| {
                    let costs = found.values.get(*name).and_then(|costs| costs.as_map());
                    costs.is_none_or(|costs| !costs.contains_key(&**class))
                })
                .collect();
            self.report.lacking_class(table, class, &lacking);
        }
    }

    /// The kinds of hexsides that lie on the map, without those that a way closes.
    fn open_sides(&self, closed: Option<&Val>) -> Vec<&'a str> {
        let hexes = self.names.game.map.hexes();
        let Some(hexes) = hexes.filter(|_| closed.is_none_or(Val::is_told)) else {
            return Vec::new();
        };
        let closed = closed.map(Val::items).unwrap_or_default();
        let sides =
            (0..hexes.grid().len()).flat_map(|hex| (0..6).map(move |way| hexes.side(hex, way)));
        let laid = sides.fold(0, |laid, side| laid | side);
        hexes
            .kinds(laid)
            .filter(|kind| closed.is_told() && !self.may_be(&closed, kind))
            .collect()
    }

    /// Sight reads all entries of its table.
    pub(super) fn covers(&mut self, tables: &Val) {
        for table in self.tables(tables) {
            self.report.entries(&table);
        }
    }
}
