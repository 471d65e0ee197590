//! The outcome of an input.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    campaign::model::{
        errands::LetterCopy, recipient::Recipient, verdicts::OrderVerdict, version::Version,
    },
    dice::{Entry, Foot, LedgerLine},
    digest::Digest,
    ids::SeatId,
};

/// The outcome of an input. An audit does the work again and compares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    /// The hash of the world.
    pub world: Digest,
    /// The phase that is reached.
    pub phase: String,
    /// The envelope of the dice that was sealed last.
    pub envelope: u32,
    /// The ledger's lines that are new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledger: Vec<LedgerLine>,
    /// The register's entries that are new.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<Arc<Entry>>,
    /// The foot of letters from now on: the newest head of the register that has gone out.
    pub foot: Foot,
    /// The letters that were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mails: Vec<LetterRecord>,
    /// The digests of the pictures that were drawn, in their order. Drawing costs more than all the
    /// rest, so they count like an input: doing the work again takes them from here, and compares
    /// them where a letter is at hand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Digest>,
    /// The letters that went out again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<LetterCopy>,
    /// The checks' verdict on each text with orders that was taken, in the order of judging.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<OrderVerdict>,
    /// Errors of the rules' template functions, with the seats whose letters lack the proposals:
    /// the umpire was told of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unproposed: Vec<(SeatId, String)>,
    /// The acts of an umpire that could not be done, by their places in his mail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_done: Vec<usize>,
    /// Why the campaign is stopped, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The rules killed their process over this input, or never finished: it was laid aside, and is
    /// never tried again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub laid_aside: bool,
    /// The error came from this input, which was undone: the state is the one before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
    /// The version that did the work; unknown for records from before versions were noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
}

impl Done {
    /// Why the input was laid aside without being worked off, if it was.
    #[must_use]
    pub fn why_laid_aside(&self) -> Option<&str> {
        self.stopped.as_deref().filter(|_| self.laid_aside)
    }

    /// Returns true if this version did the work: only then can it make the letters again byte for
    /// byte.
    #[must_use]
    pub fn is_by(&self, version: &Version) -> bool {
        self.version.as_ref() == Some(version)
    }
}

/// A letter that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterRecord {
    /// The recipient.
    pub to: Recipient,
    /// Its Message-ID.
    pub message_id: String,
    /// The SHA-256 of its bytes, with the source of each picture in the picture's place.
    pub digest: Digest,
    /// The digest of its sheet, by which the register binds it; only letters to seats have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Digest>,
}
