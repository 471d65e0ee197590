//! What a killed process leaves half-written is gone after the next pass, and what another one
//! writes is not.
#![cfg(unix)]

use std::{
    fs::{self, File},
    io::Write,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use crate::support::{Test, fed, mail_to, tree};

fn campaign() -> Test {
    Test::campaign("castiglione").scenario("lonato").begin()
}

/// All files of a campaign, or all below a folder, that begin as unfinished ones do.
fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(unfinished(&entry.path()));
        } else if entry
            .file_name()
            .to_str()
            .unwrap()
            .starts_with(".unfinished-")
        {
            found.push(entry.path());
        }
    }
    found
}

#[test]
fn what_is_left_in_any_place_is_gone_after_the_next_pass() {
    let mut test = campaign();
    let root = test.root();
    fs::create_dir(root.join("beacon")).unwrap();
    let places = [
        ".",
        "secret",
        "snapshots",
        "beacon",
        "inbox/tmp",
        "outbox/french/tmp",
        "outbox/austrian/tmp",
    ];
    for place in places {
        fs::create_dir_all(root.join(place)).unwrap();
        fs::write(root.join(place).join(".unfinished-a1B2c3"), "half a secret").unwrap();
    }
    // Somebody writes at this moment, and another program has its own ways.
    let living = root.join("inbox/tmp/.unfinished-living");
    let mut file = File::create(&living).unwrap();
    file.lock().unwrap();
    file.write_all(b"half a mail").unwrap();
    fs::write(
        root.join("inbox/tmp/1763.of-another-program"),
        "half a mail",
    )
    .unwrap();
    assert_eq!(unfinished(&root).len(), places.len() + 1);
    let before = tree(&root);
    test.run();
    assert_eq!(unfinished(&root), [living]);
    assert!(root.join("inbox/tmp/1763.of-another-program").exists());
    assert!(tree(&root) == before);
    drop(file);
    test.run();
    assert!(unfinished(&root).is_empty());
}

/// Runs the program where it is killed as soon as a file grows beyond so many blocks of 512 bytes.
fn killed_beyond(blocks: u32, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_estafette")]);
    fed(command.args(arguments), input)
}

#[test]
fn a_killed_delivery_leaves_nothing_for_long() {
    const SIGXFSZ: i32 = 25;
    let mut test = campaign();
    let root = test.root();
    let to = test.newest("french").reply_to;
    let long = format!("RIEN\n{}", "# pourquoi\n".repeat(500));
    let mail = mail_to("french", &to, &long, 1);
    let folder = root.display().to_string();
    let now = test.now().to_string();
    let deliver = ["deliver", folder.as_str(), "--now", now.as_str()];
    let killed = killed_beyond(4, &deliver, &mail);
    assert_eq!(killed.status.signal(), Some(SIGXFSZ), "{killed:?}");
    let left = unfinished(&root);
    assert!(
        left.len() == 1 && left[0].starts_with(root.join("inbox/tmp")),
        "{left:?}"
    );
    assert!(fs::metadata(&left[0]).unwrap().len() < mail.len() as u64);
    // Its server keeps it and hands it over again.
    let mut again = Command::new(env!("CARGO_BIN_EXE_estafette"));
    assert!(fed(again.args(deliver), &mail).status.success());
    assert!(unfinished(&root).is_empty());
    test.run();
    assert_eq!(test.records("mail").len(), 1);
}
