//! The contents of registers and of the kernarg segment when a kernel starts.

use super::super::facts::{Argument, Descriptor, Metadata};
use super::super::operand::{Bank, Scalar};
use super::super::packet::{Piece, fill, packet};
use super::registers::File;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{
    Comparison, Facts, ObjectId, Op, Operand, Passed, Place, Space, Special,
};
use tidegate_model::target::{Family, Target};

/// What a target decides about the start of a wave.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// Whether v0 has the ids of all dimensions.
    packed: bool,
    /// Whether the ids of the workgroup are in trap registers instead of SGPRs after the user's.
    pub(super) in_trap_registers: bool,
    /// Whether workgroups can be in clusters.
    clusters: bool,
}

impl Start {
    pub(super) const fn of(target: &Target) -> Self {
        let Family::Amdgpu { major, minor, stepping } = target.family else {
            return Self { packed: true, in_trap_registers: true, clusters: true };
        };
        Self {
            packed: major >= 11 || major == 9 && (minor >= 4 || stepping == 10),
            in_trap_registers: major >= 12,
            clusters: target.cluster_barriers,
        }
    }
}

/// What the text says about the launch of a kernel.
pub(super) fn facts(descriptor: &Descriptor<'_>, metadata: &Metadata<'_>, lanes: u8) -> Facts {
    let dimensions = |list: &[u32]| match *list {
        [x, y, z] => Some([x, y, z]),
        [x, y] => Some([x, y, 1]),
        [x] => Some([x, 1, 1]),
        _ => None,
    };
    let dynamic = descriptor.value("group_segment_fixed_size") == 0;
    Facts {
        threads: dimensions(&metadata.items),
        most_threads: metadata.most_items,
        cluster: dimensions(&metadata.cluster),
        lanes: Some(u32::from(lanes)),
        dynamic_local: if dynamic { 1 << 16 } else { 0 },
    }
}

/// The kernarg segment as an object.
pub(super) fn kernarg(
    builder: &mut Builder,
    descriptor: &Descriptor<'_>,
    metadata: &Metadata<'_>,
    place: Place,
) -> ObjectId {
    let mut pieces: Vec<Piece> = Vec::new();
    for (index, argument) in metadata.arguments.iter().enumerate() {
        if let Some(hidden) = argument.kind.strip_prefix("hidden_") {
            if let Some(value) = hidden_value(hidden) {
                pieces.push((argument.offset, argument.size.min(8) as u8, value));
            }
            continue;
        }
        pieces.extend(passed(builder, argument, index, place));
    }
    let size = u64::try_from(descriptor.value("kernarg_size")).unwrap_or(0).max(1);
    let id = builder.object("kernel arguments", place, Space::Constant, Some(size));
    fill(builder, id, pieces);
    id
}

/// The names of the parameters that the host passes.
pub(super) fn parameters(metadata: &Metadata<'_>) -> Vec<String> {
    let all = metadata.arguments.iter().enumerate();
    let passed = all.filter(|(_, argument)| !argument.kind.starts_with("hidden_"));
    passed.map(|(index, argument)| shown(argument, index)).collect()
}

/// The name of an argument; its number if it has none.
fn shown(argument: &Argument<'_>, index: usize) -> String {
    match argument.name.split('.').next() {
        Some(name) if !name.is_empty() => String::from(name),
        _ => format!("argument {index}"),
    }
}

