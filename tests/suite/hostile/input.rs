//! Whatever a stranger sends, reading it never panics and never grows: mails, and orders in the
//! shipped games' languages.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, LazyLock},
    time::Duration,
};

use crate::support::{cost::cost, shipped_game};
use estafette::{
    game::{Game, Lang},
    mail::{self, Incoming, MailLimits, Mailbox, ReadError},
    orders::{self, Expect, Grammar, MAX_LINES, QuestionForm, Reading, Vocabulary},
    world::World,
};
use proptest::{prelude::*, sample::select};

/// The sample mails of real programs and of attackers.
static MAILS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mail");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "eml"));
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
});

/// The first seat of a shipped game at the start of its default scenario.
struct Seat {
    game: Arc<Game>,
    grammar: Grammar,
    view: World,
    vocabulary: Vocabulary,
}

thread_local! {
    static SEAT: Seat = Seat::new();
}

impl Seat {
    fn new() -> Self {
        let game = shipped_game("castiglione");
        let grammar = Grammar::new(&game.decl, &BTreeMap::new()).unwrap();
        let world = World::set_up(&game, &game.decl.default_scenario).unwrap();
        let view = world.seen_by(&game, &game.decl.seats[0].id);
        let vocabulary = Vocabulary::of_view(&game, &view, Lang::En);
        Self {
            game,
            grammar,
            view,
            vocabulary,
        }
    }

    /// Reads words while orders of all phases and answers to a question of each topic are expected.
    fn read(&self, text: &str) -> Reading {
        let decl = &self.game.decl;
        let phases: Vec<&str> = decl.phases.iter().map(|phase| phase.id.as_str()).collect();
        let topics = decl.orders.topics.keys().zip(1..);
        let questions: Vec<QuestionForm> = topics
            .map(|(topic, number)| QuestionForm::new(number, topic))
            .collect();
        let expect = Expect {
            phases: &phases,
            questions: &questions,
            lang: Lang::En,
        };
        orders::read(&self.grammar, &self.vocabulary, &expect, text)
    }

    /// Everything that players may write: spellings of keywords, names of places and pieces.
    fn words(&self) -> Vec<String> {
        let spellings = self
            .game
            .decl
            .orders
            .keywords
            .values()
            .flat_map(BTreeMap::values)
            .flatten();
        let places = self.game.map.map().spaces.iter().map(|space| &space.name);
        let pieces = self.view.pieces.values().map(|piece| &piece.name);
        spellings.chain(places).chain(pieces).cloned().collect()
    }

    /// The lines of orders that players are shown as examples.
    fn examples(&self) -> Vec<String> {
        let verbs = self.game.text.values().flat_map(|text| text.verbs.values());
        verbs.flat_map(|verb| &verb.examples).cloned().collect()
    }

    /// What must hold of every reading, and that its receipt can be written.
    fn inspect(&self, text: &str) -> Result<(), TestCaseError> {
        let reading = self.read(text);
        prop_assert!(reading.lines.len() <= MAX_LINES + 2);
        for wrong in reading.wrong() {
            let (start, end) = wrong.span;
            prop_assert!(
                start <= end && end <= wrong.text.chars().count(),
                "{wrong:?}"
            );
            for lang in Lang::ALL {
                prop_assert!(!orders::explain(&self.grammar, wrong, lang).is_empty());
            }
        }
        // An order is confirmed in its printed form, so that form must be the same order. Two ways
        // that follow each other are read back as one, which leads the same way: dashes do not
        // count.
        let print = |order: &_| {
            orders::print(&self.grammar, &self.vocabulary, order, Lang::En).replace(" - ", " ")
        };
        for order in reading.orders() {
            let printed = print(order);
            let again = self.read(&printed);
            prop_assert!(
                again.wrong().next().is_none(),
                "{:?} of {:?}",
                again,
                printed
            );
            let texts: Vec<String> = again.orders().map(print).collect();
            prop_assert_eq!(texts, [printed]);
        }
        Ok(())
    }
}

/// One thing that an attacker, or a broken server, does to a mail.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Delete(usize, usize),
    Repeat(usize, usize, usize),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let size = bytes.len().max(1);
        let range = |start: &usize, length: &usize| {
            let start = start % size;
            start.min(bytes.len())..(start + length).min(bytes.len())
        };
        match self {
            Self::Set(at, byte) => {
                if let Some(old) = bytes.get_mut(at % size) {
                    *old = *byte;
                }
            }
            Self::Insert(at, new) => {
                let at = (at % size).min(bytes.len());
                bytes.splice(at..at, new.iter().copied());
            }
            Self::Delete(start, length) => {
                bytes.drain(range(start, length));
            }
            Self::Repeat(start, length, times) => {
                let part = bytes[range(start, length)].repeat(*times);
                let at = start % size;
                bytes.splice(at..at, part);
            }
        }
    }
}

