//! Pictures of a hex map: the same bytes for the same document, what the seat knows and nothing
//! else, and nothing too large.
use estafette::{
    dispatch::{Briefing, DiceText, Document, NewsItem, Request, map_png, map_svg},
    game::{EmbeddedFiles, Game, Lang},
    ids::{PlaceId, SeatId},
    value::{Fields, Value},
    world::World,
};

fn game() -> Game {
    Game::load(&EmbeddedFiles, "novara").unwrap()
}

/// The campaign at its start, and nothing seen.
fn world(game: &Game) -> World {
    World::set_up(game, "campaign").unwrap()
}

fn document(game: &Game, world: &World, seat: &str, events: &[NewsItem]) -> Document {
    let (seat, view) = (SeatId::from(seat), world.seen_by(game, seat));
    let dice = DiceText::default();
    let briefing = Briefing {
        game,
        display: &game.decl.display,
        campaign: "novara-1",
        title: "Novara",
        seat: &seat,
        lang: Lang::En,
        view: &view,
        phase: "",
        events,
        asked: Request::Over,
        standing: &[],
        asks: &[],
        template: &[],
        dice,
        notices: &[],
        zone: &jiff::tz::TimeZone::UTC,
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
        args: Fields::from([("at".to_owned(), Value::Map(place))]),
    }
}

#[test]
fn legends_speak_the_games_words() {
    let mut game = game();
    let words = std::sync::Arc::make_mut(game.text.get_mut(&Lang::En).unwrap());
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

#[test]
fn the_detail_is_where_most_happens() {
    let game = game();
    let world = world(&game);
    let labels = |events: &[NewsItem]| -> Vec<String> {
        let map = document(&game, &world, "austrian", events).map;
        map.hexes
            .unwrap()
            .labels
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    };
    let quiet = labels(&[]);
    assert!(quiet.contains(&"6141".to_owned()) && !quiet.contains(&"1908".to_owned()));
    let events: Vec<_> = (0..40).map(|_| happened_at("1908")).collect();
    let told = labels(&events);
    assert!(told.contains(&"1908".to_owned()) && !told.contains(&"6141".to_owned()));
    assert!(
        told.len().abs_diff(quiet.len()) <= 15,
        "a window has the same size everywhere"
    );
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
    let map = document(&game, &world, "austrian", &[]).map;
    let stack = map.stacks.iter().find(|stack| stack.hidden > 0).unwrap();
    assert_eq!(
        (stack.hidden, map.sides[stack.side].name.as_str()),
        (3, "Sardinian")
    );
    assert_ne!(map_svg(&document(&game, &world, "austrian", &[])), before);
}
