//! Letters with text only: refusals, the umpire's word, addresses, secrets; and those to the
//! umpire.

use jiff::Timestamp;
use minijinja::{Value, context};

use super::content::{LetterContent, in_words};
use crate::{
    campaign::{
        model::{
            clock::ClockZone,
            concerns::{BouncePolicy, HARD_FAILURES},
            context::Context,
            events::{Bounce, RefusedMail},
            leeway::MissedRule,
            players,
            replies::{reply_address, witness_of},
            state::{CurrentWait, SeatState, State},
        },
        turn::plan::{AddressNews, AddressPlan, BotTrouble, Cover},
        words::moment::{deadline_for, moment},
    },
    dispatch,
    game::Lang,
    ids::SeatId,
};

/// The answer to a refused mail. It quotes nothing of the mail, so that nobody can use it to carry
/// anything.
pub(super) fn refusal(context: &Context, cover: &Cover, refused: &RefusedMail) -> LetterContent {
    let args = context! {
        why => refused.reason.key(),
        campaign => context.settings.campaign.as_str(),
        address => cover.reply_to.as_deref().unwrap_or_default(),
        umpire => context.umpire(),
    };
    let letter = dispatch::letter(cover.lang, "refusal", args);
    LetterContent::plain(letter, refused.message_id.clone())
}

/// The dice come from another secret now.
pub(super) fn new_secret(context: &Context, lang: Lang, why: &str) -> LetterContent {
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        why,
    };
    LetterContent::plain(dispatch::letter(lang, "new_secret", args), None)
}

/// The last letter: the master is published.
pub(super) fn disclosure(context: &Context, lang: Lang) -> LetterContent {
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
    };
    LetterContent::plain(dispatch::letter(lang, "disclosure", args), None)
}

/// A letter about a seat's address, in its player's language. One that does not go to the player's
/// present address reveals only the names of the campaign and the seat, and none reveals another
/// player's address.
pub(super) fn address(context: &Context, plan: &AddressPlan) -> LetterContent {
    let player = &plan.player;
    let (kind, said, until) = match &plan.news {
        AddressNews::Code { code, until } => ("code", code.as_str(), Some(until)),
        AddressNews::Asked { new, until } => ("asked", new.as_str(), Some(until)),
        AddressNews::Kept => ("kept", "", None),
        AddressNews::Zone { zone, now } => ("zone", zone.as_str(), Some(now)),
        AddressNews::Screen(screen) => ("screen", screen.name(), None),
        AddressNews::Moved => ("moved", "", None),
        AddressNews::Replaced { why } => ("replaced", why.as_str(), None),
    };
    let zone = (player.zone.as_ref()).map_or(context.settings.schedule.zone(), ClockZone::rules);
    let args = context! {
        kind,
        said,
        until => until.map(|until| in_words(context, player.lang, zone, *until)),
        campaign => context.settings.campaign.as_str(),
        seat => player.id.as_str(),
        umpire => context.umpire(),
        dice => context.game.decl.dice,
    };
    let letter = dispatch::letter(player.lang, "address", args);
    LetterContent::plain(letter, plan.answers.clone())
}

/// A ruling or a message of the umpire. Each seat is told the deadline that it may know of. The
/// umpire's own words stand behind strokes, so that nothing in them can be taken for an entry, a
/// receipt or an order.
pub(super) fn umpires_word(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (what, words): (&str, &str),
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let moment = moment(context, state, seat);
    let deadline = deadline_for(context, state, seat, &moment);
    let zone = players::zone(context, state, seat);
    // An answer to this letter goes to the umpire, if there is one.
    let orders_to = match context.umpire() {
        "" => String::new(),
        _ => reply_address(context, state, seat),
    };
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        what,
        why => words,
        orders_to,
        deadline => deadline.map(|at| in_words(context, lang, zone, at)),
    };
    let mut letter = dispatch::letter(lang, "umpire", args);
    if what == "say" {
        letter.text.push_str(&quoted(words));
    }
    LetterContent::plain(letter, None)
}

/// A person's words behind strokes, below an empty line.
pub(super) fn quoted(words: &str) -> String {
    let mut text = "\n".to_owned();
    for line in words.trim_end().lines() {
        let lines = match line.trim() {
            "" => vec!["|".to_owned()],
            line => dispatch::wrap(line, "| ", "| "),
        };
        for line in lines {
            text.push_str(&(line + "\n"));
        }
    }
    text
}

/// To the umpire: a phase has stopped.
pub(super) fn stopped(context: &Context, state: &State, error: &str) -> LetterContent {
    let args = context! {
        turn => state.world.turn(),
        phase => phase_name(context, Lang::En, &state.phase),
        id => state.phase.as_str(),
        error,
        at => umpires_time(context, state.time),
    };
    noticed("stopped", context, args)
}

/// To the umpire: errors of the rules' check functions while an input was worked off. It quotes
/// nothing of the mail.
pub(super) fn checks_failed(context: &Context, faults: &[(SeatId, String)]) -> LetterContent {
    noticed("check_failed", context, faults_of_rules(faults))
}

/// To the umpire: errors of the rules' template functions while letters were written.
pub(super) fn templates_failed(context: &Context, faults: &[(SeatId, String)]) -> LetterContent {
    noticed("template_failed", context, faults_of_rules(faults))
}

fn faults_of_rules(faults: &[(SeatId, String)]) -> Value {
    let faults = faults.iter();
    let faults = faults.map(|(seat, fault)| vec![seat.to_string(), fault.clone()]);
    context! { faults => faults.collect::<Vec<Vec<String>>>() }
}

/// To the umpire: the first letter to an address came back.
pub(super) fn first_failure(context: &Context, state: &State, bounced: &Bounce) -> LetterContent {
    noticed("first_failure", context, bounce(context, state, bounced))
}

