//! The bodies of the register's entries (dice.md, section 4): typed, written and read.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use super::{
    error::DiceError,
    form::Form,
    hash::{Digest, Key},
    keys::{BoundText, Chains, Master},
    ledger::LedgerLine,
    lines::fields,
    names::{CampaignName, Lane, checked_seat, number, ordinal},
    source::{Mix, Source, SourceValue, key_or_dash, read_key_or_dash},
    time::Time,
};
use crate::ids::SeatId;

/// The body of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryBody {
    /// The campaign, or a new master, begins.
    Open(Opening),
    /// The seal: orders are closed.
    Seal(Seal),
    /// An envelope has been rolled.
    Dice(DiceEntry),
    /// Something that everybody must know.
    Note(Note),
    /// The secrets are published.
    End(End),
}

/// The opening: anchors and sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// Digest of the pinned rules and data.
    pub rules: Digest,
    /// The form that tells what the campaign's register binds.
    pub form: Form,
    /// All seats, in the order that holds for the whole campaign.
    pub seats: Vec<SeatId>,
    /// The number of envelopes.
    pub chain: u32,
    /// The anchors of `open`, `shut`, each seat, then further lanes.
    pub anchors: Vec<(Lane, Digest)>,
    /// The sources; at least one.
    pub sources: Vec<Source>,
}

/// The seal: which orders count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The number after the last sealed one.
    pub envelope: u32,
    /// The moment when orders closed.
    pub sealed: Time,
    /// The beacon's round, with the source drand only.
    pub round: Option<u64>,
    /// The blinded digest of each seat's orders, in the order of the seats.
    pub orders: Vec<(SeatId, Digest)>,
}

/// The rolled envelope: source values, open key, bound texts, open rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceEntry {
    /// The envelope.
    pub envelope: u32,
    /// The values of the beacon and the witnesses.
    pub values: Vec<SourceValue>,
    /// `K[envelope, open]`, or `None` while it is held back.
    pub open_key: Option<Key>,
    /// Blinded digests of the ledger, the journal, and each dispatch.
    pub binds: Vec<(BoundText, Digest)>,
    /// All open rolls of this envelope, after those of earlier envelopes whose keys had been held
    /// back.
    pub rolls: Vec<LedgerLine>,
}

/// A note of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note(String);

/// The end: one master for each opening, `None` where it was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// In the order of the openings.
    pub masters: Vec<Option<Master>>,
}

impl Note {
    /// The longest text: together with the word `text`, the line has 240 characters.
    pub const LONGEST: usize = 235;

    /// A note of one line.
    ///
    /// # Errors
    /// When the text is empty, longer than 235 characters, has a line break or another control
    /// character, or begins or ends with a space.
    pub fn new(text: &str) -> Result<Self, DiceError> {
        let fits = !text.is_empty() && text.chars().count() <= Self::LONGEST;
        if fits && text.trim() == text && !text.chars().any(is_break) {
            return Ok(Self(text.to_owned()));
        }
        Err(DiceError::malformed(
            "the text of a note",
            text,
            "one line of up to 235 characters without outer spaces",
        ))
    }

