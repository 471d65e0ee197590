//! Statistics of a campaign's dice, for people who wonder (dice.md, section 14). They prove
//! nothing: the keys do.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::dice::LedgerLine;

/// A count says something when each number should have come at least this often.
const LEAST_EXPECTED: f64 = 5.0;

/// The results of one kind, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Count {
    /// `d6`, or `sum of 2d6`.
    pub what: String,
    /// The number of dice or sums.
    pub thrown: u64,
    /// The results from the lowest, each with how often it came.
    pub results: Vec<(u32, u64)>,
    /// The share of fair campaigns that are at least as uneven (chi-square). None if there are too
    /// few to say.
    pub p: Option<f64>,
}

impl Count {
    /// The count with the chances of its results, which sum up to 1.
    fn new(what: String, results: Vec<(u32, u64)>, chances: &[f64]) -> Self {
        let counts: Vec<u64> = results.iter().map(|(_, count)| *count).collect();
        let thrown = counts.iter().sum();
        let expected: Vec<f64> = chances
            .iter()
            .map(|chance| chance * thrown as f64)
            .collect();
        let enough = expected.iter().all(|expected| *expected >= LEAST_EXPECTED);
        let p = if enough {
            chi_square_p(&counts, &expected)
        } else {
            None
        };
        Self {
            what,
            thrown,
            results,
            p,
        }
    }

    /// The test's result as a plain sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Some(p) = self.p else {
            return "too few to say anything".to_owned();
        };
        match (p * 100.0).round() as u32 {
            0 => format!("fewer than 1 of 100 fair campaigns are as uneven (p = {p:.1e})"),
            100 => "more even than nearly all fair campaigns".to_owned(),
            share => format!("as uneven as {share} of 100 fair campaigns"),
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let results: Vec<String> = self
            .results
            .iter()
            .map(|(result, count)| format!("{result}: {count}"))
            .collect();
        write!(
            f,
            "{} ({} thrown): {}; {}",
            self.what,
            self.thrown,
            results.join(", "),
            self.sentence()
        )
    }
}

/// The chance that fair dice are at least as uneven as these counts.
#[must_use]
pub fn chi_square_p(counts: &[u64], expected: &[f64]) -> Option<f64> {
    let freedom = counts.len().checked_sub(1)? as f64;
    let square = |(count, expected): (&u64, &f64)| (*count as f64 - expected).powi(2) / expected;
    let statistic: f64 = counts.iter().zip(expected).map(square).sum();
    ChiSquared::new(freedom)
        .ok()
        .map(|distribution| distribution.sf(statistic))
}

/// Faces of all dice by their kind, and sums of all rolls of 2d6. Draws and shuffles are not
/// counted.
#[must_use]
pub fn count<'l>(lines: impl IntoIterator<Item = &'l LedgerLine>) -> Vec<Count> {
    let mut faces: std::collections::BTreeMap<u32, Vec<u64>> = std::collections::BTreeMap::new();
    let mut sums = [0_u64; 11];
    for line in lines {
        let Some((dice, kind)) = dice(line) else {
            continue;
        };
        let counts = faces.entry(kind).or_insert_with(|| vec![0; kind as usize]);
        for die in &line.result {
            if let Some(count) = (*die as usize)
                .checked_sub(1)
                .and_then(|place| counts.get_mut(place))
            {
                *count += 1;
            }
        }
        let sum = line.result.iter().sum::<u32>() as usize;
        if let (2, 6, Some(count)) = (
            dice,
            kind,
            sum.checked_sub(2).and_then(|place| sums.get_mut(place)),
        ) {
            *count += 1;
        }
    }
    let mut counts: Vec<Count> = faces
        .into_iter()
        .map(|(kind, counts)| {
            let even = vec![1.0 / f64::from(kind); counts.len()];
            Count::new(format!("d{kind}"), (1..).zip(counts).collect(), &even)
        })
        .collect();
    if sums.iter().any(|count| *count > 0) {
        let chances: Vec<f64> = (2..=12_i32)
            .map(|sum| f64::from(6 - (sum - 7).abs()) / 36.0)
            .collect();
        counts.push(Count::new(
            "sum of 2d6".to_owned(),
            (2..).zip(sums).collect(),
            &chances,
        ));
    }
    counts
}

/// Number and faces of the dice of a roll; none for draws, and for dice with more faces than a
/// table shows.
fn dice(line: &LedgerLine) -> Option<(u32, u32)> {
    let (count, faces) = line.spec.as_dice()?;
    (2..=100).contains(&faces).then_some((count, faces))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn line(text: &str) -> LedgerLine {
        text.parse().unwrap()
    }

    #[test]
    fn faces_and_sums_are_counted() {
        let lines = [
            line("roll 1 open a#1 2d6 = 3 4"),
            line("roll 1 open a#2 1d6 = 3"),
            line("roll 1 open c#1 draw2/6 = 1 6"),
        ];
        let counts = count(&lines);
        assert_eq!(counts.len(), 2);
        assert_eq!(
            counts[0].results,
            [(1, 0), (2, 0), (3, 2), (4, 1), (5, 0), (6, 0)]
        );
        assert_eq!(
            (counts[1].what.as_str(), counts[1].results[5]),
            ("sum of 2d6", (7, 1))
        );
        assert_eq!(counts[0].p, None);
    }

    #[test]
    fn the_share_of_fair_campaigns_is_that_of_the_tables() {
        // 11.0705 is the 5 % point of chi-square with 5 degrees of freedom.
        let p = chi_square_p(&[100, 100, 100, 100, 100, 100], &[100.0; 6]).unwrap();
        assert!((p - 1.0).abs() < 1e-12);
        let p = chi_square_p(&[0, 11, 11, 11, 11, 11], &[55.0 / 6.0; 6]).unwrap();
        assert!((p - 0.051_38).abs() < 1e-3, "{p}");
        let uneven = Count::new("d2".to_owned(), vec![(1, 500), (2, 0)], &[0.5, 0.5]);
        assert!(uneven.sentence().starts_with("fewer than 1"), "{uneven}");
    }
}
