//! Throws of one function whose labels are made of the same words and variables: they have one
//! label, whatever the variables hold. Labels without variables are `unused`'s, for they can be
//! compared in all functions of a phase.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, FlowControl, FnCallExpr, Position, Stmt, StmtBlock};

use super::{
    at,
    flow::{CHANGES, Flow},
    host::{self, ParameterType},
};
use crate::{game::Problem, rules::Program};

/// Warns of throws that have a label for the second time.
pub(super) fn repeated(program: &Program, flow: &Flow<'_>) -> Vec<Problem> {
    let mut walk = ThrowWalk {
        program,
        loops: Vec::new(),
        found: BTreeMap::new(),
    };
    for function in flow.bodies.iter() {
        walk.block(&function.statements, &mut Vec::new());
    }
    let problem =
        |(place, message): (Position, String)| at(&program.place(place), message).warning();
    walk.found.into_values().map(problem).collect()
}

/// A label as it is written, with its variables.
#[derive(Clone, Default)]
struct WrittenLabel {
    text: String,
    variables: BTreeSet<String>,
    /// True if it contains the turn.
    has_turn: bool,
}

/// A walk through the statements of a function. It passes on the labels that were thrown on the way
/// and still mean the same.
struct ThrowWalk<'a> {
    program: &'a Program,
    /// The variables that each open loop changes.
    loops: Vec<BTreeSet<String>>,
    found: BTreeMap<(usize, usize), (Position, String)>,
}

