//! Many campaigns behind one mailbox.

mod config;
mod desk;
mod doctor;
mod newcomers;
mod packing;
mod processes;
