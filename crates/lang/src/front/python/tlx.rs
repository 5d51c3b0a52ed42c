//! The functions of TLX.

use super::call::Given;
use super::value::{Storage, Value, View};
use super::{Done, GATHER, Reader};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Guard, Kind, NvidiaKind, Op, Operand, Place, Space, Special};
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Spelling};

/// Bytes of an mbarrier object.
const OBJECT: i64 = 8;
/// Most bytes of an allocation.
const MOST_BYTES: i64 = 1 << 20;
/// An operand of tensor cores that is in registers.
const NO_MATRIX: (Operand, i64) = (Operand::Int(u64::MAX), 0);
/// Tensor cores with tensor memory.
const TENSOR: Spelling = Spelling::PtxBetween(100, 120);

/// Functions without an effect on memory or barriers.
const PLAIN: [&str; 10] = [
    "require_layout",
    "release_layout",
    "thread_id",
    "clock64",
    "stoch_round",
    "fence_async_shared",
    "fence_proxy_async",
    "fence",
    "fence_mbarrier_init_cluster",
    "async_descriptor_prefetch_tensor",
];

/// The functions that are read, with their parameters in the order of upstream; `|` separates names of one parameter.
const FUNCTIONS: [(&str, &[&str]); 28] = [
    ("alloc_barriers", &["num_barriers", "arrive_count"]),
    ("alloc_barrier", &["num_barriers", "arrive_count"]),
    ("alloc_warp_barrier", &["num_barriers", "num_warps", "num_arrivals"]),
    ("local_alloc", &["shape", "dtype", "num", "storage"]),
    ("local_view", &["local_allocated_buffers|local_allocated_buffer", "buffer_idx"]),
    ("local_slice", &["buffer"]),
    ("subslice", &["local_allocated_buffer"]),
    ("local_trans", &["input", "dims"]),
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
        &["desc", "result", "offsets", "barrier", "pred", "cache_modifier", "eviction_policy"],
    ),
    ("async_descriptor_store", &["desc", "source", "offsets", "eviction_policy"]),
    ("async_descriptor_store_wait", &["pendings"]),
    ("async_load_commit_group", &["tokens"]),
    ("async_load_wait_group", &["pendings", "tokens"]),
    ("async_load", &["src", "result", "mask", "other", "cache_modifier", "eviction_policy"]),
    ("local_load", &["src", "token"]),
    ("local_store", &["dst", "src"]),
    ("async_dot", &["A", "B", "acc", "use_acc", "pred", "mBarriers", "two_ctas"]),
    ("async_dot_wait", &["pendings", "inp"]),
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
        let mut values: Vec<Value> = names.iter().map(|_| Value::None).collect();
        let part = matches!(name, "local_slice" | "subslice");
        for (at, (keyword, value)) in given.iter().enumerate() {
            let named =
                |key: &str| names.iter().position(|name| name.split('|').any(|one| one == key));
            match keyword.map_or(Some(at), named).and_then(|at| values.get_mut(at)) {
                Some(slot) => *slot = value.clone(),
                None if part || *value == Value::None || *value == Value::Int(0) => {}
                None => self.unknown(&format!(
                    "the argument `{}` of `tlx.{name}` is not modelled",
                    keyword.unwrap_or("at this position")
                )),
            }
        }
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        match name {
            "alloc_barriers" | "alloc_barrier" | "alloc_warp_barrier" => {
                return self.barriers(name, &values, token, place);
            }
            "local_alloc" => return self.buffers(&values, token, place),
            "local_view" => return self.indexed(value(0), &value(1), place),
            "local_slice" | "subslice" => {
                return Ok(match value(0) {
                    Value::View(view) => Value::View(Box::new(View { part: true, ..*view })),
                    _ => Value::Mixed,
                });
            }
            "local_trans" => return Ok(value(0)),
            "remote_view" => return Ok(self.remote(&value(0), &value(1))),
            "async_task_replica_id" => return Ok(Value::Int(self.tasks[self.task].replica)),
            "cluster_cta_rank" => {
                return Ok(Value::Number(Operand::Special(Special::RankInCluster)));
            }
            "cluster_barrier" => {
                // Outside of tasks, it counts all agents.
                if self.active() || !self.inside {
                    let (order, aligned) = (Order::Cluster, false);
                    self.nvidia(
                        NvidiaKind::ClusterArrive { order, aligned },
                        Vec::new(),
                        Spelling::Ptx(90),
                    );
                    self.nvidia(
                        NvidiaKind::ClusterWait { order, aligned },
                        Vec::new(),
                        Spelling::Ptx(90),
                    );
                }
                return Ok(Value::None);
            }
            _ if !self.active() => return Ok(Value::Data),
            _ => {}
        }
        let predicate = names.iter().position(|name| *name == "pred").map_or(Value::None, value);
        match (&predicate, predicate.truth()) {
            (Value::None, _) | (_, Some(true)) => {}
            (_, Some(false)) => return Ok(Value::Data),
            _ => {
                let bit = self.bit(&predicate);
                if bit == Operand::Data {
                    self.unknown(&format!("the predicate of `tlx.{name}` is data"));
                } else {
                    self.builder.guard(Some(Guard::Bit(bit, true)));
                }
            }
        }
        self.effect(name, &values);
        self.builder.guard(None);
        Ok(Value::Data)
    }

    fn barriers(
        &mut self,
        name: &str,
        values: &[Value],
        token: usize,
        place: Place,
    ) -> Done<Value> {
        let count = self.size(&values[0], place, "`num_barriers`")?;
        let number = |reader: &Self, at: usize| match values.get(at) {
            None | Some(Value::None) => Ok(1),
            Some(value) => reader.size(value, place, "the arrival count"),
        };
        let mut arrivals = number(self, 1)?;
        let storage = match name {
            "alloc_warp_barrier" => {
                arrivals = arrivals.saturating_mul(32).saturating_mul(number(self, 2)?);
                Storage::WarpBarriers
            }
            _ => Storage::Barriers,
        };
        if !(1..=128).contains(&count) {
            return Err((place, "the number of barriers must be 1 to 128".into()));
        }
        let made = self.allocated(count, OBJECT, storage, token, place)?;
        if let (true, Value::View(view)) = (self.active(), &made) {
            for at in 0..count {
                let operands = alloc::vec![
                    Operand::Object(view.object, at * OBJECT),
                    Operand::Int(arrivals as u64)
                ];
                self.nvidia(NvidiaKind::Init, operands, Spelling::Tlx);
            }
        }
        Ok(made)
    }

    fn buffers(&mut self, values: &[Value], token: usize, place: Place) -> Done<Value> {
        let what = "the shape of `tlx.local_alloc`";
        let mut stage = match values[1] {
            Value::Type(bytes) => bytes,
            _ => return Err((place, "the type of this allocation is not known".into())),
        };
        let shape = match &values[0] {
            Value::List(sizes) => &sizes[..],
            one => core::slice::from_ref(one),
        };
        for size in shape {
            stage = stage.saturating_mul(self.size(size, place, what)?);
        }
        let count = match &values[2] {
            Value::None => 1,
            value => self.size(value, place, "`num`")?,
        };
        let tensor = values[3] == Value::Text("tmem".into());
        self.allocated(
            count,
            stage,
            if tensor { Storage::Tensor } else { Storage::Shared },
            token,
            place,
        )
    }

    fn allocated(
        &mut self,
        count: i64,
        stage: i64,
        storage: Storage,
        token: usize,
        place: Place,
    ) -> Done<Value> {
        let bytes = stage.saturating_mul(count);
        if count < 1 || !(1..=MOST_BYTES).contains(&bytes) {
            return Err((place, format!("this allocation must have 1 to {MOST_BYTES} bytes")));
        }
        let mut key = self.path.clone();
        key.push(token);
        if let Some(known) = self.allocations.get(&key) {
            return Ok(known.clone());
        }
        // The name that the statement assigns.
        let before = self.tokens[..token].iter().rev().position(|it| it.text == "=").unwrap_or(0);
        let name = (before < 6).then(|| token.checked_sub(before + 2)).flatten();
        let name = name.and_then(|at| self.tokens.get(at)).map_or("memory", |it| it.text);
        let object = self.module.object(name, place, Space::Local, Some(bytes as u64));
        let (index, rank, part) = (Value::Int(0), None, false);
        let view = View { object, storage, count: Some(count), index, stage, rank, part };
        let made = Value::View(Box::new(view));
        self.allocations.insert(key, made.clone());
        Ok(made)
    }

    /// `VALUE[INDEX]`
    pub(super) fn indexed(&mut self, of: Value, index: &Value, place: Place) -> Done<Value> {
        Ok(match (of, index) {
            (Value::List(values), Value::Int(at)) => {
                let length = values.len() as i64;
                let at = if *at < 0 { at + length } else { *at };
                match usize::try_from(at).ok().and_then(|at| values.into_iter().nth(at)) {
                    Some(value) => value,
                    None => {
                        return Err((
                            place,
                            format!("this index is out of range: there are {length} values"),
                        ));
                    }
                }
            }
            (Value::View(view), _) if view.count.is_some() => {
                let count = view.count.unwrap_or(1);
                if index.int().is_some_and(|at| !(0..count).contains(&at)) {
                    return Err((
                        place,
                        format!(
                            "this buffer is out of range: valid buffers are 0 to {}",
                            count - 1
                        ),
                    ));
                }
                let index = match self.operand(index) {
                    Operand::Int(_) => index.clone(),
                    Operand::Data => return Ok(Value::Mixed),
                    of => Value::Number(self.builder.compute(32, Op::Copy, &[of])),
                };
                Value::View(Box::new(View { index, count: None, ..*view }))
            }
            (Value::List(_) | Value::View(_), _) => Value::Mixed,
            _ => Value::Data,
        })
    }

    fn remote(&mut self, of: &Value, rank: &Value) -> Value {
        let Value::View(view) = of else { return Value::Mixed };
        let rank = match self.operand(rank) {
            Operand::Register(register) => {
                self.builder.compute(32, Op::Copy, &[Operand::Register(register)])
            }
            other => other,
        };
        Value::View(Box::new(View { rank: Some(rank), ..(**view).clone() }))
    }

    /// The address of the buffer or object that a view shows, and its bytes. Without one, the verdict is unknown.
    fn address(&mut self, of: &Value, barriers: bool) -> Option<(Operand, View)> {
        let view = match of {
            Value::View(view) => (**view).clone(),
            _ => {
                self.unknown("the buffer or barrier of this operation is not known");
                return None;
            }
        };
        let is_barrier = matches!(view.storage, Storage::Barriers | Storage::WarpBarriers);
        if is_barrier != barriers || view.count.is_some_and(|count| count > 1) {
            self.unknown("this operation needs one buffer or barrier: choose it by its index");
            return None;
        }
        let local = match &view.index {
            Value::Int(at) => Operand::Object(view.object, at * view.stage),
            index => {
                let index = self.operand(index);
                let wide = self.builder.compute(64, Op::SignExtend(32), &[index]);
                let distance =
                    self.builder.compute(64, Op::Mul, &[wide, Operand::Int(view.stage as u64)]);
                self.builder.compute(64, Op::Add, &[Operand::Object(view.object, 0), distance])
            }
        };
        let address = match view.rank {
            None => local,
            Some(rank) => {
                let high = self.builder.compute(64, Op::Shl, &[rank, Operand::Int(24)]);
                let both = self.builder.compute(64, Op::Or, &[high, local]);
                self.builder.compute(64, Op::Or, &[both, Operand::Int(1 << 31)])
            }
        };
        Some((address, view))
    }

    fn arrive(&mut self, of: &Value, count: Operand, bytes: Option<Operand>) {
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
        let spelling = if bytes.is_some() { Spelling::TlxCopy } else { Spelling::Tlx };
        let operands = [address, count].into_iter().chain(bytes).collect();
        self.nvidia(kind, operands, spelling);
    }

    /// An arrive once the tensor core operations before it are complete.
    fn commit(&mut self, of: &Value) {
        if let Some((address, _)) = self.address(of, true) {
            let kind = NvidiaKind::CopyArrive { no_increment: true, of_copies: false };
            self.nvidia(kind, alloc::vec![address, Operand::Int(0)], TENSOR);
        }
    }

    fn effect(&mut self, name: &str, values: &[Value]) {
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        match name {
            "barrier_wait" => {
                let phase = match value(1) {
                    Value::None => Operand::Int(0),
                    phase => self.operand(&phase),
                };
                if let Some((address, _)) = self.address(&value(0), true) {
                    let patience = Patience::Block;
                    let kind = NvidiaKind::Wait { parity: true, patience, order: Order::Cta };
                    self.nvidia(kind, alloc::vec![address, phase], Spelling::Tlx);
                }
            }
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
                let (Some((to, view)), Some((object, _)), Some(tensor)) = (
                    self.address(&value(1), false),
                    self.address(&value(3), true),
                    self.tensor(&value(0)),
                ) else {
                    return;
                };
                if view.part {
                    return self.unknown("a copy into a part of a buffer is not modelled");
                }
                let mut operands = alloc::vec![
                    to,
                    tensor,
                    Operand::Int(view.stage as u64),
                    object,
                    Operand::Int(0)
                ];
                operands.extend(self.coordinates(&value(2)));
                self.nvidia(
                    NvidiaKind::CopyTensor { scattered: false },
                    operands,
                    Spelling::TlxCopy,
                );
            }
            "async_descriptor_store" => {
                let (Some((from, view)), Some(tensor)) =
                    (self.address(&value(1), false), self.tensor(&value(0)))
                else {
                    return;
                };
                let mut operands = alloc::vec![from, tensor, Operand::Int(view.stage as u64)];
                operands.extend(self.coordinates(&value(2)));
                self.nvidia(
                    NvidiaKind::CopyTensorOut { reduces: false },
                    operands,
                    Spelling::TlxCopy,
                );
                self.nvidia(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Spelling::TlxCopy);
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
            "async_load" => {
                self.global("load", &value(0));
                let Some((to, view)) = self.address(&value(1), false) else { return };
                let bytes = Operand::Int(view.stage as u64);
                let operands = alloc::vec![to, Operand::Data, bytes, Operand::Int(0)];
                self.nvidia(NvidiaKind::CopyAsync, operands, Spelling::Ptx(80));
            }
            "local_load" => self.access(&value(0), false),
            "local_store" => self.access(&value(0), true),
            _ => self.dot(values),
        }
    }

    fn wait_group(&mut self, queue: Queue, read: bool, most: &Value, spelling: Spelling) {
        let most = match most {
            Value::None => Operand::Int(0),
            most => self.operand(most),
        };
        self.nvidia(NvidiaKind::WaitGroup(queue, read), alloc::vec![most], spelling);
    }

    fn tensor(&mut self, of: &Value) -> Option<Operand> {
        let Value::Global(object) = of else {
            self.unknown("the tensor that this operation copies is not known");
            return None;
        };
        Some(Operand::Object(*object, 0))
    }

    fn coordinates(&mut self, of: &Value) -> Vec<Operand> {
        match of {
            Value::List(all) => all.iter().rev().map(|one| self.operand(one)).collect(),
            _ => Vec::new(),
        }
    }

    /// An access by all threads. A load of tensor memory excludes tensor cores that add to it, as a write does.
    fn access(&mut self, of: &Value, writes: bool) {
        let Some((address, view)) = self.address(of, false) else { return };
        let bytes = view.stage as u32;
        let access = match (writes, view.storage) {
            (true, _) => Access::store(address, Space::Local, bytes, Vec::new()),
            (false, Storage::Tensor) => Access::atomic(address, Space::Local, bytes, Vec::new()),
            (false, _) => Access::load(address, Space::Local, bytes, Vec::new()),
        };
        if view.rank.is_some() || view.part && view.storage != Storage::Tensor {
            return self
                .unknown("an access to a part of a buffer, or to another CTA, is not modelled");
        }
        self.push(Kind::Access(access));
    }

    fn single(&mut self, pair: &Value) {
        if !matches!(pair, Value::None | Value::Int(0)) {
            self.unknown("tensor cores of two CTAs (`two_ctas`) are not modelled");
        }
    }

    /// `async_dot(A, B, acc, …)`: a group by itself. Tensor memory that it adds to counts as an operand that it reads.
    fn dot(&mut self, values: &[Value]) {
        self.single(&values[6]);
        let matrix = |reader: &mut Self, of: &Value| match of {
            Value::View(_) => {
                reader.address(of, false).map_or(NO_MATRIX, |(at, view)| (at, view.stage))
            }
            Value::Mixed => {
                reader.unknown("a matrix of this product is not known");
                NO_MATRIX
            }
            _ => NO_MATRIX,
        };
        let [a, b, sum] = [0, 1, 2].map(|at| matrix(self, &values[at]));
        let spelling = if sum == NO_MATRIX { Spelling::TlxCopy } else { TENSOR };
        let product = |reader: &mut Self, one: (Operand, i64), two: (Operand, i64), alone| {
            let bytes = [one.1, two.1].map(|bytes| Operand::Int(bytes as u64));
            let operands = alloc::vec![one.0, two.0, bytes[0], bytes[1]];
            reader.nvidia(
                NvidiaKind::Tensor { pair: false, alone, rows: [0, 0] },
                operands,
                spelling,
            );
        };
        if sum != NO_MATRIX {
            product(self, sum, NO_MATRIX, false);
        }
        product(self, a, b, true);
        match &values[5] {
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
