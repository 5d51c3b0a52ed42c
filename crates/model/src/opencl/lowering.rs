//! Lowers OpenCL operations to the AMDGPU model. A sub-group is a wave.
//!
//! A barrier becomes a release fence, an *arrive*, a *wait* and an acquire fence; flags and scope select the fences. A
//! sub-group barrier becomes only its fences, because the lanes of a wave execute together. A named barrier becomes one of
//! the target: the first wave initialises it between two workgroup barriers, and every wait joins it first, because a wave
//! waits on the object it joined last. If the target has no separate arrive and wait, a split arrive becomes only its
//! fence, and the wait becomes the whole barrier.

use super::action::{Action, Arguments, Flags, Group, Scope};
use crate::mem::operation::{Fence, Memory, Scope as Reach, Space, Spaces};
use crate::operation::{Action as Any, Form, Object, Operation};
use crate::program::{Body, Node, NodeId};
use alloc::vec::Vec;

/// The context in which a body is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct For {
    /// Whether it is the first wave of its workgroup, which initialises the barriers that the workgroup constructs.
    pub first: bool,
    /// Whether *arrive* and *wait* are separate.
    pub split: bool,
    /// Whether the [`constructions`] of all waves of its workgroup are equal.
    pub alike: bool,
}

/// Whether a body synchronises with its workgroup before and after each of its constructions. Waves synchronise equally
/// often if these are the same for all waves; otherwise they synchronise before and after each.
#[must_use]
pub fn constructions(body: &Body) -> Vec<[bool; 2]> {
    let nodes = &body.nodes;
    (0..nodes.len()).filter(|&id| constructs(nodes, id)).map(|id| meets(nodes, id)).collect()
}

fn constructs(nodes: &[Node], id: usize) -> bool {
    let action = nodes.get(id).and_then(super::machine::node::action_of);
    matches!(action, Some(Action::Construct { .. }))
}

/// Consecutive constructions share one pair of barriers; at the start no wave can be waiting.
fn meets(nodes: &[Node], id: usize) -> [bool; 2] {
    let following = match &nodes[id] {
        Node::Operation { next, .. } => next[0] as usize,
        _ => id,
    };
    [id > 0 && !constructs(nodes, id - 1), !constructs(nodes, following) || following != id + 1]
}

/// A lowered body, and for each of its nodes the original node.
#[must_use]
pub fn lower(body: &Body, how: For) -> (Body, Vec<NodeId>) {
    let codes: Vec<Option<Vec<Any>>> =
        (0..body.nodes.len()).map(|id| code(&body.nodes, id, how)).collect();
    let mut nodes = Vec::new();
    let mut origins = Vec::new();
    let starts = starts(&codes);
    for (id, (node, code)) in (0..).zip(body.nodes.iter().zip(&codes)) {
        match (node, code) {
            (Node::Operation { next, .. }, Some(code)) => {
                let following = starts[next[0] as usize];
                let count = code.len().max(1);
                for index in 0..count {
                    let after =
                        if index + 1 == count { following } else { nodes.len() as NodeId + 1 };
                    let action = code.get(index).copied().unwrap_or(NOTHING);
                    let operation = Operation::new(action, Form::Word);
                    nodes.push(Node::Operation { operation, next: [after; 2] });
                    origins.push(id);
                }
            }
            (node, _) => {
                nodes.push(moved(node, &starts));
                origins.push(id);
            }
        }
    }
    (Body { nodes }, origins)
}

/// A fence with wave scope, used for an operation without code.
const NOTHING: Any = Any::Memory(Memory::Fence(Fence {
    release: true,
    acquire: true,
    scope: Reach::Wavefront,
    one_as: false,
    spaces: Spaces::ALL,
}));

/// The start of the code of each node.
fn starts(codes: &[Option<Vec<Any>>]) -> Vec<NodeId> {
    let mut at = 0;
    let mut next = |code: &Option<Vec<Any>>| {
        let start = at;
        at += code.as_ref().map_or(1, |code| code.len().max(1)) as NodeId;
        start
    };
    codes.iter().map(&mut next).collect()
}

fn moved(node: &Node, starts: &[NodeId]) -> Node {
    let to = |next: NodeId| starts[next as usize];
    match node {
        Node::Operation { operation, next } => {
            Node::Operation { operation: *operation, next: next.map(to) }
        }
        Node::Choose { next } => Node::Choose { next: next.iter().map(|&next| to(next)).collect() },
        Node::Divergent | Node::End => node.clone(),
    }
}

/// The code of an OpenCL operation; `None` for any other node.
fn code(nodes: &[Node], id: usize, how: For) -> Option<Vec<Any>> {
    let action = super::machine::node::action_of(&nodes[id])?;
    let wg = Object::Workgroup;
    let arrive = |object| Any::Arrive { object, expected: None, is_first: false };
    let meet = [arrive(wg), Any::Wait { object: wg }];
    let mut code = Vec::new();
    let fence = |code: &mut Vec<Any>, release: bool| {
        if let Some(arguments) = action.arguments() {
            code.extend(fences(arguments, release));
        }
    };
    match action {
        Action::Barrier { group, .. } => {
            fence(&mut code, true);
            code.extend(meet.into_iter().filter(|_| group == Group::Work));
            fence(&mut code, false);
        }
        Action::Construct { object, count, .. } => {
            let [before, following] = if how.alike { meets(nodes, id) } else { [true; 2] };
            if before {
                code.extend(meet);
            }
            if how.first {
                code.push(Any::Init { object: named(object), expected: i64::from(count) });
            }
            if following {
                code.extend(meet);
            }
        }
        Action::Wait { object, .. } => {
            let object = named(object);
            fence(&mut code, true);
            code.extend([Any::Join { object }, arrive(object), Any::Wait { object }]);
            fence(&mut code, false);
        }
        Action::Arrive { .. } => {
            fence(&mut code, true);
            code.extend(how.split.then_some(arrive(wg)));
        }
        Action::Await { .. } => {
            code.extend((!how.split).then_some(arrive(wg)));
            code.push(Any::Wait { object: wg });
            fence(&mut code, false);
        }
    }
    Some(code)
}

