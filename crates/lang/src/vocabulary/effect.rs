//! Effects of instructions: from the values of their operands to the actions of the model.

use super::nvidia::Kind;
use crate::expression::Value;
use tidegate_model::mem::operation::{Counter, Fence, Memory, Range, Waits};
use tidegate_model::operation::{Action, Object};

/// The condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Always,
    /// When the scalar condition code is 1 (`true`) or 0.
    Scc(bool),
}

/// The effect of a call. Its operands are the object, if it has one, then flags and scope; for a constructor, the
/// count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    WorkGroupBarrier,
    SubGroupBarrier,
    Construct,
    Wait,
    Arrive,
    Await,
}

impl Call {
    /// Whether it involves the whole work-group, not only the sub-group.
    pub(crate) const fn is_of_group(self) -> bool {
        !matches!(self, Self::SubGroupBarrier | Self::Wait)
    }
}

/// The effect of an instruction. Operands are those of its row, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// *init* of operand 0 with count operand 1.
    Init,
    /// *arrive* at operand 0, with operand 1 as the new expected count if present.
    Arrive,
    /// The same; an expected count of zero means none.
    ArriveIfNotZero,
    /// *arrive* at operand 0, which returns whether it was the first of its phase.
    ArriveIsFirst,
    /// *wait* on operand 0.
    Wait,
    /// *drop* of operand 0.
    Drop,
    /// *join* of operand 0.
    Join,
    /// *drop* of the object joined last.
    Leave,
    /// Reads the state of the last operand.
    ReadState,
    /// A fence with operand 0.
    Fence,
    /// Waits until each of these memory counters is at most operand 0; if there are none, the operands name the
    /// counters.
    WaitCounters(&'static [Counter]),
    /// Writes caches back, or invalidates them.
    Caches,
    /// Reads operand 0.
    Load,
    /// Writes operand 0.
    Store,
    /// Starts a copy to operand 0 from operand 1.
    CopyTo,
    /// Starts a copy from operand 0 to operand 1.
    CopyFrom,
    /// Appends an async mark.
    Mark,
    /// Waits until at most operand 0 async marks are outstanding.
    WaitMarks,
    /// *arrive* at the workgroup barrier, then *wait* on it.
    ArriveAndWait,
    /// Compares an unknown register: the condition code may have either value.
    Compare,
    /// Sets m0 to the last operand.
    SetM0,
    /// Jumps to a label.
    Jump(Condition),
    /// The agent ends.
    End,
    /// An NVIDIA instruction.
    Nvidia(Kind),
    /// An OpenCL call.
    Opencl(Call),
}

/// An operand with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Value(Value),
    /// The value of m0.
    M0(i64),
    /// Bytes of a memory.
    Bytes(Range),
    /// Bytes of the memory of a CTA: by the CTA's rank in its cluster according to an address, then the agent's own
    /// rank.
    Addressed(Range, u32, u32),
    /// A counter and the largest value at which a wait returns.
    Counter(Counter, i64),
    /// The operands of a fence.
    Fence(Fence),
}

/// The ID in m0 for an arrive (table "s_barrier GFX12"): bits 4:0; values from 17 on are negative IDs.
pub(crate) const fn m0_id(m0: i64) -> i64 {
    let id = m0 & 0x1f;
    if id > 16 { id - 32 } else { id }
}

/// The ID in m0 for an init or a join: the lower half of m0.
const fn m0_half(m0: i64) -> i64 {
    m0 as i16 as i64
}

/// Bits 22:16 of m0: the expected count.
pub(crate) const fn m0_count(m0: i64) -> i64 {
    (m0 >> 16) & 0x7f
}

/// The object that the value of a machine operand names.
pub(crate) const fn object_of(argument: Argument) -> Object {
    match argument {
        Argument::Value(Value::Int(id)) => Object::from_id(id),
        Argument::Value(Value::Object(object)) => object,
        Argument::M0(m0) => Object::from_id(m0_id(m0)),
        _ => Object::Null,
    }
}

/// The object of a 16-bit immediate; `None` for other numbers.
pub(crate) fn immediate(value: Value) -> Option<Value> {
    match value {
        Value::Int(id @ -0x8000..=0x7fff) => Some(Value::Int(id)),
        Value::Int(id @ 0x8000..=0xffff) => Some(Value::Int(id - 0x1_0000)),
        Value::Int(_) => None,
        _ => Some(value),
    }
}

fn count_of(argument: Argument) -> i64 {
    match argument {
        Argument::Value(Value::Int(count)) => count,
        Argument::M0(m0) => m0_count(m0),
        _ => 0,
    }
}

/// The expected count of an *arrive*: its operand or, for a named barrier, a nonzero count in m0.
fn expected_of(effect: Effect, arguments: &[Argument]) -> Option<i64> {
    match *arguments {
        [_, count] => Some(count_of(count)).filter(|&count| effect == Effect::Arrive || count != 0),
        [Argument::M0(m0)] if (1..=16).contains(&m0_id(m0)) => {
            Some(m0_count(m0)).filter(|&count| count != 0)
        }
        _ => None,
    }
}