    /// The text as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

fn is_break(letter: char) -> bool {
    letter.is_control() || letter == '\u{2028}' || letter == '\u{2029}'
}

impl Opening {
    /// The first fault of the opening, in words: in seats, anchors, sources or length.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        if !(1..=Chains::MOST).contains(&self.chain) {
            return Some(format!(
                "a chain of {} envelopes, and 1 to {} are allowed",
                self.chain,
                Chains::MOST
            ));
        }
        if self.sources.is_empty() {
            return Some("no source".to_owned());
        }
        let places: HashMap<&str, usize> = (self.seats.iter().enumerate())
            .map(|(place, seat)| (seat.as_str(), place))
            .collect();
        if self.seats.is_empty() || places.len() < self.seats.len() {
            return Some("no seats, or a seat twice".to_owned());
        }
        let first_lanes = ["open", "shut"]
            .into_iter()
            .chain(self.seats.iter().map(SeatId::as_str));
        if !first_lanes.eq(self
            .anchors
            .iter()
            .take(self.seats.len() + 2)
            .map(|(lane, _)| lane.as_str()))
        {
            return Some(
                "anchors must be those of open, shut and each seat, in this order".to_owned(),
            );
        }
        let is_joined = |lane: &Lane| {
            let places: Option<Vec<&usize>> = lane.seats().map(|name| places.get(name)).collect();
            places.is_some_and(|places| places.len() > 1 && places.is_sorted())
        };
        let mut known = HashSet::new();
        let further = &self.anchors[self.seats.len() + 2..];
        let wrong = (further.iter()).find(|(lane, _)| !is_joined(lane) || !known.insert(lane));
        wrong.map(|(lane, _)| {
            format!("the lane `{lane}` is not several seats in seat order, or stands twice")
        })
    }

    /// The anchor of a lane.
    #[must_use]
    pub fn anchor(&self, lane: &Lane) -> Option<&Digest> {
        self.anchors
            .iter()
            .find(|(named, _)| named == lane)
            .map(|(_, anchor)| anchor)
    }

    /// The mix of an envelope: see [`Mix::new`].
    ///
    /// # Errors
    /// When a source has not given its value yet.
    pub fn mix(
        &self,
        campaign: &CampaignName,
        seal: &Seal,
        said: &[SourceValue],
    ) -> Result<Mix, DiceError> {
        Mix::new(campaign, seal.envelope, &self.sources, said, &seal.orders)
    }
}

impl EntryBody {
    /// The type, as in the entry's first line.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Open(_) => "open",
            Self::Seal(_) => "seal",
            Self::Dice(_) => "dice",
            Self::Note(_) => "note",
            Self::End(_) => "end",
        }
    }

    /// Returns true if this is a type of entry.
    pub(super) fn is_kind(kind: &str) -> bool {
        ["open", "seal", "dice", "note", "end"].contains(&kind)
    }

    /// Reads the lines between `prev` and `head`. Ignores their order: the caller writes the entry
    /// again and compares.
    pub(super) fn read(kind: &str, lines: &[&str]) -> Result<Self, DiceError> {
        match kind {
            "open" => read_opening(lines).map(Self::Open),
            "seal" => read_seal(lines).map(Self::Seal),
            "dice" => read_dice(lines).map(Self::Dice),
            "note" => read_note(lines).map(Self::Note),
            "end" => read_end(lines).map(Self::End),
            _ => Err(DiceError::malformed(
                "a type of entry",
                kind,
                "open, seal, dice, note or end",
            )),
        }
    }
}

impl fmt::Display for EntryBody {
    /// The body's lines, each with its LF.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(opening) => write_opening(opening, f),
            Self::Seal(seal) => write_seal(seal, f),
            Self::Dice(dice) => write_dice(dice, f),
            Self::Note(note) => writeln!(f, "text {}", note.0),
            Self::End(end) => end.masters.iter().try_for_each(|master| {
                writeln!(
                    f,
                    "master {}",
                    master
                        .as_ref()
                        .map_or_else(|| "-".to_owned(), Master::to_hex)
                )
            }),
        }
    }
}

fn write_opening(opening: &Opening, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "rules {}", opening.rules)?;
    if !opening.form.is_first() {
        writeln!(f, "form {}", opening.form.number())?;
    }
    f.write_str("seats")?;
    opening
        .seats
        .iter()
        .try_for_each(|seat| write!(f, " {seat}"))?;
    writeln!(f, "\nchain {}", opening.chain)?;
    opening
        .anchors
        .iter()
        .try_for_each(|(lane, anchor)| writeln!(f, "anchor {lane} {anchor}"))?;
    opening
        .sources
        .iter()
        .try_for_each(|source| writeln!(f, "{source}"))
}

fn write_seal(seal: &Seal, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "envelope {}\nsealed {}", seal.envelope, seal.sealed)?;
    seal.round
        .iter()
        .try_for_each(|round| writeln!(f, "round {round}"))?;
    seal.orders
        .iter()
        .try_for_each(|(seat, digest)| writeln!(f, "orders {seat} {digest}"))
}

fn write_dice(dice: &DiceEntry, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(f, "envelope {}", dice.envelope)?;
    dice.values
        .iter()
        .try_for_each(|value| writeln!(f, "{value}"))?;
    writeln!(f, "key open {}", key_or_dash(dice.open_key.as_ref()))?;
    dice.binds
        .iter()
        .try_for_each(|(what, digest)| writeln!(f, "bind {what} {digest}"))?;
    dice.rolls.iter().try_for_each(|line| writeln!(f, "{line}"))
}

