//! Receipts: the answer to each order mail, with a code that only the holder of the master can make
//! (dice.md, section 8).

use std::{fmt, str::FromStr};

use super::{
    error::DiceError,
    hash::{Code, Digest, Hex, Key, hash},
    names::{checked_seat, ordinal},
    time::Time,
};
use crate::ids::SeatId;

const RULE: &str = "`receipt <e> <seat> <k> <time> <hex> <code>` with single spaces";

/// One receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The envelope that the orders are for.
    pub envelope: u32,
    /// Whose orders they are.
    pub seat: SeatId,
    /// The how-manieth receipt of this seat for this envelope, from 1.
    pub k: u32,
    /// When it was made.
    pub time: Time,
    /// `H` of the canonical text.
    pub orders: Digest,
    /// The umpire's code.
    pub code: Code,
}

impl Receipt {
    /// Makes a receipt for a canonical text with `K[envelope, shut]`.
    #[must_use]
    pub fn issue(
        shut_key: &Key,
        envelope: u32,
        seat: SeatId,
        k: u32,
        time: Time,
        canonical: &str,
    ) -> Self {
        let orders = hash(canonical);
        let code = code(shut_key, &seat, k, &orders);
        Self {
            envelope,
            seat,
            k,
            time,
            orders,
            code,
        }
    }

    /// The code that belongs to this receipt. After the end everybody can compute it.
    #[must_use]
    pub fn right_code(&self, shut_key: &Key) -> Code {
        code(shut_key, &self.seat, self.k, &self.orders)
    }

    /// Is this the text that was read?
    #[must_use]
    pub fn is_for(&self, canonical: &str) -> bool {
        self.orders == hash(canonical)
    }
}

/// The first 32 hexadecimal digits of `F(K[e, shut], "sd1|receipt|<seat>|<k>|<hex>")`.
fn code(shut_key: &Key, seat: &SeatId, k: u32, orders: &Digest) -> Code {
    let mac = shut_key.mac(&format!("sd1|receipt|{seat}|{k}|{orders}"));
    let mut first_half = [0; 16];
    first_half.copy_from_slice(&mac.bytes()[..16]);
    Hex::new(first_half)
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            envelope,
            seat,
            k,
            time,
            orders,
            code,
        } = self;
        write!(f, "receipt {envelope} {seat} {k} {time} {orders} {code}")
    }
}

impl FromStr for Receipt {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let ["receipt", envelope, seat, k, time, orders, code] = fields.as_slice() else {
            return Err(DiceError::malformed("a receipt", text, RULE));
        };
        Ok(Self {
            envelope: ordinal(envelope)?,
            seat: checked_seat(seat)?,
            k: ordinal(k)?,
            time: time.parse()?,
            orders: orders.parse()?,
            code: code.parse()?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn receipts_are_read_as_written() {
        let key = Key::new([3; 32]);
        let text = "move A1 B2\n\nhold\n";
        let time = "2026-11-21T20:00:00Z".parse().unwrap();
        let receipt = Receipt::issue(&key, 4, "red".into(), 2, time, text);
        assert_eq!(receipt.to_string().parse::<Receipt>().unwrap(), receipt);
        assert_eq!(receipt.right_code(&key), receipt.code);
        assert_ne!(receipt.right_code(&Key::new([4; 32])), receipt.code);
        assert!(receipt.is_for(text) && !receipt.is_for("move A1 B3\n"));
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_kept(
            text in "\\PC{0,40}|receipt [0-9]{1,2} [a-z]{1,4} [0-9] 20[0-9]{2}-1[0-9]-1[0-9]T1[0-9]:00:00Z [0-9a-f]{64} [0-9a-f]{32}"
        ) {
            if let Ok(receipt) = text.parse::<Receipt>() {
                prop_assert_eq!(receipt.to_string(), text);
            }
        }
    }
}
