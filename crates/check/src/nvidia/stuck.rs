//! Waits that never complete: who waits for what, what could still come, and why it does not.

use super::replay::{Object, Replay, acts_on, begun, bytes, done_action, object_name, told};
use super::tell::counts;
use super::{meeting, parity, remedy, threads};
use crate::explain::coming::{
    Coming as Arriving, NOBODY, wait_without_arriving, without_arriving, without_in_brief,
};
use crate::explain::{self, Told, list, names, together};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::ptx::action::{Action, Asked};
use tidegate_model::ptx::machine::state::{Held, State};
use tidegate_model::ptx::machine::{Machine, action_of};
use tidegate_model::ptx::transition::Mbarrier;
use tidegate_model::rule::RuleId;

/// Tells the waits that are blocked at the end of an execution.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Told {
    let state = replay.state();
    let mbarriers = rule != RuleId::PtxBarNeverCompletes;
    let is_wait = |&agent: &usize| {
        let action = replay.machine.node(state, agent).and_then(action_of);
        matches!(action, Some(Action::Wait { .. })) == mbarriers
    };
    let ahead = ahead(&replay.machine, state);
    let in_vain = |&agent: &usize| never_goes_on(&replay.machine, &ahead, agent);
    let waiting = (0..state.agents.len()).filter(|&agent| !state.agents[agent].ended);
    let waiting: Vec<usize> = waiting.filter(is_wait).collect();
    let stuck: Vec<usize> = waiting.iter().copied().filter(in_vain).collect();
    // If every waiting agent can still take a step in some visited state, all of them are named.
    let stuck = if stuck.is_empty() { waiting } else { stuck };
    if rule == RuleId::PtxMbarrierParityAlias
        && let Some(told) = parity::came_late(scene, replay, &stuck)
    {
        return told;
    }
    let standing: Vec<(usize, u32)> =
        stuck.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let verb = if stuck.len() == 1 { "never completes" } else { "never complete" };
    let over =
        (0..replay.machine.actors(state)).all(|actor| replay.machine.ways(state, actor) == 0);
    let why =
        if over { "no agent can go on" } else { "what goes on for ever does not change that" };
    let mut because = alike(scene, replay, &stuck);
    let without = waits_without_arriving(scene, replay, &stuck);
    let alone = together(&stuck, |agent| acts_on(&replay.machine, state, agent)).len() == 1;
    let why = match without.as_slice() {
        [(agents, _)] if over && alone && !agents.is_empty() => without_in_brief(scene, agents),
        _ => why.to_owned(),
    };
    because.extend(without.into_iter().map(|(_, said)| said));
    Told {
        message: format!("{} {verb}: {why}.", list(&explain::operations(scene, &standing))),
        because,
        agent: stuck.first().copied(),
        node: stuck.first().map(|&agent| state.agents[agent].node),
        remedy: if mbarriers {
            remedy::of(scene, replay, &stuck)
        } else {
            meet(scene, replay, &stuck)
        },
        ..Told::default()
    }
}

/// Most states that are looked at for whoever is only blocked for a while.
const AHEAD: usize = 500;

/// States that can follow, the nearest first, and not all of them where they are many.
fn ahead(machine: &Machine, state: &State) -> Vec<State> {
    let mut states = alloc::vec![state.clone()];
    let mut next = 0;
    while next < states.len() && states.len() < AHEAD {
        for actor in 0..machine.actors(&states[next]) {
            for way in 0..machine.ways(&states[next], actor) {
                let mut after = machine.perform(&states[next], actor, way);
                machine.canonicalise(&mut after);
                if !states.contains(&after) {
                    states.push(after);
                }
            }
        }
        next += 1;
    }
    states
}

/// Whether an agent stands at one operation in all of some states and cannot go on, or is told no.
fn never_goes_on(machine: &Machine, states: &[State], agent: usize) -> bool {
    let node = states[0].agents[agent].node;
    states.iter().all(|state| {
        let elsewhere = state.agents[agent].node != node;
        let told_no = machine.passes(state, agent, node) == Some(false);
        told_no || !elsewhere && machine.ways(state, agent) == 0
    })
}

/// Why an agent is blocked: what it sees, who could still arrive, and why nobody will.
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    sentence(scene, replay, &[agent], &why_of(scene, replay, agent))
}

/// Why the first of some agents is blocked, and those that are blocked like it.
pub(super) fn blocked_alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Option<String> {
    alike(scene, replay, agents).into_iter().next()
}

