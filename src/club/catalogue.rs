//! The games that tables may be founded for: those that ship with the program.

use std::{cell::OnceCell, collections::BTreeMap};

use super::{
    request_words::{RequestWord as W, WORDS, weekday},
    requests::{RequestFault, VerbLine},
    table::TablePlan,
};
use crate::{
    campaign::model::{
        absence::{AbsenceRules, OpponentRights},
        clock::{ClockZone, Deadlines, Schedule, WeeklyTime},
        errands::{PressRules, PressTime},
        leeway::{Leeway, MissedRule, REMINDERS, SETTLE},
        observers::{MOST_TURNS, ObserverRule},
        settings::MOST_QUESTIONS,
    },
    game::{EmbeddedFiles, Files, Game, Seating, Translations, bot_scripts},
    ids::SeatId,
    orders::fold,
};

/// Hours of a wait where the founder says nothing else.
const MOST_HOURS: u32 = 72;
/// With fixed deadlines players have at least so many hours.
const LEAST_HOURS: u32 = 12;

/// By so many days absences of a player move deadlines where the founder says nothing else.
const DAYS_AWAY: u32 = 14;
/// After so many missed deadlines, one after the other, a seat looks for another player.
const OFFERED_AFTER: u32 = 3;

/// The most words of a new table.
const MOST_WORDS: usize = 60;

/// What is wrong with the words of a new table, and what there is instead. Words of the mail do not
/// stand here: they would come into the journal.
type PlanFault = (RequestFault, String);

/// The games of a running program. Loading them all takes a while, so it is done when somebody
/// asks.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    games: OnceCell<Vec<GameSummary>>,
}

/// What a list says of a game.
#[derive(Clone, Debug)]
pub(super) struct GameSummary {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: Translations,
    /// Its rosters with their seats; one without a name where it has none.
    pub rosters: Vec<(String, Vec<SeatId>)>,
    /// Its scenarios with their titles.
    pub scenarios: Vec<(String, Translations)>,
}

impl Catalogue {
    /// All games.
    pub(super) fn games(&self) -> &[GameSummary] {
        self.games.get_or_init(|| {
            let ids = EmbeddedFiles.game_ids().unwrap_or_default();
            let games = ids.iter().filter_map(|id| load(id));
            games.map(|game| GameSummary::of(&game)).collect()
        })
    }

    /// A game by its id.
    pub(super) fn game(&self, id: &str) -> Option<&GameSummary> {
        self.games().iter().find(|game| game.id == id)
    }
}

impl GameSummary {
    fn of(game: &Game) -> Self {
        let decl = &game.decl;
        let named = decl
            .rosters
            .iter()
            .map(|(name, seats)| (name.clone(), seats));
        let rosters: Vec<_> = if decl.rosters.is_empty() {
            vec![(String::new(), &decl.seats)]
        } else {
            named.collect()
        };
        let rosters = rosters.into_iter().map(|(name, seats)| {
            let ids = seats.iter().map(|seat| seat.id.clone());
            (name, ids.collect())
        });
        let scenarios = game.scenarios.values();
        Self {
            id: decl.id.clone(),
            title: decl.title.clone(),
            rosters: rosters.collect(),
            scenarios: scenarios
                .map(|scenario| (scenario.id.clone(), scenario.title.clone()))
                .collect(),
        }
    }
}

/// The games that ship.
pub(super) fn ids() -> Vec<String> {
    EmbeddedFiles.game_ids().unwrap_or_default()
}

/// A game that ships, if it is sound.
pub(super) fn load(id: &str) -> Option<Game> {
    Game::load(&EmbeddedFiles, id).ok()
}

/// The plan that the words of a new table ask for; deadlines are in this zone.
///
/// # Errors
/// What of them is wrong.
pub(super) fn plan(line: &VerbLine<'_>, zone: &ClockZone) -> Result<TablePlan, PlanFault> {
    let words: Vec<&str> = line.parts().collect();
    let (first, rest) = words.split_first().ok_or_else(form)?;
    let ids = EmbeddedFiles.game_ids().unwrap_or_default();
    let id = ids.iter().find(|id| fold(id) == fold(first));
    let no_game = || (RequestFault::NoGame, ids.join(", "));
    let game = id.and_then(|id| load(id)).ok_or_else(no_game)?;
    let mut wanted = WantedTable::default();
    wanted.read(rest)?;
    wanted.plan(game, zone)
}

fn form() -> PlanFault {
    (RequestFault::Form, String::new())
}

