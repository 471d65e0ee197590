//! Letters as mails: addresses, Message-IDs, tokens; and the letters that are no dispatches.

use super::{
    Recipient, Seat, Understood,
    close::attachments,
    engine::{Effects, Engine, EngineError},
    events::Refused,
    letter::{Letter, Picture},
    moment::Moment,
    state::{SeatState, State, Waiting},
    taking::{Taken, carried_lines},
};
use crate::{
    dispatch::{self, Page, Proof, ReadFrom},
    game::Lang,
    ids::SeatId,
    mail::{Address, AutoSubmitted, Host, MessageName, Outgoing, ReplyAddress, Token},
};

/// What a letter says.
pub(super) struct Content {
    pub subject: String,
    /// The text above the proof.
    pub words: String,
    /// The words as a page.
    pub page: Option<Page>,
    pub pictures: Vec<Picture>,
    /// Private blocks and receipts that stand below the words.
    pub private: String,
    /// Entries of the register that go out with it.
    pub entries: Vec<String>,
    pub auto_submitted: AutoSubmitted,
    /// The Message-ID of the mail that it answers.
    pub answers: Option<String>,
    /// Later letters belong to it.
    pub starts_thread: bool,
}

impl Content {
    /// A letter of text alone.
    pub(super) fn plain(subject: String, words: String, answers: Option<String>) -> Self {
        let auto_submitted = if answers.is_some() {
            AutoSubmitted::Replied
        } else {
            AutoSubmitted::Generated
        };
        Self {
            subject,
            words,
            page: None,
            pictures: Vec::new(),
            private: String::new(),
            entries: Vec::new(),
            auto_submitted,
            answers,
            starts_thread: false,
        }
    }

    /// With entries of the register.
    pub(super) fn with_entries(self, entries: &[String]) -> Self {
        Self {
            entries: entries.to_vec(),
            ..self
        }
    }
}

/// What the header of a letter says, beside its content.
struct Cover {
    lang: Lang,
    to: Address,
    reply_to: Option<String>,
    /// The letter to which it belongs.
    thread: Option<String>,
    message_id: String,
    /// It is kept and not sent.
    aside: bool,
}

/// A player's address as a header has it.
pub(super) fn named(player: &Seat) -> Address {
    Address {
        name: (!player.name.is_empty()).then(|| player.name.clone()),
        email: player.address.to_string(),
    }
}

impl Engine {
    /// The campaign's mailbox.
    #[must_use]
    pub fn host(&self) -> Host {
        self.settings.host.mailbox()
    }

    /// Where a seat's answers go now.
    #[must_use]
    pub fn reply_address(&self, state: &State, seat: &SeatId) -> String {
        let campaign = self.settings.campaign.as_str();
        let number = state.seats.get(seat).map_or(0, |seat| seat.token);
        let token = Token::make(self.eras.letters.token.bytes(), campaign, seat, number);
        let address = ReplyAddress {
            host: self.host(),
            campaign: campaign.to_owned(),
            seat: seat.to_string(),
            token,
        };
        address.to_string()
    }

    /// The next Message-ID of a recipient. It counts that recipient's mails alone, and its mark is a keyed digest.
    fn message_id(&self, state: &mut State, to: &str) -> String {
        let count = state.mails.entry(to.to_owned()).or_insert(0);
        *count += 1;
        let number = *count;
        let name = MessageName {
            campaign: self.settings.campaign.to_string(),
            seat: to.to_owned(),
            number,
            mark: self.mark(to, number),
            domain: self.settings.host.domain.clone(),
        };
        name.to_string()
    }

    /// What makes the Message-ID of a letter hard to guess.
    pub(super) fn mark(&self, to: &str, number: u64) -> String {
        let mark = self.eras.letters.message.mac(&format!("{to}|{number}"));
        data_encoding::BASE32_NOPAD
            .encode(&mark.bytes()[..5])
            .to_ascii_lowercase()
    }

    fn from(&self, lang: Lang) -> Address {
        let host = &self.settings.host;
        Address {
            name: Some(self.title(lang)),
            email: format!("{}@{}", host.local, host.domain),
        }
    }

