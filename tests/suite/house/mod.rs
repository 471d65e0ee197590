//! The house itself: which room may use which, how things are named, and what the dependencies are.

mod dependencies;
mod imports;
mod names;
mod rooms;
mod words;
