//! The machine of OpenCL as one that can be searched.

use super::state::{Standing, State};
use super::{Machine as Opencl, endless, number, reported};
use crate::context::Context;
use crate::machine::Machine;
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;

impl Machine for Opencl {
    type State = State;
    type Record = ();

    fn context(&self) -> &Rc<Context> {
        &self.context
    }

    fn initial(&self) -> State {
        Self::initial(self)
    }

    fn ways(&self, state: &State, actor: usize) -> usize {
        Self::ways(self, state, actor)
    }

    fn perform(&self, state: &State, actor: usize, way: usize) -> State {
        Self::perform(self, state, actor, way)
    }

    fn node_of(&self, state: &State, actor: usize) -> u32 {
        state.agents[actor].node
    }

    fn has_ended(&self, state: &State, agent: usize) -> bool {
        state.agents[agent].standing == Standing::Ended
    }

    fn rules(&self) -> Vec<RuleId> {
        reported().collect()
    }

    fn rules_at_end(&self) -> &'static [RuleId] {
        &[RuleId::OpenclNamedNeverCompletes]
    }

    fn number(rule: RuleId) -> u32 {
        number(rule)
    }

    fn broken(&self, state: &State) -> u64 {
        state.broken
    }

    fn facts(&self, state: &State, terminal: bool) -> u128 {
        u128::from(Self::broken(self, state, terminal))
    }

    fn canonicalise(&self, state: &mut State) -> Vec<usize> {
        Self::canonicalise(self, state)
    }

    fn ample(&self, state: &State) -> Option<usize> {
        Self::ample(self, state)
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

    fn pack(&self, state: &State, out: &mut Vec<u8>) {
        Self::pack(self, state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        Self::unpack(self, bytes)
    }
}
