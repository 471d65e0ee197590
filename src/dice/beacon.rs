//! The public beacon drand: which chain, which round, whose signature (dice.md, section 5).

use std::{fmt, str::FromStr};

use jiff::Timestamp;

use super::{error::DiceError, hash::Digest, time::Time};

/// Lower-case hexadecimal digits of any even length: keys and signatures of beacons, even unknown
/// ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HexText(String);

impl HexText {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The bytes.
    #[cfg(feature = "drand")]
    fn bytes(&self) -> Vec<u8> {
        // It is made of pairs of such digits.
        data_encoding::HEXLOWER
            .decode(self.0.as_bytes())
            .unwrap_or_default()
    }
}

impl fmt::Display for HexText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for HexText {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let digits = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        if digits && !text.is_empty() && text.len().is_multiple_of(2) {
            return Ok(Self(text.to_owned()));
        }
        Err(DiceError::malformed(
            "a hexadecimal text",
            text,
            "pairs of lower-case hexadecimal digits",
        ))
    }
}

/// A chain of the drand network, as an opening describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beacon {
    /// The chain's hash, its name.
    pub chain: Digest,
    /// The moment of round 1, in seconds since 1970.
    pub genesis: u64,
    /// Seconds from round to round, at least 1.
    pub period: u64,
    /// Seconds between the seal and the earliest moment of the round.
    pub margin: u64,
    /// The public key of the chain.
    pub public_key: HexText,
}

/// The chain hash of quicknet, the chain that the program knows.
const QUICKNET_CHAIN: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
/// The public key of quicknet (scheme bls-unchained-g1-rfc9380).
const QUICKNET_KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c\
                            8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb\
                            5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
const QUICKNET_GENESIS: u64 = 1_692_803_367;
const QUICKNET_PERIOD: u64 = 3;

/// The identity of a beacon that an opening names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeaconIdentity {
    /// It is quicknet, with its true key, genesis and period.
    Quicknet,
    /// It has quicknet's chain hash, but another key, genesis or period: the opening is wrong.
    FalseQuicknet,
    /// A chain that the program does not know.
    Unknown,
}

/// The result of checking a beacon's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureCheck {
    /// The signature is the beacon's.
    Genuine,
    /// The signature can't be the beacon's, and why.
    Wrong(String),
    /// The check was not made, and why. It is not a success.
    NotVerified(String),
}

impl Beacon {
    /// The margin unless the umpire names another: one hour.
    pub const DEFAULT_MARGIN: u64 = 3600;

    /// Quicknet with this margin.
    ///
    /// # Errors
    /// Never in practice: the built-in constants are well formed.
    pub fn quicknet(margin: u64) -> Result<Self, DiceError> {
        Ok(Self {
            chain: QUICKNET_CHAIN.parse()?,
            genesis: QUICKNET_GENESIS,
            period: QUICKNET_PERIOD,
            margin,
            public_key: QUICKNET_KEY.parse()?,
        })
    }

    /// Compares this beacon with the one that the program knows.
    #[must_use]
    pub fn identity(&self) -> BeaconIdentity {
        match Self::quicknet(self.margin) {
            Ok(quicknet) if *self == quicknet => BeaconIdentity::Quicknet,
            Ok(quicknet) if self.chain == quicknet.chain => BeaconIdentity::FalseQuicknet,
            _ => BeaconIdentity::Unknown,
        }
    }

    /// The first round at or after a moment.
    #[must_use]
    pub fn round_at(&self, moment: i64) -> u64 {
        let since = u64::try_from(moment)
            .unwrap_or(0)
            .saturating_sub(self.genesis);
        since.div_ceil(self.period.max(1)) + 1
    }

    /// The round that belongs to a seal of this time: the first at or after `sealed + margin`.
    #[must_use]
    pub fn round_for(&self, sealed: Time) -> u64 {
        self.round_at(sealed.unix().saturating_add_unsigned(self.margin))
    }

    /// The moment of a round (from 1), in seconds since 1970.
    #[must_use]
    pub fn moment_of(&self, round: u64) -> u64 {
        self.genesis
            .saturating_add(round.saturating_sub(1).saturating_mul(self.period))
    }

    /// The moment of a round as a time, capped at the last possible time.
    #[must_use]
    pub fn time_of(&self, round: u64) -> Time {
        let seconds = i64::try_from(self.moment_of(round)).unwrap_or(i64::MAX);
        Timestamp::from_second(seconds)
            .unwrap_or(Timestamp::MAX)
            .into()
    }

