//! The catalogue of rules.

mod row;
mod table;

pub use row::{Force, Rule};
pub use table::{RULES, RuleId};

use crate::verdict::Class;

/// The oracles that report a rule, by the first part of its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Oracles {
    Amdgpu,
    Nvidia,
    Opencl,
}

impl Oracles {
    const fn of(id: &str) -> Self {
        match id.as_bytes() {
            [b'p', b't', b'x', b'.', ..] | [b't', b'l', b'x', b'.', ..] => Self::Nvidia,
            [b'o', b'p', b'e', b'n', b'c', b'l', b'.', ..] => Self::Opencl,
            _ => Self::Amdgpu,
        }
    }
}

/// The maximum number of rules of one set of oracles.
const MOST: u8 = 59;

/// The number of each rule among the rules of its oracles.
const NUMBERS: [u8; RULES.len()] = {
    let mut numbers = [0; RULES.len()];
    let mut counts = [0; 3];
    let mut at = 0;
    while at < numbers.len() {
        let count = &mut counts[Oracles::of(RULES[at].id) as usize];
        numbers[at] = *count;
        *count += 1;
        at += 1;
    }
    // All oracles report races: their number follows all others.
    numbers[RuleId::MemRace as usize] = MOST - 1;
    assert!(counts[0] < MOST && counts[1] < MOST && counts[2] < MOST, "a set of rules is 59 bits");
    numbers
};

impl RuleId {
    /// The rules that the oracles for AMDGPU report.
    pub fn of_amdgpu() -> impl Iterator<Item = Self> {
        Self::reported_by(Oracles::Amdgpu)
    }

    /// The rules that the oracle for OpenCL reports.
    pub fn of_opencl() -> impl Iterator<Item = Self> {
        Self::reported_by(Oracles::Opencl)
    }

    /// The rules that the oracle for NVIDIA reports, which also judges TLX.
    pub fn of_nvidia() -> impl Iterator<Item = Self> {
        Self::reported_by(Oracles::Nvidia)
    }

    fn reported_by(oracles: Oracles) -> impl Iterator<Item = Self> {
        let test = move |rule: &Self| {
            *rule == Self::MemRace || Oracles::of(RULES[*rule as usize].id) == oracles
        };
        Self::ALL.into_iter().filter(test)
    }

    /// Its number among the rules of its oracles, below 59: a set of broken rules is a word of bits.
    #[must_use]
    pub const fn number(self) -> u32 {
        NUMBERS[self as usize] as u32
    }

    /// Its bit in a set of broken rules.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.number()
    }

    /// The rule.
    #[must_use]
    pub fn get(self) -> &'static Rule {
        &RULES[self as usize]
    }

    /// Whether every path ends where it breaks the rule, because behaviour is undefined from there on. A machine may end a path
    /// at other rules, too.
    #[must_use]
    pub fn ends_paths(self) -> bool {
        // Neither the copies that an ended agent leaves nor an unordered init change what the machine does next.
        let goes_on =
            matches!(self, Self::PtxAsyncCopyOutstandingAtExit | Self::PtxMbarrierInitVisibility);
        self.get().class == Some(Class::Ub) && !goes_on
    }

    /// The rule with this identifier (`amd.drop.race`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.get().id == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn identifiers_are_permanent_and_unique() {
        for (index, rule) in RuleId::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, index);
            assert_eq!(RuleId::from_name(rule.get().id), Some(rule));
            assert!(rule.get().class.is_some() || rule.get().force != Force::Requires);
        }
    }

    #[test]
    fn rules_of_the_same_oracles_have_different_numbers() {
        let distinct = |rules: Vec<RuleId>| {
            let all = rules.iter().fold(0, |all, rule| all | rule.bit());
            assert_eq!(all.count_ones() as usize, rules.len());
            rules.len()
        };
        let counts = [
            distinct(RuleId::of_amdgpu().collect()),
            distinct(RuleId::of_nvidia().collect()),
            distinct(RuleId::of_opencl().collect()),
        ];
        assert_eq!(counts.iter().sum::<usize>(), RULES.len() + 2, "all report races");
    }
}
