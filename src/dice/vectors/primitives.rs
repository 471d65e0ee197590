//! Vectors of the parts: cipher, uniform numbers, canonical texts, beacon rounds.

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};
use serde::Deserialize;

use super::VectorReport;
use crate::dice::{
    beacon::{Beacon, HexText, SignatureCheck},
    canonical::canonical_orders,
    error::DiceError,
    hash::{Key, hash, hash_bytes},
    random,
    time::Time,
};

#[derive(Deserialize)]
pub(super) struct Cipher {
    key: String,
    #[serde(default)]
    state12_15: [u32; 4],
    keystream: String,
}

/// The keystream from a block on. Rolls never set a counter or a stream; here it makes all blocks
/// of RFC 8439 reachable, as the state's words 12 and 13 are the counter and 14 and 15 the stream.
pub(super) fn cipher(place: &str, vector: Cipher, report: &mut VectorReport) {
    let Some(key) = report.made(place, Key::from_hex(&vector.key)) else {
        return;
    };
    let [counter, counter_high, stream, stream_high] = vector.state12_15.map(u64::from);
    let mut generator = ChaCha20Rng::from_seed(*key.bytes());
    generator.set_stream(stream | stream_high << 32);
    generator.set_word_pos(u128::from(counter | counter_high << 32) * 16);
    let bytes: Vec<u8> = (0..vector.keystream.len().div_ceil(8))
        .flat_map(|_| generator.next_u32().to_le_bytes())
        .collect();
    let mut found = HEXLOWER.encode(&bytes);
    found.truncate(vector.keystream.len());
    report.compare(place, &vector.keystream, &found);
}

#[derive(Deserialize)]
pub(super) struct Uniform {
    n: u32,
    limit: Option<u64>,
    words: Vec<u32>,
    result: u32,
    words_used: Option<usize>,
}

pub(super) fn uniform(place: &str, vector: Uniform, report: &mut VectorReport) {
    report.compare_some(
        format_args!("{place} limit"),
        vector.limit.as_ref(),
        &random::acceptance_limit(vector.n),
    );
    let mut used = 0;
    // A vector with too few words must end too: 0 is never rejected.
    let found = random::uniform(vector.n, || {
        used += 1;
        vector.words.get(used - 1).copied().unwrap_or(0)
    });
    if used > vector.words.len() {
        return report.fail(format_args!("{place}: all its words were rejected"));
    }
    report.compare(format_args!("{place} result"), &vector.result, &found);
    report.compare_some(
        format_args!("{place} words used"),
        vector.words_used.as_ref(),
        &used,
    );
}

#[derive(Deserialize)]
pub(super) struct CanonicalVector {
    raw: String,
    canonical: String,
    sha256: Option<String>,
}

pub(super) fn canonical(place: &str, vector: CanonicalVector, report: &mut VectorReport) {
    let found = canonical_orders(&vector.raw);
    report.compare_some(
        format_args!("{place} sha256"),
        vector.sha256.as_ref(),
        &hash(&found).to_string(),
    );
    report.compare(place, &vector.canonical, &found);
}

#[derive(Deserialize)]
pub(super) struct Drand {
    chain: String,
    public_key: String,
    genesis: u64,
    period: u64,
    #[serde(default)]
    rounds: Vec<RoundVector>,
    #[serde(default)]
    first_round_at_or_after: Vec<FirstRound>,
}

#[derive(Deserialize)]
struct RoundVector {
    round: u64,
    utc: Option<String>,
    signature: String,
    randomness_sha256_of_signature: Option<String>,
}

#[derive(Deserialize)]
struct FirstRound {
    utc: String,
    round: u64,
}

pub(super) fn drand(place: &str, vector: Drand, report: &mut VectorReport) {
    let Some(beacon) = report.made(place, beacon(&vector)) else {
        return;
    };
    if let Some(known) = report.made(place, Beacon::quicknet(beacon.margin))
        && known.chain == beacon.chain
    {
        report.compare(format_args!("{place} built-in values"), &known, &beacon);
    }
    for round in &vector.rounds {
        check_round(
            &format!("{place} round {}", round.round),
            &beacon,
            round,
            report,
        );
    }
    for first in &vector.first_round_at_or_after {
        let place = format!("{place} first round at or after {}", first.utc);
        if let Some(time) = report.made(&place, first.utc.parse::<Time>()) {
            report.compare(place, &first.round, &beacon.round_at(time.unix()));
        }
    }
}

fn beacon(vector: &Drand) -> Result<Beacon, DiceError> {
    Ok(Beacon {
        chain: vector.chain.parse()?,
        genesis: vector.genesis,
        period: vector.period,
        margin: Beacon::DEFAULT_MARGIN,
        public_key: vector.public_key.parse()?,
    })
}

fn check_round(place: &str, beacon: &Beacon, round: &RoundVector, report: &mut VectorReport) {
    let moment = i64::try_from(beacon.moment_of(round.round))
        .ok()
        .and_then(|s| Timestamp::from_second(s).ok());
    let moment = moment
        .map(|moment| Time::from(moment).to_string())
        .unwrap_or_default();
    report.compare_some(format_args!("{place} utc"), round.utc.as_ref(), &moment);
    let bytes = HEXLOWER
        .decode(round.signature.as_bytes())
        .unwrap_or_default();
    let randomness = hash_bytes(&bytes).to_string();
    report.compare_some(
        format_args!("{place} randomness"),
        round.randomness_sha256_of_signature.as_ref(),
        &randomness,
    );
    let Some(signature) = report.made(place, round.signature.parse::<HexText>()) else {
        return;
    };
    match beacon.check_signature(round.round, &signature) {
        SignatureCheck::Genuine => report.passed += 1,
        SignatureCheck::Wrong(why) => report.fail(format_args!("{place} signature: {why}")),
        SignatureCheck::NotVerified(why) => report.skip(format_args!("{place} signature: {why}")),
    }
}
