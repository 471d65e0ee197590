//! How a campaign ended for its seats.

use std::sync::Arc;

use super::{
    context::Context,
    players,
    state::State,
    stints::{CampaignResult, SeatResult},
};
use crate::{
    game::{GameDecl, Lang, SeatDecl, Text, Translations},
    ids::WinnerId,
    world::{Ending, Winners},
};

/// How a campaign ended, if all who play in it have been told.
#[must_use]
pub fn result_of(context: &Context, state: &State) -> Option<CampaignResult> {
    let ending = state.world.ended.as_ref().filter(|_| state.is_over())?;
    let decl = &context.game.decl;
    let seats = decl.seats.iter().filter_map(|seat| {
        let entry = state.seats.get(&seat.id)?;
        let player = players::player(context, state, &seat.id)?;
        let (team, won) = team(decl, seat, &ending.side)?;
        Some(SeatResult {
            seat: seat.id.clone(),
            team,
            won,
            bot: player.address.bot().is_some(),
            players: (entry.former.iter().cloned())
                .chain([entry.stint()])
                .collect(),
        })
    });
    Some(CampaignResult {
        turn: state.world.turn(),
        level: level(context, ending),
        seats: seats.collect(),
    })
}

/// With whom a seat has won or lost, and whether it has won.
fn team(decl: &GameDecl, seat: &SeatDecl, winners: &Winners) -> Option<(WinnerId, bool)> {
    let own = seat.first_side()?;
    let of_seat = || WinnerId::from(seat.id.as_str());
    let usual = || match decl.party_of(own) {
        Some(party) => WinnerId::from(party.as_str()),
        None => WinnerId::from(own.as_str()),
    };
    Some(match winners {
        Winners::Nobody => (usual(), false),
        Winners::One(winner) if seat.sides.iter().any(|side| decl.is_of(side, winner)) => {
            (winner.clone(), true)
        }
        Winners::One(_) => (usual(), false),
        Winners::Seats(seats) => (of_seat(), seats.iter().any(|it| **it == *seat.id)),
    })
}

/// The level of the victory in all languages of the game.
fn level(context: &Context, ending: &Ending) -> Translations {
    let said = |(lang, text): (&Lang, &Arc<Text>)| {
        let words = text.levels.get(&ending.level);
        (*lang, words.unwrap_or(&ending.level).clone())
    };
    context.game.text.iter().map(said).collect()
}
