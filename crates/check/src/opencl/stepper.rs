//! Stepping through one execution of a program of OpenCL.

use super::replay::{Done, Replay};
use super::tell;
use crate::explain::list;
use crate::finding::key;
use crate::judge::Step;
use crate::scene::{Options, Scene};
use crate::step::{AgentView, Move, ObjectView, Performed, StepError, View};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::opencl::action::{Action, Group};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::opencl::machine::state::{Split, Standing};
use tidegate_model::program::Node;

/// A barrier that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Object {
    /// Of a work-group.
    WorkGroup(u32),
    /// The split barrier of a work-group.
    Split(u32),
    /// Of a sub-group, counted over all work-groups.
    SubGroup(usize),
    /// A named barrier of a work-group, by its declaration.
    Named(u32, u16),
}

/// One execution of a scenario, with a cursor.
#[derive(Clone, Debug)]
pub(crate) struct Stepper {
    scene: Scene,
    replay: Replay,
    undone: Vec<Step>,
    objects: Vec<Object>,
}

impl Stepper {
    /// Starts at launch; `None` when the scenario cannot be judged.
    pub(crate) fn new(scene: &Scene, options: &Options) -> Option<Self> {
        let machine = Machine::new(scene.context()?, options.readings_of(scene));
        let replay = Replay::new(machine);
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
        self.replay.done.iter().map(|done| self.key_of_done(done)).collect()
    }

    fn key_of_done(&self, done: &Done) -> String {
        key(&self.replay.machine.context.program, done.step, done.node, done.ordinal)
    }

    fn key_of(&self, step: Step) -> String {
        let node = self.replay.state().agents[step.agent].node;
        let ordinal = self.replay.ordinal(step.agent);
        key(&self.replay.machine.context.program, step, node, ordinal)
    }

    fn find(&self, key: &str) -> Result<Step, StepError> {
        let state = self.replay.state();
        let ways = |agent: usize| self.replay.machine.ways(state, agent).max(1);
        let going = |agent: &usize| state.agents[*agent].standing != Standing::Ended;
        let agents = (0..state.agents.len()).filter(going);
        let mut steps =
            agents.flat_map(|agent| (0..ways(agent)).map(move |way| Step { agent, way }));
        steps.find(|step| self.key_of(*step) == key).ok_or_else(|| {
            let known = key.split_once(':').is_some_and(|(who, _)| who.split_once('.').is_some());
            if known {
                StepError::NotNext(key.to_owned())
            } else {
                StepError::Unknown(key.to_owned())
            }
        })
    }

