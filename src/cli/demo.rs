//! `estafette demo`: a small campaign by mail on this machine, from mails that ship with the
//! program.
//!
//! It goes the way that every campaign goes: mails are put into the inbox, passes take them,
//! letters come out. The dice are made from a fixed seed, so that everybody's demo is the same; a
//! campaign of one's own draws its secret.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use include_dir::{Dir, include_dir};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::{
    failure::{CommandResult, Failure},
    library::Places,
    new::{failure, sound_game},
    out,
};
use crate::{
    audit,
    campaign::{
        self,
        durable::Campaign,
        model::{
            clock::{Deadlines, Schedule},
            concerns::BouncePolicy,
            dispatch_policy::DispatchPolicy,
            errands::PressRules,
            leeway::Leeway,
            seats::{Seat, Seats},
            settings::{DiceSource, Settings},
            state::CurrentWait,
            trust::TrustPolicy,
        },
    },
    dice::{Master, verify::Verdict},
    ids::SeatId,
    mail::{self, MailLimits, Mailbox},
    store::Directory,
};

static DEMO: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/demo");

/// Arguments of `demo`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the campaign and its mails are left; must not exist yet
    #[arg(long, value_name = "DIR", default_value = "demo-out")]
    out: PathBuf,
    #[command(flatten)]
    clock: super::clock::ClockOption,
}

/// The file `demo/demo.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DemoScript {
    game: String,
    scenario: String,
    name: String,
    seed: String,
    start: Timestamp,
    /// How long after the last mail orders close.
    settle: SignedDuration,
    seats: Vec<Seat>,
    umpire: String,
    mailbox: Mailbox,
    steps: Vec<DemoStep>,
}

/// One mail of the demo.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DemoStep {
    /// The file in `demo/mails`.
    mail: String,
    seat: SeatId,
    /// Words for the reader at the terminal.
    say: String,
}

/// Runs the command.
///
/// # Errors
/// If the folder exists, the disk refuses, or the audit at the end finds something.
pub fn run(args: &Args) -> CommandResult {
    if args.out.exists() {
        return Err(Failure::usage(format!(
            "{} exists already; name another folder with --out, or remove it",
            args.out.display()
        )));
    }
    let script = script()?;
    let mut demo = Demo::begin(args, &script)?;
    for step in &script.steps {
        demo.step(step)?;
    }
    demo.end()
}

fn script() -> Result<DemoScript, Failure> {
    let text = DEMO
        .get_file("demo.yaml")
        .and_then(include_dir::File::contents_utf8)
        .unwrap_or_default();
    serde_yaml::from_str(text).map_err(|error| Failure::failed(format!("demo/demo.yaml: {error}")))
}

struct Demo {
    out: PathBuf,
    directory: Directory,
    now: Timestamp,
    /// How many letters of each recipient have been shown.
    shown: BTreeMap<String, usize>,
    /// Complaints already shown, by reader: a receipt for added orders repeats those about the
    /// orders before them.
    said: BTreeSet<(String, Vec<String>)>,
    steps: usize,
}

/// Minutes between two mails of the demo.
const BETWEEN: SignedDuration = SignedDuration::from_mins(10);

impl Demo {
    fn begin(args: &Args, script: &DemoScript) -> Result<Self, Failure> {
        let (_, files) = sound_game(&Places::default(), None, &script.game)?;
        let now = if args.clock.is_set() {
            args.clock.now()
        } else {
            script.start
        };
        let settings = settings(script, now)?;
        let name = settings
            .campaign
            .as_str()
            .parse()
            .map_err(Failure::failed)?;
        let master = Master::simulated(&script.seed, &name);
        fs::create_dir_all(&args.out)?;
        let directory = args.out.join("campaign");
        Campaign::create(&directory, &settings, &files, &master, now).map_err(failure)?;
        out::line(format!(
            "A campaign of {} is made in {}.",
            script.game,
            directory.display()
        ))?;
        out::line(
            "Its dice come from a fixed seed, so that this demo is always the same: they are no secret.",
        )?;
        out::line("")?;
        let mut demo = Self {
            out: args.out.clone(),
            directory: Directory::at(&directory),
            now,
            shown: BTreeMap::new(),
            said: BTreeSet::new(),
            steps: 0,
        };
        demo.letters()?;
        Ok(demo)
    }

