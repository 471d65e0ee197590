//! A club in a folder of its own, and people who write to it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use estafette::{
    campaign::durable::Campaign,
    club::{Club, ClubSettings, EntryRule, FounderRule, TakeoverRule},
    dice::Master,
    game::Lang,
    mail::{Parts, maildir::Maildir, parts},
};
use jiff::{SignedDuration, Timestamp};

/// A club, whose clock goes on by a minute with each mail.
pub struct ClubHouse {
    pub folder: tempfile::TempDir,
    pub now: Timestamp,
    mails: u32,
}

/// The settings of a club in this folder.
pub fn settings(folder: &Path, name: &str) -> ClubSettings {
    ClubSettings {
        club: name.parse().unwrap(),
        title: "The Tuesday Club".to_owned(),
        mailbox: "game@example.org".parse().unwrap(),
        umpire: Some("umpire@example.org".parse().unwrap()),
        zone: "Europe/Paris".parse().unwrap(),
        lang: Lang::En,
        entry: EntryRule::Anybody,
        founders: FounderRule::Members,
        absence_days: 42,
        takeover: TakeoverRule::Umpire,
        letters_at: 7,
        monthly: true,
        campaigns: folder.join("campaigns"),
        created: "2026-11-21T12:00:00Z".parse().unwrap(),
    }
}

