//! The rules and data that a campaign began with, kept inside it: later versions of scripts must
//! not change a running campaign, and an audit must be able to replay it.
//!
//! With the files goes `SHA256SUMS`, as `sha256sum` writes it, sorted by path. The SHA-256 of that
//! text is the digest of them all: the `rules` line of the register (dice.md, section 4).
//!
//! In a campaign they are one gzipped tar archive, which campaigns beside each other share; in a
//! bundle, and in campaigns of earlier versions, they are files in a folder.

use std::{
    collections::BTreeMap,
    io::Read,
    path::Path,
    sync::{LazyLock, Mutex, PoisonError},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use tar::{Archive, Builder, Header};

use crate::{
    bounded::{self, Allowance, FolderBounds, FolderEntry},
    digest::Digest,
    disk::{self, Mode},
    game::{EmbeddedFiles, Files, LARGEST_FILE, MOST_BYTES, MOST_FILES},
    store::{error::StoreError, unpack::first_file},
};

/// Where they lie in a campaign, and in a bundle.
pub(super) const PINNED: &str = "pinned";
const SUMS: &str = "SHA256SUMS";
/// What is wrong with a file that the sums do not list.
const NOT_THERE: &str = "was not there when the campaign began";
/// How many parts a path may have.
const MOST_PARTS: usize = 8;
/// How much may be below the folder.
const BOUNDS: FolderBounds = FolderBounds {
    entries: 2 * MOST_FILES,
    depth: MOST_PARTS,
};

/// Pinned files by path (`games/toy/map.yaml`), with `/` on every system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedFiles {
    files: BTreeMap<String, Vec<u8>>,
    /// The digest of each.
    sums: BTreeMap<String, Digest>,
}

impl PinnedFiles {
    /// The files by their path.
    #[must_use]
    pub fn into_files(self) -> BTreeMap<String, Vec<u8>> {
        self.files
    }

