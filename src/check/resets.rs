//! Facts that a script sets back to their defaults by hand where the turn ends: they have a scope
//! for that.

use rhai::{Dynamic, Expr, FnCallExpr, Position, Stmt};

use super::{bodies::FunctionBody, flow::Flow};
use crate::{
    game::{GameDecl, PhaseDecl, Problem, Scope},
    value::Value,
};

/// Warnings: such facts, in functions that end the turn.
pub(super) fn by_hand(flow: &Flow<'_>) -> Vec<Problem> {
    let decl = &flow.names.game.decl;
    let bodies = flow.bodies.iter().filter(|body| ends_turn(decl, body));
    let mut found = Vec::new();
    for body in bodies {
        for (fact, value, at) in body.statements.iter().filter_map(setting) {
            let declared = decl.facts.get(fact);
            let is_reset = declared.is_some_and(|declared| {
                declared.scope == Scope::Campaign && is_value(&value, &declared.default)
            });
            if is_reset && fact != "turn" {
                let message = format!(
                    "`{fact}` is set back to its default where the turn ends: give it `scope: turn`"
                );
                found.push(flow.problem(at, message).warning());
            }
        }
    }
    found
}

/// Returns true if a function is a phase with `ends_turn`, or sets the turn itself.
fn ends_turn(decl: &GameDecl, body: &FunctionBody) -> bool {
    let is_last = |phase: &PhaseDecl| phase.ends_turn && phase.id == *body.name;
    let mut settings = body.statements.iter().filter_map(setting);
    decl.phases.iter().any(is_last) || settings.any(|(fact, ..)| fact == "turn")
}

/// The fact that a statement sets, its value if it is written out, and where.
fn setting(statement: &Stmt) -> Option<(&str, Option<Dynamic>, Position)> {
    let (call, at): (&FnCallExpr, Position) = match statement {
        Stmt::FnCall(call, at) => (call, *at),
        Stmt::Expr(expression) => match &**expression {
            Expr::FnCall(call, at) => (call, *at),
            _ => return None,
        },
        _ => return None,
    };
    match (call.name.as_str(), call.args.as_slice()) {
        ("set_fact", [Expr::StringConstant(fact, _), value]) => {
            Some((fact, value.get_literal_value(None), at))
        }
        _ => None,
    }
}

/// Returns true if a value of a script is this one.
fn is_value(written: &Option<Dynamic>, value: &Value) -> bool {
    let Some(written) = written else {
        return false;
    };
    match value {
        Value::Null => written.is_unit(),
        Value::Bool(truth) => written.as_bool() == Ok(*truth),
        Value::Int(number) => written.as_int() == Ok(*number),
        Value::Text(text) => written
            .as_immutable_string_ref()
            .is_ok_and(|written| *written == text.as_str()),
        Value::List(list) => {
            list.is_empty() && written.as_array_ref().is_ok_and(|it| it.is_empty())
        }
        Value::Map(map) => map.is_empty() && written.as_map_ref().is_ok_and(|it| it.is_empty()),
    }
}
