//! The engine: from one state and one record to the next state and the mails that go out. It reads no clock and no disk,
//! so that doing it again gives the same bytes.

use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    sync::Arc,
};

use jiff::{SignedDuration, Timestamp};

pub use super::engine_error::EngineError;
use super::{
    Compiled, Digest, Letter, Record, Settings, Understood, Verdict,
    compiled::Watch,
    events::{Created, Done, Event, Written},
    secrets::{Eras, Secrets},
    sources::sources_of,
    state::{DiceState, SeatState, State, Waiting},
};
use crate::{
    dice::{self, Body, CampaignName, Chains, Form, Note, Opening, Register, Source},
    game::{Game, Lang},
    ids::SeatId,
    orders::{Grammar, Vocabularies, Vocabulary},
    rules::{Decisions, Program, Start},
    world::World,
};

/// What an input came to.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The letters and register entries are known already: only the state is wanted, and nothing is written again. The
    /// journal's [`Done`] record has the entries.
    pub recalled: bool,
    /// The digests of letters to seats that are on record, by Message-ID: of a recall.
    pub bound_on_record: BTreeMap<String, dice::Digest>,
    /// The digests of pictures that are on record and not drawn again, taken one after the other.
    pub pictures_on_record: VecDeque<dice::Digest>,
    /// The digests of the pictures that were made, in their order.
    pub pictures: Vec<dice::Digest>,
    /// The input was laid aside without being worked off.
    pub laid_aside: bool,
    /// What the checks decided, as it stands on record: taken from here in a recall, one after the other.
    pub on_record: VecDeque<Verdict>,
    /// What the checks decided of each text with orders that was taken.
    pub verdicts: Vec<Verdict>,
    /// What check functions of the rules did wrong over the words of a seat: the umpire hears of it.
    pub faults: Vec<(SeatId, String)>,
    /// The mails that go out, in order.
    pub letters: Vec<Letter>,
    /// New lines of the ledger.
    pub ledger: Vec<String>,
    /// New entries of the register.
    pub entries: Vec<String>,
    /// Orders that the seal bound, dispatches and the journal's head: the items of the dice protocol, by file name.
    pub items: Vec<(String, String)>,
    /// Receipts issued.
    pub receipts: Vec<String>,
    /// What a mail's words were understood as, for those who count.
    pub understood: Option<Understood>,
}

impl Effects {
    /// Notes what check functions did wrong over the words of a seat, each fault once.
    pub(super) fn failed_checks(&mut self, seat: &SeatId, faults: &[String]) {
        for fault in faults {
            let fault = (seat.clone(), fault.clone());
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }
}

/// Everything about a campaign that never changes.
pub struct Engine {
    pub(super) game: Arc<Game>,
    pub(super) program: Rc<Program>,
    pub(super) grammar: Rc<Grammar>,
    vocabularies: Rc<Vocabularies>,
    pub(super) settings: Settings,
    pub(super) eras: Eras,
    pub(super) name: CampaignName,
    pub(super) sources: Vec<Source>,
    pub(super) watch: Option<Rc<dyn Watch>>,
    /// The server whose `Authentication-Results` count where the settings name none: the host's. Only a mail that comes in
    /// is judged by it; what it was judged to be stands in the journal.
    pub(super) results_of: Option<String>,
}

/// How long after its end a campaign's secrets stay shut, so that all receipts are on the table before (dice.md,
/// section 8).
pub const DISCLOSURE: SignedDuration = SignedDuration::from_hours(14 * 24);

impl Engine {
    /// An engine for a campaign.
    ///
    /// # Errors
    /// If rules or order language don't compile, or the names don't suit the dice.
    pub fn new(
        game: Arc<Game>,
        settings: Settings,
        secrets: impl Into<Secrets>,
    ) -> Result<Self, EngineError> {
        let compiled = Compiled::new(game, &settings.options)?;
        Self::with(&compiled, settings, secrets)
    }

    /// The same from what is compiled already, for the same game and options.
    ///
    /// # Errors
    /// If the names don't suit the dice.
    pub fn with(
        compiled: &Compiled,
        settings: Settings,
        secrets: impl Into<Secrets>,
    ) -> Result<Self, EngineError> {
        let sources = sources_of(&settings)?;
        let name: CampaignName = settings.campaign.as_str().parse()?;
        let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
        let eras = Eras::new(secrets.into(), &name, &seats)?;
        Ok(Self {
            game: Arc::clone(compiled.program.game()),
            program: Rc::clone(&compiled.program),
            grammar: Rc::clone(&compiled.grammar),
            vocabularies: Rc::clone(&compiled.vocabularies),
            settings,
            eras,
            name,
            sources,
            watch: None,
            results_of: None,
        })
    }

