//! The execution model as a machine that can be searched.

use super::Spec;
use super::state::{State, Stop};
use super::step::Garbage;
use crate::endless::Endless;
use crate::machine::{CUT, Machine, OVERFLOW, SOMEWHERE, own_methods};
use crate::one_run::order::Order;
use crate::ordered::OrderedSet;
use crate::program::Node;
use crate::reach::instance_bit;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// Tokens of accesses from which a single run forgets some. It stores no states, so it need not recognise equal ones; a state
/// can have 128.
const MANY_TOKENS: usize = 80;
/// Slots of phases from which it forgets some; a state can have 128.
const MANY_SLOTS: usize = 100;

impl Machine for Spec {
    type State = State;
    /// Readings whose other option could matter in some step, one bit each.
    type Record = u32;

    const PARTS_CHANGE: bool = true;

    own_methods!();

    fn parts(&self, state: &State) -> Vec<u32> {
        Self::parts(self, state)
    }

    fn node_of(&self, state: &State, actor: usize) -> u32 {
        state.agents[actor].node
    }

    fn has_ended(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].ended
    }

    fn rules(&self) -> Vec<RuleId> {
        RuleId::of_amdgpu().collect()
    }

    fn rules_at_end(&self) -> &'static [RuleId] {
        &[RuleId::AmdWaitNeverCompletes]
    }

    /// The rules that are broken in every choice.
    fn broken(&self, state: &State) -> u64 {
        Self::broken(state)
    }

    fn facts(&self, state: &State, terminal: bool) -> u128 {
        let mut every = Self::broken(state);
        let any = Self::broken_somewhere(state);
        if state.stop == Some(Stop::Undefined) && every == 0 {
            every = any;
        }
        if terminal && state.stop.is_none() && state.agents.iter().any(|agent| !agent.ended) {
            let mut agents = 0..state.agents.len();
            let unjoined = agents.any(|agent| self.waits_without_join(state, agent).is_some());
            every |= stuck(true, unjoined);
        }
        // A choice can still be ruled out before the path ends, so rules that are broken in some choice count at its end only.
        let somewhere = if terminal { any } else { 0 };
        let stop = match state.stop {
            Some(Stop::Overflow(lack)) => 1 << (OVERFLOW + lack as u32),
            Some(Stop::Undefined) => CUT,
            None => 0,
        };
        u128::from(every) | u128::from(somewhere) << SOMEWHERE | stop
    }

    /// Readings `amd.A3` and `amd.A10` matter only where a drop happens while others can still use the object.
    fn record(&self, record: &mut u32, state: &State, agent: usize) {
        if state.stop.is_some() {
            return;
        }
        match self.node(state, agent) {
            Some(Node::Operation { operation, .. }) => {
                if self.joined_another(state, agent, operation.action) {
                    *record |= 1 << ReadingId::AmdA7 as u32;
                }
                return;
            }
            Some(Node::End) => {}
            _ => return,
        }
        let instances = &self.context.instances;
        let own = [instances.workgroup_of(agent), instances.cluster_of(agent)];
        let own = own.map(instance_bit).into_iter().fold(0, |set, bit| set | bit);
        let others =
            (0..state.agents.len()).filter(|&other| other != agent && !state.agents[other].ended);
        let reach =
            others.map(|other| self.context.reaches.from(other, state.agents[other].node).touches);
        let reach = reach.fold(0, |set, touches| set | touches);
        // A state in which an end drops nothing does not say where its agent has arrived.
        let arrived = !self.usual(ReadingId::AmdA3) || self.can_leave_unwaited(state, agent);
        if reach & own != 0 || arrived {
            *record |= 1 << ReadingId::AmdA3 as u32 | 1 << ReadingId::AmdA10 as u32;
        }
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (u128, usize) {
        let mut endless = Endless::default();
        let (mut broken, mut unjoined) = (u64::MAX, OrderedSet::new());
        for (index, state) in states.enumerate() {
            broken &= Self::broken(&state);
            let classes = &self.context.classes;
            endless.add(index, classes, &state.agents, |agent| self.ways(&state, agent));
            let agents = 0..state.agents.len();
            let without = agents.filter(|&agent| self.waits_without_join(&state, agent).is_some());
            unjoined.extend(without.map(|agent| (classes[agent], state.agents[agent].node)));
        }
        let starved = endless.starved();
        let forever = |at: &(u32, u32)| unjoined.contains(at) && !endless.passed.contains(at);
        let unjoined = endless.blocked.keys().any(forever);
        (u128::from(broken | stuck(starved.is_some(), unjoined)), starved.unwrap_or(0))
    }

    fn work(&self) -> u64 {
        self.context.work.done()
    }

    fn agrees(&self, state: &State, object: u32, order: &Order, _agent: usize) -> bool {
        Self::agrees(self, state, object, order)
    }

    fn advance(&self, state: &mut State, actor: usize, way: usize) {
        // Each object can have an open phase and the last completed one; both stay for a while.
        let slots = (2 * state.objects.len() + 6).min(MANY_SLOTS);
        Self::advance(self, state, actor, way, Garbage { tokens: MANY_TOKENS, slots });
    }
}

/// The facts of waits that never complete: whether there are any, and whether one has no join that precedes it.
fn stuck(any: bool, unjoined: bool) -> u64 {
    u64::from(any) << RuleId::AmdWaitNeverCompletes.number()
        | u64::from(any && unjoined) << RuleId::AmdJoinBeforeWait.number()
}
