//! Works an event off: the next state, and the letters that are to be written.

use jiff::Timestamp;

use super::{
    ended::{EndedTable, TableResult},
    events::{ClubEvent, ClubMail, ClubRuling, ClubSender, PersonChange, PersonStep},
    needs::ClubNeed,
    requests::{ClubRequest, RequestLine},
    settings::{ClubKeys, ClubSettings},
    state::{
        AnswerKind, ClubMember, ClubReader, ClubState, MOST_RETURNED, MemberNumber, MemberStanding,
    },
    table::{ClubTable, TableStanding},
};
use crate::{
    campaign::model::{absence::Absence, settings::CampaignId},
    game::Lang,
    ids::SeatId,
    store::Record,
};

/// A letter that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClubPlan {
    /// Who reads it.
    pub to: ClubReader,
    /// The number of the letter to him.
    pub number: u64,
    /// What it says.
    pub news: ClubNews,
}

/// A word to a campaign that is to be told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CampaignPlan {
    /// The campaign.
    pub campaign: CampaignId,
    /// The member that it speaks of.
    pub member: MemberNumber,
    /// What it says.
    pub news: CampaignNews,
}

/// What a campaign is told of a member.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CampaignNews {
    /// He is away.
    Absent(Absence),
    /// He is back.
    Back,
    /// He takes over a seat.
    TakesOver(SeatId),
}

/// What comes of an event.
#[derive(Debug, Default)]
pub(super) struct ClubPlans {
    /// Letters.
    pub letters: Vec<ClubPlan>,
    /// Words to campaigns.
    pub words: Vec<CampaignPlan>,
}

/// What a letter says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ClubNews {
    /// What came of a mail.
    Answer {
        /// Its requests.
        done: Vec<(RequestLine, RequestOutcome)>,
        /// The language of a stranger.
        lang: Lang,
    },
    /// To a new address: answer this.
    Code {
        /// True if an applicant's first address is meant.
        first: bool,
    },
    /// To the known address: a code has gone to another one.
    AddressAsked,
    /// An address was confirmed.
    AddressConfirmed,
    /// The reader is a member now, or waits for the umpire's word.
    Welcome,
    /// The reader is no member any more.
    Farewell,
    /// To the umpire: somebody wants to become a member.
    Applied(MemberNumber),
    /// To the umpire: letters to a member come back.
    Unreachable(MemberNumber),
    /// The campaign of a table begins.
    Begun(u32),
    /// To the umpire: a member would like to take over a seat.
    WouldTakeOver(u32, SeatId, MemberNumber),
    /// The reader takes over a seat.
    TakesOver(u32, SeatId),
    /// To those who look on at a table: what there is to see, and the name of the sheet.
    Observed(u32, String),
    /// To the umpire: this needs him.
    Daily(Vec<ClubNeed>),
    /// To members: what is new since this moment.
    Monthly(Timestamp),
    /// A table is given up.
    Closed(u32),
    /// The campaign of a table could not be made.
    Failed(u32, String),
}

/// What came of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestOutcome {
    /// It was done; of a new table its number.
    Done(Option<u32>),
    /// It was not, for this reason.
    NotDone(&'static str),
}

use RequestOutcome::{Done, NotDone};

/// The name of a table's campaign.
pub(super) fn campaign_of(settings: &ClubSettings, table: u32) -> String {
    format!("{}-{table}", settings.club)
}

/// The work on one event.
pub(super) struct ClubWork<'a> {
    pub settings: &'a ClubSettings,
    pub keys: &'a ClubKeys,
    pub state: ClubState,
    letters: Vec<ClubPlan>,
    pub words: Vec<CampaignPlan>,
    /// The number of the record.
    pub record: u64,
}

/// Works an event off.
pub(super) fn apply(
    settings: &ClubSettings,
    keys: &ClubKeys,
    state: ClubState,
    record: &Record<ClubEvent>,
) -> (ClubState, ClubPlans) {
    let mut work = ClubWork {
        settings,
        keys,
        state,
        letters: Vec::new(),
        words: Vec::new(),
        record: record.n,
    };
    work.state.time = record.time;
    work.event(&record.event);
    let plans = ClubPlans {
        letters: work.letters,
        words: work.words,
    };
    (work.state, plans)
}

