//! What must hold for whatever a stranger sends. The fuzzer tries it on bytes of its own making
//! (`cargo fuzz run mail_read`), and `tests/suite/hostile/finds.rs` on the sample mails and on
//! everything that was ever found.

use std::{cell::OnceCell, collections::BTreeMap};

use estafette::{
    campaign::{
        model::{errands::Errand, recipient::Recipient},
        words::errand_lines,
    },
    dice::{LedgerLine, PrivateBlock, Receipt, SourceValue, register::find_entries},
    game::{EmbeddedFiles, Game, Lang},
    mail::{
        self, AutoReason, Fate, Incoming, LETTER_HEAD, MailLimits, MailWords, Mailbox, words_of,
    },
    orders::{self, Expect, Grammar, MAX_LINES, QuestionForm, Vocabulary},
    world::World,
};

/// A game with every kind of slot that the order language has.
const GAME: &str = "castiglione";

/// A game whose orders begin with a place.
const GAME_OF_PLACES: &str = "diplomacy";
/// The lines of a text that are read in other ways too, which takes a while.
const MOST_GUESSED: usize = 10;

/// A mail is read or refused; whatever comes out of it is clean and within the limits.
pub fn mail_read(bytes: &[u8]) {
    let limits = MailLimits::default();
    let read = mail::read(bytes, &limits);
    assert_eq!(read, mail::read(bytes, &limits), "two readings differ");
    let Ok(mail) = read else { return };
    is_clean_mail(&mail, &limits);
    let host = Mailbox {
        local: "war".to_owned(),
        domain: "example.org".to_owned(),
        delimiter: '+',
    };
    for claim in mail::claims(&mail, &host) {
        assert!(is_line(&claim.campaign) && is_line(&claim.seat));
    }
}

fn is_clean_mail(mail: &Incoming, limits: &MailLimits) {
    let lines = [&mail.subject, &mail.from.email]
        .into_iter()
        .chain(&mail.recipients)
        .chain(&mail.from.name)
        .chain(&mail.message_id)
        .chain(&mail.in_reply_to)
        .chain(&mail.references);
    for line in lines {
        assert!(is_line(line), "{line:?}");
    }
    are_sound(&mail.words, limits);
    for file in &mail.words.attached {
        assert!(is_line(&file.name) && is_text(&file.text));
    }
    assert!(mail.words.attached.len() <= limits.files);
}

/// The own words of a text are lines of it; quotations and our own letters are none of them.
pub fn own_words(bytes: &[u8]) {
    let limits = MailLimits::default();
    let text = String::from_utf8_lossy(bytes);
    are_sound(&words_of(&text, &limits), &limits);
    // Whatever a text looks like, a letter of ours below it never adds a word.
    if text.contains("ZQX") {
        return;
    }
    let marked = format!(
        "{text}\n{LETTER_HEAD}\nZQX MOVE\nregister 3 {}\n",
        "ab".repeat(32)
    );
    assert!(!words_of(&marked, &limits).text.contains("ZQX"));
}

fn are_sound(words: &MailWords, limits: &MailLimits) {
    assert!(is_text(&words.text));
    assert!(
        words.text.len() <= limits.words_bytes && words.text.lines().count() <= limits.words_lines
    );
    assert!(words.lines.len() <= limits.text_lines);
    if words.problem.is_some() {
        assert!(words.text.is_empty());
        return;
    }
    let taken: Vec<&str> = words
        .lines
        .iter()
        .filter(|line| line.fate == Fate::Taken)
        .map(|line| line.text.as_str())
        .collect();
    let taken = taken.join("\n");
    assert!(taken.contains(&words.text), "words from nowhere");
    for line in words.text.lines() {
        assert!(!line.trim_start().starts_with(['>', '|']), "{line:?}");
    }
    let left: usize = words.left_out().values().sum();
    let written = words
        .lines
        .iter()
        .filter(|line| !line.text.trim().is_empty());
    assert_eq!(left + words.count(Fate::Taken), written.count());
}

/// Orders are read in any words, and what was understood is understood again when it is printed.
pub fn orders(bytes: &[u8]) {
    thread_local! {
        static READER: OnceCell<OrderReader> = const { OnceCell::new() };
    }
    READER.with(|reader| reading(reader.get_or_init(|| reader_of(GAME)), bytes));
}

/// The same where orders begin with a place; what else a line may mean is an order too, and is
/// found again in the same way.
pub fn place_orders(bytes: &[u8]) {
    thread_local! {
        static READER: OnceCell<OrderReader> = const { OnceCell::new() };
    }
    READER.with(|reader| {
        let reader = reader.get_or_init(|| reader_of(GAME_OF_PLACES));
        reading(reader, bytes);
        let (game, grammar, vocabulary) = reader;
        let phases = phases_of(game);
        let expect = Expect {
            phases: &phases,
            questions: &[],
            lang: Lang::En,
        };
        for line in String::from_utf8_lossy(bytes).lines().take(MOST_GUESSED) {
            let found = orders::other_readings(grammar, vocabulary, &expect, line);
            let orders = found.iter().filter_map(|line| match line {
                orders::OrderLine::Order(order) => Some(order),
                _ => None,
            });
            for order in orders {
                let printed = orders::print(grammar, vocabulary, order, Lang::En);
                let again = orders::read(grammar, vocabulary, &expect, &printed);
                let same = |known: &orders::Order| {
                    (&known.verb, &known.args) == (&order.verb, &order.args)
                };
                assert!(again.orders().any(same), "{line:?} as {printed:?}");
            }
            let again = orders::other_readings(grammar, vocabulary, &expect, line);
            assert_eq!(found, again);
        }
    });
}

