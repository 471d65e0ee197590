//! The table of the host's functions, compared with what the host registers.

use std::{collections::BTreeSet, sync::Arc};

use super::host::FUNCTIONS;
use crate::{
    game::{EmbeddedFiles, Files, Game},
    rules::Program,
};

/// Functions that are methods of lists, areas and fields, which the flow knows without the table,
/// and those that nobody calls by name.
const METHODS: [&str; 9] = [
    "contains",
    "list",
    "len",
    "is_empty",
    "remove",
    "to_debug",
    "sleep",
    "get_property",
    "set_property",
];

#[test]
fn every_function_of_the_host_is_in_the_table() {
    let id = EmbeddedFiles.game_ids().unwrap_or_default().remove(0);
    let game = Game::load(&EmbeddedFiles, &id).unwrap_or_else(|problems| panic!("{problems:?}"));
    let program = Program::compile(Arc::new(game)).unwrap_or_else(|error| panic!("{error}"));
    let plain = |name: &str| {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit())
    };
    let registered: BTreeSet<(String, usize)> = program
        .host_functions()
        .into_iter()
        .filter(|(name, _)| plain(name) && !METHODS.contains(&name.as_str()))
        .collect();
    let table: BTreeSet<(String, usize)> = FUNCTIONS
        .iter()
        .map(|function| (function.name.to_owned(), function.takes.len()))
        .collect();
    assert_eq!(
        registered, table,
        "registered on the left, the table on the right"
    );
}
