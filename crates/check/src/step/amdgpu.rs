//! The display of executions of AMDGPU programs.

use super::view::{AgentView, CounterView, MemoryView, ObjectView};
use super::walk::{Shown, named, waiting};
use crate::cause::Cause;
use crate::explain;
use crate::graph::ExecutionGraph;
use crate::graph::build::of_replay;
use crate::ledger::rows::LedgerRow;
use crate::replay::Kinds;
use crate::replay::amdgpu::{Done, Replay, acts_on};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::agent::Joined;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::{Action, Object};
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::{State, Stop};

impl Kinds for Spec {
    fn kind(&self, node: &Node) -> &'static str {
        kind(node)
    }
}

impl Shown for Spec {
    type Object = InstanceId;

    fn objects(&self, launch: &State) -> Vec<InstanceId> {
        (0..launch.objects.len() as InstanceId).collect()
    }

    fn object_of(&self, done: &Done) -> Option<InstanceId> {
        done.note.instance
    }

    fn phases(&self, done: &Done) -> (Vec<u32>, bool) {
        (done.note.phases.iter().map(|phase| phase + 1).collect(), done.note.completes)
    }

    fn is_cut_off(&self, state: &State) -> bool {
        state.stop.is_some()
    }

    fn overflows(&self, state: &State) -> bool {
        matches!(state.stop, Some(Stop::Overflow(_)))
    }

    fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
        explain::blocked(scene, replay, agent)
    }

    fn joined(&self, scene: &Scene, state: &State, agent: usize) -> Option<String> {
        match state.agents[agent].joined {
            Joined::Nothing => None,
            Joined::Null => Some(scene.object_name(Object::Null)),
            Joined::Named(instance, _) => Some(scene.instance_name(instance)),
        }
    }

    fn memory(scene: &Scene, replay: &Replay) -> MemoryView {
        super::memory::view(scene, replay)
    }

    fn counters(replay: &Replay) -> Vec<CounterView> {
        super::memory::counters_of(replay)
    }

    fn ledger(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
        super::ledger::rows(scene, replay)
    }

    fn graph(scene: &Scene, replay: &Replay) -> Option<ExecutionGraph> {
        let broken = Self::broken_somewhere(replay.state());
        let rule = RuleId::ALL.into_iter().find(|rule| broken & 1 << rule.number() != 0);
        let graph = of_replay(scene, replay.clone(), rule)?;
        let memory = graph.clone().with_memory(scene);
        Some(memory.unwrap_or(graph))
    }

    fn object(
        scene: &Scene,
        replay: &Replay,
        instance: InstanceId,
        agents: &[AgentView],
    ) -> ObjectView {
        let state = replay.state();
        let index = usize::from(instance);
        let object = &state.objects[index];
        let before = replay.before();
        ObjectView {
            name: scene.instance_name(instance),
            kind: class(replay.machine.context.object(instance)).to_owned(),
            initialised: object.barrier.initialised,
            expected: i64::from(object.barrier.expected),
            arrived: i64::from(object.barrier.arrived),
            completed: object.completed,
            joined: named(
                agents,
                |agent| matches!(state.agents[agent].joined, Joined::Named(id, _) if id == instance),
            ),
            waiting: waiting(agents, |agent| {
                acts_on(&replay.machine, state, agent) == Some(instance)
            }),
            changed: before.is_some_and(|before| {
                (before.objects[index].barrier, before.objects[index].completed)
                    != (object.barrier, object.completed)
            }),
            detail: String::new(),
        }
    }
}

/// The kind of an object, as in [`ObjectView::kind`].
pub(super) const fn class(object: Object) -> &'static str {
    match object {
        Object::Workgroup => "workgroup",
        Object::Cluster => "cluster",
        Object::Plain(_) => "plain",
        _ => "named",
    }
}

/// The kind of an operation of the model, as in [`super::Performed::kind`].
pub(super) fn kind(node: &Node) -> &'static str {
    match node {
        Node::End => "end",
        Node::Choose { .. } => "choose",
        Node::Divergent => "other",
        Node::Operation { operation, .. } => match operation.action {
            Action::Init { .. } => "init",
            Action::Arrive { .. } => "arrive",
            Action::Wait { .. } => "wait",
            Action::Drop { .. } | Action::Leave => "drop",
            Action::Join { .. } => "join",
            Action::Memory(memory) => super::memory::kind(memory),
            Action::ReadState { .. }
            | Action::Ptx(..)
            | Action::Opencl(_)
            | Action::Caches
            | Action::Condition(_) => "other",
        },
    }
}
