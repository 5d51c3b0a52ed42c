//! Evaluates operands to values, and builds operations from them.

use super::nvidia;
use super::opencl;
use super::surroundings::Surroundings;
use super::thread::Thread;
use crate::diagnostic::{Diagnostic, Span, Suggestion};
use crate::expression::comparison::Left;
use crate::expression::{Atom, Expression, Value};
use crate::expression::{linear, memory};
use crate::lower::code::{Bytes, Code, MOST_GUARDS, Operand, Operate, Outcome};
use crate::lower::names::{UNDECIDED, UNSET};
use crate::parse::data::UNSIZED;
use crate::vocabulary::effect::Call;
use crate::vocabulary::effect::{self, immediate};
use crate::vocabulary::nvidia::Kind;
use crate::vocabulary::{Argument, Effect, Place, Row};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Range, Scope, Space};
use tidegate_model::operation::{Action, Alike, Form, Object, Operation, Reach};
use tidegate_model::program::{Counted, When};
use tidegate_model::ptx::action::{Bar, Order, Reduce};

/// Largest number of sub-groups that a processor accepts as the count of a named barrier.
const MOST_COUNT: i64 = 127;

/// The next operation of a lane.
pub(crate) fn operation(
    operate: &Operate,
    thread: &Thread,
    around: Surroundings,
) -> Result<Operation, Diagnostic> {
    let form = operate.row.form;
    let constructs = operate.row.effect == Effect::Opencl(Call::Construct);
    let values = operate.operands.iter().enumerate().map(|(index, operand)| match operand {
        Operand::Value(_, value) if constructs && index == 1 => count(value, thread, around),
        // A predicate computed from unknown values is unknown.
        _ if index == 1 && operate.row.effect == Effect::Nvidia(Kind::Bar(Bar::Red)) => {
            match argument(operand, operate.row, thread, around) {
                Err(problem) if problem.code == UNSET && !is_read(operate, thread, around) => {
                    Ok(Argument::Value(Value::Object(Object::Null)))
                }
                argument => argument,
            }
        }
        Operand::Value(Place::Coordinate, value) => {
            Ok(Argument::Value(thread.kept(value, around).unwrap_or(Value::Object(Object::Null))))
        }
        // An unknown descriptor can name any tile.
        _ if operate.row.effect == Effect::Nvidia(Kind::Tensor) => {
            match argument(operand, operate.row, thread, around) {
                Err(problem) if [UNSET, UNDECIDED].contains(&problem.code) => {
                    Ok(Argument::Value(Value::Object(Object::Null)))
                }
                argument => argument,
            }
        }
        _ => argument(operand, operate.row, thread, around),
    });
    let mut arguments = values.collect::<Result<Vec<_>, _>>()?;
    sized(&mut arguments, operate);
    in_their_cta(&mut arguments, operate, around);
    if let (Effect::Nvidia(kind), Some((instruction, flags))) = (operate.row.effect, operate.nvidia)
    {
        let few = (2..32).contains(&around.launch.lanes);
        if few && flags.reduce == Some(Reduce::Count) && is_read(operate, thread, around) {
            let message = "`.popc` counts the 32 threads of each warp: write `lanes=32`, or omit `lanes` if all threads of a warp do the same";
            return Err(Diagnostic::error("lanes-counted", span_of(operate, around), message));
        }
        let action = nvidia::action(kind, operate, &arguments, around)?;
        let counted = kind == Kind::Arrive && !flags.no_complete && arguments.len() > 1;
        let spelling = instruction.spelled(flags, counted);
        let action = Action::Ptx(action, spelling);
        let possible = action != action.certain();
        return Ok(Operation { possible, ..Operation::new(action, form) });
    }
    if let Effect::Opencl(call) = operate.row.effect {
        let (code, instances) = (around.code, around.instances);
        let action = opencl::action(call, operate, thread, code, instances, &arguments)?;
        return Ok(Operation::new(Action::Opencl(action), form));
    }
    match effect::action(operate.row.effect, &arguments) {
        Some(action) => {
            checked_whole(action, operate, around.code)?;
            Ok(Operation { alike: alike(operate, around), ..Operation::new(action, form) })
        }
        // Every row that becomes an operation has an action for its operands; a test of the tables checks this.
        None => Err(Diagnostic::error("not-yet", Span::default(), operate.row.name)),
    }
}

