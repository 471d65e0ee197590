//! A campaign for tests, in the words of the people who play it: mails come, time passes,
//! dispatches go out.
//!
//! ```ignore
//! let mut test = Test::campaign("castiglione").deadlines("{zone: UTC, at: [Tue 20:00]}").begin();
//! test.mail("french", "NOTHING").clock("2026-11-24T20:00:00Z").run();
//! test.dispatch("austrian").contains("Movement");
//! ```
//!
//! Everything is fixed: the master, the clock, the names of the files. Two tests that do the same
//! have the same bytes.
pub mod browser;
pub mod cost;
mod dice;
pub mod forger;
mod letter;
mod mailbox;
pub mod mailserver;
mod play;
pub mod program;
mod public;
mod shipped;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use estafette::{
    campaign::{
        durable::{self, Campaign},
        model::{
            context::Context,
            settings::Settings,
            state::{CurrentWait, State},
        },
    },
    dice::{CampaignName, Master},
    game::{Disk, EmbeddedFiles, GameFiles, Layers},
    store::PinnedFiles,
};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

pub use dice::{MOMENT_42, ROUND_42, ROUND_1000, is_rolled, sealed_in, sealed_with, witness};
pub use letter::Letter;
pub use mailbox::{deposit, mail_to, tree};
pub use play::{
    decides, fed, is_refused, is_replayed, is_sound, mails_fit, pass, status, umpire, umpire_with,
};
pub use public::{ATTACK, asked, awaited, public_retreats, set_up_with};
pub use shipped::{shipped_game, shipped_with_bots};

/// When campaigns of tests begin.
pub const BEGINNING: &str = "2026-11-21T12:00:00Z";
/// The campaign's name.
pub const NAME: &str = "spring";

/// What a campaign is to be, before it is made.
pub struct Plan {
    name: &'static str,
    game: &'static str,
    scenario: &'static str,
    schedule: &'static str,
    questions: u32,
    options: Vec<(&'static str, &'static str)>,
    dice: String,
    beginning: &'static str,
    trust: Option<&'static str>,
    pictures: bool,
    more: &'static str,
    austrian: &'static str,
    /// The seats of a game for many, each with an address of its own name; none in a game for two.
    seats: &'static [&'static str],
    rules: Option<PathBuf>,
    games: Option<PathBuf>,
    data: Option<PathBuf>,
}

/// A campaign in a folder of its own.
pub struct Test {
    folder: TempDir,
    now: Timestamp,
    mails: u32,
}

/// A folder with a copy of the built-in rules, to plant errors in.
pub fn copied_rules() -> TempDir {
    copied("rules", &["lib", "castiglione"])
}

/// A copy of the built-in rules whose recovery phase begins with this statement.
pub fn rules_that_recover_with(statement: &str) -> TempDir {
    let rules = copied_rules();
    let file = rules.path().join("castiglione/recovery.rhai");
    let begins = "fn recovery() {\n";
    change(&file, begins, &format!("{begins}    {statement}\n"));
    rules
}

/// A folder with a copy of the built-in game, to plant errors in.
pub fn copied_games() -> TempDir {
    copied(
        "games",
        &["castiglione", "castiglione/scenarios", "castiglione/text"],
    )
}

/// A copy of these folders.
pub fn copied(root: &str, folders: &[&str]) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    for folder in folders {
        fs::create_dir_all(copy.path().join(folder)).unwrap();
        for file in fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap) {
            if file.file_type().unwrap().is_file() {
                fs::copy(file.path(), copy.path().join(folder).join(file.file_name())).unwrap();
            }
        }
    }
    copy
}

/// Changes a text in a file; the text must be there.
pub fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "`{from}` is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).unwrap();
}

impl Plan {
    /// The campaign's name, if it is not [`NAME`].
    pub fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// The scenario, if it is not the whole campaign.
    pub fn scenario(self, scenario: &'static str) -> Self {
        Self { scenario, ..self }
    }

    /// The schedule as `campaign.yaml` has it.
    pub fn deadlines(self, schedule: &'static str) -> Self {
        Self { schedule, ..self }
    }

    /// How many mails with questions a seat gets in a turn.
    pub fn questions(self, questions: u32) -> Self {
        Self { questions, ..self }
    }

    /// An option of the game.
    pub fn option(mut self, name: &'static str, value: &'static str) -> Self {
        self.options.push((name, value));
        self
    }

