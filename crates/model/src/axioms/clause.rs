//! The clauses of the text that relations and rules are made of, so that every edge and every rejection can name the one
//! that it rests on.

use crate::rule::{Force, RuleId};

/// A clause: one bullet or sentence of a definition or rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// One agent performs its operations one after another.
    ProgramOrder,
    /// *Program-order* between operations on one object.
    ThreadBarrierOrder,
    /// Each object observes its modifications one after another.
    ModificationOrder,
    /// *Barrier-modification-order* keeps *thread-barrier-order*.
    ModificationOrderKeepsThreadOrder,
    /// What takes part in a wait, all bullets together.
    ParticipatesIn,
    /// Both are on one object.
    ParticipatesSameObject,
    /// Only an *arrive* or a *drop* takes part in a wait.
    ParticipatesArriveOrDrop,
    /// An operation takes part in one wait of a thread at most.
    ParticipatesOneWait,
    /// Nothing takes part in a wait that its thread performed before it.
    ParticipatesNotAfterWait,
    /// What takes part is an uninterrupted interval.
    ParticipatesInterval,
    /// The arrive count is zero before the interval.
    ParticipatesFromZero,
    /// The counts are equal after the interval and nowhere inside it.
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
    /// No operation of another phase between what takes part in a wait and the wait.
    PhaseSeparation,
    /// The join is before the operation in *thread-barrier-order*.
    JoinedBeforeThreadOrder,
    /// The operation is not a join itself.
    JoinedBeforeNotJoin,
    /// No other join or drop of the object in between.
    JoinedBeforeNothingBetween,
    /// No join of another object in between.
    JoinedBeforeNoOtherObject,
}

/// What a clause says and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseText {
    /// Its permanent identifier.
    pub id: &'static str,
    /// What kind of statement it is.
    pub force: Force,
    /// What it says, in our own words.
    pub statement: &'static str,
    /// The rubric of `amdgpu-execution-synchronization`.
    pub section: &'static str,
}

/// The document of every clause here.
pub const DOCUMENT: &str = "amdgpu-execution-synchronization";

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

/// Every clause, in the order of [`Clause`], which is that of the text.
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
        "Modifications by one thread are observed in the order in which it performs them.",
    ),
    clause(
        "amd.participates-in",
        Force::Defines,
        PARTICIPATES,
        "The operation is one of those that the wait depends on to complete.",
    ),
    clause(
        "amd.participates-in.same-object",
        Force::Defines,
        PARTICIPATES,
        "An operation takes part only in waits on its own object.",
    ),
    clause(
        "amd.participates-in.arrive-or-drop",
        Force::Defines,
        PARTICIPATES,
        "Only an arrive or a drop takes part in a wait.",
    ),
    clause(
        "amd.participates-in.one-wait",
        Force::Defines,
        PARTICIPATES,
        "An operation takes part in one wait of each thread at most.",
    ),
    clause(
        "amd.participates-in.not-after-wait",
        Force::Defines,
        PARTICIPATES,
        "What a thread performs on the object after a wait takes no part in that wait.",
    ),
    clause(
        "amd.participates-in.interval",
        Force::Constrains,
        PARTICIPATES,
        "What takes part in a wait is an uninterrupted interval of the object's modification order.",
    ),
    clause(
        "amd.participates-in.from-zero",
        Force::Constrains,
        PARTICIPATES,
        "The arrive count is zero before the first operation that takes part.",
    ),
    clause(
        "amd.participates-in.until-equal",
        Force::Constrains,
        PARTICIPATES,
        "Arrive count and expected count are equal after the last operation that takes part, and after no other.",
    ),
    clause(
        "amd.executes-before.program-order",
        Force::Defines,
        EXECUTES_BEFORE,
        "What is before in program-order executes before.",
    ),
    clause(
        "amd.executes-before.participates-in",
        Force::Defines,
        EXECUTES_BEFORE,
        "What takes part in a wait executes before it.",
    ),
    clause(
        "amd.executes-before.transitive",
        Force::Defines,
        EXECUTES_BEFORE,
        "Executing before carries over from step to step.",
    ),
    clause(
        "amd.executes-before.consistent",
        Force::Constrains,
        EXECUTES_BEFORE,
        "Executing before never runs against the modification order of an object.",
    ),
    clause(
        "amd.phase-with",
        Force::Defines,
        "barrier-phase-with",
        "Operations linked by taking part, in either direction and over any number of steps, are in one phase.",
    ),
    clause(
        "amd.phase.separation",
        Force::Constrains,
        "Barrier phase separation",
        "Between what takes part in a wait and that wait stands no operation of another phase of the object on which some wait depends.",
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
        "A further join or a drop of the object in between ends it.",
    ),
    clause(
        "amd.joined-before.no-other-object",
        Force::Defines,
        JOINED_BEFORE,
        "A join of another object in between ends it.",
    ),
];

impl Clause {
    /// What it says and where.
    #[must_use]
    pub fn get(self) -> &'static ClauseText {
        &CLAUSES[self as usize]
    }

    /// The rule of the catalogue that it is, where it is one.
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
