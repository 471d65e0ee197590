//! Maps of points and of areas in a letter: parts of the picture, as wide as they are read, and the
//! whole from afar.
//!
//! The picture is laid out once; a part is a window into it, without the things that its edge would
//! cut.

use super::{
    MapSection, MapSpace, MapStack,
    areas::{self, AreaSection, AreaSign},
    entries::{self, LegendSample},
    frame::NOBODYS,
    ground, groups,
    head::{self, HEAD, SheetHead},
    hexes::{Interest, best, framed, letter},
    land,
    layout::Layout,
    metrics,
    place::Rect,
    relief::Heights,
    svg::{INK, PAPER, SignSet, Style, Svg, colour},
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
            // Everything that the whole part shows needs no other part.
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

/// Returns true if a place contains the point of interest.
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

/// The name of a part: towns in it, else places with stacks.
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

/// A part, with its letter and name above it.
pub(super) fn part_drawn(map: &MapSection, number: usize, part: &Part) -> Svg {
    let Rect { x, y, w, h } = part.seen;
    let whole = [w + 2, HEAD + h + 1];
    let wide = match map.screen {
        Screen::Wide => map.screen.width(),
        // Three points of the file for two on the screen.
        Screen::Phone => map.screen.width() * 3 / 2,
    };
    let mut svg = Svg::sized([wide, whole[1] * wide / whole[0]], whole);
    svg.rect([0, 0], whole, 0, &format!(r#"fill="{PAPER}""#));
    let head = SheetHead {
        letter: &letter(number),
        name: &name(map, part),
        ends: "",
        wide: w,
        ten_km: ten_km(map, part.sheet),
        small: 14,
    };
    head.draw(&mut svg, map, [1, 4]);
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
    svg
}

/// How many points of a sheet are ten kilometres.
fn ten_km(map: &MapSection, sheet: usize) -> i64 {
    let within = map.areas.as_ref().and_then(|areas| {
        let [_, _, wide, _] = areas.sheets.first()?.elsewhere?;
        let larger = areas.sheets.get(sheet)?;
        Some(map.ten_km * larger.map.width / wide.max(1))
    });
    within.filter(|_| sheet > 0).unwrap_or(map.ten_km)
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

/// The whole from afar: ground, towns, the strength of each group, which part is where. The legend
/// below it explains what has been drawn on the sheets too.
pub(super) fn overview_drawn(map: &MapSection, parts: &[Part], on_sheets: &SignSet) -> Svg {
    let wide = map.screen.width();
    let sheets = sheets(map);
    let first = sheets.first().copied().unwrap_or(map);
    let low = first.height * wide / first.width.max(1);
    let top = if map.screen.is_wide() { 56 } else { 62 };
    let mut body = Svg::default();
    framed(&mut body, "whole", [0, top], [wide, low], |svg| {
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
        above(svg, map, parts, ([wide, low], first.width.max(1)));
    });
    let drawn = body.drawn().union(on_sheets).cloned().collect();
    let legend = entries::entries(map, &drawn);
    let rows = rows(&legend, (wide - 8, map.screen));
    let row_high = entries::row_height(map.screen);
    let high = top + low + 8 + row_high * i64::try_from(rows.len()).unwrap_or(0) + 6;
    let mut svg = match map.screen {
        Screen::Wide => Svg::new(wide, high),
        Screen::Phone => Svg::sized([wide * 3 / 2, high * 3 / 2], [wide, high]),
    };
    svg.rect([0, 0], [wide, high], 0, &format!(r#"fill="{PAPER}""#));
    let ten_km = map.ten_km * wide / first.width.max(1);
    head::title(&mut svg, map, [8, 4], ([22, 13], wide - 16), ten_km);
    svg.take(body);
    draw_entries(&mut svg, map, &rows, ([4, top + low + 8], map.screen));
    svg
}

/// Draws rows of a legend below each other from a corner on.
pub(super) fn draw_entries(
    svg: &mut Svg,
    map: &MapSection,
    rows: &[Vec<&LegendSample<'_>>],
    ([left, mut y], screen): ([i64; 2], Screen),
) {
    for row in rows {
        let mut x = left;
        for entry in row {
            entry.draw(svg, map, [x, y]);
            x += entry.width(screen);
        }
        y += entries::row_height(screen);
    }
}

/// Entries of the legend in rows: each row takes the first ones that it still has room for.
pub(super) fn rows<'l>(
    entries: &'l [LegendSample<'l>],
    (wide, screen): (i64, Screen),
) -> Vec<Vec<&'l LegendSample<'l>>> {
    let mut left: Vec<_> = entries.iter().collect();
    let mut rows = Vec::new();
    while !left.is_empty() {
        let mut used = 0;
        let (row, rest) = left.into_iter().partition::<Vec<_>, _>(|entry| {
            let fits = used == 0 || used + entry.width(screen) <= wide;
            used += if fits { entry.width(screen) } else { 0 };
            fits
        });
        rows.push(row);
        left = rest;
    }
    rows
}

/// Frames, plates and names, in points of the screen: so wide and high, of a picture so wide.
fn above(svg: &mut Svg, map: &MapSection, parts: &[Part], ([wide, high], whole): ([i64; 2], i64)) {
    let first = |sheet: usize, at: [i64; 2]| match &map.areas {
        Some(areas) => in_first(areas, sheet, at),
        None => Some(at),
    };
    let small =
        |sheet: usize, at: [i64; 2]| first(sheet, at).map(|at| at.map(|it| it * wide / whole));
    let sheets = sheets(map);
    let page = Rect {
        x: 0,
        y: 0,
        w: wide,
        h: high,
    };
    let mut taken: Vec<Rect> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let Rect { x, y, w, h } = part.seen;
        let ends = small(part.sheet, [x, y]).zip(small(part.sheet, [x + w, y + h]));
        let Some(([x, y], [right, low])) = ends else {
            continue;
        };
        let paint = r##"fill="none" stroke="#b01818" stroke-width="2""##;
        svg.rect([x, y], [right - x, low - y], 0, paint);
        // Above the frame, where it hides no plate; inside at the upper edge of the map; beside
        // that of another frame.
        let corners = [x, right - 20].map(|x| Rect {
            x,
            y: if y < 20 { y } else { y - 20 },
            w: 20,
            h: 20,
        });
        let free = |place: &&Rect| taken.iter().all(|it| it.shared(place) == 0);
        let place = *corners.iter().find(free).unwrap_or(&corners[0]);
        svg.rect([place.x, place.y], [20, 20], 0, r##"fill="#b01818""##);
        let style = Style {
            size: 16,
            bold: true,
            fill: "#ffffff",
            anchor: "middle",
            ..Style::default()
        };
        svg.text([place.x + 10, place.y + 16], &letter(number), style);
        taken.push(place);
    }
    for (number, sheet) in sheets.iter().enumerate() {
        let at = |stack: &MapStack| {
            let space = sheet.spaces.get(stack.space)?;
            small(number, [space.x, space.y])
        };
        taken = groups::draw(svg, sheet, at, (page.grown(-2), taken), [30, 14]);
    }
    let mut places: Vec<(Rank, &MapSpace, [i64; 2])> = Vec::new();
    for (number, sheet) in sheets.iter().enumerate() {
        for (space, rank) in sheet.spaces.iter().zip(ranks(map, number)) {
            if let Some(at) = small(number, [space.x, space.y]).filter(|_| rank != Rank::Nothing) {
                places.push((rank, space, at));
            }
        }
    }
    places.sort_by_key(|(rank, _, _)| *rank);
    for (rank, space, [x, y]) in &places {
        let held = match rank {
            Rank::Fort(holder) => holder.and_then(|side| map.sides.get(side)),
            _ => space.control.and_then(|side| map.sides.get(side)),
        };
        let fill = held.map_or(NOBODYS, |side| colour(&side.colour));
        let place = Rect::round(*x, *y, 8, 8);
        if taken.iter().any(|it| it.shared(&place) > 0) {
            continue;
        }
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        if matches!(rank, Rank::Fort(_)) {
            svg.note("fort");
            svg.path(&format!("M{x} {}l5 5l-5 5l-5 -5z", y - 5), &paint);
        } else {
            svg.note(if map.areas.is_some() {
                "town"
            } else {
                "space city"
            });
            svg.rect([x - 4, y - 4], [8, 8], 0, &paint);
        }
        taken.push(place);
    }
    for (_, space, at) in &places {
        town(svg, &mut taken, &space.name, *at, page);
    }
}

/// The things in a space that are visible from afar, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Town,
    Fort(Option<usize>),
    Nothing,
}

/// The ranks of the spaces of a sheet.
fn ranks(map: &MapSection, sheet: usize) -> Vec<Rank> {
    let Some(areas) = &map.areas else {
        let spaces = map.spaces.iter();
        return spaces
            .map(|space| match space.relief {
                Relief::City => Rank::Town,
                _ => Rank::Nothing,
            })
            .collect();
    };
    let signs = areas
        .sheets
        .get(sheet)
        .map_or(&[][..], |sheet| &sheet.signs);
    let rank = |signs: &Vec<AreaSign>| {
        let ranks = signs.iter().map(|sign| match sign {
            AreaSign::Town => Rank::Town,
            AreaSign::Fort(_, holder) => Rank::Fort(*holder),
            _ => Rank::Nothing,
        });
        ranks.min().unwrap_or(Rank::Nothing)
    };
    signs.iter().map(rank).collect()
}

/// Writes the name of a town where it hides nothing, or not at all: its part and the tables have
/// it.
fn town(svg: &mut Svg, taken: &mut Vec<Rect>, name: &str, [x, y]: [i64; 2], page: Rect) {
    let style = Style {
        size: 13,
        bold: true,
        anchor: "middle",
        halo: true,
        ..Style::default()
    };
    let long = metrics::width(name, style.size, true) + 4;
    let spots = [
        [0, 14],
        [0, -14],
        [long / 2 + 8, 0],
        [-long / 2 - 8, 0],
        [long / 2, 14],
        [-long / 2, 14],
        [long / 2, -14],
        [-long / 2, -14],
        [long / 2 + 18, 0],
        [-long / 2 - 18, 0],
        [0, 22],
        [0, -22],
    ];
    let mut places = (spots.into_iter())
        .map(|[dx, dy]| Rect::round(x + dx, y + dy, long, 15))
        .filter(|place| place.shared(&page) == place.w * place.h);
    let free = |place: &Rect| taken.iter().all(|it| it.shared(place) == 0);
    if let Some(place) = places.find(free) {
        svg.text([place.x + long / 2, place.y + 12], name, style);
        taken.push(place);
    }
}
