//! Constant memory that describes a launch: the dispatch packet and the implicit arguments.

use alloc::vec::Vec;
use tidegate_kernel::builder::Builder;
use tidegate_kernel::ir::{Content, ObjectId, Operand, Place, Space, Special};

/// A piece of a segment: its offset, its bytes, its value.
pub(super) type Piece = (u32, u8, Operand);

/// Gives an object its content.
pub(super) fn fill(builder: &mut Builder, id: ObjectId, pieces: Vec<Piece>) {
    if let Some(object) = builder.module().objects.get_mut(id as usize) {
        object.content = Content::Pieces(pieces);
    }
}

/// The dispatch packet as an object.
pub(crate) fn packet(builder: &mut Builder, place: Place) -> ObjectId {
    let id = builder.object("dispatch packet", place, Space::Constant, Some(64));
    let dimension = |d: u8| {
        [
            (4 + 2 * u32::from(d), 2, Operand::Special(Special::Threads(d))),
            (12 + 4 * u32::from(d), 4, Operand::Special(Special::AllThreads(d))),
        ]
    };
    fill(builder, id, (0..3).flat_map(dimension).collect());
    id
}

/// The implicit arguments of code object version 5 as an object. A launch has no partial workgroups and no offset.
pub(crate) fn implicit(builder: &mut Builder, place: Place) -> ObjectId {
    let id = builder.object("implicit arguments", place, Space::Constant, Some(256));
    let dimension = |d: u8| {
        let at = u32::from(d);
        [
            (4 * at, 4, Operand::Special(Special::Groups(d))),
            (12 + 2 * at, 2, Operand::Special(Special::Threads(d))),
            (18 + 2 * at, 2, Operand::Int(0)),
            (40 + 8 * at, 8, Operand::Int(0)),
        ]
    };
    let mut pieces: Vec<Piece> = (0..3).flat_map(dimension).collect();
    pieces.sort_unstable_by_key(|(offset, ..)| *offset);
    fill(builder, id, pieces);
    id
}
