//! Which parameters of a kernel are addresses.
//!
//! The text says so with `.ptr`, or the code uses what it loads as an address: it flows through moves and sums into an
//! address or a conversion of addresses, and not through a product or a shift.

use super::tree::{Base, Function, Line, Operand, Register, Symbol};
use alloc::vec::Vec;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// A read of a parameter: its name and the offset.
pub(super) type Read<'t> = (&'t str, i64);

/// The registers that hold the address of a parameter wherever they are defined, as of a structure that is passed by value.
pub(super) fn named<'t>(function: &Function<'t>) -> OrderedMap<Register, &'t str> {
    let lines = function.body.as_deref().unwrap_or(&[]);
    let mut named = OrderedMap::new();
    for line in lines.iter().filter(|line| line.head.starts_with("mov")) {
        if let [Operand::Register(to), Operand::Name(Symbol::Outer(name), 0)] = line.operands[..]
            && function.parameters.iter().any(|one| one.name == name)
        {
            named.insert(to, name);
        }
    }
    for line in lines {
        let own = match line.operands.get(1) {
            Some(Operand::Name(Symbol::Outer(name), 0)) if line.head.starts_with("mov") => {
                Some(*name)
            }
            _ => None,
        };
        for to in line.operands.first().map(registers).unwrap_or_default() {
            if named.get(&to).copied() != own {
                named.remove(&to);
            }
        }
    }
    named
}

/// The reads of parameters whose values are addresses.
pub(super) fn find<'t>(
    function: &Function<'t>,
    named: &OrderedMap<Register, &'t str>,
) -> OrderedSet<Read<'t>> {
    let lines = function.body.as_deref().unwrap_or(&[]);
    let addresses = addresses(lines, function.registers.len());
    let mut found = OrderedSet::new();
    for line in lines.iter().filter(|line| line.head.starts_with("ld.param")) {
        let [target, Operand::Address(base, offset, _)] = &line.operands[..] else { continue };
        let name = match base {
            Base::Name(Symbol::Outer(name)) => Some(name),
            Base::Register(register) => named.get(register),
            _ => None,
        };
        let Some(name) = name else { continue };
        let mut at = *offset;
        for register in registers(target) {
            if addresses[register as usize] {
                found.insert((*name, at));
            }
            at += i64::from(function.registers[register as usize]) / 8;
        }
    }
    found
}

fn registers(operand: &Operand<'_>) -> Vec<Register> {
    match operand {
        Operand::Register(register) => alloc::vec![*register],
        Operand::Vector(all) => all.iter().flat_map(registers).collect(),
        _ => Vec::new(),
    }
}

/// For each register whether its value can be an address or a part of a sum that is one.
fn addresses(lines: &[Line<'_>], count: usize) -> Vec<bool> {
    let mut is = alloc::vec![false; count];
    for line in lines {
        for operand in &line.operands {
            if let Operand::Address(Base::Register(register), ..) = operand {
                is[*register as usize] = true;
            }
        }
        if let [_, Operand::Register(from)] = line.operands[..]
            && line.head.starts_with("cvta")
        {
            is[from as usize] = true;
        }
    }
    // Backwards, from sums to their parts, until nothing changes.
    loop {
        let mut changed = false;
        for line in lines.iter().rev() {
            let [Operand::Register(to), parts @ ..] = &line.operands[..] else { continue };
            if !is[*to as usize] {
                continue;
            }
            let mut mark = |operand: &Operand<'_>| {
                if let Operand::Register(part) = operand {
                    changed |= !core::mem::replace(&mut is[*part as usize], true);
                }
            };
            match line.head.split('.').next().unwrap_or("") {
                "mov" | "add" | "selp" | "cvta" => parts.iter().for_each(&mut mark),
                "sub" => parts.iter().take(1).for_each(&mut mark),
                "mad" => parts.iter().skip(2).for_each(&mut mark),
                _ => {}
            }
        }
        if !changed {
            return is;
        }
    }
}
