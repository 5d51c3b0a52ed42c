//! The outstanding operations of a wave of AMDGPU machine code, by counter.
//!
//! Machine code has no fences: it waits for counters, and a barrier then orders what has completed. An access happens at some
//! point between its issue and the wait that completes it. If it is outstanding when its wave arrives at a barrier, it may
//! happen before or after that arrival. So it is performed again after each arrival until it completes. This finds all races:
//! the order between a wave and other waves changes only where the wave arrives or waits.

use crate::ir::Engine;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::mem::counters::counted;
use tidegate_model::mem::operation::{Counter, Memory, Range, Space, Waits};
use tidegate_model::operation::Operation;
use tidegate_model::target::{Counters, Target};

/// An instruction that is outstanding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    /// Its number among the instructions of the wave. Entries of one instruction in several counters have the same number.
    number: u32,
    engine: Engine,
    /// Whether it is a copy to LDS, which marks track.
    copies: bool,
    /// Whether it depends on data that it happens.
    possible: bool,
    /// Its accesses that may happen again after an arrival.
    operations: Rc<[Operation]>,
}

impl Entry {
    /// Marks that it depends on data whether it is outstanding.
    fn make_possible(&mut self) {
        self.possible = true;
        let possible = |one: &Operation| Operation { possible: true, ..*one };
        self.operations = self.operations.iter().map(possible).collect();
    }

    /// Whether another entry is for an equal access.
    fn is_like(&self, other: &Self) -> bool {
        let kind = |one: &Self| (one.engine, one.copies, one.possible);
        kind(self) == kind(other) && self.operations == other.operations
    }
}

/// The outstanding operations of a wave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flight {
    /// For each counter, the entries, oldest first.
    queues: Vec<(Counter, Vec<Entry>)>,
}

/// An access as it is issued.
pub(crate) struct Issued {
    pub(crate) engine: Engine,
    pub(crate) space: Space,
    pub(crate) writes: bool,
    /// Whether registers receive what it reads.
    pub(crate) returns: bool,
    pub(crate) copies: bool,
    pub(crate) possible: bool,
    pub(crate) operations: Vec<Operation>,
}

/// The counters that count an access until it completes.
fn counters(target: &Target, issued: &Issued) -> Vec<Counter> {
    let split = target.counters.are_split();
    let any = Range { buffer: 0, start: 0, end: 1 };
    let memory = match (issued.copies, issued.writes && !issued.returns) {
        (true, _) => Memory::Copy { to: any, from: any },
        (_, true) => Memory::Store(any),
        _ => Memory::Load(any),
    };
    match issued.engine {
        Engine::Vector => counted(target, memory, issued.space),
        Engine::Scalar => alloc::vec![if split { Counter::Km } else { Counter::Lgkm }],
        Engine::Asynchronous => alloc::vec![Counter::Async],
        Engine::Tensor => alloc::vec![Counter::Tensor],
    }
}

impl Flight {
    /// Issues an access. If a counter is at the maximum of its field, its oldest access completes first.
    pub(crate) fn issue(&mut self, target: &Target, issued: Issued) {
        let counters = counters(target, &issued);
        // Up to GFX9, the waves of a workgroup share a first-level cache, in which their accesses are in order.
        let ordered =
            target.counters == Counters::Waitcnt && issued.space == Space::Global && !issued.copies;
        let operations: Rc<[Operation]> = match ordered || issued.copies {
            true => Rc::new([]),
            false => issued.operations.into(),
        };
        let number = self.queues.iter().flat_map(|(_, queue)| queue).map(|entry| entry.number + 1);
        let number = number.max().unwrap_or(0);
        for counter in counters {
            let at = self.queue(counter);
            let queue = &mut self.queues[at].1;
            if queue.len() >= usize::from(target.most(counter)) && !queue.is_empty() {
                queue.remove(0);
            }
            let Issued { engine, copies, possible, .. } = issued;
            queue.push(Entry { number, engine, copies, possible, operations: operations.clone() });
        }
        self.trim();
    }

    /// Removes the oldest entries without effects on memory. They do not affect which newer entries a wait leaves.
    fn trim(&mut self) {
        for (_, queue) in &mut self.queues {
            let matters = |entry: &Entry| {
                entry.copies || entry.engine == Engine::Scalar || !entry.operations.is_empty()
            };
            let first = queue.iter().position(matters).unwrap_or(queue.len());
            queue.drain(..first);
        }
        self.forget_repeated();
        self.queues.retain(|(_, queue)| !queue.is_empty());
        self.renumber();
    }

    /// Removes an access that may be outstanding if the same counter has a newer entry for an equal access, which is
    /// outstanding for longer. So an access that a loop may issue is kept once.
    fn forget_repeated(&mut self) {
        for (_, queue) in &mut self.queues {
            let mut at = 0;
            while at < queue.len() {
                let one = &queue[at];
                let repeated = one.possible
                    && !one.copies
                    && queue[at + 1..].iter().any(|other| other.is_like(one));
                if repeated {
                    queue.remove(at);
                } else {
                    at += 1;
                }
            }
        }
    }

