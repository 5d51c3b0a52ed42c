//! Intrinsics of NVIDIA.

use super::calls::{Call, space_of};
use super::spelled::spelled;
use super::unit::Unit;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, NvidiaKind, Op, Operand, Space, Special};
use tidegate_model::mem::operation::Scope;
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Reduce};

/// Values that the launch gives: `tid.x`, `cluster.ctarank`.
fn special(name: &str) -> Option<Special> {
    let (base, last) = name.rsplit_once('.').unwrap_or((name, ""));
    let at = match last {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        _ => 3,
    };
    Some(match (base, at) {
        ("tid", 0..=2) => Special::Thread(at),
        ("ctaid", 0..=2) => Special::Group(at),
        ("ntid", 0..=2) => Special::Threads(at),
        ("nctaid", 0..=2) => Special::Groups(at),
        ("clusterid", 0..=2) => Special::Cluster(at),
        ("nclusterid", 0..=2) => Special::Clusters(at),
        ("cluster.ctaid", 0..=2) => Special::GroupInCluster(at),
        ("cluster.nctaid", 0..=2) => Special::GroupsOfCluster(at),
        _ => match name {
            "laneid" => Special::Lane,
            "warpsize" => Special::Lanes,
            "warpid" => Special::Wave,
            "nwarpid" => Special::Waves,
            "cluster.ctarank" => Special::RankInCluster,
            "cluster.nctarank" => Special::RanksOfCluster,
            _ => return None,
        },
    })
}

