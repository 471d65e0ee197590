//! Chains of properties, indices and methods, such as `order.who[0].id`, and assignments to them.

use std::rc::Rc;

use rhai::{ASTFlags, Expr, Position};

use super::{Flow, Store, Variables};
use crate::{
    check::{
        names::{Sort, TEXT_PROPERTIES},
        value::{Kinds, MapValue, TextValue, Val},
    },
    game::Visibility,
};

/// A step of a chain that something is assigned to.
enum ChainStep {
    Property(Rc<str>, Position),
    Index(Val),
    /// A method in the middle of it: what it gives is no variable.
    Lost,
}

impl Flow<'_> {
    /// The value after a dot (`dot`) or brackets and all that follows. `start` is the expression at
    /// the head of the chain, or none further on.
    pub(super) fn chain(
        &mut self,
        start: Option<&Expr>,
        base: Val,
        dot: bool,
        rest: &Expr,
        flags: ASTFlags,
        scope: &mut Variables,
    ) -> Val {
        let (first, more) = first_step(dot, rest, flags);
        let val = match (dot, first) {
            (true, Expr::Property(property, at)) => self.property(&base, &property.2, *at),
            (true, Expr::MethodCall(call, at)) => self.method(start, &base, call, *at, scope),
            (true, _) => Val::any(),
            (false, index) => {
                let at = index.position();
                let index = self.expression(index, scope);
                self.indexed(&base, &index, at)
            }
        };
        match more {
            Some((dot, rest, flags)) => self.chain(None, val, dot, rest, flags, scope),
            None => val,
        }
    }

    /// A property of a piece or an entry of a map.
    fn property(&mut self, base: &Val, name: &str, at: Position) -> Val {
        self.report.property_read(name);
        let held = base.field(name);
        let is_there = held.is_some();
        let mut val = held.unwrap_or_default();
        if is_there {
            self.report.possible(name, at);
        }
        if base.kinds.has(Kinds::PIECE) {
            if self.names.holds(Sort::Property, name) {
                val.join(self.property_of_piece(name));
            } else if only(base, Kinds::PIECE) {
                self.missing(Sort::Property, name, at);
                return Val::any();
            }
        }
        if base.is_any() {
            // It may be a piece or a map, so some piece or map must have the property.
            self.report.loose_property(name, at);
            return Val::any();
        }
        if !is_there && !base.maps.is_empty() && !base.kinds.has(Kinds::PIECE) {
            self.no_such_key(base, name, at);
            return Val::any();
        }
        val
    }

    /// The possible values of a piece's property.
    pub(super) fn property_of_piece(&mut self, name: &str) -> Val {
        match name {
            "id" => Val::name(Sort::Piece),
            "name" => Val::open_text(),
            "side" => Val::name(Sort::Side),
            "kind" => Val::name(Sort::Kind),
            "formation" => Val::name(Sort::Formation).or(Val::word("", Position::NONE)),
            "at" => Val::name(Sort::Space)
                .or(Val::name(Sort::Box))
                .or(Val::word("", Position::NONE)),
            _ => {
                self.report.reads(Sort::Attribute, name);
                let kept = self.kept.get(Store::Attribute, name);
                let declared = self.game().decl.attributes.get(name);
                match declared.map(|attribute| attribute.shown) {
                    Some(Visibility::Umpire) => kept.marked(Kinds::HIDDEN),
                    _ => kept,
                }
            }
        }
    }

    /// An item of a list, an entry of a map, a property of a piece, a space of an area or a field.
    pub(super) fn indexed(&mut self, base: &Val, index: &Val, at: Position) -> Val {
        let mut val = Val::default();
        if base.item.is_some() {
            val.join(base.items());
        }
        if base.kinds.has(Kinds::AREA) {
            self.name(Sort::Space, index, at);
            val.join(Val::of(Kinds::BOOL));
        }
        if base.kinds.has(Kinds::FIELD) {
            self.name(Sort::Space, index, at);
            val.join(Val::of(Kinds::INT));
        }
        if base.kinds.has(Kinds::PIECE) {
            self.name(Sort::Property, index, at);
            for name in self.names_meant(Sort::Property, index) {
                val.join(self.property_of_piece(&name));
            }
        }
        if !base.maps.is_empty() {
            val.join(entries(base, index));
        }
        if base.is_any() || base.kinds.has(Kinds::INT) {
            val.join(Val::any());
        }
        if base.open || !base.texts.is_empty() {
            val.join(Val::open_text());
        }
        val.marked(base.kinds.marks())
    }

    /// Assigns to a variable, or to a part of one.
    pub(super) fn assign(&mut self, to: &Expr, val: Val, scope: &mut Variables) {
        let mut steps = Vec::new();
        let root = match to {
            Expr::Dot(sides, flags, _) => {
                self.steps(true, &sides.rhs, *flags, scope, &mut steps);
                &sides.lhs
            }
            Expr::Index(sides, flags, _) => {
                self.steps(false, &sides.rhs, *flags, scope, &mut steps);
                &sides.lhs
            }
            other => other,
        };
        let variable = match root {
            Expr::Variable(variable, ..) => Some(variable.1.to_string()),
            Expr::ThisPtr(_) => Some("this".to_owned()),
            _ => None,
        };
        let held = match &variable {
            Some(name) => scope.get(name).cloned().unwrap_or_else(Val::any),
            None => self.expression(root, scope),
        };
        let changed = self.changed(held, &steps, val);
        if let Some(slot) = variable.as_deref().and_then(|name| scope.get_mut(name)) {
            *slot = changed;
        }
    }

    /// The steps of a chain that is assigned to.
    fn steps(
        &mut self,
        dot: bool,
        rest: &Expr,
        flags: ASTFlags,
        scope: &mut Variables,
        steps: &mut Vec<ChainStep>,
    ) {
        let (first, more) = first_step(dot, rest, flags);
        steps.push(match (dot, first) {
            (true, Expr::Property(property, at)) => {
                ChainStep::Property(property.2.as_str().into(), *at)
            }
            (true, _) => ChainStep::Lost,
            (false, index) => ChainStep::Index(self.expression(index, scope)),
        });
        if let Some((dot, rest, flags)) = more {
            self.steps(dot, rest, flags, scope, steps);
        }
    }

    /// A value after something has been assigned to a part of it.
    fn changed(&mut self, mut held: Val, steps: &[ChainStep], val: Val) -> Val {
        let Some((step, rest)) = steps.split_first() else {
            return val;
        };
        match step {
            ChainStep::Property(name, at) => {
                if held.kinds.has(Kinds::PIECE) || held.is_any() {
                    self.set_property(&held, name, rest, &val, *at);
                }
                if !only(&held, Kinds::PIECE) {
                    self.report.key(name);
                }
                let before = held.field(name).unwrap_or_default();
                let after = self.changed(before, rest, val);
                for map in &mut held.maps {
                    Rc::make_mut(map).set(name, after.clone());
                }
                held
            }
            ChainStep::Index(index) => {
                index.words().for_each(|(word, _)| self.report.key(word));
                let before = if held.maps.is_empty() {
                    held.items()
                } else {
                    entries(&held, index)
                };
                let after = self.changed(before, rest, val);
                if let Some(item) = &mut held.item {
                    Rc::make_mut(item).join(after.clone());
                }
                let maps = std::mem::take(&mut held.maps);
                for map in maps {
                    held.join(Val::map(put(&map, index, &after)));
                }
                held
            }
            ChainStep::Lost => held,
        }
    }

    /// An attribute of a piece is set.
    fn set_property(
        &mut self,
        held: &Val,
        name: &str,
        rest: &[ChainStep],
        val: &Val,
        at: Position,
    ) {
        let surely = only(held, Kinds::PIECE);
        if TEXT_PROPERTIES.contains(&name) {
            if surely && rest.is_empty() {
                let how = if name == "at" { "; use `move_to`" } else { "" };
                self.report
                    .error(at, format!("`{name}` of a piece can't be set{how}"), None);
            }
            return;
        }
        if self.names.holds(Sort::Attribute, name) {
            let val = if rest.is_empty() {
                val.clone()
            } else {
                Val::any()
            };
            self.set_attribute(name, val, at, surely);
        } else if surely {
            self.missing(Sort::Attribute, name, at);
        }
    }

    /// An attribute that pieces have gets a value, which must be of the type of its default.
    pub(super) fn set_attribute(&mut self, name: &str, val: Val, at: Position, surely: bool) {
        self.report.writes(Sort::Attribute, name);
        if surely && let Some(declared) = self.game().decl.attributes.get(name) {
            self.same_type(name, &declared.default, &val, at);
        }
        self.kept.add(Store::Attribute, name, val);
    }
}

