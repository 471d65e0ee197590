//! The legend below a map from afar: a row of samples with their words, in points of the screen.

use super::{
    MapSection, MapSide,
    areas::{self, AreaSection, AreaSign, signs},
    frame,
    legend::{self, LegendRow},
    metrics,
    svg::{INK, SignSet, Style, Svg, colour, contrast},
};
use crate::{dispatch::Relief, mail::Screen};

/// Size of the words.
const SIZE: i64 = 12;

/// Where the words begin, and the room behind them: a telephone's legend is set tight, or it would
/// take the room of the map.
const fn columns(screen: Screen) -> [i64; 2] {
    match screen {
        Screen::Wide => [38, 8],
        Screen::Phone => [32, 6],
    }
}

/// Height of a row.
pub(super) const fn row_height(screen: Screen) -> i64 {
    match screen {
        Screen::Wide => 19,
        Screen::Phone => 16,
    }
}

/// A sample and what it means.
pub(super) enum LegendSample<'a> {
    /// A row of maps of points, and of counters on all maps.
    Row(LegendRow<'a>),
    /// A side, with the letters on its counters.
    Side(&'a MapSide),
    /// A terrain.
    Fill(&'a str, &'a str),
    /// A sign of a map of areas.
    Sign(&'a AreaSign, &'a str, &'a [MapSide]),
}

/// Legend entries for the drawn parts of a map of points or of areas.
pub(super) fn entries<'a>(map: &'a MapSection, drawn: &SignSet) -> Vec<LegendSample<'a>> {
    match &map.areas {
        Some(areas) => of_areas(map, areas, drawn),
        None => legend::rows(map, drawn)
            .into_iter()
            .map(LegendSample::Row)
            .collect(),
    }
}

fn of_areas<'a>(
    map: &'a MapSection,
    areas: &'a AreaSection,
    drawn: &SignSet,
) -> Vec<LegendSample<'a>> {
    let sides = legend::sides_drawn(map, drawn).map(|(_, side)| LegendSample::Side(side));
    let fills = areas.fills.iter();
    let fills = fills.map(|(fill, words)| LegendSample::Fill(fill, words));
    let signs = areas.signs_drawn(drawn);
    let signs = signs.map(|(sign, words)| LegendSample::Sign(sign, words, &map.sides));
    let borders = areas::legend::borders(map, drawn);
    let counters = borders.chain(legend::counter_rows(map, drawn));
    let counters = counters.map(LegendSample::Row);
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
    pub(super) fn width(&self, screen: Screen) -> i64 {
        let [before, behind] = columns(screen);
        before + metrics::width(self.words(), SIZE, false) + behind
    }

    /// Draws it with its upper left corner at a point.
    pub(super) fn draw(&self, svg: &mut Svg, map: &MapSection, [x, y]: [i64; 2]) {
        let [words, _] = columns(map.screen);
        let middle = [x + words / 2 - 2, y + 11];
        match self {
            Self::Row(row) => {
                let scale = match row {
                    LegendRow::Space(space, _) if space.siege => "0.4",
                    LegendRow::Tile(..) => "0.52",
                    LegendRow::Ghost(_) => "0.7",
                    LegendRow::Space(space, _) if space.relief == Relief::City => "0.65",
                    _ => "0.85",
                };
                let [x, y] = middle;
                svg.open(&format!(r#"transform="translate({x} {y}) scale({scale})""#));
                row.draw(svg, map, [0, 0]);
                svg.close();
            }
            Self::Side(side) => {
                let fill = colour(&side.colour);
                let paint = format!(r#"fill="{fill}" stroke="{INK}""#);
                svg.rect([middle[0] - 14, middle[1] - 8], [28, 16], 3, &paint);
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
                svg.rect([middle[0] - 14, middle[1] - 8], [28, 16], 0, &paint);
            }
            Self::Sign(sign, _, sides) => {
                let [x, y] = middle;
                svg.open(&format!(r#"transform="translate({x} {y}) scale(0.7)""#));
                signs::one(svg, sides, [0, 0], sign);
                svg.close();
            }
        }
        let style = Style {
            size: SIZE,
            ..Style::default()
        };
        svg.text([x + words, y + 15], self.words(), style);
    }
}

/// A scale of two steps of a round length, as long as there is room for, on a map with `ten_km`
/// points to ten kilometres.
pub(super) fn scale_bar(
    svg: &mut Svg,
    map: &MapSection,
    [x, y]: [i64; 2],
    (ten_km, room): (i64, i64),
) {
    let Some([long, metres]) = step(ten_km, room) else {
        return;
    };
    for part in 0..2 {
        let fill = if part == 0 { INK } else { "#ffffff" };
        let paint = format!(r#"fill="{fill}" stroke="{INK}" stroke-width="1.5""#);
        svg.rect([x + part * long, y], [long, 7], 0, &paint);
    }
    let (unit, one) = if metres < 1000 {
        ("m", metres)
    } else {
        (map.legend.km.as_str(), metres / 1000)
    };
    frame::lengths(svg, [x, y], [long, one], unit);
}

/// How long a step of a scale is in points and in metres, if there is room for two.
fn step(ten_km: i64, room: i64) -> Option<[i64; 2]> {
    let all = [
        100_000, 50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100,
    ];
    let steps = all.map(|metres| [metres * ten_km / 10_000, metres]);
    let mut fitting = steps.into_iter().filter(|[long, _]| 2 * long <= room);
    fitting.next().filter(|[long, _]| *long > 0)
}

/// How wide a scale is with its numbers; 0 without one.
pub(super) fn scale_width(ten_km: i64, room: i64) -> i64 {
    step(ten_km, room).map_or(0, |[long, _]| 2 * long + 44)
}
