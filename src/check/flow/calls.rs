//! Calls: of functions of the scripts, of the host's, of what Rhai has itself, of functions that
//! are values.

use std::rc::Rc;

use rhai::{Expr, FnCallExpr, Position};

use super::{Flow, Variables, chains::only};
use crate::check::{
    host::{self, ParameterType, ReturnType, SIGHT_TERMS, TERMS},
    names::Sort,
    value::{Call, Kinds, TextValue, Val, fits, shown},
};

impl Flow<'_> {
    fn arguments(&mut self, call: &FnCallExpr, scope: &mut Variables) -> Vec<Val> {
        let arguments = call.args.iter();
        arguments
            .map(|argument| self.expression(argument, scope))
            .collect()
    }

    /// A call of a function, or an operator.
    pub(super) fn call(&mut self, call: &FnCallExpr, at: Position, scope: &mut Variables) -> Val {
        let name = call.name.as_str();
        let arguments = self.arguments(call, scope);
        if call.is_operator_call() {
            return self.operator(call, &arguments);
        }
        match (name, arguments.as_slice()) {
            ("curry", [function, bound @ ..]) => {
                self.captured(call, function, scope);
                return with_bound(function, bound);
            }
            ("Fn", [name]) => return self.named_function(name),
            ("call", [function, arguments @ ..]) => return self.called(function, arguments),
            ("contains", [list, item]) => {
                self.compare_item(list, item, call.args.get(1));
                return Val::of(Kinds::BOOL);
            }
            _ => {}
        }
        let places: Vec<Position> = call.args.iter().map(Expr::position).collect();
        self.function(name, arguments, &places, at)
    }

    /// A method: a function that gets what stands before the dot first, or as `this`.
    pub(super) fn method(
        &mut self,
        start: Option<&Expr>,
        base: &Val,
        call: &FnCallExpr,
        at: Position,
        scope: &mut Variables,
    ) -> Val {
        let name = call.name.as_str();
        let arguments = self.arguments(call, scope);
        if name == "call" {
            return self.called(base, &arguments);
        }
        if name == "contains" {
            let item = arguments.into_iter().next().unwrap_or_default();
            self.compare_item(base, &item, call.args.first());
            return Val::of(Kinds::BOOL);
        }
        if let Some((val, changed)) = self.built_in(base, name, &arguments) {
            if let (Some(changed), Some(start)) = (changed, start) {
                self.assign(start, changed, scope);
            }
            return val;
        }
        let is_host = host::function(name, arguments.len() + 1).is_some();
        let script = self.bodies.find(name, arguments.len());
        if let (Some(function), false) = (script, is_host) {
            self.reached.insert(function);
            return self.follow(function, arguments, Some(base.clone()));
        }
        let mut all = vec![base.clone()];
        all.extend(arguments);
        let mut places = vec![at];
        places.extend(call.args.iter().map(Expr::position));
        self.function(name, all, &places, at)
    }

    /// A function by its name: one of the scripts comes before one of the host.
    fn function(
        &mut self,
        name: &str,
        arguments: Vec<Val>,
        places: &[Position],
        at: Position,
    ) -> Val {
        if let Some(function) = self.bodies.find(name, arguments.len()) {
            self.reached.insert(function);
            return self.follow(function, arguments, None);
        }
        let Some(declared) = host::function(name, arguments.len()) else {
            return self.other_function(name, &arguments);
        };
        self.report.calls(name);
        for (number, (takes, val)) in declared.takes.iter().zip(&arguments).enumerate() {
            let at = places.get(number).copied().unwrap_or(at);
            let before = number
                .checked_sub(1)
                .and_then(|before| arguments.get(before));
            self.argument(name, *takes, val, before, at);
        }
        self.given(declared.gives, name, &arguments, places, at)
    }

    /// Rhai's own functions that are no methods.
    fn other_function(&mut self, name: &str, arguments: &[Val]) -> Val {
        if let Some((base, rest)) = arguments.split_first()
            && let Some((val, _)) = self.built_in(base, name, rest)
        {
            return val;
        }
        match name {
            "type_of" | "to_string" | "to_debug" => Val::open_text(),
            "is_def_var" | "is_def_fn" | "is_shared" => Val::of(Kinds::BOOL),
            "min" | "max" | "abs" | "parse_int" | "sign" => Val::of(Kinds::INT),
            "range" => Val::of(Kinds::RANGE),
            _ => Val::any(),
        }
    }

    /// Checks whether an argument is what the function takes.
    fn argument(
        &mut self,
        function: &str,
        takes: ParameterType,
        val: &Val,
        before: Option<&Val>,
        at: Position,
    ) {
        let text = val.may_be_text();
        let (fits, what) = match takes {
            ParameterType::Name(sort) => {
                self.name(sort, val, at);
                (text, sort.name())
            }
            ParameterType::Place => {
                self.place(val, at);
                (text, "space or box")
            }
            ParameterType::Word(words) => {
                self.one_of(words, val);
                (text, "text")
            }
            ParameterType::Dice => {
                self.dice(val);
                (text, "text")
            }
            ParameterType::Label => {
                self.label(val, at);
                (text, "text")
            }
            ParameterType::Text => (text, "text"),
            ParameterType::Piece => (val.kinds.has(Kinds::PIECE), "piece"),
            ParameterType::Pieces => {
                let items = val.items();
                let pieces = items.is_nothing() || items.is_any() || items.kinds.has(Kinds::PIECE);
                (val.item.is_some() && pieces, "list of pieces")
            }
            ParameterType::List => (val.item.is_some(), "list"),
            ParameterType::Map => (!val.maps.is_empty(), "map"),
            ParameterType::Function => (!val.calls.is_empty(), "function"),
            ParameterType::Int => (val.kinds.has(Kinds::INT), "whole number"),
            ParameterType::Area => (val.kinds.has(Kinds::AREA), "area"),
            ParameterType::Seats => {
                self.seats(val, at);
                return;
            }
            ParameterType::SpaceOrSpaces | ParameterType::Spaces => return self.spaces(val, at),
            ParameterType::How => return self.terms(val, at),
            ParameterType::Sight => return self.sight(val, at),
            ParameterType::ValueOf => {
                if let Some(property) = before {
                    self.compare_property(property, val, at);
                }
                return;
            }
            ParameterType::PieceOrPieces | ParameterType::Any => return,
        };
        let nothing = val.is_any()
            || val.is_nothing()
            || only(val, Kinds::UNIT)
            || val.kinds.has(Kinds::MIXED);
        if !fits && !nothing {
            let article = if what.starts_with(['a', 'e', 'i', 'o']) {
                "an"
            } else {
                "a"
            };
            let given = described(val);
            let message = format!("`{function}` takes {article} {what} here, not {given}");
            self.report.error(at, message, None);
        }
    }

    /// Names of a sort that a value may be: what the game does not have is an error where a script
    /// has written it.
    pub(super) fn name(&mut self, sort: Sort, val: &Val, at: Position) {
        let mut fitting = false;
        let mut strange = None;
        let mixed = val.kinds.has(Kinds::MIXED) && (val.texts.len() > 1 || !val.is_told());
        for text in &val.texts {
            match text {
                TextValue::Word(word, place) => {
                    if self.names.holds(sort, word) {
                        fitting = true;
                        self.report.uses(sort, word);
                    } else if word.is_empty() {
                        // Nothing yet: what comes here is asked for before.
                        fitting = true;
                    } else if place.is_none() || mixed {
                        strange = Some(word.to_string());
                    } else {
                        self.missing(sort, word, *place);
                        fitting = true;
                    }
                }
                TextValue::Of(other) if sort.takes(*other) => {
                    fitting = true;
                    self.report.uses_all(sort);
                }
                TextValue::Of(other) => {
                    // Names of one sort may be names of another too: a city that gives points.
                    let known: Vec<&str> = self.names.all(sort).iter().copied().collect();
                    for word in known {
                        if self.names.holds(*other, word) {
                            self.report.uses(sort, word);
                            fitting = true;
                        }
                    }
                    self.report.unproven(sort, at);
                }
                TextValue::Parts(parts) => {
                    let holds = |sort, word: &str| self.names.holds(sort, word);
                    let known = self.names.all(sort).iter();
                    let known: Vec<String> = known
                        .filter(|word| fits(parts, word, &holds))
                        .map(|word| (*word).to_owned())
                        .collect();
                    if known.is_empty() {
                        let what = sort.name();
                        let message = format!("there is no {what} like `{}`", shown(parts));
                        self.report.error(at, message, None);
                    }
                    for word in &known {
                        self.report.uses(sort, word);
                    }
                    self.report.unproven(sort, at);
                    fitting = true;
                }
            }
        }
        if !val.is_told() {
            self.report.uses_all(sort);
            self.report.unproven(sort, at);
            fitting = true;
        }
        if let (Some(word), false) = (strange, fitting) {
            self.missing(sort, &word, at);
        }
        if let Some(other) = self.other_sort(val, |word| self.names.holds(sort, word)) {
            let message = format!("a {} is no {}", other.name(), sort.name());
            self.report.error(at, message, None);
        }
    }

    /// Says that the game has no such name.
    pub(super) fn missing(&mut self, sort: Sort, name: &str, at: Position) {
        let near = crate::game::nearest(name, self.names.all(sort).iter().copied());
        let hint = match near {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None => Some(format!("{} says what there is", sort.declared())),
        };
        let message = match sort {
            Sort::SpaceData => format!("no space has `{name}` among its data"),
            Sort::RoadData => format!("no road has `{name}` among its data"),
            Sort::ScenarioData => format!("no scenario has `{name}` among its data"),
            _ => format!("there is no {} `{name}`", sort.name()),
        };
        self.report.error(at, message, hint);
    }

    /// The names of a sort that a value means, as far as it tells.
    pub(super) fn names_meant(&self, sort: Sort, val: &Val) -> Vec<String> {
        let all = self.names.all(sort);
        if !val.is_told() {
            return all.iter().map(|name| (*name).to_owned()).collect();
        }
        let holds = |sort, word: &str| self.names.holds(sort, word);
        let means = |name: &&&str| {
            val.texts.iter().any(|text| match text {
                TextValue::Word(word, _) => **word == ***name,
                TextValue::Of(other) => holds(*other, name),
                TextValue::Parts(parts) => fits(parts, name, &holds),
            })
        };
        all.iter()
            .filter(means)
            .map(|name| (*name).to_owned())
            .collect()
    }

    /// A space or a box.
    fn place(&mut self, val: &Val, at: Position) {
        for (word, place) in val.words() {
            let known = self.names.holds(Sort::Space, word) || self.names.holds(Sort::Box, word);
            if self.names.holds(Sort::Box, word) {
                self.report.uses(Sort::Box, word);
            }
            let mixed = val.kinds.has(Kinds::MIXED) && val.texts.len() > 1;
            if !known && !place.is_none() && !word.is_empty() && !mixed {
                let all = self
                    .names
                    .all(Sort::Space)
                    .iter()
                    .chain(self.names.all(Sort::Box));
                let near = crate::game::nearest(word, all.copied());
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                self.report
                    .error(place, format!("there is no space or box `{word}`"), hint);
            }
        }
        if !val.is_told() || val.texts.contains(&TextValue::Of(Sort::Box)) {
            self.report.uses_all(Sort::Box);
        }
        let holds =
            |word: &str| self.names.holds(Sort::Space, word) || self.names.holds(Sort::Box, word);
        let strange = self.other_sort(val, holds);
        if let Some(sort) = strange {
            let message = format!("a {} is no space or box", sort.name());
            self.report.error(at, message, None);
        }
    }

    /// The sort of the names that a value is, if it is nothing else and none of them is what is
    /// wanted.
    fn other_sort(&self, val: &Val, is_wanted: impl Fn(&str) -> bool) -> Option<Sort> {
        let mut texts = val.texts.iter();
        let (Some(TextValue::Of(sort)), None, true) = (texts.next(), texts.next(), val.is_told())
        else {
            return None;
        };
        let all = self.names.all(*sort);
        let mixed = val.kinds.has(Kinds::MIXED);
        (!mixed && !all.is_empty() && !all.iter().any(|word| is_wanted(word))).then_some(*sort)
    }

    /// A seat, seats, or all of them.
    pub(super) fn seats(&mut self, val: &Val, at: Position) {
        let mut others = val.clone();
        others
            .texts
            .retain(|text| !matches!(text, TextValue::Word(word, _) if &**word == "all"));
        self.name(Sort::Seat, &others, at);
        if let Some(item) = &val.item {
            self.name(Sort::Seat, &Val::clone(item), at);
        }
    }

    /// One of these words.
    fn one_of(&mut self, words: &[&str], val: &Val) {
        for (word, place) in val.words() {
            if !place.is_none() && !words.contains(&&**word) {
                let message = format!("this is one of {}, not `{word}`", words.join(", "));
                let near = crate::game::nearest(word, words.iter().copied());
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                self.report.error(place, message, hint);
            }
        }
    }

    /// Spaces, alone or in a list.
    fn spaces(&mut self, val: &Val, at: Position) {
        let texts = |val: &Val| Val {
            texts: val.texts.clone(),
            ..Val::default()
        };
        self.name(Sort::Space, &texts(val), at);
        if let Some(item) = &val.item {
            self.name(Sort::Space, &texts(item), at);
        }
    }

    /// The terms of a way.
    fn terms(&mut self, val: &Val, at: Position) {
        for call in &val.calls {
            let here = vec![Val::name(Sort::Space), Val::name(Sort::Space)];
            self.call_value(call, here);
        }
        for map in val.maps.clone() {
            for (key, field) in &map.fields {
                self.term("a way", TERMS, key, &field.val, at);
                match &**key {
                    "not_across" => self.name(Sort::Hexside, &field.val.items(), at),
                    "bridged" | "unbridged" => self.spaces(&field.val.items(), at),
                    "eased" => self.name(Sort::RoadClass, &field.val.items(), at),
                    "dear" => self.dear(&field.val, at),
                    _ => {}
                }
            }
            let part = |name: &str| map.fields.get(name).map(|field| field.val.clone());
            if let (Some(table), Some(class)) = (part("table"), part("class")) {
                self.classes(&table, &class, at);
            }
        }
    }

    /// What costs more to enter: spaces, or pairs of spaces and numbers.
    fn dear(&mut self, val: &Val, at: Position) {
        let items = val.items();
        let pairs = !items.is_any() && items.item.is_some();
        if !pairs {
            self.spaces(val, at);
        }
    }

    /// The terms of sight.
    fn sight(&mut self, val: &Val, at: Position) {
        for map in val.maps.clone() {
            for (key, field) in &map.fields {
                self.term("sight", SIGHT_TERMS, key, &field.val, at);
            }
            if let Some(field) = map.fields.get("table") {
                self.covers(&field.val);
            }
        }
    }

    /// One term of those that there are.
    fn term(
        &mut self,
        what: &str,
        terms: &[(&str, ParameterType)],
        key: &str,
        val: &Val,
        at: Position,
    ) {
        if let Some((_, takes)) = terms.iter().find(|(term, _)| *term == key) {
            return self.argument(what, *takes, val, None, at);
        }
        let terms: Vec<&str> = terms.iter().map(|(term, _)| *term).collect();
        let hint = match crate::game::nearest(key, terms.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", terms.join(", ")),
        };
        let message = format!("{what} has no `{key}`");
        self.report.error(at, message, Some(hint));
    }

    /// Calls what may be several functions.
    pub(super) fn called(&mut self, function: &Val, arguments: &[Val]) -> Val {
        let mut val = Val::default();
        if function.is_any() {
            val.join(Val::any());
        }
        for call in function.calls.clone() {
            val.join(self.call_value(&call, arguments.to_vec()));
        }
        val
    }

    /// Calls a function that is a value. It is followed as part of a loop: a list calls it for each
    /// of its items.
    pub(super) fn call_value(&mut self, call: &Rc<Call>, arguments: Vec<Val>) -> Val {
        let mut all = call.bound.clone();
        all.extend(arguments);
        // It may take fewer than it is offered: the place in a list comes after the item.
        while !all.is_empty() && self.bodies.find(&call.name, all.len()).is_none() {
            if all.len() == call.bound.len() {
                return Val::any();
            }
            all.pop();
        }
        let Some(function) = self.bodies.find(&call.name, all.len()) else {
            return Val::any();
        };
        self.reached.insert(function);
        if let Some(frame) = self.stack.last_mut() {
            frame.loops += 1;
        }
        let val = self.follow(function, all, None);
        if let Some(frame) = self.stack.last_mut() {
            frame.loops -= 1;
        }
        val
    }

    /// A variable that a closure changes may be anything after it: when it is called is not
    /// followed.
    fn captured(&mut self, call: &FnCallExpr, function: &Val, scope: &mut Variables) {
        for closure in &function.calls {
            let Some(body) = self.bodies.iter().find(|body| body.name == closure.name) else {
                continue;
            };
            let changed: Vec<String> = (call.args.iter().skip(1))
                .zip(&body.parameters)
                .filter(|(_, parameter)| assigns(&body.statements, parameter))
                .filter_map(|(argument, _)| match argument {
                    Expr::Variable(variable, ..) => Some(variable.1.to_string()),
                    _ => None,
                })
                .collect();
            for name in changed {
                if let Some(val) = scope.get_mut(&name) {
                    val.join(Val::any());
                }
            }
        }
    }

    /// `Fn("name")`.
    fn named_function(&mut self, name: &Val) -> Val {
        let mut val = Val::default();
        for (word, place) in name.words() {
            let known: Vec<usize> = (0..8)
                .filter_map(|count| self.bodies.find(word, count))
                .collect();
            if known.is_empty() && !place.is_none() {
                self.report
                    .error(place, format!("there is no function `{word}`"), None);
            }
            self.reached.extend(known);
            val.calls.push(Rc::new(Call {
                name: Rc::clone(word),
                bound: Vec::new(),
            }));
        }
        if !name.is_told() {
            val.join(Val::any());
        }
        val
    }

    /// What a function of the host gives.
    fn given(
        &mut self,
        gives: ReturnType,
        name: &str,
        arguments: &[Val],
        places: &[Position],
        at: Position,
    ) -> Val {
        let unit = Val::unit;
        match gives {
            ReturnType::Unit => unit(),
            ReturnType::Bool => Val::of(Kinds::BOOL),
            ReturnType::Int => Val::of(Kinds::INT),
            ReturnType::Turn => Val::of(Kinds::INT.and(Kinds::FIXED)),
            ReturnType::Piece => Val::of(Kinds::PIECE),
            ReturnType::Pieces => Val::list(Val::of(Kinds::PIECE)),
            ReturnType::Stacks => Val::list(Val::list(Val::of(Kinds::PIECE))),
            ReturnType::MaybePiece => Val::of(Kinds::PIECE.and(Kinds::UNIT)),
            ReturnType::Name(sort) => Val::name(sort),
            ReturnType::Names(sort) => Val::list(Val::name(sort)),
            ReturnType::MaybeNames(sort) => Val::list(Val::name(sort)).or(unit()),
            ReturnType::NameOrNothing(sort) => Val::name(sort).or(Val::word("", Position::NONE)),
            ReturnType::Places => Val::list(Val::name(Sort::Space).or(Val::name(Sort::Box))),
            ReturnType::Area => Val::of(Kinds::AREA),
            ReturnType::Field => Val::of(Kinds::FIELD),
            ReturnType::Space => space(),
            ReturnType::First => match arguments.first() {
                Some(first) if first.item.is_some() => Val::list(first.items()),
                _ => Val::list(Val::any()),
            },
            ReturnType::Ints => Val::list(Val::of(Kinds::INT)),
            ReturnType::Secrets => Val::list(Val::of(Kinds::INT)).marked(Kinds::SECRET),
            ReturnType::Special => self.special(name, arguments, places, at),
        }
    }
}

