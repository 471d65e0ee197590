//! `estafette new GAME --into DIR`: makes a campaign.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use jiff::Timestamp;

use super::{
    failure::{CommandResult, Failure},
    isolated,
    library::{Places, problems_failure},
    out,
    run::PATIENCE,
    schedule::ScheduleOptions,
    seating::{self, Players},
};
use crate::{
    campaign::{
        durable::{Campaign, CampaignError},
        model::{
            absence::{AbsenceRules, OpponentRights},
            concerns::BouncePolicy,
            dispatch_policy::DispatchPolicy,
            errands::{PressRules, PressTime},
            player_address::BotName,
            seats::Seats,
            settings::{CampaignId, DiceSource, Settings, WITNESS_HOURS, Witness},
            trust::{Trust, TrustPolicy},
            work_error::WorkError,
        },
    },
    check,
    dice::Master,
    digest::HexError,
    game::{Files, Game, GameFiles, bot_scripts},
    mail::Mailbox,
    rules::Bots,
};

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The game
    game: String,
    /// The campaign's directory, which must not exist yet
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// A player: `red=ada@example.org` or `blue=bert@example.org,lang=fr,name=Bert`, or a bot of
    /// the game: `blue=bot`, `blue=bot:random`; once for each seat
    #[arg(
        long = "seat",
        required = true,
        value_name = "SEAT=ADDRESS|bot[:NAME][,lang=fr][,name=NAME][,zone=ZONE][,screen=phone]"
    )]
    seats: Vec<String>,
    /// The umpire's address, told of troubles; more of them have names, may be `blind` (they see
    /// neither positions nor orders) or `silent` (they get no letters unless they ask)
    #[arg(long = "umpire", value_name = "ADDRESS|NAME=ADDRESS[,blind][,silent]")]
    umpires: Vec<String>,
    /// The roster, in a game for more or fewer players: `3`. By default, the roster with exactly
    /// these seats. Seats of one party with one address become one seat, with one letter
    #[arg(long, value_name = "ROSTER")]
    roster: Option<String>,
    /// The scenario
    #[arg(long)]
    scenario: Option<String>,
    /// An option of the game, or `questions_per_turn`; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    options: Vec<String>,
    /// The owner's own numbers, laid over the game's (same file names, merged by id)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A source to mix into the dice: `orders`, `drand[,margin=SECONDS][,relay=URL]`,
    /// `witness=NAME,ADDRESS,ANCHOR[,hours=N]`; may be repeated. By default, `orders`, which needs
    /// neither people nor a network
    #[arg(long, value_name = "SOURCE")]
    dice: Vec<String>,
    /// The campaign's name in addresses and hashes; made up if not given
    #[arg(long)]
    name: Option<String>,
    /// The title in dispatches; the game's if not given
    #[arg(long, default_value = "")]
    title: String,
    /// The mailbox that the campaign uses
    #[arg(
        long,
        alias = "host",
        value_name = "LOCAL@DOMAIN",
        default_value = "estafette@localhost"
    )]
    mailbox: Mailbox,
    #[command(flatten)]
    schedule: ScheduleOptions,
    /// Letters without the map as a picture
    #[arg(long)]
    no_pictures: bool,
    /// The proof that mails with orders need beside their token: `token_and_address`, or
    /// `verified=SERVER` (the name by which your mail server signs its Authentication-Results;
    /// `verified` alone means the one in estafette.yaml); other mails are held for the umpire
    #[arg(long, value_name = "LEVEL")]
    trust: Option<String>,
    /// What the clock does when the letters to a seat come back: `go_on`, or `wait` for it
    #[arg(long, value_name = "RULE", value_parser = unreachable)]
    unreachable: Option<BouncePolicy>,
    /// Who gets a dispatch: `all` (each seat, each time), or `news` (no letter to a seat that is
    /// asked nothing and has no news)
    #[arg(long, value_name = "WHO", value_parser = dispatches)]
    dispatches: Option<DispatchPolicy>,
    /// Letters between players through the host: `never` (the default), `at_once`, or
    /// `with_dispatches`; `at_once,grey` lets senders hide
    #[arg(long, value_name = "WHEN", value_parser = press)]
    press: Option<PressRules>,
    /// The most days by which the absences of a player (ABSENT) move deadlines; by default, they
    /// don't
    #[arg(long, value_name = "DAYS", default_value_t = 0)]
    absence_days: u32,
    /// Tell the umpire of a seat that has missed this many deadlines in a row
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    offered_after: u32,
    /// What a player may then ask for whose opponent it is: `replacement`, `bot`, `win`, joined by
    /// commas
    #[arg(long, value_name = "WHAT", value_parser = opponent)]
    opponent: Option<OpponentRights>,
    #[command(flatten)]
    places: Places,
    #[command(flatten)]
    clock: super::clock::ClockOption,
}

