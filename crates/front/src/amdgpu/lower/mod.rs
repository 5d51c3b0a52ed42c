//! A file of machine code as a module of the kernel IR: one function for each kernel, with all device functions that it can
//! reach, because all functions of a file share the registers.

mod flow;
mod formula;
mod instruction;
mod launch;
mod memory;
mod registers;

use super::unit::Unit;
use alloc::format;
use alloc::vec::Vec;
use launch::Start;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{
    Content, Kernel, Machine, Module, ObjectId, Operand, Place, Space, Style,
};
use tidegate_lang::diagnostic::{Diagnostic, Span};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::target::{Family, Target, TargetId};

/// The address of the first instruction; each has eight bytes.
const CODE: u64 = 0x7c00_0000_0000;

/// The facts that all kernels of a file share.
struct Shared<'a, 'u> {
    unit: &'u Unit<'a>,
    target: &'static Target,
    builder: Builder,
    /// Objects of data symbols.
    objects: OrderedMap<&'a str, ObjectId>,
    /// The object that holds addresses of symbols, and the symbols in it.
    table: Option<ObjectId>,
    slots: Vec<(&'a str, Operand)>,
}

pub(super) const fn place(span: Span) -> Place {
    Place { start: span.start, end: span.start + span.length }
}

/// Lowers a file.
///
/// # Errors
///
/// A file without kernels or for an unknown target, and a kernel without code.
pub(super) fn lower(unit: &Unit<'_>) -> Result<Module, Diagnostic> {
    let beginning = unit.instructions.first().map(|first| first.span).unwrap_or_default();
    let error = |message: &str| Diagnostic::error("invalid-value", beginning, message);
    let name = unit.processor.ok_or_else(|| {
        error("no target: expected `.amdgcn_target` with a processor, such as `gfx1250`")
    })?;
    let id = TargetId::from_name(name)
        .filter(|id| matches!(id.get().family, Family::Amdgpu { .. }))
        .ok_or_else(|| error(&format!("`{name}` is not a known AMDGPU target")))?;
    if unit.kernels.is_empty() {
        return Err(error("no kernel: expected an `.amdhsa_kernel` block"));
    }
    let mut builder = Builder::new(Machine::Amdgpu, Style::Waves);
    builder.module().unmarked = alloc::vec![Space::Local, Space::Global, Space::Generic];
    builder.module().target = Some(id);
    let mut shared = Shared {
        unit,
        target: id.get(),
        builder,
        objects: OrderedMap::new(),
        table: None,
        slots: Vec::new(),
    };
    shared.data();
    for descriptor in &unit.kernels {
        let Some(&entry) = unit.labels.get(descriptor.name) else {
            let message = format!("the kernel `{}` has no code", descriptor.name);
            return Err(Diagnostic::error("unknown-name", descriptor.span, message));
        };
        let known = unit.metadata.iter().find(|metadata| metadata.name == descriptor.name);
        let metadata = known.cloned().unwrap_or_default();
        let lanes = shared.lanes(descriptor.given("wavefront_size32"), metadata.lanes);
        let at = unit.instructions.get(entry).map_or(descriptor.span, |first| first.span);
        let at = place(at);
        let kernarg = launch::kernarg(&mut shared.builder, descriptor, &metadata, at);
        let local = u64::try_from(descriptor.value("group_segment_fixed_size")).unwrap_or(0);
        shared.local(local);
        let mut file = registers::File::new(descriptor.name, at, lanes);
        let start = Start::of(shared.target);
        file.start(&mut shared.builder, start, descriptor, kernarg, at);
        let function = flow::build(&mut shared, file, entry)?;
        let function = shared.builder.function(function);
        let facts = launch::facts(descriptor, &metadata, lanes);
        let name = descriptor.name.into();
        let (arguments, parameters) = (Vec::new(), launch::parameters(&metadata));
        let unnamed = metadata.arguments.iter().all(|argument| argument.name.is_empty());
        let place = at;
        shared.builder.kernel(Kernel {
            name,
            place,
            function,
            arguments,
            parameters,
            unnamed,
            facts,
        });
    }
    Ok(shared.finish())
}

impl<'a> Shared<'a, '_> {
    /// Lanes of a wave: as the descriptor says, or the metadata, or the target.
    fn lanes(&self, directive: Option<i64>, metadata: Option<u32>) -> u8 {
        match (self.target.most_lanes(), directive, metadata) {
            (Some(32), ..) | (_, Some(1), _) => 32,
            (_, Some(_), _) | (_, None, Some(64)) => 64,
            (_, None, Some(32)) => 32,
            _ if matches!(self.target.family, Family::Amdgpu { major: 10.., .. }) => 32,
            _ => 64,
        }
    }

