//! Waits that never return: their objects, the arrivals and bytes that can still come, and the help.

use super::replay::{Object, Replay, acts_on, begun, bytes, done_action, named, told};
use super::tell::counts;
use super::{meeting, parity, remedy, threads};
use crate::explain::coming::{
    Coming as Arriving, FOREVER, NO_AGENT, NOBODY, wait_without_arriving, without_arriving,
    without_in_brief,
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

/// Describes the waits that are blocked at the end of an execution.
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
    let verb = if stuck.len() == 1 { "never returns" } else { "never return" };
    let waits = format!("{} {verb}", list(&explain::operations(scene, &standing)));
    let over =
        (0..replay.machine.actors(state)).all(|actor| replay.machine.ways(state, actor) == 0);
    let mut because = alike(scene, replay, &stuck);
    let without = waits_without_arriving(scene, replay, &stuck);
    let alone = together(&stuck, |agent| acts_on(&replay.machine, state, agent)).len() == 1;
    let brief = match without.as_slice() {
        [(agents, name, _)] if over && alone && !agents.is_empty() => {
            Some(without_in_brief(scene, name, agents))
        }
        _ => None,
    };
    because.extend(without.into_iter().map(|(_, _, said)| said));
    match &brief {
        Some(_) => because.insert(0, waits.clone()),
        None => because.push(if over { NO_AGENT } else { FOREVER }.to_owned()),
    }
    Told {
        message: brief.unwrap_or(waits),
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

/// Limit of states to visit for agents that are only blocked for a while.
const AHEAD: usize = 500;

/// States that can follow, the nearest first, up to [`AHEAD`].
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

/// Whether an agent is at one operation in all states and is blocked, or its test returns false.
fn never_goes_on(machine: &Machine, states: &[State], agent: usize) -> bool {
    let node = states[0].agents[agent].node;
    states.iter().all(|state| {
        let elsewhere = state.agents[agent].node != node;
        let told_no = machine.passes(state, agent, node) == Some(false);
        told_no || !elsewhere && machine.ways(state, agent) == 0
    })
}

/// Why an agent is blocked: the counts, the agents that can arrive, and why none will.
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> String {
    facts(scene, replay, &[agent], &why_of(scene, replay, agent)).join("; ")
}

/// Why the first of some agents is blocked, together with the agents that are blocked in the same way.
pub(super) fn blocked_alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Option<String> {
    groups(scene, replay, agents).next().map(|facts| facts.join("; "))
}

/// The facts of each group of agents that are blocked in the same way.
fn groups(scene: &Scene, replay: &Replay, agents: &[usize]) -> impl Iterator<Item = Vec<String>> {
    let kinds = together(agents, |agent| why_of(scene, replay, agent)).into_iter();
    kinds.map(|(why, agents)| facts(scene, replay, &agents, &why))
}

fn alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Vec<String> {
    groups(scene, replay, agents).flatten().collect()
}

/// Why agents are blocked, independent of the agent.
#[derive(PartialEq)]
struct Why {
    /// The predicate for one agent and for several.
    does: [String; 2],
    /// The mbarrier object with its possible arrivals.
    mbarrier: Option<usize>,
}

fn facts(scene: &Scene, replay: &Replay, agents: &[usize], why: &Why) -> Vec<String> {
    let does = &why.does[usize::from(agents.len() > 1)];
    let mut facts = Vec::from([format!("{} {does}", names(scene, agents))]);
    facts.extend(why.mbarrier.into_iter().flat_map(|it| arrivals(scene, replay, it, agents)));
    facts
}

fn why_of(scene: &Scene, replay: &Replay, agent: usize) -> Why {
    let waits = |at: &str, missing: &[usize]| {
        let [one, several] = meeting::lacks(scene, replay, missing);
        [format!("waits at {at}: {one}"), format!("wait at {at}: {several}")]
    };
    let state = replay.state();
    let action = replay.machine.node(state, agent).and_then(action_of);
    let object = acts_on(&replay.machine, state, agent);
    let name = object.map(|object| named(scene, &replay.machine, object)).unwrap_or_default();
    if let (Some(Object::Mbarrier(index)), Some(Action::Wait { asked, .. })) = (object, action) {
        let at = state.mbarriers[index];
        let counts = counts(at, begun(replay, &replay.done, index, at));
        let [one, several] = asked_for(asked, at);
        let does = [
            format!("waits on {name} for {one}: {counts}"),
            format!("wait on {name} for {several}: {counts}"),
        ];
        return Why { does, mbarrier: Some(index) };
    }
    let does = match (object, action) {
        (Some(Object::Bar(_) | Object::Cluster(_)), _)
            if state.agents[agent].held == Held::Gathering =>
        {
            [
                format!("waits at {name} for the other lanes of its warp"),
                format!("wait at {name} for the other lanes of their warps"),
            ]
        }
        (Some(Object::Bar(index)), _) => {
            let bar = state.bars[index];
            let threads = bar.threads.unwrap_or(0);
            let how =
                format!("blocked at {name}: {} of {threads} threads have arrived", bar.arrived);
            [format!("is {how}"), format!("are {how}")]
        }
        (Some(Object::Cluster(_)), _) => waits(&name, &meeting::missing_at_cluster(replay, agent)),
        (_, Some(Action::WarpSync { mask })) => {
            waits("`bar.warp.sync`", &meeting::missing_lanes(replay, agent, mask))
        }
        _ => ["is blocked".to_owned(), "are blocked".to_owned()],
    };
    Why { does, mbarrier: None }
}

/// The phase of a wait, for one wait and for several; a wait for the parity of the current phase waits for its end.
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

/// Agents and copies that can still arrive at an object.
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

/// Whether an agent can reach an operation that arrives at an object or completes bytes of it.
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

/// Describes the agents and copies that can still arrive at an object.
fn arrivals(scene: &Scene, replay: &Replay, object: usize, waiting: &[usize]) -> Vec<String> {
    let coming = Coming::at(replay, object, waiting);
    let at = replay.state().mbarriers[object];
    let mut parts = Vec::new();
    for &(agent, node, left) in &coming.copies {
        let started = explain::operation(scene, agent, node);
        parts.push(match left {
            Some(left) => {
                let left = bytes(i64::from(left));
                format!("the copy started by {started} is in flight and completes {left}")
            }
            None => {
                format!("the asynchronous arrive of {started} happens when its copies are complete")
            }
        });
    }
    let node = |agent: usize| replay.state().agents[agent].node;
    parts.extend(coming.agents.said(scene, Some(&node)));
    if coming.is_nothing() {
        parts.extend(nothing_comes(scene, replay, object));
    }
    parts.extend(net_zero(scene, replay, object).filter(|_| at.valid && at.pending > 0));
    parts
}

/// An arrive of copies without `.noinc`, which does not lower the pending count.
fn net_zero(scene: &Scene, replay: &Replay, object: usize) -> Option<String> {
    let counts_in = |done: &&super::replay::Done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(object))
            && matches!(action, Some(Action::CopyArrive { no_increment: false, .. }))
    };
    let done = replay.done.iter().rev().find(counts_in)?;
    let what = told(scene, done);
    Some(format!(
        "{what} raises the pending count before it arrives, so the phase gets no closer to completion; use `.noinc`"
    ))
}

