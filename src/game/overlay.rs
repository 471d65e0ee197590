//! An owner's own numbers laid over a game's files (`--data DIR`): the same file names, merged by
//! id.
//!
//! Maps merge by key; lists of maps with an `id` merge by id, new ones go to the end; everything
//! else is replaced.

use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::{GameFiles, Problem, locate, read};
use crate::yaml;

/// Reads a file with another laid over it, as strictly as a file alone. Both are given as path and
/// text.
pub(super) fn lay_over<T: DeserializeOwned>(
    base: (&str, &str),
    over: (&str, &str),
) -> Result<T, Problem> {
    let value = |(path, text): (&str, &str)| -> Result<Value, Problem> {
        let checked = yaml::check_strictly(text);
        checked
            .and_then(|()| serde_yaml::from_str(text))
            .map_err(|error| read::describe(path, &error))
    };
    let mut merged = value(base)?;
    merge(&mut merged, value(over)?);
    let text = serde_yaml::to_string(&merged)
        .map_err(|error| Problem::new(over.0, "", error.to_string()))?;
    serde_yaml::from_str(&text).map_err(|error| {
        // A place in the merged text means nothing to anybody: the path tells whose mistake it is.
        let problem = read::describe(base.0, &error);
        Problem {
            line: 0,
            column: 0,
            ..problem
        }
    })
}

/// Turns a problem of a file that has an overlay to the overlay, if its path comes from there.
pub(super) fn blame(files: &GameFiles, id: &str, problem: &mut Problem) {
    let name = problem.file.strip_prefix(&format!("games/{id}/"));
    let Some(over) = name.map(|name| format!("data/{name}")) else {
        return;
    };
    let value = |path: &str| -> Option<Value> {
        let text = std::str::from_utf8(files.0.get(path)?).ok()?;
        yaml::from_str(text).ok()
    };
    let (Some(mut merged), Some(laid)) = (value(&problem.file), value(&over)) else {
        return;
    };
    merge(&mut merged, laid.clone());
    if let Some(path) = path_in(&laid, Some(&merged), &problem.path) {
        problem.file = over;
        problem.path = path;
    }
}

/// A path of the merged value as the overlay has it: items of lists are found by their ids.
fn path_in(laid: &Value, merged: Option<&Value>, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(String::new());
    }
    if let Some((number, rest)) = locate::after_index(path) {
        let item = merged.and_then(|list| list.get(number));
        let id = item.and_then(|item| item.get("id"));
        let list = laid.as_sequence()?;
        let found = match id {
            Some(_) => list.iter().position(|item| item.get("id") == id)?,
            None => number,
        };
        let inner = path_in(list.get(found)?, item, rest)?;
        return Some(joined(&format!("[{found}]"), &inner));
    }
    laid.as_mapping()?.iter().find_map(|(key, value)| {
        let key = key.as_str()?;
        let rest = locate::after_key(path, key)?;
        let inner = path_in(value, merged.and_then(|map| map.get(key)), rest)?;
        Some(joined(key, &inner))
    })
}

fn joined(outer: &str, inner: &str) -> String {
    let dot = if inner.is_empty() || inner.starts_with('[') {
        ""
    } else {
        "."
    };
    format!("{outer}{dot}{inner}")
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
