//! The bundle: what an auditor needs when the campaign has ended, and the audit of one (dice.md,
//! section 10).
//!
//! ```text
//! dice/register.txt                 all entries that have gone out
//! dice/ledger.txt  receipts.txt     all rolls of all lanes; all receipts           after the end
//! dice/items/<e>/...                the exact bytes of the bound texts             after the end
//! campaign.yaml  journal.jsonl  pinned/    from which everything can be done again  after the end
//! ```
//!
//! While a campaign goes on its bundle is the register alone: everything else holds what some
//! player must not know.

use std::{collections::BTreeMap, path::Path};

use super::{AuditReport, DiceFiles, KeptLetters, Progress, SecondRun, watched};
use crate::{
    bounded::{self, Allowance, FolderBounds, FolderEntry},
    campaign::{
        durable::{self, CampaignError, renew},
        model::{
            context::Context,
            secrets::{EraKeys, Newest, Secrets},
            state::CurrentWait,
            version::Version,
        },
    },
    dice::{self, Bundle, CampaignName, EntryBody, Foot, Master, Register},
    disk::{self, Mode},
    store::{Blob, Directory, StoreError},
};

/// Longest text of a bundle that is read, in bytes.
const LARGEST: u64 = 64 << 20;
/// The most bytes of all its texts together.
const MOST_BYTES: u64 = 256 << 20;
/// The bounds for a bundle's folder `dice`.
const BOUNDS: FolderBounds = FolderBounds {
    entries: 100_000,
    depth: 8,
};

/// A summary of a bundle: counts for the person who asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleSummary {
    /// The campaign has ended and its master is published: the bundle is complete.
    pub complete: bool,
    /// The number of files.
    pub files: usize,
}

/// Writes a campaign's bundle into a new folder. All of it is made again from the journal, so that
/// nothing inconsistent is handed on.
///
/// # Errors
/// If the campaign does not fit its journal, or the disk refuses.
pub fn write(root: &Path, out: &Path) -> Result<BundleSummary, CampaignError> {
    write_watched(root, out, &mut |_, _| {})
}

/// Writes a bundle like `write`, watched by an onlooker.
///
/// # Errors
/// As [`write()`].
pub fn write_watched(
    root: &Path,
    out: &Path,
    progress: Progress<'_>,
) -> Result<BundleSummary, CampaignError> {
    let directory = Directory::open(root)?;
    let context = durable::context_of(&directory)?;
    let work = watched(&directory, &context, None, &Version::running(), progress)?;
    if let Some(wrong) = work.report.wrong.first() {
        return Err(CampaignError::Bundle(wrong.clone()));
    }
    let state = work.state.ok_or(CampaignError::Empty)?;
    let complete = state.waiting == CurrentWait::Nothing && state.world.ended.is_some();
    let mut texts = work.gathered.texts();
    if !complete {
        let register = texts.remove("register.txt").ok_or_else(no_register)?;
        let name = campaign_name(&register)?;
        texts = BTreeMap::from([(
            "register.txt".to_owned(),
            gone_out(&name, &register, state.register.foot),
        )]);
    }
    for (name, text) in &texts {
        put(&out.join("dice").join(name), text.as_bytes())?;
    }
    let mut written = texts.len();
    if complete {
        let keys = kept_keys(&directory, &context)?;
        written += directory.copy_into(&Directory::at(out), &keys)?;
    }
    Ok(BundleSummary {
        complete,
        files: written,
    })
}

/// The keys of eras whose master was lost: without them nobody could prove their hidden rolls.
fn kept_keys(directory: &Directory, context: &Context) -> Result<Vec<Blob>, CampaignError> {
    let eras = 1..=renew::lost(directory)?.len();
    let mut keys: Vec<Blob> = eras.map(Blob::LostKeys).collect();
    if context.has_no_master() {
        keys.push(Blob::Keys);
    }
    Ok(keys)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    disk::make_folder(disk::folder_of(path))?;
    Ok(disk::write_cache(path, bytes, Mode::Shared)?)
}

/// The entries up to the one at the foot of the newest letters.
fn gone_out(campaign: &CampaignName, register: &str, foot: Foot) -> String {
    let (register, _) = Register::read(campaign, register);
    let out = register.entries().iter().filter(|entry| entry.n <= foot.n);
    out.map(|entry| format!("{entry}\n")).collect()
}

/// Returns true if a folder is a bundle.
#[must_use]
pub fn is_bundle(root: &Path) -> bool {
    root.join("dice").join("register.txt").is_file()
}

