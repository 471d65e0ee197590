//! Properties of reading: it never panics, its spans are right, printing and reading are inverse.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::sync::LazyLock;

use proptest::{prelude::*, sample::select};

use super::{
    Command, Diagnostic, Expect, Order, OrderLine, Reading, explain,
    fixture::OrderTable,
    grammar::OrderForm,
    pattern::{Node, Repeat, Sequence, Slot},
    print, print_command, receipt, settle,
};
use crate::game::Lang;

static TABLE: LazyLock<OrderTable> = LazyLock::new(|| OrderTable::new(Lang::En));
/// A game whose orders begin with places.
static OPEN: LazyLock<OrderTable> = LazyLock::new(|| OrderTable::open(Lang::En));

const PHASES: [&str; 2] = ["movement", "combat"];
const FORMATIONS: [&str; 3] = ["I", "second", "vanguard"];
const PIECES: [&str; 5] = ["Ada", "Albert", "canons de bert", "mill guard", "Carl"];
const NAMES: [&str; 4] = ["Hugo", "gre", "Bert guns", "Q"];
const SPACES: [&str; 6] = [
    "Moulin",
    "castel d'ario",
    "Saint-Cyr",
    "santa rita",
    "Salo",
    "castelnuo",
];
const ROADS: [&str; 3] = [
    "mill-castel d’ario",
    "Castelnuovo – Castel Ario",
    "Santa Rita-Saint-Cyr",
];
const LINES: [&str; 8] = [
    "MOVE ALL AT Mill EXCEPT Carl: - Castel d'Ario - Salò DESTROY Mill-Castel d'Ario FORCED",
    "SI ENNEMI À Salò: DÉPLACER Ada, Bert: Mill; RETREAT NEVER",
    "ELSE: MOVE Ada: Salo # else",
    "RETREAT AFTER 1 AT Mill IF RATIO < 0,7",
    "ANSWER 1: YES TO Salo",
    "ASK RETREAT, MARCH",
    "SHOW LEADERS, Ada & Bert guns",
    "MARCHER TOUS À MOINS DE 2 SI INFÉRIEUR",
];

/// Text that a form accepts, with random spellings.
fn text_of(nodes: &[Node]) -> BoxedStrategy<String> {
    let parts: Vec<_> = nodes.iter().map(node).collect();
    parts.prop_map(|parts| parts.join(" ")).boxed()
}

fn one_of(choices: &[Sequence]) -> BoxedStrategy<String> {
    let choices: Vec<_> = choices.iter().map(|choice| text_of(choice)).collect();
    proptest::strategy::Union::new(choices).boxed()
}

fn some_of(
    strategy: BoxedStrategy<String>,
    least: usize,
    between: &'static str,
) -> BoxedStrategy<String> {
    prop::collection::vec(strategy, least..4)
        .prop_map(move |items| items.join(between))
        .boxed()
}

fn node(node: &Node) -> BoxedStrategy<String> {
    match node {
        Node::Keyword { id, .. } => {
            let spellings: Vec<String> = TABLE.grammar.keywords.spellings(id).collect();
            select(spellings).boxed()
        }
        Node::Sign(sign) => Just(sign.text().to_owned()).boxed(),
        Node::Number(number) => Just(number.to_string()).boxed(),
        Node::Constant { .. } => Just(String::new()).boxed(),
        Node::Slot { slot, .. } => slot_text(*slot),
        Node::Optional(choices) => prop_oneof![Just(String::new()), one_of(choices)].boxed(),
        Node::Group {
            choices, repeat, ..
        } => match repeat {
            Repeat::Once => one_of(choices),
            Repeat::Some { listed } => {
                some_of(one_of(choices), 1, if *listed { " + " } else { " " })
            }
            Repeat::Any { listed } => some_of(one_of(choices), 0, if *listed { ", " } else { " " }),
        },
    }
}

