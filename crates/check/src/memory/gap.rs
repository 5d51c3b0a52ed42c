//! The missing edge between two accesses of an execution.

use super::marks::{InFlight, completion};
use super::trail::Trail;
use alloc::vec::Vec;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Fence, Memory, Space};
use tidegate_model::mem::order::{Reach, Seat};
use tidegate_model::operation::Action;
use tidegate_model::program::Node;

/// The state of the fence that one side of a release-acquire pair needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// No fence of that kind.
    None,
    /// A fence that is `one-as`.
    OneAs(usize),
    /// A fence that does not name the address space.
    Space(usize),
    /// A fence whose scope does not include the other agent.
    Scope(usize),
    /// A fence that does.
    Fine(usize),
}

/// The missing part of the order between two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// No wait of the second agent is after an arrive of the first one that follows its access.
    Barrier,
    /// Only a drop of the first agent participates, which releases nothing.
    Drop(usize),
    /// An arrive is before a wait; of the fences around them at least one is missing.
    Fences {
        /// The arrive of the first agent.
        arrive: usize,
        /// The wait of the second.
        wait: usize,
        /// Between the first access and the arrive.
        release: Side,
        /// Between the wait and the second access.
        acquire: Side,
    },
    /// The first access is a copy that is in flight at the step that requires it complete.
    InFlight {
        /// Why it is.
        why: InFlight,
        /// The later access of its own agent; for another agent, the release fence or the arrive that should release
        /// it.
        at: usize,
    },
    /// The first access is a complete copy; the first revision orders it before no operation of another agent.
    FirstRevision(usize),
}

/// The distance of two agents of a program.
pub(crate) fn apart(trail: &Trail<'_>, one: usize, other: usize) -> Reach {
    let program = &trail.replay.machine.context.program;
    let seat = |agent: usize| {
        let workgroup = program.agents[agent].workgroup;
        Seat { workgroup, cluster: program.launch.cluster_of(workgroup) }
    };
    seat(one).apart(seat(other))
}

/// The missing part of the order between the access of step `first` (of a copy if `copy`) and that of step `second`.
pub(crate) fn gap(trail: &Trail<'_>, first: usize, copy: bool, second: usize, space: Space) -> Gap {
    if !copy {
        return between(trail, first, second, space);
    }
    let at = if trail.agent(first) == trail.agent(second) {
        second
    } else {
        match handing(trail, first, second) {
            Some(arrive) => arrive,
            None => return between(trail, first, second, space),
        }
    };
    match completion(trail, first, at) {
        Err(why) => Gap::InFlight { why, at: releasing(trail, first, at).unwrap_or(at) },
        Ok(wait) if trail.replay.machine.orders_at_wait() => between(trail, wait, second, space),
        Ok(wait) => overlapping(trail, first, wait, at)
            .map_or(Gap::FirstRevision(wait), |own| between(trail, own, second, space)),
    }
}

/// The last arrive after a step of one agent that is before a wait that precedes a step of another.
fn handing(trail: &Trail<'_>, first: usize, second: usize) -> Option<usize> {
    let before = |arrive: usize| {
        trail
            .of(trail.agent(second), 0, second)
            .any(|wait| trail.waits(wait) && trail.before(arrive, wait))
    };
    trail.of(trail.agent(first), first, second).rfind(|&step| trail.arrives(step) && before(step))
}

/// The last release fence of an agent between one of its steps and an arrive of it.
fn releasing(trail: &Trail<'_>, from: usize, arrive: usize) -> Option<usize> {
    let releases = |step: usize| matches!(trail.action(step), Some(Action::Memory(Memory::Fence(fence))) if fence.release);
    let hands_over = trail.arrives(arrive);
    trail.of(trail.agent(from), from, arrive).rfind(|&step| hands_over && releases(step))
}

/// The first access to the bytes of a copy by its agent, after the wait that completes it and before a step. In the
/// first revision, the copy is ordered before this access.
fn overlapping(trail: &Trail<'_>, copy: usize, wait: usize, to: usize) -> Option<usize> {
    let copied: Vec<Access> = trail.action(copy).into_iter().flat_map(accesses).collect();
    let touches = |step: usize| match trail.action(step) {
        Some(action @ Action::Memory(Memory::Load(_) | Memory::Store(_))) => {
            accesses(action).any(|own| copied.iter().any(|access| access.range.overlaps(own.range)))
        }
        _ => false,
    };
    trail.of(trail.agent(copy), wait, to).find(|&step| touches(step))
}

fn between(trail: &Trail<'_>, first: usize, second: usize, space: Space) -> Gap {
    let (giver, taker) = (trail.agent(first), trail.agent(second));
    let far = apart(trail, giver, taker);
    let arrives = || trail.of(giver, first, second).filter(|&step| trail.arrives(step));
    let waits = || trail.of(taker, 0, second).filter(|&step| trail.waits(step));
    let pairs = arrives().flat_map(|arrive| {
        waits().filter(move |&wait| trail.before(arrive, wait)).map(move |wait| (arrive, wait))
    });
    let fences = pairs.map(|(arrive, wait)| {
        let release =
            side(trail, trail.of(giver, first, arrive), far, space, |fence| fence.release);
        let acquire = side(trail, trail.of(taker, wait, second), far, space, |fence| fence.acquire);
        (release.min(acquire), release.max(acquire), arrive, wait, release, acquire)
    });
    // The most complete pair; among equal ones the first arrive with the last wait before the access.
    let best = fences
        .max_by(|a, b| (a.0.rank(), a.1.rank(), b.2, a.3).cmp(&(b.0.rank(), b.1.rank(), a.2, b.3)));
    if let Some((_, _, arrive, wait, release, acquire)) = best {
        return Gap::Fences { arrive, wait, release, acquire };
    }
    let drops = trail
        .of(giver, first, second)
        .find(|&step| drops(trail, step) && waits().any(|wait| trail.before(step, wait)));
    drops.map_or(Gap::Barrier, Gap::Drop)
}

impl Side {
    const fn rank(self) -> u8 {
        match self {
            Self::None => 0,
            Self::OneAs(_) => 1,
            Self::Space(_) => 2,
            Self::Scope(_) => 3,
            Self::Fine(_) => 4,
        }
    }
}

fn side(
    trail: &Trail<'_>,
    steps: impl Iterator<Item = usize>,
    far: Reach,
    space: Space,
    is: impl Fn(Fence) -> bool,
) -> Side {
    let judge = |step: usize| match trail.action(step) {
        Some(Action::Memory(Memory::Fence(fence))) if is(fence) => {
            if fence.one_as {
                Side::OneAs(step)
            } else if !fence.spaces.contains(space) {
                Side::Space(step)
            } else if Reach::of(fence.scope).is_none_or(|reach| reach < far) {
                Side::Scope(step)
            } else {
                Side::Fine(step)
            }
        }
        _ => Side::None,
    };
    steps.map(judge).max_by_key(|side| side.rank()).unwrap_or(Side::None)
}

fn drops(trail: &Trail<'_>, step: usize) -> bool {
    match trail.action(step) {
        Some(action) => matches!(action, Action::Drop { .. } | Action::Leave),
        None => {
            let done = &trail.replay.done[step];
            let body = trail.replay.machine.context.program.body_of(done.step.agent);
            body.nodes[done.node as usize] == Node::End
        }
    }
}
