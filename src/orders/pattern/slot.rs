//! The types of slots.

/// The type of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Own pieces, listed or ALL.
    Pieces,
    /// One own piece.
    Piece,
    /// Pieces of any side, seen or not.
    Names,
    /// One space.
    Space,
    /// Spaces, listed.
    Spaces,
    /// Spaces in the order in which they are passed.
    Path,
    /// A road of the map by its two ends.
    Road,
    /// Two neighbouring spaces, whatever lies between them.
    Side,
    /// A whole number.
    Int,
    /// A ratio in parts per thousand.
    Ratio,
    /// A topic that may be asked.
    Topic,
    /// Topics, listed.
    Topics,
    /// A group of standing orders.
    Group,
    /// A formation of the own side.
    Formation,
    /// Formations of the own side, listed.
    Formations,
    /// A side, in any of its words.
    Nation,
    /// Sides, listed.
    Nations,
    /// A text to be passed on: the rest of the line, and the lines after it up to a blank one.
    Text,
}

impl Slot {
    /// All of them, for the parser and for help.
    pub const ALL: [Slot; 18] = [
        Slot::Pieces,
        Slot::Piece,
        Slot::Names,
        Slot::Space,
        Slot::Spaces,
        Slot::Path,
        Slot::Road,
        Slot::Side,
        Slot::Int,
        Slot::Ratio,
        Slot::Topic,
        Slot::Topics,
        Slot::Group,
        Slot::Formation,
        Slot::Formations,
        Slot::Nation,
        Slot::Nations,
        Slot::Text,
    ];

    /// Its name in patterns, and the key of its words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Slot::Pieces => "pieces",
            Slot::Piece => "piece",
            Slot::Names => "names",
            Slot::Space => "space",
            Slot::Spaces => "spaces",
            Slot::Path => "path",
            Slot::Road => "road",
            Slot::Side => "side",
            Slot::Int => "int",
            Slot::Ratio => "ratio",
            Slot::Topic => "topic",
            Slot::Topics => "topics",
            Slot::Group => "group",
            Slot::Formation => "formation",
            Slot::Formations => "formations",
            Slot::Nation => "nation",
            Slot::Nations => "nations",
            Slot::Text => "text",
        }
    }
}
