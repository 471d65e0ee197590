//! How sure the host is of who sent a mail.
//!
//! The token proves that the sender has read the seat's last letter. If that is not enough (a
//! mailbox is shared, letters are forwarded), a campaign can ask for more: the seat's own address,
//! or the word of the server that took the mail.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The trust that a mail with a good token comes from the seat; each level includes those before
/// it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The mail has the seat's token.
    #[default]
    Token,
    /// The mail has the token, and claims to come from the seat's address.
    TokenAndAddress,
    /// The server that took it confirms that.
    Verified,
}

impl Trust {
    /// Its name in settings and records.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::TokenAndAddress => "token_and_address",
            Self::Verified => "verified",
        }
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

/// The proof that a campaign demands of mails with orders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustPolicy {
    /// The least level; a mail below it is held for the umpire.
    pub least: Trust,
    /// The server whose `Authentication-Results` count (RFC 8601), by the name that it gives itself
    /// there. It must write such a field on each mail that it takes, and be the last that does. If
    /// none is named, the one in the host's configuration counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results_of: Option<String>,
}

impl TrustPolicy {
    /// Returns true if the token is enough.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Checks that the policy can be followed.
    ///
    /// # Errors
    /// The thing that is missing.
    pub fn check(&self, has_umpire: bool) -> Result<(), String> {
        if self.least > Trust::Token && !has_umpire {
            return Err("`trust`: mails below it are held for the umpire; name one".into());
        }
        match &self.results_of {
            Some(server) => check_server(server).map_err(|problem| format!("`trust`: {problem}")),
            None => Ok(()),
        }
    }
}

/// Checks that a text can be the name that a server gives itself in `Authentication-Results`.
///
/// # Errors
/// The reason why it can't.
pub fn check_server(name: &str) -> Result<(), String> {
    let odd = |c: char| c.is_whitespace() || c.is_control() || ";\"()".contains(c);
    if name.is_empty() || name.contains(odd) {
        return Err(format!("`{name}` is no name of a server"));
    }
    Ok(())
}
