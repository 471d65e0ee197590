//! What goes out when a wait begins or ends: dispatches with their dice, questions.

use super::{
    engine::{Effects, Engine, EngineError},
    letters::Content,
    state::{State, Waiting},
};
use crate::{
    dice::{Body, DiceEntry, Lane, Ledger, LedgerLine, Note, PrivateBlock, What},
    dispatch::{self, Asked, AskedQuestion, Briefing, DiceText, Document, Heard, OpenRoll},
    ids::SeatId,
    mail::{AutoSubmitted, Image, TextAttachment},
    orders::{self, Vocabulary},
    rules::{Decisions, Question, Start, Suspended},
    value::Value,
    world::World,
};

/// The entries and texts of the dice that go out with the dispatches of one envelope.
struct Rolled {
    entries: Vec<(String, String)>,
    lines: Vec<LedgerLine>,
    envelope: u32,
}

impl Engine {
    /// Sends every seat its dispatch: what happened, what is asked, the dice of the envelope that is over.
    pub(super) fn publish(
        &self,
        state: &mut State,
        head: &str,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.recalled {
            for seat in self.settings.seats.ids() {
                self.dispatch_counts(state, seat, state.dice.envelope > 0);
                self.count_letter(state, seat, true);
            }
            state.dice.seal.clear();
            return Ok(());
        }
        let drafts = self.drafts(state)?;
        let rolled = self.close_envelope(state, &drafts, head, effects)?;
        self.show_register(state);
        for (seat, mut document, body) in drafts {
            self.dispatch_counts(state, &seat, rolled.is_some());
            let private = match &rolled {
                Some(rolled) => self.private(&seat, rolled)?.to_string(),
                None => String::new(),
            };
            let entries: Vec<&str> = rolled
                .iter()
                .flat_map(|rolled| &rolled.entries)
                .map(|(_, text)| text.as_str())
                .collect();
            document.seal(&private, &entries.join("\n"));
            let text = dispatch::append(&body, &document, &state.foot);
            let images = self.pictures(&document)?;
            let content = Content {
                subject: document.subject.clone(),
                text,
                html: Some(dispatch::html(
                    &document,
                    self.settings.pictures,
                    &state.foot,
                )),
                images,
                attachments: attachments(&rolled),
                auto_submitted: AutoSubmitted::Generated,
                answers: None,
                starts_thread: true,
            };
            self.send_to_seat(state, &seat, content, effects)?;
        }
        Ok(())
    }

    /// What a dispatch changes in its seat: it has heard everything, and its next answer carries another token. The opening
    /// letter and the first dispatch ask for the same orders: one token is good for both.
    fn dispatch_counts(&self, state: &mut State, seat: &SeatId, new_token: bool) {
        if let Some(entry) = state.seats.get_mut(seat) {
            entry.heard.clear();
            entry.token += u64::from(new_token);
        }
    }

    /// The document and the bound body of each seat's dispatch.
    fn drafts(&self, state: &State) -> Result<Vec<(SeatId, Document, String)>, EngineError> {
        let lines = state.dice.lines();
        let mut drafts = Vec::new();
        for seat in self.settings.seats.ids() {
            let view = state.world.seen_by(&self.game, seat);
            let heard = state
                .seats
                .get(seat)
                .map(|seat| seat.heard.clone())
                .unwrap_or_default();
            let dice = DiceText {
                open: rolls(&lines, &Lane::open()),
                own: rolls(&lines, &Lane::seat(seat)?),
                ..DiceText::default()
            };
            let document =
                self.document(state, seat, &view, &heard, self.asked(state, seat), dice)?;
            let body = dispatch::body(&document);
            drafts.push((seat.clone(), document, body));
        }
        Ok(drafts)
    }

