//! The machine of OpenCL as one that can be searched.

use super::state::{Standing, State};
use super::{Machine as Opencl, endless};
use crate::machine::{CUT, Machine, own_methods};
use crate::one_run::order::Order;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// Work of a step for each work-item: which of them goes first depends on what the others may do.
const WORK_PER_ITEM: u64 = 2;

impl Machine for Opencl {
    type State = State;
    type Record = ();

    own_methods!();

    fn node_of(&self, state: &State, actor: usize) -> u32 {
        state.agents[actor].node
    }

    fn has_ended(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].standing == Standing::Ended
    }

    fn rules(&self) -> Vec<RuleId> {
        RuleId::of_opencl().collect()
    }

    fn rules_at_end(&self) -> &'static [RuleId] {
        &[RuleId::OpenclNamedNeverCompletes]
    }

    fn broken(&self, state: &State) -> u64 {
        state.broken
    }

    fn facts(&self, state: &State, terminal: bool) -> u128 {
        u128::from(Self::broken(self, state, terminal)) | if state.stopped { CUT } else { 0 }
    }

    fn agrees(&self, state: &State, object: u32, order: &Order, agent: usize) -> bool {
        Self::agrees(state, object as usize, (order, agent))
    }

    fn advance(&self, state: &mut State, actor: usize, way: usize) {
        Self::advance(self, state, actor, way);
    }

    fn work_of_step(&self, state: &State) -> u64 {
        state.agents.len() as u64 * WORK_PER_ITEM
    }

    /// In a large launch, steps without a choice follow one another.
    fn skip(&self, before: &State, next: &mut State, each: &mut dyn FnMut(usize)) {
        if next.broken == before.broken && self.is_large() {
            self.go_far(next, each);
        }
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (u128, usize) {
        let (broken, at) = endless::broken(self, states);
        (u128::from(broken), at)
    }
}
