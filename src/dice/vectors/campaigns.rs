//! Vectors of whole campaigns: keys, mixes, rolls, and the bundle of the end.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::VectorReport;
use crate::dice::{
    entry::{EntryBody, Opening, Seal},
    error::DiceError,
    hash::{Digest, Key},
    keys::{BoundText, Chain, Chains, Master, blind, envelope_key},
    ledger::{Ledger, LedgerLine},
    names::{CampaignName, Lane, number},
    random::throw,
    receipt::{Receipt, ReceiptKind, ReceiptNumber},
    register::Register,
    source::{Mix, Source, witness_lane},
    verify::{Bundle, verify},
};

#[derive(Deserialize)]
pub(super) struct CampaignVector {
    campaign: String,
    chain_length: u32,
    #[serde(flatten)]
    secrets: SecretsVector,
    #[serde(default)]
    witness_tips: BTreeMap<String, String>,
    bundle: Option<TextsVector>,
    first_opening: Option<SecretsVector>,
}

/// The values derived from one master.
#[derive(Deserialize)]
struct SecretsVector {
    #[serde(alias = "master_kept_for_the_tests")]
    master: String,
    #[serde(default)]
    tips: BTreeMap<String, String>,
    /// Lane, envelope, chain key.
    #[serde(default)]
    chain: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    mixes: BTreeMap<String, String>,
    /// Envelope, lane, envelope key.
    #[serde(default)]
    envelope_keys: BTreeMap<String, BTreeMap<String, String>>,
    /// `<envelope>/<what>`, blind.
    #[serde(default)]
    blinds: BTreeMap<String, String>,
    #[serde(default)]
    rolls: Vec<RollVector>,
}

#[derive(Deserialize)]
struct RollVector {
    envelope: u32,
    lane: String,
    label: String,
    spec: String,
    roll_key: Option<String>,
    first_words: Option<Vec<u32>>,
    words_used: Option<u64>,
    result: Vec<u32>,
    line: Option<String>,
}

#[derive(Deserialize)]
struct TextsVector {
    register: String,
    ledger: Option<String>,
    receipts: Option<String>,
    #[serde(default)]
    items: BTreeMap<String, String>,
}

pub(super) fn campaign(_: &str, vector: CampaignVector, report: &mut VectorReport) {
    let place = &vector.campaign;
    let Some(campaign) = report.made(place, place.parse::<CampaignName>()) else {
        return;
    };
    if vector.chain_length > Chains::MOST {
        return report.fail(format_args!(
            "{place}: a chain of {} envelopes",
            vector.chain_length
        ));
    }
    check_secrets(
        place,
        &campaign,
        vector.chain_length,
        &vector.secrets,
        report,
    );
    if let Some(first) = &vector.first_opening {
        check_secrets(
            &format!("{place}, first opening"),
            &campaign,
            vector.chain_length,
            first,
            report,
        );
    }
    let Some(texts) = &vector.bundle else { return };
    let register = check_texts(place, &campaign, texts, report);
    let mixes = mixes(&register);
    for secrets in [Some(&vector.secrets), vector.first_opening.as_ref()]
        .into_iter()
        .flatten()
    {
        for (envelope, expected) in &secrets.mixes {
            report.compare_some(
                format_args!("{place} mix {envelope}"),
                Some(&Some(expected)),
                &mixes.get(envelope),
            );
        }
    }
    for (name, tip) in &vector.witness_tips {
        let tip = report.made(place, Key::from_hex(tip));
        let chain =
            tip.map(|tip| Chain::below(&campaign, &witness_lane(name), vector.chain_length, tip));
        let anchors = openings(&register)
            .flat_map(|opening| &opening.sources)
            .filter_map(|source| match source {
                Source::Witness { name: of, anchor } if *of == name.as_str() => Some(*anchor),
                _ => None,
            });
        for anchor in anchors {
            report.compare(
                format_args!("{place} witness {name}"),
                &Some(anchor),
                &chain.as_ref().map(Chain::anchor),
            );
        }
    }
}

