//! Serde for types that are written as one text and read with `FromStr`.
//!
//! `#[serde(try_from = "String")]` would do, but its errors give the place of the surrounding text;
//! these give the place of the text itself, which is what the author of a settings file needs.

use std::{fmt, marker::PhantomData, str::FromStr};

use serde::{Deserializer, de};

/// Implements `Serialize` with `Display` and `Deserialize` with `FromStr`.
macro_rules! written_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::by_text::read(deserializer)
            }
        }
    };
}

pub(crate) use written_as_text;

/// Reads a text as a `T`.
///
/// # Errors
/// If it is no text, or no `T`.
pub(crate) fn read<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(Parse(PhantomData))
}

struct Parse<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> de::Visitor<'_> for Parse<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
