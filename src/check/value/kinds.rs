//! The kinds of a value, and marks that say where it comes from.

/// Kinds of things, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) struct Kinds(u16);

impl Kinds {
    /// Nothing is known: it may be anything.
    pub const ANY: Self = Self(1);
    /// The unit value `()`.
    pub const UNIT: Self = Self(2);
    pub const TRUE: Self = Self(4);
    pub const FALSE: Self = Self(4096);
    pub const BOOL: Self = Self(4 | 4096);
    pub const INT: Self = Self(8);
    /// A handle on a piece.
    pub const PIECE: Self = Self(16);
    /// A set of spaces.
    pub const AREA: Self = Self(32);
    /// A number for each space.
    pub const FIELD: Self = Self(64);
    /// A value that a fact or an attribute has kept: an umpire or a case may have set it.
    pub const KEPT: Self = Self(128);
    /// It comes from dice that not everybody sees.
    pub const SECRET: Self = Self(256);
    /// Such dice have decided it.
    pub const DECIDED: Self = Self(32768);
    /// It is a fact or an attribute that not everybody is shown.
    pub const HIDDEN: Self = Self(16384);
    /// Whole numbers one after the other.
    pub const RANGE: Self = Self(8192);
    /// It is the same throughout a phase: the turn, the scenario.
    pub const FIXED: Self = Self(512);

    /// It was merged from several calls of a function: not every call gives every alternative.
    pub const MIXED: Self = Self(1024);
    /// It has too many possible texts to tell them apart.
    pub(super) const FULL: Self = Self(2048);

    /// Bits that qualify a value rather than say what it is.
    pub(super) const MARKS: Self = Self(128 | 256 | 512 | 1024 | 16384 | 32768);

    /// The kinds without the bits that only qualify a value.
    pub fn bare(self) -> Self {
        self.without(Self::MARKS).without(Self::FULL)
    }

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the truth value if it is certain.
    pub fn certain(self) -> Option<bool> {
        match self.bare() {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn marks(self) -> Self {
        Self(self.0 & Self::MARKS.0)
    }
}
