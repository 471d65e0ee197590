//! Blocks of orders, guards on one line, joined conditions, lists with blanks.

use super::order;
use crate::{
    game::Lang,
    orders::{Command, Order, OrderLine, Test, fixture::OrderTable, print, read_alone},
};

fn read(text: &str) -> Vec<OrderLine> {
    let reading = OrderTable::new(Lang::En).read(text);
    reading.lines.into_iter().map(|(_, line)| line).collect()
}

/// Verbs and blocks of orders, reasons of wrong lines, `end` for END.
fn told(text: &str) -> Vec<String> {
    let block = |order: &Order| match order.block {
        Some(line) => format!("{} in {line}", order.verb),
        None => order.verb.clone(),
    };
    let told = |line: OrderLine| match line {
        OrderLine::Order(order) => block(&order),
        OrderLine::Command(command) => format!("{command:?}").to_lowercase(),
        OrderLine::Wrong(wrong) => wrong.reason,
    };
    read(text).into_iter().map(told).collect()
}

#[test]
fn orders_stand_in_the_block_that_is_open() {
    let text = "RANK II\nPLAN I AT Mill\nDIG Ada AT Salo\nDIG Bert AT Mill\nPLAN second\nDIG Carl AT Mill\nEND\nRANK I";
    assert_eq!(
        told(text),
        [
            "rank", "plan", "dig in 2", "dig in 2", "plan", "dig in 5", "end", "rank"
        ]
    );
    let reading = OrderTable::new(Lang::En).read(text);
    assert_eq!(reading.opener(3), Some(1));
    assert_eq!(reading.opener(5), Some(4));
    assert_eq!(reading.opener(1), None);
}

#[test]
fn an_order_of_a_block_needs_one() {
    assert_eq!(told("DIG Ada AT Salo"), ["outside_block"]);
    assert_eq!(
        told("PLAN I\nRANK I\nDIG Ada AT Salo"),
        ["plan", "rank", "outside_block"]
    );
    assert_eq!(
        told("PLAN I\nEND\nDIG Ada AT Salo"),
        ["plan", "end", "outside_block"]
    );
    assert_eq!(
        told("PLAN III\nDIG Ada AT Salo\nPLAN I\nDIG Ada AT Salo"),
        ["unknown_formation", "block_of_wrong", "plan", "dig in 3"]
    );
    assert_eq!(told("END"), ["end_alone"]);
    assert_eq!(told("PLAN I\nEND\nEND"), ["plan", "end", "end_alone"]);
}

#[test]
fn standing_orders_leave_a_block_open() {
    assert_eq!(
        told("PLAN I\nRETREAT NEVER\nDIG Ada AT Salo"),
        ["plan", "retreat", "dig in 1"]
    );
}

#[test]
fn two_blocks_of_one_line_are_two() {
    let reading =
        OrderTable::new(Lang::En).read("PLAN I; DIG Ada AT Salo; PLAN II; DIG Bert AT Salo");
    assert_eq!(reading.opener(1), Some(0));
    assert_eq!(reading.opener(3), Some(2));
}

#[test]
fn examples_stand_alone() {
    let table = OrderTable::new(Lang::En);
    let expect = crate::orders::Expect {
        phases: &["movement"],
        questions: &[],
        lang: Lang::En,
    };
    let reading = read_alone(&table.grammar, &table.names, &expect, "DIG Ada AT Salo");
    assert_eq!(reading.orders().count(), 1);
}

#[test]
fn a_guard_may_stand_on_one_line() {
    for text in [
        "IF TURN 3 THEN RANK I ELSE RANK II END",
        "IF TURN 3: RANK I ELSE: RANK II",
        "SI TOUR 3 ALORS RANG I\nSINON RANG II\nFIN",
    ] {
        let lines = read(text);
        let Some(OrderLine::Order(order)) = lines.first() else {
            panic!("{text}: {lines:?}");
        };
        let guard = order.guard.as_ref().unwrap();
        assert_eq!(guard.otherwise.len(), 1, "{text}");
        assert!(
            lines[1..]
                .iter()
                .all(|line| *line == OrderLine::Command(Command::End)),
            "{text}: {lines:?}"
        );
    }
}

