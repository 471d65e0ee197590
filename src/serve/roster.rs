//! The roster: all campaigns of a host, and those that a mail is for.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    campaign::{
        durable::{CampaignError, host_files::moved},
        model::{seats::Address, settings::Settings},
    },
    club::{ClubError, ClubSettings},
    mail::{AutoReason, Claim, Incoming, MailLimits, Mailbox, MessageName, SeatClue, claims, read},
    store::Directory,
};

/// A campaign of the host, as its settings have it.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its directory.
    pub directory: Directory,
    /// Its settings.
    pub settings: Arc<Settings>,
    /// The server whose `Authentication-Results` count for campaigns that name none: the host's.
    pub results_of: Option<String>,
}

impl Member {
    /// Reads a campaign's settings.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(root: &Path) -> Result<Self, CampaignError> {
        let directory = Directory::find(root)?;
        let settings = Arc::new(Settings::of(&directory)?);
        Ok(Self {
            directory,
            settings,
            results_of: None,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.settings.campaign.as_str()
    }

    /// Its mailbox.
    #[must_use]
    pub fn mailbox(&self) -> &Mailbox {
        &self.settings.mailbox
    }

    /// Its letter box.
    #[must_use]
    pub fn letter_box(&self) -> LetterBox<'_> {
        LetterBox {
            name: self.name(),
            mailbox: self.mailbox(),
            directory: &self.directory,
        }
    }

    /// Returns true if somebody with a part in it has this address; `moved` are the addresses of
    /// players who have moved.
    fn knows(&self, email: &str, moved: Option<&[Address]>) -> bool {
        let settings = &self.settings;
        let plays = match moved {
            Some(addresses) => addresses.iter().any(|address| address.is(email)),
            None => settings.seats.at(email).next().is_some(),
        };
        plays
            || settings
                .all_umpires()
                .any(|umpire| umpire.address.is(email))
            || settings
                .witnesses()
                .any(|witness| witness.address.is(email))
    }
}

/// The club of the host, as its settings have it.
#[derive(Clone, Debug)]
pub struct ClubPlace {
    /// Its directory.
    pub directory: Directory,
    /// Its settings.
    pub settings: ClubSettings,
}

impl ClubPlace {
    /// Reads a club's settings.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(root: &Path) -> Result<Self, ClubError> {
        let directory = Directory::open_club(root)?;
        let settings = ClubSettings::of(&directory)?;
        Ok(Self {
            directory,
            settings,
        })
    }
}

/// Whatever has an inbox and outboxes: a campaign, or the club.
#[derive(Clone, Copy, Debug)]
pub struct LetterBox<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its mailbox.
    pub mailbox: &'a Mailbox,
    /// Its directory.
    pub directory: &'a Directory,
}

/// All campaigns of the host, and its club.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// The campaigns, in the order of their directories.
    pub members: Vec<Member>,
    /// The club; its place is behind the last campaign's.
    pub club: Option<ClubPlace>,
    /// Their mailboxes, each once.
    mailboxes: Vec<Mailbox>,
}

/// Where a mail belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailRoute {
    /// Into the inboxes of these campaigns, by their places in the roster.
    To(Vec<usize>),
    /// To nobody; it is put aside for this reason.
    Aside(&'static str),
}

impl Roster {
    /// Reads the settings of all campaigns. Those that can't be read are returned apart, with their
    /// errors.
    #[must_use]
    pub fn read(directories: &[PathBuf]) -> (Self, Vec<(PathBuf, String)>) {
        let (mut members, mut wrong): (Vec<Member>, _) = (Vec::new(), Vec::new());
        for root in directories {
            match Member::read(root) {
                Err(error) => wrong.push((root.clone(), error.to_string())),
                Ok(member) => match members.iter().find(|other| other.name() == member.name()) {
                    Some(other) => wrong.push((
                        root.clone(),
                        format!(
                            "{} is called `{}` too, so that mails can't tell them apart; leave one of them out",
                            other.directory.root().display(),
                            member.name()
                        ),
                    )),
                    None => members.push(member),
                },
            }
        }
        let mut mailboxes: Vec<Mailbox> = Vec::new();
        for mailbox in members.iter().map(Member::mailbox) {
            if !mailboxes.contains(mailbox) {
                mailboxes.push(mailbox.clone());
            }
        }
        let roster = Self {
            members,
            club: None,
            mailboxes,
        };
        (roster, wrong)
    }

