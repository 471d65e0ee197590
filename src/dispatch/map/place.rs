//! Places labels and stacks so that they don't overlap: simply, and always in the same way.
//!
//! Every item has a few possible places around its space. Each takes the cheapest, given what is
//! there already; two more rounds let earlier items make room for later ones.

use super::geometry::{root, square};
pub(super) use super::rect::Rect;

/// An item to be placed near a space.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The space's point.
    pub(super) at: [i64; 2],
    /// The size of the item.
    pub(super) size: [i64; 2],
    /// How far its nearest edge stays from the point, at least.
    pub(super) gap: i64,
    /// How much further it may go, in steps; labels stay close.
    pub(super) steps: i64,
    /// The cost of covering it with something else.
    pub(super) weight: i64,
    /// The cost of covering roads.
    pub(super) ink: i64,
    /// True if it must not come near other spaces, where a name would be read as theirs.
    pub(super) shy: bool,
}

/// Directions in the order of preference, times 100: right, left, below, above, then the corners.
const DIRECTIONS: [[i64; 2]; 16] = [
    [100, 0],
    [0, 100],
    [0, -100],
    [-100, 0],
    [80, 60],
    [80, -60],
    [-80, 60],
    [-80, -60],
    [45, 89],
    [45, -89],
    [-45, 89],
    [-45, -89],
    [95, 30],
    [95, -30],
    [-95, 30],
    [-95, -30],
];
/// How far a step goes.
const STEP: i64 = 16;
/// The cost of sharing a point of area with something that may not be covered.
const COVER: i64 = 12;
/// The cost of leaving the picture, for each point of area.
const OUTSIDE: i64 = 400;

/// The cost of crossing another thing with the line to the space, for each eight points.
const CROSS: i64 = 500;
/// The cost of a name whose middle is hardly nearer to its own space than to another, for each
/// point of distance.
const MISTAKEN: i64 = 40;
/// How much nearer it should be.
const NEARER: i64 = 12;
/// How far from an item other things should stay.
const ROUND: i64 = 3;

/// The items already on the map.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// The edge of the picture.
    pub(super) page: Rect,
    /// Things that stay where they are, with their weights.
    pub(super) fixed: Vec<(Rect, i64)>,
    /// The points of all spaces.
    pub(super) spaces: Vec<[i64; 2]>,
    /// Roads and rivers.
    pub(super) ink: Ink,
}

impl Board {
    /// A place for each item, in the order of the items.
    pub(super) fn place(&self, items: &[Item]) -> Vec<Rect> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        let size = |item: &Item| item.weight * item.size[0] * item.size[1];
        order.sort_by_key(|&number| std::cmp::Reverse(items.get(number).map_or(0, size)));
        let mut placed: Vec<Option<Rect>> = vec![None; items.len()];
        // What lay near an item when its place was chosen: as long as that is so, it stays there.
        let mut known: Vec<Option<Vec<(Rect, i64)>>> = vec![None; items.len()];
        for _ in 0..3 {
            for &number in &order {
                let Some(item) = items.get(number) else {
                    continue;
                };
                let others = (placed.iter().zip(items).enumerate())
                    .filter(|(other, _)| *other != number)
                    .filter_map(|(_, (rect, item))| Some(((*rect)?, item.weight)));
                let reach = reach(item);
                let near: Vec<_> = (self.fixed.iter().copied().chain(others))
                    .filter(|(rect, _)| rect.shared(&reach) > 0)
                    .collect();
                let (Some(place), Some(known)) = (placed.get_mut(number), known.get_mut(number))
                else {
                    continue;
                };
                if known.as_ref() != Some(&near) {
                    *place = self.best(item, &near);
                    *known = Some(near);
                }
            }
        }
        placed.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// The place that costs least, of what lies near with its weight; the way to it is looked at
    /// only where the place itself is good enough.
    fn best(&self, item: &Item, near: &[(Rect, i64)]) -> Option<Rect> {
        let mut best: Option<(i64, Rect)> = None;
        for (rect, own) in candidates(item) {
            let most = best.map_or(i64::MAX, |(least, _)| least);
            // The further, the dearer, and things that lie there never make a place cheaper.
            if own >= most {
                break;
            }
            let cost = self
                .cost(item, &rect, near, most - own)
                .map(|cost| own + cost + way(item, &rect, near));
            if let Some(cost) = cost.filter(|cost| *cost < most) {
                best = Some((cost, rect));
            }
        }
        best.map(|(_, rect)| rect)
    }

