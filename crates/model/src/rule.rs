//! The catalogue of rules.

mod table;

pub use table::{RULES, RuleId};

use crate::verdict::Class;

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Force {
    /// Defines a relation.
    Defines,
    /// Constrains executions: a candidate that breaks the rule is not an execution.
    Constrains,
    /// Requires something of programs: a program that breaks the rule is incorrect.
    Requires,
}

impl Force {
    /// The word used in the catalogue.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Defines => "defines",
            Self::Constrains => "constrains",
            Self::Requires => "requires",
        }
    }
}

/// A rule with a permanent identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its permanent dotted identifier.
    pub id: &'static str,
    /// The class of a finding of this rule; `None` for a rule that constrains executions, which no program can break.
    pub class: Option<Class>,
    /// Its kind.
    pub force: Force,
    /// Its statement, in our own words.
    pub statement: &'static str,
    /// The document that states it.
    pub document: &'static str,
    /// The section or rubric of the document.
    pub section: &'static str,
    /// The usual fix for a scenario that breaks it; empty if there is none.
    pub remedy: &'static str,
}

const FIRST_NVIDIA: u32 = RuleId::PtxMbarrierValidObject as u32;
const LAST_NVIDIA: u32 = RuleId::TlxNamedBarrierUnsupported as u32;
const FIRST_OPENCL: u32 = RuleId::OpenclBarrierAllEncounter as u32;
const LAST_OPENCL: u32 = RuleId::OpenclSplitImageScope as u32;

impl RuleId {
    /// The rules that the oracles for AMDGPU report: all except those of `ptx`, `tlx` and `opencl`.
    pub fn of_amdgpu() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| !rule.is_nvidia() && !rule.is_opencl())
    }

    /// The rules of `opencl`, which are contiguous.
    pub fn of_opencl() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| rule.is_opencl())
    }

    /// The rules of `ptx` and `tlx`, which are contiguous.
    pub fn of_nvidia() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|rule| rule.is_nvidia())
    }

    const fn is_nvidia(self) -> bool {
        self as u32 >= FIRST_NVIDIA && (self as u32) <= LAST_NVIDIA
    }

    const fn is_opencl(self) -> bool {
        self as u32 >= FIRST_OPENCL && (self as u32) <= LAST_OPENCL
    }

    /// Its number among the rules of its oracles, below 60: a set of broken rules is a word of bits.
    #[must_use]
    pub const fn number(self) -> u32 {
        let number = self as u32;
        if number < FIRST_NVIDIA {
            number
        } else if self.is_opencl() {
            number - FIRST_OPENCL
        } else if number > LAST_NVIDIA {
            number - (LAST_NVIDIA - FIRST_NVIDIA + 1) - (LAST_OPENCL - FIRST_OPENCL + 1)
        } else {
            number - FIRST_NVIDIA
        }
    }

    /// The rule.
    #[must_use]
    pub fn get(self) -> &'static Rule {
        &RULES[self as usize]
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

    #[test]
    fn identifiers_are_permanent_and_unique() {
        for (index, rule) in RuleId::ALL.into_iter().enumerate() {
            assert_eq!(rule as usize, index);
            assert_eq!(RuleId::from_name(rule.get().id), Some(rule));
            assert!(rule.number() < 60);
            let id = rule.get().id;
            assert_eq!(rule.is_nvidia(), id.starts_with("ptx.") || id.starts_with("tlx."));
            assert_eq!(rule.is_opencl(), id.starts_with("opencl."));
            assert!(rule.get().class.is_some() || rule.get().force != Force::Requires);
        }
    }
}
