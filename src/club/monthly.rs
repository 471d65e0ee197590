//! Who is told once a month what is new in the club.

use super::{
    apply::{ClubNews, ClubWork},
    state::{ClubMember, ClubReader, MemberNumber, MemberStanding},
    table::{ClubTable, TableStanding},
};

impl ClubWork<'_> {
    /// Tells members what is new, if anything is. Whoever is away is not written to, nor whoever
    /// has said so.
    pub(super) fn monthly(&mut self) {
        let now = self.state.time;
        let since = self.state.monthly.replace(now);
        let since = since.unwrap_or(self.settings.created);
        let tables = self.state.tables.values();
        let is_new = |table: &ClubTable| match (&table.standing, &table.ended) {
            (TableStanding::Begun(..), Some(ended)) => ended.at > since,
            (standing, _) => matches!(standing, TableStanding::Open | TableStanding::Begun(..)),
        };
        if !tables.into_iter().any(is_new) {
            return;
        }
        let reads = |member: &ClubMember| {
            member.standing == MemberStanding::Member
                && !member.no_letter
                && member.absence(now).is_none_or(|it| !it.covers(now))
        };
        let readers = self.state.members.iter();
        let readers = readers.filter(|(_, member)| reads(member));
        let readers: Vec<MemberNumber> = readers.map(|(number, _)| *number).collect();
        for member in readers {
            self.tell(ClubReader::Member(member), ClubNews::Monthly(since));
        }
    }
}
