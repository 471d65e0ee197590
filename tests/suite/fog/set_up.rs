//! Fog before the first turn: however the other side is set up, a seat is sent the same as long as
//! it may see the same.
//!
//! A scenario is played twice up to its first orders. The second time an enemy unit stands
//! elsewhere in the scenario, and the enemy's orders for the set-up bring about what they brought
//! about the first time: the same numbers of pieces in the same places, but other units under
//! masks, a dummy for a true counter. Every letter to the reader, from the opening on, and all that
//! it could be sent at each wait must be the same.

use estafette::{
    campaign::{
        self,
        model::state::{CurrentWait, State},
        post::Letter,
    },
    game::Game,
    ids::SeatId,
};

use crate::fog::castiglione;
use crate::fog::{
    novara_secrets::NOVARA,
    table::{
        CASTIGLIONE, Leak, Options, Own, Sent, Table, differences, letters_of, rule, sent,
        silent_witness,
    },
};

/// The phases of a set-up that wait for orders, without what stands behind the dot.
const SET_UP: &[&str] = &["boxes", "deploy", "setup"];

/// Two ways in which the enemy of a reader is set up.
struct Ways {
    own: &'static Own,
    scenario: &'static str,
    options: Options<'static>,
    reader: &'static str,
    /// An enemy piece, and where it stands in the second scenario.
    elsewhere: Option<(&'static str, &'static str)>,
    /// What the enemy orders, the first and the second time, beside `PLACE` lines that leave him
    /// where the first scenario has him.
    orders: [&'static str; 2],
}

/// Whole campaigns of the second game, where units are placed.
const CAMPAIGNS: &[(&str, Options<'_>)] = &[
    ("campaign", &[]),
    ("ramorino", &[]),
    ("campaign", &[("dummies", "on")]),
    ("campaign", &[("sixth_division", "on")]),
    ("campaign", &[("pauses", "all")]),
    ("campaign", &[("questions_per_turn", "3")]),
    ("campaign", &[("hypothetical", "on")]),
];

const MASKS: Options<'_> = &[("masks", "on")];

/// All together but the hypothetical deployment, which has other zones.
const ALL: Options<'_> = &[
    ("dummies", "on"),
    ("masks", "on"),
    ("sixth_division", "on"),
    ("pauses", "all"),
    ("questions_per_turn", "3"),
];

/// In which units are placed anew, and stand under masks: a unit that the scenario has elsewhere,
/// and masks.
const PLACED: &[(&str, (&str, &str), [&str; 2])] = &[
    (
        "austrian",
        ("s_art1b", "2220"),
        [
            "MASK A HOLDS 5AOS AT 2220\nMASK B HOLDS 10REG AT 2219\n",
            "MASK A HOLDS 10REG AT 2220\nMASK B HOLDS 5AOS AT 2219\n",
        ],
    ),
    (
        "sardinian",
        ("a_art2h", "5941"),
        [
            "MASK A HOLDS VV AT 5941\nMASK B HOLDS IR21 AT 6040\n",
            "MASK A HOLDS IR21 AT 5941\nMASK B HOLDS VV AT 6040\n",
        ],
    ),
];

/// In which a whole formation of a fixed set-up stands under a mask.
const FIXED: &[(&str, &str, (&str, &str), &str)] = &[
    (
        "la_sforzesca",
        "austrian",
        ("s_art2b", "3929"),
        "MASK A HOLDS 2 AT 3929\n",
    ),
    (
        "la_sforzesca",
        "sardinian",
        ("a_fj10", "4340"),
        "MASK A HOLDS I AT 4340\n",
    ),
    (
        "mortara",
        "austrian",
        ("s_10reg", "2833"),
        "MASK A HOLDS 1 AT 2833\n",
    ),
    (
        "mortara",
        "sardinian",
        ("a_vv", "4240"),
        "MASK A HOLDS II AT 4240\n",
    ),
    (
        "novara",
        "austrian",
        ("s_art2b", "1910"),
        "MASK A HOLDS 2 AT 1910\n",
    ),
    (
        "novara",
        "sardinian",
        ("a_art2h", "2116"),
        "MASK A HOLDS II AT 2116\n",
    ),
];

/// All ways of the second game.
fn of_novara() -> Vec<Ways> {
    let ways = |scenario, options, reader, elsewhere, orders| Ways {
        own: &NOVARA,
        scenario,
        options,
        reader,
        elsewhere,
        orders,
    };
    let mut all = Vec::new();
    for (reader, elsewhere, masks) in PLACED {
        for (scenario, options) in CAMPAIGNS {
            all.push(ways(scenario, options, reader, Some(*elsewhere), [""; 2]));
        }
        for (scenario, options) in [("campaign", MASKS), ("campaign", ALL), ("ramorino", ALL)] {
            all.push(ways(scenario, options, reader, Some(*elsewhere), *masks));
        }
    }
    for (scenario, reader, elsewhere, mask) in FIXED {
        all.push(ways(scenario, MASKS, reader, Some(*elsewhere), [mask; 2]));
    }
    let losses = ["REDUCE 5AOS 6AOS\n", "REDUCE 9REG 10REG\n"];
    all.push(ways("novara", &[], "austrian", None, losses));
    all
}

/// All ways of the first game: which of the counters of two areas is false.
fn of_castiglione() -> Vec<Ways> {
    let dummies = [
        (
            "campaign",
            "austrian",
            ("cervoni", "legnago"),
            ["DUMMY 1 AT Legnago\n", "DUMMY 1 AT Zevio\n"],
        ),
        (
            "campaign",
            "french",
            ("spork", "vestone"),
            ["DUMMY 1 AT Vestone\n", "DUMMY 1 AT Anfo\n"],
        ),
        (
            "lonato",
            "austrian",
            ("charton", "peschiera"),
            ["DUMMY 1 AT Peschiera\n", "DUMMY 1 AT Marcaria\n"],
        ),
    ];
    let options: [Options<'_>; 2] = [&[("fog", "on")], castiglione::ALL];
    let ways = dummies
        .into_iter()
        .flat_map(|(scenario, reader, elsewhere, orders)| {
            options.map(|options| Ways {
                own: &CASTIGLIONE,
                scenario,
                options,
                reader,
                elsewhere: Some(elsewhere),
                orders,
            })
        });
    ways.collect()
}

impl Ways {
    /// What the reader is sent differently; `leak` changes the game.
    fn told(&self, leak: impl Fn(&mut Game) + Copy) -> String {
        let table = |change: &dyn Fn(&mut Game)| {
            Table::of(
                self.own,
                self.scenario,
                self.options,
                silent_witness,
                |game| {
                    leak(game);
                    change(game);
                },
            )
        };
        let mut placed = Vec::new();
        let first = self.sent(&table(&|_| {}), |table, state, seat| {
            let lines = table.places(state, seat);
            let words = table.in_language(state, seat, &lines).join("\n") + "\n" + self.orders[0];
            placed.push(lines);
            words
        });
        let mut placed = placed.into_iter();
        let second = self.sent(
            &table(&|game| self.move_elsewhere(game)),
            |table, state, seat| {
                let lines = placed.next().unwrap();
                table.in_language(state, seat, &lines).join("\n") + "\n" + self.orders[1]
            },
        );
        let found = differences(&first, &second);
        let label = format!("{} {:?}, as {}", self.scenario, self.options, self.reader);
        let found = found.iter().map(|one| format!("{label}: {one}\n"));
        found.collect()
    }

    fn move_elsewhere(&self, game: &mut Game) {
        let Some((piece, to)) = self.elsewhere else {
            return;
        };
        let scenario = game.scenarios.get_mut(self.scenario).unwrap();
        for pieces in scenario.positions.values_mut() {
            pieces.retain(|other| other.as_str() != piece);
        }
        scenario.positions[to].push(piece.into());
    }

    /// Everything that the reader is sent until the first orders of a turn are wanted, and could be
    /// sent in between.
    fn sent(
        &self,
        table: &Table,
        mut enemy: impl FnMut(&Table, &State, &SeatId) -> String,
    ) -> Vec<Sent> {
        let reader = SeatId::from(self.reader);
        let told = |letters: &[Letter]| letters_of("the dispatch", letters, &reader, Leak::NONE);
        let (mut state, letters) = table.begin_with_letters();
        let mut all = told(&letters);
        loop {
            all.extend(sent(table, &state, &reader, Leak::NONE));
            let CurrentWait::Orders { seats, phase, .. } = state.waiting.clone() else {
                panic!("{:?}", state.waiting);
            };
            if !SET_UP.contains(&phase.as_str()) {
                return all;
            }
            for seat in seats {
                let words = if seat == reader || phase == "boxes" {
                    "NOTHING\n".to_owned()
                } else {
                    enemy(table, &state, &seat)
                };
                let moment = campaign::moment(&table.context, &state, &seat);
                let read = campaign::understand(&table.context, &moment, &seat, &words).unwrap();
                assert!(read.is_clean(), "{words}");
                let mail = table.mail(&state, &seat, &words);
                let (next, effects) = table.apply(state, mail);

                all.extend(told(&effects.mailing.letters));
                state = next;
            }
        }
    }
}

impl Table {
    /// Lines that leave the units of a seat where they stand, if it may place them.
    fn places(&self, state: &State, seat: &SeatId) -> Vec<String> {
        self.proposed(state, seat, "template_place")
    }
}

#[test]
fn an_enemy_who_sets_up_changes_no_letter() {
    let found: String = of_novara().iter().map(|ways| ways.told(|_| {})).collect();
    assert!(found.is_empty(), "{found}");
    let leak = |game: &mut Game| {
        let line = r#"    if enemy in fact("setting_up") { return; }"#;
        rule(game, "visibility", line, "");
    };
    assert!(!of_novara()[0].told(leak).is_empty(), "a leak is not found");
}

#[test]
fn counters_face_down_tell_no_dummies() {
    let found: String = of_castiglione()
        .iter()
        .map(|ways| ways.told(|_| {}))
        .collect();
    assert!(found.is_empty(), "{found}");
    let leak = |game: &mut Game| {
        let line = r#"    if fact("setting_up") { return; }"#;
        rule(game, "fog", line, "");
    };
    assert!(
        !of_castiglione()[0].told(leak).is_empty(),
        "a leak is not found"
    );
}
