//! The rules cited in the comment above a place.

use std::collections::BTreeSet;

use crate::game::ChecklistEntry;

/// The ids of a checklist and their beginnings (`9.3` of `9.3.d`).
pub(super) struct RuleIds(BTreeSet<String>);

impl RuleIds {
    pub fn of(checklist: &[ChecklistEntry]) -> Self {
        let mut ids = BTreeSet::new();
        for entry in checklist {
            let ends = entry.id.match_indices('.').map(|(at, _)| at).skip(1);
            for end in ends.chain([entry.id.len()]) {
                ids.extend(entry.id.get(..end).map(str::to_owned));
            }
        }
        Self(ids)
    }

    /// The ids in a text, in its order.
    fn in_text(&self, text: &str) -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '-' | '_'));
        let mut found = Vec::new();
        for word in words.map(|word| word.trim_matches('.')) {
            if self.0.contains(word) && !found.iter().any(|known| known == word) {
                found.push(word.to_owned());
            }
        }
        found
    }

    /// The ids in the nearest of some notes that has any: not below the line, together with the
    /// notes on the lines above it. Notes are lines with their texts, in the order of the file.
    pub fn near(&self, notes: &[(usize, &str)], line: usize) -> Vec<String> {
        let above = notes.partition_point(|(at, _)| *at <= line);
        let mut found = Vec::new();
        let mut last = None;
        for (at, text) in notes.get(..above).unwrap_or_default().iter().rev() {
            if last.is_some_and(|last| last > at + 1) {
                break;
            }
            let mut ids = self.in_text(text);
            if !ids.is_empty() || last.is_some() {
                last = Some(*at);
                ids.append(&mut found);
                found = ids;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> RuleIds {
        let entry = |id: &str| ChecklistEntry {
            id: id.to_owned(),
            chapter: 9,
            untestable: None,
        };
        RuleIds::of(&["9.3.a", "9.3.d", "7.chit.e", "1.a"].map(entry))
    }

    #[test]
    fn ids_and_their_beginnings_are_read() {
        let found = ids().in_text("9 Combat: see 9.3, (9.3.d to 9.3.a) and 7.chit.e; 4.4, 9.3.d");
        assert_eq!(found, ["9.3", "9.3.d", "9.3.a", "7.chit.e"]);
    }

    #[test]
    fn the_nearest_comment_counts_with_all_its_lines() {
        let notes = [
            (1, "// 1.a"),
            (4, "/// The first line (9.3.a"),
            (5, "/// and the second, 9.3.d)."),
            (8, "// no rule at all"),
            (20, "// 7.chit.e"),
        ];
        assert_eq!(ids().near(&notes, 9), ["9.3.a", "9.3.d"]);
        assert_eq!(ids().near(&notes, 3), ["1.a"]);
        assert_eq!(ids().near(&notes, 20), ["7.chit.e"]);
        assert!(ids().near(&[], 3).is_empty());
    }
}
