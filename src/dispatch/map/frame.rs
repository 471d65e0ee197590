//! Spaces with their symbols, title, legend, scale.

use super::{
    MapSection, MapSpace, metrics,
    place::Rect,
    plate::{Tile, sign_box, symbol},
    roads,
    svg::{INK, PAPER, Style, Svg, colour, line_colour},
};
use crate::dispatch::Relief;

/// The fill of what no side holds: no side is of this colour.
pub(super) const NOBODYS: &str = "#cfc6b0";

/// Half the size of a space's symbol.
pub(super) fn radius(space: &MapSpace) -> i64 {
    match space.relief {
        Relief::City => 14,
        _ => 10,
    }
}

/// Draws a space.
pub(super) fn space(svg: &mut Svg, map: &MapSection, space: &MapSpace) {
    let at = [space.x, space.y];
    if space.siege {
        siege(svg, at);
    }
    let side = |number: Option<usize>| number.and_then(|number| map.sides.get(number));
    let fill = side(space.control).map_or(NOBODYS, |side| colour(&side.colour));
    match space.relief {
        Relief::City => town(svg, at, fill),
        relief => disc(
            svg,
            at,
            if relief == Relief::Mountain && space.control.is_none() {
                "#c9ac74"
            } else {
                fill
            },
        ),
    }
    if space.supply.is_some() {
        star(svg, at);
    }
}

fn disc(svg: &mut Svg, at: [i64; 2], fill: &str) {
    svg.circle(
        at,
        10,
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2""#),
    );
}

/// A town: walls with four bastions.
fn town(svg: &mut Svg, [x, y]: [i64; 2], fill: &str) {
    svg.path(
        &format!(
            "M{} {}l7 3h14l7 -3l-3 7v14l3 7l-7 -3h-14l-7 3l3 -7v-14z",
            x - 14,
            y - 14
        ),
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="2" stroke-linejoin="round""#),
    );
}

/// A star for a source of supply.
fn star(svg: &mut Svg, at: [i64; 2]) {
    star_in(svg, at, "#ffd84d");
}

/// A star in a colour.
pub(super) fn star_in(svg: &mut Svg, [x, y]: [i64; 2], fill: &str) {
    svg.path(
        &format!(
            "M{x} {}l3 6l6 1l-5 4l2 7l-6 -4l-6 4l2 -7l-5 -4l6 -1z",
            y - 10
        ),
        &format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1""#),
    );
}

