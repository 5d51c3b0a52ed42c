//! The operations of a program that a target does not support. An assembler rejects an instruction even if it is never
//! reached, so this judges the program as written.

use crate::context::Context;
use crate::mem::operation::Memory;
use crate::operation::{Action, Form, Intrinsic, Object, Operation};
use crate::program::{Body, Node, NodeId};
use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;
use crate::target::{Family, Target, TargetId};
use crate::target_set::contract;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An operation that the target does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// The rule: the object or the operation is unsupported, or privileged.
    pub rule: RuleId,
    /// The agent.
    pub agent: usize,
    /// The node of its body.
    pub node: NodeId,
}

/// Every operation of the program that the target does not support.
#[must_use]
pub fn lacking(context: &Context, target: &Target, readings: Readings) -> Vec<Lacking> {
    let bodies: &[Body] = if target.split_barriers { &[] } else { &context.program.bodies };
    let alone: Vec<Vec<bool>> = bodies.iter().map(without_arrive).collect();
    let found = |(agent, node, operation): (usize, NodeId, &Operation)| {
        let body = context.program.agents[agent].body as usize;
        let alone = |node: NodeId| alone.get(body).is_some_and(|alone| alone[node as usize]);
        let rule = check(operation, target, readings).or_else(|| {
            let nodes = &context.program.body_of(agent).nodes;
            split(nodes, target, node, operation, alone)
        })?;
        Some(Lacking { rule, agent, node })
    };
    context.operations().filter_map(found).collect()
}

/// The targets that support an operation which `on` does not: those of the same vendor, or if there are none, of all. An
/// operation that is unsupported only because of its neighbours is half of an `s_barrier`.
#[must_use]
pub fn having(operation: Operation, on: &Target, readings: Readings) -> Vec<TargetId> {
    let beside = check(&operation, on, readings).is_none();
    let of_vendor = |target: &Target| match (target.family, on.family) {
        (Family::Amdgpu { .. }, Family::Amdgpu { .. }) => true,
        (one, other) => one == other,
    };
    let has = |target: &Target| {
        check(&operation, target, readings).is_none() && (!beside || target.split_barriers)
    };
    let mut all: Vec<TargetId> = TargetId::all().filter(|id| has(id.get())).collect();
    if all.iter().any(|id| of_vendor(id.get())) {
        all.retain(|id| of_vendor(id.get()));
    }
    all
}

/// Targets in words: up to three by name, more by versions and ranges (`gfx1250 or gfx1251`, `gfx6-gfx11`); `None` if there
/// is none.
#[must_use]
pub fn named(ids: &[TargetId]) -> Option<String> {
    let names = match ids {
        [] => return None,
        [_] | [_, _] | [_, _, _] => ids.iter().map(|id| String::from(id.get().name)).collect(),
        _ => contract(ids),
    };
    let (last, head) = names.split_last()?;
    Some(if head.is_empty() { last.clone() } else { format!("{} or {last}", head.join(", ")) })
}

/// The rule by which the target does not support an operation, judged by itself.
fn check(operation: &Operation, target: &Target, readings: Readings) -> Option<RuleId> {
    if let Action::Memory(memory) = operation.action {
        return lacks_memory(memory, operation.form, target);
    }
    if let Action::Opencl(action) = operation.action {
        return crate::opencl::support::lacks(action, target);
    }
    if let Action::Ptx(_, spelling) = operation.action {
        return crate::ptx::support::lacks(spelling, target);
    }
    match target.family {
        Family::Nvidia | Family::Opencl => Some(RuleId::AmdOperationUnsupported),
        Family::Model => lacks_object(operation, target),
        Family::Amdgpu { .. } => {
            lacks_object(operation, target).or_else(|| lacks_operation(operation, target, readings))
        }
    }
}

/// Every target supports accesses and fences. Waits for counters are machine code, and async marks have their own targets.
fn lacks_memory(memory: Memory, form: Form, target: &Target) -> Option<RuleId> {
    match (memory, form) {
        (Memory::Copy { .. } | Memory::Mark | Memory::WaitMarks(_), _) => {
            (!target.async_marks).then_some(RuleId::AsyncUnsupported)
        }
        (_, Form::Machine(mnemonic)) => {
            (!target.has(mnemonic)).then_some(RuleId::AmdOperationUnsupported)
        }
        _ => None,
    }
}

