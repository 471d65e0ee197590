//! What a letter weighs, so that the pictures of its map are no heavier than it has room for.

use super::{document::Document, text::body};

/// The most bytes of a mail, pictures included: 250,000, less a tenth for pictures that weigh more
/// than was thought.
const MOST: i64 = 225_000;
/// What a letter weighs that says nothing: its head and foot, the styles of its page.
const EMPTY: i64 = 15_000;
/// What a byte of its text weighs as text, as a page and as a mail, in hundredths.
const TEXT_WEIGHS: i64 = 320;
/// What a hundred bytes of a picture weigh in a mail, with the ends of lines.
const PICTURE_WEIGHS: i64 = 138;

/// The bytes that the pictures of a document's letter may have together.
pub(super) fn room_for_pictures(document: &Document) -> i64 {
    let text = i64::try_from(body(document).len()).unwrap_or(MOST);
    (MOST - EMPTY - text * TEXT_WEIGHS / 100).max(0) * 100 / PICTURE_WEIGHS
}
