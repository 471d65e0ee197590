//! The register: the public chain of entries, the same for everybody (dice.md, section 4).

use std::{collections::HashSet, fmt, str::FromStr};

use super::{
    entry::EntryBody,
    error::DiceError,
    hash::{Digest, hash},
    lines::{bare_lines, blocks},
    names::{CampaignName, number, ordinal},
};
use crate::by_text::written_as_text;

/// An entry of the register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The campaign.
    pub campaign: CampaignName,
    /// The entry's number, from 1.
    pub n: u32,
    /// The head of the previous entry, as this one states it.
    pub prev: Digest,
    /// The content of the entry.
    pub body: EntryBody,
    /// The entry's own head, as it states it. An entry from outside may state a wrong one: compare
    /// it with [`Entry::true_head`].
    pub head: Digest,
}

written_as_text!(Entry);

/// The line at the foot of every letter: `register <n> <head>`, the newest entry that has gone out.
/// Two players who compare it have compared everything. Before the first entry it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foot {
    /// The entry's number; 0 before the first.
    pub n: u32,
    /// The head: the digest of the entry.
    pub head: Digest,
}

written_as_text!(Foot);

impl Foot {
    /// Before the first entry.
    pub const NONE: Self = Self {
        n: 0,
        head: Digest::ZERO,
    };
}

impl Default for Foot {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Display for Foot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.n {
            0 => Ok(()),
            n => write!(f, "register {n} {}", self.head),
        }
    }
}

impl FromStr for Foot {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        if text.is_empty() {
            return Ok(Self::NONE);
        }
        foot(text).ok_or_else(|| {
            DiceError::malformed("the foot of a letter", text, "`register <n> <head>`")
        })
    }
}

impl Entry {
    /// The entry that follows another, or the first one.
    ///
    /// # Errors
    /// If the entry is a faulty opening, or would not read back as it is written (a bad seat name,
    /// say).
    pub fn after(
        last: Option<&Self>,
        campaign: CampaignName,
        body: EntryBody,
    ) -> Result<Self, DiceError> {
        let (n, prev) = last.map_or((1, Digest::ZERO), |last| (last.n + 1, last.head));
        let entry = Self::new(campaign, n, prev, body);
        if let EntryBody::Open(opening) = &entry.body
            && let Some(problem) = opening.fault()
        {
            return Err(DiceError::Entry {
                heading: entry.heading(),
                problem,
            });
        }
        Self::read(&entry.to_string().lines().collect::<Vec<_>>())?;
        Ok(entry)
    }

    /// The foot of letters that it goes out with.
    #[must_use]
    pub fn foot(&self) -> Foot {
        Foot {
            n: self.n,
            head: self.head,
        }
    }

    fn new(campaign: CampaignName, n: u32, prev: Digest, body: EntryBody) -> Self {
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
        hash(&self.above_head().to_string())
    }

    /// Number, stated head and true head: two entries of a campaign with the same three are the
    /// same.
    #[must_use]
    pub fn identity(&self) -> (u32, Digest, Digest) {
        (self.n, self.head, self.true_head())
    }

    /// The first line, which names the entry in messages.
    #[must_use]
    pub fn heading(&self) -> String {
        self.first_line().to_string()
    }

    fn first_line(&self) -> impl fmt::Display {
        fmt::from_fn(|f| write!(f, "sd1 {} {} {}", self.campaign, self.n, self.body.kind()))
    }

