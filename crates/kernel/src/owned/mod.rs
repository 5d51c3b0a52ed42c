//! Memory that threads own: no two threads access the same bytes of it.
//!
//! Accesses to such memory do not conflict. They are removed before a kernel is evaluated, together with the loops and branches
//! that contain nothing else.
//!
//! # The proof
//!
//! The address of each access is a sum of products of arguments, numbers that the launch decides, and iteration numbers. A
//! row-major index `(z * h + y) * w + x` is split into digits: if `0 <= x < w` in all accesses, then equal indices have equal
//! `x` and equal `z * h + y`. The comparisons that dominate an access give the upper bound of `x`. The digits are compared
//! between all threads of the launch. A digit that also contains unknown numbers is known modulo the greatest common divisor of
//! their factors. If no two threads have the same digits, no two threads access the same element.
//!
//! If no comparison relates a digit to its factor, the host is assumed to pass strides with which rows do not overlap, as for
//! all strides.

mod facts;
mod graph;
mod single;
mod sum;
mod threads;
mod values;

use crate::evaluate::{Request, Standing, functions_with};
use crate::flow::Flow;
use crate::idle;
use crate::ir::{
    Access, ArgumentId, FunctionId, Instruction, Kind, Meetings, Module, NvidiaKind, ObjectId, Op,
    Operand, Reg, Space, Style,
};
use alloc::vec::Vec;
use facts::{Fact, Facts};
use graph::Graph;
use sum::{Atom, Sum, common_divisor};
use threads::Threads;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use values::Values;

/// The maximum number of threads of a launch.
const MOST_THREADS: u64 = 1 << 16;
/// The maximum number of combinations of paths on which registers of an address receive their values.
const MOST_WAYS: usize = 8;
/// The maximum depth to which calls are followed.
const DEEPEST_CALL: u32 = 8;
/// The maximum number of digits of an index.
const MOST_DIGITS: usize = 4;
/// The maximum number of accesses, multiplied by the number of threads.
const MOST_KEYS: usize = 1 << 21;

/// An access to an object: the offset from its start, the facts that hold there, and the number of bytes.
struct Place {
    from: Sum,
    facts: Facts,
    bytes: u32,
    writes: bool,
}

/// A module without accesses to memory that threads own, and the arguments that are assumed to be strides with which rows do
/// not overlap.
pub(crate) struct Owned {
    pub(crate) module: Module,
    pub(crate) strides: OrderedSet<ArgumentId>,
}

/// Removes the accesses to memory that threads own; `None` if there are none.
pub(crate) fn leave_out(request: &Request<'_>) -> Option<Owned> {
    let (module, launch) = (request.module, request.launch);
    let function = module.functions.get(request.kernel.function as usize)?;
    let size = u64::from(launch.group_size()) * u64::from(launch.group_count());
    if module.style != Style::Lanes || size > MOST_THREADS {
        return None;
    }
    let standings = Standing::all(module, launch, launch.group_count());
    let threads = Threads::of(&standings);
    let graph = Graph::of(function);
    let single = single::single(function, &graph);
    let values = Values::of(request, &single, &graph, &threads);
    let mut strides = OrderedSet::new();
    let mut owned = OrderedSet::new();
    for (object, places) in places(&values)? {
        if let Some(assumed) = is_owned(&values, &places) {
            owned.insert(object);
            assumed.into_iter().for_each(|argument| {
                strides.insert(argument);
            });
        }
    }
    if owned.is_empty() {
        return None;
    }
    let of_owned = |access: &Access| matches!(object(&values, access.address), Some((object, _)) if owned.contains(&object));
    // A thread whose accesses are removed still reconverges with the others where it did before.
    let synchronises = functions_with(module, crate::flow::is_sync);
    let Flow { joins, lasts, .. } = Flow::of(function, &synchronises);
    let mut module = module.clone();
    let changed = &mut module.functions[request.kernel.function as usize];
    changed.meetings = Some(Meetings { joins, lasts });
    for (block, single) in changed.blocks.iter_mut().zip(&single.blocks) {
        let mut single = single.instructions.iter();
        block.instructions.retain_mut(|instruction| {
            let is_owned = single
                .next()
                .is_some_and(|one| matches!(&one.kind, Kind::Access(access) if of_owned(access)));
            let Kind::Access(access) = &mut instruction.kind else { return true };
            if !is_owned {
                return true;
            }
            let to = core::mem::take(&mut access.to);
            let reads = !to.is_empty();
            instruction.kind = Kind::Opaque { to };
            reads
        });
    }
    idle::skip(&mut module);
    Some(Owned { module, strides })
}

