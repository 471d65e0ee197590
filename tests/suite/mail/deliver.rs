//! `estafette deliver` behind mail servers: they know to whom a mail came where its header says
//! something else.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
};

use crate::support::mailserver::host::Host;
use crate::support::{Test, fed, mail_to};
use estafette::mail::maildir::Maildir;

const ORDERS: &str = "POURSUIVRE JAMAIS";

fn campaign() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// Orders of the French in a mail whose header tells nothing of the campaign.
fn by_a_list(number: u32) -> Vec<u8> {
    mail_to("french", "friends@example.net", ORDERS, number)
}

/// `estafette deliver` with these arguments and variables, and none of this machine's own.
fn deliver(args: &[&str], variables: &[(&str, &str)], mail: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    let command = command.arg("deliver").args(args);
    let command = command.env_clear().envs(variables.iter().copied());
    fed(command, mail)
}

fn words(test: &Test) -> String {
    test.state().seats["french"].words.clone()
}

#[test]
fn a_mail_whose_header_was_rewritten_is_known_by_its_envelope() {
    let test = campaign();
    let root = test.root().display().to_string();
    let now = test.now().to_string();
    let to = test.newest("french").reply_to;
    let local = to.split('@').next().unwrap();
    let suffix = local.strip_prefix("game").unwrap();
    let by_postfix = [
        ("ORIGINAL_RECIPIENT", to.as_str()),
        ("RECIPIENT", "game@localhost"),
        ("SENDER", "ada@example.org"),
    ];
    let by_exim = [
        ("LOCAL_PART", "game"),
        ("LOCAL_PART_SUFFIX", suffix),
        ("DOMAIN", "example.org"),
        ("RECIPIENT", "game@example.org"),
        ("SENDER", "x@y"),
    ];
    let by_dovecot = [
        ("ORIG_RECIPIENT", to.as_str()),
        ("RECIPIENT", "game"),
        ("SENDER", "ada@example.org"),
    ];
    let nobody: [(&str, &str); 0] = [];
    let option = format!("--recipient={to}");
    for (more, variables, taken) in [
        (vec![], &nobody[..], false),
        (vec![], &by_postfix[..], true),
        (vec![], &by_exim[..], true),
        (vec![], &by_dovecot[..], true),
        (vec![option.as_str()], &nobody[..], true),
        // What is named by an option wins over the environment.
        (vec!["--recipient=game@example.org"], &by_postfix[..], false),
        // Nobody answers a mail without a sender.
        (vec![option.as_str(), "--sender=<>"], &nobody[..], false),
    ] {
        let test = campaign();
        let own = test.root().display().to_string();
        let args = [&[own.as_str(), "--now", &now][..], &more].concat();
        let output = deliver(&args, variables, &by_a_list(1));
        assert!(output.status.success(), "{output:?}");
        assert_eq!(!words(&test).is_empty(), taken, "{args:?} {variables:?}");
    }
    // A kept mail is read the same later: what the server said stands in it.
    let lock = test.open();
    let output = deliver(&[root.as_str(), "--now", &now], &by_postfix, &by_a_list(1));
    assert!(output.status.success(), "{output:?}");
    drop(lock);
    assert_eq!(words(&test), "");
    let mut test = test;
    test.run();
    assert_eq!(words(&test), format!("{ORDERS}\n"));
}

#[test]
fn with_a_configuration_a_mail_finds_its_campaign() {
    let test = campaign();
    let host = Host::new(&[&test.root()], "");
    let config = host.path("estafette.yaml").display().to_string();
    let now = test.now().to_string();
    let to = test.newest("french").reply_to;
    let args = ["--config", config.as_str(), "--now", &now];
    let output = deliver(&args, &[("RECIPIENT", &to)], &by_a_list(1));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(words(&test), format!("{ORDERS}\n"));
    // A mail for nobody is put aside, and a configuration that can't be read keeps the mail with
    // its sender.
    let stranger = mail_to("Eve <eve@example.com>", "eve@example.net", "hello", 2);
    assert!(deliver(&args, &[], &stranger).status.success());
    let state = fs::read_to_string(host.path("estafette.yaml")).unwrap();
    let state = state
        .lines()
        .find_map(|line| line.strip_prefix("state: "))
        .unwrap();
    let aside = Maildir::at(host.path(state).join("aside"));
    assert_eq!(aside.unprocessed().unwrap().len(), 1);
    // A club that can't be read stops no mail for a campaign.
    let mut text = fs::read_to_string(host.path("estafette.yaml")).unwrap();
    text.push_str("club: nowhere\n");
    fs::write(host.path("estafette.yaml"), text).unwrap();
    let again = mail_to("french", "friends@example.net", "POURSUIVRE TOUJOURS", 3);
    let to = test.newest("french").reply_to;
    let output = deliver(&args, &[("RECIPIENT", &to)], &again);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(words(&test), "POURSUIVRE TOUJOURS\n");
    let nowhere = ["--config", "/nowhere/estafette.yaml"];
    assert_eq!(deliver(&nowhere, &[], &stranger).status.code(), Some(75));
    assert_eq!(deliver(&[], &[], &stranger).status.code(), Some(2));
}

