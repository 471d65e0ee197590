//! Short notices: what the dice still wait for, a mail that is held, an address that is given up or
//! changed. The words stand in `templates/`.

use jiff::{Timestamp, tz::TimeZone};
use minijinja::context;
use serde::Serialize;

use super::{Words, jinja::data, letters::letter, when::moment};
use crate::{
    game::{Game, Lang},
    ids::SeatId,
};

/// A campaign can't be opened: for the umpire.
#[derive(Clone, Copy, Debug)]
pub struct AlarmNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The campaign's id.
    pub campaign: &'a str,
    /// What is wrong, in one line or several.
    pub problem: &'a str,
    /// Its rules have ended the processes that opened it, and nobody tries any more.
    pub alone: bool,
    /// When it was found, and the campaign's time zone.
    pub at: (Timestamp, &'a TimeZone),
}

/// The text of the notice that a campaign can't be opened. It needs nothing of the game, which may
/// be what is wrong.
#[must_use]
pub fn alarm(alarm: &AlarmNotice<'_>) -> String {
    let (at, zone) = alarm.at;
    let at = at.to_zoned(zone.clone());
    // Copied whole, with its paths and digests.
    let problem: Vec<String> = (alarm.problem.lines())
        .map(|line| format!("| {line}"))
        .collect();
    letter(
        alarm.lang,
        if alarm.alone {
            "left_alone.txt"
        } else {
            "alarm.txt"
        },
        context! {
            campaign => alarm.campaign,
            problem => problem.join("\n"),
            at => at.strftime("%Y-%m-%d %H:%M %Z").to_string(),
        },
    )
}

/// A mail is held: for the umpire.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HeldMailNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The seat whose token it has.
    pub seat: &'a str,
    /// Its name in `inbox/done`.
    pub file: &'a str,
    /// The level of trust that it has, and the address that it says it comes from.
    pub found: &'a str,
    /// The level that the campaign asks for.
    pub asked: &'a str,
}

/// The text of the notice of a held mail. It has none of the mail's words.
#[must_use]
pub fn held(held: &HeldMailNotice<'_>) -> String {
    letter(held.lang, "held.txt", data(held))
}

/// Check functions of the rules failed: for the umpire.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CheckFaultNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The seat whose orders were judged, and the error with function, file and line.
    pub faults: &'a [(SeatId, String)],
}

/// The text of the notice that orders could not be judged. It has none of the mail's words.
#[must_use]
pub fn check_failed(failed: &CheckFaultNotice<'_>) -> String {
    letter(failed.lang, "check_failed.txt", data(failed))
}

/// A bot has not written what its seat is waited for: for the umpire.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BotNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The seat.
    pub seat: &'a str,
    /// The bot.
    pub bot: &'a str,
    /// What is wrong with its script; none if what it wrote was not enough.
    pub failed: Option<&'a str>,
}

/// The text of the notice that a bot is stuck.
#[must_use]
pub fn bot_trouble(trouble: &BotNotice<'_>) -> String {
    letter(trouble.lang, "bot.txt", data(trouble))
}

/// Letters to a seat came back: for the umpire.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BounceNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The seat.
    pub seat: &'a str,
    /// Its address.
    pub address: &'a str,
    /// How many letters came back.
    pub letters: usize,
    /// What the last report says.
    pub status: &'a str,
    /// Tells whether deadlines wait for the seat.
    pub waits: bool,
}

/// The text of the notice that a first letter to an address came back.
#[must_use]
pub fn first_failure(failed: &BounceNotice<'_>) -> String {
    letter(failed.lang, "first_failure.txt", data(failed))
}

/// The text of the notice that an address has been given up.
#[must_use]
pub fn unreachable(given_up: &BounceNotice<'_>) -> String {
    letter(given_up.lang, "unreachable.txt", data(given_up))
}

