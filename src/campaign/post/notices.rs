//! Letters of text alone: refusals, the umpire's word, addresses, secrets; and those to the umpire.

use jiff::Timestamp;

use super::content::LetterContent;
use crate::{
    campaign::{
        model::{
            clock::ClockZone,
            concerns::{BouncePolicy, HARD_FAILURES},
            context::Context,
            events::{Bounce, RefusedMail},
            leeway::MissedRule,
            players,
            replies::reply_address,
            state::{SeatState, State},
        },
        turn::plan::{AddressNews, AddressPlan, BotTrouble, Cover},
        words::moment::{deadline_for, moment},
    },
    dispatch::{self, AddressLetter, AddressMessage},
    game::Lang,
    ids::SeatId,
};

/// The answer to a mail that was not accepted.
pub(super) fn refusal(context: &Context, cover: &Cover, refused: &RefusedMail) -> LetterContent {
    let text = dispatch::refusal(&dispatch::RefusalLetter {
        lang: cover.lang,
        why: refused.reason.key(),
        campaign: context.settings.campaign.as_str(),
        address: cover.reply_to.as_deref().unwrap_or_default(),
        umpire: context.umpire(),
    });
    let phrase = match cover.lang {
        Lang::En => "Your mail was not taken",
        Lang::Fr => "Votre message n'a pas été pris en compte",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, refused.message_id.clone())
}

/// The dice come from another secret now.
pub(super) fn new_secret(context: &Context, lang: Lang, why: &str) -> LetterContent {
    let text = dispatch::new_secret(lang, context.settings.campaign.as_str(), why);
    titled(context, lang, text)
}

/// The last letter: the master is published.
pub(super) fn disclosure(context: &Context, lang: Lang) -> LetterContent {
    let text = dispatch::disclosure(lang, context.settings.campaign.as_str());
    titled(context, lang, text)
}

fn titled(context: &Context, lang: Lang, text: String) -> LetterContent {
    let subject = format!("[{}] {}", context.settings.campaign, context.title(lang));
    LetterContent::plain(subject, text, None)
}

/// A letter about the address of a seat, in the language of its player.
pub(super) fn address(context: &Context, plan: &AddressPlan) -> LetterContent {
    let player = &plan.player;
    let what = match &plan.news {
        AddressNews::Code { code, until } => AddressMessage::Code {
            code,
            until: *until,
        },
        AddressNews::Asked { new, until } => AddressMessage::Asked { new, until: *until },
        AddressNews::Kept => AddressMessage::Kept,
        AddressNews::Zone { zone, now } => AddressMessage::Zone { zone, now: *now },
        AddressNews::Moved => AddressMessage::Moved,
        AddressNews::Replaced { why } => AddressMessage::Replaced { why },
    };
    let text = dispatch::about_address(&AddressLetter {
        lang: player.lang,
        game: &context.game,
        campaign: context.settings.campaign.as_str(),
        seat: &player.id,
        umpire: context.umpire(),
        zone: (player.zone.as_ref()).map_or(context.settings.schedule.zone(), ClockZone::rules),
        what,
    });
    let is_zone = matches!(plan.news, AddressNews::Zone { .. });
    let phrase = match player.lang {
        Lang::En if is_zone => "Your time zone",
        Lang::Fr if is_zone => "Votre fuseau horaire",
        Lang::En => "Your address",
        Lang::Fr => "Votre adresse",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, plan.answers.clone())
}

/// What the umpire has decided or written. Each seat reads the deadline that it may know of.
pub(super) fn umpires_word(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (what, words): (&str, &str),
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let moment = moment(context, state, seat);
    let orders_to = match context.umpire() {
        "" => String::new(),
        _ => reply_address(context, state, seat),
    };
    let text = dispatch::umpires_word(&dispatch::UmpireNotice {
        lang,
        game: &context.game,
        what,
        words,
        deadline: deadline_for(context, state, seat, &moment),
        orders_to: &orders_to,
        zone: players::zone(context, state, seat),
    });
    let phrase = match lang {
        Lang::En => "From the umpire",
        Lang::Fr => "L'arbitre vous écrit",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, None)
}

/// To the umpire: a phase has stopped.
pub(super) fn stopped(context: &Context, state: &State, error: &str) -> LetterContent {
    let text = dispatch::stopped(&dispatch::StopLetter {
        lang: Lang::En,
        game: &context.game,
        campaign: context.settings.campaign.as_str(),
        turn: state.world.turn(),
        phase: &state.phase,
        error,
        at: (state.time, context.settings.schedule.zone()),
    });
    to_umpire(context, "stopped", text)
}

/// To the umpire: what check functions of the rules did wrong while an input was worked off.
pub(super) fn checks_failed(context: &Context, faults: &[(SeatId, String)]) -> LetterContent {
    let text = dispatch::check_failed(&dispatch::CheckFaultNotice {
        lang: Lang::En,
        campaign: context.settings.campaign.as_str(),
        faults,
    });
    to_umpire(context, "A check of orders failed", text)
}

