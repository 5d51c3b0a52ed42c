//! Help for waits that never return: the missing arrivals, or the missing bytes.

use super::coming::{Coming, arrived, by_parity, is_late, last_expect, may_come};
use super::replay::{Object, Replay, acts_on, begun, done_action, object_name};
use crate::cause::At;
use crate::explain;
use crate::scene::Scene;
use crate::tell::help;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::object::Mbarrier;

/// The help for the object that causes the deadlock.
pub(super) fn of(scene: &Scene, replay: &Replay, stuck: &[usize]) -> Option<String> {
    let waits =
        stuck.iter().filter_map(|&agent| match acts_on(&replay.machine, replay.state(), agent)? {
            Object::Mbarrier(index) => Some((agent, index)),
            _ => None,
        });
    let (agent, index) = waits.min_by_key(|&(agent, index)| knot(replay, agent, index))?;
    let at = replay.state().mbarriers[index];
    let name = object_name(scene, &replay.machine, Object::Mbarrier(index));
    if !at.valid {
        return None;
    }
    if is_late(at) {
        return Some(help::ptx::expect_with_arrive(scene, last_expect(replay, index)?));
    }
    let mut said = Vec::new();
    if at.pending > 0 {
        said.push(arrivals(scene, replay, (agent, index), &name));
    }
    if at.tx != 0 {
        said.push(transactions(scene, replay, index, &name));
    }
    if at.phase > 0 && by_parity(replay, agent).is_some() {
        said.push(help::ptx::check_phase(at.phase - 1));
    }
    Some(said.join("; "))
}

/// The rank of an object as the cause: only bytes are missing, no agent can arrive, some agents arrived.
fn knot(replay: &Replay, agent: usize, index: usize) -> u8 {
    let at = replay.state().mbarriers[index];
    if at.pending == 0 {
        0
    } else if Coming::at(replay, index, &[agent]).is_nothing() {
        1
    } else {
        2 + u8::from(arrived(replay, index).is_empty())
    }
}

/// Lanes of a warp.
const LANES: i32 = 32;

/// The help for missing arrivals.
fn arrivals(scene: &Scene, replay: &Replay, (agent, index): (usize, usize), name: &str) -> String {
    let at = replay.state().mbarriers[index];
    let begun = begun(replay, &replay.done, index, at);
    let came = begun - at.pending;
    let warps = replay.machine.context.program.launch.lanes == 1;
    let by_lanes = warps && came > 0 && begun % LANES == 0 && came <= begun / LANES;
    // Some warps may arrive with all lanes, and others with one thread.
    let more = begun - came;
    let whole = more / (LANES - 1);
    if warps && more > 0 && more % (LANES - 1) == 0 && whole <= came {
        return match scene.entries() {
            [] => help::ptx::lanes(LANES, name, (begun, whole, came)),
            // In a kernel, each of these threads was selected.
            _ => help::ptx::selected(scene.text().contains("elect.sync"), name, (begun, came)),
        };
    }
    let one = peers(replay, index);
    if !one.is_empty() {
        let example = example(replay, index);
        return help::ptx::make_arrive(scene, &one, name, (example, at.expected));
    }
    let begins = at.phase == 0
        && came == 0
        && by_parity(replay, agent).is_some_and(|(_, parity)| parity & 1 == 0);
    if begins && !Coming::at(replay, index, &[agent]).is_nothing() {
        return help::ptx::break_circle(name);
    }
    let explain::coming::Coming { mut held, own, .. } = Coming::at(replay, index, &[agent]).agents;
    if !held.is_empty() {
        held.extend(own);
        held.sort_unstable();
        let held: Vec<At> =
            held.iter().map(|&agent| (agent, replay.state().agents[agent].node)).collect();
        return help::ptx::arrive_before(scene, name, &held, at.pending);
    }
    // A drop lowers the count of later phases, so the init no longer gives the count of this one.
    let counted = !replay.done.iter().any(|done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(index))
            && matches!(action, Some(Action::Arrive { form, .. }) if form.drop)
    });
    let other = (counted && came > 0 && !by_lanes).then_some((came, at.expected));
    help::ptx::add_arrivals(at.pending, name, other)
}

/// Agents that wait on the same object as an agent that arrived in the current phase, but never arrive at it.
fn peers(replay: &Replay, index: usize) -> Vec<usize> {
    let machine = &replay.machine;
    let state = replay.state();
    let came = arrived(replay, index);
    let waits = |agent: usize| -> Vec<Object> {
        let own =
            replay.done.iter().filter(|done| done.step.agent == agent && done.note.copy.is_none());
        let waits =
            own.filter(|done| matches!(done_action(machine, done), Some(Action::Wait { .. })));
        waits.filter_map(|done| done.note.object).chain(acts_on(machine, state, agent)).collect()
    };
    let those: Vec<Object> = came.iter().flat_map(|&agent| waits(agent)).collect();
    let never = |&agent: &usize| {
        let done = replay.done.iter().any(|done| {
            done.step.agent == agent
                && done.note.object == Some(Object::Mbarrier(index))
                && !matches!(
                    done_action(machine, done),
                    Some(Action::Wait { .. } | Action::Init { .. })
                )
        });
        !done && !may_come(machine, state, agent, index)
    };
    let alike = |agent: &usize| waits(*agent).iter().any(|object| those.contains(object));
    let on_it = |agent: &usize| acts_on(machine, state, *agent) == Some(Object::Mbarrier(index));
    let all = (0..state.agents.len()).filter(never).filter(alike).filter(|agent| !on_it(agent));
    let lacks = state.mbarriers[index].pending;
    Some(all.collect::<Vec<usize>>()).filter(|all| all.len() as i32 <= lacks).unwrap_or_default()
}

/// An arrive of the current phase.
fn example(replay: &Replay, index: usize) -> Option<At> {
    let object = Some(Object::Mbarrier(index));
    let done = replay.done.iter().rev().find(|done| {
        done.note.object == object
            && done.note.copy.is_none()
            && matches!(done_action(&replay.machine, done), Some(Action::Arrive { .. }))
    })?;
    Some((done.step.agent, done.node))
}

/// The help for missing or extra bytes.
fn transactions(scene: &Scene, replay: &Replay, index: usize, name: &str) -> String {
    let at @ Mbarrier { phase, tx, .. } = replay.state().mbarriers[index];
    let expects = replay.done.iter().filter(|done| {
        done.note.object == Some(Object::Mbarrier(index)) && done.note.phase == Some(at.phase)
    });
    let expects: Vec<(i64, At)> = expects
        .filter_map(|done| {
            let bytes = match done_action(&replay.machine, done)? {
                Action::Expect { bytes, .. } => bytes,
                Action::Arrive { form, .. } => form.expect?,
                _ => return None,
            };
            Some((bytes, (done.step.agent, done.node)))
        })
        .collect();
    let expected: i64 = expects.iter().map(|(bytes, _)| bytes).sum();
    let came = expected - i64::from(tx);
    let by: Vec<At> = expects.into_iter().map(|(_, at)| at).collect();
    match tx < 0 || by.is_empty() {
        true => help::ptx::expect_as_copied(name, phase, came, expected),
        false => help::ptx::copy_missing(scene, (name, phase), (came, expected), &by),
    }
}
