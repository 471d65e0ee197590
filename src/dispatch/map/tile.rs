//! The picture of a counter, with its symbol, strength and hits; signs of marks, flags.

use super::{
    metrics,
    place::Rect,
    plate::count,
    svg::{INK, Style, Svg, contrast},
};
use crate::dispatch::forces::DECOY;

/// Size of a tile, the picture of a counter.
pub(super) const TILE: [i64; 2] = [36, 38];
/// Width of a tile that stands for several counters.
const SEVERAL: i64 = 48;
/// The fill of plates, and of counters that may have gone.
pub(super) const THEN: &str = "#fffdf6";

/// The face of a tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tile {
    /// The symbol; `hidden` for a counter face down, `more` for what lies below others.
    pub(super) symbol: String,
    pub(super) strength: Option<i64>,
    pub(super) hits: i64,
    pub(super) signs: Vec<String>,
    /// How many counters it stands for.
    pub(super) count: i64,
    /// True if the tile keeps its width for several counters, and their number stands beside its
    /// corner: in a hex, the neighbours' numbers are near.
    pub(super) narrow: bool,
    /// True if that number stands low, beside the strength: above it the number of a hex is large.
    pub(super) low: bool,
    /// True if hits and signs stand beside the tile, not above and below it.
    pub(super) beside: bool,
}

impl Tile {
    /// Its width.
    pub(super) fn width(&self) -> i64 {
        if self.count > 1 && !self.narrow {
            SEVERAL
        } else {
            TILE[0]
        }
    }

