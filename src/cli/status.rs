//! `estafette status DIR`: where a campaign stands, for the umpire.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use serde::Serialize;

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    isolated,
    new::failure,
    out, status_club, status_list,
    umpires_eyes::EyesOption,
    waits::{local, until, waiting},
};
use crate::{
    campaign::{
        self,
        durable::{self, CampaignError, alarm::Alarm},
        model::{
            concerns::{HeldMail, LastBounce},
            context::Context,
            settings::Settings,
            state::{CurrentWait, SeatState, State},
        },
    },
    game::Lang,
    ids::SeatId,
    isolation::ProcessBounds,
    store::Directory,
    world::Ending,
};

/// Arguments of `status`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The campaign's directory; several, or a folder of campaigns, give one line each, and a
    /// club's gives the whole club
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// Also show what only the umpire may know: that somebody is quietly asked something, and who
    #[arg(long)]
    secrets: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    eyes: EyesOption,
    #[command(flatten)]
    clock: ClockOption,
}

/// The status of a campaign, for the umpire.
#[derive(Debug, Serialize)]
struct CampaignStatus<'a> {
    campaign: String,
    game: &'a str,
    scenario: &'a str,
    turn: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'a str>,
    envelope: u32,
    waiting: ToldWait<'a>,
    /// When everybody is told what came of the last seal, where the schedule fixes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatch_at: Option<jiff::Timestamp>,
    /// No wait ends until the umpire lets the campaign go on.
    on_hold: bool,
    ready: Vec<String>,
    seats: Vec<SeatStatus<'a>>,
    /// Mails that wait for `estafette umpire release`.
    held: Vec<&'a HeldMail>,
    /// The last report on a letter, for each recipient of whom there is one.
    came_back: &'a BTreeMap<SeatId, LastBounce>,
    /// Where `estafette umpire rollback` can take it back to.
    checkpoints: Vec<WaitPoint<'a>>,
    ended: &'a Option<Ending>,
    /// The failure of the last try to open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    alarm: Option<UnopenedCampaign>,
}

/// The present wait, as far as it may be told.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ToldWait<'a> {
    Whole(&'a CurrentWait),
    /// Who is awaited, for a blind umpire: no questions, no answers, no errors of the rules.
    Awaited {
        r#for: &'static str,
        seats: Vec<&'a SeatId>,
        deadline: Option<Timestamp>,
    },
    /// A wait known only to those who are asked, as all others see it.
    Quiet {
        r#for: &'static str,
        deadline: Option<Timestamp>,
    },
}

/// How a seat's player can be reached, and what has come from him.
#[derive(Debug, Serialize)]
struct SeatStatus<'a> {
    seat: &'a SeatId,
    address: String,
    lang: Lang,
    /// None when the campaign is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    orders: Option<&'static str>,
    /// Too many letters came back: nothing more is sent to the address.
    unreachable: bool,
    /// The address that is to be confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_for: Option<&'a str>,
}

impl<'a> SeatStatus<'a> {
    fn of(context: &'a Context, state: &'a State, id: &'a SeatId, seat: &SeatState) -> Self {
        let player = campaign::player(context, state, id);
        let asked = state.contacts.get(id).and_then(|it| it.asked.as_ref());
        Self {
            seat: id,
            address: player.map_or_else(String::new, |player| player.address.to_string()),
            lang: campaign::lang(context, state, id),
            orders: match (&state.waiting, seat.words.is_empty(), seat.ready) {
                (CurrentWait::Disclosure { .. } | CurrentWait::Nothing, ..) => None,
                (_, true, _) => Some("no orders"),
                (_, false, true) => Some("orders in"),
                (_, false, false) => Some("orders to be corrected"),
            },
            unreachable: seat.is_unreachable(),
            asks_for: (asked.filter(|asked| state.time <= asked.until))
                .map(|asked| asked.address.as_str()),
        }
    }

    fn print(&self) -> CommandResult {
        let Self {
            seat,
            address,
            orders,
            ..
        } = self;
        let mut line = format!("  {seat} ({address})");
        if let Some(orders) = orders {
            line.push_str(&format!(": {orders}"));
        }
        if self.unreachable {
            line.push_str("; UNREACHABLE: letters came back, nothing more is sent there");
        }
        if let Some(new) = self.asks_for {
            line.push_str(&format!("; asks for {new}, which has not confirmed it"));
        }
        out::line(line)
    }
}

