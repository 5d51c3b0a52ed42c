//! One instruction as instructions of the IR.

use super::super::decode::{Barrier, Join, MaskOperation, Operation, Source};
use super::super::operand::{Bank, Registers, Scalar};
use super::super::table::compare::{Compare, Condition};
use super::super::table::{scalar, vector};
use super::super::unit::Instruction;
use super::formula::{Context, Value};
use super::registers::{File, aperture};
use super::{Shared, place};
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Amdgpu, Comparison, Kind, Op, Operand, Reg};
use tidegate_model::mem::operation::{Fence, Memory, Scope, Space, Spaces};
use tidegate_model::operation::{Form, Mnemonic};
use tidegate_model::target::{Caches, Family, Target};

/// An instruction of a pair that runs at once, with what it does.
pub(super) struct Pair<'a, 'b>(pub(super) &'b Instruction<'a>, pub(super) &'b Operation<'a>);

/// What an instruction writes when it has read all its sources.
enum Write {
    Value(Registers, Operand, u8),
    Mask(Registers, Operand),
}

impl File {
    /// Lowers both instructions of a VOPD pair: each reads what was before both.
    pub(super) fn both<'a>(&mut self, shared: &mut Shared<'a, '_>, pair: [Pair<'a, '_>; 2]) {
        let mut writes: Vec<Write> = Vec::new();
        for Pair(instruction, operation) in &pair {
            match self.value(shared, operation) {
                Some(more) => writes.extend(more),
                None => self.lower(shared, instruction, operation),
            }
        }
        for write in &mut writes {
            if let Write::Value(_, value @ Operand::Register(_), bits) = write {
                *value = self.out.compute(*bits, Op::Copy, &[*value]);
            }
        }
        writes.into_iter().for_each(|write| self.perform(write));
    }

    fn perform(&mut self, write: Write) {
        match write {
            Write::Value(to, value, 64) => self.write_wide(to, value),
            Write::Value(to, value, _) => self.write(to.bank, to.first, value),
            Write::Mask(to, mask) => self.write_mask(to, mask),
        }
    }

    /// What an arithmetic vector instruction writes.
    fn value<'a>(
        &mut self,
        shared: &mut Shared<'a, '_>,
        operation: &Operation<'a>,
    ) -> Option<Vec<Write>> {
        match operation {
            Operation::Vector { row, result, mask, sources } => {
                let row = vector::ROWS.get(*row)?;
                let sources = self.values(shared, sources);
                let context =
                    Context { sources: &sources, old: Operand::Data, result: (Operand::Data, 32) };
                let (value, _) = self.formula(row.result, &context);
                let mut writes = Vec::new();
                if let Some(mask) = mask.filter(|mask| mask.first != Scalar::NULL) {
                    let bit = match row.carry {
                        [] => Operand::Data,
                        carry => self.formula(carry, &context).0,
                    };
                    writes.push(Write::Mask(mask, self.ballot(bit)));
                }
                writes.push(Write::Value(*result, value, row.bits));
                Some(writes)
            }
            Operation::Table { result, sources, table } => {
                let mut sources = sources.iter().map(|source| self.source(*source));
                let all = [(); 3].map(|()| sources.next().unwrap_or(Operand::Int(0)));
                let value = self.out.compute(32, Op::Logic(*table), &all);
                Some(alloc::vec![Write::Value(*result, value, 32)])
            }
            _ => None,
        }
    }

    /// Sources, with symbols as their addresses.
    fn values<'a>(
        &mut self,
        shared: &mut Shared<'a, '_>,
        sources: &[Source<'a>],
    ) -> Vec<Value<'a>> {
        let mut value = |source: &Source<'a>| match *source {
            Source::Symbol { name, how: "", .. } if aperture(name).is_some() => {
                let high = aperture(name).unwrap_or(0);
                Value::Is(Operand::Int(if name.ends_with("_hi") { high } else { high << 32 }))
            }
            Source::Symbol { name, how, plus, high } => {
                let address = shared.relocated(name, how, plus, high);
                Value::Is(if high { self.high(address) } else { address })
            }
            other => Value::Of(other),
        };
        sources.iter().map(&mut value).collect()
    }

    /// Lowers an instruction that does not change the flow of control.
    pub(super) fn lower<'a>(
        &mut self,
        shared: &mut Shared<'a, '_>,
        instruction: &Instruction<'a>,
        operation: &Operation<'a>,
    ) {
        if let Some(writes) = self.value(shared, operation) {
            return writes.into_iter().for_each(|write| self.perform(write));
        }
        match operation {
            Operation::Data(registers) => {
                let name = instruction.mnemonic;
                if !computes_data(name) {
                    shared.builder.ignore(name, place(instruction.span));
                }
                registers.iter().for_each(|registers| self.forget(*registers));
            }
            Operation::Scalar { row, result, sources } => {
                let sources = self.values(shared, sources);
                self.scalar(*row, *result, &sources);
            }
            Operation::Short { row, result, upper, sources } => {
                self.short(shared, (*row, *upper), *result, sources);
            }
            Operation::Compare { compare, result, sources } => {
                let sources = self.values(shared, sources);
                self.compare(*compare, *result, &sources);
            }
            Operation::Mask { operation, result, source, wide } => {
                self.join(*operation, *result, *source, *wide);
            }
            Operation::FirstLane { result, source } => {
                let lanes = Operand::Int(u64::from(self.lanes) - 1);
                let first = self.out.compute(self.lanes, Op::CountTrailingZeros, &[self.exec()]);
                let lane = self.out.compute(32, Op::And, &[first, lanes]);
                self.read_lane(*result, *source, lane);
            }
            Operation::ReadLane { result, source, lane } => {
                let lane = self.source(*lane);
                self.read_lane(*result, *source, lane);
            }
            Operation::WriteLane { result, source, lane } => {
                let (value, lane) = (self.source(*source), self.source(*lane));
                let to = self.targets(Registers { count: 1, ..*result });
                if let &[to] = &to[..] {
                    let of = [Operand::Register(to), value, lane];
                    self.out.compute_to(to, Op::WriteLane, &of);
                }
            }
            Operation::CountLanes { result, mask, plus, high } => {
                let (mask, plus) = (self.source(*mask), self.source(*plus));
                let shift = Operand::Int(if *high { 32 } else { 0 });
                let mask = self.out.compute(64, Op::Shl, &[mask, shift]);
                let count = self.out.compute(64, Op::CountBelow, &[mask, plus]);
                self.write(result.bank, result.first, count);
            }
            Operation::Memory(access) => self.access(shared, instruction, access),
            Operation::Tensor { groups, to_local } => self.tensor(groups, *to_local),
            Operation::Wait(waits) => {
                let form = Mnemonic::NAMED.iter().find(|(_, name)| *name == instruction.mnemonic);
                let form = form.map_or(Form::Word, |(mnemonic, _)| Form::Machine(*mnemonic));
                self.out.push(Kind::Memory(Memory::Wait(*waits), form));
            }
            Operation::Barrier(barrier) => self.synchronise(shared.target, barrier),
            Operation::Invalidate(scope) => self.fence(*scope, false),
            Operation::WriteBack(scope) => self.fence(*scope, true),
            Operation::GetPc(result) => self.write_wide(*result, Operand::Int(0)),
            Operation::InCluster(result) => {
                let value = self.in_cluster();
                self.write(result.bank, result.first, value);
            }
            Operation::Unknown => {
                let name = instruction.mnemonic;
                let why =
                    format!("`{name}` is not modelled, and could synchronise or access memory");
                self.out.push(Kind::Unknown { why, to: Vec::new() });
            }
            _ => {}
        }
    }

    /// An operation of 16 bits. Up to GFX9 it clears the upper half of its destination; later ones keep it.
    fn short<'a>(
        &mut self,
        shared: &mut Shared<'a, '_>,
        (row, upper): (usize, bool),
        result: Registers,
        sources: &[Source<'a>],
    ) {
        let Some(row) = vector::ROWS.get(row) else { return };
        let kept = matches!(shared.target.family, Family::Amdgpu { major, .. } if major > 9);
        let halves = |source: &Source<'_>| matches!(source, Source::Half(..));
        // GFX9 has `op_sel` for few instructions.
        if !kept && (upper || sources.iter().any(halves)) {
            return self.forget(result);
        }
        let sources = self.values(shared, sources);
        let old = Operand::Data;
        let context = Context { sources: &sources, old, result: (old, 32) };
        let (value, _) = self.formula(row.result, &context);
        self.write_half(result, value, upper, kept);
    }

    fn scalar(&mut self, row: usize, result: Option<Registers>, sources: &[Value<'_>]) {
        let Some(row) = scalar::ROWS.get(row) else { return };
        let old = match result {
            Some(Registers { bank, first, .. }) => self.read(bank, first),
            None => Operand::Data,
        };
        let mut context = Context { sources, old, result: (Operand::Data, 32) };
        if !row.result.is_empty() {
            context.result = self.formula(row.result, &context);
        }
        let scc = match row.scc {
            [] => None,
            _ if !self.scc_is_read => None,
            scc => Some(self.formula(scc, &context)),
        };
        if let Some(result) = result {
            match row.bits {
                64 => self.write_wide(result, context.result.0),
                _ => self.write(result.bank, result.first, context.result.0),
            }
        }
        if let Some((value, bits)) = scc {
            let bit = if bits == 1 { value } else { self.is_not_zero(value, bits) };
            self.set_scc(bit);
        }
    }

    fn compare(&mut self, compare: Compare, result: Option<Registers>, sources: &[Value<'_>]) {
        let bit = match compare.condition {
            None => {
                let to = self.out.register(1);
                self.out.push(Kind::Opaque { to: alloc::vec![to] });
                Operand::Register(to)
            }
            Some(Condition::Constant(value)) => Operand::Int(u64::from(value)),
            Some(Condition::Step(step, negated)) => {
                use super::super::table::Step;
                let half: &[Step] = match compare.signed {
                    true => &[Step::Sext16],
                    false => &[Step::L(0xffff), Step::And],
                };
                let mut steps: Vec<Step> = Vec::new();
                for source in 0..2 {
                    let wide = compare.bits == 64;
                    steps.push(if wide { Step::W(source) } else { Step::A(source) });
                    if compare.bits == 16 || compare.short && source == 1 {
                        steps.extend_from_slice(half);
                    }
                }
                steps.push(step);
                if negated {
                    steps.push(Step::Not);
                }
                let old = Operand::Data;
                self.formula(&steps, &Context { sources, old, result: (old, 32) }).0
            }
        };
        if !compare.vector {
            return self.set_scc(bit);
        }
        let mask = self.ballot(bit);
        if let Some(result) = result {
            self.write_mask(result, mask);
        }
        if compare.exec {
            self.set_exec(mask);
        }
    }

    fn join(&mut self, operation: MaskOperation, to: Registers, source: Source<'_>, wide: bool) {
        let bits = if wide { 64 } else { 32 };
        let exec = Registers::scalar(Scalar::EXEC, if wide { 2 } else { 1 });
        let source = if wide { self.wide(source) } else { self.source(source) };
        let old = if wide { self.pair(exec) } else { self.read(Bank::Scalar, Scalar::EXEC) };
        let old = self.out.compute(bits, Op::Copy, &[old]);
        let [not_source, not_old, not_result] = operation.inverted;
        let invert = |file: &mut Self, value, inverted: bool| {
            if inverted { file.out.compute(bits, Op::Not, &[value]) } else { value }
        };
        let source = invert(self, source, not_source);
        let other = invert(self, old, not_old);
        let op = match operation.join {
            Join::And => Op::And,
            Join::Or => Op::Or,
            Join::Xor => Op::Xor,
        };
        let new = self.out.compute(bits, op, &[source, other]);
        let new = invert(self, new, not_result);
        let given = if operation.gives_new { new } else { old };
        match wide {
            true => self.write_wide(exec, new),
            false => self.write(Bank::Scalar, Scalar::EXEC, new),
        }
        match wide {
            true => self.write_wide(to, given),
            false => self.write(to.bank, to.first, given),
        }
        if self.scc_is_read {
            let any = self.is_not_zero(new, bits);
            self.set_scc(any);
        }
    }

    fn read_lane(&mut self, to: Registers, source: Source<'_>, lane: Operand) {
        let value = self.source(source);
        let value = self.out.compute(32, Op::ReadLane, &[value, lane]);
        self.write(to.bank, to.first, value);
    }

    /// Cache instructions order what the wave reads after them, or make what it wrote before them visible.
    fn fence(&mut self, scope: Scope, release: bool) {
        if scope == Scope::Wavefront {
            return;
        }
        let spaces = Spaces::default().with(Space::Global);
        let fence = Fence { release, acquire: !release, scope, one_as: false, spaces };
        self.out.push(Kind::Fence(fence));
    }

    /// The ID of a barrier, and the count beside it in m0. An init and a join take the lower `half` of m0, other instructions five
    /// bits.
    fn barrier_id(&mut self, id: Source<'_>, half: bool) -> (Operand, Option<Operand>) {
        let Source::Registers(registers) = id else {
            let id = match id {
                Source::Number(id @ 0x8000..=0xffff) => id - 0x1_0000,
                Source::Number(id) => id,
                _ => return (Operand::Data, None),
            };
            return (Operand::Int(id as u64), None);
        };
        let m0 = self.read(registers.bank, registers.first);
        if half {
            let high = self.out.compute(32, Op::Shl, &[m0, Operand::Int(16)]);
            return (self.out.compute(32, Op::ShrSigned, &[high, Operand::Int(16)]), Some(m0));
        }
        let low = self.out.compute(32, Op::And, &[m0, Operand::Int(0x1f)]);
        let is_negative =
            self.out.compute(1, Op::Compare(Comparison::Ugt, 32), &[low, Operand::Int(16)]);
        let negative = self.out.compute(32, Op::Sub, &[low, Operand::Int(32)]);
        let id = self.out.compute(32, Op::Select, &[is_negative, negative, low]);
        (id, Some(m0))
    }

    /// A barrier, with what it orders: machine code has no fences. An arrival releases all that has completed; what is
    /// outstanding can also take place after it. A wait acquires LDS, and global memory unless the wave may have an old copy
    /// in a cache that only an instruction invalidates.
    fn synchronise(&mut self, target: &Target, barrier: &Barrier<'_>) {
        let arrives = matches!(barrier, Barrier::Whole | Barrier::Signal { .. });
        let waits = matches!(barrier, Barrier::Whole | Barrier::Wait(_));
        let mut fence = Fence {
            release: true,
            acquire: false,
            scope: if target.cluster_barriers { Scope::Cluster } else { Scope::Workgroup },
            one_as: false,
            spaces: Spaces::ALL,
        };
        if arrives {
            self.out.push(Kind::Fence(fence));
        }
        self.barrier(barrier);
        // A whole barrier is one instruction: what is outstanding stands after it, but before what the wait acquires.
        if arrives {
            self.out.push(Kind::Outstanding);
        }
        if waits {
            (fence.release, fence.acquire, fence.scope) = (false, true, Scope::Workgroup);
            if matches!(target.caches, Caches::GlInv | Caches::GlobalInv) {
                fence.spaces = Spaces::NONE.with(Space::Local);
            }
            self.out.push(Kind::Fence(fence));
        }
    }

    fn barrier(&mut self, barrier: &Barrier<'_>) {
        let form = Form::Machine(match barrier {
            Barrier::Whole => Mnemonic::SBarrier,
            Barrier::Init(_) => Mnemonic::SBarrierInit,
            Barrier::Join(_) => Mnemonic::SBarrierJoin,
            Barrier::Leave => Mnemonic::SBarrierLeave,
            Barrier::Signal { is_first: true, .. } => Mnemonic::SBarrierSignalIsfirst,
            Barrier::Signal { .. } => Mnemonic::SBarrierSignal,
            Barrier::Wait(_) => Mnemonic::SBarrierWait,
            Barrier::State { .. } => Mnemonic::SGetBarrierState,
        });
        let operation = match *barrier {
            Barrier::Whole => Amdgpu::Barrier,
            Barrier::Init(id) => {
                let (barrier, m0) = self.barrier_id(id, true);
                let m0 = m0.unwrap_or_else(|| self.read(Bank::Scalar, Scalar::M0));
                let count = self.out.compute(32, Op::ShrUnsigned, &[m0, Operand::Int(16)]);
                Amdgpu::Init { barrier, count }
            }
            Barrier::Join(id) => Amdgpu::Join { barrier: self.barrier_id(id, true).0 },
            Barrier::Leave => Amdgpu::Leave,
            Barrier::Wait(id) => Amdgpu::Wait { barrier: self.barrier_id(id, false).0 },
            Barrier::Signal { id, is_first } => {
                let (barrier, m0) = self.barrier_id(id, false);
                let count = m0.map_or(Operand::Int(0), |m0| self.new_count(barrier, m0));
                let is_first = is_first.then(|| self.scc_register());
                Amdgpu::Arrive { barrier, count, is_first }
            }
            Barrier::State { result, id } => {
                let barrier = self.barrier_id(id, false).0;
                let to: Reg = self.out.register(32);
                self.out.push(Kind::Amdgpu(Amdgpu::ReadState { barrier, to }, form));
                return self.write(result.bank, result.first, Operand::Register(to));
            }
        };
        self.out.push(Kind::Amdgpu(operation, form));
        if *barrier == Barrier::Leave {
            self.write(Bank::Scalar, Scalar::SCC, Operand::Data);
        }
    }

    /// Bits 22:16 of m0, for a named barrier; others keep their count.
    fn new_count(&mut self, barrier: Operand, m0: Operand) -> Operand {
        let of = [m0, Operand::Int(16), Operand::Int(7)];
        let count = self.out.compute(32, Op::ExtractUnsigned, &of);
        let below = self.out.compute(32, Op::Sub, &[barrier, Operand::Int(1)]);
        let is_named =
            self.out.compute(1, Op::Compare(Comparison::Ult, 32), &[below, Operand::Int(16)]);
        self.out.compute(32, Op::Select, &[is_named, count, Operand::Int(0)])
    }
}

/// Whether the name of an instruction says that it computes data that matter to no address or branch: floating-point numbers,
/// conversions, packed numbers and matrices.
fn computes_data(mnemonic: &str) -> bool {
    let parts = [
        "f16", "f32", "f64", "bf16", "cvt", "mfma", "wmma", "pk_", "dot", "exp", "dpp", "sdwa",
        "permlane", "_b16", "_u16", "_i16", "fp8", "bf8", "swizzle", "permute", "getreg", "sad",
        "msad", "_u8",
    ];
    parts.iter().any(|part| mnemonic.contains(part))
}
