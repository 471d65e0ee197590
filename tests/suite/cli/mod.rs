//! The commands, as a person at a terminal uses them.

mod check;
mod computed;
mod demo;
mod games;
mod orders;
mod planted;
mod read;
mod reference;
mod trace;
