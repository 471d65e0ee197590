//! A mail of a seat is taken: what its words mean now, which words count for which seal, and the receipt.
//!
//! A seat's words count at the next seal. A later mail replaces them, one that begins with ADD adds to them. Words that
//! come after a seal are too late for it; their standing orders are carried to the next. As long as the seat can't know of
//! the seal ([`Engine::is_quiet`]), receipts are those of a wait that goes on, and what is carried gets its own receipt later.

use std::collections::BTreeSet;

use super::{
    Setting, Understood,
    engine::{Effects, Engine, EngineError},
    events::{MailIn, Reason, Refused},
    intake::same_again,
    letters::Taken,
    rate::{MAILS, REFUSALS},
    state::{State, Waiting},
    understand::group_of,
};
use crate::{
    dice::{Receipt, canonical_orders},
    ids::SeatId,
    orders::{
        self, Command, Diagnostic, Line, MAX_BYTES, MAX_LINES, QuestionForm, Reading, Vocabulary,
    },
    rules::RuleError,
    value::{Fields, Value},
    world::World,
};

/// How a seat's words are read at this moment: what it is asked, on its view.
pub struct Moment {
    /// The view.
    pub view: World,
    /// The phases that wait for its orders.
    pub phases: Vec<String>,
    /// The questions that wait for its answer, numbered as in its mail.
    pub questions: Vec<QuestionForm>,
}

/// What a seat's words come to together with its earlier ones.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The text: what stays of the earlier words, then the mail's own without ADD.
    pub text: String,
    /// What it means.
    pub understood: Understood,
    /// The first line that is the mail's own.
    own: usize,
}

impl Joined {
    /// Whether it is more than a seat may send in one mail: adding has no other bound.
    fn is_too_long(&self) -> bool {
        self.own > 1
            && (self.text.len() > MAX_BYTES
                || self.text.lines().count() > MAX_LINES
                || self.understood.reading.lines.len() > MAX_LINES)
    }
}

impl Engine {
    /// What a seat is asked at this moment, and what it sees.
    #[must_use]
    pub fn moment(&self, state: &State, seat: &SeatId) -> Moment {
        let questions = asked(state, seat);
        let shown = state.shown.as_deref();
        let (world, phase) = match (&state.waiting, shown) {
            (Waiting::Orders { seats, phase, .. }, _) => {
                (&state.world, seats.contains(seat).then_some(phase))
            }
            (Waiting::Answers { .. }, Some(shown)) if questions.is_empty() => {
                let still_open = self.is_quiet(state, seat) && shown.seats.contains(seat);
                (&shown.world, still_open.then_some(&shown.wanted))
            }
            _ => (&state.world, None),
        };
        Moment {
            view: world.seen_by(&self.game, seat),
            phases: phase.into_iter().cloned().collect(),
            questions,
        }
    }

    /// Whether orders are sealed without this seat's being able to know it: others may be asked something, and nothing that
    /// it is sent may tell. It knows when everybody has been told, when only its own orders were waited for, and when the
    /// time of the wait is over.
    #[must_use]
    pub fn is_quiet(&self, state: &State, seat: &SeatId) -> bool {
        let (Waiting::Answers { known, .. }, Some(shown)) = (&state.waiting, &state.shown) else {
            return false;
        };
        let over = known.is_some() && self.settings.schedule.is_due(*known, false, state.time);
        !shown.told && shown.seats != [seat.clone()] && !over
    }

    /// What words of a seat mean at this moment.
    ///
    /// # Errors
    /// If a check function of the rules fails.
    pub fn understand(
        &self,
        moment: &Moment,
        seat: &SeatId,
        words: &str,
    ) -> Result<Understood, RuleError> {
        let phases: Vec<&str> = moment.phases.iter().map(String::as_str).collect();
        let setting = Setting {
            seat,
            lang: self.lang(seat),
            view: &moment.view,
            phases: &phases,
            questions: &moment.questions,
            options: &self.settings.options,
        };
        let understood = Understood::new(&self.program, &self.grammar, &setting, words)?;
        Ok(if moment.questions.is_empty() {
            understood
        } else {
            understood.answers_only()
        })
    }

