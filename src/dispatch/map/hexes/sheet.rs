//! The picture of a hex map: title, the window in detail, legend, the whole map.

use std::collections::BTreeSet;

use super::{
    super::{
        MapSection, frame,
        head::{self, HEAD, SheetHead},
        metrics,
        place::{Board, Ink, Item, Rect},
        svg::{INK, PAPER, SignSet, Style, Svg, colour, line_colour},
    },
    At, HALF, HexPlace, HexSection, STEP, centre, overview, rim, shows,
    symbols::{
        self, bridge, crossing, grid, ground, name_style, outline, pens, region, road, sides,
        stack, stroke_name, tint, way,
    },
};
use crate::{
    game::{Relief, hex::Stroke},
    mail::Screen,
};

/// The largest numbers of hexes: on a page to print.
const LARGEST: i64 = 20;
/// What it costs that a name covers numbers, counters, houses, other names.
const KEEP: i64 = 60;
const COUNTER: i64 = 20;
const HOUSES: i64 = 6;
const NAME: i64 = 12;
/// How wide the column is where title and legend stand beside a map, in points of a letter.
const COLUMN: i64 = 172;
/// Space round everything.
const EDGE: i64 = 20;
/// The width of the widest sheet in a letter.
const FULL: i64 = 1100;
/// Height of the title.
const TITLE: i64 = 92;
/// How large the legend of an overview is, in hundredths: its letters are 13 points high.
const READ: i64 = 76;
/// Height of a line of the legend, width of a sample.
const ROW: i64 = 30;
const SAMPLE: i64 = 44;

/// The size in points of so many lines and half hexes.
pub(super) fn extent(flat: bool, [lines, halves]: At) -> [i64; 2] {
    let (across, along) = (lines * STEP + STEP / 3, (halves + 1) * HALF);
    if flat {
        [across, along]
    } else {
        [along, across]
    }
}

/// The letter by which the overview and a sheet name each other.
pub(in crate::dispatch::map) fn letter(number: usize) -> String {
    let letter = u8::try_from(number)
        .ok()
        .and_then(|it| b'A'.checked_add(it));
    letter.map(char::from).map(String::from).unwrap_or_default()
}

