//! The vectors of Sealed Dice 1: everything but the beacon's signatures must pass.
#![allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic

use estafette::dice::run_vectors;

const VECTORS: &str = include_str!("data/dice-vectors.json");

#[test]
fn every_vector_passes() {
    let report = run_vectors(VECTORS).unwrap();
    assert_eq!(report.failed, 0, "{report}");
    assert!(report.passed >= 953, "{report}");
}