    /// The same engine with somebody who looks on.
    #[must_use]
    pub fn watched(self, watch: Rc<dyn Watch>) -> Self {
        Self {
            watch: Some(watch),
            ..self
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The compiled rules.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The compiled order language.
    #[must_use]
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The names that the viewer of a view knows.
    #[must_use]
    pub fn vocabulary(&self, view: &World, lang: Lang) -> Vocabulary {
        self.vocabularies.of_view(view, lang)
    }

    /// The campaign's name as the dice have it.
    #[must_use]
    pub fn name(&self) -> &CampaignName {
        &self.name
    }

    /// The key of a lane, for an audit by its holder.
    #[must_use]
    pub fn key(&self, lane: &crate::dice::Lane, envelope: u32) -> Option<crate::dice::Key> {
        self.chains(envelope).key(lane, envelope).ok().cloned()
    }

    /// The first record of this campaign's journal.
    ///
    /// # Errors
    /// If a lane has no chain.
    pub fn created(&self, rules: Digest) -> Result<Created, EngineError> {
        Ok(Created {
            settings: self.settings.clone(),
            rules,
            anchors: self.anchors(0)?,
            form: Form::Letters,
            version: Some(crate::VERSION.to_owned()),
        })
    }

    /// The state before anything has happened: the scenario's position, as every seat sees it.
    fn beginning(&self, time: Timestamp) -> Result<State, EngineError> {
        let scenario = &self.settings.scenario;
        let world = World::set_up(&self.game, scenario)?;
        let phase = self
            .game
            .scenarios
            .get(scenario)
            .map(|found| found.first_phase.clone());
        let phase = phase.unwrap_or_default();
        let decisions = Decisions::default();
        let start = Start {
            phase: &phase,
            world: &world,
            options: &self.settings.options,
            decisions: &decisions,
        };
        let world = self.program.look(&start)?;
        let seats = self
            .settings
            .seats
            .ids()
            .map(|id| (id.clone(), SeatState::default()));
        Ok(State {
            world,
            phase,
            decisions,
            waiting: Waiting::Nothing,
            seats: seats.collect(),
            contacts: BTreeMap::new(),
            dice: DiceState::default(),
            last_entry: String::new(),
            foot: String::new(),
            mails: BTreeMap::new(),
            taken: std::collections::BTreeSet::new(),
            refused: std::collections::VecDeque::new(),
            held: std::collections::VecDeque::new(),
            came_back: BTreeMap::new(),
            warned: BTreeMap::new(),
            rates: BTreeMap::new(),
            time,
            sealed_now: false,
            shown: None,
            dispatch_at: None,
            checkpoints: super::Checkpoints::default(),
            rules: Digest::ZERO,
            form: Form::default(),
            lost: 0,
            on_hold: false,
            openings: Vec::new(),
        })
    }

    /// Applies an input. [`Event::Done`] is no input and changes nothing.
    ///
    /// # Errors
    /// See [`EngineError`]. Neither state nor disk has changed then.
    pub fn apply(
        &self,
        state: Option<State>,
        record: &Record<Event>,
    ) -> Result<(State, Effects), EngineError> {
        self.work(state, record, Effects::default())
    }

    /// What comes in from outside must never leave a campaign that can't be opened any more: what goes wrong while an input
    /// is worked off stops the campaign for the umpire, with the state as it was before. Only a machine that does not keep
    /// up is an error, since another time it may.
    pub(super) fn work(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        effects: Effects,
    ) -> Result<(State, Effects), EngineError> {
        let before = state.clone();
        let recalled = effects.recalled;
        match (self.attempt(state, record, effects), before) {
            (Err(error), Some(before)) if error.stops_the_campaign() => {
                self.stopped_before(before, record, &error.to_string(), recalled)
            }
            (result, _) => result,
        }
    }

    fn attempt(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        mut effects: Effects,
    ) -> Result<(State, Effects), EngineError> {
        let head = record.head.to_string();
        let mut state = match (state, &record.event) {
            (None, Event::Created(created)) => {
                let mut state = self.beginning(record.time)?;
                self.open(&mut state, created, &mut effects)?;
                self.run_on(&mut state, &head, &mut effects)?;
                return Ok((state, effects));
            }
            (Some(state), _) => state,
            (None, _) => {
                return Err(EngineError::Order {
                    n: record.n,
                    why: "a journal begins with `created`",
                });
            }
        };
        self.may_follow(&state, record)?;
        state.time = record.time;
        state.sealed_now = false;
        if let Some((file, _)) = record.event.mail() {
            // What was held has been released, or is held anew.
            state.held.retain(|held| held.file != file);
        }
        match &record.event {
            Event::Created(_) => {
                let (n, why) = (record.n, "a campaign is made once");
                return Err(EngineError::Order { n, why });
            }
            Event::Mail(mail) => self.take(&mut state, mail, &head, &mut effects)?,
            Event::Refused(refused) => self.refuse(&mut state, refused, &mut effects)?,
            Event::Bounced(bounced) => self.bounced(&mut state, bounced, &mut effects)?,
            Event::Address(given) => {
                self.exchange(&mut state, given, &head, &mut effects)?;
            }
            Event::Value(value) => self.bring(&mut state, value, &head, &mut effects)?,
            Event::Deadline => self.deadline(&mut state, &head, &mut effects)?,
            Event::Umpire(ruling) => self.rule(&mut state, ruling, &head, &mut effects)?,
            Event::Done(_) => {}
        }
        self.letter_on_faults(&mut state, &mut effects)?;
        Ok((state, effects))
    }

    /// Whether a record's time lets it follow a state.
    pub(super) fn may_follow(
        &self,
        state: &State,
        record: &Record<Event>,
    ) -> Result<(), EngineError> {
        let order = |why| Err(EngineError::Order { n: record.n, why });
        if state.next_moment(record.time) != record.time {
            return order("it is older than the record before it, or no second after a seal");
        }
        if matches!(record.event, Event::Deadline) && !self.is_due(state, record.time) {
            return order("no deadline had passed at its time");
        }
        Ok(())
    }

    /// The record that closes an input.
    #[must_use]
    pub fn done(&self, state: &State, effects: &Effects) -> Done {
        let written = effects.letters.iter().map(|letter| Written {
            to: letter.to.clone(),
            message_id: letter.message_id.clone(),
            digest: letter.digest(),
            bound: letter.bound,
        });
        Done {
            world: state.world.hash(),
            phase: state.phase.clone(),
            envelope: state.dice.envelope,
            ledger: effects.ledger.clone(),
            entries: effects.entries.clone(),
            foot: state.foot.clone(),
            mails: written.collect(),
            pictures: effects.pictures.clone(),
            verdicts: effects.verdicts.clone(),
            stopped: state.stopped().cloned(),
            laid_aside: effects.laid_aside,
        }
    }

    /// The register as far as the next entry needs it: its last entry.
    pub(super) fn register(&self, state: &State) -> Register {
        Register::read(&self.name, &state.last_entry).0
    }

    /// Adds an entry to the register.
    pub(super) fn enter(
        &self,
        state: &mut State,
        body: Body,
        effects: &mut Effects,
    ) -> Result<String, EngineError> {
        let mut register = self.register(state);
        let text = register.append(body)?.to_string();
        state.last_entry.clone_from(&text);
        effects.entries.push(text.clone());
        Ok(text)
    }

    /// Everything in the register has gone out, or goes out now.
    pub(super) fn show_register(&self, state: &mut State) {
        state.foot = self.register(state).foot();
    }

    fn open(
        &self,
        state: &mut State,
        created: &Created,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        (state.rules, state.form) = (created.rules, created.form);
        let opening = self.opening(state, 0)?;
        let opening = self.enter(state, Body::Open(opening), effects)?;
        state.openings.push(opening);
        if let Some(seed) = &self.settings.seed {
            let text = format!("the master comes from the seed {seed}: these dice are not secret");
            let note = self.enter(state, Body::Note(Note::new(&text)?), effects)?;
            state.openings.push(note);
        }
        self.show_register(state);
        self.opening_letters(state, effects)
    }

    /// The opening of an era, counted from 0.
    pub(super) fn opening(&self, state: &State, era: usize) -> Result<Opening, EngineError> {
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        let anchors = self.eras.get(era).map(|chains| chains.anchors(&seats));
        Ok(Opening {
            rules: state.rules.to_string().parse()?,
            form: state.form,
            seats,
            chain: Chains::DEFAULT_LENGTH,
            anchors: anchors.transpose()?.unwrap_or_default(),
            sources: self.sources.clone(),
        })
    }

    /// The campaign's title in dispatches.
    pub(super) fn title(&self, lang: Lang) -> String {
        if self.settings.title.is_empty() {
            self.game.decl.title.get(&lang).cloned().unwrap_or_default()
        } else {
            self.settings.title.clone()
        }
    }
}
