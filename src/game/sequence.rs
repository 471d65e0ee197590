//! The sequence of play: the phases of a game, and which of them may follow which.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Game, GameDecl, MapIndex, PhaseDecl, read::nearest};

/// A phase as scripts, scenarios and records name it: `supply`, `march.red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseName<'a> {
    /// The id, before the dot.
    pub id: &'a str,
    /// The argument after the dot: a side or a space.
    pub argument: Option<&'a str>,
}

impl<'a> PhaseName<'a> {
    /// Splits a name at its first dot.
    #[must_use]
    pub fn new(name: &'a str) -> Self {
        match name.split_once('.') {
            Some((id, argument)) => Self {
                id,
                argument: Some(argument),
            },
            None => Self {
                id: name,
                argument: None,
            },
        }
    }
}

/// A phase that may follow: `supply`, `march.red`, `march.{side}`, `battle.{space}`,
/// `march.{other}`.
///
/// In braces, `{side}` and `{space}` stand for those of the phase before, or for any if it has
/// none; `{other}` stands for any but that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct Follower {
    /// The phase's id.
    pub id: String,
    /// The argument after the dot.
    pub argument: Argument,
}

/// The argument allowed after the dot of a following phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// No argument.
    None,
    /// `{side}` or `{space}`: that of the phase before, or any if it has none.
    Same(&'static str),
    /// `{other}`: another than in the phase that is over.
    Other,
    /// This very side or space.
    Named(String),
}

/// The kinds of arguments that phases have.
pub const KINDS_OF_ARGUMENT: [&str; 2] = ["side", "space"];

impl TryFrom<String> for Follower {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let name = PhaseName::new(&text);
        let argument = match name.argument {
            None => Argument::None,
            Some("{other}") => Argument::Other,
            Some(word) => match word.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
                None => Argument::Named(word.to_owned()),
                Some(kind) => {
                    let known = KINDS_OF_ARGUMENT.into_iter().find(|known| *known == kind);
                    Argument::Same(known.ok_or_else(|| {
                        format!("`{text}`: in braces stands `side`, `space` or `other`")
                    })?)
                }
            },
        };
        Ok(Self {
            id: name.id.to_owned(),
            argument,
        })
    }
}

impl From<Follower> for String {
    fn from(follower: Follower) -> Self {
        follower.to_string()
    }
}

impl fmt::Display for Follower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        match &self.argument {
            Argument::None => Ok(()),
            Argument::Same(kind) => write!(f, ".{{{kind}}}"),
            Argument::Other => f.write_str(".{other}"),
            Argument::Named(name) => write!(f, ".{name}"),
        }
    }
}

impl GameDecl {
    /// A phase by its id.
    #[must_use]
    pub fn phase(&self, id: &str) -> Option<&PhaseDecl> {
        self.phases.iter().find(|phase| phase.id == id)
    }
}

impl PhaseDecl {
    /// Returns true if a phase may come after this one, which had this argument. Everything may
    /// where the game does not say.
    #[must_use]
    pub fn may_be_followed(&self, own: Option<&str>, next: PhaseName<'_>) -> bool {
        let Some(then) = &self.then else { return true };
        then.iter().any(|follower| {
            follower.id == next.id
                && match (&follower.argument, next.argument) {
                    (Argument::None, argument) => argument.is_none(),
                    (_, None) => false,
                    (Argument::Named(name), Some(argument)) => name == argument,
                    (Argument::Other, Some(argument)) => own != Some(argument),
                    (Argument::Same(kind), Some(argument)) => {
                        self.of.as_deref() != Some(*kind) || own == Some(argument)
                    }
                }
        })
    }

    /// The phase that comes after this one where its script names none: the only one that can,
    /// `None` if there are several.
    #[must_use]
    pub fn only_follower(&self, own: Option<&str>) -> Option<String> {
        let [follower] = self.then.as_deref()? else {
            return None;
        };
        match &follower.argument {
            Argument::None | Argument::Named(_) => Some(follower.to_string()),
            Argument::Same(kind) if self.of.as_deref() == Some(*kind) => {
                Some(format!("{}.{}", follower.id, own?))
            }
            Argument::Same(_) | Argument::Other => None,
        }
    }

