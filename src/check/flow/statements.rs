//! Statements: blocks, branches, loops, variables.

use rhai::{ASTFlags, Expr, FlowControl, Position, Stmt};

use super::{Flow, Variables};
use crate::check::value::{Kinds, Val};

/// The most rounds of a loop: whatever still grows then is taken to be anything.
const MOST_TURNS: usize = 6;

impl Flow<'_> {
    /// Statements one after the other: the value of the last.
    pub(super) fn block(&mut self, statements: &[Stmt], scope: &mut Variables) -> Val {
        let mut last = Val::unit();
        for statement in statements {
            if scope.0.is_none() {
                break;
            }
            last = self.statement(statement, scope);
        }
        last
    }

    /// A block with variables of its own.
    pub(super) fn inner(&mut self, statements: &[Stmt], scope: &mut Variables) -> Val {
        let length = scope.len();
        let last = self.block(statements, scope);
        scope.cut(length);
        last
    }

    fn statement(&mut self, statement: &Stmt, scope: &mut Variables) -> Val {
        match statement {
            Stmt::Var(variable, ..) => {
                let (name, value, _) = &**variable;
                let val = self.expression(value, scope);
                scope.add(&name.name, val);
                Val::unit()
            }
            Stmt::Assignment(assignment) => {
                let (operator, sides) = &**assignment;
                let mut val = self.expression(&sides.rhs, scope);
                if let Some((.., operator)) = operator.get_op_assignment_info() {
                    let before = self.expression(&sides.lhs, scope);
                    val = self.operation(operator, &[before, val]);
                }
                self.assign(&sides.lhs, val, scope);
                Val::unit()
            }
            Stmt::Expr(expression) => self.expression(expression, scope),
            Stmt::FnCall(call, at) => self.call(call, *at, scope),
            Stmt::Block(block) => self.inner(block.statements(), scope),
            Stmt::If(branches, _) => self.branches(branches, scope),
            Stmt::Switch(switch, at) => self.switch(switch, *at, scope),
            Stmt::While(parts, _) => {
                let endless = matches!(parts.expr, Expr::Unit(_) | Expr::BoolConstant(true, _));
                self.repeated(endless, scope, |flow, scope| {
                    flow.expression(&parts.expr, scope);
                    flow.inner(parts.body.statements(), scope);
                });
                Val::unit()
            }
            Stmt::Do(parts, ..) => {
                self.repeated(false, scope, |flow, scope| {
                    flow.inner(parts.body.statements(), scope);
                    flow.expression(&parts.expr, scope);
                });
                Val::unit()
            }
            Stmt::For(parts, _) => {
                let (item, counter, control) = &**parts;
                let list = self.expression(&control.expr, scope);
                let items = items_of(&list);
                self.repeated(false, scope, |flow, scope| {
                    let length = scope.len();
                    scope.add(&item.name, items.clone());
                    if let Some(counter) = counter {
                        scope.add(&counter.name, Val::of(Kinds::INT));
                    }
                    flow.block(control.body.statements(), scope);
                    scope.cut(length);
                });
                Val::unit()
            }
            Stmt::Return(value, flags, _) => {
                let val = match value {
                    Some(value) => self.expression(value, scope),
                    None => Val::unit(),
                };
                if !flags.intersects(ASTFlags::BREAK)
                    && let Some(frame) = self.stack.last_mut()
                {
                    frame.gives.join(val);
                }
                scope.0 = None;
                Val::default()
            }
            Stmt::BreakLoop(value, ..) => {
                if let Some(value) = value {
                    self.expression(value, scope);
                }
                // Where the loop goes on or ends, variables may have the values that they have
                // here.
                if let Some(aside) = self.aside.last_mut() {
                    aside.push(scope.clone());
                }
                scope.0 = None;
                Val::default()
            }
            Stmt::Share(_) | Stmt::Noop(_) => Val::unit(),
            _ => Val::any(),
        }
    }

    fn branches(&mut self, parts: &FlowControl, scope: &mut Variables) -> Val {
        let decides = self.expression(&parts.expr, scope);
        match decides.certain() {
            Some(true) => return self.inner(parts.body.statements(), scope),
            Some(false) => return self.inner(parts.branch.statements(), scope),
            None => {}
        }
        let before = decides
            .kinds
            .has(Kinds::SECRET.and(Kinds::DECIDED))
            .then(|| scope.clone());
        let mut other = scope.clone();
        let mut val = self.inner(parts.body.statements(), scope);
        if scope.0.is_none() {
            val = Val::default();
        }
        let otherwise = self.inner(parts.branch.statements(), &mut other);
        if other.0.is_some() {
            val.join(otherwise);
        }
        scope.join(other);
        // Anything that depends on secret dice is as secret as they are.
        if let Some(before) = before {
            scope.mark_changes(&before);
        }
        val.decided_by(decides.kinds)
    }

    fn switch(
        &mut self,
        switch: &(Expr, rhai::SwitchCasesCollection),
        at: Position,
        scope: &mut Variables,
    ) -> Val {
        let (value, cases) = switch;
        let val = self.expression(value, scope);
        let place = (at.line().unwrap_or(0), at.position().unwrap_or(0));
        if let Some(labels) = self.labels.get(&place).cloned() {
            for (word, at) in labels.clone() {
                self.compare_word(&val, &word, at);
            }
            let texts = labels
                .iter()
                .map(|(word, _)| Val::word(word, Position::NONE));
            self.compare_values(&val, &texts.fold(Val::default(), Val::or));
        }
        let (mut after, mut gives) = (Variables(None), Val::default());
        for case in &cases.expressions {
            let mut inside = scope.clone();
            self.expression(&case.lhs, &mut inside);
            let given = self.expression(&case.rhs, &mut inside);
            if inside.0.is_some() {
                gives.join(given);
            }
            after.join(inside);
        }
        if cases.def_case.is_none() {
            gives.join(Val::unit());
            after.join(scope.clone());
        }
        *scope = after;
        gives
    }

    /// A loop: what its body does to variables may have been done any number of times. An endless
    /// one ends with a `break` only.
    fn repeated(
        &mut self,
        endless: bool,
        scope: &mut Variables,
        mut body: impl FnMut(&mut Self, &mut Variables),
    ) {
        let mut left = Variables(None);
        if let Some(frame) = self.stack.last_mut() {
            frame.loops += 1;
        }
        let mut length = scope.len();
        for turn in 0..MOST_TURNS {
            let mut inside = scope.clone();
            self.aside.push(Vec::new());
            body(self, &mut inside);
            let aside = self.aside.pop().unwrap_or_default();
            let mut more = scope.join(inside);
            for mut elsewhere in aside {
                elsewhere.cut(length);
                left.join(elsewhere.clone());
                more |= scope.join(elsewhere);
            }
            length = scope.len();
            if !more {
                break;
            }
            if turn + 1 == MOST_TURNS {
                for (_, val) in scope.0.iter_mut().flatten() {
                    val.join(Val::any());
                }
            }
        }
        if endless {
            *scope = left;
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.loops -= 1;
        }
    }
}

/// The possible values of a `for`'s variable.
fn items_of(list: &Val) -> Val {
    let mut items = list.items();
    if list.kinds.has(Kinds::RANGE) {
        items.join(Val::of(Kinds::INT));
    }
    if list.open || !list.texts.is_empty() {
        items.join(Val::open_text());
    }
    items
}
