//! The journal: an append-only file of stamped records, one a line (see [`super::record`] for the
//! line).
//!
//! A record is on the disk before [`Journal::append`] returns, or [`Journal::sync`] for several. A
//! crash in the middle of a write leaves a last line without LF; opening cuts it off and says so.
//! Whatever else is wrong with the file is an error.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    bounded, disk,
    store::{
        error::{JournalFault, StoreError},
        record::{
            LONGEST_LINE, Position, Record, STAMP_LENGTH, is_stamped, link, read_stamped,
            split_stamp, stamp,
        },
    },
};

/// How many bytes are read at once.
const READ_AT_ONCE: usize = 128 << 10;

/// A journal open for writing. Its owner must hold the campaign's [`super::lock::Lock`].
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    position: Position,
    /// The position up to which everything is on the disk; later writes of this process may not be.
    safe: Position,
    /// A write failed, and could not be undone.
    broken: bool,
    /// Flushes the file to the disk; a test replaces it with a disk that refuses.
    flush: fn(&File) -> io::Result<()>,
}

/// An incomplete last line. Nobody was told of its record, since it was never whole on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TornNotice {
    /// How many bytes it has.
    pub bytes: u64,
    /// The record that it would have become.
    pub n: u64,
}

/// The records of a journal from some position on.
#[derive(Debug)]
pub struct JournalContents<E> {
    /// The records, all verified.
    pub records: Vec<Record<E>>,
    /// The position after the last one.
    pub position: Position,
    /// The incomplete line after that, if there is one.
    pub torn: Option<TornNotice>,
}

/// Reads the records after `from` and verifies the whole journal, without changing anything: for
/// audits and for looking.
///
/// # Errors
/// The environment; [`StoreError::Journal`] with the first wrong line,
/// [`JournalFault::OtherJournal`] when no record ends at `from`.
pub fn read<E: DeserializeOwned>(
    path: &Path,
    from: Position,
) -> Result<JournalContents<E>, StoreError> {
    contents(&bounded::open(path)?, path, from)
}

/// The first record; none in an empty journal.
///
/// # Errors
/// As [`read`], for that record.
pub fn first<E: DeserializeOwned>(path: &Path) -> Result<Option<Record<E>>, StoreError> {
    let file = File::open(path).map_err(StoreError::io("read", path))?;
    match JournalLines::of(&file, path)?.next(Position::START)? {
        NextLine::Record(record) => Ok(Some(record)),
        NextLine::Torn(_) | NextLine::End => Ok(None),
    }
}

/// Returns true if the journal has the record that ends at this position. Reads only its last
/// bytes.
///
/// # Errors
/// The environment.
pub fn holds(path: &Path, position: Position) -> Result<bool, StoreError> {
    let file = bounded::open(path)?;
    ends_record(&file, position).map_err(StoreError::io("read", path))
}

impl Journal {
    /// Starts an empty journal.
    ///
    /// # Errors
    /// The environment, also when the file exists.
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        let failed = || StoreError::io("make the journal", path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(failed())?;
        file.sync_all().map_err(failed())?;
        disk::sync_folder(disk::folder_of(path))?;
        Ok(Self {
            path: path.to_owned(),
            file,
            position: Position::START,
            safe: Position::START,
            broken: false,
            flush: File::sync_data,
        })
    }

    /// Opens a journal and verifies all of it. An incomplete last line is cut off.
    ///
    /// # Errors
    /// As [`read`].
    pub fn open<E: DeserializeOwned>(
        path: &Path,
    ) -> Result<(Self, JournalContents<E>), StoreError> {
        Self::open_after(path, Position::START)
    }

    /// Opens a journal, verifies all of it, and returns the records after a position, usually that
    /// of a snapshot. Verifying the earlier ones takes only a digest of each, far less than reading
    /// their content.
    ///
    /// # Errors
    /// As [`read`].
    pub fn open_after<E: DeserializeOwned>(
        path: &Path,
        from: Position,
    ) -> Result<(Self, JournalContents<E>), StoreError> {
        let file = bounded::open_as(path, OpenOptions::new().read(true).write(true))?;
        let contents = contents(&file, path, from)?;
        if contents.torn.is_some() {
            cut(&file, contents.position.offset)
                .map_err(StoreError::io("cut an incomplete record off", path))?;
        }
        let journal = Self {
            path: path.to_owned(),
            file,
            position: contents.position,
            safe: contents.position,
            broken: false,
            flush: File::sync_data,
        };
        Ok((journal, contents))
    }

