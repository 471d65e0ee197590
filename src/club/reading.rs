//! What the requests of a mail ask for. What they say about their sender becomes a new version of
//! his file.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::{
    catalogue,
    events::{PersonChange, PersonStep},
    people::{MOST_FURTHER, People, Person, PersonVersion, UnconfirmedAddress},
    request_words::{RequestVerb, RequestWord as W, WORDS},
    requests::{
        ClubRequest, MOST, ProfilePart, RequestFault, RequestLine, VerbLine, observed, switch,
        table_number,
    },
    settings::{ClubKeys, ClubSettings},
    state::{AnswerKind, ClubState, MemberNumber},
};
use crate::{
    campaign::{
        model::{clock::ClockZone, player_address::Address},
        words::{absence_lines::read_absence, errand_words::language, spelling::words_of},
    },
    digest::Digest,
    game::Lang,
    ids::SeatId,
    mail::{Incoming, check_address},
    orders::fold,
};

/// What is known of the club when a mail is judged, or a letter written.
#[derive(Clone, Copy)]
pub(super) struct KnownClub<'a> {
    pub settings: &'a ClubSettings,
    pub keys: &'a ClubKeys,
    pub state: &'a ClubState,
    pub people: &'a People,
}

/// A request with its line. The journal can't forget, so a line stands there only if each of its
/// words is one that the club knows; of any other only the verb does.
pub(super) fn line_of(line: &VerbLine<'_>, request: ClubRequest) -> RequestLine {
    let is_plain = |word: &String| WORDS.is(W::Table, word) || table_number(word).is_some();
    let is_known = match &request {
        // Why somebody is away stands in the line.
        ClubRequest::Profile { .. } | ClubRequest::Faulty { .. } | ClubRequest::Absent { .. } => {
            false
        }
        ClubRequest::TakeOver {
            seat: Some(seat), ..
        } => {
            let is_said = |word: &String| is_plain(word) || is_filler(word) || **seat == **word;
            line.behind.iter().all(is_said)
        }
        ClubRequest::NewTable { .. }
        | ClubRequest::Results { .. }
        | ClubRequest::Observe { .. }
        | ClubRequest::Letter { .. } => true,
        ClubRequest::Join { wishes, .. } if !wishes.is_empty() => true,
        _ => line.behind.iter().all(is_plain),
    };
    // What can't be told from the verb is not quoted at all: "RESULTS/byron".
    let is_divided = words_of(line.rest) == line.behind;
    let quoted = if is_known && is_divided {
        line.quoted()
    } else {
        line.verb_quoted()
    };
    RequestLine {
        line: quoted,
        request,
    }
}

/// Reading the requests of a mail, with what they say about its sender.
pub(super) struct RequestReading<'a> {
    pub club: KnownClub<'a>,
    pub now: Timestamp,
    /// The sender's file, once something in it has changed.
    pub person: Option<Person>,
}

/// Returns true for words that say nothing before a seat.
fn is_filler(word: &str) -> bool {
    [W::Table, W::As, W::Seat]
        .into_iter()
        .any(|filler| WORDS.is(filler, word))
}

impl KnownClub<'_> {
    /// Returns true if a member is the umpire, who sees everything: he takes no seat over.
    pub(super) fn umpires(&self, member: MemberNumber) -> bool {
        let umpire = self.settings.umpire.as_ref();
        let person = self.people.get(member);
        umpire.is_some_and(|umpire| person.is_some_and(|it| it.writes_from(umpire.as_str())))
    }
}

