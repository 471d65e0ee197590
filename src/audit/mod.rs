//! Replay and compare: an audit does all the work of a campaign again and looks whether it comes to
//! the same.
//!
//! Invariant: nothing that an audit compares with is taken from a cache; the journal, the pinned
//! files and the secret are all that it needs.

mod baseline;
pub mod bundle;
mod comparer;
mod letters;
pub mod mails;
mod report;
pub mod statistics;
pub mod unpack;

use std::{
    collections::{BTreeMap, BTreeSet},
    mem::take,
    path::Path,
};

pub use self::letters::KeptLetters;
use self::{
    baseline::Baseline,
    comparer::{Comparer, Pair, comparing, same},
};
pub use crate::dice::verify::Verdict;
use crate::{
    VERSION,
    campaign::{
        self,
        durable::{
            self, CampaignError,
            compare::compare,
            memory::MemoryCampaign,
            replay::{JournalStep, Steps},
            work::Effects,
        },
        model::{
            context::Context,
            events::{Done, Event},
            settings::SHORT_MARGIN,
            state::State,
        },
        post::Letter,
    },
    dice::{self, Bundle, EntryBody, Lane, LedgerLine, PrivateBlock, Register, Source},
    ids::SeatId,
    mail::{MessageName, maildir::file_name},
    store::{
        directory::Directory,
        journal::{self, Position, Record},
    },
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
}

impl DiceFiles {
    fn add(&mut self, effects: &Effects) {
        for entry in &effects.mailing.entries {
            self.register.push_str(entry);
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
struct Work {
    report: AuditReport,
    gathered: DiceFiles,
    state: Option<State>,
}

impl Work {
    /// Work that came to a difference, or has not begun.
    fn stopped(report: AuditReport, gathered: DiceFiles) -> Self {
        Self {
            report,
            gathered,
            state: None,
        }
    }

    /// Checks the dice with all that the host holds, if the work came to its end.
    fn settle(&mut self, context: &Context) {
        if let Some(state) = &self.state {
            let bundle = held_bundle(context, state, &mut self.gathered);
            self.report.dice(&bundle);
        }
    }
}

/// Audits a campaign directory: journal, pinned files, every phase, every die, every letter. It
/// changes nothing.
///
/// # Errors
/// If the directory can't be read. What does not fit is no error but stands in the report.
pub fn campaign(root: &Path) -> Result<AuditReport, CampaignError> {
    campaign_watched(root, None, &mut |_, _| {})
}

/// The same, with letters that players have kept, and somebody who watches it.
///
/// # Errors
/// As [`campaign()`].
pub fn campaign_watched(
    root: &Path,
    mails: Option<KeptLetters>,
    progress: Progress<'_>,
) -> Result<AuditReport, CampaignError> {
    let directory = Directory::open(root)?;
    let context = durable::context_of(&directory)?;
    let mut work = watched(&directory, &context, mails, progress)?;
    work.settle(&context);
    Ok(work.report)
}

/// Does the work of a journal again. The state is missing where it stopped at a difference.
fn watched(
    directory: &Directory,
    context: &Context,
    mails: Option<KeptLetters>,
    progress: Progress<'_>,
) -> Result<Work, CampaignError> {
    let mut report = AuditReport::of(context.name().to_string());
    let contents = match journal::read::<Event>(&directory.journal(), Position::START) {
        Ok(contents) => contents,
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            report.wrong.push(error.to_string());
            return Ok(Work::stopped(report, DiceFiles::default()));
        }
    };
    if let Some(torn) = contents.torn {
        report.unproven.push(format!(
            "the journal's last {} bytes are an incomplete record",
            torn.bytes
        ));
    }
    let kept = (directory as &dyn Baseline, mails);
    replayed(context, kept, report, &contents.records, progress)
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
            let mut work = replayed(context, (campaign, None), report, &records, &mut |_, _| {})?;
            work.settle(context);
            Ok(work.report)
        }
        Err(fault) => {
            report.wrong.push(fault.to_string());
            Ok(report)
        }
    }
}

