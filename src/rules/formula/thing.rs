//! Things to be decided, and their fields as numbers.

use rhai::{Identifier, ImmutableString};

use super::syntax::Formulas;
use crate::ordered::IndexMap;

/// Symbols are numbers from here on, so that they equal no number of a script.
pub(super) const FIRST_SYMBOL: i64 = 1 << 40;
/// A field that a thing does not have.
pub(super) const MISSING: i64 = FIRST_SYMBOL - 1;
/// The thing of a text that is the id of none.
const NO_THING: usize = usize::MAX;

/// A value of a thing's field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number, or a truth as 0 or 1.
    Number(i64),
    /// A text, shared with whoever said it.
    Text(ImmutableString),
}

/// A thing that may be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    /// Its unique id.
    pub id: ImmutableString,
    /// Its class, which says what decides of it.
    pub class: ImmutableString,
    /// Its fields, each once. They are few.
    pub fields: Vec<(Identifier, FieldValue)>,
}

impl Thing {
    /// The value of a field, if it has it.
    pub(super) fn get(&self, name: &str) -> Option<&FieldValue> {
        let mut fields = self.fields.iter();
        let found = fields.find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    }
}

/// All texts that things and formulas say, each with its number, and with the thing that it is the
/// id of.
#[derive(Debug, Default)]
pub(super) struct Symbols(IndexMap<ImmutableString, usize>);

impl Symbols {
    /// The number of a text as a value.
    pub(super) fn value(&mut self, text: &ImmutableString) -> i64 {
        let number = match self.0.get_index_of(text) {
            Some(number) => number,
            None => self.0.insert_full(text.clone(), NO_THING).0,
        };
        i64::try_from(number).map_or(MISSING, |number| FIRST_SYMBOL + number)
    }

    /// The text that a value stands for.
    pub(super) fn text(&self, value: i64) -> Option<&str> {
        let number = usize::try_from(value.checked_sub(FIRST_SYMBOL)?).ok()?;
        self.0.get_index(number).map(|(text, _)| text.as_str())
    }

    /// The number of the thing with this id.
    pub(super) fn thing(&self, id: &str) -> Option<usize> {
        let number = self.0.get(id).copied();
        number.filter(|number| *number != NO_THING)
    }

    /// Says whose id a text is; false if it is another's already.
    fn name(&mut self, id: &ImmutableString, thing: usize) -> bool {
        let known = self.0.entry(id.clone()).or_insert(NO_THING);
        let is_new = *known == NO_THING;
        *known = thing;
        is_new
    }
}

/// The fields of all things as numbers, thing after thing.
///
/// # Errors
/// If two things have one id.
pub(super) fn columns(
    formulas: &Formulas,
    things: &[Thing],
) -> Result<(Vec<i64>, Symbols), String> {
    let mut symbols = Symbols::default();
    for text in &formulas.texts {
        symbols.value(&text.into());
    }
    for (number, thing) in things.iter().enumerate() {
        if !symbols.name(&thing.id, number) {
            return Err(format!("two things have the id `{}`", thing.id));
        }
    }
    let mut values = Vec::with_capacity(things.len() * formulas.fields.len());
    for thing in things {
        for field in &formulas.fields {
            values.push(match (thing.get(field), field.as_str()) {
                (Some(FieldValue::Number(number)), _) => *number,
                (Some(FieldValue::Text(text)), _) => symbols.value(text),
                (None, "id") => symbols.value(&thing.id),
                (None, "class") => symbols.value(&thing.class),
                (None, _) => MISSING,
            });
        }
    }
    Ok((values, symbols))
}
