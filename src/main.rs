//! Parses the command line, calls a command, maps errors to exit codes.

use std::process::ExitCode;

use clap::Parser;
use estafette::{
    cli::{self, Cli},
    game::shipped,
};

/// Scripts make and drop many small values: this allocator makes a turn a tenth shorter.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let wrong = error.use_stderr();
            let _ = error.print();
            return ExitCode::from(if wrong { 2 } else { 0 });
        }
    };
    // Rules of others run in processes of their own only.
    shipped::run_only_shipped(true);
    match cli::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("estafette: {}", failure.message);
            }
            ExitCode::from(failure.code)
        }
    }
}