    /// A seat's document. Everything in it comes from the view.
    pub(super) fn document(
        &self,
        state: &State,
        seat: &SeatId,
        view: &World,
        heard: &[Heard],
        asked: Asked,
        dice: DiceText,
    ) -> Result<Document, EngineError> {
        let lang = self.lang(seat);
        let vocabulary = Vocabulary::of_view(&self.game, view, lang);
        let standing = self.standing_lines(&state.decisions, seat, &vocabulary);
        let asks = self.asked_topics(&state.decisions, seat);
        let template = self.template(seat, view, &asked, &vocabulary)?;
        let title = self.title(lang);
        let briefing = Briefing {
            game: &self.game,
            display: &self.game.decl.display,
            campaign: self.settings.campaign.as_str(),
            title: &title,
            seat,
            lang,
            view,
            phase: &state.phase,
            events: heard,
            asked,
            zone: self.settings.schedule.zone(),
            standing: &standing,
            asks: &asks,
            template: &template,
            dice,
            notices: &[],
        };
        // A text that can't be printed is the umpire's to mend; `check` finds it before a campaign begins.
        Ok(Document::build(&briefing).0)
    }

    /// The document of a map: as a seat sees it, or the true world for the umpire.
    ///
    /// # Errors
    /// If a template function of the rules fails.
    pub fn map_document(
        &self,
        state: &State,
        seat: Option<&SeatId>,
    ) -> Result<Document, EngineError> {
        let umpire = SeatId::from("umpire");
        let view = seat.map_or_else(
            || state.world.clone(),
            |seat| state.world.seen_by(&self.game, seat),
        );
        self.document(
            state,
            seat.unwrap_or(&umpire),
            &view,
            &[],
            Asked::Waiting { deadline: None },
            DiceText::default(),
        )
    }

    /// What a seat is asked for at this moment.
    fn asked(&self, state: &State, seat: &SeatId) -> Asked {
        match &state.waiting {
            Waiting::Orders {
                seats,
                phase,
                deadline,
            } if seats.contains(seat) => Asked::Orders {
                phases: vec![state.in_full(phase)],
                deadline: *deadline,
                only_standing: !self.grammar.takes_orders(phase),
            },
            Waiting::Orders { deadline, .. } => Asked::Waiting {
                deadline: *deadline,
            },
            Waiting::Answers { .. } | Waiting::Dice { .. } | Waiting::Repair { .. } => {
                Asked::Waiting { deadline: None }
            }
            Waiting::Disclosure { .. } | Waiting::Nothing => Asked::Over,
        }
    }

