//! Heights of a hex map: tints, shades and contours, slopes and their classes, numbers.
//!
//! Light comes from the top left of the sheet, whatever is north: it belongs to the reader.

use std::collections::BTreeMap;

use super::{
    super::svg::{Style, Svg},
    AROUND, At, HALF, HexSection, STEP, centre,
    curves::{loops, middle, pieces, round},
    shows, side,
};

/// Tints from the lowest level up: a ramp from light to dark, so that it is read in grey too.
const TINTS: [&str; 5] = ["#f6f0dd", "#ecdfba", "#dcc68d", "#c7a76c", "#b08a55"];
/// Where a contour looks towards the light it is bright, where it looks away dark and broad.
const CONTOURS: [(&str, &str); 5] = [
    ("#fffbe9", "2.6"),
    ("#fff6da", "1.6"),
    ("#a8895a", "1"),
    ("#7d5a2c", "1.8"),
    ("#5f3f1a", "2.8"),
];
/// The colour of shadows and of the strokes on slopes.
const SHADE: &str = "#5f3f1a";
/// The reach of shadows.
const SHADOW: [i64; 2] = [4, 5];
/// From how many levels on a slope is steep, and sharp.
const STEEP: i64 = 2;
const SHARP: i64 = 3;
/// Numbers of heights, and of hexes on high ground.
const NUMBER: &str = "#7a4a16";
/// From which tint on numbers of hexes are written in ink.
const DARK: i64 = 3;

/// The levels of hexes, as far as a sheet needs them.
pub(super) struct HexHeights {
    flat: bool,
    lowest: i64,
    levels: BTreeMap<At, i64>,
}

impl HexHeights {
    /// The levels of the hexes that are `inside`; none if all of the map is level.
    pub(super) fn of(hexes: &HexSection, inside: &impl Fn(&At) -> bool) -> Option<Self> {
        let [(lowest, _), _, ..] = &*hexes.heights else {
            return None;
        };
        let all = hexes.heights.iter();
        let levels = all.flat_map(|(level, all)| {
            let near = all.iter().filter(|at| inside(at));
            near.map(|at| (*at, *level))
        });
        Some(Self {
            flat: hexes.flat,
            lowest: *lowest,
            levels: levels.collect(),
        })
    }

