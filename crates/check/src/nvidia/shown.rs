//! The display of executions of NVIDIA programs.

use super::replay::{
    Done, Object, Replay, acts_on, begun, copy_label, node_action, object_name, object_of,
};
use super::{known, meeting, stuck};
use crate::cause::Cause;
use crate::graph::ExecutionGraph;
use crate::graph::replayed::memory::{as_far_as_it_fits, view};
use crate::ledger::rows::LedgerRow;
use crate::replay::{Kinds, Steps};
use crate::scene::Scene;
use crate::space::Step;
use crate::step::short::landing;
use crate::step::view::{AgentView, MemoryView, Move, ObjectView};
use crate::step::walk::{Shown, waiting};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::ptx::machine::state::{Copy, State};
use tidegate_model::ptx::word::{Fields, Layout, encode};
use tidegate_model::rule::RuleId;

impl Kinds for Machine {
    fn kind(&self, node: &Node) -> &'static str {
        kind(node)
    }

    fn orders_memory(&self, node: &Node) -> Option<&'static str> {
        match action_of(node) {
            Some(Action::Fence { .. }) => Some("fence"),
            Some(Action::WaitGroup { .. }) => Some("wait-group"),
            _ => None,
        }
    }
}

impl Shown for Machine {
    type Object = Object;

    fn objects(&self, launch: &State) -> Vec<Object> {
        shown(self, launch)
    }

    fn object_of(&self, done: &Done) -> Option<Object> {
        done.note.object
    }

    fn phases(&self, done: &Done) -> (Vec<u32>, bool) {
        let note = &done.note;
        if note.returned {
            // The phase before the running one; of a fresh object there is none.
            return (
                note.phase.and_then(|running| running.checked_sub(1)).into_iter().collect(),
                false,
            );
        }
        let node = &self.context.program.body_of(self.agent_of(done)).nodes[done.node as usize];
        let takes_part = note.completes || kind(node) == "arrive";
        (note.phase.into_iter().filter(|_| takes_part).collect(), note.completes)
    }

    fn is_cut_off(&self, state: &State) -> bool {
        state.stopped
    }

    fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
        stuck::blocked(scene, replay, agent)
    }

    fn ledger(scene: &Scene, replay: &Replay) -> Vec<LedgerRow> {
        super::ledger::rows(scene, replay)
    }

    fn graph(scene: &Scene, replay: &Replay) -> Option<ExecutionGraph> {
        let broken = |rule: &RuleId| replay.state().broken & rule.bit() != 0;
        let rule = RuleId::of_nvidia().find(broken);
        as_far_as_it_fits(|memory| super::related(scene, replay, rule, (false, memory)))
    }

    fn memory(scene: &Scene, replay: &Replay) -> MemoryView {
        let related = || super::related(scene, replay, None, (false, true));
        view(replay, &known::touches(replay), related)
    }

    fn other_way(text: &str) -> String {
        format!("{text} (returns false spuriously)")
    }

    fn is_false(&self, done: &Done) -> bool {
        let body = self.context.program.body_of(self.agent_of(done));
        let waits = kind(&body.nodes[done.node as usize]) == "wait";
        let of_mbarrier = matches!(done.note.object, Some(Object::Mbarrier(_)));
        waits && of_mbarrier && !done.note.returned && done.broke.is_empty()
    }

    fn in_flight(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Move> {
        let (machine, state) = (&replay.machine, replay.state());
        let own = |(_, copy): &(usize, &Copy)| copy.agent as usize == agent;
        let copies = state.copies.iter().enumerate().filter(own);
        let moves = copies.flat_map(|(index, copy)| {
            let actor = state.agents.len() + index;
            (0..machine.ways(state, actor)).map(move |way| {
                let label = copy_label(machine, scene, *copy, way);
                Move {
                    agent,
                    key: replay.next_key(Step { agent: actor, way }),
                    short: landing(&label),
                    label,
                    line: scene.source(agent, copy.node).span.line,
                    enabled: true,
                    blocked: None,
                }
            })
        });
        moves.collect()
    }

    fn object(scene: &Scene, replay: &Replay, object: Object, agents: &[AgentView]) -> ObjectView {
        let state = replay.state();
        let before = replay.before();
        let waiting =
            waiting(agents, |agent| acts_on(&replay.machine, state, agent) == Some(object));
        let name = object_name(scene, &replay.machine, object);
        // Objects without a phase count have completed once for each completing step.
        let ends = |done: &&Done| done.note.object == Some(object) && done.note.completes;
        let completed = replay.done.iter().filter(ends).count() as u32;
        match object {
            Object::Mbarrier(index) => {
                let at = state.mbarriers[index];
                let begun = begun(replay, &replay.done, index, at);
                ObjectView {
                    name,
                    kind: "mbarrier".to_owned(),
                    initialised: at.valid,
                    expected: i64::from(begun),
                    arrived: i64::from(begun) - i64::from(at.pending),
                    completed: at.phase,
                    joined: Vec::new(),
                    waiting,
                    changed: before.is_some_and(|before| before.mbarriers[index] != at),
                    detail: detail(at, begun),
                }
            }
            Object::Bar(index) => {
                let at = state.bars[index];
                let threads = at.threads.unwrap_or(0);
                ObjectView {
                    name,
                    kind: "bar".to_owned(),
                    initialised: true,
                    expected: i64::from(threads),
                    arrived: i64::from(at.arrived),
                    completed,
                    joined: Vec::new(),
                    waiting,
                    changed: before.is_some_and(|before| before.bars[index] != at),
                    detail: if threads == 0 {
                        "idle".to_owned()
                    } else {
                        format!("{} of {threads} threads", at.arrived)
                    },
                }
            }
            Object::Cluster(_) | Object::Warp(_) => {
                let (expected, arrived) = meeting::counts(replay, object);
                let cluster = matches!(object, Object::Cluster(_));
                let acted = replay.done.last().is_some_and(|done| done.note.object == Some(object));
                ObjectView {
                    name,
                    kind: if cluster { "cluster" } else { "warp" }.to_owned(),
                    initialised: true,
                    expected,
                    arrived,
                    completed,
                    joined: Vec::new(),
                    waiting,
                    changed: acted,
                    detail: match (cluster, arrived) {
                        (_, 0) => "idle".to_owned(),
                        (true, _) => format!("{arrived} of {expected} arrived"),
                        (false, _) => format!("{arrived} of {expected} lanes"),
                    },
                }
            }
        }
    }
}

