//! One pass over a campaign: here, or in a process of its own.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ProcessBounds;
use super::process::{Death, ProcessEnd, run_and_listen};
use crate::{
    bounded,
    campaign::{
        self,
        durable::{
            Campaign, CampaignError, Pass,
            alarm::{self, Alarm},
        },
        model::{compiled_game::Shelf, state::CurrentWait},
    },
    game::shipped,
    mail::transport::Stop,
    store::{Directory, StoreError},
};

/// The command that does a pass and says on standard output what came of it, for the host that has
/// asked for it.
pub const PASS: &str = "pass";

/// Longest file with a value of the beacon, in bytes.
const LARGEST_BEACON: u64 = 1 << 20;

/// The task of a pass.
#[derive(Clone, Debug)]
pub struct PassRequest {
    /// The campaign's directory.
    pub root: PathBuf,
    /// The time of the pass.
    pub now: Timestamp,
    /// The time to wait for another process that has the campaign.
    pub patience: Duration,
    /// The server whose `Authentication-Results` count from now on, or none; unchanged if not
    /// given.
    pub results_of: Option<Option<String>>,
    /// A file with the beacon's value.
    pub beacon: Option<PathBuf>,
    /// True to open the campaign even though it is left alone.
    pub though_alone: bool,
}

/// The result of a pass, for people and for the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassReport {
    /// The campaign's name; its directory if it could not be opened.
    pub name: String,
    /// Notices that are not part of the game.
    pub notices: Vec<String>,
    /// One line for each thing that happened.
    pub lines: Vec<String>,
    /// The number of letters written.
    pub letters: usize,
    /// Why it is stopped, if it is.
    pub stopped: Option<String>,
    /// When something is due by the clock, if nothing comes before.
    pub due: Option<Timestamp>,
    /// Since when it rests, if it has ended and nothing more is due.
    #[serde(default)]
    pub rests_since: Option<Timestamp>,
    /// The fault that kept it from finishing.
    pub fault: Option<PassFault>,
}

/// The reason why a pass did not finish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassFault {
    /// The fault, in words.
    pub said: String,
    /// The machine failed, and trying again later is right.
    pub environment: bool,
    /// The rules took more time or memory than the machine had for them.
    pub of_rules: bool,
}

impl PassFault {
    fn of(error: &CampaignError) -> Self {
        Self {
            said: error.to_string(),
            environment: error.is_environment(),
            of_rules: matches!(error, CampaignError::Work(error) if error.is_of_machine()),
        }
    }

    fn of_machine(said: impl Into<String>) -> Self {
        Self {
            said: said.into(),
            environment: true,
            of_rules: false,
        }
    }
}

/// Returns true if a campaign's rules, data or bots are not those that ship with the program, while
/// this process runs no others. If there are none, there is nothing to run.
#[must_use]
pub fn is_needed(root: &Path) -> bool {
    shipped::runs_only_shipped() && !Directory::at(root).is_shipped()
}

impl PassRequest {
    /// Runs the pass: in this process if its rules are the program's own, else in one that is
    /// theirs alone.
    #[must_use]
    pub fn run(&self, bounds: &ProcessBounds, stop: &Stop) -> PassReport {
        if is_needed(&self.root) {
            self.apart(bounds, stop)
        } else {
            self.here()
        }
    }

    /// Runs the pass in this process.
    #[must_use]
    pub fn here(&self) -> PassReport {
        let mut report = self.report();
        if let Err(error) = self.pass(&mut report) {
            report.fault = Some(PassFault::of(&error));
        }
        report
    }

    fn report(&self) -> PassReport {
        PassReport {
            name: self.root.display().to_string(),
            ..PassReport::default()
        }
    }

