//! Commands that write files on a full disk: exit code 3, the file's name, and nothing half-written.
use std::{fs, path::Path, process::Command};

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
    const SEATS: &str =
        "--seat french=ada@example.org --seat austrian=bert@example.org --host games@example.org";
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
