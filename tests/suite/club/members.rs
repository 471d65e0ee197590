//! Members: how somebody becomes one, what is kept of him, and how it goes.

use std::{fs, time::Duration};

use super::house_of_club::{ClubHouse, mail};
use crate::support::program::estafette;
use estafette::club::{Club, ClubRuling, EntryRule, MemberNumber};

const ADA: &str = "Ada Byron <ada@example.net>";
const BERT: &str = "Bert <bert@example.net>";

#[test]
fn a_member_is_one_after_a_confirmed_exchange() {
    let mut house = ClubHouse::new();
    let letters = house.write(ADA, "Hello,\n\nJOIN CLUB\n\nGreetings\nAda");
    let [(to, code)] = letters.as_slice() else {
        panic!("{letters:?}")
    };
    assert!(to.contains("ada@example.net") && code.subject.contains("Is this your address"));
    assert!(code.text.contains("YES"), "{}", code.text);
    // Nothing else is answered before, and nobody but she can say yes.
    assert!(house.write(ADA, "TABLES").is_empty());
    assert!(house.write(ADA, "JOIN CLUB").is_empty());
    let reply_to = code.reply_to.clone().unwrap();
    assert!(house.send(BERT, &reply_to, "YES").is_empty());
    let guessed = reply_to.replace(".a1.", ".a1.x");
    assert!(house.send(ADA, &guessed, "YES").is_empty());
    let letters = house.send(ADA, &reply_to, "Yes, please\n> quoted");
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    assert!(
        to.len() == 2 && to[0].contains("ada@") && to[1].contains("umpire@"),
        "{to:?}"
    );
    assert!(letters[0].1.text.contains("You are Ada Byron (m1) here"));
    // The same mail once more does nothing.
    assert!(house.send(ADA, &reply_to, "YES").is_empty());
    let journal = house.journal().to_lowercase();
    assert!(
        !journal.contains("ada@") && !journal.contains("byron"),
        "{journal}"
    );
}

#[test]
fn an_application_in_french_is_answered_in_french() {
    let mut house = ClubHouse::new();
    let letters = house.write(
        "<elodie@example.net>",
        "Rejoindre le club\nNom : \u{c9}lodie\nFuseau Europe/Rome",
    );
    assert!(letters[0].1.text.contains("OUI"), "{:?}", letters[0].1);
    let letters = house.answer("<elodie@example.net>", "oui");
    assert!(
        letters[0]
            .1
            .text
            .contains("Vous \u{ea}tes ici \u{c9}lodie (m1)")
    );
    let letters = house.answer("<elodie@example.net>", "MES DONN\u{c9}ES");
    assert!(
        letters[0].1.text.contains("fuseau\u{a0}: Europe/Rome"),
        "{}",
        letters[0].1.text
    );
}

#[test]
fn who_never_confirms_is_forgotten_after_a_week() {
    let mut house = ClubHouse::new();
    house.write(ADA, "JOIN CLUB");
    let code = house.newest("ada@");
    house.sent();
    house.wait(8 * 24).open().pass(house.now).unwrap();
    assert!(!house.everything().contains("ada@example.net"));
    assert!(house.send(ADA, &code.reply_to.unwrap(), "YES").is_empty());
    // She may ask again, under another number.
    house.join_club(ADA);
    assert!(house.newest("ada@").text.contains("(m2)"));
}

#[test]
fn a_forged_sender_changes_nothing_and_learns_nothing() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    let letters = house.write(
        ADA,
        "NAME Nobody\nLEAVE CLUB\nADDRESS evil@example.com\nMY DATA",
    );
    // The answer goes to her, and shows what was tried.
    let [(to, answer)] = letters.as_slice() else {
        panic!("{letters:?}")
    };
    assert!(to.contains("ada@example.net"));
    assert_eq!(
        answer
            .text
            .matches("Not done: anybody could have written")
            .count(),
        3
    );
    assert!(answer.text.contains("name: Ada Byron"), "{}", answer.text);
    let house_state = house.open();
    assert!(house_state.state().member(MemberNumber(1)).is_some());
    drop(house_state);
    // A bound on what can be brought about in her name.
    let count = (0..30)
        .map(|n| house.write(ADA, &format!("TABLES\n\n{n}")).len())
        .sum::<usize>();
    assert!(count < 12, "{count}");
    assert!(
        !house.answer(ADA, "TABLES").is_empty(),
        "she herself is still answered"
    );
}

