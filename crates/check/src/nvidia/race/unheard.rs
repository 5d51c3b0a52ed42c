//! Why an arrive and a wait that observes its phase do not synchronize: one of them is relaxed and has no fence, or its
//! scope excludes the other.

use crate::cause::PtxRace;
use crate::cause::field::Act;
use crate::nvidia::replay::{Object, Replay, act, done_action};
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory as Access, Scope};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Order};

/// The two sides of a synchronisation.
enum Half {
    Releases,
    Acquires,
}

/// The order of an operation of a pair, and the required scope.
struct End {
    order: Order,
    /// Whether the other end is in another CTA.
    far: bool,
    /// Whether the earlier access is an init.
    inits: bool,
    half: Half,
}

/// The reason and the help, from both sides: the arrive after the earlier access, and the wait before the last one.
pub(super) fn look(
    scene: &Scene,
    replay: &Replay,
    [earlier, last]: [usize; 2],
    [arrive, wait]: [usize; 2],
) -> (PtxRace, String) {
    let machine = &replay.machine;
    let [owner, agent] = [arrive, wait].map(|step| replay.done[step].step.agent);
    let far = match replay.done[arrive].note.object {
        Some(Object::Mbarrier(index)) => machine.named(index).1 != machine.cta(owner),
        _ => machine.cta(agent) != machine.cta(owner),
    };
    let inits = matches!(done_action(machine, &replay.done[earlier]), Some(Action::Init { .. }));
    let end = |step, half| End { order: order_of(replay, step), far, inits, half };
    let halves = [
        (end(arrive, Half::Releases), arrive, earlier + 1..arrive),
        (end(wait, Half::Acquires), wait, wait + 1..last),
    ];
    for (end, step, between) in halves {
        let fences: Vec<(usize, bool)> = between
            .filter(|&other| replay.done[other].step.agent == replay.done[step].step.agent)
            .filter_map(|other| Some((other, fence(replay, other, &end)?)))
            .collect();
        if fences.iter().any(|(_, reaches)| *reaches) || is_enough(replay, step, &end) {
            continue;
        }
        let short = fences.first().map(|(fence, _)| act(&replay.done[*fence]));
        return narrow(scene, act(&replay.done[step]), short, &end);
    }
    (PtxRace::Unheard, help::ptx::widen_both())
}

fn order_of(replay: &Replay, step: usize) -> Order {
    match done_action(&replay.machine, &replay.done[step]) {
        Some(Action::Arrive { form, .. }) => form.order,
        Some(
            Action::Wait { order, .. }
            | Action::ClusterArrive { order, .. }
            | Action::ClusterWait { order, .. },
        ) => order,
        _ => Order::Cluster,
    }
}

/// Whether the order of an operation has the required scope; a cluster barrier always does.
fn is_enough(replay: &Replay, step: usize, end: &End) -> bool {
    let of_cluster = matches!(replay.done[step].note.object, Some(Object::Cluster(_)));
    match end.order {
        Order::Relaxed => false,
        Order::Cta => of_cluster || !end.far,
        Order::Cluster => true,
    }
}

/// Whether a step is a fence for this side, and whether it has the required scope.
fn fence(replay: &Replay, step: usize, end: &End) -> Option<bool> {
    let done = &replay.done[step];
    let nodes = &replay.machine.context.program.body_of(done.step.agent).nodes;
    let Node::Operation { operation, .. } = &nodes[done.node as usize] else { return None };
    let (release, acquire, reaches) = match operation.action {
        Any::Ptx(Action::FenceInit, _) if end.inits => (true, false, true),
        Any::Ptx(Action::Fence { release, acquire, cluster }, _) => (release, acquire, cluster),
        Any::Memory(Access::Fence(fence)) if fence.scope >= Scope::Workgroup => {
            (fence.release, fence.acquire, fence.scope > Scope::Workgroup)
        }
        _ => return None,
    };
    let orders = match end.half {
        Half::Releases => release,
        Half::Acquires => acquire,
    };
    orders.then_some(reaches || !end.far)
}

/// The reason and the help at an operation that is relaxed or has a narrow scope, with the fence at it.
fn narrow(scene: &Scene, operation: Act, fence: Option<Act>, end: &End) -> (PtxRace, String) {
    let releases = matches!(end.half, Half::Releases);
    match (end.order, fence) {
        (Order::Relaxed, fence) => {
            let relaxed = || PtxRace::Relaxed { operation, releases };
            let fact = fence.map_or_else(relaxed, |fence| PtxRace::FenceOfCta { operation, fence });
            (fact, help::ptx::not_relaxed(scene, operation, releases, end.far))
        }
        _ => (PtxRace::ScopeOfCta { operation }, help::ptx::widen(scene, operation, releases)),
    }
}