    /// What words of a seat come to now, together with those before them that stay.
    ///
    /// # Errors
    /// If a check function of the rules fails.
    pub fn join(
        &self,
        state: &State,
        seat: &SeatId,
        moment: &Moment,
        words: &str,
    ) -> Result<Joined, RuleError> {
        let first = self.understand(moment, seat, words)?;
        let adds = first.reading.adds() && moment.questions.is_empty();
        let earlier = match state.seats.get(seat) {
            Some(entry) if adds && (is_open(state) || self.is_quiet(state, seat)) => {
                entry.counting().to_owned()
            }
            Some(entry) if adds => entry.late.clone(),
            Some(entry) if !entry.carried.is_empty() && moment.questions.is_empty() => {
                self.beside(moment, seat, &entry.carried, &first)?
            }
            _ => String::new(),
        };
        if earlier.is_empty() && !adds {
            return Ok(Joined {
                text: words.to_owned(),
                understood: first,
                own: 1,
            });
        }
        let own = if adds {
            without_add(words, &first.reading)
        } else {
            words.to_owned()
        };
        let text = canonical_orders(&format!("{earlier}{own}"));
        Ok(Joined {
            understood: self.understand(moment, seat, &text)?,
            text,
            own: earlier.lines().count() + 1,
        })
    }

    /// What stays of carried words beside a mail: all but the standing orders that it writes anew.
    fn beside(
        &self,
        moment: &Moment,
        seat: &SeatId,
        carried: &str,
        mail: &Understood,
    ) -> Result<String, RuleError> {
        let anew = self.groups(mail.accepted());
        let known = self.understand(moment, seat, carried)?;
        let mut stays = true;
        let mut lines = known.reading.lines.iter().peekable();
        let kept = carried.lines().enumerate().filter(|(index, _)| {
            // A line of which nothing was read belongs to the order before it.
            while let Some((_, line)) = lines.next_if(|(number, _)| *number == index + 1) {
                stays = !matches!(line, Line::Order(order) if anew.contains(group_of(&self.game, &order.verb)));
            }
            stays
        });
        Ok(kept.map(|(_, line)| format!("{line}\n")).collect())
    }

    /// The groups of these standing orders.
    fn groups<'a>(&'a self, orders: impl Iterator<Item = &'a orders::Order>) -> BTreeSet<&'a str> {
        orders
            .filter(|order| self.grammar.is_standing(&order.verb))
            .map(|order| group_of(&self.game, &order.verb))
            .collect()
    }

    /// Of words that came after a seal, what counts at the next: standing orders and what the seat wants to be asked, one a
    /// line as they are printed. Of the lines before the mail's own those that are carried already, and those of standing
    /// orders to which it adds: they are written anew together.
    fn kept(&self, moment: &Moment, seat: &SeatId, joined: &Joined, late: &str) -> String {
        let lang = self.lang(seat);
        let vocabulary = Vocabulary::of_view(&self.game, &moment.view, lang);
        let late: BTreeSet<&str> = late.lines().collect();
        let understood = &joined.understood;
        let lines = understood.reading.lines.iter();
        let own = lines.clone().filter(|(number, _)| *number >= joined.own);
        let added = self.groups(own.filter_map(|(_, line)| match line {
            Line::Order(order) => Some(order),
            _ => None,
        }));
        let (mut number, mut kept) = (0, String::new());
        for (line, read) in lines {
            let (printed, group) = match read {
                Line::Order(order) => {
                    number += 1;
                    if understood.is_refused(number - 1) || !self.grammar.is_standing(&order.verb) {
                        continue;
                    }
                    let printed = orders::print(&self.grammar, &vocabulary, order, lang);
                    (printed, Some(group_of(&self.game, &order.verb)))
                }
                Line::Command(command @ (Command::Cancel { .. } | Command::Ask { .. })) => {
                    let printed = orders::print_command(&self.grammar, &vocabulary, command, lang);
                    (printed, None)
                }
                Line::Command(_) | Line::Wrong(_) => continue,
            };
            let stays = *line >= joined.own
                || group.is_some_and(|group| added.contains(group))
                || printed.lines().all(|line| late.contains(line));
            if stays {
                kept.push_str(&printed);
                kept.push('\n');
            }
        }
        kept
    }

