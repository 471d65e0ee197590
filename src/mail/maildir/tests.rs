//! Tests of Maildirs.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may panic")]

use std::{collections::BTreeSet, thread};

use super::*;

fn maildir() -> (tempfile::TempDir, Maildir) {
    let folder = tempfile::tempdir().unwrap();
    let maildir = Maildir::at(folder.path().join("mail"));
    maildir.create().unwrap();
    (folder, maildir)
}

fn on_demand() -> (tempfile::TempDir, Maildir) {
    let folder = tempfile::tempdir().unwrap();
    let maildir = Maildir::on_demand(folder.path().join("red"));
    (folder, maildir)
}

fn keys(maildir: &Maildir) -> Vec<String> {
    maildir
        .unprocessed()
        .unwrap()
        .iter()
        .map(MaildirEntry::key)
        .collect()
}

#[test]
fn mails_are_listed_by_name_and_only_until_done() {
    let (_folder, maildir) = maildir();
    for (place, name) in [
        ("cur", "2.b:2,F"),
        ("new", "3.c"),
        ("new", "1.a"),
        ("new", ".hidden"),
        ("tmp", "9.t"),
    ] {
        fs::write(maildir.root.join(place).join(name), name).unwrap();
    }
    fs::create_dir(maildir.root.join("new/folder")).unwrap();
    assert_eq!(keys(&maildir), ["1.a", "2.b", "3.c"]);
    for entry in maildir.unprocessed().unwrap() {
        maildir.done(&entry).unwrap();
        maildir.done(&entry).unwrap();
    }
    assert_eq!(keys(&maildir), [""; 0]);
    assert!(maildir.root.join("done/1.a").exists());
    assert!(maildir.root.join("done/2.b").exists());
    assert_eq!(maildir.find("2.b").unwrap().unwrap(), b"2.b:2,F");
}

#[test]
fn a_mail_that_was_looked_at_is_still_to_do() {
    let (_folder, maildir) = maildir();
    fs::write(maildir.root.join("cur/1.a:2,S"), "x").unwrap();
    fs::write(maildir.root.join("cur/2.b:2,RS"), "x").unwrap();
    assert_eq!(keys(&maildir), ["1.a", "2.b"]);
}

#[test]
fn what_is_done_is_kept_and_takes_no_time() {
    let (_folder, maildir) = maildir();
    for text in ["first", "second"] {
        fs::write(maildir.root.join("new/1.a"), text).unwrap();
        let entry = maildir.unprocessed().unwrap().remove(0);
        maildir.done(&entry).unwrap();
    }
    let kept = ["1.a", "1.a.2"].map(|name| fs::read(maildir.root.join("done").join(name)).unwrap());
    assert_eq!(
        kept,
        [b"first".to_vec(), b"second".to_vec()],
        "nothing is written over"
    );
    for folder in ["new", "cur"] {
        assert_eq!(fs::read_dir(maildir.root.join(folder)).unwrap().count(), 0);
    }
    assert_eq!(
        maildir.put("1.a", b"third").unwrap(),
        PutOutcome::AlreadyThere
    );
}

#[test]
fn no_more_is_read_than_the_limit_and_one() {
    let (_folder, maildir) = maildir();
    fs::write(maildir.root.join("new/1"), [b'x'; 1000]).unwrap();
    let entry = maildir.unprocessed().unwrap().remove(0);
    assert_eq!(maildir.read(&entry, 99).unwrap().unwrap().len(), 100);
    assert_eq!(maildir.read(&entry, 5000).unwrap().unwrap().len(), 1000);
}

#[test]
fn a_vanished_mail_is_no_error() {
    let (_folder, maildir) = maildir();
    fs::write(maildir.root.join("new/1"), "x").unwrap();
    let entry = maildir.unprocessed().unwrap().remove(0);
    fs::remove_file(maildir.root.join("new/1")).unwrap();
    assert_eq!(maildir.read(&entry, 10).unwrap(), None);
    maildir.done(&entry).unwrap();
}

#[test]
fn a_mail_is_written_once_whatever_became_of_it() {
    let (_folder, maildir) = maildir();
    assert_eq!(
        maildir.put("north.red.1", b"first").unwrap(),
        PutOutcome::Written
    );
    assert_eq!(
        maildir.put("north.red.1", b"second").unwrap(),
        PutOutcome::AlreadyThere
    );
    let entry = maildir.unprocessed().unwrap().remove(0);
    assert_eq!(maildir.read(&entry, 10).unwrap().unwrap(), b"first");
    maildir.done(&entry).unwrap();
    assert_eq!(
        maildir.put("north.red.1", b"third").unwrap(),
        PutOutcome::AlreadyThere
    );
    assert_eq!(
        maildir.put("north.red.10", b"other").unwrap(),
        PutOutcome::Written
    );
}

