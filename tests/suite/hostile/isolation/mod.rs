//! Rules that end the process that runs them, whatever the sandbox does: real ones, in real
//! processes, beside a campaign of somebody else's.
//!
//! Each passes the sandbox's own bounds. The memory is eaten by copies of one large map, made
//! within the operations between two looks of the sandbox. One function of Rhai's really never
//! returns, so that the sandbox gets no look at all. Of the stack no script is known that overflows
//! it: so it is made small here, and functions that call each other as deep as the sandbox lets
//! them really overflow it.

mod bots;
mod commands;
mod host;
mod kept;
mod lock;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    thread,
};

use estafette::{audit, campaign::model::state::CurrentWait};

use crate::support::{Letter, Plan, Test, decides, pass, rules_that_recover_with, status};

/// The stack on which [`overflows`] does so, and sound rules don't.
const SMALL: (&str, &str) = ("ESTAFETTE_STACK_KIB", "384");

/// Overflows a small stack.
fn overflows() -> String {
    "deep(40);".to_owned()
}

/// What it calls: each call stands within many lists.
const DEEP: &str = "\nfn deep(n) {\n    if n == 0 { 0 } else { \
                    [[[[[[[[[[[[[[1 + deep(n - 1)]]]]]]]]]]]]]][0][0][0][0][0][0][0][0][0][0][0][0][0][0] }\n}\n";

/// Wants gigabytes before anybody looks.
fn eats() -> String {
    let copies: String = (0..40).map(|n| format!("let m{n} = m; ")).collect();
    format!(
        "let a = []; a.pad(4000, 1); let m = #{{}}; for i in 0..2500 {{ m[`k${{i}}`] = a; }} {copies}"
    )
}

/// Never returns: a text to which nothing is added never gets long enough.
fn loops() -> String {
    "let s = \"a\"; s.pad(10, \"\");".to_owned()
}

/// What a rule does until Guillaume has two hits: so that the umpire can mend it.
fn until_mended(what: &str) -> String {
    format!("if piece(\"guillaume\").hits != 2 {{ {what} }}")
}

const MENDS: &str = "pieces: {guillaume: {hits: 2}}";

fn plan(name: &'static str) -> Plan {
    Test::campaign("castiglione").scenario("lonato").named(name)
}

/// Does something of which a small stack may be too little, in this process.
fn roomy<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(256 << 20);
        let thread = thread.spawn_scoped(scope, work).unwrap();
        match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// A campaign whose next pass runs the recovery phase, which does this: the mails lie in its inbox.
fn before(name: &'static str, what: &str) -> Test {
    let rules = rules_that_recover_with(&until_mended(what));
    append(&rules.path().join("castiglione/recovery.rhai"), DEEP);
    roomy(|| {
        let mut test = plan(name).rules(rules.path()).begin();
        pass(&mut test, "2026-11-21T13:00:00Z");
        pass(&mut test, "2026-11-21T14:00:00Z");
        test.clock("2026-11-21T15:00:00Z");
        test.mail("french", "RIEN").mail("austrian", "NOTHING");
        test
    })
}

fn append(file: &Path, text: &str) {
    let whole = fs::read_to_string(file).unwrap() + text;
    fs::write(file, whole).unwrap();
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    command.env(SMALL.0, SMALL.1);
    command
}

fn estafette(arguments: &[&str], test: &Test) -> Output {
    let mut command = program();
    command.arg(arguments[0]).arg(test.root());
    command.args(&arguments[1..]).output().unwrap()
}

fn run(test: &Test) -> Output {
    estafette(&["run", "--now", &test.now().to_string()], test)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The campaign stands still with this reason: in its status, in the umpire's newest letter, in a
/// journal that fits.
#[track_caller]
fn is_stopped(test: &Test, why: &str) {
    let letter = test.letters("umpire").pop().unwrap();
    is_stopped_by(test, why, &letter);
}

#[track_caller]
fn is_stopped_by(test: &Test, why: &str, letter: &Letter) {
    let (json, text) = status(test);
    let error = json["waiting"]["error"].as_str().unwrap_or_default();
    assert!(error.contains(why), "{json}");
    assert!(text.contains("STOPPED") && text.contains(why), "{text}");
    assert!(letter.text.contains(why), "{}", letter.text);
    let report = roomy(|| audit::campaign(&test.root()).unwrap());
    assert!(report.wrong.is_empty(), "{report:#?}");
    let left_out = report.unproven.join("\n");
    assert!(
        left_out.contains("was laid aside by the host"),
        "{left_out}"
    );
}

/// The umpire changes the position, and the campaign goes on with orders that are sent anew.
fn goes_on(test: &mut Test) {
    let file = test.root().join("change.yaml");
    fs::write(&file, MENDS).unwrap();
    let why = "the recovery fails without hits";
    decides(
        test,
        &["rule", "--change", file.to_str().unwrap(), "--why", why],
    );
    let before = roomy(|| test.state());
    assert!(matches!(before.waiting, CurrentWait::Orders { .. }));
    for seat in ["french", "austrian"] {
        test.mail(seat, if seat == "french" { "RIEN" } else { "NOTHING" });
    }
    test.clock("2026-11-21T16:00:00Z");
    let output = run(test);
    assert!(output.status.success(), "{}", said(&output));
    let after = roomy(|| test.state());
    assert!(matches!(after.waiting, CurrentWait::Orders { .. }));
    assert!(after.dice.envelope > before.dice.envelope);
    let report = roomy(|| audit::campaign(&test.root()).unwrap());
    assert!(report.wrong.is_empty(), "{report:#?}");
}

const OVERFLOWED: &str = "overflowed the stack";
/// With no more memory than a script may use, the process is ended before the sandbox looks.
const WANTED: &str = "wanted more memory";
/// Else either may come first.
const TOO_MUCH: &str = "memory";
const ENDLESS: &str = "came to no end within 20 seconds";

/// The processes that a process has begun and that are still there.
fn children(of: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").unwrap();
    let all = all.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
    let is_child = |process: &u32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // Its name, which stands in brackets, may hold anything.
        let after = stat.rsplit_once(") ").map(|(_, after)| after);
        after.and_then(|after| after.split(' ').nth(1)) == Some(&of.to_string())
    };
    all.filter(is_child).collect()
}
