//! Texts that are compared and never fit, and are nearly spelt as others that do: slips of the pen.

use std::collections::BTreeSet;

use rhai::Position;

use super::{Flow, report::key};
use crate::check::{
    templates::{ArgumentPart, Comparison, TemplateNeeds, WantedArgument},
    value::{Kinds, MapValue, TextValue, Val},
};

impl Flow<'_> {
    /// Two values are compared: notes of the words in either whether they may be the other.
    pub(super) fn compare_values(&mut self, left: &Val, right: &Val) {
        self.compare_words_with(left, right);
        self.compare_words_with(right, left);
    }

    fn compare_words_with(&mut self, val: &Val, other: &Val) {
        let told = other.is_told() && !other.texts.is_empty();
        for (word, at) in val.words() {
            if at.is_none() || word.is_empty() {
                continue;
            }
            let fits = !told || self.may_be(other, word);
            let near = if fits { None } else { self.slip(other, word) };
            self.report.compares(word, at, fits, near);
        }
    }

    /// The text among a value's possible ones whose spelling is close to a word's.
    fn slip(&self, val: &Val, word: &str) -> Option<String> {
        let mut known: BTreeSet<&str> = val.words().map(|(word, _)| &**word).collect();
        for text in &val.texts {
            if let TextValue::Of(sort) = text {
                known.extend(self.names.all(*sort));
            }
        }
        let near = known.into_iter().find(|known| is_slip(word, known));
        near.map(str::to_owned)
    }

    /// The arguments of an event, a remark or a question against what their texts compare them
    /// with.
    pub(super) fn compare_with_templates(&mut self, wanted: &TemplateNeeds, map: &MapValue) {
        let unsure = Kinds::KEPT.and(Kinds::MIXED);
        for compared in wanted.compared() {
            let Some(field) = map.fields.get(&*compared.name) else {
                continue;
            };
            let val = &field.val;
            let others = wanted.compared().filter(|it| it.name == compared.name);
            let texts = others.map(|it| Val::word(&it.text, Position::NONE));
            self.compare_words_with(val, &texts.fold(Val::default(), Val::or));
            let told = val.is_told() && !val.texts.is_empty() && !val.kinds.has(unsure);
            let may_be = !told || self.may_be(val, &compared.text);
            self.report.compares_argument(compared, may_be);
        }
    }

    /// Arguments that can't be followed: they may be whatever their texts compare them with, and
    /// have whatever these print.
    pub(super) fn may_be_all(&mut self, wanted: &TemplateNeeds) {
        for compared in wanted.compared() {
            self.report.compares_argument(compared, true);
        }
        for argument in wanted.wanted() {
            self.report.gives_argument(argument, true);
        }
        for part in wanted.parts() {
            self.report.has_part(part, true, &[]);
        }
    }

    /// The arguments of an event, a remark or a question against those that their texts have.
    /// `order`: the host gives the line of the order.
    pub(super) fn give_to_templates(
        &mut self,
        wanted: &TemplateNeeds,
        map: &MapValue,
        order: bool,
    ) {
        for argument in wanted.wanted() {
            let is_given =
                map.fields.contains_key(&*argument.name) || order && argument.name == "order";
            self.report.gives_argument(argument, is_given);
        }
        for part in wanted.parts() {
            let Some(field) = map.fields.get(&*part.name) else {
                continue;
            };
            let known = self.parts_of(&part.name, &field.val);
            let has = known
                .as_ref()
                .is_none_or(|known| known.contains(&part.part));
            self.report
                .has_part(part, has, known.as_deref().unwrap_or_default());
        }
    }

    /// The parts of an argument as templates have it; nothing if it may have any.
    fn parts_of(&self, name: &str, val: &Val) -> Option<Vec<String>> {
        let unsure = Kinds::ANY.and(Kinds::MIXED);
        let open = |map: &std::rc::Rc<MapValue>| map.rest.is_some() || map.many;
        if val.kinds.has(unsure) || !val.calls.is_empty() || val.maps.iter().any(open) {
            return None;
        }
        let mut known: BTreeSet<&str> = val
            .maps
            .iter()
            .flat_map(|map| map.fields.keys().map(|key| &**key))
            .collect();
        if val.kinds.has(Kinds::PIECE) {
            known.extend(["piece", "name", "side", "kind", "own", "unknown"]);
        }
        let spaces = &self.names.game.decl.space_arguments;
        if spaces.iter().any(|space| space == name) {
            known.extend(["space", "name"]);
        }
        Some(known.into_iter().map(str::to_owned).collect())
    }

    /// Arguments of texts that no script gives.
    pub fn never_given_at_all(&self) -> impl Iterator<Item = &WantedArgument> {
        let given = self.report.of_arguments.iter();
        given.filter(|(_, given)| !**given).map(|(it, _)| it)
    }

    /// Parts of arguments that no script gives, with those that there are.
    pub fn never_had(&self) -> impl Iterator<Item = (&ArgumentPart, &BTreeSet<String>)> {
        let parts = self.report.of_parts.iter();
        parts
            .filter(|(_, (had, _))| !*had)
            .map(|(part, (_, known))| (part, known))
    }

    /// Texts that templates compare an argument with, although no script ever gives them.
    pub fn never_given(&self) -> impl Iterator<Item = &Comparison> {
        let compared = self.report.of_templates.iter();
        compared.filter(|(_, may_be)| !**may_be).map(|(it, _)| it)
    }

    /// Words that are compared, never fit, and are nearly spelt as others: with their places.
    pub(super) fn slips(&self) -> Vec<((usize, usize), String, String)> {
        let mut found = Vec::new();
        for (word, compared) in &self.report.texts {
            let Some(near) = compared.near.as_ref().filter(|_| !compared.fits) else {
                continue;
            };
            let place = (compared.at, word.clone());
            let said = matches!(self.report.compared.get(&place), Some(Some(_)));
            if !said && !self.names.is_name(word) && !self.report.words.contains(word) {
                found.push((compared.at, word.clone(), near.clone()));
            }
        }
        found
    }
}

