//! Joins a seat's words with its earlier ones: those that ADD adds to, those carried from the
//! envelope before, and those that count at a later seal.

use std::collections::BTreeSet;

use super::moment::{counts_whole, is_for_answers, is_open};
use crate::{
    campaign::{
        model::{
            context::Context,
            state::State,
            understanding::{GivenAnswer, Understanding, group_of},
            verdicts::Verdicts,
        },
        words::moment::{self, Moment},
    },
    dice::canonical_orders,
    ids::SeatId,
    orders::{self, Command, Diagnostic, MAX_BYTES, MAX_LINES, OrderLine, Reading},
    rules::RuleError,
    value::{Fields, Value},
};

/// A seat's words joined with its earlier ones.
#[derive(Clone, Debug)]
pub struct JoinedWords {
    /// The text: what remains of the earlier words, then the mail's own without ADD.
    pub text: String,
    /// What the words mean.
    pub understood: Understanding,
    /// Errors of the rules' check functions over it, and over the words that it was joined from.
    pub faults: Vec<String>,
    /// The lines around the mail's orders that are no orders, and no part of the text.
    pub prose: Vec<String>,
    /// The first line that is the mail's own.
    own: usize,
}

impl JoinedWords {
    /// The number of lines of the text that came with earlier mails.
    pub(crate) fn earlier(&self) -> usize {
        self.own.saturating_sub(1)
    }

    /// Returns true if every one of the mail's own lines was understood and accepted.
    pub(crate) fn own_is_clean(&self) -> bool {
        let faulty = self.understood.faulty_lines();
        faulty.into_iter().all(|number| number < self.own)
    }

    /// Returns true if it is longer than one mail may be: nothing else bounds adding.
    pub(crate) fn is_too_long(&self) -> bool {
        self.own > 1
            && (self.text.len() > MAX_BYTES
                || self.text.lines().count() > MAX_LINES
                || self.understood.reading.lines.len() > MAX_LINES)
    }
}

/// Joins a seat's words with the earlier ones that remain.
///
/// # Errors
/// If a check function of the rules fails.
pub fn join(
    context: &Context,
    state: &State,
    seat: &SeatId,
    moment: &Moment,
    words: &str,
) -> Result<JoinedWords, RuleError> {
    let verdicts = &mut Verdicts::default();
    let (settled, first) = moment::judge_mail(context, moment, seat, words, verdicts)?;
    let words = settled
        .as_ref()
        .map_or(words, |settled| settled.text.as_str());
    let joined = join_read(context, state, seat, moment, words, &first, verdicts)?;
    let faults = verdicts.faults.drain(..).map(|(_, fault)| fault);
    Ok(JoinedWords {
        faults: faults.collect(),
        prose: settled.map_or_else(Vec::new, |settled| settled.prose),
        ..joined
    })
}

/// Like `join`, for words that have been read at this moment.
pub(crate) fn join_read(
    context: &Context,
    state: &State,
    seat: &SeatId,
    moment: &Moment,
    words: &str,
    first: &Understanding,
    verdicts: &mut Verdicts,
) -> Result<JoinedWords, RuleError> {
    let adds = first.reading.adds() && moment.questions.is_empty();
    let earlier = match state.seats.get(seat) {
        Some(entry) if moment.public => {
            not_answered_anew(context, moment, seat, &entry.words, first, verdicts)?
        }
        Some(entry) if adds && all_counts(context, state, seat) => entry.counting().to_owned(),
        Some(entry) if adds => entry.late.clone(),
        Some(entry) if !entry.carried.is_empty() && moment.questions.is_empty() => {
            beside(context, moment, seat, &entry.carried, first, verdicts)?
        }
        _ => String::new(),
    };
    if earlier.is_empty() && !adds {
        return Ok(JoinedWords {
            text: words.to_owned(),
            understood: first.clone(),
            faults: Vec::new(),
            prose: Vec::new(),
            own: 1,
        });
    }
    let own = if adds {
        without_add(words, &first.reading)
    } else {
        words.to_owned()
    };
    // A text at the end of the earlier words extends to the next blank line.
    let earlier = if orders::ends_in_text(&context.grammar, &earlier) {
        earlier + "\n"
    } else {
        earlier
    };
    let text = canonical_orders(&format!("{earlier}{own}"));
    Ok(JoinedWords {
        understood: moment::judge_words(context, moment, seat, &text, verdicts)?,
        faults: Vec::new(),
        prose: Vec::new(),
        text,
        own: earlier.lines().count() + 1,
    })
}