    fn step(&mut self, step: &DemoStep) -> CommandResult {
        self.steps += 1;
        self.now = self.now.checked_add(BETWEEN).map_err(Failure::failed)?;
        let bytes = self.filled(step)?;
        let incoming = mail::read(&bytes, &MailLimits::default()).map_err(Failure::failed)?;
        out::line("")?;
        out::line(format!(
            "{}  {}: {}",
            self.now.strftime("%H:%M"),
            step.seat,
            step.say
        ))?;
        for line in incoming.words.text.lines() {
            out::line(format!("        | {line}"))?;
        }
        let kept = self.out.join("sent").join(&step.mail);
        write(&kept, &bytes)?;
        let inbox = self.directory.inbox();
        inbox
            .put(&format!("{:02}-{}", self.steps, step.mail), &bytes)
            .map_err(Failure::environment)?;
        let settled = self.pass()?;
        let next = self.now.checked_add(BETWEEN).map_err(Failure::failed)?;
        let Some(closes) = settled.filter(|closes| *closes < next) else {
            return Ok(());
        };
        let at = closes.strftime("%H:%M");
        out::line("")?;
        out::line(format!("{at}  no mail has come since: orders close"))?;
        let before = std::mem::replace(&mut self.now, closes);
        self.pass()?;
        self.now = before;
        Ok(())
    }

    /// A pass, and the letters that come out; returns when the clock is next to do something.
    fn pass(&mut self) -> Result<Option<Timestamp>, Failure> {
        let mut campaign =
            Campaign::open(self.directory.root(), Duration::ZERO).map_err(failure)?;
        campaign.pass(self.now).map_err(failure)?;
        let stopped = match &campaign.state().waiting {
            CurrentWait::Repair { error, .. } => Some(error.clone()),
            _ => None,
        };
        let due = campaign::due_at(campaign.context(), campaign.state());
        drop(campaign);
        self.letters()?;
        stopped.map_or(Ok(due), |error| Err(Failure::failed(error)))
    }

    /// The mail of a step, addressed as an answer to the newest letter of its seat.
    fn filled(&self, step: &DemoStep) -> Result<Vec<u8>, Failure> {
        let path = format!("mails/{}", step.mail);
        let template = DEMO.get_file(&path).map(include_dir::File::contents);
        let template =
            template.ok_or_else(|| Failure::failed(format!("demo/{path} is missing")))?;
        let outbox = self.directory.outbox(step.seat.as_str());
        let newest = outbox
            .unprocessed()
            .map_err(Failure::environment)?
            .into_iter()
            .max_by_key(|entry| number(&entry.key()));
        let newest = newest.ok_or_else(|| Failure::failed("there is no letter to answer"))?;
        let bytes = outbox
            .read(&newest, 8 << 20)
            .map_err(Failure::environment)?
            .unwrap_or_default();
        let (reply_to, subject) = mail::reply_to(&bytes)
            .ok_or_else(|| Failure::failed("the newest letter has no reply address"))?;
        let filled = replace(template, b"@REPLY-TO@", reply_to.as_bytes());
        let filled = replace(&filled, b"@SUBJECT@", subject.as_bytes());
        Ok(replace(&filled, b"@MESSAGE-ID@", newest.key().as_bytes()))
    }

    /// Shows the letters that are new and lays them out as files that every mail program and
    /// browser opens.
    fn letters(&mut self) -> CommandResult {
        let names = self.directory.outboxes().map_err(Failure::environment)?;
        for name in names {
            let outbox = self.directory.outbox(&name);
            let mut entries = outbox.unprocessed().map_err(Failure::environment)?;
            entries.sort_by_key(|entry| number(&entry.key()));
            let seen = self.shown.insert(name.clone(), entries.len()).unwrap_or(0);
            for (index, entry) in entries.iter().enumerate().skip(seen) {
                let bytes = outbox
                    .read(entry, 8 << 20)
                    .map_err(Failure::environment)?
                    .unwrap_or_default();
                self.lay_out(&name, index + 1, &bytes)?;
            }
        }
        Ok(())
    }

    fn lay_out(&mut self, seat: &str, number: usize, bytes: &[u8]) -> CommandResult {
        let parts = mail::parts(bytes).ok_or_else(|| Failure::failed("a letter can't be read"))?;
        let stem = self
            .out
            .join("letters")
            .join(seat)
            .join(format!("{number:02}"));
        write(&stem.with_extension("eml"), bytes)?;
        write(&stem.with_extension("txt"), parts.text.as_bytes())?;
        let mut page = parts.html.clone();
        for (image, png) in parts.images.iter().enumerate() {
            let file = match image {
                0 => format!("{number:02}.png"),
                _ => format!("{number:02}-{}.png", image + 1),
            };
            write(&stem.with_file_name(&file), png)?;
            // Beside its pictures the page can be opened without a mail program.
            page = page.map(|page| with_picture(&page, &file));
        }
        if let Some(page) = page {
            write(&stem.with_extension("html"), page.as_bytes())?;
        }
        out::line(format!("        -> {seat}: {}", parts.subject))?;
        let said = summary(&parts.text);
        if self.said.insert((seat.to_owned(), said.clone())) {
            for line in said {
                out::line(format!("           {line}"))?;
            }
        }
        Ok(())
    }

