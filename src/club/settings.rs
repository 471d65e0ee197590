//! `club.yaml`: what the umpire decided when founding the club. Strict, like a campaign's settings.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    bounded::FileError,
    campaign::model::{clock::ClockZone, player_address::Address, settings::CampaignId},
    dice::{Key, Master},
    game::Lang,
    mail::Mailbox,
    store::{Blob, Directory, StoreError},
    yaml,
};

/// The longest name of a club: the names of its campaigns begin with it.
const LONGEST_NAME: usize = 16;

/// The settings of a club.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubSettings {
    /// Its name in addresses: `game+NAME@example.org`.
    pub club: CampaignId,
    /// Its title in letters; if empty, its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The mailbox of the host.
    pub mailbox: Mailbox,
    /// Where the umpire of the club is told of applications and troubles; he is also the umpire of
    /// its campaigns, where he does not play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub umpire: Option<Address>,
    /// The zone of those who name none.
    pub zone: ClockZone,
    /// The language of letters to strangers who do not show theirs, and to the umpire.
    pub lang: Lang,
    /// Who becomes a member.
    #[serde(default)]
    pub entry: EntryRule,
    /// Who may found tables.
    #[serde(default)]
    pub founders: FounderRule,
    /// So many days in a year a member's absences may move deadlines.
    #[serde(default = "six_weeks")]
    pub absence_days: u32,
    /// Who says that a member takes over a seat that looks for a player.
    #[serde(default)]
    pub takeover: TakeoverRule,
    /// The hour at which it writes by itself, by its zone: to the umpire what needs him, on the
    /// first of a month to the members what is new.
    #[serde(default = "seven")]
    pub letters_at: u8,
    /// True if its members get a letter each month.
    #[serde(default = "yes")]
    pub monthly: bool,
    /// The folder in which campaigns are begun; a relative path starts from the club's own.
    pub campaigns: PathBuf,
    /// When the club was founded.
    pub created: Timestamp,
}

/// Who becomes a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryRule {
    /// Whoever has confirmed his address.
    #[default]
    Anybody,
    /// Whom the umpire accepts after that.
    Umpire,
}

/// Who may found tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FounderRule {
    /// All members.
    #[default]
    Members,
    /// Members to whom the umpire has given it.
    Named,
}

/// Who says that a member takes over a seat that looks for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TakeoverRule {
    /// The umpire, where the club has one.
    #[default]
    Umpire,
    /// Nobody: the first who asks gets it.
    Anybody,
}

/// Days in a year for which a member's absences may move deadlines unless the umpire says
/// otherwise.
pub const ABSENCE_DAYS: u32 = 42;

/// The hour at which a club writes by itself unless its umpire says otherwise.
pub const LETTERS_AT: u8 = 7;

fn seven() -> u8 {
    LETTERS_AT
}

fn yes() -> bool {
    true
}

fn six_weeks() -> u32 {
    ABSENCE_DAYS
}

impl ClubSettings {
    /// The settings of a club.
    ///
    /// # Errors
    /// The environment; settings that can't be used.
    pub fn of(directory: &Directory) -> Result<Self, StoreError> {
        let path = directory.place(Blob::Club);
        let text = directory.fetch(Blob::Club)?;
        let text = text.ok_or_else(|| FileError::missing(&path))?;
        let wrong = |problem| StoreError::Settings {
            path: path.clone(),
            problem,
        };
        let settings: Self = yaml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        settings.check().map_err(wrong)?;
        Ok(settings)
    }

    /// The settings as YAML.
    ///
    /// # Errors
    /// [`StoreError::Unwritable`].
    pub fn to_yaml(&self) -> Result<String, StoreError> {
        serde_yaml::to_string(self).map_err(|error| StoreError::Unwritable {
            what: "settings",
            problem: error.to_string(),
        })
    }

