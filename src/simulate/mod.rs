//! Bots play whole campaigns, through the same mails, work and letters as people.
//!
//! A simulated campaign lies in memory, has a clock of its own and draws no map; otherwise nothing
//! in it is simpler than in a real one: a bot's lines become the bytes of a mail that answers its
//! newest letter, the campaign judges and applies them, and letters go out as bytes. After every
//! phase the world is looked through for what must never be so, every letter for names that its
//! reader can't know; at the end the campaign is audited and its dice are verified.
//!
//! Invariant: what a campaign comes to depends on the plan's seed and the campaign's number, not on
//! threads or clocks.

mod checks;
mod names;
mod news;
mod play;
mod player;
mod report;
mod settings;

use std::{
    collections::BTreeMap,
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    time::Duration,
};

use serde::Serialize;
use thiserror::Error;

use crate::{
    campaign::model::{compiled_game::CompiledGame, work_error::WorkError},
    digest::Digest,
    game::{Game, GameFiles},
    ids::SeatId,
    rules::{Bots, Printout, RuleError},
    store::{PinnedFiles, StoreError},
    world::Ending,
};
use names::SecretNames;
pub use report::{Habits, Results, SimulationReport, Spread};

/// The simulation to run.
#[derive(Clone, Debug)]
pub struct SimulationPlan {
    /// The game.
    pub game: String,
    /// The scenario.
    pub scenario: String,
    /// The roster, if it is not the game's first; the game that is played has its seats.
    pub roster: Option<String>,
    /// The game's options that are not as the game has them.
    pub options: BTreeMap<String, String>,
    /// How many mails with questions a seat may get in a turn.
    pub questions_per_turn: u32,
    /// The pairings: the bot of each seat. The campaigns take them in turn; an empty list means all
    /// pairings.
    pub pairings: Vec<BTreeMap<SeatId, String>>,
    /// The number of campaigns.
    pub campaigns: usize,
    /// The seed of dice and bots.
    pub seed: u64,
    /// How many threads play.
    pub threads: usize,
    /// True if the output of scripts is kept for the report of each campaign.
    pub trace: bool,
    /// True if what rules and bots remember is worked out anew whenever they use it.
    pub recheck: bool,
    /// The folder for campaigns in which something was found.
    pub out: Option<PathBuf>,
    /// True if those in which nothing was found are left there, too.
    pub keep_all: bool,
    /// Whether letters have their maps drawn, as those to players.
    pub pictures: bool,
}

impl SimulationPlan {
    /// The bots of a campaign.
    fn bots_of(&self, number: usize, seats: &[SeatId]) -> BTreeMap<SeatId, String> {
        let pairing = self
            .pairings
            .get((number.max(1) - 1) % self.pairings.len().max(1));
        let nobody = || {
            seats
                .iter()
                .map(|seat| (seat.clone(), String::new()))
                .collect()
        };
        pairing.cloned().unwrap_or_else(nobody)
    }
}

/// A game with its bots, loaded: what all campaigns share.
pub struct BotGame {
    /// The game.
    pub game: Arc<Game>,
    /// Its files, which a campaign pins.
    pub files: GameFiles,
    /// The scripts of its bots.
    pub bots: Vec<(String, String)>,
}

/// Why nothing can be played.
#[derive(Debug, Error)]
pub enum SimulateError {
    /// The game brings no bots.
    #[error(
        "{0} brings no bots; a bot NAME is a function `fn NAME(seat, asked)` in rules/{0}/bots/NAME.rhai"
    )]
    NoBots(String),
    /// There is no such bot.
    #[error("there is no bot `{name}`; there are: {}", known.join(", "))]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The known bots.
        known: Vec<String>,
    },
    /// The rules don't compile.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The bots don't compile.
    #[error(transparent)]
    Bots(#[from] RuleError),
    /// The files can't be pinned.
    #[error(transparent)]
    Files(#[from] StoreError),
}

/// A fault found in a simulated campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CampaignFault {
    /// Turn and phase.
    pub at: String,
    /// The fault in words.
    pub what: String,
}

impl fmt::Display for CampaignFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

/// A seat's activity in one turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnTally {
    /// Mails that it sent.
    pub mails: usize,
    /// Mails with questions that it got.
    pub questions: u32,
    /// Orders in its mails.
    pub orders: usize,
    /// Orders that a check of the rules refused.
    pub refused: usize,
    /// Lines that were not understood.
    pub wrong: usize,
}

/// A campaign that has been played.
#[derive(Clone, Debug, Default)]
pub struct PlayedCampaign {
    /// Its number, from 1.
    pub number: usize,
    /// The bot of each seat.
    pub bots: BTreeMap<SeatId, String>,
    /// How it ended; none if it was broken off.
    pub ending: Option<Ending>,
    /// The turn in which it ended.
    pub last_turn: i64,
    /// How many phases were run.
    pub phases: usize,
    /// How many letters went out.
    pub letters: usize,
    /// The activity of the seats, by turn.
    pub turns: BTreeMap<i64, BTreeMap<SeatId, TurnTally>>,
    /// The faults found.
    pub faults: Vec<CampaignFault>,
    /// The output of scripts while it was played, if the plan asks for it.
    pub printed: Vec<String>,
    /// How long it took to play.
    pub time: Duration,
    /// How long its audit took.
    pub audit: Duration,
}

/// One thread's equipment: everything that is the same for all campaigns.
struct Shop<'a> {
    plan: &'a SimulationPlan,
    files: &'a GameFiles,
    names: &'a SecretNames,
    rules: Digest,
    seats: Vec<SeatId>,
    compiled: CompiledGame,
    bots: Bots,
    /// Where rules and bots print to, if anybody is to hear it.
    printout: Printout,
}