/// Why agents are blocked, those that are blocked alike in one sentence each.
fn alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Vec<String> {
    let kinds = together(agents, |agent| why_of(scene, replay, agent)).into_iter();
    kinds.map(|(why, agents)| sentence(scene, replay, &agents, &why)).collect()
}

/// Why agents are blocked: what does not depend on which of them it is.
#[derive(PartialEq)]
struct Why {
    /// What one and what several are said to do, with the verb.
    does: [String; 2],
    /// The mbarrier object to which something could still come.
    mbarrier: Option<usize>,
}

fn sentence(scene: &Scene, replay: &Replay, agents: &[usize], why: &Why) -> String {
    let does = &why.does[usize::from(agents.len() > 1)];
    let rest = why.mbarrier.map(|index| format!(" {}", arrivals(scene, replay, index, agents)));
    format!("{} {does}{}", names(scene, agents), rest.unwrap_or_default())
}

fn why_of(scene: &Scene, replay: &Replay, agent: usize) -> Why {
    let waits = |at: &str, missing: &[usize]| {
        let [one, several] = meeting::lacks(scene, replay, missing);
        [format!("waits at {at}: {one}"), format!("wait at {at}: {several}")]
    };
    let state = replay.state();
    let action = replay.machine.node(state, agent).and_then(action_of);
    let object = acts_on(&replay.machine, state, agent);
    let name = object.map(|object| object_name(scene, &replay.machine, object)).unwrap_or_default();
    if let (Some(Object::Mbarrier(index)), Some(Action::Wait { asked, .. })) = (object, action) {
        let at = state.mbarriers[index];
        let counts = counts(at, begun(replay, &replay.done, index, at));
        let [one, several] = asked_for(asked, at);
        let does = [
            format!("waits on {name} for {one}: {counts}."),
            format!("wait on {name} for {several}: {counts}."),
        ];
        return Why { does, mbarrier: Some(index) };
    }
    let does = match (object, action) {
        (Some(Object::Bar(_) | Object::Cluster(_)), _)
            if state.agents[agent].held == Held::Gathering =>
        {
            [
                format!("waits at {name} for the other lanes of its warp."),
                format!("wait at {name} for the other lanes of their warps."),
            ]
        }
        (Some(Object::Bar(index)), _) => {
            let bar = state.bars[index];
            let threads = bar.threads.unwrap_or(0);
            let how =
                format!("blocked at {name}: {} of {threads} threads have arrived.", bar.arrived);
            [format!("is {how}"), format!("are {how}")]
        }
        (Some(Object::Cluster(_)), _) => waits(&name, &meeting::missing_at_cluster(replay, agent)),
        (_, Some(Action::WarpSync { mask })) => {
            waits("bar.warp.sync", &meeting::missing_lanes(replay, agent, mask))
        }
        _ => ["is blocked.".to_owned(), "are blocked.".to_owned()],
    };
    Why { does, mbarrier: None }
}

/// What a wait asks for, and what several of them do; a wait by the parity of the running phase waits for its end.
fn asked_for(asked: Asked, at: Mbarrier) -> [String; 2] {
    let parity = match asked {
        Asked::Parity(parity) if at.valid && i64::from(at.phase & 1) == parity & 1 => {
            format!("parity {}, the end of phase {}", parity & 1, at.phase)
        }
        Asked::Parity(parity) => format!("parity {}", parity & 1),
        Asked::Token(_) => {
            return ["the phase of its token", "the phase of their tokens"].map(str::to_owned);
        }
    };
    [parity.clone(), parity]
}

/// What could still come to an object: agents and copies.
pub(super) struct Coming {
    pub(super) agents: Arriving,
    copies: Vec<(usize, u32, Option<u32>)>,
}

impl Coming {
    pub(super) fn at(replay: &Replay, object: usize, waiting: &[usize]) -> Self {
        let (machine, state) = (&replay.machine, replay.state());
        let able =
            |&agent: &usize| !state.agents[agent].ended && may_come(machine, state, agent, object);
        let able: Vec<usize> = (0..state.agents.len()).filter(able).collect();
        let agents = Arriving::of(&able, waiting, |agent| machine.ways(state, agent) > 0);
        let to_it = state.copies.iter().filter(|copy| copy.object as usize == object);
        let copies = to_it.map(|copy| (copy.agent as usize, copy.node, copy.left)).collect();
        Self { agents, copies }
    }

    pub(super) const fn is_nothing(&self) -> bool {
        self.agents.is_nobody() && self.copies.is_empty()
    }
}

