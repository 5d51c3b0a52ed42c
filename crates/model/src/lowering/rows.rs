//! The rows of the code-sequence tables: `amdgpu-execution-synchronization`, tables "s_barrier GFX6-11" and
//! "s_barrier GFX12".

use super::fence;
use super::flow::{Flow, Joined, is_drained};
use super::instruction::{BarrierOperand, Instruction};
use super::kinds::{Kinds, waits};
use super::scene::Refusal;
use crate::mem::operation::{Counter, Fence, Memory, Waits};
use crate::operation::{Action, Form, Mnemonic, Object, Operation};
use crate::reading::{ReadingId, Readings};
use crate::target::{Counters, Target};
use alloc::vec::Vec;

type Row = Result<Vec<Instruction>, Refusal>;

/// Largest count that m0 can hold: bits 22:16.
const MOST_COUNT: i64 = 127;

/// Returns the machine code of an operation on a target that supports it.
pub(super) fn row(operation: Operation, flow: Flow, target: &Target, readings: Readings) -> Row {
    match operation.action {
        Action::Init { object, .. } => init(object, operation.initial(readings)),
        Action::Join { object } => one(Mnemonic::SBarrierJoin, object),
        Action::Drop { object } => drop(object, flow.joined, readings),
        Action::Leave => Ok(bare(Mnemonic::SBarrierLeave)),
        Action::Arrive { .. } if !target.split_barriers => Ok(barrier(operation, flow, target)),
        Action::Arrive { object, expected, is_first } => {
            let mut code = arrive(object, expected, is_first)?;
            // Machine code of the scenario sets the condition code itself.
            if is_first && !matches!(operation.form, Form::Machine(_)) {
                code.insert(code.len() - 1, Instruction::SetCondition);
            }
            Ok(code)
        }
        // Up to GFX11, the wait is the second half of the `s_barrier` that its *arrive* became.
        Action::Wait { .. } if !target.split_barriers => Ok(Vec::new()),
        Action::Wait { object } => one(Mnemonic::SBarrierWait, object),
        Action::ReadState { object } => one(Mnemonic::SGetBarrierState, object),
        Action::Caches | Action::Condition(_) => Ok(alloc::vec![Instruction::AsWritten]),
        Action::Ptx(..) | Action::Opencl(_) => Err(Refusal::NoId),
        Action::Memory(memory) => self::memory(memory, operation.form, flow, target),
    }
}

/// The instruction that the tables give for an operation on a barrier object, even if the target does not support it.
#[must_use]
pub fn mnemonic_of(action: Action, target: &Target) -> Option<Mnemonic> {
    let named = |object: Object, mnemonic| object.is_named().then_some(mnemonic);
    let numbered = |object: Object, mnemonic| object.id().map(|_| mnemonic);
    let bare = |object| object == Object::Workgroup && !target.split_barriers;
    match action {
        Action::Init { object, .. } => named(object, Mnemonic::SBarrierInit),
        Action::Join { object } => named(object, Mnemonic::SBarrierJoin),
        Action::Drop { object } => named(object, Mnemonic::SBarrierLeave),
        Action::Leave => Some(Mnemonic::SBarrierLeave),
        Action::Arrive { object, .. } | Action::Wait { object } if bare(object) => {
            Some(Mnemonic::SBarrier)
        }
        Action::Arrive { object, is_first: true, .. } => {
            numbered(object, Mnemonic::SBarrierSignalIsfirst)
        }
        Action::Arrive { object, .. } => numbered(object, Mnemonic::SBarrierSignal),
        Action::Wait { object } => numbered(object, Mnemonic::SBarrierWait),
        Action::ReadState { object } => numbered(object, Mnemonic::SGetBarrierState),
        Action::Memory(_)
        | Action::Caches
        | Action::Condition(_)
        | Action::Ptx(..)
        | Action::Opencl(_) => None,
    }
}

/// Row *arrive* then *wait* of GFX6 to GFX11: without the back-off barrier no operation may be outstanding. An
/// `s_barrier` of the scenario is unchanged: the waits before it are also the scenario's.
fn barrier(operation: Operation, flow: Flow, target: &Target) -> Vec<Instruction> {
    let kinds = if is_drained(operation, target) { flow.outstanding } else { Kinds::NONE };
    let mut code = waits(kinds, target);
    code.push(Instruction::Barrier(Mnemonic::SBarrier, BarrierOperand::Nothing));
    code
}

/// Row *init*: the count is in the upper half of m0.
fn init(object: Object, expected: i64) -> Row {
    Ok(alloc::vec![
        Instruction::SetM0(m0(object, expected)?),
        Instruction::Barrier(Mnemonic::SBarrierInit, BarrierOperand::M0),
    ])
}

/// Row *arrive*: a new expected count needs m0; no new count is a count of zero there.
fn arrive(object: Object, expected: Option<i64>, is_first: bool) -> Row {
    let mnemonic =
        if is_first { Mnemonic::SBarrierSignalIsfirst } else { Mnemonic::SBarrierSignal };
    match expected {
        None => one(mnemonic, object),
        Some(0) => Err(Refusal::Count(0)),
        Some(expected) => Ok(alloc::vec![
            Instruction::SetM0(m0(object, expected)?),
            Instruction::Barrier(mnemonic, BarrierOperand::M0),
        ]),
    }
}

