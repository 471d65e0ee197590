//! The lock of a campaign: only one process at a time works on it.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use crate::{disk::folder_of, store::error::StoreError};

/// How often a waiting process looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The lock of a campaign, kept as long as this value lives.
///
/// It is the operating system's lock on the open file. It ends with the process, however that ends,
/// so a leftover lock file means nothing. The file's text, the process id, is only for error
/// messages.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock; waits up to `patience` for another process to let it go.
    ///
    /// # Errors
    /// [`StoreError::Locked`], or another one of the environment.
    pub fn take(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        let failed = || StoreError::io("lock", path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed())?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(failed()(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                    return Err(locked(path, &mut file));
                }
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(LOOK_AGAIN.min(patience.saturating_sub(start.elapsed())));
                }
            }
        }
        // A full disk must not keep anybody from a campaign.
        let _ = note_holder(&mut file);
        Ok(Self { _file: file })
    }
}

/// Writes this process's id into the file, unless it is there already, as it is whenever a host
/// comes back to a campaign: a write costs more than the lock.
fn note_holder(file: &mut File) -> std::io::Result<()> {
    if holder(file) == Some(std::process::id()) {
        return Ok(());
    }
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(format!("{}\n", std::process::id()).as_bytes())
}

/// The process whose id the file has.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn locked(path: &Path, file: &mut File) -> StoreError {
    let holder = match holder(file) {
        Some(process) => format!(" (process {process})"),
        None => String::new(),
    };
    StoreError::Locked {
        path: folder_of(path).to_owned(),
        holder,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = Lock::take(&path, Duration::ZERO).unwrap();
        let refused = Lock::take(&path, Duration::ZERO).unwrap_err();
        assert!(refused.is_environment());
        assert!(
            refused
                .to_string()
                .contains(&format!("process {}", std::process::id())),
            "{refused}"
        );
        drop(first);
        Lock::take(&path, Duration::ZERO).unwrap();
    }

    #[test]
    fn the_holder_is_written_once_over_whoever_had_it_and_then_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        std::fs::write(&path, "4294967295\n").unwrap();
        drop(Lock::take(&path, Duration::ZERO).unwrap());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{}\n", std::process::id()));
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        file.set_modified(long_ago).unwrap();
        drop(Lock::take(&path, Duration::ZERO).unwrap());
        assert_eq!(path.metadata().unwrap().modified().unwrap(), long_ago);
    }

    #[test]
    fn the_patient_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = Lock::take(&path, Duration::ZERO).unwrap();
        let waiting =
            thread::spawn(move || Lock::take(&path, Duration::from_secs(600)).map(|_| ()));
        thread::sleep(2 * LOOK_AGAIN);
        drop(first);
        waiting.join().unwrap().unwrap();
    }

    #[test]
    fn a_missing_folder_is_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let refused = Lock::take(&folder.path().join("gone/lock"), Duration::ZERO).unwrap_err();
        assert!(refused.is_environment());
    }
}
