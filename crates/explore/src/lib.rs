//! Bounded, deterministic, cancellable search of state spaces.
//!
//! This crate is independent of GPUs: a [`System`] gives packed states and their successors, and [`search`] visits them.
//! Each state is stored once, as bytes in one arena, in the order of discovery. In a breadth-first search that order is
//! also the frontier, so the first state with a property is one of the nearest.
#![no_std]

extern crate alloc;

mod arena;
mod component;
mod reach;
mod walk;

use alloc::vec::Vec;
use arena::{Arena, Insert};
pub use reach::Reach;
pub use walk::walk;

/// Properties of a state, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(pub u128);

/// A state space.
pub trait System {
    /// An unpacked state.
    type State;

    /// The initial state of every path, in canonical form.
    fn initial(&self) -> Self::State;

    /// Writes a state to the end of `out`; equal bytes mean equal futures.
    fn pack(&self, state: &Self::State, out: &mut Vec<u8>);

    /// Reads a state that [`System::pack`] wrote.
    fn unpack(&self, bytes: &[u8]) -> Self::State;

    /// Emits each enabled action with its canonical successor. With `reduce`, actions may be omitted as long as every
    /// terminal state stays reachable. Returns whether any action was omitted.
    fn successors(
        &self,
        state: &Self::State,
        reduce: bool,
        emit: &mut dyn FnMut(u32, Self::State),
    ) -> bool;

    /// Properties of a state, one bit each; `terminal` is true if it has no successor.
    fn facts(&self, state: &Self::State, terminal: bool) -> Facts;

    /// Whether a path can return to a state.
    fn has_cycles(&self) -> bool;

    /// Work done so far, in units of about ten nanoseconds, excluding the cost of states by their size; it never decreases.
    fn work(&self) -> u64 {
        0
    }

    /// Whether to call [`System::endless`].
    fn judges_endless(&self) -> bool {
        false
    }

    /// Properties of executions that never end: from each of these states, every path stays among them and can reach
    /// each of them. Returns the properties and the index of the state that shows them best.
    fn endless(&self, _states: &mut dyn Iterator<Item = Self::State>) -> (Facts, usize) {
        (Facts::default(), 0)
    }
}

/// The order in which states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The earliest state first: paths to findings are the shortest among those explored.
    BreadthFirst,
    /// The latest state first: reaches terminal states early.
    DepthFirst,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of stored states.
    pub states: u64,
    /// Maximum number of bytes for states.
    pub bytes: u64,
    /// Maximum number of steps from the initial state.
    pub depth: u32,
    /// Maximum work, in units of about ten nanoseconds: `WORK_PER_STATE` for each state reached, one for each byte
    /// of the state, and the work that [`System::work`] reports.
    pub work: u64,
}

/// Default maximum work of a search.
pub const WORK: u64 = 250_000_000;
/// Work for each state reached, independent of its size.
const WORK_PER_STATE: u64 = 200;

impl Default for Bounds {
    fn default() -> Self {
        Self { states: 2_000_000, bytes: 96 << 20, depth: u32::MAX, work: WORK }
    }
}

/// Options of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The order in which states are expanded.
    pub order: Order,
    /// Whether actions may be omitted.
    pub reduce: bool,
    /// Limits.
    pub bounds: Bounds,
    /// Facts that end the search when all of them have been seen; if empty, the search is exhaustive.
    pub until: Facts,
    /// Facts that each end the search at once.
    pub until_any: Facts,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            order: Order::BreadthFirst,
            reduce: true,
            bounds: Bounds::default(),
            until: Facts::default(),
            until_any: Facts::default(),
        }
    }
}

/// The reason that a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every state was visited.
    Complete,
    /// Every requested fact was seen.
    Met,
    /// The search reached its limit of states, bytes or depth.
    Bound,
    /// The search reached its limit of work.
    Work,
    /// The caller asked to stop.
    Cancelled,
}

/// The progress of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// States stored.
    pub states: u64,
    /// States stored but not yet expanded.
    pub frontier: u64,
}

