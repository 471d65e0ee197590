//! What goes out when a wait begins or ends: dispatches with their dice, questions.

use std::collections::BTreeSet;

use super::{
    close::{Closing, Word},
    drafts::Content,
    engine::{Effects, Engine, EngineError},
    letter::Picture,
    receipts::Due,
    state::{State, Waiting},
};
use crate::{
    dice::{Lane, LedgerLine},
    dispatch::{self, Asked, AskedQuestion, Briefing, DiceText, Document, Heard, OpenRoll},
    game::Lang,
    ids::SeatId,
    orders::{self, Vocabulary},
    rules::{Decisions, Question, Start, Suspended},
    value::Value,
    world::World,
};

impl Engine {
    /// Sends every seat its dispatch: what happened, what is asked, the dice of the envelope that is over.
    pub(super) fn publish(
        &self,
        state: &mut State,
        head: &str,
        word: Option<&Word>,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let new_token = state.dice.envelope > 0 || word.is_some();
        if effects.recalled {
            for seat in self.settings.seats.ids() {
                self.dispatch_counts(state, seat, new_token);
                self.count_letter(state, seat, true, effects);
            }
            state.recall_dice_entry(false);
            return Ok(());
        }
        let notes = self.notes(state, word)?;
        let contents = self.dispatches(state, word, !notes.is_empty())?;
        for (seat, _) in &contents {
            self.dispatch_counts(state, seat, new_token);
        }
        let closing = Closing {
            head,
            hold: false,
            notes,
        };
        self.send_with_dice(state, contents, closing, effects)
    }

    /// What a dispatch changes in its seat: it has heard everything, and its next answer carries another token. The opening
    /// letter and the first dispatch ask for the same orders: one token is good for both.
    fn dispatch_counts(&self, state: &mut State, seat: &SeatId, new_token: bool) {
        if let Some(entry) = state.seats.get_mut(seat) {
            entry.told = std::mem::take(&mut entry.heard);
            entry.token += u64::from(new_token);
        }
    }

