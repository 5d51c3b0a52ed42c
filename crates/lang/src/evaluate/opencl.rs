//! OpenCL operations from the values of their operands, and the dynamic instances of their calls.

use super::instances::{Instances, number};
use super::thread::Thread;
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::{Atom, Value};
use crate::lower::code::{Code, Operand, Operate, Rounds, Step};
use crate::vocabulary::effect::Call;
use crate::vocabulary::opencl;
use crate::vocabulary::{Argument, Effect};
use alloc::vec::Vec;
use tidegate_model::opencl::action::{Action, Arguments, Flags, Group, Instance, Scope};

impl Instances {
    /// The dynamic instance of the next call of a work-item.
    fn of(&self, thread: &Thread, code: &Code, of_group: bool, own: &Rounds) -> Instance {
        let counters = rounds(thread, code, own).map(|(frame, rounds)| {
            let slots = if of_group { &rounds.group } else { &rounds.sub_group };
            slots.iter().map(move |&slot| frame.slots.get(usize::from(slot)).copied().flatten())
        });
        let counters = counters.flatten().map(|value| match value {
            Some(Value::Int(number)) => number,
            _ => 0,
        });
        Instance {
            site: number(&self.sites, thread.places().collect()),
            round: number(&self.rounds, counters.collect()),
        }
    }
}

/// The frames of a lane with the loops around each position; `own` are those of the innermost.
fn rounds<'a>(
    thread: &'a Thread,
    code: &'a Code,
    own: &'a Rounds,
) -> impl Iterator<Item = (&'a super::thread::Frame, &'a Rounds)> {
    let last = thread.frames.len().saturating_sub(1);
    thread.frames.iter().enumerate().filter_map(move |(depth, frame)| {
        if depth == last {
            return Some((frame, own));
        }
        match code.steps.get(frame.pc as usize) {
            Some(Step::Keep(rounds)) => Some((frame, rounds)),
            _ => None,
        }
    })
}

/// Resets the iteration counts after a barrier: all work-items that synchronised there are in the same iterations.
pub(crate) fn restart(thread: &mut Thread, code: &Code, operate: &Operate) {
    let Effect::Opencl(call) = operate.row.effect else { return };
    let both = matches!(call, Call::WorkGroupBarrier | Call::Await);
    if !both && call.is_of_group() {
        return;
    }
    let all: Vec<(usize, Vec<u16>)> = {
        let slots = |rounds: &Rounds| {
            let group = rounds.group.iter().filter(|_| both);
            group.chain(&rounds.sub_group).copied().collect()
        };
        let last = thread.frames.len().saturating_sub(1);
        let of = |(depth, frame): (usize, &super::thread::Frame)| {
            let rounds = match code.steps.get(frame.pc as usize) {
                _ if depth == last => Some(&operate.rounds),
                Some(Step::Keep(rounds)) => Some(rounds),
                _ => None,
            };
            rounds.map(|rounds| (depth, slots(rounds)))
        };
        thread.frames.iter().enumerate().filter_map(of).collect()
    };
    for (depth, slots) in all {
        for slot in slots {
            if let Some(value) = thread.frames[depth].slots.get_mut(usize::from(slot))
                && value.is_some()
            {
                *value = Some(Value::Int(0));
            }
        }
    }
}

/// The operation of a call.
pub(crate) fn action(
    call: Call,
    operate: &Operate,
    thread: &Thread,
    code: &Code,
    instances: &Instances,
    arguments: &[Argument],
) -> Result<Action, Diagnostic> {
    let reader = Reader { operate, arguments };
    let at = instances.of(thread, code, call.is_of_group(), &operate.rounds);
    Ok(match call {
        Call::WorkGroupBarrier => {
            Action::Barrier { group: Group::Work, arguments: reader.arguments(0)?, at }
        }
        Call::SubGroupBarrier => {
            Action::Barrier { group: Group::Sub, arguments: reader.arguments(0)?, at }
        }
        Call::Arrive => Action::Arrive { arguments: reader.arguments(0)?, at },
        Call::Await => Action::Await { arguments: reader.arguments(0)?, at },
        Call::Wait => {
            Action::Wait { object: reader.object()?, arguments: reader.arguments(1)?, at }
        }
        Call::Construct => {
            Action::Construct { object: reader.object()?, count: reader.count()?, at }
        }
    })
}

struct Reader<'a> {
    operate: &'a Operate,
    arguments: &'a [Argument],
}

impl Reader<'_> {
    fn error<T>(&self, code: &'static str, index: usize, message: &str) -> Result<T, Diagnostic> {
        let span = match self.operate.operands.get(index) {
            Some(Operand::Value(_, value)) => value.span,
            _ => Span::default(),
        };
        Err(Diagnostic::error(code, span, message))
    }

    /// Whether an operand depends on a variable.
    fn is_variable(&self, index: usize) -> bool {
        let is = |(atom, _): &(Atom, Span)| matches!(atom, Atom::Slot(_));
        matches!(self.operate.operands.get(index), Some(Operand::Value(_, value)) if value.code.iter().any(is))
    }

    fn value(&self, index: usize) -> Option<Value> {
        match self.arguments.get(index) {
            Some(Argument::Value(value)) => Some(*value),
            _ => None,
        }
    }

    fn object(&self) -> Result<u16, Diagnostic> {
        match self.value(0) {
            Some(Value::NamedBarrier(object)) => Ok(object),
            _ => self.error(
                "not-an-object",
                0,
                "expected a named barrier: construct it as `local<work_group_named_barrier> NAME(COUNT)`",
            ),
        }
    }

    fn count(&self) -> Result<u32, Diagnostic> {
        match self.value(1) {
            Some(Value::Int(count)) if let Ok(count) = u32::try_from(count) => Ok(count),
            // A C variable is converted to an unsigned one.
            Some(Value::Int(count)) if self.is_variable(1) => Ok(count as u32),
            Some(Value::Int(_)) => self.error(
                "count-range",
                1,
                "a count of sub-groups must be between 0 and 4294967295",
            ),
            _ => self.error("not-a-number", 1, "expected a number of sub-groups"),
        }
    }

    /// Identifies the arguments after flags and scope. Data of two work-items are taken to be the same.
    fn others(&self, first: usize) -> u32 {
        Arguments::identify((first..self.arguments.len()).map(|at| match self.value(at) {
            Some(Value::Int(value)) => value,
            _ => 0,
        }))
    }

    /// Flags, and the scope if given.
    fn arguments(&self, first: usize) -> Result<Arguments, Diagnostic> {
        let flags = match self.value(first) {
            Some(Value::Int(bits @ 0..=7)) => Flags::new(bits as u8),
            _ => {
                return self.error(
                    "not-flags",
                    first,
                    "expected flags: 0, or mem_fence::local, mem_fence::global and mem_fence::image combined by `|`",
                );
            }
        };
        let given = first + 1 < self.arguments.len();
        let scope = match self.value(first + 1) {
            _ if !given => Some(Scope::WorkGroup),
            Some(Value::Int(value)) => opencl::scope(value),
            _ => None,
        };
        match scope {
            Some(scope) => Ok(Arguments { flags, scope, given, others: self.others(first + 2) }),
            None => self.error(
                "not-a-scope",
                first + 1,
                "expected a scope, such as memory_scope_work_group or memory_scope_device",
            ),
        }
    }
}
