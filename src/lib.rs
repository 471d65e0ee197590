//! Estafette: a play-by-email adjudicator for wargame campaigns.
//!
//! The modules stand in the order of the data flow: a mail becomes orders, the campaign keeps them,
//! the rules resolve them on the world with dice, a dispatch tells each seat what it may know, and
//! a mail carries it out.

pub mod audit;
pub mod bounded;
mod by_text;
pub mod campaign;
pub mod cases;
pub mod check;
pub mod cli;
pub mod club;
pub mod dice;
pub mod digest;
pub mod disk;
pub mod dispatch;
pub mod game;
pub mod ids;
pub mod isolation;
pub mod mail;
pub mod ordered;
pub mod orders;
pub mod rules;
pub mod serve;
pub mod simulate;
pub mod store;
mod templates;
mod unfinished;
pub mod value;
pub mod visible;
pub mod world;
mod yaml;

/// The program's version. Campaigns record the one that they began with.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How letters read, counted: raised with every change after which the same campaign gives a letter
/// of other bytes, be it of words, layout, maps or the writing of mails. Records name it beside the
/// version, and an audit makes only those letters again that were written in the same way.
pub const LETTERS_VERSION: u32 = 35;
