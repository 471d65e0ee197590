//! Sources: what is mixed into the chain keys, so that the opening alone does not settle the dice (dice.md, section 5).

use std::{fmt, str::FromStr};

use super::{
    error::DiceError,
    hash::{Digest, Key},
    keys::step_down,
    names::{CampaignName, checked_seat, number, ordinal},
    time::Time,
};
use crate::ids::SeatId;

/// Lower-case hexadecimal digits of any even length: keys and signatures of beacons that we may not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HexText(String);

impl HexText {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
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

/// A source that an opening names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The public beacon drand (BEACON mode).
    Drand(Beacon),
    /// A person outside the game with a chain of tokens (WITNESS mode).
    Witness {
        /// The witness's name, formed as a seat's.
        name: SeatId,
        /// The end of the witness's chain.
        anchor: Digest,
    },
    /// The blinded digests of all orders (MAIL mode).
    Orders,
}

impl fmt::Display for Source {
    /// The source's lines in the opening, without the last LF.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drand(Beacon {
                chain,
                genesis,
                period,
                margin,
                public_key,
            }) => {
                write!(
                    f,
                    "source drand {chain} {genesis} {period} {margin}\ndrandkey {public_key}"
                )
            }
            Self::Witness { name, anchor } => write!(f, "source witness {name} {anchor}"),
            Self::Orders => f.write_str("source orders"),
        }
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
    /// Seconds from the seal to the moment from which the round is taken.
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

/// What is known of a beacon that an opening names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeaconIdentity {
    /// It is quicknet, with its true key, genesis and period.
    Quicknet,
    /// It has quicknet's chain hash, and another key, genesis or period: the opening is wrong.
    FalseQuicknet,
    /// A chain that the program does not know.
    Unknown,
}

/// What a check of a beacon's signature says.
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
    /// The margin where the umpire names none: one hour.
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

    /// Is this the beacon that the program knows?
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

    /// Checks a round's signature with the public key. The one place for it: this build has no code for the pairing
    /// of BLS12-381, so it refuses what can't be a signature and says of all others that they were not verified.
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
            BeaconIdentity::Quicknet => SignatureCheck::NotVerified(format!(
                "not verified offline: compare the signature of round {round} with a public relay"
            )),
        }
    }
}

/// What a source has said for one envelope, as the dice entry shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceValue {
    /// The beacon's value.
    Drand {
        /// The round.
        round: u64,
        /// Its signature.
        signature: HexText,
    },
    /// A witness's token.
    Witness {
        /// The witness's name.
        name: SeatId,
        /// The token, or `None` when it was refused.
        token: Option<Key>,
    },
}

impl fmt::Display for SourceValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drand { round, signature } => write!(f, "drand {round} {signature}"),
            Self::Witness { name, token } => {
                write!(f, "witness {name} {}", key_or_dash(token.as_ref()))
            }
        }
    }
}

impl FromStr for SourceValue {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["drand", round, signature] => Ok(Self::Drand {
                round: ordinal(round)?,
                signature: signature.parse()?,
            }),
            ["witness", name, token] => Ok(Self::Witness {
                name: checked_seat(name)?,
                token: read_key_or_dash(token)?,
            }),
            _ => Err(DiceError::malformed(
                "a source's value",
                text,
                "`drand <r> <signature>` or `witness <name> <token or ->`",
            )),
        }
    }
}

impl Source {
    /// Is this value said by this source?
    #[must_use]
    pub fn said(&self, value: &SourceValue) -> bool {
        match (self, value) {
            (Self::Drand(_), SourceValue::Drand { .. }) => true,
            (Self::Witness { name, .. }, SourceValue::Witness { name: by, .. }) => name == by,
            _ => false,
        }
    }

    /// Reads the fields of a `source` line after that word. `drandkey` is the key in the line that follows.
    pub(super) fn read(fields: &[&str], drandkey: Option<&str>) -> Result<Self, DiceError> {
        match (fields, drandkey) {
            (["orders"], None) => Ok(Self::Orders),
            (["witness", name, anchor], None) => Ok(Self::Witness {
                name: checked_seat(name)?,
                anchor: anchor.parse()?,
            }),
            (["drand", chain, genesis, period, margin], Some(key)) => Ok(Self::Drand(Beacon {
                chain: chain.parse()?,
                genesis: number(genesis)?,
                period: ordinal(period)?,
                margin: number(margin)?,
                public_key: key.parse()?,
            })),
            _ => Err(DiceError::malformed(
                "a source",
                &fields.join(" "),
                "`drand <chain> <genesis> <period> <margin>` with a drandkey line below, `witness <name> <anchor>` or `orders`",
            )),
        }
    }
}

