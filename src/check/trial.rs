//! A quiet campaign of each scenario: nobody gives an order, every question goes unanswered, dice
//! fall at random. Anything that goes wrong in it would go wrong for players.

use std::collections::{BTreeMap, BTreeSet};

use super::of_script;
use crate::{
    dice::{Dice, DiceError, Key, Label, Lane, LedgerLine, RandomWords as Random, Spec, throw},
    dispatch::Words,
    game::{Game, Lang, Problem},
    ids::SeatId,
    orders::{self, Expect, Grammar, Order, Vocabulary, read_alone},
    rules::{
        Decisions, GameEvent, Judgement, Outcome, PhaseResult, Program, Question, QuestionRound,
        RuleError, ScriptPlace, Start, Wait,
    },
    world::World,
};

/// The most phases of a scenario that are played.
const MOST_PHASES: usize = 60;
/// The most waits of one phase: a script with more asks without end.
const MOST_WAITS: usize = 60;

/// Problems of a campaign in which nobody says anything.
pub(super) fn play(program: &Program) -> Vec<Problem> {
    let game = program.game();
    program.be_strict();
    let mut found = TrialFindings {
        game,
        problems: Vec::new(),
        told: BTreeSet::new(),
        errors: BTreeSet::new(),
        words: game
            .languages()
            .map(|lang| Words::new(game, lang))
            .collect(),
    };
    let here = |scenario: &&String| game.is_staged(scenario);
    for scenario in game.scenarios.keys().filter(here) {
        for options in [BTreeMap::new(), game.switched_on()] {
            if let Some(mut trial) = TrialCampaign::begin(program, &options, scenario, &mut found) {
                trial.play(&mut found);
            }
        }
    }
    found.problems
}

/// The findings, each once.
struct TrialFindings<'a> {
    game: &'a Game,
    problems: Vec<Problem>,
    told: BTreeSet<(Lang, String, Vec<String>)>,
    errors: BTreeSet<(String, usize, usize, String)>,
    words: Vec<Words>,
}

impl TrialFindings<'_> {
    fn add(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn error(&mut self, error: &RuleError, doing: &str) {
        let ScriptPlace {
            script,
            line,
            column,
        } = error.place.clone();
        // The same error returns in other scenarios and phases.
        let place = (script, line, column, error.message.clone());
        if !self.errors.insert(place) {
            return;
        }
        let problem = of_script(error);
        let message = format!("{} ({doing})", problem.message);
        self.add(Problem { message, ..problem });
    }

    /// Checks whether events can be printed for those who hear them.
    fn events(&mut self, events: &[GameEvent]) {
        for event in events {
            for args in event.heard.seats().filter_map(|seat| event.heard.get(seat)) {
                let keys: Vec<String> = args.keys().cloned().collect();
                for number in 0..self.words.len() {
                    let Some(words) = self.words.get(number) else {
                        continue;
                    };
                    let lang = words.lang();
                    // The same arguments print the same again.
                    if !self.told.insert((lang, event.key.clone(), keys.clone())) {
                        continue;
                    }
                    if let Err(error) = words.event(&event.key, args) {
                        let file = format!("games/{}/text/{}.yaml", self.game.decl.id, lang.code());
                        let message = format!(
                            "told in the phase `{}`, it can't be printed: {}",
                            event.phase, error.reason
                        );
                        self.add(Problem::new(
                            &file,
                            format!("events.{}", event.key),
                            message,
                        ));
                    }
                }
            }
        }
    }

    /// Checks whether questions can be printed.
    fn questions(&mut self, questions: &[Question]) {
        for question in questions {
            for number in 0..self.words.len() {
                let Some(words) = self.words.get(number) else {
                    continue;
                };
                let lang = words.lang();
                if let Err(error) = words.question(&question.topic, &question.about) {
                    let file = format!("games/{}/text/{}.yaml", self.game.decl.id, lang.code());
                    let message = format!("the question can't be printed: {}", error.reason);
                    self.add(Problem::new(
                        &file,
                        format!("topics.{}.question", question.topic),
                        message,
                    ));
                }
            }
        }
    }
}

