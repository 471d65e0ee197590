//! A delivery report of our own, for a letter that a server refused at once: the campaign reads it
//! like those that come by mail (RFC 3464).

use crate::mail::{clean_line, transport::LetterHead};

/// The report as a mail to the campaign's mailbox.
pub(super) fn report(mailbox: &str, letter: &LetterHead, status: &str, said: &str) -> Vec<u8> {
    let domain = mailbox
        .rsplit_once('@')
        .map_or("localhost", |(_, domain)| domain);
    let id = letter.message_id.as_deref().unwrap_or_default();
    let to = letter.to.as_deref().map(clean_line).unwrap_or_default();
    let said = clean_line(said);
    let lines = [
        format!("From: <MAILER-DAEMON@{domain}>"),
        format!("To: <{mailbox}>"),
        "Subject: A letter was refused".to_owned(),
        format!("Message-ID: <refused.{id}>"),
        "Auto-Submitted: auto-replied".to_owned(),
        "MIME-Version: 1.0".to_owned(),
        "Content-Type: multipart/report; report-type=delivery-status; boundary=report".to_owned(),
        String::new(),
        "--report".to_owned(),
        "Content-Type: text/plain; charset=utf-8".to_owned(),
        String::new(),
        format!("The mail server refused the letter to {to}: {said}"),
        String::new(),
        "--report".to_owned(),
        "Content-Type: message/delivery-status".to_owned(),
        String::new(),
        format!("Reporting-MTA: dns; {domain}"),
        String::new(),
        format!("Final-Recipient: rfc822; {to}"),
        "Action: failed".to_owned(),
        format!("Status: {status}"),
        format!("Diagnostic-Code: smtp; {said}"),
        String::new(),
        "--report".to_owned(),
        "Content-Type: text/rfc822-headers".to_owned(),
        String::new(),
        format!("Message-ID: <{id}>"),
        String::new(),
        "--report--".to_owned(),
        String::new(),
    ];
    lines.join("\r\n").into_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;
    use crate::mail::{AutoReason, MailLimits, read};

    #[test]
    fn it_is_read_as_a_report_on_the_letter() {
        let letter = LetterHead {
            message_id: Some("spring.red.3.abcd@example.org".into()),
            to: Some("ada@example.net".into()),
            answers_by_itself: false,
        };
        let bytes = report("game@example.org", &letter, "5.1.1", "no such\r\nmailbox");
        let mail = read(&bytes, &MailLimits::default()).unwrap();
        let Some(AutoReason::DeliveryReport(found)) = mail.automatic else {
            panic!("{:?}", mail.automatic)
        };
        assert_eq!(
            found.about.as_deref(),
            Some("spring.red.3.abcd@example.org")
        );
        let status = &found.recipients[0];
        assert!(status.is_permanent() && status.recipient == "ada@example.net");
        assert_eq!(status.status, "5.1.1");
    }
}
