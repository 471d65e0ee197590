//! A host is upgraded while campaigns run. Campaigns that earlier versions have played to their end
//! lie in `tests/data/finished` and stay sound in all versions to come, with the rules that they
//! have pinned; and nobody changes how letters read without saying so.
//!
//! `cargo test --test suite versions::write -- --ignored --nocapture` writes what is missing there:
//! a campaign that is there is never written again, and the digests of letters only for a new
//! number of `estafette::LETTERS_VERSION`.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use estafette::{
    LETTERS_VERSION,
    audit::{self, AuditReport, Verdict, archive},
    campaign::{
        self,
        durable::{
            self,
            replay::{JournalStep, Steps},
        },
        model::{events::Event, state::CurrentWait, version::Version},
    },
    digest::Digest,
    simulate::{self, SimulationPlan},
    store::Position,
};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use tempfile::TempDir;

use crate::support::{
    MOMENT_42, ROUND_42, Test, change, copied_rules, decides, forger, pass, sealed_in,
    shipped_with_bots,
};

/// The finished campaigns. Each was written once, by the version that came with it, and must never
/// be written again.
const FINISHED: [&str; 7] = [
    "castiglione",
    "novara",
    "toulon",
    "risorgimento",
    "diplomacy",
    "beacon",
    "rolled-back",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/finished")
}

fn archive(name: &str) -> PathBuf {
    folder().join(format!("{name}.tar.gz"))
}

/// A finished campaign as it lay on the disk.
fn finished(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let tar = folder.path().join("campaign.tar");
    let mut packed = GzDecoder::new(File::open(archive(name)).unwrap());
    std::io::copy(&mut packed, &mut File::create(&tar).unwrap()).unwrap();
    let root = root(&folder);
    fs::create_dir(&root).unwrap();
    archive::unpack(&tar, &root).unwrap();
    for empty in ["snapshots", "inbox", "outbox"] {
        fs::create_dir_all(root.join(empty)).unwrap();
    }
    #[cfg(unix)]
    for secret in fs::read_dir(root.join("secret")).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let owner = fs::Permissions::from_mode(0o600);
        fs::set_permissions(secret.unwrap().path(), owner).unwrap();
    }
    folder
}

fn root(folder: &TempDir) -> PathBuf {
    folder.path().join("campaign")
}

/// A version that is neither the running one nor that of any record.
fn another() -> Version {
    Version::named("99.0.0+letters.99")
}

fn audited_by(folder: &TempDir, version: &Version) -> AuditReport {
    audit::campaign_by(&root(folder), None, version, &mut |_, _| {}).unwrap()
}

/// What the journal's last record says of the campaign is what the running version makes of the
/// whole journal.
fn ends_as_recorded(folder: &TempDir) {
    let (_, _, state) = durable::look(&root(folder)).unwrap();
    assert_eq!(state.waiting, CurrentWait::Nothing);
    assert!(state.world.ended.is_some());
}

#[test]
fn finished_campaigns_of_castiglione_stay_sound() {
    stays_sound("castiglione");
}

#[test]
fn finished_campaigns_of_novara_stay_sound() {
    stays_sound("novara");
}

#[test]
fn finished_campaigns_of_toulon_stay_sound() {
    stays_sound("toulon");
}

#[test]
fn finished_campaigns_of_risorgimento_stay_sound() {
    stays_sound("risorgimento");
}

#[test]
fn finished_campaigns_of_diplomacy_stay_sound() {
    stays_sound("diplomacy");
}

#[test]
fn finished_campaigns_with_a_beacon_stay_sound() {
    stays_sound("beacon");
}

#[test]
fn finished_campaigns_that_were_rolled_back_stay_sound() {
    stays_sound("rolled-back");
}

/// Worlds, phases, dice and bindings come out as they are on record, whichever version audits.
#[track_caller]
fn stays_sound(name: &str) {
    let folder = finished(name);
    ends_as_recorded(&folder);
    let report = audited_by(&folder, &Version::running());
    assert_eq!(report.verdict(), Verdict::Fits, "{name}: {report:#?}");
    let report = audited_by(&folder, &another());
    assert_eq!(report.verdict(), Verdict::Fits, "{name}: {report:#?}");
    let other = |line: &&String| line.contains("were compared with their digests alone");
    assert!(
        report.unchecked.iter().any(|line| other(&line)),
        "{report:#?}"
    );
    assert!(report.tally.inputs > 3, "{report:#?}");
    assert_eq!(report.tally.rolls > 0, name != "diplomacy", "{report:#?}");
}

