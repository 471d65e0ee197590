//! Ways out for the umpire where an error has stopped a campaign: the position is changed by hand,
//! or the campaign goes back.

use std::fs;

use crate::support::{
    MOMENT_42, Plan, ROUND_42, Test, decides, is_refused, is_sound, pass, rules_that_recover_with,
    sealed_with, witness,
};
use estafette::{
    campaign::{
        self,
        model::{
            context::Context,
            events::{DiceValue, Event, Ruling},
            state::{CurrentWait, State},
        },
    },
    dice::{EntryBody, register::find_entries},
    digest::Digest,
    store::Record,
};

/// Rules whose recovery phase fails until Guillaume has two hits.
pub fn failing() -> Plan {
    let fails = r#"if piece("guillaume").hits != 2 { throw "planted"; }"#;
    let rules = rules_that_recover_with(fails);
    let plan = Test::campaign("castiglione").scenario("lonato");
    plan.rules(&rules.keep())
}

/// The change of the position, for `umpire rule`.
fn rule(test: &Test, changes: &str) -> [String; 5] {
    let file = test.root().join("change.yaml");
    fs::write(&file, changes).unwrap();
    let why = "the recovery fails without hits";
    ["rule", "--change", file.to_str().unwrap(), "--why", why].map(str::to_owned)
}

fn borrowed(action: &[String; 5]) -> [&str; 5] {
    action.each_ref().map(String::as_str)
}

/// A campaign of a plan whose recovery phase fails with "planted", stopped there.
pub fn stopped_in_recovery(plan: Plan) -> Test {
    let mut test = plan.begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "NOTHING")
        .run();
    pass(&mut test, "2026-11-21T14:00:00Z");
    pass(&mut test, "2026-11-21T15:00:00Z");
    assert!(test.state().stopped().unwrap().contains("planted"));
    test
}

#[test]
fn a_stopped_phase_runs_again_from_a_changed_position() {
    let mut test = stopped_in_recovery(failing());
    let stopped = test.state();
    assert_eq!(stopped.phase, "recovery");

    // What does not mend it leaves the campaign stopped, and the umpire is told again.
    let told = test.letters("umpire").len();
    let other = rule(&test, "pieces: {guillaume: {ooc: true}}");
    decides(&test, &borrowed(&other));
    assert!(test.state().stopped().unwrap().contains("planted"));
    assert_eq!(test.letters("umpire").len(), told + 1);

    let mends = rule(&test, "pieces: {guillaume: {hits: 2}}");
    decides(&test, &borrowed(&mends));
    let state = test.state();
    assert!(matches!(state.waiting, CurrentWait::Orders { .. }));
    assert_eq!(state.dice.envelope, stopped.dice.envelope, "the same dice");
    for seat in ["french", "austrian"] {
        test.dispatch(seat)
            .contains("\ntext after an error of the rules the umpire has changed the position by hand: the recovery fails without hits\n")
            .contains("\nsd1 spring 9 dice\n");
    }
    is_sound(&test);
    pass(&mut test, "2026-11-21T16:00:00Z");
    is_sound(&test);
}

#[test]
fn a_phase_that_waits_for_answers_is_not_changed() {
    let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
    let mut test = failing().begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("french", "RIEN")
        .mail("austrian", "ASK RETREAT\nPURSUE NEVER")
        .run();
    test.clock("2026-11-21T14:00:00Z");
    test.mail("french", attack).run();
    assert!(matches!(test.state().waiting, CurrentWait::Answers { .. }));
    let changes = rule(&test, "pieces: {guillaume: {hits: 2}}");
    is_refused(&test, &borrowed(&changes), "umpire rollback");
}

/// The next record, after the moment of round 42.
fn apply(context: &Context, state: State, event: Event) -> (State, Vec<String>) {
    let record = Record {
        n: 1,
        prev: Digest::ZERO,
        time: state.next_moment(MOMENT_42.parse().unwrap()),
        event,
        head: Digest::ZERO,
    };
    let (state, effects) = campaign::work_off(context, Some(state), &record).unwrap();
    let entries = effects.mailing.entries.iter();
    (state, entries.map(ToString::to_string).collect())
}

/// A campaign that an error stopped while its dice wait: with an input that was laid aside, as a
/// letter that can't be made would do it.
fn stopped_before_the_dice(dice: &str) -> (Context, State) {
    let test = sealed_with(dice);
    // All of it is played again: a place to go back to is not in a snapshot.
    fs::remove_dir_all(test.root().join("snapshots")).unwrap();
    let (context, mut state) = test.context();
    assert!(matches!(state.waiting, CurrentWait::Dice { .. }));
    state.waiting = CurrentWait::Repair {
        error: "the map can't be drawn".to_owned(),
        waited: Box::new(state.waiting),
        undone: true,
    };
    (context, state)
}

/// The envelope is shown with its values and the campaign goes back to the orders that it sealed.
fn goes_back(context: &Context, state: State) {
    let ruling = Ruling::Rollback {
        envelope: 1,
        why: "the map is wrong".to_owned(),
    };
    campaign::check_ruling(context, &state, &ruling, state.time).unwrap();
    let (state, entries) = apply(context, state, Event::Umpire(ruling));
    assert!(
        matches!(state.waiting, CurrentWait::Orders { .. }),
        "{:?}",
        state.waiting
    );
    let shown = find_entries(&entries.join("\n")).remove(0).unwrap();
    let EntryBody::Dice(dice) = shown.body else {
        panic!("{entries:?}");
    };
    assert_eq!((dice.envelope, dice.rolls.len()), (1, 0));
    assert!(!dice.values.is_empty());
}

#[test]
fn a_stopped_campaign_gets_its_values() {
    let (context, state) = stopped_before_the_dice("[{source: drand, margin_seconds: 60}]");
    let back = Ruling::Rollback {
        envelope: 1,
        why: "too early".to_owned(),
    };
    let refused = campaign::check_ruling(&context, &state, &back, state.time).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("a sealed envelope is always rolled")
    );
    assert!(campaign::wanted(&context, &state).unwrap().round.is_some());
    let value = Event::Value(Box::new(DiceValue {
        value: format!("drand 42 {ROUND_42}").parse().unwrap(),
        mail: None,
        orders: None,
    }));
    let (state, entries) = apply(&context, state, value);
    assert_eq!(entries, [""; 0]);
    assert!(state.stopped().is_some() && state.dice.mix.is_some());
    assert!(campaign::wanted(&context, &state).unwrap().round.is_none());
    goes_back(&context, state);

    let (context, state) = stopped_before_the_dice(&format!("[{}]", witness().1));
    let silent = Ruling::Silent {
        witness: "cleo".into(),
        why: "she is ill".to_owned(),
    };
    campaign::check_ruling(&context, &state, &silent, state.time).unwrap();
    let (state, _) = apply(&context, state, Event::Umpire(silent));
    assert!(state.stopped().is_some() && state.dice.mix.is_some());
    goes_back(&context, state);
}
