//! `estafette run DIR...`: one pass over campaigns, for cron.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    out,
    serve::{self, Config},
};
use crate::{
    isolation::{self, PassReport, PassRequest, ProcessBounds},
    mail::transport::Stop,
    serve::{HostConfig, log, once},
};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Campaign directories
    #[arg(required_unless_present = "file", value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// A host's configuration (estafette.yaml): mails are fetched and letters sent as it says, once
    #[command(flatten)]
    config: Config,
    /// A file with the beacon's value: lines `<round> <signature>`, or the JSON of a relay. Values
    /// are also looked for in the folder `beacon` of each campaign
    #[arg(long, value_name = "FILE")]
    beacon: Option<PathBuf>,
    /// Say nothing when nothing happened
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    clock: ClockOption,
}

/// How long a pass waits for another process that has the campaign.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the command. Trouble in one campaign does not keep the others from their pass.
///
/// # Errors
/// The worst that happened: 3 before 1.
pub fn run(args: &Args) -> CommandResult {
    if let Some(config) = args.config.named()? {
        return round(&config, args);
    }
    let mut worst: Option<Failure> = None;
    let directories = args.directories.iter();
    // Whatever rules of others do, the campaigns with the program's own have had their pass before.
    let (others, own): (Vec<_>, Vec<_>) = directories.partition(|root| isolation::is_needed(root));
    for directory in own.into_iter().chain(others) {
        if let Err(failure) = pass(directory, args) {
            for line in failure.message.lines() {
                out::remark(format!("{}: {line}", directory.display()));
            }
            let code = worst
                .as_ref()
                .map_or(0, |worst| worst.code)
                .max(failure.code);
            worst = Some(Failure::of_code(code));
        }
    }
    worst.map_or(Ok(()), Err)
}

/// Makes one round of a host.
fn round(config: &HostConfig, args: &Args) -> CommandResult {
    log::begin(config.log);
    let clock = args.clock;
    let clock: crate::serve::HostClock = std::sync::Arc::new(move || clock.now());
    let done = once(config, &args.directories, &clock).map_err(serve::failure)?;
    if !args.quiet || done.taken + done.out.sent > 0 {
        out::line(format!(
            "{} taken, {} sent, {} waiting",
            out::counted(done.taken, "mail"),
            out::counted(done.out.sent, "letter"),
            done.out.waiting
        ))?;
    }
    if done.troubles.is_empty() {
        return Ok(());
    }
    done.troubles.iter().for_each(out::remark);
    Err(Failure::of_code(3))
}

fn pass(directory: &Path, args: &Args) -> CommandResult {
    let request = PassRequest {
        root: directory.to_owned(),
        now: args.clock.now(),
        patience: PATIENCE,
        results_of: None,
        beacon: args.beacon.clone(),
        though_alone: false,
    };
    let report = request.run(&ProcessBounds::default(), &Stop::new());
    tell(&report, args.quiet)
}

/// Says what came of a pass.
///
/// # Errors
/// If it did not come to its end, or the campaign is stopped.
pub fn tell(report: &PassReport, quiet: bool) -> CommandResult {
    let name = &report.name;
    for line in report.notices.iter().chain(&report.lines) {
        out::line(format!("{name}: {line}"))?;
    }
    if report.fault.is_none() && (!quiet || report.letters > 0) {
        let letters = out::counted(report.letters, "letter");
        out::line(format!("{name}: {letters} written"))?;
    }
    match (&report.fault, &report.stopped) {
        (Some(fault), _) if fault.environment => Err(Failure::environment(&fault.said)),
        (Some(fault), _) => Err(Failure::failed(&fault.said)),
        (None, Some(error)) => Err(Failure::failed(format!(
            "stopped by an error in the rules or data: {error}"
        ))),
        (None, None) => Ok(()),
    }
}
