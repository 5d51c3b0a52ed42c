//! The registers of an active call, in groups that states share until one of them changes a register.

use crate::hash::WordHasher;
use crate::ir::Reg;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::Cell;
use core::hash::{Hash, Hasher};

/// The number of registers in a group.
const GROUP: usize = 16;

/// The values of all registers of a function. A copy costs little, and so does a comparison with a copy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Registers(Rc<Vec<Rc<Group>>>);

#[derive(Clone, Debug, Default)]
struct Group {
    values: Vec<Value>,
    /// The hash of the values, once it is computed; 0 before.
    hash: Cell<u64>,
}

impl Group {
    fn hashed(&self) -> u64 {
        if self.hash.get() == 0 {
            let mut hasher = WordHasher::new();
            self.values.hash(&mut hasher);
            self.hash.set(hasher.finish() | 1);
        }
        self.hash.get()
    }
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other) || self.hashed() == other.hashed() && self.values == other.values
    }
}

impl Eq for Group {}

impl Hash for Group {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hashed());
    }
}

impl FromIterator<Value> for Registers {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        let mut values = values.into_iter();
        let mut groups = Vec::new();
        loop {
            let values: Vec<Value> = values.by_ref().take(GROUP).collect();
            if values.is_empty() {
                return Self(Rc::new(groups));
            }
            groups.push(Rc::new(Group { values, hash: Cell::default() }));
        }
    }
}

impl Registers {
    pub(crate) fn get(&self, register: Reg) -> Option<&Value> {
        self.0.get(register as usize / GROUP)?.values.get(register as usize % GROUP)
    }

    pub(crate) fn get_mut(&mut self, register: Reg) -> Option<&mut Value> {
        let group = Rc::make_mut(Rc::make_mut(&mut self.0).get_mut(register as usize / GROUP)?);
        group.hash.set(0);
        group.values.get_mut(register as usize % GROUP)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Reg, &Value)> {
        (0..).zip(self.0.iter().flat_map(|group| &group.values))
    }

    /// The pairs of registers that may differ from those of the same function in another state.
    pub(crate) fn changed<'a>(&'a self, other: &'a Self) -> Vec<(Reg, &'a Value, &'a Value)> {
        let mut found = Vec::new();
        for (at, (one, other)) in self.0.iter().zip(other.0.iter()).enumerate() {
            if !Rc::ptr_eq(one, other) {
                let pairs = one.values.iter().zip(&other.values);
                let registers = (at * GROUP) as Reg..;
                found.extend(registers.zip(pairs).map(|(at, (one, other))| (at, one, other)));
            }
        }
        found
    }

    /// The approximate size in bytes of a copy of which every register changes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * GROUP * size_of::<Value>()
    }

    /// Sets the registers whose bits are not set to 0.
    pub(crate) fn keep(&mut self, live: &[u64]) {
        let dead = Value::int(0);
        for at in 0..self.0.len() {
            let bits = live.get(at * GROUP / 64).map_or(0, |word| word >> (at * GROUP % 64));
            let is_dead =
                |(place, value): (usize, &Value)| bits >> place & 1 == 0 && *value != dead;
            if !self.0[at].values.iter().enumerate().any(is_dead) {
                continue;
            }
            let group = Rc::make_mut(&mut Rc::make_mut(&mut self.0)[at]);
            group.hash.set(0);
            for (place, value) in group.values.iter_mut().enumerate() {
                if bits >> place & 1 == 0 {
                    *value = dead.clone();
                }
            }
        }
    }
}
