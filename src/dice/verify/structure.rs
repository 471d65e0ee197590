//! The register's own order: links, envelopes, rounds.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt::Display,
};

use super::{
    record::{DiceRecord, EnvelopeRecord, Era},
    report::{Check, VerifyReport},
    sources::{beacon, round_text},
};
use crate::dice::{
    beacon::BeaconIdentity,
    entry::{DiceEntry, End, EntryBody, Opening, Seal},
    hash::Digest,
    keys::Chains,
    register::{Entry, Register},
};

/// Checks numbers, `prev` and `head` of all entries. Returns true if a number is missing: in what a
/// player has kept (`partial`) a mail may be lost, but a whole register must be complete.
pub(super) fn check_links(register: &Register, partial: bool, report: &mut VerifyReport) -> bool {
    let mut gap = false;
    // A number, the head of its first entry, and those of all its entries: more than one is fraud,
    // and the next may name any of them.
    let mut now = (0, Digest::ZERO, HashSet::from([Digest::ZERO]));
    for number in register.entries().chunk_by(|a, b| a.n == b.n) {
        let heads = number.iter().map(|entry| entry.head).collect();
        let before = std::mem::replace(&mut now, (number[0].n, number[0].head, heads));
        for (index, entry) in number.iter().enumerate() {
            let place = entry.heading();
            let is_next = entry.n == before.0 + 1;
            match index {
                0 if is_next => report.pass(Check::Number),
                0 => {
                    gap = true;
                    let last = entry.n - 1;
                    let missing = missing(before.0 + 1, last);
                    if partial {
                        let reason = format!("{missing}; ask another player");
                        report.unproven(Check::Number, &place, reason);
                    } else {
                        let expected = format!("entry {last} before it");
                        report.finding(Check::Number, &place, expected, missing);
                    }
                }
                _ => report.finding(
                    Check::Number,
                    &place,
                    format_args!("one entry with this number, head {}", now.1),
                    format_args!("another one with it, head {}", entry.head),
                ),
            }
            match before.2.contains(&entry.prev) {
                true => report.pass(Check::Prev),
                false if is_next => report.finding(Check::Prev, &place, before.1, entry.prev),
                false => report.unproven(Check::Prev, &place, "the entry before it is missing"),
            }
            report.compare(Check::Head, &place, &entry.true_head(), &entry.head);
        }
    }
    gap && partial
}

fn missing(first: u32, last: u32) -> String {
    if first == last {
        format!("entry {first} is missing")
    } else {
        format!("entries {first} to {last} are missing")
    }
}

/// Records what the entries say, with a finding for everything that breaks the protocol. With a
/// `gap`, ignores what lost entries may have said.
pub(super) fn read_record<'a>(
    register: &'a Register,
    gap: bool,
    report: &mut VerifyReport,
) -> DiceRecord<'a> {
    let record = DiceRecord {
        campaign: register.campaign(),
        eras: Vec::new(),
        envelopes: BTreeMap::new(),
        open_below: 1,
        ended: false,
        own: BTreeSet::new(),
        gap,
        blinds: BTreeMap::new(),
    };
    let mut reader = StructureReader {
        record,
        before: None,
        rolled: None,
        report,
    };
    for entry in register.entries() {
        reader.take(entry);
    }
    reader.check_all_rolled();
    reader.record
}

struct StructureReader<'a, 'r> {
    record: DiceRecord<'a>,
    /// The entry before the one that is read.
    before: Option<&'a Entry>,
    /// The last envelope that was rolled.
    rolled: Option<u32>,
    report: &'r mut VerifyReport,
}

