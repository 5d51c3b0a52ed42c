//! Lints for NVIDIA that need no search.

use super::replay::Replay;
use crate::explain::names::object;
use crate::explain::{self, Told};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::ptx::action::{Action, Asked, Spelling};
use tidegate_model::ptx::mbarrier::parity_value;
use tidegate_model::rule::RuleId;
use tidegate_model::target::{Family, Target};
use tidegate_model::tlx::arrive_count::{self, Arriving};
use tidegate_model::tlx::single_arrive;
use tidegate_model::verdict::Schedules;

/// Finds `tlx.arrive-count`, at the first arrive at each allocation whose count does not fit, and the lints on single
/// operations.
pub(super) fn find(scene: &Scene, context: &Context, target: &Target) -> Vec<Finding> {
    let mut told: Vec<(Misfit, Vec<u16>)> = Vec::new();
    for index in 0..context.program.mbarriers.len() as u16 {
        let Some(misfit) = misfit(context, index, target) else { continue };
        let of = |index: u16| String::from(array(&scene.mbarrier_name(index)));
        let same = |one: &Misfit| {
            (one.count, one.wanted, &one.because) == (misfit.count, misfit.wanted, &misfit.because)
        };
        match told.iter_mut().find(|(one, all)| same(one) && of(all[0]) == of(index)) {
            Some((_, all)) => all.push(index),
            None => told.push((misfit, alloc::vec![index])),
        }
    }
    let found = told.into_iter().map(|(misfit, all)| {
        let name = scene.mbarrier_name(all[0]);
        let (who, are) = match all[..] {
            [_] => (object(&name), "is"),
            [first, last] => {
                let names = [first, last].map(|index| object(&scene.mbarrier_name(index)));
                (names.join(" and "), "are")
            }
            _ => (format!("{} barriers of `{}`", all.len(), array(&name)), "are"),
        };
        let told = Told {
            message: format!(
                "{who} {are} allocated with arrive_count {}, but the arrives at {} make {}",
                misfit.count,
                if all.len() == 1 { "it" } else { "each" },
                misfit.wanted
            ),
            because: alloc::vec![misfit.because],
            agent: Some(misfit.first.0),
            node: Some(misfit.first.1),
            remedy: Some(format!(
                "allocate with arrive_count={}, or change the number of arrivals in each phase",
                misfit.wanted
            )),
            ..Told::default()
        };
        finding(scene, RuleId::TlxArriveCount, Schedules::All, told)
    });
    found.chain(numbers(scene, context)).collect()
}

/// The name of the array of an element.
fn array(name: &str) -> &str {
    name.split_once('[').map_or(name, |(array, _)| array)
}

/// An arrive_count that does not fit.
struct Misfit {
    count: i64,
    wanted: i64,
    because: String,
    /// The first arrive.
    first: (usize, u32),
}

fn misfit(context: &Context, index: u16, target: &Target) -> Option<Misfit> {
    let count = context.program.mbarriers.get(usize::from(index)).copied()??;
    let (arriving, first) = arriving(context, index)?;
    let groups: Vec<Arriving> = arriving.into_values().collect();
    let bytes = groups.iter().all(|group| group.count == 0);
    let wanted = arrive_count::check(count, &groups).err()?;
    let who = match (matches!(target.family, Family::Amdgpu { .. }), groups.len()) {
        (true, 1) => "wave arrives",
        (true, _) => "waves arrive",
        (false, 1) => "warp group arrives",
        (false, _) => "warp groups arrive",
    };
    let because = if bytes {
        "its arrives expect bytes, so one thread arrives for each transaction".to_owned()
    } else {
        let all: i64 = groups.iter().map(|group| group.count + i64::from(group.bytes)).sum();
        match groups.len() as i64 {
            many if all == many => format!("{many} {who} at it"),
            many => format!("{many} {who} at it, with {all} arrivals in total"),
        }
    };
    Some(Misfit { count, wanted, because, first })
}

/// The help for more arrivals than a TLX barrier is allocated for; `None` if the count fits.
pub(super) fn allocate(replay: &Replay, index: usize, target: &Target) -> Option<String> {
    let (declared, _) = replay.machine.named(index);
    let Misfit { count, wanted, because, .. } =
        misfit(&replay.machine.context, declared, target).filter(|one| one.wanted > one.count)?;
    Some(format!("allocate it with arrive_count={wanted} instead of {count}: {because}"))
}

/// The TLX arrives of the agents of the first CTA at a barrier, and the first one.
fn arriving(context: &Context, index: u16) -> Option<(OrderedMap<usize, Arriving>, (usize, u32))> {
    let mut found: OrderedMap<usize, Arriving> = OrderedMap::new();
    let mut waits = OrderedSet::new();
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

/// Finds `ptx.mbarrier.parity-value` and `tlx.single-arrive`, once for each statement.
fn numbers(scene: &Scene, context: &Context) -> Vec<Finding> {
    let mut seen = OrderedSet::new();
    let found = context.operations().filter_map(|(agent, node, operation)| {
        let (rule, number) = match operation.action {
            Any::Ptx(Action::Wait { asked: Asked::Parity(parity), .. }, _) => {
                (parity_value::check(parity).err()?, parity)
            }
            Any::Ptx(Action::Arrive { form, .. }, Spelling::Tlx) => {
                (single_arrive::check(form.count).err()?, form.count)
            }
            _ => return None,
        };
        let place = scene.source(agent, node).span;
        if seen.len() >= MOST_PLACES || !seen.insert((place.start, place.length)) {
            return None;
        }
        let what = explain::operation(scene, agent, node);
        let (message, note) = match rule {
            RuleId::TlxSingleArrive => (
                format!("{what} makes {number} arrivals in one call"),
                "TLX recommends one arrival for each call".to_owned(),
            ),
            _ => (
                format!("{what} uses parity {number}, of which only the lowest bit counts"),
                format!("it waits for parity {}", number & 1),
            ),
        };
        let because = alloc::vec![note];
        let told =
            Told { message, because, agent: Some(agent), node: Some(node), ..Told::default() };
        Some(finding(scene, rule, Schedules::All, told))
    });
    found.collect()
}

/// Limit of places for one lint.
const MOST_PLACES: usize = 10;