fn check_secrets(
    place: &str,
    campaign: &CampaignName,
    length: u32,
    secrets: &SecretsVector,
    report: &mut VectorReport,
) {
    let Some(master) = report.made(place, Master::from_hex(&secrets.master)) else {
        return;
    };
    let mut keys = KeysVector {
        campaign,
        master,
        length,
        chains: BTreeMap::new(),
    };
    for (lane, expected) in &secrets.tips {
        report.compare(
            format_args!("{place} tip {lane}"),
            expected,
            &keys.master.tip(campaign, lane).to_hex(),
        );
    }
    for (lane, numbers) in &secrets.chain {
        for (envelope, expected) in numbers {
            let found = number(envelope).and_then(|envelope| keys.key(lane, envelope));
            compare_key(
                format!("{place} chain {lane} {envelope}"),
                expected,
                found,
                report,
            );
        }
    }
    for (envelope, lanes) in &secrets.envelope_keys {
        for (lane, expected) in lanes {
            let place = format!("{place} envelope key {envelope} {lane}");
            let Some(mix) = mix(&place, secrets, envelope, report) else {
                continue;
            };
            let key = number(envelope).and_then(|envelope| keys.key(lane, envelope));
            let found = key.map(|key| envelope_key(&key, &mix).to_hex());
            compare_text(place, expected, found, report);
        }
    }
    for (what, expected) in &secrets.blinds {
        let (envelope, bound) = what.split_once('/').unwrap_or_default();
        let key = number(envelope).and_then(|envelope| keys.key(Lane::shut().as_str(), envelope));
        let found = key.and_then(|key| bound.parse::<BoundText>().map(|bound| blind(&key, &bound)));
        compare_key(format!("{place} blind {what}"), expected, found, report);
    }
    for roll in &secrets.rolls {
        check_roll(place, secrets, roll, &mut keys, report);
    }
}

fn check_roll(
    place: &str,
    secrets: &SecretsVector,
    roll: &RollVector,
    keys: &mut KeysVector<'_>,
    report: &mut VectorReport,
) {
    let place = format!(
        "{place} roll {} {} {}",
        roll.envelope, roll.lane, roll.label
    );
    let Some(mix) = mix(&place, secrets, &roll.envelope.to_string(), report) else {
        return;
    };
    let Some(key) = report.made(&place, keys.key(&roll.lane, roll.envelope)) else {
        return;
    };
    // The ledger line's reader takes the fields apart, so that both are tested.
    let text = format!(
        "roll {} {} {} {} = 0",
        roll.envelope, roll.lane, roll.label, roll.spec
    );
    let Some(mut line) = report.made(&place, text.parse::<LedgerLine>()) else {
        return;
    };
    let roll_key = envelope_key(&key, &mix).roll_key(&line.label, line.k);
    report.compare_some(
        format_args!("{place} key"),
        roll.roll_key.as_ref(),
        &roll_key.to_hex(),
    );
    if let Some(expected) = &roll.first_words {
        let mut words = roll_key.words();
        let found: Vec<u32> = expected.iter().map(|_| words.next_word()).collect();
        report.compare(format_args!("{place} words"), expected, &found);
    }
    let mut words = roll_key.words();
    line.result = throw(&line.spec, &mut words);
    report.compare(format_args!("{place} result"), &roll.result, &line.result);
    report.compare_some(
        format_args!("{place} words used"),
        roll.words_used.as_ref(),
        &words.used(),
    );
    report.compare_some(
        format_args!("{place} line"),
        roll.line.as_ref(),
        &line.to_string(),
    );
}

fn mix(
    place: &str,
    secrets: &SecretsVector,
    envelope: &str,
    report: &mut VectorReport,
) -> Option<Mix> {
    let mix = secrets.mixes.get(envelope).map(|text| Mix::from_text(text));
    if mix.is_none() {
        report.skip(format_args!(
            "{place}: the vectors have no mix of envelope {envelope}"
        ));
    }
    mix
}

fn compare_key(
    place: String,
    expected: &str,
    found: Result<Key, DiceError>,
    report: &mut VectorReport,
) {
    compare_text(place, expected, found.map(|key| key.to_hex()), report);
}

fn compare_text(
    place: String,
    expected: &str,
    found: Result<String, DiceError>,
    report: &mut VectorReport,
) {
    if let Some(found) = report.made(&place, found) {
        report.compare(place, expected, &found);
    }
}

/// The chains of one master, each computed once.
struct KeysVector<'c> {
    campaign: &'c CampaignName,
    master: Master,
    length: u32,
    chains: BTreeMap<String, Chain>,
}

impl KeysVector<'_> {
    fn key(&mut self, lane: &str, envelope: u32) -> Result<Key, DiceError> {
        let chain = self
            .chains
            .entry(lane.to_owned())
            .or_insert_with(|| Chain::of_master(&self.master, self.campaign, lane, self.length));
        chain.key(envelope).cloned()
    }
}

