//! The register's own order: links, envelopes, rounds, sources.

use std::{collections::BTreeMap, fmt::Display};

use super::{
    record::{Envelope, Era, Record},
    report::{Check, Report},
};
use crate::dice::{
    beacon::{Beacon, BeaconIdentity, SignatureCheck},
    entry::{Body, DiceEntry, End, Opening, Seal},
    hash::Digest,
    keys::What,
    register::{Entry, Register},
    source::{Source, SourceValue, is_token},
};

/// Numbers, `prev` and `head` of all entries.
pub(super) fn check_links(register: &Register, report: &mut Report) {
    // A number and the heads of its entries: more than one is a fraud, and the next entry may name any of them.
    let mut now = (0, vec![Digest::ZERO]);
    for number in register.entries().chunk_by(|a, b| a.n == b.n) {
        let heads = number.iter().map(|entry| entry.head).collect();
        let before = std::mem::replace(&mut now, (number[0].n, heads));
        for (index, entry) in number.iter().enumerate() {
            let place = entry.heading();
            let is_next = entry.n == before.0 + 1;
            match index {
                0 if is_next => report.pass(Check::Number),
                0 => report.finding(
                    Check::Number,
                    &place,
                    format_args!("entry {} before it", entry.n - 1),
                    missing(before.0 + 1, entry.n - 1),
                ),
                _ => report.finding(
                    Check::Number,
                    &place,
                    format_args!("one entry with this number, head {}", now.1[0]),
                    format_args!("another one with it, head {}", entry.head),
                ),
            }
            match before.1.first() {
                Some(_) if before.1.contains(&entry.prev) => report.pass(Check::Prev),
                Some(head) if is_next => report.finding(Check::Prev, &place, head, entry.prev),
                _ => report.skip(Check::Prev, &place, "the entry before it is missing"),
            }
            report.compare(Check::Head, &place, &entry.true_head(), &entry.head);
        }
    }
}

fn missing(first: u32, last: u32) -> String {
    if first == last {
        format!("entry {first} is missing")
    } else {
        format!("entries {first} to {last} are missing")
    }
}

/// Goes through the entries and takes down what they say, with a finding for all that breaks the protocol.
pub(super) fn read_record<'a>(register: &'a Register, report: &mut Report) -> Record<'a> {
    let record = Record {
        campaign: register.campaign(),
        eras: Vec::new(),
        envelopes: BTreeMap::new(),
        open_below: 1,
        ended: false,
        blinds: BTreeMap::new(),
    };
    let mut reader = Reader { record, report };
    for entry in register.entries() {
        reader.take(entry);
    }
    reader.check_all_rolled();
    reader.record
}

struct Reader<'a, 'r> {
    record: Record<'a>,
    report: &'r mut Report,
}

impl<'a> Reader<'a, '_> {
    fn take(&mut self, entry: &'a Entry) {
        let place = entry.heading();
        match &entry.body {
            Body::Open(opening) => self.open(place, opening),
            Body::Seal(seal) => self.seal(&place, seal),
            Body::Dice(dice) => self.dice(&place, dice),
            Body::Note(_) => {}
            Body::End(end) => self.end(&place, end),
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
                        .skip(Check::Opening, &heading, "it names an unknown beacon")
                }
            }
        }
        self.record.eras.push(Era {
            heading,
            opening,
            master: None,
            known: BTreeMap::new(),
        });
    }

    fn seal(&mut self, place: &str, seal: &'a Seal) {
        let Some(era) = self.record.eras.len().checked_sub(1) else {
            self.report
                .finding(Check::Envelope, place, "an opening before it", "none");
            return;
        };
        let opening = self.record.eras[era].opening;
        let next = self
            .record
            .envelopes
            .last_key_value()
            .map_or(1, |(last, _)| last + 1);
        let new = !self.record.envelopes.contains_key(&seal.envelope);
        self.envelope_rule(
            seal.envelope == next,
            place,
            format_args!("envelope {next}"),
            seal.envelope,
        );
        let in_chain = seal.envelope <= opening.chain;
        self.envelope_rule(
            in_chain,
            place,
            format_args!("an envelope up to {}", opening.chain),
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
        if new && in_chain {
            self.record.envelopes.insert(
                seal.envelope,
                Envelope {
                    era,
                    seal,
                    dice: None,
                    mix: None,
                },
            );
        }
    }

    fn dice(&mut self, place: &str, dice: &'a DiceEntry) {
        let later_rolled = self
            .record
            .envelopes
            .range(dice.envelope + 1..)
            .any(|(_, later)| later.dice.is_some());
        let held = self.record.open_below;
        let Some(envelope) = self.record.envelopes.get_mut(&dice.envelope) else {
            self.report
                .finding(Check::Envelope, place, "a sealed envelope", dice.envelope);
            return;
        };
        let seats = &self.record.eras[envelope.era].opening.seats;
        let first = envelope.dice.is_none();
        if first {
            envelope.dice = Some(dice);
        }
        let mut bound = vec![What::Ledger, What::Journal];
        bound.extend(seats.iter().cloned().map(What::Dispatch));
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
            "bind lines for ledger, journal and each dispatch",
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
            Some(_) => self.record.open_below = held.max(dice.envelope + 1),
        }
    }

    fn end(&mut self, place: &str, end: &'a End) {
        self.record.ended = true;
        let openings = self.record.eras.len();
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

    /// A sealed envelope is always rolled: only the last may wait, and only before the end.
    fn check_all_rolled(&mut self) {
        let last = self
            .record
            .envelopes
            .last_key_value()
            .map(|(number, _)| *number);
        for (number, envelope) in &self.record.envelopes {
            let place = format!("envelope {number}");
            if envelope.dice.is_some() {
                self.report.pass(Check::Envelope);
            } else if Some(*number) == last && !self.record.ended {
                self.report
                    .skip(Check::Envelope, place, "it has not been rolled yet");
            } else {
                self.report
                    .finding(Check::Envelope, place, "a dice entry", "none");
            }
        }
    }
}

