//! Passwords: named in the configuration, kept elsewhere.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::TransportError;

/// The longest secret file that is read, in bytes.
const LONGEST: u64 = 4096;

/// Where a password is kept: `{file: PATH}` or `{env: NAME}`. A password in the configuration
/// itself is an error, and this value never holds one, so it can't leak one when printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawSecret")]
pub enum Secret {
    /// The first line of a file.
    File(PathBuf),
    /// An environment variable.
    Env(String),
}

#[derive(Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "`{file: PATH}` or `{env: NAME}`; a password itself may not stand here"
)]
struct RawSecret {
    file: Option<PathBuf>,
    env: Option<String>,
}

impl TryFrom<RawSecret> for Secret {
    type Error = &'static str;

    fn try_from(written: RawSecret) -> Result<Self, Self::Error> {
        match (written.file, written.env) {
            (Some(file), None) => Ok(Self::File(file)),
            (None, Some(name)) => Ok(Self::Env(name)),
            _ => Err("a secret is either `{file: PATH}` or `{env: NAME}`"),
        }
    }
}

impl Secret {
    /// Makes a relative file relative to this folder.
    pub fn settle(&mut self, folder: &Path) {
        if let Self::File(file) = self {
            *file = folder.join(&*file);
        }
    }

    /// The password. It is read each time, so that a changed one is used at the next login.
    ///
    /// # Errors
    /// If there is none.
    pub fn reveal(&self) -> Result<String, TransportError> {
        let wrong = |problem: String| TransportError::Secret {
            place: self.place(),
            problem,
        };
        let text = match self {
            Self::Env(name) => std::env::var(name).map_err(|error| wrong(error.to_string()))?,
            Self::File(file) => {
                let size = fs::metadata(file).map_err(|error| wrong(error.to_string()))?;
                if size.len() > LONGEST {
                    return Err(wrong(format!("longer than {LONGEST} bytes")));
                }
                fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?
            }
        };
        let line = text.lines().next().unwrap_or_default();
        if line.is_empty() {
            return Err(wrong("its first line is empty".to_owned()));
        }
        Ok(line.to_owned())
    }

    /// Returns true if other users of this machine can read the file.
    #[must_use]
    pub fn is_open_to_others(&self) -> bool {
        #[cfg(unix)]
        if let Self::File(file) = self {
            use std::os::unix::fs::PermissionsExt;
            return fs::metadata(file).is_ok_and(|data| data.permissions().mode() & 0o077 != 0);
        }
        false
    }

    /// Where it is kept, in words.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::File(file) => format!("in the file {}", file.display()),
            Self::Env(name) => format!("in the environment variable {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use super::*;

    fn read(text: &str) -> Result<Secret, String> {
        serde_yaml::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_secret_is_a_place() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("s"), "canary\nsecond line\n").unwrap();
        let mut secret = read("{file: s}").unwrap();
        secret.settle(folder.path());
        assert_eq!(secret.reveal().unwrap(), "canary");
        assert!(!format!("{secret:?}").contains("canary"));
        assert_eq!(read("{env: PATH}").unwrap(), Secret::Env("PATH".into()));
        assert!(read("{env: PATH}").unwrap().reveal().is_ok());
        let missing = read("{env: NO_SUCH_THING_HERE}").unwrap().reveal();
        assert!(
            missing
                .unwrap_err()
                .to_string()
                .contains("NO_SUCH_THING_HERE")
        );
    }

    #[test]
    fn a_bare_password_is_refused_and_not_repeated_as_a_place() {
        for text in ["canary", "{file: a, env: b}", "{}", "{text: canary}"] {
            let error = read(text).unwrap_err();
            assert!(error.contains("env"), "{text}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn open_files_are_seen() {
        use std::os::unix::fs::PermissionsExt;
        let file = tempfile::NamedTempFile::new().unwrap();
        let secret = Secret::File(file.path().to_owned());
        for (mode, open) in [(0o600, false), (0o640, true), (0o604, true)] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(secret.is_open_to_others(), open);
        }
    }
}
