//! Statistics of many dice (dice.md, section 14). The vectors prove the code; these guard the
//! mapping from words to dice and the independence of labels, envelopes and lanes. The master is
//! fixed: the tests pass for ever or fail for ever.
use std::{collections::BTreeMap, sync::LazyLock};

use estafette::{
    audit::statistics::chi_square_p,
    dice::{Chain, EnvelopeKey, Master, Mix, Spec, envelope_key, run_vectors, throw},
};

/// No fair die is so uneven, or so even, more often than once in a million.
const EXTREME: f64 = 1e-6;
/// The same for a figure that is distributed normally.
const FARTHEST: f64 = 4.9;

/// The key of an envelope in a lane of a campaign whose master is fixed.
fn key(lane: &str, envelope: u32) -> EnvelopeKey {
    let campaign = "statistics".parse().unwrap();
    let chain = Chain::of_master(
        &Master::simulated("statistics", &campaign),
        &campaign,
        lane,
        3,
    );
    let mix = Mix::new(&campaign, envelope, &[], &[], &[]).unwrap();
    envelope_key(chain.key(envelope).unwrap(), &mix)
}

static OPEN: LazyLock<EnvelopeKey> = LazyLock::new(|| key("open", 1));

/// The results of the rolls `<label>#1` to `<label>#<rolls>`.
fn rolls(label: &str, rolls: u32, spec: &str) -> impl Iterator<Item = Vec<u32>> + use<> {
    let (label, spec): (_, Spec) = (label.parse().unwrap(), spec.parse().unwrap());
    (1..=rolls).map(move |k| throw(&spec, &mut OPEN.roll_key(&label, k).words()))
}

/// 300 000 d6 in rolls of 1000.
static D6: LazyLock<Vec<u32>> = LazyLock::new(|| rolls("d6", 300, "1000d6").flatten().collect());

/// The first die of the roll `<label>#<k>`.
fn die(key: &EnvelopeKey, label: &str, k: u32) -> u32 {
    let d6 = Spec::dice(1, 6).unwrap();
    throw(&d6, &mut key.roll_key(&label.parse().unwrap(), k).words())[0]
}

/// How often each of the numbers 1 to `highest` comes.
fn counts(numbers: impl IntoIterator<Item = u32>, highest: usize) -> Vec<u64> {
    let mut counts = vec![0; highest];
    for number in numbers {
        counts[number as usize - 1] += 1;
    }
    counts
}

/// Chi-square of the counts against these chances is neither too large nor too small.
#[track_caller]
fn assert_fair(counts: &[u64], chances: &[f64]) {
    let thrown: u64 = counts.iter().sum();
    let expected: Vec<f64> = chances
        .iter()
        .map(|chance| chance * thrown as f64)
        .collect();
    let p = chi_square_p(counts, &expected).unwrap();
    assert!(
        (EXTREME..=1.0 - EXTREME).contains(&p),
        "p = {p:e} for {counts:?}"
    );
}

#[track_caller]
fn assert_even(counts: &[u64]) {
    assert_fair(counts, &vec![1.0 / counts.len() as f64; counts.len()]);
}

/// The 36 cells of two dice.
fn cells(pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<u64> {
    counts(
        pairs
            .into_iter()
            .map(|(first, second)| 6 * (first - 1) + second),
        36,
    )
}

#[test]
fn exact_counts_of_the_vectors() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../data/dice-vectors.json")).unwrap();
    let statistics = serde_json::json!({ "statistics": vectors["statistics"] });
    let report = run_vectors(&statistics.to_string()).unwrap();
    assert!(report.failed == 0 && report.passed >= 5, "{report}");
}

#[test]
fn faces() {
    for faces in [3_u32, 6, 10, 20, 100] {
        let dice = rolls("faces", 100 * faces, &format!("1000d{faces}")).flatten();
        assert_even(&counts(dice, faces as usize));
    }
}

#[test]
fn first_die_of_many_labels() {
    let repeats = (1..=60_000).map(|k| die(&OPEN, "s/", k));
    assert_even(&counts(repeats, 6));
    let labels = (1..=60_000).map(|number| die(&OPEN, &format!("s/a{number}"), 1));
    assert_even(&counts(labels, 6));
}

