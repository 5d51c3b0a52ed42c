//! Why an arrive and a wait that observes its phase do not synchronize: one of them is relaxed and no fence stands beside it,
//! or its scope leaves the other out.

use super::between::Between;
use crate::nvidia::replay::{Object, Replay, done_action, told};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory as Access, Scope};
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Action, Order};

/// The two halves of a hand-over, and what each of them does.
enum Half {
    Releases,
    Acquires,
}

/// What an operation of a pair orders, and how far it has to reach.
struct End {
    order: Order,
    /// Whether the other end is of another CTA.
    far: bool,
    /// Whether an init is to be handed over.
    inits: bool,
    half: Half,
}

/// Looks at both halves: a step that arrives behind the earlier access, and one that waits before the last.
pub(super) fn look(
    scene: &Scene,
    replay: &Replay,
    [earlier, last]: [usize; 2],
    [arrive, wait]: [usize; 2],
) -> Between {
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
        let short = fences.first().map(|(fence, _)| told(scene, &replay.done[*fence]));
        return said(&told(scene, &replay.done[step]), short.as_deref(), &end);
    }
    Between {
        because: String::from("what it hands over does not reach the wait"),
        remedy: String::from("Let both have a scope that includes both agents."),
    }
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

/// Whether an operation orders by itself as far as it has to; the barrier of a cluster always reaches all of it.
fn is_enough(replay: &Replay, step: usize, end: &End) -> bool {
    let of_cluster = matches!(replay.done[step].note.object, Some(Object::Cluster(_)));
    match end.order {
        Order::Relaxed => false,
        Order::Cta => of_cluster || !end.far,
        Order::Cluster => true,
    }
}

/// Whether a step is a fence that orders like a half, and whether it reaches as far as it has to.
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

fn said(what: &str, short: Option<&str>, end: &End) -> Between {
    let (verb, word, side) = match end.half {
        Half::Releases => ("releases", "release", "before it"),
        Half::Acquires => ("acquires", "acquire", "behind it"),
    };
    if end.order != Order::Relaxed {
        return Between {
            because: format!("{what} reaches its own CTA alone, and the other agent is in another"),
            remedy: format!("Give {what} the scope `.cluster`: `.{word}.cluster`."),
        };
    }
    let because = match short {
        Some(fence) => format!("{what} is relaxed, and {fence} reaches its own CTA alone"),
        None => format!("{what} is relaxed, and no fence {side} {verb} in its place"),
    };
    let reach = if end.far { "`fence.acq_rel.cluster`" } else { "`fence.acq_rel.cta`" };
    let remedy = format!("Leave `.relaxed` out of {what}, or put a {reach} {side}.");
    Between { because, remedy }
}
