//! Replaces switches by branches, so that later code need not support switches.

use crate::ir::{
    Block, BlockId, Comparison, Edge, End, Function, Instruction, Kind, Module, Op, Operand, Place,
    Reg,
};
use crate::value::ones;
use alloc::vec::Vec;

/// Replaces each switch by comparisons with its values, one after the other.
pub(crate) fn replace(module: &mut Module) {
    let arguments: Vec<u8> = module.arguments.iter().map(|argument| argument.width).collect();
    for function in &mut module.functions {
        for at in 0..function.blocks.len() {
            let block = &mut function.blocks[at];
            if !matches!(block.end, End::Switch { .. }) {
                continue;
            }
            let end = core::mem::replace(&mut block.end, End::Unreachable);
            if let End::Switch { on, cases, default } = end {
                compare(function, at, (on, &arguments), cases, default);
            }
        }
    }
}

fn compare(
    function: &mut Function,
    mut at: usize,
    (on, arguments): (Operand, &[u8]),
    cases: Vec<(u64, Edge)>,
    default: Edge,
) {
    let place = function.blocks[at].place;
    let width = match on {
        Operand::Register(register) => function.widths.get(register as usize).copied(),
        Operand::Argument(id) => arguments.get(id as usize).copied(),
        _ => None,
    };
    let width = width.unwrap_or(64);
    let last = cases.len();
    for (number, (value, then)) in (1..).zip(cases) {
        let equal = function.widths.len() as Reg;
        function.widths.push(1);
        let op = Op::Compare(Comparison::Eq, width);
        let of = [on, Operand::Int(value & ones(width))].into();
        let kind = Kind::Compute { op, of, to: equal };
        function.blocks[at].instructions.push(Instruction { place, guard: None, kind });
        let other = match number == last {
            true => default.clone(),
            false => Edge { to: function.blocks.len() as BlockId, moves: Vec::new() },
        };
        function.blocks[at].end = End::Branch { on: Operand::Register(equal), then, other };
        if number < last {
            at = function.blocks.len();
            function.blocks.push(empty(place));
        }
    }
    if last == 0 {
        function.blocks[at].end = End::Jump(default);
    }
}

const fn empty(place: Place) -> Block {
    Block { instructions: Vec::new(), end: End::Unreachable, place }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Builder, FunctionBuilder};
    use crate::ir::{Machine, Style};

    fn replaced(values: &[u64]) -> Function {
        let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
        let mut function = FunctionBuilder::new("f", Place::default());
        let on = function.parameter(32);
        let ways: Vec<BlockId> = values.iter().map(|_| function.block()).collect();
        let default = function.block();
        let edge = |to| Edge { to, moves: Vec::new() };
        let cases = values.iter().copied().zip(ways.into_iter().map(edge)).collect();
        function.end(End::Switch { on: Operand::Register(on), cases, default: edge(default) });
        builder.function(function.finish());
        builder.finish().functions.remove(0)
    }

    #[test]
    fn every_value_of_a_switch_and_its_default_keep_their_blocks() {
        let function = replaced(&[3, u64::MAX]);
        let mut block = &function.blocks[0];
        for (value, to) in [(3, 1), (0xffff_ffff, 2)] {
            let last = &block.instructions.last().expect("a comparison").kind;
            let Kind::Compute { of, .. } = last else { panic!("a comparison: {last:?}") };
            assert_eq!(of[1], Operand::Int(value));
            let End::Branch { then, other, .. } = &block.end else { panic!("a branch") };
            assert_eq!(then.to, to);
            if value != 3 {
                assert_eq!(other.to, 3, "the default");
            }
            block = &function.blocks[other.to as usize];
        }
    }

    #[test]
    fn a_switch_without_values_is_a_jump() {
        assert!(matches!(&replaced(&[]).blocks[0].end, End::Jump(edge) if edge.to == 1));
    }
}
