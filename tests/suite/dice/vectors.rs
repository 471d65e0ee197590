//! The vectors of Sealed Dice 1: all of them pass, the beacon's four real rounds too.
use estafette::dice::run_vectors;

const VECTORS: &str = include_str!("../../data/dice-vectors.json");

#[test]
fn every_vector_passes() {
    let report = run_vectors(VECTORS).unwrap();
    assert_eq!(report.failed, 0, "{report}");
    assert!(report.passed >= 953, "{report}");
    if cfg!(feature = "drand") {
        assert!(
            !report.skipped.iter().any(|left| left.contains("signature")),
            "{report}"
        );
    }
}
