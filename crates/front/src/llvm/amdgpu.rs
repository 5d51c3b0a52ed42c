//! Intrinsics and inline assembly of AMDGPU.

use super::around::Around;
use super::calls::Call;
use super::types::Type;
use super::unit::Unit;
use crate::amdgpu::packet;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{
    Access, Amdgpu, Comparison, Kind, ObjectId, Op, Operand, Place, Space, Special,
};
use tidegate_model::mem::operation::{Fence, Memory, Scope, Space as Spaced, Spaces};
use tidegate_model::operation::{Form, Intrinsic};

/// Values that the launch gives.
fn special(name: &str) -> Option<Special> {
    let dimension = |name: &str| match name {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    let (base, last) = name.rsplit_once('.')?;
    Some(match (base, dimension(last)) {
        ("workitem.id", Some(at)) => Special::Thread(at),
        ("workgroup.id", Some(at)) => Special::Group(at),
        ("workgroup.size", Some(at)) => Special::Threads(at),
        // No intrinsic of LLVM: the built-in compiler of C++ writes it.
        ("workgroup.count", Some(at)) => Special::Groups(at),
        ("cluster.id", Some(at)) => Special::Cluster(at),
        ("cluster.workgroup.id", Some(at)) => Special::GroupInCluster(at),
        ("cluster.workgroup.max.id", Some(at)) => Special::GroupsOfCluster(at),
        _ => match name {
            "wave.id" => Special::Wave,
            "cluster.workgroup.flat.id" => Special::RankInCluster,
            _ => return None,
        },
    })
}

impl<'a> Unit<'_, 'a> {
    /// An intrinsic of AMDGPU, without `llvm.amdgcn.`; whether it is known.
    pub(super) fn amdgcn(&mut self, name: &str, call: &Call<'a>) -> bool {
        if let Some(special) = special(name) {
            let value = Operand::Special(special);
            let value = match special {
                Special::GroupsOfCluster(_) => {
                    self.code.compute(32, Op::Sub, &[value, Operand::Int(1)])
                }
                _ => value,
            };
            self.define(call.name, &call.of, &[value]);
            return true;
        }
        self.described(name, call)
            || self.barriers(name, call)
            || self.lanes(name, call)
            || self.asynchronous(name, call)
            || self.other(name, call)
    }

    /// The address of memory that describes the launch.
    fn described(&mut self, name: &str, call: &Call<'a>) -> bool {
        let (name, object): (_, fn(&mut Builder, Place) -> ObjectId) = match name {
            "dispatch.ptr" => ("dispatch", packet::packet),
            "implicitarg.ptr" => ("implicit", packet::implicit),
            _ => return false,
        };
        let known = self.around.launched.get(name).copied();
        let id = known.unwrap_or_else(|| object(&mut self.around.builder, Place::default()));
        self.around.launched.insert(name, id);
        self.define(call.name, &call.of, &[Operand::Object(id, 0)]);
        true
    }

    fn barriers(&mut self, name: &str, call: &Call<'a>) -> bool {
        let (barrier, count) = (call.value(0), call.value(1));
        if name == "s.cluster.barrier" {
            self.whole_cluster_barrier();
            return true;
        }
        let (what, intrinsic) = match name {
            "s.barrier" => (Amdgpu::Barrier, Intrinsic::SBarrier),
            "s.barrier.signal" => (
                Amdgpu::Arrive { barrier, count: Operand::Int(0), is_first: None },
                Intrinsic::SBarrierSignal,
            ),
            "s.barrier.signal.var" => {
                (Amdgpu::Arrive { barrier, count, is_first: None }, Intrinsic::SBarrierSignalVar)
            }
            "s.barrier.signal.isfirst" => {
                let is_first = self.target(call.name, &call.of);
                (
                    Amdgpu::Arrive { barrier, count: Operand::Int(0), is_first },
                    Intrinsic::SBarrierSignalIsfirst,
                )
            }
            "s.barrier.init" => (Amdgpu::Init { barrier, count }, Intrinsic::SBarrierInit),
            "s.barrier.join" => (Amdgpu::Join { barrier }, Intrinsic::SBarrierJoin),
            "s.barrier.leave" => (Amdgpu::Leave, Intrinsic::SBarrierLeave),
            "s.barrier.wait" => {
                let barrier = match call.constant(0) {
                    Some(id) => Operand::Int((id as u16 as i16) as i64 as u64),
                    None => barrier,
                };
                (Amdgpu::Wait { barrier }, Intrinsic::SBarrierWait)
            }
            "s.get.barrier.state" | "s.get.named.barrier.state" => {
                let Some(to) = self.target(call.name, &call.of) else { return true };
                (Amdgpu::ReadState { barrier, to }, Intrinsic::SGetBarrierState)
            }
            _ => return false,
        };
        self.code.push(Kind::Amdgpu(what, Form::Intrinsic(intrinsic)));
        true
    }

    /// `s.cluster.barrier`: the workgroups gather, then the first wave of each arrives at the barrier of the cluster for it.
    fn whole_cluster_barrier(&mut self) {
        let [own, cluster] = [-1_i64, -3].map(|id| Operand::Int(id as u64));
        let first = self.code.register(1);
        let arrive =
            |barrier, is_first| Amdgpu::Arrive { barrier, count: Operand::Int(0), is_first };
        let wait = |barrier| Amdgpu::Wait { barrier };
        let push = |unit: &mut Self, what, intrinsic| {
            unit.code.push(Kind::Amdgpu(what, Form::Intrinsic(intrinsic)));
        };
        push(self, arrive(own, Some(first)), Intrinsic::SBarrierSignalIsfirst);
        push(self, wait(own), Intrinsic::SBarrierWait);
        self.only_if(Some(Operand::Register(first)));
        push(self, arrive(cluster, None), Intrinsic::SBarrierSignal);
        self.only_if(None);
        push(self, wait(cluster), Intrinsic::SBarrierWait);
    }

    fn lanes(&mut self, name: &str, call: &Call<'a>) -> bool {
        let base = name.split('.').next().unwrap_or_default();
        let [one, other, third] = [0, 1, 2].map(|at| call.value(at));
        let (op, operands): (Op, &[Operand]) = match base {
            "readfirstlane" => (Op::ReadFirst, &[one]),
            "readlane" => (Op::ReadLane, &[one, other]),
            "writelane" => (Op::WriteLane, &[third, one, other]),
            "ballot" => (Op::Ballot, &[one]),
            "ubfe" => (Op::ExtractUnsigned, &[one, other, third]),
            "sbfe" => (Op::ExtractSigned, &[one, other, third]),
            "alignbit" => (Op::Funnel, &[one, other, third]),
            "wavefrontsize" => (Op::Copy, &[Operand::Special(Special::Lanes)]),
            "mbcnt" => return self.count_below(name, call),
            _ => return false,
        };
        match self.target(call.name, &call.of) {
            Some(to) => self.code.compute_to(to, op, operands),
            None => self.define(call.name, &call.of, &[]),
        }
        true
    }

    /// `mbcnt.lo` counts bits of the lower 32 lanes below the lane, `mbcnt.hi` those of the upper ones.
    fn count_below(&mut self, name: &str, call: &Call<'a>) -> bool {
        let Some(to) = self.target(call.name, &call.of) else { return true };
        let mask = match name {
            "mbcnt.hi" => self.code.compute(64, Op::Concat, &[Operand::Int(0), call.value(0)]),
            _ => self.code.compute(64, Op::And, &[call.value(0), Operand::Int(0xffff_ffff)]),
        };
        let count = self.code.compute(64, Op::CountBelow, &[mask, Operand::Int(0)]);
        self.code.compute_to(to, Op::Add, &[count, call.value(1)]);
        true
    }

    fn asynchronous(&mut self, name: &str, call: &Call<'a>) -> bool {
        let form = Form::Intrinsic(Intrinsic::Async);
        let most = call.constant(0).unwrap_or(0).min(u64::from(u16::MAX)) as u16;
        // A counter counts each copy. Beside explicit marks, it is waited for only until all are complete.
        let &mut Around { has_marks, has_copies, has_tiles, .. } = &mut *self.around;
        if name == "asyncmark" {
            self.code.push(Kind::Memory(Memory::Mark, form));
        } else if name == "wait.asyncmark" && !has_tiles {
            self.code.push(Kind::Memory(Memory::WaitMarks(most), form));
        } else if name == "s.wait.tensorcnt" {
            // The counters are separate, and the marks of all copies are in one order.
            if has_copies {
                return false;
            }
            self.code.push(Kind::Memory(Memory::WaitMarks(most), Form::Word));
        } else if name == "s.wait.asynccnt" {
            if has_tiles || has_marks && most > 0 {
                return false;
            }
            if has_marks {
                self.code.push(Kind::Memory(Memory::Mark, Form::Word));
            }
            self.code.push(Kind::Memory(Memory::WaitMarks(most), Form::Word));
        } else if let Some((is_load, bits)) = counted_copy(name) {
            let bytes = bits.parse::<u32>().unwrap_or(128) / 8;
            // The offset is added to both addresses.
            let offset = call.constant(2).unwrap_or(0);
            let [global, local] = [call.value(0), call.value(1)];
            if is_load {
                let to = self.code.compute(32, Op::Add, &[local, Operand::Int(offset)]);
                self.copy_to_lds((global, offset as i64), to, bytes);
            } else {
                let to = self.code.compute(64, Op::Add, &[global, Operand::Int(offset)]);
                self.copy_async((local, offset as i64, Space::Local), (to, Space::Global), bytes);
            }
            if !has_marks {
                self.code.push(Kind::Memory(Memory::Mark, Form::Word));
            }
        } else if name.starts_with("global.load.async.lds")
            || name.starts_with("global.load.lds")
            || name.starts_with("load.to.lds")
            || name.starts_with("load.async.to.lds")
        {
            let bytes = call.constant(2).unwrap_or(4) as u32;
            let to = self.spread(call.value(1), bytes, call.constant(3).unwrap_or(0));
            let from = (call.value(0), call.constant(3).unwrap_or(0) as i64);
            match name.contains("async") {
                true => self.copy_to_lds(from, to, bytes),
                false => self.move_to_lds(from, to, bytes),
            }
        } else if name.starts_with("raw.ptr.buffer.load.async.lds")
            || name.starts_with("raw.ptr.buffer.load.lds")
        {
            let bytes = call.constant(2).unwrap_or(4) as u32;
            let to = self.spread(call.value(1), bytes, call.constant(5).unwrap_or(0));
            let inside = self.inside(call.value(3));
            let from = self.buffer_address(call, 0, 3);
            self.only_if(Some(inside));
            match name.contains("async") {
                true => self.copy_to_lds((from, 0), to, bytes),
                false => self.move_to_lds((from, 0), to, bytes),
            }
            self.only_if(None);
        } else {
            return false;
        }
        true
    }

    /// Each lane writes next to the lane before it, from the address of the first lane on.
    fn spread(&mut self, to: Operand, bytes: u32, offset: u64) -> Operand {
        let first = self.code.compute(32, Op::ReadFirst, &[to]);
        let lane = Operand::Special(Special::Lane);
        let own = self.code.compute(32, Op::Mul, &[lane, Operand::Int(u64::from(bytes))]);
        let own = self.code.compute(32, Op::Add, &[own, Operand::Int(offset)]);
        self.code.compute(32, Op::Add, &[first, own])
    }

    /// A load to LDS that is not asynchronous: the compiler waits for it before its effects are used.
    fn move_to_lds(&mut self, (from, offset): (Operand, i64), to: Operand, bytes: u32) {
        let mut access = Access::load(from, Space::Global, bytes, Vec::new());
        access.offset = offset;
        self.code.access(access);
        self.code.access(Access::store(to, Space::Local, bytes, Vec::new()));
    }

    fn copy_to_lds(&mut self, (from, offset): (Operand, i64), to: Operand, bytes: u32) {
        self.copy_async((from, offset, Space::Global), (to, Space::Local), bytes);
    }

    fn copy_async(
        &mut self,
        (from, offset, space): (Operand, i64, Space),
        to: (Operand, Space),
        bytes: u32,
    ) {
        let mut access = Access::load(from, space, bytes, Vec::new());
        access.offset = offset;
        access.copies_to = Some(to);
        self.code.access(access);
    }

    /// Whether an offset into a buffer is inside: lanes that are switched off have the offset 2^31.
    fn inside(&mut self, offset: Operand) -> Operand {
        self.code.compute(1, Op::Compare(Comparison::Ult, 32), &[offset, Operand::Int(0x7fff_ffff)])
    }

    fn buffer_address(&mut self, call: &Call<'a>, resource: usize, offset: usize) -> Operand {
        let base = self.code.compute(64, Op::Add, &[call.value(resource), call.value(offset)]);
        self.code.compute(64, Op::Add, &[base, call.value(offset + 1)])
    }

    fn other(&mut self, name: &str, call: &Call<'a>) -> bool {
        let size = |of: &Type, unit: &Self| unit.around.module.types.size(of).0.min(64) as u32;
        if name.starts_with("make.buffer.rsrc") {
            self.define(call.name, &call.of, &[call.value(0)]);
        } else if name.starts_with("raw.ptr.buffer.load") {
            self.define(call.name, &call.of, &[]);
            let bytes = size(&call.of, self);
            self.buffer(call, (0, 1), bytes, |address, bytes| {
                Access::load(address, Space::Global, bytes, Vec::new())
            });
        } else if name.starts_with("raw.ptr.buffer.store") {
            let bytes = call.arguments.first().map_or(4, |one| size(&one.of, self));
            self.buffer(call, (1, 2), bytes, |address, bytes| {
                Access::store(address, Space::Global, bytes, Vec::new())
            });
        } else if name.starts_with("raw.ptr.buffer.atomic") {
            self.define(call.name, &call.of, &[]);
            let bytes = call.arguments.first().map_or(4, |one| size(&one.of, self));
            self.buffer(call, (1, 2), bytes, |address, bytes| {
                Access::atomic(address, Space::Global, bytes, Vec::new())
            });
        } else if let Some(access) = self.loaded(name, call) {
            self.define(call.name, &call.of, &[]);
            self.code.access(access);
        } else if name.starts_with("ds.atomic.") && name.contains("barrier.arrive") {
            let count = (!name.contains(".async.")).then(|| call.value(1));
            self.code.arrive_in_lds(call.value(0), count);
            self.define(call.name, &call.of, &[]);
        } else if name.starts_with("tensor.load.to.lds")
            || name.starts_with("tensor.store.from.lds")
        {
            let word = |group: usize, at: usize| {
                let group = call.arguments.get(group);
                group.and_then(|one| one.values.get(at)).copied().unwrap_or(Operand::Data)
            };
            let words = [0, 1, 2, 3, 4].map(|at| word(1, at));
            let groups = call.arguments.get(2..).unwrap_or_default();
            let groups = groups.iter().filter(|one| one.values.len() > 1);
            let zeros: Vec<Operand> = groups.flat_map(|one| one.values.iter().copied()).collect();
            let to_local = name.starts_with("tensor.load");
            self.code.copy_tile(to_local, word(0, 1), words, &zeros);
        } else if let Some(known) = waits(name) {
            self.code.push(known);
        } else if !is_harmless(name) {
            return false;
        } else {
            self.define(call.name, &call.of, &[]);
        }
        true
    }

    fn buffer(
        &mut self,
        call: &Call<'a>,
        (resource, offset): (usize, usize),
        bytes: u32,
        access: impl Fn(Operand, u32) -> Access,
    ) {
        let inside = self.inside(call.value(offset));
        let address = self.buffer_address(call, resource, offset);
        self.only_if(Some(inside));
        self.code.access(access(address, bytes));
        self.only_if(None);
    }

    /// Loads that transpose between lanes, of which each lane's own bytes are read, whichever lane receives them; loads for
    /// several workgroups, and loads that watch their address.
    fn loaded(&self, name: &str, call: &Call<'a>) -> Option<Access> {
        let local = name.starts_with("ds.read.tr") || name.starts_with("ds.load.tr");
        let global = ["global.load.tr", "cluster.load.b", "global.load.monitor"];
        let global = global.iter().any(|known| name.starts_with(known));
        if !local && !global {
            return None;
        }
        let bytes = self.around.module.types.size(&call.of).0.min(64) as u32;
        let space = if local { Space::Local } else { Space::Global };
        Some(Access::load(call.value(0), space, bytes, Vec::new()))
    }

    /// Inline assembly that is known: barriers, and waits for counters. A text that clobbers memory keeps accesses on its sides, so a
    /// barrier in it orders what the waits before it complete.
    pub(super) fn amdgcn_assembly(&mut self, text: &str, clobbers: bool) -> Result<(), String> {
        let text = text.replace("\\0A", "\n").replace("\\09", " ");
        let lines = text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
        let is_known = |line: &str| {
            let word = line.split_whitespace().next().unwrap_or("");
            word == "s_barrier" || word.starts_with("s_wait") || matches!(word, "s_nop" | "s_sleep")
        };
        if !lines.clone().all(is_known) {
            return Err(super::assembly::NOT_KNOWN.into());
        }
        let mut spaces = Spaces::NONE;
        for line in lines {
            if line != "s_barrier" {
                spaces = completed(line).into_iter().fold(spaces, Spaces::with);
                continue;
            }
            let fence = |release| Fence {
                release,
                acquire: !release,
                scope: Scope::Workgroup,
                one_as: false,
                spaces,
            };
            let orders = clobbers && !spaces.is_empty();
            if orders {
                self.code.push(Kind::Fence(fence(true)));
            }
            self.code.push(Kind::Amdgpu(Amdgpu::Barrier, Form::Intrinsic(Intrinsic::SBarrier)));
            if orders {
                self.code.push(Kind::Fence(fence(false)));
            }
        }
        Ok(())
    }
}

