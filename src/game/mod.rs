//! Games: map, pieces, tables, forms, sequence, loaded from YAML.
//!
//! Invariant: a [`Game`] that exists is sound. It knows nothing of campaigns, mails or disks beyond
//! its own files.

mod area;
mod atlas;
mod check;
mod decl;
mod display;
mod drawing;
mod earth;
mod extending;
mod files;
mod guide;
pub mod hex;
mod index;
mod load;
mod locate;
mod model;
mod overlay;
mod problem;
mod read;
pub mod reference;
mod seating;
mod sequence;
pub mod shipped;
mod sources;
mod starter;
mod text;
mod theatre;

pub use area::Area;
pub use atlas::{Atlas, ChartFact, Footing, TriedEvents, TriedStroke};
pub use decl::*;
pub use display::{
    ArrowStyle, Display, EventArrow, EventHeading, FormationBar, FormationBars, JoinedEvent, Mark,
    Relief, Siege, StrengthLoss,
};
pub use drawing::{Border, BorderKind, Drawing, FortSign, Inset, SheetEdges, StateSign};
pub use files::{
    Disk, EmbeddedFiles, Files, GameFiles, LARGEST_FILE, Layers, MOST_BYTES, MOST_FILES,
    bot_scripts,
};
pub use guide::guide;
pub use index::MapIndex;
pub use load::{inspect, scripts, sort_problems};
pub use model::*;
pub use problem::{Problem, Severity};
pub(crate) use read::nearest;
pub use seating::{Party, SeatDecl, Seating, Side};
pub use sequence::{Argument, Follower, KINDS_OF_ARGUMENT, PhaseName};
pub use sources::SourcedItem;
pub use starter::Starter;
pub use text::{Agreement, ConditionText, LEGEND, Text, TopicText, VerbText};
pub use theatre::Theatre;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule of the checklist: an id, and the reason if there is nothing to test.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChecklistEntry {
    /// The id (`8.3.c`).
    pub id: String,
    /// The chapter, its first number.
    pub chapter: u32,
    /// Why no case can cover it.
    #[serde(default)]
    pub untestable: Option<String>,
}
