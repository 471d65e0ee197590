//! TODO

pub mod checkpoints;
pub mod clock;
pub mod compiled;
pub mod context;
pub mod dice;
pub mod engine_error;
pub mod events;
pub mod held;
pub mod players;
pub mod rate;
pub mod recipient;
pub mod register;
pub mod replies;
pub mod ruling_error;
pub mod seats;
pub mod secrets;
pub mod settings;
pub mod sources;
pub mod state;
pub mod trust;
pub mod understood;
pub mod verdicts;
