//! The functions of a game's scripts with their statements, and the labels of `switch`, which
//! Rhai's syntax trees have as hashes only.

use std::{collections::BTreeMap, rc::Rc};

use rhai::{AST, ASTNode, Position, Stmt};

/// A function of a script, or a closure in one.
pub(super) struct FunctionBody {
    pub name: Rc<str>,
    pub parameters: Vec<Rc<str>>,
    pub statements: Rc<[Stmt]>,
    /// The position of its body.
    pub at: Position,
}

impl FunctionBody {
    /// Returns true if it is a closure.
    pub fn is_closure(&self) -> bool {
        self.name.starts_with("anon$")
    }
}

/// All functions of scripts.
pub(super) struct Bodies {
    all: Vec<FunctionBody>,
    by_name: BTreeMap<(Rc<str>, usize), usize>,
}

impl Bodies {
    pub fn of(ast: &AST) -> Self {
        let (mut all, mut by_name) = (Vec::new(), BTreeMap::new());
        // A tree has them in an order of its own, another in each run.
        let mut functions: Vec<_> = ast.iter_fn_def().collect();
        functions.sort_by_key(|function| function.body.start_position());
        for function in functions {
            let (name, arity) = (function.name.as_str(), function.params.len());
            // A syntax tree lends its statements only to a walk, and a walk does not say which
            // function they belong to.
            let mut alone = ast.clone();
            alone.retain_functions(|_, _, known, parameters| known == name && parameters == arity);
            let mut statements = Vec::new();
            alone.walk(&mut |path: &[ASTNode<'_>]| {
                if let [ASTNode::Stmt(statement)] = path {
                    statements.push(Stmt::clone(statement));
                }
                true
            });
            let name: Rc<str> = name.into();
            by_name.insert((Rc::clone(&name), arity), all.len());
            all.push(FunctionBody {
                name,
                parameters: function
                    .params
                    .iter()
                    .map(|name| name.as_str().into())
                    .collect(),
                statements: statements.into(),
                at: function.body.start_position(),
            });
        }
        Self { all, by_name }
    }

    pub fn iter(&self) -> impl Iterator<Item = &FunctionBody> {
        self.all.iter()
    }

    /// The number of the function with this name and number of arguments.
    pub fn find(&self, name: &str, arguments: usize) -> Option<usize> {
        self.by_name.get(&(name.into(), arguments)).copied()
    }

    pub fn get(&self, number: usize) -> Option<&FunctionBody> {
        self.all.get(number)
    }
}

/// The texts that `switch` compares with, by the place of the `switch`.
pub(super) fn switch_labels(text: &str) -> BTreeMap<(usize, usize), Vec<(String, Position)>> {
    let mut scan = Scan {
        letters: text.chars().collect(),
        at: 0,
        line: 1,
        column: 1,
        open: Vec::new(),
        braces: 0,
        found: BTreeMap::new(),
        last: Vec::new(),
    };
    scan.all();
    scan.found
}

/// A walk over the letters of scripts.
struct Scan {
    letters: Vec<char>,
    at: usize,
    line: usize,
    column: usize,
    /// The `switch`es that are open: their places, and how many braces were open before each.
    open: Vec<((usize, usize), usize)>,
    braces: usize,
    found: BTreeMap<(usize, usize), Vec<(String, Position)>>,
    /// Texts since the last sign other than `|`: labels, if `=>` follows.
    last: Vec<(String, Position)>,
}

impl Scan {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek(0)?;
        self.at += 1;
        if letter == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn skip_two(&mut self) {
        self.next();
        self.next();
    }

    fn position(&self) -> Position {
        let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        Position::new(small(self.line).max(1), small(self.column))
    }

    fn all(&mut self) {
        while let Some(letter) = self.peek(0) {
            match letter {
                '/' if self.peek(1) == Some('/') => {
                    while self.next().is_some_and(|it| it != '\n') {}
                }
                '/' if self.peek(1) == Some('*') => self.comment(),
                '"' => self.text(),
                '`' => self.template(),
                '{' => {
                    self.next();
                    self.braces += 1;
                    self.last.clear();
                }
                '}' => self.close(),
                '=' if self.peek(1) == Some('>') => {
                    self.skip_two();
                    if let Some((place, _)) = self.open.last() {
                        self.found.entry(*place).or_default().append(&mut self.last);
                    }
                    self.last.clear();
                }
                '|' => {
                    self.next();
                }
                _ if letter.is_alphabetic() || letter == '_' => self.word(),
                _ => {
                    self.next();
                    if !letter.is_whitespace() {
                        self.last.clear();
                    }
                }
            }
        }
    }

    fn close(&mut self) {
        self.next();
        self.last.clear();
        self.braces = self.braces.saturating_sub(1);
        if self
            .open
            .last()
            .is_some_and(|(_, before)| *before == self.braces)
        {
            self.open.pop();
        }
    }

    fn comment(&mut self) {
        self.skip_two();
        while let Some(letter) = self.next() {
            if letter == '*' && self.peek(0) == Some('/') {
                self.next();
                return;
            }
        }
    }

    fn word(&mut self) {
        let place = (self.line, self.column);
        let mut word = String::new();
        while let Some(letter) = self.peek(0).filter(|it| it.is_alphanumeric() || *it == '_') {
            word.push(letter);
            self.next();
        }
        if word == "switch" {
            self.open.push((place, self.braces));
            self.found.entry(place).or_default();
        }
        self.last.clear();
    }

    fn text(&mut self) {
        let position = self.position();
        self.next();
        let mut text = String::new();
        while let Some(letter) = self.next() {
            match letter {
                '"' => break,
                '\\' => text.extend(self.next()),
                _ => text.push(letter),
            }
        }
        self.last.push((text, position));
    }

    /// A text in backticks, skipping the code in it: there is no `switch` there.
    fn template(&mut self) {
        self.next();
        let mut depth = 0_usize;
        while let Some(letter) = self.next() {
            match letter {
                '`' if depth == 0 => break,
                '{' if depth > 0 || self.letters.get(self.at.wrapping_sub(2)) == Some(&'$') => {
                    depth += 1
                }
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.last.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_switches_are_found_with_their_places() {
        let text = "fn f(x) {\n  // switch \"no\" => 1\n  switch x {\n    \"a\" | \"b\" => switch x.y { \"c\" => `${x} =>`, _ => 1 },\n    \
                    \"d\" => g(\"e\"),\n  }\n}\n";
        let found = switch_labels(text);
        let words: Vec<(usize, Vec<&str>)> = found
            .iter()
            .map(|((line, _), labels)| {
                (
                    *line,
                    labels.iter().map(|(word, _)| word.as_str()).collect(),
                )
            })
            .collect();
        assert_eq!(words, [(3, vec!["a", "b", "d"]), (4, vec!["c"])]);
    }
}
