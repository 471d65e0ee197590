//! The outline of a lake: what lies in it, and how far a point is from it.

use std::sync::OnceLock;

use super::{
    geometry::{from_box, is_crossed, root, square, to_line},
    rect::Rect,
};

/// How far apart points are at which the room is known: where a lake's name may have its middle.
const STEP: i64 = 16;
/// What whole numbers may be off in the difference of two distances.
const ROUGH: i64 = 5;
/// The most bands of an outline.
const MOST_BANDS: i64 = 128;
/// The most points of a lake at which the room is known: a larger one has its name beside it.
const MOST_SPOTS: i64 = 1 << 18;

/// The closed outline of a lake: its edges, and which of them a level line may cross.
pub(super) struct Shore {
    edges: Vec<([i64; 2], [i64; 2])>,
    /// Edges by the bands of height that they reach, from the top on.
    bands: Vec<Vec<usize>>,
    round: Rect,
    /// How many points [`STEP`] apart the box round it has, across and down.
    spots: [i64; 2],
    /// How high a band is.
    high: i64,
    /// The room at points [`STEP`] apart, row by row.
    rooms: OnceLock<Vec<i64>>,
}

impl Shore {
    /// The outline through these points.
    pub(super) fn new(points: &[[i64; 2]]) -> Self {
        let next = points.iter().cycle().skip(1);
        let edges: Vec<_> = points.iter().copied().zip(next.copied()).collect();
        let round = Rect::of_points(points);
        let spots = [round.w, round.h].map(|long| (long + STEP - 1) / STEP);
        let too_many = spots[0].saturating_mul(spots[1]) > MOST_SPOTS;
        let mut shore = Self {
            edges,
            bands: Vec::new(),
            high: round.h / MOST_BANDS + 1,
            round,
            spots: if too_many { [0; 2] } else { spots },
            rooms: OnceLock::new(),
        };
        for (number, (a, b)) in shore.edges.iter().enumerate() {
            let [first, last] = [a[1].min(b[1]), a[1].max(b[1])].map(|y| shore.band(y));
            for band in first..=last {
                if shore.bands.len() <= band {
                    shore.bands.resize(band + 1, Vec::new());
                }
                if let Some(band) = shore.bands.get_mut(band) {
                    band.push(number);
                }
            }
        }
        shore
    }

    /// The box round it.
    pub(super) fn round(&self) -> Rect {
        self.round
    }

    fn band(&self, y: i64) -> usize {
        usize::try_from((y - self.round.y).div_euclid(self.high)).unwrap_or(usize::MAX)
    }

    /// Returns true if a point lies in it.
    pub(super) fn holds(&self, at: [i64; 2]) -> bool {
        let near = self
            .bands
            .get(self.band(at[1]))
            .map_or(&[][..], Vec::as_slice);
        let near = near.iter().filter_map(|number| self.edges.get(*number));
        near.filter(|(a, b)| is_crossed(*a, *b, at)).count() % 2 == 1
    }

    /// Points over the whole box round it, [`STEP`] apart, each with its room; 0 outside it.
    pub(super) fn spots(&self) -> impl Iterator<Item = ([i64; 2], i64)> {
        self.grid().zip(self.rooms().iter().copied())
    }

    fn grid(&self) -> impl Iterator<Item = [i64; 2]> {
        let step = |from: i64, many: i64| (0..many).map(move |n| from + n * STEP);
        let (Rect { x, y, .. }, [across, down]) = (self.round, self.spots);
        step(y, down).flat_map(move |y| step(x, across).map(move |x| [x, y]))
    }

    fn rooms(&self) -> &[i64] {
        let room = |at| {
            if self.holds(at) {
                self.room(at, -1).unwrap_or(0)
            } else {
                0
            }
        };
        self.rooms.get_or_init(|| self.grid().map(room).collect())
    }

    /// How far a point in it is from it at least and at most, without measuring.
    pub(super) fn room_about(&self, at: [i64; 2]) -> (i64, i64) {
        let (Rect { x, y, .. }, [across, down]) = (self.round, self.spots);
        let nearest = |at: i64, from: i64, many: i64| {
            ((at - from + STEP / 2) / STEP).clamp(0, (many - 1).max(0))
        };
        let (column, row) = (nearest(at[0], x, across), nearest(at[1], y, down));
        let number = usize::try_from(row * across + column);
        let room = number.ok().and_then(|number| self.rooms().get(number));
        let away = root(square(at, [x + column * STEP, y + row * STEP])) + ROUGH;
        room.map_or((0, i64::MAX), |room| (room - away, room + away))
    }

    /// How far a point is from it, if that is more than `least`.
    pub(super) fn room(&self, at: [i64; 2], least: i64) -> Option<i64> {
        let too_near = (least + 1).pow(2);
        let mut nearest = i64::MAX;
        for (a, b) in &self.edges {
            if from_box(at, *a, *b) < nearest {
                nearest = nearest.min(to_line(at, *a, *b));
                if nearest < too_near {
                    return None;
                }
            }
        }
        Some(root(nearest))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::{super::geometry::inside, *};

    const OUTLINE: [[i64; 2]; 9] = [
        [3, 2],
        [90, 7],
        [60, 44],
        [97, 300],
        [55, 300],
        [40, 61],
        [20, 290],
        [-9, 300],
        [12, 40],
    ];

    #[test]
    fn outlines_that_are_asked_much_answer_the_same() {
        let outline = Shore::new(&OUTLINE);
        let ends = || OUTLINE.iter().zip(OUTLINE.iter().cycle().skip(1));
        for at in (-20..120)
            .step_by(3)
            .flat_map(|x| (-20..330).map(move |y| [x, y]))
        {
            assert_eq!(outline.holds(at), inside(&OUTLINE, at), "{at:?}");
            let room = ends().map(|(a, b)| root(to_line(at, *a, *b))).min();
            assert_eq!(outline.room(at, 7), room.filter(|room| *room > 7), "{at:?}");
            let (least, most) = outline.room_about(at);
            let room = room.unwrap();
            let is_right = least <= room && room <= most && most - least <= 3 * STEP + 2 * ROUGH;
            assert!(is_right || !outline.holds(at), "{at:?}");
        }
        for (at, room) in outline.spots() {
            let measured = outline.room(at, -1).filter(|_| outline.holds(at));
            assert_eq!(measured.unwrap_or(0), room);
        }
        let nothing = Shore::new(&[]);
        assert!(!nothing.holds([0, 0]) && nothing.spots().next().is_none());
        let endless = Shore::new(&OUTLINE.map(|at| at.map(|part| part * 1_000_000)));
        assert!(endless.spots().next().is_none());
    }
}
