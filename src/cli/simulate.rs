//! `estafette simulate GAME`: bots play whole campaigns through the mail path.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

use super::{
    failure::{CommandResult, Failure},
    isolated,
    library::Places,
    new::{options, scenario, sound_game},
    out::{self, TraceOption},
    progress::Bar,
    seating,
};
use crate::{
    digest::Digest,
    game::{self, Game},
    ids::SeatId,
    rules::{Bots, used_memory},
    simulate::{self, BotGame, SimulateError, SimulationPlan, SimulationReport, Spread},
};

/// Arguments of `simulate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// Number of campaigns; by default 12, or as many more as it takes for all pairings to play
    /// equally often
    #[arg(long, value_name = "N")]
    campaigns: Option<usize>,
    /// Seed of dice and bots, a number or any word; the same seed gives the same campaigns
    #[arg(value_parser = seed_of, long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads play; as many as the machine has cores if not given
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
    /// The roster, in a game for more or fewer players; by default the first
    #[arg(long)]
    roster: Option<String>,
    /// The scenario; the game's own if not given
    #[arg(long)]
    scenario: Option<String>,
    /// An option of the game, or `questions_per_turn`; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    options: Vec<String>,
    /// Bot: `NAME` for all seats, or `SEAT=NAME` once for each. By default, all pairings in turn
    #[arg(long = "bots", value_name = "[SEAT=]NAME")]
    bots: Vec<String>,
    /// Folder for campaigns in which something is found, with the mails that led there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave all campaigns there
    #[arg(long, requires = "out")]
    keep_all: bool,
    /// Work out anew what scripts remember whenever they use it, and compare: slower
    #[arg(long)]
    recheck: bool,
    /// Draw the maps too, as letters to players have them: slower
    #[arg(long)]
    pictures: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    trace: TraceOption,
    #[command(flatten)]
    places: Places,
}

/// How many campaigns are played where nothing is said, and their pairings come out even.
const CAMPAIGNS: usize = 12;

/// Runs the command.
///
/// # Errors
/// Exit code 1 if anything was found wrong in a campaign.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed_for(args.places.are_named()) {
        return isolated::again_at_length(args.threads);
    }
    let (game, files) = sound_game(&args.places, None, &args.game)?;
    let game = seating::with_roster(game, args.roster.as_deref())?;
    let bots = game::bot_scripts(&args.places.files(None), &args.game)?;
    let scenario = scenario(args.scenario.as_deref(), args.roster.as_deref(), &game)?;
    let game = Arc::new(game.staged(&scenario));
    // Beside the bots' scripts stand those that they share. What does not compile is told below.
    let names = Bots::compile(Arc::clone(&game), &bots).map_or(1, |bots| bots.names().len());
    let plan = plan(args, &game, scenario, names)?;
    let loaded = BotGame { game, files, bots };
    let bar = Bar::from_the_first();
    let begun = Instant::now();
    let (mut memory, mut over) = (0, 0);
    let report = simulate::run(&plan, &loaded, &mut |played| {
        memory = memory.max(used_memory());
        bar.aside(|| out::trace(&format!("campaign {}", played.number), &played.printed));
        if let Some(fault) = played.faults.first() {
            bar.say(&format!("campaign {}: {fault}", played.number));
        }
        over += 1;
        bar.show(over, plan.campaigns);
    });
    drop(bar);
    let report = report.map_err(|error| match error {
        SimulateError::Unknown { .. } | SimulateError::NoBots(_) => Failure::usage(error),
        _ => Failure::failed(error),
    })?;
    if args.json {
        out::json(&report)?;
    } else {
        say(&report)?;
        let seconds = begun.elapsed().as_secs_f64();
        out::line(format!(
            "{:.1} campaigns a second, audits included; at most {} MB of memory",
            report.campaigns as f64 / seconds.max(0.001),
            memory >> 20
        ))?;
    }
    if report.is_sound() {
        return Ok(());
    }
    let kept = args.out.as_ref().map_or_else(
        || "; with --out DIR they are kept".to_owned(),
        |out| format!("; they are kept in {}", out.display()),
    );
    Err(Failure::failed(format!(
        "something is wrong in {} of {} campaigns{kept}",
        report.faults.len(),
        report.campaigns
    )))
}

