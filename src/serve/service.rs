//! The host that stays up: a thread for each source, some for the campaigns, one for the letters.
//!
//! Threads only tell each other that there may be news; what has to be done is on the disk. So a
//! thread that is late, or a host that was killed, does the same a little later.

use std::{
    collections::BTreeSet,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    ClubPlace, Collector, ConfigError, Desk, HostClock, HostConfig, Member, Queue, Roster,
    bell::{LOOK, wait_for_ring},
    club_desk::at_club,
    desk::{Look, MOST_OPEN},
    doctor::troubles,
    known::{KnownNames, Lookout, sort_again},
};
use crate::{
    disk, isolation,
    mail::{
        maildir::{Maildir, MaildirError},
        transport::{Backoff, MailSource, Sink, Stop},
    },
    store::{Lock, StoreError},
};

/// How often all outboxes are searched without news.
const LOOK_OUT: Duration = Duration::from_secs(30);
/// How often the host looks for campaigns that have been made since it started.
const LOOK_ROUND: Duration = Duration::from_secs(5);
/// How many campaigns are looked at before rings are heard again.
const A_FEW: usize = 32;
/// The longest wait for a source's news.
const LOOK_IN: Duration = Duration::from_secs(600);
/// How long threads may take to end.
const LAST_WORDS: Duration = Duration::from_secs(20);
/// The longest work when the host goes on afterwards: a long turn may still be worked off.
const LAST_WORK: Duration = Duration::from_secs(600);
/// More threads for campaigns than this are of no use for a disk.
const MOST_DESKS: usize = 8;

/// Why a host can't stay up.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An error of the configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The host's own folder; another host may have it.
    #[error(transparent)]
    State(#[from] StoreError),
    /// An error of a mailbox.
    #[error(transparent)]
    Mailbox(#[from] MaildirError),
    /// There is nothing to serve.
    #[error("no campaign can be served; name directories in `campaigns` or on the command line")]
    Nothing {
        /// Named directories that were left out, with the fault of each.
        left_out: Vec<String>,
    },
    /// A thread ended because of a bug; all others were ended, too.
    #[error(
        "the host has stopped by an error in the program, told above; nothing is lost, start it again"
    )]
    Broken,
    /// A thread did not end.
    #[error("not everything came to an end in {} s; nothing is lost, the next start goes on", LAST_WORDS.as_secs())]
    Hanging,
}

/// The resources of a running host.
pub(super) struct HostSetup {
    pub(super) roster: Roster,
    pub(super) collector: Collector,
    pub(super) _lock: Lock,
}

/// Takes the host's folder for this process and reads the settings of all campaigns.
pub(super) fn ready(config: &HostConfig, more: &[PathBuf]) -> Result<HostSetup, ServeError> {
    disk::make_folder(&config.state).map_err(StoreError::from)?;
    let lock = Lock::take(&config.state.join("lock"), Duration::ZERO)?;
    let (roster, collector) = all_campaigns(config, more)?;
    Ok(HostSetup {
        roster,
        collector,
        _lock: lock,
    })
}

/// All present campaigns. Mails that were put aside before one of them was known are sorted again.
fn all_campaigns(config: &HostConfig, more: &[PathBuf]) -> Result<(Roster, Collector), ServeError> {
    let (roster, wrong) = Roster::read(&config.directories(more)?);
    let mut left_out = Vec::new();
    for (root, problem) in &wrong {
        tracing::error!(campaign = %root.display(), "left out: {problem}");
        left_out.push(format!("{}: {problem}", root.display()));
    }
    // In a folder the first one may be made while the host runs.
    if roster.members.is_empty() && !(left_out.is_empty() && config.has_folders()) {
        return Err(ServeError::Nothing { left_out });
    }
    let club = club_of(config);
    let roster = roster.trusting(config.trust.authentication_results.as_deref());
    let roster = roster.with_club(club);
    let collector = Collector::new(roster.clone(), &config.state)?;
    let aside = Maildir::at(config.state.join("aside"));
    sort_again(&roster, &KnownNames::read(&config.state)?, &aside)?;
    KnownNames::of(&roster).write(&config.state)?;
    Ok((roster, collector))
}

/// The club of the host, if it has one that can be read.
pub(crate) fn club_of(config: &HostConfig) -> Option<ClubPlace> {
    let root = config.club.as_ref()?;
    let read = ClubPlace::read(root);
    let failed = |error| tracing::error!(club = %root.display(), "left out: {error}");
    let club = read.map_err(failed).ok()?;
    let folder = club.settings.campaigns_of(root);
    if !config.serves_folder(&folder) {
        tracing::warn!(
            folder = %folder.display(),
            "campaigns of the club are begun in a folder that `campaigns` does not name"
        );
    }
    Some(club)
}