/// The map as SVG.
pub(in crate::dispatch::map) fn svg(map: &MapSection, hexes: &HexSection) -> String {
    if let [seen] = &*hexes.windows
        && hexes.alone
        && leaves_a_column(extent(hexes.flat, seen[1]))
    {
        return beside(map, hexes, seen);
    }
    let sizes: Vec<[i64; 2]> = (hexes.windows.iter())
        .map(|window| extent(hexes.flat, window[1]))
        .collect();
    let width = sizes.iter().map(|size| size[0]).max().unwrap_or(0).max(720);
    let whole = extent(hexes.flat, hexes.size);
    // A map that is drawn whole in detail is not drawn again from afar.
    let is_part = hexes.is_part();
    let low = if is_part {
        whole[1] * width / whole[0].max(1)
    } else {
        0
    };
    let head = if is_part { HEAD } else { 0 };
    let details: i64 = sizes.iter().map(|size| head + size[1] + EDGE).sum();
    // What is larger than a letter is read from afar.
    let larger = (width / FULL).max(1);
    let top = TITLE * larger;
    let mut body = Svg::default();
    let mut y = top;
    for (number, (seen, size)) in hexes.windows.iter().zip(sizes).enumerate() {
        if is_part {
            head_of(&mut body, (map, hexes), (number, seen), [EDGE, y], width);
        }
        y += head;
        detail(&mut body, map, hexes, (number, seen), [EDGE, y]);
        y += size[1] + EDGE;
    }
    let mut far = Svg::default();
    if is_part {
        framed(&mut far, "whole", [0, 0], [width, low], |svg| {
            overview::draw(svg, map, hexes, [width, whole[0]]);
        });
    }
    let drawn = body.drawn().union(far.drawn()).cloned().collect();
    let legend = legend_rows(map, hexes, &drawn, width / larger);
    let legend_height = larger * (i64::try_from(legend.len()).unwrap_or(0) * ROW + ROW / 2);
    let frames = if is_part { 2 } else { 1 };
    let height = top + details + legend_height + low + frames * EDGE;
    let mut svg = Svg::new(width + 2 * EDGE, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width + 2 * EDGE, height], 0, &paper);
    svg.open(&format!(r#"transform="scale({larger})""#));
    let title = ([32, 20], width / larger - 16);
    head::title(
        &mut svg,
        map,
        [EDGE + 8, 18],
        title,
        hexes.ten_km() / larger,
    );
    svg.close();
    svg.take(body);
    let below = y + larger * ROW / 2;
    legend_at(&mut svg, map, &legend, [EDGE, below], &larger.to_string());
    svg.open(&format!(
        r#"transform="translate({EDGE} {})""#,
        y + legend_height
    ));
    svg.take(far);
    svg.close();
    frame::border(&mut svg, [width + 2 * EDGE, height]);
    svg.finish()
}

/// Returns true if a map that is printed leaves more of a page free beside it than above and below
/// it: pages are about seven by five.
const fn leaves_a_column([width, height]: [i64; 2]) -> bool {
    width >= 2 * FULL && width > height && width * 5 <= height * 7
}

/// A map to print, with title and legend beside it, so that its hexes are as large as the page
/// allows.
fn beside(map: &MapSection, hexes: &HexSection, seen: &[At; 2]) -> String {
    let [width, height] = extent(hexes.flat, seen[1]);
    let mut body = Svg::default();
    detail(&mut body, map, hexes, (0, seen), [EDGE, EDGE]);
    let times = (width / FULL - 1).max(1);
    let wide = width + 3 * EDGE + COLUMN * times;
    // Every entry has a line of its own.
    let entries = legend_entries(map, hexes, body.drawn());
    let lines = entries.into_iter().flat_map(|it| entry_lines(it, COLUMN));
    let legend: Vec<Vec<LegendEntry>> = lines.map(|line| vec![line]).collect();
    let mut column = Svg::default();
    let below = head::column(&mut column, map, COLUMN, hexes.ten_km() / times);
    legend_at(&mut column, map, &legend, [0, below], "1");
    let rows = i64::try_from(legend.len()).unwrap_or(0);
    let high = height.max((below + rows * ROW) * times) + 2 * EDGE;
    let mut svg = Svg::new(wide, high);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [wide, high], 0, &paper);
    svg.take(body);
    let left = width + 2 * EDGE;
    svg.open(&format!(
        r#"transform="translate({left} {EDGE}) scale({times})""#
    ));
    svg.take(column);
    svg.close();
    frame::border(&mut svg, [wide, high]);
    svg.finish()
}

/// One sheet, with its letter and name above it.
pub(in crate::dispatch::map) fn sheet_drawn(
    map: &MapSection,
    hexes: &HexSection,
    number: usize,
    seen: &[At; 2],
) -> Svg {
    let [width, height] = drawn_size(hexes.flat, seen);
    // A telephone shows it at two thirds, with three points of the file for two.
    let mut svg = Svg::new(width, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width, height], 0, &paper);
    head_of(&mut svg, (map, hexes), (number, seen), [1, 4], width);
    detail(&mut svg, map, hexes, (number, seen), [1, HEAD]);
    svg
}

/// How wide a sheet that is a picture of its own is read.
pub(in crate::dispatch::map) fn sheet_width(map: &MapSection, flat: bool, seen: &[At; 2]) -> i64 {
    let [width, _] = drawn_size(flat, seen);
    match map.screen {
        Screen::Wide => width,
        Screen::Phone => width * 2 / 3,
    }
}

/// The size of a sheet in points of the map.
fn drawn_size(flat: bool, seen: &[At; 2]) -> [i64; 2] {
    let [width, height] = extent(flat, seen[1]);
    [width + 2, HEAD + height + 1]
}

