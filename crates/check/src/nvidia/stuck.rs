//! Waits that never return: their objects, the arrivals and bytes that can still come, and the help.

use super::coming::{Coming, arrived, is_late, last_expect, last_of, may_come};
use super::replay::{Object, Replay, act, acts_on, counts, object_name};
use super::{meeting, parity, remedy, threads};
use crate::cause::ptx::{self, Blocked};
use crate::cause::{At, Cause, Common, Finding, Ptx, PtxFact};
use crate::explain::coming::without_arriving;
use crate::scene::Scene;
use crate::tell::help;
use crate::tell::names::together;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::ptx::action::{Action, Asked};
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::machine::node::action_of;
use tidegate_model::ptx::machine::state::{Held, State};
use tidegate_model::rule::RuleId;

/// The waits that are blocked at the end of an execution.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId) -> Finding {
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
        && let Some(found) = parity::came_late(scene, replay, &stuck)
    {
        return found;
    }
    let waits: Vec<At> = stuck.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let first = waits.first().copied();
    let waits = Cause::from(Common::NeverReturn { waits });
    let over =
        (0..replay.machine.actors(state)).all(|actor| replay.machine.ways(state, actor) == 0);
    let mut facts: Vec<Cause> = groups(scene, replay, &stuck).flatten().collect();
    let without = waits_without_arriving(scene, replay, &stuck);
    let alone = together(&stuck, |agent| acts_on(&replay.machine, state, agent)).len() == 1;
    let known = match without.as_slice() {
        [(agents, object, _)] if over && alone && !agents.is_empty() => {
            let (agents, object) = (agents.clone(), object.clone());
            Some(Cause::from(Common::WithoutArriving { agents, object }))
        }
        _ => None,
    };
    facts.extend(without.into_iter().map(|(_, _, fact)| fact.into()));
    match &known {
        Some(_) => facts.insert(0, waits.clone()),
        None => facts.push(if over { Common::NoAgent } else { Common::Forever }.into()),
    }
    let help = match mbarriers {
        true => remedy::of(scene, replay, &stuck),
        false => meet(scene, replay, &stuck),
    };
    Finding::new(known.unwrap_or(waits), facts, first).with_help(help)
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
pub(crate) fn blocked(scene: &Scene, replay: &Replay, agent: usize) -> Vec<Cause> {
    facts(replay, &[agent], &why_of(scene, replay, agent))
}

/// Why the first of some agents is blocked, together with the agents that are blocked in the same way.
pub(super) fn blocked_alike(scene: &Scene, replay: &Replay, agents: &[usize]) -> Vec<Cause> {
    groups(scene, replay, agents).next().unwrap_or_default()
}

/// The facts of each group of agents that are blocked in the same way.
fn groups(scene: &Scene, replay: &Replay, agents: &[usize]) -> impl Iterator<Item = Vec<Cause>> {
    let kinds = together(agents, |agent| why_of(scene, replay, agent)).into_iter();
    kinds.map(|(why, agents)| facts(replay, &agents, &why))
}

/// Why agents are blocked, independent of the agent.
#[derive(PartialEq)]
struct Why {
    /// Where they are blocked.
    at: Blocked,
    /// The mbarrier object with its possible arrivals.
    mbarrier: Option<usize>,
}

fn facts(replay: &Replay, agents: &[usize], why: &Why) -> Vec<Cause> {
    let blocked = Ptx::Blocked { agents: agents.to_vec(), at: why.at.clone() };
    let arrivals = why.mbarrier.into_iter().flat_map(|it| arrivals(replay, it, agents));
    [Cause::from(blocked)].into_iter().chain(arrivals).collect()
}

fn why_of(scene: &Scene, replay: &Replay, agent: usize) -> Why {
    let state = replay.state();
    let action = replay.machine.node(state, agent).and_then(action_of);
    let of = acts_on(&replay.machine, state, agent);
    let object = of.map(|of| object_name(scene, &replay.machine, of)).unwrap_or_default();
    if let (Some(Object::Mbarrier(index)), Some(Action::Wait { asked, .. })) = (of, action) {
        let counts = counts(replay, &replay.done, index, state.mbarriers[index]);
        let asked = match asked {
            Asked::Parity(parity) => ptx::Asked::Parity(parity),
            Asked::Token(_) => ptx::Asked::Token,
        };
        let at = Blocked::Mbarrier { object, asked, counts };
        return Why { at, mbarrier: Some(index) };
    }
    let at = match (of, action) {
        (Some(Object::Bar(_) | Object::Cluster(_)), _)
            if state.agents[agent].held == Held::Gathering =>
        {
            Blocked::Lanes { object }
        }
        (Some(Object::Bar(index)), _) => {
            let bar = state.bars[index];
            Blocked::Bar { object, arrived: bar.arrived, threads: bar.threads.unwrap_or(0) }
        }
        (Some(Object::Cluster(_)), _) => {
            meeting::at(replay, object, meeting::missing_at_cluster(replay, agent))
        }
        (_, Some(Action::WarpSync { mask })) => {
            let missing = meeting::missing_lanes(replay, agent, mask);
            meeting::at(replay, "bar.warp.sync".to_string(), missing)
        }
        _ => Blocked::Elsewhere,
    };
    Why { at, mbarrier: None }
}

