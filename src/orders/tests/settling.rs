//! Which lines of a mail are its orders.

use super::*;
use crate::orders::{Expect, Grammar, QuestionForm, Reading, SettledWords, read, settle};

/// What a mail of North settles to while nothing is asked, and its reading after that.
fn settled(text: &str) -> (Option<SettledWords>, Reading) {
    asked(text, &[])
}

fn asked(text: &str, questions: &[QuestionForm]) -> (Option<SettledWords>, Reading) {
    let table = OrderTable::new(Lang::En);
    let expect = Expect {
        phases: &["movement.north"],
        questions,
        lang: Lang::En,
    };
    let read = |text: &str| read(&table.grammar, &table.names, &expect, text);
    let reading = read(text);
    let settled = settle(&table.grammar, &table.names, &expect, text, &reading);
    let Some(words) = &settled else {
        return (None, reading);
    };
    let again = read(&words.text);
    let twice = settle(&table.grammar, &table.names, &expect, &words.text, &again);
    assert_eq!(twice, None, "{text}");
    (settled, again)
}

#[test]
fn words_around_orders_are_left_out() {
    for prose in [
        "nice start! Sorry for the delay",
        "Hello!",
        "Marco",
        "Love, Anna",
        "More later",
        "Thanks, I will be there",
        "If you like, we can play again on Sunday",
        "Ask me if anything is unclear about this",
        "To be honest, I was away all week - the kids were ill.",
        "Good luck at the mill, you will need it!",
        "See you in Salo",
        "10:30 is fine for me",
        "2. is the number of my house",
        "A long paragraph without a break, in which somebody tells of his holidays, of the weather there, of \
         the food, and of the book that he has read on the beach: it was about Napoleon in Italy, and he says \
         that he understands now why the rules are what they are. He goes on and on, since no mail program \
         breaks his lines any more, and never comes to what everybody waits for. So it has more than five \
         hundred characters, which is the most that an order may have, and it is still nothing but prose.",
    ] {
        for text in [
            format!("{prose}\nMOVE Ada: Mill\nRETREAT NEVER\n"),
            format!("MOVE Ada: Mill\nRETREAT NEVER\n\n{prose}\n"),
        ] {
            let (words, reading) = settled(&text);
            let words = words.unwrap_or_else(|| panic!("{prose} is kept"));
            assert_eq!(words.prose.concat(), prose);
            assert_eq!(words.text.trim(), "MOVE Ada: Mill\nRETREAT NEVER");
            assert_eq!(reading.wrong().count(), 0, "{prose}");
        }
        let (words, reading) = settled(prose);
        assert_eq!((words.unwrap().text.as_str(), reading.lines.len()), ("", 0));
    }
}

#[test]
fn what_is_nearly_an_order_is_never_prose() {
    for slip in [
        "MVOE Ada: Mill",
        "MUVE Ada: Mill",
        "MVOE Adda: Mlil",
        "move ada to nowhere",
        "Move everything forward",
        "MOVE my whole army by the left over the hills to the north of the lake please",
        "mov Ada to Mill",
        "Ada: Mill - Salo",
        "Ada to Mill",
        "Ada goes to Mill",
        "Please move Ada to Mill",
        "then Ada moves to Castelnuovo",
        "Mill - Castelnuovo",
        "RETRAET NEVER",
        "Retreat nevr",
        "Nothin",
        "NOTHNG",
        "CANCLE ALL",
        "Retreet after 1 always",
        "IF ENEMY AT Nowhere: MOVE Ada: Mill",
        "if enemy at mill move ada: salo",
        "1: YES",
        "SHEL WEAKEST",
        "- MVOE Ada: Mill",
        "1) MVOE Ada: Mill",
        "* RETRAET NEVER",
        "HOLD ON: MOVE Ada",
        "Anser 1: YES",
    ] {
        for text in [
            format!("{slip}\nMOVE Bert: Mill\n"),
            format!("MOVE Bert: Mill\n{slip}\n"),
            format!("Hello!\n{slip}\nBye for now, see you all\n"),
        ] {
            let (words, reading) = settled(&text);
            let prose = words.map(|words| words.prose.concat()).unwrap_or_default();
            assert!(!prose.contains(slip), "{text}");
            assert!(
                reading.wrong().any(|wrong| slip.contains(&wrong.text)),
                "{text}"
            );
        }
    }
}

