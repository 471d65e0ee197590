//! Pictures of a hex map: the same bytes for the same document, what the seat knows and nothing
//! else, and nothing too large.
use std::{collections::BTreeSet, sync::Arc};

use estafette::{
    dispatch::{
        Briefing, Document, NewsItem, Proof, map_pictures, map_png, map_svg, page, show_ground,
    },
    game::{Game, Lang},
    ids::{PlaceId, SeatId},
    value::{Fields, Value},
    world::World,
};

use super::at_rest;
use crate::support::shipped_game;

fn game() -> Arc<Game> {
    shipped_game("novara")
}

/// The campaign at its start, and nothing seen.
fn world(game: &Game) -> World {
    World::set_up(game, "campaign").unwrap()
}

fn document(game: &Game, world: &World, seat: &str, events: &[NewsItem]) -> Document {
    let (seat, view) = (SeatId::from(seat), world.seen_by(game, seat));
    let briefing = Briefing {
        campaign: "novara-1",
        title: "Novara",
        events,
        ..at_rest(game, &seat, &view)
    };
    Document::build(&briefing).0
}

fn happened_at(hex: &str) -> NewsItem {
    let place = Fields::from([
        ("space".to_owned(), hex.into()),
        ("name".to_owned(), hex.into()),
    ]);
    NewsItem {
        key: String::new(),
        phase: String::new(),
        turn: 1,
        args: Fields::from([("at".to_owned(), Value::Map(place))]).into(),
    }
}

#[test]
fn legends_speak_the_games_words() {
    let mut game = game();
    let text = &mut Arc::make_mut(&mut game).text;
    let words = Arc::make_mut(text.get_mut(&Lang::En).unwrap());
    words.legend.insert("road".into(), "causeway".into());
    let world = world(&game);
    let picture = map_svg(&document(&game, &world, "austrian", &[]));
    for word in [">paddy fields<", ">minor river<", ">crest<", ">causeway<"] {
        assert!(picture.contains(word), "{word}");
    }
    for word in [">stream<", ">slope<", ">road<"] {
        assert!(!picture.contains(word), "{word}");
    }
    // What the game does not name has the host's word.
    assert!(picture.contains(">ford<"));
}

/// A legend has what is on the sheets, and nothing else.
#[test]
fn legends_explain_what_is_drawn_alone() {
    let game = game();
    let mut world = world(&game);
    world.put("s_3pie", &PlaceId::from("1406"));
    let picture = |world: &World| map_svg(&document(&game, world, "sardinian", &[]));
    let before = picture(&world);
    for word in [">shaken<", ">out of supply<", ">forced march<", ">command"] {
        assert!(!before.contains(word), "{word}");
    }
    assert!(before.contains(">cavalry<"));
    // One sign, one meaning.
    assert!(before.contains(">infantry<") && !before.contains("infantry, "));
    let piece = world.piece_mut("s_3pie").unwrap();
    piece.attributes.insert("shaken".into(), true.into());
    assert!(picture(&world).contains(">shaken<"));
}

/// What a seat gets to plan on says nothing of any piece, of his own or others'.
#[test]
fn the_ground_alone_tells_of_no_piece() {
    let game = game();
    let mut world = world(&game);
    let ground = |world: &World| {
        let mut document = document(&game, world, "austrian", &[]);
        show_ground(&mut document, &game);
        map_svg(&document)
    };
    let before = ground(&world);
    assert!(before.contains(">0101<") && before.contains(">Mortara<"));
    assert!(!before.contains(">cavalry<"));
    let pieces: Vec<_> = world.pieces.keys().cloned().collect();
    for piece in pieces {
        world.put(&piece, &PlaceId::from("1406"));
    }
    assert!(ground(&world) == before);
}

