//! Letters that are no dispatches: opening, question, refusal, a stopped phase. The words stand in
//! `templates/`.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use minijinja::{AutoEscape, Environment, Value, context, syntax::SyntaxConfig};
use serde::Serialize;

use super::{
    Document, Words,
    jinja::data,
    layout::{reflow, wrap},
    text::forces,
    when::{moment, span},
};
use crate::{
    game::{self, Game, Lang},
    mail::LETTER_HEAD,
};

/// What `templates/` holds: the page, and a folder of letters for each language.
static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static ENGLISH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Lang::En));
static FRENCH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Lang::Fr));

/// The templates of a language by their names: those of its folder, and those that all languages
/// share.
fn sources(lang: Lang) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = TEMPLATES.get_dir(lang.code()).into_iter();
    let files = TEMPLATES.files().chain(own.flat_map(Dir::files));
    files.filter_map(|file| {
        let name = file.path().file_name()?.to_str()?;
        let is_template = name.ends_with(".html") || name.ends_with(".txt");
        is_template.then_some((name, file.contents_utf8()?))
    })
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
    // Tags on lines of their own leave no lines behind. These settings are always legal.
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
    // Behind its number and a stroke a line is no order, and not what answers a question, when it
    // is sent back.
    env.add_filter("numbered", |text: String, number: usize| {
        wrap(&text, &format!("{number:3} | "), "    | ").join("\n")
    });
    for (name, source) in sources(lang) {
        // Nothing to be done about a broken one here: rendering it says so.
        let _ = env.add_template(name, source);
    }
    env
}

/// A letter of text, below the line by which it is known again; its name if the template fails, so
/// that a mail never gets lost for want of words.
pub(super) fn letter(lang: Lang, name: &str, args: Value) -> String {
    let found = templates(lang).get_template(name);
    let text = found.and_then(|template| template.render(args));
    let text = text.map_or_else(|error| format!("{name}: {error}\n"), |text| reflow(&text));
    format!("{LETTER_HEAD}\n\n{text}")
}

/// A seat as the opening letter names it.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningSeat {
    /// The seat.
    pub seat: String,
    /// Its side's name.
    pub side: String,
    /// The player's address, as the umpire lets the others know it; may be empty.
    pub player: String,
}

/// A kind of order as the opening letter explains it.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningOrder {
    /// What it does.
    pub about: String,
    /// Lines that the reader could write.
    pub examples: Vec<String>,
    /// What happens without it; standing orders only.
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
    /// The campaign's id.
    pub campaign: &'a str,
    /// The campaign's name.
    pub title: &'a str,
    /// The scenario's title.
    pub scenario: &'a str,
    /// What it is about, a paragraph; empty if the game says nothing.
    pub scenario_about: &'a str,
    /// The reader's seat.
    pub seat: &'a str,
    /// All seats.
    pub seats: &'a [OpeningSeat],
    /// Where orders go.
    pub address: &'a str,
    /// The umpire's address.
    pub umpire: &'a str,
    /// How many question mails a seat gets in a turn.
    pub questions_per_turn: u32,
    /// How long after a seal dispatches go out, where that is fixed.
    pub dispatch_after: Option<SignedDuration>,
    /// Options with their values, printed.
    pub options: &'a [String],
    /// How the campaign is played with some of them, a paragraph each.
    pub primers: &'a [String],
    /// Where dice come from: `beacon`, `witness` or `mail` (dice protocol, section 5).
    pub dice_mode: &'a str,
    /// The orders that there are.
    pub orders: &'a [OpeningOrder],
    /// The topics that may be put on ASK.
    pub topics: &'a [String],
    /// Examples of orders with a condition.
    pub conditions: &'a [String],
}

/// Orders for once, or standing ones.
#[derive(Serialize)]
struct OpeningPart<'a> {
    standing: bool,
    orders: Vec<&'a OpeningOrder>,
}

