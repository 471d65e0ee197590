//! A pause before a chit: what its owner is shown to write.

use crate::support::{Letter, Test};

/// The dispatch that asks for the block of a chit, drawn in the first turn in which only such chits
/// are in the cup.
fn paused(plan: &str, others: &str) -> Letter {
    let mut test = Test::campaign("novara").scenario("novara").begin();
    for seat in ["sardinian", "austrian"] {
        test.mail(seat, "NOTHING").run();
    }
    test.mail("sardinian", plan).mail("austrian", others).run();
    test.dispatch("sardinian")
}

#[test]
fn the_template_has_the_block_of_the_drawn_chit_alone() {
    let only = "GENERAL RETREAT I";
    paused("CUP 3\nPAUSE BEFORE 3", only)
        .contains("# FORMATION 3e division")
        .lacks("# FORMATION 2e division")
        .lacks("# INDÉPENDANT");
    paused("CUP NONE\nPAUSE BEFORE INDEPENDENT", only)
        .contains("# INDÉPENDANT UNITÉS ")
        .lacks("# FORMATION");
    paused("SUPREME 2 3\nPAUSE BEFORE SUPREME", only)
        .contains("# SUPRÊME 2e division, 3e division")
        .lacks("# FORMATION");
}
