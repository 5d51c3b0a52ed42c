//! Stores of the same value to the same bytes.
//!
//! Compilers let every thread or wave store a value, although one store would be enough. Such stores do not conflict with each
//! other: the bytes are the same whichever store is last. They conflict with loads and with all other writes.

use super::recorded::Recorded;
use super::touches::Stored;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Range;
use tidegate_model::operation::{Alike, Operation};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::Node;

/// The bytes that an operation writes, if this write is its only access.
fn written(operation: &Operation) -> Option<Range> {
    let mut all = accesses(operation.action);
    let (access, None) = (all.next()?, all.next()) else { return None };
    access.write.then_some(access.range)
}

/// Marks stores of known values to shared memory. Stores of one value to the same bytes get the same mark, so they do not
/// conflict.
pub(super) fn mark(agents: &mut [(u32, Recorded)], shared: impl Fn(u16) -> bool) {
    let mut indices: OrderedMap<(Range, Stored), u16> = OrderedMap::new();
    for (_, one) in agents {
        for (id, node) in (0..).zip(&mut one.nodes) {
            let Node::Operation { operation, .. } = node else { continue };
            let Some(&stored) = one.constants.get(&id) else { continue };
            let Some(range) = written(operation).filter(|range| shared(range.buffer)) else {
                continue;
            };
            let next = indices.len();
            let index = *indices.entry((range, stored)).or_insert(next as u16);
            if next <= usize::from(u16::MAX) && operation.alike == Alike::None {
                operation.alike = Alike::Store(index);
            }
        }
    }
}
