//! Parts of arguments that texts print and scripts never give.

use super::flow::Flow;
use crate::game::{Problem, nearest};

/// Parts of arguments that texts print and that no script gives: they print nothing.
pub(super) fn find(flow: &Flow<'_>) -> Vec<Problem> {
    if !flow.is_settled() {
        return Vec::new();
    }
    let parts = flow.never_had().map(|(it, known)| {
        let file = format!("games/{}/{}", flow.names.game.decl.id, it.file);
        let message = format!("`{}`, as scripts give it, has no `{}`", it.name, it.part);
        let problem = Problem::new(&file, it.path.clone(), message);
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        match nearest(&it.part, known.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => problem,
            None => problem.hint(format!("there are: {}", known.join(", "))),
        }
    });
    parts.collect()
}
