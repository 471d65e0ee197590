//! Letters to seats in a case: their dispatches and receipts, made as a campaign makes them.

use jiff::tz::TimeZone;

use super::{
    case::{Case, ExpectedText},
    run::CaseOutcome,
};
use crate::{
    campaign::{model::news::news_item, post::explained},
    dispatch::{self, Briefing, DiceText, Document, NewsItem, ReceiptLetter, Request, Words},
    game::{self, Game, Lang},
    ids::SeatId,
    orders::{self, Grammar, Vocabulary},
    rules::{Decisions, Program, RuleError, Start},
};

/// Differences between the letters to seats and the expectations of a case.
#[must_use]
pub fn differences(
    program: &Program,
    grammar: &Grammar,
    case: &Case,
    played: &CaseOutcome,
) -> Vec<String> {
    let game = program.game();
    let mut found = Vec::new();
    for (seat, wanted) in &case.expect.form {
        match form(program, grammar, case, played, &SeatId::from(seat.as_str())) {
            Ok(text) => compare(&format!("form.{seat}"), &text, wanted, &mut found),
            Err(error) => found.push(format!("form.{seat}: {error}")),
        }
    }
    for (seat, wanted) in &case.expect.mail {
        let text = mail(game, played, &SeatId::from(seat.as_str()));
        compare(&format!("mail.{seat}"), &text, wanted, &mut found);
    }
    for (seat, wanted) in &case.expect.receipt {
        let text = receipts(game, grammar, played, &SeatId::from(seat.as_str()));
        compare(&format!("receipt.{seat}"), &text, wanted, &mut found);
    }
    found
}

/// The text with white space folded, bars at the heads of lines left out: where lines are broken
/// does not matter to a case.
fn folded(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "|");
    words.collect::<Vec<_>>().join(" ")
}

fn compare(what: &str, text: &str, wanted: &ExpectedText, found: &mut Vec<String>) {
    let text = folded(text);
    for part in wanted
        .contains
        .iter()
        .filter(|part| !text.contains(&folded(part)))
    {
        found.push(format!(
            "{what}: does not contain `{part}`; it says:\n    {text}"
        ));
    }
    for part in wanted
        .lacks
        .iter()
        .filter(|part| text.contains(&folded(part)))
    {
        found.push(format!("{what}: contains `{part}`"));
    }
}

/// The lines that the rules propose to a seat for the phase that comes next, in English if the game
/// has it.
fn form(
    program: &Program,
    grammar: &Grammar,
    case: &Case,
    played: &CaseOutcome,
    seat: &SeatId,
) -> Result<String, RuleError> {
    let game = program.game();
    let phases: Vec<String> = played.next.iter().cloned().collect();
    let view = played.world.seen_by(game, seat);
    let (options, decisions) = (case.settings(), Decisions::default());
    let start = Start {
        phase: phases.first().map(String::as_str).unwrap_or_default(),
        world: &view,
        options: &options,
        decisions: &decisions,
    };
    let lang = game.language(Lang::En);
    let mut lines = Vec::new();
    for function in orders::template_functions(grammar, &game.decl, &phases) {
        lines.extend(program.template(seat, &start, function)?);
    }
    let vocabulary = Vocabulary::of_view(game, &view, lang);
    Ok(orders::template(grammar, &vocabulary, &lines, lang).join("\n"))
}

/// The body of the dispatch that a seat would get at the end of the case, in English if the game
/// has it.
fn mail(game: &Game, played: &CaseOutcome, seat: &SeatId) -> String {
    let view = played.world.seen_by(game, seat);
    let news = played.events.iter();
    let heard: Vec<NewsItem> = news.filter_map(|event| news_item(event, seat)).collect();
    let lang = game.language(Lang::En);
    let title = game::said(&game.decl.title, lang).to_owned();
    let briefing = Briefing {
        game,
        display: &game.decl.display,
        campaign: "case",
        title: &title,
        seat,
        lang,
        screen: Default::default(),
        view: &view,
        phase: played.next.as_deref().unwrap_or_default(),
        events: &heard,
        asked: Request::Waiting { deadline: None },
        zone: &TimeZone::UTC,
        standing: &[],
        asks: &[],
        template: &[],
        dice: DiceText::default(),
        notices: &[],
    };
    dispatch::body(&Document::of(&briefing, &Words::new(game, lang), false).0)
}

/// The receipts of all orders that a seat gave in the case, in English if the game has it.
fn receipts(game: &Game, grammar: &Grammar, played: &CaseOutcome, seat: &SeatId) -> String {
    let lang = game.language(Lang::En);
    let words = Words::new(game, lang);
    let mut text = String::new();
    for (_, understood, view) in played.read.iter().filter(|(of, ..)| of == seat) {
        let vocabulary = Vocabulary::of_view(game, view, lang);
        let letter = dispatch::receipt(&ReceiptLetter {
            words: &words,
            campaign: "case",
            title: "",
            turn: view.turn(),
            phases: &[],
            lines: &explained(understood, &words, grammar, &vocabulary),
            from: &dispatch::WordsOrigin::default(),
            adds: understood.reading.adds(),
            carried: 0,
            canonical: "",
            deadline: None,
            settles: None,
            ready: None,
            zone: &TimeZone::UTC,
        });
        text.push_str(&letter.text);
    }
    text
}
