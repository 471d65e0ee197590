//! A real IMAP and a real SMTP server on this machine, for one test program, and a connection that
//! can be cut.
//!
//! Where the programs are missing the tests are skipped and say so; with `CI=true` that is a
//! failure.
pub mod host;
mod proxy;

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use tempfile::TempDir;

pub use proxy::{Cut, Proxy};

/// Both servers, in a folder of their own on ports of their own.
pub struct Servers {
    folder: TempDir,
    pub imap: u16,
    pub imaps: u16,
    pub smtp: u16,
    pub submission: u16,
    pub smtps: u16,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers.sh")
}

impl Servers {
    /// Starts them, or says why the test is skipped.
    pub fn start() -> Option<Self> {
        let have = Command::new(script()).arg("have").output().unwrap();
        if !have.status.success() {
            let why = String::from_utf8_lossy(&have.stdout).trim().to_owned();
            assert!(
                std::env::var("CI").as_deref() != Ok("true"),
                "the mail servers are missing: {why}"
            );
            eprintln!("SKIPPED: {why}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        open_to_all(folder.path());
        let ports = [(); 6].map(|()| free_port());
        let names = ["IMAP", "IMAPS", "LMTP", "SMTP", "SUBMISSION", "SMTPS"];
        let [imap, imaps, _, smtp, submission, smtps] = ports;
        let servers = Self {
            imap,
            imaps,
            smtp,
            submission,
            smtps,
            folder,
        };
        let ports = ports.map(|port| port.to_string());
        let started = Command::new(script())
            .arg("start")
            .arg(servers.root())
            .envs(names.into_iter().zip(&ports))
            .output()
            .unwrap();
        assert!(started.status.success(), "{started:?}");
        Some(servers)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("servers")
    }

    /// `start-imap`, `stop-imap`, `start-smtp`, `stop-smtp`.
    pub fn control(&self, action: &str) {
        let done = Command::new(script())
            .arg(action)
            .arg(self.root())
            .output()
            .unwrap();
        assert!(done.status.success(), "{action}: {done:?}");
    }

    /// The test authority's certificate.
    pub fn ca(&self) -> PathBuf {
        self.root().join("ca.pem")
    }

    /// The mails of a user as they lie in a folder of the IMAP server's Maildir, the oldest first;
    /// the name of INBOX is empty.
    pub fn mails(&self, user: &str, folder: &str) -> Vec<Vec<u8>> {
        let mut root = self.root().join("mail").join(user);
        if !folder.is_empty() {
            root = root.join(format!(".{folder}"));
        }
        let mut files: Vec<PathBuf> = ["new", "cur"]
            .iter()
            .filter_map(|part| fs::read_dir(root.join(part)).ok())
            .flatten()
            .map(|file| file.unwrap().path())
            .collect();
        files.sort_by_key(|path| delivered(&path.file_name().unwrap().to_string_lossy()));
        files
            .iter()
            .filter_map(|path| fs::read(path).ok())
            .collect()
    }

    /// Sends a mail as a program on this machine would: no login, no TLS.
    pub fn swaks(&self, arguments: &[&str]) -> bool {
        Command::new("swaks")
            .args([
                "--server",
                &format!("127.0.0.1:{}", self.smtp),
                "--silent",
                "3",
            ])
            .args(arguments)
            .output()
            .unwrap()
            .status
            .success()
    }
}

/// A port that nobody listens on, below those that the system gives to whoever asks for any: it
/// stays free until a server is started there, and while that one is stopped.
fn free_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    // Programs that test at the same time begin at different places.
    let first = process::id().wrapping_mul(61) % 12_000;
    let tried = std::iter::repeat_with(|| first + TAKEN.fetch_add(1, Ordering::Relaxed));
    let mut ports = tried.map(|number| u16::try_from(20_000 + number % 12_000).unwrap());
    ports
        .find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap()
}

impl Drop for Servers {
    fn drop(&mut self) {
        let _ = Command::new(script()).arg("stop").arg(self.root()).output();
    }
}

/// When the IMAP server wrote a file, by its name `SECONDS.MMICROSECONDSP...`: microseconds have as
/// many digits as they need, so names don't sort by time.
fn delivered(name: &str) -> Option<(u64, u64)> {
    let (seconds, rest) = name.split_once(".M")?;
    let (microseconds, _) = rest.split_once('P')?;
    Some((seconds.parse().ok()?, microseconds.parse().ok()?))
}

#[test]
fn mails_of_one_second_are_sorted_by_microseconds() {
    let early = "1764332000.M91234P77.host,S=900,W=930";
    let late = "1764332000.M612345P78.host,S=900,W=930:2,S";
    assert!(early > late, "as text");
    assert!(delivered(early) < delivered(late));
    assert_eq!(delivered(late), Some((1_764_332_000, 612_345)));
}

#[cfg(unix)]
fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(not(unix))]
fn open_to_all(_folder: &Path) {}

/// Waits until something is so; on a machine that works at all it is so long before the wait is
/// given up.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