/// A campaign under way.
struct TrialCampaign<'a> {
    program: &'a Program,
    options: BTreeMap<String, String>,
    grammar: Grammar,
    scenario: &'a str,
    world: World,
    phase: String,
    decisions: Decisions,
    /// The seats that have been judged in each phase: the examples are the same each turn.
    judged: BTreeSet<(SeatId, String)>,
}

impl<'a> TrialCampaign<'a> {
    fn begin(
        program: &'a Program,
        options: &BTreeMap<String, String>,
        scenario: &'a str,
        found: &mut TrialFindings<'_>,
    ) -> Option<Self> {
        let game = program.game();
        let grammar = Grammar::new(&game.decl, options).ok()?;
        let world = World::set_up(game, scenario).ok()?;
        let mut trial = Self {
            program,
            options: options.clone(),
            grammar,
            scenario,
            world,
            phase: game.scenarios.get(scenario)?.first_phase.clone(),
            decisions: Decisions::default(),
            judged: BTreeSet::new(),
        };
        match program.look(&trial.start()) {
            Ok(looked) => trial.world = looked,
            Err(error) => {
                found.error(&error, &trial.doing());
                return None;
            }
        }
        let topics: BTreeSet<String> = game.decl.orders.topics.keys().cloned().collect();
        for seat in &game.decl.seats {
            trial.decisions.asks.insert(seat.id.clone(), topics.clone());
            trial
                .decisions
                .questions_left
                .insert(seat.id.clone(), u32::MAX);
        }
        Some(trial)
    }

