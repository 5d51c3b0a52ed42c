//! The two machines as state spaces that can be searched.

use alloc::vec::Vec;
use core::cell::Cell;
use tidegate_explore::{Facts, System};
use tidegate_model::frozen::AgentState;
use tidegate_model::onebit::{self, Machine};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::Node;
use tidegate_model::reach::instance_bit;
use tidegate_model::reading::ReadingId;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::{Lack, State, Stop};

/// The fact that a rule is broken under every choice.
pub(crate) const fn fact(rule: RuleId) -> u32 {
    rule.number()
}

/// How far behind the fact that a rule is broken the fact stands that it is broken under some choice, at the end of a path.
pub(crate) const SOMEWHERE: u32 = 64;

/// The first of the facts that a state could not hold what it needs: one for each thing that it can lack.
const OVERFLOW: u32 = 61;

/// The facts that a state could not hold what it needs.
pub(crate) const OVERFLOWS: u128 = 0b111 << OVERFLOW;

/// What states could not hold, where these facts are of one.
pub(crate) fn lacked(facts: Facts) -> Option<Lack> {
    Lack::ALL.into_iter().find(|&lack| facts.0 >> OVERFLOW >> lack as u32 & 1 == 1)
}

/// An action: an agent and which of its ways it goes.
pub(crate) fn action(agent: usize, way: usize) -> u32 {
    (agent as u32) << 16 | (way as u32 & 0xffff)
}

/// The agent and the way of an action.
pub(crate) fn parts(action: u32) -> (usize, usize) {
    ((action >> 16) as usize, (action & 0xffff) as usize)
}

/// The steps to look at: those of the agent that may go first alone, or of everybody.
fn steps(
    first: Option<usize>,
    agents: usize,
    ways: impl Fn(usize) -> usize,
) -> impl Iterator<Item = (usize, usize)> {
    let who = first.map_or(0..agents, |agent| agent..agent + 1);
    who.flat_map(move |agent| {
        let ways = ways(agent);
        (0..ways).map(move |way| (agent, way))
    })
}

/// Executions that never end, as a set of states that no path leaves: an agent that can go on nowhere in it never
/// completes its wait, though others go on for ever.
#[derive(Default)]
struct Endless {
    /// Classes of agents, and nodes at which one of them goes on.
    passed: OrderedSet<(u32, u32)>,
    /// Those at which one stands still, and where that is seen first.
    still: OrderedMap<(u32, u32), usize>,
}

impl Endless {
    fn look(
        &mut self,
        index: usize,
        classes: &[u32],
        agents: &[AgentState],
        ways: impl Fn(usize) -> usize,
    ) {
        for (agent, at) in agents.iter().enumerate().filter(|(_, at)| !at.ended) {
            let place = (classes[agent], at.node);
            if ways(agent) > 0 {
                self.passed.insert(place);
            } else {
                self.still.entry(place).or_insert(index);
            }
        }
    }

    /// Where somebody stands still for ever, if anybody does.
    fn starved(&self) -> Option<usize> {
        let in_vain = self.still.iter().filter(|(place, _)| !self.passed.contains(place));
        in_vain.map(|(_, &index)| index).min()
    }
}

/// The text's machine.
pub(crate) struct SpecSystem<'a> {
    /// The machine.
    pub spec: &'a Spec,
    /// Readings whose other answer could have mattered in some step that was taken, one bit each.
    pub relevant: Cell<u32>,
}

impl System for SpecSystem<'_> {
    type State = State;

    fn initial(&self) -> State {
        let mut state = self.spec.initial();
        self.spec.canonicalise(&mut state);
        state
    }

    fn pack(&self, state: &State, out: &mut Vec<u8>) {
        self.spec.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        self.spec.unpack(bytes)
    }

    fn successors(&self, state: &State, reduce: bool, emit: &mut dyn FnMut(u32, State)) -> bool {
        let first = if reduce { self.spec.ample(state) } else { None };
        for (agent, way) in steps(first, state.agents.len(), |agent| self.spec.ways(state, agent)) {
            self.note_relevant(state, agent);
            let mut next = self.spec.perform(state, agent, way);
            self.spec.canonicalise(&mut next);
            emit(action(agent, way), next);
        }
        first.is_some()
    }

    fn facts(&self, state: &State, terminal: bool) -> Facts {
        facts(self.spec, state, terminal)
    }

    fn has_cycles(&self) -> bool {
        self.spec.context.reaches.any_cycle()
    }

    fn judges_endless(&self) -> bool {
        self.has_cycles()
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (Facts, usize) {
        let mut endless = Endless::default();
        let (mut broken, mut bare) = (u64::MAX, OrderedSet::new());
        for (index, state) in states.enumerate() {
            broken &= Spec::broken(&state);
            let ways = |agent| self.spec.ways(&state, agent);
            let classes = &self.spec.context.classes;
            endless.look(index, classes, &state.agents, ways);
            let agents = 0..state.agents.len();
            let lacking =
                agents.filter(|&agent| self.spec.waits_without_join(&state, agent).is_some());
            bare.extend(lacking.map(|agent| (classes[agent], state.agents[agent].node)));
        }
        let starved = endless.starved();
        let bare = endless.still.keys().any(|at| bare.contains(at) && !endless.passed.contains(at));
        let stuck = stuck(starved.is_some(), bare);
        (Facts(u128::from(broken | stuck)), starved.unwrap_or(0))
    }

    fn work(&self) -> u64 {
        self.spec.context.work.done()
    }
}

