//! SHA-256 and HMAC-SHA-256 over texts, and the two kinds of values they give: public ones and
//! secret ones.

use std::{fmt, str::FromStr};

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

use super::error::DiceError;

const HEX_RULE: &str = "lower-case hexadecimal digits of the right number";

/// `N` public bytes, written as `2 * N` lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex<const N: usize>([u8; N]);

/// A SHA-256 or HMAC-SHA-256 value that everybody may see: head, anchor, digest.
pub type Digest = Hex<32>;

/// The code of a receipt: the first half of an HMAC value.
pub type Code = Hex<16>;

impl<const N: usize> Hex<N> {
    /// All zeros: the `prev` of the first register entry.
    pub const ZERO: Self = Self([0; N]);

    /// The value with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; N]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&HEXLOWER.encode_display(&self.0), f)
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        decode(text).map(Self)
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

fn decode<const N: usize>(text: &str) -> Result<[u8; N], DiceError> {
    HEXLOWER
        .decode(text.as_bytes())
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| DiceError::malformed("a hexadecimal value", text, HEX_RULE))
}

/// 32 secret bytes. Printing them takes an explicit [`Key::to_hex`]: there is no `Display`, and
/// `Debug` hides them.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 lower-case hexadecimal digits.
    ///
    /// # Errors
    /// When the text is anything else.
    pub fn from_hex(text: &str) -> Result<Self, DiceError> {
        // The error must not repeat what may be a mistyped secret.
        decode(text)
            .map(Self)
            .map_err(|_| DiceError::malformed("a key", "...", "64 lower-case hexadecimal digits"))
    }

    /// The key as 64 hexadecimal digits: only for places where it is meant to be shown or stored.
    #[must_use]
    pub fn to_hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The key as a public value, for comparison with an anchor.
    #[must_use]
    pub const fn publish(&self) -> Digest {
        Hex(self.0)
    }

    /// `F(self, text)` as a public value.
    #[must_use]
    pub fn mac(&self, text: &str) -> Digest {
        // HMAC pads a short key with zeros to the block's length, so a padded key is the same key;
        // it can't fail.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(text.as_bytes());
        Hex(mac.finalize().into_bytes().into())
    }

    /// `F(self, text)` as a further secret.
    #[must_use]
    pub fn derive(&self, text: &str) -> Self {
        Self(self.mac(text).0)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

/// `H(text)`: SHA-256 of the text's bytes.
#[must_use]
pub fn hash(text: &str) -> Digest {
    hash_bytes(text.as_bytes())
}

/// SHA-256 of bytes that are no text: a beacon's signature, a picture.
#[must_use]
pub fn hash_bytes(bytes: &[u8]) -> Digest {
    Hex(Sha256::digest(bytes).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_empty_text() {
        assert_eq!(
            hash("").to_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    /// RFC 4231, test case 2, with the key padded as HMAC itself would.
    #[test]
    fn hmac_of_rfc_4231() {
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let mac = Key::new(key).mac("what do ya want for nothing?");
        assert_eq!(
            mac.to_string(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn hex_is_lower_case_and_of_the_right_length() {
        assert!("ff".repeat(32).parse::<Digest>().is_ok());
        for wrong in [
            "",
            "ff",
            &"FF".repeat(32),
            &"ff".repeat(33),
            &"fg".repeat(32),
        ] {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn keys_do_not_print_themselves() {
        let key = Key::new([0xab; 32]);
        assert_eq!(format!("{key:?}"), "Key(hidden)");
        let mistyped = format!("{}x", &key.to_hex()[1..]);
        assert!(
            !Key::from_hex(&mistyped)
                .unwrap_err()
                .to_string()
                .contains("abab")
        );
    }
}
