//! Mails that no person wrote: automatic answers, delivery reports, lists, our own mails coming
//! back.
//!
//! RFC 3834 (automatic responses), RFC 3464 (delivery reports), RFC 2919 (lists). None of them is
//! ever answered, so that two hosts can't answer each other for ever, but some may carry orders.

use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde::Serialize;

use super::{
    headers::{self, NamedAddress, clean_line, raw_values},
    phrases::{LANGUAGES, fold},
};

/// The header field that marks our own mails; its value is the campaign.
pub(super) const OWN_FIELD: &str = "X-Estafette";

/// The reason why a mail counts as automatic, with the mail's evidence for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoReason {
    /// One of our own mails has come back: the campaign that it names.
    OwnMail(String),
    /// A delivery report: a mail of ours did not arrive, or did so late.
    DeliveryReport(DeliveryReport),
    /// `Auto-Submitted` with anything but `no`, or a field or subject of an older responder.
    AutoReply(String),
    /// `Return-Path: <>`: the sender wants no answer.
    EmptyReturnPath,
    /// The sender is a program by its name: postmaster, mailer-daemon, no-reply.
    SystemSender(String),
    /// A mailing list carried it.
    MailingList,
    /// `Precedence: bulk`, `junk` or `list`.
    Bulk(String),
}

impl AutoReason {
    /// Returns true if it may still hold a person's orders: lists pass on what people wrote.
    #[must_use]
    pub fn may_carry_orders(&self) -> bool {
        matches!(self, Self::MailingList | Self::Bulk(_))
    }
}

/// A delivery report (RFC 3464).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DeliveryReport {
    /// Message-ID of the mail in question, without angle brackets, if the report returns it.
    pub about: Option<String>,
    /// An entry for each recipient that it mentions.
    pub recipients: Vec<DeliveryStatus>,
}

/// The delivery status for one recipient (RFC 3464, 2.3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DeliveryStatus {
    /// `Final-Recipient`: the address.
    pub recipient: String,
    /// `Action`: failed, delayed, delivered, relayed or expanded, in lower case.
    pub action: String,
    /// `Status`: such as `5.1.1`.
    pub status: String,
}

impl DeliveryStatus {
    /// Returns true if trying again is useless.
    #[must_use]
    pub fn is_permanent(&self) -> bool {
        self.action == "failed" || self.status.starts_with("5.")
    }
}

/// Why this mail is automatic, if it is.
pub(super) fn reason(message: &Message<'_>, sender: Option<&NamedAddress>) -> Option<AutoReason> {
    if let Some(campaign) = raw_values(message, OWN_FIELD).into_iter().next() {
        return Some(AutoReason::OwnMail(campaign));
    }
    if message
        .parts
        .first()
        .is_some_and(|part| is_type(part, "multipart", "report"))
    {
        return Some(AutoReason::DeliveryReport(delivery_report(message)));
    }
    auto_reply(message)
        .or_else(|| {
            let empty = raw_values(message, "Return-Path")
                .iter()
                .any(|path| path == "<>");
            empty.then_some(AutoReason::EmptyReturnPath)
        })
        .or_else(|| {
            sender
                .filter(|sender| is_system(&sender.email))
                .map(|sender| AutoReason::SystemSender(sender.email.clone()))
        })
        .or_else(|| headers::has_prefix(message, "List-").then_some(AutoReason::MailingList))
        .or_else(|| precedence(message, &["bulk", "junk", "list"]).map(AutoReason::Bulk))
}

/// RFC 3834 section 5, and what programs did before it.
fn auto_reply(message: &Message<'_>) -> Option<AutoReason> {
    let submitted = raw_values(message, "Auto-Submitted")
        .into_iter()
        .find(|value| {
            // The value may carry parameters: "auto-replied; owner-email=...".
            let word = value.split([';', '(', ' ']).next().unwrap_or_default();
            !word.is_empty() && !word.eq_ignore_ascii_case("no")
        });
    let mut older = ["X-Autoreply", "X-Autorespond", "X-Vacation"].into_iter();
    let older = older.find(|name| {
        raw_values(message, name)
            .iter()
            .any(|value| !value.eq_ignore_ascii_case("no"))
    });
    let subject = fold(&headers::subject(message));
    let absence = LANGUAGES
        .iter()
        .flat_map(|language| language.absences)
        .find(|phrase| subject.starts_with(**phrase));
    submitted
        .or_else(|| older.map(str::to_owned))
        .or_else(|| precedence(message, &["auto_reply"]))
        .or_else(|| absence.map(|phrase| (*phrase).to_owned()))
        .map(AutoReason::AutoReply)
}

fn precedence(message: &Message<'_>, kinds: &[&str]) -> Option<String> {
    let values = raw_values(message, "Precedence")
        .into_iter()
        .map(|value| value.to_ascii_lowercase());
    values
        .into_iter()
        .find(|value| kinds.contains(&value.as_str()))
}

fn is_system(email: &str) -> bool {
    let local = email
        .rsplit_once('@')
        .map_or(email, |(local, _)| local)
        .to_ascii_lowercase();
    let names = [
        "mailer-daemon",
        "postmaster",
        "noreply",
        "no-reply",
        "no_reply",
        "do-not-reply",
        "donotreply",
    ];
    names.contains(&local.as_str())
        || local.starts_with("owner-")
        || local.ends_with("-request")
        || local.ends_with("-bounces")
}

pub(super) fn is_type(part: &MessagePart<'_>, kind: &str, subtype: &str) -> bool {
    part.content_type().is_some_and(|found| {
        found.ctype().eq_ignore_ascii_case(kind)
            && found
                .subtype()
                .is_some_and(|found| found.eq_ignore_ascii_case(subtype))
    })
}

