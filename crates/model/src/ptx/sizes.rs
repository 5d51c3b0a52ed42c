//! Infers the number of bytes of tensor copies without a size in the scenario from the bytes that are expected for them.
//!
//! The copies between two expectations at an object complete the bytes of the first one. If together they can move at most
//! that many, each moves its maximum. If the only copies of unknown size are of one tensor, they share the rest equally,
//! because they have one box. If the copies of several tensors, each as long as the distance to the next destination of a
//! copy, together move exactly the expected bytes, these are their sizes. All other sizes stay unknown. In compiled code, a
//! copy moves at most the bytes expected at its object, and all copies there together move exactly those bytes.

use crate::operation::Action as Any;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::successors;
use crate::program::{Node, NodeId, Program};
use crate::ptx::action::{Action, Place};
use alloc::vec::Vec;

/// A copy by its body and its node.
type At = (usize, NodeId);

/// Expected bytes, and the copies of unknown size that complete them.
type Sum = (i64, Vec<At>);

/// A tensor: the memory that it is in or that describes it, and where it begins there.
type Tensor = (u16, u32);

/// A copy without a size in the scenario.
#[derive(Clone, Copy)]
struct Open {
    /// The tensor that it reads.
    tensor: Tensor,
    /// The maximum number of bytes that it can move.
    most: i64,
    /// The inferred number of bytes.
    size: Option<i64>,
}

fn action(program: &Program, (body, node): At) -> Option<Action> {
    match &program.bodies[body].nodes[node as usize] {
        Node::Operation { operation, .. } => match operation.action {
            Any::Ptx(action, _) => Some(action),
            _ => None,
        },
        _ => None,
    }
}

fn expects(action: Action) -> Option<i64> {
    match action {
        Action::Expect { bytes, .. } => Some(bytes),
        Action::Arrive { form, .. } => form.expect,
        _ => None,
    }
}

fn open(action: Action) -> Option<Open> {
    match action {
        Action::Copy { name: Some(_), bytes, from: Some(from), tile: Some(tile), .. } => {
            let tensor = (from.buffer, from.start);
            tile.open.then_some(Open { tensor, most: bytes, size: None })
        }
        _ => None,
    }
}

fn nodes(program: &Program) -> impl Iterator<Item = (At, Action)> {
    let places = (0..program.bodies.len())
        .flat_map(|body| (0..program.bodies[body].nodes.len() as NodeId).map(move |at| (body, at)));
    places.filter_map(|at| Some((at, action(program, at)?)))
}

/// Adds what an operation completes to a sum.
fn completes(sum: &mut Sum, at: At, action: Action) {
    match action {
        _ if open(action).is_some() => sum.1.push(at),
        Action::Copy { bytes, .. } | Action::Complete { bytes, .. } => sum.0 -= bytes,
        _ => {}
    }
}

/// The bytes that an operation of a body expects at an object, and the copies before the next expectation there.
fn following(program: &Program, start: At, object: u16) -> Sum {
    let (body, first) = start;
    let nodes = &program.bodies[body].nodes;
    let mut sum = (action(program, start).and_then(expects).unwrap_or(0), Vec::new());
    let mut seen = alloc::vec![false; nodes.len()];
    let mut open: Vec<NodeId> = successors(&nodes[first as usize]).to_vec();
    while let Some(node) = open.pop() {
        if core::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        if let Some(action) = action(program, (body, node))
            && action.name().is_some_and(|name| name.index == object)
        {
            if expects(action).is_some() {
                continue;
            }
            completes(&mut sum, (body, node), action);
        }
        open.extend(successors(&nodes[node as usize]));
    }
    sum
}

