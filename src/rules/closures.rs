//! Functions of a script are not values: they can only be called, given to a function that calls
//! them, and named by `let`.
//!
//! A closure that holds a closure that holds another makes a chain of any length, which no limit of
//! the engine counts, and which overflows the stack when it is dropped. If functions can't be kept,
//! such a chain is no longer than the calls in progress, and nothing that a script keeps (lists,
//! maps, variables that closures share) can hold itself. So each function is followed through the
//! scripts, from where it is written to where it is called.

use std::{cell::RefCell, collections::BTreeMap, ptr};

use rhai::{AST, ASTNode, Expr, FnCallExpr, FnPtr, Module, Position, Shared, Stmt, StmtBlock};

use super::{errors::RuleError, sources::Sources};

/// Functions of the engine and of the host that call a function given to them and keep none: their
/// names, and the position of that function among the arguments, from 0, counting the list before
/// the dot.
pub(super) const CALLERS: [(&str, usize); 31] = [
    ("all", 1),
    ("cheapest", 2),
    ("costs_from", 1),
    ("dedup", 1),
    ("drain", 1),
    ("filter", 1),
    ("find", 1),
    ("find_map", 1),
    ("flood", 1),
    ("for_each", 1),
    ("index_of", 1),
    ("map", 1),
    ("on_view", 1),
    ("once", 1),
    ("order", 1),
    ("order_by", 1),
    ("path_cost", 2),
    ("reach", 2),
    ("reduce", 1),
    ("reduce_rev", 1),
    ("remembered", 2),
    ("retain", 1),
    ("some", 1),
    ("sort", 1),
    ("sort_by", 1),
    ("step_cost", 2),
    ("steps", 2),
    ("steps_from", 1),
    ("way_cost", 2),
    ("zip", 2),
    ("call", 0),
];

/// The permitted uses of functions, in the words of errors.
const KEPT: &str = "a function can be called, given to a function that calls it, or named by `let`; it can't be kept, given \
                    back or compared";

/// Looks for functions that are used as values.
///
/// # Errors
/// The first such place.
pub(super) fn check(ast: &AST, sources: &Sources) -> Result<(), RuleError> {
    let scripts = Scripts::of(ast);
    let mut open: Vec<usize> = (0..scripts.functions.len()).collect();
    let mut wrong: BTreeMap<(usize, usize), String> = BTreeMap::new();
    while let Some(index) = open.pop() {
        for found in scripts.uses(index) {
            match found {
                FunctionUse::Goes { to, as_name } => {
                    if scripts.holds_now(to, &as_name) {
                        open.push(to);
                    }
                }
                FunctionUse::Wrong { at, why } => {
                    let place = (at.line().unwrap_or(0), at.position().unwrap_or(0));
                    wrong.insert(place, why);
                }
            }
        }
    }
    let Some(((line, column), message)) = wrong.into_iter().next() else {
        return Ok(());
    };
    let number = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
    let at = match line {
        0 => Position::NONE,
        line => Position::new(number(line), number(column)),
    };
    Err(RuleError {
        place: sources.place(at),
        ..RuleError::general(message)
    })
}

/// The use of a function at one place.
enum FunctionUse {
    /// It goes to the script function with this number, if the name holds it.
    Goes { to: usize, as_name: String },
    /// It is used as a value.
    Wrong { at: Position, why: String },
}

/// The functions of all scripts, closures included.
struct Scripts {
    functions: Vec<ClosureFunction>,
    by_name: BTreeMap<String, Vec<usize>>,
}

struct ClosureFunction {
    /// The body alone, so that it can be walked.
    body: AST,
    parameters: Vec<String>,
    /// True if it is for receivers of one type only: for others the engine goes on to look for a
    /// function of the script.
    typed: bool,
    /// The names in it that hold functions.
    holders: RefCell<Vec<String>>,
}