/// A key as hexadecimal digits, or `-` where there is none.
pub(super) fn key_or_dash(key: Option<&Key>) -> String {
    key.map_or_else(|| "-".to_owned(), Key::to_hex)
}

/// Reads what [`key_or_dash`] writes.
pub(super) fn read_key_or_dash(text: &str) -> Result<Option<Key>, DiceError> {
    if text == "-" {
        Ok(None)
    } else {
        Key::from_hex(text).map(Some)
    }
}

/// The lane name under which a witness's chain is hashed.
#[must_use]
pub fn witness_lane(name: &str) -> String {
    format!("w-{name}")
}

/// Is this the witness's token for this envelope? It is hashed `envelope` times down to the anchor.
#[must_use]
pub fn is_token(
    campaign: &CampaignName,
    name: &str,
    anchor: &Digest,
    envelope: u32,
    token: &Key,
) -> bool {
    let lane = witness_lane(name);
    let end = (0..envelope).rev().fold(token.clone(), |key, below| {
        step_down(campaign, &lane, below, &key)
    });
    end.publish() == *anchor
}

/// The text that is joined with the chain keys of one envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix(String);

impl Mix {
    /// The mix of an envelope from the sources of the opening (in their order), what they said, and the orders digests
    /// of the seal.
    ///
    /// # Errors
    /// When a source has not spoken yet.
    pub fn new(
        campaign: &CampaignName,
        envelope: u32,
        sources: &[Source],
        said: &[SourceValue],
        orders: &[(SeatId, Digest)],
    ) -> Result<Self, DiceError> {
        let mut text = format!("sd1 mix\ncampaign {campaign}\nenvelope {envelope}\n");
        for source in sources {
            if *source == Source::Orders {
                text.extend(
                    orders
                        .iter()
                        .map(|(seat, digest)| format!("orders {seat} {digest}\n")),
                );
                continue;
            }
            let value = said
                .iter()
                .find(|value| source.said(value))
                .ok_or_else(|| DiceError::NoSourceValue {
                    envelope,
                    wanted: source
                        .to_string()
                        .lines()
                        .next()
                        .unwrap_or_default()
                        .to_owned(),
                })?;
            text.push_str(&format!("{value}\n"));
        }
        Ok(Self(text))
    }

    /// A mix that is known as a text, as in test vectors.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text, every line with its LF.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
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

    #[test]
    fn a_signature_is_never_called_genuine_unchecked() {
        let quicknet = Beacon::quicknet(0).unwrap();
        let signature: HexText = "ab".repeat(48).parse().unwrap();
        assert!(matches!(
            quicknet.check_signature(1, &signature),
            SignatureCheck::NotVerified(_)
        ));
        assert!(matches!(
            quicknet.check_signature(1, &"ab".parse().unwrap()),
            SignatureCheck::Wrong(_)
        ));
        let false_period = Beacon {
            period: 30,
            ..quicknet.clone()
        };
        assert!(matches!(
            false_period.check_signature(1, &signature),
            SignatureCheck::Wrong(_)
        ));
        let unknown = Beacon {
            chain: Digest::ZERO,
            ..quicknet
        };
        assert!(matches!(
            unknown.check_signature(1, &signature),
            SignatureCheck::NotVerified(_)
        ));
    }

    #[test]
    fn the_mix_follows_the_order_of_the_sources() {
        let campaign: CampaignName = "c".parse().unwrap();
        let witness = Source::Witness {
            name: "ada".into(),
            anchor: Digest::ZERO,
        };
        let orders = [(SeatId::from("red"), Digest::ZERO)];
        let said = [SourceValue::Witness {
            name: "ada".into(),
            token: None,
        }];
        let mix = Mix::new(
            &campaign,
            3,
            &[Source::Orders, witness.clone()],
            &said,
            &orders,
        )
        .unwrap();
        let zeros = "0".repeat(64);
        assert_eq!(
            mix.as_str(),
            format!("sd1 mix\ncampaign c\nenvelope 3\norders red {zeros}\nwitness ada -\n")
        );
        let silent = Mix::new(&campaign, 3, &[witness], &[], &orders);
        assert!(matches!(
            silent,
            Err(DiceError::NoSourceValue { envelope: 3, .. })
        ));
    }
}
