//! Intrinsics and inline assembly of NVIDIA.

use super::calls::Call;
use super::unit::Unit;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, NvidiaKind, Op, Operand, Space, Special};
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue};

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
        self.bars(name, call)
            || self.mbarriers(name, call)
            || self.copies(name, call)
            || self.others(name, call)
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
                self.nvidia(NvidiaKind::WarpSync, alloc::vec![call.value(0)], Vec::new());
                return true;
            }
            _ => return self.cluster_barrier(name),
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
            _ if name.starts_with("shfl.sync.idx") => match self.target(call.name, &call.of) {
                Some(to) => self.code.compute_to(to, Op::Shuffle, &[call.value(1), call.value(2)]),
                None => self.define(call.name, &call.of, &[]),
            },
            _ if name.starts_with("mapa.shared.cluster") => {
                self.map(call, call.value(0), call.value(1))
            }
            _ if is_harmless(name) => self.define(call.name, &call.of, &[]),
            _ => return false,
        }
        true
    }

    /// The address in another CTA: bit 31, and the rank from bit 24 on.
    fn map(&mut self, call: &Call<'a>, address: Operand, rank: Operand) {
        let Some(to) = self.target(call.name, &call.of) else { return };
        let offset = self.code.compute(64, Op::And, &[address, Operand::Int(0xff_ffff)]);
        let rank = self.code.compute(64, Op::Shl, &[rank, Operand::Int(24)]);
        let rank = self.code.compute(64, Op::Or, &[rank, Operand::Int(0x8000_0000)]);
        self.code.compute_to(to, Op::Or, &[rank, offset]);
    }

    /// Inline PTX that is known: waits on an mbarrier, addresses and loads in a cluster, barriers.
    pub(super) fn ptx_assembly(&mut self, text: &str, call: &Call<'a>) -> bool {
        let text = text.replace("\\0A", "\n").replace("\\09", " ");
        let instruction = |line: &str| {
            let line = line.trim().trim_start_matches('{').trim();
            (!line.is_empty() && !line.starts_with(".reg") && line != "}")
                .then(|| alloc::string::String::from(line))
        };
        let lines: Vec<_> = text.split([';', '\n']).filter_map(instruction).collect();
        let Some(first) = lines.first() else { return true };
        let head = first.split_whitespace().next().unwrap_or_default();
        let result = self.target(call.name, &call.of);
        if head.starts_with("mbarrier.try_wait.parity")
            || head.starts_with("mbarrier.test_wait.parity")
        {
            let (Some(to), true) = (result, lines.len() <= 2) else { return false };
            let patience = if head.contains("try") { Patience::Try } else { Patience::Test };
            let order = if head.contains("cluster") && head.contains("acquire") {
                Order::Cluster
            } else {
                Order::Cta
            };
            let done = self.code.register(1);
            let kind = NvidiaKind::Wait { parity: true, patience, order };
            self.nvidia(kind, alloc::vec![call.value(0), call.value(1)], alloc::vec![done]);
            self.code.compute_to(to, Op::Copy, &[Operand::Register(done)]);
            return true;
        }
        if lines.len() > 1 {
            return false;
        }
        match head {
            "mapa.shared::cluster.u32" => self.map(call, call.value(0), call.value(1)),
            _ if head.starts_with("ld.shared::cluster.") => {
                self.define(call.name, &call.of, &[]);
                self.code.access(Access::load(call.value(0), Space::Local, 4, Vec::new()));
            }
            "bar.sync" | "barrier.sync" | "barrier.sync.aligned" => {
                let mut numbers =
                    first[head.len()..].split(',').map(|one| one.trim().parse::<u64>());
                let id = numbers.next().and_then(Result::ok);
                let Some(id) = id else { return false };
                let threads = numbers.next().map_or(Some(0), Result::ok);
                let Some(threads) = threads else { return false };
                let aligned = head != "barrier.sync";
                let kind = NvidiaKind::Bar { kind: Bar::Sync, reduce: None, aligned };
                self.nvidia(kind, alloc::vec![Operand::Int(id), Operand::Int(threads)], Vec::new());
            }
            _ => return false,
        }
        true
    }
}

/// Intrinsics that neither access memory that agents share nor synchronise.
fn is_harmless(name: &str) -> bool {
    const HARMLESS: [&str; 8] = [
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
