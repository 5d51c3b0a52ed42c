//! The display of executions of OpenCL programs.

use super::object::{Object, action_at, name, object_of, used};
use super::replay::{Done, Replay, completed};
use super::{known, ledger, tell};
use crate::cause::Cause;
use crate::graph::ExecutionGraph;
use crate::graph::replayed::memory::{as_far_as_it_fits, view};
use crate::ledger::rows::LedgerRow;
use crate::replay::Kinds;
use crate::scene::Scene;
use crate::step::view::{AgentView, MemoryView, ObjectView};
use crate::step::walk::Shown;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::machine::state::{Split, State};
use tidegate_model::program::Node;
use tidegate_model::rule::RuleId;

impl Kinds for Machine {
    fn kind(&self, node: &Node) -> &'static str {
        kind(node)
    }
}

impl Shown for Machine {
    type Object = Object;
    const AGENT: &'static str = "work-item";

    fn objects(&self, _launch: &State) -> Vec<Object> {
        used(self)
    }

    fn object_of(&self, done: &Done) -> Option<Object> {
        let action = action_at(self, done.step.agent, done.node)?;
        Some(object_of(self, done.step.agent, action))
    }

    fn phases(&self, done: &Done) -> (Vec<u32>, bool) {
        (Vec::new(), done.note.completes)
    }

    fn is_cut_off(&self, state: &State) -> bool {
        state.stopped
    }

    fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
        Vec::from([tell::blocked(scene, replay, agent)])
    }

    fn ledger(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
        ledger::rows(scene, replay)
    }

    fn graph(scene: &Scene, replay: &Replay) -> Option<ExecutionGraph> {
        let broken = |rule: &RuleId| replay.state().broken & rule.bit() != 0;
        let rule = RuleId::of_opencl().find(broken);
        as_far_as_it_fits(|memory| super::related(scene, replay, rule, (false, memory)))
    }

    fn memory(scene: &Scene, replay: &Replay) -> MemoryView {
        let related = || super::related(scene, replay, None, (false, true));
        view(replay, &known::touches(replay), related)
    }

    fn sub_group_of(&self, agent: usize) -> Option<u32> {
        Some(self.sub_group(agent) as u32)
    }

    fn object(scene: &Scene, replay: &Replay, object: Object, _agents: &[AgentView]) -> ObjectView {
        let machine = &replay.machine;
        let state = replay.state();
        let at = |agent: &usize| {
            machine
                .waits_at(state, *agent)
                .is_some_and(|action| object_of(machine, *agent, action) == object)
        };
        let waiting: Vec<usize> = (0..state.agents.len()).filter(at).collect();
        let (expected, arrived, kind) = match object {
            Object::WorkGroup(group) => {
                (machine.in_group(group).len() as i64, waiting.len() as i64, "workgroup")
            }
            Object::SubGroup(sub_group) => {
                (machine.in_sub_group(sub_group).len() as i64, waiting.len() as i64, "subgroup")
            }
            Object::Split(group) => {
                let arrived = |&agent: &usize| state.agents[agent].split == Split::Arrived;
                let all = machine.in_group(group);
                (all.len() as i64, all.filter(arrived).count() as i64, "split")
            }
            Object::Named(group, declared) => {
                let made = machine
                    .in_group(group)
                    .find_map(|agent| Some((machine.object(state, agent, declared)?, agent)));
                let count = made.map_or(0, |(object, _)| object.count);
                let arrived =
                    made.map_or(0, |(_, agent)| machine.waiting_on(state, agent, declared).len());
                (i64::from(count), arrived as i64, "named")
            }
        };
        let last = replay.done.last();
        let changed = last.is_some_and(|done| {
            action_at(machine, done.step.agent, done.node)
                .is_some_and(|action| object_of(machine, done.step.agent, action) == object)
        });
        ObjectView {
            name: name(scene, machine, object),
            kind: kind.to_owned(),
            initialised: !matches!(object, Object::Named(..)) || expected > 0,
            expected,
            arrived,
            completed: completed(replay, object),
            joined: Vec::new(),
            waiting: waiting.into_iter().map(|agent| scene.agent_name(agent).to_owned()).collect(),
            changed,
            detail: match object {
                Object::Named(..) => format!("{arrived} of {expected} sub-groups"),
                _ => format!("{arrived} of {expected} work-items"),
            },
        }
    }
}

fn kind(node: &Node) -> &'static str {
    use tidegate_model::mem::operation::Memory;
    use tidegate_model::operation::Action as Any;
    match node {
        Node::End => "end",
        Node::Choose { .. } => "choose",
        Node::Divergent => "other",
        Node::Operation { operation, .. } => match operation.action {
            Any::Opencl(Action::Construct { .. }) => "init",
            Any::Opencl(Action::Arrive { .. }) => "arrive",
            Any::Opencl(_) => "wait",
            Any::Memory(Memory::Load(_)) => "load",
            Any::Memory(Memory::Store(_)) => "store",
            Any::Memory(Memory::Fence(_)) => "fence",
            _ => "other",
        },
    }
}
