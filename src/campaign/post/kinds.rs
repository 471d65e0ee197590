//! The content of a letter, by its kind.

use super::{
    content::LetterContent,
    dispatches::{DispatchBriefing, briefing_of_dispatch},
    errands, notices, openings, questions, receipts, repeats, seals, umpires,
    writer::{LetterWriter, texts_of},
};
use crate::{
    campaign::{
        model::{context::Context, state::State, work_error::WorkError},
        turn::plan::{Addressee, Cover, LetterPlan, SeatLetter, WitnessLetter},
    },
    ids::SeatId,
};

/// What the content of a letter is made from. Dispatches cost so much that those that go out
/// together are made on all cores.
pub(super) enum LetterBriefing<'a> {
    /// A dispatch's.
    Dispatch(Box<DispatchBriefing<'a>>),
    /// The content itself.
    Made(Box<LetterContent>),
}

impl LetterBriefing<'_> {
    fn made(content: LetterContent) -> Self {
        Self::Made(Box::new(content))
    }

    /// The content.
    pub(super) fn content(self) -> LetterContent {
        match self {
            Self::Dispatch(briefing) => briefing.content(),
            Self::Made(content) => *content,
        }
    }
}

impl<'w> LetterWriter<'w> {
    /// What a letter's content is made from. `brings_entries`: entries of the register go out with
    /// it.
    pub(super) fn briefing<'l>(
        &self,
        letter: &'l LetterPlan,
        brings_entries: bool,
    ) -> Result<LetterBriefing<'l>, WorkError>
    where
        'w: 'l,
    {
        let (context, state) = (self.context, &*letter.state);
        let content = match &letter.to {
            Addressee::Seat(seat, about) => {
                let for_seat = SeatContext {
                    context,
                    state,
                    seat,
                    cover: &letter.cover,
                };
                return self.to_seat(for_seat, about, brings_entries);
            }
            Addressee::Witness(name, about) => {
                let cover = &letter.cover;
                match about {
                    WitnessLetter::Seal => seals::to_witness(context, state, name, cover),
                    WitnessLetter::ValueTaken(wanted) => {
                        seals::value_taken(context, state, (None, cover.lang), wanted)
                    }
                    WitnessLetter::Refusal(refused) => notices::refusal(context, cover, refused),
                }
            }
            Addressee::Umpire(name, about) => {
                umpires::content(context, state, (name, &letter.cover), about)
            }
        };
        Ok(LetterBriefing::made(content))
    }

    fn to_seat<'l>(
        &self,
        for_seat: SeatContext<'l>,
        about: &SeatLetter,
        brings_entries: bool,
    ) -> Result<LetterBriefing<'l>, WorkError> {
        let SeatContext {
            context,
            state,
            seat,
            cover,
        } = for_seat;
        Ok(LetterBriefing::made(match about {
            SeatLetter::Opening => LetterContent {
                entries: texts_of(&self.register.openings),
                ..openings::content(context, state, seat)?
            },
            SeatLetter::Dispatch { ruled, receipt } => {
                let with = (ruled.as_ref(), receipt.as_ref());
                let briefing = briefing_of_dispatch(context, state, seat, with, brings_entries)?;
                return Ok(LetterBriefing::Dispatch(Box::new(briefing)));
            }
            SeatLetter::Again(why) => repeats::content(context, state, seat, *why)?,
            SeatLetter::Questions(suspended) => {
                questions::content(context, state, seat, suspended, brings_entries)?
            }
            SeatLetter::QuestionsToOthers(asked) => {
                questions::to_others(context, state, seat, asked)
            }
            SeatLetter::Receipt(plan) => receipts::content(context, state, seat, plan),
            SeatLetter::Carried { words, .. } => receipts::of_carried(context, state, seat, words)?,
            SeatLetter::Refusal(refused) => notices::refusal(context, cover, refused),
            SeatLetter::Seal => seals::to_seat(context, state, seat, cover)?,
            SeatLetter::ValueTaken(wanted) => {
                seals::value_taken(context, state, (Some(seat), cover.lang), wanted)
            }
            SeatLetter::NewSecret { why } => notices::new_secret(context, cover.lang, why),
            SeatLetter::Disclosure => notices::disclosure(context, cover.lang),
            SeatLetter::Address(plan) => notices::address(context, plan),
            SeatLetter::Errands(plan) => errands::content(context, state, seat, plan)?,
            SeatLetter::Press {
                from,
                to,
                words,
                taken,
            } => errands::press(context, state, seat, (from.as_ref(), to, words, *taken)),
            SeatLetter::Remedy { gone, what } => {
                errands::remedy(context, state, seat, (gone, what))
            }
            SeatLetter::Reminder => notices::reminder(context, state, seat, false),
            SeatLetter::Later => notices::later(context, state, seat),
            SeatLetter::Overdue => notices::reminder(context, state, seat, true),
            SeatLetter::UmpiresWord { what, words } => {
                notices::umpires_word(context, state, seat, (what, words))
            }
        }))
    }
}

/// The seat that a letter is made for, and the sources of the letter.
struct SeatContext<'a> {
    context: &'a Context,
    state: &'a State,
    seat: &'a SeatId,
    cover: &'a Cover,
}
