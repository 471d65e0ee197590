//! Replay and compare: an audit does all the work of a campaign again and looks whether it comes to the same.
//!
//! Invariant: nothing that an audit compares with is taken from a cache; the journal, the pinned files and the secret are
//! all that it needs.

pub mod bundle;
pub mod mails;
pub mod statistics;

use std::{borrow::Cow, collections::BTreeMap, path::Path};

use serde::Serialize;

use self::statistics::Count;
use crate::{
    campaign::{
        Directory, Effects, Engine, HostError, InMemory, Letter, Position, Recipient, Record,
        State, compare,
        events::{Created, Event},
        host, journal,
    },
    dice::{self, Bundle, Lane, LedgerLine, PrivateBlock},
    ids::SeatId,
    mail::maildir::Maildir,
};

/// What an audit has found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The campaign.
    pub campaign: String,
    /// What was checked, one line each.
    pub checked: Vec<String>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
    /// The first difference, or what the dice's checks found; empty if all is well.
    pub wrong: Vec<String>,
    /// Faces and sums of the dice that are known.
    pub statistics: Vec<Count>,
}

/// Told how many steps of how many are done: records worked off again, or files read.
pub type Progress<'p> = &'p mut dyn FnMut(usize, usize);

impl Report {
    fn of(engine: &Engine) -> Self {
        Self {
            campaign: engine.settings().campaign.to_string(),
            ..Self::default()
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.wrong.is_empty()
    }
}

/// Everything that the dice protocol keeps of a campaign, gathered while it is replayed.
#[derive(Default)]
struct Gathered {
    register: String,
    ledger: String,
    receipts: String,
    items: BTreeMap<String, String>,
}

impl Gathered {
    fn add(&mut self, effects: &Effects) {
        for entry in &effects.entries {
            self.register.push_str(entry);
            self.register.push('\n');
        }
        for line in &effects.ledger {
            self.ledger.push_str(line);
            self.ledger.push('\n');
        }
        for receipt in &effects.receipts {
            self.receipts.push_str(receipt);
            self.receipts.push('\n');
        }
        self.items.extend(effects.items.iter().cloned());
    }
}

/// All of a campaign's work done again.
struct Work {
    report: Report,
    gathered: Gathered,
    state: Option<State>,
}

impl Work {
    /// Work that came to a difference, or has not begun.
    fn stopped(report: Report, gathered: Gathered) -> Self {
        Self {
            report,
            gathered,
            state: None,
        }
    }

    /// Checks the dice with all that the host holds, if the work came to its end.
    fn settle(&mut self, engine: &Engine) {
        if let Some(state) = &self.state {
            let bundle = held_bundle(engine, state, &mut self.gathered);
            self.report.dice(&bundle);
        }
    }
}

/// Audits a campaign directory: journal, pinned files, every phase, every die, every letter. It changes nothing.
///
/// # Errors
/// If the directory can't be read. What does not fit is no error but stands in the report.
pub fn campaign(root: &Path) -> Result<Report, HostError> {
    campaign_watched(root, &mut |_, _| {})
}

/// The same, with somebody who watches it.
///
/// # Errors
/// As [`campaign`].
pub fn campaign_watched(root: &Path, progress: Progress<'_>) -> Result<Report, HostError> {
    let directory = Directory::open(root)?;
    let engine = host::engine_of(&directory)?;
    let mut work = watched(&directory, &engine, progress)?;
    work.settle(&engine);
    Ok(work.report)
}

/// Does the work of a journal again. The state is missing where it stopped at a difference.
fn watched(
    directory: &Directory,
    engine: &Engine,
    progress: Progress<'_>,
) -> Result<Work, HostError> {
    let mut report = Report::of(engine);
    let contents = match journal::read::<Event>(&directory.journal(), Position::START) {
        Ok(contents) => contents,
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            report.wrong.push(error.to_string());
            return Ok(Work::stopped(report, Gathered::default()));
        }
    };
    if let Some(torn) = contents.torn {
        report.unchecked.push(format!(
            "the journal's last {} bytes are an incomplete record",
            torn.bytes
        ));
    }
    replayed(engine, directory, report, &contents.records, progress)
}

