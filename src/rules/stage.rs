//! The stage that a script plays on: the current run, reached through handles.
//!
//! One [`Stage`] belongs to one program. While a phase runs it holds a [`Run`]. Handles name their
//! run, so a handle that has outlived its run, or comes from another campaign, is just an error.

use std::{
    cell::{Cell, RefCell, RefMut},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use rhai::{Dynamic, EvalAltResult, Map, NativeCallContext, Position};

use super::{
    board::PieceBoard,
    convert::to_dynamic,
    functions::ReadFormulas,
    outcome::{Decisions, GameEvent, OrderRefusal, Wait},
    printout::Listener,
    sandbox::Meter,
};
use crate::{
    dice::{Dice, RandomWords},
    game::Game,
    ids::{PlaceId, SeatId},
    value::{Fields, Value},
    world::{Piece, SightingTime, World},
};

/// The result of a host function.
pub type ScriptResult<T> = Result<T, Box<EvalAltResult>>;

/// A script's handle on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceHandle {
    /// The run that it belongs to.
    pub(super) run: u64,
    /// Its position in the world's list.
    pub(super) index: usize,
}

/// The changes that a run may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Licence {
    /// Nothing: invariants.
    Nothing,
    /// Knowledge of seats, and notes for their letters: a look.
    Knowledge,
    /// The world.
    World,
}

/// A phase, a look or a check in progress.
pub(super) struct Run {
    pub number: u64,
    pub world: World,
    /// Where the pieces of that world stand, once somebody has asked. Only [`Run::put`] changes it.
    pub board: Option<PieceBoard>,
    pub phase: String,
    /// The turn in which the phase began.
    pub turn: i64,
    pub options: Rc<BTreeMap<String, String>>,
    pub decisions: Decisions,
    pub rounds_used: usize,
    pub dice: Option<Box<dyn Dice>>,
    pub licence: Licence,
    pub events: Vec<GameEvent>,
    pub refused: Vec<OrderRefusal>,
    pub pending: Option<Wait>,
    /// How many bytes of values the script has handed to the host.
    pub kept: usize,
    /// Values that the looks of all seats have in common, by name.
    pub in_common: BTreeMap<String, Dynamic>,
    /// Values that the script asked to be remembered, by name, each with its mark.
    pub remembered: BTreeMap<String, (String, Dynamic)>,
}

impl Run {
    /// The present time, for sightings.
    pub fn seen(&self) -> SightingTime {
        SightingTime {
            turn: self.turn,
            phase: self.phase.as_str().into(),
        }
    }

    /// The piece behind a handle.
    pub fn piece(&self, handle: &PieceHandle) -> Result<&Piece, String> {
        self.own(handle)?;
        self.world
            .pieces
            .get_index(handle.index)
            .map(|(_, piece)| piece.as_ref())
            .ok_or_else(stale)
    }

    /// The piece behind a handle, to change it.
    pub fn piece_mut(&mut self, handle: &PieceHandle) -> Result<&mut Piece, String> {
        self.own(handle)?;
        self.world
            .pieces
            .get_index_mut(handle.index)
            .map(|(_, piece)| Arc::make_mut(piece))
            .ok_or_else(stale)
    }

    /// Where the pieces stand now.
    pub fn board(&mut self, game: &Game) -> (&World, &PieceBoard) {
        let world = &self.world;
        let board = self
            .board
            .get_or_insert_with(|| PieceBoard::of(game, world));
        (world, board)
    }

    /// Puts a piece in a place.
    pub fn put(&mut self, game: &Game, handle: &PieceHandle, place: PlaceId) -> Result<(), String> {
        let from = self.piece(handle)?.at.clone();
        if let Some(board) = &mut self.board {
            board.moved(game, handle.index, from.as_deref(), &place);
        }
        self.piece_mut(handle)?.at = Some(place);
        Ok(())
    }

    /// A handle on the piece with this position.
    pub fn handle(&self, index: usize) -> PieceHandle {
        PieceHandle {
            run: self.number,
            index,
        }
    }

    fn own(&self, handle: &PieceHandle) -> Result<(), String> {
        if handle.run == self.number {
            Ok(())
        } else {
            Err(stale())
        }
    }

