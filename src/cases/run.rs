//! Playing a case: phases, orders, answers, dice.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    case::{Answer, Case, Orders},
    position::{self, CaseError, wrong},
};
use crate::{
    campaign::{
        model::understanding::{GivenAnswer, Understanding},
        words::understand::ReadingContext,
    },
    dice::ScriptedDice,
    game::Lang,
    ids::SeatId,
    orders::{Grammar, NOT_AN_OPTION, QuestionForm, Vocabularies},
    rules::{
        Decisions, GameEvent, OrderRefusal, Outcome, Program, Question, QuestionRound, Start, Wait,
    },
    value::Fields,
    world::World,
};

/// The outcome of a case.
pub struct CaseOutcome {
    /// The world at the end.
    pub world: World,
    /// The phase after the last that was run.
    pub next: Option<String>,
    /// All events, in order.
    pub events: Vec<GameEvent>,
    /// The seats whose orders were waited for.
    pub waits: Vec<SeatId>,
    /// All questions that were asked.
    pub questions: Vec<Question>,
    /// Orders that were refused, when they were read, checked or carried out.
    pub refused: Vec<OrderRefusal>,
    /// The meaning of each seat's words when they were read, with the view that they were read on.
    pub read: Vec<(SeatId, Understanding, World)>,
    /// The labels of all rolls.
    pub rolls: Vec<String>,
    /// Numbers of the dice list that no roll has taken.
    pub dice_left: Vec<u32>,
}

/// The most phases that a case may run before it reaches `until`.
const MAX_PHASES: usize = 200;

struct CasePlayer<'a> {
    program: &'a Program,
    grammar: &'a Grammar,
    vocabularies: Vocabularies,
    case: &'a Case,
    options: BTreeMap<String, String>,
    decisions: Decisions,
    answers: Vec<Answer>,
    dice: Vec<u32>,
    /// The phase of an order that runs at once, in place of what is played.
    at_once: Option<String>,
    played: CaseOutcome,
}

/// Plays a case.
///
/// # Errors
/// If the case can't be played as written, or a script fails.
pub fn play(program: &Program, grammar: &Grammar, case: &Case) -> Result<CaseOutcome, CaseError> {
    let game = program.game();
    program.be_strict();
    let options = case.settings();
    if let Some(name) = options
        .keys()
        .find(|name| !game.decl.options.contains_key(*name))
    {
        return wrong(format!("options: the game has no option `{name}`"));
    }
    let world = position::set_up(game, case)?;
    let mut player = CasePlayer {
        program,
        grammar,
        vocabularies: Vocabularies::new(Arc::clone(program.game())),
        case,
        options,
        decisions: Decisions::default(),
        answers: case.answers.clone(),
        dice: case.dice.clone(),
        at_once: None,
        played: CaseOutcome {
            world,
            next: None,
            events: Vec::new(),
            waits: Vec::new(),
            questions: Vec::new(),
            refused: Vec::new(),
            read: Vec::new(),
            rolls: Vec::new(),
            dice_left: Vec::new(),
        },
    };
    player.look()?;
    player.stand()?;
    player.play_on()?;
    if let Some(answer) = player.answers.first() {
        return wrong(format!(
            "answers: nobody asked {} about {} (answer `{}`)",
            answer.seat, answer.topic, answer.answer
        ));
    }
    player.played.dice_left = player.dice;
    Ok(player.played)
}

