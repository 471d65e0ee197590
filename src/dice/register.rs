//! The register: the public chain of entries, alike for everybody (dice.md, section 4).

use std::fmt;

use super::{
    entry::Body,
    error::DiceError,
    hash::{Digest, hash},
    lines::blocks,
    names::{CampaignName, ordinal},
};

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The campaign.
    pub campaign: CampaignName,
    /// The entry's number, from 1.
    pub n: u32,
    /// The head of the entry before, as this one states it.
    pub prev: Digest,
    /// What it says.
    pub body: Body,
    /// The entry's own head, as it states it. An entry from outside may state a wrong one: compare
    /// [`Entry::true_head`].
    pub head: Digest,
}

impl Entry {
    fn new(campaign: CampaignName, n: u32, prev: Digest, body: Body) -> Self {
        let unsigned = Self {
            campaign,
            n,
            prev,
            body,
            head: Digest::ZERO,
        };
        Self {
            head: unsigned.true_head(),
            ..unsigned
        }
    }

    /// `H` of all lines above the head.
    #[must_use]
    pub fn true_head(&self) -> Digest {
        hash(&self.above_head())
    }

    /// The first line, which names the entry in messages.
    #[must_use]
    pub fn heading(&self) -> String {
        format!("sd1 {} {} {}", self.campaign, self.n, self.body.kind())
    }

    fn above_head(&self) -> String {
        format!("{}\nprev {}\n{}", self.heading(), self.prev, self.body)
    }

    fn read(lines: &[&str]) -> Result<Self, DiceError> {
        let heading = lines.first().copied().unwrap_or_default();
        let fault = |problem: String| DiceError::Entry {
            heading: heading.to_owned(),
            problem,
        };
        let [_, prev, body @ .., head] = lines else {
            return Err(fault("it is too short".to_owned()));
        };
        let entry = Self::from_parts(heading, prev, body, head)
            .map_err(|error| fault(error.to_string()))?;
        // One text for one meaning: whatever would be written otherwise (order of lines, repeated lines) is refused.
        let written = entry.to_string();
        match written
            .lines()
            .zip(lines)
            .find(|(right, found)| right != *found)
        {
            Some((right, found)) => Err(fault(format!(
                "expected the line `{right}`, found `{found}`"
            ))),
            None if written.lines().count() != lines.len() => {
                Err(fault("it has a line twice".to_owned()))
            }
            None => Ok(entry),
        }
    }

    fn from_parts(heading: &str, prev: &str, body: &[&str], head: &str) -> Result<Self, DiceError> {
        let (campaign, n, kind) = read_heading(heading)?;
        Ok(Self {
            campaign,
            n,
            prev: read_hex("prev ", prev)?,
            body: Body::read(kind, body)?,
            head: read_hex("head ", head)?,
        })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}head {}", self.above_head(), self.head)
    }
}

fn read_heading(line: &str) -> Result<(CampaignName, u32, &str), DiceError> {
    match line.split(' ').collect::<Vec<_>>().as_slice() {
        ["sd1", campaign, n, kind] if Body::is_kind(kind) => {
            Ok((campaign.parse()?, ordinal(n)?, *kind))
        }
        _ => Err(DiceError::malformed(
            "the first line of an entry",
            line,
            "`sd1 <campaign> <n> <type>`",
        )),
    }
}

fn read_hex(word: &'static str, line: &str) -> Result<Digest, DiceError> {
    line.strip_prefix(word)
        .unwrap_or_default()
        .parse()
        .map_err(|_| {
            DiceError::malformed(
                "a line of an entry",
                line,
                "`prev <64 hexadecimal digits>`, at the end `head <...>`",
            )
        })
}

/// All entries of a campaign that are known, in the order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    campaign: CampaignName,
    entries: Vec<Entry>,
}

impl Register {
    /// A register without entries.
    #[must_use]
    pub fn new(campaign: CampaignName) -> Self {
        Self {
            campaign,
            entries: Vec::new(),
        }
    }

    /// Reads the entries of one campaign from a text: a register file, or pasted mails with quotes and other text
    /// between. Copies of one entry count once; two *different* entries with one number are both kept, for the audit
    /// to find. Entries that are not well formed are returned as errors.
    #[must_use]
    pub fn read(campaign: &CampaignName, text: &str) -> (Self, Vec<DiceError>) {
        let mut register = Self::new(campaign.clone());
        let mut errors = Vec::new();
        for entry in find_entries(text) {
            match entry {
                Ok(entry) if entry.campaign == *campaign && !register.entries.contains(&entry) => {
                    register.entries.push(entry);
                }
                Ok(_) => {}
                Err(error) => errors.push(error),
            }
        }
        register.entries.sort_by_key(|entry| entry.n);
        (register, errors)
    }

    /// Adds an entry with the next number.
    ///
    /// # Errors
    /// When the entry is an opening with a fault, or would not be read again as it is written (a bad seat name, say).
    pub fn append(&mut self, body: Body) -> Result<&Entry, DiceError> {
        let n = self.entries.last().map_or(1, |last| last.n + 1);
        let entry = Entry::new(self.campaign.clone(), n, self.head(), body);
        if let Body::Open(opening) = &entry.body
            && let Some(problem) = opening.fault()
        {
            return Err(DiceError::Entry {
                heading: entry.heading(),
                problem,
            });
        }
        Entry::read(&entry.to_string().lines().collect::<Vec<_>>())?;
        let place = self.entries.len();
        self.entries.push(entry);
        Ok(&self.entries[place])
    }

    /// The campaign.
    #[must_use]
    pub fn campaign(&self) -> &CampaignName {
        &self.campaign
    }

    /// The entries, by number.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The head of the newest entry; zeros before the first.
    #[must_use]
    pub fn head(&self) -> Digest {
        self.entries.last().map_or(Digest::ZERO, |entry| entry.head)
    }

    /// The line for the foot of every mail: `register <n> <head>`. Two players who compare it have compared all.
    #[must_use]
    pub fn foot(&self) -> String {
        format!(
            "register {} {}",
            self.entries.last().map_or(0, |entry| entry.n),
            self.head()
        )
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries
            .iter()
            .try_for_each(|entry| write!(f, "{entry}"))
    }
}

/// All entries that stand in a text, well formed or not, in the order of the text.
#[must_use]
pub fn find_entries(text: &str) -> Vec<Result<Entry, DiceError>> {
    let is_head = |line: &str| read_hex("head ", line).is_ok();
    blocks(text, |line| read_heading(line).is_ok(), is_head)
        .into_iter()
        .map(|block| block.and_then(|lines| Entry::read(&lines)))
        .collect()
}
