//! Loops whose length the host decides: why a few lengths represent all.
//!
//! # The proof
//!
//! An agent is at a loop header with a state that equals an earlier state S up to constants D in some registers. It is then run
//! *symbolically* from S + D·t, for every t ≥ 0 at once: each value is a number plus a multiple of t. Every comparison must
//! have one answer for all t, unless it compares with an argument: then the host decides, and both answers are followed. If
//! every path ends, or comes back to the header with the state S + D·(t+1), the agent repeats the operations of the period
//! until the host ends the loop, and the operations after the loop do not depend on t either.
//!
//! An answer of the host bounds the argument, so later answers can follow from it: see `evaluate/facts.rs`. An iteration that
//! tests whether there is a next one, and does other things if there is none, is the last. If paths through an iteration
//! differ, it is run again with the assumption that the previous iteration has found it to exist. If this holds for the first
//! iteration, and every path that comes back ensures it for the next one, it holds for all.
//!
//! The operations of the agent may not depend on t. If an address does, its object is listed as *varying*. The proof then holds
//! only if no two agents conflict in that object, in later iterations either: see `evaluate/rounds.rs`.
//!
//! Some values do not grow with an argument, but depend on a remainder of it, such as the half of a double buffer or the length
//! of an unrolled loop. Then there is one proof for each remainder of the argument by 2, 4, 8 or 16, in which the argument
//! grows by this *step*. As many values of the argument must have been evaluated. If the argument grows by the step, a loop
//! that it ends has R more iterations. R must divide the period P. A value that was not evaluated then behaves like a smaller
//! one, which differs by a multiple of the step and has a multiple of P fewer iterations. Where only a quotient of an argument
//! matters, one proof covers all remainders: see `evaluate/split.rs`.
//!
//! # The lengths that are evaluated
//!
//! Let the loop repeat with period P from iteration T on, in every agent. If each period contains a barrier of the whole
//! workgroup, accesses of iteration k are ordered with those of all iterations but its neighbours within one period, and
//! with what precedes and follows the loop. Agents are at most one barrier apart, so what two agents do at the same time
//! lies within two adjacent periods, or in a period and what precedes or follows the loop. The lengths 0 to T + 2·P + 1
//! contain every such combination. Longer loops repeat them.
//!
//! Loops without a barrier of the workgroup: see `evaluate/pace.rs`.

use super::facts::Facts;
use super::graph::{MOST_DECIDED_ROUNDS, drop_dead};
use super::inputs::{Coarse, Pace};
use super::pace::Shared;
use super::recorded::is_access;
use super::request::Stop;
use super::rounds::Header;
use super::state::State;
use super::world::{Event, Run};
use crate::ir::Style;
use crate::value::{Lanes, Slope, Symbol, Value};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use tidegate_model::mem::operation::{Memory, Scope, Space};
use tidegate_model::opencl::action::{Action as Opencl, Flags, Group};
use tidegate_model::operation::{Action, Object, Operation};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::ptx::action::{Action as Ptx, Bar};

/// Longest period that is tried, in iterations.
const LONGEST: usize = 24;
/// The maximum number of iterations that a proof compares.
const MOST_ROUNDS: usize = 600;
/// The maximum number of paths that a proof follows.
const MOST_WAYS: usize = 400;
/// The maximum number of paths through an iteration whose answers are kept.
const MOST_ANSWERS: usize = 4;
/// Deepest nesting of loops.
const DEEPEST: u16 = 4;

/// The difference of the states of two iterations: for registers of the innermost function, and for addresses of private
/// memory.
#[derive(Clone, PartialEq, Eq)]
struct Shift {
    registers: Vec<(u32, Growth)>,
    private: Vec<(u64, Growth)>,
}

/// By how much a value is larger in a later iteration: a constant in each lane, and multiples of symbols.
#[derive(Clone, PartialEq, Eq)]
struct Growth {
    by: Lanes,
    symbols: Vec<(Symbol, Lanes)>,
    steady: bool,
}

/// Proves that an agent that starts in a state repeats itself in every loop until it ends. For each loop without a barrier of
/// the workgroup, the result has the objects at which the agent arrives and waits in every iteration.
pub(crate) fn prove(run: &Run<'_>, start: State) -> Result<Vec<Shared>, Stop> {
    let mut proof = Proof { run, ways: 0, loops: Vec::new() };
    let way = Way::default();
    let first = run.inputs.first_round();
    proof.follow((start, false), &[], first, (way, Vec::new()), &mut Vec::new())?;
    Ok(proof.loops)
}

