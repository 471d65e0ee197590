//! What campaigns of tests have in common: everybody passes, the umpire decides, all is audited.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use estafette::{
    audit::{self, Verdict, mails::mails},
    campaign::model::state::CurrentWait,
};

use super::Test;

/// Everybody who is asked for orders passes, at this moment.
#[track_caller]
pub fn pass(test: &mut Test, time: &str) {
    let CurrentWait::Orders { seats, .. } = test.state().waiting else {
        panic!("no orders are waited for");
    };
    test.clock(time);
    for seat in seats {
        let words = if seat == "french" { "RIEN" } else { "NOTHING" };
        test.mail(&seat, words);
    }
    test.run();
}

/// The audits of the directory and of what each player has come to it that all fits, and the
/// journal alone gives the same state as the work did.
#[track_caller]
pub fn is_sound(test: &Test) {
    let report = audit::campaign(&test.root()).unwrap();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    let (context, _) = test.context();
    for seat in context.settings().seats.ids() {
        mails_fit(&test.root().join("outbox").join(seat.as_str()));
    }
    is_replayed(test);
}

/// What a player has fits. Unproven is at most what an outbox can't show: when a seal came, and
/// dice before the first are thrown.
#[track_caller]
pub fn mails_fit(folder: &Path) {
    let found = mails(folder).unwrap();
    let mut unproven = found.campaigns.iter().flat_map(|report| &report.unproven);
    let of_outboxes = |line: &String| {
        let known = ["no `Received` line says when it came", "no roll is shown"];
        known.iter().any(|words| line.contains(words))
    };
    assert!(unproven.all(of_outboxes), "{found:#?}");
    assert_ne!(found.verdict(), Verdict::Wrong, "{found:#?}");
}

/// The journal alone gives the same state as the work did.
#[track_caller]
pub fn is_replayed(test: &Test) {
    let state = test.state();
    let snapshots = test.root().join("snapshots");
    fs::remove_dir_all(&snapshots).unwrap();
    fs::create_dir(&snapshots).unwrap();
    assert_eq!(test.state(), state);
}

/// What a program says and does with this on its standard input.
pub fn fed(command: &mut Command, input: &[u8]) -> Output {
    let command = command.stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that has no use for it may be over before it has read it: what it says tells more than a
    // broken pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// `estafette umpire ACTION DIR ...` at this moment, with something on standard input.
pub fn umpire_with(test: &Test, action: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.args(["umpire", action[0]]).arg(test.root());
    command.args(&action[1..]);
    command.args(["--now", &test.now().to_string()]);
    fed(&mut command, input.as_bytes())
}

/// `estafette umpire ACTION DIR ...` at this moment.
pub fn umpire(test: &Test, action: &[&str]) -> Output {
    umpire_with(test, action, "")
}

/// The umpire decides something.
#[track_caller]
pub fn decides(test: &Test, action: &[&str]) {
    let output = umpire(test, action);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
}

/// The umpire can't decide this now, for this reason, and nothing has changed.
#[track_caller]
pub fn is_refused(test: &Test, action: &[&str], why: &str) {
    let before = test.journal();
    let output = umpire(test, action);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(why), "{why}: {error}");
    assert_eq!(test.journal(), before, "nothing was written");
}

/// All that `estafette status` says, as JSON and as text.
pub fn status(test: &Test) -> (serde_json::Value, String) {
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        let command = command.arg("status").arg(test.root()).arg("--secrets");
        let output = command.args(more).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    (serde_json::from_str(&run(&["--json"])).unwrap(), run(&[]))
}