    /// The phases that may follow, as a list for a reader.
    #[must_use]
    pub fn followers(&self) -> String {
        let then = self.then.as_deref().unwrap_or_default();
        let names: Vec<String> = then.iter().map(ToString::to_string).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        }
    }
}

impl Game {
    /// Checks the name of a phase, and its argument.
    ///
    /// # Errors
    /// In words: the fault, and what to write instead, with the nearest name that exists.
    pub fn check_phase(&self, name: &str) -> Result<(), (String, Option<String>)> {
        check_phase(&self.decl, &self.map, name)
    }
}

/// As [`Game::check_phase`], where the game is not yet whole.
pub(super) fn check_phase(
    decl: &GameDecl,
    map: &MapIndex,
    name: &str,
) -> Result<(), (String, Option<String>)> {
    let PhaseName { id, argument } = PhaseName::new(name);
    let Some(phase) = decl.phase(id) else {
        let ids = decl.phases.iter().map(|phase| phase.id.as_str());
        return Err((format!("there is no phase `{id}`"), near(id, ids)));
    };
    match (phase.of.as_deref(), argument) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err((format!("phase `{id}` takes nothing after a dot"), None)),
        (Some(of), None) => Err((format!("phase `{id}` needs a {of} after a dot"), None)),
        (Some("side"), Some(side)) => {
            let sides = decl.sides.iter().map(|side| side.id.as_str());
            if sides.clone().any(|known| known == side) {
                return Ok(());
            }
            Err((format!("there is no side `{side}`"), near(side, sides)))
        }
        (Some(_), Some(space)) => {
            if map.number(space).is_some() {
                return Ok(());
            }
            let spaces = map.map().spaces.iter().map(|space| space.id.as_str());
            Err((format!("there is no space `{space}`"), near(space, spaces)))
        }
    }
}

fn near<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    nearest(wrong, known).map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn phase(yaml: &str) -> PhaseDecl {
        serde_yaml::from_str(yaml).unwrap()
    }

    fn follows(phase: &PhaseDecl, own: Option<&str>, next: &str) -> bool {
        phase.may_be_followed(own, PhaseName::new(next))
    }

    #[test]
    fn arguments_are_the_same_any_other_or_named() {
        let march = phase(
            "{id: march, of: side, then: ['fight.{side}', 'march.{other}', 'battle.{space}', rest, end.red]}",
        );
        for (next, may) in [
            ("fight.red", true),
            ("fight.blue", false),
            ("march.blue", true),
            ("march.red", false),
            ("battle.north", true),
            ("battle", false),
            ("rest", true),
            ("rest.red", false),
            ("end.red", true),
            ("end.blue", false),
            ("other", false),
        ] {
            assert_eq!(follows(&march, Some("red"), next), may, "{next}");
        }
        let first = phase("{id: first, then: ['march.{side}']}");
        assert!(follows(&first, None, "march.red") && follows(&first, None, "march.blue"));
        assert_eq!(
            march.followers(),
            "fight.{side}, march.{other}, battle.{space}, rest, end.red"
        );
    }

    #[test]
    fn what_may_follow_a_phase() {
        assert!(follows(&phase("{id: a}"), None, "b"));
        assert!(!follows(&phase("{id: a, then: []}"), None, "b"));
    }

    #[test]
    fn where_only_one_can_follow_it_need_not_be_named() {
        let only = |yaml, own| phase(yaml).only_follower(own);
        assert_eq!(only("{id: a, then: [b]}", None).unwrap(), "b");
        let same = "{id: a, of: side, then: ['b.{side}']}";
        assert_eq!(only(same, Some("red")).unwrap(), "b.red");
        assert_eq!(only("{id: a, then: ['b.{side}']}", None), None);
        assert_eq!(only("{id: a, then: [b, c]}", None), None);
        assert_eq!(only("{id: a}", None), None);
    }

    #[test]
    fn other_words_in_braces_are_refused() {
        let error = serde_yaml::from_str::<PhaseDecl>("{id: a, then: ['b.{sdie}']}").unwrap_err();
        assert!(
            error.to_string().contains("`side`, `space` or `other`"),
            "{error}"
        );
    }
}