/// Does all the work again and says what came of it: compared with what the campaign keeps, and
/// with letters that players have kept.
fn replayed(
    context: &Context,
    (kept, mails): (&dyn Baseline, Option<KeptLetters>),
    mut report: AuditReport,
    records: &[Record<Event>],
    progress: Progress<'_>,
) -> Result<Work, CampaignError> {
    report.checked.insert(
        0,
        format!(
            "journal: {} records, each bound to the one before",
            records.len()
        ),
    );
    let mut replay = Replay {
        context,
        kept,
        report,
        gathered: DiceFiles::default(),
        letters: (0, 0),
        made: BTreeSet::new(),
        mails,
    };
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
            Ok(Work {
                state,
                ..Work::stopped(replay.report, replay.gathered)
            })
        }
        Err(error) if error.is_environment() => Err(error),
        Err(error) => {
            replay.report.wrong.push(error.to_string());
            replay.report.unchecked.extend(another_version(records));
            Ok(Work::stopped(replay.report, replay.gathered))
        }
    }
}

/// What a difference may come from besides: words and layout of letters belong to the program, not
/// to the campaign.
fn another_version(records: &[Record<Event>]) -> Option<String> {
    let Event::Created(created) = &records.first()?.event else {
        return None;
    };
    let began = match created.version.as_deref() {
        Some(VERSION) => return None,
        Some(version) => format!("version {version}"),
        None => "an earlier version".to_owned(),
    };
    Some(format!(
        "whether the version is to blame: the campaign began with {began}, and this is {VERSION}, which may write letters \
         differently; audit with the version that ran it before you blame anybody"
    ))
}

impl AuditReport {
    /// Checks the dice as far as these texts go, and counts them.
    fn dice(&mut self, bundle: &Bundle) {
        let found = dice::verify(bundle);
        self.take(&found);
        let rolls = bundle.ledger.as_deref().unwrap_or(&bundle.register);
        let lines: Vec<LedgerLine> = rolls.lines().filter_map(|line| line.parse().ok()).collect();
        self.checked.push(format!(
            "dice: {} rolls derived again, {} checks of register, ledger, receipts and digests",
            self.tally.rolls,
            found.passes()
        ));
        self.wrong
            .extend(found.findings.iter().map(ToString::to_string));
        self.statistics = statistics::count(&lines);
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

struct Replay<'a> {
    context: &'a Context,
    kept: &'a dyn Baseline,
    report: AuditReport,
    gathered: DiceFiles,
    /// Letters that lie in the outboxes unchanged, and those that were taken away.
    letters: (usize, usize),
    /// The letters that were made again, by outbox and key.
    made: BTreeSet<(String, String)>,
    /// The letters that players have kept.
    mails: Option<KeptLetters>,
}

impl Replay<'_> {
    /// Does every input again; stops at the first difference.
    fn run(
        &mut self,
        records: &[Record<Event>],
        comparer: Option<&Comparer>,
        progress: Progress<'_>,
    ) -> Result<Option<State>, CampaignError> {
        let mut state: Option<State> = None;
        for step in Steps::new(records, false) {
            let JournalStep { input, done } = step?;
            let number = usize::try_from(input.n).unwrap_or_default();
            progress(number.saturating_sub(1), records.len());
            if let Event::Created(created) = &input.event {
                self.kept.check_origin(self.context, created)?;
            }
            let (now, mut effects) = match done {
                Some((_, done)) => campaign::redo(self.context, state.take(), input, done)?,
                None => campaign::apply(self.context, state.take(), input)?,
            };
            match done {
                Some((n, done)) => {
                    self.laid_aside(input.n, done);
                    compare(n, done, &campaign::done(&now, &effects))?;
                    self.letters(take(&mut effects.mailing.letters), n, comparer)?;
                    self.gathered.add(&effects);
                    self.report.tally.inputs += 1;
                }
                None => self.unfinished(effects.mailing.letters, input.n, comparer)?,
            }
            state = Some(now);
        }
        Ok(state)
    }

    /// What the rules would have made of an input that was laid aside, nobody can say.
    fn laid_aside(&mut self, n: u64, done: &Done) {
        if let Some(error) = done.why_laid_aside() {
            self.report.unproven.push(format!(
                "record {n} was laid aside by the host and is not worked off again: {error}"
            ));
        }
    }

