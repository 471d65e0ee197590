//! Lists of pieces and values: what a script would do with a closure for every item, done by the
//! host in one call.

use std::{cell::Cell, collections::BTreeMap, mem::discriminant, rc::Rc};

use rhai::{
    Array, Dynamic, ImmutableString, Map,
    plugin::{NativeCallContext, export_module},
};

use super::areas::{Field, area_of};
use super::properties::{attribute, attribute_value, property, set_attribute, text_property};
use crate::{
    game::{Area, Game},
    ordered::IndexMap,
    rules::{
        convert::to_dynamic,
        sandbox::DEEPEST,
        stage::{PieceHandle, ScriptResult, Stage, error, stage},
    },
    value::Value,
    world::Piece,
};

/// Returns true if two values of scripts are equal; values of different types never are.
pub(super) fn equal(a: &Dynamic, b: &Dynamic) -> bool {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (
        a.as_immutable_string_ref().ok(),
        b.as_immutable_string_ref().ok(),
    ) {
        return *a == *b;
    }
    if let (Some(a), Some(b)) = (a.read_lock::<PieceHandle>(), b.read_lock::<PieceHandle>()) {
        return *a == *b;
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Array>(), b.read_lock::<Array>()) {
        return a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(a, b));
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Map>(), b.read_lock::<Map>()) {
        return a.len() == b.len()
            && a.iter()
                .all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)));
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Area>(), b.read_lock::<Area>()) {
        return *a == *b;
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Field>(), b.read_lock::<Field>()) {
        return *a == *b;
    }
    a.is_unit() && b.is_unit()
}

/// What a script measures items by: numbers and texts, or lists of them, of which the first
/// different one decides.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    Number(i64),
    Text(ImmutableString),
    List(Vec<Self>),
}

impl Measure {
    /// Reads a measure with lists in each other so many levels deep; counts what it holds.
    fn read(value: &Dynamic, levels: usize, count: &mut usize) -> ScriptResult<Self> {
        *count = count.saturating_add(1);
        if let Ok(number) = value.as_int() {
            return Ok(Self::Number(number));
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Ok(Self::Text(text.clone()));
        }
        if let Some(list) = value.read_lock::<Array>() {
            let levels = levels
                .checked_sub(1)
                .ok_or_else(|| error(format!("lists in each other more than {DEEPEST} deep")))?;
            let items = list.iter().map(|item| Self::read(item, levels, count));
            return Ok(Self::List(items.collect::<Result<_, _>>()?));
        }
        Err(error(format!(
            "a number, a text or a list of them can be put in order, not {}",
            value.type_name()
        )))
    }

    /// Returns true if one of the two can be told to be lower.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(list), Self::List(other)) => {
                list.iter().zip(other).all(|(a, b)| a.is_like(b))
            }
            _ => discriminant(self) == discriminant(other),
        }
    }
}

/// The piece handle in an item of a list.
pub(super) fn handle(item: &Dynamic) -> ScriptResult<PieceHandle> {
    item.read_lock::<PieceHandle>()
        .map(|handle| *handle)
        .ok_or_else(|| {
            error(format!(
                "a list of pieces is needed; it holds {}",
                item.type_name()
            ))
        })
}

/// The value of a property that pieces are asked for, one after the other.
pub(super) struct WantedValue<'a> {
    property: &'a str,
    value: &'a Dynamic,
    /// Where the last piece had the attribute.
    last: Cell<usize>,
}

impl<'a> WantedValue<'a> {
    pub(super) fn new(property: &'a str, value: &'a Dynamic) -> Self {
        Self {
            property,
            value,
            last: Cell::default(),
        }
    }

    /// Returns true if the property of a piece has the value, or one of a list of values; or, of a
    /// place, if it lies in the area that is wanted.
    pub(super) fn is_of(&self, game: &Game, piece: &Piece) -> ScriptResult<bool> {
        if let Some(text) = text_property(piece, self.property) {
            if let Some(area) = self.value.read_lock::<Area>() {
                let number = game.map.number(text);
                return Ok(number.is_some_and(|number| area.contains(number)));
            }
            return Ok(is_or_holds(self.value, |it| is_text(it, text)));
        }
        let known = piece.attributes.get_where(&self.last, self.property);
        let found = known.map_or_else(|| attribute(game, piece, self.property), Ok)?;
        Ok(is_or_holds(self.value, |it| match found {
            Value::Text(text) => is_text(it, text),
            Value::Int(number) => it.as_int().is_ok_and(|it| it == *number),
            Value::Bool(truth) => it.as_bool().is_ok_and(|it| it == *truth),
            found => equal(it, &to_dynamic(found)),
        }))
    }
}

