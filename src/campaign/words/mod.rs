//! The meaning of a seat's words at a moment: what it is asked, on the view that it has, with the
//! words that it sent before.
//!
//! Entry points: [`moment::moment`], [`moment::understand`], [`joining::join`],
//! [`standing::standing`]. All are functions of the state and change nothing. Receipts, previews,
//! cases and the campaign itself come through here, so that they can't differ. `moment` reads
//! through `understand`; `knowledge` is what a seat knows, `bot` a script's words in its place,
//! `errand_lines` what a mail asks beside orders, in the words of `errand_words`; `absence_lines`
//! when somebody says he is away, `addressees` whom letters to others are for, and `umpire_forms`
//! what an umpire rules by mail.

pub mod absence_lines;
pub mod addressees;
pub mod bot;
pub mod errand_lines;
pub mod errand_words;
pub mod joining;
pub mod knowledge;
pub mod moment;
pub mod spelling;
pub mod standing;
pub mod umpire_forms;
pub mod understand;
