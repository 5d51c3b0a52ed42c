//! The functions of Gluon.

use super::tlx::{NO_MATRIX, TENSOR};
use super::value::{BLOCK, Given, Storage, Value, View};
use super::{Done, Reader, Task};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use tidegate_kernel::ir::{NvidiaKind, Op, Operand, Place, Space};
use tidegate_model::ptx::action::{Queue, Spelling};

/// The functions that are read: a module, or nothing for functions of every module; the name; the parameters as in the table
/// of TLX.
const FUNCTIONS: [(&str, &str, &[&str]); 37] = [
    ("", "allocate_shared_memory", &["element_ty", "shape", "layout", "value"]),
    ("", "allocate_tensor_memory", &["element_ty", "shape", "layout", "value"]),
    ("", "warp_specialize", &["functions_and_args", "worker_num_warps", "+worker_num_regs"]),
    ("", "num_warps", &[]),
    ("", "num_ctas", &[]),
    ("", "barrier", &["cluster"]),
    ("", "thread_barrier", &[]),
    ("", "fence_async_shared", &["+cluster"]),
    ("", "warpgroup_mma_init", &["+value"]),
    (
        "",
        "warpgroup_mma",
        &["a", "b", "acc", "+use_acc", "+precision", "+max_num_imprecise_acc", "is_async"],
    ),
    ("", "warpgroup_mma_wait", &["num_outstanding", "+deps"]),
    (
        "",
        "tcgen05_mma",
        &["a", "b", "acc", "+use_acc", "pred", "multicast", "mbarriers", "mbarrier_preds"],
    ),
    ("", "tcgen05_commit", &["barrier", "pred", "+descs"]),
    ("mbarrier", "allocate_mbarrier", &["batch", "two_ctas"]),
    ("mbarrier", "init", &["mbarrier", "count"]),
    ("mbarrier", "invalidate", &["mbarrier"]),
    ("mbarrier", "expect", &["mbarrier", "bytes_per_cta|bytes|size", "pred"]),
    ("mbarrier", "wait", &["mbarrier", "phase", "pred", "+deps"]),
    ("mbarrier", "arrive", &["mbarrier", "count", "pred"]),
    ("mbarrier", "MBarrierLayout", &[]),
    ("mbarrier", "fence_init_release_cluster", &[]),
    ("tma", "async_load", &["tensor_desc", "coord", "barrier", "result", "pred", "multicast"]),
    (
        "tma",
        "async_copy_global_to_shared",
        &["tensor_desc", "coord", "barrier", "result", "pred", "multicast"],
    ),
    ("tma", "async_store", &["tensor_desc", "coord", "src"]),
    ("tma", "async_copy_shared_to_global", &["tensor_desc", "coord", "src"]),
    ("tma", "store_wait", &["pendings", "read_only"]),
    (
        "async_copy",
        "async_load",
        &["smem", "pointer", "+mask", "+cache_modifier", "+eviction_policy"],
    ),
    (
        "async_copy",
        "async_copy_global_to_shared",
        &["smem", "pointer", "+mask", "+cache_modifier", "+eviction_policy"],
    ),
    ("async_copy", "commit_group", &[]),
    ("async_copy", "wait_group", &["num_outstanding"]),
    ("async_copy", "mbarrier_arrive", &["mbarrier", "increment_count"]),
    ("tma", "make_tensor_descriptor", &["base", "+shape", "+strides", "+block_shape", "+layout"]),
    ("tdm", "make_tensor_descriptor", &["base", "+shape", "+strides", "+block_shape", "+layout"]),
    (
        "tdm",
        "async_load",
        &["src", "offsets", "dest", "pred", "mbarrier", "warp_used_hint", "+cache_modifier"],
    ),
    ("tdm", "async_store", &["dest", "offsets", "src", "mbarrier", "+cache_modifier"]),
    ("tdm", "async_wait", &["num_outstanding"]),
    ("async_copy", "global_to_shared", &["smem", "pointer", "+mask", "+other", "+cache_modifier"]),
];