/// The words of a new table, sorted.
#[derive(Default)]
struct WantedTable {
    scenario: Option<String>,
    roster: Option<String>,
    hours: Option<u32>,
    at: Vec<WeeklyTime>,
    press: PressRules,
    days_away: Option<u32>,
    observers: ObserverRule,
    bots: Vec<String>,
    options: Vec<String>,
}

impl WantedTable {
    fn read(&mut self, words: &[&str]) -> Result<(), PlanFault> {
        if words.len() > MOST_WORDS {
            return Err(form());
        }
        let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
        let mut place = 0;
        while place < words.len() {
            place += self.read_part(words, &folded, place).ok_or_else(form)?;
        }
        Ok(())
    }

    /// Reads what begins at a place, and returns how many words it takes; none if it is nothing
    /// that a table can have.
    fn read_part(&mut self, words: &[&str], folded: &[String], place: usize) -> Option<usize> {
        let length = |word, from: usize| WORDS.length_of(word, folded.get(from..)?);
        let at = |from: usize| folded.get(from).map_or("", String::as_str);
        let (begins, next) = (|word| length(word, place), place + 1);
        if self.scenario.is_none() && begins(W::Scenario).is_some() {
            self.scenario = Some(at(next).to_owned());
            return Some(2);
        }
        if self.roster.is_none() && begins(W::Roster).is_some() {
            self.roster = Some(at(next).to_owned());
            return Some(2);
        }
        if let Some(every) = begins(W::Every) {
            let number: u32 = at(place + every).parse().ok()?;
            let unit = place + every + 1;
            let hours = length(W::Hours, unit).map(|_| number);
            let hours = hours.or_else(|| length(W::Days, unit).map(|_| number.saturating_mul(24)));
            self.hours = Some(hours?);
            return Some(every + 2);
        }
        if begins(W::At).is_some() {
            let times = (next..).step_by(2).map_while(|place| weekly(words, place));
            let before = self.at.len();
            self.at.extend(times);
            let count = self.at.len() - before;
            return (count > 0).then_some(1 + 2 * count);
        }
        if begins(W::Press).is_some() {
            let (goes, taken) = if let Some(taken) = length(W::WithDispatches, next) {
                (PressTime::WithDispatches, taken)
            } else {
                (PressTime::AtOnce, length(W::AtOnce, next).unwrap_or(0))
            };
            self.press.goes = goes;
            return Some(1 + taken);
        }
        if self.press.goes != PressTime::Never && begins(W::Grey).is_some() {
            self.press.grey = true;
            return Some(1);
        }
        if self.days_away.is_none() && begins(W::Absences).is_some() {
            self.days_away = Some(at(next).parse().ok()?);
            return Some(2 + length(W::Days, place + 2).unwrap_or(0));
        }
        if self.observers.is_none() && begins(W::Observers).is_some() {
            let (rule, taken) = if let Some(taken) = length(W::Public, next) {
                (ObserverRule::Public, taken)
            } else if let Some(taken) = length(W::Ended, next) {
                (ObserverRule::Ended, taken)
            } else {
                let (seat, turns) = (at(next).into(), at(next + 1).parse().ok()?);
                (ObserverRule::Delayed { seat, turns }, 2)
            };
            self.observers = rule;
            return Some(1 + taken);
        }
        if begins(W::Bot).is_some() {
            self.bots.push(at(next).to_owned());
            return Some(2);
        }
        begins(W::Set)?;
        let option = words.get(next).copied().unwrap_or_default();
        self.options.push(option.to_owned());
        Some(2)
    }

    fn plan(self, game: Game, zone: &ClockZone) -> Result<TablePlan, PlanFault> {
        let roster = self.roster_of(&game)?;
        let scenario = self.scenario_of(&game, roster.as_deref())?;
        let (options, questions) = self.options_of(&game)?;
        let schedule = self.schedule(zone)?;
        let absence = AbsenceRules {
            days: self.days_away.unwrap_or(DAYS_AWAY),
            offered_after: OFFERED_AFTER,
            // A club has members who take over.
            opponent: OpponentRights {
                replacement: true,
                ..OpponentRights::default()
            },
        };
        absence.check().map_err(|_| form())?;
        let seating = Seating {
            roster: roster.clone(),
            ..Seating::default()
        };
        let id = game.decl.id.clone();
        let game = game
            .seated(&seating)
            .map_err(|why| (RequestFault::NoRoster, why))?;
        let all: Vec<SeatId> = game.decl.seats.iter().map(|seat| seat.id.clone()).collect();
        let is_bots = |seat: &SeatId| self.bots.iter().any(|bot| *bot == **seat);
        let (bots, seats): (Vec<_>, Vec<_>) = all.iter().cloned().partition(is_bots);
        let known = || list(&all);
        if bots.len() != self.bots.len() {
            return Err((RequestFault::NoSeat, known()));
        }
        if !bots.is_empty() && !bot_scripts(&EmbeddedFiles, &id).is_ok_and(|all| !all.is_empty()) {
            return Err((RequestFault::NoBots, id));
        }
        if let ObserverRule::Delayed { seat, turns } = &self.observers {
            if !seats.contains(seat) {
                return Err((RequestFault::NoSeat, list(&seats)));
            }
            if !(1..=MOST_TURNS).contains(turns) {
                return Err(form());
            }
        }
        if seats.is_empty() {
            return Err((RequestFault::NobodyPlays, String::new()));
        }
        Ok(TablePlan {
            game: id,
            scenario,
            roster,
            options,
            questions,
            seats,
            bots,
            schedule,
            press: self.press,
            absence,
            observers: self.observers,
        })
    }