    /// Draws a tile with its top left corner at a point.
    pub(super) fn draw(&self, svg: &mut Svg, [x, y]: [i64; 2], side: &str) {
        match self.symbol.as_str() {
            "headquarters" => {
                svg.note("leader");
                flag(svg, [x, y], side);
            }
            _ => self.card(svg, [x, y], side),
        }
        if self.count > 1 {
            svg.note("counter");
            let words = format!("{}\u{d7}", self.count);
            let place = self.badge([x, y], &words);
            svg.rect(
                [place.x, place.y],
                [place.w, place.h],
                4,
                &format!(r##"fill="#ffffff" stroke="{INK}" stroke-width="1""##),
            );
            svg.text(
                [place.x + 3, place.y + 12],
                &words,
                Style {
                    size: 12,
                    bold: true,
                    ..Style::default()
                },
            );
        }
        if self.hits > 0 {
            let (left, down) = match (self.count > 1, self.narrow) {
                _ if self.beside => (-5, 9),
                (true, true) => (2, -1),
                (true, false) => (8, 4),
                (false, _) => (4, 4),
            };
            let at = [x + self.width() - left, y + down];
            svg.circle(
                at,
                8,
                r##"fill="#c01818" stroke="#ffffff" stroke-width="1.5""##,
            );
            let style = Style {
                size: 12,
                bold: true,
                fill: "#ffffff",
                anchor: "middle",
                ..Style::default()
            };
            svg.text([at[0], at[1] + 4], &self.hits.to_string(), style);
        }
        for (number, sign) in self.signs.iter().enumerate() {
            let corner = if self.beside {
                // The second one to the left, above the number of counters.
                let across = if number == 0 { self.width() + 1 } else { -14 };
                [x + across, y + 19 - count(number) * 14]
            } else {
                [x + 1 + count(number) * 14, y + TILE[1] + 1]
            };
            sign_box(svg, corner, sign);
        }
    }

    /// Where the number of its counters stands: over the upper left corner of the tile, in a hex
    /// below the number of that, or lower and further left.
    pub(super) fn badge(&self, [x, y]: [i64; 2], words: &str) -> Rect {
        let (left, up) = match (self.narrow, self.low) {
            (true, true) => (16, -20),
            (true, false) => (9, 3),
            (false, _) => (3, 3),
        };
        Rect {
            x: x - left,
            y: y - up,
            w: metrics::width(words, 12, true) + 6,
            h: 15,
        }
    }

    fn card(&self, svg: &mut Svg, [x, y]: [i64; 2], side: &str) {
        let ink = contrast(side);
        let (wide, middle) = (self.width(), x + self.width() / 2);
        svg.rect(
            [x, y],
            [wide, TILE[1]],
            3,
            &format!(r#"fill="{side}" stroke="{INK}" stroke-width="1""#),
        );
        if self.symbol == "hidden" || self.symbol == "more" {
            svg.note(&self.symbol);
            let style = Style {
                size: 24,
                bold: true,
                fill: ink,
                anchor: "middle",
                ..Style::default()
            };
            svg.text([middle, y + 28], "?", style);
            return;
        }
        // A piece that has no strength by its nature shows none.
        if self.symbol == DECOY || self.strength == Some(0) {
            return symbol(svg, [middle - 12, y + 12], &self.symbol);
        }
        svg.note("counter");
        symbol(svg, [middle - 12, y + 4], &self.symbol);
        let strength = self
            .strength
            .map_or_else(|| "?".to_owned(), |strength| strength.to_string());
        let style = Style {
            size: 16,
            bold: true,
            fill: ink,
            anchor: "middle",
            ..Style::default()
        };
        svg.text([middle, y + TILE[1] - 4], &strength, style);
    }
}

/// A mark's sign in a little box.
pub(super) fn sign_box(svg: &mut Svg, [x, y]: [i64; 2], sign: &str) {
    svg.note(&format!("sign {sign}"));
    svg.rect(
        [x, y],
        [13, 13],
        2,
        r##"fill="#ffd84d" stroke="#3b2f22" stroke-width="1""##,
    );
    let style = Style {
        size: 11,
        bold: true,
        fill: "#1a1a1a",
        anchor: "middle",
        ..Style::default()
    };
    svg.text([x + 6, y + 10], sign, style);
}

/// A flag for a leader.
pub(super) fn flag(svg: &mut Svg, [x, y]: [i64; 2], side: &str) {
    svg.path(
        &format!("M{} {}v{}", x + 8, y + 3, TILE[1] - 5),
        &format!(r#"fill="none" stroke="{INK}" stroke-width="2.5" stroke-linecap="round""#),
    );
    svg.path(
        &format!("M{} {}h23l-6 8l6 8h-23z", x + 8, y + 4),
        &format!(r#"fill="{side}" stroke="{INK}" stroke-width="1.5" stroke-linejoin="round""#),
    );
}

/// The picture in the box of a counter, 24 by 15.
pub(super) fn symbol(svg: &mut Svg, [x, y]: [i64; 2], kind: &str) {
    svg.note(&format!("unit {kind}"));
    let pen = r##"fill="none" stroke="#1a1a1a" stroke-width="1.5""##;
    svg.rect(
        [x, y],
        [24, 15],
        0,
        r##"fill="#ffffff" stroke="#1a1a1a" stroke-width="1.5""##,
    );
    match kind {
        "infantry" | "light_infantry" => {
            svg.path(&format!("M{x} {y}l24 15M{x} {}l24 -15", y + 15), pen);
            if kind == "light_infantry" {
                let foot = format!("M{} {}l5 -6l5 6z", x + 7, y + 15);
                svg.path(&foot, r##"fill="#1a1a1a""##);
            }
        }
        "cavalry" => svg.path(&format!("M{x} {}l24 -15", y + 15), pen),
        "heavy_cavalry" => svg.path(
            &format!("M{x} {}l24 -15v15z", y + 15),
            r##"fill="#1a1a1a" stroke="#1a1a1a" stroke-width="1.5""##,
        ),
        "artillery" => svg.circle([x + 12, y + 7], 4, r##"fill="#1a1a1a""##),
        "horse_artillery" => {
            svg.path(&format!("M{x} {}l24 -15", y + 15), pen);
            svg.circle([x + 12, y + 7], 4, r##"fill="#1a1a1a""##);
        }
        "fort" => svg.path(
            &format!("M{} {}v-9h3v3h3v-3h4v3h3v-3h3v9z", x + 4, y + 12),
            r##"fill="#1a1a1a""##,
        ),
        DECOY => svg.path(
            &format!("M{x} {y}l24 15M{x} {}l24 -15", y + 15),
            r##"fill="none" stroke="#1a1a1a" stroke-width="1" stroke-dasharray="2 2.5""##,
        ),
        _ => svg.text(
            [x + 12, y + 13],
            "?",
            Style {
                size: 14,
                bold: true,
                anchor: "middle",
                fill: "#1a1a1a",
                ..Style::default()
            },
        ),
    }
}
