//! Letters out through a program that takes them as `sendmail` does.
//!
//! The library's transport has no empty sender (`-f <>`) and ignores the exit code, so the program
//! is started here.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde::Deserialize;

use super::{MailEnvelope, Observation, SendError, Sink};
use crate::mail::clean_line;

/// Exit codes of sysexits.h for a recipient who will never be reached: `EX_DATAERR`, `EX_NOUSER`,
/// `EX_NOHOST`.
const FOR_GOOD: [i32; 3] = [65, 67, 68];

/// A `sendmail` of `estafette.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendmailAccount {
    /// The program.
    #[serde(default = "sendmail")]
    pub command: PathBuf,
}

fn sendmail() -> PathBuf {
    PathBuf::from("/usr/sbin/sendmail")
}

impl SendmailAccount {
    /// Makes a relative program relative to this folder; a bare name is searched for in the usual
    /// places.
    pub fn settle(&mut self, folder: &Path) {
        if self.command.components().count() > 1 {
            self.command = folder.join(&self.command);
        }
    }
}

/// A `sendmail` as a sink.
pub struct SendmailSink(SendmailAccount);

impl SendmailSink {
    /// The sink of a program.
    #[must_use]
    pub fn new(account: SendmailAccount) -> Self {
        Self(account)
    }

    fn run(&self, envelope: &MailEnvelope, bytes: &[u8]) -> std::io::Result<std::process::Output> {
        let mut child = Command::new(&self.0.command)
            .args([
                "-i",
                "-f",
                envelope.from.as_deref().unwrap_or("<>"),
                "--",
                &envelope.to,
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        // A program that ends without reading has said why on standard error.
        let written = child
            .stdin
            .take()
            .map_or(Ok(()), |mut stdin| stdin.write_all(bytes));
        let output = child.wait_with_output()?;
        if output.status.success() {
            written?;
        }
        Ok(output)
    }
}

impl Sink for SendmailSink {
    fn send(&mut self, envelope: &MailEnvelope, bytes: &[u8]) -> Result<String, SendError> {
        let command = self.0.command.display();
        let output = self.run(envelope, bytes).map_err(|error| SendError::Down {
            said: format!("{command}: {error}"),
        })?;
        let said = clean_line(&String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => Ok("taken".to_owned()),
            Some(code) if FOR_GOOD.contains(&code) => Err(SendError::Refused {
                status: "5.0.0".to_owned(),
                said: format!("{command} ended with {code}: {said}"),
            }),
            _ => Err(SendError::Later {
                said: format!("{command} ended with {}: {said}", output.status),
            }),
        }
    }

    fn probe(&mut self) -> Vec<Observation> {
        let command = &self.0.command;
        let is_there = command.components().count() == 1 || command.is_file();
        vec![if is_there {
            Observation::good(format!("sendmail: {}", command.display()))
        } else {
            Observation::wrong(format!(
                "sendmail: there is no {}; look at `command`",
                command.display()
            ))
        }]
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    fn sink(script: &str) -> (tempfile::TempDir, SendmailSink) {
        let folder = tempfile::tempdir().unwrap();
        let command = folder.path().join("sendmail");
        fs::write(
            &command,
            format!("#!/bin/sh\ncd {}\n{script}\n", folder.path().display()),
        )
        .unwrap();
        fs::set_permissions(&command, fs::Permissions::from_mode(0o700)).unwrap();
        (folder, SendmailSink::new(SendmailAccount { command }))
    }

    fn envelope(from: Option<&str>) -> MailEnvelope {
        MailEnvelope {
            from: from.map(str::to_owned),
            to: "-ada@example.org".to_owned(),
        }
    }

    #[test]
    fn the_program_gets_the_envelope_and_the_bytes() {
        let (folder, mut sink) = sink("cat > mail; echo \"$@\" > arguments");
        for (from, expected) in [
            (
                Some("game@example.org"),
                "-i -f game@example.org -- -ada@example.org\n",
            ),
            (None, "-i -f <> -- -ada@example.org\n"),
        ] {
            sink.send(&envelope(from), b"Subject: x\r\n\r\n.\r\nend")
                .unwrap();
            assert_eq!(
                fs::read(folder.path().join("mail")).unwrap(),
                b"Subject: x\r\n\r\n.\r\nend"
            );
            assert_eq!(
                fs::read_to_string(folder.path().join("arguments")).unwrap(),
                expected
            );
        }
    }

    #[test]
    fn its_exit_code_says_whether_to_try_again() {
        let large = vec![b'x'; 1 << 20];
        for (code, for_good) in [(75, false), (67, true), (1, false)] {
            let (_folder, mut sink) = sink(&format!("echo no such luck >&2; exit {code}"));
            let error = sink.send(&envelope(None), &large).unwrap_err();
            assert_eq!(
                matches!(error, SendError::Refused { .. }),
                for_good,
                "{error}"
            );
            assert!(error.to_string().contains("no such luck"));
        }
        let mut gone = SendmailSink::new(SendmailAccount {
            command: "/no/such/program".into(),
        });
        assert!(matches!(
            gone.send(&envelope(None), b""),
            Err(SendError::Down { .. })
        ));
        assert!(!gone.probe().remove(0).ok);
    }
}
