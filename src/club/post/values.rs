//! What letters may say of members, tables and games: values for their templates.

use jiff::{Timestamp, tz::TimeZone};
use minijinja::{Value, context};

use super::ClubWriter;
use crate::{
    campaign::model::{
        absence::AbsenceAct,
        clock::Deadlines,
        errands::{PressRules, PressTime},
    },
    club::{
        apply::{ClubPlan, RequestOutcome, campaign_of},
        observing::watched,
        people::Person,
        requests::{ClubRequest, RequestLine},
        settings::FounderRule,
        state::{ClubReader, MemberNumber, MemberStanding},
        table::{ClubTable, TablePlan, TableStanding},
    },
    game::{Lang, said},
};

impl ClubWriter<'_> {
    /// What a letter may say of a member to himself and to the umpire.
    pub(super) fn member_value(&self, member: MemberNumber) -> Value {
        let entry = self.club.state.members.get(&member);
        let standing = match entry.map(|entry| entry.standing) {
            Some(MemberStanding::Applicant) => "applicant",
            Some(MemberStanding::Waiting) => "waiting",
            Some(MemberStanding::Member) => "member",
            Some(MemberStanding::Left) | None => "left",
        };
        let may_found = entry.is_some_and(|entry| entry.may_found)
            || self.club.settings.founders == FounderRule::Members;
        let person = self.club.people.get(member);
        context! {
            member => member.to_string(),
            standing,
            may_found,
            name => self.name(member),
            own_address => person.map(|person| person.address.to_string()),
        }
    }

    /// A member as others may know him.
    fn name(&self, member: MemberNumber) -> String {
        self.club.people.shown(member)
    }

    pub(super) fn entry(
        &self,
        reader: ClubReader,
        RequestLine { line, request }: &RequestLine,
        outcome: RequestOutcome,
        lang: Lang,
    ) -> Value {
        let (outcome, number) = match outcome {
            RequestOutcome::Done(number) => ("done", number),
            RequestOutcome::NotDone(why) => (why, None),
        };
        let more = match request {
            ClubRequest::Help => context! { kind => "help" },
            ClubRequest::Games => context! { kind => "games", games => self.games(lang) },
            ClubRequest::Tables => context! {
                kind => "tables",
                tables => self.open_tables(lang),
                seats => self.offers(lang),
            },
            ClubRequest::Who { table: None } => {
                context! { kind => "members", members => self.members() }
            }
            ClubRequest::Who {
                table: Some(number),
            } => {
                let table = self.club.state.tables.get(number);
                context! {
                    kind => "who",
                    table => number,
                    known => table.is_some(),
                    players => table.map(|table| self.players(table)),
                }
            }
            ClubRequest::MyData => context! { kind => "my_data", ..self.data(reader) },
            ClubRequest::JoinClub => context! { kind => "join_club" },
            ClubRequest::Yes => context! { kind => "yes" },
            ClubRequest::LeaveClub => context! { kind => "leave_club" },
            ClubRequest::Profile { about } => {
                context! { kind => "profile", about => key_of(about) }
            }
            ClubRequest::NewTable { .. } => {
                let table =
                    number.and_then(|number| Some((number, self.club.state.tables.get(&number)?)));
                let table = table.map(|(number, table)| self.table(number, table, lang));
                context! { kind => "new_table", table }
            }
            ClubRequest::Join { table, wishes } => {
                let missing = self.club.state.tables.get(table).map(ClubTable::missing);
                context! { kind => "join", table, wishes => texts(wishes), missing }
            }
            ClubRequest::Leave { table } => context! { kind => "leave", table },
            ClubRequest::Close { table } => context! { kind => "close", table },
            ClubRequest::Absent { .. } => context! { kind => "absent", ..self.absence(reader) },
            ClubRequest::Back => context! { kind => "back" },
            ClubRequest::Observe { table, on } => {
                let rule = self.club.state.tables.get(table);
                let rule = rule.and_then(|table| watched(&table.plan.observers));
                context! { kind => "observe", table, on, observers => rule }
            }
            ClubRequest::Letter { on } => context! { kind => "letter", on },
            ClubRequest::Results { game } => {
                context! { kind => "results", ..self.results(reader, game.as_deref(), lang) }
            }
            ClubRequest::TakeOver { table, seat } => context! {
                kind => "take_over",
                table,
                seat => seat.as_ref().map(ToString::to_string),
                offered => self.club.state.tables.get(table).map(offered),
            },
            ClubRequest::Faulty { verb, fault, about } => context! {
                kind => "faulty",
                verb,
                fault => key_of(fault),
                about,
            },
        };
        context! { line, outcome, ..more }
    }

    fn games(&self, lang: Lang) -> Vec<Value> {
        let games = self.catalogue.games().iter().map(|game| {
            let scenarios = game.scenarios.iter();
            let scenarios = scenarios
                .map(|(id, title)| context! { id => id.as_str(), title => said(title, lang) });
            let rosters = game.rosters.iter().map(|(name, seats)| {
                context! { name => name.as_str(), seats => texts(seats) }
            });
            context! {
                id => game.id.as_str(),
                title => said(&game.title, lang),
                scenarios => scenarios.collect::<Vec<_>>(),
                rosters => rosters.collect::<Vec<_>>(),
            }
        });
        games.collect()
    }

    pub(in crate::club) fn open_tables(&self, lang: Lang) -> Vec<Value> {
        let tables = self.club.state.open_tables();
        tables
            .map(|(number, table)| self.table(number, table, lang))
            .collect()
    }

    /// Seats of campaigns that look for another player.
    pub(in crate::club) fn offers(&self, lang: Lang) -> Vec<Value> {
        let tables = self.club.state.tables.iter();
        let tables = tables.filter(|(_, table)| table.offered().next().is_some());
        let tables = tables.map(|(number, table)| {
            let (title, scenario) = self.titles(&table.plan, lang);
            context! { number, title, scenario, seats => offered(table) }
        });
        tables.collect()
    }

    /// When a member is away, and how many days of the year are left.
    fn absence(&self, reader: ClubReader) -> Value {
        let ClubReader::Member(member) = reader else {
            return context! {};
        };
        let zone = self.club.people.get(member);
        let zone = zone.and_then(|person| person.zone.as_ref());
        let zone = zone.unwrap_or(&self.club.settings.zone).rules();
        let (now, most) = (self.record.time, self.club.settings.absence_days);
        let entry = self.club.state.members.get(&member);
        let absence = entry.and_then(|entry| entry.absence(now));
        context! {
            from => absence.map(|absence| in_words(absence.from, zone)),
            until => absence.map(|absence| in_words(absence.until, zone)),
            acts => absence.map(|absence| match &absence.acts {
                AbsenceAct::Waits => "waits",
                AbsenceAct::StandingOrders => "standing",
                AbsenceAct::Bot(_) => "bot",
            }),
            days => most,
            left => entry.map(|entry| most.saturating_sub(entry.days_away(now))),
        }
    }

    fn table(&self, number: u32, table: &ClubTable, lang: Lang) -> Value {
        let ClubTable { plan, .. } = table;
        let (title, scenario) = self.titles(plan, lang);
        let (hours, at) = match plan.schedule.deadlines() {
            Deadlines::WhenAllIn { most_hours } => (*most_hours, String::new()),
            Deadlines::Fixed { at, .. } => {
                let at: Vec<String> = at.iter().map(ToString::to_string).collect();
                (None, at.join(", "))
            }
        };
        let PressRules { goes, grey } = plan.press;
        context! {
            number,
            game => plan.game.as_str(),
            title,
            scenario,
            roster => plan.roster.as_deref(),
            seats => texts(&plan.seats),
            bots => texts(&plan.bots),
            hours,
            at,
            zone => plan.schedule.zone().iana_name(),
            press => match goes {
                PressTime::Never => "never",
                PressTime::AtOnce => "at_once",
                PressTime::WithDispatches => "with_dispatches",
            },
            grey,
            absences => plan.absence.days,
            observers => watched(&plan.observers),
            options => plan.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>(),
            founder => self.name(table.founder),
            players => self.players(table),
            missing => table.missing(),
            anchor => table.anchor.to_string(),
            campaign => campaign_of(self.club.settings, number),
        }
    }

    pub(in crate::club) fn titles(&self, plan: &TablePlan, lang: Lang) -> (String, String) {
        let Some(game) = self.catalogue.game(&plan.game) else {
            return (plan.game.clone(), plan.scenario.clone());
        };
        let mut scenarios = game.scenarios.iter();
        let scenario = scenarios.find(|(id, _)| *id == plan.scenario);
        let scenario = scenario.map_or(plan.scenario.as_str(), |(_, title)| said(title, lang));
        (said(&game.title, lang).to_owned(), scenario.to_owned())
    }

    fn players(&self, table: &ClubTable) -> Vec<Value> {
        let wishes = |at: usize| -> Vec<String> {
            let player = table.players.get(at).into_iter();
            player
                .flat_map(|player| &player.wishes)
                .map(ToString::to_string)
                .collect()
        };
        let players = table.players.iter().enumerate().map(|(at, player)| {
            context! { name => self.name(player.member), wishes => wishes(at) }
        });
        players.collect()
    }

    /// The members, with the addresses of those who show theirs.
    fn members(&self) -> Vec<Value> {
        let members = self.club.state.members.iter();
        let members = members.filter(|(_, member)| member.standing == MemberStanding::Member);
        let shown = |person: &Person| person.shows_address.then(|| person.address.to_string());
        members
            .map(|(number, _)| {
                let address = self.club.people.get(*number).and_then(shown);
                context! { name => self.name(*number), address }
            })
            .collect()
    }

    /// All that is kept of a member.
    fn data(&self, reader: ClubReader) -> Value {
        let ClubReader::Member(member) = reader else {
            return context! { known => false };
        };
        let (Some(entry), Some(person)) = (
            self.club.state.members.get(&member),
            self.club.people.get(member),
        ) else {
            return context! { known => false };
        };
        let tables = self.club.state.tables.iter();
        let tables = tables.filter(|(_, table)| table.concerns(member));
        let tables = tables.map(|(number, table)| {
            let standing = match &table.standing {
                TableStanding::Open => "open",
                TableStanding::Full(_) => "full",
                TableStanding::Begun(..) => "begun",
                TableStanding::Closed => "closed",
                TableStanding::Failed => "failed",
            };
            context! { number, standing, campaign => campaign_of(self.club.settings, *number) }
        });
        let zone = person
            .zone
            .as_ref()
            .map_or(&self.club.settings.zone, |zone| zone);
        context! {
            known => true,
            person_name => person.name.as_str(),
            own_address => person.address.to_string(),
            further => person.further.iter().map(ToString::to_string).collect::<Vec<_>>(),
            asked => person.asked.as_ref().map(|asked| asked.address.to_string()),
            language => person.lang.code(),
            zone => zone.to_string(),
            shows => person.shows_address,
            letter => !entry.no_letter,
            since => in_words(entry.since, zone.rules()),
            mails => entry.files.len(),
            letters => self.club.state.letters.get(&reader).copied().unwrap_or(0),
            returned => entry.returned,
            away => self.absence(reader),
            tables => tables.collect::<Vec<_>>(),
        }
    }

    /// A table whose standing has changed, for somebody who has joined it, or the umpire.
    pub(super) fn table_value(
        &self,
        number: u32,
        what: &str,
        plan: &ClubPlan,
        lang: Lang,
    ) -> Value {
        let Some(table) = self.club.state.tables.get(&number) else {
            return context! { what };
        };
        let drawn = match &table.standing {
            TableStanding::Full(drawn) | TableStanding::Begun(drawn, _) => Some(drawn),
            _ => None,
        };
        let seated = drawn.map(|drawn| {
            let seated = drawn.seated.iter();
            let seated = seated.map(|(member, seat)| {
                context! { name => self.name(*member), seat => seat.as_str() }
            });
            seated.collect::<Vec<_>>()
        });
        let own = drawn.and_then(|drawn| {
            let mut seated = drawn.seated.iter();
            let own = seated.find(|(member, _)| ClubReader::Member(*member) == plan.to);
            own.map(|(_, seat)| seat.to_string())
        });
        let joined = drawn.map(|drawn| drawn.joined.lines().map(str::to_owned).collect::<Vec<_>>());
        context! {
            what,
            table => self.table(number, table, lang),
            seated,
            own,
            joined,
            drawn => drawn.map(|drawn| {
                let seated = drawn.seated.iter();
                seated.map(|(member, seat)| format!("{member} {seat}")).collect::<Vec<_>>()
            }),
            key => drawn.map(|drawn| drawn.key.clone()),
        }
    }
}

fn texts(names: &[impl ToString]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// The seats of a table that look for another player.
fn offered(table: &ClubTable) -> Vec<String> {
    table.offered().map(ToString::to_string).collect()
}

/// A value by the name that it has in the journal.
fn key_of(value: &impl serde::Serialize) -> Option<String> {
    let value = serde_json::to_value(value).ok()?;
    value.as_str().map(str::to_owned)
}

/// A moment, the same in all languages.
fn in_words(at: Timestamp, zone: &TimeZone) -> String {
    at.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}
