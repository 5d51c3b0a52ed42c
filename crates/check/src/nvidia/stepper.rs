//! Stepping through one execution of a program of NVIDIA.

use super::replay::{Done, Object, Replay, copy_label, object_name};
use super::{law, tell};
use crate::explain::list;
use crate::judge::Step;
use crate::scene::{Options, Scene};
use crate::step::{AgentView, Move, ObjectView, Performed, StepError, View};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::state::State;
use tidegate_model::ptx::machine::{BARS, Machine, action_of};
use tidegate_model::ptx::word::{Fields, Layout, encode};

/// One execution of a scenario, with a cursor.
#[derive(Clone, Debug)]
pub(crate) struct Stepper {
    scene: Scene,
    replay: Replay,
    undone: Vec<Step>,
    /// The objects that are shown: every mbarrier object, and the barriers that the program uses.
    objects: Vec<Object>,
}

impl Stepper {
    /// Starts at launch; `None` when the scenario cannot be judged.
    pub(crate) fn new(scene: &Scene, options: &Options) -> Option<Self> {
        let target = options.target_of(scene).get();
        let law = law(target, options.readings_of(scene));
        let replay = Replay::new(Machine::new(scene.context()?, law));
        let objects = shown(&replay);
        Some(Self { scene: scene.clone(), replay, undone: Vec::new(), objects })
    }

    /// Performs the step of that key.
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

    /// Undoes the last step.
    pub(crate) fn back(&mut self) -> bool {
        let Some(done) = self.replay.undo() else { return false };
        self.undone.push(done.step);
        true
    }

