//! Files that are being written, under a name that says so, until they are whole and get their own.
//!
//! Its writer holds the file locked, and the lock ends with the process however that ends: so what
//! a killed process has left can be told from what another one is writing at this moment, and be
//! removed.

use std::{
    fs::{self, OpenOptions, Permissions},
    io,
    path::Path,
};

use tempfile::NamedTempFile;

/// The beginning of their names.
pub const PREFIX: &str = ".unfinished-";

/// Makes an empty file with a new name in a folder. It disappears when it is dropped, and stays
/// once it has been renamed ([`NamedTempFile::persist`]). Without `permissions` only its owner can
/// read it.
///
/// # Errors
/// Those of the operating system.
pub fn create(folder: &Path, permissions: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    if let Some(permissions) = permissions {
        builder.permissions(permissions);
    }
    loop {
        let file = builder.tempfile_in(folder)?;
        // Without locks nobody can tell that a writer is gone, so nothing is ever removed.
        let _ = file.as_file().lock();
        // Another process that sweeps may have come first.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the leftovers of killed processes from a folder. A file that can't be removed does no
/// harm.
pub fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_unfinished = entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes());
        if is_unfinished && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = remove_if_left(&entry.path());
        }
    }
}

/// Removes a file if nobody writes it any more.
fn remove_if_left(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    // Held until the file is gone: a writer that has just made it finds out, and makes another.
    file.try_lock()?;
    fs::remove_file(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use std::{io::Write, thread};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_left_goes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let living = create(folder, None).unwrap();
        let left = create(folder, None)
            .unwrap()
            .into_temp_path()
            .keep()
            .unwrap();
        let whole = folder.join("whole");
        create(folder, None).unwrap().persist(&whole).unwrap();
        fs::create_dir(folder.join(".unfinished-folder")).unwrap();
        fs::write(folder.join("unfinished-letter"), "mine").unwrap();
        sweep(folder);
        assert!(!left.exists() && living.path().exists() && whole.exists());
        assert_eq!(names(folder).len(), 4);
        drop(living);
        assert_eq!(names(folder).len(), 3, "it takes its file with it");
        sweep(&folder.join("nowhere"));
    }

    #[test]
    fn nobody_loses_what_he_writes_however_often_it_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        thread::scope(|scope| {
            let writers: Vec<_> = (0..4)
                .map(|writer| {
                    scope.spawn(move || {
                        for number in 0..200 {
                            let mut file = create(path, None).unwrap();
                            file.write_all(b"whole").unwrap();
                            file.persist(path.join(format!("{writer}-{number}")))
                                .unwrap();
                        }
                    })
                })
                .collect();
            while writers.iter().any(|writer| !writer.is_finished()) {
                sweep(path);
            }
        });
        assert_eq!(names(path).len(), 800);
        assert!(
            names(path)
                .iter()
                .all(|name| fs::read(path.join(name)).unwrap() == b"whole")
        );
    }
}
