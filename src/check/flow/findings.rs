//! Findings as problems with files and lines.

use std::collections::BTreeSet;

use rhai::Position;

use super::Flow;
use crate::{check::at, game::Problem};

impl Flow<'_> {
    /// The problems found while scripts were followed.
    pub fn findings(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for ((line, column), found) in &self.report.found {
            for one in found {
                let problem = self.problem_at(*line, *column, one.message.clone());
                problems.push(Problem {
                    hint: one.hint.clone(),
                    severity: one.severity,
                    ..problem
                });
            }
        }
        // What seems impossible may still happen as long as not all ways have been seen.
        let compared = self.report.compared.iter().filter(|_| self.is_settled());
        for (((line, column), _), found) in compared {
            if let Some(one) = found {
                let problem = self.problem_at(*line, *column, one.message.clone());
                problems.push(Problem {
                    hint: one.hint.clone(),
                    severity: one.severity,
                    ..problem
                });
            }
        }
        if self.is_settled() {
            for ((line, column), word, near) in self.slips() {
                let message = format!("nothing that this is compared with is ever `{word}`");
                let problem = self.problem_at(line, column, message);
                problems.push(problem.hint(format!("did you mean `{near}`?")).warning());
            }
        }
        problems.sort();
        problems
    }

    /// A problem at a place of the scripts.
    pub fn problem(&self, position: Position, message: String) -> Problem {
        at(&self.program.place(position), message)
    }

    /// Like `problem`, by line and column.
    pub fn problem_at(&self, line: usize, column: usize, message: String) -> Problem {
        let small = |number: usize| u16::try_from(number).unwrap_or(0);
        let position = match line {
            0 => Position::NONE,
            _ => Position::new(small(line), small(column)),
        };
        self.problem(position, message)
    }

    /// Returns true if a function, or one that it calls, may end the campaign.
    pub fn may_end(&self, function: usize) -> bool {
        let reached = self.report.reach(function);
        reached
            .keys()
            .any(|function| self.report.endings.contains(function))
    }

    /// The labels of all forms of orders.
    pub fn labels(&self) -> BTreeSet<&str> {
        self.answers.labels()
    }

    /// Returns true if some script has a word as a text.
    pub fn writes_word(&self, word: &str) -> bool {
        let quoted = [format!("\"{word}\""), format!("`{word}`")];
        quoted
            .iter()
            .any(|quoted| self.program.text().contains(quoted))
    }
}
