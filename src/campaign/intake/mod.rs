//! TODO

pub mod addresses;
pub mod counted;
pub mod judge;
pub mod judge_values;
pub mod reports;
pub mod senders;
