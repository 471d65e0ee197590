//! The command line: one file a command.

mod audit;
mod bundle;
mod case;
mod check;
mod clock;
mod coverage;
mod deliver;
mod demo;
mod doctor;
mod failure;
mod games;
mod isolated;
mod library;
mod map;
mod new;
mod new_game;
mod orders;
mod out;
mod progress;
mod read;
mod run;
mod serve;
mod simulate;
mod status;
mod umpire;
mod witness;
mod words;

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
    /// A whole small campaign by mail on this machine: orders in, dispatches out
    Demo(demo::Args),
    /// Make a campaign
    New(Box<new::Args>),
    /// One pass: take the mails that have come, resolve what is due, send
    Run(run::Args),
    /// The same, staying up: mails come and letters go as estafette.yaml says
    Serve(serve::Args),
    /// Whether a host has all that it needs; sends itself a mail. Exit 1 if anything is wrong, in plain words
    Doctor(doctor::Args),
    /// Hand over one mail on standard input; exit 75 when its sender must keep it
    Deliver(deliver::Args),
    /// What the host reads in a mail; changes nothing
    Read(read::Args),
    /// What orders on standard input would mean now; without any, how a seat's standing orders stand; changes nothing
    Orders(orders::Args),
    /// Where a campaign stands
    Status(status::Args),
    /// Decide something in a running campaign, for everybody to read
    Umpire(umpire::Args),
    /// For a person who does not play and has a part in the dice
    Witness(witness::Args),
    /// The map as a picture
    Map(map::Args),
    /// Replay and verify everything; exit 0 if it fits, 1 if something is wrong, 4 if something is unproven
    Audit(audit::Args),
    /// What an auditor needs, without secrets that still matter
    Bundle(bundle::Args),
    /// Run rule cases: a line each, a count at the end
    Case(case::Args),
    /// Load everything, type-check data, compile scripts, lint
    Check(check::Args),
    /// The entries of a game's rule checklist with the cases that cover each, and those without
    Coverage(coverage::Args),
    /// Bots play whole campaigns through the mail path
    Simulate(simulate::Args),
    /// Make a small sound game to start from, with rules, cases and a bot
    NewGame(new_game::Args),
    /// What games there are; what a game is, with its orders; where its figures come from
    Games(games::Args),
    /// Bounds this process, then does what the rest of the line says
    #[command(hide = true)]
    Isolated(isolated::Args),
    /// What a process of its own does for the host that has begun it
    #[command(hide = true)]
    Pass(isolated::PassArgs),
}

/// Runs a command.
///
/// # Errors
/// The exit code and what to say.
pub fn run(cli: Cli) -> Outcome {
    match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::New(args) => new::run(&args),
        Command::Run(args) => self::run::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Deliver(args) => deliver::run(&args),
        Command::Read(args) => read::run(&args),
        Command::Orders(args) => orders::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Umpire(args) => umpire::run(&args),
        Command::Witness(args) => witness::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Bundle(args) => bundle::run(&args),
        Command::Case(args) => case::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Coverage(args) => coverage::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::NewGame(args) => new_game::run(&args),
        Command::Games(args) => games::run(&args),
        Command::Isolated(args) => isolated::run(args),
        Command::Pass(args) => isolated::pass(&args),
    }
}