    /// Lines that the seat could write now, in its language: those that the rules propose for the phase.
    fn template(
        &self,
        seat: &SeatId,
        view: &World,
        asked: &Asked,
        vocabulary: &Vocabulary,
    ) -> Result<Vec<String>, EngineError> {
        let Asked::Orders { phases, .. } = asked else {
            return Ok(Vec::new());
        };
        let decisions = Decisions::default();
        let mut lines = Vec::new();
        for name in self.grammar.verbs() {
            let Some(verb) = self.game.decl.orders.verbs.get(name) else {
                continue;
            };
            let wanted = verb.phases.iter().any(|phase| {
                phases
                    .iter()
                    .any(|asked| asked.split('.').next() == Some(phase))
            });
            if let (true, Some(function)) = (wanted, &verb.template) {
                let phase = phases.first().map(String::as_str).unwrap_or_default();
                let start = Start {
                    phase,
                    world: view,
                    options: &self.settings.options,
                    decisions: &decisions,
                };
                // Without its proposals a dispatch still goes out.
                lines.extend(
                    self.program
                        .template(seat, &start, function)
                        .unwrap_or_default(),
                );
            }
        }
        let printed = orders::template(&self.grammar, vocabulary, &lines, self.lang(seat));
        Ok(printed
            .iter()
            .map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned())
            .collect())
    }

    /// Closes the envelope in use: its register entry, with the digests of everything that goes out. Nothing to close
    /// before the first seal.
    fn close_envelope(
        &self,
        state: &mut State,
        drafts: &[(SeatId, Document, String)],
        head: &str,
        effects: &mut Effects,
    ) -> Result<Option<Rolled>, EngineError> {
        let envelope = state.dice.envelope;
        if envelope == 0 {
            return Ok(None);
        }
        let lines = state.dice.lines();
        let mut binds = vec![
            (What::Ledger, Ledger(lines.clone()).text_of(envelope)),
            (What::Journal, format!("{head}\n")),
        ];
        for (seat, _, body) in drafts {
            binds.push((What::Dispatch(seat.clone()), body.clone()));
            effects
                .items
                .push((format!("{envelope}/dispatch-{seat}.txt"), body.clone()));
        }
        effects
            .items
            .push((format!("{envelope}/journal.txt"), format!("{head}\n")));
        let digests = binds
            .into_iter()
            .map(|(what, text)| Ok((what.clone(), self.chains.digest(envelope, &what, &text)?)))
            .collect::<Result<_, EngineError>>()?;
        let entry = DiceEntry {
            envelope,
            values: self.values_in_order(state),
            open_key: Some(self.chains.key(&Lane::open(), envelope)?.clone()),
            binds: digests,
            rolls: lines
                .iter()
                .filter(|line| line.lane.is_open())
                .cloned()
                .collect(),
        };
        let seal = std::mem::take(&mut state.dice.seal);
        let dice = self.enter(state, Body::Dice(entry), effects)?;
        // Where the dice waited, the seal has gone out alone, before them.
        let both = [seal, dice].into_iter().filter(|entry| !entry.is_empty());
        let mut entries: Vec<_> = both.map(|entry| (register_file(&entry), entry)).collect();
        if let Waiting::Disclosure { at } = &state.waiting {
            // Receipts must be on the table before the master is published (dice.md, section 8).
            let day = at.to_zoned(self.settings.schedule.zone().clone()).date();
            let text = format!(
                "the campaign has ended; the master is published on {day}, keep all receipts"
            );
            let note = self.enter(state, Body::Note(Note::new(&text)?), effects)?;
            entries.push((register_file(&note), note));
        }
        Ok(Some(Rolled {
            entries,
            lines,
            envelope,
        }))
    }

    /// What one seat may know of the dice and nobody else.
    fn private(&self, seat: &SeatId, rolled: &Rolled) -> Result<PrivateBlock, EngineError> {
        let lane = Lane::seat(seat)?;
        let blinds = [What::Orders(seat.clone()), What::Dispatch(seat.clone())];
        let blinds = blinds
            .into_iter()
            .map(|what| Ok((what.clone(), self.chains.blind(rolled.envelope, &what)?)))
            .collect::<Result<_, EngineError>>()?;
        Ok(PrivateBlock {
            campaign: self.name.clone(),
            seat: seat.clone(),
            envelope: rolled.envelope,
            keys: vec![(
                lane.clone(),
                self.chains.key(&lane, rolled.envelope)?.clone(),
            )],
            blinds,
            rolls: rolled
                .lines
                .iter()
                .filter(|line| line.lane == lane)
                .cloned()
                .collect(),
        })
    }

    /// Sends each seat that is asked its questions, with what it has seen so far.
    pub(super) fn ask(
        &self,
        state: &mut State,
        suspended: &Suspended,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Waiting::Answers {
            questions,
            deadline,
            ..
        } = state.waiting.clone()
        else {
            return Ok(());
        };
        for seat in self.settings.seats.ids() {
            let own: Vec<&Question> = questions
                .iter()
                .filter(|asked| asked.seat == *seat)
                .collect();
            if own.is_empty() {
                continue;
            }
            let turn = state.world.turn();
            if let Some(entry) = state.seats.get_mut(seat) {
                let used = if entry.questions.0 == turn {
                    entry.questions.1
                } else {
                    0
                };
                entry.questions = (turn, used + 1);
                entry.token += 1;
            }
            if effects.recalled {
                self.count_letter(state, seat, false);
                continue;
            }
            let list = own
                .iter()
                .enumerate()
                .map(|(index, question)| self.put(index + 1, question, seat))
                .collect();
            let mut heard = state
                .seats
                .get(seat)
                .map(|seat| seat.heard.clone())
                .unwrap_or_default();
            heard.extend(suspended.events.iter().filter_map(|event| {
                let args = event.heard.get(seat)?.clone();
                Some(Heard {
                    key: event.key.clone(),
                    phase: event.phase.clone(),
                    turn: event.turn,
                    args,
                })
            }));
            let nothing = World::default();
            let view = suspended.views.get(seat).unwrap_or(&nothing);
            let asked = Asked::Questions { list, deadline };
            let document = self.document(state, seat, view, &heard, asked, DiceText::default())?;
            let foot = state.foot.clone();
            let text = dispatch::question_mail(&dispatch::QuestionMail {
                document: &document,
                head: &foot,
            });
            let content = Content {
                subject: document.subject.clone(),
                text,
                html: None,
                images: self.pictures(&document)?,
                attachments: Vec::new(),
                auto_submitted: AutoSubmitted::Generated,
                answers: None,
                starts_thread: false,
            };
            self.send_to_seat(state, seat, content, effects)?;
        }
        Ok(())
    }

    /// The map of a document, if this campaign's letters carry it.
    fn pictures(&self, document: &Document) -> Result<Vec<Image>, EngineError> {
        if self.settings.pictures {
            Ok(vec![picture(document)?])
        } else {
            Ok(Vec::new())
        }
    }

    fn put(&self, number: usize, question: &Question, seat: &SeatId) -> AskedQuestion {
        let words = dispatch::Words::new(&self.game, self.lang(seat));
        let printed = |value: &Value| self.printed(&words, value);
        AskedQuestion {
            number,
            topic: question.topic.clone(),
            about: question.about.clone(),
            options: question.options.iter().map(printed).collect(),
            otherwise: printed(&question.otherwise),
        }
    }
}

