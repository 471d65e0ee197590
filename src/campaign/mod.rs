//! The durable part: directory, journal, seats, clock, letters.
//!
//! Invariants: the journal is the only truth, everything else in the directory is settings, a mailbox or a cache. A
//! write is whole or has not happened, and it is on disk before anybody is told of it. Every error says whether the
//! machine failed (exit code 3) or what was read is wrong: [`CampaignError::is_environment`].

mod amend;
mod bounces;
mod bring;
mod by_text;
pub mod checkpoints;
pub mod clock;
mod close;
mod compare;
mod compiled;
mod counted;
pub mod digest;
pub mod directory;
pub mod engine;
pub mod engine_error;
pub mod error;
pub mod events;
pub mod files;
pub mod host;
mod intake;
mod joining;
pub mod journal;
mod judge_values;
pub mod letter;
mod letters;
pub mod lock;
pub mod memory;
mod opening;
pub mod pinned;
mod public;
mod publish;
pub mod rate;
pub mod recipient;
pub mod record;
#[cfg(feature = "drand")]
pub mod relay;
pub mod renew;
pub mod replay;
mod resolve;
pub mod rulings;
mod seal_letters;
pub mod seats;
pub mod secrets;
pub mod settings;
pub mod snapshot;
pub mod sources;
mod standing;
pub mod state;
mod steering;
mod taking;
mod trust;
mod understand;

pub use bounces::{HARD_FAILURES, Unreachable};
pub use checkpoints::{Checkpoint, Checkpoints, Stood};
pub use clock::{Deadlines, Schedule, Slot, Zone};
pub use compare::compare;
pub use compiled::{Compiled, Watch};
pub use digest::Digest;
pub use directory::{Directory, Draft};
pub use engine::{Effects, Engine, EngineError};
pub use error::{CampaignError, JournalFault};
pub use host::{Campaign, HostError, Pass};
pub use joining::Joined;
pub use journal::{Journal, Position, Record, TornNotice};
pub use letter::Letter;
pub use lock::Lock;
pub use memory::InMemory;
pub use pinned::Pinned;
pub use recipient::Recipient;
pub use rulings::RulingError;
pub use seats::{Address, Seat, Seats};
pub use secrets::{Kept, Newest, Secrets};
pub use settings::{CampaignId, DiceSource, Host, Settings, Witness};
pub use snapshot::Snapshots;
pub use standing::{Standing, StandingOrder};
pub use state::{State, Waiting};
pub use taking::Moment;
pub use trust::{Trust, TrustAsked};
pub use understand::{Setting, Understood, group_of};
