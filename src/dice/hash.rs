//! SHA-256 and HMAC-SHA-256 over texts, and the two kinds of values they give: public ones and
//! secret ones.

use std::fmt;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::error::DiceError;
use crate::digest::{Hex, HexError};

pub use crate::digest::Digest;

const HEX_RULE: &str = "lower-case hexadecimal digits of the right number";

/// The code of a receipt: the first half of an HMAC value.
pub type Code = Hex<16>;

impl From<HexError> for DiceError {
    fn from(error: HexError) -> Self {
        Self::malformed("a hexadecimal value", &error.text, HEX_RULE)
    }
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
        text.parse::<Digest>()
            .map(|value| Self(*value.bytes()))
            .map_err(|_| DiceError::malformed("a key", "...", "64 lower-case hexadecimal digits"))
    }

    /// The key as 64 hexadecimal digits, for showing or storing it on purpose.
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
        Digest::new(self.0)
    }

    /// `F(self, text)` as a public value.
    #[must_use]
    pub fn mac(&self, text: &str) -> Digest {
        // HMAC pads a short key with zeros to the block's length, so a padded key is the same key,
        // and this can't fail.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(text.as_bytes());
        Digest::new(mac.finalize().into_bytes().into())
    }

    /// `F(self, text)` as a further secret.
    #[must_use]
    pub fn derive(&self, text: &str) -> Self {
        Self(*self.mac(text).bytes())
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
    Digest::of(bytes)
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
