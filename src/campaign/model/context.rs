//! The parts of a campaign that never change: its game, rules and order language, its settings,
//! keys and names.
//!
//! A context has accessors and no behaviour. Anything that needs the state is a function of the
//! room that does the work.

use std::{rc::Rc, sync::Arc};

use jiff::Timestamp;

use crate::{
    campaign::model::{
        compiled_game::{CompiledGame, Onlooker},
        events::Creation,
        secrets::{EraKeys, Eras, Secrets},
        settings::{Settings, Witness},
        sources::sources_of,
        work_error::WorkError,
    },
    dice::{Beacon, CampaignName, Chains, DiceError, Form, Key, Lane, Mix, Source},
    digest::Digest,
    dispatch::{Wordings, Words},
    game::{self, Game, Lang},
    ids::SeatId,
    mail::{Mailbox, NamedAddress},
    orders::{Grammar, Vocabularies, Vocabulary},
    rules::Program,
    world::World,
};

/// Everything about a campaign that never changes.
pub struct Context {
    pub(crate) game: Arc<Game>,
    pub(crate) program: Rc<Program>,
    pub(crate) grammar: Rc<Grammar>,
    vocabularies: Rc<Vocabularies>,
    wordings: Rc<Wordings>,
    pub(crate) settings: Settings,
    pub(crate) eras: Eras,
    pub(crate) name: CampaignName,
    pub(crate) sources: Vec<Source>,
    pub(crate) watch: Option<Rc<dyn Onlooker>>,
    /// The server whose `Authentication-Results` count where the settings name none: the host's. It
    /// matters only when a mail is judged; the journal keeps the judgement.
    pub(crate) results_of: Option<String>,
    /// The mix that a preview throws its dice with, in which no value is waited for.
    pub(crate) mix: Option<Mix>,
}

impl Context {
    /// The context of a campaign.
    ///
    /// # Errors
    /// If rules or order language don't compile, or the names don't suit the dice.
    pub fn new(
        game: Arc<Game>,
        settings: Settings,
        secrets: impl Into<Secrets>,
    ) -> Result<Self, WorkError> {
        let game = if game.is_staged(&settings.scenario) {
            game
        } else {
            Arc::new(Game::clone(&game).staged(&settings.scenario))
        };
        let compiled = CompiledGame::new(game, &settings.options)?;
        Self::with(&compiled, settings, secrets)
    }

    /// Makes a context, like `new`, from a game that is already compiled for the same options.
    ///
    /// # Errors
    /// If the names don't suit the dice.
    pub fn with(
        compiled: &CompiledGame,
        settings: Settings,
        secrets: impl Into<Secrets>,
    ) -> Result<Self, WorkError> {
        let sources = sources_of(&settings)?;
        let name: CampaignName = settings.campaign.as_str().parse()?;
        let seats: Vec<SeatId> = settings.seats.ids().cloned().collect();
        let eras = Eras::new(secrets.into(), &name, &seats)?;
        Ok(Self {
            game: Arc::clone(compiled.program.game()),
            program: Rc::clone(&compiled.program),
            grammar: Rc::clone(&compiled.grammar),
            vocabularies: Rc::clone(&compiled.vocabularies),
            wordings: Rc::clone(&compiled.wordings),
            settings,
            eras,
            name,
            sources,
            watch: None,
            results_of: None,
            mix: None,
        })
    }

