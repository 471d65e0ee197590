//! What work costs in processor time: other programs on the machine do not count where the system
//! says so.
use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

/// How much processor time this thread has used.
fn busy() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let known = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = known.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// What a piece of work gives, and what it costs.
pub fn cost<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let before = busy();
    let done = work();
    (busy().saturating_sub(before), done)
}