#[test]
fn addresses_change_only_after_an_answer_from_there() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT);
    let letters = house.answer(ADA, "ADDRESS ada@example.com");
    let to: Vec<&str> = letters.iter().map(|(to, _)| to.as_str()).collect();
    assert_eq!(to.len(), 3, "{to:?}");
    assert_eq!(
        to.iter()
            .filter(|to| to.contains("ada@example.com"))
            .count(),
        1
    );
    let code = house.newest("ada@example.com").reply_to.unwrap();
    assert!(
        house.send(ADA, &code, "YES").is_empty(),
        "not from the old one"
    );
    let letters = house.send("Ada <ada@example.com>", &code, "YES");
    assert!(letters[0].0.contains("ada@example.com") && letters[0].1.text.contains("confirmed"));
    // One more, from which she may write.
    house.answer("<ada@example.com>", "ADDRESS ALSO ada@work.example");
    let code = house.newest("ada@work.example").reply_to.unwrap();
    house.send("<ada@work.example>", &code, "yes");
    let letters = house.write("<ada@work.example>", "MY DATA");
    assert!(
        letters[0].0.contains("ada@example.com"),
        "answers go to her address"
    );
    assert!(
        letters[0]
            .1
            .text
            .contains("you also write from: ada@work.example")
    );
    // Two members never have one address.
    let letters = house.answer(BERT, "ADDRESS ada@work.example");
    assert!(
        letters.len() == 1
            && letters[0]
                .1
                .text
                .contains("Letters can't go to that address")
    );
    assert!(
        house.write("<ada@work.example>", "JOIN CLUB")[0]
            .1
            .text
            .contains("a member already")
    );
    let mut club = house.open();
    let person = estafette::club::Person::new(
        "ada@work.example".parse().unwrap(),
        estafette::game::Lang::En,
    );
    assert!(club.enter(person.unwrap(), false, house.now).is_err());
}

#[test]
fn nobody_sees_an_address_that_is_not_shown() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT);
    let members = |house: &mut ClubHouse| house.answer(BERT, "WHO")[0].1.text.clone();
    assert!(members(&mut house).contains("Ada Byron (m1)"));
    assert!(!members(&mut house).contains("ada@example.net"));
    house.answer(ADA, "SHOW ADDRESS");
    assert!(members(&mut house).contains("ada@example.net"));
    house.answer(ADA, "hide address");
    assert!(!members(&mut house).contains("ada@example.net"));
}

#[test]
fn nothing_is_kept_of_who_leaves() {
    let mut house = ClubHouse::new();
    // Before she came, as a stranger; and what was not answered.
    assert_eq!(house.write(ADA, "HELP").len(), 1);
    assert!(house.write(ADA, "HELP once more").is_empty());
    house.sent();
    house.open().pass(house.now).unwrap();
    assert!(!house.everything().contains("ada@example.net"));
    house.join_club(ADA).join_club(BERT);
    house.answer(ADA, "NEW TABLE castiglione\nJOIN 1");
    // With a token that is none.
    let to = house.newest("ada@").reply_to.unwrap();
    let (local, domain) = to.split_once('@').unwrap();
    let (head, token) = local.rsplit_once('.').unwrap();
    let other: String = token.chars().rev().collect();
    let forged = format!("{head}.{other}@{domain}");
    assert!(forged != to && house.send(ADA, &forged, "HELP").is_empty());
    let letters = house.answer(ADA, "LEAVE CLUB");
    let farewell = letters
        .iter()
        .find(|(to, _)| to.contains("ada@example.net"))
        .unwrap();
    assert!(farewell.1.subject.contains("Farewell"));
    // Once the letter has gone, all goes.
    house.sent();
    house.open().pass(house.now).unwrap();
    let left = house.everything().to_lowercase();
    assert!(
        !left.contains("ada@example.net") && !left.contains("byron"),
        "{left}"
    );
    assert!(left.contains("bert@example.net"));
    // The journal is whole, and the table is free again.
    let club = house.open();
    assert!(club.state().tables[&1].players.is_empty());
    assert!(club.state().member(MemberNumber(1)).is_none());
    drop(club);
    assert!(house.answer(BERT, "WHO")[0].1.text.contains("Bert (m2)"));
}

