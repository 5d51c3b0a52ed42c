//! Asynchronous copies, and what tensor cores read.

use super::lane::{Found, Lane, Problem, UNKNOWN};
use crate::evaluate::memory::Spot;
use crate::evaluate::request::Stop;
use crate::ir::{Kind, Matrices, Module, Nvidia, NvidiaKind, Operand, Space};
use crate::value::Origin;
use tidegate_model::mem::operation::Range;
use tidegate_model::ptx::action::{Action, Reads};
use tidegate_model::ptx::tile::{self, Tile};

/// The size of a tensor map in bytes.
const MAP: u32 = 128;
/// The value that front ends use instead of a descriptor if the operand is in registers or in tensor memory.
const NO_MATRIX: u64 = u64::MAX;

impl Lane<'_, '_> {
    /// The bytes from an address on; `None` if they are not memory of the program. The second value says whether these bytes
    /// are certainly accessed.
    fn bytes(
        &self,
        at: usize,
        space: Space,
        bytes: u32,
        writes: bool,
    ) -> Found<(Option<Range>, bool)> {
        if self.nvidia.operands.get(at) == Some(&Operand::Data) || bytes == 0 {
            return Ok((None, true));
        }
        let value = self.value(at);
        let (_, spots) = self.run.spots(&value, space, false, 1 << self.lane);
        self.run.moving(&value, &spots)?;
        let ranges = self.run.ranges(&spots, bytes, writes, self.place);
        match ranges[..] {
            [] => Ok((None, true)),
            [(range, certain)] => Ok((Some(range), certain)),
            _ => Err(Problem::Open("the memory that this operation accesses is not known")),
        }
    }

    /// `cp.async`, `cp.async.bulk`, `st.async`.
    pub(super) fn copy(&self) -> Found<(Action, bool)> {
        let bytes = self.word(2)?;
        let size = u32::try_from(bytes).unwrap_or(0);
        let (mut name, mut ranks, mut read) = (None, None, size);
        let (mut reduces, mut bulk) = (false, true);
        let mut spaces = [Space::Local, Space::Generic];
        match self.nvidia.kind {
            NvidiaKind::CopyAsync => {
                bulk = false;
                read = u32::try_from(self.word(3)?).unwrap_or(0).min(size);
            }
            NvidiaKind::CopyBulk { reduces: all } => {
                reduces = all;
                (name, ranks) = (Some(self.object(3)?), self.mask(4)?);
                bulk = self.nvidia.operands.get(1) != Some(&Operand::Data);
            }
            NvidiaKind::CopyBulkOut { reduces: all } => {
                (reduces, spaces) = (all, [Space::Generic, Space::Local]);
            }
            _ => {}
        }
        if matches!(self.nvidia.kind, NvidiaKind::CopyAsync) {
            spaces[1] = Space::Generic;
        }
        let (to, sure) = self.bytes(0, spaces[0], size, true)?;
        let (from, known) = self.bytes(1, spaces[1], read, false)?;
        let tile = None;
        let copy = Action::Copy { name, bulk, ranks, bytes, to, from, reduces, tile };
        Ok((copy, sure && known))
    }

    /// A copy between a tile of a tensor and shared memory. If the source does not give the box, it has as many bytes as were
    /// expected.
    pub(super) fn copy_of_tensor(&self) -> Found<(Action, bool)> {
        let (inward, reduces, scattered) = match self.nvidia.kind {
            NvidiaKind::CopyTensor { scattered } => (true, false, scattered),
            NvidiaKind::CopyTensorOut { reduces } => (false, reduces, false),
            _ => return Err(UNKNOWN),
        };
        let (name, ranks, first) = match inward {
            true => (Some(self.object(3)?), self.mask(4)?, 5),
            false => (None, None, 3),
        };
        let near = self.value(0);
        let (_, spots) = self.run.spots(&near, Space::Local, false, 1 << self.lane);
        self.run.moving(&near, &spots)?;
        let [Spot::At(object, offset) | Spot::Remote(object, offset, _)] = spots[..] else {
            return Err(UNKNOWN);
        };
        let size = self.run.world.module.objects[object as usize].size.unwrap_or(1 << 18);
        let room = size.saturating_sub(offset).clamp(16, 1 << 20) as u32 & !15;
        let known = u32::try_from(self.word(2)?).unwrap_or(0);
        let room = if known > 0 { known } else { room };
        let (near, _) = self.bytes(0, Space::Local, room, inward)?;
        let tensor = self.tensor()?;
        let mut tile = Tile { open: known == 0, bytes: known, ..Tile::default() };
        let coordinates = self.nvidia.operands.len().saturating_sub(first).min(tile::MOST);
        tile.rank = if scattered { 0 } else { coordinates as u8 };
        for at in 0..coordinates {
            let value = self.value(first + at);
            match value.known_in(self.lane).filter(|_| self.run.inputs.exact(&value)) {
                Some(number) => tile.at[at] = number as u32 as i32,
                None => tile.unknown |= 1 << at,
            }
        }
        let (to, from) = if inward { (near, tensor) } else { (tensor, near) };
        let bytes = i64::from(room);
        let tile = Some(tile);
        Ok((Action::Copy { name, bulk: true, ranks, bytes, to, from, reduces, tile }, true))
    }

