//! Reductions in a warp: each lane combines its value with that of another lane, several times.
//!
//! Lanes `l` and `l ^ m` exchange their values, and both compute a symmetric function of the two. Then they have the same
//! value, although it is data. After five such steps, all lanes have the same value, and may store it to one address.

use crate::ir::{End, Function, Kind, Module, Op, Operand, Reg, Symmetric};
use crate::value::{ALL_LANES, Lanes, Value};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;

/// Replaces a symmetric function of a value and of the same value in another lane by one operation.
pub(crate) fn mark(module: &mut Module) {
    module.functions.iter_mut().for_each(of_function);
}

/// The known relations between registers at a place.
#[derive(Clone, Default)]
struct Known {
    /// For each copy, the register that was copied.
    copies: OrderedMap<Reg, Reg>,
    /// For each result of a shuffle, the register that was read and the operand with the number of the other lane.
    taken: OrderedMap<Reg, (Reg, Operand)>,
}

impl Known {
    fn root(&self, operand: Operand) -> Option<Reg> {
        let Operand::Register(register) = operand else { return None };
        Some(self.copies.get(&register).copied().unwrap_or(register))
    }

    fn forget(&mut self, register: Reg) {
        let uses = |operand: Operand| operand == Operand::Register(register);
        self.copies.retain(|to, from| *to != register && *from != register);
        self.taken.retain(|to, (from, lane)| *to != register && *from != register && !uses(*lane));
    }
}

fn of_function(function: &mut Function) {
    let widths = function.widths.clone();
    let width = |register: Reg| widths.get(register as usize).copied();
    let ways = ways_in(function);
    let mut at_end: Vec<Known> = Vec::new();
    for (block, ways) in function.blocks.iter_mut().zip(ways) {
        // Labels for source lines split a block into several, so facts continue across a single edge.
        let mut known = match ways[..] {
            [Some(from)] => at_end.get(from).cloned().unwrap_or_default(),
            _ => Known::default(),
        };
        for one in &mut block.instructions {
            let mut learnt = None;
            if let Kind::Compute { to, op, of } = &mut one.kind {
                let first = of.first().and_then(|&operand| known.root(operand));
                match (&*op, first) {
                    (Op::Copy, Some(from)) if width(from) == width(*to) => {
                        let (copy, taken) = ((*to, from), known.taken.get(&from).copied());
                        learnt = Some((Some(copy), taken.map(|taken| (*to, taken))));
                    }
                    (Op::Shuffle, Some(from)) => learnt = Some((None, Some((*to, (from, of[1]))))),
                    (Op::Add, _) if adds_nothing(of) => {
                        let kept = of.iter().find_map(|&operand| known.root(operand));
                        let kept = kept.filter(|&from| width(from) == width(*to));
                        learnt = kept.map(|from| (Some((*to, from)), None));
                    }
                    (&symmetric, Some(_)) if let Some(how) = Symmetric::of(symmetric) => {
                        let exchanged = (0..2).find_map(|at| {
                            let [own, other] = [known.root(of[at])?, known.root(of[1 - at])?];
                            let (from, lane) = *known.taken.get(&other)?;
                            (from == own).then_some((of[at], lane))
                        });
                        if let Some((own, lane)) = exchanged {
                            (*op, *of) = (Op::Exchange(how), alloc::vec![own, lane]);
                        }
                    }
                    _ => {}
                }
            }
            let written = crate::flow::writes(&one.kind);
            written.iter().for_each(|&register| known.forget(register));
            let guarded = one.guard.is_some();
            for (copy, taken) in learnt.into_iter().filter(|_| !guarded) {
                let apart = |from: Reg| !written.contains(&from);
                known.copies.extend(copy.filter(|(_, from)| apart(*from)));
                known.taken.extend(taken.filter(|(_, (from, _))| apart(*from)));
            }
        }
        at_end.push(known);
    }
}