impl super::FlowReport {
    fn compares_argument(&mut self, compared: &Comparison, may_be: bool) {
        *self.of_templates.entry(compared.clone()).or_default() |= may_be;
    }

    fn gives_argument(&mut self, argument: &WantedArgument, is_given: bool) {
        *self.of_arguments.entry(argument.clone()).or_default() |= is_given;
    }

    fn has_part(&mut self, part: &ArgumentPart, has: bool, known: &[String]) {
        let (had, all) = self.of_parts.entry(part.clone()).or_default();
        *had |= has;
        all.extend(known.iter().cloned());
    }

    fn compares(&mut self, word: &str, at: Position, fits: bool, near: Option<String>) {
        let text = self.texts.entry(word.to_owned()).or_default();
        text.fits |= fits;
        if text.near.is_none() && near.is_some() {
            text.near = near;
            text.at = key(at);
        }
    }
}

/// Returns true if a word is another with one slip: a letter lacks, is too much, is another, or two
/// have changed places. Slips spare the first letter, and short words are often near each other.
fn is_slip(word: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let shortest = word.chars().count().min(other.chars().count());
    let told_apart = shortest >= 4 || shortest == 3 && sorted(word) == sorted(other);
    told_apart
        && word.chars().next() == other.chars().next()
        && strsim::damerau_levenshtein(word, other) == 1
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn one_letter_makes_a_slip() {
        for (word, other) in [("colaition", "coalition"), ("pusj", "push"), ("fra", "far")] {
            assert!(is_slip(word, other), "{word}");
        }
        for (word, other) in [
            ("last", "fast"),
            ("fit", "fix"),
            ("east", "west"),
            ("far", "far"),
        ] {
            assert!(!is_slip(word, other), "{word}");
        }
    }
}
