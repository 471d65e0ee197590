//! Snapshots: states kept beside the journal, so that opening a campaign costs as much in the ninth
//! turn as in the first.
//!
//! They are a cache. One that is damaged, from another build or not of this journal is skipped;
//! without any, the state is made from the journal's beginning. Deleting them costs nothing but
//! time.
//!
//! A file is one line of JSON and one line with its SHA-256, compressed.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    bounded,
    digest::Digest,
    disk::{self, Mode},
    store::{error::StoreError, journal, record::Position},
};

/// How many are kept.
const KEPT: usize = 3;
/// The largest snapshot that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The snapshots of a campaign.
#[derive(Clone, Debug)]
pub struct Snapshots {
    folder: PathBuf,
    journal: PathBuf,
    build: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SnapshotFile<S> {
    build: String,
    position: Position,
    state: S,
}

impl Snapshots {
    /// The snapshots of this journal in this folder that the same build made. `build` must change
    /// whenever the same journal could lead to another state, or the state to another JSON.
    #[must_use]
    pub fn new(folder: PathBuf, journal: PathBuf, build: &str) -> Self {
        Self {
            folder,
            journal,
            build: build.to_owned(),
        }
    }

    /// Saves the state that the journal's records up to `position` lead to, and deletes snapshots
    /// that are too old or lie after it.
    ///
    /// # Errors
    /// The environment, [`StoreError::Unwritable`]: the campaign can go on without a snapshot.
    pub fn save<S: Serialize>(&self, position: Position, state: &S) -> Result<(), StoreError> {
        let stored = SnapshotFile {
            build: self.build.clone(),
            position,
            state,
        };
        let mut text = serde_json::to_string(&stored).map_err(|error| StoreError::Unwritable {
            what: "snapshot",
            problem: error.to_string(),
        })?;
        text = format!("{text}\n{}\n", Digest::of(text.as_bytes()));
        disk::make_folder(&self.folder)?;
        let path = self.folder.join(file_name(position.n));
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        let packed = packed
            .write_all(text.as_bytes())
            .and_then(|()| packed.finish())
            .map_err(StoreError::io("write", &path))?;
        // It has a checksum, and the journal makes it again.
        disk::write_cache(&path, &packed, Mode::Secret)?;
        self.tidy(&path);
        Ok(())
    }

    /// The newest state that belongs to this journal, with its position.
    ///
    /// # Errors
    /// The environment, when the journal can't be read.
    pub fn newest<S: DeserializeOwned>(&self) -> Result<Option<(Position, S)>, StoreError> {
        for path in self.all() {
            if let Some(stored) = self.load(&path)
                && journal::holds(&self.journal, stored.position)?
            {
                return Ok(Some((stored.position, stored.state)));
            }
        }
        Ok(None)
    }

    /// Reads a snapshot; none if it is damaged or from another build.
    fn load<S: DeserializeOwned>(&self, path: &Path) -> Option<SnapshotFile<S>> {
        let packed = bounded::read(path, LARGEST).ok()?;
        let mut text = String::new();
        let mut unpacked = ZlibDecoder::new(packed.as_slice()).take(LARGEST);
        unpacked.read_to_string(&mut text).ok()?;
        let (state, digest) = text.strip_suffix('\n')?.split_once('\n')?;
        if digest.parse() != Ok(Digest::of(state.as_bytes())) {
            return None;
        }
        let stored: SnapshotFile<S> = serde_json::from_str(state).ok()?;
        (stored.build == self.build).then_some(stored)
    }

    /// All snapshots, the newest first.
    fn all(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            // Those of earlier versions can't be read, but are tidied away.
            .filter(|path| {
                path.extension()
                    .is_some_and(|end| end == "zlib" || end == "json")
            })
            .collect();
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths
    }

