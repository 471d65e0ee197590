//! The house itself: which room may use which, and what the dependencies are.

mod dependencies;
mod imports;
mod rooms;
