//! Data and mails from people who mean harm.

mod data;
mod finds;
mod folders;
mod input;
#[cfg(unix)]
mod isolation;
mod terminal;
