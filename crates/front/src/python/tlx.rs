//! The functions of TLX.

use super::value::{ELEMENT, Given, Storage, Value, View};
use super::{Done, GATHER, Reader};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{
    Access, Guard, Kind, Matrices, NvidiaKind, Operand, Place, Space, Special,
};
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Spelling};

/// An operand of tensor cores that is in registers.
pub(super) const NO_MATRIX: (Operand, i64) = (Operand::Int(u64::MAX), 0);
/// Tensor cores with tensor memory.
pub(super) const TENSOR: Spelling = Spelling::PtxBetween(100, 120);

/// Functions without an effect on memory or barriers.
const PLAIN: [&str; 12] = [
    "require_layout",
    "release_layout",
    "get_fp8_format_name",
    "assume_uniform",
    "thread_id",
    "clock64",
    "stoch_round",
    "fence_async_shared",
    "fence_proxy_async",
    "fence",
    "fence_mbarrier_init_cluster",
    "async_descriptor_prefetch_tensor",
];

/// The functions that are read, with their parameters in the order of upstream. `|` separates names of one parameter; one with `+` has no effect here.
const FUNCTIONS: [(&str, &[&str]); 33] = [
    ("alloc_barriers", &["num_barriers", "arrive_count"]),
    ("alloc_barrier", &["num_barriers", "arrive_count"]),
    ("alloc_warp_barrier", &["num_barriers", "num_warps", "num_arrivals"]),
    ("local_alloc", &["shape", "dtype", "num", "storage", "reuse", "+layout"]),
    ("local_view", &["local_allocated_buffers|local_allocated_buffer", "buffer_idx"]),
    ("local_slice", &["buffer", "offset", "shape"]),
    ("subslice", &["local_allocated_buffer", "offset", "size"]),
    ("local_trans", &["input", "+dims"]),
    ("local_reshape", &["src", "+shape"]),
    ("local_reinterpret", &["src", "+dtype", "+shape", "+layout"]),
    ("dtype_of", &["v"]),
    ("size_of", &["dtype"]),
    ("remote_view", &["local_allocated_buffer|local_allocated_buffers", "remote_cta_rank"]),
    ("async_task_replica_id", &[]),
    ("cluster_cta_rank", &[]),
    ("cluster_barrier", &[]),
    ("barrier_wait", &["bar", "phase", "pred"]),
    ("barrier_expect_bytes", &["bar", "size|bytes", "pred"]),
    ("barrier_arrive", &["bar", "arrive_count", "remote_cta_rank", "pred"]),
    ("named_barrier_wait", &["bar|bar_id", "arrive_count|num_threads"]),
    ("named_barrier_arrive", &["bar|bar_id", "arrive_count|num_threads"]),
    ("tcgen05_commit", &["mBarrier", "two_ctas", "pred"]),
    (
        "async_descriptor_load",
        &["desc", "result", "offsets", "barrier", "pred", "+cache_modifier", "+eviction_policy"],
    ),
    ("async_descriptor_store", &["desc", "source", "offsets", "+eviction_policy", "store_reduce"]),
    ("async_descriptor_store_wait", &["pendings"]),
    ("async_load_commit_group", &["tokens"]),
    ("async_load_wait_group", &["pendings", "tokens"]),
    (
        "async_load",
        &[
            "src",
            "result",
            "+mask",
            "+other",
            "+cache_modifier",
            "+eviction_policy",
            "+is_volatile",
            "bulk",
            "+bulk_size",
            "barrier",
        ],
    ),
    ("local_load", &["src", "+token", "+relaxed"]),
    ("local_store", &["dst", "src"]),
    (
        "async_dot",
        &[
            "A",
            "B",
            "acc",
            "+use_acc",
            "pred",
            "mBarriers",
            "two_ctas",
            "+force_async",
            "+input_precision",
            "+out_dtype",
        ],
    ),
    (
        "async_dot_scaled",
        &[
            "A",
            "B",
            "acc",
            "A_scale",
            "+A_format",
            "B_scale",
            "+B_format",
            "+use_acc",
            "pred",
            "mBarriers",
            "two_ctas",
            "+force_async",
            "+out_dtype",
        ],
    ),
    ("async_dot_wait", &["pendings", "+inp"]),
];