/// The operations since the start of the iteration that is being proved.
#[derive(Clone, Default, PartialEq, Eq)]
struct Way {
    /// Whether a barrier gathered the workgroup.
    gathered: bool,
    /// Whether an operation orders accesses to global memory.
    ordered: bool,
    /// Whether there was another synchronisation.
    synchronised: bool,
    /// The objects at which it arrived and waited.
    shared: Shared,
    /// The named barrier that was joined last, possibly before the iteration.
    joined: Option<u8>,
    /// The memories that were accessed.
    touched: OrderedSet<u16>,
}

impl Way {
    /// Adds an operation with its outcome.
    fn add(&mut self, operation: &Operation, outcome: usize) {
        self.ordered |= orders_global(operation);
        match (gathers(operation), operation.action) {
            (true, _) => self.gathered = true,
            (false, Action::Ptx(action, _)) => {
                self.synchronised |= !self.shared.add(action, outcome)
            }
            (false, Action::Join { object: Object::Named(barrier) }) => self.joined = Some(barrier),
            (false, Action::Arrive { object: Object::Named(barrier), .. }) => {
                self.shared.arrive(barrier);
            }
            (false, Action::Wait { object: Object::Named(_) }) => match self.joined {
                Some(barrier) => self.shared.wait(barrier),
                None => self.synchronised = true,
            },
            (false, _) => self.synchronised |= !is_access(operation) && !is_fence(operation),
        }
        let accesses = super::conflicts::of_action(operation.action);
        let buffers = accesses.into_iter().map(|access| access.range.buffer);
        self.touched.extend(buffers);
    }
}

/// An iteration of a loop that is being proved: the state at its start, in terms of the symbol, and the difference of the next
/// one.
struct Goal {
    state: State,
    shift: Shift,
    /// The named barrier that was joined last before it.
    joined: Option<u8>,
    /// The symbol that counts the periods of the loop.
    symbol: Symbol,
    /// The answers of the host that hold before each iteration.
    holds: Facts,
    /// The objects of each path through an iteration without a barrier of the workgroup.
    closed: RefCell<Vec<Shared>>,
    /// Whether the barrier of the workgroup on each path orders global memory.
    ordered: Cell<bool>,
    /// The answers of the host on each path through an iteration, in terms of the next one.
    answers: RefCell<Vec<Facts>>,
}

/// The first iteration of a loop that may repeat itself.
struct Begin {
    from: State,
    shift: Shift,
    joined: Option<u8>,
    symbol: Symbol,
    period: usize,
}

/// A loop of which every iteration ends it or leads to another one.
struct Closed {
    /// The objects of each path through an iteration without a barrier of the workgroup.
    ways: Vec<Shared>,
    /// Whether the barriers of the workgroup on the other paths order global memory.
    ordered: bool,
    /// How the loop grows with arguments.
    pace: Pace,
}

struct Proof<'a, 'b> {
    run: &'a Run<'b>,
    /// The number of paths followed, without those of failed proofs of loops.
    ways: usize,
    loops: Vec<Shared>,
}

/// The states at loop headers and the operations before them, since the start of an iteration.
type Seen = Vec<(State, Way)>;

impl Proof<'_, '_> {
    /// Follows every path from a state until it ends or reaches one of the goals. The second value is whether the state has
    /// just reached a loop header. `rounds` are the states at headers before it on the path.
    fn follow(
        &mut self,
        (mut state, mut comes): (State, bool),
        goals: &[Rc<Goal>],
        symbol: Symbol,
        (mut way, mut rounds): (Way, Vec<State>),
        seen: &mut Seen,
    ) -> Result<(), Stop> {
        self.ways += 1;
        if self.ways > MOST_WAYS || symbol > self.run.inputs.first_round() + DEEPEST {
            return Err(Stop::NoProof);
        }
        loop {
            let event = match core::mem::take(&mut comes) {
                true => Event::Header,
                false => self.run.advance(&mut state)?,
            };
            match event {
                Event::Perform(operations, _) => {
                    operations.iter().for_each(|operation| way.add(operation, 1));
                }
                Event::Header => {
                    drop_dead(self.run, &mut state);
                    self.run.forget_moving(&mut state);
                    for goal in goals.iter().filter(|goal| goal.is_reached(&state)) {
                        let facts = state.facts.in_next_round(goal.symbol);
                        // Otherwise the host may end the loop here, which is followed.
                        if facts.imply(&goal.holds) {
                            return self.close(goal, &way, facts);
                        }
                    }
                    // An equal state continues equally: this is a wait that is repeated.
                    let here = (state.clone(), way.clone());
                    if seen.contains(&here) {
                        return Ok(());
                    }
                    seen.push(here);
                    rounds.push(state.clone());
                    if rounds.len() > MOST_ROUNDS {
                        return Err(Stop::NoProof);
                    }
                    if self.closes(&rounds, goals, symbol, way.joined)? {
                        return Ok(());
                    }
                }
                event @ (Event::Host(_) | Event::Data(..) | Event::Outcome(..)) => {
                    let (states, operation) = match event {
                        Event::Outcome(operation, _, states) => (states, Some(operation)),
                        Event::Host(states) | Event::Data(states, _) => (states, None),
                        _ => (Vec::new(), None),
                    };
                    if states.iter().any(|state| self.run.inputs.is_beyond(state.asks)) {
                        return Err(Stop::NoProof);
                    }
                    let before = way.clone();
                    // All paths from here have the same goals.
                    let last = states.len().saturating_sub(1);
                    for (at, other) in states.into_iter().enumerate() {
                        let mut next = before.clone();
                        if let Some(operation) = &operation {
                            next.add(operation, at);
                        }
                        let at_header = self.run.comes_to_header(&other);
                        if at == last {
                            (state, way, comes) = (other, next, at_header);
                        } else {
                            let rounds = rounds.clone();
                            self.follow((other, at_header), goals, symbol, (next, rounds), seen)?;
                        }
                    }
                }
                Event::Divergent(_) | Event::Done => return Ok(()),
            }
        }
    }

