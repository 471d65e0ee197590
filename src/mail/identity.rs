//! Which campaign and seat a mail speaks for, and whether it may.
//!
//! Every dispatch has a reply address of its own, `game+CAMPAIGN.SEAT.TOKEN@example.org`. The token
//! is a keyed digest of campaign, seat and wait (a number for each occasion on which the host waits
//! for answers), so it can be checked without being stored, and it changes with every wait. A
//! sender's address proves nothing; a token does, as long as nobody forwards the dispatch.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{read::Incoming, token::TOKEN_CHARS};

/// The host's mailbox, from which all other addresses are made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mailbox {
    /// The part before the delimiter: `game`.
    pub local: String,
    /// `example.org`.
    pub domain: String,
    /// The delimiter between mailbox and detail: `+`, or `-` where servers refuse that. Both are
    /// understood.
    #[serde(default = "plus")]
    pub delimiter: char,
}

fn plus() -> char {
    '+'
}

/// `local@domain`.
impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

impl FromStr for Mailbox {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_odd = |c: char| c.is_whitespace() || c.is_control();
        match text.rsplit_once('@').filter(|_| !text.contains(is_odd)) {
            Some((local, domain)) if !local.is_empty() && !domain.is_empty() => Ok(Self {
                local: local.to_owned(),
                domain: domain.to_owned(),
                delimiter: plus(),
            }),
            _ => Err(format!(
                "`{text}` is no mailbox; write one like game@example.org"
            )),
        }
    }
}

/// The delimiters that are understood in incoming addresses.
const DELIMITERS: [char; 2] = ['+', '-'];

impl Mailbox {
    /// Returns true if this is one of our own addresses; a mail from there is a loop.
    #[must_use]
    pub fn owns(&self, email: &str) -> bool {
        email.rsplit_once('@').is_some_and(|(local, domain)| {
            let detail = strip_prefix_ignoring_case(local, &self.local);
            domain.eq_ignore_ascii_case(&self.domain)
                && detail.is_some_and(|detail| detail.is_empty() || detail.starts_with(DELIMITERS))
        })
    }

    /// Returns true if reply addresses for this campaign and seat stay within the 64 characters
    /// that the part before the at sign may have (RFC 5321, 4.5.3.1.1). Check this when a campaign
    /// is made.
    #[must_use]
    pub fn fits(&self, campaign: &str, seat: &str) -> bool {
        const DELIMITER_AND_TWO_DOTS: usize = 3;
        is_address_name(campaign)
            && is_address_name(seat)
            && self.local.len() + campaign.len() + seat.len() + TOKEN_CHARS + DELIMITER_AND_TWO_DOTS
                <= 64
    }
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Returns true if a campaign or seat name can be part of an address: at most 40 letters a to z,
/// digits, `-` and `_`. See [`Mailbox::fits`] for both together.
#[must_use]
pub fn is_address_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    (1..=40).contains(&name.len()) && name.chars().all(allowed)
}

/// The name in lower case, if it can be part of an address. Servers may change the case of
/// addresses.
fn address_name(name: &str) -> Option<String> {
    Some(name.trim().to_ascii_lowercase()).filter(|name| is_address_name(name))
}

/// Where a seat sends its answers: `<local>+<campaign>.<seat>.<token>@<domain>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyAddress {
    /// The host's mailbox.
    pub mailbox: Mailbox,
    /// The campaign's name.
    pub campaign: String,
    /// The seat's name.
    pub seat: String,
    /// The token for the present wait.
    pub token: String,
}

impl ReplyAddress {
    /// Reads an address of this form. The domain may differ (servers pass mail on under internal
    /// names); later, the token alone decides.
    #[must_use]
    pub fn parse(text: &str, mailbox: &Mailbox) -> Option<Self> {
        let (local, domain) = text
            .trim()
            .trim_start_matches('<')
            .trim_end_matches('>')
            .rsplit_once('@')?;
        let rest = strip_prefix_ignoring_case(local, &mailbox.local)?;
        let delimiter = rest
            .chars()
            .next()
            .filter(|first| DELIMITERS.contains(first))?;
        let mut names = rest.get(1..)?.split('.');
        let (campaign, seat, token) = (names.next()?, names.next()?, names.next()?);
        if names.next().is_some() || domain.is_empty() {
            return None;
        }
        Some(Self {
            mailbox: Mailbox {
                local: mailbox.local.clone(),
                domain: domain.to_ascii_lowercase(),
                delimiter,
            },
            campaign: address_name(campaign)?,
            seat: address_name(seat)?,
            token: address_name(token)?,
        })
    }
}

