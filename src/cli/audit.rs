//! `estafette audit DIR`, `estafette audit MAILS`, `estafette audit --vectors FILE`.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out,
};
use crate::{
    audit::{self, KeptLetters, archive, archive::ArchiveKind, bundle},
    bounded,
    cli::progress::Bar,
    club,
    dice::{self, verify::Verdict},
    store::{Directory, UnpackError},
};

/// Arguments of `audit`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Args {
    /// A campaign's directory; the bundle of one, a folder or a .tar file; or a player's mails: a
    /// folder with a Maildir or .eml files, an mbox file
    #[arg(value_name = "DIR|BUNDLE|MAILS", group = "what")]
    path: Option<PathBuf>,
    /// Letters that a player has kept, to be compared with those that the campaign or the bundle of
    /// its end writes
    #[arg(value_name = "MAILS", requires = "path")]
    mails: Option<PathBuf>,
    /// Check this build's dice against a file of test vectors
    #[arg(long, value_name = "FILE", group = "what")]
    vectors: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 where something does not fit, named; 4 where nothing is wrong and something is
/// unproven.
pub fn run(args: &Args) -> CommandResult {
    if let Some(path) = &args.path
        && (isolated::is_needed(path) || isolated::is_needed_for(holds_a_bundle(path)))
    {
        return isolated::again_at_length(None);
    }
    match (&args.path, &args.vectors) {
        (Some(path), _) if bundle::is_bundle(path) => unpacked(path, args),
        (Some(path), _) if path.is_file() => file(path, args),
        (Some(path), _) if Directory::open_club(path).is_ok() => of_club(path, args),
        (Some(path), _) if is_campaign(&Directory::at(path)) => campaign(path, args),
        (Some(path), _) => alone(path, args),
        (_, Some(file)) => vectors(file, args.json),
        (None, None) => Err(Failure::usage(
            "name a campaign directory, a folder of mails, or --vectors FILE",
        )),
    }
}

/// A club: its journal, its members' files, its tables and campaigns. The campaigns have audits of
/// their own.
fn of_club(path: &Path, args: &Args) -> CommandResult {
    let found = club::examine(path).map_err(|error| match error.is_environment() {
        true => Failure::environment(error),
        false => Failure::failed(error),
    })?;
    if args.json {
        let document = serde_json::json!({
            "records": found.records,
            "members": found.members,
            "campaigns": found.campaigns,
            "wrong": found.wrong,
        });
        out::json(&document)?;
    } else {
        out::line(format!(
            "a club: {}, {}, {}",
            out::counted(found.records, "record"),
            out::counted(found.members, "member"),
            out::counted(found.campaigns, "campaign")
        ))?;
        found
            .wrong
            .iter()
            .try_for_each(|wrong| out::line(format!("WRONG: {wrong}")))?;
    }
    if found.wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::said())
}

/// Returns true if the directory holds a campaign, or what is left of one.
fn is_campaign(directory: &Directory) -> bool {
    directory.has_journal() || directory.has_settings()
}

/// Returns true if a file may be a bundle: whose rules it brings, only its contents say.
fn holds_a_bundle(path: &Path) -> bool {
    path.is_file() && matches!(archive::kind_of(path), Ok(ArchiveKind::Tar))
}

/// A file alone: what it is, its first bytes tell.
fn file(path: &Path, args: &Args) -> CommandResult {
    let shown = path.display();
    let kind = archive::kind_of(path)
        .map_err(|error| Failure::environment(format!("{shown}: {error}")))?;
    match kind {
        ArchiveKind::Tar => tar(path, args),
        ArchiveKind::Text => alone(path, args),
        ArchiveKind::Packed { with, by } => Err(Failure::failed(format!(
            "{shown} is packed with {with}: unpack it first (`{by}`), and name what comes out of it"
        ))),
        ArchiveKind::Unknown => Err(Failure::failed(format!(
            "{shown} is neither a tar archive nor text; name a campaign's directory, a bundle (a folder or a .tar file) or mails"
        ))),
    }
}

fn tar(path: &Path, args: &Args) -> CommandResult {
    let trouble = |error| Failure::environment(format!("{}: {error}", path.display()));
    let folder = tempfile::tempdir().map_err(trouble)?;
    archive::unpack(path, folder.path()).map_err(|error| {
        let text = format!("{}: {error}", path.display());
        match error {
            UnpackError::Io(_) => Failure::environment(text),
            _ => Failure::failed(text),
        }
    })?;
    if !bundle::is_bundle(folder.path()) {
        let path = path.display();
        return Err(Failure::failed(format!(
            "{path} is no bundle: it has no dice/register.txt"
        )));
    }
    unpacked(folder.path(), args)
}

