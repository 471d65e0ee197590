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
    serve::{self, Config},
};
use crate::{
    bounded,
    campaign::{Campaign, Pass, Shelf, Waiting},
    host::{self, HostConfig, log},
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
    /// A file with the beacon's value: lines `<round> <signature>`, or the JSON of a relay. Values are also looked for in
    /// the folder `beacon` of each campaign
    #[arg(long, value_name = "FILE")]
    beacon: Option<PathBuf>,
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
    if let Some(config) = args.config.named()? {
        return round(&config, args);
    }
    let mut worst: Option<Failure> = None;
    for directory in &args.directories {
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

/// One round of a host.
fn round(config: &HostConfig, args: &Args) -> Outcome {
    log::begin(config.log);
    let clock = args.clock;
    let clock: host::Clock = std::sync::Arc::new(move || clock.now());
    let once = host::once(config, &args.directories, &clock).map_err(serve::failure)?;
    if !args.quiet || once.taken + once.out.sent > 0 {
        out::line(format!(
            "{} mails taken, {} letters sent, {} wait",
            once.taken, once.out.sent, once.out.waiting
        ))?;
    }
    if once.troubles.is_empty() {
        return Ok(());
    }
    once.troubles.iter().for_each(out::remark);
    Err(Failure::of_code(3))
}

fn pass(directory: &Path, args: &Args) -> Outcome {
    let now = args.clock.now();
    let opened = Campaign::open_or_tell(directory, PATIENCE, &mut Shelf::default(), now);
    let mut campaign = opened.map_err(failure)?;
    let name = campaign.engine().settings().campaign.clone();
    for notice in campaign.take_notices() {
        out::line(format!("{name}: {notice}"))?;
    }
    let mut pass = campaign.pass(now).map_err(failure)?;
    if let Some(file) = &args.beacon {
        let brought = bring(&mut campaign, file, args)?;
        pass.lines.extend(brought.lines);
        pass.letters += brought.letters;
    }
    for line in pass.lines.into_iter().chain(campaign.take_notices()) {
        out::line(format!("{name}: {line}"))?;
    }
    if !args.quiet || pass.letters > 0 {
        out::line(format!("{name}: {} letters written", pass.letters))?;
    }
    match &campaign.state().waiting {
        Waiting::Repair { error, .. } => Err(Failure::failed(format!(
            "stopped by an error in the rules or data: {error}"
        ))),
        _ => Ok(()),
    }
}

/// The largest file with a beacon's values, in bytes.
const LARGEST_BEACON: u64 = 1 << 20;

/// Takes the beacon's value from a file. A file without the round that is waited for changes nothing.
fn bring(campaign: &mut Campaign, file: &Path, args: &Args) -> Result<Pass, Failure> {
    let text = bounded::read_named(file, LARGEST_BEACON)?;
    let wanted = campaign.engine().wanted(campaign.state());
    let mut pass = campaign
        .bring_beacon(&text, args.clock.now())
        .map_err(failure)?;
    match wanted.and_then(|wanted| wanted.round) {
        Some((round, _)) if pass.lines.is_empty() => pass.lines.push(format!(
            "{} has no value of round {round}, which the dice wait for",
            file.display()
        )),
        _ => {}
    }
    Ok(pass)
}
