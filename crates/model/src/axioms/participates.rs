//! *Barrier-participates-in* by its definition: every valid relation for the given orders, and the clause that rules out
//! each other one.

use super::clause::Clause;
use super::event::Kind;
use super::execution::Execution;
use super::meter::{Bound, Meter};
use super::phase::{Part, Phase};
use super::relation::{Relation, each, one};
use super::rules::{self, Judged, ShownBy};
use super::text::Text;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// The operations that participate in each wait, in the order of the waits.
pub type Assignment = Vec<Part>;

/// An assignment that is not valid, and the clause that rules it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The assignment up to the wait that fails; later waits do not matter.
    pub assignment: Assignment,
    /// Why it is not valid.
    pub clause: Clause,
    /// Two operations that show it.
    pub shown_by: ShownBy,
}

/// The result for an assignment.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// It is valid; with its *barrier-executes-before*.
    Valid(&'a [Part], &'a Relation),
    /// It is invalid for any assignment of the remaining waits: the clause that rules it out, and the operations that
    /// show it.
    Rejected(&'a [Part], Clause, ShownBy),
}

/// An execution with the derived data that its assignments need.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// The execution.
    pub execution: &'a Execution,
    /// *Program-order*.
    pub program_order: Relation,
    /// The completed phases of all objects.
    pub phases: Vec<Phase>,
    /// The waits that complete.
    pub waits: Vec<usize>,
    /// For each wait, the options that its object allows.
    pub options: Vec<Assignment>,
    without: u64,
}

impl<'a> Candidate<'a> {
    /// Prepares an execution. With `suffixes`, every suffix of the leading drops of a phase is a separate option; otherwise all
    /// of them participate (reading `amd.A10`).
    #[must_use]
    pub fn new(execution: &'a Execution, text: &Text, suffixes: bool) -> Self {
        let phases = execution.phases(text);
        let waits: Vec<usize> = execution.waits().collect();
        let suffixes = suffixes && text.usual(ReadingId::AmdA10);
        let options = waits.iter().map(|&wait| options(execution, &phases, wait, suffixes));
        let options = options.collect();
        let (program_order, without) = (execution.program_order(), text.without);
        Self { execution, program_order, phases, waits, options, without }
    }