fn unpacked(folder: &Path, args: &Args) -> CommandResult {
    let mails = kept(args)?;
    let bar = Bar::new();
    let watch = &mut |done, all| bar.show(done, all);
    let report = bundle::audit_with(folder, mails, watch).map_err(failure)?;
    drop(bar);
    say(&report, args.json)
}

fn campaign(directory: &Path, args: &Args) -> CommandResult {
    let to_read = Directory::at(directory).to_read();
    let (directory, _copy) = to_read.map_err(|error| failure(error.into()))?;
    let mails = kept(args)?;
    let bar = Bar::new();
    let watch = &mut |done, all| bar.show(done, all);
    let report = audit::campaign_watched(directory.root(), mails, watch).map_err(failure)?;
    drop(bar);
    say(&report, args.json)
}

/// The letters that a player has kept, if there are any to be compared.
fn kept(args: &Args) -> Result<Option<KeptLetters>, Failure> {
    let mails = args.mails.as_deref();
    let read = mails.map(|path| KeptLetters::read(path).map_err(Failure::environment));
    read.transpose()
}

fn say(report: &audit::AuditReport, json: bool) -> CommandResult {
    if json {
        out::json(report)?;
    } else {
        print(report)?;
    }
    outcome(report.verdict())
}

/// The exit code of a verdict.
fn outcome(verdict: Verdict) -> CommandResult {
    match verdict {
        Verdict::Fits => Ok(()),
        Verdict::Incomplete => Err(Failure::incomplete("")),
        Verdict::Wrong => Err(Failure::said()),
    }
}

/// Lines of one kind that are printed: somebody may have written mails with thousands of things
/// that don't fit.
const MOST_LINES: usize = 100;

/// A report, line by line, and what it comes to in one sentence.
fn print(report: &audit::AuditReport<impl Display>) -> CommandResult {
    lines("checked  ", &report.checked)?;
    lines("left out ", &report.unchecked)?;
    lines("dice     ", &report.statistics)?;
    lines("UNPROVEN ", &report.unproven)?;
    lines("WRONG    ", &report.wrong)?;
    out::line(report.summary())
}

fn lines(kind: &str, things: &[impl Display]) -> CommandResult {
    for thing in things.iter().take(MOST_LINES) {
        out::line(format!("{kind}{thing}"))?;
    }
    match things.len().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => out::line(format!("{kind}{more} more; --json prints all")),
    }
}

/// Audits mails without their campaign.
fn alone(path: &Path, args: &Args) -> CommandResult {
    if args.mails.is_some() {
        return Err(Failure::usage(format!(
            "{}: kept letters are compared with a campaign's directory or the bundle of its end, and this is neither; to audit \
             mails alone, name one folder that has them all",
            path.display()
        )));
    }
    mails(path, args.json)
}

fn mails(path: &Path, json: bool) -> CommandResult {
    let bar = Bar::new();
    let watch = &mut |done, all| bar.show(done, all);
    let found = audit::mails::mails_watched(path, watch).map_err(Failure::environment)?;
    drop(bar);
    if json {
        out::json(&found)?;
    } else {
        found.campaigns.iter().try_for_each(print)?;
        if found.further.all() > 0 {
            out::line(found.further.to_string())?;
        }
    }
    if found.campaigns.is_empty() {
        return Err(Failure::incomplete(format!(
            "{}: nothing was checked: no register entry stands in its {} mails (lines that begin with `sd1`). Name the folder \
             with all mails of the campaign, the opening first; quoted-printable letters are read, pictures of letters are \
             not.",
            path.display(),
            found.mails
        )));
    }
    outcome(found.verdict())
}

/// The largest file of test vectors, in bytes.
const LARGEST_VECTORS: u64 = 64 << 20;

fn vectors(file: &Path, json: bool) -> CommandResult {
    let text = bounded::read_named(file, LARGEST_VECTORS)?;
    let report = dice::run_vectors(&text).map_err(Failure::failed)?;
    if json {
        out::json(&serde_json::json!({
            "passed": report.passed,
            "failed": report.failed,
            "failures": report.failures,
            "skipped": report.skipped,
        }))?;
    } else {
        for line in &report.skipped {
            out::line(format!("left out {line}"))?;
        }
        for line in &report.failures {
            out::line(format!("WRONG    {line}"))?;
        }
        out::line(format!(
            "{} passed, {} failed",
            report.passed, report.failed
        ))?;
    }
    if report.failed == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}
