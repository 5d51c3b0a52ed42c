//! One execution of an NVIDIA program, step by step, with the effects of each step.

use crate::cause::field::Act;
use crate::cause::ptx::Counts;
use crate::replay::Steps;
use crate::scene::Scene;
use crate::space::Step;
use crate::tell::names::number;
use alloc::format;
use alloc::string::String;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Range;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::bar::BARS;
use tidegate_model::ptx::cluster::arrive_once::Standing;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::ptx::machine::one_run::Located;
use tidegate_model::ptx::machine::state::{Copy, Held, State};
use tidegate_model::ptx::object::Mbarrier;

/// An object that a step acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    /// By index in the state.
    Mbarrier(usize),
    /// By index in the state.
    Bar(usize),
    /// The barrier of a cluster, by its number.
    Cluster(usize),
    /// `bar.warp.sync` of a warp, by its number among all warps.
    Warp(usize),
}

/// An execution so far.
pub(crate) type Replay = crate::replay::Replay<Machine>;
/// A performed step.
pub(crate) type Done = crate::replay::Done<Note>;

/// The note of a step.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    /// For a copy what it was before the step.
    pub copy: Option<Copy>,
    /// The object.
    pub object: Option<Object>,
    /// For an mbarrier, the phase during the step.
    pub phase: Option<u32>,
    /// Whether it completed a phase or a generation.
    pub completes: bool,
    /// Whether it is a wait by an mbarrier object that returned, or said yes.
    pub returned: bool,
}

impl Steps for Machine {
    type Note = Note;

    fn note(&self, before: &State, step: Step, after: &State) -> Note {
        let copy = step.agent.checked_sub(before.agents.len()).map(|index| before.copies[index]);
        let object = match copy {
            Some(copy) => Some(Object::Mbarrier(copy.object as usize)),
            None => acts_on(self, before, step.agent)
                .or_else(|| completed_by_end(self, [before, after], step.agent)),
        };
        let (phase, completes) = match object {
            Some(Object::Mbarrier(index)) => {
                let phase = before.mbarriers[index].phase;
                (Some(phase), before.mbarriers[index].valid && after.mbarriers[index].phase > phase)
            }
            Some(Object::Bar(index)) => {
                // A lane that waits for its warp has not arrived yet.
                let arrives = after.agents[step.agent].held != Held::Gathering;
                (None, arrives && after.bars[index].arrived == 0 && !after.stopped)
            }
            Some(Object::Cluster(_)) => (None, turns(self, [before, after], step.agent)),
            Some(Object::Warp(_)) => (None, after.agents[step.agent].held == Held::Free),
            None => (None, false),
        };
        let asks = || self.passes(before, step.agent, before.agents[step.agent].node);
        let returned = copy.is_none() && step.way == 0 && !after.stopped && asks() == Some(true);
        Note { copy, object, phase, completes, returned }
    }

    fn agent_of(&self, done: &Done) -> usize {
        done.note.copy.map_or(done.step.agent, |copy| copy.agent as usize)
    }

    fn flying(&self, scene: &Scene, done: &Done) -> Option<String> {
        done.note.copy.map(|copy| copy_label(self, scene, copy, done.step.way))
    }

    fn object_name(&self, scene: &Scene, object: usize) -> String {
        let object = match self.located(object) {
            Located::Mbarrier(index) => Object::Mbarrier(index),
            Located::Bar(index) => Object::Bar(index),
            Located::Cluster(cluster) => Object::Cluster(cluster),
            Located::Presence(cta) => return format!("presence of CTA {cta}"),
        };
        object_name(scene, self, object)
    }

    /// PTX counts the phases of mbarrier objects from 0.
    fn first_phase(&self, object: usize) -> u32 {
        u32::from(!matches!(self.located(object), Located::Mbarrier(_)))
    }
}

/// Whether the phase of an agent's cluster barrier completes.
pub(super) fn turns(machine: &Machine, [before, after]: [&State; 2], agent: usize) -> bool {
    machine.in_cluster(agent).any(|other| {
        let [was, is] = [before, after].map(|state| state.agents[other].cluster);
        was != Standing::Released && is == Standing::Released
    })
}

/// The barrier whose phase the end of an agent completes, because ended agents do not count.
fn completed_by_end(machine: &Machine, states: [&State; 2], agent: usize) -> Option<Object> {
    let [before, after] = states;
    if before.agents[agent].ended || !after.agents[agent].ended || after.stopped {
        return None;
    }
    if turns(machine, states, agent) {
        let cluster = machine.context.program.launch.cluster_of(machine.cta(agent));
        return Some(Object::Cluster(cluster as usize));
    }
    // Waiting agents continue, or a warp with an ended lane arrives at last.
    machine.in_cta(machine.cta(agent)).find_map(|other| {
        let [was, is] = states.map(|state| state.agents[other].held);
        let object =
            acts_on(machine, before, other).filter(|_| was != Held::Free && is == Held::Free);
        match object? {
            Object::Bar(index) if after.agents[other].bars >> (index % BARS) & 1 == 0 => object,
            _ => None,
        }
    })
}

