//! Addresses, Message-IDs and tokens of letters; and the letters that are no dispatches.

use super::{
    Understood,
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    events::Refused,
    moment::Moment,
    receipts::Due,
    state::{State, Waiting},
    taking::{Taken, carried_lines},
};
use crate::{
    dispatch::{self, ReadFrom},
    game::Lang,
    ids::SeatId,
    mail::{Address, Host, MessageName, ReplyAddress, Token},
};

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
    pub(super) fn message_id(&self, state: &mut State, to: &str) -> String {
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

    /// Who writes to players of a language.
    pub(super) fn from(&self, lang: Lang) -> Address {
        let host = &self.settings.host;
        Address {
            name: Some(self.title(lang)),
            email: format!("{}@{}", host.local, host.domain),
        }
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
            self.count_letter(state, seat, false, effects);
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
        content.receipt = receipt.map(|number| Due {
            number: number.clone(),
            words: words.to_owned(),
        });
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
            self.count_letter(state, seat, false, effects);
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
                self.count_letter(state, seat, false, effects);
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
