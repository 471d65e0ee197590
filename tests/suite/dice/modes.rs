//! Dice that wait for the public beacon or for a witness: seals, values by mail and file, refusals,
//! silence.

use std::{
    fs,
    process::{Command, Output},
};

use crate::support::{
    Letter, MOMENT_42, NAME, ROUND_42, ROUND_1000, Test, fed, forger, is_rolled, is_sound, pass,
    sealed_with, witness,
};
use estafette::{
    audit,
    campaign::{
        self,
        model::{settings::Settings, state::CurrentWait},
    },
    dice::{BoundText, Key, PrivateBlock, digest, hash},
    mail::{MailLimits, read},
    store::Directory,
};

/// A real round of quicknet, as those of the other dice tests.
const ROUND_123: &str = "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";

fn beacon() -> Test {
    sealed_with("[{source: drand, margin_seconds: 60}]")
}

fn round(test: &Test) -> Option<u64> {
    match test.state().waiting {
        CurrentWait::Dice { round, .. } => round,
        other => panic!("the dice do not wait: {other:?}"),
    }
}

#[test]
fn the_seal_goes_out_at_once_and_binds_the_orders() {
    let test = beacon();
    assert_eq!(round(&test), Some(42));
    for (seat, words) in [("french", "RIEN\n"), ("austrian", "PURSUE NEVER\n")] {
        let letter = test.newest(seat);
        letter
            .contains("BEACON 42")
            .contains("2023-08-23T15:11:30Z")
            .contains("\nround 42\n")
            .contains("\nregister 2 ");
        assert!(letter.html.is_none());
        is_no_answer_by_itself(&letter);
        let (name, bytes) = &letter.attached[0];
        assert_eq!(name, "register-spring-2.txt");
        let entry = String::from_utf8(bytes.clone())
            .unwrap()
            .replace("\r\n", "\n");
        assert!(letter.text.contains(entry.trim_end()), "{entry}");
        let block = PrivateBlock::find(&letter.text).remove(0).unwrap();
        assert!(block.keys.is_empty() && block.rolls.is_empty());
        let what = BoundText::Orders(seat.into());
        assert_eq!(block.blinds[0].0, what);
        let bound = format!("orders {seat} {}", digest(&block.blinds[0].1, words));
        letter.contains(&bound);
    }
    is_sound(&test);
}

/// Lines of the letter that look like answers are none, where a mail program has sent them back
/// bare.
#[track_caller]
fn is_no_answer_by_itself(letter: &Letter) {
    let like_answers = |line: &&str| ["BEACON", "TOKEN"].iter().any(|word| line.contains(word));
    let lines: Vec<&str> = letter.text.lines().filter(like_answers).collect();
    assert!(!lines.is_empty());
    for line in lines {
        let mail = format!("From: ada@example.net\r\nContent-Type: text/plain\r\n\r\n{line}\r\n");
        let words = read(mail.as_bytes(), &MailLimits::default())
            .unwrap()
            .words
            .text;
        assert_eq!(words, "", "{line}");
    }
}

#[test]
fn the_dice_wait_for_the_genuine_value_of_their_round() {
    let mut test = beacon();
    test.clock(MOMENT_42);
    for (words, why) in [
        (format!("BEACON 41 {ROUND_42}"), "value_early"),
        (format!("BEACON 43 {ROUND_42}"), "value_late"),
        (format!("BEACON 42 {ROUND_1000}"), "value_wrong"),
        ("BEACON 42 abcd".to_owned(), "value_wrong"),
        ("BEACON 42".to_owned(), "value_wrong"),
    ] {
        test.mail("austrian", &words).run();
        assert_eq!(round(&test), Some(42), "{words}");
        let refused = test.records("refused").pop().unwrap();
        assert_eq!(
            (&refused["reason"], &refused["seat"]),
            (&why.into(), &"austrian".into())
        );
        assert!(refused["detail"].as_str().unwrap().contains("round 42"));
        assert!(test.newest("austrian").subject.contains("not taken"));
    }
    test.newest("austrian").contains("not genuine");
    test.mail(
        "french",
        &format!("beacon 42 {}\n\nVoilà.", ROUND_42.to_uppercase()),
    )
    .run();
    assert!(is_rolled(&test));
    let line = format!("\ndrand 42 {ROUND_42}\n");
    for seat in ["french", "austrian"] {
        let dispatch = test.dispatch(seat);
        dispatch.contains(&line).contains("\nregister 3 ");
        assert!(
            !dispatch.text.contains("\nround 42\n"),
            "the seal goes out once"
        );
    }
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    let refused = test.records("refused").pop().unwrap();
    assert_eq!(refused["reason"], "value_not_asked");
    is_sound(&test);
}