#[test]
fn what_a_crash_left_in_tmp_is_swept_and_nobody_else_s() {
    let (_folder, maildir) = maildir();
    let tmp = maildir.root.join("tmp");
    fs::write(tmp.join(".unfinished-1"), "half a mail").unwrap();
    fs::write(tmp.join("1763.of-another-program"), "half a mail").unwrap();
    let (mut batch, number) = (Batch::default(), || fs::read_dir(&tmp).unwrap().count());
    batch.add(&maildir, "k", b"whole").unwrap();
    assert_eq!(number(), 3);
    maildir.sweep();
    assert_eq!(number(), 2);
    batch.keep().unwrap();
    assert_eq!((number(), keys(&maildir)), (1, vec!["k".to_owned()]));
}

/// A reader of `new` sees the whole mail at every moment, and no writer fails, however many write
/// the same.
#[test]
fn the_same_mail_from_many_at_once_is_written_once_and_whole() {
    let (_folder, maildir) = maildir();
    let mail = vec![b'x'; 200_000];
    for round in 0..50 {
        let key = format!("{round:03}");
        let (maildir, mail, key) = (&maildir, &mail, key.as_str());
        thread::scope(|scope| {
            let put = |_| scope.spawn(move || maildir.put(key, mail).unwrap());
            let writers: Vec<_> = (0..4).map(put).collect();
            while writers.iter().any(|writer| !writer.is_finished()) {
                let found = maildir.find(key).unwrap();
                assert!(
                    found.is_none_or(|bytes| bytes == *mail),
                    "half of it is seen"
                );
            }
        });
        assert_eq!(maildir.find(key).unwrap().unwrap(), *mail);
    }
    assert_eq!(keys(&maildir).len(), 50);
    assert_eq!(fs::read_dir(maildir.root.join("tmp")).unwrap().count(), 0);
}

#[test]
fn any_key_is_a_safe_and_distinct_name() {
    let keys = [
        "../../etc/x",
        ".",
        "..",
        "a:2,S",
        "a/b",
        "a_b",
        "",
        "é",
        "a\nb",
        &"k".repeat(500),
    ];
    let mut names: Vec<String> = keys.iter().map(|key| file_name(key)).collect();
    assert!(names.iter().all(|name| !name.contains(['/', ':', '\n'])
        && !name.starts_with('.')
        && name.len() < 200));
    names.sort();
    names.dedup();
    assert_eq!(names.len(), keys.len());
}

#[test]
fn a_missing_directory_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let maildir = Maildir::at(folder.path().join("nowhere"));
    assert!(matches!(
        maildir.unprocessed(),
        Err(MaildirError::Missing { .. })
    ));
    assert!(matches!(
        maildir.put("k", b"x"),
        Err(MaildirError::Missing { .. })
    ));
}

#[test]
fn a_full_disk_is_told_apart() {
    let error = MaildirError::new(Path::new("x"), io::Error::from(io::ErrorKind::StorageFull));
    assert!(matches!(error, MaildirError::Full { .. }));
    let error = MaildirError::new(
        Path::new("x"),
        io::Error::from(io::ErrorKind::PermissionDenied),
    );
    assert!(matches!(error, MaildirError::Io { .. }));
}

#[test]
fn mails_of_a_batch_appear_together_and_each_once() {
    let (_folder, maildir) = maildir();
    let mut batch = Batch::default();
    let number = |n: usize| format!("{n:03}");
    for n in 0..50 {
        assert_eq!(
            batch.add(&maildir, &number(n), b"x").unwrap(),
            PutOutcome::Written
        );
    }
    assert_eq!(
        batch.add(&maildir, "007", b"y").unwrap(),
        PutOutcome::AlreadyThere
    );
    batch.add_aside(&maildir, "aside", b"z").unwrap();
    assert_eq!(keys(&maildir), [""; 0], "nobody sees them yet");
    batch.show().unwrap();
    assert_eq!(keys(&maildir), (0..50).map(number).collect::<Vec<_>>());
    assert_eq!(
        batch.add(&maildir, "007", b"y").unwrap(),
        PutOutcome::AlreadyThere
    );
    batch.keep().unwrap();
    assert_eq!(maildir.find("007").unwrap().unwrap(), b"x");
    assert_eq!(maildir.read_done("aside", 9).unwrap().unwrap(), b"z");
    // More than may be open at the same time.
    let mut batch = Batch::default();
    for n in 100..300 {
        batch.add(&maildir, &number(n), b"x").unwrap();
    }
    batch.keep().unwrap();
    assert_eq!(keys(&maildir).len(), 250);
}

