//! The exact counts of many rolls: no test of chance, the numbers are fixed (dice.md, sections 13
//! and 14).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::VectorReport;
use crate::dice::{error::DiceError, hash::Key, keys::EnvelopeKey, random::throw, spec::Spec};

const DICE_A_ROLL: u32 = Spec::MOST_DICE;

#[derive(Deserialize)]
pub(super) struct Statistics {
    envelope_key: String,
    faces: Option<[u64; 6]>,
    chi_square_faces_5df: Option<f64>,
    pairs: Option<[[u64; 6]; 6]>,
    sums_2d6: Option<[u64; 11]>,
    runs: Option<u64>,
    serial_correlation_lag1: Option<f64>,
    first_die_of_each_roll: Option<[u64; 6]>,
    permutations: Option<BTreeMap<String, u64>>,
    chi_square_permutations_23df: Option<f64>,
}

pub(super) fn statistics(place: &str, vector: Statistics, report: &mut VectorReport) {
    let Some(key) = report
        .made(place, Key::from_hex(&vector.envelope_key))
        .map(EnvelopeKey::new)
    else {
        return;
    };
    // The number of rolls follows from the counts that the vectors give.
    let rolls = vector
        .faces
        .map_or(300, |faces| {
            faces.iter().sum::<u64>() / u64::from(DICE_A_ROLL)
        })
        .min(10_000);
    let Some(dice) = report.made(
        place,
        thrown(&key, "stat", rolls, &format!("{DICE_A_ROLL}d6")),
    ) else {
        return;
    };
    let all: Vec<u32> = dice.concat();
    let found = faces(all.iter());
    let pairs = pairs(&all);
    report.compare_some(format_args!("{place} faces"), vector.faces.as_ref(), &found);
    compare_close(
        format!("{place} chi-square of faces"),
        vector.chi_square_faces_5df,
        chi_square(&found),
        report,
    );
    report.compare_some(format_args!("{place} pairs"), vector.pairs.as_ref(), &pairs);
    report.compare_some(
        format_args!("{place} sums"),
        vector.sums_2d6.as_ref(),
        &sums(&pairs),
    );
    report.compare_some(
        format_args!("{place} runs"),
        vector.runs.as_ref(),
        &runs(&all),
    );
    let correlation = serial_correlation(&all);
    compare_close(
        format!("{place} serial correlation"),
        vector.serial_correlation_lag1,
        correlation,
        report,
    );
    let first = faces(dice.iter().filter_map(|roll| roll.first()));
    report.compare_some(
        format_args!("{place} first dice"),
        vector.first_die_of_each_roll.as_ref(),
        &first,
    );
    if let Some(expected) = vector.permutations {
        check_permutations(
            place,
            &key,
            &expected,
            vector.chi_square_permutations_23df,
            report,
        );
    }
}

fn check_permutations(
    place: &str,
    key: &EnvelopeKey,
    expected: &BTreeMap<String, u64>,
    chi: Option<f64>,
    report: &mut VectorReport,
) {
    let rolls = expected.values().sum::<u64>().min(100_000);
    let Some(orders) = report.made(place, thrown(key, "perm", rolls, "shuffle4")) else {
        return;
    };
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for order in orders {
        *found
            .entry(order.iter().map(u32::to_string).collect())
            .or_default() += 1;
    }
    let counts: Vec<u64> = found.values().copied().collect();
    report.compare(format_args!("{place} permutations"), expected, &found);
    compare_close(
        format!("{place} chi-square of permutations"),
        chi,
        chi_square(&counts),
        report,
    );
}

/// The results of the rolls `<label>#1`, `<label>#2` ...
fn thrown(
    key: &EnvelopeKey,
    label: &str,
    rolls: u64,
    spec: &str,
) -> Result<Vec<Vec<u32>>, DiceError> {
    let (label, spec): (_, Spec) = (label.parse()?, spec.parse()?);
    let repeats = 1..=u32::try_from(rolls).unwrap_or(u32::MAX);
    Ok(repeats
        .map(|k| throw(&spec, &mut key.roll_key(&label, k).words()))
        .collect())
}

fn faces<'d>(dice: impl Iterator<Item = &'d u32>) -> [u64; 6] {
    let mut counts = [0; 6];
    for die in dice {
        if let Some(count) = counts.get_mut((*die as usize).wrapping_sub(1)) {
            *count += 1;
        }
    }
    counts
}

/// How often each second die followed each first: dice 1 and 2, 3 and 4, and so on.
fn pairs(dice: &[u32]) -> [[u64; 6]; 6] {
    let (pairs, _) = dice.as_chunks::<2>();
    std::array::from_fn(|first| {
        faces(
            pairs
                .iter()
                .filter(|pair| pair[0] as usize == first + 1)
                .map(|[_, second]| second),
        )
    })
}

fn sums(pairs: &[[u64; 6]; 6]) -> [u64; 11] {
    let mut counts = [0; 11];
    for (first, row) in pairs.iter().enumerate() {
        for (second, count) in row.iter().enumerate() {
            counts[first + second] += count;
        }
    }
    counts
}

/// Changes between low (1 to 3) and high (4 to 6), plus 1.
fn runs(dice: &[u32]) -> u64 {
    1 + dice
        .windows(2)
        .filter(|pair| (pair[0] <= 3) != (pair[1] <= 3))
        .count() as u64
}

/// The correlation of each die with the next, with the mean (3.5) and the variance (35/12) of a
/// fair die.
fn serial_correlation(dice: &[u32]) -> f64 {
    let values: Vec<f64> = dice.iter().map(|die| f64::from(*die) - 3.5).collect();
    let together: f64 = values.windows(2).map(|pair| pair[0] * pair[1]).sum();
    together / (values.len().saturating_sub(1).max(1) as f64 * 35.0 / 12.0)
}

/// Chi-square of counts that should be equal.
fn chi_square(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    counts
        .iter()
        .map(|count| (*count as f64 - expected).powi(2) / expected)
        .sum()
}

/// Compares figures that the vectors give with six to nine digits.
fn compare_close(place: String, expected: Option<f64>, found: f64, report: &mut VectorReport) {
    let Some(expected) = expected else { return };
    if (expected - found).abs() <= 1e-9 + 1e-6 * expected.abs() {
        report.passed += 1;
    } else {
        report.fail(format_args!("{place}: expected {expected}, found {found}"));
    }
}