    fn end(&self) -> CommandResult {
        out::text("\nThe umpire audits what has been played:\n\n")?;
        let report = audit::campaign(self.directory.root()).map_err(failure)?;
        for line in &report.checked {
            out::line(format!("  checked  {line}"))?;
        }
        for line in &report.unproven {
            out::line(format!("  UNPROVEN {line}"))?;
        }
        for line in &report.wrong {
            out::line(format!("  WRONG    {line}"))?;
        }
        if report.verdict() != Verdict::Fits {
            return Err(Failure::failed("the audit has found something"));
        }
        let out_dir = self.out.display();
        out::text("\nThe audit is passed. Look at:\n\n")?;
        out::line(format!(
            "  {out_dir}/letters/<seat>/    every letter: .eml as sent, .txt, .html, the map as .png"
        ))?;
        out::line(format!("  {out_dir}/sent/              the players' mails"))?;
        out::line(format!(
            "  {out_dir}/campaign/          the campaign: journal, inbox, outboxes, pinned rules"
        ))?;
        out::line(format!("  estafette status {out_dir}/campaign"))
    }
}

/// A page whose first picture from the mail is a file instead.
fn with_picture(page: &str, file: &str) -> String {
    let found = page.split_once("src=\"cid:");
    match found.and_then(|(above, rest)| Some((above, rest.split_once('"')?.1))) {
        Some((above, below)) => format!("{above}src=\"{file}\"{below}"),
        None => page.to_owned(),
    }
}

/// The essence of a letter: a receipt's complaints, a dispatch's events, a question.
fn summary(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("sd1"))
        .collect();
    let caret = lines
        .iter()
        .position(|line| line.trim_start_matches([' ', '|']).starts_with('^'));
    let said: Vec<String> = match caret {
        // The player's line, the caret, the reason, the hint.
        Some(at) => {
            let from = lines.iter().skip(at.saturating_sub(1));
            from.take_while(|line| !line.is_empty())
                .map(|line| (*line).to_owned())
                .collect()
        }
        None => items(&lines),
    };
    let more = said.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = said.into_iter().take(SHOWN).collect();
    if more > 0 {
        shown.push(format!("  ... {more} more"));
    }
    shown
}

/// The items of lists, each with the lines that it goes on in.
fn items(lines: &[&str]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    // The indentation of lines that go on with the item above; none outside an item.
    let mut goes_on: Option<&str> = None;
    for line in lines {
        if line.starts_with("  - ") {
            goes_on = Some("    ");
            items.push((*line).to_owned());
        } else if line.starts_with("1. ") {
            goes_on = Some("");
            items.push((*line).to_owned());
        } else if goes_on.is_some_and(|start| {
            line.starts_with(start) && !line.is_empty() && start.is_empty() != line.starts_with(' ')
        }) {
            if let Some(item) = items.last_mut() {
                item.push(' ');
                item.push_str(line.trim());
            }
        } else {
            goes_on = None;
        }
    }
    items
}

/// Items of a letter that the terminal shows.
const SHOWN: usize = 12;

fn settings(script: &DemoScript, now: Timestamp) -> Result<Settings, Failure> {
    Ok(Settings {
        campaign: script.name.parse().map_err(Failure::failed)?,
        title: String::new(),
        game: script.game.clone(),
        scenario: script.scenario.clone(),
        options: BTreeMap::new(),
        press: PressRules::default(),
        absence: Default::default(),
        observers: Default::default(),
        club: None,
        seating: crate::game::Seating::default(),
        seats: Seats::new(script.seats.clone()).map_err(Failure::failed)?,
        umpire: Some(script.umpire.parse().map_err(Failure::failed)?),
        umpires: Vec::new(),
        mailbox: script.mailbox.clone(),
        schedule: Schedule::new(
            "UTC".parse().map_err(Failure::failed)?,
            Deadlines::WhenAllIn { most_hours: None },
            0,
        )
        .and_then(|schedule| {
            schedule.with_leeway(Leeway {
                settle: script.settle,
                ..Leeway::default()
            })
        })
        .map_err(Failure::failed)?,
        dice: vec![DiceSource::Orders],
        questions_per_turn: 1,
        pictures: true,
        trust: TrustPolicy::default(),
        unreachable: BouncePolicy::default(),
        dispatches: DispatchPolicy::default(),
        seed: Some(script.seed.clone()),
        created: now,
    })
}

/// The number of a letter in its Message-ID.
fn number(key: &str) -> u64 {
    mail::MessageName::parse(key).map_or(0, |name| name.number)
}

fn replace(bytes: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let mut rest = bytes;
    let mut replaced = Vec::with_capacity(bytes.len());
    while let Some(at) = rest.windows(what.len()).position(|window| window == what) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(with);
        rest = &rest[at + what.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

fn write(path: &Path, bytes: &[u8]) -> CommandResult {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, bytes)?)
}