impl<'a> Shop<'a> {
    fn open(
        plan: &'a SimulationPlan,
        loaded: &'a BotGame,
        names: &'a SecretNames,
        rules: Digest,
    ) -> Result<Self, SimulateError> {
        let compiled = CompiledGame::new(Arc::clone(&loaded.game), &plan.options)?;
        let bots = Bots::compile(Arc::clone(&loaded.game), &loaded.bots)?;
        if plan.recheck {
            compiled.program().recheck();
            bots.program().recheck();
        }
        let printout = Printout::default();
        if plan.trace {
            compiled.program().listen(&printout);
            bots.program().listen(&printout);
        }
        Ok(Self {
            plan,
            files: &loaded.files,
            names,
            rules,
            seats: seats_of(&loaded.game),
            compiled,
            bots,
            printout,
        })
    }
}

fn seats_of(game: &Game) -> Vec<SeatId> {
    game.decl.seats.iter().map(|seat| seat.id.clone()).collect()
}

/// Every way to give bots to seats, in rounds of as many as there are bots: in each round every
/// seat has each bot once, so that few campaigns are even, too.
fn all_pairings(seats: &[SeatId], bots: &[String]) -> Vec<BTreeMap<SeatId, String>> {
    let count = bots.len();
    // How many bots further than the first seat each seat is.
    let further = seats.iter().skip(1).fold(vec![vec![0]], |ways, _| {
        let with = |way: &Vec<usize>| -> Vec<Vec<usize>> {
            (0..count)
                .map(|more| [way.as_slice(), &[more]].concat())
                .collect()
        };
        ways.iter().flat_map(with).collect()
    });
    let rounds = further
        .iter()
        .flat_map(|way| (0..count).map(move |first| (way, first)));
    let pairing = |(way, first): (&Vec<usize>, usize)| {
        let bots = way
            .iter()
            .filter_map(|more| bots.get((first + more) % count));
        seats.iter().cloned().zip(bots.cloned()).collect()
    };
    rounds.map(pairing).collect()
}

/// Plays the campaigns of a plan; `progress` hears of each when it is over, in the order in which
/// they end.
///
/// # Errors
/// If the rules or bots don't compile, or a bot that the plan names does not exist. Faults of a
/// campaign are no errors, but part of the report.
pub fn run(
    plan: &SimulationPlan,
    loaded: &BotGame,
    progress: &mut dyn FnMut(&PlayedCampaign),
) -> Result<SimulationReport, SimulateError> {
    let mut plan = plan.clone();
    let seats = seats_of(&loaded.game);
    let bots = Bots::compile(Arc::clone(&loaded.game), &loaded.bots)?;
    if bots.names().is_empty() {
        return Err(SimulateError::NoBots(plan.game.clone()));
    }
    for name in plan.pairings.iter().flat_map(BTreeMap::values) {
        if !bots.names().contains(name) {
            let (name, known) = (name.clone(), bots.names().to_vec());
            return Err(SimulateError::Unknown { name, known });
        }
    }
    if plan.pairings.is_empty() {
        plan.pairings = all_pairings(&seats, bots.names());
    }
    drop(bots);
    let rules = PinnedFiles::new(loaded.files.0.clone())?.digest();
    let names = SecretNames::of(&loaded.game);
    let next = AtomicUsize::new(1);
    let (sender, receiver) = mpsc::channel();
    let mut played = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.clamp(1, plan.campaigns.max(1)) {
            let (sender, plan, names, next) = (sender.clone(), &plan, &names, &next);
            scope.spawn(move || work(plan, loaded, names, rules, next, &sender));
        }
        drop(sender);
        for result in receiver {
            let campaign: PlayedCampaign = result?;
            progress(&campaign);
            played.push(campaign);
        }
        Ok::<(), SimulateError>(())
    })?;
    played.sort_by_key(|campaign| campaign.number);
    Ok(SimulationReport::of(&plan, &seats, &played))
}

/// Runs one thread: campaign after campaign until none is left or the listener has gone.
fn work(
    plan: &SimulationPlan,
    loaded: &BotGame,
    names: &SecretNames,
    rules: Digest,
    next: &AtomicUsize,
    sender: &mpsc::Sender<Result<PlayedCampaign, SimulateError>>,
) {
    let shop = match Shop::open(plan, loaded, names, rules) {
        Ok(shop) => shop,
        Err(error) => {
            // A listener that is gone has another thread's error already.
            let _ = sender.send(Err(error));
            return;
        }
    };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number > plan.campaigns || sender.send(Ok(play::play(&shop, number))).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::all_pairings;

    #[test]
    fn in_each_round_every_seat_has_each_bot_once() {
        let [seats, bots] = [["a", "b", "c"], ["bold", "random", "sensible"]];
        let bots = bots.map(str::to_owned);
        let pairings = all_pairings(&seats.map(Into::into), &bots);
        let all: BTreeSet<String> = pairings.iter().map(|one| format!("{one:?}")).collect();
        assert_eq!((pairings.len(), all.len()), (27, 27));
        for round in pairings.chunks(bots.len()) {
            for seat in seats {
                let had: BTreeSet<&str> = round.iter().map(|one| one[seat].as_str()).collect();
                assert_eq!(had.len(), bots.len(), "{seat}: {round:?}");
            }
        }
        assert!(all_pairings(&seats.map(Into::into), &[]).is_empty());
    }
}