/// Who has a value before the moment of its round has not got it from the beacon's round to come:
/// it would bind nothing.
#[test]
fn a_value_is_taken_from_the_moment_of_its_round_on() {
    let mut test = beacon();
    test.clock("2023-08-23T15:11:29Z");
    let value = format!("BEACON 42 {ROUND_42}");
    test.mail("austrian", &value).run();
    assert_eq!(round(&test), Some(42));
    let refused = test.records("refused").pop().unwrap();
    assert_eq!(refused["reason"], "value_too_soon");
    let letter = test.newest("austrian").text.replace('\n', " ");
    assert!(letter.contains("whose moment has not come yet"), "{letter}");
    let folder = test.root().join("beacon");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("42"), format!("42 {ROUND_42}\n")).unwrap();
    let said = test.run();
    assert!(said[0].contains("its moment has not come"), "{said:?}");
    assert_eq!(round(&test), Some(42));
    // The file still lies there.
    test.clock(MOMENT_42).run();
    assert!(is_rolled(&test));
    is_sound(&test);

    // A host that takes it all the same: its own journal convicts it, however well it is mended.
    forger::journal(&test.root().join("journal.jsonl"), |records| {
        let at = records.iter().position(|record| record["kind"] == "value");
        for record in &mut records[at.unwrap()..=at.unwrap() + 1] {
            record["time"] = "2023-08-23T15:11:29Z".into();
        }
    });
    let wrong = audit::campaign(&test.root()).unwrap().wrong;
    assert!(
        wrong[0].contains("the moment of its round had not come"),
        "{wrong:#?}"
    );
}

#[test]
fn what_is_no_value_in_the_folder_is_told_once_with_its_line() {
    let mut test = beacon();
    test.clock(MOMENT_42);
    let folder = test.root().join("beacon");
    fs::create_dir(&folder).unwrap();
    let text = format!("# quicknet\n\n42 {ROUND_42}x\n");
    fs::write(folder.join("damaged.txt"), text).unwrap();
    fs::write(folder.join("heavy.txt"), vec![b'#'; 70_000]).unwrap();
    let mut campaign = test.open();
    campaign.pass(MOMENT_42.parse().unwrap()).unwrap();
    let notices = campaign.take_notices().join("\n");
    for wanted in ["damaged.txt, line 3 is no value of the beacon", "heavy.txt"] {
        assert!(notices.contains(wanted), "{notices}");
    }
    campaign
        .pass("2023-08-23T15:11:40Z".parse().unwrap())
        .unwrap();
    assert_eq!(campaign.take_notices(), Vec::<String>::new());
}

