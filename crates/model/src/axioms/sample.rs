//! An execution that shows a finding.

use super::execution::Execution;
use super::participates::Assignment;
use alloc::vec::Vec;

/// An execution that shows a finding.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The execution.
    pub execution: Execution,
    /// The operations that participate in its waits.
    pub assignment: Assignment,
    /// The operations in the order of an interleaving; empty if no interleaving matches.
    pub line: Vec<usize>,
    /// For each agent, the alternative taken at each of its steps.
    pub ways: Vec<Vec<u32>>,
}

impl Sample {
    /// The number of steps, then the agents of the operations in order.
    pub(super) fn order(&self) -> (usize, Vec<usize>) {
        let agents = self.line.iter().map(|&event| self.execution.events[event].agent);
        (self.steps(), agents.collect())
    }

    /// Number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.ways.iter().map(Vec::len).sum()
    }
}