/// A wait for orders.
#[derive(Debug, Serialize)]
struct WaitPoint<'a> {
    envelope: u32,
    turn: i64,
    phase: &'a str,
}

/// A campaign that can't be opened, or could not when that was tried last.
#[derive(Debug, Serialize)]
struct UnopenedCampaign {
    campaign: String,
    /// The reason why it stopped.
    stopped: String,
    /// When the host found it; none if it hasn't been opened since.
    since: Option<Timestamp>,
    /// Its rules have ended the process that opened it.
    by_its_rules: bool,
}

impl UnopenedCampaign {
    fn of(directory: &Directory, stopped: String, alarm: Option<&Alarm>) -> Self {
        let name = Settings::of(directory).map(|it| it.campaign.to_string());
        Self {
            campaign: name.unwrap_or_else(|_| directory.root().display().to_string()),
            stopped,
            since: alarm.map(|alarm| alarm.since),
            by_its_rules: alarm.is_some_and(|alarm| alarm.alone),
        }
    }

    fn say(&self, json: bool) -> CommandResult {
        if json {
            out::json(self)?;
        } else {
            self.print()?;
        }
        Err(Failure::said())
    }

    fn print(&self) -> CommandResult {
        let Self {
            campaign, stopped, ..
        } = self;
        out::line(format!(
            "{campaign}: STOPPED, it can't be opened: {stopped}"
        ))?;
        if let Some(since) = self.since {
            out::line(format!("  found at {since}, and told to the umpire"))?;
        }
        let under = if self.by_its_rules {
            "When the rules end their process"
        } else {
            "When files are damaged"
        };
        out::line(format!(
            "  docs/umpire.md says what to do, under \"{under}\""
        ))
    }
}

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the campaign can't be opened.
pub fn run(args: &Args) -> CommandResult {
    match args.directories.as_slice() {
        [one] if status_club::is_club(one) => status_club::print(one, args.json, args.secrets),
        // A wait that is neither is told as one.
        [one]
            if status_list::is_campaign(one)
                || status_list::campaigns(&args.directories).is_err() =>
        {
            in_full(one, args)
        }
        paths => status_list::list(&status_list::campaigns(paths)?, args.json, args.secrets),
    }
}

