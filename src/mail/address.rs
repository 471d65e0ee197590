//! Whether a text is an address that a mail server would accept.

/// Checks an address as mail servers require it: RFC 5321 and 5322, with letters of all scripts
/// (RFC 6531).
///
/// # Errors
/// The fault in it.
pub fn check_address(text: &str) -> Result<(), String> {
    let wrong = |why: String| format!("`{text}` is no mail address: {why}");
    let address: lettre::Address = text.parse().map_err(|error| wrong(format!("{error}")))?;
    let is_host = |letter: char| {
        !letter.is_ascii() || letter.is_ascii_alphanumeric() || "-.[]:".contains(letter)
    };
    if !address.domain().chars().all(is_host) {
        return Err(wrong("its domain has a sign that none has".to_owned()));
    }
    let parts: Vec<&str> = address.domain().split('.').collect();
    match parts.as_slice() {
        // A name on this machine or the local network.
        [_] => Ok(()),
        [.., last] if last.chars().all(|letter| letter.is_ascii_digit()) => {
            Err(wrong(format!("no domain ends in `.{last}`")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check_address;

    #[test]
    fn what_no_server_would_take_is_refused() {
        for good in [
            "ada@example.org",
            "ada.b+c@mx.example.org",
            "o'neil@example.org",
            "élodie@exämple.org",
            "game@localhost",
        ] {
            assert!(check_address(good).is_ok(), "{good}");
        }
        for wrong in [
            "ada@example..org",
            "ada@.example.org",
            "ada@example.org.",
            ".ada@example.org",
            "ada.@example.org",
            "a..b@example.org",
            "ada@-example.org",
            "ada@exam_ple.org",
            "ada@example.123",
        ] {
            assert!(check_address(wrong).is_err(), "{wrong}");
        }
    }
}
