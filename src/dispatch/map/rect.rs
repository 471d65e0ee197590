//! Rectangles of a picture.

/// A rectangle of the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) w: i64,
    pub(super) h: i64,
}

impl Rect {
    /// The rectangle of a size round a point.
    pub(super) fn round(x: i64, y: i64, w: i64, h: i64) -> Self {
        Self {
            x: x - w / 2,
            y: y - h / 2,
            w,
            h,
        }
    }

    /// The smallest rectangle that holds all these points; an empty one at the origin if there are
    /// none.
    pub(super) fn of_points(points: &[[i64; 2]]) -> Self {
        let span = |axis: usize| {
            let values = || points.iter().map(|point| point[axis]);
            let ends = values().min().zip(values().max());
            ends.map_or((0, 0), |(low, high)| (low, high - low))
        };
        let ((x, w), (y, h)) = (span(0), span(1));
        Self { x, y, w, h }
    }

    /// Like `round`, with an edge more on all sides.
    pub(super) fn grown(self, by: i64) -> Self {
        Self {
            x: self.x - by,
            y: self.y - by,
            w: self.w + 2 * by,
            h: self.h + 2 * by,
        }
    }

    /// Moved so that it lies in another one, which is larger.
    pub(super) fn within(self, page: Self) -> Self {
        Self {
            x: self.x.clamp(page.x, (page.x + page.w - self.w).max(page.x)),
            y: self.y.clamp(page.y, (page.y + page.h - self.h).max(page.y)),
            ..self
        }
    }

    /// The part of it that lies in another one.
    pub(super) fn cut(&self, other: &Self) -> Self {
        let [x, y] = [self.x.max(other.x), self.y.max(other.y)];
        Self {
            x,
            y,
            w: ((self.x + self.w).min(other.x + other.w) - x).max(0),
            h: ((self.y + self.h).min(other.y + other.h) - y).max(0),
        }
    }

    /// The area that two rectangles share.
    pub(super) fn shared(&self, other: &Self) -> i64 {
        let wide = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let high = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        wide.max(0) * high.max(0)
    }

    /// The point of the rectangle that is nearest to another point.
    pub(super) fn nearest(&self, [x, y]: [i64; 2]) -> [i64; 2] {
        [
            x.clamp(self.x, self.x + self.w),
            y.clamp(self.y, self.y + self.h),
        ]
    }
}
