//! NVIDIA operations from the values of their operands.

mod tensor;

use super::surroundings::Surroundings;
use super::thread::Thread;
use crate::diagnostic::{Diagnostic, Span};
use crate::expression::counted::Counted;
use crate::expression::{Atom, Mbarrier, Value, at_address, memory};
use crate::lower::code::{Code, Operand, Operate, Outcome, Step};
use crate::vocabulary::nvidia::{Flags, Kind};
use crate::vocabulary::sass::LOAD;
use crate::vocabulary::{Argument, Effect};
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::{Action as Any, Operation};
use tidegate_model::ptx::action::{
    Action, Arrive, Asked, Bar, Name, Place, Queue, Reads, Reduce, Reduction, Spelling,
};
use tidegate_model::ptx::object::MOST;
use tidegate_model::ptx::word;

/// The smallest register that holds no token of the warp, except in the variable that these lanes are about to assign.
pub(crate) fn free_register(threads: &[Thread], lanes: &[usize], slot: u16) -> u16 {
    let held = |register: u16| {
        threads.iter().enumerate().any(|(lane, thread)| {
            thread.frames.iter().enumerate().any(|(depth, frame)| {
                frame.slots.iter().enumerate().any(|(index, value)| {
                    let holds = match *value {
                        Some(Value::Token(token)) => token == register,
                        Some(Value::Counted(count)) => count.register == register,
                        _ => false,
                    };
                    let taken = depth + 1 == thread.frames.len() && index == usize::from(slot);
                    holds && !(taken && lanes.contains(&lane))
                })
            })
        })
    };
    (0..u16::MAX).find(|&register| !held(register)).unwrap_or(0)
}

/// Sets the result register of an operation.
pub(crate) fn put_result(operation: &mut Operation, into: u16) {
    let Any::Ptx(action, _) = &mut operation.action else { return };
    match action {
        Action::Arrive { form, .. } => form.token = Some(into),
        Action::PendingCount { register, .. }
        | Action::Bar { reduction: Some(Reduction { register, .. }), .. } => *register = Some(into),
        _ => {}
    }
}

/// The result of an instruction that only an execution knows.
pub(crate) fn counted(operate: &Operate, register: u16, around: Surroundings) -> Value {
    let reduce = operate.nvidia.and_then(|(_, flags)| flags.reduce);
    let high = match (operate.row.effect, reduce) {
        (Effect::Nvidia(Kind::Bar(_)), Some(Reduce::Count)) => {
            around.launch.waves.saturating_mul(32)
        }
        (Effect::Nvidia(Kind::Bar(_)), _) => 1,
        _ => most_pending(around.code),
    };
    Value::Counted(Counted { register, low: 0, high, add: 0, source: operate.source })
}

/// An upper limit of every pending count of the text: the largest count of an init, if all are constants and nothing
/// else increments.
fn most_pending(code: &Code) -> u32 {
    let launched = code.mbarriers.iter().flatten().copied().max().unwrap_or(0);
    let mut most = Some(launched);
    for step in &code.steps {
        let Step::Operate(operate) = step else { continue };
        let no_increment = operate.nvidia.is_some_and(|(_, flags)| flags.no_increment);
        let counts = match operate.row.effect {
            Effect::Nvidia(Kind::Init) => match operate.operands.get(1) {
                Some(Operand::Value(_, count)) => match count.code[..] {
                    [(Atom::Int(count), _)] => Some(count),
                    _ => None,
                },
                _ => None,
            },
            Effect::Nvidia(Kind::InitWord) => None,
            Effect::Nvidia(Kind::CopyArrive) if !no_increment => None,
            _ => Some(0),
        };
        most = most.zip(counts).map(|(most, count)| most.max(count));
    }
    u32::try_from(most.unwrap_or(MOST).clamp(0, MOST)).unwrap_or(0)
}