/// The position of an operation.
fn span_of(operate: &Operate, around: Surroundings) -> Span {
    around.code.sources.get(operate.source as usize).map_or(Span::default(), |source| source.span)
}

/// Whether the result of an operation is read later.
fn is_read(operate: &Operate, thread: &Thread, around: Surroundings) -> bool {
    let following = thread.frames.last().map_or(0, |frame| frame.pc as usize + 1);
    let live = around.code.live.get(following).copied().unwrap_or_default();
    matches!(operate.outcome, Outcome::Count(slot) if live.contains(slot))
}

fn argument(
    operand: &Operand,
    row: &Row,
    thread: &Thread,
    around: Surroundings,
) -> Result<Argument, Diagnostic> {
    match operand {
        Operand::M0(span) => thread.m0.map(Argument::M0).ok_or_else(|| {
            Diagnostic::error(
                "unset-m0",
                *span,
                "m0 has no value here: set it with `s_mov_b32 m0, …`",
            )
        }),
        Operand::Value(place, expression) => {
            let value = thread.value(expression, around)?;
            let checked = checked(*place, value, expression, row).map(Argument::Value);
            checked.map_err(|error| at_call(error, expression, thread, around))
        }
        Operand::Bytes(Bytes { base: Some(base), range, span, .. }) => {
            addressed(base, range.as_ref(), *span, thread, around)
        }
        Operand::Bytes(bytes) => match somewhere(bytes, thread, around) {
            Some(range) => Ok(Argument::Bytes(range)),
            None => range(bytes, thread, around).map(Argument::Bytes),
        },
        Operand::Counter(counter, most) => {
            thread.number(most, around).map(|most| Argument::Counter(*counter, most))
        }
        Operand::Fence(fence) => Ok(Argument::Fence(*fence)),
    }
}

/// The count of a named barrier. Counts that exceed what a processor accepts, or the sub-groups of a work-group, are
/// equivalent, so all are replaced by one number.
fn count(
    value: &Expression,
    thread: &Thread,
    around: Surroundings,
) -> Result<Argument, Diagnostic> {
    let Surroundings { arguments, launch, .. } = around;
    let most = i64::from(launch.waves).max(MOST_COUNT);
    let is_large = |value| match linear::leaves(value, (0, most), &arguments.reach) {
        None => matches!(value, Value::Int(number) if number > most),
        _ => true,
    };
    let mut count = thread.kept(value, around)?;
    if matches!(count, Value::Linear(_)) {
        count = linear::wrapped(count, (0, i64::from(u32::MAX)), &arguments.reach);
    }
    let other = match is_large(count) {
        true => arguments.count.replace(Some(count)).filter(|&before| before != count),
        false => Some(count),
    };
    if let Some(other) = other {
        linear::settled(other, &arguments.reach);
        linear::settled(count, &arguments.reach);
    }
    Ok(Argument::Value(match count {
        Value::Linear(_) => Value::Int(linear::now(count)),
        other => other,
    }))
}

/// If a parameter has a value of the wrong kind, moves the error to the call that passed it.
fn at_call(
    error: Diagnostic,
    expression: &Expression,
    thread: &Thread,
    around: Surroundings,
) -> Diagnostic {
    if !matches!(error.code, "not-an-object" | "not-a-number" | "wrong-object") {
        return error;
    }
    let [(Atom::Slot(slot), _)] = expression.code[..] else { return error };
    let Some((parameter, span)) = thread.passed(slot, around.code) else { return error };
    let message = match error.code {
        "not-an-object" => {
            format!("expected a barrier object for `{parameter}`, found a number")
        }
        "wrong-object" => format!("`{parameter}` is used as a barrier object: {}", error.message),
        _ => format!("expected a number for `{parameter}`, found a barrier object"),
    };
    Diagnostic { message, span, ..error }
}

