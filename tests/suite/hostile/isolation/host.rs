//! Many campaigns in one process, or in one pass: one whose rules end their process harms no other.

use std::{
    fs,
    path::{Path, PathBuf},
};

use estafette::mail::maildir::Maildir;

use super::{
    ENDLESS, OVERFLOWED, SMALL, TOO_MUCH, WANTED, before, children, eats, goes_on, is_stopped,
    is_stopped_by, loops, overflows, plan, program, roomy, run, said,
};
use crate::support::{
    Letter, decides, mail_to,
    mailserver::{host::Host, until},
    status, tree,
};

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
                isolation: {at_once: 3, memory_mib: 256, seconds: 20}";
    let mut host = Host::new(&roots, more).with(SMALL.0, SMALL.1);
    host = host.with("ESTAFETTE_SMTP", "a password");
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
    // What the host's environment holds for the mailboxes, rules of others have no use for.
    // One that has just ended has no environment any more.
    let environments: Vec<String> = children(host.id())
        .into_iter()
        .filter_map(|child| fs::read_to_string(format!("/proc/{child}/environ")).ok())
        .collect();
    assert!(
        environments.iter().any(|all| all.contains(SMALL.0)),
        "the endless one"
    );
    assert!(!environments.concat().contains("password"));
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
    let memory = before("memory", &eats());
    let healthy = plan("spring").begin();
    let told = healthy.letters("french").len();
    let mut healthy = healthy;
    healthy.clock("2026-11-21T15:00:00Z").mail("french", "RIEN");
    let mut command = program();
    command
        .arg("run")
        .args([stack.root(), memory.root(), healthy.root()]);
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
        out.starts_with("spring: ") && error.contains(OVERFLOWED) && error.contains(TOO_MUCH),
        "{}",
        said(&output)
    );
    assert_eq!(healthy.letters("french").len(), told + 1);
    is_stopped(&stack, OVERFLOWED);
    is_stopped(&memory, TOO_MUCH);

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
    // The first mail of the French is taken and answered; the Austrian one, over which the rules
    // died, is not.
    let after = roomy(|| test.state());
    assert_eq!(after.world.digest(), state.world.digest());
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

/// A campaign that was played where the stack was large enough, and whose journal can't be played
/// again in a process of the host: nothing is in work, so nothing can be laid aside.
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