/// Checks the audit of the bundle, and that each text is written as it was read.
fn check_texts(
    place: &str,
    campaign: &CampaignName,
    texts: &TextsVector,
    report: &mut VectorReport,
) -> Register {
    let (register, _) = Register::read(campaign, &texts.register);
    report.compare(
        format_args!("{place} register as written"),
        &texts.register,
        &register.to_string(),
    );
    if let Some(text) = &texts.ledger {
        compare_text(
            format!("{place} ledger"),
            text,
            text.parse().map(|l: Ledger| l.to_string()),
            report,
        );
    }
    let bundle = Bundle {
        campaign: campaign.clone(),
        register: texts.register.clone(),
        ledger: texts.ledger.clone(),
        receipts: texts.receipts.clone(),
        items: texts.items.clone(),
        private: Vec::new(),
        partial: false,
        gone: std::collections::BTreeSet::new(),
    };
    let audit = verify(&bundle);
    report.passed += audit.passes();
    audit
        .findings
        .iter()
        .for_each(|finding| report.fail(format_args!("{place} bundle: {finding}")));
    audit
        .unchecked
        .iter()
        .for_each(|unchecked| report.skip(format_args!("{place} bundle: {unchecked}")));
    register
}

fn openings(register: &Register) -> impl Iterator<Item = &Opening> {
    register
        .entries()
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::Open(opening) => Some(opening),
            _ => None,
        })
}

/// The mixes as the register gives them, by envelope.
fn mixes(register: &Register) -> BTreeMap<String, String> {
    let mut mixes = BTreeMap::new();
    let (mut opening, mut seal): (Option<&Opening>, Option<&Seal>) = (None, None);
    for entry in register.entries() {
        match (&entry.body, opening, seal) {
            (EntryBody::Open(next), ..) => opening = Some(next),
            (EntryBody::Seal(next), ..) => seal = Some(next),
            (EntryBody::Dice(dice), Some(opening), Some(seal)) => {
                let mix = opening.mix(register.campaign(), seal, &dice.values);
                mixes.extend(mix.map(|mix| (seal.envelope.to_string(), mix.as_str().to_owned())));
            }
            _ => {}
        }
    }
    mixes
}

#[derive(Deserialize)]
pub(super) struct ReceiptVector {
    campaign: String,
    envelope: u32,
    /// `receipt` or `answer`; the first if it is missing.
    kind: Option<String>,
    seat: String,
    k: u32,
    /// In the second form.
    time: Option<String>,
    text: String,
    text_sha256: Option<String>,
    /// The digest of the letter, in the second form.
    letter: Option<Digest>,
    code: String,
    line: Option<String>,
}

/// The masters of the campaigns with the length of their chains, by name.
pub(super) fn masters(campaigns: Option<&Value>) -> BTreeMap<String, (String, u32)> {
    let vectors = campaigns.and_then(Value::as_array).into_iter().flatten();
    let readable = vectors.filter_map(|vector| CampaignVector::deserialize(vector).ok());
    readable
        .map(|vector| {
            (
                vector.campaign,
                (vector.secrets.master, vector.chain_length.min(Chains::MOST)),
            )
        })
        .collect()
}

pub(super) fn receipt(
    place: &str,
    vector: ReceiptVector,
    masters: &BTreeMap<String, (String, u32)>,
    report: &mut VectorReport,
) {
    let Some((master, length)) = masters.get(&vector.campaign) else {
        return report.skip(format_args!(
            "{place}: the campaign {} is not among the vectors",
            vector.campaign
        ));
    };
    let key = vector
        .campaign
        .parse::<CampaignName>()
        .and_then(|campaign| {
            let master = Master::from_hex(master)?;
            KeysVector {
                campaign: &campaign,
                master,
                length: *length,
                chains: BTreeMap::new(),
            }
            .key("shut", vector.envelope)
        });
    // The code of the first form does not cover it.
    let time = vector.time.as_deref().unwrap_or("1970-01-01T00:00:00Z");
    let kind = match vector.kind.as_deref() {
        None | Some("receipt") => ReceiptKind::Orders,
        Some("answer") => ReceiptKind::Answer,
        Some(other) => {
            return report.fail(format_args!("{place}: there are no receipts `{other}`"));
        }
    };
    if let (Some(key), Some(time)) = (report.made(place, key), report.made(place, time.parse())) {
        let number = ReceiptNumber {
            kind,
            envelope: vector.envelope,
            seat: vector.seat.as_str().into(),
            k: vector.k,
        };
        let receipt = Receipt::issue(&key, number, time, &vector.text, vector.letter);
        report.compare(
            format_args!("{place} code"),
            &vector.code,
            &receipt.code.to_string(),
        );
        let text_hash = receipt.words.to_string();
        report.compare_some(
            format_args!("{place} text"),
            vector.text_sha256.as_ref(),
            &text_hash,
        );
        report.compare_some(
            format_args!("{place} line"),
            vector.line.as_ref(),
            &receipt.to_string(),
        );
    }
}
