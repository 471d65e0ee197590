//! The slots of a form as written: those without a label or a type, or with an unknown type.
//!
//! The parser stops at the first error; an author wants to hear of every slot at once.

use super::pattern::{PatternError, Slot};
use crate::game::nearest;

/// What is wrong with the slots of a form, in their order.
pub(super) fn wrong_slots(text: &str) -> Vec<PatternError> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let (mut at, mut is_sign) = (0, false);
    while let Some(letter) = letters.get(at) {
        match letter {
            '"' => is_sign = !is_sign,
            '<' if !is_sign => {
                let rest = letters.iter().skip(at + 1);
                let inside: String = rest.take_while(|letter| **letter != '>').collect();
                found.extend(wrong_slot(&inside, at + 2));
                at += inside.chars().count() + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// What is wrong with a slot whose first letter after the `<` is in this column.
fn wrong_slot(inside: &str, column: usize) -> Option<PatternError> {
    let names = Slot::ALL.map(Slot::name);
    let there_are = names.join(", ");
    let (label, kind) = inside.split_once(':').unwrap_or((inside, ""));
    if !is_name(label) {
        let message = format!("`{label}` is no label of a slot, which is a name in small letters");
        return Some(PatternError { column, message });
    }
    if names.contains(&kind) {
        return None;
    }
    if kind.is_empty() {
        let message =
            format!("the slot `{label}` has no type: write <{label}:TYPE>. There are: {there_are}");
        return Some(PatternError { column, message });
    }
    let column = column + label.chars().count() + 1;
    let meant = nearest(kind, names.into_iter());
    let meant = meant.map_or_else(
        || ".".to_owned(),
        |near| format!(", did you mean `{near}`?"),
    );
    let message = format!(
        "the slot `{label}` has a type that there is not, `{kind}`{meant} There are: {there_are}"
    );
    Some(PatternError { column, message })
}

fn is_name(label: &str) -> bool {
    label.starts_with(|c: char| c.is_ascii_lowercase())
        && label
            .chars()
            .all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
}
