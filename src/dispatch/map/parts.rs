//! Maps of points and of areas in a letter: parts of the picture, as wide as they are read, and the
//! whole from afar.
//!
//! The picture is laid out once; a part is a window into it. What its edge would cut is left out.

use super::{
    MapSection, MapStack,
    areas::{self, AreaSection},
    entries::{self, LegendSample},
    frame::{self, NOBODYS},
    ground, groups,
    hexes::{Interest, best, framed, head_of, letter},
    land,
    layout::Layout,
    metrics,
    place::Rect,
    relief::Heights,
    svg::{INK, PAPER, Style, Svg, colour},
    things,
};
use crate::{dispatch::Relief, mail::Screen};

/// Free ground round what a part is made for, and the least height of a part.
const ROUND: i64 = 90;
const LEAST: i64 = 420;
/// How far from the edge of a part a stack is not cut.
const CLEAR: i64 = 50;
/// Sides that are no further apart look at each other.
const FACING: i64 = 260;
/// Height of the line that names a part.
const HEAD: i64 = 42;
/// Height of a line of the overview's legend.
const ROW: i64 = 30;

/// A window into the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The sheet: there is one, or those of a map of areas.
    sheet: usize,
    seen: Rect,
}

/// The sheets of the picture.
fn sheets(map: &MapSection) -> Vec<&MapSection> {
    match &map.areas {
        Some(areas) => areas.sheets.iter().map(|sheet| &sheet.map).collect(),
        None => vec![map],
    }
}

/// The largest part that a screen shows, a little smaller than the picture has it.
fn largest(screen: Screen) -> [i64; 2] {
    match screen {
        Screen::Wide => [800, 700],
        Screen::Phone => [400, 560],
    }
}

/// How much of the picture the parts of one letter show together, so that a mail stays below
/// 250 KB. The stacks beyond stand in the overview with their strength, and in the tables.
fn in_letter(screen: Screen) -> i64 {
    match screen {
        Screen::Wide => 1_000_000,
        Screen::Phone => 680_000,
    }
}

/// The parts that show all stacks, the weightiest first; none if the picture is no larger than one.
pub(super) fn parts(map: &MapSection) -> Vec<Part> {
    let size = largest(map.screen);
    let mut found: Vec<(i64, Part)> = Vec::new();
    for (number, sheet) in sheets(map).into_iter().enumerate() {
        if sheet.width <= size[0] {
            continue;
        }
        let mut left = interests(sheet);
        while !left.is_empty() {
            let whole = [sheet.height, sheet.width];
            let inner = [size[1] - 2 * ROUND, size[0] - 2 * ROUND];
            let [from, extent] = best(whole, inner, &left);
            let near = Rect {
                x: from[1],
                y: from[0],
                w: extent[1],
                h: extent[0],
            };
            let seen: Vec<_> = left
                .iter()
                .filter(|it| stands(it, &near))
                .copied()
                .collect();
            // A best window holds something, or this would not end.
            if seen.is_empty() {
                break;
            }
            let part = Part {
                sheet: number,
                seen: round(&seen, whole, size),
            };
            // What the whole part shows needs no other one.
            let shown = part.seen.grown(-CLEAR);
            let (seen, rest): (Vec<_>, Vec<_>) =
                (left.into_iter()).partition(|it| stands(it, &near) || stands(it, &shown));
            left = rest;
            let weight = seen.iter().map(|it| it.weight).sum();
            found.push((weight, part));
        }
    }
    found.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let mut left = in_letter(map.screen);
    let parts = found.into_iter().map(|(_, part)| part);
    let fitting = parts.enumerate().take_while(|(number, part)| {
        left -= part.seen.w * part.seen.h;
        *number == 0 || left >= 0
    });
    fitting.map(|(_, part)| part).collect()
}

