//! A process of this program with rules of others in it, seen from the host.

use std::{
    env,
    ffi::{OsStr, OsString},
    fmt,
    io::{self, Read, Write},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use super::ProcessBounds;
use crate::mail::transport::Stop;

/// The command that bounds its process and then does what the rest of the line says.
pub const ISOLATED: &str = "isolated";
/// The exit code of a process in which the program itself failed.
pub const PANIC: u8 = 101;

/// Most that is heard of what a process says, in bytes: more comes of no pass.
const MOST_HEARD: u64 = 64 << 20;
/// As much of its last words on standard error is kept, in bytes.
const LAST_WORDS: usize = 4 << 10;
/// How often the host looks whether it is told to stop.
const LOOK: Duration = Duration::from_millis(100);
/// The time that a process may go on when the host is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// The variables that such a process inherits, if the host has them: how to write for this
/// terminal, where temporary files, time zones and certificates are, the way to the beacon.
/// Everything else, such as passwords of mailboxes, is none of its business.
const ENVIRONMENT: [&str; 24] = [
    "ALL_PROXY",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "ESTAFETTE_STACK_KIB",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LC_ALL",
    "NO_COLOR",
    "NO_PROXY",
    "PATH",
    "RUST_BACKTRACE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "TZDIR",
    "USERPROFILE",
];

/// The cause of a process's end that lies in its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Death {
    /// It overflowed its stack.
    Stack,
    /// It wanted more memory than this many bytes.
    Memory(u64),
    /// It took longer than this many seconds.
    Time(u64),
    /// The program failed in it.
    Panic,
    /// A signal that nobody but the system can have sent.
    Signal(i32),
}

impl Death {
    /// Returns true if somebody on the machine may have ended it, and not its rules.
    #[must_use]
    pub fn may_be_from_outside(&self) -> bool {
        matches!(self, Self::Signal(_))
    }
}

/// As the reason for which a campaign is stopped.
impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stack => f.write_str("its rules have overflowed the stack of their process"),
            Self::Memory(bytes) => write!(
                f,
                "its rules wanted more memory than the {} MiB of their process",
                bytes >> 20
            ),
            Self::Time(seconds) => {
                write!(f, "its rules came to no end within {seconds} seconds")
            }
            Self::Panic => f.write_str("the program failed over its rules"),
            Self::Signal(number) => {
                write!(f, "its rules have ended their process (signal {number})")
            }
        }
    }
}

/// The end of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, with this exit code, after it had said this.
    Done {
        /// The exit code.
        code: i32,
        /// The text on standard output, if the host listened.
        said: Vec<u8>,
    },
    /// By what its rules did.
    Died(Death),
    /// Somebody has ended it, or the host was told to stop.
    Interrupted,
}

/// Runs a command line of this program under bounds and listens to what it says.
///
/// # Errors
/// If the system can't start it.
pub fn run_and_listen(
    line: &[OsString],
    bounds: &ProcessBounds,
    stop: &Stop,
) -> io::Result<ProcessEnd> {
    let mut command = command(line, bounds);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    wait(&mut command, bounds, stop, false)
}

/// Runs a command line of this program under bounds, with this process's own input and outputs.
///
/// # Errors
/// If the system can't start it.
pub fn run_again(line: &[OsString], bounds: &ProcessBounds) -> io::Result<ProcessEnd> {
    // Its files there are removed however it ends.
    let folder = tempfile::tempdir()?;
    let mut command = command(line, bounds);
    command.env("TMPDIR", folder.path());
    wait(&mut command, bounds, &Stop::new(), true)
}

fn command(line: &[OsString], bounds: &ProcessBounds) -> Command {
    let mut command = Command::new(program());
    #[cfg(unix)]
    if let Some(name) = env::args_os().next() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command.arg(ISOLATED);
    command.arg("--memory").arg(bounds.memory.to_string());
    if let Some(seconds) = bounds.seconds {
        command.arg("--seconds").arg(seconds.to_string());
    }
    command.arg("--").args(line);
    command.env_clear();
    command.envs(env::vars_os().filter(|(name, _)| is_its_business(name)));
    // In KiB: else the allocator sets aside a gigabyte that no limit counts any more.
    command.env("MIMALLOC_ARENA_RESERVE", "65536");
    command.stderr(Stdio::piped());
    command
}

/// Returns true if a process with rules of others gets this variable. Proxies are named in small
/// letters, too.
fn is_its_business(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    ENVIRONMENT.contains(&name.as_str())
}

/// This program, also when its file has been replaced by a newer one since it began.
fn program() -> PathBuf {
    let own = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && own.exists() {
        return own;
    }
    env::current_exe().unwrap_or_else(|_| "estafette".into())
}