/// Whether an agent can come to something that arrives at an object or brings bytes to it.
pub(super) fn may_come(machine: &Machine, state: &State, agent: usize, object: usize) -> bool {
    reachable(machine, agent, state.agents[agent].node).into_iter().any(|node| {
        let action = action_of(&machine.context.program.body_of(agent).nodes[node as usize]);
        let counts = matches!(
            action,
            Some(
                Action::Arrive { .. }
                    | Action::Complete { .. }
                    | Action::Copy { .. }
                    | Action::CopyArrive { .. }
            )
        );
        counts
            && action.is_some_and(|action| {
                machine.objects(agent, action).any(|(index, _)| index == object)
            })
    })
}

/// Who and what could still come to an object, in sentences.
fn arrivals(scene: &Scene, replay: &Replay, object: usize, waiting: &[usize]) -> String {
    let coming = Coming::at(replay, object, waiting);
    let at = replay.state().mbarriers[object];
    let mut parts = Vec::new();
    for &(agent, node, left) in &coming.copies {
        let started = explain::operation(scene, agent, node);
        parts.push(match left {
            Some(left) => {
                let left = bytes(i64::from(left));
                format!("The copy started by {started} is under way and brings {left}.")
            }
            None => format!("The arrive of {started} comes once its copies are done."),
        });
    }
    let node = |agent: usize| replay.state().agents[agent].node;
    parts.extend(coming.agents.said(scene, Some(&node)));
    if coming.is_nothing() {
        parts.push(nothing_comes(scene, replay, object));
    }
    parts.extend(net_zero(scene, replay, object).filter(|_| at.valid && at.pending > 0));
    parts.join(" ")
}

/// An arrive behind copies that counted itself in: together with that it is none.
fn net_zero(scene: &Scene, replay: &Replay, object: usize) -> Option<String> {
    let counts_in = |done: &&super::replay::Done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(object))
            && matches!(action, Some(Action::CopyArrive { no_increment: false, .. }))
    };
    let done = replay.done.iter().rev().find(counts_in)?;
    let what = told(scene, done);
    Some(format!(
        "{what} counts itself in before it arrives, so it brings the count no nearer to zero; with `.noinc` it would be one of the expected arrivals."
    ))
}

/// The last expect_tx at an object, which does not look whether the phase is complete.
pub(super) fn last_expect(scene: &Scene, replay: &Replay, object: usize) -> Option<String> {
    let expects = |done: &&super::replay::Done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(object))
            && matches!(action, Some(Action::Expect { .. }))
    };
    let done = replay.done.iter().rev().find(expects)?;
    Some(told(scene, done))
}

/// Whether an object has neither arrivals nor bytes to wait for, and its phase runs all the same.
pub(super) fn is_late(at: Mbarrier) -> bool {
    at.valid && at.pending == 0 && at.tx == 0
}

fn nothing_comes(scene: &Scene, replay: &Replay, object: usize) -> String {
    let at = replay.state().mbarriers[object];
    let mut parts = Vec::new();
    if at.pending > 0 || !at.valid {
        parts.push(NOBODY.to_owned());
    }
    if is_late(at) {
        let what = last_expect(scene, replay, object).unwrap_or_else(|| "An expect_tx".to_owned());
        parts.push(format!(
            "Nothing is missing: {what} brought the tx-count to zero behind the last arrival, and an expect_tx does not look whether the phase is complete."
        ));
    }
    if at.tx > 0 {
        parts.push("No copy is under way to it, and no agent has one left.".to_owned());
    }
    if at.tx < 0 {
        parts.push(format!(
            "No arrive with an expect of the other {} is left.",
            bytes(-i64::from(at.tx))
        ));
    }
    if let Some(over) = at.phase.checked_sub(1) {
        parts.push(format!("Parity {} would pass now: phase {over} is complete.", over & 1));
    }
    parts.join(" ")
}

/// The mbarrier object on which an agent waits by parity, and the parity.
pub(super) fn by_parity(replay: &Replay, agent: usize) -> Option<(usize, i64)> {
    let state = replay.state();
    let Some(Object::Mbarrier(index)) = acts_on(&replay.machine, state, agent) else {
        return None;
    };
    match replay.machine.node(state, agent).and_then(action_of)? {
        Action::Wait { asked: Asked::Parity(parity), .. } => Some((index, parity)),
        _ => None,
    }
}

/// What to do at a barrier of a CTA or of a cluster, or at `bar.warp.sync`.
fn meet(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let &agent = stuck.first()?;
    match acts_on(&replay.machine, replay.state(), agent)? {
        Object::Bar(_) => threads::remedy(scene, replay, agent),
        Object::Cluster(_) => Some("Let every agent of the cluster arrive, or end.".to_owned()),
        Object::Warp(_) => Some("Let every lane of the mask come to it, or end.".to_owned()),
        _ => None,
    }
}