    fn above_head(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            write!(
                f,
                "{}\nprev {}\n{}",
                self.first_line(),
                self.prev,
                self.body
            )
        })
    }

    fn read(lines: &[&str]) -> Result<Self, DiceError> {
        Self::read_with_true_head(lines).map(|(entry, _)| entry)
    }

    /// An entry and its true head, which reading it makes anyway.
    fn read_with_true_head(lines: &[&str]) -> Result<(Self, Digest), DiceError> {
        let heading = lines.first().copied().unwrap_or_default();
        let fault = |problem: String| DiceError::Entry {
            heading: heading.to_owned(),
            problem,
        };
        let [_, prev, body @ .., head] = lines else {
            return Err(fault("it is too short".to_owned()));
        };
        if let Ok((.., kind)) = read_heading(heading)
            && !EntryBody::is_kind(kind)
        {
            return Err(DiceError::UnknownType {
                heading: heading.to_owned(),
            });
        }
        let entry = Self::from_parts(heading, prev, body, head)
            .map_err(|error| fault(error.to_string()))?;
        // One text for one meaning: an entry that would be written differently (order of lines,
        // repeated lines) is refused.
        let above = entry.above_head().to_string();
        let last = format!("{HEAD}{}", entry.head);
        let written = || above.lines().chain([last.as_str()]);
        match written().zip(lines).find(|(right, found)| right != *found) {
            Some((right, found)) => Err(fault(format!(
                "expected the line `{right}`, found `{found}`"
            ))),
            None if written().count() != lines.len() => {
                Err(fault("it has a line twice".to_owned()))
            }
            None => Ok((entry, hash(&above))),
        }
    }

    fn from_parts(heading: &str, prev: &str, body: &[&str], head: &str) -> Result<Self, DiceError> {
        let (campaign, n, kind) = read_heading(heading)?;
        Ok(Self {
            campaign,
            n,
            prev: read_hex("prev ", prev)?,
            body: EntryBody::read(kind, body)?,
            head: read_hex(HEAD, head)?,
        })
    }
}

impl FromStr for Entry {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        Self::read(&text.lines().collect::<Vec<_>>())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{HEAD}{}", self.above_head(), self.head)
    }
}

/// Campaign, number and type, even an unknown type, so that no entry can hide behind one.
pub(super) fn read_heading(line: &str) -> Result<(CampaignName, u32, &str), DiceError> {
    match line.split(' ').collect::<Vec<_>>().as_slice() {
        ["sd1", campaign, n, kind] => Ok((campaign.parse()?, ordinal(n)?, *kind)),
        _ => Err(DiceError::malformed(
            "the first line of an entry",
            line,
            "`sd1 <campaign> <n> <type>`",
        )),
    }
}

/// Returns true if it is the first line of an entry.
pub(super) fn is_heading(line: &str) -> bool {
    // Hardly any line is one, and an error costs more than a look at the line's first letters.
    line.starts_with("sd1 ") && read_heading(line).is_ok()
}

/// Returns true if it is the last line of an entry.
pub(super) fn is_head(line: &str) -> bool {
    line.starts_with(HEAD) && read_hex(HEAD, line).is_ok()
}

/// The name of the file with the entry of this first line. The file goes out with letters, for
/// readers whose mail program breaks lines. None if it is no first line.
#[must_use]
pub fn file_name(heading: &str) -> Option<String> {
    let (campaign, n, _) = read_heading(heading).ok()?;
    Some(format!("register-{campaign}-{n}.txt"))
}

/// Returns true if an attached text is nothing but an entry of this campaign, in a file with its
/// name. Its content may be wrong: it counts like any entry, and is judged as one.
pub(super) fn is_entry_file(campaign: &CampaignName, name: &str, text: &str) -> bool {
    let lines: Vec<&str> = bare_lines(text).collect();
    let [heading, body @ .., head] = lines.as_slice() else {
        return false;
    };
    let is_own = read_heading(heading).is_ok_and(|(written, ..)| written == *campaign);
    let is_named = file_name(heading).is_some_and(|expected| expected == name);
    is_own
        && is_named
        && is_head(head)
        && !body.iter().any(|line| is_heading(line) || is_head(line))
}

/// The number and head in the foot of a letter, `register <n> <head>`.
#[must_use]
pub fn foot(line: &str) -> Option<Foot> {
    let (n, head) = line.strip_prefix("register ")?.split_once(' ')?;
    Some(Foot {
        n: number(n).ok()?,
        head: head.parse().ok()?,
    })
}

/// What the last line of an entry begins with.
const HEAD: &str = "head ";

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

