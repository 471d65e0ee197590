//! A progress bar for long work, on a terminal only, and not for work that is over at once.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::visible::visible;

/// Work of fewer steps is over before anybody could look.
const FEWEST: usize = 50;

/// A bar on standard error. It disappears with the value.
pub struct Bar {
    bar: ProgressBar,
    /// Work of fewer steps shows none.
    fewest: usize,
}

impl Bar {
    /// A bar that nothing has been shown on, for many short steps.
    #[must_use]
    pub fn new() -> Self {
        Self::with(FEWEST)
    }

    /// A bar for slow steps, shown from the first one.
    #[must_use]
    pub fn from_the_first() -> Self {
        Self::with(1)
    }

    fn with(fewest: usize) -> Self {
        let target = if stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len}, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, fewest }
    }

    /// Shows how much is done.
    pub fn show(&self, done: usize, all: usize) {
        if all >= self.fewest {
            self.bar.set_length(all as u64);
            self.bar.set_position(done as u64);
        }
    }

    /// Writes a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.println(visible(line));
    }

    /// Takes the bar away while something else is written.
    pub fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
