//! The order language of a game, compiled once.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{
    host_words::HostWords,
    keywords::Keywords,
    pattern::{self, Node, Sequence},
    token::{LineToken, tokens},
};
use crate::{
    game::{GameDecl, Lang, Language},
    ids::SideId,
    ordered::IndexMap,
};

/// Why a game's order language can't be used.
#[derive(Debug, Error)]
pub enum GrammarError {
    /// A form is not a pattern.
    #[error("orders: {place}, form `{form}`, column {column}: {message}")]
    Form {
        /// The verb, topic or condition (`verb move`).
        place: String,
        /// Its number among the forms there, from 0.
        number: usize,
        /// The form as written.
        form: String,
        /// The column, 1 for the first.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A keyword that forms, topics or groups use is not declared.
    #[error("orders: {place}: the keyword {keyword} is not declared; add it to `keywords:`")]
    NoKeyword {
        /// Where it is used.
        place: String,
        /// Its id.
        keyword: String,
    },
    /// A verb or topic depends on an option that the game does not have.
    #[error("orders: {place}: there is no option `{option}`")]
    NoOption {
        /// The verb or topic.
        place: String,
        /// The option.
        option: String,
    },
    /// A standing order contains a text.
    #[error("orders: {place}: a standing order holds no text, which is passed on once")]
    StandingText {
        /// The verb.
        place: String,
    },
    /// The host's words can't be read.
    #[error("templates: orders.yaml: {0}")]
    Words(#[from] serde_yaml::Error),
}

impl GrammarError {
    /// Where in game.yaml it is, as a path: `orders.verbs.move`.
    #[must_use]
    pub fn path(&self) -> String {
        let form = match self {
            Self::Form { number, .. } => format!(".forms[{number}]"),
            _ => String::new(),
        };
        let place = match self {
            Self::Form { place, .. }
            | Self::NoKeyword { place, .. }
            | Self::NoOption { place, .. }
            | Self::StandingText { place } => place.as_str(),
            Self::Words(_) => "",
        };
        let name = |kind: &str| {
            let name = place.strip_prefix(kind)?.split(',').next()?;
            Some(name.trim().to_owned())
        };
        let kinds = [
            ("verb ", "verbs"),
            ("topic ", "topics"),
            ("condition ", "conditions"),
        ];
        let found = kinds
            .into_iter()
            .find_map(|(kind, part)| Some(format!("orders.{part}.{}{form}", name(kind)?)));
        found.unwrap_or_else(|| "orders".to_owned())
    }
}

/// A form and what it was compiled from.
#[derive(Clone, Debug)]
pub(super) struct OrderForm {
    pub nodes: Sequence,
    /// The keyword that the form begins with, if any.
    pub lead: Option<String>,
}

/// A verb with its forms.
#[derive(Clone, Debug)]
pub(super) struct Verb {
    pub forms: Vec<OrderForm>,
    pub phases: Vec<String>,
    /// The sides whose order it is; all if none is named.
    pub only: Vec<SideId>,
    pub standing: bool,
    /// True if it is carried out on arrival.
    pub at_once: bool,
    pub group: String,
    /// The kind of block that it opens.
    pub opens: Option<String>,
    /// The kinds of blocks that it belongs in; none if it stands outside blocks.
    pub within: Vec<String>,
}

/// A topic with the forms of its answers.
#[derive(Clone, Debug)]
pub(super) struct Topic {
    pub keyword: Option<String>,
    pub forms: Vec<OrderForm>,
}

/// The order language of one game with the options of one campaign.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(super) keywords: Keywords,
    pub(super) verbs: IndexMap<String, Verb>,
    pub(super) topics: IndexMap<String, Topic>,
    pub(super) conditions: IndexMap<String, Vec<OrderForm>>,
    pub(super) commands: IndexMap<&'static str, Vec<OrderForm>>,
    /// Words that mean nothing where nothing else can be read.
    small_words: BTreeSet<String>,
    /// True if an order may begin with something else than a keyword.
    pub(super) is_open: bool,
    /// Groups of standing orders with the keywords that name them.
    pub(super) groups: IndexMap<String, String>,
    pub(super) words: BTreeMap<Lang, HostWords>,
}

/// Built-in commands, in the pattern language. Answers and guards are read separately.
const COMMANDS: [(&str, &str); 5] = [
    ("add", "ADD"),
    ("nothing", "NOTHING"),
    ("cancel", "CANCEL [ ALL | <group:group> ]"),
    ("ask", "ASK <topics:topics>"),
    ("dont_ask", "DONT_ASK <topics:topics>"),
];

impl Grammar {
    /// Compiles the order language of a game. Verbs and topics of an option exist only if it is
    /// `on` in `options`, or on by default and not named there; their forms are checked anyhow.
    ///
    /// # Errors
    /// The first form that is not a pattern, or the first missing keyword or option.
    pub fn new(game: &GameDecl, options: &BTreeMap<String, String>) -> Result<Self, GrammarError> {
        let (grammar, faults) = Self::compile(game, options)?;
        faults.into_iter().next().map_or(Ok(grammar), Err)
    }

