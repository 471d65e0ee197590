//! Standard output. A reader that has gone (`| head`) is no failure.

use std::io::{self, Write};

use super::failure::{Failure, Outcome};

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
