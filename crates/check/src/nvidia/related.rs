//! The operations of an execution on its barriers, for the relations between them.

use super::known;
use super::meeting::named_lanes;
use super::replay::{
    Done, Object, Replay, acts_on, done_action, node_action, object_name, object_of, turns,
};
use crate::graph::replayed::{Event, Events, Fact, operation};
use crate::scene::Scene;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::action::{Action, Asked, Bar};
use tidegate_model::ptx::bar::BARS;
use tidegate_model::ptx::cluster::arrive_once::Standing;
use tidegate_model::ptx::machine::state::{Copy, Held, State};
use tidegate_model::rule::RuleId;

/// The operations of an execution on its barriers, in the order in which the barriers observe them; with `memory`, also
/// those on memory.
///
/// They include the step that breaks a rule.
pub(crate) fn events(scene: &Scene, replay: &Replay, rule: Option<RuleId>, memory: bool) -> Events {
    let touches = memory.then(|| known::touches(replay));
    let mut teller = Teller {
        scene,
        replay,
        events: Events::default(),
        known: OrderedMap::new(),
        running: OrderedMap::new(),
        came: OrderedMap::new(),
        arrivals: OrderedMap::new(),
        flying: Vec::new(),
    };
    for step in 0..replay.done.len() {
        teller.step(step);
        if let Some(touches) = &touches {
            teller.events.add_memory(scene, replay, step, &touches[step]);
        }
        teller.events.add_breaking(scene, replay, step, rule);
    }
    teller.leave_waiting();
    teller.events
}

struct Teller<'a> {
    scene: &'a Scene,
    replay: &'a Replay,
    events: Events,
    /// For each object its index, and whether it was initialised.
    known: OrderedMap<Object, (usize, bool)>,
    /// The current phase, from 1, of objects without a phase count.
    running: OrderedMap<Object, u32>,
    /// Lanes that wait for their warp at a barrier: the step with which they came.
    came: OrderedMap<usize, usize>,
    /// The arrivals of agents that wait after them.
    arrivals: OrderedMap<usize, usize>,
    /// The copies in flight, each with the step that started it.
    flying: Vec<(Copy, usize)>,
}

/// Whether a wait waits for that phase of an object; a token may belong to another object.
fn asks_for(before: &State, agent: usize, wait: Action, (object, phase): (usize, u32)) -> bool {
    let Action::Wait { asked: Asked::Token(register), .. } = wait else { return true };
    let token = before.agents[agent].tokens.get(usize::from(register)).copied().flatten();
    token.is_some_and(|token| token.object as usize == object && token.phase == phase)
}

impl<'a> Teller<'a> {
    fn states(&self, step: usize) -> (&'a State, &'a State) {
        (&self.replay.states[step], &self.replay.states[step + 1])
    }

    fn object(&mut self, object: Object) -> usize {
        if let Some((index, _)) = self.known.get(&object) {
            return *index;
        }
        let index = self.events.add_object(object_name(self.scene, &self.replay.machine, object));
        let _ = self.known.insert(object, (index, false));
        index
    }

    /// The object of an index.
    fn named(&self, index: usize) -> Option<Object> {
        self.known.iter().find(|(_, known)| known.0 == index).map(|(object, _)| *object)
    }

    fn phase(&mut self, object: Object) -> &mut u32 {
        self.running.entry(object).or_insert(1)
    }

    /// An operation of an agent, not yet added.
    fn event(
        &mut self,
        agent: usize,
        step: Option<usize>,
        kind: &'static str,
        object: Object,
    ) -> Event {
        let object = Some(self.object(object));
        let shown = operation(self.scene, self.replay, agent, step);
        let shown = crate::graph::Operation { kind, object, ..shown };
        (shown, Fact { step, ..Fact::default() })
    }

    fn step(&mut self, step: usize) {
        let done = &self.replay.done[step];
        if let Some(copy) = done.note.copy {
            return self.lands(step, done, copy);
        }
        let (machine, agent) = (&self.replay.machine, done.step.agent);
        let from = self.events.list.len();
        match done_action(machine, done) {
            Some(
                Action::Bar { .. } | Action::ClusterArrive { .. } | Action::ClusterWait { .. },
            ) => {
                let _ = self.came.insert(agent, step);
            }
            Some(Action::WarpSync { mask }) => self.comes_to_warp(step, agent, mask),
            Some(action) => self.on_mbarrier(step, done, action),
            None => {}
        }
        let (before, after) = self.states(step);
        let gathers = |state: &State, agent: usize| state.agents[agent].held == Held::Gathering;
        let goes_on =
            |&other: &usize| (other == agent || gathers(before, other)) && !gathers(after, other);
        let gone_on: Vec<usize> = self.came.keys().copied().filter(goes_on).collect();
        gone_on.into_iter().for_each(|agent| self.comes(step, agent));
        self.settle(step, from);
    }