impl Scripts {
    fn of(ast: &AST) -> Self {
        let (mut functions, mut by_name) = (Vec::new(), BTreeMap::<String, Vec<usize>>::new());
        for (_, _, name, _, definition) in ast.shared_lib().iter_script_fn_info() {
            let of_name = by_name.entry(name.to_owned()).or_default();
            of_name.push(functions.len());
            let mut alone = Module::new();
            alone.set_script_fn(Shared::clone(definition));
            functions.push(ClosureFunction {
                body: AST::new_from_module(alone),
                parameters: definition.params.iter().map(ToString::to_string).collect(),
                typed: definition.this_type.is_some(),
                holders: RefCell::default(),
            });
        }
        Self { functions, by_name }
    }

    /// Notes that a name holds functions within a script function. Returns false if that was known.
    fn holds_now(&self, function: usize, name: &str) -> bool {
        let Some(function) = self.functions.get(function) else {
            return false;
        };
        let mut holders = function.holders.borrow_mut();
        let is_new = !holders.iter().any(|known| known == name);
        if is_new {
            holders.push(name.to_owned());
        }
        is_new
    }

    /// The uses of functions within one script function.
    fn uses(&self, index: usize) -> Vec<FunctionUse> {
        let mut found = Vec::new();
        let Some(function) = self.functions.get(index) else {
            return found;
        };
        function.body.walk(&mut |path: &[ASTNode<'_>]| {
            self.look(index, function, path, &mut found);
            true
        });
        found
    }