impl Engine {
    /// A value of a question as a player reads it: keywords of the order language in the reader's spelling.
    fn printed(&self, words: &dispatch::Words<'_>, value: &Value) -> String {
        match value {
            Value::Text(text) => {
                let keyword = self.game.decl.orders.keywords.get(&text.to_uppercase());
                let spelling = keyword.and_then(|keyword| keyword.get(&words.lang())?.first());
                spelling.cloned().unwrap_or_else(|| words.value(value))
            }
            Value::List(list) => list
                .iter()
                .map(|item| self.printed(words, item))
                .collect::<Vec<_>>()
                .join(", "),
            Value::Map(fields) if !fields.contains_key("name") => {
                let parts = fields.values().map(|item| self.printed(words, item));
                parts
                    .filter(|part| !part.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            _ => words.value(value),
        }
    }
}

fn rolls(lines: &[LedgerLine], lane: &Lane) -> Vec<OpenRoll> {
    let of_lane = lines.iter().filter(|line| line.lane == *lane);
    of_lane
        .map(|line| OpenRoll {
            label: format!("{}#{}", line.label, line.k),
            spec: line.spec.to_string(),
            results: line.result.iter().map(|die| i64::from(*die)).collect(),
        })
        .collect()
}

fn picture(document: &Document) -> Result<Image, EngineError> {
    let bytes = dispatch::map_png(&dispatch::map_svg(document))
        .map_err(|error| EngineError::Picture(error.to_string()))?;
    Ok(Image {
        cid: dispatch::MAP_CID.to_owned(),
        bytes,
        file_name: format!(
            "{}-turn-{}.png",
            document.heading.campaign, document.heading.turn
        ),
    })
}

/// `register-<campaign>-<n>.txt` (dice.md, section 4).
pub(super) fn register_file(entry: &str) -> String {
    let mut words = entry.split_ascii_whitespace().skip(1);
    let (campaign, n) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    format!("register-{campaign}-{n}.txt")
}

fn attachments(rolled: &Option<Rolled>) -> Vec<TextAttachment> {
    let entries = rolled.iter().flat_map(|rolled| &rolled.entries);
    entries
        .map(|(name, text)| TextAttachment {
            name: name.clone(),
            text: text.clone(),
        })
        .collect()
}