/// The whole map from afar, with title and legend, which explains what is on the sheets too.
pub(in crate::dispatch::map) fn overview_drawn(
    map: &MapSection,
    hexes: &HexSection,
    on_sheets: &SignSet,
) -> Svg {
    let whole = extent(hexes.flat, hexes.size);
    let (wide, edge) = match map.screen {
        Screen::Wide => (map.screen.width(), EDGE),
        Screen::Phone => (map.screen.width(), 2),
    };
    let inner = wide - 2 * edge;
    let low = whole[1] * inner / whole[0].max(1);
    let sizes = match map.screen {
        Screen::Wide => [26, 14],
        Screen::Phone => [20, 13],
    };
    let head = edge + sizes[0] + 2 * sizes[1] + 12;
    let mut body = Svg::default();
    framed(&mut body, "whole", [edge, head], [inner, low], |svg| {
        overview::draw(svg, map, hexes, [inner, whole[0]]);
    });
    let drawn = body.drawn().union(on_sheets).cloned().collect();
    let legend = legend_rows(map, hexes, &drawn, inner * 100 / READ);
    let rows = i64::try_from(legend.len()).unwrap_or(0);
    let top = head + low + ROW / 3;
    let height = top + rows * ROW * READ / 100 + EDGE.min(edge + 6);
    let mut svg = match map.screen {
        Screen::Wide => Svg::new(wide, height),
        Screen::Phone => Svg::sized([wide * 3 / 2, height * 3 / 2], [wide, height]),
    };
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [wide, height], 0, &paper);
    let ten_km = hexes.ten_km() * inner / whole[0].max(1);
    head::title(&mut svg, map, [edge + 4, edge], (sizes, inner - 8), ten_km);
    svg.take(body);
    legend_at(&mut svg, map, &legend, [edge, top], &format!("0.{READ}"));
    if map.screen.is_wide() {
        frame::border(&mut svg, [wide, height]);
    }
    svg
}

