//! Letters about errands, and letters between seats. Answers come only from what the seat has been
//! told or shown: in a quiet wait, from the wait before.

use minijinja::{Value, context};

use super::{
    content::{LetterContent, in_words},
    documents::{attached, map_document},
    letter::Picture,
    notices::{phase_name, quoted},
    openings::seats_of_campaign,
    repeats::asked_as_shown,
};
use crate::{
    campaign::{
        model::{
            absence::{AbsenceAct, OpponentRights, Remedy},
            context::Context,
            errands::{Errand, ErrandFault, ErrandLine, PressTime, SentLetter},
            players,
            recipient::Recipient,
            state::State,
            work_error::WorkError,
        },
        turn::plan::{ErrandOutcome, ErrandsPlan, WordFromSeat},
        words::{
            joining,
            knowledge::{as_shown, as_told},
            moment::{self, deadline_for},
        },
    },
    dispatch::{self, Request},
    game::{self, Lang},
    ids::SeatId,
    mail::TextAttachment,
    orders,
};

/// The answer to a mail with errands.
pub(super) fn content(
    context: &Context,
    state: &State,
    seat: &SeatId,
    plan: &ErrandsPlan,
) -> Result<LetterContent, WorkError> {
    let lang = players::lang(context, state, seat);
    let reader = AnswerReader {
        context,
        state,
        seat,
        lang,
    };
    let entries = plan.done.iter();
    let entries: Vec<Value> = entries.map(|done| reader.entry(done)).collect();
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        umpire => context.umpire(),
        press => match context.settings.press.goes {
            PressTime::Never => "never",
            PressTime::AtOnce => "at_once",
            PressTime::WithDispatches => "with_dispatches",
        },
        grey => context.settings.press.grey,
        courier => context.courier().is_some(),
        gone => !plan.gone.is_empty(),
        has_orders => plan.has_orders,
        opponent => context.settings.absence.opponent != OpponentRights::default(),
        when_ready => context.settings.schedule.when_ready(),
        entries,
    };
    let letter = dispatch::letter(lang, "errands", args);
    let part = plan.done.iter().find_map(|(line, _)| match &line.errand {
        Errand::Map { turn: None, part } => Some(part),
        _ => None,
    });
    let pictures = match part {
        Some(part) => reader.map(part.as_ref())?,
        None => Vec::new(),
    };
    let wants_rules = |(line, _): &(ErrandLine, ErrandOutcome)| line.errand == Errand::Rules;
    let guide = plan.done.iter().any(wants_rules).then(|| reader.guide());
    Ok(LetterContent {
        pictures,
        texts: guide.flatten().into_iter().collect(),
        ..LetterContent::plain(letter, plan.answers.clone())
    })
}

/// A letter from another seat.
pub(super) fn press(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (from, to, words, taken): (Option<&SeatId>, &[SeatId], &str, bool),
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let name = |seat: &SeatId| seat_name(context, seat, lang);
    let others = to.iter().filter(|other| *other != seat);
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        from => from.map(name),
        reply => from.map(SeatId::as_str),
        others => others.map(name).collect::<Vec<_>>(),
        taken,
    };
    let mut letter = dispatch::letter(lang, "press", args);
    letter.text.push_str(&quoted(words));
    LetterContent::plain(letter, None)
}

/// What has come of a seat whose player has gone, for one that it concerns.
pub(super) fn remedy(
    context: &Context,
    state: &State,
    seat: &SeatId,
    (gone, what): (&SeatId, &str),
) -> LetterContent {
    let lang = players::lang(context, state, seat);
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        title => context.title(lang),
        gone => seat_name(context, gone, lang),
        what,
    };
    LetterContent::plain(dispatch::letter(lang, "opponent", args), None)
}

/// To the umpire: a seat has written, has left, or stays after all.
pub(super) fn from_seat(context: &Context, word: &WordFromSeat) -> LetterContent {
    let args = context! {
        campaign => context.settings.campaign.as_str(),
        seat => word.seat.as_str(),
        what => word.what,
    };
    let mut letter = dispatch::letter(Lang::En, "from_seat", args);
    if !word.words.is_empty() {
        letter.text.push_str(&quoted(&word.words));
    }
    LetterContent::plain(letter, None)
}

/// A seat as its letters name it: by its name and its id.
fn seat_name(context: &Context, seat: &SeatId, lang: Lang) -> String {
    let decl = &context.game.decl;
    match decl.seat(seat).map(|found| decl.seat_name(found, lang)) {
        Some(name) if !name.is_empty() => format!("{name} ({seat})"),
        _ => seat.to_string(),
    }
}

/// The reader of an answer.
struct AnswerReader<'a> {
    context: &'a Context,
    state: &'a State,
    seat: &'a SeatId,
    lang: Lang,
}

