//! Barriers, mbarrier objects, fences and tensor cores.

use super::function::Lowering;
use super::tree::{Line, Operand as Written};
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Kind, Matrices, Nvidia, NvidiaKind, Op, Operand, Reg, Space};
use tidegate_lang::vocabulary::nvidia::{Flags, Kind as Does};
use tidegate_lang::vocabulary::ptx::{self, Instruction};
use tidegate_model::ptx::action::{Bar, Queue, Spelling};

/// The sizes of the matrices of `wgmma.mma_async.sync.aligned.m64n128k16…` and of `tcgen05.mma….kind::f16`.
fn matrices(line: &Line<'_>) -> Matrices {
    let shape = line.head.split('.').find_map(|part| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, _) = rest.split_once('k')?;
        Some(([m.parse().ok()?, n.parse().ok()?], rest.split_once('k')?.1.parse().ok()?))
    });
    let kind = |part: &str| match part {
        "kind::f16" => 2,
        "kind::tf32" => 4,
        _ => 1,
    };
    let Some((rows, columns)) = shape else {
        let element = line.head.split('.').map(kind).max().unwrap_or(1);
        return Matrices { element, ..Matrices::default() };
    };
    // Only matrices of 16-bit elements are transposed, by the last operands: one for each matrix in shared memory.
    let element = u8::try_from(32u16.checked_div(columns).unwrap_or(1)).unwrap_or(1);
    let transposed = match &line.operands[..] {
        [_, Written::Vector(_), .., Written::Number(b)] if element == 2 => [false, *b != 0],
        [.., Written::Number(a), Written::Number(b)] if element == 2 => [*a != 0, *b != 0],
        _ => [false; 2],
    };
    Matrices { rows, transposed, element }
}

impl<'t> Lowering<'_, '_, 't> {
    /// An instruction of the vocabulary on barriers and copies; `false` if it is none.
    pub(super) fn synchronise(&mut self, line: &Line<'t>) -> bool {
        if line.head.starts_with("clusterlaunchcontrol.") {
            self.launch_control(line);
            return true;
        }
        // These rows support barriers in scenarios; here they are computation.
        if ["mov", "cvta", "cvt", "mapa"].contains(&line.head.split('.').next().unwrap_or("")) {
            return false;
        }
        let (instruction, flags) = match ptx::find(line.head) {
            Ok(found) => found,
            Err(ptx::Unknown::Instruction) => return false,
            // A modifier that is newer than the table.
            Err(ptx::Unknown::Modifier(..) | ptx::Unknown::Beside(..) | ptx::Unknown::Half(..)) => {
                let why = format!("`{}` has a modifier that is not modelled", line.head);
                let to = self.written_registers(line);
                self.builder.push(Kind::Unknown { why, to });
                return true;
            }
        };
        let Some(kind) = instruction.kind() else { return false };
        let counted = matches!(kind, Does::Arrive) && line.operands.len() > 2 && !flags.no_complete;
        let spelling = instruction.spelled(flags, counted);
        if self.operation(line, instruction, kind, flags, spelling).is_none() {
            let why =
                format!("the operands of `{}` are not those of a form that is modelled", line.head);
            let to = self.written_registers(line);
            self.builder.push(Kind::Unknown { why, to });
        }
        true
    }

    pub(super) fn push(
        &mut self,
        kind: NvidiaKind,
        operands: Vec<Operand>,
        results: Vec<Reg>,
        spelling: Spelling,
    ) {
        self.builder.push(Kind::Nvidia(Nvidia { kind, operands, results, spelling }));
    }