    /// Objects of data that the file defines.
    fn data(&mut self) {
        for datum in &self.unit.data {
            let size = Some(datum.bytes.len().max(1) as u64);
            let space = match (datum.local, datum.constant) {
                (true, _) => Space::Local,
                (_, true) => Space::Constant,
                _ => Space::Global,
            };
            let id = self.builder.object(datum.name, Place::default(), space, size);
            let bytes: Option<Vec<u8>> = datum.bytes.iter().copied().collect();
            if let Some(bytes) = bytes.filter(|bytes| datum.constant && !bytes.is_empty())
                && let Some(object) = self.builder.module().objects.get_mut(id as usize)
            {
                object.content = Content::Bytes(bytes);
            }
            self.objects.insert(datum.name, id);
        }
    }

    /// LDS, whose layout the compiler has chosen: one object from address 0 on.
    fn local(&mut self, bytes: u64) {
        let size = if bytes == 0 { 1 << 16 } else { bytes };
        let objects = &mut self.builder.module().objects;
        if let Some(lds) = objects.iter_mut().find(|object| object.name == "LDS") {
            lds.size = lds.size.map(|old| old.max(size));
            return;
        }
        self.builder.object_at("LDS", Place::default(), Space::Local, 0, Some(size));
    }

    /// The address of a symbol plus a number of bytes.
    fn address(&mut self, name: &'a str, plus: i64) -> Operand {
        if let Some(&index) = self.unit.labels.get(name) {
            return Operand::Int(code_address(index));
        }
        if let Some(&id) = self.objects.get(name) {
            return Operand::Object(id, plus);
        }
        if let Some(&value) = self.unit.values.get(name) {
            return Operand::Int(value.wrapping_add(plus) as u64);
        }
        let id = self.builder.object(name, Place::default(), Space::Global, None);
        self.objects.insert(name, id);
        Operand::Object(id, plus)
    }

    /// The value of a relocation: 64 bits, of which an instruction takes a half.
    ///
    /// `s_getpc_b64` gives 0 here, so that a relative relocation is the address itself. What LLVM adds to it for the distance
    /// to the literal is left out.
    fn relocated(&mut self, name: &'a str, how: &str, plus: i64, high: bool) -> Operand {
        let gfx12 = matches!(self.target.family, Family::Amdgpu { major: 12, minor: ..5, .. });
        let distance = match (how, high, gfx12) {
            ("rel64", ..) | ("rel32" | "rel32@lo", false, false) => 4,
            ("rel32", true, false) | ("rel32", false, true) => 12,
            ("rel32", true, true) => 24,
            _ => 0,
        };
        if !how.starts_with("gotpcrel") {
            return self.address(name, if plus == 0 { 0 } else { plus - distance });
        }
        // All that is added to the address of a slot is the distance, which depends on the instructions before.
        let value = self.address(name, 0);
        let builder = &mut self.builder;
        let table = *self.table.get_or_insert_with(|| {
            builder.object("addresses", Place::default(), Space::Constant, Some(1 << 12))
        });
        let known = self.slots.iter().position(|(slot, _)| *slot == name);
        let slot = known.unwrap_or_else(|| {
            self.slots.push((name, value));
            self.slots.len() - 1
        });
        Operand::Object(table, 8 * slot as i64)
    }

    fn finish(mut self) -> Module {
        if let Some(table) = self.table {
            let pieces =
                (0..).zip(&self.slots).map(|(at, (_, value))| (8 * at, 8, *value)).collect();
            if let Some(object) = self.builder.module().objects.get_mut(table as usize) {
                object.content = Content::Pieces(pieces);
            }
        }
        self.builder.finish()
    }
}

/// The address of an instruction.
const fn code_address(index: usize) -> u64 {
    CODE + 8 * index as u64
}
