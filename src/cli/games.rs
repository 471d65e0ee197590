//! `estafette games [NAME]`: which games there are, and what one of them is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    failure::{Failure, Outcome},
    library::Places,
    new, out,
};
use crate::{
    game::{self, Game, Lang, Source, Sourced, Words},
    orders::{self, Grammar, Help},
};

/// Arguments of `games`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game; without it, all are listed
    name: Option<String>,
    /// Print where every table, piece and place of the map comes from
    #[arg(long, requires = "name")]
    sources: bool,
    /// The language of the game's words: en or fr
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = lang)]
    lang: Lang,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    places: Places,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if a game is not sound.
pub fn run(args: &Args) -> Outcome {
    let Some(name) = &args.name else {
        return list(args);
    };
    let game = args.places.game(name)?;
    if args.sources {
        let sources: Vec<_> = game.sources().into_iter().map(Origin::from).collect();
        return if args.json {
            out::json(&sources)
        } else {
            origin_lines(&sources).iter().try_for_each(out::line)
        };
    }
    let description = Description::new(&game, args.lang)?;
    if args.json {
        out::json(&description)
    } else {
        description.lines().iter().try_for_each(out::line)
    }
}

fn lang(code: &str) -> Result<Lang, String> {
    new::lang(code).map_err(|failure| failure.message)
}

fn list(args: &Args) -> Outcome {
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for id in game::game_ids(&args.places.files(None))? {
        let game = args.places.game(&id)?;
        titles.insert(id, said(&game.decl.title, args.lang));
    }
    if args.json {
        return out::json(&titles);
    }
    titles
        .iter()
        .try_for_each(|(id, title)| out::line(format!("{id:<16}  {title}")))
}

/// A text in the language; empty if it has none.
fn said(words: &Words, lang: Lang) -> String {
    words.get(&lang).cloned().unwrap_or_default()
}

/// What a game is, in one language.
#[derive(Serialize)]
struct Description {
    id: String,
    title: String,
    about: String,
    /// SHA-256 of its files.
    digest: String,
    scenarios: Vec<ScenarioEntry>,
    options: Vec<OptionEntry>,
    /// Orders, standing ones included.
    orders: Vec<OrderEntry>,
    /// What may be answered to a question, by topic.
    questions: Vec<OrderEntry>,
    /// What the order language has in every game.
    commands: Vec<OrderEntry>,
}

#[derive(Serialize)]
struct ScenarioEntry {
    id: String,
    title: String,
    about: String,
    /// Whether `new` takes it when none is named.
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

#[derive(Serialize)]
struct OrderEntry {
    id: String,
    forms: Vec<String>,
    about: String,
    examples: Vec<String>,
    standing: bool,
    /// The option that must be on.
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<String>,
}

impl From<Help> for OrderEntry {
    fn from(help: Help) -> Self {
        Self {
            id: help.id,
            forms: help.forms,
            about: help.text,
            examples: help.examples,
            standing: help.standing,
            option: None,
        }
    }
}

impl OrderEntry {
    /// The line that names the option that must be on.
    fn needs(&self) -> Option<String> {
        let option = self.option.as_ref()?;
        Some(format!("      only with {option} = on"))
    }
}

impl Description {
    fn new(game: &Game, lang: Lang) -> Result<Self, Failure> {
        let grammar = Grammar::new(&game.decl, &game.decl.all_on()).map_err(Failure::failed)?;
        let entries = |list: Vec<Help>| -> Vec<OrderEntry> {
            list.into_iter().map(OrderEntry::from).collect()
        };
        let mut orders = entries(orders::help(&grammar, game, lang));
        for entry in &mut orders {
            let verb = game.decl.orders.verbs.get(&entry.id);
            entry.option = verb.and_then(|verb| verb.option.clone());
        }
        Ok(Self {
            id: game.decl.id.clone(),
            title: said(&game.decl.title, lang),
            about: said(&game.decl.about, lang),
            digest: game.digest.clone(),
            scenarios: scenarios(game, lang),
            options: options(game, lang),
            orders,
            questions: questions(&grammar, game, lang),
            commands: entries(orders::command_help(&grammar, lang)),
        })
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.title.clone(), String::new(), self.about.clone()];
        lines.extend(["", "Scenarios"].map(str::to_owned));
        for scenario in &self.scenarios {
            let mark = if scenario.default { " (default)" } else { "" };
            lines.push(format!("  {}{mark}: {}", scenario.id, scenario.title));
            lines.push(format!("      {}", scenario.about));
        }
        lines.extend(["", "Options"].map(str::to_owned));
        for option in &self.options {
            lines.extend(option.lines());
        }
        let (standing, once): (Vec<_>, Vec<_>) =
            self.orders.iter().partition(|order| order.standing);
        add_orders(&mut lines, "Orders", once);
        add_orders(
            &mut lines,
            "Standing orders, in force until changed",
            standing,
        );
        lines.extend(["", "Answers to questions"].map(str::to_owned));
        for question in &self.questions {
            lines.push(format!("  about {}", question.id));
            lines.extend(question.forms.iter().map(|form| format!("    {form}")));
            lines.push(format!("      {}", question.about));
            lines.extend(question.needs());
        }
        add_orders(&mut lines, "In every game", &self.commands);
        lines
    }
}

