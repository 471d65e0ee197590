//! Strict reading of YAML files: nothing unknown, nothing twice, and an error that says where and
//! what instead.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;

use super::{Files, GameFiles, Problem, overlay, shipped};
use crate::yaml;

/// The trust that files get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileTrust {
    /// They were checked when they were pinned.
    Pinned,
    /// Anybody may have written them.
    Nothing,
}

/// Reads the files of one game and collects their problems.
pub(super) struct GameReader<'a> {
    files: &'a GameFiles,
    id: &'a str,
    trust: FileTrust,
    used: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl<'a> GameReader<'a> {
    pub(super) fn new(files: &'a GameFiles, id: &'a str, trust: FileTrust) -> Self {
        Self {
            files,
            id,
            trust,
            used: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// Another reader of the same files, for another thread.
    pub(super) fn apart(&self) -> Self {
        Self::new(self.files, self.id, self.trust)
    }

    /// Takes over what another one has found.
    pub(super) fn join(&mut self, other: Self) {
        self.used.extend(other.used);
        self.problems.extend(other.problems);
    }

    /// A file of the game's folder, which must exist, with the overlay's file of the same name laid
    /// over it.
    pub(super) fn file<T: DeserializeOwned>(&mut self, name: &str) -> Option<T> {
        let path = format!("games/{}/{name}", self.id);
        let over = format!("data/{name}");
        let base = self.text(&path)?;
        let read = if self.files.0.contains_key(&over) {
            let laid = self.text(&over)?;
            overlay::lay_over((&path, &base), (&over, &laid))
        } else {
            self.strict(&path, &base)
        };
        self.keep(read)
    }

    /// Like `file`, for a file that may be missing, or be empty but for comments.
    pub(super) fn file_if_any<T: DeserializeOwned + Default>(&mut self, name: &str) -> Option<T> {
        let path = format!("games/{}/{name}", self.id);
        let over = self.files.0.contains_key(&format!("data/{name}"));
        if over
            || self
                .files
                .0
                .get(&path)
                .is_some_and(|bytes| !is_blank(bytes))
        {
            return self.file(name);
        }
        self.used.insert(path);
        Some(T::default())
    }

    /// Returns true if the game's folder has a file.
    pub(super) fn has(&self, name: &str) -> bool {
        let path = format!("games/{}/{name}", self.id);
        self.files.0.contains_key(&path)
    }

    /// Notes a problem of a file in the game's folder.
    pub(super) fn refuse(&mut self, name: &str, path: &str, message: String) {
        let file = format!("games/{}/{name}", self.id);
        self.problems.push(Problem::new(&file, path, message));
    }

    /// Returns true if a file of the game's folder has a key at its top level, in the usual way of
    /// writing.
    pub(super) fn has_key(&self, name: &str, key: &str) -> bool {
        let text = self.files.0.get(&format!("games/{}/{name}", self.id));
        let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let mut lines = text.unwrap_or_default().lines();
        lines.any(|line| line.strip_prefix(key).is_some_and(|it| it.starts_with(':')))
    }

    /// All YAML files of a sub-folder by their names without `.yaml`, overlays laid over them.
    pub(super) fn folder<T: DeserializeOwned>(&mut self, name: &str) -> BTreeMap<String, T> {
        let prefix = format!("games/{}/{name}/", self.id);
        let names: Vec<String> = self
            .files
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(&prefix)?.strip_suffix(".yaml"))
            .map(str::to_owned)
            .collect();
        names
            .into_iter()
            .filter_map(|stem| Some((stem.clone(), self.file(&format!("{name}/{stem}.yaml"))?)))
            .collect()
    }

    /// The names of the folders of `theatres/`, in their order.
    pub(super) fn theatres(&self) -> Vec<String> {
        let prefix = format!("games/{}/theatres/", self.id);
        let paths = self.files.0.keys();
        let names = paths.filter_map(|path| path.strip_prefix(&prefix)?.split_once('/'));
        let names: BTreeSet<String> = names.map(|(name, _)| name.to_owned()).collect();
        names.into_iter().collect()
    }

    /// The checklist beside the scripts; empty if there is none.
    pub(super) fn checklist<T: DeserializeOwned + Default>(&mut self) -> Option<T> {
        let path = format!("rules/{}/checklist.yaml", self.id);
        if !self.files.0.contains_key(&path) {
            return Some(T::default());
        }
        let text = self.text(&path)?;
        let read = self.strict(&path, &text);
        self.keep(read)
    }

    /// The scripts with their names (`lib/x.rhai`, `<id>/y.rhai`): those of all games first, then
    /// those of the game that this one extends.
    pub(super) fn scripts(&mut self) -> Vec<(String, String)> {
        let mut scripts = Vec::new();
        let folders = self.files.0.keys().filter_map(|path| {
            let (owner, _) = path.strip_prefix("rules/")?.split_once('/')?;
            Some(format!("rules/{owner}"))
        });
        let mut folders: Vec<String> = folders.collect();
        folders.dedup();
        let own = format!("rules/{}", self.id);
        folders.sort_by_key(|folder| (*folder != "rules/lib", *folder == own));
        for folder in folders {
            let paths = self.files.list(&folder).unwrap_or_default();
            for path in paths.iter().filter(|path| path.ends_with(".rhai")) {
                let name = path.trim_start_matches("rules/").to_owned();
                scripts.extend(self.text(path).map(|text| (name, text)));
            }
        }
        scripts
    }

    /// Everything that was wrong, files that nothing reads included.
    pub(super) fn problems(mut self) -> Vec<Problem> {
        for path in self
            .files
            .0
            .keys()
            .filter(|path| !self.used.contains(*path))
        {
            let known = path.ends_with(".md");
            if !known {
                let problem = Problem::new(path, "", "nothing reads this file");
                let hint = if path.starts_with("data/") {
                    "an overlay's files have the names of the game's own"
                } else {
                    "is its name or its folder misspelt?"
                };
                self.problems.push(problem.hint(hint));
            }
        }
        self.problems.sort();
        self.problems
    }

    fn strict<T: DeserializeOwned>(&self, path: &str, text: &str) -> Result<T, Problem> {
        let checked = match self.trust {
            FileTrust::Nothing => yaml::check_strictly(text),
            FileTrust::Pinned if shipped::are_shipped([(path, text.as_bytes())]) => Ok(()),
            FileTrust::Pinned => yaml::check(text),
        };
        checked
            .and_then(|()| serde_yaml::from_str(text))
            .map_err(|error| describe(path, &error))
    }

    fn text(&mut self, path: &str) -> Option<String> {
        self.used.insert(path.to_owned());
        let read = match self.files.0.get(path) {
            None => Err(Problem::new(path, "", "there is no such file")),
            Some(bytes) => String::from_utf8(bytes.clone())
                .map_err(|_| Problem::new(path, "", "the file is not UTF-8 text")),
        };
        self.keep(read)
    }

    fn keep<T>(&mut self, read: Result<T, Problem>) -> Option<T> {
        read.map_err(|problem| self.problems.push(problem)).ok()
    }
}

/// A reader's error as a problem with a hint.
pub(super) fn describe(file: &str, error: &serde_yaml::Error) -> Problem {
    let text = error.to_string();
    let (text, _) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    let (path, message) = match text.split_once(": ") {
        Some((path, message)) if !path.contains(' ') => (path, message),
        _ => ("", text),
    };
    let mut problem = Problem::new(file, path, in_plain_words(message));
    if let Some(place) = error.location() {
        problem.line = place.line();
        problem.column = place.column();
    }
    with_spelling(problem)
}

/// Returns true if nothing but comments stands in a file.
fn is_blank(bytes: &[u8]) -> bool {
    let says_nothing = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.is_empty() || line.starts_with(b"#")
    };
    bytes.split(|&byte| byte == b'\n').all(says_nothing)
}

