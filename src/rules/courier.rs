//! How letters between seats travel: the function that game.yaml names as `courier`.

use rhai::Dynamic;

use super::{
    convert::text_of,
    errors::RuleError,
    program::{Program, Start},
    stage::{Licence, Run},
};
use crate::{game::Game, ids::SeatId};

/// A letter's ride.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ride {
    /// The number of turns until it arrives.
    pub turns: i64,
    /// The seat that takes it on the way, if one does.
    pub taken: Option<SeatId>,
}

impl Program {
    /// The ride of a letter from one seat to another, on the true world; none if it is lost.
    ///
    /// # Errors
    /// If the function fails, or says something else.
    pub fn ride(
        &self,
        start: &Start<'_>,
        (from, to): (&SeatId, &SeatId),
        function: &str,
    ) -> Result<Option<Ride>, RuleError> {
        let run = Run {
            licence: Licence::Nothing,
            ..self.new_run(start, start.world.clone())
        };
        self.stage.set(Some(run));
        self.meter.start(self.meter.limits.operations);
        let said = self.call::<Dynamic>(function, (from.to_string(), to.to_string()));
        self.stage.set(None);
        let said = said.map_err(|error| self.explain_in(function, &error))?;
        ride(&said, self.game()).map_err(|what| self.fault_of(function, &what))
    }
}

fn ride(said: &Dynamic, game: &Game) -> Result<Option<Ride>, String> {
    if said.is_unit() {
        return Ok(None);
    }
    let map = said.read_lock::<rhai::Map>().ok_or_else(|| {
        let kind = said.type_name();
        format!("a ride is a map with its `turns`, or `()`, not {kind}")
    })?;
    let turns = map.get("turns").and_then(|turns| turns.as_int().ok());
    let turns = turns.filter(|turns| (0..=MOST_TURNS).contains(turns));
    let turns =
        turns.ok_or_else(|| format!("a ride takes a number of `turns`, 0 to {MOST_TURNS}"))?;
    let taken = match map.get("taken") {
        None => None,
        Some(nobody) if nobody.is_unit() => None,
        Some(seat) => {
            let name = text_of(seat).unwrap_or_default();
            let known = game.decl.seat(&name);
            let known =
                known.ok_or_else(|| format!("there is no seat `{name}` to take a letter"))?;
            Some(known.id.clone())
        }
    };
    Ok(Some(Ride { turns, taken }))
}

/// The longest ride, in turns.
const MOST_TURNS: i64 = 99;
