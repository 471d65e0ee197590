//! Allies keep their secrets from each other: a small game of three nations in two parties, which
//! two or three play.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use estafette::{
    campaign::{self, model::state::State, post::Letter},
    cases, check,
    dispatch::Document,
    game::{self, Disk, Game, GameFiles, Seating},
    ids::SeatId,
    orders::Grammar,
    rules::Program,
    simulate::{self, BotGame, SimulationPlan},
};

use super::table::{Leak, Own, Table, differences, letters_of, seats_of};

/// A table for it; what of it is a game's own is not used here.
static LEAGUE: Own = Own {
    game: "castiglione",
    templates: &[],
    prying: |_, _, _| Vec::new(),
    wrong: "",
    standing: "",
    unsent: "",
};

pub(super) fn disk() -> Disk {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/league");
    let disk = Disk::default().games(&folder.join("games"));
    disk.rules(&folder.join("rules"))
}

pub(super) fn files() -> GameFiles {
    GameFiles::gather(&disk(), "league").unwrap()
}

pub(super) fn seating(roster: &str) -> Seating {
    Seating {
        roster: Some(roster.to_owned()),
        ..Seating::default()
    }
}

fn league(seating: &Seating) -> Game {
    let game = Game::load(&files(), "league").unwrap();
    game.seated(seating).unwrap()
}

/// A campaign with the seats of a roster.
pub(super) fn table(seating: &Seating) -> Table {
    table_of(seating, league(seating))
}

fn table_of(seating: &Seating, game: Game) -> Table {
    let seats = seats_of(&game);
    let adapt = |settings: &mut campaign::model::settings::Settings| {
        settings.game = "league".to_owned();
        settings.seats = seats;
        settings.seating = seating.clone();
    };
    Table::of(&LEAGUE, "field", &[], adapt, |castiglione| {
        *castiglione = game;
    })
}

/// Plays the mails of seats: the last state and all letters.
fn play(table: &Table, mails: &[(&str, &str)]) -> (State, Vec<Letter>) {
    let (mut state, mut letters) = table.begin_with_letters();
    for (seat, words) in mails {
        let event = table.mail(&state, &SeatId::from(*seat), words);
        let (next, effects) = table.apply(state, event);
        letters.extend(effects.mailing.letters);
        state = next;
    }
    (state, letters)
}

/// Two turns in which nobody does anything but one seat in the first.
fn with(seat: &str, words: &str) -> Vec<Letter> {
    let first =
        ["white", "green", "red"].map(|of| (of, if of == seat { words } else { "NOTHING" }));
    let second = ["white", "green", "red"].map(|of| (of, "NOTHING"));
    let mails: Vec<_> = first.into_iter().chain(second).collect();
    play(&table(&seating("3")), &mails).1
}

/// What a seat is sent that differs.
fn noticed(reader: &str, before: &[Letter], after: &[Letter]) -> Vec<String> {
    let of = |letters: &[Letter]| letters_of("", letters, &reader.into(), Leak::NONE);
    differences(&of(before), &of(after))
}

pub(super) fn document(table: &Table, state: &State, seat: &str) -> Document {
    campaign::map_document(&table.context, state, Some(&seat.into())).unwrap()
}

#[test]
fn the_game_is_sound_with_each_roster() {
    let bots = game::bot_scripts(&disk(), "league").unwrap();
    assert_eq!(check::check(&files(), &bots, "league"), []);
}

