//! The command line: one file a command.

mod audit;
mod backup;
mod bundle;
mod case;
mod check;
mod cli_words;
mod clock;
mod club;
mod club_results;
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
mod pack;
mod progress;
mod read;
mod run;
mod schedule;
mod seating;
mod serve;
mod shell;
mod simulate;
mod status;
mod status_club;
mod status_list;
mod umpire;
mod umpire_log;
mod umpire_preview;
mod umpires_eyes;
mod waits;
mod witness;

use clap::{Parser, Subcommand};

pub use failure::{CommandResult, Failure};

/// A play-by-email adjudicator for wargame campaigns.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// A whole small campaign by mail on this machine: orders in, dispatches out
    Demo(demo::Args),
    /// Make a campaign
    New(Box<new::Args>),
    /// Make one pass: take the mails that have come, resolve what is due, send letters
    Run(run::Args),
    /// Run as a server: take mails and send letters as estafette.yaml says
    Serve(serve::Args),
    /// Check that a host has all it needs, and send it a test mail. Exit 1 if anything is wrong, in
    /// plain words
    Doctor(doctor::Args),
    /// Hand over one mail on standard input; exit 75 when its sender must keep it
    Deliver(deliver::Args),
    /// Show what the host would read in a mail; changes nothing
    Read(read::Args),
    /// Show what orders on standard input would mean now or, without any, a seat's standing orders;
    /// changes nothing
    Orders(orders::Args),
    /// Where a campaign stands; several, a line each
    Status(status::Args),
    /// Decide something in a running campaign, for everybody to read
    Umpire(umpire::Args),
    /// The club around the campaigns: members, tables
    Club(club::Args),
    /// For a person who does not play and has a part in the dice
    Witness(witness::Args),
    /// The map as a picture
    Map(map::Args),
    /// Replay and verify everything; exit 0 if it fits, 1 if something is wrong, 4 if something is
    /// unproven
    Audit(audit::Args),
    /// Write what an auditor needs, without secrets that still matter
    Bundle(bundle::Args),
    /// Copy campaigns, or all that a host keeps, into one file, while it runs
    Backup(backup::Args),
    /// Make one file of all that an ended campaign keeps; it is still audited, and letters are sent
    /// again from it
    Pack(pack::Args),
    /// Put a backup into a new folder, and look whether it is whole
    Restore(backup::RestoreArgs),
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
    /// List the games, describe one and its orders, or say where its figures come from
    Games(games::Args),
    /// Print a script that lets your shell complete the command line
    Completions(shell::CompletionsArgs),
    /// The manual page of the program, or of a command
    Man(shell::ManArgs),
    /// Bounds this process, then does what the rest of the line says
    #[command(hide = true)]
    Isolated(isolated::Args),
    /// Do what the host process that started this one asks for
    #[command(hide = true)]
    Pass(isolated::PassArgs),
}

/// Runs a command.
///
/// # Errors
/// The exit code and what to say.
pub fn run(cli: Cli) -> CommandResult {
    match cli.command {
        CliCommand::Demo(args) => demo::run(&args),
        CliCommand::New(args) => new::run(&args),
        CliCommand::Run(args) => self::run::run(&args),
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Doctor(args) => doctor::run(&args),
        CliCommand::Deliver(args) => deliver::run(&args),
        CliCommand::Read(args) => read::run(&args),
        CliCommand::Orders(args) => orders::run(&args),
        CliCommand::Status(args) => status::run(&args),
        CliCommand::Umpire(args) => umpire::run(&args),
        CliCommand::Club(args) => club::run(&args),
        CliCommand::Witness(args) => witness::run(&args),
        CliCommand::Map(args) => map::run(&args),
        CliCommand::Audit(args) => audit::run(&args),
        CliCommand::Bundle(args) => bundle::run(&args),
        CliCommand::Backup(args) => backup::backup(&args),
        CliCommand::Pack(args) => pack::run(&args),
        CliCommand::Restore(args) => backup::restore(&args),
        CliCommand::Case(args) => case::run(&args),
        CliCommand::Check(args) => check::run(&args),
        CliCommand::Coverage(args) => coverage::run(&args),
        CliCommand::Simulate(args) => simulate::run(&args),
        CliCommand::NewGame(args) => new_game::run(&args),
        CliCommand::Games(args) => games::run(&args),
        CliCommand::Completions(args) => shell::completions(&args),
        CliCommand::Man(args) => shell::man(&args),
        CliCommand::Isolated(args) => isolated::run(args),
        CliCommand::Pass(args) => isolated::pass(&args),
    }
}
