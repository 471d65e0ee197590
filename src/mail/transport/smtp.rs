//! Letters out by SMTP (RFC 5321), with lettre's connection.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use lettre::{
    Address,
    transport::smtp::{
        authentication::{Credentials, Mechanism},
        client::{Certificate, SmtpConnection, TlsParameters},
        extension::ClientId,
        response::Severity,
    },
};
use serde::Deserialize;

use super::{MailEnvelope, Observation, Secret, Security, SendError, Sink, TransportError, tls};

/// How long the server may take for one answer; servers may inspect a mail for a while at its end.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long after the last mail a connection is used again, and for how many mails.
const KEPT: Duration = Duration::from_secs(60);
const MOST_MAILS: u32 = 100;
/// Replies that are about our own login, not about the letter (RFC 4954, section 6).
const OF_LOGIN: [u16; 4] = [530, 534, 535, 538];

/// An SMTP account of `estafette.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpAccount {
    /// The server.
    pub host: String,
    /// Its port.
    #[serde(default = "submission")]
    pub port: u16,
    /// How the connection is protected.
    #[serde(default = "starttls")]
    pub tls: Security,
    /// The account; without it no login is tried.
    pub user: Option<String>,
    /// Its password.
    pub password: Option<Secret>,
    /// A file of certificates (PEM) that are trusted beside the public ones.
    pub ca: Option<PathBuf>,
}

fn submission() -> u16 {
    587
}
fn starttls() -> Security {
    Security::Starttls
}

impl SmtpAccount {
    /// Makes relative files relative to this folder.
    pub fn settle(&mut self, folder: &Path) {
        if let Some(password) = &mut self.password {
            password.settle(folder);
        }
        self.ca = self.ca.take().map(|file| folder.join(file));
    }

    /// Checks what the types of the fields don't guarantee.
    ///
    /// # Errors
    /// The fault, naming the field.
    pub fn check(&self) -> Result<(), String> {
        self.tls.check(&self.host)?;
        if self.user.is_some() != self.password.is_some() {
            return Err("`user` and `password` stand together or not at all".to_owned());
        }
        Ok(())
    }
}

/// An SMTP account as a sink. The connection is kept for the next letters.
pub struct SmtpSink {
    account: SmtpAccount,
    open: Option<SmtpSession>,
}

struct SmtpSession {
    connection: SmtpConnection,
    used: Instant,
    mails: u32,
}

impl SmtpSink {
    /// The sink of an account.
    #[must_use]
    pub fn new(account: SmtpAccount) -> Self {
        Self {
            account,
            open: None,
        }
    }

    fn connect(&self) -> Result<SmtpConnection, TransportError> {
        let SmtpAccount { host, port, .. } = &self.account;
        let tls = self.tls()?;
        let hello = ClientId::default();
        let implicit = tls
            .as_ref()
            .filter(|_| self.account.tls == Security::Implicit);
        let mut connection = SmtpConnection::connect(
            (host.as_str(), *port),
            Some(PATIENCE),
            &hello,
            implicit,
            None,
        )
        .map_err(|error| self.wrong("connecting", &error))?;
        if let (Security::Starttls, Some(tls)) = (self.account.tls, &tls) {
            connection
                .starttls(tls, &hello)
                .map_err(|error| self.wrong("STARTTLS", &error))?;
        }
        if let (Some(user), Some(password)) = (&self.account.user, &self.account.password) {
            let credentials = Credentials::new(user.clone(), password.reveal()?);
            let said = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
            let said = said.map_err(|error| match error.status() {
                Some(_) => TransportError::Login {
                    host: host.clone(),
                    user: user.clone(),
                    said: error.to_string(),
                },
                None => self.wrong("login", &error),
            })?;
            // Any other answer belongs to something else: bytes that somebody put before the
            // handshake.
            if !said.has_code(235) {
                return Err(self.said("login", &format!("unexpected answer {}", said.code())));
            }
        }
        Ok(connection)
    }

    fn tls(&self) -> Result<Option<TlsParameters>, TransportError> {
        if self.account.tls == Security::None {
            return Ok(None);
        }
        let wrong = |error: lettre::transport::smtp::Error| TransportError::Tls {
            host: self.account.host.clone(),
            problem: error.to_string(),
        };
        let mut builder = TlsParameters::builder(self.account.host.clone());
        if let Some(path) = &self.account.ca {
            let pem = tls::read_ca(path)?;
            builder = builder.add_root_certificate(Certificate::from_pem(&pem).map_err(wrong)?);
        }
        builder.build_rustls().map(Some).map_err(wrong)
    }

    fn wrong(&self, doing: &str, error: &lettre::transport::smtp::Error) -> TransportError {
        let said = with_sources(error);
        if said.contains("certificate") || said.contains("corrupt message") {
            return TransportError::Tls {
                host: self.account.host.clone(),
                problem: tls::told(&said),
            };
        }
        self.said(
            doing,
            &format!("{said}; look at `host`, `port` and `tls`, and whether the server runs"),
        )
    }

    fn said(&self, doing: &str, said: &str) -> TransportError {
        TransportError::Talk {
            host: format!("{} port {}", self.account.host, self.account.port),
            doing: doing.to_owned(),
            said: said.to_owned(),
        }
    }