    fn queue(&mut self, counter: Counter) -> usize {
        match self.queues.binary_search_by_key(&counter, |(known, _)| *known) {
            Ok(at) => at,
            Err(at) => {
                self.queues.insert(at, (counter, Vec::new()));
                at
            }
        }
    }

    /// Performs a wait for counters. If copies have completed, returns the number of copies that may still be outstanding.
    pub(crate) fn wait(&mut self, waits: Waits) -> Option<u16> {
        let before = self.copies();
        for (counter, queue) in &mut self.queues {
            let Some(most) = waits.most(*counter) else { continue };
            // Scalar loads complete in any order. While one is outstanding, only a wait for zero completes entries.
            if most > 0 && queue.iter().any(|entry| entry.engine == Engine::Scalar) {
                continue;
            }
            // Only accesses that were certainly issued count towards the maximum.
            let mut certain = queue.iter().enumerate().rev().filter(|(_, entry)| !entry.possible);
            let left = match most {
                0 => None,
                most => certain.nth(usize::from(most) - 1).map(|(at, _)| at),
            };
            let gone = if most == 0 { queue.len() } else { left.unwrap_or(0) };
            queue.drain(..gone);
        }
        self.trim();
        let after = self.copies();
        (after < before).then_some(after)
    }

    /// Numbers entries from 0 on, so that equivalent states are equal.
    fn renumber(&mut self) {
        let mut numbers: Vec<u32> =
            self.queues.iter().flat_map(|(_, queue)| queue).map(|entry| entry.number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for entry in self.queues.iter_mut().flat_map(|(_, queue)| queue) {
            entry.number = numbers.partition_point(|number| *number < entry.number) as u32;
        }
    }

    /// Whether copies to LDS are outstanding.
    pub(crate) fn has_copies(&self) -> bool {
        self.copies() > 0
    }

    /// Adds the operations that are outstanding after the other side of a branch on data. Operations of only one side may be
    /// outstanding.
    pub(crate) fn merge(&mut self, other: &Self) {
        if self == other {
            return;
        }
        let first = self.queues.iter().flat_map(|(_, queue)| queue).map(|entry| entry.number + 1);
        let first = first.max().unwrap_or(0);
        for (counter, more) in &other.queues {
            let at = self.queue(*counter);
            let queue = &mut self.queues[at].1;
            let alike = |(one, other): (&Entry, &Entry)| one.is_like(other);
            if queue.len() == more.len() && queue.iter().zip(more).all(alike) {
                continue;
            }
            queue.extend(
                more.iter().cloned().map(|entry| Entry { number: entry.number + first, ..entry }),
            );
            queue.iter_mut().for_each(Entry::make_possible);
        }
        for (counter, queue) in &mut self.queues {
            if other.queues.binary_search_by_key(counter, |(known, _)| *known).is_err() {
                queue.iter_mut().for_each(Entry::make_possible);
            }
        }
        self.trim();
    }

    fn copies(&self) -> u16 {
        let all = self.queues.iter().flat_map(|(_, queue)| queue);
        all.filter(|entry| entry.copies).count().min(usize::from(u16::MAX)) as u16
    }

    /// Keeps all entries, with only those of their operations that pass a test.
    pub(crate) fn retain(&mut self, mut test: impl FnMut(&Operation) -> bool) {
        for entry in self.queues.iter_mut().flat_map(|(_, queue)| queue) {
            let kept: Vec<Operation> =
                entry.operations.iter().copied().filter(|operation| test(operation)).collect();
            entry.operations = kept.into();
        }
        self.trim();
    }

    /// The operations that may happen again after an arrival, in the order of issue.
    pub(crate) fn outstanding(&self) -> Vec<Operation> {
        let mut entries: Vec<&Entry> = self.queues.iter().flat_map(|(_, queue)| queue).collect();
        entries.sort_by_key(|entry| entry.number);
        entries.dedup_by_key(|entry| entry.number);
        let mut all: Vec<Operation> = Vec::new();
        for operation in entries.iter().flat_map(|entry| entry.operations.iter()) {
            if !all.contains(operation) {
                all.push(*operation);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_model::operation::{Action, Form};
    use tidegate_model::target::TargetId;

    fn target(name: &str) -> &'static Target {
        TargetId::from_name(name).unwrap().get()
    }

    fn store(start: u32) -> Operation {
        let range = Range { buffer: 0, start, end: start + 4 };
        Operation::new(Action::Memory(Memory::Store(range)), Form::Word)
    }

    fn issued(engine: Engine, space: Space, writes: bool, start: u32) -> Issued {
        let operations = alloc::vec![store(start)];
        Issued {
            engine,
            space,
            writes,
            returns: !writes,
            copies: false,
            possible: false,
            operations,
        }
    }

    #[test]
    fn an_access_is_outstanding_until_its_own_counter_is_waited_for() {
        let gfx12 = target("gfx1200");
        let mut flight = Flight::default();
        flight.issue(gfx12, issued(Engine::Vector, Space::Local, true, 0));
        flight.issue(gfx12, issued(Engine::Vector, Space::Global, true, 4));
        flight.wait(Waits::default().with(Counter::Load, 0));
        assert_eq!(flight.outstanding(), [store(0), store(4)]);
        flight.wait(Waits::default().with(Counter::Ds, 0));
        assert_eq!(flight.outstanding(), [store(4)]);
        flight.wait(Waits::default().with(Counter::Store, 0));
        assert_eq!(flight, Flight::default());
    }

    #[test]
    fn a_wait_leaves_the_newest() {
        let gfx942 = target("gfx942");
        let mut flight = Flight::default();
        (0..3).for_each(|at| {
            flight.issue(gfx942, issued(Engine::Vector, Space::Local, true, at * 4))
        });
        flight.wait(Waits::default().with(Counter::Lgkm, 1));
        assert_eq!(flight.outstanding(), [store(8)]);
    }

    #[test]
    fn scalar_loads_complete_in_any_order() {
        let gfx942 = target("gfx942");
        let mut flight = Flight::default();
        flight.issue(gfx942, issued(Engine::Vector, Space::Local, true, 0));
        flight.issue(gfx942, issued(Engine::Scalar, Space::Local, false, 4));
        flight.wait(Waits::default().with(Counter::Lgkm, 1));
        assert_eq!(flight.outstanding().len(), 2);
        flight.wait(Waits::default().with(Counter::Lgkm, 0));
        assert!(flight.outstanding().is_empty());
    }

    #[test]
    fn global_accesses_of_a_workgroup_are_in_order_up_to_gfx9() {
        for (name, left) in [("gfx942", 0), ("gfx1100", 1)] {
            let mut flight = Flight::default();
            flight.issue(target(name), issued(Engine::Vector, Space::Global, true, 0));
            assert_eq!(flight.outstanding().len(), left, "{name}");
        }
    }

    #[test]
    fn copies_are_left_to_marks() {
        let gfx1250 = target("gfx1250");
        let mut flight = Flight::default();
        for at in 0..3 {
            let one = issued(Engine::Asynchronous, Space::Local, true, at);
            flight.issue(gfx1250, Issued { copies: true, ..one });
        }
        assert!(flight.outstanding().is_empty());
        assert_eq!(flight.wait(Waits::default().with(Counter::Async, 1)), Some(1));
        assert_eq!(flight.wait(Waits::default().with(Counter::Async, 1)), None);
        assert_eq!(flight.wait(Waits::default().with(Counter::Load, 0)), None);
    }

    #[test]
    fn after_two_ways_everything_that_one_leaves_may_be_outstanding() {
        let gfx942 = target("gfx942");
        let mut flight = Flight::default();
        flight.issue(gfx942, issued(Engine::Vector, Space::Local, true, 0));
        let mut other = flight.clone();
        other.wait(Waits::default().with(Counter::Lgkm, 0));
        other.issue(gfx942, issued(Engine::Vector, Space::Local, true, 4));
        flight.merge(&other);
        let possible = |start| Operation { possible: true, ..store(start) };
        assert_eq!(flight.outstanding(), [possible(0), possible(4)]);
        flight.wait(Waits::default().with(Counter::Lgkm, 1));
        assert_eq!(flight.outstanding().len(), 2);
        flight.wait(Waits::default().with(Counter::Lgkm, 0));
        assert!(flight.outstanding().is_empty());
    }

    #[test]
    fn an_access_that_a_loop_may_repeat_is_kept_once() {
        let gfx1201 = target("gfx1201");
        let mut flight = Flight::default();
        for _ in 0..100 {
            let skipped = flight.clone();
            flight.issue(gfx1201, issued(Engine::Vector, Space::Local, true, 0));
            flight.issue(gfx1201, issued(Engine::Scalar, Space::Global, false, 4));
            flight.merge(&skipped);
        }
        assert_eq!(flight.queues.iter().map(|(_, queue)| queue.len()).max(), Some(1));
        let possible = |start| Operation { possible: true, ..store(start) };
        assert_eq!(flight.outstanding(), [possible(0), possible(4)]);
    }

    #[test]
    fn an_access_that_may_not_be_issued_completes_no_other_one() {
        let gfx942 = target("gfx942");
        let mut flight = Flight::default();
        for (at, possible) in [(0, false), (4, true), (8, false)] {
            let one = issued(Engine::Vector, Space::Local, true, at);
            flight.issue(gfx942, Issued { possible, ..one });
        }
        flight.wait(Waits::default().with(Counter::Lgkm, 2));
        assert_eq!(flight.outstanding().len(), 3);
        flight.wait(Waits::default().with(Counter::Lgkm, 1));
        assert_eq!(flight.outstanding(), [store(8)]);
    }
}
