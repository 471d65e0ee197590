//! Problems of a game's files: where, what, and what to do.

use std::fmt;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It is wrong: such a game is not played.
    #[default]
    Error,
    /// It looks like a slip, but may be meant.
    Warning,
}

/// An error in a game's files, or a likely slip.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file (`games/x/map.yaml`).
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: usize,
    /// The column, from 1; 0 if it is not known.
    pub column: usize,
    /// The place inside the file (`spaces[3].terrain`); empty for the whole file.
    pub path: String,
    /// A sentence that states the problem.
    pub message: String,
    /// A sentence on how to mend it.
    pub hint: Option<String>,
    /// The severity.
    pub severity: Severity,
}

impl Problem {
    /// A problem of a place in a file. Line and column are found later from the path.
    #[must_use]
    pub fn new(file: &str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            path: path.into(),
            message: message.into(),
            ..Self::default()
        }
    }

    /// As one that stops nothing.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// The problem with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        if self.severity == Severity::Warning {
            f.write_str(": warning")?;
        }
        write!(f, ": {}", self.message)?;
        self.hint
            .as_ref()
            .map_or(Ok(()), |hint| write!(f, ", {hint}"))
    }
}

impl std::error::Error for Problem {}
