//! What lines are read as, and what is wrong with the wrong ones.

use super::{order, under, wrong};
use crate::{
    game::Lang,
    orders::{
        Command, Grammar, GrammarError, NOT_AN_OPTION, OrderLine, QuestionForm, Test, Vocabulary,
        fixture::{OrderTable, game, options, world},
    },
    value::{Fields, Value},
};

fn is(condition: &str, json: &str) -> Test {
    let (condition, args) = (condition.to_owned(), args(json));
    Test::Is { condition, args }
}

fn args(json: &str) -> Fields {
    serde_json::from_str(json).unwrap()
}

#[test]
fn orders_hold_their_slots() {
    for (text, verb, json) in [
        (
            "MOVE Ada, Bert: Mill - Castelnuovo",
            "move",
            r#"{"who":{"list":["ada","bert"]},"steps":[{"way":["mill","castel_nuovo"]}]}"#,
        ),
        (
            "move ada + albert & carl: mill castel d'ario salo forced",
            "move",
            r#"{"who":{"list":["ada","bert","carl"]},"steps":[{"way":["mill","castel_ario","salo"]}],"forced":true}"#,
        ),
        (
            "MOVE ALL AT Mill EXCEPT Carl: - Castel d’Ario – Salò",
            "move",
            r#"{"who":{"all":true,"at":"mill","except":["carl"]},"steps":[{"way":["castel_ario","salo"]}]}"#,
        ),
        (
            "MOVE all: Mill",
            "move",
            r#"{"who":{"all":true,"at":null,"except":[]},"steps":[{"way":["mill"]}]}"#,
        ),
        (
            "MOVE Bert gun: Mill - Salo DESTROY Mill-Castel d'Ario",
            "move",
            r#"{"who":{"list":["bert_guns"]},"steps":[{"way":["mill","salo"]},{"destroy":["mill","castel_ario"]}]}"#,
        ),
        (
            "MOVE Mill guard: REPAIR Santa Rita-Saint-Cyr Mill",
            "move",
            r#"{"who":{"list":["mill_guard"]},"steps":[{"repair":["santa_rita","saint_cyr"]},{"way":["mill"]}]}"#,
        ),
        (
            "SCOUT Mill → Salo WITH Ada",
            "scout",
            r#"{"from":"mill","target":"salo","with":"ada"}"#,
        ),
        (
            "RETRAITE APRES 1 SI INFERIEUR",
            "retreat",
            r#"{"when":"outnumbered"}"#,
        ),
        (
            "RETREAT AFTER 1 AT Mill IF RATIO < 0,7",
            "retreat",
            r#"{"at":"mill","below":700,"when":"ratio"}"#,
        ),
        (
            "RETREAT AFTER 1 WITH Ada IF RATIO < 7/10",
            "retreat",
            r#"{"beside":"ada","below":700,"when":"ratio"}"#,
        ),
        (
            "RETREAT AFTER 1 IF HITS ≥ 4.",
            "retreat",
            r#"{"hits":4,"when":"hits"}"#,
        ),
        ("RETREAT NEVER", "retreat", r#"{"when":"never"}"#),
        (
            "RETREAT TO Mill, Salo",
            "retreat_to",
            r#"{"to":["mill","salo"]}"#,
        ),
        (
            "MARCHER Ada ET Bert À MOINS DE 1 SI INFÉRIEUR",
            "march",
            r#"{"who":{"list":["ada","bert"]},"within":1,"outnumbered":true}"#,
        ),
        (
            "MARCHER TOUS A MOINS DE 2",
            "march",
            r#"{"who":{"all":true,"at":null,"except":[]},"within":2}"#,
        ),
        (
            "MARCHER TOUS A Mill VERS TOUT",
            "march",
            r#"{"who":{"all":true,"at":"mill","except":[]},"any":true}"#,
        ),
        (
            "SHELL Hugo, Greta, Ada",
            "shell",
            r#"{"targets":["hugo","greta","ada"],"how":"list"}"#,
        ),
        (
            "SHOW LEADERS, Ada + LEADERS",
            "show",
            r#"{"list":[{"kind":"leaders"},{"kind":"piece","piece":"ada"},{"kind":"leaders"}]}"#,
        ),
    ] {
        let found = order(text);
        assert_eq!(
            (found.verb.as_str(), &found.args),
            (verb, &args(json)),
            "{text}"
        );
    }
}

#[test]
fn every_mark_and_habit_of_mail_programs_is_read() {
    let plain = order("MOVE Ada: Castel d'Ario - Salo");
    for text in [
        "\u{feff}MOVE\u{a0}Ada\u{202f}: Castel d\u{2019}Ario \u{2013} Sal\u{f2}.",
        "move  ADA :  castel_ario -- salo   # with a comment; MOVE Bert: Mill",
        "  * MOVE Ada: Castel d Ario \u{2014} Salo\r",
        "de\u{301}placer ada: castel d'ar salo,",
        "MOVE \u{201c}Ada\u{201d}: Castel d'Ario\tSalo ;",
    ] {
        assert_eq!(order(text).args, plain.args, "{text}");
    }
}

#[test]
fn lines_and_parts_of_lines_are_read_one_by_one() {
    let text = "Dear umpire\r\n\r\n# MOVE Ada: Mill\n> MOVE Bert: Mill\n-----\nMOVE Ada: Mill; MOVE Bort: Mill ; RETREAT NEVER\n";
    let reading = OrderTable::new(Lang::En).read(text);
    let shapes: Vec<_> = reading
        .lines
        .iter()
        .map(|(line, what)| {
            (
                *line,
                match what {
                    OrderLine::Order(order) => order.verb.as_str(),
                    OrderLine::Command(_) => "command",
                    OrderLine::Wrong(wrong) => wrong.reason.as_str(),
                },
            )
        })
        .collect();
    assert_eq!(
        shapes,
        [
            (1, "unknown_order"),
            (6, "move"),
            (6, "unknown_piece"),
            (6, "retreat")
        ]
    );
    let wrong = reading.wrong().nth(1).unwrap();
    assert_eq!(
        (under(wrong).as_str(), wrong.suggestions.as_slice()),
        ("Bort", &["Bert".to_owned()][..])
    );
}

#[test]
fn wrong_lines_say_where_and_why() {
    for (text, reason, words, suggestions) in [
        ("MUVE Ada: Mill", "unknown_order", "MUVE", vec!["MOVE"]),
        ("MOVE Adda: Mill", "unknown_piece", "Adda", vec!["Ada"]),
        ("MOVE Ada, Brt: Mill", "unknown_piece", "Brt", vec!["Bert"]),
        ("MOVE Ada Mill", "missing_colon", "", vec![]),
        ("MOVE Ada", "colon_and_more", "", vec![]),
        (
            "MOVE Ada: Mill - Saloo",
            "unknown_space",
            "Saloo",
            vec!["Salò"],
        ),
        (
            "MOVE Ada: Castel - Mill",
            "ambiguous",
            "Castel",
            vec!["Castel d'Ario", "Castelnuovo"],
        ),
        (
            "MOVE Ada: Mill FORCD",
            "unexpected",
            "FORCD",
            vec!["FORCED"],
        ),
        ("MOVE Ada:", "too_short", "", vec![]),
        (
            "MOVE Ada: DESTROY Mill-Salo",
            "no_road",
            "Mill-Salo",
            vec!["Mill-Castel d'Ario"],
        ),
        ("MOVE Greta: Mill", "not_yours", "Greta", vec![]),
        ("MOVE Salo: Mill", "is_a_space", "Salo", vec![]),
        ("BATTLES Mill", "not_now", "BATTLES", vec![]),
        (
            "RETREAT AFTER 1 IF HITS >= many",
            "no_number",
            "many",
            vec![],
        ),
        ("RETREAT AFTER 2 ALWAYS", "unexpected", "2", vec![]),
        (
            "IF ENEMY AT Mlil: MOVE Ada: Mill",
            "unknown_space",
            "Mlil",
            vec!["Mill"],
        ),
        (
            "IF ENEMY AT Mill: MOVE Adda: Mill",
            "unknown_piece",
            "Adda",
            vec!["Ada"],
        ),
        ("IF ENEMY AT Mill:", "no_order", "", vec![]),
        (
            "IF TURN 3: IF TURN 4: MOVE Ada: Mill",
            "two_guards",
            "IF",
            vec![],
        ),
        (
            "IF TURN 3: IF TURN 4: IF TURN 5: IF TURN 6: IF TURN 7: MOVE Ada: Mill",
            "two_guards",
            "IF",
            vec![],
        ),
        ("ELSE: MOVE Ada: Mill", "else_alone", "ELSE", vec![]),
        ("ASK RETREET", "unexpected", "RETREET", vec!["RETREAT"]),
        ("CANCEL SHEL", "unexpected", "SHEL", vec!["SHELL"]),
        ("3: YES", "no_question", "3", vec![]),
        ("ANSWER 1: MAYBE", "unexpected", "MAYBE", vec![]),
        ("NOTHING at all", "unexpected", "at", vec![]),
    ] {
        let found = wrong(text);
        assert_eq!(
            (found.reason.as_str(), under(&found).as_str()),
            (reason, words),
            "{text}\n{found:#?}"
        );
        if !suggestions.is_empty() {
            assert_eq!(found.suggestions, suggestions, "{text}");
        }
    }
}

#[test]
fn a_piece_that_was_not_seen_is_a_nonsense_word() {
    let strip = |text: &str, word: &str| {
        let found = wrong(&text.replace('*', word));
        (
            found.reason,
            found.span,
            found.suggestions,
            found.args.len(),
        )
    };
    for text in [
        "MOVE *: Mill",
        "MOVE Ada: *",
        "SHOW *",
        "IF ENEMY AT *: MOVE Ada: Mill",
        "*",
    ] {
        assert_eq!(strip(text, "Hugo"), strip(text, "Xyzw"), "{text}");
    }
    // A list of names takes the force list, seen or not, and suggests only what was seen.
    assert_eq!(
        order("SHELL Hugo").args,
        args(r#"{"targets":["hugo"],"how":"list"}"#)
    );
    assert_eq!(wrong("SHELL Gretta").suggestions, ["Greta"]);
    assert!(wrong("SHELL Huggo").suggestions.is_empty());
}

#[test]
fn commands_are_read_in_both_languages() {
    let table = OrderTable::new(Lang::En);
    let read = |text: &str| match table.read(text).lines.as_slice() {
        [(_, OrderLine::Command(command))] => command.clone(),
        other => panic!("{text}: {other:#?}"),
    };
    assert_eq!(read("rien."), Command::Nothing);
    assert_eq!(read("ANNULER"), Command::Cancel { group: None });
    assert_eq!(
        read("CANCEL RETRAITE"),
        Command::Cancel {
            group: Some("retreat".into())
        }
    );
    let topics = vec!["retreat".to_owned(), "march".to_owned()];
    assert_eq!(
        read("DEMANDER RETREAT, MARCHER"),
        Command::Ask {
            topics: topics.clone(),
            on: true
        }
    );
    assert_eq!(
        read("Don't ask retreat and march"),
        Command::Ask { topics, on: false }
    );
    let answer = Command::Answer {
        question: 1,
        topic: "retreat".into(),
        args: args(r#"{"answer":"yes","to":"salo"}"#),
    };
    for text in [
        "ANSWER 1: YES TO Salo",
        "1: oui vers Salo",
        "Réponse 1 : OUI VERS Salò",
    ] {
        assert_eq!(read(text), answer, "{text}");
    }
    assert!(table.read("ADD\nMOVE Ada: Mill").adds());
    assert_eq!(
        table
            .read("MOVE Ada: Mill\nADD")
            .wrong()
            .next()
            .unwrap()
            .reason,
        "add_not_first"
    );
}

#[test]
fn guards_take_their_alternatives() {
    let text = "IF ENEMY AT Salo: MOVE Ada: Mill\nSINON: MOVE Ada: Salo\nELSE MOVE Bert: Salo\nRETREAT NEVER";
    let reading = OrderTable::new(Lang::En).read(text);
    assert_eq!(reading.lines.len(), 2);
    let order = reading.orders().next().unwrap();
    let guard = order.guard.as_ref().unwrap();
    assert_eq!(guard.test, is("enemy_at", r#"{"at":"salo"}"#));
    assert_eq!(
        guard
            .otherwise
            .iter()
            .map(|other| other.line)
            .collect::<Vec<_>>(),
        [2, 3]
    );
    let lost =
        OrderTable::new(Lang::En).read("IF ENEMY AT Nowhere: MOVE Ada: Mill\nELSE: MOVE Ada: Salo");
    let reasons: Vec<_> = lost.wrong().map(|wrong| wrong.reason.as_str()).collect();
    assert_eq!(reasons, ["unknown_space", "else_of_wrong"]);
}

#[test]
fn orders_wait_for_their_phase_and_standing_ones_do_not() {
    let table = OrderTable::new(Lang::En);
    let read = |phases: &[&str]| {
        let reading = table.read_in(
            "MOVE Ada: Mill\nBATTLES Mill\nRETREAT NEVER",
            phases,
            Lang::En,
        );
        reading
            .orders()
            .map(|order| order.verb.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(read(&["movement.north"]), ["move", "retreat"]);
    assert_eq!(read(&["combat"]), ["battles", "retreat"]);
    assert_eq!(
        read(&["movement", "combat"]),
        ["move", "battles", "retreat"]
    );
    assert_eq!(read(&[]), ["retreat"]);
}

#[test]
fn verbs_of_an_option_that_is_off_do_not_exist() {
    let table = OrderTable {
        grammar: Grammar::new(&game().decl, &options("off")).unwrap(),
        ..OrderTable::new(Lang::En)
    };
    let reading = table.read("SCOUT Mill -> Salo");
    assert_eq!(reading.wrong().next().unwrap().reason, "unknown_order");
}

#[test]
fn limits_cut_without_spoiling_what_was_read() {
    let table = OrderTable::new(Lang::En);
    let long = format!("MOVE Ada: Mill\n{}\n", "x".repeat(501));
    let reading = table.read(&long);
    assert_eq!(
        (
            reading.orders().count(),
            reading.wrong().next().unwrap().reason.as_str()
        ),
        (1, "line_too_long")
    );
    let reading = table.read(&"MOVE Ada: Mill\n".repeat(2_100));
    assert_eq!(
        (
            reading.orders().count(),
            reading.wrong().next().unwrap().reason.as_str()
        ),
        (2_000, "too_many_lines")
    );
    let reading = table.read(&format!("MOVE Ada: Mill\n{}", "#é\n".repeat(40_000)));
    assert!(
        reading
            .wrong()
            .any(|wrong| wrong.reason == "mail_too_long" || wrong.reason == "too_many_lines")
    );
    assert_eq!(order(&format!("SHELL {}Q", "Q,".repeat(199))).verb, "shell");
    let found = wrong(&format!("SHELL {}Q", "Q,".repeat(200)));
    assert_eq!(found.reason, "list_too_long");
}

#[test]
fn grammar_errors_name_verb_form_and_column() {
    let mut decl = game().decl;
    decl.orders.verbs["move"].forms = vec!["MOVE <who:peices>".to_owned()];
    let Err(GrammarError::Form { place, column, .. }) = Grammar::new(&decl, &options("on")) else {
        panic!("a misspelt slot is accepted");
    };
    assert_eq!((place.as_str(), column), ("verb move", 11));
    decl.orders.verbs["move"].forms = vec!["MOVE NOWHERE".to_owned()];
    assert!(
        matches!(Grammar::new(&decl, &options("on")), Err(GrammarError::NoKeyword { keyword, .. }) if keyword == "NOWHERE")
    );
}

#[test]
fn the_view_alone_decides() {
    let game = game();
    let mut other = world(&game);
    other.put("hugo", &"salo".into());
    let view = other.seen_by(&game, "north");
    let table = OrderTable {
        names: Vocabulary::of_view(&game, &view, Lang::En),
        ..OrderTable::new(Lang::En)
    };
    for text in [
        "MOVE Hugo: Mill",
        "MOVE Hug: Mill",
        "SHELL Hugo",
        "MOVE Ada: Salo",
    ] {
        assert_eq!(table.read(text), OrderTable::new(Lang::En).read(text));
    }
}

/// Pieces, spaces, numbers and words that are none of the options; what a form says besides is
/// free.
#[test]
fn an_answer_names_nothing_but_the_options() {
    let option = |key: &str, id: &str| Value::Map(Fields::from([(key.to_owned(), id.into())]));
    let read = |topic: &str, options: Vec<Value>, answer: &str| {
        let mut table = OrderTable::new(Lang::En);
        let mut question = QuestionForm::new(1, topic);
        question.options = options;
        table.questions = vec![question];
        let reading = table.read(&format!("1: {answer}"));
        match reading.wrong().next() {
            Some(wrong) => format!("{} {:?}", wrong.reason, wrong.args.get("name")),
            None => "taken".to_owned(),
        }
    };
    let refused = |name: &str| format!("{NOT_AN_OPTION} {:?}", Some(&Value::from(name)));
    let ada = || vec![option("piece", "ada")];
    assert_eq!(read("march", ada(), "Ada"), "taken");
    assert_eq!(read("march", ada(), "NO"), "taken");
    assert_eq!(read("march", ada(), "ALL EXCEPT Bert"), "taken");
    assert_eq!(read("march", ada(), "Ada, Bert"), refused("Bert"));
    let mill = || vec![option("space", "mill")];
    assert_eq!(read("retreat", mill(), "YES TO Mill"), "taken");
    assert_eq!(read("retreat", mill(), "NO"), "taken");
    assert_eq!(read("retreat", mill(), "YES TO Salo"), refused("Sal\u{f2}"));
    assert_eq!(read("retreat", Vec::new(), "YES TO Salo"), "taken");
    let yes = || vec![Value::from("yes")];
    assert_eq!(read("retreat", yes(), "YES TO Salo"), "taken");
    assert_eq!(read("retreat", yes(), "NO"), refused("no"));
    let two = || vec![Value::Int(1), Value::Int(2)];
    assert_eq!(read("secret", two(), "2"), "taken");
    assert_eq!(
        read("secret", two(), "3"),
        format!("{NOT_AN_OPTION} {:?}", Some(Value::Int(3)))
    );
}

/// An answer without a number is for the only question of whose subject nothing in it differs.
#[test]
fn an_answer_may_name_the_subject_of_its_question() {
    let space = |id: &str| Value::Map(Fields::from([("space".to_owned(), id.into())]));
    let about = |at: &str| Fields::from([("to".to_owned(), space(at))]);
    let answered = |subjects: [&str; 2], answer: &str| {
        let mut table = OrderTable::new(Lang::En);
        let question = |number| QuestionForm::new(number, "retreat");
        table.questions = vec![
            question(1).about(&about(subjects[0])),
            question(2).about(&about(subjects[1])),
        ];
        let reading = table.read(answer);
        reading.commands().find_map(|command| match command {
            Command::Answer { question, .. } => Some(*question),
            _ => None,
        })
    };
    assert_eq!(answered(["mill", "salo"], "YES TO Mill"), Some(1));
    assert_eq!(answered(["mill", "salo"], "YES TO Salo"), Some(2));
    assert_eq!(answered(["mill", "mill"], "YES TO Mill"), None);
    assert_eq!(answered(["mill", "salo"], "NO"), None);
}
