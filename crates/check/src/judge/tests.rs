//! Reductions lose nothing: on random programs the search with persistent sets and symmetry meets the same facts, the same
//! ones at every end, as the plain enumeration of all interleavings.

extern crate std;

mod memory;

#[path = "../../../model/tests/support/mod.rs"]
pub(crate) mod support;

use super::*;
use crate::systems::{action, facts};
use std::string::String;
use support::{Random, random_program, show};
use tidegate_explore::{Order, search};
use tidegate_model::onebit::{self, Machine};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::state::State;

/// Every interleaving of the text's machine, nothing left out, nothing exchanged.
struct PlainSpec<'a>(&'a Spec);

impl System for PlainSpec<'_> {
    type State = State;

    fn initial(&self) -> State {
        self.0.initial()
    }

    fn pack(&self, state: &State, out: &mut Vec<u8>) {
        self.0.pack(state, out);
    }

    fn unpack(&self, bytes: &[u8]) -> State {
        self.0.unpack(bytes)
    }

    fn successors(&self, state: &State, _: bool, emit: &mut dyn FnMut(u32, State)) -> bool {
        for agent in 0..state.agents.len() {
            for way in 0..self.0.ways(state, agent) {
                emit(action(agent, way), self.0.perform(state, agent, way));
            }
        }
        false
    }

    fn facts(&self, state: &State, terminal: bool) -> Facts {
        facts(state, terminal)
    }

    fn has_cycles(&self) -> bool {
        self.0.context.reaches.any_cycle()
    }
}

/// Every interleaving of the one-bit machine.
struct PlainMachine<'a>(&'a Machine);

impl System for PlainMachine<'_> {
    type State = onebit::State;

    fn initial(&self) -> onebit::State {
        self.0.initial()
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
        _: bool,
        emit: &mut dyn FnMut(u32, onebit::State),
    ) -> bool {
        for agent in 0..state.agents.len() {
            for way in 0..self.0.ways(state, agent) {
                emit(action(agent, way), self.0.perform(state, agent, way));
            }
        }
        false
    }

    fn facts(&self, state: &onebit::State, terminal: bool) -> Facts {
        MachineSystem(self.0).facts(state, terminal)
    }

    fn has_cycles(&self) -> bool {
        false
    }
}

fn names(facts: u128) -> Vec<String> {
    let name = |(offset, mark): (u32, &'static str)| {
        let met = RuleId::of_amdgpu().filter(move |rule| facts & 1 << (fact(*rule) + offset) != 0);
        met.map(move |rule| std::format!("{}{mark}", rule.get().id))
    };
    [(0, ""), (64, "?")].into_iter().flat_map(name).collect()
}

fn compare(context: &Context, reduced: &Found, always: Facts, plain: &Found, seed: u64) -> bool {
    if plain.end != End::Complete || plain.somewhere.0 & OVERFLOWS != 0 {
        return false;
    }
    let program = show(context);
    assert_eq!(reduced.end, End::Complete);
    assert_eq!(
        names(reduced.somewhere.0),
        names(plain.somewhere.0),
        "somewhere, seed {seed}\n{program}"
    );
    // What some choice breaks at every end decides nothing: only what every choice breaks is reported with its schedules.
    let every = |facts: Facts| names(facts.0 & u128::from(u64::MAX));
    assert_eq!(every(always), every(plain.always), "always, seed {seed}\n{program}");
    true
}

fn plan(reduce: bool) -> Plan {
    let bounds = Bounds { states: 20_000, ..Bounds::default() };
    Plan { order: Order::BreadthFirst, reduce, bounds, ..Plan::default() }
}

#[test]
fn the_text_by_reduction_and_by_enumeration() {
    let (mut compared, mut saved) = (0, 0);
    for seed in (0..3_000).chain([109_793, 120_748]) {
        let context = random_program(&mut Random::new(seed));
        let spec = Spec::new(Rc::clone(&context), Readings::default()).unwrap();
        let system = SpecSystem { spec: &spec, relevant: Cell::new(0) };
        let plain = search(&PlainSpec(&spec), plan(false), &mut |_| true);
        let reduced = search(&system, plan(true), &mut |_| true);
        let always = rules().always(&system, &reduced, true, &mut |_| true);
        if compare(&context, &reduced, always, &plain, seed) {
            compared += 1;
            saved += plain.states - reduced.states;
        }
    }
    assert!(compared > 2_500 && saved > 100_000, "{compared} compared, {saved} states saved");
}

#[test]
fn the_machine_by_reduction_and_by_enumeration() {
    let (mut compared, mut saved) = (0, 0);
    for seed in 0..4_000 {
        let context = random_program(&mut Random::new(seed));
        let Some(machine) = Machine::new(Rc::clone(&context)) else { continue };
        let plain = search(&PlainMachine(&machine), plan(false), &mut |_| true);
        let reduced = search(&MachineSystem(&machine), plan(true), &mut |_| true);
        if compare(&context, &reduced, reduced.always, &plain, seed) {
            compared += 1;
            saved += plain.states - reduced.states;
        }
    }
    assert!(compared > 1_200 && saved > 50_000, "{compared} compared, {saved} states saved");
}