/// Serves until the sign to stop is given. When a new campaign appears, all threads end between two
/// pieces of work, and start again with it.
///
/// # Errors
/// If it can't start, or can't end cleanly.
pub fn serve(
    config: &HostConfig,
    more: &[PathBuf],
    clock: &HostClock,
    stop: &Stop,
) -> Result<(), ServeError> {
    let HostSetup {
        mut roster,
        mut collector,
        _lock,
    } = ready(config, more)?;
    let mut lookout = Lookout::default();
    loop {
        let shift = Shift::begin(config, &roster, &collector, clock);
        let mut more_campaigns = false;
        while !more_campaigns && !shift.stop.is_set() && !stop.sleep(LOOK_ROUND) {
            more_campaigns = match config.directories(more) {
                Ok(directories) => lookout.finds_more(&directories, &roster),
                Err(error) => {
                    tracing::warn!("no look for new campaigns: {error}");
                    false
                }
            };
        }
        if !more_campaigns {
            tracing::info!("stopping");
        }
        shift.end(stop)?;
        if !more_campaigns || stop.is_set() {
            return Ok(());
        }
        (roster, collector) = all_campaigns(config, more)?;
    }
}

/// All threads of a host, for the campaigns that it knows.
struct Shift {
    /// Ends its threads.
    stop: Stop,
    broken: Arc<AtomicBool>,
    /// Disconnected once all have ended.
    ended: Receiver<()>,
}

impl Shift {
    fn begin(
        config: &HostConfig,
        roster: &Roster,
        collector: &Collector,
        clock: &HostClock,
    ) -> Self {
        tracing::info!(
            campaigns = roster.members.len(),
            sources = config.sources.len(),
            "serving"
        );
        let stop = Stop::new();
        let (ending, ended) = channel::<()>();
        let crew = Crew {
            ending,
            stop: stop.clone(),
            broken: Arc::default(),
        };
        let broken = Arc::clone(&crew.broken);
        let (letters, to_send) = channel::<usize>();
        // One for each place in the roster.
        let mut bells = Vec::new();
        // Those of rules that do not ship keep nothing open.
        let most_open = MOST_OPEN / most_desks();
        for own in desks(roster, config.isolation.at_once) {
            let (bell, rung) = channel::<usize>();
            bells.extend(own.iter().map(|(place, _)| (*place, bell.clone())));
            let (bounds, pack_after) = (config.isolation.bounds(), config.pack_after_days);
            let (letters, clock, stop) = (letters.clone(), Arc::clone(clock), stop.clone());
            crew.spawn("campaigns", move || {
                let desk = Desk::new(own)
                    .isolating(bounds, stop.clone())
                    .packing(pack_after)
                    .keeping_open(most_open);
                at_desk(desk, &rung, &letters, &clock, &stop);
            });
        }
        bells.sort_unstable_by_key(|(place, _)| *place);
        let mut bells: Vec<Sender<usize>> = bells.into_iter().map(|(_, bell)| bell).collect();
        if let (Some(club), Some(place)) = (roster.club.clone(), roster.club_place()) {
            let (bell, rung) = channel::<usize>();
            bells.push(bell);
            let (letters, clock, stop) = (letters.clone(), Arc::clone(clock), stop.clone());
            let config = config.clone();
            crew.spawn("club", move || {
                let troubles = || troubles(&config);
                let wrote = || {
                    // At the end nobody hears it.
                    let _ = letters.send(place);
                };
                at_club(&club, &rung, (&wrote, &troubles), &clock, &stop);
            });
        }
        drop(letters);
        for source in config.open_sources(&stop) {
            let (collector, bells, stop) = (collector.clone(), bells.clone(), stop.clone());
            crew.spawn("source", move || {
                at_source(source, &collector, &bells, &stop);
            });
        }
        if let Some(sink) = config.open_sink() {
            let (roster, clock, stop) = (roster.clone(), Arc::clone(clock), stop.clone());
            crew.spawn("letters", move || {
                at_outbox(sink, &roster, &to_send, &clock, &stop);
            });
        }
        Self {
            stop,
            broken,
            ended,
        }
    }

    /// Ends all threads; soon, if the host is to stop.
    fn end(self, host: &Stop) -> Result<(), ServeError> {
        self.stop.stop();
        let begun = Instant::now();
        let ended = loop {
            let patience = if host.is_set() { LAST_WORDS } else { LAST_WORK };
            match self.ended.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) if begun.elapsed() < patience => {}
                ended => break ended,
            }
        };
        match ended {
            Err(RecvTimeoutError::Timeout) => Err(ServeError::Hanging),
            _ if self.broken.load(Ordering::SeqCst) => Err(ServeError::Broken),
            _ => Ok(()),
        }
    }
}

/// How many desks work on campaigns in the host's own process, if there are as many campaigns.
fn most_desks() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores.clamp(1, MOST_DESKS)
}

/// Which campaigns share a desk, with their places in the roster. Those whose rules do not ship
/// have desks of their own, `at_once` at most: each waits for the processes of its campaigns, and
/// no other campaign waits with it.
fn desks(roster: &Roster, at_once: usize) -> Vec<Vec<(usize, Member)>> {
    let members = roster.members.clone().into_iter().enumerate();
    let (others, own): (Vec<_>, Vec<_>) =
        members.partition(|(_, member)| isolation::is_needed(member.directory.root()));
    let mut desks = Vec::new();
    for (members, most) in [(own, most_desks()), (others, at_once)] {
        let first = desks.len();
        let count = most.min(members.len());
        desks.resize_with(first + count, Vec::new);
        for (number, member) in members.into_iter().enumerate() {
            if let Some(desk) = desks.get_mut(first + number % count.max(1)) {
                desk.push(member);
            }
        }
    }
    desks
}