    /// Returns true if the file under the journal's name is still the open one, and ends where it
    /// did.
    ///
    /// # Errors
    /// The environment.
    pub fn is_as_left(&self) -> Result<bool, StoreError> {
        let failed = || StoreError::io("look at the journal", &self.path);
        let there = std::fs::metadata(&self.path).map_err(failed())?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let open = self.file.metadata().map_err(failed())?;
            if (open.dev(), open.ino()) != (there.dev(), there.ino()) {
                return Ok(false);
            }
        }
        Ok(!self.broken && there.len() == self.position.offset)
    }

    /// The position after the last record.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// Adds a record, and returns it once it is on the disk, as it will be read again: with its
    /// time in whole seconds.
    ///
    /// # Errors
    /// The environment: then no part of the record is in the journal. [`StoreError::Unwritable`];
    /// [`StoreError::JournalBroken`] after an earlier error that could not be undone.
    pub fn append<E: Serialize>(
        &mut self,
        time: Timestamp,
        event: E,
    ) -> Result<Record<E>, StoreError> {
        let before = self.position;
        let record = self.append_soon(time, event)?;
        if let Err(error) = (self.flush)(&self.file) {
            self.broken = cut(&self.file, before.offset).is_err();
            self.position = before;
            return Err(StoreError::io("write a record to", &self.path)(error));
        }
        self.safe = self.position;
        Ok(record)
    }

    /// Waits until all records are on the disk.
    ///
    /// # Errors
    /// The environment: the records since the last success are removed, and the journal must be
    /// opened anew, since work based on them is void. [`StoreError::JournalBroken`] from then on: a
    /// disk that has failed once may report success the next time, and nobody may be told of those
    /// records.
    pub fn sync(&mut self) -> Result<(), StoreError> {
        if self.broken {
            return Err(self.is_broken());
        }
        if let Err(error) = (self.flush)(&self.file) {
            // If they stay, the next opening works them off once more.
            let _ = cut(&self.file, self.safe.offset);
            self.broken = true;
            return Err(StoreError::io("write records to", &self.path)(error));
        }
        self.safe = self.position;
        Ok(())
    }

    /// Adds a record. It is on the disk once the next one is appended, or after [`Journal::sync`];
    /// nobody may be told of it until then.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn append_soon<E: Serialize>(
        &mut self,
        time: Timestamp,
        event: E,
    ) -> Result<Record<E>, StoreError> {
        if self.broken {
            return Err(self.is_broken());
        }
        let (line, record) = stamp(&self.position, time, event)?;
        self.check_length()?;
        if let Err(error) = self.write(line.as_bytes()) {
            // If this can't be undone either, the next opening finds an incomplete line, which it
            // cuts off, or a whole record that nobody was told of, which counts like any other.
            self.broken = cut(&self.file, self.position.offset).is_err();
            return Err(StoreError::io("write a record to", &self.path)(error));
        }
        self.position = self.position.behind(record.n, record.head, line.len());
        Ok(record)
    }

    /// Removes a record and all later ones, provided that nobody can have been told of them.
    ///
    /// # Errors
    /// As [`read`], and the environment.
    pub fn take_back(&mut self, n: u64) -> Result<(), StoreError> {
        let mut lines = JournalLines::of(&self.file, &self.path)?;
        let mut position = Position::START;
        while position.next() < n {
            position = lines.link(position)?;
        }
        cut(&self.file, position.offset)
            .map_err(StoreError::io("take records out of", &self.path))?;
        (self.position, self.safe) = (position, position);
        Ok(())
    }

    fn is_broken(&self) -> StoreError {
        StoreError::JournalBroken {
            path: self.path.clone(),
        }
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.position.offset))?;
        self.file.write_all(line)
    }

    /// Puts a disk in place of the real one.
    #[cfg(test)]
    pub(crate) fn flush_by(&mut self, flush: fn(&File) -> io::Result<()>) {
        self.flush = flush;
    }

    /// Refuses to overwrite what somebody else has written despite the lock.
    fn check_length(&self) -> Result<(), StoreError> {
        let found = self
            .file
            .metadata()
            .map_err(StoreError::io("look at", &self.path))?
            .len();
        let expected = self.position.offset;
        if found == expected {
            return Ok(());
        }
        Err(wrong(
            &self.path,
            0,
            JournalFault::Length { found, expected },
        ))
    }
}

fn cut(file: &File, length: u64) -> io::Result<()> {
    file.set_len(length)?;
    file.sync_all()
}

fn wrong(path: &Path, line: u64, fault: JournalFault) -> StoreError {
    StoreError::Journal {
        path: path.to_owned(),
        line,
        fault,
    }
}