    /// The tint of a level.
    fn tint(&self, level: i64) -> &'static str {
        tint(level - self.lowest)
    }

    /// Returns true if a hex is so high that its number is written in ink.
    pub(super) fn is_dark(&self, at: At) -> bool {
        self.levels
            .get(&at)
            .is_some_and(|level| level - self.lowest >= DARK)
    }

    /// Returns true if strokes come down a slope onto a hex, where its number may stand.
    pub(super) fn is_below_a_steep_slope(&self, at: At) -> bool {
        let here = self.levels.get(&at);
        let above = around(at).into_iter().filter_map(|it| self.levels.get(&it));
        let most = above.max();
        most.zip(here)
            .is_some_and(|(most, here)| most - here >= STEEP)
    }

    /// Draws tints, shadows and contours; `seen` is the sheet. From afar there are no contours.
    pub(super) fn draw(&self, svg: &mut Svg, seen: &[At; 2], near: bool) {
        let whole = self.with_margin();
        let found: std::collections::BTreeSet<i64> = whole.values().copied().collect();
        for level in &found {
            if self
                .levels
                .iter()
                .any(|(at, it)| it == level && shows(seen, *at))
            {
                svg.note(&format!("height {level}"));
            }
        }
        for level in found.iter().filter(|level| **level >= self.lowest) {
            let all: Vec<At> = (whole.iter())
                .filter(|(_, it)| *it >= level)
                .map(|(at, _)| *at)
                .collect();
            let d = round(self.flat, &all);
            if near && *level > self.lowest {
                svg.open(&format!(
                    r#"transform="translate({} {})""#,
                    SHADOW[0], SHADOW[1]
                ));
                svg.path(&d, &format!(r#"fill="{SHADE}" fill-opacity="0.16""#));
                svg.close();
            }
            svg.path(&d, &format!(r#"fill="{}""#, self.tint(*level)));
            if near && *level > self.lowest {
                self.contours(svg, &all);
            }
        }
    }

    /// The line round a level, its pieces by how far they look towards the light.
    fn contours(&self, svg: &mut Svg, all: &[At]) {
        let mut strings: [String; 5] = Default::default();
        for corners in loops(self.flat, all) {
            for [from, corner, to] in pieces(&corners) {
                if let Some(string) = strings.get_mut(shade(from, to)) {
                    string.push_str(&format!(
                        "M{} {}Q{} {} {} {}",
                        from[0], from[1], corner[0], corner[1], to[0], to[1]
                    ));
                }
            }
        }
        for (d, (colour, width)) in strings.iter().zip(CONTOURS) {
            if !d.is_empty() {
                let paint = format!(
                    r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round""#
                );
                svg.path(d, &paint);
            }
        }
    }

    /// The levels with those of hexes beyond the edge of the map, as if the ground went on: no
    /// contour runs along the edge.
    fn with_margin(&self) -> BTreeMap<At, i64> {
        let mut whole = self.levels.clone();
        for (at, level) in &self.levels {
            for beside in around(*at) {
                if !self.levels.contains_key(&beside) {
                    let known = whole.entry(beside).or_insert(*level);
                    *known = (*known).max(*level);
                }
            }
        }
        whole
    }

    /// Strokes down the steep slopes, teeth down the sharp ones.
    pub(super) fn slopes(&self, svg: &mut Svg, seen: &[At; 2]) {
        let (mut steep, mut sharp) = (String::new(), String::new());
        for (at, below, fall) in self.falls() {
            let Some(ends) = side(self.flat, [at, below]) else {
                continue;
            };
            let [from, to] = [at, below].map(|at| centre(self.flat, at));
            let down = [to[0] - from[0], to[1] - from[1]];
            let (d, name) = match fall {
                ..STEEP => continue,
                STEEP => (&mut steep, "steep"),
                SHARP.. => (&mut sharp, "sharp"),
            };
            if shows(seen, at) {
                svg.note(name);
            }
            d.push_str(&if fall < SHARP {
                comb(ends, down)
            } else {
                teeth(ends, down)
            });
        }
        draw_slopes(svg, &steep, &sharp);
    }

    /// Neighbours at different levels, the higher one first, with the number of levels.
    fn falls(&self) -> impl Iterator<Item = (At, At, i64)> {
        self.levels.iter().flat_map(move |(at, level)| {
            around(*at).into_iter().filter_map(move |below| {
                let fall = level - self.levels.get(&below)?;
                (fall > 0).then_some((*at, below, fall))
            })
        })
    }

    /// The number of its level in the right corner of each hex above a slope.
    pub(super) fn numbers(&self, svg: &mut Svg, seen: &[At; 2], size: i64) {
        let mut above: Vec<At> = self.falls().map(|(at, _, _)| at).collect();
        above.dedup();
        for at in above.into_iter().filter(|at| shows(seen, *at)) {
            let Some(level) = self.levels.get(&at) else {
                continue;
            };
            let [x, y] = centre(self.flat, at);
            let right = if self.flat { STEP * 2 / 3 } else { HALF };
            let style = Style {
                size,
                bold: true,
                fill: if self.is_dark(at) { "#3b2f22" } else { NUMBER },
                anchor: "end",
                ..Style::default()
            };
            svg.text([x + right - 4, y + size / 3], &level.to_string(), style);
        }
    }
}

/// The tint of a level, counted from the lowest.
pub(super) fn tint(above: i64) -> &'static str {
    let most = TINTS.len() - 1;
    let number = usize::try_from(above).unwrap_or(0).min(most);
    TINTS.get(number).copied().unwrap_or("#f6f0dd")
}

fn around(at: At) -> [At; 6] {
    AROUND.map(|[line, half]| [at[0] + line, at[1] + half])
}

/// How far a piece of a contour with the high ground on its right looks towards the light: 0 is
/// straight at it, 4 straight away.
fn shade(from: [i64; 2], to: [i64; 2]) -> usize {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    // The way out is to the left of the piece; the light comes from the left and above.
    let lit = dx - dy;
    let (square, whole) = (lit * lit * 100, 2 * (dx * dx + dy * dy));
    match (square >= whole * 72, square >= whole * 12, lit >= 0) {
        (true, _, true) => 0,
        (_, true, true) => 1,
        (_, false, _) => 2,
        (false, _, false) => 3,
        (true, _, false) => 4,
    }
}

/// Five strokes from a hexside down a slope.
fn comb([p, q]: [[i64; 2]; 2], down: [i64; 2]) -> String {
    let m = middle(p, q);
    let strokes = (-2..=2).map(|n| {
        let [x, y] = [0, 1].map(|axis: usize| m[axis] + n * (q[axis] - p[axis]) / 6);
        format!("M{x} {y}l{} {}", down[0] * 10 / 66, down[1] * 10 / 66)
    });
    strokes.collect()
}

/// Five teeth from a hexside down a slope.
fn teeth([p, q]: [[i64; 2]; 2], down: [i64; 2]) -> String {
    let m = middle(p, q);
    let teeth = (-2..=2).map(|n| {
        let along = |parts: i64| -> [i64; 2] {
            [0, 1].map(|axis: usize| m[axis] + parts * (q[axis] - p[axis]) / 12)
        };
        let (from, to, at) = (along(2 * n - 1), along(2 * n + 1), along(2 * n));
        let tip = [0, 1].map(|axis: usize| at[axis] + down[axis] * 14 / 66);
        format!(
            "M{} {}L{} {}L{} {}Z",
            from[0], from[1], tip[0], tip[1], to[0], to[1]
        )
    });
    teeth.collect()
}

fn draw_slopes(svg: &mut Svg, steep: &str, sharp: &str) {
    if !steep.is_empty() {
        let paint = format!(r#"fill="none" stroke="{SHADE}" stroke-width="1.6""#);
        svg.path(steep, &paint);
    }
    if !sharp.is_empty() {
        svg.path(sharp, &format!(r#"fill="{SHADE}""#));
    }
}

/// A sample of a slope for the legend, its top at a point.
pub(super) fn slope_sample(svg: &mut Svg, [x, y]: [i64; 2], is_sharp: bool) {
    let ends = [[x - 16, y - 5], [x + 16, y - 5]];
    if is_sharp {
        draw_slopes(svg, "", &teeth(ends, [0, 66]));
    } else {
        draw_slopes(svg, &comb(ends, [0, 66]), "");
    }
    svg.path(
        &format!("M{} {}h32", x - 16, y - 5),
        &format!(r#"fill="none" stroke="{SHADE}" stroke-width="2""#),
    );
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn hill() -> HexSection {
        HexSection {
            flat: true,
            heights: vec![
                (1, vec![[3, 5], [3, 7], [5, 5], [5, 7], [4, 8]]),
                (2, vec![[4, 4]]),
                (4, vec![[4, 6]]),
            ],
            ..HexSection::default()
        }
    }

    #[test]
    fn slopes_are_drawn_by_how_steep_they_are() {
        let heights = HexHeights::of(&hill(), &|_| true).unwrap();
        let mut svg = Svg::default();
        heights.slopes(&mut svg, &[[0, 0], [9, 20]]);
        assert!(svg.drawn().contains("steep") && svg.drawn().contains("sharp"));
        let text = svg.finish();
        // Two levels down to one neighbour, three to five.
        assert_eq!(
            text.matches('l').count() - text.matches("fill").count() * 2,
            5
        );
        assert_eq!(text.matches('Z').count(), 5 * 5);
    }

    #[test]
    fn what_looks_to_the_upper_left_is_lit() {
        // With the hill on the right: up along its left flank, right along its top, and so on.
        assert_eq!(shade([0, 10], [10, 0]), 0);
        assert_eq!(shade([10, 0], [0, 10]), 4);
        assert_eq!(shade([0, 0], [10, 10]), 2);
        assert_eq!(shade([0, 0], [10, 0]), 1);
        assert_eq!(shade([10, 0], [0, 0]), 3);
    }

    #[test]
    fn only_hexes_above_a_slope_have_a_number() {
        let heights = HexHeights::of(&hill(), &|_| true).unwrap();
        let mut svg = Svg::default();
        heights.numbers(&mut svg, &[[0, 0], [9, 20]], 11);
        let text = svg.finish();
        assert_eq!(text.matches("<text").count(), 2);
        assert!(text.contains(">4<") && text.contains(">2<") && !text.contains(">1<"));
    }

    #[test]
    fn a_level_map_has_no_heights() {
        let level = HexSection {
            heights: vec![(1, vec![[0, 0]])],
            ..HexSection::default()
        };
        assert!(HexHeights::of(&level, &|_| true).is_none());
    }
}