/// Table "s_barrier IDs GFX12": the objects of a target.
fn lacks_object(operation: &Operation, target: &Target) -> Option<RuleId> {
    let missing = |has: bool| (!has).then_some(RuleId::AmdObjectUnsupported);
    match operation.action.object()? {
        Object::Workgroup => None,
        Object::Cluster => missing(target.cluster_barriers),
        Object::Null | Object::Named(_) => missing(target.named_barriers),
        Object::Plain(_) => missing(target.split_barriers),
        Object::Trap(_) => Some(RuleId::AmdOperationPrivileged),
        Object::Outside(_) => Some(RuleId::AmdObjectUnsupported),
    }
}

/// Tables "s_barrier GFX6-11" and "s_barrier GFX12": the operations of a target on an object that it provides.
fn lacks_operation(operation: &Operation, target: &Target, readings: Readings) -> Option<RuleId> {
    let launched = matches!(operation.action.object(), Some(Object::Workgroup | Object::Cluster));
    let has = match (operation.form, operation.action) {
        (Form::Machine(mnemonic), _) if !target.has(mnemonic) => false,
        (Form::Intrinsic(intrinsic), _) if is_split(intrinsic) && !target.split_barriers => false,
        (_, Action::Init { .. } | Action::Drop { .. }) => !launched,
        (_, Action::Join { .. } | Action::Leave) => target.named_barriers && !launched,
        (_, Action::Arrive { object: Object::Cluster, is_first: true, .. }) => {
            readings.is_default(ReadingId::AmdA14)
        }
        (_, Action::Arrive { expected: Some(_), .. }) => !launched,
        _ => true,
    };
    (!has).then_some(RuleId::AmdOperationUnsupported)
}

/// Whether an intrinsic is an instruction of the split barriers. Before GFX12 compilers reject it, even if a *wait* directly
/// follows an *arrive*.
const fn is_split(intrinsic: Intrinsic) -> bool {
    !matches!(
        intrinsic,
        Intrinsic::SBarrier | Intrinsic::Fence | Intrinsic::Async | Intrinsic::AsyncBuffer
    )
}

/// GFX6 to GFX11 have no separate *arrive* and *wait*. An *arrive* at the workgroup barrier that a *wait* directly follows is
/// one `s_barrier`; neither exists by itself.
fn split(
    nodes: &[Node],
    target: &Target,
    node: NodeId,
    operation: &Operation,
    alone: impl Fn(NodeId) -> bool,
) -> Option<RuleId> {
    if target.split_barriers {
        return None;
    }
    let paired = match operation.action {
        Action::Arrive { is_first: false, expected: None, .. } => {
            successors(&nodes[node as usize]).all(|next| waits(&nodes[next as usize]))
        }
        Action::Arrive { .. } => false,
        Action::Wait { .. } => node != 0 && !alone(node),
        _ => true,
    };
    (!paired).then_some(RuleId::AmdOperationUnsupported)
}

/// For each node of a body, whether it directly follows a node that is not an arrive at the workgroup barrier.
fn without_arrive(body: &Body) -> Vec<bool> {
    let mut alone = alloc::vec![false; body.nodes.len()];
    for (id, before) in (0..).zip(&body.nodes).filter(|(_, before)| !arrives(before)) {
        for next in successors(before).filter(|&next| next != id) {
            alone[next as usize] = true;
        }
    }
    alone
}

fn successors(node: &Node) -> impl Iterator<Item = NodeId> {
    crate::program::successors(node).iter().copied()
}

fn waits(node: &Node) -> bool {
    matches!(
        node,
        Node::Operation {
            operation: Operation { action: Action::Wait { object: Object::Workgroup }, .. },
            ..
        }
    )
}

fn arrives(node: &Node) -> bool {
    let arrive = |action| {
        matches!(
            action,
            Action::Arrive { object: Object::Workgroup, expected: None, is_first: false }
        )
    };
    matches!(node, Node::Operation { operation, .. } if arrive(operation.action))
}

#[cfg(test)]
mod tests;
