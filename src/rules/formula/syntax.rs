//! The syntax of formulas as they are kept, with names resolved to numbers.

use super::parse;

/// The value of a field: texts are symbols, numbered as they come; truths are 0 and 1.
pub type Symbol = i64;

/// An expression. Things are numbered by their depth: 0 is the one whose formula it is, the
/// variables of `any(x in ...)` and its like come after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    /// A number or a truth.
    Number(i64),
    /// A text in quotes.
    Text(Symbol),
    /// A field of a thing.
    Field(usize, usize),
    /// A term of a thing.
    Term(usize, usize),
    /// The decision of a thing.
    Decision(usize),
    Not(Box<Expression>),
    Both(Box<Expression>, Box<Expression>),
    Either(Box<Expression>, Box<Expression>),
    /// Two values and the relation that must hold between them.
    Compare(Relation, Box<Expression>, Box<Expression>),
    Add(Box<Expression>, Box<Expression>),
    Subtract(Box<Expression>, Box<Expression>),
    If(Box<[Expression; 3]>),
    /// An aggregate over a thing's set.
    Over(Aggregate, Members, Box<Expression>),
    /// Whether a way leads from one place to another through members.
    Way(Box<Passage>),
}

/// A set of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Members {
    /// The depth of the thing whose set it is.
    pub of: usize,
    /// The number of the set.
    pub set: usize,
}

/// The ends of a way, and what it may lead through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    pub from: Expression,
    pub to: Expression,
    pub members: Members,
    /// Where a member lies.
    pub place: Expression,
    /// Whether the way may lead through it.
    pub open: Expression,
}

/// How two values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Greater,
    AtLeast,
}

/// The ways to combine a value of each member of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    /// True if the value is true of any member.
    Any,
    /// True if the value is false of no member.
    All,
    /// Their sum; of truths, how many hold.
    Sum,
    /// The highest; 0 of none.
    Most,
}

/// A set: the things of a class that meet a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    pub name: String,
    /// The class of its members; all if none is named.
    pub class: Option<String>,
    /// A field of members that must equal something said of the thing alone: what it is looked up
    /// by.
    pub key: Option<(usize, Expression)>,
    /// The other condition on the thing (depth 0) and a member (depth 1).
    pub condition: Expression,
}

/// All formulas of a script: decisions on things of each class, terms and sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formulas {
    pub(super) fields: Vec<String>,
    pub(super) texts: Vec<String>,
    /// Classes and what decides of their things.
    pub(super) decisions: Vec<(String, Expression)>,
    pub(super) terms: Vec<(String, Expression)>,
    pub(super) sets: Vec<Set>,
}

impl Formulas {
    /// Reads formulas: names and texts of decisions (by class), of terms and of sets.
    ///
    /// # Errors
    /// The fault, and the formula that has it.
    pub fn read(
        decisions: &[(String, String)],
        terms: &[(String, String)],
        sets: &[(String, String)],
    ) -> Result<Self, String> {
        parse::formulas(decisions, terms, sets)
    }

    pub(super) fn term(&self, name: &str) -> Option<usize> {
        self.terms.iter().position(|(known, _)| known == name)
    }

    pub(super) fn set(&self, name: &str) -> Option<usize> {
        self.sets.iter().position(|set| set.name == name)
    }
}