    /// Completes an iteration. Without a barrier of the workgroup, it proves something only if its accesses cannot conflict.
    fn close(&self, goal: &Goal, way: &Way, facts: Facts) -> Result<(), Stop> {
        let mut answers = goal.answers.borrow_mut();
        if answers.len() < MOST_ANSWERS && !answers.contains(&facts) {
            answers.push(facts);
        }
        if way.synchronised && !way.gathered || way.joined != goal.joined {
            return Err(Stop::NoProof);
        }
        if way.gathered {
            let ordered = way.ordered || self.run.world.module.style == Style::Waves;
            goal.ordered.set(goal.ordered.get() && ordered);
            return Ok(());
        }
        goal.closed.borrow_mut().push(way.shared.clone());
        // The accesses of one agent and its copies repeat with the period: copies that a later access does not wait for conflict
        // in the next period, too.
        if way.shared == Shared::default() && !self.run.world.alone {
            let touched: Vec<u16> = way.touched.iter().copied().collect();
            self.run.world.vary_buffers(&touched);
        }
        Ok(())
    }

    /// Whether the latest iteration repeats earlier ones, and the loop and the code after it are proved.
    fn closes(
        &mut self,
        rounds: &[State],
        goals: &[Rc<Goal>],
        symbol: Symbol,
        joined: Option<u8>,
    ) -> Result<bool, Stop> {
        let Some(latest) = rounds.last() else { return Ok(false) };
        let alike: Vec<&State> = rounds.iter().filter(|one| one.is_at(latest)).collect();
        for period in 1..=LONGEST {
            let Some(begin) = alike.len().checked_sub(2 * period + 2) else { return Ok(false) };
            if self.run.inputs.how_coarse() == Coarse::Exact && rounds.len() > MOST_DECIDED_ROUNDS {
                return Ok(false);
            }
            let [first, second, third] = [0, 1, 2].map(|at| alike[begin + at * period]);
            let Some(shift) = Shift::between(first, second) else { continue };
            if Shift::between(second, third).as_ref() != Some(&shift) {
                continue;
            }
            let mut from = State { asks: latest.asks, ..first.clone() };
            shift.apply(&mut from, symbol);
            let begin = Begin { from, shift, joined, symbol, period };
            let (mut closed, answers) = self.repeats(&begin, goals, Facts::default())?;
            // If paths through an iteration differ, some may occur only in the last iteration.
            if closed
                .as_ref()
                .is_none_or(|closed| closed.ways.iter().any(|way| *way != closed.ways[0]))
            {
                for holds in answers.into_iter().filter(|holds| holds.hold_at_first(symbol)) {
                    let (more, _) = self.repeats(&begin, goals, holds)?;
                    if more.is_some() {
                        closed = more;
                        break;
                    }
                }
            }
            let Some(closed) = closed else { continue };
            self.run.inputs.guards.comes_back_after(closed.pace.steps);
            if let Some(header) = latest.header() {
                let gathers = closed.ways.is_empty() && closed.ordered;
                self.run.world.rounds.borrow_mut().close(symbol, header, gathers);
            }
            self.loops.extend(Shared::of(&closed.ways)?);
            return Ok(true);
        }
        Ok(false)
    }

