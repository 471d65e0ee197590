//! The number by which the journal knows a member.

use std::{fmt, str::FromStr};

use crate::by_text::written_as_text;

/// A member by his number, written `m7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberNumber(pub u32);

impl fmt::Display for MemberNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

impl FromStr for MemberNumber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix(['m', 'M']).unwrap_or(text);
        let number = number.parse().ok().filter(|number| *number > 0);
        number
            .map(Self)
            .ok_or_else(|| format!("`{text}` is no member; write the number as m7"))
    }
}

written_as_text!(MemberNumber);
