//! A host as a process, with a configuration of its own.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use estafette::mail::transport::LetterHead;
use flate2::read::GzDecoder;

/// A folder with `estafette.yaml`, and perhaps a host that works by it.
pub struct Host {
    folder: tempfile::TempDir,
    process: Option<Child>,
    environment: Vec<(&'static str, &'static str)>,
}

impl Host {
    /// A configuration for some campaigns; `more` are further lines.
    pub fn new(campaigns: &[&Path], more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let list: Vec<String> = campaigns
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let text = format!(
            "mailbox: game@example.org\nstate: state\ncampaigns: [{}]\n{more}\n",
            list.join(", ")
        );
        fs::write(folder.path().join("estafette.yaml"), text).unwrap();
        Self {
            folder,
            process: None,
            environment: Vec::new(),
        }
    }

    /// The host finds this in its environment.
    pub fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.environment.push((name, value));
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command with this configuration.
    pub fn command(&self, name: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command
            .arg(name)
            .arg("--config")
            .arg(self.path("estafette.yaml"))
            .envs(self.environment.iter().copied())
            .stdin(Stdio::null());
        command
    }

    /// Starts `serve`; what it logs goes to the end of the file `log`.
    pub fn serve(&mut self) -> &mut Self {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.path("log"))
            .unwrap();
        self.process = Some(
            self.command("serve")
                .stderr(log)
                .stdout(Stdio::null())
                .spawn()
                .unwrap(),
        );
        self
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// Sends the host a signal by its name and waits for its end; says how it ended and how long
    /// that took.
    pub fn end(&mut self, signal: &str) -> (ExitStatus, Duration) {
        let mut process = self.process.take().unwrap();
        let start = Instant::now();
        let told = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(process.id().to_string())
            .status();
        assert!(
            told.unwrap().success(),
            "the host had ended before:\n{}",
            self.log()
        );
        (process.wait().unwrap(), start.elapsed())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// All letters in a campaign's outboxes, sent or not: Message-ID and bytes.
pub fn letters(campaign: &Path) -> Vec<(String, Vec<u8>)> {
    let mut letters = Vec::new();
    for outbox in fs::read_dir(campaign.join("outbox")).unwrap() {
        for part in ["new", "cur", "done"] {
            for file in fs::read_dir(outbox.as_ref().unwrap().path().join(part))
                .into_iter()
                .flatten()
            {
                // Between listing and reading it may be marked, and is found in the other folder.
                if let Ok(bytes) = kept_letter(&file.unwrap().path()) {
                    letters.push((LetterHead::read(&bytes).message_id.unwrap(), bytes));
                }
            }
        }
    }
    letters
}

/// The bytes of a letter, which is compressed once it has been sent.
pub fn kept_letter(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Ok(bytes);
    }
    let mut letter = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut letter)?;
    Ok(letter)
}

/// Message-IDs of the mails that a campaign's journal has as orders, in order.
pub fn journal(campaign: &Path) -> Vec<String> {
    let text = fs::read_to_string(campaign.join("journal.jsonl")).unwrap();
    let records = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    records
        .filter(|record| record["kind"] == "mail")
        .filter_map(|record| find(&record, "message_id"))
        .collect()
}

fn find(value: &serde_json::Value, key: &str) -> Option<String> {
    match value {
        serde_json::Value::Object(map) => match map.get(key) {
            Some(serde_json::Value::String(text)) => Some(text.clone()),
            _ => map.values().find_map(|value| find(value, key)),
        },
        _ => None,
    }
}
