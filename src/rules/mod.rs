//! The Rhai host: sandbox, the functions scripts may call, suspension.
//!
//! A phase is a straight script. If it needs a player's decision that has not come yet, the host
//! notes what it waits for, stops the script and throws away the half-done world; once the decision
//! has come, the phase is run again from its start. Invariant: what the host noted decides, never
//! what the script returned. The rules know nothing of campaigns, mails or disks.

mod board;
mod bots;
mod closures;
mod convert;
mod courier;
mod definitions;
mod errors;
mod formula;
mod functions;
mod look;
mod order_check;
mod outcome;
mod parsed_scripts;
mod printout;
mod program;
mod runaway;
mod sandbox;
mod sources;
mod stage;
#[cfg(test)]
mod tests;
mod tokens;
mod trace;

pub use bots::{BotRequest, Bots, Luck};
pub use courier::Ride;
pub use errors::RuleError;
pub(crate) use look::LOOK;
pub use outcome::{
    Decisions, GameEvent, Hearers, JudgedAnswer, Judgement, OrderRefusal, Outcome, PhaseResult,
    Question, QuestionRound, Remark, Suspension, Wait,
};
pub use parsed_scripts::ParsedScripts;
pub use printout::Printout;
pub use program::{INVARIANTS, Program, Start};
pub use sandbox::{RunLimits, used_memory};
pub use sources::{ScriptPlace, Spot};
pub use tokens::{ScriptToken, ScriptTokenKind, tokens};
pub use trace::Trace;
