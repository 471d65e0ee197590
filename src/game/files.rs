//! Where a game's files come from: the binary, directories given on the command line, a campaign's pinned copy.
//!
//! Paths are those of the repository: `games/<id>/...`, `rules/lib/...`, `rules/<id>/...`, and `data/...` for an
//! overlay laid over `games/<id>/...` (same file names).

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use include_dir::{Dir, DirEntry, include_dir};
use sha2::{Digest, Sha256};

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/games");
static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");

/// A place that holds files of games and rules.
pub trait Files {
    /// Paths of all files below a folder, sorted; none if there is no such folder.
    ///
    /// # Errors
    /// If the folder can't be read.
    fn list(&self, folder: &str) -> io::Result<Vec<String>>;

    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file or it can't be read.
    fn read(&self, path: &str) -> io::Result<Cow<'_, [u8]>>;

    /// Whether there is such a folder.
    ///
    /// # Errors
    /// If that can't be found out.
    fn has(&self, folder: &str) -> io::Result<bool> {
        Ok(!self.list(folder)?.is_empty())
    }
}

/// The files built into the binary.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Embedded {
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

impl Files for Embedded {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut paths = Vec::new();
        let top = folder.split('/').next().unwrap_or_default();
        if let Some(dir) = Self::dir(folder) {
            collect(top, dir, &mut paths);
        }
        paths.sort_unstable();
        Ok(paths)
    }

    fn read(&self, path: &str) -> io::Result<Cow<'_, [u8]>> {
        let found = Self::root(path).and_then(|(root, rest)| root.get_file(rest));
        found
            .map(|file| Cow::Borrowed(file.contents()))
            .ok_or_else(|| missing(path))
    }

    fn has(&self, folder: &str) -> io::Result<bool> {
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
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let mut paths = Vec::new();
        if let Some(dir) = self.place(folder).filter(|dir| dir.is_dir()) {
            walk(&dir, folder, &mut paths)?;
        }
        paths.sort_unstable();
        Ok(paths)
    }

    fn read(&self, path: &str) -> io::Result<Cow<'_, [u8]>> {
        let place = self.place(path).ok_or_else(|| missing(path))?;
        fs::read(place).map(Cow::Owned)
    }

    fn has(&self, folder: &str) -> io::Result<bool> {
        Ok(self.place(folder).is_some_and(|dir| dir.is_dir()))
    }
}

fn walk(dir: &Path, name: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let file_name = entry.file_name();
        // Editors' and systems' own files are no part of a game.
        let Some(part) = file_name.to_str().filter(|part| !part.starts_with('.')) else {
            continue;
        };
        let path = format!("{name}/{part}");
        if entry.path().is_dir() {
            walk(&entry.path(), &path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// Several places, the earlier before the later. A folder (`games/<id>`, `rules/lib`, `data`) is taken whole from
/// the first place that has it, so that files of two versions never mix.
#[derive(Default)]
pub struct Layers(pub Vec<Box<dyn Files>>);

impl Layers {
    fn owner(&self, path: &str) -> io::Result<Option<&dyn Files>> {
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
}

impl Files for Layers {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        if folder.contains('/') || folder == "data" {
            return self
                .owner(folder)?
                .map_or(Ok(Vec::new()), |layer| layer.list(folder));
        }
        let mut paths = Vec::new();
        for layer in &self.0 {
            paths.extend(layer.list(folder)?);
        }
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    fn read(&self, path: &str) -> io::Result<Cow<'_, [u8]>> {
        self.owner(path)?.ok_or_else(|| missing(path))?.read(path)
    }
}

/// Where a game's bots are, and what the bots of all games share.
fn bots_folders(id: &str) -> [String; 2] {
    ["lib", id].map(|owner| format!("rules/{owner}/bots/"))
}

/// The scripts of a game's bots with their names (`<id>/bots/x.rhai`), after what bots of all games share; none if it brings no bots.
///
/// # Errors
/// If a file can't be read or is no text.
pub fn bot_scripts(files: &dyn Files, id: &str) -> io::Result<Vec<(String, String)>> {
    let [shared, own] = bots_folders(id);
    let in_folder = |rules: &str, folder: &str| -> io::Result<Vec<String>> {
        let mut paths = files.list(rules)?;
        paths.retain(|path| path.starts_with(folder) && path.ends_with(".rhai"));
        Ok(paths)
    };
    let own = in_folder(&format!("rules/{id}"), &own)?;
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let shared = in_folder("rules/lib", &shared)?;
    (shared.iter().chain(&own))
        .map(|path| {
            let text = String::from_utf8(files.read(path)?.into_owned()).map_err(|_| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("{path}: the file is not UTF-8 text"),
                )
            })?;
            Ok((path.trim_start_matches("rules/").to_owned(), text))
        })
        .collect()
}

/// All files that one game consists of, in memory: what is loaded, hashed and pinned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFiles(pub BTreeMap<String, Vec<u8>>);

impl GameFiles {
    /// Gathers the files of a game: its folder, its rules, the rules that all games share, the overlay if any. Its bots are
    /// players and no part of it.
    ///
    /// # Errors
    /// If a folder or file can't be read.
    pub fn gather(files: &dyn Files, id: &str) -> io::Result<Self> {
        let mut found = BTreeMap::new();
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
                found.insert(path, bytes);
            }
        }
        Ok(Self(found))
    }

    /// SHA-256 over path, length and bytes of all files, sorted by path; lower-case hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (path, bytes) in &self.0 {
            for part in [path.as_bytes(), bytes.as_slice()] {
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
        }
        data_encoding::HEXLOWER.encode(&hash.finalize())
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
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let prefix = format!("{folder}/");
        let inside = self.0.keys().filter(|path| path.starts_with(&prefix));
        Ok(inside.cloned().collect())
    }

    fn read(&self, path: &str) -> io::Result<Cow<'_, [u8]>> {
        let bytes = self.0.get(path).ok_or_else(|| missing(path))?;
        Ok(Cow::Borrowed(bytes))
    }
}

/// Ids of the games in a place, sorted.
///
/// # Errors
/// If the place can't be read.
pub fn game_ids(files: &dyn Files) -> io::Result<Vec<String>> {
    let ids = files.list("games")?.into_iter().filter_map(|path| {
        let mut parts = path.split('/').skip(1);
        let id = parts.next()?.to_owned();
        (parts.next() == Some("game.yaml") && parts.next().is_none()).then_some(id)
    });
    Ok(ids.collect())
}

fn missing(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no file {path}"))
}

fn slashes(path: &Path) -> String {
    let parts = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}
