//! A folder of mails as evidence of each campaign's dice: entries, feet, private blocks, receipts,
//! bodies of dispatches. Each mail is read once, however many campaigns it names.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{
    heads::Heads,
    hearsay::Hearsay,
    texts::{LetterTexts, QuotedReceipt, WholeLetter},
};
use crate::{
    dice::{CampaignName, DiceError, Digest, Entry, PrivateBlock, Time},
    ids::SeatId,
    mail::ArchivedMail,
};

/// A statement found in a mail, and where.
#[derive(Debug)]
pub(super) struct Testimony<T> {
    /// The piece of evidence.
    pub what: T,
    /// The mail's name.
    pub mail: String,
    /// True if the mail is a letter of the host as it was sent, not a quotation or pasted text.
    pub letter: bool,
}

/// A block that can't be read.
#[derive(Debug)]
pub(super) struct DamagedBlock {
    pub heading: String,
    pub problem: String,
    /// Nobody knows an entry of its type.
    pub unknown_type: bool,
}

/// The evidence of all mails about one campaign.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// The number of mails with any of it, and how many of these are letters of the host.
    pub mails: (usize, usize),
    /// Well-formed entries, each different one once.
    pub entries: Vec<Testimony<Entry>>,
    /// The heads that they have, and those that they name.
    pub heads: Heads,
    /// Entries and private blocks that can't be read.
    pub damaged: Vec<Testimony<DamagedBlock>>,
    /// The lines `register <n> <head>` at the feet of mails, each different one once.
    pub feet: Vec<Testimony<(u32, Digest)>>,
    /// Each different one once.
    pub private: Vec<Testimony<PrivateBlock>>,
    /// The letters of the host that were kept whole.
    pub letters: Vec<Testimony<WholeLetter>>,
    /// All receipts.
    pub receipts: Vec<Testimony<QuotedReceipt>>,
    /// The texts of letters above their private blocks, by envelope and seat.
    pub bodies: BTreeMap<(u32, SeatId), Vec<Testimony<String>>>,
    /// When the first letter with the entry of a number was sent, as its header says, or came, as
    /// the reader's server says.
    pub moments: BTreeMap<u32, Moments>,
    /// Entries in other mails that have the number of a letter's entry and another head.
    pub contradicting: Vec<Testimony<Entry>>,
    /// The claims of other mails, where there are letters.
    pub hearsay: Hearsay,
    /// True if the evidence comes from letters of the host as they were sent.
    of_host: bool,
    known: SeenItems,
}

/// The first times that letters with an entry have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    /// Of their headers `Date`.
    pub sent: Option<Time>,
    /// Of the newest `Received` lines.
    pub came: Option<Time>,
}

/// Items read before, to skip repetitions.
#[derive(Debug, Default)]
struct SeenItems {
    /// Number, head and true head of entries: a mail that names all three proves it has the entry.
    entries: HashSet<(u32, Digest, Digest)>,
    blocks: HashSet<String>,
}

/// Evidence about a campaign: from the host's letters, and from other mails.
struct EvidencePair {
    letters: Evidence,
    others: Evidence,
}

impl Default for EvidencePair {
    fn default() -> Self {
        let letters = Evidence {
            of_host: true,
            ..Evidence::default()
        };
        Self {
            letters,
            others: Evidence::default(),
        }
    }
}

/// Gathers what the mails say, by campaign: every campaign that has an entry, readable or not.
pub(super) fn gather(mails: &[ArchivedMail]) -> BTreeMap<CampaignName, Evidence> {
    let texts: Vec<LetterTexts<'_>> = mails.iter().map(LetterTexts::read).collect();
    let named: BTreeSet<&CampaignName> = texts.iter().flat_map(LetterTexts::campaigns).collect();
    let only = match named.len() {
        1 => named.first().copied(),
        _ => None,
    };
    let empty = |name| (name, EvidencePair::default());
    let mut sides: BTreeMap<&CampaignName, EvidencePair> = named.into_iter().map(empty).collect();
    for text in &texts {
        text.share(&mut sides, only);
    }
    let whole = |(name, sides): (&CampaignName, EvidencePair)| (name.clone(), sides.joined());
    sides.into_iter().map(whole).collect()
}

impl EvidencePair {
    /// The evidence of the host's letters. Other mails, which anybody may have written, are hearsay
    /// beside them; without any letters they are all that there is, and count as pasted text.
    fn joined(self) -> Evidence {
        let Self {
            mut letters,
            others,
        } = self;
        if letters.mails.1 == 0 {
            return others;
        }
        letters.mails.0 += others.mails.0;
        letters.hear(others);
        letters
    }
}

