//! The threads of a launch, and the numbers that the launch decides in each.

use super::sum::{Atom, Sum};
use super::values::Values;
use crate::compute::plain;
use crate::evaluate::Standing;
use crate::ir::{Op, Special};
use crate::value::{Value, ones, signed};
use alloc::vec::Vec;
use core::cell::RefCell;
use tidegate_model::ordered::OrderedMap;

/// All threads of a launch.
pub(super) struct Threads<'a> {
    standings: &'a [Standing],
    count: usize,
    /// For each number that was asked for, its value in each thread; `None` if the launch does not decide it, or it is
    /// undefined.
    known: RefCell<OrderedMap<Atom, Option<Vec<i128>>>>,
}

impl<'a> Threads<'a> {
    /// The threads of agents.
    pub(super) fn of(standings: &'a [Standing]) -> Self {
        let count = standings.iter().map(|one| one.mask.count_ones() as usize).sum();
        Self { standings, count, known: RefCell::default() }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The special value in each thread.
    fn each(&self, special: Special) -> Vec<i128> {
        let mut all = Vec::with_capacity(self.count);
        for standing in self.standings {
            let value = standing.special(special, standing.mask);
            let lanes = (0..standing.lanes).filter(|lane| standing.mask >> lane & 1 == 1);
            all.extend(lanes.map(|lane| i128::from(value.known_in(lane).unwrap_or(0))));
        }
        all
    }

    /// The special value, if it is the same in all threads.
    pub(super) fn same(&self, special: Special) -> Option<i128> {
        if special == Special::ActiveMask {
            return None;
        }
        let atom = Atom::Special(special);
        if !self.known.borrow().contains_key(&atom) {
            let all = self.each(special);
            self.known.borrow_mut().insert(atom, Some(all));
        }
        let known = self.known.borrow();
        let all = known.get(&atom)?.as_deref()?;
        let first = *all.first()?;
        all.iter().all(|&one| one == first).then_some(first)
    }

    /// The value of an atom in each thread; `None` if the launch does not decide it.
    pub(super) fn atom(&self, atom: Atom, values: &Values<'_>) -> Option<Vec<i128>> {
        if let Some(known) = self.known.borrow().get(&atom) {
            return known.clone();
        }
        let found = match atom {
            Atom::Special(Special::ActiveMask) => None,
            Atom::Special(special) => Some(self.each(special)),
            Atom::Result(number) => {
                let operation = values.operation(number);
                let of: Option<Vec<Vec<i128>>> =
                    operation.of.iter().map(|one| self.sum(one, values)).collect();
                of.and_then(|of| {
                    let width = operation.width;
                    let bits = match operation.op {
                        Op::Compare(_, bits) | Op::Carry(bits) | Op::Borrow(bits) => bits,
                        Op::Concat => width / 2,
                        _ => width,
                    };
                    let result = |thread: usize| {
                        let one = |all: &Vec<i128>| Value::int(all[thread] as u64 & ones(bits));
                        let of: Vec<Value> = of.iter().map(one).collect();
                        let bits = plain(operation.op, width, &of).known_in(0)?;
                        Some(i128::from(signed(bits & ones(width), width)))
                    };
                    (0..self.count).map(result).collect()
                })
            }
            _ => None,
        };
        self.known.borrow_mut().insert(atom, found.clone());
        found
    }

    /// The value of a sum in each thread; `None` if the launch does not decide it.
    pub(super) fn sum(&self, sum: &Sum, values: &Values<'_>) -> Option<Vec<i128>> {
        let mut all = alloc::vec![0_i128; self.count];
        for (product, factor) in sum.products() {
            let factors: Option<Vec<Vec<i128>>> =
                product.iter().map(|&atom| self.atom(atom, values)).collect();
            let factors = factors?;
            for (thread, value) in all.iter_mut().enumerate() {
                let product = factors.iter().fold(factor, |one, by| one.saturating_mul(by[thread]));
                *value = value.saturating_add(product);
            }
        }
        Some(all)
    }
}