    /// The loop, if every iteration ends it or leads to another one, and the answers of the host on each path. `holds` are the
    /// answers that are assumed before the first iteration. They must also hold before each later one.
    fn repeats(
        &mut self,
        begin: &Begin,
        goals: &[Rc<Goal>],
        holds: Facts,
    ) -> Result<(Option<Closed>, Vec<Facts>), Stop> {
        let Begin { from, shift, joined, symbol, period } = begin;
        let goal = Rc::new(Goal {
            state: from.clone(),
            shift: shift.clone(),
            joined: *joined,
            symbol: *symbol,
            holds: holds.clone(),
            closed: RefCell::default(),
            ordered: Cell::new(true),
            answers: RefCell::default(),
        });
        let from = State { facts: holds, ..from.clone() };
        let way = Way { joined: *joined, ..Way::default() };
        let mut inner: Vec<Rc<Goal>> = goals.to_vec();
        inner.push(goal.clone());
        let (before, ways) = (self.loops.len(), self.ways);
        let outer = self.run.inputs.begin_loop();
        let begin = (way, Vec::new());
        let proved = self.follow((from, false), &inner, symbol + 1, begin, &mut Vec::new());
        // Values that depend on a remainder of an argument must also repeat after whole periods.
        let pace = self.run.inputs.end_loop(outer, proved.is_ok());
        let closed = match proved {
            Ok(()) if self.run.inputs.is_whole(*period as u64, pace) => {
                Some(Closed { ways: goal.closed.take(), ordered: goal.ordered.get(), pace })
            }
            Ok(()) => None,
            Err(Stop::NoProof) => {
                self.ways = ways;
                None
            }
            Err(other) => return Err(other),
        };
        if closed.is_none() {
            self.loops.truncate(before);
        }
        Ok((closed, goal.answers.take()))
    }
}

/// Whether an operation gathers the whole workgroup.
fn gathers(operation: &Operation) -> bool {
    matches!(
        operation.action,
        Action::Wait { object: Object::Workgroup | Object::Cluster }
            | Action::Opencl(Opencl::Barrier { group: Group::Work, .. } | Opencl::Await { .. })
            | Action::Ptx(
                Ptx::Bar { kind: Bar::Sync | Bar::Red, threads: None, .. }
                    | Ptx::ClusterWait { .. },
                _
            )
    )
}

/// Whether an operation orders accesses to global memory: a barrier for the work-items that it gathers, or a fence.
fn orders_global(operation: &Operation) -> bool {
    match operation.action {
        Action::Opencl(
            Opencl::Barrier { group: Group::Work, arguments, .. } | Opencl::Await { arguments, .. },
        ) => arguments.flags.intersects(Flags::GLOBAL),
        Action::Memory(Memory::Fence(fence)) => {
            fence.scope >= Scope::Workgroup && !fence.one_as && fence.spaces.contains(Space::Global)
        }
        Action::Ptx(..) => gathers(operation),
        _ => false,
    }
}

const fn is_fence(operation: &Operation) -> bool {
    matches!(operation.action, Action::Memory(Memory::Fence(_)) | Action::Caches)
}

impl State {
    /// The function and the block that the state is in.
    fn header(&self) -> Option<Header> {
        self.frame().zip(self.part()).map(|(frame, part)| (frame.function, part.block))
    }

    /// Whether two states are at the same place, with the same lanes.
    pub(super) fn is_at(&self, other: &Self) -> bool {
        self.frames.len() == other.frames.len()
            && self.decided == other.decided
            && self.epoch == other.epoch
            && self.named == other.named
            && self.frames.iter().zip(&other.frames).all(|(one, other)| {
                one.function == other.function
                    && one.parts == other.parts
                    && one.results == other.results
                    && one.returned == other.returned
                    && one.sides.len() == other.sides.len()
            })
    }
}

impl Shift {
    /// The difference of the second state from the first; `None` if it is not constant.
    fn between(first: &State, second: &State) -> Option<Self> {
        let (last, rest) = first.frames.split_last()?;
        let (other, others) = second.frames.split_last()?;
        if rest != others || last.sides != other.sides {
            return None;
        }
        let mut registers = Vec::new();
        for (at, one, other) in last.registers.changed(&other.registers) {
            if let Some(difference) = difference(one, other)? {
                registers.push((at, difference));
            }
        }
        if first.private.len() != second.private.len() {
            return None;
        }
        let mut private = Vec::new();
        for ((&at, one), (&place, other)) in first.private.iter().zip(second.private.iter()) {
            if at != place || one.0 != other.0 {
                return None;
            }
            if let Some(difference) = difference(&one.1, &other.1)? {
                private.push((at, difference));
            }
        }
        Some(Self { registers, private })
    }

