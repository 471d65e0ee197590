//! Words: events carry pieces, not text; each reader hears them in the names that it knows.

use rhai::{
    Array, Dynamic, Map,
    plugin::{NativeCallContext, export_module},
};

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    game::{Audience, Game},
    ids::SeatId,
    rules::{
        convert::{fields_from, text_of},
        outcome::{GameEvent, Hearers},
        stage::{Run, ScriptResult, Stage, error},
    },
    value::{Fields, Value},
    world::{Piece, World},
};

/// Most events of one phase.
const MAX_EVENTS: usize = 5000;

/// Arguments as one seat hears them: a piece that it does not know is only one of its side's.
pub(in crate::rules) fn heard_fields(
    game: &Game,
    run: &Run,
    args: &Map,
    seat: Option<&SeatId>,
) -> Result<Fields, String> {
    let fields = fields_from(args, &mut |handle| {
        let piece = run.piece(handle)?;
        Ok(match seat {
            Some(seat) => heard_piece(game, &run.world, piece, seat),
            None => named(piece, true),
        })
    });
    spaces_named(game, fields?)
}

/// Arguments with ids of spaces turned into spaces, where game.yaml says so.
fn spaces_named(game: &Game, mut fields: Fields) -> Result<Fields, String> {
    for name in &game.decl.space_arguments {
        match fields.get_mut(name) {
            Some(Value::List(list)) => {
                for item in list {
                    name_space(game, item)?;
                }
            }
            Some(value) => name_space(game, value)?,
            None => {}
        }
    }
    Ok(fields)
}

fn name_space(game: &Game, value: &mut Value) -> Result<(), String> {
    if let Value::Text(id) = value {
        let space = game.map.space(id);
        let space = space.ok_or_else(|| format!("`{id}`, which is no space"))?;
        *value = Value::Map(Fields::from([
            ("space".to_owned(), space.id.as_str().into()),
            ("name".to_owned(), space.name.as_str().into()),
        ]));
    }
    Ok(())
}

fn heard_piece(game: &Game, world: &World, piece: &Piece, seat: &SeatId) -> Value {
    let own = (game.decl.seat(seat))
        .is_some_and(|seat| seat.plays(&piece.side) || piece.is_own(&game.decl, seat));
    let in_view = world.viewer.is_some();
    let public = piece
        .at
        .as_ref()
        .and_then(|place| game.decl.boxes.get(place));
    let public = public.is_some_and(|declared| declared.shown == Audience::Public);
    let sighted = world
        .knowledge
        .get(seat)
        .is_some_and(|known| known.sightings.contains_key(&piece.id));
    if own || public || sighted || in_view {
        named(piece, own)
    } else {
        unknown(piece)
    }
}

fn named(piece: &Piece, own: bool) -> Value {
    Value::Map(Fields::from([
        ("piece".to_owned(), piece.id.as_str().into()),
        ("name".to_owned(), piece.name.as_str().into()),
        ("side".to_owned(), piece.side.as_str().into()),
        ("kind".to_owned(), piece.kind.as_str().into()),
        ("own".to_owned(), own.into()),
    ]))
}

fn unknown(piece: &Piece) -> Value {
    Value::Map(Fields::from([
        ("unknown".to_owned(), true.into()),
        ("side".to_owned(), piece.side.as_str().into()),
    ]))
}

/// The seats that a script names: one, several, or `"all"`.
pub(super) fn audience(stage: &Stage, seats: &Dynamic) -> ScriptResult<Vec<SeatId>> {
    if let Some(name) = text_of(seats) {
        if name == "all" {
            return Ok(stage
                .game
                .decl
                .seats
                .iter()
                .map(|seat| seat.id.clone())
                .collect());
        }
        return Ok(vec![stage.seat(&name)?]);
    }
    let list = seats
        .read_lock::<rhai::Array>()
        .ok_or_else(|| error("seats are a name, an array of names, or \"all\""))?;
    list.iter()
        .map(|seat| stage.seat(&text_of(seat).unwrap_or_default()))
        .collect()
}

/// The seats that a script names, sorted, each once.
fn alike(stage: &Stage, seats: &Dynamic) -> ScriptResult<Arc<[SeatId]>> {
    if seats
        .as_immutable_string_ref()
        .is_ok_and(|name| *name == "all")
    {
        return Ok(Arc::clone(&stage.everybody));
    }
    let mut seats = audience(stage, seats)?;
    seats.sort_unstable();
    seats.dedup();
    Ok(seats.into())
}