/// The last expect_tx at an object; it does not check for phase completion.
pub(super) fn last_expect(scene: &Scene, replay: &Replay, object: usize) -> Option<String> {
    let expects = |done: &&super::replay::Done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(object))
            && matches!(action, Some(Action::Expect { .. }))
    };
    let done = replay.done.iter().rev().find(expects)?;
    Some(told(scene, done))
}

/// Whether the counts of an object are zero, but its phase is incomplete.
pub(super) fn is_late(at: Mbarrier) -> bool {
    at.valid && at.pending == 0 && at.tx == 0
}

fn nothing_comes(scene: &Scene, replay: &Replay, object: usize) -> Vec<String> {
    let at = replay.state().mbarriers[object];
    let mut parts = Vec::new();
    if at.pending > 0 || !at.valid {
        parts.push(NOBODY.to_owned());
    }
    if is_late(at) {
        let what = last_expect(scene, replay, object).unwrap_or_else(|| "an expect_tx".to_owned());
        parts.push(format!(
            "{what} set the tx-count to zero after the last arrival, and expect_tx does not complete the phase"
        ));
    }
    if at.tx > 0 {
        parts.push("no copy to it is in flight, and no remaining operation starts one".to_owned());
    }
    if at.tx < 0 {
        parts.push(format!("no remaining arrive expects the other {}", bytes(-i64::from(at.tx))));
    }
    if let Some(over) = at.phase.checked_sub(1) {
        parts.push(format!(
            "a wait for parity {} would return now, because phase {over} is complete",
            over & 1
        ));
    }
    parts
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

/// The help at a CTA or cluster barrier, or at `bar.warp.sync`.
fn meet(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let &agent = stuck.first()?;
    match acts_on(&replay.machine, replay.state(), agent)? {
        Object::Bar(_) => threads::remedy(scene, replay, agent),
        Object::Cluster(_) => Some("make every agent of the cluster arrive or end".to_owned()),
        Object::Warp(_) => Some("make every lane of the mask execute it or end".to_owned()),
        _ => None,
    }
}

/// For each mbarrier object on which as many agents wait without having arrived as arrivals are missing: these agents, its
/// name, and the note. If blocked agents would arrive instead, only the note.
fn waits_without_arriving(
    scene: &Scene,
    replay: &Replay,
    stuck: &[usize],
) -> Vec<(Vec<usize>, String, String)> {
    let (machine, state) = (&replay.machine, replay.state());
    let waited = together(stuck, |agent| acts_on(machine, state, agent));
    let said = waited.into_iter().filter_map(|(object, agents)| {
        let Some(Object::Mbarrier(index)) = object else { return None };
        let at = state.mbarriers[index];
        let arrived: Vec<usize> = arrived(replay, index).into_iter().collect();
        // The blocked agents that would arrive and have not.
        let coming = Coming::at(replay, index, &agents).agents;
        if !coming.ready.is_empty() || !coming.held.is_empty() {
            let late = coming.held.iter().copied().filter(|agent| !arrived.contains(agent));
            let late: Vec<usize> = late.collect();
            let all = coming.ready.is_empty() && late.len() as i64 == i64::from(at.pending);
            return (all && !late.is_empty() && !arrived.is_empty()).then(|| {
                let name = named(scene, machine, Object::Mbarrier(index));
                let said = wait_without_arriving(scene, (at.phase, &name), &arrived, &late);
                (Vec::new(), name, said)
            });
        }
        let arrives = |agent: usize| may_come(machine, &replay.states[0], agent, index);
        let without = without_arriving(&agents, &arrived, i64::from(at.pending), arrives)?;
        let name = named(scene, machine, Object::Mbarrier(index));
        let said = wait_without_arriving(scene, (at.phase, &name), &arrived, &without);
        Some((without, name, said))
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
    fn equal_waits_of_many_agents_are_one_note() {
        let wait = "loop { mbarrier.try_wait.parity.shared::cta.b64 p, [full], 0; if p { break } }";
        let arrive = "mbarrier.arrive.shared::cta.b64 _, [full]";
        let text = format!(
            "target sm_90\nlaunch ctas=1 warps=8\nmbarrier full\n\
             warp 0 {{\n  mbarrier.init.shared::cta.b64 [full], 8\n  bar.sync 0\n  {arrive}\n  {wait}\n}}\n\
             warp 1-7 {{\n  bar.sync 0\n  {wait}\n  {arrive}\n}}\n"
        );
        assert_eq!(
            crate::testing::said(&text)[3..],
            [
                "warp 0 to warp 7 wait on `full` for parity 0, the end of phase 0: phase 0 has 1 of 8 arrivals",
                "the next arrives of warp 1 to warp 7 come after these waits",
                "phase 0 of `full`: warp 0 has arrived, warp 1 to warp 7 have not",
            ]
        );
    }

    #[test]
    fn the_awaited_phase_is_described_for_one_and_for_several() {
        let at = Mbarrier { valid: true, ..Mbarrier::default() };
        let of = |asked| asked_for(asked, at);
        assert_eq!(of(Asked::Parity(1)), ["parity 1", "parity 1"]);
        assert_eq!(of(Asked::Parity(2))[0], "parity 0, the end of phase 0");
    }
}