    /// A copy in flight arrives, or completes bytes.
    fn lands(&mut self, step: usize, done: &Done, copy: Copy) {
        let index = copy.object as usize;
        let (before, after) = self.states(step);
        let changes = before.mbarriers[index] != after.mbarriers[index];
        let alike = |one: &&Copy| {
            (one.object, one.agent, one.node) == (copy.object, copy.agent, copy.node)
                && one.left < copy.left
        };
        let count =
            |state: &State, copy: &Copy| state.copies.iter().filter(|it| *it == copy).count();
        let rest =
            after.copies.iter().filter(alike).find(|it| count(after, it) > count(before, it));
        let rest = rest.copied();
        let at = self.flying.iter().position(|(flying, _)| *flying == copy);
        let started = at.map(|at| self.flying[at].1);
        match (at, rest) {
            (Some(at), Some(rest)) => self.flying[at].0 = rest,
            (Some(at), None) => drop(self.flying.remove(at)),
            _ => {}
        }
        let kind = if copy.left.is_none() { "arrive" } else { "complete" };
        let object = Object::Mbarrier(index);
        let (mut shown, fact) = self.event(copy.agent as usize, Some(step), kind, object);
        (shown.phase, shown.completes) = (done.note.phase, done.note.completes);
        let fact = Fact { started: Some(started), changes, counts: changes, ..fact };
        let _ = self.events.add((shown, fact));
    }

    fn on_mbarrier(&mut self, step: usize, done: &Done, action: Action) {
        let Some(object @ Object::Mbarrier(index)) = done.note.object else { return };
        let (agent, note) = (done.step.agent, &done.note);
        let (before, after) = self.states(step);
        let changes = before.mbarriers[index] != after.mbarriers[index];
        let stopped = after.stopped;
        let kind = match action {
            Action::Init { .. } => "init",
            Action::Inval { .. } => "inval",
            Action::Arrive { form, .. } if form.drop => "drop",
            Action::Arrive { .. } => "arrive",
            Action::Expect { .. } => "expect",
            Action::Complete { .. } => "complete",
            Action::Wait { .. } => "wait",
            Action::Copy { .. } | Action::CopyArrive { .. } => "copy",
            _ => "access",
        };
        if kind == "init" && !stopped {
            self.initialises(object);
        }
        let (mut shown, mut fact) = self.event(agent, Some(step), kind, object);
        fact.changes = changes && kind != "wait" || kind == "init" && !stopped;
        let completes = note.completes && fact.changes;
        fact.counts = changes && matches!(kind, "arrive" | "drop" | "complete") || completes;
        shown.completes = completes;
        shown.phase = note.phase.filter(|_| fact.counts || kind == "expect");
        if kind == "wait" && note.returned {
            let waited = note.phase.and_then(|running| running.checked_sub(1));
            shown.phase = waited.filter(|&phase| asks_for(before, agent, action, (index, phase)));
        } else if kind == "wait" && !stopped {
            shown.label.push_str(" (returns false)");
        }
        let at = self.events.add((shown, fact));
        let left = match action {
            _ if stopped => return,
            Action::Copy { bytes, .. } => match u32::try_from(bytes) {
                Ok(left @ 1..) => Some(left),
                _ => return,
            },
            Action::CopyArrive { .. } => None,
            _ => return,
        };
        for (object, _) in self.replay.machine.objects(agent, action) {
            let copy = Copy { object: object as u32, left, agent: agent as u32, node: done.node };
            self.flying.push((copy, at));
        }
    }

    /// An object that is initialised again is another object from then on.
    fn initialises(&mut self, object: Object) {
        let index = self.object(object);
        let again = self.known.get(&object).is_some_and(|known| known.1);
        let known = if again { self.events.renew(index) } else { index };
        let _ = self.known.insert(object, (known, true));
    }

    /// A lane reaches `bar.warp.sync`.
    fn comes_to_warp(&mut self, step: usize, agent: usize, mask: u32) {
        let object = object_of(&self.replay.machine, agent, Action::WarpSync { mask });
        let Some(object) =
            object.filter(|_| named_lanes(self.replay, agent, mask).contains(&agent))
        else {
            return;
        };
        let counts = !self.states(step).1.stopped;
        let (shown, fact) = self.event(agent, Some(step), "arrive", object);
        let at = self.events.add((shown, Fact { changes: counts, counts, ..fact }));
        if counts {
            let _ = self.arrivals.insert(agent, at);
        }
    }