    fn pass(&self, report: &mut PassReport) -> Result<(), CampaignError> {
        let shelf = &mut Shelf::default();
        let mut campaign = Campaign::open_or_tell(&self.root, self.patience, shelf, self.now)?;
        report.opened(&mut campaign);
        if let Some(server) = &self.results_of {
            campaign.trust_results_of(server.as_deref())?;
        }
        report.add(campaign.pass(self.now)?);
        if let Some(file) = &self.beacon {
            self.bring(&mut campaign, file, report)?;
        }
        report.stands(&mut campaign);
        Ok(())
    }

    /// Takes the beacon's value from a file. A file without the round that is waited for changes
    /// nothing.
    fn bring(
        &self,
        campaign: &mut Campaign,
        file: &Path,
        report: &mut PassReport,
    ) -> Result<(), CampaignError> {
        let text = bounded::read_named(file, LARGEST_BEACON).map_err(StoreError::from)?;
        let wanted = campaign::wanted(campaign.context(), campaign.state());
        let brought = campaign.bring_beacon(&text, self.now)?;
        match wanted.and_then(|wanted| wanted.round) {
            Some((round, _)) if brought.lines.is_empty() => report.lines.push(format!(
                "{} has no value of round {round}, which the dice wait for",
                file.display()
            )),
            _ => report.add(brought),
        }
        Ok(())
    }

    /// Runs a process's work for its host: the pass, and if its rules come to no end in it, what
    /// must be done then.
    #[must_use]
    pub fn for_the_host(&self, died: Option<&str>) -> PassReport {
        if let Some(why) = died {
            return self.lay_aside(why);
        }
        let report = self.here();
        match &report.fault {
            Some(fault) if fault.of_rules => self.lay_aside(&fault.said),
            _ => report,
        }
    }

    /// Opens the campaign after its rules have ended a process: the input over which they did is
    /// laid aside.
    fn lay_aside(&self, why: &str) -> PassReport {
        let mut report = self.report();
        match Campaign::open_laying_aside(&self.root, self.patience, why) {
            Ok(mut campaign) => {
                report.opened(&mut campaign);
                report.letters =
                    usize::from(campaign.state().stopped().is_some_and(|it| it == why));
                if report.letters == 0 {
                    // No input was in work: perhaps a bot was run.
                    match campaign.bot_has_failed(why, self.now) {
                        Ok(pass) => report.add(pass),
                        Err(error) => report.fault = Some(PassFault::of(&error)),
                    }
                }
                report.stands(&mut campaign);
            }
            Err(error) => report.fault = Some(PassFault::of(&error)),
        }
        report
    }

    /// Runs the pass in a process of its own, unless the campaign is left alone.
    fn apart(&self, bounds: &ProcessBounds, stop: &Stop) -> PassReport {
        match Alarm::of(&Directory::at(&self.root)) {
            Ok(Some(alarm)) if alarm.alone && !self.though_alone => {
                return PassReport {
                    stopped: Some(alarm.problem),
                    ..self.report()
                };
            }
            Err(error) => return self.failed(PassFault::of(&error.into())),
            Ok(_) => {}
        }
        let mut asked = self.ask(None, bounds, stop);
        // A process ended from outside says nothing about the input it was working off: the next
        // one does that work.
        if matches!(&asked, Err(Silence::Died(death)) if death.may_be_from_outside()) {
            asked = self.ask(None, bounds, stop);
        }
        match asked {
            Ok(PassReport {
                fault: Some(fault), ..
            }) if fault.of_rules => self.leave_alone(&fault.said),
            Ok(report) => report,
            Err(Silence::Died(death)) => match self.aftermath(&death, bounds, stop) {
                Aftermath::LaidAside(report) => report,
                Aftermath::Opens if death.may_be_from_outside() => self.failed(interrupted()),
                Aftermath::Opens | Aftermath::Shut => self.leave_alone(&death.to_string()),
                Aftermath::Unknown(fault) => self.failed(fault),
            },
            Err(Silence::Fault(fault)) => self.failed(fault),
        }
    }

