//! Sources: values mixed into the chain keys, so that the opening alone does not settle the dice
//! (dice.md, section 5).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    beacon::{Beacon, HexText},
    error::DiceError,
    hash::{Digest, Key},
    keys::step_down,
    names::{CampaignName, checked_seat, number, ordinal},
};
use crate::ids::SeatId;

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

/// A source's value for one envelope, as in the dice entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceValue {
    /// The beacon's value.
    Drand {
        /// The number of the round.
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

crate::by_text::written_as_text!(SourceValue);

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
    /// Returns true if this value comes from this source.
    #[must_use]
    pub fn said(&self, value: &SourceValue) -> bool {
        match (self, value) {
            (Self::Drand(_), SourceValue::Drand { .. }) => true,
            (Self::Witness { name, .. }, SourceValue::Witness { name: by, .. }) => name == by,
            _ => false,
        }
    }

    /// Reads the fields of a `source` line after that word. `drandkey` is the key in the line that
    /// follows.
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

/// A key as hexadecimal digits, or `-` without one.
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

/// The lane name for hashing a witness's chain.
#[must_use]
pub fn witness_lane(name: &str) -> String {
    format!("w-{name}")
}

/// Returns true if this is the witness's token for this envelope: hashed `envelope` times, it must
/// give the anchor.
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

/// The text that the chain keys of one envelope are joined with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mix(String);

impl Mix {
    /// The mix of an envelope, from the sources of the opening (in their order), their values, and
    /// the seal's digests of orders.
    ///
    /// # Errors
    /// When a source has not given its value yet.
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
