//! A campaign on the disk: its directory, its journal, its snapshots, its pinned files, its lock.
//!
//! [`Directory`] is its one interface, and no path of a file in it is known outside. A write is
//! whole or has not happened, and it is on the disk before anybody is told of it. The room knows
//! nothing of what the records say. [`StoreError::is_environment`] says whether the
//! machine failed (exit code 3) or what was read is wrong.

pub mod blob;
pub mod directory;
pub mod draft;
pub mod error;
pub mod files;
pub mod journal;
pub mod lock;
pub mod pinned;
pub mod record;
pub mod snapshot;

pub use self::{
    blob::Blob,
    directory::Directory,
    draft::DirectoryDraft,
    error::{JournalFault, StoreError},
    journal::{Journal, JournalContents, Position, Record, TornNotice},
    lock::Lock,
    pinned::PinnedFiles,
    snapshot::Snapshots,
};
