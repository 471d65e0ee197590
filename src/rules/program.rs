//! A game's rules, compiled: running phases, looking, checking orders.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, FuncArgs, Scope, Variant};

use super::{
    errors::RuleError,
    functions::{heard_fields, order_map},
    look,
    outcome::{Decisions, Judgement, Outcome, PhaseResult, Remark, Suspension, Wait},
    parsed_scripts::ParsedScripts,
    printout::{Listener, Printout},
    runaway,
    sandbox::{self, Excess, Meter, RunLimits},
    sources::{ScriptPlace, Sources},
    stage::{Run, ScriptResult, Stage},
    trace::Trace,
};
use crate::{
    dice::{Dice, LedgerLine},
    game::{Game, PhaseDecl, PhaseName, Seating},
    ids::SeatId,
    orders::Order,
    value::Value,
    world::World,
};

/// The script function that says what must never be so.
pub const INVARIANTS: &str = "invariants";

/// The rules of one game, ready to run. It belongs to one thread.
pub struct Program {
    pub(super) stage: Rc<Stage>,
    pub(super) meter: Rc<Meter>,
    pub(super) engine: Engine,
    pub(super) ast: AST,
    pub(super) sources: Sources,
    /// Where the rules go, if they are watched.
    trace: Option<Trace>,
}