/// Whether one of two operands is 0.
fn adds_nothing(of: &[Operand]) -> bool {
    of.len() == 2 && of.contains(&Operand::Int(0))
}

/// The edges into each block. The entry is the previous block if all of its lanes continue here with unchanged registers,
/// otherwise `None`. After a branch, lanes of the other side may change their registers before these lanes read them.
fn ways_in(function: &Function) -> Vec<Vec<Option<usize>>> {
    let mut ways = alloc::vec![Vec::new(); function.blocks.len()];
    for (from, block) in function.blocks.iter().enumerate() {
        for edge in crate::flow::edges(&block.end) {
            let stays = matches!(block.end, End::Jump(_)) && edge.moves.is_empty();
            ways[edge.to as usize].push(stays.then_some(from));
        }
    }
    ways
}

/// The mask of bits of the lane number on which the result of an operation does not depend. `mask` has the lanes that perform
/// it.
pub(crate) fn alike(op: Op, of: &[Value], mask: u64) -> u8 {
    let even = |at: usize| of.get(at).map_or(ALL_LANES, Value::even);
    let all: Vec<u8> = of.iter().map(Value::even).collect();
    match op {
        Op::ReadFirst | Op::ReadLane | Op::Ballot => ALL_LANES,
        Op::LaneBit | Op::CountBelow | Op::Elect | Op::WriteLane => 0,
        Op::Shuffle => even(1) | of.get(1).and_then(partner).map_or(0, |_| even(0)),
        Op::Exchange(_) => {
            let partner = of.get(1).and_then(partner).filter(|_| mask as u32 == u32::MAX);
            partner.map_or(even(0) & even(1), |bit| even(0) | bit)
        }
        _ => all.iter().fold(ALL_LANES, |all, one| all & one),
    }
}

/// The one bit in which each lane's number differs from the value in that lane; `None` if there is no such bit.
fn partner(value: &Value) -> Option<u8> {
    let Lanes::Each(lanes) = &value.bits else { return None };
    let bit = *lanes.first()?;
    let exchanges = bit.is_power_of_two() && bit <= ALL_LANES.into() && value.is_known();
    let pairs = (0..).zip(lanes.iter()).all(|(lane, &number)| number == lane ^ bit);
    (exchanges && pairs && value.slopes.is_empty()).then_some(bit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::even_bits;

    fn lanes(of: impl Fn(u64) -> u64) -> Value {
        Value::known(Lanes::of((0..32).map(of).collect()))
    }

    #[test]
    fn five_exchanges_make_all_lanes_alike() {
        let mut value = Value::data(32);
        for bit in [16, 8, 4, 2, 1] {
            assert_eq!(value.even() & bit, 0);
            let partners = lanes(|lane| lane ^ u64::from(bit));
            value.alike =
                alike(Op::Exchange(Symmetric::Function(1)), &[value.clone(), partners], u64::MAX);
        }
        assert_eq!(value.even(), ALL_LANES);
        let sum = [value, lanes(|lane| lane & 3)];
        assert_eq!(alike(Op::Add, &sum, u64::MAX), 0b1_1100);
    }

    #[test]
    fn exchanges_with_neighbours_or_of_some_lanes_say_nothing() {
        let value = Value::data(32);
        let below = lanes(|lane| lane.saturating_sub(1));
        assert_eq!(
            alike(Op::Exchange(Symmetric::Function(1)), &[value.clone(), below], u64::MAX),
            0
        );
        let partners = lanes(|lane| lane ^ 1);
        assert_eq!(alike(Op::Exchange(Symmetric::Function(1)), &[value, partners], 0xffff), 0);
    }

    #[test]
    fn what_is_even_is_seen_in_the_bits() {
        assert_eq!(lanes(|lane| lane / 8).even(), 0b00111);
        assert_eq!(even_bits(32, |_, _| true), ALL_LANES);
        assert_eq!(even_bits(16, |_, _| true), 0);
    }
}