    fn roster_of(&self, game: &Game) -> Result<Option<String>, PlanFault> {
        let known: Vec<&String> = game.decl.rosters.keys().collect();
        match &self.roster {
            None => Ok(known.first().map(|name| (*name).clone())),
            Some(name) if known.contains(&name) => Ok(Some(name.clone())),
            Some(_) => Err((RequestFault::NoRoster, list(&known))),
        }
    }

    fn scenario_of(&self, game: &Game, roster: Option<&str>) -> Result<String, PlanFault> {
        let fitting = game.scenarios.values();
        let fitting =
            fitting.filter(|scenario| roster.is_none_or(|roster| scenario.is_for(roster)));
        let known: Vec<&str> = fitting.map(|scenario| scenario.id.as_str()).collect();
        let usual = game.decl.default_scenario.as_str();
        let usual = if known.contains(&usual) {
            Some(usual)
        } else {
            known.first().copied()
        };
        let found = match &self.scenario {
            Some(asked) => known.iter().copied().find(|id| *id == asked),
            None => usual,
        };
        let no_scenario = || (RequestFault::NoScenario, known.join(", "));
        found.map(str::to_owned).ok_or_else(no_scenario)
    }

    fn options_of(&self, game: &Game) -> Result<(BTreeMap<String, String>, u32), PlanFault> {
        let (mut options, mut questions) = (BTreeMap::new(), game.decl.questions_per_turn);
        let wrong = || {
            let declared = game.decl.options.iter();
            let known = declared.filter(|(_, option)| option.closed.is_none());
            let known = known.map(|(name, option)| match option.values.as_slice() {
                [] => format!("{name}=1"),
                values => format!("{name}={}", values.join("|")),
            });
            let questions = format!("questions_per_turn=0..{MOST_QUESTIONS}");
            let known: Vec<String> = known.chain([questions]).collect();
            (RequestFault::NoOption, known.join(", "))
        };
        for text in &self.options {
            let (name, value) = text.split_once('=').ok_or_else(wrong)?;
            if name == "questions_per_turn" {
                questions = value.parse().map_err(|_| wrong())?;
                if questions > MOST_QUESTIONS {
                    return Err(wrong());
                }
                continue;
            }
            let declared = game.decl.options.get(name).ok_or_else(wrong)?;
            let is_value = match declared.values.as_slice() {
                [] => value.parse::<u32>().is_ok(),
                known => known.iter().any(|known| known == value),
            };
            let is_closed = declared.closed.is_some() && *value != declared.default;
            if !is_value || is_closed {
                return Err(wrong());
            }
            options.insert(name.to_owned(), value.to_owned());
        }
        Ok((options, questions))
    }

    fn schedule(&self, zone: &ClockZone) -> Result<Schedule, PlanFault> {
        let deadlines = if self.at.is_empty() {
            Deadlines::WhenAllIn {
                most_hours: Some(self.hours.unwrap_or(MOST_HOURS)),
            }
        } else {
            Deadlines::Fixed {
                at: self.at.clone(),
                least_hours: LEAST_HOURS,
                early: false,
            }
        };
        let wrong = |_| form();
        let schedule = Schedule::new(zone.clone(), deadlines, 0).map_err(wrong)?;
        let settle = if schedule.closes_early() {
            SETTLE
        } else {
            jiff::SignedDuration::ZERO
        };
        let leeway = Leeway {
            settle,
            remind: REMINDERS.to_vec(),
            missed: Some(MissedRule::StandingOrders),
        };
        schedule.with_leeway(leeway).map_err(wrong)
    }
}