/// The named barrier of a target that a declared one is.
const fn named(declared: u16) -> Object {
    Object::from_id(declared as i64 + 1)
}

/// The fences on one side of a barrier: local memory for the workgroup, other memory for the scope.
fn fences(arguments: Arguments, release: bool) -> Vec<Any> {
    let local = arguments.flags.intersects(Flags::LOCAL).then_some(Reach::Workgroup);
    let other = arguments.flags.intersects(Flags::GLOBAL) || arguments.flags.image();
    let other = if other { reach(arguments.scope) } else { None };
    let with = |space| Spaces::default().with(space);
    let fence = |scope: Reach, spaces: Spaces| {
        Any::Memory(Memory::Fence(Fence {
            release,
            acquire: !release,
            scope,
            one_as: false,
            spaces,
        }))
    };
    match (local, other) {
        (Some(near), Some(far)) if near == far => alloc::vec![fence(near, Spaces::ALL)],
        (near, far) => {
            let near = near.map(|scope| fence(scope, with(Space::Local)));
            let far = far.map(|scope| fence(scope, with(Space::Global)));
            near.into_iter().chain(far).collect()
        }
    }
}

fn reach(scope: Scope) -> Option<Reach> {
    match scope {
        Scope::WorkItem => None,
        Scope::SubGroup => Some(Reach::Wavefront),
        Scope::WorkGroup => Some(Reach::Workgroup),
        Scope::Device => Some(Reach::Agent),
        Scope::AllDevices => Some(Reach::System),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencl::action::Instance;

    fn operation(action: Action, next: NodeId) -> Node {
        let operation = Operation::new(Any::Opencl(action), Form::Word);
        Node::Operation { operation, next: [next; 2] }
    }

    fn words(nodes: Vec<Node>, how: For) -> Vec<alloc::string::String> {
        let (body, origins) = lower(&Body { nodes }, how);
        assert_eq!(body.nodes.len(), origins.len());
        let word = |node: &Node| match node {
            Node::Operation { operation, .. } => match operation.action {
                Any::Arrive { object, .. } => alloc::format!("arrive {:?}", object.id()),
                Any::Wait { object } => alloc::format!("wait {:?}", object.id()),
                Any::Join { object } => alloc::format!("join {:?}", object.id()),
                Any::Init { expected, .. } => alloc::format!("init {expected}"),
                Any::Memory(Memory::Fence(fence)) => {
                    alloc::string::String::from(if fence.release { "release" } else { "acquire" })
                }
                _ => "other".into(),
            },
            _ => "end".into(),
        };
        body.nodes.iter().map(word).collect()
    }

    #[test]
    fn a_named_barrier_is_initialised_once_and_joined_for_each_wait() {
        let at = Instance::default();
        let arguments =
            Arguments { flags: Flags::LOCAL, scope: Scope::WorkGroup, given: false, others: 0 };
        let nodes = alloc::vec![
            operation(Action::Construct { object: 0, count: 2, at }, 1),
            operation(Action::Wait { object: 0, arguments, at }, 2),
            Node::End
        ];
        let rest = [
            "arrive Some(-1)",
            "wait Some(-1)",
            "release",
            "join Some(1)",
            "arrive Some(1)",
            "wait Some(1)",
            "acquire",
            "end",
        ];
        assert_eq!(words(nodes.clone(), For { first: false, split: true, alike: true }), rest);
        let first = words(nodes, For { first: true, split: true, alike: true });
        assert_eq!((first[0].as_str(), &first[1..]), ("init 2", &rest.map(Into::into)[..]));
    }

    #[test]
    fn waves_with_separate_constructions_synchronise_around_each() {
        let at = Instance::default();
        let construct = |object, next| operation(Action::Construct { object, count: 1, at }, next);
        let row = Body { nodes: alloc::vec![construct(0, 1), construct(1, 2), Node::End] };
        assert_eq!(constructions(&row), [[false, false], [false, true]]);
        let meets = words(row.nodes, For { first: false, split: true, alike: false });
        assert_eq!(meets.iter().filter(|word| word.starts_with("wait")).count(), 4);
    }

    #[test]
    fn split_barriers_become_whole_without_split_support() {
        let at = Instance::default();
        let arguments =
            Arguments { flags: Flags::default(), scope: Scope::WorkGroup, given: false, others: 0 };
        let nodes = alloc::vec![
            operation(Action::Arrive { arguments, at }, 1),
            operation(Action::Await { arguments, at }, 2),
            Node::End
        ];
        let apart = words(nodes.clone(), For { first: true, split: true, alike: true });
        assert_eq!(apart, ["arrive Some(-1)", "wait Some(-1)", "end"]);
        let whole = words(nodes, For { first: true, split: false, alike: true });
        assert_eq!(whole, ["release", "arrive Some(-1)", "wait Some(-1)", "end"]);
    }
}
