//! Lints for NVIDIA that need no search.

use super::replay::Replay;
use crate::cause::{At, Finding as Found, Ptx, PtxFact};
use crate::finding::finding;
use crate::report::Finding;
use crate::scene::Scene;
use crate::tell::{help, say};
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
    let mut misfits: Vec<(Misfit, Vec<u16>)> = Vec::new();
    for (index, misfit) in all_misfits(scene, context, target) {
        let of = |index: u16| String::from(array(&scene.mbarrier_name(index)));
        let same = |one: &Misfit| {
            (one.count, one.wanted, &one.why) == (misfit.count, misfit.wanted, &misfit.why)
        };
        match misfits.iter_mut().find(|(one, all)| same(one) && of(all[0]) == of(index)) {
            Some((_, all)) => all.push(index),
            None => misfits.push((misfit, alloc::vec![index])),
        }
    }
    let found = misfits.into_iter().map(|(Misfit { count, wanted, why, first }, all)| {
        let objects = all.into_iter().map(|index| scene.mbarrier_name(index)).collect();
        let cause = Ptx::ArriveCount { objects, count, arrivals: wanted };
        let help = help::ptx::allocate_or_arrive(wanted);
        let found = Found::new(cause, alloc::vec![why.into()], Some(first)).with_help(Some(help));
        finding(scene, RuleId::TlxArriveCount, Schedules::All, found)
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
    why: PtxFact,
    /// The first arrive.
    first: At,
}

/// The allocations whose count does not fit.
fn all_misfits(
    scene: &Scene,
    context: &Context,
    target: &Target,
) -> impl Iterator<Item = (u16, Misfit)> {
    let arriving = arriving(scene, context).into_iter();
    arriving.filter_map(move |(index, one)| Some((index, misfit(context, index, one, target)?)))
}

fn misfit(context: &Context, index: u16, of: Arrivals, target: &Target) -> Option<Misfit> {
    let count = context.program.mbarriers.get(usize::from(index)).copied()??;
    let first = of.first?;
    let arriving = of.agents;
    let groups: Vec<Arriving> = arriving.into_values().collect();
    let wanted = arrive_count::check(count, &groups).err()?;
    let why = match groups.iter().all(|group| group.count == 0) {
        true => PtxFact::ArrivesExpect,
        false => PtxFact::GroupsArrive {
            groups: groups.len() as i64,
            arrivals: wanted,
            waves: matches!(target.family, Family::Amdgpu { .. }),
        },
    };
    Some(Misfit { count, wanted, why, first })
}

/// The help for more arrivals than a TLX barrier is allocated for; `None` if the count fits.
pub(super) fn allocate(
    scene: &Scene,
    replay: &Replay,
    index: usize,
    target: &Target,
) -> Option<String> {
    let (declared, _) = replay.machine.named(index);
    let (_, Misfit { count, wanted, why, .. }) =
        all_misfits(scene, &replay.machine.context, target)
            .find(|(index, one)| *index == declared && one.wanted > one.count)?;
    Some(help::ptx::allocate(wanted, count, &say(scene, &why.into())))
}

/// The arrives at a barrier.
#[derive(Default)]
struct Arrivals {
    agents: OrderedMap<usize, Arriving>,
    waits: OrderedSet<usize>,
    /// The statements, each with its agent.
    seen: OrderedSet<(usize, u32)>,
    first: Option<At>,
}

/// The TLX arrives of the agents of the first CTA at each barrier.
fn arriving(scene: &Scene, context: &Context) -> OrderedMap<u16, Arrivals> {
    let mut all: OrderedMap<u16, Arrivals> = OrderedMap::new();
    for (agent, node, operation) in context.operations() {
        if context.program.agents[agent].workgroup != 0 {
            continue;
        }
        match operation.action {
            Any::Ptx(Action::Wait { name, .. }, _) => {
                all.entry(name.index).or_default().waits.insert(agent);
            }
            Any::Ptx(Action::Arrive { name, form }, Spelling::Tlx | Spelling::TlxCopy) => {
                let at = all.entry(name.index).or_default();
                at.first = at.first.or(Some((agent, node)));
                let later = at.waits.contains(&agent);
                let arriving = Arriving { later, ..Arriving::default() };
                let group = at.agents.entry(agent).or_insert(arriving);
                group.bytes |= form.expect.is_some();
                let count = if form.expect.is_some() { 0 } else { form.count };
                group.count = group.count.max(count);
                // The iterations of a loop arrive in several phases, and two statements possibly in one.
                if at.seen.insert((agent, scene.source(agent, node).span.start)) {
                    group.most = group.most.saturating_add(count);
                }
            }
            _ => {}
        }
    }
    all
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
        let operation = (agent, node);
        let (cause, fact) = match rule {
            RuleId::TlxSingleArrive => {
                (Ptx::SeveralArrivals { operation, arrivals: number }, PtxFact::OneRecommended)
            }
            _ => {
                let parity = number & 1;
                (Ptx::WideParity { operation, parity: number }, PtxFact::LowParity { parity })
            }
        };
        let found = Found::new(cause, alloc::vec![fact.into()], Some(operation));
        Some(finding(scene, rule, Schedules::All, found))
    });
    found.collect()
}

/// Limit of places for one lint.
const MOST_PLACES: usize = 10;