/// A letter of another version that was changed in an outbox is found by its digest, or where it
/// has a picture by its sheet.
#[test]
fn changed_letters_of_another_version_are_found() {
    let folder = finished("rolled-back");
    let wrong = || audited_by(&folder, &another()).wrong;
    assert_eq!(wrong(), Vec::<String>::new());
    let outbox = root(&folder).join("outbox/french/new");
    let letter = fs::read_dir(&outbox)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let text = fs::read_to_string(&letter).unwrap();
    fs::write(&letter, text.replacen("Subject: ", "Subject: X", 1)).unwrap();
    let found = wrong();
    assert!(found[0].contains("a letter in an outbox"), "{found:?}");
    fs::remove_file(&letter).unwrap();
    assert_eq!(wrong(), Vec::<String>::new(), "a letter may be taken away");
    fs::write(outbox.join("spring.french.9999.abcdefgh@example.org"), text).unwrap();
    let found = wrong();
    assert!(
        found[0].contains("the journal was cut short or put back"),
        "{found:?}"
    );
}

#[test]
fn changed_pictures_of_another_version_are_found() {
    let mut test = Test::campaign("castiglione")
        .with_pictures()
        .scenario("lonato")
        .begin();
    pass(&mut test, "2026-11-21T13:00:00Z");
    let audited = || audit::campaign_by(&test.root(), None, &another(), &mut |_, _| {}).unwrap();
    let report = audited();
    assert_eq!(report.verdict(), Verdict::Fits, "{report:#?}");
    assert!(
        report.tally.texts > 2,
        "the words of dispatches are found in their letters: {report:#?}"
    );
    let letter = test.dispatch("french");
    let file = test
        .root()
        .join("outbox/french/new")
        .join(&letter.message_id);
    let text = String::from_utf8(letter.bytes.clone()).unwrap();
    let middle = text.find("image/png").unwrap() + 5000;
    let place = middle + text[middle..].find('A').unwrap();
    fs::write(&file, format!("{}B{}", &text[..place], &text[place + 1..])).unwrap();
    assert!(audited().wrong[0].contains("a letter in an outbox"));
}

/// What binds letters is made again from their digests on record: nobody changes these unnoticed.
#[test]
fn another_binding_of_another_version_is_found() {
    for (field, says) in [
        ("bound", "an entry of the register"),
        ("message_id", "has not the letters"),
    ] {
        let folder = finished("rolled-back");
        forger::journal(&root(&folder).join("journal.jsonl"), |records| {
            let mails = records
                .iter_mut()
                .filter_map(|record| record.get_mut("mails"));
            let mut mails = mails.filter_map(|mails| mails.as_array_mut()).flatten();
            let mail = mails.find(|mail| mail.get(field).is_some()).unwrap();
            let changed = mail[field].as_str().unwrap().replacen('a', "b", 1);
            mail[field] = changed.into();
        });
        let wrong = audited_by(&folder, &another()).wrong;
        assert!(wrong[0].contains(says), "{field}: {wrong:?}");
    }
}

/// One digest for all letters that the running version makes of a finished campaign.
fn letters_of(name: &str) -> Digest {
    let folder = finished(name);
    let (directory, context, _) = durable::look(&root(&folder)).unwrap();
    let records = directory.records::<Event>(Position::START).unwrap();
    let (mut state, mut digests) = (None, String::new());
    for step in Steps::new(&records.records, false) {
        let JournalStep { input, done } = step.unwrap();
        let (_, done) = done.unwrap();
        let (now, effects) = campaign::redo(&context, state, input, done).unwrap();
        for letter in &effects.mailing.letters {
            digests.push_str(&format!("{}\n", letter.digest()));
        }
        state = Some(now);
    }
    Digest::of(digests.as_bytes())
}

/// All that makes letters, as lines `<what> <digest>`: the letters of the finished campaigns, and
/// the templates, since no campaign has every letter that there is. How people write, and what a
/// new game begins with, makes no letter.
fn letters_now() -> String {
    let mut lines = vec![format!("letters {LETTERS_VERSION}\n")];
    let mut templates = String::new();
    for (path, bytes) in files_below(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"),
        |name| {
            let unsent = [
                "new-game",
                "errands.yaml",
                "requests.yaml",
                "umpire_forms.yaml",
            ];
            !unsent.iter().any(|it| name.ends_with(it))
        },
    ) {
        templates.push_str(&format!("{path} {}\n", Digest::of(&bytes)));
    }
    lines.push(format!("templates {}\n", Digest::of(templates.as_bytes())));
    for name in FINISHED {
        lines.push(format!("{name} {}\n", letters_of(name)));
    }
    lines.concat()
}

fn letters_on_record() -> String {
    fs::read_to_string(folder().join("letters.txt")).unwrap_or_default()
}

