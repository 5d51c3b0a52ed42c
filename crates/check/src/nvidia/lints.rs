//! Lints of NVIDIA that the text alone decides.

use crate::explain::{self, Told};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::Action as Any;
use tidegate_model::ptx::action::{Action, Asked, Spelling};
use tidegate_model::ptx::mbarrier::parity_value;
use tidegate_model::rule::RuleId;
use tidegate_model::target::{Family, Target};
use tidegate_model::tlx::arrive_count::{self, Arriving};
use tidegate_model::verdict::Schedules;

/// `tlx.arrive-count`, at the first arrive at each barrier whose count does not fit; and waits for what is no parity.
pub(super) fn find(scene: &Scene, context: &Context, target: &Target) -> Vec<Finding> {
    let declared = context.program.mbarriers.iter().enumerate();
    let found = declared.filter_map(|(index, count)| {
        let (arriving, (agent, node)) = arriving(context, index as u16)?;
        let groups: Vec<Arriving> = arriving.into_values().collect();
        let bytes = groups.iter().all(|group| group.count == 0);
        let wanted = arrive_count::check((*count)?, &groups).err()?;
        let name = scene.mbarrier_name(index as u16);
        let who = match (matches!(target.family, Family::Amdgpu { .. }), groups.len()) {
            (true, 1) => "wave arrives",
            (true, _) => "waves arrive",
            (false, 1) => "warp group arrives",
            (false, _) => "warp groups arrive",
        };
        let because = if bytes {
            "Its arrives come with expected bytes: one thread arrives for each transaction."
                .to_owned()
        } else {
            let all: i64 = groups.iter().map(|group| group.count + i64::from(group.bytes)).sum();
            match groups.len() as i64 {
                many if all == many => format!("{many} {who} at it."),
                many => format!("{many} {who} at it, with {all} arrivals together."),
            }
        };
        let told = Told {
            message: format!(
                "{name} is allocated with arrive_count {}; its arrives make {wanted}.",
                (*count)?
            ),
            because: alloc::vec![because],
            agent: Some(agent),
            node: Some(node),
            remedy: Some(format!("Allocate it with arrive_count={wanted}, or let as many arrive in each phase as it counts.")),
            ..Told::default()
        };
        Some(finding(scene, RuleId::TlxArriveCount, Schedules::All, told))
    });
    found.chain(parities(scene, context)).collect()
}

/// How the agents of the first CTA arrive at a barrier by operations of TLX, and the first place where one does.
fn arriving(context: &Context, index: u16) -> Option<(BTreeMap<usize, Arriving>, (usize, u32))> {
    let mut found: BTreeMap<usize, Arriving> = BTreeMap::new();
    let mut waits = BTreeSet::new();
    let mut first = None;
    for (agent, node, operation) in context.operations() {
        if context.program.agents[agent].workgroup != 0 {
            continue;
        }
        match operation.action {
            Any::Ptx(Action::Wait { name, .. }, _) if name.index == index => {
                waits.insert(agent);
            }
            Any::Ptx(Action::Arrive { name, form }, Spelling::Tlx | Spelling::TlxCopy)
                if name.index == index =>
            {
                first = first.or(Some((agent, node)));
                let later = waits.contains(&agent);
                let group = found.entry(agent).or_insert(Arriving { later, ..Arriving::default() });
                group.bytes |= form.expect.is_some();
                group.count = group.count.max(if form.expect.is_some() { 0 } else { form.count });
            }
            _ => {}
        }
    }
    Some((found, first?))
}

/// `ptx.mbarrier.parity-value`, once at each wait that asks for a number which is no parity.
fn parities(scene: &Scene, context: &Context) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let found = context.operations().filter_map(|(agent, node, operation)| {
        let Any::Ptx(Action::Wait { asked: Asked::Parity(parity), .. }, _) = operation.action else {
            return None;
        };
        let rule = parity_value::check(parity).err()?;
        let place = scene.source(agent, node).span;
        if seen.len() >= MOST_PLACES || !seen.insert((place.start, place.length)) {
            return None;
        }
        let what = explain::operation(scene, agent, node);
        let told = Told {
            message: format!(
                "{what} asks for parity {parity}, of which the lowest bit alone counts: it waits for parity {}.",
                parity & 1
            ),
            agent: Some(agent),
            node: Some(node),
            ..Told::default()
        };
        Some(finding(scene, rule, Schedules::All, told))
    });
    found.collect()
}

/// Most places that one lint is told of.
const MOST_PLACES: usize = 10;
