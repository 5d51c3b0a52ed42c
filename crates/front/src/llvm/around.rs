//! The module that is being lowered.

use super::module::Module;
use super::types::Type;
use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{FunctionId, ObjectId, Operand, Place, Space};
use tidegate_model::ordered::OrderedMap;

/// Names of values that LLVM numbers.
const NUMBERS: [&str; 40] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32",
    "33", "34", "35", "36", "37", "38", "39",
];

/// The module that is being lowered.
pub(super) struct Around<'a> {
    pub(super) module: Module<'a>,
    pub(super) builder: Builder,
    /// Whether the addresses of the triple are those of NVIDIA, of AMDGPU, or of SPIR.
    pub(super) triple: Triple,
    pub(super) target: Option<tidegate_model::target::TargetId>,
    pub(super) globals: OrderedMap<&'a str, Operand>,
    /// Objects of AMDGPU that describe the launch, by the intrinsic that gives their address.
    pub(super) launched: OrderedMap<&'static str, ObjectId>,
    pub(super) functions: OrderedMap<&'a str, FunctionId>,
    /// Functions that can call themselves.
    pub(super) recursive: Vec<&'a str>,
    /// Whether asynchronous copies of AMDGPU have explicit marks.
    pub(super) has_marks: bool,
    /// Whether there are asynchronous copies that are not tiles (AMDGPU).
    pub(super) has_copies: bool,
    /// Whether there are copies of tiles (AMDGPU).
    pub(super) has_tiles: bool,
}

/// The family that a target triple names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Triple {
    Amdgpu,
    Nvidia,
    Spir,
}

impl<'a> Around<'a> {
    /// A place in the text.
    #[allow(clippy::unused_self)]
    pub(super) const fn at(&self, place: Place) -> Place {
        place
    }

    #[allow(clippy::unused_self)]
    pub(super) fn number(&self, at: u32) -> &'a str {
        NUMBERS.get(at as usize).copied().unwrap_or("")
    }

    /// The address space that a number stands for.
    pub(super) const fn space(&self, number: u32) -> Space {
        match (self.triple, number) {
            (Triple::Spir, 0) | (_, 5) => Space::Private,
            (_, 1) => Space::Global,
            (_, 3) | (Triple::Nvidia, 7) => Space::Local,
            (Triple::Spir, 2) | (_, 4 | 6)
                if !matches!((self.triple, number), (Triple::Spir, 4)) =>
            {
                Space::Constant
            }
            (Triple::Amdgpu, 7..=9) => Space::Global,
            (Triple::Amdgpu, 2) => Space::Local,
            (Triple::Amdgpu, 15) => Space::Local,
            _ => Space::Generic,
        }
    }

    /// The address of a global or function.
    pub(super) fn address(&self, name: &str) -> Operand {
        self.globals.get(name).copied().unwrap_or(Operand::Data)
    }

    /// The offset in bytes of constant indices.
    pub(super) fn offset(&self, of: &Type, indices: &[i64]) -> i64 {
        let Some((first, rest)) = indices.split_first() else { return 0 };
        let (size, align) = self.module.types.size(of);
        let stride = size.next_multiple_of(align.max(1)) as i64;
        let mut offset = first.wrapping_mul(stride);
        let mut inner = of.clone();
        for &index in rest {
            let is_struct = matches!(self.module.types.resolve(&inner), Type::Struct(..));
            let at = if is_struct { index.max(0) as u64 } else { 1 };
            let Some((bytes, next)) = self.module.types.element(&inner, at) else { return offset };
            offset = offset.wrapping_add(if is_struct {
                bytes as i64
            } else {
                (bytes as i64).wrapping_mul(index)
            });
            inner = next.clone();
        }
        offset
    }
}
