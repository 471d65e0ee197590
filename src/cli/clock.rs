//! The clock of a command: the system's, or that of a test.

use jiff::Timestamp;

/// The option that sets the clock.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct ClockOption {
    /// The time, for tests: `2026-11-21T20:00:00Z`
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
}

impl ClockOption {
    /// Returns true if a time was given.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.now.is_some()
    }

    /// The present moment.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the clock"
    )]
    pub fn now(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }
}
