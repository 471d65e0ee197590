//! Where a game's files come from: the binary, directories given on the command line, a campaign's
//! pinned copy.
//!
//! Paths are those of the repository: `games/<id>/...`, `rules/lib/...`, `rules/<id>/...`, and
//! `data/...` for an overlay laid over `games/<id>/...` (same file names).

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use include_dir::{Dir, DirEntry, include_dir};
use sha2::{Digest as _, Sha256};

use super::extending;
use crate::{
    bounded::{self, FileError, FolderBounds},
    digest::Digest,
};

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/games");
static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// The largest file of a game, in bytes. Those of the games that we know have a tenth of it at
/// most.
pub const LARGEST_FILE: u64 = 512 << 10;
/// The most bytes of all files of a game together, its rules included.
pub const MOST_BYTES: u64 = 4 << 20;
/// The most files of a game.
pub const MOST_FILES: usize = 1_000;

/// The bounds for a folder of a game.
const IN_A_FOLDER: FolderBounds = FolderBounds {
    entries: 2 * MOST_FILES,
    depth: 8,
};

/// A place that holds files of games and rules.
pub trait Files {
    /// Paths of all files below a folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// If the folder can't be read, or something in it is no file or folder.
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, it is larger than [`LARGEST_FILE`], or it can't be read.
    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError>;

    /// Returns true if there is such a folder.
    ///
    /// # Errors
    /// If that can't be found out.
    fn has(&self, folder: &str) -> Result<bool, FileError> {
        Ok(!self.list(folder)?.is_empty())
    }

    /// Ids of the games, sorted.
    ///
    /// # Errors
    /// As [`Files::list`].
    fn game_ids(&self) -> Result<Vec<String>, FileError> {
        let ids = self.list("games")?.into_iter().filter_map(|path| {
            let mut parts = path.split('/').skip(1);
            let id = parts.next()?.to_owned();
            (parts.next() == Some("game.yaml") && parts.next().is_none()).then_some(id)
        });
        Ok(ids.collect())
    }
}

/// The files built into the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmbeddedFiles;

impl EmbeddedFiles {
    /// The root that a path lies in, and the rest of the path.
    fn root(path: &str) -> Option<(&'static Dir<'static>, &str)> {
        let (top, rest) = path.split_once('/').unwrap_or((path, ""));
        match top {
            "games" => Some((&GAMES, rest)),
            "rules" => Some((&RULES, rest)),
            _ => None,
        }
    }

    fn dir(folder: &str) -> Option<&'static Dir<'static>> {
        match Self::root(folder)? {
            (root, "") => Some(root),
            (root, rest) => root.get_dir(rest),
        }
    }
}

impl Files for EmbeddedFiles {
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let mut paths = Vec::new();
        let top = folder.split('/').next().unwrap_or_default();
        if let Some(dir) = Self::dir(folder) {
            collect(top, dir, &mut paths);
        }
        paths.sort_unstable();
        Ok(paths)
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let found = Self::root(path).and_then(|(root, rest)| root.get_file(rest));
        found
            .map(|file| Cow::Borrowed(file.contents()))
            .ok_or_else(|| missing(path))
    }

    fn has(&self, folder: &str) -> Result<bool, FileError> {
        Ok(Self::dir(folder).is_some())
    }
}

fn collect(root: &str, dir: &Dir<'_>, paths: &mut Vec<String>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(inner) => collect(root, inner, paths),
            DirEntry::File(file) => {
                paths.push(format!("{root}/{}", slashes(file.path())));
            }
        }
    }
}

/// Directories on disk, each standing for one of the top folders `games`, `rules`, `data`.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    roots: BTreeMap<&'static str, PathBuf>,
}

impl Disk {
    /// A campaign's pinned copy: `games/`, `rules/` and `data/` below one directory.
    #[must_use]
    pub fn pinned(dir: &Path) -> Self {
        let roots = ["games", "rules", "data"];
        Self {
            roots: roots.map(|name| (name, dir.join(name))).into(),
        }
    }

    /// With a directory that holds folders of games (`--games DIR`).
    #[must_use]
    pub fn games(mut self, dir: &Path) -> Self {
        self.roots.insert("games", dir.to_owned());
        self
    }

    /// With a directory that holds folders of rules (`--rules DIR`).
    #[must_use]
    pub fn rules(mut self, dir: &Path) -> Self {
        self.roots.insert("rules", dir.to_owned());
        self
    }

    /// With a directory whose files are laid over the game's own (`--data DIR`).
    #[must_use]
    pub fn data(mut self, dir: &Path) -> Self {
        self.roots.insert("data", dir.to_owned());
        self
    }

    fn place(&self, path: &str) -> Option<PathBuf> {
        let (top, rest) = path.split_once('/').unwrap_or((path, ""));
        self.roots.get(top).map(|root| root.join(rest))
    }
}

