//! A game's rules, compiled: running phases, looking, checking orders.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, FuncArgs, Scope, Variant};

use super::{
    errors::RuleError,
    look,
    outcome::{Decisions, Outcome, PhaseResult, Suspension, Wait},
    parsed_scripts::ParsedScripts,
    printout::{Listener, Printout},
    runaway,
    sandbox::{self, Excess, Meter, RunLimits},
    sources::{ScriptPlace, Sources},
    stage::{Licence, Run, ScriptResult, Stage},
    trace::Trace,
};
use crate::{
    dice::{Dice, LedgerLine},
    game::{Game, PhaseDecl, PhaseName, Seating},
    ids::SeatId,
    world::World,
};

/// The script function that reports violated invariants.
pub const INVARIANTS: &str = "invariants";

/// The rules of one game, ready to run. It belongs to one thread.
pub struct Program {
    pub(super) stage: Rc<Stage>,
    pub(super) meter: Rc<Meter>,
    pub(super) engine: Engine,
    pub(super) ast: AST,
    pub(super) sources: Sources,
    /// Records what the rules execute, if they are traced.
    pub(super) trace: Option<Trace>,
}

/// The position a phase starts from.
pub struct Start<'a> {
    /// The phase: `name` or `name.argument`.
    pub phase: &'a str,
    /// The world at its start.
    pub world: &'a World,
    /// The campaign's options.
    pub options: &'a BTreeMap<String, String>,
    /// The players' decisions.
    pub decisions: &'a Decisions,
}

impl Program {
    /// Compiles all scripts of a game.
    ///
    /// # Errors
    /// The first script error, with its file, line and column.
    pub fn compile(game: Arc<Game>) -> Result<Self, RuleError> {
        Self::compile_with(game, RunLimits::default())
    }

    /// Like `compile`, with other limits than the defaults.
    ///
    /// # Errors
    /// As for [`Program::compile`].
    pub fn compile_with(game: Arc<Game>, limits: RunLimits) -> Result<Self, RuleError> {
        let parsed = ParsedScripts::new(&game.scripts, &limits)?;
        Ok(Self::of_parsed(game, parsed, limits))
    }

    /// The rules of a game from its parsed scripts, or from others to be run with it.
    #[must_use]
    pub fn of_parsed(game: Arc<Game>, parsed: ParsedScripts, limits: RunLimits) -> Self {
        let meter = Meter::new(limits);
        let stage = Stage::new(game, &meter);
        Self {
            engine: sandbox::engine(&stage, &meter),
            stage,
            meter,
            ast: parsed.ast,
            sources: parsed.sources,
            trace: None,
        }
    }

    /// The rules with a trace of what they execute. Traced rules are several times slower.
    #[must_use]
    pub fn traced(game: Arc<Game>, parsed: ParsedScripts, limits: RunLimits) -> (Self, Trace) {
        let trace = Trace::new(parsed.sources.clone());
        let program = Self::of_parsed(game, parsed, limits).watched(trace.clone());
        (program, trace)
    }

    fn watched(mut self, trace: Trace) -> Self {
        trace.watch(&mut self.engine);
        self.trace = Some(trace);
        self
    }

    /// The rules for the game with other seats: with the same limits, and traced if these are.
    ///
    /// # Errors
    /// As [`Game::seated`].
    pub fn seated(&self, seating: &Seating) -> Result<Self, String> {
        Ok(self.with_game(Game::clone(self.game()).seated(seating)?))
    }

    /// The rules on the map and with the forces of a theatre of the game.
    #[must_use]
    pub fn in_theatre(&self, name: &str) -> Self {
        self.with_game(Game::clone(self.game()).in_theatre(name))
    }

    /// The rules as a scenario is played, or none if these already are.
    #[must_use]
    pub fn staged(&self, scenario: &str) -> Option<Self> {
        let game = self.game();
        let other = !game.is_staged(scenario);
        other.then(|| self.with_game(Game::clone(game).staged(scenario)))
    }

    fn with_game(&self, game: Game) -> Self {
        let parsed = ParsedScripts {
            ast: self.ast.clone(),
            sources: self.sources.clone(),
        };
        let limits = self.meter.limits.clone();
        let program = Self::of_parsed(Arc::new(game), parsed, limits);
        let program = match &self.trace {
            Some(trace) => program.watched(trace.clone()),
            None => program,
        };
        program.stage.strict.set(self.stage.strict.get());
        program.stage.recheck.set(self.stage.recheck.get());
        let listener = self.stage.listener.borrow().clone();
        program.stage.listener.replace(listener);
        program
    }

