//! A preview for the umpire: every letter that a resolution now would send, made in memory. The
//! directory is only read.
//!
//! The dice that a resolution will throw are nobody's to see before. So a preview of orders that
//! are not sealed, or whose dice have not been mixed, throws others, the same ones in each preview
//! of the same position: what a second preview shows otherwise comes of its orders alone.

use std::{collections::BTreeMap, path::Path};

use jiff::Timestamp;
use serde::Serialize;

use super::{
    CampaignError, look,
    open::context_with_settings,
    work::{self, Effects},
};
use crate::{
    campaign::{
        model::{
            context::Context,
            events::{Event, Ruling, SeatMail},
            settings::Settings,
            state::{CurrentWait, State},
            work_error::WorkError,
        },
        post::{self, Letter, Step},
        turn::{preview, rulings},
    },
    dice::{Master, Mix, canonical_orders},
    digest::Digest,
    ids::SeatId,
    store::{Position, Record, stamp},
};

/// What a preview supposes beside what has come.
#[derive(Clone, Debug)]
pub enum Supposition {
    /// A seat sends these words.
    Words(SeatId, String),
    /// The umpire rules so.
    Ruling(Ruling),
}

/// A letter of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PreviewedLetter {
    /// To whom it would go.
    pub to: String,
    /// Its subject.
    pub subject: String,
    /// Its words, without what proves the dice.
    pub words: String,
}

/// A campaign for a preview, in memory.
pub struct Preview {
    context: Context,
    state: State,
}

impl Preview {
    /// Looks at a campaign.
    ///
    /// # Errors
    /// If it is damaged, or nothing is to be resolved now.
    pub fn of(root: &Path) -> Result<Self, CampaignError> {
        let (directory, mut context, state) = look(root)?;
        if let Some(why) = nothing_to_resolve(&state) {
            return Err(CampaignError::NoPreview(why));
        }
        if preview::throws_other_dice(&state) {
            let settings = Settings {
                pictures: false,
                ..Settings::clone(&context.settings)
            };
            let name = &settings.campaign;
            let seed = Digest::of(format!("a preview|{name}|{}", state.world.digest()).as_bytes());
            let master = Master::from_hex(&seed.to_string()).map_err(WorkError::from)?;
            context = context_with_settings(&directory, settings, master.into())?;
            context.mix = Some(Mix::default());
        } else if state.asked_in_public().is_some() {
            // The answers are sealed into the next envelope, which gets another mix.
            context.mix = Some(Mix::default());
        }
        Ok(Self { context, state })
    }

    /// The context that it works in.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The state that it begins with.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Every letter that would go out if this happened now, and then the present wait ended.
    ///
    /// # Errors
    /// If it can't happen, or the work can't be done.
    pub fn letters(
        &self,
        supposed: &[Supposition],
        now: Timestamp,
    ) -> Result<Vec<PreviewedLetter>, CampaignError> {
        let (mut state, mut letters) = (self.state.clone(), Vec::new());
        for supposed in supposed {
            let record = self.record(&state, self.event(&state, supposed, now)?, now)?;
            let (then, effects) = work::work_off(&self.context, Some(state), &record)?;
            state = then;
            letters.extend(effects.mailing.letters);
        }
        let goes_on = state.dice.envelope == self.state.dice.envelope
            && state.stopped().is_none()
            && nothing_to_resolve(&state).is_none();
        if goes_on {
            letters.extend(self.resolved(state, now)?.mailing.letters);
        }
        Ok(letters.iter().map(previewed).collect())
    }

    fn event(
        &self,
        state: &State,
        supposed: &Supposition,
        now: Timestamp,
    ) -> Result<Event, CampaignError> {
        match supposed {
            Supposition::Words(seat, text) => {
                let words = canonical_orders(text);
                Ok(Event::Mail(Box::new(SeatMail {
                    seat: seat.clone(),
                    message_id: None,
                    digest: Digest::of(words.as_bytes()),
                    file: String::new(),
                    from: String::new(),
                    words,
                    ignored: BTreeMap::new(),
                    files: Vec::new(),
                    unread: Vec::new(),
                })))
            }
            Supposition::Ruling(ruling) => {
                let at = state.next_moment(now);
                let checked = rulings::check_ruling(&self.context, state, ruling, at);
                checked.map_err(WorkError::from)?;
                Ok(Event::Umpire(ruling.clone()))
            }
        }
    }

    /// A record that nobody keeps.
    fn record(
        &self,
        state: &State,
        event: Event,
        now: Timestamp,
    ) -> Result<Record<Event>, CampaignError> {
        Ok(stamp(&Position::START, state.next_moment(now), event)?.1)
    }

    fn resolved(&self, mut state: State, now: Timestamp) -> Result<Effects, CampaignError> {
        state.time = state.next_moment(now);
        (state.sealed_now, state.on_hold) = (false, false);
        let record = self.record(&state, Event::Deadline, state.time)?;
        let (mut state, outcome) = preview::resolve(&self.context, state)?;
        let (step, plans) = (Step::of(&record), &outcome.plans);
        let pictures = std::collections::VecDeque::new();
        let mailing = post::write(&self.context, step, &mut state.register, plans, pictures)?;
        Ok(Effects {
            mailing,
            ..Effects::default()
        })
    }
}

/// Why nothing can be resolved now.
fn nothing_to_resolve(state: &State) -> Option<&'static str> {
    match &state.waiting {
        CurrentWait::Repair { .. } => Some("an error has stopped the campaign"),
        CurrentWait::Disclosure { .. } | CurrentWait::Nothing => Some("the campaign is over"),
        _ => None,
    }
}

/// A letter as a preview shows it. What proves the dice is not that of the letters to come.
fn previewed(letter: &Letter) -> PreviewedLetter {
    PreviewedLetter {
        to: letter.to.to_string(),
        subject: letter.subject().to_owned(),
        words: letter.words.clone(),
    }
}