/// The object of an address, and the offset of the address from its start; `None` if there is not exactly one object.
fn object(values: &Values<'_>, address: Operand) -> Option<(ObjectId, Sum)> {
    let sum = values.value(address, 64);
    let mut objects = sum.atoms().filter_map(|atom| match atom {
        Atom::Object(object) => Some(object),
        _ => None,
    });
    let object = objects.next()?;
    let alone = objects.next().is_none() && sum.factor(&[Atom::Object(object)]) == 1;
    alone.then(|| (object, sum.minus(&Sum::atom(Atom::Object(object)))))
}

/// For each object of global memory that threads may own, its accesses; `None` if an access may be to any object.
fn places(values: &Values<'_>) -> Option<OrderedMap<ObjectId, Vec<Place>>> {
    let module = values.request.module;
    let mut places: OrderedMap<ObjectId, Vec<Place>> = OrderedMap::new();
    let mut shared: OrderedSet<ObjectId> = OrderedSet::new();
    for (block, code) in (0..).zip(&values.function.blocks) {
        if block != 0 && values.graph.before(block).is_empty() {
            continue;
        }
        for instruction in &code.instructions {
            match &instruction.kind {
                Kind::Access(access) => {
                    if matches!(access.space, Space::Private | Space::Local | Space::Constant) {
                        // A copy may read global memory.
                        if let Some((to, space)) = access.copies_to
                            && !matches!(space, Space::Private | Space::Local)
                        {
                            shared.insert(object(values, to)?.0);
                        }
                        continue;
                    }
                    let (object, from) = object(values, access.address)?;
                    if !is_plain(access) {
                        shared.insert(object);
                        continue;
                    }
                    let from = from.offset(i128::from(access.offset));
                    let facts = facts_of(values, block, instruction);
                    let ways = ways(values, from, facts);
                    let (bytes, writes) = (access.bytes, access.writes);
                    let all =
                        ways.into_iter().map(|(from, facts)| Place { from, facts, bytes, writes });
                    places.entry(object).or_default().extend(all);
                }
                Kind::Nvidia(nvidia) if copies(nvidia.kind) => {
                    for &operand in &nvidia.operands {
                        match object(values, operand) {
                            Some((object, _)) => {
                                shared.insert(object);
                            }
                            None if is_followed(values, operand) => {}
                            None => return None,
                        }
                    }
                }
                Kind::Call { function, .. } if !accesses(module, *function, DEEPEST_CALL) => {}
                Kind::Call { .. } | Kind::Unknown { .. } => return None,
                _ => {}
            }
        }
    }
    places.retain(|id, places| {
        let object = &module.objects[*id as usize];
        let plain = object.space == Space::Global
            && object.size.is_none()
            && !object.image
            && object.barrier.is_none();
        plain && !shared.contains(id) && places.iter().any(|place| place.writes)
    });
    Some(places)
}

/// Whether an operation accesses global memory.
const fn copies(kind: NvidiaKind) -> bool {
    matches!(
        kind,
        NvidiaKind::CopyAsync
            | NvidiaKind::CopyBulk { .. }
            | NvidiaKind::CopyBulkOut { .. }
            | NvidiaKind::CopyTensor { .. }
            | NvidiaKind::CopyTensorOut { .. }
            | NvidiaKind::CopyTile { .. }
    )
}

/// Whether a function, or one that it calls, may access memory that threads share.
fn accesses(module: &Module, function: FunctionId, depth: u32) -> bool {
    let Some(function) = module.functions.get(function as usize).filter(|_| depth > 0) else {
        return true;
    };
    function.blocks.iter().flat_map(|block| &block.instructions).any(|one| match &one.kind {
        Kind::Access(access) => !matches!(access.space, Space::Private | Space::Local),
        Kind::Nvidia(nvidia) => copies(nvidia.kind),
        Kind::Call { function, .. } => accesses(module, *function, depth - 1),
        Kind::Unknown { .. } => true,
        _ => false,
    })
}

/// Whether an operand is a number that does not contain an address.
fn is_followed(values: &Values<'_>, operand: Operand) -> bool {
    is_number(values, &values.value(operand, 64))
}

