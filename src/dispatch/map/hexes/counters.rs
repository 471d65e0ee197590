//! A counter with a front: the top one of its stack, a wedge where it looks, the bar of its
//! formation, two figures at the foot.

use super::{
    super::{
        Counter, MapSection, MapStack,
        groups::star,
        metrics,
        svg::{INK, Style, Svg, colour, contrast, line_colour},
        tile::{THEN, sign_box, symbol},
    },
    HALF, centre, corners,
};
use crate::{dispatch::forces::DECOY, mail::Screen};

/// The side of a counter: little more than half the short way across a hex, or its wedge had no
/// room.
const SIZE: i64 = 36;
const EDGE: i64 = SIZE / 2;
/// Height of the bar.
const BAR: i64 = 10;
/// Half the width of a wedge.
const WEDGE: i64 = 15;
/// How far below the middle of its hex a counter stands, to leave the number of the hex free.
const LOWER: i64 = 5;
/// Most counters that are seen below the top one, and how far each is moved.
const BELOW: i64 = 2;
const APART: i64 = 3;
/// Signs that have room beside a counter; a plus stands for the rest.
const SIGNS: usize = 2;

/// Draws a stack round a point.
pub(super) fn draw(svg: &mut Svg, map: &MapSection, flat: bool, stack: &MapStack, at: [i64; 2]) {
    let face = Face::of(map, stack);
    svg.note_side(stack.side);
    let scale = match map.screen {
        Screen::Wide => "1",
        Screen::Phone => "1.12",
    };
    let [x, middle] = at;
    let y = middle + LOWER;
    svg.open(&format!(r#"transform="translate({x} {y}) scale({scale})""#));
    face.draw(svg, flat);
    svg.close();
}

/// The face of a stack.
struct Face<'a> {
    fill: &'a str,
    edge: &'a str,
    top: Option<&'a Counter>,
    /// True if only leaders are there.
    leader: bool,
    with_leader: bool,
    count: i64,
    hits: i64,
    signs: Vec<&'a str>,
    hidden: bool,
    turn: Option<i64>,
}

impl<'a> Face<'a> {
    fn of(map: &'a MapSection, stack: &'a MapStack) -> Self {
        let side = map.sides.get(stack.side);
        let side = side.map_or("", |side| colour(&side.colour));
        let top = stack.units.first().or(stack.leaders.first());
        let mut signs: Vec<&str> = Vec::new();
        for sign in stack.units.iter().flat_map(|unit| &unit.signs) {
            if !signs.contains(&sign.as_str()) {
                signs.push(sign);
            }
        }
        let units = i64::try_from(stack.units.len()).unwrap_or(0);
        let more = i64::from(stack.more);
        Self {
            fill: if stack.turn.is_some() { THEN } else { side },
            edge: line_colour(side),
            top,
            leader: stack.units.is_empty() && stack.hidden == 0,
            with_leader: !stack.leaders.is_empty() && !stack.units.is_empty(),
            count: units + stack.hidden + more,
            hits: stack.units.iter().map(|unit| unit.hits).sum(),
            signs,
            hidden: stack.units.is_empty() && stack.hidden > 0,
            turn: stack.turn,
        }
    }

    fn draw(&self, svg: &mut Svg, flat: bool) {
        let facing = self.top.and_then(|top| top.facing);
        let facing = facing.filter(|_| self.turn.is_none() && !self.leader);
        for below in (1..self.count.min(BELOW + 1)).rev() {
            let corner = [below * APART - EDGE; 2];
            let paint = format!(r#"fill="{}" stroke="{INK}""#, self.fill);
            svg.rect(corner, [SIZE; 2], 4, &paint);
        }
        if let Some(direction) = facing {
            svg.note("facing");
            wedge(svg, flat, direction);
        }
        self.body(svg);
        // Badge and state stand in the lower corners where the wedge cuts the upper ones.
        let cut = |corner: i64| {
            facing.is_some_and(|direction| {
                let [dx, dy] = toward(flat, direction);
                dy <= 0 && dx * corner > 0
            })
        };
        self.badge(svg, if cut(-1) { EDGE - 2 } else { -EDGE - 1 });
        self.state(svg, cut(1));
        if self.with_leader {
            svg.note("leader");
            svg.circle(
                [-EDGE - 5, 6],
                8,
                &format!(r#"fill="{THEN}" stroke="{INK}""#),
            );
            star(svg, [-EDGE - 5, 7], 11, INK);
        }
        if let Some(turn) = self.turn {
            svg.note("ghost");
            let style = Style {
                size: 11,
                bold: true,
                halo: true,
                anchor: "middle",
                ..Style::default()
            };
            svg.text([0, EDGE + 11], &format!("T{turn}"), style);
        }
    }

    fn body(&self, svg: &mut Svg) {
        let corner = [-EDGE; 2];
        let rim = format!(r#"fill="none" stroke="{THEN}" stroke-width="5""#);
        svg.rect(corner, [SIZE; 2], 4, &rim);
        let dashes = match self.turn {
            Some(_) => format!(
                r#"stroke="{}" stroke-width="2.5" stroke-dasharray="5 3""#,
                self.edge
            ),
            None => format!(r#"stroke="{INK}" stroke-width="1.5""#),
        };
        svg.rect(
            corner,
            [SIZE; 2],
            4,
            &format!(r#"fill="{}" {dashes}"#, self.fill),
        );
        let ink = contrast(self.fill);
        let Some(top) = self.top.filter(|_| !self.hidden) else {
            svg.note("hidden");
            return svg.text([0, 9], "?", figure(24, ink, "middle"));
        };
        if let Some(bar) = &top.bar {
            svg.note("bar");
            bar_of(svg, &bar.colour, &bar.sign);
        }
        if self.leader {
            svg.note("leader");
            return star(svg, [0, 5], 21, ink);
        }
        svg.open(r#"transform="translate(0 0) scale(0.84)""#);
        symbol(
            svg,
            [-12, if top.bar.is_some() { -8 } else { -12 }],
            &top.symbol,
        );
        svg.close();
        if top.symbol == DECOY || top.strength == Some(0) {
            return;
        }
        svg.note("figures");
        let strength = top
            .strength
            .map_or_else(|| "?".to_owned(), |it| it.to_string());
        match top.pace {
            Some(pace) => {
                svg.text([-EDGE + 4, EDGE - 3], &strength, figure(14, ink, "start"));
                let second = Style {
                    bold: false,
                    ..figure(11, ink, "end")
                };
                svg.text([EDGE - 4, EDGE - 3], &pace.to_string(), second);
            }
            None => svg.text([0, EDGE - 3], &strength, figure(14, ink, "middle")),
        }
    }

    /// Draws the number of counters, in the left corner.
    fn badge(&self, svg: &mut Svg, middle: i64) {
        if self.count < 2 {
            return;
        }
        svg.note("badge");
        count(svg, [-EDGE - 3, middle], self.count);
    }

    /// Losses and signs, beside the right edge.
    fn state(&self, svg: &mut Svg, low: bool) {
        let mut middle = if low { EDGE - 1 } else { -EDGE + 2 };
        let next = if low { -15 } else { 15 };
        if self.hits > 0 {
            svg.note("hits");
            losses(svg, [EDGE + 1, middle], self.hits);
            middle += next;
        }
        let room = SIGNS - usize::from(self.hits > 0);
        for sign in self.signs.iter().take(room) {
            sign_box(svg, [EDGE - 3, middle - 6], sign);
            middle += next;
        }
    }
}

fn figure<'s>(size: i64, fill: &'s str, anchor: &'s str) -> Style<'s> {
    Style {
        size,
        bold: true,
        fill,
        anchor,
        ..Style::default()
    }
}

/// The bar of a formation, with its number.
fn bar_of(svg: &mut Svg, fill: &str, sign: &str) {
    let fill = colour(fill);
    let left = 1 - EDGE;
    let d = format!(
        "M{left} {}v-{}q0 -3 3 -3h{}q3 0 3 3v{}z",
        BAR - EDGE,
        BAR - 4,
        SIZE - 8,
        BAR - 4
    );
    svg.path(&d, &format!(r#"fill="{fill}""#));
    svg.path(
        &format!("M{left} {}h{}", BAR - EDGE, SIZE - 2),
        &format!(r#"fill="none" stroke="{INK}""#),
    );
    svg.text(
        [0, BAR - EDGE - 1],
        sign,
        figure(10, contrast(fill), "middle"),
    );
}

/// A number of counters round a point.
fn count(svg: &mut Svg, [x, y]: [i64; 2], count: i64) {
    let words = format!("{count}\u{d7}");
    let wide = metrics::width(&words, 11, true) + 5;
    svg.rect(
        [x - wide / 2, y - 7],
        [wide, 14],
        4,
        &format!(r##"fill="#ffffff" stroke="{INK}""##),
    );
    svg.text([x, y + 4], &words, figure(11, INK, "middle"));
}

/// Losses round a point.
fn losses(svg: &mut Svg, at: [i64; 2], hits: i64) {
    svg.circle(
        at,
        7,
        r##"fill="#c01818" stroke="#ffffff" stroke-width="1.2""##,
    );
    let style = figure(11, "#ffffff", "middle");
    svg.text([at[0], at[1] + 4], &hits.to_string(), style);
}

/// The way to the hexside in a direction, from the middle of a hex.
fn toward(flat: bool, direction: usize) -> [i64; 2] {
    let all = corners(flat, [0, 0]);
    let corner = |number: usize| all.get(number % 6).copied().unwrap_or_default();
    let (a, b, middle) = (
        corner(direction),
        corner(direction + 1),
        centre(flat, [0, 0]),
    );
    [0, 1].map(|axis: usize| (a[axis] + b[axis]) / 2 - middle[axis])
}

/// A wedge that points through a hexside.
fn wedge(svg: &mut Svg, flat: bool, direction: usize) {
    let [dx, dy] = toward(flat, direction);
    // On a slanting side it lies farther out, or the corner of the counter would hide it; above the
    // counter it leaves the number of the hex free.
    let [from, tip] = if dx * dy == 0 {
        [EDGE - 1, EDGE + 10]
    } else {
        [EDGE, EDGE + 14]
    };
    let at = |far: i64, aside: i64| {
        [
            (dx * far - dy * aside) / HALF,
            (dy * far + dx * aside) / HALF,
        ]
    };
    let points = [at(from, -WEDGE), at(tip, 0), at(from, WEDGE)];
    let points = points.map(|[x, y]| format!("{x} {y}"));
    svg.path(
        &format!("M{}Z", points.join("L")),
        r##"fill="#1a1a1a" stroke="#fffdf6" stroke-width="1.5" stroke-linejoin="round""##,
    );
}

/// A sample for the legend, round a point.
pub(super) fn sample(svg: &mut Svg, [x, y]: [i64; 2], kind: &str, fill: &str) {
    svg.open(&format!(r#"transform="translate({x} {y}) scale(0.7)""#));
    let bar = (kind == "bar").then(|| super::super::CounterBar {
        colour: "#b4231a".to_owned(),
        sign: "IV".to_owned(),
    });
    let top = Counter {
        symbol: "infantry".to_owned(),
        strength: Some(6),
        pace: (kind == "figures").then_some(5),
        facing: (kind == "facing").then_some(0),
        bar,
        ..Counter::default()
    };
    let face = Face {
        fill: colour(fill),
        edge: line_colour(fill),
        top: Some(&top),
        leader: kind == "leader",
        with_leader: false,
        count: if kind == "badge" { 2 } else { 1 },
        hits: i64::from(kind == "hits"),
        signs: Vec::new(),
        hidden: false,
        turn: None,
    };
    face.draw(svg, true);
    svg.close();
}

#[cfg(test)]
mod tests {
    use super::{super::detail::number_place, *};

    /// Of its own hex, as its number of counters and its losses do; and the wedge below that of the
    /// next hex.
    #[test]
    fn a_counter_leaves_numbers_free() {
        let number = number_place([0, 0], 12);
        let below = number_place([0, 2 * HALF], 12);
        let badge = LOWER - EDGE - 1 - 7;
        assert!(number.y + number.h <= badge, "{number:?} {badge}");
        let tip = LOWER + EDGE + 10;
        assert!(tip <= below.y, "{below:?} {tip}");
    }

    #[test]
    fn wedges_point_through_their_hexsides() {
        // Of hexes with flat tops the first is above, of others to the upper right.
        assert_eq!(toward(true, 0), [0, -HALF]);
        assert_eq!(toward(true, 3), [0, HALF]);
        let [x, y] = toward(true, 1);
        assert!(x > 0 && y < 0);
        let [x, y] = toward(false, 1);
        assert!(x > 0 && y == 0, "{x} {y}");
    }

    #[test]
    fn the_top_counter_is_shown_with_the_states_of_all() {
        let unit = |strength: i64, sign: &str| Counter {
            symbol: "infantry".to_owned(),
            strength: Some(strength),
            hits: 1,
            signs: vec![sign.to_owned()],
            facing: Some(2),
            ..Counter::default()
        };
        let stack = MapStack {
            units: vec![unit(7, "D"), unit(4, "S")],
            ..MapStack::default()
        };
        let mut svg = Svg::default();
        draw(&mut svg, &MapSection::default(), true, &stack, [0, 0]);
        for what in ["facing", "badge", "hits", "figures", "sign D"] {
            assert!(svg.drawn().contains(what), "{what}");
        }
        let text = svg.finish();
        assert!(text.contains(">7<") && !text.contains(">4<") && text.contains(">2<"));
    }
}
