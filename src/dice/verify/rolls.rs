//! Every roll, derived again.

use std::collections::BTreeMap;

use super::{
    Bundle,
    record::DiceRecord,
    report::{Check, VerifyReport},
    verdict::SkipReason,
};
use crate::dice::{
    keys::{EnvelopeKey, envelope_key},
    ledger::{Ledger, LedgerLine},
    names::Lane,
    random::throw,
    roller::Counters,
};

/// Checks the rolls of ledger, register and private blocks. Returns the ledger, if there is one and
/// it can be read.
pub(super) fn check(
    record: &DiceRecord<'_>,
    bundle: &Bundle,
    report: &mut VerifyReport,
) -> Option<Ledger> {
    let ledger = bundle.ledger.as_ref().map(|text| read_ledger(text, report));
    let open: Vec<&LedgerLine> = record.open_rolls().collect();
    let mut rederiver = Rederiver {
        record,
        keys: BTreeMap::new(),
        without_key: BTreeMap::new(),
        derived: 0,
    };
    for line in &open {
        rederiver.check(line, report);
    }
    for line in bundle
        .private
        .iter()
        .filter(|block| block.campaign == *record.campaign)
        .flat_map(|block| &block.rolls)
    {
        rederiver.check(line, report);
    }
    match &ledger {
        Some(ledger) => {
            // Open rolls that are also in the register have been derived already.
            let closed =
                |line: &&LedgerLine| !line.lane.is_open() || line.envelope >= record.open_below;
            ledger
                .0
                .iter()
                .filter(closed)
                .for_each(|line| rederiver.check(line, report));
            check_repeats(&ledger.0, report);
            check_open_rolls(record, ledger, &open, report);
        }
        None => {
            check_repeats(open.iter().copied().chain(own_rolls(bundle)), report);
            // It comes with the final bundle.
            let why = if record.ended && !bundle.partial {
                SkipReason::Unproven
            } else {
                SkipReason::Hidden
            };
            let reason = "there is no ledger to compare with";
            report.skip(why, Check::OpenRolls, "ledger", reason);
            if rederiver.derived == 0 {
                let reason = "no roll is shown that could be derived again";
                report.unproven(Check::Roll, "register", reason);
            }
        }
    }
    for ((envelope, lane), rolls) in rederiver.without_key {
        let place = format!("envelope {envelope}, lane {lane}");
        report.skip(
            why_no_key(record, envelope, &lane),
            Check::Roll,
            place,
            format_args!("no key is known for its rolls ({rolls})"),
        );
    }
    ledger
}

/// Keys come out when an envelope is closed: that of the open lane with the entry, a seat's own
/// with its dispatch, all others at the end.
fn why_no_key(record: &DiceRecord<'_>, envelope: u32, lane: &Lane) -> SkipReason {
    let is_own = lane.seats().any(|seat| record.own.contains(seat));
    if record.ended || (is_own && envelope < record.open_below) {
        SkipReason::Unproven
    } else {
        SkipReason::Hidden
    }
}

fn read_ledger(text: &str, report: &mut VerifyReport) -> Ledger {
    let mut ledger = Ledger::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.parse() {
            Ok(read) => ledger.0.push(read),
            Err(error) => report.finding(Check::Ledger, line, "a ledger line", error),
        }
    }
    ledger
}

struct Rederiver<'r, 'a> {
    record: &'r DiceRecord<'a>,
    /// The envelope key of each envelope and lane with rolls, `None` if it is not known.
    keys: BTreeMap<(u32, Lane), Option<EnvelopeKey>>,
    /// How many rolls could not be checked.
    without_key: BTreeMap<(u32, Lane), usize>,
    /// Rolls that could be derived again.
    derived: usize,
}

impl Rederiver<'_, '_> {
    fn check(&mut self, line: &LedgerLine, report: &mut VerifyReport) {
        let place = (line.envelope, line.lane.clone());
        if !self.keys.contains_key(&place) {
            self.check_lane(line, report);
            self.keys.insert(place.clone(), self.envelope_key(line));
        }
        match self.keys.get(&place) {
            Some(Some(key)) => {
                self.derived += 1;
                let right = throw(&line.spec, &mut key.roll_key(&line.label, line.k).words());
                // Texts are made for findings only: a long campaign has many rolls.
                if right == line.result {
                    report.pass(Check::Roll);
                } else {
                    report.finding(
                        Check::Roll,
                        line.question(),
                        numbers(&right),
                        numbers(&line.result),
                    );
                }
            }
            _ => *self.without_key.entry(place).or_default() += 1,
        }
    }

