//! Scripts, parsed and checked before any of them can run.

use std::collections::BTreeMap;

use rhai::{AST, Engine, ScriptFuncDef};

use super::{
    closures,
    errors::{CLOSURE, RuleError},
    sandbox::{self, RunLimits},
    sources::Sources,
};
use crate::game::shipped;

/// Why a host compiles no rules that do not ship.
const FOREIGN: &str =
    "these rules do not ship with the program, and run in a process of their own only";

/// A game's scripts, parsed. Parsing needs none of the game's data, so both can be read at the same
/// time.
pub struct ParsedScripts {
    pub(super) ast: AST,
    pub(super) sources: Sources,
}

impl ParsedScripts {
    /// Parses scripts: file names with their texts.
    ///
    /// # Errors
    /// The first script error, with its file, line and column.
    pub fn new(scripts: &[(String, String)], limits: &RunLimits) -> Result<Self, RuleError> {
        let ships = ship(scripts);
        if !ships && shipped::runs_only_shipped() {
            return Err(RuleError::general(FOREIGN));
        }
        let parsed = Self::parse(scripts, limits)?;
        if !ships {
            parsed.check_functions()?;
        }
        Ok(parsed)
    }

    pub(super) fn parse(
        scripts: &[(String, String)],
        limits: &RunLimits,
    ) -> Result<Self, RuleError> {
        let sources = Sources::join(scripts);
        let parser = sandbox::parser(limits);
        let ast = match parse_apart(&parser, &sources) {
            Some(ast) => ast,
            None => parser
                .compile(sources.text())
                .map_err(|error| RuleError::parse(&error, &sources))?,
        };
        if let Some(place) = ast
            .statements()
            .first()
            .map(|statement| statement.position())
        {
            let message = "a rule script holds functions only; this statement would never run";
            let error = RuleError {
                place: sources.place(place),
                ..RuleError::general(message)
            };
            return Err(error);
        }
        Ok(Self { ast, sources })
    }

    /// Looks for functions that are used as values. Scripts that ship need no check here: a test
    /// checks them once and for all.
    pub(super) fn check_functions(&self) -> Result<(), RuleError> {
        closures::check(&self.ast, &self.sources)
    }
}

/// Parses the scripts one by one into one tree: at each name the parser searches all functions of
/// its text, so one long text would take half as long again. None if a script can't stand alone (it
/// names another's function as a value, say), or if two have the same function. A game that extends
/// another may have functions of the other's: its own come later and are called.
fn parse_apart(parser: &Engine, sources: &Sources) -> Option<AST> {
    let mut all = AST::empty();
    let mut known = BTreeMap::new();
    for (name, text) in sources.names().zip(sources.texts_in_place()) {
        let ast = parser.compile(text).ok()?;
        let owner = owner_of(name);
        for function in ast.iter_fn_def().filter(|function| !is_closure(function)) {
            let key = (function.name.clone(), function.params.len());
            let before = known.insert(key, owner);
            if before.is_some_and(|before| before == owner || before == SHARED) {
                return None;
            }
        }
        all.combine(ast);
    }
    Some(all)
}

/// The owner of the scripts that all games share.
const SHARED: &str = "lib";

/// The game, or `lib`, whose script this is.
fn owner_of(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// Returns true if the parser has invented this function's name.
fn is_closure(function: &ScriptFuncDef) -> bool {
    function.name.starts_with(CLOSURE)
}

/// Returns true if these are scripts that ship with the program.
fn ship(scripts: &[(String, String)]) -> bool {
    let paths = scripts.iter().map(|(name, _)| format!("rules/{name}"));
    let paths: Vec<String> = paths.collect();
    let texts = scripts.iter().map(|(_, text)| text.as_bytes());
    shipped::are_shipped(paths.iter().map(String::as_str).zip(texts))
}
