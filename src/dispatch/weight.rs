//! The weight of a letter, which limits the pictures of its map.

use super::{document::Document, text::body};

/// The most bytes of a mail, pictures included: 250,000, less a tenth for pictures that weigh more
/// than was thought.
const MOST: i64 = 225_000;
/// The weight of an empty letter: its head and foot, the styles of its page.
const EMPTY: i64 = 15_000;
/// The weight of a byte of text, as text, page and mail, in hundredths.
const TEXT_WEIGHS: i64 = 320;
/// The weight of a hundred bytes of a picture in a mail, line ends included.
const PICTURE_WEIGHS: i64 = 138;

/// The bytes that the pictures of a document's letter may have together.
pub(super) fn room_for_pictures(document: &Document) -> i64 {
    let text = i64::try_from(body(document).len()).unwrap_or(MOST);
    (MOST - EMPTY - text * TEXT_WEIGHS / 100).max(0) * 100 / PICTURE_WEIGHS
}
