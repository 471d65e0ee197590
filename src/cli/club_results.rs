//! `estafette club results DIR`: what a club remembers of campaigns that have ended.

use super::{failure::CommandResult, out};
use crate::club::{ClubResults, SeatOutcome, Tally};

/// Prints it, in lines or as JSON.
///
/// # Errors
/// If nothing can be written.
pub fn print(results: &ClubResults, json: bool) -> CommandResult {
    if json {
        return out::json(results);
    }
    if results.campaigns.is_empty() {
        return out::line("no campaign has ended");
    }
    for campaign in &results.campaigns {
        out::line(format!(
            "{}  {}  {} {}, turn {}: {}",
            campaign.ended.strftime("%Y-%m-%d"),
            campaign.campaign,
            campaign.game,
            campaign.scenario,
            campaign.turn,
            campaign.level
        ))?;
        for seat in &campaign.seats {
            let players = match seat.players.as_slice() {
                [] => "nobody of the club".to_owned(),
                players => players.join(", then "),
            };
            out::line(format!(
                "    {}: {players}, {}",
                seat.seat,
                said(seat.outcome)
            ))?;
        }
    }
    out::line("ratings, 1500 to begin with:")?;
    for it in &results.ratings {
        let (name, tally) = (&it.name, counted(it.tally));
        out::line(format!(
            "    {}  {name}  {} \u{b1} {}  {tally}",
            it.game, it.rating, it.deviation
        ))?;
    }
    out::line("what seats add to it:")?;
    for it in &results.seats {
        let tally = counted(it.tally);
        out::line(format!(
            "    {} {}  {}  {:+} \u{b1} {}  {tally}",
            it.game, it.scenario, it.seat, it.worth, it.deviation
        ))?;
    }
    out::line("deadlines kept:")?;
    for it in &results.reliability {
        let all = it.kept.saturating_add(it.missed);
        out::line(format!("    {}  {} of {all}", it.name, it.kept))?;
    }
    out::line("head to head:")?;
    let once = |it: &&crate::club::HeadToHead| it.member < it.against;
    for it in results.head_to_head.iter().filter(once) {
        let tally = counted(it.tally);
        out::line(format!(
            "    {} against {}  {tally}",
            it.name, it.against_name
        ))?;
    }
    Ok(())
}

fn said(outcome: SeatOutcome) -> &'static str {
    match outcome {
        SeatOutcome::Won => "won",
        SeatOutcome::Drawn => "drawn",
        SeatOutcome::Lost => "lost",
    }
}

fn counted(Tally { won, drawn, lost }: Tally) -> String {
    format!("{won} won, {drawn} drawn, {lost} lost")
}