/// `Tue 20:00`, from two words.
fn weekly(words: &[&str], place: usize) -> Option<WeeklyTime> {
    let (day, time) = (words.get(place)?, words.get(place + 1)?);
    let weekday = weekday(&fold(day))?;
    let time = format!("Mon {time}").parse::<WeeklyTime>().ok()?.time;
    Some(WeeklyTime { weekday, time })
}

fn list(names: &[impl ToString]) -> String {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::club::requests::verb_lines;

    fn read(text: &str) -> Result<TablePlan, PlanFault> {
        plan(&verb_lines(text)[0], &"Europe/Paris".parse().unwrap())
    }

    /// A game that ships, with bots, two scenarios and two seats.
    struct Sample {
        game: String,
        scenario: String,
        seats: Vec<String>,
    }

    fn sample() -> Sample {
        let ids = EmbeddedFiles.game_ids().unwrap();
        let games = ids.iter().filter_map(|id| load(id));
        let fits = |game: &Game| {
            game.decl.rosters.is_empty()
                && game.decl.seats.len() == 2
                && game.scenarios.len() > 1
                && bot_scripts(&EmbeddedFiles, &game.decl.id).is_ok_and(|all| !all.is_empty())
        };
        let game = games.into_iter().find(fits).unwrap();
        let usual = &game.decl.default_scenario;
        let other = game.scenarios.values().find(|it| it.id != *usual);
        Sample {
            scenario: other.unwrap().id.clone(),
            seats: game
                .decl
                .seats
                .iter()
                .map(|seat| seat.id.to_string())
                .collect(),
            game: game.decl.id,
        }
    }

    #[test]
    fn a_table_is_planned_from_its_words() {
        let Sample {
            game,
            scenario,
            seats,
        } = sample();
        let [first, second] = seats.as_slice() else {
            panic!("{seats:?}");
        };
        let table = read(&format!("NEW TABLE {}", game.to_uppercase())).unwrap();
        assert_eq!(table.game, game);
        assert_eq!(list(&table.seats), list(&seats));
        assert!(table.bots.is_empty() && table.press.is_default());
        let words = format!(
            "new table {game} scenario {scenario} at Tue 20:00, Fri 20:00 press with dispatches \
             grey bot {second}"
        );
        let table = read(&words).unwrap();
        assert_eq!(table.scenario, scenario);
        assert_eq!(
            (list(&table.seats), list(&table.bots)),
            (first.clone(), second.clone())
        );
        assert_eq!(table.press.goes, PressTime::WithDispatches);
        assert!(table.press.grey && !table.schedule.closes_early());
        let french = format!("Nouvelle table {game} tous les 2 jours presse absences 7 jours");
        let french = read(&french).unwrap();
        let english = format!("NEW TABLE {game} EVERY 48 hours PRESS at once ABSENCES 7");
        let english = read(&english).unwrap();
        assert_eq!(english.absence.days, 7);
        assert_eq!(french, english);
    }

    #[test]
    fn what_there_is_not_is_said_with_what_there_is() {
        let Sample {
            game,
            scenario,
            seats,
        } = sample();
        let fault = |text: &str| read(&format!("NEW TABLE {text}")).unwrap_err();
        let (why, known) = fault("no-such-game");
        assert!(
            why == RequestFault::NoGame && known.contains(&game),
            "{known}"
        );
        let (why, known) = fault(&format!("{game} SCENARIO none-such"));
        assert!(
            why == RequestFault::NoScenario && known.contains(&scenario),
            "{known}"
        );
        let (why, known) = fault(&format!("{game} BOT nobody"));
        assert_eq!((why, known), (RequestFault::NoSeat, list(&seats)));
        let both = fault(&format!("{game} BOT {} BOT {}", seats[0], seats[1]));
        assert_eq!(both.0, RequestFault::NobodyPlays);
        assert_eq!(fault(&format!("{game} SET x=y")).0, RequestFault::NoOption);
        for text in [
            "EVERY x days",
            "EVERY 2 weeks",
            "AT noon",
            "WITH friends",
            "EVERY 0 days",
            "ABSENCES many",
            "ABSENCES 4000000000",
            "SCENARIO ada@example.net SCENARIO other",
            &"PRESS ".repeat(MOST_WORDS + 1),
        ] {
            let (why, about) = fault(&format!("{game} {text}"));
            assert_eq!((why, about.as_str()), (RequestFault::Form, ""), "{text}");
        }
        let many = format!("questions_per_turn={}", MOST_QUESTIONS + 1);
        let (why, known) = fault(&format!("{game} SET {many}"));
        assert!(
            why == RequestFault::NoOption && !known.contains(&many),
            "{known}"
        );
    }
}