    /// The files to pin.
    ///
    /// # Errors
    /// A path that could leave the folder or mean something else on another system; too many files,
    /// or too large ones.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, StoreError> {
        let wrong = |path: &str, problem: String| StoreError::Pinned {
            path: path.into(),
            problem,
        };
        if let Some(path) = files.keys().find(|path| !is_plain_path(path)) {
            return Err(wrong(
                path,
                "parts of a pinned path are of A-Z, a-z, 0-9, . _ -, and begin with no dot".into(),
            ));
        }
        let size = |bytes: &Vec<u8>| bytes.len() as u64;
        if let Some((path, _)) = (files.iter()).find(|(_, bytes)| size(bytes) > LARGEST_FILE) {
            let problem = format!("it has more than {LARGEST_FILE} bytes");
            return Err(wrong(path, problem));
        }
        if files.len() > MOST_FILES || files.values().map(size).sum::<u64>() > MOST_BYTES {
            let problem = format!("at most {MOST_FILES} files with {MOST_BYTES} bytes are pinned");
            return Err(wrong(SUMS, problem));
        }
        let sums = (files.iter())
            .map(|(path, bytes)| (path.clone(), Digest::of(bytes)))
            .collect();
        Ok(Self { files, sums })
    }

    /// All files, by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    /// The text of `SHA256SUMS`.
    #[must_use]
    pub fn sums(&self) -> String {
        self.sums
            .iter()
            .map(|(path, digest)| format!("{digest}  {path}\n"))
            .collect()
    }

    /// The digest of all files and their names.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.sums().as_bytes())
    }

    /// Returns true if `SHA256SUMS` of an archive or a folder lists only files that ship with the
    /// program, as they ship. Reading the files compares them with the list.
    #[must_use]
    pub fn is_shipped(place: &Path) -> bool {
        let sums = if is_archive(place) {
            first_file(place, Path::new(SUMS), LARGEST_FILE)
                .ok()
                .and_then(|text| sums_of(&text))
        } else {
            read_sums(place).ok()
        };
        sums.is_some_and(|sums| {
            let ships = |(path, digest): (&String, &Digest)| shipped(path) == Some(*digest);
            sums.iter().all(ships)
        })
    }

    /// The files as an archive, `SHA256SUMS` first. The same files give the same bytes.
    ///
    /// # Errors
    /// [`StoreError::Pinned`]: a path that is too long for a plain entry of an archive.
    pub fn archive(&self) -> Result<Vec<u8>, StoreError> {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
        let sums = self.sums();
        for (path, bytes) in std::iter::once((SUMS, sums.as_bytes())).chain(self.iter()) {
            let wrong = |error: std::io::Error| StoreError::Pinned {
                path: path.into(),
                problem: error.to_string(),
            };
            let mut header = Header::new_ustar();
            header.set_path(path).map_err(wrong)?;
            header.set_mode(0o644);
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            builder.append(&header, bytes).map_err(wrong)?;
        }
        let packed = builder.into_inner().and_then(GzEncoder::finish);
        packed.map_err(StoreError::io("pack", Path::new(SUMS)))
    }

    /// Writes the files and `SHA256SUMS` into a new folder.
    ///
    /// # Errors
    /// The environment.
    pub fn write(&self, folder: &Path) -> Result<(), StoreError> {
        disk::make_folder(folder)?;
        for (path, bytes) in &self.files {
            let path = folder.join(path);
            disk::make_folder(disk::folder_of(&path))?;
            disk::write_atomically(&path, bytes, Mode::Shared)?;
        }
        let sums = self.sums();
        Ok(disk::write_atomically(
            &folder.join(SUMS),
            sums.as_bytes(),
            Mode::Shared,
        )?)
    }

    /// Reads an archive or a folder back and checks every file against `SHA256SUMS`. To learn
    /// whether that is the list that the campaign began with, compare [`PinnedFiles::digest`] with
    /// the journal.
    ///
    /// # Errors
    /// The environment; [`StoreError::Pinned`] names the first file that was changed, added or
    /// taken away.
    pub fn read(place: &Path) -> Result<Self, StoreError> {
        let (found, wanted) = if is_archive(place) {
            let mut files = read_archive(place)?;
            let sums = files.remove(SUMS);
            let sums = sums.ok_or_else(|| changed(place, SUMS, "is missing".into()))?;
            let sums = String::from_utf8(sums).ok().and_then(|it| sums_of(&it));
            (files, sums.ok_or_else(|| wrong_sums(place))?)
        } else {
            (read_files(place)?, read_sums(place)?)
        };
        let found = Self::new(found)?;
        for (path, digest) in &found.sums {
            let problem = match wanted.get(path) {
                Some(wanted) if wanted == digest => continue,
                Some(wanted) => format!("was changed: {digest} instead of {wanted}"),
                None => NOT_THERE.into(),
            };
            return Err(changed(place, path, problem));
        }
        if let Some(missing) = wanted.keys().find(|path| !found.sums.contains_key(*path)) {
            return Err(changed(place, missing, "is missing".into()));
        }
        Ok(found)
    }
}

fn changed(place: &Path, path: &str, problem: String) -> StoreError {
    StoreError::Pinned {
        path: place.join(path),
        problem,
    }
}

fn wrong_sums(place: &Path) -> StoreError {
    let problem = "has a line that `sha256sum` would not write".into();
    changed(place, SUMS, problem)
}

fn read_sums(folder: &Path) -> Result<BTreeMap<String, Digest>, StoreError> {
    let text = bounded::read_text(&folder.join(SUMS), LARGEST_FILE)?;
    sums_of(&text).ok_or_else(|| wrong_sums(folder))
}

fn sums_of(text: &str) -> Option<BTreeMap<String, Digest>> {
    let line = |line: &str| {
        let (digest, path) = line.split_once("  ")?;
        Some((path.to_owned(), digest.parse().ok()?))
    };
    text.lines().map(line).collect()
}

/// The digest of a file that ships with the program, if there is one of this path. Each is made
/// once.
fn shipped(path: &str) -> Option<Digest> {
    static KNOWN: LazyLock<Mutex<BTreeMap<String, Digest>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(digest) = known.get(path) {
        return Some(*digest);
    }
    let digest = Digest::of(&EmbeddedFiles.read(path).ok()?);
    known.insert(path.to_owned(), digest);
    Some(digest)
}

/// Returns true for an archive's path; links are none.
fn is_archive(place: &Path) -> bool {
    place.symlink_metadata().is_ok_and(|found| found.is_file())
}

