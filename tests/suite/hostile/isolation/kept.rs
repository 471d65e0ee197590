//! What is on the disk is the same wherever the rules ran, and whoever has ended their process.

use std::{
    fs,
    process::{Child, Command, Stdio},
};

use super::{children, estafette, plan, program, run, said};
use crate::support::{Test, mailserver::until, rules_that_recover_with, tree};

/// Rules that are changed, and sound: everything works as with those that ship.
#[test]
fn sound_rules_of_others_are_played_like_the_programs_own() {
    let rules = rules_that_recover_with("let others = true;");
    let own = plan("spring").begin();
    let others = plan("spring").rules(rules.path()).begin();
    for mut test in [own, others] {
        for (time, quiet) in [("13", false), ("14", false), ("15", false), ("16", true)] {
            test.clock(&format!("2026-11-21T{time}:00:00Z"));
            if !quiet {
                test.mail("french", "RIEN").mail("austrian", "NOTHING");
            }
            let output = run(&test);
            assert!(output.status.success(), "{}", said(&output));
        }
        assert_eq!(test.state().dice.envelope, 3);
        for command in [
            &["status"][..],
            &["audit"],
            &["map", "--out", "/dev/null.svg"],
        ] {
            let output = estafette(command, &test);
            let fine = output.status.success() || command[0] == "map";
            assert!(fine, "{}", said(&output));
        }
    }
}

/// Two campaigns that are the same to the last byte, with rules that are not the program's own.
fn twins(statement: &str) -> [Test; 2] {
    let rules = rules_that_recover_with(statement);
    [(); 2].map(|()| plan("spring").rules(rules.path()).begin())
}

fn hour(test: &mut Test, hour: u32) {
    test.clock(&format!("2026-11-21T{hour}:00:00Z"));
    test.mail("french", "RIEN").mail("austrian", "NOTHING");
}

#[test]
fn what_a_process_of_their_own_writes_is_the_same() {
    let [mut apart, mut here] = twins("let others = true;");
    for time in 13..17 {
        hour(&mut apart, time);
        hour(&mut here, time);
        let output = run(&apart);
        assert!(output.status.success(), "{}", said(&output));
        here.run();
        assert_eq!(tree(&apart.root()), tree(&here.root()));
    }
}

#[test]
fn a_process_that_is_killed_from_outside_loses_nothing() {
    // Time enough to be killed in.
    let [mut apart, mut here] = twins("for i in 0..2000000 { let n = i; }");
    for time in 13..17 {
        hour(&mut apart, time);
        hour(&mut here, time);
        here.run();
        let so_many = records(&apart) + 3;
        let mut host = start(&apart);
        if time == 15 {
            // One mail is done, and the recovery is being worked off with the other.
            until("an input is in work", || records(&apart) >= so_many);
            let child = children(host.id()).pop().unwrap().to_string();
            let kill = Command::new("kill").args(["-KILL", &child]).status();
            assert!(kill.unwrap().success());
        }
        assert!(host.wait().unwrap().success());
        assert_eq!(tree(&apart.root()), tree(&here.root()));
    }
}

fn start(test: &Test) -> Child {
    let mut host = program();
    host.arg("run").arg(test.root());
    let host = host.args(["--now", &test.now().to_string()]);
    host.stdout(Stdio::null()).spawn().unwrap()
}

fn records(test: &Test) -> usize {
    test.journal().split(|byte| *byte == b'\n').count()
}

#[test]
fn a_process_ends_with_the_host_that_began_it() {
    let [mut apart, _] = twins("let s = \"a\"; s.pad(10, \"\");");
    for time in 13..15 {
        hour(&mut apart, time);
        assert!(run(&apart).status.success());
    }
    hour(&mut apart, 15);
    let so_many = records(&apart) + 3;
    let mut host = start(&apart);
    until("the rules run", || records(&apart) >= so_many);
    let child = children(host.id()).pop().unwrap();
    host.kill().unwrap();
    host.wait().unwrap();
    until("the child has ended", || {
        !fs::exists(format!("/proc/{child}/exe")).unwrap_or(false)
    });
}