    /// Takes a mail of a seat: its receipt goes out, and if nothing else is missing, the wait is over.
    pub(super) fn take(
        &self,
        state: &mut State,
        mail: &MailIn,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if let Some(entry) = state.seats.get_mut(&mail.seat) {
            // Whoever answers a letter has got it.
            entry.failed.clear();
        }
        match state.count("mails", &mail.seat) {
            ..=MAILS => {}
            count => return self.too_many(state, mail, count == MAILS + 1, effects),
        }
        state.taken.insert(mail.digest.clone());
        state.taken.extend(same_again(
            &mail.seat,
            mail.message_id.as_deref(),
            &mail.words,
        ));
        state.last_file.clone_from(&mail.file);
        let seat = &mail.seat;
        let moment = self.moment(state, seat);
        let first = self.understand(&moment, seat, &mail.words)?;
        effects.understood = Some(first.clone());
        if !first.says_something() {
            // Nothing in it was understood: what the seat had sent before still counts, and no receipt says otherwise.
            return self.not_taken(state, mail, &moment, &first, effects);
        }
        if !moment.questions.is_empty() {
            let receipt = self.receipt(state, seat, &mail.words, true)?;
            effects.receipts.push(receipt.to_string());
            let taken = Taken::of(mail, &moment, &first, &mail.words, Some(&receipt));
            self.receipt_letter(state, &taken, effects)?;
            return self.answer(state, seat, &first, head, effects);
        }
        let joined = self.join(state, seat, &moment, &mail.words)?;
        if joined.is_too_long() {
            let wrong = too_long(&mail.words, &first.reading);
            return self.not_taken(state, mail, &moment, &wrong, effects);
        }
        self.keep(state, mail, &moment, &joined, first.is_clean(), effects)?;
        self.close_if_ready(state, head, effects)
    }

    /// A mail of which nothing counts: the seat is told what is wrong with it.
    fn not_taken(
        &self,
        state: &mut State,
        mail: &MailIn,
        moment: &Moment,
        wrong: &Understood,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if state.count("refusals", &mail.seat) > REFUSALS {
            return Ok(());
        }
        let taken = Taken::of(mail, moment, wrong, &mail.words, None);
        self.receipt_letter(state, &taken, effects)
    }

    /// More mails have come from a seat in an hour than a person writes: what it had sent before still counts, and it is told
    /// so the first time.
    fn too_many(
        &self,
        state: &mut State,
        mail: &MailIn,
        first: bool,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.last_file.clone_from(&mail.file);
        if !first {
            return Ok(());
        }
        let refused = Refused {
            reason: Reason::TooMany,
            seat: Some(mail.seat.clone()),
            message_id: mail.message_id.clone(),
            digest: mail.digest.clone(),
            file: mail.file.clone(),
            detail: String::new(),
        };
        self.refusal_letter(state, &mail.seat, &refused, effects)
    }

    /// Keeps words for the seal at which they count, and sends the receipt.
    fn keep(
        &self,
        state: &mut State,
        mail: &MailIn,
        moment: &Moment,
        joined: &Joined,
        clean: bool,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let seat = &mail.seat;
        let (open, quiet) = (is_open(state), self.is_quiet(state, seat));
        let late = state.seats.get(seat).map(|seat| seat.late.clone());
        let kept = self.kept(moment, seat, joined, &late.unwrap_or_default());
        // Where everybody knows of the seal, the receipt is for what will be sealed.
        let words = if open || quiet { &joined.text } else { &kept };
        let receipt = self.receipt(state, seat, words, !open)?;
        effects.receipts.push(receipt.to_string());
        let entry = state.seats.entry(seat.clone()).or_default();
        if open || quiet {
            entry.words.clone_from(words);
        }
        if open {
            entry.read = Some(joined.understood.clone());
            entry.ready = clean;
        } else {
            entry.late.clone_from(&kept);
        }
        let taken = Taken::of(mail, moment, &joined.understood, words, Some(&receipt));
        self.receipt_letter(state, &taken, effects)
    }

