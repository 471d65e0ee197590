//! Takes what the picture of a hex map needs from the view and the public map.

use std::collections::BTreeMap;

use super::{
    At, EdgeLabel, HexCrossing, HexLine, HexPlace, HexRadius, HexRoad, HexSection,
    features::road_name,
    limits::outside,
    news::arrows,
    shows,
    window::{GroupSheets, Interest, sheets},
};
use crate::{
    dispatch::build::Builder,
    game::{
        ArrowStyle, Relief,
        hex::{HexMap, HexSide, Stroke},
    },
    mail::Screen,
    value::{Fields, Value},
};

/// Lines and half hexes that are drawn in detail on one sheet: as many as are read on it.
const fn detail(flat: bool, screen: Screen) -> At {
    match screen {
        Screen::Wide if flat => [12, 25],
        Screen::Wide => [15, 21],
        Screen::Phone if flat => [9, 24],
        Screen::Phone => [12, 15],
    }
}
/// Hexes at which enemies are so near that the reader wants to see them.
const NEAR: i64 = 3;
/// Weights of events, of pieces near the enemy, of own pieces anywhere.
const HAPPENED: i64 = 4;
const FACING: i64 = 6;
const PRESENT: i64 = 1;

/// Takes the map of hexes from the game and the view. `spaces` are those that the section lists.
pub(in crate::dispatch::map) fn build(
    builder: &Builder<'_>,
    map: &HexMap,
    spaces: &[usize],
) -> HexSection {
    let grid = map.grid();
    let at = |hex: usize| -> At {
        let spot = grid.spot(hex);
        [spot.line, spot.half]
    };
    let size = (0..grid.len()).map(at).fold([0, 0], |most, at| {
        [most[0].max(at[0] + 1), most[1].max(at[1] + 2)]
    });
    let places = places(builder, map, &at);
    let outside = outside(builder, map, &at);
    let aims = places.iter();
    let aims = aims.filter(|place| place.control.is_some() && !outside.contains(&place.at));
    let aims: Vec<At> = aims.map(|place| place.at).collect();
    let GroupSheets {
        windows,
        narrow,
        apart,
        close,
    } = sheets(
        size,
        detail(grid.flat(), builder.briefing.screen),
        &interests(builder, map, &at),
        &aims,
    );
    HexSection {
        flat: grid.flat(),
        size,
        terrain: terrain(builder, &at),
        heights: heights(map, &at),
        lines: lines(map, &at),
        crossings: crossings(map, &at),
        roads: roads(map, &at),
        places,
        outside,
        spans: spans(builder, &at),
        arrows: arrows(builder, map, &at),
        faces: builder.briefing.display.facing.is_some(),
        north: grid.shape().north,
        radii: radii(builder, map, &at),
        spots: spaces.iter().map(|hex| at(*hex)).collect(),
        ticks: ticks(map, &at),
        edges: Vec::new(),
        alone: false,
        metres: grid.shape().metres,
        labels: labels(map, &[windows.as_slice(), &apart].concat()),
        windows,
        narrow,
        apart,
        close,
        legend: legend(builder, map),
    }
}

/// Labels of the hexes in windows.
fn labels(map: &HexMap, windows: &[[At; 2]]) -> Vec<(At, String)> {
    let grid = map.grid();
    let spots = (0..grid.len()).map(|hex| {
        let spot = grid.spot(hex);
        ([spot.line, spot.half], hex)
    });
    spots
        .filter(|(at, _)| windows.iter().any(|window| shows(window, *at)))
        .map(|(at, hex)| (at, grid.label(hex)))
        .collect()
}

/// The numbers of columns and rows along the four edges of a window.
fn edges(map: &HexMap, window: &[At; 2]) -> Vec<EdgeLabel> {
    let [from, size] = window;
    let last = [0, 1].map(|axis: usize| from[axis] + size[axis] - 1);
    let grid = map.grid();
    let mut found = Vec::new();
    for hex in 0..grid.len() {
        let spot = grid.spot(hex);
        let at = [spot.line, spot.half];
        if !shows(window, at) {
            continue;
        }
        let [line, along] = grid.edge_labels(hex);
        // Neighbours along a line are two halves apart.
        let ends = [
            (at[1] < from[1] + 2, true, false, &line),
            (at[1] >= last[1] - 2, true, true, &line),
            (at[0] == from[0], false, false, &along),
            (at[0] == last[0], false, true, &along),
        ];
        let here = ends.into_iter().filter(|(here, ..)| *here);
        found.extend(here.map(|(_, of_line, end, label)| EdgeLabel {
            at,
            of_line,
            end,
            label: label.clone(),
        }));
    }
    found
}