/// The action of an effect; `None` if it is not a single operation.
pub(crate) fn action(effect: Effect, arguments: &[Argument]) -> Option<Action> {
    let object = arguments.first().map(|&first| match (effect, first) {
        (Effect::Init | Effect::Join, Argument::M0(m0)) => Object::from_id(m0_half(m0)),
        _ => object_of(first),
    });
    let expected = || expected_of(effect, arguments);
    Some(match effect {
        Effect::Init => Action::Init {
            object: object?,
            expected: match *arguments.get(1)? {
                Argument::M0(m0) => m0 >> 16 & 0xffff,
                count => count_of(count),
            },
        },
        Effect::Arrive | Effect::ArriveIfNotZero => {
            Action::Arrive { object: object?, expected: expected(), is_first: false }
        }
        Effect::ArriveIsFirst => {
            Action::Arrive { object: object?, expected: expected(), is_first: true }
        }
        Effect::Wait => Action::Wait { object: object? },
        Effect::Drop => Action::Drop { object: object? },
        Effect::Join => Action::Join { object: object? },
        Effect::Leave => Action::Leave,
        Effect::ReadState => Action::ReadState { object: object? },
        Effect::Fence
        | Effect::WaitCounters(_)
        | Effect::Load
        | Effect::Store
        | Effect::CopyTo
        | Effect::CopyFrom
        | Effect::Mark
        | Effect::WaitMarks => Action::Memory(memory(effect, arguments)?),
        Effect::Caches => Action::Caches,
        Effect::ArriveAndWait
        | Effect::SetM0
        | Effect::Compare
        | Effect::Jump(_)
        | Effect::End
        | Effect::Nvidia(_)
        | Effect::Opencl(_) => return None,
    })
}

/// The memory operation of an effect.
fn memory(effect: Effect, arguments: &[Argument]) -> Option<Memory> {
    Some(match (effect, arguments) {
        (Effect::Fence, &[Argument::Fence(fence)]) => Memory::Fence(fence),
        (Effect::WaitCounters(counters), _) => Memory::Wait(waits(counters, arguments)),
        (Effect::Load, &[Argument::Bytes(range)]) => Memory::Load(range),
        (Effect::Store, &[Argument::Bytes(range)]) => Memory::Store(range),
        (Effect::CopyTo, &[Argument::Bytes(to), Argument::Bytes(from)])
        | (Effect::CopyFrom, &[Argument::Bytes(from), Argument::Bytes(to), ..]) => {
            Memory::Copy { to, from }
        }
        (Effect::Mark, _) => Memory::Mark,
        (Effect::WaitMarks, &[count]) => Memory::WaitMarks(small(count_of(count))),
        _ => return None,
    })
}

/// A number limited to 16 bits; larger numbers become the largest.
fn small(number: i64) -> u16 {
    number.clamp(0, 0xffff) as u16
}

/// The waits: a number for all counters of the row, the immediate of `s_waitcnt`, or its counters by name.
fn waits(counters: &[Counter], arguments: &[Argument]) -> Waits {
    match *arguments {
        [Argument::Value(Value::Int(bits))] if counters.is_empty() => {
            Waits::of_immediate(bits as u16)
        }
        [] => counters.iter().fold(Waits::default(), |waits, &counter| waits.with(counter, 0)),
        [Argument::Value(Value::Int(most))] => counters
            .iter()
            .fold(Waits::default(), |waits, &counter| waits.with(counter, small(most))),
        _ => arguments.iter().fold(Waits::default(), |waits, argument| match *argument {
            Argument::Counter(counter, most) => waits.with(counter, small(most)),
            _ => waits,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m0_holds_id_and_count() {
        assert_eq!((m0_id(0x50001), m0_count(0x50001)), (1, 5));
        assert_eq!((m0_id(31), m0_id(29), m0_id(16), m0_id(17)), (-1, -3, 16, -15));
        assert_eq!((m0_half(0x5_0021), m0_half(0xffff)), (33, -1));
        assert_eq!(m0_count(0x7f_ffff), 127);
        assert_eq!(m0_count(0x80_0000), 0);
    }

    #[test]
    fn a_count_in_m0_is_for_named_barriers() {
        let arrive = |m0| action(Effect::Arrive, &[Argument::M0(m0)]);
        let wanted = |object, expected| Some(Action::Arrive { object, expected, is_first: false });
        assert_eq!(arrive(0x50001), wanted(Object::Named(1), Some(5)));
        assert_eq!(arrive(0x00001), wanted(Object::Named(1), None));
        assert_eq!(arrive(0x5001f), wanted(Object::Workgroup, None));
    }

    #[test]
    fn immediates_have_sixteen_bits() {
        assert_eq!(immediate(Value::Int(0xffff)), Some(Value::Int(-1)));
        assert_eq!(immediate(Value::Int(-3)), Some(Value::Int(-3)));
        assert_eq!(immediate(Value::Int(0x1_0000)), None);
    }
}
