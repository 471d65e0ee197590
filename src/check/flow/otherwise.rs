//! What holds without an answer, against the forms of an answer.

use std::{collections::BTreeSet, rc::Rc};

use rhai::Position;

use super::Flow;
use crate::check::value::{MapValue, Val};

impl Flow<'_> {
    /// Checks that `otherwise` could be an answer: it has the slots of the forms, and words that a
    /// form gives.
    pub(super) fn as_answered(
        &mut self,
        topic: &str,
        otherwise: &Val,
        answers: &Val,
        (several, at): (bool, Position),
    ) {
        // Of several lines one may stand for all.
        let lines = answers.field("lines").filter(|_| several);
        let forms = lines.map_or_else(|| answers.clone(), |lines| lines.items());
        for map in &otherwise.maps {
            if !(several && map.fields.contains_key("lines")) {
                self.slots_answered(topic, map, &forms, at);
            }
            for (name, field) in &map.fields {
                let Some(known) = answers.field(name) else {
                    continue;
                };
                let words: Vec<&str> = known.words().map(|(word, _)| &**word).collect();
                if !known.is_told() || words.is_empty() || words.len() < known.texts.len() {
                    continue;
                }
                for (word, at) in field.val.words() {
                    if words.contains(&&**word) || word.is_empty() || at.is_none() {
                        continue;
                    }
                    let message = format!("no answer on `{topic}` has `{word}` as its `{name}`");
                    let hint = match crate::game::nearest(word, words.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are: {}", words.join(", ")),
                    };
                    self.report.error(at, message, Some(hint));
                }
            }
        }
    }

    /// The keys of what holds without an answer are slots of the topic's forms, and it has those
    /// that every answer has. A map without any key is no answer at all.
    fn slots_answered(&mut self, topic: &str, map: &MapValue, answers: &Val, at: Position) {
        let open = |map: &MapValue| map.rest.is_some() || map.many;
        if answers.is_any() || open(map) || answers.maps.iter().any(|form| open(form)) {
            return;
        }
        let forms = &answers.maps;
        let known: BTreeSet<&str> = forms
            .iter()
            .flat_map(|form| form.fields.keys().map(|key| &**key))
            .collect();
        for (key, field) in &map.fields {
            if known.contains(&**key) {
                continue;
            }
            let hint = match crate::game::nearest(key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "there are: {}",
                    known.iter().copied().collect::<Vec<_>>().join(", ")
                ),
            };
            let written = field.val.words().map(|(_, at)| at).find(|at| !at.is_none());
            let message = format!("no answer on `{topic}` has a `{key}`");
            self.report
                .error(written.unwrap_or(at), message, Some(hint));
        }
        if map.fields.is_empty() {
            return;
        }
        let always = |key: &str| {
            let has = |form: &Rc<MapValue>| form.fields.get(key).is_some_and(|field| field.sure);
            forms.iter().all(has)
        };
        for key in known.into_iter().filter(|key| always(key)) {
            if !map.fields.contains_key(key) {
                let message = format!("every answer on `{topic}` has a `{key}`, and this has none");
                let hint = "give it under `otherwise`".to_owned();
                self.report.warning(at, message, Some(hint));
            }
        }
    }
}