/// Orders did not come in time: for the umpire.
#[derive(Clone, Copy, Debug)]
pub struct MissingOrdersNotice<'a> {
    /// The umpire's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The turn.
    pub turn: i64,
    /// The phase.
    pub phase: &'a str,
    /// The seats whose orders are missing.
    pub seats: &'a [String],
    /// Those of them that have sent nothing.
    pub silent: &'a [String],
    /// The deadline that has passed.
    pub passed: Timestamp,
    /// What follows: `standing`, `wait` or `hold`.
    pub follows: &'a str,
    /// The deadline that stands now.
    pub deadline: Option<Timestamp>,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
}

/// The text of the notice that orders are missing.
#[must_use]
pub fn orders_missing(missing: &MissingOrdersNotice<'_>) -> String {
    let words = Words::new(missing.game, missing.lang);
    let faulty = (missing.seats.iter()).filter(|seat| !missing.silent.contains(seat));
    letter(
        missing.lang,
        "orders_missing.txt",
        context! {
            campaign => missing.campaign,
            turn => missing.turn,
            phase => words.phase(missing.phase).unwrap_or_else(|_| missing.phase.to_owned()),
            silent => data(&missing.silent),
            faulty => data(&faulty.collect::<Vec<_>>()),
            passed => moment(&words, missing.passed, missing.zone),
            follows => missing.follows,
            deadline => missing.deadline.map(|at| moment(&words, at, missing.zone)),
        },
    )
}

/// Seats as letters name them.
#[must_use]
pub fn names(seats: &[SeatId]) -> Vec<String> {
    seats.iter().map(ToString::to_string).collect()
}

/// A deadline is near, or has passed and is a later one now.
#[derive(Clone, Copy, Debug)]
pub struct ReminderNotice<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The campaign's name.
    pub title: &'a str,
    /// The turn.
    pub turn: i64,
    /// The phases that wait for the reader's orders.
    pub phases: &'a [String],
    /// True if nothing has come from the reader.
    pub silent: bool,
    /// True if the deadline has passed.
    pub overdue: bool,
    /// The deadline that stands now.
    pub deadline: Option<Timestamp>,
    /// The reader's time zone.
    pub zone: &'a TimeZone,
}

/// The text of the letter. It says nothing of the orders of others.
#[must_use]
pub fn reminder(reminder: &ReminderNotice<'_>) -> String {
    let words = Words::new(reminder.game, reminder.lang);
    let phase = |phase: &String| words.phase(phase).unwrap_or_else(|_| phase.clone());
    letter(
        reminder.lang,
        "reminder.txt",
        context! {
            title => reminder.title,
            turn => reminder.turn,
            phases => reminder.phases.iter().map(phase).collect::<Vec<_>>(),
            silent => reminder.silent,
            overdue => reminder.overdue,
            deadline => reminder.deadline.map(|at| moment(&words, at, reminder.zone)),
        },
    )
}

/// A letter about where a seat's letters go.
#[derive(Clone, Copy, Debug)]
pub struct AddressLetter<'a> {
    /// The language of the seat's player.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The campaign's id.
    pub campaign: &'a str,
    /// The seat.
    pub seat: &'a str,
    /// The umpire's address; may be empty.
    pub umpire: &'a str,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
    /// What it says, and to whom.
    pub what: AddressMessage<'a>,
}

/// The message of a letter about a seat's address.
#[derive(Clone, Copy, Debug)]
pub enum AddressMessage<'a> {
    /// To a new address: a code that makes the change when it comes back.
    Code {
        /// The code.
        code: &'a str,
        /// Until when it is good.
        until: Timestamp,
    },
    /// To the present one: a code has gone to a new one.
    Asked {
        /// The new one.
        new: &'a str,
        /// Until when the code is good.
        until: Timestamp,
    },
    /// To the present one: nothing is changed after all.
    Kept,
    /// To the present one: times are told in another zone from now on.
    Zone {
        /// The zone.
        zone: &'a str,
        /// The present moment.
        now: Timestamp,
    },
    /// To the one before: letters go elsewhere now, as was asked there.
    Moved,
    /// To the one before: somebody else plays the seat.
    Replaced {
        /// Why, as everybody is told.
        why: &'a str,
    },
}

