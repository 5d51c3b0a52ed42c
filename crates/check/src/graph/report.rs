//! The graph of an execution as data: what `tidegate graph --format json` prints.

use super::{ExecutionGraph, RelationId};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::axioms::participates::Rejected;
use tidegate_model::axioms::phase::Part;
use tidegate_model::axioms::relation::each;

/// The schema that a [`GraphReport`] follows.
pub const SCHEMA: &str = "tidegate.graph/1";

/// One performed barrier operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphOperation {
    /// The agent's name.
    pub agent: String,
    /// Line, from 1; 0 for the end of an agent without a statement.
    pub line: u32,
    /// The operation as written.
    pub operation: String,
    /// The document's word: `init`, `arrive`, `drop`, `wait`, `join`.
    pub kind: String,
    /// The stable key of its step, as in witnesses.
    pub key: String,
    /// The object that it acts on; null for the NULL barrier.
    pub object: Option<String>,
    /// The phase of its object that it belongs to or depends on, from 1.
    pub phase: Option<u32>,
    /// Whether it completes that phase.
    pub completes: bool,
    /// Whether it is a wait that never completes.
    pub pending: bool,
}

/// One edge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphEdge {
    /// Index of the operation that it leads from.
    pub from: u32,
    /// Index of the operation that it leads to.
    pub to: u32,
    /// Whether it does not follow from other edges of its relation.
    pub covering: bool,
    /// Identifier of its clause.
    pub clause: String,
    /// Why it holds, in a sentence.
    pub reason: String,
}

/// One relation with all its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphRelation {
    /// Its short name (`beb`).
    pub id: String,
    /// The text's name for it.
    pub name: String,
    /// Its edges.
    pub edges: Vec<GraphEdge>,
}

/// The participants of one wait.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphPart {
    /// Index of the wait.
    pub wait: u32,
    /// Indices of the participating arrives and drops.
    pub operations: Vec<u32>,
}

/// A *barrier-participates-in* relation that is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphRejected {
    /// The rejected participants, up to the wait that fails.
    pub waits: Vec<GraphPart>,
    /// Identifier of the clause that rules it out.
    pub clause: String,
    /// Indices of two operations that show it.
    pub shown_by: [u32; 2],
    /// Why, in sentences.
    pub reason: String,
}

/// Every *barrier-participates-in* relation of the execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphChoices {
    /// Whether the counts are of all there are.
    pub complete: bool,
    /// The valid relations, at most 64: the participants of each wait that returns.
    pub valid: Vec<Vec<GraphPart>>,
    /// Number of valid relations.
    pub valid_in_all: u64,
    /// Invalid relations, at most 64.
    pub rejected: Vec<GraphRejected>,
    /// Number of invalid relations.
    pub rejected_in_all: u64,
}

/// The relations of one execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The file, as the caller named it.
    pub file: String,
    /// The scenario's title.
    pub title: String,
    /// The target.
    pub target: String,
    /// Identifier of the rule whose witness it is; null for a complete execution.
    pub rule: Option<String>,
    /// Number of barrier-participates-in relations that the waits could have; the first is given.
    pub choices: u64,
    /// All of them, and those that a clause rules out.
    #[cfg_attr(feature = "serde", serde(default))]
    pub participates_in: GraphChoices,
    /// The operations.
    pub operations: Vec<GraphOperation>,
    /// The relations, in the order of the specification.
    pub relations: Vec<GraphRelation>,
}

/// A graph as data, with these of its relations.
#[must_use]
pub fn report(
    graph: &ExecutionGraph,
    file: &str,
    title: &str,
    target: &str,
    of: &[RelationId],
) -> GraphReport {
    GraphReport {
        schema: SCHEMA.to_owned(),
        file: file.to_owned(),
        title: title.to_owned(),
        target: target.to_owned(),
        rule: graph.rule.clone(),
        choices: graph.choices as u64,
        participates_in: choices(graph),
        operations: (0..graph.graph.node_count()).map(|index| operation(graph, index)).collect(),
        relations: of.iter().map(|&id| relation(graph, id)).collect(),
    }
}

fn choices(graph: &ExecutionGraph) -> GraphChoices {
    let listed = &graph.listed;
    let rejected = |one: &Rejected| GraphRejected {
        waits: parts(&one.assignment),
        clause: one.clause.get().id.to_owned(),
        shown_by: [one.shown_by.0 as u32, one.shown_by.1 as u32],
        reason: graph.why_rejected(one),
    };
    GraphChoices {
        complete: listed.is_complete,
        valid: listed.valid.iter().map(|assignment| parts(assignment)).collect(),
        valid_in_all: listed.valid_in_all as u64,
        rejected: listed.rejected.iter().map(rejected).collect(),
        rejected_in_all: listed.rejected_in_all as u64,
    }
}

fn parts(assignment: &[Part]) -> Vec<GraphPart> {
    let part = |part: &Part| GraphPart {
        wait: part.wait as u32,
        operations: each(part.set).map(|event| event as u32).collect(),
    };
    assignment.iter().map(part).collect()
}

fn operation(graph: &ExecutionGraph, index: usize) -> GraphOperation {
    let operation = &graph.graph.raw_nodes()[index].weight;
    GraphOperation {
        agent: graph.agents[operation.agent].clone(),
        line: operation.line,
        operation: operation.label.clone(),
        kind: operation.kind.to_owned(),
        key: operation.key.clone(),
        object: operation.object.and_then(|object| graph.objects.get(object).cloned()),
        phase: operation.phase,
        completes: operation.completes,
        pending: operation.pending,
    }
}

fn relation(graph: &ExecutionGraph, id: RelationId) -> GraphRelation {
    let edges = graph.graph.raw_edges().iter().filter(|edge| edge.weight.relation == id);
    let edge = |edge: &petgraph::graph::Edge<super::Edge>| GraphEdge {
        from: edge.source().index() as u32,
        to: edge.target().index() as u32,
        covering: edge.weight.covering,
        clause: edge.weight.clause.to_owned(),
        reason: edge.weight.reason.clone(),
    };
    GraphRelation {
        id: id.short().to_owned(),
        name: id.name().to_owned(),
        edges: edges.map(edge).collect(),
    }
}
