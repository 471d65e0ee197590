//! Checks for what must never happen, after every phase and in every letter.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use super::{CampaignFault, names::SecretNames, news::contradictions};
use crate::{
    campaign::model::{compiled_game::Onlooker, state::State},
    game::{Audience, Game},
    ids::{PieceId, SeatId},
    mail::Parts,
    rules::{Decisions, Program, Start, Suspension},
    value::{Fields, Value},
    world::{Piece, World},
};

/// The checks of one campaign.
pub(super) struct Checks {
    game: Arc<Game>,
    program: Rc<Program>,
    options: BTreeMap<String, String>,
    /// The position that the scenario sets up.
    original: World,
    /// The pieces of others that each seat has seen at some time, or named itself.
    met: RefCell<BTreeMap<SeatId, BTreeSet<PieceId>>>,
    faults: RefCell<Vec<CampaignFault>>,
    phases: Cell<usize>,
}

impl Checks {
    pub fn new(program: &Rc<Program>, options: &BTreeMap<String, String>, original: World) -> Self {
        Self {
            game: Arc::clone(program.game()),
            program: Rc::clone(program),
            options: options.clone(),
            original,
            met: RefCell::default(),
            faults: RefCell::default(),
            phases: Cell::new(0),
        }
    }

    /// The faults found so far.
    pub fn faults(&self) -> Vec<CampaignFault> {
        self.faults.borrow().clone()
    }

    pub fn is_sound(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// How many phases have been looked at.
    pub fn phases(&self) -> usize {
        self.phases.get()
    }

    /// Notes something that is wrong at a place in the campaign.
    pub fn fault(&self, state: Option<&State>, phase: &str, what: impl Into<String>) {
        let turn = state.map_or(0, |state| state.world.turn());
        self.faults.borrow_mut().push(CampaignFault {
            at: format!("turn {turn}, {phase}"),
            what: what.into(),
        });
    }

    /// A seat has named pieces itself: its receipts repeat what it wrote.
    pub fn named_by(&self, seat: &SeatId, pieces: BTreeSet<PieceId>) {
        self.met
            .borrow_mut()
            .entry(seat.clone())
            .or_default()
            .extend(pieces);
    }

    /// Notes whom the seats have seen by now.
    pub fn meets(&self, world: &World) {
        let public = world.pieces.values().filter(|piece| {
            let place = piece
                .at
                .as_deref()
                .and_then(|at| self.game.decl.boxes.get(at));
            place.is_some_and(|place| place.shown == Audience::Public)
        });
        let public: Vec<&PieceId> = public.map(|piece| &piece.id).collect();
        let mut met = self.met.borrow_mut();
        for seat in &self.game.decl.seats {
            let known = met.entry(seat.id.clone()).or_default();
            known.extend(public.iter().copied().cloned());
            if let Some(knowledge) = world.knowledge.get(&seat.id) {
                known.extend(knowledge.sightings.keys().cloned());
            }
            // A loan from an ally is the seat's own for that time.
            let own = world.pieces.values();
            let own = own.filter(|piece| piece.is_own(&self.game.decl, seat));
            known.extend(own.map(|piece| piece.id.clone()));
        }
    }

    /// Looks through a letter for pieces that its seat can't know.
    pub fn letter(
        &self,
        names: &SecretNames,
        seat: &SeatId,
        letter: &Parts,
        opening: bool,
        state: &State,
    ) {
        if state.world.ended.is_some() {
            // The last dispatch hides nothing.
            return;
        }
        let decl = self.game.decl.seat(seat);
        let mut mentioned = names.mentioned(&letter.subject);
        mentioned.append(&mut names.mentioned(&letter.text));
        if let Some(html) = &letter.html {
            mentioned.append(&mut names.mentioned_in_html(html));
        }
        let met = self.met.borrow();
        let known = |id: &PieceId| {
            let own = self
                .original
                .pieces
                .get(id)
                .is_some_and(|piece| decl.is_some_and(|seat| seat.plays(&piece.side)));
            own || names.in_words.contains(id)
                || (opening && names.in_opening.contains(id))
                || met.get(seat).is_some_and(|met| met.contains(id))
        };
        for id in mentioned.iter().filter(|id| !known(id)) {
            self.fault(
                Some(state),
                &state.phase,
                format!(
                    "the letter `{}` to {seat} mentions {id}, which {seat} has never seen",
                    letter.subject
                ),
            );
        }
    }
}

impl Onlooker for Checks {
    fn phase_over(&self, phase: &str, state: &State) {
        self.phases.set(self.phases.get() + 1);
        self.meets(&state.world);
        for what in faults_of(&self.game, &self.original, &state.world) {
            self.fault(Some(state), phase, what);
        }
        for (seat, entry) in &state.seats {
            let Some(knowledge) = state.world.knowledge.get(seat) else {
                continue;
            };
            for what in contradictions(&entry.heard, knowledge) {
                self.fault(Some(state), phase, format!("to {seat} {what}"));
            }
        }
        let decisions = Decisions::default();
        let start = Start {
            phase,
            world: &state.world,
            options: &self.options,
            decisions: &decisions,
        };
        match self.program.invariants(&start) {
            Ok(found) => found
                .into_iter()
                .for_each(|what| self.fault(Some(state), phase, what)),
            Err(error) => self.fault(Some(state), phase, format!("invariants(): {error}")),
        }
    }

