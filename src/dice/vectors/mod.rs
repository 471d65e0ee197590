//! Runs test vectors of Sealed Dice 1: any file of the form of `dice-vectors.json` or
//! `letter-vectors.json` (docs/dice.md, section 13).
//!
//! Sections and most fields may be missing. What can't be read counts as a failure of its own and
//! does not stop the rest.

mod campaigns;
mod letters;
mod primitives;
mod statistics;

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::DiceError;

/// How many failures are described in words.
const MOST_FAILURES: usize = 20;

/// The result of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VectorReport {
    /// Checks that passed.
    pub passed: u64,
    /// Checks that failed.
    pub failed: u64,
    /// The first failures: where, expected, found.
    pub failures: Vec<String>,
    /// Checks left out, each with its reason.
    pub skipped: Vec<String>,
}

impl VectorReport {
    fn compare<T: PartialEq + fmt::Debug + ?Sized>(
        &mut self,
        place: impl fmt::Display,
        expected: &T,
        found: &T,
    ) {
        if expected == found {
            self.passed += 1;
        } else {
            self.fail(format_args!(
                "{place}: expected {expected:?}, found {found:?}"
            ));
        }
    }

    /// Compares where the vector has the value.
    fn compare_some<T: PartialEq + fmt::Debug>(
        &mut self,
        place: impl fmt::Display,
        expected: Option<&T>,
        found: &T,
    ) {
        if let Some(expected) = expected {
            self.compare(place, expected, found);
        }
    }

    fn fail(&mut self, failure: impl fmt::Display) {
        self.failed += 1;
        if self.failures.len() < MOST_FAILURES {
            self.failures.push(failure.to_string());
        }
    }

    fn skip(&mut self, what: impl fmt::Display) {
        self.skipped.push(what.to_string());
    }

    /// The value of a step, or a failure in its place.
    fn made<T>(&mut self, place: impl fmt::Display, step: Result<T, DiceError>) -> Option<T> {
        step.map_err(|error| self.fail(format_args!("{place}: {error}")))
            .ok()
    }
}

impl fmt::Display for VectorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} checks passed, {} failed, {} left out",
            self.passed,
            self.failed,
            self.skipped.len()
        )?;
        self.failures
            .iter()
            .try_for_each(|failure| writeln!(f, "FAILED {failure}"))?;
        self.skipped
            .iter()
            .try_for_each(|skipped| writeln!(f, "left out: {skipped}"))
    }
}

/// Runs all vectors of a file.
///
/// # Errors
/// When the text is no JSON object. Vectors that fail are no error: see [`VectorReport::failed`].
pub fn run_vectors(json: &str) -> Result<VectorReport, DiceError> {
    let sections: Map<String, Value> =
        serde_json::from_str(json).map_err(|error| DiceError::Vectors(error.to_string()))?;
    let mut report = VectorReport::default();
    for (name, section) in &sections {
        match name.as_str() {
            "about" | "crates_checked" => {}
            "chacha20" => each(name, section, &mut report, primitives::cipher),
            "uniform" => each(name, section, &mut report, primitives::uniform),
            "canonical_orders" => each(name, section, &mut report, primitives::canonical),
            "drand" => one(name, section, &mut report, primitives::drand),
            "campaigns" => each(name, section, &mut report, campaigns::campaign),
            "receipts" => {
                let masters = campaigns::masters(sections.get("campaigns"));
                each(name, section, &mut report, |place, receipt, report| {
                    campaigns::receipt(place, receipt, &masters, report);
                });
            }
            "sheets" => each(name, section, &mut report, letters::sheet),
            "letter_lists" => each(name, section, &mut report, letters::list),
            "statistics" => one(name, section, &mut report, statistics::statistics),
            _ => report.skip(format_args!("section `{name}`: its name is not known")),
        }
    }
    Ok(report)
}

/// Runs a section that is one vector.
fn one<T: DeserializeOwned>(
    place: &str,
    vector: &Value,
    report: &mut VectorReport,
    run: impl FnOnce(&str, T, &mut VectorReport),
) {
    match T::deserialize(vector) {
        Ok(vector) => run(place, vector, report),
        Err(error) => report.fail(format_args!("{place}: can't be read: {error}")),
    }
}

/// Runs a section that is a list of vectors.
fn each<T: DeserializeOwned>(
    place: &str,
    section: &Value,
    report: &mut VectorReport,
    mut run: impl FnMut(&str, T, &mut VectorReport),
) {
    let Some(vectors) = section.as_array() else {
        return report.fail(format_args!("{place}: is no list"));
    };
    for (i, vector) in vectors.iter().enumerate() {
        one(&format!("{place}[{i}]"), vector, report, &mut run);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn unreadable_and_wrong_vectors_are_told() {
        assert!(run_vectors("[]").is_err());
        assert_eq!(run_vectors("{}").unwrap(), VectorReport::default());

        let report = run_vectors(
            r#"{"uniform": [{"n": 6, "words": [4294967292, 7], "result": 1, "words_used": 2},
                            {"n": 6, "words": [4294967292, 7], "result": 2, "words_used": 2},
                            {"n": 6, "words": [4294967292], "result": 2},
                            {"n": "six"}],
                "drand": 5, "poems": []}"#,
        )
        .unwrap();
        assert_eq!((report.passed, report.failed), (3, 4), "{report}");
        assert_eq!(report.skipped, ["section `poems`: its name is not known"]);
        assert!(
            report.failures[0].starts_with("uniform[1] result: expected 2, found 1"),
            "{report}"
        );
    }
}