impl fmt::Display for ReplyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            mailbox,
            campaign,
            seat,
            token,
        } = self;
        write!(
            f,
            "{}{}{campaign}.{seat}.{token}@{}",
            mailbox.local, mailbox.delimiter, mailbox.domain
        )
    }
}

/// The Message-ID of a letter of ours, without angle brackets:
/// `<campaign>.<seat>.<number>.<mark>@<domain>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageName {
    /// The campaign's name.
    pub campaign: String,
    /// The seat's name.
    pub seat: String,
    /// The number of the letter to this seat.
    pub number: u64,
    /// The part that makes it unique and hard to guess: letters and digits.
    pub mark: String,
    /// The host's domain.
    pub domain: String,
}

impl MessageName {
    /// Reads a Message-ID of this form, with or without angle brackets.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (local, domain) = text
            .trim()
            .trim_start_matches('<')
            .trim_end_matches('>')
            .rsplit_once('@')?;
        let mut names = local.split('.');
        let (campaign, seat, number, mark) =
            (names.next()?, names.next()?, names.next()?, names.next()?);
        if names.next().is_some() || domain.is_empty() {
            return None;
        }
        Some(Self {
            campaign: address_name(campaign)?,
            seat: address_name(seat)?,
            number: number.parse().ok()?,
            mark: address_name(mark)?,
            domain: domain.to_ascii_lowercase(),
        })
    }
}

impl fmt::Display for MessageName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}.{}.{}@{}",
            self.campaign, self.seat, self.number, self.mark, self.domain
        )
    }
}

/// The part of a mail that names a seat, the most reliable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatClue {
    /// The address that the mail was sent to.
    Address,
    /// The Message-ID of the letter that it answers; it has no token.
    Thread,
    /// A tag `[campaign/seat/token]` in the subject.
    Subject,
}

/// Whom a mail says that it speaks for: only a claim until the token has been checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The campaign's name, in lower case.
    pub campaign: String,
    /// The seat's name, in lower case.
    pub seat: String,
    /// The token, if that part of the mail carries one.
    pub token: Option<String>,
    /// Where it was found.
    pub by: SeatClue,
}

/// Every claim that a mail makes, the most reliable first: from its recipients, then from the mails
/// that it answers, then from its subject.
#[must_use]
pub fn claims(mail: &Incoming, mailbox: &Mailbox) -> Vec<Claim> {
    let addresses = mail
        .recipients
        .iter()
        .filter_map(|text| ReplyAddress::parse(text, mailbox))
        .map(|address| Claim {
            campaign: address.campaign,
            seat: address.seat,
            token: Some(address.token),
            by: SeatClue::Address,
        });
    // The newest mail of the thread stands last.
    let thread = mail.in_reply_to.iter().chain(mail.references.iter().rev());
    let thread = thread
        .filter_map(|id| MessageName::parse(id))
        .filter(|name| name.domain.eq_ignore_ascii_case(&mailbox.domain))
        .map(|name| Claim {
            campaign: name.campaign,
            seat: name.seat,
            token: None,
            by: SeatClue::Thread,
        });
    let mut unique: Vec<Claim> = Vec::new();
    for claim in addresses.chain(thread).chain(subject_claims(&mail.subject)) {
        if !unique.contains(&claim) {
            unique.push(claim);
        }
    }
    unique
}

