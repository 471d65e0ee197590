//! How strong members are, and how good seats: Weng and Lin's Bayesian rating, as Glicko-2 is, but
//! for any number of teams and for draws.
//!
//! A seat of a scenario plays in a team with its player and has a rating of its own, which begins
//! at nothing. So a scenario in which one side wins more often, whoever plays it, shows in the
//! seat's worth and not in the ratings of those who have drawn it. Bots of a game are one player.

use std::collections::BTreeMap;

use skillratings::{
    MultiTeamOutcome,
    weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team},
};

use serde::Serialize;

use super::{
    ended::{PlayedSeat, SeatOutcome, TableResult, Tally},
    people::People,
    state::MemberNumber,
    table::{ClubTable, TablePlan},
};
use crate::ids::{SeatId, WinnerId};

/// Where everybody begins, and how far off that may well be, as letters show it.
const BEGIN: f64 = 1500.0;
const DEVIATION: f64 = 350.0;
/// How much luck and form decide a game, in deviations of a beginner.
const LUCK: f64 = 0.5;
/// How unsure a seat's worth is at first, in deviations of a beginner: seats differ less than
/// people do.
const SEAT: f64 = 0.5;

/// How strong a member is in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemberRating {
    /// The game's id.
    pub game: String,
    /// The member.
    pub member: MemberNumber,
    /// As others may know him.
    pub name: String,
    /// 1500 is where everybody begins.
    pub rating: i64,
    /// How far off it may well be.
    pub deviation: i64,
    /// What it comes from.
    #[serde(flatten)]
    pub tally: Tally,
}

/// How good a seat of a scenario is, whoever plays it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatHandicap {
    /// The game's id.
    pub game: String,
    /// The scenario's id.
    pub scenario: String,
    /// The seat.
    pub seat: SeatId,
    /// What it adds to its player's rating.
    pub worth: i64,
    /// How far off it may well be.
    pub deviation: i64,
    /// What it comes from.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Who plays, for his rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RatedPlayer {
    /// A member.
    Member(MemberNumber),
    /// A bot of the game.
    Bot,
}

/// A rating, and the results that it comes from.
#[derive(Clone, Copy, Debug)]
struct BookedRating {
    rating: WengLinRating,
    tally: Tally,
}

impl BookedRating {
    fn new(uncertainty: f64) -> Self {
        Self {
            rating: beginner(uncertainty),
            tally: Tally::default(),
        }
    }
}

/// A rating of nothing: what counts is the difference to others.
fn beginner(uncertainty: f64) -> WengLinRating {
    WengLinRating {
        rating: 0.0,
        uncertainty,
    }
}

/// Ratings, in units of a beginner's deviation.
#[derive(Debug, Default)]
pub(super) struct ClubRatings {
    players: BTreeMap<(String, RatedPlayer), BookedRating>,
    seats: BTreeMap<(String, String, SeatId), BookedRating>,
}

/// A seat of a table in the books.
struct BookedSeat<'r> {
    played: &'r PlayedSeat,
    player: Option<(String, RatedPlayer)>,
    seat: (String, String, SeatId),
}

