//! Letters to umpires. A blind umpire's have neither positions nor orders, nor errors of the rules,
//! which may name pieces.

use minijinja::{Value, context};

use super::{
    content::{LetterContent, in_words},
    errands, notices,
    notices::{phase_name, quoted},
};
use crate::{
    campaign::{
        model::{
            concerns::HeldMail,
            context::Context,
            state::{CurrentWait, State},
            umpire_acts::{ActLine, UmpireAct},
        },
        turn::{
            awaited_seats,
            plan::{ActOutcome, BotTrouble, Cover, UmpireAnswer, UmpireLetter},
        },
    },
    dispatch,
    game::Lang,
    ids::SeatId,
};

/// The content of a letter to the umpire of this name.
pub(super) fn content(
    context: &Context,
    state: &State,
    (name, cover): (&SeatId, &Cover),
    about: &UmpireLetter,
) -> LetterContent {
    let umpire = context.settings.umpire_named(name);
    let blind = umpire.is_some_and(|umpire| umpire.blind);
    let faults = |faults: &[(SeatId, String)]| -> Vec<(SeatId, String)> {
        let shown = faults.iter().cloned();
        let shown = shown.map(|(seat, fault)| (seat, if blind { String::new() } else { fault }));
        shown.collect()
    };
    match about {
        UmpireLetter::Stopped { error } => {
            notices::stopped(context, state, if blind { "" } else { error })
        }
        UmpireLetter::ChecksFailed(found) => notices::checks_failed(context, &faults(found)),
        UmpireLetter::TemplatesFailed(found) => notices::templates_failed(context, &faults(found)),
        UmpireLetter::FirstFailure(bounced) => notices::first_failure(context, state, bounced),
        UmpireLetter::WitnessFailure(bounced) => notices::witness_failure(context, state, bounced),
        UmpireLetter::Unreachable(bounced) => notices::unreachable(context, state, bounced),
        UmpireLetter::Held(refused) => notices::held(context, refused),
        UmpireLetter::OrdersMissing {
            seats,
            silent,
            passed,
            follows,
        } => notices::orders_missing(context, state, (seats, silent), (*passed, *follows)),
        UmpireLetter::FromSeat(word) => errands::from_seat(context, word),
        UmpireLetter::Bot(trouble) if blind => {
            let failed = None;
            let trouble = trouble.clone();
            notices::bot_trouble(context, &BotTrouble { failed, ..trouble })
        }
        UmpireLetter::Bot(trouble) => notices::bot_trouble(context, trouble),
        UmpireLetter::Opening => opening(context, name, cover, blind),
        UmpireLetter::Note { from, words } => note(context, from, words),
        UmpireLetter::Answer(answer) => answered(context, state, answer),
    }
}

/// The campaign has begun: who umpires it, and how to rule by mail.
fn opening(context: &Context, name: &SeatId, cover: &Cover, blind: bool) -> LetterContent {
    let all = context.settings.all_umpires();
    let others = all.filter(|other| other.name != *name);
    let others: Vec<String> = others.map(|other| other.name.to_string()).collect();
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(cover.lang),
        name => name.as_str(),
        others,
        blind,
        address => cover.reply_to.as_deref().unwrap_or_default(),
    };
    LetterContent::plain(dispatch::letter(cover.lang, "umpire_opening", args), None)
}

/// Another umpire's words, behind strokes.
fn note(context: &Context, from: &SeatId, words: &str) -> LetterContent {
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        from => from.as_str(),
    };
    let mut letter = dispatch::letter(Lang::En, "umpire_note", args);
    letter.text.push_str(&quoted(words));
    LetterContent::plain(letter, None)
}

/// What came of an umpire's mail, line by line.
fn answered(context: &Context, state: &State, answer: &UmpireAnswer) -> LetterContent {
    let done = answer.done.iter();
    let entries = done.map(|(ActLine { line, act }, outcome)| {
        let why = match outcome {
            ActOutcome::Done => "",
            ActOutcome::NotDone(why) => why.as_str(),
        };
        let entry = context! { line, why, done => *outcome == ActOutcome::Done };
        match act {
            UmpireAct::Status => {
                context! { kind => "status", ..context! { ..entry, ..status(context, state) } }
            }
            UmpireAct::Help => context! { kind => "help", ..entry },
            UmpireAct::Faulty { form } => context! { kind => "faulty", form, ..entry },
            _ => context! { kind => "act", ..entry },
        }
    });
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        entries => entries.collect::<Vec<Value>>(),
    };
    let letter = dispatch::letter(Lang::En, "umpire_answer", args);
    LetterContent::plain(letter, answer.answers.clone())
}

/// Where the campaign stands, without positions, orders, or who is quietly asked something.
fn status(context: &Context, state: &State) -> Value {
    let quiet = state.quiet().map(|(_, known)| known);
    let at =
        |at: jiff::Timestamp| in_words(context, Lang::En, context.settings.schedule.zone(), at);
    let awaited: Vec<String> = match quiet {
        Some(_) => Vec::new(),
        None => awaited_seats::missing(state)
            .iter()
            .map(ToString::to_string)
            .collect(),
    };
    let wait = match &state.waiting {
        _ if quiet.is_some() => "orders_or_answers",
        CurrentWait::Orders { .. } => "orders",
        CurrentWait::Answers { .. } => "answers",
        CurrentWait::Dice { .. } => "dice",
        CurrentWait::Dispatch { .. } => "orders_or_answers",
        CurrentWait::Repair { .. } => "stopped",
        CurrentWait::Disclosure { .. } | CurrentWait::Nothing => "over",
    };
    let held = state.releasable().map(|held| {
        let HeldMail {
            file, seat, found, ..
        } = held;
        context! { file, seat => seat.as_str(), found }
    });
    let bounces = state.came_back.iter().map(|(to, last)| {
        context! { to => to.as_str(), letter => last.letter, status => last.status.as_str() }
    });
    let shown = state.shown.as_ref().filter(|_| quiet.is_some());
    let phase = shown.map_or(&state.phase, |shown| &shown.phase);
    context! {
        turn => shown.map_or(state.world.turn(), |shown| shown.world.turn()),
        phase => phase_name(context, Lang::En, phase),
        wait,
        awaited,
        deadline => quiet.unwrap_or_else(|| state.deadline()).map(at),
        on_hold => state.on_hold,
        held => held.collect::<Vec<_>>(),
        bounces => bounces.collect::<Vec<_>>(),
    }
}
