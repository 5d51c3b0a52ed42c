//! The state of an agent of AMDGPU.

use crate::instance::InstanceId;

/// The object that an agent joined last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Joined {
    /// It has joined no object.
    #[default]
    Nothing,
    /// The NULL barrier.
    Null,
    /// A named barrier; `true` while no drop has broken *barrier-joined-before*.
    Named(InstanceId, bool),
}

/// The state of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentState {
    /// Its node.
    pub node: u32,
    /// The object that it joined last.
    pub joined: Joined,
    /// Whether it has ended.
    pub ended: bool,
}
