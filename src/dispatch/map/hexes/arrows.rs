//! Events since the last letter, as arrows: moves and retreats below the counters, fire and
//! assaults above them.

use super::{
    super::{
        MapSection,
        svg::{INK, Style, Svg, line_colour},
    },
    At, HexArrow, HexSection, centre,
    curves::middle,
    shows,
};
use crate::game::ArrowStyle;

/// Distance from the middle of a hex at which an arrow begins and ends: the edge of a counter.
const GAP: i64 = 20;
/// The gap for an assault's arrow, which goes over the edges of both counters so that it can be
/// seen at all.
const ASSAULT_GAP: i64 = 13;
/// Length of an arrow's head, and its width to each side.
const HEAD: [i64; 2] = [15, 9];
/// An arrow over one hexside has no room for a number on it; the number stands this far beside it.
const SHORT: i64 = 90;
const BESIDE: i64 = 19;
const CASING: &str = "#fffdf6";
const ASSAULT: &str = "#c8321f";

/// Draws the arrows of some styles that touch the sheet.
pub(super) fn draw(
    svg: &mut Svg,
    (map, hexes): (&MapSection, &HexSection),
    seen: &[At; 2],
    styles: &[ArrowStyle],
) {
    for style in styles {
        let arrows = hexes.arrows.iter().filter(|arrow| arrow.style == *style);
        for arrow in arrows.filter(|arrow| arrow.path.iter().any(|at| shows(seen, *at))) {
            let points: Vec<_> = (arrow.path.iter())
                .map(|at| centre(hexes.flat, *at))
                .collect();
            svg.note(&format!("arrow {}", style.name()));
            let side = map.sides.get(arrow.side);
            let colour = side.map_or(INK, |side| line_colour(&side.colour));
            if *style == ArrowStyle::Move && !stands(map, hexes, arrow) {
                then(svg, points.first(), colour);
            }
            one(svg, *style, &points, colour);
            if arrow.count > 1 {
                badge(svg, &points, arrow.count);
            }
        }
    }
}

/// Returns true if a piece is now where an arrow begins.
fn stands(map: &MapSection, hexes: &HexSection, arrow: &HexArrow) -> bool {
    let mut stacks = map.stacks.iter().chain(&map.ghosts);
    stacks.any(|stack| hexes.spots.get(stack.space) == arrow.path.first())
}

/// Marks where a piece was: a dashed outline.
fn then(svg: &mut Svg, at: Option<&[i64; 2]>, colour: &str) {
    if let Some([x, y]) = at {
        let paint = format!(
            r#"fill="{CASING}" fill-opacity="0.6" stroke="{colour}" stroke-width="2" stroke-dasharray="4 3""#
        );
        svg.rect([x - 11, y - 11], [22, 22], 3, &paint);
    }
}