/// Seconds from the seal to the beacon's round where the umpire names none: one hour.
const MARGIN: u32 = 3600;

/// Runs the command.
///
/// # Errors
/// Exit code 1 if the game is not sound, 2 if the arguments don't fit it, 3 if the disk refuses.
pub fn run(args: &Args) -> CommandResult {
    if isolated::is_needed_for(args.places.are_named() || args.data.is_some()) {
        return isolated::again();
    }
    let now = args.clock.now();
    let (game, files) = sound_game(&args.places, args.data.as_ref(), &args.game)?;
    let players = seating::players(game, args.roster.as_deref(), &args.seats)?;
    let settings = settings(args, &players, now)?;
    let bots = GameFiles::gather_bots(&args.places.files(args.data.as_ref()), &args.game)?;
    let plays = settings.seats.iter().filter_map(|seat| seat.address.bot());
    let plays: Vec<&BotName> = plays.collect();
    if !plays.is_empty() {
        let scripts = bot_scripts(&bots, &args.game)?;
        let known = Bots::compile(Arc::new(players.game), &scripts).map_err(Failure::failed)?;
        (plays.iter()).try_for_each(|bot| check_bot(bot, known.names()))?;
    }
    let master = Master::draw().map_err(Failure::environment)?;
    let directory =
        Campaign::create_with_bots(&args.into, &settings, (&files, &bots), &master, now)
            .map_err(failure)?;
    out::line(format!(
        "{}: {} made",
        directory.root().display(),
        settings.campaign
    ))?;
    if let Some(margin) = settings.short_margin() {
        out::remark(format!(
            "warning: only {margin} seconds lie between a seal and the beacon's round; a seal that is longer on its way \
             proves nothing to its reader, and an hour is usual"
        ));
    }
    out::line("The opening letters lie in the folder `outbox`, one Maildir for each seat.")?;
    out::line("")?;
    out::line("For the drawer (whoever has this number knows all dice to come):")?;
    out::line(format!("  {}", master.to_hex()))?;
    if plays.is_empty() {
        return Ok(());
    }
    let mut campaign = Campaign::open(&args.into, PATIENCE).map_err(failure)?;
    let pass = campaign.pass(now).map_err(failure)?;
    pass.lines.iter().try_for_each(out::line)
}

/// Checks that a bot is one of those known.
///
/// # Errors
/// If it is not.
pub(super) fn check_bot(bot: &BotName, known: &[String]) -> CommandResult {
    if known.iter().any(|name| name == bot.as_str()) {
        return Ok(());
    }
    let known = match known {
        [] => "this game brings none".to_owned(),
        known => format!("there are: {}", known.join(", ")),
    };
    Err(Failure::usage(format!("there is no bot `{bot}`; {known}")))
}

/// A game that has passed all checks, with its files. The built-in ones passed them before they
/// were shipped: only what the command line names is checked here.
///
/// # Errors
/// Everything that is wrong.
pub fn sound_game(
    places: &Places,
    data: Option<&PathBuf>,
    id: &str,
) -> Result<(Game, GameFiles), Failure> {
    let layers = places.files(data);
    let known = layers.game_ids()?;
    if !known.iter().any(|game| game == id) {
        let near = known
            .iter()
            .max_by(|a, b| strsim::jaro(a, id).total_cmp(&strsim::jaro(b, id)));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        return Err(Failure::usage(format!("there is no game `{id}`{hint}")));
    }
    let files = GameFiles::gather(&layers, id)?;
    if places.are_named() || data.is_some() {
        let problems = check::check_without_trial(&files, id);
        if check::has_errors(&problems) {
            return Err(problems_failure(&problems));
        }
    }
    let game = Game::load(&files, id).map_err(|problems| problems_failure(&problems))?;
    Ok((game, files))
}

/// An error of a campaign as a failure of the command.
pub fn failure(error: CampaignError) -> Failure {
    if let CampaignError::Work(WorkError::Game(problems)) = &error {
        let lines = problems.iter().map(ToString::to_string);
        return Failure::failed_in(
            ["the game's files are not sound:".to_owned()]
                .into_iter()
                .chain(lines),
        );
    }
    if error.is_environment() {
        Failure::environment(error)
    } else {
        Failure::failed(error)
    }
}

