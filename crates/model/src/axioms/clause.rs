//! The clauses of the specification that define relations and rules. Every edge and every rejection names its clause.

use crate::rule::{Force, RuleId};

/// A clause: one bullet or sentence of a definition or rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// One agent performs its operations in sequence.
    ProgramOrder,
    /// *Program-order* between operations on one object.
    ThreadBarrierOrder,
    /// Each object observes its modifications in sequence.
    ModificationOrder,
    /// *Barrier-modification-order* keeps *thread-barrier-order*.
    ModificationOrderKeepsThreadOrder,
    /// The operations that participate in a wait, all bullets together.
    ParticipatesIn,
    /// Both are on one object.
    ParticipatesSameObject,
    /// Only an *arrive* or a *drop* participates in a wait.
    ParticipatesArriveOrDrop,
    /// An operation participates in at most one wait of a thread.
    ParticipatesOneWait,
    /// An operation does not participate in an earlier wait of its own thread.
    ParticipatesNotAfterWait,
    /// The participating operations are a contiguous interval.
    ParticipatesInterval,
    /// The arrive count is zero before the interval.
    ParticipatesFromZero,
    /// The counts are equal only after the interval.
    ParticipatesUntilEqual,
    /// *Barrier-executes-before* contains *program-order*.
    ExecutesBeforeProgramOrder,
    /// *Barrier-executes-before* contains *barrier-participates-in*.
    ExecutesBeforeParticipates,
    /// *Barrier-executes-before* is transitive.
    ExecutesBeforeTransitive,
    /// *Barrier-executes-before* agrees with every *barrier-modification-order*.
    ExecutesBeforeConsistent,
    /// *Barrier-phase-with* is the closure of *barrier-participates-in* and its inverse.
    PhaseWith,
    /// No operation of another phase occurs between a wait and an operation that participates in it.
    PhaseSeparation,
    /// The join is before the operation in *thread-barrier-order*.
    JoinedBeforeThreadOrder,
    /// The operation is not a join.
    JoinedBeforeNotJoin,
    /// No other join or drop of the object occurs in between.
    JoinedBeforeNothingBetween,
    /// No join of another object occurs in between.
    JoinedBeforeNoOtherObject,
}

/// The statement of a clause and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseText {
    /// Its permanent identifier.
    pub id: &'static str,
    /// Its kind.
    pub force: Force,
    /// Its statement, in our own words.
    pub statement: &'static str,
    /// The rubric of `amdgpu-execution-synchronization`.
    pub section: &'static str,
}

const fn clause(
    id: &'static str,
    force: Force,
    section: &'static str,
    statement: &'static str,
) -> ClauseText {
    ClauseText { id, force, statement, section }
}

const PARTICIPATES: &str = "Barrier-participates-in";
const EXECUTES_BEFORE: &str = "Barrier-executes-before";
const MODIFICATION_ORDER: &str = "Barrier-modification-order<BO>";
const JOINED_BEFORE: &str = "Barrier-joined-before";

/// Every clause, in the order of [`Clause`] and of the document.
pub static CLAUSES: [ClauseText; 22] = [
    clause(
        "amd.program-order",
        Force::Defines,
        "Execution Model",
        "The operations of one agent are ordered as it performs them.",
    ),
    clause(
        "amd.thread-barrier-order",
        Force::Defines,
        "Thread-barrier-order<BO>",
        "Program-order between operations on one object.",
    ),
    clause(
        "amd.modification-order",
        Force::Defines,
        MODIFICATION_ORDER,
        "Each object observes its init, arrive and drop operations in one strict order.",
    ),
    clause(
        "amd.modification-order.thread-order",
        Force::Constrains,
        MODIFICATION_ORDER,
        "The modifications of one thread are observed in program order.",
    ),
    clause(
        "amd.participates-in",
        Force::Defines,
        PARTICIPATES,
        "The wait depends on the operation to complete.",
    ),
    clause(
        "amd.participates-in.same-object",
        Force::Defines,
        PARTICIPATES,
        "An operation participates only in waits on its own object.",
    ),
    clause(
        "amd.participates-in.arrive-or-drop",
        Force::Defines,
        PARTICIPATES,
        "Only an arrive or a drop participates in a wait.",
    ),
    clause(
        "amd.participates-in.one-wait",
        Force::Defines,
        PARTICIPATES,
        "An operation participates in at most one wait of each thread.",
    ),
    clause(
        "amd.participates-in.not-after-wait",
        Force::Defines,
        PARTICIPATES,
        "An operation does not participate in an earlier wait of its own thread.",
    ),
    clause(
        "amd.participates-in.interval",
        Force::Constrains,
        PARTICIPATES,
        "The operations that participate in a wait are a contiguous interval of the modification order.",
    ),
    clause(
        "amd.participates-in.from-zero",
        Force::Constrains,
        PARTICIPATES,
        "The arrive count is zero before the first participating operation.",
    ),
    clause(
        "amd.participates-in.until-equal",
        Force::Constrains,
        PARTICIPATES,
        "The arrive count and the expected count are equal only after the last participating operation.",
    ),
    clause(
        "amd.executes-before.program-order",
        Force::Defines,
        EXECUTES_BEFORE,
        "Program-order implies executes-before.",
    ),
    clause(
        "amd.executes-before.participates-in",
        Force::Defines,
        EXECUTES_BEFORE,
        "An operation that participates in a wait executes before the wait.",
    ),
    clause(
        "amd.executes-before.transitive",
        Force::Defines,
        EXECUTES_BEFORE,
        "Executes-before is transitive.",
    ),
    clause(
        "amd.executes-before.consistent",
        Force::Constrains,
        EXECUTES_BEFORE,
        "Executes-before never contradicts the modification order of an object.",
    ),
    clause(
        "amd.phase-with",
        Force::Defines,
        "barrier-phase-with",
        "Operations linked by participates-in, in either direction and over any number of steps, are in one phase.",
    ),
    clause(
        "amd.phase.separation",
        Force::Constrains,
        "Barrier phase separation",
        "No operation of another phase that a wait depends on may occur between a wait and an operation that participates in it.",
    ),
    clause(
        "amd.joined-before.thread-order",
        Force::Defines,
        JOINED_BEFORE,
        "A join is joined-before only later operations of its thread on its object.",
    ),
    clause(
        "amd.joined-before.not-join",
        Force::Defines,
        JOINED_BEFORE,
        "A join is not joined-before another join.",
    ),
    clause(
        "amd.joined-before.nothing-between",
        Force::Defines,
        JOINED_BEFORE,
        "Another join or a drop of the object in between ends joined-before.",
    ),
    clause(
        "amd.joined-before.no-other-object",
        Force::Defines,
        JOINED_BEFORE,
        "A join of another object in between ends joined-before.",
    ),
];

impl Clause {
    /// Its statement and its source.
    #[must_use]
    pub fn get(self) -> &'static ClauseText {
        &CLAUSES[self as usize]
    }

    /// The rule of the catalogue with its identifier, if there is one.
    #[must_use]
    pub fn rule(self) -> Option<RuleId> {
        RuleId::from_name(self.get().id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clause_has_its_own_identifier() {
        for (index, text) in CLAUSES.iter().enumerate() {
            assert!(CLAUSES[..index].iter().all(|other| other.id != text.id), "{}", text.id);
        }
        assert_eq!(Clause::JoinedBeforeNoOtherObject as usize, CLAUSES.len() - 1);
        assert_eq!(Clause::PhaseSeparation.rule(), Some(RuleId::AmdPhaseSeparation));
        assert_eq!(Clause::PhaseWith.get().id, "amd.phase-with");
    }
}
