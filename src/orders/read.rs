//! A mail's own words to orders and commands, line by line. A wrong line never spoils the others.

mod answers;
mod blocks;
mod bullets;
mod commands;
mod plain;

use self::blocks::OrderBlock;
pub(super) use self::bullets::{is_marked, without_bullet};
pub(super) use self::plain::first_words;
use self::{
    answers::{answer, no_question},
    commands::command,
    plain::{is_led, leads, order},
};
use super::{
    Diagnostic, OrderLine, Reading,
    diagnose::Scene,
    grammar::Grammar,
    open,
    token::{LineToken, Sign, tokens},
    vocabulary::Vocabulary,
};
use crate::{
    game::{GameDecl, Lang},
    value::{Fields, Value},
};

/// How many bytes of a mail are read.
pub const MAX_BYTES: usize = 64 * 1024;
/// How many lines of a mail are read; each order of a line with `;` counts as one.
pub const MAX_LINES: usize = 2_000;
/// How many characters a line may have.
pub const MAX_CHARS: usize = 500;
/// The reason for an answer that names none of the options.
pub const NOT_AN_OPTION: &str = "not_an_option";
/// The reason for a line that ends with a question mark.
pub(super) const ASKED: &str = "asked";
/// The reason for words that can't be taken back, with something behind them.
pub(super) const DOUBTFUL: &str = "doubtful";
/// How many wrong lines get suggestions.
const MAX_SUGGESTIONS: usize = 50;
/// Guards in one line: `IF ... : IF ... : order`.
const MAX_GUARDS: usize = 4;

/// A question from the seat's letter, as far as reading an answer needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionForm {
    /// Its number in that letter, from 1.
    pub number: usize,
    /// Its topic.
    pub topic: String,
    /// Its subject, as the seat has heard it.
    pub about: Fields,
    /// What the answer may name; anything that the form takes if there is nothing here.
    pub options: Vec<Value>,
}

impl QuestionForm {
    /// A question with its number and topic.
    #[must_use]
    pub fn new(number: usize, topic: &str) -> Self {
        Self {
            number,
            topic: topic.to_owned(),
            about: Fields::new(),
            options: Vec::new(),
        }
    }

    /// The same with its subject.
    #[must_use]
    pub fn about(mut self, about: &Fields) -> Self {
        self.about = about.clone();
        self
    }

    /// The same with its options, as the seat has heard them, if the game restricts answers to
    /// them.
    #[must_use]
    pub fn with_options(mut self, game: &GameDecl, options: &[Value]) -> Self {
        if game.holds_to_options(&self.topic) {
            self.options = options.to_vec();
        }
        self
    }
}

/// The orders or answers expected of the seat now.
#[derive(Clone, Debug)]
pub struct Expect<'a> {
    /// Phases that wait for orders of the seat. What stands after the dot does not matter.
    pub phases: &'a [&'a str],
    /// Questions that wait for an answer of the seat.
    pub questions: &'a [QuestionForm],
    /// The reader's language, for spellings of suggestions. Orders may be written in any.
    pub lang: Lang,
}

/// Reads the words of a mail. Never panics; the time is bounded by the limits of this module.
#[must_use]
pub fn read(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    expect: &Expect<'_>,
    text: &str,
) -> Reading {
    read_from(grammar, vocabulary, expect, text, OrderBlock::None)
}

/// Like `read`, for examples and templates, where orders from blocks may stand alone.
#[must_use]
pub fn read_alone(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    expect: &Expect<'_>,
    text: &str,
) -> Reading {
    read_from(grammar, vocabulary, expect, text, OrderBlock::Any)
}

fn read_from(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    expect: &Expect<'_>,
    text: &str,
    block: OrderBlock,
) -> Reading {
    let mut reader = Reader::new(grammar, vocabulary, expect, block);
    let cut = (0..=text.len().min(MAX_BYTES))
        .rev()
        .find_map(|at| text.get(..at));
    let kept = cut.unwrap_or_default();
    let mut number = 0;
    let mut lines = kept.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        number = index + 1;
        if number <= MAX_LINES && opens_text(grammar, expect, line) {
            let goes_on = |next: &(usize, &str)| goes_on(next.1);
            let more = std::iter::from_fn(|| lines.next_if(goes_on));
            let whole: Vec<&str> = [line].into_iter().chain(more.map(|next| next.1)).collect();
            reader.text(number, &whole.join(" "));
        } else if number <= MAX_LINES {
            reader.line(number, line);
        }
        if number > MAX_LINES || reader.lines.len() > MAX_LINES {
            reader.lines.truncate(MAX_LINES);
            reader.limit(number, "too_many_lines", MAX_LINES);
            break;
        }
    }
    if kept.len() < text.len() {
        reader.limit(number.max(1), "mail_too_long", MAX_BYTES / 1024);
    }
    Reading {
        lines: reader.lines,
        ..Reading::default()
    }
}