    /// Counts a letter to a seat and gives it its Message-ID: what it changes in the state, whether it is written or
    /// recalled.
    pub(super) fn count_letter(
        &self,
        state: &mut State,
        seat: &SeatId,
        starts_thread: bool,
    ) -> String {
        let message_id = self.message_id(state, seat);
        if starts_thread && let Some(entry) = state.seats.get_mut(seat) {
            entry.thread = Some(message_id.clone());
        }
        message_id
    }

    /// Sends a letter to a seat.
    pub(super) fn send_to_seat(
        &self,
        state: &mut State,
        seat: &SeatId,
        content: Content,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Some(player) = self.player(state, seat).cloned() else {
            return Ok(());
        };
        let thread = state.seats.get(seat).and_then(|seat| seat.thread.clone());
        let message_id = self.count_letter(state, seat, content.starts_thread);
        let cover = Cover {
            lang: player.lang,
            to: named(&player),
            reply_to: Some(self.reply_address(state, seat)),
            thread,
            message_id,
            aside: (state.seats.get(seat)).is_some_and(SeatState::is_unreachable),
        };
        self.send(
            Recipient::Seat(seat.clone()),
            cover,
            content,
            state,
            effects,
        )
    }

    /// Sends a letter of a seat's series to an address that is not, or no longer, the seat's: nothing in its header tells
    /// of the seat's other letters, and the seat's reply address is not among them.
    pub(super) fn send_elsewhere(
        &self,
        state: &mut State,
        seat: &SeatId,
        (to, reply_to): (Address, Option<String>),
        content: Content,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let cover = Cover {
            lang: self.lang(state, seat),
            to,
            reply_to,
            thread: None,
            message_id: self.count_letter(state, seat, false),
            aside: false,
        };
        let recipient = Recipient::Seat(seat.clone());
        self.send(recipient, cover, content, state, effects)
    }

    fn send(
        &self,
        recipient: Recipient,
        cover: Cover,
        content: Content,
        state: &State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let reply_to = cover.reply_to.map(|email| Address {
            name: matches!(recipient, Recipient::Seat(_)).then(|| self.title(cover.lang)),
            email,
        });
        let attachments = attachments(&content.entries);
        let proof = Proof {
            private: content.private,
            entries: content.entries.join("\n"),
            foot: state.foot.clone(),
        };
        let outgoing = Outgoing {
            campaign: self.settings.campaign.to_string(),
            from: self.from(cover.lang),
            to: cover.to,
            reply_to,
            subject: content.subject,
            message_id: cover.message_id,
            date: state.time,
            references: (cover.thread.into_iter())
                .chain(content.answers.clone())
                .collect(),
            in_reply_to: content.answers,
            auto_submitted: content.auto_submitted,
            text: proof.below(&content.words),
            html: content.page.map(|page| page.with(&proof)),
            images: Vec::new(),
            attachments,
        };
        let mut letter = Letter::new(recipient, outgoing, content.pictures)?;
        letter.aside = cover.aside;
        effects.letters.push(letter);
        Ok(())
    }

