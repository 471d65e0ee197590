//! Letters other than dispatches. Their words and subjects are in `templates/`, a file for each
//! kind of letter and language: the first line is the subject, the others are the text.

use std::sync::LazyLock;

use jiff::SignedDuration;
use minijinja::{AutoEscape, Environment, Value, context, syntax::SyntaxConfig};
use serde::Serialize;

use super::{
    Document,
    jinja::data,
    layout::{reflow, wrap},
    phrases::Phrases,
    text::forces,
    when::span,
};
use crate::{
    game::{self, Game, Lang},
    mail::LETTER_HEAD,
    templates,
};

static ENGLISH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Lang::En));
static FRENCH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Lang::Fr));

/// The templates of a language by name: those in its folder, and those that all languages share.
fn sources(lang: Lang) -> impl Iterator<Item = (&'static str, &'static str)> {
    templates::files(lang.code())
        .filter(|(name, _)| name.ends_with(".html") || name.ends_with(".txt"))
}

/// The host's templates of a language, compiled once.
pub(super) fn templates(lang: Lang) -> &'static Environment<'static> {
    match lang {
        Lang::En => &ENGLISH,
        Lang::Fr => &FRENCH,
    }
}

/// A template that can't be compiled is left out; the tests make sure that none is.
fn environment(lang: Lang) -> Environment<'static> {
    let mut env = Environment::new();
    // Tags on lines of their own leave no empty lines behind. These settings are always valid.
    if let Ok(syntax) = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
    {
        env.set_syntax(syntax);
    }
    env.set_auto_escape_callback(|name| {
        if name.ends_with(".html") {
            AutoEscape::Html
        } else {
            AutoEscape::None
        }
    });
    env.add_filter("indent_by", |text: String, by: usize| {
        wrap(&text, &" ".repeat(by), &" ".repeat(by)).join("\n")
    });
    // After a number and a stroke, a line counts neither as an order nor as an answer when it is
    // sent back.
    env.add_filter("numbered", |text: String, number: usize| {
        wrap(&text, &format!("{number:3} | "), "    | ").join("\n")
    });
    for (name, source) in sources(lang) {
        let (subject, text) = parts(source);
        if let Some(subject) = subject {
            let _ = env.add_template_owned(format!("{name}.subject"), subject);
        }
        // Nothing can be done about a broken one here: rendering it says so.
        let _ = env.add_template(name, text);
    }
    env
}

/// The subject and the text of a template; a part of a letter has no subject.
fn parts(source: &str) -> (Option<&str>, &str) {
    match source.strip_prefix("Subject: ") {
        Some(rest) => {
            let (subject, text) = rest.split_once('\n').unwrap_or((rest, ""));
            (Some(subject), text)
        }
        None => (None, source),
    }
}

/// The words of a letter without a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LetterText {
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub text: String,
}

/// The words of a letter of this kind: its template with these arguments, below the line that
/// identifies a letter. If the template fails, the words say so, since no letter may get lost for
/// lack of words; tests make sure that none fails.
#[must_use]
pub fn letter(lang: Lang, kind: &str, args: Value) -> LetterText {
    let render = |name: String| {
        let found = templates(lang).get_template(&name);
        let rendered = found.and_then(|template| template.render(&args));
        rendered.map_err(|error| format!("{name}: {error}\n"))
    };
    let text = render(format!("{kind}.txt")).map_or_else(|error| error, |text| reflow(&text));
    LetterText {
        subject: render(format!("{kind}.txt.subject")).unwrap_or_else(|error| error),
        text: format!("{LETTER_HEAD}\n\n{text}"),
    }
}

/// A seat as the opening letter names it.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningSeat {
    /// The seat.
    pub seat: String,
    /// Its side's name.
    pub side: String,
    /// The player's name, as the others may know it; may be empty.
    pub player: String,
}

