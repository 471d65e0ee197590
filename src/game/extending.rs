//! A game that extends another one (`extends: ID` in game.yaml): what its folder does not have is
//! the other's, and its scripts stand beside the other's.
//!
//! The files are joined when they are gathered, so that what is loaded, hashed and pinned stands
//! for itself. `game.yaml`, `tables.yaml` and the words are laid over the other's: maps merge by
//! key, all else takes the place, and `~` takes away. Every other file takes the place of the
//! other's of its name; scenarios are the other's only where the game has none. Of two script
//! functions with one name and as many parameters the game's own is the one that is called.

use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

use crate::yaml;

/// The key that names the other game.
const KEY: &str = "extends";
/// The first line of a file that was laid over another: its lines are in neither.
const MARK: &str = "# Laid over the file of the same name of ";

/// Files by their paths.
type FilesByPath = BTreeMap<String, Vec<u8>>;

/// The game that a game extends, by its `game.yaml`.
pub(super) fn extended(game_yaml: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(game_yaml).ok()?;
    // Most games inherit from none, and are read once.
    let names = |line: &str| line.strip_prefix(KEY).is_some_and(|it| it.starts_with(':'));
    if !text.lines().any(names) {
        return None;
    }
    let value: Value = yaml::from_str(text).ok()?;
    id(value.get(KEY)?.as_str()?)
}

/// A game's id, which is part of paths: nothing leads out of its folder.
fn id(text: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
}

/// Returns true if this is the text of a file laid over another.
pub(super) fn is_laid_over(text: &str) -> bool {
    text.starts_with(MARK)
}

/// The game whose scripts stand beside those of a game that has been joined with it.
pub(super) fn joined_with(game_yaml: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(game_yaml).ok()?;
    let (name, _) = text
        .strip_prefix(MARK)?
        .strip_prefix('`')?
        .split_once('`')?;
    id(name)
}

/// The files of a game with those of the game that it extends.
pub(super) fn join(own: FilesByPath, id: &str, other: FilesByPath, from: &str) -> FilesByPath {
    let mut found = own;
    let folder = format!("games/{id}/");
    let has_scenarios = found
        .keys()
        .any(|path| path.starts_with(&format!("{folder}scenarios/")));
    for (path, bytes) in other {
        if let Some(name) = path.strip_prefix(&format!("games/{from}/")) {
            if has_scenarios && name.starts_with("scenarios/") {
                continue;
            }
            let place = format!("{folder}{name}");
            match found.get_mut(&place) {
                None => {
                    found.insert(place, bytes);
                }
                Some(own) if is_merged(name) => {
                    // A file that can't be read is reported as it stands.
                    if let Some(joined) = laid_over(&bytes, own, from) {
                        *own = joined;
                    }
                }
                Some(_) => {}
            }
        } else if path == format!("rules/{from}/checklist.yaml") {
            let place = format!("rules/{id}/checklist.yaml");
            found.entry(place).or_insert(bytes);
        } else {
            found.entry(path).or_insert(bytes);
        }
    }
    found
}

fn is_merged(name: &str) -> bool {
    matches!(name, "game.yaml" | "tables.yaml") || name.starts_with("text/")
}

fn laid_over(base: &[u8], over: &[u8], from: &str) -> Option<Vec<u8>> {
    let read = |bytes: &[u8]| -> Option<Value> {
        let text = std::str::from_utf8(bytes).ok()?;
        yaml::check_strictly(text).ok()?;
        yaml::from_str(text).ok()
    };
    let mut merged = read(base)?;
    extend(&mut merged, read(over)?);
    if let Value::Mapping(keys) = &mut merged {
        keys.remove(KEY);
    }
    let text = serde_yaml::to_string(&merged).ok()?;
    Some(format!("{MARK}`{from}`.\n{text}").into_bytes())
}

fn extend(base: &mut Value, own: Value) {
    match (base, own) {
        (Value::Mapping(base), Value::Mapping(own)) => extend_map(base, own),
        (base, own) => *base = own,
    }
}

fn extend_map(base: &mut Mapping, own: Mapping) {
    for (key, value) in own {
        // A default may be nothing.
        let goes = value.is_null() && key.as_str() != Some("default");
        match base.get_mut(&key) {
            Some(_) if goes => {
                base.remove(&key);
            }
            Some(old) => extend(old, value),
            None => {
                base.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    fn files(files: &[(&str, &str)]) -> FilesByPath {
        let file = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
        files.iter().map(file).collect()
    }

    #[test]
    fn no_game_is_looked_for_outside_its_folder() {
        for name in ["../large", "large/../..", "", "a\\nb", "/etc"] {
            let text = format!("extends: \"{name}\"\nid: small\n");
            assert_eq!(extended(text.as_bytes()), None, "{name}");
            assert_eq!(joined_with(format!("{MARK}`{name}`.\n").as_bytes()), None);
        }
        assert_eq!(extended(b"extends: a_b-2\n"), Some("a_b-2".to_owned()));
    }

    #[test]
    fn what_a_game_lacks_is_the_others() {
        let own = files(&[
            (
                "games/small/game.yaml",
                "extends: large\nid: small\nfacts: {old: ~, turn: {default: ~}}\nlist: [c]\n",
            ),
            ("games/small/map.yaml", "own\n"),
            ("games/small/scenarios/short.yaml", "short\n"),
            ("rules/small/step.rhai", "fn step() {}\n"),
        ]);
        let other = files(&[
            (
                "games/large/game.yaml",
                "id: large\nfacts:\n  turn: {default: 1}\n  old: {default: 2}\n  kept: {}\nlist: [a, b]\n",
            ),
            ("games/large/map.yaml", "other\n"),
            ("games/large/forces.yaml", "forces\n"),
            ("games/large/scenarios/long.yaml", "long\n"),
            ("rules/large/checklist.yaml", "[]\n"),
            ("rules/large/step.rhai", "fn step() { 1 }\n"),
        ]);
        assert_eq!(
            extended(&own["games/small/game.yaml"]),
            Some("large".to_owned())
        );
        let joined = join(own, "small", other, "large");
        let text = |path: &str| String::from_utf8(joined[path].clone()).unwrap();
        let paths: Vec<_> = joined.keys().map(String::as_str).collect();
        assert_eq!(
            paths,
            [
                "games/small/forces.yaml",
                "games/small/game.yaml",
                "games/small/map.yaml",
                "games/small/scenarios/short.yaml",
                "rules/large/step.rhai",
                "rules/small/checklist.yaml",
                "rules/small/step.rhai",
            ]
        );
        assert_eq!(text("games/small/map.yaml"), "own\n");
        let game: Value = serde_yaml::from_str(&text("games/small/game.yaml")).unwrap();
        let expected = "id: small\nfacts:\n  turn: {default: ~}\n  kept: {}\nlist: [c]\n";
        assert_eq!(game, serde_yaml::from_str::<Value>(expected).unwrap());
        assert!(is_laid_over(&text("games/small/game.yaml")));
        let known = joined_with(&joined["games/small/game.yaml"]);
        assert_eq!(known.as_deref(), Some("large"));
    }
}