/// The text of an opening letter, above the register's entries.
#[must_use]
pub fn opening(opening: &OpeningLetter<'_>) -> String {
    let decl = &opening.game.decl;
    letter(
        opening.lang,
        "opening.txt",
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
            mode => opening.dice_mode,
            parts => data(&[false, true].map(|standing| OpeningPart {
                standing,
                orders: opening.orders.iter().filter(|order| order.standing == standing).collect(),
            })),
            topics => data(&opening.topics),
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

/// The text of a letter with questions in the middle of a phase: the questions first, then what the
/// seat knows so far, then its own forces. `public`: everybody knows that the reader is asked.
#[must_use]
pub fn question(document: &Document, public: bool) -> String {
    let text = letter(
        document.lang,
        "question.txt",
        context! {
            heading => data(&document.heading),
            asked => data(&document.asked),
            happened => data(&document.happened),
            public,
        },
    );
    format!("{text}{}", forces(document))
}

/// The answer to a mail that was not taken.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RefusalLetter<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// Why: `too_large`, `unreadable`, `empty`, `encrypted`, `no_token`, `wrong_token`,
    /// `old_token`, `finished`, `closed`, or what is wrong with a value for the dice:
    /// `value_early`, `value_late`, `value_too_soon`, `value_wrong`, `value_not_asked`.
    pub why: &'a str,
    /// The campaign's id.
    pub campaign: &'a str,
    /// Where orders go now.
    pub address: &'a str,
    /// The umpire's address; may be empty.
    pub umpire: &'a str,
}

/// The text of a refusal. It quotes nothing of the mail, so that it can't be made to carry
/// anything.
#[must_use]
pub fn refusal(refusal: &RefusalLetter<'_>) -> String {
    letter(refusal.lang, "refusal.txt", data(refusal))
}

/// The text of the last letter, which publishes the campaign's secret, above the register's
/// entries.
#[must_use]
pub fn disclosure(lang: Lang, campaign: &str) -> String {
    letter(lang, "disclosure.txt", context! { campaign })
}

/// The dice come from another secret now: what stands above the entries that say so.
#[must_use]
pub fn new_secret(lang: Lang, campaign: &str, why: &str) -> String {
    letter(lang, "new_secret.txt", context! { campaign, why })
}

/// Orders are closed, and the dice wait.
#[derive(Clone, Debug)]
pub struct SealLetter<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The envelope.
    pub envelope: u32,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
    /// The beacon's round with its moment, where the dice wait for it.
    pub round: Option<(u64, Timestamp)>,
    /// The chain hash of the beacon.
    pub chain: &'a str,
    /// The witnesses that are asked.
    pub witnesses: &'a [String],
    /// The reader is the witness of this name.
    pub witness: Option<&'a str>,
    /// The reader's address for answers.
    pub address: &'a str,
    /// It seals the answers of a public wait, and no orders.
    pub answers: bool,
}

/// The text of the letter that tells of a seal, without private block and entry.
#[must_use]
pub fn sealed(sealed: &SealLetter<'_>) -> String {
    let words = Words::new(sealed.game, sealed.lang);
    letter(
        sealed.lang,
        "seal.txt",
        context! {
            campaign => sealed.campaign,
            envelope => sealed.envelope,
            round => sealed.round.map(|(round, _)| round),
            at => sealed.round.map(|(_, at)| moment(&words, at, sealed.zone)),
            exactly => sealed.round.map(|(_, at)| at.to_string()),
            chain => sealed.chain,
            witnesses => data(&sealed.witnesses),
            witness => sealed.witness,
            address => sealed.address,
            answers => sealed.answers,
        },
    )
}

/// A phase that stopped with an error: for the umpire.
#[derive(Clone, Debug)]
pub struct StopLetter<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The game, for the names of phases.
    pub game: &'a Game,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The turn.
    pub turn: i64,
    /// The phase's id.
    pub phase: &'a str,
    /// The error: script, line, column, message.
    pub error: &'a str,
    /// When it happened, and the campaign's time zone.
    pub at: (Timestamp, &'a TimeZone),
}

/// The text of the notice of a stopped phase.
#[must_use]
pub fn stopped(stopped: &StopLetter<'_>) -> String {
    let words = Words::new(stopped.game, stopped.lang);
    letter(
        stopped.lang,
        "stopped.txt",
        context! {
            campaign => stopped.campaign,
            turn => stopped.turn,
            phase => words.phase(stopped.phase).unwrap_or_else(|_| stopped.phase.to_owned()),
            id => stopped.phase,
            error => stopped.error,
            at => moment(&words, stopped.at.0, stopped.at.1),
        },
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Lang, sources, templates};

    #[test]
    fn every_template_compiles_in_every_language() {
        let names = |lang| sources(lang).map(|(name, _)| name).collect::<BTreeSet<_>>();
        for lang in Lang::ALL {
            assert_eq!(names(lang), names(Lang::En));
            for name in names(lang) {
                if let Err(error) = templates(lang).get_template(name) {
                    panic!("{}/{name}: {error}", lang.code());
                }
            }
        }
    }
}
