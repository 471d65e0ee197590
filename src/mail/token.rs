//! The token in a reply address.

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The proof that a mail comes from the reader of a dispatch: 80 bits in 16 characters.
pub struct Token;

impl Token {
    /// The token of a seat for a wait: the first 80 bits of HMAC-SHA-256 over
    /// `estafette|token|CAMPAIGN|SEAT|WAIT`, in lower case base32 (RFC 4648) without padding.
    #[must_use]
    pub fn make(key: &[u8; 32], campaign: &str, seat: &str, wait: u64) -> String {
        let digest = keyed(key, campaign, seat, wait).finalize().into_bytes();
        BASE32_NOPAD
            .encode(digest.get(..TOKEN_BYTES).unwrap_or_default())
            .to_ascii_lowercase()
    }

    /// Returns true if a token is that of this seat and wait; in constant time.
    #[must_use]
    pub fn check(key: &[u8; 32], campaign: &str, seat: &str, wait: u64, token: &str) -> bool {
        let Ok(bytes) = BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes()) else {
            return false;
        };
        // A shorter token would be compared only in its own length.
        bytes.len() == TOKEN_BYTES
            && keyed(key, campaign, seat, wait)
                .verify_truncated_left(&bytes)
                .is_ok()
    }
}

const TOKEN_BYTES: usize = 10;
/// The length of a token in characters.
pub const TOKEN_CHARS: usize = 16;

fn keyed(key: &[u8; 32], campaign: &str, seat: &str, wait: u64) -> Hmac<Sha256> {
    // RFC 2104: a key shorter than the block of 64 bytes is filled up with zeros.
    let mut block = [0_u8; 64];
    block[..32].copy_from_slice(key);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(format!("estafette|token|{campaign}|{seat}|{wait}").as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    #[test]
    fn a_token_is_the_documented_digest() {
        // Computed with another implementation: HMAC-SHA-256, key 0x00 to 0x1f,
        // "estafette|token|north|red|3".
        let key: [u8; 32] = std::array::from_fn(|index| u8::try_from(index).unwrap());
        assert_eq!(Token::make(&key, "north", "red", 3), "qyqtfpdmfae2abxm");
    }

    #[test]
    fn a_token_fits_one_seat_and_one_wait_only() {
        let key = [7; 32];
        let token = Token::make(&key, "north", "red", 3);
        assert_eq!(token.len(), TOKEN_CHARS);
        assert!(Token::check(&key, "north", "red", 3, &token));
        assert!(Token::check(&key, "north", "red", 3, &token.to_uppercase()));
        assert!(!Token::check(&key, "north", "red", 4, &token));
        assert!(!Token::check(&key, "north", "blue", 3, &token));
        assert!(!Token::check(&[8; 32], "north", "red", 3, &token));
    }

    #[test]
    fn a_part_of_a_token_is_no_token() {
        let key = [7; 32];
        let token = Token::make(&key, "north", "red", 3);
        for end in 0..token.len() {
            assert!(!Token::check(
                &key,
                "north",
                "red",
                3,
                token.get(..end).unwrap()
            ));
        }
        assert!(!Token::check(
            &key,
            "north",
            "red",
            3,
            &format!("{token}aaaaaaaa")
        ));
    }
}
