//! One execution with a cursor, on the machine that checks the scenario, and its display.

use super::label::label;
use super::short::{brief, fence_of, landing, short};
use super::view::{AgentView, CounterView, MemoryView, Move, ObjectView, Performed, View};
use crate::cause::Cause;
use crate::finding::passed;
use crate::graph::ExecutionGraph;
use crate::ledger::rows::LedgerRow;
use crate::replay::{Done, Kinds, Named, Replay, parse};
use crate::scene::Scene;
use crate::space::Step;
use crate::tell::names::in_ranges;
use crate::tell::{in_one_line, list, related};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Debug};
use tidegate_model::program::Node;
use tidegate_model::rule::Rule;
use tidegate_model::verdict::Class;

/// Up to how many agents or ranges of agents are named.
const MOST_NAMES: usize = 8;

/// The display of the executions of a machine.
pub(crate) trait Shown: Kinds {
    /// A barrier that is shown.
    type Object: Copy + PartialEq + Debug;
    /// The word for an agent.
    const AGENT: &'static str = "agent";

    /// The barriers that are shown.
    fn objects(&self, launch: &Self::State) -> Vec<Self::Object>;
    /// The barrier that a step acted on.
    fn object_of(&self, done: &Done<Self::Note>) -> Option<Self::Object>;
    /// The phases that a step belongs to, from 1, and whether it completed one.
    fn phases(&self, done: &Done<Self::Note>) -> (Vec<u32>, bool);
    /// Whether the execution ends here: later behaviour is undefined.
    fn is_cut_off(&self, state: &Self::State) -> bool;
    /// Whether it is cut off because it needs more than is kept.
    fn overflows(&self, _state: &Self::State) -> bool {
        false
    }
    /// Why an agent is blocked.
    fn blocked(scene: &Scene, replay: &Replay<Self>, agent: usize) -> Vec<Cause>;
    /// The state of a barrier.
    fn object(
        scene: &Scene,
        replay: &Replay<Self>,
        object: Self::Object,
        agents: &[AgentView],
    ) -> ObjectView;

    /// The word that an instruction reads from a barrier in a state, in hexadecimal; empty if none is modelled.
    fn word(&self, _state: &Self::State, _object: Self::Object) -> String {
        String::new()
    }
    /// The name of the second outcome of an operation.
    fn other_way(text: &str) -> String {
        text.to_owned()
    }
    /// Whether a performed operation is a test that returned false.
    fn is_false(&self, _done: &Done<Self::Note>) -> bool {
        false
    }
    /// The possible steps of an agent's copies in flight.
    fn in_flight(_scene: &Scene, _replay: &Replay<Self>, _agent: usize) -> Vec<Move> {
        Vec::new()
    }
    /// The named barrier that an agent joined last.
    fn joined(&self, _scene: &Scene, _state: &Self::State, _agent: usize) -> Option<String> {
        None
    }
    /// The sub-group of a work-item.
    fn sub_group_of(&self, _agent: usize) -> Option<u32> {
        None
    }
    /// The operations in flight, and the fences that synchronize.
    fn memory(_scene: &Scene, _replay: &Replay<Self>) -> MemoryView {
        MemoryView::default()
    }
    /// The counters of every agent.
    fn counters(_replay: &Replay<Self>) -> Vec<CounterView> {
        Vec::new()
    }
    /// The ledger of every barrier.
    fn ledger(_scene: &Scene, _replay: &Replay<Self>) -> Vec<LedgerRow> {
        Vec::new()
    }
    /// The relations of the performed steps, on memory too if there are not too many; `None` for too many operations.
    fn graph(_scene: &Scene, _replay: &Replay<Self>) -> Option<ExecutionGraph> {
        None
    }
}

/// The names of the agents that are kept.
pub(crate) fn named(agents: &[AgentView], keep: impl Fn(usize) -> bool) -> Vec<String> {
    let kept = (0..agents.len()).filter(|&agent| keep(agent));
    kept.map(|agent| agents[agent].name.clone()).collect()
}

/// The names of those that are blocked there.
pub(crate) fn waiting(agents: &[AgentView], there: impl Fn(usize) -> bool) -> Vec<String> {
    named(agents, |agent| agents[agent].status == "blocked" && there(agent))
}

/// Whether a step breaks its reported rule; a lint breaks no rule.
fn breaks(rule: &&Rule) -> bool {
    rule.class != Some(Class::Lint)
}

/// One execution with a cursor.
#[derive(Clone, Debug)]
pub(crate) struct Walk<M: Shown> {
    scene: Scene,
    replay: Replay<M>,
    /// The undone steps with their keys; the last is redone first.
    undone: Vec<(Step, String)>,
    objects: Vec<M::Object>,
}

