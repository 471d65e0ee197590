//! An input is worked off: from one state and one record to the next state, and to what is to be
//! written of it.
//!
//! The entry point is `apply::apply`. It reads no clock and no disk, and leaves the register as it
//! is, so that doing it again gives the same. It makes no document: a letter is counted (its
//! Message-ID, its token, its place in a thread) and planned (`plan::Plan`), with the state as it
//! stood then. `value::Turn` is the working value of all functions here; each file is named for
//! what it does.

pub mod amend;
pub mod answers;
pub mod apply;
pub mod asking;
pub mod beginning;
pub mod bots;
pub mod bounces;
pub mod deadlines;
pub mod ending;
pub mod exchange;
pub mod handover;
pub mod holding;
pub mod overdue;
pub mod phases;
pub mod plan;
pub mod planning;
pub mod publishing;
pub mod receipts;
pub mod refusals;
pub mod rolling;
pub mod rulings;
pub mod running;
pub mod sealing;
pub mod steering;
pub mod taking;
pub mod value;
pub mod values;
