//! Writes letters. Their words are in `templates/`; what they say of a member others may know.

use jiff::{Timestamp, tz::TimeZone};
use minijinja::{Value, context};

use super::{
    apply::{ClubNews, ClubPlan, RequestOutcome, campaign_of},
    catalogue::Catalogue,
    events::ClubEvent,
    judge::{CONFIRMING, MailOrigin},
    observing::{ToldSheets, pictures, watched},
    people::Person,
    reading::KnownClub,
    requests::{ClubRequest, RequestLine},
    settings::FounderRule,
    state::{ClubReader, MOST_RETURNED, MemberNumber, MemberStanding},
    table::{ClubTable, TablePlan, TableStanding},
};
use crate::{
    campaign::model::{
        absence::AbsenceAct,
        clock::Deadlines,
        errands::{PressRules, PressTime},
    },
    dispatch::{self, LetterText},
    game::{Lang, said},
    mail::{
        AutoSubmitted, MessageName, NamedAddress, Outgoing, ReadyMail, ReplyAddress, Token,
        WriteError, render_surely,
    },
    store::Record,
};

/// Writes the letters of an event. Whoever is not reachable gets none. A letter that can't be built
/// is left out: the event is on record, and the club must go on.
pub(super) fn write(
    club: KnownClub<'_>,
    catalogue: &Catalogue,
    record: &Record<ClubEvent>,
    plans: &[ClubPlan],
    (origin, sheets): (Option<&MailOrigin>, &ToldSheets),
) -> Vec<ReadyMail> {
    let writer = ClubWriter {
        club,
        catalogue,
        record,
        origin,
        sheets,
    };
    let letter = |plan: &ClubPlan| {
        writer.letter(plan).unwrap_or_else(|_| {
            // What is wrong would name an address.
            tracing::error!(to = %plan.to, number = plan.number, "a letter can't be built");
            None
        })
    };
    plans.iter().filter_map(letter).collect()
}

pub(super) struct ClubWriter<'a> {
    pub club: KnownClub<'a>,
    catalogue: &'a Catalogue,
    record: &'a Record<ClubEvent>,
    origin: Option<&'a MailOrigin>,
    /// What those who look on are told.
    sheets: &'a ToldSheets,
}

