//! Decisions that depend on each other, as formulas over things, and their settling.
//!
//! A script says in text what decides (`count(x in friends: x.yes) > 2`), hands over things with
//! their fields, and gets the decisions back: yes, no, or open where they depend on each other in a
//! circle. Unknown decisions make a value a span from the least to the most that it can be. Nothing
//! here knows of scripts, pieces or maps.

mod dependence;
mod parse;
mod reckoning;
mod sight;
mod span;
mod syntax;
#[cfg(test)]
mod tests;
mod thing;
mod value;

pub use reckoning::Reckoning;
pub use syntax::Formulas;
pub use thing::{FieldValue, Thing};