/// Describes the counts of an mbarrier object, and its word under both hypotheses.
fn detail(at: tidegate_model::ptx::object::Mbarrier, begun: i32) -> String {
    if !at.valid {
        return "not initialised".to_owned();
    }
    let fields = Fields {
        parity: at.phase & 1 != 0,
        pending: at.pending as u32,
        expected: at.expected as u32,
        ..Fields::default()
    };
    let word = |layout| encode(layout, fields.with_tx(at.tx));
    let later = match at.expected {
        expected if expected == begun => String::new(),
        expected => format!(", later phases expect {expected}"),
    };
    format!(
        "phase {} (parity {}), {} of {begun} pending{later}, tx {}; word {:016x} or {:016x}",
        at.phase,
        at.phase & 1,
        at.pending,
        at.tx,
        word(Layout::LowPending),
        word(Layout::HighPending)
    )
}

/// Every mbarrier object, and the barriers that the program uses.
fn shown(machine: &Machine, state: &State) -> Vec<Object> {
    let named = machine.context.operations().filter_map(|(agent, node, _)| {
        let object = object_of(machine, agent, node_action(machine, agent, node)?)?;
        (!matches!(object, Object::Mbarrier(_))).then_some(object)
    });
    let named: OrderedSet<Object> = named.collect();
    let mbarriers = (0..state.mbarriers.len()).map(Object::Mbarrier);
    mbarriers.chain(named).collect()
}

fn kind(node: &Node) -> &'static str {
    match action_of(node) {
        Some(Action::Init { .. }) => "init",
        Some(Action::Arrive { .. } | Action::ClusterArrive { .. } | Action::CopyArrive { .. }) => {
            "arrive"
        }
        Some(Action::Wait { .. } | Action::ClusterWait { .. }) => "wait",
        Some(Action::Bar { kind: tidegate_model::ptx::action::Bar::Arrive, .. }) => "arrive",
        Some(Action::Bar { .. } | Action::WarpSync { .. }) => "wait",
        Some(Action::Inval { .. }) => "drop",
        Some(Action::Copy { .. }) => "copy",
        Some(Action::Fence { .. }) => "fence",
        Some(Action::Commit { .. }) => "mark",
        Some(Action::WaitGroup { .. }) => "wait-marks",
        Some(_) => match node {
            Node::Operation { operation, .. } => match operation.action {
                Any::Memory(memory) => crate::step::memory::kind(memory),
                _ => "other",
            },
            _ => "other",
        },
        None if *node == Node::End => "end",
        None if matches!(node, Node::Choose { .. }) => "choose",
        None => "other",
    }
}
