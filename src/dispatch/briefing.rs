//! The briefing that a dispatch is made from; all of it comes from the seat's own view.

use std::sync::Arc;

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::Display;
use crate::{
    game::{Game, Lang},
    ids::SeatId,
    mail::Screen,
    value::Fields,
    world::World,
};

/// Everything that a dispatch to one seat is made from.
#[derive(Clone, Debug)]
pub struct Briefing<'a> {
    /// The game.
    pub game: &'a Game,
    /// How it is shown.
    pub display: &'a Display,
    /// The campaign's name, in brackets in the subject.
    pub campaign: &'a str,
    /// The campaign's title.
    pub title: &'a str,
    /// The reader.
    pub seat: &'a SeatId,
    /// The reader's language.
    pub lang: Lang,
    /// The screen on which the reader reads letters.
    pub screen: Screen,
    /// The world as the reader knows it ([`World::seen_by`]).
    pub view: &'a World,
    /// The phase that comes next, or is waited for.
    pub phase: &'a str,
    /// The news since the reader's last dispatch, in order.
    pub events: &'a [NewsItem],
    /// The request to the reader.
    pub asked: Request,
    /// The campaign's time zone, in which deadlines are printed.
    pub zone: &'a TimeZone,
    /// Standing orders in force, printed.
    pub standing: &'a [String],
    /// Topics that the reader wants to be asked about, printed.
    pub asks: &'a [String],
    /// Lines of the order template.
    pub template: &'a [String],
    /// The state of the dice.
    pub dice: DiceText,
    /// Notices of the umpire or the host.
    pub notices: &'a [String],
}

/// An event as one seat heard it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsItem {
    /// Its key, one of the game's `events`.
    pub key: String,
    /// The phase in which it was told.
    pub phase: String,
    /// The turn.
    pub turn: i64,
    /// Its arguments, with the names that the reader knew.
    pub args: Arc<Fields>,
}

/// The request made of the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Orders for these phases.
    Orders {
        /// The phases (`movement.red`).
        phases: Vec<String>,
        /// The deadline, if there is one.
        deadline: Option<Timestamp>,
        /// True if these phases take only standing orders.
        only_standing: bool,
        /// True if they close before the deadline only when everybody has said READY.
        when_ready: bool,
    },
    /// Nothing, but orders for a phase are welcome.
    Invited {
        /// The phase (`movement.red`).
        phase: String,
        /// The deadline, if there is one.
        deadline: Option<Timestamp>,
    },
    /// Answers to these questions.
    Questions {
        /// The questions.
        list: Vec<OpenQuestion>,
        /// The deadline.
        deadline: Option<Timestamp>,
    },
    /// Nothing: others are awaited.
    Waiting {
        /// The deadline; until then standing orders may be changed.
        deadline: Option<Timestamp>,
    },
    /// Nothing more: the campaign is over.
    Over,
}

/// A question as the reader gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenQuestion {
    /// Its number in this letter, from 1.
    pub number: usize,
    /// Its topic, a key of `orders.topics`.
    pub topic: String,
    /// Its subject: the arguments of its template.
    pub about: Fields,
    /// The possible answers, printed as the reader can write them.
    pub options: Vec<String>,
    /// The outcome without an answer, printed.
    pub otherwise: String,
}

/// The dice of a dispatch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiceText {
    /// The open rolls since the last dispatch.
    pub open: Vec<OpenRoll>,
    /// The reader's own secret rolls.
    pub own: Vec<OpenRoll>,
}

/// A roll that the reader may know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRoll {
    /// Its label (`t3/combat/ford#1`).
    pub label: String,
    /// The dice rolled (`2d6`).
    pub spec: String,
    /// The results, die by die.
    pub results: Vec<i64>,
}
