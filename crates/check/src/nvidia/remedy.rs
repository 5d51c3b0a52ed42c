//! What to do about waits that never complete: who should arrive where, or which bytes are expected and never come.

use super::replay::{Object, Replay, acts_on, begun, bytes, done_action, object_name};
use super::stuck::{Coming, arrived, by_parity, is_late, last_expect, may_come};
use crate::explain::{self, list, names};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::transition::Mbarrier;

/// What to do at the object where the knot lies.
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
        let what = last_expect(scene, replay, index)?;
        return Some(format!(
            "Expect the bytes before the last arrival, best with arrive.expect_tx, instead of with {what}."
        ));
    }
    let mut said = Vec::new();
    if at.pending > 0 {
        said.push(arrivals(scene, replay, (agent, index), &name));
    }
    if at.tx != 0 {
        said.push(transactions(scene, replay, index, &name));
    }
    if at.phase > 0 && by_parity(replay, agent).is_some() {
        let over = at.phase - 1;
        said.push(format!("Or see whether the wait means phase {over}, of parity {}.", over & 1));
    }
    Some(said.join(" "))
}

/// How far an object is from being what everybody waits for: bytes alone are missing, nobody can come, some came.
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

/// Who should arrive.
fn arrivals(scene: &Scene, replay: &Replay, (agent, index): (usize, usize), name: &str) -> String {
    let at = replay.state().mbarriers[index];
    let begun = begun(replay, &replay.done, index, at);
    let (phase, came) = (at.phase, begun - at.pending);
    let warps = replay.machine.context.program.launch.lanes == 1;
    let by_lanes = warps && came > 0 && begun % LANES == 0 && came <= begun / LANES;
    if by_lanes && came * LANES == begun {
        return format!(
            "{name} waits for {begun} arrivals, which is {LANES} for each that came. An arrive in an agent block counts once for its warp. If every lane arrives, add `lanes={LANES}` to the `launch` line, or write a kernel (`.entry`, `kernel`), which counts each thread."
        );
    }
    let lacks = match at.pending {
        1 => String::from("one arrival"),
        many => format!("{many} arrivals"),
    };
    let one = peers(replay, index);
    if !one.is_empty() {
        let verb = if one.len() == 1 { "never arrives" } else { "never arrive" };
        let how = example(scene, replay, index)
            .map_or_else(String::new, |how| format!(", as {how} does"));
        return format!(
            "{} {verb} at {name}, whose phase {phase} lacks {lacks}: let {} arrive there{how}, or initialise it for {} instead of {}.",
            names(scene, &one),
            if one.len() == 1 { "it" } else { "them" },
            at.expected - one.len() as i32,
            at.expected
        );
    }
    let begins = phase == 0
        && came == 0
        && by_parity(replay, agent).is_some_and(|(_, parity)| parity & 1 == 0);
    if begins && !Coming::at(replay, index, &[agent]).is_nothing() {
        return format!(
            "Everybody waits in a circle, and {name} has no arrival yet: let one of them begin, by an arrive at {name} before it waits, or by a first wait on parity 1 where nothing has to be waited for."
        );
    }
    let explain::coming::Coming { mut held, own, .. } = Coming::at(replay, index, &[agent]).agents;
    if !held.is_empty() {
        held.extend(own);
        held.sort_unstable();
        let at: Vec<(usize, u32)> =
            held.iter().map(|&agent| (agent, replay.state().agents[agent].node)).collect();
        let behind = list(&explain::places(scene, &at));
        let (verb, them) = if held.len() == 1 { ("brings", "it") } else { ("bring", "them") };
        return format!(
            "Phase {phase} of {name} lacks {lacks}, and {} {verb} more only behind {behind}: let {them} arrive before that, or another agent in its place.",
            names(scene, &held)
        );
    }
    // A drop lowers the count of later phases, and what the running one began with is not known any more.
    let counted = !replay.done.iter().any(|done| {
        let action = done_action(&replay.machine, done);
        done.note.object == Some(Object::Mbarrier(index))
            && matches!(action, Some(Action::Arrive { form, .. }) if form.drop)
    });
    let other = if counted && came > 0 && !by_lanes {
        format!(", or initialise it for {came} instead of {}", at.expected)
    } else {
        String::new()
    };
    format!(
        "Phase {phase} of {name} lacks {lacks}: add an arrive behind the last use of what it guards{other}."
    )
}

/// Agents that wait where one waits that arrived in the running phase, and that never arrive at the object themselves.
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

/// An arrive of the running phase, told.
fn example(scene: &Scene, replay: &Replay, index: usize) -> Option<String> {
    let object = Some(Object::Mbarrier(index));
    let done = replay.done.iter().rev().find(|done| {
        done.note.object == object
            && done.note.copy.is_none()
            && matches!(done_action(&replay.machine, done), Some(Action::Arrive { .. }))
    })?;
    Some(explain::operation(scene, done.step.agent, done.node))
}

/// Which bytes are missing, or too many.
fn transactions(scene: &Scene, replay: &Replay, index: usize, name: &str) -> String {
    let at @ Mbarrier { phase, tx, .. } = replay.state().mbarriers[index];
    let expects = replay.done.iter().filter(|done| {
        done.note.object == Some(Object::Mbarrier(index)) && done.note.phase == Some(at.phase)
    });
    let expects: Vec<(i64, (usize, u32))> = expects
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
    let came = bytes(expected - i64::from(tx));
    let by: Vec<(usize, u32)> = expects.into_iter().map(|(_, at)| at).collect();
    if tx < 0 || by.is_empty() {
        return format!(
            "In phase {phase} of {name} {came} completed, and {} were expected: expect as many as are copied.",
            bytes(expected)
        );
    }
    format!(
        "In phase {phase} of {name} {} are expected by {}, and {came} completed: copy what is missing, or expect as many as are copied.",
        bytes(expected),
        explain::few_or_together(scene, &by)
    )
}
