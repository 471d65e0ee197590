//! The part of a hex map in detail.

use std::collections::BTreeSet;

use super::{
    super::{
        MapSection, frame, metrics,
        place::Rect,
        svg::{INK, Style, Svg, colour, line_colour},
    },
    At, HALF, HexSection, arrows, centre, counters,
    curves::{grid, outline, road, round, sides},
    features::{LINES, STYLES, bridge, crest, crossing, pens, road_name, way},
    ground::{built, ground, region, tint},
    heights::HexHeights,
    limits::veil,
    names::{names, own_names},
    rim, ring,
    sheet::{FULL, corner, extent},
    shows,
    stacks::stack,
};
use crate::{
    game::{ArrowStyle, Relief, hex::Stroke},
    mail::Screen,
};

/// The largest numbers of hexes: on a page to print.
pub(super) const LARGEST: i64 = 20;

/// The part in detail, in points of the map.
pub(super) fn window(svg: &mut Svg, map: &MapSection, hexes: &HexSection, seen: &[At; 2]) {
    let flat = hexes.flat;
    let [from, size] = *seen;
    let inside = |at: &At| {
        (0..2).all(|axis: usize| (from[axis] - 2..=from[axis] + size[axis] + 1).contains(&at[axis]))
    };
    svg.rect(
        corner(flat, from),
        extent(flat, size),
        0,
        &format!(r#"fill="{}""#, tint(Relief::Plain)),
    );
    svg.note(Relief::Plain.name());
    let heights = HexHeights::of(hexes, &inside);
    if let Some(heights) = &heights {
        heights.draw(svg, seen, true);
    }
    let terrain: Vec<(Relief, Vec<At>)> = (hexes.terrain.iter())
        .map(|(relief, all)| (*relief, all.iter().copied().filter(inside).collect()))
        .filter(|(_, all): &(Relief, Vec<At>)| !all.is_empty())
        .collect();
    // Heights show through what stands on them.
    let through = if heights.is_some() {
        r#" fill-opacity="0.8""#
    } else {
        ""
    };
    for (relief, all) in &terrain {
        if all.iter().any(|at| shows(seen, *at)) {
            svg.note(relief.name());
        }
        let more = if built(*relief) { "" } else { through };
        region(svg, flat, (*relief, more), all);
        if !built(*relief) {
            ground(svg, flat, *relief, all);
        }
    }
    if let Some(heights) = &heights {
        heights.slopes(svg, seen);
    }
    let labels = || hexes.labels.iter().filter(|(at, _)| shows(seen, *at));
    svg.path(
        &grid(flat, labels().map(|(at, _)| at)),
        r##"fill="none" stroke="#6e5632" stroke-width="0.9" stroke-opacity="0.42""##,
    );
    lines(svg, hexes, (&inside, seen), |stroke| {
        stroke != Stroke::Crest
    });
    roads(svg, hexes, (&inside, seen));
    lines(svg, hexes, (&inside, seen), |stroke| {
        stroke == Stroke::Crest
    });
    for one in hexes
        .crossings
        .iter()
        .filter(|it| it.side.iter().any(&inside))
    {
        // The legend explains what is on the sheet, not what lies beside it.
        if one.side.iter().any(|at| shows(seen, *at)) {
            svg.note(one.stroke.name());
        }
        crossing(svg, flat, one.stroke, one.side);
    }
    for (side, pair) in hexes.spans.iter().filter(|it| it.1.iter().any(&inside)) {
        if pair.iter().any(|at| shows(seen, *at)) {
            svg.note("bridge");
        }
        let side = map.sides.get(*side).map_or("", |side| &side.colour);
        bridge(svg, flat, *pair, colour(side));
    }
    for (relief, all) in terrain.iter().filter(|(relief, _)| built(*relief)) {
        ground(svg, flat, *relief, all);
    }
    radii(svg, map, hexes, seen);
    veil(svg, hexes, inside, 2);
    let number = number_size(map, flat, size);
    let large = is_large(map, number);
    let label = Style {
        size: number,
        fill: "#5c4a2e",
        anchor: "middle",
        ..Style::default()
    };
    let taken: BTreeSet<At> = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| hexes.spots.get(stack.space).copied())
        .filter(|at| shows(seen, *at))
        .collect();
    let tiles: Vec<Rect> = (taken.iter())
        .map(|at| tile_place(centre(flat, *at), large))
        .collect();
    let numbered = labels().filter(|(at, _)| !hexes.outside.contains(at));
    let (mut near, free): (Vec<_>, Vec<_>) = numbered.partition(|(at, _)| {
        let place = number_place(centre(flat, *at), number);
        let below = heights
            .as_ref()
            .is_some_and(|it| it.is_below_a_steep_slope(*at));
        below || tiles.iter().any(|tile| tile.shared(&place) > 0)
    });
    if hexes.faces && !map.screen.is_wide() {
        // So large a number would hide the formation and the state of a counter, whose hex stands
        // in the table.
        near.retain(|(at, _)| !taken.contains(at));
    }
    let woods: BTreeSet<At> = (terrain.iter())
        .filter(|(relief, _)| *relief == Relief::Wood)
        .flat_map(|(_, all)| all.iter().copied())
        .collect();
    let write = |svg: &mut Svg, labels: &[&(At, String)], style: Style<'_>| {
        for (at, text) in labels {
            let [x, y] = centre(flat, *at);
            let is_dark = |heights: &HexHeights| heights.is_dark(*at);
            let dark = woods.contains(at) || heights.as_ref().is_some_and(is_dark);
            let fill = if dark { INK } else { style.fill };
            let style = Style { fill, ..style };
            svg.text([x, y - HALF + number - 1], text, style);
        }
    };
    write(svg, &free, label);
    if let Some(heights) = &heights {
        heights.numbers(svg, seen, number.min(13));
    }
    places(svg, map, hexes, (&inside, seen));
    let below = [ArrowStyle::Move, ArrowStyle::Retreat];
    arrows::draw(svg, (map, hexes), seen, &below);
    let stacks = map.ghosts.iter().chain(&map.stacks);
    for one in stacks {
        // Those beyond the edge would be cut by it; they have a sheet of their own.
        let at = hexes.spots.get(one.space).filter(|at| shows(seen, **at));
        if let Some(at) = at {
            let middle = centre(flat, *at);
            if hexes.faces {
                counters::draw(svg, map, flat, one, middle);
            } else {
                stack(svg, map, one, (middle, large));
            }
        }
    }
    let above = [ArrowStyle::Fire, ArrowStyle::Assault];
    arrows::draw(svg, (map, hexes), seen, &above);
    // Where the corner of a counter reaches the number of a neighbour, the number can still be
    // read.
    write(
        svg,
        &near,
        Style {
            halo: true,
            ..label
        },
    );
    if hexes.is_small() && !large {
        own_names(svg, hexes, number);
    } else {
        names(svg, map, hexes, seen);
    }
}

