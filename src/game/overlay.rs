//! An owner's own numbers laid over a game's files (`--data DIR`): the same file names, merged by id.
//!
//! Maps merge by key; lists of maps with an `id` merge by id, new ones go to the end; everything else is replaced.

use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{Problem, locate, read};

/// Reads a file with another laid over it, as strictly as a file alone. Both are given as path and text.
pub(super) fn lay_over<T: DeserializeOwned>(
    base: (&str, &str),
    over: (&str, &str),
) -> Result<T, Problem> {
    let mut value: Value = read::strict(base.0, base.1)?;
    merge(&mut value, read::strict(over.0, over.1)?);
    let merged = serde_yaml::to_string(&value)
        .map_err(|error| Problem::new(over.0, "", error.to_string()))?;
    // Reading the merged text gives the path of a mistake; the overlay is the likelier place of it.
    serde_yaml::from_str(&merged).map_err(|error| {
        let mut problem = read::describe(over.0, &error);
        (problem.line, problem.column) = (0, 0);
        locate::place(&mut problem, over.1);
        problem
    })
}

fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Mapping(base), Value::Mapping(over)) => merge_maps(base, over),
        (Value::Sequence(base), Value::Sequence(over)) if all_have_ids(base, &over) => {
            for item in over {
                let id = item.get("id").cloned();
                match base.iter_mut().find(|old| old.get("id") == id.as_ref()) {
                    Some(old) => merge(old, item),
                    None => base.push(item),
                }
            }
        }
        (base, over) => *base = over,
    }
}

fn merge_maps(base: &mut Mapping, over: Mapping) {
    for (key, value) in over {
        match base.get_mut(&key) {
            Some(old) => merge(old, value),
            None => {
                base.insert(key, value);
            }
        }
    }
}

fn all_have_ids(base: &[Value], over: &[Value]) -> bool {
    base.iter().chain(over).all(|item| item.get("id").is_some())
}