impl Files for Disk {
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let Some(dir) = self.place(folder) else {
            return Ok(Vec::new());
        };
        // Editors' and systems' own files are no part of a game.
        let keep = |name: &str| !name.starts_with('.');
        let found = if folder.contains('/') {
            bounded::files_below(&dir, IN_A_FOLDER, keep)
        } else {
            bounded::files_below_named(&dir, IN_A_FOLDER, keep)
        };
        match found {
            Err(error) if error.is_missing() => Ok(Vec::new()),
            found => {
                let names = found?.into_iter();
                Ok(names
                    .map(|entry| format!("{folder}/{}", entry.name))
                    .collect())
            }
        }
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let place = self.place(path).ok_or_else(|| missing(path))?;
        bounded::read(&place, LARGEST_FILE).map(Cow::Owned)
    }

    fn has(&self, folder: &str) -> Result<bool, FileError> {
        match self.place(folder) {
            None => Ok(false),
            Some(dir) if folder.contains('/') => bounded::has_folder(&dir),
            Some(dir) => Ok(dir.is_dir()),
        }
    }

    /// Only looks for the files `game.yaml`: whatever else lies beside a game does not concern it.
    fn game_ids(&self) -> Result<Vec<String>, FileError> {
        let Some(root) = self.roots.get("games").filter(|root| root.is_dir()) else {
            return Ok(Vec::new());
        };
        let names = bounded::names_in(root, IN_A_FOLDER.entries)?;
        let is_game = |name: &String| root.join(name).join("game.yaml").is_file();
        Ok(names.into_iter().filter(is_game).collect())
    }
}

/// Several places, the earlier before the later. A folder (`games/<id>`, `rules/lib`, `data`) is
/// taken whole from the first place that has it, so that files of two versions never mix.
#[derive(Default)]
pub struct Layers(pub Vec<Box<dyn Files>>);

impl Layers {
    fn owner(&self, path: &str) -> Result<Option<&dyn Files>, FileError> {
        let end = path
            .match_indices('/')
            .nth(1)
            .map_or(path.len(), |(i, _)| i);
        let folder = if path.starts_with("data/") {
            "data"
        } else {
            &path[..end]
        };
        for layer in &self.0 {
            if layer.has(folder)? {
                return Ok(Some(&**layer));
            }
        }
        Ok(None)
    }

    /// The names of all layers together.
    fn joined(
        &self,
        names: impl Fn(&dyn Files) -> Result<Vec<String>, FileError>,
    ) -> Result<Vec<String>, FileError> {
        let mut all = Vec::new();
        for layer in &self.0 {
            all.extend(names(&**layer)?);
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}

impl Files for Layers {
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        if folder.contains('/') || folder == "data" {
            return self
                .owner(folder)?
                .map_or(Ok(Vec::new()), |layer| layer.list(folder));
        }
        self.joined(|layer| layer.list(folder))
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        self.owner(path)?.ok_or_else(|| missing(path))?.read(path)
    }

    fn game_ids(&self) -> Result<Vec<String>, FileError> {
        self.joined(|layer| layer.game_ids())
    }
}

/// Where a game's bots are, and what the bots of all games share.
fn bots_folders(id: &str) -> [String; 2] {
    ["lib", id].map(|owner| format!("rules/{owner}/bots/"))
}

/// The scripts of a game's bots with their names (`<id>/bots/x.rhai`), after what bots of all games
/// share; none if it brings no bots.
///
/// # Errors
/// If a file can't be read or is no text.
pub fn bot_scripts(files: &dyn Files, id: &str) -> Result<Vec<(String, String)>, FileError> {
    let [shared, own] = bots_folders(id);
    let in_folder = |rules: &str, folder: &str| -> Result<Vec<String>, FileError> {
        let mut paths = files.list(rules)?;
        paths.retain(|path| path.starts_with(folder) && path.ends_with(".rhai"));
        Ok(paths)
    };
    let mut own = in_folder(&format!("rules/{id}"), &own)?;
    if own.is_empty()
        && let Some(from) = extended_by(files, id)
    {
        let [_, theirs] = bots_folders(&from);
        own = in_folder(&format!("rules/{from}"), &theirs)?;
    }
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let shared = in_folder("rules/lib", &shared)?;
    (shared.iter().chain(&own))
        .map(|path| {
            let text = bounded::text(files.read(path)?.into_owned(), Path::new(path))?;
            Ok((path.trim_start_matches("rules/").to_owned(), text))
        })
        .collect()
}

/// The game that a game extends.
fn extended_by(files: &dyn Files, id: &str) -> Option<String> {
    let decl = files.read(&format!("games/{id}/game.yaml")).ok()?;
    extending::extended(&decl)
}

/// All files of one game, in memory: they are loaded, hashed and pinned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFiles(pub BTreeMap<String, Vec<u8>>);

impl GameFiles {
    /// Gathers the files of a game: its folder, its rules, the rules that all games share, the
    /// overlay if any. Its bots are players and no part of it.
    ///
    /// # Errors
    /// If a folder or file can't be read, or there is more of them than any game has.
    pub fn gather(files: &dyn Files, id: &str) -> Result<Self, FileError> {
        let mut own = Self::gather_alone(files, id)?;
        let decl = own.0.get(&format!("games/{id}/game.yaml"));
        if let Some(from) = decl.and_then(|bytes| extending::joined_with(bytes)) {
            // Pinned files are joined already.
            let other = Self::gather_alone(files, &from)?.0.into_iter();
            own.0
                .extend(other.filter(|(path, _)| path.starts_with("rules/")));
            return own.bounded(id);
        }
        let from = decl.and_then(|bytes| extending::extended(bytes));
        let Some(from) = from.filter(|from| from != id) else {
            return Ok(own);
        };
        let mut other = Self::gather_alone(files, &from)?.0;
        other.retain(|path, _| !path.starts_with("data/"));
        if !other.contains_key(&format!("games/{from}/game.yaml")) {
            return Ok(own);
        }
        Self(extending::join(own.0, id, other, &from)).bounded(id)
    }

