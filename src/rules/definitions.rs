//! The host's functions as a definition file for editors (`.d.rhai`), which the language server of
//! Rhai reads.
//!
//! Invariant: it is the same for every game, and says what scripts say: no name of a Rust type.

use super::{Program, functions, sandbox};

/// Types of Rust, and what scripts call them.
const TYPES: [(&str, &str); 5] = [
    ("PieceHandle", "Piece"),
    ("String", "string"),
    ("Array", "array"),
    ("Map", "map"),
    ("FnPtr", "Fn"),
];

impl Program {
    /// The definitions, with the host's documentation of each.
    #[must_use]
    pub fn definitions(&self) -> String {
        let mut engine = sandbox::parser(&self.meter.limits);
        functions::register(&mut engine, &self.stage);
        let all = engine
            .definitions()
            .with_headers(true)
            .include_standard_packages(false)
            .single_file()
            // Rhai takes its own two names for operators.
            .replace("op print(?)", "fn print(value: ?)")
            .replace("op debug(?)", "fn debug(value: ?)");
        // The properties of pieces are the game's own.
        let parts = all.split("\n\n").filter(|part| !is_property(part));
        let parts: Vec<String> = parts.map(definition).collect();
        parts.join("\n\n").trim_end().to_owned() + "\n"
    }
}

/// Returns true if a definition is that of a property (`fn get strength(...)`).
fn is_property(definition: &str) -> bool {
    let mut lines = definition.lines();
    lines.any(|line| line.starts_with("fn get ") || line.starts_with("fn set "))
}

/// A definition as editors read it: its documentation, and a line with arguments and result.
/// Brackets after a value can't be defined, so they become a comment.
fn definition(text: &str) -> String {
    let lines = text.lines().map(signature);
    let lines: Vec<String> = lines.collect();
    let Some(place) = lines.last().and_then(|line| in_brackets(line)) else {
        return lines.join("\n");
    };
    let notes = lines.iter().filter(|line| line.starts_with("///"));
    let notes = notes.map(|line| line.replacen("///", "//", 1));
    let notes: Vec<String> = notes.chain([format!("// {place}")]).collect();
    notes.join("\n")
}

/// A line without the names of Rust's types, if it is no documentation.
fn signature(line: &str) -> String {
    if !line.starts_with("fn ") && !line.starts_with("op ") {
        return line.to_owned();
    }
    let plain = line.replace("ScriptResult<", "").replace(" >;", ";");
    TYPES
        .iter()
        .fold(plain, |line, (ours, theirs)| line.replace(ours, theirs))
}

/// `area[space] -> bool` of `fn index$get$(area: Area, space: string) -> bool;`.
fn in_brackets(line: &str) -> Option<String> {
    let parameters = |rest: &str| {
        let (inside, gives) = rest.split_once(") -> ")?;
        let names = inside.split(", ").map(|it| it.split(':').next());
        let names: Option<Vec<String>> = names.map(|name| name.map(str::to_owned)).collect();
        Some((names?, gives.trim_end_matches(';').to_owned()))
    };
    if let Some(rest) = line.strip_prefix("fn index$get$(") {
        let (names, gives) = parameters(rest)?;
        return match names.as_slice() {
            [of, at] => Some(format!("{of}[{at}] -> {gives}")),
            _ => None,
        };
    }
    let (names, _) = parameters(line.strip_prefix("fn index$set$(")?)?;
    match names.as_slice() {
        [of, at, value] => Some(format!("{of}[{at}] = {value}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use rhai::Engine;

    use super::Program;
    use crate::game::{EmbeddedFiles, Files, Game};

    fn of_shipped_games() -> Vec<(Program, String)> {
        let ids = EmbeddedFiles.game_ids().unwrap_or_default();
        let programs = ids.iter().map(|id| {
            let game = Game::load(&EmbeddedFiles, id).unwrap_or_else(|found| panic!("{found:?}"));
            let program = Program::compile(Arc::new(game));
            let program = program.unwrap_or_else(|error| panic!("{error}"));
            let definitions = program.definitions();
            (program, definitions)
        });
        programs.collect()
    }

    /// Name, types of parameters and result of a definition; nothing if it is none.
    fn parts<'a>(line: &'a str, kind: &str) -> Option<(&'a str, Vec<&'a str>, &'a str)> {
        let (name, rest) = line.strip_prefix(kind)?.split_once('(')?;
        let (inside, gives) = rest.strip_suffix(';')?.split_once(") -> ")?;
        let inside = inside.split(", ").filter(|it| !it.is_empty());
        Some((name, inside.collect(), gives))
    }

    const TYPES: [&str; 12] = [
        "?",
        "()",
        "bool",
        "int",
        "string",
        "array",
        "map",
        "Fn",
        "Piece",
        "Area",
        "Field",
        "Settlement",
    ];

    const KEPT: [&str; 2] = ["print", "debug"];

    /// Each line is one of those that definitions may have, and Rhai takes its names: a function
    /// without its types compiles, an operator stands between two values.
    #[test]
    fn every_definition_is_read() {
        let engine = Engine::new();
        let compiles = |script: String| {
            assert!(engine.compile(&script).is_ok(), "{script}");
        };
        for (_, text) in of_shipped_games() {
            let mut lines = text.lines().filter(|line| !line.is_empty());
            assert_eq!(lines.next(), Some("module static;"));
            for line in lines.filter(|line| !line.starts_with("//")) {
                if let Some((name, takes, gives)) = parts(line, "op ") {
                    let types = takes.iter().chain([&gives]);
                    assert!(types.into_iter().all(|it| TYPES.contains(it)), "{line}");
                    compiles(format!("a {name} b"));
                } else if let Some((name, takes, gives)) = parts(line, "fn ") {
                    let named: Option<Vec<_>> =
                        takes.iter().map(|it| it.split_once(": ")).collect();
                    let (names, types): (Vec<&str>, Vec<&str>) = named
                        .unwrap_or_else(|| panic!("{line}"))
                        .into_iter()
                        .unzip();
                    let mut types = types.iter().chain([&gives]);
                    assert!(types.all(|it| TYPES.contains(it)), "{line}");
                    // Scripts can call these two, and can't define them.
                    let name = if KEPT.contains(&name) { "kept" } else { name };
                    compiles(format!("fn {name}({}) {{}}", names.join(", ")));
                } else {
                    panic!("no definition: {line}");
                }
            }
        }
    }

    #[test]
    fn every_function_of_the_host_is_defined() {
        for (program, text) in of_shipped_games() {
            let defined: BTreeSet<(String, usize)> = text
                .lines()
                .filter_map(|line| parts(line, "fn ").or_else(|| parts(line, "op ")))
                .map(|(name, takes, _)| (name.to_owned(), takes.len()))
                .collect();
            let host: BTreeSet<(String, usize)> = program
                .host_functions()
                .into_iter()
                // Of Rhai's own there is one that has no part in rules.
                .filter(|(name, _)| !name.contains('$') && name != "sleep")
                .collect();
            assert_eq!(defined, host);
            for of in [
                "area[space] -> bool",
                "field[space] -> int",
                "piece[name] -> ?",
            ] {
                assert!(text.contains(&format!("\n// {of}\n")), "{of}");
            }
        }
    }

    #[test]
    fn definitions_are_the_same_for_every_game() {
        let all = of_shipped_games();
        let texts: BTreeSet<&String> = all.iter().map(|(_, text)| text).collect();
        assert!(all.len() > 1);
        assert_eq!(texts.len(), 1);
    }
}