#[test]
fn what_a_seat_does_not_know_changes_no_byte_of_its_letters() {
    for (seat, words, must, may) in [
        ("green", "REST Gaeta", vec!["white", "red"], vec![]),
        ("green", "GIVE 1 TO WHITE", vec!["red"], vec!["white"]),
        ("white", "GIVE 1 TO GREEN", vec!["red"], vec!["green"]),
        ("green", "LEND Gaeta TO WHITE", vec!["red"], vec!["white"]),
        ("green", "EAT", vec!["red"], vec!["white"]),
        ("red", "EAT", vec!["white", "green"], vec![]),
        ("green", "MARCH Gaeta TO Ford", vec![], vec!["white", "red"]),
    ] {
        let (before, after) = (with(seat, "NOTHING"), with(seat, words));
        for reader in must {
            let found = noticed(reader, &before, &after);
            assert!(found.is_empty(), "{seat}: {words}: {reader}: {found:#?}");
        }
        for reader in may {
            let found = noticed(reader, &before, &after);
            assert!(!found.is_empty(), "{seat}: {words}: {reader} learns of it");
        }
        assert!(
            !noticed(seat, &before, &after).is_empty(),
            "{seat}: {words}"
        );
    }
}

#[test]
fn a_text_is_passed_on_as_it_is_and_is_never_an_order() {
    let digest = "0123456789abcdef".repeat(4);
    let words = format!(
        "COUNCIL Hold the mill;\nMARCH Gravina TO Ford # all\u{7}\nregister 3 {digest}\n\nREST Gaeta\n"
    );
    let table = table(&seating("3"));
    let mails = [
        ("white", "NOTHING"),
        ("green", words.as_str()),
        ("red", "NOTHING"),
    ];
    let (state, letters) = play(&table, &mails);
    let at = |piece: &str| state.world.piece(piece).unwrap().at.clone().unwrap();
    assert_eq!(&*at("g1"), "mill", "no order was read in the text");
    assert_eq!(*state.world.piece("g2").unwrap().get("tired"), true.into());
    let text = |seat: &str| {
        let sent = letters_of("", &letters, &seat.into(), Leak::NONE).into_iter();
        let texts = sent
            .filter(|(part, _)| part.ends_with("text"))
            .map(|(_, text)| text);
        texts.collect::<String>().replace('\n', " ")
    };
    let told = "Greens write to you: Hold the mill; MARCH Gravina TO Ford # all register 3";
    let flat = text("white")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(flat.contains(told), "{flat}");
    assert!(
        !flat.contains(&digest),
        "no line of the host can be imitated"
    );
    assert!(!text("red").contains("Hold the mill"));
    // A text that is too long is a wrong line, and told to nobody.
    let long = format!("COUNCIL {}", "too long ".repeat(60));
    let mails = [
        ("white", "NOTHING"),
        ("green", long.as_str()),
        ("red", "NOTHING"),
    ];
    let (_, letters) = play(&table, &mails);
    let green = letters_of("", &letters, &"green".into(), Leak::NONE);
    assert!(
        green
            .iter()
            .any(|(_, text)| text.contains("500 characters at most")),
        "{green:#?}"
    );
}

#[test]
fn cases_name_their_roster() {
    let game = Arc::new(Game::load(&files(), "league").unwrap());
    let program = Program::compile(Arc::clone(&game)).unwrap();
    let grammar = Grammar::new(&game.decl, &BTreeMap::new()).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/league/cases.yaml");
    let found = cases::read(&[path]).unwrap();
    assert_eq!(found.len(), 3);
    for entry in found {
        let differences = cases::judge(&program, &grammar, &entry.case).unwrap();
        assert_eq!(differences, [""; 0], "{}", entry.case.case);
    }
}

#[test]
fn whose_a_name_is_tells_no_answer() {
    let table = table(&seating("3"));
    let state = table.begin();
    let answer = |name: &str| {
        let words = format!("MARCH {name} TO Ford");
        let event = table.mail(&state, &"white".into(), &words);
        let letters = table.apply(state.clone(), event).1.mailing.letters;
        let sent = letters_of("", &letters, &"white".into(), Leak::NONE);
        let texts = sent
            .into_iter()
            .map(|(part, text)| (part, text.replace(name, "?")));
        texts.collect::<Vec<_>>()
    };
    // An enemy that has not been seen, and a name that there is not.
    assert_eq!(differences(&answer("Rohan"), &answer("Ruhon")), [""; 0]);
}

