//! Leaks planted in the rules and the data of the game, to show that they are found.

use estafette::{
    campaign::model::state::State,
    game::{FactAudience, Game},
};

use super::{
    super::table::{Leak, Table, differences, rule, sent},
    FOG, played, secrets, table,
};

/// A leak, and the secret that it shows.
struct Planted {
    what: &'static str,
    plant: fn(&mut Game),
    secret: &'static str,
}

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
#[ignore = "takes minutes where scripts run unoptimised; not yet seen to pass"]
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
