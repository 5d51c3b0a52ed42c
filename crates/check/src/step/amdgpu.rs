//! Stepping through one execution of the barriers of AMDGPU.

use super::{AgentView, Move, ObjectView, Performed, StepError, View};
use crate::explain;
use crate::finding;
use crate::judge::{self, Step};
use crate::replay::{Done, Replay};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::frozen::Joined;
use tidegate_model::operation::{Action, Object};
use tidegate_model::program::Node;
use tidegate_model::spec::state::Stop;

/// One execution of a scenario, with a cursor.
#[derive(Clone, Debug)]
pub(crate) struct Stepper {
    scene: Scene,
    replay: Replay,
    undone: Vec<Step>,
}

impl Stepper {
    /// Starts at launch; `None` when the scenario cannot be judged or is too large to be stepped.
    pub(crate) fn new(scene: &Scene, options: &Options) -> Option<Self> {
        let target = options.target_of(scene).get();
        let spec = judge::spec(&scene.context()?, options.readings_of(scene), target)?;
        Some(Self { scene: scene.clone(), replay: Replay::new(spec), undone: Vec::new() })
    }

    /// Performs the step of that key. Steps that were undone can be performed again afterwards only if this was the next
    /// of them.
    ///
    /// # Errors
    /// When there is no such step, or it cannot be performed now; nothing changes then.
    pub(crate) fn perform(&mut self, key: &str) -> Result<(), StepError> {
        let step = self.find(key)?;
        if !self.replay.perform(step) {
            return Err(StepError::Blocked(key.to_owned()));
        }
        if self.undone.last() == Some(&step) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    /// What is in flight, and which fences synchronize.
    pub(super) fn memory(&self) -> super::MemoryView {
        super::memory::view(&self.scene, &self.replay)
    }

    /// The counters of every agent.
    pub(super) fn counters(&self) -> Vec<super::CounterView> {
        super::memory::counters_of(&self.replay)
    }

    /// Undoes the last step; `false` at launch.
    pub(crate) fn back(&mut self) -> bool {
        let Some(done) = self.replay.undo() else { return false };
        self.undone.push(done.step);
        true
    }

    /// Performs the step undone last again; `false` where there is none.
    pub(crate) fn forward(&mut self) -> bool {
        let Some(&step) = self.undone.last() else { return false };
        let performed = self.replay.perform(step);
        if performed {
            self.undone.pop();
        }
        performed
    }

    /// How many steps are performed.
    pub(crate) fn length(&self) -> usize {
        self.replay.done.len()
    }

    /// Forgets what was undone.
    pub(crate) fn forget(&mut self) {
        self.undone.clear();
    }

    /// The keys of the performed steps.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.replay.done.iter().map(|done| self.key(done.step, done.node, done.ordinal)).collect()
    }

    /// The execution so far, and where it stands.
    pub(crate) fn view(&self) -> View {
        let state = self.replay.state();
        let agents: Vec<AgentView> =
            (0..state.agents.len()).map(|agent| self.agent(agent)).collect();
        let (standing, summary) = self.standing(&agents);
        View {
            performed: self.replay.done.iter().map(|done| self.performed(done)).collect(),
            undone: self.undone_keys(),
            objects: (0..state.objects.len())
                .map(|object| self.object(object as u16, &agents))
                .collect(),
            agents,
            state: standing.to_owned(),
            summary,
        }
    }

    fn key(&self, step: Step, node: u32, ordinal: u32) -> String {
        finding::key(&self.replay.spec.context.program, step, node, ordinal)
    }

    /// The step that a key names, which must be the next one of its agent.
    fn find(&self, key: &str) -> Result<Step, StepError> {
        let unknown = || StepError::Unknown(key.to_owned());
        let (agent, ordinal, way) = parse_key(key).ok_or_else(unknown)?;
        let agents = &self.replay.spec.context.program.agents;
        let agent =
            agents.iter().position(|at| (at.workgroup, at.wave) == agent).ok_or_else(unknown)?;
        let way = way.unwrap_or(0);
        let step = Step { agent, way };
        if self.replay.state().agents[agent].ended || self.replay.ordinal(agent) != ordinal {
            return Err(StepError::NotNext(key.to_owned()));
        }
        let ways = self.replay.spec.ways(self.replay.state(), agent);
        if way > 0 && way >= ways { Err(unknown()) } else { Ok(step) }
    }

    fn undone_keys(&self) -> Vec<String> {
        let mut ahead = self.replay.clone();
        let steps = self.undone.iter().rev();
        steps
            .map_while(|&step| {
                let (node, ordinal) =
                    (ahead.state().agents[step.agent].node, ahead.ordinal(step.agent));
                ahead.perform(step).then(|| self.key(step, node, ordinal))
            })
            .collect()
    }

    fn performed(&self, done: &Done) -> Performed {
        let source = self.scene.source(done.step.agent, done.node);
        let node =
            &self.replay.spec.context.program.body_of(done.step.agent).nodes[done.node as usize];
        Performed {
            agent: done.step.agent,
            key: self.key(done.step, done.node, done.ordinal),
            label: label(source.text),
            line: source.span.line,
            kind: kind(node).to_owned(),
            object: done.instance.map(usize::from),
            phases: done.phases.iter().map(|phase| phase + 1).collect(),
            completes: done.completes,
            broke: done.broke.iter().map(|rule| rule.get().id.to_owned()).collect(),
        }
    }

