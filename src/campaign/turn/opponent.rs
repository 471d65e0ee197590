//! What a player may ask for whose opponent has gone: another player, a bot, or the win, as the
//! campaign allows. Everybody concerned is told.

use crate::{
    campaign::{
        model::{
            absence::Remedy, context::Context, player_address::PlayerAddress, players, seats::Seat,
            state::State, stints::StintOrigin, work_error::WorkError,
        },
        turn::{
            absence, ending, handover,
            plan::{ErrandOutcome, SeatLetter, UmpireLetter, WordFromSeat},
            planning,
            work::Work,
        },
    },
    dice::Note,
    game::Game,
    ids::SeatId,
};

/// Why a seat is given to a bot, in the note.
const FOR_A_BOT: &str = "its player has gone, and the opponent asks for a bot";

/// Does what a player asks for, if his opponent has missed enough deadlines, or left.
pub(crate) fn request(
    work: &mut Work<'_>,
    seat: &SeatId,
    remedy: Remedy,
    of: Option<&SeatId>,
) -> Result<ErrandOutcome, WorkError> {
    let (context, rules) = (work.context, work.context.settings.absence);
    let no = |why| Ok(ErrandOutcome::NotDone(why));
    if work.state.is_over() {
        return no("ended");
    }
    if !rules.opponent.have(remedy) {
        return no("request_not_allowed");
    }
    let gone = gone_opponents(context, &work.state, seat);
    let gone = match (of, gone.as_slice()) {
        (Some(of), gone) if gone.contains(of) => of.clone(),
        (None, [one]) => one.clone(),
        (None, [_, ..]) => return no("request_which"),
        _ => return no("request_too_early"),
    };
    match remedy {
        Remedy::Replacement => Ok(seek(work, &gone)),
        Remedy::Bot => let_bot_play(work, seat, &gone),
        // Once is enough; and what an error has stopped is mended before it ends.
        Remedy::Win if work.state.at_once.is_some() => no("request_made"),
        Remedy::Win if work.state.stopped().is_some() => no("request_too_early"),
        Remedy::Win => win(work, &gone),
    }
}

/// The seats of other parties whose players have gone.
fn gone_opponents(context: &Context, state: &State, seat: &SeatId) -> Vec<SeatId> {
    let own = party(&context.game, seat);
    let mut gone = absence::offered(context, state);
    gone.retain(|gone| gone != seat && (own.is_none() || party(&context.game, gone) != own));
    gone
}

/// The party of a seat's first side, or the side itself.
fn party<'g>(game: &'g Game, seat: &str) -> Option<&'g str> {
    let side = game.decl.seat(seat)?.first_side()?;
    let party = game.decl.party_of(side);
    Some(party.map_or(side.as_str(), |party| party.as_str()))
}

/// Looks for another player: the umpire is told, the club has the seat in its list, and the player
/// who has gone learns that he may still come back.
fn seek(work: &mut Work<'_>, gone: &SeatId) -> ErrandOutcome {
    let settings = &work.context.settings;
    if !settings.has_umpire() && settings.club.is_none() {
        return ErrandOutcome::NotDone("request_nobody");
    }
    match work.state.seats.get_mut(gone) {
        Some(entry) if !entry.attendance.sought => entry.attendance.sought = true,
        _ => return ErrandOutcome::NotDone("request_made"),
    }
    let word = WordFromSeat {
        seat: gone.clone(),
        what: "wanted",
        words: String::new(),
    };
    planning::send_to_umpire(work, UmpireLetter::FromSeat(word));
    tell(work, gone, gone, "sought");
    ErrandOutcome::Done
}

/// Gives the seat to the bot of the game that plays to win.
fn let_bot_play(
    work: &mut Work<'_>,
    asker: &SeatId,
    gone: &SeatId,
) -> Result<ErrandOutcome, WorkError> {
    let player = players::player(work.context, &work.state, gone).cloned();
    let (Some(player), Ok(bot)) = (player, "bot".parse::<PlayerAddress>()) else {
        return Ok(ErrandOutcome::NotDone("request_too_early"));
    };
    let bot = Seat {
        address: bot,
        name: String::new(),
        ..player
    };
    handover::replace(work, &bot, StintOrigin::Opponent, FOR_A_BOT)?;
    tell_others(work, gone, "bot", |seat| seat != asker);
    Ok(ErrandOutcome::Done)
}

/// Ends the campaign as if the seat had given up, if the game has a way to do so.
fn win(work: &mut Work<'_>, gone: &SeatId) -> Result<ErrandOutcome, WorkError> {
    let game = &work.context.game;
    let mut verbs = game.decl.orders.verbs.values();
    let phase = verbs.find_map(|verb| verb.at_once.clone());
    let side = game.decl.seat(gone).and_then(|seat| seat.first_side());
    let (Some(phase), Some(side)) = (phase, side) else {
        return Ok(ErrandOutcome::NotDone("request_no_win"));
    };
    let phase = format!("{phase}.{side}");
    let text = format!("the player of {gone} has gone, and the opponent asks for the win");
    planning::note(work, Note::new(&text)?);
    tell_others(work, gone, "win", |_| true);
    tell(work, gone, gone, "lost");
    ending::at_once(work, phase)?;
    Ok(ErrandOutcome::Done)
}

/// Tells the umpire and other seats what has come of a seat.
fn tell_others(
    work: &mut Work<'_>,
    gone: &SeatId,
    what: &'static str,
    wanted: impl Fn(&SeatId) -> bool,
) {
    let word = WordFromSeat {
        seat: gone.clone(),
        what: if what == "win" { "lost" } else { "bot" },
        words: String::new(),
    };
    planning::send_to_umpire(work, UmpireLetter::FromSeat(word));
    let seats = work.context.settings.seats.ids();
    let seats: Vec<SeatId> = seats
        .filter(|seat| *seat != gone && wanted(seat))
        .cloned()
        .collect();
    for seat in seats {
        tell(work, &seat, gone, what);
    }
}

/// Writes to a seat about one whose player has gone.
fn tell(work: &mut Work<'_>, seat: &SeatId, gone: &SeatId, what: &'static str) {
    let gone = gone.clone();
    planning::send(work, seat, SeatLetter::Remedy { gone, what });
}