/// To the umpire: a letter to a witness came back.
pub(super) fn witness_failure(context: &Context, state: &State, bounced: &Bounce) -> LetterContent {
    let witness = witness_of(context, &bounced.to);
    let deadline = match &state.waiting {
        CurrentWait::Dice {
            witnesses,
            deadline,
            ..
        } if witness.is_some_and(|witness| witnesses.contains(&witness.name)) => *deadline,
        _ => None,
    };
    let args = context! {
        witness => witness.map(|witness| witness.name.as_str()),
        address => witness.map(|witness| witness.address.to_string()),
        status => bounced.status.as_str(),
        deadline => deadline.map(|at| umpires_time(context, at)),
    };
    noticed("witness_failure", context, args)
}

/// To the umpire: a seat's address is given up.
pub(super) fn unreachable(context: &Context, state: &State, bounced: &Bounce) -> LetterContent {
    noticed("unreachable", context, bounce(context, state, bounced))
}

fn bounce(context: &Context, state: &State, bounced: &Bounce) -> Value {
    let player = players::player(context, state, &bounced.to);
    context! {
        seat => bounced.to.as_str(),
        address => player.map_or_else(String::new, |player| player.address.to_string()),
        letters => HARD_FAILURES,
        status => bounced.status.as_str(),
        waits => context.settings.unreachable == BouncePolicy::Wait,
    }
}

/// To the umpire: a mail is held. It quotes nothing of the mail.
pub(super) fn held(context: &Context, refused: &RefusedMail) -> LetterContent {
    let args = context! {
        seat => refused.seat.as_deref().unwrap_or_default(),
        file => refused.file.as_str(),
        found => refused.detail.as_str(),
        asked => context.settings.trust.least.key(),
    };
    noticed("held", context, args)
}

/// To the umpire: orders did not come in time.
pub(super) fn orders_missing(
    context: &Context,
    state: &State,
    (seats, silent): (&[SeatId], &[SeatId]),
    (passed, follows): (Timestamp, MissedRule),
) -> LetterContent {
    let faulty = seats.iter().filter(|seat| !silent.contains(seat));
    let args = context! {
        turn => state.world.turn(),
        phase => phase_name(context, Lang::En, &state.phase),
        silent => silent.iter().map(ToString::to_string).collect::<Vec<_>>(),
        faulty => faulty.map(ToString::to_string).collect::<Vec<_>>(),
        passed => umpires_time(context, passed),
        follows => match follows {
            MissedRule::StandingOrders => "standing",
            MissedRule::Wait { .. } => "wait",
            MissedRule::Hold => "hold",
        },
        deadline => state.deadline().map(|at| umpires_time(context, at)),
    };
    noticed("orders_missing", context, args)
}

/// Tells a seat that knows of a wait that its deadline has moved. Who is away, and why, is nobody's
/// business.
pub(super) fn later(context: &Context, state: &State, seat: &SeatId) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let moment = moment(context, state, seat);
    let deadline = deadline_for(context, state, seat, &moment);
    let zone = players::zone(context, state, seat);
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        asked => !moment.questions.is_empty(),
        deadline => deadline.map(|at| in_words(context, lang, zone, at)),
    };
    LetterContent::plain(dispatch::letter(lang, "later", args), None)
}

/// To a seat that is still waited for before a deadline, or to any seat when the deadline has
/// passed and the wait goes on. It speaks of the reader's own orders alone.
pub(super) fn reminder(
    context: &Context,
    state: &State,
    seat: &SeatId,
    overdue: bool,
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let moment = moment(context, state, seat);
    let (entry, zone) = (state.seats.get(seat), players::zone(context, state, seat));
    let phases = moment.phases.iter();
    let phases = phases.map(|phase| phase_name(context, lang, &state.in_full(phase)));
    let phases: Vec<String> = phases.collect();
    let deadline = deadline_for(context, state, seat, &moment);
    let is_aside = |entry: &SeatState| {
        let read = entry.read.as_ref();
        read.is_some_and(|read| read.is_aside(&context.game))
    };
    let silent = entry.is_none_or(|entry| entry.is_silent() || is_aside(entry));
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        turn => moment.view.turn(),
        silent => !phases.is_empty() && silent,
        faulty => !phases.is_empty() && entry.is_some_and(|seat| !seat.ready),
        phases,
        overdue,
        asked => !moment.questions.is_empty(),
        deadline => deadline.map(|at| in_words(context, lang, zone, at)),
    };
    LetterContent::plain(dispatch::letter(lang, "reminder", args), None)
}

/// To the umpire: a bot has not written what its seat owes.
pub(super) fn bot_trouble(context: &Context, trouble: &BotTrouble) -> LetterContent {
    let args = context! {
        seat => trouble.seat.as_str(),
        bot => trouble.bot.as_str(),
        failed => trouble.failed.as_deref(),
    };
    noticed("bot", context, args)
}

/// A letter of this kind to the umpire, whose language is English.
fn noticed(kind: &str, context: &Context, args: Value) -> LetterContent {
    let campaign = context.settings.campaign.as_str();
    let args = context! { campaign, ..args };
    let letter = dispatch::letter(Lang::En, kind, args);
    LetterContent::plain(letter, None)
}

/// A phase by its name; by its id if the game has no name for it.
pub(super) fn phase_name(context: &Context, lang: Lang, phase: &str) -> String {
    let words = context.words(lang);
    words.phase(phase).unwrap_or_else(|_| phase.to_owned())
}

fn umpires_time(context: &Context, at: Timestamp) -> String {
    in_words(context, Lang::En, context.settings.schedule.zone(), at)
}
