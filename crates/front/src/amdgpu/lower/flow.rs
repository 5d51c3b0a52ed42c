//! The control-flow graph of a kernel: all code that it can reach.

use super::super::decode::{Barrier, Operation, Source, When, decode};
use super::super::operand::{Bank, Scalar};
use super::super::table::{Step, scalar};
use super::super::unit::Instruction;
use super::instruction::Pair;
use super::registers::File;
use super::{Shared, code_address, place};
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{BlockId, Comparison, Edge, End, Function, Op, Operand};
use tidegate_lang::diagnostic::Diagnostic;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// An instruction decoded; VOPD has two.
type Decoded<'a> = (Instruction<'a>, Operation<'a>, Option<(Instruction<'a>, Operation<'a>)>);

/// Builds the function of a kernel that begins at an instruction.
///
/// # Errors
///
/// A branch to a label that the file does not define.
pub(super) fn build<'a>(
    shared: &mut Shared<'a, '_>,
    file: File,
    entry: usize,
) -> Result<Function, Diagnostic> {
    let code: Vec<Decoded<'a>> = shared.unit.instructions.iter().map(decoded).collect();
    let mut graph =
        Graph { shared, file, code: &code, blocks: OrderedMap::new(), open: Vec::new() };
    graph.all_defined()?;
    let indirect = graph.addresses();
    let leaders = graph.leaders(entry);
    let first = graph.block(entry);
    graph.file.out.jump(first);
    while let Some(index) = graph.open.pop() {
        graph.fill(index, &leaders, &indirect);
    }
    Ok(graph.file.out.finish())
}

fn decoded<'a>(instruction: &Instruction<'a>) -> Decoded<'a> {
    let Some((first, second)) = instruction.text.split_once("::") else {
        return (*instruction, decode(instruction), None);
    };
    let single = |name: &'a str, text: &'a str| {
        let part = Instruction { mnemonic: name, text: text.trim(), ..*instruction };
        (part, decode(&Instruction { mnemonic: part.mnemonic, ..part }))
    };
    let (name, text) = second.trim().split_once(char::is_whitespace).unwrap_or((second.trim(), ""));
    let (one, other) = (single(instruction.mnemonic, first), single(name, text));
    (one.0, one.1, Some(other))
}

struct Graph<'a, 'u, 's> {
    shared: &'s mut Shared<'a, 'u>,
    file: File,
    code: &'s [Decoded<'a>],
    /// Blocks by their first instruction.
    blocks: OrderedMap<usize, BlockId>,
    /// First instructions of blocks that are not filled yet.
    open: Vec<usize>,
}

impl<'a> Graph<'a, '_, '_> {
    /// Checks that each label to which an instruction branches is defined.
    fn all_defined(&self) -> Result<(), Diagnostic> {
        let missing = self.code.iter().find_map(|(instruction, operation, _)| match operation {
            Operation::Branch { target, .. } => {
                let is_label = !target.starts_with(|first: char| first.is_ascii_digit());
                (is_label && self.target(target).is_none()).then_some((instruction.span, target))
            }
            _ => None,
        });
        match missing {
            None => Ok(()),
            Some((span, target)) => {
                let message = format!("the label `{target}` is not defined");
                Err(Diagnostic::error("unknown-name", span, message))
            }
        }
    }

    fn target(&self, label: &str) -> Option<usize> {
        self.shared.unit.labels.get(label).copied()
    }