    /// Counts what a script leaves with the host, so that it can't fill the memory with events and
    /// notes.
    pub fn keep(&mut self, value: &Value) -> Result<(), String> {
        self.kept += size(value);
        if self.kept > MAX_KEPT {
            return Err(format!(
                "a phase may leave at most {MAX_KEPT} bytes with the host; split it"
            ));
        }
        Ok(())
    }

    /// Counts named values.
    pub fn keep_fields(&mut self, fields: &Fields) -> Result<(), String> {
        fields.values().try_for_each(|value| self.keep(value))
    }
}

/// The most bytes of events, facts and notes that a phase may leave.
const MAX_KEPT: usize = 4 << 20;

fn size(value: &Value) -> usize {
    match value {
        Value::Text(text) => 32 + text.len(),
        Value::List(list) => 32 + list.iter().map(size).sum::<usize>(),
        Value::Map(fields) => {
            32 + fields
                .iter()
                .map(|(name, item)| name.len() + size(item))
                .sum::<usize>()
        }
        _ => 32,
    }
}

fn stale() -> String {
    "this handle belongs to another run; ask the host for the piece again".to_owned()
}

/// The stage of one program.
pub(super) struct Stage {
    pub game: Arc<Game>,
    /// All seats, sorted.
    pub everybody: Arc<[SeatId]>,
    /// The keys of all events that scripts may tell.
    pub events: BTreeSet<String>,
    /// The limits on what the script may use.
    pub meter: Rc<Meter>,
    run: RefCell<Option<Run>>,
    /// Set while a phase waits for players: every function refuses, and the script is stopped.
    pub suspended: Cell<bool>,
    numbers: Cell<u64>,
    /// True if names that the game does not have are errors even where a campaign would just find
    /// nothing.
    pub strict: Cell<bool>,
    /// True if what a script remembers is worked out anew whenever it is used, and compared.
    pub recheck: Cell<bool>,
    /// A bot's source of chance; none for rules.
    pub chance: RefCell<Option<RandomWords>>,
    /// Who collects what scripts print; nobody in a campaign.
    pub listener: RefCell<Option<Rc<Listener>>>,
    /// Formulas that scripts have handed over.
    pub formulas: ReadFormulas,
    /// Data of scenarios as scripts have them, by scenario and name: they never change.
    data: RefCell<BTreeMap<String, BTreeMap<String, Dynamic>>>,
}

/// What is said of a change where none may be made.
const NO_CHANGE: &str =
    "`invariants` changes nothing, nor does a function whose value is `remembered`";

/// The reason given to Rhai when a suspended script is stopped.
pub(super) const SUSPENDED: &str = "waiting for players";

impl Stage {
    pub fn new(game: Arc<Game>, meter: &Rc<Meter>) -> Rc<Self> {
        let seats = game.decl.seats.iter().map(|seat| seat.id.clone());
        let everybody = BTreeSet::from_iter(seats);
        let events = game.decl.events.iter().cloned().collect();
        Rc::new(Self {
            game,
            events,
            everybody: everybody.into_iter().collect(),
            meter: Rc::clone(meter),
            run: RefCell::new(None),
            suspended: Cell::new(false),
            numbers: Cell::new(0),
            strict: Cell::new(false),
            recheck: Cell::new(false),
            chance: RefCell::new(None),
            listener: RefCell::new(None),
            formulas: ReadFormulas::default(),
            data: RefCell::default(),
        })
    }

    /// What the file of a scenario says under `data`, if it says it.
    pub fn data(&self, scenario: &str, name: &str) -> Option<Dynamic> {
        self.read_data(scenario, name, Dynamic::clone)
    }

    /// The value under a key of a map there, if there is one.
    pub fn data_of(&self, scenario: &str, name: &str, key: &str) -> Option<Dynamic> {
        self.read_data(scenario, name, |data| {
            data.read_lock::<Map>()?.get(key).cloned()
        })?
    }

    /// Reads what a scenario says under a name, which is converted once.
    fn read_data<T>(
        &self,
        scenario: &str,
        name: &str,
        read: impl FnOnce(&Dynamic) -> T,
    ) -> Option<T> {
        let mut known = self.data.borrow_mut();
        if let Some(found) = known.get(scenario).and_then(|data| data.get(name)) {
            return Some(read(found));
        }
        let found = to_dynamic(self.game.scenarios.get(scenario)?.data.get(name)?);
        let value = read(&found);
        let data = known.entry(scenario.to_owned()).or_default();
        data.insert(name.to_owned(), found);
        Some(value)
    }

