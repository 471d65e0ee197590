//! The sign to stop, shared by all threads.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A sign to stop that any thread can give and all can see. Clones are the same sign.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<(Mutex<bool>, Condvar)>);

impl Stop {
    /// A sign that has not been given yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the sign, and wakes all sleepers.
    pub fn stop(&self) {
        *self.locked() = true;
        self.0.1.notify_all();
    }

    /// Returns true if the sign has been given.
    #[must_use]
    pub fn is_set(&self) -> bool {
        *self.locked()
    }

    /// Sleeps this long, or until the sign is given; returns true if it has been given.
    pub fn sleep(&self, long: Duration) -> bool {
        let end = Instant::now() + long;
        let mut stopped = self.locked();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if *stopped || left.is_zero() {
                return *stopped;
            }
            stopped = self
                .0
                .1
                .wait_timeout(stopped, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn locked(&self) -> MutexGuard<'_, bool> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeper_wakes_up() {
        let stop = Stop::new();
        assert!(!stop.sleep(Duration::from_millis(1)));
        let other = stop.clone();
        let start = Instant::now();
        let giver = std::thread::spawn(move || other.stop());
        let long = Duration::from_secs(600);
        assert!(stop.sleep(long) && stop.is_set());
        assert!(start.elapsed() < long && giver.join().is_ok());
    }
}