    /// Like `read`, for a host with this server for `Authentication-Results`.
    #[must_use]
    pub fn trusting(mut self, server: Option<&str>) -> Self {
        for member in &mut self.members {
            member.results_of = server.map(str::to_owned);
        }
        self
    }

    /// Like `read`, for a host with this club.
    #[must_use]
    pub fn with_club(mut self, club: Option<ClubPlace>) -> Self {
        if let Some(club) = &club
            && !self.mailboxes.contains(&club.settings.mailbox)
        {
            self.mailboxes.push(club.settings.mailbox.clone());
        }
        if let Some(club) = &club {
            let name = club.settings.club.as_str();
            if self.members.iter().any(|member| member.name() == name) {
                tracing::warn!(
                    name,
                    "a campaign is called like the club, and gets the answers to the club's letters"
                );
            }
        }
        self.club = club;
        self
    }

    /// How many places there are: one for each campaign, and one for the club.
    #[must_use]
    pub fn places(&self) -> usize {
        self.members.len() + usize::from(self.club.is_some())
    }

    /// The place of the club.
    #[must_use]
    pub fn club_place(&self) -> Option<usize> {
        self.club.as_ref().map(|_| self.members.len())
    }

    /// The letter box at a place.
    #[must_use]
    pub fn letter_box(&self, place: usize) -> Option<LetterBox<'_>> {
        match (self.members.get(place), &self.club) {
            (Some(member), _) => Some(member.letter_box()),
            (None, Some(club)) if place == self.members.len() => Some(LetterBox {
                name: club.settings.club.as_str(),
                mailbox: &club.settings.mailbox,
                directory: &club.directory,
            }),
            _ => None,
        }
    }

    /// A router for the mails of one batch.
    #[must_use]
    pub fn router(&self) -> Router<'_> {
        Router {
            roster: self,
            moved: OnceCell::new(),
        }
    }

    fn named(&self, campaign: &str) -> Option<usize> {
        self.members
            .iter()
            .position(|member| member.name() == campaign)
            .or_else(|| {
                let club = self.club.as_ref()?;
                let place = self.club_place()?;
                (club.settings.club.as_str() == campaign).then_some(place)
            })
    }
}

/// Sorts the mails of one batch. It reads where players have moved to once for all mails, and not
/// at all if every mail names its campaign.
#[derive(Debug)]
pub struct Router<'a> {
    roster: &'a Roster,
    /// For each campaign the addresses of its players, if any of them has moved.
    moved: OnceCell<Vec<Option<Vec<Address>>>>,
}

