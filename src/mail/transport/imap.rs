//! Mails from an IMAP mailbox (RFC 3501, 9051).
//!
//! All mails in a folder that are not marked as deleted are new; once kept elsewhere, they are
//! moved to another folder. Nothing depends on the flag `\Seen`, which any mail program sets. A
//! mail's key includes the folder's UIDVALIDITY, because UIDs mean nothing without it.

use std::{
    collections::BTreeSet,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    time::Duration,
};

use imap::{Session, extensions::idle::stop_on_any};
use serde::Deserialize;

use super::{
    MailSource, Observation, RawMail, Secret, Security, Stop, TransportError,
    wire::{ReplyAllowance, Server, Wire},
};

/// How many bytes of mails are fetched with one command.
const BATCH: u64 = 4 << 20;
/// How many bytes an answer may have beyond the requested mails.
const BESIDE: u64 = 1 << 20;
/// Servers may hang up after 30 minutes of idling (RFC 2177).
const LONGEST_IDLE: Duration = Duration::from_secs(25 * 60);

/// An IMAP account of `estafette.yaml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImapAccount {
    /// Its name in logs.
    #[serde(default = "imap_name")]
    pub name: String,
    /// The server.
    pub host: String,
    /// Its port.
    #[serde(default = "imaps_port")]
    pub port: u16,
    /// How the connection is protected.
    #[serde(default = "implicit")]
    pub tls: Security,
    /// The account.
    pub user: String,
    /// Its password.
    pub password: Secret,
    /// Where mails come in.
    #[serde(default = "inbox")]
    pub folder: String,
    /// Where they are moved once they are kept here; created if missing.
    #[serde(default = "processed")]
    pub processed: String,
    /// True if the server may announce new mails (RFC 2177).
    #[serde(default = "yes")]
    pub idle: bool,
    /// How often to look in any case, in seconds.
    #[serde(default = "two_minutes")]
    pub poll_seconds: u32,
    /// A file of certificates (PEM) that are trusted beside the public ones.
    pub ca: Option<PathBuf>,
}

fn imap_name() -> String {
    "imap".to_owned()
}
fn imaps_port() -> u16 {
    993
}
fn implicit() -> Security {
    Security::Implicit
}
fn inbox() -> String {
    "INBOX".to_owned()
}
fn processed() -> String {
    "Processed".to_owned()
}
fn yes() -> bool {
    true
}
fn two_minutes() -> u32 {
    120
}

impl ImapAccount {
    /// Makes relative files relative to this folder.
    pub fn settle(&mut self, folder: &Path) {
        self.password.settle(folder);
        self.ca = self.ca.take().map(|file| folder.join(file));
    }

    /// Checks what the types of the fields don't guarantee.
    ///
    /// # Errors
    /// The fault, naming the field.
    pub fn check(&self) -> Result<(), String> {
        self.tls.check(&self.host)?;
        if self.folder == self.processed {
            return Err(
                "`processed` is the folder where mails come in; name another one".to_owned(),
            );
        }
        if self.poll_seconds == 0 {
            return Err("`poll_seconds` must be at least 1".to_owned());
        }
        Ok(())
    }
}

/// An IMAP account as a source. It connects when it must, and again after an error.
pub struct ImapSource {
    account: ImapAccount,
    stop: Stop,
    open: Option<ImapSession>,
    /// Mails of the present UIDVALIDITY that the server could not give.
    unreadable: BTreeSet<u32>,
}

/// An open connection with a selected folder.
struct ImapSession {
    session: Session<Wire>,
    allowance: ReplyAllowance,
    validity: u32,
    can_move: bool,
    can_idle: bool,
    can_expunge: bool,
}

impl ImapSource {
    /// The source of an account.
    #[must_use]
    pub fn new(account: ImapAccount, stop: &Stop) -> Self {
        Self {
            account,
            stop: stop.clone(),
            open: None,
            unreadable: BTreeSet::new(),
        }
    }

    fn connect(&self) -> Result<ImapSession, TransportError> {
        let ImapAccount { host, user, .. } = &self.account;
        let server = Server {
            host,
            port: self.account.port,
            security: self.account.tls,
            ca: self.account.ca.as_deref(),
        };
        let allowance = ReplyAllowance::default();
        let password = self.account.password.reveal()?;
        let (wire, greeting) = server.connect(&self.stop, &allowance)?;
        let mut client = imap::Client::new(wire);
        if greeting {
            client
                .read_greeting()
                .map_err(|error| self.talk("greeting", &error))?;
        }
        let mut session = client
            .login(user, password)
            .map_err(|(error, _)| match error {
                imap::Error::No(_) | imap::Error::Bad(_) => TransportError::Login {
                    host: host.clone(),
                    user: user.clone(),
                    said: error.to_string(),
                },
                error => self.talk("login", &error),
            })?;
        let known = session
            .capabilities()
            .map_err(|error| self.talk("CAPABILITY", &error))?;
        let [can_move, can_idle, can_expunge] =
            ["MOVE", "IDLE", "UIDPLUS"].map(|name| known.has_str(name));
        // The folder usually exists, and then the error does not matter; if it can't be created,
        // moving will say so.
        match session.create(&self.account.processed) {
            Ok(()) | Err(imap::Error::No(_)) => {}
            Err(error) => return Err(self.talk("CREATE", &error)),
        }
        let folder = session.select(&self.account.folder).map_err(|error| {
            let folder = &self.account.folder;
            let doing = match error {
                imap::Error::No(_) => format!("there is no `{folder}`; look at `folder`"),
                _ => format!("the folder `{folder}`"),
            };
            self.talk(&doing, &error)
        })?;
        let validity = folder.uid_validity.unwrap_or(0);
        Ok(ImapSession {
            session,
            allowance,
            validity,
            can_move,
            can_idle,
            can_expunge,
        })
    }

