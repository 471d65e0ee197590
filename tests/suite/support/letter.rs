//! A letter that the host has written, read back as a mail program reads it.

use mail_parser::{MessageParser, MimeHeaders};

/// A letter of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its header, as it stands there.
    pub header: String,
    /// Its subject.
    pub subject: String,
    /// To whom.
    pub to: String,
    /// Its Message-ID without brackets.
    pub message_id: String,
    /// Where answers go; empty if there is no such line.
    pub reply_to: String,
    /// Its plain text.
    pub text: String,
    /// Its formatted text.
    pub html: Option<String>,
    /// Everything else that it carries, by name: pictures and register entries.
    pub attached: Vec<(String, Vec<u8>)>,
}

impl Letter {
    /// Reads a letter.
    pub fn read(bytes: &[u8]) -> Self {
        let mail = MessageParser::default()
            .parse(bytes)
            .expect("a letter is a mail");
        let address = |list: Option<&mail_parser::Address<'_>>| {
            let first = list.and_then(|list| list.first());
            first
                .and_then(|address| address.address())
                .unwrap_or_default()
                .to_owned()
        };
        let attached = mail.attachments().map(|part| {
            let name = part
                .attachment_name()
                .or(part.content_id())
                .unwrap_or_default();
            (name.to_owned(), part.contents().to_vec())
        });
        let text = String::from_utf8_lossy(bytes);
        Self {
            header: text.split("\r\n\r\n").next().unwrap_or_default().to_owned(),
            subject: mail.subject().unwrap_or_default().to_owned(),
            to: address(mail.to()),
            message_id: mail.message_id().unwrap_or_default().to_owned(),
            reply_to: address(mail.reply_to()),
            text: mail.body_text(0).unwrap_or_default().replace("\r\n", "\n"),
            html: text
                .contains("text/html")
                .then(|| mail.body_html(0).unwrap_or_default().into_owned()),
            attached: attached.collect(),
            bytes: bytes.to_vec(),
        }
    }

    /// Its text says this; the narrow spaces of French print count as spaces.
    #[track_caller]
    pub fn contains(&self, words: &str) -> &Self {
        assert!(
            self.says(words) || self.one_line().contains(words),
            "`{words}` is not in {}:\n{}",
            self.message_id,
            self.text
        );
        self
    }

    /// Its text does not say this.
    #[track_caller]
    pub fn lacks(&self, words: &str) -> &Self {
        assert!(
            !self.says(words),
            "`{words}` is in {}:\n{}",
            self.message_id,
            self.text
        );
        self
    }

    /// Its text without the breaks of its lines.
    pub fn one_line(&self) -> String {
        let words = self.text.split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }

    fn says(&self, words: &str) -> bool {
        let text = self.text.replace(['\u{a0}', '\u{202f}'], " ");
        text.contains(words)
    }

    /// The token in its reply address.
    pub fn token(&self) -> &str {
        let local = self.reply_to.split('@').next().unwrap_or_default();
        local.rsplit('.').next().unwrap_or_default()
    }

    /// The number in its Message-ID.
    pub fn number(&self) -> u32 {
        self.message_id
            .split('.')
            .nth(2)
            .and_then(|number| number.parse().ok())
            .expect("a number in the Message-ID")
    }
}
