//! Writes letters. Their words are in `templates/`; what they say of a member others may know.

mod values;

use minijinja::{Value, context};

use super::{
    apply::{ClubNews, ClubPlan},
    catalogue::Catalogue,
    events::ClubEvent,
    judge::{CONFIRMING, MailOrigin},
    observing::{ToldSheets, pictures},
    reading::KnownClub,
    state::{ClubReader, MOST_RETURNED},
};
use crate::{
    dispatch::{self, LetterText},
    game::Lang,
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
}