/// The size of hex numbers: they grow with a sheet that is made smaller for paper, or for a small
/// screen.
pub(super) fn number_size(map: &MapSection, flat: bool, size: At) -> i64 {
    let least = match map.screen {
        Screen::Wide => 12,
        Screen::Phone => 17,
    };
    (12 * extent(flat, size)[0] / FULL).clamp(least, LARGEST)
}

/// Returns true if numbers are so large that counters and names have to make room for them.
pub(super) fn is_large(map: &MapSection, number: i64) -> bool {
    map.screen.is_wide() && number == LARGEST
}

/// The place of a hex's number, given the middle of the hex.
pub(super) fn number_place([x, y]: [i64; 2], number: i64) -> Rect {
    let wide = metrics::width("0000", number, false);
    Rect::round(x, y - HALF + number / 2, wide, number)
}

/// Rivers, crests and the like, of the kinds that are wanted.
fn lines(
    svg: &mut Svg,
    hexes: &HexSection,
    (inside, seen): (&impl Fn(&At) -> bool, &[At; 2]),
    wanted: impl Fn(Stroke) -> bool,
) {
    let ends_inside = |pair: &&[At; 2]| pair.iter().any(inside);
    for kind in LINES.into_iter().filter(|kind| wanted(*kind)) {
        let lines = hexes.lines.iter().filter(|line| line.stroke == kind);
        let near: Vec<&[At; 2]> = lines
            .flat_map(|line| line.sides.iter().filter(ends_inside))
            .collect();
        if near
            .iter()
            .any(|side| side.iter().any(|at| shows(seen, *at)))
        {
            svg.note(kind.name());
        }
        if kind == Stroke::Crest {
            crest(svg, hexes.flat, near.into_iter());
            continue;
        }
        let d = sides(hexes.flat, near.into_iter());
        if !d.is_empty() {
            pens(kind).iter().for_each(|pen| svg.path(&d, pen));
        }
    }
}