    /// The sources of the dice as `campaign.yaml` has them.
    pub fn dice(self, sources: &str) -> Self {
        Self {
            dice: sources.to_owned(),
            ..self
        }
    }

    /// What mails must have beside their token, as `campaign.yaml` has it.
    pub fn trust(self, asked: &'static str) -> Self {
        Self {
            trust: Some(asked),
            ..self
        }
    }

    /// With the maps in its letters, which take longer to draw than all else: for what people see
    /// of them, and where every byte that a seat is sent counts.
    pub fn with_pictures(self) -> Self {
        Self {
            pictures: true,
            ..self
        }
    }

    /// More lines of `campaign.yaml`.
    pub fn settings_line(self, more: &'static str) -> Self {
        Self { more, ..self }
    }

    /// A bot plays the Austrian seat: `bot:sensible`. Its letters are kept and not mailed.
    pub fn against(self, bot: &'static str) -> Self {
        Self {
            austrian: bot,
            ..self
        }
    }

    /// The seats, where there are more than two: each is played by whoever has its name, in
    /// English.
    pub fn seats(self, seats: &'static [&'static str]) -> Self {
        Self { seats, ..self }
    }

    /// When it begins, if not at [`BEGINNING`].
    pub fn beginning(self, beginning: &'static str) -> Self {
        Self { beginning, ..self }
    }

    /// A folder of rules that goes before the built-in ones.
    pub fn rules(self, folder: &Path) -> Self {
        Self {
            rules: Some(folder.to_owned()),
            ..self
        }
    }

    /// A folder of games that goes before the built-in ones.
    pub fn games(self, folder: &Path) -> Self {
        Self {
            games: Some(folder.to_owned()),
            ..self
        }
    }

    /// A folder of the owner's own numbers, laid over the game's.
    pub fn data(self, folder: &Path) -> Self {
        Self {
            data: Some(folder.to_owned()),
            ..self
        }
    }

    /// Makes the campaign.
    pub fn begin(self) -> Test {
        let folder = tempfile::tempdir().unwrap();
        let now: Timestamp = self.beginning.parse().unwrap();
        let name: CampaignName = self.name.parse().unwrap();
        let master = Master::simulated("test", &name);
        let root = folder.path().join("campaign");
        let bots = match self.austrian.starts_with("bot") {
            true => GameFiles::gather_bots(&self.layers(), self.game).unwrap(),
            false => GameFiles::default(),
        };
        let files = (&self.files(), &bots);
        Campaign::create_with_bots(&root, &self.settings(), files, &master, now).unwrap();
        Test {
            folder,
            now,
            mails: 0,
        }
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        let Self {
            name,
            game,
            scenario,
            schedule,
            questions,
            dice,
            beginning,
            austrian,
            ..
        } = self;
        let first = match *game {
            "novara" => "sardinian",
            "risorgimento" => "allied",
            _ => "french",
        };
        let two = format!(
            "- {{id: {first}, address: ada@example.org, lang: fr, name: Ada}}\n\
             - {{id: austrian, address: '{austrian}', lang: en, name: Bert}}\n"
        );
        let many =
            |seat: &&str| format!("- {{id: {seat}, address: {seat}@example.org, lang: en}}\n");
        let players = match self.seats {
            [] => two,
            seats => seats.iter().map(many).collect(),
        };
        let text = format!(
            "campaign: {name}\ngame: {game}\nscenario: {scenario}\n\
             seats:\n{players}\
             umpire: umpire@example.org\nhost: {{local: game, domain: example.org}}\nschedule: {schedule}\n\
             dice: {dice}\nquestions_per_turn: {questions}\ncreated: {beginning}\n"
        );
        let trust = self.trust.map(|asked| format!("trust: {asked}\n"));
        let pictures = format!("pictures: {}\n", self.pictures);
        let text = text + &pictures + &trust.unwrap_or_default() + self.more;
        let mut settings = Settings::parse(&text, Path::new("campaign.yaml")).unwrap();
        let options = self.options.iter();
        settings
            .options
            .extend(options.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        settings
    }

    fn files(&self) -> GameFiles {
        GameFiles::gather(&self.layers(), self.game).unwrap()
    }

    fn layers(&self) -> Layers {
        let mut disk = Disk::default();
        if let Some(rules) = &self.rules {
            disk = disk.rules(rules);
        }
        if let Some(games) = &self.games {
            disk = disk.games(games);
        }
        if let Some(data) = &self.data {
            disk = disk.data(data);
        }
        Layers(vec![Box::new(disk), Box::new(EmbeddedFiles)])
    }
}

