//! The sandbox: what scripts may not do, and how much of the rest. All limits of scripts stand
//! here; those of the processes that run scripts of others stand in
//! [`crate::isolation::ProcessBounds`].
//!
//! Rhai's own limits bound every single value and the depth of calls; operations and time bound a
//! run; the memory of the process is looked at from time to time, since operations alone don't
//! bound it. Nothing that a script does can stop the host from noticing: the progress callback is
//! called by Rhai before every operation.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::{Duration, Instant},
};

use rhai::{
    Dynamic, Engine, EvalAltResult, ImmutableString, OptimizationLevel, Position,
    module_resolvers::DummyModuleResolver,
};

use super::{
    functions,
    stage::{SUSPENDED, Stage},
};

/// The resources that a script may use in a run.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Operations of one phase.
    pub operations: u64,
    /// Operations of all checks of one mail's orders together.
    pub check_operations: u64,
    /// Time of the processor for one phase. Operations are the limit that scripts meet; this one is
    /// for operations that take long, and for a machine that does not keep up.
    pub time: Duration,
    /// Bytes by which the process may grow during one phase.
    pub memory: usize,
    /// Depth of script calls.
    pub calls: usize,
    /// Bytes of one string.
    pub string: usize,
    /// Items of one array, those of arrays inside it included.
    pub array: usize,
    /// Entries of one map, those of maps inside it included.
    pub map: usize,
    /// Variables in sight at once.
    pub variables: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            operations: 30_000_000,
            check_operations: 3_000_000,
            time: Duration::from_secs(10),
            memory: 256 << 20,
            calls: 48,
            string: 16 << 10,
            array: 4096,
            map: 4096,
            variables: 256,
        }
    }
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// Too many operations: the script's fault, and the same on every machine.
    Operations(u64),
    /// Too long on this machine; another time it may do.
    Time(u64),
    /// Too large on this machine, in MiB; another time it may do.
    Memory(usize),
}

/// Measures one run.
pub(super) struct Meter {
    pub limits: RunLimits,
    started: Cell<Duration>,
    memory: Cell<usize>,
    pub(super) spent: Cell<u64>,
    /// What was spent at the last look at the clock and the memory, and when that was.
    looked: Cell<(u64, Instant)>,
    /// What was spent when it was last asked whether to look.
    glanced: Cell<u64>,
    allowed: Cell<u64>,
    /// Why the run was stopped.
    pub stopped: RefCell<Option<Excess>>,
}

/// How many operations pass between two looks at the clock and the memory of the process, which are
/// slow themselves.
const BETWEEN_LOOKS: u64 = 1024;
/// After so many operations there is a look if they have taken [`LONG`]: a single one may copy
/// megabytes.
const BETWEEN_GLANCES: u64 = 128;
/// How long a few operations take that are no usual ones.
const LONG: Duration = Duration::from_millis(20);

/// How many items of a list a host function looks at for the price of one operation: short lists
/// cost nothing.
const ITEMS_OF_AN_OPERATION: usize = 16;

impl Meter {
    pub fn new(limits: RunLimits) -> Rc<Self> {
        Rc::new(Self {
            started: Cell::new(Duration::ZERO),
            memory: Cell::new(0),
            spent: Cell::new(0),
            looked: Cell::new((0, Instant::now())),
            glanced: Cell::new(0),
            allowed: Cell::new(limits.operations),
            stopped: RefCell::new(None),
            limits,
        })
    }

    /// Starts measuring; all calls until the next start share so many operations.
    pub fn start(&self, operations: u64) {
        self.started.set(used_time());
        self.memory.set(used_memory());
        self.spent.set(0);
        self.looked.set((0, Instant::now()));
        self.glanced.set(0);
        self.allowed.set(operations);
        self.stopped.replace(None);
    }

    /// Counts what a host function has done for a script besides its call, in items that it looked
    /// at. The run is stopped before its next operation if that was too much.
    pub fn spend(&self, items: usize) {
        let operations = u64::try_from(items / ITEMS_OF_AN_OPERATION).unwrap_or(u64::MAX);
        self.spent.set(self.spent.get().saturating_add(operations));
    }