impl ThrowWalk<'_> {
    fn block(&mut self, statements: &[Stmt], thrown: &mut Vec<WrittenLabel>) {
        // A block that ends a loop is run once.
        let ends = matches!(
            statements.last(),
            Some(Stmt::Return(..) | Stmt::BreakLoop(..))
        );
        let open = if ends {
            std::mem::take(&mut self.loops)
        } else {
            Vec::new()
        };
        for statement in statements {
            self.statement(statement, thrown);
        }
        if ends {
            self.loops = open;
        }
    }

    /// A block that may be run or not.
    fn inner(&mut self, block: &StmtBlock, thrown: &[WrittenLabel]) {
        self.block(block.statements(), &mut thrown.to_vec());
    }

    fn repeated(
        &mut self,
        parts: &FlowControl,
        changed: &BTreeSet<String>,
        thrown: &[WrittenLabel],
    ) {
        self.loops.push(changed.clone());
        let mut inside = thrown.to_vec();
        forget(&mut inside, changed);
        self.block(parts.body.statements(), &mut inside);
        self.loops.pop();
    }

    fn statement(&mut self, statement: &Stmt, thrown: &mut Vec<WrittenLabel>) {
        match statement {
            Stmt::Var(variable, ..) => self.expression(&variable.1, thrown),
            Stmt::Assignment(assignment) => {
                self.expression(&assignment.1.rhs, thrown);
                self.expression(&assignment.1.lhs, thrown);
            }
            Stmt::Expr(expression) => self.expression(expression, thrown),
            Stmt::FnCall(call, place) => self.call(call, *place, thrown),
            Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => {
                self.expression(value, thrown);
            }
            Stmt::Block(block) => self.inner(block, thrown),
            Stmt::If(parts, _) | Stmt::TryCatch(parts, _) => {
                self.expression(&parts.expr, thrown);
                self.inner(&parts.body, thrown);
                self.inner(&parts.branch, thrown);
            }
            Stmt::While(parts, _) | Stmt::Do(parts, ..) => {
                self.expression(&parts.expr, thrown);
                self.repeated(parts, &changed_by(statement), thrown);
            }
            Stmt::For(parts, _) => {
                self.expression(&parts.2.expr, thrown);
                self.repeated(&parts.2, &changed_by(statement), thrown);
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0, thrown);
                for case in &switch.1.expressions {
                    let mut inside = thrown.clone();
                    self.expression(&case.lhs, &mut inside);
                    self.expression(&case.rhs, &mut inside);
                }
            }
            _ => {}
        }
        forget(thrown, &changed_by(statement));
    }

    fn expression(&mut self, expression: &Expr, thrown: &mut Vec<WrittenLabel>) {
        match expression {
            Expr::FnCall(call, place) | Expr::MethodCall(call, place) => {
                self.call(call, *place, thrown);
            }
            Expr::Dot(sides, ..) | Expr::Index(sides, ..) => {
                self.expression(&sides.lhs, thrown);
                self.expression(&sides.rhs, thrown);
            }
            Expr::Array(parts, _) | Expr::InterpolatedString(parts, _) => {
                parts.iter().for_each(|part| self.expression(part, thrown));
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                parts.iter().for_each(|part| self.expression(part, thrown));
            }
            Expr::Map(entries, _) => {
                let values = entries.0.iter();
                values.for_each(|(_, value)| self.expression(value, thrown));
            }
            Expr::Stmt(block) => {
                let statements = block.statements().iter();
                statements.for_each(|statement| self.statement(statement, thrown));
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &FnCallExpr, place: Position, thrown: &mut Vec<WrittenLabel>) {
        for argument in &call.args {
            self.expression(argument, thrown);
        }
        let name = call.name.as_str();
        if name == "set_fact" {
            thrown.retain(|label| !label.has_turn);
        }
        // A label that a variable holds was made elsewhere, and may be thrown often on purpose: the
        // host numbers such throws.
        let Some(argument @ Expr::InterpolatedString(..)) = label_of(call) else {
            return;
        };
        let mut label = WrittenLabel::default();
        if !self.write(argument, &mut label) || label.variables.is_empty() {
            return;
        }
        let earlier = thrown.iter().any(|other| other.text == label.text);
        let mut loops = self.loops.iter();
        let again = loops.any(|changed| changed.is_disjoint(&label.variables));
        let text = &label.text;
        let message = if earlier {
            format!(
                "another throw of the same phase has the label `{text}`: give each one of its own"
            )
        } else if again {
            format!(
                "several throws of a phase may have the label `{text}`: give each one of its own"
            )
        } else {
            thrown.push(label);
            return;
        };
        let key = (place.line().unwrap_or(0), place.position().unwrap_or(0));
        self.found.insert(key, (place, message));
    }

    /// Writes a label down; returns false if two that are written so need not be the same.
    fn write(&self, expression: &Expr, label: &mut WrittenLabel) -> bool {
        match expression {
            Expr::StringConstant(text, _) => label.text.push_str(text),
            Expr::IntegerConstant(number, _) => label.text.push_str(&number.to_string()),
            Expr::InterpolatedString(parts, _) => {
                return parts.iter().all(|part| match part {
                    Expr::StringConstant(..) => self.write(part, label),
                    _ => {
                        label.text.push_str("${");
                        let same = self.write(part, label);
                        label.text.push('}');
                        same
                    }
                });
            }
            Expr::Variable(variable, ..) => {
                label.text.push_str(&variable.1);
                label.variables.insert(variable.1.to_string());
            }
            Expr::Dot(sides, ..) => {
                let Expr::Property(property, _) = &sides.rhs else {
                    return false;
                };
                // Where a piece is and what it has may be something else by then.
                let name = property.2.as_str();
                let attributes = &self.program.game().decl.attributes;
                if name == "at" || attributes.contains_key(name) || !self.write(&sides.lhs, label) {
                    return false;
                }
                label.text.push('.');
                label.text.push_str(name);
                label.variables.extend(path_of(expression));
            }
            Expr::FnCall(call, _) if call.name == "turn" && call.args.is_empty() => {
                label.text.push_str("turn()");
                label.has_turn = true;
            }
            Expr::Stmt(block) => {
                return match block.statements() {
                    [Stmt::Expr(only)] => self.write(only, label),
                    [Stmt::FnCall(call, place)] => {
                        self.write(&Expr::FnCall(call.clone(), *place), label)
                    }
                    _ => false,
                };
            }
            _ => return false,
        }
        true
    }
}

/// The label with which a call throws dice.
fn label_of(call: &FnCallExpr) -> Option<&Expr> {
    let function = host::function(&call.name, call.args.len())?;
    let mut takes = function.takes.iter();
    let number = takes.position(|parameter| matches!(parameter, ParameterType::Label))?;
    call.args.get(number)
}

fn forget(thrown: &mut Vec<WrittenLabel>, changed: &BTreeSet<String>) {
    thrown.retain(|label| label.variables.is_disjoint(changed));
}

/// The variables that a statement makes or changes, with all that is in it.
fn changed_by(statement: &Stmt) -> BTreeSet<String> {
    let mut changed = BTreeSet::new();
    statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(variable, ..))) => {
                changed.insert(variable.0.name.to_string());
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                changed.insert(parts.0.name.to_string());
                changed.extend(parts.1.iter().map(|counter| counter.name.to_string()));
            }
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                changed.extend(path_of(&assignment.1.lhs));
            }
            Some(ASTNode::Expr(Expr::Dot(sides, ..))) => {
                if let Expr::MethodCall(call, _) = &sides.rhs
                    && CHANGES.contains(&call.name.as_str())
                {
                    changed.extend(path_of(&sides.lhs));
                }
            }
            _ => {}
        }
        true
    });
    changed
}

/// A variable or a property of one, as it is written; for an item of a list, the list.
fn path_of(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Index(sides, ..) => path_of(&sides.lhs),
        Expr::Dot(sides, ..) => {
            let base = path_of(&sides.lhs)?;
            match &sides.rhs {
                Expr::Property(property, _) => Some(format!("{base}.{}", property.2)),
                _ => Some(base),
            }
        }
        _ => None,
    }
}