    /// What an item costs there, if that is less than `most`.
    fn cost(&self, item: &Item, rect: &Rect, near: &[(Rect, i64)], most: i64) -> Option<i64> {
        let wide = rect.grown(ROUND);
        let outside = wide.w * wide.h - wide.shared(&self.page);
        let mut cost = outside * OUTSIDE + self.ink.under(rect) * item.ink;
        for (other, weight) in near {
            if cost >= most {
                return None;
            }
            cost += wide.shared(other) * weight * COVER;
        }
        if item.shy && cost < most {
            cost += self.mistaken(item, rect);
        }
        (cost < most).then_some(cost)
    }

    /// The cost of a name that could be read as that of other spaces.
    fn mistaken(&self, item: &Item, rect: &Rect) -> i64 {
        let middle = [rect.x + rect.w / 2, rect.y + rect.h / 2];
        let own = root(square(middle, item.at)) + NEARER;
        let others = self.spaces.iter().filter(|space| **space != item.at);
        let distances = others.map(|space| square(middle, *space));
        let nearer = distances.filter(|distance| *distance < own * own);
        nearer.map(|distance| own - root(distance)).sum::<i64>() * MISTAKEN
    }
}

/// The cost of a line from an item to its space that crosses other things.
fn way(item: &Item, rect: &Rect, near: &[(Rect, i64)]) -> i64 {
    let (from, to) = (rect.nearest(item.at), item.at);
    let reach = (to[0] - from[0]).abs().max((to[1] - from[1]).abs());
    let steps = reach / CELL;
    let own = Rect::round(to[0], to[1], 2 * item.gap, 2 * item.gap);
    let crossed = (1..steps).map(|step| {
        let [x, y] = [0, 1].map(|axis: usize| from[axis] + (to[axis] - from[axis]) * step / steps);
        let spot = Rect::round(x, y, 4, 4);
        let hit = |(other, _): &&(Rect, i64)| other.shared(&spot) > 0;
        let free = own.shared(&spot) > 0;
        if free {
            0
        } else {
            near.iter().filter(hit).count()
        }
    });
    crossed
        .filter_map(|hits| i64::try_from(hits).ok())
        .sum::<i64>()
        * CROSS
}

/// Everything that an item may cover or cross.
fn reach(item: &Item) -> Rect {
    let [wide, high] = item.size;
    let far = item.gap + item.steps * STEP + wide.max(high) + ROUND;
    Rect::round(item.at[0], item.at[1], 2 * far, 2 * far)
}

/// The places that an item may take, each with its own cost, which grows from one to the next.
fn candidates(item: &Item) -> impl Iterator<Item = (Rect, i64)> + '_ {
    (0..=item.steps).flat_map(move |step| {
        DIRECTIONS.iter().enumerate().map(move |(rank, [dx, dy])| {
            let reach = item.gap + step * STEP;
            let [w, h] = item.size;
            // The nearest edge lies at the reach: the centre is half the size further, by
            // direction.
            let half = |way: i64, size: i64| (way * 2).clamp(-100, 100) * size / 200;
            let x = item.at[0] + dx * reach / 100 + half(*dx, w);
            let y = item.at[1] + dy * reach / 100 + half(*dy, h);
            let rank = i64::try_from(rank).unwrap_or(0);
            (
                Rect::round(x, y, w, h),
                rank * 12 + step * step * 90 + step * 240,
            )
        })
    })
}

/// Side of a cell of the ink.
const CELL: i64 = 8;

/// Where roads and rivers run, in cells, as sums from the corner: how much lies under a rectangle
/// is four look-ups.
#[derive(Clone, Debug)]
pub(super) struct Ink {
    wide: usize,
    sums: Vec<i64>,
}