#[test]
fn values_come_from_files_too() {
    let mut test = beacon();
    test.clock(MOMENT_42);
    let folder = test.root().join("beacon");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("early.txt"), format!("41 {ROUND_42}\n")).unwrap();
    fs::write(
        folder.join("false.json"),
        r#"{"round":42,"signature":"abcd"}"#,
    )
    .unwrap();
    let said = test.run();
    assert!(said[0].contains("not genuine"), "{said:?}");
    assert_eq!(round(&test), Some(42));
    let json = format!(r#"{{"round":42,"randomness":"00","signature":"{ROUND_42}"}}"#);
    fs::write(folder.join("42.json"), json).unwrap();
    test.run();
    assert!(is_rolled(&test));

    pass(&mut test, "2023-08-23T15:14:33Z");
    assert_eq!(round(&test), Some(123));
    let file = test.root().join("value");
    let run = |text: &str| {
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
        command
            .arg("run")
            .arg(test.root())
            .arg("--beacon")
            .arg(&file);
        let output = command
            .args(["--now", "2023-08-23T15:15:33Z"])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let said = run(&format!("42 {ROUND_42}"));
    assert!(said.contains("no value of round 123"), "{said}");
    run(&format!("123 {ROUND_123}\n"));
    assert!(is_rolled(&test));
    is_sound(&test);
}

#[test]
fn orders_while_dice_wait_count_for_the_next_envelope() {
    let mut test = beacon();
    test.mail("austrian", "RETREAT NEVER").run();
    test.newest("austrian").contains("\nreceipt 1 austrian 2 ");
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    let state = test.state();
    assert_eq!(state.dice.orders["austrian"], "PURSUE NEVER\n");
    assert_eq!(state.seats["austrian"].carried, "RETREAT NEVER\n");
    is_sound(&test);
}

#[test]
fn the_journal_alone_gives_the_same_state() {
    let mut test = beacon();
    let waiting = test.state();
    fs::remove_dir_all(test.root().join("snapshots")).unwrap();
    fs::create_dir(test.root().join("snapshots")).unwrap();
    assert_eq!(test.state(), waiting);
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    let rolled = test.state();
    fs::remove_dir_all(test.root().join("snapshots")).unwrap();
    fs::create_dir(test.root().join("snapshots")).unwrap();
    assert_eq!(test.state(), rolled);
}

#[test]
fn a_seal_is_never_dated_back_behind_its_beacon() {
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .deadlines("{zone: UTC, at: [Wed 20:00]}")
        .dice("[{source: drand, margin_seconds: 3600}]")
        .beginning("2023-08-23T06:00:00Z")
        .begin();
    // The host is off from before the deadline until long after it; the one mail that lies there
    // came late.
    test.clock("2023-08-23T20:05:00Z").mail("french", "RIEN");
    test.clock("2023-08-23T22:00:00Z").run();
    let (context, state) = test.context();
    assert_eq!(state.dice.orders["french"], "", "the mail came too late");
    let (_, moment) = campaign::wanted(&context, &state).unwrap().round.unwrap();
    assert!(
        moment > test.now(),
        "the beacon's value was known at {moment}, before the orders were sealed at {}",
        test.now()
    );
    let seal = "\nsealed 2023-08-23T22:00:00Z\n";
    assert!((test.letters("austrian").iter()).any(|letter| letter.text.contains(seal)));
}

#[test]
fn mails_that_came_before_the_beacons_file_are_taken_before_it() {
    let mut test = beacon();
    test.clock(MOMENT_42).mail("austrian", "RETREAT NEVER");
    let folder = test.root().join("beacon");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("42"), format!("42 {ROUND_42}\n")).unwrap();
    test.run();
    assert!(is_rolled(&test));
    assert_eq!(test.records("refused").len(), 0, "its token was good");
    assert_eq!(test.state().seats["austrian"].counting(), "RETREAT NEVER\n");
}

#[test]
fn a_short_margin_is_spoken_of() {
    let report = audit::campaign(&beacon().root()).unwrap();
    let said = |report: &audit::AuditReport| {
        let mut lines = report.unchecked.iter();
        lines.any(|line| line.contains("only 60 seconds lie between a seal and its round"))
    };
    assert!(said(&report), "{report:#?}");
    let test = sealed_with("[{source: drand, margin_seconds: 900}]");
    assert!(!said(&audit::campaign(&test.root()).unwrap()));
}

/// Cleo answers her newest letter.
fn cleo(test: &mut Test, words: &str) {
    let to = test.newest("w-cleo").reply_to;
    test.mail_at("Cleo <cleo@example.org>", &to, words).run();
}

fn token(key: &Key) -> String {
    key.to_hex()
}