    fn start(&self) -> Start<'_> {
        Start {
            phase: &self.phase,
            world: &self.world,
            options: &self.options,
            decisions: &self.decisions,
        }
    }

    fn doing(&self) -> String {
        let options = if self.options.is_empty() {
            ""
        } else {
            " with all options"
        };
        format!(
            "scenario {}{options}, turn {}, phase {}",
            self.scenario,
            self.world.turn(),
            self.phase
        )
    }

    fn play(&mut self, found: &mut TrialFindings<'_>) {
        for _ in 0..MOST_PHASES {
            let Some(resolved) = self.run_phase(found) else {
                return;
            };
            found.events(&resolved.events);
            self.world = resolved.world;
            self.decisions.standing = resolved.standing;
            self.decisions.orders.clear();
            self.decisions.rounds.clear();
            match resolved.next {
                Some(next) => self.phase = next,
                None => return,
            }
        }
    }

    /// Runs a phase to its end; nothing if it fails.
    fn run_phase(&mut self, found: &mut TrialFindings<'_>) -> Option<PhaseResult> {
        for _ in 0..MOST_WAITS {
            let (outcome, _) = self
                .program
                .run(&self.start(), Box::new(Chance::new(&self.phase)));
            match outcome {
                Ok(Outcome::Done(resolved)) => return Some(*resolved),
                Ok(Outcome::Waiting(suspended)) => match suspended.wait {
                    Wait::Orders {
                        seats,
                        invited,
                        phase,
                    } => {
                        for seat in seats.into_iter().chain(invited) {
                            self.propose(&seat, &phase, found);
                            if self.judged.insert((seat.clone(), phase.clone())) {
                                self.judge(&seat, &phase, found);
                            }
                            self.decisions.orders.insert(seat, [].into());
                        }
                    }
                    Wait::Questions { questions } => {
                        found.questions(&questions);
                        let answers = vec![None; questions.len()];
                        self.decisions
                            .rounds
                            .push(QuestionRound { questions, answers });
                    }
                },
                Err(error) if error.of_machine => return None,
                Err(error) => {
                    found.error(&error, &self.doing());
                    return None;
                }
            }
        }
        None
    }

    /// Asks the template functions for the orders of a phase, as a letter to the seat does.
    fn propose(&self, seat: &SeatId, phase: &str, found: &mut TrialFindings<'_>) {
        let game = self.program.game();
        let view = self.world.seen_by(game, seat);
        let phases = [phase.to_owned()];
        let start = Start {
            phase,
            world: &view,
            decisions: &Decisions::default(),
            ..self.start()
        };
        for function in orders::template_functions(&self.grammar, &game.decl, &phases) {
            if let Err(error) = self.program.template(seat, &start, function)
                && !error.of_machine
            {
                let doing = format!("proposing orders of {seat}, {}", self.doing());
                found.error(&error, &doing);
            }
        }
    }

    /// Judges the examples of the words as orders of a seat, if they can be given now, so that the
    /// check functions run.
    fn judge(&self, seat: &SeatId, phase: &str, found: &mut TrialFindings<'_>) {
        let game = self.program.game();
        let view = self.world.seen_by(game, seat);
        let Some((lang, text)) = game.text.iter().next() else {
            return;
        };
        let vocabulary = Vocabulary::of_view(game, &view, *lang);
        let expect = Expect {
            phases: &[phase],
            questions: &[],
            lang: *lang,
        };
        let examples = text.verbs.values().flat_map(|verb| &verb.examples);
        let orders: Vec<_> = examples
            .flat_map(|example| {
                read_alone(&self.grammar, &vocabulary, &expect, example)
                    .orders()
                    .cloned()
                    .collect::<Vec<_>>()
            })
            .collect();
        let start = Start {
            phase,
            world: &view,
            ..self.start()
        };
        // One by one: each is an example of its own.
        for order in &orders {
            for lines in self.in_blocks(order, &orders) {
                if let Ok(judged) = self.program.check(seat, &start, &lines) {
                    self.say_judged(seat, order, &judged, found);
                }
            }
        }
    }

    /// An order as it may be given: by itself, or below one that opens a block for it.
    fn in_blocks(&self, order: &Order, examples: &[Order]) -> Vec<Vec<Order>> {
        let verbs = &self.program.game().decl.orders.verbs;
        let within = verbs.get(&order.verb).map_or(&[][..], |verb| &verb.within);
        if within.is_empty() {
            return vec![vec![order.clone()]];
        }
        let opens = |opener: &&Order| {
            let kind = verbs.get(&opener.verb).and_then(|verb| verb.opens.as_ref());
            kind.is_some_and(|kind| within.contains(kind))
        };
        let mut seen = BTreeSet::new();
        let openers = examples.iter().filter(opens);
        openers
            .filter(|opener| seen.insert(opener.verb.clone()))
            .map(|opener| {
                let (mut opener, mut order) = (opener.clone(), order.clone());
                (opener.line, opener.block) = (1, None);
                (order.line, order.block) = (2, Some(1));
                vec![opener, order]
            })
            .collect()
    }

    /// Adds the result of judging an example: it was judged, and its remarks can be printed.
    fn say_judged(
        &self,
        seat: &SeatId,
        order: &Order,
        judged: &Judgement,
        found: &mut TrialFindings<'_>,
    ) {
        for error in judged.unjudged.values() {
            let doing = format!("judging `{}` of {seat}, {}", order.text, self.doing());
            found.error(error, &doing);
        }
        for remark in &judged.remarks {
            for number in 0..found.words.len() {
                let Some(words) = found.words.get(number) else {
                    continue;
                };
                let lang = words.lang();
                if let Err(error) = words.remark(&remark.key, &remark.args) {
                    let id = &self.program.game().decl.id;
                    let file = format!("games/{id}/text/{}.yaml", lang.code());
                    let message = format!(
                        "judging `{}`, it can't be printed: {}",
                        order.text, error.reason
                    );
                    let path = format!("remarks.{}", remark.key);
                    found.add(Problem::new(&file, path, message));
                }
            }
        }
    }
}

/// Dice that fall at random, but the same in each run.
struct Chance {
    random: Random,
    made: Vec<LedgerLine>,
}

impl Chance {
    /// The dice of a phase.
    fn new(phase: &str) -> Self {
        let digest = crate::dice::hash(&format!("estafette|check|{phase}"));
        Self {
            random: Random::new(&Key::new(*digest.bytes())),
            made: Vec::new(),
        }
    }
}

impl Dice for Chance {
    fn roll(&mut self, lane: &Lane, label: &Label, spec: &Spec) -> Result<Vec<u32>, DiceError> {
        let result = throw(spec, &mut self.random);
        self.made.push(LedgerLine {
            envelope: 1,
            lane: lane.clone(),
            label: label.clone(),
            k: 1,
            spec: *spec,
            result: result.clone(),
        });
        Ok(result)
    }

    fn made(&self) -> &[LedgerLine] {
        &self.made
    }
}
