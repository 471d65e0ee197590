//! What a club remembers: results, ratings, deadlines kept. Of a campaign that goes on it says
//! nothing.

use std::fs;

use estafette::{
    campaign::durable,
    club::{SeatOutcome, TakeoverRule},
};

use super::house_of_club::ClubHouse;
use crate::support::program::estafette;

const ADA: &str = "Ada <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";
const CAROL: &str = "Carol <carol@example.net>";

fn playing() -> ClubHouse {
    let mut house = ClubHouse::with(|settings| settings.takeover = TakeoverRule::Anybody);
    house.join_club(ADA).join_club(BERT).join_club(CAROL);
    begin(&mut house, 1);
    house
}

/// Ada plays the French, and Bert the Austrians.
fn begin(house: &mut ClubHouse, table: u32) {
    house.answer(
        ADA,
        &format!("NEW TABLE castiglione SCENARIO lonato\nJOIN {table} AS french"),
    );
    house.answer(BERT, &format!("JOIN {table} AS austrian"));
}

#[test]
fn a_campaign_counts_once_it_has_ended() {
    let mut house = playing();
    assert!(house.open().results(None).campaigns.is_empty());
    // It goes on: nothing of it is told, and the club's journal says nothing new.
    let before = house.journal();
    house.orders(1, "french", "NOTHING");
    house.orders(1, "austrian", "NOTHING");
    house.open().pass(house.now).unwrap();
    assert_eq!(house.journal(), before);
    assert!(!house.campaign(1).join("result").exists());
    assert!(house.open().results(None).reliability.is_empty());

    house.orders(1, "austrian", "CONCEDE");
    let results = house.open().results(None);
    let [campaign] = results.campaigns.as_slice() else {
        panic!("{results:?}");
    };
    assert_eq!(campaign.campaign, "tuesday-1");
    let seats: Vec<_> = (campaign.seats.iter())
        .map(|it| (it.seat.as_str(), it.outcome, it.players.as_slice()))
        .collect();
    assert_eq!(
        seats,
        [
            ("french", SeatOutcome::Won, &["Ada (m1)".to_owned()][..]),
            ("austrian", SeatOutcome::Lost, &["Bert (m2)".to_owned()]),
        ]
    );
    let [ada, bert] = results.ratings.as_slice() else {
        panic!("{results:?}");
    };
    assert!(ada.name == "Ada (m1)" && ada.rating > 1500 && bert.rating < 1500);
    assert_eq!((ada.tally.won, bert.tally.lost), (1, 1));
    let kept: Vec<_> = results
        .reliability
        .iter()
        .map(|it| (it.kept, it.missed))
        .collect();
    assert_eq!(kept[0].1, 0);
    assert!(kept[0].0 >= 1, "{kept:?}");
    assert_eq!(results.head_to_head.len(), 2);
    // It stays when the campaign goes, and is counted once.
    fs::remove_dir_all(house.campaign(1)).unwrap();
    let before = house.journal();
    house.open().pass(house.now).unwrap();
    assert_eq!(house.journal(), before);
    assert_eq!(house.open().results(None), results);
    assert!(house.open().results(Some("novara")).campaigns.is_empty());
    let journal = house.journal().to_lowercase();
    for address in ["ada@", "bert@"] {
        assert!(!journal.contains(address), "{journal}");
    }
}

#[test]
fn results_are_printed_without_addresses() {
    let mut house = playing();
    house.orders(1, "austrian", "CONCEDE");
    let root = house.root().display().to_string();
    let ran = estafette(&["club", "results", &root], b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    for told in [
        "tuesday-1  castiglione lonato",
        "french: Ada (m1), won",
        "Ada (m1)  16",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    let letter = house.answer(BERT, "RESULTS castiglione").pop().unwrap().1;
    let words = letter.text.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "french, Ada (m1): has won",
        "Bert (m2): 1",
        "Deadlines kept",
        "You against others: Ada (m1): 0 won, 0 drawn, 1 lost",
    ] {
        assert!(words.contains(told), "{told}: {words}");
    }
    assert!(!words.contains("example.net"), "{words}");
    let french = house.answer(BERT, "LANGUE FRANCAIS\nR\u{c9}SULTATS");
    let won = "Ada (m1)\u{a0}: a gagn\u{e9}";
    assert!(french[0].1.text.contains(won), "{french:?}");
    let wrong = house.answer(BERT, "RESULTS chess");
    assert!(wrong[0].1.text.contains("Ce jeu n'existe pas"), "{wrong:?}");
    // Who is no member is told nothing of it.
    let stranger = house.write("X <x@example.net>", "RESULTS");
    assert!(!stranger[0].1.text.contains("Ada"), "{stranger:?}");
    let json = estafette(
        &["club", "results", &root, "--json", "--game", "castiglione"],
        b"",
    );
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["campaigns"][0]["seats"][0]["outcome"], "won");
    assert_eq!(value["head_to_head"][0]["won"], 1);
    assert!(!format!("{}{}", ran.out, json.out).contains("example.net"));
    let other = estafette(&["club", "results", &root, "--game", "novara"], b"");
    assert_eq!(other.out.trim(), "no campaign has ended");
}

/// Who gives a seat up has played it; who takes it over is there from then on.
#[test]
fn a_seat_that_was_taken_over_has_had_two_players() {
    let mut house = playing();
    house.orders(1, "french", "NOTHING");
    house.orders(1, "austrian", "NOTHING\nRESIGN");
    house.answer(CAROL, "TAKE OVER 1");
    house.pass_campaign(1);
    let state = durable::look(&house.campaign(1)).unwrap().2;
    assert_eq!(state.seats["austrian"].former.len(), 1);
    house.orders(1, "austrian", "CONCEDE");
    let results = house.open().results(None);
    let players = &results.campaigns[0].seats[1].players;
    assert_eq!(players, &["Bert (m2)", "Carol (m3)"]);
    let rated: Vec<_> = results.ratings.iter().map(|it| it.member.0).collect();
    assert_eq!(rated, [1, 2], "she is not rated for what he left");
    assert_eq!(results.reliability.len(), 3);
}

/// A campaign that the umpire has go on after its end is no result.
#[test]
fn a_campaign_that_goes_on_again_does_not_count() {
    let mut house = playing();
    for seat in ["french", "austrian"] {
        house.orders(1, seat, "NOTHING");
    }
    house.orders(1, "austrian", "CONCEDE");
    assert_eq!(house.open().results(None).campaigns.len(), 1);
    let state = durable::look(&house.campaign(1)).unwrap().2;
    let envelope = state
        .checkpoints
        .iter()
        .last()
        .unwrap()
        .envelope
        .to_string();
    let (at, now) = (
        house.campaign(1).display().to_string(),
        house.now.to_string(),
    );
    let back = [
        "umpire",
        "rollback",
        &at,
        "--envelope",
        &envelope,
        "--why",
        "a slip",
        "--now",
        &now,
    ];
    let ran = estafette(&back, b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    house.pass_campaign(1);
    assert!(house.open().results(None).campaigns.is_empty());
}