/// The whole memory, if data decide which of its bytes are accessed.
fn somewhere(bytes: &Bytes, thread: &Thread, around: Surroundings) -> Option<Range> {
    let (start, _) = bytes.range.as_ref()?;
    let data = matches!(thread.kept(start, around), Ok(Value::Data(_)));
    data.then_some(Range { buffer: bytes.buffer, start: 0, end: bytes.size })
}

/// The data on which an access depends, as one bit for each condition around it and one for its address.
pub(crate) fn decided(operate: &Operate, thread: &Thread, around: Surroundings) -> u32 {
    let mut mask = 0;
    for (at, &(slot, _)) in operate.guards.iter().enumerate() {
        let data = thread.slot(slot).is_some_and(|value| value != Value::Int(0));
        mask |= u32::from(data) << at.min(MOST_GUARDS - 1);
    }
    if operate.somewhere {
        let data = operate.operands.iter().any(|operand| match operand {
            Operand::Bytes(bytes) => somewhere(bytes, thread, around).is_some(),
            _ => false,
        });
        mask |= u32::from(data) << operate.guards.len().min(MOST_GUARDS);
    }
    mask
}

/// Largest number of agents of a launch in which conditions on data are compared; in larger launches, agents that
/// differ only in them stay identical.
const MOST_COMPARED: u32 = 1024;

/// What is known of an access that data decide, as its number among all from 1: the conditions around it that compare
/// data with numbers, and bytes that are counted from a datum.
pub(crate) fn when(operate: &Operate, thread: &Thread, around: Surroundings) -> u16 {
    let Surroundings { launch, instances, .. } = around;
    if launch.workgroups * launch.waves * launch.lanes > MOST_COMPARED {
        return 0;
    }
    let mut all: Vec<(u32, Left)> = Vec::new();
    let mut always = true;
    for &(guard, asked) in &operate.guards {
        always &= thread.slot(guard).is_none_or(|value| value == Value::Int(0));
        let Some((slot, holds)) = asked else { continue };
        let Some(Value::Data(term)) = thread.slot(slot) else { continue };
        let compared = instances.terms.compared(term, &around.code.buffers);
        let Some((of, order, number, negated)) = compared else { continue };
        let at = all.iter().position(|(datum, _)| *datum == of).unwrap_or_else(|| {
            all.push((of, Left::default()));
            all.len() - 1
        });
        all[at].1.take(order, number, holds != negated);
    }
    // With two ranges, such as those of a copy, the position of one says nothing about the other.
    let mut ranges = operate.operands.iter().filter_map(|operand| match operand {
        Operand::Bytes(bytes) => Some(bytes),
        _ => None,
    });
    let only = ranges.next().filter(|_| ranges.next().is_none());
    let counted = only.and_then(|bytes| counted(bytes, thread, around));
    let always = always && counted.is_some_and(|counted| counted.datum.is_some());
    if all.is_empty() && counted.is_none() {
        return 0;
    }
    let facts = all.iter().map(|(datum, left)| left.fact(*datum)).collect();
    let when = When { facts, counted, always };
    let mut whens = instances.whens.borrow_mut();
    let at = whens.iter().position(|known| *known == when).unwrap_or_else(|| {
        whens.push(when);
        whens.len() - 1
    });
    u16::try_from(at + 1).unwrap_or(0)
}

/// The bytes of an access, if they are counted from a datum.
fn counted(bytes: &Bytes, thread: &Thread, around: Surroundings) -> Option<Counted> {
    let (start, end) = bytes.range.as_ref().filter(|_| bytes.base.is_none())?;
    let of = |one: &Expression| match thread.kept(one, around).ok()? {
        Value::Data(term) => Some(term),
        _ => None,
    };
    around.instances.terms.counted((of(start)?, of(end)?), &around.code.buffers)
}

