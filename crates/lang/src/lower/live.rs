//! Liveness: states that differ only in values that are not read again are the same state.

use super::code::{Code, Held, M0, Operand, Outcome, Pc, Rounds, SCC, Step};
use crate::expression::Expression;
use alloc::vec::Vec;

/// Computes for each step the state that is read from there on, backwards to a fixed point.
///
/// The operands of an assignment are live only if the variable is: a variable that only counts its own iterations is
/// not. Calls and returns keep m0 and the scalar condition code alive, if anything reads them at all.
pub(crate) fn analyse(code: &mut Code) {
    let mut global = read_anywhere(&code.steps);
    // A pointer may point to them at any access, also in functions.
    for one in &code.privates {
        (one.first..one.first + one.count.max(1)).for_each(|slot| global.insert(slot));
    }
    let computes = |step: &Step| {
        matches!(
            step,
            Step::Set(..) | Step::Compute(..) | Step::IsData(..) | Step::Move(..) | Step::Join(..)
        )
    };
    let at_once = |step: &Step| if computes(step) { Held::default() } else { reads(step, global) };
    let uses: Vec<Held> = code.steps.iter().map(at_once).collect();
    let mut before: Vec<Vec<Pc>> = alloc::vec![Vec::new(); code.steps.len()];
    for (at, step) in code.steps.iter().enumerate() {
        successors(step, at as Pc, |next| {
            if let Some(list) = before.get_mut(next as usize) {
                list.push(at as Pc);
            }
        });
    }
    code.live = uses.clone();
    let mut work: Vec<Pc> = (0..code.steps.len() as Pc).collect();
    while let Some(at) = work.pop() {
        let live = code.live[at as usize];
        for &earlier in &before[at as usize] {
            let step = &code.steps[earlier as usize];
            let mut through = live;
            let is_read = written(step).is_some_and(|slot| live.contains(slot));
            written(step).into_iter().for_each(|bit| through.remove(bit));
            if computes(step) && is_read {
                through.union(reads(step, global));
            }
            through.union(code.live[earlier as usize]);
            if through != code.live[earlier as usize] {
                code.live[earlier as usize] = through;
                work.push(earlier);
            }
        }
    }
}

fn read_anywhere(steps: &[Step]) -> Held {
    let mut all = Held::default();
    let mut global = Held::default();
    steps.iter().for_each(|step| all.union(reads(step, Held::default())));
    [M0, SCC].into_iter().filter(|&bit| all.contains(bit)).for_each(|bit| global.insert(bit));
    global
}

fn reads(step: &Step, global: Held) -> Held {
    let mut held = Held::default();
    let mut expression = |value: &Expression| value.slots().for_each(|slot| held.insert(slot));
    match step {
        Step::Set(_, value) | Step::SetM0(value) | Step::Unless(value, _) => expression(value),
        Step::Give(value) => expression(value),
        Step::IsData(_, of) | Step::Move(_, of) => held.insert(*of),
        Step::Join(slot, of, then) => [slot, of, then].into_iter().for_each(|&at| held.insert(at)),
        Step::Among(one) => {
            (one.first..one.first + one.count).for_each(|slot| held.insert(slot));
            held.insert(one.index);
            if one.writes {
                held.insert(one.other);
            }
        }
        Step::Compute(_, term) => {
            term.slots().for_each(|slot| held.insert(slot));
        }
        Step::Call(_, arguments, _) => {
            arguments.iter().for_each(expression);
            held.union(global);
        }
        Step::Return | Step::Take(_) => held = global,
        Step::Through(one) => {
            held = global;
            [one.pointer, one.offset, one.turn].into_iter().for_each(|slot| held.insert(slot));
            if one.writes {
                held.insert(one.value);
            }
        }
        Step::JumpScc(..) => held.insert(SCC),
        Step::Operate(operate) => {
            for operand in &operate.operands {
                match operand {
                    Operand::Value(_, value) | Operand::Counter(_, value) => {
                        value.slots().for_each(|slot| held.insert(slot));
                    }
                    Operand::M0(_) => held.insert(M0),
                    Operand::Bytes(bytes) => {
                        let base = bytes.base.iter().flat_map(Expression::slots);
                        base.for_each(|slot| held.insert(slot));
                        if let Some((start, end)) = &bytes.range {
                            start.slots().chain(end.slots()).for_each(|slot| held.insert(slot));
                        }
                    }
                    Operand::Fence(_) => {}
                }
            }
            let Rounds { group, sub_group } = &operate.rounds;
            for &(mode, asked) in &operate.guards {
                held.insert(mode);
                asked.iter().for_each(|&(slot, _)| held.insert(slot));
            }
            group.iter().chain(sub_group).for_each(|&slot| held.insert(slot));
        }
        Step::Keep(Rounds { group, sub_group }) => {
            group.iter().chain(sub_group).for_each(|&slot| held.insert(slot));
        }
        Step::Forget(_)
        | Step::Unmodelled(_)
        | Step::Address(..)
        | Step::SetScc(_)
        | Step::Jump(..)
        | Step::Choose(..)
        | Step::End
        | Step::Leave(_)
        | Step::Fixed(..) => {}
    }
    held
}