/// The earlier words that a mail would replace, as far as the seat knows.
pub(crate) fn replaced<'s>(
    context: &Context,
    state: &'s State,
    seat: &SeatId,
    moment: &Moment,
) -> &'s str {
    match state.seats.get(seat) {
        Some(entry) if moment.public => &entry.words,
        Some(entry) if moment.questions.is_empty() && all_counts(context, state, seat) => {
            entry.counting()
        }
        Some(entry) if moment.questions.is_empty() => &entry.late,
        _ => "",
    }
}

fn all_counts(context: &Context, state: &State, seat: &SeatId) -> bool {
    let quiet = moment::is_quiet(context, state, seat);
    counts_whole(is_open(state), quiet, is_for_answers(state))
}

/// The lines of earlier answers in a public wait that answer questions left unanswered by a mail.
fn not_answered_anew(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    earlier: &str,
    mail: &Understanding,
    verdicts: &mut Verdicts,
) -> Result<String, RuleError> {
    // A refused answer replaces nothing.
    let mut anew = mail.answers(&context.game);
    anew.retain(|_, answer| matches!(answer, GivenAnswer::Accepted(_)));
    let known = moment::judge_words(context, moment, seat, earlier, verdicts)?;
    let lines = known.reading.lines.iter();
    let kept = lines.filter_map(|(number, line)| match line {
        OrderLine::Command(Command::Answer { question, .. }) if !anew.contains_key(question) => {
            earlier.lines().nth(number.checked_sub(1)?)
        }
        _ => None,
    });
    Ok(kept.map(|line| format!("{line}\n")).collect())
}

/// The carried words that remain beside a mail: all but the standing orders that it writes anew.
fn beside(
    context: &Context,
    moment: &Moment,
    seat: &SeatId,
    carried: &str,
    mail: &Understanding,
    verdicts: &mut Verdicts,
) -> Result<String, RuleError> {
    let anew = groups(context, mail.accepted());
    let known = moment::judge_words(context, moment, seat, carried, verdicts)?;
    let mut stays = true;
    let mut lines = known.reading.lines.iter().peekable();
    let kept = carried.lines().enumerate().filter(|(index, _)| {
        // A line that was not read belongs to the order before it.
        while let Some((_, line)) = lines.next_if(|(number, _)| *number == index + 1) {
            stays = !matches!(line, OrderLine::Order(order) if anew.contains(group_of(&context.game, &order.verb)));
        }
        stays
    });
    Ok(kept.map(|(_, line)| format!("{line}\n")).collect())
}

/// The groups of these standing orders.
fn groups<'a>(
    context: &'a Context,
    orders: impl Iterator<Item = &'a orders::Order>,
) -> BTreeSet<&'a str> {
    orders
        .filter(|order| context.grammar.is_standing(&order.verb))
        .map(|order| group_of(&context.game, &order.verb))
        .collect()
}

/// The part of words after a seal that counts at the next one: standing orders and what the seat
/// wants to be asked, printed one to a line. Of the lines before the mail's own, it keeps those
/// that are already carried, and the standing orders that the mail adds to: those are written anew
/// together.
pub(crate) fn kept(context: &Context, moment: &Moment, joined: &JoinedWords, late: &str) -> String {
    let lang = moment.lang;
    let vocabulary = moment.vocabulary(context);
    let late: BTreeSet<&str> = late.lines().collect();
    let understood = &joined.understood;
    let lines = understood.reading.lines.iter();
    let own = lines.clone().filter(|(number, _)| *number >= joined.own);
    let added = groups(
        context,
        own.filter_map(|(_, line)| match line {
            OrderLine::Order(order) => Some(order),
            _ => None,
        }),
    );
    let (mut number, mut kept) = (0, String::new());
    for (line, read) in lines {
        let (printed, group) = match read {
            OrderLine::Order(order) => {
                number += 1;
                if understood.is_refused(number - 1) || !context.grammar.is_standing(&order.verb) {
                    continue;
                }
                let printed = orders::print(&context.grammar, vocabulary, order, lang);
                (printed, Some(group_of(&context.game, &order.verb)))
            }
            OrderLine::Command(command @ (Command::Cancel { .. } | Command::Ask { .. })) => {
                let printed = orders::print_command(&context.grammar, vocabulary, command, lang);
                (printed, None)
            }
            OrderLine::Command(_) | OrderLine::Wrong(_) => continue,
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

/// Words without their leading ADD, which stands alone in its line or before a semicolon.
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

/// The answer to a seat whose words have become too long.
pub(crate) fn too_long(words: &str, reading: &Reading) -> Understanding {
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
    Understanding {
        reading: Reading {
            guessed: BTreeSet::new(),
            lines: vec![(line, OrderLine::Wrong(wrong))],
        },
        ..Understanding::default()
    }
}
