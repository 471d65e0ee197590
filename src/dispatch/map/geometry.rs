//! Distances and outlines, in whole numbers.

use super::rect::Rect;

/// The square of the distance between two points.
pub(super) fn square(a: [i64; 2], b: [i64; 2]) -> i64 {
    (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2)
}

/// The whole root of a square.
pub(super) fn root(square: i64) -> i64 {
    square.max(0).isqrt()
}

/// The square of the distance of a point from a line between two ends.
pub(super) fn to_line(at: [i64; 2], a: [i64; 2], b: [i64; 2]) -> i64 {
    let long = square(a, b).max(1);
    let along = (at[0] - a[0]) * (b[0] - a[0]) + (at[1] - a[1]) * (b[1] - a[1]);
    let along = along.clamp(0, long);
    square(
        at,
        [
            a[0] + (b[0] - a[0]) * along / long,
            a[1] + (b[1] - a[1]) * along / long,
        ],
    )
}

/// Returns true if a point is no further than this from a line between two ends. Most are found to
/// be without a division.
pub(super) fn is_near(at: [i64; 2], a: [i64; 2], b: [i64; 2], reach: i64) -> bool {
    from_box(at, a, b) <= reach * reach && to_line(at, a, b) <= reach * reach
}

/// The square of the distance from a point to the upright box round two ends, which is at most the
/// distance to the line between them.
pub(super) fn from_box([x, y]: [i64; 2], [ax, ay]: [i64; 2], [bx, by]: [i64; 2]) -> i64 {
    let beside = (ax.min(bx) - x).max(x - ax.max(bx)).max(0);
    let above = (ay.min(by) - y).max(y - ay.max(by)).max(0);
    beside * beside + above * above
}

/// Returns true if a level line from a point to the right crosses an edge.
pub(super) fn is_crossed(a: [i64; 2], b: [i64; 2], [x, y]: [i64; 2]) -> bool {
    (a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1])
}

/// Returns true if a point lies in a closed outline.
pub(super) fn inside(outline: &[[i64; 2]], at: [i64; 2]) -> bool {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = ends.filter(|(a, b)| is_crossed(**a, **b, at));
    crossed.count() % 2 == 1
}

/// The part of an area that lies in a rectangle, its edges drawn along the rectangle's (Sutherland
/// and Hodgman); empty if there is none.
pub(super) fn area_in(outline: &[[i64; 2]], seen: &Rect) -> Vec<[i64; 2]> {
    let mut points = outline.to_vec();
    for (axis, edge, sign) in edges(seen) {
        let inside = |at: [i64; 2]| sign * (at[axis] - edge) >= 0;
        let mut kept = Vec::with_capacity(points.len() + 4);
        let ends = points.iter().zip(points.iter().cycle().skip(1));
        for (a, b) in ends {
            if inside(*a) {
                kept.push(*a);
            }
            if inside(*a) != inside(*b) {
                kept.push(crossing(*a, *b, axis, edge));
            }
        }
        points = kept;
    }
    points
}

/// The parts of a line that lie in a rectangle.
pub(super) fn lines_in(line: &[[i64; 2]], seen: &Rect) -> Vec<Vec<[i64; 2]>> {
    let mut pieces: Vec<Vec<[i64; 2]>> = Vec::new();
    for ends in line.windows(2) {
        let &[mut a, mut b] = ends else { continue };
        let mut is_seen = true;
        for (axis, edge, sign) in edges(seen) {
            let inside = |at: [i64; 2]| sign * (at[axis] - edge) >= 0;
            match (inside(a), inside(b)) {
                (true, true) => {}
                (true, false) => b = crossing(a, b, axis, edge),
                (false, true) => a = crossing(a, b, axis, edge),
                (false, false) => is_seen = false,
            }
        }
        if !is_seen {
            continue;
        }
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&a) => piece.push(b),
            _ => pieces.push(vec![a, b]),
        }
    }
    pieces
}

/// The edges of a rectangle: the axis that each crosses, where, and the side that is inside.
fn edges(seen: &Rect) -> [(usize, i64, i64); 4] {
    [
        (0, seen.x, 1),
        (0, seen.x + seen.w, -1),
        (1, seen.y, 1),
        (1, seen.y + seen.h, -1),
    ]
}

/// Where the line between two points, one on each side of an edge, crosses it.
fn crossing(a: [i64; 2], b: [i64; 2], axis: usize, edge: i64) -> [i64; 2] {
    let other = 1 - axis;
    let along = (edge - a[axis]) * (b[other] - a[other]) / (b[axis] - a[axis]);
    let mut at = [edge; 2];
    at[other] = a[other] + along;
    at
}

/// Points every twelve points along a line.
pub(super) fn spread(line: &[[i64; 2]]) -> Vec<[i64; 2]> {
    let mut points = Vec::new();
    for ends in line.windows(2) {
        let &[a, b] = ends else { continue };
        let steps = (root(square(a, b)) / 12).max(1);
        points
            .extend((0..steps).map(|step| {
                [0, 1].map(|axis: usize| a[axis] + (b[axis] - a[axis]) * step / steps)
            }));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_outlines() {
        let outline = [[0, 0], [10, 0], [10, 10], [0, 10]];
        assert!(inside(&outline, [5, 5]));
        assert!(!inside(&outline, [15, 5]));
        assert_eq!(to_line([5, 3], [0, 0], [10, 0]), 9);
    }

    #[test]
    fn what_is_far_is_found_without_measuring() {
        let lines = [([0, 0], [100, 40]), ([100, 40], [30, 90]), ([7, 7], [7, 7])];
        for x in (-60..160).step_by(7) {
            for y in (-60..160).step_by(9) {
                let at = [x, y];
                for (a, b) in lines {
                    assert_eq!(is_near(at, a, b, 25), to_line(at, a, b) <= 25 * 25);
                }
            }
        }
    }

    #[test]
    fn what_is_beyond_the_edge_is_cut_off() {
        let seen = Rect {
            x: 0,
            y: 0,
            w: 10,
            h: 10,
        };
        let square = [[-5, 2], [20, 2], [20, 30], [-5, 30]];
        assert_eq!(
            area_in(&square, &seen),
            [[0, 2], [10, 2], [10, 10], [0, 10]]
        );
        assert_eq!(area_in(&[[20, 20], [30, 20], [30, 30]], &seen), [[0; 2]; 0]);
        let line = [[5, -5], [5, 5], [15, 5], [15, 8], [5, 8]];
        assert_eq!(
            lines_in(&line, &seen),
            [vec![[5, 0], [5, 5], [10, 5]], vec![[10, 8], [5, 8]]]
        );
        assert!(lines_in(&[[-9, -1], [20, -1]], &seen).is_empty());
    }

    #[test]
    fn lines_are_spread_evenly() {
        assert_eq!(spread(&[[0, 0], [36, 0]]), [[0, 0], [12, 0], [24, 0]]);
    }
}
