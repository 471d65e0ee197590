//! The tokens of a script, as Rhai's own lexer reads them, each with its place in the text.
//!
//! The syntax tree says where an expression's operator stands, but not where the expression begins
//! and ends: brackets are gone, a chain of `&&` has one position, a statement has no end. The
//! tokens have all of it.

use rhai::{LexError, Token as Lexed};

use super::sandbox::{self, RunLimits};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptTokenKind {
    /// A keyword or a name.
    Word,
    /// A whole number, with its sign where it can't be an operator.
    Number,
    /// A text, or a part of one before, between or after its `${...}`.
    Text,
    /// A comment.
    Comment,
    /// An operator between two operands, an assignment or a range.
    Infix,
    /// An operator before one operand (`-`, `!`), or the empty parameters of a closure (`||`).
    Prefix,
    /// Brackets, commas and the rest.
    Mark,
}

/// A token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptToken {
    /// The kind of token.
    pub kind: ScriptTokenKind,
    /// Its first byte in the text.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
}

/// The tokens of a script in their order, comments included.
///
/// # Errors
/// The first text that is not a token, with its line.
pub fn tokens(text: &str) -> Result<Vec<ScriptToken>, String> {
    let lines = line_starts(text);
    let engine = sandbox::parser(&RunLimits::default());
    let texts = [text];
    let (mut lexer, control) = engine.lex(&texts);
    lexer.state.include_comments = true;
    let mut found: Vec<ScriptToken> = Vec::new();
    // For each open brace, whether it opens the `${...}` of a text that goes on after it.
    let mut braces: Vec<bool> = Vec::new();
    let mut before = Lexed::SemiColon;
    for (lexed, position) in lexer {
        match &lexed {
            Lexed::EOF => break,
            Lexed::LexError(error) => return Err(fault(error, position.line())),
            Lexed::LeftBrace => braces.push(matches!(before, Lexed::InterpolatedString(_))),
            Lexed::MapStart => braces.push(false),
            Lexed::RightBrace => control.borrow_mut().is_within_text = braces.pop() == Some(true),
            _ => {}
        }
        // An empty text after `${...}` has no position: it follows the brace.
        let (line, column) = match (position.line(), found.last()) {
            (None, Some(brace)) => (brace.line, brace.column + 1),
            (line, _) => (line.unwrap_or(1), position.position().unwrap_or(1)),
        };
        let start = offset(text, &lines, line, column);
        end_before(text, found.last_mut(), start);
        found.push(ScriptToken {
            kind: kind(&lexed, &before, text.get(start..).unwrap_or_default()),
            start,
            end: text.len(),
            line,
            column,
        });
        if !matches!(lexed, Lexed::Comment(_)) {
            before = lexed;
        }
    }
    end_before(text, found.last_mut(), text.len());
    Ok(found)
}

fn fault(error: &LexError, line: Option<usize>) -> String {
    format!("line {}: {error}", line.unwrap_or(0))
}

/// Ends a token before the blanks that separate it from the next one.
fn end_before(text: &str, token: Option<&mut ScriptToken>, next: usize) {
    if let Some(token) = token {
        let length = text
            .get(token.start..next)
            .map_or(0, |it| it.trim_end().len());
        token.end = token.start + length;
    }
}

