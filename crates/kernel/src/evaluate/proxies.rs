//! Stores to memory that asynchronous operations access.
//!
//! Bulk copies and tensor cores access memory through the async proxy. An ordinary store is ordered before their accesses only
//! by a `fence.proxy.async` in between (PTX ISA, "Async proxy"). If that may matter, the program keeps these fences, so that
//! its executions can be checked.

use super::recorded::Recorded;
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::Operation;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::Node;

/// Whether asynchronous operations access bytes that ordinary stores write, in any order.
pub(super) fn are_shared(agents: &[(u32, Recorded)]) -> bool {
    let mut written: OrderedMap<u16, OrderedSet<(u32, u32)>> = OrderedMap::new();
    for range in operations(agents).filter_map(|operation| operation.action.written()) {
        written.entry(range.buffer).or_default().insert((range.start, range.end));
    }
    let is_written = |range: Range| {
        let of = written.get(&range.buffer);
        of.is_some_and(|all| all.iter().any(|&(start, end)| start < range.end && range.start < end))
    };
    operations(agents).any(|operation| {
        operation.action.through_async_proxy().into_iter().flatten().any(is_written)
    })
}

fn operations(agents: &[(u32, Recorded)]) -> impl Iterator<Item = &Operation> {
    agents.iter().flat_map(|(_, one)| &one.nodes).filter_map(|node| match node {
        Node::Operation { operation, .. } => Some(operation),
        _ => None,
    })
}