/// The bytes that an operand names, within the named memory.
fn range(bytes: &Bytes, thread: &Thread, around: Surroundings) -> Result<Range, Diagnostic> {
    let buffer = bytes.buffer;
    let Some((start, end)) = &bytes.range else {
        return Ok(Range { buffer, start: 0, end: bytes.size });
    };
    // An access out of bounds is out of bounds for all values of an argument that are at least as far away.
    let reach = &around.arguments.reach;
    let leaves = |one| match thread.kept(one, around) {
        Ok(value) => linear::leaves(value, (0, i64::from(bytes.size)), reach),
        Err(_) => None,
    };
    let left = leaves(start).or_else(|| leaves(end));
    let now = |one| match left {
        Some(_) => thread.kept(one, around).map(linear::now),
        None => thread.number(one, around),
    };
    let open = left.is_none().then(|| together(bytes, (start, end), thread, around));
    let (first, following) = match open.flatten() {
        Some(range) => range,
        None => (now(start)?, now(end)?),
    };
    let span = Span {
        length: (end.span.start + end.span.length).saturating_sub(start.span.start),
        ..start.span
    };
    if first >= following {
        let message = format!("the range {first}..{following} is empty: its end is exclusive");
        return Err(Diagnostic::error("empty-range", span, message));
    }
    match (u32::try_from(first), u32::try_from(following)) {
        (Ok(start), Ok(end)) if end <= bytes.size => Ok(Range { buffer, start, end }),
        _ => {
            let message = beyond(i64::from(bytes.size), first, following);
            Err(Diagnostic::error("outside-memory", span, message))
        }
    }
}

/// The ends of a range, if they are numbers that move together.
fn together(
    bytes: &Bytes,
    (start, end): (&Expression, &Expression),
    thread: &Thread,
    around: Surroundings,
) -> Option<(i64, i64)> {
    let kept = |one| thread.kept(one, around).ok();
    let (start, end) = (kept(start)?, kept(end)?);
    let numbers = [start, end].iter().all(|one| matches!(one, Value::Int(_) | Value::Linear(_)));
    let length = linear::now(end).checked_sub(linear::now(start))?;
    if around.code.nvidia || !numbers || linear::shift(start) != linear::shift(end) || length < 1 {
        return None;
    }
    let most = i64::from(bytes.size) - length;
    let first = linear::now(around.arguments.begins(bytes.buffer, start, most));
    Some((first, first + length))
}

/// The message for bytes that are outside a memory of that size.
pub(super) fn beyond(size: i64, first: i64, following: i64) -> String {
    match size == UNSIZED {
        _ if first < 0 => format!("bytes {first}..{following} begin before this memory"),
        true => format!(
            "bytes {first}..{following} exceed 2 GiB, the limit for a memory without a declared size"
        ),
        false => format!("bytes {first}..{following} exceed this memory of {size} bytes"),
    }
}

/// The bytes at an address in a register, in any memory and CTA.
fn addressed(
    base: &Expression,
    range: Option<&(Expression, Expression)>,
    span: Span,
    thread: &Thread,
    around: Surroundings,
) -> Result<Argument, Diagnostic> {
    let error = |code, message: String| Err(Diagnostic::error(code, span, message));
    let address = thread.number(base, around)?;
    let memory = memory::at(address);
    let held = memory.and_then(|at| Some((at, around.code.buffers.get(usize::from(at.buffer))?)));
    let Some((at, held)) = held else {
        let message = "no memory is declared at this address: write `mov r, MEMORY` to put an address into a register";
        return error("not-an-address", message.into());
    };
    let size = i64::from(held.size);
    let mut bounds = [at.offset, size];
    let data = |one: &Expression| matches!(thread.kept(one, around), Ok(Value::Data(_)));
    if range.is_some_and(|(start, _)| data(start)) {
        bounds = [0, size];
    } else if let Some((start, end)) = range {
        bounds[0] += thread.number(start, around)?;
        match thread.number(end, around)? {
            to if to == i64::from(u32::MAX) => {}
            to => bounds[1] = at.offset.saturating_add(to),
        }
    }
    let [start, end] = bounds.map(u32::try_from);
    let (Ok(start), Ok(end), true) = (start, end, bounds[0] < bounds[1] && bounds[1] <= size)
    else {
        let [first, following] = bounds;
        return error("outside-memory", beyond(size, first, following));
    };
    let range = Range { buffer: at.buffer, start, end };
    let own = around.standing.workgroup
        % (around.launch.workgroups / around.launch.clusters.max(1)).max(1);
    match held.space {
        Space::Local => Ok(Argument::Addressed(range, at.rank.unwrap_or(own), own)),
        Space::Global => Ok(Argument::Bytes(range)),
    }
}

