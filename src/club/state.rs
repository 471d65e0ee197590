//! Where the club stands: it follows from the journal and from nothing else.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
};

use jiff::{SignedDuration, Timestamp};

pub(super) use super::member_number::MemberNumber;
use super::{people::PersonVersion, table::ClubTable};
use crate::{
    campaign::model::absence::{Absence, AbsenceAct},
    digest::Digest,
};

/// How long an applicant has to confirm his address.
pub(super) const TO_CONFIRM: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long a mail is known by its bytes, so that a second copy of it does nothing.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Over which time answers are counted.
const A_DAY: SignedDuration = SignedDuration::from_hours(24);
/// Over which time absences are counted.
const A_YEAR: SignedDuration = SignedDuration::from_hours(365 * 24);
/// After so many letters that came back for good, one after the other, no more are written.
pub(super) const MOST_RETURNED: u32 = 3;

/// Where a member stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberStanding {
    /// His address has not been confirmed.
    Applicant,
    /// He waits for the umpire's word.
    Waiting,
    /// He is a member.
    Member,
    /// He has left; nothing of him is kept.
    Left,
}

/// A member, as the journal knows him.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClubMember {
    /// The version of his file; none once he has left.
    pub person: Option<PersonVersion>,
    /// Where he stands.
    pub standing: MemberStanding,
    /// Since when.
    pub since: Timestamp,
    /// True if the umpire lets him found tables.
    pub may_found: bool,
    /// True if he wants no monthly letter.
    pub no_letter: bool,
    /// How many letters to him have come back, one after the other.
    pub returned: u32,
    /// The files of his mails, which go with him.
    pub files: Vec<String>,
    /// The letters that went to an address of his that was not confirmed.
    pub(super) codes: Vec<u64>,
    /// When he was away, is, or will be; the newest last, and the only one that lasts.
    pub(super) absences: Vec<Absence>,
}

impl ClubMember {
    /// An applicant.
    pub(super) fn new(since: Timestamp) -> Self {
        Self {
            person: None,
            standing: MemberStanding::Applicant,
            since,
            may_found: false,
            no_letter: false,
            returned: 0,
            files: Vec::new(),
            codes: Vec::new(),
            absences: Vec::new(),
        }
    }

    /// The absence that lasts, or lies ahead.
    #[must_use]
    pub fn absence(&self, now: Timestamp) -> Option<&Absence> {
        self.absences.last().filter(|absence| absence.until > now)
    }

    /// Ends the absence that lasts, or lies ahead. What of it has not passed does not count.
    pub(super) fn end_absence(&mut self, now: Timestamp) {
        let lasts = self.absence(now).is_some();
        if let Some(last) = self.absences.last_mut().filter(|_| lasts) {
            last.until = now;
            if last.from >= now {
                self.absences.pop();
            }
        }
    }

    /// Forgets absences that count no longer, so that their number stays bounded.
    pub(super) fn forget_absences(&mut self, now: Timestamp) {
        self.absences.retain(|it| counts(it, now));
    }

    /// The days of the last year for which deadlines had to wait, those of a day that has begun
    /// included.
    pub(super) fn days_away(&self, now: Timestamp) -> u32 {
        let counted = self.absences.iter().filter(|it| counts(it, now));
        counted.map(days_of).sum()
    }
}

/// Returns true if an absence counts among the days of a year.
fn counts(absence: &Absence, now: Timestamp) -> bool {
    absence.acts == AbsenceAct::Waits && now.duration_since(absence.from) < A_YEAR
}

/// The days of an absence.
pub(super) fn days_of(absence: &Absence) -> u32 {
    let seconds = absence.until.duration_since(absence.from).as_secs();
    let day = A_DAY.as_secs();
    u32::try_from((seconds + day - 1) / day).unwrap_or(0)
}

/// Who reads a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClubReader {
    /// A member, or an applicant.
    Member(MemberNumber),
    /// The umpire.
    Umpire,
    /// Whoever has written the mail that it answers.
    Stranger,
}

/// The name of an outbox, and of the reader in Message-IDs and addresses.
impl fmt::Display for ClubReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(member) => member.fmt(f),
            Self::Umpire => f.write_str("umpire"),
            Self::Stranger => f.write_str("others"),
        }
    }
}

/// What is answered, and how often in a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AnswerKind {
    /// A member's mails with his token.
    Proven(MemberNumber),
    /// Mails that come from a member's address alone.
    Unproven(MemberNumber),
    /// One stranger's mails.
    Stranger(Digest),
    /// All strangers' mails.
    Strangers,
    /// Codes for new addresses that a member has asked for.
    Codes(MemberNumber),
    /// Mails that change nothing and are answered by nobody.
    Silent,
}

impl AnswerKind {
    /// The most in a day.
    fn most(self) -> usize {
        match self {
            Self::Proven(_) => 100,
            Self::Unproven(_) => 12,
            Self::Stranger(_) => 1,
            Self::Strangers => 100,
            Self::Codes(_) => 3,
            Self::Silent => 500,
        }
    }
}

