//! Decisions that hang on each other: stated by a script as formulas, settled by the host.

use std::{cell::RefCell, rc::Rc};

use rhai::{
    Array, Dynamic, ImmutableString, Map,
    plugin::{NativeCallContext, export_module},
};

use super::lists::{handle, stage_for};
use crate::{
    ordered::IndexMap,
    rules::{
        convert::text_of,
        formula::{FieldValue, Formulas, Reckoning, Thing},
        stage::{ScriptResult, Stage, error, stage},
    },
    world::Piece,
};

/// A settlement as scripts hold it: copies are one.
#[derive(Clone, Debug)]
pub struct Settlement(Rc<RefCell<Reckoning>>);

/// Formulas that were read last, with their texts: scripts hand over the same again and again.
pub(in crate::rules) type ReadFormulas = RefCell<Vec<(Map, Rc<Formulas>)>>;

/// Most different formulas that are kept.
const MOST_KEPT: usize = 8;

fn texts(formulas: &Map, section: &str) -> ScriptResult<Vec<(String, String)>> {
    let Some(found) = formulas.get(section) else {
        return Ok(Vec::new());
    };
    let wrong = || {
        error(format!(
            "`{section}` of formulas is a map of names and texts"
        ))
    };
    let found = found.read_lock::<Map>().ok_or_else(wrong)?;
    found
        .iter()
        .map(|(name, text)| Ok((name.to_string(), text_of(text).ok_or_else(wrong)?)))
        .collect()
}

/// Sections of formulas.
const SECTIONS: [&str; 3] = ["decisions", "terms", "sets"];

fn read(stage: &Stage, formulas: &Map) -> ScriptResult<Rc<Formulas>> {
    let known = stage.formulas.borrow();
    let same = |texts: &Map| {
        SECTIONS.iter().all(
            |section| match (texts.get(*section), formulas.get(*section)) {
                (Some(a), Some(b)) => super::lists::equal(a, b),
                (None, None) => true,
                _ => false,
            },
        )
    };
    if let Some((_, found)) = known.iter().find(|(texts, _)| same(texts)) {
        return Ok(Rc::clone(found));
    }
    drop(known);
    if let Some(strange) = formulas
        .keys()
        .find(|key| !SECTIONS.contains(&key.as_str()))
    {
        return Err(error(format!(
            "formulas have no `{strange}`; there are: {}",
            SECTIONS.join(", ")
        )));
    }
    let [decisions, terms, sets] = SECTIONS.map(|section| texts(formulas, section));
    let found = Rc::new(Formulas::read(&decisions?, &terms?, &sets?).map_err(error)?);
    let mut known = stage.formulas.borrow_mut();
    if known.len() >= MOST_KEPT {
        known.remove(0);
    }
    known.push((formulas.clone(), Rc::clone(&found)));
    Ok(found)
}

fn thing(item: &Dynamic) -> ScriptResult<Thing> {
    let item = (item.read_lock::<Map>()).ok_or_else(|| error("a thing to be decided is a map"))?;
    let mut thing = Thing::default();
    thing.fields.reserve(item.len());
    for (name, value) in item.iter() {
        let value = match (value.as_immutable_string_ref(), value.as_int()) {
            (Ok(text), _) => FieldValue::Text(text.clone()),
            (_, Ok(number)) => FieldValue::Number(number),
            _ => match (value.as_bool(), value.as_char()) {
                (Ok(truth), _) => FieldValue::Number(truth.into()),
                (_, Ok(letter)) => FieldValue::Text(letter.to_string().into()),
                _ => continue,
            },
        };
        match (name.as_str(), value) {
            ("id", FieldValue::Text(text)) => thing.id = text,
            ("class", FieldValue::Text(text)) => thing.class = text,
            (_, value) => thing.fields.push((name.clone(), value)),
        }
    }
    if thing.id.is_empty() {
        return Err(error("a thing to be decided needs an `id`, a text"));
    }
    Ok(thing)
}

/// What an order says beside its slots.
const BESIDE_SLOTS: [&str; 6] = ["verb", "line", "text", "seat", "condition", "otherwise"];

/// The thing of a piece with an order.
fn thing_for(piece: &Piece, order: Option<&Map>, otherwise: &Map) -> Map {
    let mut thing = otherwise.clone();
    let slots = order.into_iter().flatten();
    for (name, value) in slots.filter(|(name, _)| !BESIDE_SLOTS.contains(&name.as_str())) {
        thing.insert(name.clone(), value.clone());
    }
    if let Some(verb) = order.and_then(|order| order.get("verb")) {
        thing.insert("class".into(), verb.clone());
    }
    let place: ImmutableString = piece.at.as_deref().unwrap_or_default().into();
    for (name, value) in [
        ("id", place.clone()),
        ("at", place),
        ("side", piece.side.as_str().into()),
        ("kind", piece.kind.as_str().into()),
    ] {
        thing.insert(name.into(), value.into());
    }
    thing
}

