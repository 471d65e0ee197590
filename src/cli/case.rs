//! `estafette case PATH...`: runs rule cases.

use std::{collections::BTreeMap, path::PathBuf};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    library::{self, Places},
    out::{self, TraceOption},
};
use crate::{
    cases::{self, Case},
    orders::Grammar,
    rules::{Printout, Program},
};

/// Arguments of `case`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Case files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print only the cases that fail
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    trace: TraceOption,
    #[command(flatten)]
    places: Places,
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if any case failed, or a file could not be read.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed_for(args.places.are_named()) {
        return isolated::again_at_length(Some(1));
    }
    let (found, unread) = cases::read_all(&args.paths);
    let printout = args.trace.is_on().then(Printout::default);
    let mut programs = Programs {
        printout: printout.clone(),
        ..Programs::default()
    };
    let mut failed = 0_usize;
    for one in &found {
        let differences = programs.judge(&args.places, &one.case)?;
        for rule in programs.unlisted(&one.case) {
            out::remark(format!(
                "{}: {}: the checklist of {} has no rule `{rule}`",
                one.path.display(),
                one.case.case,
                one.case.game
            ));
        }
        if let Some(printout) = &printout {
            out::trace(&one.case.case, &printout.take());
        }
        if differences.is_empty() {
            if !args.quiet {
                out::line(format!(
                    "ok      {} ({})",
                    one.case.case,
                    one.case.rules.join(", ")
                ))?;
            }
            continue;
        }
        failed += 1;
        out::line(format!(
            "FAILED  {} ({}), {}",
            one.case.case,
            one.case.rules.join(", "),
            one.path.display()
        ))?;
        for difference in differences {
            out::text(&format!("  {difference}"))?;
        }
    }
    out::line(format!("{} passed, {failed} failed", found.len() - failed))?;
    let unread: Vec<Failure> = unread.into_iter().map(Failure::from).collect();
    if let Some(first) = unread.first() {
        let code = if failed == 0 { first.code } else { 1 };
        let lines: Vec<&str> = (unread.iter().map(|one| one.message.as_str())).collect();
        let message = format!("these could not be read:\n{}", lines.join("\n"));
        return Err(Failure { code, message });
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(Failure::said())
    }
}

/// Compiled rules by game and options, so that many cases of one game share them.
#[derive(Default)]
pub struct Programs {
    /// Where their scripts print to, if anybody is to hear it.
    pub printout: Option<Printout>,
    ready: BTreeMap<Ruleset, (Program, Grammar)>,
}

/// A game with options: what rules are compiled for.
type Ruleset = (String, BTreeMap<String, String>);

impl Programs {
    /// The rules that a case cites and that the game's checklist lacks; none for a game without a
    /// checklist.
    fn unlisted<'c>(&self, case: &'c Case) -> Vec<&'c str> {
        let key = (case.game.clone(), case.settings());
        let Some((program, _)) = self.ready.get(&key) else {
            return Vec::new();
        };
        let checklist = &program.game().checklist;
        let known = |rule: &&str| checklist.iter().any(|entry| entry.id == **rule);
        let cited = case.rules.iter().map(String::as_str);
        cited
            .filter(|rule| !checklist.is_empty() && !known(rule))
            .collect()
    }

    /// Plays a case; what differs, or why it could not be played.
    ///
    /// # Errors
    /// If the game can't be loaded.
    pub fn judge(&mut self, places: &Places, case: &Case) -> Result<Vec<String>, Failure> {
        let options = case.settings();
        let key = (case.game.clone(), options.clone());
        if !self.ready.contains_key(&key) {
            let game = places.game(&case.game)?;
            let (program, grammar) = library::rules(&game, &options)?;
            program.recheck();
            if let Some(printout) = &self.printout {
                program.listen(printout);
            }
            self.ready.insert(key.clone(), (program, grammar));
        }
        let Some((program, grammar)) = self.ready.get(&key) else {
            return Ok(Vec::new());
        };
        Ok(cases::judge(program, grammar, case).unwrap_or_else(|error| vec![error.to_string()]))
    }
}