#[test]
fn the_same_document_gives_the_same_bytes_of_no_great_size() {
    let game = game();
    let world = world(&game);
    let draw = || map_svg(&document(&game, &world, "austrian", &[]));
    let svg = draw();
    assert_eq!(svg, draw());
    assert!(svg.len() < 400_000, "{} bytes", svg.len());
    let png = map_png(&svg).unwrap();
    assert_eq!(png, map_png(&svg).unwrap());
    assert_eq!(&png[1..4], b"PNG");
    assert!(png.len() < 900_000, "{} bytes", png.len());
    let odd = regex::Regex::new(r"[0-9]\.[0-9]{4,}|NaN|inf\b").unwrap();
    assert!(odd.find(&svg).is_none(), "{:?}", odd.find(&svg));
}

/// The hexes of a sheet: those whose spots lie in its window.
fn is_on(window: &[[i64; 2]; 2], at: [i64; 2]) -> bool {
    let [from, size] = window;
    (0..2).all(|axis: usize| (from[axis]..from[axis] + size[axis]).contains(&at[axis]))
}

#[test]
fn every_stack_of_the_reader_is_on_a_sheet() {
    let game = game();
    let world = world(&game);
    for seat in ["austrian", "sardinian"] {
        let map = document(&game, &world, seat, &[]).map.unwrap();
        let hexes = map.hexes.as_ref().unwrap();
        assert!(!map.stacks.is_empty());
        for stack in &map.stacks {
            let at = hexes.spots[stack.space];
            // With two lines of ground round it, or the edge of the map.
            let round = |window: &&[[i64; 2]; 2]| {
                [[-2, 0], [2, 0], [0, -4], [0, 4]]
                    .iter()
                    .all(|[line, half]| {
                        let beside = [
                            (at[0] + line).clamp(0, hexes.size[0] - 1),
                            (at[1] + half).clamp(0, hexes.size[1] - 1),
                        ];
                        is_on(window, beside)
                    })
            };
            let shown = hexes.windows.iter().any(|it| round(&it));
            assert!(shown, "{seat} {at:?}");
        }
    }
}

/// Of all groups, lone ones too, a letter shows a sheet: where it lacks the room for all of them as
/// large as they could be, it makes them smaller.
#[test]
fn every_stack_of_the_reader_is_on_a_sheet_of_his_letter() {
    let game = game();
    let world = world(&game);
    for seat in ["austrian", "sardinian"] {
        let document = document(&game, &world, seat, &[]);
        let map = document.map.as_ref().unwrap();
        let hexes = map.hexes.as_ref().unwrap();
        let mut pictures = map_pictures(&document);
        pictures.pop();
        for stack in &map.stacks {
            let at = hexes.spots[stack.space];
            let (_, label) = hexes.labels.iter().find(|(it, _)| *it == at).unwrap();
            let shown = pictures
                .iter()
                .any(|(_, svg)| svg.contains(&format!(">{label}<")));
            assert!(shown, "{seat} {label}: {} sheets", pictures.len());
        }
    }
}

#[test]
fn what_happened_elsewhere_has_a_sheet_too() {
    let game = game();
    let world = world(&game);
    let sheets = |events: &[NewsItem]| {
        let hexes = document(&game, &world, "austrian", events)
            .map
            .unwrap()
            .hexes
            .unwrap();
        let labels: BTreeSet<String> = hexes.labels.into_iter().map(|it| it.1).collect();
        (hexes.windows.len(), labels)
    };
    let (quiet, shown) = sheets(&[]);
    assert!(shown.contains("6141") && !shown.contains("1908"));
    let (told, shown) = sheets(&[happened_at("1908")]);
    assert!(shown.contains("6141") && shown.contains("1908"));
    assert_eq!(told, quiet + 1);
}

