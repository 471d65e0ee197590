//! A campaign on the disk: its directory, its journal, its snapshots, its pinned files, its lock.
//!
//! [`Directory`] is the one interface. Paths leave it for messages and for the mailboxes, which
//! other programs read and write. A write happens as a whole or not at all, and is on the disk
//! before anybody is told of it. The room does not know what the records say.
//! [`StoreError::is_environment`] tells a failing machine (exit code 3) from wrong files.
//!
//! What a database in its place would have to do: open a campaign under a lock, append records and
//! sync them, read them from a position, keep, fetch and remove blobs, save and load a snapshot,
//! and hand out the mailboxes.
//!
//! Behind the interface: `draft` makes a campaign; `backup` copies any number of them, `packed` one
//! that has ended into a file of its own, and `unpack` takes files out again; `journal` and
//! `record` are its file of records, `blob` its small texts, `rules` where its rules lie, which are
//! `pinned`, and which `shared` keeps once, `snapshot` its cache; `lock` keeps others out; `marks`
//! tell a club what has changed; [`crate::disk`] writes.

mod backup;
mod blob;
mod directory;
mod draft;
mod error;
mod journal;
mod lock;
mod marks;
mod packed;
mod pinned;
mod record;
mod rules;
mod shared;
mod snapshot;
mod unpack;

pub(crate) use self::record::{read_stamped, stamp};
pub use self::{
    backup::{BackupError, BackupWriter, archive_in},
    blob::Blob,
    directory::Directory,
    draft::DirectoryDraft,
    error::{JournalFault, StoreError},
    journal::{Journal, JournalContents, TornNotice, read as read_journal},
    lock::Lock,
    marks::ClubMarks,
    pinned::PinnedFiles,
    record::{Position, Record},
    snapshot::Snapshots,
    unpack::{UnpackBounds, UnpackError, unpack_within},
};