/// Functions whose effect on barriers depends on the values of their arguments.
const COUNTED: [&str; 8] = [
    "init",
    "wait",
    "arrive",
    "wait_group",
    "async_wait",
    "barrier_wait",
    "barrier_arrive",
    "async_load_wait_group",
];

/// Functions that only CDNA4 has. They are not modelled.
pub(super) const OF_CDNA4: [&str; 3] =
    ["global_load_to_shared", "buffer_load_to_shared", "load_shared_relaxed"];

/// The parameters of a function of Gluon.
pub(super) fn parameters(module: &str, name: &str) -> Option<&'static [&'static str]> {
    let found = FUNCTIONS.iter().find(|one| one.1 == name && (one.0 == module || one.0.is_empty()));
    found.map(|one| one.2)
}

impl<'t> Reader<'_, 't> {
    pub(super) fn gluon(
        &mut self,
        (module, name): (&str, &str),
        names: &[&str],
        given: &Given<'t>,
        (token, place): (usize, Place),
    ) -> Done<Value> {
        self.builder.at(place);
        let values = self.ordered(name, names, given);
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        match name {
            "allocate_shared_memory" | "allocate_tensor_memory" => {
                return self.tensor_buffers(name, &values, token, place);
            }
            "allocate_mbarrier" => {
                let count = match value(0) {
                    Value::None => 1,
                    count => self.size(&count, place, "`batch`")?,
                };
                return self.allocated(count, 8, Storage::Barriers, token, place);
            }
            "warp_specialize" => {
                self.partitions(&value(0), &value(1), token, place)?;
                return Ok(Value::None);
            }
            "num_warps" => return Ok(Value::Int(self.warps)),
            "num_ctas" => return Ok(Value::Int(1)),
            "make_tensor_descriptor" => return Ok(value(0)),
            _ if !self.active() => return Ok(Value::Data),
            "barrier" if value(0).truth() != Some(false) && value(0) != Value::None => {
                self.cluster_barrier();
                return Ok(Value::None);
            }
            "barrier"
            | "thread_barrier"
            | "fence_async_shared"
            | "warpgroup_mma_init"
            | "MBarrierLayout"
            | "fence_init_release_cluster" => return Ok(Value::Data),
            _ => {}
        }
        self.needs_constants(name, token);
        if self.predicated(name, names, &values) {
            self.gluon_effect(module, name, &values);
        }
        self.builder.guard(None);
        Ok(Value::Data)
    }

    fn gluon_effect(&mut self, module: &str, name: &str, values: &[Value]) {
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        let count = |reader: &mut Self, of: Value, usual| match of {
            Value::None => Operand::Int(usual),
            of => reader.operand(&of),
        };
        match (module, name) {
            (_, "init") => {
                let count = count(self, value(1), 1);
                if let Some((address, _)) = self.address(&value(0), true) {
                    let operands = alloc::vec![address, count];
                    self.nvidia(NvidiaKind::Init, operands, Spelling::Tlx);
                }
            }
            (_, "invalidate") => {
                if let Some((address, _)) = self.address(&value(0), true) {
                    self.nvidia(NvidiaKind::Inval, alloc::vec![address], Spelling::Tlx);
                }
            }
            (_, "expect") => {
                let bytes = self.operand(&value(1));
                self.arrive(&value(0), Operand::Int(1), Some(bytes));
            }
            (_, "wait") => self.wait(&value(0), &value(1)),
            (_, "arrive") => {
                let count = count(self, value(1), 1);
                self.arrive(&value(0), count, None);
            }
            ("tdm", _) => self.tiles(name, values),
            ("tma", "async_load" | "async_copy_global_to_shared") => {
                if matches!(value(5), Value::None | Value::Int(0)) {
                    self.tensor_load(&value(0), &value(3), &value(1), &value(2));
                } else {
                    self.unknown("a copy to several CTAs (`multicast`) is not modelled");
                }
            }
            ("tma", "async_store" | "async_copy_shared_to_global") => {
                self.tensor_store(&value(0), &value(2), &value(1), false);
            }
            (_, "store_wait") => {
                let read = value(1) != Value::Int(0);
                self.wait_group(Queue::Bulk, read, &value(0), Spelling::TlxCopy);
            }
            (_, "async_load" | "async_copy_global_to_shared" | "global_to_shared") => {
                self.copy_async(&value(1), &value(0));
            }
            (_, "commit_group") => {
                self.nvidia(NvidiaKind::Commit(Queue::Thread), Vec::new(), Spelling::Ptx(80));
            }
            (_, "wait_group") => {
                self.wait_group(Queue::Thread, false, &value(0), Spelling::Ptx(80));
            }
            (_, "mbarrier_arrive") => {
                self.unknown("an arrive by asynchronous copies of single threads is not modelled");
            }
            (_, "warpgroup_mma") => {
                let [a, b, _] = [0, 1, 2].map(|at| self.matrix(&value(at)));
                self.dot([a, b, NO_MATRIX], &Value::None);
                if matches!(value(6), Value::None | Value::Int(0)) {
                    self.wait_group(Queue::Tensor, false, &Value::Int(0), Spelling::TlxCopy);
                }
            }
            (_, "warpgroup_mma_wait") => {
                self.wait_group(Queue::Tensor, false, &value(0), Spelling::TlxCopy);
            }
            (_, "tcgen05_mma") => {
                if !matches!(value(5), Value::None | Value::Int(0)) {
                    self.unknown("tensor cores that read from several CTAs are not modelled");
                }
                if value(7) != Value::None {
                    self.unknown("the predicates of barriers (`mbarrier_preds`) are not modelled");
                }
                let all = [0, 1, 2].map(|at| self.matrix(&value(at)));
                self.dot(all, &value(6));
                // The manual calls a product without a barrier synchronous; kernels that commit it use it as asynchronous.
                let commits = self.tokens.iter().any(|token| token.text == "tcgen05_commit");
                if value(6) == Value::None && !commits {
                    self.wait_group(Queue::Tensor, false, &Value::Int(0), TENSOR);
                }
            }
            _ => self.commit(&value(0)),
        }
    }

    /// Operations on tiles of AMD processors. Each wave copies its part, and arrives at the barrier when that is complete.
    fn tiles(&mut self, name: &str, values: &[Value]) {
        let value = |at: usize| values.get(at).cloned().unwrap_or(Value::None);
        let uses = |words: &[&str]| self.tokens.iter().any(|it| words.contains(&it.text));
        let (groups, stores) = (uses(&["commit_group"]), uses(&["async_store"]));
        // One counter counts loads and stores. Only a wait for zero is a wait for each kind.
        let in_order = stores
            && self.tokens.windows(3).any(|it| it[0].text == "async_wait" && it[2].text != "0");
        match (name, value(4)) {
            ("async_load", _) if value(5) != Value::None => {
                self.unknown("a copy by some waves (`warp_used_hint`) is not modelled");
            }
            ("async_load", Value::None) if groups => {
                self.unknown("groups of copies beside copies of tiles are not modelled");
            }
            ("async_load", Value::None) => {
                self.global("load", &value(0));
                self.tile(&value(2), true);
            }
            ("async_load", barrier) => {
                let (Some((to, view)), Some((barrier, _))) =
                    (self.address(&value(2), false), self.address(&barrier, true))
                else {
                    return;
                };
                let waves = self.warps.max(1);
                if view.part || view.stage % waves != 0 {
                    return self.unknown("a copy into a part of a buffer is not modelled");
                }
                let each = view.stage / waves;
                for wave in 0..waves {
                    let own = [to, Operand::Int((wave * each) as u64)];
                    let own = self.builder.compute(64, Op::Add, &own);
                    let operands =
                        alloc::vec![own, Operand::Int(each as u64), Operand::Int(1), barrier];
                    let kind = NvidiaKind::CopyTile { to_local: true };
                    self.nvidia(kind, operands, Spelling::Lds);
                }
            }
            ("async_store", _) if value(3) != Value::None => {
                self.unknown("a store of a tile that arrives at a barrier is not modelled");
            }
            ("async_store", _) if in_order => {
                self.global("store", &value(0));
                self.tile(&value(2), false);
            }
            ("async_store", _) => self.tensor_store(&value(0), &value(2), &value(1), false),
            _ => {
                self.wait_group(Queue::Thread, false, &value(0), Spelling::Lds);
                if stores && !in_order {
                    self.wait_group(Queue::Bulk, false, &value(0), Spelling::Lds);
                }
            }
        }
    }

    /// A copy of a tile between global memory and a buffer, as a group by itself.
    fn tile(&mut self, buffer: &Value, to_local: bool) {
        let Some((address, view)) = self.address(buffer, false) else { return };
        if view.part {
            return self.unknown("a copy of a part of a buffer is not modelled");
        }
        let [bytes, none] = [view.stage as u64, 0].map(Operand::Int);
        let operands = alloc::vec![address, bytes, none, none];
        self.nvidia(NvidiaKind::CopyTile { to_local }, operands, Spelling::Lds);
    }

    /// The verdict is unknown where the arguments of a call contain a constant without a value that decides a barrier.
    pub(super) fn needs_constants(&mut self, name: &str, token: usize) {
        let tokens = self.tokens.get(token..self.at).filter(|_| COUNTED.contains(&name));
        let open = tokens.unwrap_or(&[]).iter().find_map(|it| match self.variables.get(it.text) {
            Some(Value::Host(host)) => self.constants.iter().find(|known| **known == host),
            _ => None,
        });
        if let Some(constant) = open.copied() {
            self.unknown(&format!(
                "`{name}` needs the value of `{constant}`: add the line `argument {constant}=VALUE` above the code"
            ));
        }
    }

    /// A buffer in shared or tensor memory, or mbarrier objects. The first dimension counts parts, which `index` chooses.
    fn tensor_buffers(
        &mut self,
        name: &str,
        values: &[Value],
        token: usize,
        place: Place,
    ) -> Done<Value> {
        let what = "the shape of this allocation";
        let Value::List(shape) = &values[1] else {
            return Err((place, format!("{what} is not known")));
        };
        let first = match shape.first() {
            Some(first) => self.size(first, place, what)?,
            None => 1,
        };
        let within = self.tokens.get(token..self.at).unwrap_or(&[]);
        if within.iter().any(|one| one.text == "MBarrierLayout") {
            // Every thread of an AMD processor arrives.
            let storage = if self.of_amd() { Storage::WarpBarriers } else { Storage::Barriers };
            return self.allocated(first, 8, storage, token, place);
        }
        let storage =
            if name == "allocate_tensor_memory" { Storage::Tensor } else { Storage::Shared };
        let by_block = within.iter().any(|one| matches!(one.text, "block_type" | "block_shape"));
        let stage = if self.blocks {
            BLOCK
        } else {
            if by_block {
                self.unknown("the size of a block of a descriptor is not in the text");
            }
            let mut stage = if let Value::Type(bytes) = values[0] { bytes } else { 2 };
            for size in shape.iter().skip(1) {
                stage = stage.saturating_mul(self.size(size, place, what)?);
            }
            stage
        };
        let made = self.allocated(first, stage, storage, token, place)?;
        let Value::View(view) = made else { return Ok(made) };
        let all = if self.blocks && shape.len() < 3 { stage } else { stage.saturating_mul(first) };
        // The shape of the buffer that `index` chooses, or of the whole one if it has two dimensions.
        let sizes: Vec<i64> = shape.iter().filter_map(Value::int).collect();
        let shape = match sizes[..] {
            [_, rows, columns] if !self.blocks => [rows, columns],
            [rows, columns] if !self.blocks && storage == Storage::Tensor => [rows, columns],
            _ => [0; 2],
        };
        let made = match sizes.len() {
            2 if storage == Storage::Tensor => {
                View { count: None, stage: all, pitch: all, shape, ..*view }
            }
            _ => View { all, shape, ..*view },
        };
        let made = Value::View(Box::new(made));
        if values[3] != Value::None && self.active() {
            self.access(&made, true);
        }
        Ok(made)
    }

    /// `warp_specialize([(FUNCTION, (ARGUMENT, …)), …], [WARPS, …])`: the default task executes the first function.
    fn partitions(
        &mut self,
        functions: &Value,
        warps: &Value,
        token: usize,
        place: Place,
    ) -> Done<()> {
        if self.inside {
            return Err((place, "`warp_specialize` inside a partition is not read".into()));
        }
        let (Value::List(functions), Value::List(warps)) = (functions, warps) else {
            return Err((place, "the partitions of `warp_specialize` are not known".into()));
        };
        self.gather();
        if !self.tasks.iter().any(|task| task.token == Some(token)) {
            for at in 1..functions.len() {
                let warps = warps.get(at - 1).and_then(Value::int).unwrap_or(4).clamp(1, 32);
                self.tasks.push(Task { token: Some(token), replica: at as i64, warps });
            }
        }
        if self.tasks.len() > super::MOST_TASKS {
            return Err((place, "the kernel has too many tasks".into()));
        }
        let own = self.tasks[self.task];
        let at = if own.token.is_none() { Some(0) } else { usize::try_from(own.replica).ok() };
        let at = at.filter(|_| own.token.is_none() || own.token == Some(token));
        if let Some(at) = at {
            let wrong = || (place, "a partition must be a function of the file and a tuple".into());
            let Some(Value::List(parts)) = functions.get(at) else { return Err(wrong()) };
            let [Value::Text(name), Value::List(arguments)] = &parts[..] else {
                return Err(wrong());
            };
            let found = self.functions.iter().find(|(known, _)| **known == *name);
            let (&name, &start) = found.ok_or_else(wrong)?;
            let given = arguments.iter().map(|one| (None, one.clone())).collect();
            (self.inside, self.warps) = (true, own.warps);
            self.path.push(at);
            let read = self.expanded(name, start, given, (token, place));
            self.path.pop();
            (self.inside, self.warps) = (false, self.tasks[0].warps);
            read?;
        }
        self.gather();
        Ok(())
    }

    /// A method of a view: one of its parts, or an access.
    pub(super) fn view_method(
        &mut self,
        view: &View,
        name: &str,
        given: &Given<'t>,
        place: Place,
    ) -> Done<Option<Value>> {
        let own = Value::View(Box::new(view.clone()));
        let first = given.first().map_or(Value::Data, |(_, value)| value.clone());
        Ok(Some(match name {
            "index" => self.indexed(own, &first, place)?,
            "permute" | "reshape" | "trans" | "_reinterpret" | "with_layout" => own,
            "slice" if view.storage == Storage::Tensor => {
                let count = given.get(1).map_or(Value::Data, |(_, value)| value.clone());
                self.columns(&own, &first, &count)
            }
            "slice" | "subslice" => Value::View(Box::new(View { part: true, ..view.clone() })),
            "load" | "store" => {
                if self.active() {
                    self.access(&own, name == "store");
                }
                Value::Data
            }
            "_keep_alive" => Value::None,
            _ => return Ok(None),
        }))
    }

    /// A store by a descriptor: through a buffer of the compiler, which the next one may reuse.
    pub(super) fn staged_store(&mut self, tensor: &Value, offsets: &Value, token: usize) {
        if !self.active() {
            return;
        }
        let mut key = self.path.clone();
        key.extend([token, self.task]);
        let place = self.builder.place();
        let known = self.allocations.get(&key).cloned();
        let staging = known.unwrap_or_else(|| {
            let object = self.module.object("staging", place, Space::Local, Some(16));
            let index = Value::Int(0);
            let (storage, stage, pitch, all, start) = (Storage::Shared, 16, 16, 0, 0);
            let (count, rank, part, shape) = (None, None, false, [0; 2]);
            let view =
                View { object, storage, count, index, stage, pitch, start, shape, all, rank, part };
            Value::View(Box::new(view))
        });
        self.allocations.insert(key, staging.clone());
        self.access(&staging, true);
        let (Some((from, _)), Some(tensor)) = (self.address(&staging, false), self.tensor(tensor))
        else {
            return;
        };
        let mut operands = alloc::vec![from, tensor, Operand::Int(0)];
        operands.extend(self.coordinates(offsets));
        let kind = NvidiaKind::CopyTensorOut { reduces: false };
        self.nvidia(kind, operands, Spelling::TlxCopy);
        self.nvidia(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Spelling::TlxCopy);
        self.wait_group(Queue::Bulk, true, &Value::Int(0), Spelling::TlxCopy);
    }
}