/// The orders and commands of a line, as they are written.
#[must_use]
pub fn parts_of_line(
    grammar: &Grammar,
    vocabulary: &Vocabulary,
    expect: &Expect<'_>,
    line: &str,
) -> Vec<String> {
    let reader = Reader::new(grammar, vocabulary, expect, OrderBlock::None);
    let all = tokens(line);
    let parts = reader.parts(0, line, without_bullet(line, &all, expect));
    let written = parts.iter().map(|part| {
        let scene = reader.scene(0, line, part);
        let text = scene.written(0, part.len()) + &scene.behind();
        text.trim_end_matches(|c: char| c == ',' || c.is_whitespace())
            .to_owned()
    });
    written.collect()
}

/// Returns true if words end within a text, which more words would continue.
#[must_use]
pub fn ends_in_text(grammar: &Grammar, words: &str) -> bool {
    let expect = Expect {
        phases: &[],
        questions: &[],
        lang: Lang::En,
    };
    words.lines().fold(false, |within, line| {
        opens_text(grammar, &expect, line) || within && goes_on(line)
    })
}

/// Returns true if a line begins an order that ends in a text.
fn opens_text(grammar: &Grammar, expect: &Expect<'_>, line: &str) -> bool {
    let all = tokens(line);
    let listed = without_bullet(line, &all, expect);
    !line.trim_start().starts_with(['#', '>']) && grammar.opens_text(listed)
}

/// Returns true if a line after the first belongs to a text, which ends at a blank or quoted line.
fn goes_on(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('>')
}

/// The owner of an `ELSE :` line.
#[derive(Clone, Copy)]
enum ElseOwner {
    Nothing,
    /// The guarded order at this place of the list.
    Guard(usize),
    /// A guarded order that was wrong.
    Wrong,
}

struct Reader<'a> {
    grammar: &'a Grammar,
    vocabulary: &'a Vocabulary,
    expect: &'a Expect<'a>,
    lines: Vec<(usize, OrderLine)>,
    wrong: usize,
    guarded: ElseOwner,
    block: OrderBlock,
}

impl<'a> Reader<'a> {
    fn new(
        grammar: &'a Grammar,
        vocabulary: &'a Vocabulary,
        expect: &'a Expect<'a>,
        block: OrderBlock,
    ) -> Self {
        Self {
            grammar,
            vocabulary,
            expect,
            lines: Vec::new(),
            wrong: 0,
            guarded: ElseOwner::Nothing,
            block,
        }
    }

    /// Reads a line. Ignores comments, quoted lines, and lines without a letter or digit.
    fn line(&mut self, number: usize, line: &str) {
        let blank = |c: char| c.is_whitespace() || super::fold::is_invisible(c);
        let line = line.trim_matches(blank);
        if line.starts_with(['#', '>']) {
            return;
        }
        if line.chars().count() > MAX_CHARS {
            return self.too_long(number, line, "line_too_long");
        }
        let all = tokens(line);
        let listed = without_bullet(line, &all, self.expect);
        let scene = self.scene(number, line, listed);
        if let Some(question) =
            bullets::late_answer(&scene, &all).filter(|_| listed.len() < all.len())
        {
            return self.push_wrong(no_question(&scene, self.expect, question, (0, 1)));
        }
        for part in self.parts(number, line, listed) {
            self.part(number, line, part);
        }
    }

