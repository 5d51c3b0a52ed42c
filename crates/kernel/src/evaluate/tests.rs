use super::{Evaluated, Launch, Request, evaluate};
use crate::builder::{Builder, FunctionBuilder};
use crate::ir::{
    Access, Amdgpu, Comparison, Edge, End, Kernel, Kind, Machine, Module, Nvidia, NvidiaKind, Op,
    Operand, Passed, Place, Space, Special, Style,
};
use alloc::vec::Vec;
use tidegate_model::mem::operation::Scope;
use tidegate_model::operation::{Form, Intrinsic};
use tidegate_model::program::Node;
use tidegate_model::ptx::action::{Bar, Spelling};

const INT: fn(u64) -> Operand = Operand::Int;

/// A kernel with a loop of `n` iterations. In iteration `i`, each work-item writes its own element of tile `i % tiles`, waits
/// at a barrier if there is one, and reads its neighbour's element.
fn ring(tiles: u64, barrier: bool) -> Module {
    let mut builder = Builder::new(Machine::Amdgpu, Style::Lanes);
    let tile = builder.object("tile", Place::default(), Space::Local, Some(tiles * 512));
    let n = builder.argument("n", Place::default(), 32, Passed::Integer);
    let mut code = FunctionBuilder::new("ring", Place::default());
    let count = Operand::Register(code.parameter(32));
    let round = code.register(32);
    let [header, body, end] = [(); 3].map(|()| code.block());
    let edge = |to, value| Edge { to, moves: alloc::vec![(round, value)] };
    code.end(End::Jump(edge(header, INT(0))));
    code.go_to(header);
    let more =
        code.compute(1, Op::Compare(Comparison::Slt, 32), &[Operand::Register(round), count]);
    let to = |to| Edge { to, moves: Vec::new() };
    code.end(End::Branch { on: more, then: to(body), other: to(end) });
    code.go_to(body);
    let which = code.compute(32, Op::RemUnsigned, &[Operand::Register(round), INT(tiles)]);
    let begin = code.compute(32, Op::Mul, &[which, INT(512)]);
    let begin = code.compute(32, Op::Add, &[begin, Operand::Object(tile, 0)]);
    let place = |code: &mut FunctionBuilder, lane| {
        let offset = code.compute(32, Op::Mul, &[lane, INT(4)]);
        code.compute(32, Op::Add, &[begin, offset])
    };
    let thread = Operand::Special(Special::Thread(0));
    let own = place(&mut code, thread);
    code.access(Access::store(own, Space::Local, 4, Vec::new()));
    if barrier {
        code.push(Kind::Amdgpu(Amdgpu::Barrier, Form::Intrinsic(Intrinsic::SBarrier)));
    }
    let other = code.compute(32, Op::Xor, &[thread, INT(32)]);
    let other = place(&mut code, other);
    code.access(Access::load(other, Space::Local, 4, Vec::new()));
    let next = code.compute(32, Op::Add, &[Operand::Register(round), INT(1)]);
    code.end(End::Jump(edge(header, next)));
    code.go_to(end);
    code.end(End::Return(Vec::new()));
    let function = builder.function(code.finish());
    let arguments = alloc::vec![Operand::Argument(n)];
    builder.kernel(Kernel { function, arguments, ..Kernel::default() });
    builder.finish()
}

fn evaluated(module: &Module, given: &[(u32, i64)]) -> Evaluated {
    let launch = Launch {
        groups: [1; 3],
        threads: [64, 1, 1],
        cluster: [1; 3],
        lanes: 32,
        dimensions: None,
    };
    evaluate(&Request { module, kernel: &module.kernels[0], launch, given }).unwrap()
}

#[test]
fn a_loop_of_any_length_is_proved_to_repeat() {
    for tiles in [1, 2, 3] {
        let kernel = evaluated(&ring(tiles, true), &[]);
        assert!(!kernel.program.host_passes_more, "{tiles} tiles");
        assert!(kernel.program.host_chooses);
        assert!(kernel.passed.len() > 2 * tiles as usize && kernel.passed.len() < 20);
        assert_eq!(kernel.passed[1], "n = 1");
    }
}

#[test]
fn a_loop_without_a_barrier_is_not_proved_where_agents_conflict() {
    let kernel = evaluated(&ring(2, false), &[]);
    assert!(kernel.program.host_passes_more);
    assert!(!kernel.open.is_empty());
}

