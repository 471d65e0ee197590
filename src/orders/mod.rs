//! Text to orders: the order language, names, diagnostics.
//!
//! Invariant: what is read here depends on the game's declarations and on the seat's view, never on the true world.

mod order;

pub use order::{Command, Diagnostic, Guard, Line, Order, Reading};
