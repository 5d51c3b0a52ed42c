//! The evaluation of a kernel at a launch.

use super::cases::all;
use super::launch::Standing;
use super::lds;
use super::nvidia::copies;
use super::program::program;
use super::request::{Evaluated, Note, Request};
use super::search::Search;
use super::split::Split;
use super::world::World;
use crate::ir::{Machine, Place};
use alloc::format;
use alloc::string::String;

/// The maximum number of agents.
const MOST_AGENTS: u32 = 4096;
/// The maximum number of agents if no two workgroups conflict, but one cannot represent all. At least one workgroup is
/// evaluated.
#[cfg(feature = "proofs")]
const MOST_AGENTS_APART: u32 = 64;
/// The maximum number of evaluations until all barriers in LDS are known.
const MOST_EVALUATIONS: usize = 5;

/// Evaluates a kernel. A kernel of AMDGPU is evaluated again when barriers in LDS were found.
///
/// # Errors
///
/// The launch has too many agents, or functions of the kernel call each other too deeply.
pub fn evaluate(request: &Request<'_>) -> Result<Evaluated, Note> {
    #[cfg(feature = "proofs")]
    if let Some(owned) = crate::owned::leave_out(request) {
        let mut evaluated = shared(&Request { module: &owned.module, ..request.clone() })?;
        for &argument in owned.strides.iter() {
            let note = super::program::overlapping(request, argument as usize);
            if !evaluated.assumed.iter().any(|one| one.message == note.message) {
                evaluated.assumed.push(note);
            }
        }
        return Ok(evaluated);
    }
    shared(request)
}

/// Evaluates a kernel with all its accesses.
fn shared(request: &Request<'_>) -> Result<Evaluated, Note> {
    #[allow(unused_mut)]
    let mut most = MOST_AGENTS;
    #[cfg(feature = "proofs")]
    if request.launch.groups_within(request.module.machine, MOST_AGENTS)
        < request.launch.group_count()
        && let Some(one) = super::one_group::evaluate(request)
    {
        match one {
            Some(found) => return Ok(found),
            None => most = MOST_AGENTS_APART,
        }
    }
    let (mut world, mut evaluated) = evaluated(request, &[], most, Split::default())?;
    for _ in 0..MOST_EVALUATIONS {
        if request.module.machine != Machine::Amdgpu {
            return Ok(evaluated);
        }
        let mut words = world.mbarriers.take();
        words.retain(|(object, _)| *object != lds::NAMED);
        if words == world.lds.words {
            return Ok(evaluated);
        }
        (world, evaluated) = self::evaluated(request, &words, most, Split::default())?;
    }
    let message = String::from("the kernel has too many barriers in LDS");
    evaluated.open.push(Note { place: Place::default(), message });
    Ok(evaluated)
}

/// Evaluates a kernel with these barriers in LDS. If the cases do not cover all values of the arguments, those that are divided
/// are split.
fn evaluated<'a>(
    request: &Request<'a>,
    words: &[(u32, u64)],
    most: u32,
    split: Split,
) -> Result<(World<'a>, Evaluated), Note> {
    let mut world = World::new(request.module);
    world.lds.words = words.into();
    *world.mbarriers.borrow_mut() = words.into();
    let [x, y, z] = request.launch.cluster;
    world.apart = request.module.machine == Machine::Nvidia
        && x * y * z > 1
        && !copies::multicasts(request.module);
    let (machine, launch) = (request.module.machine, request.launch);
    let groups = match launch.groups_within(machine, most) {
        0 => launch.groups_within(machine, MOST_AGENTS).min(launch.cluster_size()),
        groups => groups,
    };
    let standings = Standing::all(request.module, launch, groups);
    world.alone = standings.len() == 1;
    let place = request.place();
    let problem = |message: &str| Note { place, message: String::from(message) };
    if standings.is_empty() {
        let cluster = launch.cluster.iter().any(|&size| size > 1);
        return Err(problem(&format!(
            "this launch has more than {MOST_AGENTS} agents in {}; at most {MOST_AGENTS} can be judged",
            if cluster { "a cluster" } else { "a workgroup" }
        )));
    }
    #[cfg(feature = "proofs")]
    let was_split = !split.is_empty();
    let mut search = Search::new(request, &world, (&standings, groups), split, place);
    let (found, complete) = all(&mut search)?;
    #[cfg(feature = "proofs")]
    if let Some(fewer) = super::one_group::fewer(&search, &found.0) {
        return evaluated(request, words, fewer, search.split);
    }
    let evaluated = program(&search, found, complete);
    #[cfg(feature = "proofs")]
    if evaluated.program.host_passes_more && !was_split {
        for split in Split::all(&world.quotients.borrow(), search.hinted) {
            let again = self::evaluated(request, words, most, split)?;
            if !again.1.program.host_passes_more {
                return Ok(again);
            }
        }
    }
    Ok((world, evaluated))
}
