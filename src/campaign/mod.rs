//! One campaign: from the bytes of a mail to the letters that go out, and its files on the disk.
//!
//! ```text
//! bytes -- intake::judge --> Event -- (durable: into the journal) --> Record
//! State, Record -- turn::apply --> State, Vec<Plan>
//! Vec<Plan>, Register -- post::write --> letters, entries, items, receipts
//! State, Done -- (turn::apply, its plans dropped) -- post::bind --> State
//! ```
//!
//! The rooms; each uses only those above it:
//!
//! - [`model`]: what a campaign is: values, with no behaviour beyond their own.
//! - [`words`]: what a seat's words mean at a given moment; pure functions.
//! - [`intake`]: who speaks in a mail, and whether it counts; nothing changes.
//! - [`turn`]: works an input off; plans letters and entries, and counts each letter once.
//! - [`post`]: writes what is planned; the only room that makes documents and moves the register
//!   on.
//! - [`durable`]: puts it all on the disk, through [`crate::store`]; recalls and replays it.
//!
//! Invariants: the journal is the only truth, and everything else in the directory is settings, a
//! mailbox or a cache. A record is on the disk before anybody is told of it. The work depends on
//! the inputs alone, so doing it again gives the same bytes. Where an outcome is on record, letters
//! are not written again: it comes back into the state only through `post::bind`.

pub mod durable;
pub mod intake;
pub mod model;
pub mod post;
pub mod turn;
pub mod words;

pub use durable::alarm::Alarm;
pub use durable::comparison::compare;
pub use durable::host_files::moved;
pub use durable::memory::MemoryCampaign;
pub use durable::work::{Effects, done, recall, redo, redo_recorded, work_off};
pub use durable::{Campaign, CampaignError, Pass};
pub use intake::judge::judge;
pub use model::checkpoints::{Checkpoint, Checkpoints, WaitStart};
pub use model::clock::{ClockZone, Deadlines, Schedule, WeeklyTime};
pub use model::compiled_game::{CompiledGame, Onlooker, Shelf};
pub use model::concerns::{BouncePolicy, HARD_FAILURES, HeldMail, LastBounce};
pub use model::contact::Contact;
pub use model::context::Context;
pub use model::missing_values::wanted;
pub use model::player_address::{BotName, PlayerAddress};
pub use model::players::{lang, player, players};
pub use model::recipient::Recipient;
pub use model::renewal::last_of_eras;
pub use model::replies::reply_address;
pub use model::ruling_error::RulingError;
pub use model::seats::{Address, Seat, Seats};
pub use model::secrets::{EraKeys, Newest, Secrets};
pub use model::settings::{CampaignId, DiceSource, Settings, Witness};
pub use model::state::{CurrentWait, State};
pub use model::trust::{Trust, TrustPolicy, check_server};
pub use model::understanding::{Understanding, group_of};
pub use model::verdicts::OrderVerdict;
pub use model::version::Version;
pub use model::work_error::WorkError;
pub use post::{Letter, explained, map_document, receipt};
pub use turn::deadlines::{due_at, due_event, is_due};
pub use turn::rulings::check_ruling;
pub use words::bot::{AwaitedBot, awaited_bot};
pub use words::joining::{JoinedWords, join};
pub use words::moment::{Moment, moment, understand};
pub use words::standing::{Standing, StandingOrder, standing, standing_to_come};
pub use words::understand::ReadingContext;
