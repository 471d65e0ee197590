//! The small texts that a campaign keeps beside its journal, each under a name of its own.

use std::path::PathBuf;

use crate::disk::Mode;

/// A text that is kept whole and fetched whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blob {
    /// The settings.
    Settings,
    /// The umpire's secret.
    Master,
    /// The keys kept beside the umpire's secret.
    Keys,
    /// The keys of an era whose master was lost; eras count from 1.
    LostKeys(usize),
    /// Where players are reached, if any has moved.
    Addresses,
    /// Why the campaign can't be opened.
    Alarm,
    /// The server that vouches for senders; the host names it.
    ResultsOf,
    /// The seats that look for another player, for the club.
    Offers,
    /// How the campaign ended, for the club.
    Result,
    /// What of the campaign needs its umpire, for the club.
    Needs,
    /// The settings of a club.
    Club,
    /// A version of what a club keeps of a member.
    Person {
        /// The member's number.
        member: u32,
        /// The version, counted from 1.
        version: u32,
    },
}

/// The folder in which a club keeps its members' files.
pub(super) const PEOPLE: &str = "members";

impl Blob {
    /// Its file, below the campaign's directory.
    pub(super) fn file(self) -> PathBuf {
        match self {
            Self::Settings => "campaign.yaml".into(),
            Self::Master => "secret/master".into(),
            Self::Keys => "secret/keys".into(),
            Self::LostKeys(era) => format!("secret/lost-{era}").into(),
            Self::Addresses => "addresses".into(),
            Self::Alarm => "alarm".into(),
            Self::ResultsOf => "results-of".into(),
            Self::Offers => "offers".into(),
            Self::Result => "result".into(),
            Self::Needs => "needs".into(),
            Self::Club => "club.yaml".into(),
            Self::Person { member, version } => format!("{PEOPLE}/{member}-{version}").into(),
        }
    }

    /// Who may read it.
    pub(super) fn mode(self) -> Mode {
        match self {
            Self::Settings | Self::ResultsOf | Self::Club => Mode::Shared,
            Self::Master
            | Self::Keys
            | Self::LostKeys(_)
            | Self::Addresses
            | Self::Alarm
            | Self::Offers
            | Self::Result
            | Self::Needs
            | Self::Person { .. } => Mode::Secret,
        }
    }

    /// Its greatest size, in bytes.
    pub(super) fn limit(self) -> u64 {
        match self {
            // It may list the problems of a whole game.
            Self::Alarm => 1 << 20,
            Self::Settings | Self::Club => 256 << 10,
            Self::Master
            | Self::Keys
            | Self::LostKeys(_)
            | Self::Addresses
            | Self::ResultsOf
            | Self::Offers
            | Self::Result
            | Self::Needs
            | Self::Person { .. } => 64 << 10,
        }
    }
}
