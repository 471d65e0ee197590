//! The engine: from one state and one record to the next state and the mails that go out. It reads no clock and no disk,
//! so that doing it again gives the same bytes.

use std::{collections::BTreeMap, rc::Rc, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use super::{
    Compiled, Digest, Recipient, Record, Settings, Understood,
    compiled::Watch,
    events::{Created, Done, Event, Written},
    sources::sources_of,
    state::{DiceState, SeatState, State, Waiting},
};
use crate::{
    dice::{Body, CampaignName, Chains, DiceError, Master, Opening, Register, Source},
    game::{Game, Lang},
    ids::SeatId,
    mail::WriteError,
    orders::{Grammar, GrammarError},
    rules::{Decisions, Program, RuleError, Start},
    world::{SetupError, World},
};

/// Why the engine can't go on. Errors of rule scripts are not among them: they stop a phase and are told to the umpire.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The order language does not compile.
    #[error(transparent)]
    Grammar(#[from] GrammarError),
    /// A rule script does not compile, or failed outside of a phase.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// The settings name the beacon, and this build can't check its signatures.
    #[error(
        "campaign.yaml: `dice`: this build can't check the signatures of drand; use one with the feature `drand`"
    )]
    Beacon,
    /// The journal has a value of beacon or witness that can't be right.
    #[error("`{value}` is not what the dice waited for; it was refused")]
    Value {
        /// The value.
        value: String,
    },
    /// The scenario can't be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The dice refuse.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A mail can't be written.
    #[error("a mail to {to} can't be written: {source}")]
    Mail {
        /// To whom.
        to: String,
        /// Why.
        source: WriteError,
    },
    /// The map's picture can't be drawn.
    #[error("the map can't be drawn: {0}")]
    Picture(String),
    /// The journal is not in an order that the engine can follow.
    #[error("the journal's record {n} can't follow: {why}")]
    Order {
        /// The record.
        n: u64,
        /// Why.
        why: &'static str,
    },
}

impl EngineError {
    /// Whether the error comes from rules, words or data, so that the umpire has to look.
    fn stops_the_campaign(&self) -> bool {
        match self {
            Self::Rules(error) => !error.of_machine,
            Self::Dice(_) | Self::Mail { .. } | Self::Picture(_) | Self::Value { .. } => true,
            Self::Grammar(_) | Self::Beacon | Self::Setup(_) | Self::Order { .. } => false,
        }
    }

    /// Whether the machine did not keep up: trying again later is right.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        matches!(self, Self::Rules(error) if error.of_machine)
    }
}

/// A mail that goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// To whom.
    pub to: Recipient,
    /// Its Message-ID, the same whenever it is made.
    pub message_id: String,
    /// The mail.
    pub bytes: Vec<u8>,
}

/// What an input came to.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// The letters and register entries are known already: only the state is wanted, and nothing is written again. The
    /// journal's [`Done`] record has the entries.
    pub recalled: bool,
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

/// Everything about a campaign that never changes.
pub struct Engine {
    pub(super) game: Arc<Game>,
    pub(super) program: Rc<Program>,
    pub(super) grammar: Rc<Grammar>,
    pub(super) settings: Settings,
    pub(super) chains: Arc<Chains>,
    pub(super) master: Master,
    pub(super) name: CampaignName,
    pub(super) sources: Vec<Source>,
    pub(super) token_key: [u8; 32],
    pub(super) watch: Option<Rc<dyn Watch>>,
}

/// How long after its end a campaign's secrets stay shut, so that all receipts are on the table before (dice.md,
/// section 8).
pub const DISCLOSURE: SignedDuration = SignedDuration::from_hours(14 * 24);

impl Engine {
    /// An engine for a campaign.
    ///
    /// # Errors
    /// If rules or order language don't compile, or the names don't suit the dice.
    pub fn new(game: Arc<Game>, settings: Settings, master: Master) -> Result<Self, EngineError> {
        let compiled = Compiled::new(game, &settings.options)?;
        Self::with(&compiled, settings, master)
    }

