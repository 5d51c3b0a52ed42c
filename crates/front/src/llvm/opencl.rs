//! Functions of OpenCL's library, as Clang mangles their names.

use super::calls::Call;
use super::calls::space_of;
use super::group_copies::element;
use super::lower::{demangled, prefixed};
use super::types::Type;
use super::unit::Unit;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Access, Comparison, Kind, Op, Opencl, Operand, Space, Special};
use tidegate_model::mem::operation::{Fence, Scope, Space as Spaced, Spaces};
use tidegate_model::opencl::action::Group;

/// Accesses to pixels, as the built-in compiler writes them: the image and its coordinates.
pub(crate) const READ_PIXEL: &str = "tidegate.read.pixel";
pub(crate) const WRITE_PIXEL: &str = "tidegate.write.pixel";

impl<'a> Unit<'_, 'a> {
    /// Lowers a call of a function that the module does not define. Returns whether the function is known.
    pub(super) fn library(&mut self, callee: &str, call: &Call<'a>) -> bool {
        let (name, rest) = demangled(callee).unwrap_or((callee, ""));
        if let Some(value) = self.place_in_launch(name, call) {
            self.define(call.name, &call.of, &[value]);
            return true;
        }
        if let Some(group) = collective(name) {
            // All work-items of the group must reach it, and it orders no memory.
            let (flags, scope) = (Operand::Int(0), None);
            let to = self.target(call.name, &call.of);
            // The second argument of a broadcast is the work-item whose value it is.
            let first = if name.ends_with("broadcast") { 1 } else { call.arguments.len() };
            let item = (first..call.arguments.len()).map(|at| call.value(at));
            let same = [Operand::Int(0)].into_iter().chain(item).collect();
            let shares = to.filter(|_| group == Group::Work && !name.contains("scan"));
            self.code.push(Kind::Opencl(Opencl::Barrier { group, flags, scope, shares, same }));
            if shares.is_none() {
                self.define(call.name, &call.of, &[]);
            }
            return true;
        }
        match name {
            "barrier" | "work_group_barrier" | "sub_group_barrier" => {
                self.copies_in_flight();
                let group = if name == "sub_group_barrier" { Group::Sub } else { Group::Work };
                let scope = (call.arguments.len() > 1).then(|| call.value(1));
                self.code.push(Kind::Opencl(Opencl::Barrier {
                    group,
                    flags: call.value(0),
                    scope,
                    shares: None,
                    same: Vec::new(),
                }));
            }
            "intel_work_group_barrier_arrive" | "intel_work_group_barrier_wait" => {
                self.copies_in_flight();
                let (flags, scope) =
                    (call.value(0), (call.arguments.len() > 1).then(|| call.value(1)));
                let what = match name.ends_with("arrive") {
                    true => Opencl::Arrive { flags, scope },
                    false => Opencl::Await { flags, scope },
                };
                self.code.push(Kind::Opencl(what));
            }
            "mem_fence" | "read_mem_fence" | "write_mem_fence" | "atomic_work_item_fence" => {
                self.fence_of_items(name, call);
            }
            "async_work_group_copy" => self.group_copy(call, rest, false),
            "async_work_group_strided_copy" => self.group_copy(call, rest, true),
            "wait_group_events" => self.wait_for_copies(call),
            "prefetch" => {}
            _ if name.starts_with("vload") || name.starts_with("vstore") => {
                return self.vector_access(name, rest, call);
            }
            "printf" | "__translate_sampler_initializer" => self.define(call.name, &call.of, &[]),
            _ if name.starts_with("read_image") || name.starts_with("write_image") => {
                let written = prefixed(rest).is_some_and(|(image, _)| !image.ends_with("_ro"));
                // An image that the kernel only reads is not accessed.
                if written {
                    let coordinates = call.arguments.get(1).map(|one| one.values.clone());
                    let writes = name.starts_with("write");
                    let levels = call.arguments.len() > if writes { 3 } else { 2 };
                    let deep = rest.contains("image3d") || rest.contains("array");
                    let coordinates = coordinates.filter(|_| !levels).unwrap_or_default();
                    self.pixel(call.value(0), &coordinates, deep, writes);
                }
                self.define(call.name, &call.of, &[]);
            }
            READ_PIXEL | WRITE_PIXEL => {
                let coordinates: Vec<Operand> =
                    (1..call.arguments.len()).map(|at| call.value(at)).collect();
                let deep = coordinates.len() > 2;
                self.pixel(call.value(0), &coordinates, deep, name == WRITE_PIXEL);
            }
            _ if name.starts_with("get_image_") => self.define(call.name, &call.of, &[]),
            _ if exchanges(name) => self.define(call.name, &call.of, &[]),
            _ if name.starts_with("atomic_") || name.starts_with("atom_") => {
                self.atomic_function(name, call)
            }
            _ => return self.integers(name, rest, call),
        }
        true
    }

    /// `vload4`, `vstore_half2_rte` and the like: an access of this number of elements. Returns
    /// whether the function is one of these.
    fn vector_access(&mut self, name: &str, types: &str, call: &Call<'a>) -> bool {
        let writes = name.starts_with("vstore");
        let following = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let (halves, count) = match following.strip_prefix("_half") {
            Some(count) => (true, count),
            None => (false, following),
        };
        // The name of an access to `half` can end with a rounding mode.
        let count = match count.split('_').next().unwrap_or("") {
            "" if halves => 1,
            count @ ("2" | "3" | "4" | "8" | "16") => count.parse().unwrap_or(1),
            _ => return false,
        };
        let apart = if count == 3 && name.contains("a_half") { 4 } else { count };
        // The last type is the pointer.
        let pointer = types.rfind('P').map_or("", |at| &types[at..]);
        let bytes = if halves { 2 } else { element(pointer) };
        let [offset, pointer] = if writes { [1, 2] } else { [0, 1] };
        let space = match space_of(call.arguments.get(pointer)) {
            Some(space) => self.around.space(space),
            None => Space::Generic,
        };
        let by = [call.value(offset), Operand::Int(apart * bytes)];
        let by = self.code.compute(64, Op::Mul, &by);
        let address = self.code.compute(64, Op::Add, &[call.value(pointer), by]);
        let bytes = (count * bytes) as u32;
        self.code.access(match writes {
            true => Access::store(address, space, bytes, Vec::new()),
            false => Access::load(address, space, bytes, Vec::new()),
        });
        self.define(call.name, &call.of, &[]);
        true
    }

    /// An access to a pixel of an image, at an address that its coordinates give. Without any, it may be anywhere.
    fn pixel(&mut self, image: Operand, coordinates: &[Operand], deep: bool, writes: bool) {
        // Bits of each coordinate; a pixel has 16 bytes.
        let widths: [u8; 3] = if deep { [10, 9, 9] } else { [12, 16, 0] };
        let (mut address, mut shift) = (image, 4);
        for (&value, width) in coordinates.iter().zip(widths).filter(|(_, width)| *width > 0) {
            let limit = Operand::Int(1 << width);
            let inside = self.code.compute(1, Op::Compare(Comparison::Ult, 32), &[value, limit]);
            let wide = self.code.compute(64, Op::Copy, &[value]);
            let by = self.code.compute(64, Op::Shl, &[wide, Operand::Int(shift)]);
            let by = self.code.compute(64, Op::Select, &[inside, by, Operand::Data]);
            address = self.code.compute(64, Op::Add, &[address, by]);
            shift += u64::from(width);
        }
        let mut access = match writes {
            true => Access::store(address, Space::Global, 16, Vec::new()),
            false => Access::load(address, Space::Global, 16, Vec::new()),
        };
        access.anywhere = coordinates.is_empty();
        self.code.access(access);
    }

    fn place_in_launch(&mut self, name: &str, call: &Call<'a>) -> Option<Operand> {
        let (dimensional, outside) = match name {
            "get_local_id" | "get_group_id" | "get_global_id" | "get_global_offset" => (true, 0),
            "get_local_size" | "get_enqueued_local_size" | "get_num_groups" | "get_global_size" => {
                (true, 1)
            }
            _ => (false, 0),
        };
        if !dimensional {
            return self.whole_place(name);
        }
        let outside = Operand::Int(outside);
        if let Some(dimension) = call.constant(0) {
            let known = u8::try_from(dimension).ok().filter(|&dimension| dimension < 3);
            return Some(known.map_or(outside, |known| self.in_dimension(name, known)));
        }
        // The dimension is not a constant: it can be one of the three, or out of range.
        let asked = call.value(0);
        let chosen = (0..3).fold(outside, |other, dimension| {
            let value = self.in_dimension(name, dimension);
            let of = Op::Compare(Comparison::Eq, 32);
            let same = self.code.compute(1, of, &[asked, Operand::Int(dimension.into())]);
            self.code.compute(64, Op::Select, &[same, value, other])
        });
        Some(chosen)
    }

    /// A size or a position in a dimension below 3.
    fn in_dimension(&mut self, name: &str, dimension: u8) -> Operand {
        let special = match name {
            "get_local_id" => Special::Thread(dimension),
            "get_group_id" => Special::Group(dimension),
            "get_local_size" | "get_enqueued_local_size" => Special::Threads(dimension),
            "get_num_groups" => Special::Groups(dimension),
            "get_global_size" => Special::AllThreads(dimension),
            "get_global_offset" => return Operand::Int(0),
            _ => {
                let [group, size, local] = [
                    Special::Group(dimension),
                    Special::Threads(dimension),
                    Special::Thread(dimension),
                ]
                .map(Operand::Special);
                let first = self.code.compute(64, Op::Mul, &[group, size]);
                return self.code.compute(64, Op::Add, &[first, local]);
            }
        };
        Operand::Special(special)
    }

    /// A size or number of the launch without a dimension.
    fn whole_place(&mut self, name: &str) -> Option<Operand> {
        let value = |special| Some(Operand::Special(special));
        match name {
            "get_work_dim" => value(Special::Dimensions),
            "get_sub_group_id" => value(Special::Wave),
            "get_num_sub_groups" | "get_enqueued_num_sub_groups" => value(Special::Waves),
            "get_sub_group_size" | "get_max_sub_group_size" => value(Special::Lanes),
            "get_sub_group_local_id" => value(Special::Lane),
            "get_local_linear_id" => {
                let of = |at| Operand::Special(Special::Thread(at));
                let size = |at| Operand::Special(Special::Threads(at));
                let plane = self.code.compute(64, Op::Mul, &[of(2), size(1)]);
                let row = self.code.compute(64, Op::Add, &[plane, of(1)]);
                let row = self.code.compute(64, Op::Mul, &[row, size(0)]);
                Some(self.code.compute(64, Op::Add, &[row, of(0)]))
            }
            _ => None,
        }
    }

    /// A fence of a work-item: it orders the memory that its flags name, around barriers and atomic accesses. The order and the
    /// scope of `atomic_work_item_fence` are those of OpenCL 2.0.
    fn fence_of_items(&mut self, name: &str, call: &Call<'a>) {
        let (order, scope) = match name {
            "atomic_work_item_fence" => (call.constant(1), call.constant(2)),
            "read_mem_fence" => (Some(2), Some(1)),
            "write_mem_fence" => (Some(3), Some(1)),
            _ => (Some(4), Some(1)),
        };
        let (Some(flags), Some(order), Some(scope)) = (call.constant(0), order, scope) else {
            let why = String::from("a fence whose flags, order or scope are not constant");
            return self.code.push(Kind::Unknown { why, to: Vec::new() });
        };
        let spaces = [(1, Spaced::Local), (2, Spaced::Global)].into_iter();
        let named = spaces.filter(|(flag, _)| flags & flag != 0);
        let spaces = named.fold(Spaces::default(), |all, (_, space)| all.with(space));
        let (release, acquire) = (order >= 3, matches!(order, 2 | 4 | 5));
        if spaces.is_empty() || !release && !acquire || scope == 0 {
            return;
        }
        let scope = if scope == 4 { Scope::Wavefront } else { Scope::Workgroup };
        self.code.push(Kind::Fence(Fence { release, acquire, scope, one_as: false, spaces }));
    }

    fn atomic_function(&mut self, name: &str, call: &Call<'a>) {
        let space = match space_of(call.arguments.first()) {
            Some(space) => self.around.space(space),
            None => Space::Generic,
        };
        self.define(call.name, &call.of, &[]);
        let of = match &call.of {
            Type::Void => call.arguments.get(1).map_or(Type::Int(32), |one| one.of.clone()),
            other => other.clone(),
        };
        let bytes = self.around.module.types.size(&of).0.clamp(1, 8) as u32;
        let mut access = match name {
            "atomic_load" | "atomic_load_explicit" => {
                Access::load(call.value(0), space, bytes, Vec::new())
            }
            "atomic_init" => Access::store(call.value(0), space, bytes, Vec::new()),
            _ => Access::atomic(call.value(0), space, bytes, Vec::new()),
        };
        access.atomic = (name != "atomic_init").then(|| scope_given(name, call)).flatten();
        self.code.access(access);
    }
}

