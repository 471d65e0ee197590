//! The durable part: directory, journal, seats, clock, outbox.

mod understand;

pub use understand::{Setting, Understood, group_of};
