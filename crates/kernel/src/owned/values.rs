//! The registers of a kernel as sums.
//!
//! Integers are assumed not to wrap around. Conversions between integers of 32 bits or more are assumed not to change them.

use super::facts::Facts;
use super::graph::Graph;
use super::sum::{Atom, Sum};
use super::threads::Threads;
use crate::evaluate::Request;
use crate::flow::edges;
use crate::ir::{BlockId, End, Function, Guard, Kind, Op, Operand, Passed, Reg, Special};
use crate::value::{ones, signed};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

/// The maximum depth to which definitions are followed.
const DEEPEST: usize = 200;

/// The maximum depth to which registers that edges assign are followed.
const DEEPEST_PHI: usize = 40;

/// How a register receives its value.
#[derive(Clone, Copy)]
enum Definition<'a> {
    Never,
    Passed(Operand),
    Computed(Op, &'a [Operand]),
    /// By moves on the edges to a block.
    Phi(BlockId),
    /// By something else, or by several instructions.
    Other,
}

/// An operation on sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) op: Op,
    pub(super) width: u8,
    pub(super) of: Vec<Sum>,
}

/// The value that a register receives on the edges to a block.
#[derive(Clone, Debug)]
enum Phi {
    /// The same on all edges.
    Same(Sum),
    /// At the header of a loop: the value in the first iteration, and the increase in each iteration.
    Steps(Sum, Sum),
    /// Something else.
    Choice,
}

/// The registers of the function of a kernel.
pub(super) struct Values<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) function: &'a Function,
    pub(super) graph: &'a Graph,
    pub(super) threads: &'a Threads<'a>,
    definitions: Vec<Definition<'a>>,
    blocks: Vec<BlockId>,
    sums: RefCell<Vec<Option<Sum>>>,
    phis: RefCell<Vec<Option<Phi>>>,
    operations: RefCell<Vec<Operation>>,
    /// The dividends and exponents of remainders.
    rests: RefCell<Vec<(Sum, u32)>>,
    depth: Cell<usize>,
    /// For each block, the facts at its start.
    pub(super) known_facts: RefCell<Vec<Option<Facts>>>,
    /// The number of steps that a proof may still take.
    pub(super) fuel: Cell<u32>,
}

