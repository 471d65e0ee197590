//! Data and mails from people who mean harm.

mod data;
mod finds;
mod folders;
mod input;
#[cfg(target_os = "linux")]
mod isolation;
mod terminal;