    /// Returns true if a word only names what follows.
    pub(super) fn is_title(&self, word: &str) -> bool {
        let mut titles = self.words.values().flat_map(|words| &words.titles);
        titles.any(|title| title == word)
    }

    /// Returns true if names are read by what makes sense: orders begin with them.
    #[must_use]
    pub fn names_are_guessed(&self) -> bool {
        self.is_open
    }

    /// All faults of a game's order language, in the order of its declaration.
    #[must_use]
    pub fn faults(game: &GameDecl) -> Vec<GrammarError> {
        match Self::compile(game, &BTreeMap::new()) {
            Ok((_, faults)) => faults,
            Err(error) => vec![error],
        }
    }

    /// What can be compiled, and what is wrong with the rest.
    fn compile(
        game: &GameDecl,
        options: &BTreeMap<String, String>,
    ) -> Result<(Self, Vec<GrammarError>), GrammarError> {
        let words = HostWords::built_in()?;
        let language = &game.orders;
        let mut faults = Vec::new();
        let mut grammar = Self {
            keywords: keywords(language, &words),
            verbs: IndexMap::default(),
            topics: IndexMap::default(),
            conditions: IndexMap::default(),
            commands: IndexMap::default(),
            small_words: small_words(language),
            is_open: false,
            groups: IndexMap::default(),
            words,
        };
        for (name, form) in COMMANDS {
            let forms = grammar.forms(
                &format!("command {name}"),
                &[form.to_owned()],
                false,
                &mut faults,
            );
            grammar.commands.insert(name, forms);
        }
        grammar.add_verbs(game, options, &mut faults);
        for (name, topic) in &language.topics {
            let place = format!("topic {name}");
            let forms = grammar.forms(&place, &topic.forms, false, &mut faults);
            if let Some(keyword) = &topic.keyword {
                grammar.need(&place, keyword, &mut faults);
            }
            if !is_on(game, options, &place, topic.option.as_deref(), &mut faults) {
                continue;
            }
            let keyword = topic.keyword.clone();
            grammar
                .topics
                .insert(name.clone(), Topic { keyword, forms });
        }
        for (name, condition) in &language.conditions {
            let place = format!("condition {name}");
            let forms = grammar.forms(&place, &condition.forms, false, &mut faults);
            grammar.conditions.insert(name.clone(), forms);
        }
        Ok((grammar, faults))
    }

    /// Returns true if a line begins like an order that ends in a text.
    pub(super) fn opens_text(&self, line: &[LineToken]) -> bool {
        let opens = |form: &OrderForm| {
            let matches = |id: &String| self.keywords.matches(id, line, 0);
            pattern::ends_in_text(&form.nodes) && form.lead.as_ref().and_then(matches).is_some()
        };
        let mut forms = self.verbs.values().flat_map(|verb| &verb.forms);
        forms.any(opens)
    }

    /// Returns true if a word means nothing where nothing else can be read.
    pub(super) fn is_small(&self, word: &str) -> bool {
        self.small_words.contains(word)
    }

    /// Returns true if a verb is a standing order.
    #[must_use]
    pub fn is_standing(&self, verb: &str) -> bool {
        self.verbs.get(verb).is_some_and(|verb| verb.standing)
    }

    /// The group of a standing order: a new mail replaces a whole group.
    #[must_use]
    pub fn group_of(&self, verb: &str) -> Option<&str> {
        self.verbs
            .get(verb)
            .filter(|verb| verb.standing)
            .map(|verb| verb.group.as_str())
    }

    /// Groups of standing orders in the order of the verbs.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }

    /// Topics that a player may put on ASK, in the order of the declaration.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.topics
            .iter()
            .filter(|(_, topic)| topic.keyword.is_some())
            .map(|(name, _)| name.as_str())
    }

    /// Returns true if a phase (by its name before the dot) takes orders other than standing ones.
    #[must_use]
    pub fn takes_orders(&self, phase: &str) -> bool {
        let takes = |verb: &Verb| verb.phases.iter().any(|known| known == phase);
        self.verbs.values().any(takes)
    }

    /// The word by which players name a topic after ASK; its id if it has none.
    #[must_use]
    pub fn topic_word<'a>(&'a self, topic: &'a str, lang: Lang) -> &'a str {
        let keyword = self
            .topics
            .get(topic)
            .and_then(|topic| topic.keyword.as_ref());
        keyword.map_or(topic, |keyword| self.keywords.shown(keyword, lang))
    }

    /// The first keyword in a text, as it is printed.
    #[must_use]
    pub fn keyword_in(&self, text: &str, lang: Lang) -> Option<&str> {
        let line = tokens(text);
        let ids = self.keywords.ids();
        let mut found = ids
            .filter(|id| (0..line.len()).any(|at| self.keywords.matches(id, &line, at).is_some()));
        found.next().map(|id| self.keywords.shown(id, lang))
    }

    /// Verbs in the order of help, those of options that are off left out.
    pub fn verbs(&self) -> impl Iterator<Item = &str> {
        self.verbs.keys().map(String::as_str)
    }

