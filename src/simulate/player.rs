//! A player at a mailbox, who has the newest letter and answers it as people do.

use std::{
    collections::BTreeMap,
    sync::LazyLock,
    time::{Duration, UNIX_EPOCH},
};

use jiff::Timestamp;
use lettre::{
    Message,
    message::{
        Mailbox, SinglePart,
        header::{HeaderName, HeaderValue},
    },
};

use crate::{campaign::model::seats::Seat, game::Lang, ids::SeatId, mail::Parts, rules::Luck};

/// How many lines of a letter a player leaves quoted below his own.
const QUOTED: usize = 12;

/// A bot with a mailbox.
pub(super) struct BotPlayer {
    pub seat: SeatId,
    pub lang: Lang,
    address: String,
    /// The name of the bot.
    pub bot: String,
    pub luck: Luck,
    /// The newest letter that can be answered.
    newest: Option<Parts>,
    /// The number of the seat's token when it wrote last, and the mails written under it.
    written: (u64, u32),
    sent: usize,
}

impl BotPlayer {
    pub fn new(seat: &Seat, bot: String, luck: Luck) -> Self {
        Self {
            seat: seat.id.clone(),
            lang: seat.lang,
            address: seat.address.to_string(),
            bot,
            luck,
            newest: None,
            written: (0, 0),
            sent: 0,
        }
    }

    /// A letter has come.
    pub fn receive(&mut self, letter: Parts) {
        if letter.reply_to.is_some() {
            self.newest = Some(letter);
        }
    }

    /// How many mails it has written under this token.
    pub fn written(&self, token: u64) -> u32 {
        if self.written.0 == token {
            self.written.1
        } else {
            0
        }
    }

    /// Notes that it has written everything it wants to under this token.
    pub fn rest(&mut self, token: u64) {
        self.written = (token, u32::MAX);
    }

    /// The bytes of an answer to the newest letter, with these lines, as a mail program writes it.
    ///
    /// # Errors
    /// What can't stand in a mail.
    pub fn answer(
        &mut self,
        lines: &[String],
        token: u64,
        now: Timestamp,
    ) -> Result<Vec<u8>, String> {
        let letter = self.newest.as_ref().ok_or("there is no letter to answer")?;
        self.sent += 1;
        self.written = (token, self.written(token).saturating_add(1));
        let to = letter.reply_to.as_deref().unwrap_or_default();
        let seconds = u64::try_from(now.as_second()).unwrap_or(0);
        let mut builder = Message::builder()
            .from(mailbox(&self.address)?)
            .to(mailbox(to)?)
            .subject(format!("Re: {}", letter.subject))
            .date(UNIX_EPOCH + Duration::from_secs(seconds))
            .raw_header(id("Message-ID", &format!("{}.{}", self.sent, self.address)));
        if let Some(answered) = &letter.message_id {
            builder = builder.raw_header(id("In-Reply-To", answered));
        }
        let text = format!(
            "{}\n\n-- \n{}\n\n{}\n{}",
            lines.join("\n"),
            self.seat,
            attribution(self.lang, now),
            quoted(&letter.text)
        );
        builder
            .singlepart(SinglePart::plain(text))
            .map(|message| message.formatted())
            .map_err(|error| error.to_string())
    }
}

fn mailbox(address: &str) -> Result<Mailbox, String> {
    address
        .parse()
        .map_err(|error| format!("{address}: {error}"))
}

/// A field with an identifier, which the library would encode if it is long.
fn id(field: &'static str, id: &str) -> HeaderValue {
    let text = format!("<{id}>");
    HeaderValue::dangerous_new_pre_encoded(
        HeaderName::new_from_ascii_str(field),
        text.clone(),
        text,
    )
}

/// The line above a quote, by language. The tests see to it that the file can be read.
static ATTRIBUTIONS: LazyLock<BTreeMap<Lang, String>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("attributions.yaml")).unwrap_or_default());

fn attribution(lang: Lang, now: Timestamp) -> String {
    let day = now.strftime("%Y-%m-%d %H:%M");
    let line = ATTRIBUTIONS.get(&lang).map_or("", String::as_str);
    line.replace("{day}", &day.to_string())
}

fn quoted(text: &str) -> String {
    let lines = text.lines().take(QUOTED);
    lines.map(|line| format!("> {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_introduced_in_every_language() {
        let lines = Lang::ALL.map(|lang| attribution(lang, Timestamp::UNIX_EPOCH));
        assert!(lines.iter().all(|line| line.contains("1970-01-01 00:00")));
        assert_ne!(lines[0], lines[1]);
    }
}