/// The bytes that all agents expect at an object of one CTA, and the copies that complete there.
fn at_cta(program: &Program, cta: u32, object: u16) -> Sum {
    let launch = program.launch;
    let per = launch.workgroups_per_cluster();
    let mut sum = (0, Vec::new());
    for agent in &program.agents {
        let body = agent.body as usize;
        if launch.cluster_of(agent.workgroup) != launch.cluster_of(cta) {
            continue;
        }
        for node in 0..program.bodies[body].nodes.len() as NodeId {
            let Some(action) = action(program, (body, node)) else { continue };
            let Some(name) = action.name().filter(|name| name.index == object) else { continue };
            let reached = match (action.ranks(), name.place) {
                (Some(ranks), _) => ranks >> (cta % per).min(15) & 1 != 0,
                (None, Place::Rank(rank)) => cta % per == rank,
                (None, Place::Own) => agent.workgroup == cta,
            };
            if reached {
                sum.0 += expects(action).unwrap_or(0);
                completes(&mut sum, (body, node), action);
            }
        }
    }
    sum
}

/// The bytes that are expected from the copies of unknown size at an object.
fn sums(program: &Program, copies: &OrderedMap<At, Open>, object: u16) -> Vec<Sum> {
    let named = |(_, action): &(At, Action)| action.name().is_some_and(|it| it.index == object);
    let far = |action: Action| {
        action.ranks().is_some() || action.name().is_some_and(|name| name.place != Place::Own)
    };
    let expecting = nodes(program).filter(named).filter(|(_, action)| expects(*action).is_some());
    let mut sums: Vec<Sum> = expecting.map(|(at, _)| following(program, at, object)).collect();
    let spread = nodes(program).filter(named).any(|(at, action)| {
        far(action) || copies.get(&at).is_some() && !sums.iter().any(|sum| sum.1.contains(&at))
    });
    if spread {
        sums = (0..program.launch.workgroups).map(|cta| at_cta(program, cta, object)).collect();
    }
    sums.retain(|(bytes, copies)| *bytes > 0 && !copies.is_empty());
    sums
}

/// Infers sizes from one sum and the known boxes of tensors; `false` if the sum contradicts them.
fn solve(
    copies: &mut OrderedMap<At, Open>,
    boxes: &mut OrderedMap<Tensor, i64>,
    (bytes, of): &Sum,
) -> bool {
    let mut left = *bytes;
    let mut rest: Vec<Open> = Vec::new();
    for at in of {
        let Some(&copy) = copies.get(at) else { continue };
        match copy.size.or_else(|| boxes.get(&copy.tensor).copied()) {
            Some(size) => left -= size,
            None => rest.push(copy),
        }
    }
    let Some(&Open { tensor, .. }) = rest.first() else { return left == 0 };
    let count = rest.len() as i64;
    if rest.iter().all(|copy| copy.tensor == tensor) {
        if left <= 0 || left % count != 0 {
            return false;
        }
        boxes.insert(tensor, left / count);
    }
    true
}

/// The sizes with which the copies of each tensor reach up to the next destination of a copy; empty if these are not the bytes
/// that are expected everywhere.
fn slots(
    program: &Program,
    copies: &OrderedMap<At, Open>,
    rest: &[&Sum],
) -> OrderedMap<Tensor, i64> {
    let to = |at: At| match action(program, at) {
        Some(Action::Copy { to: Some(to), .. }) => Some(to),
        _ => None,
    };
    let mut starts: Vec<(u16, u32)> =
        nodes(program).filter_map(|(at, _)| to(at)).map(|to| (to.buffer, to.start)).collect();
    starts.sort_unstable();
    let mut slots: OrderedMap<Tensor, i64> = OrderedMap::default();
    for (&at, copy) in copies.iter() {
        let Some(to) = to(at) else { continue };
        let after = starts.partition_point(|start| *start <= (to.buffer, to.start));
        let next = starts.get(after).filter(|next| next.0 == to.buffer);
        let Some(&(_, next)) = next else { continue };
        let slot = i64::from(next - to.start);
        let least = slots.get(&copy.tensor).map_or(slot, |known| slot.min(*known));
        slots.insert(copy.tensor, least);
    }
    let fits = |sum: &&Sum| {
        let sizes = sum.1.iter().map(|at| {
            let copy = copies.get(at)?;
            copy.size.or_else(|| slots.get(&copy.tensor).copied())
        });
        sizes.sum::<Option<i64>>() == Some(sum.0)
    };
    if rest.iter().all(fits) { slots } else { OrderedMap::default() }
}