/// All files of an archive, the sums too. It may come from anybody: no more than may be pinned is
/// read.
fn read_archive(place: &Path) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let damaged = |error: std::io::Error| match error.raw_os_error() {
        Some(_) => StoreError::io("read", place)(error),
        None => StoreError::Pinned {
            path: place.to_owned(),
            problem: format!("is no archive, or a damaged one ({error})"),
        },
    };
    let wrong = |problem: &str| StoreError::Pinned {
        path: place.to_owned(),
        problem: problem.to_owned(),
    };
    let file = bounded::open(place)?;
    // Headers and padding are a kilobyte a file.
    let most = MOST_BYTES + LARGEST_FILE + 2048 * (MOST_FILES as u64 + 2);
    let mut archive = Archive::new(GzDecoder::new(file).take(most));
    let mut found = BTreeMap::new();
    // Raw: what a long name would be is an entry of its own, and none of ours.
    for entry in archive.entries().map_err(damaged)?.raw(true) {
        let mut entry = entry.map_err(damaged)?;
        if !entry.header().entry_type().is_file() {
            return Err(wrong("has an entry that is no plain file"));
        }
        let path = entry.path().map_err(damaged)?;
        let name = path.to_str().filter(|name| is_plain_path(name));
        let name = name
            .ok_or_else(|| changed(place, &path.to_string_lossy(), NOT_THERE.into()))?
            .to_owned();
        if entry.size() > LARGEST_FILE || found.len() > MOST_FILES {
            return Err(wrong("has more in it than may be pinned"));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(damaged)?;
        if found.insert(name, bytes).is_some() {
            return Err(wrong("has a file twice"));
        }
    }
    Ok(found)
}

/// All files below a folder, except the sums.
fn read_files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let mut allowance = Allowance::new(folder, MOST_BYTES);
    let mut found = BTreeMap::new();
    for FolderEntry { path, name } in bounded::files_below(folder, BOUNDS, |_| true)? {
        if name == SUMS {
            continue;
        }
        if !is_plain_path(&name) {
            return Err(changed(folder, &name, NOT_THERE.into()));
        }
        found.insert(name, allowance.read(&path, LARGEST_FILE)?);
    }
    Ok(found)
}

