//! The model of a campaign: its state ([`state::State`]), the events that changed it and their
//! outcomes ([`events::Event`]), its unchanging context ([`context::Context`]), and the values that
//! make these up.
//!
//! The state follows from the journal and from nothing else; it can be kept as a snapshot and lost
//! without harm. Everything persisted is typed: a line that can't be read is an error. Nothing here
//! works inputs off or knows the campaign's other rooms.
//!
//! - What never changes: `context`, `compiled_game`, `settings`, `seats`, `umpires`, `trust`,
//!   `version`.
//! - The journal: `events` (with `ruling`, `umpire_acts` and `done`), and in them `errands`,
//!   `verdicts`, `sources`, `player_address`, `recipient`.
//! - The state: `state`, `seat_state`, `wait`, `clock`, `leeway`, `checkpoints`, `concerns`,
//!   `contact`, `rate`, `players`, `understanding`, `news`, `absence`, `stints`, and of these
//!   `endings`. Those who look on: `observers`.
//! - Dice: `dice`, `missing_values`, `register`, `secrets`, `renewal`, `relay_address`.
//! - Letters: `replies`. Errors: `work_error`, `ruling_error`.

pub mod absence;
pub mod checkpoints;
pub mod clock;
pub mod compiled_game;
pub mod concerns;
pub mod contact;
pub mod context;
pub mod dice;
pub mod dispatch_policy;
pub mod done;
pub mod endings;
pub mod errands;
pub mod events;
pub mod leeway;
pub mod missing_values;
pub mod news;
pub mod observers;
pub mod player_address;
pub mod players;
pub mod rate;
pub mod recipient;
pub mod register;
#[cfg(feature = "drand")]
mod relay_address;
pub mod renewal;
pub mod replies;
pub mod ruling;
pub mod ruling_error;
pub mod seat_state;
pub mod seats;
pub mod secrets;
pub mod settings;
pub mod sources;
pub mod state;
pub mod stints;
pub mod trust;
pub mod umpire_acts;
pub mod umpires;
pub mod understanding;
pub mod verdicts;
pub mod version;
pub mod wait;
pub mod work_error;
