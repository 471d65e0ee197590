//! Takes everything to be drawn from the view, once, and projects it to points of the picture.

use super::{
    areas, atlas, hexes,
    project::Projection,
    section::{
        Counter, CounterBar, Legend, MapRoad, MapSection, MapSide, MapSpace, MapStack, MapWater,
    },
};
use crate::{
    dispatch::{
        build::Builder,
        document::Heading,
        forces::{DECOY, HIDDEN, below, is_unit},
    },
    game::{Mark, Relief, Space},
    ids::SideId,
    value::Value,
    world::Piece,
};

/// Takes the map from the view.
pub(in crate::dispatch) fn build(builder: &Builder<'_>, heading: &Heading) -> MapSection {
    let game = builder.briefing.game;
    let map = game.map.map();
    let projection = Projection::of(map);
    let say = |key: &str, args| builder.words.say(key, args);
    let subtitle = say(
        "map_when",
        minijinja::context! { turn => heading.turn, date => &heading.date },
    );
    let mut section = MapSection {
        width: projection.width(),
        height: projection.height(),
        ten_km: projection.ten_km(),
        screen: builder.briefing.screen,
        title: heading.title.clone(),
        subtitle,
        viewer: say("map_viewer", minijinja::context! { side => &heading.side }),
        sides: sides(builder),
        signs: signs(builder),
        legend: legend(builder),
        ..MapSection::default()
    };
    // On a map of hexes only those with something to draw are listed.
    let busy = builder.busy();
    let listed: Vec<(usize, &Space)> = match game.map.hexes() {
        Some(hexes) => {
            let numbers: Vec<usize> = busy.iter().map(|(number, _)| *number).collect();
            section.hexes = Some(hexes::build(builder, hexes, &numbers));
            (busy.iter().map(|(_, space)| *space).enumerate()).collect()
        }
        None => {
            section.spaces = (map.spaces.iter())
                .map(|space| self::space(builder, &projection, space))
                .collect();
            section.waters = waters(builder, &projection);
            section.roads = roads(builder, &section);
            busy
        }
    };
    for (number, space) in listed {
        for (side, declared) in game.decl.sides.iter().enumerate() {
            section
                .stacks
                .extend(stack(builder, (number, space), (side, &declared.id)));
            section
                .ghosts
                .extend(ghosts(builder, (number, space), (side, &declared.id)));
        }
    }
    let drawing = map.drawing.as_ref();
    if let Some((drawing, page)) = drawing.and_then(|it| Some((it, it.atlas.as_ref()?))) {
        section.atlas = Some(atlas::build(builder, (drawing, page), &mut section));
    } else if let Some(drawing) = drawing {
        section.areas = Some(areas::build(builder, drawing, &mut section));
    }
    section
}

fn sides(builder: &Builder<'_>) -> Vec<MapSide> {
    let lang = builder.briefing.lang;
    let sides = builder.briefing.game.decl.sides.iter();
    sides
        .map(|side| MapSide {
            name: builder.words.name_of(&side.id),
            colour: side.colour.clone(),
            sign: side.sign.get(&lang).cloned().unwrap_or_default(),
        })
        .collect()
}

fn space(builder: &Builder<'_>, projection: &Projection, space: &Space) -> MapSpace {
    let (display, view) = (builder.briefing.display, builder.briefing.view);
    let side = |id: Option<&str>| {
        let sides = &builder.briefing.game.decl.sides;
        sides.iter().position(|side| Some(side.id.as_str()) == id)
    };
    let state = |name: &String| view.space_state(&space.id, name).as_text();
    let data = |name: &String| space.data.get(name).and_then(|value| value.as_text());
    let [x, y] = projection.point(space.lat, space.lon);
    MapSpace {
        name: space.name_in(builder.words.lang()).to_owned(),
        x,
        y,
        relief: display.relief(&space.terrain),
        control: side(display.control.as_ref().and_then(state)),
        supply: side(display.supply.as_ref().and_then(data)),
        siege: (display.sieges.iter())
            .any(|siege| siege.at == space.id && *view.fact(&siege.fact) == siege.is),
        value: None,
    }
}