/// A server that hands one mail over again before the first time is over, or four rules that match
/// the same mail.
#[test]
fn a_mail_from_many_processes_is_taken_once() {
    let mut test = campaign();
    let root = test.root().display().to_string();
    let now = test.now().to_string();
    let to = test.newest("french").reply_to;
    for round in 1..=12 {
        let words = format!("{ORDERS}\n{}", "# pourquoi\n".repeat(200));
        let mail = mail_to("french", &to, &words, round);
        let (mail, args) = (&mail, [root.as_str(), "--now", now.as_str()]);
        let outputs: Vec<Output> = thread::scope(|scope| {
            let many: Vec<_> = (0..6)
                .map(|_| scope.spawn(move || deliver(&args, &[], mail)))
                .collect();
            many.into_iter().map(|one| one.join().unwrap()).collect()
        });
        for output in outputs {
            assert!(output.status.success(), "round {round}: {output:?}");
        }
    }
    test.run();
    assert_eq!(test.records("mail").len(), 12);
    let tmp = fs::read_dir(test.root().join("inbox/tmp")).unwrap();
    assert_eq!(tmp.count(), 0);
}

fn exim() -> Option<PathBuf> {
    let places = ["/usr/sbin/exim4", "/usr/sbin/exim"].map(PathBuf::from);
    let found = places.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("SKIPPED: there is no Exim");
    }
    found
}

/// The user that Exim runs programs as: not root, and one who can write into the campaign.
fn user(folder: &Path) -> String {
    let said = |command: &mut Command| {
        let output = command.output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    if said(Command::new("id").arg("-u")) != "0" {
        return said(Command::new("id").arg("-un"));
    }
    let status = Command::new("chown")
        .args(["-R", "nobody"])
        .arg(folder)
        .status();
    assert!(status.unwrap().success());
    "nobody".to_owned()
}

#[test]
fn exim_hands_a_mail_over_with_its_suffix() {
    let Some(exim) = exim() else { return };
    let test = campaign();
    let to = test.newest("french").reply_to;
    let folder = tempfile::tempdir().unwrap();
    let (root, dir) = (test.root(), folder.path());
    // The program must be where another user can run it.
    let program = dir.join("estafette");
    fs::copy(env!("CARGO_BIN_EXE_estafette"), &program).unwrap();
    let parent = root.parent().unwrap();
    for open in [dir, parent] {
        let status = Command::new("chmod").arg("755").arg(open).status();
        assert!(status.unwrap().success());
    }
    let user = user(parent);
    user_owns(&user, dir);
    let group = Command::new("id").args(["-gn", &user]).output().unwrap();
    let group = String::from_utf8(group.stdout).unwrap().trim().to_owned();
    let config = format!(
        "exim_path = {exim}\nprimary_hostname = localhost\nspool_directory = {dir}/spool\nlog_file_path = {dir}/%slog\n\
         exim_user = {user}\nexim_group = {group}\ntrusted_users = {user}\nnever_users =\nkeep_environment =\n\
         begin routers\n\
         game:\n  driver = accept\n  local_parts = game\n  local_part_suffix = +*\n  local_part_suffix_optional\n  transport = game\n\
         begin transports\n\
         game:\n  driver = pipe\n  command = {program} deliver {root} --now {now}\n  user = {user}\n  group = {group}\n  return_output\n",
        exim = exim.display(),
        dir = dir.display(),
        program = program.display(),
        root = root.display(),
        now = test.now(),
    );
    let path = dir.join("exim.conf");
    fs::write(&path, config).unwrap();
    let mut command = Command::new(&exim);
    command.arg("-C").arg(&path);
    command.args(["-odf", "-oi", "-f", "ada@example.org", &to]);
    let output = fed(&mut command, &by_a_list(1));
    let log = fs::read_to_string(dir.join("mainlog")).unwrap_or_default();
    assert!(output.status.success(), "{output:?}\n{log}");
    assert_eq!(words(&test), format!("{ORDERS}\n"), "{log}\n{output:?}");
}

/// The recipe of the umpire's guide, with what procmail must be told: where the mail was sent, and
/// that a failure is one.
#[test]
fn procmail_hands_a_mail_over_and_keeps_one_that_is_not_taken() {
    if Command::new("procmail").arg("-v").output().is_err() {
        eprintln!("SKIPPED: there is no procmail");
        return;
    }
    let test = campaign();
    let to = test.newest("french").reply_to;
    let extension = to.split(['+', '@']).nth(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recipe = folder.path().join("recipe");
    let default = folder.path().join("default");
    let procmail = |root: &Path| {
        let text = format!(
            "SHELL=/bin/sh\nDEFAULT={default}\nEXTENSION=$1\n\n:0 w\n* ^From:.*ada@\n\
             | {program} deliver {root} --recipient \"game+$EXTENSION@example.org\" --now {now}\n\n\
             :0 e\n{{\n  EXITCODE=75\n  HOST\n}}\n",
            default = default.display(),
            program = env!("CARGO_BIN_EXE_estafette"),
            root = root.display(),
            now = test.now(),
        );
        fs::write(&recipe, text).unwrap();
        let mut command = Command::new("procmail");
        fed(command.args(["-a", extension]).arg(&recipe), &by_a_list(1))
    };
    let kept = procmail(Path::new("/nowhere"));
    assert_eq!(kept.status.code(), Some(75), "{kept:?}");
    assert!(!default.exists(), "its server keeps it, and nobody else");
    let taken = procmail(&test.root());
    assert_eq!(taken.status.code(), Some(0), "{taken:?}");
    assert_eq!(words(&test), format!("{ORDERS}\n"), "{taken:?}");
}

fn user_owns(user: &str, folder: &Path) {
    let status = Command::new("chown")
        .args(["-R", user])
        .arg(folder)
        .status();
    assert!(status.unwrap().success());
}
