//! Whether data decide for all work-items alike.

use tidegate_model::operation::Action;
use tidegate_model::program::{Agent, Node, Program};

/// Whether all work-items call as many barriers, whichever way the host chooses, and no other node has several successors.
pub(crate) fn are_alike(program: &Program) -> bool {
    let first = program.bodies.first().and_then(|body| body.nodes.first());
    let ways = match first {
        Some(Node::Choose { next }) if program.host_chooses => next.len(),
        _ => 1,
    };
    (0..ways).all(|way| {
        let mut all = program.agents.iter().map(|agent| calls(program, agent, way));
        let first = all.next().flatten();
        first.is_some() && all.all(|count| count == first)
    })
}

/// The calls of an agent after the host chose a way; `None` if it has several paths or one without end.
fn calls(program: &Program, agent: &Agent, way: usize) -> Option<u32> {
    let nodes = &program.bodies[agent.body as usize].nodes;
    let (mut at, mut count) = (0, 0);
    // A path without end has more steps than nodes.
    for _ in 0..=nodes.len() {
        at = match nodes.get(at)? {
            Node::Choose { next } if at == 0 && program.host_chooses => *next.get(way)?,
            Node::Choose { next } if next.len() == 1 => next[0],
            Node::Choose { .. } => return None,
            Node::Operation { operation, next } => {
                count += u32::from(matches!(operation.action, Action::Opencl(_)));
                next[0]
            }
            Node::Divergent | Node::End => return Some(count),
        } as usize;
    }
    None
}
