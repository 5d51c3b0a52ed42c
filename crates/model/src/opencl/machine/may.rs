//! The rules that can still be broken.

use super::call::check;
use super::node::action_of;
use super::state::State;
use crate::opencl::action::{Action, Arguments, Group, Instance};
use crate::operation;
use crate::ordered::OrderedMap;
use crate::program::successors;
use crate::program::{Body, Node};
use crate::reading::{ReadingId, Readings};
use crate::rule::RuleId;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Sets of rules, by number: those that steps from a node on can break, and those that can be broken before the next
/// barrier of the work-group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct May {
    pub(super) ever: u64,
    pub(super) near: u64,
}

/// The properties of the whole program.
#[derive(Clone, Copy)]
struct Program {
    /// Whether calls of one instance have different arguments.
    differ: bool,
    /// Whether too many waiters break a rule.
    over: bool,
    /// Whether the split barrier is used.
    splits: bool,
}

/// By body and node, an upper bound of the rules that steps from there can break. It excludes conflicts that only earlier
/// constructions of named barriers cause.
pub(super) fn may(bodies: &[Body], splits: bool, readings: &Readings) -> Rc<[Vec<May>]> {
    let mut called: OrderedMap<Instance, Arguments> = OrderedMap::new();
    let all = bodies.iter().flat_map(|body| &body.nodes).filter_map(action_of);
    let mut calls = all.filter_map(|action| Some((action.instance(), action.arguments()?)));
    let differ = calls.any(|(at, arguments)| *called.entry(at).or_insert(arguments) != arguments);
    let over = readings.chosen(ReadingId::OpenclOverSubscribed) == 1;
    let program = Program { differ, over, splits };
    bodies.iter().map(|body| closure(&body.nodes, program)).collect()
}

/// Whether no more than one rule can be broken at all.
pub(super) fn breaks_one(may: &[Vec<May>]) -> bool {
    of_all(may).count_ones() <= 1
}

/// Whether more than one of the rules that end paths can be broken.
pub(super) fn ends_paths_with_several(may: &[Vec<May>]) -> bool {
    let all = of_all(may);
    RuleId::of_opencl().filter(|rule| rule.ends_paths() && all & rule.bit() != 0).count() > 1
}

/// The rules that any node can break.
fn of_all(may: &[Vec<May>]) -> u64 {
    may.iter().flatten().fold(0, |set, may| set | may.ever)
}

/// The rules that each node and its successors can break.
fn closure(nodes: &[Node], program: Program) -> Vec<May> {
    let own: Vec<u64> = nodes.iter().map(|node| of(node, program)).collect();
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

/// Whether no work-item passes a node before all of the work-group reach it.
fn is_barrier(node: &Node) -> bool {
    matches!(action_of(node), Some(Action::Barrier { group: Group::Work, .. }))
}

/// The rules that the operation of a node can break before a path ends. While a step remains that ends the path, no
/// work-item is stuck. The end of a work-item can break the rules of the work-items that wait for it.
fn of(node: &Node, program: Program) -> u64 {
    let Node::Operation { operation, .. } = node else { return 0 };
    let Program { differ, over, splits } = program;
    let uniform = if differ { RuleId::OpenclBarrierUniformArguments.bit() } else { 0 };
    match operation.action {
        operation::Action::Opencl(action @ Action::Barrier { group, .. }) => {
            let arrives = splits && group == Group::Work;
            let twice = if arrives { RuleId::OpenclSplitArriveTwice.bit() } else { 0 };
            RuleId::OpenclBarrierAllEncounter.bit() | twice | uniform | of_call(action)
        }
        operation::Action::Opencl(action @ Action::Wait { .. }) => {
            let over = if over { RuleId::OpenclNamedOverSubscribed.bit() } else { 0 };
            RuleId::OpenclNamedSubGroupUniform.bit() | over | uniform | of_call(action)
        }
        operation::Action::Opencl(Action::Construct { .. }) => RuleId::OpenclNamedUniform.bit(),
        operation::Action::Memory(_) => RuleId::MemRace.bit(),
        _ => u64::MAX,
    }
}

/// The rules that a call breaks by itself.
fn of_call(action: Action) -> u64 {
    let mut state = State::default();
    check(&mut state, action);
    state.broken
}