/// The pieces of an argument that the host passes: a pointer, or integers of at most eight bytes.
fn passed(
    builder: &mut Builder,
    argument: &Argument<'_>,
    index: usize,
    place: Place,
) -> Vec<Piece> {
    let name = shown(argument, index);
    let offset = argument.offset;
    match argument.kind {
        "global_buffer" if argument.size == 8 => {
            let pointer = builder.pointer(&name, place, 64, Space::Global);
            alloc::vec![(offset, 8, Operand::Argument(pointer))]
        }
        "by_value" => {
            let step = [8, 4, 2, 1].into_iter().find(|step| argument.size.is_multiple_of(*step));
            let step = if argument.size > 8 { step.unwrap_or(1).min(4) } else { argument.size };
            let count = argument.size.checked_div(step).unwrap_or(0).min(64);
            let mut part = |at: u32| {
                let name = match count {
                    1 => name.clone(),
                    _ => format!("{name}+{}", at * step),
                };
                let bits = (step * 8).min(64) as u8;
                let value = builder.argument(&name, place, bits, Passed::Integer);
                (offset + at * step, step.min(8) as u8, Operand::Argument(value))
            };
            (0..count).map(&mut part).collect()
        }
        _ => Vec::new(),
    }
}

/// The value of a hidden argument that the launch decides.
fn hidden_value(name: &str) -> Option<Operand> {
    let dimension = match name.as_bytes().last()? {
        b'x' => 0,
        b'y' => 1,
        b'z' => 2,
        _ => return None,
    };
    Some(match name.get(..name.len() - 2)? {
        "block_count" => Operand::Special(Special::Groups(dimension)),
        "group_size" => Operand::Special(Special::Threads(dimension)),
        "remainder" | "global_offset" => Operand::Int(0),
        _ => return None,
    })
}

impl File {
    /// Sets the registers that the hardware sets.
    pub(super) fn start(
        &mut self,
        builder: &mut Builder,
        start: Start,
        descriptor: &Descriptor<'_>,
        kernarg: ObjectId,
        place: Place,
    ) {
        self.set_exec(Operand::Special(Special::ActiveMask));
        let mut next = 0;
        let on = |name: &str| descriptor.value(name) != 0;
        if on("user_sgpr_private_segment_buffer") {
            // A resource of all memory, with the bit that stands for memory of a lane.
            for value in [0, 0x8000_0000, 0xffff_ffff, 0] {
                self.write(Bank::Scalar, next, Operand::Int(value));
                next += 1;
            }
        }
        let users = [
            ("user_sgpr_dispatch_ptr", 2),
            ("user_sgpr_queue_ptr", 2),
            ("user_sgpr_kernarg_segment_ptr", 2),
            ("user_sgpr_dispatch_id", 2),
            ("user_sgpr_flat_scratch_init", 2),
            ("user_sgpr_private_segment_size", 1),
        ];
        for (name, count) in users.into_iter().filter(|(name, _)| on(name)) {
            let object = match name {
                "user_sgpr_dispatch_ptr" => Some(packet(builder, place)),
                "user_sgpr_kernarg_segment_ptr" => Some(kernarg),
                _ => None,
            };
            if let Some(object) = object {
                self.write_address(next, builder, object);
            }
            next += count;
        }
        let length = descriptor.value("user_sgpr_kernarg_preload_length").clamp(0, 16) as u8;
        self.preload(builder, descriptor, kernarg, next, length);
        let users = descriptor.given("user_sgpr_count").map(|count| count.clamp(0, 100) as u16);
        self.groups(start, descriptor, users.unwrap_or(next + u16::from(length)));
        self.items(start, descriptor);
    }

    fn write_address(&mut self, first: u16, builder: &mut Builder, object: ObjectId) {
        let base = builder.module().objects.get(object as usize).map_or(0, |object| object.base);
        self.write(Bank::Scalar, first, Operand::Int(base & 0xffff_ffff));
        self.write(Bank::Scalar, first + 1, Operand::Int(base >> 32));
    }