/// Audits a bundle: all checks of the dice, the pinned rules and, if the campaign has ended, all of
/// its work done again and compared with every text of the bundle.
///
/// # Errors
/// If it can't be read. Differences are no errors, but part of the report.
pub fn audit(root: &Path, progress: Progress<'_>) -> Result<AuditReport, CampaignError> {
    audit_with(root, None, progress)
}

/// Like `audit`, compared with letters that players have kept too.
///
/// # Errors
/// As [`audit()`].
pub fn audit_with(
    root: &Path,
    mails: Option<KeptLetters>,
    progress: Progress<'_>,
) -> Result<AuditReport, CampaignError> {
    let texts = read_texts(&root.join("dice"))?;
    let kept = kept_in(root)?;
    let register = texts.get("register.txt").ok_or_else(no_register)?;
    let name = campaign_name(register)?;
    let mut report = AuditReport::of(name.to_string());
    let (register, _) = Register::read(&name, register);
    let mut dice = dice_bundle(&name, &texts);
    let openings = register.entries().iter();
    let seats = openings.into_iter().find_map(|entry| match &entry.body {
        EntryBody::Open(opening) => Some(opening.seats.as_slice()),
        _ => None,
    });
    let seats = seats.unwrap_or_default();
    dice.private.extend(EraKeys::blocks(&kept, &name, seats));
    report.dice(&dice);
    let ended = (register.entries().iter()).any(|entry| matches!(entry.body, EntryBody::End(_)));
    if ended {
        report.wrong.extend(missing(root, &texts));
    }
    let places = Directory::at(root);
    if places.is_packed() {
        report
            .wrong
            .push("bundle, packed.tar.gz: no bundle has such a file".to_owned());
        return Ok(report);
    }
    if ended && !places.for_replay().all(|(_, there)| there) {
        return Ok(report);
    }
    if !places.has_journal() {
        let why = "the journal and the rules are not in this bundle: they come with that of the ended campaign";
        report.unchecked.push(why.to_owned());
        if let Some(mails) = mails {
            mails.say(false, &mut report);
        }
        return Ok(report);
    }
    match do_again(root, &register, mails, progress) {
        Ok(work) => {
            report.tally.inputs += work.report.tally.inputs;
            report.checked.extend(work.report.checked);
            report.unproven.extend(work.report.unproven);
            report.unchecked.extend(work.report.unchecked);
            report.wrong.extend(work.report.wrong);
            compare(&texts, &work.gathered, &mut report);
        }
        Err(error) if error.is_environment() => return Err(error),
        Err(error) => report.wrong.push(error.to_string()),
    }
    Ok(report)
}

/// The keys of lost masters that come with a bundle.
fn kept_in(root: &Path) -> Result<Vec<EraKeys>, CampaignError> {
    let directory = Directory::at(root);
    let mut kept = renew::lost(&directory)?;
    kept.extend(renew::kept(&directory, Blob::Keys)?);
    Ok(kept)
}

/// The parts that the bundle of an ended campaign should have and this one lacks: nobody may hide a
/// difference by removing it.
fn missing(root: &Path, texts: &BTreeMap<String, String>) -> Vec<String> {
    let part = |path: &str, there: bool| (path.to_owned(), there);
    let mut parts = vec![
        part("dice/ledger.txt", texts.contains_key("ledger.txt")),
        part("dice/receipts.txt", texts.contains_key("receipts.txt")),
        part(
            "dice/items",
            texts.keys().any(|path| path.starts_with("items/")),
        ),
    ];
    parts.extend((Directory::at(root).for_replay()).map(|(name, there)| part(name, there)));
    let missing = parts.into_iter().filter(|(_, there)| !there);
    missing
        .map(|(path, _)| {
            format!("bundle, {path}: expected it, as the register has its end, found none")
        })
        .collect()
}

/// Binds the rules to the opening, and replays the journal with the published master.
fn do_again(
    root: &Path,
    register: &Register,
    mails: Option<KeptLetters>,
    progress: Progress<'_>,
) -> Result<SecondRun, CampaignError> {
    let directory = Directory::open(root)?;
    let found = directory.pinned()?.digest();
    let opening = register
        .entries()
        .iter()
        .find_map(|entry| match &entry.body {
            EntryBody::Open(opening) => Some(opening.rules.to_string()),
            _ => None,
        });
    if let Some(rules) = opening
        && rules != found.to_string()
    {
        return Err(CampaignError::Bundle(format!(
            "rules, the opening: expected pinned files with the digest {rules}, found files with {found}"
        )));
    }
    let master: Option<Master> = register
        .entries()
        .iter()
        .find_map(|entry| match &entry.body {
            EntryBody::End(end) => end.masters.last().cloned().flatten(),
            _ => None,
        });
    let lost = renew::lost(&directory)?;
    let newest = match (master, renew::kept(&directory, Blob::Keys)?) {
        (Some(master), _) => Newest::Master(master),
        (None, Some(kept)) => Newest::Kept(kept),
        (None, None) => {
            let why = "the register has no entry that publishes the master, and no keys were kept";
            return Err(CampaignError::Bundle(why.to_owned()));
        }
    };
    let context = durable::context_with(&directory, Secrets { lost, newest })?;
    watched(&directory, &context, mails, &Version::running(), progress)
}