/// What a mail to each of the games that come with the program settles to, with all its options
/// and for both sides, of which the second writes French. Orders of every phase are asked for.
fn settled_in_games(text: &str, mut check: impl FnMut(&str, &Grammar, Option<SettledWords>)) {
    use crate::{
        game::{EmbeddedFiles, Files, Game},
        orders::Vocabulary,
    };
    thread_local! {
        static GAMES: Vec<(Game, Grammar)> = {
            let loaded = |id: String| {
                let game = Game::load(&EmbeddedFiles, &id).unwrap();
                let options = game.decl.options.iter().map(|(id, option)| {
                    let on = option.values.iter().find(|value| *value == "on");
                    (id.clone(), on.unwrap_or(&option.default).clone())
                });
                let grammar = Grammar::new(&game.decl, &options.collect()).unwrap();
                (game, grammar)
            };
            EmbeddedFiles.game_ids().unwrap().into_iter().map(loaded).collect()
        };
    }
    GAMES.with(|games| {
        for (game, grammar) in games {
            let phases: Vec<&str> = game.decl.phases.iter().map(|it| it.id.as_str()).collect();
            for (side, lang) in game.decl.sides.iter().zip([Lang::En, Lang::Fr]) {
                let names = Vocabulary::of_side(game, &side.id, lang);
                let expect = Expect {
                    phases: &phases,
                    questions: &[],
                    lang,
                };
                let reading = read(grammar, &names, &expect, text);
                let words = settle(grammar, &names, &expect, text, &reading);
                let place = format!("{}, {}: {text}", game.decl.id, side.id);
                check(&place, grammar, words);
            }
        }
    });
}

#[test]
fn sentences_and_titles_that_begin_like_orders_are_left_out() {
    let mut kept = Vec::new();
    for prose in [
        "Orders for turn 6:",
        "Orders:",
        "ORDERS",
        "Ordres :",
        "Ordres pour le tour 6 :",
        "Combats:",
        "Moves:",
        "Move orders:",
        "Moves for Spring 1901",
        "Spring moves",
        "Fall orders:",
        "Moves",
        "Hold on, friends!",
        "Stand by for more",
        "Build well!",
        "Keep it up!",
        "Nothing else from me.",
        "Nothing new here",
        "March on!",
        "If you have questions, call me.",
        "Rien de plus",
        "Rien à signaler",
        "Rien d'autre pour ce tour.",
        "Pursue happiness!",
        "Cup is full.",
    ] {
        // RIEN is an order of every game.
        let above = format!("{prose}\nRIEN\n");
        let below = format!("RIEN\n\n{prose}\n");
        // Where orders begin with a word of their own, these begin like one.
        let is_nearly = ["Moves for Spring 1901", "Hold on, friends!"].contains(&prose);
        // There a season above orders says which they are for.
        let is_season = ["Spring moves", "Fall orders:"].contains(&prose);
        for text in [&above, &below] {
            settled_in_games(text, |place, grammar, words| {
                if is_nearly && !grammar.is_open {
                    return;
                }
                if is_season && grammar.is_open {
                    kept.extend(words.map(|_| place.to_owned()));
                    return;
                }
                let left = words.map(|words| (words.prose.concat(), words.text));
                let left = left.is_some_and(|(out, text)| out == prose && text.trim() == "RIEN");
                if !left {
                    kept.push(place.to_owned());
                }
            });
        }
    }
    assert!(kept.is_empty(), "{kept:#?}");
}

#[test]
fn slips_of_every_game_are_no_sentences() {
    for slip in [
        "MOVE Nobody: Nowhere",
        "MOVE ALL:",
        "Move everything forward",
        "Move all:",
        "CONCEDE?",
        "Concede ?",
        "Capituler ?",
        "concede...",
        "CONCEDE\u{2026}",
        "Conceed",
        "Retreat nevr",
        "retreat to Nowhere",
    ] {
        for text in [format!("{slip}\nRIEN\n"), format!("RIEN\n\n{slip}\n")] {
            settled_in_games(&text, |place, grammar, words| {
                // A game has one of these words, or none.
                let spellings = || grammar.keywords.spellings("CONCEDE");
                let is_spelt =
                    |word: &str| spellings().any(|it| it.split(' ').next() == Some(word));
                let of_end = [("conce", "concede"), ("capit", "capituler")];
                let of_end = of_end
                    .iter()
                    .find(|(begun, _)| slip.to_lowercase().starts_with(begun));
                if of_end.is_some_and(|(_, word)| !is_spelt(word)) {
                    return;
                }
                let prose = words.map(|words| words.prose.concat()).unwrap_or_default();
                assert!(!prose.contains(slip), "{place}");
            });
        }
    }
}

