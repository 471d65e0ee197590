//! Checks news against the templates of all languages, and the dice that scripts throw.

use std::{collections::BTreeSet, rc::Rc};

use rhai::Position;

use super::Flow;
use crate::{
    check::{
        names::Sort,
        templates::TemplateNeeds,
        value::{Kinds, MapValue, TextPart, TextValue, Val, fits},
    },
    dice::{Label, Spec},
};

impl Flow<'_> {
    /// An event with its arguments. One of a refusal has the `order` besides.
    pub(super) fn told(
        &mut self,
        seats: &Val,
        keys: &Val,
        args: &Val,
        at: Position,
        refusal: bool,
    ) {
        self.not_secret(seats, keys, args, at);
        args.maps.iter().for_each(|map| self.cited(map));
        if args.kinds.has(Kinds::MIXED) && args.maps.len() > 1 || args.is_any() {
            for key in self.names_meant(Sort::Event, keys) {
                self.may_be_all(&self.templates.of("events", &key));
            }
        }
        if args.kinds.has(Kinds::MIXED) && args.maps.len() > 1 {
            return;
        }
        for key in self.names_meant(Sort::Event, keys) {
            let wanted = self.templates.of("events", &key);
            self.has_some(&format!("event `{key}`"), &wanted, &args.maps, at);
        }
        for map in &args.maps {
            // A map that says which event it is for is for no other.
            let own = map.fields.get("key").map(|field| &field.val);
            let own = own.filter(|own| own.is_told() && !own.texts.is_empty());
            for key in self.names_meant(Sort::Event, keys) {
                if own.is_some_and(|own| {
                    !own.texts
                        .iter()
                        .any(|text| matches!(text, TextValue::Word(word, _) if **word == key))
                }) {
                    continue;
                }
                let wanted = self.templates.of("events", &key);
                self.has_all(&format!("event `{key}`"), &wanted, map, refusal, at);
            }
            self.reasons(map, at);
        }
    }

    /// Checks the `about` of a question against the words that ask it.
    pub(super) fn question_told(&mut self, topic: &str, about: &Val, at: Position) {
        let wanted = self.templates.of("topics", topic);
        if about.is_any() || about.kinds.has(Kinds::MIXED) {
            self.may_be_all(&wanted);
        }
        for map in &about.maps {
            self.has_all(&format!("question on `{topic}`"), &wanted, map, false, at);
        }
    }

    /// Remarks that a check function returns.
    pub(super) fn remarks(&mut self, given: &Val, at: Position) {
        let items = given.items();
        for map in items.maps.iter().filter(|map| !map.many) {
            let Some(key) = map.fields.get("key").filter(|key| key.val.is_told()) else {
                let mixed = items.kinds.has(Kinds::MIXED);
                if !mixed && map.rest.is_none() && !map.fields.contains_key("key") {
                    let message = "a remark has no `key`, which names its text".to_owned();
                    self.report.error(at, message, None);
                }
                continue;
            };
            let places: Vec<(Rc<str>, Position)> = key
                .val
                .words()
                .map(|(word, place)| (Rc::clone(word), place))
                .collect();
            self.name(Sort::Remark, &key.val, at);
            for (word, place) in places {
                let wanted = self.templates.of("remarks", &word);
                if items.kinds.has(Kinds::MIXED) && items.maps.len() > 1 {
                    self.may_be_all(&wanted);
                    continue;
                }
                let place = if place.is_none() { at } else { place };
                self.has_all(&format!("remark `{word}`"), &wanted, map, false, place);
            }
            if let Some(level) = map.fields.get("level") {
                for (word, place) in level.val.words() {
                    if !["problem", "note"].contains(&&**word) && !place.is_none() {
                        let near = crate::game::nearest(word, ["problem", "note"].into_iter());
                        let hint = near.map(|near| format!("did you mean `{near}`?"));
                        let message =
                            format!("the level of a remark is `problem` or `note`, not `{word}`");
                        self.report.error(place, message, hint);
                    }
                }
            }
        }
    }

    /// Checks whether one of the maps that may come has what templates print in some cases.
    fn has_some(
        &mut self,
        what: &str,
        wanted: &TemplateNeeds,
        maps: &[Rc<MapValue>],
        at: Position,
    ) {
        let open = |map: &Rc<MapValue>| map.rest.is_some() || map.many;
        if maps.is_empty() || maps.iter().any(open) {
            return;
        }
        let keys: BTreeSet<&str> = maps
            .iter()
            .flat_map(|map| map.fields.keys().map(|key| &**key))
            .collect();
        for (name, file) in wanted.sometimes() {
            if keys.contains(name) || name == "order" {
                continue;
            }
            let unused = keys.iter().copied().filter(|key| !wanted.uses(key));
            // Without one that is meant for it, it may well be that this case never comes from
            // here.
            if let Some(near) = crate::game::nearest(name, unused) {
                let message =
                    format!("the {what} has no `{name}`, which its text in {file} prints");
                self.report
                    .error(at, message, Some(format!("it has `{near}`")));
            }
        }
    }

    /// Checks whether a map has all that templates want.
    fn has_all(
        &mut self,
        what: &str,
        wanted: &TemplateNeeds,
        map: &MapValue,
        refusal: bool,
        at: Position,
    ) {
        if map.rest.is_some() || map.many {
            return self.may_be_all(wanted);
        }
        self.compare_with_templates(wanted, map);
        self.give_to_templates(wanted, map, refusal);
        let known = |name: &str| map.fields.contains_key(name) || refusal && name == "order";
        for (name, file) in wanted.needed() {
            if known(name) {
                continue;
            }
            let others = map.fields.keys().map(|key| &**key);
            let unused = others.filter(|key| !wanted.uses(key));
            let near = crate::game::nearest(name, unused);
            let hint = near.map(|near| format!("it has `{near}`"));
            let message = format!("the {what} has no `{name}`, which its text in {file} prints");
            self.report.error(at, message, hint);
        }
        // An argument that a text tests first may be missing, but one with a nearly equal name is a
        // slip.
        for name in wanted.optional().filter(|name| !known(name)) {
            let others = map.fields.keys().map(|key| &**key);
            let unused = others.filter(|key| !wanted.uses(key));
            if let Some(near) = crate::game::nearest(name, unused) {
                let message = format!("the {what} has no `{name}`, which its text asks about");
                self.report
                    .error(at, message, Some(format!("it has `{near}`")));
            }
        }
    }

    /// The rule that an event cites in its `rule`.
    fn cited(&mut self, map: &MapValue) {
        let Some(field) = map.fields.get("rule") else {
            return;
        };
        let game = self.game();
        for (word, place) in field.val.words() {
            if place.is_none() || game.has_rule(word) {
                continue;
            }
            let ids = game.checklist.iter().map(|entry| entry.id.as_str());
            let hint = crate::game::nearest(word, ids);
            let hint = hint.map(|near| format!("did you mean `{near}`?"));
            let message = format!("the checklist has no rule `{word}`");
            self.report.error(place, message, hint);
        }
    }

    /// The modifiers in the arguments of an event: each has a text.
    fn reasons(&mut self, map: &MapValue, at: Position) {
        for field in map.fields.values() {
            let items = field.val.items();
            for reason in &items.maps {
                let (Some(id), true) = (reason.fields.get("id"), reason.fields.contains_key("add"))
                else {
                    continue;
                };
                let id = id.val.clone();
                self.name(Sort::Modifier, &id, at);
            }
        }
    }

    /// Warns of dice that not everybody sees, but that are told to everybody.
    fn not_secret(&mut self, seats: &Val, keys: &Val, args: &Val, at: Position) {
        let all = self.game().decl.seats.len();
        let everybody = seats.only_word() == Some("all")
            || seats
                .item
                .as_ref()
                .is_some_and(|seats| seats.texts.contains(&TextValue::Of(Sort::Seat)) && all > 1);
        if !everybody {
            return;
        }
        let keys = self.names_meant(Sort::Event, keys);
        for map in &args.maps {
            for (name, field) in &map.fields {
                let printed = keys
                    .iter()
                    .any(|key| self.templates.of("events", key).uses(name));
                if !printed {
                    continue;
                }
                let marks = field.val.marks_inside();
                if marks.has(Kinds::SECRET) {
                    let message = format!(
                        "`{name}` comes from dice that not everybody sees, and is told to all"
                    );
                    let hint =
                        "throw them openly with `roll`, tell those who may know, or say `disclose(…)` if the rules lay them open".to_owned();
                    self.report.warning(at, message, Some(hint));
                } else if marks.has(Kinds::HIDDEN) {
                    let message = format!(
                        "`{name}` is a fact or an attribute that game.yaml shows to none but the umpire, or to each his own, and is told to all"
                    );
                    let hint =
                        "tell those who may know, or say `disclose(…)` if the rules lay it open"
                            .to_owned();
                    self.report.warning(at, message, Some(hint));
                }
            }
        }
    }

    /// Dice that not everybody sees don't decide what everybody is shown.
    pub(super) fn not_from_secret_dice(&mut self, fact: &str, value: &Val, at: Position) {
        if value.marks_inside().has(Kinds::SECRET.and(Kinds::DECIDED)) {
            let message =
                format!("dice that not everybody sees decide `{fact}`, which everybody is shown");
            let hint =
                "throw them openly with `roll`, or say `disclose(…)` if the rules lay them open"
                    .to_owned();
            self.report.warning(at, message, Some(hint));
        }
    }

    /// Wants dice in their written form: `2d6`.
    pub(super) fn dice(&mut self, val: &Val) {
        for (word, place) in val.words() {
            if let (Err(wrong), false) = (word.parse::<Spec>(), place.is_none()) {
                self.report.error(place, wrong.to_string(), None);
            }
        }
    }

    /// The label of a throw: its second part has words, and nothing else in the phase has the same.
    pub(super) fn label(&mut self, val: &Val, at: Position) {
        let (function, looped) = match self.stack.last() {
            Some(frame) => (frame.function, frame.loops > 0),
            None => return,
        };
        // With several possible texts, the loop makes the difference between them.
        let varies = val.texts.len() > 1 || !val.is_told();
        let repeated = looped && !varies;
        for text in &val.texts {
            let parts = text.parts();
            if let TextValue::Word(word, place) = text
                && let Err(wrong) = word.parse::<Label>()
            {
                let place = if place.is_none() { at } else { *place };
                self.report.error(place, wrong.to_string(), None);
                continue;
            }
            self.label_words(&parts, at);
            if !varies {
                self.report.throws(function, at, parts, repeated);
            }
        }
    }

    /// The part of a label that says what the dice are for.
    fn label_words(&mut self, parts: &[TextPart], at: Position) {
        // Holes have no slash: turns and names of things.
        let marked: String = parts
            .iter()
            .map(|part| match part {
                TextPart::Word(word) => word.to_string(),
                _ => "\u{0}".to_owned(),
            })
            .collect();
        let Some(what) = marked.split('/').nth(1) else {
            return;
        };
        if what.contains('\u{0}') {
            let pattern: Vec<TextPart> = what
                .split('\u{0}')
                .enumerate()
                .flat_map(|(number, word)| {
                    let hole = (number > 0).then_some(TextPart::Any);
                    hole.into_iter().chain([TextPart::Word(word.into())])
                })
                .collect();
            let holds = |sort, word: &str| self.names.holds(sort, word);
            let fitting: Vec<String> = self
                .names
                .all(Sort::DiceText)
                .iter()
                .filter(|word| fits(&pattern, word, &holds))
                .map(|word| (*word).to_owned())
                .collect();
            fitting
                .iter()
                .for_each(|word| self.report.uses(Sort::DiceText, word));
            return;
        }
        if self.names.holds(Sort::DiceText, what) {
            self.report.uses(Sort::DiceText, what);
        } else {
            let known = self.names.all(Sort::DiceText).iter().copied();
            let hint =
                crate::game::nearest(what, known).map(|near| format!("did you mean `{near}`?"));
            let message =
                format!("text/ has no words for dice of `{what}`: players read the word itself");
            self.report.warning(at, message, hint);
        }
    }
}