/// Returns true if a place has what is of interest.
fn stands(it: &Interest, place: &Rect) -> bool {
    place.shared(&Rect::round(it.at[1], it.at[0], 2, 2)) == 4
}

/// The window of a screen's width round what it is for, on the sheet.
fn round(seen: &[Interest], [high, wide]: [i64; 2], [most, tall]: [i64; 2]) -> Rect {
    let ends = |axis: usize| {
        let all = seen.iter().map(|it| it.at[axis]);
        let (low, high) = (all.clone().min(), all.max());
        [low.unwrap_or_default(), high.unwrap_or_default()]
    };
    let ([top, low], [left, right]) = (ends(0), ends(1));
    let h = (low - top + 2 * ROUND)
        .clamp(LEAST.min(tall), tall)
        .min(high);
    let w = most.min(wide);
    Rect {
        x: ((left + right - w) / 2).clamp(0, wide - w),
        y: ((top + low - h) / 2).clamp(0, high - h),
        w,
        h,
    }
}

/// Where stacks are, those that look at an enemy before others.
fn interests(sheet: &MapSection) -> Vec<Interest> {
    let stacks = || sheet.stacks.iter().chain(&sheet.ghosts);
    let at = |stack: &MapStack| {
        sheet
            .spaces
            .get(stack.space)
            .map(|space| [space.y, space.x])
    };
    let faces = |stack: &MapStack, here: [i64; 2]| {
        let others = sheet.stacks.iter().filter(|it| it.side != stack.side);
        others
            .filter_map(at)
            .any(|there| (0..2).all(|axis: usize| (here[axis] - there[axis]).abs() <= FACING))
    };
    let found = stacks().filter_map(|stack| {
        let at = at(stack)?;
        let weight = if stack.turn.is_some() {
            1
        } else if faces(stack, at) {
            6
        } else {
            2
        };
        Some(Interest { at, weight })
    });
    found.collect()
}

/// The stacks on a part, or on all of the map, with the names of their spaces.
pub(super) fn stacks_of(map: &MapSection, part: Option<usize>) -> Vec<(&MapStack, String)> {
    let part = part.and_then(|number| parts(map).into_iter().nth(number));
    let mut found = Vec::new();
    for (number, sheet) in sheets(map).into_iter().enumerate() {
        for stack in sheet.stacks.iter().chain(&sheet.ghosts) {
            let Some(space) = sheet.spaces.get(stack.space) else {
                continue;
            };
            let point = Rect::round(space.x, space.y, 2, 2);
            let shown =
                part.is_none_or(|part| part.sheet == number && part.seen.shared(&point) == 4);
            if shown {
                found.push((stack, space.name.clone()));
            }
        }
    }
    found
}

/// What a part is called: towns on it, else where stacks are.
pub(super) fn name(map: &MapSection, part: &Part) -> String {
    let sheets = sheets(map);
    let Some(sheet) = sheets.get(part.sheet) else {
        return String::new();
    };
    let busy = |number: usize| sheet.stacks.iter().any(|stack| stack.space == number);
    let within = sheet.spaces.iter().enumerate().filter(|(_, space)| {
        let point = Rect::round(space.x, space.y, 2, 2);
        part.seen.shared(&point) == 4
    });
    let within: Vec<_> = within.collect();
    let towns = within
        .iter()
        .filter(|(_, space)| space.relief == Relief::City);
    let others = within
        .iter()
        .filter(|(number, space)| space.relief != Relief::City && busy(*number));
    let names = towns.chain(others).map(|(_, space)| space.name.as_str());
    let names = names.filter(|name| !name.is_empty()).take(3);
    names.collect::<Vec<_>>().join(", ")
}

