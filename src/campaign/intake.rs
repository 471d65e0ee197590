//! Mails coming in: who speaks, what counts, and the receipt.

use super::{
    Setting, Understood,
    engine::{Effects, Engine, EngineError},
    events::{Event, MailIn, Reason, Refused},
    sources::is_about_beacon,
    state::{State, Waiting},
};
use crate::{
    dice::{Receipt, canonical_orders, hash},
    ids::SeatId,
    mail::{self, Claim, Incoming, Limits, ReadError, Token},
    orders::{Line, QuestionForm},
    rules::RuleError,
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

impl Engine {
    /// Judges the bytes of a mail: the record that they become. Nothing is changed.
    #[must_use]
    pub fn judge(&self, state: &State, file: &str, bytes: &[u8]) -> Event {
        match mail::read(bytes, &Limits::default()) {
            Ok(incoming) => self.judge_mail(state, file, &incoming),
            Err(error) => {
                let reason = match error {
                    ReadError::TooLarge { .. } => Reason::TooLarge,
                    ReadError::Empty => Reason::Empty,
                    _ => Reason::Unreadable,
                };
                // The beginning of a mail that is too large still tells whose it is, so that the seat can be told.
                let claimed = (reason == Reason::TooLarge)
                    .then(|| self.claimed_by_head(bytes))
                    .flatten();
                Event::Refused(Refused {
                    reason,
                    seat: claimed,
                    message_id: None,
                    digest: super::Digest::of(bytes).to_string(),
                    file: file.to_owned(),
                    detail: error.to_string(),
                })
            }
        }
    }

    /// The seat whose token the header of a mail carries, for a mail whose body is not read.
    fn claimed_by_head(&self, bytes: &[u8]) -> Option<SeatId> {
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .map(|at| at + 4);
        let end = end.or_else(|| {
            bytes
                .windows(2)
                .position(|two| two == b"\n\n")
                .map(|at| at + 2)
        })?;
        let head = bytes.get(..end.min(64 << 10))?;
        let incoming = mail::read(head, &Limits::default()).ok()?;
        if incoming.automatic.is_some() {
            return None;
        }
        let claims = self.own_claims(&incoming);
        let named = claims
            .first()
            .map(|claim| SeatId::from(claim.seat.as_str()));
        named.or_else(|| {
            self.settings
                .seats
                .at(&incoming.from.email)
                .next()
                .map(|seat| seat.id.clone())
        })
    }

    fn own_claims(&self, incoming: &Incoming) -> Vec<Claim> {
        let host = self.host();
        let mut claims = mail::claims(incoming, &host);
        claims.retain(|claim| {
            claim.campaign == self.settings.campaign.as_str()
                && self.settings.seats.get(&claim.seat).is_some()
        });
        claims
    }

    fn judge_mail(&self, state: &State, file: &str, incoming: &Incoming) -> Event {
        let refused = |reason, seat: Option<&str>, detail: String| {
            Event::Refused(Refused {
                reason,
                seat: seat.map(SeatId::from),
                message_id: incoming.message_id.clone(),
                digest: incoming.digest.clone(),
                file: file.to_owned(),
                detail,
            })
        };
        if let Some(automatic) = &incoming.automatic
            && !automatic.may_carry_orders()
        {
            return refused(Reason::Automatic, None, format!("{automatic:?}"));
        }
        if state.taken.contains(&incoming.digest) {
            return refused(Reason::Duplicate, None, String::new());
        }
        if let Some(event) = self.judge_witness(state, file, incoming) {
            return event;
        }
        let claims = self.own_claims(incoming);
        if let (Some(claim), Waiting::Nothing | Waiting::Disclosure { .. }) =
            (claims.first(), &state.waiting)
        {
            return refused(Reason::Finished, Some(&claim.seat), String::new());
        }
        let good = claims.iter().find(|claim| self.is_token(claim, state, 0));
        let Some(claim) = good else {
            let old = claims
                .iter()
                .find(|claim| (1..=3).any(|back| self.is_token(claim, state, back)));
            let tokened = claims.iter().find(|claim| claim.token.is_some());
            let own = self.settings.seats.at(&incoming.from.email).next();
            return match (old, tokened, claims.first(), own) {
                (Some(claim), ..) => refused(Reason::OldToken, Some(&claim.seat), String::new()),
                (_, Some(claim), ..) => {
                    refused(Reason::WrongToken, Some(&claim.seat), String::new())
                }
                (_, _, Some(claim), _) => {
                    refused(Reason::NoToken, Some(&claim.seat), String::new())
                }
                (.., Some(seat)) => refused(Reason::NoToken, Some(&seat.id), String::new()),
                _ => refused(Reason::Stranger, None, String::new()),
            };
        };
        let seat = claim.seat.as_str();
        if !is_awaited(state) {
            return refused(Reason::Closed, Some(seat), String::new());
        }
        let (words, files) = self.counted_words(state, &seat.into(), incoming);
        if words.is_empty() {
            let problem = incoming
                .words
                .problem
                .as_ref()
                .map(|problem| format!("{problem:?}"));
            return refused(Reason::Empty, Some(seat), problem.unwrap_or_default());
        }
        if is_about_beacon(&words) {
            return self.judge_beacon(state, seat, &words, file, incoming);
        }
        let twice = same_again(seat, incoming.message_id.as_deref(), &words);
        if twice.is_some_and(|twice| state.taken.contains(&twice)) {
            return refused(Reason::Duplicate, None, String::new());
        }
        Event::Mail(Box::new(MailIn {
            seat: seat.into(),
            message_id: incoming.message_id.clone(),
            digest: incoming.digest.clone(),
            file: file.to_owned(),
            from: incoming.from.email.clone(),
            words,
            ignored: incoming.words.left_out(),
            files,
        }))
    }

    /// Whether a claim carries the seat's token of so many tokens ago; in constant time.
    fn is_token(&self, claim: &Claim, state: &State, back: u64) -> bool {
        let Some(number) = state
            .seats
            .get(claim.seat.as_str())
            .and_then(|seat| seat.token.checked_sub(back))
        else {
            return false;
        };
        claim.token.as_ref().is_some_and(|token| {
            Token::check(
                &self.token_key,
                self.settings.campaign.as_str(),
                &claim.seat,
                number,
                token,
            )
        })
    }

    /// What a seat is asked at this moment, and what it sees.
    #[must_use]
    pub fn moment(&self, state: &State, seat: &SeatId) -> Moment {
        let view = state.world.seen_by(&self.game, seat);
        let (phases, questions) = match &state.waiting {
            Waiting::Orders { seats, phase, .. } if seats.contains(seat) => {
                (vec![phase.clone()], Vec::new())
            }
            Waiting::Answers { questions, .. } => {
                let own = questions
                    .iter()
                    .filter(|asked| asked.seat == *seat)
                    .enumerate();
                let forms = own.map(|(index, asked)| QuestionForm {
                    number: index + 1,
                    topic: asked.topic.clone(),
                });
                (Vec::new(), forms.collect())
            }
            _ => (Vec::new(), Vec::new()),
        };
        Moment {
            view,
            phases,
            questions,
        }
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

    /// Takes a mail of a seat: its receipt goes out, and if nothing else is missing, the wait is over.
    pub(super) fn take(
        &self,
        state: &mut State,
        mail: &MailIn,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
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
        let adds = first.reading.adds() && moment.questions.is_empty();
        let (words, understood) = if adds {
            let words = joined(state, seat, &mail.words);
            let understood = self.understand(&moment, seat, &words)?;
            (words, understood)
        } else {
            (mail.words.clone(), first.clone())
        };
        let answering = !moment.questions.is_empty();
        effects.understood = Some(first.clone());
        let ready = if adds {
            first.is_clean()
        } else {
            understood.is_clean()
        } && first.says_something();
        if !first.says_something() {
            // Nothing in it was understood: what the seat had sent before still counts, and no receipt says otherwise.
            return self.receipt_letter(state, mail, &moment, &first, &mail.words, None, effects);
        }
        // The orders of the envelope in use are sealed: these words are for the next.
        let quiet = matches!(
            state.waiting,
            Waiting::Answers { .. } | Waiting::Dice { .. }
        );
        let receipt = self.receipt(state, seat, &words, quiet)?;
        effects.receipts.push(receipt.to_string());
        if !answering && let Some(seat) = state.seats.get_mut(seat) {
            seat.words = if quiet {
                accepted_lines(&understood, &words)
            } else {
                words.clone()
            };
            seat.read = (!quiet).then(|| understood.clone());
            seat.ready = ready && !quiet;
        }
        self.receipt_letter(
            state,
            mail,
            &moment,
            &understood,
            &words,
            Some(&receipt),
            effects,
        )?;
        if answering {
            self.answer(state, seat, &understood, head, effects)
        } else {
            self.close_if_ready(state, head, effects)
        }
    }

    /// Issues the next receipt of a seat: for the envelope that its orders will seal, or, once those are sealed, for
    /// the envelope in use: an answer, or words that come too late for it.
    fn receipt(
        &self,
        state: &mut State,
        seat: &SeatId,
        words: &str,
        sealed: bool,
    ) -> Result<Receipt, EngineError> {
        let envelope = state.dice.envelope + u32::from(!sealed);
        let key = self.chains.key(&crate::dice::Lane::shut(), envelope)?;
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

    /// Answers a mail that was not accepted, if it is to be answered.
    pub(super) fn refuse(
        &self,
        state: &mut State,
        refused: &Refused,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        state.last_file.clone_from(&refused.file);
        if let Some(seat) = refused.seat.clone()
            && refused.reason.is_answered()
        {
            // Answered once. What gets no answer is not remembered: junk must not make the state grow.
            state.taken.insert(refused.digest.clone());
            if let Some(witness) = seat.strip_prefix("w-").and_then(|name| self.witness(name)) {
                return self.witness_refusal(state, witness, refused, effects);
            }
            self.refusal_letter(state, &seat, refused, effects)?;
        }
        Ok(())
    }
}

/// Whether mails can count now.
fn is_awaited(state: &State) -> bool {
    matches!(
        state.waiting,
        Waiting::Orders { .. } | Waiting::Answers { .. } | Waiting::Dice { .. }
    )
}

/// The lines of words that were understood and accepted. While another seat's answers are waited for, a seat's orders are
/// sealed, and only its standing orders can still be changed, for the next seal; it is told no more than before.
fn accepted_lines(understood: &Understood, words: &str) -> String {
    let fine: Vec<usize> = understood
        .reading
        .lines
        .iter()
        .filter(|(_, line)| !matches!(line, Line::Wrong(_)))
        .map(|(number, _)| *number)
        .collect();
    let kept = words
        .lines()
        .enumerate()
        .filter(|(index, _)| fine.contains(&(index + 1)));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

/// What two copies of one mail share when they came by different ways: seat, Message-ID and words. None without an id.
fn same_again(seat: &str, message_id: Option<&str>, words: &str) -> Option<String> {
    Some(format!("{seat} {} {}", message_id?, hash(words)))
}

/// The words that count when a mail adds to what is there: the earlier ones, then its own without the word ADD. Earlier
/// words that began with ADD themselves lose it in the same way.
fn joined(state: &State, seat: &SeatId, words: &str) -> String {
    let earlier = state
        .seats
        .get(seat)
        .map(|seat| seat.words.as_str())
        .unwrap_or_default();
    let added: String = words
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    canonical_orders(&format!("{earlier}{added}"))
}
