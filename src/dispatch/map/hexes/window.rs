//! The parts of the map that are drawn in detail: a whole sheet for each group of interest.

use super::{At, shows, steps};

/// Hexes between neighbours of one group.
const LINKED: i64 = 4;
/// Lines and half hexes round a group, and the least that a sheet shows.
const MARGIN: At = [2, 4];
const LEAST: At = [7, 15];
/// Lines and half hexes round a group where there is little room.
const CLOSE: At = [1, 3];
/// From how far away a place that the game is about is still shown with a group.
const AIMED: i64 = 6;
/// The most sheets in a letter; the rest is left to the overview.
const MOST: usize = 10;

/// A thing that the reader wants to see, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dispatch::map) struct Interest {
    pub(in crate::dispatch::map) at: At,
    pub(in crate::dispatch::map) weight: i64,
}

/// Sheets of groups, and the same with no more ground than they need.
pub(super) struct GroupSheets {
    pub(super) windows: Vec<[At; 2]>,
    /// The narrow windows, in the same order; empty without groups.
    pub(super) narrow: Vec<[At; 2]>,
    /// The windows of groups that share no sheet.
    pub(super) apart: Vec<[At; 2]>,
    /// The close windows, with a line of ground round each group.
    pub(super) close: Vec<[At; 2]>,
}

/// The sheets that show all there is to see, none larger than `size`: the weightiest first. Groups
/// that fit one sheet together share it; one that fits none is shown on several. The nearest of the
/// aims, the places that the game is about, comes onto a group's sheet if there is room.
pub(super) fn sheets(map: At, size: At, interests: &[Interest], aims: &[At]) -> GroupSheets {
    if interests.is_empty() || (0..2).all(|axis: usize| map[axis] <= size[axis]) {
        return GroupSheets {
            windows: vec![best(map, size, interests)],
            narrow: Vec::new(),
            apart: Vec::new(),
            close: Vec::new(),
        };
    }
    let mut found: Vec<Vec<Interest>> = Vec::new();
    for mut group in groups(interests) {
        while !fits(&group, size) {
            // A thing on a sheet has ground round it there.
            let inner = [0, 1].map(|axis: usize| size[axis] - 2 * MARGIN[axis]);
            let [from, extent] = best(map, inner, &group);
            let (seen, rest): (Vec<_>, Vec<_>) =
                (group.into_iter()).partition(|it| shows(&[from, extent], it.at));
            // A best window holds something, or this would not end.
            if seen.is_empty() {
                group = rest;
                break;
            }
            found.push(seen);
            group = rest;
        }
        if !group.is_empty() {
            found.push(group);
        }
    }
    let weight = |group: &[Interest]| group.iter().map(|it| it.weight).sum::<i64>();
    let mut alone: Vec<_> = found.iter().collect();
    alone.sort_by_key(|group| std::cmp::Reverse(weight(group)));
    alone.truncate(MOST);
    let apart = alone.iter();
    let apart: Vec<_> = apart
        .map(|group| sheet_round(map, size, group, ([0, 0], MARGIN)))
        .collect();
    let close = alone.iter();
    let close = close
        .map(|group| sheet_round(map, size, group, ([0, 0], CLOSE)))
        .collect();
    let mut joined: Vec<Vec<Interest>> = Vec::new();
    for group in found {
        let together = |other: &&mut Vec<Interest>| {
            let both: Vec<Interest> = other.iter().chain(&group).copied().collect();
            fits(&both, size)
        };
        match joined.iter_mut().find(together) {
            Some(other) => other.extend(group),
            None => joined.push(group),
        }
    }
    joined
        .iter_mut()
        .for_each(|group| with_aim(group, size, aims));
    joined.sort_by_key(|group| std::cmp::Reverse(weight(group)));
    joined.truncate(MOST);
    let round = |least: At| {
        let sheets = joined.iter();
        let sheets = sheets.map(|group| sheet_round(map, size, group, (least, MARGIN)));
        sheets.collect()
    };
    GroupSheets {
        windows: round(LEAST),
        narrow: round([0, 0]),
        apart,
        close,
    }
}

/// Adds the nearest aim to a group, if one sheet has room for both.
fn with_aim(group: &mut Vec<Interest>, size: At, aims: &[At]) {
    let far = |aim: &At| group.iter().map(|it| steps(it.at, *aim)).min();
    let near = aims.iter().filter_map(|aim| Some((far(aim)?, *aim))).min();
    let Some((_, at)) = near.filter(|(far, _)| (1..=AIMED).contains(far)) else {
        return;
    };
    group.push(Interest { at, weight: 0 });
    if !fits(group, size) {
        group.pop();
    }
}

/// Groups of things that stand together, in the order of the first in each.
fn groups(interests: &[Interest]) -> Vec<Vec<Interest>> {
    let mut left = interests.to_vec();
    let mut groups = Vec::new();
    while let Some(first) = left.first().copied() {
        left.remove(0);
        let mut group = vec![first];
        let mut next = 0;
        while let Some(here) = group.get(next).copied() {
            let (near, far) =
                (left.into_iter()).partition::<Vec<_>, _>(|it| steps(here.at, it.at) <= LINKED);
            group.extend(near);
            left = far;
            next += 1;
        }
        groups.push(group);
    }
    groups
}

/// The first and the last of a group on an axis.
fn ends(group: &[Interest], axis: usize) -> [i64; 2] {
    let all = group.iter().map(|it| it.at[axis]);
    [
        all.clone().min().unwrap_or_default(),
        all.max().unwrap_or_default(),
    ]
}