#[test]
fn a_witness_answers_with_the_token_of_the_envelope() {
    let (chain, source) = witness();
    let dice = format!("[{source}]");
    let mut test = sealed_with(&dice);
    test.newest("w-cleo")
        .contains("TOKEN 1 <token>")
        .contains("sd1 spring 2 seal");
    test.newest("french").contains("cleo");
    for (words, why) in [
        (
            format!("TOKEN 2 {}", token(chain.key(2).unwrap())),
            "value_late",
        ),
        (
            format!("TOKEN 1 {}", token(chain.key(2).unwrap())),
            "value_wrong",
        ),
        ("Which token?".to_owned(), "value_wrong"),
    ] {
        cleo(&mut test, &words);
        assert!(!is_rolled(&test), "{words}");
        let refused = test.records("refused").pop().unwrap();
        assert_eq!(
            (&refused["reason"], &refused["seat"]),
            (&why.into(), &"w-cleo".into())
        );
        assert!(test.newest("w-cleo").subject.contains("not taken"));
    }
    // The same word from a seat, or without the address that was given to her, is nothing.
    let first = format!("TOKEN 1 {}", token(chain.key(1).unwrap()));
    test.mail_at(
        "Cleo <cleo@example.org>",
        "game+spring.w-cleo.aaaaaaaaaaaaaaaa@example.org",
        &first,
    )
    .run();
    assert_eq!(
        test.records("refused").pop().unwrap()["reason"],
        "wrong_token"
    );
    assert!(!is_rolled(&test));
    cleo(&mut test, &first);
    assert!(is_rolled(&test));
    test.dispatch("french").contains(&format!(
        "\nwitness cleo {}\n",
        token(chain.key(1).unwrap())
    ));
    is_sound(&test);
}

#[test]
fn a_witness_who_refuses_or_is_silent_is_shown_as_such() {
    let (_, source) = witness();
    let dice = format!("[{source}]");
    let mut test = sealed_with(&dice);
    cleo(&mut test, "TOKEN 1 -");
    assert!(is_rolled(&test));
    test.dispatch("austrian").contains("\nwitness cleo -\n");
    is_sound(&test);

    let mut test = sealed_with(&dice);
    test.clock("2023-08-24T15:10:29Z").run();
    assert!(!is_rolled(&test));
    test.clock("2023-08-24T15:10:30Z").run();
    assert!(is_rolled(&test));
    test.dispatch("austrian").contains("\nwitness cleo -\n");
    is_sound(&test);
}

#[test]
fn beacon_and_witness_are_both_waited_for() {
    let (chain, source) = witness();
    let dice = format!("[{source}]");
    let both = dice.replacen(
        '[',
        "[{source: drand, margin_seconds: 60}, {source: orders}, ",
        1,
    );
    let mut test = sealed_with(&both);
    test.clock(MOMENT_42);
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(!is_rolled(&test));
    cleo(
        &mut test,
        &format!("TOKEN 1 {}", token(chain.key(1).unwrap())),
    );
    assert!(is_rolled(&test));
    is_sound(&test);
    // A beacon has no deadline: only the witness has.
    let mut test = sealed_with(&both);
    test.clock("2023-09-23T15:00:00Z").run();
    assert_eq!(round(&test), Some(42));
    test.mail("french", &format!("BEACON 42 {ROUND_42}")).run();
    assert!(is_rolled(&test));
    is_sound(&test);
}

/// Runs the program with something on its standard input.
fn estafette(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_estafette"));
    fed(command.args(args), input)
}

#[test]
fn the_program_makes_a_witness_and_answers_for_her() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("cleo.secret");
    let secret = secret.to_str().unwrap();
    let new = [
        "witness",
        "new",
        "--campaign",
        NAME,
        "--name",
        "cleo",
        "--secret",
        secret,
    ];
    let made = estafette(&new, b"");
    let text = String::from_utf8(made.stdout).unwrap();
    assert_eq!(made.status.code(), Some(0), "{text}");
    let anchor = text
        .lines()
        .find_map(|line| line.strip_prefix("anchor "))
        .unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(secret).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(
        estafette(&new, b"").status.code(),
        Some(2),
        "no secret is written over"
    );

    let dice =
        format!("[{{source: witness, name: cleo, address: cleo@example.org, anchor: {anchor}}}]");
    let mut test = sealed_with(&dice);
    let seal = test.newest("w-cleo");
    let answer = ["witness", "answer", "--secret", secret];
    let ahead = String::from_utf8(seal.bytes.clone()).unwrap();
    let ahead = ahead.replace("envelope 1", "envelope 2");
    let refused = estafette(&answer, ahead.as_bytes());
    assert_eq!(
        refused.status.code(),
        Some(1),
        "a token ahead would give away the one before"
    );
    let says = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let reply = estafette(&answer, &seal.bytes);
    assert_eq!(reply.status.code(), Some(0), "{}", says(&reply));
    assert!(says(&reply).contains("game@example.org only"));
    let foot = seal
        .text
        .lines()
        .rfind(|line| line.starts_with("register "));
    let text = String::from_utf8(reply.stdout.clone()).unwrap();
    assert!(text.contains(foot.unwrap()), "{text}");
    // Another seal of this envelope, however well it is made, and another address get nothing.
    let mail = |reply_to: &str, text: &str| {
        format!(
            "From: a@example.org\nTo: cleo@example.org\nReply-To: {reply_to}\nMessage-ID: <1@example.org>\n\n{text}"
        )
    };
    let own = seal.reply_to.clone();
    let mut other = [seal.text.replace("sealed 2023", "sealed 2024")];
    let entry = crate::support::forger::entry(&other, NAME, 2).unwrap();
    let (above, head) = entry.rsplit_once("head ").unwrap();
    let right = hash(above).to_string();
    other[0] = other[0].replace(head, &right);
    let refused = estafette(&answer, mail(&own, &other[0]).as_bytes());
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    let text = says(&refused);
    assert!(text.contains("tell all players both lines") && text.contains(&right));
    let eve = own.replace("example.org", "example.net");
    let refused = estafette(&answer, mail(&eve, &seal.text).as_bytes());
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    assert!(says(&refused).contains("tokens of the campaign spring go to game@example.org only"));
    let again = estafette(&answer, mail(&own, &seal.text).as_bytes());
    assert_eq!(again.status.code(), Some(0), "{}", says(&again));
    test.raw(&reply.stdout).run();
    assert!(is_rolled(&test));
    is_sound(&test);
}