/// A part as SVG, with its letter and name above it.
pub(super) fn part_svg(map: &MapSection, number: usize, part: &Part) -> String {
    let Rect { x, y, w, h } = part.seen;
    let whole = [w + 2, HEAD + h + 1];
    let wide = match map.screen {
        Screen::Wide => map.screen.width(),
        // Three points of the file for two on the screen.
        Screen::Phone => map.screen.width() * 3 / 2,
    };
    let mut svg = Svg::sized([wide, whole[1] * wide / whole[0]], whole);
    svg.rect([0, 0], whole, 0, &format!(r#"fill="{PAPER}""#));
    head_of(&mut svg, [1, 4], &letter(number), &name(map, part), w);
    framed(&mut svg, "part", [1, HEAD], [w, h], |svg| {
        svg.open(&format!(r#"transform="translate({} {})""#, -x, -y));
        match &map.areas {
            Some(areas) => areas::part(svg, areas, part.sheet, &part.seen),
            None => {
                let layout = Layout::alone(map);
                ground(svg, map, &layout);
                things(svg, map, &layout, Some(&part.seen));
            }
        }
        svg.close();
    });
    svg.finish()
}

/// How large a part of the first sheet that another sheet shows is in the picture of that sheet.
fn in_first(areas: &AreaSection, sheet: usize, [x, y]: [i64; 2]) -> Option<[i64; 2]> {
    let (first, drawn) = (areas.sheets.first()?, areas.sheets.get(sheet)?);
    if sheet == 0 {
        return Some([x, y]);
    }
    let [left, top, wide, high] = first.elsewhere?;
    let [across, down] = [drawn.map.width.max(1), drawn.map.height.max(1)];
    Some([left + x * wide / across, top + y * high / down])
}

/// The whole from afar as SVG: ground, towns, the strength of each group, which part is where.
pub(super) fn overview_svg(map: &MapSection, parts: &[Part]) -> String {
    let wide = map.screen.width();
    let sheets = sheets(map);
    let first = sheets.first().copied().unwrap_or(map);
    let low = first.height * wide / first.width.max(1);
    let legend = entries::entries(map);
    let rows = rows(&legend, wide - 16);
    let top = 62;
    let high = top + low + 12 + ROW * i64::try_from(rows.len()).unwrap_or(0) + 44;
    let mut svg = match map.screen {
        Screen::Wide => Svg::new(wide, high),
        Screen::Phone => Svg::sized([wide * 3 / 2, high * 3 / 2], [wide, high]),
    };
    svg.rect([0, 0], [wide, high], 0, &format!(r#"fill="{PAPER}""#));
    title(&mut svg, map);
    framed(&mut svg, "whole", [0, top], [wide, low], |svg| {
        // Scales are written in thousandths: whole numbers make the same bytes on every machine.
        svg.open(&format!(
            r#"transform="scale(0.{:03})""#,
            wide * 1000 / first.width.max(1)
        ));
        match &map.areas {
            Some(areas) => areas::ground_of(svg, areas),
            None => land(svg, map, Heights::of(map).as_ref()),
        }
        svg.close();
        above(svg, map, parts, [wide, first.width.max(1)]);
    });
    let mut y = top + low + 12;
    for row in &rows {
        let mut x = 8;
        for entry in row {
            entry.draw(&mut svg, map, [x, y]);
            x += entry.width();
        }
        y += ROW;
    }
    entries::scale(&mut svg, map, [46, y + 24], [wide, first.width.max(1)]);
    entries::north(&mut svg, [18, y + 26]);
    svg.finish()
}

/// Entries of the legend in rows.
fn rows<'l>(entries: &'l [LegendSample<'l>], wide: i64) -> Vec<Vec<&'l LegendSample<'l>>> {
    let (mut rows, mut used) = (vec![Vec::new()], 0);
    for entry in entries {
        if used > 0 && used + entry.width() > wide {
            rows.push(Vec::new());
            used = 0;
        }
        used += entry.width();
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}

fn title(svg: &mut Svg, map: &MapSection) {
    let big = frame::fitted(&map.title, [22, map.screen.width() - 16], true);
    svg.text([8, 28], &map.title, big);
    let small = Style {
        size: 13,
        ..Style::default()
    };
    let words = [map.subtitle.as_str(), &map.viewer];
    let words: Vec<_> = words
        .into_iter()
        .filter(|words| !words.is_empty())
        .collect();
    svg.text([8, 50], &words.join(" \u{b7} "), small);
}

/// Frames, plates and names, in points of the screen.
fn above(svg: &mut Svg, map: &MapSection, parts: &[Part], [wide, whole]: [i64; 2]) {
    let first = |sheet: usize, at: [i64; 2]| match &map.areas {
        Some(areas) => in_first(areas, sheet, at),
        None => Some(at),
    };
    let small =
        |sheet: usize, at: [i64; 2]| first(sheet, at).map(|at| at.map(|it| it * wide / whole));
    let sheets = sheets(map);
    let mut taken = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let Rect { x, y, w, h } = part.seen;
        let ends = small(part.sheet, [x, y]).zip(small(part.sheet, [x + w, y + h]));
        let Some(([x, y], [right, low])) = ends else {
            continue;
        };
        let paint = r##"fill="none" stroke="#b01818" stroke-width="2""##;
        svg.rect([x, y], [right - x, low - y], 0, paint);
        // Above the frame, where it hides no plate; inside at the upper edge of the map.
        let y = if y < 20 { y } else { y - 20 };
        svg.rect([x, y], [20, 20], 0, r##"fill="#b01818""##);
        let style = Style {
            size: 16,
            bold: true,
            fill: "#ffffff",
            anchor: "middle",
            ..Style::default()
        };
        svg.text([x + 10, y + 16], &letter(number), style);
        taken.push(Rect { x, y, w: 20, h: 20 });
    }
    for (number, sheet) in sheets.iter().enumerate() {
        let at = |stack: &MapStack| {
            let space = sheet.spaces.get(stack.space)?;
            small(number, [space.x, space.y])
        };
        taken.extend(groups::draw(svg, sheet, at, [30, 14]));
    }
    for (number, sheet) in sheets.iter().enumerate() {
        for space in sheet
            .spaces
            .iter()
            .filter(|space| space.relief == Relief::City)
        {
            let Some([x, y]) = small(number, [space.x, space.y]) else {
                continue;
            };
            let held = space.control.and_then(|side| map.sides.get(side));
            let fill = held.map_or(NOBODYS, |side| colour(&side.colour));
            if taken
                .iter()
                .all(|it| it.shared(&Rect::round(x, y, 4, 4)) == 0)
            {
                let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
                svg.rect([x - 4, y - 4], [8, 8], 0, &paint);
            }
            town(svg, &mut taken, &space.name, [x, y], wide);
        }
    }
}

/// Writes the name of a town where it hides least, or not at all where it could not be read: its
/// part and the tables have it.
fn town(svg: &mut Svg, taken: &mut Vec<Rect>, name: &str, [x, y]: [i64; 2], wide: i64) {
    let style = Style {
        size: 13,
        bold: true,
        anchor: "middle",
        halo: true,
        ..Style::default()
    };
    let long = metrics::width(name, style.size, true) + 4;
    let spots = [
        [0, 15],
        [0, -15],
        [long / 2 + 10, 0],
        [-long / 2 - 10, 0],
        [0, 30],
        [0, -30],
    ];
    let places = spots.map(|[dx, dy]| {
        let middle = (x + dx).clamp(long / 2, (wide - long / 2).max(long / 2));
        Rect::round(middle, y + dy, long, 15)
    });
    let hidden = |place: &&Rect| -> i64 { taken.iter().map(|it| it.shared(place)).sum() };
    let place = places.iter().min_by_key(hidden).copied();
    if let Some(place) = place.filter(|place| hidden(&place) * 8 <= place.w * place.h) {
        svg.text([place.x + long / 2, place.y + 12], name, style);
        taken.push(place);
    }
}
