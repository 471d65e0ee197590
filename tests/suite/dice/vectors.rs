//! The vectors of Sealed Dice 1: all of them pass, the beacon's four real rounds too; and mails as
//! they are sent come to the sheets that the vectors have.

use std::fs;

use estafette::{
    audit::mails::mails,
    campaign::post::sheet,
    dice::{PrivateBlock, run_vectors},
    mail,
};
use serde_json::Value;

const VECTORS: &str = include_str!("../../data/dice-vectors.json");
const LETTERS: &str = include_str!("../../data/letter-vectors.json");

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

#[test]
fn every_vector_of_letters_passes() {
    let report = run_vectors(LETTERS).unwrap();
    assert_eq!(report.failed, 0, "{report}");
    assert_eq!(report.skipped, Vec::<String>::new(), "{report}");
    // Sheets and their digests, lists, receipts with texts and lines, and the audit of the
    // campaign.
    assert!(report.passed >= 2 * 6 + 2 + 3 * 5 + 50, "{report}");
}

/// A vector with another figure in it must fail: else nothing is compared.
#[test]
fn a_changed_vector_of_letters_fails() {
    let vectors: Value = serde_json::from_str(LETTERS).unwrap();
    for place in [
        "/sheets/3/sha256",
        "/receipts/0/code",
        "/receipts/0/line",
        "/campaigns/0/blinds/1~1letters~1red",
        "/letter_lists/1/letters/0/1",
        "/campaigns/0/bundle/items/1~1letters-red.txt",
    ] {
        let mut changed = vectors.clone();
        let text = changed.pointer_mut(place).unwrap();
        let other = text.as_str().unwrap().replace(['1', 'a'], "0");
        assert_ne!(*text, other);
        *text = other.into();
        let report = run_vectors(&changed.to_string()).unwrap();
        assert!(report.failed > 0, "{place}");
    }
}

#[test]
fn mails_come_to_the_sheets_of_the_vectors() {
    let vectors: Value = serde_json::from_str(LETTERS).unwrap();
    for vector in vectors["sheets"].as_array().unwrap() {
        let mail = vector["mail"].as_str().unwrap();
        let campaign = vector["campaign"].as_str().unwrap().parse().unwrap();
        let contents = mail::contents(mail.as_bytes()).unwrap();
        let sheet = sheet::of_contents(&campaign, &contents).to_string();
        assert_eq!(
            sheet,
            vector["sheet"].as_str().unwrap(),
            "{}",
            vector["what"]
        );
    }
}

/// The mails of either seat fit, each of them is listed, and none of them fits with a letter more
/// in its page or text.
#[test]
fn the_mails_of_the_vectors_fit() {
    let vectors: Value = serde_json::from_str(LETTERS).unwrap();
    for seat in ["red", "blue"] {
        let letters = vectors["campaigns"][0]["mails"][seat].as_array().unwrap();
        let letters: Vec<&str> = letters.iter().map(|mail| mail.as_str().unwrap()).collect();
        let audited = |letters: &[String]| {
            let folder = tempfile::tempdir().unwrap();
            for (number, letter) in letters.iter().enumerate() {
                fs::write(folder.path().join(format!("{number}.eml")), letter).unwrap();
            }
            mails(folder.path()).unwrap().campaigns.remove(0)
        };
        let all: Vec<String> = letters.iter().map(|letter| (*letter).to_owned()).collect();
        let report = audited(&all);
        assert_eq!(report.wrong, []);
        let count = format!("letters: {} are,", letters.len());
        assert!(
            report.checked.iter().any(|line| line.starts_with(&count)),
            "{report:#?}"
        );
        for changed in 0..letters.len() {
            let mut forged = all.clone();
            forged[changed] = forged[changed].replacen("=3D=3D estafette", "=3D=3D  estafette", 1);
            let wrong = audited(&forged).wrong;
            assert!(
                wrong.iter().any(|wrong| wrong.check == "letter"),
                "{seat} {changed}: {wrong:#?}"
            );
        }
        let block = letters.last().unwrap();
        let text = mail::contents(block.as_bytes()).unwrap().text;
        let block = PrivateBlock::find(&text).remove(0).unwrap();
        assert_eq!(block.letters.iter().len(), letters.len());
    }
}
