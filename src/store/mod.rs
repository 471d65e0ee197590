//! TODO

pub mod digest;
pub mod directory;
pub mod error;
pub mod files;
pub mod journal;
pub mod lock;
pub mod pinned;
pub mod record;
pub mod snapshot;
