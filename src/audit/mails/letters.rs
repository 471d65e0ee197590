//! Each letter against the list of a dispatch that binds it: header, text, HTML part, pictures
//! (docs/dice.md, section 8).

use std::collections::{BTreeMap, BTreeSet};

use super::{campaign::Audit, texts::WholeLetter};
use crate::{
    dice::{BoundText, Digest, EntryBody, Form, PrivateBlock, verify::Check},
    mail::MessageName,
};

/// How many letters are named of those that are missing.
const MOST_NAMED: usize = 4;

impl Audit<'_> {
    /// The form of the register, as far as these mails show it.
    fn form(&self) -> Option<Form> {
        let mut dice = self.entries().filter_map(|entry| match &entry.body {
            EntryBody::Dice(dice) => Some(dice),
            _ => None,
        });
        let bound = |(what, _): &(BoundText, Digest)| matches!(what, BoundText::Letters(_));
        let openings = self.entries().filter_map(|entry| match &entry.body {
            EntryBody::Open(opening) => Some(opening.form),
            _ => None,
        });
        (openings.last()).or_else(|| {
            dice.any(|dice| dice.binds.iter().any(bound))
                .then_some(Form::Letters)
        })
    }

    /// Compares the letters that were kept whole with the lists.
    pub(super) fn letters(&mut self) {
        let evidence = self.evidence;
        match self.form() {
            Some(Form::Letters) => {}
            Some(Form::Texts) => {
                let why = "HTML parts, pictures, questions and what receipts understood: this register is of the first form, \
                           which binds of letters the plain text of dispatches alone";
                return self.report.unchecked.push(why.to_owned());
            }
            None => return,
        }
        for letter in evidence.letters.iter().filter(|said| !said.what.is_one) {
            self.wrong(
                Check::Letter,
                format_args!("letter {}", letter.what.id),
                "entries, blocks and foot in the HTML part as in the text",
                "others",
                vec![letter.mail.clone()],
            );
        }
        let lists: Vec<&PrivateBlock> = (evidence.private.iter())
            .map(|said| &said.what)
            .filter(|block| !block.letters.is_empty())
            .collect();
        let mut listed: BTreeMap<&str, Digest> = BTreeMap::new();
        for letter in lists.iter().flat_map(|block| block.letters.iter()) {
            listed.entry(&letter.id).or_insert(letter.digest);
        }
        let covered: Vec<LetterRange> = lists
            .iter()
            .filter_map(|block| LetterRange::of(block))
            .collect();
        let (mut right, mut later, mut kept) = (0, 0, BTreeSet::new());
        for said in &evidence.letters {
            let WholeLetter { id, digest, .. } = &said.what;
            kept.insert(id.as_str());
            let place = format!("letter {id}");
            let mails = vec![said.mail.clone()];
            match listed.get(id.as_str()) {
                Some(bound) if bound == digest => right += 1,
                Some(bound) => {
                    let found = format!(
                        "{digest}: From, To, Reply-To, Subject, Date, the text, the HTML part, a picture or a file is not as it was sent"
                    );
                    self.wrong(Check::Letter, place, bound, found, mails);
                }
                None if covered.iter().any(|covered| covered.covers(id)) => {
                    let expected = "a letter that the next dispatch lists";
                    self.wrong(
                        Check::Letter,
                        place,
                        expected,
                        "one that it does not",
                        mails,
                    );
                }
                None => later += 1,
            }
        }
        let missing: Vec<&str> = (listed.keys().copied())
            .filter(|id| !kept.contains(id))
            .collect();
        self.say_letters(right, later, &missing);
    }

    fn say_letters(&mut self, right: usize, later: usize, missing: &[&str]) {
        self.report.checked.push(format!(
            "letters: {right} are, header, text, HTML part and pictures, those that a dispatch binds"
        ));
        if later > 0 {
            self.report.unchecked.push(format!(
                "letters: {later} of them no dispatch among these mails has bound yet"
            ));
        }
        if let Some(first) = missing
            .get(..missing.len().min(MOST_NAMED))
            .filter(|m| !m.is_empty())
        {
            let more = missing.len() - first.len();
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            self.report.unproven.push(format!(
                "letters that dispatches list and that are not among these mails, saved whole with their headers: {}{more}",
                first.join(", ")
            ));
        }
    }
}

/// The letters of a seat of which a list names every one.
struct LetterRange {
    campaign: String,
    seat: String,
    first: u64,
    last: u64,
}

impl LetterRange {
    fn of(block: &PrivateBlock) -> Option<Self> {
        let number = |id: &str| Some(MessageName::parse(id)?.number);
        Some(Self {
            campaign: block.campaign.to_string(),
            seat: block.seat.to_string(),
            first: number(&block.letters.iter().next()?.id)?,
            last: number(&block.letters.iter().next_back()?.id)?,
        })
    }

    fn covers(&self, id: &str) -> bool {
        MessageName::parse(id).is_some_and(|name| {
            name.campaign == self.campaign
                && name.seat == self.seat
                && (self.first..=self.last).contains(&name.number)
        })
    }
}
