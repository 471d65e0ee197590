//! One line of the journal: how a record is written, stamped and read.
//!
//! ```text
//! {"n":1,"prev":"<64 hex>","time":"2026-11-21T20:00:00Z","kind":"...",...,"head":"<64 hex>"}
//! ```
//!
//! A line is compact JSON on one line, ended by LF. `n` counts from 1. `prev` is the head of the
//! record before, 64 zeros for the first. `time` is UTC in whole seconds. `kind` and what follows
//! it is the event. `head` is the SHA-256 of all bytes of the line before `,"head":`, so that it
//! can be repeated with `sed -E 's/,"head":"[0-9a-f]{64}"\}$//' | tr -d '\n' | sha256sum`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    digest::Digest,
    store::error::{JournalFault, StoreError},
};

/// The longest line, in bytes with its LF. A record holds at most a mail's text and some digests.
pub const LONGEST_LINE: u64 = 16 << 20;

/// The text between an event and the digits of its head.
const BEFORE_HEAD: &str = r#","head":""#;
/// The text after them.
const AFTER_HEAD: &str = r#""}"#;
/// Bytes of a line from the comma before `head` to its end, without LF.
pub(crate) const STAMP_LENGTH: usize = BEFORE_HEAD.len() + 64 + AFTER_HEAD.len();

/// The names that an event may not use for its own fields.
const RESERVED: [&str; 4] = ["n", "prev", "time", "head"];

/// A record. `E` is the campaign's enum of events, tagged with `kind`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<E> {
    /// Its number, from 1.
    pub n: u64,
    /// The head of the record before.
    pub prev: Digest,
    /// When it was written, in whole seconds.
    pub time: Timestamp,
    /// The event.
    pub event: E,
    /// The digest of all of this, and so of the whole journal up to here.
    pub head: Digest,
}

/// A place between two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Bytes before it.
    pub offset: u64,
    /// Records before it.
    pub n: u64,
    /// The head of the last record before it.
    pub head: Digest,
}

impl Position {
    /// Before the first record.
    pub const START: Self = Self {
        offset: 0,
        n: 0,
        head: Digest::ZERO,
    };

    /// The number of the record that follows.
    pub(crate) fn next(&self) -> u64 {
        self.n.saturating_add(1)
    }

