//! The executions of each choice of arguments by the host.

use alloc::vec::Vec;
use core::cmp::Reverse;
use tidegate_lang::scenario::Compiled;
use tidegate_lang::source::Source;
use tidegate_model::mem::operation::Memory;
use tidegate_model::opencl::action as opencl;
use tidegate_model::operation::Action;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};

/// The shortest choice of arguments that performs most of the text; `None` if the host chooses none.
pub(crate) fn fullest(compiled: &Compiled) -> Option<usize> {
    let lanes = compiled.program.launch.lanes as usize;
    let mut weighed = OrderedMap::new();
    let mut weigh = |way: usize| {
        let agents = compiled.program.agents.iter().zip(&compiled.sources);
        let each = agents.map(|(agent, sources)| {
            let nodes = &compiled.program.bodies[agent.body as usize].nodes;
            let start = start(nodes, way);
            let known = weighed.entry((agent.body, sources.as_ptr(), start));
            *known.or_insert_with(|| weight(nodes, sources, start, lanes))
        });
        each.fold((true, 0, 0), |sum, one| (sum.0 && one.0, sum.1 + one.1, sum.2 + one.2))
    };
    let mut order = |way: usize| {
        let (together, performed, nodes) = weigh(way);
        (together, performed, Reverse((nodes, way)))
    };
    (0..compiled.passed.len()).max_by_key(|&way| order(way))
}

/// The first node of a body in one way of the host.
pub(crate) fn start(nodes: &[Node], way: usize) -> NodeId {
    match nodes.first() {
        Some(Node::Choose { next }) => next.get(way).copied().unwrap_or_default(),
        _ => 0,
    }
}

/// The reachable nodes from a node, in execution order.
pub(crate) fn reached(nodes: &[Node], start: NodeId) -> Vec<NodeId> {
    let mut seen = alloc::vec![false; nodes.len()];
    let (mut order, mut open) = (Vec::new(), alloc::vec![start]);
    while let Some(node) = open.pop() {
        if core::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        order.push(node);
        open.extend(successors(&nodes[node as usize]).iter().rev());
    }
    order
}

/// Whether a node constructs a barrier of no sub-groups, which no processor has.
pub(crate) fn is_of_none(node: &Node) -> bool {
    let Node::Operation { operation, .. } = node else { return false };
    matches!(operation.action, Action::Opencl(opencl::Action::Construct { count: 0, .. }))
}

/// Whether each node may have code, the performed part of the text, and the number of nodes. Accesses of a statement to
/// different places count, at most one for each work-item.
fn weight(nodes: &[Node], sources: &[Source], start: NodeId, lanes: usize) -> (bool, usize, usize) {
    let reached = reached(nodes, start);
    let mut accesses: OrderedMap<u32, Vec<Memory>> = OrderedMap::new();
    let mut others = OrderedSet::new();
    for &node in &reached {
        if let Node::Operation { operation, .. } = &nodes[node as usize] {
            let place = sources.get(node as usize).map_or(0, |source| source.span.start);
            let Action::Memory(memory) = operation.action else {
                others.insert(place);
                continue;
            };
            let known = accesses.entry(place).or_default();
            if known.len() < lanes && !known.contains(&memory) {
                known.push(memory);
            }
        }
    }
    let refused = |node: &Node| matches!(node, Node::Divergent) || is_of_none(node);
    let together = !reached.iter().any(|&node| refused(&nodes[node as usize]));
    let performed = accesses.values().map(Vec::len).sum::<usize>();
    (together, others.len() + performed, reached.len())
}
