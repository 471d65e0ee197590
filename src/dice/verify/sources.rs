//! The sources' values: the beacon's rounds and signatures, the witnesses' tokens, and the mixes
//! that follow.

use std::collections::BTreeMap;

use super::{
    ladder::{Effort, Ladder, TOO_MUCH},
    record::DiceRecord,
    report::{Check, VerifyReport},
};
use crate::{
    dice::{
        beacon::{Beacon, SignatureCheck},
        hash::{Digest, Key},
        names::CampaignName,
        source::{Source, SourceValue, witness_lane},
    },
    ids::SeatId,
};

/// Checks the sources' values, and makes the mixes that follow.
pub(super) fn check(record: &mut DiceRecord<'_>, effort: &mut Effort, report: &mut VerifyReport) {
    let campaign = record.campaign;
    let mut tokens = Tokens {
        campaign,
        ladders: BTreeMap::new(),
        effort,
    };
    for (number, envelope) in &mut record.envelopes {
        let (Some(dice), Some(era)) = (envelope.dice, record.eras.get(envelope.era)) else {
            continue;
        };
        let place = format!("envelope {number}");
        let sources = &era.opening.sources;
        let speaking = sources.iter().filter(|s| **s != Source::Orders).count();
        report.require(
            Check::Source,
            dice.values.len() == speaking,
            &place,
            format_args!("{speaking} source lines"),
            dice.values.len(),
        );
        match era.opening.mix(campaign, envelope.seal, &dice.values) {
            Ok(mix) => envelope.mix = Some(mix),
            Err(error) => report.finding(Check::Source, &place, "a line for each source", error),
        }
        for source in sources {
            for value in dice.values.iter().filter(|value| source.said(value)) {
                match (source, value) {
                    (Source::Drand(beacon), SourceValue::Drand { round, signature }) => {
                        let sealed = envelope.seal.round;
                        report.require(
                            Check::Round,
                            sealed == Some(*round),
                            &place,
                            round_text(sealed),
                            round_text(Some(*round)),
                        );
                        let check = beacon.check_signature(*round, signature);
                        say_signature(check, &place, report);
                    }
                    (
                        Source::Witness { name, anchor },
                        SourceValue::Witness {
                            token: Some(token), ..
                        },
                    ) => tokens.check(envelope.era, name, anchor, *number, token, report),
                    // A refused token is allowed: everybody can see it.
                    _ => report.pass(Check::Source),
                }
            }
        }
    }
}

fn say_signature(check: SignatureCheck, place: &str, report: &mut VerifyReport) {
    match check {
        SignatureCheck::Genuine => report.pass(Check::Signature),
        SignatureCheck::Wrong(why) => {
            report.finding(Check::Signature, place, "the beacon's signature", why);
        }
        SignatureCheck::NotVerified(why) => report.unproven(Check::Signature, place, why),
    }
}

/// The tokens of the witnesses, envelope by envelope.
struct Tokens<'a> {
    campaign: &'a CampaignName,
    /// Their chains, by opening and name.
    ladders: BTreeMap<(usize, SeatId), Ladder>,
    effort: &'a mut Effort,
}

impl Tokens<'_> {
    fn check(
        &mut self,
        era: usize,
        name: &SeatId,
        anchor: &Digest,
        envelope: u32,
        token: &Key,
        report: &mut VerifyReport,
    ) {
        let ladder = self
            .ladders
            .entry((era, name.clone()))
            .or_insert_with(|| Ladder::new(&witness_lane(name), *anchor));
        let place = format!("envelope {envelope}");
        match ladder.reaches(self.campaign, envelope, token, self.effort) {
            Some(true) => report.pass(Check::Token),
            Some(false) => report.finding(
                Check::Token,
                place,
                format_args!("the token of witness {name}"),
                "a key that does not reach the anchor",
            ),
            None => report.unproven(Check::Token, place, TOO_MUCH),
        }
    }
}

/// The beacon that a source is, if it is one.
pub(super) fn beacon(source: &Source) -> Option<&Beacon> {
    match source {
        Source::Drand(beacon) => Some(beacon),
        Source::Witness { .. } | Source::Orders => None,
    }
}

/// A round in words.
pub(super) fn round_text(round: Option<u64>) -> String {
    round.map_or_else(|| "no round".to_owned(), |round| format!("round {round}"))
}
