//! Rules that end the process that runs them, whatever the sandbox does: real ones, in real processes, beside a campaign of
//! somebody else's.
//!
//! Each passes the sandbox's own bounds. The memory is eaten by copies of one large map, made within the operations between two
//! looks of the sandbox; the loop copies a list at the price of an operation, so that it goes on for minutes. Of the stack no
//! script is known that overflows it: so it is made small here, and functions that call each other as deep as the sandbox lets
//! them really overflow it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
};

use crate::{
    audit,
    campaign::model::state::Waiting,
    mail::maildir::Maildir,
    support::{
        Letter, Plan, Test, change, copied_rules, decides, mail_to,
        mailserver::{host::Host, until},
        pass, rules_that_recover_with, status, tree,
    },
};
use tempfile::TempDir;

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

/// Does not return within the time of the tests.
fn loops() -> String {
    "let a = []; a.pad(4000, 1); loop { let b = a; }".to_owned()
}

/// What a rule does until Guillaume has two hits: so that the umpire can mend it.
fn until_mended(what: &str) -> String {
    format!("if piece(\"guillaume\").hits != 2 {{ {what} }}")
}

const MENDS: &str = "pieces: {guillaume: {hits: 2}}";

fn plan(name: &'static str) -> Plan {
    let plan = Test::campaign("castiglione").scenario("lonato").named(name);
    plan.settings_line("pictures: false\n")
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

/// The campaign stands still with this reason: in its status, in the umpire's newest letter, in a journal that fits.
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
    assert!(matches!(before.waiting, Waiting::Orders { .. }));
    for seat in ["french", "austrian"] {
        test.mail(seat, if seat == "french" { "RIEN" } else { "NOTHING" });
    }
    test.clock("2026-11-21T16:00:00Z");
    let output = run(test);
    assert!(output.status.success(), "{}", said(&output));
    let after = roomy(|| test.state());
    assert!(matches!(after.waiting, Waiting::Orders { .. }));
    assert!(after.dice.envelope > before.dice.envelope);
    let report = roomy(|| audit::campaign(&test.root()).unwrap());
    assert!(report.wrong.is_empty(), "{report:#?}");
}

const OVERFLOWED: &str = "overflowed the stack";
const WANTED: &str = "wanted more memory";
const ENDLESS: &str = "came to no end within 20 seconds";

/// The letters that have arrived at an address.
fn arrived(host: &Host, address: &str) -> Vec<Letter> {
    let new = host.path("out").join(address).join("new");
    let files = fs::read_dir(new).into_iter().flatten();
    let files = files.map(|file| fs::read(file.unwrap().path()).unwrap());
    files.map(|bytes| Letter::read(&bytes)).collect()
}

#[test]
fn whatever_rules_do_the_host_answers_everybody_else() {
    let mut hostile = [
        (before("stack", &overflows()), OVERFLOWED),
        (before("memory", &eats()), WANTED),
        (before("endless", &loops()), ENDLESS),
    ];
    let healthy = plan("spring").begin();
    let mut roots: Vec<PathBuf> = hostile.iter().map(|(test, _)| test.root()).collect();
    roots.push(healthy.root());
    let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
    let more = "in: [{maildir: {path: in}}]\nout: {maildir: {path: out}}\n\
                isolation: {at_once: 3, memory_mib: 512, seconds: 20}";
    let mut host = Host::new(&roots, more).with(SMALL.0, SMALL.1);
    let inbox = Maildir::at(host.path("in"));
    inbox.create().unwrap();
    host.serve();
    until("the opening letters of the healthy one", || {
        arrived(&host, "ada@example.org")
            .iter()
            .any(|letter| letter.reply_to.contains("spring"))
    });
    let letters = arrived(&host, "ada@example.org");
    let mut own = letters
        .iter()
        .filter(|letter| letter.reply_to.contains("spring"));
    let to = own.next().unwrap().reply_to.clone();
    let answered = |number: u32| {
        let id = format!("In-Reply-To: <{number}@players.example>");
        arrived(&host, "ada@example.org")
            .iter()
            .any(|letter| letter.header.contains(&id))
    };
    for number in 101..104 {
        let mail = mail_to("french", &to, &format!("RIEN\n# {number}"), number);
        inbox.put(&number.to_string(), &mail).unwrap();
        until("a receipt", || answered(number));
    }
    assert!(
        !host.log().contains(ENDLESS),
        "the endless one was not waited for"
    );
    until("all others are stopped", || {
        let log = host.log();
        hostile.iter().all(|(_, why)| log.contains(why))
    });
    let mail = mail_to("french", &to, "RIEN\n# once more", 104);
    inbox.put("104", &mail).unwrap();
    until("a receipt", || answered(104));
    assert!(host.end("TERM").0.success(), "{}", host.log());
    let told = arrived(&host, "umpire@example.org");
    for (test, why) in &mut hostile {
        let letter = told.iter().find(|letter| letter.text.contains(*why));
        is_stopped_by(test, why, letter.unwrap());
        goes_on(test);
    }
}

