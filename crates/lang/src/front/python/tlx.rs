//! The functions of TLX.

use super::evaluate::{Arguments, ELEMENT};
use super::lower::Lowering;
use super::parse::Parsed;
use super::roles::Active;
use super::tree::Passed;
use super::value::{Storage, Value, View};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Guard, NvidiaKind, ObjectId, Operand, Place, Space, Special};
use tidegate_model::ptx::action::{Bar, Order, Patience, Queue, Spelling};

/// Bytes of an mbarrier object.
const OBJECT: i64 = 8;
/// Most bytes of an allocation.
const MOST_BYTES: i64 = 1 << 20;
/// Bytes of shared memory that allocations share if the text does not give a size.
const SHARED: i64 = 232_448;
/// An operand of tensor cores that is in registers.
const NO_MATRIX: Operand = Operand::Int(u64::MAX);
/// Tensor cores with tensor memory.
const TENSOR: Spelling = Spelling::PtxBetween(100, 120);

/// Functions without an effect on memory or barriers. Their results are data.
const PLAIN: [&str; 22] = [
    "zeros",
    "full",
    "require_layout",
    "release_layout",
    "thread_id",
    "warp_id",
    "clock64",
    "stoch_round",
    "get_fp8_format_name",
    "async_descriptor_prefetch_tensor",
    "fence_async_shared",
    "fence_proxy_async",
    "swizzled_shared_layout_encoding",
    "nv_mma_shared_layout_encoding",
    "tensor_memory_layout_encoding",
    "print",
    "extract_slice",
    "prefetch",
    "amd_sched_barrier",
    "fence_view_async_shared",
    "set_buffer_overlap",
    "is_hip",
];

