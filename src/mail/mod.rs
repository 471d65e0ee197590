//! Bytes to messages and back: transports, the player's own words, who sent it.
//!
//! This room knows nothing of games, orders or campaigns: [`read`] turns the bytes of a mail into a
//! plain [`Incoming`], [`render`] turns a plain [`Outgoing`] into bytes, and [`maildir`] moves
//! bytes to and from the disk. Whatever a stranger sends, reading it never panics and never takes
//! more than the [`MailLimits`] allow.

mod address;
mod archive;
mod armour;
mod authentication;
mod automatic;
mod body;
mod contents;
mod copy;
mod delivery_addresses;
mod flowed;
mod headers;
mod html;
mod html_copy;
mod html_parts;
pub mod identity;
mod mail_words;
pub mod maildir;
mod nesting;
mod own;
mod own_letter;
mod phrases;
mod read;
mod scanner;
mod screen;
mod shape;
mod token;
pub mod transport;
mod unwrap;
mod write;

pub use address::check_address;
pub use archive::{Archive, ArchiveError, ArchivedMail};
pub use authentication::AuthResults;
pub use automatic::{AutoReason, DeliveryReport, DeliveryStatus};
pub use contents::{FileContent, Header, MailContents, contents};
pub use copy::copy_to;
pub use delivery_addresses::DeliveryAddresses;
pub use headers::{NamedAddress, clean_line};
pub use identity::{Claim, Mailbox, MessageName, ReplyAddress, SeatClue, claims};
pub use mail_words::{
    AttachedText, Fate, MailWords, WordLine, WordsProblem, WordsSource, words_of,
};
pub use own::{Parts, answer, parts, reply_to};
pub use own_letter::LETTER_HEAD;
pub use read::{Incoming, MailLimits, ReadError, read};
pub use screen::Screen;
pub use token::{TOKEN_CHARS, Token};
pub use write::{
    AutoSubmitted, Image, ImageKind, Outgoing, ReadyMail, TextAttachment, WriteError, file_name,
    render, render_surely, unix_lines,
};
