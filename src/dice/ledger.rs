//! The ledger: one line for each roll (dice.md, section 7).

use std::{fmt, str::FromStr};

use super::{
    error::DiceError,
    names::{Label, Lane, number, ordinal},
    spec::Spec,
};

const RULE: &str = "`roll <e> <lane> <label>#<k> <spec> = <result> ...` with single spaces";

/// A roll and its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLine {
    /// The envelope, from 1.
    pub envelope: u32,
    /// Who may see the roll.
    pub lane: Lane,
    /// The roll's purpose.
    pub label: Label,
    /// How often this label has been used in this lane and envelope, from 1.
    pub k: u32,
    /// The dice thrown.
    pub spec: Spec,
    /// The single dice or the positions, never a sum. A line from outside may hold impossible
    /// numbers, which the audit must be able to name when it derives the roll again.
    pub result: Vec<u32>,
}

impl LedgerLine {
    /// The roll without its result, as errors name it.
    #[must_use]
    pub fn question(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            write!(
                f,
                "roll {} {} {}#{} {}",
                self.envelope, self.lane, self.label, self.k, self.spec
            )
        })
    }
}

impl fmt::Display for LedgerLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} =", self.question())?;
        self.result
            .iter()
            .try_for_each(|number| write!(f, " {number}"))
    }
}

crate::by_text::written_as_text!(LedgerLine);

impl FromStr for LedgerLine {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        let wrong = || DiceError::malformed("a ledger line", text, RULE);
        let fields: Vec<&str> = text.split(' ').collect();
        let ["roll", envelope, lane, tag, spec, "=", result @ ..] = fields.as_slice() else {
            return Err(wrong());
        };
        let (label, k) = tag.split_once('#').ok_or_else(wrong)?;
        if result.is_empty() {
            return Err(wrong());
        }
        Ok(Self {
            envelope: ordinal(envelope)?,
            lane: lane.parse()?,
            label: label.parse()?,
            k: ordinal(k)?,
            spec: spec.parse()?,
            result: result
                .iter()
                .map(|field| number(field))
                .collect::<Result<_, _>>()?,
        })
    }
}

/// Rolls in the order made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger(pub Vec<LedgerLine>);

impl Ledger {
    /// The lines of one envelope, each with its LF: the text that `bind ledger` binds.
    #[must_use]
    pub fn text_of(&self, envelope: u32) -> String {
        to_text(self.0.iter().filter(|line| line.envelope == envelope))
    }
}

/// Lines as text, each with its LF.
pub(super) fn to_text<'a>(lines: impl IntoIterator<Item = &'a LedgerLine>) -> String {
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl FromStr for Ledger {
    type Err = DiceError;

    /// Reads one roll from each line; skips empty lines.
    fn from_str(text: &str) -> Result<Self, DiceError> {
        text.lines()
            .filter(|line| !line.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wrong_lines() {
        for wrong in [
            "roll 2 open t1/a#1 2d6 =",
            "roll 2 open t1/a#1 2d6 = 1 5 ",
            "roll 2 open t1/a#1 2d6 = 1  5",
            "roll 2 open t1/a 2d6 = 1 5",
            "roll 0 open t1/a#1 2d6 = 1 5",
            "roll 2 open t1/a#0 2d6 = 1 5",
            "roll 2 open t1/a#01 2d6 = 1 5",
            "roll 2 nobody! t1/a#1 2d6 = 1 5",
            "roll 2 open t1/a#1#2 2d6 = 1 5",
            "Roll 2 open t1/a#1 2d6 = 1 5",
        ] {
            assert!(wrong.parse::<LedgerLine>().is_err(), "{wrong}");
        }
    }

    fn any_line() -> impl Strategy<Value = LedgerLine> {
        let spec = prop_oneof![
            (1..=1000u32, 1..=u32::MAX).prop_map(|(c, f)| Spec::dice(c, f).unwrap()),
            (1..=50u32, 50..=99u32).prop_map(|(k, n)| Spec::draw(k, n).unwrap()),
            (1..=99u32).prop_map(|n| Spec::shuffle(n).unwrap()),
        ];
        let lane = prop_oneof!["open", "shut", "[a-c]{3}\\+[d-f]{3}"]
            .prop_map(|lane| lane.parse().unwrap());
        let label = "[A-Za-z0-9._/+:-]{1,80}".prop_map(|label| label.parse().unwrap());
        (
            1..=u32::MAX,
            lane,
            label,
            1..=u32::MAX,
            spec,
            prop::collection::vec(any::<u32>(), 1..9),
        )
            .prop_map(|(envelope, lane, label, k, spec, result)| LedgerLine {
                envelope,
                lane,
                label,
                k,
                spec,
                result,
            })
    }

    proptest! {
        #[test]
        fn lines_are_read_as_written(line in any_line()) {
            prop_assert_eq!(line.to_string().parse::<LedgerLine>().unwrap(), line);
        }

        #[test]
        fn any_text_is_refused_or_kept(
            text in "\\PC{0,60}|roll [0-9]{1,3} (open|red|a\\+b) [a-z/#0-9]{1,9} [0-9a-z/]{1,9} =( [0-9]{1,12}){0,3}"
        ) {
            if let Ok(line) = text.parse::<LedgerLine>() {
                prop_assert_eq!(line.to_string(), text);
            }
        }
    }
}