    /// Checks that the parts fit together.
    ///
    /// # Errors
    /// What is wrong, naming the field.
    pub fn check(&self) -> Result<(), String> {
        let name = self.club.as_str();
        if name.len() > LONGEST_NAME {
            return Err(format!(
                "`club`: `{name}` is longer than {LONGEST_NAME} characters; campaigns are named after it"
            ));
        }
        if self.letters_at > 23 {
            return Err(format!(
                "`letters_at`: {} is no hour; write one from 0 to 23",
                self.letters_at
            ));
        }
        if let Some(umpire) = &self.umpire {
            crate::mail::check_address(umpire.as_str())
                .map_err(|why| format!("`umpire`: {why}"))?;
        }
        if !self.mailbox.fits(name, "m999999") {
            return Err(format!(
                "`club`: the reply addresses of `{name}` would have more than 64 characters before the @"
            ));
        }
        Ok(())
    }

    /// The title in letters.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.title.is_empty() {
            self.club.as_str()
        } else {
            &self.title
        }
    }

    /// The address to which anybody may write.
    #[must_use]
    pub fn address(&self) -> String {
        let Mailbox {
            local,
            domain,
            delimiter,
        } = &self.mailbox;
        format!("{local}{delimiter}{}@{domain}", self.club)
    }

    /// Returns true if an address is the club's own, to which anybody may write.
    #[must_use]
    pub fn is_at(&self, address: &str) -> bool {
        let bare = address.trim().trim_start_matches('<').trim_end_matches('>');
        bare.eq_ignore_ascii_case(&self.address())
    }

    /// What the journal binds.
    pub(super) fn terms(&self) -> ClubTerms {
        ClubTerms {
            club: self.club.clone(),
            entry: self.entry,
            founders: self.founders,
            umpire: self.umpire.is_some(),
            absence_days: self.absence_days,
            takeover: self.takeover,
        }
    }

    /// The folder in which campaigns are begun, for a club in this directory.
    #[must_use]
    pub fn campaigns_of(&self, root: &Path) -> PathBuf {
        root.join(&self.campaigns)
    }
}

/// The settings on which it depends what the journal leads to. It binds them with its first record;
/// where the umpire can be reached stands in the settings alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClubTerms {
    /// The club's name.
    pub club: CampaignId,
    /// Who becomes a member.
    pub entry: EntryRule,
    /// Who may found tables.
    pub founders: FounderRule,
    /// True if it has an umpire, who gets letters.
    pub umpire: bool,
    /// So many days in a year a member's absences may move deadlines.
    pub absence_days: u32,
    /// Who says that a member takes over a seat.
    pub takeover: TakeoverRule,
}

impl ClubTerms {
    /// Checks that these settings have the same terms.
    ///
    /// # Errors
    /// The field that has another value.
    pub(super) fn check(&self, settings: &ClubSettings) -> Result<(), String> {
        let now = settings.terms();
        let field = if now.club != self.club {
            "club"
        } else if now.entry != self.entry {
            "entry"
        } else if now.founders != self.founders {
            "founders"
        } else if now.umpire != self.umpire {
            "umpire"
        } else if now.absence_days != self.absence_days {
            "absence_days"
        } else if now.takeover != self.takeover {
            "takeover"
        } else {
            return Ok(());
        };
        Err(format!(
            "`{field}` is not what the club was founded with, and its journal depends on it; put it back"
        ))
    }
}

/// The secrets of a club.
#[derive(Clone, Debug)]
pub(super) struct ClubKeys {
    /// For the tokens in reply addresses.
    pub token: [u8; 32],
    /// For Message-IDs.
    pub message: [u8; 32],
    /// For what is kept of strangers' addresses.
    pub print: Key,
    /// For the draws of seats.
    pub draw: Key,
}

impl ClubKeys {
    /// Those that come from the club's secret.
    pub(super) fn of(master: &Master, club: &CampaignId) -> Self {
        let key = |purpose: &str| master.derived(&format!("estafette|club|{purpose}|{club}"));
        Self {
            token: key("token"),
            message: key("message"),
            print: Key::new(key("print")),
            draw: Key::new(key("draw")),
        }
    }
}
