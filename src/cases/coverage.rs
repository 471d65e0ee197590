//! The entries of a game's checklist that have cases.

use std::collections::BTreeMap;

use serde::Serialize;

use super::CaseEntry;
use crate::game::ChecklistEntry;

/// The coverage of a checklist.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    /// Each entry with the cases that cite it, in the order of the list.
    pub entries: Vec<CoverageEntry>,
    /// Ids that cases cite and the checklist does not have, with the case.
    pub unknown: Vec<(String, String)>,
}

/// One entry of a checklist.
#[derive(Clone, Debug, Serialize)]
pub struct CoverageEntry {
    /// Its id.
    pub id: String,
    /// Its chapter.
    pub chapter: u32,
    /// Why no case can cover it, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
    /// The cases that cite it.
    pub cases: Vec<String>,
}

impl CoverageEntry {
    /// Returns true if a case is missing.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        self.cases.is_empty() && self.untestable.is_none()
    }
}

/// Compares a checklist with the cases of its game.
#[must_use]
pub fn coverage(checklist: &[ChecklistEntry], game: &str, cases: &[CaseEntry]) -> Coverage {
    let mut by_rule: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for found in cases.iter().filter(|found| found.case.game == game) {
        for rule in &found.case.rules {
            by_rule
                .entry(rule)
                .or_default()
                .push(found.case.case.clone());
        }
    }
    let entries = checklist
        .iter()
        .map(|entry| CoverageEntry {
            id: entry.id.clone(),
            chapter: entry.chapter,
            untestable: entry.untestable.clone(),
            cases: by_rule.remove(entry.id.as_str()).unwrap_or_default(),
        })
        .collect();
    let unknown = by_rule
        .into_iter()
        .flat_map(|(id, cases)| cases.into_iter().map(move |case| (id.to_owned(), case)))
        .collect();
    Coverage { entries, unknown }
}