#[test]
fn a_given_argument_leaves_one_case() {
    let kernel = evaluated(&ring(2, true), &[(0, 5)]);
    assert!(!kernel.program.host_chooses && !kernel.program.host_passes_more);
    // A store, the arrive and the wait, and a load in each iteration, and the end.
    assert_eq!(kernel.program.bodies[0].nodes.len(), 5 * 4 + 1);
    assert!(matches!(kernel.program.bodies[0].nodes[20], Node::End));
}

/// A kernel in which each work-item stores to one place through a generic address, atomically or not.
fn generic(atomic: Option<Scope>) -> Module {
    let mut builder = Builder::new(Machine::Amdgpu, Style::Lanes);
    let tile = builder.object("tile", Place::default(), Space::Local, Some(256));
    let mut code = FunctionBuilder::new("generic", Place::default());
    let address = Operand::Object(tile, crate::ir::window(Space::Local) as i64 + 16);
    let mut access = Access::store(address, Space::Generic, 4, Vec::new());
    access.atomic = atomic;
    code.access(access);
    code.end(End::Return(Vec::new()));
    let function = builder.function(code.finish());
    builder.kernel(Kernel { function, ..Kernel::default() });
    builder.finish()
}

#[test]
fn a_generic_address_of_local_memory_is_as_exact_as_a_local_one() {
    let kernel = evaluated(&generic(None), &[]);
    let Node::Operation { operation, .. } = &kernel.program.bodies[0].nodes[0] else { panic!() };
    let range = tidegate_model::mem::operation::Range { buffer: 0, start: 16, end: 20 };
    let store = tidegate_model::mem::operation::Memory::Store(range);
    assert_eq!(operation.action, tidegate_model::operation::Action::Memory(store));
    assert!(!operation.possible);
}

#[test]
fn atomic_accesses_that_conflict_only_with_each_other_are_left_out() {
    for scope in [Scope::Workgroup, Scope::System] {
        let kernel = evaluated(&generic(Some(scope)), &[]);
        assert!(matches!(kernel.program.bodies[0].nodes[..], [Node::End]));
    }
    let kernel = evaluated(&generic(Some(Scope::Wavefront)), &[]);
    assert!(matches!(kernel.program.bodies[0].nodes[..], [Node::Operation { .. }, Node::End]));
}

/// A warp in which each thread stores to its own element and reads its neighbour's, with or without a barrier in between.
fn neighbour(barrier: bool, distance: u64) -> Module {
    let mut builder = Builder::new(Machine::Nvidia, Style::Lanes);
    let tile = builder.object("tile", Place::default(), Space::Local, Some(512));
    let mut code = FunctionBuilder::new("neighbour", Place::default());
    let thread = Operand::Special(Special::Thread(0));
    let place = |code: &mut FunctionBuilder, lane| {
        let offset = code.compute(32, Op::Mul, &[lane, INT(4)]);
        code.compute(32, Op::Add, &[offset, Operand::Object(tile, 0)])
    };
    let own = place(&mut code, thread);
    code.access(Access::store(own, Space::Local, 4, Vec::new()));
    if barrier {
        let kind = NvidiaKind::Bar { kind: Bar::Sync, reduce: None, aligned: true };
        let operands = alloc::vec![INT(0), INT(0)];
        let (results, spelling) = (Vec::new(), Spelling::Ptx(70));
        code.push(Kind::Nvidia(Nvidia { kind, operands, results, spelling }));
    }
    let other = code.compute(32, Op::Xor, &[thread, INT(distance)]);
    let other = place(&mut code, other);
    code.access(Access::load(other, Space::Local, 4, Vec::new()));
    code.end(End::Return(Vec::new()));
    let function = builder.function(code.finish());
    builder.kernel(Kernel { function, ..Kernel::default() });
    builder.finish()
}

#[test]
fn threads_of_a_warp_that_conflict_without_a_barrier_keep_the_verdict_open() {
    for (barrier, distance, unordered) in
        [(false, 1, true), (true, 1, false), (false, 32, false), (false, 0, false)]
    {
        let kernel = evaluated(&neighbour(barrier, distance), &[]);
        assert_eq!(kernel.program.lanes_meet, unordered, "{barrier}, {distance}");
        assert_eq!(kernel.open.is_empty(), !unordered);
    }
}