fn is_number(values: &Values<'_>, sum: &Sum) -> bool {
    sum.atoms().all(|atom| match atom {
        Atom::Register(_) | Atom::First(_) | Atom::Object(_) => false,
        Atom::Rest(number) => is_number(values, &values.rest(number).0),
        Atom::Result(number) => values.operation(number).of.iter().all(|of| is_number(values, of)),
        _ => true,
    })
}

/// Whether an access is a synchronous read or write of a constant number of bytes, and not atomic.
fn is_plain(access: &Access) -> bool {
    access.atomic.is_none()
        && !access.perhaps_atomic
        && !access.copied
        && !access.anywhere
        && access.copies_to.is_none()
        && access.times.is_none()
}

fn facts_of(values: &Values<'_>, block: u32, instruction: &Instruction) -> Facts {
    let mut facts = values.facts(block);
    if let Some((on, is)) = instruction.guard.and_then(Values::guard) {
        values.add_condition(on, is, &mut facts, 4);
    }
    facts
}

/// Replaces registers in a sum by the values that they receive on each path to their blocks. Each result comes with the facts
/// of its path.
fn ways(values: &Values<'_>, sum: Sum, facts: Facts) -> Vec<(Sum, Facts)> {
    let (mut open, mut found) = (alloc::vec![(sum, facts)], Vec::new());
    while let Some((sum, facts)) = open.pop() {
        let next = sum.atoms().find_map(|atom| match atom {
            Atom::Register(register) | Atom::First(register) if register != Reg::MAX => {
                let block = values.phi_block(register)?;
                let first = matches!(atom, Atom::First(_));
                (first || !values.graph.is_header(block)).then_some(block)
            }
            _ => None,
        });
        let before = next.map(|block| (block, values.graph.before(block)));
        let Some((block, before)) =
            before.filter(|(_, before)| found.len() + open.len() + before.len() <= MOST_WAYS)
        else {
            found.push((sum, facts));
            continue;
        };
        for &from in before.iter().filter(|&&from| !values.graph.dominates(block, from)) {
            match values.on_way(&sum, from, block) {
                Some(one) if one != sum => {
                    let on_way = values.facts_on(from, block);
                    // Facts about the register also hold for the value that it receives.
                    let moved = facts.iter().filter_map(|fact| match fact {
                        Fact::NotNegative(of) => {
                            values.on_way(of, from, block).map(Fact::NotNegative)
                        }
                        Fact::NotZero(of) => values.on_way(of, from, block).map(Fact::NotZero),
                    });
                    let mut all: Facts = moved.collect();
                    all.extend(on_way.into_iter().filter(|fact| !facts.contains(fact)));
                    open.push((one, all));
                }
                _ => found.push((sum.clone(), facts.clone())),
            }
        }
    }
    found
}

/// The arguments that must be strides so that no two threads access the same element at these places; `None` if that is not
/// proved.
fn is_owned(values: &Values<'_>, places: &[Place]) -> Option<OrderedSet<ArgumentId>> {
    if places.len().saturating_mul(values.threads.count()) > MOST_KEYS {
        return None;
    }
    let divisor = places.iter().fold(0, |divisor, place| {
        let varying = place.from.offset(-place.from.constant());
        common_divisor(divisor, varying.divisor())
    });
    if divisor == 0 {
        return None;
    }
    let mut indices = Vec::with_capacity(places.len());
    for place in places {
        let offset = place.from.constant().rem_euclid(divisor);
        if offset + i128::from(place.bytes) > divisor {
            return None;
        }
        indices.push(place.from.offset(-offset).divided(divisor));
    }
    let mut strides = OrderedSet::new();
    let owned = taken_apart(values, places, &indices, &mut Vec::new(), &mut strides);
    owned.then_some(strides)
}