impl SpecSystem<'_> {
    /// Readings `amd.A3` and `amd.A10` matter only where a drop happens while others can still use the object.
    fn note_relevant(&self, state: &State, agent: usize) {
        if self.spec.node(state, agent) != Some(&Node::End) {
            return;
        }
        let instances = &self.spec.context.instances;
        let own = [instances.workgroup_of(agent), instances.cluster_of(agent)];
        let own = own.map(instance_bit).into_iter().fold(0, |set, bit| set | bit);
        let others =
            (0..state.agents.len()).filter(|&other| other != agent && !state.agents[other].ended);
        let reach = others
            .map(|other| self.spec.context.reaches.from(other, state.agents[other].node).touches);
        let reach = reach.fold(0, |set, touches| set | touches);
        let owes = state.choices.iter().any(|choice| choice.agents[agent].arrived != 0);
        let mut relevant = self.relevant.get();
        if reach & own != 0 || owes {
            relevant |= 1 << ReadingId::AmdA3 as u32 | 1 << ReadingId::AmdA10 as u32;
        }
        self.relevant.set(relevant);
    }
}

/// The facts of waits that never complete: whether there are any, and whether one lacks the join that it needs.
fn stuck(any: bool, bare: bool) -> u64 {
    u64::from(any) << fact(RuleId::AmdWaitNeverCompletes)
        | u64::from(any && bare) << fact(RuleId::AmdJoinBeforeWait)
}

/// What is true of a state of the text's machine.
pub(crate) fn facts(spec: &Spec, state: &State, terminal: bool) -> Facts {
    let mut every = Spec::broken(state);
    let any = Spec::broken_somewhere(state);
    if state.stop == Some(Stop::Undefined) && every == 0 {
        every = any;
    }
    if terminal && state.stop.is_none() && state.agents.iter().any(|agent| !agent.ended) {
        let mut agents = 0..state.agents.len();
        let bare = agents.any(|agent| spec.waits_without_join(state, agent).is_some());
        every |= stuck(true, bare);
    }
    // A choice can still die before the path ends, so what holds under some only counts at its end.
    let somewhere = if terminal { any } else { 0 };
    let overflow = match state.stop {
        Some(Stop::Overflow(lack)) => 1 << (OVERFLOW + lack as u32),
        _ => 0,
    };
    Facts(u128::from(every) | u128::from(somewhere) << SOMEWHERE | overflow)
}

/// The one-bit machine.
pub(crate) struct MachineSystem<'a>(pub &'a Machine);

impl System for MachineSystem<'_> {
    type State = onebit::State;

    fn initial(&self) -> onebit::State {
        let mut state = self.0.initial();
        self.0.canonicalise(&mut state);
        state
    }

    fn pack(&self, state: &onebit::State, out: &mut Vec<u8>) {
        self.0.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> onebit::State {
        self.0.unpack(bytes)
    }

    fn successors(
        &self,
        state: &onebit::State,
        reduce: bool,
        emit: &mut dyn FnMut(u32, onebit::State),
    ) -> bool {
        let first = if reduce { self.0.ample(state) } else { None };
        for (agent, way) in steps(first, state.agents.len(), |agent| self.0.ways(state, agent)) {
            let mut next = self.0.perform(state, agent, way);
            self.0.canonicalise(&mut next);
            emit(action(agent, way), next);
        }
        first.is_some()
    }

    fn facts(&self, state: &onebit::State, terminal: bool) -> Facts {
        let stuck = terminal && state.agents.iter().any(|agent| !agent.ended);
        let stuck = u128::from(stuck) << fact(RuleId::AmdMachineNeverCompletes);
        Facts(stuck | u128::from(state.lost) << fact(RuleId::AmdMachineLostCompletion))
    }

    fn has_cycles(&self) -> bool {
        self.0.context.reaches.any_cycle()
    }

    fn judges_endless(&self) -> bool {
        self.has_cycles()
    }

    fn endless(&self, states: &mut dyn Iterator<Item = onebit::State>) -> (Facts, usize) {
        let mut endless = Endless::default();
        let mut facts = Facts::default();
        for (index, state) in states.enumerate() {
            facts = self.facts(&state, false);
            let ways = |agent| self.0.ways(&state, agent);
            endless.look(index, &self.0.context.classes, &state.agents, ways);
        }
        let starved = endless.starved();
        let stuck = u128::from(starved.is_some()) << fact(RuleId::AmdMachineNeverCompletes);
        (Facts(facts.0 | stuck), starved.unwrap_or(0))
    }

    fn work(&self) -> u64 {
        self.0.context.work.done()
    }
}