    /// Counts an operation.
    fn excess(&self) -> Option<Excess> {
        let spent = self.spent.get().saturating_add(1);
        self.spent.set(spent);
        if spent > self.allowed.get() {
            return Some(Excess::Operations(self.allowed.get()));
        }
        if spent - self.glanced.get() < BETWEEN_GLANCES {
            return None;
        }
        self.glanced.set(spent);
        let (looked, when) = self.looked.get();
        if spent - looked < BETWEEN_LOOKS && when.elapsed() < LONG {
            return None;
        }
        self.looked.set((spent, Instant::now()));
        if used_time().saturating_sub(self.started.get()) > self.limits.time {
            return Some(Excess::Time(self.limits.time.as_secs()));
        }
        let grown = used_memory().saturating_sub(self.memory.get());
        let most = self.limits.memory;
        (grown > most).then_some(Excess::Memory(most >> 20))
    }
}

/// How long the processor has worked for this thread: what else the machine does takes nothing from
/// a script.
#[cfg(unix)]
fn used_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The time on the wall, where the system does not tell threads apart.
#[cfg(not(unix))]
fn used_time() -> Duration {
    use std::sync::LazyLock;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// How deep lists and maps may lie in each other where a script hands a value to the host: what is
/// kept is read and written again by code that goes down level by level.
pub(super) const DEEPEST: usize = 16;

/// Bytes of memory that the process uses, 0 where the system does not tell.
pub fn used_memory() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// Rhai's name for the reason when a run is stopped for using too much.
const EXCESS: &str = "too much";

/// Strings that the engine keeps one copy of. With fewer it looks for one to throw away at each new
/// name of the scripts.
const SHARED_STRINGS: usize = 8192;

/// An engine that can parse rules, and run nothing of the host.
pub(super) fn parser(limits: &RunLimits) -> Engine {
    bounded(Engine::new_raw(), limits)
}

fn bounded(mut engine: Engine, limits: &RunLimits) -> Engine {
    engine
        // Scripts are compiled for each process: compiling quickly is worth more than folding
        // constants.
        .set_optimization_level(OptimizationLevel::None)
        .set_module_resolver(DummyModuleResolver::new())
        .set_strict_variables(true)
        .set_fail_on_invalid_map_property(true)
        .set_max_operations(0)
        .set_max_call_levels(limits.calls)
        .set_max_expr_depths(64, 64)
        .set_max_string_size(limits.string)
        .set_max_array_size(limits.array)
        .set_max_map_size(limits.map)
        .set_max_variables(limits.variables)
        .set_max_strings_interned(SHARED_STRINGS)
        .set_max_modules(0);
    for symbol in ["try", "catch", "eval", "import", "export"] {
        engine.disable_symbol(symbol);
    }
    engine
}

/// An engine with the host's functions and nothing that reaches outside.
pub(super) fn engine(stage: &Rc<Stage>, meter: &Rc<Meter>) -> Engine {
    let mut engine = bounded(Engine::new(), &meter.limits);
    // The host's own functions of these names let hear what is to be heard.
    engine.on_print(|_| ());
    engine.on_debug(|_, _, _| ());
    forbid(&mut engine, "sleep");
    functions::register(&mut engine, stage);
    functions::printing::take_over(&mut engine);
    engine.set_default_tag(Dynamic::from(Rc::clone(stage)));
    let (stage, meter) = (Rc::clone(stage), Rc::clone(meter));
    engine.on_progress(move |_| {
        if stage.suspended.get() {
            return Some(SUSPENDED.into());
        }
        let excess = meter.excess()?;
        meter.stopped.replace(Some(excess));
        Some(EXCESS.into())
    });
    engine
}

/// Replaces a function of Rhai's packages that is of no use here and could do harm.
fn forbid(engine: &mut Engine, name: &'static str) {
    let refuse = move || -> Result<(), Box<EvalAltResult>> {
        let message: ImmutableString = format!("`{name}` is not available to rules").into();
        Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
    };
    engine.register_fn(name, move |_: i64| refuse());
}
