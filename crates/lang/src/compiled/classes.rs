//! What each line of compiled code does.

use alloc::vec::Vec;

/// What a line of compiled code does, the least important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LineClass {
    /// Only computes values.
    Computes,
    /// Contains an instruction that the front end does not know and that cannot affect the verdict.
    Ignored,
    /// Jumps, branches, calls or ends the agent.
    Branches,
    /// Accesses memory.
    Accesses,
    /// Synchronises or orders memory: a barrier operation, a fence, a wait.
    Synchronises,
    /// Contains something that is not modelled: the verdict is `unknown` if an agent reaches it.
    NotModelled,
}

/// Lines, from 1, with their classes, in order; other lines contain no instruction.
pub type LineClasses = Vec<(u32, LineClass)>;