impl<'a> StructureReader<'a, '_> {
    fn take(&mut self, entry: &'a Entry) {
        let place = entry.heading();
        let before = self.before.replace(entry);
        if self.record.ended && !matches!(entry.body, EntryBody::Note(_)) {
            let expected = "nothing but notes after the end";
            self.envelope_rule(false, &place, expected, entry.body.kind());
            return;
        }
        match &entry.body {
            EntryBody::Open(opening) => {
                self.note_before(&place, entry, before);
                self.open(place, opening);
            }
            EntryBody::Seal(seal) => self.seal(&place, seal),
            EntryBody::Dice(dice) => self.dice(&place, dice),
            EntryBody::Note(_) => {}
            EntryBody::End(end) => self.end(&place, end),
        }
    }

    fn envelope_rule(
        &mut self,
        holds: bool,
        place: &str,
        expected: impl Display,
        found: impl Display,
    ) -> bool {
        self.report
            .require(Check::Envelope, holds, place, expected, found)
    }

    /// Makes a finding, or with a gap notes that a lost entry may follow the rule.
    fn unless_lost(&mut self, place: &str, expected: impl Display, found: impl Display) {
        if self.record.gap {
            let reason = format!("{expected} may stand in a lost mail");
            self.report.unproven(Check::Envelope, place, reason);
        } else {
            self.envelope_rule(false, place, expected, found);
        }
    }

    /// Checks that a note says why the secret had to be replaced: a new opening is a new throw of
    /// all dice to come.
    fn note_before(&mut self, place: &str, entry: &Entry, before: Option<&Entry>) {
        if entry.n == 1 {
            return;
        }
        match before.filter(|before| before.n.checked_add(1) == Some(entry.n)) {
            Some(before) => {
                let is_note = matches!(before.body, EntryBody::Note(_));
                let expected = "a note before an opening that replaces another";
                let kind = before.body.kind();
                self.report
                    .require(Check::Opening, is_note, place, expected, kind);
            }
            None => {
                let reason = "the note before it may stand in a lost mail";
                self.report.unproven(Check::Opening, place, reason);
            }
        }
    }

    fn open(&mut self, heading: String, opening: &'a Opening) {
        match opening.fault() {
            Some(fault) => {
                self.report
                    .finding(Check::Opening, &heading, "a complete opening", fault)
            }
            None => self.report.pass(Check::Opening),
        }
        for beacon in opening.sources.iter().filter_map(beacon) {
            match beacon.identity() {
                BeaconIdentity::Quicknet => self.report.pass(Check::Opening),
                BeaconIdentity::FalseQuicknet => {
                    let found = "another key, genesis or period";
                    self.report.finding(
                        Check::Opening,
                        &heading,
                        "the built-in values of quicknet",
                        found,
                    );
                }
                BeaconIdentity::Unknown => {
                    self.report
                        .unproven(Check::Opening, &heading, "it names an unknown beacon")
                }
            }
        }
        self.record.eras.push(Era {
            heading,
            opening,
            anchors: (opening.anchors.iter())
                .map(|(lane, anchor)| (lane, anchor))
                .collect(),
            master: None,
            known: BTreeMap::new(),
        });
    }

    fn seal(&mut self, place: &str, seal: &'a Seal) {
        let Some(era) = self.record.eras.len().checked_sub(1) else {
            return self.unless_lost(place, "an opening before it", "none");
        };
        let opening = self.record.eras[era].opening;
        let next = self
            .record
            .envelopes
            .last_key_value()
            .map_or(1, |(last, _)| last.saturating_add(1));
        let new = !self.record.envelopes.contains_key(&seal.envelope);
        if seal.envelope > next {
            self.unless_lost(place, format_args!("envelope {next}"), seal.envelope);
        } else {
            let expected = format!("envelope {next}");
            self.envelope_rule(seal.envelope == next, place, expected, seal.envelope);
        }
        // An opening from outside may name any length, and each envelope costs work.
        let last = opening.chain.min(Chains::MOST);
        let in_chain = self.envelope_rule(
            seal.envelope <= last,
            place,
            format_args!("an envelope up to {last}"),
            seal.envelope,
        );
        let all_seats = seal.orders.iter().map(|(seat, _)| seat).eq(&opening.seats);
        self.envelope_rule(
            all_seats,
            place,
            "one orders line for each seat in order",
            "others",
        );
        let round = opening
            .sources
            .iter()
            .find_map(beacon)
            .map(|beacon| beacon.round_for(seal.sealed));
        let rule_holds = seal.round == round;
        self.report.require(
            Check::Round,
            rule_holds,
            place,
            round_text(round),
            round_text(seal.round),
        );
        self.after_the_round_before(place, seal);
        if new && in_chain {
            self.record.envelopes.insert(
                seal.envelope,
                EnvelopeRecord {
                    era,
                    seal,
                    dice: None,
                    mix: None,
                },
            );
        }
    }

    /// Checks that the previous envelope was rolled with a value that nobody had before the moment
    /// of its round.
    fn after_the_round_before(&mut self, place: &str, seal: &Seal) {
        let rolled = self.rolled.filter(|rolled| *rolled < seal.envelope);
        let Some((number, envelope)) =
            rolled.and_then(|rolled| self.record.envelopes.get_key_value(&rolled))
        else {
            return;
        };
        let sources = &self.record.eras[envelope.era].opening.sources;
        let beacon = sources.iter().find_map(beacon);
        let Some((beacon, round)) = beacon.zip(envelope.seal.round) else {
            return;
        };
        let moment = beacon.time_of(round);
        self.report.require(
            Check::Round,
            seal.sealed >= moment,
            place,
            format_args!("a time from {moment} on: envelope {number} has the value of that moment"),
            seal.sealed,
        );
    }

    fn dice(&mut self, place: &str, dice: &'a DiceEntry) {
        let later_rolled = self.rolled > Some(dice.envelope);
        let held = self.record.open_below;
        let Some(envelope) = self.record.envelopes.get_mut(&dice.envelope) else {
            return self.unless_lost(place, "the seal of its envelope", dice.envelope);
        };
        let opening = self.record.eras[envelope.era].opening;
        let first = envelope.dice.is_none();
        if first {
            envelope.dice = Some(dice);
            self.rolled = self.rolled.max(Some(dice.envelope));
        }
        let bound = opening.form.bound(&opening.seats);
        let all_bound = dice.binds.iter().map(|(what, _)| what).eq(&bound);
        let allowed = dice
            .rolls
            .iter()
            .all(|line| line.lane.is_open() && (held..=dice.envelope).contains(&line.envelope));
        let sorted = dice.rolls.is_sorted_by_key(|line| line.envelope);

        self.envelope_rule(
            first,
            place,
            "an envelope that is rolled once",
            "a second throw",
        );
        self.envelope_rule(
            !later_rolled,
            place,
            "envelopes rolled in their order",
            "a later one rolled before",
        );
        self.envelope_rule(
            all_bound,
            place,
            "bind lines for all that the opening's form binds, in order",
            "others",
        );
        self.envelope_rule(
            allowed && sorted,
            place,
            "open rolls of this and held-back envelopes, in order",
            "others",
        );
        match dice.open_key {
            None => {
                self.envelope_rule(
                    dice.rolls.is_empty(),
                    place,
                    "no rolls without the open key",
                    "rolls",
                );
            }
            Some(_) => self.record.open_below = held.max(dice.envelope.saturating_add(1)),
        }
    }

    fn end(&mut self, place: &str, end: &'a End) {
        self.record.ended = true;
        let openings = self.record.eras.len();
        if self.record.gap && end.masters.len() != openings {
            let reason = "an opening may stand in a lost mail";
            return self.report.unproven(Check::Anchor, place, reason);
        }
        let expected = format!("{openings} master lines");
        self.report.require(
            Check::Anchor,
            end.masters.len() == openings,
            place,
            expected,
            end.masters.len(),
        );
        for (era, master) in self.record.eras.iter_mut().zip(&end.masters) {
            era.master = Some(master.as_ref());
        }
    }

    /// Checks that every sealed envelope is rolled: only the last may wait, and only before the
    /// end.
    fn check_all_rolled(&mut self) {
        let last = self.record.envelopes.keys().next_back().copied();
        let unrolled = |(number, envelope): (&u32, &EnvelopeRecord<'_>)| {
            envelope.dice.is_none().then_some(*number)
        };
        let waiting: Vec<u32> = self.record.envelopes.iter().filter_map(unrolled).collect();
        let rolled = self.record.envelopes.len() - waiting.len();
        (0..rolled).for_each(|_| self.report.pass(Check::Envelope));
        for number in waiting {
            let place = format!("envelope {number}");
            if Some(number) == last && !self.record.ended {
                self.report
                    .hidden(Check::Envelope, place, "it has not been rolled yet");
            } else {
                self.unless_lost(&place, "a dice entry", "none");
            }
        }
    }
}
