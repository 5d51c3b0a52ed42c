//! The machine of NVIDIA as a state space that can be searched.

use crate::systems::{action, parts};
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_explore::{Facts, System};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ptx::machine::state::State;
use tidegate_model::ptx::machine::{Machine, WaitKey, bit, endless};
use tidegate_model::rule::RuleId;

use crate::judge::Step;
use crate::judge::rules::STUCK;

/// The machine, and what its waits by parity have met.
pub(super) struct NvidiaSystem<'a> {
    pub(super) machine: &'a Machine,
    /// For each wait by parity the first and the last phase that it met.
    pub(super) met: RefCell<OrderedMap<WaitKey, (u32, u32)>>,
    /// The work that steps took so far, besides their states.
    work: Cell<u64>,
}

/// Work of a step for each actor of its state, all of whom are put into order: about a microsecond.
const WORK_PER_ACTOR: u64 = 100;

impl<'a> NvidiaSystem<'a> {
    pub(super) fn new(machine: &'a Machine) -> Self {
        Self { machine, met: RefCell::default(), work: Cell::new(0) }
    }

    /// The waits that can meet several phases, with the first of them.
    pub(super) fn aliases(&self) -> OrderedMap<WaitKey, u32> {
        let met = self.met.borrow();
        let several = met.iter().filter(|(_, (first, last))| first < last);
        several.map(|(key, (first, _))| (*key, *first)).collect()
    }

    fn note(&self, state: &State, agent: usize) {
        if let Some((key, phase)) = self.machine.meets(state, agent) {
            let mut met = self.met.borrow_mut();
            let known = met.entry(key).or_insert((phase, phase));
            *known = (known.0.min(phase), known.1.max(phase));
        }
    }
}

impl System for NvidiaSystem<'_> {
    type State = State;

    fn initial(&self) -> State {
        let mut state = self.machine.initial();
        self.machine.canonicalise(&mut state);
        state
    }

    fn pack(&self, state: &State, out: &mut Vec<u8>) {
        self.machine.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        self.machine.unpack(bytes)
    }

    fn successors(&self, state: &State, reduce: bool, emit: &mut dyn FnMut(u32, State)) -> bool {
        let actors = self.machine.actors(state);
        let first = if reduce { self.machine.ample(state) } else { None };
        let chosen = match first {
            Some(actor) => actor..actor + 1,
            None => 0..actors,
        };
        for actor in chosen {
            let ways = self.machine.ways(state, actor);
            if ways > 0 && actor < state.agents.len() {
                self.note(state, actor);
            }
            self.work.set(self.work.get() + (ways * actors) as u64 * WORK_PER_ACTOR);
            for way in 0..ways {
                let mut next = self.machine.perform(state, actor, way);
                self.machine.canonicalise(&mut next);
                emit(action(actor, way), next);
            }
        }
        first.is_some()
    }

    fn facts(&self, state: &State, terminal: bool) -> Facts {
        if terminal && !state.stopped {
            let stuck = (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended);
            stuck.for_each(|agent| self.note(state, agent));
        }
        let broken = self.machine.broken(state, terminal) & !bit(LEFT);
        facts(broken | if terminal { left(state) } else { 0 })
    }

    fn work(&self) -> u64 {
        self.work.get()
    }

    fn has_cycles(&self) -> bool {
        self.machine.has_cycles()
    }

    fn judges_endless(&self) -> bool {
        self.machine.has_cycles()
    }

    fn endless(&self, states: &mut dyn Iterator<Item = State>) -> (Facts, usize) {
        let mut all = 0;
        let mut states = states.inspect(|state| all |= left(state));
        let (broken, at) = endless::broken(self.machine, &mut states);
        (facts(broken & !bit(LEFT) | all), at)
    }
}

/// What an agent leaves behind when it ends counts at the end of a path.
const LEFT: RuleId = RuleId::PtxAsyncCopyOutstandingAtExit;

/// Whether a path whose end this is leaves copies behind. Where an access races with a copy, the wait is missing there.
fn left(state: &State) -> u64 {
    if state.broken & bit(RuleId::PtxAsyncCopyAccess) == 0 { state.broken & bit(LEFT) } else { 0 }
}

/// The facts of broken rules; that somebody is stuck is one of its own.
fn facts(broken: u64) -> Facts {
    let stuck = bit(RuleId::PtxMbarrierNeverCompletes) | bit(RuleId::PtxBarNeverCompletes);
    let stuck = if broken & stuck == 0 { 0 } else { STUCK };
    Facts(u128::from(broken) | stuck)
}

/// Turns a path among canonical states into the steps of the program's own agents and copies, and where they lead.
pub(super) fn concrete(machine: &Machine, path: &[u32]) -> (Vec<Step>, State) {
    let mut own = machine.initial();
    let mut state = own.clone();
    let mut who = machine.canonicalise(&mut state);
    let agents = state.agents.len();
    let steps = path
        .iter()
        .map(|&taken| {
            let (actor, way) = parts(taken);
            let agent = match actor.checked_sub(agents) {
                None => who[actor],
                Some(copy) => {
                    let mut copy = state.copies[copy];
                    copy.agent = who[copy.agent as usize] as u32;
                    let place = own.copies.iter().position(|other| *other == copy).unwrap_or(0);
                    agents + place
                }
            };
            own = machine.perform(&own, agent, way);
            state = machine.perform(&state, actor, way);
            who = machine.canonicalise(&mut state).into_iter().map(|old| who[old]).collect();
            Step { agent, way }
        })
        .collect();
    (steps, state)
}
