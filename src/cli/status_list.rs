//! `estafette status DIR...`: a line for each of many campaigns.
//!
//! Without `--secrets` it says of each what all its players may know, and who is awaited, but
//! nothing about quiet questions.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{
    failure::{CommandResult, Failure},
    isolated, out,
    umpires_eyes::EyesOption,
    waits::{closing, local, missing},
};
use crate::{
    campaign::{
        durable::{
            self, CampaignError,
            alarm::Alarm,
            needs::{CampaignNeed, needs_of},
        },
        model::{
            context::Context,
            settings::Settings,
            state::{CurrentWait, State},
        },
    },
    isolation::ProcessBounds,
    store::Directory,
    world::Ending,
};

/// How a quiet wait looks to everyone who isn't asked.
pub const QUIET: &str = "orders or what comes of them";

/// A campaign in one line.
#[derive(Debug, Serialize)]
pub struct CampaignLine {
    pub campaign: String,
    directory: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<i64>,
    /// The wait, and its deadline.
    waiting: String,
    /// Problems, if any.
    pub wrong: Vec<String>,
    /// True if it is over.
    #[serde(skip)]
    pub is_over: bool,
    /// True if it is packed, so that nobody has looked at it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    packed: bool,
}

/// The campaigns that paths name: each itself, or those in a folder of campaigns.
///
/// # Errors
/// If a path is neither.
pub fn campaigns(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if is_campaign(path) {
            found.push(path.clone());
            continue;
        }
        let failed = |error| Failure::environment(format!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if is_campaign(&path) {
                inside.push(path);
            }
        }
        if inside.is_empty() {
            return Err(Failure::failed(format!(
                "{} is no campaign, and there is none in it",
                path.display()
            )));
        }
        inside.sort();
        found.extend(inside);
    }
    Ok(found)
}

/// Returns true if a campaign stands here. One that is being made does not yet: its folder is
/// hidden, or has no journal.
pub fn is_campaign(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let hidden = name.as_encoded_bytes().starts_with(b".") && name != "." && name != "..";
    !hidden && Directory::at(path).is_whole()
}

/// Prints a line for each campaign.
///
/// # Errors
/// Exit code 1 if one of them can't be opened.
pub fn list(campaigns: &[PathBuf], json: bool, secrets: bool) -> CommandResult {
    if campaigns.iter().any(|root| is_foreign(root)) {
        return isolated::again_or(&ProcessBounds::default(), |death| {
            let foreign = format!("not looked at, since {death}");
            print(&lines(campaigns, secrets, Some(&foreign)), json)
        });
    }
    print(&lines(campaigns, secrets, None), json)
}

/// Returns true if a look at a campaign may run rules of others.
pub fn is_foreign(root: &Path) -> bool {
    !Directory::at(root).is_packed() && isolated::is_needed(root)
}

/// The lines; where rules of others have ended the process that looked, their campaigns are passed
/// over.
pub fn lines(campaigns: &[PathBuf], secrets: bool, foreign: Option<&str>) -> Vec<CampaignLine> {
    let line = |root: &PathBuf| {
        if Directory::at(root).is_packed() {
            return at_rest(root);
        }
        if isolated::is_needed(root) {
            let unpacked =
                "it was packed until just now, and its rules do not ship; look once more";
            return unopened(root, foreign.unwrap_or(unpacked).to_owned());
        }
        look(root, secrets)
    };
    campaigns.iter().map(line).collect()
}

fn print(lines: &[CampaignLine], json: bool) -> CommandResult {
    if json {
        out::json(&lines)?;
    } else {
        print_lines(lines)?;
    }
    outcome(lines)
}

/// Prints a line for each.
///
/// # Errors
/// If nothing can be written.
pub fn print_lines(lines: &[CampaignLine]) -> CommandResult {
    let names = lines.iter().map(|line| line.campaign.chars().count());
    let width = names.max().unwrap_or(0);
    let mut lines = lines.iter();
    lines.try_for_each(|line| out::line(line.in_words(width)))
}

/// Whether all could be opened.
///
/// # Errors
/// Exit code 1 if not; why has been said.
pub fn outcome(lines: &[CampaignLine]) -> CommandResult {
    if lines.iter().any(|line| line.turn.is_none() && !line.packed) {
        return Err(Failure::said());
    }
    Ok(())
}

impl CampaignLine {
    fn in_words(&self, width: usize) -> String {
        let turn = (self.turn).map_or_else(String::new, |turn| format!("  turn {turn}"));
        let waiting = match self.waiting.as_str() {
            "" => String::new(),
            waiting => format!("  {waiting}"),
        };
        let wrong = match self.wrong.as_slice() {
            [] => String::new(),
            wrong => format!("  WRONG: {}", wrong.join("; ")),
        };
        format!("{:width$}{turn}{waiting}{wrong}", self.campaign)
    }
}

