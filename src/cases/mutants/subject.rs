//! A game with its cases, ready to be played with these rules or others.

use std::{collections::BTreeMap, sync::Arc};

use super::super::{Case, judge};
use crate::{
    game::Game,
    orders::{Grammar, GrammarError},
    rules::{ParsedScripts, Program, RuleError, RunLimits},
};

/// The data that all threads share.
pub(super) struct Subject<'a> {
    pub game: Arc<Game>,
    pub cases: Vec<&'a Case>,
    /// The order language for each set of options that a case has.
    grammars: Vec<Grammar>,
    /// Of each case, which of them.
    languages: Vec<usize>,
}

impl<'a> Subject<'a> {
    /// # Errors
    /// If the order language is not sound with the options of a case.
    pub fn new(game: Arc<Game>, cases: Vec<&'a Case>) -> Result<Self, GrammarError> {
        let mut known: BTreeMap<BTreeMap<String, String>, usize> = BTreeMap::new();
        let mut grammars = Vec::new();
        let mut languages = Vec::new();
        for case in &cases {
            let settings = case.settings();
            let language = match known.get(&settings) {
                Some(language) => *language,
                None => {
                    grammars.push(Grammar::new(&game.decl, &settings)?);
                    known.insert(settings, grammars.len() - 1);
                    grammars.len() - 1
                }
            };
            languages.push(language);
        }
        Ok(Self {
            game,
            cases,
            grammars,
            languages,
        })
    }

    /// Parses the scripts, with another text for one of them.
    ///
    /// # Errors
    /// If they don't compile.
    pub fn parse(&self, changed: Option<(usize, String)>) -> Result<ParsedScripts, RuleError> {
        let mut scripts = self.game.scripts.clone();
        if let Some((number, text)) = changed
            && let Some(script) = scripts.get_mut(number)
        {
            script.1 = text;
        }
        ParsedScripts::new(&scripts, &RunLimits::default())
    }

    /// The differences from a case's expectations when it is played by these rules.
    pub fn differences(&self, program: &Program, case: usize) -> Vec<String> {
        let language = self.languages.get(case).copied().unwrap_or_default();
        let (Some(case), Some(grammar)) = (self.cases.get(case), self.grammars.get(language))
        else {
            return Vec::new();
        };
        judge(program, grammar, case).unwrap_or_else(|error| vec![error.to_string()])
    }
}