    fn operation(
        &mut self,
        line: &Line<'t>,
        instruction: &Instruction,
        does: Does,
        flags: Flags,
        spelling: Spelling,
    ) -> Option<()> {
        let name = instruction.name();
        let operands = &line.operands[..];
        // The result, which may be missing, stands before the address.
        let (results, rest) = match operands {
            [first, rest @ ..] if does.has_token() && !matches!(first, Written::Address(..)) => {
                (self.written_registers(line), rest)
            }
            [_, rest @ ..] if does.has_predicate() || does.has_count() => {
                (self.written_registers(line), rest)
            }
            all => (Vec::new(), all),
        };
        let aligned = flags.aligned;
        let (kind, values) = match does {
            Does::Init => (NvidiaKind::Init, alloc::vec![self.at(rest, 0)?, self.number(rest, 1)?]),
            Does::Inval => (NvidiaKind::Inval, alloc::vec![self.at(rest, 0)?]),
            Does::Arrive => {
                let address = self.at(rest, 0)?;
                let count = self.number(rest, 1);
                let (count, bytes) = match flags.expect {
                    true => (Operand::Int(1), Some(count?)),
                    false => (count.unwrap_or(Operand::Int(1)), None),
                };
                let kind = NvidiaKind::Arrive {
                    drop: flags.drop,
                    no_complete: flags.no_complete,
                    expects: flags.expect,
                    order: flags.reach(),
                };
                let mut values = alloc::vec![address, count];
                values.extend(bytes);
                (kind, values)
            }
            Does::Expect => {
                (NvidiaKind::Expect, alloc::vec![self.at(rest, 0)?, self.number(rest, 1)?])
            }
            Does::Complete => {
                (NvidiaKind::Complete, alloc::vec![self.at(rest, 0)?, self.number(rest, 1)?])
            }
            Does::Wait(patience) => {
                let kind =
                    NvidiaKind::Wait { parity: flags.parity, patience, order: flags.reach() };
                (kind, alloc::vec![self.at(rest, 0)?, self.number(rest, 1)?])
            }
            Does::PendingCount => (NvidiaKind::PendingCount, alloc::vec![self.number(rest, 0)?]),
            Does::CopyArrive => {
                let kind =
                    NvidiaKind::CopyArrive { no_increment: flags.no_increment, of_copies: true };
                (kind, alloc::vec![self.at(rest, 0)?, Operand::Int(0)])
            }
            Does::CommitArrive => {
                let kind = NvidiaKind::CopyArrive { no_increment: true, of_copies: false };
                let mask = self.number(rest, 1).unwrap_or(Operand::Int(0));
                (kind, alloc::vec![self.at(rest, 0)?, mask])
            }
            Does::Commit { queue } => (NvidiaKind::Commit(queue), Vec::new()),
            Does::WaitGroup { queue } => {
                (NvidiaKind::WaitGroup(queue, flags.read), alloc::vec![self.number(rest, 0)?])
            }
            Does::WaitAll => (NvidiaKind::WaitAll(Queue::Thread), Vec::new()),
            Does::Fence if flags.proxy => {
                if !line.head.contains("async") {
                    return Some(());
                }
                (NvidiaKind::FenceProxy, Vec::new())
            }
            Does::Fence => {
                use tidegate_model::ptx::action::Action;
                let Action::Fence { release, acquire, cluster } = flags.fence() else {
                    return None;
                };
                (NvidiaKind::Fence { release, acquire, cluster }, Vec::new())
            }
            Does::Bar(kind) => (
                NvidiaKind::Bar {
                    kind,
                    reduce: flags.reduce.filter(|_| kind == Bar::Red),
                    aligned,
                },
                self.barrier(kind, rest)?,
            ),
            Does::WarpSync => {
                (NvidiaKind::WarpSync { orders: true }, alloc::vec![self.number(rest, 0)?])
            }
            Does::ClusterArrive => {
                (NvidiaKind::ClusterArrive { order: flags.reach(), aligned }, Vec::new())
            }
            Does::ClusterWait => {
                (NvidiaKind::ClusterWait { order: flags.reach(), aligned }, Vec::new())
            }
            Does::FenceInit => (NvidiaKind::FenceInit, Vec::new()),
            Does::Copy | Does::CopyOfThread | Does::StoreAsync => {
                return self.copy(line, name, does, flags, spelling);
            }
            Does::Tensor => return self.tensor(line, name, flags, spelling),
            Does::Nothing => {
                if line.head.starts_with("tcgen05.alloc") {
                    self.allocation(line);
                } else {
                    self.opaque(line);
                }
                return Some(());
            }
            // No row of PTX has these, or its head is lowered elsewhere.
            Does::InitWord
            | Does::ArriveExpect
            | Does::WaitWord(_)
            | Does::Access
            | Does::Move
            | Does::Unmodelled => return None,
        };
        self.push(kind, values, results, spelling);
        Some(())
    }

    /// The address that an operand names.
    pub(super) fn at(&mut self, operands: &[Written<'t>], index: usize) -> Option<Operand> {
        let operand = operands.get(index).filter(|it| matches!(it, Written::Address(..)))?;
        Some(self.whole_address(operand))
    }

    /// The value of an operand that is no address.
    pub(super) fn number(&mut self, operands: &[Written<'t>], index: usize) -> Option<Operand> {
        let operand = operands.get(index).filter(|it| !matches!(it, Written::Address(..)))?;
        Some(self.value(operand))
    }

    /// The number, the count of threads and the predicate of a barrier.
    fn barrier(&mut self, kind: Bar, rest: &[Written<'t>]) -> Option<Vec<Operand>> {
        let all = Operand::Int(0);
        Some(match (kind, rest) {
            (Bar::Red, [id, predicate]) => {
                let id = self.value(id);
                alloc::vec![id, all, self.value(predicate)]
            }
            (Bar::Red, [id, count, predicate]) => {
                let id = self.value(id);
                let count = self.value(count);
                alloc::vec![id, count, self.value(predicate)]
            }
            (_, [id]) => alloc::vec![self.value(id), all],
            (_, [id, count]) => {
                let id = self.value(id);
                alloc::vec![id, self.value(count)]
            }
            _ => return None,
        })
    }

    /// Matrix operands of tensor cores in shared memory: an operand in registers or in tensor memory reads none.
    fn tensor(
        &mut self,
        line: &Line<'t>,
        name: &str,
        flags: Flags,
        spelling: Spelling,
    ) -> Option<()> {
        let of = |lowering: &mut Self, operand: &Written<'t>| match operand {
            Written::Address { .. } | Written::List(_) | Written::Vector(_) => {
                Operand::Int(u64::MAX)
            }
            _ => lowering.value(operand),
        };
        let wanted = if name == "tcgen05.cp" { 1 } else { 2 };
        let mut values = Vec::new();
        for operand in line.operands.iter().skip(1).take(wanted) {
            values.push(of(self, operand));
        }
        values.resize(2, Operand::Int(u64::MAX));
        // Kinds with scale factors have another layout of the instruction descriptor.
        let plain = ["kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8"];
        if name.starts_with("tcgen05.mma") && line.head.split('.').any(|it| plain.contains(&it)) {
            values.extend(self.number(&line.operands, 3));
        }
        let matrices = matrices(line);
        let kind = NvidiaKind::Tensor { pair: flags.pair, alone: flags.alone, matrices };
        self.push(kind, values, Vec::new(), spelling);
        self.opaque(line);
        Some(())
    }

    /// `tcgen05.alloc`: a warp writes the address of tensor memory once.
    fn allocation(&mut self, line: &Line<'t>) {
        let Some(address) = line.operands.first() else { return };
        let (base, offset) = self.address(address);
        let one = self.builder.compute(1, Op::Elect, &[]);
        self.also_guarded(line, one);
        let access = Access::store(base, Space::Local, 4, Vec::new());
        self.builder.access(Access { offset, ..access });
        self.guarded(line);
    }
}