    /// Deletes all but the newest snapshots, and those that a longer journal than this has left
    /// (before a copy was restored, say). Any that can't be deleted do no harm.
    fn tidy(&self, newest: &Path) {
        let all = self.all();
        let later = all.iter().take_while(|path| path.as_path() > newest);
        let older = all
            .iter()
            .skip_while(|path| path.as_path() > newest)
            .skip(KEPT);
        for path in later.chain(older) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Names that sort like their numbers.
fn file_name(n: u64) -> String {
    format!("{n:020}.json.zlib")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::store::journal::Journal;

    /// A journal of `count` records and the positions behind each.
    fn journal(folder: &Path, count: usize) -> (PathBuf, Vec<Position>) {
        let path = folder.join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        let event = serde_json::json!({"kind": "passed"});
        let mut append = || {
            journal
                .append(jiff::Timestamp::UNIX_EPOCH, event.clone())
                .unwrap();
            journal.position()
        };
        let positions = (0..count).map(|_| append()).collect();
        (path, positions)
    }

    fn newest(snapshots: &Snapshots) -> Option<(u64, String)> {
        snapshots
            .newest::<String>()
            .unwrap()
            .map(|(position, state)| (position.n, state))
    }

    #[test]
    fn the_newest_comes_back_and_few_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, positions) = journal(folder.path(), 12);
        let snapshots = Snapshots::new(folder.path().join("snapshots"), journal.clone(), "1");
        assert_eq!(newest(&snapshots), None, "not even a folder");
        for position in positions {
            snapshots
                .save(position, &format!("state {}", position.n))
                .unwrap();
        }
        assert_eq!(newest(&snapshots), Some((12, "state 12".into())));
        assert_eq!(snapshots.all().len(), KEPT);
    }

    #[test]
    fn damaged_ones_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, positions) = journal(folder.path(), 2);
        let snapshots = Snapshots::new(folder.path().join("snapshots"), journal.clone(), "1");
        snapshots.save(positions[0], &"old").unwrap();
        snapshots.save(positions[1], &"new").unwrap();
        let path = snapshots.all().remove(0);
        let whole = fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            fs::write(&path, &bytes).unwrap();
            assert_eq!(newest(&snapshots), Some((1, "old".into())), "byte {place}");
            fs::write(&path, &whole[..place]).unwrap();
            assert_eq!(
                newest(&snapshots),
                Some((1, "old".into())),
                "cut at {place}"
            );
        }
    }

    #[test]
    fn other_builds_journals_and_types_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, positions) = journal(folder.path(), 2);
        let snapshots = Snapshots::new(folder.path().join("snapshots"), journal.clone(), "1");
        snapshots.save(positions[0], &"old").unwrap();
        let foreign = Position {
            head: Digest::of(b"other"),
            ..positions[1]
        };
        snapshots.save(foreign, &"foreign").unwrap();
        assert_eq!(newest(&snapshots), Some((1, "old".into())));
        assert!(snapshots.newest::<u32>().unwrap().is_none());
        let other_build = Snapshots::new(snapshots.folder.clone(), journal, "2");
        assert_eq!(newest(&other_build), None);
    }

    #[test]
    fn those_of_a_longer_journal_do_not_crowd_out_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, positions) = journal(folder.path(), 9);
        let snapshots = Snapshots::new(folder.path().join("snapshots"), journal.clone(), "1");
        positions[3..]
            .iter()
            .for_each(|position| snapshots.save(*position, &"lost").unwrap());
        let bytes = fs::read(&journal).unwrap();
        fs::write(
            &journal,
            &bytes[..usize::try_from(positions[1].offset).unwrap()],
        )
        .unwrap();
        assert_eq!(newest(&snapshots), None);
        snapshots.save(positions[1], &"restored").unwrap();
        assert_eq!(newest(&snapshots), Some((2, "restored".into())));
    }

    #[test]
    fn a_missing_journal_is_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, positions) = journal(folder.path(), 1);
        let snapshots = Snapshots::new(folder.path().join("snapshots"), journal.clone(), "1");
        snapshots.save(positions[0], &"old").unwrap();
        fs::remove_file(&journal).unwrap();
        assert!(snapshots.newest::<String>().unwrap_err().is_environment());
    }
}
