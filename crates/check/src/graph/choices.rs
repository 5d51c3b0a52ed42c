//! All *barrier-participates-in* relations of an execution: the valid ones, and for each rejected one the clause that
//! rejects it.

use super::{ExecutionGraph, reason};
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::axioms::engine::WORK;
use tidegate_model::axioms::execution::Execution;
use tidegate_model::axioms::meter::Meter;
use tidegate_model::axioms::participates::{Assignment, Candidate, Outcome};
use tidegate_model::axioms::text::Text;

pub use tidegate_model::axioms::participates::Rejected;
pub use tidegate_model::axioms::phase::Part;
pub use tidegate_model::axioms::relation::each;

/// Largest number of relations of either kind that are stored; more are counted.
pub const MOST_KEPT: usize = 64;
/// Largest number of valid relations that are counted.
const MOST_VALID: usize = 1_000;
/// Largest number of steps of the search.
const MOST_STEPS: u64 = 100_000;

/// The *barrier-participates-in* relations of one execution, with the phases that were complete when each wait
/// continued.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The valid relations, at most [`MOST_KEPT`].
    pub valid: Vec<Assignment>,
    /// Number of valid relations.
    pub valid_in_all: usize,
    /// The rejected ones, at most [`MOST_KEPT`], each up to the wait that fails. Waits that never return are last.
    pub rejected: Vec<Rejected>,
    /// Number of invalid relations.
    pub rejected_in_all: usize,
    /// Whether both counts are of all there are, and not of what was found within the bounds.
    pub is_complete: bool,
}

impl Choices {
    /// Looks for all of them.
    pub(super) fn of(execution: &Execution, text: &Text) -> Self {
        let candidate = Candidate::new(execution, text, true);
        let mut found = Self { is_complete: true, ..Self::default() };
        let mut go_on = |_| true;
        let mut meter = Meter::new(MOST_STEPS, WORK / 4, &mut go_on);
        found.search(&candidate, &mut meter, 0);
        let completing = candidate.waits.len();
        for wait in each(execution.pending) {
            let supposing = candidate.clone().completing(wait, true);
            found.search(&supposing, &mut meter, completing + 1);
        }
        found
    }

    /// Adds the results of a search. Rejected ones count only if at least this number of waits is assigned.
    fn search(&mut self, candidate: &Candidate<'_>, meter: &mut Meter<'_>, least: usize) {
        let done = candidate.for_each_outcome(meter, &mut |outcome| match outcome {
            Outcome::Valid(assignment, _) if least == 0 => self.add_valid(assignment),
            Outcome::Rejected(assignment, clause, shown_by) if assignment.len() >= least => {
                self.rejected_in_all += 1;
                if self.rejected.len() < MOST_KEPT {
                    let assignment = assignment.to_vec();
                    self.rejected.push(Rejected { assignment, clause, shown_by });
                }
                true
            }
            _ => true,
        });
        self.is_complete &= done.is_ok();
    }

    /// Whether to continue.
    fn add_valid(&mut self, assignment: &[Part]) -> bool {
        if self.valid_in_all == MOST_VALID {
            self.is_complete = false;
            return false;
        }
        self.valid_in_all += 1;
        if self.valid.len() < MOST_KEPT {
            self.valid.push(assignment.to_vec());
        }
        true
    }
}

impl ExecutionGraph {
    /// Why a *barrier-participates-in* relation is not one of this execution, in a sentence.
    #[must_use]
    pub fn why_rejected(&self, rejected: &Rejected) -> String {
        let names = self.names();
        let name = |operation: usize| names.get(operation).map_or("", String::as_str);
        reason::broken("If so", rejected.clause, rejected.shown_by, &name)
    }

    /// Whether an operation participates in a wait in a listed valid relation.
    pub(super) fn is_choice(&self, event: usize, wait: usize) -> bool {
        let has = |part: &Part| part.wait == wait && each(part.set).any(|one| one == event);
        self.listed.valid.iter().any(|assignment| assignment.iter().any(has))
    }
}