impl ClubRatings {
    /// The ratings after these tables, in the order in which they ended.
    pub(super) fn of<'t>(tables: impl Iterator<Item = &'t ClubTable>) -> Self {
        let mut ratings = Self::default();
        for table in tables {
            if let Some(ended) = &table.ended {
                ratings.add(&table.plan, &ended.result);
            }
        }
        ratings
    }

    fn add(&mut self, plan: &TablePlan, result: &TableResult) {
        let mut teams: BTreeMap<&WinnerId, Vec<BookedSeat<'_>>> = BTreeMap::new();
        for played in &result.seats {
            let rated = match played.member() {
                Some(member) => Some(RatedPlayer::Member(member)),
                None => (played.bot && !played.was_handed_over()).then_some(RatedPlayer::Bot),
            };
            let booked = BookedSeat {
                played,
                player: rated.map(|rated| (plan.game.clone(), rated)),
                seat: (plan.game.clone(), self::setting(plan), played.seat.clone()),
            };
            teams.entry(&played.team).or_default().push(booked);
        }
        // With fewer nothing was decided between anybody.
        if teams.len() < 2 {
            return;
        }
        let teams: Vec<Vec<BookedSeat<'_>>> = teams.into_values().collect();
        let before: Vec<Vec<WengLinRating>> = teams.iter().map(|team| self.ratings(team)).collect();
        let won = |team: &[BookedSeat<'_>]| team.iter().any(|seat| seat.played.won);
        let is_drawn = !teams.iter().any(|team| won(team));
        let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = (before.iter().zip(&teams))
            .map(|(ratings, team)| {
                let rank = if is_drawn || won(team) { 1 } else { 2 };
                (ratings.as_slice(), MultiTeamOutcome::new(rank))
            })
            .collect();
        let config = WengLinConfig {
            beta: LUCK,
            ..WengLinConfig::new()
        };
        let after = weng_lin_multi_team(&ranked, &config);
        for (team, ratings) in teams.iter().zip(after) {
            let mut ratings = ratings.into_iter();
            for seat in team {
                let outcome = result.outcome(seat.played);
                self.note(seat, (ratings.next(), ratings.next()), outcome);
            }
        }
    }

    /// The ratings of a team: of each seat its player's and its own.
    fn ratings(&self, team: &[BookedSeat<'_>]) -> Vec<WengLinRating> {
        let of = |seat: &BookedSeat<'_>| {
            let player = seat.player.as_ref().and_then(|it| self.players.get(it));
            let own = self.seats.get(&seat.seat);
            [
                player.map_or_else(|| beginner(1.0), |it| it.rating),
                own.map_or_else(|| beginner(SEAT), |it| it.rating),
            ]
        };
        team.iter().flat_map(of).collect()
    }

    fn note(
        &mut self,
        seat: &BookedSeat<'_>,
        (player, own): (Option<WengLinRating>, Option<WengLinRating>),
        outcome: SeatOutcome,
    ) {
        if let (Some(key), Some(rating)) = (&seat.player, player) {
            let standing = self.players.entry(key.clone());
            let standing = standing.or_insert_with(|| BookedRating::new(1.0));
            standing.rating = rating;
            standing.tally.count(outcome);
        }
        if let Some(rating) = own {
            let standing = self.seats.entry(seat.seat.clone());
            let standing = standing.or_insert_with(|| BookedRating::new(SEAT));
            standing.rating = rating;
            standing.tally.count(outcome);
        }
    }

    /// How strong members are, by game, the strongest first.
    pub(super) fn of_members(&self, people: &People) -> Vec<MemberRating> {
        let players = self.players.iter();
        let rated = players.filter_map(|((game, rated), standing)| match rated {
            RatedPlayer::Member(member) => Some(MemberRating {
                game: game.clone(),
                member: *member,
                name: people.shown(*member),
                rating: points(BEGIN, standing.rating.rating),
                deviation: points(0.0, standing.rating.uncertainty),
                tally: standing.tally,
            }),
            RatedPlayer::Bot => None,
        });
        let mut rated: Vec<MemberRating> = rated.collect();
        rated.sort_by(|one, other| {
            let key = |it: &MemberRating| (it.game.clone(), -it.rating, it.member);
            key(one).cmp(&key(other))
        });
        rated
    }

    /// How good seats are.
    pub(super) fn of_seats(&self) -> Vec<SeatHandicap> {
        let seats = self.seats.iter();
        let seats = seats.map(|((game, scenario, seat), standing)| SeatHandicap {
            game: game.clone(),
            scenario: scenario.clone(),
            seat: seat.clone(),
            worth: points(0.0, standing.rating.rating),
            deviation: points(0.0, standing.rating.uncertainty),
            tally: standing.tally,
        });
        seats.collect()
    }
}

/// The scenario, with the roster where there are several: other seats are worth something else.
fn setting(plan: &TablePlan) -> String {
    match &plan.roster {
        Some(roster) => format!("{} ({roster})", plan.scenario),
        None => plan.scenario.clone(),
    }
}