    /// The orders and commands of a line.
    fn parts<'t>(
        &self,
        number: usize,
        line: &str,
        tokens: &'t [LineToken],
    ) -> Vec<&'t [LineToken]> {
        let parts = tokens.split(|token| token.is(Sign::Semicolon));
        let parts = parts.flat_map(|part| {
            let commas = part.iter().rev().take_while(|it| it.is(Sign::Comma));
            let end = part.len() - commas.count();
            self.clauses(part.get(..end).unwrap_or_default())
        });
        let orders = parts.flat_map(|part| self.listed(number, line, part));
        orders
            .filter(|part| part.iter().any(|token| token.word().is_some()))
            .collect()
    }

    /// The orders that commas part, where an order may begin without a keyword: `A Ver - Ron, A Man
    /// holds`.
    fn listed<'t>(&self, number: usize, line: &str, part: &'t [LineToken]) -> Vec<&'t [LineToken]> {
        let is_comma = |token: &LineToken| token.is(Sign::Comma);
        let scene = self.scene(number, line, part);
        let may_be = self.grammar.is_open && part.iter().any(is_comma) && !is_led(&scene);
        let is_one = || {
            let order = order(&scene, self.expect, 0, MAX_GUARDS);
            order.is_ok() || answer(&scene, self.expect).is_some()
        };
        if !may_be || is_one() {
            return vec![part];
        }
        open::listed(&scene, part, is_comma)
    }

    /// Reads an order that ends in a text, in which nothing counts as a sign or another order.
    fn text(&mut self, number: usize, line: &str) {
        let line = line.trim();
        if line.chars().count() <= 2 * MAX_CHARS {
            let all = tokens(line);
            return self.part(number, line, without_bullet(line, &all, self.expect));
        }
        self.too_long(number, line, "text_too_long");
    }

    fn scene<'s>(&self, number: usize, text: &'s str, tokens: &'s [LineToken]) -> Scene<'s>
    where
        'a: 's,
    {
        Scene {
            grammar: self.grammar,
            names: self.vocabulary,
            lang: self.expect.lang,
            line: number,
            text,
            tokens,
            suggest: self.wrong < MAX_SUGGESTIONS,
        }
    }

    /// Reads one order or command of a line.
    fn part(&mut self, number: usize, line: &str, part: &[LineToken]) {
        let scene = self.scene(number, line, part);
        let keyword = |id: &str| self.grammar.keywords.matches(id, part, 0);
        if let Some(after) = keyword("ELSE") {
            let colon = part.get(after).is_some_and(|token| token.is(Sign::Colon));
            return self.alternative(&scene, after + usize::from(colon));
        }
        if keyword("END") == Some(part.len()) {
            return self.end(&scene);
        }
        let guarded = self.grammar.keywords.guard(part, 0).is_some();
        let first = self.lines.is_empty();
        let read = command(&scene, self.expect, first).unwrap_or_else(|| {
            let read = order(&scene, self.expect, 0, MAX_GUARDS);
            self.in_block(&scene, read).map(OrderLine::Order)
        });
        let read = read.and_then(|line| self.meant(&scene, line));
        match read {
            Ok(line) => {
                let place = self.lines.len();
                self.guarded = if guarded {
                    ElseOwner::Guard(place)
                } else {
                    ElseOwner::Nothing
                };
                self.lines.push((number, line));
            }
            Err(wrong) => {
                self.guarded = if guarded {
                    ElseOwner::Wrong
                } else {
                    ElseOwner::Nothing
                };
                self.push_wrong(wrong);
            }
        }
    }

    /// Refuses a line that is a question, and words that can't be taken back if anything stands
    /// behind them that leaves a doubt.
    fn meant(&self, scene: &Scene<'_>, line: OrderLine) -> Result<OrderLine, Diagnostic> {
        if self.grammar.opens_text(scene.tokens) {
            return Ok(line);
        }
        let behind = scene.behind();
        let verb = match &line {
            OrderLine::Order(order) => self.grammar.verbs.get(&order.verb),
            _ => None,
        };
        let points = behind.chars().filter(|c| *c == '.').count();
        let calm =
            |c: char| c.is_whitespace() || matches!(c, '.' | '!' | '*' | '_' | '"' | '”' | '»');
        let doubt = points > 1 || !behind.chars().all(calm);
        let reason = if behind.contains(['?', '？', '؟']) {
            ASKED
        } else if doubt && verb.is_some_and(|verb| verb.at_once) {
            DOUBTFUL
        } else {
            return Ok(line);
        };
        Err(scene.wrong(reason, Fields::new(), (0, scene.tokens.len())))
    }

    /// An `ELSE :` line goes to the guarded order before it.
    fn alternative(&mut self, scene: &Scene<'_>, at: usize) {
        let reason = match self.guarded {
            ElseOwner::Nothing => Some("else_alone"),
            ElseOwner::Wrong => Some("else_of_wrong"),
            ElseOwner::Guard(_) => None,
        };
        if let Some(reason) = reason {
            return self.push_wrong(scene.wrong(reason, Fields::new(), (0, 1)));
        }
        let read = order(scene, self.expect, at, MAX_GUARDS).and_then(|order| {
            let verb = self.grammar.verbs.get(&order.verb);
            if verb.is_some_and(|verb| verb.opens.is_some()) {
                return Err(scene.wrong("else_opens", Fields::new(), (at, at + 1)));
            }
            self.in_block(scene, Ok(order))
        });
        let place = match self.guarded {
            ElseOwner::Guard(place) => self.lines.get_mut(place),
            _ => None,
        };
        match (read, place) {
            (Ok(order), Some((_, OrderLine::Order(guarded)))) => {
                if let Some(guard) = &mut guarded.guard {
                    guard.otherwise.push(order);
                }
            }
            (Ok(_), _) => {}
            (Err(wrong), _) => self.push_wrong(wrong),
        }
    }

    fn too_long(&mut self, number: usize, line: &str, reason: &str) {
        self.push_wrong(Diagnostic {
            line: number,
            text: line.chars().take(MAX_CHARS).collect(),
            span: (0, MAX_CHARS),
            reason: reason.to_owned(),
            args: Fields::from([("most".to_owned(), count(MAX_CHARS).into())]),
            suggestions: Vec::new(),
        });
    }

    fn push_wrong(&mut self, wrong: Diagnostic) {
        self.wrong += 1;
        self.lines.push((wrong.line, OrderLine::Wrong(wrong)));
    }

    /// Says that the rest of the mail is not read.
    fn limit(&mut self, line: usize, reason: &str, most: usize) {
        self.push_wrong(Diagnostic {
            line,
            text: String::new(),
            span: (0, 0),
            reason: reason.to_owned(),
            args: Fields::from([("most".to_owned(), count(most).into())]),
            suggestions: Vec::new(),
        });
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
