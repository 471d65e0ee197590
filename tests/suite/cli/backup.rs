//! All that a host keeps in one file, and back.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use estafette::store::Directory;
use tempfile::TempDir;

use crate::support::program::{Ran, estafette};

/// A host with a club and two campaigns.
struct Host {
    folder: TempDir,
}

impl Host {
    fn new() -> Self {
        let host = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let text =
            "mailbox: game@example.org\nstate: state\ncampaigns: [campaigns/*]\nclub: club\n";
        fs::write(host.path("estafette.yaml"), text).unwrap();
        fs::create_dir(host.path("campaigns")).unwrap();
        fs::create_dir_all(host.path("state/aside/new")).unwrap();
        fs::write(host.path("state/aside/new/1"), "From: somebody\n\nhello\n").unwrap();
        for name in ["autumn", "spring"] {
            let into = host.path(&format!("campaigns/{name}"));
            host.run(&[
                "new",
                "castiglione",
                "--scenario",
                "lonato",
                "--into",
                into.to_str().unwrap(),
                "--seat",
                "french=ada@example.org",
                "--seat",
                "austrian=bert@example.org",
                "--umpire",
                "you@example.org",
                "--mailbox",
                "game@example.org",
                "--name",
                name,
            ]);
        }
        let (club, campaigns) = (host.path("club"), host.path("campaigns"));
        host.run(&[
            "club",
            "new",
            club.to_str().unwrap(),
            "--name",
            "tuesday",
            "--title",
            "The Tuesday Club",
            "--mailbox",
            "game@example.org",
            "--campaigns",
            campaigns.to_str().unwrap(),
            "--umpire",
            "you@example.org",
        ]);
        host
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    #[track_caller]
    fn run(&self, args: &[&str]) -> Ran {
        let ran = estafette(args, b"");
        assert_eq!(ran.code, 0, "{ran:?}");
        ran
    }

    /// A backup of all of it.
    fn backed_up(&self) -> PathBuf {
        let (config, out) = (self.path("estafette.yaml"), self.path("backup.tar.gz"));
        self.run(&[
            "backup",
            "--config",
            config.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ]);
        out
    }

    fn restored(&self, backup: &Path) -> Ran {
        let into = self.path("restored");
        let args = ["restore", backup.to_str().unwrap(), "--into"];
        estafette(&[&args[..], &[into.to_str().unwrap()]].concat(), b"")
    }
}

/// All files below a folder, without those that say who works there.
fn kept(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), PathBuf::from(entry.file_name()));
        if path.is_dir() {
            let below = kept(&path).into_iter();
            found.extend(below.map(|(below, bytes)| (name.join(below), bytes)));
        } else if name != Path::new("lock") {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_host_comes_back_from_its_backup_byte_for_byte() {
    let host = Host::new();
    let backup = host.backed_up();
    let ran = host.restored(&backup);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("3 directories restored"), "{ran:?}");
    for part in [
        "campaigns/autumn",
        "campaigns/spring",
        "club",
        "state",
        "estafette.yaml",
    ] {
        let (before, after) = (host.path(part), host.path("restored").join(part));
        if before.is_file() {
            assert_eq!(fs::read(&before).unwrap(), fs::read(&after).unwrap());
        } else {
            assert_eq!(kept(&before), kept(&after), "{part}");
        }
    }
    let club = fs::read_to_string(host.path("restored/club/club.yaml")).unwrap();
    assert!(club.contains("\ncampaigns: ../campaigns\n"), "{club}");
    let mark = |name: &str| {
        let root = host.path("restored/campaigns").join(name);
        Directory::at(&root).pinned_mark()
    };
    assert_eq!(mark("autumn"), mark("spring"), "their rules are one file");
    let campaign = host.path("restored/campaigns/autumn");
    host.run(&["audit", campaign.to_str().unwrap()]);
    let config = host.path("restored/estafette.yaml");
    host.run(&["run", "--config", config.to_str().unwrap()]);
    #[cfg(unix)]
    {
        assert_eq!(mode(&backup), 0o600, "the masters are in it");
        assert_eq!(mode(&campaign.join("secret/master")), 0o600);
    }
}

#[test]
fn directories_alone_are_backed_up_by_their_names() {
    let host = Host::new();
    let (autumn, out) = (host.path("campaigns/autumn"), host.path("autumn.tar.gz"));
    let args = [
        "backup",
        autumn.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    host.run(&args);
    let again = estafette(&args, b"");
    assert_eq!(again.code, 3, "no backup is overwritten: {again:?}");
    assert_eq!(host.restored(&out).code, 0);
    assert_eq!(kept(&autumn), kept(&host.path("restored/autumn")));
    let again = host.restored(&out);
    assert_eq!(
        again.code, 2,
        "nothing is put into a folder that is there: {again:?}"
    );
}

#[test]
fn damage_is_found_when_a_backup_is_put_back() {
    let host = Host::new();
    let whole = fs::read(host.backed_up()).unwrap();
    let cut = host.path("cut.tar.gz");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let ran = host.restored(&cut);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("no backup, or a damaged one"), "{ran:?}");
    assert!(!host.path("restored").exists(), "nothing is left of it");
    let journal = host.path("campaigns/autumn/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("castiglione", "castiglionf", 1)).unwrap();
    fs::remove_file(host.path("backup.tar.gz")).unwrap();
    let ran = host.restored(&host.backed_up());
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains("autumn") && !ran.err.contains("spring"),
        "{ran:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_linked_campaign_is_copied_and_a_link_in_one_is_an_error() {
    let host = Host::new();
    let (autumn, link) = (host.path("campaigns/autumn"), host.path("linked"));
    std::os::unix::fs::symlink(&autumn, &link).unwrap();
    let out = host.path("linked.tar.gz");
    host.run(&[
        "backup",
        link.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ]);
    assert_eq!(host.restored(&out).code, 0);
    assert_eq!(kept(&autumn), kept(&host.path("restored/autumn")));
    let both = [autumn.to_str().unwrap(), link.to_str().unwrap()];
    let out = host.path("twice.tar.gz");
    let args = [&["backup", "--out", out.to_str().unwrap()], &both[..]].concat();
    assert_eq!(estafette(&args, b"").code, 3, "one campaign twice");
    let (journal, moved) = (autumn.join("journal.jsonl"), host.path("moved"));
    fs::rename(&journal, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &journal).unwrap();
    let ran = estafette(&["backup", both[0], "--out", out.to_str().unwrap()], b"");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err.contains("journal.jsonl") && !out.exists(),
        "{ran:?}"
    );
}

#[test]
fn a_configuration_that_names_other_places_is_told() {
    let host = Host::new();
    let config = host.path("estafette.yaml");
    let text = fs::read_to_string(&config).unwrap();
    let whole = host.path("campaigns").display().to_string();
    fs::write(
        &config,
        text.replace("[campaigns/*]", &format!("[\"{whole}/*\"]")),
    )
    .unwrap();
    let ran = host.restored(&host.backed_up());
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains(&format!("names {whole}/*")), "{ran:?}");
    assert!(!ran.out.contains("state, which"), "{ran:?}");
}