/// The data that all threads share.
struct Crew {
    /// Each thread has one; when all are dropped, all have ended.
    ending: Sender<()>,
    stop: Stop,
    broken: Arc<AtomicBool>,
}

impl Crew {
    /// Starts a thread. If it panics, or can't start, everything stops: half a host would look like
    /// a whole one.
    fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) {
        let (ending, stop, broken) = (
            self.ending.clone(),
            self.stop.clone(),
            Arc::clone(&self.broken),
        );
        let work = move || {
            let _ending = ending;
            if panic::catch_unwind(AssertUnwindSafe(work)).is_err() {
                broken.store(true, Ordering::SeqCst);
                stop.stop();
            }
        };
        if let Err(error) = thread::Builder::new().name(name.to_owned()).spawn(work) {
            tracing::error!("no thread for {name}: {error}");
            self.broken.store(true, Ordering::SeqCst);
            self.stop.stop();
        }
    }
}

/// Brings mails in until the end.
fn at_source(
    mut source: Box<dyn MailSource>,
    collector: &Collector,
    bells: &[Sender<usize>],
    stop: &Stop,
) {
    let mut backoff = Backoff::default();
    while !stop.is_set() {
        let mut ring = |place: usize| {
            if let Some(bell) = bells.get(place) {
                // At the end nobody hears it.
                let _ = bell.send(place);
            }
        };
        let collected = match collector.collect(source.as_mut(), &mut ring) {
            Ok(0) => source.wait(LOOK_IN, stop),
            collected => collected.map(|_| ()),
        };
        match collected {
            Ok(()) => backoff.worked(),
            Err(_) if stop.is_set() => {}
            Err(error) => {
                let wait = backoff.failed();
                tracing::warn!(source = source.name(), seconds = wait.as_secs(), "{error}");
                stop.sleep(wait);
            }
        }
    }
}

/// Works on campaigns until the end.
fn at_desk(
    mut desk: Desk,
    rung: &Receiver<usize>,
    letters: &Sender<usize>,
    clock: &HostClock,
    stop: &Stop,
) {
    let work = |desk: &mut Desk, place| {
        if desk.work(place, clock()) {
            let _ = letters.send(place);
        }
    };
    let mut next_look = Instant::now();
    while !stop.is_set() {
        let mut rings: BTreeSet<usize> = rung.try_iter().collect();
        if rings.is_empty() {
            let rest = next_look.saturating_duration_since(Instant::now());
            rings.extend(wait_for_ring(rung, rest, stop));
        }
        for place in rings {
            if stop.is_set() {
                break;
            }
            work(&mut desk, place);
            if desk.is_called(place, clock()) {
                next_look = Instant::now();
            }
        }
        if next_look <= Instant::now() && !stop.is_set() {
            // A few at a time, so that a mail does not wait until all have been looked at.
            match desk.look(clock(), A_FEW) {
                Look::Called(place) => work(&mut desk, place),
                Look::Unfinished => {}
                Look::Over => next_look = Instant::now() + LOOK,
            }
        }
    }
    desk.close(clock());
}

/// Sends letters until the end.
fn at_outbox(
    mut sink: Box<dyn Sink>,
    roster: &Roster,
    to_send: &Receiver<usize>,
    clock: &HostClock,
    stop: &Stop,
) {
    let mut queue = Queue::default();
    let all = || (0..roster.places()).collect::<BTreeSet<usize>>();
    let mut places = all();
    while !stop.is_set() {
        match queue.round(roster, places, sink.as_mut(), clock(), stop) {
            Ok(round) if round.sent > 0 => tracing::debug!(sent = round.sent, "letters sent"),
            Ok(_) => {}
            Err(error) => {
                tracing::error!("letters can't be sent: {error}");
                stop.sleep(LOOK);
            }
        }
        places =
            wait_for_letters(to_send, queue.pause(clock(), LOOK_OUT), stop).unwrap_or_else(all);
    }
}

/// Waits for letters of some campaigns, in slices so that the sign to stop is seen; none if it is
/// time to look at all.
fn wait_for_letters(
    to_send: &Receiver<usize>,
    most: Duration,
    stop: &Stop,
) -> Option<BTreeSet<usize>> {
    let mut left = most;
    while !stop.is_set() {
        let slice = left.min(LOOK / 4);
        match to_send.recv_timeout(slice) {
            Ok(first) => return Some(std::iter::once(first).chain(to_send.try_iter()).collect()),
            Err(RecvTimeoutError::Disconnected) => {
                stop.sleep(slice);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        left = left.saturating_sub(slice);
        if left.is_zero() {
            return None;
        }
    }
    None
}