    /// Performs the step undone last again.
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
        self.replay
            .done
            .iter()
            .map(|done| self.replay.key(done.step, done.node, done.ordinal))
            .collect()
    }

    fn find(&self, key: &str) -> Result<Step, StepError> {
        let unknown = || StepError::Unknown(key.to_owned());
        let state = self.replay.state();
        let actors = self.replay.machine.actors(state);
        let ways = |actor: usize| self.replay.machine.ways(state, actor).max(1);
        let steps =
            (0..actors).flat_map(|agent| (0..ways(agent)).map(move |way| Step { agent, way }));
        let mut known = steps.filter(|step| self.key_of(*step) == key);
        known.next().ok_or_else(|| {
            let shape = key.split_once([':', '.']).is_some();
            if shape { StepError::NotNext(key.to_owned()) } else { unknown() }
        })
    }

    fn key_of(&self, step: Step) -> String {
        let state = self.replay.state();
        match state.agents.get(step.agent) {
            Some(at) => self.replay.key(step, at.node, self.replay.ordinal(step.agent)),
            None => self.replay.key(step, 0, 0),
        }
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
            objects: self.objects.iter().map(|&object| self.object(object, &agents)).collect(),
            agents,
            state: standing.to_owned(),
            summary,
        }
    }

    fn undone_keys(&self) -> Vec<String> {
        let mut ahead = self.clone();
        let steps = self.undone.iter().rev();
        steps
            .map_while(|&step| {
                let key = ahead.key_of(step);
                ahead.replay.perform(step).then_some(key)
            })
            .collect()
    }

    fn performed(&self, done: &Done) -> Performed {
        let agent = done.copy.map_or(done.step.agent, |copy| copy.agent as usize);
        let node = &self.replay.machine.context.program.body_of(agent).nodes[done.node as usize];
        Performed {
            agent,
            key: self.replay.key(done.step, done.node, done.ordinal),
            label: self.replay.label(&self.scene, done),
            line: self.scene.source(agent, done.node).span.line,
            kind: if done.copy.is_some() { "arrive" } else { kind(node) }.to_owned(),
            object: done
                .object
                .and_then(|object| self.objects.iter().position(|shown| *shown == object)),
            phases: done.phase.into_iter().filter(|_| done.completes).collect(),
            completes: done.completes,
            broke: done.broke.iter().map(|rule| rule.get().id.to_owned()).collect(),
        }
    }

    fn agent(&self, agent: usize) -> AgentView {
        let state = self.replay.state();
        let moves = self.moves(agent);
        let status = match (state.agents[agent].ended, moves.iter().any(|next| next.enabled)) {
            (_, true) => "ready",
            (true, false) => "ended",
            (false, false) => "blocked",
        };
        AgentView {
            name: self.scene.agent_name(agent).to_owned(),
            status: status.to_owned(),
            joined: None,
            sub_group: None,
            moves,
        }
    }

    /// What an agent can do next, and what its copies in flight can.
    fn moves(&self, agent: usize) -> Vec<Move> {
        let state = self.replay.state();
        let mut moves = self.own_moves(state, agent);
        for (index, copy) in
            state.copies.iter().enumerate().filter(|(_, copy)| copy.agent as usize == agent)
        {
            let actor = state.agents.len() + index;
            for way in 0..self.replay.machine.ways(state, actor) {
                moves.push(Move {
                    agent,
                    key: self.key_of(Step { agent: actor, way }),
                    label: copy_label(&self.replay, &self.scene, *copy, way),
                    line: self.scene.source(agent, copy.node).span.line,
                    enabled: true,
                    blocked: None,
                });
            }
        }
        moves
    }

    fn own_moves(&self, state: &State, agent: usize) -> Vec<Move> {
        let Some(node) = self.replay.machine.node(state, agent) else { return Vec::new() };
        let source = self.scene.source(agent, state.agents[agent].node);
        let ways = self.replay.machine.ways(state, agent);
        let text = if source.text.is_empty() { "end" } else { &source.text };
        let one = |way: usize| Move {
            agent,
            key: self.key_of(Step { agent, way }),
            label: match (node, way) {
                (Node::Choose { .. }, way) => format!("choose alternative {}", way + 1),
                (_, 0) => text.to_owned(),
                _ => format!("{text} (says no for no reason)"),
            },
            line: source.span.line,
            enabled: ways > 0,
            blocked: (ways == 0).then(|| {
                if state.stopped {
                    "What follows is not defined.".to_owned()
                } else {
                    tell::blocked(&self.scene, &self.replay, agent)
                }
            }),
        };
        (0..ways.max(1)).map(one).collect()
    }

    fn object(&self, object: Object, agents: &[AgentView]) -> ObjectView {
        let state = self.replay.state();
        let before = self.replay.done.len().checked_sub(1).map(|step| &self.replay.states[step]);
        let waiting = (0..agents.len())
            .filter(|&agent| {
                agents[agent].status == "blocked"
                    && self.replay.acts_on(agent, state) == Some(object)
            })
            .map(|agent| agents[agent].name.clone())
            .collect();
        let name = object_name(&self.scene, &self.replay.machine, object);
        match object {
            Object::Mbarrier(index) => {
                let at = state.mbarriers[index];
                ObjectView {
                    name,
                    kind: "mbarrier".to_owned(),
                    initialised: at.valid,
                    expected: i64::from(at.expected),
                    arrived: i64::from(at.expected) - i64::from(at.pending),
                    completed: at.phase,
                    joined: Vec::new(),
                    waiting,
                    changed: before.is_some_and(|before| before.mbarriers[index] != at),
                    detail: detail(at),
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
                    completed: 0,
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
        }
    }

    fn standing(&self, agents: &[AgentView]) -> (&'static str, String) {
        let names = |status: &str| -> Vec<String> {
            agents
                .iter()
                .filter(|agent| agent.status == status)
                .map(|agent| agent.name.clone())
                .collect()
        };
        if self.replay.state().stopped {
            let rule = self.replay.done.last().and_then(|done| done.broke.first());
            let rule = rule.map_or("a rule", |rule| rule.get().id);
            return ("undefined", format!("{rule} is broken: what follows is not defined."));
        }
        let (ready, blocked) = (names("ready"), names("blocked"));
        if ready.is_empty() && blocked.is_empty() {
            return ("finished", "Every agent has ended.".to_owned());
        }
        if ready.is_empty() {
            let verb = if blocked.len() == 1 { "is" } else { "are" };
            return ("stuck", format!("{} {verb} blocked and no agent can go on.", list(&blocked)));
        }
        ("running", format!("{} can go on.", list(&ready)))
    }
}

/// What the counts of a mbarrier object say, and its word under both hypotheses.
fn detail(at: tidegate_model::ptx::transition::Mbarrier) -> String {
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
    format!(
        "phase {} (parity {}), {} of {} pending, tx {}; word {:016x} or {:016x}",
        at.phase,
        at.phase & 1,
        at.pending,
        at.expected,
        at.tx,
        word(Layout::LowPending),
        word(Layout::HighPending)
    )
}

fn shown(replay: &Replay) -> Vec<Object> {
    let state = replay.state();
    let program = &replay.machine.context.program;
    let mut bars: alloc::collections::BTreeSet<usize> = Default::default();
    for (agent, _, operation) in replay.machine.context.operations() {
        if let tidegate_model::operation::Action::Ptx(Action::Bar { id, .. }, _) = operation.action
            && let Ok(id) = usize::try_from(id)
            && id < BARS
        {
            bars.insert(program.agents[agent].workgroup as usize * BARS + id);
        }
    }
    let mbarriers = (0..state.mbarriers.len()).map(Object::Mbarrier);
    mbarriers.chain(bars.into_iter().map(Object::Bar)).collect()
}

fn kind(node: &Node) -> &'static str {
    match action_of(node) {
        Some(Action::Init { .. }) => "init",
        Some(Action::Arrive { .. } | Action::ClusterArrive { .. } | Action::CopyArrive { .. }) => {
            "arrive"
        }
        Some(Action::Wait { .. } | Action::ClusterWait { .. }) => "wait",
        Some(Action::Bar { kind: tidegate_model::ptx::action::Bar::Arrive, .. }) => "arrive",
        Some(Action::Bar { .. }) => "wait",
        Some(Action::Inval { .. }) => "drop",
        Some(_) => "other",
        None if *node == Node::End => "end",
        None if matches!(node, Node::Choose { .. }) => "choose",
        None => "other",
    }
}
