//! Lists of pieces, and ways with barriers: what the host does in place of a script's loop.

use super::*;

#[test]
fn pieces_are_picked_by_kind_and_property() {
    assert_eq!(
        value("having(pieces(), \"side\", \"blue\")"),
        texts(&["foe"])
    );
    assert_eq!(
        value("lacking(pieces(), \"side\", \"red\")"),
        texts(&["foe"])
    );
    assert_eq!(value("having(pieces(), \"sp\", 4)"), texts(&["one"]));
    assert_eq!(value("units_in(at(\"north\"))"), texts(&["one", "two"]));
    assert_eq!(value("others_in(at(\"north\"))"), texts(&["ada"]));
    assert_eq!(value("units_at(\"north\")"), texts(&["one", "two"]));
    assert_eq!(value("units_at(\"south\", \"red\")"), texts(&[]));
    assert_eq!(value("units(\"red\")"), texts(&["one", "two"]));
    assert_eq!(value("units(\"red\", \"sp\", 4)"), texts(&["one"]));
    assert_eq!(
        value("units(\"red\", \"sp\", [1, 4])"),
        texts(&["one", "two"])
    );
    assert_eq!(
        value("move_to(piece(\"two\"), \"dead\"); all_pieces(\"red\", \"at\", \"dead\")"),
        texts(&["two"])
    );
    assert_eq!(
        value("all_pieces(\"red\", \"at\", [\"north\", \"dead\"])"),
        texts(&["one", "two", "ada"])
    );
    let failed = run("fn play() { all_pieces(\"red\", \"weight\", 4); \"rest\" }").unwrap_err();
    assert!(failed.to_string().contains("weight"), "{failed}");
    assert_eq!(
        value("having(pieces(), \"id\", [\"foe\", \"two\"])"),
        texts(&["two", "foe"])
    );
    assert_eq!(value("any_units(\"south\", \"blue\")"), Value::Bool(true));
    assert_eq!(
        value("move_to(piece(\"ada\"), \"east\"); any_units(\"east\", \"red\")"),
        Value::Bool(false)
    );
    assert_eq!(
        value("stacks([piece(\"foe\"), piece(\"two\"), piece(\"one\")])"),
        Value::List(vec![texts(&["two", "one"]), texts(&["foe"])])
    );
    assert_eq!(
        value("each(at(\"north\"), \"sp\")"),
        Value::List(vec![4.into(), 1.into(), 1.into()])
    );
    assert_eq!(value("count_from(pieces(), \"sp\", 3)"), 2.into());
}

#[test]
fn a_piece_that_has_moved_is_found_where_it_is() {
    let there = |before: &str, list: &str| {
        value(&format!(
            "{before}; move_to(piece(\"two\"), \"south\"); {list}"
        ))
    };
    // What was asked before the move is not what is told after it.
    assert_eq!(
        there("pieces()", "units_at(\"south\")"),
        texts(&["two", "foe"])
    );
    assert_eq!(
        there("at(\"north\")", "units_at(\"north\")"),
        texts(&["one"])
    );
}

#[test]
fn maps_are_picked_by_what_they_say() {
    let list = "[#{at: \"a\", n: 1}, #{n: 2}, #{at: \"b\", n: 3}, #{at: \"a\", n: 4}, 5]";
    let numbers = |expression: &str| value(&format!("({expression}).map(|it| it.n)"));
    let of = |numbers: &[i64]| Value::List(numbers.iter().map(|it| (*it).into()).collect());
    assert_eq!(numbers(&format!("saying({list}, \"at\")")), of(&[1, 3, 4]));
    assert_eq!(
        numbers(&format!("last_with({list}, \"at\", [\"b\", \"a\"])")),
        of(&[3, 4])
    );
    let none = format!("last_with({list}, \"at\", [\"c\"]) == [()]");
    assert_eq!(value(&none), true.into());
    let keyed = "let found = keyed([\"a\", \"b\"], [1, 2]); found.a * 10 + found.b";
    assert_eq!(value(keyed), 12.into());
    let program = program("fn play() { keyed([\"a\"], []) }");
    let fault = run_with(&program, "play", &Decisions::default(), &[]).unwrap_err();
    assert!(fault.to_string().contains("lists of one length"), "{fault}");
}

