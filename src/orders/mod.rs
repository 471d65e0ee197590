//! Text to orders: the order language, names, diagnostics.
//!
//! Invariant: reading depends on the game's declarations and on the seat's view, never on the true
//! world.
//!
//! A line goes through `token` (words and signs), `read` (commands, guards, verbs), `matcher` and
//! `slots` (forms and values) to an [`Order`] or, through `diagnose`, to a [`Diagnostic`].
//! `pattern` and [`Grammar`] compile the declaration, [`Vocabulary`] holds the names that the seat
//! knows. `print`, `explain` and `help` go the other way.

mod cast;
mod conditions;
mod diagnose;
mod explain;
mod fold;
mod grammar;
mod help;
mod host_words;
mod keywords;
mod matcher;
mod names;
mod near;
mod open;
mod options;
mod order;
pub mod pattern;
mod print;
mod read;
mod samples;
mod sense;
mod settle;
mod slots;
mod token;
mod vocabulary;
mod written_slots;

pub use explain::{explain, guessed, receipt, refusal};
pub use fold::fold;
pub use grammar::{Grammar, GrammarError};
pub use help::{
    Help, command_help, condition_help, help, help_of_seat, help_of_side, is_example, is_order,
    template, template_functions, topic_help, topics_of_seat,
};
pub use host_words::HostWords;
pub use names::NameIndex;
pub use order::{Command, Diagnostic, Guard, Order, OrderLine, Reading, Test};
pub use print::{print, print_answer, print_command};
pub use read::{
    Expect, MAX_BYTES, MAX_CHARS, MAX_LINES, NOT_AN_OPTION, QuestionForm, ends_in_text,
    parts_of_line, read, read_alone,
};
pub use samples::{Choose, FormSubject, Tongue, all_forms};
pub use sense::other_readings;
pub use settle::{SettledWords, settle};
pub use vocabulary::{Vocabularies, Vocabulary};

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
