//! Checks of `tables.yaml`: rows and columns without gaps or overlaps, results for every column.

use std::collections::BTreeSet;

use super::GameCheck;
use crate::{
    dice::Spec,
    game::{Column, Table},
    value::Value,
};

/// The values that a row or a column stands for, inclusive; missing ends are open.
type Span = (Option<i64>, Option<i64>);

/// The names in a table that scripts may ask for.
fn shape(table: &Table) -> [BTreeSet<&str>; 3] {
    let values = table.values.keys().map(String::as_str);
    let columns = table.columns.iter().map(|column| column.id.as_str());
    let modifiers = table.modifiers.iter().map(|modifier| modifier.id.as_str());
    [values.collect(), columns.collect(), modifiers.collect()]
}

impl GameCheck<'_> {
    pub(super) fn tables(&mut self) {
        for (name, table) in &self.game.tables {
            if self.is_own(name) {
                self.turn_to_ground("tables.yaml");
            } else {
                self.turn_to("tables.yaml");
            }
            self.table(name, table);
        }
    }

    /// Returns true if a table is the theatre's, in place of the game's.
    fn is_own(&self, name: &str) -> bool {
        let theatre = self.game.theatre.as_ref();
        let theatre = theatre.and_then(|theatre| self.game.theatres.get(theatre));
        theatre.is_some_and(|theatre| theatre.own_tables.iter().any(|own| own == name))
    }

    /// Scripts find in every theatre what they find in one: a theatre's own tables have the values,
    /// columns and modifiers of those that they stand for.
    pub(super) fn alike(&mut self) {
        self.turn_to_ground("tables.yaml");
        let game = self.game;
        let others = game.theatres.iter();
        for (other, theatre) in others.filter(|(other, _)| game.theatre.as_ref() != Some(other)) {
            for (name, table) in &game.tables {
                if !self.is_own(name) {
                    continue;
                }
                match theatre.tables.get(name) {
                    None => self.say(name, format!("the theatre `{other}` has no table `{name}`")),
                    Some(their) if shape(table) == shape(their) => {}
                    Some(_) => {
                        let message = format!(
                            "`{other}` has other values, columns or modifiers in this table"
                        );
                        self.say(name, message);
                    }
                }
            }
        }
    }

    fn table(&mut self, name: &str, table: &Table) {
        if !self.game.has_rule(&table.rule) {
            self.say(
                format!("{name}.rule"),
                format!("the checklist has no rule {}", table.rule),
            );
        }
        let modifiers = table.modifiers.iter().map(|modifier| modifier.id.as_str());
        self.unique(&format!("{name}.modifiers"), modifiers);
        self.columns(name, &table.columns);
        self.rows(name, table);
        self.values(name, table);
        if let Some(Err(error)) = table.dice.as_ref().map(|dice| dice.parse::<Spec>()) {
            self.say(format!("{name}.dice"), error.to_string());
        }
    }

    /// Numbers within what any game needs, and within the ranges that the table itself states for
    /// some of them.
    fn values(&mut self, name: &str, table: &Table) {
        let values = table.values.iter();
        for (key, value) in values.filter(|(key, _)| !table.ranges.contains_key(*key)) {
            self.in_range(&format!("{name}.values.{key}"), value);
        }
        for (key, [least, most]) in &table.ranges {
            let path = format!("{name}.ranges.{key}");
            if least > most {
                self.say(path, format!("nothing lies between {least} and {most}"));
                continue;
            }
            match table.values.get(key) {
                Some(Value::Int(number)) if (*least..=*most).contains(number) => {}
                Some(Value::Int(number)) => {
                    let path = format!("{name}.values.{key}");
                    let message =
                        format!("{number} is out of range: it goes from {least} to {most}");
                    self.say(path, message);
                }
                _ => self.say(path, format!("the table has no number `{key}`")),
            }
        }
        for (number, row) in table.rows.iter().enumerate() {
            for (place, result) in row.result.iter().enumerate() {
                self.in_range(&format!("{name}.rows[{number}].result[{place}]"), result);
            }
        }
    }

    fn columns(&mut self, name: &str, columns: &[Column]) {
        let path = format!("{name}.columns");
        self.unique(&path, columns.iter().map(|column| column.id.as_str()));
        let spans: Vec<Span> = columns
            .iter()
            .map(|column| (column.min, column.max))
            .collect();
        let named_only = spans.iter().all(|span| *span == (None, None));
        // Columns of single values (25, 33, 50 percent) may skip what never occurs.
        let single = spans.iter().all(|(min, max)| min.is_some() && min == max);
        if !named_only {
            self.spans(&path, &spans, single);
        }
    }

    fn rows(&mut self, name: &str, table: &Table) {
        let path = format!("{name}.rows");
        let first = table.rows.first().map_or(0, |row| row.result.len());
        let want = if table.columns.is_empty() {
            first
        } else {
            table.columns.len()
        };
        for (number, row) in table.rows.iter().enumerate() {
            if row.result.len() != want || want == 0 {
                let message = format!("this row has {} of {want} results", row.result.len());
                self.say(format!("{path}[{number}].result"), message);
            }
        }
        let spans: Vec<Span> = table.rows.iter().map(|row| (row.min, row.max)).collect();
        self.spans(&path, &spans, false);
        let open = |end: Option<&Span>, bound: fn(&Span) -> Option<i64>| {
            end.is_some_and(|span| bound(span).is_some())
        };
        let rolled = table.dice.is_some() && !spans.is_empty();
        if rolled && (open(spans.first(), |span| span.0) || open(spans.last(), |span| span.1)) {
            self.say_hint(
                path,
                "a roll with modifiers may fall outside these rows",
                "leave out `min` of the first and `max` of the last",
            );
        }
    }

    /// Ascending, each beginning where the one before ends; only the outermost ends open.
    fn spans(&mut self, path: &str, spans: &[Span], gaps: bool) {
        for (number, (min, max)) in spans.iter().enumerate() {
            if min.zip(*max).is_some_and(|(min, max)| min > max) {
                self.say(format!("{path}[{number}]"), "`min` is above `max`");
            }
        }
        for (number, pair) in spans.windows(2).enumerate() {
            let [(_, end), (start, _)] = pair else {
                continue;
            };
            let path = format!("{path}[{}]", number + 1);
            match (end, start) {
                (Some(end), Some(start)) if *start <= *end => {
                    self.say(path, format!("{start} is covered by the one before too"));
                }
                (Some(end), Some(start)) if *start > end.saturating_add(1) && !gaps => {
                    self.say(path, format!("nothing covers {}", end.saturating_add(1)));
                }
                (Some(_), Some(_)) => {}
                _ => self.say(
                    path,
                    "only the first may have no `min`, only the last no `max`",
                ),
            }
        }
    }
}
