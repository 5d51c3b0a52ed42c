//! Which rules can still be broken.

use super::meet::check_call;
use super::state::{At, Standing, State};
use super::{Machine, action_of, bit};
use crate::opencl::action::{Action, Arguments, Group, Instance};
use crate::operation;
use crate::ordered::OrderedMap;
use crate::program::{Body, Node};
use crate::reach::successors;
use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Rules by number: that can be broken from a node on, and before the next barrier of the work-group is passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct May {
    ever: u64,
    near: u64,
}

/// By body and node the rules that steps from there on can break; more than can, never fewer. What is at odds only
/// because named barriers were constructed before is not in it.
pub(super) fn may(bodies: &[Body], readings: &Readings) -> Rc<[Vec<May>]> {
    let mut called: OrderedMap<Instance, Arguments> = OrderedMap::new();
    let all = bodies.iter().flat_map(|body| &body.nodes).filter_map(action_of);
    let mut calls = all.filter_map(|action| Some((action.instance(), action.arguments()?)));
    let differ = calls.any(|(at, arguments)| *called.entry(at).or_insert(arguments) != arguments);
    let over = readings.chosen(ReadingId::OpenclOverSubscribed) == 1;
    bodies.iter().map(|body| closure(&body.nodes, differ, over)).collect()
}

/// Whether no more than one rule can be broken at all.
pub(super) fn breaks_one(may: &[Vec<May>]) -> bool {
    let all = may.iter().flatten().fold(0, |set, may| set | may.ever);
    all.count_ones() <= 1
}

/// What each node and those behind it can break.
fn closure(nodes: &[Node], differ: bool, over: bool) -> Vec<May> {
    let own: Vec<u64> = nodes.iter().map(|node| of(node, differ, over)).collect();
    let mut may: Vec<May> = own.iter().map(|&own| May { ever: own, near: own }).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for id in (0..nodes.len()).rev() {
            let mut set = may[id];
            for &next in successors(&nodes[id]) {
                set.ever |= may[next as usize].ever;
                set.near |= if is_barrier(&nodes[id]) { 0 } else { may[next as usize].near };
            }
            changed |= set != may[id];
            may[id] = set;
        }
    }
    may
}

/// Whether nobody goes on behind a node while one of the work-group has not come there.
fn is_barrier(node: &Node) -> bool {
    matches!(action_of(node), Some(Action::Barrier { group: Group::Work, .. }))
}

/// What the operation of a node can break before a path ends: where a step is left that ends it, nobody is stuck. The end of a work-item breaks what those break that wait for it. `differ`:
/// whether calls of one instance have several arguments; `over`: whether too many waiters are a breach.
fn of(node: &Node, differ: bool, over: bool) -> u64 {
    let Node::Operation { operation, .. } = node else { return 0 };
    let uniform = if differ { bit(RuleId::OpenclBarrierUniformArguments) } else { 0 };
    match operation.action {
        operation::Action::Opencl(action @ Action::Barrier { .. }) => {
            bit(RuleId::OpenclBarrierAllEncounter) | uniform | of_call(action)
        }
        operation::Action::Opencl(action @ Action::Wait { .. }) => {
            let over = if over { bit(RuleId::OpenclNamedOverSubscribed) } else { 0 };
            bit(RuleId::OpenclNamedSubGroupUniform) | over | uniform | of_call(action)
        }
        operation::Action::Opencl(Action::Construct { .. }) => bit(RuleId::OpenclNamedUniform),
        operation::Action::Memory(_) => bit(RuleId::MemRace),
        _ => u64::MAX,
    }
}

/// What a call breaks by itself.
fn of_call(action: Action) -> u64 {
    let mut state = State::default();
    check_call(&mut state, action);
    state.broken
}

impl Machine {
    /// Whether what the step of an agent breaks is one rule behind which nothing is defined, and no work-item can break
    /// any other from a state on. The agent never comes to where the others wait: none of its work-group passes a barrier.
    pub(super) fn is_only(&self, state: &State, agent: usize, broken: u64) -> bool {
        let (new, group) = (broken & !state.broken, self.group(agent));
        let known = state.broken | new;
        let breaks_no_other = |(other, at): (usize, &At)| {
            let body = self.context.program.agents[other].body as usize;
            let may = self.may[body][at.node as usize];
            let rules = if self.group(other) == group { may.near } else { may.ever };
            at.standing == Standing::Ended || rules & !known == 0
        };
        new.count_ones() == 1
            && self.made_alike(state)
            && state.agents.iter().enumerate().all(breaks_no_other)
    }

    /// Whether all work-items have constructed the same.
    fn made_alike(&self, state: &State) -> bool {
        let mut made = state.made.chunks_exact(self.declared.max(1));
        let first = made.next();
        made.all(|other| Some(other) == first)
    }
}
