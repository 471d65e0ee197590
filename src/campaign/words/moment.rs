//! A seat's moment: its questions at a given time, its view then, and the meaning of its words.

use std::cell::OnceCell;

use jiff::Timestamp;

use crate::{
    campaign::{
        model::{
            context::Context,
            players,
            state::{CurrentWait, State},
            understanding::Understanding,
            verdicts::Verdicts,
        },
        words::understand::ReadingContext,
    },
    game::{Game, GameDecl, Lang},
    ids::SeatId,
    orders::{self, Command, OrderLine, QuestionForm, Reading, SettledWords, Vocabulary},
    rules::{Question, RuleError},
    world::World,
};

/// How a seat's words are read at this moment: what it is asked, on its view.
#[derive(Debug)]
pub struct Moment {
    /// The seat's language.
    pub lang: Lang,
    /// The view.
    pub view: World,
    /// The phases that wait for its orders.
    pub phases: Vec<String>,
    /// The questions that wait for its answer, numbered as in its letter.
    pub questions: Vec<QuestionForm>,
    /// True if everybody knows of these questions, so that the answers are sealed like orders.
    pub public: bool,
    /// The names that the seat knows, once they have been asked for.
    pub names: ViewNames,
}

/// Names that are put together once for a view.
#[derive(Debug, Default)]
pub struct ViewNames(OnceCell<Vocabulary>);

impl Moment {
    /// The names that the seat knows.
    pub(crate) fn vocabulary(&self, context: &Context) -> &Vocabulary {
        let names = &self.names.0;
        names.get_or_init(|| context.vocabulary(&self.view, self.lang))
    }

    /// The part of words that counts at this moment: if there are questions, answers alone.
    pub(crate) fn taken(&self, game: &Game, understood: Understanding) -> Understanding {
        if self.questions.is_empty() {
            understood
        } else {
            understood.answers_only(game)
        }
    }
}

/// A seat's moment: its questions and its view.
#[must_use]
pub fn moment(context: &Context, state: &State, seat: &SeatId) -> Moment {
    let shown = state.shown.as_deref();
    let own = match &state.waiting {
        CurrentWait::Answers { questions, .. } => forms(&context.game.decl, questions, seat),
        _ => Vec::new(),
    };
    // The seat can't know that its public answer has been sealed, or that others are quietly asked.
    let unaware = shown.filter(|_| own.is_empty() && is_quiet(context, state, seat));
    let before = unaware.map(|shown| forms(&context.game.decl, &shown.questions, seat));
    let in_public = match (&before, shown.and_then(|shown| shown.asked_in.as_deref())) {
        (Some(before), Some(asked_in)) if !before.is_empty() => Some(&asked_in.world),
        _ => None,
    };
    let public = in_public.is_some() || state.asked_in_public().is_some();
    let questions = before.unwrap_or(own);
    let (world, phase) = match (&state.waiting, shown) {
        (
            CurrentWait::Orders {
                seats,
                invited,
                phase,
                ..
            },
            _,
        ) => {
            let takes = seats.contains(seat) || invited.contains(seat);
            (&state.world, takes.then_some(phase))
        }
        (CurrentWait::Answers { .. } | CurrentWait::Dispatch { .. }, Some(shown))
            if questions.is_empty() =>
        {
            let orders = shown.questions.is_empty() && shown.takes_orders_of(seat);
            let still_open = orders && is_quiet(context, state, seat);
            (&shown.world, still_open.then_some(&shown.wanted))
        }
        _ => (in_public.unwrap_or(&state.world), None),
    };
    Moment {
        lang: players::lang(context, state, seat),
        view: world.seen_by(&context.game, seat),
        phases: phase.into_iter().cloned().collect(),
        public: public && !questions.is_empty(),
        questions,
        names: ViewNames::default(),
    }
}

/// Returns true if orders are sealed and this seat can't know it: others may be asked something,
/// and nothing that it is sent may reveal that. It does know once everybody has been told, once it
/// has been asked something itself, if only its own orders were waited for, and once the wait's
/// time is over.
#[must_use]
pub fn is_quiet(context: &Context, state: &State, seat: &SeatId) -> bool {
    let (Some((_, known)), Some(shown)) = (state.quiet(), &state.shown) else {
        return false;
    };
    let knows = shown.told || shown.aware.contains(seat) || shown.seats == [seat.clone()];
    !knows && !is_over(context, known, state)
}

/// Returns true if a wait with this deadline would be over by now.
pub(crate) fn is_over(context: &Context, deadline: Option<Timestamp>, state: &State) -> bool {
    let due = context
        .settings
        .schedule
        .is_due(deadline, false, state.time);
    deadline.is_some() && due && !state.on_hold
}

/// Understands a seat's words at this moment.
///
/// # Errors
/// If a check function of the rules fails.
pub fn understand(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    words: &str,
) -> Result<Understanding, RuleError> {
    let (phases, vocabulary) = known_at(context, moment);
    let setting = setting(context, moment, seat, &phases, vocabulary);
    let understood = setting.understand(&context.program, &context.grammar, words)?;
    Ok(moment.taken(&context.game, understood))
}

/// Understands a mail's own words, as `judge_words` does: first settles which lines are orders, or
/// were meant to be. The settled words are none if all lines are orders as they stand.
pub(crate) fn judge_mail(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    words: &str,
    verdicts: &mut Verdicts,
) -> Result<(Option<SettledWords>, Understanding), RuleError> {
    let (phases, vocabulary) = known_at(context, moment);
    let setting = setting(context, moment, seat, &phases, vocabulary);
    let mut reading = setting.read(&context.program, &context.grammar, words)?;
    let settled = setting.settle(&context.grammar, words, &reading);
    if let Some(settled) = &settled {
        reading = setting.read(&context.program, &context.grammar, &settled.text)?;
    }
    let understood = judged(context, (&setting, moment), reading, verdicts)?;
    Ok((settled, understood))
}

