//! What is planned is written: letters, entries of the register, and what the dice protocol keeps
//! of them.
//!
//! The only room that makes documents, and the only one that moves the register on. It gives the
//! same bytes whenever it is given the same: no clock is read here, and no disk.
//!
//! Entry points: [`write()`], [`bind()`] where the outcome is on record already, and
//! [`write_recorded()`] where an audit believes no record but that of words which another version
//! has written. `kinds` says which file makes what a letter says; `draft` gives it its header, its
//! sheet and last its proof; `envelope` makes the entry of the dice.

mod bind;
mod content;
mod desk;
mod dispatches;
mod documents;
mod draft;
mod envelope;
mod explained;
mod kinds;
pub mod letter;
mod notices;
pub mod on_record;
mod openings;
mod questions;
mod receipts;
mod recorded;
mod repeats;
mod seals;
pub mod sheet;
mod step;
mod write;

pub use self::{
    bind::bind, desk::Mailing, documents::map_document, explained::explained, letter::Letter,
    receipts::receipt_text, recorded::write_recorded, step::Step, write::write,
};
