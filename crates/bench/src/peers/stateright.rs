//! Stateright: the same program as a model in Rust, searched in this process.

use super::Peer;
use crate::case::{Counting, Phases, Step};
use stateright::{Checker, Model, Property};
use std::time::Instant;

/// A state: where each agent is and whether it waits for a phase that is open, and the arrivals and completed phases of each
/// barrier.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    agents: Vec<(u16, bool)>,
    barriers: Vec<(u8, u8)>,
}

struct Barriers(Counting);

impl Model for Barriers {
    type State = State;
    type Action = usize;

    fn init_states(&self) -> Vec<State> {
        let agents = vec![(0, false); self.0.agents.len()];
        vec![State { agents, barriers: vec![(0, 0); self.0.expected.len()] }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<usize>) {
        actions.extend((0..state.agents.len()).filter(|&agent| {
            let (at, waits) = state.agents[agent];
            match self.0.agents[agent].get(usize::from(at)) {
                None => false,
                Some(Step::Arrive(_)) => true,
                Some(Step::Wait(_)) => !waits,
                Some(&Step::WaitCompleted(b, phases)) => u32::from(state.barriers[b].1) >= phases,
                Some(&Step::WaitParity(b, parity)) => u32::from(state.barriers[b].1) != parity,
            }
        }));
    }

    fn next_state(&self, state: &State, agent: usize) -> Option<State> {
        let mut next = state.clone();
        let (at, waits) = &mut next.agents[agent];
        let steps = &self.0.agents[agent];
        let step = steps[usize::from(*at)];
        *at += 1;
        if let Step::Arrive(b) = step {
            *waits = steps.get(usize::from(*at)) == Some(&Step::Wait(b));
            next.barriers[b].0 += 1;
            if u32::from(next.barriers[b].0) == self.0.expected[b] {
                self.complete(&mut next, b);
            }
        }
        Some(next)
    }

    /// It holds everywhere, so that every state is visited.
    fn properties(&self) -> Vec<Property<Self>> {
        let within = |model: &Self, state: &State| {
            let counts = state.barriers.iter().zip(&model.0.expected);
            counts.into_iter().all(|((arrived, _), &expected)| u32::from(*arrived) < expected)
        };
        vec![Property::always("fewer arrivals than complete a phase", within)]
    }
}

impl Barriers {
    /// Completes the open phase of a barrier, which releases the agents that wait for it.
    fn complete(&self, state: &mut State, barrier: usize) {
        let (arrived, completed) = &mut state.barriers[barrier];
        *arrived = 0;
        match self.0.phases(barrier) {
            Phases::Own => {}
            Phases::Parity => *completed ^= 1,
            Phases::Number => *completed += 1,
        }
        for ((at, waits), steps) in state.agents.iter_mut().zip(&self.0.agents) {
            *waits &= steps.get(usize::from(*at)) != Some(&Step::Wait(barrier));
        }
    }
}

/// The maximum number of states: its limit of time is not checked often enough to protect the memory.
const MOST_STATES: usize = 4_000_000;

/// Visits every state of a program, on one thread.
pub(super) fn run(counting: &Counting) -> Peer {
    let start = Instant::now();
    let checker = Barriers(counting.clone())
        .checker()
        .threads(1)
        .target_state_count(MOST_STATES)
        .spawn_bfs()
        .join();
    let seconds = start.elapsed().as_secs_f64();
    let finished = checker.state_count() < MOST_STATES;
    Peer {
        name: "Stateright",
        states: finished.then(|| checker.unique_state_count() as u64),
        transitions: finished.then(|| checker.state_count() as u64),
        seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Before the first completion each of N agents has arrived or not. Between two completions each waits, has passed or has
    /// arrived again. After the last each waits or has ended. Adjacent parts share a state.
    #[test]
    fn one_barrier_has_as_many_states_as_its_formula() {
        for (agents, rounds) in [(2_u32, 1_u32), (3, 2), (4, 3), (6, 3)] {
            let steps = [Step::Arrive(0), Step::Wait(0)].repeat(rounds as usize);
            let counting =
                Counting { expected: vec![agents], agents: vec![steps; agents as usize] };
            let formula = 2_u64.pow(agents)
                + u64::from(rounds - 1) * (3_u64.pow(agents) - 1)
                + 2_u64.pow(agents)
                - 1;
            assert_eq!(run(&counting).states, Some(formula), "{agents} x {rounds}");
        }
    }
}