/// Returns true if a value is of these kinds alone.
pub(super) fn only(val: &Val, kinds: Kinds) -> bool {
    val.kinds.bare().without(kinds).without(Kinds::UNIT) == Kinds::default()
        && val.kinds.has(kinds)
        && val.texts.is_empty()
        && !val.open
        && val.item.is_none()
        && val.maps.is_empty()
        && val.calls.is_empty()
}

/// The entries of maps under a key that may be several.
fn entries(base: &Val, index: &Val) -> Val {
    let mut val = Val::default();
    let words = index.is_told()
        && index
            .texts
            .iter()
            .all(|text| matches!(text, TextValue::Word(..)));
    if words {
        for (word, _) in index.words() {
            val.join(base.field(word).unwrap_or_default());
        }
        return val;
    }
    for map in &base.maps {
        for held in map.values() {
            val.join(held.clone());
        }
    }
    val
}

/// A map after an entry under a key that may be several has been set.
fn put(map: &MapValue, index: &Val, val: &Val) -> MapValue {
    let mut map = map.clone();
    if let Some(word) = index.only_word() {
        map.set(word, val.clone());
        return map;
    }
    for field in map.fields.values_mut() {
        field.val.join(val.clone());
    }
    let mut rest = map.rest.as_deref().cloned().unwrap_or_default();
    rest.join(val.clone());
    map.rest = Some(Rc::new(rest));
    map
}

/// The first step of a chain, and what comes after it: whether behind a dot, the rest, its flags.
fn first_step(dot: bool, rest: &Expr, flags: ASTFlags) -> (&Expr, Option<(bool, &Expr, ASTFlags)>) {
    let goes_on = dot || !flags.intersects(ASTFlags::BREAK);
    match rest {
        Expr::Dot(sides, more, _) if goes_on => (&sides.lhs, Some((true, &sides.rhs, *more))),
        Expr::Index(sides, more, _) if goes_on => (&sides.lhs, Some((false, &sides.rhs, *more))),
        _ => (rest, None),
    }
}
