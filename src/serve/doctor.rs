//! `estafette doctor`: checks everything that a host needs, and sends itself a mail.

use std::{fs, path::Path, time::Duration};

use data_encoding::HEXLOWER;
use jiff::SignedDuration;

use super::{HostClock, HostConfig, Member, Roster, known::KnownNames, queue::oldest};
use crate::{
    campaign::{durable, model::trust::Trust},
    club, disk, isolation,
    mail::{
        MailLimits,
        maildir::Maildir,
        transport::{MailEnvelope, MailSource, Observation, RawMail, SendError, Stop},
    },
    store::Lock,
};

/// How long the mail to itself may take.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// A waiting letter older than this needs attention.
const OLD: SignedDuration = SignedDuration::from_hours(24);
/// A running host finds a new campaign within this time.
const FOUND_WITHIN: SignedDuration = SignedDuration::from_mins(1);
/// How many mails at a source are searched for the mail to itself.
const MOST: usize = 200;

/// Checks everything. Each fault says what to do.
#[must_use]
pub fn examine(
    config: &HostConfig,
    more: &[std::path::PathBuf],
    clock: &HostClock,
    patience: Duration,
) -> Vec<Observation> {
    let mut findings = vec![state(&config.state)];
    findings.extend(campaigns(config, more, clock));
    findings.extend(config.club.iter().flat_map(|root| of_club(root)));
    let stop = Stop::new();
    let mut sources = config.open_sources(&stop);
    for source in &mut sources {
        findings.extend(source.probe());
    }
    if sources.is_empty() {
        findings.push(Observation::good(
            "no `in`: mails come by `estafette deliver` alone",
        ));
    }
    match config.open_sink() {
        None => findings.push(Observation::good(
            "no `out`: letters stay in the outboxes of the campaigns",
        )),
        Some(mut sink) => findings.extend(sink.probe()),
    }
    if config.sink.is_some() && !sources.is_empty() {
        if findings.iter().all(|finding| finding.ok) {
            findings.push(round_trip(config, &mut sources, patience));
        } else {
            findings.push(Observation::wrong(
                "no mail was sent to ourselves: put the above right first",
            ));
        }
    }
    findings
}

/// What is wrong with the ways in and out of a host that is up.
pub(super) fn troubles(config: &HostConfig) -> Vec<String> {
    let stop = Stop::new();
    let sources = config.open_sources(&stop).into_iter();
    let found = sources.flat_map(|mut source| source.probe());
    let sink = config.open_sink().into_iter();
    let found = found.chain(sink.flat_map(|mut sink| sink.probe()));
    let wrong = found.filter(|finding| !finding.ok);
    wrong.map(|finding| finding.what).collect()
}

/// Reports whether the host's folder is writable, and whether a host is running.
fn state(folder: &Path) -> Observation {
    let tried = disk::make_folder(folder).and_then(|()| {
        disk::write_atomically(&folder.join("doctor"), b"doctor\n", disk::Mode::Secret)
    });
    let _ = fs::remove_file(folder.join("doctor"));
    match tried {
        Err(error) => Observation::wrong(format!("{error}; look at `state`")),
        Ok(()) if is_up(folder) => Observation::good(format!(
            "{}: can be written; a host is up",
            folder.display()
        )),
        Ok(()) => Observation::good(format!(
            "{}: can be written; no host is up",
            folder.display()
        )),
    }
}

fn is_up(folder: &Path) -> bool {
    Lock::take(&folder.join("lock"), Duration::ZERO).is_err()
}

