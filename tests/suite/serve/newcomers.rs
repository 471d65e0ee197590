//! Campaigns that are made while a host runs.
#![cfg(unix)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::mailserver::{
    host::{Host, journal},
    until,
};
use crate::support::{Test, mail_to};
use estafette::{
    mail::maildir::Maildir,
    serve::{
        Roster,
        known::{KnownNames, Lookout, sort_again},
    },
};

fn campaign(name: &'static str) -> Test {
    Test::campaign("castiglione")
        .scenario("lonato")
        .named(name)
        .begin()
}

fn mail(test: &Test, number: u32) -> Vec<u8> {
    let to = test.newest("french").reply_to;
    mail_to("french", &to, "RIEN", number)
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).into_iter().flatten().count()
}

/// Starts a host with an empty folder of campaigns, and a Maildir that it reads.
fn serve(host: &mut Host) -> (PathBuf, Maildir) {
    let campaigns = host.path("campaigns");
    fs::create_dir(&campaigns).unwrap();
    let source = Maildir::at(host.path("in"));
    source.create().unwrap();
    host.serve();
    (campaigns, source)
}

#[test]
fn a_campaign_that_is_made_meanwhile_is_served() {
    let (old, new) = (campaign("spring"), campaign("autumn"));
    let mut host = Host::new(
        &[&old.root(), Path::new("campaigns/*")],
        "in: [{maildir: {path: in}}]",
    );
    let (campaigns, source) = serve(&mut host);
    // Mails for it that come before it is known are put aside.
    source.put("000001", &mail(&new, 1)).unwrap();
    let aside = host.path("state/aside");
    until("a mail put aside", || files(&aside.join("new")) == 1);
    let doctor = |more: &[&Path]| {
        let output = host.command("doctor").args(more).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let unknown = "autumn: the running host does not know it";
    assert!(doctor(&[&new.root()]).contains(unknown));
    assert!(!doctor(&[]).contains("does not know"));

    let root = campaigns.join("autumn");
    fs::rename(new.root(), &root).unwrap();
    until("its mail is taken", || {
        journal(&root) == ["1@players.example"]
    });
    assert_eq!(
        (files(&aside.join("new")), files(&aside.join("cur"))),
        (0, 0)
    );
    assert!(!doctor(&[]).contains("does not know"));
    // It and the other go on.
    source.put("000002", &mail(&old, 2)).unwrap();
    until("a mail of the other", || {
        journal(&old.root()) == ["2@players.example"]
    });
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{status}: {}", host.log());
    assert!(!host.log().contains("ERROR"), "{}", host.log());
}

#[test]
fn a_host_begins_before_there_is_a_campaign() {
    let new = campaign("autumn");
    let mut host = Host::new(&[Path::new("campaigns/*")], "in: [{maildir: {path: in}}]");
    let (campaigns, source) = serve(&mut host);
    source.put("000001", &mail(&new, 1)).unwrap();
    until("a mail put aside", || {
        files(&host.path("state/aside/new")) == 1
    });
    let output = host.command("doctor").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("there is no campaign yet"), "{said}");
    assert!(output.status.success(), "{said}");
    let root = campaigns.join("autumn");
    fs::rename(new.root(), &root).unwrap();
    until("its mail is taken", || {
        journal(&root) == ["1@players.example"]
    });
    let (status, _) = host.end("TERM");
    assert!(status.success(), "{status}: {}", host.log());
}

#[test]
fn a_campaign_that_is_being_made_is_no_error() {
    let (old, new) = (campaign("spring"), campaign("autumn"));
    let folder = tempfile::tempdir().unwrap();
    let (roll, wrong) = Roster::read(&[old.root()]);
    assert!(wrong.is_empty());
    let root = folder.path().join("autumn");
    fs::create_dir(&root).unwrap();
    let mut lookout = Lookout::default();
    let mut finds = || lookout.finds_more(&[old.root(), root.clone()], &roll);
    assert!(!finds(), "an empty folder");
    fs::copy(new.root().join("campaign.yaml"), root.join("campaign.yaml")).unwrap();
    assert!(!finds(), "no journal yet");
    fs::copy(new.root().join("journal.jsonl"), root.join("journal.jsonl")).unwrap();
    assert!(finds());
    // A second one of the same name can't be told apart by mails: the roll leaves it out, and the
    // host does not begin anew for it again and again.
    fs::copy(old.root().join("campaign.yaml"), root.join("campaign.yaml")).unwrap();
    assert!(!finds());
}

#[test]
fn what_was_put_aside_is_sorted_again_once() {
    let (old, new) = (campaign("spring"), campaign("autumn"));
    let state = tempfile::tempdir().unwrap();
    let aside = Maildir::at(state.path().join("aside"));
    aside.create().unwrap();
    aside.put("000001", &mail(&new, 1)).unwrap();
    aside.put("000002", &mail(&old, 2)).unwrap();
    let stranger = b"From: x@example.net\r\nTo: game@example.org\r\n\r\nmoney\r\n";
    aside.put("000003", stranger).unwrap();
    let (before, _) = Roster::read(&[old.root()]);
    KnownNames::of(&before).write(state.path()).unwrap();
    let known = KnownNames::read(state.path()).unwrap();
    assert!(known.has("spring") && !known.has("autumn"));
    assert_eq!(sort_again(&before, &known, &aside).unwrap(), 0);

    let (roll, _) = Roster::read(&[old.root(), new.root()]);
    assert_eq!(sort_again(&roll, &known, &aside).unwrap(), 1);
    assert_eq!(files(&new.root().join("inbox/new")), 1);
    assert_eq!(files(&old.root().join("inbox/new")), 0, "it is not new");
    assert_eq!(aside.unprocessed().unwrap().len(), 2);
    // A host that was killed before it had written the names down does it again.
    assert_eq!(sort_again(&roll, &known, &aside).unwrap(), 0);
    let known = KnownNames::of(&roll);
    aside.put("000004", &mail(&new, 4)).unwrap();
    assert_eq!(sort_again(&roll, &known, &aside).unwrap(), 0);
}