fn is_text(value: &Dynamic, text: &str) -> bool {
    let value = value.as_immutable_string_ref();
    value.is_ok_and(|value| *value == text)
}

/// Returns true if a value is the one that is looked for, or a list that holds it.
fn is_or_holds(value: &Dynamic, wanted: impl Fn(&Dynamic) -> bool) -> bool {
    match value.read_lock::<Array>() {
        Some(list) => list.iter().any(wanted),
        None => wanted(value),
    }
}

/// The first item with the lowest value of a whole-number property times `sign`.
fn extreme(
    ctx: &NativeCallContext,
    pieces: &Array,
    name: &str,
    sign: i64,
) -> ScriptResult<Dynamic> {
    let stage = stage_for(ctx, pieces)?;
    let run = stage.run()?;
    let mut best: Option<(i64, &Dynamic)> = None;
    for item in pieces {
        let piece = run.piece(&handle(item)?).map_err(error)?;
        let found = attribute(&stage.game, piece, name)?
            .as_int()
            .ok_or_else(|| error(format!("`{name}` is no whole number")))?
            .saturating_mul(sign);
        if best.is_none_or(|(lowest, _)| found < lowest) {
            best = Some((found, item));
        }
    }
    Ok(best.map_or(Dynamic::UNIT, |(_, item)| item.clone()))
}

/// The stage for work on a list: what the work takes counts as if the script did it.
pub(super) fn stage_for(ctx: &NativeCallContext, list: &Array) -> ScriptResult<Rc<Stage>> {
    let stage = stage(ctx)?;
    stage.meter.spend(list.len());
    Ok(stage)
}

/// The pieces of a list for which a test holds.
fn pieces_that(
    ctx: &NativeCallContext,
    pieces: &Array,
    test: impl Fn(&Stage, &Piece) -> ScriptResult<bool>,
) -> ScriptResult<Array> {
    let stage = stage_for(ctx, pieces)?;
    let run = stage.run()?;
    let mut found = Array::new();
    for item in pieces {
        if test(&stage, run.piece(&handle(item)?).map_err(error)?)? {
            found.push(item.clone());
        }
    }
    Ok(found)
}

/// The pieces of a list space by space in map-file order, in each in the order of the list.
fn by_space(ctx: &NativeCallContext, pieces: &Array) -> ScriptResult<BTreeMap<usize, Array>> {
    let stage = stage_for(ctx, pieces)?;
    let run = stage.run()?;
    let mut found: BTreeMap<usize, Array> = BTreeMap::new();
    for item in pieces {
        let place = run.piece(&handle(item)?).map_err(error)?.at.as_deref();
        if let Some(number) = place.and_then(|place| stage.game.map.number(place)) {
            found.entry(number).or_default().push(item.clone());
        }
    }
    Ok(found)
}