/// The League whose Greens may send orders and are not waited for.
fn with_greens_invited() -> Table {
    let GameFiles(mut files) = files();
    let mut change = |file: &str, from: &str, to: &str| {
        let bytes = files.get_mut(file).unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from), "{file}: {text}");
        *bytes = text.replace(from, to).into_bytes();
    };
    let script = "rules/league/league.rhai";
    let all = "orders_each(\"all\", \"orders\")";
    let invited = "orders_each([\"white\", \"red\"], \"orders\", \"all\")";
    change(script, all, invited);
    let form = "/// The form.\nfn template_rest(seat) { [\"REST Gaeta\"] }\n/// Marches, rests";
    change(script, "/// Marches, rests", form);
    let rest = "forms: [\"REST <who:piece>\"]";
    let with_form = format!("template: template_rest, {rest}");
    change("games/league/game.yaml", rest, &with_form);
    let seating = seating("3");
    let game = Game::load(&GameFiles(files), "league").unwrap();
    table_of(&seating, game.seated(&seating).unwrap())
}

#[test]
fn who_is_invited_may_send_orders_and_keeps_nobody_waiting() {
    let table = with_greens_invited();
    let place = |state: &State| {
        let at = state.world.piece("g2").unwrap().at.clone();
        at.unwrap().to_string()
    };
    let text = |letters: &[Letter]| {
        let sent = letters_of("", letters, &"green".into(), Leak::NONE).into_iter();
        let texts = sent.filter(|(part, _)| part.ends_with("text"));
        texts.map(|(_, text)| text).collect::<String>()
    };
    let (begun, letters) = table.begin_with_letters();
    let first = text(&letters);
    assert!(first.contains("you may send orders for: Orders"), "{first}");
    assert!(first.contains("# REST Gaeta"), "its form: {first}");
    assert!(!first.contains("Nothing now"), "{first}");
    let before = place(&begun);

    let silent = [("white", "NOTHING"), ("red", "NOTHING")];
    let (state, _) = play(&table, &silent);
    assert_eq!(
        *state.world.fact("turn"),
        2.into(),
        "nobody waits: {:?}",
        state.waiting
    );
    assert_eq!(place(&state), before);

    let writes = [
        ("green", "MARCH Gaeta TO Ford"),
        ("white", "NOTHING"),
        ("red", "NOTHING"),
    ];
    let (state, letters) = play(&table, &writes);
    assert_eq!(place(&state), "ford");
    assert!(!text(&letters).contains("not asked"), "{}", text(&letters));

    let late = [
        ("white", "NOTHING"),
        ("red", "NOTHING"),
        ("green", "MARCH Gaeta TO Ford"),
    ];
    let (state, _) = play(&table, &late);
    assert_eq!(place(&state), before, "they count for the next turn");
}

#[test]
fn facts_are_shown_to_whom_they_belong() {
    let facts = |roster: &str, seat: &str| {
        let table = table(&seating(roster));
        document(&table, &table.begin(), seat).facts
    };
    let white = [
        "Turn 1 of 4",
        "Purse of the Whites: 3",
        "Stores of the League: 4",
    ];
    assert_eq!(facts("3", "white"), white);
    let red = [
        "Turn 1 of 4",
        "Purse of the Reds: 6",
        "Stores of the Crown: 4",
    ];
    assert_eq!(facts("3", "red"), red);
    let both = [
        "Turn 1 of 4",
        "Purse of the Whites: 3",
        "Purse of the Greens: 3",
        "Stores of the League: 4",
    ];
    assert_eq!(facts("2", "allies"), both);
}

#[test]
fn allies_as_known_stand_apart_from_the_enemy() {
    let table = table(&seating("3"));
    let document = document(&table, &table.begin(), "white");
    let seen = |part: &estafette::dispatch::Enemy| {
        let spaces = part.seen.iter();
        let spaces = spaces.map(|at| (at.place.clone(), at.pieces.len(), at.hidden));
        spaces.collect::<Vec<_>>()
    };
    assert_eq!(seen(&document.allies), [("Mill".to_owned(), 2, 0)]);
    assert_eq!(seen(&document.enemy), [("Town".to_owned(), 0, 2)]);
    let text = estafette::dispatch::body(&document);
    let at = |words: &str| text.find(words).expect(words);
    assert!(
        at("Your allies as known") < at("The enemy as known"),
        "{text}"
    );
    assert!(at("Gravina") < at("The enemy as known"), "{text}");
}