fn plan(
    args: &Args,
    game: &Game,
    scenario: String,
    bots: usize,
) -> Result<SimulationPlan, Failure> {
    let (options, questions_per_turn) = options(&args.options, game)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pairings = pairings(&args.bots, game)?;
    let ways = if pairings.is_empty() {
        let seats = u32::try_from(game.decl.seats.len()).unwrap_or(u32::MAX);
        // A game without bots is told so where it is played.
        bots.saturating_pow(seats).max(1)
    } else {
        pairings.len()
    };
    if let Some(campaigns) = args.campaigns.filter(|campaigns| campaigns % ways != 0) {
        out::remark(format!(
            "{campaigns} campaigns can't play {ways} pairings of bots evenly; a multiple of {ways} does"
        ));
    }
    // As many of each as of the others.
    let even = CAMPAIGNS.checked_next_multiple_of(ways);
    Ok(SimulationPlan {
        game: args.game.clone(),
        scenario,
        roster: args.roster.clone(),
        options,
        questions_per_turn,
        pairings,
        campaigns: args.campaigns.or(even).unwrap_or(CAMPAIGNS),
        seed: args.seed,
        threads: args.threads.unwrap_or(cores),
        trace: args.trace.is_on(),
        out: args.out.clone(),
        keep_all: args.keep_all,
        recheck: args.recheck,
        pictures: args.pictures,
    })
}

/// The pairing that `--bots` asks for; none if it was not given.
fn pairings(texts: &[String], game: &Game) -> Result<Vec<BTreeMap<SeatId, String>>, Failure> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let mut bots = BTreeMap::new();
    for text in texts {
        let seats = game.decl.seats.iter().map(|seat| &seat.id);
        match text.split_once('=') {
            None => bots.extend(seats.map(|seat| (seat.clone(), text.clone()))),
            Some((seat, name)) => {
                let seat = seats
                    .clone()
                    .find(|known| **known == *seat)
                    .ok_or_else(|| {
                        let known: Vec<&str> = seats.map(SeatId::as_str).collect();
                        Failure::usage(format!(
                            "--bots: there is no seat `{seat}`; there are: {}",
                            known.join(", ")
                        ))
                    })?;
                bots.insert(seat.clone(), name.to_owned());
            }
        }
    }
    let missing = game
        .decl
        .seats
        .iter()
        .find(|seat| !bots.contains_key(&seat.id));
    match missing {
        Some(seat) => Err(Failure::usage(format!(
            "who plays {0}? add --bots {0}=NAME",
            seat.id
        ))),
        None => Ok(vec![bots]),
    }
}

fn say(report: &SimulationReport) -> CommandResult {
    let options: String = report
        .options
        .iter()
        .map(|(name, value)| format!(", {name}={value}"))
        .collect();
    out::line(format!(
        "{}, scenario {}{options}, seed {}: {}, {}, {}",
        report.game,
        report.scenario,
        report.seed,
        out::counted(report.campaigns, "campaign"),
        out::counted(report.phases, "phase"),
        out::counted(report.letters, "letter"),
    ))?;
    for results in &report.results {
        let who: Vec<String> = results
            .bots
            .iter()
            .map(|(seat, bot)| format!("{seat} {bot}"))
            .collect();
        out::line("")?;
        out::line(format!(
            "{}: {}, ended in turn {}",
            who.join(", "),
            out::counted(results.campaigns, "campaign"),
            spread(results.turns)
        ))?;
        for (ending, count) in &results.endings {
            out::line(format!("  {count:>5}  {ending}"))?;
        }
    }
    out::text("\nA seat and turn (least, median, most)")?;
    let seats = report
        .seats
        .iter()
        .map(|(seat, habits)| (seat.as_str(), habits));
    for (name, habits) in seats.chain(
        report
            .bots
            .iter()
            .map(|(bot, habits)| (bot.as_str(), habits)),
    ) {
        out::line(format!(
            "  {name:<12} mails {}; questions {}; in all {}, {} refused, {}",
            spread(habits.mails),
            spread(habits.questions),
            out::counted(habits.orders, "order"),
            habits.refused,
            out::counted(habits.wrong, "wrong line")
        ))?;
    }
    for (number, faults) in &report.faults {
        out::text(&format!("\ncampaign {number}:"))?;
        for fault in faults {
            out::line(format!("  {fault}"))?;
        }
    }
    out::line("")?;
    out::line(format!(
        "milliseconds for a campaign (least, median, most): played {}; audited {}",
        spread(report.play),
        spread(report.audit)
    ))
}

fn spread(spread: Spread) -> String {
    format!("{} {} {}", spread.least, spread.median, spread.most)
}

/// Reads a seed: a number stands for itself, any other word for the number at the beginning of its
/// digest, which the report names.
fn seed_of(word: &str) -> Result<u64, std::convert::Infallible> {
    let number = word.parse().unwrap_or_else(|_| {
        let digest = Digest::of(word.as_bytes());
        let bytes = digest.bytes().iter().take(8);
        bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte))
    });
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::seed_of;

    #[test]
    fn a_seed_is_a_number_or_any_word() {
        assert_eq!(seed_of("7"), Ok(7));
        assert_eq!(seed_of("spring"), seed_of("spring"));
        assert_ne!(seed_of("spring"), seed_of("Spring"));
    }
}
