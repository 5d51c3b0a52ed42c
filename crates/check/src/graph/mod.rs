//! The relations of one execution as a graph: operations, and edges with the reason of each.
//!
//! Shown, exported or asked for *why*; the checker itself works on the bit matrices of [`tidegate_model::axioms`]. Which
//! execution: the witness of a finding, by default of the first, else one that is complete.

pub(crate) mod build;
pub mod choices;
pub mod draw;
mod memory;
mod reason;
pub(crate) mod replayed;
pub mod report;
#[cfg(test)]
mod tests;

use crate::judge::Broken;
use crate::replay::amdgpu::Replay;
use crate::scene::Scene;
use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::axioms::execution::Execution;
use tidegate_model::axioms::participates::{Assignment, Candidate};
use tidegate_model::axioms::relations::Relations;
use tidegate_model::axioms::text::Text;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Class;

pub use tidegate_model::axioms::relations::RelationId;

/// The execution to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pick {
    /// The witness of the finding of that index, in the order of the report; none: of the first, else a complete
    /// execution, also where all that was found looks suspicious and no more.
    pub finding: Option<usize>,
    /// Whether operations on memory are shown, with *synchronizes-with* and *happens-before*.
    pub memory: bool,
}

impl Pick {
    /// The finding that is shown; none for a complete execution. Those that have no execution are none of the list.
    pub(crate) fn of<'a>(
        self,
        broken: &[Option<&'a Broken>],
    ) -> Result<Option<&'a Broken>, GraphError> {
        let mut known = broken.iter().flatten().copied();
        let Some(index) = self.finding else {
            return Ok(known.find(|it| it.rule.get().class != Some(Class::Lint)));
        };
        let found = broken.get(index).copied().flatten();
        found.map(Some).ok_or_else(|| GraphError::NoSuchFinding(known.count()))
    }
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// The text is not valid; its diagnostics say why.
    Invalid,
    /// No finding of that index has an execution; the number of findings that have one.
    NoSuchFinding(usize),
    /// The execution has more operations than can be related.
    TooLarge,
    /// The execution matches no interleaving, so relations on memory are not available.
    NoInterleaving,
    /// The scenario mixes barriers of several documents, some of which are ignored.
    NoRelations,
}

/// One performed operation on a barrier or, if requested, on memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Index of the agent in [`ExecutionGraph::agents`].
    pub agent: usize,
    /// Its place among the operations of its agent that are shown, from 0.
    pub place: usize,
    /// The operation as written; `end` for what the end of a wave drops.
    pub label: String,
    /// Line of the operation, from 1; 0 for the end of an agent without a statement.
    pub line: u32,
    /// The document's word: `init`, `arrive`, `drop`, `wait`, `join`; on memory `load`, `store`, `fence`, `copy` for what
    /// starts a copy and `async-copy` for the copy itself, `mark`, `wait-marks`, `wait-counters`. Of NVIDIA also `expect`,
    /// `complete`, `inval`, `access`, `wait-group`, and `end` where that completes a phase; there `copy` is also what
    /// completes bytes of an object.
    pub kind: &'static str,
    /// The stable key of its step, as in witnesses; `+wait` marks the wait of an operation that arrives and waits, and
    /// `#2` a repeated key.
    pub key: String,
    /// Index in [`ExecutionGraph::objects`] of the object that it acts on; none for the NULL barrier.
    pub object: Option<usize>,
    /// The phase of its object that it belongs to or depends on, from 1 (for mbarrier objects from 0, as in PTX);
    /// `None` without a phase.
    pub phase: Option<u32>,
    /// Whether it completes that phase.
    pub completes: bool,
    /// Whether it is a wait that never completes.
    pub pending: bool,
}

/// One edge of one relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The relation.
    pub relation: RelationId,
    /// Whether it is not implied by other edges of its relation; only these are drawn. For a symmetric relation, one
    /// direction of each pair.
    pub covering: bool,
    /// Identifier of its clause.
    pub clause: &'static str,
    /// Why it holds, in a sentence; for a closure the path.
    pub reason: String,
}

/// Whether two operations are related, and why or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Whether they are.
    pub holds: bool,
    /// Identifiers of its clauses, in the order of the path.
    pub clauses: Vec<&'static str>,
    /// Sentences, one for each clause.
    pub because: Vec<String>,
}

/// The relations of one execution.
#[derive(Clone, Debug)]
pub struct ExecutionGraph {
    /// Operations on barriers in an order that extends *program-order*, then operations on memory if added; and the
    /// edges of every relation.
    pub graph: DiGraph<Operation, Edge>,
    /// Names of the agents.
    pub agents: Vec<String>,
    /// Names of the objects.
    pub objects: Vec<String>,
    /// Identifier of the rule whose witness it is; none for a complete execution.
    pub rule: Option<String>,
    /// Number of *barrier-participates-in* relations that the waits could have in this execution; the first is shown.
    pub choices: usize,
    /// The valid and invalid relations.
    pub listed: choices::Choices,
    source: Source,
}

/// The source of the edges.
#[derive(Clone, Debug)]
enum Source {
    /// The axioms of the AMDGPU text.
    Text(Box<OfText>),
    /// The phases of an execution that another text judges.
    Replayed(replayed::Replayed),
}

/// An execution as the axioms have it.
#[derive(Clone, Debug)]
struct OfText {
    /// Operations of the graph as the model has them, with the orders.
    execution: Execution,
    assignment: Assignment,
    text: Text,
    /// The interleaving that it was made of, if any.
    replay: Option<Rc<Replay>>,
    memory: Option<memory::MemoryRelations>,
}

