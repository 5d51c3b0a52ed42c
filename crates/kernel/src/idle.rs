//! Branches without effect: both sides only compute values that are not read afterwards, or read memory that no agent writes.
//!
//! Such a branch becomes a jump to the block where its sides join. Otherwise `i < n` around a read of an input would be a
//! decision for every agent. Every loop is assumed to end.

use crate::flow::{Flow, drop_unread, edges, writes};
use crate::ir::{
    Access, BlockId, Edge, End, Function, Instruction, Kind, Module, ObjectId, Op, Operand, Reg,
    Space,
};
use alloc::vec::Vec;
use tidegate_model::ordered::OrderedSet;

/// The maximum number of searches of a function: removing one branch can leave another one without effect.
const ROUNDS: usize = 4;

/// Replaces branches without effect by jumps, and removes values that only such branches read.
pub(crate) fn skip(module: &mut Module) {
    let called = called(module);
    let fixed = fixed(module, &called);
    let synchronises = alloc::vec![true; module.functions.len()];
    let mut functions = core::mem::take(&mut module.functions);
    for (id, function) in functions.iter_mut().enumerate() {
        for _ in 0..ROUNDS {
            let flow = Flow::of(function, &synchronises);
            let roots = Roots::of(module, &called, (id, function));
            let found = idle(function, &flow, &roots, &fixed);
            for &(block, after) in &found {
                let to = Edge { to: after, moves: Vec::new() };
                function.blocks[block as usize].end = End::Jump(to);
            }
            if found.is_empty() {
                break;
            }
            drop_unread(function, &Flow::of(function, &synchronises));
        }
    }
    module.functions = functions;
}

/// The branches of a function without effect, each with the block where its sides join.
fn idle(
    function: &Function,
    flow: &Flow,
    roots: &Roots<'_>,
    fixed: &[bool],
) -> Vec<(BlockId, BlockId)> {
    let ends = || (0..).zip(function.blocks.iter().map(|block| &block.end));
    let several = |end: &End| matches!(end, End::Branch { .. });
    let mut found: Vec<(BlockId, BlockId)> = Vec::new();
    for (block, end) in ends().filter(|(_, end)| several(end)) {
        let Some(after) = flow.after[block as usize] else { continue };
        let ways: Vec<BlockId> = edges(end).iter().map(|edge| edge.to).collect();
        let region = flow.region(function, &ways, Some(after));
        let live = &flow.live[after as usize];
        let is_live = |register: Reg| {
            live.get(register as usize / 64).is_some_and(|word| word >> (register % 64) & 1 == 1)
        };
        let is_idle = |instruction: &Instruction| {
            let computes = match &instruction.kind {
                Kind::Compute { .. } | Kind::Opaque { .. } => true,
                Kind::Access(access) => reads_fixed(access, roots, fixed),
                _ => false,
            };
            computes && !writes(&instruction.kind).into_iter().any(is_live)
        };
        let moves_nothing = |from: BlockId| {
            let ways = edges(&function.blocks[from as usize].end);
            ways.iter().all(|edge| edge.moves.iter().all(|&(to, _)| !is_live(to)))
        };
        let all = region.iter().all(|&inside| {
            flow.after[inside as usize].is_some()
                && function.blocks[inside as usize].instructions.iter().all(is_idle)
                && moves_nothing(inside)
        });
        if all && moves_nothing(block) {
            found.push((block, after));
        }
    }
    found
}

/// Whether an access only reads memory that no agent writes.
fn reads_fixed(access: &Access, roots: &Roots<'_>, fixed: &[bool]) -> bool {
    let plain =
        access.reads && !access.writes && access.atomic.is_none() && access.copies_to.is_none();
    let known = |objects: OrderedSet<ObjectId>| objects.iter().all(|&id| fixed[id as usize]);
    plain && roots.of_operand(access.address).is_some_and(known)
}

/// For each function, whether code calls it.
fn called(module: &Module) -> Vec<bool> {
    let mut called = alloc::vec![false; module.functions.len()];
    let blocks = module.functions.iter().flat_map(|function| &function.blocks);
    for instruction in blocks.flat_map(|block| &block.instructions) {
        if let Kind::Call { function, .. } = instruction.kind {
            called[function as usize] = true;
        }
    }
    called
}