impl<M: Shown> Walk<M> {
    /// Starts at launch.
    pub(crate) fn new(scene: &Scene, machine: M) -> Self {
        let replay = Replay::new(machine);
        let objects = replay.machine.objects(replay.state());
        Self { scene: scene.clone(), replay, undone: Vec::new(), objects }
    }

    /// The step that a key names, which must be the next one of its agent.
    fn find(&self, key: &str) -> Result<Step, StepError> {
        let unknown = || StepError::Unknown(key.to_owned());
        let state = self.replay.state();
        let agents = &self.replay.machine.context().program.agents;
        let step = match parse(key).ok_or_else(unknown)? {
            Named::Copy { place, way } => Step { agent: agents.len().saturating_add(place), way },
            Named::Agent { workgroup, wave, ordinal, way } => {
                let is = |at: &tidegate_model::program::Agent| {
                    (at.workgroup, at.wave) == (workgroup, wave)
                };
                let agent = agents.iter().position(is).ok_or_else(unknown)?;
                if self.replay.machine.has_ended(state, agent)
                    || self.replay.ordinal(agent) != ordinal
                {
                    return Err(StepError::NotNext(key.to_owned()));
                }
                Step { agent, way }
            }
        };
        if step.agent >= self.replay.machine.actors(state) {
            return Err(StepError::NotNext(key.to_owned()));
        }
        let ways = self.replay.machine.ways(state, step.agent);
        if step.way > 0 && step.way >= ways { Err(unknown()) } else { Ok(step) }
    }

    fn performed(&self, step: usize) -> Performed {
        let (machine, done) = (&self.replay.machine, &self.replay.done[step]);
        let after = &self.replay.states[step + 1];
        let agent = machine.agent_of(done);
        let source = self.scene.source(agent, done.node);
        let flying = machine.flying(&self.scene, done);
        let node = &machine.context().program.body_of(agent).nodes[done.node as usize];
        let object = machine.object_of(done);
        let (phases, completes) = machine.phases(done);
        let kind = if flying.is_some() { "arrive" } else { machine.kind(node) };
        let flying = flying.map(|words| (landing(&words), words));
        let chosen = || self.alternative(agent, done.node, done.step.way);
        let (short, label) = match flying.or_else(chosen) {
            Some(words) => words,
            None => {
                let label = label(&self.scene, agent, done.node, node);
                let short = short(&self.scene, &label, node);
                let fence = match node {
                    Node::Operation { operation, .. } => fence_of(&label, operation.action),
                    _ => None,
                };
                match (fence, machine.is_false(done)) {
                    (Some(fence), _) => (short, format!("{label} ({fence})")),
                    (_, true) => (format!("{short}: false"), format!("{label} (returns false)")),
                    _ => (short, label),
                }
            }
        };
        Performed {
            agent,
            key: self.replay.key(done),
            line: source.span.line,
            kind: kind.to_owned(),
            short,
            label,
            object: object.and_then(|object| self.objects.iter().position(|one| *one == object)),
            phases,
            completes,
            broke: done
                .broke
                .iter()
                .map(|rule| rule.get())
                .filter(breaks)
                .map(|it| it.id.into())
                .collect(),
            word: object.map_or_else(String::new, |object| machine.word(after, object)),
        }
    }

    fn agent(&self, agent: usize) -> AgentView {
        let (machine, state) = (&self.replay.machine, self.replay.state());
        // The first agent makes the choice of the host.
        let waits_for_host =
            agent > 0 && machine.context().program.host_chooses && machine.node_of(state, 0) == 0;
        let mut moves = if waits_for_host { Vec::new() } else { self.own_moves(agent) };
        moves.extend(M::in_flight(&self.scene, &self.replay, agent));
        let can_move = moves.iter().any(|next| next.enabled);
        let status = match (can_move, machine.has_ended(state, agent)) {
            (true, _) => "ready",
            (false, true) => "ended",
            (false, false) if waits_for_host => "not started",
            (false, false) => "blocked",
        };
        AgentView {
            name: self.scene.agent_name(agent).to_owned(),
            status: status.to_owned(),
            joined: machine.joined(&self.scene, state, agent),
            sub_group: machine.sub_group_of(agent),
            moves,
        }
    }