    /// Deals with a campaign whose process has died over its rules: another process opens it and
    /// lays aside the input over which that one died.
    #[must_use]
    pub fn aftermath(&self, death: &Death, bounds: &ProcessBounds, stop: &Stop) -> Aftermath {
        let why = death.to_string();
        match self.ask(Some(&why), bounds, stop) {
            Ok(report)
                if report.stopped.as_deref() == Some(why.as_str()) || !report.lines.is_empty() =>
            {
                Aftermath::LaidAside(report)
            }
            Ok(PassReport { fault: None, .. }) => Aftermath::Opens,
            Ok(PassReport {
                fault: Some(fault), ..
            })
            | Err(Silence::Fault(fault))
                if !fault.of_rules =>
            {
                Aftermath::Unknown(fault)
            }
            _ => Aftermath::Shut,
        }
    }

    /// Leaves the campaign alone until the umpire says so, and tells him.
    #[must_use]
    pub fn leave_alone(&self, why: &str) -> PassReport {
        match alarm::leave_alone(&self.root, why, self.now) {
            Ok(()) => PassReport {
                stopped: Some(why.to_owned()),
                ..self.report()
            },
            Err(error) => self.failed(PassFault::of(&error)),
        }
    }

    fn failed(&self, fault: PassFault) -> PassReport {
        PassReport {
            fault: Some(fault),
            ..self.report()
        }
    }

    /// Has a process do it.
    fn ask(
        &self,
        died: Option<&str>,
        bounds: &ProcessBounds,
        stop: &Stop,
    ) -> Result<PassReport, Silence> {
        let failed = |said: String| Silence::Fault(PassFault::of_machine(said));
        let end = run_and_listen(&self.line(died), bounds, stop)
            .map_err(|error| failed(format!("a process for its rules can't begin: {error}")))?;
        match end {
            ProcessEnd::Died(death) => Err(Silence::Died(death)),
            ProcessEnd::Interrupted => Err(Silence::Fault(interrupted())),
            ProcessEnd::Done { said, .. } => serde_json::from_slice(&said).map_err(|_| {
                failed("the process of its rules has not said what came of it".to_owned())
            }),
        }
    }

    /// The command line for a process that does it.
    fn line(&self, died: Option<&str>) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec![PASS.into(), self.root.clone().into()];
        let mut add = |name: &str, value: OsString| line.extend([name.into(), value]);
        add("--now", self.now.to_string().into());
        add("--patience", self.patience.as_millis().to_string().into());
        match &self.results_of {
            Some(Some(server)) => add("--results-of", server.into()),
            Some(None) => line.push("--results-of-none".into()),
            None => {}
        }
        if let Some(file) = &self.beacon {
            line.extend(["--beacon".into(), file.clone().into()]);
        }
        if let Some(why) = died {
            line.extend(["--died".into(), why.into()]);
        }
        line
    }
}

/// Why nothing was heard of a pass.
enum Silence {
    Died(Death),
    Fault(PassFault),
}

/// The fate of a campaign whose rules ended their process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aftermath {
    /// The input in work is laid aside, and the campaign stopped in its journal.
    LaidAside(PassReport),
    /// It can be opened, and no input was being worked off.
    Opens,
    /// It can't be opened: its rules have ended the second process as well.
    Shut,
    /// Unknown, because of this fault.
    Unknown(PassFault),
}

fn interrupted() -> PassFault {
    PassFault::of_machine("the process of its rules was ended from outside; the next pass goes on")
}

impl PassReport {
    fn opened(&mut self, campaign: &mut Campaign) {
        self.name = campaign.context().settings().campaign.to_string();
        self.notices.extend(campaign.take_notices());
    }

    fn add(&mut self, pass: Pass) {
        self.lines.extend(pass.lines);
        self.letters += pass.letters;
    }

    fn stands(&mut self, campaign: &mut Campaign) {
        self.notices.extend(campaign.take_notices());
        let state = campaign.state();
        if let CurrentWait::Repair { error, .. } = &state.waiting {
            self.stopped = Some(error.clone());
        }
        self.due = campaign.next_due(state.time);
        self.rests_since = state.rests_since();
    }
}
