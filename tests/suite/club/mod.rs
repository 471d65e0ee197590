//! The club: its members and tables, by mail and from the shell.

mod absence;
mod examined;
mod house_of_club;
mod kills;
mod life;
mod members;
mod observers;
mod regular;
mod results;
mod strangers;
mod tables;
