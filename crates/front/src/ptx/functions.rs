//! Instructions whose results are not followed, but are the same where their operands are.

use super::function::Lowering;
use super::tree::{Line, Operand as Written};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_kernel::ir::{Op, Operand};

/// Instructions whose result in a lane is a function of the operands there.
const OF_LANES: [&str; 18] = [
    "abs", "add", "copysign", "cos", "cvt", "div", "ex2", "fma", "lg2", "mad", "max", "min", "mul",
    "neg", "rcp", "rsqrt", "sqrt", "sub",
];
/// Functions of two operands whose order does not matter.
const SYMMETRIC: [&str; 4] = ["add", "max", "min", "mul"];

impl<'t> Lowering<'_, '_, 't> {
    /// An instruction whose result in each lane is a function of its operands there, which is not followed.
    pub(super) fn function_of_lanes(&mut self, stem: &str, line: &Line<'t>) -> Option<()> {
        let to = self.target(line).filter(|_| OF_LANES.contains(&stem))?;
        let (mut what, mut of) = (String::from(line.head), Vec::new());
        for operand in line.operands.iter().skip(1) {
            match operand {
                Written::Register(register) => of.push(Operand::Register(*register)),
                // A constant is part of the function.
                Written::Number(number) => what += &format!(" {number}"),
                _ => return None,
            }
        }
        let symmetric = SYMMETRIC.contains(&stem) && of.len() == 2;
        self.builder.function_to(to, &what, symmetric, &of);
        Some(())
    }

    /// `redux.sync.max.f32 d, a, membermask`: the threads of a mask get one value, which is not followed.
    pub(super) fn reduced(&mut self, line: &Line<'t>) -> Option<()> {
        let to = self.target(line)?;
        let mask = self.value(line.operands.last()?);
        let first = self.builder.compute(32, Op::CountTrailingZeros, &[mask]);
        self.builder.compute_to(to, Op::Shuffle, &[Operand::Data, first]);
        Some(())
    }
}
