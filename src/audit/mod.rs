//! Replay and compare: an audit does all the work of a campaign again and checks that the results
//! are the same.
//!
//! Invariant: nothing that an audit compares with comes from a cache; the journal, the pinned files
//! and the secret are all it needs.

pub mod archive;
mod baseline;
pub mod bundle;
mod comparer;
mod letters;
pub mod mails;
mod replay;
mod report;
pub mod statistics;
mod versions;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

pub use self::letters::KeptLetters;
use self::{baseline::Baseline, comparer::comparing, replay::Replay};
pub use crate::dice::verify::Verdict;
use crate::{
    campaign::{
        self,
        durable::{self, CampaignError, memory::MemoryCampaign, work::Effects},
        model::{
            context::Context, events::Event, settings::SHORT_MARGIN, state::State,
            version::Version, work_error::WorkError,
        },
    },
    dice::{self, Bundle, EntryBody, Lane, PrivateBlock, Register, Source},
    ids::SeatId,
    store::{Directory, Position, Record},
};
pub use report::{AuditReport, AuditTally};

/// Told how many steps of how many are done: records worked off again, or files read.
pub type Progress<'p> = &'p mut dyn FnMut(usize, usize);

/// Everything that the dice protocol keeps of a campaign, gathered while it is replayed.
#[derive(Default)]
struct DiceFiles {
    register: String,
    ledger: String,
    receipts: String,
    items: BTreeMap<String, String>,
    /// The paths of items that nobody can make again: words of another version, whose letters were
    /// taken away.
    unmade: BTreeSet<String>,
}

impl DiceFiles {
    fn add(&mut self, effects: &Effects) {
        for entry in &effects.mailing.entries {
            self.register.push_str(&entry.to_string());
            self.register.push('\n');
        }
        for line in &effects.ledger {
            self.ledger.push_str(&line.to_string());
            self.ledger.push('\n');
        }
        for receipt in &effects.mailing.receipts {
            self.receipts.push_str(receipt);
            self.receipts.push('\n');
        }
        self.items.extend(effects.mailing.items.iter().cloned());
    }
}

/// All of a campaign's work done again.
struct SecondRun {
    report: AuditReport,
    gathered: DiceFiles,
    state: Option<State>,
}

impl SecondRun {
    /// A run that came to a difference, or has not begun.
    fn stopped(report: AuditReport, gathered: DiceFiles) -> Self {
        Self {
            report,
            gathered,
            state: None,
        }
    }

    /// Checks the dice with everything that the host holds, if the work was completed.
    fn settle(&mut self, context: &Context) -> Result<(), WorkError> {
        if let Some(state) = &self.state {
            let bundle = held_bundle(context, state, &mut self.gathered)?;
            self.report.dice(&bundle);
        }
        Ok(())
    }
}

/// Audits a campaign directory: journal, pinned files, every phase, every die, every letter. It
/// changes nothing.
///
/// # Errors
/// If the directory can't be read. Differences are no errors, but part of the report.
pub fn campaign(root: &Path) -> Result<AuditReport, CampaignError> {
    campaign_watched(root, None, &mut |_, _| {})
}

/// Audits a campaign like `campaign`, with letters that players have kept, and watched by an
/// onlooker.
///
/// # Errors
/// As [`campaign()`].
pub fn campaign_watched(
    root: &Path,
    mails: Option<KeptLetters>,
    progress: Progress<'_>,
) -> Result<AuditReport, CampaignError> {
    campaign_by(root, mails, &Version::running(), progress)
}

/// Like `campaign_watched`, done by a program of this version: letters of others are not made
/// again, but compared with their digests on record.
///
/// # Errors
/// As [`campaign()`].
pub fn campaign_by(
    root: &Path,
    mails: Option<KeptLetters>,
    running: &Version,
    progress: Progress<'_>,
) -> Result<AuditReport, CampaignError> {
    let directory = Directory::open(root)?;
    let context = durable::context_of(&directory)?;
    let mut work = watched(&directory, &context, mails, running, progress)?;
    work.settle(&context)?;
    Ok(work.report)
}

/// Replays a journal. The state is missing where it stopped at a difference.
fn watched(
    directory: &Directory,
    context: &Context,
    mails: Option<KeptLetters>,
    running: &Version,
    progress: Progress<'_>,
) -> Result<SecondRun, CampaignError> {
    let mut report = AuditReport::of(context.name().to_string());
    let contents = match directory.records::<Event>(Position::START) {
        Ok(contents) => contents,
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            report.wrong.push(error.to_string());
            return Ok(SecondRun::stopped(report, DiceFiles::default()));
        }
    };
    if let Some(torn) = contents.torn {
        report.unproven.push(format!(
            "the journal's last {} bytes are an incomplete record",
            torn.bytes
        ));
    }
    let kept = (directory as &dyn Baseline, mails);
    replayed(context, kept, report, &contents.records, running, progress)
}

