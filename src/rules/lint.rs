//! What `check` finds in scripts without running them: unknown functions, and names of tables, events, facts, verbs, topics,
//! regions and options that the game does not have.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::{errors::RuleError, program::Program};
use crate::game::Game;

/// Everything that is wrong, in the order of the scripts.
#[must_use]
pub fn lint(program: &Program) -> Vec<RuleError> {
    let functions = Functions::of(program);
    let mut found: BTreeMap<(usize, usize), String> = BTreeMap::new();
    program.ast.walk(&mut |path: &[ASTNode<'_>]| {
        let call = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))) => {
                Some((call, at))
            }
            Some(ASTNode::Stmt(Stmt::FnCall(call, at))) => Some((call, at)),
            _ => None,
        };
        if let Some((call, at)) = call {
            let method = matches!(path.last(), Some(ASTNode::Expr(Expr::MethodCall(..))));
            if let Some(message) = functions
                .fault(call, method)
                .or_else(|| name_fault(program.game(), call))
            {
                found.insert(
                    (at.line().unwrap_or(0), at.position().unwrap_or(0)),
                    message,
                );
            }
        }
        true
    });
    let errors = found.into_iter().map(|((line, column), message)| {
        let line = u16::try_from(line).unwrap_or(0);
        let column = u16::try_from(column).unwrap_or(0);
        let at = if line == 0 {
            Position::NONE
        } else {
            Position::new(line, column)
        };
        RuleError {
            message,
            function: None,
            place: program.sources.place(at),
            of_machine: false,
        }
    });
    errors.collect()
}

/// The functions that exist, with the numbers of parameters that they take.
struct Functions(BTreeMap<String, BTreeSet<usize>>);

impl Functions {
    fn of(program: &Program) -> Self {
        let mut known: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for function in program.ast.iter_functions() {
            known
                .entry(function.name.to_owned())
                .or_default()
                .insert(function.params.len());
        }
        let metadata = program
            .engine
            .gen_fn_metadata_to_json(true)
            .unwrap_or_default();
        let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap_or_default();
        for function in metadata["functions"].as_array().into_iter().flatten() {
            let (name, parameters) = (function["name"].as_str(), function["numParams"].as_u64());
            if let (Some(name), Some(parameters)) = (
                name,
                parameters.and_then(|count| usize::try_from(count).ok()),
            ) {
                known.entry(name.to_owned()).or_default().insert(parameters);
            }
        }
        Self(known)
    }

    fn fault(&self, call: &FnCallExpr, method: bool) -> Option<String> {
        if call.is_operator_call()
            || call.name.starts_with("anon$")
            || BUILT_IN.contains(&call.name.as_str())
        {
            return None;
        }
        let given = call.args.len() + usize::from(method);
        match self.0.get(call.name.as_str()) {
            None => Some(format!("there is no function `{}`", call.name)),
            Some(counts) if counts.contains(&given) => None,
            Some(counts) => {
                let counts: Vec<_> = counts.iter().map(ToString::to_string).collect();
                Some(format!(
                    "`{}` takes {} arguments, not {given}",
                    call.name,
                    counts.join(" or ")
                ))
            }
        }
    }
}

/// What Rhai knows without registering it.
const BUILT_IN: [&str; 8] = [
    "type_of",
    "is_def_var",
    "is_def_fn",
    "is_shared",
    "Fn",
    "call",
    "curry",
    "debug",
];

/// The constant text of an argument.
fn text(call: &FnCallExpr, index: usize) -> Option<&str> {
    match call.args.get(index) {
        Some(Expr::StringConstant(text, _)) => Some(text.as_str()),
        _ => None,
    }
}

/// A name that is written in the script and that the game does not have.
fn name_fault(game: &Game, call: &FnCallExpr) -> Option<String> {
    let missing = |what: &str, name: Option<&str>, known: &dyn Fn(&str) -> bool| {
        name.filter(|name| !known(name))
            .map(|name| format!("there is no {what} `{name}`"))
    };
    let decl = &game.decl;
    match call.name.as_str() {
        "value" | "lookup" | "column" | "reason" => {
            let table = text(call, 0)?;
            let Some(found) = game.tables.get(table) else {
                return Some(format!("there is no table `{table}`"));
            };
            match call.name.as_str() {
                "value" => missing("value in this table called", text(call, 1), &|name| {
                    found.values.contains_key(name)
                }),
                "reason" => missing("modifier of this table called", text(call, 1), &|name| {
                    found.modifiers.iter().any(|modifier| modifier.id == name)
                }),
                _ => None,
            }
        }
        "tell" | "refuse" => missing("event", text(call, 1), &|name| {
            decl.events.iter().any(|key| key == name)
        }),
        "fact" | "set_fact" => {
            missing("fact", text(call, 0), &|name| decl.facts.contains_key(name))
        }
        "option" => missing("option", text(call, 0), &|name| {
            decl.options.contains_key(name)
        }),
        "told" => missing("verb", text(call, 1), &|name| {
            decl.orders.verbs.contains_key(name)
        }),
        "ask" => missing("topic", text(call, 1), &|name| {
            decl.orders.topics.contains_key(name)
        }),
        "orders" | "orders_each" => missing("phase", text(call, 1), &|name| {
            decl.phases.iter().any(|phase| phase.id == name)
        }),
        "region" => missing("region", text(call, 0), &|name| {
            game.map.map().regions.contains_key(name)
        }),
        "in_region" => missing("region", text(call, 1), &|name| {
            game.map.map().regions.contains_key(name)
        }),
        "piece" => missing("piece", text(call, 0), &|name| {
            game.forces.pieces.iter().any(|piece| piece.id == *name)
        }),
        _ => None,
    }
}