    /// What each seat's dispatch says. `noted`: notes go out with it.
    fn dispatches(
        &self,
        state: &State,
        word: Option<&Word>,
        noted: bool,
    ) -> Result<Vec<(SeatId, Content)>, EngineError> {
        let has_entries = noted || state.dice.is_in_use() || !state.dice.unsent.is_empty();
        let lines = if state.dice.closed {
            Vec::new()
        } else {
            state.dice.unshown()
        };
        let mut contents = Vec::new();
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
            };
            let mut document =
                self.document(state, seat, &view, &heard, self.asked(state, seat), dice)?;
            if let Some(word) = word {
                let words = dispatch::Words::new(&self.game, self.lang(state, seat));
                document.notices.push(words.ruled(word.notice, &word.why));
            }
            let receipt = word.and_then(|word| word.receipts.get(seat));
            let proven = has_entries || receipt.is_some();
            let content = Content {
                page: Some(dispatch::page(&document, self.settings.pictures, proven)),
                pictures: self.pictures(&document),
                receipt: receipt.map(|number| Due {
                    number: number.clone(),
                    words: String::new(),
                }),
                starts_thread: true,
                ..Content::plain(document.subject.clone(), dispatch::body(&document), None)
            };
            contents.push((seat.clone(), content));
        }
        Ok(contents)
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
        let lang = self.lang(state, seat);
        let vocabulary = self.vocabulary(view, lang);
        let standing = self.standing_lines(&state.decisions, seat, lang, &vocabulary);
        let asks = self.asked_topics(&state.decisions, seat, lang);
        let template = self.template((seat, lang), view, &asked, &vocabulary)?;
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
    pub(super) fn asked(&self, state: &State, seat: &SeatId) -> Asked {
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
            Waiting::Answers { .. }
            | Waiting::Dice { .. }
            | Waiting::Dispatch { .. }
            | Waiting::Repair { .. } => Asked::Waiting { deadline: None },
            Waiting::Disclosure { .. } | Waiting::Nothing => Asked::Over,
        }
    }

    /// Lines that the seat could write now, in its language: those that the rules propose for the phase.
    fn template(
        &self,
        (seat, lang): (&SeatId, Lang),
        view: &World,
        asked: &Asked,
        vocabulary: &Vocabulary,
    ) -> Result<Vec<String>, EngineError> {
        let Asked::Orders { phases, .. } = asked else {
            return Ok(Vec::new());
        };
        let decisions = Decisions::default();
        let mut lines = Vec::new();
        let start = Start {
            phase: phases.first().map(String::as_str).unwrap_or_default(),
            world: view,
            options: &self.settings.options,
            decisions: &decisions,
        };
        for function in orders::template_functions(&self.grammar, &self.game.decl, phases) {
            // Without its proposals a dispatch still goes out.
            let proposed = self.program.template(seat, &start, function);
            lines.extend(proposed.unwrap_or_default());
        }
        let printed = orders::template(&self.grammar, vocabulary, &lines, lang);
        Ok(printed
            .iter()
            .map(|line| line.strip_prefix("# ").unwrap_or(line).to_owned())
            .collect())
    }

    /// Sends each seat that is asked its questions, with what it has seen so far.
    pub(super) fn ask(
        &self,
        state: &mut State,
        suspended: &Suspended,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        let Waiting::Answers { questions, .. } = &state.waiting else {
            return Ok(());
        };
        let asked: BTreeSet<SeatId> = questions.iter().map(|asked| asked.seat.clone()).collect();
        for seat in self
            .settings
            .seats
            .ids()
            .filter(|seat| asked.contains(*seat))
        {
            self.question_counts(state, seat);
            self.question_letter(state, seat, suspended, effects)?;
        }
        if let Some(shown) = &mut state.shown {
            shown.aware.extend(asked);
        }
        Ok(())
    }

    /// What a question changes in its seat: a question mail less in the turn, and another token.
    pub(super) fn question_counts(&self, state: &mut State, seat: &SeatId) {
        let turn = state.world.turn();
        if let Some(entry) = state.seats.get_mut(seat) {
            let used = match entry.questions {
                (of, used) if of == turn => used,
                _ => 0,
            };
            entry.questions = (turn, used + 1);
            entry.token += 1;
        }
    }

    /// Sends a seat its questions.
    pub(super) fn question_letter(
        &self,
        state: &mut State,
        seat: &SeatId,
        suspended: &Suspended,
        effects: &mut Effects,
    ) -> Result<(), EngineError> {
        if effects.recalled {
            self.count_letter(state, seat, false, effects);
            return Ok(());
        }
        let content = self.question_content(state, seat, suspended)?;
        self.send_to_seat(state, seat, content, effects)
    }

    /// The letter with a seat's questions.
    pub(super) fn question_content(
        &self,
        state: &State,
        seat: &SeatId,
        suspended: &Suspended,
    ) -> Result<Content, EngineError> {
        let document = self.question_document(state, seat, suspended)?;
        let public = state.asked_in_public().is_some();
        let text = dispatch::question(&document, public);
        let mut content = Content::plain(document.subject.clone(), text, None);
        content.pictures = self.pictures(&document);
        Ok(content)
    }

    /// The questions that a seat is asked, with what it has seen so far.
    pub(super) fn question_document(
        &self,
        state: &State,
        seat: &SeatId,
        suspended: &Suspended,
    ) -> Result<Document, EngineError> {
        let Waiting::Answers {
            questions,
            deadline,
            ..
        } = &state.waiting
        else {
            return self.map_document(state, Some(seat));
        };
        let lang = self.lang(state, seat);
        let nothing = World::default();
        let view = suspended.views.get(seat).unwrap_or(&nothing);
        let vocabulary = self.vocabulary(view, lang);
        let own = questions.iter().filter(|asked| asked.seat == *seat);
        let list = own
            .enumerate()
            .map(|(index, question)| self.put(index + 1, question, &vocabulary, lang))
            .collect();
        let heard = state.seats.get(seat).map(|seat| seat.heard.clone());
        let mut heard = heard.unwrap_or_default();
        heard.extend(suspended.events.iter().filter_map(|event| {
            let args = event.heard.get(seat)?.clone();
            Some(Heard {
                key: event.key.clone(),
                phase: event.phase.clone(),
                turn: event.turn,
                args,
            })
        }));
        let asked = Asked::Questions {
            list,
            deadline: *deadline,
        };
        self.document(state, seat, view, &heard, asked, DiceText::default())
    }

    /// The map of a document, if this campaign's letters carry it.
    pub(super) fn pictures(&self, document: &Document) -> Vec<Picture> {
        let wanted = self.settings.pictures.then(|| picture(document));
        wanted.into_iter().collect()
    }

    /// A question as its reader sees it: what happens without an answer is said as the answer that would do the same.
    fn put(
        &self,
        number: usize,
        question: &Question,
        vocabulary: &Vocabulary,
        lang: Lang,
    ) -> AskedQuestion {
        let words = dispatch::Words::new(&self.game, lang);
        let printed = |value: &Value| self.printed(&words, value);
        let answer = match &question.otherwise {
            Value::Map(args) => {
                orders::print_answer(&self.grammar, vocabulary, &question.topic, args, lang)
            }
            _ => None,
        };
        AskedQuestion {
            number,
            topic: question.topic.clone(),
            about: question.about.clone(),
            options: question.options.iter().map(printed).collect(),
            otherwise: answer.unwrap_or_else(|| printed(&question.otherwise)),
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

fn picture(document: &Document) -> Picture {
    let (campaign, turn) = (&document.heading.campaign, document.heading.turn);
    let file_name = format!("{campaign}-turn-{turn}.png");
    Picture::new(dispatch::MAP_CID, file_name, dispatch::map_svg(document))
}
