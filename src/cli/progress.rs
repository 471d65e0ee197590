//! A progress bar for long work: on a terminal only, and not for what is over at once.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work of fewer steps is over before anybody could look.
const FEWEST: usize = 50;

/// A bar on standard error. It disappears with the value.
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar that nothing has been shown on.
    #[must_use]
    pub fn new() -> Self {
        let target = if stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows how much is done.
    pub fn show(&self, done: usize, all: usize) {
        if all >= FEWEST {
            self.0.set_length(all as u64);
            self.0.set_position(done as u64);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
