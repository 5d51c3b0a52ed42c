//! Lints of TLX.

use crate::explain::Told;
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::Action as Any;
use tidegate_model::ptx::action::{Action, Spelling};
use tidegate_model::rule::RuleId;
use tidegate_model::target::{Family, Target};
use tidegate_model::tlx::arrive_count;
use tidegate_model::verdict::Schedules;

/// `tlx.arrive-count`, at the first arrive at each barrier whose count does not fit.
pub(super) fn find(scene: &Scene, context: &Context, target: &Target) -> Vec<Finding> {
    let declared = context.program.mbarriers.iter().enumerate();
    let found = declared.filter_map(|(index, count)| {
        let arrivals = arrivals(context, index as u16);
        let &(agent, node, _) = arrivals.first()?;
        let agents: alloc::collections::BTreeSet<usize> =
            arrivals.iter().map(|&(agent, ..)| agent).collect();
        let bytes = arrivals.iter().all(|&(_, _, bytes)| bytes);
        let wanted = arrive_count::check((*count)?, agents.len(), bytes).err()?;
        let name = scene.mbarrier_name(index as u16);
        let who =
            if matches!(target.family, Family::Amdgpu { .. }) { "waves" } else { "warp groups" };
        let because = if bytes {
            "Its arrives come with expected bytes: one thread arrives for each transaction."
                .to_owned()
        } else {
            format!("{} {who} arrive at it.", agents.len())
        };
        let told = Told {
            message: format!(
                "{name} is allocated with arrive_count {}; its arrives make {wanted}.",
                (*count)?
            ),
            because: alloc::vec![because],
            agent: Some(agent),
            node: Some(node),
            ..Told::default()
        };
        Some(finding(scene, RuleId::TlxArriveCount, Schedules::All, told))
    });
    found.collect()
}

/// Arrives at a barrier by operations of TLX: the agent within the first CTA, the node, and whether bytes are expected.
fn arrivals(context: &Context, index: u16) -> Vec<(usize, u32, bool)> {
    let all = context.operations().filter_map(|(agent, node, operation)| match operation.action {
        Any::Ptx(Action::Arrive { name, form }, Spelling::Tlx | Spelling::TlxCopy)
            if name.index == index && context.program.agents[agent].workgroup == 0 =>
        {
            Some((agent, node, form.expect.is_some()))
        }
        _ => None,
    });
    all.collect()
}