/// The items of a list that others hold, or the rest: another list, an area or a field.
fn held(
    ctx: &NativeCallContext,
    list: &Array,
    others: &Dynamic,
    wanted: bool,
) -> ScriptResult<Array> {
    let stage = stage(ctx)?;
    let items = others.read_lock::<Array>();
    let area = match &items {
        Some(_) => Area::default(),
        None => area_of(&stage, others)?,
    };
    let count = items.as_ref().map_or(1, |items| items.len());
    stage.meter.spend(list.len().saturating_mul(count));
    let holds = |item: &Dynamic| match &items {
        Some(items) => items.iter().any(|other| equal(item, other)),
        None => {
            let space = item.as_immutable_string_ref().ok();
            let number = space.and_then(|space| stage.game.map.number(&space));
            number.is_some_and(|number| area.contains(number))
        }
    };
    let mut found = Array::new();
    for item in list {
        if holds(item) == wanted {
            found.push(item.clone());
        }
    }
    Ok(found)
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    use std::collections::BTreeSet;

    /// Returns true if a list holds a value: what `in` asks.
    #[rhai_fn(return_raw, pure)]
    pub fn contains(
        ctx: NativeCallContext,
        list: &mut Array,
        value: Dynamic,
    ) -> ScriptResult<bool> {
        stage_for(&ctx, list)?;
        Ok(list.iter().any(|item| equal(item, &value)))
    }

    /// The items of a list that another list holds, or the spaces of it that belong to an area or a
    /// field, in its order.
    #[rhai_fn(return_raw, pure)]
    pub fn among(ctx: NativeCallContext, list: &mut Array, others: Dynamic) -> ScriptResult<Array> {
        held(&ctx, list, &others, true)
    }

    /// The items of a list that another list does not hold, or that belong to no area or field, in
    /// its order.
    #[rhai_fn(return_raw, pure)]
    pub fn without(
        ctx: NativeCallContext,
        list: &mut Array,
        others: Dynamic,
    ) -> ScriptResult<Array> {
        held(&ctx, list, &others, false)
    }

    /// The maps of a list that say anything under a key, in its order.
    #[rhai_fn(return_raw, pure)]
    pub fn saying(ctx: NativeCallContext, list: &mut Array, key: &str) -> ScriptResult<Array> {
        stage_for(&ctx, list)?;
        let says = |item: &&Dynamic| {
            let map = item.read_lock::<Map>();
            map.is_some_and(|map| map.contains_key(key))
        };
        Ok(list.iter().filter(says).cloned().collect())
    }

    /// For each of some texts the last map of a list that says it under a key; `()` where none
    /// does.
    #[rhai_fn(return_raw, pure)]
    pub fn last_with(
        ctx: NativeCallContext,
        list: &mut Array,
        key: &str,
        texts: Array,
    ) -> ScriptResult<Array> {
        let stage = stage_for(&ctx, list)?;
        stage.meter.spend(texts.len());
        let mut last = IndexMap::default();
        for item in list.iter() {
            let map = item.read_lock::<Map>();
            let said = map.as_ref().and_then(|map| map.get(key));
            if let Some(Ok(text)) = said.map(Dynamic::as_immutable_string_ref) {
                last.insert(text.clone(), item);
            }
        }
        let found = texts.iter().map(|text| {
            let text = text.as_immutable_string_ref().ok();
            let item = text.and_then(|text| last.get(text.as_str()));
            item.map_or(Dynamic::UNIT, |item| (*item).clone())
        });
        Ok(found.collect())
    }

    /// A map of keys, texts, and the values that stand at the same places of another list.
    #[rhai_fn(return_raw, pure)]
    pub fn keyed(ctx: NativeCallContext, keys: &mut Array, values: Array) -> ScriptResult<Map> {
        stage_for(&ctx, keys)?;
        if keys.len() != values.len() {
            return Err(error("keyed() takes two lists of one length"));
        }
        let pairs = keys.iter().zip(values);
        let pairs = pairs.map(|(key, value)| {
            let key = key.as_immutable_string_ref();
            let key = key.map_err(|kind| error(format!("a key is a text, not {kind}")))?;
            Ok((key.as_str().into(), value))
        });
        pairs.collect()
    }

    /// A list without its repetitions, in the order of the first ones.
    #[rhai_fn(return_raw, pure)]
    pub fn unique(ctx: NativeCallContext, list: &mut Array) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let mut once = Array::new();
        for item in list.iter() {
            if !once.iter().any(|known| equal(known, item)) {
                once.push(item.clone());
            }
        }
        stage.meter.spend(list.len().saturating_mul(once.len()));
        Ok(once)
    }

    /// Where the items of a list stand, from the lowest to the highest; equal ones stay in their
    /// order. Items are numbers, texts, or lists of them all alike, of which the first different
    /// one decides; a list that another begins with is lower.
    #[rhai_fn(return_raw, pure)]
    pub fn order_of(ctx: NativeCallContext, measures: &mut Array) -> ScriptResult<Array> {
        let stage = stage(&ctx)?;
        let mut count = 0;
        let read = measures
            .iter()
            .map(|measure| Measure::read(measure, DEEPEST, &mut count));
        let read = read.collect::<ScriptResult<Vec<Measure>>>()?;
        stage.meter.spend(count);
        if read.windows(2).any(|two| !two[0].is_like(&two[1])) {
            return Err(error("order_of() takes items that are all alike"));
        }
        let mut order: Vec<usize> = (0..read.len()).collect();
        order.sort_by(|a, b| read[*a].cmp(&read[*b]));
        let places = order
            .into_iter()
            .map(|place| i64::try_from(place).map(Dynamic::from_int));
        Ok(places.flatten().collect())
    }

    /// The pieces of a list whose property (`"kind"`, `"at"`, an attribute) has this value, or one
    /// of a list of values; `"at"` may be in an area too.
    #[rhai_fn(return_raw, pure)]
    pub fn having(
        ctx: NativeCallContext,
        pieces: &mut Array,
        property: &str,
        value: Dynamic,
    ) -> ScriptResult<Array> {
        let wanted = WantedValue::new(property, &value);
        pieces_that(&ctx, pieces, |stage, piece| {
            wanted.is_of(&stage.game, piece)
        })
    }

    /// The pieces of a list whose property has another value than this.
    #[rhai_fn(return_raw, pure)]
    pub fn lacking(
        ctx: NativeCallContext,
        pieces: &mut Array,
        property: &str,
        value: Dynamic,
    ) -> ScriptResult<Array> {
        let wanted = WantedValue::new(property, &value);
        pieces_that(&ctx, pieces, |stage, piece| {
            wanted.is_of(&stage.game, piece).map(|is| !is)
        })
    }

    /// The units of a list of pieces.
    #[rhai_fn(return_raw, pure)]
    pub fn units_in(ctx: NativeCallContext, pieces: &mut Array) -> ScriptResult<Array> {
        pieces_that(&ctx, pieces, |stage, piece| {
            Ok(stage.game.is_unit(&piece.kind))
        })
    }

    /// The pieces of a list that are no units.
    #[rhai_fn(return_raw, pure)]
    pub fn others_in(ctx: NativeCallContext, pieces: &mut Array) -> ScriptResult<Array> {
        pieces_that(&ctx, pieces, |stage, piece| {
            Ok(!stage.game.is_unit(&piece.kind))
        })
    }

    /// The number of pieces of a list with at least this value of a whole-number attribute.
    #[rhai_fn(return_raw, pure)]
    pub fn count_from(
        ctx: NativeCallContext,
        pieces: &mut Array,
        attribute: &str,
        least: i64,
    ) -> ScriptResult<i64> {
        let stage = stage_for(&ctx, pieces)?;
        let run = stage.run()?;
        let mut count = 0;
        for item in pieces.iter() {
            count += i64::from(run.piece(&handle(item)?).map_err(error)?.int(attribute) >= least);
        }
        Ok(count)
    }

    /// The first piece of a list with the lowest value of a whole-number property; `()` of an empty
    /// list.
    #[rhai_fn(return_raw, pure)]
    pub fn lowest(
        ctx: NativeCallContext,
        pieces: &mut Array,
        property: &str,
    ) -> ScriptResult<Dynamic> {
        extreme(&ctx, pieces, property, 1)
    }

    /// The first piece of a list with the highest value of a whole-number property; `()` of an
    /// empty list.
    #[rhai_fn(return_raw, pure)]
    pub fn highest(
        ctx: NativeCallContext,
        pieces: &mut Array,
        property: &str,
    ) -> ScriptResult<Dynamic> {
        extreme(&ctx, pieces, property, -1)
    }

    /// A property of every piece of a list, in its order.
    #[rhai_fn(return_raw, pure)]
    pub fn each(ctx: NativeCallContext, pieces: &mut Array, property: &str) -> ScriptResult<Array> {
        let stage = stage_for(&ctx, pieces)?;
        let run = stage.run()?;
        pieces
            .iter()
            .map(|item| {
                let piece = run.piece(&handle(item)?).map_err(error)?;
                super::property(&stage.game, piece, property)
            })
            .collect()
    }

    /// The spaces and boxes with pieces of a list, each once: spaces in map-file order, then boxes.
    #[rhai_fn(return_raw, pure)]
    pub fn places(ctx: NativeCallContext, pieces: &mut Array) -> ScriptResult<Array> {
        let stage = stage_for(&ctx, pieces)?;
        let run = stage.run()?;
        let mut found = BTreeSet::new();
        for item in pieces.iter() {
            if let Some(place) = run.piece(&handle(item)?).map_err(error)?.at.as_deref() {
                found.insert((stage.game.map.number(place).unwrap_or(usize::MAX), place));
            }
        }
        Ok(found
            .into_iter()
            .map(|(_, place)| Dynamic::from(ImmutableString::from(place)))
            .collect())
    }

    /// The pieces of a list as one list for each space with some of them: spaces in map-file order,
    /// in each the order of the list. Pieces in no space are left out.
    #[rhai_fn(return_raw, pure)]
    pub fn stacks(ctx: NativeCallContext, pieces: &mut Array) -> ScriptResult<Array> {
        let stacks = by_space(&ctx, pieces)?.into_values();
        Ok(stacks.map(Dynamic::from_array).collect())
    }

    /// The pieces of a list space by space in map-file order, in each in the order of the list.
    /// Pieces that are in no space are left out.
    #[rhai_fn(return_raw, pure)]
    pub fn in_map_order(ctx: NativeCallContext, pieces: &mut Array) -> ScriptResult<Array> {
        Ok(by_space(&ctx, pieces)?.into_values().flatten().collect())
    }

    /// Sets an attribute of every piece of a list.
    #[rhai_fn(return_raw)]
    pub fn set_all(
        ctx: NativeCallContext,
        pieces: Array,
        attribute: &str,
        value: Dynamic,
    ) -> ScriptResult<()> {
        let stage = stage_for(&ctx, &pieces)?;
        let mut run = stage.run_to_show()?;
        let value = attribute_value(&stage.game, attribute, &value)?;
        for item in &pieces {
            set_attribute(&mut run, &handle(item)?, attribute, &value)?;
        }
        Ok(())
    }
}
