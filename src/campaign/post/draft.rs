//! From a letter's content to the letter: its header, its sheet, and finally its proof.
//!
//! A letter to a seat is listed by its sheet as soon as it has its header, before it has a proof.
//! So the entry that goes out with a dispatch can bind that dispatch, and a receipt's code can bind
//! its own letter.

use super::{
    content::{DueReceipt, LetterContent},
    cores::on_all_cores,
    letter::{self, Letter, Picture},
    receipts, sheet,
    step::Step,
    writer::LetterWriter,
};
use crate::{
    campaign::{
        model::{
            context::Context, events::LetterRecord, recipient::Recipient, work_error::WorkError,
        },
        turn::plan::LetterPlan,
    },
    dice::{self, Form, register},
    dispatch::{Page, Proof},
    mail::{NamedAddress, Outgoing, TextAttachment},
};

/// A letter without its proof.
pub(super) struct LetterDraft {
    /// The recipient.
    pub to: Recipient,
    /// The text above the proof.
    pub words: String,
    /// Private blocks below the words.
    pub private: String,
    /// Entries of the register that go out with it.
    pub entries: Vec<String>,
    /// The mail without pictures and entries; of the proof, its text and page have only the
    /// beginning of the receipt.
    mail: Outgoing,
    page: Option<Page>,
    pictures: Vec<Picture>,
    receipt: Option<DueReceipt>,
    aside: bool,
    /// The digest of its sheet, if the register binds it.
    bound: Option<dice::Digest>,
}

/// A letter with its proof, not yet a mail.
struct ProvenDraft {
    to: Recipient,
    mail: Outgoing,
    pictures: Vec<Picture>,
    aside: bool,
    bound: Option<dice::Digest>,
    words: String,
}

impl ProvenDraft {
    /// The letter, and the journal's record of it.
    fn letter(self) -> Result<(Letter, LetterRecord), WorkError> {
        let mut letter = Letter::new(self.to, self.mail, self.pictures)?;
        (letter.aside, letter.bound) = (self.aside, self.bound);
        letter.words = self.words;
        let record = letter.written();
        Ok((letter, record))
    }
}

