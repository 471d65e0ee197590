//! Reading formulas: a small grammar, by descent.

use super::syntax::{Aggregate, Expression, Formulas, Members, Passage, Relation, Set};

/// How deep expressions may be nested.
const DEEPEST: usize = 40;
/// Most formulas of one call.
const MOST: usize = 256;

/// A word, number or sign of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lexeme {
    Word(String),
    Number(i64),
    Text(String),
    Sign(&'static str),
}

const SIGNS: [&str; 14] = [
    "!=", ">=", "<=", ">", "<", "=", "(", ")", ",", ":", ".", "+", "-", "|",
];

fn lexemes(text: &str) -> Result<Vec<Lexeme>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length;
        if first.is_ascii_digit() {
            length = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let number = rest[..length].parse();
            found.push(Lexeme::Number(number.map_err(|_| "a number is too large")?));
        } else if first.is_alphabetic() || first == '_' {
            length = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            found.push(Lexeme::Word(rest[..length].to_owned()));
        } else if first == '\'' {
            let inside = rest[1..].find('\'').ok_or("a quote is not closed")?;
            length = inside + 2;
            found.push(Lexeme::Text(rest[1..=inside].to_owned()));
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("`{first}` has no meaning"))?;
            length = sign.len();
            found.push(Lexeme::Sign(sign));
        }
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

/// Reads all formulas.
pub(super) fn formulas(
    decisions: &[(String, String)],
    terms: &[(String, String)],
    sets: &[(String, String)],
) -> Result<Formulas, String> {
    if decisions.len() + terms.len() + sets.len() > MOST {
        return Err(format!("there are more than {MOST} formulas"));
    }
    let mut known = Formulas::default();
    for (name, _) in terms {
        known.terms.push((name.clone(), Expression::Number(0)));
    }
    for (name, _) in sets {
        known.sets.push(Set {
            name: name.clone(),
            class: None,
            key: None,
            condition: Expression::Number(1),
        });
    }
    let wrong = |name: &str, error: String| format!("in the formula of `{name}`: {error}");
    for (number, (name, text)) in sets.iter().enumerate() {
        let set = FormulaReader::new(&mut known, text).and_then(|reader| reader.set(name));
        known.sets[number] = set.map_err(|error| wrong(name, error))?;
    }
    for (number, (name, text)) in terms.iter().enumerate() {
        let term = FormulaReader::new(&mut known, text).and_then(FormulaReader::whole);
        known.terms[number].1 = term.map_err(|error| wrong(name, error))?;
    }
    for (name, text) in decisions {
        let decision = FormulaReader::new(&mut known, text).and_then(FormulaReader::whole);
        let decision = decision.map_err(|error| wrong(name, error))?;
        known.decisions.push((name.clone(), decision));
    }
    Ok(known)
}

struct FormulaReader<'a> {
    known: &'a mut Formulas,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: usize,
    /// Names of things in sight, beside the one whose formula it is: the first has depth 1.
    variables: Vec<String>,
}

impl<'a> FormulaReader<'a> {
    fn new(known: &'a mut Formulas, text: &str) -> Result<Self, String> {
        Ok(Self {
            known,
            lexemes: lexemes(text)?,
            at: 0,
            depth: 0,
            variables: Vec::new(),
        })
    }

    fn whole(mut self) -> Result<Expression, String> {
        let found = self.expression()?;
        match self.lexemes.get(self.at) {
            None => Ok(found),
            Some(more) => Err(format!("nothing is expected before {more:?}")),
        }
    }

    /// `class x where condition`; `any x where condition` for things of every class.
    fn set(mut self, name: &str) -> Result<Set, String> {
        let class = self.word("a class")?;
        let variable = self.word("a name for the member")?;
        self.expect_word("where")?;
        self.variables.push(variable);
        let condition = self.expression()?;
        if self.at < self.lexemes.len() {
            return Err("nothing is expected after the condition".to_owned());
        }
        let (key, condition) = keyed(condition);
        Ok(Set {
            name: name.to_owned(),
            class: (class != "any").then_some(class),
            key,
            condition,
        })
    }