/// A kind of order as the opening letter explains it.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningOrder {
    /// A sentence on what it does.
    pub about: String,
    /// Lines that the reader could write.
    pub examples: Vec<String>,
    /// The outcome without it; standing orders only.
    pub default: Option<String>,
    /// True if it stays in force.
    pub standing: bool,
}

/// The letter that opens a campaign.
#[derive(Clone, Debug)]
pub struct OpeningLetter<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game.
    pub game: &'a Game,
    /// The campaign's title.
    pub campaign: &'a str,
    /// The campaign's title.
    pub title: &'a str,
    /// The scenario's title.
    pub scenario: &'a str,
    /// A paragraph about the scenario; empty if the game has none.
    pub scenario_about: &'a str,
    /// The reader's seat.
    pub seat: &'a str,
    /// All seats.
    pub seats: &'a [OpeningSeat],
    /// The address for orders.
    pub address: &'a str,
    /// The umpire's address.
    pub umpire: &'a str,
    /// How many letters with questions a seat gets in a turn.
    pub questions_per_turn: u32,
    /// How long after a seal dispatches go out, if that is fixed.
    pub dispatch_after: Option<SignedDuration>,
    /// Options with their values, printed.
    pub options: &'a [String],
    /// How the campaign is played with some of them, a paragraph each.
    pub primers: &'a [String],
    /// Where dice come from: `beacon`, `witness` or `mail` (dice protocol, section 5).
    pub dice_mode: &'a str,
    /// The orders that players can give.
    pub orders: &'a [OpeningOrder],
    /// The topics that may be put on ASK.
    pub topics: &'a [String],
    /// The topics that are asked about until the reader says DONT ASK.
    pub asked_topics: &'a [String],
    /// True if the letter brings the whole map as a page to print.
    pub has_page: bool,
    /// Who may look on, if anybody may: `public`, `delayed` or `ended`, with a seat and turns.
    pub observers: Option<(&'a str, &'a str, u32)>,
    /// Examples of orders with a condition.
    pub conditions: &'a [String],
}

/// One-time orders, or standing ones.
#[derive(Serialize)]
struct OpeningPart<'a> {
    standing: bool,
    orders: Vec<&'a OpeningOrder>,
}

/// The words of an opening letter, above the register's entries.
#[must_use]
pub fn opening(opening: &OpeningLetter<'_>) -> LetterText {
    let decl = &opening.game.decl;
    letter(
        opening.lang,
        "opening",
        context! {
            campaign => opening.campaign,
            title => opening.title,
            game => game::said(&decl.title, opening.lang),
            about => game::said(&decl.about, opening.lang).trim(),
            scenario => opening.scenario,
            scenario_about => opening.scenario_about,
            seat => opening.seat,
            side => opening.seats.iter().find(|one| one.seat == opening.seat).map(|one| one.side.as_str()),
            seats => data(&opening.seats),
            address => opening.address,
            umpire => opening.umpire,
            questions => opening.questions_per_turn,
            dispatch_after => opening.dispatch_after.map(span),
            options => data(&opening.options),
            primers => data(&opening.primers),
            rulebook => game::said(&decl.rulebook, opening.lang),
            glossary => data(&glossary(opening.game, opening.lang)),
            dice => decl.dice,
            each_for_itself => decl.is_each_for_itself(),
            mode => opening.dice_mode,
            parts => data(&[false, true].map(|standing| OpeningPart {
                standing,
                orders: opening.orders.iter().filter(|order| order.standing == standing).collect(),
            })),
            topics => data(&opening.topics),
            asked_topics => data(&opening.asked_topics),
            has_page => opening.has_page,
            observers => data(&opening.observers),
            conditions => data(&opening.conditions),
        },
    )
}

/// A word of letters, explained.
#[derive(Serialize)]
struct GlossaryEntry<'a> {
    word: &'a str,
    meaning: &'a str,
}

