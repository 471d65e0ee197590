//! The host's own letters never become orders, however a mail program sends them back: without a
//! mark of quotation, broken into short lines, as HTML alone, or a line at a time.

use std::{collections::BTreeSet, fs, process::Command, sync::LazyLock};

use crate::support::Letter;
use estafette::{
    campaign::{
        self, durable,
        model::{context::Context, state::State},
        words::moment::Moment,
    },
    ids::SeatId,
    mail::{Incoming, LETTER_HEAD, MailLimits, read},
    orders::{OrderLine, QuestionForm},
};
use tempfile::TempDir;

/// A campaign of two turns with moves, combats, questions, wrong lines and standing orders, in both
/// languages.
static PLAYED: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let demo = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .args(["demo", "--out"])
        .arg(folder.path().join("demo"))
        .output()
        .unwrap();
    assert!(demo.status.success());
    folder
});

fn played() -> (Context, State, Vec<(SeatId, Letter)>) {
    let out = PLAYED.path().join("demo");
    let (_, context, state) = durable::look(&out.join("campaign")).unwrap();
    let mut letters = Vec::new();
    for seat in context.settings().seats.ids() {
        let mut files: Vec<_> = fs::read_dir(out.join("letters").join(seat.as_str()))
            .unwrap()
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "eml"))
            .collect();
        files.sort();
        letters.extend(
            files
                .iter()
                .map(|file| (seat.clone(), Letter::read(&fs::read(file).unwrap()))),
        );
    }
    (context, state, letters)
}

fn mail(kind: &str, body: &str) -> Incoming {
    let head = "From: ada@example.net\r\nTo: war@example.org\r\nMIME-Version: 1.0\r\n";
    let mail = format!("{head}Content-Type: text/{kind}; charset=utf-8\r\n\r\n{body}");
    read(mail.as_bytes(), &MailLimits::default()).unwrap()
}

/// Breaks lines as a careless program does, anywhere between two words.
fn broken(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut length = 0;
        for word in line.split(' ') {
            if length > 0 && length + word.chars().count() > columns {
                out.push('\n');
                length = 0;
            }
            out.push_str(word);
            out.push(' ');
            length += word.chars().count() + 1;
        }
        out.push('\n');
    }
    out
}

#[test]
fn a_letter_sent_back_whole_has_no_words_of_the_player() {
    let (_, _, letters) = played();
    assert!(letters.len() >= 20);
    for (seat, letter) in &letters {
        let what = format!("{seat}: {}", letter.subject);
        assert_eq!(letter.text.lines().next(), Some(LETTER_HEAD), "{what}");
        let broken = broken(&letter.text, 60);
        let mut forms = vec![("plain", &letter.text), ("plain", &broken)];
        forms.extend(letter.html.iter().map(|page| ("html", page)));
        for (kind, text) in forms {
            assert_eq!(mail(kind, text).words.text, "", "{what}, {kind}");
            // Orders on either side of it are still the player's.
            let (above, below) = match kind {
                "html" => ("<p>HOLD above</p>", "<p>HOLD below</p>"),
                _ => ("HOLD above\n\n", "\nHOLD below\n"),
            };
            let both = mail(kind, &format!("{above}{text}{below}")).words;
            let words: Vec<&str> = both.text.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(words, ["HOLD above", "HOLD below"], "{what}, {kind}");
        }
    }
}

/// Everything that a seat may be asked: all phases at once, or questions of one topic.
fn moments(context: &Context, state: &State, seat: &SeatId) -> Vec<Moment> {
    let decl = &context.game().decl;
    let phases: BTreeSet<String> = (decl.orders.verbs.values())
        .flat_map(|verb| verb.phases.iter().map(ToString::to_string))
        .collect();
    let view = || state.world.seen_by(context.game(), seat);
    let questions = |topic: &str| {
        let question = |number| QuestionForm::new(number, topic);
        (1..=30).map(question).collect()
    };
    let lang = campaign::lang(context, state, seat);
    let orders = Moment {
        lang,
        view: view(),
        phases: phases.into_iter().collect(),
        questions: Vec::new(),
        public: false,
        names: Default::default(),
    };
    let answers = decl.orders.topics.keys().map(|topic| Moment {
        lang,
        view: view(),
        phases: Vec::new(),
        questions: questions(topic),
        public: false,
        names: Default::default(),
    });
    [orders].into_iter().chain(answers).collect()
}

#[test]
fn no_line_of_a_letter_is_an_order_by_itself() {
    let (context, state, letters) = played();
    for seat in context.settings().seats.ids() {
        let own = letters.iter().filter(|(of, _)| of == seat);
        let lines: BTreeSet<&str> = own.flat_map(|(_, letter)| letter.text.lines()).collect();
        let taken: Vec<String> = lines
            .into_iter()
            .map(|line| mail("plain", line).words.text)
            .filter(|line| !line.is_empty())
            .collect();
        assert!(taken.len() > 100, "the letters have prose");
        for moment in moments(&context, &state, seat) {
            for lines in taken.chunks(400) {
                let words = lines.join("\n");
                let understood = campaign::understand(&context, &moment, seat, &words).unwrap();
                for (number, line) in &understood.reading.lines {
                    assert!(
                        matches!(line, OrderLine::Wrong(_)),
                        "{seat}: an order: {}",
                        lines[number - 1]
                    );
                }
            }
        }
    }
}
