//! Plans of Risorgimento as players send them: very long ones.

use crate::support::program::{Ran, estafette};

/// What a seat is told of words on standard input, in a campaign that has just been made.
fn told(words: &str) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("campaign");
    let into = into.to_str().unwrap();
    let seats = ["allied=ada@example.org", "austrian=bert@example.org"];
    let new = [
        "new",
        "risorgimento",
        "--into",
        into,
        "--seat",
        seats[0],
        "--seat",
        seats[1],
    ];
    let ran = estafette(&new, b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    estafette(&["orders", "--seat", "allied", into], words.as_bytes())
}

/// What is too long is cut, and said; what stands before it is judged and answered.
#[test]
fn a_plan_longer_than_a_mail_may_be_is_read_to_its_limit() {
    let mut words = "TURN 1\nACTIVATE F4\n".to_owned();
    for number in 0..2_400 {
        let to = ["S3841", "S3842"][number % 2];
        words.push_str(&format!("MOVE L55/{} TO {to}\n", number % 3 + 1));
    }
    words.push_str("END\nACTIVATE F4\nEND\n");
    let ran = told(&words);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let out = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "Only 2000 lines of a mail are read; the rest is left out.",
        "3 | MOVE L55/1 TO S3841",
        "2000 | MOVE L55/",
    ] {
        assert!(
            out.contains(said),
            "{said} is not said: {}",
            &out[out.len() - 600..]
        );
    }
    assert!(!out.contains("2001 | MOVE"), "{}", &out[out.len() - 600..]);
}
