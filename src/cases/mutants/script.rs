//! A script's structure, as far as changes need it: brackets, statements, operands, functions.

use std::{collections::BTreeSet, ops::RangeInclusive};

use crate::rules::{ScriptToken, ScriptTokenKind, tokens};

/// A script with its structure. Everything in it is named by the number of a token; comments have
/// none.
pub(super) struct ScriptTree<'a> {
    pub text: &'a str,
    pub tokens: Vec<ScriptToken>,
    pub comments: Vec<ScriptToken>,
    /// Of each bracket, the one that closes or opens it; of all else, itself.
    partners: Vec<usize>,
    /// In the order of their first tokens, so that a statement stands before those inside it.
    pub statements: Vec<Statement>,
    /// The innermost statement that each token belongs to.
    owners: Vec<Option<usize>>,
}

/// A statement of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub first: usize,
    pub last: usize,
    /// True if it is the last of its block and has no semicolon, so that it may be the block's
    /// value.
    pub is_tail: bool,
}

/// A function of a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptFunction<'a> {
    pub name: &'a str,
    pub tokens: RangeInclusive<usize>,
    /// The names that it calls, or names a function by.
    pub calls: BTreeSet<&'a str>,
}

/// The first words of statements that end with their block.
const BLOCK_WORDS: [&str; 5] = ["if", "while", "for", "loop", "switch"];

impl<'a> ScriptTree<'a> {
    /// Reads a script; a text that is no script has no structure.
    pub fn read(text: &'a str) -> Result<Self, String> {
        let (comments, tokens): (Vec<_>, Vec<_>) = tokens(text)?
            .into_iter()
            .partition(|token| token.kind == ScriptTokenKind::Comment);
        let mut script = Self {
            text,
            partners: (0..tokens.len()).collect(),
            owners: vec![None; tokens.len()],
            tokens,
            comments,
            statements: Vec::new(),
        };
        script.pair_brackets();
        script.find_statements();
        Ok(script)
    }