impl OfText {
    fn fault(&self, graph: &ExecutionGraph) -> Option<usize> {
        let rule = RuleId::from_name(graph.rule.as_deref()?)?;
        let replay = self.replay.as_ref().filter(|_| !is_at_end(rule))?;
        let step = replay.done.iter().find(|done| done.broke.contains(&rule))?;
        let key = replay.key(step);
        graph.graph.raw_nodes().iter().position(|node| node.weight.key == key)
    }

    fn why(
        &self,
        graph: &ExecutionGraph,
        relation: RelationId,
        from: usize,
        to: usize,
    ) -> Explanation {
        if let Some(memory) = self.memory.as_ref().filter(|_| relation.is_of_memory()) {
            return memory.why(&graph.names(), relation, from, to);
        }
        if from.max(to) >= self.execution.events.len() {
            return graph.why_on_memory(relation, from, to);
        }
        let candidate = Candidate::new(&self.execution, &self.text, false);
        let relations = Relations::new(&candidate, &self.assignment);
        let mut why = reason::explanation(&graph.names(), &relations, relation, from, to);
        if relation == RelationId::ParticipatesIn && !why.holds && graph.is_choice(from, to) {
            let because = why.because.iter_mut().last();
            let other = " Another valid relation of this execution contains it.";
            because.into_iter().for_each(|because| because.push_str(other));
        }
        why
    }
}

/// Whether a rule is broken by waits that never complete, and not by an operation.
fn is_at_end(rule: RuleId) -> bool {
    rule.get().class == Some(Class::Deadlock)
}

impl ExecutionGraph {
    /// The operation with which its rule is broken, if that is shown; a wait that never completes breaks its rule at the end.
    #[must_use]
    pub fn fault(&self) -> Option<usize> {
        match &self.source {
            Source::Text(text) => text.fault(self),
            Source::Replayed(replayed) => replayed.fault(),
        }
    }

    /// Whether the operation of one index is related to that of another, and why or why not.
    #[must_use]
    pub fn why(&self, relation: RelationId, from: usize, to: usize) -> Explanation {
        match &self.source {
            Source::Text(text) => text.why(self, relation, from, to),
            Source::Replayed(replayed) => replayed.why(self, relation, from, to),
        }
    }

    /// For a specification that does not define these relations: its name, and the meaning of the relations here.
    #[must_use]
    pub const fn about(&self) -> Option<&'static str> {
        match &self.source {
            Source::Text(_) => None,
            Source::Replayed(replayed) => Some(replayed.about()),
        }
    }

    /// Why a relation has no edge in any execution of this specification; `None` if it can have edges.
    #[must_use]
    pub fn lacks(&self, relation: RelationId) -> Option<String> {
        self.about().and_then(|_| replayed::lacks(relation))
    }

    /// The performed step of an operation; `None` for an operation that has not returned, or if keys identify it.
    #[must_use]
    pub fn step_of(&self, operation: usize) -> Option<usize> {
        match &self.source {
            Source::Text(_) => None,
            Source::Replayed(replayed) => replayed.step_of(operation),
        }
    }

    /// Whether operations on memory are among those shown.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        match &self.source {
            Source::Text(text) => self.graph.node_count() > text.execution.events.len(),
            Source::Replayed(replayed) => replayed.has_memory(),
        }
    }

    /// The reason for an operation on memory: only *program-order* relates it to a barrier operation.
    fn why_on_memory(&self, relation: RelationId, from: usize, to: usize) -> Explanation {
        let edges = self.graph.raw_edges().iter();
        let between = |edge: &&petgraph::graph::Edge<Edge>| {
            (edge.source().index(), edge.target().index()) == (from, to)
                && edge.weight.relation == relation
        };
        let edge = edges.into_iter().find(between).map(|edge| &edge.weight);
        let (from, to) = (self.name(from), self.name(to));
        let because = match edge {
            Some(edge) => edge.reason.clone(),
            None if relation == RelationId::ProgramOrder => {
                format!("{from} is not before {to} in program-order.")
            }
            None => format!("{} relates only operations on barriers.", relation.name()),
        };
        Explanation {
            holds: edge.is_some(),
            clauses: alloc::vec!["amd.program-order"],
            because: alloc::vec![because],
        }
    }

    /// Adds the operations on memory of an execution of AMDGPU, with *synchronizes-with* and *happens-before*.
    ///
    /// # Errors
    /// When there are too many operations, or the execution matches no interleaving.
    pub(crate) fn with_memory(mut self, scene: &Scene) -> Result<Self, GraphError> {
        memory::add(&mut self, scene)?;
        Ok(self)
    }

    /// The edges of some relations, those that follow from others left out.
    pub fn drawn<'a>(
        &'a self,
        of: &'a [RelationId],
    ) -> impl Iterator<Item = (usize, usize, &'a Edge)> {
        let edges = self.graph.raw_edges().iter();
        let kept = edges.filter(|edge| edge.weight.covering && of.contains(&edge.weight.relation));
        kept.map(|edge| (edge.source().index(), edge.target().index(), &edge.weight))
    }

    /// An operation in words: "`arrive wg` of wave 0 (line 6)".
    #[must_use]
    pub fn name(&self, operation: usize) -> String {
        reason::name(&self.graph, &self.agents, NodeIndex::new(operation))
    }

    fn names(&self) -> Vec<String> {
        (0..self.graph.node_count()).map(|operation| self.name(operation)).collect()
    }
}