#[test]
fn who_is_not_accepted_yet_learns_of_no_member() {
    let mut house = ClubHouse::with(|settings| settings.entry = EntryRule::Umpire);
    house.join_club(BERT);
    let member = MemberNumber(1);
    house
        .open()
        .rule(ClubRuling::Accept { member }, house.now)
        .unwrap();
    house.answer(BERT, "NEW TABLE castiglione\nJOIN 1");
    house.join_club(ADA);
    for words in ["WHO", "WHO 1", "TABLES", "JOIN 1 AS prussian"] {
        let text = house.answer(ADA, words)[0].1.text.clone();
        assert!(text.contains("has not yet said"), "{words}: {text}");
        assert!(
            !text.contains("Bert") && !text.contains("austrian"),
            "{words}: {text}"
        );
    }
    assert!(house.answer(ADA, "HELP")[0].1.text.contains("GAMES"));
    assert!(house.answer(BERT, "WHO")[0].1.text.contains("Bert (m1)"));
}

#[test]
fn the_journal_has_only_words_that_the_club_knows() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    house.answer(ADA, "NEW TABLE castiglione");
    for words in [
        "NEW TABLE secret@secret.example",
        "NEW TABLE castiglione secret@secret.example",
        "NEW TABLE castiglione SCENARIO secret@secret.example",
        "NEW TABLE castiglione SCENARIO secret@secret.example SCENARIO lonato",
        "NEW TABLE castiglione EVERY secret days",
        "NEW TABLE castiglione SET secret@secret.example=1",
        "NEW TABLE castiglione BOT secret@secret.example",
        "JOIN 1 AS secret@secret.example",
        "JOIN 9 AS secret@secret.example",
        "TAKE OVER 1 AS french, since secret@secret.example asks",
        "LEAVE 1 secret@secret.example",
        "CLOSE 7 secret@secret.example",
        "WHO secret",
        "HELP secret",
        "ZONE secret/secret",
        "NAME secret",
    ] {
        assert_eq!(house.answer(ADA, words).len(), 1, "{words}");
        house.write(ADA, words);
        house.wait(25);
        assert!(
            !house.journal().contains("secret"),
            "{words}: {}",
            house.journal()
        );
    }
    house.answer(ADA, "JOIN 1 AS french");
    assert!(
        house.journal().contains("JOIN 1 AS french"),
        "what is known is quoted"
    );
}

#[test]
fn the_journal_binds_what_it_depends_on() {
    let mut house = ClubHouse::new();
    house.join_club(ADA);
    let path = house.root().join("club.yaml");
    let settings = fs::read_to_string(&path).unwrap();
    for (from, to) in [
        ("founders: members", "founders: named"),
        ("entry: anybody", "entry: umpire"),
        ("umpire: umpire@example.org\n", ""),
        ("club: tuesday", "club: monday"),
    ] {
        let changed = settings.replacen(from, to, 1);
        assert_ne!(changed, settings, "{from}");
        fs::write(&path, changed).unwrap();
        let error = Club::open(&house.root(), Duration::from_secs(5)).unwrap_err();
        let field = from.split(':').next().unwrap();
        assert!(error.to_string().contains(&format!("`{field}`")), "{error}");
    }
    // Where the umpire can be reached, and words of letters, may change.
    let changed = settings.replace("The Tuesday Club", "Tuesdays");
    fs::write(&path, changed.replace("umpire@", "other@")).unwrap();
    house.join_club(BERT);
    assert!(house.newest("other@").text.contains("Bert (m2)"));
}

#[test]
fn the_umpire_decides_where_the_club_is_closed() {
    let mut house = ClubHouse::with(|settings| settings.entry = EntryRule::Umpire);
    house.join_club(ADA);
    assert!(
        house
            .newest("umpire@")
            .text
            .contains("estafette club accept DIR m1")
    );
    assert!(
        house.answer(ADA, "NEW TABLE castiglione")[0]
            .1
            .text
            .contains("has not yet said")
    );
    let ruling = ClubRuling::Accept {
        member: MemberNumber(1),
    };
    house.open().rule(ruling.clone(), house.now).unwrap();
    assert!(house.newest("ada@").subject.contains("Welcome"));
    assert!(house.open().rule(ruling, house.now).is_err(), "once");
}

