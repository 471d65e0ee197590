//! The texts of one mail, read once for all campaigns that it names.

use crate::{
    campaign::post::sheet,
    dice::{
        CampaignName, DiceError, Digest, Entry, PrivateBlock, Receipt,
        lines::unquoted,
        parted,
        register::{self, find_entries},
    },
    mail::{ArchivedMail, MailContents},
};

/// A receipt with the texts around it.
#[derive(Clone, Debug)]
pub(super) struct QuotedReceipt {
    pub receipt: Receipt,
    /// The quoted lines above and below it.
    pub texts: Vec<String>,
    /// The digest of the letter around it, if that was kept whole.
    pub letter: Option<Digest>,
}

/// A letter of the host that was kept whole.
#[derive(Clone, Debug)]
pub(super) struct WholeLetter {
    /// Its Message-ID.
    pub id: String,
    /// The digest that binds it.
    pub digest: Digest,
    /// True if the letter can be read in one way only: its page has the same entries, blocks and
    /// foot as its text, it shows its pictures in the order in which they are bound, and it has no
    /// other visible parts.
    pub is_one: bool,
}

impl WholeLetter {
    fn of(campaign: &CampaignName, contents: &MailContents) -> Self {
        // Characters that HTML escapes mean nothing else in these lines.
        let page = contents.page.as_ref().map(|page| {
            let page = page.replace("&lt;", "<").replace("&gt;", ">");
            page.replace("&amp;", "&")
        });
        let text = parted(campaign, &contents.text);
        Self {
            id: contents.message_id.join(" "),
            digest: sheet::of_contents(campaign, contents).digest(),
            is_one: contents.is_plain
                && page.is_none_or(|page| {
                    let page = parted(campaign, &page);
                    page.proof == text.proof && contents.shows_pictures_in_order(&page.words)
                }),
        }
    }
}

/// All blocks and lines of a mail that bear on dice, with the campaigns that the blocks name.
pub(super) struct LetterTexts<'a> {
    pub mail: &'a ArchivedMail,
    /// The campaign whose host sent it as a letter.
    pub letter_of: Option<CampaignName>,
    /// The letter, if it was kept whole.
    pub whole: Option<WholeLetter>,
    pub entries: Vec<(CampaignName, Result<Entry, DiceError>)>,
    pub blocks: Vec<(CampaignName, Result<PrivateBlock, DiceError>)>,
    pub receipts: Vec<QuotedReceipt>,
    /// The lines `register <n> <head>`.
    pub feet: Vec<(u32, Digest)>,
}

impl<'a> LetterTexts<'a> {
    pub(super) fn read(mail: &'a ArchivedMail) -> Self {
        let all = std::iter::once(&mail.text).chain(&mail.attached);
        let entries = all.flat_map(|text| find_entries(text));
        let blocks = PrivateBlock::find(&mail.text).into_iter();
        let letter_of: Option<CampaignName> =
            (mail.campaign.as_ref()).and_then(|name| name.parse().ok());
        let whole = letter_of.as_ref().zip(mail.contents.as_ref());
        let mut texts = Self {
            mail,
            whole: whole.map(|(campaign, contents)| WholeLetter::of(campaign, contents)),
            letter_of,
            entries: entries.filter_map(named_entry).collect(),
            blocks: blocks.filter_map(named_block).collect(),
            receipts: Vec::new(),
            feet: Vec::new(),
        };
        texts.read_lines();
        texts
    }

    /// The campaigns with an entry in this mail, even one of an unknown type; a damaged entry
    /// counts for the campaign of its letter.
    pub(super) fn campaigns(&self) -> impl Iterator<Item = &CampaignName> {
        let counts = |(campaign, entry): &&(CampaignName, Result<Entry, DiceError>)| {
            let is_damaged = matches!(entry, Err(DiceError::Entry { .. }));
            !is_damaged || self.letter_of.as_ref() == Some(campaign)
        };
        let entries = self.entries.iter().filter(counts);
        entries.map(|(campaign, _)| campaign)
    }

    /// Receipts with their texts, and the feet.
    fn read_lines(&mut self) {
        let lines: Vec<&str> = self.mail.text.lines().map(unquoted).collect();
        for (index, line) in lines.iter().enumerate() {
            if let Ok(receipt) = line.parse::<Receipt>() {
                let (above, below) = (&lines[..index], &lines[index + 1..]);
                let texts = [above_text(above), below_text(below)]
                    .into_iter()
                    .flatten()
                    .collect();
                let letter = self.whole.as_ref().map(|whole| whole.digest);
                self.receipts.push(QuotedReceipt {
                    receipt,
                    texts,
                    letter,
                });
            }
            let foot = register::foot(line);
            self.feet.extend(foot.map(|foot| (foot.n, foot.head)));
        }
    }
}

fn named_entry(
    entry: Result<Entry, DiceError>,
) -> Option<(CampaignName, Result<Entry, DiceError>)> {
    let campaign = match &entry {
        Ok(entry) => entry.campaign.clone(),
        Err(error) => named_in(error)?,
    };
    Some((campaign, entry))
}

fn named_block(
    block: Result<PrivateBlock, DiceError>,
) -> Option<(CampaignName, Result<PrivateBlock, DiceError>)> {
    let campaign = match &block {
        Ok(block) => block.campaign.clone(),
        Err(error) => named_in(error)?,
    };
    Some((campaign, block))
}

/// The campaign that the first line of a damaged block names.
fn named_in(error: &DiceError) -> Option<CampaignName> {
    let (DiceError::Entry { heading, .. } | DiceError::UnknownType { heading }) = error else {
        return None;
    };
    heading.split(' ').nth(1)?.parse().ok()
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