/// The reader's names for types of numbers mean nothing to an author.
fn in_plain_words(message: &str) -> String {
    match message.rsplit_once(", expected ") {
        Some((said, "i64" | "i32")) => format!("{said}, expected a whole number"),
        Some((said, "u64" | "u32" | "u16" | "u8" | "usize")) => {
            format!("{said}, expected a whole number from 0 on")
        }
        _ => message.to_owned(),
    }
}

/// `unknown field `x`, expected one of `a`, `b`` becomes `unknown field `x`` with the nearest name
/// as a hint.
fn with_spelling(problem: Problem) -> Problem {
    let quoted: Vec<&str> = problem.message.split('`').skip(1).step_by(2).collect();
    let (Some((wrong, known)), true) =
        (quoted.split_first(), problem.message.starts_with("unknown"))
    else {
        return problem;
    };
    let hint = match nearest(wrong, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are: {}", known.join(", ")),
    };
    let end = problem.message.find(", ").unwrap_or(problem.message.len());
    let message = problem.message[..end].to_owned();
    Problem { message, ..problem }.hint(hint)
}

/// The known spelling that is nearest to a wrong one, if any is near.
pub(crate) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let long = wrong.chars().count();
    known
        .map(|name| (name, name.chars().count()))
        // As far apart as their lengths are, at least.
        .filter(|(_, length)| long.abs_diff(*length) <= 1 + length / 4)
        .map(|(name, length)| (strsim::damerau_levenshtein(wrong, name), name, length))
        .filter(|(distance, _, length)| *distance <= 1 + length / 4)
        .map(|(distance, name, _)| (distance, name))
        .min()
        .map(|(_, name)| name)
}
