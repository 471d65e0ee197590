//! Things to be decided, and their fields as numbers.

use std::collections::{BTreeMap, HashMap};

use super::syntax::Formulas;

/// Symbols are numbers from here on, so that they equal no number of a script.
pub(super) const FIRST_SYMBOL: i64 = 1 << 40;
/// A field that a thing does not have.
pub(super) const MISSING: i64 = FIRST_SYMBOL - 1;

/// A value of a thing's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number, or a truth as 0 or 1.
    Number(i64),
    /// A text.
    Text(String),
}

/// A thing that may be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    /// Its unique id.
    pub id: String,
    /// Its class, which says what decides of it.
    pub class: String,
    /// Its fields.
    pub fields: BTreeMap<String, FieldValue>,
}

/// The fields of all things as numbers, and the texts that symbols stand for.
pub(super) fn columns(formulas: &Formulas, things: &[Thing]) -> (Vec<i64>, Vec<String>) {
    let mut symbols = formulas.texts.clone();
    let mut known: HashMap<String, usize> = (symbols.iter().cloned()).zip(0..).collect();
    let mut symbol = |text: &str| {
        let next = known.len();
        let number = match known.get(text) {
            Some(number) => *number,
            None => {
                known.insert(text.to_owned(), next);
                symbols.push(text.to_owned());
                next
            }
        };
        i64::try_from(number).map_or(MISSING, |number| FIRST_SYMBOL + number)
    };
    let mut values = Vec::with_capacity(things.len() * formulas.fields.len());
    for thing in things {
        for field in &formulas.fields {
            values.push(match (thing.fields.get(field), field.as_str()) {
                (Some(FieldValue::Number(number)), _) => *number,
                (Some(FieldValue::Text(text)), _) => symbol(text),
                (None, "id") => symbol(&thing.id),
                (None, "class") => symbol(&thing.class),
                (None, _) => MISSING,
            });
        }
    }
    (values, symbols)
}