impl<'t> Reader<'_, 't> {
    pub(super) fn tlx(
        &mut self,
        name: &str,
        given: &Given<'t>,
        (token, place): (usize, Place),
    ) -> Done<Value> {
        self.builder.at(place);
        let Some((_, names)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            if !PLAIN.contains(&name) {
                self.unknown(&format!(
                    "`tlx.{name}` may access memory or synchronise, and is not modelled"
                ));
            }
            return Ok(Value::Data);
        };
        let values = self.ordered(name, names, given);
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        match name {
            "alloc_barriers" | "alloc_barrier" | "alloc_warp_barrier" => {
                return self.barriers(name, &values, token, place);
            }
            "local_alloc" => return self.buffers(&values, token, place),
            "local_view" => return self.indexed(value(0), &value(1), place),
            "local_slice" => {
                let (one, zero) = (Value::Int(1), Value::Int(0));
                return Ok(match (&value(1), &value(2)) {
                    (Value::List(from), Value::List(size)) => match (&from[..], &size[..]) {
                        ([row, column], [rows, columns]) => {
                            self.slice(&value(0), [row, column], [rows, columns])
                        }
                        ([row], [rows]) => self.slice(&value(0), [row, &zero], [rows, &one]),
                        _ => self.slice(&value(0), [&Value::Data; 2], [&Value::Data; 2]),
                    },
                    _ => self.slice(&value(0), [&Value::Data; 2], [&Value::Data; 2]),
                });
            }
            "subslice" => return Ok(self.columns(&value(0), &value(1), &value(2))),
            "local_trans" | "local_reshape" | "local_reinterpret" => {
                return Ok(match value(0) {
                    Value::View(view) => Value::View(Box::new(View { shape: [0; 2], ..*view })),
                    other => other,
                });
            }
            "dtype_of" => return Ok(Value::Type(ELEMENT)),
            "size_of" => {
                let Value::Type(bytes) = value(0) else { return Ok(Value::Int(ELEMENT)) };
                return Ok(Value::Int(bytes));
            }
            "remote_view" => return Ok(self.remote(&value(0), &value(1))),
            "async_task_replica_id" => return Ok(Value::Int(self.tasks[self.task].replica)),
            "cluster_cta_rank" => {
                return Ok(Value::Number(Operand::Special(Special::RankInCluster)));
            }
            "cluster_barrier" => {
                // Outside of tasks, it counts all agents.
                if self.active() || !self.inside {
                    self.cluster_barrier();
                }
                return Ok(Value::None);
            }
            _ if !self.active() => return Ok(Value::Data),
            _ => {}
        }
        self.needs_constants(name, token);
        if self.predicated(name, names, &values) {
            self.effect(name, &values);
        }
        self.builder.guard(None);
        Ok(Value::Data)
    }

    pub(super) fn cluster_barrier(&mut self) {
        let (order, aligned) = (Order::Cluster, false);
        let spelling = Spelling::Ptx(90);
        self.nvidia(NvidiaKind::ClusterArrive { order, aligned }, Vec::new(), spelling);
        self.nvidia(NvidiaKind::ClusterWait { order, aligned }, Vec::new(), spelling);
    }

    /// The values of parameters, in their order.
    pub(super) fn ordered(&mut self, name: &str, names: &[&str], given: &Given<'t>) -> Vec<Value> {
        let mut values: Vec<Value> = names.iter().map(|_| Value::None).collect();
        for (at, (keyword, value)) in given.iter().enumerate() {
            let named = |key: &str| {
                let is = |name: &&str| name.trim_start_matches('+').split('|').any(|it| it == key);
                names.iter().position(is)
            };
            match keyword.map_or(Some(at), named).and_then(|at| values.get_mut(at)) {
                Some(slot) => *slot = value.clone(),
                None if matches!(value, Value::None | Value::Int(0)) => {}
                None if *value == Value::List(Vec::new()) => {}
                None => self.unknown(&format!(
                    "the argument `{}` of `{name}` is not modelled",
                    keyword.unwrap_or("at this position")
                )),
            }
        }
        values
    }

    /// Makes the next operations depend on the argument `pred`. The result is false if it is switched off.
    pub(super) fn predicated(&mut self, name: &str, names: &[&str], values: &[Value]) -> bool {
        let predicate = names.iter().position(|name| *name == "pred");
        let predicate = predicate.map_or(Value::None, |at| values[at].clone());
        match (&predicate, predicate.truth()) {
            (Value::None, _) | (_, Some(true)) => {}
            (_, Some(false)) => return false,
            _ => {
                let bit = self.bit(&predicate);
                if bit == Operand::Data {
                    self.unknown(&format!("the predicate of `{name}` is data"));
                } else {
                    self.builder.guard(Some(Guard::Bit(bit, true)));
                }
            }
        }
        true
    }

    pub(super) fn arrive(&mut self, of: &Value, count: Operand, bytes: Option<Operand>) {
        let Some((address, view)) = self.address(of, true) else { return };
        let order = if view.rank.is_some() { Order::Cluster } else { Order::Cta };
        let kind =
            NvidiaKind::Arrive { drop: false, no_complete: false, expects: bytes.is_some(), order };
        let count = match (view.storage, count) {
            (Storage::WarpBarriers, Operand::Int(count)) => {
                Operand::Int(count.saturating_mul(32 * self.warps as u64))
            }
            (_, count) => count,
        };
        let spelling = match (view.storage, &bytes) {
            (Storage::WarpBarriers, _) => Spelling::Ptx(90),
            (_, Some(_)) => Spelling::TlxCopy,
            _ => Spelling::Tlx,
        };
        let operands = [address, count].into_iter().chain(bytes).collect();
        self.nvidia(kind, operands, spelling);
    }

    /// An arrive once the tensor core operations before it are complete.
    pub(super) fn commit(&mut self, of: &Value) {
        if let Some((address, _)) = self.address(of, true) {
            let kind = NvidiaKind::CopyArrive { no_increment: true, of_copies: false };
            self.nvidia(kind, alloc::vec![address, Operand::Int(0)], TENSOR);
        }
    }

    fn effect(&mut self, name: &str, values: &[Value]) {
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        match name {
            "barrier_wait" => self.wait(&value(0), &value(1)),
            "barrier_expect_bytes" => {
                let bytes = self.operand(&value(1));
                self.arrive(&value(0), Operand::Int(1), Some(bytes));
            }
            "barrier_arrive" => {
                let of = match value(2) {
                    Value::None => value(0),
                    rank => self.remote(&value(0), &rank),
                };
                let count = match value(1) {
                    Value::None => Operand::Int(1),
                    count => self.operand(&count),
                };
                self.arrive(&of, count, None);
            }
            "named_barrier_wait" => self.named_barrier(Bar::Sync, &value(0), &value(1)),
            "named_barrier_arrive" => self.named_barrier(Bar::Arrive, &value(0), &value(1)),
            "tcgen05_commit" => {
                self.single(&value(1));
                self.commit(&value(0));
            }
            "async_descriptor_load" => {
                self.tensor_load(&value(0), &value(1), &value(2), &value(3));
            }
            "async_descriptor_store" => {
                let reduces =
                    !matches!(&value(4), Value::None) && value(4) != Value::Text("".into());
                self.tensor_store(&value(0), &value(1), &value(2), reduces);
            }
            "async_descriptor_store_wait" => {
                self.wait_group(Queue::Bulk, true, &value(0), Spelling::TlxCopy)
            }
            "async_load_commit_group" => {
                self.nvidia(NvidiaKind::Commit(Queue::Thread), Vec::new(), Spelling::Ptx(80));
            }
            "async_load_wait_group" => {
                self.wait_group(Queue::Thread, false, &value(0), Spelling::Ptx(80))
            }
            "async_dot_wait" => self.wait_group(Queue::Tensor, false, &value(0), Spelling::TlxCopy),
            "async_load" if matches!(value(7), Value::None | Value::Int(0)) => {
                self.copy_async(&value(0), &value(1));
            }
            "async_load" => self.tensor_load(&value(0), &value(1), &Value::None, &value(9)),
            "local_load" => self.access(&value(0), false),
            "local_store" => self.access(&value(0), true),
            "async_dot_scaled" => {
                let [a, b, sum, scale_a, scale_b] =
                    [0, 1, 2, 3, 5].map(|at| self.matrix(&value(at)));
                self.single(&value(10));
                self.product(scale_a, scale_b, TENSOR, false);
                self.dot([a, b, sum], &value(9));
            }
            _ => {
                let all = [0, 1, 2].map(|at| self.matrix(&value(at)));
                self.single(&value(6));
                self.dot(all, &value(5));
            }
        }
    }

    pub(super) fn wait(&mut self, of: &Value, phase: &Value) {
        let phase = match phase {
            Value::None => Operand::Int(0),
            phase => self.operand(phase),
        };
        if let Some((address, _)) = self.address(of, true) {
            let kind =
                NvidiaKind::Wait { parity: true, patience: Patience::Block, order: Order::Cta };
            self.nvidia(kind, alloc::vec![address, phase], Spelling::Tlx);
        }
    }

    /// A copy of a block of a tensor into a buffer; its bytes complete at a barrier.
    pub(super) fn tensor_load(&mut self, tensor: &Value, to: &Value, at: &Value, bar: &Value) {
        let (Some((to, view)), Some((object, _)), Some(tensor)) =
            (self.address(to, false), self.address(bar, true), self.tensor(tensor))
        else {
            return;
        };
        if view.part {
            return self.unknown("a copy into a part of a buffer is not modelled");
        }
        let bytes = Operand::Int(view.stage as u64);
        let mut operands = alloc::vec![to, tensor, bytes, object, Operand::Int(0)];
        operands.extend(self.coordinates(at));
        let kind = NvidiaKind::CopyTensor { scattered: false };
        self.nvidia(kind, operands, Spelling::TlxCopy);
    }

    /// A copy of a buffer into a block of a tensor, as a group by itself.
    pub(super) fn tensor_store(&mut self, tensor: &Value, from: &Value, at: &Value, reduces: bool) {
        let (Some((from, view)), Some(tensor)) = (self.address(from, false), self.tensor(tensor))
        else {
            return;
        };
        if view.part {
            return self.unknown("a copy of a part of a buffer is not modelled");
        }
        let mut operands = alloc::vec![from, tensor, Operand::Int(view.stage as u64)];
        operands.extend(self.coordinates(at));
        let kind = NvidiaKind::CopyTensorOut { reduces };
        self.nvidia(kind, operands, Spelling::TlxCopy);
        self.nvidia(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Spelling::TlxCopy);
    }

    /// A copy by all threads through pointers.
    pub(super) fn copy_async(&mut self, from: &Value, to: &Value) {
        self.global("load", from);
        let Some((to, view)) = self.address(to, false) else { return };
        if view.part {
            return self.unknown("a copy into a part of a buffer is not modelled");
        }
        let bytes = Operand::Int(view.stage as u64);
        let operands = alloc::vec![to, Operand::Data, bytes, Operand::Int(0)];
        self.nvidia(NvidiaKind::CopyAsync, operands, Spelling::Ptx(80));
    }

    pub(super) fn wait_group(
        &mut self,
        queue: Queue,
        read: bool,
        most: &Value,
        spelling: Spelling,
    ) {
        let most = match most {
            Value::None => Operand::Int(0),
            most => self.operand(most),
        };
        self.nvidia(NvidiaKind::WaitGroup(queue, read), alloc::vec![most], spelling);
    }

    pub(super) fn tensor(&mut self, of: &Value) -> Option<Operand> {
        let Value::Global(object) = of else {
            self.unknown("the tensor that this operation copies is not known");
            return None;
        };
        Some(Operand::Object(*object, 0))
    }

    pub(super) fn coordinates(&mut self, of: &Value) -> Vec<Operand> {
        match of {
            Value::List(all) => all.iter().rev().map(|one| self.operand(one)).collect(),
            _ => Vec::new(),
        }
    }

    /// An access by all threads. A load of tensor memory excludes tensor cores that add to it, as a write does.
    pub(super) fn access(&mut self, of: &Value, writes: bool) {
        let Some((address, view)) = self.address(of, false) else { return };
        let bytes = view.stage as u32;
        let access = match (writes, view.storage) {
            (true, _) => Access::store(address, Space::Local, bytes, Vec::new()),
            (false, Storage::Tensor) => Access::atomic(address, Space::Local, bytes, Vec::new()),
            (false, _) => Access::load(address, Space::Local, bytes, Vec::new()),
        };
        if view.rank.is_some() || view.part {
            return self
                .unknown("an access to a part of a buffer, or to another CTA, is not modelled");
        }
        self.push(Kind::Access(access));
    }

    /// Columns of tensor memory.
    pub(super) fn columns(&self, of: &Value, first: &Value, count: &Value) -> Value {
        let rows = match of {
            Value::View(view) => Value::Int(view.shape[0]),
            _ => Value::Data,
        };
        self.slice(of, [&Value::Int(0), first], [&rows, count])
    }

    fn single(&mut self, pair: &Value) {
        if !matches!(pair, Value::None | Value::Int(0)) {
            self.unknown("tensor cores of two CTAs (`two_ctas`) are not modelled");
        }
    }

    /// A matrix of a product, and its bytes.
    pub(super) fn matrix(&mut self, of: &Value) -> (Operand, i64) {
        match of {
            Value::View(view) => {
                if view.part {
                    self.unknown("a product of a part of a buffer is not modelled");
                }
                self.address(of, false).map_or(NO_MATRIX, |(at, view)| (at, view.stage))
            }
            Value::Mixed => {
                self.unknown("a matrix of this product is not known");
                NO_MATRIX
            }
            _ => NO_MATRIX,
        }
    }

    fn product(
        &mut self,
        one: (Operand, i64),
        two: (Operand, i64),
        spelling: Spelling,
        alone: bool,
    ) {
        let bytes = [one.1, two.1].map(|bytes| Operand::Int(bytes as u64));
        let operands = alloc::vec![one.0, two.0, bytes[0], bytes[1]];
        let kind = NvidiaKind::Tensor { pair: false, alone, matrices: Matrices::default() };
        self.nvidia(kind, operands, spelling);
    }

    /// A product as a group by itself. Tensor memory that it adds to counts as an operand that it reads.
    pub(super) fn dot(&mut self, [a, b, sum]: [(Operand, i64); 3], barriers: &Value) {
        let spelling = if sum == NO_MATRIX { Spelling::TlxCopy } else { TENSOR };
        if sum != NO_MATRIX {
            self.product(sum, NO_MATRIX, spelling, false);
        }
        self.product(a, b, spelling, true);
        match barriers {
            Value::List(all) => all.iter().for_each(|one| self.commit(one)),
            Value::None => {}
            one => self.commit(one),
        }
    }

    /// A task is one agent, so a named barrier counts tasks: it must be used by tasks with equal numbers of warps.
    fn named_barrier(&mut self, kind: Bar, id: &Value, threads: &Value) {
        let warps = self.warps;
        let (Value::Int(number), Value::Int(threads)) = (id, threads) else {
            return self
                .unknown("a named barrier whose number or threads are computed is not modelled");
        };
        if *self.named.entry(*number).or_insert(warps) != warps || threads % (32 * warps) != 0 {
            return self.unknown("a named barrier of a part of a task, or of tasks with different `num_warps`, is not modelled");
        }
        if *number == GATHER as i64 {
            return self.unknown("named barrier 15 is taken by the start of the tasks");
        }
        let operands =
            alloc::vec![Operand::Int(*number as u64), Operand::Int((threads / warps) as u64)];
        self.nvidia(
            NvidiaKind::Bar { kind, reduce: None, aligned: false },
            operands,
            Spelling::TlxNamed,
        );
    }
}