#[test]
fn a_batch_that_is_dropped_can_be_written_again() {
    let (_folder, maildir) = maildir();
    let mut batch = Batch::default();
    batch.add(&maildir, "1", b"half").unwrap();
    drop(batch);
    assert_eq!(maildir.put("1", b"whole").unwrap(), PutOutcome::Written);
    assert_eq!(maildir.find("1").unwrap().unwrap(), b"whole");
    assert_eq!(
        maildir.put_copy("1", b"other").unwrap(),
        PutOutcome::AlreadyThere
    );
    assert_eq!(
        maildir.put_copy("2", b"other").unwrap(),
        PutOutcome::Written
    );
    assert_eq!(keys(&maildir), ["1", "2"]);
}

/// Somebody removes a whole Maildir while another has just sent its last letter.
#[test]
fn a_maildir_that_is_removed_has_nothing_left_to_do() {
    let (folder, maildir) = maildir();
    maildir.put("1", b"x").unwrap();
    let entry = maildir.unprocessed().unwrap().remove(0);
    drop(folder);
    maildir.done(&entry).unwrap();
    assert!(maildir.unprocessed().is_err(), "it is not made anew");
}

/// A mail of more than a block of the disk.
fn large(mark: u8) -> Vec<u8> {
    [b"From: ada@example.org\r\n".repeat(400), vec![mark]].concat()
}

fn names(maildir: &Maildir, folder: &str) -> Vec<String> {
    let files = fs::read_dir(maildir.root.join(folder))
        .into_iter()
        .flatten();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn what_has_gone_is_compressed_and_found_as_before() {
    let (_folder, maildir) = on_demand();
    for (key, bytes) in [("1", large(1)), ("2", b"short".to_vec()), ("3", large(3))] {
        maildir.put(key, &bytes).unwrap();
    }
    let entries = maildir.unprocessed().unwrap();
    maildir.all_done(&entries[..2]).unwrap();
    maildir.put_away().unwrap();
    assert_eq!(names(&maildir, "done"), ["1,.gz", "2"]);
    assert_eq!(keys(&maildir), ["3"], "it has not gone yet");
    for (key, bytes) in [("1", large(1)), ("2", b"short".to_vec()), ("3", large(3))] {
        assert_eq!(maildir.find(key).unwrap().unwrap(), bytes, "{key}");
        assert_eq!(maildir.put(key, b"x").unwrap(), PutOutcome::AlreadyThere);
    }
    maildir.all_done(&entries[2..]).unwrap();
    maildir.put_away().unwrap();
    maildir.put_away().unwrap();
    assert_eq!(names(&maildir, ""), ["done"], "no folder is empty");
    assert_eq!(names(&maildir, "done"), ["1,.gz", "2", "3,.gz"]);
    assert!(keys(&maildir).is_empty());
    // The next mail has its folders again.
    let mut batch = Batch::together();
    batch.add(&maildir, "4", b"x").unwrap();
    assert_eq!(
        batch.add(&maildir, "1", b"x").unwrap(),
        PutOutcome::AlreadyThere
    );
    batch.keep().unwrap();
    assert_eq!(keys(&maildir), ["4"]);
}

/// Its writer was stopped after the compressed mail was there, and before the other had gone.
#[test]
fn a_mail_in_both_forms_is_one() {
    let (_folder, maildir) = on_demand();
    maildir.put("1", &large(1)).unwrap();
    maildir.all_done(&maildir.unprocessed().unwrap()).unwrap();
    let plain = maildir.root.join("done/1");
    maildir.put_away().unwrap();
    fs::write(&plain, large(1)).unwrap();
    assert_eq!(maildir.find("1").unwrap().unwrap(), large(1));
    maildir.put_away().unwrap();
    assert_eq!(names(&maildir, "done"), ["1,.gz"]);
    // Somebody sends it once more with other words: the old one stays.
    fs::create_dir(maildir.root.join("new")).unwrap();
    fs::write(maildir.root.join("new/1"), large(2)).unwrap();
    maildir.all_done(&maildir.unprocessed().unwrap()).unwrap();
    maildir.put_away().unwrap();
    assert_eq!(names(&maildir, "done"), ["1,.gz", "1.2,.gz"]);
    assert_eq!(maildir.find("1").unwrap().unwrap(), large(1));
    fs::write(maildir.root.join("done/1,.gz"), "damaged").unwrap();
    assert_eq!(maildir.find("1").unwrap(), None);
    assert!(maildir.has("1").unwrap());
}

#[test]
fn many_are_compressed_a_few_at_a_time() {
    let (_folder, maildir) = on_demand();
    let mut batch = Batch::default();
    for number in 0..20 {
        batch
            .add_aside(&maildir, &number.to_string(), &large(number))
            .unwrap();
    }
    batch.keep().unwrap();
    let rounds = (1..9).find(|_| maildir.put_away().unwrap());
    assert_eq!(rounds, Some(3));
    assert!(
        names(&maildir, "done")
            .iter()
            .all(|name| name.ends_with(",.gz"))
    );
}

/// A writer was killed before its mails appeared, and an older one was sent meanwhile.
#[test]
fn staged_mails_appear_after_others_were_put_away() {
    let (_folder, maildir) = on_demand();
    maildir.put("1", &large(1)).unwrap();
    let mut batch = Batch::together();
    batch.add(&maildir, "2", &large(2)).unwrap();
    batch.stage().unwrap();
    drop(batch);
    maildir.all_done(&maildir.unprocessed().unwrap()).unwrap();
    maildir.put_away().unwrap();
    for folder in ["new", "cur"] {
        let _ = fs::remove_dir(maildir.root.join(folder));
    }
    for staged in maildir.staged().unwrap() {
        staged.show().unwrap();
    }
    assert_eq!(keys(&maildir), ["2"]);
}

#[test]
fn only_a_maildir_on_demand_may_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mail");
    assert!(keys(&Maildir::on_demand(&root)).is_empty());
    assert!(Maildir::at(&root).unprocessed().is_err());
    Maildir::on_demand(&root).put("1", b"x").unwrap();
    assert_eq!(keys(&Maildir::at(&root)), ["1"]);
    // What a killed writer left keeps one folder, and the others come back.
    fs::write(root.join("tmp/left"), "x").unwrap();
    let maildir = Maildir::on_demand(&root);
    maildir.all_done(&maildir.unprocessed().unwrap()).unwrap();
    maildir.put_away().unwrap();
    assert_eq!(names(&maildir, ""), ["cur", "done", "new", "tmp"]);
    maildir.put("2", b"x").unwrap();
    assert_eq!(keys(&maildir), ["2"]);
}

