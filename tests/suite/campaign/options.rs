//! The options of a question, held by the host: an answer by mail that names none of them is not
//! taken, and the question stands.

use crate::support::{ATTACK, Test, asked, set_up_with};

#[test]
fn an_answer_outside_the_options_is_told_and_asked_again() {
    let mut test = Test::campaign("castiglione").scenario("lonato").begin();
    set_up_with(&mut test, "RETREAT NEVER\nASK LOSSES\nPURSUE NEVER");
    test.mail("french", ATTACK).run();
    assert_eq!(asked(&test.state()), Some(false));
    let question = test.letters("austrian").pop().unwrap().text;
    assert!(
        question.contains("Possible: Liptay | Schubirz"),
        "{question}"
    );
    test.clock("2026-11-21T15:30:00Z");
    test.mail("austrian", "1: Spiegel").run();
    let receipt = test.letters("austrian").pop().unwrap().text;
    let told = "Spiegel is not one of the options: Liptay, Schubirz.";
    assert!(receipt.contains(told), "{receipt}");
    assert_eq!(asked(&test.state()), Some(false));
    test.clock("2026-11-21T15:40:00Z");
    test.mail("austrian", "1: Schubirz, Liptay").run();
    let dispatch = test.letters("austrian").pop().unwrap().text;
    let taken = "Schubirz takes 1 hit, 1 in all.\n  - Liptay takes 1 hit, 2 in all.";
    assert!(dispatch.contains(taken), "{dispatch}");
}