impl<'a> Unit<'_, 'a> {
    /// An intrinsic of NVIDIA, without `llvm.nvvm.`; whether it is known.
    pub(super) fn nvvm(&mut self, name: &str, call: &Call<'a>) -> bool {
        if let Some(special) = name.strip_prefix("read.ptx.sreg.").and_then(special) {
            self.define(call.name, &call.of, &[Operand::Special(special)]);
            return true;
        }
        if let Some((text, constraints)) = spelled(name, |at| call.constant(at))
            && self.ptx(&text, &constraints, call).is_ok()
        {
            return true;
        }
        self.bars(name, call)
            || self.mbarriers(name, call)
            || self.copies(name, call)
            || self.others(name, call)
    }

    /// A barrier that reduces a predicate: `barrier.cta.red.or.aligned.all(i32 ID, i1 PREDICATE)`.
    fn reducing(&mut self, name: &str, call: &Call<'a>) -> bool {
        let Some(rest) = name.strip_prefix("barrier.cta.red.") else { return false };
        let parts: Vec<&str> = rest.split('.').collect();
        let reduce = match parts.first() {
            Some(&"popc") => Reduce::Count,
            Some(&"and") => Reduce::All,
            Some(&"or") => Reduce::Any,
            _ => return false,
        };
        let (count, predicate) = match parts.last() {
            Some(&"all") => (Operand::Int(0), call.value(1)),
            Some(&"count") => (call.value(1), call.value(2)),
            _ => return false,
        };
        let (kind, aligned) = (Bar::Red, parts.contains(&"aligned"));
        let kind = NvidiaKind::Bar { kind, reduce: Some(reduce), aligned };
        let results = self.target(call.name, &call.of).into_iter().collect();
        self.nvidia(kind, alloc::vec![call.value(0), count, predicate], results);
        true
    }

    fn bars(&mut self, name: &str, call: &Call<'a>) -> bool {
        let zero = Operand::Int(0);
        let (kind, aligned, id, threads) = match name {
            "barrier0" => (Bar::Sync, true, zero, zero),
            "barrier.n" | "barrier.cta.sync.aligned.all" => (Bar::Sync, true, call.value(0), zero),
            "barrier.sync" | "barrier.cta.sync.all" => (Bar::Sync, false, call.value(0), zero),
            "barrier" | "barrier.cta.sync.aligned.count" => {
                (Bar::Sync, true, call.value(0), call.value(1))
            }
            "barrier.sync.cnt" | "barrier.cta.sync.count" => {
                (Bar::Sync, false, call.value(0), call.value(1))
            }
            "barrier.cta.arrive.aligned.count" => (Bar::Arrive, true, call.value(0), call.value(1)),
            "barrier.cta.arrive.count" => (Bar::Arrive, false, call.value(0), call.value(1)),
            "bar.warp.sync" => {
                self.nvidia(
                    NvidiaKind::WarpSync { orders: true },
                    alloc::vec![call.value(0)],
                    Vec::new(),
                );
                return true;
            }
            _ => return self.cluster_barrier(name) || self.reducing(name, call),
        };
        let kind = NvidiaKind::Bar { kind, reduce: None, aligned };
        self.nvidia(kind, alloc::vec![id, threads], Vec::new());
        true
    }

    fn cluster_barrier(&mut self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix("barrier.cluster.") else { return false };
        let aligned = rest.contains("aligned");
        let order = if rest.contains("relaxed") { Order::Relaxed } else { Order::Cluster };
        let kind = match rest.split('.').next() {
            Some("arrive") => NvidiaKind::ClusterArrive { order, aligned },
            Some("wait") => NvidiaKind::ClusterWait { order, aligned },
            _ => return false,
        };
        self.nvidia(kind, Vec::new(), Vec::new());
        true
    }

    fn mbarriers(&mut self, name: &str, call: &Call<'a>) -> bool {
        let Some(rest) = name.strip_prefix("mbarrier.") else { return false };
        let parts: Vec<&str> = rest.split('.').collect();
        let token = self.target(call.name, &call.of);
        let results: Vec<u32> = token.into_iter().collect();
        let arrive = |drop, no_complete| NvidiaKind::Arrive {
            drop,
            no_complete,
            expects: false,
            order: Order::Cta,
        };
        let no_complete = parts.contains(&"noComplete");
        let count = if no_complete { call.value(1) } else { Operand::Int(1) };
        let (kind, operands) = match parts[..] {
            ["init", ..] => (NvidiaKind::Init, alloc::vec![call.value(0), call.value(1)]),
            ["inval", ..] => (NvidiaKind::Inval, alloc::vec![call.value(0)]),
            ["arrive", "drop", ..] => {
                (arrive(true, no_complete), alloc::vec![call.value(0), count])
            }
            ["arrive", ..] => (arrive(false, no_complete), alloc::vec![call.value(0), count]),
            ["test", "wait", ..] => (
                NvidiaKind::Wait { parity: false, patience: Patience::Test, order: Order::Cta },
                alloc::vec![call.value(0), call.value(1)],
            ),
            ["pending", "count", ..] => (NvidiaKind::PendingCount, alloc::vec![call.value(0)]),
            _ => return false,
        };
        self.nvidia(kind, operands, results);
        true
    }

    fn copies(&mut self, name: &str, call: &Call<'a>) -> bool {
        match name {
            "cp.async.commit.group" => {
                self.nvidia(NvidiaKind::Commit(Queue::Thread), Vec::new(), Vec::new())
            }
            "cp.async.wait.group" => {
                self.nvidia(
                    NvidiaKind::WaitGroup(Queue::Thread, false),
                    alloc::vec![call.value(0)],
                    Vec::new(),
                );
            }
            "cp.async.wait.all" => {
                self.nvidia(NvidiaKind::WaitAll(Queue::Thread), Vec::new(), Vec::new())
            }
            _ => {
                let Some(rest) = name.strip_prefix("cp.async.") else { return false };
                let mut parts = rest.split('.');
                let (Some("ca" | "cg"), Some("shared"), Some("global"), Some(bytes)) =
                    (parts.next(), parts.next(), parts.next(), parts.next())
                else {
                    return false;
                };
                let bytes = Operand::Int(bytes.parse().unwrap_or(16));
                let read = if parts.next() == Some("s") { call.value(2) } else { bytes };
                let operands = alloc::vec![call.value(0), call.value(1), bytes, read];
                self.nvidia(NvidiaKind::CopyAsync, operands, Vec::new());
            }
        }
        true
    }

    fn others(&mut self, name: &str, call: &Call<'a>) -> bool {
        match name {
            "membar.cta" | "membar.gl" | "membar.sys" => {
                let cluster = name != "membar.cta";
                let kind = NvidiaKind::Fence { release: true, acquire: true, cluster };
                self.nvidia(kind, Vec::new(), Vec::new());
            }
            "fence.mbarrier_init.release.cluster" => {
                self.nvidia(NvidiaKind::FenceInit, Vec::new(), Vec::new());
            }
            _ if name.starts_with("atomic.") => self.atomic_of_scope(name, call),
            _ if name.starts_with("mapa.shared.cluster") => {
                self.map(call, call.value(0), call.value(1))
            }
            _ if is_harmless(name) => {
                if name.starts_with("fence.proxy.async") {
                    self.nvidia(NvidiaKind::FenceProxy, Vec::new(), Vec::new());
                }
                self.define(call.name, &call.of, &[]);
            }
            _ => return false,
        }
        true
    }

    /// `atomic.add.gen.i.cta(POINTER, VALUE)`, with the scope of a CTA, of a cluster or of the system.
    fn atomic_of_scope(&mut self, name: &str, call: &Call<'a>) {
        let space = match space_of(call.arguments.first()) {
            Some(space) => self.around.space(space),
            None => Space::Generic,
        };
        let scope = match () {
            () if name.contains(".cta.") => Scope::Workgroup,
            () if name.contains(".cluster.") => Scope::Cluster,
            () => Scope::System,
        };
        let bytes = self.around.module.types.size(&call.of).0.clamp(1, 16) as u32;
        let access = Access::atomic(call.value(0), space, bytes, Vec::new());
        self.define(call.name, &call.of, &[]);
        self.code.access(Access { atomic: Some(scope), ..access });
    }

    /// The address in another CTA: bit 31, and the rank from bit 24 on.
    fn map(&mut self, call: &Call<'a>, address: Operand, rank: Operand) {
        let Some(to) = self.target(call.name, &call.of) else { return };
        let offset = self.code.compute(64, Op::And, &[address, Operand::Int(0xff_ffff)]);
        let rank = self.code.compute(64, Op::Shl, &[rank, Operand::Int(24)]);
        let rank = self.code.compute(64, Op::Or, &[rank, Operand::Int(0x8000_0000)]);
        self.code.compute_to(to, Op::Or, &[rank, offset]);
    }
}

/// Intrinsics that neither access memory that agents share nor synchronise.
fn is_harmless(name: &str) -> bool {
    const HARMLESS: [&str; 10] = [
        "griddepcontrol",
        "cp.async.bulk.prefetch",
        "read.ptx.sreg.",
        "nanosleep",
        "prefetch",
        "discard",
        "exit",
        "isspacep",
        "fence.proxy",
        "pm.event",
    ];
    HARMLESS.iter().any(|known| name.starts_with(known) && *known != "exit")
}
