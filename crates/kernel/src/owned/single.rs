//! A function in static single assignment form, for the registers on which addresses depend.

use super::graph::Graph;
use crate::flow::{edges, writes};
use crate::ir::{Block, BlockId, End, Function, Guard, Kind, Operand, Reg};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// For each register with several definitions, the register that holds its value here.
type Now = OrderedMap<Reg, Reg>;

/// The function with a new register for each further definition of a register. Where paths join, edges get moves. Instructions
/// keep their positions in their blocks. Only operands on which addresses and conditions can depend are renamed.
pub(super) fn single(function: &Function, graph: &Graph) -> Function {
    let mut function = function.clone();
    let several = several(&function);
    if several.is_empty() {
        return function;
    }
    let mut begins: Vec<Option<Now>> = alloc::vec![None; function.blocks.len()];
    let mut ends = begins.clone();
    let order = graph.order().to_vec();
    for &block in &order {
        let moved = |from: &BlockId| {
            edges(&function.blocks[*from as usize].end).iter().any(|edge| {
                edge.to == block && edge.moves.iter().any(|(to, _)| several.contains(to))
            })
        };
        let begin = match graph.before(block)[..] {
            [] => several.iter().map(|&register| (register, register)).collect(),
            [from] if block != 0 && !moved(&from) && ends[from as usize].is_some() => {
                ends[from as usize].clone().unwrap_or_default()
            }
            _ => several.iter().map(|&one| (one, fresh(&mut function.widths, one))).collect(),
        };
        let mut now: Now = begin.clone();
        let (code, widths) = (&mut function.blocks[block as usize], &mut function.widths);
        rename(code, widths, &mut now);
        begins[block as usize] = Some(begin);
        ends[block as usize] = Some(now);
    }
    for &block in &order {
        let Some(now) = &ends[block as usize] else { continue };
        let renamed = |operand: Operand| renamed_in(operand, now);
        let ways: Vec<_> = match &mut function.blocks[block as usize].end {
            End::Jump(edge) => alloc::vec![edge],
            End::Branch { then, other, .. } => alloc::vec![then, other],
            _ => continue,
        };
        for edge in ways {
            let Some(begin) = &begins[edge.to as usize] else { continue };
            let moves = core::mem::take(&mut edge.moves);
            let found = |register: Reg| moves.iter().find(|(to, _)| *to == register);
            let joined = begin.iter().filter(|(register, _)| {
                now.get(register) != begin.get(register) || found(**register).is_some()
            });
            let joined = joined.map(|(&register, &to)| {
                let from = found(register).map_or(Operand::Register(register), |(_, from)| *from);
                (to, renamed(from))
            });
            let joined: Vec<(Reg, Operand)> = joined.collect();
            let others = moves.iter().filter(|(to, _)| !several.contains(to));
            edge.moves = others.map(|&(to, from)| (to, renamed(from))).chain(joined).collect();
        }
    }
    function
}

/// The registers with several definitions, sorted.
fn several(function: &Function) -> Vec<Reg> {
    let mut places: OrderedMap<Reg, Vec<Option<BlockId>>> = OrderedMap::new();
    for &register in &function.parameters {
        places.entry(register).or_default().push(None);
    }
    for block in &function.blocks {
        for register in block.instructions.iter().flat_map(|one| writes(&one.kind)) {
            places.entry(register).or_default().push(None);
        }
        for edge in edges(&block.end) {
            for &(to, _) in &edge.moves {
                // The moves on all edges to one block are one definition.
                let all = places.entry(to).or_default();
                if !all.contains(&Some(edge.to)) {
                    all.push(Some(edge.to));
                }
            }
        }
    }
    let several = places.iter().filter(|(_, places)| places.len() > 1);
    several.map(|(&register, _)| register).collect()
}

fn fresh(widths: &mut Vec<u8>, like: Reg) -> Reg {
    widths.push(widths[like as usize]);
    widths.len() as Reg - 1
}

fn renamed_in(operand: Operand, now: &Now) -> Operand {
    match operand {
        Operand::Register(register) => {
            Operand::Register(now.get(&register).copied().unwrap_or(register))
        }
        other => other,
    }
}

/// Renames the operands of a block and the results of its computations.
fn rename(block: &mut Block, widths: &mut Vec<u8>, now: &mut Now) {
    for instruction in &mut block.instructions {
        let set = |operand: &mut Operand| *operand = renamed_in(*operand, now);
        match &mut instruction.guard {
            Some(Guard::Bit(on, _) | Guard::Mask(on)) => set(on),
            None => {}
        }
        match &mut instruction.kind {
            Kind::Compute { of, .. } => of.iter_mut().for_each(set),
            Kind::Access(access) => {
                set(&mut access.address);
                access.copies_to.iter_mut().for_each(|(to, _)| set(to));
            }
            Kind::Nvidia(nvidia) => nvidia.operands.iter_mut().for_each(set),
            _ => {}
        }
        for register in writes(&instruction.kind) {
            if !now.contains_key(&register) {
                continue;
            }
            let new = fresh(widths, register);
            now.insert(register, new);
            // The values of other instructions are not followed.
            if let (Kind::Compute { to, .. }, None) = (&mut instruction.kind, instruction.guard) {
                *to = new;
            }
        }
    }
    if let End::Branch { on, .. } = &mut block.end {
        *on = renamed_in(*on, now);
    }
}