#[test]
fn who_plays_two_sides_commands_both_and_has_one_letter() {
    let table = table(&seating("2"));
    let (state, letters) = play(
        &table,
        &[("allies", "MARCH Gaeta TO Ford\nMARCH Wagram TO Mill")],
    );
    let own: Vec<_> = letters_of("", &letters, &"allies".into(), Leak::NONE);
    let letters = own.iter().filter(|(part, _)| part == ": id").count();
    assert_eq!(letters, 3, "the opening, the first dispatch, the receipt");
    let document = document(&table, &state, "allies");
    assert_eq!(document.heading.side, "the Allies");
    assert_eq!(document.forces.units, 4);
    let (state, _) = play(
        &table,
        &[
            ("allies", "MARCH Gaeta TO Ford\nMARCH Wagram TO Mill"),
            ("red", "NOTHING"),
        ],
    );
    let at = |piece: &str| state.world.piece(piece).unwrap().at.clone().unwrap();
    assert_eq!((&*at("g2"), &*at("w1")), ("ford", "mill"));
}

#[test]
fn a_piece_that_is_lent_is_an_allys_and_its_owner_sees_it_still() {
    let table = table(&seating("3"));
    let first = [
        ("white", "NOTHING"),
        ("green", "LEND Gaeta TO WHITE"),
        ("red", "NOTHING"),
    ];
    let (state, _) = play(&table, &first);
    for seat in ["white", "green"] {
        let view = state.world.seen_by(table.context.game(), seat);
        let lent = view.piece("g2").unwrap();
        assert!(
            lent.attributes.get("tired").is_some(),
            "{seat} sees all of it"
        );
    }
    let view = state.world.seen_by(table.context.game(), "red");
    assert!(view.piece("g2").is_none());
    let second = [
        ("white", "MARCH Gaeta TO Ford"),
        ("green", "MARCH Gaeta TO Hill"),
        ("green", "MARCH Gravina TO Hill"),
        ("red", "NOTHING"),
    ];
    let mails: Vec<_> = first.into_iter().chain(second).collect();
    let (state, _) = play(&table, &mails);
    let at = |piece: &str| state.world.piece(piece).unwrap().at.clone().unwrap();
    assert_eq!((&*at("g2"), &*at("g1")), ("ford", "hill"));
    let purse = state.world.fact("purse");
    let left = ["white", "green", "red"].map(|side| purse.get(side).unwrap().as_int().unwrap());
    assert_eq!(left, [2, 2, 6], "the borrower pays");
}

#[test]
fn bots_play_whole_campaigns_with_each_roster_and_all_fits() {
    for roster in ["3", "2"] {
        let loaded = BotGame {
            game: Arc::new(league(&seating(roster))),
            files: files(),
            bots: game::bot_scripts(&disk(), "league").unwrap(),
        };
        let plan = SimulationPlan {
            game: "league".to_owned(),
            scenario: "field".to_owned(),
            roster: Some(roster.to_owned()),
            options: BTreeMap::new(),
            questions_per_turn: 0,
            pairings: Vec::new(),
            campaigns: 4,
            seed: 7,
            threads: 1,
            trace: false,
            out: None,
            keep_all: false,
            recheck: false,
            pictures: false,
        };
        let report = simulate::run(&plan, &loaded, &mut |_| {}).unwrap();
        assert_eq!(report.faults, BTreeMap::new(), "roster {roster}");
        let endings = &report.results[0].endings;
        assert_eq!(
            endings.values().sum::<usize>(),
            4,
            "roster {roster}: {endings:?}"
        );
    }
}