/// For each mbarrier object that agents wait for without having arrived, where they are as many as it lacks arrivals.
fn waits_without_arriving(
    scene: &Scene,
    replay: &Replay,
    stuck: &[usize],
) -> Vec<(Vec<usize>, String)> {
    let (machine, state) = (&replay.machine, replay.state());
    let waited = together(stuck, |agent| acts_on(machine, state, agent));
    let said = waited.into_iter().filter_map(|(object, agents)| {
        let Some(Object::Mbarrier(index)) = object else { return None };
        let at = state.mbarriers[index];
        let arrived: Vec<usize> = arrived(replay, index).into_iter().collect();
        // Of those that would bring more, but for a wait of theirs, who has not come yet.
        let coming = Coming::at(replay, index, &agents).agents;
        if !coming.ready.is_empty() || !coming.held.is_empty() {
            let late = coming.held.iter().copied().filter(|agent| !arrived.contains(agent));
            let late: Vec<usize> = late.collect();
            let all = coming.ready.is_empty() && late.len() as i64 == i64::from(at.pending);
            return (all && !late.is_empty() && !arrived.is_empty()).then(|| {
                let name = object_name(scene, machine, Object::Mbarrier(index));
                let said = format!(
                    "In phase {} of {name} {} arrived; {} did not.",
                    at.phase,
                    names(scene, &arrived),
                    names(scene, &late)
                );
                (Vec::new(), said)
            });
        }
        let arrives = |agent: usize| may_come(machine, &replay.states[0], agent, index);
        let without = without_arriving(&agents, &arrived, i64::from(at.pending), arrives)?;
        let name = object_name(scene, machine, Object::Mbarrier(index));
        let said = wait_without_arriving(scene, (at.phase, &name), &arrived, &without);
        Some((without, said))
    });
    said.collect()
}

/// The agents that arrived at an object in its running phase.
pub(super) fn arrived(replay: &Replay, object: usize) -> OrderedSet<usize> {
    let machine = &replay.machine;
    let phase = replay.state().mbarriers[object].phase;
    let arrives = |done: &&super::replay::Done| {
        let nodes = &machine.context.program.body_of(done.step.agent).nodes;
        matches!(action_of(&nodes[done.node as usize]), Some(Action::Arrive { .. }))
    };
    let own = replay.done.iter().filter(|done| {
        done.note.copy.is_none()
            && done.note.object == Some(Object::Mbarrier(object))
            && done.note.phase == Some(phase)
            && !done.note.completes
    });
    own.filter(arrives).map(|done| done.step.agent).collect()
}

/// The nodes that can be reached from one.
pub(super) fn reachable(machine: &Machine, agent: usize, node: u32) -> OrderedSet<u32> {
    let nodes = &machine.context.program.body_of(agent).nodes;
    let mut seen = OrderedSet::new();
    let mut stack = alloc::vec![node];
    while let Some(node) = stack.pop() {
        if seen.insert(node) {
            stack.extend(tidegate_model::reach::successors(&nodes[node as usize]));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_that_wait_alike_are_told_in_one_sentence() {
        let wait = "loop { mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0; if p { break } }";
        let arrive = "mbarrier.arrive.shared::cta.b64 _, [full]";
        let text = format!(
            "target sm_90\nlaunch ctas=1 warps=8\nmbarrier full\n\
             warp 0 {{\n  mbarrier.init.shared::cta.b64 [full], 8\n  bar.sync 0\n  {arrive}\n  {wait}\n}}\n\
             warp 1-7 {{\n  bar.sync 0\n  {wait}\n  {arrive}\n}}\n"
        );
        assert_eq!(
            crate::testing::said(&text)[2..],
            [
                "warp 0 to warp 7 wait on full for parity 0, the end of phase 0: phase 0 has 1 of 8 arrivals. warp 1 to warp 7 would arrive only after these waits.",
                "In phase 0 of full warp 0 arrived; warp 1 to warp 7 wait for it without having arrived.",
            ]
        );
    }

    #[test]
    fn what_is_asked_for_is_said_of_one_and_of_several() {
        let at = Mbarrier { valid: true, ..Mbarrier::default() };
        let of = |asked| asked_for(asked, at);
        assert_eq!(of(Asked::Parity(1)), ["parity 1", "parity 1"]);
        assert_eq!(of(Asked::Parity(2))[0], "parity 0, the end of phase 0");
    }
}
