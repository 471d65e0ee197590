//! Title and legend of a map of areas, in a column beside the sheets.

use super::{AreaSection, AreaSheet, AreaSign, signs};
use crate::dispatch::{
    build::Builder,
    map::{
        MapSection,
        compass::north,
        entries::scale_bar,
        frame,
        legend::{self, LegendRow},
        place::Rect,
        svg::{INK, SignSet, Style, Svg, colour, contrast},
    },
};
use crate::game::BorderKind;

/// Height of a line.
const ROW: i64 = 22;
/// Room between title and legend.
const GAP: i64 = 14;

/// The signs of sheets for the legend, each sort once.
pub(super) fn signs(builder: &Builder<'_>, sheets: &[AreaSheet]) -> Vec<(AreaSign, String)> {
    let all = || sheets.iter().flat_map(|sheet| sheet.signs.iter().flatten());
    let mut found: Vec<(&str, AreaSign)> = Vec::new();
    for sign in all() {
        if found.iter().all(|(known, _)| *known != sign.sort()) {
            found.push((sign.sort(), sign.clone()));
        }
    }
    found.sort_by_key(|(sort, _)| *sort);
    let words = found.into_iter();
    words
        .map(|(sort, sign)| (sign, builder.words.legend(sort)))
        .collect()
}

/// Rows of sides, grounds, signs and borders, before those that all maps have.
fn rows(map: &MapSection, areas: &AreaSection, drawn: &SignSet) -> i64 {
    let count = legend::sides_drawn(map, drawn).count()
        + areas.fills.len()
        + areas.signs_drawn(drawn).count()
        + borders(map, drawn).count();
    i64::try_from(count).unwrap_or(0)
}

/// Borders with lines of their own that are drawn, and the value behind a name.
pub(in crate::dispatch::map) fn borders<'m>(
    map: &'m MapSection,
    drawn: &SignSet,
) -> impl Iterator<Item = LegendRow<'m>> {
    let words = &map.legend;
    let kinds = [
        ("ridge", BorderKind::Ridge, &words.ridge),
        ("cliff", BorderKind::Cliff, &words.cliff),
    ];
    let kinds = kinds
        .into_iter()
        .filter(|(name, _, _)| drawn.contains(*name));
    let borders = kinds.map(|(_, kind, words)| LegendRow::Border(kind, words));
    let has = |what: &str| drawn.contains(what);
    let uphill = has("uphill").then_some(LegendRow::Uphill(&words.uphill));
    let value = has("value").then_some(LegendRow::Value(&words.value));
    borders.chain(uphill).chain(value)
}

/// How high the column is.
pub(super) fn height(map: &MapSection, areas: &AreaSection, drawn: &SignSet) -> i64 {
    let [_, title] = frame::title_size(map);
    title + GAP + 50 + rows(map, areas, drawn) * ROW + legend::counters_height(map, drawn) + 60
}

/// Draws title and legend.
pub(super) fn column(svg: &mut Svg, map: &MapSection, areas: &AreaSection) {
    let drawn = &areas.drawn();
    let [x, y, w] = areas.column;
    let [_, title] = frame::title_size(map);
    self::title(svg, map, Rect { x, y, w, h: title });
    let top = y + title + GAP;
    let h = height(map, areas, drawn) - title - GAP;
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
    for (_, side) in legend::sides_drawn(map, drawn) {
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
    for (sign, words) in areas.signs_drawn(drawn) {
        row(svg, words, &|svg, at| signs::one(svg, &map.sides, at, sign));
    }
    for border in borders(map, drawn) {
        row(svg, border.words(), &|svg, at| border.draw(svg, map, at));
    }
    let low = legend::counters(svg, map, drawn, [x, middle - ROW / 2], w);
    scale_bar(svg, map, [x + 30, low + 30], (map.ten_km, w - 130));
    north(svg, [x + w - 26, low + 32]);
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
