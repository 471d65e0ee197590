//! Commands that write files on a full disk: exit code 3, the file's name, and nothing
//! half-written. What is only a cache stops nothing if it can't be written.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use crate::support::{Test, tree};

/// Runs the program where no file may grow beyond some kilobytes, as a full disk would have it.
fn with_little_room(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let script = format!("trap '' XFSZ; ulimit -f 16; exec \"$0\" {arguments}");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_estafette")])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn nothing_half_written_is_left() {
    const SEATS: &str = "--seat french=ada@example.org --seat austrian=bert@example.org --mailbox games@example.org";
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_estafette"))
        .args(["new", "castiglione", "--into", "autumn"])
        .args(SEATS.split(' '))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success());
    fs::write(folder.path().join("old.png"), "an older map").unwrap();
    for (arguments, file) in [
        (format!("new castiglione --into spring {SEATS}"), "spring"),
        ("map autumn --out map.png".to_owned(), "map.png"),
        ("map autumn --out old.png".to_owned(), "old.png"),
        (
            "check castiglione --definitions host.d.rhai".to_owned(),
            "host.d.rhai",
        ),
    ] {
        let (code, said) = with_little_room(folder.path(), &arguments);
        assert_eq!(code, Some(3), "{arguments}: {said}");
        let named = said.contains(file) || said.contains(".unfinished-");
        assert!(named, "{arguments} does not say where: {said}");
        assert_eq!(names(folder.path()), ["autumn", "old.png"], "{arguments}");
    }
    assert_eq!(
        fs::read(folder.path().join("old.png")).unwrap(),
        b"an older map"
    );
}

fn campaign_with_mail() -> Test {
    let plan = Test::campaign("castiglione").scenario("lonato");
    let mut test = plan.begin();
    test.mail("french", "RIEN");
    test
}

/// Its snapshots are larger than its receipts.
fn battle_with_mail() -> Test {
    let plan = Test::campaign("risorgimento").scenario("solferino");
    let mut test = plan.begin();
    test.mail("allied", "HURRY");
    test
}

/// One pass, after these commands of a shell. Gives what it says.
#[track_caller]
fn pass_after(before: &str, test: &Test) -> String {
    let script = format!("{before} exec \"$0\" run \"$1\" --now {}", test.now());
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_estafette")]);
    let output = command.arg(test.root()).output().unwrap();
    assert!(output.status.success(), "{before} {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn snapshots_of(test: &Test) -> BTreeSet<String> {
    let files = fs::read_dir(test.root().join("snapshots")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// A campaign whose pass nothing hindered, and the name of the snapshot that it wrote.
fn undisturbed(campaign: fn() -> Test) -> (Test, String) {
    let test = campaign();
    let before = snapshots_of(&test);
    let said = pass_after("", &test);
    assert!(
        said.contains("1 letter written") && !said.contains("can't be noted"),
        "{said}"
    );
    let new = snapshots_of(&test);
    let new = new.difference(&before).next().unwrap().clone();
    (test, new)
}

/// These commands keep the snapshot of a pass from being written, and nothing else.
#[track_caller]
fn stops_no_snapshot_alone(hindrance: &str, campaign: fn() -> Test, undisturbed: &Test) {
    let test = campaign();
    let said = pass_after(hindrance, &test);
    assert!(
        tree(&test.root()) == tree(&undisturbed.root()),
        "{hindrance}"
    );
    assert_eq!(test.state(), undisturbed.state(), "{hindrance}");
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    // Nothing shuts a folder to root.
    if !(is_root && hindrance.starts_with("chmod")) {
        assert_eq!(
            said.matches("can't be noted").count(),
            1,
            "{hindrance} {said}"
        );
    }
    let mend = "chmod 700 \"$1/snapshots\"; rm -r \"$1/snapshots\"; mkdir \"$1/snapshots\";";
    let said = pass_after(mend, &test);
    assert!(!said.contains("can't be noted"), "{said}");
    assert_eq!(snapshots_of(&test).len(), 1, "{hindrance}");
}

/// A file in place of the folder, a folder in place of the file, no right to write.
#[test]
fn a_snapshot_that_can_not_be_written_stops_nothing() {
    let (undisturbed, new) = undisturbed(campaign_with_mail);
    let file = "cd \"$1\"; rm -r snapshots; touch snapshots;";
    let folder = format!("mkdir -p \"$1/snapshots/{new}/x\";");
    let shut = "chmod 500 \"$1/snapshots\";";
    for hindrance in [file, &folder, shut] {
        stops_no_snapshot_alone(hindrance, campaign_with_mail, &undisturbed);
    }
}

#[test]
fn a_disk_without_room_for_a_snapshot_stops_nothing() {
    let (undisturbed, new) = undisturbed(battle_with_mail);
    let path = undisturbed.root().join("snapshots").join(new);
    let blocks = fs::metadata(path).unwrap().len() / 512;
    let full = format!("trap '' XFSZ; ulimit -f {blocks};");
    stops_no_snapshot_alone(&full, battle_with_mail, &undisturbed);
}
