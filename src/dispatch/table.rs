//! The table of the reader's own forces in plain text.

use unicode_width::UnicodeWidthStr;

use super::{
    document::{Document, LeaderRow, UnitRow},
    layout::{COLUMNS, clip, pad, widest, wrap},
    phrases::Phrases,
};

/// Widths of the columns of the table of forces.
pub(super) struct ForcesTable {
    name: usize,
    kind: usize,
    values: Vec<usize>,
    hits: Option<usize>,
    place: usize,
}

/// Places are cut to this, or to what the line leaves.
pub(super) const PLACE: usize = 28;
/// Names are never cut to less than this.
const NAME: usize = 24;
/// Kinds are cut to this in the table; the HTML has the whole word.
const KIND: usize = 4;

impl ForcesTable {
    /// The widths that a document needs.
    pub(super) fn of(document: &Document, words: &Phrases) -> Self {
        let forces = &document.forces;
        let units = || {
            forces
                .formations
                .iter()
                .flat_map(|formation| &formation.units)
        };
        let leaders = || {
            forces
                .formations
                .iter()
                .flat_map(|formation| &formation.leaders)
        };
        let names = units()
            .map(|unit| &unit.name)
            .chain(leaders().map(|leader| &leader.name));
        let places = units()
            .map(|unit| &unit.place)
            .chain(leaders().map(|leader| &leader.place));
        let values: Vec<_> = (forces.columns.iter().enumerate())
            .map(|(number, heading)| {
                let values = units().filter_map(|unit| unit.values.get(number));
                widest(values.chain([heading]).map(String::as_str))
            })
            .collect();
        let hits = (units().any(|unit| unit.hits.is_some())).then(|| words.get("hits").width());
        // The kind's column is wide enough for a leader's values to span kind and numbers.
        let numbers = KIND + numbers(&values, hits);
        Self {
            name: widest(names.map(String::as_str)),
            kind: KIND
                + leaders()
                    .map(|leader| facts(leader).width())
                    .max()
                    .unwrap_or(0)
                    .saturating_sub(numbers)
                    .min(8),
            values,
            hits,
            place: widest(places.map(String::as_str).chain([words.get("where")])).min(PLACE),
        }
        .within(COLUMNS)
    }

    /// Gives names the room that places leave, and cuts both where the lines would be too long
    /// otherwise.
    fn within(self, columns: usize) -> Self {
        let between = 2 + 1 + self.kind + numbers(&self.values, self.hits) + 2;
        let left = columns.saturating_sub(between + self.place);
        let name = self.name.min(left.max(NAME));
        Self {
            name,
            place: self
                .place
                .min(columns.saturating_sub(between + name).max(12)),
            ..self
        }
    }

    /// The row of headings.
    pub(super) fn head(&self, columns: &[String], words: &Phrases) -> String {
        let mut line = format!(
            "  {} ",
            pad(words.get("unit"), self.name + 1 + self.kind, false)
        );
        for (heading, wide) in columns.iter().zip(&self.values) {
            line.push_str(&format!(" {}", pad(heading, *wide, true)));
        }
        if self.hits.is_some() {
            line.push_str(&format!("  {}", words.get("hits")));
        }
        format!("{line}  {}", words.get("where"))
    }

    /// The row of a unit.
    pub(super) fn unit(&self, unit: &UnitRow) -> Vec<String> {
        let mut line = format!(
            "  {} {} ",
            pad(&clip(&unit.name, self.name), self.name, false),
            pad(&kind(unit), self.kind, false),
        );
        for (value, wide) in unit.values.iter().zip(&self.values) {
            line.push_str(&format!(" {}", pad(value, *wide, true)));
        }
        if let Some(wide) = self.hits {
            let hits = unit.hits.filter(|hits| *hits > 0);
            let hits = hits.map_or_else(|| "-".to_owned(), |hits| hits.to_string());
            line.push_str(&format!("  {}", pad(&hits, wide, true)));
        }
        line.push_str(&format!(
            "  {}",
            pad(&clip(&unit.place, self.place), self.place, false)
        ));
        with_notes(line, &unit.notes.join(", "))
    }

    /// A leader with a star; his values follow his place.
    pub(super) fn leader(&self, leader: &LeaderRow) -> Vec<String> {
        let wide = self.kind + numbers(&self.values, self.hits);
        let (facts, notes) = (facts(leader), leader.notes.join(", "));
        let name = pad(&clip(&leader.name, self.name), self.name, false);
        let place = pad(&clip(&leader.place, self.place), self.place, false);
        if facts.width() <= wide {
            return with_notes(
                format!("* {name} {}  {place}", pad(&facts, wide, false)),
                &notes,
            );
        }
        with_notes(
            format!("* {name} {}  {place}", " ".repeat(wide)),
            &format!("{facts} {notes}"),
        )
    }
}

/// A unit's kind in the available width.
fn kind(unit: &UnitRow) -> String {
    if unit.short_kind.is_empty() {
        clip(&unit.kind, KIND)
    } else {
        unit.short_kind.clone()
    }
}

/// How wide the numbers of a row are: values and hits.
fn numbers(values: &[usize], hits: Option<usize>) -> usize {
    1 + values.iter().map(|wide| wide + 1).sum::<usize>() + hits.map_or(0, |wide| wide + 2)
}

/// "rank 2 SR 1".
fn facts(leader: &LeaderRow) -> String {
    let values = leader
        .values
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    values.collect::<Vec<_>>().join(" ")
}

/// Notes after a row if there is room, else on lines of their own below it.
fn with_notes(row: String, notes: &str) -> Vec<String> {
    if notes.is_empty() {
        return vec![row];
    }
    let line = format!("{row}  {notes}");
    if line.width() <= COLUMNS {
        return vec![line];
    }
    let mut lines = vec![row];
    lines.extend(wrap(notes, "      ", "      "));
    lines
}