impl Test {
    /// Begins the plan of a campaign: its Austrian player reads English, the other one French,
    /// orders close when all are in.
    pub fn campaign(game: &'static str) -> Plan {
        Plan {
            name: NAME,
            game,
            scenario: "campaign",
            schedule: "{zone: UTC}",
            options: Vec::new(),
            questions: 1,
            dice: "[{source: orders}]".to_owned(),
            beginning: BEGINNING,
            trust: None,
            pictures: false,
            more: "",
            austrian: "bert@example.org",
            seats: &[],
            rules: None,
            games: None,
            data: None,
        }
    }

    /// Lays its rules and data out as files in `pinned/`, as campaigns of earlier versions have
    /// them.
    pub fn with_rules_as_files(self) -> Self {
        let archive = self.root().join("pinned.tar.gz");
        let pinned = PinnedFiles::read(&archive).unwrap();
        pinned.write(&self.root().join("pinned")).unwrap();
        fs::remove_file(archive).unwrap();
        self
    }

    /// The campaign's directory.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("campaign")
    }

    /// The time of the test's clock.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Sets the clock.
    pub fn clock(&mut self, time: &str) -> &mut Self {
        self.now = time.parse().unwrap();
        self
    }

    /// Lets deadlines pass until the campaign is over; `at_each` may write before them.
    pub fn play_out(mut self, mut at_each: impl FnMut(&mut Self)) -> Self {
        for _ in 0..100 {
            if self.state().waiting == CurrentWait::Nothing {
                return self;
            }
            at_each(&mut self);
            self.now += SignedDuration::from_hours(48);
            self.run();
        }
        panic!("the campaign does not end");
    }

    /// A seat answers its newest mail with these words.
    pub fn mail(&mut self, seat: &str, words: &str) -> &mut Self {
        // An answer to a letter of the umpire goes to him, and not to the campaign.
        let letters = self.letters(seat);
        let mut addresses = letters.iter().rev().map(|letter| &letter.reply_to);
        let to = addresses.find(|to| to.starts_with("game+"));
        let to = to.expect("a letter that orders answer").clone();
        self.mail_at(seat, &to, words)
    }

    /// A seat writes these words to an address.
    pub fn mail_at(&mut self, seat: &str, to: &str, words: &str) -> &mut Self {
        let bytes = mail_to(seat, to, words, self.mails + 1);
        self.raw(&bytes)
    }

    /// Bytes arrive as a mail.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.mails += 1;
        deposit(&self.root(), self.mails, self.now, bytes);
        self
    }

    /// One pass of the host, as cron starts it. Gives what it says.
    pub fn run(&mut self) -> Vec<String> {
        let mut campaign = self.open();
        campaign.pass(self.now).unwrap().lines
    }

    /// The campaign, open for work. A program that another test starts at this moment may hold the
    /// lock with it for an instant.
    pub fn open(&self) -> Campaign {
        Campaign::open(&self.root(), Duration::from_secs(10)).unwrap()
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        durable::look(&self.root()).unwrap().2
    }

    /// Its engine and where it stands.
    pub fn context(&self) -> (Context, State) {
        let (_, context, state) = durable::look(&self.root()).unwrap();
        (context, state)
    }

    /// All letters to a recipient, in order.
    pub fn letters(&self, to: &str) -> Vec<Letter> {
        mailbox::letters(&self.root(), to)
    }

    /// The newest letter to a recipient.
    pub fn newest(&self, to: &str) -> Letter {
        self.letters(to)
            .pop()
            .unwrap_or_else(|| panic!("{to} has no letters"))
    }

    /// The newest dispatch of a seat: its last letter with a picture and a formatted text.
    pub fn dispatch(&self, seat: &str) -> Letter {
        let newest = self
            .letters(seat)
            .into_iter()
            .rev()
            // Receipts, which answer a mail, are pages too.
            .find(|it| it.html.is_some() && !it.header.contains("auto-replied"));
        newest.unwrap_or_else(|| panic!("{seat} has no dispatch"))
    }

    /// The journal's bytes.
    pub fn journal(&self) -> Vec<u8> {
        fs::read(self.root().join("journal.jsonl")).unwrap()
    }

    /// The journal's records of a kind, as JSON.
    pub fn records(&self, kind: &str) -> Vec<serde_json::Value> {
        let text = String::from_utf8(self.journal()).unwrap();
        let records = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        records.filter(|record| record["kind"] == kind).collect()
    }
}
