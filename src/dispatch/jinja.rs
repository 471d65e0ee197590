//! Plain data to template values.

use minijinja::{Value, value::Serde};
use serde::Serialize;

/// Data as a template sees them.
pub(super) fn data(of: &impl Serialize) -> Value {
    Value::from(Serde(of))
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