impl ClubWriter<'_> {
    fn letter(&self, plan: &ClubPlan) -> Result<Option<ReadyMail>, WriteError> {
        let Some((to, lang)) = self.reader(plan) else {
            return Ok(None);
        };
        let sheet = match &plan.news {
            ClubNews::Observed(table, sheet) => {
                let Some(sheet) = self.sheets.get(&(*table, sheet.clone())) else {
                    return Ok(None);
                };
                Some(sheet)
            }
            _ => None,
        };
        let settings = self.club.settings;
        let club = settings.club.as_str();
        let words = self.words(plan, lang);
        let seat = plan.to.to_string();
        let id = MessageName {
            campaign: club.to_owned(),
            seat: seat.clone(),
            number: plan.number,
            mark: self.club.mark(plan.to, plan.number),
            domain: settings.mailbox.domain.clone(),
        };
        let answers = match &plan.news {
            ClubNews::Answer { .. } | ClubNews::Code { .. } => {
                self.origin.and_then(|origin| origin.message_id.clone())
            }
            _ => None,
        };
        let named = |email| NamedAddress {
            name: Some(settings.title().to_owned()),
            email,
        };
        let foot = format!("register {} {}\n", self.record.n, self.record.head);
        let shown = sheet.map_or_else(String::new, |sheet| format!("\n\n{}", sheet.text.trim()));
        let mut mail = Outgoing {
            campaign: club.to_owned(),
            from: named(settings.mailbox.to_string()),
            to,
            reply_to: Some(named(self.reply_address(plan))),
            subject: words.subject,
            message_id: id.to_string(),
            date: self.record.time,
            in_reply_to: answers.clone(),
            references: answers.iter().cloned().collect(),
            auto_submitted: match answers {
                Some(_) => AutoSubmitted::Replied,
                None => AutoSubmitted::Generated,
            },
            text: format!("{}{shown}\n\n{foot}", words.text.trim_end_matches('\n')),
            html: None,
            images: sheet.map(pictures).unwrap_or_default(),
            attachments: Vec::new(),
        };
        Ok(Some(ReadyMail {
            to: seat,
            key: id.to_string(),
            bytes: render_surely(&mut mail)?,
        }))
    }

    /// Where a letter goes, and its language; none if it can't go there.
    fn reader(&self, plan: &ClubPlan) -> Option<(NamedAddress, Lang)> {
        let settings = self.club.settings;
        match plan.to {
            ClubReader::Umpire => {
                let email = settings.umpire.as_ref()?.to_string();
                Some((NamedAddress { name: None, email }, settings.lang))
            }
            ClubReader::Stranger => {
                let ClubNews::Answer { lang, .. } = plan.news else {
                    return None;
                };
                Some((self.origin?.from.clone(), lang))
            }
            ClubReader::Member(member) => {
                let person = self.club.people.get(member)?;
                let mut to = person.in_header();
                if matches!(plan.news, ClubNews::Code { .. }) {
                    // Nobody has a stranger written to with words of his own.
                    to.name = None;
                    to.email = person.asked.as_ref()?.address.to_string();
                    return Some((to, person.lang));
                }
                let returned = self.club.state.members.get(&member)?.returned;
                (returned < MOST_RETURNED).then_some((to, person.lang))
            }
        }
    }

    /// Where answers to a letter go.
    fn reply_address(&self, plan: &ClubPlan) -> String {
        let settings = self.club.settings;
        let (seat, number) = match (plan.to, &plan.news) {
            (ClubReader::Member(member), ClubNews::Code { .. }) => {
                let person = self.club.people.get(member);
                let asked = person.and_then(|person| person.asked.as_ref());
                let code = asked.map_or(0, |asked| u64::from(asked.code));
                (format!("{CONFIRMING}{}", member.0), code)
            }
            (ClubReader::Member(member), _) => (member.to_string(), plan.number),
            _ => return settings.address(),
        };
        let club = settings.club.as_str();
        let token = Token::make(&self.club.keys.token, club, &seat, number);
        ReplyAddress {
            mailbox: settings.mailbox.clone(),
            campaign: club.to_owned(),
            seat,
            token,
        }
        .to_string()
    }

    fn words(&self, plan: &ClubPlan, lang: Lang) -> LetterText {
        let settings = self.club.settings;
        let general = context! {
            club => settings.club.as_str(),
            title => settings.title(),
            address => settings.address(),
            umpire => settings.umpire.as_ref().map(ToString::to_string),
        };
        let of_reader = match plan.to {
            ClubReader::Member(member) => self.member_value(member),
            _ => context! { standing => "stranger" },
        };
        let (kind, more) = match &plan.news {
            ClubNews::Answer { done, .. } => {
                let entries = done.iter();
                let entries: Vec<Value> = entries
                    .map(|(line, outcome)| self.entry(plan.to, line, *outcome, lang))
                    .collect();
                ("club_answer", context! { entries })
            }
            ClubNews::Code { first } => ("club_code", context! { first }),
            ClubNews::AddressAsked => ("club_address", context! { what => "asked" }),
            ClubNews::AddressConfirmed => ("club_address", context! { what => "confirmed" }),
            ClubNews::Welcome => ("club_welcome", context! {}),
            ClubNews::Farewell => ("club_farewell", context! {}),
            ClubNews::Applied(member) => (
                "club_umpire",
                context! { what => "applied", about => self.member_value(*member) },
            ),
            ClubNews::Unreachable(member) => (
                "club_umpire",
                context! { what => "unreachable", about => self.member_value(*member) },
            ),
            ClubNews::Observed(table, _) => {
                let value = self.table_value(*table, "observed", plan, lang);
                ("club_observed", value)
            }
            ClubNews::Daily(needs) => ("club_daily", self.needs(needs)),
            ClubNews::Monthly(since) => ("club_monthly", self.news_since(*since, lang)),
            ClubNews::Begun(table) => ("club_table", self.table_value(*table, "begun", plan, lang)),
            ClubNews::WouldTakeOver(table, seat, member) => (
                "club_umpire",
                context! {
                    what => "takeover",
                    table,
                    seat => seat.as_str(),
                    about => self.member_value(*member),
                },
            ),
            ClubNews::TakesOver(table, seat) => {
                let value = self.table_value(*table, "takeover", plan, lang);
                ("club_table", context! { seat => seat.as_str(), ..value })
            }
            ClubNews::Closed(table) => {
                ("club_table", self.table_value(*table, "closed", plan, lang))
            }
            ClubNews::Failed(table, problem) => {
                let value = self.table_value(*table, "failed", plan, lang);
                ("club_table", context! { problem, ..value })
            }
        };
        dispatch::letter(
            lang,
            kind,
            context! { ..more, ..context! { ..of_reader, ..general } },
        )
    }

    /// What a letter may say of a member to himself and to the umpire.
    fn member_value(&self, member: MemberNumber) -> Value {
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

    fn entry(
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

    pub(super) fn open_tables(&self, lang: Lang) -> Vec<Value> {
        let tables = self.club.state.open_tables();
        tables
            .map(|(number, table)| self.table(number, table, lang))
            .collect()
    }

    /// Seats of campaigns that look for another player.
    pub(super) fn offers(&self, lang: Lang) -> Vec<Value> {
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

    pub(super) fn titles(&self, plan: &TablePlan, lang: Lang) -> (String, String) {
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
    fn table_value(&self, number: u32, what: &str, plan: &ClubPlan, lang: Lang) -> Value {
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
