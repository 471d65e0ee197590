//! Many campaigns behind one mailbox.

mod config;
mod doctor;
mod newcomers;
mod packing;
mod processes;