/// Replaces addresses by bytes of the memory in their CTA. Copies name the CTA by their object.
fn in_their_cta(arguments: &mut [Argument], operate: &Operate, around: Surroundings) {
    if let Effect::Nvidia(Kind::Copy | Kind::StoreAsync) = operate.row.effect {
        return;
    }
    let Surroundings { standing, instances, code, .. } = around;
    for argument in arguments {
        let Argument::Addressed(mut range, rank, own) = *argument else { continue };
        if rank != own {
            let owner = standing.workgroup - own + rank;
            range.buffer = instances.of_other_cta(range.buffer, owner, code);
        }
        *argument = Argument::Bytes(range);
    }
}

/// The other accesses with which one never races: atomic ones, if it is atomic, whose scope includes its agent as its own
/// includes theirs.
const fn alike(operate: &Operate, around: Surroundings) -> Alike {
    let Some((_, flags)) = operate.nvidia else {
        return if operate.atomic { Alike::ATOMIC } else { Alike::None };
    };
    if around.launch.workgroups <= 1 {
        return Alike::ATOMIC;
    }
    let scope = match flags.order {
        Some(Order::Cta) => Scope::Workgroup,
        Some(_) => Scope::Cluster,
        None => Scope::Agent,
    };
    let group = around.standing.workgroup as u16;
    let cluster = group / around.launch.workgroups_per_cluster() as u16;
    Alike::Atomic(Reach { scope, group, cluster })
}

/// Checks what a single operand cannot show: that the direction of a copy is supported and that it reads as many bytes
/// as it writes.
fn checked_whole(action: Action, operate: &Operate, code: &Code) -> Result<(), Diagnostic> {
    let Action::Memory(Memory::Copy { to, from }) = action else { return Ok(()) };
    directed(to, from, operate, code)?;
    let (written, read) = (to.end - to.start, from.end - from.start);
    if written == read {
        return Ok(());
    }
    let span = operate.operands.iter().find_map(|operand| match operand {
        Operand::Bytes(bytes) => Some(bytes.span),
        _ => None,
    });
    let message = format!("the copy writes {written} bytes but reads {read} bytes");
    Err(Diagnostic::error("copy-length", span.unwrap_or_default(), message))
}

/// Checks the direction of a copy: it reads global memory and writes LDS. The intrinsics name the source first. The
/// document says that transfers are "usually" between the two; each operation that it lists goes from global memory to
/// LDS.
fn directed(to: Range, from: Range, operate: &Operate, code: &Code) -> Result<(), Diagnostic> {
    let is = |range: Range, space: Space| {
        code.buffers.get(usize::from(range.buffer)).is_some_and(|buffer| buffer.space == space)
    };
    let from_pointer = operate.row.effect == Effect::CopyFrom;
    let (writes_global, reads_lds) = (is(to, Space::Global), is(from, Space::Local));
    if !(writes_global || reads_lds) {
        return Ok(());
    }
    let mut operands = operate.operands.iter().filter_map(|operand| match operand {
        Operand::Bytes(bytes) => Some(bytes.span),
        _ => None,
    });
    let (first, second) = (operands.next(), operands.next());
    let (target, source) = if from_pointer { (second, first) } else { (first, second) };
    let (span, fault) = if writes_global {
        (target, "this one would write global memory")
    } else {
        (source, "this one would read LDS")
    };
    let order = if from_pointer {
        "name the global memory first, then the LDS"
    } else {
        "name the LDS before the global memory: `async_load LDS <- GLOBAL`"
    };
    let message = match (writes_global, reads_lds) {
        (true, true) => "swap the two: ",
        _ => "",
    };
    let suggestion = Suggestion { message: format!("{message}{order}"), replacement: None };
    let message = format!("an asynchronous load copies from global memory to LDS; {fault}");
    Err(Diagnostic {
        suggestion: Some(suggestion),
        ..Diagnostic::error("copy-direction", span.unwrap_or_default(), message)
    })
}

