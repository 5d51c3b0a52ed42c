//! The calls of a function that copy for a work-group.

use alloc::vec::Vec;
use tidegate_kernel::builder::FunctionBuilder;
use tidegate_kernel::ir::{Op, Operand, Reg, Space};

/// What is known of the copies of a call before its function is lowered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) spaces: [Space; 2],
    pub(super) bytes: u32,
    /// Whether the number of elements is an operand; `bytes` are then those of one.
    pub(super) counted: bool,
    pub(super) anywhere: bool,
    /// Whether its event is a number or an address: then it is followed.
    pub(super) followed: bool,
}

/// A copy in flight: the registers of its addresses, of its number of elements and of its event, and whether it is in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) addresses: [Reg; 2],
    pub(super) count: Reg,
    pub(super) event: Reg,
    pub(super) pending: Reg,
}

/// A call that copies.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) shape: Shape,
    pub(super) slots: [Slot; 2],
    /// The slot of the next copy.
    pub(super) turn: Reg,
}

/// The calls of a function that copy.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Those that were found, in the order of the text.
    pub(super) found: Vec<Shape>,
    /// The same from the start of the function on, if it is lowered again with what was found.
    pub(super) sites: Vec<Site>,
}

impl Copies {
    /// Registers for calls that were found, at the start of a function.
    pub(super) fn start(found: Vec<Shape>, code: &mut FunctionBuilder) -> Self {
        let mut zero = |width| {
            let register = code.register(width);
            code.compute_to(register, Op::Copy, &[Operand::Int(0)]);
            register
        };
        let mut site = |shape| {
            let mut slot = || Slot {
                addresses: [zero(64), zero(64)],
                count: zero(64),
                event: zero(64),
                pending: zero(1),
            };
            Site { shape, slots: [slot(), slot()], turn: zero(1) }
        };
        Self { sites: found.into_iter().map(&mut site).collect(), found: Vec::new() }
    }
}
