//! The bounds of a process with foreign rules, which it sets for itself when it begins.

use std::io;

use crate::game::shipped;

/// The stack of the thread that runs the rules: whatever the sandbox lets a script build can be
/// dropped on it.
pub const STACK: usize = 64 << 20;

/// The resources that a process with foreign rules may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessBounds {
    /// Bytes of memory that it may map beside what it has when it begins, stacks included.
    pub memory: u64,
    /// Seconds after which it is ended; none for a command at which somebody sits.
    pub seconds: Option<u64>,
}

impl Default for ProcessBounds {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            seconds: Some(180),
        }
    }
}

impl ProcessBounds {
    /// The bounds of a command without a time limit, which has this much memory for each of its
    /// threads.
    #[must_use]
    pub fn of_long_work(threads: usize) -> Self {
        let one = Self::default();
        let threads = u64::try_from(threads).unwrap_or(u64::MAX).max(1);
        Self {
            memory: one.memory.saturating_mul(threads),
            seconds: None,
        }
    }

    /// Bounds this process, which from now on may run rules of others.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn enter(&self) -> io::Result<()> {
        #[cfg(unix)]
        self.limit()?;
        #[cfg(target_os = "linux")]
        end_with_the_host()?;
        shipped::run_only_shipped(false);
        Ok(())
    }

    #[cfg(unix)]
    fn limit(&self) -> io::Result<()> {
        use rustix::process::Resource;
        limit(Resource::Core, 0)?;
        // The allocator has set memory aside before anything else began, which is no use that the
        // rules make of it.
        let mapped = memory_stats::memory_stats().map_or(0, |stats| stats.virtual_mem as u64);
        limit(Resource::As, self.memory.saturating_add(mapped))?;
        // The host looks at the clock; this is for a child whose host has gone. Some of its work is
        // done by more than one thread.
        if let Some(seconds) = self.seconds {
            limit(Resource::Cpu, seconds.saturating_mul(2))?;
        }
        Ok(())
    }
}

/// Sets a limit of this process; one that is lower already stays.
#[cfg(unix)]
fn limit(resource: rustix::process::Resource, most: u64) -> io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let known = getrlimit(resource).maximum;
    let most = Some(known.map_or(most, |known| known.min(most)));
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    Ok(setrlimit(resource, limit)?)
}

/// The process ends with the one that began it, and is the first to go where a machine has no
/// memory left.
#[cfg(target_os = "linux")]
fn end_with_the_host() -> io::Result<()> {
    use rustix::process::{Signal, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // Not everywhere allowed, and the limits hold without it.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    Ok(())
}
