//! How whoever works on a campaign or the club hears of mail: a ring, or the next look.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::Duration,
};

use crate::mail::transport::Stop;

/// How often campaigns are looked at without news: for deadlines, and for mails from `estafette
/// deliver`.
pub(super) const LOOK: Duration = Duration::from_secs(1);

/// Waits for a ring, at most for so long.
pub(super) fn wait_for_ring(rung: &Receiver<usize>, most: Duration, stop: &Stop) -> Option<usize> {
    match rung.recv_timeout(most) {
        Ok(place) => Some(place),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => {
            stop.sleep(most);
            None
        }
    }
}