/// What the sources said, and the mixes that come of it.
pub(super) fn check_sources(record: &mut Record<'_>, report: &mut Report) {
    let campaign = record.campaign;
    for (number, envelope) in &mut record.envelopes {
        let (Some(dice), Some(era)) = (envelope.dice, record.eras.get(envelope.era)) else {
            continue;
        };
        let place = format!("envelope {number}");
        let speaking = era
            .opening
            .sources
            .iter()
            .filter(|source| **source != Source::Orders)
            .count();
        let expected = format!("{speaking} source lines");
        report.require(
            Check::Source,
            dice.values.len() == speaking,
            &place,
            expected,
            dice.values.len(),
        );
        match era.opening.mix(campaign, envelope.seal, &dice.values) {
            Ok(mix) => envelope.mix = Some(mix),
            Err(error) => report.finding(Check::Source, &place, "a line for each source", error),
        }
        for source in &era.opening.sources {
            for value in dice.values.iter().filter(|value| source.said(value)) {
                check_value(
                    record.campaign,
                    &place,
                    source,
                    value,
                    envelope.seal,
                    report,
                );
            }
        }
    }
}

fn check_value(
    campaign: &crate::dice::names::CampaignName,
    place: &str,
    source: &Source,
    value: &SourceValue,
    seal: &Seal,
    report: &mut Report,
) {
    match (source, value) {
        (Source::Drand(beacon), SourceValue::Drand { round, signature }) => {
            let sealed_round = seal.round == Some(*round);
            report.require(
                Check::Round,
                sealed_round,
                place,
                round_text(seal.round),
                round_text(Some(*round)),
            );
            match beacon.check_signature(*round, signature) {
                SignatureCheck::Genuine => report.pass(Check::Signature),
                SignatureCheck::Wrong(why) => {
                    report.finding(Check::Signature, place, "the beacon's signature", why)
                }
                SignatureCheck::NotVerified(why) => report.skip(Check::Signature, place, why),
            }
        }
        (
            Source::Witness { name, anchor },
            SourceValue::Witness {
                token: Some(token), ..
            },
        ) => {
            let true_token = is_token(campaign, name, anchor, seal.envelope, token);
            let expected = format!("the token of witness {name}");
            report.require(
                Check::Token,
                true_token,
                place,
                expected,
                "a key that does not reach the anchor",
            );
        }
        // A refused token is there for all to see, and allowed.
        _ => report.pass(Check::Source),
    }
}

fn beacon(source: &Source) -> Option<&Beacon> {
    match source {
        Source::Drand(beacon) => Some(beacon),
        Source::Witness { .. } | Source::Orders => None,
    }
}

fn round_text(round: Option<u64>) -> String {
    round.map_or_else(|| "no round".to_owned(), |round| format!("round {round}"))
}