/// Limits the whole memories of an intrinsic's copy to the number of bytes that it gives.
fn sized(arguments: &mut [Argument], operate: &Operate) {
    let [Argument::Bytes(from), Argument::Bytes(to), Argument::Value(Value::Int(size)), ..] =
        arguments
    else {
        return;
    };
    let whole =
        |operand: &Operand| matches!(operand, Operand::Bytes(bytes) if bytes.range.is_none());
    if let Ok(size @ 1..) = u32::try_from(*size) {
        for (range, _) in
            [from, to].into_iter().zip(&operate.operands).filter(|(_, operand)| whole(operand))
        {
            range.end = range.end.min(size);
        }
    }
}

/// Returns the value if its kind is valid in its position.
fn checked(
    place: Place,
    value: Value,
    expression: &Expression,
    row: &Row,
) -> Result<Value, Diagnostic> {
    let span = expression.span;
    match (place, value) {
        (Place::Object, Value::Int(_)) => {
            let message = "expected a barrier object: `wg`, `cluster`, `null` or a declared one";
            Err(Diagnostic::error("not-an-object", span, message))
        }
        (
            Place::Object | Place::Id | Place::IdOrM0 | Place::Id16,
            Value::Mbarrier(_) | Value::Token(_) | Value::NamedBarrier(_) | Value::Data(_),
        ) => Err(of_another_text(value, row.effect, span)),
        (Place::Id | Place::IdOrM0 | Place::Id16, Value::Object(Object::Plain(_)))
            if !matches!(row.form, Form::Intrinsic(_)) =>
        {
            Err(without_id(span))
        }
        (Place::Id16, _) => immediate(value).ok_or_else(|| {
            Diagnostic::error(
                "immediate-range",
                span,
                "a 16-bit immediate must be between -32768 and 65535",
            )
        }),
        (Place::Marks, Value::Int(count)) if !(0..=0xffff).contains(&count) => Err(
            Diagnostic::error("marks-range", span, "a count of marks must be between 0 and 65535"),
        ),
        (
            Place::Number | Place::Expected | Place::Counters | Place::Marks,
            Value::Object(_)
            | Value::Mbarrier(_)
            | Value::Token(_)
            | Value::NamedBarrier(_)
            | Value::Data(_),
        ) => Err(Diagnostic::error(
            "not-a-number",
            span,
            "expected a number, found a barrier object",
        )),
        _ => Ok(value),
    }
}

/// An operation of AMDGPU whose operand is an object of another text.
fn of_another_text(value: Value, effect: Effect, span: Span) -> Diagnostic {
    let (found, help) = match value {
        Value::Mbarrier(_) => {
            let help = match effect {
                Effect::Init => "write `mbarrier.init.shared.b64 [NAME], COUNT`",
                Effect::Wait => {
                    "write `L: mbarrier.try_wait.parity.shared.b64 p, [NAME], PARITY; @!p bra L`"
                }
                Effect::Drop => "write `mbarrier.arrive_drop.shared.b64 _, [NAME]`",
                _ => "write `mbarrier.arrive.shared.b64 _, [NAME]`",
            };
            ("an mbarrier object", Some(help))
        }
        Value::NamedBarrier(_) => (
            "a named barrier of OpenCL C++, which only `NAME.wait(…)` uses",
            Some("declare `barrier NAME`"),
        ),
        _ => ("a token", None),
    };
    let message = format!("expected a barrier object, found {found}");
    let suggestion = help.map(|help| Suggestion { message: help.into(), replacement: None });
    Diagnostic { suggestion, ..Diagnostic::error("wrong-object", span, message) }
}

fn without_id(span: Span) -> Diagnostic {
    let message = "machine code cannot name a barrier object without an ID";
    let suggestion = Suggestion {
        message: String::from("declare it as `barrier NAME = named(ID)`"),
        replacement: None,
    };
    Diagnostic {
        suggestion: Some(suggestion),
        ..Diagnostic::error("object-without-id", span, message)
    }
}
