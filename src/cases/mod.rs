//! Rule cases: tests of rules as data, and which entries of a checklist they cover.
//!
//! Invariant: a case goes through the same reading, checks, phases and views as a campaign; only its dice come from a
//! list.

mod case;
mod compare;
mod coverage;
pub mod mutants;
mod position;
mod run;
mod said;

use std::{
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use thiserror::Error;

pub use case::Case;
pub use coverage::{Coverage, Covered, coverage};
pub use position::CaseError;

use crate::{orders::Grammar, rules::Program};

/// A file of cases that can't be read.
#[derive(Debug, Error)]
pub enum CaseFileError {
    /// The file or folder can't be read.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what a case file should be.
    #[error("{}: {source}", .path.display())]
    Yaml {
        /// The path.
        path: PathBuf,
        /// What, with line and column.
        source: serde_yaml::Error,
    },
}

/// A case with the file that it stands in.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file.
    pub path: PathBuf,
    /// The case.
    pub case: Case,
}

/// Reads the cases of files and folders (all `.yaml` in them, in order of their names). A file holds one case, or several
/// divided by `---`.
///
/// # Errors
/// At the first file that can't be read.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Found>, CaseFileError> {
    let mut found = Vec::new();
    for path in paths {
        for file in files(path)? {
            let text = std::fs::read_to_string(&file).map_err(|source| CaseFileError::Io {
                path: file.clone(),
                source,
            })?;
            for document in serde_yaml::Deserializer::from_str(&text) {
                let case = Case::deserialize(document).map_err(|source| CaseFileError::Yaml {
                    path: file.clone(),
                    source,
                })?;
                found.push(Found {
                    path: file.clone(),
                    case,
                });
            }
        }
    }
    Ok(found)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, CaseFileError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let list = |source| CaseFileError::Io {
        path: path.to_owned(),
        source,
    };
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
        .map_err(list)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()
        .map_err(list)?;
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        if entry.is_dir()
            || entry
                .extension()
                .is_some_and(|extension| extension == "yaml")
        {
            found.extend(files(&entry)?);
        }
    }
    Ok(found)
}

/// Plays a case and says what differs from what must come of it: nothing if it passes.
///
/// # Errors
/// If the case can't be played as written.
pub fn judge(program: &Program, grammar: &Grammar, case: &Case) -> Result<Vec<String>, CaseError> {
    let played = run::play(program, grammar, case)?;
    let mut found = compare::differences(program.game(), case, &played);
    found.extend(said::differences(program.game(), grammar, case, &played));
    Ok(found)
}
