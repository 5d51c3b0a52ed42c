//! Graphs of executions as text: DOT, Mermaid and SVG.
//!
//! All waits on a phase have the same participants, so *barrier-participates-in* is drawn through one node or bar for
//! each phase: participants lead to it, and it leads to the waits. The edges themselves are in the graph.

mod dot;
mod layout;
mod mermaid;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot;
pub use mermaid::mermaid;
pub use svg::{data_address, svg};

use super::{ExecutionGraph, Operation, RelationId, is_at_end};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use petgraph::graph::NodeIndex;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::rule::RuleId;

/// A completed phase on which a wait depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseBar {
    /// Index of the object.
    pub object: usize,
    /// Its phase, from 1.
    pub phase: u32,
    /// Indices of the participating operations.
    pub parts: Vec<usize>,
    /// Indices of the waits that depend on it.
    pub waits: Vec<usize>,
}

/// The phases on which waits depend, by object and number.
#[must_use]
pub fn phases(graph: &ExecutionGraph) -> Vec<PhaseBar> {
    let mut found: OrderedMap<(usize, u32), (OrderedSet<usize>, OrderedSet<usize>)> =
        OrderedMap::new();
    for edge in graph.graph.raw_edges() {
        if edge.weight.relation != RelationId::ParticipatesIn {
            continue;
        }
        let (part, wait) = (edge.source().index(), edge.target().index());
        let on = operation(graph, wait);
        let Some(key) = on.object.zip(on.phase) else { continue };
        let (parts, waits) = found.entry(key).or_default();
        let _ = (parts.insert(part), waits.insert(wait));
    }
    let bar =
        |((object, phase), (parts, waits)): (_, (OrderedSet<usize>, OrderedSet<usize>))| PhaseBar {
            object,
            phase,
            parts: parts.into_iter().collect(),
            waits: waits.into_iter().collect(),
        };
    found.into_iter().map(bar).collect()
}

/// An operation of the graph.
fn operation(graph: &ExecutionGraph, index: usize) -> &Operation {
    &graph.graph[NodeIndex::new(index)]
}

/// The operations of each agent that has any, in *program-order*.
fn lanes(graph: &ExecutionGraph) -> Vec<(usize, Vec<usize>)> {
    let mut lanes: OrderedMap<usize, Vec<usize>> = OrderedMap::new();
    for index in 0..graph.graph.node_count() {
        lanes.entry(operation(graph, index).agent).or_default().push(index);
    }
    for lane in lanes.values_mut() {
        lane.sort_by_key(|&index| operation(graph, index).place);
    }
    lanes.into_iter().collect()
}

/// The name of a phase: "wg, phase 1".
fn phase_name(graph: &ExecutionGraph, object: usize, phase: u32) -> String {
    format!("{}, phase {phase}", graph.objects.get(object).map_or("", String::as_str))
}

/// The mark of each operation: it breaks the rule, completes a phase, or does not return. If the broken rule ends the
/// execution, later operations have no mark.
fn marks(graph: &ExecutionGraph) -> Vec<Mark> {
    let rule = graph.rule.as_deref().and_then(RuleId::from_name);
    let cut = rule.is_some_and(|rule| !is_at_end(rule));
    let fault = graph.fault();
    let mark = |index: usize| {
        let operation = operation(graph, index);
        match (operation.completes, operation.pending) {
            _ if fault == Some(index) => Mark::Breaks,
            (_, true) if cut => Mark::Waits,
            (_, true) => Mark::Stuck,
            (true, _) => Mark::Completes,
            _ => Mark::Plain,
        }
    };
    (0..graph.graph.node_count()).map(mark).collect()
}

/// The mark of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Breaks,
    Stuck,
    Waits,
    Completes,
    Plain,
}

impl Mark {
    const fn said(self) -> &'static str {
        match self {
            Self::Breaks => "breaks the rule",
            Self::Stuck => "never returns",
            Self::Waits => "still waits",
            Self::Completes => "completes the phase",
            Self::Plain => "",
        }
    }
}

/// The relations that are drawn as edges of their own: all but *barrier-participates-in*.
fn as_edges(of: &[RelationId]) -> Vec<RelationId> {
    of.iter().copied().filter(|id| *id != RelationId::ParticipatesIn).collect()
}
