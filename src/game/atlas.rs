//! Draws a map of areas as a page of an atlas: owned ground, centres with their owner's letter, one
//! piece in a space, attempts as arrows, insets.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{drawing::Inset, model::Translations};

/// The `atlas:` of a drawing: a page on which each space has at most one piece.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Atlas {
    /// The data of a space that is true if a disc with its owner's letter stands there.
    /// `display.control` names the owner.
    #[serde(default)]
    pub centre: Option<String>,
    /// The data of a space with the place of that disc: `[lat, lon]` in thousandths of a degree.
    #[serde(default)]
    pub city: Option<String>,
    /// The place of a piece in its space, if it is not the space's point.
    #[serde(default)]
    pub stands: Option<Footing>,
    /// The kinds of pieces that are drawn as hulls; all others are squares.
    #[serde(default)]
    pub hulls: Vec<String>,
    /// Fills of owned ground by side, `#rrggbb`; else the side's colour, made lighter.
    #[serde(default)]
    pub tints: IndexMap<String, String>,
    /// The attempts since the reader's last dispatch.
    #[serde(default)]
    pub arrows: Option<TriedEvents>,
    /// A chart below the page of what sides had, turn by turn.
    #[serde(default)]
    pub chart: Option<ChartFact>,
    /// Parts of the page that are drawn again, larger, below it.
    #[serde(default)]
    pub insets: Vec<Inset>,
}

/// The place of a piece in its space.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Footing {
    /// The attribute of a piece that names a part of its space (`nc`).
    pub attribute: String,
    /// The data of a space that has a point for each part: a map of `[lat, lon]`.
    pub data: String,
}

/// The events that tell of attempts, and their arguments.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TriedEvents {
    /// The drawing of each event; one that is not named is not drawn.
    pub kinds: IndexMap<String, TriedStroke>,
    /// The events that tell that a piece was driven out.
    #[serde(default)]
    pub lost: Vec<String>,
    /// The argument with the side.
    pub side: String,
    /// The argument with the space where it began.
    pub at: String,
    /// The argument with the space that it aimed at.
    pub to: String,
    /// The argument with the space of the piece that it helped.
    pub of: String,
}

/// The public fact that a chart is made from: a list of maps, one for each column, with a number
/// for each side by its id, and `label`, the text below the column.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChartFact {
    /// The fact.
    pub fact: String,
    /// The title of the chart: "Centres by year".
    pub title: Translations,
}

impl Atlas {
    /// The facts that are drawn.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        self.chart.iter().map(|chart| chart.fact.as_str())
    }
}

/// The drawing of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TriedStroke {
    /// A move that was made: an arrow. Those that are carried bend round who carries them.
    Move,
    /// A move that failed: a dashed arrow that ends in a burst.
    Failed,
    /// A retreat: a hollow arrow.
    Retreat,
    /// Support: dots that end in a disc on the supported piece.
    Support,
    /// Support that did not count: the disc is crossed.
    Cut,
    /// Carrying another piece: a dashed ring.
    Convoy,
    /// Carrying that failed: a ring with a burst.
    Broken,
    /// Staying: a bar below the piece.
    Hold,
}

impl TriedStroke {
    /// All signs.
    pub const ALL: [Self; 8] = [
        Self::Move,
        Self::Failed,
        Self::Retreat,
        Self::Support,
        Self::Cut,
        Self::Convoy,
        Self::Broken,
        Self::Hold,
    ];

    /// The key of its words in a legend.
    #[must_use]
    pub fn legend(self) -> &'static str {
        match self {
            Self::Move => "tried_move",
            Self::Failed => "tried_failed",
            Self::Retreat => "tried_retreat",
            Self::Support => "tried_support",
            Self::Cut => "tried_cut",
            Self::Convoy => "tried_convoy",
            Self::Broken => "tried_broken",
            Self::Hold => "tried_hold",
        }
    }
}
