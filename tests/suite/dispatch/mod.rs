//! Letters and pictures as players see them.

mod fixture;
mod french;
mod hexes;
mod letters;
mod outcomes;
mod pages;
mod picture;
mod siege;
mod text;

use estafette::{
    dispatch::{Briefing, DiceText, Request},
    game::{Game, Lang},
    ids::SeatId,
    world::World,
};

/// A seat's briefing in which nothing has happened and nothing is asked.
fn at_rest<'a>(game: &'a Game, seat: &'a SeatId, view: &'a World) -> Briefing<'a> {
    static UTC: jiff::tz::TimeZone = jiff::tz::TimeZone::UTC;
    Briefing {
        game,
        display: &game.decl.display,
        campaign: "spring",
        title: "",
        seat,
        lang: Lang::En,
        screen: Default::default(),
        view,
        phase: "",
        events: &[],
        asked: Request::Over,
        standing: &[],
        asks: &[],
        template: &[],
        dice: DiceText::default(),
        notices: &[],
        zone: &UTC,
    }
}