/// The kind of a token, from the one before it and the text that begins with it.
fn kind(lexed: &Lexed, before: &Lexed, text: &str) -> ScriptTokenKind {
    match lexed {
        Lexed::Comment(_) => ScriptTokenKind::Comment,
        Lexed::IntegerConstant(_) => ScriptTokenKind::Number,
        Lexed::StringConstant(_) | Lexed::InterpolatedString(_) | Lexed::CharConstant(_) => {
            ScriptTokenKind::Text
        }
        Lexed::UnaryMinus | Lexed::UnaryPlus | Lexed::Bang => ScriptTokenKind::Prefix,
        Lexed::Or if before.is_next_unary() => ScriptTokenKind::Prefix,
        Lexed::Plus
        | Lexed::Minus
        | Lexed::Multiply
        | Lexed::Divide
        | Lexed::Modulo
        | Lexed::PowerOf
        | Lexed::LessThan
        | Lexed::LessThanEqualsTo
        | Lexed::GreaterThan
        | Lexed::GreaterThanEqualsTo
        | Lexed::EqualsTo
        | Lexed::NotEqualsTo
        | Lexed::And
        | Lexed::Or
        | Lexed::In
        | Lexed::NotIn
        | Lexed::DoubleQuestion
        | Lexed::ExclusiveRange
        | Lexed::InclusiveRange
        | Lexed::Equals
        | Lexed::PlusAssign
        | Lexed::MinusAssign
        | Lexed::MultiplyAssign
        | Lexed::DivideAssign
        | Lexed::ModuloAssign => ScriptTokenKind::Infix,
        _ if text.starts_with(|first: char| first == '_' || first.is_alphabetic()) => {
            ScriptTokenKind::Word
        }
        _ => ScriptTokenKind::Mark,
    }
}

/// The byte at which each line begins.
fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(breaks).collect()
}

fn offset(text: &str, lines: &[usize], line: usize, column: usize) -> usize {
    let start = lines
        .get(line.saturating_sub(1))
        .copied()
        .unwrap_or(text.len());
    let rest = text.get(start..).unwrap_or_default();
    let inside = rest.char_indices().nth(column.saturating_sub(1));
    start + inside.map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)] // tests may panic
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(ScriptTokenKind, &str)> {
        let tokens = tokens(text).unwrap();
        tokens
            .iter()
            .map(|token| (token.kind, &text[token.start..token.end]))
            .collect()
    }

    #[test]
    fn every_token_stands_where_it_is_written() {
        let text = "// Größe\nfn f(a) { // why\n    let b = \"ä\" + a; -1\n}\n";
        let found = tokens(text).unwrap();
        for token in &found {
            let line = text.lines().nth(token.line - 1).unwrap();
            let rest: String = line.chars().skip(token.column - 1).collect();
            let own = &text[token.start..token.end];
            assert!(
                rest.starts_with(own),
                "{own:?} is not at the head of {rest:?}"
            );
        }
        let words: Vec<&str> = found.iter().map(|it| &text[it.start..it.end]).collect();
        assert_eq!(
            words,
            [
                "// Größe",
                "fn",
                "f",
                "(",
                "a",
                ")",
                "{",
                "// why",
                "let",
                "b",
                "=",
                "\"ä\"",
                "+",
                "a",
                ";",
                "-1",
                "}"
            ]
        );
    }

    #[test]
    fn a_text_goes_on_after_what_it_takes_in() {
        let text = "f(`a/${g(#{x: 1})} and ${2}/b`, `${3}`)";
        let kinds = read(text);
        let texts = kinds
            .iter()
            .filter(|(kind, _)| *kind == ScriptTokenKind::Text);
        let texts: Vec<&str> = texts.map(|(_, text)| *text).collect();
        assert_eq!(texts, ["`a/$", " and $", "/b`", "`$", "`"]);
        let words: String = kinds.iter().map(|(_, text)| *text).collect();
        assert_eq!(words, text.replace("x: 1", "x:1").replace(", ", ","));
    }

    #[test]
    fn signs_before_one_operand_are_no_operators() {
        let kinds = read("let x = -1 - 2; f(|| !a || -b)");
        let signs: Vec<_> = kinds
            .into_iter()
            .filter(|(kind, _)| matches!(kind, ScriptTokenKind::Infix | ScriptTokenKind::Prefix))
            .collect();
        assert_eq!(
            signs,
            [
                (ScriptTokenKind::Infix, "="),
                (ScriptTokenKind::Infix, "-"),
                (ScriptTokenKind::Prefix, "||"),
                (ScriptTokenKind::Prefix, "!"),
                (ScriptTokenKind::Infix, "||"),
                (ScriptTokenKind::Prefix, "-"),
            ]
        );
    }

    #[test]
    fn what_is_no_token_is_an_error_with_its_line() {
        let error = tokens("let a = 1;\nlet b = \"open").unwrap_err();
        assert!(error.starts_with("line 2:"), "{error}");
    }
}
