//! Who plays what in a new campaign: rosters, and several seats at one address.

use std::{collections::BTreeSet, fs, path::Path};

use crate::support::{Letter, program::estafette};

/// Makes a campaign of a game with a roster and seats.
fn new(into: &Path, game: &str, roster: &[&str], seats: &[&str]) -> (i32, String) {
    let mut args = vec!["new", game, "--into", into.to_str().unwrap()];
    roster
        .iter()
        .for_each(|name| args.extend(["--roster", name]));
    seats.iter().for_each(|seat| args.extend(["--seat", seat]));
    args.extend(["--no-pictures", "--host", "game@example.org"]);
    let ran = estafette(&args, b"");
    (ran.code, ran.out + &ran.err)
}

/// The addresses to which the letters in a campaign's outboxes go, one for each letter.
fn addressed(campaign: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for outbox in fs::read_dir(campaign.join("outbox")).unwrap() {
        let outbox = outbox.unwrap();
        for file in fs::read_dir(outbox.path().join("new")).unwrap() {
            let letter = Letter::read(&fs::read(file.unwrap().path()).unwrap());
            found.push((letter.to, outbox.file_name().into_string().unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn seats_of_one_party_at_one_address_get_one_letter() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("toulon");
    let seats = [
        "allied=ada@example.org",
        "west=bert@example.org",
        "east=bert@example.org",
    ];
    let (code, said) = new(&into, "toulon", &["3"], &seats);
    assert_eq!(code, 0, "{said}");
    // The opening and the first dispatch, once for each player.
    let sent = addressed(&into);
    let to = |address: &str| sent.iter().filter(|(to, _)| to.contains(address)).count();
    assert_eq!((to("ada@"), to("bert@")), (2, 2), "{sent:?}");
    let outboxes: BTreeSet<&str> = sent.iter().map(|(_, outbox)| outbox.as_str()).collect();
    assert_eq!(outboxes, BTreeSet::from(["allied", "west"]));
    // Enemies are never one player, whatever their address: each seat has its own letters.
    let into = folder.path().join("alone");
    let seats = [
        "allied=ada@example.org",
        "west=ada@example.org",
        "east=bert@example.org",
    ];
    assert_eq!(new(&into, "toulon", &["3"], &seats).0, 0);
    let sent = addressed(&into);
    let outboxes: BTreeSet<&str> = sent.iter().map(|(_, outbox)| outbox.as_str()).collect();
    assert_eq!(outboxes, BTreeSet::from(["allied", "east", "west"]));
}

#[test]
fn a_roster_that_does_not_fit_the_seats_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("toulon");
    let (ada, bert, cleo) = (
        "allied=a@example.org",
        "west=b@example.org",
        "east=c@example.org",
    );
    for (game, roster, seats, words) in [
        (
            "toulon",
            &[][..],
            &["english=a@example.org", "spanish=b@example.org"][..],
            "no roster has just the seats english, spanish; there are: --roster 2: allied, republican; --roster 3:",
        ),
        (
            "toulon",
            &["9"],
            &[ada, bert],
            "there is no roster `9`; there are: 2, 3, 4, 5, 6, 7",
        ),
        (
            "toulon",
            &["3"],
            &[ada, bert],
            "who plays east? add --seat east=ADDRESS",
        ),
        (
            "toulon",
            &["3"],
            &[ada, bert, cleo, "sardinian=d@example.org"],
            "there is no seat `sardinian`; there are: allied, west, east",
        ),
        (
            "castiglione",
            &["3"],
            &["french=a@example.org", "austrian=b@example.org"],
            "there is no roster `3`: the game has none, and is played by french, austrian",
        ),
    ] {
        let (code, said) = new(&into, game, roster, seats);
        assert!(
            code == 2 && said.contains(words),
            "`{words}`: {code} {said}"
        );
        assert!(!into.exists(), "nothing is made");
    }
}