impl OptionEntry {
    fn lines(&self) -> Vec<String> {
        let values = if self.values.is_empty() {
            "a whole number".to_owned()
        } else {
            self.values.join(" or ")
        };
        let mut lines = vec![
            format!("  {}: {values}; default {}", self.id, self.default),
            format!("      {}", self.about),
        ];
        if let Some(reason) = &self.closed {
            lines.push(format!("      CLOSED: {reason}"));
        }
        lines
    }
}

fn scenarios(game: &Game, lang: Lang) -> Vec<ScenarioEntry> {
    let texts = game.text.get(&lang).map(|text| &text.scenarios);
    let entry = |scenario: &game::Scenario| ScenarioEntry {
        id: scenario.id.clone(),
        title: said(&scenario.title, lang),
        about: texts
            .and_then(|texts| texts.get(&scenario.id))
            .cloned()
            .unwrap_or_default(),
        default: scenario.id == game.decl.default_scenario,
    };
    game.scenarios.values().map(entry).collect()
}

fn options(game: &Game, lang: Lang) -> Vec<OptionEntry> {
    let texts = game.text.get(&lang).map(|text| &text.options);
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

fn questions(grammar: &Grammar, game: &Game, lang: Lang) -> Vec<OrderEntry> {
    let texts = game.text.get(&lang).map(|text| &text.topics);
    let entry = |(topic, declared): (&String, &game::TopicDecl)| OrderEntry {
        id: topic.clone(),
        forms: orders::answer_forms(grammar, topic, lang),
        about: texts
            .and_then(|texts| texts.get(topic))
            .map(|text| text.answer.clone())
            .unwrap_or_default(),
        examples: Vec::new(),
        standing: false,
        option: declared.option.clone(),
    };
    game.decl.orders.topics.iter().map(entry).collect()
}

fn add_orders<'a>(
    lines: &mut Vec<String>,
    heading: &str,
    orders: impl IntoIterator<Item = &'a OrderEntry>,
) {
    lines.extend([String::new(), heading.to_owned()]);
    for order in orders {
        lines.extend(order.forms.iter().map(|form| format!("  {form}")));
        if !order.about.is_empty() {
            lines.push(format!("      {}", order.about));
        }
        lines.extend(order.needs());
        lines.extend(
            order
                .examples
                .iter()
                .map(|line| format!("      e.g. {line}")),
        );
    }
}

/// Where a thing of a game comes from.
#[derive(Serialize)]
struct Origin {
    kind: &'static str,
    name: String,
    source: Source,
}

impl From<Sourced> for Origin {
    fn from(found: Sourced) -> Self {
        Self {
            kind: found.kind,
            name: found.name,
            source: found.source,
        }
    }
}

fn origin_lines(origins: &[Origin]) -> Vec<String> {
    let name = |source| match source {
        Source::Stated => "stated",
        Source::Deduced => "deduced",
        Source::Reconstructed => "reconstructed",
    };
    let each = origins.iter().map(|one| {
        let source = name(one.source);
        format!("{source:<13}  {:<8}  {}", one.kind, one.name)
    });
    let mut lines: Vec<String> = each.collect();
    let all = [
        (Source::Stated, "printed in the rulebook"),
        (Source::Deduced, "following from what is printed"),
        (Source::Reconstructed, "rebuilt from history and geography"),
    ];
    lines.push(format!("{} in all", origins.len()));
    lines.extend(all.map(|(source, meaning)| {
        let count = origins.iter().filter(|one| one.source == source).count();
        format!("{count:>5} {}: {meaning}", name(source))
    }));
    lines
}
