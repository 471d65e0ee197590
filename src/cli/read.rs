//! `estafette read FILE`: what the host reads in a mail. Changes nothing.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    isolated, out,
    status_list::is_campaign,
    umpires_eyes::EyesOption,
};
use crate::{
    dispatch::{self, WordsOrigin},
    game::Lang,
    mail::{
        self, AutoReason, Claim, Fate, Incoming, MailLimits, MailWords, Mailbox, SeatClue,
        WordsSource,
    },
};

/// Arguments of `read`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The mail as it was received; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The host's mailbox; without it, every recipient counts as one
    #[arg(long, value_name = "LOCAL@DOMAIN", alias = "host")]
    mailbox: Option<Mailbox>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    eyes: EyesOption,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the bytes are no mail that the host can handle.
pub fn run(args: &Args) -> CommandResult {
    if let Some(root) = campaign_of(&args.file) {
        if isolated::is_needed(&root) {
            return isolated::again();
        }
        args.eyes.open(&root, "mail", &args.clock)?;
    }
    let limits = MailLimits::default();
    let bytes = bytes(&args.file, limits.bytes)
        .map_err(|error| Failure::environment(format!("{}: {error}", args.file.display())))?;
    let mail = mail::read(&bytes, &limits).map_err(Failure::failed)?;
    let report = MailReading::new(&mail, args.mailbox.as_ref());
    if args.json {
        out::json(&report)
    } else {
        report.lines().iter().try_for_each(out::line)
    }
}

/// The campaign in whose inbox a mail lies, if it lies in one.
fn campaign_of(file: &Path) -> Option<PathBuf> {
    let file = file.canonicalize().ok()?;
    let mut above = file.ancestors().skip(1);
    above.find(|folder| is_campaign(folder)).map(Path::to_owned)
}

/// Reads up to one byte more than the limit: enough to see that there are too many.
fn bytes(file: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let source: Box<dyn Read> = if file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(file)?)
    };
    let mut bytes = Vec::new();
    source.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn mailbox(address: &str) -> Option<(&str, &str)> {
    address
        .trim_start_matches('<')
        .trim_end_matches('>')
        .rsplit_once('@')
}

/// A mail and what it claims.
#[derive(Serialize)]
struct MailReading<'a> {
    /// The campaign of the most reliable claim.
    campaign: Option<String>,
    /// The seat of the most reliable claim.
    seat: Option<String>,
    /// All claims, the most reliable first.
    claims: Vec<Claim>,
    #[serde(flatten)]
    mail: &'a Incoming,
}

impl<'a> MailReading<'a> {
    fn new(mail: &'a Incoming, mailbox: Option<&Mailbox>) -> Self {
        let claims = match mailbox {
            Some(mailbox) => mail::claims(mail, mailbox),
            None => claims_to_anybody(mail),
        };
        let best = claims.first();
        Self {
            campaign: best.map(|claim| claim.campaign.clone()),
            seat: best.map(|claim| claim.seat.clone()),
            claims,
            mail,
        }
    }

    fn lines(&self) -> Vec<String> {
        let mail = self.mail;
        let mut lines = vec![entry("From", &sender(mail))];
        lines.extend(mail.recipients.iter().map(|to| entry("To", to)));
        lines.push(entry("Subject", or_none(&mail.subject)));
        let date = mail.date.map(|date| date.to_string());
        lines.push(entry("Date", or_none(&date.unwrap_or_default())));
        let id = mail.message_id.as_deref().unwrap_or_default();
        lines.push(entry("Message-ID", or_none(id)));
        if self.claims.is_empty() {
            lines.push(entry("Speaks for", "nobody: no campaign and seat is named"));
        }
        lines.extend(
            self.claims
                .iter()
                .map(|claim| entry("Speaks for", &claimed(claim))),
        );
        lines.push(entry("Automatic", &automatic(mail.automatic.as_ref())));
        lines.extend(words(&mail.words));
        lines
    }
}

/// Reads claims as if every recipient were the host's mailbox, up to its `+` if it has one.
fn claims_to_anybody(mail: &Incoming) -> Vec<Claim> {
    let recipients = mail.recipients.iter().filter_map(|text| mailbox(text));
    let hosts =
        recipients.map(|(local, domain)| (local.split('+').next().unwrap_or(local), domain));
    // A mail without recipients may still name a seat in its subject.
    let hosts = hosts.chain([("", "")]).map(|(local, domain)| Mailbox {
        local: local.to_owned(),
        domain: domain.to_owned(),
        delimiter: '+',
    });
    let mut all: Vec<Claim> = Vec::new();
    for claim in hosts.flat_map(|host| mail::claims(mail, &host)) {
        if !all.contains(&claim) {
            all.push(claim);
        }
    }
    all.sort_by_key(|claim| claim.by);
    all
}

