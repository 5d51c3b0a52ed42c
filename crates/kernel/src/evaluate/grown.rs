//! The workgroup size of a kernel whose source gives none.

use super::launch::Launch;
use super::request::{Evaluated, Note, Request};
use super::whole::evaluate;
use crate::ir::{Kernel, Kind, Module, Operand, Place, Special};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::Node;

/// The maximum number of work-items of a workgroup that are tried.
const MOST: u32 = 1024;

/// Workgroup sizes that are tried if accesses are outside their arrays with the first one. There is one list for each number of
/// dimensions that a kernel uses.
const SIZES: [&[[u32; 3]]; 3] = [
    &[[256, 1, 1], [64, 1, 1], [32, 1, 1], [512, 1, 1], [1024, 1, 1]],
    &[[16, 16, 1], [32, 8, 1], [32, 4, 1], [32, 2, 1], [8, 8, 1], [32, 32, 1], [4, 4, 1]],
    &[[8, 8, 4], [4, 4, 4], [8, 8, 8], [16, 4, 4], [2, 2, 2]],
];

/// Evaluates a kernel whose workgroup size is a guess. The first size with which no access is certainly outside its array is
/// used. The workgroup is then doubled as long as more operations that synchronise are certainly reached, such as those of
/// warps after the fourth.
///
/// # Errors
///
/// As [`evaluate`], for the first guess.
pub fn evaluate_grown(mut request: Request<'_>) -> Result<(Launch, Evaluated), Note> {
    let sizes = SIZES[dimensions(request.module, request.kernel)];
    if sizes.iter().all(|sizes| sizes[1] > 1) {
        request.launch.threads = sizes[0];
    }
    let (first, mut best) = (request.launch.threads, evaluate(&request)?);
    if best.outside {
        for &threads in sizes.iter().filter(|threads| **threads != first) {
            request.launch.threads = threads;
            if let Ok(fitting) = evaluate(&request)
                && !fitting.outside
            {
                best = fitting;
                break;
            }
            request.launch.threads = first;
        }
    }
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

/// The last dimension, counted from 0, in which a kernel uses the number of a work-item.
fn dimensions(module: &Module, kernel: &Kernel) -> usize {
    let others = |at: u32| module.kernels.iter().any(|other| other.function == at);
    let functions = (0..).zip(&module.functions);
    let functions = functions.filter(|(at, _)| *at == kernel.function || !others(*at));
    let computed = functions.flat_map(|(_, function)| function.computed());
    let dimension = |operand: &Operand| match operand {
        Operand::Special(Special::Thread(at)) => Some(usize::from(*at)),
        _ => None,
    };
    computed.filter_map(dimension).max().unwrap_or(0).min(2)
}

/// The places of operations that synchronise.
fn synchronising(module: &Module) -> OrderedSet<Place> {
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let is_one = |kind: &Kind| matches!(kind, Kind::Amdgpu(..) | Kind::Nvidia(_) | Kind::Opencl(_));
    instructions.filter(|one| is_one(&one.kind)).map(|one| one.place).collect()
}
