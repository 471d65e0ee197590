//! Expressions: constants, lists, maps, operators.

use std::rc::Rc;

use rhai::{Expr, FnPtr, Position};

use super::{Flow, Variables};
use crate::check::value::{Call, Kinds, MapValue, TextValue, Val, joined};

impl Flow<'_> {
    /// The possible values of an expression.
    pub(super) fn expression(&mut self, expression: &Expr, scope: &mut Variables) -> Val {
        match expression {
            Expr::StringConstant(text, at) => Val::word(text, *at),
            Expr::CharConstant(..) => Val::open_text(),
            Expr::IntegerConstant(..) => Val::of(Kinds::INT.and(Kinds::FIXED)),
            Expr::BoolConstant(truth, _) => Val::bool(Some(*truth)),
            Expr::Unit(_) => Val::unit(),
            Expr::DynamicConstant(value, _) => match value.read_lock::<FnPtr>() {
                Some(function) => function_value(&function),
                None => Val::any(),
            },
            Expr::InterpolatedString(parts, at) => self.template(parts, *at, scope),
            Expr::Array(items, _) => {
                let mut item = Val::default();
                for expression in items.iter() {
                    item.join(self.expression(expression, scope));
                }
                Val::list(item)
            }
            Expr::Map(entries, _) => {
                let mut record = MapValue::default();
                for (name, value) in &entries.0 {
                    let val = self.expression(value, scope);
                    record.set(&name.name, val);
                    self.report.key(&name.name);
                }
                Val::map(record)
            }
            Expr::Variable(variable, _, _) => {
                let found = scope.get(&variable.1);
                found.cloned().unwrap_or_else(Val::any)
            }
            Expr::ThisPtr(_) => scope.get("this").cloned().unwrap_or_else(Val::any),
            Expr::Stmt(block) => self.inner(block.statements(), scope),
            Expr::FnCall(call, at) => self.call(call, *at, scope),
            Expr::Dot(sides, flags, _) => {
                let base = self.expression(&sides.lhs, scope);
                self.chain(Some(&sides.lhs), base, true, &sides.rhs, *flags, scope)
            }
            Expr::Index(sides, flags, _) => {
                let base = self.expression(&sides.lhs, scope);
                self.chain(Some(&sides.lhs), base, false, &sides.rhs, *flags, scope)
            }
            Expr::And(parts, _) => self.all_of(parts, true, scope),
            Expr::Or(parts, _) => self.all_of(parts, false, scope),
            Expr::Coalesce(parts, _) => {
                let mut val = Val::default();
                for part in parts.iter() {
                    val.join(self.expression(part, scope));
                }
                val
            }
            _ => Val::any(),
        }
    }

    /// Truths joined by `&&` (`wanted` is true) or `||`: what comes after one that decides is not
    /// reached.
    fn all_of(&mut self, parts: &[Expr], wanted: bool, scope: &mut Variables) -> Val {
        let (mut truth, mut marks) = (Some(wanted), Kinds::default());
        for part in parts {
            let val = self.expression(part, scope);
            marks = marks.and(val.kinds.marks());
            match val.certain() {
                Some(certain) if certain == wanted => {}
                Some(other) => return Val::bool(Some(other)).decided_by(marks),
                None => truth = None,
            }
        }
        Val::bool(truth).decided_by(marks)
    }

    /// A text with expressions in it.
    fn template(&mut self, parts: &[Expr], at: Position, scope: &mut Variables) -> Val {
        let mut text = Val::word("", at);
        for part in parts {
            let val = self.expression(part, scope);
            text = joined(&text, &val);
        }
        text
    }

    /// The result of an operator.
    pub(super) fn operation(&mut self, operator: &str, sides: &[Val]) -> Val {
        let marks = sides.iter().fold(Kinds::default(), |marks, side| {
            marks.and(side.kinds.marks())
        });
        // A number reckoned from something is not the thing itself.
        let marks = marks.without(Kinds::HIDDEN);
        let (Some(left), right) = (sides.first(), sides.get(1)) else {
            return Val::any();
        };
        match (operator, right) {
            ("+", Some(right)) => added(left, right),
            ("-" | "&", Some(right))
                if left.kinds.has(Kinds::AREA) || right.kinds.has(Kinds::AREA) =>
            {
                let area = Val::of(Kinds::AREA);
                let numbers = left.kinds.has(Kinds::INT.and(Kinds::ANY))
                    && right.kinds.has(Kinds::INT.and(Kinds::ANY));
                if numbers {
                    area.or(Val::of(Kinds::INT))
                } else {
                    area
                }
            }
            ("!", _) => Val::bool(left.certain().map(|truth| !truth)).decided_by(marks),
            ("==", Some(right)) => Val::bool(equal(left, right)).decided_by(marks),
            ("!=", Some(right)) => {
                Val::bool(equal(left, right).map(|equal| !equal)).decided_by(marks)
            }
            ("<" | ">" | "<=" | ">=" | "&&" | "||" | "in" | "!in", _) => {
                Val::of(Kinds::BOOL).decided_by(marks)
            }
            (".." | "..=", _) => Val::of(Kinds::RANGE),
            ("-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>", _) => {
                Val::of(Kinds::INT).marked(marks)
            }
            _ => Val::any(),
        }
    }
}