/// An arrow through points.
pub(super) fn one(svg: &mut Svg, style: ArrowStyle, points: &[[i64; 2]], colour: &str) {
    let gap = if style == ArrowStyle::Assault {
        ASSAULT_GAP
    } else {
        GAP
    };
    let Some([d, head]) = shaft(points, style == ArrowStyle::Fire, gap) else {
        return;
    };
    let pens: &[(&str, &str)] = match style {
        ArrowStyle::Move => &[(CASING, "11"), (INK, "7"), (colour, "5")],
        ArrowStyle::Retreat => &[(CASING, "11"), (colour, "8"), (CASING, "4")],
        ArrowStyle::Assault => &[(CASING, "13"), (ASSAULT, "9")],
        ArrowStyle::Fire => &[(CASING, "4"), (INK, "1.6")],
    };
    let fill = match style {
        ArrowStyle::Move => colour,
        ArrowStyle::Retreat => CASING,
        ArrowStyle::Assault => ASSAULT,
        ArrowStyle::Fire => "none",
    };
    let edge = match style {
        ArrowStyle::Retreat => colour,
        ArrowStyle::Assault => CASING,
        ArrowStyle::Move | ArrowStyle::Fire => INK,
    };
    for (colour, width) in pens {
        let paint = format!(
            r#"fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round""#
        );
        svg.path(&d, &paint);
    }
    svg.path(
        &head,
        &format!(r#"fill="{fill}" stroke="{edge}" stroke-width="1.6" stroke-linejoin="round""#),
    );
}

/// The line and the head of an arrow: it begins and ends at the edges of counters, and bends round
/// the hexes between.
fn shaft(points: &[[i64; 2]], is_open: bool, gap: i64) -> Option<[String; 2]> {
    let (first, second) = (*points.first()?, *points.get(1)?);
    let (last, before) = (*points.last()?, *points.get(points.len() - 2)?);
    let tip = towards(last, before, gap)?;
    let start = towards(first, second, gap)?;
    let neck = towards(last, before, gap + if is_open { 0 } else { HEAD[0] - 2 })?;
    let mut d = format!("M{} {}", start[0], start[1]);
    let between = points.get(1..points.len() - 1).unwrap_or_default();
    for (number, at) in between.iter().enumerate() {
        let next = between.get(number + 1);
        let to = next.map_or(neck, |next| middle(*at, *next));
        d.push_str(&format!("Q{} {} {} {}", at[0], at[1], to[0], to[1]));
    }
    if between.is_empty() {
        d.push_str(&format!("L{} {}", neck[0], neck[1]));
    }
    let back = towards(last, before, gap + HEAD[0])?;
    let [dx, dy] = [back[0] - tip[0], back[1] - tip[1]];
    let half = HEAD[1] - if is_open { 4 } else { 0 };
    let aside = [-dy * half / HEAD[0], dx * half / HEAD[0]];
    let [a, b] = [1, -1].map(|hand| [back[0] + hand * aside[0], back[1] + hand * aside[1]]);
    let end = if is_open { "" } else { "Z" };
    let head = format!(
        "M{} {}L{} {}L{} {}{end}",
        a[0], a[1], tip[0], tip[1], b[0], b[1]
    );
    Some([d, head])
}

/// The point so far from one on the way to another; none if they are the same.
fn towards(from: [i64; 2], to: [i64; 2], far: i64) -> Option<[i64; 2]> {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let long = (dx * dx + dy * dy).isqrt();
    (long > 0).then(|| [from[0] + dx * far / long, from[1] + dy * far / long])
}

/// The number that an arrow stands for, on its middle, or beside a short one.
fn badge(svg: &mut Svg, points: &[[i64; 2]], count: i64) {
    let here = match points {
        [a, b] => {
            let [x, y] = middle(*a, *b);
            let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            let long = (dx * dx + dy * dy).isqrt().max(1);
            let aside = if long < SHORT { BESIDE } else { 0 };
            [x - aside * dy / long, y + aside * dx / long]
        }
        _ => points.get(points.len() / 2).copied().unwrap_or_default(),
    };
    let words = format!("{count}\u{d7}");
    let wide = 8 + 7 * i64::try_from(words.chars().count()).unwrap_or(2);
    svg.rect(
        [here[0] - wide / 2, here[1] - 8],
        [wide, 16],
        4,
        &format!(r##"fill="#ffffff" stroke="{INK}""##),
    );
    let style = Style {
        size: 12,
        bold: true,
        anchor: "middle",
        ..Style::default()
    };
    svg.text([here[0], here[1] + 4], &words, style);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;

    fn drawn(arrow: HexArrow) -> Svg {
        let hexes = HexSection {
            arrows: vec![arrow],
            ..HexSection::default()
        };
        let mut svg = Svg::default();
        let seen = [[0, 0], [9, 9]];
        draw(
            &mut svg,
            (&MapSection::default(), &hexes),
            &seen,
            &ArrowStyle::ALL,
        );
        svg
    }

    #[test]
    fn an_arrow_ends_before_the_counter_it_points_at() {
        let arrow = |path: Vec<At>| HexArrow {
            style: ArrowStyle::Move,
            side: 0,
            path,
            count: 2,
        };
        let svg = drawn(arrow(vec![[4, 2], [4, 4], [4, 6]]));
        assert!(svg.drawn().contains("arrow move"));
        assert!(svg.finish().contains(">2\u{d7}<"));
        // An arrow that goes nowhere, or lies on another sheet, is not drawn.
        assert!(!drawn(arrow(vec![[4, 2], [4, 2]])).finish().contains("Z\""));
        assert!(drawn(arrow(vec![[20, 2], [20, 4]])).drawn().is_empty());
    }

    #[test]
    fn a_short_arrow_is_not_hidden_by_its_number() {
        let number = |to: i64| {
            let mut svg = Svg::default();
            badge(&mut svg, &[[0, 0], [to, 0]], 2);
            let drawn = svg.finish();
            let y = drawn
                .rsplit(" y=\"")
                .next()
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            y.parse::<i64>().unwrap()
        };
        assert_eq!(number(200), 4);
        assert_eq!(number(70), 4 + BESIDE);
    }

    #[test]
    fn heads_point_the_way() {
        let [line, head] = shaft(&[[0, 0], [100, 0]], false, GAP).unwrap();
        assert_eq!(line, "M20 0L67 0");
        assert_eq!(head, "M65 -9L80 0L65 9Z");
    }
}