fn roads(builder: &Builder<'_>, section: &MapSection) -> Vec<MapRoad> {
    let (display, game) = (builder.briefing.display, builder.briefing.game);
    let map = game.map.map();
    let mut roads = Vec::new();
    for road in &map.roads {
        let (Some(a), Some(b)) = (game.map.number(&road.a), game.map.number(&road.b)) else {
            continue;
        };
        let bridge = (display.bridge.as_ref())
            .and_then(|name| road.data.get(name)?.as_text())
            .is_some_and(|bridge| bridge != "none");
        let key = format!("{}-{}", road.a, road.b);
        let broken = (display.broken.as_ref())
            .and_then(|name| builder.briefing.view.roads.get(&key)?.get(name)?.as_bool())
            .unwrap_or(false);
        let water = (road.river.as_ref())
            .and_then(|river| map.waters.get_index_of(river))
            .and_then(|number| section.waters.get(number));
        let ends = section.spaces.get(a).zip(section.spaces.get(b));
        let crossing = ends.zip(water).and_then(|((a, b), water)| {
            super::project::crossing([a.x, a.y], [b.x, b.y], &water.points)
        });
        roads.push(MapRoad {
            a,
            b,
            bridge,
            broken,
            crossing,
        });
    }
    roads
}

fn waters(builder: &Builder<'_>, projection: &Projection) -> Vec<MapWater> {
    let waters = builder.briefing.game.map.map().waters.values();
    waters
        .map(|water| {
            let points = water
                .points
                .iter()
                .map(|[lat, lon]| projection.point(*lat, *lon));
            let points = points.collect();
            MapWater {
                name: water.name_in(builder.words.lang()).to_owned(),
                lake: water.lake,
                points: if water.lake {
                    points
                } else {
                    projection.run_out(points)
                },
            }
        })
        .collect()
}

fn stack(
    builder: &Builder<'_>,
    (number, space): (usize, &Space),
    (side, id): (usize, &SideId),
) -> Option<MapStack> {
    let pieces = (builder.places.at(&space.id)).filter(|piece| piece.side == *id);
    let (leaders, units) = counters(builder, pieces);
    let own = builder.plays(id);
    let (more, hidden) = if own {
        (false, 0)
    } else {
        below(builder, space, id)
    };
    if units.is_empty() && leaders.is_empty() && !more && hidden == 0 {
        return None;
    }
    Some(MapStack {
        space: number,
        side,
        leaders,
        units,
        more,
        hidden,
        ..MapStack::default()
    })
}

/// Leaders and units among pieces, as they are drawn.
fn counters<'a>(
    builder: &Builder<'_>,
    pieces: impl Iterator<Item = &'a Piece>,
) -> (Vec<Counter>, Vec<Counter>) {
    let (units, leaders): (Vec<_>, Vec<_>) = pieces.partition(|piece| is_unit(builder, piece));
    let rank = &builder.briefing.display.rank;
    let drawn = |mut pieces: Vec<&Piece>| {
        if let Some(rank) = rank {
            pieces.sort_by_key(|piece| piece.int(rank));
        }
        let counters = pieces.into_iter().map(|piece| counter(builder, piece));
        counters.collect()
    };
    (drawn(leaders), drawn(units))
}

/// Old sightings in a space, one stack for each turn of a last sighting.
fn ghosts(
    builder: &Builder<'_>,
    (number, space): (usize, &Space),
    (side, id): (usize, &SideId),
) -> Vec<MapStack> {
    let pieces = || {
        let here = builder.places.ghosts_at(&space.id);
        here.filter(|piece| piece.side == *id && !builder.own(piece))
    };
    let mut turns: Vec<_> = pieces()
        .filter_map(|piece| Some(piece.ghost.as_ref()?.turn))
        .collect();
    turns.sort_unstable();
    turns.dedup();
    let seen_in = |turn: i64| {
        pieces().filter(move |piece| piece.ghost.as_ref().is_some_and(|ghost| ghost.turn == turn))
    };
    turns
        .into_iter()
        .map(|turn| {
            let (leaders, units) = counters(builder, seen_in(turn));
            MapStack {
                space: number,
                side,
                leaders,
                units,
                turn: Some(turn),
                ..MapStack::default()
            }
        })
        .collect()
}

fn counter(builder: &Builder<'_>, piece: &Piece) -> Counter {
    let (display, lang) = (builder.briefing.display, builder.briefing.lang);
    let kind = builder.briefing.game.decl.kinds.get(&piece.kind);
    let int = |name: &Option<String>| piece.attributes.get(name.as_ref()?)?.as_int();
    Counter {
        name: builder.words.piece_name(&piece.id, &piece.name),
        symbol: kind.map_or_else(String::new, |kind| kind.symbol.clone()),
        strength: display.strength_of(&piece.attributes),
        hits: display.hits_of(&piece.attributes).unwrap_or(0),
        signs: (display.marks_of(&piece.attributes, builder.own(piece)))
            .filter_map(|mark| mark.sign.get(&lang).cloned())
            .collect(),
        pace: int(&display.pace),
        facing: int(&display.facing)
            .and_then(|direction| usize::try_from(direction - 1).ok())
            .filter(|direction| *direction < 6),
        bar: bar(builder, piece),
    }
}

