//! Campaigns mail by mail: turns, waits, questions, the umpire's hand.

mod absence;
mod bots;
mod conceding;
mod deadlines;
mod dispatch_after;
mod failed_checks;
mod flow;
mod hidden;
mod late_words;
mod opponent;
mod options;
mod pauses;
mod preview;
mod public_changes;
mod public_waits;
mod ready;
mod seven;
mod steering;
mod stopped;
mod umpire;
mod umpires;
