//! The states of a machine as a state space that can be searched.

use crate::scene::Engine;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell, RefCell};
use tidegate_explore::{Facts, System};
use tidegate_model::machine::{CUT, Machine, OVERFLOWS};

/// One step of a path: an agent of the program and which of its ways it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The agent.
    pub agent: usize,
    /// The alternative of a `choose`, else 0.
    pub way: usize,
}

/// An action: an actor and the outcome of its step.
pub(crate) fn action(actor: usize, way: usize) -> u32 {
    (actor as u32) << 16 | (way as u32 & 0xffff)
}

/// The actor and the outcome of an action.
pub(crate) fn parts(action: u32) -> (usize, usize) {
    ((action >> 16) as usize, (action & 0xffff) as usize)
}

/// A machine whose executions are searched, and what the search records about their steps.
pub(crate) struct Space<'a, M: Machine> {
    machine: &'a M,
    /// Whether states that differ by an exchange of interchangeable agents are one state.
    exchanges: bool,
    record: RefCell<M::Record>,
    /// The part of the program of each agent, if there are several that a search may execute one after the other.
    parts: OnceCell<Vec<u32>>,
    /// Work of the steps so far that the machine does not count itself.
    work: Cell<u64>,
}

impl<'a, M: Machine> Space<'a, M> {
    pub(crate) fn new(machine: &'a M) -> Self {
        let (record, parts, work) = (RefCell::default(), OnceCell::new(), Cell::new(0));
        Self { machine, exchanges: true, record, parts, work }
    }

    /// Every state of its own: for the plain enumeration that reductions are compared with.
    pub(crate) fn plain(machine: &'a M) -> Self {
        Self { exchanges: false, ..Self::new(machine) }
    }

    /// The states that an engine distinguishes.
    pub(crate) fn of(machine: &'a M, engine: Engine) -> Self {
        match engine {
            Engine::Plain => Self::plain(machine),
            Engine::Auto | Engine::Explore | Engine::Axioms => Self::new(machine),
        }
    }

    /// What the search has recorded.
    pub(crate) fn recorded(&self) -> M::Record {
        self.record.borrow().clone()
    }

    fn canonicalise(&self, state: &mut M::State) {
        if self.exchanges {
            self.machine.canonicalise(state);
        }
    }

    /// The steps of the program's own actors on a path, and the state at its end.
    pub(crate) fn steps(&self, path: &[u32]) -> (Vec<Step>, M::State) {
        if self.exchanges {
            return self.steps_of_canonical(path);
        }
        let mut state = self.machine.initial();
        let perform = |&taken: &u32| {
            let (agent, way) = parts(taken);
            state = self.machine.perform(&state, agent, way);
            Step { agent, way }
        };
        let steps = path.iter().map(perform).collect();
        (steps, state)
    }

    /// The steps of the program's own actors on a path among canonical states, and the canonical state at its end.
    fn steps_of_canonical(&self, path: &[u32]) -> (Vec<Step>, M::State) {
        let machine = self.machine;
        let mut state = machine.initial();
        let mut own = state.clone();
        let mut order = machine.canonicalise(&mut state);
        let steps = path
            .iter()
            .map(|&taken| {
                let (actor, way) = parts(taken);
                let agent = machine.original(&own, &state, &order, actor);
                if M::HAS_COPIES {
                    own = machine.perform(&own, agent, way);
                }
                state = machine.perform(&state, actor, way);
                let moved = machine.canonicalise(&mut state);
                order = moved.into_iter().map(|old| order[old]).collect();
                Step { agent, way }
            })
            .collect();
        (steps, state)
    }

    /// The path among canonical states that these actors of the original program take.
    pub(crate) fn canonical(&self, actors: &[u32]) -> Vec<u32> {
        let machine = self.machine;
        let mut state = machine.initial();
        let mut own = if M::HAS_COPIES { Some(state.clone()) } else { None };
        let mut order = machine.canonicalise(&mut state);
        // The states must be those of a search, and not those of a single run, which keep more.
        let step = |&taken: &u32| {
            let taken = taken as usize;
            let place = match &mut own {
                None => order.iter().position(|&agent| agent == taken),
                Some(own) => {
                    let is = |&place: &usize| machine.original(own, &state, &order, place) == taken;
                    let place = (0..machine.actors(&state)).find(is);
                    machine.advance(own, taken, 0);
                    place
                }
            };
            let actor = place.unwrap_or_default();
            state = machine.perform(&state, actor, 0);
            let moved = machine.canonicalise(&mut state);
            order = moved.into_iter().map(|old| order[old]).collect();
            action(actor, 0)
        };
        actors.iter().map(step).collect()
    }