    /// One way of a choice, in a few words and in full: what the host passes, or the first operation of an alternative. `None`
    /// for other nodes.
    fn alternative(&self, agent: usize, at: u32, way: usize) -> Option<(String, String)> {
        let body = &self.replay.machine.context().program.body_of(agent).nodes;
        let Node::Choose { next } = &body[at as usize] else { return None };
        if let Some(passed) = passed(&self.scene, Step { agent, way }, at) {
            return Some((brief(passed), related::passed(passed)));
        }
        let first = next
            .get(way)
            .and_then(|&first| Some(label(&self.scene, agent, first, body.get(first as usize)?)));
        let chosen = format!("choose {}: {}", way + 1, first.unwrap_or_default());
        Some((chosen.clone(), chosen))
    }

    /// The possible next steps of the agent itself.
    fn own_moves(&self, agent: usize) -> Vec<Move> {
        let (machine, state) = (&self.replay.machine, self.replay.state());
        if machine.has_ended(state, agent) {
            return Vec::new();
        }
        let at = machine.node_of(state, agent);
        let node = &machine.context().program.body_of(agent).nodes[at as usize];
        let source = self.scene.source(agent, at);
        let text = label(&self.scene, agent, at, node);
        let ways = machine.ways(state, agent);
        let in_words = short(&self.scene, &text, node);
        let one = |way: usize| {
            let (short, label) = match (self.alternative(agent, at, way), way) {
                (Some(words), _) => words,
                (None, 0) => (in_words.clone(), text.clone()),
                (None, _) => (M::other_way(&in_words), M::other_way(&text)),
            };
            Move {
                agent,
                key: self.replay.next_key(Step { agent, way }),
                label,
                short,
                line: source.span.line,
                enabled: ways > 0,
                blocked: (ways == 0).then(|| self.why_blocked(agent)),
            }
        };
        (0..ways.max(1)).map(one).collect()
    }

    fn why_blocked(&self, agent: usize) -> String {
        if self.replay.machine.is_cut_off(self.replay.state()) {
            return "behaviour is undefined from here".to_owned();
        }
        let facts = M::blocked(&self.scene, &self.replay, agent);
        in_one_line(&self.scene, &facts).unwrap_or_default()
    }

    fn standing(&self, agents: &[AgentView]) -> (&'static str, String) {
        let names = |status: &str| -> Vec<String> {
            let those = agents.iter().filter(|agent| agent.status == status);
            those.map(|agent| agent.name.clone()).collect()
        };
        let (machine, state) = (&self.replay.machine, self.replay.state());
        if machine.overflows(state) {
            return ("undefined", "This execution exceeds a limit of the checker.".to_owned());
        }
        if machine.is_cut_off(state) {
            let broke = self.replay.done.last().and_then(|done| done.broke.first());
            let rule = broke.map_or("a rule", |rule| rule.get().id);
            return (
                "undefined",
                format!("Stopped at a violation of {rule}; behaviour is undefined from here."),
            );
        }
        let (ready, blocked) = (names("ready"), names("blocked"));
        if !ready.is_empty() {
            return ("running", format!("{} can continue.", Self::told(&ready)));
        }
        if blocked.is_empty() {
            return ("finished", format!("Every {} has ended.", M::AGENT));
        }
        let verb = if blocked.len() == 1 { "is" } else { "are" };
        let told = Self::told(&blocked);
        ("stuck", format!("{told} {verb} blocked, and no {} can continue.", M::AGENT))
    }

    /// Names agents, consecutive ones as a range, or gives their number if there are many.
    fn told(names: &[String]) -> String {
        let ranges = in_ranges(names);
        match ranges.len() {
            0..=MOST_NAMES => list(&ranges),
            _ => format!("{} {}s", names.len(), M::AGENT),
        }
    }
}

/// A step that was not performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepError {
    /// No agent and alternative has this key.
    Unknown(String),
    /// The step is not the next one of its agent.
    NotNext(String),
    /// The step is the next one of its agent and cannot be performed now.
    Blocked(String),
}

impl fmt::Display for StepError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(key) => write!(out, "no step {key}"),
            Self::NotNext(key) => write!(out, "step {key} is not the next step of its agent"),
            Self::Blocked(key) => write!(out, "step {key} is blocked"),
        }
    }
}

impl core::error::Error for StepError {}

