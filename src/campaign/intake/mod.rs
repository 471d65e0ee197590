//! Who speaks in a mail, and whether it counts.
//!
//! The entry point is [`judge::judge`]: it turns the bytes of a mail into the event to be recorded.
//! It changes nothing and tells nobody; what follows from the event is the business of
//! [`super::turn`].
//!
//! `judge` asks, in this order: delivery reports (`reports`), umpires (`umpires`), witnesses and
//! the beacon (`judge_values`), errands beside orders (`errands`), addresses (`addresses`), wishes
//! for letters (`wishes`), then orders, with the words that count (`counted_words`) and the trust
//! in their sender (`senders`). An `arrival::Arrival` is the mail as all of them get it.

pub mod addresses;
pub mod arrival;
pub mod counted_words;
pub mod errands;
pub mod judge;
pub mod judge_values;
pub mod reports;
pub mod senders;
pub mod umpires;
mod wishes;
