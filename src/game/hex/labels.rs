//! How hexes are labelled: `CCRR` is two digits of column, two of row; `C.RR`, `RRCC` and the like
//! work too.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest label without its prefix: more digits than any map has columns and rows.
const LONGEST: usize = 16;

/// A part of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelPart {
    Column(usize),
    Row(usize),
    Mark(char),
}

/// A way to label hexes: a run of `C` (column), a run of `R` (row), each as wide as its number, and
/// marks between.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Labels {
    parts: Vec<LabelPart>,
}

impl TryFrom<String> for Labels {
    type Error = String;

    fn try_from(pattern: String) -> Result<Self, String> {
        if pattern.len() > LONGEST {
            return Err(format!("labels have at most {LONGEST} letters"));
        }
        let mut parts = Vec::new();
        for letter in pattern.chars() {
            match (letter, parts.last_mut()) {
                ('C', Some(LabelPart::Column(width))) | ('R', Some(LabelPart::Row(width))) => {
                    *width += 1
                }
                ('C', _) => parts.push(LabelPart::Column(1)),
                ('R', _) => parts.push(LabelPart::Row(1)),
                ('.' | '/' | '_', _) => parts.push(LabelPart::Mark(letter)),
                _ => {
                    return Err(format!(
                        "labels have C for a digit of the column, R for one of the row and `.`, `/` or `_` between, not `{letter}`"
                    ));
                }
            }
        }
        let columns = parts
            .iter()
            .filter(|part| matches!(part, LabelPart::Column(_)));
        let rows = parts
            .iter()
            .filter(|part| matches!(part, LabelPart::Row(_)));
        if (columns.count(), rows.count()) != (1, 1) {
            return Err("labels have one run of C and one of R, as in CCRR".to_owned());
        }
        Ok(Self { parts })
    }
}

impl From<Labels> for String {
    fn from(labels: Labels) -> Self {
        let parts = labels.parts.iter().map(|part| match part {
            LabelPart::Column(width) => "C".repeat(*width),
            LabelPart::Row(width) => "R".repeat(*width),
            LabelPart::Mark(mark) => mark.to_string(),
        });
        parts.collect()
    }
}

impl Labels {
    /// Returns true if the column stands before the row: ascending labels then go down a column.
    pub(super) fn columns_first(&self) -> bool {
        let first = self
            .parts
            .iter()
            .find(|part| !matches!(part, LabelPart::Mark(_)));
        matches!(first, Some(LabelPart::Column(_)))
    }

    /// The largest column and row that fit.
    pub(super) fn most(&self) -> (usize, usize) {
        let largest = |width: usize| {
            10_usize
                .saturating_pow(width.try_into().unwrap_or(u32::MAX))
                .saturating_sub(1)
        };
        let mut most = (0, 0);
        for part in &self.parts {
            match part {
                LabelPart::Column(width) => most.0 = largest(*width),
                LabelPart::Row(width) => most.1 = largest(*width),
                LabelPart::Mark(_) => {}
            }
        }
        most
    }

    /// Column and row of a label, counted from 1.
    pub(super) fn read(&self, prefix: &str, label: &str) -> Option<(usize, usize)> {
        let start = label.get(..prefix.len())?;
        if !start.eq_ignore_ascii_case(prefix) {
            return None;
        }
        let mut rest = label.get(prefix.len()..)?;
        let (mut column, mut row) = (0, 0);
        for part in &self.parts {
            match part {
                LabelPart::Column(width) => column = digits(&mut rest, *width)?,
                LabelPart::Row(width) => row = digits(&mut rest, *width)?,
                LabelPart::Mark(mark) => rest = rest.strip_prefix(*mark)?,
            }
        }
        rest.is_empty().then_some((column, row))
    }

    /// What labels say of a column, and of a row, counted from 1.
    pub(super) fn parts_of(&self, [column, row]: [usize; 2]) -> [String; 2] {
        let mut said = [String::new(), String::new()];
        for part in &self.parts {
            match part {
                LabelPart::Column(width) => said[0] = format!("{column:0width$}"),
                LabelPart::Row(width) => said[1] = format!("{row:0width$}"),
                LabelPart::Mark(_) => {}
            }
        }
        said
    }

    /// The label of a column and a row, counted from 1.
    pub(super) fn write(&self, prefix: &str, column: usize, row: usize) -> String {
        let mut label = prefix.to_owned();
        for part in &self.parts {
            match part {
                LabelPart::Column(width) => label.push_str(&format!("{column:0width$}")),
                LabelPart::Row(width) => label.push_str(&format!("{row:0width$}")),
                LabelPart::Mark(mark) => label.push(*mark),
            }
        }
        label
    }
}

/// A number of this many digits at the beginning of a text, which is cut off there.
fn digits(text: &mut &str, width: usize) -> Option<usize> {
    let (number, rest) = text.split_at_checked(width)?;
    *text = rest;
    let all = number.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may panic")]

    use super::*;

    fn labels(pattern: &str) -> Labels {
        pattern.to_owned().try_into().unwrap()
    }

    #[test]
    fn labels_are_read_as_they_are_written() {
        for (pattern, prefix, label, place) in [
            ("CCRR", "", "0548", (5, 48)),
            ("CCRR", "M", "M2403", (24, 3)),
            ("RRCC", "", "0548", (48, 5)),
            ("CC.RRR", "", "07.112", (7, 112)),
        ] {
            let scheme = labels(pattern);
            assert_eq!(scheme.read(prefix, label), Some(place), "{pattern}");
            assert_eq!(scheme.write(prefix, place.0, place.1), label);
            let [column, row] = scheme.parts_of([place.0, place.1]);
            assert!(
                label.contains(&column) && label.contains(&row),
                "{column} {row}"
            );
        }
        assert_eq!(labels("CCRR").read("M", "m2403"), Some((24, 3)));
    }

    #[test]
    fn what_is_no_label_is_none() {
        for wrong in ["", "054", "05488", "M0548", "05-8", "é548", "+548"] {
            assert_eq!(labels("CCRR").read("", wrong), None, "{wrong}");
        }
        assert_eq!(labels("CCRR").read("M", "0548"), None);
    }

    #[test]
    fn a_scheme_has_one_column_and_one_row() {
        for wrong in ["", "CC", "CRC", "CXR", "CC RR"] {
            assert!(Labels::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
        // Each of a map's hexes has a label: as long as somebody likes, they would fill any memory.
        let long = "C".repeat(9_000) + "R";
        assert!(Labels::try_from(long).is_err());
        assert_eq!(String::from(labels("CC.RR")), "CC.RR");
        assert_eq!(labels("CRR").most(), (9, 99));
    }
}
