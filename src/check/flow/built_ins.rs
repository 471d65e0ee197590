//! Methods of Rhai's own lists, maps and texts, and the host's on areas and fields.

use super::{Flow, chains::only};
use crate::check::{
    names::Sort,
    value::{Kinds, Val},
};

/// Methods that change the value they are called on.
pub(in crate::check) const CHANGES: &[&str] = &[
    "push",
    "append",
    "insert",
    "pop",
    "shift",
    "remove",
    "drain",
    "retain",
    "clear",
    "truncate",
    "sort",
    "reverse",
    "dedup",
    "set",
    "splice",
    "chop",
    "pad",
    "mixin",
    "fill_with",
    "order_desc",
    "order",
];

impl Flow<'_> {
    /// The result of a method, and the new value of what it is called on, if it changes that. None
    /// if there is no such method.
    pub(super) fn built_in(
        &mut self,
        base: &Val,
        name: &str,
        arguments: &[Val],
    ) -> Option<(Val, Option<Val>)> {
        let gives = |val: Val| Some((val, None));
        let changes = |val: Val, changed: Val| Some((val, Some(changed)));
        let first = || arguments.first().cloned().unwrap_or_default();
        let bool = || Val::of(Kinds::BOOL);
        let int = || Val::of(Kinds::INT);
        match name {
            "len" => gives(int()),
            "is_empty" | "starts_with" | "ends_with" | "is_odd" | "is_even" | "is_zero" => {
                gives(bool())
            }
            "keys" if !base.maps.is_empty() => gives(Val::list(keys(base))),
            "keys" => gives(Val::list(Val::open_text())),
            "values" => {
                let mut val = Val::default();
                for map in &base.maps {
                    map.values().for_each(|held| {
                        val.join(held.clone());
                    });
                }
                if base.is_any() {
                    val.join(Val::any());
                }
                gives(Val::list(val))
            }
            "list" if base.kinds.has(Kinds::AREA.and(Kinds::FIELD)) => {
                gives(Val::list(Val::name(Sort::Space)))
            }
            "push" | "insert" if base.item.is_some() || base.is_any() => {
                let item = arguments.last().cloned().unwrap_or_default();
                let mut changed = base.clone();
                changed.join(Val::list(base.items().or(item)));
                changes(Val::unit(), changed)
            }
            "append" => {
                let mut changed = base.clone();
                let items = first().items();
                if base.item.is_some() {
                    changed.join(Val::list(base.items().or(items)));
                }
                changes(Val::unit(), changed)
            }
            "pop" | "shift" => {
                let mut val = base.items();
                val.join(Val::unit());
                gives(val)
            }
            "remove" => {
                let mut val = base.items();
                for map in &base.maps {
                    map.values().for_each(|held| {
                        val.join(held.clone());
                    });
                }
                val.join(Val::unit());
                gives(val)
            }
            "clear" | "truncate" | "reverse" | "chop" | "retain" | "dedup" => {
                self.each_item(base, &first());
                gives(Val::unit())
            }
            "sort" | "order" | "order_desc" => {
                let items = base.items();
                self.called(&first(), &[items.clone(), items]);
                gives(Val::unit())
            }
            "filter" | "drain" | "extract" | "split" if base.item.is_some() || base.is_any() => {
                self.each_item(base, &first());
                gives(Val::list(base.items()))
            }
            "split" => gives(Val::list(Val::open_text())),
            "map" => {
                let given = self.each_item(base, &first());
                gives(Val::list(given))
            }
            "some" | "all" => {
                self.each_item(base, &first());
                gives(bool())
            }
            "for_each" => {
                self.each_item(base, &first());
                gives(Val::unit())
            }
            "find" | "find_map" => {
                let given = self.each_item(base, &first());
                let found = if name == "find" { base.items() } else { given };
                gives(found.or(Val::unit()))
            }
            "index_of" if base.item.is_some() && !only(base, Kinds::default()) => {
                if !first().calls.is_empty() {
                    self.each_item(base, &first());
                }
                gives(int())
            }
            "reduce" | "reduce_rev" => {
                let mut sum = arguments.get(1).cloned().unwrap_or_else(Val::unit);
                for _ in 0..4 {
                    let given = self.called(&first(), &[sum.clone(), base.items(), int()]);
                    if !sum.join(given) {
                        break;
                    }
                }
                gives(sum)
            }
            "zip" => {
                let other = arguments.first().map(Val::items).unwrap_or_default();
                let given = arguments
                    .get(1)
                    .map(|function| self.called(function, &[base.items(), other]));
                gives(Val::list(given.unwrap_or_else(Val::any)))
            }
            "sub_string" | "to_upper" | "to_lower" | "trim" | "crop" | "to_string" => {
                gives(Val::open_text())
            }
            "abs" | "min" | "max" | "parse_int" | "sign" => gives(int().marked(base.kinds.marks())),
            "get" if base.item.is_some() => gives(base.items()),
            _ => None,
        }
    }

    /// Calls a function for each item of a list.
    fn each_item(&mut self, list: &Val, function: &Val) -> Val {
        if function.calls.is_empty() {
            return Val::any();
        }
        let mut items = list.items();
        if list.open || !list.texts.is_empty() {
            items.join(Val::open_text());
        }
        self.called(function, &[items, Val::of(Kinds::INT)])
    }
}

/// The keys of maps.
fn keys(base: &Val) -> Val {
    let mut val = Val::default();
    for map in &base.maps {
        for key in map.fields.keys() {
            val.join(Val::word(key, rhai::Position::NONE));
        }
        if map.rest.is_some() {
            val.join(Val::open_text());
        }
    }
    val
}