/// A space as an argument of an event.
pub(super) fn space() -> Val {
    use crate::check::value::MapValue;
    let entries = [
        ("space", Val::name(Sort::Space)),
        ("name", Val::open_text()),
    ];
    Val::map(MapValue::sure(entries.into_iter()))
}

/// A function with values bound to its first parameters.
fn with_bound(function: &Val, bound: &[Val]) -> Val {
    let calls = function.calls.iter().map(|call| {
        let mut all = call.bound.clone();
        all.extend(bound.iter().cloned());
        Rc::new(Call {
            name: Rc::clone(&call.name),
            bound: all,
        })
    });
    Val {
        calls: calls.collect(),
        ..Val::default()
    }
}

/// Returns true if statements assign to a variable, or call a method that changes it.
fn assigns(statements: &[rhai::Stmt], name: &str) -> bool {
    use rhai::{ASTNode, Stmt};
    let is_it = |expression: &Expr| matches!(expression, Expr::Variable(variable, ..) if variable.1 == name);
    let mut found = false;
    for statement in statements {
        let mut path = Vec::new();
        statement.walk(&mut path, &mut |path: &[ASTNode<'_>]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                    let mut to = &assignment.1.lhs;
                    while let Expr::Dot(sides, ..) | Expr::Index(sides, ..) = to {
                        to = &sides.lhs;
                    }
                    // What is assigned to a property of a piece leaves the variable as it is.
                    found |= is_it(&assignment.1.lhs)
                        || is_it(to) && matches!(assignment.1.lhs, Expr::Index(..));
                }
                Some(ASTNode::Expr(Expr::Dot(sides, ..))) if is_it(&sides.lhs) => {
                    if let Expr::MethodCall(call, _) = &sides.rhs {
                        found |= super::built_ins::CHANGES.contains(&call.name.as_str());
                    }
                }
                _ => {}
            }
            !found
        });
    }
    found
}

/// A value in words, for messages.
pub(super) fn described(val: &Val) -> &'static str {
    if only(val, Kinds::PIECE) {
        "a piece"
    } else if only(val, Kinds::INT) {
        "a number"
    } else if only(val, Kinds::BOOL) {
        "true or false"
    } else if only(val, Kinds::AREA) {
        "an area"
    } else if only(val, Kinds::FIELD) {
        "a field"
    } else if val.item.is_some() {
        "a list"
    } else if !val.maps.is_empty() {
        "a map"
    } else if !val.texts.is_empty() || val.open {
        "text"
    } else if !val.calls.is_empty() {
        "a function"
    } else {
        "this"
    }
}
