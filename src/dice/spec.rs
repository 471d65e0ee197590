//! Specifications of throws: `2d6`, `draw5/9`, `shuffle12`.

use std::{fmt, str::FromStr};

use super::{error::DiceError, names::number};

const RULE: &str =
    "`<c>d<f>` (c up to 1000), `draw<k>/<n>` (k up to n) or `shuffle<n>` (n up to 100000)";

/// A kind of throw and its size (dice.md, section 6). Parsing and the functions below check the
/// bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spec(pub(super) SpecKind);

/// The three kinds. All numbers are within the bounds of [`Spec`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum SpecKind {
    Dice { count: u32, faces: u32 },
    Draw { count: u32, of: u32 },
    Shuffle { of: u32 },
}

impl Spec {
    /// The most dice in one roll.
    pub const MOST_DICE: u32 = 1000;
    /// The longest list to draw from or to shuffle.
    pub const LONGEST_LIST: u32 = 100_000;

    /// `count` dice with `faces` faces each.
    ///
    /// # Errors
    /// When `count` is not 1 to 1000, or `faces` is 0.
    pub fn dice(count: u32, faces: u32) -> Result<Self, DiceError> {
        let fits = (1..=Self::MOST_DICE).contains(&count) && faces >= 1;
        Self::checked(SpecKind::Dice { count, faces }, fits)
    }

    /// `count` different positions of a list of `of`, in the order drawn.
    ///
    /// # Errors
    /// When the list is longer than 100000, or `count` is 0 or larger than the list.
    pub fn draw(count: u32, of: u32) -> Result<Self, DiceError> {
        let fits = (1..=of).contains(&count) && of <= Self::LONGEST_LIST;
        Self::checked(SpecKind::Draw { count, of }, fits)
    }

    /// All positions of a list of `of` in a new order.
    ///
    /// # Errors
    /// When the list is empty or longer than 100000.
    pub fn shuffle(of: u32) -> Result<Self, DiceError> {
        Self::checked(
            SpecKind::Shuffle { of },
            (1..=Self::LONGEST_LIST).contains(&of),
        )
    }

    /// How many dice are thrown, and their faces; none for draws and shuffles.
    #[must_use]
    pub fn as_dice(self) -> Option<(u32, u32)> {
        match self.0 {
            SpecKind::Dice { count, faces } => Some((count, faces)),
            SpecKind::Draw { .. } | SpecKind::Shuffle { .. } => None,
        }
    }

    fn checked(kind: SpecKind, fits: bool) -> Result<Self, DiceError> {
        let spec = Self(kind);
        if fits {
            Ok(spec)
        } else {
            Err(DiceError::malformed("a throw", &spec.to_string(), RULE))
        }
    }

    /// How many numbers the throw gives.
    #[must_use]
    pub fn size(&self) -> usize {
        match self.0 {
            SpecKind::Dice { count, .. }
            | SpecKind::Draw { count, .. }
            | SpecKind::Shuffle { of: count } => count as usize,
        }
    }

    /// Returns true if the throw could give these numbers.
    #[must_use]
    pub fn can_give(&self, numbers: &[u32]) -> bool {
        let highest = match self.0 {
            SpecKind::Dice { faces, .. } => faces,
            SpecKind::Draw { of, .. } | SpecKind::Shuffle { of } => of,
        };
        let in_range =
            numbers.len() == self.size() && numbers.iter().all(|n| (1..=highest).contains(n));
        in_range && (matches!(self.0, SpecKind::Dice { .. }) || all_different(numbers))
    }
}

fn all_different(numbers: &[u32]) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len() == numbers.len()
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SpecKind::Dice { count, faces } => write!(f, "{count}d{faces}"),
            SpecKind::Draw { count, of } => write!(f, "draw{count}/{of}"),
            SpecKind::Shuffle { of } => write!(f, "shuffle{of}"),
        }
    }
}

impl FromStr for Spec {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let wrong = || DiceError::malformed("a throw", text, RULE);
        let read = |digits: &str| number::<u32>(digits).map_err(|_| wrong());
        if let Some(of) = text.strip_prefix("shuffle") {
            return Self::shuffle(read(of)?);
        }
        if let Some(numbers) = text.strip_prefix("draw") {
            let (count, of) = numbers.split_once('/').ok_or_else(wrong)?;
            return Self::draw(read(count)?, read(of)?);
        }
        let (count, faces) = text.split_once('d').ok_or_else(wrong)?;
        Self::dice(read(count)?, read(faces)?)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bounds() {
        for good in [
            "1d6",
            "1000d6",
            "1d4294967295",
            "2d1",
            "draw1/1",
            "draw5/9",
            "shuffle1",
            "shuffle52",
        ] {
            assert_eq!(good.parse::<Spec>().unwrap().to_string(), good);
        }
        for wrong in [
            "",
            "d6",
            "0d6",
            "1d0",
            "1001d6",
            "01d6",
            "1d06",
            "1d4294967296",
            "2D6",
            "draw0/3",
            "draw4/3",
            "draw5",
            "shuffle0",
            "shuffle",
            "shuffle100001",
            "2d6+1",
            " 2d6",
            "1d6 ",
        ] {
            assert!(wrong.parse::<Spec>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_throw_can_give() {
        let spec = |text: &str| text.parse::<Spec>().unwrap();
        assert!(spec("2d6").can_give(&[6, 6]));
        assert!(
            !spec("2d6").can_give(&[6])
                && !spec("2d6").can_give(&[0, 1])
                && !spec("2d6").can_give(&[7, 1])
        );
        assert!(spec("draw2/3").can_give(&[3, 1]) && !spec("draw2/3").can_give(&[3, 3]));
        assert!(spec("shuffle2").can_give(&[2, 1]) && !spec("shuffle2").can_give(&[1]));
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_kept(text in "[0-9]{0,11}d[0-9]{0,11}|(draw|shuffle)[0-9/]{0,12}|\\PC{0,20}") {
            if let Ok(spec) = text.parse::<Spec>() {
                prop_assert_eq!(spec.to_string(), text);
            }
        }
    }
}
