//! The barriers of OpenCL programs, and the operations on them.

use crate::scene::Scene;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::opencl::action::{Action, Group};
use tidegate_model::opencl::machine::Machine;
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::OrderedSet;

/// A barrier that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Object {
    /// The barrier of a work-group.
    WorkGroup(u32),
    /// The split barrier of a work-group.
    Split(u32),
    /// The barrier of a sub-group, numbered over all work-groups.
    SubGroup(usize),
    /// A named barrier of a work-group, by its declaration.
    Named(u32, u16),
}

/// The name of a barrier, with its work-group if there are several.
pub(super) fn name(scene: &Scene, machine: &Machine, object: Object) -> String {
    let launch = machine.context.program.launch;
    let of = |name: String, group: u32| match machine.context.program.group_number(group) {
        Some(group) => format!("{name} of group {group}"),
        None => name,
    };
    match object {
        Object::WorkGroup(group) => of("work-group barrier".to_owned(), group),
        Object::Split(group) => of("split barrier".to_owned(), group),
        Object::Named(group, declared) => of(scene.named_barrier_name(declared), group),
        Object::SubGroup(sub_group) => {
            let waves = launch.waves as usize;
            let name = format!("barrier of subgroup {}", sub_group % waves);
            of(name, (sub_group / waves) as u32)
        }
    }
}

/// The barrier that an operation of a work-item acts on.
pub(super) fn object_of(machine: &Machine, agent: usize, action: Action) -> Object {
    let group = machine.group(agent);
    match action {
        Action::Barrier { group: Group::Work, .. } => Object::WorkGroup(group),
        Action::Barrier { group: Group::Sub, .. } => Object::SubGroup(machine.sub_group(agent)),
        Action::Construct { object, .. } | Action::Wait { object, .. } => {
            Object::Named(group, object)
        }
        Action::Arrive { .. } | Action::Await { .. } => Object::Split(group),
    }
}

/// The operation of OpenCL at a node of an agent.
pub(super) fn action_at(machine: &Machine, agent: usize, node: u32) -> Option<Action> {
    tidegate_model::opencl::machine::node::action_of(
        &machine.context.program.body_of(agent).nodes[node as usize],
    )
}

/// The barriers that the program uses.
pub(super) fn used(machine: &Machine) -> Vec<Object> {
    let all: OrderedSet<Object> = machine
        .context
        .operations()
        .filter_map(|(agent, _, operation)| match operation.action {
            Any::Opencl(action) => Some(object_of(machine, agent, action)),
            _ => None,
        })
        .collect();
    all.into_iter().collect()
}