impl LetterTexts<'_> {
    /// Gives each campaign its share of the mail. A mail that does not name its campaign in the
    /// header counts for the `only` one.
    fn share(
        &self,
        sides: &mut BTreeMap<&CampaignName, EvidencePair>,
        only: Option<&CampaignName>,
    ) {
        let own = self.letter_of.as_ref();
        let whole = own.or(only.filter(|_| self.mail.campaign.is_none()));
        let mut found: BTreeSet<&CampaignName> = own.into_iter().collect();
        for (campaign, entry) in &self.entries {
            if let Some(side) = self.side(sides, campaign) {
                found.insert(campaign);
                match entry {
                    Ok(entry) => side.take_entry(entry, self.mail),
                    Err(error) => side.take_damage(error, self.mail),
                }
            }
        }
        // Texts that name no campaign, and keys, count in the campaigns of their mail alone.
        if let Some(whole) = whole
            && let Some(side) = self.side(sides, whole)
        {
            for (_, block) in self.blocks.iter().filter(|(of, _)| of == whole) {
                found.insert(whole);
                match block {
                    Ok(block) => side.take_block(block, self.mail),
                    Err(error) => side.take_damage(error, self.mail),
                }
            }
            side.take_body(self, whole);
            if let Some(letter) = self.whole.as_ref().filter(|_| own == Some(whole)) {
                let said = side.said(letter.clone(), self.mail);
                side.letters.push(said);
            }
            for receipt in &self.receipts {
                let said = side.said(receipt.clone(), self.mail);
                side.receipts.push(said);
            }
            for foot in &self.feet {
                if side.heads.foot(*foot) {
                    let said = side.said(*foot, self.mail);
                    side.feet.push(said);
                }
            }
        }
        for campaign in found {
            if let Some(side) = self.side(sides, campaign) {
                side.mails.0 += 1;
                side.mails.1 += usize::from(side.of_host);
            }
        }
    }

    fn side<'s>(
        &self,
        sides: &'s mut BTreeMap<&CampaignName, EvidencePair>,
        campaign: &CampaignName,
    ) -> Option<&'s mut Evidence> {
        let EvidencePair { letters, others } = sides.get_mut(campaign)?;
        let is_letter = self.letter_of.as_ref() == Some(campaign);
        Some(if is_letter { letters } else { others })
    }
}

impl Evidence {
    fn said<T>(&self, what: T, mail: &ArchivedMail) -> Testimony<T> {
        Testimony {
            what,
            mail: mail.name.clone(),
            letter: self.of_host,
        }
    }

    fn take_damage(&mut self, error: &DiceError, mail: &ArchivedMail) {
        let (heading, problem, unknown_type) = match error {
            DiceError::Entry { heading, problem } => (heading, problem.clone(), false),
            DiceError::UnknownType { heading } => (heading, error.to_string(), true),
            _ => return,
        };
        let damaged = DamagedBlock {
            heading: heading.clone(),
            problem,
            unknown_type,
        };
        let said = self.said(damaged, mail);
        self.damaged.push(said);
    }

    fn take_entry(&mut self, entry: &Entry, mail: &ArchivedMail) {
        if self.of_host {
            let moments = self.moments.entry(entry.n).or_default();
            moments.sent = earlier(moments.sent, mail.sent.map(Time::from));
            moments.came = earlier(moments.came, mail.received.map(Time::from));
        }
        if self.known.entries.insert(entry.identity()) {
            let said = self.said(entry.clone(), mail);
            self.add(said);
        }
    }

    /// Adds an entry that counts.
    pub(super) fn add(&mut self, entry: Testimony<Entry>) {
        self.heads.entry(&entry.what);
        self.known.entries.insert(entry.what.identity());
        self.entries.push(entry);
    }

    /// Returns true if this very entry counts already.
    pub(super) fn has(&self, entry: &Entry) -> bool {
        self.known.entries.contains(&entry.identity())
    }

    fn take_block(&mut self, block: &PrivateBlock, mail: &ArchivedMail) {
        if self.known.blocks.insert(block.to_string()) {
            let said = self.said(block.clone(), mail);
            self.private.push(said);
        }
    }

    /// Returns true if this very private block counts.
    pub(super) fn has_block(&self, block: &PrivateBlock) -> bool {
        self.known.blocks.contains(&block.to_string())
    }

    /// Takes the text above the private block, which the digest of a dispatch binds; an empty line
    /// lies between. The letter of a seal has a private block too, but no dispatch above it; nor
    /// have blocks of envelopes in which the seat was passed over.
    fn take_body(&mut self, text: &LetterTexts<'_>, campaign: &CampaignName) {
        let own = text.blocks.iter().filter(|(of, _)| of == campaign);
        let blocks = own.filter_map(|(_, block)| block.as_ref().ok());
        let blocks = blocks.filter(|block| self.of_host && block.is_of_dispatch());
        let (passed_over, sent): (Vec<_>, Vec<_>) = blocks.partition(|block| block.is_of_nothing());
        for block in passed_over {
            let said = self.said(String::new(), text.mail);
            let place = (block.envelope, block.seat.clone());
            self.bodies.entry(place).or_default().push(said);
        }
        let Some(block) = sent.first() else {
            return;
        };
        let heading = format!(
            "\nsd1-private {} {} {}\n",
            block.campaign, block.seat, block.envelope
        );
        if let Some((body, _)) = text.mail.text.split_once(&heading) {
            let said = self.said(body.to_owned(), text.mail);
            let place = (block.envelope, block.seat.clone());
            self.bodies.entry(place).or_default().push(said);
        }
    }

    /// Returns true if letters of the host are among the mails.
    pub(super) fn has_letters(&self) -> bool {
        self.of_host
    }

    /// The texts of the register, sorted, as the verification reads them.
    pub(super) fn register(&self) -> String {
        let mut entries: Vec<&Entry> = self.entries.iter().map(|said| &said.what).collect();
        entries.sort_by_key(|entry| entry.n);
        entries.iter().map(ToString::to_string).collect()
    }
}

fn earlier(known: Option<Time>, other: Option<Time>) -> Option<Time> {
    known.into_iter().chain(other).min()
}
