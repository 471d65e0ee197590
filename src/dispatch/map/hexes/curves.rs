//! Lines that follow hexes: they pass the middles of hexsides and bend at their corners, so that
//! neither a river nor the edge of a wood is a battlement.

use std::collections::{BTreeMap, BTreeSet};

use super::{AROUND, At, centre, corners, side};

/// The outline of a hex as a path.
pub(super) fn outline(flat: bool, at: At) -> String {
    let [first, rest @ ..] = corners(flat, at);
    let mut d = format!("M{} {}", first[0], first[1]);
    for [x, y] in rest {
        d.push_str(&format!("L{x} {y}"));
    }
    d.push('Z');
    d
}

/// The sides of hexes as a path, each side once.
pub(super) fn grid<'a>(flat: bool, all: impl Iterator<Item = &'a At>) -> String {
    let mut drawn = BTreeSet::new();
    let mut d = String::new();
    for at in all {
        let corners = corners(flat, *at);
        let mut pen = None;
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            if !drawn.insert([*from.min(to), *from.max(to)]) {
                continue;
            }
            if pen != Some(from) {
                d.push_str(&format!("M{} {}", from[0], from[1]));
            }
            d.push_str(&format!("L{} {}", to[0], to[1]));
            pen = Some(to);
        }
    }
    d
}

/// The corners of the lines round hexes that lie together, in turn, with the hexes on the right
/// hand.
pub(super) fn loops(flat: bool, all: &[At]) -> Vec<Vec<[i64; 2]>> {
    let inside: BTreeSet<At> = all.iter().copied().collect();
    // From each corner of the rim to the next.
    let mut next: BTreeMap<[i64; 2], [i64; 2]> = BTreeMap::new();
    for at in &inside {
        let around = AROUND.map(|[line, half]| [at[0] + line, at[1] + half]);
        for beside in around.into_iter().filter(|it| !inside.contains(it)) {
            let Some([a, b]) = side(flat, [*at, beside]) else {
                continue;
            };
            let [x, y] = centre(flat, *at);
            let turn = (a[0] - x) * (b[1] - y) - (a[1] - y) * (b[0] - x);
            let [from, to] = if turn > 0 { [a, b] } else { [b, a] };
            next.insert(from, to);
        }
    }
    let mut loops = Vec::new();
    while let Some((from, mut here)) = next.pop_first() {
        let mut corners = vec![from];
        while here != from {
            corners.push(here);
            let Some(to) = next.remove(&here) else { break };
            here = to;
        }
        loops.push(corners);
    }
    loops
}

/// The pieces of a closed line, each round one corner: from the middle of the side before it, past
/// the corner, to the middle of the side after it.
pub(super) fn pieces(corners: &[[i64; 2]]) -> impl Iterator<Item = [[i64; 2]; 3]> {
    let count = corners.len().max(1);
    let at = move |number: usize| corners.get(number % count).copied().unwrap_or_default();
    (1..=corners.len()).map(move |number| {
        let here = at(number);
        [
            middle(at(number - 1), here),
            here,
            middle(here, at(number + 1)),
        ]
    })
}

/// The lines round hexes that lie together, closed, as a path.
pub(super) fn round(flat: bool, all: &[At]) -> String {
    let mut d = String::new();
    for corners in loops(flat, all) {
        for (number, [from, corner, to]) in pieces(&corners).enumerate() {
            if number == 0 {
                d.push_str(&format!("M{} {}", from[0], from[1]));
            }
            d.push_str(&format!("Q{} {} {} {}", corner[0], corner[1], to[0], to[1]));
        }
        d.push('Z');
    }
    d
}

/// The hexsides of a line as a path. It passes the middles of the sides and bends at their corners:
/// a river, no battlement.
pub(super) fn sides<'a>(flat: bool, all: impl Iterator<Item = &'a [At; 2]>) -> String {
    let mut corners: BTreeMap<[i64; 2], BTreeSet<[i64; 2]>> = BTreeMap::new();
    for [a, b] in all.filter_map(|pair| side(flat, *pair)) {
        for corner in [a, b] {
            corners.entry(corner).or_default().insert(middle(a, b));
        }
    }
    let bends = corners.into_iter().map(|(corner, middles)| {
        let middles: Vec<_> = middles.into_iter().collect();
        bend(corner, &middles)
    });
    bends.collect()
}

/// A road through hexes as a path, as far as `inside` has it: it passes the middles of the sides
/// and bends in the hexes.
pub(super) fn road(flat: bool, hexes: &[At], inside: &impl Fn(&At) -> bool) -> String {
    let points: Vec<_> = hexes.iter().map(|at| centre(flat, *at)).collect();
    let mut d = String::new();
    for (number, at) in hexes.iter().enumerate() {
        let before = number.checked_sub(1);
        let beside = [before, Some(number + 1)];
        let near = |beside: &Option<usize>| beside.and_then(|it| hexes.get(it)).is_some_and(inside);
        let Some(here) = points.get(number) else {
            continue;
        };
        if inside(at) || beside.iter().any(near) {
            let others = beside.iter().filter_map(|it| points.get((*it)?));
            let middles: Vec<_> = others.map(|other| middle(*here, *other)).collect();
            d.push_str(&bend(*here, &middles));
        }
    }
    d
}

pub(super) fn middle(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [0, 1].map(|axis: usize| (a[axis] + b[axis]) / 2)
}

/// From one point to the other, drawn towards a third; of one or of many points, straight lines
/// that meet there.
fn bend([x, y]: [i64; 2], ends: &[[i64; 2]]) -> String {
    if let [from, to] = ends {
        return format!("M{} {}Q{x} {y} {} {}", from[0], from[1], to[0], to[1]);
    }
    ends.iter()
        .map(|end| format!("M{} {}L{x} {y}", end[0], end[1]))
        .collect()
}

/// A short way across the side of two hexes.
pub(super) fn across(flat: bool, pair: [At; 2]) -> Option<String> {
    let [a, b] = side(flat, pair)?;
    let [from, to] = pair.map(|at| centre(flat, at));
    let middle = [0, 1].map(|axis: usize| (a[axis] + b[axis]) / 2);
    let part = [0, 1].map(|axis: usize| (to[axis] - from[axis]) / 4);
    Some(format!(
        "M{} {}L{} {}",
        middle[0] - part[0],
        middle[1] - part[1],
        middle[0] + part[0],
        middle[1] + part[1]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn hexes_that_lie_together_have_one_line_round_them() {
        for flat in [false, true] {
            let bends = |all: &[At]| {
                let d = round(flat, all);
                [d.matches('Q').count(), d.matches('Z').count()]
            };
            assert_eq!(bends(&[[4, 4]]), [6, 1]);
            assert_eq!(bends(&[[4, 4], [4, 6]]), [10, 1]);
            assert_eq!(bends(&[[4, 4], [8, 8]]), [12, 2]);
            // A clearing has a line of its own.
            let ring: Vec<At> = AROUND.iter().map(|[a, b]| [4 + a, 8 + b]).collect();
            assert_eq!(bends(&ring), [18 + 6, 2]);
            assert_eq!(bends(&[]), [0, 0]);
        }
    }

    #[test]
    fn each_side_is_drawn_once() {
        assert_eq!(grid(false, [[4, 4]].iter()).matches('L').count(), 6);
        assert_eq!(
            grid(false, [[4, 4], [4, 6], [5, 5]].iter())
                .matches('L')
                .count(),
            15
        );
    }
}