/// Infers the sizes of tensor copies of a program.
pub fn infer(program: &mut Program) {
    infer_with(program, false);
}

/// The same for compiled code: copies whose sizes stay unknown together move the expected bytes.
pub fn infer_of_code(program: &mut Program) {
    infer_with(program, true);
}

fn infer_with(program: &mut Program, of_code: bool) {
    let mut copies: OrderedMap<At, Open> = OrderedMap::default();
    let mut objects: OrderedSet<u16> = OrderedSet::default();
    for (at, action) in nodes(program) {
        if let (Some(copy), Some(name)) = (open(action), action.name()) {
            copies.insert(at, copy);
            objects.insert(name.index);
        }
    }
    let sums: Vec<Sum> =
        objects.iter().flat_map(|&object| sums(program, &copies, object)).collect();
    for (bytes, of) in &sums {
        let most: i64 = of.iter().filter_map(|at| copies.get(at)).map(|copy| copy.most).sum();
        for at in of.iter().filter(|_| most <= *bytes) {
            if let Some(copy) = copies.get_mut(at) {
                copy.size = Some(copy.most);
            }
        }
    }
    let given: Vec<bool> = sums
        .iter()
        .map(|(_, of)| of.iter().all(|at| copies.get(at).is_some_and(|copy| copy.size.is_some())))
        .collect();
    let rest: Vec<&Sum> =
        sums.iter().zip(given).filter(|(_, given)| !given).map(|it| it.0).collect();
    let mut boxes = OrderedMap::default();
    let mut wrong: OrderedSet<Tensor> = OrderedSet::default();
    for _ in 0..=rest.len() {
        for sum in &rest {
            if !solve(&mut copies, &mut boxes, sum) {
                wrong.extend(sum.1.iter().filter_map(|at| Some(copies.get(at)?.tensor)));
            }
        }
    }
    if !rest.iter().all(|sum| {
        let mut tensors = sum.1.iter().filter_map(|at| copies.get(at)).map(|copy| copy.tensor);
        tensors.all(|tensor| boxes.get(&tensor).is_some())
    }) {
        for (&tensor, &size) in slots(program, &copies, &rest).iter() {
            if boxes.get(&tensor).is_none() {
                boxes.insert(tensor, size);
            }
        }
    }
    for (&at, copy) in copies.iter() {
        let known = boxes.get(&copy.tensor).filter(|_| !wrong.contains(&copy.tensor)).copied();
        let known = copy.size.or(known);
        let size = known.unwrap_or_else(|| share(&sums, at, copy.most));
        let bound = match known {
            Some(_) => None,
            None if !of_code => None,
            None => {
                together(&sums, (&copies, &boxes), at).filter(|_| !wrong.contains(&copy.tensor))
            }
        };
        put(program, at, (size.min(copy.most), known.is_none(), bound));
    }
}

/// The bytes that are expected from several copies of unknown size, of which this is one: an upper bound of its size.
fn together(
    sums: &[Sum],
    (copies, boxes): (&OrderedMap<At, Open>, &OrderedMap<Tensor, i64>),
    at: At,
) -> Option<u32> {
    let mut all = sums.iter().filter(|sum| sum.1.contains(&at));
    let (bytes, of) = all.next().filter(|_| all.next().is_none())?;
    let once = |at: &At| sums.iter().filter(|sum| sum.1.contains(at)).count() == 1;
    let is_unknown = |copy: &Open| copy.size.is_none() && boxes.get(&copy.tensor).is_none();
    let open = |at: &At| copies.get(at).is_some_and(is_unknown);
    let most = u32::try_from(*bytes).ok()?;
    of.iter().all(|at| once(at) && open(at)).then_some(most)
}