/// The text of a letter about a seat's address. Those that do not go to the player's present
/// address tell nothing of the campaign but its name and the seat's, and none tells the address of
/// another player.
#[must_use]
pub fn about_address(about: &AddressLetter<'_>) -> String {
    let AddressLetter {
        lang,
        game,
        campaign,
        seat,
        umpire,
        zone,
        what,
    } = *about;
    let (kind, said, until) = match what {
        AddressMessage::Code { code, until } => ("code", code, Some(until)),
        AddressMessage::Asked { new, until } => ("asked", new, Some(until)),
        AddressMessage::Kept => ("kept", "", None),
        AddressMessage::Zone { zone, now } => ("zone", zone, Some(now)),
        AddressMessage::Moved => ("moved", "", None),
        AddressMessage::Replaced { why } => ("replaced", why, None),
    };
    let words = Words::new(game, lang);
    let until = until.map(|until| moment(&words, until, zone));
    letter(
        lang,
        "address.txt",
        context! { kind, said, until, campaign, seat, umpire },
    )
}

/// A value for the dice was taken, and another is missing.
#[derive(Clone, Debug)]
pub struct ValueNotice<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The envelope.
    pub envelope: u32,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
    /// The beacon's round with its moment, if it is missing.
    pub round: Option<(u64, Timestamp)>,
    /// The witnesses that have not answered.
    pub witnesses: &'a [String],
}

/// The text of the letter to whoever brought a value.
#[must_use]
pub fn value_taken(value: &ValueNotice<'_>) -> String {
    let words = Words::new(value.game, value.lang);
    letter(
        value.lang,
        "value.txt",
        context! {
            envelope => value.envelope,
            round => value.round.map(|(round, _)| round),
            at => value.round.map(|(_, at)| moment(&words, at, value.zone)),
            witnesses => data(&value.witnesses),
        },
    )
}

/// Other seats are asked something in public.
#[derive(Clone, Debug)]
pub struct QuestionNotice<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// The campaign's name.
    pub title: &'a str,
    /// The turn.
    pub turn: i64,
    /// The seats that are asked.
    pub seats: &'a [String],
    /// When the wait ends even so.
    pub deadline: Option<Timestamp>,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
}

/// The text of the letter to those who are not asked.
#[must_use]
pub fn decision_awaited(awaited: &QuestionNotice<'_>) -> String {
    let words = Words::new(awaited.game, awaited.lang);
    letter(
        awaited.lang,
        "awaited.txt",
        context! {
            title => awaited.title,
            turn => awaited.turn,
            seats => data(&awaited.seats),
            deadline => awaited.deadline.map(|at| moment(&words, at, awaited.zone)),
        },
    )
}

/// A decision of the umpire on the clock, or a message.
#[derive(Clone, Debug)]
pub struct UmpireNotice<'a> {
    /// The reader's language.
    pub lang: Lang,
    /// The game, for its words.
    pub game: &'a Game,
    /// `hold`, `resume`, `extend` or `say`.
    pub what: &'a str,
    /// The reason, or the words of a letter.
    pub words: &'a str,
    /// The deadline that the reader knows of.
    pub deadline: Option<Timestamp>,
    /// Where orders go, if an answer to this letter goes to the umpire; else empty.
    pub orders_to: &'a str,
    /// The campaign's time zone.
    pub zone: &'a TimeZone,
}

/// The text of the letter. An umpire's own words stand behind strokes, so that nothing in them can
/// be taken for an entry, a receipt or an order.
#[must_use]
pub fn umpires_word(word: &UmpireNotice<'_>) -> String {
    let words = Words::new(word.game, word.lang);
    let text = letter(
        word.lang,
        "umpire.txt",
        context! {
            what => word.what,
            why => word.words,
            orders_to => word.orders_to,
            deadline => word.deadline.map(|at| moment(&words, at, word.zone)),
        },
    );
    if word.what != "say" {
        return text;
    }
    let lines = word.words.trim_end().lines();
    let lines: String = lines
        .flat_map(|line| match line.trim() {
            "" => vec!["|".to_owned()],
            line => super::wrap(line, "| ", "| "),
        })
        .map(|line| line + "\n")
        .collect();
    format!("{text}\n{lines}")
}