/// Where the club stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClubState {
    /// The time of the last record.
    pub time: Timestamp,
    /// All members there have ever been.
    pub members: BTreeMap<MemberNumber, ClubMember>,
    /// All tables there have ever been.
    pub tables: BTreeMap<u32, ClubTable>,
    /// How many letters each has got.
    pub(super) letters: BTreeMap<ClubReader, u64>,
    /// Mails by their bytes, and when they came.
    pub(super) seen: BTreeMap<Digest, Timestamp>,
    /// When answers were given.
    pub(super) answered: BTreeMap<AnswerKind, VecDeque<Timestamp>>,
    /// When the club last looked what needs its umpire.
    pub(super) daily: Option<Timestamp>,
    /// When it last told its members what is new.
    pub(super) monthly: Option<Timestamp>,
    /// When what is too old to matter was last forgotten.
    pub(super) pruned: Timestamp,
}

impl ClubState {
    /// A member who is one.
    #[must_use]
    pub fn member(&self, number: MemberNumber) -> Option<&ClubMember> {
        let member = self.members.get(&number);
        member.filter(|member| member.standing == MemberStanding::Member)
    }

    /// The number of the next member.
    pub(super) fn next_member(&self) -> MemberNumber {
        let last = self.members.keys().next_back().map_or(0, |last| last.0);
        MemberNumber(last + 1)
    }

    /// Tables that look for players.
    pub fn open_tables(&self) -> impl Iterator<Item = (u32, &ClubTable)> {
        let tables = self.tables.iter().filter(|(_, table)| table.is_open());
        tables.map(|(number, table)| (*number, table))
    }

    /// Applicants who have let the time pass.
    pub(super) fn lapsed(&self, now: Timestamp) -> Option<MemberNumber> {
        let mut members = self.members.iter();
        let late = members.find(|(_, member)| {
            member.standing == MemberStanding::Applicant
                && now.duration_since(member.since) > TO_CONFIRM
        });
        late.map(|(number, _)| *number)
    }

    /// Counts one letter to a reader, and returns its number.
    pub(super) fn count_letter(&mut self, reader: ClubReader) -> u64 {
        let count = self.letters.entry(reader).or_default();
        *count += 1;
        *count
    }

    /// Returns true if one more of a kind may be answered.
    pub(super) fn may_answer(&self, kind: AnswerKind, now: Timestamp) -> bool {
        let times = self.answered.get(&kind);
        let recent = |at: &&Timestamp| now.duration_since(**at) < A_DAY;
        times.is_none_or(|times| times.iter().filter(recent).count() < kind.most())
    }

    /// Counts an answer.
    pub(super) fn count_answer(&mut self, kind: AnswerKind) {
        self.answered.entry(kind).or_default().push_back(self.time);
    }

    /// Notes that a mail has come, and once a day forgets what is too old to matter.
    pub(super) fn note_mail(&mut self, digest: Digest) {
        let now = self.time;
        self.seen.insert(digest, now);
        if now.duration_since(self.pruned) < A_DAY {
            return;
        }
        self.pruned = now;
        self.seen
            .retain(|_, at| now.duration_since(*at) < REMEMBERED);
        self.answered.retain(|_, times| {
            times.retain(|at| now.duration_since(*at) < A_DAY);
            !times.is_empty()
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    /// Those for which nobody had to wait, and those of more than a year ago.
    #[test]
    fn absences_that_count_no_longer_are_forgotten() {
        let at = |text: &str| -> Timestamp { text.parse().unwrap() };
        let now = at("2026-11-21T12:00:00Z");
        let absence = |from: &str, acts| Absence {
            from: at(from),
            until: at(from).checked_add(A_DAY).unwrap(),
            acts,
        };
        let counted = absence("2026-03-01T00:00:00Z", AbsenceAct::Waits);
        let mut member = ClubMember {
            absences: vec![
                absence("2025-03-01T00:00:00Z", AbsenceAct::Waits),
                counted.clone(),
                absence("2026-04-01T00:00:00Z", AbsenceAct::StandingOrders),
            ],
            ..ClubMember::new(now)
        };
        member.forget_absences(now);
        assert_eq!(member.absences, [counted]);
        assert_eq!(member.days_away(now), 1);
    }

    /// What is too old goes once a day, and not with each of a day's mails.
    #[test]
    fn what_is_too_old_is_forgotten_once_a_day() {
        let mut state = ClubState::default();
        let hours = SignedDuration::from_hours;
        let begin: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
        let digest = |number: i64| Digest::of(number.to_string().as_bytes());
        let mut prunings = 0;
        for hour in 0..24 * 40 {
            state.time = begin.checked_add(hours(hour)).unwrap();
            let before = state.pruned;
            state.note_mail(digest(hour));
            state.count_answer(AnswerKind::Silent);
            prunings += u32::from(before != state.pruned);
        }
        assert_eq!(prunings, 40);
        // A copy is known for thirty days, and for a day more at most.
        let last = 24 * 40 - 1;
        assert!(state.seen.contains_key(&digest(last - 24 * 30 + 1)));
        assert!(!state.seen.contains_key(&digest(last - 24 * 31)));
        assert!(state.answered[&AnswerKind::Silent].len() <= 48);
        // What is counted is what a day has brought, whatever has not been forgotten yet.
        assert!(state.may_answer(AnswerKind::Silent, state.time));
    }
}