    /// Instructions that an address in a register can be: after calls, and labels whose address is taken.
    fn addresses(&self) -> OrderedSet<usize> {
        let mut all = OrderedSet::new();
        for (index, (_, operation, _)) in self.code.iter().enumerate() {
            match operation {
                Operation::SwapPc { .. } | Operation::Call { .. } => {
                    all.insert(index + 1);
                }
                Operation::Scalar { sources, .. } => {
                    all.extend(sources.iter().filter_map(|source| match source {
                        Source::Symbol { name, .. } => self.target(name),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        all
    }

    /// Instructions with which a block begins.
    fn leaders(&self, entry: usize) -> OrderedSet<usize> {
        let mut all = self.addresses();
        all.insert(entry);
        for (index, (_, operation, _)) in self.code.iter().enumerate() {
            match operation {
                Operation::Branch { target, .. } | Operation::Call { target, .. } => {
                    all.extend(self.target(target));
                    all.insert(index + 1);
                }
                Operation::SetPc(_) | Operation::SwapPc { .. } | Operation::End => {
                    all.insert(index + 1);
                }
                _ => {}
            }
        }
        all
    }

    fn block(&mut self, index: usize) -> BlockId {
        if let Some(&known) = self.blocks.get(&index) {
            return known;
        }
        let block = self.file.out.block();
        self.blocks.insert(index, block);
        self.open.push(index);
        block
    }

    fn edge(&mut self, index: usize) -> Edge {
        Edge { to: self.block(index), moves: Vec::new() }
    }

    fn fill(&mut self, start: usize, leaders: &OrderedSet<usize>, indirect: &OrderedSet<usize>) {
        let block = self.block(start);
        self.file.out.go_to(block);
        let mut index = start;
        loop {
            let Some((instruction, operation, pair)) = self.code.get(index) else {
                let why = "the text ends within the kernel";
                return self.file.out.end(End::Unknown(why.into()));
            };
            self.file.out.at(place(instruction.span));
            if let Some(end) = self.end(operation, index, indirect) {
                return self.file.out.end(end);
            }
            self.file.scc_is_read = self.scc_is_read(index + 1);
            match pair {
                Some((other, second)) => {
                    let pair = [Pair(instruction, operation), Pair(other, second)];
                    self.file.both(self.shared, pair);
                }
                None => self.file.lower(self.shared, instruction, operation),
            }
            index += 1;
            if leaders.contains(&index) {
                let next = self.block(index);
                return self.file.out.jump(next);
            }
        }
    }

    /// Whether the condition code that an instruction finds can be read before another one writes it.
    fn scc_is_read(&self, index: usize) -> bool {
        let (mut seen, mut open) = (OrderedSet::new(), alloc::vec![index]);
        while let Some(index) = open.pop() {
            let Some((_, operation, _)) = self.code.get(index).filter(|_| seen.insert(index))
            else {
                continue;
            };
            match scc(operation) {
                (true, _) => return true,
                (_, true) => continue,
                _ => {}
            }
            match operation {
                Operation::End => {}
                Operation::Branch { when, target } => {
                    open.extend(self.target(target));
                    open.extend((*when != When::Always).then_some(index + 1));
                }
                Operation::Call { .. } | Operation::SetPc(_) | Operation::SwapPc { .. } => {
                    return true;
                }
                _ => open.push(index + 1),
            }
        }
        false
    }

    /// How an instruction that changes the flow of control ends its block.
    fn end(
        &mut self,
        operation: &Operation<'a>,
        index: usize,
        indirect: &OrderedSet<usize>,
    ) -> Option<End> {
        Some(match operation {
            Operation::End => End::Exit,
            Operation::Branch { when, target } => {
                let Some(then) = self.target(target) else {
                    return Some(End::Unknown(format!("`{target}` is not a label")));
                };
                if *when == When::Always {
                    return Some(End::Jump(self.edge(then)));
                }
                let on = self.condition(*when);
                End::Branch { on, then: self.edge(then), other: self.edge(index + 1) }
            }
            Operation::Call { result, target } => {
                let back = Operand::Int(code_address(index + 1));
                self.file.write_wide(*result, back);
                match self.target(target) {
                    Some(target) => End::Jump(self.edge(target)),
                    None => End::Unknown(format!("`{target}` is not defined in the text")),
                }
            }
            Operation::SwapPc { result, source } => {
                let on = self.file.wide(*source);
                // The result may be the source.
                let on = self.file.out.compute(64, Op::Copy, &[on]);
                self.file.write_wide(*result, Operand::Int(code_address(index + 1)));
                self.switch(on, indirect)
            }
            Operation::SetPc(source) => {
                let on = self.file.wide(*source);
                self.switch(on, indirect)
            }
            _ => return None,
        })
    }

    fn condition(&mut self, when: When) -> Operand {
        let lanes = self.file.lanes;
        let (mask, zero) = match when {
            When::Always => return Operand::Int(1),
            When::Scc(true) => return self.file.scc(),
            When::Scc(false) => return self.file.out.compute(1, Op::Not, &[self.file.scc()]),
            When::Vcc(zero) => {
                let vcc = super::super::operand::Registers::scalar(Scalar::VCC, 2);
                (self.file.mask(Source::Registers(vcc)), zero)
            }
            When::Exec(zero) => (self.file.exec(), zero),
        };
        let comparison = if zero { Comparison::Eq } else { Comparison::Ne };
        self.file.out.compute(1, Op::Compare(comparison, lanes), &[mask, Operand::Int(0)])
    }

    /// Continues at an address in a register.
    fn switch(&mut self, on: Operand, indirect: &OrderedSet<usize>) -> End {
        let cases = indirect.iter().map(|&to| (code_address(to), self.edge(to))).collect();
        let current = self.file.out.current();
        let unknown = self.file.out.block();
        self.file.out.go_to(unknown);
        let why = "it continues at an address that is not known, or in a function that the text does not define";
        self.file.out.end(End::Unknown(why.into()));
        self.file.out.go_to(current);
        End::Switch { on, cases, default: Edge { to: unknown, moves: Vec::new() } }
    }
}

/// Whether an instruction reads the condition code, and whether it writes it.
fn scc(operation: &Operation<'_>) -> (bool, bool) {
    let is_scc = |source: &Source<'_>| matches!(source, Source::Registers(registers) if registers.bank == Bank::Scalar && registers.first == Scalar::SCC);
    match operation {
        Operation::Scalar { row, sources, .. } => {
            let Some(row) = scalar::ROWS.get(*row) else { return (true, false) };
            let formulas = row.result.iter().chain(row.scc);
            let reads = formulas.into_iter().any(|step| *step == Step::Scc);
            (reads || sources.iter().any(is_scc), !row.scc.is_empty())
        }
        Operation::Vector { sources, .. } | Operation::Table { sources, .. } => {
            (sources.iter().any(is_scc), false)
        }
        Operation::Compare { compare, sources, .. } => {
            (sources.iter().any(is_scc), !compare.vector)
        }
        Operation::Mask { .. } => (false, true),
        Operation::Barrier(Barrier::Leave | Barrier::Signal { is_first: true, .. }) => {
            (false, true)
        }
        Operation::Branch { when: When::Scc(_), .. } => (true, false),
        _ => (false, false),
    }
}
