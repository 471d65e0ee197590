//! What commands give: standard output, where a reader that has gone (`| head`) is no failure, and files that they are told to
//! write.

use std::{
    io::{self, Write},
    path::Path,
};

use super::failure::{Failure, Outcome};
use crate::campaign::files::{Mode, write_atomically};

/// Writes a line.
///
/// # Errors
/// If standard output can't be written, except when its reader has gone.
pub fn line(text: impl AsRef<str>) -> Outcome {
    let mut out = io::stdout().lock();
    match writeln!(out, "{}", text.as_ref()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes bytes as they are.
///
/// # Errors
/// As [`line`].
pub fn bytes(bytes: &[u8]) -> Outcome {
    match io::stdout().lock().write_all(bytes) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes a value as one JSON document.
///
/// # Errors
/// As [`line`].
pub fn json(value: &impl serde::Serialize) -> Outcome {
    line(serde_json::to_string_pretty(value).map_err(Failure::environment)?)
}

/// Writes a file that the user has named: whole, or not at all.
///
/// # Errors
/// If the disk refuses; a file of that name is then as it was.
pub fn file(path: &Path, bytes: &[u8]) -> Outcome {
    write_atomically(path, bytes, Mode::Shared).map_err(Failure::environment)
}
