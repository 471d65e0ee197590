//! Each letter against the list of a dispatch that binds it: header, text, HTML part, pictures
//! (docs/dice.md, section 8).

use std::collections::{BTreeMap, BTreeSet};

use super::{campaign::Audit, evidence::Testimony, texts::WholeLetter};
use crate::{
    dice::{BoundText, Digest, EntryBody, Form, LetterBundle, PrivateBlock, verify::Check},
    mail::MessageName,
};

/// The most missing letters that are named.
const MOST_NAMED: usize = 4;

impl<'a> Audit<'a> {
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
                "one way to read it: the HTML part with the entries, blocks and foot of the text, pictures in their order, parts as the host writes them",
                "another",
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
        self.gaps(&covered);
        let mut bundled = BTreeSet::new();
        for range in &covered {
            bundled.extend(self.bundle(range));
        }
        let (mut right, mut later, mut kept) = (bundled.len(), 0, BTreeSet::new());
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
                None if bundled.contains(id.as_str()) => {}
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

    /// The letters that a list binds by one digest for all of them; those that are at hand.
    fn bundle(&mut self, range: &LetterRange) -> Vec<&'a str> {
        let Some(bundle) = range.bundle else {
            return Vec::new();
        };
        let evidence = self.evidence;
        let mut own: BTreeMap<u64, &Testimony<WholeLetter>> = BTreeMap::new();
        for said in &evidence.letters {
            let number = range.number(&said.what.id);
            if let Some(number) = number.filter(|number| *number < range.listed) {
                own.entry(number).or_insert(said);
            }
        }
        let ids = own.values().map(|said| said.what.id.as_str()).collect();
        let place = format!(
            "letters {} to {} to {}",
            range.first,
            range.listed.saturating_sub(1),
            range.seat
        );
        let missing = bundle.count.saturating_sub(own.len() as u64);
        if missing > 0 {
            self.report.unproven.push(format!(
                "{place}, which a dispatch binds by one digest: {missing} of them are not among these mails, saved whole with their headers"
            ));
            return ids;
        }
        let found = own.values().fold(None, |bundle, said| {
            Some(LetterBundle::with(bundle, &said.what.id, said.what.digest))
        });
        if found != Some(bundle) {
            let found = found.map_or_else(String::new, |found| found.digest.to_string());
            self.wrong(
                Check::Letter,
                place,
                bundle.digest,
                format_args!("{found}: one of them is not as it was sent"),
                own.values().map(|said| said.mail.clone()).collect(),
            );
        }
        ids
    }

    /// The numbers of a list, and of one and the next, follow each other without a gap.
    fn gaps(&mut self, ranges: &[LetterRange]) {
        let mut before: BTreeMap<(&str, u32), u64> = BTreeMap::new();
        for range in ranges {
            before.insert((&range.seat, range.envelope), range.last);
        }
        for range in ranges {
            let expected = match range.envelope.checked_sub(1) {
                Some(0) => Some(1),
                Some(envelope) => before
                    .get(&(range.seat.as_str(), envelope))
                    .map(|last| last.saturating_add(1)),
                None => None,
            };
            let place = format!(
                "list of letters in envelope {} to {}",
                range.envelope, range.seat
            );
            if let Some(expected) = expected.filter(|expected| *expected != range.first) {
                let expected = format!("letter {expected} as its first");
                let found = format!("letter {}", range.first);
                self.wrong(Check::Letter, &place, expected, found, Vec::new());
            }
            if !range.is_whole {
                let expected = "numbers that follow each other";
                self.wrong(Check::Letter, &place, expected, "a gap", Vec::new());
            }
        }
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

/// The letters of a seat that a list binds, by their numbers.
struct LetterRange {
    campaign: String,
    seat: String,
    envelope: u32,
    first: u64,
    /// The first that is listed by itself.
    listed: u64,
    last: u64,
    /// The bundle that binds the earlier letters.
    bundle: Option<LetterBundle>,
    /// True if the listed letters follow each other without a gap.
    is_whole: bool,
}

impl LetterRange {
    fn of(block: &PrivateBlock) -> Option<Self> {
        let number = |id: &str| Some(MessageName::parse(id)?.number);
        let numbers: Option<Vec<u64>> = (block.letters.iter())
            .map(|letter| number(&letter.id))
            .collect();
        let numbers = numbers?;
        let (listed, last) = (*numbers.first()?, *numbers.last()?);
        let bundle = block.letters.folded();
        Some(Self {
            campaign: block.campaign.to_string(),
            seat: block.seat.to_string(),
            envelope: block.envelope,
            first: listed.saturating_sub(bundle.map_or(0, |bundle| bundle.count)),
            listed,
            last,
            bundle,
            is_whole: (numbers.windows(2)).all(|pair| pair[0].checked_add(1) == Some(pair[1])),
        })
    }

    /// The number of one of its letters.
    fn number(&self, id: &str) -> Option<u64> {
        let name = MessageName::parse(id)?;
        let is_own = name.campaign == self.campaign && name.seat == self.seat;
        (is_own && (self.first..=self.last).contains(&name.number)).then_some(name.number)
    }

    fn covers(&self, id: &str) -> bool {
        self.number(id).is_some()
    }
}
