//! Errors of working an input off or writing its letters, and what then becomes of the campaign.

use thiserror::Error;

use crate::{
    campaign::model::{player_address::BotName, ruling_error::RulingError},
    dice::DiceError,
    game::Problem,
    ids::SeatId,
    mail::WriteError,
    orders::GrammarError,
    rules::RuleError,
    world::SetupError,
};

/// Why a campaign's work can't be done.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The pinned game can't be loaded.
    #[error("the game's files are not sound:\n{}", listed(.0))]
    Game(Vec<Problem>),
    /// The settings' roster or seats are not the game's.
    #[error("campaign.yaml: `seating`: {0}")]
    Seating(String),
    /// The pinned files don't ship with the program, and this process runs no others.
    #[error(
        "its pinned rules or data do not ship with this program, and are worked on in a process of their own only; they were \
         changed while it was being opened"
    )]
    Foreign,
    /// The order language does not compile.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// A rule script does not compile, or failed outside of a phase. Within a phase an error stops
    /// the campaign instead, and the umpire is told.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// The settings name the beacon, but this build can't check its signatures.
    #[error(
        "campaign.yaml: `dice`: this build can't check the signatures of drand; use one with the feature `drand`"
    )]
    Beacon,
    /// The journal has a value of beacon or witness that can't be right.
    #[error("`{value}` is not what the dice waited for: {why}")]
    Value {
        /// The value.
        value: String,
        /// The reason for refusing it.
        why: &'static str,
    },
    /// The journal says that a bot has written for a seat that it does not play.
    #[error("the bot `{bot}` does not play {seat}")]
    NoBot {
        /// The seat.
        seat: SeatId,
        /// The bot.
        bot: BotName,
    },
    /// The umpire can't rule so now.
    #[error(transparent)]
    Ruling(#[from] RulingError),
    /// The scenario can't be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An error of the dice.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// The master is lost, and the kept keys don't reach this envelope.
    #[error(
        "the campaign's secret is lost, and envelope {0} needs it: put it back from the drawer, or take the campaign back \
         (`estafette umpire rollback`) and go on with a new one (`estafette umpire new-master`)"
    )]
    NoKey(u32),
    /// A mail can't be written.
    #[error("a mail to {to} can't be written: {source}")]
    Mail {
        /// The recipient.
        to: String,
        /// The reason.
        source: WriteError,
    },
    /// The map's picture can't be drawn.
    #[error("the map can't be drawn: {0}")]
    Picture(String),
    /// A record does not have the register entries that its input leads to.
    #[error("the journal's entries of the register are not those that its input gives")]
    OtherEntries,
    /// A record does not have the letters that its input leads to.
    #[error(
        "the journal has not the letters that its input gives: {message_id} to {to} is missing, or bound in another way"
    )]
    OtherLetters {
        /// The recipient.
        to: String,
        /// The letter that is missing.
        message_id: String,
    },
    /// The journal's records are not in a possible order.
    #[error("the journal's record {n} can't follow: {why}")]
    Order {
        /// The number of the record.
        n: u64,
        /// The reason.
        why: &'static str,
    },
}

fn listed(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

impl WorkError {
    /// Returns true if the error comes from rules, words or data, so that the umpire has to look.
    pub(crate) fn stops_the_campaign(&self) -> bool {
        match self {
            Self::Rules(error) => !error.of_machine,
            Self::Dice(_)
            | Self::NoKey(_)
            | Self::Mail { .. }
            | Self::Picture(_)
            | Self::Value { .. } => true,
            Self::Game(_)
            | Self::Seating(_)
            | Self::Foreign
            | Self::NoBot { .. }
            | Self::Grammar(_)
            | Self::Beacon
            | Self::Setup(_)
            | Self::Order { .. }
            | Self::OtherEntries
            | Self::OtherLetters { .. }
            | Self::Ruling(_) => false,
        }
    }

    /// Returns true if the machine did not keep up, so that trying again later makes sense.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        matches!(self, Self::Rules(error) if error.of_machine)
    }
}
