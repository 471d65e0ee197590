//! `estafette run DIR...`: one pass over campaigns, for cron.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    clock::Clock,
    failure::{Failure, Outcome},
    new::failure,
    out,
};
use crate::campaign::{Campaign, Waiting};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Campaign directories
    #[arg(required = true, value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Say nothing when nothing happened
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    clock: Clock,
}

/// How long a pass waits for another process that has the campaign.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Runs the command. Trouble in one campaign does not keep the others from their pass.
///
/// # Errors
/// The worst that happened: 3 before 1.
pub fn run(args: &Args) -> Outcome {
    let mut worst: Option<Failure> = None;
    for directory in &args.directories {
        if let Err(failure) = pass(directory, args) {
            eprintln!("estafette: {}: {}", directory.display(), failure.message);
            let code = worst
                .as_ref()
                .map_or(0, |worst| worst.code)
                .max(failure.code);
            worst = Some(Failure {
                code,
                message: String::new(),
            });
        }
    }
    worst.map_or(Ok(()), Err)
}

fn pass(directory: &Path, args: &Args) -> Outcome {
    let mut campaign = Campaign::open(directory, PATIENCE).map_err(failure)?;
    let name = campaign.engine().settings().campaign.clone();
    for notice in campaign.notices() {
        out::line(format!("{name}: {notice}"))?;
    }
    let pass = campaign.pass(args.clock.now()).map_err(failure)?;
    for line in &pass.lines {
        out::line(format!("{name}: {line}"))?;
    }
    if !args.quiet || pass.letters > 0 {
        out::line(format!("{name}: {} letters written", pass.letters))?;
    }
    match &campaign.state().waiting {
        Waiting::Repair { error } => Err(Failure::failed(format!(
            "stopped by an error in the rules or data: {error}"
        ))),
        _ => Ok(()),
    }
}
