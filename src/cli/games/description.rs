//! A game's description, for people in their language, and as JSON.

use serde::Serialize;

use crate::{
    cli::{
        cli_words::{CliWords, TerminalPage},
        failure::Failure,
    },
    digest::Digest,
    game::{self, Game, Lang},
    orders::{self, Grammar, Help},
};

/// A game in one language.
#[derive(Serialize)]
pub struct Description {
    id: String,
    title: String,
    about: String,
    /// SHA-256 of its files.
    digest: Digest,
    /// The seats.
    seats: Vec<SeatEntry>,
    scenarios: Vec<ScenarioEntry>,
    options: Vec<OptionEntry>,
    /// Orders, standing ones included.
    orders: Vec<Help>,
    /// The forms of answers, by the topic of the question.
    questions: Vec<Help>,
    /// Conditions that an order may have.
    conditions: Vec<Help>,
    /// The commands that every game has.
    commands: Vec<Help>,
}

#[derive(Serialize)]
struct SeatEntry {
    id: String,
    /// The side's name.
    side: String,
}

#[derive(Serialize)]
struct ScenarioEntry {
    id: String,
    title: String,
    about: String,
    /// True if `new` takes it when none is named.
    default: bool,
}

#[derive(Serialize)]
struct OptionEntry {
    id: String,
    about: String,
    /// Legal values; empty for a whole number.
    values: Vec<String>,
    default: String,
    /// Why it can't be changed yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<String>,
}

impl Description {
    /// Describes a game with the orders of all its options.
    ///
    /// # Errors
    /// If its order language is not sound.
    pub fn new(game: &Game, lang: Lang) -> Result<Self, Failure> {
        let grammar = Grammar::new(&game.decl, &game.switched_on()).map_err(Failure::failed)?;
        Ok(Self {
            id: game.decl.id.clone(),
            title: game::said(&game.decl.title, lang).to_owned(),
            about: game::said(&game.decl.about, lang).to_owned(),
            digest: game.digest,
            seats: seats(game, lang),
            scenarios: scenarios(game, lang),
            options: options(game, lang),
            orders: orders::help(&grammar, game, lang),
            questions: orders::topic_help(&grammar, game, lang),
            conditions: orders::condition_help(&grammar, game, lang),
            commands: orders::command_help(&grammar, game, lang),
        })
    }

    /// The page for people.
    pub fn lines(&self, words: &CliWords) -> Vec<String> {
        let mut page = TerminalPage::default();
        page.line(&self.title);
        page.line("");
        page.paragraph(0, &self.about);
        page.heading(words.get("seats"));
        for seat in &self.seats {
            page.line(format!("  {}{}{}", seat.id, words.get("colon"), seat.side));
        }
        page.heading(words.get("scenarios"));
        for scenario in &self.scenarios {
            scenario.print(&mut page, words);
        }
        if !self.options.is_empty() {
            page.heading(words.get("options"));
            page.paragraph(2, words.get("options_how"));
        }
        for option in &self.options {
            option.print(&mut page, words);
        }
        let (standing, once): (Vec<&Help>, Vec<&Help>) =
            self.orders.iter().partition(|order| order.standing);
        page.heading(words.get("orders"));
        page.paragraph(2, words.get("orders_how"));
        once.iter().for_each(|help| print(&mut page, help, words));
        section(&mut page, "standing_orders", standing, words);
        section(&mut page, "questions", &self.questions, words);
        section(&mut page, "conditions", &self.conditions, words);
        section(&mut page, "commands", &self.commands, words);
        page.lines
    }
}

/// A heading and the text below it; nothing at all without that text.
fn section<'a>(
    page: &mut TerminalPage,
    heading: &str,
    entries: impl IntoIterator<Item = &'a Help>,
    words: &CliWords,
) {
    let mut entries = entries.into_iter().peekable();
    if entries.peek().is_some() {
        page.heading(words.get(heading));
    }
    entries.for_each(|help| print(page, help, words));
}

fn print(page: &mut TerminalPage, help: &Help, words: &CliWords) {
    if let Some(topic) = help.keyword.as_ref().filter(|_| !help.standing) {
        page.line(format!("  {} {topic}", words.get("about")));
    }
    page.lines
        .extend(help.forms.iter().map(|form| format!("  {form}")));
    page.paragraph(6, &help.about);
    if !help.sides.is_empty() {
        let (only, colon) = (words.get("only_for"), words.get("colon"));
        page.paragraph(6, &format!("{only}{colon}{}", help.sides.join(", ")));
    }
    if let Some(default) = &help.default {
        page.paragraph(6, &format!("{} {default}", words.get("by_default")));
    }
    let example = words.get("example");
    let examples = help.examples.iter();
    page.lines
        .extend(examples.map(|line| format!("      {example} {line}")));
}

impl ScenarioEntry {
    fn print(&self, page: &mut TerminalPage, words: &CliWords) {
        let mark = if self.default {
            format!(" ({})", words.get("default"))
        } else {
            String::new()
        };
        page.line(format!(
            "  {}{mark}{}{}",
            self.id,
            words.get("colon"),
            self.title
        ));
        page.paragraph(6, &self.about);
    }
}

impl OptionEntry {
    fn print(&self, page: &mut TerminalPage, words: &CliWords) {
        let values = if self.values.is_empty() {
            words.get("whole_number").to_owned()
        } else {
            self.values.join(&format!(" {} ", words.get("or")))
        };
        let (colon, default) = (words.get("colon"), words.get("default"));
        page.line(format!(
            "  {}{colon}{values} ({default}{colon}{})",
            self.id, self.default
        ));
        page.paragraph(6, &self.about);
        if let Some(reason) = &self.closed {
            page.paragraph(6, &format!("{} {reason}", words.get("closed")));
        }
    }
}

fn seats(game: &Game, lang: Lang) -> Vec<SeatEntry> {
    let decl = &game.decl;
    let entry = |seat: &game::SeatDecl| SeatEntry {
        id: seat.id.to_string(),
        side: decl.seat_name(seat, lang),
    };
    decl.seats.iter().map(entry).collect()
}

fn scenarios(game: &Game, lang: Lang) -> Vec<ScenarioEntry> {
    let texts = game.words(lang).map(|text| &text.scenarios);
    let entry = |scenario: &game::Scenario| ScenarioEntry {
        id: scenario.id.clone(),
        title: game::said(&scenario.title, lang).to_owned(),
        about: texts
            .and_then(|texts| texts.get(&scenario.id))
            .cloned()
            .unwrap_or_default(),
        default: scenario.id == game.decl.default_scenario,
    };
    game.scenarios.values().map(entry).collect()
}

fn options(game: &Game, lang: Lang) -> Vec<OptionEntry> {
    let texts = game.words(lang).map(|text| &text.options);
    let entry = |(id, option): (&String, &game::OptionDecl)| OptionEntry {
        id: id.clone(),
        about: texts
            .and_then(|texts| texts.get(id))
            .cloned()
            .unwrap_or_default(),
        values: option.values.clone(),
        default: option.default.clone(),
        closed: option.closed.clone(),
    };
    game.decl.options.iter().map(entry).collect()
}