    /// The receipt of words.
    pub(super) fn receipt_letter(
        &self,
        state: &mut State,
        taken: &Taken<'_>,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Taken {
            seat,
            mail,
            moment,
            understood,
            words,
            receipt,
            earlier,
        } = *taken;
        if effects.recalled {
            self.count_letter(state, seat, false);
            return Ok(());
        }
        let lang = self.lang(state, seat);
        let from = mail.map_or_else(ReadFrom::default, |mail| ReadFrom {
            earlier,
            ..ReadFrom::new(&mail.files, &mail.ignored)
        });
        let text = self.receipt_text(state, seat, moment, understood, words, &from);
        let phrase = match lang {
            Lang::En => "Receipt",
            Lang::Fr => "Accusé de réception",
        };
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        let answers = mail.and_then(|mail| mail.message_id.clone());
        let mut content = Content::plain(subject, text, answers);
        content.private = receipt.map_or_else(String::new, ToString::to_string);
        self.send_to_seat(state, seat, content, effects)
    }

    /// The text of a receipt above its proof: what these words mean now.
    #[must_use]
    pub fn receipt_text(
        &self,
        state: &State,
        seat: &SeatId,
        moment: &Moment,
        understood: &Understood,
        words: &str,
        from: &ReadFrom,
    ) -> String {
        let lang = self.lang(state, seat);
        let vocabulary = self.vocabulary(&moment.view, lang);
        let lines = understood.explained(&self.game, &self.grammar, &vocabulary, lang);
        let phases: Vec<String> = moment
            .phases
            .iter()
            .map(|phase| state.in_full(phase))
            .collect();
        dispatch::receipt(&dispatch::Receipt {
            lang,
            game: &self.game,
            campaign: self.settings.campaign.as_str(),
            title: &self.title(lang),
            turn: moment.view.turn(),
            phases: &phases,
            lines: &lines,
            from,
            adds: understood.reading.adds(),
            carried: carried_lines(state, seat, words),
            canonical: words,
            deadline: self.deadline_for(state, seat, moment),
            zone: self.settings.schedule.zone(),
        })
    }

    /// The deadline that a seat may know of.
    pub(super) fn deadline_for(
        &self,
        state: &State,
        seat: &SeatId,
        moment: &Moment,
    ) -> Option<jiff::Timestamp> {
        match &state.waiting {
            Waiting::Answers { known, public, .. }
                if moment.questions.is_empty() || moment.public =>
            {
                known.filter(|_| *public || self.is_quiet(state, seat))
            }
            Waiting::Dispatch { known } => known.filter(|_| self.is_quiet(state, seat)),
            Waiting::Orders { deadline, .. } | Waiting::Answers { deadline, .. } => *deadline,
            _ => None,
        }
    }

    /// The answer to a mail that was not accepted, to the seat's registered address.
    pub(super) fn refusal_letter(
        &self,
        state: &mut State,
        seat: &SeatId,
        refused: &Refused,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.recalled {
            self.count_letter(state, seat, false);
            return Ok(());
        }
        let lang = self.lang(state, seat);
        let text = dispatch::refusal(&dispatch::Refusal {
            lang,
            why: refused.reason.key(),
            campaign: self.settings.campaign.as_str(),
            address: &self.reply_address(state, seat),
            umpire: self.umpire(),
        });
        let phrase = match lang {
            Lang::En => "Your mail was not taken",
            Lang::Fr => "Votre message n'a pas été pris en compte",
        };
        let subject = format!("[{}] {phrase}", self.settings.campaign);
        let content = Content::plain(subject, text, refused.message_id.clone());
        self.send_to_seat(state, seat, content, effects)
    }

    /// Sends a letter to somebody who has no seat; `to` has the address, and where answers go if not to the campaign.
    pub(super) fn send_to_other(
        &self,
        state: &mut State,
        recipient: Recipient,
        to: (String, Option<String>),
        content: Content,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let message_id = self.message_id(state, &recipient.address_name());
        if effects.recalled {
            return Ok(());
        }
        let (email, reply_to) = to;
        let cover = Cover {
            lang: Lang::En,
            to: Address { name: None, email },
            reply_to,
            thread: None,
            message_id,
            aside: false,
        };
        self.send(recipient, cover, content, state, effects)
    }

    /// Tells every seat that the dice come from another secret now.
    pub(super) fn new_secret_letters(
        &self,
        state: &mut State,
        why: &str,
        entries: &[String],
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in self.settings.seats.ids() {
            if effects.recalled {
                self.count_letter(state, seat, false);
                continue;
            }
            let lang = self.lang(state, seat);
            let text = dispatch::new_secret(lang, self.settings.campaign.as_str(), why);
            let subject = format!("[{}] {}", self.settings.campaign, self.title(lang));
            let content = Content::plain(subject, text, None).with_entries(entries);
            self.send_to_seat(state, seat, content, effects)?;
        }
        Ok(())
    }

    /// The last letters: the master is published.
    pub(super) fn end_letters(
        &self,
        state: &mut State,
        entries: &[String],
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in self.settings.seats.ids() {
            let lang = self.lang(state, seat);
            let text = dispatch::disclosure(lang, self.settings.campaign.as_str());
            let subject = format!("[{}] {}", self.settings.campaign, self.title(lang));
            let content = Content::plain(subject, text, None).with_entries(entries);
            self.send_to_seat(state, seat, content, effects)?;
        }
        Ok(())
    }
}
