//! A small change of a file, and which ones a script allows.

use serde::Serialize;

use super::script::ScriptTree;
use crate::rules::ScriptTokenKind;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// Another operator: `-` for `+`, `!=` for `==`, `||` for `&&`.
    Operator,
    /// Off by one: `<=` for `<`, `..` for `..=`.
    Boundary,
    /// A number one higher or lower.
    Number,
    /// `false` for `true`.
    Boolean,
    /// A condition turned round, of an `if` without `else` or of a loop.
    Condition,
    /// The two branches of an `if` with `else` exchanged, by turning its condition round.
    Branches,
    /// One of several conditions is left out.
    Operand,
    /// A statement left out.
    Statement,
}

impl ChangeKind {
    /// As a report names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "another operator",
            Self::Boundary => "off by one",
            Self::Number => "another number",
            Self::Boolean => "another truth",
            Self::Condition => "condition turned round",
            Self::Branches => "branches exchanged",
            Self::Operand => "condition left out",
            Self::Statement => "statement left out",
        }
    }
}

/// A change of one place in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub kind: ChangeKind,
    /// The bytes that are replaced.
    pub start: usize,
    pub end: usize,
    /// The text that replaces it.
    pub after: String,
    pub line: usize,
    pub column: usize,
    /// The number of the innermost statement around it, in a script.
    pub statement: Option<usize>,
}

impl Change {
    /// The text with this change.
    pub fn apply(&self, text: &str) -> String {
        let before = text.get(..self.start).unwrap_or_default();
        let rest = text.get(self.end..).unwrap_or_default();
        [before, &self.after, rest].concat()
    }

    /// The text that is replaced.
    pub fn before<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// All changes that a script allows, in the order of the text.
pub(super) fn changes(script: &ScriptTree<'_>) -> Vec<Change> {
    let mut found = ChangeList {
        script,
        list: Vec::new(),
    };
    for token in 0..script.tokens.len() {
        found.of_token(token);
    }
    for statement in 0..script.statements.len() {
        found.drop_statement(statement);
    }
    let mut list = found.list;
    list.sort_by_key(|change| (change.start, change.end));
    list
}

/// Statements that begin so make names, or have no effect: without them the script would not
/// compile, or be the same.
const KEPT: [&str; 5] = ["let", "const", "fn", "debug", "print"];

struct ChangeList<'a> {
    script: &'a ScriptTree<'a>,
    list: Vec<Change>,
}