fn slot_text(slot: Slot) -> BoxedStrategy<String> {
    let any = |list: &'static [&'static str]| select(list).prop_map(str::to_owned).boxed();
    match slot {
        Slot::Pieces => prop_oneof![
            some_of(any(&PIECES), 1, ", "),
            Just("ALL".to_owned()),
            any(&SPACES).prop_map(|space| format!("tous a {space}")),
            any(&PIECES).prop_map(|piece| format!("ALL EXCEPT {piece}")),
        ]
        .boxed(),
        Slot::Piece => any(&PIECES),
        Slot::Names => some_of(any(&NAMES), 1, " and "),
        Slot::Space => any(&SPACES),
        Slot::Spaces => some_of(any(&SPACES), 1, " & "),
        Slot::Path => prop_oneof![
            some_of(any(&SPACES), 1, " – "),
            some_of(any(&SPACES), 1, " ")
        ]
        .boxed(),
        Slot::Road | Slot::Side => any(&ROADS),
        Slot::Int => (0i64..=1_000_000).prop_map(|n| n.to_string()).boxed(),
        Slot::Ratio => prop_oneof![
            (0i64..=1000, 1i64..=1000).prop_map(|(a, b)| format!("{a}/{b}")),
            (0i64..50, 0i64..1000).prop_map(|(a, b)| format!("{a}.{b:03}")),
        ]
        .boxed(),
        Slot::Topic => any(&["RETRAITE", "march"]),
        Slot::Topics => some_of(any(&["RETRAITE", "march"]), 1, ", "),
        Slot::Group => any(&["SHELL", "show", "marcher"]),
        Slot::Nation => any(&["Nord", "south"]),
        Slot::Nations => some_of(any(&["Nord", "south"]), 1, ", "),
        Slot::Text => any(&["Hold on", "12; #1 and ALL"]),
        Slot::Formation => any(&FORMATIONS),
        Slot::Formations => some_of(any(&FORMATIONS), 1, " "),
    }
}

fn of_forms(forms: &[OrderForm]) -> BoxedStrategy<String> {
    let forms: Vec<_> = forms.iter().map(|form| text_of(&form.nodes)).collect();
    proptest::strategy::Union::new(forms).boxed()
}

fn any_order() -> BoxedStrategy<String> {
    let verbs = TABLE
        .grammar
        .verbs
        .values()
        .filter(|verb| verb.within.is_empty() && verb.opens.is_none())
        .map(|verb| of_forms(&verb.forms));
    proptest::strategy::Union::new(verbs).boxed()
}

fn any_guarded() -> BoxedStrategy<String> {
    let conditions = TABLE
        .grammar
        .conditions
        .values()
        .map(|condition| of_forms(condition));
    let condition = proptest::strategy::Union::new(conditions);
    (
        condition,
        any_order(),
        prop::collection::vec(any_order(), 0..3),
    )
        .prop_map(|(condition, order, others)| {
            let others: String = others
                .iter()
                .map(|other| format!("\nSINON : {other}"))
                .collect();
            format!("IF {condition}: {order}{others}")
        })
        .boxed()
}

fn any_command() -> BoxedStrategy<String> {
    let commands = TABLE.grammar.commands.values().map(|forms| of_forms(forms));
    let commands = proptest::strategy::Union::new(commands);
    let answers = TABLE.questions.iter().map(|question| {
        let number = question.number;
        of_forms(&TABLE.grammar.topics[&question.topic].forms)
            .prop_map(move |text| format!("{number}: {text}"))
            .boxed()
    });
    prop_oneof![commands, proptest::strategy::Union::new(answers)].boxed()
}

/// The order without its place in the mail.
fn bare(order: &Order) -> Order {
    let mut order = Order {
        line: 0,
        text: String::new(),
        ..order.clone()
    };
    if let Some(guard) = &mut order.guard {
        guard.otherwise = guard.otherwise.iter().map(bare).collect();
    }
    order
}

