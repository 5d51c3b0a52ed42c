//! The causes of findings on programs of NVIDIA.

use super::facts::{self, Facts};
use super::replay::{Done, Object, Replay, act, counts, done_action, object_name};
use super::{parity, race, stuck, uses};
use crate::cause::field::Act;
use crate::cause::{At, Cause, Common, Finding, Ptx, PtxFact};
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::operation::Action as Any;
use tidegate_model::program::Node;
use tidegate_model::ptx::action::Action;
use tidegate_model::rule::RuleId;
use tidegate_model::target::Target;

/// The cause of a broken rule at the end of a replayed witness.
pub(super) fn tell(scene: &Scene, replay: &Replay, rule: RuleId, target: &Target) -> Finding {
    let at_end = replay.state().broken & rule.bit() == 0;
    if at_end {
        return stuck::tell(scene, replay, rule);
    }
    let Some(last) = replay.done.last() else {
        return Finding::new(Common::Rule { operation: None, rule }, Vec::new(), None);
    };
    if matches!(rule, RuleId::PtxAsyncCopyAccess | RuleId::MemRace)
        && let Some(found) = race::tell(scene, replay, rule)
    {
        return found;
    }
    let before = &replay.states[replay.done.len() - 1];
    let agent = last.note.copy.map_or(last.step.agent, |copy| copy.agent as usize);
    let given = Facts { scene, replay, before, last };
    let (cause, facts) = causes(&given, rule);
    let help = facts::remedy(scene, replay, last, rule, target);
    // An end may have no line of its own; the arrive that it leaves has one.
    let left = if rule == RuleId::PtxBarLeftover { given.first_left() } else { None };
    Finding::new(cause, facts, Some(left.unwrap_or((agent, last.node)))).with_help(help)
}

fn causes(facts: &Facts<'_>, rule: RuleId) -> (Ptx, Vec<Cause>) {
    let &Facts { scene, replay, before, last } = facts;
    let operation = act(last);
    let object = last.note.object.map(|object| object_name(scene, &replay.machine, object));
    let object = object.or_else(|| memory(facts)).unwrap_or_default();
    let steps = &replay.done[..replay.done.len() - 1];
    let counts = match last.note.object {
        Some(Object::Mbarrier(index)) => {
            Some(counts(replay, steps, index, before.mbarriers[index]))
        }
        _ => None,
    };
    let phase = counts.map_or(0, |counts| counts.phase);
    let noted: Vec<PtxFact> = match rule {
        RuleId::PtxMbarrierMissingWait => {
            let (phase, operation) = (phase.wrapping_sub(1), completing(replay, last));
            let more = counts.and_then(|counts| more(facts, &object, counts.expected));
            [PtxFact::CompletedBy { phase, operation }].into_iter().chain(more).collect()
        }
        RuleId::PtxMbarrierOverArrival => {
            let counts = counts.map(|counts| PtxFact::CountsAre { counts });
            counts.into_iter().chain(arrivals(scene, replay, last)).collect()
        }
        RuleId::PtxMbarrierNoComplete => {
            counts.map(|counts| PtxFact::LastMissing { counts }).into_iter().collect()
        }
        RuleId::PtxMbarrierLateExpectTx => {
            let counts = counts.map(|counts| PtxFact::CountsBefore { counts });
            [PtxFact::ExpectCompletesNothing].into_iter().chain(counts).collect()
        }
        RuleId::PtxMbarrierParityAlias => {
            parity::written_for(scene, replay, before, last.step.agent).unwrap_or_default()
        }
        RuleId::PtxMbarrierFirstParity => {
            Vec::from([PtxFact::NoPhaseBefore, PtxFact::MayBeMeant, PtxFact::FirstIsZero])
        }
        RuleId::PtxMbarrierPhaseWindow => Vec::from([PtxFact::CurrentPhase { phase }]),
        RuleId::PtxBarDoubleArrive => {
            let own = |done: &&Done| {
                done.note.object == last.note.object && done.step.agent == last.step.agent
            };
            let arrives: Vec<At> =
                steps.iter().filter(own).map(|done| (done.step.agent, done.node)).collect();
            Vec::from([PtxFact::ArrivedWith { arrives }])
        }
        RuleId::PtxAsyncCopyOutstandingAtExit => {
            let copies = replay.machine.outstanding(before, last.step.agent);
            Vec::from([PtxFact::NotObserved { copies }])
        }
        RuleId::PtxClusterExitedCta => Vec::from([PtxFact::WarpsEnded]),
        _ => facts.of(rule),
    };
    let cause = match rule {
        RuleId::PtxMbarrierValidObject | RuleId::PtxMbarrierInitVisibility => {
            return uses::tell(scene, replay, before, last);
        }
        RuleId::PtxMbarrierMissingWait => Ptx::ArrivesEarly { operation, object, phase },
        RuleId::PtxMbarrierOverArrival => Ptx::OverArrives { operation, object },
        RuleId::PtxMbarrierNoComplete => Ptx::CompletesUnmarked { operation, object, phase },
        RuleId::PtxMbarrierLateExpectTx => Ptx::LateExpect { operation, object },
        RuleId::PtxMbarrierParityAlias => {
            Ptx::Alias { operation, object, phase: phase.wrapping_sub(1) }
        }
        RuleId::PtxMbarrierFirstParity => Ptx::FirstParity { operation, object },
        RuleId::PtxMbarrierPhaseWindow => Ptx::OutsideWindow { operation, object },
        RuleId::PtxBarCountMismatch => Ptx::OtherCount { operation, object },
        RuleId::PtxBarDoubleArrive => Ptx::ArrivesAgain { operation, object },
        RuleId::PtxClusterArriveOnce
            if matches!(done_action(&replay.machine, last), Some(Action::ClusterWait { .. })) =>
        {
            Ptx::WaitsFirst { operation }
        }
        RuleId::PtxAsyncCopyOutstandingAtExit => Ptx::EndsWithCopy { operation },
        RuleId::PtxClusterExitedCta => Ptx::EndedCta { operation, object },
        _ => Ptx::Broken { operation, rule },
    };
    (cause, noted.into_iter().map(Cause::from).collect())
}