/// Records an event for its audience.
fn record(stage: &Stage, seats: &Dynamic, key: &str, args: &Map) -> ScriptResult<()> {
    if !stage.events.contains(key) {
        return Err(error(format!(
            "the event `{key}` is not declared; game.yaml lists `events`"
        )));
    }
    let mut run = stage.run_to_change()?;
    if run.events.len() >= MAX_EVENTS {
        return Err(error(format!(
            "a phase may tell at most {MAX_EVENTS} events"
        )));
    }
    let mut names_pieces = false;
    let full = fields_from(args, &mut |handle| {
        names_pieces = true;
        Ok(named(run.piece(handle)?, true))
    });
    let full = full.and_then(|full| spaces_named(&stage.game, full));
    let full = Arc::new(full.map_err(|kind| no_argument(&kind))?);
    run.keep_fields(&full).map_err(error)?;
    let heard = if names_pieces {
        let mut heard = BTreeMap::new();
        for seat in audience(stage, seats)? {
            let fields = heard_fields(&stage.game, &run, args, Some(&seat))
                .map_err(|kind| no_argument(&kind))?;
            run.keep_fields(&fields).map_err(error)?;
            heard.insert(seat, Arc::new(fields));
        }
        Hearers::Apart(heard)
    } else {
        // Nobody has a name of his own for anything in it.
        Hearers::Alike(alike(stage, seats)?, Arc::clone(&full))
    };
    let event = GameEvent {
        key: key.to_owned(),
        phase: run.phase.clone(),
        turn: run.world.turn(),
        heard,
        full,
    };
    run.events.push(event);
    Ok(())
}

fn no_argument(kind: &str) -> Box<rhai::EvalAltResult> {
    error(format!("an event can't carry {kind}"))
}

#[export_module]
#[allow(
    clippy::unwrap_used,
    reason = "in the code that the macro writes for arguments whose type Rhai has checked"
)]
pub mod functions {
    use crate::rules::{outcome::OrderRefusal, stage::stage};

    /// Tells seats (a name, an array, `"all"`) that something happened.
    #[rhai_fn(name = "tell", return_raw)]
    pub fn tell_with(
        ctx: NativeCallContext,
        seats: Dynamic,
        key: &str,
        args: Map,
    ) -> ScriptResult<()> {
        record(&*stage(&ctx)?, &seats, key, &args)
    }

    /// Tells seats that something happened, without arguments.
    #[rhai_fn(name = "tell", return_raw)]
    pub fn tell(ctx: NativeCallContext, seats: Dynamic, key: &str) -> ScriptResult<()> {
        record(&*stage(&ctx)?, &seats, key, &Map::new())
    }

    /// Tells seats that something happened to a thing: its fields of these names are the arguments.
    /// One that it lacks is left out.
    #[rhai_fn(return_raw, pure)]
    pub fn tell_of(
        ctx: NativeCallContext,
        thing: &mut Map,
        seats: Dynamic,
        key: &str,
        names: Array,
    ) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        stage.meter.spend(names.len());
        let mut args = Map::new();
        for name in &names {
            let name = name.as_immutable_string_ref();
            let name = name.map_err(|kind| error(format!("{kind} is no name of a field")))?;
            if let Some(value) = thing.get(name.as_str()) {
                args.insert(name.as_str().into(), value.clone());
            }
        }
        record(&stage, &seats, key, &args)
    }

    /// Tells the owner of an order that it could not be carried out, and why.
    #[rhai_fn(return_raw)]
    pub fn refuse(ctx: NativeCallContext, order: Map, key: &str, args: Map) -> ScriptResult<()> {
        let stage = stage(&ctx)?;
        let seat = order.get("seat").and_then(text_of).unwrap_or_default();
        let text = order.get("text").and_then(text_of).unwrap_or_default();
        let mut args = args;
        args.insert("order".into(), text.as_str().into());
        record(&stage, &seat.as_str().into(), key, &args)?;
        let refusal = OrderRefusal {
            seat: stage.seat(&seat)?,
            order: text,
            reason: key.to_owned(),
        };
        stage.run()?.refused.push(refusal);
        Ok(())
    }

    /// A space as an argument of an event: it is printed as its name.
    #[rhai_fn(return_raw)]
    pub fn space(ctx: NativeCallContext, id: &str) -> ScriptResult<Map> {
        let stage = stage(&ctx)?;
        let space = super::super::map::space(&stage.game, id)?;
        Ok(Map::from_iter([
            ("space".into(), space.id.as_str().into()),
            ("name".into(), space.name.as_str().into()),
        ]))
    }
}