/// The memories whose accesses are complete after an instruction that waits until counters are zero.
fn completed(line: &str) -> Vec<Spaced> {
    let (word, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let operands = operands.trim();
    let is_zero = |text: &str| matches!(text, "0" | "0x0");
    let counts = |counter: &str| {
        let mut parts = operands.split(|letter: char| letter == '&' || letter.is_whitespace());
        parts.any(|part| {
            part.strip_prefix(counter).is_some_and(|rest| is_zero(rest.trim_matches(['(', ')'])))
        })
    };
    let all = word == "s_waitcnt" && is_zero(operands);
    let local = all || counts("lgkmcnt") || word.contains("dscnt") && is_zero(operands);
    let global = all || counts("vmcnt") || word.contains("loadcnt") && is_zero(operands);
    let local = local.then_some(Spaced::Local);
    local.into_iter().chain(global.then_some(Spaced::Global)).collect()
}

/// An asynchronous copy that a counter of its own counts, and that is a mark by itself: whether it loads, and its bits.
fn counted_copy(name: &str) -> Option<(bool, &str)> {
    let load = name.strip_prefix("global.load.async.to.lds.b").map(|bits| (true, bits));
    let store = || name.strip_prefix("global.store.async.from.lds.b").map(|bits| (false, bits));
    load.or_else(store)
}

/// Waits for counters. In LLVM IR they order nothing that fences and marks do not order.
fn waits(name: &str) -> Option<Kind> {
    let counted = name.starts_with("s.wait") && !name.contains("tensor");
    counted.then(|| Kind::Opaque { to: Vec::new() })
}

/// Intrinsics that neither access memory that agents share nor synchronise.
fn is_harmless(name: &str) -> bool {
    const HARMLESS: [&str; 21] = [
        "flat.prefetch",
        "s.monitor.sleep",
        "s.sendmsg",
        "s.sleep",
        "s.setprio",
        "sched.",
        "iglp.opt",
        "s.nop",
        "s.memtime",
        "s.memrealtime",
        "s.getreg",
        "s.setreg",
        "s.dcache",
        "s.icache",
        "s.sethalt",
        "s.incperflevel",
        "s.decperflevel",
        "s.prefetch",
        "global.prefetch",
        "s.ttracedata",
        "wave.barrier",
    ];
    HARMLESS.iter().any(|known| name.starts_with(known))
}