/// The scenario that is asked for, or the game's own, or the first that a roster can play.
pub(super) fn scenario(
    asked: Option<&str>,
    roster: Option<&str>,
    game: &Game,
) -> Result<String, Failure> {
    let roster = roster.or_else(|| game.decl.rosters.keys().next().map(String::as_str));
    let found = game.scenario_for(roster, asked);
    found.map(str::to_owned).map_err(|known| {
        let wanted = asked.unwrap_or_default();
        let for_whom = roster.map_or_else(String::new, |roster| format!(" for roster {roster}"));
        let known = known.join(", ");
        Failure::usage(format!(
            "there is no scenario `{wanted}`{for_whom}; there are: {known}"
        ))
    })
}

fn settings(args: &Args, players: &Players, now: Timestamp) -> Result<Settings, Failure> {
    let game = &players.game;
    let roster = players.seating.roster.as_deref();
    let scenario = scenario(args.scenario.as_deref(), roster, game)?;
    let (options, questions_per_turn) = options(&args.options, game)?;
    let (umpire, umpires) = seating::umpires(&args.umpires)?;
    let settings = Settings {
        campaign: name(args)?,
        title: args.title.clone(),
        game: args.game.clone(),
        scenario,
        options,
        seats: Seats::new(players.seats.clone()).map_err(Failure::usage)?,
        seating: players.seating.clone(),
        umpire,
        umpires,
        mailbox: args.mailbox.clone(),
        schedule: args.schedule.schedule()?,
        dice: dice(&args.dice)?,
        questions_per_turn,
        pictures: !args.no_pictures,
        trust: trust(args.trust.as_deref())?,
        unreachable: args.unreachable.unwrap_or_default(),
        dispatches: args.dispatches.unwrap_or_default(),
        press: args.press.unwrap_or_default(),
        absence: AbsenceRules {
            days: args.absence_days,
            offered_after: args.offered_after,
            opponent: args.opponent.unwrap_or_default(),
        },
        observers: Default::default(),
        club: None,
        seed: None,
        created: Timestamp::from_second(now.as_second()).unwrap_or(now),
    };
    settings.check().map_err(Failure::usage)?;
    Ok(settings)
}

fn unreachable(text: &str) -> Result<BouncePolicy, String> {
    match text {
        "go_on" => Ok(BouncePolicy::GoOn),
        "wait" => Ok(BouncePolicy::Wait),
        other => Err(format!("`{other}` is neither go_on nor wait")),
    }
}

fn press(text: &str) -> Result<PressRules, String> {
    let (goes, grey) = match text.split_once(',') {
        Some((goes, "grey")) => (goes, true),
        Some((_, other)) => return Err(format!("`{other}` is not grey")),
        None => (text, false),
    };
    let goes = match goes {
        "never" if !grey => PressTime::Never,
        "at_once" => PressTime::AtOnce,
        "with_dispatches" => PressTime::WithDispatches,
        other => {
            return Err(format!(
                "`{other}` is none of never, at_once and with_dispatches"
            ));
        }
    };
    Ok(PressRules { goes, grey })
}

fn opponent(text: &str) -> Result<OpponentRights, String> {
    let mut rights = OpponentRights::default();
    for word in text.split(',') {
        match word {
            "replacement" => rights.replacement = true,
            "bot" => rights.bot = true,
            "win" => rights.win = true,
            _ => return Err(format!("`{word}` is neither replacement, bot nor win")),
        }
    }
    Ok(rights)
}

fn dispatches(text: &str) -> Result<DispatchPolicy, String> {
    match text {
        "all" => Ok(DispatchPolicy::All),
        "news" => Ok(DispatchPolicy::News),
        other => Err(format!("`{other}` is neither all nor news")),
    }
}

fn trust(text: Option<&str>) -> Result<TrustPolicy, Failure> {
    let (least, results_of) = match text.map(|text| text.split_once('=').unwrap_or((text, ""))) {
        None | Some(("token", "")) => return Ok(TrustPolicy::default()),
        Some(("token_and_address", "")) => (Trust::TokenAndAddress, None),
        Some(("verified", server)) => {
            let named = (!server.is_empty()).then(|| server.to_owned());
            (Trust::Verified, named)
        }
        Some((other, _)) => {
            return Err(Failure::usage(format!(
                "--trust: `{other}` is none of token, token_and_address, verified, verified=SERVER"
            )));
        }
    };
    Ok(TrustPolicy { least, results_of })
}