/// The result of a search.
#[derive(Debug)]
pub struct Found {
    /// The reason that it ended.
    pub end: End,
    /// States visited.
    pub states: u64,
    /// Actions performed.
    pub transitions: u64,
    /// Terminal states reached, and sets of states that no path leaves.
    pub terminals: u64,
    /// Work done, as [`Bounds::work`] counts it.
    pub work: u64,
    /// Facts of at least one state.
    pub somewhere: Facts,
    /// Facts of every terminal state, and of every set of states that no path leaves.
    pub always: Facts,
    /// The length up to which every path was visited, after a breadth-first search without reductions.
    pub reach: Option<Reach>,
    /// Whether it is that of [`Found::of_path`], which needs no search.
    pub is_path: bool,
    first: Vec<(u32, u32)>,
    parents: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;
/// States, and bytes of states, between two calls of `keep_going`: both take a few milliseconds.
const PULSE: (u64, u64) = (128, 1 << 15);

impl Found {
    /// The result of a search that follows one path only: `steps` steps with the facts `somewhere`, and `always` at its end.
    /// `first` has, for each fact, the number of steps after which it holds; `actions` are the first steps, as many as these
    /// need.
    #[must_use]
    pub fn of_path(
        steps: u64,
        actions: &[u32],
        first: Vec<(u32, u32)>,
        [somewhere, always]: [Facts; 2],
    ) -> Self {
        let parents = (0..).zip(actions).map(|(parent, &action)| (parent, action));
        Self {
            end: End::Complete,
            states: steps + 1,
            transitions: steps,
            terminals: 1,
            work: steps * WORK_PER_STATE,
            somewhere,
            always,
            reach: None,
            is_path: true,
            first,
            parents: core::iter::once((NONE, 0)).chain(parents).collect(),
        }
    }

    /// What a path of the same system shows, after this search that ended early.
    #[must_use]
    pub fn or(self, path: Self) -> Self {
        Self {
            end: self.end,
            states: self.states + path.states,
            transitions: self.transitions + path.transitions,
            terminals: self.terminals + path.terminals,
            work: self.work + path.work,
            ..path
        }
    }

    /// Whether every state has at most one action to explore: all interleavings are equivalent to one path.
    #[must_use]
    pub fn is_one_path(&self) -> bool {
        self.end == End::Complete && self.terminals == 1 && self.transitions + 1 == self.states
    }

    /// The actions from the initial state to the first state with the fact of this bit.
    #[must_use]
    pub fn path(&self, fact: u32) -> Option<Vec<u32>> {
        let mut at = self.first.iter().find(|(bit, _)| *bit == fact)?.1;
        let mut actions = Vec::new();
        while let Some(&(parent, action)) = self.parents.get(at as usize)
            && parent != NONE
        {
            actions.push(action);
            at = parent;
        }
        actions.reverse();
        Some(actions)
    }
}

/// Visits the states of a system. Calls `keep_going` periodically; `false` cancels the search.
pub fn search<S: System>(
    system: &S,
    plan: Plan,
    keep_going: &mut dyn FnMut(Progress) -> bool,
) -> Found {
    let mut run = Run::new(system, plan);
    run.meet(system.initial(), NONE, 0, 0);
    run.found.end = run.visit(keep_going);
    if run.found.end == End::Complete {
        run.judge_endless();
    }
    run.found.states = run.arena.len();
    run.found.reach = run.reach();
    run.found.work = run.worked();
    run.found.parents = run.parents;
    if run.found.terminals == 0 {
        run.found.always = Facts::default();
    }
    run.found
}

struct Run<'a, S: System> {
    system: &'a S,
    plan: Plan,
    arena: Arena,
    parents: Vec<(u32, u32)>,
    depths: Vec<u32>,
    /// States to expand, if the order differs from that of the arena.
    stack: Vec<u32>,
    next: u32,
    found: Found,
    /// A state did not fit.
    full: bool,
    /// Work spent on states, and the work of the system before the search.
    work: (u64, u64),
    /// A path was cut at the maximum depth.
    cut: bool,
    /// Edges between states, if executions that never end are judged.
    edges: Vec<(u32, u32)>,
}

impl<'a, S: System> Run<'a, S> {
    fn new(system: &'a S, plan: Plan) -> Self {
        let found = Found {
            end: End::Complete,
            states: 0,
            transitions: 0,
            terminals: 0,
            work: 0,
            somewhere: Facts::default(),
            always: Facts(u128::MAX),
            reach: None,
            is_path: false,
            first: Vec::new(),
            parents: Vec::new(),
        };
        Self {
            system,
            plan,
            arena: Arena::default(),
            parents: Vec::new(),
            depths: Vec::new(),
            stack: Vec::new(),
            next: 0,
            found,
            full: false,
            work: (0, system.work()),
            cut: false,
            edges: Vec::new(),
        }
    }

