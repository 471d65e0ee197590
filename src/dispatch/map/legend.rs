//! The legend of a map of points, with its scale; what all legends explain of counters and sides.

use super::{
    MapSection, MapSide, MapSpace,
    compass::north,
    frame::{border_line, cartouche, fitted, lengths, space},
    groups, metrics,
    place::Rect,
    roads,
    svg::{INK, SignSet, Style, Svg, colour, contrast, line_colour},
    tile::{Tile, sign_box, symbol},
};
use crate::{dispatch::Relief, game::BorderKind};

/// The colour of a space's value.
pub(super) const VALUE: &str = "#7a3a16";

/// How much room the lines of the legend have. A long legend is set tight before the picture is
/// enlarged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spacing {
    /// As much as looks best.
    Wide,
    /// As little as can be read.
    Tight,
}

/// A line of the legend.
pub(super) enum LegendRow<'a> {
    Side(usize, &'a str),
    Space(MapSpace, &'a str),
    Bridge(bool, &'a str),
    Symbol(&'a str, &'a str),
    Tile(Tile, &'a str),
    Group(&'static str, &'a str),
    Ghost(&'a str),
    Border(BorderKind, &'a str),
    Uphill(&'a str),
    Value(&'a str),
    Sign(&'a str, &'a str),
}

impl LegendRow<'_> {
    pub(super) fn words(&self) -> &str {
        match self {
            LegendRow::Side(_, words)
            | LegendRow::Space(_, words)
            | LegendRow::Bridge(_, words) => words,
            LegendRow::Symbol(_, words) | LegendRow::Tile(_, words) | LegendRow::Sign(_, words) => {
                words
            }
            LegendRow::Group(_, words)
            | LegendRow::Border(_, words)
            | LegendRow::Value(words)
            | LegendRow::Uphill(words) => words,
            LegendRow::Ghost(words) => words,
        }
    }

    fn height(&self, spacing: Spacing) -> i64 {
        let wide = match self {
            LegendRow::Tile(..) => 46,
            LegendRow::Space(space, _) if space.siege => 52,
            LegendRow::Space(space, _) if space.relief == Relief::City => 32,
            LegendRow::Ghost(_) => 34,
            LegendRow::Group(..)
            | LegendRow::Border(..)
            | LegendRow::Value(_)
            | LegendRow::Uphill(_) => 26,
            LegendRow::Side(..) | LegendRow::Space(..) | LegendRow::Bridge(..) => 26,
            LegendRow::Symbol(..) | LegendRow::Sign(..) => 22,
        };
        match spacing {
            Spacing::Wide => wide,
            Spacing::Tight => wide - 4,
        }
    }

    pub(super) fn draw(&self, svg: &mut Svg, map: &MapSection, at: [i64; 2]) {
        let side = map.sides.first().map_or(INK, |side| colour(&side.colour));
        match self {
            LegendRow::Side(number, _) => {
                let paint = map
                    .sides
                    .get(*number)
                    .map_or(INK, |side| colour(&side.colour));
                svg.rect(
                    [at[0] - 16, at[1] - 9],
                    [32, 18],
                    3,
                    &format!(r#"fill="{paint}" stroke="{INK}""#),
                );
            }
            LegendRow::Space(shown, _) => {
                space(
                    svg,
                    map,
                    &MapSpace {
                        x: at[0],
                        y: at[1],
                        ..shown.clone()
                    },
                );
            }
            LegendRow::Bridge(broken, _) => {
                for (width, stroke) in [(7, "#8d7350"), (4, "#fffaf0")] {
                    svg.line(
                        [at[0] - 18, at[1]],
                        [at[0] + 18, at[1]],
                        &format!(r#"stroke="{stroke}" stroke-width="{width}""#),
                    );
                }
                roads::bridge(svg, at, [1, 0], *broken);
            }
            LegendRow::Symbol(kind, _) => symbol(svg, [at[0] - 12, at[1] - 7], kind),
            LegendRow::Tile(tile, _) => {
                tile.draw(svg, [at[0] - tile.width() / 2, at[1] - 19], side)
            }
            LegendRow::Ghost(_) => {
                let side = line_colour(side);
                let paint = format!(
                    r##"fill="#fffdf6" stroke="{side}" stroke-width="2.5" stroke-dasharray="5 4""##
                );
                svg.rect([at[0] - 20, at[1] - 14], [40, 28], 5, &paint);
                svg.text(
                    [at[0], at[1] + 6],
                    "T2",
                    Style {
                        size: 16,
                        bold: true,
                        anchor: "middle",
                        ..Style::default()
                    },
                );
            }
            LegendRow::Group(words, _) => {
                let paint = format!(r#"fill="{side}" stroke="{INK}" stroke-width="2""#);
                svg.rect([at[0] - 15, at[1] - 10], [30, 20], 3, &paint);
                let ink = contrast(side);
                if words.is_empty() {
                    groups::star(svg, at, 14, ink);
                }
                let style = Style {
                    size: 15,
                    bold: true,
                    fill: ink,
                    anchor: "middle",
                    ..Style::default()
                };
                svg.text([at[0], at[1] + 6], words, style);
            }
            LegendRow::Uphill(_) => {
                let [x, y] = at;
                let strokes = (0..5).map(|n| format!("M{} {}v-9", x - 15 + 7 * n, y + 4));
                let strokes: String = strokes.collect();
                for (d, colour, width) in [
                    (format!("M{} {}h36", x - 18, y + 4), "#7a6546", "2"),
                    (strokes, "#6f4f24", "1.4"),
                ] {
                    let paint = format!(r#"fill="none" stroke="{colour}" stroke-width="{width}""#);
                    svg.path(&d, &paint);
                }
            }
            LegendRow::Value(_) => {
                let style = Style {
                    size: 17,
                    bold: true,
                    fill: VALUE,
                    anchor: "middle",
                    ..Style::default()
                };
                svg.text([at[0], at[1] + 6], "5", style);
            }
            LegendRow::Border(kind, _) => {
                border_line(svg, &format!("M{} {}h36", at[0] - 18, at[1]), *kind);
            }
            LegendRow::Sign(sign, _) => sign_box(svg, [at[0] - 6, at[1] - 6], sign),
        }
    }
}

/// Rows of the legend: only for what has been drawn.
pub(super) fn rows<'m>(map: &'m MapSection, drawn: &SignSet) -> Vec<LegendRow<'m>> {
    let words = &map.legend;
    let sample = |relief| MapSpace {
        relief,
        ..MapSpace::default()
    };
    let mut rows: Vec<LegendRow<'_>> = sides_drawn(map, drawn)
        .map(|(number, side)| LegendRow::Side(number, &side.name))
        .collect();
    for (relief, name) in [
        (Relief::Plain, &words.plain),
        (Relief::Mountain, &words.mountain),
        (Relief::City, &words.city),
    ] {
        if drawn.contains(&format!("space {}", relief.name())) {
            rows.push(LegendRow::Space(sample(relief), name));
        }
    }
    if drawn.contains("supply") {
        rows.push(LegendRow::Space(
            MapSpace {
                supply: Some(0),
                ..sample(Relief::City)
            },
            &words.supply,
        ));
    }
    if drawn.contains("siege") {
        rows.push(LegendRow::Space(
            MapSpace {
                siege: true,
                ..sample(Relief::City)
            },
            &words.siege,
        ));
    }
    if drawn.contains("bridge") {
        rows.push(LegendRow::Bridge(false, &words.bridge));
    }
    if drawn.contains("broken") {
        rows.push(LegendRow::Bridge(true, &words.broken));
    }
    rows.extend(counter_rows(map, drawn));
    rows
}

/// The sides with something drawn, with their numbers.
pub(super) fn sides_drawn<'m>(
    map: &'m MapSection,
    drawn: &SignSet,
) -> impl Iterator<Item = (usize, &'m MapSide)> {
    let sides = map.sides.iter().enumerate();
    sides.filter(|(number, _)| drawn.contains(&format!("side {number}")))
}

/// The legend's rows about counters.
pub(super) fn counter_rows<'m>(map: &'m MapSection, drawn: &SignSet) -> Vec<LegendRow<'m>> {
    let words = &map.legend;
    let has = |what: &str| drawn.contains(what);
    let symbols = words.symbols.iter();
    let symbols = symbols.filter(|(symbol, _)| has(&format!("unit {symbol}")));
    let mut rows: Vec<_> = symbols
        .map(|(symbol, name)| LegendRow::Symbol(symbol, name))
        .collect();
    if let Some((symbol, _)) = words.symbols.first().filter(|_| has("counter")) {
        let tile = Tile {
            symbol: symbol.clone(),
            strength: Some(9),
            hits: 2,
            count: 3,
            ..Tile::default()
        };
        rows.push(LegendRow::Tile(tile, &words.counter));
    }
    let plain = |symbol: &str| Tile {
        symbol: symbol.to_owned(),
        count: 1,
        ..Tile::default()
    };
    if has("leader") {
        rows.push(LegendRow::Tile(plain("headquarters"), &words.leader));
    }
    if has("hidden") && !words.hidden.is_empty() {
        rows.push(LegendRow::Tile(plain("hidden"), &words.hidden));
    }
    if has("more") {
        rows.push(LegendRow::Tile(plain("more"), &words.more));
    }
    for (what, sample, words) in [
        ("group", "9", &words.group),
        ("unknown", "?", &words.unknown),
        ("star", "", &words.star),
    ] {
        if has(what) {
            rows.push(LegendRow::Group(sample, words));
        }
    }
    if has("ghost") {
        rows.push(LegendRow::Ghost(&words.ghost));
    }
    let signs = map.signs.iter();
    let signs = signs.filter(|(sign, _)| has(&format!("sign {sign}")));
    rows.extend(signs.map(|(sign, words)| LegendRow::Sign(sign, words)));
    rows
}

/// How high the lines about counters are.
pub(super) fn counters_height(map: &MapSection, drawn: &SignSet) -> i64 {
    let rows = counter_rows(map, drawn);
    rows.iter().map(|row| row.height(Spacing::Wide)).sum()
}

/// Draws the lines about counters below a point, in a box so wide; says where they end.
pub(super) fn counters(
    svg: &mut Svg,
    map: &MapSection,
    drawn: &SignSet,
    at: [i64; 2],
    wide: i64,
) -> i64 {
    let rows = counter_rows(map, drawn);
    draw_rows(svg, map, &rows, at, (Spacing::Wide, wide))
}

/// Draws lines of the legend below a point; returns where they end.
fn draw_rows(
    svg: &mut Svg,
    map: &MapSection,
    rows: &[LegendRow<'_>],
    [x, mut y]: [i64; 2],
    (spacing, wide): (Spacing, i64),
) -> i64 {
    for row in rows {
        let height = row.height(spacing);
        let middle = y + height / 2;
        row.draw(svg, map, [x + 38, middle]);
        let style = fitted(row.words(), [16, wide - 84], false);
        svg.text([x + 72, middle + 6], row.words(), style);
        y += height;
    }
    y
}

/// The box of the legend: its size.
pub(super) fn legend_size(map: &MapSection, drawn: &SignSet, spacing: Spacing) -> [i64; 2] {
    let rows = rows(map, drawn);
    let words = rows
        .iter()
        .map(|row| metrics::width(row.words(), 16, false));
    let wide = words.max().unwrap_or(0) + 86;
    let high: i64 = rows.iter().map(|row| row.height(spacing)).sum();
    [wide.max(2 * map.ten_km + 120), high + 112]
}

/// Draws the legend with the scale.
pub(super) fn legend(
    svg: &mut Svg,
    map: &MapSection,
    drawn: &SignSet,
    (place, spacing): (Rect, Spacing),
) {
    cartouche(svg, place);
    let style = Style {
        size: 20,
        bold: true,
        anchor: "middle",
        ..Style::default()
    };
    svg.text(
        [place.x + place.w / 2, place.y + 34],
        &map.legend.heading,
        style,
    );
    let y = draw_rows(
        svg,
        map,
        &rows(map, drawn),
        [place.x, place.y + 50],
        (spacing, place.w),
    );
    scale(svg, map, [place.x + 30, y + 26]);
    north(svg, [place.x + place.w - 26, y + 28]);
}

/// A scale bar of twenty kilometres.
fn scale(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
    let half = map.ten_km / 2;
    for part in 0..4 {
        let fill = if part % 2 == 0 { INK } else { "#ffffff" };
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        svg.rect([x + part * half, y], [half, 8], 0, &paint);
    }
    lengths(svg, [x, y], [map.ten_km, 10], &map.legend.km);
}