impl<'a> Values<'a> {
    pub(super) fn of(
        request: &'a Request<'a>,
        function: &'a Function,
        graph: &'a Graph,
        threads: &'a Threads<'a>,
    ) -> Self {
        let count = function.widths.len();
        let mut definitions = alloc::vec![Definition::Never; count];
        let mut blocks = alloc::vec![0; count];
        for (at, &register) in function.parameters.iter().enumerate() {
            let passed = request.kernel.arguments.get(at).copied().unwrap_or(Operand::Data);
            definitions[register as usize] = Definition::Passed(passed);
        }
        let mut define = |register: Reg, block: BlockId, found: Definition<'a>| {
            let known = &mut definitions[register as usize];
            *known = match (&*known, found) {
                (Definition::Never, found) => found,
                (Definition::Phi(one), Definition::Phi(other)) if *one == other => found,
                _ => Definition::Other,
            };
            blocks[register as usize] = block;
        };
        for (block, code) in (0..).zip(&function.blocks) {
            for instruction in &code.instructions {
                match &instruction.kind {
                    Kind::Compute { to, op, of } if instruction.guard.is_none() => {
                        define(*to, block, Definition::Computed(*op, of));
                    }
                    kind => crate::flow::writes(kind)
                        .into_iter()
                        .for_each(|to| define(to, block, Definition::Other)),
                }
            }
            for edge in edges(&code.end) {
                edge.moves
                    .iter()
                    .for_each(|&(to, _)| define(to, edge.to, Definition::Phi(edge.to)));
            }
        }
        Self {
            request,
            function,
            graph,
            threads,
            definitions,
            blocks,
            sums: RefCell::new(alloc::vec![None; count]),
            phis: RefCell::new(alloc::vec![None; count]),
            operations: RefCell::default(),
            rests: RefCell::default(),
            depth: Cell::new(0),
            known_facts: RefCell::new(alloc::vec![None; function.blocks.len()]),
            fuel: Cell::new(0),
        }
    }

    /// The block in which a register receives its value.
    pub(super) fn block(&self, register: Reg) -> BlockId {
        self.blocks[register as usize]
    }

    /// The block to which edges assign a register; `None` if it receives its value otherwise.
    pub(super) fn phi_block(&self, register: Reg) -> Option<BlockId> {
        match self.definitions[register as usize] {
            Definition::Phi(block) => Some(block),
            _ => None,
        }
    }

    pub(super) fn operation(&self, number: u32) -> Operation {
        self.operations.borrow()[number as usize].clone()
    }

    /// The dividend and the exponent of a remainder.
    pub(super) fn rest(&self, number: u32) -> (Sum, u32) {
        self.rests.borrow()[number as usize].clone()
    }

    pub(super) fn rests(&self) -> u32 {
        self.rests.borrow().len() as u32
    }

    /// The operation that computes an operand, with its operands; `None` if it is not computed.
    pub(super) fn computed(&self, operand: Operand) -> Option<(Op, &'a [Operand])> {
        match operand {
            Operand::Register(register) => match self.definitions[register as usize] {
                Definition::Computed(op, of) => Some((op, of)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an operand of an instruction with a width.
    pub(super) fn value(&self, operand: Operand, width: u8) -> Sum {
        self.resolved(&self.sum(operand, width), 0)
    }

    /// As [`Self::value`], but with registers that edges to a block assign.
    fn sum(&self, operand: Operand, width: u8) -> Sum {
        match operand {
            Operand::Int(value) => Sum::int(i128::from(signed(value & ones(width), width))),
            Operand::Object(object, offset) => {
                Sum::atom(Atom::Object(object)).offset(i128::from(offset))
            }
            Operand::Special(special) => self.special(special),
            Operand::Argument(argument) => {
                let given = self.request.given.iter().find(|(one, _)| *one == argument);
                match self.request.module.arguments[argument as usize].passed {
                    Passed::Object(object) => Sum::atom(Atom::Object(object)),
                    Passed::Integer if given.is_some() => {
                        Sum::int(given.map_or(0, |&(_, value)| i128::from(value)))
                    }
                    _ => Sum::atom(Atom::Argument(argument)),
                }
            }
            Operand::Data => Sum::atom(Atom::Register(Reg::MAX)),
            Operand::Register(register) => {
                if let Some(sum) = &self.sums.borrow()[register as usize] {
                    return sum.clone();
                }
                let sum = if self.depth.get() < DEEPEST {
                    self.depth.set(self.depth.get() + 1);
                    let sum = self.defined(register);
                    self.depth.set(self.depth.get() - 1);
                    sum
                } else {
                    None
                };
                let sum = sum.unwrap_or_else(|| Sum::atom(Atom::Register(register)));
                self.sums.borrow_mut()[register as usize] = Some(sum.clone());
                sum
            }
        }
    }

    fn special(&self, special: Special) -> Sum {
        let atom = Atom::Special(special);
        match self.threads.same(special) {
            Some(value) => Sum::int(value),
            None => Sum::atom(atom),
        }
    }

    fn defined(&self, register: Reg) -> Option<Sum> {
        let width = self.function.widths[register as usize];
        match self.definitions[register as usize] {
            Definition::Passed(operand) => Some(self.sum(operand, width)),
            Definition::Computed(op, of) => self.result(op, width, of),
            _ => None,
        }
    }

    fn result(&self, op: Op, width: u8, operands: &[Operand]) -> Option<Sum> {
        let of: Vec<Sum> = operands.iter().map(|&operand| self.sum(operand, width)).collect();
        self.applied(op, width, of)
    }

    /// The result of an operation on sums; `None` if it depends on other lanes.
    fn applied(&self, op: Op, width: u8, of: Vec<Sum>) -> Option<Sum> {
        let power = |sum: &Sum| {
            let value = sum.number().filter(|value| *value > 0)?;
            (value & (value - 1) == 0).then(|| value.trailing_zeros())
        };
        let sum = match (op, &of[..]) {
            (Op::Copy, [of]) if width >= 32 => Some(of.clone()),
            (Op::SignExtend(bits), [of]) if bits >= 32 => Some(of.clone()),
            (Op::Add, [one, other]) => Some(one.plus(other, 1)),
            (Op::Sub, [one, other]) => Some(one.minus(other)),
            (Op::Mul, [one, other]) => one.times(other),
            (Op::Shl, [of, by]) => match by.number() {
                Some(by @ 0..=31) => Some(of.scaled(1 << by)),
                _ => None,
            },
            (Op::Or, [one, other]) => {
                let fits = |high: &Sum, low: &Sum| {
                    let low = low.number()?;
                    let part = high.divisor();
                    (low >= 0 && part > low && power(&Sum::int(part)).is_some())
                        .then(|| high.offset(low))
                };
                fits(one, other).or_else(|| fits(other, one))
            }
            (Op::And, [of, mask]) if !self.is_known(of) => {
                mask.number().and_then(|mask| self.masked(of, mask, power(&Sum::int(mask + 1))))
            }
            (Op::RemUnsigned, [of, by]) if !self.is_known(of) => {
                power(by).map(|exponent| self.remainder(of, exponent))
            }
            _ => None,
        };
        let sum = sum.filter(Sum::is_small);
        if sum.is_some() || is_of_lanes(op) {
            return sum;
        }
        let known = Operation { op, width, of };
        let mut operations = self.operations.borrow_mut();
        let at = operations.iter().position(|one| *one == known).unwrap_or_else(|| {
            operations.push(known);
            operations.len() - 1
        });
        Some(Sum::atom(Atom::Result(at as u32)))
    }

    /// A number that is not negative, with a mask of its low bits, or of all but some low bits. `None` for other masks.
    fn masked(&self, of: &Sum, mask: i128, low: Option<u32>) -> Option<Sum> {
        if let Some(exponent) = low {
            return Some(self.remainder(of, exponent));
        }
        let exponent = mask.trailing_zeros();
        let above = mask >> exponent;
        let all = above == -1 || above & (above + 1) == 0 && exponent + above.count_ones() >= 31;
        (exponent > 0 && all).then(|| of.minus(&self.remainder(of, exponent)))
    }

    fn remainder(&self, of: &Sum, exponent: u32) -> Sum {
        let mut rests = self.rests.borrow_mut();
        let known = (of.clone(), exponent);
        let at = rests.iter().position(|one| *one == known).unwrap_or_else(|| {
            rests.push(known);
            rests.len() - 1
        });
        Sum::atom(Atom::Rest(at as u32))
    }

    /// Whether an atom is another one or is computed from it.
    pub(super) fn contains(&self, atom: Atom, other: Atom) -> bool {
        let any = |sum: &Sum| sum.atoms().any(|one| self.contains(one, other));
        atom == other
            || match atom {
                Atom::Rest(number) => any(&self.rest(number).0),
                Atom::Result(number) => self.operation(number).of.iter().any(any),
                _ => false,
            }
    }

    /// Whether a number depends only on the launch.
    pub(super) fn is_known(&self, sum: &Sum) -> bool {
        sum.atoms().all(|atom| match atom {
            Atom::Special(special) => special != Special::ActiveMask,
            Atom::Result(number) => self.operation(number).of.iter().all(|of| self.is_known(of)),
            _ => false,
        })
    }

    /// The value that a register receives on the edges to a block.
    fn phi(&self, register: Reg, depth: usize) -> Phi {
        if register == Reg::MAX {
            return Phi::Choice;
        }
        if let Some(known) = &self.phis.borrow()[register as usize] {
            return known.clone();
        }
        let found = self.new_phi(register, depth);
        self.phis.borrow_mut()[register as usize] = Some(found.clone());
        found
    }

    fn new_phi(&self, register: Reg, depth: usize) -> Phi {
        let Some(block) = self.phi_block(register) else { return Phi::Choice };
        let own = Sum::atom(Atom::Register(register));
        let width = self.function.widths[register as usize];
        let (mut first, mut back): (Vec<Sum>, Vec<Sum>) = (Vec::new(), Vec::new());
        for (from, operand) in self.incoming(block, register) {
            let sum = self.sum(operand, width);
            match self.graph.dominates(block, from) {
                true => back.push(sum),
                false => first.push(self.resolved(&sum, depth + 1)),
            }
        }
        first.sort();
        first.dedup();
        back.sort();
        back.dedup();
        back.retain(|one| *one != own);
        let start = |first: &[Sum]| match first {
            [one] => one.clone(),
            _ => Sum::atom(Atom::First(register)),
        };
        match &back[..] {
            [] if first.len() == 1 => Phi::Same(first[0].clone()),
            [] if !self.graph.is_header(block) => Phi::Choice,
            [] => Phi::Same(start(&first)),
            [one] => {
                let step = one.minus(&own);
                if step.atoms().any(|atom| atom == Atom::Register(register)) {
                    return Phi::Choice;
                }
                let step = self.resolved(&step, depth + 1);
                match self.is_fixed(&step, block) {
                    true => Phi::Steps(start(&first), step),
                    false => Phi::Choice,
                }
            }
            _ => Phi::Choice,
        }
    }

    /// The predecessors of a block, each with the operand that its edge assigns to a register.
    pub(super) fn incoming(&self, block: BlockId, register: Reg) -> Vec<(BlockId, Operand)> {
        let mut all = Vec::new();
        for &from in self.graph.before(block) {
            for edge in edges(&self.function.blocks[from as usize].end) {
                let moved = edge.moves.iter().find(|(to, _)| edge.to == block && *to == register);
                all.extend(moved.map(|&(_, operand)| (from, operand)));
            }
        }
        all
    }

    /// The sum with iteration numbers instead of registers that a loop changes.
    pub(super) fn resolved(&self, sum: &Sum, depth: usize) -> Sum {
        let mut sum = sum.clone();
        if depth > DEEPEST_PHI {
            return sum;
        }
        let mut left = Vec::new();
        loop {
            let Some(atom) = sum.atoms().find(|atom| !left.contains(atom)) else { return sum };
            match self.instead(atom, depth).and_then(|instead| sum.with(atom, &instead)) {
                Some(replaced) if replaced != sum => sum = replaced,
                _ => left.push(atom),
            }
        }
    }

    /// The atom in terms of iteration numbers; `None` if it stays as it is.
    fn instead(&self, atom: Atom, depth: usize) -> Option<Sum> {
        match atom {
            Atom::Register(register) => match self.phi(register, depth) {
                Phi::Same(one) => Some(one),
                Phi::Steps(first, step) => {
                    let moved = step.times(&Sum::atom(Atom::Round(self.block(register))))?;
                    Some(first.plus(&moved, 1))
                }
                Phi::Choice => None,
            },
            Atom::Rest(number) => {
                let (of, exponent) = self.rest(number);
                Some(self.remainder(&self.resolved(&of, depth + 1), exponent))
            }
            Atom::Result(number) => {
                let Operation { op, width, of } = self.operation(number);
                let of = of.iter().map(|one| self.resolved(one, depth + 1)).collect();
                self.applied(op, width, of)
            }
            _ => None,
        }
    }

    /// Whether a number is the same in all iterations of the loop with a header.
    pub(super) fn is_fixed(&self, sum: &Sum, header: BlockId) -> bool {
        let outside = |block: BlockId| block != header && self.graph.dominates(block, header);
        sum.atoms().all(|atom| match atom {
            Atom::Special(special) => special != Special::ActiveMask,
            Atom::Argument(_) | Atom::Object(_) => true,
            Atom::Round(block) => outside(block),
            Atom::First(register) => {
                self.block(register) == header || outside(self.block(register))
            }
            Atom::Register(register) => {
                register != Reg::MAX
                    && !matches!(self.definitions[register as usize], Definition::Never)
                    && outside(self.block(register))
            }
            Atom::Rest(number) => self.is_fixed(&self.resolved(&self.rest(number).0, 0), header),
            Atom::Result(number) => {
                let of = self.operation(number).of;
                of.iter().all(|one| self.is_fixed(&self.resolved(one, 0), header))
            }
        })
    }

    /// The condition of a guard, and the value that it must have; `None` for a mask.
    pub(super) const fn guard(guard: Guard) -> Option<(Operand, bool)> {
        match guard {
            Guard::Bit(on, is) => Some((on, is)),
            Guard::Mask(_) => None,
        }
    }

    /// The condition of the edge from one block to another, and the value that it must have; `None` if there is none.
    pub(super) fn condition(&self, from: BlockId, to: BlockId) -> Option<(Operand, bool)> {
        match &self.function.blocks[from as usize].end {
            End::Branch { on, then, other } if then.to != other.to => Some((*on, then.to == to)),
            _ => None,
        }
    }
}

/// Whether the result of an operation depends on other lanes.
const fn is_of_lanes(op: Op) -> bool {
    matches!(
        op,
        Op::ReadFirst
            | Op::ReadLane
            | Op::WriteLane
            | Op::Ballot
            | Op::LaneBit
            | Op::Shuffle
            | Op::CountBelow
            | Op::Elect
            | Op::Exchange(_)
    )
}
