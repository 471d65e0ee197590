//! `estafette audit DIR`, `estafette audit MAILS`, `estafette audit --vectors FILE`.

use std::{
    fmt::Display,
    path::{Path, PathBuf},
};

use super::{
    failure::{Failure, Outcome},
    new::failure,
    out,
};
use crate::{
    audit::{self, bundle, statistics::Count, unpack::UnpackError},
    bounded,
    cli::progress::Bar,
    dice,
};

/// Arguments of `audit`.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub struct Args {
    /// A campaign's directory; the bundle of one, a folder or a .tar file; or a player's mails: a folder with a Maildir or .eml files, an mbox file
    #[arg(value_name = "DIR|BUNDLE|MAILS", group = "what")]
    path: Option<PathBuf>,
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
/// Exit code 1 at the first difference, named.
pub fn run(args: &Args) -> Outcome {
    match (&args.path, &args.vectors) {
        (Some(path), _) if bundle::is_bundle(path) => unpacked(path, args.json),
        (Some(path), _) if is_tar(path) => tar(path, args.json),
        (Some(path), _) if path.join("journal.jsonl").exists() => campaign(path, args.json),
        (Some(path), _) if path.join("campaign.yaml").exists() => campaign(path, args.json),
        (Some(path), _) => mails(path, args.json),
        (_, Some(file)) => vectors(file, args.json),
        (None, None) => Err(Failure::usage(
            "name a campaign directory, a folder of mails, or --vectors FILE",
        )),
    }
}

fn is_tar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "tar") && path.is_file()
}

fn tar(path: &Path, json: bool) -> Outcome {
    let trouble = |error| Failure::environment(format!("{}: {error}", path.display()));
    let folder = tempfile::tempdir().map_err(trouble)?;
    audit::unpack::unpack(path, folder.path()).map_err(|error| {
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
    unpacked(folder.path(), json)
}

fn unpacked(folder: &Path, json: bool) -> Outcome {
    let bar = Bar::new();
    let report = bundle::audit(folder, &mut |done, all| bar.show(done, all)).map_err(failure)?;
    drop(bar);
    say(&report, json)
}

fn campaign(directory: &Path, json: bool) -> Outcome {
    let bar = Bar::new();
    let watch = &mut |done, all| bar.show(done, all);
    let report = audit::campaign_watched(directory, watch).map_err(failure)?;
    drop(bar);
    say(&report, json)
}

fn say(report: &audit::Report, json: bool) -> Outcome {
    if json {
        out::json(report)?;
    } else {
        let verdict = if report.is_sound() {
            "everything fits"
        } else {
            "something does not fit"
        };
        let audit::Report {
            campaign,
            checked,
            unchecked,
            statistics,
            wrong,
        } = report;
        print(campaign, checked, unchecked, statistics, wrong, verdict)?;
    }
    if report.is_sound() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

/// A report, line by line.
fn print(
    campaign: &str,
    checked: &[String],
    unchecked: &[String],
    statistics: &[Count],
    wrong: &[impl Display],
    verdict: &str,
) -> Outcome {
    let checked = checked.iter().map(|line| format!("checked  {line}"));
    let unchecked = unchecked.iter().map(|line| format!("left out {line}"));
    let statistics = statistics.iter().map(|count| format!("dice     {count}"));
    let wrong = wrong.iter().map(|wrong| format!("WRONG    {wrong}"));
    let lines = checked.chain(unchecked).chain(statistics).chain(wrong);
    lines
        .chain([format!("{campaign}: {verdict}")])
        .try_for_each(out::line)
}

fn mails(path: &Path, json: bool) -> Outcome {
    let bar = Bar::new();
    let watch = &mut |done, all| bar.show(done, all);
    let found = audit::mails::mails_watched(path, watch).map_err(Failure::environment)?;
    drop(bar);
    if found.campaigns.is_empty() {
        return Err(Failure::failed(format!(
            "{}: no register entry stands in its {} mails (lines that begin with `sd1`). Name the folder with all mails \
             of the campaign, the opening first; quoted-printable letters are read, pictures of letters are not.",
            path.display(),
            found.mails
        )));
    }
    if json {
        out::json(&found)?;
    } else {
        found.campaigns.iter().try_for_each(print_mails)?;
    }
    if found.is_sound() {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

fn print_mails(report: &audit::mails::Report) -> Outcome {
    let verdict = if report.wrong.is_empty() {
        "everything that these mails show fits"
    } else {
        "something does not fit; the first line with WRONG comes first"
    };
    let audit::mails::Report {
        campaign,
        checked,
        unchecked,
        wrong,
        statistics,
    } = report;
    print(campaign, checked, unchecked, statistics, wrong, verdict)
}

/// The largest file of test vectors, in bytes.
const LARGEST_VECTORS: u64 = 64 << 20;

fn vectors(file: &Path, json: bool) -> Outcome {
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
