//! A mail's addresses as a mail server hands them over with it: whom the mail is for, and whom it
//! is from.
//!
//! The header may say something else: lists and forwarders rewrite `To`, and copies have none. The
//! server puts this in the environment, or in options made from its variables. It is written on top
//! of the mail, in the fields that servers use for it, so that every later reading sees the same.
//!
//! | by | recipient | sender |
//! |---|---|---|
//! | Postfix local(8), `.forward` | `ORIGINAL_RECIPIENT`, `RECIPIENT` | `SENDER` |
//! | Exim, pipe transport | `LOCAL_PART` with prefix, suffix, `DOMAIN`; `RECIPIENT` | `SENDER` |
//! | Dovecot Pigeonhole, sieve `pipe` | `ORIG_RECIPIENT`, `RECIPIENT` | `SENDER` |
//! | qmail, `.qmail` | `RECIPIENT` | `SENDER` |

use super::headers::mailbox;

/// Recipient and sender of a mail as its server has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryAddresses {
    /// The addresses that it came to, the one that the sender wrote first; anything else is left
    /// out.
    recipients: Vec<String>,
    /// True if the server has an empty sender: the mail is a report or an automatic answer.
    without_sender: bool,
}

impl DeliveryAddresses {
    /// As options name them.
    #[must_use]
    pub fn named(recipients: &[String], sender: Option<&str>) -> Self {
        let mut handed = Self::default();
        recipients.iter().for_each(|text| handed.to(text));
        handed.without_sender = sender.is_some_and(is_empty);
        handed
    }

    /// From the environment; `variable` returns the value of one.
    #[must_use]
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let part = |name| variable(name).unwrap_or_default();
        let mut handed = Self::default();
        let whole = ["ORIGINAL_RECIPIENT", "ORIG_RECIPIENT"];
        whole.iter().for_each(|name| handed.to(&part(name)));
        handed.to(&format!(
            "{}{}{}@{}",
            part("LOCAL_PART_PREFIX"),
            part("LOCAL_PART"),
            part("LOCAL_PART_SUFFIX"),
            part("DOMAIN")
        ));
        handed.to(&part("RECIPIENT"));
        // Without a recipient this is not a server's environment, and SENDER means something else.
        let sender = variable("SENDER").filter(|_| !handed.recipients.is_empty());
        handed.without_sender = sender.is_some_and(|sender| is_empty(&sender));
        handed
    }

    fn to(&mut self, text: &str) {
        if let Some(address) = mailbox(text).filter(|address| !address.starts_with('@')) {
            let known = |other: &String| other.eq_ignore_ascii_case(&address);
            if !self.recipients.iter().any(known) {
                self.recipients.push(address);
            }
        }
    }

    /// The mail with the server's addresses on top, but below the line that some servers add for a
    /// mailbox file.
    #[must_use]
    pub fn noted_on(&self, mail: &[u8]) -> Vec<u8> {
        let mut fields = String::new();
        if self.without_sender {
            fields.push_str("Return-Path: <>\r\n");
        }
        for recipient in &self.recipients {
            fields.push_str(&format!("X-Original-To: {recipient}\r\n"));
        }
        let at = match mail.starts_with(b"From ") {
            true => mail
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(0, |end| end + 1),
            false => 0,
        };
        let (line, rest) = mail.split_at(at);
        [line, fields.as_bytes(), rest].concat()
    }
}

/// An empty envelope sender, as servers write it.
fn is_empty(sender: &str) -> bool {
    let sender = sender.trim();
    sender.is_empty() || sender == "<>" || sender.eq_ignore_ascii_case("MAILER-DAEMON")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;
    use crate::mail::{AutoReason, MailLimits, read};

    const MAIL: &[u8] = b"From: ada@example.net\r\nTo: club@example.net\r\n\r\nHOLD\r\n";
    const GAME: &str = "game+spring.red.abc@example.org";

    fn of(variables: &[(&str, &str)]) -> DeliveryAddresses {
        DeliveryAddresses::of_environment(|name| {
            let mut found = variables.iter().filter(|(known, _)| *known == name);
            found.next().map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn every_servers_variables_are_known() {
        for variables in [
            // Postfix
            &[
                ("ORIGINAL_RECIPIENT", GAME),
                ("RECIPIENT", "game@mx.example.org"),
                ("SENDER", "ada@example.net"),
                ("LOCAL", "game"),
                ("EXTENSION", "spring.red.abc"),
                ("DOMAIN", "example.org"),
            ][..],
            &[
                ("ORIGINAL_RECIPIENT", ""),
                ("RECIPIENT", GAME),
                ("SENDER", "ada@example.net"),
            ],
            // Exim
            &[
                ("LOCAL_PART", "game"),
                ("LOCAL_PART_SUFFIX", "+spring.red.abc"),
                ("DOMAIN", "example.org"),
                ("RECIPIENT", "game@example.org"),
                ("SENDER", "ada@example.net"),
            ],
            // Dovecot
            &[
                ("ORIG_RECIPIENT", GAME),
                ("RECIPIENT", "game"),
                ("SENDER", "ada@example.net"),
            ],
            // qmail
            &[
                ("RECIPIENT", GAME),
                ("SENDER", "ada@example.net"),
                ("EXT", "x"),
            ],
        ] {
            let noted = of(variables).noted_on(MAIL);
            let mail = read(&noted, &MailLimits::default()).unwrap();
            assert_eq!(mail.recipients[0], GAME, "{variables:?}");
            assert_eq!(mail.automatic, None);
            assert!(noted.ends_with(MAIL));
        }
    }

    #[test]
    fn an_empty_sender_makes_a_mail_automatic() {
        for sender in ["", "<>", "MAILER-DAEMON"] {
            let noted = of(&[("RECIPIENT", GAME), ("SENDER", sender)]).noted_on(MAIL);
            let mail = read(&noted, &MailLimits::default()).unwrap();
            assert_eq!(mail.automatic, Some(AutoReason::EmptyReturnPath));
            assert_eq!(
                DeliveryAddresses::named(&[GAME.to_owned()], Some(sender)).noted_on(MAIL),
                noted
            );
        }
    }

    #[test]
    fn what_no_server_says_is_not_noted() {
        for variables in [
            &[][..],
            &[("SENDER", "")],
            &[
                ("RECIPIENT", ""),
                ("DOMAIN", "example.org"),
                ("LOCAL_PART_SUFFIX", ""),
            ],
            &[("RECIPIENT", "x\r\nBcc: eve@example.net")],
            &[("RECIPIENT", "a@b, c@d")],
            &[("RECIPIENT", "nobody")],
        ] {
            assert_eq!(of(variables).noted_on(MAIL), MAIL, "{variables:?}");
        }
    }

    #[test]
    fn the_line_of_a_mailbox_file_stays_on_top() {
        let line = b"From ada@example.net Mon Mar  3 10:12:00 2025\n";
        let noted = of(&[("RECIPIENT", GAME)]).noted_on(&[line, MAIL].concat());
        assert!(noted.starts_with(line));
        assert_eq!(
            read(&noted, &MailLimits::default()).unwrap().recipients[0],
            GAME
        );
    }
}