#[test]
fn alternatives_stand_in_the_block_too() {
    let lines =
        read("PLAN I\nIF TURN 3 THEN DIG Ada AT Salo ELSE DIG Bert AT Salo END\nDIG Carl AT Salo");
    let OrderLine::Order(guarded) = &lines[1] else {
        panic!("{lines:?}");
    };
    let other = &guarded.guard.as_ref().unwrap().otherwise[0];
    assert_eq!((guarded.block, other.block), (Some(1), Some(1)));
    assert!(matches!(&lines[2], OrderLine::Order(order) if order.block == Some(1)));
    assert_eq!(
        told("IF TURN 3 THEN RANK I ELSE PLAN I"),
        ["rank", "else_opens"]
    );
}

#[test]
fn conditions_are_joined() {
    let written = order("IF NOT TURN 3 AND ENEMY AT Salo OR TURN 4: RANK I");
    let test = &written.guard.as_ref().unwrap().test;
    let Test::Any(tests) = test else {
        panic!("{test:?}");
    };
    let Test::All(both) = &tests[0] else {
        panic!("{tests:?}");
    };
    assert!(matches!(&both[0], Test::Not(test) if test.names("turn_from")));
    assert!(both[1].names("enemy_at") && tests[1].names("turn_from"));
    let table = OrderTable::new(Lang::En);
    assert_eq!(
        print(&table.grammar, &table.names, &written, Lang::Fr),
        "SI NON TOUR 3 ET ENNEMI À Salò OU TOUR 4: RANG first"
    );
}

#[test]
fn joined_conditions_are_bounded() {
    let many = ["TURN 3"; 9].join(" AND ");
    assert_eq!(told(&format!("IF {many}: RANK I")).len(), 1);
    assert_ne!(told(&format!("IF {many}: RANK I")), ["rank"]);
    let nots = "NOT ".repeat(100);
    assert_ne!(told(&format!("IF {nots} TURN 3: RANK I")), ["rank"]);
}

#[test]
fn names_of_a_list_may_be_parted_by_blanks() {
    let all = order("RETREAT TO Mill Salo");
    assert_eq!(all.args["to"].as_list().map(<[_]>::len), Some(2));
    let who = order("RANK I second Vanguard");
    assert_eq!(who.args["of"].as_list().map(<[_]>::len), Some(3));
    // What is not written out needs a sign: a forgotten colon should not make a list of it.
    assert_eq!(told("RETREAT TO Mill Santa"), ["unexpected"]);
    assert_eq!(told("RETREAT TO Mill Castel"), ["ambiguous"]);
}

#[test]
fn a_name_that_is_spelt_like_a_keyword_may_stand_after_a_blank() {
    for text in ["RETREAT TO Mill Shell Salo", "RETREAT TO Mill, Shell, Salo"] {
        let all = order(text);
        assert_eq!(all.args["to"].as_list().map(<[_]>::len), Some(3), "{text}");
    }
    let way = order("MOVE Ada: Santa Rita Shell FORCED");
    assert_eq!(way.args["forced"], true.into());
    // A keyword that may stand here is one.
    assert_eq!(told("RETREAT TO Mill NEVER"), ["unexpected"]);
}

#[test]
fn a_wrong_name_after_a_blank_is_told_what_it_may_be() {
    let lines = read("RETREAT TO Mill Castel\nPLAN I\nDIG Ada Brt AT Salo\nDIG Ada Salo");
    let wrong = lines.into_iter().filter_map(|line| match line {
        OrderLine::Wrong(wrong) => Some((wrong.reason, wrong.suggestions)),
        _ => None,
    });
    let told = |reason: &str, names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        (reason.to_owned(), names)
    };
    assert_eq!(
        wrong.collect::<Vec<_>>(),
        [
            told("ambiguous", &["Castel d'Ario", "Castelnuovo"]),
            told("unexpected", &["Bert"]),
            told("unexpected", &[]),
        ]
    );
}

#[test]
fn items_of_a_list_are_parted_by_signs_or_blanks() {
    for text in ["SHOW LEADERS, Ada and Bert", "SHOW LEADERS Ada Bert"] {
        let shown = order(text);
        assert_eq!(
            shown.args["list"].as_list().map(<[_]>::len),
            Some(3),
            "{text}"
        );
    }
}

#[test]
fn ratios_may_be_written_as_odds() {
    let retreat = order("RETREAT AFTER 1 IF RATIO < 3:2");
    assert_eq!(retreat.args["below"].as_int(), Some(1500));
}