    /// The files, if they are no more together than they may be when they are read again.
    fn bounded(self, id: &str) -> Result<Self, FileError> {
        if self.0.len() > MOST_FILES {
            return Err(FileError::TooMany {
                path: format!("games/{id}").into(),
                limit: MOST_FILES,
            });
        }
        let sizes = || {
            self.0
                .iter()
                .map(|(path, bytes)| (path, bytes.len() as u64))
        };
        if let Some((path, _)) = sizes().find(|(_, size)| *size > LARGEST_FILE) {
            return Err(FileError::TooLarge {
                path: path.into(),
                limit: LARGEST_FILE,
            });
        }
        if sizes().map(|(_, size)| size).sum::<u64>() > MOST_BYTES {
            return Err(FileError::TooMuch {
                path: format!("games/{id}").into(),
                limit: MOST_BYTES,
            });
        }
        Ok(self)
    }

    /// Gathers the files of a game without those of the game that it extends.
    fn gather_alone(files: &dyn Files, id: &str) -> Result<Self, FileError> {
        let mut found = BTreeMap::new();
        let mut left = MOST_BYTES;
        let folders = [
            format!("games/{id}"),
            "rules/lib".to_owned(),
            format!("rules/{id}"),
            "data".to_owned(),
        ];
        for folder in folders {
            let bots = bots_folders(id);
            for path in files.list(&folder)? {
                if bots.iter().any(|bots| path.starts_with(bots)) {
                    continue;
                }
                let bytes = files.read(&path)?.into_owned();
                left = left
                    .checked_sub(bytes.len() as u64)
                    .ok_or_else(|| FileError::TooMuch {
                        path: folder.clone().into(),
                        limit: MOST_BYTES,
                    })?;
                found.insert(path, bytes);
                if found.len() > MOST_FILES {
                    return Err(FileError::TooMany {
                        path: folder.into(),
                        limit: MOST_FILES,
                    });
                }
            }
        }
        Ok(Self(found))
    }

    /// Gathers the scripts of a game's bots, by their paths; none if it brings no bots.
    ///
    /// # Errors
    /// As [`bot_scripts`].
    pub fn gather_bots(files: &dyn Files, id: &str) -> Result<Self, FileError> {
        let scripts = bot_scripts(files, id)?.into_iter();
        let file = |(name, text): (String, String)| (format!("rules/{name}"), text.into_bytes());
        Ok(Self(scripts.map(file).collect()))
    }

    /// SHA-256 over path, length and bytes of all files, sorted by path.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut hash = Sha256::new();
        for (path, bytes) in &self.0 {
            for part in [path.as_bytes(), bytes.as_slice()] {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
        }
        Digest::new(hash.finalize().into())
    }

    /// Writes the files below a directory, where [`Disk::pinned`] finds them again.
    ///
    /// # Errors
    /// If a folder or file can't be written.
    pub fn write_to(&self, dir: &Path) -> io::Result<()> {
        for (path, bytes) in &self.0 {
            let place = dir.join(path);
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(place, bytes)?;
        }
        Ok(())
    }
}

impl Files for GameFiles {
    fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let prefix = format!("{folder}/");
        let inside = self.0.keys().filter(|path| path.starts_with(&prefix));
        Ok(inside.cloned().collect())
    }

    fn read(&self, path: &str) -> Result<Cow<'_, [u8]>, FileError> {
        let bytes = self.0.get(path).ok_or_else(|| missing(path))?;
        Ok(Cow::Borrowed(bytes))
    }
}

fn missing(path: &str) -> FileError {
    FileError::missing(Path::new(path))
}

fn slashes(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}