    /// The execution so far, and where it stands.
    pub(crate) fn view(&self) -> View {
        let agents: Vec<AgentView> =
            (0..self.replay.state().agents.len()).map(|agent| self.agent(agent)).collect();
        let (standing, summary) = self.standing(&agents);
        View {
            performed: self.replay.done.iter().map(|done| self.performed(done)).collect(),
            undone: self.undone_keys(),
            objects: self.objects.iter().map(|&object| self.object(object)).collect(),
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
        let agent = done.step.agent;
        let source = self.scene.source(agent, done.node);
        let node = &self.replay.machine.context.program.body_of(agent).nodes[done.node as usize];
        let object = tell::action_at(&self.replay.machine, agent, done.node)
            .map(|action| self.object_of(agent, action));
        Performed {
            agent,
            key: self.key_of_done(done),
            label: if source.text.is_empty() { "end".to_owned() } else { source.text },
            line: source.span.line,
            kind: kind(node).to_owned(),
            object: object.and_then(|object| self.objects.iter().position(|one| *one == object)),
            phases: Vec::new(),
            completes: !done.released.is_empty(),
            broke: done.broke.iter().map(|rule| rule.get().id.to_owned()).collect(),
        }
    }

    fn object_of(&self, agent: usize, action: Action) -> Object {
        object_of(&self.replay.machine, agent, action)
    }

    fn agent(&self, agent: usize) -> AgentView {
        let state = self.replay.state();
        let moves = self.moves(agent);
        let ended = state.agents[agent].standing == Standing::Ended;
        let status = match (ended, moves.iter().any(|next| next.enabled)) {
            (true, _) => "ended",
            (false, true) => "ready",
            (false, false) => "blocked",
        };
        AgentView {
            name: self.scene.agent_name(agent).to_owned(),
            status: status.to_owned(),
            joined: None,
            sub_group: Some(self.replay.machine.sub_group(agent) as u32),
            moves,
        }
    }

    fn moves(&self, agent: usize) -> Vec<Move> {
        let state = self.replay.state();
        let Some(node) = self.replay.machine.node(state, agent) else { return Vec::new() };
        let source = self.scene.source(agent, state.agents[agent].node);
        let text = if source.text.is_empty() { "end" } else { &source.text };
        let ways = self.replay.machine.ways(state, agent);
        let one = |way: usize| Move {
            agent,
            key: self.key_of(Step { agent, way }),
            label: match node {
                Node::Choose { .. } => format!("choose alternative {}", way + 1),
                _ => text.to_owned(),
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

    fn object(&self, object: Object) -> ObjectView {
        let machine = &self.replay.machine;
        let state = self.replay.state();
        let at = |agent: &usize| {
            machine
                .waits_at(state, *agent)
                .is_some_and(|action| self.object_of(*agent, action) == object)
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
        let last = self.replay.done.last();
        let changed = last.is_some_and(|done| {
            tell::action_at(machine, done.step.agent, done.node)
                .is_some_and(|action| self.object_of(done.step.agent, action) == object)
        });
        ObjectView {
            name: self.name(object),
            kind: kind.to_owned(),
            initialised: !matches!(object, Object::Named(..)) || expected > 0,
            expected,
            arrived,
            completed: self.completed(object),
            joined: Vec::new(),
            waiting: waiting
                .into_iter()
                .map(|agent| self.scene.agent_name(agent).to_owned())
                .collect(),
            changed,
            detail: match object {
                Object::Named(..) => format!("{arrived} of {expected} sub-groups"),
                _ => format!("{arrived} of {expected} work-items"),
            },
        }
    }

    /// How often a barrier has released work-items.
    fn completed(&self, object: Object) -> u32 {
        let released = self.replay.done.iter().filter(|done| {
            let action = tell::action_at(&self.replay.machine, done.step.agent, done.node);
            !done.released.is_empty()
                && action.is_some_and(|action| self.object_of(done.step.agent, action) == object)
        });
        released.count() as u32
    }

    fn name(&self, object: Object) -> String {
        let launch = self.replay.machine.context.program.launch;
        let of = |name: String, group: u32| {
            if launch.workgroups > 1 { format!("{name} of group {group}") } else { name }
        };
        match object {
            Object::WorkGroup(group) => of("work-group barrier".to_owned(), group),
            Object::Split(group) => of("split barrier".to_owned(), group),
            Object::Named(group, declared) => of(self.scene.named_barrier_name(declared), group),
            Object::SubGroup(sub_group) => {
                let waves = launch.waves as usize;
                let name = format!("barrier of subgroup {}", sub_group % waves);
                of(name, (sub_group / waves) as u32)
            }
        }
    }

    fn standing(&self, agents: &[AgentView]) -> (&'static str, String) {
        let names = |status: &str| -> Vec<String> {
            let those = agents.iter().filter(|agent| agent.status == status);
            those.map(|agent| agent.name.clone()).collect()
        };
        if self.replay.state().stopped {
            let broke = self.replay.done.last().and_then(|done| done.broke.first());
            let rule = broke.map_or("a rule", |rule| rule.get().id);
            return ("undefined", format!("{rule} is broken: what follows is not defined."));
        }
        let (ready, blocked) = (names("ready"), names("blocked"));
        if ready.is_empty() && blocked.is_empty() {
            return ("finished", "Every work-item has ended.".to_owned());
        }
        if ready.is_empty() {
            let verb = if blocked.len() == 1 { "is" } else { "are" };
            return (
                "stuck",
                format!("{} {verb} blocked and no work-item can go on.", list(&blocked)),
            );
        }
        ("running", format!("{} can go on.", list(&ready)))
    }
}

/// The barrier that an operation of a work-item acts on.
fn object_of(machine: &Machine, agent: usize, action: Action) -> Object {
    let group = machine.group(agent);
    match action {
        Action::Barrier { group: Group::Work, .. } => Object::WorkGroup(group),
        Action::Barrier { group: Group::Sub, .. } => Object::SubGroup(machine.sub_group(agent)),
        Action::Construct { object, .. } | Action::Wait { object, .. } => {
            Object::Named(group, object)
        }
        Action::Arrive { .. } | Action::Await { .. } => Object::Split(group),
    }
}

/// The barriers that the program uses.
fn shown(replay: &Replay) -> Vec<Object> {
    let machine = &replay.machine;
    let used: BTreeSet<Object> = machine
        .context
        .operations()
        .filter_map(|(agent, _, operation)| match operation.action {
            tidegate_model::operation::Action::Opencl(action) => {
                Some(object_of(machine, agent, action))
            }
            _ => None,
        })
        .collect();
    used.into_iter().collect()
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
