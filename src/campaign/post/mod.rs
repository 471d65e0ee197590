//! Writing what is planned: letters, entries of the register, and what the dice protocol keeps of
//! them.
//!
//! The only room that makes documents, and the only one that moves the register on. The same input
//! always gives the same bytes: no clock is read here, and no disk.
//!
//! Entry points: [`write()`]; [`bind()`] where the outcome is already on record; and
//! [`write_recorded()`] for an audit of letters in another version's words, which takes only those
//! words on trust. `kinds` says which file makes the content of a letter; `draft` adds its header,
//! its sheet and finally its proof; `envelope` makes the dice entry.

mod bind;
mod content;
mod cores;
mod dispatches;
mod documents;
mod draft;
mod envelope;
mod errands;
mod kinds;
pub mod letter;
mod notices;
pub mod on_record;
mod openings;
mod questions;
mod receipt_lines;
mod receipts;
mod recorded_letters;
mod repeats;
mod seals;
pub mod sheet;
mod step;
mod umpires;
mod write;
mod writer;

pub use self::{
    bind::bind, documents::map_document, documents::observed_document, letter::Letter,
    receipt_lines::explained, receipts::receipt, recorded_letters::write_recorded, step::Step,
    write::write, writer::Mailing,
};
