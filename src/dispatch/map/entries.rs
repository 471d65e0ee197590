//! The legend below a map from afar: a row of samples with their words, in points of the screen.

use super::{
    MapSection, MapSide,
    areas::{AreaSection, AreaSign, signs},
    frame::{self, LegendRow},
    metrics,
    svg::{INK, Style, Svg, colour, contrast},
};
use crate::dispatch::Relief;

/// Size of the words, and where they begin.
const SIZE: i64 = 13;
const WORDS: i64 = 42;

/// A sample and what it means.
pub(super) enum LegendSample<'a> {
    /// What maps of points have, and counters of all maps.
    Row(LegendRow<'a>),
    /// A side, with the letters on its counters.
    Side(&'a MapSide),
    /// A terrain.
    Fill(&'a str, &'a str),
    /// A sign of a map of areas.
    Sign(&'a AreaSign, &'a str, &'a [MapSide]),
}

/// What is explained of a map of points or of areas.
pub(super) fn entries(map: &MapSection) -> Vec<LegendSample<'_>> {
    match &map.areas {
        Some(areas) => of_areas(map, areas),
        None => frame::rows(map)
            .into_iter()
            .map(LegendSample::Row)
            .collect(),
    }
}

fn of_areas<'a>(map: &'a MapSection, areas: &'a AreaSection) -> Vec<LegendSample<'a>> {
    let sides = map.sides.iter().map(LegendSample::Side);
    let fills = areas.fills.iter();
    let fills = fills.map(|(fill, words)| LegendSample::Fill(fill, words));
    let signs = areas.signs.iter();
    let signs = signs.map(|(sign, words)| LegendSample::Sign(sign, words, &map.sides));
    let counters = frame::counter_rows(map).into_iter().map(LegendSample::Row);
    sides.chain(fills).chain(signs).chain(counters).collect()
}

impl LegendSample<'_> {
    fn words(&self) -> &str {
        match self {
            Self::Row(row) => row.words(),
            Self::Side(side) => &side.name,
            Self::Fill(_, words) | Self::Sign(_, words, _) => words,
        }
    }

    /// How much room it takes in a row.
    pub(super) fn width(&self) -> i64 {
        WORDS + metrics::width(self.words(), SIZE, false) + 14
    }

    /// Draws it with its upper left corner at a point.
    pub(super) fn draw(&self, svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
        let middle = [x + WORDS / 2 - 2, y + 14];
        match self {
            Self::Row(row) => {
                let scale = match row {
                    LegendRow::Space(space, _) if space.siege => "0.5",
                    LegendRow::Tile(..) => "0.62",
                    LegendRow::Ghost(_) => "0.8",
                    LegendRow::Space(space, _) if space.relief == Relief::City => "0.8",
                    _ => "0.9",
                };
                let [x, y] = middle;
                svg.open(&format!(r#"transform="translate({x} {y}) scale({scale})""#));
                row.draw(svg, map, [0, 0]);
                svg.close();
            }
            Self::Side(side) => {
                let fill = colour(&side.colour);
                let paint = format!(r#"fill="{fill}" stroke="{INK}""#);
                svg.rect([middle[0] - 15, middle[1] - 9], [30, 18], 3, &paint);
                let style = Style {
                    size: 12,
                    bold: true,
                    anchor: "middle",
                    fill: contrast(fill),
                    ..Style::default()
                };
                svg.text([middle[0], middle[1] + 4], &side.sign, style);
            }
            Self::Fill(fill, _) => {
                let paint = format!(r#"fill="{}" stroke="{INK}""#, colour(fill));
                svg.rect([middle[0] - 15, middle[1] - 9], [30, 18], 0, &paint);
            }
            Self::Sign(sign, _, sides) => signs::one(svg, sides, middle, sign),
        }
        let style = Style {
            size: SIZE,
            ..Style::default()
        };
        svg.text([x + WORDS, y + 19], self.words(), style);
    }
}

/// A scale of two steps of round kilometres, on a map that is `shown` wide instead of `whole`.
pub(super) fn scale(svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2], [shown, whole]: [i64; 2]) {
    let ten_km = map.ten_km * shown / whole.max(1);
    let steps = [100, 50, 20, 10, 5, 2, 1];
    let fits = |step: &&i64| 2 * *step * ten_km / 10 <= 200;
    let step = steps.iter().find(fits).copied().unwrap_or(1);
    let long = step * ten_km / 10;
    for part in 0..2 {
        let fill = if part == 0 { INK } else { "#ffffff" };
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        svg.rect([x + part * long, y], [long, 7], 0, &paint);
    }
    frame::kilometres(svg, map, [x, y], [long, step]);
}

/// An arrow to the north: maps of points and of areas have it on top.
pub(super) fn north(svg: &mut Svg, [x, y]: [i64; 2]) {
    let paint = format!(r#"fill="{INK}""#);
    svg.path(&format!("M{x} {}l6 18l-6 -4l-6 4z", y - 9), &paint);
    let style = Style {
        size: 12,
        bold: true,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([x, y - 12], "N", style);
}