#[test]
fn the_overview_says_which_sheet_is_where() {
    let game = game();
    let map = document(&game, &world(&game), "sardinian", &[happened_at("4136")])
        .map
        .unwrap();
    let hexes = map.hexes.clone().unwrap();
    assert!(hexes.windows.len() > 1);
    let svg = map_svg(&document(
        &game,
        &world(&game),
        "sardinian",
        &[happened_at("4136")],
    ));
    let (sheets, overview) = svg.split_once(r#"id="whole""#).unwrap();
    for letter in ('A'..).take(hexes.windows.len()) {
        let letter = format!("fill=\"#ffffff\" font-weight=\"bold\">{letter}</text>");
        assert_eq!(sheets.matches(&letter).count(), 1, "{letter}");
        assert_eq!(overview.matches(&letter).count(), 1, "{letter}");
    }
    // Numbers along both edges.
    for label in [">1001<", ">6001<", ">0110<", ">0150<"] {
        assert!(overview.contains(label), "{label}");
    }
}

/// A letter shows the weightiest sheets in a picture of their own each, and then the overview;
/// nothing is shrunk to its width.
#[test]
fn every_sheet_is_a_picture_that_a_letter_has_room_for() {
    let game = game();
    let document = document(&game, &world(&game), "sardinian", &[happened_at("4136")]);
    let pictures = map_pictures(&document);
    assert!(pictures.len() > 1);
    let (_, overview) = pictures.last().unwrap();
    // The letter behind the last one names nothing.
    for (letter, number) in ('A'..).zip(1..=pictures.len()) {
        let letter = format!("font-weight=\"bold\">{letter}</text>");
        assert_eq!(
            overview.contains(&letter),
            number < pictures.len(),
            "{letter}"
        );
    }
    let page = page(&document, &map_pictures(&document), false).with(&Proof::default());
    let mut bytes = 0;
    for (picture, svg) in &pictures {
        assert!(page.contains(&format!("src=\"cid:{}\"", picture.cid)));
        assert!(svg.contains(&format!("width=\"{}\"", picture.width)));
        assert!(picture.width <= 744, "{picture:?}");
        bytes += map_png(svg).unwrap().len();
    }
    assert!(bytes < 250_000, "{bytes} bytes");
    let (whole, _) = pictures.last().unwrap();
    assert_eq!(whole.cid, "map");
    for (picture, svg) in &pictures {
        for word in [
            document.map.as_ref().unwrap().subtitle.as_str(),
            " km<",
            ">N<",
        ] {
            assert!(svg.contains(word), "{}: {word}", picture.cid);
        }
    }
}

/// Writes pictures of both sides to `$DISPATCH_OUT`, to be looked at.
#[test]
#[ignore = "for the eye: set DISPATCH_OUT to a folder"]
fn write_for_the_eye() {
    let Ok(out) = std::env::var("DISPATCH_OUT") else {
        return;
    };
    let game = game();
    for seat in ["austrian", "sardinian"] {
        let svg = map_svg(&document(
            &game,
            &world(&game),
            seat,
            &[happened_at("4136")],
        ));
        let png = map_png(&svg).unwrap();
        println!("{seat}: {} bytes", png.len());
        std::fs::write(format!("{out}/novara-{seat}.png"), png).unwrap();
    }
}

#[test]
fn what_a_seat_does_not_know_changes_no_byte() {
    let game = game();
    let mut other = world(&game);
    let mine = map_svg(&document(&game, &other, "austrian", &[]));
    for (piece, hex) in [("s_3pie", "1406"), ("s_gn", "3724")] {
        other.put(piece, &PlaceId::from(hex));
    }
    other
        .piece_mut("s_1gr")
        .unwrap()
        .attributes
        .insert("lost".into(), 1.into());
    assert_eq!(map_svg(&document(&game, &other, "austrian", &[])), mine);
    assert_ne!(
        map_svg(&document(&game, &other, "sardinian", &[])),
        map_svg(&document(&game, &world(&game), "sardinian", &[]))
    );
}

#[test]
fn counters_that_are_only_counted_are_drawn_as_such() {
    let game = game();
    let mut world = world(&game);
    let seat = SeatId::from("austrian");
    let before = map_svg(&document(&game, &world, "austrian", &[]));
    let noted = Fields::from([("hidden".to_owned(), 3.into())]);
    let notes = world.knowledge_mut(&seat);
    notes.spaces.insert(PlaceId::from("6043"), noted);
    let map = document(&game, &world, "austrian", &[]).map.unwrap();
    let stack = map.stacks.iter().find(|stack| stack.hidden > 0).unwrap();
    assert_eq!(
        (stack.hidden, map.sides[stack.side].name.as_str()),
        (3, "Sardinian")
    );
    assert_ne!(map_svg(&document(&game, &world, "austrian", &[])), before);
}