    /// Makes the values that differ depend on a symbol.
    fn apply(&self, state: &mut State, symbol: Symbol) {
        if let Some(frame) = state.frame_mut() {
            for (register, by) in &self.registers {
                if let Some(value) = frame.registers.get_mut(*register) {
                    by.apply(value, symbol);
                }
            }
        }
        let private = Rc::make_mut(&mut state.private);
        for (address, by) in &self.private {
            if let Some((_, value)) = private.get_mut(address) {
                by.apply(value, symbol);
            }
        }
    }
}

impl Growth {
    /// Makes a value that grows in each iteration depend on a symbol that counts iterations.
    fn apply(&self, value: &mut Value, symbol: Symbol) {
        let slope = if self.steady { Slope::Steady } else { Slope::Linear(self.by.clone()) };
        value.set_slope(symbol, slope);
        self.symbols.iter().for_each(|(symbol, _)| value.set_slope(*symbol, Slope::Steady));
    }
}

/// By how much the second value is larger; `Some(None)` if the values are equal. `None` if they differ in another way.
#[allow(clippy::option_option)]
fn difference(one: &Value, other: &Value) -> Option<Option<Growth>> {
    if one == other {
        return Some(None);
    }
    let by = other.bits.zip(&one.bits, u64::wrapping_sub);
    if one.origin != other.origin || one.or_off != other.or_off {
        return None;
    }
    if !one.is_known() || !other.is_known() {
        // Lanes that are data stay data, if only known lanes grow.
        let open = one.unknown.zip(&by, |unknown, by| u64::from(unknown != 0 && by != 0));
        let alike = one.unknown == other.unknown && one.slopes == other.slopes;
        if !alike || open != Lanes::One(0) {
            return None;
        }
    }
    let (mut symbols, mut steady) = (Vec::new(), false);
    for symbol in crate::value::symbols([one, other]) {
        match (one.slope(symbol), other.slope(symbol)) {
            (Slope::Linear(one), Slope::Linear(other)) if one == other => {}
            (Slope::Linear(one), Slope::Linear(other)) => {
                symbols.push((symbol, other.zip(&one, u64::wrapping_sub)));
                steady = true;
            }
            (Slope::Steady, Slope::Steady) => steady = true,
            _ => return None,
        }
    }
    Some(Some(Growth { by, symbols, steady }))
}

impl Goal {
    /// Whether a state is that of the next iteration.
    fn is_reached(&self, state: &State) -> bool {
        let start = &self.state;
        if !start.is_at(state) {
            return false;
        }
        let (Some((one, rest)), Some((other, others))) =
            (start.frames.split_last(), state.frames.split_last())
        else {
            return false;
        };
        let moved = |known: Option<&Growth>, one: &Value, other: &Value| match known {
            None => one == other,
            Some(by) => {
                let mut next = one.clone();
                if next.or_off != other.or_off {
                    return false;
                }
                next.bits = next.bits.zip(&by.by, u64::wrapping_add);
                next.bits == other.bits
                    && next.slopes == other.slopes
                    && next.unknown == other.unknown
                    || truncated_equal(&next, other)
            }
        };
        let mut unshared = one.registers.changed(&other.registers).into_iter();
        let shifted = |(at, by): &(u32, Growth)| {
            let pair = one.registers.get(*at).zip(other.registers.get(*at));
            pair.is_some_and(|(one, other)| moved(Some(by), one, other))
        };
        let by =
            |at: u32| self.shift.registers.iter().find(|(known, _)| *known == at).map(|(_, by)| by);
        let place =
            |at: u64| self.shift.private.iter().find(|(known, _)| *known == at).map(|(_, by)| by);
        rest == others
            && one.sides == other.sides
            && self.shift.registers.iter().all(shifted)
            && unshared.all(|(at, one, other)| moved(by(at), one, other))
            && start.private.len() == state.private.len()
            && start.private.iter().zip(state.private.iter()).all(|((at, one), (found, other))| {
                at == found && one.0 == other.0 && moved(place(*at), &one.1, &other.1)
            })
    }
}

/// Whether two values are equal in their low 32 bits, where the shift has carried beyond the width.
fn truncated_equal(one: &Value, other: &Value) -> bool {
    let low = |value: &Value| value.bits.map(|bits| bits & 0xffff_ffff);
    let narrow = other.bits.map(|bits| bits >> 32) == Lanes::One(0);
    narrow && low(one) == low(other) && one.slopes == other.slopes && one.unknown == other.unknown
}