impl ClubWork<'_> {
    fn event(&mut self, event: &ClubEvent) {
        match event {
            ClubEvent::Founded { .. } | ClubEvent::Done(_) => {}
            ClubEvent::Asked(mail) => self.asked(mail),
            ClubEvent::Passed { digest, .. } => {
                self.state.note_mail(*digest);
                self.state.count_answer(AnswerKind::Silent);
            }
            ClubEvent::Returned { digest, member, .. } => {
                self.state.note_mail(*digest);
                self.returned(*member);
            }
            ClubEvent::Ruled(ruling) => self.ruled(ruling),
            ClubEvent::Lapsed { member } => self.leave_club(*member),
            ClubEvent::Begun { table, campaign } => self.begun(*table, campaign),
            ClubEvent::Offers { table, seats } => self.offers(*table, seats),
            ClubEvent::Ended { table, result } => {
                let at = self.state.time;
                if let Some(table) = self.state.tables.get_mut(table) {
                    let ended = |result: &TableResult| EndedTable {
                        at,
                        result: result.clone(),
                    };
                    table.ended = result.as_deref().map(ended);
                }
            }
            ClubEvent::Observed { table, sheet } => self.observed(*table, sheet),
            ClubEvent::Daily { needs } => {
                self.state.daily = Some(self.state.time);
                if !needs.is_empty() {
                    self.tell_umpire(ClubNews::Daily(needs.clone()));
                }
            }
            ClubEvent::Monthly => self.monthly(),
            ClubEvent::Failed { table, problem } => {
                let told = self.players_of(*table);
                self.set_standing(*table, TableStanding::Failed);
                for member in told {
                    self.tell(
                        ClubReader::Member(member),
                        ClubNews::Failed(*table, String::new()),
                    );
                }
                self.tell_umpire(ClubNews::Failed(*table, problem.clone()));
            }
        }
    }

    pub(super) fn tell(&mut self, to: ClubReader, news: ClubNews) {
        let number = self.state.count_letter(to);
        if let (ClubReader::Member(member), ClubNews::Code { .. }) = (to, &news)
            && let Some(entry) = self.state.members.get_mut(&member)
        {
            entry.codes.push(number);
        }
        self.letters.push(ClubPlan { to, number, news });
    }

    /// Returns true if somebody is told this already.
    pub(super) fn tells(&self, to: ClubReader, news: &ClubNews) -> bool {
        let mut letters = self.letters.iter();
        letters.any(|plan| plan.to == to && plan.news == *news)
    }

    pub(super) fn tell_umpire(&mut self, news: ClubNews) {
        if self.settings.umpire.is_some() {
            self.tell(ClubReader::Umpire, news);
        }
    }

    fn asked(&mut self, mail: &ClubMail) {
        self.state.note_mail(mail.digest);
        if let Some(change) = &mail.person {
            self.person(change);
        }
        let (member, proven) = match mail.sender {
            ClubSender::Stranger { print } => {
                self.state.count_answer(AnswerKind::Strangers);
                self.state.count_answer(AnswerKind::Stranger(print));
                let done = mail.requests.iter().map(|line| (line.clone(), Done(None)));
                let done = done.collect();
                let lang = mail.lang;
                self.tell(ClubReader::Stranger, ClubNews::Answer { done, lang });
                return;
            }
            ClubSender::Member { member, proven } => (member, proven),
        };
        if let Some(entry) = self.state.members.get_mut(&member) {
            entry.files.push(mail.file.clone());
            if proven {
                entry.returned = 0;
            }
        }
        if mail.requests.is_empty() {
            return;
        }
        self.state.count_answer(if proven {
            AnswerKind::Proven(member)
        } else {
            AnswerKind::Unproven(member)
        });
        let mut done = Vec::new();
        for line in &mail.requests {
            let outcome = self.request(member, proven, &line.request);
            done.push((line.clone(), outcome));
        }
        let lang = mail.lang;
        if self.is_of_club(member) {
            self.tell(ClubReader::Member(member), ClubNews::Answer { done, lang });
        }
    }

    /// Returns true if he has not left.
    fn is_of_club(&self, member: MemberNumber) -> bool {
        let member = self.state.members.get(&member);
        member.is_some_and(|member| member.standing != MemberStanding::Left)
    }

    fn request(
        &mut self,
        member: MemberNumber,
        proven: bool,
        request: &ClubRequest,
    ) -> RequestOutcome {
        let standing = self
            .state
            .members
            .get(&member)
            .map(|member| member.standing);
        let is_member = standing == Some(MemberStanding::Member);
        match request {
            ClubRequest::JoinClub if is_member => NotDone("member_already"),
            ClubRequest::JoinClub => NotDone("waiting"),
            _ if !proven && !request.is_question() => NotDone("unproven"),
            ClubRequest::Yes => NotDone("nothing_asked"),
            ClubRequest::LeaveClub => {
                self.leave_club(member);
                Done(None)
            }
            // The seats of a table are its members' to know, too.
            ClubRequest::Faulty { verb, .. }
                if ["join", "take over"].contains(&verb.as_str()) && !is_member =>
            {
                NotDone("waiting")
            }
            ClubRequest::Profile { .. }
            | ClubRequest::Help
            | ClubRequest::Games
            | ClubRequest::MyData
            | ClubRequest::Faulty { .. } => Done(None),
            // Who plays here is the members' to know.
            _ if !is_member => NotDone("waiting"),
            ClubRequest::NewTable { plan } => self.new_table(member, plan),
            ClubRequest::Join { table, wishes } => self.join(member, *table, wishes),
            ClubRequest::Leave { table } => self.leave(member, *table),
            ClubRequest::Close { table } => self.close(member, *table),
            ClubRequest::Absent { absence } => self.absent(member, absence),
            ClubRequest::Back => self.back(member),
            ClubRequest::TakeOver { table, seat } => {
                self.would_take_over(member, *table, seat.as_ref())
            }
            ClubRequest::Observe { table, on } => self.observe(member, *table, *on),
            ClubRequest::Letter { on } => {
                if let Some(entry) = self.state.members.get_mut(&member) {
                    entry.no_letter = !on;
                }
                Done(None)
            }
            ClubRequest::Who { .. } | ClubRequest::Tables | ClubRequest::Results { .. } => {
                Done(None)
            }
        }
    }

    /// A new version of somebody's file.
    fn person(&mut self, change: &PersonChange) {
        let PersonChange {
            member,
            version,
            step,
        } = *change;
        let now = self.state.time;
        let members = &mut self.state.members;
        let entry = members.entry(member).or_insert(ClubMember::new(now));
        entry.person = Some(version);
        let was = entry.standing;
        let to = ClubReader::Member(member);
        match step {
            PersonStep::Changed => {}
            PersonStep::Applied => {
                self.state.count_answer(AnswerKind::Strangers);
                self.tell(to, ClubNews::Code { first: true });
            }
            PersonStep::AddressAsked => {
                self.state.count_answer(AnswerKind::Codes(member));
                self.tell(to, ClubNews::Code { first: false });
                self.tell(to, ClubNews::AddressAsked);
            }
            PersonStep::Confirmed if was == MemberStanding::Applicant => {
                let enters = self.settings.entry == super::settings::EntryRule::Anybody;
                self.enter(
                    member,
                    if enters {
                        MemberStanding::Member
                    } else {
                        MemberStanding::Waiting
                    },
                );
                self.tell_umpire(ClubNews::Applied(member));
            }
            PersonStep::Confirmed => self.tell(to, ClubNews::AddressConfirmed),
        }
    }

    fn enter(&mut self, member: MemberNumber, standing: MemberStanding) {
        let now = self.state.time;
        if let Some(entry) = self.state.members.get_mut(&member) {
            (entry.standing, entry.since) = (standing, now);
            self.tell(ClubReader::Member(member), ClubNews::Welcome);
        }
    }

    /// Takes a member out of the club, and of the tables that are open.
    fn leave_club(&mut self, member: MemberNumber) {
        let now = self.state.time;
        let Some(entry) = self.state.members.get_mut(&member) else {
            return;
        };
        let was = entry.standing;
        if was == MemberStanding::Left {
            return;
        }
        (entry.standing, entry.since, entry.person) = (MemberStanding::Left, now, None);
        entry.codes.clear();
        entry.absences.clear();
        for table in self.state.tables.values_mut() {
            table.observers.remove(&member);
            if table.is_open() {
                table.players.retain(|player| player.member != member);
            }
        }
        // Nobody else could give his tables up.
        let own = self.state.open_tables();
        let own = own.filter(|(_, table)| table.founder == member);
        let own: Vec<u32> = own.map(|(number, _)| number).collect();
        for number in own {
            self.give_up(number, Some(member));
        }
        // Whoever has never answered is not written to again.
        if was != MemberStanding::Applicant {
            self.tell(ClubReader::Member(member), ClubNews::Farewell);
        }
    }

    fn returned(&mut self, member: MemberNumber) {
        let Some(entry) = self.state.members.get_mut(&member) else {
            return;
        };
        entry.returned += 1;
        if entry.returned == MOST_RETURNED {
            self.tell_umpire(ClubNews::Unreachable(member));
        }
    }

    fn ruled(&mut self, ruling: &ClubRuling) {
        match ruling {
            ClubRuling::Enter { person } => {
                let member = person.member;
                let is_new = !self.state.members.contains_key(&member);
                self.person(&PersonChange {
                    step: PersonStep::Changed,
                    ..*person
                });
                if is_new {
                    self.enter(member, MemberStanding::Member);
                }
            }
            ClubRuling::Accept { member } => {
                let entry = self.state.members.get(member);
                if entry.is_some_and(|entry| entry.standing == MemberStanding::Waiting) {
                    self.enter(*member, MemberStanding::Member);
                }
            }
            ClubRuling::Remove { member } => self.leave_club(*member),
            ClubRuling::Founder { member, may } => {
                if let Some(entry) = self.state.members.get_mut(member) {
                    entry.may_found = *may;
                }
            }
            ClubRuling::TakeOver {
                table,
                seat,
                member,
            } => self.take_over(*member, *table, seat),
            ClubRuling::Observe { table, member, on } => {
                self.observe(*member, *table, *on);
            }
            ClubRuling::Close { table } => {
                let open = self.state.tables.get(table).is_some_and(ClubTable::is_open);
                if open {
                    self.give_up(*table, None);
                }
            }
        }
    }
}