impl LetterWriter<'_> {
    /// Writes all of a letter but its proof, and lists it.
    pub(super) fn draft(
        &mut self,
        letter: &LetterPlan,
        brings_entries: bool,
    ) -> Result<LetterDraft, WorkError> {
        let mut content = self.briefing(letter, brings_entries)?.content();
        self.note_unproposed(letter, &mut content);
        if letter.seat().is_some() && letter.state.form == Form::Letters {
            self.draw(content.pictures.iter_mut().collect())?;
        }
        Ok(self.drafted(letter, content))
    }

    /// The draft of a letter whose pictures are drawn. The register binds letters to seats by their
    /// sheets.
    pub(super) fn drafted(&mut self, letter: &LetterPlan, content: LetterContent) -> LetterDraft {
        let mut draft = unbound(self.context, self.step, letter, content);
        if let (Some(seat), Form::Letters) = (letter.seat(), letter.state.form) {
            let sheet = sheet::of_letter(self.context.name(), &draft.mail, &draft.pictures);
            draft.bound = sheet.map(|sheet| sheet.digest());
            if let Some(bound) = draft.bound {
                let message_id = draft.mail.message_id.clone();
                self.register.list(seat, message_id, bound);
            }
        }
        draft
    }

    /// Notes the errors of the template functions whose proposals a letter lacks.
    pub(super) fn note_unproposed(&mut self, letter: &LetterPlan, content: &mut LetterContent) {
        let unproposed = std::mem::take(&mut content.unproposed).into_iter();
        if let Some(seat) = letter.seat() {
            let faults = unproposed.map(|fault| (seat.clone(), fault));
            self.mailing.unproposed.extend(faults);
        }
    }

    /// Finds the digests of pictures, and notes them.
    pub(super) fn draw(&mut self, pictures: Vec<&mut Picture>) -> Result<(), WorkError> {
        let digests = letter::draw(pictures, &mut self.pictures)?;
        self.mailing.pictures.extend(digests);
        Ok(())
    }

    /// Puts the proofs below letters, and sends them in their order.
    pub(super) fn send(&mut self, drafts: Vec<LetterDraft>) -> Result<(), WorkError> {
        let drafts = drafts.into_iter();
        let proven: Result<Vec<_>, _> = drafts.map(|draft| self.proven(draft)).collect();
        for (letter, record) in on_all_cores(proven?, ProvenDraft::letter)? {
            self.mailing.mails.push(record);
            self.mailing.letters.push(letter);
        }
        Ok(())
    }

    /// Puts the proof below a letter.
    fn proven(&mut self, draft: LetterDraft) -> Result<ProvenDraft, WorkError> {
        let mut private = draft.private;
        if let Some(due) = &draft.receipt {
            let receipt = self.issue(due, draft.bound)?;
            if !private.is_empty() {
                private.push('\n');
            }
            private.push_str(&receipt);
        }
        let proof = Proof {
            private,
            entries: draft.entries.join("\n"),
            foot: self.register.foot.to_string(),
        };
        let mail = Outgoing {
            text: proof.below(&draft.words),
            html: draft.page.map(|page| page.with(&proof)),
            attachments: [draft.mail.attachments, attachments(&draft.entries)].concat(),
            ..draft.mail
        };
        Ok(ProvenDraft {
            to: draft.to,
            mail,
            pictures: draft.pictures,
            aside: draft.aside,
            bound: draft.bound,
            words: draft.words,
        })
    }

    /// Issues a receipt in a letter whose sheet has this digest, and returns its text.
    pub(super) fn issue(
        &mut self,
        due: &DueReceipt,
        letter: Option<dice::Digest>,
    ) -> Result<String, WorkError> {
        let receipt = receipts::issue(self.context, self.step, due, letter)?.to_string();
        self.mailing.receipts.push(receipt.clone());
        Ok(receipt)
    }
}

fn unbound(
    context: &Context,
    step: Step,
    letter: &LetterPlan,
    content: LetterContent,
) -> LetterDraft {
    let (cover, to_seat) = (&letter.cover, letter.seat().is_some());
    let reply_to = cover.reply_to.clone().map(|email| NamedAddress {
        name: to_seat.then(|| context.title(cover.lang)),
        email,
    });
    let receipt = DueReceipt::with(letter);
    let beginning = receipt.as_ref().map(|due| due.beginning(step));
    let bare = Proof {
        private: beginning.unwrap_or_default(),
        ..Proof::default()
    };
    let mail = Outgoing {
        campaign: context.settings().campaign.to_string(),
        from: context.sender(cover.lang),
        to: cover.address.clone(),
        reply_to,
        subject: content.subject,
        message_id: cover.message_id.clone(),
        date: step.time,
        references: (cover.thread.clone().into_iter())
            .chain(content.answers.clone())
            .collect(),
        in_reply_to: content.answers,
        auto_submitted: content.auto_submitted,
        html: content.page.as_ref().map(|page| page.with(&bare)),
        text: bare.below(&content.words),
        images: Vec::new(),
        attachments: content.texts,
    };
    LetterDraft {
        to: letter.recipient(),
        words: content.words,
        private: content.private,
        entries: content.entries,
        mail,
        page: content.page,
        pictures: content.pictures,
        receipt,
        aside: cover.aside,
        bound: None,
    }
}

/// Entries as attachments, for readers whose mail program breaks lines.
fn attachments(entries: &[String]) -> Vec<TextAttachment> {
    let attachment = |entry: &String| {
        let heading = entry.lines().next()?;
        Some(TextAttachment {
            name: register::file_name(heading)?,
            text: entry.clone(),
        })
    };
    entries.iter().filter_map(attachment).collect()
}
