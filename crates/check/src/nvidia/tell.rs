//! Sentences about programs of NVIDIA.

use super::facts::{self, Facts};
use super::replay::{Done, Object, Replay, begun, done_action, object_name, told};
use super::{parity, race, stuck, uses};
use crate::explain::{Told, few_or_together};
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
        return Told { message: rule.get().statement.to_owned(), ..Told::default() };
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

/// The counts of an object, whose phase began so many arrivals before its end: "phase 2 has 1 of 2 arrivals, and 128 bytes are still expected".
pub(crate) fn counts(object: Mbarrier, begun: i32) -> String {
    if !object.valid {
        return "it is not initialised".to_owned();
    }
    let bytes = match object.tx {
        0 => String::new(),
        1 => ", and 1 byte is still expected".to_owned(),
        tx if tx > 0 => format!(", and {tx} bytes are still expected"),
        -1 => "; 1 byte more was completed than expected".to_owned(),
        tx => format!("; {} bytes more were completed than expected", -i64::from(tx)),
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
    let name = last
        .note
        .object
        .map(|object| object_name(scene, &replay.machine, object))
        .unwrap_or_default();
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
            let (message, why) = uses::tell(scene, replay, before, last);
            (message, because(why))
        }
        RuleId::PtxMbarrierMissingWait => (
            format!(
                "{what} arrives in phase {} of {name} before any wait has observed that phase {} completed.",
                phase(state),
                phase(state).wrapping_sub(1)
            ),
            because(format!(
                "Phase {} was completed by {}.",
                phase(state).wrapping_sub(1),
                completing(scene, replay, last).unwrap_or_default()
            )),
        ),
        RuleId::PtxMbarrierOverArrival => (
            format!("{what} arrives more often than {name} waits for."),
            because(state.map(counts).map(|counts| format!("{counts}.")).unwrap_or_default()),
        ),
        RuleId::PtxMbarrierNoComplete => (
            format!("{what} is marked .noComplete and completes phase {} of {name}.", phase(state)),
            because(format!(
                "It is the last arrival that the phase waits for: {}.",
                state.map(counts).unwrap_or_default()
            )),
        ),
        RuleId::PtxMbarrierLateExpectTx => (
            format!(
                "{what} brings the tx-count of {name} to zero with no arrival pending: by the letter nothing completes the phase."
            ),
            because(format!("Before it {}.", state.map(counts).unwrap_or_default())),
        ),
        RuleId::PtxMbarrierParityAlias => (
            format!(
                "{what} returns on phase {} of {name}; in other schedules the same wait returns on an earlier phase of the same parity.",
                phase(state).wrapping_sub(1)
            ),
            because(
                parity::written_for(scene, replay, before, last.step.agent).unwrap_or_default(),
            ),
        ),
        RuleId::PtxMbarrierFirstParity => (
            format!(
                "{what} returns at once: {name} is fresh, and no phase of parity 1 came before."
            ),
            because(String::from(
                "That is intended where there is nothing to wait for yet, as before a producer fills a stage for the first time. A wait for the first phase asks for parity 0.",
            )),
        ),
        RuleId::PtxMbarrierPhaseWindow => (
            format!(
                "{what} asks {name} for a phase that is neither the running one nor the one before."
            ),
            because(format!("Phase {} is running.", phase(state))),
        ),
        RuleId::PtxBarCountMismatch => (
            format!("{what} names another thread count than those that use {name} now."),
            facts.of(rule),
        ),
        RuleId::PtxBarDoubleArrive => (
            format!("{what} uses {name} again before it completed."),
            because(format!(
                "It arrived before with {}.",
                earlier(&|done| done.step.agent == last.step.agent)
            )),
        ),
        RuleId::PtxClusterArriveOnce
            if matches!(done_action(&replay.machine, last), Some(Action::ClusterWait { .. })) =>
        {
            (
                format!(
                    "{what} waits at the cluster barrier without an arrive of its own before it."
                ),
                facts.of(rule),
            )
        }
        RuleId::PtxAsyncCopyOutstandingAtExit => {
            let copies = replay.machine.outstanding(before, last.step.agent);
            (
                format!(
                    "{what} ends while a bulk copy may still use the shared memory of its CTA."
                ),
                because(format!(
                    "No wait has observed the completion of {}.",
                    few_or_together(scene, &copies)
                )),
            )
        }
        RuleId::PtxClusterExitedCta => (
            format!("{what} acts on {name}, whose CTA may have ended."),
            because(String::from("Every warp of that CTA has ended before it in this schedule.")),
        ),
        _ => (format!("{what}: {}", rule.get().statement), facts.of(rule)),
    }
}

fn phase(state: Option<Mbarrier>) -> u32 {
    state.map_or(0, |object| object.phase)
}

/// The step that completed the phase before the running one of the object of the last step.
fn completing(scene: &Scene, replay: &Replay, last: &Done) -> Option<String> {
    let steps = &replay.done[..replay.done.len() - 1];
    let done = steps
        .iter()
        .rev()
        .find(|done| done.note.object == last.note.object && done.note.completes)?;
    Some(told(scene, done))
}