impl<'a, 't> Lowering<'a, 't> {
    pub(super) fn tlx(
        &mut self,
        name: &'t str,
        passed: &'a [Passed<'t>],
        place: Place,
    ) -> Parsed<Value> {
        self.builder.at(place);
        let Some(names) = parameters(name) else {
            for (_, value) in passed {
                self.evaluate(value)?;
            }
            if !PLAIN.contains(&name) {
                self.unknown(format!(
                    "`tlx.{name}` may access memory or synchronise, and is not modelled"
                ));
            }
            return Ok(Value::Data);
        };
        let given = self.bound(passed, names)?;
        self.builder.at(place);
        if let Some(keyword) = given.unknown {
            self.unknown(format!("the argument `{keyword}` of `tlx.{name}` is not modelled"));
        }
        if let Some(value) = self.value_of(name, &given, place)? {
            return Ok(value);
        }
        let guard = names.iter().position(|name| *name == "pred").map(|at| given.get(at));
        let guard = guard.filter(|pred| *pred != Value::None);
        if let Some(pred) = &guard {
            match pred.int() {
                Some(0) => return Ok(Value::Data),
                Some(_) => {}
                None => {
                    let bit = self.bit(pred);
                    self.builder.guard(Some(Guard::Bit(bit, true)));
                    if bit == Operand::Data {
                        self.builder.guard(None);
                        self.unknown(format!("the predicate of `tlx.{name}` is data"));
                    }
                }
            }
        }
        let made = self.effect(name, &given, place);
        self.builder.guard(None);
        made?;
        Ok(Value::Data)
    }

    /// The value of a call without an effect; `None` for others.
    fn value_of(
        &mut self,
        name: &str,
        given: &Arguments<'t>,
        place: Place,
    ) -> Parsed<Option<Value>> {
        Ok(Some(match name {
            "alloc_barriers" | "alloc_barrier" | "alloc_warp_barrier" => {
                self.barriers(name, given, place)?
            }
            "local_alloc" => self.buffers(given, place)?,
            "storage_alias_spec" => self.alias(given, place)?,
            "local_view" => match given.get(0) {
                Value::View(view) => self.indexed(&view, &given.get(1), place)?,
                _ => Value::Mixed,
            },
            "remote_view" => match given.get(0) {
                Value::View(view) => {
                    let rank = self.kept(&given.get(1), false);
                    Value::View(Box::new(View { rank: Some(rank), ..*view }))
                }
                _ => Value::Mixed,
            },
            "local_slice" | "subslice" | "local_reinterpret" | "local_trans" => {
                self.part(name, given)
            }
            "async_task_replica_id" => Value::Int(self.role.replica),
            "num_warps" => Value::Int(self.role.warps),
            "cluster_cta_rank" => Value::Scalar(Operand::Special(Special::RankInCluster)),
            "cluster_size_1d" => Value::Scalar(Operand::Special(Special::RanksOfCluster)),
            "dtype_of" => match given.get(0) {
                Value::View(view) => Value::Type(view.element),
                _ => Value::Type(ELEMENT),
            },
            "size_of" => match given.get(0) {
                Value::Type(bytes) => Value::Int(bytes),
                _ => Value::Int(ELEMENT),
            },
            _ => return Ok(None),
        }))
    }

    /// An object of the text, created at its first use by an agent.
    fn allocated(
        &mut self,
        place: Place,
        make: impl FnOnce(&mut Self, &str) -> Parsed<Value>,
    ) -> Parsed<Value> {
        let mut key = self.path.clone();
        key.push(place.start);
        if let Some(known) = self.allocations.get(&key) {
            return Ok(known.clone());
        }
        let name = if self.naming.is_empty() { "memory" } else { self.naming };
        let made = make(self, name)?;
        self.allocations.insert(key, made.clone());
        Ok(made)
    }

    fn barriers(&mut self, name: &str, given: &Arguments<'t>, place: Place) -> Parsed<Value> {
        let count = self.size(&given.get(0), place, "`num_barriers`")?;
        let each = |lowering: &mut Self, at| match given.get(at) {
            Value::None => Ok(1),
            value => lowering.size(&value, place, "the arrival count"),
        };
        let every = name == "alloc_warp_barrier";
        let mut arrivals = each(self, 1)?;
        if every {
            arrivals = arrivals.saturating_mul(32).saturating_mul(each(self, 2)?);
        }
        if !(1..=256).contains(&count) {
            return Err((place, String::from("the number of barriers must be 1 to 256")));
        }
        let view = self.allocated(place, |lowering, name| {
            let object =
                lowering.module.object(name, place, Space::Local, Some((count * OBJECT) as u64));
            Ok(Value::View(Box::new(View {
                object,
                storage: Storage::Barriers(every),
                count: Some(count),
                index: Value::Int(0),
                stage: OBJECT,
                part: (0, OBJECT),
                shape: Vec::new(),
                element: OBJECT,
                rank: None,
            })))
        })?;
        if let (Active::All, Value::View(view)) = (self.active, &view) {
            for at in 0..count {
                let operands = alloc::vec![
                    Operand::Object(view.object, at * OBJECT),
                    Operand::Int(arrivals as u64)
                ];
                self.nvidia(NvidiaKind::Init, operands, Spelling::Tlx);
            }
        }
        Ok(view)
    }

    fn alias(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<Value> {
        let tensor = given.get(0) == Value::Text(String::from("tmem"));
        let bytes = match given.get(1) {
            Value::None => SHARED,
            value => self.size(&value, place, "`buffer_size_bytes`")?,
        };
        self.memory(place, &[bytes.clamp(1, MOST_BYTES)], 1, None, tensor)
    }

    fn buffers(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<Value> {
        let mut shape = Vec::new();
        let Value::Tuple(sizes) = given.get(0) else {
            return Err((place, String::from("the shape of `tlx.local_alloc` must be a tuple")));
        };
        for size in &sizes {
            shape.push(self.size(size, place, "the shape of `tlx.local_alloc`")?);
        }
        let element = match given.get(1) {
            Value::Type(bytes) => bytes,
            _ => ELEMENT,
        };
        let count = match given.get(2) {
            Value::None => 1,
            value => self.size(&value, place, "`num`")?,
        };
        let tensor = given.get(3) == Value::Text(String::from("tmem"));
        let reuse = match given.get(4) {
            Value::View(view) => Some(view.object),
            Value::None => None,
            _ => {
                self.unknown(String::from("the memory that this allocation shares is not known"));
                None
            }
        };
        let made = self.memory(place, &shape, element, reuse, tensor)?;
        let Value::View(view) = made else { return Ok(Value::Mixed) };
        let most = self.module.module().objects[view.object as usize].size.unwrap_or(0) as i64;
        let all = view.stage.saturating_mul(count);
        if !(1..=4096).contains(&count) || all > MOST_BYTES {
            return Err((place, String::from("this allocation is larger than shared memory")));
        }
        if reuse.is_some() && all > most {
            self.unknown(String::from("this allocation is larger than the memory that it shares"));
        } else if all > most {
            self.grow(view.object, all, place);
        }
        Ok(Value::View(Box::new(View { count: Some(count), ..*view })))
    }

    /// Objects are created with room for one buffer; the last one grows.
    fn grow(&mut self, object: ObjectId, bytes: i64, place: Place) {
        let more = bytes as u64;
        let old = self.module.module().objects[object as usize].size.unwrap_or(0);
        self.module.module().objects[object as usize].size = Some(more);
        // The room after the object.
        self.module.object("room", place, Space::Local, Some(more.saturating_sub(old).max(1)));
    }

    fn memory(
        &mut self,
        place: Place,
        shape: &[i64],
        element: i64,
        reuse: Option<ObjectId>,
        tensor: bool,
    ) -> Parsed<Value> {
        let bytes = shape.iter().try_fold(element, |all, &size| {
            (size > 0).then(|| all.checked_mul(size)).flatten().filter(|all| *all <= MOST_BYTES)
        });
        let Some(stage) = bytes else {
            return Err((
                place,
                String::from("the size of this allocation must be 1 byte to 1 MiB"),
            ));
        };
        let shape = shape.to_vec();
        self.allocated(place, |lowering, name| {
            let object = reuse.unwrap_or_else(|| {
                lowering.module.object(name, place, Space::Local, Some(stage as u64))
            });
            let storage = if tensor { Storage::Tensor } else { Storage::Shared };
            let index = Value::Int(0);
            let (count, part, rank) = (Some(1), (0, stage), None);
            Ok(Value::View(Box::new(View {
                object,
                storage,
                count,
                index,
                stage,
                part,
                shape,
                element,
                rank,
            })))
        })
    }

    /// A part of a buffer. Bytes that cannot be told apart are those of the whole part.
    fn part(&mut self, name: &str, given: &Arguments<'t>) -> Value {
        let Value::View(view) = given.get(0) else { return Value::Mixed };
        let mut view = *view;
        match name {
            "local_trans" => view.shape.reverse(),
            "local_reinterpret" => {
                if let Value::Type(bytes) = given.get(1) {
                    view.element = bytes;
                }
            }
            // Columns: those of tensor memory are contiguous.
            "subslice" => {
                if let (Some(first), Some(size), Storage::Tensor, [rows, columns]) =
                    (given.get(1).int(), given.get(2).int(), view.storage, &view.shape[..])
                    && view.part.1 == rows * columns * view.element
                    && first >= 0
                    && size > 0
                    && first + size <= *columns
                {
                    view.part =
                        (view.part.0 + first * rows * view.element, size * rows * view.element);
                    view.shape = alloc::vec![*rows, size];
                }
            }
            _ => self.rows(&mut view, &given.get(1), &given.get(2)),
        }
        Value::View(Box::new(view))
    }

    /// Whole rows of a buffer.
    fn rows(&mut self, view: &mut View, offsets: &Value, shape: &Value) {
        let (Value::Tuple(offsets), Value::Tuple(shape)) = (offsets, shape) else { return };
        let numbers = |all: &[Value]| all.iter().map(Value::int).collect::<Option<Vec<i64>>>();
        let (Some(offsets), Some(shape)) = (numbers(offsets), numbers(shape)) else { return };
        let whole = view.part.1 == view.shape.iter().product::<i64>() * view.element;
        if shape.len() != view.shape.len()
            || offsets.len() != shape.len()
            || !whole
            || shape.is_empty()
        {
            return;
        }
        let row: i64 = view.shape[1..].iter().product::<i64>() * view.element;
        let inside = offsets[0] >= 0 && shape[0] > 0 && offsets[0] + shape[0] <= view.shape[0];
        if inside && shape[1..] == view.shape[1..] && offsets[1..].iter().all(|&at| at == 0) {
            view.part = (view.part.0 + offsets[0] * row, shape[0] * row);
            view.shape = shape;
        }
    }

    /// The mbarrier object that an argument names.
    fn object(&mut self, value: &Value, place: Place) -> Parsed<Option<(Operand, View)>> {
        match value {
            Value::View(view) if Self::is_barrier(view) => {
                if view.count.is_some_and(|count| count > 1) {
                    return Err((
                        place,
                        String::from("this names several barriers: choose one by its index"),
                    ));
                }
                Ok(Some((self.address(view), (**view).clone())))
            }
            Value::Data | Value::Mixed => {
                self.unknown(String::from("the barrier that this operation uses is not known"));
                Ok(None)
            }
            _ => Err((place, String::from("expected a barrier of `tlx.alloc_barriers`"))),
        }
    }

    /// The buffer that an argument names, with its bytes.
    fn buffer(&mut self, value: &Value, place: Place) -> Parsed<Option<(Operand, View, i64)>> {
        match value {
            Value::View(view) if !Self::is_barrier(view) => {
                let all = view.count.unwrap_or(1);
                let bytes = if all > 1 { view.stage * all } else { view.part.1 };
                Ok(Some((self.address(view), (**view).clone(), bytes)))
            }
            Value::Data | Value::Mixed => {
                self.unknown(String::from("the buffer that this operation uses is not known"));
                Ok(None)
            }
            _ => Err((place, String::from("expected a buffer of `tlx.local_alloc`"))),
        }
    }

    fn effect(&mut self, name: &str, given: &Arguments<'t>, place: Place) -> Parsed<()> {
        match name {
            "named_barrier_wait" | "named_barrier_arrive" => {
                let kind = if name.ends_with("wait") { Bar::Sync } else { Bar::Arrive };
                self.named_barrier(kind, &given.get(0), &given.get(1));
                return Ok(());
            }
            "cluster_barrier" => {
                self.cluster_barrier();
                return Ok(());
            }
            _ if self.active != Active::All => return Ok(()),
            _ => {}
        }
        match name {
            "barrier_wait" => {
                let phase = self.operand(&given.get(1));
                if let Some((address, _)) = self.object(&given.get(0), place)? {
                    let patience = Patience::Block;
                    let kind = NvidiaKind::Wait { parity: true, patience, order: Order::Cta };
                    self.nvidia(kind, alloc::vec![address, phase], Spelling::Tlx);
                }
            }
            "barrier_expect_bytes" => {
                let bytes = self.operand(&given.get(1));
                if let Some((address, _)) = self.object(&given.get(0), place)? {
                    self.arrive(address, Operand::Int(1), Some(bytes), false);
                }
            }
            "barrier_arrive" => self.barrier_arrive(given, place)?,
            "tcgen05_commit" => {
                self.paired(&given.get(1));
                self.commit_to(&given.get(0), place)?;
            }
            "async_descriptor_load" => self.load(given, place)?,
            "async_descriptor_store" => self.store(given, place)?,
            "async_descriptor_store_wait" => {
                let most = self.operand(&given.get(0));
                self.nvidia(
                    NvidiaKind::WaitGroup(Queue::Bulk, true),
                    alloc::vec![most],
                    Spelling::TlxCopy,
                );
            }
            "async_load" => self.copy(given, place)?,
            "async_load_commit_group" => {
                self.nvidia(NvidiaKind::Commit(Queue::Thread), Vec::new(), Spelling::Ptx(80))
            }
            "async_load_wait_group" => {
                let most = self.operand(&given.get(0));
                self.nvidia(
                    NvidiaKind::WaitGroup(Queue::Thread, false),
                    alloc::vec![most],
                    Spelling::Ptx(80),
                );
            }
            "local_load" => self.access(&given.get(0), false, place)?,
            "local_store" => self.access(&given.get(0), true, place)?,
            "async_dot" => self.dot(&[0, 1], 2, 5, 6, given, place)?,
            "async_dot_scaled" => self.dot(&[0, 1, 3, 5], 2, 9, 10, given, place)?,
            "tmem_copy" => self.dot(&[0], 1, 9, 9, given, place)?,
            "async_dot_wait" => {
                let most = self.operand(&given.get(0));
                self.nvidia(
                    NvidiaKind::WaitGroup(Queue::Tensor, false),
                    alloc::vec![most],
                    Spelling::TlxCopy,
                );
            }
            "fence_mbarrier_init_cluster" => {
                self.nvidia(NvidiaKind::FenceInit, Vec::new(), Spelling::Ptx(90))
            }
            "fence" => {
                let kind = NvidiaKind::Fence { release: true, acquire: true, cluster: true };
                self.nvidia(kind, Vec::new(), Spelling::Ptx(70));
            }
            _ => self.unknown(format!("`tlx.{name}` is not modelled")),
        }
        Ok(())
    }

    fn cluster_barrier(&mut self) {
        let arrive = NvidiaKind::ClusterArrive { order: Order::Cluster, aligned: false };
        self.nvidia(arrive, Vec::new(), Spelling::Ptx(90));
        let wait = NvidiaKind::ClusterWait { order: Order::Cluster, aligned: false };
        self.nvidia(wait, Vec::new(), Spelling::Ptx(90));
    }

    fn arrive(&mut self, address: Operand, count: Operand, bytes: Option<Operand>, remote: bool) {
        let order = if remote { Order::Cluster } else { Order::Cta };
        let kind =
            NvidiaKind::Arrive { drop: false, no_complete: false, expects: bytes.is_some(), order };
        let mut operands = alloc::vec![address, count];
        operands.extend(bytes);
        let spelling = if bytes.is_some() { Spelling::TlxCopy } else { Spelling::Tlx };
        self.nvidia(kind, operands, spelling);
    }

    fn barrier_arrive(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<()> {
        let mut of = given.get(0);
        if let (Value::View(view), true) = (&of, given.has(2)) {
            of = Value::View(Box::new(View { rank: Some(given.get(2)), ..(**view).clone() }));
        }
        let count = match given.get(1) {
            Value::None => Value::Int(1),
            count => count,
        };
        let Some((address, view)) = self.object(&of, place)? else { return Ok(()) };
        let count = match (view.storage, count.int()) {
            (Storage::Barriers(true), Some(count)) => {
                Value::Int(count.saturating_mul(32 * self.role.warps))
            }
            _ => count,
        };
        let count = self.operand(&count);
        self.arrive(address, count, None, view.rank.is_some());
        Ok(())
    }

    fn paired(&mut self, value: &Value) {
        if !matches!(value, Value::None | Value::Int(0)) {
            self.unknown(String::from("tensor cores of two CTAs (`two_ctas`) are not modelled"));
        }
    }

    /// An arrive once the tensor core operations before it are complete.
    fn commit_to(&mut self, of: &Value, place: Place) -> Parsed<()> {
        if let Some((address, _)) = self.object(of, place)? {
            let kind = NvidiaKind::CopyArrive { no_increment: true, of_copies: false };
            self.nvidia(kind, alloc::vec![address, Operand::Int(0)], TENSOR);
        }
        Ok(())
    }

    fn tensor(&mut self, value: &Value) -> Operand {
        match value {
            Value::Global(object) => Operand::Object(*object, 0),
            _ => {
                self.unknown(String::from("the tensor that this operation copies is not known"));
                Operand::Data
            }
        }
    }

    fn coordinates(&mut self, value: &Value) -> Vec<Operand> {
        match value {
            Value::Tuple(offsets) => {
                offsets.iter().rev().map(|offset| self.operand(offset)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `async_descriptor_load(desc, result, offsets, barrier, …)`
    fn load(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<()> {
        let Some((to, _, bytes)) = self.buffer(&given.get(1), place)? else { return Ok(()) };
        let Some((object, _)) = self.object(&given.get(3), place)? else { return Ok(()) };
        let tensor = self.tensor(&given.get(0));
        if tensor == Operand::Data {
            return Ok(());
        }
        if given.has(7) {
            self.unknown(String::from(
                "copies to several CTAs (`multicast_targets`) are not modelled",
            ));
        }
        self.paired(&given.get(8));
        let mut operands =
            alloc::vec![to, tensor, Operand::Int(bytes as u64), object, Operand::Int(0)];
        operands.extend(self.coordinates(&given.get(2)));
        self.nvidia(NvidiaKind::CopyTensor { scattered: false }, operands, Spelling::TlxCopy);
        Ok(())
    }

    /// `async_descriptor_store(desc, source, offsets, …)`, which is a group by itself.
    fn store(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<()> {
        let Some((from, _, bytes)) = self.buffer(&given.get(1), place)? else { return Ok(()) };
        let tensor = self.tensor(&given.get(0));
        if tensor == Operand::Data {
            return Ok(());
        }
        let reduces = given.has(4) && given.get(4) != Value::Text(String::new());
        let mut operands = alloc::vec![from, tensor, Operand::Int(bytes as u64)];
        operands.extend(self.coordinates(&given.get(2)));
        self.nvidia(NvidiaKind::CopyTensorOut { reduces }, operands, Spelling::TlxCopy);
        self.nvidia(NvidiaKind::Commit(Queue::Bulk), Vec::new(), Spelling::TlxCopy);
        Ok(())
    }

    /// `async_load(src, result, mask, …)`
    fn copy(&mut self, given: &Arguments<'t>, place: Place) -> Parsed<()> {
        let Some((to, _, bytes)) = self.buffer(&given.get(1), place)? else { return Ok(()) };
        let from = match given.get(0) {
            Value::Global(object) => Operand::Object(object, 0),
            _ => Operand::Data,
        };
        if given.has(7) || from == Operand::Data {
            self.unknown(String::from("this form of `tlx.async_load` is not modelled"));
        }
        let bytes = Operand::Int(bytes as u64);
        self.nvidia(
            NvidiaKind::CopyAsync,
            alloc::vec![to, Operand::Data, bytes, Operand::Int(0)],
            Spelling::Ptx(80),
        );
        Ok(())
    }

    /// A load or store of a buffer. Tensor cores only add to tensor memory: a load there excludes them as a write would.
    fn access(&mut self, of: &Value, writes: bool, place: Place) -> Parsed<()> {
        let Some((address, view, bytes)) = self.buffer(of, place)? else { return Ok(()) };
        if address == Operand::Data || view.rank.is_some() {
            self.unknown(String::from("the bytes of this access are not known"));
            return Ok(());
        }
        let bytes = bytes as u32;
        let access = match (writes, view.storage) {
            (true, _) => Access::store(address, Space::Local, bytes, Vec::new()),
            (false, Storage::Tensor) => Access::atomic(address, Space::Local, bytes, Vec::new()),
            (false, _) => Access::load(address, Space::Local, bytes, Vec::new()),
        };
        self.builder.access(access);
        Ok(())
    }

    /// Matrix products: what they read from shared memory, the accumulator, the objects that they arrive at.
    fn dot(
        &mut self,
        read: &[usize],
        accumulator: usize,
        objects: usize,
        pair: usize,
        given: &Arguments<'t>,
        place: Place,
    ) -> Parsed<()> {
        self.paired(&given.get(pair));
        let mut matrices = Vec::new();
        for &at in read.iter().chain([&accumulator]) {
            match given.get(at) {
                Value::View(_) => {
                    if let Some((address, view, bytes)) = self.buffer(&given.get(at), place)? {
                        matrices.push((address, Operand::Int(bytes as u64), view.storage));
                    }
                }
                Value::Mixed => self.unknown(String::from("a matrix of this product is not known")),
                _ => {}
            }
        }
        let tensor = matrices.iter().any(|(_, _, storage)| *storage == Storage::Tensor);
        if matrices.is_empty() {
            matrices.push((NO_MATRIX, Operand::Int(0), Storage::Shared));
        }
        for two in matrices.chunks(2) {
            let (first, second) = (
                two[0],
                two.get(1).copied().unwrap_or((NO_MATRIX, Operand::Int(0), Storage::Shared)),
            );
            // An operation is a group by itself; only the last one ends the group of the product.
            let alone = core::ptr::eq(two, matrices.chunks(2).last().unwrap_or(two));
            let kind = NvidiaKind::Tensor { pair: false, alone, rows: [0, 0] };
            let spelling = if tensor { TENSOR } else { Spelling::TlxCopy };
            self.nvidia(kind, alloc::vec![first.0, second.0, first.1, second.1], spelling);
        }
        match given.get(objects) {
            Value::Tuple(all) => all.iter().try_for_each(|one| self.commit_to(one, place)),
            Value::None => Ok(()),
            one => self.commit_to(&one, place),
        }
    }
}

/// The parameters of a function, in the order of upstream.
fn parameters(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "alloc_barriers" | "alloc_barrier" => &["num_barriers", "arrive_count"],
        "alloc_warp_barrier" => &["num_barriers", "num_warps", "num_arrivals"],
        "local_alloc" => &["shape", "dtype", "num", "storage", "reuse", "layout"],
        "storage_alias_spec" => &["storage", "buffer_size_bytes"],
        "local_view" => &["local_allocated_buffers|local_allocated_buffer", "buffer_idx"],
        "remote_view" => &["local_allocated_buffer|local_allocated_buffers", "remote_cta_rank"],
        "local_slice" => &["buffer", "offset|offsets", "shape"],
        "subslice" => &["local_allocated_buffer", "offset", "size"],
        "local_trans" => &["input", "dims"],
        "local_reinterpret" => &["src", "dtype", "shape"],
        "async_task_replica_id"
        | "cluster_cta_rank"
        | "cluster_size_1d"
        | "num_warps"
        | "cluster_barrier"
        | "fence_mbarrier_init_cluster" => &[],
        "dtype_of" => &["v"],
        "size_of" => &["dtype"],
        "fence" => &["scope"],
        "barrier_wait" => &["bar", "phase", "pred"],
        "barrier_expect_bytes" => &["bar", "size|bytes", "pred"],
        "barrier_arrive" => &["bar", "arrive_count", "remote_cta_rank", "pred"],
        "named_barrier_wait" | "named_barrier_arrive" => {
            &["bar|bar_id", "arrive_count|num_threads"]
        }
        "tcgen05_commit" => &["mBarrier", "two_ctas", "pred"],
        "async_descriptor_load" => &[
            "desc",
            "result",
            "offsets",
            "barrier",
            "pred",
            "cache_modifier",
            "eviction_policy",
            "multicast_targets",
            "two_ctas",
        ],
        "async_descriptor_store" => {
            &["desc", "source", "offsets", "eviction_policy", "store_reduce"]
        }
        "async_descriptor_store_wait" | "async_load_wait_group" => &["pendings", "tokens"],
        "async_load" => &[
            "src",
            "result",
            "mask",
            "other",
            "cache_modifier",
            "eviction_policy",
            "is_volatile",
            "bulk",
            "bulk_size",
            "barrier",
        ],
        "async_load_commit_group" => &["tokens"],
        "local_load" => &["src", "token"],
        "local_store" => &["dst", "src"],
        "tmem_copy" => &["src", "dst"],
        "async_dot" => &[
            "A",
            "B",
            "acc",
            "use_acc",
            "pred",
            "mBarriers",
            "two_ctas",
            "force_async",
            "input_precision",
            "out_dtype",
            "max_num_imprecise_acc",
        ],
        "async_dot_scaled" => &[
            "A",
            "B",
            "acc",
            "A_scale",
            "A_format",
            "B_scale",
            "B_format",
            "use_acc",
            "pred",
            "mBarriers",
            "two_ctas",
            "force_async",
            "out_dtype",
        ],
        "async_dot_wait" => &["pendings", "inp"],
        _ => return None,
    })
}
