//! Terms computed from data, and the memory that a text may write.

use crate::expression::{Atom, Expression};
use crate::tree::{self, Block, Shape, Statement, StatementKind, Tree, Value, ValueKind};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::BufferId;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// A term computed from data.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    /// Its notation without its inputs.
    pub(crate) shape: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) doubt: Option<Doubt>,
}

/// An input of a term.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// A number, or data.
    Value(Expression),
    /// Bytes of a memory from the expression on; anywhere in it if the expression is data.
    Element(BufferId, Expression, u32),
    /// Bytes at a pointer.
    Pointed(Expression, u32),
}

/// The start of the notation of values that the host passes.
pub(crate) const PASSED: &str = "argument ";

/// Why it is unknown which agents compute the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// The kernel writes the memory that is read.
    Written,
    /// The computation is not tracked.
    Computed,
}

impl Term {
    /// The variables that it is computed from.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u16> + '_ {
        self.inputs.iter().flat_map(|input| match input {
            Input::Value(value) | Input::Element(_, value, _) | Input::Pointed(value, _) => {
                value.slots()
            }
        })
    }
}

/// Arrays that the text may write; an array whose address is passed on may be written there.
pub(crate) fn written(tree: &Tree) -> OrderedSet<String> {
    let mut names = OrderedSet::new();
    let functions = tree.functions.iter().map(|function| &function.body);
    functions.chain(tree.agents.iter().map(|block| &block.body)).for_each(|body| {
        written_in(&body.statements, &mut names);
    });
    names
}

/// Private arrays of numbers, and vectors whose address is not taken, by position.
pub(crate) fn followed(tree: &Tree, text: &str) -> OrderedMap<u32, Shape> {
    let mut escaped = OrderedSet::new();
    let functions = tree.functions.iter().map(|function| &function.body);
    functions.chain(tree.agents.iter().map(|block| &block.body)).for_each(|body| {
        escaped_in(&body.statements, text, &mut escaped);
    });
    let name = |start: u32| {
        let rest = text.get(start as usize..).unwrap_or("");
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    };
    // The elements of an array have addresses; the value of a vector as a whole does not follow its components.
    let kept = tree.shapes.iter().filter(|(start, shape)| {
        shape.width == 1 && !shape.sizes.is_empty() || !escaped.contains(name(**start))
    });
    kept.map(|(&start, shape)| (start, shape.clone())).collect()
}

/// The variables whose address is taken: by `&` on them or on a part, and arrays named as a whole.
fn escaped_in<'a>(statements: &[Statement], text: &'a str, names: &mut OrderedSet<&'a str>) {
    for statement in statements {
        for value in values(&statement.kind) {
            value.any(&mut |part| {
                match &part.kind {
                    ValueKind::Element(element) if element.is_whole() => {
                        names.insert(crate::lexer::slice(text, element.name.span));
                    }
                    ValueKind::Address(inner) => drop(inner.any(&mut |part| {
                        names.extend(named_in(part, text));
                        false
                    })),
                    ValueKind::Plain(code)
                        if code.iter().any(|(atom, _)| *atom == Atom::Address) =>
                    {
                        names.extend(named_in(part, text));
                    }
                    _ => {}
                }
                false
            });
        }
        escaped_in(statements_of(&statement.kind), text, names);
        blocks(&statement.kind).for_each(|inner| escaped_in(&inner.statements, text, names));
    }
}

/// The names directly in an expression.
fn named_in<'a>(value: &Value, text: &'a str) -> Vec<&'a str> {
    match &value.kind {
        ValueKind::Plain(code) => {
            let names = code.iter().filter(|(atom, _)| *atom == Atom::Name);
            names.map(|&(_, span)| crate::lexer::slice(text, span)).collect()
        }
        ValueKind::Element(element) => {
            alloc::vec![crate::lexer::slice(text, element.name.span)]
        }
        _ => Vec::new(),
    }
}

