//! What kinds of things a value may be, and marks of where it comes from.

/// Kinds of things, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::check) struct Kinds(u16);

impl Kinds {
    /// Nothing is known: it may be anything.
    pub const ANY: Self = Self(1);
    /// `()`.
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
    /// It is the same in all of a phase: the turn, the scenario.
    pub const FIXED: Self = Self(512);

    /// It was put together from several calls of a function: of what it may be not all comes
    /// everywhere.
    pub const MIXED: Self = Self(1024);
    /// It may be so many texts that they are no longer told apart.
    pub(super) const FULL: Self = Self(2048);

    /// What is no thing, but says something about one.
    pub(super) const MARKS: Self = Self(128 | 256 | 512 | 1024 | 16384 | 32768);

    /// Without what only says something about a thing.
    pub fn bare(self) -> Self {
        self.without(Self::MARKS).without(Self::FULL)
    }

    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns true if it may be true or false, and is one of them for certain.
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