/// A mail as a person's program writes it.
pub fn mail(from: &str, to: &str, text: &str, number: u32) -> Vec<u8> {
    let text = text.replace('\n', "\r\n");
    format!(
        "From: {from}\r\nTo: <{to}>\r\nSubject: hello\r\nDate: Sat, 21 Nov 2026 12:00:00 +0000\r\n\
         Message-ID: <{number}@players.example>\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    )
    .into_bytes()
}

impl ClubHouse {
    /// A member confirms a further address. Gives the recipient of its code.
    pub fn writes_from_too(&mut self, member: &str, address: &str) -> String {
        let letters = self.answer(member, &format!("ADDRESS ALSO {address}"));
        let mut letters = letters.into_iter();
        let code = letters.find(|(_, it)| it.subject.contains("Is this your address"));
        let (to, code) = code.unwrap();
        self.send(&format!("<{address}>"), &code.reply_to.unwrap(), "YES");
        to
    }

    pub fn new() -> Self {
        Self::with(|_| ())
    }

    pub fn with(change: impl FnOnce(&mut ClubSettings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = settings(folder.path(), "tuesday");
        change(&mut settings);
        let name = "tuesday".parse().unwrap();
        let master = Master::simulated("a club", &name);
        let now = settings.created;
        Club::found(&folder.path().join("club"), &settings, &master, now).unwrap();
        Self {
            folder,
            now,
            mails: 0,
        }
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("club")
    }

    pub fn open(&self) -> Club {
        Club::open(&self.root(), Duration::from_secs(5)).unwrap()
    }

    /// Lets time pass.
    pub fn wait(&mut self, hours: i64) -> &mut Self {
        self.now = self
            .now
            .checked_add(SignedDuration::from_hours(hours))
            .unwrap();
        self
    }

    /// Puts bytes into the inbox, and has a pass. Returns the letters that it brought.
    pub fn give(&mut self, bytes: &[u8]) -> Vec<(String, Parts)> {
        let before = self.letters();
        self.now = self.now.checked_add(SignedDuration::from_mins(1)).unwrap();
        self.mails += 1;
        let inbox = Maildir::on_demand(self.root().join("inbox"));
        inbox.put(&format!("{:06}", self.mails), bytes).unwrap();
        self.open().pass(self.now).unwrap();
        let mut letters = self.letters();
        letters.retain(|letter| !before.contains(letter));
        letters
    }

    /// A mail from somebody to an address.
    pub fn send(&mut self, from: &str, to: &str, text: &str) -> Vec<(String, Parts)> {
        let number = self.mails + 1;
        self.give(&mail(from, to, text, number))
    }

    /// A mail to the club's own address.
    pub fn write(&mut self, from: &str, text: &str) -> Vec<(String, Parts)> {
        self.send(from, "game+tuesday@example.org", text)
    }

    /// All letters with their readers' addresses, in the order of outboxes and numbers.
    pub fn letters(&self) -> Vec<(String, Parts)> {
        let mut outboxes: Vec<PathBuf> = fs::read_dir(self.root().join("outbox"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        outboxes.sort();
        let mut letters = Vec::new();
        for outbox in outboxes {
            for folder in ["done", "new"] {
                let files = fs::read_dir(outbox.join(folder)).into_iter().flatten();
                for file in files {
                    let bytes = fs::read(file.unwrap().path()).unwrap();
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let to = text
                        .lines()
                        .find_map(|line| line.strip_prefix("To: "))
                        .unwrap();
                    letters.push((to.trim().to_owned(), parts(&bytes).unwrap()));
                }
            }
        }
        letters.sort_by_key(|(_, letter)| {
            let id = letter.message_id.clone().unwrap_or_default();
            let number = id
                .split('.')
                .nth(2)
                .and_then(|number| number.parse::<u64>().ok());
            (id.split('.').nth(1).unwrap_or_default().to_owned(), number)
        });
        letters
    }

    /// All letters have gone.
    pub fn sent(&self) {
        for outbox in fs::read_dir(self.root().join("outbox")).unwrap() {
            let outbox = Maildir::at(outbox.unwrap().path());
            outbox.all_done(&outbox.unprocessed().unwrap()).unwrap();
        }
    }

    /// The newest letter to an address.
    pub fn newest(&self, address: &str) -> Parts {
        let mut letters = self.letters();
        letters.retain(|(to, _)| to.contains(address));
        letters
            .pop()
            .unwrap_or_else(|| panic!("no letter to {address}"))
            .1
    }

    /// An answer to the newest letter to an address.
    pub fn answer(&mut self, from: &str, text: &str) -> Vec<(String, Parts)> {
        let address = from
            .rsplit_once('<')
            .map_or(from, |(_, address)| address.trim_end_matches('>'));
        let to = self.newest(address).reply_to.unwrap();
        self.send(from, &to, text)
    }

    /// Somebody who becomes a member.
    pub fn join_club(&mut self, from: &str) -> &mut Self {
        assert_eq!(self.write(from, "JOIN CLUB").len(), 1);
        self.answer(from, "Yes");
        self
    }

    /// The directory of a table's campaign.
    pub fn campaign(&self, table: u32) -> PathBuf {
        let folder = self.folder.path().join("campaigns");
        folder.join(format!("tuesday-{table}"))
    }

    /// A table's campaign has its pass, and then the club.
    pub fn pass_campaign(&self, table: u32) {
        let root = self.campaign(table);
        let mut campaign = Campaign::open(&root, Duration::from_secs(10)).unwrap();
        campaign.pass(self.now).unwrap();
        drop(campaign);
        self.open().pass(self.now).unwrap();
    }

    /// A seat answers the newest letter of its campaign, an hour later.
    pub fn orders(&mut self, table: u32, seat: &str, words: &str) {
        // Orders that are in close, and bring letters with other tokens.
        self.wait(1).pass_campaign(table);
        let folder = self.campaign(table).join("outbox").join(seat).join("new");
        let letters = fs::read_dir(folder).unwrap();
        let letters = letters.map(|file| fs::read(file.unwrap().path()).unwrap());
        let letters = letters.filter(|bytes| parts(bytes).unwrap().reply_to.is_some());
        let newest = letters.max_by_key(|bytes| {
            let id = parts(bytes).unwrap().message_id.unwrap();
            id.split('.').nth(2).unwrap().parse::<u64>().unwrap()
        });
        let bytes = newest.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let from = text.lines().find_map(|line| line.strip_prefix("To: "));
        let (from, newest) = (from.unwrap().trim(), parts(&bytes).unwrap());
        let number = u32::try_from(self.now.as_second() % 1_000_000).unwrap();
        let bytes = mail(from, newest.reply_to.as_ref().unwrap(), words, number);
        let inbox = Maildir::on_demand(self.campaign(table).join("inbox"));
        inbox.put(&format!("{number:06}"), &bytes).unwrap();
        self.pass_campaign(table);
    }

    /// Everything on the disk, as text.
    pub fn everything(&self) -> String {
        fn add(path: &Path, all: &mut String) {
            for entry in fs::read_dir(path).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    add(&path, all);
                } else {
                    all.push_str(&format!("{}\n", path.display()));
                    all.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap()));
                }
            }
        }
        let mut all = String::new();
        add(&self.root(), &mut all);
        all
    }

    pub fn journal(&self) -> String {
        fs::read_to_string(self.root().join("journal.jsonl")).unwrap()
    }
}
