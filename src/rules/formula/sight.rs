//! The sight of an expression: the things and values that it can refer to.

/// Most things in sight at once.
const MOST_IN_SIGHT: usize = 8;

/// The number of a thing, as short as it may be: sights are copied all the time.
pub(super) type ThingNumber = u16;

/// The things in sight of an expression, by depth.
#[derive(Clone, Copy)]
pub(super) struct Surroundings([ThingNumber; MOST_IN_SIGHT], usize);

impl Surroundings {
    pub(super) fn of(thing: usize) -> Self {
        Self([0; MOST_IN_SIGHT], 0).with(thing)
    }

    pub(super) fn thing(&self, depth: usize) -> usize {
        self.0.get(depth).copied().unwrap_or(0).into()
    }

    /// Returns true if no more things fit in.
    pub(super) fn is_full(&self) -> bool {
        self.1 >= MOST_IN_SIGHT
    }

    pub(super) fn with(mut self, thing: usize) -> Self {
        if let (Some(place), Ok(thing)) = (self.0.get_mut(self.1), thing.try_into()) {
            *place = thing;
        }
        self.1 += 1;
        self
    }
}
