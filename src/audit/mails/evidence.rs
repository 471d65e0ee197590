//! What a folder of mails says of one campaign's dice: entries, feet, private blocks, receipts, bodies of dispatches.

use std::collections::{BTreeMap, BTreeSet};

use super::hearsay::Hearsay;
use crate::{
    dice::{
        CampaignName, DiceError, Digest, Entry, PrivateBlock, Receipt, Time, What, lines::unquoted,
        register::find_entries,
    },
    ids::SeatId,
    mail::Kept,
};

/// Something that stands in a mail.
#[derive(Debug)]
pub(super) struct Said<T> {
    /// What it is.
    pub what: T,
    /// The mail's name.
    pub mail: String,
    /// Whether the mail is a letter of the host as it was sent, and no quotation or pasted text.
    pub letter: bool,
}

/// A receipt with the texts that stand beside it.
#[derive(Debug)]
pub(super) struct Shown {
    pub receipt: Receipt,
    /// The quoted lines above and below it.
    pub texts: Vec<String>,
}

/// All that the mails say of one campaign.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// How many mails have anything of it, and how many of these are letters of the host.
    pub mails: (usize, usize),
    /// Well-formed entries, each different one once.
    pub entries: Vec<Said<Entry>>,
    /// Entries and private blocks that can't be read: heading and problem.
    pub damaged: Vec<Said<(String, String)>>,
    /// The lines `register <n> <head>` at the feet of mails, each different one once.
    pub feet: Vec<Said<(u32, Digest)>>,
    /// Each different one once.
    pub private: Vec<Said<PrivateBlock>>,
    /// All receipts.
    pub receipts: Vec<Said<Shown>>,
    /// The texts of letters above their private blocks, by envelope and seat.
    pub bodies: BTreeMap<(u32, SeatId), Vec<Said<String>>>,
    /// The round's moment is known from elsewhere: when a letter with the entry of this number came.
    pub arrived: BTreeMap<u32, Time>,
    /// Entries in other mails that have the number of a letter's entry and another head.
    pub contradicting: Vec<Said<Entry>>,
    /// What stands in other mails while there are letters.
    pub hearsay: Hearsay,
}

/// The campaigns of which there are entries.
pub(super) fn campaigns(mails: &[Kept]) -> BTreeSet<CampaignName> {
    let entries = mails.iter().flat_map(texts).flat_map(find_entries);
    entries.flatten().map(|entry| entry.campaign).collect()
}

fn texts(mail: &Kept) -> impl Iterator<Item = &str> {
    std::iter::once(&mail.text)
        .chain(&mail.attached)
        .map(String::as_str)
}

impl Evidence {
    /// Gathers what there is, from the letters of the host. What stands in other mails, which anybody may have written,
    /// is hearsay beside them; where there are no letters at all, it is pasted text and all that there is. Mails that do
    /// not name their campaign in their header count for the only one.
    pub(super) fn gather(campaign: &CampaignName, is_only: bool, mails: &[Kept]) -> Self {
        let is_letter = |mail: &&Kept| mail.campaign.as_deref() == Some(campaign.as_str());
        let (letters, others): (Vec<&Kept>, Vec<&Kept>) = mails.iter().partition(is_letter);
        let others = Self::of(campaign, &others, false, is_only);
        if letters.is_empty() {
            return others;
        }
        let mut evidence = Self::of(campaign, &letters, true, is_only);
        evidence.mails.0 += others.mails.0;
        evidence.hear(others);
        evidence
    }

    fn of(campaign: &CampaignName, mails: &[&Kept], letter: bool, is_only: bool) -> Self {
        let mut evidence = Self::default();
        for mail in mails {
            let mut taker = Taker {
                campaign,
                mail,
                letter,
                found: letter,
                evidence: &mut evidence,
            };
            texts(mail).for_each(|text| taker.entries(text));
            if letter || (mail.campaign.is_none() && is_only) {
                taker.blocks();
                taker.lines();
            }
            let found = taker.found;
            evidence.mails.0 += usize::from(found);
            evidence.mails.1 += usize::from(letter);
        }
        evidence
    }

    /// The texts of the register, sorted, as the verification reads them.
    pub(super) fn register(&self) -> String {
        let mut entries: Vec<&Entry> = self.entries.iter().map(|said| &said.what).collect();
        entries.sort_by_key(|entry| entry.n);
        entries.iter().map(ToString::to_string).collect()
    }
}

struct Taker<'a> {
    campaign: &'a CampaignName,
    mail: &'a Kept,
    letter: bool,
    found: bool,
    evidence: &'a mut Evidence,
}