impl Router<'_> {
    /// Which campaigns a mail is for. They judge which seat it speaks for, and whether it may.
    #[must_use]
    pub fn route(&self, bytes: &[u8]) -> MailRoute {
        let limits = MailLimits::default();
        // A mail that is too large still goes to its campaign, which will say so.
        let bytes = bytes.get(..limits.bytes).unwrap_or(bytes);
        // The header is enough, and quick to read whatever follows it.
        let Ok(mail) = read(header(bytes), &limits) else {
            return MailRoute::Aside("it can't be read as a mail");
        };
        let report = matches!(mail.automatic, Some(AutoReason::DeliveryReport(_)));
        // A report says in its body what it is about.
        let whole = report.then(|| read(bytes, &limits).ok()).flatten();
        let mail = whole.unwrap_or(mail);
        match &mail.automatic {
            Some(AutoReason::OwnMail(_)) => {
                return MailRoute::Aside("it is one of our own letters");
            }
            Some(AutoReason::DeliveryReport(report)) => {
                let about = report.about.as_deref().and_then(MessageName::parse);
                let of = about.and_then(|name| self.roster.named(&name.campaign));
                return of.map_or(MailRoute::Aside("a report on no letter of ours"), |place| {
                    MailRoute::To(vec![place])
                });
            }
            _ => {}
        }
        match self.claimed(&mail) {
            Some((route, SeatClue::Address)) => route,
            // An answer to a campaign's letter stays one if the club is to read it, too.
            Some((MailRoute::To(mut places), SeatClue::Thread)) if self.is_for_club(&mail) => {
                places.push(self.roster.members.len());
                places.dedup();
                MailRoute::To(places)
            }
            _ if self.is_for_club(&mail) => MailRoute::To(vec![self.roster.members.len()]),
            Some((route, _)) => route,
            None if self.names_another(&mail) => {
                MailRoute::Aside("its address names a campaign that this host does not know")
            }
            None => self.by_sender(&mail),
        }
    }

    /// The route by what the mail says: every campaign that an address names, else that of the
    /// newest letter that it answers, else those in its subject.
    fn claimed(&self, mail: &Incoming) -> Option<(MailRoute, SeatClue)> {
        let mut found: Vec<(usize, SeatClue)> = Vec::new();
        for mailbox in &self.roster.mailboxes {
            let of = |claim: &Claim| {
                let place = self.roster.named(&claim.campaign)?;
                let at = self.roster.letter_box(place)?;
                (at.mailbox == mailbox).then_some((place, claim.by))
            };
            found.extend(claims(mail, mailbox).iter().filter_map(of));
        }
        let best = found.iter().map(|(_, how)| *how).min()?;
        let mut places: Vec<usize> = found
            .iter()
            .filter(|(_, how)| *how == best)
            .map(|(place, _)| *place)
            .collect();
        places.sort_unstable();
        places.dedup();
        if best == SeatClue::Thread {
            let newest = mail.in_reply_to.iter().chain(mail.references.iter().rev());
            let named = newest
                .filter_map(|id| MessageName::parse(id))
                .find_map(|name| self.roster.named(&name.campaign));
            places = named.into_iter().collect();
        }
        Some((MailRoute::To(places), best))
    }

    /// Returns true if a mail was sent to the club's own address.
    fn is_for_club(&self, mail: &Incoming) -> bool {
        let club = self.roster.club.as_ref();
        club.is_some_and(|club| {
            let mut to = mail.recipients.iter();
            to.any(|address| club.settings.is_at(address))
        })
    }

    /// Returns true if an address of the mail names a campaign that is not in the roster: perhaps
    /// one being made, and no other may answer for it.
    fn names_another(&self, mail: &Incoming) -> bool {
        let mut claims = (self.roster.mailboxes.iter()).flat_map(|mailbox| claims(mail, mailbox));
        claims.any(|claim| {
            claim.by == SeatClue::Address && self.roster.named(&claim.campaign).is_none()
        })
    }

    /// The route by its sender, if that player has a part in only one campaign: its answer says
    /// what is missing.
    fn by_sender(&self, mail: &Incoming) -> MailRoute {
        let members = &self.roster.members;
        let moved = self.moved.get_or_init(|| {
            // If the file can't be read, the settings count until the campaign is opened again,
            // which rewrites the file.
            let of = |member: &Member| {
                moved(&member.directory).unwrap_or_else(|error| {
                    tracing::error!(campaign = member.name(), "addresses are not read: {error}");
                    None
                })
            };
            members.iter().map(of).collect()
        });
        let knows = |(_, (member, moved)): &(usize, (&Member, &Option<Vec<Address>>))| {
            member.knows(&mail.from.email, moved.as_deref())
        };
        let known = members.iter().zip(moved).enumerate().filter(knows);
        let mut places = known.map(|(place, _)| place);
        match (places.next(), places.next()) {
            (Some(only), None) => MailRoute::To(vec![only]),
            (Some(_), Some(_)) => {
                MailRoute::Aside("it names no campaign, and its sender plays in several")
            }
            _ => MailRoute::Aside("it names no campaign of this host"),
        }
    }
}

/// The header of a mail, with the blank line behind it.
fn header(bytes: &[u8]) -> &[u8] {
    let (mut end, mut begun) = (0, false);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        let is_blank = matches!(line, b"\n" | b"\r\n");
        if is_blank && begun {
            break;
        }
        begun |= !is_blank;
    }
    bytes.get(..end).unwrap_or(bytes)
}