/// Row *drop*: `s_barrier_leave` drops the joined object, independent of what the scenario names. An object that no code can join
/// cannot be dropped.
fn drop(object: Object, joined: Joined, readings: Readings) -> Row {
    id(object)?;
    let same = match joined {
        Joined::Object(joined) => joined == object,
        // Both break `amd.join.before-drop`, unless a leave without a joined object has no effect.
        Joined::Nothing => readings.is_default(ReadingId::AmdA15) && object != Object::Null,
        Joined::Depends => false,
    };
    if same { Ok(bare(Mnemonic::SBarrierLeave)) } else { Err(Refusal::NotJoined) }
}

/// Accesses and fences stay as operations: the scenario does not say which registers hold addresses.
fn memory(memory: Memory, form: Form, flow: Flow, target: &Target) -> Row {
    let mut code = alloc::vec![Instruction::Kept];
    match memory {
        Memory::Fence(fence) => code.extend(fence_code(fence, flow.outstanding, target)),
        Memory::WaitMarks(most) => code.extend(copies(flow.marks.left(most), target)),
        Memory::Wait(waits) => code = alloc::vec![wait(waits, form, target)],
        Memory::Enter | Memory::Leave => code.clear(),
        _ => {}
    }
    Ok(code)
}

/// The wait for the counter of copies that completes the copies of a wait for marks.
fn copies(left: Option<u16>, target: &Target) -> Option<Instruction> {
    let left = left?;
    Some(match target.counters {
        Counters::SplitAsync => Instruction::WaitFor(Mnemonic::SWaitAsynccnt, left),
        _ => {
            let left = left.min(target.most(Counter::Vm));
            Instruction::Waitcnt(Waits::default().with(Counter::Vm, left))
        }
    })
}

/// A wait of the scenario, limited to what the field of a counter can hold.
fn wait(waits: Waits, form: Form, target: &Target) -> Instruction {
    let fits = |fitting: Waits, counter| match waits.most(counter) {
        Some(most) => fitting.with(counter, most.min(target.most(counter))),
        None => fitting,
    };
    let most = Counter::ALL.into_iter().find_map(|counter| waits.most(counter));
    match form {
        Form::Machine(Mnemonic::SWaitcnt) => {
            Instruction::Waitcnt(Counter::ALL.into_iter().fold(Waits::default(), fits))
        }
        Form::Machine(Mnemonic::SWaitIdle) | Form::Word | Form::Intrinsic(_) => {
            Instruction::AsWritten
        }
        Form::Machine(mnemonic) => Instruction::WaitFor(mnemonic, most.unwrap_or(0)),
    }
}

/// The code of a fence if operations of these kinds may be outstanding.
#[must_use]
pub fn fence_code(fence: Fence, outstanding: Kinds, target: &Target) -> Vec<Instruction> {
    let mut code = fence::writes_back(fence, target);
    // Write-backs count as stores.
    let written = if code.is_empty() { Kinds::NONE } else { Kinds::STORES };
    let drained = fence::drains(fence, target);
    code.extend(waits((outstanding | written).and(drained), target));
    code.extend(fence::invalidates(fence, target));
    code
}

/// One instruction with its object as an immediate.
fn one(mnemonic: Mnemonic, object: Object) -> Row {
    Ok(alloc::vec![Instruction::Barrier(mnemonic, BarrierOperand::Id(id(object)?))])
}

fn bare(mnemonic: Mnemonic) -> Vec<Instruction> {
    alloc::vec![Instruction::Barrier(mnemonic, BarrierOperand::Nothing)]
}

fn id(object: Object) -> Result<i8, Refusal> {
    object.id().and_then(|id| i8::try_from(id).ok()).ok_or(Refusal::NoId)
}

/// The value of m0 for an object and a count.
fn m0(object: Object, count: i64) -> Result<u32, Refusal> {
    let id = id(object)?;
    if !(0..=MOST_COUNT).contains(&count) {
        return Err(Refusal::Count(count));
    }
    Ok((count as u32) << 16 | id as u32 & 0x1f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m0_holds_id_and_count() {
        assert_eq!(m0(Object::Named(1), 5), Ok(0x5_0001));
        assert_eq!(m0(Object::Named(16), 127), Ok(0x7f_0010));
        assert_eq!(m0(Object::Named(1), 128), Err(Refusal::Count(128)));
        assert_eq!(m0(Object::Named(1), -1), Err(Refusal::Count(-1)));
        assert_eq!(m0(Object::Plain(0), 1), Err(Refusal::NoId));
    }

    #[test]
    fn leave_drops_the_joined_object() {
        let usual = Readings::default();
        let one = Object::Named(1);
        assert!(drop(one, Joined::Object(one), usual).is_ok());
        assert!(drop(one, Joined::Nothing, usual).is_ok());
        for joined in
            [Joined::Object(Object::Named(2)), Joined::Object(Object::Null), Joined::Depends]
        {
            assert_eq!(drop(one, joined, usual), Err(Refusal::NotJoined));
        }
        assert_eq!(
            drop(one, Joined::Nothing, usual.with(ReadingId::AmdA15, 1)),
            Err(Refusal::NotJoined)
        );
    }

    #[test]
    fn leave_drops_nothing_without_an_id() {
        let plain = Object::Plain(0);
        for joined in [Joined::Nothing, Joined::Object(plain), Joined::Depends] {
            assert_eq!(drop(plain, joined, Readings::default()), Err(Refusal::NoId));
        }
    }
}
