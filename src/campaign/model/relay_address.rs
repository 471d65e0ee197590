//! The address of a relay for the beacon.

/// Checks that a relay's address is usable: `https://` with a host, and perhaps a path.
pub(crate) fn check_address(relay: &str) -> Result<(), String> {
    let plain = relay.len() <= 200 && !relay.contains(['?', '#', '@']);
    let is_https =
        |uri: &ureq::http::Uri| uri.scheme_str() == Some("https") && uri.host().is_some();
    if plain
        && relay
            .parse::<ureq::http::Uri>()
            .is_ok_and(|uri| is_https(&uri))
    {
        return Ok(());
    }
    Err(format!(
        "`{relay}` is no relay: write an address as https://api.drand.sh"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_relays() {
        for right in [
            "https://api.drand.sh",
            "https://relay.example.org:444/drand/",
        ] {
            assert_eq!(check_address(right), Ok(()), "{right}");
        }
        for wrong in [
            "http://api.drand.sh",
            "api.drand.sh",
            "https://",
            "https://a b",
            "https://a/?x",
            "https://a:b@c",
            "file:///etc/passwd",
            "",
        ] {
            assert!(check_address(wrong).is_err(), "{wrong}");
        }
    }
}