/// All known entries of a campaign, in the order of their numbers.
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

    /// Reads the entries of one campaign from a text: a register file, or pasted mails with quotes
    /// and other text in between. Copies of one entry count once; two *different* entries with one
    /// number are both kept, for the audit to find. Malformed entries are returned as errors.
    #[must_use]
    pub fn read(campaign: &CampaignName, text: &str) -> (Self, Vec<DiceError>) {
        let mut register = Self::new(campaign.clone());
        let mut errors = Vec::new();
        let mut known = HashSet::new();
        for block in blocks(text, is_heading, is_head) {
            match block.and_then(|lines| Entry::read_with_true_head(&lines)) {
                Ok((entry, true_head)) => {
                    let identity = (entry.n, entry.head, true_head);
                    if entry.campaign == *campaign && known.insert(identity) {
                        register.entries.push(entry);
                    }
                }
                Err(error) => errors.push(error),
            }
        }
        register.entries.sort_by_key(|entry| entry.n);
        (register, errors)
    }

    /// Appends an entry with the next number.
    ///
    /// # Errors
    /// If the entry is a faulty opening, or would not read back as it is written (a bad seat name,
    /// say).
    pub fn append(&mut self, body: EntryBody) -> Result<&Entry, DiceError> {
        let entry = Entry::after(self.entries.last(), self.campaign.clone(), body)?;
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
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries
            .iter()
            .try_for_each(|entry| write!(f, "{entry}"))
    }
}