    fn expression(&mut self) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        let found = if self.took_word("if") {
            let condition = self.expression()?;
            self.expect_word("then")?;
            let then = self.expression()?;
            self.expect_word("else")?;
            Expression::If(Box::new([condition, then, self.expression()?]))
        } else {
            self.either()?
        };
        self.depth -= 1;
        Ok(found)
    }

    fn either(&mut self) -> Result<Expression, String> {
        let mut found = self.both()?;
        while self.took_word("or") {
            found = Expression::Either(Box::new(found), Box::new(self.both()?));
        }
        Ok(found)
    }

    fn both(&mut self) -> Result<Expression, String> {
        let mut found = self.comparison()?;
        while self.took_word("and") {
            found = Expression::Both(Box::new(found), Box::new(self.comparison()?));
        }
        Ok(found)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        if self.took_word("not") {
            return Ok(Expression::Not(Box::new(self.comparison()?)));
        }
        let left = self.sum()?;
        let Some(Lexeme::Sign(sign)) = self.lexemes.get(self.at) else {
            return Ok(left);
        };
        let (how, turned) = match *sign {
            "=" => (Relation::Equal, false),
            "!=" => (Relation::Unequal, false),
            ">" => (Relation::Greater, false),
            ">=" => (Relation::AtLeast, false),
            "<" => (Relation::Greater, true),
            "<=" => (Relation::AtLeast, true),
            _ => return Ok(left),
        };
        self.at += 1;
        let right = self.sum()?;
        let (left, right) = if turned { (right, left) } else { (left, right) };
        Ok(Expression::Compare(how, Box::new(left), Box::new(right)))
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut found = self.atom()?;
        loop {
            if self.took("+") {
                found = Expression::Add(Box::new(found), Box::new(self.atom()?));
            } else if self.took("-") {
                found = Expression::Subtract(Box::new(found), Box::new(self.atom()?));
            } else {
                return Ok(found);
            }
        }
    }

    fn atom(&mut self) -> Result<Expression, String> {
        let lexeme = self.lexemes.get(self.at).cloned();
        self.at += 1;
        match lexeme {
            Some(Lexeme::Number(number)) => Ok(Expression::Number(number)),
            Some(Lexeme::Text(text)) => Ok(Expression::Text(self.text(text))),
            Some(Lexeme::Sign("(")) => {
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            Some(Lexeme::Word(word)) => self.named(&word),
            Some(other) => Err(format!("{other:?} is no value")),
            None => Err("it ends too early".to_owned()),
        }
    }

    fn named(&mut self, word: &str) -> Result<Expression, String> {
        let aggregate = match word {
            "true" => return Ok(Expression::Number(1)),
            "false" => return Ok(Expression::Number(0)),
            "any" => Aggregate::Any,
            "all" => Aggregate::All,
            "sum" | "count" => Aggregate::Sum,
            "most" => Aggregate::Most,
            "way" if self.next_is("(") => return self.way(),
            _ => {
                let variable = self.variables.iter().position(|known| known == word);
                return match variable {
                    Some(number) => {
                        self.expect(".")?;
                        let name = self.word("a name behind the dot")?;
                        Ok(self.of(number + 1, &name))
                    }
                    None => Ok(self.of(0, word)),
                };
            }
        };
        self.expect("(")?;
        let (members, variable) = self.members()?;
        self.expect(":")?;
        self.variables.push(variable);
        let value = self.expression();
        self.variables.pop();
        let value = value?;
        self.expect(")")?;
        Ok(Expression::Over(aggregate, members, Box::new(value)))
    }

    /// `way(from, to, x in set, place, condition)`.
    fn way(&mut self) -> Result<Expression, String> {
        self.expect("(")?;
        let from = self.expression()?;
        self.expect(",")?;
        let to = self.expression()?;
        self.expect(",")?;
        let (members, variable) = self.members()?;
        self.expect(",")?;
        self.variables.push(variable);
        let place = self.expression()?;
        self.expect(",")?;
        let open = self.expression()?;
        self.variables.pop();
        self.expect(")")?;
        Ok(Expression::Way(Box::new(Passage {
            from,
            to,
            members,
            place,
            open,
        })))
    }

    /// `x in set`, or `x in y.set`.
    fn members(&mut self) -> Result<(Members, String), String> {
        let variable = self.word("a name for the members")?;
        self.expect_word("in")?;
        let mut name = self.word("a set")?;
        let mut of = 0;
        if let Some(number) = self.variables.iter().position(|known| *known == name) {
            of = number + 1;
            self.expect(".")?;
            name = self.word("a set behind the dot")?;
        }
        let set = self.known.set(&name);
        let set = set.ok_or_else(|| format!("there is no set `{name}`"))?;
        Ok((Members { of, set }, variable))
    }

    /// The meaning of a name for a thing: its decision, a term, or a field.
    fn of(&mut self, depth: usize, name: &str) -> Expression {
        if name == "yes" {
            return Expression::Decision(depth);
        }
        match self.known.term(name) {
            Some(term) => Expression::Term(depth, term),
            None => Expression::Field(depth, number_of(&mut self.known.fields, name)),
        }
    }

    fn text(&mut self, text: String) -> i64 {
        i64::try_from(number_of(&mut self.known.texts, &text)).unwrap_or(i64::MAX)
    }

    fn next_is(&self, sign: &str) -> bool {
        matches!(self.lexemes.get(self.at), Some(Lexeme::Sign(found)) if *found == sign)
    }

    fn took(&mut self, sign: &str) -> bool {
        let found = self.next_is(sign);
        self.at += usize::from(found);
        found
    }

    fn took_word(&mut self, word: &str) -> bool {
        let found = matches!(self.lexemes.get(self.at), Some(Lexeme::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.took(sign) {
            return Ok(());
        }
        Err(format!("`{sign}` is missing"))
    }

    fn expect_word(&mut self, word: &str) -> Result<(), String> {
        if self.took_word(word) {
            return Ok(());
        }
        Err(format!("`{word}` is missing"))
    }

    fn word(&mut self, what: &str) -> Result<String, String> {
        match self.lexemes.get(self.at) {
            Some(Lexeme::Word(word)) => {
                self.at += 1;
                Ok(word.clone())
            }
            _ => Err(format!("{what} is missing")),
        }
    }
}

/// The number of a name in a list, which it joins if it is new.
fn number_of(names: &mut Vec<String>, name: &str) -> usize {
    if let Some(found) = names.iter().position(|known| known == name) {
        return found;
    }
    names.push(name.to_owned());
    names.len() - 1
}

/// Takes the first `x.field = ...` out of a condition whose right side says nothing of `x`.
fn keyed(condition: Expression) -> (Option<(usize, Expression)>, Expression) {
    match condition {
        Expression::Compare(Relation::Equal, left, right) => match (*left, *right) {
            (Expression::Field(1, field), right) if !mentions(&right) => {
                (Some((field, right)), Expression::Number(1))
            }
            (left, right) => (
                None,
                Expression::Compare(Relation::Equal, Box::new(left), Box::new(right)),
            ),
        },
        Expression::Both(left, right) => match keyed(*left) {
            (None, left) => {
                let (key, right) = keyed(*right);
                (key, Expression::Both(Box::new(left), Box::new(right)))
            }
            (key, Expression::Number(1)) => (key, *right),
            (key, left) => (key, Expression::Both(Box::new(left), right)),
        },
        other => (None, other),
    }
}

/// Returns true unless it says something of the first thing alone, in a plain way.
fn mentions(expression: &Expression) -> bool {
    !matches!(
        expression,
        Expression::Field(0, _) | Expression::Text(_) | Expression::Number(_)
    )
}
