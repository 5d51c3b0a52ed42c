use super::*;

/// Counters that each count to a limit. They are independent, so one order is enough.
struct Counters {
    count: u8,
    limit: u8,
}

impl System for Counters {
    type State = Vec<u8>;

    fn initial(&self) -> Vec<u8> {
        alloc::vec![0; usize::from(self.count)]
    }

    fn pack(&self, state: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(state);
    }

    fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn successors(
        &self,
        state: &Vec<u8>,
        reduce: bool,
        emit: &mut dyn FnMut(u32, Vec<u8>),
    ) -> bool {
        let ready = (0..state.len()).filter(|&index| state[index] < self.limit);
        for index in ready.take(if reduce { 1 } else { usize::MAX }) {
            let mut next = state.clone();
            next[index] += 1;
            emit(index as u32, next);
        }
        reduce
    }

    fn facts(&self, state: &Vec<u8>, terminal: bool) -> Facts {
        let full = state.iter().filter(|&&value| value == self.limit).count() as u32;
        let ahead = full == 1 && state.iter().rev().skip(1).all(|&value| value == 0);
        Facts(u128::from(terminal) | 1 << (full + 1) | u128::from(ahead) << AHEAD)
    }

    fn has_cycles(&self) -> bool {
        false
    }
}

/// The fact that the last counter is at its limit before any other counts.
const AHEAD: u32 = 64;
const SMALL: Counters = Counters { count: 3, limit: 2 };

#[test]
fn all_states_without_reduction_and_one_path_with_it() {
    let all = search(&SMALL, Plan { reduce: false, ..Plan::default() }, &mut |_| true);
    assert_eq!((all.end, all.states, all.terminals), (End::Complete, 27, 1));
    let one = search(&SMALL, Plan::default(), &mut |_| true);
    assert_eq!((one.end, one.states, one.transitions), (End::Complete, 7, 6));
    assert_eq!(one.always, Facts(1 | 1 << 4));
}

#[test]
fn breadth_first_paths_are_shortest() {
    let found = search(&SMALL, Plan { reduce: false, ..Plan::default() }, &mut |_| true);
    assert_eq!(found.path(2).map(|path| path.len()), Some(2));
    assert_eq!(found.path(0).map(|path| path.len()), Some(6));
    assert_eq!(found.path(9), None);
}

#[test]
fn both_orders_visit_the_same_states() {
    let plan = |order| Plan { order, reduce: false, ..Plan::default() };
    let wide = search(&SMALL, plan(Order::BreadthFirst), &mut |_| true);
    let deep = search(&SMALL, plan(Order::DepthFirst), &mut |_| true);
    assert_eq!(
        (wide.states, wide.transitions, wide.somewhere),
        (deep.states, deep.transitions, deep.somewhere)
    );
}

#[test]
fn limits_facts_and_the_caller_end_a_search() {
    let bounds = Bounds { states: 10, ..Bounds::default() };
    let bounded = search(&SMALL, Plan { reduce: false, bounds, ..Plan::default() }, &mut |_| true);
    assert_eq!((bounded.end, bounded.states), (End::Bound, 10));
    let lazy = Bounds { work: 5 * (WORK_PER_STATE + 3), ..Bounds::default() };
    let found = search(&SMALL, Plan { bounds: lazy, ..Plan::default() }, &mut |_| true);
    assert_eq!((found.end, found.states), (End::Work, 6));
    let shallow = Bounds { depth: 2, ..Bounds::default() };
    let bounded =
        search(&SMALL, Plan { reduce: false, bounds: shallow, ..Plan::default() }, &mut |_| true);
    assert_eq!((bounded.end, bounded.states), (End::Bound, 10));
    let met =
        search(&SMALL, Plan { reduce: false, until: Facts(4), ..Plan::default() }, &mut |_| true);
    assert_eq!(met.end, End::Met);
    assert!(met.states < 27);
    let cancelled = search(&SMALL, Plan::default(), &mut |_| false);
    assert_eq!(cancelled.end, End::Cancelled);
}

#[test]
fn strings_of_every_length_are_distinguished() {
    let mut arena = Arena::default();
    for length in 0..40 {
        assert!(
            matches!(arena.insert(|out| out.resize(out.len() + length, 0)), Insert::New(index) if index == length as u32)
        );
    }
    assert!(matches!(arena.insert(|_| ()), Insert::Known(_)));
    assert_eq!((arena.len(), arena.get(39).len()), (40, 39));
}

#[test]
fn a_walk_reaches_a_fact_that_a_bounded_search_does_not() {
    let deep = Counters { count: 12, limit: 9 };
    let full = Facts(1 << 13);
    let bounds = Bounds { states: 1_000, ..Bounds::default() };
    let plan = Plan { reduce: false, bounds, until_any: full, ..Plan::default() };
    let search = search(&deep, plan, &mut |_| true);
    assert_eq!((search.end, search.somewhere.0 & full.0), (End::Bound, 0));
    let found = walk(&deep, false, full, bounds, &mut |_| true).expect("a path");
    assert_eq!(found.path(13).map(|path| path.len()), Some(12 * 9));
    let both = search.or(found);
    assert_eq!((both.end, both.somewhere.0 & full.0), (End::Bound, full.0));
}