/// For each object, whether no agent writes it.
fn fixed(module: &Module, called: &[bool]) -> Vec<bool> {
    let mut written = alloc::vec![false; module.objects.len()];
    for (id, function) in module.functions.iter().enumerate() {
        let roots = Roots::of(module, called, (id, function));
        let mut write = |address: Operand, space: Space| match roots.of_operand(address) {
            Some(objects) => objects.iter().for_each(|&id| written[id as usize] = true),
            None => {
                let all = module.objects.iter().zip(&mut written);
                let of_space =
                    all.filter(|(object, _)| space == Space::Generic || object.space == space);
                of_space.for_each(|(_, written)| *written = true);
            }
        };
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            match &instruction.kind {
                Kind::Access(access) => {
                    if access.writes {
                        write(access.address, access.space);
                    }
                    if let Some((to, space)) = access.copies_to {
                        write(to, space);
                    }
                }
                Kind::Nvidia(nvidia) => {
                    let addresses = nvidia
                        .operands
                        .iter()
                        .filter(|one| !matches!(one, Operand::Int(_) | Operand::Special(_)));
                    addresses.for_each(|&address| write(address, Space::Generic));
                }
                Kind::Unknown { .. } => write(Operand::Data, Space::Generic),
                _ => {}
            }
        }
        let unknown = |end: &End| matches!(end, End::Unknown(_));
        if function.blocks.iter().any(|block| unknown(&block.end)) {
            write(Operand::Data, Space::Generic);
        }
    }
    let objects = module.objects.iter().zip(written);
    objects
        .map(|(object, written)| !written || object.read_only || object.space == Space::Constant)
        .collect()
}

/// The objects into which an address in a register can point.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Points {
    /// Not computed yet.
    Nothing,
    Into(OrderedSet<ObjectId>),
    Anywhere,
}

/// For each register, the objects into which it can point.
struct Roots<'a> {
    module: &'a Module,
    /// Whether code calls each function.
    called: &'a [bool],
    all: Vec<Points>,
}

impl<'a> Roots<'a> {
    fn of(module: &'a Module, called: &'a [bool], (id, function): (usize, &Function)) -> Self {
        let mut roots =
            Self { module, called, all: alloc::vec![Points::Nothing; function.widths.len()] };
        for (at, &parameter) in function.parameters.iter().enumerate() {
            let found = roots.passed(id, at);
            roots.join(parameter, found);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for block in &function.blocks {
                for instruction in &block.instructions {
                    match &instruction.kind {
                        Kind::Compute { to, op, of } => {
                            let found = roots.computed(op, of);
                            changed |= roots.join(*to, found);
                        }
                        kind => {
                            for to in writes(kind) {
                                changed |= roots.join(to, Points::Anywhere);
                            }
                        }
                    }
                }
                for edge in edges(&block.end) {
                    for &(to, from) in &edge.moves {
                        let found = roots.points(from);
                        changed |= roots.join(to, found);
                    }
                }
            }
        }
        roots
    }

    /// The objects into which a parameter can point: those that its only kernel passes, if no code calls the function.
    fn passed(&self, function: usize, at: usize) -> Points {
        let kernels = self.module.kernels.iter();
        let kernels = kernels.filter(|kernel| kernel.function as usize == function);
        let passed = kernels.map(|kernel| kernel.arguments.get(at).copied());
        let passed: Vec<Points> =
            passed.map(|operand| self.points(operand.unwrap_or(Operand::Data))).collect();
        match <[Points; 1]>::try_from(passed) {
            Ok([one]) if !self.called[function] => one,
            _ => Points::Anywhere,
        }
    }

    /// The objects into which an operand can point; `None` if they are not known.
    fn of_operand(&self, operand: Operand) -> Option<OrderedSet<ObjectId>> {
        match self.points(operand) {
            Points::Into(objects) if !objects.is_empty() => Some(objects),
            _ => None,
        }
    }

