//! Plain data to template values.

use minijinja::Value;
use serde::Serialize;

/// Data as a template sees them. What has no JSON (there is none in a document) is nothing.
pub(super) fn data(of: &impl Serialize) -> Value {
    serde_json::to_value(of).map_or(Value::UNDEFINED, convert)
}

fn convert(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(truth) => Value::from(truth),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::from(whole),
            None => Value::from(number.to_string()),
        },
        serde_json::Value::String(text) => Value::from(text),
        serde_json::Value::Array(list) => list.into_iter().map(convert).collect(),
        serde_json::Value::Object(map) => {
            Value::from_pairs(map.into_iter().map(|(name, value)| (name, convert(value))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_keep_their_shape() {
        let value = data(&serde_json::json!({"a": [1, null, "x"], "b": {"c": true}}));
        assert_eq!(value.to_string(), "{'a': [1, None, 'x'], 'b': {'c': True}}");
    }
}
