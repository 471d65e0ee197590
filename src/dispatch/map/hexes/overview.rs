//! The whole map from afar: terrain, rivers, roads, towns, the strength of each group, and the
//! sheets that are drawn in detail.

use super::{
    super::{
        MapSection, MapStack, metrics,
        svg::{INK, Style, Svg, colour, contrast},
    },
    At, HexSection, centre,
    sheet::{corner, extent, letter},
    steps,
    symbols::{ROAD, outline, pen, road, sides, tint},
};
use crate::game::{Relief, hex::Stroke};

/// Draws the map so that it is `wide` points wide; `whole` is its width in points of the map.
pub(super) fn draw(svg: &mut Svg, map: &MapSection, hexes: &HexSection, [wide, whole]: [i64; 2]) {
    let flat = hexes.flat;
    let size = extent(flat, hexes.size);
    // Scales are written in thousandths: whole numbers make the same bytes on every machine.
    let scale = wide * 1000 / whole.max(1);
    svg.open(&format!(r#"transform="scale(0.{scale:03})""#));
    svg.rect(
        [0, 0],
        size,
        0,
        &format!(r#"fill="{}""#, tint(Relief::Plain)),
    );
    for (relief, all) in &hexes.terrain {
        let d: String = all.iter().map(|at| outline(flat, *at)).collect();
        svg.path(
            &d,
            &format!(r#"fill="{}" shape-rendering="crispEdges""#, tint(*relief)),
        );
    }
    for wanted in [Stroke::Slope, Stroke::Stream, Stroke::River] {
        for line in hexes.lines.iter().filter(|line| line.stroke == wanted) {
            if let Some(pen) = pen(line.stroke) {
                svg.path(&sides(flat, line.sides.iter()), &pen);
            }
        }
    }
    roads(svg, hexes);
    for place in hexes
        .places
        .iter()
        .filter(|place| place.relief == Relief::City)
    {
        let held = place.control.and_then(|side| map.sides.get(side));
        let fill = held.map_or("#ffffff", |side| colour(&side.colour));
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="8""#);
        let [x, y] = centre(flat, place.at);
        svg.rect([x - 30, y - 30], [60, 60], 0, &paint);
    }
    ticks(svg, hexes, size);
    frames(svg, hexes, size);
    groups(svg, map, hexes);
    let style = Style {
        size: 72,
        bold: true,
        anchor: "middle",
        halo: true,
        ..Style::default()
    };
    for place in hexes
        .places
        .iter()
        .filter(|place| place.relief == Relief::City)
    {
        let [x, y] = centre(flat, place.at);
        svg.text([x.clamp(180, size[0] - 180), y - 44], &place.name, style);
    }
    svg.close();
}

/// Numbers of hexes along the left and the upper edge, each with a stroke at its hex.
fn ticks(svg: &mut Svg, hexes: &HexSection, [_, high]: [i64; 2]) {
    for (at, label) in &hexes.ticks {
        let [x, y] = centre(hexes.flat, *at);
        let upper = x > y;
        let (to, anchor, words) = if upper {
            ([x, 40], "middle", [x, 100])
        } else {
            ([40, y], "start", [48, (y + 20).min(high - 10)])
        };
        let from = if upper { [x, 0] } else { [0, y] };
        svg.line(from, to, &format!(r#"stroke="{INK}" stroke-width="8""#));
        let style = Style {
            size: 56,
            anchor,
            halo: true,
            ..Style::default()
        };
        svg.text(words, label, style);
    }
}

/// A frame for each sheet, its letter at the upper left corner.
fn frames(svg: &mut Svg, hexes: &HexSection, [_, high]: [i64; 2]) {
    for (number, window) in hexes.windows.iter().enumerate() {
        let [x, y] = corner(hexes.flat, window[0]);
        let paint = r##"fill="none" stroke="#b01818" stroke-width="16""##;
        svg.rect([x, y], extent(hexes.flat, window[1]), 0, paint);
        let plate = [x, y.min(high - 120)];
        svg.rect(plate, [100, 100], 0, r##"fill="#b01818""##);
        let style = Style {
            size: 88,
            bold: true,
            fill: "#ffffff",
            anchor: "middle",
            ..Style::default()
        };
        svg.text([plate[0] + 50, plate[1] + 82], &letter(number), style);
    }
}

fn roads(svg: &mut Svg, hexes: &HexSection) {
    let roads = hexes.roads.iter();
    let d: String = (roads)
        .map(|all| road(hexes.flat, all, &|_| true))
        .collect();
    svg.path(
        &d,
        &format!(r#"fill="none" stroke="{ROAD}" stroke-width="6""#),
    );
}

/// A plate for each group: what is seen of one side within three hexes, with its strength; dashed
/// where all of it may have gone.
fn groups(svg: &mut Svg, map: &MapSection, hexes: &HexSection) {
    let mut groups: Vec<GroupPlate> = Vec::new();
    for stack in map.stacks.iter().chain(&map.ghosts) {
        let Some(at) = hexes.spots.get(stack.space) else {
            continue;
        };
        let then = stack.turn.is_some();
        let joins = |group: &&mut GroupPlate| {
            group.side == stack.side && group.then == then && steps(group.at, *at) <= 3
        };
        let strength = strength(stack);
        match groups.iter_mut().find(joins) {
            Some(group) => {
                group.strength = group.strength.zip(strength).map(|(a, b)| a + b);
            }
            None => groups.push(GroupPlate {
                at: *at,
                side: stack.side,
                then,
                strength,
            }),
        }
    }
    for group in groups {
        let side = (map.sides.get(group.side)).map_or("", |side| colour(&side.colour));
        let (fill, dashes) = if group.then {
            ("#fffdf6", r#" stroke-dasharray="18 10""#)
        } else {
            (side, "")
        };
        let words = (group.strength).map_or_else(|| "?".to_owned(), |sum| sum.to_string());
        let wide = metrics::width(&words, 64, true) + 36;
        let [x, y] = centre(hexes.flat, group.at);
        let edge = if group.then { side } else { INK };
        let paint = format!(r#"fill="{fill}" stroke="{edge}" stroke-width="8"{dashes}"#);
        svg.rect([x - wide / 2, y - 42], [wide, 84], 12, &paint);
        let style = Style {
            size: 64,
            bold: true,
            fill: contrast(fill),
            anchor: "middle",
            ..Style::default()
        };
        svg.text([x, y + 24], &words, style);
    }
}

/// Stacks of one side that stand together.
struct GroupPlate {
    /// The first of them.
    at: At,
    side: usize,
    then: bool,
    strength: Option<i64>,
}

/// The strength of a stack, if all of it is known. Leaders have none.
fn strength(stack: &MapStack) -> Option<i64> {
    let units = stack.units.iter().map(|unit| unit.strength);
    let sum: Option<i64> = units.sum();
    sum.filter(|_| stack.hidden == 0 && !stack.more)
}