    /// An agent performs an operation at a barrier of its CTA or cluster, directly or after its warp has gathered
    /// there.
    fn comes(&mut self, step: usize, agent: usize) {
        let Some(came) = self.came.remove(&agent) else { return };
        let machine = &self.replay.machine;
        let (before, after) = self.states(step);
        let (stood, stands) = (before.agents[agent].cluster, after.agents[agent].cluster);
        let (held, stopped) = (after.agents[agent].held, after.stopped);
        let Some(action) = node_action(machine, agent, self.replay.done[came].node) else { return };
        let Some(object) = object_of(machine, agent, action) else { return };
        let running = *self.phase(object);
        let waits = matches!(action, Action::ClusterWait { .. });
        let (mut shown, mut fact) =
            self.event(agent, Some(came), if waits { "wait" } else { "arrive" }, object);
        if waits {
            shown.phase = (stood == Standing::Released).then_some(running - 1);
            shown.pending = held == Held::Forever;
        } else {
            let arrives = match object {
                Object::Cluster(_) => stood == Standing::Away && stands != Standing::Away,
                _ => true,
            };
            fact.counts = arrives && !stopped;
            fact.changes = fact.counts;
            shown.phase = Some(running).filter(|_| fact.counts);
        }
        let counts = fact.counts;
        let at = self.events.add((shown, fact));
        let blocks = !matches!(action, Action::Bar { kind: Bar::Arrive, .. });
        if counts && blocks && matches!(object, Object::Bar(_)) {
            let _ = self.arrivals.insert(agent, at);
        }
    }

    /// Phases that a step completed, and the agents that continue. `from` is the first operation of the step.
    fn settle(&mut self, step: usize, from: usize) {
        let machine = &self.replay.machine;
        let agent = self.replay.done[step].step.agent;
        let (before, after) = self.states(step);
        if after.stopped {
            return;
        }
        if turns(machine, [before, after], agent) {
            let cluster = machine.context.program.launch.cluster_of(machine.cta(agent));
            self.complete(step, Object::Cluster(cluster as usize), from, &[]);
        }
        // Released agents, by the object that they waited at.
        let mut met: OrderedMap<usize, Vec<usize>> = OrderedMap::new();
        for (&other, &at) in &self.arrivals {
            if !matches!(after.agents[other].held, Held::Bar(_) | Held::Warp)
                && let Some(object) = self.events.list[at].0.object
            {
                met.entry(object).or_default().push(other);
            }
        }
        // A generation with only arrives releases no agent.
        for (shown, fact) in &self.events.list[from..] {
            if let Some(object) = shown.object.filter(|_| fact.counts)
                && let Some(Object::Bar(bar)) = self.named(object)
                && after.agents[shown.agent].bars >> (bar % BARS) & 1 == 0
            {
                let _ = met.entry(object).or_default();
            }
        }
        for (index, agents) in met {
            if let Some(object) = self.named(index) {
                self.complete(step, object, from, &agents);
            }
        }
    }

    /// A phase completes with the last arrival of the step, or with the end of an agent.
    fn complete(&mut self, step: usize, object: Object, from: usize, gone_on: &[usize]) {
        let index = self.object(object);
        let running = *self.phase(object);
        *self.phase(object) += 1;
        let arrived = |(shown, fact): &Event| shown.object == Some(index) && fact.counts;
        let last = self.events.list[from..].iter().rposition(arrived).map(|at| from + at);
        let last = last.unwrap_or_else(|| {
            let agent = self.replay.done[step].step.agent;
            let (shown, fact) = self.event(agent, Some(step), "end", object);
            let fact = Fact { changes: true, counts: true, ..fact };
            self.events.add((crate::graph::Operation { phase: Some(running), ..shown }, fact))
        });
        self.events.list[last].0.completes = true;
        for agent in gone_on {
            let Some(arrival) = self.arrivals.remove(agent) else { continue };
            // Lanes of other masks may have reached their warp's barrier before this phase began.
            self.events.list[arrival].0.phase = Some(running);
            let _ = self.events.add_wait(arrival, Some((running, step)));
        }
    }

    /// The waits at which agents are blocked.
    fn leave_waiting(&mut self) {
        let arrivals: Vec<usize> = self.arrivals.values().copied().collect();
        for arrival in arrivals {
            let _ = self.events.add_wait(arrival, None);
        }
        let (machine, state) = (&self.replay.machine, self.replay.state());
        for (&agent, &step) in &self.came.clone() {
            let Some(action) = node_action(machine, agent, self.replay.done[step].node) else {
                continue;
            };
            let Some(object) = object_of(machine, agent, action) else { continue };
            let (mut shown, fact) = self.event(agent, Some(step), "wait", object);
            shown.pending = true;
            let _ = self.events.add((shown, fact));
        }
        for agent in 0..state.agents.len() {
            let at = &state.agents[agent];
            if at.ended || at.held != Held::Free {
                continue;
            }
            let waits = match node_action(machine, agent, at.node) {
                Some(Action::Wait { .. }) => {
                    let open = machine.passes(state, agent, at.node) == Some(false);
                    open && (state.stopped || machine.ways(state, agent) == 0)
                }
                Some(Action::ClusterWait { .. }) => at.cluster == Standing::Arrived,
                _ => false,
            };
            if let Some(object) = acts_on(machine, state, agent).filter(|_| waits) {
                let event = self.event(agent, None, "wait", object);
                let _ = self.events.add(event);
            }
        }
    }
}