/// The memory that the last step loads or stores.
fn memory(facts: &Facts<'_>) -> Option<String> {
    let Facts { scene, replay, last, .. } = facts;
    let body = replay.machine.context.program.body_of(last.step.agent);
    let Node::Operation { operation, .. } = body.nodes.get(last.node as usize)? else {
        return None;
    };
    let Any::Memory(memory) = operation.action else { return None };
    let (read, write) = memory.accesses();
    Some(scene.buffer_name(read.or(write)?.buffer))
}

/// The step that completed the previous phase of the object of the last step.
fn completing(replay: &Replay, last: &Done) -> Option<Act> {
    let steps = &replay.done[..replay.done.len() - 1];
    let completes = |done: &&Done| done.note.object == last.note.object && done.note.completes;
    steps.iter().rev().find(completes).map(act)
}

/// The agents that have arrived at the object of the last step, if a phase expects fewer arrivals.
fn more(facts: &Facts<'_>, object: &str, expected: i32) -> Option<PtxFact> {
    let Facts { replay, last, .. } = facts;
    let arrives = |done: &&Done| {
        let action = done_action(&replay.machine, done);
        done.note.object == last.note.object && matches!(action, Some(Action::Arrive { .. }))
    };
    let mut agents: Vec<usize> =
        replay.done.iter().filter(arrives).map(|done| done.step.agent).collect();
    agents.sort_unstable();
    agents.dedup();
    let object = object.to_owned();
    (agents.len() > expected as usize).then_some(PtxFact::MoreArrive { object, expected, agents })
}

/// The arrivals of an arrive that makes several.
fn arrivals(scene: &Scene, replay: &Replay, last: &Done) -> Option<PtxFact> {
    let Some(Action::Arrive { form, .. }) = done_action(&replay.machine, last) else { return None };
    let arrivals = form.count;
    let said = crate::tell::names::operation(scene, last.step.agent, last.node);
    let is_written =
        said.split(|c: char| !c.is_alphanumeric()).any(|it| it.parse() == Ok(arrivals));
    (arrivals > 1).then(|| PtxFact::MakesArrivals {
        operation: act(last),
        arrivals,
        threads: !is_written,
    })
}
