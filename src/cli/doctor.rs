//! `estafette doctor`: whether a host has all that it needs.

use std::{path::PathBuf, sync::Arc, time::Duration};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    out,
    serve::Config,
};
use crate::serve::{doctor::PATIENCE, examine};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Campaign directories beside those of the configuration
    #[arg(value_name = "DIR")]
    directories: Vec<PathBuf>,
    #[command(flatten)]
    config: Config,
    /// How long the mail to itself may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = PATIENCE.as_secs())]
    wait: u64,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if anything is wrong, 2 if the configuration is.
pub fn run(args: &Args) -> CommandResult {
    let config = args.config.read()?;
    let clock = args.clock;
    let clock: crate::serve::HostClock = Arc::new(move || clock.now());
    let findings = examine(
        &config,
        &args.directories,
        &clock,
        Duration::from_secs(args.wait),
    );
    let wrong = findings.iter().filter(|finding| !finding.ok).count();
    if args.json {
        out::json(&serde_json::json!({ "ok": wrong == 0, "findings": findings }))?;
    } else {
        for finding in &findings {
            let word = if finding.ok { "ok   " } else { "WRONG" };
            out::line(format!("{word}  {}", finding.what))?;
        }
    }
    if wrong == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}
