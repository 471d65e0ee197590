//! The commands, as a person at a terminal uses them.

mod backup;
mod check;
mod computed;
mod demo;
mod forms;
mod games;
mod map;
mod new_game;
mod orders;
mod outpost;
mod planted;
mod read;
mod reference;
mod seats;
mod shell;
mod status;
mod trace;