fn read_opening(lines: &[&str]) -> Result<Opening, DiceError> {
    let (mut rules, mut seats, mut chain, mut form) = (None, None, None, Form::default());
    let (mut anchors, mut sources) = (Vec::new(), Vec::new());
    let mut rest = lines.iter().peekable();
    while let Some(line) = rest.next() {
        match fields(line).as_slice() {
            ["rules", hex] => rules = Some(hex.parse()?),
            ["form", n] => form = read_form(n)?,
            ["seats", names @ ..] => {
                seats = Some(
                    names
                        .iter()
                        .map(|name| checked_seat(name))
                        .collect::<Result<_, _>>()?,
                )
            }
            ["chain", length] => chain = Some(number(length)?),
            ["anchor", lane, hex] => anchors.push((lane.parse()?, hex.parse()?)),
            ["source", source @ ..] => {
                let drandkey = rest.peek().and_then(|next| next.strip_prefix("drandkey "));
                sources.push(Source::read(source, drandkey)?);
                rest.next_if(|_| drandkey.is_some());
            }
            _ => return Err(strange(line)),
        }
    }
    Ok(Opening {
        rules: there(rules, "rules")?,
        form,
        seats: there(seats, "seats")?,
        chain: there(chain, "chain")?,
        anchors,
        sources,
    })
}

fn read_form(text: &str) -> Result<Form, DiceError> {
    let form = Form::try_from(number::<u32>(text)?);
    let rule = "a form that this version knows: 2, or no such line";
    form.map_err(|_| DiceError::malformed("the form of an opening", text, rule))
}

fn read_seal(lines: &[&str]) -> Result<Seal, DiceError> {
    let (mut envelope, mut sealed, mut round, mut orders) = (None, None, None, Vec::new());
    for line in lines {
        match fields(line).as_slice() {
            ["envelope", e] => envelope = Some(ordinal(e)?),
            ["sealed", time] => sealed = Some(time.parse()?),
            ["round", r] => round = Some(ordinal(r)?),
            ["orders", seat, hex] => orders.push((checked_seat(seat)?, hex.parse()?)),
            _ => return Err(strange(line)),
        }
    }
    Ok(Seal {
        envelope: there(envelope, "envelope")?,
        sealed: there(sealed, "sealed")?,
        round,
        orders,
    })
}

fn read_dice(lines: &[&str]) -> Result<DiceEntry, DiceError> {
    let (mut envelope, mut open_key) = (None, None);
    let (mut values, mut binds, mut rolls) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match fields(line).as_slice() {
            ["envelope", e] => envelope = Some(ordinal(e)?),
            ["drand" | "witness", ..] => values.push(line.parse()?),
            ["key", "open", key] => open_key = Some(read_key_or_dash(key)?),
            ["bind", what, hex] => binds.push((what.parse()?, hex.parse()?)),
            ["roll", ..] => rolls.push(line.parse()?),
            _ => return Err(strange(line)),
        }
    }
    Ok(DiceEntry {
        envelope: there(envelope, "envelope")?,
        values,
        open_key: there(open_key, "key open")?,
        binds,
        rolls,
    })
}

fn read_note(lines: &[&str]) -> Result<Note, DiceError> {
    let texts: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("text "))
        .collect();
    match (texts.as_slice(), lines) {
        ([text], [_]) => Note::new(text),
        _ => Err(DiceError::malformed(
            "the body of a note",
            &lines.join(" / "),
            "one line `text <words>`",
        )),
    }
}

fn read_end(lines: &[&str]) -> Result<End, DiceError> {
    let masters = lines.iter().map(|line| match fields(line).as_slice() {
        ["master", "-"] => Ok(None),
        ["master", hex] => Master::from_hex(hex).map(Some),
        _ => Err(strange(line)),
    });
    masters
        .collect::<Result<_, _>>()
        .map(|masters| End { masters })
}

fn there<T>(found: Option<T>, line: &'static str) -> Result<T, DiceError> {
    found.ok_or_else(|| DiceError::malformed("the body of this entry", "(no such line)", line))
}

fn strange(line: &str) -> DiceError {
    DiceError::malformed(
        "a line of this entry",
        line,
        "the lines of dice.md, section 4",
    )
}
