//! Receipts: the answer to each mail with orders or answers, with a code that only the holder of
//! the master can make (docs/dice.md, section 8).

use std::{fmt, str::FromStr};

use super::{
    error::DiceError,
    hash::{Code, Digest, Key, hash},
    names::{checked_seat, ordinal},
    time::Time,
};
use crate::ids::SeatId;

const RULE: &str = "`receipt <e> <seat> <k> <time> <hex> <hex> <code>` with single spaces, or `answer ...`; in the first \
                    form with one <hex>";

/// The kind of words that a receipt acknowledges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReceiptKind {
    /// Orders, or answers in a public wait: they are sealed.
    Orders,
    /// Answers in a quiet wait, after the seal of the envelope in use.
    Answer,
}

impl ReceiptKind {
    /// The first word of a receipt.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Orders => "receipt",
            Self::Answer => "answer",
        }
    }
}

/// Identifies a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptNumber {
    /// The kind of words.
    pub kind: ReceiptKind,
    /// The envelope that the orders are for, or that is in use during a wait for answers.
    pub envelope: u32,
    /// Whose words they are.
    pub seat: SeatId,
    /// The number of the receipt within this kind, seat and envelope, from 1.
    pub k: u32,
}

impl ReceiptNumber {
    /// A receipt up to the digest of the words: all that is known of it before its letter exists.
    #[must_use]
    pub fn beginning(&self, time: Time, words: &Digest) -> String {
        let Self {
            kind,
            envelope,
            seat,
            k,
        } = self;
        format!("{} {envelope} {seat} {k} {time} {words}", kind.word())
    }
}

/// A receipt of the dice protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its kind, envelope, seat and number.
    pub number: ReceiptNumber,
    /// When it was made.
    pub time: Time,
    /// `H` of the canonical text.
    pub words: Digest,
    /// The digest of its own letter ([`super::Sheet::digest`]); none in the first form.
    pub letter: Option<Digest>,
    /// The code with which the umpire can prove it.
    pub code: Code,
}

impl Receipt {
    /// Makes a receipt for a canonical text with `K[envelope, shut]`.
    #[must_use]
    pub fn issue(
        shut_key: &Key,
        number: ReceiptNumber,
        time: Time,
        canonical: &str,
        letter: Option<Digest>,
    ) -> Self {
        let mut receipt = Self {
            number,
            time,
            words: hash(canonical),
            letter,
            code: Code::ZERO,
        };
        receipt.code = receipt.right_code(shut_key);
        receipt
    }

    /// The right code for this receipt, the first 32 hexadecimal digits of a MAC. After the end
    /// everybody can compute it.
    #[must_use]
    pub fn right_code(&self, shut_key: &Key) -> Code {
        let ReceiptNumber { kind, seat, k, .. } = &self.number;
        let (word, time, words) = (kind.word(), self.time, self.words);
        let mac = shut_key.mac(&match self.letter {
            Some(letter) => format!("sd1|{word}|{seat}|{k}|{time}|{words}|{letter}"),
            None => format!("sd1|{word}|{seat}|{k}|{words}"),
        });
        let mut first_half = [0; 16];
        first_half.copy_from_slice(&mac.bytes()[..16]);
        Code::new(first_half)
    }

    /// Returns true if this is the text that was read.
    #[must_use]
    pub fn is_for(&self, canonical: &str) -> bool {
        self.words == hash(canonical)
    }

    /// Returns true if it is a receipt of orders of this seat for this envelope.
    #[must_use]
    pub fn is_of_orders(&self, envelope: u32, seat: &SeatId) -> bool {
        let number = &self.number;
        number.kind == ReceiptKind::Orders && number.envelope == envelope && number.seat == *seat
    }
}

impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.number.beginning(self.time, &self.words))?;
        self.letter
            .iter()
            .try_for_each(|letter| write!(f, "{letter} "))?;
        write!(f, "{}", self.code)
    }
}

impl FromStr for Receipt {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let fields: Vec<&str> = text.split(' ').collect();
        let (head, letter, code) = match fields.as_slice() {
            [head @ .., words, letter, code] if head.len() == 5 => {
                ((head, words), Some(letter.parse()?), code)
            }
            [head @ .., words, code] if head.len() == 5 => ((head, words), None, code),
            _ => return Err(DiceError::malformed("a receipt", text, RULE)),
        };
        let ([word, envelope, seat, k, time], words) = head else {
            return Err(DiceError::malformed("a receipt", text, RULE));
        };
        let kind = match (*word, letter) {
            ("receipt", _) => ReceiptKind::Orders,
            ("answer", Some(_)) => ReceiptKind::Answer,
            _ => return Err(DiceError::malformed("a receipt", text, RULE)),
        };
        Ok(Self {
            number: ReceiptNumber {
                kind,
                envelope: ordinal(envelope)?,
                seat: checked_seat(seat)?,
                k: ordinal(k)?,
            },
            time: time.parse()?,
            words: words.parse()?,
            letter,
            code: code.parse()?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn number(kind: ReceiptKind) -> ReceiptNumber {
        ReceiptNumber {
            kind,
            envelope: 4,
            seat: "red".into(),
            k: 2,
        }
    }

    fn time() -> Time {
        "2026-11-21T20:00:00Z".parse().unwrap()
    }

    #[test]
    fn receipts_are_read_as_written() {
        let key = Key::new([3; 32]);
        let text = "move A1 B2\n\nhold\n";
        for (kind, letter) in [
            (ReceiptKind::Orders, None),
            (ReceiptKind::Orders, Some(hash("letter"))),
            (ReceiptKind::Answer, Some(hash("letter"))),
        ] {
            let receipt = Receipt::issue(&key, number(kind), time(), text, letter);
            assert_eq!(receipt.to_string().parse::<Receipt>().unwrap(), receipt);
            assert_eq!(receipt.right_code(&key), receipt.code);
            assert_ne!(receipt.right_code(&Key::new([4; 32])), receipt.code);
            assert!(receipt.is_for(text) && !receipt.is_for("move A1 B3\n"));
        }
    }

    /// Neither an answer for orders, nor another letter, nor another time has the code of a
    /// receipt.
    #[test]
    fn the_code_covers_all_of_a_receipt() {
        let key = Key::new([3; 32]);
        let letter = Some(hash("letter"));
        let receipt = Receipt::issue(&key, number(ReceiptKind::Orders), time(), "hold\n", letter);
        let with = |change: fn(&mut Receipt)| {
            let mut other = receipt.clone();
            change(&mut other);
            other.right_code(&key)
        };
        for other in [
            with(|other| other.number.kind = ReceiptKind::Answer),
            with(|other| other.number.k = 3),
            with(|other| other.number.seat = "blue".into()),
            with(|other| other.time = "2026-11-21T20:00:01Z".parse().unwrap()),
            with(|other| other.words = hash("move\n")),
            with(|other| other.letter = Some(hash("other"))),
            with(|other| other.letter = None),
        ] {
            assert_ne!(other, receipt.code);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_kept(
            text in "\\PC{0,40}|(receipt|answer) [0-9]{1,2} [a-z]{1,4} [0-9] 20[0-9]{2}-1[0-9]-1[0-9]T1[0-9]:00:00Z( [0-9a-f]{64}){0,3} [0-9a-f]{32}"
        ) {
            if let Ok(receipt) = text.parse::<Receipt>() {
                prop_assert_eq!(receipt.to_string(), text);
            }
        }
    }
}