    fn suspended(&self, _: &State, suspended: &Suspension) {
        let mut met = self.met.borrow_mut();
        for (seat, view) in &suspended.views {
            met.entry(seat.clone())
                .or_default()
                .extend(view.pieces.keys().cloned());
        }
    }
}

/// The faults of a world, whatever the game: a piece that is lost, doubled, changed into another or
/// at a place that does not exist; a value that nobody declared or of another type than declared.
pub(super) fn faults_of(game: &Game, original: &World, world: &World) -> Vec<String> {
    let mut found = Vec::new();
    if !world.pieces.keys().eq(original.pieces.keys()) {
        let lost = original
            .pieces
            .keys()
            .filter(|id| !world.pieces.contains_key(*id));
        let lost: Vec<&str> = lost.map(PieceId::as_str).collect();
        found.push(format!(
            "the pieces are not those of the scenario (lost: {})",
            lost.join(", ")
        ));
    }
    for (id, piece) in &world.pieces {
        if let Some(before) = original.pieces.get(id) {
            found.extend(piece_fault(game, before, id, piece));
        }
    }
    let mut values = |what: &str, state: &Fields, declared: &dyn Fn(&str) -> Option<Value>| {
        for (name, value) in state {
            if declared(name).is_none() {
                found.push(format!("{what}: nobody declared `{name}` = {value:?}"));
            }
        }
    };
    values("facts", &world.facts, &|name| {
        Some(game.decl.facts.get(name)?.default.clone())
    });
    for (space, state) in &*world.spaces {
        values(space, state, &|name| {
            Some(game.decl.space_attributes.get(name)?.default.clone())
        });
    }
    for (road, state) in &*world.roads {
        values(road, state, &|name| {
            Some(game.decl.road_attributes.get(name)?.default.clone())
        });
    }
    for seat in world.knowledge.keys() {
        if !game.decl.seats.iter().any(|known| known.id == *seat) {
            found.push(format!("{seat}, which is no seat, knows something"));
        }
    }
    found
}

fn piece_fault(game: &Game, before: &Piece, id: &PieceId, piece: &Piece) -> Option<String> {
    let same = piece.id == *id
        && (&piece.name, &piece.side, &piece.kind, &piece.formation)
            == (&before.name, &before.side, &before.kind, &before.formation);
    if !same {
        return Some(format!("{id} has become another piece"));
    }
    match piece.at.as_deref() {
        None if before.at.is_some() => return Some(format!("{id} is nowhere")),
        Some(at) if game.map.number(at).is_none() && !game.decl.boxes.contains_key(at) => {
            return Some(format!("{id} is at `{at}`, and there is no such place"));
        }
        _ => {}
    }
    if piece.ghost.is_some() {
        return Some(format!("{id} is a ghost in the true world"));
    }
    let wrong = piece.attributes.iter().find(|(name, value)| {
        let declared = game.decl.attributes.get(name.as_ref());
        !declared.is_some_and(|declared| {
            std::mem::discriminant(&declared.default) == std::mem::discriminant(*value)
        })
    });
    wrong.map(|(name, value)| format!("{id}: `{name}` is {value:?}"))
}