/// What mails are made of, in places where it does not belong.
const PIECES: [&str; 10] = [
    "\r\n\r\n",
    "\n--",
    "Content-Type: ",
    "multipart/mixed; boundary=a",
    "=?utf-8?B?",
    "<div>",
    "\0",
    "=\n",
    "\u{202e}",
    "> ",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0_usize..20_000;
    let new = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..20),
        select(&PIECES).prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (at.clone(), new).prop_map(|(at, new)| Damage::Insert(at, new)),
        (at.clone(), 1_usize..300).prop_map(|(at, length)| Damage::Delete(at, length)),
        (at, 1_usize..100, 1_usize..30)
            .prop_map(|(at, length, times)| Damage::Repeat(at, length, times)),
    ]
}

/// Reads a mail to the last: words, claims, JSON.
fn read_all(bytes: &[u8]) -> Result<Incoming, ReadError> {
    let read = mail::read(bytes, &MailLimits::default())?;
    let host = Mailbox {
        local: "war".into(),
        domain: "example.org".into(),
        delimiter: '+',
    };
    let _ = mail::claims(&read, &host);
    serde_json::to_string(&read).unwrap();
    Ok(read)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_mails_can_be_read(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 1..8),
    ) {
        let mut bytes = which.get(&MAILS).clone();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        if let Ok(read) = read_all(&bytes) {
            let limits = MailLimits::default();
            prop_assert!(read.words.text.len() <= limits.words_bytes);
            prop_assert!(read.words.text.lines().count() <= limits.words_lines);
            prop_assert!(!read.subject.contains(['\r', '\n', '\0']));
            prop_assert!(!read.words.text.contains(['\r', '\0']));
            // What is taken can be given to the order reader as it is.
            SEAT.with(|seat| seat.inspect(&read.words.text))?;
        }
    }

    #[test]
    fn random_bytes_are_no_trouble(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let _ = read_all(&bytes);
        SEAT.with(|seat| seat.inspect(&String::from_utf8_lossy(&bytes)))?;
    }

    #[test]
    fn any_text_can_be_read_as_orders(text in "(\\PC|[ -~]|\n|\t){0,200}") {
        SEAT.with(|seat| seat.inspect(&text))?;
    }

    #[test]
    fn words_of_the_game_in_any_order_can_be_read(
        picks in prop::collection::vec((any::<prop::sample::Index>(), select(vec![" ", " ", " ", ", ", ": ", " - ", "; ", "\n", " + ", " < 0.7", " 1", " >= 3"])), 0..60),
    ) {
        SEAT.with(|seat| {
            let words = seat.words();
            let text: String = picks.iter().flat_map(|(word, sign)| [word.get(&words).as_str(), sign]).collect();
            seat.inspect(&text)
        })?;
    }

    #[test]
    fn orders_with_wrong_words_can_be_read(
        example in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3), 0..4),
    ) {
        SEAT.with(|seat| {
            let (examples, known) = (seat.examples(), seat.words());
            let mut words: Vec<&str> = example.get(&examples).split(' ').collect();
            for (at, new, change) in &changes {
                let (at, new) = (at.index(words.len()), new.get(&known).as_str());
                match change {
                    0 => words[at] = new,
                    1 => words.insert(at, new),
                    _ if words.len() > 1 => drop(words.remove(at)),
                    _ => {}
                }
            }
            seat.inspect(&words.join(" "))
        })?;
    }
}

/// How many times the cost of ordinary orders of the greatest length a text may cost.
const DEAREST: u32 = 50;

/// Texts that cost a naive reader much more than their length: what it finds would take minutes
/// where ordinary orders take less than a second.
#[test]
fn nothing_takes_long() {
    let long: [(&str, String); 7] = [
        (
            "one name again and again",
            "MOVE ".to_owned() + &"Rampon, ".repeat(60),
        ),
        (
            "names that are almost right",
            "MOVE Rampom: Castiglone\n".repeat(2_000),
        ),
        (
            "guards",
            "IF ENEMY AT Lonato: ".repeat(20) + "MOVE Rampon: Lonato",
        ),
        (
            "repetitions",
            "MOVE Rampon: ".to_owned() + &"TO Lonato ".repeat(45),
        ),
        ("signs", ":;,-<>=".repeat(9_000)),
        ("one line", "a ".repeat(32_000)),
        ("accents", "e\u{301}\u{301}\u{301}".repeat(9_000)),
    ];
    SEAT.with(|seat| {
        let ordinary = "MOVE Rampon: Lonato\n".repeat(2_000);
        // Some systems count in steps of milliseconds.
        let once = cost(|| seat.inspect(&ordinary).unwrap())
            .0
            .max(Duration::from_millis(20));
        for (what, text) in long {
            let (took, ()) = cost(|| seat.inspect(&text).unwrap());
            assert!(
                took < once * DEAREST,
                "{what} took {took:?}, ordinary orders {once:?}"
            );
        }
    });
}
