//! Calls: of functions of the scripts and of the host, of Rhai's own, of functions used as values.

use std::rc::Rc;

use rhai::{Expr, FnCallExpr, Position};

use super::{Flow, Variables, chains::only};
use crate::check::{
    host::{self, ReturnType},
    names::Sort,
    value::{Call, Kinds, Val},
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
            return self.operator(call, &arguments, at);
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

    /// A method: a function that gets the value before the dot as its first argument, or as `this`.
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

    /// Calls a value that may be several functions.
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
        // A function may take fewer arguments than it is offered: an item's place in the list comes
        // after the item.
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

    /// The function that `Fn("name")` names.
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

    /// The result of a host function.
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
                    // Assigning to a property of a piece leaves the variable as it is.
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