/// A sheet in its frame, the corner of the frame at a point.
fn detail(
    svg: &mut Svg,
    map: &MapSection,
    hexes: &HexSection,
    (number, seen): (usize, &[At; 2]),
    at: [i64; 2],
) {
    let size = extent(hexes.flat, seen[1]);
    framed(svg, &format!("detail{number}"), at, size, |svg| {
        let [x, y] = corner(hexes.flat, seen[0]);
        svg.open(&format!(r#"transform="translate({} {})""#, -x, -y));
        window(svg, map, hexes, seen);
        svg.close();
    });
}

/// The rows of the legend, so many times as large as in a letter.
fn legend_at(
    svg: &mut Svg,
    map: &MapSection,
    rows: &[Vec<LegendEntry>],
    [x, y]: [i64; 2],
    times: &str,
) {
    svg.open(&format!(r#"transform="translate({x} {y}) scale({times})""#));
    for (row, line) in rows.iter().zip(0..) {
        let mut x = 0;
        for entry in row {
            sample(svg, map, [x, line * ROW], entry);
            x += entry_width(&entry.1);
        }
    }
    svg.close();
}

/// What a sheet is called: towns on it, else villages; and its first and last hex.
fn name_and_ends(hexes: &HexSection, window: &[At; 2]) -> [String; 2] {
    let named = |relief: Relief| {
        let places = hexes.places.iter().filter(move |it| it.relief == relief);
        places.filter(|it| shows(window, it.at))
    };
    let places = named(Relief::City).chain(named(Relief::Village)).take(2);
    let places: Vec<&str> = places.map(|place| place.name.as_str()).collect();
    let mut labels = hexes.labels.iter().filter(|(at, _)| shows(window, *at));
    let first = labels.next();
    let ends = [first, labels.next_back().or(first)];
    let ends = ends.map(|end| end.map_or("", |(_, label)| label));
    [places.join(", "), ends.join(" \u{2013} ")]
}

/// The name of a sheet with its hexes.
pub(in crate::dispatch::map) fn sheet_name(hexes: &HexSection, window: &[At; 2]) -> String {
    let [places, ends] = name_and_ends(hexes, window);
    if places.is_empty() {
        return ends;
    }
    format!("{places} \u{b7} {ends}")
}

/// The head of a sheet, with its corner at a point.
fn head_of(
    svg: &mut Svg,
    (map, hexes): (&MapSection, &HexSection),
    (number, seen): (usize, &[At; 2]),
    at: [i64; 2],
    wide: i64,
) {
    let [places, ends] = name_and_ends(hexes, seen);
    let (name, ends) = match places.as_str() {
        "" => (&*ends, ""),
        places => (places, &*ends),
    };
    let head = SheetHead {
        letter: &letter(number),
        name,
        ends,
        wide,
        ten_km: hexes.ten_km(),
        small: match map.screen {
            Screen::Wide => 14,
            Screen::Phone => 17,
        },
    };
    head.draw(svg, map, at);
}

/// Draws in a frame, and nothing outside it; the corner of the frame is the origin.
pub(in crate::dispatch::map) fn framed(
    svg: &mut Svg,
    id: &str,
    [x, y]: [i64; 2],
    [w, h]: [i64; 2],
    draw: impl FnOnce(&mut Svg),
) {
    svg.raw(&format!(
        r#"<clipPath id="{id}"><rect x="0" y="0" width="{w}" height="{h}"/></clipPath>"#
    ));
    svg.open(&format!(r#"transform="translate({x} {y})""#));
    svg.open(&format!(r#"clip-path="url(#{id})""#));
    draw(svg);
    svg.close();
    let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="2""#);
    svg.rect([0, 0], [w, h], 0, &paint);
    svg.close();
}

/// The corner of the window in points of the map.
pub(super) fn corner(flat: bool, [line, half]: At) -> [i64; 2] {
    let (across, along) = (line * STEP, half * HALF);
    if flat {
        [across, along]
    } else {
        [along, across]
    }
}

/// The part in detail, in points of the map.
fn window(svg: &mut Svg, map: &MapSection, hexes: &HexSection, seen: &[At; 2]) {
    let flat = hexes.flat;
    let [from, size] = *seen;
    let inside = |at: &At| {
        (0..2).all(|axis: usize| (from[axis] - 2..=from[axis] + size[axis] + 1).contains(&at[axis]))
    };
    let ends_inside = |pair: &&[At; 2]| pair.iter().any(&inside);
    svg.rect(
        corner(flat, from),
        extent(flat, size),
        0,
        &format!(r#"fill="{}""#, tint(Relief::Plain)),
    );
    svg.note(Relief::Plain.name());
    let terrain: Vec<(Relief, Vec<At>)> = (hexes.terrain.iter())
        .map(|(relief, all)| (*relief, all.iter().copied().filter(inside).collect()))
        .filter(|(_, all): &(Relief, Vec<At>)| !all.is_empty())
        .collect();
    for (relief, all) in &terrain {
        if all.iter().any(|at| shows(seen, *at)) {
            svg.note(relief.name());
        }
        region(svg, flat, *relief, all);
        if !built(*relief) {
            ground(svg, flat, *relief, all);
        }
    }
    let labels = || hexes.labels.iter().filter(|(at, _)| shows(seen, *at));
    svg.path(
        &grid(flat, labels().map(|(at, _)| at)),
        r##"fill="none" stroke="#6e5632" stroke-width="0.9" stroke-opacity="0.42""##,
    );
    for wanted in [Stroke::Slope, Stroke::Stream, Stroke::River] {
        let lines = hexes.lines.iter().filter(|line| line.stroke == wanted);
        let near: Vec<&[At; 2]> = lines
            .flat_map(|line| line.sides.iter().filter(ends_inside))
            .collect();
        if near
            .iter()
            .any(|side| side.iter().any(|at| shows(seen, *at)))
        {
            svg.note(stroke_name(wanted));
        }
        let d = sides(flat, near.into_iter());
        if !d.is_empty() {
            pens(wanted).iter().for_each(|pen| svg.path(&d, pen));
        }
    }
    roads(svg, hexes, (&inside, seen));
    for one in hexes
        .crossings
        .iter()
        .filter(|it| it.side.iter().any(&inside))
    {
        crossing(svg, flat, one.stroke, one.side);
    }
    for (side, pair) in hexes.spans.iter().filter(|it| it.1.iter().any(&inside)) {
        let side = map.sides.get(*side).map_or("", |side| &side.colour);
        bridge(svg, flat, *pair, colour(side));
    }
    for (relief, all) in terrain.iter().filter(|(relief, _)| built(*relief)) {
        ground(svg, flat, *relief, all);
    }
    radii(svg, map, hexes);
    let number = number_size(map, flat, size);
    let large = is_large(map, number);
    let label = Style {
        size: number,
        fill: "#5c4a2e",
        anchor: "middle",
        ..Style::default()
    };
    let tiles: Vec<Rect> = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| hexes.spots.get(stack.space))
        .filter(|at| shows(seen, **at))
        .map(|at| tile_place(centre(flat, *at), large))
        .collect();
    let (near, free): (Vec<_>, Vec<_>) = labels().partition(|(at, _)| {
        let place = number_place(centre(flat, *at), number);
        tiles.iter().any(|tile| tile.shared(&place) > 0)
    });
    let woods: BTreeSet<At> = (terrain.iter())
        .filter(|(relief, _)| *relief == Relief::Wood)
        .flat_map(|(_, all)| all.iter().copied())
        .collect();
    let write = |svg: &mut Svg, labels: &[&(At, String)], style: Style<'_>| {
        for (at, text) in labels {
            let [x, y] = centre(flat, *at);
            let fill = if woods.contains(at) { INK } else { style.fill };
            let style = Style { fill, ..style };
            svg.text([x, y - HALF + number - 1], text, style);
        }
    };
    write(svg, &free, label);
    places(svg, map, hexes, &inside);
    let stacks = map.ghosts.iter().chain(&map.stacks);
    for one in stacks {
        // Those beyond the edge would be cut by it; they have a sheet of their own.
        let at = hexes.spots.get(one.space).filter(|at| shows(seen, **at));
        if let Some(at) = at {
            stack(svg, map, one, (centre(flat, *at), large));
        }
    }
    // Where the corner of a counter reaches the number of a neighbour, the number is read all the
    // same.
    write(
        svg,
        &near,
        Style {
            halo: true,
            ..label
        },
    );
    if large {
        let places: Vec<_> = shown_places(hexes, seen).collect();
        for (place, label) in places.iter().zip(free_names(map, hexes, seen, &places)) {
            let style = name_style(place.relief, number);
            let at = [label.x + label.w / 2, label.y + style.size * 4 / 5 + 2];
            svg.text(at, &place.name, style);
        }
    } else {
        names(svg, map, hexes, seen, &inside);
    }
}

/// How large the numbers of hexes are: they grow with a sheet that is made smaller for paper, or
/// for a small screen.
fn number_size(map: &MapSection, flat: bool, size: At) -> i64 {
    let least = match map.screen {
        Screen::Wide => 12,
        Screen::Phone => 17,
    };
    (12 * extent(flat, size)[0] / FULL).clamp(least, LARGEST)
}

/// Returns true if numbers are so large that counters and names have to make room for them.
fn is_large(map: &MapSection, number: i64) -> bool {
    map.screen.is_wide() && number == LARGEST
}

/// Where the number of a hex stands, by the middle of the hex.
fn number_place([x, y]: [i64; 2], number: i64) -> Rect {
    let wide = metrics::width("0000", number, false);
    Rect::round(x, y - HALF + number / 2, wide, number)
}

/// Houses stand beside roads, not under them.
fn built(relief: Relief) -> bool {
    matches!(relief, Relief::Village | Relief::City)
}

fn roads(svg: &mut Svg, hexes: &HexSection, (inside, seen): (&impl Fn(&At) -> bool, &[At; 2])) {
    let roads = hexes.roads.iter();
    let d: String = roads.map(|all| road(hexes.flat, all, inside)).collect();
    if hexes.roads.iter().flatten().any(|at| shows(seen, *at)) {
        svg.note("road");
    }
    way(svg, &d);
}

/// The hexes that commanders reach over open ground, with a line round them.
fn radii(svg: &mut Svg, map: &MapSection, hexes: &HexSection) {
    for radius in &hexes.radii {
        svg.note("radius");
        svg.note_side(radius.side);
        let side = map
            .sides
            .get(radius.side)
            .map_or(INK, |side| line_colour(&side.colour));
        let paint = format!(
            r#"fill="none" stroke="{side}" stroke-width="4" stroke-dasharray="12 7" stroke-opacity="0.8""#
        );
        let rim = rim(radius.at, radius.hexes);
        svg.path(&sides(hexes.flat, rim.iter()), &paint);
    }
}

fn places(svg: &mut Svg, map: &MapSection, hexes: &HexSection, inside: &impl Fn(&At) -> bool) {
    for place in hexes.places.iter().filter(|place| inside(&place.at)) {
        let [x, y] = centre(hexes.flat, place.at);
        place
            .control
            .into_iter()
            .for_each(|side| svg.note_side(side));
        if place.supply.is_some() {
            svg.note("supply");
        }
        let side = |number: Option<usize>| number.and_then(|number| map.sides.get(number));
        if let Some(side) = side(place.control) {
            let paint = format!(
                r#"fill="none" stroke="{}" stroke-width="5""#,
                line_colour(&side.colour)
            );
            svg.path(&outline(hexes.flat, place.at), &paint);
        }
        if let Some(side) = side(place.supply) {
            frame::star_in(svg, [x, y + 4], colour(&side.colour));
        }
    }
}

/// Names go above everything, beside their hexes where they hide no stack.
fn names(
    svg: &mut Svg,
    map: &MapSection,
    hexes: &HexSection,
    seen: &[At; 2],
    inside: &impl Fn(&At) -> bool,
) {
    let stands = |space: usize| hexes.spots.get(space).filter(|at| inside(at));
    let stacks: Vec<Rect> = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| stands(stack.space))
        .map(|at| tile_place(centre(hexes.flat, *at), false))
        .collect();
    let number = number_size(map, hexes.flat, seen[1]);
    let [[left, top], [wide, high]] = [corner(hexes.flat, seen[0]), extent(hexes.flat, seen[1])];
    for place in shown_places(hexes, seen) {
        let style = name_style(place.relief, number);
        let half = metrics::width(&place.name, style.size, style.bold) / 2;
        let [x, y] = centre(hexes.flat, place.at);
        let below = y + 2 * STEP / 3 + 4;
        let beside = HALF + half + 4;
        // Below, lower where a counter stands there, above, right, left.
        let spots = [
            [x, below],
            [x, below + 10],
            [x, y - 2 * STEP / 3 + 2],
            [x + beside, y + 12],
            [x - beside, y + 12],
        ];
        let spots = spots.map(|[across, line]| {
            let line = line.clamp(top + style.size, top + high - 6);
            [across.clamp(left + half + 4, left + wide - half - 4), line]
        });
        let hidden = |[x, y]: &[i64; 2]| -> i64 {
            let name = Rect {
                x: x - half,
                y: y - style.size,
                w: 2 * half,
                h: style.size,
            };
            stacks.iter().map(|rect| rect.shared(&name)).sum()
        };
        // Of equal places the first, below.
        if let Some(spot) = spots.iter().min_by_key(|spot| hidden(spot)) {
            svg.text(*spot, &place.name, style);
        }
    }
}

fn shown_places<'h>(hexes: &'h HexSection, seen: &[At; 2]) -> impl Iterator<Item = &'h HexPlace> {
    let places = hexes.places.iter();
    places.filter(move |place| shows(seen, place.at))
}

/// Where the names of places stand on a sheet of large numbers: beside their hexes, between the
/// numbers of two rows, off counters and the houses of other places.
fn free_names(
    map: &MapSection,
    hexes: &HexSection,
    seen: &[At; 2],
    places: &[&HexPlace],
) -> Vec<Rect> {
    let flat = hexes.flat;
    let number = number_size(map, flat, seen[1]);
    // The middle of what the numbers above and below leave free.
    let middle = |at: At| {
        let [x, y] = centre(flat, at);
        [x, y + 5]
    };
    let numbers = hexes.labels.iter().filter(|(at, _)| shows(seen, *at));
    let numbers = numbers.map(|(at, _)| (number_place(centre(flat, *at), number), KEEP));
    let stacks = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| hexes.spots.get(stack.space))
        .filter(|at| shows(seen, **at))
        .map(|at| (tile_place(centre(flat, *at), true), COUNTER));
    let houses = places.iter().map(|place| {
        let [x, y] = middle(place.at);
        (Rect::round(x, y, HALF, HALF), HOUSES)
    });
    let [[x, y], [w, h]] = [corner(flat, seen[0]), extent(flat, seen[1])];
    let board = Board {
        page: Rect { x, y, w, h }.grown(-2),
        fixed: numbers.chain(stacks).chain(houses).collect(),
        spaces: places.iter().map(|place| middle(place.at)).collect(),
        ink: Ink::of(0, 0, &[]),
    };
    let items: Vec<Item> = (places.iter())
        .map(|place| {
            let style = name_style(place.relief, number);
            let wide = metrics::width(&place.name, style.size, style.bold);
            Item {
                at: middle(place.at),
                // With the paper round its letters.
                size: [wide + 4, style.size + 4],
                gap: HALF - 6,
                steps: 4,
                weight: NAME,
                ink: 0,
                shy: true,
            }
        })
        .collect();
    board.place(&items)
}

/// Where the tile of a stack lies round the middle of its hex.
fn tile_place([x, y]: [i64; 2], large: bool) -> Rect {
    let (up, h) = if large { (13, 37) } else { (20, 53) };
    Rect {
        x: x - HALF,
        y: y - up,
        w: 2 * HALF,
        h,
    }
}

/// What the legend explains: the sample's kind and its words.
type LegendEntry = (String, String);

/// What the legend explains: all that is drawn.
fn legend_entries(map: &MapSection, hexes: &HexSection, drawn: &SignSet) -> Vec<LegendEntry> {
    let words = &map.legend;
    let named = |sort: &str, list: &[(String, String)]| -> Vec<LegendEntry> {
        let entries = list.iter();
        entries
            .map(|(it, name)| (format!("{sort} {it}"), name.clone()))
            .collect()
    };
    let sides = map.sides.iter().enumerate();
    let sides = sides.map(|(number, side)| (format!("side {number}"), side.name.clone()));
    let mut all: Vec<LegendEntry> = sides.chain(hexes.legend.iter().cloned()).collect();
    all.extend(named("unit", &words.symbols));
    for (kind, words) in [
        ("supply", &words.supply),
        ("leader", &words.leader),
        ("hidden", &words.hidden),
        ("group", &words.group),
        ("unknown", &words.unknown),
        ("star", &words.star),
        ("ghost", &words.ghost),
    ] {
        all.push((kind.to_owned(), words.clone()));
    }
    all.extend(named("sign", &map.signs));
    all.retain(|(kind, words)| drawn.contains(kind) && !words.is_empty());
    all
}

/// The rows of the legend: as many entries in each as fit.
fn legend_rows(
    map: &MapSection,
    hexes: &HexSection,
    drawn: &SignSet,
    width: i64,
) -> Vec<Vec<LegendEntry>> {
    let all = legend_entries(map, hexes, drawn);
    let (mut rows, mut used) = (vec![Vec::new()], 0);
    let lines = all.into_iter().flat_map(|entry| entry_lines(entry, width));
    for entry in lines {
        let wide = entry_width(&entry.1);
        if used > 0 && used + wide > width {
            rows.push(Vec::new());
            used = 0;
        }
        used += wide;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

/// An entry in lines that fit; those below the first one have no sample.
fn entry_lines((kind, words): LegendEntry, width: i64) -> Vec<LegendEntry> {
    let mut lines = vec![(kind, String::new())];
    for word in words.split(' ') {
        let Some((_, line)) = lines.last_mut() else {
            continue;
        };
        if !line.is_empty() && entry_width(&format!("{line} {word}")) > width {
            lines.push((String::new(), word.to_owned()));
        } else {
            let space = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{space}{word}"));
        }
    }
    lines
}

fn entry_width(words: &str) -> i64 {
    SAMPLE + metrics::width(words, 17, false) + 22
}

/// A sample with its words; the corner is the top left one.
fn sample(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2], (kind, words): &LegendEntry) {
    let middle = [x + SAMPLE / 2 - 4, y + 11];
    let side = kind
        .strip_prefix("side ")
        .and_then(|number| number.parse().ok());
    match side.and_then(|number: usize| map.sides.get(number)) {
        Some(side) => {
            let paint = format!(r#"fill="{}" stroke="{INK}""#, colour(&side.colour));
            svg.rect([middle[0] - 15, middle[1] - 10], [30, 20], 3, &paint);
        }
        None if kind.is_empty() => {}
        None => symbols::sample(svg, middle, kind),
    }
    let style = Style {
        size: 17,
        ..Style::default()
    };
    svg.text([x + SAMPLE, y + 17], words, style);
}

#[cfg(test)]
mod tests {
    use super::{
        super::{HexCrossing, HexLine},
        *,
    };

    #[test]
    fn a_map_that_is_drawn_whole_has_no_overview() {
        let section = |window| HexSection {
            size: [5, 9],
            windows: vec![[[0, 0], window]],
            ..HexSection::default()
        };
        let drawn = |window| svg(&MapSection::default(), &section(window));
        assert!(!drawn([5, 9]).contains(r#"id="whole""#));
        assert!(drawn([5, 7]).contains(r#"id="whole""#));
    }

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

    #[test]
    fn a_lying_map_has_its_title_beside_it() {
        assert!(leaves_a_column([4200, 3150]));
        // Too long for it, standing, or no larger than in a letter.
        for size in [[4200, 2000], [3000, 4000], [1100, 900]] {
            assert!(!leaves_a_column(size), "{size:?}");
        }
    }

    #[test]
    fn a_legend_has_what_is_on_the_sheet_and_nothing_else() {
        let line = |stroke, line: i64| HexLine {
            name: String::new(),
            stroke,
            sides: vec![[[line, 0], [line, 2]]],
        };
        let crossing = |stroke, line: i64| HexCrossing {
            stroke,
            side: [[line, 0], [line, 2]],
        };
        let named = ["wood", "wet", "river", "slope", "ford", "bridge", "road"];
        let section = HexSection {
            size: [30, 9],
            alone: true,
            windows: vec![[[0, 0], [6, 9]]],
            terrain: vec![(Relief::Wood, vec![[2, 2]]), (Relief::Wet, vec![[20, 2]])],
            lines: vec![line(Stroke::River, 3), line(Stroke::Slope, 20)],
            crossings: vec![crossing(Stroke::Ford, 3), crossing(Stroke::Bridge, 20)],
            roads: vec![vec![[19, 3], [20, 4]]],
            legend: named
                .map(|kind| (kind.to_owned(), kind.to_owned()))
                .to_vec(),
            ..HexSection::default()
        };
        let svg = svg(&MapSection::default(), &section);
        for kind in named {
            let is_here = ["wood", "river", "ford"].contains(&kind);
            assert_eq!(svg.contains(&format!(">{kind}<")), is_here, "{kind}");
        }
    }
}
