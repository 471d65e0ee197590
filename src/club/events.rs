//! What a record of the club's journal says. No name and no address stands here.

use serde::{Deserialize, Serialize};

use super::{
    ended::TableResult, needs::ClubNeed, people::PersonVersion, requests::RequestLine,
    settings::ClubTerms, state::MemberNumber,
};
use crate::{
    campaign::model::{settings::CampaignId, version::Version},
    digest::Digest,
    game::Lang,
    ids::SeatId,
};

/// An event of the club.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClubEvent {
    /// The club was founded.
    Founded {
        /// Its terms; the settings beside the journal must agree.
        terms: ClubTerms,
    },
    /// A mail with requests.
    Asked(Box<ClubMail>),
    /// A mail that gets no answer.
    Passed {
        /// Its file in the inbox.
        file: String,
        /// The digest of its bytes.
        digest: Digest,
        /// Why.
        why: SilenceReason,
    },
    /// A letter to a member came back for good.
    Returned {
        /// The report's file in the inbox.
        file: String,
        /// The digest of its bytes.
        digest: Digest,
        /// The member.
        member: MemberNumber,
    },
    /// A decision of the umpire.
    Ruled(ClubRuling),
    /// An applicant has not confirmed his address in time.
    Lapsed {
        /// The applicant.
        member: MemberNumber,
    },
    /// The campaign of a full table has been made.
    Begun {
        /// The table.
        table: u32,
        /// The campaign.
        campaign: CampaignId,
    },
    /// The campaign of a full table could not be made.
    Failed {
        /// The table.
        table: u32,
        /// Why.
        problem: String,
    },
    /// A campaign has said which of its seats look for another player.
    Offers {
        /// The table.
        table: u32,
        /// The seats.
        seats: Vec<SeatId>,
    },
    /// The campaign of a table has ended.
    Ended {
        /// The table.
        table: u32,
        /// How it ended; none if the umpire has had it go on after all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Box<TableResult>>,
    },
    /// Those who look on at a table get a sheet of its campaign.
    Observed {
        /// The table.
        table: u32,
        /// The sheet.
        sheet: String,
    },
    /// The club has looked what needs its umpire, as it does once a day.
    Daily {
        /// What does; empty if nothing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        needs: Vec<ClubNeed>,
    },
    /// Members are told what is new, as they are once a month.
    Monthly,
    /// What came of the input before.
    Done(ClubDone),
}

impl ClubEvent {
    /// Returns true if the mail that it speaks of is no member's: nothing needs it any more.
    pub(super) fn drops_mail(&self) -> bool {
        match self {
            Self::Asked(mail) => matches!(mail.sender, ClubSender::Stranger { .. }),
            Self::Passed { .. } | Self::Returned { .. } => true,
            _ => false,
        }
    }

    /// Who may have left the club with it.
    pub(super) fn leaver(&self) -> Option<MemberNumber> {
        match self {
            Self::Asked(mail) => match mail.sender {
                ClubSender::Member { member, .. } => Some(member),
                ClubSender::Stranger { .. } => None,
            },
            Self::Ruled(ClubRuling::Remove { member }) | Self::Lapsed { member } => Some(*member),
            _ => None,
        }
    }

    /// The file of the mail that it speaks of.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Self::Asked(mail) => Some(&mail.file),
            Self::Passed { file, .. } | Self::Returned { file, .. } => Some(file),
            _ => None,
        }
    }
}

/// A mail with requests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubMail {
    /// Its file in the inbox.
    pub file: String,
    /// The digest of its bytes.
    pub digest: Digest,
    /// Whose it is.
    pub sender: ClubSender,
    /// The language of its words.
    pub lang: Lang,
    /// What it asks for.
    pub requests: Vec<RequestLine>,
    /// The new version of a member's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonChange>,
}

/// Whose a mail is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClubSender {
    /// A member's, or an applicant's.
    Member {
        /// The member.
        member: MemberNumber,
        /// True if it came with the token of one of his letters, not from his address alone.
        proven: bool,
    },
    /// A stranger's: a keyed digest of his address.
    Stranger {
        /// The digest.
        print: Digest,
    },
}

/// A new version of a member's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonChange {
    /// The member.
    pub member: MemberNumber,
    /// The version.
    pub version: PersonVersion,
    /// What it means.
    pub step: PersonStep,
}

/// What a new version of a member's file means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonStep {
    /// A stranger wants to become a member; his address is to be confirmed.
    Applied,
    /// Something other than an address has changed.
    Changed,
    /// A code goes to a new address.
    AddressAsked,
    /// An address was confirmed.
    Confirmed,
}

/// Why a mail gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SilenceReason {
    /// It is no mail that can be read.
    Unreadable,
    /// The same mail has come before.
    Copy,
    /// A program wrote it, or one of our own letters came back.
    Automatic,
    /// It asks for nothing, and its sender is no member.
    Nothing,
    /// It carries a token that is none, or no longer.
    BadToken,
    /// Its sender has been answered often enough.
    TooOften,
    /// It can do nothing before its sender has confirmed his address.
    Unconfirmed,
}

/// A decision of the umpire, from the shell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClubRuling {
    /// Somebody is a member from now on, or what is kept of him has changed.
    Enter {
        /// The file of the member.
        person: PersonChange,
    },
    /// An applicant is accepted.
    Accept {
        /// The applicant.
        member: MemberNumber,
    },
    /// A member, or an applicant, is one no longer.
    Remove {
        /// The member.
        member: MemberNumber,
    },
    /// A member may found tables, or no longer.
    Founder {
        /// The member.
        member: MemberNumber,
        /// True if he may.
        may: bool,
    },
    /// A table is given up.
    Close {
        /// The table.
        table: u32,
    },
    /// A member looks on at a campaign, or no longer.
    Observe {
        /// The table.
        table: u32,
        /// The member.
        member: MemberNumber,
        /// True if he does.
        on: bool,
    },
    /// A member takes over a seat that looks for a player.
    TakeOver {
        /// The table.
        table: u32,
        /// The seat.
        seat: SeatId,
        /// The member.
        member: MemberNumber,
    },
}

/// What came of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubDone {
    /// The letters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub letters: Vec<ClubLetterRecord>,
    /// The version of the program that wrote them.
    pub version: Version,
}

/// A letter on record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubLetterRecord {
    /// Its outbox.
    pub to: String,
    /// Its Message-ID.
    pub id: String,
    /// The digest of its bytes.
    pub digest: Digest,
}