#[test]
fn a_title_above_a_list_of_names_is_no_title() {
    let (words, _) = settled("MOVE Ada: Mill\nMarch:\nSalo");
    assert_eq!(words, None);
    let (words, _) = settled("March:\nMOVE Ada: Mill");
    assert_eq!(words.unwrap().prose, ["March:"]);
}

#[test]
fn a_question_is_no_order() {
    for text in [
        "MOVE Ada: Mill?",
        "Move Ada to Mill ?",
        "RETREAT NEVER?! ; RANK I",
        "NOTHING?",
        "CANCEL ALL ?  # what do you think",
    ] {
        let reading = OrderTable::new(Lang::En).read(text);
        assert_eq!(reading.wrong().next().unwrap().reason, "asked", "{text}");
    }
    let reading = OrderTable::new(Lang::En).read("RETREAT NEVER...\nRETREAT NEVER # or not?");
    assert_eq!(reading.wrong().next(), None);
}

#[test]
fn what_ends_a_game_is_written_without_a_doubt() {
    let mut game = crate::orders::fixture::game();
    let rank = game.decl.orders.verbs.get_mut("rank").unwrap();
    rank.forms = vec!["RANK".to_owned()];
    rank.at_once = Some("movement".to_owned());
    rank.standing = true;
    let grammar = Grammar::new(&game.decl, &crate::orders::fixture::options("on")).unwrap();
    let names = OrderTable::new(Lang::En).names;
    let expect = Expect {
        phases: &[],
        questions: &[],
        lang: Lang::En,
    };
    let wrong = |text: &str| {
        let reading = read(&grammar, &names, &expect, text);
        assert_eq!(reading.lines.len(), 1, "{text}");
        let reason = reading.wrong().next().map(|wrong| wrong.reason.clone());
        reason.unwrap_or_default()
    };
    for text in [
        "RANK",
        "rank.",
        "Rank!",
        "RANK!!",
        "*RANK*",
        "RANK   # at last",
    ] {
        assert_eq!(wrong(text), "", "{text}");
    }
    for text in ["RANK?", "rang ?", "RANK!?", "Rank ?!"] {
        assert_eq!(wrong(text), "asked", "{text}");
    }
    for text in [
        "RANK...",
        "rank..",
        "RANK\u{2026}",
        "RANK \u{1f622}",
        "RANK ()",
    ] {
        assert_eq!(wrong(text), "doubtful", "{text}");
    }
}

#[test]
fn the_only_open_question_is_answered_without_its_number() {
    let questions = [
        QuestionForm::new(1, "retreat"),
        QuestionForm::new(2, "march"),
    ];
    for text in [
        "YES TO Salo",
        "yes to salo.",
        "- yes to Salo",
        "Answer: YES TO Salo",
        "ANSWER YES TO Salo",
        "Hello!\nYES TO Salo\nSee you",
    ] {
        let (_, reading) = asked(text, &questions[..1]);
        let command = reading.commands().next();
        assert!(
            matches!(command, Some(Command::Answer { question: 1, .. })),
            "{text}: {reading:#?}"
        );
        // Where two are open nobody knows which one is meant.
        let (_, reading) = asked(text, &questions);
        assert_eq!(reading.commands().next(), None, "{text}");
    }
    let (_, reading) = asked("YES TO Salo?", &questions[..1]);
    assert_eq!(reading.wrong().next().unwrap().reason, "asked");
    let (_, reading) = asked("2: YES TO Salo", &questions[..1]);
    assert_eq!(reading.wrong().next().unwrap().reason, "no_question");
}

#[test]
fn words_among_orders_stay_mistakes() {
    let text = "Hello!\nMOVE Ada: Mill\nI wonder what he will do\nMOVE Bert: Mill\nBye!";
    let (words, reading) = settled(text);
    assert_eq!(words.unwrap().prose, ["Hello!", "Bye!"]);
    assert_eq!(reading.wrong().count(), 1);
    let (words, reading) = settled("Forgot one:\nADD\nMOVE Ada: Mill");
    assert_eq!(words.unwrap().prose, ["Forgot one:"]);
    assert!(reading.adds());
}