fn written(step: &Step) -> Option<u16> {
    match step {
        Step::Set(slot, _)
        | Step::Forget(slot)
        | Step::Compute(slot, _)
        | Step::IsData(slot, _)
        | Step::Move(slot, _)
        | Step::Join(slot, ..)
        | Step::Address(slot, _)
        | Step::Take(slot) => Some(*slot),
        Step::Among(one) => Some(one.other).filter(|_| !one.writes),
        Step::SetM0(_) => Some(M0),
        Step::SetScc(_) => Some(SCC),
        Step::Operate(operate) => match operate.outcome {
            Outcome::Nowhere => None,
            Outcome::Slot(slot) | Outcome::Token(slot) | Outcome::Count(slot) => Some(slot),
            Outcome::Scc => Some(SCC),
        },
        _ => None,
    }
}

fn successors(step: &Step, at: Pc, mut visit: impl FnMut(Pc)) {
    match step {
        Step::Unless(_, target) | Step::JumpScc(_, target, _) => {
            visit(*target);
            visit(at + 1);
        }
        Step::Jump(target, _) => visit(*target),
        Step::Through(one) => [at, at + 1, one.end].into_iter().for_each(visit),
        Step::Choose(targets, _) => targets.iter().for_each(|&target| visit(target)),
        Step::Return | Step::End | Step::Leave(_) => {}
        Step::Set(..)
        | Step::SetM0(_)
        | Step::SetScc(_)
        | Step::Forget(_)
        | Step::Unmodelled(_)
        | Step::Compute(..)
        | Step::IsData(..)
        | Step::Move(..)
        | Step::Join(..)
        | Step::Among(_)
        | Step::Address(..)
        | Step::Give(_)
        | Step::Take(_)
        | Step::Call(..)
        | Step::Keep(_)
        | Step::Operate(_)
        | Step::Fixed(..) => visit(at + 1),
    }
}

/// Adds to each unit the properties that the units it calls observe.
pub(crate) fn spread_looks(code: &mut Code) {
    let mut callers: Vec<Vec<u32>> = alloc::vec![Vec::new(); code.units.len()];
    for (unit, entry) in code.units.iter().enumerate() {
        let end = code.units.get(unit + 1).map_or(code.steps.len(), |next| next.entry as usize);
        for step in &code.steps[entry.entry as usize..end] {
            if let Step::Call(callee, ..) = step {
                callers[*callee as usize].push(unit as u32);
            }
        }
    }
    let mut work: Vec<u32> = (0..code.units.len() as u32).collect();
    while let Some(callee) = work.pop() {
        let looks = code.units[callee as usize].looks.0;
        for &caller in &callers[callee as usize] {
            let unit = &mut code.units[caller as usize];
            if unit.looks.0 | looks != unit.looks.0 {
                unit.looks.0 |= looks;
                work.push(caller);
            }
        }
    }
}
