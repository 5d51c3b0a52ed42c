//! The size of a workgroup that no text gives.

use super::cases::evaluate;
use super::launch::Launch;
use super::request::{Evaluated, Note, Request};
use crate::ir::{Kind, Module, Place};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;

/// Most work-items of a workgroup that are tried.
const MOST: u32 = 1024;

/// Evaluates a kernel whose launch is a guess. While operations that synchronise are not reached whatever data say, such as
/// those of warps after the fourth, the workgroup is doubled, as long as that reaches more of them.
///
/// # Errors
///
/// As [`evaluate`], for the first guess.
pub fn evaluate_grown(mut request: Request<'_>) -> Result<(Launch, Evaluated), Note> {
    let mut best = evaluate(&request)?;
    let mut launch = request.launch;
    let all = synchronising(request.module);
    let reached = |Evaluated { program, places, .. }: &Evaluated| {
        let bodies = program.agents.iter().filter_map(|one| program.bodies.get(one.body as usize));
        let nodes = bodies.zip(places).flat_map(|(body, places)| body.nodes.iter().zip(&**places));
        let certain =
            |node: &Node| matches!(node, Node::Operation { operation, .. } if !operation.decided);
        let places = nodes.filter(|(node, place)| certain(node) && all.contains(place));
        places.map(|(_, place)| *place).collect::<OrderedSet<Place>>().len()
    };
    let mut most = reached(&best);
    while most < all.len() {
        let threads = request.launch.threads;
        request.launch.threads = [threads[0].saturating_mul(2), threads[1], threads[2]];
        if request.launch.group_size() > MOST {
            break;
        }
        let Ok(evaluated) = evaluate(&request) else { break };
        let count = reached(&evaluated);
        if count <= most {
            break;
        }
        (best, launch, most) = (evaluated, request.launch, count);
    }
    Ok((launch, best))
}

/// The places of operations that synchronise.
fn synchronising(module: &Module) -> OrderedSet<Place> {
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let is_one = |kind: &Kind| matches!(kind, Kind::Amdgpu(..) | Kind::Nvidia(_) | Kind::Opencl(_));
    instructions.filter(|one| is_one(&one.kind)).map(|one| one.place).collect()
}
