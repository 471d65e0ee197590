//! `estafette deliver DIR < message`: one mail from a pipe (procmail, .forward, sieve).

use std::{
    env,
    io::Read,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    out,
    serve::Config,
};
use crate::{
    digest::Digest,
    isolation::{PassRequest, ProcessBounds},
    mail::{DeliveryAddresses, MailLimits, maildir::Maildir, transport::Stop},
    serve::{ClubPlace, HostConfig, MailRoute, Roster, service::club_of, work_on_club},
    store::Directory,
};

/// Arguments of `deliver`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory; with --config the mail goes where its address says
    #[arg(
        value_name = "DIR",
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    directory: Option<PathBuf>,
    #[command(flatten)]
    config: Config,
    /// The address to which the mail was sent, if the server does not put it into its environment
    #[arg(long, value_name = "ADDRESS")]
    recipient: Vec<String>,
    /// The address from which it was sent; `<>` for none
    #[arg(long, value_name = "ADDRESS")]
    sender: Option<String>,
    #[command(flatten)]
    clock: ClockOption,
}

/// How long a delivery waits for another process that has the campaign.
const PATIENCE: Duration = Duration::from_millis(200);

/// Where a mail is kept.
struct Inbox {
    maildir: Maildir,
    /// The campaign that works it off; none for a mail that is for none.
    campaign: Option<PathBuf>,
    /// The club that works it off.
    club: Option<ClubPlace>,
    /// The server whose `Authentication-Results` count, where the host has one.
    results_of: Option<String>,
}

/// Runs the command. The mail is on the disk before anything is done with it; whatever happens
/// after that is the next pass's to put right, and no reason to send the mail back.
///
/// # Errors
/// Exit code 75 if the mail can't be kept here: its sender must keep it and try again.
pub fn run(args: &Args) -> CommandResult {
    let handed = if args.recipient.is_empty() && args.sender.is_none() {
        DeliveryAddresses::of_environment(|name| env::var(name).ok())
    } else {
        DeliveryAddresses::named(&args.recipient, args.sender.as_deref())
    };
    let bytes = handed.noted_on(&read(MailLimits::default().bytes)?);
    let config =
        (args.config.named()).map_err(|failure| Failure::keep_the_mail(failure.message))?;
    let inboxes = match (&config, &args.directory) {
        (Some(config), _) => routed(config, &bytes)?,
        (None, Some(directory)) => vec![inbox(directory, None)?],
        (None, None) => Vec::new(),
    };
    for inbox in &inboxes {
        inbox.maildir.create().map_err(Failure::keep_the_mail)?;
        // A mail that is handed over twice has the same name, and is kept once.
        let name = Digest::of(&bytes).to_string();
        let kept = inbox.maildir.put(&name, &bytes);
        kept.map_err(Failure::keep_the_mail)?;
    }
    inboxes.iter().for_each(|inbox| work(inbox, args));
    Ok(())
}

/// The inboxes of the campaigns that a mail is for, or the folder of mails for none.
fn routed(config: &HostConfig, bytes: &[u8]) -> Result<Vec<Inbox>, Failure> {
    let directories = config.directories(&[]).map_err(Failure::keep_the_mail)?;
    // A club that can't be read stops no mail for a campaign.
    let roster = Roster::read(&directories).0.with_club(club_of(config));
    let results_of = config.trust.authentication_results.as_ref();
    match roster.router().route(bytes) {
        MailRoute::To(places) => {
            let of = |place: &usize| match (roster.members.get(*place), &roster.club) {
                (Some(member), _) => inbox(member.directory.root(), results_of).map(Some),
                (None, Some(club)) => Ok(Some(Inbox {
                    maildir: club.directory.inbox(),
                    campaign: None,
                    club: Some(club.clone()),
                    results_of: None,
                })),
                (None, None) => Ok(None),
            };
            places
                .iter()
                .filter_map(|place| of(place).transpose())
                .collect()
        }
        MailRoute::Aside(_) => Ok(vec![Inbox {
            maildir: Maildir::at(config.state.join("aside")),
            campaign: None,
            club: None,
            results_of: None,
        }]),
    }
}

fn inbox(root: &Path, results_of: Option<&String>) -> Result<Inbox, Failure> {
    let directory = Directory::find(root).map_err(Failure::keep_the_mail)?;
    Ok(Inbox {
        maildir: directory.inbox(),
        campaign: Some(root.to_owned()),
        club: None,
        results_of: results_of.cloned(),
    })
}

/// A pass over the campaign, if nobody else has it.
fn work(inbox: &Inbox, args: &Args) {
    if let Some(club) = &inbox.club
        && let Err(error) = work_on_club(club, args.clock.now(), None)
    {
        out::remark(format!(
            "the mail is kept in the inbox of the club: {error}"
        ));
    }
    let Some(root) = &inbox.campaign else { return };
    // Only a configuration says what the host trusts.
    let named = args.directory.is_none();
    let request = PassRequest {
        root: root.clone(),
        now: args.clock.now(),
        patience: PATIENCE,
        results_of: named.then(|| inbox.results_of.clone()),
        beacon: None,
        though_alone: false,
    };
    if let Some(fault) = request.run(&ProcessBounds::default(), &Stop::new()).fault {
        out::remark(format!(
            "the mail is kept in the inbox; the next `estafette run` goes on with it: {}",
            fault.said
        ));
    }
}

/// Reads standard input up to one byte above the limit: enough to see that a mail is too large.
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