/// Returns true if a group with the ground round it is no larger than a sheet.
fn fits(group: &[Interest], size: At) -> bool {
    (0..2).all(|axis: usize| {
        let [low, high] = ends(group, axis);
        high - low + 1 + 2 * MARGIN[axis] <= size[axis]
    })
}

/// The sheet with a group in its middle, on the map, no smaller than the least size, and with this
/// much ground round the group.
fn sheet_round(map: At, size: At, group: &[Interest], (least, margin): (At, At)) -> [At; 2] {
    let axes = [0, 1].map(|axis: usize| {
        let [low, high] = ends(group, axis);
        let wide = (high - low + 1 + 2 * margin[axis]).max(least[axis]);
        let wide = wide.min(size[axis]).min(map[axis]);
        let from = (low + high + 1 - wide) / 2;
        [from.clamp(0, map[axis] - wide), wide]
    });
    [axes.map(|axis| axis[0]), axes.map(|axis| axis[1])]
}

/// The window of a size that holds the greatest weight, with its contents in its middle; as much of
/// it on the map as fits. Of equal windows the first, line by line.
pub(in crate::dispatch::map) fn best(map: At, size: At, interests: &[Interest]) -> [At; 2] {
    let size = [size[0].min(map[0]), size[1].min(map[1])];
    let last = [map[0] - size[0], map[1] - size[1]];
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
        // What the lines show is looked at once for all windows on them.
        let shown = *line..*line + size[0];
        let on_lines = interests.iter().filter(|it| shown.contains(&it.at[0]));
        let on_lines: Vec<_> = on_lines.collect();
        for half in &halves {
            let from = [*line, *half];
            let inside = on_lines.iter().filter(|it| shows(&[from, size], it.at));
            let weight: i64 = inside.map(|it| it.weight).sum();
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
        .filter(|it| it.weight > 0 && shows(&[from, size], it.at))
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
    fn every_group_has_a_sheet_that_holds_it_whole() {
        let (map, size) = ([60, 120], [15, 31]);
        let (near, far) = ([30, 60], [5, 9]);
        let all = [
            interest(near[0], near[1], 6),
            interest(near[0] + 2, near[1] + 4, 1),
            interest(far[0], far[1], 1),
            interest(58, 118, 1),
        ];
        let GroupSheets {
            windows, narrow, ..
        } = sheets(map, size, &all, &[]);
        let sheets = windows;
        assert_eq!(sheets.len(), 3, "{sheets:?}");
        for ([from, extent], [inner, least]) in sheets.iter().zip(&narrow) {
            assert!((0..2).all(|axis: usize| from[axis] <= inner[axis]
                && inner[axis] + least[axis] <= from[axis] + extent[axis]));
        }
        assert_eq!(narrow.len(), sheets.len());
        // Two lines of ground round it, or the edge of the map.
        assert!(narrow.contains(&[[3, 5], [5, 9]]), "{narrow:?}");
        assert!(shows(&sheets[0], near), "the weightiest is first");
        for it in &all {
            let shown = |sheet: &[At; 2]| shows(sheet, it.at);
            assert_eq!(
                sheets.iter().filter(|sheet| shown(sheet)).count(),
                1,
                "{it:?}"
            );
        }
        for [from, extent] in &sheets {
            assert!((0..2).all(|axis: usize| from[axis] >= 0
                && from[axis] + extent[axis] <= map[axis]
                && extent[axis] <= size[axis]));
        }
        assert_eq!(sheets[0][0], [near[0] + 1 - 3, near[1] + 2 - 7]);
    }

    #[test]
    fn long_lines_take_several_sheets_and_neighbours_share_one() {
        let line: Vec<_> = (0..12).map(|at| interest(3 + 4 * at, 60, 1)).collect();
        let sheets_of_it = sheets([60, 120], [15, 31], &line, &[]).windows;
        assert!(sheets_of_it.len() > 1);
        for it in &line {
            assert!(sheets_of_it.iter().any(|sheet| shows(sheet, it.at)));
        }
        let two = [interest(20, 40, 1), interest(26, 40, 1)];
        let two = sheets([60, 120], [15, 31], &two, &[]);
        assert_eq!((two.windows.len(), two.apart.len()), (1, 2));
    }

    #[test]
    fn a_small_map_is_shown_whole_and_an_empty_one_in_its_middle() {
        assert_eq!(
            best([5, 9], [10, 20], &[interest(4, 8, 1)]),
            [[0, 0], [5, 9]]
        );
        assert_eq!(best([20, 40], [10, 20], &[]), [[5, 10], [10, 20]]);
    }

    #[test]
    fn the_nearest_aim_comes_onto_the_sheet_if_there_is_room() {
        let (map, size) = ([60, 120], [15, 31]);
        let group = [interest(30, 60, 1)];
        let (near, farther, beyond) = ([34, 60], [25, 60], [40, 60]);
        let of = |aims: &[At]| sheets(map, size, &group, aims).narrow;
        let sheet = of(&[farther, near, beyond]);
        assert_eq!(sheet.len(), 1);
        assert!(shows(&sheet[0], near) && shows(&sheet[0], group[0].at));
        assert!(!shows(&sheet[0], farther));
        assert_eq!(of(&[beyond]), of(&[]));
        // It stands on one.
        assert_eq!(of(&[group[0].at, near]), of(&[]));
        let narrow = sheets(map, [7, 13], &group, &[near]).narrow;
        assert_eq!(narrow, sheets(map, [7, 13], &group, &[]).narrow);
    }
}
