//! A journal's work done again, record by record, and compared.

use std::{collections::BTreeSet, mem::take};

use super::{
    AuditReport, DiceFiles, KeptLetters, Progress,
    baseline::Baseline,
    comparer::{Comparer, Pair, same},
    versions::{BoundWords, Others},
};
use crate::{
    campaign::{
        self,
        durable::{
            CampaignError,
            comparison::compare,
            replay::{JournalStep, Steps},
        },
        model::{
            context::Context,
            events::{Done, Event},
            state::State,
            version::Version,
        },
        post::Letter,
    },
    mail::{MessageName, maildir::file_name},
    store::Record,
};

/// The work of a journal, done again.
pub(super) struct Replay<'a> {
    context: &'a Context,
    /// The version whose letters are made again.
    running: Version,
    kept: &'a dyn Baseline,
    pub report: AuditReport,
    pub gathered: DiceFiles,
    /// Letters that lie in the outboxes unchanged, and those that were taken away.
    letters: (usize, usize),
    /// The work of other versions.
    others: Others,
    /// The letters that the journal knows of, by outbox and key.
    made: BTreeSet<(String, String)>,
    /// The letters that players have kept.
    pub mails: Option<KeptLetters>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(
        context: &'a Context,
        running: &Version,
        (kept, mails): (&'a dyn Baseline, Option<KeptLetters>),
        report: AuditReport,
    ) -> Self {
        Self {
            context,
            running: running.clone(),
            kept,
            report,
            gathered: DiceFiles::default(),
            letters: (0, 0),
            others: Others::default(),
            made: BTreeSet::new(),
            mails,
        }
    }

    /// Replays every input; stops at the first difference.
    pub(super) fn run(
        &mut self,
        records: &[Record<Event>],
        comparer: Option<&Comparer>,
        progress: Progress<'_>,
    ) -> Result<Option<State>, CampaignError> {
        let mut state: Option<State> = None;
        for step in Steps::new(records, false) {
            let JournalStep { input, done } = step?;
            let number = usize::try_from(input.n).unwrap_or_default();
            progress(number.saturating_sub(1), records.len());
            if let Event::Created(created) = &input.event {
                self.kept.check_origin(self.context, created)?;
            }
            let (now, mut effects) = match done {
                Some((_, done)) if done.is_by(&self.running) => {
                    campaign::redo(self.context, state.take(), input, done)?
                }
                Some((_, done)) => {
                    campaign::redo_recorded(self.context, state.take(), input, done)?
                }
                None => campaign::work_off(self.context, state.take(), input)?,
            };
            match done {
                Some((n, done)) => {
                    self.laid_aside(input.n, done);
                    let found = Done {
                        version: Some(self.running.clone()),
                        ..campaign::done(&now, &effects)
                    };
                    compare(n, done, &found)?;
                    if done.is_by(&self.running) {
                        self.letters(take(&mut effects.mailing.letters), n, comparer)?;
                    } else {
                        self.on_record(n, done)?;
                    }
                    self.gathered.add(&effects);
                    self.report.tally.inputs += 1;
                }
                None => self.unfinished(effects.mailing.letters, input.n, comparer)?,
            }
            state = Some(now);
        }
        Ok(state)
    }

    /// Notes an input that was laid aside: nobody can say what the rules would have made of it.
    fn laid_aside(&mut self, n: u64, done: &Done) {
        if let Some(error) = done.why_laid_aside() {
            self.report.unproven.push(format!(
                "record {n} was laid aside by the host and is not worked off again: {error}"
            ));
        }
    }

    /// Compares letters of another version with the files in the outboxes, and with those that
    /// players have kept, by their digests.
    fn on_record(&mut self, n: u64, done: &Done) -> Result<(), CampaignError> {
        self.others.did(n, done);
        if done.undone && !done.laid_aside {
            self.report.unproven.push(format!(
                "record {n} undid its input because of an error that another version came to; it is not worked off again"
            ));
        }
        let mut bound = BoundWords::of(self.context.name(), done);
        for written in &done.mails {
            let name = (written.to.address_name(), file_name(&written.message_id));
            self.made.insert(name);
            if let Some(mails) = &mut self.mails {
                mails.compare_recorded(self.context.name(), written);
            }
            let sent = self.kept.sent(&written.to, &written.message_id)?;
            let sent = sent.as_deref();
            self.others
                .letter(self.context.name(), (n, done), written, sent)?;
            bound.retain(|dispatch| {
                let in_letter = |sent| dispatch.in_letter(self.context, &written.to, sent);
                let words = sent.and_then(in_letter);
                let is_missing = words.is_none();
                self.gathered
                    .items
                    .extend(words.map(|words| (dispatch.path.clone(), words)));
                is_missing
            });
        }
        let (empty, bound): (Vec<_>, Vec<_>) =
            (bound.into_iter()).partition(|dispatch| dispatch.binds(self.context, ""));
        let empty = empty.into_iter();
        let empty = empty.map(|dispatch| (dispatch.path, String::new()));
        self.gathered.items.extend(empty);
        self.gathered
            .unmade
            .extend(bound.into_iter().map(|dispatch| dispatch.path));
        Ok(())
    }

    /// The last input, if the host was stopped before it had done the work: some of its letters may
    /// have gone out.
    fn unfinished(
        &mut self,
        letters: Vec<Letter>,
        n: u64,
        comparer: Option<&Comparer>,
    ) -> Result<(), CampaignError> {
        let before = self.letters;
        self.letters(letters, n, comparer)?;
        self.letters = before;
        self.report.unproven.push("the last input was not worked off when the host was stopped; the next `estafette run` does it".to_owned());
        Ok(())
    }

    /// No letter of the host may lie in an outbox that the journal knows nothing of: a journal that
    /// was cut short fits together, but players have been told more.
    pub(super) fn unknown_letters(&mut self) -> Result<(), CampaignError> {
        let campaign = self.context.settings().campaign.as_str();
        for (folder, key) in self.kept.names()? {
            let known = self.made.contains(&(folder.clone(), key.clone()));
            if !known && MessageName::parse(&key).is_some_and(|name| name.campaign == campaign) {
                self.report.wrong.push(format!(
                    "outbox of {folder}: expected letters that the journal gives, found one more, {key}: the journal was cut short or put back"
                ));
            }
        }
        Ok(())
    }

    /// Compares letters with the files in the outboxes, byte for byte, or has it done.
    fn letters(
        &mut self,
        letters: Vec<Letter>,
        n: u64,
        comparer: Option<&Comparer>,
    ) -> Result<(), CampaignError> {
        for letter in letters {
            let name = (letter.to.address_name(), file_name(&letter.message_id));
            self.made.insert(name);
            if let Some(mails) = &mut self.mails {
                mails.compare(&letter)?;
            }
            let Some(sent) = self.kept.sent(&letter.to, &letter.message_id)? else {
                self.letters.1 += 1;
                continue;
            };
            self.letters.0 += 1;
            match comparer {
                Some(comparer) => {
                    let sent = sent.into_owned();
                    comparer.give(Pair { n, letter, sent })?;
                }
                None => same(n, &letter, &sent)?,
            }
        }
        Ok(())
    }

    pub(super) fn say(&mut self) {
        let (same, gone) = self.letters;
        self.report
            .checked
            .push("rules and data: the pinned files are those that the journal names".to_owned());
        self.report.checked.push(format!(
            "replay: {} inputs worked off again, to the same worlds, phases and dice",
            self.report.tally.inputs
        ));
        self.report.checked.push(format!("letters: {} made again, byte for byte the same; {same} of them lie in the outboxes unchanged", same + gone));
        self.others.say(&self.running, &mut self.report);
        if gone > 0 {
            self.report.unchecked.push(format!(
                "{gone} letters are no longer in the outboxes; their digests in the journal fit"
            ));
        }
    }
}
