//! Many campaigns behind one mailbox.

mod config;
mod doctor;
mod processes;
