//! Copies between a tile of a tensor in global memory and shared memory.

use super::Reader;
use crate::diagnostic::Diagnostic;
use crate::expression::{Atom, Value};
use crate::lower::code::{Code, Operand};
use crate::vocabulary::Place;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Range, Space};
use tidegate_model::ptx::action::{Action, Name};
use tidegate_model::ptx::tile::{self, Tile};

impl Reader<'_> {
    /// The indices of the coordinate operands.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = usize> {
        let is = |operand: &Operand| matches!(operand, Operand::Value(Place::Coordinate, _));
        (0..).zip(&self.operate.operands).filter(move |(_, operand)| is(operand)).map(|(at, _)| at)
    }

    /// The tile of a tensor that a copy names, and the bytes of its box. The innermost dimension is the first; in TLX
    /// it is the last.
    fn tensor(
        &self,
        code: &Code,
        tensor: Range,
    ) -> Result<Option<(Tile, Option<u32>)>, Diagnostic> {
        let boxed = code.boxes.get(&tensor.buffer);
        let mut indices: Vec<usize> = self.coordinates().collect();
        if indices.is_empty() && boxed.is_none() {
            return Ok(None);
        }
        let known = boxed.or_else(|| self.shape(code, indices.len()));
        let mut tile = known.map_or(Tile::default(), |(tile, _)| *tile);
        if let Some(&beyond) = indices.get(tile::MOST) {
            return self.error(
                "argument-count",
                beyond,
                "a tensor must have at most five dimensions",
            );
        }
        if let Some(&first) = indices.first().filter(|_| boxed.is_some())
            && usize::from(tile.rank) != indices.len()
        {
            let message = format!(
                "expected {} coordinates for the box of this tensor, found {}",
                tile.rank,
                indices.len()
            );
            return self.error("argument-count", first, &message);
        }
        if self.of_tlx() {
            indices.reverse();
            tile.size[..indices.len()].reverse();
        }
        tile.rank = if self.flags.scattered { 0 } else { indices.len() as u8 };
        for (at, index) in indices.into_iter().enumerate() {
            match self.value(index) {
                Some(Value::Int(number)) => tile.at[at] = number as i32,
                _ => tile.unknown |= 1 << at,
            }
        }
        Ok(Some((tile, boxed.map(|(_, bytes)| *bytes))))
    }

    /// The shape of the buffer of a TLX copy, if it has this number of dimensions: the box of its descriptor has that shape.
    fn shape<'c>(&self, code: &'c Code, rank: usize) -> Option<&'c (Tile, u32)> {
        let (first, second) = self.ranges();
        let ranges = [first, second].into_iter().flatten().filter(|_| self.of_tlx());
        let mut shapes = ranges.filter_map(|range| code.boxes.get(&range.buffer));
        shapes.find(|(shape, _)| usize::from(shape.rank) == rank)
    }

    /// Whether an operand that names memory, by its index among those, gives an address without a size.
    fn is_address(&self, which: usize) -> bool {
        let mut operands = self.operate.operands.iter().filter_map(|operand| match operand {
            Operand::Bytes(bytes) => Some(bytes),
            _ => None,
        });
        !self.of_tlx()
            && operands.nth(which).is_some_and(|bytes| match &bytes.range {
                None => bytes.base.is_some() || !self.flags.bulk_group,
                Some((_, end)) => {
                    matches!(end.code[..], [(Atom::Int(end), _)] if end == i64::from(bytes.size))
                }
            })
    }

    /// A copy between a tile of a tensor and shared memory.
    pub(super) fn tensor_copy(
        &self,
        code: &Code,
        (name, ranks): (Option<Name>, Option<u16>),
    ) -> Result<Option<Action>, Diagnostic> {
        let (first, second) = self.ranges();
        let both = [first, second];
        let in_space = |space: Space| {
            both.iter().position(|range| {
                let buffer = range.and_then(|it| code.buffers.get(usize::from(it.buffer)));
                buffer.is_some_and(|buffer| buffer.space == space)
            })
        };
        let Some(tensor) = in_space(Space::Global).and_then(|at| both[at]) else {
            return Ok(None);
        };
        let Some((mut tile, boxed)) = self.tensor(code, tensor)? else { return Ok(None) };
        let shared = in_space(Space::Local);
        let mut near = shared.and_then(|at| both[at]);
        let mut bytes = near.map_or(0, |near| i64::from(near.end - near.start));
        match (boxed, shared) {
            (Some(boxed), Some(which)) => {
                bytes = i64::from(boxed);
                near = self.reached(near, which, bytes)?;
            }
            (Some(boxed), None) => bytes = i64::from(boxed),
            (None, Some(which)) if self.is_address(which) => {
                tile.open = true;
                if let Some(near) = near.as_mut().filter(|_| bytes >= 16) {
                    bytes &= !15;
                    near.end = near.start + bytes as u32;
                }
            }
            _ => {}
        }
        tile.bytes = if tile.open { 0 } else { u32::try_from(bytes).unwrap_or(0) };
        let (to, from) = if name.is_none() { (Some(tensor), near) } else { (near, Some(tensor)) };
        let (reduces, tile) = (self.reduces(), Some(tile));
        Ok(Some(Action::Copy { name, bulk: true, ranks, bytes, to, from, reduces, tile }))
    }
}
