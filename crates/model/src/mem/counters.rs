//! The wait counters of a target: the counters that each access increments, and the outstanding accesses of a wave in
//! each.
//!
//! The document names the counters that must be zero before `s_barrier` (table "s_barrier GFX6-11"). No available
//! document says which accesses each counter counts; this follows the waits that LLVM 22 inserts before it uses the
//! result of an access.

use super::operation::{Counter, Memory, Space, Waits};
use crate::ordered::OrderedMap;
use crate::target::{Counters, Target};
use alloc::vec::Vec;

/// The counters that count an access until it completes; none if the target has no counters that a program can name.
///
/// `space` is the address space of the access; it is irrelevant for a copy from global memory to LDS.
#[must_use]
pub fn counted(target: &Target, operation: Memory, space: Space) -> Vec<Counter> {
    let split = target.counters.are_split();
    let write = matches!(operation, Memory::Store(_));
    match (target.counters, operation, space) {
        (Counters::None | Counters::All, ..) => Vec::new(),
        (Counters::SplitAsync, Memory::Copy { .. }, _) => alloc::vec![Counter::Async],
        (_, Memory::Copy { .. }, _) if split => alloc::vec![Counter::Load],
        (_, Memory::Copy { .. }, _) => alloc::vec![Counter::Vm],
        (_, Memory::Load(_) | Memory::Store(_), Space::Local) => {
            alloc::vec![if split { Counter::Ds } else { Counter::Lgkm }]
        }
        (_, Memory::Load(_) | Memory::Store(_), Space::Global) => {
            let counter = match (write, target.counters) {
                (true, Counters::WaitcntVscnt) => Counter::Vs,
                (true, _) if split => Counter::Store,
                (false, _) if split => Counter::Load,
                _ => Counter::Vm,
            };
            let read_late = (write && target.stores_in_expcnt).then_some(Counter::Exp);
            [counter].into_iter().chain(read_late).collect()
        }
        _ => Vec::new(),
    }
}

/// The outstanding items of one wave in each counter that it has used, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queues<T> {
    queues: OrderedMap<Counter, Vec<T>>,
}

impl<T: Copy + PartialEq> Queues<T> {
    /// Starts an access. A counter holds at most `most` of the target: the access waits until there is room.
    pub fn issue(&mut self, target: &Target, counters: &[Counter], item: T) {
        for &counter in counters {
            let queue = self.queues.entry(counter).or_default();
            if queue.len() >= usize::from(target.most(counter)) && !queue.is_empty() {
                queue.remove(0);
            }
            queue.push(item);
        }
    }

    /// Performs a wait for counters: each keeps at most the given number of items. Completed stores have been read.
    pub fn wait(&mut self, waits: Waits) {
        for (&counter, queue) in &mut self.queues {
            if let Some(most) = waits.most(counter) {
                queue.drain(..queue.len().saturating_sub(usize::from(most)));
            }
        }
        if let (Some(_), Some(running)) =
            (waits.most(Counter::Vm), self.queues.get(&Counter::Vm).cloned())
            && let Some(unread) = self.queues.get_mut(&Counter::Exp)
        {
            unread.retain(|item| running.contains(item));
        }
    }

    /// Completes an access, independent of the wait.
    pub fn finish(&mut self, item: T) {
        self.queues.values_mut().for_each(|queue| queue.retain(|other| *other != item));
    }

    /// The used counters with their outstanding items, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (Counter, &[T])> {
        self.queues.iter().map(|(&counter, queue)| (counter, &queue[..]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::operation::Range;
    use super::*;
    use crate::target::TargetId;

    const BYTES: Range = Range { buffer: 0, start: 0, end: 4 };
    const LOAD: Memory = Memory::Load(BYTES);
    const STORE: Memory = Memory::Store(BYTES);
    const COPY: Memory = Memory::Copy { to: BYTES, from: BYTES };

    fn target(name: &str) -> &'static Target {
        TargetId::from_name(name).unwrap().get()
    }

    #[test]
    fn each_family_counts_in_its_own() {
        use Counter::{Async, Ds, Exp, Lgkm, Load, Store, Vm, Vs};
        // Global load, global store, LDS, copy.
        let rows: [(&str, [&[Counter]; 4]); 9] = [
            ("gfx600", [&[Vm], &[Vm, Exp], &[Lgkm], &[Vm]]),
            ("gfx700", [&[Vm], &[Vm], &[Lgkm], &[Vm]]),
            ("gfx908", [&[Vm], &[Vm], &[Lgkm], &[Vm]]),
            ("gfx942", [&[Vm], &[Vm], &[Lgkm], &[Vm]]),
            ("gfx1030", [&[Vm], &[Vs], &[Lgkm], &[Vm]]),
            ("gfx1100", [&[Vm], &[Vs], &[Lgkm], &[Vm]]),
            ("gfx1200", [&[Load], &[Store], &[Ds], &[Load]]),
            ("gfx1250", [&[Load], &[Store], &[Ds], &[Async]]),
            ("model", [&[], &[], &[], &[]]),
        ];
        for (name, wanted) in rows {
            let of = |operation, space| counted(target(name), operation, space);
            assert_eq!(of(LOAD, Space::Global), wanted[0], "{name}");
            assert_eq!(of(STORE, Space::Global), wanted[1], "{name}");
            assert_eq!([of(LOAD, Space::Local), of(STORE, Space::Local)], [wanted[2]; 2], "{name}");
            assert_eq!(of(COPY, Space::Global), wanted[3], "{name}");
        }
        assert!(counted(target("gfx942"), Memory::Mark, Space::Local).is_empty());
    }

    #[test]
    fn accesses_that_each_wait_completes() {
        let mut all = Queues::default();
        let gfx600 = target("gfx600");
        for (item, operation) in [LOAD, STORE, STORE].into_iter().enumerate() {
            all.issue(gfx600, &counted(gfx600, operation, Space::Global), item);
        }
        all.issue(gfx600, &counted(gfx600, LOAD, Space::Local), 3);
        let shown = |all: &Queues<usize>| -> Vec<(Counter, Vec<usize>)> {
            all.iter().map(|(counter, items)| (counter, items.to_vec())).collect()
        };
        let show = |vm: &[usize], exp: &[usize], lgkm: &[usize]| {
            let of = |counter, items: &[usize]| (counter, items.to_vec());
            alloc::vec![of(Counter::Vm, vm), of(Counter::Exp, exp), of(Counter::Lgkm, lgkm)]
        };
        assert_eq!(shown(&all), show(&[0, 1, 2], &[1, 2], &[3]));
        all.wait(Waits::default().with(Counter::Vm, 1));
        assert_eq!(shown(&all), show(&[2], &[2], &[3]));
        all.wait(Waits::default().with(Counter::Exp, 0));
        assert_eq!(shown(&all), show(&[2], &[], &[3]));
        all.wait(Waits::default().with(Counter::Lgkm, 0));
        assert_eq!(shown(&all), show(&[2], &[], &[]));
        all.finish(2);
        assert_eq!(shown(&all), show(&[], &[], &[]));
    }

    #[test]
    fn a_full_counter_makes_the_next_access_wait() {
        let gfx803 = target("gfx803");
        let mut all = Queues::default();
        (0..40).for_each(|item| all.issue(gfx803, &[Counter::Vm], item));
        assert_eq!(all.iter().next().map(|(_, items)| (items.len(), items[0])), Some((15, 25)));
    }
}