    /// How every line that follows begins, whatever its time and event.
    pub(crate) fn beginning(&self) -> String {
        format!(r#"{{"n":{},"prev":"{}","time":""#, self.next(), self.head)
    }

    /// The position after a record whose line has this many bytes, LF included.
    pub(crate) fn behind(self, n: u64, head: Digest, length: usize) -> Self {
        Self {
            offset: self.offset + length as u64,
            n,
            head,
        }
    }
}

/// The fields of a line, in their order there.
#[derive(Serialize)]
struct RecordFields {
    n: u64,
    prev: Digest,
    time: String,
    #[serde(flatten)]
    event: Map<String, Value>,
}

/// Writes the record that follows `after`: the line with its LF, and the record as it will be read.
///
/// # Errors
/// [`StoreError::Unwritable`], when the event is no JSON object with a `kind` or uses a reserved
/// name.
pub(crate) fn stamp<E: Serialize>(
    after: &Position,
    time: Timestamp,
    event: E,
) -> Result<(String, Record<E>), StoreError> {
    let time = Timestamp::from_second(time.as_second()).unwrap_or(time);
    let n = after.next();
    let fields = fields_of(&event)?;
    let unstamped = RecordFields {
        n,
        prev: after.head,
        time: time.to_string(),
        event: fields,
    };
    let mut line =
        serde_json::to_string(&unstamped).map_err(|error| unwritable(error.to_string()))?;
    line.pop(); // the closing brace comes behind the head
    let head = Digest::of(line.as_bytes());
    line.push_str(&format!("{BEFORE_HEAD}{head}{AFTER_HEAD}\n"));
    if line.len() as u64 > LONGEST_LINE {
        return Err(unwritable(format!(
            "it takes more than {LONGEST_LINE} bytes"
        )));
    }
    Ok((
        line,
        Record {
            n,
            prev: after.head,
            time,
            event,
            head,
        },
    ))
}

fn fields_of<E: Serialize>(event: &E) -> Result<Map<String, Value>, StoreError> {
    let fields = match serde_json::to_value(event) {
        Ok(Value::Object(fields)) if fields.get("kind").is_some_and(Value::is_string) => fields,
        Ok(_) => return Err(unwritable("it is no JSON object with a text `kind`".into())),
        Err(error) => return Err(unwritable(error.to_string())),
    };
    match RESERVED.iter().find(|name| fields.contains_key(**name)) {
        Some(name) => Err(unwritable(format!(
            "it has a field `{name}`, which belongs to the record"
        ))),
        None => Ok(fields),
    }
}

fn unwritable(problem: String) -> StoreError {
    StoreError::Unwritable {
        what: "event",
        problem,
    }
}

/// Reads a line, given without its LF, as the record that follows `after`.
///
/// # Errors
/// The fault in it.
pub(crate) fn read_stamped<E: DeserializeOwned>(
    line: &[u8],
    after: &Position,
) -> Result<Record<E>, JournalFault> {
    let (text, head) = stamped(line)?;
    // From here on, only a line that somebody restamped or that another version wrote can be wrong.
    let mut fields: Map<String, Value> =
        serde_json::from_slice(&[text, b"}"].concat()).map_err(content)?;
    let n = take(&mut fields, "n")?;
    let prev = take(&mut fields, "prev")?;
    let time = take(&mut fields, "time")?;
    if n != after.next() {
        return Err(JournalFault::Number {
            found: n,
            expected: after.next(),
        });
    }
    if prev != after.head {
        return Err(JournalFault::Prev {
            found: prev,
            expected: after.head,
        });
    }
    let event = serde_json::from_value(Value::Object(fields)).map_err(content)?;
    Ok(Record {
        n,
        prev,
        time,
        event,
        head,
    })
}

/// Checks that a line, given without its LF, is the record that follows `after`, reading no more of
/// it than that takes. Returns its head.
///
/// # Errors
/// As [`read_stamped`].
pub(crate) fn link(line: &[u8], after: &Position) -> Result<Digest, JournalFault> {
    let (text, head) = stamped(line)?;
    if text.starts_with(after.beginning().as_bytes()) {
        return Ok(head);
    }
    // Another program may have written it with different spaces; otherwise this says what is wrong.
    read_stamped::<Value>(line, after).map(|record| record.head)
}

/// The stamped text of a line and its head, which has been checked.
fn stamped(line: &[u8]) -> Result<(&[u8], Digest), JournalFault> {
    let (text, found) = split_stamp(line).ok_or(JournalFault::NoHead)?;
    let computed = Digest::of(text);
    if found != computed {
        return Err(JournalFault::Head { found, computed });
    }
    Ok((text, found))
}

/// The stamped text of a line and its head, if the line ends in one.
pub(crate) fn split_stamp(line: &[u8]) -> Option<(&[u8], Digest)> {
    let (text, stamp) = line.split_at_checked(line.len().checked_sub(STAMP_LENGTH)?)?;
    let digits = stamp
        .strip_prefix(BEFORE_HEAD.as_bytes())?
        .strip_suffix(AFTER_HEAD.as_bytes())?;
    let head = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((text, head))
}

/// Returns true if it is a whole record with a true head.
pub(crate) fn is_stamped(line: &[u8]) -> bool {
    stamped(line).is_ok()
}

fn take<T: DeserializeOwned>(
    fields: &mut Map<String, Value>,
    name: &str,
) -> Result<T, JournalFault> {
    let value = fields
        .remove(name)
        .ok_or_else(|| JournalFault::Content(format!("`{name}` is missing")))?;
    serde_json::from_value(value)
        .map_err(|error| JournalFault::Content(format!("`{name}`: {error}")))
}

fn content(error: serde_json::Error) -> JournalFault {
    JournalFault::Content(error.to_string())
}