/// The most recipients that are kept from one report.
const MOST_RECIPIENTS: usize = 50;

fn delivery_report(message: &Message<'_>) -> DeliveryReport {
    let mut report = DeliveryReport::default();
    for part in &message.parts {
        if is_type(part, "message", "delivery-status") {
            report
                .recipients
                .extend(statuses(&String::from_utf8_lossy(part.contents())));
        } else if let Some(about) = returned_id(part) {
            report.about = Some(about);
        }
    }
    report.recipients.truncate(MOST_RECIPIENTS);
    report
}

/// The groups of fields after the first (which is about the report itself), one for each recipient.
fn statuses(text: &str) -> Vec<DeliveryStatus> {
    let text = text.replace("\r\n", "\n");
    let groups = text.split("\n\n").take(2 * MOST_RECIPIENTS).map(status);
    groups
        .filter(|status| !status.recipient.is_empty())
        .collect()
}

fn status(group: &str) -> DeliveryStatus {
    let mut status = DeliveryStatus::default();
    for (name, value) in group.lines().filter_map(|line| line.split_once(':')) {
        // Addresses come as "rfc822; ada@example.org".
        let plain = clean_line(value.rsplit(';').next().unwrap_or(value));
        match name.trim().to_ascii_lowercase().as_str() {
            "final-recipient" => status.recipient = plain,
            "action" => status.action = plain.to_ascii_lowercase(),
            "status" => status.status = plain,
            _ => {}
        }
    }
    status
}

/// The Message-ID of a returned mail or of its returned header.
fn returned_id(part: &MessagePart<'_>) -> Option<String> {
    let id_of = |returned: &Message<'_>| headers::ids(returned, &HeaderName::MessageId).pop();
    match &part.body {
        PartType::Message(returned) => id_of(returned),
        PartType::Text(text) if is_type(part, "text", "rfc822-headers") => {
            // The parser needs the blank line that ends a header.
            let text = format!("{}\r\n\r\n", text.trim_end());
            MessageParser::default()
                .parse_headers(&text)
                .as_ref()
                .and_then(id_of)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn reason_of(fields: &str) -> Option<AutoReason> {
        let raw = format!("{fields}\r\n\r\nhello");
        let message = MessageParser::default().parse(&raw).unwrap();
        reason(&message, headers::senders(&message).first())
    }

    #[test]
    fn a_person_is_not_automatic() {
        assert_eq!(
            reason_of("From: ada@example.org\r\nSubject: orders\r\nAuto-Submitted: no"),
            None
        );
        // A request for silence is not an automatic mail.
        assert_eq!(
            reason_of("From: ada@example.org\r\nX-Auto-Response-Suppress: All"),
            None
        );
    }

    #[test]
    fn automatic_answers_are_recognised() {
        for fields in [
            "From: a@example.org\r\nAuto-Submitted: auto-replied (vacation)",
            "From: a@example.org\r\nAuto-Submitted: auto-generated; owner-email=\"x@example.org\"",
            "From: a@example.org\r\nX-Autoreply: yes",
            "From: a@example.org\r\nPrecedence: auto_reply",
            "From: a@example.org\r\nSubject: =?utf-8?Q?R=C3=A9ponse_automatique_=3A_ordres?=",
            "From: a@example.org\r\nSubject: Automatic reply: orders",
        ] {
            assert!(
                matches!(reason_of(fields), Some(AutoReason::AutoReply(_))),
                "{fields}"
            );
        }
    }

    #[test]
    fn programs_lists_and_our_own_mails_are_recognised() {
        assert_eq!(
            reason_of("X-Estafette: north\r\nFrom: a@example.org"),
            Some(AutoReason::OwnMail("north".into()))
        );
        assert_eq!(
            reason_of("Return-Path: <>\r\nFrom: a@example.org"),
            Some(AutoReason::EmptyReturnPath)
        );
        assert!(matches!(
            reason_of("From: MAILER-DAEMON@example.org"),
            Some(AutoReason::SystemSender(_))
        ));
        assert!(matches!(
            reason_of("From: war-request@example.org"),
            Some(AutoReason::SystemSender(_))
        ));
        let list = reason_of("From: a@example.org\r\nList-Id: <war.example.org>").unwrap();
        assert_eq!(list, AutoReason::MailingList);
        assert!(list.may_carry_orders());
        assert!(!AutoReason::EmptyReturnPath.may_carry_orders());
    }

    #[test]
    fn a_report_names_recipients_and_the_returned_mail() {
        let raw = "From: MAILER-DAEMON@example.org\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
            --b\r\n\r\nSorry.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n\
            Final-Recipient: rfc822; ada@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n\
            Final-Recipient: rfc822; bert@example.net\r\nAction: delayed\r\nStatus: 4.4.1\r\n\r\n\
            --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <north.red.4.9f2c@example.org>\r\nSubject: x\r\n\r\n--b--\r\n";
        let message = MessageParser::default().parse(raw).unwrap();
        let Some(AutoReason::DeliveryReport(report)) = reason(&message, None) else {
            panic!("no report")
        };
        assert_eq!(
            report.about.as_deref(),
            Some("north.red.4.9f2c@example.org")
        );
        let permanent: Vec<(&str, bool)> = report
            .recipients
            .iter()
            .map(|status| (status.recipient.as_str(), status.is_permanent()))
            .collect();
        assert_eq!(
            permanent,
            [("ada@example.net", true), ("bert@example.net", false)]
        );
    }
}
