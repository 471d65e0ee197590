//! Many campaigns behind one mailbox: accounts in `estafette.yaml`, mails to campaigns, letters to
//! the world.
//!
//! The way of a mail: a source yields it, the [`Roster`] says which campaigns it is for, it is
//! written into their inboxes under a key that stays the same, and only then is the source told
//! that it is taken. After a stop in between all this is repeated, and a mail that is already there
//! is not written twice. Letters stay in the outboxes until a server has taken them; marking them
//! is the last step, so that each goes out at least once, always with the same bytes.
//!
//! Nothing here decides anything about a campaign:
//! [`Campaign::pass`](crate::campaign::Campaign::pass) does.

mod bell;
mod club_desk;
mod collector;
pub mod config;
mod desk;
pub mod doctor;
pub mod known;
pub mod log;
mod once;
mod queue;
mod report;
mod roster;
pub mod service;

use std::sync::Arc;

use jiff::Timestamp;

pub use club_desk::work_on_club;
pub use collector::Collector;
pub use config::{ConfigError, HostConfig};
pub use desk::{Desk, Look};
pub use doctor::examine;
pub use once::{RoundSummary, once};
pub use queue::{Queue, QueueRound};
pub use roster::{ClubPlace, LetterBox, MailRoute, Member, Roster, Router};
pub use service::{ServeError, serve};

/// Where the time comes from: the system's clock, or that of a test.
pub type HostClock = Arc<dyn Fn() -> Timestamp + Send + Sync>;
