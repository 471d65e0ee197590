//! Replay and compare: an audit does all the work of a campaign again and looks whether it comes to the same.
//!
//! Invariant: nothing that an audit compares with is taken from a cache; the journal, the pinned files and the secret are
//! all that it needs.

pub mod mails;
pub mod statistics;

use std::{borrow::Cow, collections::BTreeMap, path::Path};

use serde::Serialize;

use crate::{
    campaign::{
        Directory, Effects, Engine, HostError, InMemory, Letter, Position, Recipient, Record,
        State, compare,
        events::{Created, Event},
        host, journal,
    },
    dice::{self, Bundle, Lane, PrivateBlock},
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
}

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
    rolls: usize,
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
            self.rolls += 1;
        }
        for receipt in &effects.receipts {
            self.receipts.push_str(receipt);
            self.receipts.push('\n');
        }
        self.items.extend(effects.items.iter().cloned());
    }
}

/// Audits a campaign directory: journal, pinned files, every phase, every die, every letter. It changes nothing.
///
/// # Errors
/// If the directory can't be read. What does not fit is no error but stands in the report.
pub fn campaign(root: &Path) -> Result<Report, HostError> {
    let directory = Directory::open(root)?;
    let engine = host::engine_of(&directory)?;
    let mut report = Report::of(&engine);
    let contents = match journal::read::<Event>(&directory.journal(), Position::START) {
        Ok(contents) => contents,
        Err(error) if error.is_environment() => return Err(error.into()),
        Err(error) => {
            report.wrong.push(error.to_string());
            return Ok(report);
        }
    };
    if let Some(torn) = contents.torn {
        report.unchecked.push(format!(
            "the journal's last {} bytes are an incomplete record",
            torn.bytes
        ));
    }
    replayed(&engine, &directory, report, &contents.records)
}

/// Audits a campaign in memory in the same way. The engine is one of its own, made of the same settings and secret.
///
/// # Errors
/// If the machine does not keep up.
pub fn in_memory(campaign: &InMemory, engine: &Engine) -> Result<Report, HostError> {
    let mut report = Report::of(engine);
    match campaign.records() {
        Ok(records) => replayed(engine, campaign, report, &records),
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
) -> Result<Report, HostError> {
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
    let state = match replay.run(records) {
        Ok(state) => state,
        Err(error) if error.is_environment() => return Err(error),
        Err(error) => {
            replay.report.wrong.push(error.to_string());
            return Ok(replay.report);
        }
    };
    replay.say();
    if let Some(state) = state {
        replay.dice(&state);
    }
    Ok(replay.report)
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
    fn run(&mut self, records: &[Record<Event>]) -> Result<Option<State>, HostError> {
        let mut state: Option<State> = None;
        let mut before: Option<Effects> = None;
        for record in records {
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

    /// Checks the dice as a player could after the end, with the keys that the host holds.
    fn dice(&mut self, state: &State) {
        let settings = self.engine.settings();
        let Ok(name) = settings.campaign.as_str().parse() else {
            return;
        };
        let mut bundle = Bundle::of_register(name, std::mem::take(&mut self.gathered.register));
        bundle.ledger = Some(std::mem::take(&mut self.gathered.ledger));
        bundle.receipts = Some(std::mem::take(&mut self.gathered.receipts));
        bundle.items = std::mem::take(&mut self.gathered.items);
        bundle.private.extend(self.keys(state));
        let found = dice::verify(&bundle);
        self.report.checked.push(format!(
            "dice: {} rolls derived again, {} checks of register, ledger, receipts and digests",
            self.gathered.rolls,
            found.passes()
        ));
        self.report
            .unchecked
            .extend(found.unchecked.iter().map(ToString::to_string));
        self.report
            .wrong
            .extend(found.findings.iter().map(ToString::to_string));
    }

    /// The keys of all lanes down from the envelope that was rolled last.
    fn keys(&self, state: &State) -> Option<PrivateBlock> {
        let settings = self.engine.settings();
        let envelope = state.dice.envelope;
        let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
        let mut lanes = vec![Lane::open(), Lane::shut()];
        lanes.extend(seats.iter().filter_map(|seat| Lane::seat(seat).ok()));
        let keys = lanes
            .into_iter()
            .filter_map(|lane| Some((lane.clone(), self.engine.key(&lane, envelope)?)));
        Some(PrivateBlock {
            campaign: settings.campaign.as_str().parse().ok()?,
            seat: seats.first()?.clone(),
            envelope,
            keys: keys.collect(),
            blinds: Vec::new(),
            rolls: Vec::new(),
        })
    }
}

fn to(recipient: &Recipient) -> String {
    recipient.to_string()
}