/// As long as nobody says that the folders are on the disk, everybody has to bring them there.
#[test]
fn each_writer_brings_new_folders_to_the_disk_until_one_has() {
    let (folder, maildir) = on_demand();
    let unsure = [&maildir.root, folder.path()].map(Path::to_owned);
    let mut batches = [Batch::default(), Batch::default(), Batch::default()];
    for (batch, key) in batches.iter_mut().zip(["1", "2", "3"]) {
        batch.add(&maildir, key, b"x").unwrap();
        assert_eq!(batch.folders, BTreeSet::from(unsure.clone()));
    }
    let [mut first, second, third] = batches;
    first.show().unwrap();
    // Whose mail is there already can't rely on whoever brought it.
    let mut again = Batch::default();
    again.add(&maildir, "1", b"x").unwrap();
    assert_eq!(again.folders.len(), 3);
    assert!(again.folders.is_superset(&BTreeSet::from(unsure)));
    assert!(!maildir.root.join("cur").exists());
    second.keep().unwrap();
    assert!(maildir.root.join("cur").exists());
    let mut late = Batch::default();
    late.add(&maildir, "4", b"x").unwrap();
    assert!(late.folders.is_empty(), "{:?}", late.folders);
    for batch in [first, third, again, late] {
        batch.keep().unwrap();
    }
    assert_eq!(keys(&maildir), ["1", "2", "3", "4"]);
}

#[test]
fn the_first_mail_written_as_done_has_its_folders_on_the_disk() {
    let (folder, maildir) = on_demand();
    let mut batch = Batch::together();
    batch.add_aside(&maildir, "1", b"x").unwrap();
    let folders = [&maildir.root, folder.path()].map(Path::to_owned);
    assert_eq!(batch.folders, BTreeSet::from(folders));
    batch.stage().unwrap();
    assert!(batch.folders.is_empty());
    // A power cut took a folder away.
    fs::remove_dir(maildir.root.join("done")).unwrap();
    batch.keep().unwrap();
    assert_eq!(names(&maildir, "done"), ["1"]);
}

/// A host may write into a Maildir whose folder it may not read: that one is none of its business.
#[test]
fn a_missing_folder_of_somebodys_maildir_is_made() {
    let (_folder, maildir) = maildir();
    for folder in ["cur", "tmp"] {
        fs::remove_dir(maildir.root.join(folder)).unwrap();
        assert_eq!(
            maildir.unsure_folders(),
            std::slice::from_ref(&maildir.root)
        );
        maildir.create().unwrap();
        assert_eq!(names(&maildir, ""), ["cur", "new", "tmp"]);
    }
}

#[test]
fn a_batch_that_lost_a_mail_is_never_kept() {
    let (_folder, maildir) = on_demand();
    let mut batch = Batch::default();
    batch.add(&maildir, "1", b"x").unwrap();
    fs::remove_dir(maildir.root.join("new")).unwrap();
    batch.show().unwrap_err();
    batch.add(&maildir, "2", b"x").unwrap();
    batch.keep().unwrap_err();
}
