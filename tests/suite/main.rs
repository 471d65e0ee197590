//! All integration tests, as one program: rooms by subject, and `support` for what they share.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that panics has failed, which is what it is for"
)]

mod audit;
mod campaign;
mod cli;
mod club;
mod dice;
mod dispatch;
mod durable;
mod fog;
mod games;
mod hostile;
mod house;
mod mail;
mod serve;
mod simulate;
mod support;

/// As in the program, whose rules make and drop many small values.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
