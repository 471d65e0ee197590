//! The command line: one file a command.

mod case;
mod check;
mod coverage;
mod failure;
mod library;
mod out;

use clap::{Parser, Subcommand};

pub use failure::{Failure, Outcome};

/// A play-by-email adjudicator for wargame campaigns.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run rule cases: a line each, a count at the end
    Case(case::Args),
    /// Load everything, type-check data, compile scripts, lint
    Check(check::Args),
    /// The entries of a game's rule checklist with the cases that cover each, and those without
    Coverage(coverage::Args),
}

/// Runs a command.
///
/// # Errors
/// The exit code and what to say.
pub fn run(cli: Cli) -> Outcome {
    match cli.command {
        Command::Case(args) => case::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Coverage(args) => coverage::run(&args),
    }
}
