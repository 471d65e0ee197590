//! The club around the campaigns of a host: who its members are, and the tables at which campaigns
//! find their players. It speaks by mail, as campaigns do.
//!
//! ```text
//! bytes -- judge --> ClubEvent -- (club_files: into the journal) --> Record
//! ClubState, Record -- apply --> ClubState, Vec<ClubPlan>
//! Vec<ClubPlan>, People -- post --> letters
//! a full table -- begin --> a campaign, which goes its own way from then on
//! how campaigns ended -- results, rating --> what the club remembers
//! the clock -- calendar, needs, regular --> a letter a day to the umpire, if something needs him,
//!     and one a month to the members
//! absences, takeovers -- attendance --> words into the campaigns' folders; seats that look for a
//!     player come back in a file of theirs
//! ```
//!
//! Invariants: the club's journal is the only truth of what was decided, hash-chained and replayed
//! like a campaign's; a record is on the disk before anybody is told of it, and `apply` depends on
//! records alone. *Who* a member is (name, addresses) never stands in the journal, which can't
//! forget: it lies in a file of its own, which the journal binds by a digest with a salt, and which
//! goes when the member leaves. No letter tells anybody an address that its owner did not show.

mod apply;
mod attendance;
mod begin;
mod calendar;
mod catalogue;
mod club_files;
mod draw;
mod ended;
mod events;
mod examine;
mod founding;
mod judge;
mod member_number;
mod monthly;
mod needs;
mod observing;
mod people;
mod post;
mod rating;
mod reading;
mod regular;
mod request_words;
mod requests;
mod results;
mod rounds;
mod settings;
mod state;
mod table;

pub use club_files::{Club, ClubError, ClubPass};
pub use draw::{SeatDraw, check_draw};
pub use ended::{SeatOutcome, Tally};
pub use events::ClubRuling;
pub use examine::{ClubFindings, examine};
pub use member_number::MemberNumber;
pub use needs::ClubNeed;
pub use people::{People, Person};
pub use results::{ClubResults, HeadToHead};
pub use settings::{ABSENCE_DAYS, ClubSettings, EntryRule, FounderRule, LETTERS_AT, TakeoverRule};
pub use state::{ClubMember, ClubState, MemberStanding};
pub use table::{ClubTable, TablePlan, TableStanding};
