//! A folder from somebody else: whatever stands in it instead of plain files of a decent size, it
//! is named and not opened.
#![cfg(unix)]

use std::{
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use crate::support::program::{Ran, estafette};

/// Copies the tiny game and its rules.
pub fn copied(root: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/game");
    let copied = Command::new("cp")
        .arg("-r")
        .args([from.join("games"), from.join("rules")])
        .arg(root)
        .status();
    assert!(copied.unwrap().success());
}

/// A copy of the tiny game that somebody has meddled with.
struct Folder {
    root: TempDir,
}

impl Folder {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        copied(root.path());
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Puts a link in the place of what is there.
    fn link(&self, name: &str, target: &str) -> &Self {
        let path = self.path(name);
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => fs::remove_dir_all(&path).unwrap(),
            Ok(_) => fs::remove_file(&path).unwrap(),
            Err(_) => {}
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
        self
    }

    /// A file with a hole for its contents: whoever reads it has much to do.
    fn huge(&self, name: &str, size: u64) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        File::create(path).unwrap().set_len(size).unwrap();
        self
    }

    fn check(&self) -> Ran {
        let [games, rules] = ["games", "rules"].map(|name| self.path(name));
        let [games, rules] = [&games, &rules].map(|path| path.to_str().unwrap());
        estafette(&["check", "tiny", "--games", games, "--rules", rules], b"")
    }
}

/// The program refused it as something wrong, said so of this file, and quoted nothing of what it
/// leads to.
#[track_caller]
fn refused(ran: &Ran, file: &str, problem: &str) {
    let said = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.code, 1, "{said}");
    assert!(said.contains(file) && said.contains(problem), "{said}");
    assert!(!said.contains("root:") && said.len() < 1_000, "{said}");
}

#[test]
fn links_and_pipes_in_a_game_are_not_followed() {
    for (name, target) in [
        ("games/tiny/tables.yaml", "/etc/passwd"),
        ("games/tiny/text", "/etc"),
        ("games/tiny", "/"),
        ("rules/tiny/more.rhai", "/dev/zero"),
        ("rules/lib", "/dev"),
        ("games/tiny/notes.md", "game.yaml"),
        ("games/tiny/nothing", "nowhere"),
    ] {
        let ran = Folder::new().link(name, target).check();
        refused(&ran, name, "symbolic link");
    }
    let folder = Folder::new();
    let pipe = folder.path("games/tiny/scenarios/pipe.yaml");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    refused(&folder.check(), "pipe.yaml", "no regular file");
}

#[test]
fn an_owners_numbers_are_files_too() {
    let folder = Folder::new();
    folder.link("data/tables.yaml", "/etc/passwd");
    let (data, into) = (folder.path("data"), folder.path("into"));
    let new = |data: &Path| {
        let mut args = vec!["new", "castiglione", "--into", into.to_str().unwrap()];
        args.extend([
            "--seat",
            "french=ada@example.org",
            "--seat",
            "austrian=bert@example.org",
        ]);
        args.extend(["--data", data.to_str().unwrap()]);
        estafette(&args, b"")
    };
    refused(&new(&data), "data/tables.yaml", "symbolic link");
    fs::remove_file(data.join("tables.yaml")).unwrap();
    folder.huge("data/tables.yaml", 1 << 40);
    refused(&new(&data), "data/tables.yaml", "larger than");
    assert!(!into.exists(), "nothing of it was pinned");
    // What a user names himself may be a link: he knows where it leads.
    let linked = Folder::new();
    linked.link("linked", "games");
    let (games, rules) = (linked.path("linked"), linked.path("rules"));
    let places = [&games, &rules].map(|path| path.to_str().unwrap());
    let ran = estafette(
        &["check", "tiny", "--games", places[0], "--rules", places[1]],
        b"",
    );
    assert!(!ran.out.contains("symbolic link"), "{}", ran.out);
}

#[test]
fn size_number_and_depth_are_known_before_anything_is_read() {
    let large = Folder::new();
    large.huge("games/tiny/map.yaml", 1 << 40);
    refused(&large.check(), "map.yaml", "larger than 524288 bytes");

    let much = Folder::new();
    for number in 0..20 {
        much.huge(&format!("games/tiny/text/{number}.md"), 500 << 10);
    }
    refused(
        &much.check(),
        "games/tiny",
        "more than 4194304 bytes together",
    );

    let many = Folder::new();
    for number in 0..2_100 {
        many.huge(&format!("rules/tiny/{number}.md"), 0);
    }
    refused(
        &many.check(),
        "rules/tiny",
        "more than 2000 files and folders",
    );

    let deep = Folder::new();
    deep.huge(&format!("games/tiny/{}file.md", "a/".repeat(20)), 0);
    refused(&deep.check(), "games/tiny/a", "deeper than 8 folders");
}

#[test]
fn a_game_is_found_without_looking_into_others() {
    let folder = Folder::new();
    folder.huge("games/other/enormous.bin", 1 << 40);
    folder.link("games/more", "/");
    let ran = folder.check();
    assert!(
        !ran.out.contains("other") && !ran.out.contains("more"),
        "{}",
        ran.out
    );
}

#[test]
fn cases_are_plain_files() {
    let folder = Folder::new();
    let case = |name: &str| estafette(&["case", folder.path(name).to_str().unwrap()], b"");
    folder.link("cases/inner/x.yaml", "/etc/passwd");
    refused(&case("cases"), "x.yaml", "symbolic link");
    fs::remove_file(folder.path("cases/inner/x.yaml")).unwrap();
    folder.huge("cases/inner/x.yaml", 1 << 40);
    refused(&case("cases"), "x.yaml", "larger than");
    refused(&case("cases/inner/x.yaml"), "x.yaml", "larger than");
}
