//! `estafette status DIR`: where a campaign stands, for the umpire.

use std::path::PathBuf;

use serde::Serialize;

use super::{failure::Outcome, new::failure, out};
use crate::{
    campaign::{State, Waiting, host},
    world::Ending,
};

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What the umpire sees.
#[derive(Debug, Serialize)]
struct Status<'a> {
    campaign: String,
    game: &'a str,
    scenario: &'a str,
    turn: i64,
    phase: &'a str,
    envelope: u32,
    waiting: &'a Waiting,
    held: bool,
    ready: Vec<String>,
    /// Where `estafette umpire rollback` can take it back to.
    checkpoints: Vec<Point<'a>>,
    ended: &'a Option<Ending>,
}

/// A wait for orders.
#[derive(Debug, Serialize)]
struct Point<'a> {
    envelope: u32,
    turn: i64,
    phase: &'a str,
}

/// Runs the command.
///
/// # Errors
/// If the campaign is damaged.
pub fn run(args: &Args) -> Outcome {
    let (_, engine, state) = host::look(&args.directory).map_err(failure)?;
    let settings = engine.settings();
    let status = Status {
        campaign: settings.campaign.to_string(),
        game: &settings.game,
        scenario: &settings.scenario,
        turn: state.world.turn(),
        phase: &state.phase,
        envelope: state.dice.envelope,
        waiting: &state.waiting,
        held: state.on_hold,
        ready: state
            .seats
            .iter()
            .filter(|(_, seat)| seat.ready)
            .map(|(id, _)| id.to_string())
            .collect(),
        checkpoints: points(&state),
        ended: &state.world.ended,
    };
    if args.json {
        return out::json(&status);
    }
    out::line(format!(
        "{}: {}, {}, turn {}, phase {}",
        status.campaign, status.game, status.scenario, status.turn, status.phase
    ))?;
    out::line(waiting(&state))?;
    if state.on_hold {
        out::line("held by the umpire: no wait ends until `estafette umpire resume`")?;
    }
    for (id, seat) in &state.seats {
        let player = settings
            .seats
            .get(id)
            .map(|seat| seat.address.to_string())
            .unwrap_or_default();
        let orders = match (seat.words.is_empty(), seat.ready) {
            (true, _) => "no orders",
            (false, true) => "orders in",
            (false, false) => "orders in, with lines to be corrected",
        };
        out::line(format!("  {id} ({player}): {orders}"))?;
    }
    for point in &status.checkpoints {
        out::line(format!(
            "  can be taken back to envelope {}: turn {}, {}",
            point.envelope, point.turn, point.phase
        ))?;
    }
    if let Some(Ending { side, level }) = &state.world.ended {
        let winner = side.as_ref().map_or("nobody", |side| side.as_str());
        out::line(format!("ended: {winner} wins, {level}"))?;
    }
    Ok(())
}

fn points(state: &State) -> Vec<Point<'_>> {
    let points = state.checkpoints.iter();
    points
        .map(|point| Point {
            envelope: point.envelope,
            turn: point.turn,
            phase: &point.phase,
        })
        .collect()
}

fn waiting(state: &State) -> String {
    let until = |deadline: &Option<jiff::Timestamp>| {
        deadline.map_or_else(String::new, |at| format!(", until {at}"))
    };
    match &state.waiting {
        Waiting::Orders {
            seats,
            phase,
            deadline,
        } => {
            let seats: Vec<_> = seats.iter().map(ToString::to_string).collect();
            format!(
                "waiting for orders of {} for {phase}{}",
                seats.join(", "),
                until(deadline)
            )
        }
        Waiting::Answers {
            questions,
            answers,
            deadline,
            ..
        } => {
            let open = answers.iter().filter(|answer| answer.is_none()).count();
            format!(
                "waiting for {open} of {} answers{}",
                questions.len(),
                until(deadline)
            )
        }
        Waiting::Dice {
            round,
            witnesses,
            deadline,
        } => {
            let mut wanted: Vec<String> = round
                .iter()
                .map(|round| format!("round {round} of drand quicknet"))
                .collect();
            wanted.extend(witnesses.iter().map(|name| format!("the token of {name}")));
            let silent = if witnesses.is_empty() {
                &None
            } else {
                deadline
            };
            format!(
                "orders are sealed; the dice wait for {}{}",
                wanted.join(" and "),
                until(silent)
            )
        }
        Waiting::Repair { error } => format!("STOPPED by an error in the rules: {error}"),
        Waiting::Disclosure { at } => format!("ended; the master is published on {at}"),
        Waiting::Nothing => "ended".to_owned(),
    }
}
