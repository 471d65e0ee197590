//! TLS: which certificates are trusted, and how failures are reported.

use std::{fs, net::IpAddr, path::Path, sync::Arc};

use rustls::{
    ClientConfig, ClientConnection, RootCertStore,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use serde::Deserialize;

use super::TransportError;

/// How a connection is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// TLS from the first byte (ports 993 and 465).
    Implicit,
    /// The conversation begins in the open and must change to TLS before anything else is said
    /// (ports 143 and 587).
    Starttls,
    /// None; only on this machine itself.
    None,
}

impl Security {
    /// Checks that it is good enough for this server.
    ///
    /// # Errors
    /// What to write instead.
    pub fn check(self, host: &str) -> Result<(), String> {
        if self == Self::None && !is_loopback(host) {
            return Err(format!(
                "`tls: none` would send the password and all mails to {host} in the open; write `implicit` or `starttls`"
            ));
        }
        Ok(())
    }
}

/// Returns true if the server is this machine.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The client's side of a TLS connection: trusts the public authorities, and those of the file
/// `ca`.
pub(super) fn client(host: &str, ca: Option<&Path>) -> Result<ClientConnection, TransportError> {
    let wrong = |problem: String| TransportError::Tls {
        host: host.to_owned(),
        problem,
    };
    let mut roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    if let Some(path) = ca {
        let pem = read_ca(path)?;
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let added = certificate
                .map_err(|error| error.to_string())
                .and_then(|der| roots.add(der).map_err(|error| error.to_string()));
            added.map_err(|error| wrong(format!("{}: {error}", path.display())))?;
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(|error| wrong(error.to_string()))?;
    ClientConnection::new(Arc::new(config), name).map_err(|error| wrong(told(&error.to_string())))
}

/// The bytes of a file of certificates.
pub(super) fn read_ca(path: &Path) -> Result<Vec<u8>, TransportError> {
    fs::read(path).map_err(|source| TransportError::File {
        path: path.to_owned(),
        source,
    })
}

/// The library's words on a failed handshake, and what to do.
pub(super) fn told(said: &str) -> String {
    let has = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let advice = if has(&["UnknownIssuer"]) {
        "nobody known has signed the server's certificate; if it is your own authority, name its file with `ca`"
    } else if has(&["Expired", "expired"]) {
        "the server's certificate has expired (or this machine's clock is wrong); renew it"
    } else if has(&[
        "NotValidForName",
        "not valid for name",
        "NotValidForNameContext",
    ]) {
        "the server's certificate is for another name; write that name as `host`"
    } else if has(&["CaUsedAsEndEntity"]) {
        "the server shows its authority's certificate in place of one of its own"
    } else if has(&["InvalidContentType", "corrupt message", "InvalidMessage"]) {
        "the server does not speak TLS there; look at `port` and `tls`"
    } else if has(&["temporarily unavailable", "timed out"]) {
        "the server accepts connections and says nothing; look at `port` and `tls`, and whether it is overloaded"
    } else {
        "the TLS handshake failed"
    };
    format!("{advice} ({said})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tls_is_for_this_machine_only() {
        assert!(Security::None.check("localhost").is_ok());
        assert!(Security::None.check("127.0.0.1").is_ok() && Security::None.check("::1").is_ok());
        assert!(Security::None.check("imap.example.org").is_err());
        assert!(Security::Starttls.check("imap.example.org").is_ok());
    }

    #[test]
    fn failures_are_told_in_plain_words() {
        for (said, word) in [
            ("invalid peer certificate: UnknownIssuer", "`ca`"),
            ("invalid peer certificate: Expired", "expired"),
            (
                "invalid peer certificate: certificate not valid for name \"a\"",
                "another name",
            ),
            (
                "received corrupt message of type InvalidContentType",
                "`port`",
            ),
            (
                "Resource temporarily unavailable (os error 11)",
                "says nothing",
            ),
            ("something new", "something new"),
        ] {
            assert!(told(said).contains(word), "{said}");
        }
    }
}