/// The object of the next step of an agent.
pub(crate) fn acts_on(machine: &Machine, state: &State, agent: usize) -> Option<Object> {
    object_of(machine, agent, machine.node(state, agent).and_then(action_of)?)
}

/// The object that an operation of an agent names.
pub(crate) fn object_of(machine: &Machine, agent: usize, action: Action) -> Option<Object> {
    match action {
        Action::Bar { id, .. } => {
            let id = usize::try_from(id).ok().filter(|&id| id < BARS)?;
            Some(Object::Bar(machine.cta(agent) as usize * BARS + id))
        }
        Action::ClusterArrive { .. } | Action::ClusterWait { .. } => {
            let cluster = machine.context.program.launch.cluster_of(machine.cta(agent));
            Some(Object::Cluster(cluster as usize))
        }
        // If a warp is one agent, its lanes never diverge.
        Action::WarpSync { .. } if machine.context.program.launch.lanes == 1 => None,
        Action::WarpSync { .. } => {
            let warps = machine.context.program.launch.waves;
            Some(Object::Warp((machine.cta(agent) * warps + machine.warp(agent)) as usize))
        }
        action => Some(Object::Mbarrier(machine.object(agent, action.name()?)?.0)),
    }
}

/// The expected arrivals at the beginning of the current phase of an mbarrier object; after a drop, later phases expect
/// fewer.
pub(crate) fn begun(replay: &Replay, steps: &[Done], index: usize, at: Mbarrier) -> i32 {
    let of = |done: &&Done| done.note.object == Some(Object::Mbarrier(index));
    let action = |done: &Done| done_action(&replay.machine, done);
    let lived = steps.iter().rev().filter(of).take_while(|done| {
        let running = done.note.phase == Some(at.phase) && !done.note.completes;
        running && !matches!(action(done), Some(Action::Init { .. }))
    });
    let dropped = lived.filter_map(|done| match action(done)? {
        Action::Arrive { form, .. } if form.drop => i32::try_from(form.count).ok(),
        _ => None,
    });
    dropped.fold(at.expected, i32::saturating_add)
}

/// The counts of an mbarrier object after steps.
pub(crate) fn counts(replay: &Replay, steps: &[Done], index: usize, at: Mbarrier) -> Counts {
    let expected = begun(replay, steps, index, at);
    let (valid, phase) = (at.valid, at.phase);
    Counts { valid, phase, arrived: expected - at.pending, expected, bytes: at.tx }
}

/// The operation of a step, or the copy of the step.
pub(crate) fn act(done: &Done) -> Act {
    match done.note.copy {
        Some(copy) if copy.left.is_some() => Act::Copy((copy.agent as usize, done.node)),
        Some(copy) => Act::Arrive((copy.agent as usize, done.node)),
        None => Act::Operation((done.step.agent, done.node)),
    }
}

/// Describes a step of a copy in flight.
pub(crate) fn copy_label(machine: &Machine, scene: &Scene, copy: Copy, way: usize) -> String {
    let name = object_name(scene, machine, Object::Mbarrier(copy.object as usize));
    match copy.left {
        None => format!("arrive at {name} after cp.async"),
        Some(left) if way == 0 => {
            format!("complete {} at {name}", number(i64::from(left), "byte"))
        }
        Some(_) => format!("complete part of the bytes at {name}"),
    }
}

/// The name of an object, with its CTA if there are several.
pub(crate) fn object_name(scene: &Scene, machine: &Machine, object: Object) -> String {
    let launch = machine.context.program.launch;
    let (name, cta) = match object {
        Object::Mbarrier(index) => {
            let (declared, cta) = machine.named(index);
            (scene.mbarrier_name(declared), cta)
        }
        Object::Bar(index) => (format!("barrier {}", index % BARS), (index / BARS) as u32),
        Object::Cluster(cluster) if launch.clusters > 1 => {
            return format!("the barrier of cluster {cluster}");
        }
        Object::Cluster(_) => return "the cluster barrier".into(),
        Object::Warp(index) => {
            let warps = (launch.waves as usize).max(1);
            (format!("bar.warp.sync of warp {}", index % warps), (index / warps) as u32)
        }
    };
    if launch.workgroups > 1 { format!("{name} of cta {cta}") } else { name }
}

/// The action of a node of an agent.
pub(crate) fn node_action(machine: &Machine, agent: usize, node: u32) -> Option<Action> {
    action_of(&machine.context.program.body_of(agent).nodes[node as usize])
}

/// The action of a step of an agent; `None` for a step of a copy.
pub(crate) fn done_action(machine: &Machine, done: &Done) -> Option<Action> {
    match done.note.copy {
        Some(_) => None,
        None => node_action(machine, done.step.agent, done.node),
    }
}

/// The bytes of declared memories that the operation of a step accesses itself, and whether it writes them.
pub(super) fn accesses_of(replay: &Replay, done: &Done) -> impl Iterator<Item = (Range, bool)> {
    let program = &replay.machine.context.program;
    let action = match &program.body_of(done.step.agent).nodes[done.node as usize] {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    };
    action
        .into_iter()
        .flat_map(accesses)
        .map(|access| (program.declared(access.range).0, access.write))
}
