//! The parts of a state that the bound uses.

use crate::agent::{AgentState, Joined};
use crate::bounds::Counts;
use crate::context::Context;
use crate::instance::InstanceId;
use crate::operation::Object;

/// The parts of a state that the bound uses.
pub(crate) struct View<'a> {
    /// The program.
    pub context: &'a Context,
    /// The states of the agents.
    pub agents: &'a [AgentState],
    /// The part of each agent: what agents of another part may still do touches no object that it may touch.
    pub parts: &'a [u32],
    /// Counts by instance.
    pub counts: &'a [Counts],
    /// The number of waits of an agent on an instance that could pass now without another completion.
    pub passable: &'a dyn Fn(usize, InstanceId) -> u32,
    /// The number of the law that `drop_leaves` and `acts_on` belong to.
    pub law: u8,
    /// Whether a *drop* acts on the object joined last, whatever its operand, and undoes the join.
    pub drop_leaves: bool,
    /// Whether only the last wave of a workgroup that ends drops the cluster barrier.
    pub last_drops_cluster: bool,
    /// The instance that a wait acts on, from its operand, the instance that the operand names, and the object joined last;
    /// [`NO_INSTANCE`](crate::instance::NO_INSTANCE) if it passes at once.
    pub acts_on: &'a dyn Fn(Object, InstanceId, Joined) -> InstanceId,
}