    /// The bytes of a tensor map, which represent its tensor.
    fn tensor(&self) -> Found<Option<Range>> {
        let value = self.value(1);
        let (_, spots) = self.run.spots(&value, Space::Generic, false, 1 << self.lane);
        let [Spot::At(object, offset)] = spots[..] else { return Err(UNKNOWN) };
        let start = u32::try_from(offset).unwrap_or(0);
        Ok(Some(self.run.world.buffers.borrow_mut().range(object, start, start + MAP)))
    }

    /// The sizes of the matrices of tensor cores: those of the text, or those that the instruction descriptor of `tcgen05.mma`
    /// has in bits 17 to 22 (N / 8) and 24 to 28 (M / 16); bits 15 and 16 transpose.
    pub(super) fn matrices(&self, written: Matrices) -> Found<Matrices> {
        if written.rows != [0; 2] || self.nvidia.operands.len() != 3 {
            return Ok(written);
        }
        let value = self.value(2);
        let Some(word) = value.known_in(self.lane) else { return Ok(written) };
        if !self.run.inputs.exact(&value) {
            return Err(Problem::Stop(Stop::NoProof));
        }
        let rows = [(word >> 24 & 31) as u16 * 16, (word >> 17 & 63) as u16 * 8];
        let transposed = [15, 16].map(|bit| word >> bit & 1 == 1);
        Ok(Matrices { rows, transposed, ..written })
    }

    /// The bytes that tensor cores read by a descriptor. It contains the address in units of 16 bytes, and the distances of
    /// core matrices in both dimensions.
    pub(super) fn matrix(&self, at: usize, matrices: Matrices) -> Found<Reads> {
        if let [_, _, bytes @ ..] = &*self.nvidia.operands
            && bytes.len() == 2
            && let Operand::Int(bytes) = &bytes[at]
        {
            let (range, _) = self.bytes(at, Space::Local, *bytes as u32, false)?;
            return Ok(range.map_or(Reads::Nothing, Reads::Within));
        }
        let value = self.value(at);
        let Some(word) = value.known_in(self.lane) else { return Ok(Reads::Any) };
        if !self.run.inputs.exact(&value) {
            return Err(Problem::Stop(Stop::NoProof));
        }
        if word == NO_MATRIX {
            return Ok(Reads::Nothing);
        }
        // A descriptor has its layout in the bits above; a number without them is an address by itself.
        let address = if word < 1 << 18 { word } else { (word & 0x3fff) << 4 };
        let module = self.run.world.module;
        let spot = self.run.world.objects.spot(module, Space::Local, address, Origin::None);
        let Spot::At(object, offset) = spot else { return Ok(Reads::Any) };
        let size = module.objects[object as usize].size.unwrap_or(1 << 18).max(offset + 16);
        let [columns, stride] = [16, 32].map(|bit| (word >> bit & 0x3fff) << 4);
        let rows = matrices.rows[at];
        let element = u64::from(matrices.element.max(1));
        // With a swizzle of 128 bytes, eight rows are a block of 1024 bytes, and all columns are in it. Without one, the second
        // half of the columns is in core matrices at a distance of their own.
        let (start, end) = match (rows, word >> 61 == 0 && word >= 1 << 18) {
            (0, _) => (offset, size),
            // The blocks of a transposed matrix are eight columns of as many rows as the swizzle holds. They repeat in both
            // dimensions, at the two distances.
            (rows, _) if matrices.transposed[at] => {
                let width = match word >> 61 {
                    1 | 2 => 128,
                    4 => 64,
                    6 => 32,
                    _ => 16,
                };
                let across = (u64::from(rows) * element).div_ceil(width).saturating_sub(1);
                let along = (4 / element).max(1) - 1;
                let far =
                    (across * columns + along * stride).max(across * stride + along * columns);
                (offset, (offset + far + 8 * width).min(size))
            }
            (rows, true) => {
                let groups = u64::from(rows).div_ceil(8).saturating_sub(1);
                let far = (groups * stride + columns).max(groups * columns + stride);
                (offset, (offset + far + 128).min(size))
            }
            (rows, false) => {
                let start = offset & !1023;
                let groups = u64::from(rows).div_ceil(8);
                let end = start + groups.saturating_sub(1) * stride + stride.max(1024);
                (start, end.min(size))
            }
        };
        let [start, end] = [start, end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        let group = self.run.owner(object, None);
        let mut buffers = self.run.world.buffers.borrow_mut();
        let range = buffers.instance(object, group, start, end.max(start + 16));
        Ok(Reads::Within(range))
    }
}

/// Whether a module copies to several CTAs at once, or uses tensor cores of two.
pub(in crate::evaluate) fn multicasts(module: &Module) -> bool {
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).any(|one| match &one.kind {
        Kind::Nvidia(Nvidia { kind: NvidiaKind::Tensor { pair, .. }, .. }) => *pair,
        Kind::Nvidia(Nvidia { kind, operands, .. }) => {
            matches!(kind, NvidiaKind::CopyBulk { .. } | NvidiaKind::CopyTensor { .. })
                && operands.get(4).is_some_and(|mask| *mask != Operand::Int(0))
        }
        _ => false,
    })
}