#[test]
fn a_pass_does_the_healthy_campaigns_first() {
    let stack = before("stack", &overflows());
    let healthy = plan("spring").begin();
    let told = healthy.letters("french").len();
    let mut healthy = healthy;
    healthy.clock("2026-11-21T15:00:00Z").mail("french", "RIEN");
    let mut command = program();
    command.arg("run").args([stack.root(), healthy.root()]);
    let output = command
        .args(["--now", "2026-11-21T15:00:00Z"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let (out, error) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        out.starts_with("spring: ") && error.contains(OVERFLOWED),
        "{}",
        said(&output)
    );
    assert_eq!(healthy.letters("french").len(), told + 1);
    is_stopped(&stack, OVERFLOWED);

    // A pass later nothing has changed: the input is not tried again.
    let records = tree(&stack.root());
    let again = run(&stack);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(tree(&stack.root()), records);
}

#[test]
fn what_had_been_acknowledged_before_is_not_lost() {
    let mut test = before("stack", &overflows());
    let state = roomy(|| test.state());
    test.mail("french", "RIEN\n# written twice");
    assert_eq!(run(&test).status.code(), Some(1));
    // The first mail of the French is taken and answered; the Austrian one, over which the rules died, is not.
    let after = roomy(|| test.state());
    assert_eq!(after.world.hash(), state.world.hash());
    assert!(!after.seats["french"].words.is_empty());
    assert!(after.seats["austrian"].words.is_empty());
    let receipts = test.letters("french");
    assert!(
        receipts
            .iter()
            .any(|letter| letter.header.contains("In-Reply-To: <"))
    );
    goes_on(&mut test);
}

/// A campaign that was played where the stack was large enough, and whose journal can't be played again in a process of
/// the host: nothing is in work, so nothing can be laid aside.
#[test]
fn a_campaign_that_ends_whatever_opens_it_is_left_alone() {
    let mut test = before("stack", &overflows());
    roomy(|| test.run());
    assert!(roomy(|| test.state()).stopped().is_none());
    let snapshots = test.root().join("snapshots");
    let kept = test.root().join("kept");
    fs::rename(&snapshots, &kept).unwrap();
    fs::create_dir(&snapshots).unwrap();
    test.clock("2026-11-21T16:00:00Z").mail("french", "RIEN");
    let journal = test.journal();

    let output = run(&test);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains(OVERFLOWED));
    let letter = test.letters("umpire").pop().unwrap();
    letter.contains(OVERFLOWED).contains("is left alone");
    let letters = test.letters("umpire").len();
    let (json, text) = status(&test);
    assert!(
        json["stopped"].as_str().unwrap().contains(OVERFLOWED),
        "{json}"
    );
    assert!(
        text.contains("STOPPED") && text.contains("When the rules end their process"),
        "{text}"
    );

    // It is not even tried again, the umpire is told once, and the mail waits.
    assert_eq!(run(&test).status.code(), Some(1));
    assert_eq!(test.letters("umpire").len(), letters);
    assert_eq!(
        fs::read_dir(test.root().join("inbox/new")).unwrap().count(),
        1
    );

    // Trying it once more helps when what was wrong is no longer so.
    let mut retry = program();
    retry.args(["umpire", "retry"]).arg(test.root());
    let again = retry
        .args(["--now", &test.now().to_string()])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
    assert_eq!(test.journal(), journal);
    fs::remove_dir_all(&snapshots).unwrap();
    fs::rename(&kept, &snapshots).unwrap();
    decides(&test, &["retry"]);
    assert!(!test.root().join("alarm").exists());
    assert!(test.journal().len() > journal.len());
    assert!(run(&test).status.success());
}

/// Copies of the rules in which this happens whenever a seat looks, or whenever a move is checked.
fn rules_with(place: &str, what: &str) -> TempDir {
    let rules = copied_rules();
    let (file, begins) = match place {
        "look" => ("castiglione/visibility.rhai", "fn look(seat) {\n"),
        _ => ("castiglione/movement.rhai", "fn check_move(order) {\n"),
    };
    change(
        &rules.path().join(file),
        begins,
        &format!("{begins}    {what}\n"),
    );
    append(&rules.path().join(file), DEEP);
    rules
}

#[test]
fn commands_over_somebody_elses_rules_tell_how_they_ended() {
    let rules = rules_with("look", &overflows());
    let rules = rules.path().to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().join("made");
    let into = into.to_str().unwrap();
    let seats = [
        "--seat",
        "french=a@example.org",
        "--seat",
        "austrian=b@example.org",
    ];
    let new = [&["new", "castiglione", "--into", into][..], &seats].concat();
    for command in [
        vec!["check", "castiglione"],
        vec!["case", "tests/cases/castiglione"],
        vec![
            "simulate",
            "castiglione",
            "--campaigns",
            "1",
            "--threads",
            "1",
        ],
        new,
    ] {
        let mut program = program();
        program
            .args(&command)
            .args(["--rules", rules])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = program.output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{command:?}: {}",
            said(&output)
        );
        assert!(
            said(&output).contains(OVERFLOWED),
            "{command:?}: {}",
            said(&output)
        );
    }
    assert!(!Path::new(into).exists());
}

#[test]
fn orders_whose_check_ends_the_process_are_laid_aside() {
    let rules = rules_with("check_move", &overflows());
    let mut test = plan("stack").rules(rules.path()).begin();
    pass(&mut test, "2026-11-21T13:00:00Z");
    let attack = "DÉPLACER Bonaparte, Massena, Rampon, Victor, Pijon : Castiglione";
    let mut command = program();
    command
        .arg("orders")
        .arg(test.root())
        .args(["--seat", "french"]);
    let asked = crate::support::fed(&mut command, attack.as_bytes());
    assert_eq!(asked.status.code(), Some(1), "{}", said(&asked));
    assert!(said(&asked).contains(OVERFLOWED), "{}", said(&asked));

    test.clock("2026-11-21T14:00:00Z").mail("french", attack);
    assert_eq!(run(&test).status.code(), Some(1));
    is_stopped(&test, OVERFLOWED);
}

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