/// Audits a campaign in memory in the same way. The engine is one of its own, made of the same settings and secret.
///
/// # Errors
/// If the machine does not keep up.
pub fn in_memory(campaign: &InMemory, engine: &Engine) -> Result<Report, HostError> {
    let mut report = Report::of(engine);
    match campaign.records() {
        Ok(records) => {
            let mut work = replayed(engine, campaign, report, &records, &mut |_, _| {})?;
            work.settle(engine);
            Ok(work.report)
        }
        Err(fault) => {
            report.wrong.push(fault.to_string());
            Ok(report)
        }
    }
}

/// Where an audited campaign keeps what its replay is compared with.
trait Kept {
    /// Whether it is the campaign that this record began.
    fn check_origin(&self, engine: &Engine, created: &Created) -> Result<(), HostError>;

    /// The bytes of a letter that went out; none if it was taken away.
    fn sent(&self, letter: &Letter) -> Result<Option<Cow<'_, [u8]>>, HostError>;
}

impl Kept for Directory {
    fn check_origin(&self, engine: &Engine, created: &Created) -> Result<(), HostError> {
        host::check_origin(engine, self, created)
    }

    fn sent(&self, letter: &Letter) -> Result<Option<Cow<'_, [u8]>>, HostError> {
        let outbox = Maildir::at(self.outbox(&letter.to));
        Ok(outbox.find(&letter.message_id)?.map(Cow::Owned))
    }
}

impl Kept for InMemory {
    fn check_origin(&self, _: &Engine, created: &Created) -> Result<(), HostError> {
        self.check_origin(created)
    }

    fn sent(&self, letter: &Letter) -> Result<Option<Cow<'_, [u8]>>, HostError> {
        let found = self
            .letters()
            .iter()
            .find(|sent| sent.message_id == letter.message_id && sent.to == letter.to);
        Ok(found.map(|sent| Cow::Borrowed(sent.bytes.as_slice())))
    }
}

/// Does all the work again and says what came of it.
fn replayed(
    engine: &Engine,
    kept: &dyn Kept,
    mut report: Report,
    records: &[Record<Event>],
    progress: Progress<'_>,
) -> Result<Work, HostError> {
    report.checked.insert(
        0,
        format!(
            "journal: {} records, each bound to the one before",
            records.len()
        ),
    );
    let mut replay = Replay {
        engine,
        kept,
        report,
        gathered: Gathered::default(),
        letters: (0, 0),
        phases: 0,
    };
    match replay.run(records, progress) {
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
            Ok(Work::stopped(replay.report, replay.gathered))
        }
    }
}

impl Report {
    /// Checks the dice as far as these texts go, and counts them.
    fn dice(&mut self, bundle: &Bundle) {
        let found = dice::verify(bundle);
        let rolls = bundle.ledger.as_deref().unwrap_or(&bundle.register);
        let lines: Vec<LedgerLine> = rolls.lines().filter_map(|line| line.parse().ok()).collect();
        self.checked.push(format!(
            "dice: {} rolls derived again, {} checks of register, ledger, receipts and digests",
            lines.len(),
            found.passes()
        ));
        self.unchecked
            .extend(found.unchecked.iter().map(ToString::to_string));
        self.wrong
            .extend(found.findings.iter().map(ToString::to_string));
        self.statistics = statistics::count(&lines);
    }
}

struct Replay<'a> {
    engine: &'a Engine,
    kept: &'a dyn Kept,
    report: Report,
    gathered: Gathered,
    /// Letters that lie in the outboxes unchanged, and those that were taken away.
    letters: (usize, usize),
    phases: usize,
}

