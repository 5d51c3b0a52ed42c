//! The machine oracle's part of a report.

use crate::cause::{Amd, Cause, Finding as Found};
use crate::finding::{finding, with_witness};
use crate::judge::{self, Broken, KeepGoing};
use crate::report::{Finding, OracleReport};
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::rc::Rc;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::onebit::{Machine, State, WIDTH};
use tidegate_model::operation::Operation;
use tidegate_model::rule::RuleId;
use tidegate_model::verdict::Schedules;

/// The judgement by the hardware model, with its number of states; `None` if it does not support the program.
pub(crate) fn ask(
    scene: &Scene,
    context: &Rc<Context>,
    options: &Options,
    keep_going: KeepGoing<'_>,
) -> Option<(OracleReport, u64)> {
    let (machine, judgement) = judge::by_machine(context, options, keep_going)?;
    let mut findings: Vec<Finding> =
        judgement.broken.iter().map(|broken| tell(scene, &machine, broken)).collect();
    findings.extend(wide_counts(scene, context));
    let report = OracleReport {
        verdict: judgement.verdict.word().to_owned(),
        exhaustive: judgement.exhaustive,
        findings,
    };
    Some((report, judgement.states))
}

fn tell(scene: &Scene, machine: &Machine, broken: &Broken) -> Finding {
    with_witness(scene, machine, broken, |_, replay, rule| match rule {
        RuleId::AmdMachineNeverCompletes => stuck(&replay.machine, replay.state()),
        _ => lost(replay.done.last().map(|done| (done.step.agent, done.node))),
    })
}

fn stuck(machine: &Machine, state: &State) -> Found {
    let blocked = |&agent: &usize| !state.agents[agent].ended && machine.ways(state, agent) == 0;
    let agents: Vec<usize> = (0..state.agents.len()).filter(blocked).collect();
    let waits: Vec<(usize, u32)> =
        agents.iter().map(|&agent| (agent, state.agents[agent].node)).collect();
    let first = waits.first().copied();
    let lost = state.lost.then_some(Amd::LostEarlier);
    let facts = [Amd::BitsStayClear { agents }].into_iter().chain(lost).map(Cause::from).collect();
    Found::new(Amd::StuckOnHardware { waits }, facts, first)
}

fn lost(last: Option<(usize, u32)>) -> Found {
    let operation = last.unwrap_or_default();
    let facts = Vec::from([Amd::NotWaited.into()]);
    Found::new(Amd::LosesCompletion { operation }, facts, last)
}

/// `amd.machine.count-width`: counts that seven bits do not hold.
fn wide_counts(scene: &Scene, context: &Context) -> Option<Finding> {
    let wide = |operation: &Operation| {
        operation.action.sets_expected().is_some_and(|expected| expected > WIDTH)
    };
    let (agent, node, _) = context.operations().find(|(_, _, operation)| wide(operation))?;
    let operation = (agent, node);
    let found = Found::new(Amd::WideCount { operation }, Vec::new(), Some(operation));
    Some(finding(scene, RuleId::AmdMachineCountWidth, Schedules::All, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn agents_at_one_operation_are_listed_together() {
        let text = "target gfx1250\nlaunch waves=32\nwave 0-30 {\n  arrive wg\n  wait wg\n}\nwave 31 {\n  wait wg\n}\n";
        let report = crate::check(&Scene::new("x.tide", text), &Options::default(), &mut |_| true);
        let said: Vec<String> = report.machine.map_or_else(Vec::new, |machine| {
            machine.findings.into_iter().map(|finding| finding.message).collect()
        });
        assert_eq!(
            said,
            [
                "`wait wg` (wave 0 to wave 30, line 5) and `wait wg` (wave 31, line 8) never return on the hardware model"
            ]
        );
    }
}