#[test]
fn neighbours() {
    let (pairs, _) = D6.as_chunks::<2>();
    assert_even(&cells(pairs.iter().map(|pair| (pair[0], pair[1]))));
}

#[test]
fn serial_correlation() {
    let deviations: Vec<f64> = D6.iter().map(|die| f64::from(*die) - 3.5).collect();
    for lag in 1..=5 {
        let pairs = deviations.iter().zip(&deviations[lag..]);
        let n = (deviations.len() - lag) as f64;
        let r = pairs.map(|(first, second)| first * second).sum::<f64>() / (n * 35.0 / 12.0);
        let z = r * n.sqrt();
        assert!(z.abs() < FARTHEST, "lag {lag}: {z}");
    }
}

#[test]
fn runs_above_and_below_the_middle() {
    let high: Vec<bool> = D6.iter().map(|die| *die > 3).collect();
    let runs = 1 + high.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // Wald and Wolfowitz.
    let n = high.len() as f64;
    let above = high.iter().filter(|high| **high).count() as f64;
    let product = 2.0 * above * (n - above);
    let mean = product / n + 1.0;
    let variance = product * (product - n) / (n * n * (n - 1.0));
    let z = (runs as f64 - mean) / variance.sqrt();
    assert!(z.abs() < FARTHEST, "{z}");
}

#[test]
fn sums_of_two_dice() {
    let (pairs, _) = D6.as_chunks::<2>();
    let sums = counts(pairs.iter().map(|pair| pair[0] + pair[1] - 1), 11);
    let chances: Vec<f64> = (2..=12_i32)
        .map(|sum| f64::from(6 - (sum - 7).abs()) / 36.0)
        .collect();
    assert_fair(&sums, &chances);
}

/// How often each list comes; all `kinds` of them do.
#[track_caller]
fn assert_lists_even(lists: impl Iterator<Item = Vec<u32>>, kinds: usize) {
    let mut found: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for list in lists {
        *found.entry(list).or_default() += 1;
    }
    assert_eq!(found.len(), kinds);
    assert_even(&found.into_values().collect::<Vec<_>>());
}

#[test]
fn shuffles() {
    assert_lists_even(rolls("shuffle", 2400, "shuffle4"), 24);
    let place = |order: Vec<u32>| 1 + order.iter().position(|card| *card == 1).unwrap() as u32;
    assert_even(&counts(rolls("cards", 52_000, "shuffle52").map(place), 52));
}

#[test]
fn draws() {
    let draws: Vec<Vec<u32>> = rolls("draw", 126_000, "draw5/9").collect();
    let sets = draws.iter().map(|draw| {
        let mut set = draw.clone();
        set.sort_unstable();
        set
    });
    assert_lists_even(sets, 126);
    // The rank of each number within its draw.
    let orders = draws.iter().map(|draw| {
        let rank = |number: &u32| draw.iter().filter(|other| *other <= number).count() as u32;
        draw.iter().map(rank).collect()
    });
    assert_lists_even(orders, 120);
}

#[test]
fn lanes_envelopes_and_labels_are_independent() {
    let (shut, later) = (key("shut", 1), key("open", 2));
    let labels = |number: u32| format!("i/{number}");
    let lanes = (1..=60_000).map(|i| (die(&OPEN, &labels(i), 1), die(&shut, &labels(i), 1)));
    assert_even(&cells(lanes));
    let envelopes = (1..=60_000).map(|i| (die(&OPEN, &labels(i), 1), die(&later, &labels(i), 1)));
    assert_even(&cells(envelopes));
    let repeats = (1..=60_000).map(|i| (die(&OPEN, &labels(i), 1), die(&OPEN, &labels(i), 2)));
    assert_even(&cells(repeats));
}

#[test]
fn rejection() {
    let huge = Spec::dice(1000, 3_000_000_000).unwrap();
    let words: u64 = (1..=10)
        .map(|k| {
            let mut words = OPEN.roll_key(&"rejection".parse().unwrap(), k).words();
            assert_eq!(throw(&huge, &mut words).len(), 1000);
            words.used()
        })
        .sum();
    let for_each = words as f64 / 10_000.0;
    assert!((for_each - 1.4317).abs() < 0.04, "{for_each}");
}