    /// Stores a state unless it is known; returns whether it is new.
    fn meet(&mut self, state: S::State, parent: u32, action: u32, depth: u32) -> bool {
        if self.arena.len() >= self.plan.bounds.states
            || self.arena.bytes() >= self.plan.bounds.bytes
        {
            self.full = true;
            return false;
        }
        let mut size = 0;
        let inserted = self.arena.insert(|out| {
            let before = out.len();
            self.system.pack(&state, out);
            size = (out.len() - before) as u64;
        });
        self.work.0 += WORK_PER_STATE + size;
        if parent != NONE && self.system.judges_endless() {
            let (Insert::New(index) | Insert::Known(index)) = inserted;
            self.edges.push((parent, index));
        }
        let Insert::New(index) = inserted else { return false };
        self.parents.push((parent, action));
        self.depths.push(depth);
        if self.plan.order == Order::DepthFirst {
            self.stack.push(index);
        }
        true
    }

    fn pick(&mut self) -> Option<u32> {
        match self.plan.order {
            Order::DepthFirst => self.stack.pop(),
            Order::BreadthFirst => {
                let index = self.next;
                self.next += 1;
                (u64::from(index) < self.arena.len()).then_some(index)
            }
        }
    }

    fn visit(&mut self, keep_going: &mut dyn FnMut(Progress) -> bool) -> End {
        let (mut expanded, mut asked) = (0u64, None::<(u64, u64)>);
        while let Some(index) = self.pick() {
            let (states, bytes) = (self.arena.len(), self.arena.bytes());
            let due = |(at, size): (u64, u64)| expanded >= at + PULSE.0 || bytes >= size + PULSE.1;
            if asked.is_none_or(due) {
                asked = Some((expanded, bytes));
                if !keep_going(Progress { states, frontier: states - expanded }) {
                    return End::Cancelled;
                }
            }
            expanded += 1;
            self.expand(index);
            if self.has_met() {
                return End::Met;
            }
            if self.full {
                return End::Bound;
            }
            if self.worked() > self.plan.bounds.work {
                return End::Work;
            }
        }
        if self.cut { End::Bound } else { End::Complete }
    }

    fn worked(&self) -> u64 {
        self.work.0 + (self.system.work() - self.work.1)
    }

    fn has_met(&self) -> bool {
        let (all, any, met) = (self.plan.until.0, self.plan.until_any.0, self.found.somewhere.0);
        (all != 0 && all & !met == 0) || any & met != 0
    }

    fn expand(&mut self, index: u32) {
        let state = self.system.unpack(self.arena.get(index));
        let depth = self.depths[index as usize];
        let before = self.arena.len();
        let (mut count, reduced) = self.emit(&state, index, depth, self.plan.reduce);
        let new = self.arena.len() - before;
        if reduced && self.system.has_cycles() && new < u64::from(count) {
            // The edge can close a cycle on which the omitted actions could be postponed forever.
            count = self.emit(&state, index, depth, false).0;
        }
        self.found.transitions += u64::from(count);
        let facts = self.system.facts(&state, count == 0);
        self.note(facts, index);
        if count == 0 {
            self.found.terminals += 1;
            self.found.always.0 &= facts.0;
        }
    }

    fn emit(&mut self, state: &S::State, index: u32, depth: u32, reduce: bool) -> (u32, bool) {
        let system = self.system;
        let mut count = 0;
        let reduced = system.successors(state, reduce, &mut |action, next| {
            count += 1;
            if depth < self.plan.bounds.depth {
                self.meet(next, index, action, depth + 1);
            } else {
                self.cut = true;
            }
        });
        (count, reduced)
    }

    /// Judges the sets of states that no path leaves.
    fn judge_endless(&mut self) {
        let edges = core::mem::take(&mut self.edges);
        for component in component::without_exit(self.arena.len() as u32, &edges) {
            let mut states =
                component.iter().map(|&index| self.system.unpack(self.arena.get(index)));
            let (facts, at) = self.system.endless(&mut states);
            self.found.terminals += 1;
            self.found.always.0 &= facts.0;
            self.note(facts, component[at.min(component.len() - 1)]);
        }
    }

    fn note(&mut self, facts: Facts, index: u32) {
        let mut new = facts.0 & !self.found.somewhere.0;
        self.found.somewhere.0 |= facts.0;
        while new != 0 {
            self.found.first.push((new.trailing_zeros(), index));
            new &= new - 1;
        }
    }
}

#[cfg(test)]
mod tests;