    /// A new number for a run of this process.
    pub fn next_number(&self) -> u64 {
        use std::sync::atomic::{AtomicU64, Ordering};
        static RUNS: AtomicU64 = AtomicU64::new(1);
        let number = RUNS.fetch_add(1, Ordering::Relaxed);
        self.numbers.set(number);
        number
    }

    /// Puts a run on the stage, and returns the previous one.
    pub fn set(&self, run: Option<Run>) -> Option<Run> {
        self.suspended
            .set(run.as_ref().is_some_and(|run| run.pending.is_some()));
        self.run.replace(run)
    }

    /// The run, unless it is suspended or there is none.
    pub fn run(&self) -> ScriptResult<RefMut<'_, Run>> {
        if self.suspended.get() {
            return Err(terminated());
        }
        RefMut::filter_map(self.run.borrow_mut(), Option::as_mut)
            .map_err(|_| error("no phase is running"))
    }

    /// The run, for a change of the world.
    pub fn run_to_change(&self) -> ScriptResult<RefMut<'_, Run>> {
        let run = self.run()?;
        match run.licence {
            Licence::World => Ok(run),
            Licence::Knowledge => Err(error("a look moves, tells and ends nothing")),
            Licence::Nothing => Err(error(NO_CHANGE)),
        }
    }

    /// The run, for a change of what seats know, and of what is written down for them: facts and
    /// attributes.
    pub fn run_to_show(&self) -> ScriptResult<RefMut<'_, Run>> {
        let run = self.run()?;
        match run.licence {
            Licence::World | Licence::Knowledge => Ok(run),
            Licence::Nothing => Err(error(NO_CHANGE)),
        }
    }

    /// Suspends the run: keeps what it waits for, and ends the script.
    pub fn suspend(&self, wait: Wait) -> Box<EvalAltResult> {
        if let Some(run) = self.run.borrow_mut().as_mut()
            && run.pending.is_none()
        {
            run.pending = Some(wait);
        }
        self.suspended.set(true);
        terminated()
    }

    /// In cases, simulations and checks: an error if something does not hold that a campaign
    /// ignores.
    pub fn strictly(
        &self,
        holds: impl FnOnce() -> bool,
        else_say: impl FnOnce() -> String,
    ) -> ScriptResult<()> {
        if self.strict.get() && !holds() {
            return Err(error(else_say()));
        }
        Ok(())
    }

    /// In strict mode, checks that a side named by a script is one of the game.
    pub fn strict_side(&self, side: &str) -> ScriptResult<()> {
        let known = &self.game.decl.sides;
        self.strictly(
            || known.iter().any(|known| known.id == *side),
            || format!("there is no side `{side}`"),
        )
    }

    /// A side or party that a script names must be one of the game, where that is looked at.
    pub fn strict_owner(&self, owner: &str) -> ScriptResult<()> {
        self.strictly(
            || self.game.decl.is_owner(owner),
            || format!("there is no side or party `{owner}`"),
        )
    }

    /// The seat of that name.
    pub fn seat(&self, name: &str) -> ScriptResult<SeatId> {
        let known = &self.game.decl.seats;
        known
            .iter()
            .find(|seat| seat.id == *name)
            .map(|seat| seat.id.clone())
            .ok_or_else(|| {
                let names: Vec<_> = known.iter().map(|seat| seat.id.as_str()).collect();
                error(format!(
                    "there is no seat `{name}`; there are: {}",
                    names.join(", ")
                ))
            })
    }
}

/// The stage behind a call.
pub(super) fn stage(ctx: &NativeCallContext) -> ScriptResult<Rc<Stage>> {
    ctx.tag()
        .and_then(|tag| tag.read_lock::<Rc<Stage>>().map(|stage| Rc::clone(&stage)))
        .ok_or_else(|| error("host functions work in a phase only"))
}

/// An error of a host function; Rhai adds the place.
pub(super) fn error(message: impl Into<String>) -> Box<EvalAltResult> {
    EvalAltResult::ErrorRuntime(message.into().into(), Position::NONE).into()
}

/// The error that ends a suspended run. Scripts can't catch it, and if Rhai itself swallows it, the
/// host's own flag decides.
fn terminated() -> Box<EvalAltResult> {
    EvalAltResult::ErrorTerminated(SUSPENDED.into(), Position::NONE).into()
}