/// A game with its order language and the names that somebody knows.
type OrderReader = (Game, Grammar, Vocabulary);

fn reader_of(game: &str) -> OrderReader {
    let game = Game::load(&EmbeddedFiles, game).expect("a game that is shipped");
    let grammar = Grammar::new(&game.decl, &BTreeMap::new()).expect("its orders");
    let vocabulary = Vocabulary::of_view(&game, &World::default(), Lang::En);
    (game, grammar, vocabulary)
}

fn phases_of(game: &Game) -> Vec<&str> {
    let verbs = game.decl.orders.verbs.values();
    verbs
        .flat_map(|verb| verb.phases.iter().map(String::as_str))
        .collect()
}

fn reading((game, grammar, vocabulary): &OrderReader, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let phases = phases_of(game);
    let questions: Vec<QuestionForm> = (1..)
        .zip(game.decl.orders.topics.keys())
        .map(|(number, topic)| QuestionForm::new(number, topic))
        .collect();
    let expect = Expect {
        phases: &phases,
        questions: &questions,
        lang: Lang::En,
    };
    let reading = orders::read(grammar, vocabulary, &expect, &text);
    assert!(reading.lines.len() <= MAX_LINES + 1);
    if let Some(settled) = orders::settle(grammar, vocabulary, &expect, &text, &reading) {
        let words: usize = settled
            .prose
            .iter()
            .map(|line| line.split_whitespace().count())
            .sum();
        let kept = settled.text.split_whitespace().count();
        assert_eq!(
            kept + words,
            text.split_whitespace().count(),
            "a word is lost"
        );
    }
    for order in reading.orders() {
        let printed = orders::print(grammar, vocabulary, order, Lang::En);
        let again = orders::read(grammar, vocabulary, &expect, &printed);
        let again: Vec<_> = again.orders().collect();
        let [again] = again.as_slice() else {
            panic!(
                "{:?}, printed as {printed:?}, is no order any more",
                order.text
            )
        };
        assert_eq!(orders::print(grammar, vocabulary, again, Lang::En), printed);
    }
    for line in orders::receipt(grammar, vocabulary, &reading, Lang::Fr) {
        assert!(is_line(&line), "{line:?}");
    }
}

/// A delivery report with these bytes as its machine-readable part is a report, and never carries
/// orders.
pub fn bounce(bytes: &[u8]) {
    mail_read(bytes);
    let mut mail = b"From: mailer-daemon@example.org\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
        --b\r\n\r\nMOVE\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        .to_vec();
    mail.extend_from_slice(bytes);
    mail.extend_from_slice(b"\r\n--b--\r\n");
    let Ok(mail) = mail::read(&mail, &MailLimits::default()) else {
        return;
    };
    let Some(reason) = &mail.automatic else {
        panic!("a report is automatic")
    };
    assert!(!reason.may_carry_orders());
    if let AutoReason::DeliveryReport(report) = reason {
        for status in &report.recipients {
            assert!(
                is_line(&status.recipient) && is_line(&status.action) && is_line(&status.status)
            );
        }
        assert!(report.about.as_deref().is_none_or(is_line));
    }
}

/// Register entries and private blocks are found in any text; one that is read is written as it was
/// read.
pub fn register_entry(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for entry in find_entries(&text).into_iter().flatten() {
        let written = entry.to_string();
        let again = find_entries(&written);
        assert!(
            matches!(again.as_slice(), [Ok(again)] if *again == entry),
            "{written}"
        );
    }
    for block in PrivateBlock::find(&text).into_iter().flatten() {
        let written = block.to_string();
        let again = PrivateBlock::find(&written);
        assert!(
            matches!(again.as_slice(), [Ok(again)] if *again == block),
            "{written}"
        );
    }
    for line in text.lines() {
        if let Ok(receipt) = line.parse::<Receipt>() {
            assert_eq!(receipt.to_string(), line);
        }
        if let Ok(roll) = line.parse::<LedgerLine>() {
            assert_eq!(roll.to_string(), line);
        }
        if let Ok(value) = line.parse::<SourceValue>() {
            assert_eq!(value.to_string(), line);
        }
    }
}

/// One line without control characters.
fn is_line(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// Lines without control characters but tabs.
fn is_text(text: &str) -> bool {
    !text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\t'))
}

/// Errands are read in any words: no line is made up, none that the game reads becomes an errand,
/// a letter to others is bounded and holds no order of the mail.
pub fn errands(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let resolve = |name: &str| match name {
        "blue" => Some(vec![Recipient::Seat("blue".into())]),
        "umpire" => Some(vec![Recipient::Umpire]),
        "all" => Some(Vec::new()),
        _ => None,
    };
    let is_order = |line: &str| line.to_ascii_lowercase().contains("back");
    let found = errand_lines::read_errands(&text, resolve, is_order);
    assert!(found.errands.len() <= errand_lines::MOST);
    let mut lines = text.lines();
    for line in found.rest.lines() {
        assert!(
            lines.any(|known| known == line),
            "a line is made up: {line}"
        );
    }
    for line in &found.errands {
        assert_ne!(line.errand, Errand::Back, "an order became an errand");
        if let Errand::Press { words, to, .. } = &line.errand {
            assert!(!to.is_empty() && !words.trim().is_empty());
            assert!(words.chars().count() <= errand_lines::LONGEST_WORDS);
            assert!(!words.chars().any(|c| c.is_control() && c != '\n'));
        }
    }
}