    fn add_verbs(
        &mut self,
        game: &GameDecl,
        options: &BTreeMap<String, String>,
        faults: &mut Vec<GrammarError>,
    ) {
        for (name, decl) in &game.orders.verbs {
            let place = format!("verb {name}");
            let forms = self.forms(&place, &decl.forms, true, faults);
            if decl.standing && forms.iter().any(|form| pattern::has_text(&form.nodes)) {
                faults.push(GrammarError::StandingText {
                    place: place.clone(),
                });
            }
            let group = decl.group.clone().unwrap_or_else(|| name.clone());
            let keyword = group.to_uppercase();
            if decl.standing {
                self.need(&format!("{place}, group {group}"), &keyword, faults);
            }
            if !is_on(game, options, &place, decl.option.as_deref(), faults) {
                continue;
            }
            if decl.standing {
                self.groups.insert(group.clone(), keyword);
            }
            self.is_open |= forms.iter().any(|form| form.lead.is_none());
            let verb = Verb {
                forms,
                phases: decl.phases.clone(),
                only: decl.only.clone(),
                standing: decl.standing,
                at_once: decl.at_once.is_some(),
                group,
                opens: decl.opens.clone(),
                within: decl.within.clone(),
            };
            self.verbs.insert(name.clone(), verb);
        }
    }

    /// The forms that can be compiled.
    fn forms(
        &self,
        place: &str,
        texts: &[String],
        lead: bool,
        faults: &mut Vec<GrammarError>,
    ) -> Vec<OrderForm> {
        let mut forms = Vec::new();
        for (number, text) in texts.iter().enumerate() {
            let error = |column, message| GrammarError::Form {
                place: place.to_owned(),
                number,
                form: text.clone(),
                column,
                message,
            };
            let nodes = match pattern::compile(text) {
                Ok(nodes) => nodes,
                Err(wrong) => {
                    let wrong = wrong.into_iter();
                    faults.extend(wrong.map(|wrong| error(wrong.column, wrong.message)));
                    continue;
                }
            };
            self.need_all(place, &nodes, faults);
            let first = match nodes.first() {
                Some(Node::Keyword { id, .. }) => Some(id.clone()),
                _ => None,
            };
            if lead && !nodes.iter().any(pattern::is_marked) {
                let message = "the form of a verb has a keyword or a sign that is always there";
                faults.push(error(1, message.to_owned()));
            }
            if first.is_none() && pattern::has_text(&nodes) {
                let message = "a form that holds a text begins with a keyword";
                faults.push(error(1, message.to_owned()));
            }
            let before = nodes.split_last().map_or(&[][..], |(_, before)| before);
            if pattern::has_text(before) || pattern::has_text(&nodes) && !lead {
                let message = "a text stands last in the form of a verb, and nowhere else";
                faults.push(error(1, message.to_owned()));
            }
            forms.push(OrderForm { nodes, lead: first });
        }
        forms
    }

    fn need_all(&self, place: &str, nodes: &[Node], faults: &mut Vec<GrammarError>) {
        for node in nodes {
            match node {
                Node::Keyword { id, .. } => self.need(place, id, faults),
                Node::Optional(choices) | Node::Group { choices, .. } => {
                    for choice in choices {
                        self.need_all(place, choice, faults);
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes a missing keyword, once in a place.
    fn need(&self, place: &str, keyword: &str, faults: &mut Vec<GrammarError>) {
        let is_known = |fault: &GrammarError| {
            matches!(fault, GrammarError::NoKeyword { place: before, keyword: missing }
                if before == place && missing == keyword)
        };
        if !self.keywords.contains(keyword) && !faults.iter().any(is_known) {
            faults.push(GrammarError::NoKeyword {
                place: place.to_owned(),
                keyword: keyword.to_owned(),
            });
        }
    }
}

/// Returns true if an option is on: in `options`, or by default and not named there.
fn is_on(
    game: &GameDecl,
    options: &BTreeMap<String, String>,
    place: &str,
    option: Option<&str>,
    faults: &mut Vec<GrammarError>,
) -> bool {
    let Some(option) = option else {
        return true;
    };
    let Some(declared) = game.options.get(option) else {
        faults.push(GrammarError::NoOption {
            place: place.to_owned(),
            option: option.to_owned(),
        });
        return false;
    };
    options.get(option).unwrap_or(&declared.default) == "on"
}

/// The small words of all languages.
fn small_words(language: &Language) -> BTreeSet<String> {
    let words = language.small_words.values().flatten();
    let words = words.flat_map(|word| tokens(word));
    words
        .filter_map(|token| token.word().map(str::to_owned))
        .collect()
}

/// The game's keywords and the host's. The game's spelling is printed where both have one.
fn keywords(language: &Language, words: &BTreeMap<Lang, HostWords>) -> Keywords {
    let mut keywords = Keywords::default();
    for (id, spellings) in &language.keywords {
        for (lang, spellings) in spellings {
            keywords.add(id, *lang, spellings);
        }
    }
    for (lang, words) in words {
        for (id, spellings) in &words.keywords {
            keywords.add(id, *lang, spellings);
        }
    }
    keywords
}