/// Whether all threads differ in the digits of their indices, which are split at arguments.
fn taken_apart(
    values: &Values<'_>,
    places: &[Place],
    indices: &[Sum],
    digits: &mut Vec<Vec<Sum>>,
    strides: &mut OrderedSet<ArgumentId>,
) -> bool {
    digits.push(indices.to_vec());
    if differ(values, places, digits) {
        return true;
    }
    digits.pop();
    if digits.len() + 1 >= MOST_DIGITS {
        return false;
    }
    let mut factors: OrderedSet<Atom> = OrderedSet::new();
    for sum in indices {
        for (product, _) in sum.products().filter(|(product, _)| product.len() > 1) {
            let of_host = product.iter().filter(|atom| is_of_host(values, **atom));
            of_host.for_each(|&atom| {
                factors.insert(atom);
            });
        }
    }
    for &factor in factors.iter() {
        let parts: Vec<(Sum, Sum)> = indices.iter().map(|sum| sum.split(factor)).collect();
        let mut assumed = false;
        let may_assume = may_be_stride(values, factor);
        let fit = places.iter().zip(&parts).all(|(place, (_, rest))| {
            if !values.is_not_negative(rest, &place.facts) {
                return false;
            }
            let above = Sum::atom(factor).minus(rest).offset(-1);
            let less = values.is_not_negative(&above, &place.facts);
            assumed |= !less;
            less || may_assume && rest.products().all(|(product, _)| product.len() <= 1)
        });
        if !fit {
            continue;
        }
        let (quotients, rests): (Vec<Sum>, Vec<Sum>) = parts.into_iter().unzip();
        digits.push(rests);
        if taken_apart(values, places, &quotients, digits, strides) {
            if let (true, Atom::Argument(argument)) = (assumed, factor) {
                strides.insert(argument);
            }
            return true;
        }
        digits.pop();
    }
    false
}

/// Whether a factor is an argument that occurs in no comparison of the kernel, so it can be as large as rows need.
fn may_be_stride(values: &Values<'_>, factor: Atom) -> bool {
    let instructions = values.function.blocks.iter().flat_map(|block| &block.instructions);
    let mut compared = instructions.flat_map(|one| match &one.kind {
        Kind::Compute { op: Op::Compare(_, width), of, .. } => {
            of.iter().map(|&operand| values.value(operand, *width)).collect()
        }
        _ => Vec::new(),
    });
    matches!(factor, Atom::Argument(_))
        && !compared.any(|sum| sum.atoms().any(|atom| values.contains(atom, factor)))
}

/// Whether the host chooses a number or all numbers from which it is computed.
fn is_of_host(values: &Values<'_>, atom: Atom) -> bool {
    match atom {
        Atom::Argument(_) => true,
        Atom::Result(number) => {
            let of = values.operation(number).of;
            let fits = |atom| is_of_host(values, atom);
            of.iter().all(|sum| sum.atoms().all(fits))
                && of.iter().any(|sum| sum.atoms().next().is_some())
        }
        _ => false,
    }
}

/// Whether no two threads have the same digits at any places that both can reach.
fn differ(values: &Values<'_>, places: &[Place], digits: &[Vec<Sum>]) -> bool {
    let count = values.threads.count();
    let mut keys: Vec<(Vec<i128>, u32)> = Vec::with_capacity(places.len() * count);
    // For each place and digit, the part that the launch decides in each thread, modulo the divisor of the other part.
    let mut columns: Vec<Vec<Vec<i128>>> = alloc::vec![Vec::new(); places.len()];
    for digit in digits {
        let mut modulus = 0;
        let mut known = Vec::with_capacity(digit.len());
        for sum in digit {
            let of_launch =
                |product: &[Atom]| product.iter().all(|&atom| values.is_known(&Sum::atom(atom)));
            let (part, unknown) = sum.parts(of_launch);
            modulus = common_divisor(modulus, unknown.divisor());
            let Some(part) = values.threads.sum(&part, values) else { return false };
            known.push(part);
        }
        if modulus == 1 {
            continue;
        }
        for (column, mut part) in columns.iter_mut().zip(known) {
            if modulus > 1 {
                part.iter_mut().for_each(|value| *value = value.rem_euclid(modulus));
            }
            column.push(part);
        }
    }
    for (place, columns) in places.iter().zip(&columns) {
        let there = threads_at(values, place);
        for thread in (0..count).filter(|&thread| there[thread]) {
            keys.push((columns.iter().map(|column| column[thread]).collect(), thread as u32));
        }
    }
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1)
}