    /// The single steps of a path that a search with reductions found.
    pub(crate) fn unfolded(&self, path: &[u32]) -> Vec<u32> {
        let machine = self.machine;
        let (mut state, mut steps) = (machine.initial(), Vec::new());
        self.canonicalise(&mut state);
        for &taken in path {
            let mut following = alloc::vec![parts(taken)];
            let mut next = machine.perform(&state, following[0].0, following[0].1);
            machine.skip(&state, &mut next, &mut |actor| following.push((actor, 0)));
            // Steps that follow one another name places in the state before them, and the result those in canonical states.
            let mut order: Vec<usize> = (0..machine.actors(&state)).collect();
            for (actor, way) in following {
                let place = order.iter().position(|&before| before == actor).unwrap_or(actor);
                steps.push(action(place, way));
                state = machine.perform(&state, place, way);
                if self.exchanges {
                    let moved = machine.canonicalise(&mut state);
                    order = moved.into_iter().map(|old| order[old]).collect();
                }
            }
        }
        steps
    }

    /// Emits the successors by the steps of these actors.
    fn steps_of(
        &self,
        state: &M::State,
        actors: impl Iterator<Item = usize>,
        reduce: bool,
        emit: &mut dyn FnMut(u32, M::State),
    ) {
        let machine = self.machine;
        let agents = machine.context().program.agents.len();
        let mut taken: Vec<usize> = Vec::new();
        for actor in actors {
            let ways = machine.ways(state, actor);
            if ways > 0 && actor < agents {
                machine.record(&mut self.record.borrow_mut(), state, actor);
            }
            // Its steps lead to the same canonical states.
            let alike = |&other: &usize| machine.are_alike(state, actor, other);
            if ways == 0 || self.exchanges && taken.iter().any(alike) {
                continue;
            }
            taken.push(actor);
            let mut steps = ways as u64;
            for way in 0..ways {
                let mut next = machine.perform(state, actor, way);
                if reduce {
                    machine.skip(state, &mut next, &mut |_| steps += 1);
                }
                self.canonicalise(&mut next);
                emit(action(actor, way), next);
            }
            self.work.set(self.work.get() + steps * machine.work_of_step(state));
        }
    }

    /// Emits the successors by the steps of one part of the program, if one has only steps after which the others continue, and
    /// otherwise by all steps. Returns whether any step is omitted.
    fn steps_of_one_part(&self, state: &M::State, emit: &mut dyn FnMut(u32, M::State)) -> bool {
        let machine = self.machine;
        let actors = 0..machine.actors(state);
        let separate = || {
            // On a cycle, a part could wait forever for its turn.
            let parts = if machine.has_cycles() { Vec::new() } else { machine.parts(state) };
            if parts.iter().any(|part| *part != parts[0]) { parts } else { Vec::new() }
        };
        let of_state = if M::PARTS_CHANGE { separate() } else { Vec::new() };
        let all = if M::PARTS_CHANGE { &of_state } else { self.parts.get_or_init(separate) };
        if all.is_empty() {
            self.steps_of(state, actors, true, emit);
            return false;
        }
        let part = |actor: usize| all.get(machine.owner(state, actor)).copied();
        let ready = actors.clone().filter(|&actor| machine.ways(state, actor) > 0);
        let mut parts: Vec<Option<u32>> = ready.map(part).collect();
        parts.sort_unstable();
        parts.dedup();
        if parts.len() > 1 {
            for one in parts {
                let mut steps = Vec::new();
                let chosen = actors.clone().filter(|&actor| part(actor) == one);
                self.steps_of(state, chosen, true, &mut |action, next| steps.push((action, next)));
                let ends = |next: &M::State| machine.facts(next, false) & (CUT | OVERFLOWS) != 0;
                if !steps.iter().any(|(_, next)| ends(next)) {
                    steps.into_iter().for_each(|(action, next)| emit(action, next));
                    return true;
                }
            }
        }
        self.steps_of(state, actors, true, emit);
        false
    }
}

impl<M: Machine> System for Space<'_, M> {
    type State = M::State;

    fn initial(&self) -> M::State {
        let mut state = self.machine.initial();
        self.canonicalise(&mut state);
        state
    }

    fn pack(&self, state: &M::State, out: &mut Vec<u8>) {
        self.machine.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> M::State {
        self.machine.unpack(bytes)
    }

    fn successors(
        &self,
        state: &M::State,
        reduce: bool,
        emit: &mut dyn FnMut(u32, M::State),
    ) -> bool {
        if !reduce {
            self.steps_of(state, 0..self.machine.actors(state), false, emit);
            return false;
        }
        if let Some(actor) = self.machine.ample(state) {
            self.steps_of(state, actor..actor + 1, true, emit);
            return true;
        }
        self.steps_of_one_part(state, emit)
    }

    fn facts(&self, state: &M::State, terminal: bool) -> Facts {
        if terminal {
            let mut record = self.record.borrow_mut();
            let agents = 0..self.machine.context().program.agents.len();
            let blocked = agents.filter(|&agent| !self.machine.has_ended(state, agent));
            blocked.for_each(|agent| self.machine.record(&mut record, state, agent));
        }
        Facts(self.machine.facts(state, terminal))
    }

    fn has_cycles(&self) -> bool {
        self.machine.has_cycles()
    }

    fn judges_endless(&self) -> bool {
        self.machine.has_cycles()
    }

    fn endless(&self, states: &mut dyn Iterator<Item = M::State>) -> (Facts, usize) {
        let (facts, at) = self.machine.endless(states);
        (Facts(facts), at)
    }

    fn work(&self) -> u64 {
        self.machine.work() + self.work.get()
    }
}
