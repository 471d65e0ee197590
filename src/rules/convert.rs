//! Converting values for scripts and back.

use rhai::{Array, Dynamic, INT, Map};

use super::{sandbox::DEEPEST, stage::PieceHandle};
use crate::value::{Fields, Value};

/// A value as a script sees it.
pub fn to_dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(to_dynamic).collect::<Array>().into(),
        Value::Map(fields) => to_map(fields).into(),
    }
}

/// Named values as a script sees them.
#[must_use]
pub fn to_map(fields: &Fields) -> Map {
    fields
        .iter()
        .map(|(name, value)| (name.as_str().into(), to_dynamic(value)))
        .collect()
}

/// The conversion of a piece when a script's value is converted back.
type OfPiece<'a> = dyn FnMut(&PieceHandle) -> Result<Value, String> + 'a;

/// Converts a script's value back; `piece` says what a handle becomes.
///
/// # Errors
/// The type's name, if it can't leave a script (a function pointer, a range), or a message if lists
/// and maps are nested too deep.
pub fn from_dynamic(value: &Dynamic, piece: &mut OfPiece<'_>) -> Result<Value, String> {
    within(DEEPEST, value, piece)
}

/// Like `from_dynamic`, for named values.
///
/// # Errors
/// As for [`from_dynamic`].
pub fn fields_from(map: &Map, piece: &mut OfPiece<'_>) -> Result<Fields, String> {
    fields_within(DEEPEST, map, piece)
}

fn within(levels: usize, value: &Dynamic, piece: &mut OfPiece<'_>) -> Result<Value, String> {
    if value.is_unit() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = value.as_bool() {
        return Ok(Value::Bool(truth));
    }
    if let Ok(number) = value.as_int() {
        return Ok(Value::Int(number));
    }
    // Without a copy between: nearly all values are texts.
    if let Ok(text) = value.as_immutable_string_ref() {
        return Ok(text.as_str().into());
    }
    if let Some(letter) = text_of(value) {
        return Ok(letter.into());
    }
    if let Some(handle) = value.read_lock::<PieceHandle>() {
        return piece(&handle);
    }
    if levels == 0 && (value.is_array() || value.is_map()) {
        return Err(format!(
            "lists and maps in each other more than {DEEPEST} deep"
        ));
    }
    let levels = levels.saturating_sub(1);
    if let Some(list) = value.read_lock::<Array>() {
        return list
            .iter()
            .map(|item| within(levels, item, piece))
            .collect::<Result<_, _>>()
            .map(Value::List);
    }
    if let Some(map) = value.read_lock::<Map>() {
        return fields_within(levels, &map, piece).map(Value::Map);
    }
    Err(value.type_name().to_owned())
}

fn fields_within(levels: usize, map: &Map, piece: &mut OfPiece<'_>) -> Result<Fields, String> {
    map.iter()
        .map(|(name, item)| Ok((name.to_string(), within(levels, item, piece)?)))
        .collect()
}

/// The text of a string or a character.
pub fn text_of(value: &Dynamic) -> Option<String> {
    match value.as_immutable_string_ref() {
        Ok(text) => Some(text.to_string()),
        Err(_) => value.as_char().ok().map(String::from),
    }
}

/// An integer argument within what fits a count.
pub fn count(number: INT) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} is no count"))
}