fn campaigns(
    config: &HostConfig,
    more: &[std::path::PathBuf],
    clock: &HostClock,
) -> Vec<Observation> {
    let directories = match config.directories(more) {
        Err(error) => return vec![Observation::wrong(format!("{error}; look at `campaigns`"))],
        Ok(directories) => directories,
    };
    let (roster, wrong) = Roster::read(&directories);
    let told = |(root, problem): (std::path::PathBuf, String)| {
        Observation::wrong(format!("{}: {problem}", root.display()))
    };
    let mut findings: Vec<Observation> = wrong.into_iter().map(told).collect();
    if roster.members.is_empty() {
        findings.push(match config.has_folders() {
            true => Observation::good("there is no campaign yet; one that is made is found"),
            false => Observation::wrong("there is no campaign; name directories in `campaigns`"),
        });
    }
    if is_up(&config.state) {
        match KnownNames::read(&config.state) {
            Ok(known) => {
                let unknown = roster.members.iter().filter(|it| !known.has(it.name()));
                findings.extend(unknown.map(|member| not_known(member, clock)));
            }
            Err(error) => findings.push(Observation::wrong(error.to_string())),
        }
    }
    findings.extend(
        roster
            .members
            .iter()
            .flat_map(|member| campaign(config, member, clock)),
    );
    findings
}

/// Reports what is wrong with the club's directory.
fn of_club(root: &Path) -> Vec<Observation> {
    let shown = root.display();
    match club::examine(root) {
        Err(error) => vec![Observation::wrong(format!(
            "{shown}: {error}; look at `club`"
        ))],
        Ok(found) if found.wrong.is_empty() => vec![Observation::good(format!(
            "{shown}: the club's journal is whole, with {} members and {} campaigns",
            found.members, found.campaigns
        ))],
        Ok(found) => found.wrong.into_iter().map(Observation::wrong).collect(),
    }
}

/// Reports a campaign that the running host does not know: not yet, or for a reason.
fn not_known(member: &Member, clock: &HostClock) -> Observation {
    let name = member.name();
    if clock().duration_since(member.settings.created) < FOUND_WITHIN {
        return Observation::good(format!(
            "{name}: the running host does not know it yet, and will find it within a minute"
        ));
    }
    Observation::wrong(format!(
        "{name}: the running host does not know it. It looks for new campaigns by its own configuration and command line: \
         name the directory there, and start it again; its log says what it leaves out"
    ))
}

/// Reports whether a campaign opens and fits the mailbox, and what is in its outboxes.
fn campaign(config: &HostConfig, member: &Member, clock: &HostClock) -> Vec<Observation> {
    let name = member.name();
    let mut findings = Vec::new();
    let (own, wanted) = (member.mailbox(), &config.mailbox);
    if own != wanted {
        findings.push(Observation::wrong(format!(
            "{name}: its mails come from {own} with the delimiter `{}`, and the host's mailbox is {wanted} with `{}`; answers \
             would not arrive. `mailbox` and `delimiter` must say what the campaign was made with",
            own.delimiter, wanted.delimiter
        )));
    }
    findings.extend(trust(config, member));
    findings.push(if member.directory.is_packed() {
        Observation::good(format!("{name}: over, packed"))
    } else {
        opening(config, member)
    });
    if config.sink.is_some() {
        let old = oldest(&member.letter_box())
            .ok()
            .and_then(|(count, first)| Some((count, first?)));
        if let Some((count, first)) = old.filter(|(_, first)| clock().duration_since(*first) > OLD)
        {
            findings.push(Observation::good(format!(
                "{name}: note that {count} letters wait, the oldest since {first}; they are sent when the host runs"
            )));
        }
    }
    findings
}

/// Whether a campaign opens, and in which phase it is.
fn opening(config: &HostConfig, member: &Member) -> Observation {
    let name = member.name();
    let phase = if isolation::is_needed(member.directory.root()) {
        isolation::phase_of(member.directory.root(), &config.isolation.bounds())
    } else {
        let looked = durable::look(member.directory.root());
        looked
            // Secrets of those who are asked are not for the umpire to read in passing.
            .map(|(_, _, state)| state.quiet().is_none().then_some(state.phase))
            .map_err(|error| error.to_string())
    };
    match phase {
        Ok(Some(phase)) => Observation::good(format!("{name}: opens; phase {phase}")),
        Ok(None) => Observation::good(format!("{name}: opens")),
        Err(problem) => Observation::wrong(format!("{name}: {problem}")),
    }
}