#[test]
fn new_makes_campaigns_with_these_sources() {
    let folder = tempfile::tempdir().unwrap();
    let anchor = "ab".repeat(32);
    let witness = format!("witness=cleo,cleo@example.org,{anchor},hours=5");
    let make = |name: &str, sources: &[&str]| {
        let into = folder.path().join(name);
        let mut args = vec![
            "new",
            "castiglione",
            "--into",
            into.to_str().unwrap(),
            "--name",
            name,
            "--seat",
            "french=ada@example.org",
            "--seat",
            "austrian=bert@example.org",
        ];
        args.extend(sources.iter().flat_map(|source| ["--dice", source]));
        let output = estafette(&args, b"");
        let settings = Settings::of(&Directory::at(&into));
        (
            output,
            settings.ok().map(|settings| settings.to_yaml().unwrap()),
        )
    };
    let warns = |output: &Output| String::from_utf8_lossy(&output.stderr).contains("warning: only");
    let (output, yaml) = make("both", &["drand,margin=1800", &witness]);
    let yaml = yaml.unwrap();
    assert!(
        yaml.contains("margin_seconds: 1800") && yaml.contains("hours: 5"),
        "{yaml}"
    );
    let (_, yaml) = make("relay", &["drand,relay=https://api.drand.sh,margin=900"]);
    let yaml = yaml.unwrap();
    assert!(
        yaml.contains("margin_seconds: 900") && yaml.contains("relay: https://api.drand.sh"),
        "{yaml}"
    );
    assert!(yaml.contains("drand") && !warns(&output));
    assert!(warns(&make("hasty", &["drand,margin=600"]).0));
    assert!(make("plain", &[]).1.unwrap().contains("source: orders"));
    for wrong in [
        "dice",
        "drand,60",
        "drand,relay=http://a.org",
        "drand,margin=59",
        "witness=cleo",
        "witness=c,c@x.org,abcd",
    ] {
        let (output, _) = make("wrong", &[wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    assert_eq!(
        make("twice", &[&witness, &witness]).0.status.code(),
        Some(2)
    );
}

/// The dice would fall again in the next envelope, and the first ones would be in no ledger.
#[test]
fn a_phase_that_asks_for_orders_after_its_dice_is_stopped() {
    let rules = crate::support::copied_rules();
    let script = rules.path().join("castiglione/movement.rhai");
    let begin = "    begin_movement();\n";
    crate::support::change(&script, begin, &format!("{begin}    d6(\"t1/early\");\n"));
    let mut test = Test::campaign("castiglione")
        .scenario("lonato")
        .rules(rules.path())
        .begin();
    if test.state().stopped().is_none() {
        test.mail("french", "RIEN")
            .mail("austrian", "PURSUE NEVER")
            .run();
    }
    let state = test.state();
    let error = state.stopped().unwrap();
    assert!(
        error.contains("asks for orders after it has rolled"),
        "{error}"
    );
}
