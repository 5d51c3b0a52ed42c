//! Every relation of the specification, with the reason for every edge and for every missing edge.

use super::clause::Clause;
use super::event::Kind;
use super::participates::Candidate;
use super::phase::Part;
use super::relation::{Relation, each};
use alloc::vec::Vec;

/// A relation of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RelationId {
    /// *Program-order*.
    ProgramOrder,
    /// *Thread-barrier-order* of every object.
    ThreadBarrierOrder,
    /// *Barrier-modification-order* of every object.
    ModificationOrder,
    /// *Barrier-participates-in*.
    ParticipatesIn,
    /// *Barrier-executes-before*.
    ExecutesBefore,
    /// *Barrier-phase-with*.
    PhaseWith,
    /// *Barrier-joined-before*.
    JoinedBefore,
    /// *Synchronizes-with*, between fences.
    SynchronizesWith,
    /// *Happens-before* in the local address space.
    HappensBeforeLocal,
    /// *Happens-before* in the global address space.
    HappensBeforeGlobal,
}

impl RelationId {
    /// The relations on memory.
    pub const MEMORY: [Self; 3] =
        [Self::SynchronizesWith, Self::HappensBeforeLocal, Self::HappensBeforeGlobal];
    /// Every relation on barrier operations, in the order of the document.
    pub const ALL: [Self; 7] = [
        Self::ProgramOrder,
        Self::ThreadBarrierOrder,
        Self::ModificationOrder,
        Self::ParticipatesIn,
        Self::ExecutesBefore,
        Self::PhaseWith,
        Self::JoinedBefore,
    ];

    /// Its name in the document.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProgramOrder => "program-order",
            Self::ThreadBarrierOrder => "thread-barrier-order",
            Self::ModificationOrder => "barrier-modification-order",
            Self::ParticipatesIn => "barrier-participates-in",
            Self::ExecutesBefore => "barrier-executes-before",
            Self::PhaseWith => "barrier-phase-with",
            Self::JoinedBefore => "barrier-joined-before",
            Self::SynchronizesWith => "synchronizes-with",
            Self::HappensBeforeLocal => "happens-before-local",
            Self::HappensBeforeGlobal => "happens-before-global",
        }
    }

    /// A short name, as on the command line.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::ProgramOrder => "po",
            Self::ThreadBarrierOrder => "tbo",
            Self::ModificationOrder => "bmo",
            Self::ParticipatesIn => "pi",
            Self::ExecutesBefore => "beb",
            Self::PhaseWith => "bpw",
            Self::JoinedBefore => "bjb",
            Self::SynchronizesWith => "sw",
            Self::HappensBeforeLocal => "hb-local",
            Self::HappensBeforeGlobal => "hb-global",
        }
    }

    /// Parses a long or short name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = Self::ALL.into_iter().chain(Self::MEMORY);
        all.into_iter().find(|id| id.name() == name || id.short() == name)
    }

    /// Whether it also relates operations on memory.
    #[must_use]
    pub const fn is_of_memory(self) -> bool {
        matches!(
            self,
            Self::SynchronizesWith | Self::HappensBeforeLocal | Self::HappensBeforeGlobal
        )
    }

    /// Whether it is symmetric.
    #[must_use]
    pub const fn is_symmetric(self) -> bool {
        matches!(self, Self::PhaseWith)
    }

    /// Whether it is drawn without implied edges.
    #[must_use]
    pub const fn is_order(self) -> bool {
        matches!(
            self,
            Self::ProgramOrder
                | Self::ThreadBarrierOrder
                | Self::ModificationOrder
                | Self::ExecutesBefore
                | Self::HappensBeforeLocal
                | Self::HappensBeforeGlobal
        )
    }
}

/// One step of a reason: an edge and its clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The first operation.
    pub from: usize,
    /// The second operation.
    pub to: usize,
    /// The clause.
    pub clause: Clause,
}

/// Why two operations are not related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// The clause that fails; for a closure, the clause of the missing first step.
    pub clause: Clause,
    /// An operation that shows it, if there is one: the other wait that it participates in, or the join in between.
    pub shown_by: Option<usize>,
    /// If participation would break a rule that constrains executions, the two operations that show it.
    pub breaks: Option<(usize, usize)>,
}

/// Every relation of one execution under one assignment.
#[derive(Clone, Debug)]
pub struct Relations<'a> {
    candidate: &'a Candidate<'a>,
    assignment: &'a [Part],
    of: [Relation; 7],
    none: Relation,
}

impl<'a> Relations<'a> {
    /// Computes all relations by their definitions.
    #[must_use]
    pub fn new(candidate: &'a Candidate<'a>, assignment: &'a [Part]) -> Self {
        let execution = candidate.execution;
        let count = execution.events.len();
        let mut participates = Relation::empty(count);
        for part in assignment {
            each(part.set).for_each(|event| participates.add(event, part.wait));
        }
        let before = candidate.executes_before(assignment);
        let with = participates.clone().union(&participates.inverse()).closure();
        let mut joined = Relation::empty(count);
        for event in 0..count {
            if let Some(join) = execution.joined_before(event) {
                joined.add(join, event);
            }
        }
        let of = [
            candidate.program_order.clone(),
            execution.thread_barrier_order(),
            execution.modification_orders(),
            participates,
            before,
            Relation::of(count, |a, b| a != b && with.has(a, b)),
            joined,
        ];
        Self { candidate, assignment, of, none: Relation::empty(count) }
    }

