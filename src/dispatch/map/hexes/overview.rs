//! The whole map from afar: terrain, rivers, roads, towns, the strength of each group, and the
//! sheets that are drawn in detail.

use super::{
    super::{
        MapSection, MapStack,
        frame::NOBODYS,
        groups, metrics,
        place::Rect,
        svg::{INK, Style, Svg, colour},
    },
    HexPlace, HexSection, centre,
    curves::{outline, road, sides},
    features::{LINES, STYLES, far_pen, far_road, road_name},
    ground::tint,
    heights::HexHeights,
    limits::veil,
    sheet::{corner, extent, letter},
};
use crate::{game::Relief, mail::Screen};

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
    svg.note(Relief::Plain.name());
    if let Some(heights) = HexHeights::of(hexes, &|_| true) {
        heights.draw(svg, &[[0, 0], hexes.size], false);
    }
    // Fields tell nothing from afar.
    let fields = [Relief::Crops, Relief::Vines];
    let terrain = hexes.terrain.iter();
    for (relief, all) in terrain.filter(|(relief, _)| !fields.contains(relief)) {
        svg.note(relief.name());
        let d: String = all.iter().map(|at| outline(flat, *at)).collect();
        svg.path(
            &d,
            &format!(r#"fill="{}" shape-rendering="crispEdges""#, tint(*relief)),
        );
    }
    for wanted in LINES {
        for line in hexes.lines.iter().filter(|line| line.stroke == wanted) {
            if let Some(pen) = far_pen(line.stroke) {
                svg.note(line.stroke.name());
                svg.path(&sides(flat, line.sides.iter()), &pen);
            }
        }
    }
    roads(svg, hexes);
    veil(svg, hexes, |_| true, 12);
    for place in hexes.places.iter().filter(|place| is_named(place)) {
        if let Some(side) = place.control {
            svg.note_side(side);
        }
        let held = place.control.and_then(|side| map.sides.get(side));
        let fill = held.map_or(NOBODYS, |side| colour(&side.colour));
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="8""#);
        let [x, y] = centre(flat, place.at);
        let half = if place.relief == Relief::City { 30 } else { 20 };
        svg.rect([x - half, y - half], [2 * half; 2], 0, &paint);
    }
    // A picture that is read at half the width is twice as large.
    let times = match map.screen {
        Screen::Wide => 1,
        Screen::Phone => 2,
    };
    let mut signs = ticks(svg, hexes, size, times);
    signs.extend(frames(svg, hexes, size, times));
    let at = |stack: &MapStack| {
        let at = hexes.spots.get(stack.space)?;
        Some(centre(flat, *at))
    };
    let near = 200 * times;
    let page = Rect {
        x: 0,
        y: 0,
        w: size[0],
        h: size[1],
    };
    let taken = (page.grown(-10), signs);
    let mut taken = groups::draw(svg, map, at, taken, [near, 64 * times]);
    for place in hexes.places.iter().filter(|place| is_named(place)) {
        let style = Style {
            size: 72 * times,
            bold: place.relief == Relief::City,
            anchor: "middle",
            halo: true,
            ..Style::default()
        };
        let [x, y] = centre(flat, place.at);
        let half = metrics::width(&place.name, style.size, style.bold) / 2 + 10;
        let x = x.clamp(half.min(size[0] / 2), (size[0] - half).max(size[0] / 2));
        let high = style.size;
        let above = [
            -44 - high / 2,
            44 + high / 2,
            -44 - 3 * high / 2,
            44 + 3 * high / 2,
        ];
        let places = above.map(|down| Rect::round(x, y + down, 2 * half, high));
        let hidden = |place: &&Rect| -> i64 { taken.iter().map(|it| it.shared(place)).sum() };
        let spot = places.iter().filter(|it| it.y > 0).min_by_key(hidden);
        let Some(spot) = spot.copied() else { continue };
        svg.text([x, spot.y + high * 7 / 8], &place.name, style);
        taken.push(spot);
    }
    svg.close();
}

/// Returns true if a place is named in the overview: towns, and what the sides hold.
fn is_named(place: &HexPlace) -> bool {
    place.relief == Relief::City || place.control.is_some()
}

/// Numbers of hexes along the left and the upper edge, each with a stroke at its hex; gives their
/// places.
fn ticks(svg: &mut Svg, hexes: &HexSection, [_, high]: [i64; 2], times: i64) -> Vec<Rect> {
    let mut places = Vec::new();
    for (at, label) in &hexes.ticks {
        let [x, y] = centre(hexes.flat, *at);
        let upper = x > y;
        let (to, anchor, words) = if upper {
            ([x, 40], "middle", [x, 44 + 56 * times])
        } else {
            ([40, y], "start", [48, (y + 20 * times).min(high - 10)])
        };
        let from = if upper { [x, 0] } else { [0, y] };
        svg.line(from, to, &format!(r#"stroke="{INK}" stroke-width="8""#));
        let style = Style {
            size: 60 * times,
            anchor,
            halo: true,
            ..Style::default()
        };
        let wide = metrics::width(label, style.size, false);
        let left = if upper { words[0] - wide / 2 } else { words[0] };
        places.push(Rect {
            x: left,
            y: words[1] - style.size,
            w: wide,
            h: style.size,
        });
        svg.text(words, label, style);
    }
    places
}

/// A frame for each sheet, its letter at the upper left corner; gives the places of the letters.
fn frames(svg: &mut Svg, hexes: &HexSection, [_, high]: [i64; 2], times: i64) -> Vec<Rect> {
    let mut letters = Vec::new();
    for (number, window) in hexes.windows.iter().enumerate() {
        let [x, y] = corner(hexes.flat, window[0]);
        let paint = r##"fill="none" stroke="#b01818" stroke-width="16""##;
        svg.rect([x, y], extent(hexes.flat, window[1]), 0, paint);
        let edge = 100 * times;
        // Above the frame, where it hides no plate; inside at the upper edge of the map.
        let plate = [
            x,
            if y < edge { y } else { y - edge }.min(high - 120 * times),
        ];
        svg.rect(plate, [100 * times; 2], 0, r##"fill="#b01818""##);
        let style = Style {
            size: 88 * times,
            bold: true,
            fill: "#ffffff",
            anchor: "middle",
            ..Style::default()
        };
        svg.text(
            [plate[0] + 50 * times, plate[1] + 82 * times],
            &letter(number),
            style,
        );
        let [x, y] = plate;
        let edge = 100 * times;
        letters.push(Rect {
            x,
            y,
            w: edge,
            h: edge,
        });
    }
    letters
}

fn roads(svg: &mut Svg, hexes: &HexSection) {
    for style in STYLES {
        let roads = hexes.roads.iter().filter(|road| road.style == style);
        let d: String = roads
            .map(|one| road(hexes.flat, &one.hexes, &|_| true))
            .collect();
        if !d.is_empty() {
            svg.note(road_name(style));
            svg.path(&d, &far_road(style));
        }
    }
}
