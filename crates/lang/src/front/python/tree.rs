//! The syntax tree of the functions of a file.

use alloc::boxed::Box;
use alloc::vec::Vec;
use tidegate_kernel::ir::Place;

/// An expression and its place.
#[derive(Clone, Debug)]
pub(super) struct Expression<'t> {
    pub(super) place: Place,
    pub(super) kind: Kind<'t>,
}

/// An argument of a call, with its keyword.
pub(super) type Passed<'t> = (Option<&'t str>, Expression<'t>);

/// An operation on one or two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Add,
    Sub,
    Mul,
    Div,
    Floor,
    Rem,
    Power,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Matrix,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Kind<'t> {
    Name(&'t str),
    Int(i64),
    /// A floating-point number.
    Float,
    Text(&'t str),
    None,
    /// A tuple or list.
    Tuple(Vec<Expression<'t>>),
    Attribute(Box<Expression<'t>>, &'t str),
    Subscript(Box<Expression<'t>>, Box<Expression<'t>>),
    Call(Box<Expression<'t>>, Vec<Passed<'t>>),
    Minus(Box<Expression<'t>>),
    Invert(Box<Expression<'t>>),
    Not(Box<Expression<'t>>),
    Binary(Sign, Box<Expression<'t>>, Box<Expression<'t>>),
    /// `and` (true) or `or`.
    Logic(bool, Box<Expression<'t>>, Box<Expression<'t>>),
    /// The value where the condition holds, the condition, the other value.
    Choice(Box<[Expression<'t>; 3]>),
    /// Slices, dictionaries, comprehensions, functions: values that only compute data.
    Other,
}

/// A statement and its place.
#[derive(Clone, Debug)]
pub(super) struct Statement<'t> {
    pub(super) place: Place,
    pub(super) kind: Does<'t>,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub(super) enum Does<'t> {
    /// Targets from left to right, and the value.
    Assign(Vec<Expression<'t>>, Expression<'t>),
    Augment(Expression<'t>, Sign, Expression<'t>),
    Evaluate(Expression<'t>),
    For(Expression<'t>, Expression<'t>, Vec<Statement<'t>>),
    While(Expression<'t>, Vec<Statement<'t>>),
    If(Expression<'t>, Vec<Statement<'t>>, Vec<Statement<'t>>),
    With(Expression<'t>, Vec<Statement<'t>>),
    Return(Option<Expression<'t>>),
    Pass,
    /// A statement that no kernel can have, such as `try`.
    Unknown,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(super) struct Parameter<'t> {
    pub(super) name: &'t str,
    pub(super) place: Place,
    pub(super) constant: bool,
    pub(super) default: Option<Expression<'t>>,
}

/// A function with `@triton.jit`.
#[derive(Clone, Debug)]
pub(super) struct Function<'t> {
    pub(super) name: &'t str,
    pub(super) place: Place,
    pub(super) parameters: Vec<Parameter<'t>>,
    pub(super) body: Vec<Statement<'t>>,
    /// The tokens of its decorators.
    pub(super) decorators: core::ops::Range<usize>,
}

/// Calls a function for each expression in some statements, the outer ones first.
pub(super) fn visit<'a, 't>(body: &'a [Statement<'t>], see: &mut dyn FnMut(&'a Expression<'t>)) {
    for statement in body {
        match &statement.kind {
            Does::Assign(targets, value) => {
                targets.iter().chain([value]).for_each(|one| visit_expression(one, see));
            }
            Does::Augment(target, _, value) => {
                visit_expression(target, see);
                visit_expression(value, see);
            }
            Does::Evaluate(one) | Does::Return(Some(one)) => visit_expression(one, see),
            Does::For(target, over, body) => {
                visit_expression(target, see);
                visit_expression(over, see);
                visit(body, see);
            }
            Does::While(one, body) | Does::With(one, body) => {
                visit_expression(one, see);
                visit(body, see);
            }
            Does::If(condition, then, other) => {
                visit_expression(condition, see);
                visit(then, see);
                visit(other, see);
            }
            Does::Return(None) | Does::Pass | Does::Unknown => {}
        }
    }
}

fn visit_expression<'a, 't>(one: &'a Expression<'t>, see: &mut dyn FnMut(&'a Expression<'t>)) {
    see(one);
    match &one.kind {
        Kind::Tuple(parts) => parts.iter().for_each(|part| visit_expression(part, see)),
        Kind::Attribute(of, _) | Kind::Minus(of) | Kind::Invert(of) | Kind::Not(of) => {
            visit_expression(of, see);
        }
        Kind::Subscript(one, other) | Kind::Binary(_, one, other) | Kind::Logic(_, one, other) => {
            visit_expression(one, see);
            visit_expression(other, see);
        }
        Kind::Call(of, passed) => {
            visit_expression(of, see);
            passed.iter().for_each(|(_, value)| visit_expression(value, see));
        }
        Kind::Choice(three) => three.iter().for_each(|part| visit_expression(part, see)),
        _ => {}
    }
}

/// The names that statements assign, each once.
pub(super) fn assigned<'t>(body: &[Statement<'t>]) -> Vec<&'t str> {
    fn target<'t>(one: &Expression<'t>, names: &mut Vec<&'t str>) {
        match &one.kind {
            Kind::Name(name) if !names.contains(name) => names.push(name),
            Kind::Tuple(parts) => parts.iter().for_each(|part| target(part, names)),
            _ => {}
        }
    }
    fn all<'t>(body: &[Statement<'t>], names: &mut Vec<&'t str>) {
        for statement in body {
            match &statement.kind {
                Does::Assign(targets, _) => targets.iter().for_each(|one| target(one, names)),
                Does::Augment(one, ..) => target(one, names),
                Does::For(one, _, body) => {
                    target(one, names);
                    all(body, names);
                }
                Does::While(_, body) | Does::With(_, body) => all(body, names),
                Does::If(_, then, other) => {
                    all(then, names);
                    all(other, names);
                }
                _ => {}
            }
        }
    }
    let mut names = Vec::new();
    all(body, &mut names);
    names
}
