//! Commands over rules that are not the program's own: the same command line once more, in a
//! process of its own ([`crate::isolation`]).

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use clap::Parser;
use jiff::Timestamp;

use super::{
    Cli,
    clock::ClockOption,
    failure::{CommandResult, Failure},
    out,
    run::PATIENCE,
};
use crate::{
    campaign::durable::alarm::{self, Alarm},
    game::shipped,
    isolation::{self, Aftermath, Death, PANIC, PassRequest, ProcessBounds, ProcessEnd, STACK},
    mail::transport::Stop,
    store::Directory,
};

/// Arguments of `isolated`: bounds this process, then does what the rest of the line says.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Bytes of memory that the process may map
    #[arg(long)]
    memory: u64,
    /// Seconds that it may take
    #[arg(long)]
    seconds: Option<u64>,
    /// The command line
    #[arg(last = true, required = true)]
    line: Vec<OsString>,
}

/// Runs the command.
///
/// # Errors
/// As the command of the line.
pub fn run(args: Args) -> CommandResult {
    let Args {
        memory,
        seconds,
        line,
    } = args;
    let bounds = ProcessBounds { memory, seconds };
    bounds.enter().map_err(Failure::environment)?;
    let line = [OsString::from("estafette")].into_iter().chain(line);
    let cli = Cli::try_parse_from(line).map_err(Failure::usage)?;
    let work = thread::Builder::new().name("rules".to_owned());
    let work = work.stack_size(stack()).spawn(move || super::run(cli))?;
    work.join().unwrap_or_else(|_| {
        // The thread itself has reported what went wrong.
        Err(Failure {
            code: PANIC,
            message: String::new(),
        })
    })
}

/// The stack of the thread that runs the rules; the environment may name another one, in KiB. No
/// script is known that overflows the usual one within the bounds of the sandbox, so the tests
/// choose one that can be overflowed.
fn stack() -> usize {
    let named = env::var("ESTAFETTE_STACK_KIB").ok();
    let named = named.and_then(|text| text.parse::<usize>().ok());
    named.map_or(STACK, |kib| kib.saturating_mul(1 << 10))
}

/// Runs this command in a process of its own.
///
/// # Errors
/// The exit code of that process; 1 if its rules have ended it.
pub fn again() -> CommandResult {
    again_within(&ProcessBounds::default())
}

/// Runs this command in a process of its own without a time limit: it plays whole campaigns, or
/// reads what somebody types, and the person at the terminal can end it. Without a number it works
/// with as many threads as there are cores.
///
/// # Errors
/// As [`again`].
pub fn again_at_length(threads: Option<usize>) -> CommandResult {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    again_within(&ProcessBounds::of_long_work(threads.unwrap_or_else(cores)))
}

fn again_within(bounds: &ProcessBounds) -> CommandResult {
    again_or(bounds, |death| {
        Err(Failure::failed(format!(
            "{death}; nothing else has come to harm"
        )))
    })
}

/// Runs this command in a process of its own, within these bounds.
///
/// # Errors
/// The exit code of that process; what `died` says if its rules have ended it.
pub fn again_or(
    bounds: &ProcessBounds,
    died: impl FnOnce(&Death) -> CommandResult,
) -> CommandResult {
    let line: Vec<OsString> = env::args_os().skip(1).collect();
    match isolation::run_again(&line, bounds).map_err(Failure::environment)? {
        ProcessEnd::Done { code: 0, .. } => Ok(()),
        ProcessEnd::Done { code, .. } => Err(Failure {
            code: u8::try_from(code).unwrap_or(1),
            message: String::new(),
        }),
        ProcessEnd::Died(death) => died(&death),
        ProcessEnd::Interrupted => Err(Failure::environment("ended from outside")),
    }
}

/// Runs this decision of an umpire in a process of its own. The umpire has taken the campaign in
/// hand, so it is no longer left alone.
///
/// # Errors
/// As [`again`].
pub fn ruling(root: &Path, now: Timestamp) -> CommandResult {
    let directory = Directory::at(root);
    let alone = Alarm::of(&directory).map_err(Failure::environment)?;
    if alone.is_some_and(|alarm| alarm.alone) {
        alarm::end(&directory).map_err(Failure::environment)?;
    }
    let request = PassRequest {
        root: root.to_owned(),
        now,
        patience: PATIENCE,
        results_of: None,
        beacon: None,
        though_alone: true,
    };
    let bounds = ProcessBounds::default();
    again_or(&bounds, |death| {
        let then = match request.aftermath(death, &bounds, &Stop::new()) {
            Aftermath::LaidAside(_) => {
                "the input over which they did is laid aside, and the campaign is stopped"
            }
            Aftermath::Opens => "nothing was decided, and nothing has changed",
            Aftermath::Shut => {
                let left = request.leave_alone(&death.to_string());
                if let Some(fault) = left.fault {
                    return Err(Failure::environment(fault.said));
                }
                "they do it whenever it is opened, so the campaign is left alone"
            }
            Aftermath::Unknown(fault) => return Err(Failure::environment(fault.said)),
        };
        Err(Failure::failed(format!("{death}; {then}")))
    })
}

/// Returns true if a command over this campaign, or this bundle, needs a process of its own.
pub fn is_needed(root: &Path) -> bool {
    isolation::is_needed(root)
}

/// Returns true if a command with games or rules of somebody else's needs one.
pub fn is_needed_for(others: bool) -> bool {
    others && shipped::runs_only_shipped()
}

/// Arguments of `pass`: what a process does for the host that has begun it.
#[derive(Debug, clap::Args)]
pub struct PassArgs {
    /// The campaign's directory
    directory: PathBuf,
    /// Milliseconds to wait for another process that has the campaign
    #[arg(long)]
    patience: u64,
    /// The server whose `Authentication-Results` count from now on
    #[arg(long)]
    results_of: Option<String>,
    /// None counts from now on
    #[arg(long)]
    results_of_none: bool,
    /// A file with the beacon's value
    #[arg(long)]
    beacon: Option<PathBuf>,
    /// How the process before has died
    #[arg(long)]
    died: Option<String>,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs a pass and prints what came of it, as one JSON document.
///
/// # Errors
/// If standard output can't be written.
pub fn pass(args: &PassArgs) -> CommandResult {
    let server = args.results_of.clone();
    let request = PassRequest {
        root: args.directory.clone(),
        now: args.clock.now(),
        patience: Duration::from_millis(args.patience),
        results_of: (server.is_some() || args.results_of_none).then_some(server),
        beacon: args.beacon.clone(),
        though_alone: true,
    };
    out::json(&request.for_the_host(args.died.as_deref()))
}
