//! A game on a real map, and dispatches in the middle of its campaign.
use std::collections::BTreeMap;

use estafette::ordered::IndexMap;
use estafette::{
    dispatch::{
        Briefing, DiceText, Display, Document, NewsItem, OpenQuestion, OpenRoll, Request,
        WordsError,
    },
    game::{Game, Lang, MapIndex, Visibility},
    ids::SeatId,
    value::Fields,
    world::{SightingTime, World},
};
use jiff::{Timestamp, tz::TimeZone};
use serde::de::DeserializeOwned;
use serde_json::json;

fn read<T: DeserializeOwned>(path: &str) -> T {
    let path = format!("{}/{path}.yaml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    serde_yaml::from_str(&text).expect(&path)
}

fn file<T: DeserializeOwned>(name: &str) -> T {
    read(&format!("tests/data/dispatch/{name}"))
}

/// The game.
pub fn game() -> Game {
    Game {
        decl: file("game"),
        map: MapIndex::new(read("games/castiglione/map")),
        forces: read("games/castiglione/forces"),
        tables: IndexMap::default(),
        theatre: None,
        theatres: IndexMap::default(),
        scenarios: ["campaign", "lonato"]
            .map(|name| {
                (
                    name.to_owned(),
                    read(&format!("games/castiglione/scenarios/{name}")),
                )
            })
            .into_iter()
            .collect(),
        text: BTreeMap::from([(Lang::En, file("en")), (Lang::Fr, file("fr"))]),
        scripts: Vec::new(),
        checklist: Vec::new(),
        digest: estafette::digest::Digest::ZERO,
    }
}

/// How the game is shown.
pub fn display() -> Display {
    file("display")
}

/// A world with the sightings of both seats: a counter alone is seen whole, of several the top one.
pub fn world(game: &Game, scenario: &str) -> World {
    let mut world = World::set_up(game, scenario).unwrap();
    if scenario == "lonato" {
        wear(&mut world);
    }
    let seen = SightingTime {
        turn: world.turn(),
        phase: "movement.french".into(),
    };
    for seat in ["french", "austrian"] {
        for space in &game.map.map().spaces {
            let enemies = world.at(&space.id).filter(|piece| piece.side != *seat);
            let (garrisons, others): (Vec<_>, Vec<_>) = enemies
                .map(|piece| (piece.id.clone(), piece.kind.clone()))
                .partition(|(_, kind)| kind == "garrison");
            let seat_id = SeatId::from(seat);
            for (garrison, _) in garrisons {
                world.spot(game, &seat_id, &garrison, Visibility::Whole, seen.clone());
            }
            let degree = if others.len() > 1 {
                Visibility::Printed
            } else {
                Visibility::Whole
            };
            if let Some((top, _)) = others.first() {
                world.spot(game, &seat_id, top, degree, seen.clone());
            }
            if others.len() > 1 {
                let notes = world.knowledge_mut(&seat_id);
                let more = Fields::from([("more_below".to_owned(), true.into())]);
                notes.spaces.insert(space.id.clone(), more);
            }
        }
    }
    ghosts(&mut world);
    world
}

/// Marks, a broken bridge, an eliminated unit.
fn wear(world: &mut World) {
    for (piece, attribute) in [
        ("valette", "foraged"),
        ("pelletier", "ooc"),
        ("ott", "ooc"),
        ("klenau", "foraged"),
    ] {
        world
            .piece_mut(piece)
            .unwrap()
            .attributes
            .insert(attribute.into(), true.into());
    }
    for piece in ["servier", "fiorella", "ott"] {
        world
            .piece_mut(piece)
            .unwrap()
            .attributes
            .insert("supplied".into(), false.into());
    }
    world
        .piece_mut("ocskay")
        .unwrap()
        .attributes
        .insert("hits".into(), 3.into());
    world.put("robert", &"eliminated".into());
    for road in ["gavardo-rezzato", "goito-roverbella"] {
        world
            .roads_mut()
            .entry(road.to_owned())
            .or_default()
            .insert("broken".into(), true.into());
    }
    world.set_fact("first_player", "french".into());
}

/// What each seat saw a while ago of pieces that it does not see now.
fn ghosts(world: &mut World) {
    for (seat, piece, place, turn) in [
        ("french", "reuss", "vestone", 4),
        ("french", "gummer", "rivoli", 3),
        ("french", "mitrovski", "volta", 5),
        ("austrian", "rampon", "rivoli", 2),
        ("austrian", "beaumont", "villafranca", 4),
    ] {
        let mut known = estafette::world::Piece::clone(&world.pieces[piece]);
        known.at = Some(place.into());
        known
            .attributes
            .retain(|name, _| ["sp", "cf", "ma"].contains(&name));
        let seen = SightingTime {
            turn,
            phase: "movement.french".into(),
        };
        let sighting = estafette::world::Sighting {
            piece: known.into(),
            seen,
            current: false,
        };
        world
            .knowledge_mut(&seat.into())
            .sightings
            .insert(piece.into(), sighting);
    }
}

fn heard(key: &str, phase: &str, turn: i64, args: serde_json::Value) -> NewsItem {
    NewsItem {
        key: key.into(),
        phase: phase.into(),
        turn,
        args: serde_json::from_value(args).unwrap(),
    }
}

/// A piece as an event carries it.
fn piece(id: &str, name: &str, side: &str) -> serde_json::Value {
    json!({"piece": id, "name": name, "side": side, "kind": "infantry", "own": true})
}

/// What happened, the same for both seats.
pub fn events() -> Vec<NewsItem> {
    let castiglione = json!({"space": "castiglione", "name": "Castiglione"});
    let gavardo = json!({"space": "gavardo", "name": "Gavardo"});
    let rezzato = json!({"space": "rezzato", "name": "Rezzato"});
    let bonaparte = piece("bonaparte", "Bonaparte", "french");
    vec![
        heard(
            "supply.attrition",
            "supply",
            6,
            json!({"unit": piece("ott", "Ott", "austrian"), "space": gavardo, "hits": 1, "rule": "5.4"}),
        ),
        heard(
            "movement.seen",
            "movement.french",
            6,
            json!({
                "pieces": [piece("guyeux", "Guyeux", "french"), piece("rusca", "Rusca", "french"), {"unknown": true, "side": "french", "name": ""}],
                "from": gavardo, "to": rezzato,
            }),
        ),
        heard(
            "combat.round",
            "combat.castiglione",
            6,
            json!({
                "round": 1, "side": "french", "roll": [2], "odds": "3:2", "rule": "9.3",
                "reasons": [{"id": "leader_tr", "add": 2, "who": bonaparte}, {"id": "guns", "add": 1}, {"id": "cavalry", "add": 1}],
            }),
        ),
        heard(
            "combat.round",
            "combat.castiglione",
            6,
            json!({
                "round": 1, "side": "austrian", "roll": [5], "odds": "2:3", "rule": "9.3", "reasons": [],
            }),
        ),
        heard(
            "combat.hits",
            "combat.castiglione",
            6,
            json!({
                "side": "austrian", "hits": 2, "units": [piece("liptay", "Liptay", "austrian"), piece("schubirz", "Schubirz", "austrian")], "space": castiglione,
            }),
        ),
    ]
}

/// What is asked in the fixture.
pub fn asked_orders() -> Request {
    Request::Orders {
        phases: vec!["movement.french".into()],
        deadline: Some(deadline()),
        only_standing: false,
        when_ready: false,
    }
}

/// A question in the middle of a combat.
pub fn asked_question() -> Request {
    Request::Questions {
        list: vec![OpenQuestion {
            number: 1,
            topic: "retreat".into(),
            about: serde_json::from_value(
                json!({"space": {"space": "lonato", "name": "Lonato"}, "own": 12, "enemy": 17}),
            )
            .unwrap(),
            options: vec![
                "FIGHT".into(),
                "RETREAT TO Montichiari".into(),
                "RETREAT TO Rezzato".into(),
            ],
            otherwise: "FIGHT".into(),
        }],
        deadline: Some(deadline()),
    }
}

/// A Tuesday in a campaign's time zone.
pub fn deadline() -> Timestamp {
    "2026-11-24T19:00:00Z".parse().unwrap()
}

/// The document of a seat.
pub fn document(
    scenario: &str,
    seat: &str,
    lang: Lang,
    asked: Request,
) -> (Document, Vec<WordsError>) {
    let game = game();
    let display = display();
    let view = world(&game, scenario).seen_by(&game, seat);
    let words = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let standing = words(&[
        "RETREAT AFTER 1 IF RATIO < 0.7",
        "FORAGE ALL",
        "LOSSES SPREAD SPARE Rampon",
    ]);
    let template = words(&[
        "MOVE ALL AT Lonato: - Castiglione",
        "MOVE Guyeux, Rusca: - Gavardo FORCED",
        "COMBATS Castiglione, Gavardo",
    ]);
    let events = if scenario == "lonato" {
        events()
    } else {
        Vec::new()
    };
    let zone = TimeZone::get("Europe/Rome").unwrap();
    let roll = |label: &str, results: &[i64]| OpenRoll {
        label: label.into(),
        spec: format!("{}d6", results.len()),
        results: results.to_vec(),
    };
    Document::build(&Briefing {
        game: &game,
        display: &display,
        campaign: "castiglione-1796",
        title: "The Castiglione campaign",
        seat: &SeatId::from(seat),
        lang,
        screen: Default::default(),
        view: &view,
        phase: "movement.french",
        events: &events,
        asked,
        zone: &zone,
        standing: &standing,
        asks: &words(&["RETREAT", "EVADE"]),
        template: &template,
        dice: DiceText {
            open: vec![
                roll("t6/combat/castiglione#1", &[2]),
                roll("t6/combat/castiglione#2", &[5, 3]),
            ],
            own: vec![roll("t6/forage/valette#1", &[4])],
        },
        notices: &words(&["The deadline was moved by a day because of the holiday."]),
    })
}