    /// Returns a relation on barrier operations; empty for relations on memory.
    #[must_use]
    pub fn get(&self, id: RelationId) -> &Relation {
        self.of.get(id as usize).unwrap_or(&self.none)
    }

    /// Returns why two operations are related, step by step.
    ///
    /// # Errors
    ///
    /// Why they are not related.
    pub fn why(&self, id: RelationId, from: usize, to: usize) -> Result<Vec<Step>, WhyNot> {
        if !self.get(id).has(from, to) {
            return Err(self.why_not(id, from, to));
        }
        let steps = match id {
            RelationId::ExecutesBefore => self.steps_before(from, to),
            RelationId::PhaseWith => self.steps_with(from, to),
            _ => alloc::vec![Step { from, to, clause: primitive(id) }],
        };
        Ok(steps)
    }

    fn steps_before(&self, from: usize, to: usize) -> Vec<Step> {
        let participates = self.get(RelationId::ParticipatesIn);
        let order = self.get(RelationId::ProgramOrder);
        let clause = |from, to| {
            if participates.has(from, to) {
                Clause::ExecutesBeforeParticipates
            } else {
                Clause::ExecutesBeforeProgramOrder
            }
        };
        let all = order.clone().union(participates);
        steps(all.path(from, to).unwrap_or_default(), clause)
    }

    fn steps_with(&self, from: usize, to: usize) -> Vec<Step> {
        let participates = self.get(RelationId::ParticipatesIn);
        let all = participates.clone().union(&participates.inverse());
        steps(all.path(from, to).unwrap_or_default(), |_, _| Clause::PhaseWith)
    }

    fn why_not(&self, id: RelationId, from: usize, to: usize) -> WhyNot {
        let no = |clause| WhyNot { clause, shown_by: None, breaks: None };
        match id {
            RelationId::ProgramOrder => no(Clause::ProgramOrder),
            RelationId::ThreadBarrierOrder => no(Clause::ThreadBarrierOrder),
            RelationId::ModificationOrder => no(Clause::ModificationOrder),
            RelationId::ParticipatesIn => self.why_no_part(from, to),
            RelationId::ExecutesBefore => no(Clause::ExecutesBeforeTransitive),
            RelationId::PhaseWith => no(Clause::PhaseWith),
            RelationId::JoinedBefore => self.why_not_joined(from, to),
            _ => no(Clause::ProgramOrder),
        }
    }

    /// The reason that an operation does not participate in a wait.
    fn why_no_part(&self, event: usize, wait: usize) -> WhyNot {
        if let Some(clause) = self.candidate.excluded(event, wait) {
            return WhyNot { clause, shown_by: None, breaks: None };
        }
        match self.candidate.ruled_out(self.assignment, event, wait) {
            Some((clause @ Clause::ParticipatesOneWait, (_, other))) => {
                WhyNot { clause, shown_by: Some(other), breaks: None }
            }
            Some((clause, breaks)) => WhyNot { clause, shown_by: None, breaks: Some(breaks) },
            // It is in a different phase from the one that the wait depends on.
            None => {
                let own = self.assignment.iter().find(|part| part.wait == wait);
                let shown_by = own.and_then(|part| each(part.set).next());
                WhyNot { clause: Clause::ParticipatesInterval, shown_by, breaks: None }
            }
        }
    }

    fn why_not_joined(&self, join: usize, event: usize) -> WhyNot {
        let events = &self.candidate.execution.events;
        let (own, other) = (&events[join], &events[event]);
        let ordered = self.get(RelationId::ThreadBarrierOrder).has(join, event);
        if own.kind != Kind::Join || !ordered {
            return WhyNot {
                clause: Clause::JoinedBeforeThreadOrder,
                shown_by: None,
                breaks: None,
            };
        }
        if other.kind == Kind::Join {
            return WhyNot { clause: Clause::JoinedBeforeNotJoin, shown_by: None, breaks: None };
        }
        let between = |x: &usize| {
            let ends = events[*x].kind == Kind::Join
                || (events[*x].kind == Kind::Drop && events[*x].shares_object(own));
            events[*x].agent == own.agent && ends
        };
        let shown_by = (join + 1..event).rev().find(between);
        let clause = match shown_by {
            Some(x) if !events[x].shares_object(own) => Clause::JoinedBeforeNoOtherObject,
            _ => Clause::JoinedBeforeNothingBetween,
        };
        WhyNot { clause, shown_by, breaks: None }
    }
}

/// The clause of an edge of a relation that is not a closure.
const fn primitive(id: RelationId) -> Clause {
    match id {
        RelationId::ProgramOrder => Clause::ProgramOrder,
        RelationId::ThreadBarrierOrder => Clause::ThreadBarrierOrder,
        RelationId::ModificationOrder => Clause::ModificationOrder,
        RelationId::ParticipatesIn => Clause::ParticipatesIn,
        RelationId::ExecutesBefore => Clause::ExecutesBeforeTransitive,
        RelationId::PhaseWith => Clause::PhaseWith,
        RelationId::JoinedBefore => Clause::JoinedBeforeThreadOrder,
        _ => Clause::ProgramOrder,
    }
}

fn steps(path: Vec<usize>, clause: impl Fn(usize, usize) -> Clause) -> Vec<Step> {
    let step =
        |pair: &[usize]| Step { from: pair[0], to: pair[1], clause: clause(pair[0], pair[1]) };
    path.windows(2).map(step).collect()
}