/// A ring of works round a besieged place.
fn siege(svg: &mut Svg, at: [i64; 2]) {
    svg.circle(at, 25, r##"fill="#c01818" fill-opacity="0.12" stroke="#a01414" stroke-width="4" stroke-dasharray="9 5""##);
}

/// Draws the edge of the picture.
pub(super) fn border(svg: &mut Svg, [width, height]: [i64; 2]) {
    svg.rect(
        [0, 0],
        [width, height],
        0,
        &format!(r#"fill="none" stroke="{PAPER}" stroke-width="10""#),
    );
    for (edge, line) in [(7, 4), (14, 1)] {
        let paint = format!(r#"fill="none" stroke="{INK}" stroke-width="{line}""#);
        svg.rect(
            [edge, edge],
            [width - 2 * edge, height - 2 * edge],
            0,
            &paint,
        );
    }
}

/// The box of the title: its size.
pub(super) fn title_size(map: &MapSection) -> [i64; 2] {
    let wide = [
        metrics::width(&map.title, 32, true),
        metrics::width(&map.subtitle, 22, false),
        metrics::width(&map.viewer, 16, false),
    ];
    [wide.into_iter().max().unwrap_or(0) + 48, 122]
}

/// Draws the title.
pub(super) fn title(svg: &mut Svg, map: &MapSection, place: Rect) {
    cartouche(svg, place);
    let middle = place.x + place.w / 2;
    let set = |size, bold, italic| Style {
        size,
        bold,
        italic,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([middle, place.y + 44], &map.title, set(32, true, false));
    svg.text([middle, place.y + 75], &map.subtitle, set(22, false, false));
    svg.text([middle, place.y + 101], &map.viewer, set(16, false, true));
}

pub(super) fn cartouche(svg: &mut Svg, place: Rect) {
    let (corner, size) = ([place.x, place.y], [place.w, place.h]);
    svg.rect(
        corner,
        size,
        3,
        &format!(r#"fill="{PAPER}" fill-opacity="0.94" stroke="{INK}" stroke-width="2""#),
    );
    let inner = place.grown(-5);
    svg.rect(
        [inner.x, inner.y],
        [inner.w, inner.h],
        2,
        &format!(r#"fill="none" stroke="{INK}" stroke-width="1""#),
    );
}

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
    Ghost(&'a str),
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
            LegendRow::Ghost(words) => words,
        }
    }

    fn height(&self, spacing: Spacing) -> i64 {
        let wide = match self {
            LegendRow::Tile(..) => 42,
            LegendRow::Space(space, _) if space.siege => 52,
            LegendRow::Space(space, _) if space.relief == Relief::City => 32,
            LegendRow::Ghost(_) => 34,
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
                svg.open(r#"opacity="0.7""#);
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
                svg.close();
            }
            LegendRow::Sign(sign, _) => sign_box(svg, [at[0] - 6, at[1] - 6], sign),
        }
    }
}

/// What the legend explains: only what the map has.
pub(super) fn rows(map: &MapSection) -> Vec<LegendRow<'_>> {
    let words = &map.legend;
    let sample = |relief| MapSpace {
        name: String::new(),
        x: 0,
        y: 0,
        relief,
        control: None,
        supply: None,
        siege: false,
    };
    let has = |test: &dyn Fn(&MapSpace) -> bool| map.spaces.iter().any(test);
    let mut rows: Vec<LegendRow<'_>> = (map.sides.iter().enumerate())
        .map(|(number, side)| LegendRow::Side(number, &side.name))
        .collect();
    for (relief, name) in [
        (Relief::Plain, &words.plain),
        (Relief::Mountain, &words.mountain),
        (Relief::City, &words.city),
    ] {
        if has(&|space| space.relief == relief) {
            rows.push(LegendRow::Space(sample(relief), name));
        }
    }
    if has(&|space| space.supply.is_some()) {
        rows.push(LegendRow::Space(
            MapSpace {
                supply: Some(0),
                ..sample(Relief::City)
            },
            &words.supply,
        ));
    }
    if has(&|space| space.siege) {
        rows.push(LegendRow::Space(
            MapSpace {
                siege: true,
                ..sample(Relief::City)
            },
            &words.siege,
        ));
    }
    if map.roads.iter().any(|road| road.bridge) {
        rows.push(LegendRow::Bridge(false, &words.bridge));
        rows.push(LegendRow::Bridge(true, &words.broken));
    }
    rows.extend(counter_rows(map));
    rows
}

/// What the legend explains of counters.
pub(super) fn counter_rows(map: &MapSection) -> Vec<LegendRow<'_>> {
    let words = &map.legend;
    let symbols = map.symbols_shown();
    let mut rows: Vec<_> = symbols
        .map(|(symbol, name)| LegendRow::Symbol(symbol, name))
        .collect();
    if let Some((symbol, _)) = words.symbols.first() {
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
    if map.has_leaders() {
        rows.push(LegendRow::Tile(plain("headquarters"), &words.leader));
    }
    if map.has_hidden() && !words.hidden.is_empty() {
        rows.push(LegendRow::Tile(plain("hidden"), &words.hidden));
    } else if map.stacks.iter().any(|stack| stack.more) {
        rows.push(LegendRow::Tile(plain("more"), &words.more));
    }
    if !map.ghosts.is_empty() {
        rows.push(LegendRow::Ghost(&words.ghost));
    }
    rows.extend(
        map.signs_shown()
            .map(|(sign, words)| LegendRow::Sign(sign, words)),
    );
    rows
}

/// How high the lines about counters are, set tight.
pub(super) fn counters_height(map: &MapSection) -> i64 {
    let rows = counter_rows(map);
    rows.iter().map(|row| row.height(Spacing::Tight)).sum()
}

/// Draws the lines about counters below a point, in a box so wide; says where they end.
pub(super) fn counters(svg: &mut Svg, map: &MapSection, at: [i64; 2], wide: i64) -> i64 {
    draw_rows(svg, map, &counter_rows(map), at, (Spacing::Tight, wide))
}

/// How a text is set that must not be wider than so much: in a size, or smaller.
pub(super) fn fitted(text: &str, [size, room]: [i64; 2], bold: bool) -> Style<'static> {
    let wide = metrics::width(text, size, bold).max(1);
    Style {
        size: (size * room / wide).clamp(11, size),
        bold,
        ..Style::default()
    }
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
pub(super) fn legend_size(map: &MapSection, spacing: Spacing) -> [i64; 2] {
    let rows = rows(map);
    let words = rows
        .iter()
        .map(|row| metrics::width(row.words(), 16, false));
    let wide = words.max().unwrap_or(0) + 86;
    let high: i64 = rows.iter().map(|row| row.height(spacing)).sum();
    [wide.max(2 * map.ten_km + 90), high + 112]
}

/// Draws the legend with the scale.
pub(super) fn legend(svg: &mut Svg, map: &MapSection, place: Rect, spacing: Spacing) {
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
        &rows(map),
        [place.x, place.y + 50],
        (spacing, place.w),
    );
    scale(svg, map, [place.x + 30, y + 26]);
}

/// The numbers above a scale bar of two steps: how long one is, and how many kilometres.
pub(super) fn kilometres(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2], step: [i64; 2]) {
    let [long, km] = step;
    for part in 0..3 {
        let style = Style {
            size: 14,
            anchor: "middle",
            ..Style::default()
        };
        let unit = if part == 2 {
            map.legend.km.as_str()
        } else {
            ""
        };
        let words = format!("{} {unit}", part * km);
        svg.text([x + part * long, y - 7], words.trim_end(), style);
    }
}

/// A scale bar of twenty kilometres.
fn scale(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
    let half = map.ten_km / 2;
    for part in 0..4 {
        let fill = if part % 2 == 0 { INK } else { "#ffffff" };
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        svg.rect([x + part * half, y], [half, 8], 0, &paint);
    }
    kilometres(svg, map, [x, y], [map.ten_km, 10]);
}
