//! The layout: a column for each agent; the row of an operation is the length of the longest path to it.

use super::{ExecutionGraph, PhaseBar, RelationId, lanes, operation, phases};
use alloc::vec::Vec;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use tidegate_model::ordered::OrderedSet;

/// A graph with places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Agents that have operations, in order of their columns.
    pub(super) columns: Vec<usize>,
    /// Row and column of each operation.
    pub(super) places: Vec<(usize, usize)>,
    /// The phases, each with its row, first and last column.
    pub(super) bars: Vec<(PhaseBar, usize, [usize; 2])>,
    /// Rows.
    pub(super) rows: usize,
}

/// Lays a graph out. Orders that run in a circle with others, as in an execution that matches no interleaving, do not
/// decide about rows.
pub(super) fn layout(graph: &ExecutionGraph) -> Layout {
    let lanes = lanes(graph);
    let columns: Vec<usize> = lanes.iter().map(|(agent, _)| *agent).collect();
    let column = |index: usize| {
        let agent = operation(graph, index).agent;
        columns.iter().position(|column| *column == agent).unwrap_or(0)
    };
    let bars = phases(graph);
    let count = graph.graph.node_count();
    let (above, order) = above(graph, &bars);
    let mut rows = alloc::vec![0; count + bars.len()];
    let mut taken: OrderedSet<(usize, usize)> = OrderedSet::new();
    for node in order {
        let before = above.neighbors_directed(NodeIndex::new(node), petgraph::Incoming);
        let mut row = before.map(|other| rows[other.index()] + 1).max().unwrap_or(0);
        let span = match node.checked_sub(count) {
            Some(bar) => span(&bars[bar], &column),
            None => [column(node); 2],
        };
        while (span[0]..=span[1]).any(|column| taken.contains(&(row, column))) {
            row += 1;
        }
        taken.extend((span[0]..=span[1]).map(|column| (row, column)));
        rows[node] = row;
    }
    let places = (0..count).map(|index| (rows[index], column(index))).collect();
    let last = rows.iter().copied().max().map_or(0, |row| row + 1);
    let bars = bars.into_iter().enumerate().map(|(index, bar)| {
        let span = span(&bar, &column);
        (bar, rows[count + index], span)
    });
    Layout { places, bars: bars.collect(), rows: last, columns }
}

/// First and last column of a phase.
fn span(bar: &PhaseBar, column: &impl Fn(usize) -> usize) -> [usize; 2] {
    let columns = || bar.parts.iter().chain(&bar.waits).map(|&index| column(index));
    [columns().min().unwrap_or(0), columns().max().unwrap_or(0)]
}

/// The vertical order, with phases after the operations.
fn above(graph: &ExecutionGraph, bars: &[PhaseBar]) -> (DiGraph<(), ()>, Vec<usize>) {
    let order = RelationId::ProgramOrder;
    let [sw, local, global] = RelationId::MEMORY;
    let all = [order, RelationId::ModificationOrder, sw, local, global];
    for relations in [&all[..], &[order]] {
        for with_bars in [true, false] {
            let above = edges(graph, bars, relations, with_bars);
            if let Ok(sorted) = toposort(&above, None) {
                return (above, sorted.into_iter().map(NodeIndex::index).collect());
            }
        }
    }
    let none = edges(graph, bars, &[], false);
    let all = (0..none.node_count()).collect();
    (none, all)
}

fn edges(
    graph: &ExecutionGraph,
    bars: &[PhaseBar],
    relations: &[RelationId],
    with_bars: bool,
) -> DiGraph<(), ()> {
    let mut above = DiGraph::new();
    let count = graph.graph.node_count();
    for _ in 0..count + bars.len() {
        let _ = above.add_node(());
    }
    for (from, to, _) in graph.drawn(relations) {
        let _ = above.update_edge(NodeIndex::new(from), NodeIndex::new(to), ());
    }
    for (index, bar) in bars.iter().enumerate().filter(|_| with_bars) {
        let bar_node = NodeIndex::new(count + index);
        for &part in &bar.parts {
            let _ = above.update_edge(NodeIndex::new(part), bar_node, ());
        }
        for &wait in &bar.waits {
            let _ = above.update_edge(bar_node, NodeIndex::new(wait), ());
        }
    }
    above
}
