//! Parts of a state: agents of different parts share no barrier in anything that they may still do.
//!
//! No step of one part then changes what another part can do, so a search may finish one part before it begins the next. The
//! workgroup barrier, which the end of each wave drops, is shared only while these drops can be distinguished: some wave may
//! still use it, an arrive of the open phase is left, or there are not enough expected arrivals for all drops. The cluster
//! barrier is always shared, because the last wave of a workgroup drops it, and which one that is can decide a rule.

use crate::agent::{AgentState, Joined};
use crate::bounds::Counts;
use crate::context::Context;
use crate::instance::InstanceId;
use crate::reach::{InstanceSet, instance_bit};
use alloc::vec::Vec;

/// The part of each agent: the number of the first agent in it.
pub(crate) fn parts(
    context: &Context,
    agents: &[AgentState],
    counts: impl Fn(InstanceId) -> Counts,
) -> Vec<u32> {
    let live = || agents.iter().enumerate().filter(|(_, at)| !at.ended);
    let reach = |(agent, at): (usize, &AgentState)| context.reaches.from(agent, at.node);
    let used = live().map(reach).fold(0, |set, reach| set | reach.touches);
    let ends = |instance: InstanceId| {
        live().filter(|&(agent, _)| context.instances.workgroup_of(agent) == instance).count()
    };
    // Instances from 127 share a bit, so that their drops may be of another instance.
    let only_dropped = (0..127).take(context.instances.list.len()).filter(|&instance| {
        let Counts { arrived, expected } = counts(instance);
        used & instance_bit(instance) == 0 && arrived == 0 && expected >= ends(instance) as i32
    });
    let only_dropped = only_dropped.fold(0, |set, instance| set | instance_bit(instance));
    let shared = |(agent, at): (usize, &AgentState)| {
        let reach = reach((agent, at));
        let joined = if let Joined::Named(named, _) = at.joined { instance_bit(named) } else { 0 };
        let dropped = instance_bit(context.instances.workgroup_of(agent)) & !only_dropped;
        let cluster = instance_bit(context.instances.cluster_of(agent));
        reach.touches | reach.joins | joined | dropped | cluster
    };
    // Disjoint sets of objects, with the first agent that shares them.
    let mut sets: Vec<(InstanceSet, u32)> = Vec::new();
    for at in live() {
        let mut own = (shared(at), at.0 as u32);
        sets.retain(|&(set, first)| {
            let shares = set & own.0 != 0;
            if shares {
                own = (set | own.0, first.min(own.1));
            }
            !shares
        });
        sets.push(own);
    }
    let part = |(agent, at): (usize, &AgentState)| {
        let objects = if at.ended { 0 } else { shared((agent, at)) };
        let set = sets.iter().find(|(set, _)| set & objects != 0);
        set.map_or(agent as u32, |(_, first)| *first)
    };
    agents.iter().enumerate().map(part).collect()
}