fn unopened(root: &Path, why: String) -> CampaignLine {
    let settings = Settings::of(&Directory::at(root));
    CampaignLine {
        campaign: settings.map_or_else(
            |_| root.display().to_string(),
            |settings| settings.campaign.to_string(),
        ),
        directory: root.to_owned(),
        turn: None,
        waiting: String::new(),
        wrong: vec![format!("STOPPED, it can't be opened: {why}")],
        is_over: false,
        packed: false,
    }
}

/// One that is packed: its files stay as they are.
fn at_rest(root: &Path) -> CampaignLine {
    let line = unopened(root, String::new());
    CampaignLine {
        waiting: "over, packed".to_owned(),
        wrong: Vec::new(),
        is_over: true,
        packed: true,
        ..line
    }
}

fn look(root: &Path, secrets: bool) -> CampaignLine {
    let alarm = Directory::open(root).map_err(CampaignError::from);
    let alarm = alarm.and_then(|directory| Ok(Alarm::of(&directory)?));
    let alone = match &alarm {
        Ok(Some(alarm)) if alarm.alone => Some(alarm.problem.clone()),
        _ => None,
    };
    if let Some(problem) = alone {
        return unopened(root, problem);
    }
    match durable::look(root) {
        Ok((_, context, state)) => {
            let blind = EyesOption::default().are_shut(context.settings());
            let sees = blind.is_ok_and(|blind| !blind);
            CampaignLine {
                campaign: context.settings().campaign.to_string(),
                directory: root.to_owned(),
                turn: Some(state.world.turn()),
                waiting: waiting(&context, &state, secrets && sees),
                wrong: wrong(&context, &state, sees),
                is_over: state.is_over(),
                packed: false,
            }
        }
        Err(error) => unopened(root, Alarm::problem_of(&error)),
    }
}

/// The present wait, and its deadline.
fn waiting(context: &Context, state: &State, secrets: bool) -> String {
    let until = |at: Option<jiff::Timestamp>| {
        at.map_or_else(String::new, |at| format!(" until {}", local(context, at)))
    };
    if let Some((_, known)) = state.quiet().filter(|_| !secrets) {
        return format!("{QUIET}{}", until(known));
    }
    let waits = match &state.waiting {
        CurrentWait::Orders { deadline, .. } => {
            let missing = missing(state);
            match missing.as_slice() {
                [] => format!("all orders are in{}", closing(context, state)),
                missing => format!("waits for {}{}", missing.join(", "), until(*deadline)),
            }
        }
        CurrentWait::Answers {
            questions,
            answers,
            deadline,
            ..
        } => {
            let open = (questions.iter().zip(answers)).filter(|(_, answer)| answer.is_none());
            let seats: BTreeSet<&str> = open.map(|(asked, _)| asked.seat.as_str()).collect();
            format!(
                "waits for answers of {}{}",
                Vec::from_iter(seats).join(", "),
                until(*deadline)
            )
        }
        CurrentWait::Dispatch { .. } => {
            format!("waits for its dispatches{}", until(state.dispatch_at))
        }
        CurrentWait::Dice {
            round,
            witnesses,
            deadline,
        } => {
            let beacon = round.map(|round| format!("round {round} of the beacon"));
            let witnesses = witnesses.iter().map(|name| format!("the witness {name}"));
            let sources: Vec<String> = beacon.into_iter().chain(witnesses).collect();
            format!("waits for {}{}", sources.join(", "), until(*deadline))
        }
        CurrentWait::Repair { .. } => String::new(),
        CurrentWait::Disclosure { at } => {
            format!("over; its master is published {}", local(context, *at))
        }
        CurrentWait::Nothing => "over".to_owned(),
    };
    match &state.world.ended {
        Some(Ending { side, level }) => format!("{waits} ({side} wins, {level})"),
        None => waits,
    }
}

/// The problems that an umpire has to look after. `sees`: he may see positions.
fn wrong(context: &Context, state: &State, sees: bool) -> Vec<String> {
    needs_of(context, state, sees)
        .iter()
        .map(in_words)
        .collect()
}

/// A problem in a few words.
pub fn in_words(need: &CampaignNeed) -> String {
    match need {
        CampaignNeed::Stopped { why } => format!("STOPPED: {why}"),
        CampaignNeed::OnHold => "held by the umpire".to_owned(),
        CampaignNeed::Unreachable { seat } => format!("{seat} can't be reached"),
        CampaignNeed::CameBack { seat } => format!("a letter to {seat} came back"),
        CampaignNeed::Held { count: 1 } => "a mail is held".to_owned(),
        CampaignNeed::Held { count } => format!("{count} mails are held"),
        CampaignNeed::NoOrders { seat, missed: 0 } => format!("{seat} is late"),
        CampaignNeed::NoOrders { seat, missed } => {
            let missed = out::counted(*missed as usize, "deadline");
            format!("{seat} has sent nothing and missed {missed}")
        }
    }
}
