//! The machine of OpenCL as a state space that can be searched.

use crate::systems::{action, parts};
use alloc::vec::Vec;
use tidegate_explore::{Facts, System};
use tidegate_model::opencl::machine::state::State;
use tidegate_model::opencl::machine::{Machine, endless};

/// The machine.
pub(super) struct OpenclSystem<'a>(pub(super) &'a Machine);

impl OpenclSystem<'_> {
    /// The single steps of a path that a search with reductions found.
    pub(super) fn unfolded(&self, path: Vec<u32>) -> Vec<u32> {
        if !self.0.is_large() {
            return path;
        }
        let (mut state, mut steps) = (self.0.initial(), Vec::new());
        for one in path {
            let (agent, way) = parts(one);
            let broken = state.broken;
            state = self.0.perform(&state, agent, way);
            steps.push(one);
            if state.broken == broken {
                self.0.go_far(&mut state, |agent| steps.push(action(agent, 0)));
            }
        }
        steps
    }
}

impl System for OpenclSystem<'_> {
    type State = State;

    fn initial(&self) -> State {
        let mut state = self.0.initial();
        self.0.canonicalise(&mut state);
        state
    }

    fn pack(&self, state: &State, out: &mut Vec<u8>) {
        self.0.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        self.0.unpack(bytes)
    }

    fn successors(&self, state: &State, reduce: bool, emit: &mut dyn FnMut(u32, State)) -> bool {
        let first = if reduce { self.0.ample(state) } else { None };
        let chosen = first.map_or(0..state.agents.len(), |agent| agent..agent + 1);
        for agent in chosen {
            for way in 0..self.0.ways(state, agent) {
                let mut next = self.0.perform(state, agent, way);
                if reduce && self.0.is_large() && next.broken == state.broken {
                    self.0.go_far(&mut next, |_| {});
                }
                self.0.canonicalise(&mut next);
                emit(action(agent, way), next);
            }
        }
        first.is_some()
    }

    fn facts(&self, state: &State, terminal: bool) -> Facts {
        Facts(u128::from(self.0.broken(state, terminal)))
    }

    fn has_cycles(&self) -> bool {
        self.0.has_cycles()
    }

    fn judges_endless(&self) -> bool {
        self.0.has_cycles()
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (Facts, usize) {
        let (broken, at) = endless::broken(self.0, states);
        (Facts(u128::from(broken)), at)
    }
}