    /// The context with an onlooker to watch it.
    #[must_use]
    pub fn watched(self, watch: Rc<dyn Onlooker>) -> Self {
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

    /// The words of letters in a language.
    #[must_use]
    pub fn words(&self, lang: Lang) -> &Words {
        self.wordings.of(lang)
    }

    /// The campaign's name, in the form that the dice use.
    #[must_use]
    pub fn name(&self) -> &CampaignName {
        &self.name
    }

    /// The key of a lane, for an audit by its holder.
    #[must_use]
    pub fn key(&self, lane: &Lane, envelope: u32) -> Option<Key> {
        self.chains(envelope).key(lane, envelope).ok().cloned()
    }

    /// The first record of this campaign's journal.
    ///
    /// # Errors
    /// If a lane has no chain.
    pub fn created(&self, rules: Digest) -> Result<Creation, WorkError> {
        Ok(Creation {
            settings: self.settings.clone(),
            rules,
            anchors: self.anchors(0)?,
            form: Form::Letters,
            version: Some(crate::VERSION.to_owned()),
        })
    }

    /// The campaign's title in dispatches.
    pub(crate) fn title(&self, lang: Lang) -> String {
        if self.settings.title.is_empty() {
            game::said(&self.game.decl.title, lang).to_owned()
        } else {
            self.settings.title.clone()
        }
    }
    /// The campaign's mailbox.
    #[must_use]
    pub fn mailbox(&self) -> &Mailbox {
        &self.settings.mailbox
    }

    /// The mark that makes the Message-ID of a letter hard to guess.
    pub(crate) fn mark(&self, to: &str, number: u64) -> String {
        let mark = self.eras.letters.message.mac(&format!("{to}|{number}"));
        data_encoding::BASE32_NOPAD
            .encode(&mark.bytes()[..5])
            .to_ascii_lowercase()
    }

    /// The sender of letters in a language.
    pub(crate) fn sender(&self, lang: Lang) -> NamedAddress {
        NamedAddress {
            name: Some(self.title(lang)),
            email: self.settings.mailbox.to_string(),
        }
    }

    /// The chains of an envelope.
    pub(crate) fn chains(&self, envelope: u32) -> &Arc<Chains> {
        self.eras.of(envelope)
    }

    /// The key of an envelope's lane `shut`, which receipts and blinded digests are made from.
    pub(crate) fn shut_key(&self, envelope: u32) -> Result<&Key, WorkError> {
        let key = self.chains(envelope).key(&Lane::shut(), envelope);
        key.map_err(|_| WorkError::NoKey(envelope))
    }

    /// The anchors of an era, for its record.
    ///
    /// # Errors
    /// If a lane has no chain.
    pub fn anchors(&self, era: usize) -> Result<Vec<(Lane, Digest)>, WorkError> {
        let Some(chains) = self.eras.get(era) else {
            return Ok(Vec::new());
        };
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        Ok(chains.anchors(&seats)?)
    }

    /// Returns true if these keys are those of the newest era.
    pub(crate) fn is_keeping(&self, kept: &EraKeys) -> bool {
        let master = self.eras.master.as_ref();
        master.is_none_or(|master| kept.are_of(master, self.name.as_str()))
    }

    /// The keys to keep while this is the next envelope to be sealed.
    pub(crate) fn to_keep(&self, envelope: u32) -> Result<Option<EraKeys>, DiceError> {
        let seats: Vec<SeatId> = self.settings.seats.ids().cloned().collect();
        self.eras.keep(envelope, &seats)
    }

    /// Returns true if the newest era's master is lost.
    #[must_use]
    pub fn has_no_master(&self) -> bool {
        self.eras.master.is_none()
    }

    /// The beacon that the opening names, if it names one.
    pub(crate) fn beacon(&self) -> Option<&Beacon> {
        self.sources.iter().find_map(|source| match source {
            Source::Drand(beacon) => Some(beacon),
            _ => None,
        })
    }

    /// When a round of the beacon is published.
    pub(crate) fn moment_of(&self, round: u64) -> Option<Timestamp> {
        let seconds = self.beacon()?.moment_of(round);
        Timestamp::from_second(i64::try_from(seconds).ok()?).ok()
    }

    /// The beacon's round for a seal of this time.
    pub(crate) fn round_for(&self, sealed: Timestamp) -> Option<u64> {
        self.beacon().map(|beacon| beacon.round_for(sealed.into()))
    }

    /// The settings of a witness.
    pub(crate) fn witness(&self, name: &str) -> Option<&Witness> {
        let mut witnesses = self.settings.witnesses();
        witnesses.find(|witness| witness.name == *name)
    }

    /// The script function of couriers, if letters between seats go by them.
    pub(crate) fn courier(&self) -> Option<&str> {
        let courier = self.game.decl.courier.as_ref()?;
        let is_on = courier.option.as_ref().is_none_or(|option| {
            let declared = self.game.decl.options.get(option);
            let usual = declared.map(|declared| &declared.default);
            let value = self.settings.options.get(option).or(usual);
            value.is_some_and(|value| value == "on")
        });
        is_on.then_some(courier.call.as_str())
    }

    /// The umpire's address, or an empty text.
    pub(crate) fn umpire(&self) -> &str {
        self.settings
            .umpires_address()
            .map_or("", |umpire| umpire.as_str())
    }
}