    /// The game whose rules these are.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.stage.game
    }

    /// Returns true if the scripts have a function with this name and number of parameters.
    #[must_use]
    pub fn has_function(&self, name: &str, parameters: usize) -> bool {
        self.ast
            .iter_functions()
            .any(|function| function.name == name && function.params.len() == parameters)
    }

    /// From now on, names that the game does not have are errors even where a campaign would just
    /// find nothing. Cases, simulations and checks use this, so that no campaign is the first to
    /// meet such a name.
    pub fn be_strict(&self) {
        self.stage.strict.set(true);
    }

    /// From now on, works out anew what scripts remember whenever they use it: a mark that does not
    /// say all that its value depends on is an error. For authors who try cases and simulations,
    /// which take longer with it; mutants of rules may run away, and do without.
    pub fn recheck(&self) {
        self.stage.recheck.set(true);
    }

    /// From now on, collects what the scripts print. Nothing that plays a campaign for people
    /// listens.
    pub fn listen(&self, printout: &Printout) {
        let listener = Listener::new(printout, &self.sources);
        self.stage.listener.replace(Some(listener));
    }

    /// The syntax tree of all scripts.
    pub(crate) fn ast(&self) -> &AST {
        &self.ast
    }

    /// All scripts as one text, which positions in the syntax tree refer to.
    pub(crate) fn text(&self) -> &str {
        self.sources.text()
    }

    /// The file, line and column of a place in the syntax tree.
    pub(crate) fn place(&self, position: rhai::Position) -> ScriptPlace {
        self.sources.place(position)
    }

    /// The functions that scripts may call besides their own, each with its number of parameters.
    pub(crate) fn native_functions(&self) -> Vec<(String, usize)> {
        self.registered(true)
    }

    /// The host's own functions, without those of Rhai.
    #[cfg(test)]
    pub(crate) fn host_functions(&self) -> Vec<(String, usize)> {
        self.registered(false)
    }

    fn registered(&self, all: bool) -> Vec<(String, usize)> {
        let metadata = self.engine.gen_fn_metadata_to_json(all).unwrap_or_default();
        let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap_or_default();
        let functions = metadata["functions"].as_array().into_iter().flatten();
        functions
            .filter_map(|function| {
                let name = function["name"].as_str()?.to_owned();
                let parameters = function["numParams"].as_u64()?;
                Some((name, usize::try_from(parameters).ok()?))
            })
            .collect()
    }

    /// Runs a phase from its start: to its end, or to the first thing that it must wait for. The
    /// world that it starts from is not touched. The dice come back with all rolls that were made.
    ///
    /// # Errors
    /// The script's error, and its place. Nothing of the run is kept.
    pub fn run(
        &self,
        start: &Start<'_>,
        dice: Box<dyn Dice>,
    ) -> (Result<Outcome, RuleError>, Box<dyn Dice>) {
        let declared = self.game().decl.phase(PhaseName::new(start.phase).id);
        let mut run = self.new_run(start, start.world.clone());
        run.world.phase_begins(self.game(), start.phase);
        run.dice = Some(dice);
        let decisions = start.decisions;
        let anew = decisions.orders.is_empty() && decisions.rounds.is_empty();
        self.stage.phase_is_heard(anew);
        self.stage.set(Some(run));
        self.meter.start(self.meter.limits.operations);
        let ran = self.call_phase(start.phase).and_then(|next| {
            if self.stage.suspended.get() {
                return Ok(next);
            }
            if declared.is_some_and(|phase| phase.ends_turn) {
                self.stage.run()?.world.turn_ends(self.game());
            }
            look::everyone(&self.stage, |function, seat| {
                self.call::<Dynamic>(function, (seat.to_owned(),))
                    .map(|_| ())
            })
            .map(|()| next)
        });
        // The host's own flag decides, whatever the script returned: Rhai may swallow the error
        // that suspends it.
        let mut run = self
            .stage
            .set(None)
            .unwrap_or_else(|| self.new_run(start, World::default()));
        self.stage.phase_was_heard(run.pending.is_some());
        let dice = run
            .dice
            .take()
            .unwrap_or_else(|| Box::new(crate::dice::ScriptedDice::new(Vec::new())));
        let outcome = match (run.pending.take(), ran) {
            (Some(wait), _) => Ok(self.suspended(run, wait)),
            (None, Ok(next)) => self.resolved(run, next, start),
            (None, Err(error)) => Err(self.explain(&error, start, dice.made())),
        };
        (outcome, dice)
    }

    pub(super) fn new_run(&self, start: &Start<'_>, world: World) -> Run {
        Run {
            number: self.stage.next_number(),
            turn: start.world.turn(),
            world,
            board: None,
            phase: start.phase.to_owned(),
            options: Rc::new(start.options.clone()),
            decisions: start.decisions.clone(),
            rounds_used: 0,
            dice: None,
            licence: Licence::World,
            events: Vec::new(),
            refused: Vec::new(),
            pending: None,
            kept: 0,
            in_common: BTreeMap::new(),
            remembered: BTreeMap::new(),
        }
    }

    fn call_phase(&self, phase: &str) -> ScriptResult<Dynamic> {
        match phase.split_once('.') {
            Some((name, argument)) => self.call(name, (argument.to_owned(),)),
            None => self.call(phase, ()),
        }
    }

    pub(super) fn call<T: Variant + Clone>(
        &self,
        function: &str,
        arguments: impl FuncArgs,
    ) -> Result<T, Box<EvalAltResult>> {
        let options = CallFnOptions::new().eval_ast(false);
        self.engine
            .call_fn_with_options(options, &mut Scope::new(), &self.ast, function, arguments)
    }

    fn suspended(&self, run: Run, wait: Wait) -> Outcome {
        let mut views = BTreeMap::new();
        if let Wait::Questions { questions } = &wait {
            for question in questions {
                // The seat's view before the phase, with what it was shown since; others' half-done
                // moves stay hidden.
                let view = run.world.seen_by(&self.stage.game, &question.seat);
                views.insert(question.seat.clone(), view);
            }
        }
        Outcome::Waiting(Box::new(Suspension {
            wait,
            events: run.events,
            views,
        }))
    }

    fn resolved(&self, run: Run, next: Dynamic, start: &Start<'_>) -> Result<Outcome, RuleError> {
        if run.rounds_used < run.decisions.rounds.len() {
            return Err(RuleError::general(format!(
                "the phase {} did not ask a question that has been answered: the rules or the data have changed, or \
                 the script is not deterministic",
                start.phase
            )));
        }
        let next = if run.world.ended.is_some() {
            None
        } else {
            Some(self.next_phase(&next, start.phase)?)
        };
        Ok(Outcome::Done(Box::new(PhaseResult {
            world: run.world,
            next,
            events: run.events,
            refused: run.refused,
            standing: run.decisions.standing,
        })))
    }

    /// The phase that a script named, or if it named none, the only one that game.yaml allows next.
    /// A phase that game.yaml does not have, or does not allow next, is an error of the script.
    fn next_phase(&self, named: &Dynamic, phase: &str) -> Result<String, RuleError> {
        let here = PhaseName::new(phase);
        let wrong = |what: String| self.fault_of(here.id, &format!("the phase `{phase}` {what}"));
        let phases = &self.game().decl.phases;
        let position = phases.iter().position(|known| known.id == here.id);
        let declared = position.and_then(|position| phases.get(position));
        let then = declared.filter(|phase| phase.then.is_some());
        if named.is_unit() {
            let next = match (then, position) {
                (Some(phase), _) => phase.only_follower(here.argument),
                (None, Some(position)) => {
                    let next = phases.get((position + 1) % phases.len());
                    next.map(|next| next.id.clone())
                }
                (None, None) => None,
            };
            let may_follow = then.map_or_else(|| "none".to_owned(), PhaseDecl::followers);
            return next.ok_or_else(|| {
                wrong(format!(
                    "names no next phase, and has not ended the campaign; there may follow: {may_follow}"
                ))
            });
        }
        let name = super::convert::text_of(named)
            .ok_or_else(|| wrong(format!("names no phase, but {}", named.type_name())))?;
        self.game().check_phase(&name).map_err(|(what, hint)| {
            let hint = hint.map_or_else(String::new, |hint| format!(", {hint}"));
            wrong(format!("names `{name}` as the next one: {what}{hint}"))
        })?;
        match then {
            Some(phase) if !phase.may_be_followed(here.argument, PhaseName::new(&name)) => {
                let may_follow = phase.followers();
                Err(wrong(format!(
                    "names `{name}` as the next one, which game.yaml does not let follow it; there may follow: {may_follow}"
                )))
            }
            _ => Ok(name),
        }
    }

    /// Adds the place to an error; a run that was stopped is repeated to find out where it was.
    pub(super) fn explain(
        &self,
        error: &EvalAltResult,
        start: &Start<'_>,
        rolled: &[LedgerLine],
    ) -> RuleError {
        let mut found = self.plain_error(error);
        // A run that took too long is not repeated.
        let too_long = matches!(*self.meter.stopped.borrow(), Some(Excess::Time(_)));
        if runaway::is_one(error) && !too_long {
            runaway::locate(self, start, rolled, &mut found);
        }
        if found.function.is_none() {
            let name = start.phase.split('.').next();
            found.function = name.filter(|name| !name.is_empty()).map(str::to_owned);
        }
        found
    }

    /// Like `explain`, for a function that is not a phase: an error without a place gets the
    /// function's beginning.
    pub(super) fn explain_in(&self, function: &str, error: &EvalAltResult) -> RuleError {
        let mut found = self.plain_error(error);
        found.function.get_or_insert_with(|| function.to_owned());
        if found.place == ScriptPlace::default() {
            found.place = self.sources.place(self.position_of(function));
        }
        found
    }

    /// An error with the place that Rhai reports, and in the host's own words if the host stopped
    /// the run.
    fn plain_error(&self, error: &EvalAltResult) -> RuleError {
        let stopped = *self.meter.stopped.borrow();
        let mut found = RuleError::eval(error, &self.sources);
        match stopped {
            Some(Excess::Operations(most)) => {
                found.message = format!("the script took more than {most} operations");
            }
            Some(Excess::Time(seconds)) => {
                found.message =
                    format!("the script ran for more than {seconds} seconds on this machine");
                found.of_machine = true;
            }
            Some(Excess::Memory(megabytes)) => {
                found.message =
                    format!("the script used more than {megabytes} MiB of memory on this machine");
                found.of_machine = true;
            }
            None => {}
        }
        found
    }

    /// An error of a function that was found after its end: its place is where the function begins.
    pub(super) fn fault_of(&self, function: &str, what: &str) -> RuleError {
        RuleError {
            function: Some(function.to_owned()),
            place: self.sources.place(self.position_of(function)),
            ..RuleError::general(what)
        }
    }

    /// Where a function of the scripts begins.
    pub(super) fn position_of(&self, function: &str) -> rhai::Position {
        let mut functions = self.ast.iter_fn_def();
        let found = functions.find(|known| known.name == function);
        found.map_or(rhai::Position::NONE, |found| found.body.start_position())
    }

    /// The lines that a verb's template function proposes on a seat's view.
    ///
    /// # Errors
    /// If the function fails.
    pub fn template(
        &self,
        seat: &SeatId,
        start: &Start<'_>,
        function: &str,
    ) -> Result<Vec<String>, RuleError> {
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.operations);
        let lines = self.call::<rhai::Array>(function, (seat.to_string(),));
        self.stage.set(None);
        let lines = lines.map_err(|error| self.explain_in(function, &error))?;
        Ok(lines.iter().filter_map(super::convert::text_of).collect())
    }

    /// The sentences of the script's `invariants()` about a world after the phase named in `start`:
    /// faults that the rules find in it. Empty if there is no such function.
    ///
    /// # Errors
    /// If the function fails.
    pub fn invariants(&self, start: &Start<'_>) -> Result<Vec<String>, RuleError> {
        if !self.has_function(INVARIANTS, 0) {
            return Ok(Vec::new());
        }
        let run = Run {
            licence: Licence::Nothing,
            ..self.new_run(start, start.world.clone())
        };
        self.stage.set(Some(run));
        self.meter.start(self.meter.limits.operations);
        let found = self.call::<rhai::Array>(INVARIANTS, ());
        self.stage.set(None);
        let found = found.map_err(|error| self.explain(&error, start, &[]))?;
        Ok(found.iter().filter_map(super::convert::text_of).collect())
    }

    /// Lets every seat look at a world as it stands: for the start of a campaign.
    ///
    /// # Errors
    /// If the look fails.
    pub fn look(&self, start: &Start<'_>) -> Result<World, RuleError> {
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.operations);
        let looked = look::everyone(&self.stage, |function, seat| {
            self.call::<Dynamic>(function, (seat.to_owned(),))
                .map(|_| ())
        });
        let run = self.stage.set(None);
        looked.map_err(|error| self.explain(&error, start, &[]))?;
        Ok(run.map(|run| run.world).unwrap_or_default())
    }

    /// Calls any script function without arguments on a world, for tests of the host.
    #[cfg(test)]
    pub(super) fn call_on(
        &self,
        start: &Start<'_>,
        function: &str,
    ) -> Result<crate::value::Value, RuleError> {
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.operations);
        let value = self.call::<Dynamic>(function, ());
        let run = self.stage.set(None);
        let value = value.map_err(|error| self.explain(&error, start, &[]))?;
        let value = super::convert::from_dynamic(&value, &mut |handle| {
            run.as_ref().map_or(Ok(crate::value::Value::Null), |run| {
                run.piece(handle).map(|piece| piece.id.as_str().into())
            })
        });
        value.map_err(RuleError::general)
    }
}