fn roads(svg: &mut Svg, hexes: &HexSection, (inside, seen): (&impl Fn(&At) -> bool, &[At; 2])) {
    for style in STYLES {
        let of_style = || hexes.roads.iter().filter(|road| road.style == style);
        let d: String = of_style()
            .map(|all| road(hexes.flat, &all.hexes, inside))
            .collect();
        if d.is_empty() {
            continue;
        }
        let mut hexes = of_style().flat_map(|road| &road.hexes);
        if hexes.any(|at| shows(seen, *at)) {
            svg.note(road_name(style));
        }
        way(svg, style, &d);
    }
}

/// The hexes that commanders reach over open ground, with a line round them. Where counters have
/// fronts there are many of them, and a side has one line round all.
fn radii(svg: &mut Svg, map: &MapSection, hexes: &HexSection, seen: &[At; 2]) {
    if hexes.faces {
        return commands(svg, map, hexes, seen);
    }
    for radius in &hexes.radii {
        let rim = rim(radius.at, radius.hexes);
        if !rim.iter().flatten().any(|at| shows(seen, *at)) {
            continue;
        }
        let paint = format!(
            r#"fill="none" stroke="{}" stroke-width="4" stroke-dasharray="12 7" stroke-opacity="0.8""#,
            side_line(svg, map, radius.side)
        );
        svg.path(&sides(hexes.flat, rim.iter()), &paint);
    }
}

/// Notes that a side's reach is drawn; returns the colour of its lines.
fn side_line<'m>(svg: &mut Svg, map: &'m MapSection, side: usize) -> &'m str {
    svg.note("radius");
    svg.note_side(side);
    let side = map.sides.get(side);
    side.map_or(INK, |side| line_colour(&side.colour))
}

fn commands(svg: &mut Svg, map: &MapSection, hexes: &HexSection, seen: &[At; 2]) {
    for side in 0..map.sides.len() {
        let radii = hexes.radii.iter().filter(|radius| radius.side == side);
        let reached: BTreeSet<At> = radii
            .flat_map(|radius| (0..=radius.hexes).flat_map(|far| ring(radius.at, far)))
            .collect();
        if !reached.iter().any(|at| shows(seen, *at)) {
            continue;
        }
        let d = round(hexes.flat, &reached.into_iter().collect::<Vec<_>>());
        svg.path(
            &d,
            r##"fill="none" stroke="#fffdf6" stroke-width="4.5" stroke-opacity="0.7""##,
        );
        let colour = side_line(svg, map, side);
        let paint =
            format!(r#"fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="6 3""#);
        svg.path(&d, &paint);
    }
}

fn places(
    svg: &mut Svg,
    map: &MapSection,
    hexes: &HexSection,
    (inside, seen): (&impl Fn(&At) -> bool, &[At; 2]),
) {
    for place in hexes.places.iter().filter(|place| inside(&place.at)) {
        let [x, y] = centre(hexes.flat, place.at);
        if shows(seen, place.at) {
            let control = place.control.into_iter();
            control.for_each(|side| svg.note_side(side));
            if place.supply.is_some() {
                svg.note("supply");
            }
        }
        let side = |number: Option<usize>| number.and_then(|number| map.sides.get(number));
        if let Some(side) = side(place.control) {
            let paint = format!(
                r#"fill="none" stroke="{}" stroke-width="5""#,
                line_colour(&side.colour)
            );
            let rim = outline(hexes.flat, place.at);
            svg.path(&rim, &paint);
            // A light colour is seen between two lines of ink.
            let fill = colour(&side.colour);
            if fill != line_colour(fill) {
                let paint = format!(r#"fill="none" stroke="{fill}" stroke-width="2.6""#);
                svg.path(&rim, &paint);
            }
        }
        if let Some(side) = side(place.supply) {
            frame::star_in(svg, [x, y + 4], colour(&side.colour));
        }
    }
}

/// Where the tile of a stack lies round the middle of its hex.
pub(super) fn tile_place([x, y]: [i64; 2], large: bool) -> Rect {
    let (up, h) = if large { (13, 37) } else { (20, 53) };
    Rect {
        x: x - HALF,
        y: y - up,
        w: 2 * HALF,
        h,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_on_a_page_stand_between_the_numbers() {
        let here = [10, 20];
        let near = [
            here,
            [9, 19],
            [9, 21],
            [11, 19],
            [11, 21],
            [10, 18],
            [10, 22],
        ];
        let tile = tile_place(centre(false, here), true);
        for at in near {
            let number = number_place(centre(false, at), LARGEST);
            assert_eq!(tile.shared(&number), 0, "{at:?}: {tile:?}, {number:?}");
        }
    }
}