    /// The previous connection if it is still good, else a new one.
    fn ready(&mut self) -> Result<SmtpSession, SendError> {
        if let Some(mut open) = self.open.take()
            && open.mails < MOST_MAILS
            && open.used.elapsed() < KEPT
            && open.connection.test_connected()
        {
            return Ok(open);
        }
        let connection = self.connect().map_err(|error| SendError::Down {
            said: error.to_string(),
        })?;
        Ok(SmtpSession {
            connection,
            used: Instant::now(),
            mails: 0,
        })
    }
}

/// An error with its sources, in one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let said = inner.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        source = inner.source();
    }
    crate::mail::clean_line(&text)
}

/// An envelope in the library's form. An address that it refuses can never be sent to.
fn envelope_of(envelope: &MailEnvelope) -> Result<lettre::address::Envelope, SendError> {
    let address = |text: &str| {
        text.parse::<Address>().map_err(|error| SendError::Refused {
            status: "5.1.3".to_owned(),
            said: format!(
                "`{}` is no mail address: {error}",
                crate::mail::clean_line(text)
            ),
        })
    };
    let from = envelope.from.as_deref().map(address).transpose()?;
    lettre::address::Envelope::new(from, vec![address(&envelope.to)?]).map_err(|error| {
        SendError::Later {
            said: error.to_string(),
        }
    })
}

fn sent_or_not(error: &lettre::transport::smtp::Error) -> SendError {
    let said = with_sources(error);
    match error.status().map(u16::from) {
        // A content that the library itself does not send: an address that the server has no
        // extension for.
        None if error.is_client() => return SendError::Later { said },
        None | Some(421) => return SendError::Down { said },
        Some(code) if OF_LOGIN.contains(&code) => return SendError::Down { said },
        Some(_) if !error.is_permanent() => return SendError::Later { said },
        Some(_) => {}
    }
    SendError::Refused {
        status: status_in(&said).unwrap_or_else(|| "5.0.0".to_owned()),
        said,
    }
}

/// An enhanced status code (RFC 3463) in what a server said.
fn status_in(said: &str) -> Option<String> {
    let is_code = |word: &&str| {
        let parts: Vec<&str> = word.split('.').collect();
        parts.len() == 3
            && parts.first() == Some(&"5")
            && parts.iter().all(|part| {
                (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
            })
    };
    said.split([' ', '(', ')', ':', ';'])
        .find(is_code)
        .map(str::to_owned)
}

impl Sink for SmtpSink {
    fn send(&mut self, envelope: &MailEnvelope, bytes: &[u8]) -> Result<String, SendError> {
        let envelope = envelope_of(envelope)?;
        let mut open = self.ready()?;
        // The protocol ends a mail with a line end of its own; with the mail's there would be an
        // extra empty line.
        let content = bytes.strip_suffix(b"\r\n").unwrap_or(bytes);
        let said = open
            .connection
            .send(&envelope, content)
            .map_err(|error| sent_or_not(&error))?;
        // If the last answer only asks for more, the answers are one behind: somebody put one in
        // between.
        if said.code().severity != Severity::PositiveCompletion {
            open.connection.abort();
            return Err(SendError::Down {
                said: format!("unexpected answer {} after the letter", said.code()),
            });
        }
        (open.used, open.mails) = (Instant::now(), open.mails + 1);
        self.open = Some(open);
        Ok(said.message().collect::<Vec<_>>().join(" "))
    }

    fn probe(&mut self) -> Vec<Observation> {
        let account = &self.account;
        let mut findings = Vec::new();
        if let Some(password) = account
            .password
            .as_ref()
            .filter(|password| password.is_open_to_others())
        {
            findings.push(Observation::wrong(format!(
                "the secret {} can be read by others on this machine; chmod 600",
                password.place()
            )));
        }
        findings.push(match self.connect() {
            Ok(mut connection) => {
                let _ = connection.quit();
                let login = account.user.as_ref().map_or_else(
                    || "without a login".to_owned(),
                    |user| format!("logged in as {user}"),
                );
                Observation::good(format!(
                    "smtp: {} port {}: {login}",
                    account.host, account.port
                ))
            }
            Err(error) => Observation::wrong(format!("smtp: {error}")),
        });
        findings
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    #[test]
    fn statuses_are_found_in_what_servers_say() {
        for (said, status) in [
            ("permanent error (550): 5.1.1 no such user", Some("5.1.1")),
            ("550 5.7.26 unauthenticated", Some("5.7.26")),
            ("550 relay not permitted from 10.0.0.5.1", None),
            ("421 4.3.2 going down", None),
        ] {
            assert_eq!(status_in(said).as_deref(), status, "{said}");
        }
    }

    #[test]
    fn an_address_that_can_be_none_is_refused_for_good() {
        let envelope = MailEnvelope {
            from: None,
            to: "ada\r\nRCPT TO:<x@y>".to_owned(),
        };
        let refused = envelope_of(&envelope).unwrap_err();
        assert!(matches!(refused, SendError::Refused { .. }));
        assert!(!refused.to_string().contains('\n'));
    }

    #[test]
    fn a_login_needs_both_its_parts() {
        let read = |text: &str| serde_yaml::from_str::<SmtpAccount>(text).unwrap().check();
        assert!(read("{host: localhost, tls: none}").is_ok());
        assert!(read("{host: localhost, user: a}").is_err());
        assert!(read("{host: smtp.example.org, tls: none}").is_err());
    }
}
