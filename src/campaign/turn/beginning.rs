//! The beginning of a campaign.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;

use crate::{
    campaign::model::{
        checkpoints::Checkpoints,
        concerns::HeldMails,
        context::Context,
        rate::Rates,
        register::RegisterEnd,
        state::{CurrentWait, DiceState, SeatState, State},
        work_error::WorkError,
    },
    dice::Form,
    digest::Digest,
    rules::{Decisions, Start},
    world::World,
};

/// The state before anything has happened: the scenario's position, as every seat sees it.
pub(crate) fn beginning(context: &Context, time: Timestamp) -> Result<State, WorkError> {
    let scenario = &context.settings.scenario;
    let world = World::set_up(&context.game, scenario)?;
    let phase = context
        .game
        .scenarios
        .get(scenario)
        .map(|found| found.first_phase.clone());
    let phase = phase.unwrap_or_default();
    let decisions = Decisions::default();
    let start = Start {
        phase: &phase,
        world: &world,
        options: &context.settings.options,
        decisions: &decisions,
    };
    let world = context.program.look(&start)?;
    let seats = context
        .settings
        .seats
        .ids()
        .map(|id| (id.clone(), SeatState::default()));
    Ok(State {
        world,
        phase,
        decisions: decisions.into(),
        waiting: CurrentWait::Nothing,
        seats: seats.collect(),
        contacts: BTreeMap::new(),
        dice: DiceState::default(),
        register: RegisterEnd::default(),
        mails: BTreeMap::new(),
        taken: BTreeSet::new(),
        refused: VecDeque::new(),
        held: HeldMails::default(),
        came_back: BTreeMap::new(),
        warned: BTreeMap::new(),
        rates: Rates::default(),
        time,
        sealed_now: false,
        shown: None,
        dispatch_at: None,
        checkpoints: Checkpoints::default(),
        rules: Digest::ZERO,
        form: Form::default(),
        lost: 0,
        at_once: None,
        press: Vec::new(),
        on_hold: false,
    })
}