#[test]
fn lines_that_a_program_broke_are_one_order() {
    let far = "MOVE Ada, Bert, Bert guns, Carl, Mill guard: Mill - Castel d'Ario - Castelnuovo - Salo - Mill";
    let guarded =
        "IF ENEMY AT Castelnuovo: MOVE Ada, Bert, Bert guns, Carl, Mill guard: Mill - Castelnuovo";
    for (whole, at) in [
        (far, "Castelnuovo -"),
        (far, "Castelnuovo"),
        (far, "Castel d'Ario -"),
        (guarded, "Bert guns, Carl,"),
        (guarded, "Mill guard: Mill"),
    ] {
        let cut = whole.rfind(at).unwrap() + at.len();
        let (first, rest) = (&whole[..cut], whole[cut..].trim());
        for text in [
            format!("{first}\n{rest}\nMOVE Carl: Mill\n"),
            format!("Hello!\nMOVE Carl: Mill\n{first}\n   {rest}"),
        ] {
            let (words, reading) = settled(&text);
            assert!(words.unwrap().text.contains(whole), "{text}");
            assert_eq!(
                (reading.orders().count(), reading.wrong().count()),
                (2, 0),
                "{text}"
            );
        }
    }
    // A condition and its order that were parted are one: the order alone would be another thing.
    let (_, reading) = settled(
        "IF ENEMY AT Castelnuovo AND NOT ENEMY AT Castel d'Ario AND TURN >= 2:\nMOVE Ada: Mill",
    );
    let orders: Vec<_> = reading.orders().collect();
    assert!(orders.len() == 1 && orders[0].guard.is_some());
}

/// Players break lines too, and on telephones they are short.
#[test]
fn a_line_that_ends_with_an_open_sign_goes_on_below() {
    for text in [
        "MOVE Ada, Bert,\n  Carl: Mill",
        "MOVE Ada: Mill \u{2013}\nCastelnuovo",
        "MOVE Ada:\nMill",
    ] {
        let (words, reading) = settled(text);
        assert!(words.is_some(), "{text}");
        let read = (reading.orders().count(), reading.wrong().count());
        assert_eq!(read, (1, 0), "{text}");
    }
    let (_, reading) = settled("MOVE Ada: Mill,\nMOVE Bert: Mill");
    assert_eq!(reading.lines.len(), 2);
}

#[test]
fn short_lines_and_comments_are_not_put_together() {
    let (words, _) = settled("MOVE Ada: Mill\n- Castelnuovo");
    assert_eq!(words, None);
    let text = "MOVE Ada: Mill - Castelnuovo    # to meet the others, as planned long ago\n- Salo";
    let (words, reading) = settled(text);
    assert_eq!((words, reading.wrong().count()), (None, 1));
    // What may go on with a long line, and can't be read, is a mistake.
    let far = "MOVE Ada, Bert, Bert guns, Carl, Mill guard: Mill - Castel d'Ario - Salo";
    let (words, reading) = settled(&format!("{far}\nby Castlenuovo\n"));
    assert_eq!((words, reading.wrong().count()), (None, 1));
    // Below a long line that is wrong itself too; what else stands there is no order.
    let slip = far.replace("Ada", "Adda");
    let (words, reading) = settled(&format!("{slip}\nCastelnuovo\n"));
    assert_eq!((words, reading.wrong().count()), (None, 2));
    let (words, _) = settled(&format!("{slip}\nThanks, Tom\n"));
    assert_eq!(words.unwrap().prose, ["Thanks, Tom"]);
}

