//! What an umpire does under his name: from the shell, or by a mail with his token.

use serde::{Deserialize, Serialize};

use crate::{campaign::model::ruling::Ruling, digest::Digest};

/// A mail of an umpire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UmpireMail {
    /// The mail's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// SHA-256 of the mail as it came.
    pub digest: Digest,
    /// The digest that copies of the mail share, even if they came by different ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<Digest>,
    /// The name of the file in the inbox.
    pub file: String,
}

/// An act, and the line that asks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActLine {
    /// The line, shortened for quoting; empty from the shell.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// The act that it asks for.
    pub act: UmpireAct,
}

/// Something that an umpire does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum UmpireAct {
    /// A ruling.
    Rules {
        /// The ruling.
        ruling: Ruling,
    },
    /// A held mail counts, as if it came now.
    Release {
        /// The mail's file.
        file: String,
    },
    /// Words to the other umpires.
    Note {
        /// The words.
        words: String,
    },
    /// A blind umpire looks at what he does not see.
    Reveal {
        /// The key of what he looks at.
        what: String,
        /// Why, for everybody to read.
        why: String,
    },
    /// Asks where the campaign stands.
    Status,
    /// Asks for the list of forms.
    Help,
    /// A line that begins like a form, and is none.
    Faulty {
        /// The form that it begins like.
        form: String,
    },
}
