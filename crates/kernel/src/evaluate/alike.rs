//! Stores of the same number to the same bytes.
//!
//! Compilers for NVIDIA let every thread store a constant that one of them would do for. Such stores do not conflict with
//! each other: whichever is last, the bytes are the same. They conflict with loads and with all other writes.

use super::graph::Recorded;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Buffer, Range, Space};
use tidegate_model::operation::Operation;
use tidegate_model::program::Node;

/// The writes of one instance of a memory: by bytes the number that all of them store, if it is one.
type Writes = BTreeMap<(u32, u32), Option<u64>>;

/// The instance of a shared memory, and the bytes of it that an operation only writes.
fn written(operation: &Operation, group: u32, buffers: &[Buffer]) -> Option<((u16, u32), Range)> {
    let mut all = accesses(operation.action);
    let (access, None) = (all.next()?, all.next()) else { return None };
    let buffer = buffers.get(usize::from(access.range.buffer))?;
    let local = buffer.space == Space::Local;
    access.write.then_some(((access.range.buffer, if local { group } else { 0 }), access.range))
}

/// Marks stores of numbers that all writes of these bytes store, in shared memory, so that they do not conflict.
pub(super) fn mark(
    agents: &mut [(u32, Recorded)],
    buffers: &[Buffer],
    shared: impl Fn(u16) -> bool,
) {
    if agents.iter().all(|(_, one)| one.constants.is_empty()) {
        return;
    }
    let mut writes: BTreeMap<(u16, u32), Writes> = BTreeMap::new();
    for (group, one) in agents.iter() {
        for (id, node) in (0..).zip(&one.nodes) {
            let Node::Operation { operation, .. } = node else { continue };
            let Some((instance, range)) = written(operation, *group, buffers) else { continue };
            let number = one.constants.get(&id).copied().filter(|_| !operation.atomic);
            let known = writes.entry(instance).or_default();
            let known = known.entry((range.start, range.end)).or_insert(number);
            *known = known.filter(|known| Some(*known) == number);
        }
    }
    for known in writes.values_mut() {
        let all: Vec<(u32, u32)> = known.keys().copied().collect();
        for pair in all.windows(2) {
            // Ranges in order: one that reaches into the next one is not stored alone.
            if let [one, next] = pair
                && one.1 > next.0
            {
                known.insert(*one, None);
                known.insert(*next, None);
            }
        }
    }
    for (group, one) in agents {
        let constants = &one.constants;
        for (id, node) in (0..).zip(&mut one.nodes) {
            let Node::Operation { operation, .. } = node else { continue };
            let Some((instance, range)) = written(operation, *group, buffers) else { continue };
            let of = writes.get(&instance).and_then(|all| all.get(&(range.start, range.end)));
            let same = constants.contains_key(&id) && of.is_some_and(Option::is_some);
            operation.atomic |= same && shared(instance.0);
        }
    }
}