fn written_in(statements: &[Statement], names: &mut OrderedSet<String>) {
    for statement in statements {
        // A `store` of the scenario language.
        if let StatementKind::Instruction(instruction) = &statement.kind {
            let of = instruction.operands.iter().filter_map(|operand| match operand {
                tree::Operand::Bytes(name, _) | tree::Operand::Stage(name, _) => {
                    Some(name.text.clone())
                }
                _ => None,
            });
            names.extend(of);
        }
        values(&statement.kind).into_iter().for_each(|value| written_by(value, names));
        written_in(statements_of(&statement.kind), names);
        blocks(&statement.kind).for_each(|inner| written_in(&inner.statements, names));
    }
}

fn written_by(value: &Value, names: &mut OrderedSet<String>) {
    value.any(&mut |part| {
        let target = match &part.kind {
            ValueKind::Assign(_, two) => Some(&two[0]),
            ValueKind::Step(_, _, one) => Some(&**one),
            _ => None,
        };
        if let Some(target) = target {
            arrays_of(target, names);
        }
        // A whole array is an address, through which any element may be written.
        if let ValueKind::Element(element) = &part.kind
            && element.indices.len() < element.array.sizes.len()
        {
            names.insert(element.name.text.clone());
        }
        if let ValueKind::Address(inner) = &part.kind {
            arrays_of(inner, names);
        }
        false
    });
}

/// The arrays in which the place that an expression names may be; its indices are only read.
fn arrays_of(place: &Value, names: &mut OrderedSet<String>) {
    match &place.kind {
        ValueKind::Element(element) => drop(names.insert(element.name.text.clone())),
        ValueKind::Part(whole, _) | ValueKind::Member(whole, ..) => arrays_of(whole, names),
        _ => drop(place.any(&mut |part| {
            if let ValueKind::Element(element) = &part.kind {
                names.insert(element.name.text.clone());
            }
            false
        })),
    }
}

/// The C expressions directly in a statement.
pub(super) fn values(kind: &StatementKind) -> Vec<&Value> {
    match kind {
        StatementKind::Variable(_, value) => value.iter().collect(),
        StatementKind::Value(value) | StatementKind::Give(value) => alloc::vec![value],
        StatementKind::Either(value, ..) => alloc::vec![value],
        StatementKind::Switch(switch) => alloc::vec![&switch.value],
        StatementKind::Rounds(rounds) => {
            rounds.condition.iter().chain(rounds.next.iter()).collect()
        }
        _ => Vec::new(),
    }
}

/// The statements of a statement outside its blocks.
pub(super) fn statements_of(kind: &StatementKind) -> &[Statement] {
    match kind {
        StatementKind::Rounds(rounds) => &rounds.first,
        StatementKind::Count(count) => &count.first,
        StatementKind::Several(statements) => statements,
        _ => &[],
    }
}

/// The blocks of a statement.
pub(super) fn blocks(kind: &StatementKind) -> impl Iterator<Item = &Block> {
    let (first, second, others): (Option<&Block>, Option<&Block>, &[Block]) = match kind {
        StatementKind::If(_, then, otherwise) | StatementKind::Either(_, then, otherwise) => {
            (Some(then), otherwise.as_ref(), &[])
        }
        StatementKind::For(_, _, _, body)
        | StatementKind::Repeat(_, body)
        | StatementKind::While(_, body)
        | StatementKind::DoWhile(body, _)
        | StatementKind::Loop(body) => (Some(body), None, &[]),
        StatementKind::Count(count) => (Some(&count.body), None, &[]),
        StatementKind::Rounds(rounds) => (Some(&rounds.body), None, &[]),
        StatementKind::Switch(switch) => (Some(&switch.body), None, &[]),
        StatementKind::Choose(all) => (None, None, all),
        _ => (None, None, &[]),
    };
    first.into_iter().chain(second).chain(others)
}