/// Audits a campaign in memory in the same way. The context is one of its own, made of the same
/// settings and secret.
///
/// # Errors
/// If the machine does not keep up.
pub fn in_memory(
    campaign: &MemoryCampaign,
    context: &Context,
) -> Result<AuditReport, CampaignError> {
    let mut report = AuditReport::of(context.name().to_string());
    match campaign.records() {
        Ok(records) => {
            let (kept, running) = ((campaign as &dyn Baseline, None), Version::running());
            let mut work = replayed(context, kept, report, &records, &running, &mut |_, _| {})?;
            work.settle(context)?;
            Ok(work.report)
        }
        Err(fault) => {
            report.wrong.push(fault.to_string());
            Ok(report)
        }
    }
}

/// Replays the whole campaign, compares it with what the campaign keeps and with the letters that
/// players have kept, and reports.
fn replayed(
    context: &Context,
    (kept, mails): (&dyn Baseline, Option<KeptLetters>),
    mut report: AuditReport,
    records: &[Record<Event>],
    running: &Version,
    progress: Progress<'_>,
) -> Result<SecondRun, CampaignError> {
    report.checked.insert(
        0,
        format!(
            "journal: {} records, each bound to the one before",
            records.len()
        ),
    );
    let mut replay = Replay::new(context, running, (kept, mails), report);
    // Without pictures it is done sooner than anybody could be asked to help.
    let state = match context.settings().pictures {
        true => comparing(|comparer| replay.run(records, Some(comparer), progress)),
        false => replay.run(records, None, progress),
    };
    let state = state.and_then(|state| {
        replay.unknown_letters()?;
        Ok(state)
    });
    if let Some(mails) = replay.mails.take() {
        mails.say(state.is_ok(), &mut replay.report);
    }
    match state {
        Ok(state) => {
            replay.say();
            Ok(SecondRun {
                state,
                ..SecondRun::stopped(replay.report, replay.gathered)
            })
        }
        Err(error) if error.is_environment() => Err(error),
        Err(error) => {
            replay.report.wrong.push(error.to_string());
            replay
                .report
                .unchecked
                .extend(versions::to_blame(records, running));
            Ok(SecondRun::stopped(replay.report, replay.gathered))
        }
    }
}

impl AuditReport {
    /// Checks the dice as far as these texts go, and counts them.
    fn dice(&mut self, bundle: &Bundle) {
        let found = dice::verify(bundle);
        self.take(&found);
        self.checked.push(format!(
            "dice: {} rolls derived again, {} checks of register, ledger, receipts and digests",
            self.tally.rolls,
            found.passes()
        ));
        self.wrong
            .extend(found.findings.iter().map(ToString::to_string));
        self.statistics = statistics::count(&found.rolls);
        self.short_margin(bundle);
    }

    /// A player's own check of the beacon is that the seal came before the round's moment: it needs
    /// time to come.
    fn short_margin(&mut self, bundle: &Bundle) {
        let (register, _) = Register::read(&bundle.campaign, &bundle.register);
        for entry in register.entries() {
            let EntryBody::Open(opening) = &entry.body else {
                continue;
            };
            let margins = opening.sources.iter().filter_map(|source| match source {
                Source::Drand(beacon) => Some(beacon.margin),
                _ => None,
            });
            for margin in margins.filter(|margin| *margin < u64::from(SHORT_MARGIN)) {
                self.unchecked.push(format!(
                    "{}: only {margin} seconds lie between a seal and its round of the beacon: a mail that is longer on its way proves nothing to its reader",
                    entry.heading()
                ));
            }
        }
    }
}

/// The texts of the dice as a player could have them after the end, with the keys that the host
/// holds.
fn held_bundle(
    context: &Context,
    state: &State,
    gathered: &mut DiceFiles,
) -> Result<Bundle, WorkError> {
    let register = std::mem::take(&mut gathered.register);
    let mut bundle = Bundle::of_register(context.name().clone(), register);
    bundle.ledger = Some(std::mem::take(&mut gathered.ledger));
    bundle.receipts = Some(std::mem::take(&mut gathered.receipts));
    bundle.items = std::mem::take(&mut gathered.items);
    bundle.gone = std::mem::take(&mut gathered.unmade);
    for envelope in campaign::last_of_eras(context, state) {
        bundle.private.extend(keys(context, envelope)?);
    }
    Ok(bundle)
}

/// The keys of all lanes down from an envelope to the opening before it.
fn keys(context: &Context, envelope: u32) -> Result<Option<PrivateBlock>, WorkError> {
    let settings = context.settings();
    let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
    let keys = Lane::all(&seats)?.into_iter();
    let keys = keys.filter_map(|lane| Some((lane.clone(), context.key(&lane, envelope)?)));
    let keys = keys.collect();
    Ok(seats.first().map(|seat| PrivateBlock {
        keys,
        ..PrivateBlock::new(context.name().clone(), seat.clone(), envelope)
    }))
}