fn dice_bundle(name: &CampaignName, texts: &BTreeMap<String, String>) -> Bundle {
    let mut bundle = Bundle::of_register(
        name.clone(),
        texts.get("register.txt").cloned().unwrap_or_default(),
    );
    bundle.ledger = texts.get("ledger.txt").cloned();
    bundle.receipts = texts.get("receipts.txt").cloned();
    let items = texts
        .iter()
        .filter_map(|(path, text)| Some((path.strip_prefix("items/")?.to_owned(), text.clone())));
    bundle.items = items.collect();
    bundle
}

/// Compares every text of the bundle with the replay's; names the first line of each that differs.
fn compare(found: &BTreeMap<String, String>, gathered: &DiceFiles, report: &mut AuditReport) {
    let right = &gathered.texts();
    // These have their digests in the register, like all items.
    let is_unmade = |path: &str| {
        path.strip_prefix("items/")
            .is_some_and(|item| gathered.unmade.contains(item))
    };
    let mut same = 0;
    // Longer texts first: they show what is missing where a list just lacks an item.
    let mut paths: Vec<&String> = found.keys().chain(right.keys()).collect();
    paths.sort_by_key(|path| (path.starts_with("items/"), *path));
    paths.dedup();
    for path in paths {
        match (found.get(path), right.get(path)) {
            (Some(found), Some(right)) if found == right => same += 1,
            (Some(found), Some(right)) => report.wrong.push(difference(path, found, right)),
            (Some(_), None) if is_unmade(path) => {}
            (Some(_), None) => report.wrong.push(format!(
                "replay, dice/{path}: expected no such text, found one"
            )),
            (None, _) => report.wrong.push(format!(
                "replay, dice/{path}: expected this text, found none"
            )),
        }
    }
    report.checked.push(format!(
        "bundle: {same} texts are, byte for byte, what the replay gives"
    ));
}

fn difference(path: &str, found: &str, right: &str) -> String {
    let mut lines = (found.lines().map(Some).chain([None]))
        .zip(right.lines().map(Some).chain([None]))
        .enumerate();
    let first = lines.find(|(_, (found, right))| found != right);
    let (index, (found, right)) = first.unwrap_or((0, (None, None)));
    let line = |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("`{line}`"));
    format!(
        "replay, dice/{path}, line {}: expected {}, found {}",
        index + 1,
        line(right),
        line(found)
    )
}

fn no_register() -> CampaignError {
    CampaignError::Bundle("there is no dice/register.txt".to_owned())
}

fn campaign_name(register: &str) -> Result<CampaignName, CampaignError> {
    let found = dice::register::find_entries(register)
        .into_iter()
        .find_map(Result::ok);
    found.map(|entry| entry.campaign).ok_or_else(|| {
        CampaignError::Bundle("dice/register.txt has no entry of a register".to_owned())
    })
}

/// The texts below a folder by their path, `/` on every system.
fn read_texts(folder: &Path) -> Result<BTreeMap<String, String>, StoreError> {
    let mut allowance = Allowance::new(folder, MOST_BYTES);
    let mut texts = BTreeMap::new();
    for FolderEntry { path, name } in bounded::files_below(folder, BOUNDS, |_| true)? {
        let bytes = allowance.read(&path, LARGEST)?;
        texts.insert(name, bounded::text(bytes, &path)?);
    }
    Ok(texts)
}

impl DiceFiles {
    /// The texts of a bundle's folder `dice`, by path.
    fn texts(&self) -> BTreeMap<String, String> {
        let items = self.items.iter();
        let mut texts: BTreeMap<String, String> = items
            .map(|(path, text)| (format!("items/{path}"), text.clone()))
            .collect();
        for (name, text) in [
            ("register.txt", &self.register),
            ("ledger.txt", &self.ledger),
            ("receipts.txt", &self.receipts),
        ] {
            texts.insert(name.to_owned(), text.clone());
        }
        texts
    }
}