/// A walk of any machine.
pub(crate) trait Walking: Debug {
    /// A copy of the walk.
    fn copied(&self) -> Box<dyn Walking>;
    /// See [`super::Stepper::perform`].
    fn perform(&mut self, key: &str) -> Result<(), StepError>;
    /// See [`super::Stepper::back`].
    fn back(&mut self) -> bool;
    /// See [`super::Stepper::forward`].
    fn forward(&mut self) -> bool;
    /// Forgets what was undone.
    fn forget(&mut self);
    /// Number of performed steps.
    fn length(&self) -> usize;
    /// See [`super::Stepper::last_agent`].
    fn last_agent(&self) -> Option<usize>;
    /// See [`super::Stepper::keys`].
    fn keys(&self) -> Vec<String>;
    /// See [`super::Stepper::undone`].
    fn undone(&self) -> Vec<String>;
    /// See [`super::Stepper::next_undone`].
    fn next_undone(&self) -> Option<&str>;
    /// See [`super::Stepper::ahead`].
    fn ahead(&self) -> usize;
    /// See [`super::Stepper::view_since`].
    fn view(&self, from: usize) -> View;
    /// See [`super::Stepper::memory`].
    fn memory(&self) -> MemoryView;
    /// See [`super::Stepper::counters`].
    fn counters(&self) -> Vec<CounterView>;
    /// See [`super::Stepper::ledger`].
    fn ledger(&self) -> Vec<LedgerRow>;
    /// See [`super::Stepper::moves`].
    fn moves(&self) -> Vec<Move>;
    /// See [`super::Stepper::fullest`].
    fn fullest(&self) -> Option<Move>;
    /// See [`super::Stepper::graph`].
    fn graph(&self) -> Option<ExecutionGraph>;
}

impl<M: Shown + 'static> Walking for Walk<M> {
    fn copied(&self) -> Box<dyn Walking> {
        Box::new(self.clone())
    }

    fn perform(&mut self, key: &str) -> Result<(), StepError> {
        let step = self.find(key)?;
        if !self.replay.perform(step) {
            return Err(StepError::Blocked(key.to_owned()));
        }
        if self.undone.last().is_some_and(|(undone, _)| *undone == step) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        Ok(())
    }

    fn back(&mut self) -> bool {
        let key = self.replay.done.last().map(|done| self.replay.key(done));
        let undone = self.replay.undo().zip(key);
        self.undone.extend(undone.clone());
        undone.is_some()
    }

    fn forward(&mut self) -> bool {
        let next = self.undone.last().map(|(step, _)| *step);
        let performed = next.is_some_and(|step| self.replay.perform(step));
        if performed {
            self.undone.pop();
        }
        performed
    }

    fn forget(&mut self) {
        self.undone.clear();
    }

    fn length(&self) -> usize {
        self.replay.done.len()
    }

    fn last_agent(&self) -> Option<usize> {
        self.replay.done.last().map(|done| self.replay.machine.agent_of(done))
    }

    fn keys(&self) -> Vec<String> {
        self.replay.done.iter().map(|done| self.replay.key(done)).collect()
    }

    fn undone(&self) -> Vec<String> {
        self.undone.iter().rev().map(|(_, key)| key.clone()).collect()
    }

    fn next_undone(&self) -> Option<&str> {
        self.undone.last().map(|(_, key)| key.as_str())
    }

    fn ahead(&self) -> usize {
        self.undone.len()
    }

    fn view(&self, from: usize) -> View {
        let agents: Vec<AgentView> = (0..self.replay.machine.context().program.agents.len())
            .map(|agent| self.agent(agent))
            .collect();
        let object = |&object| M::object(&self.scene, &self.replay, object, &agents);
        let objects = self.objects.iter().map(object).collect();
        let (standing, summary) = self.standing(&agents);
        View {
            performed: (from..self.length()).map(|step| self.performed(step)).collect(),
            undone: Vec::new(),
            agents,
            objects,
            state: standing.to_owned(),
            summary,
        }
    }

    fn memory(&self) -> MemoryView {
        M::memory(&self.scene, &self.replay)
    }

    fn ledger(&self) -> Vec<LedgerRow> {
        M::ledger(&self.scene, &self.replay)
    }

    fn moves(&self) -> Vec<Move> {
        let agents = 0..self.replay.machine.context().program.agents.len();
        let state = self.replay.state();
        let own = |agent| match self.replay.machine.ways(state, agent) {
            0 => Vec::new(),
            _ => self.own_moves(agent),
        };
        let of = |agent| {
            let flying = M::in_flight(&self.scene, &self.replay, agent);
            own(agent).into_iter().chain(flying).filter(|next| next.enabled)
        };
        agents.flat_map(of).collect()
    }

    fn fullest(&self) -> Option<Move> {
        let (machine, state) = (&self.replay.machine, self.replay.state());
        let chooses = machine.context().program.host_chooses && machine.node_of(state, 0) == 0;
        let way = chooses.then(|| self.scene.fullest_choice()).flatten()?;
        self.own_moves(0).into_iter().nth(way)
    }

    fn graph(&self) -> Option<ExecutionGraph> {
        M::graph(&self.scene, &self.replay)
    }

    fn counters(&self) -> Vec<CounterView> {
        M::counters(&self.replay)
    }
}
