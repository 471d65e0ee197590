//! Title and legend of a map of areas, in a column beside the sheets.

use super::{AreaSection, AreaSheet, AreaSign, signs};
use crate::dispatch::{
    build::Builder,
    map::{
        MapSection, frame,
        place::Rect,
        svg::{INK, Style, Svg, colour, contrast},
    },
};

/// Height of a line.
const ROW: i64 = 25;
/// Room between title and legend.
const GAP: i64 = 14;

/// What the signs of sheets mean, each sort once.
pub(super) fn signs(builder: &Builder<'_>, sheets: &[AreaSheet]) -> Vec<(AreaSign, String)> {
    let all = || sheets.iter().flat_map(|sheet| sheet.signs.iter().flatten());
    let sort = |sign: &AreaSign| match sign {
        AreaSign::Fort(..) => "fort",
        AreaSign::Works(_, false) => "works",
        AreaSign::Works(_, true) => "works_strong",
        AreaSign::Points(..) => "points",
        AreaSign::Town => "town",
        AreaSign::Depot => "depot",
        AreaSign::Stretch(_) => "stretch",
    };
    let mut found: Vec<(&str, AreaSign)> = Vec::new();
    for sign in all() {
        if found.iter().all(|(known, _)| *known != sort(sign)) {
            found.push((sort(sign), sign.clone()));
        }
    }
    found.sort_by_key(|(sort, _)| *sort);
    let words = found.into_iter();
    words
        .map(|(sort, sign)| (sign, builder.words.legend(sort)))
        .collect()
}

/// Rows of sides and of signs, before those that all maps have.
fn rows(map: &MapSection, areas: &AreaSection) -> i64 {
    let count = map.sides.len() + areas.fills.len() + areas.signs.len();
    i64::try_from(count).unwrap_or(0)
}

/// How high the column is.
pub(super) fn height(map: &MapSection, areas: &AreaSection) -> i64 {
    let [_, title] = frame::title_size(map);
    title + GAP + 50 + rows(map, areas) * ROW + frame::counters_height(map) + 60
}

/// Draws title and legend.
pub(super) fn column(svg: &mut Svg, map: &MapSection, areas: &AreaSection) {
    let [x, y, w] = areas.column;
    let [_, title] = frame::title_size(map);
    self::title(svg, map, Rect { x, y, w, h: title });
    let top = y + title + GAP;
    let h = height(map, areas) - title - GAP;
    frame::cartouche(svg, Rect { x, y: top, w, h });
    let style = Style {
        size: 20,
        bold: true,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([x + w / 2, top + 34], &map.legend.heading, style);
    let mut middle = top + 50 + ROW / 2;
    let mut row = |svg: &mut Svg, words: &str, draw: &dyn Fn(&mut Svg, [i64; 2])| {
        draw(svg, [x + 38, middle]);
        svg.text(
            [x + 72, middle + 6],
            words,
            frame::fitted(words, [16, w - 92], false),
        );
        middle += ROW;
    };
    for side in &map.sides {
        row(svg, &side.name, &|svg, [x, y]| {
            let fill = colour(&side.colour);
            let paint = format!(r#"fill="{fill}" stroke="{INK}""#);
            svg.rect([x - 18, y - 10], [36, 20], 3, &paint);
            let style = Style {
                size: 14,
                bold: true,
                anchor: "middle",
                fill: contrast(fill),
                ..Style::default()
            };
            svg.text([x, y + 5], &side.sign, style);
        });
    }
    for (fill, words) in &areas.fills {
        row(svg, words, &|svg, [x, y]| {
            let paint = format!(r#"fill="{}" stroke="{INK}""#, colour(fill));
            svg.rect([x - 18, y - 10], [36, 20], 0, &paint);
        });
    }
    for (sign, words) in &areas.signs {
        row(svg, words, &|svg, at| signs::one(svg, &map.sides, at, sign));
    }
    let low = frame::counters(svg, map, [x, middle - ROW / 2], w);
    scale(svg, map, [x + 30, low + 30], w - 90);
}

/// The title, as large as the column lets it be.
fn title(svg: &mut Svg, map: &MapSection, place: Rect) {
    frame::cartouche(svg, place);
    let rows = [
        (&map.title, 32, 44, true),
        (&map.subtitle, 22, 75, false),
        (&map.viewer, 16, 101, false),
    ];
    for (text, size, down, bold) in rows {
        let style = Style {
            anchor: "middle",
            ..frame::fitted(text, [size, place.w - 28], bold)
        };
        svg.text([place.x + place.w / 2, place.y + down], text, style);
    }
}

/// A scale of two steps of round kilometres.
fn scale(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2], room: i64) {
    let steps = [100, 50, 20, 10, 5, 2, 1];
    let fits = |step: &&i64| 2 * *step * map.ten_km / 10 <= room;
    let step = steps.iter().find(fits).copied().unwrap_or(1);
    let long = step * map.ten_km / 10;
    for part in 0..2 {
        let fill = if part == 0 { INK } else { "#ffffff" };
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        svg.rect([x + part * long, y], [long, 8], 0, &paint);
    }
    frame::kilometres(svg, map, [x, y], [long, step]);
}
