//! Errors of dice.

use thiserror::Error;

/// An error of this module. Findings of an audit are not errors: see [`super::verify()`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiceError {
    /// A text is not what it should be.
    #[error("`{text}` is not {what}: expected {rule}")]
    Malformed {
        /// The thing that was expected, with its article.
        what: &'static str,
        /// The text that was found.
        text: String,
        /// The required form.
        rule: &'static str,
    },
    /// A register entry or a private block is not well formed.
    #[error("in `{heading}`: {problem}")]
    Entry {
        /// The first line of the entry.
        heading: String,
        /// The fault.
        problem: String,
    },
    /// An entry has a type that the protocol doesn't know.
    #[error("in `{heading}`: no entry has this type: expected open, seal, dice, note or end")]
    UnknownType {
        /// The first line of the entry.
        heading: String,
    },
    /// The operating system gave no random bytes.
    #[error(
        "the operating system gave no random bytes ({0}); try again, and draw no master by other means"
    )]
    NoRandomness(String),
    /// A chain has no key for this envelope.
    #[error(
        "lane `{lane}` has no key for envelope {envelope}: its chain reaches to envelope {last}"
    )]
    NoEnvelope {
        /// The lane's name.
        lane: String,
        /// The envelope asked for.
        envelope: u32,
        /// The last envelope of the chain.
        last: u32,
    },
    /// A roll was asked for in a lane that the opening does not name.
    #[error("lane `{0}` has no chain in this campaign: lanes are fixed by the opening")]
    NoLane(String),
    /// The mix of an envelope can't be made because a source has not given its value.
    #[error("envelope {envelope}: no value of the source `{wanted}`")]
    NoSourceValue {
        /// The envelope.
        envelope: u32,
        /// The beginning of the line that is missing.
        wanted: String,
    },
    /// A scripted list of dice is too short.
    #[error(
        "the list of dice is too short: the roll `{label}` {spec} needs {needed} numbers, {left} are left"
    )]
    ScriptTooShort {
        /// The label of the roll.
        label: String,
        /// The spec of the roll.
        spec: String,
        /// How many numbers it takes.
        needed: usize,
        /// How many the list still has.
        left: usize,
    },
    /// A scripted list of dice has numbers that the roll can't give.
    #[error("the list of dice gives {numbers:?} to the roll `{label}`, and {spec} can't give that")]
    ScriptImpossible {
        /// The label of the roll.
        label: String,
        /// The spec of the roll.
        spec: String,
        /// The numbers of the list.
        numbers: Vec<u32>,
    },
    /// A file of test vectors is no JSON object.
    #[error("these test vectors can't be read: {0}")]
    Vectors(String),
}

impl DiceError {
    /// Shorthand for [`DiceError::Malformed`].
    pub(super) fn malformed(what: &'static str, text: &str, rule: &'static str) -> Self {
        Self::Malformed {
            what,
            text: text.to_owned(),
            rule,
        }
    }
}