impl RequestReading<'_> {
    pub(super) fn requests(
        &mut self,
        lines: &[VerbLine<'_>],
        member: MemberNumber,
        proven: bool,
    ) -> Vec<RequestLine> {
        let mut requests: Vec<RequestLine> = Vec::new();
        for line in lines.iter().take(MOST) {
            let request = self.request(line, member, proven);
            requests.push(line_of(line, request));
        }
        if lines.len() > MOST
            && let Some(last) = requests.last_mut()
        {
            last.request = faulty("requests", RequestFault::TooMany, String::new());
        }
        if requests.is_empty() {
            requests.push(RequestLine {
                line: String::new(),
                request: ClubRequest::Help,
            });
        }
        requests
    }

    fn request(&mut self, line: &VerbLine<'_>, member: MemberNumber, proven: bool) -> ClubRequest {
        let number = || {
            let first = line.behind.iter().find(|word| !WORDS.is(W::Table, word));
            first
                .and_then(|word| table_number(word))
                .unwrap_or_default()
        };
        match line.verb {
            RequestVerb::Help => ClubRequest::Help,
            RequestVerb::Games => ClubRequest::Games,
            RequestVerb::Tables => ClubRequest::Tables,
            RequestVerb::Who => ClubRequest::Who {
                table: Some(number()).filter(|number| *number > 0),
            },
            RequestVerb::MyData => ClubRequest::MyData,
            RequestVerb::JoinClub => ClubRequest::JoinClub,
            RequestVerb::Yes => ClubRequest::Yes,
            RequestVerb::LeaveClub => ClubRequest::LeaveClub,
            RequestVerb::Back => ClubRequest::Back,
            RequestVerb::Results => self.results(line),
            RequestVerb::Observe => self.observe(line),
            RequestVerb::Letter => {
                let word = line.behind.first().and_then(|word| switch(word));
                ClubRequest::Letter {
                    on: word.unwrap_or(true),
                }
            }
            RequestVerb::Leave => ClubRequest::Leave { table: number() },
            RequestVerb::Close => ClubRequest::Close { table: number() },
            // Refused afterwards, whatever it asks for.
            _ if !proven => ClubRequest::Profile {
                about: ProfilePart::Name,
            },
            RequestVerb::Join => self.join(line, number()),
            RequestVerb::TakeOver => self.take_over(line, number(), member),
            RequestVerb::Absent => match read_absence(&line.behind) {
                None => faulty("absent", RequestFault::Form, String::new()),
                Some((written, _)) => match written.meant(self.now, self.zone_of(member).rules()) {
                    Ok(absence) => ClubRequest::Absent { absence },
                    Err(why) => faulty("absent", RequestFault::Days, why.to_owned()),
                },
            },
            RequestVerb::NewTable => match catalogue::plan(line, &self.zone_of(member)) {
                Ok(plan) => ClubRequest::NewTable {
                    plan: Box::new(plan),
                },
                Err((fault, about)) => faulty("new table", fault, about),
            },
            _ => self.profile(line, member),
        }
    }

    fn zone_of(&self, member: MemberNumber) -> ClockZone {
        let person = self.club.people.get(member);
        let zone = person.and_then(|person| person.zone.clone());
        zone.unwrap_or_else(|| self.club.settings.zone.clone())
    }

    /// To look on at a campaign, by the number of its table or by its name.
    fn observe(&self, line: &VerbLine<'_>) -> ClubRequest {
        let club = self.club.settings.club.as_str();
        match observed(&line.behind) {
            Some((name, table, on)) if name.is_empty() || name == fold(club) => {
                ClubRequest::Observe { table, on }
            }
            _ => faulty("observe", RequestFault::Form, String::new()),
        }
    }

    /// Results, of a game that ships or has been played here.
    fn results(&self, line: &VerbLine<'_>) -> ClubRequest {
        let Some(word) = line.parts().next() else {
            return ClubRequest::Results { game: None };
        };
        let played = self.club.state.tables.values();
        let played = played.map(|table| table.plan.game.clone());
        let known: BTreeSet<String> = catalogue::ids().into_iter().chain(played).collect();
        match known.iter().find(|id| fold(id) == fold(word)) {
            Some(id) => ClubRequest::Results {
                game: Some(id.clone()),
            },
            None => {
                let known: Vec<String> = known.into_iter().collect();
                faulty("results", RequestFault::NoGame, known.join(", "))
            }
        }
    }

    /// A seat of a table whose campaign goes on.
    fn take_over(&self, line: &VerbLine<'_>, table: u32, member: MemberNumber) -> ClubRequest {
        if self.club.umpires(member) {
            return faulty("take over", RequestFault::Umpire, String::new());
        }
        let known = self.club.state.tables.get(&table);
        let known = known.map_or(&[][..], |table| &table.plan.seats);
        let mut words = line.behind.iter().map(String::as_str);
        let passes = |word: &&str| !is_filler(word) && table_number(word) != Some(table);
        match words.find(passes) {
            None => ClubRequest::TakeOver { table, seat: None },
            Some(word) => match known.iter().find(|seat| seat.as_str() == word) {
                Some(seat) => ClubRequest::TakeOver {
                    table,
                    seat: Some(seat.clone()),
                },
                None => {
                    let known: Vec<&str> = known.iter().map(|seat| seat.as_str()).collect();
                    faulty("take over", RequestFault::NoSeat, known.join(", "))
                }
            },
        }
    }

    /// A wish for seats: they must be seats of the table's game.
    fn join(&self, line: &VerbLine<'_>, table: u32) -> ClubRequest {
        let Some(found) = self.club.state.tables.get(&table) else {
            return ClubRequest::Join {
                table,
                wishes: Vec::new(),
            };
        };
        let known = &found.plan.seats;
        let words = line.behind.iter().map(String::as_str);
        let is_between = |word: &str| {
            let mut between = [W::Table, W::As, W::And, W::Or].into_iter();
            between.any(|it| WORDS.is(it, word))
        };
        let words = words.filter(|word| !is_between(word));
        let wishes: Vec<&str> = words
            .filter(|word| table_number(word) != Some(table))
            .collect();
        let is_seat = |wish: &&str| known.iter().any(|seat| **seat == **wish);
        if !wishes.iter().all(is_seat) {
            let known: Vec<&str> = known.iter().map(|seat| seat.as_str()).collect();
            return faulty("join", RequestFault::NoSeat, known.join(", "));
        }
        let mut wanted: Vec<SeatId> = Vec::new();
        for wish in wishes {
            if !wanted.iter().any(|seat| **seat == *wish) {
                wanted.push(wish.into());
            }
        }
        ClubRequest::Join {
            table,
            wishes: wanted,
        }
    }

    fn profile(&mut self, line: &VerbLine<'_>, member: MemberNumber) -> ClubRequest {
        let Some(known) = self.club.people.get(member) else {
            return faulty("profile", RequestFault::Form, String::new());
        };
        let mut person = self.person.clone().unwrap_or_else(|| known.clone());
        let about = match set_part(&mut person, line) {
            Some(about) => about,
            None if line.verb == RequestVerb::Address => {
                match self.address(&mut person, line, member) {
                    Some(about) => about,
                    None => return faulty("address", RequestFault::Unfit, String::new()),
                }
            }
            None => return faulty(verb_key(line.verb), RequestFault::Form, String::new()),
        };
        self.person = Some(person);
        ClubRequest::Profile { about }
    }

    /// `ADDRESS new@x`, `ADDRESS ALSO new@x`, `ADDRESS NOT old@x`.
    fn address(
        &self,
        person: &mut Person,
        line: &VerbLine<'_>,
        member: MemberNumber,
    ) -> Option<ProfilePart> {
        let edges = ['<', '>', '.', ';', ':', '(', ')', '[', ']'];
        let parts = line.parts().map(|part| part.trim_matches(edges));
        let written = parts
            .filter(|part| part.contains('@'))
            .map(|part| part.strip_prefix("mailto:").unwrap_or(part));
        let address: Address = written.last()?.parse().ok()?;
        let says = |word| line.behind.iter().any(|it| WORDS.is(word, it));
        if says(W::Not) {
            let before = person.further.len();
            person.further.retain(|other| *other != address);
            return (person.further.len() < before).then_some(ProfilePart::AddressDropped);
        }
        let further = says(W::Also);
        let codes = AnswerKind::Codes(member);
        let is_fit = check_address(address.as_str()).is_ok()
            && !self.club.settings.mailbox.owns(address.as_str())
            && !self.club.people.is_taken(&address, member)
            && person.address != address
            && !(further && person.further.contains(&address))
            && (!further || person.further.len() < MOST_FURTHER)
            && self.club.state.may_answer(codes, self.now);
        if !is_fit {
            return None;
        }
        person.asked = Some(UnconfirmedAddress {
            address,
            code: self.next_version(member),
            further,
        });
        Some(if further {
            ProfilePart::FurtherAddress
        } else {
            ProfilePart::Address
        })
    }

    /// The file of a stranger who wants to become a member; none if his address can't be one.
    pub(super) fn apply_for(
        &mut self,
        lines: &[VerbLine<'_>],
        mail: &Incoming,
        lang: Lang,
    ) -> Result<Option<PersonChange>, String> {
        let Ok(address) = mail.from.email.parse::<Address>() else {
            return Ok(None);
        };
        let member = self.club.state.next_member();
        if check_address(address.as_str()).is_err() || self.club.people.is_taken(&address, member) {
            return Ok(None);
        }
        let mut person = Person::new(address.clone(), lang)?;
        person.set_name(mail.from.name.as_deref().unwrap_or_default());
        for line in lines {
            set_part(&mut person, line);
        }
        person.asked = Some(UnconfirmedAddress {
            address,
            code: 1,
            further: false,
        });
        self.person = Some(person);
        Ok(self.change(member))
    }

    /// The file of somebody who confirms an address from there.
    pub(super) fn confirm(&mut self, member: MemberNumber, from: &str) -> Option<PersonChange> {
        let mut person = self.club.people.get(member)?.clone();
        let asked = person.asked.take().filter(|asked| asked.address.is(from))?;
        if asked.further {
            person.further.push(asked.address);
        } else {
            person.further.retain(|other| *other != asked.address);
            person.address = asked.address;
        }
        self.person = Some(person);
        self.change_as(member, PersonStep::Confirmed)
    }

    /// The change of a file by the requests that were read; none if none changed it.
    pub(super) fn change(&self, member: MemberNumber) -> Option<PersonChange> {
        let (new, old) = (self.person.as_ref()?, self.club.people.get(member));
        let step = match old {
            None => PersonStep::Applied,
            Some(old) if new.asked != old.asked => PersonStep::AddressAsked,
            Some(_) => PersonStep::Changed,
        };
        self.change_as(member, step)
    }

    fn change_as(&self, member: MemberNumber, step: PersonStep) -> Option<PersonChange> {
        let text = self.person.as_ref()?.to_yaml().ok()?;
        Some(PersonChange {
            member,
            version: PersonVersion {
                version: self.next_version(member),
                digest: Digest::of(text.as_bytes()),
            },
            step,
        })
    }

    fn next_version(&self, member: MemberNumber) -> u32 {
        let member = self.club.state.members.get(&member);
        let person = member.and_then(|member| member.person);
        person.map_or(1, |person| person.version + 1)
    }
}

fn faulty(verb: &str, fault: RequestFault, about: String) -> ClubRequest {
    ClubRequest::Faulty {
        verb: verb.to_owned(),
        fault,
        about,
    }
}

fn verb_key(verb: RequestVerb) -> &'static str {
    match verb {
        RequestVerb::Language => "language",
        RequestVerb::Zone => "zone",
        _ => "name",
    }
}

/// Changes the part of a file that a line speaks of; none if it speaks of none, or can't be read.
fn set_part(person: &mut Person, line: &VerbLine<'_>) -> Option<ProfilePart> {
    Some(match line.verb {
        RequestVerb::Name => {
            person.set_name(line.rest);
            ProfilePart::Name
        }
        RequestVerb::Language => {
            person.lang = language(line.behind.first()?)?;
            ProfilePart::Language
        }
        RequestVerb::Zone => {
            person.zone = Some(line.parts().next()?.parse().ok()?);
            ProfilePart::Zone
        }
        RequestVerb::ShowAddress => {
            person.shows_address = true;
            ProfilePart::AddressShown
        }
        RequestVerb::HideAddress => {
            person.shows_address = false;
            ProfilePart::AddressHidden
        }
        _ => return None,
    })
}