impl ChangeList<'_> {
    /// Replaces the text from one token to another; the change is said to stand at the first.
    fn replace(&mut self, kind: ChangeKind, first: usize, last: usize, after: String) {
        let tokens = &self.script.tokens;
        let (Some(from), Some(to)) = (tokens.get(first), tokens.get(last)) else {
            return;
        };
        self.list.push(Change {
            kind,
            start: from.start,
            end: to.end,
            after,
            line: from.line,
            column: from.column,
            statement: self.script.owner(first),
        });
    }

    fn of_token(&mut self, token: usize) {
        if self.script.owner(token).is_none() {
            return;
        }
        let word = self.script.word(token);
        match self.script.kind(token) {
            Some(ScriptTokenKind::Infix) => self.of_operator(token),
            Some(ScriptTokenKind::Number) => self.of_number(token),
            Some(ScriptTokenKind::Word) => match word {
                "true" => self.replace(ChangeKind::Boolean, token, token, "false".to_owned()),
                "false" => self.replace(ChangeKind::Boolean, token, token, "true".to_owned()),
                "if" | "while" => self.turn_round(token),
                _ => {}
            },
            Some(ScriptTokenKind::Prefix) if word == "!" && !self.is_turned_round(token) => {
                self.replace(ChangeKind::Condition, token, token, String::new());
            }
            _ => {}
        }
    }

    fn of_operator(&mut self, token: usize) {
        if self.is_first(token) {
            // A sign before the value of a block: `-1`.
            return;
        }
        let word = self.script.word(token);
        let other = match word {
            "+" if self.joins(token) => None,
            "+" => Some("-"),
            "-" => Some("+"),
            "*" | "%" => Some("/"),
            "/" => Some("*"),
            "+=" => Some("-="),
            "-=" => Some("+="),
            "*=" => Some("/="),
            "==" => Some("!="),
            "!=" => Some("=="),
            "<" => Some(">="),
            "<=" => Some(">"),
            ">" => Some("<="),
            ">=" => Some("<"),
            "&&" => Some("||"),
            "||" => Some("&&"),
            "in" if !self.is_of_loop(token) => Some("!in"),
            "!in" => Some("in"),
            _ => None,
        };
        if let Some(other) = other.filter(|_| !self.is_turned_round(token)) {
            self.replace(ChangeKind::Operator, token, token, other.to_owned());
        }
        let near = match word {
            "<" => "<=",
            "<=" => "<",
            ">" => ">=",
            ">=" => ">",
            ".." => "..=",
            "..=" => "..",
            _ => "",
        };
        if !near.is_empty() {
            self.replace(ChangeKind::Boundary, token, token, near.to_owned());
        }
        if word == "&&" || word == "||" {
            self.drop_operands(token);
        }
    }

    /// Returns true if a token is the first of its statement.
    fn is_first(&self, token: usize) -> bool {
        let statement = self.script.owner(token);
        let statement = statement.and_then(|it| self.script.statements.get(it));
        statement.is_some_and(|it| it.first == token)
    }

    /// Returns true if `+` joins texts, lists or maps that are written there: `-` would only be an
    /// error.
    fn joins(&self, token: usize) -> bool {
        let is_written = |near: usize, marks: [&str; 2]| match self.script.kind(near) {
            Some(ScriptTokenKind::Text) => true,
            Some(ScriptTokenKind::Mark) => marks.contains(&self.script.word(near)),
            _ => false,
        };
        is_written(token + 1, ["[", "#{"]) || token > 0 && is_written(token - 1, ["]", "}"])
    }

    /// Returns true if `in` belongs to a `for` and is no operator: `for x in`, `for (x, i) in`.
    fn is_of_loop(&self, token: usize) -> bool {
        let statement = self.script.owner(token);
        let first = statement.and_then(|it| self.script.statements.get(it));
        first.is_some_and(|it| {
            self.script.is_keyword(it.first, "for") && self.script.after(it.first + 1) == token
        })
    }

    fn of_number(&mut self, token: usize) {
        let Ok(number) = self.script.word(token).replace('_', "").parse::<i64>() else {
            return;
        };
        // -1 stands for "not there" and is tested for being negative: -2 would be the same.
        let is_negative =
            token > 0 && self.script.word(token - 1) == "-" && self.is_first(token - 1);
        let higher = number.checked_add(1).filter(|_| !is_negative);
        let lower = (number > 0).then(|| number - 1);
        for other in [higher, lower].into_iter().flatten() {
            self.replace(ChangeKind::Number, token, token, other.to_string());
        }
    }

    /// Turns the condition of an `if` or a `while` round.
    fn turn_round(&mut self, keyword: usize) {
        let Some((first, last)) = self.script.condition(keyword) else {
            return;
        };
        let kind = if self.script.has_else(last) {
            ChangeKind::Branches
        } else {
            ChangeKind::Condition
        };
        let tokens = &self.script.tokens;
        let (Some(from), Some(to)) = (tokens.get(first), tokens.get(last)) else {
            return;
        };
        let condition = self.script.text.get(from.start..to.end).unwrap_or_default();
        self.replace(kind, first, last, format!("!({condition})"));
    }

    /// Returns true if an operator is all that a condition consists of: to turn the condition round
    /// is the same change.
    fn is_turned_round(&self, token: usize) -> bool {
        let script = self.script;
        let Some(statement) = script.owner(token).and_then(|it| script.statements.get(it)) else {
            return false;
        };
        let keywords = (statement.first..token).rev();
        let near = keywords
            .into_iter()
            .find(|it| script.is_keyword(*it, "if") || script.is_keyword(*it, "while"));
        let Some((first, last)) = near.and_then(|keyword| script.condition(keyword)) else {
            return false;
        };
        if !(first..=last).contains(&token) {
            return false;
        }
        let mut alone = true;
        let mut found = false;
        let mut at = first;
        while at <= last {
            found |= at == token;
            let binds = matches!(
                script.word(at),
                "&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "!in" | "??"
            );
            let other = script.kind(at) == Some(ScriptTokenKind::Infix) && binds && at != token;
            alone &= !other;
            at = script.after(at);
        }
        let is_first = script.kind(token) != Some(ScriptTokenKind::Prefix) || token == first;
        found && alone && is_first
    }

    /// Leaves out the operand on the right, and the first of a chain.
    fn drop_operands(&mut self, operator: usize) {
        let script = self.script;
        self.replace(
            ChangeKind::Operand,
            operator,
            script.right_operand(operator),
            String::new(),
        );
        let left = script.left_operand(operator);
        let in_chain = left > 0
            && script.kind(left - 1) == Some(ScriptTokenKind::Infix)
            && script.word(left - 1) == script.word(operator);
        if left < operator && !in_chain {
            self.replace(ChangeKind::Operand, left, operator, String::new());
        }
    }

    fn drop_statement(&mut self, number: usize) {
        let script = self.script;
        let Some(statement) = script.statements.get(number) else {
            return;
        };
        let first = script.word(statement.first);
        let is_value = statement.is_tail && !self.gives_nothing(statement.first);
        if !KEPT.contains(&first) && !is_value {
            self.replace(
                ChangeKind::Statement,
                statement.first,
                statement.last,
                String::new(),
            );
        }
    }

    /// Returns true if a statement at the end of a block is no value of it: a loop, or an `if`
    /// without `else`.
    fn gives_nothing(&self, first: usize) -> bool {
        let script = self.script;
        match script.word(first) {
            "for" | "while" => true,
            "if" => script
                .condition(first)
                .is_some_and(|(_, last)| !script.has_else(last)),
            _ => false,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // tests may panic
mod tests {
    use super::*;

    /// All changes of a function's body: the kind, the old text, the new text.
    fn found(body: &str) -> Vec<(ChangeKind, String, String)> {
        let text = format!("fn f(a, b) {{ {body} }}");
        let script = ScriptTree::read(&text).unwrap();
        let list = changes(&script);
        for change in &list {
            let words = change.before(&text);
            let line = text.lines().nth(change.line - 1).unwrap();
            let at: String = line.chars().skip(change.column - 1).collect();
            assert!(at.starts_with(words), "{words:?} does not stand at {at:?}");
            assert_ne!(change.apply(&text), text);
        }
        let said = |it: Change| (it.kind, it.before(&text).to_owned(), it.after);
        list.into_iter().map(said).collect()
    }

    fn of(kind: ChangeKind, body: &str) -> Vec<(String, String)> {
        let found = found(body).into_iter().filter(|(it, ..)| *it == kind);
        found.map(|(_, before, after)| (before, after)).collect()
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        let pair = |(before, after): &(&str, &str)| ((*before).to_owned(), (*after).to_owned());
        list.iter().map(pair).collect()
    }

    #[test]
    fn operators_are_exchanged() {
        assert_eq!(
            of(ChangeKind::Operator, "a + b * 2 == a - b || a in b"),
            pairs(&[
                ("+", "-"),
                ("*", "/"),
                ("==", "!="),
                ("-", "+"),
                ("||", "&&"),
                ("in", "!in")
            ])
        );
        assert_eq!(
            of(ChangeKind::Operator, "a += 1; a -= b;"),
            pairs(&[("+=", "-="), ("-=", "+=")])
        );
    }

    #[test]
    fn texts_and_lists_are_joined_by_a_sign_that_stays() {
        assert_eq!(
            of(
                ChangeKind::Operator,
                "a + [b]; \"x\" + a; a + #{x: b}; `${a}` + b"
            ),
            []
        );
    }

    #[test]
    fn loops_go_through_their_lists() {
        assert_eq!(
            of(ChangeKind::Operator, "for x in a { } for (x, i) in b { }"),
            []
        );
        assert_eq!(
            of(ChangeKind::Boundary, "for x in 1..=a { } for x in 0..b { }"),
            pairs(&[("..=", ".."), ("..", "..=")])
        );
    }

    #[test]
    fn comparisons_are_off_by_one_and_turned_round() {
        assert_eq!(
            of(ChangeKind::Boundary, "f(a < b, a <= b, a > b, a >= b)"),
            pairs(&[("<", "<="), ("<=", "<"), (">", ">="), (">=", ">")])
        );
        assert_eq!(
            of(ChangeKind::Operator, "f(a < b, a <= b, a > b, a >= b)"),
            pairs(&[("<", ">="), ("<=", ">"), (">", "<="), (">=", "<")])
        );
    }

    #[test]
    fn numbers_go_up_and_down() {
        assert_eq!(
            of(ChangeKind::Number, "f(3, 0, -1, `${1}/7`)"),
            pairs(&[
                ("3", "4"),
                ("3", "2"),
                ("0", "1"),
                ("-1", "0"),
                ("1", "2"),
                ("1", "0")
            ])
        );
    }

    #[test]
    fn truths_are_exchanged() {
        assert_eq!(
            of(ChangeKind::Boolean, "f(true, false)"),
            pairs(&[("true", "false"), ("false", "true")])
        );
    }

    #[test]
    fn conditions_are_turned_round() {
        assert_eq!(
            of(
                ChangeKind::Condition,
                "while a.x(b) { } if a { return 1; } !b"
            ),
            pairs(&[("a.x(b)", "!(a.x(b))"), ("a", "!(a)"), ("!", "")])
        );
        assert_eq!(
            of(
                ChangeKind::Branches,
                "let c = if a { 1 } else if b { 2 } else { 3 };"
            ),
            pairs(&[("a", "!(a)"), ("b", "!(b)")])
        );
    }

    /// `if a == b` turned round is `if a != b`, and `if !a` is `if a`: each is drawn once.
    #[test]
    fn the_same_change_is_not_made_twice() {
        assert_eq!(of(ChangeKind::Operator, "if a == b { f(); }"), []);
        assert_eq!(
            of(ChangeKind::Condition, "if a == b { f(); }"),
            pairs(&[("a == b", "!(a == b)")])
        );
        assert_eq!(
            of(ChangeKind::Condition, "if !a { f(); }"),
            pairs(&[("!a", "!(!a)")])
        );
        assert_eq!(
            of(ChangeKind::Operator, "if f(a == b) { g(); }"),
            pairs(&[("==", "!=")])
        );
        assert_eq!(of(ChangeKind::Operator, "if a == 1 && b { g(); }").len(), 2);
        assert_eq!(of(ChangeKind::Condition, "if !a && b { g(); }").len(), 2);
    }

    #[test]
    fn conditions_are_left_out_one_by_one() {
        assert_eq!(
            of(ChangeKind::Operand, "if a && b.x(1) && !b { f(); }"),
            pairs(&[("a &&", ""), ("&& b.x(1)", ""), ("&& !b", "")])
        );
        assert_eq!(
            of(ChangeKind::Operand, "f(|| a || b && 1)"),
            pairs(&[("a ||", ""), ("|| b && 1", ""), ("b &&", ""), ("&& 1", "")])
        );
    }

    #[test]
    fn statements_are_left_out_unless_they_give_a_value_or_a_name() {
        let body = "let c = 1; g(c); if a { b += 1; } if b { return 2; } else { h(); } \
                    for x in b { continue; } debug(a); if a { 1 } else { 2 }";
        assert_eq!(
            of(ChangeKind::Statement, body),
            pairs(&[
                ("g(c);", ""),
                ("if a { b += 1; }", ""),
                ("b += 1;", ""),
                ("if b { return 2; } else { h(); }", ""),
                ("return 2;", ""),
                ("h();", ""),
                ("for x in b { continue; }", ""),
                ("continue;", ""),
            ])
        );
        assert_eq!(
            of(ChangeKind::Statement, "if a { g(); }"),
            pairs(&[("if a { g(); }", ""), ("g();", "")])
        );
    }

    #[test]
    fn comments_and_texts_stay() {
        let call = "f(\"a + 1 == true\");";
        let body = format!("{call} // if 1 > 2 && true\n");
        assert_eq!(
            found(&body),
            [(ChangeKind::Statement, call.to_owned(), String::new())]
        );
    }

    #[test]
    fn every_change_of_a_script_names_its_statement() {
        let text = "fn f(a) { if a > 1 { g(2); } }";
        let script = ScriptTree::read(text).unwrap();
        for change in changes(&script) {
            let statement = script.statements[change.statement.unwrap()];
            let inner = change.start >= text.find("g(2)").unwrap();
            assert_eq!(script.word(statement.first), if inner { "g" } else { "if" });
        }
    }
}