    fn agent(&self, agent: usize) -> AgentView {
        let state = self.replay.state();
        let moves = self.moves(agent);
        let status = match (state.agents[agent].ended, moves.iter().any(|next| next.enabled)) {
            (true, _) => "ended",
            (false, true) => "ready",
            (false, false) => "blocked",
        };
        let joined = match state.agents[agent].joined {
            Joined::Nothing => None,
            Joined::Null => Some(self.scene.object_name(Object::Null)),
            Joined::Named(instance, _) => Some(self.scene.instance_name(instance)),
        };
        AgentView {
            name: self.scene.agent_name(agent).to_owned(),
            status: status.to_owned(),
            joined,
            sub_group: None,
            moves,
        }
    }

    fn moves(&self, agent: usize) -> Vec<Move> {
        let state = self.replay.state();
        let Some(node) = self.replay.spec.node(state, agent) else { return Vec::new() };
        let at = state.agents[agent].node;
        let source = self.scene.source(agent, at);
        let ways = self.replay.spec.ways(state, agent);
        let enabled = ways > 0;
        let ordinal = self.replay.ordinal(agent);
        let one = |way: usize| {
            let chosen = if matches!(node, Node::Choose { .. }) {
                format!("choose alternative {}", way + 1)
            } else {
                label(source.text.clone())
            };
            let why = || {
                if state.stop.is_some() {
                    "What follows is not defined.".to_owned()
                } else {
                    explain::blocked(&self.scene, &self.replay, agent)
                }
            };
            Move {
                agent,
                key: self.key(Step { agent, way }, at, ordinal),
                label: chosen,
                line: source.span.line,
                enabled,
                blocked: (!enabled).then(why),
            }
        };
        (0..ways.max(1)).map(one).collect()
    }

    fn object(&self, instance: u16, agents: &[AgentView]) -> ObjectView {
        let state = self.replay.state();
        let index = usize::from(instance);
        let object = &state.objects[index];
        let kind = match self.replay.spec.context.object(instance) {
            Object::Workgroup => "workgroup",
            Object::Cluster => "cluster",
            Object::Plain(_) => "plain",
            _ => "named",
        };
        let names = |keep: &dyn Fn(usize) -> bool| {
            (0..agents.len())
                .filter(|&agent| keep(agent))
                .map(|agent| agents[agent].name.clone())
                .collect()
        };
        let before = self.replay.done.len().checked_sub(1).map(|step| &self.replay.states[step]);
        ObjectView {
            name: self.scene.instance_name(instance),
            kind: kind.to_owned(),
            initialised: object.barrier.initialised,
            expected: i64::from(object.barrier.expected),
            arrived: i64::from(object.barrier.arrived),
            completed: object.completed,
            joined: names(
                &|agent| matches!(state.agents[agent].joined, Joined::Named(id, _) if id == instance),
            ),
            waiting: names(&|agent| {
                agents[agent].status == "blocked"
                    && self.replay.acts_on(agent, state) == Some(instance)
            }),
            changed: before.is_some_and(|before| {
                (before.objects[index].barrier, before.objects[index].completed)
                    != (object.barrier, object.completed)
            }),
            detail: String::new(),
        }
    }

    fn standing(&self, agents: &[AgentView]) -> (&'static str, String) {
        let state = self.replay.state();
        let names = |status: &str| -> Vec<String> {
            agents
                .iter()
                .filter(|agent| agent.status == status)
                .map(|agent| agent.name.clone())
                .collect()
        };
        if let Some(stop) = state.stop {
            let rule = self
                .replay
                .done
                .last()
                .and_then(|done| done.broke.first())
                .map_or("a bound", |rule| rule.get().id);
            let summary = match stop {
                Stop::Undefined => format!("{rule} is broken: what follows is not defined."),
                Stop::Overflow => "This execution needs more than can be kept.".to_owned(),
            };
            return ("undefined", summary);
        }
        let (ready, blocked) = (names("ready"), names("blocked"));
        if ready.is_empty() && blocked.is_empty() {
            return ("finished", "Every agent has ended.".to_owned());
        }
        if ready.is_empty() {
            return ("stuck", format!("{} blocked and no agent can go on.", is_are(&blocked)));
        }
        ("running", format!("{} can go on.", explain::list(&ready)))
    }
}

fn is_are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", explain::list(names))
}

fn label(text: String) -> String {
    if text.is_empty() { "end".to_owned() } else { text }
}

/// `0.1:3/2`: workgroup and wave, ordinal, alternative.
fn parse_key(key: &str) -> Option<((u32, u32), u32, Option<usize>)> {
    let (agent, rest) = key.split_once(':')?;
    let (workgroup, wave) = agent.split_once('.')?;
    let (ordinal, way) = match rest.split_once('/') {
        Some((ordinal, way)) => (ordinal, Some(way.parse().ok()?)),
        None => (rest, None),
    };
    Some(((workgroup.parse().ok()?, wave.parse().ok()?), ordinal.parse().ok()?, way))
}

fn kind(node: &Node) -> &'static str {
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
            Action::ReadState { .. } | Action::Ptx(..) | Action::Opencl(_) | Action::Caches => {
                "other"
            }
        },
    }
}
