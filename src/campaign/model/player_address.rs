//! The place that a seat's letters go to: a person's address, or a bot, to which nothing is mailed.

use std::{fmt, str::FromStr};

use crate::by_text::written_as_text;

/// The bot that `bot` alone means: the one of each game that plays to win.
const USUAL_BOT: &str = "sensible";
/// The domain that letters to bots are nominally sent to: nothing is ever delivered there (RFC
/// 2606, 2).
const NOWHERE: &str = "bot.invalid";

/// The longest mail address, in bytes (RFC 5321, 4.5.3.1.3 with its brackets taken off).
const LONGEST_ADDRESS: usize = 254;

/// A mail address, `local@domain`. Case does not matter: servers may tell `Ada` from `ada` before
/// the @ (RFC 5321, 2.4), but none does, and mail programs change it.
#[derive(Clone, Eq)]
pub struct Address(String);

impl Address {
    /// The address as its player wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if this text is the same address.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.0.eq_ignore_ascii_case(text.trim())
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.is(&other.0)
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |part: &str| {
            !part.is_empty()
                && !part
                    .chars()
                    .any(|c| c.is_whitespace() || c.is_control() || "<>()[]\\,;:\"".contains(c))
        };
        match text.split_once('@') {
            Some((local, domain))
                if plain(local)
                    && plain(domain)
                    && !domain.contains('@')
                    && text.len() <= LONGEST_ADDRESS =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(format!(
                "`{text}` is no mail address; write it as `ada@example.org`"
            )),
        }
    }
}

written_as_text!(Address);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a bot, a script of the game (`rules/<game>/bots/NAME.rhai`).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BotName(String);

impl BotName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BotName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        if (1..=24).contains(&text.len()) && text.bytes().all(plain) {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "`{text}` can't be a bot: its name has 1 to 24 of a-z, 0-9 and _"
        ))
    }
}

written_as_text!(BotName);

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The place that a seat's letters go to. Written as the mail address, or as `bot:NAME`; `bot`
/// alone means the bot that plays to win.
#[derive(Clone, PartialEq, Eq)]
pub enum PlayerAddress {
    /// A person, by mail.
    Mail(Address),
    /// A bot of the game plays: its letters are kept, and nobody mails them.
    Bot(BotName),
}

impl PlayerAddress {
    /// The address that letters are mailed to; none if a bot plays.
    #[must_use]
    pub fn mail(&self) -> Option<&Address> {
        match self {
            Self::Mail(address) => Some(address),
            Self::Bot(_) => None,
        }
    }

    /// The bot that plays, if one does.
    #[must_use]
    pub fn bot(&self) -> Option<&BotName> {
        match self {
            Self::Mail(_) => None,
            Self::Bot(bot) => Some(bot),
        }
    }

    /// Returns true if letters are mailed to this address.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.mail().is_some_and(|address| address.is(text))
    }

    /// The address as the header of a letter has it.
    #[must_use]
    pub fn in_header(&self) -> String {
        match self {
            Self::Mail(address) => address.to_string(),
            Self::Bot(bot) => format!("{bot}@{NOWHERE}"),
        }
    }
}

impl From<Address> for PlayerAddress {
    fn from(address: Address) -> Self {
        Self::Mail(address)
    }
}

impl FromStr for PlayerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "bot" {
            return USUAL_BOT.parse().map(Self::Bot);
        }
        match text.strip_prefix("bot:") {
            Some(name) => name.parse().map(Self::Bot),
            None => text.parse().map(Self::Mail),
        }
    }
}

written_as_text!(PlayerAddress);

impl fmt::Display for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mail(address) => address.fmt(f),
            Self::Bot(bot) => write!(f, "bot:{bot}"),
        }
    }
}

impl fmt::Debug for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_no_mail_address() {
        let read = |text: &str| text.parse::<PlayerAddress>();
        assert_eq!(read("bot").unwrap().to_string(), "bot:sensible");
        let bold = read("bot:bold").unwrap();
        assert_eq!(bold.bot().unwrap().as_str(), "bold");
        assert_eq!(bold.mail(), None);
        assert!(!bold.is("bold@bot.invalid"), "nobody mails from there");
        let ada = read("ada@example.org").unwrap();
        assert!(ada.is("Ada@Example.org") && ada.bot().is_none());
        for wrong in ["bot:", "bot:Bold", "bot:../x", "bot ", "bots"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