#[test]
fn letters_change_with_their_version_alone() {
    let (recorded, now) = (letters_on_record(), letters_now());
    assert!(
        recorded == now,
        "letters changed: raise LETTERS_VERSION in src/lib.rs if you have not, so that audits of records of earlier builds do not \
         take honest letters for forged ones; then write their digests anew with\n\
         cargo test --test suite versions::write -- --ignored\n\non record:\n{recorded}\nnow:\n{now}"
    );
}

/// Writes the campaigns that are missing, and the digests of letters for a new number.
#[test]
#[ignore = "writes into the repository"]
fn write() {
    fs::create_dir_all(folder()).unwrap();
    let missing = FINISHED.into_iter().filter(|name| !archive(name).exists());
    for name in missing {
        match name {
            "beacon" => pack(name, &beacon().root(), true),
            "rolled-back" => pack(name, &rolled_back().root(), true),
            "novara" => simulated(name, "mortara", &[]),
            "toulon" => simulated(name, "short", &[]),
            "risorgimento" => simulated(name, "canal_bridge", &[]),
            "diplomacy" => simulated(name, "classic", &[("last_year", "1903")]),
            game => simulated(game, "campaign", &[]),
        }
    }
    let recorded = letters_on_record();
    let now = letters_now();
    let number = |text: &str| text.lines().next().map(str::to_owned);
    assert!(
        recorded == now || number(&recorded) != number(&now),
        "letters changed: raise LETTERS_VERSION first"
    );
    fs::write(folder().join("letters.txt"), now).unwrap();
}

/// Packs a campaign: all but snapshots, the inbox and the lock. Letters of whole games are left
/// out: they are as large as all the rest, and made again.
fn pack(name: &str, root: &Path, letters: bool) {
    let packed = GzEncoder::new(File::create(archive(name)).unwrap(), Compression::best());
    let mut builder = tar::Builder::new(packed);
    let is_left_out = |name: &str| match name {
        "snapshots" | "inbox" | "lock" => true,
        "outbox" => !letters,
        _ => false,
    };
    for (path, bytes) in files_below(root, |name| !is_left_out(name)) {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, path, bytes.as_slice())
            .unwrap();
    }
    builder
        .into_inner()
        .unwrap()
        .finish()
        .unwrap()
        .flush()
        .unwrap();
    assert_eq!(
        audited_by(&finished(name), &Version::running()).verdict(),
        Verdict::Fits
    );
}

/// The files below a folder by their paths, but for what is left out.
fn files_below(root: &Path, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if !is_wanted(&name) {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else {
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// A whole campaign of a game, played by its bots.
fn simulated(game: &str, scenario: &str, options: &[(&str, &str)]) {
    let out = tempfile::tempdir().unwrap();
    let loaded = shipped_with_bots(game);
    let scenario = scenario.to_owned();
    let set = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let plan = SimulationPlan {
        roster: None,
        game: game.to_owned(),
        scenario,
        options: options.iter().map(set).collect(),
        questions_per_turn: 2,
        pairings: Vec::new(),
        campaigns: 1,
        seed: 13,
        threads: 1,
        trace: false,
        out: Some(out.path().to_owned()),
        keep_all: true,
        recheck: false,
        pictures: false,
    };
    let report = simulate::run(&plan, &loaded, &mut |_| {}).unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
    let kept = fs::read_dir(out.path()).unwrap().next().unwrap().unwrap();
    pack(game, &kept.path().join("campaign"), false);
}

/// A campaign whose dice came from the beacon, and whose rules end it with its first turn.
fn beacon() -> Test {
    let rules = copied_rules();
    let file = rules.path().join("castiglione/initiative.rhai");
    let begins = "    set_fact(\"initiative\", holder);\n";
    let ends = "    if d6(\"the/end\") > 0 { victory(\"french\", \"test\"); return (); }\n";
    change(&file, begins, &format!("{begins}{ends}"));
    let plan = Test::campaign("castiglione")
        .scenario("lonato")
        .questions(0);
    let mut test = sealed_in(
        plan.rules(rules.path())
            .dice("[{source: drand, margin_seconds: 60}]"),
    );
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    test.clock("2023-09-07T15:11:30Z").run();
    assert_eq!(test.state().waiting, CurrentWait::Nothing);
    test
}

/// A campaign that was taken back once, with its letters and their pictures.
fn rolled_back() -> Test {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, at: [Mon 20:00, Wed 20:00, Fri 20:00]}")
        .begin();
    test.clock("2026-11-21T13:00:00Z");
    test.mail("austrian", "RETREAT NEVER\nPURSUE NEVER").run();
    pass(&mut test, "2026-11-23T20:00:00Z");
    pass(&mut test, "2026-11-25T20:00:00Z");
    let why = ["--why", "the map was read wrong"];
    decides(&test, &["rollback", "--envelope", "2", why[0], why[1]]);
    test.play_out(|_| ())
}
