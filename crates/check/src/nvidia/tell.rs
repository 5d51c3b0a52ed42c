//! Sentences about programs of NVIDIA.

use super::facts::{self, Facts};
use super::replay::{Done, Object, Replay, begun, done_action, named, told};
use super::{parity, race, stuck, uses};
use crate::explain::{Told, few_or_together, line};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::ptx::action::Action;
use tidegate_model::ptx::machine::bit;
use tidegate_model::ptx::machine::state::State;
use tidegate_model::ptx::transition::Mbarrier;
use tidegate_model::rule::RuleId;
use tidegate_model::target::Target;

/// Tells a broken rule at the end of a replayed witness.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId, target: &Target) -> Told {
    let at_end = replay.state().broken & bit(rule) == 0;
    if at_end {
        return stuck::tell(scene, replay, rule);
    }
    let Some(last) = replay.done.last() else {
        return Told { message: line(rule.get().statement), ..Told::default() };
    };
    if matches!(rule, RuleId::PtxAsyncCopyAccess | RuleId::MemRace)
        && let Some(told) = race::tell(scene, replay, rule)
    {
        return told;
    }
    let before = &replay.states[replay.done.len() - 1];
    let agent = last.note.copy.map_or(last.step.agent, |copy| copy.agent as usize);
    let (message, because) = sentences(scene, replay, before, last, rule);
    let remedy = facts::remedy(replay, last, rule, target);
    Told { message, because, agent: Some(agent), node: Some(last.node), remedy, ..Told::default() }
}

/// Describes the counts of an object whose phase began with `begun` pending arrivals: "phase 2 has 1 of 2 arrivals, and
/// 128 bytes are still expected".
pub(crate) fn counts(object: Mbarrier, begun: i32) -> String {
    if !object.valid {
        return "it is not initialised".to_owned();
    }
    let bytes = match object.tx {
        0 => String::new(),
        1 => ", and 1 byte is still expected".to_owned(),
        tx if tx > 0 => format!(", and {tx} bytes are still expected"),
        -1 => "; 1 byte too many was completed".to_owned(),
        tx => format!("; {} bytes too many were completed", -i64::from(tx)),
    };
    let arrived = begun - object.pending;
    format!("phase {} has {arrived} of {begun} arrivals{bytes}", object.phase)
}

fn sentences(
    scene: &Scene,
    replay: &Replay,
    before: &State,
    last: &Done,
    rule: RuleId,
) -> (String, Vec<String>) {
    let what = told(scene, last);
    let name =
        last.note.object.map(|object| named(scene, &replay.machine, object)).unwrap_or_default();
    let state = match last.note.object {
        Some(Object::Mbarrier(index)) => Some(before.mbarriers[index]),
        _ => None,
    };
    let earlier = |keep: &dyn Fn(&Done) -> bool| -> String {
        let steps = replay.done[..replay.done.len() - 1].iter();
        let kept = steps.filter(|done| done.note.object == last.note.object && keep(done));
        let at: Vec<(usize, u32)> = kept.map(|done| (done.step.agent, done.node)).collect();
        few_or_together(scene, &at)
    };
    let because = |sentence: String| alloc::vec![sentence];
    let counts = |object: Mbarrier| match last.note.object {
        Some(Object::Mbarrier(index)) => {
            let steps = &replay.done[..replay.done.len() - 1];
            counts(object, begun(replay, steps, index, object))
        }
        _ => counts(object, object.expected),
    };
    let facts = Facts { scene, replay, before, last };
    match rule {
        RuleId::PtxMbarrierValidObject | RuleId::PtxMbarrierInitVisibility => {
            uses::tell(scene, replay, before, last)
        }
        RuleId::PtxMbarrierMissingWait => (
            format!(
                "{what} arrives in phase {} of {name} before a wait observed phase {}",
                phase(state),
                phase(state).wrapping_sub(1)
            ),
            because(format!(
                "phase {} was completed by {}",
                phase(state).wrapping_sub(1),
                completing(scene, replay, last).unwrap_or_default()
            )),
        ),
        RuleId::PtxMbarrierOverArrival => (
            format!("{what} exceeds the expected arrivals of {name}"),
            because(state.map(counts).unwrap_or_default()),
        ),
        RuleId::PtxMbarrierNoComplete => (
            format!("{what} is marked .noComplete but completes phase {} of {name}", phase(state)),
            because(format!(
                "it is the last missing arrival: {}",
                state.map(counts).unwrap_or_default()
            )),
        ),
        RuleId::PtxMbarrierLateExpectTx => (
            format!("{what} sets the tx-count of {name} to zero after the last arrival"),
            alloc::vec![
                "by the specification, expect_tx does not complete the phase".to_owned(),
                format!("before it, {}", state.map(counts).unwrap_or_default()),
            ],
        ),
        RuleId::PtxMbarrierParityAlias => (
            format!(
                "{what} returns on phase {} of {name}, but in other schedules on an earlier phase of the same parity",
                phase(state).wrapping_sub(1)
            ),
            parity::written_for(scene, replay, before, last.step.agent).unwrap_or_default(),
        ),
        RuleId::PtxMbarrierFirstParity => (
            format!("{what} returns at once, before phase 0 of {name} completes"),
            Vec::from(
                [
                    "no phase of parity 1 precedes phase 0",
                    "this is intended if there is nothing to wait for, such as before a producer fills a stage for the first time",
                    "a wait for the first phase uses parity 0",
                ]
                .map(String::from),
            ),
        ),
        RuleId::PtxMbarrierPhaseWindow => (
            format!(
                "{what} waits for a phase of {name} that is neither current nor previous"
            ),
            because(format!("the current phase is {}", phase(state))),
        ),
        RuleId::PtxBarCountMismatch => (
            format!("{what} uses a thread count that differs from the current one of {name}"),
            facts.of(rule),
        ),
        RuleId::PtxBarDoubleArrive => (
            format!("{what} arrives at {name} again before it completed"),
            because(format!(
                "it arrived before with {}",
                earlier(&|done| done.step.agent == last.step.agent)
            )),
        ),
        RuleId::PtxClusterArriveOnce
            if matches!(done_action(&replay.machine, last), Some(Action::ClusterWait { .. })) =>
        {
            (
                format!(
                    "{what} waits at the cluster barrier without a preceding arrive"
                ),
                facts.of(rule),
            )
        }
        RuleId::PtxAsyncCopyOutstandingAtExit => {
            let copies = replay.machine.outstanding(before, last.step.agent);
            (
                format!(
                    "{what} ends while a bulk copy may still use the shared memory of its CTA"
                ),
                because(format!(
                    "no wait observed the completion of {}",
                    few_or_together(scene, &copies)
                )),
            )
        }
        RuleId::PtxClusterExitedCta => (
            format!("{what} accesses {name}, whose CTA may have ended"),
            because(String::from("every warp of that CTA has ended in this schedule")),
        ),
        _ => (format!("{what}: {}", line(rule.get().statement)), facts.of(rule)),
    }
}

fn phase(state: Option<Mbarrier>) -> u32 {
    state.map_or(0, |object| object.phase)
}

/// The step that completed the previous phase of the object of the last step.
fn completing(scene: &Scene, replay: &Replay, last: &Done) -> Option<String> {
    let steps = &replay.done[..replay.done.len() - 1];
    let done = steps
        .iter()
        .rev()
        .find(|done| done.note.object == last.note.object && done.note.completes)?;
    Some(told(scene, done))
}
