//! A campaign that began before letters were bound whole goes on as it began: its register keeps
//! its form, and its audit fits.

use std::fs;

use estafette::{
    audit::{Verdict, mails::mails},
    campaign::{
        self, durable,
        model::events::{Creation, Event},
    },
    dice::{Form, Receipt},
};

use crate::support::{ATTACK, Test, asked, is_sound, set_up_with};

/// The campaign as a version before this one made it: nothing of it names a form.
fn began_before(test: &Test) {
    let (directory, context, _) = durable::look(&test.root()).unwrap();
    for folder in ["outbox", "snapshots"] {
        fs::remove_dir_all(test.root().join(folder)).unwrap();
    }
    fs::remove_file(test.root().join("journal.jsonl")).unwrap();
    let rules = directory.pinned().unwrap().digest();
    let created = Creation {
        form: Form::Texts,
        ..context.created(rules).unwrap()
    };
    let mut journal = directory.new_journal().unwrap();
    let event = Event::Created(Box::new(created));
    let record = journal.append(test.now(), event).unwrap();
    let (state, effects) = campaign::work_off(&context, None, &record).unwrap();
    for letter in &effects.mailing.letters {
        let outbox = directory.outbox(&letter.to.address_name());
        outbox.create().unwrap();
        let bytes = letter.bytes().unwrap();
        outbox.put(&letter.message_id, &bytes).unwrap();
    }
    let done = Event::Done(Box::new(campaign::done(&state, &effects)));
    journal.append(record.time, done).unwrap();
}

#[test]
fn a_campaign_of_the_first_form_goes_on_as_it_began() {
    let plan = Test::campaign("castiglione")
        .scenario("lonato")
        .questions(3);
    let mut test = plan.begin();
    began_before(&test);
    set_up_with(&mut test, "ASK RETREAT\nPURSUE NEVER");
    test.mail("french", ATTACK).run();
    assert_eq!(asked(&test.state()), Some(false));
    test.clock("2026-11-21T16:00:00Z");
    test.mail("austrian", "1: FIGHT").run();
    assert_eq!(test.state().form, Form::Texts);
    let journal = String::from_utf8(test.journal()).unwrap();
    for new in ["form", "bound", "pictures\":[", "bind letters/", "answer 2"] {
        assert!(
            !journal.contains(&format!("\"{new}")) && !journal.contains(&format!("\\n{new} ")),
            "{new}"
        );
    }
    let mut receipts = 0;
    for letter in test.letters("austrian") {
        for line in letter.text.lines() {
            assert!(
                !line.starts_with("letter ") && !line.starts_with("form "),
                "{line}"
            );
            if let Ok(receipt) = line.parse::<Receipt>() {
                assert_eq!(receipt.letter, None);
                receipts += 1;
            }
        }
    }
    assert!(receipts >= 2);
    is_sound(&test);
    let outbox = test.root().join("outbox/austrian");
    let found = mails(&outbox).unwrap();
    assert_ne!(found.verdict(), Verdict::Wrong, "{found:#?}");
    let unchecked = &found.campaigns[0].unchecked;
    assert!(
        unchecked.iter().any(|line| line.contains("first form")),
        "{unchecked:#?}"
    );
}