/// To the umpire: the first letter to an address came back.
pub(super) fn first_failure(context: &Context, state: &State, bounced: &Bounce) -> LetterContent {
    let address = address_of(context, state, &bounced.to);
    let text = dispatch::first_failure(&bounce_notice(context, bounced, &address));
    let what = format!("A letter to {} came back", bounced.to);
    to_umpire(context, &what, text)
}

/// To the umpire: a seat's address is given up.
pub(super) fn unreachable(context: &Context, state: &State, bounced: &Bounce) -> LetterContent {
    let address = address_of(context, state, &bounced.to);
    let text = dispatch::unreachable(&bounce_notice(context, bounced, &address));
    to_umpire(context, &format!("{} can't be reached", bounced.to), text)
}

fn address_of(context: &Context, state: &State, seat: &SeatId) -> String {
    let player = players::player(context, state, seat);
    player.map_or_else(String::new, |player| player.address.to_string())
}

fn bounce_notice<'a>(
    context: &'a Context,
    bounced: &'a Bounce,
    address: &'a str,
) -> dispatch::BounceNotice<'a> {
    dispatch::BounceNotice {
        lang: Lang::En,
        campaign: context.settings.campaign.as_str(),
        seat: &bounced.to,
        address,
        letters: HARD_FAILURES,
        status: &bounced.status,
        waits: context.settings.unreachable == BouncePolicy::Wait,
    }
}

/// To the umpire: a mail is held.
pub(super) fn held(context: &Context, refused: &RefusedMail) -> LetterContent {
    let text = dispatch::held(&dispatch::HeldMailNotice {
        lang: Lang::En,
        campaign: context.settings.campaign.as_str(),
        seat: refused.seat.as_deref().unwrap_or_default(),
        file: &refused.file,
        found: &refused.detail,
        asked: context.settings.trust.least.key(),
    });
    to_umpire(context, "A mail is held", text)
}

/// To the umpire: orders did not come in time.
pub(super) fn orders_missing(
    context: &Context,
    state: &State,
    (seats, silent): (&[SeatId], &[SeatId]),
    (passed, follows): (Timestamp, MissedRule),
) -> LetterContent {
    let text = dispatch::orders_missing(&dispatch::MissingOrdersNotice {
        lang: Lang::En,
        game: &context.game,
        campaign: context.settings.campaign.as_str(),
        turn: state.world.turn(),
        phase: &state.phase,
        seats: &dispatch::names(seats),
        silent: &dispatch::names(silent),
        passed,
        follows: match follows {
            MissedRule::StandingOrders => "standing",
            MissedRule::Wait { .. } => "wait",
            MissedRule::Hold => "hold",
        },
        deadline: state.deadline(),
        zone: context.settings.schedule.zone(),
    });
    to_umpire(context, "Orders are missing", text)
}

/// To a seat that has sent nothing before a deadline, or to any seat when that has passed and the
/// wait goes on. It speaks of the reader's own orders alone.
pub(super) fn reminder(
    context: &Context,
    state: &State,
    seat: &SeatId,
    overdue: bool,
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let moment = moment(context, state, seat);
    let phases: Vec<String> = (moment.phases.iter())
        .map(|phase| state.in_full(phase))
        .collect();
    let entry = state.seats.get(seat);
    let text = dispatch::reminder(&dispatch::ReminderNotice {
        lang,
        game: &context.game,
        title: &context.title(lang),
        turn: moment.view.turn(),
        phases: &phases,
        silent: !phases.is_empty() && entry.is_none_or(SeatState::is_silent),
        overdue,
        deadline: deadline_for(context, state, seat, &moment),
        zone: players::zone(context, state, seat),
    });
    let phrase = match (lang, overdue) {
        (Lang::En, false) => "Your orders are awaited",
        (Lang::Fr, false) => "Vos ordres sont attendus",
        (Lang::En, true) => "The deadline is put off",
        (Lang::Fr, true) => "Le délai est prolongé",
    };
    let subject = format!("[{}] {phrase}", context.settings.campaign);
    LetterContent::plain(subject, text, None)
}

/// To the umpire: a bot has not written what its seat is waited for.
pub(super) fn bot_trouble(context: &Context, trouble: &BotTrouble) -> LetterContent {
    let text = dispatch::bot_trouble(&dispatch::BotNotice {
        lang: Lang::En,
        campaign: context.settings.campaign.as_str(),
        seat: &trouble.seat,
        bot: trouble.bot.as_str(),
        failed: trouble.failed.as_deref(),
    });
    to_umpire(
        context,
        &format!("The bot of {} is stuck", trouble.seat),
        text,
    )
}

fn to_umpire(context: &Context, what: &str, text: String) -> LetterContent {
    let subject = format!("[{}] {what}", context.settings.campaign);
    LetterContent::plain(subject, text, None)
}