    /// Returns every valid assignment, up to `most` of them.
    ///
    /// # Errors
    ///
    /// At a limit of the meter.
    pub fn assignments(
        &self,
        most: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Assignment>, Bound> {
        let mut found = Vec::new();
        self.for_each(meter, &mut |assignment, _| {
            found.push(assignment.to_vec());
            found.len() < most
        })?;
        Ok(found)
    }

    /// Calls a closure for every valid assignment with its *barrier-executes-before*, until it returns `false`.
    ///
    /// # Errors
    ///
    /// At a limit of the meter.
    pub fn for_each(
        &self,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(&[Part], &Relation) -> bool,
    ) -> Result<(), Bound> {
        self.for_each_outcome(meter, &mut |outcome| match outcome {
            Outcome::Valid(assignment, before) => visit(assignment, before),
            Outcome::Rejected(..) => true,
        })
    }

    /// Calls a closure for every assignment, valid or not, until it returns `false`. An invalid assignment is given
    /// once, up to the wait that fails.
    ///
    /// # Errors
    ///
    /// At a limit of the meter.
    pub fn for_each_outcome(
        &self,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(Outcome<'_>) -> bool,
    ) -> Result<(), Bound> {
        self.extend(&mut Vec::new(), &self.program_order, meter, visit).map(drop)
    }

    /// The same execution with a stuck wait added after the completed ones, as if it had completed.
    #[must_use]
    pub fn completing(mut self, wait: usize, suffixes: bool) -> Self {
        self.options.push(options(self.execution, &self.phases, wait, suffixes));
        self.waits.push(wait);
        self
    }

    /// Whether to continue.
    fn extend(
        &self,
        so_far: &mut Assignment,
        before: &Relation,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(Outcome<'_>) -> bool,
    ) -> Result<bool, Bound> {
        let Some(options) = self.options.get(so_far.len()) else {
            return Ok(visit(Outcome::Valid(so_far, before)));
        };
        for &option in options {
            meter.step(so_far.len())?;
            let shared = self.shares_with(so_far, option);
            so_far.push(option);
            let go_on = match shared {
                Some(by) => Ok(visit(Outcome::Rejected(so_far, Clause::ParticipatesOneWait, by))),
                None => self.extend_by_last(so_far, before, meter, visit),
            };
            so_far.pop();
            if !go_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Continues from the last option if the rules that constrain executions hold.
    fn extend_by_last(
        &self,
        so_far: &mut Assignment,
        before: &Relation,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(Outcome<'_>) -> bool,
    ) -> Result<bool, Bound> {
        meter.work(self.cost())?;
        let mut longer = before.clone();
        if let Some(&last) = so_far.last() {
            each(last.set).for_each(|event| longer.add_closed(event, last.wait));
        }
        // A broken constraint stays broken for every extension.
        match rules::first_broken(&self.judged(so_far, &longer)) {
            Some((clause, by)) => Ok(visit(Outcome::Rejected(so_far, clause, by))),
            None => self.extend(so_far, &longer, meter, visit),
        }
    }

    /// Every valid assignment that extends an assignment of the first waits to one more wait.
    #[must_use]
    pub fn extensions(&self, so_far: &[Assignment]) -> Vec<Assignment> {
        let mut found = Vec::new();
        for assignment in so_far {
            for &option in self.options.get(assignment.len()).into_iter().flatten() {
                let mut next = assignment.clone();
                next.push(option);
                if self.is_distinct(assignment, option) && self.is_valid(&next) {
                    found.push(next);
                }
            }
        }
        found
    }

    /// An operation participates in at most one wait of the same agent.
    fn is_distinct(&self, so_far: &[Part], part: Part) -> bool {
        self.shares_with(so_far, part).is_none()
    }

    /// An operation that already participates in another wait of the same agent, with that wait.
    fn shares_with(&self, so_far: &[Part], part: Part) -> Option<(usize, usize)> {
        let agent = |wait: usize| self.execution.events[wait].agent;
        let mut own = so_far.iter().filter(|other| agent(other.wait) == agent(part.wait));
        own.find_map(|other| each(other.set & part.set).next().map(|event| (event, other.wait)))
    }

    /// Estimates the work to judge one assignment, in words.
    #[must_use]
    pub fn cost(&self) -> usize {
        let count = self.execution.events.len();
        count * count + 64
    }

    /// Whether every rule that constrains executions holds.
    #[must_use]
    pub fn is_valid(&self, assignment: &[Part]) -> bool {
        let before = self.executes_before(assignment);
        rules::first_broken(&self.judged(assignment, &before)).is_none()
    }

    /// *Barrier-executes-before*.
    #[must_use]
    pub fn executes_before(&self, assignment: &[Part]) -> Relation {
        let mut relation = self.program_order.clone();
        for part in assignment {
            each(part.set).for_each(|event| relation.add(event, part.wait));
        }
        relation.closure()
    }

    /// An assignment in the form that the rules check.
    #[must_use]
    pub const fn judged<'b>(&'b self, assignment: &'b [Part], before: &'b Relation) -> Judged<'b> {
        Judged { execution: self.execution, assignment, before, without: self.without }
    }

    /// The rules on participation that this assignment breaks, by number.
    #[must_use]
    pub fn broken(&self, assignment: &[Part], text: &Text) -> u64 {
        let before = self.executes_before(assignment);
        rules::findings(&self.judged(assignment, &before), text)
    }

    /// The clause that excludes an assignment with one change: that an operation participates in a wait, with all of its phase.
    /// `None` if no clause does, or if its phase was not complete when the wait settled.
    #[must_use]
    pub fn ruled_out(
        &self,
        assignment: &[Part],
        event: usize,
        wait: usize,
    ) -> Option<(Clause, ShownBy)> {
        let options = options(self.execution, &self.phases, wait, false);
        let option = *options.iter().find(|option| option.set & one(event) != 0)?;
        let others = assignment.iter().copied().filter(|part| part.wait != wait);
        let mut changed: Assignment = others.collect();
        let shared = self.shares_with(&changed, option);
        changed.push(option);
        let broken = shared.map(|shown_by| (Clause::ParticipatesOneWait, shown_by));
        broken.or_else(|| {
            let before = self.executes_before(&changed);
            rules::first_broken(&self.judged(&changed, &before))
        })
    }

    /// The reason that an operation cannot participate in a wait, as far as its object decides; `None` if it can.
    #[must_use]
    pub fn excluded(&self, event: usize, wait: usize) -> Option<Clause> {
        let (own, other) = (&self.execution.events[wait], &self.execution.events[event]);
        if own.kind != Kind::Wait || !other.kind.can_participate() {
            return Some(Clause::ParticipatesArriveOrDrop);
        }
        if !own.shares_object(other) {
            return Some(Clause::ParticipatesSameObject);
        }
        let later = self.execution.later_on_object(wait);
        if later & one(event) != 0 {
            return Some(Clause::ParticipatesNotAfterWait);
        }
        match self.phases.iter().find(|phase| phase.all() & one(event) != 0) {
            None => Some(Clause::ParticipatesUntilEqual),
            Some(phase) if phase.all() & later != 0 => Some(Clause::ParticipatesNotAfterWait),
            Some(_) => None,
        }
    }
}

/// The options of a wait: the phases of its object that were complete when the wait settled and that contain no later
/// operation of its own agent.
fn options(execution: &Execution, phases: &[Phase], wait: usize, suffixes: bool) -> Assignment {
    let instance = execution.events[wait].instance;
    let later = execution.later_on_object(wait);
    let settled = execution.settled.get(wait).copied().unwrap_or(usize::MAX);
    let of_phase = |phase: &Phase| -> Assignment {
        let starts = if suffixes { 0..phase.leading.len() + 1 } else { 0..1 };
        let set = |start: usize| {
            phase.leading[start..].iter().fold(phase.rest, |set, &event| set | one(event))
        };
        starts
            .map(set)
            .filter(|&set| set != 0 && set & later == 0)
            .map(|set| Part { wait, set, phase: phase.number })
            .collect()
    };
    let own = phases.iter().filter(|phase| phase.instance == instance && phase.number < settled);
    own.flat_map(of_phase).collect()
}
