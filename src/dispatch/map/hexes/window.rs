//! Which part of the map is drawn in detail: the window that holds most of what matters.

use super::At;

/// A thing that the reader wants to see, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interest {
    pub(super) at: At,
    pub(super) weight: i64,
}

/// The window of a size that holds the greatest weight, with what it holds in its middle; as much
/// of it on the map as fits. Of equal windows the first, line by line.
pub(super) fn best(map: At, size: At, interests: &[Interest]) -> [At; 2] {
    let size = [size[0].min(map[0]), size[1].min(map[1])];
    let last = [map[0] - size[0], map[1] - size[1]];
    let holds = |from: At, at: At| {
        (0..2).all(|axis: usize| (from[axis]..from[axis] + size[axis]).contains(&at[axis]))
    };
    let weight = |from: At| -> i64 {
        let inside = interests.iter().filter(|it| holds(from, it.at));
        inside.map(|it| it.weight).sum()
    };
    // A best window has something on its first line and on its first half hex, or it could be moved
    // until it has.
    let starts = |axis: usize| {
        let mut starts: Vec<i64> = interests
            .iter()
            .map(|it| it.at[axis].clamp(0, last[axis]))
            .collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    };
    let (lines, halves) = (starts(0), starts(1));
    let mut found: Option<(i64, At)> = None;
    for line in &lines {
        for half in &halves {
            let from = [*line, *half];
            let weight = weight(from);
            if found.is_none_or(|(best, _)| weight > best) {
                found = Some((weight, from));
            }
        }
    }
    let Some((_, from)) = found else {
        return [[last[0] / 2, last[1] / 2], size];
    };
    let inside: Vec<At> = interests
        .iter()
        .filter(|it| it.weight > 0 && holds(from, it.at))
        .map(|it| it.at)
        .collect();
    let middle = [0, 1].map(|axis: usize| {
        let ends = inside.iter().map(|at| at[axis]);
        let (low, high) = (ends.clone().min(), ends.max());
        let centre = low
            .zip(high)
            .map_or(from[axis] + size[axis] / 2, |(a, b)| (a + b) / 2);
        (centre - size[axis] / 2).clamp(0, last[axis])
    });
    [middle, size]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interest(line: i64, half: i64, weight: i64) -> Interest {
        Interest {
            at: [line, half],
            weight,
        }
    }

    #[test]
    fn the_window_holds_the_greatest_weight_in_its_middle() {
        let far = interest(2, 2, 3);
        let near = [interest(30, 40, 2), interest(34, 44, 2)];
        let window = best([60, 120], [10, 20], &[far, near[0], near[1]]);
        assert_eq!(window, [[27, 32], [10, 20]]);
        assert_eq!(best([60, 120], [10, 20], &[far]), [[0, 0], [10, 20]]);
    }

    #[test]
    fn a_small_map_is_shown_whole_and_an_empty_one_in_its_middle() {
        assert_eq!(
            best([5, 9], [10, 20], &[interest(4, 8, 1)]),
            [[0, 0], [5, 9]]
        );
        assert_eq!(best([20, 40], [10, 20], &[]), [[5, 10], [10, 20]]);
    }
}