/// The proof that a campaign asks of mails with orders, and the server that vouches; none if the
/// token is enough.
fn trust(config: &HostConfig, member: &Member) -> Option<Observation> {
    let (name, asked) = (member.name(), &member.settings.trust);
    let host = config.trust.authentication_results.as_ref();
    match (asked.least, asked.results_of.as_ref().or(host)) {
        (Trust::Token, _) => None,
        (Trust::TokenAndAddress, _) => Some(Observation::good(format!(
            "{name}: takes orders from the seats' own addresses only; others are held for the umpire"
        ))),
        (Trust::Verified, Some(server)) => Some(Observation::good(format!(
            "{name}: takes orders only where {server} says, in the topmost Authentication-Results field, that the address \
             is genuine; others are held for the umpire"
        ))),
        (Trust::Verified, None) => Some(Observation::wrong(format!(
            "{name}: takes only orders whose sender a mail server has verified, and no server is named, so that all are held \
             for the umpire; write `trust: {{authentication_results: mx.example.org}}` with the name that your server gives \
             itself in its Authentication-Results fields"
        ))),
    }
}

/// Sends a mail to an address of our own, as players do, and waits until it comes back.
fn round_trip(
    config: &HostConfig,
    sources: &mut [Box<dyn MailSource>],
    patience: Duration,
) -> Observation {
    let mut random = [0_u8; 8];
    if let Err(error) = getrandom::fill(&mut random) {
        return Observation::wrong(format!("this machine has no random numbers: {error}"));
    }
    let mark = HEXLOWER.encode(&random);
    let mailbox = &config.mailbox;
    let to = format!(
        "{}{}doctor.probe.{mark}@{}",
        mailbox.local, mailbox.delimiter, mailbox.domain
    );
    let bytes = format!(
        "From: <{from}>\r\nTo: <{to}>\r\nSubject: Estafette looks whether mails arrive\r\nMessage-ID: <doctor.{mark}@{domain}>\r\n\
         Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
         `estafette doctor` has sent this mail to itself. It can be deleted.\r\n",
        from = mailbox,
        domain = mailbox.domain,
    );
    let Some(mut sink) = config.open_sink() else {
        return Observation::wrong("there is no `out`");
    };
    let envelope = MailEnvelope {
        from: Some(mailbox.to_string()),
        to: to.clone(),
    };
    match sink.send(&envelope, bytes.as_bytes()) {
        Err(SendError::Refused { said, .. }) => {
            return Observation::wrong(format!(
                "a mail to {to} was refused: {said}; the server must take mails for {} with anything behind a `{}`",
                mailbox, mailbox.delimiter
            ));
        }
        Err(error) => {
            return Observation::wrong(format!("a mail to {to} could not be sent: {error}"));
        }
        Ok(_) => {}
    }
    let stop = Stop::new();
    for waited in 0..patience.as_secs().max(1) {
        if has_come(config, sources, &mark) {
            return Observation::good(format!(
                "a mail to ourselves came back after about {waited} s"
            ));
        }
        stop.sleep(Duration::from_secs(1));
    }
    Observation::wrong(format!(
        "a mail to {to} was taken by `out` and did not come to `in` within {} s; look whether {} is delivered there, with \
         anything behind a `{}`",
        patience.as_secs(),
        mailbox,
        mailbox.delimiter
    ))
}

/// Returns true if the mail is at a source, or a running host has already put it aside. At a source
/// it is marked as taken.
fn has_come(config: &HostConfig, sources: &mut [Box<dyn MailSource>], mark: &str) -> bool {
    let limit = MailLimits::default().bytes;
    let holds = |bytes: &[u8]| {
        bytes
            .windows(mark.len())
            .any(|window| window == mark.as_bytes())
    };
    let aside = Maildir::at(config.state.join("aside"));
    for entry in aside.unprocessed().unwrap_or_default() {
        if aside
            .read(&entry, limit)
            .is_ok_and(|bytes| bytes.is_some_and(|bytes| holds(&bytes)))
        {
            return aside.done(&entry).is_ok();
        }
    }
    for source in sources {
        let mails = source.fetch(limit, MOST).unwrap_or_default();
        let ours: Vec<&RawMail> = mails.iter().filter(|mail| holds(&mail.bytes)).collect();
        if !ours.is_empty() {
            return source.done(&ours).is_ok();
        }
    }
    false
}
