//! The pictures of a map of areas with many nations: on a telephone and on paper.

use std::sync::Arc;

use estafette::{
    dispatch::{Briefing, Document, Paper, map_page, map_pictures, show_ground},
    game::{Game, Lang},
    ids::{PlaceId, SeatId},
    mail::Screen,
    world::World,
};

use super::at_rest;
use crate::support::shipped_game;

fn game() -> Arc<Game> {
    shipped_game("toulon")
}

/// The map when many stand on it: all pieces that may, area by area.
fn document(game: &Game, lang: Lang, screen: Screen) -> Document {
    let mut world = World::set_up(game, "siege").unwrap();
    let spaces = &game.map.map().spaces;
    let areas: Vec<&PlaceId> = (spaces.iter())
        .filter(|space| ["plain", "hill", "mountain"].contains(&space.terrain.as_str()))
        .map(|space| &space.id)
        .collect();
    let pieces: Vec<_> = world.pieces.keys().cloned().collect();
    for (piece, area) in pieces.iter().zip(areas.iter().cycle()) {
        world.put(piece, area);
    }
    let seat = SeatId::from("allied");
    let view = world.seen_by(game, &seat);
    let (document, _) = Document::build(&Briefing {
        lang,
        screen,
        ..at_rest(game, &seat, &view)
    });
    document
}

/// Width and height, as the picture's box has them.
fn size(svg: &str) -> [i64; 2] {
    let size = svg.split_once("viewBox=\"0 0 ").unwrap().1;
    let size = size.split_once('"').unwrap().0;
    let (wide, high) = size.split_once(' ').unwrap();
    [wide, high].map(|edge| edge.parse().unwrap())
}

#[test]
fn the_legend_of_a_telephone_leaves_the_map_the_room() {
    let game = game();
    for lang in [Lang::En, Lang::Fr] {
        let document = document(&game, lang, Screen::Phone);
        let pictures = map_pictures(&document);
        let (_, overview) = pictures.last().unwrap();
        let frame = overview.split_once("id=\"whole\"").unwrap().1;
        let frame = frame.split_once("height=\"").unwrap().1;
        let map: i64 = frame.split_once('"').unwrap().0.parse().unwrap();
        let [_, high] = size(overview);
        let title = 62;
        let legend = high - map - title;
        assert!(legend * 100 < high * 38, "{lang:?}: {legend} of {high}");
        assert!(legend < map, "{lang:?}: {legend} below {map}");
    }
}

#[test]
fn names_on_paper_are_read_and_all_there() {
    let game = game();
    for (paper, edges) in [(Paper::A4, [210, 297]), (Paper::A3, [297, 420])] {
        let mut document = document(&game, Lang::Fr, Screen::Phone);
        show_ground(&mut document, &game);
        let svg = map_page(&document, paper);
        // The page in tenths of a millimetre, with the map as large as it has room.
        assert_eq!(size(&svg), edges.map(|edge| edge * 10));
        let (_, inner) = svg.split_once("<svg x=").unwrap();
        let wide = inner.split_once(" width=\"").unwrap().1;
        let wide: i64 = wide.split_once('"').unwrap().0.parse().unwrap();
        let [points, _] = size(inner);
        // Names of 16 points are at least as high as 10.4 of a screen's, 96 in an inch.
        let tenths = 160 * wide * 96 / (points * 254);
        assert!(tenths >= 104, "{paper:?}: {tenths}");
        for space in &document
            .map
            .as_ref()
            .unwrap()
            .areas
            .as_ref()
            .unwrap()
            .sheets
        {
            for named in space.map.spaces.iter().filter(|it| !it.name.is_empty()) {
                let shown = format!(">{}<", named.name);
                let valued = format!(">{} <tspan", named.name);
                assert!(
                    inner.contains(&shown) || inner.contains(&valued),
                    "{paper:?}: {shown}"
                );
            }
        }
    }
}
