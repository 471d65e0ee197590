//! The games that ship with the program, and whether this process runs any others.
//!
//! Foreign scripts can end the process that runs them, whatever the sandbox does: by its stack, by
//! its memory, by a call that never returns. So the host runs what it ships itself, and everything
//! else in processes of their own ([`crate::isolation`]); this is the lock on its door.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{EmbeddedFiles, Files};

/// True if this process runs only what ships with it. A program that uses the library decides for
/// itself what it runs.
static ONLY_SHIPPED: AtomicBool = AtomicBool::new(false);

/// From now on this process compiles no script and reads no pinned game that does not ship with it,
/// or again does.
pub fn run_only_shipped(only: bool) {
    ONLY_SHIPPED.store(only, Ordering::SeqCst);
}

/// Returns true if this process runs only what ships with it.
#[must_use]
pub fn runs_only_shipped() -> bool {
    ONLY_SHIPPED.load(Ordering::SeqCst)
}

/// Returns true if these files, by path (`rules/lib/values.rhai`), are the program's own, byte for
/// byte.
pub fn are_shipped<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> bool {
    files
        .into_iter()
        .all(|(path, bytes)| EmbeddedFiles.read(path).is_ok_and(|own| *own == *bytes))
}

/// Returns true if this process may run these files.
pub fn may_run<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> bool {
    !runs_only_shipped() || are_shipped(files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::game::GameFiles;

    #[test]
    fn the_games_ship_as_they_are() {
        let game = EmbeddedFiles.game_ids().unwrap().swap_remove(0);
        let mut files = GameFiles::gather(&EmbeddedFiles, &game).unwrap().0;
        let shipped = |files: &std::collections::BTreeMap<String, Vec<u8>>| {
            are_shipped(
                files
                    .iter()
                    .map(|(path, bytes)| (path.as_str(), bytes.as_slice())),
            )
        };
        assert!(shipped(&files));
        let script = files
            .keys()
            .find(|path| path.ends_with(".rhai"))
            .unwrap()
            .clone();
        files.get_mut(&script).unwrap().push(b'\n');
        assert!(!shipped(&files));
        files.remove(&script);
        assert!(shipped(&files));
        files.insert("data/tables.yaml".to_owned(), Vec::new());
        assert!(!shipped(&files));
    }
}