fn is_plain_path(path: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(plain);
    path.split('/').all(part) && path.split('/').count() <= MOST_PARTS
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
pub(crate) mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    pub fn example() -> PinnedFiles {
        let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
        PinnedFiles::new(BTreeMap::from([
            file("games/toy/game.yaml", "id: toy\n"),
            file("rules/toy/supply.rhai", "fn supply() {}\n"),
            file("rules/lib/cup.rhai", ""),
        ]))
        .unwrap()
    }

    fn written() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let pinned = folder.path().join("pinned");
        example().write(&pinned).unwrap();
        (folder, pinned)
    }

    #[test]
    fn what_is_written_is_read() {
        let (_folder, path) = written();
        assert_eq!(PinnedFiles::read(&path).unwrap(), example());
        assert_eq!(
            fs::read_to_string(path.join(SUMS)).unwrap(),
            example().sums()
        );
    }

    /// The digest stands in the register: it must not change with the program. These are the values
    /// of `sha256sum`.
    #[test]
    fn the_digest_is_exact() {
        let sums = "\
            81ebcfd2b3400394ae19a1eb96219f66e157db3d3579032980d1d9f8341fe756  games/toy/game.yaml\n\
            e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  rules/lib/cup.rhai\n\
            ca4e8de493e5543ff10db5add0da8848373d0de1e29cb52a46c7289e858b56cf  rules/toy/supply.rhai\n";
        assert_eq!(example().sums(), sums);
        let digest = "2629f8c0b73d3a12d182e925900ab626fee5b5691599fac16fb92eae1e0a385d";
        assert_eq!(example().digest().to_string(), digest);
    }

    #[test]
    fn every_change_is_named() {
        let check = |change: &dyn Fn(&Path), file: &str, problem: &str| {
            let (_folder, path) = written();
            change(&path);
            let error = PinnedFiles::read(&path).unwrap_err();
            assert!(!error.is_environment());
            assert!(
                error.to_string().contains(file) && error.to_string().contains(problem),
                "{error}"
            );
        };
        check(
            &|path| fs::write(path.join("rules/lib/cup.rhai"), "x").unwrap(),
            "cup.rhai",
            "was changed",
        );
        check(
            &|path| fs::write(path.join("rules/lib/new.rhai"), "x").unwrap(),
            "new.rhai",
            "was not there",
        );
        check(
            &|path| fs::write(path.join("rules/.hidden"), "x").unwrap(),
            ".hidden",
            "was not there",
        );
        check(
            &|path| fs::remove_file(path.join("games/toy/game.yaml")).unwrap(),
            "game.yaml",
            "missing",
        );
        check(
            &|path| fs::write(path.join(SUMS), "nonsense\n").unwrap(),
            SUMS,
            "sha256sum",
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, path) = written();
        std::os::unix::fs::symlink(folder.path(), path.join("rules/loop")).unwrap();
        let error = PinnedFiles::read(&path).unwrap_err();
        assert!(error.to_string().contains("symbolic link"), "{error}");
        let linked = folder.path().join("linked");
        std::os::unix::fs::symlink(&path, &linked).unwrap();
        assert!(PinnedFiles::read(&linked).is_err());
    }

    #[test]
    fn paths_stay_inside() {
        for path in [
            "",
            "/etc/x",
            "../x",
            "rules/../../x",
            "rules//x",
            "rules/a b",
            "rules\\x",
            ".git/x",
            "a/b/c/d/e/f/g/h/i",
        ] {
            let files = BTreeMap::from([(path.to_owned(), Vec::new())]);
            assert!(PinnedFiles::new(files).is_err(), "{path}");
        }
    }

    #[test]
    fn an_archive_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("pinned.tar.gz");
        fs::write(&place, example().archive().unwrap()).unwrap();
        assert_eq!(PinnedFiles::read(&place).unwrap(), example());
        assert_eq!(example().archive().unwrap(), fs::read(&place).unwrap());
        let long = format!("rules/{}.rhai", "x".repeat(120));
        let files = PinnedFiles::new(BTreeMap::from([(long, Vec::new())])).unwrap();
        assert!(matches!(files.archive(), Err(StoreError::Pinned { .. })));
    }

    /// An archive of these entries: name, kind, bytes.
    fn archive_of(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (name, kind, bytes) in entries {
            let mut header = Header::new_ustar();
            header.set_path(name).unwrap();
            header.set_entry_type(*kind);
            if *kind == tar::EntryType::Symlink {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn archives_of_strangers_are_refused() {
        use tar::EntryType::{Directory, GNULongName, Regular, Symlink};
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("pinned.tar.gz");
        let large = vec![b' '; usize::try_from(LARGEST_FILE).unwrap() + 1];
        let (sums, script) = (example().sums(), "rules/toy/supply.rhai");
        let sums = (SUMS, Regular, sums.as_bytes());
        for (entries, problem) in [
            (vec![(script, Regular, &b""[..])], "is missing"),
            (vec![sums, (script, Symlink, b"")], "no plain file"),
            (vec![sums, ("rules", Directory, b"")], "no plain file"),
            (vec![sums, ("x", GNULongName, b"x")], "no plain file"),
            (vec![sums, ("rules/.x", Regular, b"")], "was not there"),
            (
                vec![sums, (script, Regular, b""), (script, Regular, b"")],
                "twice",
            ),
            (vec![sums, (script, Regular, &large)], "more in it than"),
            (
                vec![sums, (script, Regular, b"fn other() {}")],
                "was changed",
            ),
            (vec![(SUMS, Regular, &b"\xff"[..])], "sha256sum"),
        ] {
            fs::write(&place, archive_of(&entries)).unwrap();
            let error = PinnedFiles::read(&place).unwrap_err();
            assert!(!error.is_environment(), "{error}");
            assert!(error.to_string().contains(problem), "{problem}: {error}");
        }
        fs::write(&place, b"no archive").unwrap();
        let error = PinnedFiles::read(&place).unwrap_err();
        assert!(error.to_string().contains("no archive"), "{error}");
    }

    #[test]
    fn a_missing_folder_is_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        assert!(
            PinnedFiles::read(&folder.path().join("none"))
                .unwrap_err()
                .is_environment()
        );
    }
}
