//! Checks functions: those that are called must exist with that number of arguments, and so must
//! those that game.yaml names.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::at;
use crate::{
    game::{Problem, nearest},
    rules::Program,
};

/// Functions that Rhai knows without registering them.
const BUILT_IN: [&str; 7] = [
    "type_of",
    "is_def_var",
    "is_def_fn",
    "is_shared",
    "Fn",
    "call",
    "curry",
];

/// Calls of functions that don't exist, or that take other arguments.
pub(super) fn unknown(program: &Program) -> Vec<Problem> {
    let known = KnownFunctions::of(program);
    let mut found: BTreeMap<(usize, usize), (String, Option<String>)> = BTreeMap::new();
    program.ast().walk(&mut |path: &[ASTNode<'_>]| {
        let call = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => Some((call, at, false)),
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => Some((call, at, true)),
            Some(ASTNode::Stmt(Stmt::FnCall(call, at))) => Some((call, at, false)),
            _ => None,
        };
        if let Some((call, at, method)) = call
            && let Some(fault) = known.fault(call, method)
        {
            found.insert((at.line().unwrap_or(0), at.position().unwrap_or(0)), fault);
        }
        true
    });
    let problems = found.into_iter().map(|((line, column), (message, hint))| {
        let small = |number: usize| u16::try_from(number).unwrap_or(0);
        let position = match line {
            0 => Position::NONE,
            _ => Position::new(small(line), small(column)),
        };
        let problem = at(&program.place(position), message);
        Problem { hint, ..problem }
    });
    problems.collect()
}

/// The functions that exist, with the numbers of parameters that they take.
struct KnownFunctions(BTreeMap<String, BTreeSet<usize>>);

impl KnownFunctions {
    fn of(program: &Program) -> Self {
        let mut known: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for function in program.ast().iter_functions() {
            let counts = known.entry(function.name.to_owned()).or_default();
            counts.insert(function.params.len());
        }
        for (name, parameters) in program.native_functions() {
            known.entry(name).or_default().insert(parameters);
        }
        Self(known)
    }

    fn fault(&self, call: &FnCallExpr, method: bool) -> Option<(String, Option<String>)> {
        let name = call.name.as_str();
        if call.is_operator_call() || name.starts_with("anon$") || BUILT_IN.contains(&name) {
            return None;
        }
        let given = call.args.len() + usize::from(method);
        let Some(counts) = self.0.get(name) else {
            let near = nearest(name, self.0.keys().map(String::as_str));
            let hint = near.map(|near| format!("did you mean `{near}`?"));
            return Some((format!("there is no function `{name}`"), hint));
        };
        // A function of the scripts may be called as a method of what it knows as `this`.
        if counts.contains(&given) || method && counts.contains(&call.args.len()) {
            return None;
        }
        let counts: Vec<_> = counts.iter().map(ToString::to_string).collect();
        let message = format!(
            "`{name}` takes {} arguments, not {given}",
            counts.join(" or ")
        );
        Some((message, None))
    }
}

/// Functions that game.yaml names, or that every game needs, and that the scripts don't have.
pub(super) fn missing(program: &Program) -> Vec<Problem> {
    let decl = &program.game().decl;
    let file = format!("games/{}/game.yaml", decl.id);
    let mut wanted = Vec::new();
    for (number, phase) in decl.phases.iter().enumerate() {
        let parameters = usize::from(phase.of.is_some());
        wanted.push((
            format!("phases[{number}].id"),
            phase.id.as_str(),
            parameters,
        ));
    }
    for (name, verb) in &decl.orders.verbs {
        let path = |key: &str| format!("orders.verbs.{name}.{key}");
        wanted.extend(
            verb.check
                .iter()
                .map(|function| (path("check"), function.as_str(), 1)),
        );
        wanted.extend(
            verb.template
                .iter()
                .map(|function| (path("template"), function.as_str(), 1)),
        );
    }
    for (name, topic) in &decl.orders.topics {
        let checks = topic.check.iter();
        let path = format!("orders.topics.{name}.check");
        wanted.extend(checks.map(|function| (path.clone(), function.as_str(), 1)));
    }
    for (name, condition) in &decl.orders.conditions {
        wanted.push((
            format!("orders.conditions.{name}.call"),
            condition.call.as_str(),
            1,
        ));
    }
    if let Some(courier) = &decl.courier {
        wanted.push(("courier.call".to_owned(), courier.call.as_str(), 2));
    }
    let known: BTreeSet<&str> = program
        .ast()
        .iter_functions()
        .map(|function| function.name)
        .collect();
    let lacks = |(_, function, parameters): &(String, &str, usize)| {
        !program.has_function(function, *parameters)
    };
    let mut found: Vec<Problem> = wanted
        .into_iter()
        .filter(lacks)
        .map(|(path, function, parameters)| {
            let count = match parameters {
                0 => "without parameters".to_owned(),
                1 => "with one parameter".to_owned(),
                more => format!("with {more} parameters"),
            };
            let message = format!("the scripts have no function `{function}` {count}");
            let problem = Problem::new(&file, path, message);
            match nearest(function, known.iter().copied()) {
                Some(near) if near != function => problem.hint(format!("did you mean `{near}`?")),
                _ => problem,
            }
        })
        .collect();
    let rules = format!("rules/{}", decl.id);
    match (program.has_function(crate::rules::LOOK, 1), decl.open_map) {
        (false, false) => {
            let message = "there is no function `look(seat)`: nobody would see anything";
            let hint = "say in it what a seat sees: `spot(seat, piece, \"whole\")`; or game.yaml says `open_map: true`";
            found.push(Problem::new(&rules, "", message).hint(hint));
        }
        (true, true) => {
            let message = "nothing calls the function `look(seat)`: game.yaml says `open_map: true`, and everybody sees all";
            found.push(Problem::new(&rules, "", message));
        }
        _ => {}
    }
    found
}