fn name(args: &Args) -> Result<CampaignId, Failure> {
    if let Some(name) = &args.name {
        return name.parse().map_err(Failure::usage);
    }
    let mut bytes = [0_u8; 3];
    getrandom::fill(&mut bytes).map_err(Failure::environment)?;
    // A game's name may have `_`, an address may not.
    let game: String = args.game.chars().take(16).collect();
    let game = game.replace('_', "-");
    format!("{game}-{}", data_encoding::HEXLOWER.encode(&bytes))
        .parse()
        .map_err(Failure::usage)
}

/// The options and the number of questions that `--set` asks for.
///
/// # Errors
/// If the game has no such option or value.
pub fn options(texts: &[String], game: &Game) -> Result<(BTreeMap<String, String>, u32), Failure> {
    let mut options = BTreeMap::new();
    let mut questions = game.decl.questions_per_turn;
    for text in texts {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--set: `{text}` must be OPTION=VALUE")))?;
        if name == "questions_per_turn" {
            questions = value
                .parse()
                .map_err(|_| Failure::usage(format!("--set: `{value}` is no number")))?;
            continue;
        }
        let declared = game.decl.options.get(name).ok_or_else(|| {
            let known: Vec<_> = game.decl.options.keys().map(String::as_str).collect();
            Failure::usage(format!(
                "--set: there is no option `{name}`; there are: questions_per_turn, {}",
                known.join(", ")
            ))
        })?;
        if declared.values.is_empty() {
            value.parse::<u32>().map_err(|_| {
                Failure::usage(format!("--set: `{name}` is a whole number, not `{value}`"))
            })?;
        } else if !declared.values.iter().any(|known| known == value) {
            return Err(Failure::usage(format!(
                "--set: `{name}` is one of: {}",
                declared.values.join(", ")
            )));
        }
        if let Some(reason) = &declared.closed
            && *value != declared.default
        {
            return Err(Failure::usage(format!(
                "--set: `{name}` can't be changed yet: {reason}"
            )));
        }
        options.insert(name.to_owned(), value.to_owned());
    }
    Ok((options, questions))
}

/// The sources of the dice. Without a word of the umpire it is the players' orders: the beacon
/// would make each turn wait for somebody who fetches its value, and the program itself uses no
/// network.
fn dice(texts: &[String]) -> Result<Vec<DiceSource>, Failure> {
    if texts.is_empty() {
        return Ok(vec![DiceSource::Orders]);
    }
    texts.iter().map(|text| source(text)).collect()
}

fn source(text: &str) -> Result<DiceSource, Failure> {
    let wrong = |problem: String| Failure::usage(format!("--dice: `{text}`: {problem}"));
    let parts: Vec<&str> = text.split(',').collect();
    let number = |part: &str, key: &str| {
        let value = part
            .strip_prefix(key)
            .and_then(|value| value.strip_prefix('='));
        let value = value.ok_or_else(|| wrong(format!("`{part}` is not {key}=NUMBER")))?;
        value
            .parse::<u32>()
            .map_err(|_| wrong(format!("`{value}` is no number")))
    };
    match parts.as_slice() {
        ["orders"] => Ok(DiceSource::Orders),
        ["drand", rest @ ..] => {
            let (mut margin_seconds, mut relay) = (MARGIN, None);
            for part in rest {
                match part.strip_prefix("relay=") {
                    Some(address) => relay = Some(address.to_owned()),
                    None => margin_seconds = number(part, "margin")?,
                }
            }
            Ok(DiceSource::Drand {
                margin_seconds,
                relay,
            })
        }
        [name, address, anchor, hours @ ..] if hours.len() < 2 => {
            let name = name
                .strip_prefix("witness=")
                .ok_or_else(|| wrong("a witness is witness=NAME,ADDRESS,ANCHOR".to_owned()))?;
            Ok(DiceSource::Witness(Witness {
                name: name.into(),
                address: address.parse().map_err(wrong)?,
                anchor: anchor.parse().map_err(|error: HexError| wrong(error.to_string()))?,
                hours: match hours {
                    [hours] => number(hours, "hours")?,
                    _ => WITNESS_HOURS,
                },
            }))
        }
        _ => Err(wrong(
            "write orders, drand[,margin=SECONDS][,relay=URL] or witness=NAME,ADDRESS,ANCHOR[,hours=N]"
                .to_owned(),
        )),
    }
}
