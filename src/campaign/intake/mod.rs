//! Who speaks in a mail, and whether it counts.
//!
//! The entry point is [`judge::judge`]: from the bytes of a mail to the event of the record that is
//! written of it. Nothing is changed, and nobody is told: what comes of the event is the business
//! of [`super::turn`].

pub mod addresses;
pub mod arrival;
pub mod counted;
pub mod judge;
pub mod judge_values;
pub mod reports;
pub mod senders;
pub mod wishes;
