//! The hardware model as a machine that can be searched.

use super::{Machine as Onebit, State};
use crate::endless::Endless;
use crate::machine::{Machine, own_methods};
use crate::rule::RuleId;
use alloc::vec::Vec;

impl Machine for Onebit {
    type State = State;
    type Record = ();

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
        &[RuleId::AmdMachineNeverCompletes]
    }

    fn broken(&self, state: &State) -> u64 {
        u64::from(state.lost) << RuleId::AmdMachineLostCompletion.number()
    }

    fn facts(&self, state: &State, terminal: bool) -> u128 {
        let stuck = terminal && state.agents.iter().any(|agent| !agent.ended);
        u128::from(stuck) << RuleId::AmdMachineNeverCompletes.number()
            | u128::from(self.broken(state))
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (u128, usize) {
        let (mut endless, mut facts) = (Endless::default(), 0);
        for (index, state) in states.enumerate() {
            facts = self.facts(&state, false);
            let classes = &self.context.classes;
            endless.add(index, classes, &state.agents, |agent| self.ways(&state, agent));
        }
        let starved = endless.starved();
        let stuck = u128::from(starved.is_some()) << RuleId::AmdMachineNeverCompletes.number();
        (facts | stuck, starved.unwrap_or(0))
    }

    fn work(&self) -> u64 {
        self.context.work.done()
    }

    fn advance(&self, state: &mut State, actor: usize, way: usize) {
        Self::advance(self, state, actor, way);
    }
}