impl Taker<'_> {
    fn said<T>(&self, what: T) -> Said<T> {
        Said {
            what,
            mail: self.mail.name.clone(),
            letter: self.letter,
        }
    }

    fn damage(&mut self, error: DiceError, heading_begins: &str) {
        if let DiceError::Entry { heading, problem } = error
            && heading.starts_with(heading_begins)
        {
            self.found = true;
            let said = self.said((heading, problem));
            self.evidence.damaged.push(said);
        }
    }

    fn entries(&mut self, text: &str) {
        for entry in find_entries(text) {
            match entry {
                Ok(entry) if entry.campaign == *self.campaign => {
                    self.found = true;
                    self.arrival(entry.n);
                    if !self
                        .evidence
                        .entries
                        .iter()
                        .any(|known| known.what == entry)
                    {
                        let said = self.said(entry);
                        self.evidence.entries.push(said);
                    }
                }
                Ok(_) => {}
                Err(error) => self.damage(error, &format!("sd1 {} ", self.campaign)),
            }
        }
    }

    fn arrival(&mut self, n: u32) {
        if let (true, Some(at)) = (self.letter, self.mail.received) {
            let at = Time::from(at);
            let first = self.evidence.arrived.entry(n).or_insert(at);
            *first = at.min(*first);
        }
    }

    fn blocks(&mut self) {
        for block in PrivateBlock::find(&self.mail.text) {
            match block {
                Ok(block) if block.campaign == *self.campaign => {
                    // The letter of a seal has a private block as well, and no dispatch above it.
                    let is_dispatch = |what: &What| matches!(what, What::Dispatch(_));
                    if self.letter && block.blinds.iter().any(|(what, _)| is_dispatch(what)) {
                        self.body(&block);
                    }
                    if !self
                        .evidence
                        .private
                        .iter()
                        .any(|known| known.what == block)
                    {
                        let said = self.said(block);
                        self.evidence.private.push(said);
                    }
                }
                Ok(_) => {}
                Err(error) => self.damage(error, &format!("sd1-private {} ", self.campaign)),
            }
        }
    }

    /// The text above the private block: what the digest of a dispatch binds. An empty line stands between.
    fn body(&mut self, block: &PrivateBlock) {
        let heading = format!(
            "\nsd1-private {} {} {}\n",
            block.campaign, block.seat, block.envelope
        );
        if let Some((body, _)) = self.mail.text.split_once(&heading) {
            let said = self.said(body.to_owned());
            let place = (block.envelope, block.seat.clone());
            self.evidence.bodies.entry(place).or_default().push(said);
        }
    }

    /// Receipts with their texts, and the feet.
    fn lines(&mut self) {
        let lines: Vec<&str> = self.mail.text.lines().map(unquoted).collect();
        for (index, line) in lines.iter().enumerate() {
            if let Ok(receipt) = line.parse::<Receipt>() {
                let (above, below) = (&lines[..index], &lines[index + 1..]);
                let texts = [above_text(above), below_text(below)]
                    .into_iter()
                    .flatten()
                    .collect();
                let said = self.said(Shown { receipt, texts });
                self.evidence.receipts.push(said);
            }
            if let Some(foot) = foot(line)
                && !self.evidence.feet.iter().any(|known| known.what == foot)
            {
                let said = self.said(foot);
                self.evidence.feet.push(said);
            }
        }
    }
}

fn foot(line: &str) -> Option<(u32, Digest)> {
    let (n, head) = line.strip_prefix("register ")?.split_once(' ')?;
    Some((n.parse().ok()?, head.parse().ok()?))
}

fn is_text(line: &&&str) -> bool {
    **line == "|" || line.starts_with("| ")
}

fn is_blank(line: &&&str) -> bool {
    line.is_empty()
}

/// The block of lines with `| ` that ends above a receipt, with or without empty lines between.
fn above_text(lines: &[&str]) -> Option<String> {
    let mut text: Vec<&str> = lines
        .iter()
        .rev()
        .skip_while(is_blank)
        .take_while(is_text)
        .copied()
        .collect();
    text.reverse();
    joined(&text)
}

fn below_text(lines: &[&str]) -> Option<String> {
    let text: Vec<&str> = lines
        .iter()
        .skip_while(is_blank)
        .take_while(is_text)
        .copied()
        .collect();
    joined(&text)
}

fn joined(lines: &[&str]) -> Option<String> {
    let bare = |line: &&str| format!("{}\n", line.get(2..).unwrap_or_default());
    (!lines.is_empty()).then(|| lines.iter().map(bare).collect())
}