fn entry(name: &str, value: &str) -> String {
    format!("{:<12}{value}", format!("{name}:"))
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

fn sender(mail: &Incoming) -> String {
    match &mail.from.name {
        Some(name) => format!("{name} <{}>", mail.from.email),
        None => mail.from.email.clone(),
    }
}

fn claimed(claim: &Claim) -> String {
    let by = match claim.by {
        SeatClue::Address => "by the address that it was sent to",
        SeatClue::Thread => "by the mail that it answers",
        SeatClue::Subject => "by the tag in its subject",
    };
    let token = match &claim.token {
        Some(token) => format!("token {token}"),
        None => "no token".to_owned(),
    };
    format!(
        "campaign {}, seat {}, {by} ({token})",
        claim.campaign, claim.seat
    )
}

fn automatic(reason: Option<&AutoReason>) -> String {
    let Some(reason) = reason else {
        return "no".to_owned();
    };
    let why = match reason {
        AutoReason::OwnMail(campaign) => format!("a mail of campaign {campaign} has come back"),
        AutoReason::DeliveryReport(report) => {
            let each = report.recipients.iter();
            let each = each.map(|one| format!("{} {} {}", one.recipient, one.action, one.status));
            let about = report.about.as_deref().unwrap_or("an unknown mail");
            let list = each.collect::<Vec<_>>().join(", ");
            format!("a delivery report about {about}: {}", or_none(&list))
        }
        AutoReason::AutoReply(said) => format!("an automatic answer ({said})"),
        AutoReason::EmptyReturnPath => "its Return-Path is empty".to_owned(),
        AutoReason::SystemSender(sender) => format!("{sender} is a program"),
        AutoReason::MailingList => "a mailing list carried it".to_owned(),
        AutoReason::Bulk(said) => format!("its Precedence is {said}"),
    };
    let orders = if reason.may_carry_orders() {
        "orders in it count"
    } else {
        "no orders are taken from it"
    };
    format!("yes: {why}; it is not answered, {orders}")
}

/// The taken lines, then those left out with the reason, each with its number in the mail's text.
fn words(words: &MailWords) -> Vec<String> {
    if let Some(problem) = &words.problem {
        return vec![entry("Words", &format!("none: {problem}"))];
    }
    let source = match &words.source {
        WordsSource::Text => "of the plain text",
        WordsSource::Html => "of the HTML part",
        WordsSource::Attachment(name) => &format!("of the attached file {name}"),
        WordsSource::Nothing => "at all",
    };
    let taken = words.count(Fate::Taken);
    let mut lines = vec![entry("Words", &format!("{} {source}", number(taken)))];
    let written = |line: &&mail::WordLine| !line.text.trim().is_empty();
    let (own, others): (Vec<_>, Vec<_>) = words
        .lines
        .iter()
        .filter(written)
        .partition(|line| line.fate == Fate::Taken);
    lines.extend(
        own.iter()
            .map(|line| format!("{:>6}  {}", line.number, line.text)),
    );
    lines.push(entry("Left out", &number(others.len())));
    // As the receipt says it.
    let counts = WordsOrigin::new(&[], &words.left_out()).ignored;
    lines.extend(dispatch::left_out(Lang::En, &counts));
    let left_out = others.iter().map(|line| {
        let reason = left_out(line.fate);
        format!("{:>6}  {reason:<16}  {}", line.number, line.text)
    });
    lines.extend(left_out);
    for file in &words.attached {
        let said = format!("{}, {}", file.name, number(file.text.lines().count()));
        lines.push(entry(
            "Attached",
            &format!("{said}: they count if orders are among them"),
        ));
        lines.extend(file.text.lines().map(|line| format!("        {line}")));
    }
    lines
}

fn number(lines: usize) -> String {
    match lines {
        1 => "1 line".to_owned(),
        _ => format!("{lines} lines"),
    }
}

fn left_out(fate: Fate) -> &'static str {
    match fate {
        Fate::Taken => "",
        Fate::Quoted => "quotation",
        Fate::Attribution => "who is quoted",
        Fate::Signature => "signature",
        Fate::Footer => "footer",
        Fate::ForwardedOrHeaderBlock => "forwarded mail",
        Fate::Courtesy => "courtesy",
        Fate::OwnLetter => "our own letter",
        Fate::OutsideMarkers => "outside of marks",
    }
}
