//! The games that tables may be founded for: those that ship with the program.

use std::{cell::OnceCell, collections::BTreeMap};

use super::{
    requests::{RequestFault, VerbLine},
    table::TablePlan,
};
use crate::{
    campaign::model::{
        clock::{ClockZone, Deadlines, Schedule, WeeklyTime},
        errands::{PressRules, PressTime},
        leeway::{Leeway, MissedRule, REMINDERS, SETTLE},
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
    bots: Vec<String>,
    options: Vec<String>,
}

impl WantedTable {
    fn read(&mut self, words: &[&str]) -> Result<(), PlanFault> {
        if words.len() > MOST_WORDS {
            return Err(form());
        }
        let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
        let at = |place: usize| folded.get(place).map_or("", String::as_str);
        let mut place = 0;
        while place < words.len() {
            let (word, next) = (at(place), at(place + 1));
            place += match word {
                "scenario" if self.scenario.is_none() => {
                    self.scenario = Some(next.to_owned());
                    2
                }
                "roster" | "effectif" if self.roster.is_none() => {
                    self.roster = Some(next.to_owned());
                    2
                }
                "every" | "tous" | "toutes" => {
                    let skip = usize::from(at(place + 1) == "les");
                    let (number, unit) = (at(place + 1 + skip), at(place + 2 + skip));
                    let number: u32 = number.parse().map_err(|_| form())?;
                    let hours = match unit {
                        "hours" | "hour" | "heures" | "heure" => number,
                        "days" | "day" | "jours" | "jour" => number.saturating_mul(24),
                        _ => return Err(form()),
                    };
                    self.hours = Some(hours);
                    3 + skip
                }
                "at" | "le" | "les" => {
                    let mut taken = 1;
                    while let Some(time) = weekly(words, place + taken) {
                        self.at.push(time);
                        taken += 2;
                    }
                    if taken == 1 {
                        return Err(form());
                    }
                    taken
                }
                "press" | "presse" => {
                    self.press.goes = PressTime::AtOnce;
                    match (next, at(place + 2)) {
                        ("at", "once") | ("tout", "suite") => 3,
                        ("with", "dispatches") | ("avec", "depeches") => {
                            self.press.goes = PressTime::WithDispatches;
                            3
                        }
                        _ => 1,
                    }
                }
                "grey" | "gray" | "grise" | "anonyme" if self.press.goes != PressTime::Never => {
                    self.press.grey = true;
                    1
                }
                "bot" | "bots" => {
                    self.bots.push(next.to_owned());
                    2
                }
                "set" | "option" => {
                    let option = words.get(place + 1).copied().unwrap_or_default();
                    self.options.push(option.to_owned());
                    2
                }
                _ => return Err(form()),
            };
        }
        Ok(())
    }

    fn plan(self, game: Game, zone: &ClockZone) -> Result<TablePlan, PlanFault> {
        let roster = self.roster_of(&game)?;
        let scenario = self.scenario_of(&game, roster.as_deref())?;
        let (options, questions) = self.options_of(&game)?;
        let schedule = self.schedule(zone)?;
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
    let day: String = day.chars().take(3).collect();
    let day = match fold(&day).as_str() {
        "mon" | "lun" => "Mon",
        "tue" | "mar" => "Tue",
        "wed" | "mer" => "Wed",
        "thu" | "jeu" => "Thu",
        "fri" | "ven" => "Fri",
        "sat" | "sam" => "Sat",
        "sun" | "dim" => "Sun",
        _ => return None,
    };
    format!("{day} {time}").parse().ok()
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

    #[test]
    fn a_table_is_planned_from_its_words() {
        let table = read("NEW TABLE Castiglione").unwrap();
        assert_eq!(table.game, "castiglione");
        assert_eq!(list(&table.seats), "french, austrian");
        assert!(table.bots.is_empty() && table.press.is_default());
        let table = read(
            "new table castiglione scenario lonato at Tue 20:00, Fri 20:00 press with dispatches grey bot austrian",
        )
        .unwrap();
        assert_eq!(table.scenario, "lonato");
        assert_eq!(
            (list(&table.seats), list(&table.bots)),
            ("french".into(), "austrian".into())
        );
        assert_eq!(table.press.goes, PressTime::WithDispatches);
        assert!(table.press.grey && !table.schedule.closes_early());
        let french = read("Nouvelle table castiglione tous les 2 jours presse").unwrap();
        let english = read("NEW TABLE castiglione EVERY 48 hours PRESS at once").unwrap();
        assert_eq!(french, english);
    }

    #[test]
    fn what_there_is_not_is_said_with_what_there_is() {
        let fault = |text: &str| read(text).unwrap_err();
        assert_eq!(fault("NEW TABLE chess").0, RequestFault::NoGame);
        assert!(fault("NEW TABLE chess").1.contains("castiglione"));
        let (why, known) = fault("NEW TABLE castiglione SCENARIO waterloo");
        assert!(
            why == RequestFault::NoScenario && known.contains("lonato"),
            "{known}"
        );
        let (why, known) = fault("NEW TABLE castiglione BOT prussian");
        assert_eq!(
            (why, known.as_str()),
            (RequestFault::NoSeat, "french, austrian")
        );
        let both = fault("NEW TABLE castiglione BOT french BOT austrian");
        assert_eq!(both.0, RequestFault::NobodyPlays);
        assert_eq!(
            fault("NEW TABLE castiglione SET x=y").0,
            RequestFault::NoOption
        );
        for text in [
            "EVERY x days",
            "EVERY 2 weeks",
            "AT noon",
            "WITH friends",
            "EVERY 0 days",
            "SCENARIO ada@example.net SCENARIO lonato",
            &"PRESS ".repeat(MOST_WORDS + 1),
        ] {
            let (why, about) = fault(&format!("NEW TABLE castiglione {text}"));
            assert_eq!((why, about.as_str()), (RequestFault::Form, ""), "{text}");
        }
        let many = format!("questions_per_turn={}", MOST_QUESTIONS + 1);
        let (why, known) = fault(&format!("NEW TABLE castiglione SET {many}"));
        assert!(
            why == RequestFault::NoOption && !known.contains(&many),
            "{known}"
        );
    }
}