    /// A token's text, `""` after the last one.
    pub fn word(&self, token: usize) -> &'a str {
        self.tokens
            .get(token)
            .and_then(|token| self.text.get(token.start..token.end))
            .unwrap_or_default()
    }

    pub fn kind(&self, token: usize) -> Option<ScriptTokenKind> {
        self.tokens.get(token).map(|token| token.kind)
    }

    /// The text of a bracket or another mark; `""` of anything else, of a text that looks like one
    /// too.
    fn mark(&self, token: usize) -> &'a str {
        if self.kind(token) == Some(ScriptTokenKind::Mark) {
            self.word(token)
        } else {
            ""
        }
    }

    /// The bracket that closes or opens this one; the token itself if it is none.
    fn partner(&self, token: usize) -> usize {
        self.partners.get(token).copied().unwrap_or(token)
    }

    fn opens(&self, token: usize) -> bool {
        self.partner(token) > token
    }

    fn closes(&self, token: usize) -> bool {
        self.partner(token) < token
    }

    fn pair_brackets(&mut self) {
        let mut open = Vec::new();
        for token in 0..self.tokens.len() {
            match self.mark(token) {
                "(" | "[" | "{" | "#{" | "?[" => open.push(token),
                ")" | "]" | "}" => {
                    let Some(opener) = open.pop() else { continue };
                    for (one, other) in [(opener, token), (token, opener)] {
                        if let Some(partner) = self.partners.get_mut(one) {
                            *partner = other;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The next token at the same depth of brackets.
    pub fn after(&self, token: usize) -> usize {
        self.partner(token).max(token) + 1
    }

    /// The first brace at the depth of a token, from it on.
    fn brace_from(&self, mut token: usize) -> Option<usize> {
        while token < self.tokens.len() && !self.closes(token) {
            if self.mark(token) == "{" {
                return Some(token);
            }
            token = self.after(token);
        }
        None
    }

    fn find_statements(&mut self) {
        let switches: BTreeSet<usize> = (0..self.tokens.len())
            .filter(|token| self.is_keyword(*token, "switch"))
            .filter_map(|token| self.brace_from(token))
            .collect();
        for brace in 0..self.tokens.len() {
            if self.mark(brace) == "{" && self.opens(brace) && !switches.contains(&brace) {
                self.split_block(brace);
            }
        }
        self.statements.sort_by_key(|statement| statement.first);
        for (number, statement) in self.statements.iter().enumerate() {
            if let Some(owners) = self.owners.get_mut(statement.first..=statement.last) {
                owners.fill(Some(number));
            }
        }
    }

    fn split_block(&mut self, brace: usize) {
        let close = self.partner(brace);
        let mut first = brace + 1;
        while first < close {
            let statement = self.statement(first, close);
            first = statement.last + 1;
            if self.mark(statement.first) != ";" {
                self.statements.push(statement);
            }
        }
    }

    /// The statement that begins here, in a block that is closed there.
    fn statement(&self, first: usize, close: usize) -> Statement {
        let ends_with_block =
            self.mark(first) == "{" || BLOCK_WORDS.iter().any(|word| self.is_keyword(first, word));
        let mut token = first;
        while token < close {
            let end = self.partner(token).max(token);
            let is_block = ends_with_block && self.mark(token) == "{";
            if self.mark(token) == ";" || (is_block && !self.is_keyword(end + 1, "else")) {
                return Statement {
                    first,
                    last: end,
                    is_tail: is_block && end + 1 == close,
                };
            }
            token = end + 1;
        }
        Statement {
            first,
            last: close - 1,
            is_tail: true,
        }
    }

    pub fn is_keyword(&self, token: usize, word: &str) -> bool {
        self.kind(token) == Some(ScriptTokenKind::Word) && self.word(token) == word
    }

    /// The number of the innermost statement that a token belongs to.
    pub fn owner(&self, token: usize) -> Option<usize> {
        self.owners.get(token).copied().flatten()
    }

    /// The number of the innermost statement at a place; none outside functions.
    pub fn statement_at(&self, line: usize, column: usize) -> Option<usize> {
        let after = self
            .tokens
            .partition_point(|token| (token.line, token.column) <= (line, column));
        self.owner(after.checked_sub(1)?)
    }

    /// The condition of an `if` or a `while`, of an arm of a `switch` too: its first and last
    /// token.
    pub fn condition(&self, keyword: usize) -> Option<(usize, usize)> {
        let mut token = keyword + 1;
        while token < self.tokens.len() && !self.closes(token) {
            if self.mark(token) == "{" || self.mark(token) == "=>" {
                return (token > keyword + 1).then(|| (keyword + 1, token - 1));
            }
            token = self.after(token);
        }
        None
    }

    /// Returns true if an `else` follows the block of an `if`.
    pub fn has_else(&self, last_of_condition: usize) -> bool {
        self.is_keyword(self.after(last_of_condition + 1), "else")
    }

    /// The first token of the operand on the left of `&&` or `||`.
    pub fn left_operand(&self, operator: usize) -> usize {
        let bound = self
            .owner(operator)
            .and_then(|owner| self.statements.get(owner))
            .map_or(0, |statement| statement.first);
        let mut first = operator;
        while first > bound {
            let before = first - 1;
            if self.opens(before) || self.parts_operands(before, operator) {
                break;
            }
            first = self.partner(before).min(before);
        }
        first
    }

    /// The last token of the operand on the right of `&&` or `||`.
    pub fn right_operand(&self, operator: usize) -> usize {
        let mut last = operator;
        while last + 1 < self.tokens.len() {
            let next = last + 1;
            let ends = self.closes(next) || self.mark(next) == "{";
            if ends || self.parts_operands(next, operator) {
                break;
            }
            last = self.partner(next).max(next);
        }
        last
    }

    /// Returns true if a token ends the operands of a logical operator.
    fn parts_operands(&self, token: usize, operator: usize) -> bool {
        let word = self.word(token);
        match self.kind(token) {
            // `&&` binds its operands more closely than `||`.
            Some(ScriptTokenKind::Infix) => match word {
                "||" | "=" | "+=" | "-=" | "*=" | "/=" | "%=" => true,
                "&&" => self.word(operator) == "&&",
                _ => false,
            },
            Some(ScriptTokenKind::Mark) => matches!(word, "," | ";" | "=>" | ":" | "|"),
            Some(ScriptTokenKind::Word) => {
                matches!(word, "return" | "if" | "while" | "else" | "break" | "throw")
            }
            Some(ScriptTokenKind::Prefix) => word == "||",
            _ => false,
        }
    }

    /// The functions, in their order.
    pub fn functions(&self) -> Vec<ScriptFunction<'a>> {
        let starts = (0..self.tokens.len()).filter(|token| self.is_keyword(*token, "fn"));
        let function = |start: usize| {
            let brace = self.brace_from(start)?;
            let tokens = start..=self.partner(brace);
            let calls = (brace..=self.partner(brace)).filter_map(|token| self.called(token));
            Some(ScriptFunction {
                name: self.word(start + 1),
                calls: calls.collect(),
                tokens,
            })
        };
        starts.filter_map(function).collect()
    }

    /// The function that a token names: before a bracket, or in `Fn("name")`.
    fn called(&self, token: usize) -> Option<&'a str> {
        let has_arguments = matches!(self.mark(token + 1), "(" | "()");
        if !has_arguments || self.kind(token) != Some(ScriptTokenKind::Word) {
            return None;
        }
        if self.word(token) == "Fn" {
            return Some(self.word(token + 2).trim_matches('"'));
        }
        Some(self.word(token))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;
    use crate::game::{self, EmbeddedFiles, Files, GameFiles};

    fn statements(text: &str) -> Vec<(String, bool)> {
        let script = ScriptTree::read(text).unwrap();
        let text_of = |it: &Statement| {
            let (first, last) = (script.tokens[it.first], script.tokens[it.last]);
            (text[first.start..last.end].to_owned(), it.is_tail)
        };
        script.statements.iter().map(text_of).collect()
    }

    #[test]
    fn statements_end_at_semicolons_and_blocks() {
        let text = "fn f(a) { let m = #{x: 1}; if a { g(); } else if b { 2 } while a { a -= 1; } \
                    for x in y { k(x) } `${a}/b` }";
        let found = statements(text);
        let of = |text: &str, tail: bool| (text.to_owned(), tail);
        assert_eq!(
            found,
            [
                of("let m = #{x: 1};", false),
                of("if a { g(); } else if b { 2 }", false),
                of("g();", false),
                of("2", true),
                of("while a { a -= 1; }", false),
                of("a -= 1;", false),
                of("for x in y { k(x) }", false),
                of("k(x)", true),
                of("`${a}/b`", true),
                of("a", true),
            ]
        );
    }

    #[test]
    fn arms_of_a_switch_belong_to_its_statement() {
        let found = statements("fn f(a) { switch a { 1 => return 2, _ => { g(); } } let b = 1; }");
        let texts: Vec<&str> = found.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "switch a { 1 => return 2, _ => { g(); } }",
                "g();",
                "let b = 1;"
            ]
        );
    }

    #[test]
    fn operands_end_where_others_begin() {
        let text = "fn f(a) { if x { y(); } h(|u| u.a(1, 2) && !u.b || c in [d && e], 3) }";
        let script = ScriptTree::read(text).unwrap();
        let operands = |sign: &str| -> Vec<(String, String)> {
            let operators = (0..script.tokens.len()).filter(|it| script.word(*it) == sign);
            let slice = |first: usize, last: usize| {
                let (first, last) = (script.tokens[first], script.tokens[last]);
                text[first.start..last.end].to_owned()
            };
            operators
                .map(|it| {
                    let left = slice(script.left_operand(it), it - 1);
                    (left, slice(it + 1, script.right_operand(it)))
                })
                .collect()
        };
        let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        assert_eq!(operands("&&"), [pair("u.a(1, 2)", "!u.b"), pair("d", "e")]);
        assert_eq!(operands("||"), [pair("u.a(1, 2) && !u.b", "c in [d && e]")]);
    }

    /// Nothing of the shipped scripts is lost: between tokens are blanks, and every token of a
    /// function's body belongs to a statement of it.
    #[test]
    fn shipped_scripts_are_read_whole() {
        let mut statements = 0;
        for id in EmbeddedFiles.game_ids().unwrap() {
            let files = GameFiles::gather(&EmbeddedFiles, &id).unwrap();
            for (name, text) in game::scripts(&files, &id) {
                let script = ScriptTree::read(&text).unwrap();
                let mut all = [script.tokens.clone(), script.comments.clone()].concat();
                all.sort_by_key(|token| token.start);
                let mut end = 0;
                for token in all {
                    assert!(
                        text[end..token.start].trim().is_empty(),
                        "{name}:{}",
                        token.line
                    );
                    end = token.end;
                }
                let functions = script.functions();
                let written = text.lines().filter(|line| line.starts_with("fn ")).count();
                assert_eq!(functions.len(), written, "{name}");
                for function in functions {
                    let (first, last) = (*function.tokens.start(), *function.tokens.end());
                    let body = script.brace_from(first).unwrap() + 1;
                    for token in body..last {
                        assert!(
                            script.owner(token).is_some(),
                            "{name}: {}",
                            script.word(token)
                        );
                    }
                    statements += script.statements.len();
                }
            }
        }
        assert!(statements > 1000);
    }

    #[test]
    fn functions_name_what_they_call() {
        let script =
            ScriptTree::read("fn f() { g(1); x.h() } fn g(n) { each(n, Fn(\"k\")) }").unwrap();
        let calls: Vec<(&str, Vec<&str>)> = script
            .functions()
            .into_iter()
            .map(|function| (function.name, function.calls.into_iter().collect()))
            .collect();
        assert_eq!(calls, [("f", vec!["g", "h"]), ("g", vec!["each", "k"])]);
    }
}