    /// The same from what is compiled already, for the same game and options.
    ///
    /// # Errors
    /// If the names don't suit the dice.
    pub fn with(
        compiled: &Compiled,
        settings: Settings,
        master: Master,
    ) -> Result<Self, EngineError> {
        let sources = sources_of(&settings)?;
        let name: CampaignName = settings.campaign.as_str().parse()?;
        let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
        let chains = Chains::new(
            name.clone(),
            master.clone(),
            Chains::DEFAULT_LENGTH,
            &seats,
            &[],
        )?;
        let token_key = master.derived(&format!("estafette|token|{name}"));
        let chains = Arc::new(chains);
        Ok(Self {
            game: Arc::clone(compiled.program.game()),
            program: Rc::clone(&compiled.program),
            grammar: Rc::clone(&compiled.grammar),
            settings,
            chains,
            master,
            name,
            sources,
            token_key,
            watch: None,
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

    /// The campaign's name as the dice have it.
    #[must_use]
    pub fn name(&self) -> &CampaignName {
        &self.name
    }

    /// The key of a lane, for an audit by its holder.
    #[must_use]
    pub fn key(&self, lane: &crate::dice::Lane, envelope: u32) -> Option<crate::dice::Key> {
        self.chains.key(lane, envelope).ok().cloned()
    }

    /// The first record of this campaign's journal.
    ///
    /// # Errors
    /// If a lane has no chain.
    pub fn created(&self, rules: Digest) -> Result<Created, EngineError> {
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        let anchors = self.chains.anchors(&seats)?;
        let anchors = anchors
            .iter()
            .map(|(lane, anchor)| (lane.to_string(), anchor.to_string()));
        Ok(Created {
            settings: self.settings.clone(),
            rules,
            anchors: anchors.collect(),
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
            dice: DiceState::default(),
            last_entry: String::new(),
            foot: String::new(),
            mails: BTreeMap::new(),
            taken: std::collections::BTreeSet::new(),
            refused: std::collections::VecDeque::new(),
            warned: BTreeMap::new(),
            rates: BTreeMap::new(),
            last_file: String::new(),
            time,
            sealed_now: false,
            shown: None,
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

    /// Applies an input whose outcome is on record: the same state, without writing its letters again. An audit trusts no
    /// record and does all the work with [`Engine::apply`].
    ///
    /// # Errors
    /// See [`EngineError`].
    pub fn recall(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        done: &Done,
    ) -> Result<State, EngineError> {
        let effects = Effects {
            recalled: true,
            ..Effects::default()
        };
        let (mut state, _) = self.work(state, record, effects)?;
        if let Some(last) = done.entries.last() {
            state.last_entry.clone_from(last);
        }
        state.foot.clone_from(&done.foot);
        Ok(state)
    }

    /// What comes in from outside must never leave a campaign that can't be opened any more: what goes wrong while an input
    /// is worked off stops the campaign for the umpire, with the state as it was before. Only a machine that does not keep
    /// up is an error, since another time it may.
    fn work(
        &self,
        state: Option<State>,
        record: &Record<Event>,
        effects: Effects,
    ) -> Result<(State, Effects), EngineError> {
        let before = state.clone();
        let recalled = effects.recalled;
        match (self.attempt(state, record, effects), before) {
            (Err(error), Some(mut before)) if error.stops_the_campaign() => {
                before.time = record.time;
                before.sealed_now = false;
                let mut effects = Effects {
                    recalled,
                    ..Effects::default()
                };
                self.stop(&mut before, &error.to_string(), &mut effects)?;
                Ok((before, effects))
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
        state.time = record.time;
        state.sealed_now = false;
        match &record.event {
            Event::Created(_) => {
                return Err(EngineError::Order {
                    n: record.n,
                    why: "a campaign is made once",
                });
            }
            Event::Mail(mail) => self.take(&mut state, mail, &head, &mut effects)?,
            Event::Refused(refused) => self.refuse(&mut state, refused, &mut effects)?,
            Event::Value(value) => self.bring(&mut state, value, &head, &mut effects)?,
            Event::Deadline => self.deadline(&mut state, &head, &mut effects)?,
            Event::Done(_) => {}
        }
        Ok((state, effects))
    }

    /// The record that closes an input.
    #[must_use]
    pub fn done(&self, state: &State, effects: &Effects) -> Done {
        let written = effects.letters.iter().map(|letter| Written {
            to: letter.to.clone(),
            message_id: letter.message_id.clone(),
            digest: Digest::of(&letter.bytes),
        });
        Done {
            world: state.world.hash(),
            phase: state.phase.clone(),
            envelope: state.dice.envelope,
            ledger: effects.ledger.clone(),
            entries: effects.entries.clone(),
            foot: state.foot.clone(),
            mails: written.collect(),
            stopped: match &state.waiting {
                Waiting::Repair { error } => Some(error.clone()),
                _ => None,
            },
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
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        let opening = Opening {
            rules: created.rules.to_string().parse()?,
            seats: seats.clone(),
            chain: self.chains.length(),
            anchors: self.chains.anchors(&seats)?,
            sources: self.sources.clone(),
        };
        let entry = self.enter(state, Body::Open(opening), effects)?;
        self.show_register(state);
        self.opening_letters(state, &entry, effects)
    }

    /// The language of a seat.
    #[must_use]
    pub fn lang(&self, seat: &SeatId) -> Lang {
        self.settings
            .seats
            .get(seat)
            .map_or(Lang::En, |seat| seat.lang)
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
