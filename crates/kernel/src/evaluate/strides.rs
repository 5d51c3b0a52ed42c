//! Arguments that are strides, such as the distance of two rows of a matrix.
//!
//! If an instruction multiplies an argument by a number that differs between lanes or agents, such as the number of a row, the
//! rows overlap only for few values of the argument, such as 0. The host is assumed not to pass these. So the kernel is
//! evaluated with a value that keeps rows far apart. Accesses that conflict then conflict for every stride.
//!
//! This is done only for objects in which agents conflict otherwise, and only for arguments that no comparison prevents from
//! being so large.

use super::buffers::Buffers;
use super::conflicts::Conflicts;
use super::recorded::Recorded;
use crate::ir::{Module, Place};
use crate::value::{Slope, Symbol, Value};
use alloc::vec::Vec;
use tidegate_model::mem::operation::Buffer;
use tidegate_model::ordered::{OrderedMap, OrderedSet};

/// Values of strides. They differ so much that the sums of their multiples are also far apart.
const FAR: [i64; 3] = [1 << 16, 1021 << 16, 31 << 16];

/// The numbers by which instructions multiply arguments.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    /// For each instruction and argument, the number; `None` if there are several.
    factors: OrderedMap<(Place, Symbol), Option<u64>>,
    /// The objects in which an argument is a stride.
    strides: OrderedSet<(u32, Symbol)>,
    /// The objects in which an argument that is multiplied by another argument moves addresses.
    products: OrderedSet<(u32, Symbol)>,
}

impl Factors {
    /// Whether an argument is a stride in an object.
    pub(crate) fn is_stride(&self, object: u32, symbol: Symbol) -> bool {
        self.strides.contains(&(object, symbol))
    }

    /// The objects with the arguments that are strides in them, or factors of strides.
    pub(crate) fn strides(&self) -> impl Iterator<Item = (u32, Symbol)> + '_ {
        self.strides.union(&self.products).copied()
    }

    /// Adds an instruction that accesses objects in global memory at an address.
    pub(crate) fn add(&mut self, place: Place, address: &Value, objects: &[u32]) {
        for (symbol, slope) in &address.slopes {
            let factor = match slope {
                Slope::Linear(factor) => factor,
                Slope::Steady => {
                    self.products.extend(objects.iter().map(|&object| (object, *symbol)));
                    continue;
                }
                _ => continue,
            };
            let factor = factor.one();
            let known = self.factors.entry((place, *symbol)).or_insert(factor);
            if factor.is_none() || *known != factor {
                *known = None;
                self.strides.extend(objects.iter().map(|&object| (object, *symbol)));
            }
        }
    }
}

/// The arguments for which a large value was chosen, each with its value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strides(OrderedMap<usize, i64>);

impl Strides {
    /// The chosen value of an argument, if there is one in the range.
    pub(crate) fn value(&self, argument: usize, (least, most): (i64, i64)) -> Option<i64> {
        self.0.get(&argument).copied().filter(|value| (least..=most).contains(value))
    }

    /// Whether a value is the chosen one of an argument.
    pub(crate) fn is_chosen(&self, argument: usize, value: i64) -> bool {
        self.0.get(&argument) == Some(&value)
    }

    /// The arguments.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.keys().copied()
    }

    /// Adds an argument that is a stride in an object in which agents conflict, and that can be large. `reach` says how far
    /// each value can change with the same answers to comparisons. Returns whether there is such an argument.
    pub(crate) fn extend(
        &mut self,
        factors: &Factors,
        (values, reach): (&[i64], &[(u64, u64)]),
        agents: &[(u32, Recorded)],
        (module, buffers): (&Module, &Buffers),
    ) -> bool {
        let free = |argument: usize| {
            let far = FAR.get(self.0.len())?;
            let (value, (_, up)) = (values.get(argument)?, reach.get(argument)?);
            let fits = far.checked_sub(*value)?.unsigned_abs() <= *up;
            let whole = argument < module.arguments.len();
            (fits && whole && !self.0.contains_key(&argument)).then_some(*far)
        };
        let found: Vec<(u32, usize, i64)> = factors
            .strides
            .iter()
            .filter_map(|&(object, symbol)| {
                let argument = usize::from(symbol);
                free(argument).map(|far| (object, argument, far))
            })
            .collect();
        if found.is_empty() {
            return false;
        }
        let declared = buffers.declared(module);
        let all: Vec<Buffer> = declared.iter().map(|(buffer, _)| *buffer).collect();
        let conflicts = Conflicts::of(agents, &all);
        let conflicting: OrderedSet<u32> =
            conflicts.buffers().filter_map(|buffer| buffers.object(buffer)).collect();
        let first = found.into_iter().find(|(object, ..)| conflicting.contains(object));
        if let Some((_, argument, far)) = first {
            self.0.insert(argument, far);
        }
        first.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Lanes;

    fn row(factor: Lanes) -> Value {
        let mut address = Value::int(0);
        address.set_slope(0, Slope::Linear(factor));
        address
    }

    #[test]
    fn a_factor_that_differs_makes_a_stride() {
        let place = |start| Place { start, end: start + 1 };
        let mut factors = Factors::default();
        factors.add(place(0), &row(Lanes::One(4)), &[7]);
        factors.add(place(1), &row(Lanes::One(8)), &[7]);
        assert!(factors.strides.is_empty());
        factors.add(place(0), &row(Lanes::One(8)), &[7]);
        assert!(factors.strides.contains(&(7, 0)));
        factors.add(place(2), &row(Lanes::of([1, 2].to_vec())), &[3]);
        assert!(factors.strides.contains(&(3, 0)));
    }
}
