//! The durable part: directory, journal, seats, clock, letters.
//!
//! Invariants: the journal is the only truth, everything else in the directory is settings, a mailbox or a cache. A
//! write is whole or has not happened, and it is on disk before anybody is told of it. Every error says whether the
//! machine failed (exit code 3) or what was read is wrong: [`CampaignError::is_environment`].

pub mod durable;
pub mod intake;
pub mod model;
pub mod post;
pub mod turn;
pub mod words;

pub use durable::alarm::Alarm;
pub use durable::beside::moved;
pub use durable::compare::compare;
pub use durable::memory::InMemory;
pub use durable::work::{Effects, apply, done, recall, redo};
pub use durable::{Campaign, HostError, Pass};
pub use intake::judge::judge;
pub use model::checkpoints::{Checkpoint, Checkpoints, Stood};
pub use model::clock::{Deadlines, Schedule, Slot, Zone};
pub use model::compiled::{Compiled, Shelf, Watch};
pub use model::context::Context;
pub use model::engine_error::EngineError;
pub use model::held::{CameBack, HARD_FAILURES, HeldMail, Unreachable};
pub use model::players::{Contact, lang, player, players};
pub use model::recipient::Recipient;
pub use model::replies::reply_address;
pub use model::ruling_error::RulingError;
pub use model::seats::{Address, Seat, Seats};
pub use model::secrets::{Kept, Newest, Secrets, last_of_eras};
pub use model::settings::{CampaignId, DiceSource, Host, Settings, Witness};
pub use model::sources::wanted;
pub use model::state::{State, Waiting};
pub use model::trust::{Trust, TrustAsked, check_server};
pub use model::understood::{Understood, group_of};
pub use model::verdicts::Verdict;
pub use post::{Letter, explained, map_document, receipt_text};
pub use turn::rulings::check_ruling;
pub use turn::sealing::{due_at, is_due};
pub use words::joining::{Joined, join};
pub use words::moment::{Moment, moment, understand};
pub use words::standing::{Standing, StandingOrder, standing, standing_to_come};
pub use words::understand::Setting;
