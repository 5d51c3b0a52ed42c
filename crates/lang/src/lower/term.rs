//! What is computed from data, and conditions over it.

use super::code::{Looks, Meaning, Pc, Step};
use super::unit::{Lowering, NOWHERE};
use crate::diagnostic::Span;
use crate::expression::Expression;
use crate::expression::comparison::Order;
use crate::tree::{self, Block, Decision, StatementKind, Tree};
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::BufferId;

/// What is computed from data.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) shape: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) doubt: Option<Doubt>,
    /// How something computed from data is compared with a number, if that is what it is.
    pub(crate) compared: Option<Compared>,
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// What it is computed from.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Number(Expression),
    Slot(u16),
    Element(BufferId, Expression, u32),
    Memory(BufferId),
}

/// Why it cannot be told who gets the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// The kernel writes what is read.
    Written,
    /// It is computed in a way that is not followed.
    Computed,
}

impl Term {
    /// The variables that it is computed from.
    pub(crate) fn slots(&self) -> impl Iterator<Item = u16> + '_ {
        self.inputs.iter().flat_map(|input| {
            let (own, inner) = match input {
                Input::Slot(slot) => (Some(*slot), None),
                Input::Number(value) | Input::Element(_, value, _) => (None, Some(value.slots())),
                Input::Memory(_) => (None, None),
            };
            own.into_iter().chain(inner.into_iter().flatten())
        })
    }
}

/// Arrays that something of a text writes.
pub(crate) fn written(tree: &Tree) -> BTreeSet<String> {
    let mut names = tree.touched.clone();
    let functions = tree.functions.iter().map(|function| &function.body);
    functions.chain(tree.agents.iter().map(|block| &block.body)).for_each(|body| {
        written_in(body, &mut names);
    });
    names
}

fn written_in(block: &Block, names: &mut BTreeSet<String>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Data(accesses, ..) => {
                let writes = accesses.iter().filter(|access| access.writes);
                names.extend(writes.map(|access| access.name.text.clone()));
            }
            // A `store` of the scenario's own.
            StatementKind::Instruction(instruction) => {
                let of = instruction.operands.iter().filter_map(|operand| match operand {
                    tree::Operand::Bytes(name, _) | tree::Operand::Stage(name, _) => {
                        Some(name.text.clone())
                    }
                    _ => None,
                });
                names.extend(of);
            }
            kind => blocks(kind).for_each(|inner| written_in(inner, names)),
        }
    }
}

/// The blocks of a statement.
fn blocks(kind: &StatementKind) -> impl Iterator<Item = &Block> {
    let (first, second, others): (Option<&Block>, Option<&Block>, &[Block]) = match kind {
        StatementKind::If(_, then, otherwise) | StatementKind::Decide(_, then, otherwise) => {
            (Some(then), otherwise.as_ref(), &[])
        }
        StatementKind::For(_, _, _, body)
        | StatementKind::Repeat(_, body)
        | StatementKind::Maybe(_, body)
        | StatementKind::While(_, body)
        | StatementKind::DoWhile(body, _)
        | StatementKind::Loop(body) => (Some(body), None, &[]),
        StatementKind::Count(count) => (Some(&count.body), None, &[]),
        StatementKind::Switch(switch) => (Some(&switch.body), None, &[]),
        StatementKind::Choose(all) => (None, None, all),
        _ => (None, None, &[]),
    };
    first.into_iter().chain(second).chain(others)
}

/// A comparison of something computed from data alone with a number.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    /// Which input the number is; none where it is zero, as in a condition that is no comparison.
    pub(crate) number: Option<usize>,
    /// How the data are compared with it.
    pub(crate) order: Order,
    /// The shape of what is compared.
    pub(crate) shape: String,
}

/// How a term compares something with a number, if that is what it does.
fn compared(shape: &str, inputs: &[Input]) -> Option<Compared> {
    let words: Vec<&str> = shape.split(' ').collect();
    let joins = |word: &&&str| matches!(**word, "?" | "&&" | "||" | "&" | "|" | "^");
    let orders = words.iter().filter(|word| Order::of(word).is_some()).count();
    if words.iter().filter(joins).count() > 0 || orders > 1 {
        return None;
    }
    if orders == 0 {
        let (number, order, shape) = (None, Order::NotEqual, String::from(shape));
        return Some(Compared { number, order, shape });
    }
    let number = |at: usize| matches!(inputs.get(at), Some(Input::Number(_) | Input::Slot(_)));
    let is_operand =
        |word: &str| word == "#" || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let (last, end) = (inputs.len().checked_sub(1)?, words.len());
    if end < 3 {
        return None;
    }
    if let Some(order) =
        Order::of(words[end - 2]).filter(|_| number(last) && is_operand(words[end - 1]))
    {
        let shape = words[..end - 2].join(" ");
        return Some(Compared { number: Some(last), order, shape });
    }
    let order = Order::of(words[1]).filter(|_| number(0) && is_operand(words[0]))?.mirrored();
    Some(Compared { number: Some(0), order, shape: words[2..].join(" ") })
}

