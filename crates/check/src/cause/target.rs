//! Causes of operations that a target does not support.

use super::{At, causes};
use alloc::string::String;
use alloc::vec::Vec;

causes! {
    /// Causes of operations that a target does not support; `targets` of the same vendor support the operation.
    Lack {
        /// An operation requires named barriers of OpenCL.
        NoNamed "no-named-barriers" { operation: At, target: String, targets: Vec<String> };
        /// An operation exceeds the named barriers of a work-group.
        TooManyNamed "too-many-named-barriers" { operation: At, target: String, targets: Vec<String>, most: u32 };
        /// An operation names an ID that is not one of a named barrier.
        BadId "bad-barrier-id" { operation: At, id: i64 };
        /// An operation requires a kind of barrier.
        NoBarrier "no-such-barrier" { operation: At, target: String, targets: Vec<String>, barrier: &'static str };
        /// An operation uses a trap barrier.
        Trap "trap-barrier" { operation: At };
        /// An operation requires split barriers.
        NoSplit "no-split-barriers" { operation: At, target: String, targets: Vec<String> };
        /// A target does not support an operation.
        NoOperation "no-such-operation" { operation: At, target: String, targets: Vec<String> };
    }
}
