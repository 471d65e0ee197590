//! The sandbox: what scripts may not do, and how much they may do of the rest. All limits of
//! scripts are here; those of the processes that run scripts that do not ship are in
//! [`crate::isolation::ProcessBounds`].
//!
//! Rhai's own limits bound every single value and the depth of calls; operations and time bound a
//! run; the memory of the process is checked from time to time, since operations alone don't bound
//! it. No script can keep the host from noticing: Rhai calls the progress callback before every
//! operation.

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
    /// Processor time for one phase. Scripts usually meet the limit of operations; this one is for
    /// slow operations, and for a machine that does not keep up.
    pub time: Duration,
    /// Bytes by which the process may grow during one phase.
    pub memory: usize,
    /// Depth of script calls.
    pub calls: usize,
    /// Bytes of one string, and of all strings in one array or map, nested ones too.
    pub string: usize,
    /// Items of one array, including those of nested arrays.
    pub array: usize,
    /// Entries of one map, including those of nested maps.
    pub map: usize,
    /// Variables in scope at once.
    pub variables: usize,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            operations: 30_000_000,
            check_operations: 6_000_000,
            time: Duration::from_secs(10),
            memory: 256 << 20,
            calls: 48,
            string: 64 << 10,
            array: 16_384,
            map: 16_384,
            variables: 256,
        }
    }
}

/// Why a run was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Excess {
    /// Too many operations: the script's fault, and the same on every machine.
    Operations(u64),
    /// Too long on this machine; it may work another time.
    Time(u64),
    /// Too large on this machine, in MiB; it may work another time.
    Memory(usize),
}

/// Measures one run.
pub(super) struct Meter {
    pub limits: RunLimits,
    started: Cell<Duration>,
    memory: Cell<usize>,
    pub(super) spent: Cell<u64>,
    /// The operations at the last check of clock and memory, and its time.
    looked: Cell<(u64, Instant)>,
    /// The operations when a check was last considered.
    glanced: Cell<u64>,
    allowed: Cell<u64>,
    /// The time of work that does not count.
    free: Cell<Duration>,
    /// Why the run was stopped.
    pub stopped: RefCell<Option<Excess>>,
}

/// How many operations pass between two checks of the clock and the process's memory, which are
/// slow themselves.
const BETWEEN_LOOKS: u64 = 1024;
/// The time after such a check in which the clock is not looked at again: reading how much memory
/// there is costs as much as a hundred operations, and nothing grows much in so short a time.
const SHORT: Duration = Duration::from_millis(2);
/// After this many operations there is a check if they have taken [`LONG`]: a single one may copy
/// megabytes.
const BETWEEN_GLANCES: u64 = 128;
/// How long a few operations take if they are unusually slow.
const LONG: Duration = Duration::from_millis(20);

/// How many times the time of a run may go by in work that does not count.
const MOST_FREE: u32 = 20;

/// How many items of a list a host function may look at for the price of one operation: short lists
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
            free: Cell::new(Duration::ZERO),
            stopped: RefCell::new(None),
            limits,
        })
    }

    /// Does work that does not count: the run may spend as much more as it took, and take as much
    /// longer, up to [`MOST_FREE`] times its own time.
    pub fn free_of_charge<T>(&self, work: impl FnOnce() -> T) -> T {
        let (allowed, spent) = (self.allowed.get(), self.spent.get());
        self.allowed
            .set(allowed.saturating_add(self.limits.operations));
        let (begun, free) = (used_time(), self.free.get());
        let done = work();
        let lasted = used_time().saturating_sub(begun);
        let free = free.saturating_add(lasted);
        if free < self.limits.time.saturating_mul(MOST_FREE) {
            self.free.set(free);
        }
        let took = self.spent.get().saturating_sub(spent);
        self.allowed.set(allowed.saturating_add(took));
        done
    }

    /// Starts measuring; all calls until the next start share this many operations.
    pub fn start(&self, operations: u64) {
        self.started.set(used_time());
        self.memory.set(recent_memory());
        self.spent.set(0);
        self.looked.set((0, Instant::now()));
        self.glanced.set(0);
        self.allowed.set(operations);
        self.free.set(Duration::ZERO);
        self.stopped.replace(None);
    }

    /// Counts the work of a host function beyond its call, in items that it looked at. If that was
    /// too much, the run is stopped before its next operation.
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
        let elapsed = when.elapsed();
        if elapsed < LONG && (spent - looked < BETWEEN_LOOKS || elapsed < SHORT) {
            return None;
        }
        self.looked.set((spent, Instant::now()));
        let counted = used_time().saturating_sub(self.started.get());
        if counted.saturating_sub(self.free.get()) > self.limits.time {
            return Some(Excess::Time(self.limits.time.as_secs()));
        }
        let grown = used_memory().saturating_sub(self.memory.get());
        let most = self.limits.memory;
        (grown > most).then_some(Excess::Memory(most >> 20))
    }
}

/// How long the processor has worked for this thread, so that other load does not count against a
/// script.
#[cfg(unix)]
fn used_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Wall-clock time, where the system does not measure threads.
#[cfg(not(unix))]
fn used_time() -> Duration {
    use std::sync::LazyLock;
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// The deepest nesting of lists and maps in a value that a script hands to the host: recursive code
/// reads and writes what is kept.
pub(super) const DEEPEST: usize = 16;

/// Bytes of memory that the process uses; 0 if the system does not say.
pub fn used_memory() -> usize {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem)
}

/// Bytes of memory that the process used a moment ago: asking the system takes as long as the rest
/// of a short run.
fn recent_memory() -> usize {
    thread_local! {
        static LOOKED: Cell<Option<(Instant, usize)>> = const { Cell::new(None) };
    }
    LOOKED.with(|looked| match looked.get() {
        Some((when, memory)) if when.elapsed() < LONG => memory,
        _ => {
            let memory = used_memory();
            looked.set(Some((Instant::now(), memory)));
            memory
        }
    })
}

/// The reason given to Rhai when a run is stopped for using too much.
const EXCESS: &str = "too much";

/// How many strings the engine keeps one copy of. With fewer, it searches for one to throw away at
/// each new name in the scripts.
const SHARED_STRINGS: usize = 8192;

/// An engine that can parse rules, but has no host functions to run.
pub(super) fn parser(limits: &RunLimits) -> Engine {
    bounded(Engine::new_raw(), limits)
}

fn bounded(mut engine: Engine, limits: &RunLimits) -> Engine {
    engine
        // Scripts are compiled in each process: fast compilation is worth more than constant
        // folding.
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
    // The host's own functions with these names collect what scripts print.
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

/// Replaces a function of Rhai's packages that is useless here and could do harm.
fn forbid(engine: &mut Engine, name: &'static str) {
    let refuse = move || -> Result<(), Box<EvalAltResult>> {
        let message: ImmutableString = format!("`{name}` is not available to rules").into();
        Err(EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into())
    };
    engine.register_fn(name, move |_: i64| refuse());
}