/// The abbreviations of a game, and the signs on its counters.
fn glossary(game: &Game, lang: Lang) -> Vec<GlossaryEntry<'_>> {
    let text = game.words(lang);
    let words = text.into_iter().flat_map(|text| &text.glossary);
    let words = words.map(|(word, meaning)| GlossaryEntry { word, meaning });
    let signs = game.decl.display.marks.iter().map(|mark| GlossaryEntry {
        word: game::said(&mark.sign, lang),
        meaning: game::said(&mark.words, lang),
    });
    words.chain(signs).collect()
}

/// How everybody knows that a reader is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicQuestion {
    /// The answer ends an envelope of dice.
    WithDice,
    /// The game has no dice.
    Plain,
}

impl PublicQuestion {
    /// How a game's questions are known, if they are.
    #[must_use]
    pub fn of(game: &Game, public: bool) -> Option<Self> {
        let kind = if game.decl.dice {
            Self::WithDice
        } else {
            Self::Plain
        };
        public.then_some(kind)
    }
}

/// The words of a letter with questions in the middle of a phase: first the questions, then what
/// the seat knows so far, then its own forces. `public`: everybody knows that the reader is asked.
#[must_use]
pub fn question(document: &Document, public: Option<PublicQuestion>) -> LetterText {
    let mut words = letter(
        document.lang,
        "question",
        context! {
            subject => document.subject.as_str(),
            heading => data(&document.heading),
            asked => data(&document.asked),
            happened => data(&document.happened),
            public => in_public(document.lang, public),
        },
    );
    words.text.push_str(&forces(document));
    words
}

/// The remark on a question that everybody knows of; empty for a quiet one.
pub(super) fn in_public(lang: Lang, public: Option<PublicQuestion>) -> String {
    let key = match public {
        Some(PublicQuestion::WithDice) => "asked_in_public",
        Some(PublicQuestion::Plain) => "asked_in_public_plain",
        None => return String::new(),
    };
    Phrases::of(lang).get(key).trim().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use regex::Regex;

    use super::{Lang, parts, sources, templates};

    /// Parts of letters, which have no subject.
    const PARTS: [&str; 4] = [
        "club_ended.txt",
        "club_results.txt",
        "club_table_of.txt",
        "left_out.txt",
    ];

    #[test]
    fn every_template_compiles_in_every_language() {
        let names = |lang| sources(lang).map(|(name, _)| name).collect::<BTreeSet<_>>();
        for lang in Lang::ALL {
            assert_eq!(names(lang), names(Lang::En));
            for (name, source) in sources(lang) {
                let whole = name.ends_with(".txt") && !PARTS.contains(&name);
                assert_eq!(parts(source).0.is_some(), whole, "{}/{name}", lang.code());
                let subject = whole.then(|| format!("{name}.subject"));
                for name in [name.to_owned()].into_iter().chain(subject) {
                    if let Err(error) = templates(lang).get_template(&name) {
                        panic!("{}/{name}: {error}", lang.code());
                    }
                }
            }
        }
    }

    /// A kind of letter that has no template would go out without words.
    #[test]
    fn kinds_of_letters_are_those_that_have_templates() {
        let kinds = r#"(?:\b(?:letter\(\s*[\w.:]+,\s*|noticed\()"(\w+)"|\(\s*"(club_\w+)")"#;
        let kinds = Regex::new(kinds).unwrap();
        let sources_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = ["campaign", "club", "dispatch"]
            .map(|room| sources_in.join(room))
            .to_vec();
        let mut written = BTreeSet::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let source = fs::read_to_string(path).unwrap_or_default();
                    let program = source.split("#[cfg(test)]").next().unwrap_or_default();
                    let found = kinds.captures_iter(program);
                    let found = found.filter_map(|found| found.get(1).or(found.get(2)));
                    written.extend(found.map(|kind| format!("{}.txt", kind.as_str())));
                }
            }
        }
        let letters = sources(Lang::En).map(|(name, _)| name.to_owned());
        let letters = letters.filter(|name| name.ends_with(".txt"));
        let letters = letters.filter(|name| !PARTS.contains(&name.as_str()));
        assert_eq!(written, letters.collect());
    }
}
