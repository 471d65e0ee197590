//! Leaks planted in the rules and the data of the game, to show that they are found.

use estafette::{campaign::model::state::State, game::FactAudience};

use super::{
    super::table::{Leak, Planted, Table, differences, rule, sent},
    played,
    secrets::secrets,
    table,
};

const LEAKS: &[Planted] = &[
    Planted {
        what: "whom a seat can only count it sees",
        plant: |game| {
            rule(
                game,
                "knowledge",
                r#"count(seat, "hidden", "#,
                r#"spot(seat, others.hostile, "printed"); count(seat, "hidden", "#,
            );
        },
        secret: "where hidden units of a nation are",
    },
    Planted {
        what: "an ally far away is seen whole",
        plant: |game| {
            rule(
                game,
                "knowledge",
                r#"lacking(allied, "at", here), "printed""#,
                r#"lacking(allied, "at", here), "whole""#,
            )
        },
        secret: "losses of hidden pieces",
    },
    Planted {
        what: "everybody sees all purses",
        plant: |game| game.decl.facts.get_mut("op").unwrap().shown = FactAudience::Public,
        secret: "points of others",
    },
    Planted {
        what: "allies see each other's glory",
        plant: |game| game.decl.facts.get_mut("glory").unwrap().shown = FactAudience::Public,
        secret: "glory of others",
    },
    Planted {
        what: "who sends the spy is public",
        plant: |game| game.decl.facts.get_mut("spymaster").unwrap().shown = FactAudience::Public,
        secret: "intents of others",
    },
];

/// Returns true if somebody is sent something else when the secret changes.
fn shows(honest: &Table, leaking: &Table, start: &State, planted: &Planted) -> bool {
    let secrets = secrets();
    let secret = secrets
        .iter()
        .find(|secret| secret.name == planted.secret)
        .unwrap();
    leaking.seats().iter().any(|reader| {
        let told = |state: &State| {
            let world = leaking.look(state);
            sent(
                leaking,
                &State {
                    world,
                    ..state.clone()
                },
                reader,
                Leak::NONE,
            )
        };
        let mut state = start.clone();
        // What a seat can't know is what it could not without the leak.
        (secret.change)(honest, &mut state, reader, 1)
            && !differences(&told(start), &told(&state)).is_empty()
    })
}

#[test]
fn planted_leaks_are_found() {
    let honest = table("4", |_| {});
    let turn = played(&honest, 1, 4).pop().unwrap();
    for planted in LEAKS {
        let leaking = table("4", planted.plant);
        assert!(
            shows(&honest, &leaking, &turn.waits[0], planted),
            "not found: {}",
            planted.what
        );
    }
}
