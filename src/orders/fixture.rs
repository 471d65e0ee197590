//! A small game for the tests of this module.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeMap;

use super::{Expect, Grammar, QuestionForm, Reading, Vocabulary, read};
use crate::{
    game::{Forces, Game, GameDecl, Lang, Map, MapIndex, Visibility},
    ids::PlaceId,
    world::{SightingTime, World},
};

const DECL: &str = include_str!("fixture/game.yaml");
const MAP: &str = include_str!("fixture/map.yaml");
const FORCES: &str = include_str!("fixture/forces.yaml");

/// The game, its language with every option on, and what the seat `north` knows.
pub struct OrderTable {
    pub game: Game,
    pub grammar: Grammar,
    pub names: Vocabulary,
    pub questions: Vec<QuestionForm>,
}

const OPEN_DECL: &str = include_str!("fixture/open/game.yaml");
const OPEN_MAP: &str = include_str!("fixture/open/map.yaml");

pub fn game() -> Game {
    of_files(DECL, MAP, FORCES)
}

fn of_files(decl: &str, map: &str, forces: &str) -> Game {
    Game {
        decl: serde_yaml::from_str::<GameDecl>(decl).unwrap(),
        map: MapIndex::new(serde_yaml::from_str::<Map>(map).unwrap()),
        forces: serde_yaml::from_str::<Forces>(forces).unwrap(),
        tables: Default::default(),
        scenarios: Default::default(),
        theatre: None,
        theatres: Default::default(),
        text: BTreeMap::new(),
        scripts: Vec::new(),
        checklist: Vec::new(),
        digest: crate::digest::Digest::ZERO,
    }
}

pub fn options(fog: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("fog".to_owned(), fog.to_owned())])
}

/// North has seen Greta of the South, and nobody else of her side.
pub fn world(game: &Game) -> World {
    let mut world = World::empty(game);
    for piece in &game.forces.pieces {
        world.put(&piece.id, &PlaceId::from("mill"));
    }
    let seen = SightingTime {
        turn: 1,
        phase: "movement".into(),
    };
    let (seat, piece) = ("north".into(), "greta".into());
    world.spot(game, &seat, &piece, Visibility::Printed, seen);
    world
}

impl OrderTable {
    pub fn new(lang: Lang) -> Self {
        let game = game();
        let view = world(&game).seen_by(&game, "north");
        Self {
            grammar: Grammar::new(&game.decl, &options("on")).unwrap(),
            names: Vocabulary::of_view(&game, &view, lang),
            questions: vec![
                QuestionForm::new(1, "retreat"),
                QuestionForm::new(2, "march"),
            ],
            game,
        }
    }

    /// A game whose orders begin with places, as the seat `north` writes them in the phase `moves`.
    pub fn open(lang: Lang) -> Self {
        let game = of_files(OPEN_DECL, OPEN_MAP, "{}");
        let view = World::empty(&game).seen_by(&game, "north");
        Self {
            grammar: Grammar::new(&game.decl, &BTreeMap::new()).unwrap(),
            names: Vocabulary::of_view(&game, &view, lang),
            questions: Vec::new(),
            game,
        }
    }

    pub fn read(&self, text: &str) -> Reading {
        self.read_in(text, &["movement.north"], Lang::En)
    }

    pub fn read_in(&self, text: &str, phases: &[&str], lang: Lang) -> Reading {
        let expect = Expect {
            phases,
            questions: &self.questions,
            lang,
        };
        read(&self.grammar, &self.names, &expect, text)
    }
}