impl Lowering<'_, '_, '_> {
    /// A term with its names resolved; words that are no variables are part of what is computed.
    pub(super) fn term(&mut self, term: &tree::Term) -> Rc<Term> {
        let mut inputs = Vec::with_capacity(term.inputs.len());
        let mut numbers = false;
        let mut doubt = term.doubtful.then_some(Doubt::Computed);
        for input in &term.inputs {
            match input {
                tree::Input::Number(value) => {
                    let looks = self.looks;
                    self.looks = Looks::default();
                    inputs.push(Input::Number(self.resolve(value)));
                    numbers |= self.looks != Looks::default();
                    self.looks.0 |= looks.0;
                }
                tree::Input::Variable(name, data) => match self.slot(&name.text) {
                    Some(slot) => {
                        numbers |= !data;
                        inputs.push(Input::Slot(slot));
                    }
                    None => {
                        // A constant of the scenario, or a word of the language.
                    }
                },
                tree::Input::Element(name, first, bytes) => {
                    let first = self.resolve(first);
                    let buffer = self.memory(&name.text, &mut doubt);
                    inputs.extend(buffer.map(|buffer| Input::Element(buffer, first, *bytes)));
                }
                tree::Input::Memory(name) => {
                    inputs.extend(self.memory(&name.text, &mut doubt).map(Input::Memory));
                }
            }
        }
        if term.mixed && numbers {
            doubt = doubt.or(Some(Doubt::Computed));
        }
        let compared = compared(&term.shape, &inputs).filter(|_| inputs.len() == term.inputs.len());
        let (shape, span, text) = (term.shape.clone(), term.span, term.text.clone());
        Rc::new(Term { shape, inputs, doubt, compared, span, text })
    }

    fn memory(&self, name: &str, doubt: &mut Option<Doubt>) -> Option<BufferId> {
        if self.context.written.contains(name) {
            *doubt = Some(Doubt::Written);
        }
        match self.context.globals.meaning(name) {
            Some(Meaning::Memory(buffer)) => Some(buffer),
            _ => {
                *doubt = doubt.or(Some(Doubt::Computed));
                None
            }
        }
    }

    /// `if` over data.
    pub(super) fn decide(
        &mut self,
        decision: &Decision,
        then: &Block,
        otherwise: Option<&Block>,
        span: Span,
    ) {
        let mut no = Vec::new();
        self.branch(decision, &mut no);
        self.block(then);
        if let Some(block) = otherwise {
            let end = self.push(Step::Jump(NOWHERE, span));
            self.arrive(no);
            self.block(block);
            no = alloc::vec![end];
        }
        self.arrive(no);
    }

    fn arrive(&mut self, jumps: Vec<Pc>) {
        let here = self.here();
        jumps.into_iter().for_each(|at| self.patch(at, here));
    }

    /// Goes on behind if the condition holds, and else from these jumps.
    fn branch(&mut self, decision: &Decision, no: &mut Vec<Pc>) {
        match decision {
            Decision::Plain(condition) => {
                let condition = self.resolve(condition);
                no.push(self.push(Step::Unless(condition, NOWHERE)));
            }
            Decision::Data(term) => {
                let term = self.term(term);
                no.push(self.push(Step::Ask(term, NOWHERE)));
            }
            Decision::Not(inner) => {
                let mut yes = Vec::new();
                self.branch(inner, &mut yes);
                no.push(self.push(Step::Jump(NOWHERE, Span::default())));
                self.arrive(yes);
            }
            Decision::Both(first, second) => {
                self.branch(first, no);
                self.branch(second, no);
            }
            Decision::Either(first, second) => {
                let mut other = Vec::new();
                self.branch(first, &mut other);
                let holds = self.push(Step::Jump(NOWHERE, Span::default()));
                self.arrive(other);
                self.branch(second, no);
                self.arrive(alloc::vec![holds]);
            }
        }
    }
}