/// The operation of an instruction.
pub(crate) fn action(
    kind: Kind,
    operate: &Operate,
    arguments: &[Argument],
    around: Surroundings,
) -> Result<Action, Diagnostic> {
    let flags = operate.nvidia.map_or(Flags::default(), |(_, flags)| flags);
    let code = around.code;
    let reader = Reader { operate, arguments, flags };
    let aligned = flags.aligned.then_some(operate.source);
    // The register is chosen when the operation is performed.
    let token = matches!(operate.outcome, Outcome::Token(_) | Outcome::Count(_)).then_some(0);
    Ok(match kind {
        Kind::Init => Action::Init { name: reader.object(0)?, count: reader.number(1)? },
        Kind::InitWord => Action::Init { name: reader.object(0)?, count: reader.word()? },
        Kind::Inval => Action::Inval { name: reader.object(0)? },
        Kind::Arrive if flags.expect => reader.arrive(1, Some(reader.bytes()?), token)?,
        Kind::ArriveExpect => reader.arrive(1, Some(reader.bytes()?), token)?,
        Kind::Arrive => reader.arrive(reader.count()?, None, token)?,
        Kind::Expect => Action::Expect { name: reader.object(0)?, bytes: reader.bytes()? },
        Kind::Complete => Action::Complete { name: reader.object(0)?, bytes: reader.bytes()? },
        Kind::Wait(patience) | Kind::WaitWord(patience) => {
            let (name, asked) = (reader.object(0)?, reader.asked(kind)?);
            Action::Wait { name, asked, patience, order: flags.reach() }
        }
        Kind::PendingCount => Action::PendingCount { token: reader.token(0)?, register: token },
        Kind::Copy => reader.copy(code)?,
        Kind::CopyOfThread => reader.copy_of_thread()?,
        Kind::StoreAsync => reader.store_async()?,
        Kind::Tensor => Action::Tensor {
            reads: [0, 1].map(|index| reader.tile(index, code)),
            pair: flags.pair,
            alone: flags.alone,
        },
        Kind::CommitArrive => Action::CopyArrive {
            name: reader.object(0)?,
            no_increment: true,
            of_copies: false,
            threads: 1,
            ranks: reader.maybe(1)?.map(|mask| mask as u16),
        },
        Kind::Commit { queue } => Action::Commit { queue },
        Kind::WaitGroup { queue } => {
            let most = u32::try_from(reader.number(0)?).unwrap_or(0);
            Action::WaitGroup { queue, most: Some(most), read: flags.read }
        }
        Kind::WaitAll => Action::WaitGroup { queue: Queue::Thread, most: None, read: false },
        Kind::Fence if flags.proxy => Action::Nothing,
        Kind::Fence => flags.fence(),
        Kind::CopyArrive => {
            let (name, no_increment) = (reader.object(0)?, flags.no_increment);
            Action::CopyArrive { name, no_increment, of_copies: true, threads: 1, ranks: None }
        }
        Kind::Bar(kind) => Action::Bar {
            id: reader.number(0)?,
            threads: reader.maybe(if kind == Bar::Red { 2 } else { 1 })?,
            kind,
            reduction: (kind == Bar::Red).then(|| reader.reduction(token)),
            aligned: flags.aligned,
            site: operate.source,
        },
        Kind::WarpSync => Action::WarpSync { mask: reader.number(0)? as u32 },
        Kind::ClusterArrive => Action::ClusterArrive { order: flags.reach(), aligned },
        Kind::ClusterWait => Action::ClusterWait { order: flags.reach(), aligned },
        Kind::FenceInit => Action::FenceInit,
        Kind::Access => Action::Access { name: reader.object(0)? },
        Kind::Nothing | Kind::Move | Kind::Unmodelled => Action::Nothing,
    })
}

struct Reader<'a> {
    operate: &'a Operate,
    arguments: &'a [Argument],
    flags: Flags,
}