    fn envelope_key(&self, line: &LedgerLine) -> Option<EnvelopeKey> {
        let mix = self.record.envelopes.get(&line.envelope)?.mix.as_ref()?;
        self.record
            .key(line.envelope, &line.lane)
            .map(|key| envelope_key(key, mix))
    }

    /// Checks that the envelope is sealed, and that the opening names the lane.
    fn check_lane(&self, line: &LedgerLine, report: &mut VerifyReport) {
        let era = self.record.era(line.envelope);
        let known = era.is_some_and(|era| era.anchors.contains_key(&line.lane));
        if !known && self.record.gap && era.is_none() {
            report.unproven(Check::Roll, line, "its seal may stand in a lost mail");
        } else if !known {
            report.finding(
                Check::Roll,
                line,
                "a sealed envelope and a lane of its opening",
                "neither or one of them",
            );
        }
    }
}

/// The rolls of private blocks that can be checked: those of lanes whose key the block has.
fn own_rolls(bundle: &Bundle) -> impl Iterator<Item = &LedgerLine> {
    let blocks = bundle.private.iter();
    blocks
        .filter(|block| block.campaign == bundle.campaign)
        .flat_map(|block| {
            let is_own = |line: &&LedgerLine| block.keys.iter().any(|(lane, _)| *lane == line.lane);
            block.rolls.iter().filter(is_own)
        })
}

fn numbers(result: &[u32]) -> String {
    result
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Checks that `#k` counts 1, 2, 3 ... for each label in its lane and envelope.
fn check_repeats<'l>(lines: impl IntoIterator<Item = &'l LedgerLine>, report: &mut VerifyReport) {
    let mut counters: BTreeMap<u32, Counters> = BTreeMap::new();
    for line in lines {
        let counter = counters.entry(line.envelope).or_default();
        let expected = counter.next(&line.lane, &line.label);
        report.compare(Check::Repeat, line, &expected, &line.k);
        counter.note(&line.lane, &line.label, line.k);
    }
}

/// Checks that the register has exactly the ledger's open rolls of every envelope whose open key is
/// out.
fn check_open_rolls(
    record: &DiceRecord<'_>,
    ledger: &Ledger,
    open: &[&LedgerLine],
    report: &mut VerifyReport,
) {
    let of_ledger = by_envelope(ledger.0.iter().filter(|line| line.lane.is_open()));
    let of_register = by_envelope(open.iter().copied());
    for number in record
        .envelopes
        .keys()
        .filter(|number| **number < record.open_below)
    {
        let of_ledger = of_ledger.get(number).map_or(&[][..], Vec::as_slice);
        let of_register = of_register.get(number).map_or(&[][..], Vec::as_slice);
        let place = format!("envelope {number}");
        let difference = (0..of_ledger.len().max(of_register.len()))
            .find(|i| of_ledger.get(*i) != of_register.get(*i));
        match difference {
            None => report.pass(Check::OpenRolls),
            Some(i) => report.finding(
                Check::OpenRolls,
                place,
                format_args!(
                    "in the register `{}`, as in the ledger",
                    line_or_none(of_ledger.get(i))
                ),
                format_args!("`{}`", line_or_none(of_register.get(i))),
            ),
        }
    }
}

fn by_envelope<'l>(
    lines: impl Iterator<Item = &'l LedgerLine>,
) -> BTreeMap<u32, Vec<&'l LedgerLine>> {
    let mut sorted: BTreeMap<u32, Vec<&LedgerLine>> = BTreeMap::new();
    for line in lines {
        sorted.entry(line.envelope).or_default().push(line);
    }
    sorted
}

fn line_or_none(line: Option<&&LedgerLine>) -> String {
    line.map_or_else(|| "no line".to_owned(), ToString::to_string)
}