/// Limits the drawing to one part of the map: the smallest with both hexes, or the whole. Returns a
/// label that names no hex, if there is one.
pub(in crate::dispatch) fn show<'l>(
    section: &mut HexSection,
    map: &HexMap,
    corners: Option<[&'l str; 2]>,
) -> Result<(), &'l str> {
    let grid = map.grid();
    let spot = |label: &'l str| {
        let spot = map.number(label).map(|hex| grid.spot(hex));
        spot.map(|spot| [spot.line, spot.half]).ok_or(label)
    };
    let window = match corners {
        None => [[0, 0], section.size],
        Some([a, b]) => {
            let ends = [spot(a)?, spot(b)?];
            let from = [0, 1].map(|axis: usize| ends[0][axis].min(ends[1][axis]));
            let to = [0, 1].map(|axis: usize| ends[0][axis].max(ends[1][axis]));
            // A hex is two halves wide.
            [from, [to[0] - from[0] + 1, to[1] - from[1] + 2]]
        }
    };
    section.windows = vec![window];
    section.narrow.clear();
    section.apart.clear();
    section.close.clear();
    section.labels = labels(map, &section.windows);
    section.edges = edges(map, &window);
    section.alone = true;
    Ok(())
}

/// Every tenth hex along the first line, and along the first hexes of the lines.
fn ticks(map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<(At, String)> {
    let grid = map.grid();
    let edge = |[line, half]: &At| {
        let along = *line == 0 && half % 20 == 18;
        let across = *half < 2 && line % 10 == 9;
        along || across
    };
    let hexes = (0..grid.len()).map(|hex| (at(hex), hex));
    let edge = hexes.filter(|(at, _)| edge(at));
    edge.map(|(at, hex)| (at, grid.label(hex))).collect()
}

fn terrain(builder: &Builder<'_>, at: &impl Fn(usize) -> At) -> Vec<(Relief, Vec<At>)> {
    let mut found: Vec<(Relief, Vec<At>)> = Vec::new();
    for (number, space) in builder.briefing.game.map.map().spaces.iter().enumerate() {
        let relief = builder.briefing.display.relief(&space.terrain);
        if relief == Relief::Plain {
            continue;
        }
        match found.iter_mut().find(|(known, _)| *known == relief) {
            Some((_, hexes)) => hexes.push(at(number)),
            None => found.push((relief, vec![at(number)])),
        }
    }
    found
}

fn stroke(map: &HexMap, kind: &str) -> Stroke {
    let kinds = &map.file().features;
    let kind = kinds.iter().find(|known| known.id == kind);
    kind.map(|kind| kind.drawn).unwrap_or_default()
}

fn ends(map: &HexMap, at: &impl Fn(usize) -> At, side: &HexSide) -> Option<[At; 2]> {
    map.ends(side).map(|(a, b)| [at(a), at(b)])
}

fn lines(map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<HexLine> {
    let lines = map.file().lines.iter();
    lines
        .map(|line| HexLine {
            name: line.name.clone(),
            stroke: stroke(map, &line.kind),
            sides: (line.sides.iter())
                .filter_map(|side| ends(map, at, side))
                .collect(),
        })
        .collect()
}

fn crossings(map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<HexCrossing> {
    let crossings = map.file().crossings.iter();
    crossings
        .filter_map(|crossing| {
            Some(HexCrossing {
                stroke: stroke(map, &crossing.kind),
                side: ends(map, at, &crossing.side)?,
            })
        })
        .collect()
}

/// The hexes of each level, if there is more than one.
fn heights(map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<(i64, Vec<At>)> {
    let mut levels: BTreeMap<i64, Vec<At>> = BTreeMap::new();
    for hex in 0..map.grid().len() {
        levels.entry(map.level(hex)).or_default().push(at(hex));
    }
    if levels.len() < 2 {
        levels.clear();
    }
    levels.into_iter().collect()
}

/// Roads, those that are drawn above others last.
fn roads(map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<HexRoad> {
    let style = |class: &String| {
        let mut classes = map.file().road_classes.iter();
        classes
            .find(|known| known.id == *class)
            .map(|known| known.drawn)
    };
    let roads = map.file().roads.iter();
    let mut roads: Vec<HexRoad> = roads
        .map(|road| {
            let hexes = road.hexes.iter().filter_map(|hex| map.grid().number(hex));
            HexRoad {
                style: road.class.as_ref().and_then(style).unwrap_or_default(),
                hexes: hexes.map(at).collect(),
            }
        })
        .collect();
    roads.sort_by_key(|road| road.style);
    roads
}

fn places(builder: &Builder<'_>, map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<HexPlace> {
    let (game, display) = (builder.briefing.game, builder.briefing.display);
    let side = |id: Option<&str>| {
        let mut sides = game.decl.sides.iter();
        sides.position(|side| Some(side.id.as_str()) == id)
    };
    let places = map.file().places.iter().filter_map(|place| {
        let hex = map.grid().number(&place.hex)?;
        let space = game.map.space_at(hex)?;
        let held = (display.control.as_ref())
            .and_then(|name| builder.briefing.view.space_state(&space.id, name).as_text());
        let fed = display
            .supply
            .as_ref()
            .and_then(|name| space.data.get(name)?.as_text());
        Some(HexPlace {
            name: space.name_in(builder.words.lang()).to_owned(),
            at: at(hex),
            relief: display.relief(&space.terrain),
            control: side(held),
            supply: side(fed),
        })
    });
    places.collect()
}

/// Bridges that pieces are, of those that the reader sees now.
fn spans(builder: &Builder<'_>, at: &impl Fn(usize) -> At) -> Vec<(usize, [At; 2])> {
    let (game, display) = (builder.briefing.game, builder.briefing.display);
    let Some(attribute) = &display.span else {
        return Vec::new();
    };
    let pieces = builder.briefing.view.pieces.values();
    let laid = pieces
        .filter(|piece| piece.ghost.is_none())
        .filter_map(|piece| {
            let from = game.map.number(piece.at.as_deref()?)?;
            let to = piece.attributes.get(attribute)?.as_text()?;
            let side = game.decl.sides.iter().position(|it| it.id == piece.side)?;
            Some((side, [at(from), at(game.map.number(to)?)]))
        });
    laid.collect()
}

/// Commanders on the map that the reader knows of, with their reach; one who reaches the whole map
/// has no line around him.
fn radii(builder: &Builder<'_>, map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<HexRadius> {
    let (game, display) = (builder.briefing.game, builder.briefing.display);
    let Some(attribute) = &display.radius else {
        return Vec::new();
    };
    let shape = map.grid().shape();
    let across = i64::try_from(shape.columns + shape.rows).unwrap_or(i64::MAX);
    let pieces = builder.briefing.view.pieces.values();
    let present = pieces.filter(|piece| piece.ghost.is_none());
    present
        .filter_map(|piece| {
            let hexes = piece.int(attribute);
            let hex = game.map.number(piece.at.as_deref()?)?;
            let side = game.decl.sides.iter().position(|it| it.id == piece.side)?;
            (1..=across).contains(&hexes).then(|| HexRadius {
                at: at(hex),
                side,
                hexes,
            })
        })
        .collect()
}

/// The points of interest to the reader: events, enemies near, own pieces.
fn interests(builder: &Builder<'_>, map: &HexMap, at: &impl Fn(usize) -> At) -> Vec<Interest> {
    let view = builder.briefing.view;
    let grid = map.grid();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for piece in view.pieces.values() {
        let hex = piece.at.as_deref().and_then(|place| grid.number(place));
        let Some(hex) = hex else { continue };
        // A reader without a side looks at everybody.
        if builder.own(piece) || builder.seat().is_none() {
            own.push(hex);
        } else if piece.ghost.is_none() {
            others.push(hex);
        }
    }
    others.extend(crate::dispatch::forces::noted(builder));
    let near = |hex: &usize, list: &[usize]| list.iter().any(|it| grid.distance(*hex, *it) <= NEAR);
    let facing = own.iter().filter(|hex| near(hex, &others));
    let faced = others.iter().filter(|hex| near(hex, &own));
    let mut happened = Vec::new();
    for heard in builder.briefing.events {
        spaces_of(&heard.args, &mut happened);
    }
    let happened = happened.iter().filter_map(|space| grid.number(space));
    let weighed = |weight: i64| {
        move |hex: usize| Interest {
            at: at(hex),
            weight,
        }
    };
    let mut all: Vec<Interest> = happened.map(weighed(HAPPENED)).collect();
    all.extend(facing.chain(faced).copied().map(weighed(FACING)));
    all.extend(own.iter().copied().map(weighed(PRESENT)));
    all
}

/// The spaces that the arguments of an event name.
fn spaces_of(args: &Fields, found: &mut Vec<String>) {
    if let Some(space) = args.get("space").and_then(Value::as_text) {
        found.push(space.to_owned());
    }
    for value in args.values() {
        match value {
            Value::Map(fields) => spaces_of(fields, found),
            Value::List(list) => {
                let maps = list.iter().filter_map(Value::as_map);
                maps.for_each(|fields| spaces_of(fields, found));
            }
            _ => {}
        }
    }
}

/// The entries of the map's legend, in the game's words where it has some. Things that are drawn in
/// the same way share one name, the first.
fn legend(builder: &Builder<'_>, map: &HexMap) -> Vec<(String, String)> {
    let (game, words) = (builder.briefing.game, builder.words);
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut explain = |kind: &str, name: String| {
        if rows.iter().all(|(known, _)| known != kind) {
            rows.push((kind.to_owned(), name));
        }
    };
    for terrain in &game.map.map().terrains {
        let relief = builder.briefing.display.relief(terrain);
        explain(relief.name(), words.terrain(terrain).to_owned());
    }
    for kind in &map.file().features {
        let drawn = match kind.drawn {
            Stroke::Nothing => continue,
            drawn => drawn.name(),
        };
        let own = words.text().legend.get(&kind.id).cloned();
        explain(drawn, own.unwrap_or_else(|| words.legend(drawn)));
    }
    for (level, _) in heights(map, &|_| [0, 0]) {
        let name = words.say("legend_height", minijinja::context! { level });
        explain(&format!("height {level}"), name);
    }
    for kind in ["steep", "sharp"] {
        explain(kind, words.legend(kind));
    }
    for class in &map.file().road_classes {
        let own = words.text().legend.get(&class.id).cloned();
        let drawn = road_name(class.drawn);
        explain(drawn, own.unwrap_or_else(|| words.legend(drawn)));
    }
    if !game.map.map().roads.is_empty() {
        explain("road", words.legend("road"));
    }
    explain_counters(builder, &mut explain);
    if builder.briefing.display.radius.is_some() {
        explain("radius", words.legend("radius"));
    }
    if builder.briefing.display.limits.is_some() {
        explain("limits", words.legend("limits"));
    }
    rows
}

/// Explains counters with fronts, and arrows.
fn explain_counters(builder: &Builder<'_>, explain: &mut impl FnMut(&str, String)) {
    let (display, words) = (builder.briefing.display, builder.words);
    if display.facing.is_some() {
        let heading = |name: &Option<String>| {
            let name = name.as_ref()?;
            Some(crate::dispatch::forces::heading(builder, name))
        };
        let figures = [heading(&display.strength), heading(&display.pace)];
        let figures: Vec<String> = figures.into_iter().flatten().collect();
        explain("figures", figures.join(", "));
        if let Some(hits) = heading(&display.hits) {
            explain("hits", hits);
        }
        for kind in ["bar", "badge", "facing"] {
            explain(kind, words.legend(kind));
        }
    }
    for style in ArrowStyle::ALL {
        let name = style.name();
        explain(
            &format!("arrow {name}"),
            words.legend(&format!("arrow_{name}")),
        );
    }
}
