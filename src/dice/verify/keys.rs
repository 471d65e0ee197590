//! From published masters and revealed keys to checked chains.

use std::collections::BTreeMap;

use super::{
    ladder::{Effort, Ladder, TOO_MUCH},
    record::{DiceRecord, Era},
    report::{Check, VerifyReport},
};
use crate::dice::{
    hash::Key,
    keys::Chain,
    names::{CampaignName, Lane},
    private::PrivateBlock,
};

/// Fills in the chains of all openings, as far as published secrets reach and fit the anchors.
pub(super) fn open_chains(
    record: &mut DiceRecord<'_>,
    private: &[PrivateBlock],
    effort: &mut Effort,
    report: &mut VerifyReport,
) {
    for era in &mut record.eras {
        open_with_master(era, record.campaign, effort, report);
    }
    let mut by_chain: BTreeMap<(usize, Lane), Vec<(u32, &Key)>> = BTreeMap::new();
    for (envelope, lane, key) in revealed(record, private) {
        match record.envelopes.get(&envelope) {
            Some(sealed) => by_chain
                .entry((sealed.era, lane))
                .or_default()
                .push((envelope, key)),
            None => report.unproven(
                Check::Key,
                format_args!("key {lane} {envelope}"),
                "this envelope was never sealed",
            ),
        }
    }
    for ((era, lane), mut keys) in by_chain {
        keys.sort_by_key(|(envelope, _)| *envelope);
        if let Some(era) = record.eras.get_mut(era) {
            open_with_keys(era, record.campaign, lane, &keys, effort, report);
        }
    }
    for block in private
        .iter()
        .filter(|block| block.campaign == *record.campaign)
    {
        let blinds = block
            .blinds
            .iter()
            .map(|(what, key)| ((block.envelope, what.clone()), key.clone()));
        record.blinds.extend(blinds);
    }
}

fn open_with_master(
    era: &mut Era<'_>,
    campaign: &CampaignName,
    effort: &mut Effort,
    report: &mut VerifyReport,
) {
    let master = match era.master {
        Some(Some(master)) if era.opening.fault().is_none() => master,
        Some(Some(_)) => {
            return report.unproven(Check::Anchor, &era.heading, "the opening is faulty");
        }
        Some(None) => return report.hidden(Check::Anchor, &era.heading, "its master was lost"),
        None => {
            return report.hidden(
                Check::Anchor,
                &era.heading,
                "its master is not published yet",
            );
        }
    };
    for (lane, anchor) in &era.opening.anchors {
        let place = format!("{}, lane {lane}", era.heading);
        if !effort.spend(era.opening.chain.into()) {
            report.unproven(Check::Anchor, place, TOO_MUCH);
            continue;
        }
        let chain = Chain::of_master(master, campaign, lane.as_str(), era.opening.chain);
        if report.compare(Check::Anchor, place, anchor, &chain.anchor()) {
            era.known.insert(lane.clone(), chain);
        }
    }
}

/// The keys that dice entries and private blocks show, with envelope and lane.
fn revealed<'k>(record: &DiceRecord<'k>, private: &'k [PrivateBlock]) -> Vec<(u32, Lane, &'k Key)> {
    let dice = record
        .envelopes
        .values()
        .filter_map(|envelope| envelope.dice);
    let open = dice.filter_map(|dice| {
        dice.open_key
            .as_ref()
            .map(|key| (dice.envelope, Lane::open(), key))
    });
    let own = private
        .iter()
        .filter(|block| block.campaign == *record.campaign);
    let own = own.flat_map(|block| {
        block
            .keys
            .iter()
            .map(|(lane, key)| (block.envelope, lane.clone(), key))
    });
    open.chain(own).collect()
}

/// Checks the revealed keys of one lane in the order of their envelopes, and keeps the chain below
/// the highest correct one.
fn open_with_keys(
    era: &mut Era<'_>,
    campaign: &CampaignName,
    lane: Lane,
    keys: &[(u32, &Key)],
    effort: &mut Effort,
    report: &mut VerifyReport,
) {
    let Some(anchor) = era.anchors.get(&lane).copied() else {
        return report.finding(
            Check::Key,
            &era.heading,
            format_args!("an anchor of the lane {lane}"),
            "none",
        );
    };
    let full = era.known.get(&lane);
    let mut ladder = Ladder::new(lane.as_str(), *anchor);
    for (envelope, key) in keys {
        let place = format!("key {lane} of envelope {envelope}");
        let right = match full {
            Some(chain) => Some(chain.key(*envelope).is_ok_and(|own| own == *key)),
            None => ladder.reaches(campaign, *envelope, key, effort),
        };
        match right {
            Some(true) => report.pass(Check::Key),
            Some(false) => {
                let expected = "a key that reaches the anchor";
                report.finding(Check::Key, place, expected, "one that does not");
            }
            None => report.unproven(Check::Key, place, TOO_MUCH),
        }
    }
    if let (None, Some((envelope, key))) = (full, ladder.top())
        && effort.spend(envelope.into())
    {
        let chain = Chain::below(campaign, lane.as_str(), envelope, key);
        era.known.insert(lane, chain);
    }
}
