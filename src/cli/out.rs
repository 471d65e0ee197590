//! The output of commands: standard output, where a reader that has gone (`| head`) is no failure,
//! remarks on standard error, and files that the user names. Control characters in anything printed
//! are written out.

use std::{
    fmt::Display,
    io::{self, Write},
    path::Path,
};

use super::failure::{CommandResult, Failure};
use crate::{
    disk::{Mode, write_atomically},
    visible::{visible, visible_json},
};

/// Writes a line: one, whatever the text has in it.
///
/// # Errors
/// If standard output can't be written, except when its reader has gone.
pub fn line(text: impl AsRef<str>) -> CommandResult {
    print(&visible(text.as_ref()))
}

/// A number with its noun: "1 letter", "2 letters".
#[must_use]
pub fn counted(number: usize, one: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {one}{s}")
}

/// Writes a text whose line breaks are our own.
///
/// # Errors
/// As [`line`].
pub fn text(text: &str) -> CommandResult {
    text.lines().try_for_each(line)
}

/// The option that asks for a trace.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct TraceOption {
    /// Show what scripts print with `print(x)` and `debug(x)`, with script and line, on standard
    /// error
    #[arg(long)]
    trace: bool,
}

impl TraceOption {
    /// Returns true if a trace was asked for.
    #[must_use]
    pub fn is_on(self) -> bool {
        self.trace
    }
}

/// Writes what scripts have printed, and on what occasion, to standard error; nothing if they have
/// printed nothing.
pub fn trace(occasion: &str, lines: &[String]) {
    if !lines.is_empty() {
        eprintln!("trace of {}:", visible(occasion));
    }
    for line in lines {
        eprintln!("  {}", visible(line));
    }
}

/// Writes a remark for people on standard error.
pub fn remark(text: impl Display) {
    eprintln!("estafette: {}", visible(&text.to_string()));
}

fn print(text: &str) -> CommandResult {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes bytes unchanged.
///
/// # Errors
/// As [`line`].
pub fn bytes(bytes: &[u8]) -> CommandResult {
    match io::stdout().lock().write_all(bytes) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a value as one JSON document.
///
/// # Errors
/// As [`line`].
pub fn json(value: &impl serde::Serialize) -> CommandResult {
    let text = serde_json::to_string_pretty(value).map_err(Failure::environment)?;
    print(&visible_json(&text))
}

/// Writes a file that the user has named: whole, or not at all.
///
/// # Errors
/// If the disk refuses; a file of that name then stays as it was.
pub fn file(path: &Path, bytes: &[u8]) -> CommandResult {
    write_atomically(path, bytes, Mode::Shared).map_err(Failure::environment)
}