impl Ink {
    /// The ink of lines with their weights on a board of a size.
    pub(super) fn of(width: i64, height: i64, lines: &[([i64; 2], [i64; 2], i64)]) -> Self {
        let cells = |size: i64| usize::try_from(size / CELL + 2).unwrap_or(2);
        let (wide, high) = (cells(width), cells(height));
        let mut sums = vec![0; wide * high];
        for (a, b, weight) in lines {
            let reach = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
            let steps = (reach / CELL).max(1);
            for step in 0..=steps {
                let [x, y] = [0, 1].map(|axis: usize| a[axis] + (b[axis] - a[axis]) * step / steps);
                if let (Ok(x), Ok(y)) = (usize::try_from(x / CELL), usize::try_from(y / CELL))
                    && x + 1 < wide
                    && let Some(cell) = sums.get_mut((y + 1) * wide + x + 1)
                {
                    *cell += weight;
                }
            }
        }
        for place in wide..sums.len() {
            if !place.is_multiple_of(wide) {
                sums[place] += sums[place - 1] + sums[place - wide] - sums[place - wide - 1];
            }
        }
        Self { wide, sums }
    }

    /// The weight of what lies under a rectangle.
    fn under(&self, rect: &Rect) -> i64 {
        let high = self.sums.len() / self.wide.max(1);
        let cell = |at: i64, most: usize| {
            usize::try_from(at.max(0) / CELL)
                .unwrap_or(0)
                .min(most.saturating_sub(1))
        };
        let (left, right) = (
            cell(rect.x, self.wide),
            cell(rect.x + rect.w + CELL, self.wide),
        );
        let (top, bottom) = (cell(rect.y, high), cell(rect.y + rect.h + CELL, high));
        let sum = |x: usize, y: usize| self.sums.get(y * self.wide + x).copied().unwrap_or(0);
        sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(at: [i64; 2]) -> Item {
        Item {
            at,
            size: [60, 20],
            gap: 10,
            steps: 6,
            weight: 1,
            ink: 1,
            shy: false,
        }
    }

    fn board(ink: Ink) -> Board {
        Board {
            page: PAGE,
            fixed: Vec::new(),
            spaces: Vec::new(),
            ink,
        }
    }

    const PAGE: Rect = Rect {
        x: 0,
        y: 0,
        w: 400,
        h: 400,
    };

    #[test]
    fn items_of_one_space_keep_apart() {
        let board = board(Ink::of(400, 400, &[]));
        let items = vec![item([200, 200]); 6];
        let placed = board.place(&items);
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[i + 1..] {
                assert_eq!(a.shared(b), 0, "{a:?} {b:?}");
            }
        }
        assert_eq!(placed, board.place(&items));
    }

    #[test]
    fn places_get_dearer_from_one_to_the_next() {
        let costs: Vec<i64> = candidates(&item([0, 0])).map(|(_, cost)| cost).collect();
        assert!(costs.is_sorted(), "{costs:?}");
    }

    #[test]
    fn items_stay_in_the_picture() {
        let placed = board(Ink::of(400, 400, &[])).place(&[item([395, 200])]);
        assert_eq!(placed[0].shared(&PAGE), 60 * 20);
    }

    #[test]
    fn ink_is_found_where_it_lies() {
        let ink = Ink::of(400, 400, &[([0, 100], [399, 100], 5)]);
        assert_eq!(
            ink.under(&Rect {
                x: 40,
                y: 200,
                w: 100,
                h: 40
            }),
            0
        );
        assert!(
            ink.under(&Rect {
                x: 40,
                y: 80,
                w: 100,
                h: 40
            }) > 0
        );
    }

    #[test]
    fn names_keep_away_from_other_spaces() {
        let near = Board {
            spaces: vec![[200, 200], [260, 200]],
            ..board(Ink::of(400, 400, &[]))
        };
        let shy = Item {
            shy: true,
            ..item([200, 200])
        };
        assert!(near.place(&[item([200, 200])])[0].x > 200);
        assert!(near.place(&[shy])[0].x < 200);
    }

    #[test]
    fn labels_keep_off_roads() {
        let ink = Ink::of(400, 400, &[([200, 200], [399, 200], 40)]);
        let placed = board(ink).place(&[item([200, 200])]);
        assert!(placed[0].y > 200 || placed[0].y + 20 < 200 || placed[0].x < 200);
    }
}
