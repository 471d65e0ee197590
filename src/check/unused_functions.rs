//! Functions that nothing calls.

use std::{collections::BTreeSet, path::Path};

use super::{bodies::FunctionBody, flow::Flow};
use crate::game::{Problem, nearest};

/// Functions of the game's own scripts that neither the rules nor bots call, and functions of bots
/// that no bot calls.
pub(super) fn find(rules: &Flow<'_>, bots: &Flow<'_>) -> Vec<Problem> {
    let called: BTreeSet<_> = bots.reached_names().collect();
    let left = rules
        .unreached()
        .filter(|body| !called.contains(&(&*body.name, body.parameters.len())));
    let of_rules = left.map(|body| {
        let message = format!("nothing calls the function `{}`", body.name);
        rules.problem(body.at, message)
    });
    let is_of_bots = |body: &&FunctionBody| {
        rules
            .bodies
            .find(&body.name, body.parameters.len())
            .is_none()
    };
    let of_bots = bots.unreached().filter(is_of_bots).map(|body| {
        let message = format!("nothing calls the function `{}`", body.name);
        let problem = bots.problem(body.at, message);
        let file = Path::new(&problem.file).file_stem();
        let bot = file.and_then(|stem| stem.to_str()).filter(|bot| {
            body.parameters.len() == 2 && nearest(&body.name, [*bot].into_iter()).is_some()
        });
        match bot.map(str::to_owned) {
            Some(bot) => problem.hint(format!("the bot of this file is the function `{bot}`")),
            None => problem,
        }
    });
    // Games share what is in lib: none uses all of it.
    of_rules
        .chain(of_bots)
        .filter(|problem| !problem.file.starts_with("rules/lib/"))
        .map(Problem::warning)
        .collect()
}
