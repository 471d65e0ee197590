//! Rule cases: tests of rules as data, and which entries of a checklist they cover.
//!
//! Invariant: a case goes through the same reading, checks, phases and views as a campaign; only
//! its dice come from a list.

mod case;
mod compare;
mod coverage;
pub mod mutants;
mod position;
mod run;
mod transcripts;

use std::path::{Path, PathBuf};

use thiserror::Error;

pub use case::Case;
pub use coverage::{Coverage, CoverageEntry, coverage};
pub use position::{CaseError, set_up};
pub use run::{CaseOutcome, play};

use crate::{
    bounded::{self, FileError, FolderBounds, FolderEntry},
    game::Seating,
    orders::Grammar,
    rules::Program,
    yaml,
};

/// The largest file of cases, in bytes.
const LARGEST: u64 = 512 << 10;
/// The bounds for a folder of cases.
const BOUNDS: FolderBounds = FolderBounds {
    entries: 10_000,
    depth: 8,
};

/// A file of cases that can't be read.
#[derive(Debug, Error)]
pub enum CaseFileError {
    /// The file or folder can't be read, or is none that may be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file can't be read as a case.
    #[error("{}: {source}", .path.display())]
    Yaml {
        /// The path.
        path: PathBuf,
        /// The fault, with line and column.
        source: serde_yaml::Error,
    },
}

/// A case with its file.
#[derive(Clone, Debug)]
pub struct CaseEntry {
    /// The file.
    pub path: PathBuf,
    /// The case.
    pub case: Case,
}

/// Reads the cases of files and folders (all `.yaml` in them, in order of their names). A file
/// holds one case, or several divided by `---`.
///
/// # Errors
/// The first file that can't be read.
pub fn read(paths: &[PathBuf]) -> Result<Vec<CaseEntry>, CaseFileError> {
    let (found, unread) = read_all(paths);
    match unread.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// Reads cases, like [`read`], but goes on past files that can't be read; their errors come along.
#[must_use]
pub fn read_all(paths: &[PathBuf]) -> (Vec<CaseEntry>, Vec<CaseFileError>) {
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    for path in paths {
        if !path.is_dir() {
            let text = bounded::read_named(path, LARGEST).map_err(CaseFileError::from);
            match text.and_then(|text| cases_in(path, &text)) {
                Ok(cases) => found.extend(cases),
                Err(error) => unread.push(error),
            }
            continue;
        }
        let files = match bounded::files_below_named(path, BOUNDS, |_| true) {
            Ok(files) => files,
            Err(error) => {
                unread.push(error.into());
                continue;
            }
        };
        for FolderEntry { path, .. } in files {
            if path.extension().is_none_or(|end| end != "yaml") {
                continue;
            }
            let text = bounded::read_text(&path, LARGEST).map_err(CaseFileError::from);
            match text.and_then(|text| cases_in(&path, &text)) {
                Ok(cases) => found.extend(cases),
                Err(error) => unread.push(error),
            }
        }
    }
    (found, unread)
}

/// The cases of a file.
fn cases_in(path: &Path, text: &str) -> Result<Vec<CaseEntry>, CaseFileError> {
    let cases = yaml::documents(text).map_err(|source| CaseFileError::Yaml {
        path: path.to_owned(),
        source,
    })?;
    let found = |case| CaseEntry {
        path: path.to_owned(),
        case,
    };
    Ok(cases.into_iter().map(found).collect())
}

/// The rules with the seats of a case, where it names a roster.
fn seated(program: &Program, case: &Case) -> Result<Option<Program>, CaseError> {
    let Some(roster) = &case.roster else {
        return Ok(None);
    };
    let seating = Seating {
        roster: Some(roster.clone()),
        ..Seating::default()
    };
    program.seated(&seating).map(Some).map_err(CaseError)
}

/// Plays a case and returns the differences from its expectations: none if it passes.
///
/// # Errors
/// If the case can't be played as written.
pub fn judge(program: &Program, grammar: &Grammar, case: &Case) -> Result<Vec<String>, CaseError> {
    let seated = seated(program, case)?;
    let program = seated.as_ref().unwrap_or(program);
    let staged = program.staged(case.given.scenario.as_ref().unwrap_or(&case.scenario));
    let program = staged.as_ref().unwrap_or(program);
    let played = run::play(program, grammar, case)?;
    let mut found = compare::differences(program.game(), case, &played);
    found.extend(transcripts::differences(program, grammar, case, &played));
    Ok(found)
}