/// All entries in a text, well formed or not, in the order of the text.
#[must_use]
pub fn find_entries(text: &str) -> Vec<Result<Entry, DiceError>> {
    blocks(text, is_heading, is_head)
        .into_iter()
        .map(|block| block.and_then(|lines| Entry::read(&lines)))
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dice::{
        beacon::Beacon,
        entry::{DiceEntry, Note, Opening, Seal},
        form::Form,
        hash::Key,
        keys::BoundText,
        names::Lane,
        source::{Source, SourceValue},
    };

    fn opening() -> Opening {
        Opening {
            rules: hash("rules"),
            form: Form::Letters,
            seats: vec!["red".into(), "blue".into()],
            chain: 1000,
            anchors: ["open", "shut", "red", "blue", "red+blue"]
                .map(|lane| (lane.parse().unwrap(), hash(lane)))
                .to_vec(),
            sources: vec![
                Source::Drand(Beacon::quicknet(3600).unwrap()),
                Source::Witness {
                    name: "ada".into(),
                    anchor: hash("ada"),
                },
            ],
        }
    }

    fn sample() -> Register {
        let mut register = Register::new("club-07".parse().unwrap());
        let orders = vec![("red".into(), hash("r")), ("blue".into(), hash("b"))];
        let sealed = "2026-11-21T20:00:00Z".parse().unwrap();
        register.append(EntryBody::Open(opening())).unwrap();
        register
            .append(EntryBody::Note(
                Note::new("Ada's deadline: one day more.").unwrap(),
            ))
            .unwrap();
        register
            .append(EntryBody::Seal(Seal {
                envelope: 1,
                sealed,
                round: Some(27_946_612),
                orders,
            }))
            .unwrap();
        let values = vec![
            SourceValue::Drand {
                round: 27_946_612,
                signature: "ab".repeat(48).parse().unwrap(),
            },
            SourceValue::Witness {
                name: "ada".into(),
                token: None,
            },
        ];
        let binds = vec![
            (BoundText::Ledger, hash("l")),
            (BoundText::Dispatch("red".into()), hash("d")),
        ];
        let rolls = vec!["roll 1 open t1/a#1 2d6 = 3 4".parse().unwrap()];
        let open_key = Some(Key::new([1; 32]));
        register
            .append(EntryBody::Dice(DiceEntry {
                envelope: 1,
                values,
                open_key,
                binds,
                rolls,
            }))
            .unwrap();
        register
    }

    #[test]
    fn a_register_is_read_as_written() {
        let register = sample();
        assert_eq!(
            Register::read(register.campaign(), &register.to_string()),
            (register.clone(), Vec::new())
        );
        assert_eq!(
            register.entries()[3].foot().to_string(),
            format!("register 4 {}", register.head())
        );
        for foot in [Foot::NONE, register.entries()[3].foot()] {
            assert_eq!(foot.to_string().parse(), Ok(foot));
        }
        assert!("register 4".parse::<Foot>().is_err());
    }

    #[test]
    fn entries_are_found_in_quoted_mails_in_any_order_and_twice() {
        let register = sample();
        let mut mails = String::new();
        for entry in register.entries().iter().rev() {
            let quoted: String = entry
                .to_string()
                .lines()
                .map(|line| format!("> > {line} \t\r\n\r\n"))
                .collect();
            mails.push_str(&format!("Bert wrote:\n{quoted}Thanks!\n{entry}-- \n"));
        }
        assert_eq!(
            Register::read(register.campaign(), &mails),
            (register.clone(), Vec::new())
        );
        let other = "other".parse().unwrap();
        assert!(Register::read(&other, &mails).0.entries().is_empty());
    }

    #[test]
    fn entries_of_another_form_are_refused() {
        let text = sample().entries()[2].to_string();
        for (right, wrong) in [
            ("round 27946612\n", "round 27946612\nround 27946612\n"),
            (
                "envelope 1\nsealed 2026-11-21T20:00:00Z\n",
                "sealed 2026-11-21T20:00:00Z\nenvelope 1\n",
            ),
            ("envelope 1\n", ""),
            ("envelope 1\n", "envelope 01\n"),
            ("orders red", "orders  red"),
            ("orders red", "weather red"),
            ("prev ", "Prev "),
        ] {
            let changed = text.replace(right, wrong);
            assert_ne!(changed, text);
            let found = find_entries(&changed);
            assert!(
                matches!(found.as_slice(), [Err(DiceError::Entry { .. })]),
                "{changed}"
            );
        }
        let cut = text.replace("head ", "tail ");
        assert!(matches!(
            find_entries(&cut).as_slice(),
            [Err(DiceError::Entry { .. })]
        ));
    }

    #[test]
    fn faulty_openings_are_not_appended() {
        let append = |change: fn(&mut Opening)| {
            let mut opening = opening();
            change(&mut opening);
            Register::new("c".parse().unwrap())
                .append(EntryBody::Open(opening))
                .is_ok()
        };
        assert!(append(|_| {}));
        assert!(!append(|opening| opening.sources.clear()));
        assert!(!append(|opening| opening.chain = 0));
        assert!(!append(|opening| opening.seats.push("red".into())));
        assert!(!append(|opening| opening.seats.swap(0, 1)));
        assert!(!append(|opening| opening.anchors.truncate(3)));
        assert!(!append(|opening| opening
            .anchors
            .push(("blue+red".parse::<Lane>().unwrap(), Digest::ZERO))));
        assert!(!append(|opening| {
            opening.seats[1] = "Blue".into();
        }));
    }

    #[test]
    fn notes_are_one_line() {
        for wrong in ["", " a", "a\nb", "a\u{2028}b", &"x".repeat(236)] {
            assert!(Note::new(wrong).is_err(), "{wrong:?}");
        }
        assert!(Note::new(&"ö".repeat(235)).is_ok());
    }

    proptest! {
        #[test]
        fn any_note_is_refused_or_kept(text in "\\PC{1,60}|[a-z>#| \t\n-]{1,20}") {
            if let Ok(note) = Note::new(&text) {
                let mut register = Register::new("c".parse().unwrap());
                register.append(EntryBody::Note(note)).unwrap();
                prop_assert_eq!(Register::read(register.campaign(), &register.to_string()), (register.clone(), vec![]));
            }
        }

        #[test]
        fn no_change_of_a_byte_breaks_the_reader_or_stays_unseen(place in 0..2000_usize, byte in 0x20..0x7f_u8) {
            let register = sample();
            let mut bytes = register.to_string().into_bytes();
            let place = place % bytes.len();
            let same = bytes[place] == byte || bytes[place] == b'\n';
            if !same { bytes[place] = byte; }
            let (read, errors) = Register::read(register.campaign(), &String::from_utf8(bytes).unwrap());
            let sound = read.entries().iter().all(|entry| entry.head == entry.true_head());
            prop_assert!(same == (sound && errors.is_empty() && read == register));
        }

        #[test]
        fn no_text_breaks_the_reader(lines in prop::collection::vec(
            "sd1 c [0-9]{1,2} (open|seal|dice|note|end)|prev [0-9a-f]{64}|head [0-9a-f]{64}|(source|drandkey|seats|chain|anchor|roll|key|text|master|bind|orders)( [a-z0-9+/-]{1,9}){0,4}|\\PC{0,20}", 0..12
        )) {
            let _ = Register::read(&"c".parse().unwrap(), &lines.join("\n"));
        }
    }
}
