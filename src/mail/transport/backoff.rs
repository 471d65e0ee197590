//! How long to wait before trying again.

use std::time::Duration;

/// Waits that double from one second to five minutes, each up to a quarter longer by chance, so
/// that many clients of one server don't come back at the same moment.
#[derive(Clone, Debug)]
pub struct Backoff {
    first: Duration,
    longest: Duration,
    failures: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(300))
    }
}

impl Backoff {
    /// Waits between these two.
    #[must_use]
    pub fn new(first: Duration, longest: Duration) -> Self {
        Self {
            first,
            longest,
            failures: 0,
        }
    }

    /// Notes a success: the next wait is the first again.
    pub fn worked(&mut self) {
        self.failures = 0;
    }

    /// Notes a failure, and returns how long to wait now.
    pub fn failed(&mut self) -> Duration {
        let doubled = self
            .first
            .saturating_mul(1_u32.checked_shl(self.failures).unwrap_or(u32::MAX));
        self.failures = self.failures.saturating_add(1);
        let wait = doubled.min(self.longest);
        // Without randomness all come back at once, which is no reason to stop.
        let chance = getrandom::u32().unwrap_or(0) % 256;
        wait + wait * chance / 1024
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_begin_again() {
        let mut backoff = Backoff::default();
        for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            let (wait, expected) = (backoff.failed(), Duration::from_secs(expected));
            assert!(
                wait >= expected && wait <= expected * 5 / 4,
                "{wait:?} for {expected:?}"
            );
        }
        for _ in 0..100 {
            backoff.failed();
        }
        assert!(backoff.failed() <= Duration::from_secs(375));
        backoff.worked();
        assert!(backoff.failed() < Duration::from_secs(2));
    }
}
