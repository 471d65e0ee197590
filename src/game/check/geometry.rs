//! Whether two lines cross, in integer arithmetic.

/// A point: latitude and longitude in degrees times 1000.
pub(super) type Point = [i64; 2];

/// Returns true if a segment touches or crosses a line; a closed line joins its ends.
pub(super) fn crosses(segment: [Point; 2], line: &[Point], closed: bool) -> bool {
    let closing = line.last().zip(line.first()).filter(|_| closed);
    let pairs = line.iter().zip(line.iter().skip(1));
    pairs
        .chain(closing)
        .any(|(&a, &b)| segments_meet(segment, [a, b]))
}

fn segments_meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let apart = |low: usize| {
        let span = |p: Point, q: Point| {
            let (p, q) = (p.get(low).copied(), q.get(low).copied());
            (p.min(q), p.max(q))
        };
        let ((first, last), (from, to)) = (span(a, b), span(c, d));
        last < from || to < first
    };
    !apart(0)
        && !apart(1)
        && side(a, b, c) * side(a, b, d) <= 0
        && side(c, d, a) * side(c, d, b) <= 0
}

/// On which side of the line from `a` to `b` a point lies: 1, -1, or 0 on the line.
fn side(a: Point, b: Point, c: Point) -> i64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cross_touch_or_miss() {
        let road = [[0, 0], [10, 10]];
        assert!(crosses(road, &[[0, 10], [10, 0]], false));
        assert!(
            crosses(road, &[[5, 5], [9, 0]], false),
            "an end on the road touches it"
        );
        assert!(!crosses(road, &[[0, 1], [9, 10]], false), "parallel");
        assert!(
            !crosses(road, &[[11, 11], [20, 20]], false),
            "on the same line, beyond its end"
        );
    }

    #[test]
    fn an_outline_is_closed() {
        let road = [[0, 0], [10, 0]];
        let open_side = [[-5, 5], [-5, 9], [5, 9], [5, -5]];
        assert!(crosses(road, &open_side, true));
        let elsewhere = [[-5, -5], [-5, 9], [20, 9], [20, 5]];
        assert!(!crosses(road, &elsewhere, false));
        assert!(
            crosses(road, &elsewhere, true),
            "only the closing line crosses the road"
        );
    }
}
