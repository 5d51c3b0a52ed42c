//! Stores to shared memory that asynchronous operations read.
//!
//! Copies out of shared memory and tensor cores read through the async proxy. They see what an ordinary store has written
//! only after a `fence.proxy.async`. Which stores a fence covers is not followed, but a kernel without such a fence has none
//! between a store and an operation that reads the same bytes.

use super::recorded::Recorded;
use crate::ir::Place;
use alloc::collections::{BTreeMap, BTreeSet};
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::{Action, Operation};
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action as Ptx, Reads};

/// An asynchronous operation that reads bytes which an ordinary store writes.
pub(super) fn unfenced(agents: &[(u32, Recorded)]) -> Option<Place> {
    let mut written: BTreeMap<u16, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for (operation, _) in operations(agents) {
        for access in accesses(operation.action).filter(|access| access.write) {
            let Range { buffer, start, end } = access.range;
            written.entry(buffer).or_default().insert((start, end));
        }
    }
    let is_written = |range: &Range| {
        let of = written.get(&range.buffer);
        of.is_some_and(|all| all.iter().any(|&(start, end)| start < range.end && range.start < end))
    };
    let mut all = operations(agents);
    let found = all.find(|(operation, _)| read(operation).iter().flatten().any(is_written));
    found.map(|(_, place)| place)
}

fn operations(agents: &[(u32, Recorded)]) -> impl Iterator<Item = (&Operation, Place)> {
    let nodes = agents.iter().flat_map(|(_, one)| one.nodes.iter().zip(&one.places));
    nodes.filter_map(|(node, place)| match node {
        Node::Operation { operation, .. } => Some((operation, *place)),
        _ => None,
    })
}

/// The shared memory that an operation reads through the async proxy.
fn read(operation: &Operation) -> [Option<Range>; 2] {
    match operation.action {
        Action::Ptx(Ptx::Copy { name: None, bulk: true, from, .. }, _) => [from, None],
        Action::Ptx(Ptx::Tensor { reads, .. }, _) => reads.map(|reads| match reads {
            Reads::Bytes(range) | Reads::Within(range) => Some(range),
            Reads::Nothing | Reads::Any => None,
        }),
        _ => [None; 2],
    }
}
