//! The ledger of every AMDGPU barrier after an execution.

use crate::explain;
use crate::ledger::rows::{LedgerAgent, LedgerRow};
use crate::replay::amdgpu::{Replay, acts_on};
use crate::scene::Scene;
use crate::tell;
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::{Action, Object};
use tidegate_model::program::Node;

/// One row for each barrier.
pub(crate) fn rows(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
    let objects = 0..replay.state().objects.len() as InstanceId;
    objects.map(|instance| row(scene, replay, instance)).collect()
}

fn row(scene: &Scene, replay: &Replay, instance: InstanceId) -> LedgerRow {
    let object = &replay.state().objects[usize::from(instance)];
    let agents = 0..replay.state().agents.len();
    let of = |uses: fn(Action) -> bool| -> Vec<LedgerAgent> {
        let entries = agents.clone().map(|agent| entry(scene, replay, instance, agent, uses));
        entries.filter(|it| it.written > 0 || it.performed > 0).collect()
    };
    let blocked: Vec<usize> =
        agents.clone().filter(|&agent| is_blocked(replay, instance, agent)).collect();
    LedgerRow {
        object: scene.instance_name(instance),
        kind: match replay.machine.context.object(instance) {
            Object::Workgroup => "workgroup",
            Object::Cluster => "cluster",
            Object::Plain(_) => "plain",
            _ => "named",
        }
        .to_owned(),
        phase: object.barrier.initialised.then_some(object.completed),
        expected: i64::from(object.barrier.expected),
        pending: i64::from(object.barrier.expected) - i64::from(object.barrier.arrived),
        bytes: 0,
        arrives: of(is_arrive),
        waits: of(is_wait),
        missing: tell::in_one_line(scene, &explain::blocked_alike(scene, replay, &blocked)),
    }
}

const fn is_arrive(action: Action) -> bool {
    matches!(action, Action::Arrive { .. } | Action::Drop { .. } | Action::Leave)
}

const fn is_wait(action: Action) -> bool {
    matches!(action, Action::Wait { .. })
}

/// Whether an agent is at a wait.
fn is_blocked(replay: &Replay, instance: InstanceId, agent: usize) -> bool {
    let (machine, state) = (&replay.machine, replay.state());
    // After undefined behaviour no agent continues, but none is blocked.
    state.stop.is_none()
        && !state.agents[agent].ended
        && machine.ways(state, agent) == 0
        && acts_on(machine, state, agent) == Some(instance)
}

fn entry(
    scene: &Scene,
    replay: &Replay,
    instance: InstanceId,
    agent: usize,
    uses: fn(Action) -> bool,
) -> LedgerAgent {
    let context = &replay.machine.context;
    let nodes = &context.program.body_of(agent).nodes;
    let is = |node: u32| match nodes.get(node as usize) {
        Some(Node::Operation { operation, .. }) => uses(operation.action),
        _ => false,
    };
    let written = (0..nodes.len() as u32)
        .filter(|&node| is(node) && context.instances.at(agent, node) == instance);
    let own = replay.done.iter().filter(|done| done.step.agent == agent);
    let performed = own.filter(|done| done.note.instance == Some(instance) && is(done.node));
    LedgerAgent {
        agent: scene.agent_name(agent).to_owned(),
        written: written.count() as u32,
        performed: performed.count() as u32,
        blocked: uses(Action::Wait { object: Object::Null }) && is_blocked(replay, instance, agent),
    }
}
