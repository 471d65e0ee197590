//! Errors of scripts: message, file, function, line and column.

use rhai::{EvalAltResult, ParseError, Position};
use thiserror::Error;

use super::sources::{ScriptPlace, Sources};

/// A rule script that does not compile or that failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {message}{}", place_text(.place), inside(.function))]
pub struct RuleError {
    /// The message.
    pub message: String,
    /// The script function that failed, if known.
    pub function: Option<String>,
    /// The place of the error.
    pub place: ScriptPlace,
    /// True if the machine did not keep up (time, memory): another try may succeed, and nothing is
    /// recorded.
    pub of_machine: bool,
}

fn place_text(place: &ScriptPlace) -> String {
    match (place.script.as_str(), place.line) {
        ("", _) => "rules".to_owned(),
        (script, 0) => script.to_owned(),
        (script, line) => format!("{script}:{line}:{}", place.column),
    }
}

fn inside(function: &Option<String>) -> String {
    function
        .as_ref()
        .map_or_else(String::new, |name| format!(" (in function `{name}`)"))
}

impl RuleError {
    /// An error of the host about a script as a whole.
    #[must_use]
    pub fn general(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            function: None,
            place: ScriptPlace::default(),
            of_machine: false,
        }
    }

    pub(super) fn parse(error: &ParseError, sources: &Sources) -> Self {
        Self {
            message: error.err_type().to_string(),
            function: None,
            place: sources.place(error.position()),
            of_machine: false,
        }
    }

    /// The innermost error of a chain, with the innermost function and place that are known.
    ///
    /// An error that stops a campaign is kept in its journal, and compared in a replay. The names
    /// of closures differ from one run of the program to the next, so errors leave them out.
    pub(super) fn eval(error: &EvalAltResult, sources: &Sources) -> Self {
        let (mut function, mut position, mut inner) = (None, error.position(), error);
        while let EvalAltResult::ErrorInFunctionCall(name, _, next, at) = inner {
            function = Some(without_names_of_closures(name));
            if position.is_none() || !at.is_none() {
                position = *at;
            }
            inner = next;
            if !inner.position().is_none() {
                position = inner.position();
            }
        }
        let mut plain = inner.clone_bare();
        plain.set_position(Position::NONE);
        Self {
            message: without_names_of_closures(&plain.to_string()),
            function,
            place: sources.place(position),
            of_machine: false,
        }
    }
}

/// How the names begin that the script engine invents for closures.
pub(super) const CLOSURE: &str = "anon$";

/// A text in which each name of a closure is replaced by the word.
fn without_names_of_closures(message: &str) -> String {
    let mut pieces = message.split(CLOSURE);
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push_str("closure");
        text.push_str(piece.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    }
    text
}

/// A copy of an error that can be printed without its place.
trait BareMessage {
    fn clone_bare(&self) -> Box<EvalAltResult>;
}

impl BareMessage for EvalAltResult {
    fn clone_bare(&self) -> Box<EvalAltResult> {
        match self {
            Self::ErrorRuntime(value, _) => {
                Self::ErrorRuntime(value.clone(), Position::NONE).into()
            }
            other => {
                let text = other.to_string();
                let place = format!(" ({})", other.position());
                let text = text.strip_suffix(&place).unwrap_or(&text).to_owned();
                Self::ErrorRuntime(text.into(), Position::NONE).into()
            }
        }
    }
}
