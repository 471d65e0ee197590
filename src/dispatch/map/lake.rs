//! The places in a lake where its name may stand. Each letter with a map asks for them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use super::{rect::Rect, shore::Shore};

/// The most lakes that are kept.
const KEPT: usize = 32;
/// The most names whose places are kept with a lake: some sizes in some languages.
const MOST_NAMES: usize = 16;

/// Directions in which a lake's name may run: every fifteen degrees, level first.
const WAYS: [[i64; 2]; 12] = [
    [100, 0],
    [97, -26],
    [97, 26],
    [87, -50],
    [87, 50],
    [71, -71],
    [71, 71],
    [50, -87],
    [50, 87],
    [26, -97],
    [26, 97],
    [0, -100],
];
/// Where along a name the distance to the shore is measured, in sixths of its width from the
/// middle; the ends first, since most places fail there.
const PARTS: [i64; 7] = [-3, 3, -2, 2, -1, 1, 0];
/// The most places that are kept for a name: one that finds none of them free is set smaller.
const MOST: usize = 1 << 10;

/// A lake with the places that were looked for in it.
pub(super) struct Lake {
    points: Vec<[i64; 2]>,
    shore: Shore,
    /// By the size and the width of a name.
    berths: Mutex<BTreeMap<[i64; 2], Arc<[Berth]>>>,
}

impl Lake {
    /// The lake with this outline. Those asked for last are kept: letters of a campaign show the
    /// same lakes again and again.
    pub(super) fn of(points: &[[i64; 2]]) -> Arc<Self> {
        static LAST: Mutex<VecDeque<Arc<Lake>>> = Mutex::new(VecDeque::new());
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.iter().position(|lake| lake.points == points);
        let known = known.and_then(|known| last.remove(known));
        let lake = known.unwrap_or_else(|| {
            Arc::new(Self {
                points: points.to_vec(),
                shore: Shore::new(points),
                berths: Mutex::default(),
            })
        });
        last.push_front(Arc::clone(&lake));
        last.truncate(KEPT);
        lake
    }

    /// The box round it.
    pub(super) fn round(&self) -> Rect {
        self.shore.round()
    }

    /// Where a name of a size and a width may stand in it: the roomiest place first; of equal ones
    /// that which lies higher, further to the left, or is more level.
    pub(super) fn berths(&self, size: i64, wide: i64) -> Arc<[Berth]> {
        let mut known = self.berths.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_NAMES && !known.contains_key(&[size, wide]) {
            known.clear();
        }
        let berths = known.entry([size, wide]);
        Arc::clone(berths.or_insert_with(|| berths_of(&self.shore, size, wide)))
    }
}

/// The roomiest places: the middles with most room are tried first, and none is looked at that
/// can't be among the best any more.
fn berths_of(shore: &Shore, size: i64, wide: i64) -> Arc<[Berth]> {
    let enough = size * 7 / 10 + 1;
    let mut spots: Vec<_> = shore.spots().enumerate().collect();
    spots.sort_by_key(|(_, (_, middle))| Reverse(*middle));
    // The worst of the best comes out first; of equal ones the first is best.
    let mut best: BinaryHeap<Reverse<(i64, Reverse<usize>, Berth)>> = BinaryHeap::new();
    for (number, (at, middle)) in spots {
        for (turn, way) in WAYS.into_iter().enumerate() {
            let number = number * WAYS.len() + turn;
            let worst = best.peek().filter(|_| best.len() >= MOST);
            let least = worst.map_or(enough, |Reverse((room, Reverse(last), _))| {
                room + i64::from(number > *last)
            });
            if middle < least {
                break;
            }
            let berth = Berth {
                at,
                way,
                size,
                wide,
            };
            if let Some(room) = berth.room(shore, middle, least - 1) {
                best.push(Reverse((room, Reverse(number), berth)));
            }
            if best.len() > MOST {
                best.pop();
            }
        }
    }
    let best = best.into_sorted_vec().into_iter();
    best.map(|Reverse((_, _, berth))| berth).collect()
}

/// A place in a lake where a name may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Berth {
    /// The middle of the name.
    pub(super) at: [i64; 2],
    /// The direction of its line; of any length.
    pub(super) way: [i64; 2],
    size: i64,
    wide: i64,
}

impl Berth {
    /// Returns true if nothing that is taken lies on it.
    pub(super) fn is_free(&self, taken: &[Rect]) -> bool {
        self.letters().all(|at| {
            let spot = Rect::round(at[0], at[1], self.size, self.size);
            taken.iter().all(|rect| rect.shared(&spot) == 0)
        })
    }

    fn letters(&self) -> impl Iterator<Item = [i64; 2]> {
        PARTS.into_iter().map(|part| {
            [0, 1].map(|axis: usize| self.at[axis] + self.way[axis] * self.wide * part / 600)
        })
    }

    /// How far all of it stays from the shore, if it lies in the lake and that is more than
    /// `least`. Its middle has the room `middle`.
    fn room(&self, shore: &Shore, middle: i64, least: i64) -> Option<i64> {
        self.letters().try_fold(middle, |room, at| {
            let (nearest, farthest) = shore.room_about(at);
            if farthest <= least || !shore.holds(at) {
                return None;
            }
            if nearest >= room {
                return Some(room);
            }
            shore.room(at, least).map(|stays| room.min(stays))
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    const BAY: [[i64; 2]; 6] = [
        [0, 0],
        [400, 20],
        [380, 160],
        [200, 120],
        [190, 500],
        [10, 420],
    ];

    #[test]
    fn the_roomiest_places_come_first_and_all_are_found() {
        let lake = Lake::of(&BAY);
        for (size, wide) in [(16, 60), (24, 90), (40, 900)] {
            let berths = lake.berths(size, wide);
            let room = |berth: &Berth| {
                let rooms = berth.letters().map(|at| {
                    assert!(lake.shore.holds(at), "{at:?}");
                    lake.shore.room(at, -1).unwrap()
                });
                rooms.min().unwrap()
            };
            let least = size * 7 / 10;
            let mut all: Vec<_> = lake
                .shore
                .spots()
                .flat_map(|(at, _)| {
                    WAYS.map(|way| Berth {
                        at,
                        way,
                        size,
                        wide,
                    })
                })
                .filter(|berth| berth.letters().all(|at| lake.shore.holds(at)))
                .filter(|berth| room(berth) > least)
                .collect();
            all.sort_by_key(|berth| Reverse(room(berth)));
            all.truncate(MOST);
            assert_eq!(berths[..], all[..]);
            assert_eq!(berths.is_empty(), wide == 900);
        }
    }

    #[test]
    fn lakes_asked_for_last_are_kept_with_what_was_found() {
        let lake = Lake::of(&BAY);
        assert!(Arc::ptr_eq(&lake, &Lake::of(&BAY)));
        let first = lake.berths(16, 60);
        for (_, wide) in (1..MOST_NAMES).zip(61..) {
            lake.berths(16, wide);
        }
        assert!(
            Arc::ptr_eq(&first, &lake.berths(16, 60)),
            "a known one drives nothing out"
        );
        lake.berths(16, 600);
        assert!(!Arc::ptr_eq(&first, &lake.berths(16, 60)));
        let endless = BAY.map(|at| at.map(|part| part * 1_000_000));
        assert!(Lake::of(&endless).berths(16, 60).is_empty());
    }
}