    /// The last input, if the host was stopped before it had done the work: some of its letters may
    /// have gone out.
    fn unfinished(
        &mut self,
        letters: Vec<Letter>,
        n: u64,
        comparer: Option<&Comparer>,
    ) -> Result<(), CampaignError> {
        let before = self.letters;
        self.letters(letters, n, comparer)?;
        self.letters = before;
        self.report.unproven.push("the last input was not worked off when the host was stopped; the next `estafette run` does it".to_owned());
        Ok(())
    }

    /// No letter of the host may lie in an outbox that the journal knows nothing of: a journal that
    /// was cut short fits together, but players have been told more.
    fn unknown_letters(&mut self) -> Result<(), CampaignError> {
        let campaign = self.context.settings().campaign.as_str();
        for (folder, key) in self.kept.names()? {
            let known = self.made.contains(&(folder.clone(), key.clone()));
            if !known && MessageName::parse(&key).is_some_and(|name| name.campaign == campaign) {
                self.report.wrong.push(format!(
                    "outbox of {folder}: expected letters that the journal gives, found one more, {key}: the journal was cut short or put back"
                ));
            }
        }
        Ok(())
    }

    /// Compares letters with the files in the outboxes, byte for byte, or has it done.
    fn letters(
        &mut self,
        letters: Vec<Letter>,
        n: u64,
        comparer: Option<&Comparer>,
    ) -> Result<(), CampaignError> {
        for letter in letters {
            let name = (letter.to.address_name(), file_name(&letter.message_id));
            self.made.insert(name);
            if let Some(mails) = &mut self.mails {
                mails.compare(&letter)?;
            }
            let Some(sent) = self.kept.sent(&letter)? else {
                self.letters.1 += 1;
                continue;
            };
            self.letters.0 += 1;
            match comparer {
                Some(comparer) => {
                    let sent = sent.into_owned();
                    comparer.give(Pair { n, letter, sent })?;
                }
                None => same(n, &letter, &sent)?,
            }
        }
        Ok(())
    }

    fn say(&mut self) {
        let (same, gone) = self.letters;
        self.report
            .checked
            .push("rules and data: the pinned files are those that the journal names".to_owned());
        self.report.checked.push(format!(
            "replay: {} inputs worked off again, to the same worlds, phases and dice",
            self.report.tally.inputs
        ));
        self.report.checked.push(format!("letters: {} made again, byte for byte the same; {same} of them lie in the outboxes unchanged", same + gone));
        if gone > 0 {
            self.report.unchecked.push(format!(
                "{gone} letters are no longer in the outboxes; their digests in the journal fit"
            ));
        }
    }
}

/// The texts of the dice as a player could have them after the end, with the keys that the host
/// holds.
fn held_bundle(context: &Context, state: &State, gathered: &mut DiceFiles) -> Bundle {
    let register = std::mem::take(&mut gathered.register);
    let mut bundle = Bundle::of_register(context.name().clone(), register);
    bundle.ledger = Some(std::mem::take(&mut gathered.ledger));
    bundle.receipts = Some(std::mem::take(&mut gathered.receipts));
    bundle.items = std::mem::take(&mut gathered.items);
    let last = campaign::last_of_eras(context, state).into_iter();
    bundle
        .private
        .extend(last.filter_map(|envelope| keys(context, envelope)));
    bundle
}

/// The keys of all lanes down from an envelope to the opening before it.
fn keys(context: &Context, envelope: u32) -> Option<PrivateBlock> {
    let settings = context.settings();
    let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
    let mut lanes = vec![Lane::open(), Lane::shut()];
    lanes.extend(seats.iter().filter_map(|seat| Lane::seat(seat).ok()));
    let keys = lanes
        .into_iter()
        .filter_map(|lane| Some((lane.clone(), context.key(&lane, envelope)?)));
    Some(PrivateBlock {
        keys: keys.collect(),
        ..PrivateBlock::new(context.name().clone(), seats.first()?.clone(), envelope)
    })
}
