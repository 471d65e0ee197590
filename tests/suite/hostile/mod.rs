//! Data and mails from people who mean harm.

mod data;
mod finds;
mod folders;
mod input;
mod terminal;