    fn talk(&self, doing: &str, error: &imap::Error) -> TransportError {
        if self.stop.is_set() {
            return TransportError::Stopped;
        }
        TransportError::Talk {
            host: self.account.host.clone(),
            doing: doing.to_owned(),
            said: error.to_string(),
        }
    }

    /// Runs something on the open connection. After any error, or if the library panics, the
    /// connection is dropped: nobody knows what the server would say next.
    fn with_open<T>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut ImapSession) -> Result<T, TransportError>,
    ) -> Result<T, TransportError> {
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => self.connect()?,
            };
            let result = work(self, &mut open)?;
            Ok((open, result))
        }));
        let (open, result) = done.unwrap_or_else(|_| {
            Err(TransportError::Talk {
                host: self.account.host.clone(),
                doing: "reading its answer".to_owned(),
                said: "the answer makes no sense".to_owned(),
            })
        })?;
        self.open = Some(open);
        Ok(result)
    }

    fn key(&self, validity: u32, uid: u32) -> String {
        format!("imap-{}-{validity}-{uid}", self.account.name)
    }

    fn list(&self, open: &mut ImapSession, most: usize) -> Result<Vec<(u32, u64)>, TransportError> {
        open.allowance.set(BESIDE * 16);
        let found = open
            .session
            .uid_search("UNDELETED")
            .map_err(|error| self.talk("SEARCH", &error))?;
        let uids: BTreeSet<u32> = found
            .into_iter()
            .filter(|uid| !self.unreadable.contains(uid))
            .collect();
        let wanted: BTreeSet<u32> = uids.into_iter().take(most).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let sizes = open
            .session
            .uid_fetch(set_of(&wanted), "(UID RFC822.SIZE)")
            .map_err(|error| self.talk("FETCH", &error))?;
        let mut listed: Vec<(u32, u64)> = sizes
            .iter()
            .filter_map(|mail| Some((mail.uid?, u64::from(mail.size?))))
            .filter(|(uid, _)| wanted.contains(uid))
            .collect();
        listed.sort_unstable();
        Ok(listed)
    }

    /// The mails of a batch that the server actually returns: a truncated answer has fewer.
    fn bodies(
        &self,
        open: &mut ImapSession,
        batch: &BTreeSet<u32>,
        limit: usize,
    ) -> Result<Vec<RawMail>, imap::Error> {
        let each = limit as u64 + 1;
        open.allowance.set(each * batch.len() as u64 + BESIDE);
        // Of a mail that is too large, fetch only enough to see that.
        let fetched = open
            .session
            .uid_fetch(set_of(batch), format!("(UID BODY.PEEK[]<0.{each}>)"))?;
        let mut mails: Vec<(u32, RawMail)> = fetched
            .iter()
            .filter_map(|mail| Some((mail.uid?, mail.body()?)))
            .filter(|(uid, _)| batch.contains(uid))
            .map(|(uid, bytes)| {
                let mail = RawMail {
                    key: self.key(open.validity, uid),
                    bytes: bytes.to_vec(),
                    handle: format!("{} {uid}", open.validity),
                };
                (uid, mail)
            })
            .collect();
        mails.sort_by_key(|(uid, _)| *uid);
        Ok(mails.into_iter().map(|(_, mail)| mail).collect())
    }

    fn fetch_batch(
        &mut self,
        open: &mut ImapSession,
        batch: &BTreeSet<u32>,
        limit: usize,
    ) -> Result<Vec<RawMail>, TransportError> {
        match self.bodies(open, batch, limit) {
            Ok(mails) => Ok(mails),
            // A mail that the server can't read must not hold up the others.
            Err(imap::Error::No(_)) if batch.len() > 1 => {
                let mut mails = Vec::new();
                for uid in batch {
                    mails.extend(self.fetch_batch(open, &BTreeSet::from([*uid]), limit)?);
                }
                Ok(mails)
            }
            Err(imap::Error::No(said)) => {
                for uid in batch {
                    tracing::warn!(
                        source = self.account.name,
                        uid,
                        "the server can't give this mail: {said}"
                    );
                }
                self.unreadable.extend(batch);
                Ok(Vec::new())
            }
            Err(error) => Err(self.talk("FETCH", &error)),
        }
    }

    fn move_away(
        &self,
        open: &mut ImapSession,
        uids: &BTreeSet<u32>,
    ) -> Result<(), TransportError> {
        open.allowance.set(BESIDE);
        let (set, target) = (set_of(uids), &self.account.processed);
        let session = &mut open.session;
        let moved = if open.can_move {
            session.uid_mv(&set, target)
        } else {
            session.uid_copy(&set, target).and_then(|()| {
                session.uid_store(&set, "+FLAGS.SILENT (\\Deleted)")?;
                if open.can_expunge {
                    session.uid_expunge(&set)?;
                }
                // Without UIDPLUS an EXPUNGE would also take what somebody else has marked: the
                // mark alone is enough.
                Ok(())
            })
        };
        moved.map_err(|error| self.talk(&format!("moving mails to the folder `{target}`"), &error))
    }
}