#[test]
fn a_walk_lets_one_actor_go_far_ahead() {
    // A uniform path does so once in 2 to the power of 30.
    let bounds = Bounds { states: 20_000, ..Bounds::default() };
    let two = Counters { count: 2, limit: 30 };
    let found = walk(&two, false, Facts(1 << AHEAD), bounds, &mut |_| true).expect("a path");
    assert_eq!(found.path(AHEAD), Some(alloc::vec![1; 30]));
}

#[test]
fn a_walk_ends_at_its_limits_without_the_fact() {
    let never = Facts(1 << 100);
    for bounds in
        [Bounds { states: 500, ..Bounds::default() }, Bounds { work: 100_000, ..Bounds::default() }]
    {
        let mut calls = 0;
        let mut count = |_| {
            calls += 1;
            true
        };
        assert!(walk(&SMALL, false, never, bounds, &mut count).is_none());
        assert!((1..10).contains(&calls), "{calls}");
    }
    // Paths without alternatives are all the same.
    assert!(walk(&SMALL, true, never, Bounds::default(), &mut |_| true).is_none());
    assert!(walk(&SMALL, false, never, Bounds::default(), &mut |_| false).is_none());
}

/// The states at each distance are 1, 3, 6, 7, 6, 3 and 1.
#[test]
fn a_wide_search_reports_the_steps_that_it_covers() {
    let plan = Plan { reduce: false, ..Plan::default() };
    let limited = |states| Plan { bounds: Bounds { states, ..Bounds::default() }, ..plan };
    let reach = |plan| search(&SMALL, plan, &mut |_| true).reach;
    let eleven = Reach { steps: 1, states: 4, levels: [3, 1], stored: 11 };
    assert_eq!(reach(limited(11)), Some(eleven));
    assert_eq!(eleven.expected(10), Some(3), "4 + 9 + 27 states, but not 81 more");
    assert_eq!(reach(plan).map(|reach| (reach.steps, reach.states)), Some((6, 27)));
    // A counter is at its limit after two steps.
    let met = Plan { until_any: Facts(1 << 2), ..plan };
    assert_eq!(reach(met).map(|reach| (reach.steps, reach.states)), Some((1, 4)));
    assert_eq!(reach(Plan { reduce: true, ..plan }), None);
    assert_eq!(reach(Plan { order: Order::DepthFirst, ..plan }), None);
}

/// Agents that arrive at one barrier and wait for their phase, some times. Two arrivals complete a phase.
struct Pairs {
    agents: usize,
    rounds: u8,
}

/// An agent waits for an open phase.
const WAITS: u8 = 1 << 7;

impl System for Pairs {
    /// For each agent, twice the rounds that it has completed, one more after its arrival, and whether it waits; then the arrivals.
    type State = Vec<u8>;

    fn initial(&self) -> Vec<u8> {
        alloc::vec![0; self.agents + 1]
    }

    fn pack(&self, state: &Vec<u8>, out: &mut Vec<u8>) {
        out.extend(state);
    }

    fn unpack(&self, bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn successors(&self, state: &Vec<u8>, _: bool, emit: &mut dyn FnMut(u32, Vec<u8>)) -> bool {
        let ready = |&agent: &usize| state[agent] < 2 * self.rounds;
        for agent in (0..self.agents).filter(ready) {
            let mut next = state.clone();
            next[agent] += 1;
            if next[agent] % 2 == 1 {
                next[agent] |= WAITS;
                next[self.agents] += 1;
                if next[self.agents] == 2 {
                    next[self.agents] = 0;
                    next[..self.agents].iter_mut().for_each(|at| *at &= !WAITS);
                }
            }
            emit(agent as u32, next);
        }
        false
    }

    fn facts(&self, state: &Vec<u8>, terminal: bool) -> Facts {
        let waits = state[..self.agents].iter().any(|at| at & WAITS != 0);
        Facts(u128::from(terminal && waits))
    }

    fn has_cycles(&self) -> bool {
        false
    }
}

/// The numbers are those of Stateright for the same programs (`cargo xtask bench Q`).
#[test]
fn as_many_states_as_another_model_checker_counts() {
    for (agents, states) in [(4, 3_053), (6, 209_347)] {
        let plan = Plan { reduce: false, ..Plan::default() };
        let found = search(&Pairs { agents, rounds: 3 }, plan, &mut |_| true);
        // All end, or one of them waits for a second arrival.
        let terminals = 1 + agents as u64;
        assert_eq!((found.states, found.terminals), (states, terminals));
        assert_eq!((found.end, found.somewhere), (End::Complete, Facts(1)));
    }
}