fn ids(list: &Array) -> ScriptResult<Vec<String>> {
    let ids = list.iter().map(text_of);
    let ids: Option<Vec<String>> = ids.collect();
    ids.ok_or_else(|| error("things are named by their ids, texts"))
}

fn named<'a>(ids: impl IntoIterator<Item = &'a ImmutableString>) -> Array {
    ids.into_iter().map(|id| id.clone().into()).collect()
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    /// Settles decisions that depend on each other. `things` are maps with an `id`, a `class` and
    /// other fields (texts, numbers, truths); `formulas` says in texts what decides:
    /// - `decisions`: by class, what must hold for a thing to be decided with yes;
    /// - `terms`: by name, values of a thing that other formulas use;
    /// - `sets`: by name, which things belong to a thing: `CLASS x where CONDITION` (`any x where
    ///   ...` for all classes). They can't depend on decisions.
    ///
    /// In a formula a name means a field (`id` and `class` too) or a term of the thing, `yes` its
    /// decision, and `x.name` the same of a member `x`: `any(x in SET: ...)`, `all`, `count`,
    /// `sum`, `most` (0 of none). `x in y.SET` is a set of `y`. There are `and`, `or`, `not`,
    /// `if ... then ... else ...`, `=`, `!=`, `<`, `<=`, `>`, `>=`, `+`, `-`, brackets, numbers,
    /// `true`, `false`, texts in single quotes, and
    /// `way(FROM, TO, x in SET, PLACE, CONDITION)`: whether a way leads from space to neighbouring
    /// space through one or more members that meet the condition.
    ///
    /// All that can be decided from what is known is decided, again and again, in an order that
    /// does not matter. Decisions that depend on themselves in a circle stay open: see `core`.
    #[rhai_fn(return_raw, pure)]
    pub fn settle(
        ctx: NativeCallContext,
        things: &mut Array,
        formulas: Map,
    ) -> ScriptResult<Settlement> {
        let stage = stage(&ctx)?;
        stage.meter.spend(things.len());
        let formulas = read(&stage, &formulas)?;
        let things = things.iter().map(thing);
        let things = things.collect::<ScriptResult<Vec<_>>>()?;
        let settled = Reckoning::new(formulas, things, stage.game.map.clone()).map_err(error)?;
        stage.meter.spend(settled.take_work());
        Ok(Settlement(Rc::new(RefCell::new(settled))))
    }

    /// A thing to be decided for each piece, in their order. Its `id` and `at` are the piece's
    /// place, `side` and `kind` the piece's, and the rest is the last of some orders whose `at` is
    /// that place: its verb as `class`, and its slots. What no order says, the class as well, it
    /// has of the map `otherwise`. No two pieces may be in one place, and none out of play.
    #[rhai_fn(return_raw, pure)]
    pub fn things_for(
        ctx: NativeCallContext,
        pieces: &mut Array,
        orders: Array,
        otherwise: Map,
    ) -> ScriptResult<Array> {
        let stage = stage_for(&ctx, pieces)?;
        stage.meter.spend(orders.len());
        let orders: Vec<_> = orders
            .iter()
            .filter_map(Dynamic::read_lock::<Map>)
            .collect();
        let mut last = IndexMap::default();
        for order in &orders {
            if let Some(Ok(at)) = order.get("at").map(Dynamic::as_immutable_string_ref) {
                last.insert(at.clone(), order);
            }
        }
        let run = stage.run()?;
        let mut things = Array::with_capacity(pieces.len());
        for item in pieces.iter() {
            let piece = run.piece(&handle(item)?).map_err(error)?;
            let place = piece.at.as_deref().unwrap_or_default();
            let order = last.get(place).copied();
            things.push(thing_for(piece, order.map(|order| &**order), &otherwise).into());
        }
        Ok(things)
    }

    /// The decision on a thing, by its id; `()` while it is open.
    #[rhai_fn(index_get, return_raw, pure)]
    pub fn decision(settlement: &mut Settlement, id: &str) -> ScriptResult<Dynamic> {
        let decided = settlement.0.borrow().decision(id).map_err(error)?;
        Ok(decided.map_or(Dynamic::UNIT, Dynamic::from))
    }

    /// The ids of the things of a class that have been decided with yes, or with no.
    #[rhai_fn(return_raw, pure)]
    pub fn decided(settlement: &mut Settlement, class: &str, truth: bool) -> ScriptResult<Array> {
        let settled = settlement.0.borrow();
        Ok(named(settled.decided(class, truth)))
    }

    /// The class of a thing, `""` if there is no such thing.
    #[rhai_fn(return_raw, pure)]
    pub fn class_of(settlement: &mut Settlement, id: &str) -> ScriptResult<ImmutableString> {
        Ok(settlement.0.borrow().class(id).cloned().unwrap_or_default())
    }

    /// The value of a thing's field, `()` if it has none; truths are 0 and 1.
    #[rhai_fn(return_raw, pure)]
    pub fn said(settlement: &mut Settlement, id: &str, field: &str) -> ScriptResult<Dynamic> {
        let settled = settlement.0.borrow();
        Ok(match settled.field_of(id, field).map_err(error)? {
            Some(FieldValue::Number(number)) => (*number).into(),
            Some(FieldValue::Text(text)) => text.clone().into(),
            None => Dynamic::UNIT,
        })
    }

    /// The value of a term of a thing, a number (truths are 0 and 1); `()` while it is open.
    #[rhai_fn(return_raw, pure)]
    pub fn term(settlement: &mut Settlement, id: &str, name: &str) -> ScriptResult<Dynamic> {
        let value = settlement.0.borrow().term(id, name).map_err(error)?;
        Ok(value.known().map_or(Dynamic::UNIT, Dynamic::from))
    }

    /// The ids of the members of a set of a thing.
    #[rhai_fn(return_raw, pure)]
    pub fn members(settlement: &mut Settlement, id: &str, name: &str) -> ScriptResult<Array> {
        let settled = settlement.0.borrow();
        Ok(named(settled.set(id, name).map_err(error)?))
    }

    /// The members of a set of a thing that have been decided with yes, or with no.
    #[rhai_fn(name = "members", return_raw, pure)]
    pub fn members_decided(
        settlement: &mut Settlement,
        id: &str,
        name: &str,
        truth: bool,
    ) -> ScriptResult<Array> {
        let settled = settlement.0.borrow();
        let mut found = Array::new();
        for member in settled.set(id, name).map_err(error)? {
            if settled.decision(member).map_err(error)? == Some(truth) {
                found.push(member.clone().into());
            }
        }
        Ok(found)
    }

    /// The member of a set of a thing with the highest value of a term, the first of several, as a
    /// list of its id and that value; `()` if it has none whose term is known.
    #[rhai_fn(return_raw, pure)]
    pub fn strongest(
        settlement: &mut Settlement,
        id: &str,
        name: &str,
        term: &str,
    ) -> ScriptResult<Dynamic> {
        let settled = settlement.0.borrow();
        let mut best: Option<(i64, &ImmutableString)> = None;
        for member in settled.set(id, name).map_err(error)? {
            let value = settled.term(member, term).map_err(error)?.known();
            if let Some(value) = value
                && best.is_none_or(|(most, _)| value > most)
            {
                best = Some((value, member));
            }
        }
        Ok(best.map_or(Dynamic::UNIT, |(value, member)| {
            Dynamic::from_array(vec![member.clone().into(), value.into()])
        }))
    }

    /// The ids of things whose decision is open.
    #[rhai_fn(return_raw, pure)]
    pub fn open(settlement: &mut Settlement) -> ScriptResult<Array> {
        Ok(named(settlement.0.borrow().open()))
    }

    /// The ids of the smallest core: things whose open decisions hang on each other, and on no
    /// other open ones. `[]` if nothing is open.
    #[rhai_fn(return_raw, pure)]
    pub fn core(ctx: NativeCallContext, settlement: &mut Settlement) -> ScriptResult<Array> {
        let settled = settlement.0.borrow();
        let core = named(settled.core().map_err(error)?);
        stage(&ctx)?.meter.spend(settled.take_work());
        Ok(core)
    }

    /// All ways to decide these things, 16 at most, in which each comes out as assumed: for each
    /// the list of ids that are decided with yes.
    #[rhai_fn(return_raw, pure)]
    pub fn solutions(
        ctx: NativeCallContext,
        settlement: &mut Settlement,
        things: Array,
    ) -> ScriptResult<Array> {
        let things = ids(&things)?;
        let mut settled = settlement.0.borrow_mut();
        let found = settled.solutions(&things).map_err(error)?;
        stage(&ctx)?.meter.spend(settled.take_work());
        let yes = found.into_iter().map(|truths| -> Dynamic {
            let chosen = things.iter().zip(truths).filter(|(_, truth)| *truth);
            let chosen: Array = chosen
                .map(|(id, _)| ImmutableString::from(id.as_str()).into())
                .collect();
            chosen.into()
        });
        Ok(yes.collect())
    }

    /// Decides the open ones among these things, and settles what follows. Earlier decisions don't
    /// change.
    #[rhai_fn(return_raw, pure)]
    pub fn decide(
        ctx: NativeCallContext,
        settlement: &mut Settlement,
        things: Array,
        truth: bool,
    ) -> ScriptResult<()> {
        let mut settled = settlement.0.borrow_mut();
        settled.decide(&ids(&things)?, truth).map_err(error)?;
        stage(&ctx)?.meter.spend(settled.take_work());
        Ok(())
    }
}