/// The position a phase starts from.
pub struct Start<'a> {
    /// The phase: `name` or `name.argument`.
    pub phase: &'a str,
    /// The world at its start.
    pub world: &'a World,
    /// The campaign's options.
    pub options: &'a BTreeMap<String, String>,
    /// What players have decided.
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

    /// Like `compile`, with other limits than the usual ones.
    ///
    /// # Errors
    /// As for [`Program::compile`].
    pub fn compile_with(game: Arc<Game>, limits: RunLimits) -> Result<Self, RuleError> {
        let parsed = ParsedScripts::new(&game.scripts, &limits)?;
        Ok(Self::of_parsed(game, parsed, limits))
    }

    /// The rules of a game from its scripts, or others that are to be run with it.
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

    /// The same rules, and where they go when they are run. Watched rules are several times slower.
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

    /// The same rules for the same game, played by other seats: with the same limits, and watched
    /// if these are.
    ///
    /// # Errors
    /// As [`Game::seated`].
    pub fn seated(&self, seating: &Seating) -> Result<Self, String> {
        Ok(self.with_game(Game::clone(self.game()).seated(seating)?))
    }

    /// The same rules on the map and with the forces of a theatre of the game.
    #[must_use]
    pub fn in_theatre(&self, name: &str) -> Self {
        self.with_game(Game::clone(self.game()).in_theatre(name))
    }

    /// The same rules as a scenario is played; none if these are it already.
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
        let listener = self.stage.listener.borrow().clone();
        program.stage.listener.replace(listener);
        program
    }

    /// The game whose rules these are.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.stage.game
    }

    /// Returns true if the scripts have a function of that name with so many parameters.
    #[must_use]
    pub fn has_function(&self, name: &str, parameters: usize) -> bool {
        self.ast
            .iter_functions()
            .any(|function| function.name == name && function.params.len() == parameters)
    }

    /// From now on names that the game does not have are errors even where a campaign only finds
    /// nothing: in cases, simulations and checks, so that no campaign is the first to meet them.
    pub fn be_strict(&self) {
        self.stage.strict.set(true);
    }

    /// From now on what the scripts print is heard. Nothing that plays a campaign for people
    /// listens.
    pub fn listen(&self, printout: &Printout) {
        let listener = Listener::new(printout, &self.sources);
        self.stage.listener.replace(Some(listener));
    }

    /// The syntax tree of all scripts.
    pub(crate) fn ast(&self) -> &AST {
        &self.ast
    }

    /// All scripts as one text: what the places in the syntax tree count in.
    pub(crate) fn text(&self) -> &str {
        self.sources.text()
    }

    /// The file, line and column of a place in the syntax tree.
    pub(crate) fn place(&self, position: rhai::Position) -> ScriptPlace {
        self.sources.place(position)
    }

    /// The functions that scripts may call beside their own, each with the number of its
    /// parameters.
    pub(crate) fn native_functions(&self) -> Vec<(String, usize)> {
        self.registered(true)
    }

    /// Those of the host alone, without Rhai's own.
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
    /// What the script did wrong, and where. Nothing of the run is kept.
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
        // The host's own flag decides, whatever the script returned: Rhai can swallow the error
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
            phase: start.phase.to_owned(),
            options: Rc::new(start.options.clone()),
            decisions: start.decisions.clone(),
            rounds_used: 0,
            dice: None,
            events: Vec::new(),
            refused: Vec::new(),
            pending: None,
            kept: 0,
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
                // What the seat saw before the phase and was shown in it: no look at what others
                // have half done.
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

    /// The phase that a script named, or, where it named none, the only one that game.yaml lets
    /// follow. What game.yaml does not have, or does not let follow, is an error of the script.
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

    /// Turns an error into one with a place; a run that was stopped is run again to find out where
    /// it was.
    pub(super) fn explain(
        &self,
        error: &EvalAltResult,
        start: &Start<'_>,
        rolled: &[LedgerLine],
    ) -> RuleError {
        let mut found = self.plain_error(error);
        // What took too long is not run a second time.
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

    /// Like `explain`, where a function that is no phase was called: what can't be placed is where
    /// it begins.
    fn explain_in(&self, function: &str, error: &EvalAltResult) -> RuleError {
        let mut found = self.plain_error(error);
        found.function.get_or_insert_with(|| function.to_owned());
        if found.place == ScriptPlace::default() {
            found.place = self.sources.place(self.position_of(function));
        }
        found
    }

    /// An error with the place that Rhai tells, and the host's own words where the host stopped the
    /// run.
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

    /// Judges orders on a seat's view, in the order written: what they would cost and where they
    /// would stop as far as the seat can know. The view is changed by each in turn and thrown away.
    ///
    /// An order whose check fails, or for which the mail's allowance of operations is spent, is
    /// named as one that could not be judged: what a player writes never stops anything.
    ///
    /// # Errors
    /// Only if the machine does not keep up.
    pub fn check(
        &self,
        seat: &SeatId,
        start: &Start<'_>,
        orders: &[Order],
    ) -> Result<Judgement, RuleError> {
        let mut judgement = Judgement::default();
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.check_operations);
        for (index, order) in orders.iter().enumerate() {
            let verb = self.stage.game.decl.orders.verbs.get(&order.verb);
            let Some(function) = verb.and_then(|verb| verb.check.as_deref()) else {
                continue;
            };
            let mut judged = order_map(order, seat);
            let opener = order.block.and_then(|line| {
                let before = orders.iter().take(index).rev();
                before
                    .into_iter()
                    .find(|opener| opener.line == line && opener.block.is_none())
            });
            if let Some(opener) = opener {
                judged.insert("block".into(), order_map(opener, seat).into());
            }
            let judged = self
                .call::<rhai::Array>(function, (judged,))
                .map_err(|error| self.explain_in(function, &error))
                .and_then(|found| self.remarks(index, &found, function, seat));
            match judged {
                Ok(found) => judgement.remarks.extend(found),
                Err(error) if error.of_machine => {
                    self.stage.set(None);
                    return Err(error);
                }
                Err(error) => {
                    judgement.unjudged.insert(index, error);
                }
            }
        }
        self.stage.set(None);
        Ok(judgement)
    }

    /// What a check function returned, as remarks on an order.
    fn remarks(
        &self,
        order: usize,
        found: &rhai::Array,
        function: &str,
        seat: &SeatId,
    ) -> Result<Vec<Remark>, RuleError> {
        let remarks = found.iter().map(|item| self.remark(order, item, seat));
        remarks
            .collect::<Result<_, String>>()
            .map_err(|what| self.fault_of(function, &what))
    }

    fn remark(&self, order: usize, item: &Dynamic, seat: &SeatId) -> Result<Remark, String> {
        let map = item.read_lock::<rhai::Map>().ok_or_else(|| {
            let kind = item.type_name();
            format!("a remark is a map with its `key` and `level`, not {kind}")
        })?;
        let run = self.stage.run().map_err(|error| error.to_string())?;
        let mut args = heard_fields(&self.stage.game, &run, &map, Some(seat))
            .map_err(|kind| format!("a remark can't carry {kind}"))?;
        let key = args.remove("key");
        let key = key.and_then(|key| key.as_text().map(str::to_owned));
        let key = key.ok_or("a remark has no `key`, which names its text")?;
        let problem = match args.remove("level").as_ref().map(Value::as_text) {
            Some(Some("problem")) => true,
            None | Some(Some("note")) => false,
            Some(level) => {
                let level = level.unwrap_or("no text");
                return Err(format!(
                    "the level of the remark `{key}` is `problem` or `note`, not `{level}`"
                ));
            }
        };
        let texts = self.stage.game.text.values();
        let lacking = |text: &&Arc<crate::game::Text>| !text.remarks.contains_key(&key);
        if self.stage.strict.get() && texts.clone().any(|text| lacking(&text)) {
            return Err(format!("there is no text for the remark `{key}`"));
        }
        Ok(Remark {
            order,
            key,
            problem,
            args,
        })
    }

    /// What a function did wrong that came to light after its end: the place is where it begins.
    fn fault_of(&self, function: &str, what: &str) -> RuleError {
        RuleError {
            function: Some(function.to_owned()),
            place: self.sources.place(self.position_of(function)),
            ..RuleError::general(what)
        }
    }

    /// Where a function of the scripts begins.
    fn position_of(&self, function: &str) -> rhai::Position {
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
        let lines = lines.map_err(|error| self.explain(&error, start, &[]))?;
        Ok(lines.iter().filter_map(super::convert::text_of).collect())
    }

    /// What the rules find wrong with a world after the phase named in `start`: what the script's
    /// `invariants()` says, a sentence each. Nothing if there is no such function.
    ///
    /// # Errors
    /// If the function fails.
    pub fn invariants(&self, start: &Start<'_>) -> Result<Vec<String>, RuleError> {
        if !self.has_function(INVARIANTS, 0) {
            return Ok(Vec::new());
        }
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
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
    pub(super) fn call_on(&self, start: &Start<'_>, function: &str) -> Result<Value, RuleError> {
        self.stage
            .set(Some(self.new_run(start, start.world.clone())));
        self.meter.start(self.meter.limits.operations);
        let value = self.call::<Dynamic>(function, ());
        let run = self.stage.set(None);
        let value = value.map_err(|error| self.explain(&error, start, &[]))?;
        let value = super::convert::from_dynamic(&value, &mut |handle| {
            run.as_ref().map_or(Ok(Value::Null), |run| {
                run.piece(handle).map(|piece| piece.id.as_str().into())
            })
        });
        value.map_err(RuleError::general)
    }
}