    /// Checks a round's signature with the public key, without a network.
    #[must_use]
    pub fn check_signature(&self, round: u64, signature: &HexText) -> SignatureCheck {
        match self.identity() {
            BeaconIdentity::Unknown => SignatureCheck::NotVerified("unknown beacon".to_owned()),
            BeaconIdentity::FalseQuicknet => SignatureCheck::Wrong(
                "the opening gives quicknet a false key, genesis or period".to_owned(),
            ),
            BeaconIdentity::Quicknet if signature.as_str().len() != 96 => {
                SignatureCheck::Wrong("quicknet's signatures have 96 hexadecimal digits".to_owned())
            }
            BeaconIdentity::Quicknet => pairing(&self.public_key, round, signature),
        }
    }
}

/// True if this build can check signatures. Other builds can read a campaign with the beacon, but
/// not run it.
pub const CAN_VERIFY: bool = cfg!(feature = "drand");

/// The pairing of BLS12-381 (scheme bls-unchained-g1-rfc9380).
#[cfg(feature = "drand")]
fn pairing(key: &HexText, round: u64, signature: &HexText) -> SignatureCheck {
    use drand_verify::{G2PubkeyRfc, Pubkey};

    let Ok(key) = G2PubkeyRfc::from_variable(&key.bytes()) else {
        return SignatureCheck::NotVerified("the beacon's public key can't be read".to_owned());
    };
    match key.verify(round, &[], &signature.bytes()) {
        Ok(true) => SignatureCheck::Genuine,
        Ok(false) => SignatureCheck::Wrong(format!("it is not the signature of round {round}")),
        Err(_) => {
            SignatureCheck::Wrong("it is no signature at all: no point of the curve".to_owned())
        }
    }
}

/// This build has no code for the pairing.
#[cfg(not(feature = "drand"))]
fn pairing(_key: &HexText, round: u64, _signature: &HexText) -> SignatureCheck {
    SignatureCheck::NotVerified(format!(
        "not verified offline: compare the signature of round {round} with a public relay"
    ))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn rounds() {
        let beacon = Beacon::quicknet(1800).unwrap();
        assert_eq!(beacon.identity(), BeaconIdentity::Quicknet);
        assert_eq!(
            beacon.round_for("2023-08-23T15:29:23Z".parse().unwrap()),
            1000
        );
        assert_eq!(beacon.round_at(0), 1);
        assert_eq!(beacon.round_at(-5), 1);
        assert_eq!(beacon.moment_of(1), beacon.genesis);
        for round in [1, 2, 1000, 27_946_612] {
            let moment = i64::try_from(beacon.moment_of(round)).unwrap();
            assert_eq!(beacon.round_at(moment), round);
            assert_eq!(beacon.round_at(moment + 1), round + 1);
        }
    }

    /// Round 1000 of quicknet.
    const ROUND_1000: &str = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    #[cfg(feature = "drand")]
    #[test]
    fn only_the_rounds_own_signature_is_genuine() {
        let quicknet = Beacon::quicknet(0).unwrap();
        let signature: HexText = ROUND_1000.parse().unwrap();
        assert_eq!(
            quicknet.check_signature(1000, &signature),
            SignatureCheck::Genuine
        );
        for (round, text) in [
            (1001, ROUND_1000.to_owned()),
            (1000, ROUND_1000.replacen("b44679", "b44678", 1)),
            (1000, "ab".repeat(48)),
            (1000, "00".repeat(48)),
            (1000, format!("c0{}", "00".repeat(47))),
        ] {
            assert!(
                matches!(
                    quicknet.check_signature(round, &text.parse().unwrap()),
                    SignatureCheck::Wrong(_)
                ),
                "{round} {text}"
            );
        }
    }

    #[test]
    fn a_signature_is_never_called_genuine_unchecked() {
        let quicknet = Beacon::quicknet(0).unwrap();
        let signature: HexText = ROUND_1000.parse().unwrap();
        assert!(matches!(
            quicknet.check_signature(1000, &"ab".parse().unwrap()),
            SignatureCheck::Wrong(_)
        ));
        let false_period = Beacon {
            period: 30,
            ..quicknet.clone()
        };
        assert!(matches!(
            false_period.check_signature(1000, &signature),
            SignatureCheck::Wrong(_)
        ));
        let unknown = Beacon {
            chain: Digest::ZERO,
            ..quicknet
        };
        assert!(matches!(
            unknown.check_signature(1000, &signature),
            SignatureCheck::NotVerified(_)
        ));
    }
}
