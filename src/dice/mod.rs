//! Sealed Dice 1 (sd1): secrets, lanes, envelopes, rolls, ledger, register, receipts, and their
//! verification.
//!
//! The protocol in one breath: a secret drawn before the game fixes a chain of sealed envelopes for
//! every audience ([`keys`]); each envelope key is joined with something that nobody controls
//! ([`source`]); every roll has a label and a key of its own ([`random`]); all of it is recorded in
//! a public hash chain ([`register`]), and anybody can check it from the mails alone
//! ([`verify()`]).
//!
//! This room knows nothing of mail, disks, worlds or games: texts go in, texts and numbers come
//! out.

pub mod beacon;
pub mod canonical;
pub mod entry;
pub mod error;
pub mod form;
pub mod hash;
pub mod keys;
pub mod ledger;
pub mod letters;
pub(crate) mod lines;
pub mod names;
pub mod private;
pub mod proof;
pub mod random;
pub mod receipt;
pub mod register;
pub mod roller;
pub mod sheet;
pub mod source;
pub mod spec;
pub mod time;
pub mod vectors;
pub mod verify;

pub use beacon::Beacon;
pub use canonical::canonical_orders;
pub use entry::{DiceEntry, End, EntryBody, Note, Opening, Seal};
pub use error::DiceError;
pub use form::Form;
pub use hash::{Code, Digest, Key, hash, hash_bytes};
pub use keys::{
    BoundText, Chain, Chains, EnvelopeKey, Master, RollKey, blind, digest, envelope_key,
};
pub use ledger::{Ledger, LedgerLine};
pub use letters::{LetterBundle, LetterList, ListedLetter};
pub use names::{CampaignName, Label, Lane};
pub use private::PrivateBlock;
pub use proof::parted;
pub use random::{RandomWords, throw};
pub use receipt::{Receipt, ReceiptKind, ReceiptNumber};
pub use register::{Entry, Foot, Register};
pub use roller::{Counters, Dice, ScriptedDice, SealedDice};
pub use sheet::{Sheet, SheetField, SheetLine};
pub use source::{Mix, Source, SourceValue};
pub use spec::Spec;
pub use time::Time;
pub use vectors::{VectorReport, run_vectors};
pub use verify::{Bundle, Finding, VerifyReport, verify};