/// For each thread, whether it can reach a place, as far as the launch decides this.
fn threads_at(values: &Values<'_>, place: &Place) -> Vec<bool> {
    let mut there = alloc::vec![true; values.threads.count()];
    for fact in &place.facts {
        let (Fact::NotNegative(sum) | Fact::NotZero(sum)) = fact;
        if !values.is_known(sum) {
            continue;
        }
        let Some(all) = values.threads.sum(sum, values) else { continue };
        let holds = |value: i128| match fact {
            Fact::NotNegative(_) => value >= 0,
            Fact::NotZero(_) => value != 0,
        };
        there.iter_mut().zip(all).for_each(|(there, value)| *there &= holds(value));
    }
    there
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Builder, FunctionBuilder};
    use crate::evaluate::Launch;
    use crate::ir::{Comparison, Edge, End, Kernel, Machine, Nvidia, Passed, Place, Special};
    use tidegate_model::ptx::action::Spelling;

    /// `if (x < bound) p[group * w + x] = 0`, where `bound` is `w` or another argument, compared as signed integers or not:
    /// whether the threads of two workgroups own their elements, and the strides.
    fn owned(by_width: bool, how: Comparison) -> Option<usize> {
        beside(by_width, how, |_, _| Operand::Int(0))
    }

    /// The same with a bulk copy that writes to an address computed from the memory and the argument `n`.
    fn beside(
        by_width: bool,
        how: Comparison,
        copied_to: fn(&mut FunctionBuilder, [Operand; 2]) -> Operand,
    ) -> Option<usize> {
        let place = Place::default();
        let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
        let [w, n] = ["w", "n"].map(|name| builder.argument(name, place, 32, Passed::Integer));
        let output = builder.pointer("p", place, 64, Space::Global);
        let mut code = FunctionBuilder::new("k", place);
        let pointer = Operand::Register(code.parameter(64));
        let [x, row] = [Special::Thread(0), Special::Group(0)].map(Operand::Special);
        let bound = Operand::Argument(if by_width { w } else { n });
        let inside = code.compute(1, Op::Compare(how, 32), &[x, bound]);
        for _ in 0..2 {
            code.block();
        }
        let to = |to| Edge { to, moves: Vec::new() };
        code.end(End::Branch { on: inside, then: to(1), other: to(2) });
        code.go_to(1);
        let start = code.compute(32, Op::Mul, &[row, Operand::Argument(w)]);
        let index = code.compute(32, Op::Add, &[start, x]);
        let wide = code.compute(64, Op::SignExtend(32), &[index]);
        let offset = code.compute(64, Op::Shl, &[wide, Operand::Int(2)]);
        let address = code.compute(64, Op::Add, &[pointer, offset]);
        code.access(Access::store(address, Space::Global, 4, Vec::new()));
        code.jump(2);
        code.go_to(2);
        let copied_to = copied_to(&mut code, [pointer, Operand::Argument(n)]);
        code.push(Kind::Nvidia(Nvidia {
            kind: NvidiaKind::CopyBulkOut { reduces: false },
            operands: alloc::vec![copied_to, Operand::Int(0), Operand::Int(16)],
            results: Vec::new(),
            spelling: Spelling::Ptx(90),
        }));
        code.end(End::Return(Vec::new()));
        let function = builder.function(code.finish());
        let arguments = alloc::vec![Operand::Argument(output)];
        builder.kernel(Kernel { function, arguments, ..Kernel::default() });
        let module = builder.finish();
        let launch = Launch {
            groups: [2, 1, 1],
            threads: [64, 1, 1],
            cluster: [1; 3],
            lanes: 32,
            dimensions: None,
        };
        let request = Request { module: &module, kernel: &module.kernels[0], launch, given: &[] };
        leave_out(&request).map(|owned| owned.strides.len())
    }

    #[test]
    fn a_comparison_with_the_stride_keeps_rows_apart() {
        assert_eq!(owned(true, Comparison::Slt), Some(0));
    }

    #[test]
    fn memory_that_a_copy_may_write_is_shared() {
        let found = |to| beside(true, Comparison::Slt, to);
        assert_eq!(found(|_, [memory, _]| memory), None);
        let chosen = |code: &mut FunctionBuilder, [memory, n]: [Operand; 2]| {
            code.compute(64, Op::Select, &[n, memory, Operand::Int(0)])
        };
        assert_eq!(found(chosen), None);
    }

    #[test]
    fn a_comparison_that_is_too_weak_proves_nothing() {
        assert_eq!(owned(true, Comparison::Sle), None);
    }

    #[test]
    fn a_stride_that_is_compared_with_nothing_is_taken_to_keep_rows_apart() {
        assert_eq!(owned(false, Comparison::Slt), Some(1));
    }
}