/// The scope that a call of an atomic function gives in the argument after the memory orders, or the device without one. `None`
/// if it includes only the work-item itself.
fn scope_given(name: &str, call: &Call<'_>) -> Option<Scope> {
    let operands = match name {
        _ if !name.ends_with("_explicit") => return Some(Scope::Agent),
        _ if name.contains("compare_exchange") => 5,
        _ if name.contains("load") || name.contains("flag") => 2,
        _ => 3,
    };
    match (call.arguments.len() > operands).then(|| call.constant(operands)) {
        Some(Some(0)) => None,
        Some(Some(1)) => Some(Scope::Workgroup),
        Some(Some(4)) => Some(Scope::Wavefront),
        _ => Some(Scope::Agent),
    }
}

/// The group whose work-items all participate in a function that gives data.
pub(crate) fn collective(name: &str) -> Option<Group> {
    let of_work = name.strip_prefix("work_group_").map(|rest| (Group::Work, rest));
    let of_sub = || name.strip_prefix("sub_group_").map(|rest| (Group::Sub, rest));
    let (group, rest) = of_work.or_else(of_sub)?;
    let known = ["all", "any", "broadcast", "reduce_", "scan_"];
    known.iter().any(|known| rest.starts_with(known)).then_some(group)
}

/// Whether a function gives data of those work-items of a sub-group that call it.
fn exchanges(name: &str) -> bool {
    let Some((_, rest)) = name.split_once("sub_group_") else { return false };
    let known =
        ["ballot", "clustered_", "elect", "inverse_ballot", "non_uniform_", "rotate", "shuffle"];
    known.iter().any(|known| rest.starts_with(known))
}