/// The bar of a piece's formation, as far as the reader knows that.
fn bar(builder: &Builder<'_>, piece: &Piece) -> Option<CounterBar> {
    let bars = &builder.briefing.display.bars;
    let formation = piece.attributes.get(bars.attribute.as_ref()?)?.as_text()?;
    let bar = bars.of.get(formation)?;
    Some(CounterBar {
        colour: bar.colour.clone(),
        sign: bar.sign.clone(),
    })
}

fn signs(builder: &Builder<'_>) -> Vec<(String, String)> {
    let (display, lang) = (builder.briefing.display, builder.briefing.lang);
    let borne = |mark: &&Mark| {
        let mut pieces = builder.briefing.view.pieces.values();
        !mark.own
            || pieces.any(|piece| builder.own(piece) && *piece.get(&mark.attribute) == mark.is)
    };
    let marks = display.marks.iter().filter(borne);
    marks
        .filter_map(|mark| {
            Some((
                mark.sign.get(&lang)?.clone(),
                mark.words.get(&lang)?.clone(),
            ))
        })
        .collect()
}

/// The game's names of the terrains that are drawn in one way.
fn terrains(builder: &Builder<'_>, relief: Relief) -> String {
    let briefing = builder.briefing;
    let all = briefing.game.map.map().terrains.iter();
    let drawn = all.filter(|terrain| briefing.display.relief(terrain) == relief);
    let names: Vec<&str> = drawn
        .map(|terrain| builder.words.terrain(terrain))
        .collect();
    names.join(", ")
}

fn legend(builder: &Builder<'_>) -> Legend {
    let words = builder.words;
    let kinds = &builder.briefing.game.decl.kinds;
    let mut symbols: Vec<(String, Vec<&str>)> = Vec::new();
    let pieces = &builder.briefing.view.pieces;
    let map = &builder.briefing.game.map;
    let is_drawn = |piece: &Piece| piece.at.as_ref().is_some_and(|at| map.number(at).is_some());
    let listed = kinds.iter().filter(|(id, kind)| {
        let mut pieces = pieces.values().filter(|piece| piece.kind == **id);
        if kind.unit {
            pieces.any(|piece| piece.at.is_some())
        } else {
            kind.symbol == DECOY && pieces.any(|piece| is_drawn(piece))
        }
    });
    for (id, kind) in listed {
        let name = words.text().kinds.get(id).unwrap_or(id);
        match symbols.iter_mut().find(|known| known.0 == kind.symbol) {
            Some((_, names)) => names.push(name),
            None => symbols.push((kind.symbol.clone(), vec![name])),
        }
    }
    // Each sign has one meaning: the one that several kinds have in common.
    let symbols = symbols.into_iter().map(|(symbol, names)| {
        let meaning = match (names.as_slice(), symbol.as_str()) {
            (
                [_, _, ..],
                "infantry" | "light_infantry" | "cavalry" | "heavy_cavalry" | "artillery"
                | "horse_artillery",
            ) => words.legend(&symbol),
            ([first, ..], _) => (*first).to_owned(),
            ([], _) => String::new(),
        };
        (symbol, meaning)
    });
    let mut spaces = builder.briefing.view.spaces.values();
    let hides = spaces.any(|state| state.get(HIDDEN).and_then(Value::as_int).unwrap_or(0) > 0);
    Legend {
        hidden: if hides {
            let own = builder.briefing.display.unseen.get(&words.lang());
            own.map_or_else(|| words.legend("hidden"), Clone::clone)
        } else {
            String::new()
        },
        heading: words.fixed("legend"),
        plain: terrains(builder, Relief::Plain),
        mountain: terrains(builder, Relief::Mountain),
        city: words.say(
            "legend_city",
            minijinja::context! { name => terrains(builder, Relief::City) },
        ),
        supply: words.legend("supply"),
        siege: words.legend("siege"),
        bridge: words.legend("bridge"),
        broken: words.legend("broken"),
        counter: words.legend("counter"),
        leader: words.legend("leader"),
        more: words.legend("more"),
        ghost: words.legend("ghost"),
        group: words.legend("group"),
        unknown: words.legend("unknown"),
        star: words.legend("star"),
        ridge: words.legend("ridge"),
        cliff: words.legend("cliff"),
        uphill: words.legend("uphill"),
        value: words.legend("value"),
        symbols: symbols.collect(),
        km: words.fixed("km"),
    }
}
