//! The machine of NVIDIA as one that can be searched.

use super::node::action_of;
use super::state::State;
use super::{Machine as Nvidia, WaitKey, endless, tidy};
use crate::machine::{CUT, Machine, STUCK, own_methods};
use crate::one_run::order::Order;
use crate::ordered::OrderedMap;
use crate::ptx::action::Action;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// Work of a step for each actor of its state, all of which are put into order: about a microsecond.
const WORK_PER_ACTOR: u64 = 100;

impl Machine for Nvidia {
    type State = State;
    /// For each wait by parity, the first and the last phase at which it is performed.
    type Record = OrderedMap<WaitKey, (u32, u32)>;
    const HAS_COPIES: bool = true;

    own_methods!();

    /// Agents, and copies in flight.
    fn actors(&self, state: &State) -> usize {
        Self::actors(self, state)
    }

    fn node_of(&self, state: &State, actor: usize) -> u32 {
        let copy = || state.copies.get(actor - state.agents.len()).map_or(0, |copy| copy.node);
        state.agents.get(actor).map_or_else(copy, |agent| agent.node)
    }

    fn has_ended(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].ended
    }

    fn rules(&self) -> Vec<RuleId> {
        RuleId::of_nvidia().collect()
    }

    fn rules_at_end(&self) -> &'static [RuleId] {
        &[RuleId::PtxMbarrierNeverCompletes, RuleId::PtxBarNeverCompletes]
    }

    fn broken(&self, state: &State) -> u64 {
        state.broken
    }

    fn facts(&self, state: &State, terminal: bool) -> u128 {
        let broken = Self::broken(self, state, terminal) & !LEFT.bit();
        let cut = if state.stopped { CUT } else { 0 };
        facts(broken | if terminal { left(state) } else { 0 }) | cut
    }

    /// Copies and accesses refer to agents by number.
    fn are_alike(&self, state: &State, one: usize, other: usize) -> bool {
        state.copies.is_empty()
            && state.memory.is_none()
            && Self::are_alike(self, state, one, other)
    }

    /// A copy is found by its content, because copies keep no order.
    fn original(
        &self,
        original: &State,
        canonical: &State,
        order: &[usize],
        actor: usize,
    ) -> usize {
        let agents = canonical.agents.len();
        let Some(copy) = actor.checked_sub(agents) else { return order[actor] };
        let mut copy = canonical.copies[copy];
        copy.agent = order[copy.agent as usize] as u32;
        agents + original.copies.iter().position(|other| *other == copy).unwrap_or(0)
    }

    fn owner(&self, state: &State, actor: usize) -> usize {
        let copy = || state.copies.get(actor - state.agents.len()).map(|copy| copy.agent as usize);
        if actor < state.agents.len() { actor } else { copy().unwrap_or(0) }
    }

    fn parts(&self, _state: &State) -> Vec<u32> {
        Self::separate(self)
    }

    fn record(&self, record: &mut Self::Record, state: &State, agent: usize) {
        if state.stopped {
            return;
        }
        if let Some((key, phase)) = self.meets(state, agent) {
            let known = record.entry(key).or_insert((phase, phase));
            *known = (known.0.min(phase), known.1.max(phase));
        }
    }

    fn has_cycles(&self) -> bool {
        Self::has_cycles(self)
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (u128, usize) {
        let mut all = 0;
        let mut states = states.inspect(|state| all |= left(state));
        let (broken, at) = endless::broken(self, &mut states);
        (facts(broken & !LEFT.bit() | all), at)
    }

    fn agrees(&self, state: &State, object: u32, order: &Order, agent: usize) -> bool {
        Self::agrees(self, state, object as usize, (order, agent))
    }

    fn advance(&self, state: &mut State, actor: usize, way: usize) {
        let made = |state: &State| state.memory.as_ref().map_or(0, |memory| memory.made.len());
        let (only_accesses, before) = (self.only_accesses(state, actor), made(state));
        Self::advance(self, state, actor, way);
        let often = |made: usize| made > before && made.is_multiple_of(TIDY_EVERY);
        if state.memory.is_some() && (!only_accesses || often(made(state))) {
            tidy::tidy(state, false);
        }
    }

    fn work(&self) -> u64 {
        self.context.work.done()
    }

    fn work_of_step(&self, state: &State) -> u64 {
        Self::actors(self, state) as u64 * WORK_PER_ACTOR
    }
}

/// A single run removes what no later step can distinguish after synchronisation, and after so many accesses without one.
const TIDY_EVERY: usize = 64;

impl Nvidia {
    /// Whether the next step of an actor accesses memory, so that no agent learns of an access of another.
    fn only_accesses(&self, state: &State, actor: usize) -> bool {
        let node = if actor < state.agents.len() { self.node(state, actor) } else { None };
        matches!(node.and_then(action_of), Some(Action::Nothing | Action::Copy { .. }))
    }
}

/// Copies that an agent leaves outstanding when it ends count at the end of a path.
const LEFT: RuleId = RuleId::PtxAsyncCopyOutstandingAtExit;

/// Whether a path that ends in a state leaves copies outstanding. If an access races with a copy, the missing wait is reported
/// there, but not where the path is cut: whether the race comes first then depends on the order.
fn left(state: &State) -> u64 {
    let races = state.broken & RuleId::PtxAsyncCopyAccess.bit() != 0 && !state.stopped;
    if races { 0 } else { state.broken & LEFT.bit() }
}

/// The facts of broken rules.
fn facts(broken: u64) -> u128 {
    let stuck = RuleId::PtxMbarrierNeverCompletes.bit() | RuleId::PtxBarNeverCompletes.bit();
    u128::from(broken) | if broken & stuck == 0 { 0 } else { STUCK }
}
