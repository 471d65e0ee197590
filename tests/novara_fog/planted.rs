//! Leaks in the rules and the data of the game, to show that they are found.

use estafette::game::{Audience, Game};

use crate::table::Trial;

/// A leak in the rules or the data of the game.
pub struct Planted {
    /// What leaks.
    pub what: &'static str,
    /// How.
    pub plant: fn(&mut Game),
    /// The secret that shows.
    pub secret: &'static str,
    /// Where: in what could be sent, or in the letters of what follows.
    pub shows: &'static [&'static str],
    pub follows: Option<Trial>,
}

/// What could be sent of a position in words, and that with the map.
const IN_WORDS: &[&str] = &[
    "the view after a fresh look",
    "the document",
    "the text",
    "the page",
];
pub const EVERYWHERE: &[&str] = &[
    "the view after a fresh look",
    "the document",
    "the text",
    "the page",
    "the map",
];

pub const PLANTED: &[Planted] = &[
    Planted {
        what: "dummies are not counted",
        plant: |game| {
            rule(
                game,
                "visibility",
                "stack.len()",
                r#"stack.filter(|one| one.kind != "dummy").len()"#,
            )
        },
        secret: "a dummy for a hidden unit",
        shows: IN_WORDS,
        follows: None,
    },
    Planted {
        what: "masks are seen from afar",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#"spot(seat, lacking(far, "built", "")"#,
                r#"spot(seat, lacking(far, "built", "") + having(far, "kind", "mask")"#,
            )
        },
        secret: "a mask for a hidden unit alone",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "the letters of masks are seen",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#"spot(seat, lacking(far, "built", "")"#,
                r#"spot(seat, lacking(far, "built", "") + having(far, "kind", "mask")"#,
            )
        },
        secret: "the letter of a mask",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "whom nobody sees is seen whole",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#""built", ""), "printed""#,
                r#""captor", "nobody"), "whole""#,
            )
        },
        secret: "levels lost of units not seen",
        shows: EVERYWHERE,
        follows: None,
    },
    Planted {
        what: "a mask is no enemy to a receipt",
        plant: |game| {
            rule(
                game,
                "visibility",
                "places(hidden)",
                r#"places(lacking(hidden, "kind", "mask"))"#,
            )
        },
        secret: "a mask for a hidden unit alone",
        shows: &["what is said to"],
        follows: None,
    },
    Planted {
        what: "the order form names whom nobody sees",
        plant: |game| {
            rule(
                game,
                "visibility",
                r#""built", ""), "printed""#,
                r#""captor", "nobody"), "printed""#,
            );
            rule(
                game,
                "activation",
                "    [line]
",
                "    [line] + pieces(enemy_of(side)).map(|one| `# ${one.id} at ${one.at}`)
",
            );
        },
        secret: "hidden units exchanged",
        shows: &["the template"],
        follows: None,
    },
    Planted {
        what: "the box of masked units is open",
        plant: |game| game.decl.boxes["masked"].shown = Audience::Public,
        secret: "a hidden unit for a mask",
        shows: IN_WORDS,
        follows: None,
    },
    Planted {
        what: "the cup is open",
        plant: |game| game.decl.facts["cup"].shown = Audience::Public,
        secret: "plans, pauses, the cup and its order",
        shows: &["the view after a fresh look"],
        follows: None,
    },
    Planted {
        what: "all hear who is out of supply",
        plant: |game| {
            rule(
                game,
                "supply",
                r#"tell(seat_of(side), "supply"#,
                r#"tell("all", "supply"#,
            )
        },
        secret: "units not seen that are out of supply",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "all hear who rallies",
        plant: |game| {
            rule(
                game,
                "supply",
                r#"tell(seat_of(side), "unit.rallied""#,
                r#"tell("all", "unit.rallied""#,
            )
        },
        secret: "shaken units not seen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "all hear who recovers",
        plant: |game| {
            rule(
                game,
                "recovery",
                r#"tell(seat_of(owner_of(unit)), "#,
                r#"tell("all", "#,
            )
        },
        secret: "levels lost of units not seen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::Supply),
    },
    Planted {
        what: "standing orders of the other side are told",
        plant: |game| {
            let tells = r#"for seat in seats() { if !told(seat, "retreat").is_empty() && told(seat, "retreat")[0].policy == "max" { announce_turn(); } }"#;
            rule(
                game,
                "sequence",
                "if turn() >= last_turn()",
                &format!("{tells} if turn() >= last_turn()"),
            );
        },
        secret: "standing orders for what does not happen",
        shows: &["the dispatch: text", "the dispatch: page"],
        follows: Some(Trial::QuietTurn),
    },
];

/// Changes a rule, which must be there.
fn rule(game: &mut Game, file: &str, from: &str, to: &str) {
    let name = format!("novara/{file}.rhai");
    let (_, text) = game
        .scripts
        .iter_mut()
        .find(|(path, _)| *path == name)
        .unwrap();
    assert!(text.contains(from), "`{from}` is not in {name}");
    *text = text.replace(from, to);
}
