//! The words of the program, built in: `templates/` has a folder for each language, with letters
//! (`.txt`) and lists of words (`.yaml`), and beside them whatever all languages share.
//!
//! A new file needs no line here: callers ask for it by name.

use include_dir::{Dir, include_dir};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// A file from a language's folder, or an empty text.
#[must_use]
pub fn of_language(code: &str, name: &str) -> &'static str {
    let folder = TEMPLATES.get_dir(code);
    let mut files = folder.into_iter().flat_map(Dir::files);
    let file = files.find(|file| file.path().file_name().is_some_and(|found| found == name));
    file.and_then(include_dir::File::contents_utf8)
        .unwrap_or_default()
}

/// The names and texts of a language's folder, and of what all languages share.
pub fn files(code: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = TEMPLATES.get_dir(code).into_iter();
    let files = TEMPLATES.files().chain(own.flat_map(Dir::files));
    files.filter_map(|file| Some((file.path().file_name()?.to_str()?, file.contents_utf8()?)))
}

/// A folder beside those of the languages.
#[must_use]
pub fn folder(path: &str) -> Option<&'static Dir<'static>> {
    TEMPLATES.get_dir(path)
}