/// The agents and copies that can still arrive at an object.
fn arrivals(replay: &Replay, object: usize, waiting: &[usize]) -> Vec<Cause> {
    let coming = Coming::at(replay, object, waiting);
    let at = replay.state().mbarriers[object];
    let copies = coming.copies.iter().map(|&(agent, node, left)| match left {
        Some(bytes) => PtxFact::InFlight { copy: (agent, node), bytes },
        None => PtxFact::ArrivePending { operation: (agent, node) },
    });
    let node = |agent: usize| replay.state().agents[agent].node;
    let mut facts: Vec<Cause> = copies.map(Cause::from).collect();
    facts.extend(coming.agents.facts(Some(&node)));
    if coming.is_nothing() {
        facts.extend(nothing_comes(replay, object));
    }
    let net_zero = net_zero(replay, object).filter(|_| at.valid && at.pending > 0);
    facts.extend(net_zero.map(Cause::from));
    facts
}

/// An arrive of copies without `.noinc`, which does not lower the pending count.
fn net_zero(replay: &Replay, object: usize) -> Option<PtxFact> {
    let done = last_of(replay, object, |action| {
        matches!(action, Action::CopyArrive { no_increment: false, .. })
    })?;
    Some(PtxFact::NetZero { operation: act(done) })
}

fn nothing_comes(replay: &Replay, object: usize) -> Vec<Cause> {
    let at = replay.state().mbarriers[object];
    let nobody = (at.pending > 0 || !at.valid).then_some(Common::Nobody);
    let late = is_late(at).then(|| PtxFact::ExpectLate { operation: last_expect(replay, object) });
    let bytes = match at.tx {
        0 => None,
        1.. => Some(PtxFact::NoCopy),
        tx => Some(PtxFact::NoExpect { bytes: -i64::from(tx) }),
    };
    let over = at.phase.checked_sub(1).map(|phase| PtxFact::WouldReturn { phase });
    let own = late.into_iter().chain(bytes).chain(over).map(Cause::from);
    nobody.map(Cause::from).into_iter().chain(own).collect()
}

/// The help at a CTA or cluster barrier, or at `bar.warp.sync`.
fn meet(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let &agent = stuck.first()?;
    match acts_on(&replay.machine, replay.state(), agent)? {
        Object::Bar(_) => threads::remedy(scene, replay, agent),
        Object::Cluster(_) => Some(help::ptx::reach_cluster()),
        Object::Warp(_) => Some(help::ptx::reach_warp()),
        _ => None,
    }
}

/// For each mbarrier object on which as many agents wait without having arrived as arrivals are missing: these agents, its
/// name, and the fact. If blocked agents would arrive instead, only the fact.
fn waits_without_arriving(
    scene: &Scene,
    replay: &Replay,
    stuck: &[usize],
) -> Vec<(Vec<usize>, String, Common)> {
    let (machine, state) = (&replay.machine, replay.state());
    let waited = together(stuck, |agent| acts_on(machine, state, agent));
    let found = waited.into_iter().filter_map(|(of, agents)| {
        let Some(Object::Mbarrier(index)) = of else { return None };
        let at = state.mbarriers[index];
        let arrived: Vec<usize> = arrived(replay, index).into_iter().collect();
        let object = object_name(scene, machine, Object::Mbarrier(index));
        let fact = |arrived, missing: &[usize]| {
            let (object, missing) = (object.clone(), missing.to_vec());
            Common::Arrived { object, phase: at.phase, arrived, missing }
        };
        // The blocked agents that would arrive and have not.
        let coming = Coming::at(replay, index, &agents).agents;
        if !coming.ready.is_empty() || !coming.held.is_empty() {
            let late = coming.held.iter().copied().filter(|agent| !arrived.contains(agent));
            let late: Vec<usize> = late.collect();
            let all = coming.ready.is_empty() && late.len() as i64 == i64::from(at.pending);
            let some = !late.is_empty() && !arrived.is_empty();
            return (all && some).then(|| (Vec::new(), object.clone(), fact(arrived, &late)));
        }
        let arrives = |agent: usize| may_come(machine, &replay.states[0], agent, index);
        let without = without_arriving(&agents, &arrived, i64::from(at.pending), arrives)?;
        let fact = fact(arrived, &without);
        Some((without, object, fact))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use alloc::format;

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
}
