//! The picture of a hex map: title, the window in detail, legend, the whole map.

use super::{
    super::{
        MapSection, frame, metrics,
        place::Rect,
        svg::{INK, PAPER, Style, Svg, colour, line_colour},
    },
    At, HALF, HexSection, STEP, centre, overview, rim, shows,
    symbols::{
        self, ROAD, bridge, crossing, ground, name_style, outline, pen, road, sides, stack, tint,
    },
};
use crate::{
    game::{Relief, hex::Stroke},
    mail::Screen,
};

/// Space round everything.
const EDGE: i64 = 20;
/// The width of the widest sheet in a letter.
const FULL: i64 = 1100;
/// Height of the title.
const TITLE: i64 = 92;
/// Height of the line that names a sheet.
const HEAD: i64 = 42;
/// Height of a line of the legend, width of a sample.
const ROW: i64 = 34;
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
    let legend = legend_rows(map, hexes, width / larger);
    let legend_height = larger * (i64::try_from(legend.len()).unwrap_or(0) * ROW + ROW / 2);
    let frames = if is_part { 2 } else { 1 };
    let top = TITLE * larger;
    let height = top + details + legend_height + low + frames * EDGE;
    let mut svg = Svg::new(width + 2 * EDGE, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width + 2 * EDGE, height], 0, &paper);
    svg.open(&format!(r#"transform="scale({larger})""#));
    title(&mut svg, map);
    svg.close();
    let mut y = top;
    for (number, (seen, size)) in hexes.windows.iter().zip(sizes).enumerate() {
        if is_part {
            let name = sheet_name(hexes, seen);
            head_of(&mut svg, [EDGE, y], &letter(number), &name, width);
        }
        y += head;
        detail(&mut svg, map, hexes, (number, seen), [EDGE, y]);
        y += size[1] + EDGE;
    }
    let below = y + larger * ROW / 2;
    legend_at(&mut svg, map, &legend, [EDGE, below], larger);
    let top = y + legend_height;
    if is_part {
        framed(&mut svg, "whole", [EDGE, top], [width, low], |svg| {
            overview::draw(svg, map, hexes, [width, whole[0]]);
        });
    }
    frame::border(&mut svg, [width + 2 * EDGE, height]);
    svg.finish()
}

/// One sheet as SVG, with its letter and name above it.
pub(in crate::dispatch::map) fn sheet_svg(
    map: &MapSection,
    hexes: &HexSection,
    number: usize,
    seen: &[At; 2],
) -> String {
    let [width, height] = drawn_size(hexes.flat, seen);
    // A telephone shows it at two thirds, with three points of the file for two.
    let mut svg = Svg::new(width, height);
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [width, height], 0, &paper);
    let name = sheet_name(hexes, seen);
    head_of(&mut svg, [1, 4], &letter(number), &name, width);
    detail(&mut svg, map, hexes, (number, seen), [1, HEAD]);
    svg.finish()
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

/// The whole map from afar as SVG, with title and legend.
pub(in crate::dispatch::map) fn overview_svg(map: &MapSection, hexes: &HexSection) -> String {
    let whole = extent(hexes.flat, hexes.size);
    let (wide, edge) = match map.screen {
        Screen::Wide => (map.screen.width(), EDGE),
        Screen::Phone => (map.screen.width(), 2),
    };
    let inner = wide - 2 * edge;
    let low = whole[1] * inner / whole[0].max(1);
    let legend = legend_rows(map, hexes, inner);
    let rows = i64::try_from(legend.len()).unwrap_or(0);
    let top = TITLE + low + ROW / 2;
    let height = top + rows * ROW + EDGE;
    let mut svg = match map.screen {
        Screen::Wide => Svg::new(wide, height),
        Screen::Phone => Svg::sized([wide * 3 / 2, height * 3 / 2], [wide, height]),
    };
    let paper = format!(r#"fill="{PAPER}""#);
    svg.rect([0, 0], [wide, height], 0, &paper);
    title(&mut svg, map);
    framed(&mut svg, "whole", [edge, TITLE], [inner, low], |svg| {
        overview::draw(svg, map, hexes, [inner, whole[0]]);
    });
    legend_at(&mut svg, map, &legend, [edge, top], 1);
    if map.screen.is_wide() {
        frame::border(&mut svg, [wide, height]);
    }
    svg.finish()
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
    times: i64,
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

/// The line above a sheet: its letter on a plate, and its name, no wider than the sheet.
pub(in crate::dispatch::map) fn head_of(
    svg: &mut Svg,
    [x, y]: [i64; 2],
    letter: &str,
    name: &str,
    wide: i64,
) {
    svg.rect([x, y], [34, 34], 0, r##"fill="#b01818""##);
    let style = Style {
        size: 24,
        bold: true,
        ..Style::default()
    };
    let plate = Style {
        fill: "#ffffff",
        anchor: "middle",
        ..style
    };
    svg.text([x + 17, y + 26], letter, plate);
    let mut sizes = (17..=24).rev();
    let fits = |size: &i64| metrics::width(name, *size, true) <= wide - 52;
    let size = sizes.find(fits).unwrap_or(17);
    svg.text([x + 46, y + 26], name, Style { size, ..style });
}

/// What a sheet is called: towns on it, else villages, and its first and last hex.
pub(in crate::dispatch::map) fn sheet_name(hexes: &HexSection, window: &[At; 2]) -> String {
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
    let ends = ends.join(" \u{2013} ");
    match places.as_slice() {
        [] => ends,
        places => format!("{} \u{b7} {ends}", places.join(", ")),
    }
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

fn title(svg: &mut Svg, map: &MapSection) {
    let (sizes, x) = match map.screen {
        Screen::Wide => ([32, 20], EDGE + 8),
        Screen::Phone => ([20, 13], 4),
    };
    let big = Style {
        size: sizes[0],
        bold: true,
        ..Style::default()
    };
    svg.text([x, 50], &map.title, big);
    let small = Style {
        size: sizes[1],
        ..Style::default()
    };
    let parts = [map.subtitle.as_str(), &map.viewer];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let line = parts.join(" \u{b7} ");
    svg.text([x, 78], &line, small);
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
    for (relief, all) in &hexes.terrain {
        let hexes: Vec<&At> = all.iter().filter(|at| inside(at)).collect();
        let d: String = hexes.iter().map(|at| outline(flat, **at)).collect();
        svg.path(&d, &format!(r#"fill="{}""#, tint(*relief)));
        if !built(*relief) {
            hexes.iter().for_each(|at| ground(svg, flat, *relief, **at));
        }
    }
    let labels = || hexes.labels.iter().filter(|(at, _)| shows(seen, *at));
    let grid: String = labels().map(|(at, _)| outline(flat, *at)).collect();
    svg.path(&grid, r##"fill="none" stroke="#b9a981" stroke-width="1""##);
    for wanted in [Stroke::Slope, Stroke::Stream, Stroke::River] {
        for line in hexes.lines.iter().filter(|line| line.stroke == wanted) {
            if let Some(pen) = pen(line.stroke) {
                svg.path(&sides(flat, line.sides.iter().filter(ends_inside)), &pen);
            }
        }
    }
    roads(svg, hexes, &inside);
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
    for (relief, all) in hexes.terrain.iter().filter(|(relief, _)| built(*relief)) {
        for at in all.iter().filter(|at| inside(at)) {
            ground(svg, flat, *relief, *at);
        }
    }
    radii(svg, map, hexes);
    // Numbers grow with a sheet that is made smaller for paper, or for a small screen.
    let least = match map.screen {
        Screen::Wide => 12,
        Screen::Phone => 17,
    };
    let number = (12 * extent(flat, size)[0] / FULL).clamp(least, 20);
    let label = Style {
        size: number,
        fill: "#5c4a2e",
        anchor: "middle",
        ..Style::default()
    };
    let tiles: Vec<Rect> = (map.ghosts.iter().chain(&map.stacks))
        .filter_map(|stack| hexes.spots.get(stack.space))
        .filter(|at| shows(seen, **at))
        .map(|at| tile_place(centre(flat, *at)))
        .collect();
    let half = metrics::width("0000", number, false) / 2;
    let (near, free): (Vec<_>, Vec<_>) = labels().partition(|(at, _)| {
        let [x, y] = centre(flat, *at);
        let place = Rect::round(x, y - HALF + number / 2, 2 * half, number);
        tiles.iter().any(|tile| tile.shared(&place) > 0)
    });
    let write = |svg: &mut Svg, labels: &[&(At, String)], style: Style<'_>| {
        for (at, text) in labels {
            let [x, y] = centre(flat, *at);
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
            stack(svg, map, one, centre(flat, *at));
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
    names(svg, map, hexes, seen, &inside);
}

/// Houses stand beside roads, not under them.
fn built(relief: Relief) -> bool {
    matches!(relief, Relief::Village | Relief::City)
}

fn roads(svg: &mut Svg, hexes: &HexSection, inside: &impl Fn(&At) -> bool) {
    let roads = hexes.roads.iter();
    let d: String = roads.map(|all| road(hexes.flat, all, inside)).collect();
    let paint = format!(r#"fill="none" stroke="{ROAD}" stroke-width="5" stroke-linecap="round""#);
    svg.path(&d, &paint);
}

/// The hexes that commanders reach over open ground, with a line round them.
fn radii(svg: &mut Svg, map: &MapSection, hexes: &HexSection) {
    for radius in &hexes.radii {
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
        .map(|at| tile_place(centre(hexes.flat, *at)))
        .collect();
    let [[left, top], [wide, high]] = [corner(hexes.flat, seen[0]), extent(hexes.flat, seen[1])];
    for place in (hexes.places.iter()).filter(|place| shows(seen, place.at)) {
        let style = name_style(place.relief);
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

/// Where the tile of a stack lies round the middle of its hex.
fn tile_place([x, y]: [i64; 2]) -> Rect {
    Rect {
        x: x - HALF,
        y: y - 20,
        w: 2 * HALF,
        h: 53,
    }
}

/// What the legend explains: the sample's kind and its words.
type LegendEntry = (String, String);

/// The rows of the legend: as many entries as fit.
fn legend_rows(map: &MapSection, hexes: &HexSection, width: i64) -> Vec<Vec<LegendEntry>> {
    let words = &map.legend;
    let counters = map
        .symbols_shown()
        .map(|(symbol, name)| (format!("unit {symbol}"), name.clone()));
    let signs = map
        .signs_shown()
        .map(|(sign, name)| (format!("sign {sign}"), name.clone()));
    let sides = map.sides.iter().enumerate();
    let sides = sides.map(|(number, side)| (format!("side {number}"), side.name.clone()));
    let mut all: Vec<LegendEntry> = sides.chain(hexes.legend.iter().cloned()).collect();
    all.retain(|(kind, _)| kind != "radius" || !hexes.radii.is_empty());
    all.extend(counters);
    if map.has_leaders() {
        all.push(("leader".to_owned(), words.leader.clone()));
    }
    all.extend(signs);
    if map.has_hidden() && !words.hidden.is_empty() {
        all.push(("unit hidden".to_owned(), words.hidden.clone()));
    }
    if !map.ghosts.is_empty() {
        all.push(("ghost".to_owned(), words.ghost.clone()));
    }
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
    use super::*;

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
}
