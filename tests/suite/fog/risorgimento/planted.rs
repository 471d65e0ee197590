//! Leaks planted in the rules and the data of the game, to show that they are found.

use estafette::{campaign::model::state::State, game::FactAudience, ids::SeatId};

use super::{
    super::table::{Leak, Planted, Table, differences, rule, sent},
    FOG, letters_of_two_ways, played, secrets, table, told_apart,
};

const LEAKS: &[Planted] = &[
    Planted {
        what: "units are seen where nobody watches",
        plant: |game| rule(game, "knowledge", "if enemy.at in watched {", "if true {"),
        secret: secrets::PLACES,
    },
    Planted {
        what: "the state of units is seen where nobody watches",
        plant: |game| rule(game, "knowledge", "if enemy.at in watched {", "if true {"),
        secret: secrets::STATES,
    },
    Planted {
        what: "the plan of the Austrians is public",
        plant: |game| {
            for plan in ["plan_austrian", "plan_allied"] {
                game.decl.facts.get_mut(plan).unwrap().shown = FactAudience::Public;
            }
        },
        secret: secrets::PLANS,
    },
];

/// Returns true if somebody is sent something else when the secret changes.
fn shows(honest: &Table, leaking: &Table, start: &State, planted: &Planted) -> bool {
    let secret = secrets::named(planted.secret);
    leaking.seats().iter().any(|reader| {
        let told = |state: &State| {
            let world = leaking.look(state);
            let state = State {
                world,
                ..state.clone()
            };
            sent(leaking, &state, reader, Leak::NONE)
        };
        let mut state = start.clone();
        // What a seat can't know is what it could not without the leak.
        (secret.change)(honest, &mut state, reader, 1)
            && !differences(&told(start), &told(&state)).is_empty()
    })
}

#[test]
fn planted_leaks_are_found() {
    let honest = table("canal_bridge", FOG, |_| {});
    let turn = played(&honest, 1, 1).pop().unwrap();
    for planted in LEAKS {
        let leaking = table("canal_bridge", FOG, planted.plant);
        assert!(
            shows(&honest, &leaking, &turn.waits[0], planted),
            "not found: {}",
            planted.what
        );
    }
}

/// Reports that tell everybody of marches.
#[test]
fn a_march_that_is_told_to_everybody_is_found() {
    let leaking = table("solferino", FOG, |game| {
        let honest = "fn owners(list) {\n    if !is_foggy() { return seats(); }";
        let planted = "fn owners(list) {\n    if true { return seats(); }";
        rule(game, "command", honest, planted);
    });
    let (start, reader) = (leaking.begin(), SeatId::from("allied"));
    let letters = letters_of_two_ways(&leaking, &start, (&reader, "PASS\n"));
    assert!(!told_apart(&letters, &reader).is_empty(), "not found");
}