    /// Arguments that the hardware loads into registers.
    fn preload(
        &mut self,
        builder: &mut Builder,
        descriptor: &Descriptor<'_>,
        kernarg: ObjectId,
        next: u16,
        length: u8,
    ) {
        let offset = descriptor.value("user_sgpr_kernarg_preload_offset").clamp(0, 1024);
        let base = builder.module().objects.get(kernarg as usize).map_or(0, |object| object.base);
        if length > 0 {
            let to = super::super::operand::Registers::scalar(next, length);
            let address = Operand::Int(base.wrapping_add(4 * offset as u64));
            let targets = self.targets(to);
            let bytes = 4 * u32::from(length);
            self.out.access(tidegate_kernel::ir::Access::load(
                address,
                Space::Constant,
                bytes,
                targets,
            ));
        }
    }

    /// The ids of the workgroup, and of the wave from GFX12 on; up to GFX11 after the registers of the user.
    fn groups(&mut self, start: Start, descriptor: &Descriptor<'_>, mut next: u16) {
        if !start.in_trap_registers {
            for (dimension, name) in [(0, "x"), (1, "y"), (2, "z")] {
                let name = format!("system_sgpr_workgroup_id_{name}");
                // The first dimension is on where nothing is said.
                if descriptor.given(&name).unwrap_or(i64::from(dimension == 0)) != 0 {
                    self.write(Bank::Scalar, next, Operand::Special(Special::Group(dimension)));
                    next += 1;
                }
            }
            return;
        }
        let [x, y, z] = [0, 1, 2].map(|dimension| self.group(start, dimension));
        self.write(Bank::Scalar, Scalar::TTMP + 9, x);
        let high = self.out.compute(32, Op::Shl, &[z, Operand::Int(16)]);
        let both = self.out.compute(32, Op::Or, &[y, high]);
        self.write(Bank::Scalar, Scalar::TTMP + 7, both);
        let wave = Operand::Special(Special::Wave);
        let wave = self.out.compute(32, Op::Shl, &[wave, Operand::Int(25)]);
        self.write(Bank::Scalar, Scalar::TTMP + 8, wave);
        if start.clusters {
            self.place_in_cluster();
        }
    }

    /// Whether the workgroup is in a cluster of several, as 1 bit.
    pub(super) fn in_cluster(&mut self) -> Operand {
        let ranks = Operand::Special(Special::RanksOfCluster);
        self.out.compute(1, Op::Compare(Comparison::Ne, 32), &[ranks, Operand::Int(1)])
    }

    /// The id of the workgroup in a dimension, or of its cluster if it is in one.
    fn group(&mut self, start: Start, dimension: u8) -> Operand {
        let group = Operand::Special(Special::Group(dimension));
        if !start.clusters {
            return group;
        }
        let condition = self.in_cluster();
        let cluster = Operand::Special(Special::Cluster(dimension));
        self.out.compute(32, Op::Select, &[condition, cluster, group])
    }

    /// The place in the cluster, four bits for each dimension, and the largest such place.
    fn place_in_cluster(&mut self) {
        let mut all = Operand::Int(0);
        for dimension in 0..3 {
            let place = Operand::Special(Special::GroupInCluster(dimension));
            let count = Operand::Special(Special::GroupsOfCluster(dimension));
            let most = self.out.compute(32, Op::Sub, &[count, Operand::Int(1)]);
            for (value, shift) in [(place, 0), (most, 12)] {
                let shift = Operand::Int(u64::from(dimension) * 4 + shift);
                let value = self.out.compute(32, Op::Shl, &[value, shift]);
                all = self.out.compute(32, Op::Or, &[all, value]);
            }
        }
        self.write(Bank::Scalar, Scalar::TTMP + 6, all);
    }

    /// The ids of the work-item.
    fn items(&mut self, start: Start, descriptor: &Descriptor<'_>) {
        let last = descriptor.value("system_vgpr_workitem_id").clamp(0, 2) as u8;
        if start.packed && last > 0 {
            let packed = Operand::Special(Special::PackedThread);
            return self.write(Bank::Vector, 0, packed);
        }
        for dimension in 0..=last {
            let id = Operand::Special(Special::Thread(dimension));
            self.write(Bank::Vector, u16::from(dimension), id);
        }
    }
}
