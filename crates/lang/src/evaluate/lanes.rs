//! Whether lanes of one wave have unordered conflicting accesses.
//!
//! A wave is one agent, so its lanes are not checked against each other; a verdict that ignores such accesses must not
//! be `ok`. Two conflicting accesses of different lanes are ordered only by operations of all lanes between them: a
//! release, a wait on a barrier, an acquire.

use alloc::vec::Vec;
use core::ops::Range;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Buffer, Memory, Space};
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::successors;
use tidegate_model::program::{Node, NodeId};

/// Largest number of steps of the search; beyond it, lanes count as conflicting.
const MOST_STEPS: usize = 20_000_000;

/// The parts of the order between two accesses that have occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Nothing,
    Released,
    Waited,
}

/// Whether accesses of different lanes can conflict. `by` gives, for each node, which of the `lanes` lanes perform it.
pub(super) fn meet(nodes: &[Node], by: &[Range<usize>], lanes: usize, buffers: &[Buffer]) -> bool {
    let body = Body { nodes, by, lanes, buffers };
    let mut steps = MOST_STEPS;
    let touching: Vec<(NodeId, Access)> =
        (0..).zip(nodes).flat_map(|(id, node)| accessed(id, node)).collect();
    let alone = |(id, _): &(NodeId, Access)| by[*id as usize].len() < lanes;
    if lanes < 2 || !touching.iter().any(alone) {
        return false;
    }
    touching.iter().any(|&(from, access)| {
        let other = |(to, _): &&(NodeId, Access)| by[*to as usize] != by[from as usize];
        let met: OrderedSet<NodeId> = touching
            .iter()
            .filter(other)
            .filter(|(_, one)| one.conflicts(access))
            .map(|&(to, _)| to)
            .collect();
        steps = steps.saturating_sub(touching.len());
        !met.is_empty() && body.reaches(from, body.space(access), &met, &mut steps)
    })
}

fn accessed(id: NodeId, node: &Node) -> impl Iterator<Item = (NodeId, Access)> {
    let action = match node {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    };
    action.into_iter().flat_map(accesses).map(move |access| (id, access))
}

struct Body<'a> {
    nodes: &'a [Node],
    by: &'a [Range<usize>],
    lanes: usize,
    buffers: &'a [Buffer],
}

impl Body<'_> {
    fn space(&self, access: Access) -> Space {
        self.buffers
            .get(usize::from(access.range.buffer))
            .map_or(Space::Global, |buffer| buffer.space)
    }

    /// Whether a path leads from the node to one of `met` without a release, a wait and an acquire of all lanes.
    fn reaches(
        &self,
        from: NodeId,
        space: Space,
        met: &OrderedSet<NodeId>,
        steps: &mut usize,
    ) -> bool {
        let mut seen = alloc::vec![0_u8; self.nodes.len()];
        let mut open: Vec<(NodeId, Order)> = Vec::new();
        let following = |node: NodeId| successors(&self.nodes[node as usize]).iter().copied();
        open.extend(following(from).map(|next| (next, Order::Nothing)));
        while let Some((node, order)) = open.pop() {
            let bit = 1 << order as u8;
            if seen[node as usize] & bit != 0 {
                continue;
            }
            seen[node as usize] |= bit;
            if *steps == 0 || met.contains(&node) {
                return true;
            }
            *steps -= 1;
            if let Some(after) = self.after(node, order, space) {
                open.extend(following(node).map(|next| (next, after)));
            }
        }
        false
    }

    /// The order after a node; `None` if everything is ordered.
    fn after(&self, node: NodeId, order: Order, space: Space) -> Option<Order> {
        let all = self.by[node as usize].len() == self.lanes;
        let Node::Operation { operation, .. } = &self.nodes[node as usize] else {
            return Some(order);
        };
        match operation.action {
            Action::Memory(Memory::Fence(fence)) if all && fence.spaces.contains(space) => {
                match order {
                    Order::Waited if fence.acquire => None,
                    Order::Nothing if fence.release => Some(Order::Released),
                    _ => Some(order),
                }
            }
            Action::Wait { .. } if all && order == Order::Released => Some(Order::Waited),
            _ => Some(order),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{compile, parse};

    fn meets(bodies: &str) -> bool {
        let text = alloc::format!("launch waves=1 lanes=2\nlds l[8]\nlds k[8]\n{bodies}");
        compile(&parse(&text)).unwrap().program.lanes_meet
    }

    #[test]
    fn lanes_that_touch_the_same_bytes() {
        assert!(meets("wave 0 lane 0 { store l }\nwave 0 lane 1 { load l }"));
        assert!(meets("wave 0 { if lane_id == 0 { store l } load l }"));
        assert!(meets("wave 0 { load l; if lane_id == 0 { store l } }"));
    }

    #[test]
    fn lanes_that_touch_different_bytes() {
        for bodies in [
            "wave 0 { store l; load l }",
            "wave 0 lane 0 { store l }\nwave 0 lane 1 { load k }",
            "wave 0 lane 0 { load l }\nwave 0 lane 1 { load l }",
            "wave 0 { store l[lane_id * 4 .. lane_id * 4 + 4] }",
            "wave 0 { if lane_id == 0 { store l; load l } }",
        ] {
            assert!(!meets(bodies), "{bodies}");
        }
    }

    #[test]
    fn operations_of_all_lanes_order_accesses() {
        let between = |middle: &str| {
            let ends = ["wave 0 { if lane_id == 0 { store l }", "load l"];
            meets(&alloc::format!("{}\n{middle}\n{} }}", ends[0], ends[1]))
        };
        assert!(!between("fence release workgroup; arrive wg; wait wg; fence acquire workgroup"));
        assert!(!between(
            "fence acq_rel workgroup local; arrive wg; wait wg; fence acq_rel workgroup"
        ));
        assert!(between("arrive wg; wait wg"));
        assert!(between("fence release workgroup; arrive wg; wait wg"));
        assert!(between(
            "fence release workgroup global; arrive wg; wait wg; fence acquire workgroup"
        ));
        assert!(between(
            "if lane_id == 1 { fence release workgroup } arrive wg; wait wg; fence acquire workgroup"
        ));
    }
}