    fn look(
        &self,
        index: usize,
        within: &ClosureFunction,
        path: &[ASTNode<'_>],
        found: &mut Vec<FunctionUse>,
    ) {
        let Some((node, above)) = path.split_last() else {
            return;
        };
        if let Some((call, at)) = call_of(node)
            && matches!(call.name.as_str(), "Fn" | "curry")
            && captured(above).is_none()
        {
            let why = format!("`{}` is not available to rules; {KEPT}", call.name);
            found.push(FunctionUse::Wrong { at, why });
        }
        let ASTNode::Expr(expr) = node else {
            return;
        };
        if !self.is_function(expr, within) {
            return;
        }
        let at = expr.position();
        let wrong = |why: String| FunctionUse::Wrong { at, why };
        match place_of(expr, above) {
            ClosurePlace::Called | ClosurePlace::Bound => {}
            ClosurePlace::Kept => found.push(wrong(KEPT.to_owned())),
            ClosurePlace::Named(name) => found.push(FunctionUse::Goes {
                to: index,
                as_name: name,
            }),
            ClosurePlace::Captured { closure, parameter } => {
                found.extend(self.flows(&closure, None, parameter));
            }
            ClosurePlace::Given {
                name,
                arguments,
                index,
                method,
            } => {
                let flows: Vec<FunctionUse> = self.flows(&name, Some(arguments), index).collect();
                let by_script = self
                    .named(&name, Some(arguments))
                    .any(|called| !called.1.typed);
                let place = index + usize::from(method);
                let by_host = CALLERS.contains(&(name.as_str(), place));
                if !by_script && !by_host {
                    found.push(wrong(format!("`{name}` takes no function here; {KEPT}")));
                }
                found.extend(flows);
            }
        }
    }

    /// The script functions with a name, and with this number of parameters if that is known.
    fn named(
        &self,
        name: &str,
        parameters: Option<usize>,
    ) -> impl Iterator<Item = (usize, &ClosureFunction)> {
        let of_name = self.by_name.get(name).into_iter().flatten();
        let all = of_name.filter_map(|index| Some((*index, self.functions.get(*index)?)));
        all.filter(move |(_, function)| {
            parameters.is_none_or(|count| function.parameters.len() == count)
        })
    }

    /// A function becomes a parameter of the script functions of this name.
    fn flows(
        &self,
        name: &str,
        parameters: Option<usize>,
        parameter: usize,
    ) -> impl Iterator<Item = FunctionUse> {
        self.named(name, parameters)
            .filter_map(move |(to, function)| {
                let as_name = function.parameters.get(parameter)?.clone();
                Some(FunctionUse::Goes { to, as_name })
            })
    }

    /// Returns true if an expression may be a function.
    fn is_function(&self, expr: &Expr, within: &ClosureFunction) -> bool {
        match expr {
            Expr::DynamicConstant(value, _) => value.is_fnptr(),
            Expr::Stmt(block) => closure_in(block).is_some(),
            Expr::Variable(variable, ..) => {
                let (index, name) = (variable.0, variable.1.as_str());
                let holds = within.holders.borrow().iter().any(|held| held == name);
                // A captured variable is a parameter of its closure, whatever else shares its name.
                let is_variable = index.is_some() || within.parameters.iter().any(|it| it == name);
                holds || (!is_variable && self.by_name.contains_key(name))
            }
            _ => false,
        }
    }
}

/// The role of an expression.
enum ClosurePlace {
    /// The function is called.
    Called,
    /// The function is the code of a closure, beside its captured variables.
    Bound,
    /// The function is named by `let`.
    Named(String),
    /// The function is an argument of a call: in `list.map(it)` it is argument 0 of a method.
    Given {
        name: String,
        arguments: usize,
        index: usize,
        method: bool,
    },
    /// A closure captures it, as this one of its parameters.
    Captured { closure: String, parameter: usize },
    /// The function is used in any other way.
    Kept,
}

/// Where an expression stands, seen from the nodes above it.
fn place_of(expr: &Expr, above: &[ASTNode<'_>]) -> ClosurePlace {
    let Some((parent, higher)) = above.split_last() else {
        return ClosurePlace::Kept;
    };
    if let Some((call, _)) = call_of(parent) {
        let is_it = |argument: &Expr| ptr::eq(argument, expr);
        let Some(index) = call.args.iter().position(is_it) else {
            return ClosurePlace::Kept;
        };
        if let Some(closure) = captured(higher) {
            return match index.checked_sub(1) {
                None => ClosurePlace::Bound,
                Some(parameter) => ClosurePlace::Captured { closure, parameter },
            };
        }
        let method = matches!(parent, ASTNode::Expr(Expr::MethodCall(..)));
        return ClosurePlace::Given {
            name: call.name.to_string(),
            arguments: call.args.len(),
            index,
            method,
        };
    }
    match parent {
        ASTNode::Stmt(Stmt::Var(variable, ..)) => ClosurePlace::Named(variable.0.name.to_string()),
        ASTNode::Expr(Expr::Dot(dot, ..)) if ptr::eq(&dot.lhs, expr) => {
            let first = match &dot.rhs {
                Expr::Dot(next, ..) | Expr::Index(next, ..) => &next.lhs,
                other => other,
            };
            match first {
                Expr::MethodCall(call, _) if call.name == "call" => ClosurePlace::Called,
                _ => ClosurePlace::Kept,
            }
        }
        _ => ClosurePlace::Kept,
    }
}

/// The call that a node is.
fn call_of<'a>(node: &ASTNode<'a>) -> Option<(&'a FnCallExpr, Position)> {
    match node {
        ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at))
        | ASTNode::Stmt(Stmt::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}

/// The name of the closure that the node below these belongs to, as the call that binds its
/// captured variables.
fn captured(above: &[ASTNode<'_>]) -> Option<String> {
    match above {
        [
            ..,
            ASTNode::Expr(Expr::Stmt(block)),
            ASTNode::Stmt(Stmt::Expr(_)),
        ] => closure_in(block),
        _ => None,
    }
}

/// The name of the closure that a block makes: the parser turns one with captured variables into a
/// block that shares and binds them. No script can write such a block itself.
fn closure_in(block: &StmtBlock) -> Option<String> {
    let [Stmt::Share(_), Stmt::Expr(bound)] = block.statements() else {
        return None;
    };
    let Expr::FnCall(call, _) = bound.as_ref() else {
        return None;
    };
    let Some(Expr::DynamicConstant(code, _)) = call.args.first() else {
        return None;
    };
    let code = code.read_lock::<FnPtr>()?;
    Some(code.fn_name().to_owned())
}