#[test]
fn a_killed_club_writes_the_same_letters_once_more() {
    let mut house = ClubHouse::new();
    house.join_club(ADA).join_club(BERT);
    house.answer(ADA, "NAME Augusta\nMY DATA");
    house.write("Stranger <s@example.com>", "HELP");
    let whole = house.journal();
    let lines: Vec<&str> = whole.lines().collect();
    let letters = house.letters();
    // Cut before each `Done`: the last event was not told.
    let last = |house: &ClubHouse| house.journal().lines().last().unwrap().to_owned();
    let told = last(&house);
    assert!(told.contains("\"kind\":\"done\"") && lines.len() > 8);
    let cut: String = lines[..lines.len() - 1]
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(house.root().join("journal.jsonl"), cut).unwrap();
    let others = house.root().join("outbox/others");
    let inbox = house.root().join("inbox");
    fs::remove_dir_all(others).unwrap();
    // A stranger's mail is not kept; before the end of the pass it was still there.
    assert!(!inbox.join("done/000006").exists());
    let asked = mail(
        "Stranger <s@example.com>",
        "game+tuesday@example.org",
        "HELP",
        6,
    );
    fs::write(inbox.join("new/000006"), asked).unwrap();
    drop(house.open());
    assert_eq!(
        house.journal(),
        whole,
        "the same digests of letters are on record"
    );
    assert_eq!(house.letters(), letters);
    assert!(!inbox.join("new/000006").exists() && !inbox.join("done/000006").exists());
    // The file of a member of whom no record tells is not kept either.
    let orphan = house.root().join("members/7-1");
    fs::write(&orphan, "name: Nobody\n").unwrap();
    drop(house.open());
    assert!(!orphan.exists());
    // A byte of the journal or of a member's file that has changed is noticed.
    let file = house.root().join("members/1-3");
    let person = fs::read_to_string(&file).unwrap();
    fs::write(&file, person.replace("Augusta", "Auguste")).unwrap();
    let error = Club::open(&house.root(), Duration::from_secs(5)).unwrap_err();
    assert!(error.to_string().contains("1-3"), "{error}");
    fs::write(&file, person).unwrap();
    fs::write(
        house.root().join("journal.jsonl"),
        whole.replacen("m1", "m2", 1),
    )
    .unwrap();
    assert!(Club::open(&house.root(), Duration::from_secs(5)).is_err());
}

#[test]
fn the_shell_founds_a_club_and_keeps_its_members() {
    let folder = tempfile::tempdir().unwrap();
    let club = folder.path().join("club").display().to_string();
    let campaigns = folder.path().join("campaigns").display().to_string();
    let run = |args: &[&str]| {
        let ran = estafette(&[&["club"], args].concat(), b"");
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran.out
    };
    let founded = run(&[
        "new",
        &club,
        "--name",
        "tuesday",
        "--mailbox",
        "game@example.org",
        "--campaigns",
        &campaigns,
    ]);
    assert!(founded.contains("game+tuesday@example.org"), "{founded}");
    let added = run(&[
        "add",
        &club,
        "ada@example.net",
        "--name",
        "Ada",
        "--lang",
        "fr",
        "--zone",
        "Europe/Rome",
    ]);
    assert!(added.ends_with("m1\n"), "{added}");
    assert_eq!(run(&["list", &club]), "m1  member  Ada <ada@example.net>\n");
    let shown = run(&["show", &club, "m1"]);
    assert!(shown.contains("language: fr, zone: Europe/Rome") && shown.contains("shown to nobody"));
    let again = estafette(&["club", "add", &club, "ada@example.net"], b"");
    assert_eq!(again.code, 1, "{again:?}");
    run(&["remove", &club, "m1"]);
    assert_eq!(run(&["list", &club]), "");
    assert_eq!(estafette(&["club", "show", &club, "m1"], b"").code, 1);
    let odd = estafette(&["club", "show", &club, "ada"], b"");
    assert_eq!(odd.code, 2, "{odd:?}");
}
