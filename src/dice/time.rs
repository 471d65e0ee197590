//! Moments as the protocol writes them: whole seconds of UTC.

use std::{fmt, str::FromStr};

use jiff::Timestamp;

use super::error::DiceError;

/// A moment of UTC in whole seconds, written `2026-11-21T20:00:00Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

impl Time {
    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn unix(self) -> i64 {
        self.0.as_second()
    }
}

impl From<Timestamp> for Time {
    /// The moment with its fraction of a second dropped.
    fn from(moment: Timestamp) -> Self {
        Self(Timestamp::from_second(moment.as_second()).unwrap_or(moment))
    }
}

impl From<Time> for Timestamp {
    fn from(time: Time) -> Self {
        time.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Time {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        text.parse::<Timestamp>()
            .ok()
            .filter(|moment| moment.subsec_nanosecond() == 0 && moment.to_string() == text)
            .map(Self)
            .ok_or_else(|| {
                DiceError::malformed(
                    "a time",
                    text,
                    "UTC in whole seconds, as 2026-11-21T20:00:00Z",
                )
            })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    #[test]
    fn one_form_only() {
        let time: Time = "2023-08-23T15:09:27Z".parse().unwrap();
        assert_eq!(time.unix(), 1_692_803_367);
        assert_eq!(time.to_string(), "2023-08-23T15:09:27Z");
        for wrong in [
            "2023-08-23T15:09:27+00:00",
            "2023-08-23 15:09:27Z",
            "2023-08-23T15:09:27.5Z",
            "2023-08-23",
            "",
        ] {
            assert!(wrong.parse::<Time>().is_err(), "{wrong}");
        }
        let fraction: Timestamp = "2023-08-23T15:09:27.5Z".parse().unwrap();
        assert_eq!(Time::from(fraction), time);
    }
}
