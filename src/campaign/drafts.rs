//! From what a letter says to the letter: its header, its name, its sheet, and last its proof.
//!
//! A letter to a seat is listed by its sheet as soon as it has its header, before there is a proof below it: so the entry that
//! goes out with a dispatch can bind the dispatch, and a receipt's code the letter in which it stands.

use super::{
    Recipient, Seat,
    close::attachments,
    engine::{Effects, Engine, EngineError},
    letter::{self, Letter, Picture},
    receipts::Due,
    sheet,
    state::{SeatState, State},
};
use crate::{
    dice::{self, Form},
    dispatch::{Page, Proof},
    game::Lang,
    ids::SeatId,
    mail::{Address, AutoSubmitted, Outgoing},
};

/// What a letter says.
pub(super) struct Content {
    pub subject: String,
    /// The text above the proof.
    pub words: String,
    /// The words as a page.
    pub page: Option<Page>,
    pub pictures: Vec<Picture>,
    /// Private blocks that stand below the words.
    pub private: String,
    /// The receipt that is issued with it.
    pub receipt: Option<Due>,
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
            receipt: None,
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

/// A letter that lacks its proof.
pub(super) struct Draft {
    /// To whom.
    to: Recipient,
    /// The text above the proof.
    pub words: String,
    /// Private blocks that stand below the words.
    pub private: String,
    /// Entries of the register that go out with it.
    pub entries: Vec<String>,
    /// The mail without pictures and attachments; its text and page have nothing of the proof but how its receipt begins.
    mail: Outgoing,
    page: Option<Page>,
    pictures: Vec<Picture>,
    receipt: Option<Due>,
    aside: bool,
    /// The digest of its sheet, if the register binds it.
    bound: Option<dice::Digest>,
}

/// A player's address as a header has it.
pub(super) fn named(player: &Seat) -> Address {
    Address {
        name: (!player.name.is_empty()).then(|| player.name.clone()),
        email: player.address.to_string(),
    }
}

impl Engine {
    /// Counts a letter to a seat that is on record, and lists it by the digest that it has there: all that it changes in the
    /// state.
    pub(super) fn count_letter(
        &self,
        state: &mut State,
        seat: &SeatId,
        starts_thread: bool,
        effects: &Effects,
    ) {
        let message_id = self.name_letter(state, seat, starts_thread);
        let bound = effects.bound_on_record.get(&message_id).copied();
        list(state, seat, message_id, bound);
    }

    /// Gives a letter to a seat its Message-ID.
    fn name_letter(&self, state: &mut State, seat: &SeatId, starts_thread: bool) -> String {
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
        if effects.recalled {
            self.count_letter(state, seat, content.starts_thread, effects);
            return Ok(());
        }
        match self.draft(state, seat, content, effects)? {
            Some(draft) => self.send(state, draft, effects),
            None => Ok(()),
        }
    }

    /// Writes a letter to a seat down to its proof, and lists it.
    pub(super) fn draft(
        &self,
        state: &mut State,
        seat: &SeatId,
        content: Content,
        effects: &mut Effects,
    ) -> Result<Option<Draft>, EngineError> {
        let Some(player) = self.player(state, seat).cloned() else {
            return Ok(None);
        };
        let thread = state.seats.get(seat).and_then(|seat| seat.thread.clone());
        let cover = Cover {
            lang: player.lang,
            to: named(&player),
            reply_to: Some(self.reply_address(state, seat)),
            thread,
            message_id: self.name_letter(state, seat, content.starts_thread),
            aside: (state.seats.get(seat)).is_some_and(SeatState::is_unreachable),
        };
        let draft = self.bound_draft(state, seat, cover, content, effects)?;
        Ok(Some(draft))
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
        if effects.recalled {
            self.count_letter(state, seat, false, effects);
            return Ok(());
        }
        let cover = Cover {
            lang: self.lang(state, seat),
            to,
            reply_to,
            thread: None,
            message_id: self.name_letter(state, seat, false),
            aside: false,
        };
        let draft = self.bound_draft(state, seat, cover, content, effects)?;
        self.send(state, draft, effects)
    }

    /// A draft of a letter of a seat's series. The register binds it by its sheet.
    fn bound_draft(
        &self,
        state: &mut State,
        seat: &SeatId,
        cover: Cover,
        mut content: Content,
        effects: &mut Effects,
    ) -> Result<Draft, EngineError> {
        if state.form == Form::Letters {
            let undrawn = content.pictures.iter_mut();
            let undrawn = undrawn.filter(|picture| picture.digest().is_none());
            draw(undrawn.collect(), effects)?;
        }
        let mut draft = self.unbound(Recipient::Seat(seat.clone()), cover, content, state);
        if state.form == Form::Letters {
            let sheet = sheet::of_letter(&self.name, &draft.mail, &draft.pictures);
            draft.bound = sheet.map(|sheet| sheet.digest());
        }
        list(state, seat, draft.mail.message_id.clone(), draft.bound);
        Ok(draft)
    }

    fn unbound(&self, to: Recipient, cover: Cover, content: Content, state: &State) -> Draft {
        let reply_to = cover.reply_to.map(|email| Address {
            name: matches!(to, Recipient::Seat(_)).then(|| self.title(cover.lang)),
            email,
        });
        let beginning = (content.receipt.as_ref()).map(|due| due.beginning(state));
        let bare = Proof {
            private: beginning.unwrap_or_default(),
            ..Proof::default()
        };
        let mail = Outgoing {
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
            html: content.page.as_ref().map(|page| page.with(&bare)),
            text: bare.below(&content.words),
            images: Vec::new(),
            attachments: Vec::new(),
        };
        Draft {
            to,
            words: content.words,
            private: content.private,
            entries: content.entries,
            mail,
            page: content.page,
            pictures: content.pictures,
            receipt: content.receipt,
            aside: cover.aside,
            bound: None,
        }
    }

    /// Puts the proof below a letter, and sends it.
    pub(super) fn send(
        &self,
        state: &State,
        draft: Draft,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let mut private = draft.private;
        if let Some(due) = &draft.receipt {
            let receipt = self.issue(state, due, draft.bound)?.to_string();
            if !private.is_empty() {
                private.push('\n');
            }
            private.push_str(&receipt);
            effects.receipts.push(receipt);
        }
        let proof = Proof {
            private,
            entries: draft.entries.join("\n"),
            foot: state.foot.clone(),
        };
        let mail = Outgoing {
            text: proof.below(&draft.words),
            html: draft.page.map(|page| page.with(&proof)),
            attachments: attachments(&draft.entries),
            ..draft.mail
        };
        let mut letter = Letter::new(draft.to, mail, draft.pictures)?;
        (letter.aside, letter.bound) = (draft.aside, draft.bound);
        effects.letters.push(letter);
        Ok(())
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
        let draft = self.unbound(recipient, cover, content, state);
        self.send(state, draft, effects)
    }
}

/// Makes the digests of pictures known, and notes them.
pub(super) fn draw(pictures: Vec<&mut Picture>, effects: &mut Effects) -> Result<(), EngineError> {
    let digests = letter::draw(pictures, &mut effects.pictures_on_record)?;
    effects.pictures.extend(digests);
    Ok(())
}

/// Lists a letter among those that the next dice entry binds.
fn list(state: &mut State, seat: &SeatId, message_id: String, bound: Option<dice::Digest>) {
    if let (Some(entry), Some(bound)) = (state.seats.get_mut(seat), bound) {
        entry.letters.push(message_id, bound);
    }
}