/// Words as they are printed, line by line, without those that were not understood.
pub(crate) fn printed(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    words: &str,
) -> Vec<String> {
    let (phases, vocabulary) = known_at(context, moment);
    let setting = setting(context, moment, seat, &phases, vocabulary);
    let read = setting.read(&context.program, &context.grammar, words);
    // If the machine can't keep up with guesses, the words are shown as they stand.
    let reading = read.unwrap_or_else(|_| setting.read_plainly(&context.grammar, words));
    let lines = reading.lines.iter().filter_map(|(_, line)| match line {
        OrderLine::Order(order) => Some(orders::print(
            &context.grammar,
            vocabulary,
            order,
            moment.lang,
        )),
        OrderLine::Command(Command::Add | Command::End) | OrderLine::Wrong(_) => None,
        OrderLine::Command(command) => Some(orders::print_command(
            &context.grammar,
            vocabulary,
            command,
            moment.lang,
        )),
    });
    lines.collect()
}

/// Returns true if the game's own words make an order of a line as it stands.
pub(crate) fn is_order(context: &Context, moment: &Moment, seat: &SeatId, line: &str) -> bool {
    let (phases, vocabulary) = known_at(context, moment);
    let setting = setting(context, moment, seat, &phases, vocabulary);
    let reading = setting.read_plainly(&context.grammar, line);
    reading.lines.iter().any(|(_, line)| match line {
        OrderLine::Order(_) => true,
        OrderLine::Command(command) => !matches!(command, Command::Add | Command::End),
        OrderLine::Wrong(_) => false,
    })
}

/// Like `understand`, for words that are taken: the checks' verdict goes on record, and a recall
/// takes it from there.
pub(crate) fn judge_words(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    words: &str,
    verdicts: &mut Verdicts,
) -> Result<Understanding, RuleError> {
    let (phases, vocabulary) = known_at(context, moment);
    let setting = setting(context, moment, seat, &phases, vocabulary);
    let reading = setting.read(&context.program, &context.grammar, words)?;
    judged(context, (&setting, moment), reading, verdicts)
}

fn judged(
    context: &Context,
    (setting, moment): (&ReadingContext<'_>, &Moment),
    reading: Reading,
    verdicts: &mut Verdicts,
) -> Result<Understanding, RuleError> {
    let program = &context.program;
    let (verdict, remarks) = match reading.orders().next() {
        Some(_) => verdicts.next(setting.seat, || setting.judge(program, &reading))?,
        None => Default::default(),
    };
    let of_answers = match setting.has_judged_answers(&context.game, &reading) {
        true => Some(verdicts.next(setting.seat, || setting.judge_answers(program, &reading))?),
        false => None,
    };
    let mut understood = Understanding::judged(reading, &verdict, remarks);
    if let Some((verdict, remarks)) = of_answers {
        understood.add_judged_answers(&verdict, remarks);
    }
    Ok(moment.taken(&context.game, understood))
}

/// The phases that wait for the seat, and the names that it knows.
fn known_at<'a>(context: &Context, moment: &'a Moment) -> (Vec<&'a str>, &'a Vocabulary) {
    let phases = moment.phases.iter().map(String::as_str);
    (phases.collect(), moment.vocabulary(context))
}

fn setting<'a>(
    context: &'a Context,
    moment: &'a Moment,
    seat: &'a SeatId,
    phases: &'a [&'a str],
    vocabulary: &'a Vocabulary,
) -> ReadingContext<'a> {
    ReadingContext {
        seat,
        lang: moment.lang,
        view: &moment.view,
        vocabulary,
        phases,
        questions: &moment.questions,
        options: &context.settings.options,
    }
}

/// The questions that a seat is asked, numbered as in its letter.
fn forms(game: &GameDecl, questions: &[Question], seat: &SeatId) -> Vec<QuestionForm> {
    let own = questions.iter().filter(|asked| asked.seat == *seat);
    let form = |(index, asked): (usize, &Question)| {
        QuestionForm::new(index + 1, &asked.topic)
            .about(&asked.about)
            .with_options(game, &asked.options)
    };
    own.enumerate().map(form).collect()
}

/// The deadline that a seat may know of.
pub(crate) fn deadline_for(
    context: &Context,
    state: &State,
    seat: &SeatId,
    moment: &Moment,
) -> Option<jiff::Timestamp> {
    match &state.waiting {
        CurrentWait::Answers { known, public, .. }
            if moment.questions.is_empty() || moment.public =>
        {
            known.filter(|_| *public || is_quiet(context, state, seat))
        }
        CurrentWait::Dispatch { known } => known.filter(|_| is_quiet(context, state, seat)),
        CurrentWait::Orders { deadline, .. } | CurrentWait::Answers { deadline, .. } => *deadline,
        _ => None,
    }
}

/// Returns true if the last wait that everybody was told of is for answers.
pub(crate) fn is_for_answers(state: &State) -> bool {
    let shown = state.shown.as_ref();
    state.asked_in_public().is_some() || shown.is_some_and(|shown| !shown.questions.is_empty())
}

/// Returns true if all of a seat's words count at a seal, not just its standing orders: if orders
/// are `open`, or must seem so to a seat that can't know of a `quiet` wait.
pub(crate) fn counts_whole(open: bool, quiet: bool, answers: bool) -> bool {
    open || (quiet && !answers)
}

/// Returns true if words that come now count at the next seal.
pub(crate) fn is_open(state: &State) -> bool {
    !matches!(
        state.waiting,
        CurrentWait::Answers { .. } | CurrentWait::Dice { .. } | CurrentWait::Dispatch { .. }
    )
}
