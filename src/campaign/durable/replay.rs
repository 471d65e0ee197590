//! A journal's records in the only order that they may have, and the state that they lead to.

use std::collections::BTreeSet;

use crate::{
    campaign::{
        durable::{
            CampaignError,
            comparison::differs,
            staged_letters::is_of_another_version,
            work::{self, Effects},
        },
        model::{
            context::Context,
            errands::LetterCopy,
            events::{Creation, Done, Event},
            settings::Settings,
            state::State,
            work_error::WorkError,
        },
        post::Letter,
    },
    digest::Digest,
    store::{Directory, Position, Record},
};

/// An input and its outcome.
#[derive(Clone, Copy, Debug)]
pub struct JournalStep<'r> {
    /// The input's record.
    pub input: &'r Record<Event>,
    /// The number and content of the record that closes it; none only at the journal's end, if the
    /// host was stopped before the work was done.
    pub done: Option<(u64, &'r Done)>,
}

/// The steps of a journal: `created` first and once, and each input closed by `done` before the
/// next one. Any other order is an error, so that no record can hide behind another.
#[derive(Clone, Debug)]
pub struct Steps<'r> {
    records: std::slice::Iter<'r, Record<Event>>,
    begun: bool,
}

impl<'r> Steps<'r> {
    /// The steps of these records. The campaign has `begun` if earlier records have already led to
    /// a state.
    #[must_use]
    pub fn new(records: &'r [Record<Event>], begun: bool) -> Self {
        Self {
            records: records.iter(),
            begun,
        }
    }

    fn step(&mut self, input: &'r Record<Event>) -> Result<JournalStep<'r>, WorkError> {
        let wrong = |n, why| Err(WorkError::Order { n, why });
        match (&input.event, self.begun) {
            (Event::Done(_), _) => return wrong(input.n, "there is no input before this `done`"),
            (Event::Created(_), true) => return wrong(input.n, "a campaign is made once"),
            (Event::Created(_), false) | (_, true) => self.begun = true,
            (_, false) => return wrong(input.n, "a journal begins with `created`"),
        }
        let done = match self.records.next() {
            None => None,
            Some(record) => match &record.event {
                Event::Done(_) if record.time != input.time => {
                    return wrong(record.n, "a `done` has the time of its input");
                }
                Event::Done(done) => Some((record.n, done.as_ref())),
                _ => return wrong(record.n, "the input before it has no `done`"),
            },
        };
        Ok(JournalStep { input, done })
    }
}

impl<'r> Iterator for Steps<'r> {
    type Item = Result<JournalStep<'r>, WorkError>;

    fn next(&mut self) -> Option<Self::Item> {
        let input = self.records.next()?;
        Some(self.step(input))
    }
}

/// The result of a replay.
pub(crate) struct ReplayResult {
    pub state: State,
    /// Letters of inputs that are done, but that may not have been told.
    pub letters: Vec<Letter>,
    /// Copies that such inputs asked for.
    pub copies: Vec<LetterCopy>,
    /// The last input's effects, if the host was stopped before closing it.
    pub unfinished: Option<Effects>,
}

/// Brings a snapshot's state up to date with the records after it. A rollback needs what no
/// snapshot holds, so it replays all records. Letters that answer mails `left` in the inbox are
/// made again. If there is an error, an input that was not worked off is laid aside because of it.
pub(crate) fn catch_up(
    context: &Context,
    directory: &Directory,
    known: Option<State>,
    after: &[Record<Event>],
    left: &BTreeSet<&str>,
    error: Option<&str>,
) -> Result<ReplayResult, CampaignError> {
    let takes_back = |record: &Record<Event>| record.event.takes_back();
    if known.is_some() && after.iter().any(takes_back) {
        let all = directory.records::<Event>(Position::START)?;
        return replay(context, None, &all.records, left, error);
    }
    replay(context, known, after, left, error)
}

/// The state from the whole journal.
pub(crate) fn from_the_beginning(
    context: &Context,
    directory: &Directory,
) -> Result<ReplayResult, CampaignError> {
    let all = directory.records::<Event>(Position::START)?;
    replay(context, None, &all.records, &BTreeSet::new(), None)
}

/// Brings a state up to date. Inputs whose outcome is on record are recalled; if the host was
/// stopped before closing the last one, that is worked off in full or laid aside.
fn replay(
    context: &Context,
    mut state: Option<State>,
    records: &[Record<Event>],
    left: &BTreeSet<&str>,
    error: Option<&str>,
) -> Result<ReplayResult, CampaignError> {
    let (mut letters, mut copies) = (Vec::new(), Vec::new());
    let (mut unfinished, mut last) = (None, None);
    for step in Steps::new(records, state.is_some()) {
        let JournalStep { input, done } = step?;
        last = done;
        state = Some(match done {
            Some((n, done)) => {
                let is_left = |(file, _): (&str, _)| left.contains(file);
                // Letters of another version have already appeared, at the latest when the campaign
                // was opened.
                let is_ours = !is_of_another_version(done);
                let now = if is_ours && input.event.mail().is_some_and(is_left) {
                    let (now, effects) = work::redo(context, state.take(), input, done)?;
                    letters.extend(effects.mailing.letters);
                    copies.extend(effects.copies);
                    now
                } else {
                    work::recall(context, state.take(), input, done)?
                };
                if now.phase != done.phase {
                    return Err(differs(n, "the phase", &now.phase, &done.phase));
                }
                now
            }
            None => {
                let (now, effects) = match (state.take(), error) {
                    (Some(before), Some(error)) => work::lay_aside(context, before, input, error)?,
                    (before, _) => work::work_off(context, before, input)?,
                };
                unfinished = Some(effects);
                now
            }
        });
    }
    let state = state.ok_or(CampaignError::Empty)?;
    match last {
        Some((n, done)) if done.world != state.world.digest() => Err(differs(
            n,
            "the hash of the world",
            &state.world.digest().to_string(),
            &done.world.to_string(),
        )),
        _ => Ok(ReplayResult {
            state,
            letters,
            copies,
            unfinished,
        }),
    }
}

/// Checks that the settings and pinned files are those that the campaign began with.
///
/// # Errors
/// The first that differs.
pub fn check_origin(
    settings: &Settings,
    pinned: Digest,
    created: &Creation,
) -> Result<(), CampaignError> {
    if pinned != created.rules {
        return Err(CampaignError::Rules {
            expected: created.rules,
            found: pinned,
        });
    }
    if created.settings != *settings {
        return Err(CampaignError::Settings);
    }
    Ok(())
}