/// Everything about one campaign.
fn in_full(root: &Path, args: &Args) -> CommandResult {
    let (json, secrets) = (args.json, args.secrets);
    let directory = Directory::open(root).map_err(CampaignError::from);
    let directory = directory.map_err(failure)?;
    let alarm = Alarm::of(&directory).map_err(CampaignError::from);
    let alarm = alarm.map_err(failure)?;
    if let Some(alarm) = alarm.as_ref().filter(|alarm| alarm.alone) {
        return UnopenedCampaign::of(&directory, alarm.problem.clone(), Some(alarm)).say(json);
    }
    if isolated::is_needed(root) {
        return isolated::again_or(&ProcessBounds::default(), |death| {
            let unopened = UnopenedCampaign::of(&directory, death.to_string(), alarm.as_ref());
            let by_its_rules = true;
            let unopened = UnopenedCampaign {
                by_its_rules,
                ..unopened
            };
            unopened.say(json)
        });
    }
    if secrets || args.eyes.reveal.is_some() {
        args.eyes.open(root, "status", &args.clock)?;
    }
    let (context, state) = match durable::look(root) {
        Ok((_, context, state)) => (context, state),
        Err(error) if error.is_environment() => return Err(failure(error)),
        Err(error) => {
            let problem = Alarm::problem_of(&error);
            return UnopenedCampaign::of(&directory, problem, alarm.as_ref()).say(json);
        }
    };
    let settings = context.settings();
    let quiet = state.quiet().filter(|_| !secrets);
    let blind = args.eyes.are_shut(settings)?;
    let status = CampaignStatus {
        campaign: settings.campaign.to_string(),
        game: &settings.game,
        scenario: &settings.scenario,
        turn: state.world.turn(),
        phase: quiet.is_none().then_some(&state.phase),
        envelope: state.dice.envelope,
        waiting: match quiet {
            Some((_, deadline)) => ToldWait::Quiet {
                r#for: status_list::QUIET,
                deadline,
            },
            None if blind => awaited(&state),
            None => ToldWait::Whole(&state.waiting),
        },
        dispatch_at: state.dispatch_at,
        on_hold: state.on_hold,
        ready: state
            .seats
            .iter()
            .filter(|(_, seat)| seat.ready)
            .map(|(id, _)| id.to_string())
            .collect(),
        seats: (state.seats.iter())
            .map(|(id, seat)| SeatStatus::of(&context, &state, id, seat))
            .collect(),
        held: state.releasable().collect(),
        came_back: &state.came_back,
        checkpoints: points(&state),
        ended: &state.world.ended,
        alarm: alarm
            .map(|alarm| UnopenedCampaign::of(&directory, alarm.problem.clone(), Some(&alarm))),
    };
    if json {
        return out::json(&status);
    }
    if let Some(alarm) = &status.alarm {
        alarm.print()?;
    }
    let phase = (status.phase).map_or_else(String::new, |phase| format!(", phase {phase}"));
    out::line(format!(
        "{}: {}, {}, turn {}{phase}",
        status.campaign, status.game, status.scenario, status.turn
    ))?;
    out::line(match quiet {
        Some((_, known)) => {
            let until = until(&context, known);
            format!("waiting for {}{until}", status_list::QUIET)
        }
        None if blind && state.stopped().is_some() => "STOPPED by an error in the rules".to_owned(),
        None => waiting(&context, &state),
    })?;
    if let (true, Some(at)) = (state.waits_in_quiet(), state.dispatch_at) {
        out::line(format!(
            "dispatches go out at {}, neither sooner nor later",
            local(&context, at)
        ))?;
    }
    if state.on_hold {
        out::line("held by the umpire: no wait ends until `estafette umpire resume`")?;
    }
    for seat in &status.seats {
        seat.print()?;
    }
    for (to, report) in status.came_back {
        let LastBounce {
            letter, status, at, ..
        } = report;
        out::line(format!(
            "  letter {letter} to {to} came back at {}: {status}",
            local(&context, *at)
        ))?;
    }
    for held in &status.held {
        let HeldMail {
            file, seat, found, ..
        } = held;
        out::line(format!(
            "  held for {seat} ({found}): `estafette umpire release DIR --mail {file}` lets it count"
        ))?;
    }
    for point in &status.checkpoints {
        out::line(format!(
            "  can be taken back to envelope {}: turn {}, {}",
            point.envelope, point.turn, point.phase
        ))?;
    }
    if let Some(Ending { side, level }) = &state.world.ended {
        out::line(format!("ended: {side} wins, {level}"))?;
    }
    Ok(())
}

/// The present wait, as a blind umpire sees it.
fn awaited(state: &State) -> ToldWait<'_> {
    let (what, seats) = match &state.waiting {
        CurrentWait::Orders { seats, .. } => ("orders", seats.iter().collect()),
        CurrentWait::Answers { questions, .. } => {
            let mut seats: Vec<&SeatId> = questions.iter().map(|asked| &asked.seat).collect();
            seats.sort();
            seats.dedup();
            ("answers", seats)
        }
        CurrentWait::Dice { witnesses, .. } => ("dice", witnesses.iter().collect()),
        CurrentWait::Dispatch { .. } => ("dispatch", Vec::new()),
        CurrentWait::Repair { .. } => ("repair", Vec::new()),
        CurrentWait::Disclosure { .. } => ("disclosure", Vec::new()),
        CurrentWait::Nothing => ("nothing", Vec::new()),
    };
    ToldWait::Awaited {
        r#for: what,
        seats,
        deadline: state.deadline(),
    }
}

fn points(state: &State) -> Vec<WaitPoint<'_>> {
    let points = state.checkpoints.iter();
    points
        .map(|point| WaitPoint {
            envelope: point.envelope,
            turn: point.turn,
            phase: &point.phase,
        })
        .collect()
}