impl Replay<'_> {
    /// Does every input again; stops at the first difference.
    fn run(
        &mut self,
        records: &[Record<Event>],
        progress: Progress<'_>,
    ) -> Result<Option<State>, HostError> {
        let mut state: Option<State> = None;
        let mut before: Option<Effects> = None;
        for (number, record) in records.iter().enumerate() {
            progress(number, records.len());
            match (&record.event, &state, before.take()) {
                (Event::Done(done), Some(now), Some(effects)) => {
                    compare(record.n, done, &self.engine.done(now, &effects))?;
                    self.letters(&effects, record.n)?;
                    self.gathered.add(&effects);
                    self.phases += 1;
                }
                (Event::Created(created), ..) => {
                    self.kept.check_origin(self.engine, created)?;
                    let (next, effects) = self.engine.apply(None, record)?;
                    (state, before) = (Some(next), Some(effects));
                }
                (..) => {
                    let (next, effects) = self.engine.apply(state.take(), record)?;
                    (state, before) = (Some(next), Some(effects));
                }
            }
        }
        if before.is_some() {
            self.report.unchecked.push("the last input was not worked off when the host was stopped; the next `estafette run` does it".to_owned());
        }
        Ok(state)
    }

    /// Compares letters with the files in the outboxes, byte for byte.
    fn letters(&mut self, effects: &Effects, n: u64) -> Result<(), HostError> {
        for letter in &effects.letters {
            match self.kept.sent(letter)? {
                Some(bytes) if *bytes == *letter.bytes => self.letters.0 += 1,
                Some(bytes) => {
                    let at = bytes
                        .iter()
                        .zip(&letter.bytes)
                        .take_while(|(a, b)| a == b)
                        .count();
                    return Err(HostError::Differs {
                        n,
                        what: "a letter in an outbox",
                        found: format!(
                            "{} to {}, {} bytes",
                            letter.message_id,
                            to(&letter.to),
                            letter.bytes.len()
                        ),
                        recorded: format!("{} bytes, other from byte {at} on", bytes.len()),
                    });
                }
                None => self.letters.1 += 1,
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
            self.phases
        ));
        self.report.checked.push(format!("letters: {} made again, byte for byte the same; {same} of them lie in the outboxes unchanged", same + gone));
        if gone > 0 {
            self.report.unchecked.push(format!(
                "{gone} letters are no longer in the outboxes; their digests in the journal fit"
            ));
        }
    }
}

/// The texts of the dice as a player could have them after the end, with the keys that the host holds.
fn held_bundle(engine: &Engine, state: &State, gathered: &mut Gathered) -> Bundle {
    let register = std::mem::take(&mut gathered.register);
    let mut bundle = Bundle::of_register(engine.name().clone(), register);
    bundle.ledger = Some(std::mem::take(&mut gathered.ledger));
    bundle.receipts = Some(std::mem::take(&mut gathered.receipts));
    bundle.items = std::mem::take(&mut gathered.items);
    bundle.private.extend(keys(engine, state));
    bundle
}

/// The keys of all lanes down from the envelope that was rolled last.
fn keys(engine: &Engine, state: &State) -> Option<PrivateBlock> {
    let settings = engine.settings();
    let envelope = state.dice.envelope;
    let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
    let mut lanes = vec![Lane::open(), Lane::shut()];
    lanes.extend(seats.iter().filter_map(|seat| Lane::seat(seat).ok()));
    let keys = lanes
        .into_iter()
        .filter_map(|lane| Some((lane.clone(), engine.key(&lane, envelope)?)));
    Some(PrivateBlock {
        campaign: engine.name().clone(),
        seat: seats.first()?.clone(),
        envelope,
        keys: keys.collect(),
        blinds: Vec::new(),
        rolls: Vec::new(),
    })
}

fn to(recipient: &Recipient) -> String {
    recipient.to_string()
}