/// The tags `[campaign/seat]` and `[campaign/seat/token]` of a subject.
fn subject_claims(subject: &str) -> Vec<Claim> {
    let tags = subject
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .map(|(tag, _)| tag);
    let claim = |tag: &str| {
        let mut names = tag.split('/');
        let (campaign, seat, token) = (
            address_name(names.next()?)?,
            address_name(names.next()?)?,
            names.next(),
        );
        let token = match token {
            Some(token) => Some(address_name(token)?),
            None => None,
        };
        names.next().is_none().then_some(Claim {
            campaign,
            seat,
            token,
            by: SeatClue::Subject,
        })
    };
    tags.filter_map(claim).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use proptest::prelude::*;

    use super::*;
    use crate::mail::{MailLimits, read};

    fn host() -> Mailbox {
        Mailbox {
            local: "war-game".into(),
            domain: "example.org".into(),
            delimiter: '+',
        }
    }

    fn mail(fields: &str) -> Incoming {
        read(
            format!("From: ada@example.net\r\n{fields}\r\n\r\nHOLD").as_bytes(),
            &MailLimits::default(),
        )
        .unwrap()
    }

    fn claim(campaign: &str, seat: &str, token: Option<&str>, by: SeatClue) -> Claim {
        Claim {
            campaign: campaign.into(),
            seat: seat.into(),
            token: token.map(str::to_owned),
            by,
        }
    }

    #[test]
    fn addresses_survive_both_delimiters_and_a_change_of_case() {
        for text in [
            "war-game+north.red.abc234@example.org",
            "war-game-north.red.abc234@example.org",
        ] {
            let address = ReplyAddress::parse(&text.to_uppercase(), &host()).unwrap();
            assert_eq!(
                (
                    address.campaign.as_str(),
                    address.seat.as_str(),
                    address.token.as_str()
                ),
                ("north", "red", "abc234")
            );
            assert_eq!(address.to_string(), text);
        }
        // A delimiter inside of names does no harm, because the mailbox is known.
        assert_eq!(
            ReplyAddress::parse("war-game-a-b.c-d.x@h", &host())
                .unwrap()
                .campaign,
            "a-b"
        );
    }

    #[test]
    fn other_addresses_are_not_reply_addresses() {
        for text in [
            "ada@example.org",
            "war-game@example.org",
            "war-game+north.red@example.org",
            "war-game+a.b.c.d@x",
            "war-game+a..c@x",
            "",
            "@",
            "war-game+",
        ] {
            assert_eq!(ReplyAddress::parse(text, &host()), None, "{text}");
        }
    }

    #[test]
    fn our_own_addresses_are_known() {
        assert!(
            host().owns("War-Game@Example.org") && host().owns("war-game+north.red.x@example.org")
        );
        assert!(!host().owns("war-gamer@example.org") && !host().owns("war-game@example.net"));
    }

    #[test]
    fn names_that_do_not_fit_are_refused() {
        assert!(host().fits("north-2026", "red"));
        assert!(!host().fits(&"x".repeat(30), "blue-and-green"));
        assert!(
            !host().fits("North", "red") && !host().fits("a|b", "red") && !host().fits("", "red")
        );
    }

    #[test]
    fn recipients_come_before_threads_and_subjects() {
        let mail = mail(
            "Delivered-To: war-game+north.red.tok1@example.org\r\nTo: war-game+north.blue.tok2@example.org\r\n\
             In-Reply-To: <north.red.7.9f2c@example.org>\r\nReferences: <x@example.net> <north.red.6.aaaa@example.org>\r\n\
             Subject: Re: [list] [North/Red/tok3] orders",
        );
        let expected = [
            claim("north", "red", Some("tok1"), SeatClue::Address),
            claim("north", "blue", Some("tok2"), SeatClue::Address),
            claim("north", "red", None, SeatClue::Thread),
            claim("north", "red", Some("tok3"), SeatClue::Subject),
        ];
        assert_eq!(claims(&mail, &host()), expected);
    }

    #[test]
    fn message_ids_of_other_hosts_claim_nothing() {
        assert_eq!(
            claims(
                &mail("In-Reply-To: <1.2.3.4@example.net>\r\nSubject: Re: [list] a [b] c/d"),
                &host()
            ),
            []
        );
    }

    #[test]
    fn message_names_survive_a_round_trip() {
        let name = MessageName::parse("<north.red.12.9f2c@example.org>").unwrap();
        assert_eq!(name.number, 12);
        assert_eq!(name.to_string(), "north.red.12.9f2c@example.org");
        assert_eq!(MessageName::parse("<north.red.x.9f2c@example.org>"), None);
    }

    proptest! {
        #[test]
        fn any_text_can_be_parsed(text in "\\PC*", rest in "[-+.@a-z0-9]{0,40}") {
            for text in [text, format!("war-game{rest}")] {
                if let Some(address) = ReplyAddress::parse(&text, &host()) {
                    prop_assert_eq!(ReplyAddress::parse(&address.to_string(), &host()), Some(address));
                }
                let _ = MessageName::parse(&text);
                let _ = subject_claims(&text);
            }
        }
    }
}