fn check(wrong: &Diagnostic) {
    let (start, end) = wrong.span;
    assert!(
        start <= end && end <= wrong.text.chars().count(),
        "{wrong:?}"
    );
    for lang in Lang::ALL {
        assert!(
            TABLE.grammar.words[&lang]
                .reasons
                .contains_key(&wrong.reason),
            "{wrong:?}"
        );
        let quoted = if wrong.text.is_empty() { 0 } else { 2 };
        let lines = explain(&TABLE.grammar, wrong, lang);
        assert!(lines.len() > quoted, "{wrong:?}");
    }
}

/// Reads anything, and looks at all that comes of it.
fn survive(text: &str) {
    let reading = TABLE.read_in(text, &PHASES, Lang::En);
    reading.wrong().for_each(check);
    let receipt = receipt(&TABLE.grammar, &TABLE.names, &reading, Lang::Fr);
    assert!(!receipt.is_empty());
    nothing_is_lost(text, &reading);
}

/// The same of a game whose orders begin with places.
fn survive_open(text: &str) {
    let phases = ["moves"];
    let reading = OPEN.read_in(text, &phases, Lang::En);
    assert!(!receipt(&OPEN.grammar, &OPEN.names, &reading, Lang::Fr).is_empty());
    for wrong in reading.wrong() {
        let (start, end) = wrong.span;
        assert!(
            start <= end && end <= wrong.text.chars().count(),
            "{wrong:?}"
        );
    }
    let expect = Expect {
        phases: &phases,
        questions: &[],
        lang: Lang::En,
    };
    let settled = settle(&OPEN.grammar, &OPEN.names, &expect, text, &reading);
    for line in settled.iter().flat_map(|settled| &settled.prose) {
        assert_eq!(
            OPEN.read_in(line, &phases, Lang::En).orders().count(),
            0,
            "{line}"
        );
    }
    for order in reading.orders() {
        let printed = print(&OPEN.grammar, &OPEN.names, order, Lang::En);
        let again = OPEN.read_in(&printed, &phases, Lang::En);
        assert_eq!(
            again.orders().map(bare).collect::<Vec<_>>(),
            [bare(order)],
            "{text} -> {printed}"
        );
    }
}

/// What settles a mail keeps every word of it, and leaves no order out.
fn nothing_is_lost(text: &str, reading: &Reading) {
    let expect = Expect {
        phases: &PHASES,
        questions: &TABLE.questions,
        lang: Lang::En,
    };
    let (grammar, names) = (&TABLE.grammar, &TABLE.names);
    let Some(settled) = settle(grammar, names, &expect, text, reading) else {
        return;
    };
    let words = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.sort();
        words
    };
    let all = format!("{}\n{}", settled.text, settled.prose.join("\n"));
    assert_eq!(words(&all), words(text));
    for line in &settled.prose {
        let reading = TABLE.read_in(line, &PHASES, Lang::En);
        assert_eq!(reading.orders().count(), 0, "{line}");
    }
}

fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0usize..6, any::<char>());
    (
        prop::collection::vec(select(&LINES[..]), 1..4),
        prop::collection::vec(change, 1..8),
    )
        .prop_map(|(lines, changes)| {
            let mut chars: Vec<char> = lines.join("\n").chars().collect();
            for (place, what, c) in changes {
                let at = place.index(chars.len().max(1)).min(chars.len());
                match what {
                    0 => chars.insert(at, c),
                    1 => chars.truncate(at),
                    2 => chars.extend_from_within(at..),
                    3 => chars.insert(at, ' '),
                    4 => chars.insert(at, ':'),
                    _ => drop(chars.drain(at..(at + 1).min(chars.len()))),
                }
            }
            chars.into_iter().collect()
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

    #[test]
    fn anything_is_survived(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        survive(&text);
        survive(&String::from_utf8_lossy(&bytes));
        survive_open(&text);
    }

    #[test]
    fn words_of_orders_that_begin_with_places_are_survived(
        words in prop::collection::vec(select(vec![
            "F", "B", "the", "in", "Par", "Burgo", "StP", "/", "(nc)", "SC", "-", "->", "TO", "H", "S", "C", "Southern", "Sue", "NTH",
            "Mer du Nord", "via boat", "BUILD", "FLEE", "disband", ",", ";", "#", "à", "Kile", "YIELD TO", "NOTHING", "ADD", "IF", "\n",
        ]), 0..40)
    ) {
        survive_open(&words.join(" "));
        survive_open(&words.concat());
    }

    #[test]
    fn mutated_orders_are_survived(text in mutated()) {
        survive(&text);
    }

    #[test]
    fn broken_lines_and_words_around_them_are_survived(
        lines in prop::collection::vec(select(&LINES[..]), 1..6),
        words in "[a-z]{1,8}( [a-z]{1,8}){0,12}",
        width in 20usize..90,
    ) {
        let orders = lines.join("\n");
        let mut broken = String::new();
        let mut column = 0;
        for word in orders.split(' ') {
            column += word.len() + 1;
            broken.push(if column > width { '\n' } else { ' ' });
            column = if column > width { word.len() } else { column };
            broken.push_str(word);
        }
        survive(&format!("{words}\n{broken}\n{words}\n"));
    }

    #[test]
    fn words_of_the_language_in_any_order_are_survived(
        words in prop::collection::vec(select(vec![
            "MOVE", "Ada", "Mill", ":", "-", "ALL", "AT", "EXCEPT", "IF", "ELSE", "1", "0.7", "<", ">=", "RETREAT", "AFTER",
            "FORCED", "ASK", "ANSWER", ",", ";", "#", "SHOW", "à", "MOINS", "DE", "Castel", "d'", "CANCEL", "ADD", "\n",
        ]), 0..60)
    ) {
        survive(&words.join(" "));
    }

    #[test]
    fn printed_orders_read_back(text in prop_oneof![any_order(), any_guarded()]) {
        let reading = TABLE.read_in(&text, &PHASES, Lang::En);
        let order = reading.orders().next();
        prop_assert!(order.is_some() && reading.lines.len() == 1, "{text}\n{reading:#?}");
        let order = order.unwrap();
        for lang in Lang::ALL {
            let printed = print(&TABLE.grammar, &TABLE.names, order, lang);
            let again = TABLE.read_in(&printed, &PHASES, lang);
            prop_assert_eq!(again.orders().map(bare).collect::<Vec<_>>(), [bare(order)], "{} -> {}", text, printed);
        }
    }

    #[test]
    fn printed_commands_read_back(text in any_command()) {
        let command = |text: &str| -> Option<Command> {
            match TABLE.read_in(text, &PHASES, Lang::En).lines.as_slice() {
                [(_, OrderLine::Command(command))] => Some(command.clone()),
                _ => None,
            }
        };
        let read = command(&text);
        prop_assert!(read.is_some(), "{text}");
        for lang in Lang::ALL {
            let printed = print_command(&TABLE.grammar, &TABLE.names, read.as_ref().unwrap(), lang);
            prop_assert_eq!(command(&printed), read.clone(), "{} -> {}", text, printed);
        }
    }
}

/// No line of the greatest length takes a time that grows faster than the line. The bound is
/// generous: it is meant to catch what explodes, on any machine and without optimisation.
#[test]
fn the_worst_mails_are_read_in_time() {
    let worst = [
        "IF ".repeat(160),
        format!("MOVE {}", "Ada,".repeat(120)),
        format!("MOVE Ada: {}", "Mill ".repeat(95)),
        format!("MOVE Ada: {}", "DESTROY Mill-Castel d'Ario ".repeat(17)),
        "a;".repeat(249),
        "ALL AT EXCEPT ".repeat(35),
        "Castel".repeat(80),
        "- : , < > = + & / ".repeat(27),
        "a fairly long letter about nothing at all, ".repeat(11),
        "Mlil ".repeat(99),
        "F Par S ".repeat(60),
        format!("F Par S {}", "the ".repeat(110)),
        "F Par - Bur, ".repeat(38),
    ];
    for line in worst {
        let mail = format!("{line}\n").repeat(130);
        let start = std::time::Instant::now();
        survive(&mail);
        survive_open(&mail);
        let taken = start.elapsed();

        assert!(taken.as_secs() < 10, "{taken:?}: {line}");
    }
}
