//! A row of the catalogue of rules.

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
