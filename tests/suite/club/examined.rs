//! What `audit` and `doctor` find in a club's directory, and which campaigns a pass looks at.

use std::fs;

use super::house_of_club::ClubHouse;
use crate::support::program::estafette;

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";

/// A club at whose first table a campaign has begun.
fn playing() -> ClubHouse {
    let mut house = ClubHouse::with(|_| {});
    house.join_club(ADA).join_club(BERT);
    house.answer(
        ADA,
        "NEW TABLE castiglione SCENARIO lonato\nJOIN 1 AS french",
    );
    house.answer(BERT, "JOIN 1 AS austrian");
    house
}

/// The exit code of an audit of the club, and what it says.
fn audit(house: &ClubHouse) -> (i32, String) {
    let root = house.folder.path().join("club");
    let ran = estafette(&["audit", root.to_str().unwrap()], b"");
    (ran.code, ran.out + &ran.err)
}

#[test]
fn a_sound_club_is_said_to_be_one() {
    let house = playing();
    let (code, said) = audit(&house);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("2 members, 1 campaign"), "{said}");
}

#[test]
fn a_broken_chain_is_found() {
    let house = playing();
    let journal = house.folder.path().join("club/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("lonato", "Lonato", 1)).unwrap();
    let (code, said) = audit(&house);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("journal.jsonl, line "), "{said}");
}

#[test]
fn changed_members_lost_and_unknown_campaigns_are_found() {
    let house = playing();
    let campaigns = house.folder.path().join("campaigns");
    fs::rename(campaigns.join("tuesday-1"), campaigns.join("tuesday-7")).unwrap();
    let members = house.folder.path().join("club/members");
    let file = fs::read_dir(&members).unwrap().next().unwrap().unwrap();
    fs::write(file.path(), "name: Mallory\n").unwrap();
    let (code, said) = audit(&house);
    assert_eq!(code, 1, "{said}");
    for wrong in [
        "the campaign of table 1 is not there",
        "tuesday-7: it says that it is of this club",
        "it is not what the journal says of m",
    ] {
        assert!(said.contains(wrong), "{wrong}: {said}");
    }
}

/// Only marked campaigns are looked at: what has changed without a mark is not seen, and a lost
/// folder of marks has all looked at once.
#[test]
fn a_pass_looks_at_campaigns_that_have_changed() {
    let mut house = playing();
    let campaigns = house.folder.path().join("campaigns");
    let marks = campaigns.join(".changed");
    house.write(ADA, "TABLES");
    assert!(marks.is_dir());
    fs::write(campaigns.join("tuesday-1/offers"), "austrian\n").unwrap();
    let seen = |house: &ClubHouse| house.journal().contains("\"kind\":\"offers\"");
    house.write(ADA, "TABLES");
    assert!(!seen(&house), "{}", house.journal());
    fs::remove_dir_all(&marks).unwrap();
    house.write(ADA, "TABLES");
    assert!(seen(&house), "{}", house.journal());
}
