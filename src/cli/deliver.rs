//! `estafette deliver DIR < message`: one mail from a pipe (procmail, .forward, sieve).

use std::{io::Read, path::PathBuf, time::Duration};

use super::{
    clock::Clock,
    failure::{Failure, Outcome},
};
use crate::{
    campaign::{Campaign, Digest, Directory},
    mail::{Limits, maildir::Maildir},
};

/// Arguments of `deliver`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    clock: Clock,
}

/// Runs the command. The mail is on the disk before anything is done with it; whatever happens after that is the next
/// pass's to put right, and no reason to send the mail back.
///
/// # Errors
/// Exit code 75 if the mail can't be kept here: its sender must keep it and try again.
pub fn run(args: &Args) -> Outcome {
    let bytes = read(Limits::default().bytes)?;
    let directory = Directory::open(&args.directory).map_err(Failure::keep_the_mail)?;
    let inbox = Maildir::at(directory.inbox());
    inbox.create().map_err(Failure::keep_the_mail)?;
    // The same mail handed over twice has the same name, and is kept once.
    inbox
        .put(&Digest::of(&bytes).to_string(), &bytes)
        .map_err(Failure::keep_the_mail)?;
    let worked = Campaign::open(&args.directory, Duration::from_millis(200))
        .and_then(|mut campaign| campaign.pass(args.clock.now()));
    if let Err(error) = worked {
        eprintln!(
            "estafette: the mail is kept in the inbox; the next `estafette run` goes on with it: {error}"
        );
    }
    Ok(())
}

/// Reads standard input, no more than one byte above the limit: enough to see that a mail is too large.
fn read(limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .lock()
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(Failure::keep_the_mail)?;
    Ok(bytes)
}