fn set_of(uids: &BTreeSet<u32>) -> String {
    uids.iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

impl MailSource for ImapSource {
    fn name(&self) -> &str {
        &self.account.name
    }

    fn fetch(&mut self, limit: usize, most: usize) -> Result<Vec<RawMail>, TransportError> {
        self.with_open(|source, open| {
            let listed = source.list(open, most)?;
            let mut mails = Vec::new();
            let (mut batch, mut bytes) = (BTreeSet::new(), 0);
            for (uid, size) in listed {
                let size = size.min(limit as u64 + 1);
                if !batch.is_empty() && bytes + size > BATCH {
                    mails.extend(source.fetch_batch(open, &std::mem::take(&mut batch), limit)?);
                    bytes = 0;
                }
                batch.insert(uid);
                bytes += size;
            }
            if !batch.is_empty() {
                mails.extend(source.fetch_batch(open, &batch, limit)?);
            }
            Ok(mails)
        })
    }

    fn done(&mut self, mails: &[&RawMail]) -> Result<(), TransportError> {
        self.with_open(|source, open| {
            // After a new connection the folder may be another one under the same name: then the
            // UIDs mean nothing.
            let uids: BTreeSet<u32> = mails
                .iter()
                .filter_map(|mail| mail.handle.split_once(' '))
                .filter(|(validity, _)| *validity == open.validity.to_string())
                .filter_map(|(_, uid)| uid.parse().ok())
                .collect();
            if uids.is_empty() {
                return Ok(());
            }
            source.move_away(open, &uids)
        })
    }

    fn wait(&mut self, most: Duration, stop: &Stop) -> Result<(), TransportError> {
        let most = most.min(Duration::from_secs(u64::from(self.account.poll_seconds)));
        let idles = self.account.idle && self.open.as_ref().is_some_and(|open| open.can_idle);
        if !idles {
            stop.sleep(most);
            return Ok(());
        }
        self.with_open(|source, open| {
            open.allowance.set(BESIDE);
            let mut idle = open.session.idle();
            idle.timeout(most.min(LONGEST_IDLE)).keepalive(false);
            let woken = idle.wait_while(stop_on_any);
            drop(idle);
            woken.map(drop).map_err(|error| source.talk("IDLE", &error))
        })
    }

    fn probe(&mut self) -> Vec<Observation> {
        let account = self.account.clone();
        let what = format!("{}: {} port {}", account.name, account.host, account.port);
        let mut findings = Vec::new();
        if account.password.is_open_to_others() {
            findings.push(Observation::wrong(format!(
                "the secret {} can be read by others on this machine; chmod 600",
                account.password.place()
            )));
        }
        let looked = self.with_open(|source, open| {
            let kept = &source.account.processed;
            if let Err(error @ imap::Error::No(_)) = open.session.status(kept, "(MESSAGES)") {
                let what = format!("there is no `{kept}`, nor can it be made; look at `processed`");
                return Err(source.talk(&what, &error));
            }
            Ok((open.can_move, open.can_idle, open.can_expunge))
        });
        match looked {
            Err(error) => findings.push(Observation::wrong(format!("{}: {error}", account.name))),
            Ok((can_move, can_idle, can_expunge)) => {
                let moves = match (can_move, can_expunge) {
                    (true, _) => "moves mails",
                    (false, true) => "has no MOVE: mails are copied and expunged",
                    (false, false) => {
                        "has neither MOVE nor UIDPLUS: mails are copied and marked as deleted"
                    }
                };
                let wakes = match (can_idle, account.idle) {
                    (true, true) => "tells of new mails at once".to_owned(),
                    _ => format!("is asked for new mails every {} s", account.poll_seconds),
                };
                findings.push(Observation::good(format!(
                    "{what}: logged in as {}, folder `{}`; the server {moves}, and {wakes}",
                    account.user, account.folder
                )));
            }
        }
        findings
    }
}