/// Runs a process to its end, or ends it.
fn wait(
    command: &mut Command,
    bounds: &ProcessBounds,
    stop: &Stop,
    aloud: bool,
) -> io::Result<ProcessEnd> {
    let mut child = command.spawn()?;
    let (ended, end) = channel::<()>();
    let said = child.stdout.take().map(|pipe| {
        let ended = ended.clone();
        thread::spawn(move || {
            let heard = heard(pipe);
            drop(ended);
            heard
        })
    });
    let last_words = child.stderr.take().map(|pipe| {
        let ended = ended.clone();
        thread::spawn(move || {
            let words = last_words(pipe, aloud);
            drop(ended);
            words
        })
    });
    drop(ended);
    let cut = cut_off(&mut child, &end, bounds, stop);
    let status = child.wait()?;
    let said = said.and_then(|thread| thread.join().ok());
    let last_words = last_words.and_then(|thread| thread.join().ok());
    let last_words = last_words.unwrap_or_default();
    Ok(match cut {
        Some(end) => end,
        None => how(status, said.unwrap_or_default(), &last_words, bounds),
    })
}

/// Waits until both pipes are closed, which they are when the process has ended; ends it if it
/// takes too long, or if the host is told to stop.
fn cut_off(
    child: &mut Child,
    end: &Receiver<()>,
    bounds: &ProcessBounds,
    stop: &Stop,
) -> Option<ProcessEnd> {
    let begun = Instant::now();
    let mut stopping: Option<Instant> = None;
    loop {
        match end.recv_timeout(LOOK) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => return None,
        }
        let too_long = bounds
            .seconds
            .filter(|most| begun.elapsed() > Duration::from_secs(*most));
        if stop.is_set() && stopping.is_none() {
            stopping = Some(Instant::now());
        }
        let cut = match (too_long, stopping) {
            (Some(seconds), _) => ProcessEnd::Died(Death::Time(seconds)),
            (None, Some(since)) if since.elapsed() > GRACE => ProcessEnd::Interrupted,
            _ => continue,
        };
        // A process that has just ended by itself is as good as killed.
        let _ = child.kill();
        return Some(cut);
    }
}

/// The output of a process, up to a limit. A process that writes more finds nobody listening, and
/// fails.
fn heard(pipe: impl Read) -> Vec<u8> {
    let mut said = Vec::new();
    let _ = pipe.take(MOST_HEARD).read_to_end(&mut said);
    said
}

/// Its last words on standard error, which are passed on if somebody sits there.
fn last_words(mut pipe: impl Read, aloud: bool) -> String {
    let (mut kept, mut part) = (Vec::new(), [0_u8; 4096]);
    loop {
        let read = match pipe.read(&mut part) {
            Ok(0) => break,
            Ok(read) => part.get(..read).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        if aloud {
            let _ = io::stderr().write_all(read);
        }
        kept.extend_from_slice(read);
        let old = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..old);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// How a process has ended by itself.
fn how(status: ExitStatus, said: Vec<u8>, last_words: &str, bounds: &ProcessBounds) -> ProcessEnd {
    match status.code() {
        Some(code) if code == i32::from(PANIC) => return ProcessEnd::Died(Death::Panic),
        // Some systems have codes of their own where others have signals.
        Some(code @ 0..=255) => return ProcessEnd::Done { code, said },
        _ => {}
    }
    // The words are those of Rust's runtime, which ends the process itself in both cases.
    if last_words.contains("has overflowed its stack") {
        return ProcessEnd::Died(Death::Stack);
    }
    if last_words.contains("memory allocation of") {
        return ProcessEnd::Died(Death::Memory(bounds.memory));
    }
    by_signal(status, bounds)
}

#[cfg(unix)]
fn by_signal(status: ExitStatus, bounds: &ProcessBounds) -> ProcessEnd {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt;
    let number = status.signal().unwrap_or_default();
    let is = |signal: Signal| signal.as_raw() == number;
    if is(Signal::TERM) || is(Signal::INT) || is(Signal::HUP) || is(Signal::QUIT) {
        return ProcessEnd::Interrupted;
    }
    match bounds.seconds {
        Some(seconds) if is(Signal::XCPU) => ProcessEnd::Died(Death::Time(seconds)),
        _ => ProcessEnd::Died(Death::Signal(number)),
    }
}

#[cfg(not(unix))]
fn by_signal(_status: ExitStatus, _bounds: &ProcessBounds) -> ProcessEnd {
    ProcessEnd::Died(Death::Signal(0))
}