    fn points(&self, operand: Operand) -> Points {
        let object = match operand {
            Operand::Register(register) => return self.all[register as usize].clone(),
            Operand::Object(id, _) => Some(id),
            Operand::Argument(id) => match self.module.arguments[id as usize].passed {
                crate::ir::Passed::Object(id) => Some(id),
                _ => None,
            },
            Operand::Int(_) | Operand::Special(_) | Operand::Data => None,
        };
        object.map_or(Points::Anywhere, |id| Points::Into(core::iter::once(id).collect()))
    }

    /// The objects into which a result can point. An index does not change the object of an address.
    fn computed(&self, op: &Op, of: &[Operand]) -> Points {
        let of = if matches!(op, Op::Select) { &of[1.min(of.len())..] } else { of };
        let parts: Vec<Points> = of.iter().map(|&operand| self.points(operand)).collect();
        let mut objects = OrderedSet::new();
        let (mut open, mut anywhere) = (false, false);
        for part in &parts {
            match part {
                Points::Nothing => open = true,
                Points::Anywhere => anywhere = true,
                Points::Into(some) => objects.extend(some),
            }
        }
        match (objects.is_empty(), open) {
            (false, _) if !(matches!(op, Op::Select) && anywhere) => Points::Into(objects),
            (true, true) => Points::Nothing,
            _ => Points::Anywhere,
        }
    }

    /// Adds objects into which a register can point. Returns whether they are new.
    fn join(&mut self, register: Reg, found: Points) -> bool {
        let known = &mut self.all[register as usize];
        let joined = match (&*known, found) {
            (_, Points::Nothing) | (Points::Anywhere, _) => return false,
            (_, Points::Anywhere) => Points::Anywhere,
            (Points::Nothing, found) => found,
            (Points::Into(known), Points::Into(more)) => {
                Points::Into(known.iter().chain(more.iter()).copied().collect())
            }
        };
        let changed = *known != joined;
        *known = joined;
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{Builder, FunctionBuilder};
    use crate::ir::{Kernel, Machine, Passed, Place, Style};

    /// `if (n) read or write p; if (n) write q`: the ends of its blocks after branches without effect are replaced.
    fn ends(writes_input: bool) -> Vec<End> {
        let place = Place::default();
        let mut builder = Builder::new(Machine::Amdgpu, Style::Lanes);
        let n = builder.argument("n", place, 32, Passed::Integer);
        let [input, output] =
            ["p", "q"].map(|name| builder.pointer(name, place, 64, Space::Global));
        let mut code = FunctionBuilder::new("k", place);
        let pointer = Operand::Register(code.parameter(64));
        let index = code.compute(64, Op::Mul, &[Operand::Argument(n), Operand::Int(4)]);
        let address = code.compute(64, Op::Add, &[pointer, index]);
        for _ in 0..4 {
            code.block();
        }
        let to = |to| Edge { to, moves: Vec::new() };
        let branch =
            |then| End::Branch { on: Operand::Argument(n), then: to(then), other: to(then + 1) };
        code.end(branch(1));
        code.go_to(1);
        code.access(if writes_input {
            Access::store(address, Space::Global, 4, Vec::new())
        } else {
            Access::load(address, Space::Global, 4, Vec::new())
        });
        code.jump(2);
        code.go_to(2);
        code.end(branch(3));
        code.go_to(3);
        code.access(Access::store(Operand::Argument(output), Space::Global, 4, Vec::new()));
        code.jump(4);
        code.go_to(4);
        code.end(End::Return(Vec::new()));
        let function = builder.function(code.finish());
        let arguments = alloc::vec![Operand::Argument(input)];
        builder.kernel(Kernel { function, arguments, ..Kernel::default() });
        let module = builder.finish();
        module.functions[0].blocks.iter().map(|block| block.end.clone()).collect()
    }

    #[test]
    fn a_branch_around_a_read_of_an_input_decides_nothing() {
        let ends = ends(false);
        assert_eq!(ends[0], End::Jump(Edge { to: 2, moves: Vec::new() }));
        assert!(matches!(ends[2], End::Branch { .. }), "the second branch guards a write");
    }

    #[test]
    fn a_branch_around_a_write_stays() {
        assert!(matches!(ends(true)[0], End::Branch { .. }));
    }
}