impl CasePlayer<'_> {
    /// Every seat looks at the position before anything happens, as it would have after the phase
    /// before.
    fn look(&mut self) -> Result<(), CaseError> {
        let start = Start {
            phase: &self.case.given.phase,
            world: &self.played.world,
            options: &self.options,
            decisions: &self.decisions,
        };
        let old = self.played.world.knowledge.clone();
        let mut looked = self
            .program
            .look(&start)
            .map_err(|error| CaseError(error.to_string()))?;
        // A look forgets nothing: old sightings that the case gives stay.
        for (seat, knowledge) in old {
            let now = looked.knowledge_mut(&seat);
            for (piece, sighting) in &knowledge.sightings {
                let sightings = now.sightings.entry(piece.clone());
                sightings.or_insert_with(|| sighting.clone());
            }
        }
        self.played.world = looked;
        Ok(())
    }

    fn stand(&mut self) -> Result<(), CaseError> {
        for (seat, text) in &self.case.standing {
            let understood = self.understand(seat, text, &[], &[])?;
            if let Some(diagnostic) = understood.reading.wrong().next() {
                return wrong(format!(
                    "standing.{seat}: `{}`: {}",
                    diagnostic.text, diagnostic.reason
                ));
            }
            let seat = SeatId::from(seat.as_str());
            self.end_at_once(&seat, &understood);
            understood.decide(self.program.game(), &seat, &mut self.decisions);
        }
        Ok(())
    }

    fn understand(
        &self,
        seat: &str,
        text: &str,
        phases: &[&str],
        questions: &[QuestionForm],
    ) -> Result<Understanding, CaseError> {
        let game = self.program.game();
        if !game.decl.seats.iter().any(|known| known.id == *seat) {
            return wrong(format!("there is no seat `{seat}`"));
        }
        let seat = SeatId::from(seat);
        let view = self.played.world.seen_by(game, &seat);
        let lang = game.language(Lang::En);
        let setting = ReadingContext {
            seat: &seat,
            lang,
            view: &view,
            vocabulary: &self.vocabularies.of_view(&view, lang),
            phases,
            questions,
            options: &self.options,
        };
        let understood = setting
            .understand(self.program, self.grammar, text)
            .map_err(|error| CaseError(error.to_string()))?;
        match understood.faults.first() {
            Some(fault) => wrong(format!("a check of orders of {seat} failed: {fault}")),
            None => Ok(understood),
        }
    }

    fn play_on(&mut self) -> Result<(), CaseError> {
        let mut phase = self.case.given.phase.clone();
        for _ in 0..MAX_PHASES {
            self.decisions.orders.clear();
            if self.at_once.is_none() {
                self.run_phase(&phase)?;
            }
            if let Some(phase) = self.at_once.take() {
                return self.run_phase(&phase);
            }
            let Some(next) = self.played.next.clone() else {
                return Ok(());
            };
            match &self.case.until {
                None => return Ok(()),
                Some(until) if *until == next || Some(until.as_str()) == next.split('.').next() => {
                    return Ok(());
                }
                Some(_) => phase = next,
            }
        }
        wrong(format!(
            "`until: {}` was not reached in {MAX_PHASES} phases",
            self.case.until.clone().unwrap_or_default()
        ))
    }

    fn run_phase(&mut self, phase: &str) -> Result<(), CaseError> {
        self.decisions.rounds.clear();
        let left = self.case.given.questions_left.unwrap_or(u32::MAX);
        for seat in &self.program.game().decl.seats {
            self.decisions.questions_left.insert(seat.id.clone(), left);
        }
        loop {
            let start = Start {
                phase,
                world: &self.played.world,
                options: &self.options,
                decisions: &self.decisions,
            };
            let dice = Box::new(ScriptedDice::new(self.dice.iter().copied()));
            let (outcome, dice) = self.program.run(&start, dice);
            match outcome.map_err(|error| CaseError(format!("phase {phase}: {error}")))? {
                Outcome::Done(resolved) => {
                    let used: usize = dice.made().iter().map(|line| line.result.len()).sum();
                    self.dice.drain(..used);
                    let labels = dice.made().iter().map(|line| line.label.to_string());
                    self.played.rolls.extend(labels);
                    self.played.world = resolved.world;
                    self.played.next = resolved.next;
                    self.decisions.standing = resolved.standing;
                    self.played.events.extend(resolved.events);
                    self.played.refused.extend(resolved.refused);
                    return Ok(());
                }
                Outcome::Waiting(suspended) => self.provide(phase, suspended.wait)?,
            }
            if self.at_once.is_some() {
                return Ok(());
            }
        }
    }

    fn provide(&mut self, phase: &str, wait: Wait) -> Result<(), CaseError> {
        match wait {
            Wait::Orders {
                seats,
                invited,
                phase: wanted,
            } => {
                self.played.waits.extend(seats.iter().cloned());
                for seat in seats.into_iter().chain(invited) {
                    self.give_orders(&seat, phase, &wanted)?;
                }
            }
            Wait::Questions { questions } => {
                let answers = questions
                    .iter()
                    .map(|asked| self.answer(asked))
                    .collect::<Result<_, _>>()?;
                self.played.questions.extend(questions.clone());
                self.decisions
                    .rounds
                    .push(QuestionRound { questions, answers });
            }
        }
        Ok(())
    }

    fn give_orders(&mut self, seat: &SeatId, phase: &str, wanted: &str) -> Result<(), CaseError> {
        let text = match &self.case.orders {
            Orders::BySeat(texts) => texts.get(seat.as_str()),
            Orders::ByPhase(list) => list
                .iter()
                .find(|given| {
                    given.seat == seat.as_str() && (given.phase == phase || given.phase == wanted)
                })
                .map(|given| &given.text),
        };
        // A seat that is named without any orders has sent nothing.
        if text.is_some_and(|text| text.trim().is_empty()) {
            self.decisions.silent.insert(seat.clone());
        }
        let text = text.cloned().unwrap_or_default();
        let understood = self.understand(seat, &text, &[wanted], &[])?;
        for diagnostic in understood.reading.wrong() {
            self.refuse(seat, &diagnostic.text, &diagnostic.reason);
        }
        let orders: Vec<_> = understood.reading.orders().cloned().collect();
        for remark in understood.remarks.iter().filter(|remark| remark.problem) {
            let order = orders
                .get(remark.order)
                .map(|order| order.text.clone())
                .unwrap_or_default();
            self.refuse(seat, &order, &remark.key);
        }
        self.end_at_once(seat, &understood);
        understood.decide(self.program.game(), seat, &mut self.decisions);
        let given = self.decisions.latest.get(seat).cloned().unwrap_or_default();
        self.decisions.orders.insert(seat.clone(), given);
        let view = self.played.world.seen_by(self.program.game(), seat);
        self.played.read.push((seat.clone(), understood, view));
        Ok(())
    }

    /// Notes the phase that an order among these runs at once.
    fn end_at_once(&mut self, seat: &SeatId, understood: &Understanding) {
        let phase = understood.at_once(self.program.game(), seat);
        self.at_once = self.at_once.take().or(phase);
    }

    fn refuse(&mut self, seat: &SeatId, order: &str, reason: &str) {
        self.played.refused.push(OrderRefusal {
            seat: seat.clone(),
            order: order.to_owned(),
            reason: reason.to_owned(),
        });
    }

    fn answer(&mut self, asked: &Question) -> Result<Option<Fields>, CaseError> {
        let given = self
            .answers
            .iter()
            .position(|answer| asked.seat == *answer.seat.as_str() && asked.topic == answer.topic);
        let Some(given) = given else { return Ok(None) };
        let answer = self.answers.remove(given);
        let form = QuestionForm::new(1, &asked.topic)
            .about(&asked.about)
            .with_options(&self.program.game().decl, &asked.options);
        let lines: Vec<_> = answer
            .answer
            .lines()
            .map(|line| format!("1: {line}"))
            .collect();
        let understood = self.understand(&asked.seat, &lines.join("\n"), &[], &[form])?;
        for diagnostic in understood.reading.wrong() {
            // The player is told so, and has not answered.
            if diagnostic.reason == NOT_AN_OPTION {
                self.refuse(&asked.seat, &answer.answer, &diagnostic.reason);
                continue;
            }
            return wrong(format!(
                "answers: `{}`: {}",
                answer.answer, diagnostic.reason
            ));
        }
        for remark in understood.answer_remarks.iter().filter(|it| it.problem) {
            self.refuse(&asked.seat, &answer.answer, &remark.key);
        }
        let answers = understood.answers(self.program.game());
        let view = self.played.world.seen_by(self.program.game(), &asked.seat);
        self.played
            .read
            .push((asked.seat.clone(), understood, view));
        Ok(answers.into_values().next().map(GivenAnswer::into_fields))
    }
}