fn contents<E: DeserializeOwned>(
    file: &File,
    path: &Path,
    from: Position,
) -> Result<JournalContents<E>, StoreError> {
    if !ends_record(file, from).map_err(StoreError::io("read", path))? {
        return Err(other_journal(path, from));
    }
    let mut lines = JournalLines::of(file, path)?;
    let mut position = Position::START;
    while position.offset < from.offset {
        position = lines.link(position)?;
    }
    if position != from {
        return Err(other_journal(path, from));
    }
    let (mut records, mut torn) = (Vec::new(), None);
    loop {
        match lines.next(position)? {
            NextLine::Record(record) => {
                position = position.behind(record.n, record.head, lines.line.len());
                records.push(record);
                continue;
            }
            NextLine::Torn(notice) => torn = Some(notice),
            NextLine::End => {}
        }
        return Ok(JournalContents {
            records,
            position,
            torn,
        });
    }
}

fn other_journal(path: &Path, Position { offset, n, head }: Position) -> StoreError {
    wrong(path, n, JournalFault::OtherJournal { n, head, offset })
}

/// The lines of a journal, one at a time.
struct JournalLines<'a> {
    path: &'a Path,
    reader: BufReader<&'a File>,
    line: Vec<u8>,
}

enum NextLine<E> {
    Record(Record<E>),
    Torn(TornNotice),
    End,
}

impl<'a> JournalLines<'a> {
    /// Starts at the file's beginning, wherever it was read before.
    fn of(file: &'a File, path: &'a Path) -> Result<Self, StoreError> {
        let mut reader = BufReader::with_capacity(READ_AT_ONCE, file);
        reader.rewind().map_err(StoreError::io("read", path))?;
        let line = Vec::new();
        Ok(Self { path, reader, line })
    }

    /// Reads the line at a position, with its LF if it has one; nothing at the end.
    fn read(&mut self, at: Position) -> Result<(), StoreError> {
        self.line.clear();
        let mut rest = self.reader.by_ref().take(LONGEST_LINE + 1);
        let read = rest.read_until(b'\n', &mut self.line);
        if read.map_err(StoreError::io("read", self.path))? as u64 > LONGEST_LINE {
            return Err(wrong(
                self.path,
                at.next(),
                JournalFault::TooLong(LONGEST_LINE),
            ));
        }
        Ok(())
    }

    /// Skips a record, which must be whole, and returns the position after it.
    fn link(&mut self, at: Position) -> Result<Position, StoreError> {
        self.read(at)?;
        let record = self.line.strip_suffix(b"\n").ok_or(JournalFault::NoHead);
        let head = record.and_then(|record| link(record, &at));
        let head = head.map_err(|fault| wrong(self.path, at.next(), fault))?;
        Ok(at.behind(at.next(), head, self.line.len()))
    }

    /// Reads the record at a position.
    fn next<E: DeserializeOwned>(&mut self, at: Position) -> Result<NextLine<E>, StoreError> {
        self.read(at)?;
        let next = match self.line.as_slice() {
            [] => Ok(NextLine::End),
            [record @ .., b'\n'] => read_stamped(record, &at).map(NextLine::Record),
            // A whole record followed by something other than LF: no interrupted write leaves that,
            // so it is damage.
            [record @ .., _] if is_stamped(record) => Err(JournalFault::NoHead),
            line if is_begun(line, at) => Ok(NextLine::Torn(TornNotice {
                bytes: line.len() as u64,
                n: at.next(),
            })),
            _ => Err(JournalFault::NoHead),
        };
        next.map_err(|fault| wrong(self.path, at.next(), fault))
    }
}

/// Returns true if these bytes can be the beginning of the next record. After a power cut, parts
/// that never reached the disk are zeros.
fn is_begun(line: &[u8], position: Position) -> bool {
    position
        .beginning()
        .bytes()
        .zip(line)
        .all(|(wanted, found)| *found == wanted || *found == 0)
}

/// Returns true if a line with the position's head ends at its offset.
fn ends_record(mut file: &File, position: Position) -> io::Result<bool> {
    if position.offset == 0 {
        return Ok(position == Position::START);
    }
    let length = STAMP_LENGTH as u64 + 1;
    let (Some(start), true) = (
        position.offset.checked_sub(length),
        position.offset <= file.metadata()?.len(),
    ) else {
        return Ok(false);
    };
    let mut end = [0; STAMP_LENGTH + 1];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut end)?;
    let head = end
        .strip_suffix(b"\n")
        .and_then(split_stamp)
        .map(|(_, head)| head);
    Ok(head == Some(position.head))
}

#[cfg(test)]
mod tests;
