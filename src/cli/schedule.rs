//! The options of `new` that say when orders close, and what happens when some are missing.

use jiff::SignedDuration;

use super::failure::Failure;
use crate::campaign::model::{
    clock::{Deadlines, Schedule, WeeklyTime},
    leeway::{Leeway, MissedRule, REMINDERS, SETTLE},
};

/// A moment of the schedule that comes sooner is passed over where the umpire says nothing else.
const LEAST_HOURS: u32 = 12;

/// Options about when orders close.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "When orders close")]
pub struct ScheduleOptions {
    /// Time zone of deadlines, and of those who name none of their own
    #[arg(long, default_value = "UTC")]
    zone: String,
    /// Fixed deadlines, `Tue 20:00`; may be repeated. Without: a wait ends when all orders are in
    #[arg(long = "at", value_name = "DAY TIME")]
    deadlines: Vec<String>,
    /// With fixed deadlines: give players at least this many hours; skip a deadline that would come
    /// sooner; 12 by default
    #[arg(long, value_name = "HOURS", requires = "deadlines")]
    least_hours: Option<u32>,
    /// With fixed deadlines: orders close earlier, once all that are awaited have come in
    #[arg(long, requires = "deadlines")]
    early: bool,
    /// Without fixed deadlines: end a wait after this many hours even if orders are missing
    #[arg(long, value_name = "HOURS", conflicts_with = "deadlines")]
    most_hours: Option<u32>,
    /// Accept missing orders for this many hours after a deadline; players who have sent theirs
    /// wait
    #[arg(long, value_name = "HOURS", default_value_t = 0)]
    grace_hours: u32,
    /// When all orders are in, close this long after the last mail, so that players can correct a
    /// slip (`0`: at once). Needs `serve`, or `run` from cron [default: 15m]
    #[arg(long, value_name = "TIME", value_parser = span)]
    settle: Option<SignedDuration>,
    /// Where orders close when all are in: only once everybody who is asked for orders has said
    /// READY too (a line of any mail); there is no `--settle` then
    #[arg(long, conflicts_with = "settle")]
    when_ready: bool,
    /// Remind seats that are waited for this many hours before a deadline; several numbers with
    /// commas, `none` for no reminder [default: 24,3]
    #[arg(long, value_name = "HOURS", value_parser = reminders)]
    remind: Option<Reminders>,
    /// What a missed deadline means: `standing orders` (they and the rules decide), `wait 24 hours`
    /// (once; then standing orders), or `hold` (until you let the campaign go on). You are told in
    /// any case [default: standing orders]
    #[arg(long, value_name = "RULE")]
    missed: Option<MissedRule>,
    /// Send dispatches a fixed time after orders have closed and the dice are known, such as `24h`,
    /// so that their timing reveals no questions in between. By default, as soon as all answers are
    /// in
    #[arg(long, value_name = "TIME", value_parser = span)]
    dispatch_after: Option<SignedDuration>,
}

/// The hours of `--remind`.
#[derive(Clone, Debug)]
struct Reminders(Vec<u32>);

impl ScheduleOptions {
    /// The schedule that they ask for.
    ///
    /// # Errors
    /// What of it is wrong.
    pub fn schedule(&self) -> Result<Schedule, Failure> {
        let zone = self.zone.parse().map_err(Failure::usage)?;
        let schedule = Schedule::new(zone, self.deadlines()?, self.grace_hours);
        let mut schedule = schedule.map_err(Failure::usage)?;
        if self.when_ready {
            schedule = schedule.closing_when_ready().map_err(Failure::usage)?;
        }
        let usual = if schedule.closes_early() && !self.when_ready {
            SETTLE
        } else {
            SignedDuration::ZERO
        };
        let remind = self.remind.as_ref().map(|Reminders(hours)| hours.clone());
        let leeway = Leeway {
            settle: self.settle.unwrap_or(usual),
            remind: remind.unwrap_or_else(|| REMINDERS.to_vec()),
            missed: Some(self.missed.unwrap_or(MissedRule::StandingOrders)),
        };
        let schedule = schedule.with_leeway(leeway).map_err(Failure::usage)?;
        match self.dispatch_after {
            Some(after) => schedule.dispatching_after(after).map_err(Failure::usage),
            None => Ok(schedule),
        }
    }

    fn deadlines(&self) -> Result<Deadlines, Failure> {
        if self.deadlines.is_empty() {
            return Ok(Deadlines::WhenAllIn {
                most_hours: self.most_hours,
            });
        }
        let at = (self.deadlines.iter()).map(|text| text.parse::<WeeklyTime>());
        Ok(Deadlines::Fixed {
            at: at.collect::<Result<_, _>>().map_err(Failure::usage)?,
            least_hours: self.least_hours.unwrap_or(LEAST_HOURS),
            early: self.early,
        })
    }
}

fn span(text: &str) -> Result<SignedDuration, String> {
    if text == "0" {
        return Ok(SignedDuration::ZERO);
    }
    text.parse()
        .map_err(|_| format!("`{text}` is no span of time; write it as `24h` or `90m`"))
}

fn reminders(text: &str) -> Result<Reminders, String> {
    if text == "none" {
        return Ok(Reminders(Vec::new()));
    }
    let hours = text.split(',').map(|hours| hours.trim().parse());
    hours
        .collect::<Result<_, _>>()
        .map(Reminders)
        .map_err(|_| format!("`{text}` names no hours; write them as `24,3`, or `none`"))
}