/// An equal share of the bytes expected from several copies, in units of 16 bytes.
fn share(sums: &[Sum], at: At, most: i64) -> i64 {
    let Some((bytes, of)) = sums.iter().find(|sum| sum.1.contains(&at)) else { return most };
    let each = (bytes / of.len() as i64).max(0) & !15;
    if of.last() == Some(&at) { bytes - each * (of.len() as i64 - 1) } else { each }
}

/// Sets the size of a copy, whether it is only assumed, and an upper bound of it if copies share the expected bytes.
fn put(program: &mut Program, (body, node): At, (size, assumed, bound): (i64, bool, Option<u32>)) {
    let Node::Operation { operation, .. } = &mut program.bodies[body].nodes[node as usize] else {
        return;
    };
    let Any::Ptx(Action::Copy { bytes, to, tile: Some(tile), .. }, _) = &mut operation.action
    else {
        return;
    };
    let most = *bytes;
    *bytes = size;
    tile.open = assumed;
    if let (Some(bound), Some(to)) = (bound, to.as_mut()) {
        tile.bytes = bound;
        to.end = to.end.min(to.start.saturating_add(bound));
    }
    if let Some(to) = to.as_mut().filter(|_| !assumed) {
        // If all threads of a warp copy, each copies its part.
        let threads = (most / i64::from(to.end - to.start).max(1)).max(1);
        to.end = to.start + u32::try_from(size / threads).unwrap_or(0).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::operation::Range;
    use crate::operation::{Form, Operation};
    use crate::program::{Agent, Body, Launch};
    use crate::ptx::action::{Name, Spelling};
    use crate::ptx::tile::Tile;

    const FULL: Name = Name { index: 0, place: Place::Own };

    /// A copy of a tensor that can move at most this many bytes.
    fn copy(tensor: u16, most: u32) -> Action {
        Action::Copy {
            name: Some(FULL),
            bulk: true,
            ranks: None,
            bytes: i64::from(most),
            to: Some(Range { buffer: 0, start: 0, end: most }),
            from: Some(Range { buffer: tensor, start: 0, end: 4096 }),
            reduces: false,
            tile: Some(Tile { open: true, ..Tile::default() }),
        }
    }

    fn expect(bytes: i64) -> Action {
        Action::Expect { name: FULL, bytes }
    }

    /// Agents that each perform a sequence of actions.
    fn program(agents: &[&[Action]]) -> Program {
        let node = |(at, &action): (usize, &Action)| Node::Operation {
            operation: Operation::new(Any::Ptx(action, Spelling::Ptx(90)), Form::Word),
            next: [at as NodeId + 1; 2],
        };
        let body = |actions: &&[Action]| Body {
            nodes: actions.iter().enumerate().map(node).chain([Node::End]).collect(),
        };
        let waves = agents.len() as u32;
        Program {
            mbarriers: alloc::vec![None],
            ..Program::of(
                Launch { clusters: 1, workgroups: 1, waves, lanes: 1 },
                (0..waves).map(|wave| Agent { workgroup: 0, wave, body: wave }).collect(),
                agents.iter().map(body).collect(),
            )
        }
    }

    /// The inference for each copy: its bytes, the end of its destination, and whether the size is unknown.
    fn inferred(agents: &[&[Action]]) -> Vec<(i64, u32, bool)> {
        let mut program = program(agents);
        infer(&mut program);
        let of = |action| match action {
            Action::Copy { bytes, to: Some(to), tile: Some(tile), .. } => {
                Some((bytes, to.end, !tile.open))
            }
            _ => None,
        };
        nodes(&program).filter_map(|(_, action)| of(action)).collect()
    }

    #[test]
    fn a_copy_moves_the_bytes_expected_for_it() {
        let known = |bytes| (bytes, bytes as u32, true);
        assert_eq!(inferred(&[&[expect(64), copy(1, 4096)]]), [known(64)]);
        assert_eq!(inferred(&[&[copy(1, 4096), expect(64)]]), [known(64)]);
        assert_eq!(inferred(&[&[expect(64)], &[copy(1, 4096)]]), [known(64)]);
        let two = [expect(64), copy(1, 4096), expect(32), copy(2, 4096)];
        assert_eq!(inferred(&[&two]), [known(64), known(32)]);
    }

    #[test]
    fn no_copy_moves_more_than_it_can() {
        assert_eq!(inferred(&[&[expect(64), copy(1, 48)]]), [(48, 48, true)]);
        let both = [expect(96), copy(1, 64), copy(2, 32)];
        assert_eq!(inferred(&[&both]), [(64, 64, true), (32, 32, true)]);
    }

    #[test]
    fn copies_of_one_tensor_have_one_box() {
        let two = [expect(96), copy(1, 4096), copy(1, 4096)];
        assert_eq!(inferred(&[&two]), [(48, 48, true); 2]);
        let by_the_other = [expect(32), copy(1, 4096), expect(96), copy(1, 4096), copy(2, 4096)];
        assert_eq!(inferred(&[&by_the_other]), [(32, 32, true), (32, 32, true), (64, 64, true)]);
    }

    #[test]
    fn maps_in_one_memory_are_of_several_tensors() {
        let map = |start: u32, action| match action {
            Action::Copy { name, bulk, ranks, bytes, to, from: Some(from), reduces, tile } => {
                let from = Some(Range { start, end: start + 128, ..from });
                Action::Copy { name, bulk, ranks, bytes, to, from, reduces, tile }
            }
            other => other,
        };
        let two = [expect(96), map(0, copy(1, 4096)), map(128, copy(1, 4096))];
        assert!(inferred(&[&two]).iter().all(|(.., known)| !known));
    }

    #[test]
    fn copies_that_fill_the_room_up_to_the_next_one_move_the_expected_bytes() {
        let into = |start: u32, action| match action {
            Action::Copy { name, bulk, ranks, bytes, to: Some(to), from, reduces, tile } => {
                let to = Some(Range { start, ..to });
                Action::Copy { name, bulk, ranks, bytes, to, from, reduces, tile }
            }
            other => other,
        };
        let stages = |second: u32| {
            let first = [expect(48), into(0, copy(1, 4096)), into(32, copy(2, 4096))];
            let second = [expect(48), into(16, copy(1, 4096)), into(second, copy(2, 4096))];
            inferred(&[&[first, second].concat()])
        };
        let ends = [(16, 16, true), (32, 64, true), (16, 32, true), (32, 96, true)];
        assert_eq!(stages(64), ends);
        assert!(stages(80).iter().all(|(.., known)| !known));
    }

    #[test]
    fn copies_of_code_move_at_most_what_is_expected_together() {
        let mut program = program(&[&[expect(96), copy(1, 4096), copy(2, 4096)]]);
        infer_of_code(&mut program);
        let of = |action| match action {
            Action::Copy { bytes, to: Some(to), tile: Some(tile), .. } => {
                Some((bytes, to.end, tile.bytes))
            }
            _ => None,
        };
        let found: Vec<_> = nodes(&program).filter_map(|(_, action)| of(action)).collect();
        assert_eq!(found, [(48, 96, 96); 2]);
    }

    #[test]
    fn other_sizes_stay_unknown() {
        let tensors = [expect(96), copy(1, 4096), copy(2, 4096)];
        assert_eq!(inferred(&[&tensors]), [(48, 4096, false); 2]);
        let two_boxes = [expect(32), copy(1, 4096), expect(64), copy(1, 4096)];
        assert_eq!(inferred(&[&two_boxes]), [(32, 4096, false), (64, 4096, false)]);
        assert_eq!(inferred(&[&[copy(1, 4096)]]), [(4096, 4096, false)]);
    }
}