impl Reader<'_> {
    fn span(&self, index: usize) -> Span {
        match self.operate.operands.get(index) {
            Some(Operand::Value(_, value)) => value.span,
            Some(Operand::Bytes(bytes)) => bytes.span,
            _ => Span::default(),
        }
    }

    fn error<T>(&self, code: &'static str, index: usize, message: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(code, self.span(index), message))
    }

    fn value(&self, index: usize) -> Option<Value> {
        match self.arguments.get(index) {
            Some(Argument::Value(value)) => Some(*value),
            _ => None,
        }
    }

    fn number(&self, index: usize) -> Result<i64, Diagnostic> {
        match self.value(index) {
            Some(Value::Int(number)) => Ok(number),
            _ => self.error("not-a-number", index, "expected a number"),
        }
    }

    /// A count of bytes, the second operand, which PTX reads as an unsigned number.
    fn bytes(&self) -> Result<i64, Diagnostic> {
        let bytes = self.number(1)?;
        if bytes < 0 {
            let message =
                "a byte count must not be negative: use `mbarrier.complete_tx` to subtract bytes";
            return self.error("negative-bytes", 1, message);
        }
        Ok(bytes)
    }

    fn maybe(&self, index: usize) -> Result<Option<i64>, Diagnostic> {
        if index < self.arguments.len() { self.number(index).map(Some) } else { Ok(None) }
    }

    fn object(&self, index: usize) -> Result<Name, Diagnostic> {
        match self.value(index) {
            Some(Value::Mbarrier(object)) => self.single(object, index),
            Some(Value::Int(address)) => match at_address(address) {
                Some(object) => self.single(object, index),
                None => self.no_object(index),
            },
            _ => self.no_object(index),
        }
    }

    fn no_object<T>(&self, index: usize) -> Result<T, Diagnostic> {
        let message = "expected an mbarrier object: declare it as `mbarrier NAME`";
        self.error("not-an-object", index, message)
    }

    fn single(&self, object: Mbarrier, index: usize) -> Result<Name, Diagnostic> {
        // In PTX, an address of several objects is that of the first.
        if object.count > 1 && self.of_tlx() {
            return self.error(
                "not-an-object",
                index,
                "expected an element of this array, such as `NAME[0]`",
            );
        }
        if object.first >= self.operate.declared {
            return self.error(
                "not-an-object",
                index,
                "no mbarrier object is declared at this address: objects start at 0x400 and have 8 bytes each",
            );
        }
        let place = object.rank.map_or(Place::Own, Place::Rank);
        Ok(Name { index: object.first, place })
    }

    /// The count of an arrive; 1 if it has none.
    fn count(&self) -> Result<i64, Diagnostic> {
        let fixed = self.operate.row.name.ends_with("A1T0");
        Ok(if fixed { 1 } else { self.maybe(1)?.unwrap_or(1) })
    }

    fn arrive(
        &self,
        count: i64,
        expect: Option<i64>,
        token: Option<u16>,
    ) -> Result<Action, Diagnostic> {
        let Flags { drop, no_complete, .. } = self.flags;
        let form = Arrive { count, drop, no_complete, expect, order: self.flags.reach(), token };
        Ok(Action::Arrive { name: self.object(0)?, form })
    }

    /// The contribution to a reduction.
    fn reduction(&self, register: Option<u16>) -> Reduction {
        let predicate = match self.value(1) {
            Some(Value::Int(number)) => Some(number != 0),
            _ => None,
        };
        Reduction { reduce: self.flags.reduce.unwrap_or(Reduce::Any), predicate, register }
    }

    fn token(&self, index: usize) -> Result<u16, Diagnostic> {
        match self.value(index) {
            Some(Value::Token(token)) => Ok(token),
            _ => self.error("not-a-token", index, "expected the token of an arrive"),
        }
    }

    /// The operand of a wait: a token or, with `.parity`, a number.
    fn asked(&self, kind: Kind) -> Result<Asked, Diagnostic> {
        match (self.value(1), kind) {
            (Some(Value::Token(token)), _) if !self.flags.parity => Ok(Asked::Token(token)),
            (Some(Value::Int(word)), Kind::WaitWord(_)) => Ok(Asked::Parity(word >> 31 & 1)),
            (Some(Value::Int(parity)), _) if self.flags.parity => Ok(Asked::Parity(parity)),
            (Some(Value::Token(_)), _) => {
                self.error("not-a-number", 1, "expected a parity, 0 or 1")
            }
            _ => self.error(
                "not-a-token",
                1,
                "expected the token of an arrive; for a number, use `.parity`",
            ),
        }
    }

    /// The count of the initial word in a register or a register pair.
    fn word(&self) -> Result<i64, Diagnostic> {
        let low = self.number(1)?;
        let whole = match self.value(2) {
            Some(Value::Int(high)) => (high as u64) << 32 | low as u64 & 0xffff_ffff,
            _ => low as u64,
        };
        let fields = word::decode(word::Layout::LowPending, whole);
        if word::initial(fields.pending) == Some(whole) {
            return Ok(i64::from(fields.pending));
        }
        let low_half =
            word::initial(fields.pending).is_some_and(|full| full & 0xffff_ffff == whole);
        if low_half {
            return Ok(i64::from(fields.pending));
        }
        self.error(
            "not-an-initial-word",
            1,
            "no mbarrier.init writes this word: `tidegate mbarrier encode COUNT` prints a valid one",
        )
    }

    /// The bytes that tensor cores read through an operand; none for an operand in registers or tensor memory.
    fn tile(&self, index: usize, code: &Code) -> Reads {
        match self.arguments.get(index) {
            None => Reads::Nothing,
            Some(&(Argument::Bytes(range) | Argument::Addressed(range, ..))) => Reads::Bytes(range),
            Some(&Argument::Value(Value::Int(number))) => {
                let held = memory::tile_at(number).and_then(|at| {
                    let size = code.buffers.get(usize::from(at.buffer))?.size;
                    let start = u32::try_from(at.offset).ok().filter(|&start| start < size)?;
                    Some(Range { buffer: at.buffer, start, end: size })
                });
                held.map_or(Reads::Any, Reads::Within)
            }
            Some(_) => Reads::Any,
        }
    }

    /// The ranges that a copy writes and reads.
    fn ranges(&self) -> (Option<Range>, Option<Range>) {
        let mut ranges = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Bytes(range) | Argument::Addressed(range, ..) => Some(*range),
            _ => None,
        });
        (ranges.next(), ranges.next())
    }

    /// Checks that the bytes that a copy writes in shared memory are in the CTA of the object that they complete, and
    /// that the bytes that it reads there are in its own CTA.
    fn in_one_cta(&self, name: Option<Name>) -> Result<(), Diagnostic> {
        let operands = self.arguments.iter().enumerate();
        let is_bytes =
            |argument: &Argument| matches!(argument, Argument::Bytes(_) | Argument::Addressed(..));
        let bytes = operands.filter(|(_, argument)| is_bytes(argument));
        for (which, (index, argument)) in bytes.enumerate() {
            let Argument::Addressed(_, rank, own) = *argument else { continue };
            let there = match name {
                Some(Name { place: Place::Rank(there), .. }) if which == 0 => there,
                _ => own,
            };
            if rank != there {
                let message = match which {
                    0 => {
                        "these bytes and the mbarrier object are in different CTAs: use `mapa` for both addresses"
                    }
                    _ => "a copy must read shared memory of its own CTA",
                };
                return self.error("other-cta", index, message);
            }
        }
        Ok(())
    }

    /// Whether it reduces in memory instead of overwriting.
    fn reduces(&self) -> bool {
        matches!(
            self.operate.row.name,
            "red.async" | "cp.reduce.async.bulk" | "cp.reduce.async.bulk.tensor"
        )
    }

    /// Whether it is written in TLX.
    fn of_tlx(&self) -> bool {
        self.operate.nvidia.is_some_and(|(row, _)| {
            matches!(row.spelling, Spelling::Tlx | Spelling::TlxNamed | Spelling::TlxCopy)
        })
    }

    fn copy(&self, code: &Code) -> Result<Action, Diagnostic> {
        let (to, from) = self.ranges();
        let mut bytes = to.map(|to| i64::from(to.end) - i64::from(to.start));
        let (mut name, mut ranks, mut sized) = (None, None, false);
        let reduces = self.reduces();
        let coordinates: Vec<usize> = self.coordinates().collect();
        for index in (0..self.arguments.len()).filter(|index| !coordinates.contains(index)) {
            match self.value(index) {
                Some(Value::Int(mask)) if name.is_some() => ranks = Some(mask as u16),
                Some(Value::Int(number))
                    if self.operate.row.name == LOAD
                        || name.is_none() && memory::at(number).is_some() =>
                {
                    name = Some(self.object(index)?);
                }
                Some(Value::Int(number)) => (bytes, sized) = (Some(number), true),
                Some(Value::Mbarrier(object)) => name = Some(self.single(object, index)?),
                _ => {}
            }
        }
        if name.is_none() && !self.flags.bulk_group {
            return self.error(
                "not-an-object",
                self.arguments.len().saturating_sub(1),
                "this copy requires an mbarrier object at which its bytes complete",
            );
        }
        self.in_one_cta(name)?;
        if !sized && let Some(copy) = self.tensor_copy(code, (name, ranks))? {
            return Ok(copy);
        }
        let tile = None;
        let Some(bytes) = bytes else {
            return Ok(Action::Copy { name, bulk: true, ranks, bytes: 0, to, from, reduces, tile });
        };
        let (to, from) = if sized {
            (self.reached(to, 0, bytes)?, self.reached(from, 1, bytes)?)
        } else {
            (to, from.map(|from| cut(from, bytes)))
        };
        Ok(Action::Copy { name, bulk: true, ranks, bytes, to, from, reduces, tile })
    }

    /// `cp.async`: writes the bytes of the destination; reads at most as many of the source and fills the rest with
    /// zeros.
    fn copy_of_thread(&self) -> Result<Action, Diagnostic> {
        let (to, from) = self.ranges();
        let bytes = self.number(2)?;
        if bytes != 16 && (self.flags.whole || bytes != 4 && bytes != 8) {
            let index = self.arguments.len() - 1;
            return self.error(
                "copy-size",
                index,
                "`cp.async` copies 4, 8 or 16 bytes; `cp.async.cg` copies 16",
            );
        }
        let held = self.memory(1).map_or(u32::MAX, |(size, _)| size);
        let from = from.map(|from| {
            let end = u32::try_from(bytes.max(1)).unwrap_or(u32::MAX).saturating_add(from.start);
            Range { end: end.min(held), ..from }
        });
        let to = self.reached(to, 0, bytes)?;
        let (bulk, reduces) = (false, false);
        Ok(Action::Copy { name: None, bulk, ranks: None, bytes, to, from, reduces, tile: None })
    }

    /// `st.async`: an asynchronous write, which completes as many bytes of the object.
    fn store_async(&self) -> Result<Action, Diagnostic> {
        let bytes = if self.flags.wide { 8 } else { 4 } * i64::from(self.flags.elements.max(1));
        let to = self.reached(self.ranges().0, 0, bytes)?;
        let name = self.object(self.arguments.len() - 1)?;
        self.in_one_cta(Some(name))?;
        let reduces = self.reduces();
        Ok(Action::Copy {
            name: Some(name),
            bulk: false,
            ranks: None,
            bytes,
            to,
            from: None,
            reduces,
            tile: None,
        })
    }

    /// The size of a named memory, and its position.
    fn memory(&self, which: usize) -> Option<(u32, Span)> {
        let mut operands = self.operate.operands.iter().filter_map(|operand| match operand {
            Operand::Bytes(bytes) => Some((bytes.size, bytes.span)),
            _ => None,
        });
        operands.nth(which)
    }

    /// The bytes from the start of a range, as many as a size gives, which must be within the memory. `which` counts
    /// the operands that name memory.
    fn reached(
        &self,
        range: Option<Range>,
        which: usize,
        bytes: i64,
    ) -> Result<Option<Range>, Diagnostic> {
        let Some(range) = range else { return Ok(None) };
        let (size, span) = self.memory(which).unwrap_or((range.end, Span::default()));
        // The memory after an address in a register extends as far as its range.
        let size = if size == u32::MAX { range.end } else { size };
        let end = i64::from(range.start).saturating_add(bytes.max(1));
        match u32::try_from(end) {
            Ok(end) if end <= size => Ok(Some(Range { end, ..range })),
            _ => {
                let start = range.start;
                let message = format!(
                    "a copy of {bytes} bytes at offset {start} exceeds this memory of {size} bytes"
                );
                Err(Diagnostic::error("outside-memory", span, message))
            }
        }
    }
}

/// The first bytes of a range: at least one and at most all.
fn cut(range: Range, bytes: i64) -> Range {
    let end = u32::try_from(bytes).unwrap_or(0).saturating_add(range.start);
    Range { end: range.end.min(end.max(range.start.saturating_add(1))), ..range }
}