impl AnswerReader<'_> {
    /// An errand and its outcome, for the template.
    fn entry(&self, (line, outcome): &(ErrandLine, ErrandOutcome)) -> Value {
        let (outcome, letters) = match outcome {
            ErrandOutcome::Done => ("done", Vec::new()),
            ErrandOutcome::NotDone(why) | ErrandOutcome::DoneAs(why) => (*why, Vec::new()),
            ErrandOutcome::Again(letters) => ("again", self.letters(letters.iter())),
        };
        let entry = context! { line => line.line.as_str(), outcome, letters };
        let more = match &line.errand {
            Errand::Help { topic } => {
                context! { kind => "help", topic => topic.as_deref().unwrap_or("all") }
            }
            Errand::Status => context! { kind => "status", ..self.status() },
            Errand::Deadline => context! { kind => "deadline", ..self.status() },
            Errand::Who => context! { kind => "who", seats => self.seats() },
            Errand::Orders => context! { kind => "orders", orders => self.orders() },
            Errand::Rules => context! { kind => "rules", ..self.rules() },
            Errand::Resend { .. } => context! { kind => "resend" },
            Errand::Map { turn, part } => context! {
                kind => "map",
                turn => turn,
                part => part.as_ref().map(|part| part.join("-")),
                has_part => part.as_ref().is_none_or(|part| self.has_part(part)),
            },
            Errand::History { from, to } => {
                context! { kind => "history", list => self.history(*from, *to) }
            }
            Errand::Language { .. } => context! { kind => "language" },
            Errand::Umpire { .. } => context! { kind => "umpire" },
            Errand::Press { to, grey, words } => context! {
                kind => "press",
                grey,
                to => self.readers(to),
                lines => words.lines().count(),
            },
            Errand::Club => context! {
                kind => "club",
                club => self.context.settings.club.as_ref().map(ToString::to_string),
            },
            Errand::Absent { .. } => context! { kind => "absent", ..self.absence() },
            Errand::Ready { on } => context! { kind => "ready", on, is_in => self.is_in() },
            Errand::Request { remedy, .. } => context! {
                kind => "request",
                remedy => remedy.key(),
                after => self.context.settings.absence.offered_after,
                allowed => self.remedies(),
            },
            Errand::Resign => context! { kind => "resign" },
            Errand::Back => context! { kind => "back" },
            Errand::Faulty { fault, verb } => context! {
                kind => "faulty",
                fault => fault_key(*fault),
                verb,
            },
        };
        context! { ..entry, ..more }
    }

    fn in_words(&self, at: jiff::Timestamp) -> String {
        let zone = players::zone(self.context, self.state, self.seat);
        in_words(self.context, self.lang, zone, at)
    }

    /// The state of the campaign, as far as the seat has been told.
    fn status(&self) -> Value {
        let (context, seat) = (self.context, self.seat);
        let told = as_told(context, self.state, seat);
        let moment = moment::moment(context, self.state, seat);
        let known = as_shown(&told);
        let asked = match asked_as_shown(context, &told, seat) {
            _ if !moment.questions.is_empty() => "answers",
            Request::Orders { .. } => "orders",
            Request::Invited { .. } => "invited",
            Request::Over => "over",
            Request::Questions { .. } | Request::Waiting { .. } => "nothing",
        };
        let phases = moment.phases.iter();
        let phases = phases.map(|phase| phase_name(context, self.lang, &self.state.in_full(phase)));
        let deadline = deadline_for(context, self.state, seat, &moment);
        let entry = self.state.seats.get(seat);
        let schedule = &context.settings.schedule;
        context! {
            turn => moment.view.turn(),
            phase => phase_name(context, self.lang, &known.phase),
            asked,
            phases => phases.collect::<Vec<_>>(),
            questions => moment.questions.len(),
            deadline => deadline.map(|at| self.in_words(at)),
            on_hold => self.state.on_hold,
            is_in => self.is_in(),
            ready => schedule.when_ready().then(|| entry.is_some_and(|entry| entry.said_ready)),
            resigned => entry.is_some_and(|entry| entry.resigned.is_some()),
        }
    }

    /// When the seat's player is away, and what happens meanwhile.
    fn absence(&self) -> Value {
        let rules = self.context.settings.absence;
        let club = self.context.settings.club.as_ref();
        let entry = self.state.seats.get(self.seat);
        let attendance = entry.map(|entry| &entry.attendance);
        let absence = attendance.and_then(|it| it.absence.as_ref());
        let acts = absence.map(|absence| match &absence.acts {
            AbsenceAct::Waits => "waits",
            AbsenceAct::StandingOrders => "standing",
            AbsenceAct::Bot(_) => "bot",
        });
        context! {
            from => absence.map(|absence| self.in_words(absence.from)),
            until => absence.map(|absence| self.in_words(absence.until)),
            acts,
            days => rules.days,
            left => attendance.map(|it| rules.left(it).as_hours() / 24),
            club => club.map(ToString::to_string),
        }
    }

    /// What the opponent of a player who has gone may ask for here.
    fn remedies(&self) -> Vec<&'static str> {
        let rights = self.context.settings.absence.opponent;
        let all = [Remedy::Replacement, Remedy::Bot, Remedy::Win].into_iter();
        all.filter(|remedy| rights.have(*remedy))
            .map(Remedy::key)
            .collect()
    }

    /// Returns true if orders of the seat are in.
    fn is_in(&self) -> bool {
        let entry = self.state.seats.get(self.seat);
        entry.is_some_and(|entry| !entry.is_silent())
    }

    /// The seat's orders that are in.
    fn orders(&self) -> Vec<String> {
        let (context, seat) = (self.context, self.seat);
        let moment = moment::moment(context, self.state, seat);
        let words = joining::replaced(context, self.state, seat, &moment);
        moment::printed(context, &moment, seat, words)
    }

    /// The players of the seats, without addresses.
    fn seats(&self) -> Vec<Value> {
        let seats = seats_of_campaign(self.context, self.state, self.lang).into_iter();
        seats
            .map(|it| context! { seat => it.seat, side => it.side, player => it.player })
            .collect()
    }

    fn readers(&self, to: &[Recipient]) -> Vec<String> {
        let seats = to.iter().filter_map(Recipient::seat);
        let mut names: Vec<String> = seats
            .map(|seat| seat_name(self.context, seat, self.lang))
            .collect();
        if to.contains(&Recipient::Umpire) {
            names.push("@umpire".to_owned());
        }
        names
    }

    /// The rules of play: the game's subject, its scenario, all its orders with examples.
    fn rules(&self) -> Value {
        let context = self.context;
        let decl = &context.game.decl;
        let text = context.game.words(self.lang);
        let scenario = &context.settings.scenario;
        let about = text.and_then(|text| text.scenarios.get(scenario));
        let known = as_shown(&as_told(context, self.state, self.seat));
        let view = known.world.seen_by(&context.game, self.seat);
        let names = context.vocabulary(&view, self.lang);
        let helps =
            orders::help_of_seat(&context.grammar, &context.game, scenario, &names, self.lang);
        let helps = helps.into_iter().map(|help| {
            context! {
                about => help.about,
                examples => help.examples,
                standing => help.standing,
                otherwise => help.default,
            }
        });
        context! {
            game => game::said(&decl.title, self.lang),
            about => game::said(&decl.about, self.lang).trim(),
            scenario => about.map_or("", String::as_str),
            rulebook => game::said(&decl.rulebook, self.lang),
            helps => helps.collect::<Vec<_>>(),
            guide => self.guide().map(|file| file.name),
        }
    }

    /// The guide to the game, for those who don't own it.
    fn guide(&self) -> Option<TextAttachment> {
        let game = &self.context.settings.game;
        let text = game::guide(game, self.lang)?;
        let name = format!("{game}.txt");
        Some(TextAttachment { name, text })
    }

    /// The letters of these turns.
    fn history(&self, from: Option<i64>, to: Option<i64>) -> Vec<Value> {
        let entry = self.state.seats.get(self.seat);
        let sent = entry.map_or(&[][..], |entry| &entry.sent);
        let chosen = sent.iter().filter(|letter| {
            from.is_none_or(|from| letter.turn >= from) && to.is_none_or(|to| letter.turn <= to)
        });
        self.letters(chosen)
    }

    fn letters<'l>(&self, letters: impl Iterator<Item = &'l SentLetter>) -> Vec<Value> {
        let one = |letter: &SentLetter| {
            context! {
                number => letter.number,
                kind => letter.kind.key(),
                turn => letter.turn,
                at => self.in_words(letter.at),
            }
        };
        letters.map(one).collect()
    }

    /// Returns true if the map has both corners of a part.
    fn has_part(&self, part: &[String; 2]) -> bool {
        let map = self.context.game.map.hexes();
        map.is_some_and(|map| part.iter().all(|hex| map.number(hex).is_some()))
    }

    /// The map as the seat was shown it last, or a part of it.
    fn map(&self, part: Option<&[String; 2]>) -> Result<Vec<Picture>, WorkError> {
        let known = as_shown(&as_told(self.context, self.state, self.seat));
        let mut document = map_document(self.context, &known, Some(self.seat))?;
        if let Some([one, other]) = part {
            let corners = Some([one.as_str(), other.as_str()]);
            if dispatch::show_part(&mut document, &self.context.game, corners).is_err() {
                return Ok(Vec::new());
            }
        }
        Ok(attached(&document, dispatch::map_pictures(&document)))
    }
}

fn fault_key(fault: ErrandFault) -> &'static str {
    match fault {
        ErrandFault::Form => "form",
        ErrandFault::NoEnd => "no_end",
        ErrandFault::NoWords => "no_words",
        ErrandFault::TooLong => "too_long",
        ErrandFault::Nobody => "nobody",
        ErrandFault::Oneself => "oneself",
        ErrandFault::TooMany => "too_many",
    }
}
