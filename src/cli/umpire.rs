//! `estafette umpire ACTION DIR`: what the umpire may decide in a running campaign.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    clock::ClockOption,
    failure::{CommandResult, Failure},
    isolated,
    new::{check_bot, failure},
    out,
    run::{self, PATIENCE},
    seating::seat,
    umpire_log,
    umpire_preview::{self, PreviewOptions, changes_in},
    umpires_eyes::EyesOption,
};
use crate::{
    campaign::{
        self,
        durable::{Campaign, Pass},
        model::{events::Ruling, umpire_acts::UmpireAct},
    },
    game::EmbeddedFiles,
    ids::SeatId,
    isolation::{PassRequest, ProcessBounds},
    mail::transport::Stop,
};

/// Arguments of `umpire`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: UmpireAction,
    #[command(flatten)]
    eyes: EyesOption,
}

/// A decision of the umpire. Whatever bears on the dice is a note in the register: every player
/// reads it, with its reason.
#[derive(Debug, clap::Subcommand)]
enum UmpireAction {
    /// A witness of the dice who does not answer counts as having refused the token
    Silent {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The witness's name
        #[arg(long, value_name = "NAME")]
        witness: String,
        #[command(flatten)]
        decision: Decision,
    },
    /// Where the campaign's secret is lost: a note, a new opening, and a new secret for the drawer
    NewMaster {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        decision: Decision,
    },
    /// A mail that was held for want of trust counts, as if it came now
    Release {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The mail's file, as the letter to the umpire names it
        #[arg(long, value_name = "FILE")]
        mail: String,
        #[command(flatten)]
        clock: ClockOption,
    },
    /// Stop the clock: no wait ends until `resume`. Mails are still read and get receipts
    Hold {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        decision: Decision,
    },
    /// A campaign that was held goes on; players have at least the time of a new wait
    Resume {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        decision: Decision,
    },
    /// Set a later deadline for the present wait, before the old one has passed
    Extend {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The new deadline, as 2026-11-30T20:00:00Z
        #[arg(long, value_name = "TIME")]
        until: jiff::Timestamp,
        #[command(flatten)]
        decision: Decision,
    },
    /// Changes pieces or facts by hand, while orders are waited for. Every seat gets a dispatch of
    /// how it stands then
    Rule {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The changes: a YAML file with `facts`, `spaces`, `roads` or `pieces`, written as `given`
        /// in a case
        #[arg(long, value_name = "FILE")]
        change: PathBuf,
        #[command(flatten)]
        decision: Decision,
    },
    /// A letter to players, in the campaign's name. Nobody else is told
    Say {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// A seat that gets it; may be given several times. All seats get it if none is named
        #[arg(long, value_name = "SEAT")]
        to: Vec<String>,
        /// Its words; read from standard input if not given
        #[arg(long, value_name = "TEXT")]
        text: Option<String>,
        #[command(flatten)]
        clock: ClockOption,
    },
    /// Words to the campaign's other umpires; players are told nothing
    Note {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The words; read from standard input if not given
        #[arg(long, value_name = "TEXT")]
        text: Option<String>,
        #[command(flatten)]
        clock: ClockOption,
    },
    /// All that umpires have done in the campaign, from its journal
    Log {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Every letter that a resolution now would send, with other dice than it will throw; changes
    /// nothing
    Preview {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        options: PreviewOptions,
        #[command(flatten)]
        clock: ClockOption,
    },
    /// A campaign that is left alone, since its rules have ended the processes that opened it, is
    /// tried once more
    Retry {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        #[command(flatten)]
        clock: ClockOption,
    },
    /// Another player or a bot takes a seat over, or the same one can be reached elsewhere
    Replace {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The seat and where its letters go now; without `lang` its language stays
        #[arg(value_name = "SEAT=ADDRESS|bot[:NAME][,lang=fr][,name=NAME]")]
        player: String,
        #[command(flatten)]
        decision: Decision,
    },
    /// Back to an earlier wait for orders; `estafette status` lists them. Dice that were rolled are
    /// not used again
    Rollback {
        /// The campaign's directory
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The envelope of dice that the orders of that wait sealed, or would have sealed
        #[arg(long, value_name = "NUMBER")]
        envelope: u32,
        #[command(flatten)]
        decision: Decision,
    },
}

impl UmpireAction {
    /// The campaign, and the clock for the ruling; none for what decides nothing.
    fn place(&self) -> Option<(&Path, &ClockOption)> {
        Some(match self {
            Self::Log { .. } | Self::Preview { .. } => return None,
            Self::Release {
                directory, clock, ..
            }
            | Self::Say {
                directory, clock, ..
            }
            | Self::Note {
                directory, clock, ..
            }
            | Self::Retry { directory, clock } => (directory, clock),
            Self::Silent {
                directory,
                decision,
                ..
            }
            | Self::NewMaster {
                directory,
                decision,
            }
            | Self::Hold {
                directory,
                decision,
            }
            | Self::Resume {
                directory,
                decision,
            }
            | Self::Extend {
                directory,
                decision,
                ..
            }
            | Self::Rule {
                directory,
                decision,
                ..
            }
            | Self::Replace {
                directory,
                decision,
                ..
            }
            | Self::Rollback {
                directory,
                decision,
                ..
            } => (directory, &decision.clock),
        })
    }
}

#[derive(Debug, clap::Args)]
struct Decision {
    /// Why: one line, which every player reads
    #[arg(long, value_name = "TEXT")]
    why: String,
    #[command(flatten)]
    clock: ClockOption,
}

/// Runs the command: first takes mails and does what is due, as `run` does, then makes the
/// decision.
///
/// # Errors
/// Exit code 1 if the decision can't be made now, 3 if the disk refuses.
pub fn run(args: &Args) -> CommandResult {
    if let Some((root, clock)) = args.action.place() {
        let retries = matches!(args.action, UmpireAction::Retry { .. });
        if !retries && isolated::is_needed(root) {
            return isolated::ruling(root, clock.now());
        }
    }
    let eyes = &args.eyes;
    let (directory, ruling, clock) = match &args.action {
        UmpireAction::Log { directory, json } => return umpire_log::print(directory, *json),
        UmpireAction::Preview {
            directory,
            options,
            clock,
        } => {
            if isolated::is_needed(directory) {
                return isolated::again();
            }
            return umpire_preview::run(directory, options, (eyes, clock));
        }
        UmpireAction::Note {
            directory,
            text,
            clock,
        } => {
            let words = words_of(text.as_deref())?;
            return does(directory, UmpireAct::Note { words }, (eyes, clock));
        }
        UmpireAction::Retry { directory, clock } => return retry(directory, clock),
        UmpireAction::NewMaster {
            directory,
            decision: Decision { why, clock },
        } => return renew(directory, why, clock),
        UmpireAction::Release {
            directory,
            mail,
            clock,
        } => {
            if eyes.name.is_some() {
                let file = mail.clone();
                return does(directory, UmpireAct::Release { file }, (eyes, clock));
            }
            return release(directory, mail, clock);
        }
        UmpireAction::Replace {
            directory,
            player,
            decision: Decision { why, clock },
        } => return replace(directory, player, why, (eyes, clock)),
        UmpireAction::Silent {
            directory,
            witness,
            decision: Decision { why, clock },
        } => {
            let (witness, why) = (SeatId::from(witness.as_str()), why.clone());
            (directory, Ruling::Silent { witness, why }, clock)
        }
        UmpireAction::Hold {
            directory,
            decision: Decision { why, clock },
        } => (directory, Ruling::Hold { why: why.clone() }, clock),
        UmpireAction::Resume {
            directory,
            decision: Decision { why, clock },
        } => (directory, Ruling::Resume { why: why.clone() }, clock),
        UmpireAction::Extend {
            directory,
            until,
            decision: Decision { why, clock },
        } => {
            let (until, why) = (*until, why.clone());
            (directory, Ruling::Extend { until, why }, clock)
        }
        UmpireAction::Rule {
            directory,
            change,
            decision: Decision { why, clock },
        } => {
            // What is wrong in a change tells where pieces stand.
            eyes.open(directory, "rule", clock)?;
            let (changes, why) = (changes_in(change)?, why.clone());
            (directory, Ruling::Rule { changes, why }, clock)
        }
        UmpireAction::Say {
            directory,
            to,
            text,
            clock,
        } => {
            let to = to.iter().map(|seat| SeatId::from(seat.as_str())).collect();
            let words = words_of(text.as_deref())?;
            (directory, Ruling::Say { to, words }, clock)
        }
        UmpireAction::Rollback {
            directory,
            envelope,
            decision: Decision { why, clock },
        } => {
            let (envelope, why) = (*envelope, why.clone());
            (directory, Ruling::Rollback { envelope, why }, clock)
        }
    };
    rule(directory, ruling, (eyes, clock))
}

/// Makes a ruling; under the umpire's name, if he gives it.
fn rule(
    directory: &Path,
    ruling: Ruling,
    (eyes, clock): (&EyesOption, &ClockOption),
) -> CommandResult {
    if eyes.name.is_some() {
        return does(directory, UmpireAct::Rules { ruling }, (eyes, clock));
    }
    let mut campaign = Campaign::open(directory, PATIENCE).map_err(failure)?;
    say(&campaign.rule(ruling, clock.now()).map_err(failure)?)
}

/// Does something under the name of the umpire, of the first one if he does not give it.
fn does(
    directory: &Path,
    act: UmpireAct,
    (eyes, clock): (&EyesOption, &ClockOption),
) -> CommandResult {
    let mut campaign = Campaign::open(directory, PATIENCE).map_err(failure)?;
    let umpire = eyes.umpire(campaign.context().settings())?;
    let by = umpire.ok_or_else(|| Failure::failed("the campaign has no umpire"))?;
    let pass = campaign.umpire_does(&by.name, act, clock.now());
    say(&pass.map_err(failure)?)
}

/// The words of a letter, from the command line or from standard input.
fn words_of(text: Option<&str>) -> Result<String, Failure> {
    if let Some(text) = text {
        return Ok(text.to_owned());
    }
    let mut words = String::new();
    // One byte above the limit is enough to see that there are too many.
    let most = Ruling::LONGEST_LETTER as u64 * 4 + 1;
    std::io::stdin()
        .take(most)
        .read_to_string(&mut words)
        .map_err(|error| Failure::environment(format!("standard input: {error}")))?;
    Ok(words.replace("\r\n", "\n"))
}

fn retry(directory: &Path, clock: &ClockOption) -> CommandResult {
    let request = PassRequest {
        root: directory.to_owned(),
        now: clock.now(),
        patience: PATIENCE,
        results_of: None,
        beacon: None,
        though_alone: true,
    };
    let report = request.run(&ProcessBounds::default(), &Stop::new());
    run::tell(&report, false)
}

fn renew(directory: &Path, why: &str, clock: &ClockOption) -> CommandResult {
    let (pass, master) = Campaign::renew(directory, why, clock.now(), PATIENCE).map_err(failure)?;
    say(&pass)?;
    out::line("For the drawer (whoever has this number knows all dice to come):")?;
    out::line(format!("  {}", master.to_hex()))
}

fn release(directory: &Path, mail: &str, clock: &ClockOption) -> CommandResult {
    let mut campaign = Campaign::open(directory, PATIENCE).map_err(failure)?;
    let now = clock.now();
    say(&campaign.pass(now).map_err(failure)?)?;
    say(&campaign.release(mail, now).map_err(failure)?)
}

fn replace(
    directory: &Path,
    player: &str,
    why: &str,
    by: (&EyesOption, &ClockOption),
) -> CommandResult {
    let mut campaign = Campaign::open(directory, PATIENCE).map_err(failure)?;
    let usual = |seat: &SeatId| campaign::lang(campaign.context(), campaign.state(), seat);
    let player = seat(player, campaign.context().game(), usual)?;
    if let Some(bot) = player.address.bot() {
        let known = campaign.known_bots(&EmbeddedFiles).map_err(failure)?;
        check_bot(bot, &known)?;
    }
    drop(campaign);
    let why = why.to_owned();
    rule(directory, Ruling::Replace { player, why }, by)
}

fn say(pass: &Pass) -> CommandResult {
    pass.lines.iter().try_for_each(out::line)?;
    out::line(format!("{} written", out::counted(pass.letters, "letter")))
}
