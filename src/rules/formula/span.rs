//! Values that are only partly known.

use super::syntax::Relation;

/// The least and the most that a value can be while decisions are open. Of a truth 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSpan {
    /// The least possible value.
    pub least: i64,
    /// The greatest possible value.
    pub most: i64,
}

impl ValueSpan {
    pub(super) fn just(value: i64) -> Self {
        Self {
            least: value,
            most: value,
        }
    }

    pub(super) fn truth(least: bool, most: bool) -> Self {
        Self {
            least: i64::from(least),
            most: i64::from(most),
        }
    }

    /// The value, if there is but one.
    #[must_use]
    pub fn known(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_sub(other.most),
            most: self.most.saturating_sub(other.least),
        }
    }

    pub(super) fn not(self) -> Self {
        Self {
            least: 1 - self.most.clamp(0, 1),
            most: 1 - self.least.clamp(0, 1),
        }
    }
}

/// A truth that is entirely unknown.
pub(super) const OPEN: ValueSpan = ValueSpan { least: 0, most: 1 };

/// How two values compare.
pub(super) fn compared(how: Relation, a: ValueSpan, b: ValueSpan) -> ValueSpan {
    match how {
        Relation::Greater => ValueSpan::truth(a.least > b.most, a.most > b.least),
        Relation::AtLeast => ValueSpan::truth(a.least >= b.most, a.most >= b.least),
        Relation::Equal => ValueSpan::truth(
            a.known().is_some() && a == b,
            a.least <= b.most && b.least <= a.most,
        ),
        Relation::Unequal => compared(Relation::Equal, a, b).not(),
    }
}
