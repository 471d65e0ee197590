//! Patterns that compile, and what is wrong with others.
#![allow(clippy::unwrap_used, reason = "tests may panic")]
use super::*;

#[test]
fn a_pattern_with_everything_compiles() {
    let nodes = compile(
        r#"MOVE <who:pieces> ":" steps:( <go:path> | DESTROY <destroy:road> )+ [forced:FORCED] kind=a n=3"#,
    )
    .unwrap();
    assert_eq!(nodes.len(), 7);
    assert!(
        matches!(&nodes[3], Node::Group { label: Some(label), choices, repeat: Repeat::Some { listed: false } } if label == "steps" && choices.len() == 2)
    );
    assert_eq!(
        nodes[6],
        Node::Constant {
            label: "n".into(),
            value: Value::Int(3)
        }
    );
    let listed = compile("SHOW items:( A kind=a | <p:piece> ),+").unwrap();
    assert!(matches!(
        &listed[1],
        Node::Group {
            repeat: Repeat::Some { listed: true },
            ..
        }
    ));
}

#[test]
fn errors_name_the_column() {
    for (text, column) in [
        ("MOVE <who:peices>", 11),
        ("MOVE ( A | B", 13),
        ("MOVE \";\"", 7),
        ("MOVE who:", 10),
        ("MOVE ?", 6),
        ("", 1),
    ] {
        let error = compile(text).unwrap_err().remove(0);
        assert_eq!(error.column, column, "{text}: {}", error.message);
    }
}

#[test]
fn every_wrong_slot_of_a_form_is_named() {
    let text = r#"MOVE <who:peice> "<" [ TO <to> ] ( <at:Space> | <n:int> ] "#;
    let errors = compile(text).unwrap_err();
    let columns: Vec<usize> = errors.iter().map(|error| error.column).collect();
    let said: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(columns, [11, 28, 40, 57], "{said:?}");
    for (said, words) in said.iter().zip(["`who`", "`to` has no type", "`at`", ""]) {
        assert!(said.contains(words), "{said}");
    }
    assert!(said[0].contains("did you mean `piece`?"), "{}", said[0]);
    assert!(said[2].contains("did you mean `space`?"), "{}", said[2]);
    assert!(Slot::ALL.iter().all(|slot| said[0].contains(slot.name())));
}

#[test]
fn groups_without_end_are_refused() {
    for [open, close] in [["(", ")"], ["[ ", "]"], ["x:(", ")"]] {
        let deep = |depth| format!("A {}B{}", open.repeat(depth), close.repeat(depth));
        assert!(compile(&deep(9)).is_ok());
        let error = compile(&deep(100_000)).unwrap_err().remove(0);
        assert!(error.message.contains("inside one another"), "{error:?}");
    }
}

#[test]
fn labels_are_set_once_and_repetition_needs_one() {
    assert!(compile("A <x:int> <x:int>").is_err());
    assert!(compile("A ( <x:int> | <x:space> )").is_ok());
    assert!(compile("A ( <x:int> )+").is_err());
    assert!(compile("A ( B | C )+").is_ok());
}