    /// The receipts of what is carried, for those who were told of no seal when they sent it.
    pub(super) fn receipts_of_carried(
        &self,
        state: &mut State,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        for seat in self.settings.seats.ids() {
            let carried = state.seats.get(seat).map(|seat| seat.carried.clone());
            let Some(carried) = carried.filter(|words| !words.is_empty()) else {
                continue;
            };
            let moment = self.moment(state, seat);
            let understood = self.understand(&moment, seat, &carried)?;
            let receipt = self.receipt(state, seat, &carried, false)?;
            effects.receipts.push(receipt.to_string());
            let taken = Taken {
                seat,
                mail: None,
                moment: &moment,
                understood: &understood,
                words: &carried,
                receipt: Some(&receipt),
            };
            self.receipt_letter(state, &taken, effects)?;
        }
        Ok(())
    }

    /// Issues the next receipt of a seat: for the envelope that its orders will seal, or, once those are sealed, for
    /// the envelope in use: an answer, or words that come too late for it.
    pub(super) fn receipt(
        &self,
        state: &mut State,
        seat: &SeatId,
        words: &str,
        sealed: bool,
    ) -> Result<Receipt, EngineError> {
        let envelope = state.dice.envelope + u32::from(!sealed);
        let key = self
            .chains(envelope)
            .key(&crate::dice::Lane::shut(), envelope)?;
        let time = state.time.into();
        let entry = state.seats.entry(seat.clone()).or_default();
        let count = if sealed {
            &mut entry.receipts_in_use
        } else {
            &mut entry.receipts
        };
        *count += 1;
        Ok(Receipt::issue(
            key,
            envelope,
            seat.clone(),
            *count,
            time,
            words,
        ))
    }
}

/// The questions that a seat is asked, numbered as in its mail.
fn asked(state: &State, seat: &SeatId) -> Vec<QuestionForm> {
    let Waiting::Answers { questions, .. } = &state.waiting else {
        return Vec::new();
    };
    let own = questions.iter().filter(|asked| asked.seat == *seat);
    let form = |(index, asked): (usize, &crate::rules::Question)| QuestionForm {
        number: index + 1,
        topic: asked.topic.clone(),
    };
    own.enumerate().map(form).collect()
}

/// Whether words that come now count at the next seal.
fn is_open(state: &State) -> bool {
    !matches!(
        state.waiting,
        Waiting::Answers { .. } | Waiting::Dice { .. }
    )
}

/// Words without the ADD with which they begin: alone in its line, or before a semicolon.
fn without_add(words: &str, reading: &Reading) -> String {
    let line_of_add = reading.lines.first().map(|(number, _)| *number);
    let lines = words.lines().enumerate().map(|(index, line)| {
        if Some(index + 1) != line_of_add {
            return format!("{line}\n");
        }
        let mut parts = line.split([';', '；']);
        // Parts without a word are none; the first that has one is ADD.
        parts.find(|part| part.contains(char::is_alphanumeric));
        let rest: Vec<&str> = parts.collect();
        match rest.join(";").trim() {
            "" => String::new(),
            rest => format!("{rest}\n"),
        }
    });
    lines.collect()
}

/// What a seat is told whose words have become too many.
fn too_long(words: &str, reading: &Reading) -> Understood {
    let line = reading.lines.first().map_or(1, |(number, _)| *number);
    let text = words.lines().nth(line - 1).unwrap_or_default().trim();
    let most = |most: usize| Value::Int(i64::try_from(most).unwrap_or(i64::MAX));
    let wrong = Diagnostic {
        line,
        text: text.to_owned(),
        span: (0, text.chars().count()),
        reason: "joined_too_long".to_owned(),
        args: Fields::from([
            ("most".to_owned(), most(MAX_LINES)),
            ("size".to_owned(), most(MAX_BYTES / 1024)),
        ]),
        suggestions: Vec::new(),
    };
    Understood {
        reading: Reading {
            lines: vec![(line, Line::Wrong(wrong))],
        },
        remarks: Vec::new(),
    }
}