/// A rating as letters show it.
#[allow(clippy::cast_possible_truncation, reason = "it is rounded, and small")]
fn points(begin: f64, rating: f64) -> i64 {
    (begin + DEVIATION * rating).round() as i64
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests {
    use super::*;
    use crate::club::ended::SeatPlayer;

    fn plan() -> TablePlan {
        crate::yaml::from_str(
            "{game: g, scenario: s, questions: 0, seats: [red, blue], \
             schedule: {zone: UTC}}",
        )
        .unwrap()
    }

    fn seat(id: &str, team: &str, member: u32, won: bool) -> PlayedSeat {
        PlayedSeat {
            seat: id.into(),
            team: team.into(),
            won,
            bot: member == 0,
            players: vec![SeatPlayer {
                member: Some(MemberNumber(member)).filter(|it| it.0 > 0),
                kept: 0,
                missed: 0,
            }],
        }
    }

    fn rated(games: &[Vec<PlayedSeat>]) -> ClubRatings {
        let mut ratings = ClubRatings::default();
        for seats in games {
            let result = TableResult {
                turn: 1,
                level: Default::default(),
                seats: seats.clone(),
            };
            ratings.add(&plan(), &result);
        }
        ratings
    }

    fn of(ratings: &ClubRatings, member: u32) -> MemberRating {
        let all = ratings.of_members(&People::default());
        all.into_iter().find(|it| it.member.0 == member).unwrap()
    }

    fn worth(ratings: &ClubRatings, seat: &str) -> i64 {
        let all = ratings.of_seats();
        all.iter().find(|it| *it.seat == *seat).unwrap().worth
    }

    /// Red always wins, and the two change sides: it is the side, not they.
    #[test]
    fn what_a_side_is_worth_is_no_merit_of_its_players() {
        let mut games = Vec::new();
        for _ in 0..10 {
            games.push(vec![
                seat("red", "red", 1, true),
                seat("blue", "blue", 2, false),
            ]);
            games.push(vec![
                seat("red", "red", 2, true),
                seat("blue", "blue", 1, false),
            ]);
        }
        let ratings = rated(&games);
        let (one, two) = (of(&ratings, 1), of(&ratings, 2));
        assert!((one.rating - two.rating).abs() < 100, "{one:?} {two:?}");
        assert!((one.rating - 1500).abs() < 100, "{one:?}");
        assert!(one.deviation < 300, "{one:?}");
        assert!(worth(&ratings, "red") > 100 && worth(&ratings, "blue") < -100);
        assert_eq!(
            one.tally,
            Tally {
                won: 10,
                drawn: 0,
                lost: 10
            }
        );
    }

    /// One always wins, on either side: it is he.
    #[test]
    fn who_wins_on_either_side_is_the_stronger_one() {
        let mut games = Vec::new();
        for _ in 0..10 {
            games.push(vec![
                seat("red", "red", 1, true),
                seat("blue", "blue", 2, false),
            ]);
            games.push(vec![
                seat("red", "red", 2, false),
                seat("blue", "blue", 1, true),
            ]);
        }
        let ratings = rated(&games);
        let (one, two) = (of(&ratings, 1), of(&ratings, 2));
        assert!(one.rating > two.rating + 300, "{one:?} {two:?}");
        assert!(worth(&ratings, "red").abs() < 60);
    }

    #[test]
    fn teams_of_any_size_and_draws_and_bots_are_rated() {
        let ratings = rated(&[
            vec![
                seat("a", "allies", 1, true),
                seat("b", "allies", 2, true),
                seat("c", "c", 3, false),
            ],
            vec![seat("a", "a", 1, false), seat("b", "b", 0, false)],
        ]);
        let [one, two, three] = [1, 2, 3].map(|member| of(&ratings, member));
        assert!(
            two.rating > 1500 && three.rating < 1500,
            "{two:?} {three:?}"
        );
        assert_eq!(
            one.tally,
            Tally {
                won: 1,
                drawn: 1,
                lost: 0
            }
        );
        assert_eq!(ratings.players.len(), 4);
    }

    /// The one who has left answers for it, and the one who took it over does not.
    #[test]
    fn who_leaves_a_seat_answers_for_it() {
        let mut left = seat("blue", "blue", 2, false);
        left.players.push(SeatPlayer {
            member: Some(MemberNumber(3)),
            kept: 1,
            missed: 0,
        });
        let ratings = rated(&[vec![seat("red", "red", 1, true), left]]);
        assert!(of(&ratings, 2).rating < 1500);
        assert_eq!(ratings.of_members(&People::default()).len(), 2);
    }

    /// A campaign that leaves one team alone decides nothing.
    #[test]
    fn a_single_team_changes_nothing() {
        let ratings = rated(&[vec![seat("red", "red", 1, true)]]);
        assert!(ratings.players.is_empty() && ratings.seats.is_empty());
    }
}
