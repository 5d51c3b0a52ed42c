//! OpenCL C++: recognised by its shape, not judged yet; its functions that say where a work-item stands are known.
//!
//! To add an operation: 1. give this module a table of rows as in `llvm.rs`, with the function's name, its operands in
//! order, its effect; 2. add the effect and its meaning to `effect.rs`, and the action to the model; 3. take the shape
//! out of [`recognises`], and add a scenario that uses the operation, and a wrong one with its diagnostic, to
//! `tests/diagnostics.txt`.

use crate::expression::{Atom, Binary, Builtin};

/// Whether an operation with this head, followed by this token, is one of OpenCL C++.
pub(crate) fn recognises(head: &str, next: &str) -> bool {
    match next {
        "(" => {
            matches!(head, "work_group_barrier" | "sub_group_barrier") || head.ends_with(".wait")
        }
        "<" => matches!(head, "local" | "global" | "priv" | "constant"),
        _ => head == "work_group_named_barrier",
    }
}

/// A function without side effects: its name, whether it takes the number of a dimension, and its value as code.
pub(crate) type Function = (&'static str, bool, &'static [Atom]);

const WAVE: &[Atom] = &[Atom::Builtin(Builtin::WaveId)];
const WAVES: &[Atom] = &[Atom::Builtin(Builtin::Waves)];
const WORKGROUP: &[Atom] = &[Atom::Builtin(Builtin::WorkgroupId)];
const ITEM: &[Atom] = &[
    Atom::Builtin(Builtin::WaveId),
    Atom::Builtin(Builtin::Lanes),
    Atom::Binary(Binary::Multiply),
    Atom::Builtin(Builtin::LaneId),
    Atom::Binary(Binary::Add),
];

/// The functions that expressions may call.
pub(crate) const FUNCTIONS: [Function; 4] = [
    ("get_sub_group_id", false, WAVE),
    ("get_num_sub_groups", false, WAVES),
    ("get_group_id", true, WORKGROUP),
    ("get_local_id", true, ITEM),
];