/// Returns true if two values are equal, where that is certain. What facts and attributes hold may
/// come from elsewhere too.
fn equal(left: &Val, right: &Val) -> Option<bool> {
    let unsure = Kinds::KEPT.and(Kinds::MIXED);
    if left.kinds.has(unsure) || right.kinds.has(unsure) {
        return None;
    }
    if let (Some(left), Some(right)) = (left.only_word(), right.only_word()) {
        return Some(left == right);
    }
    let words = |val: &Val| {
        let plain = val.is_told()
            && val.kinds.bare().without(Kinds::UNIT) == Kinds::default()
            && val.item.is_none()
            && val.maps.is_empty()
            && !val.texts.is_empty()
            && val
                .texts
                .iter()
                .all(|text| matches!(text, TextValue::Word(..)));
        plain.then(|| {
            val.words()
                .map(|(word, _)| word.to_string())
                .collect::<Vec<_>>()
        })
    };
    let (left_words, right_words) = (words(left)?, words(right)?);
    let both_nothing = left.kinds.has(Kinds::UNIT) && right.kinds.has(Kinds::UNIT);
    let meet = left_words.iter().any(|word| right_words.contains(word));
    (!meet && !both_nothing).then_some(false)
}

/// The result of `+`: a sum, a text, a list, a map laid over another, an area.
pub(super) fn added(left: &Val, right: &Val) -> Val {
    let marks = left.kinds.marks().and(right.kinds.marks());
    if left.is_nothing() || right.is_nothing() {
        return Val::default();
    }
    let mut sum = Val::default();
    if left.is_any() && right.is_any() {
        sum.join(Val::any());
    }
    let texts = |val: &Val| val.open || !val.texts.is_empty();
    if texts(left) || texts(right) && !left.is_any() {
        sum.join(joined(left, right));
    }
    let numbers = Kinds::INT.and(Kinds::ANY);
    if left.kinds.has(numbers) && right.kinds.has(numbers) {
        sum.join(Val::of(Kinds::INT));
    }
    if left.kinds.has(Kinds::AREA) || right.kinds.has(Kinds::AREA) {
        sum.join(Val::of(Kinds::AREA));
    }
    if left.item.is_some() || right.item.is_some() {
        let mut items = left.items();
        items.join(right.items());
        sum.join(Val::list(items));
    }
    for one in &left.maps {
        for other in &right.maps {
            sum.join(Val::map(one.with(other)));
        }
        if right.is_any() {
            sum.join(Val::open_map(Val::any()));
        }
    }
    if left.is_any() && !right.maps.is_empty() {
        sum.join(Val::open_map(Val::any()));
    }
    sum.unmarked(Kinds::HIDDEN)
        .marked(marks.without(Kinds::FIXED.and(Kinds::HIDDEN)))
}

/// A function used as a value, with its bound arguments.
fn function_value(function: &FnPtr) -> Val {
    let bound = function.curry().iter().map(|_| Val::any());
    Val {
        calls: vec![Rc::new(Call {
            name: function.fn_name().into(),
            bound: bound.collect(),
        })],
        ..Val::default()
    }
}