#[test]
fn marks_of_lists_do_not_matter() {
    for text in [
        "- MOVE Ada: Mill",
        "-MOVE Ada: Mill",
        "* MOVE Ada: Mill",
        "\u{2022} MOVE Ada: Mill",
        "1) MOVE Ada: Mill",
        "1. MOVE Ada: Mill",
        "(1) MOVE Ada: Mill",
        "a) MOVE Ada: Mill",
        "\u{2192} MOVE Ada: Mill",
        "-> MOVE Ada: Mill",
        "+ MOVE Ada: Mill",
        "\u{2014} MOVE Ada: Mill",
        "- 12. MOVE Ada: Mill",
        "MOVE Ada \u{2192} Mill",
        "MOVE Ada -> Mill",
        "MOVE Ada to Mill",
        "MOVE Ada - Mill",
        "MOVE Ada > Mill",
        "MOVE Ada => Mill",
    ] {
        let (words, reading) = settled(text);
        assert_eq!(words, None);
        let [(_, OrderLine::Order(read))] = reading.lines.as_slice() else {
            panic!("{text}: {reading:#?}");
        };
        assert_eq!(read.args, order("MOVE Ada: Mill").args, "{text}");
    }
    for (text, plain) in [
        ("MOVE Ada: Mill \u{2192} Salo", "MOVE Ada: Mill - Salo"),
        (
            "MOVE Ada: DESTROY Mill to Castel d'Ario",
            "MOVE Ada: DESTROY Mill-Castel d'Ario",
        ),
        ("SCOUT Mill to Salo", "SCOUT Mill -> Salo"),
        ("MARCH Ada \u{2192} Salo", "MARCH Ada TO Salo"),
        ("RETREAT > Salo", "RETREAT TO Salo"),
    ] {
        assert_eq!(order(text).args, order(plain).args, "{text}");
    }
}

#[test]
fn answers_are_read_as_the_question_prints_its_number() {
    let questions = [QuestionForm::new(1, "retreat")];
    for text in [
        "1: YES TO Salo",
        "1. yes to salo",
        "1) YES TO Salo",
        "(1) yes to Salo",
        "1 - YES TO Salo",
        "1 \u{2192} YES TO Salo",
        "- 1. YES TO Salo",
        "ANSWER 1. YES TO Salo",
        "1 = yes to salo",
    ] {
        let (_, reading) = asked(text, &questions);
        let command = reading.commands().next();
        assert!(
            matches!(command, Some(Command::Answer { question: 1, .. })),
            "{text}: {reading:#?}"
        );
    }
    let (_, reading) = asked("2. YES TO Salo", &questions);
    assert_eq!(reading.wrong().next().unwrap().reason, "no_question");
}

#[test]
fn an_answer_that_comes_too_late_is_no_standing_order() {
    let table = OrderTable::new(Lang::En);
    let mut decl = table.game.decl.clone();
    let retreat = decl.orders.topics.get_mut("retreat").unwrap();
    retreat
        .forms
        .push("RETREAT TO <to:spaces> answer=yes".to_owned());
    let grammar = Grammar::new(&decl, &crate::orders::fixture::options("on")).unwrap();
    let expect = Expect {
        phases: &[],
        questions: &[],
        lang: Lang::En,
    };
    let reading = read(
        &grammar,
        &table.names,
        &expect,
        "1. RETREAT TO Salo\nRETREAT TO Mill",
    );
    assert_eq!(reading.wrong().next().unwrap().reason, "no_question");
    assert_eq!(reading.orders().count(), 1);
}

/// A guard with its parts on lines of their own, as plans are written.
#[test]
fn a_guard_may_take_several_lines() {
    for text in [
        "IF TURN 3\nTHEN RANK I\nELSE RANK II\nEND",
        "IF TURN 3 THEN\n  RANK I\nELSE\n  RANK II\nEND",
        "IF TURN 3 THEN\nRANK I\nELSE RANK II",
    ] {
        let (_, reading) = settled(text);
        assert_eq!(reading.wrong().next(), None, "{text}");
        let orders: Vec<_> = reading.orders().collect();
        let [order] = orders.as_slice() else {
            panic!("{text}: {orders:?}");
        };
        let guard = order.guard.as_ref().unwrap();
        assert_eq!(guard.otherwise.len(), 1, "{text}");
    }
}

#[test]
fn a_second_order_under_a_guard_is_no_order_of_its_own() {
    for text in [
        "IF TURN 3 THEN\nRANK I\nRANK II\nEND",
        "IF TURN 3\nTHEN RANK I\nRANK II",
        "IF TURN 3\nTHEN RANK I\nELSE RANK II\nRANK I",
        "IF TURN 3 THEN\nRANK I\nELSE\nRANK II\nRANK I",
    ] {
        let (_, reading) = settled(text);
        assert!(reading.wrong().next().is_some(), "{text}");
    }
}