#[test]
fn what_is_measured_is_put_in_order() {
    let of = |numbers: &[i64]| Value::List(numbers.iter().map(|it| (*it).into()).collect());
    assert_eq!(value("order_of([3, -1, 3, 2])"), of(&[1, 3, 0, 2]));
    assert_eq!(value(r#"order_of(["b", "a", "b"])"#), of(&[1, 0, 2]));
    let lists = r#"order_of([[2, "a"], [1, "z"], [2, "A"], [1, "b"]])"#;
    assert_eq!(value(lists), of(&[3, 1, 2, 0]));
    assert_eq!(value("order_of([[1, [5, 2]], [1, [5, 1]]])"), of(&[1, 0]));
    assert_eq!(
        value("order_of([[1, 2], [1], [0, 9], [1, 2]])"),
        of(&[2, 1, 0, 3])
    );
    assert_eq!(value("order_of([])"), of(&[]));
    for unlike in [
        r#"[1, "a"]"#,
        r#"[[1], ["a"]]"#,
        "[[1], 1]",
        "[true, false]",
        "[()]",
    ] {
        let program = program(&format!("fn play() {{ order_of({unlike}) }}"));
        let fault = run_with(&program, "play", &Decisions::default(), &[]).unwrap_err();
        assert!(fault.to_string().contains("order"), "{fault}");
    }
}

#[test]
fn the_first_of_equal_pieces_is_taken() {
    assert_eq!(value("lowest(pieces(), \"sp\")"), "two".into());
    assert_eq!(value("highest(pieces(), \"sp\")"), "one".into());
    assert_eq!(value("lowest([], \"sp\")"), Value::Null);
}

#[test]
fn places_come_in_the_order_of_the_map() {
    assert_eq!(
        value("places([piece(\"foe\"), piece(\"one\"), piece(\"two\")])"),
        texts(&["north", "south"])
    );
    assert_eq!(value("area_of(units(\"red\")).list()"), texts(&["north"]));
    assert_eq!(
        value("in_map_order([piece(\"foe\"), piece(\"two\"), piece(\"one\")])"),
        texts(&["two", "one", "foe"])
    );
    assert_eq!(
        value("move_to(piece(\"two\"), \"dead\"); places(at(\"dead\"))"),
        texts(&["dead"])
    );
    assert_eq!(
        value("move_to(piece(\"two\"), \"dead\"); in_map_order([piece(\"two\")])"),
        texts(&[])
    );
    assert_eq!(
        value("move_to(piece(\"two\"), \"dead\"); is_on_map(piece(\"two\"))"),
        Value::Bool(false)
    );
}

#[test]
fn attributes_are_set_for_a_whole_list() {
    assert_eq!(
        value("set_all(pieces(), \"hits\", 2); count_from(pieces(), \"hits\", 2)"),
        4.into()
    );
    let program = program("fn it() { set_all(pieces(), \"hits\", \"two\") }");
    let world = world(&program);
    let start = Start {
        phase: "play",
        world: &world,
        options: &BTreeMap::new(),
        decisions: &Decisions::default(),
    };
    assert!(program.call_on(&start, "it").is_err());
}

#[test]
fn values_are_found_and_kept_once() {
    assert_eq!(
        value("unique([1, \"a\", 1, \"a\", true])"),
        Value::List(vec![1.into(), "a".into(), true.into()])
    );
    assert_eq!(
        value("unique([piece(\"one\"), piece(\"two\"), piece(\"one\")])"),
        texts(&["one", "two"])
    );
    for (expression, found) in [
        ("piece(\"one\") in [piece(\"two\")]", false),
        ("piece(\"two\") in [piece(\"two\")]", true),
        ("1 in [\"1\", 2]", false),
        ("() in [1, ()]", true),
        ("[1, 2] in [[1], [1, 2]]", true),
        ("#{a: 1} in [#{a: 2}]", false),
    ] {
        assert_eq!(value(expression), Value::Bool(found), "{expression}");
    }
}

#[test]
fn lists_are_sifted_by_lists_and_by_areas() {
    for (expression, found) in [
        (
            "among(spaces(), [\"south\", \"north\"])",
            &["north", "south"][..],
        ),
        ("among(spaces(), area_of([\"east\"]))", &["east"]),
        (
            "without(spaces(), area_of([\"east\", \"north\"]))",
            &["middle", "south"],
        ),
        ("without([\"b\", \"a\", \"b\"], [\"a\"])", &["b", "b"]),
        (
            "among([piece(\"one\"), piece(\"foe\")], at(\"south\"))",
            &["foe"],
        ),
    ] {
        assert_eq!(value(expression), texts(found), "{expression}");
    }
}

#[test]
fn barriers_close_spaces_and_roads() {
    assert_eq!(value("steps(\"north\", \"south\", #{})"), 2.into());
    assert_eq!(
        value("steps(\"north\", \"middle\", #{not_into: area_of([\"middle\"])})"),
        (-1).into()
    );
    assert_eq!(
        value("flood([\"middle\"], #{not_from: area_of([\"north\", \"south\"])}).list()"),
        texts(&["north", "middle", "south"])
    );
    assert_eq!(
        value(
            "set_road(\"north\", \"middle\", \"broken\", true); flood([\"middle\"], #{not_over: \"broken\", not_from: area_of(\"south\")}).list()"
        ),
        texts(&["middle", "south"])
    );
    assert_eq!(
        value("steps_from(\"north\", #{not_into: area_of(\"south\")}).list()"),
        texts(&["north", "middle", "east"])
    );
    assert_eq!(
        value("steps(\"north\", \"south\", |from, to| to != \"middle\")"),
        2.into()
    );
}
