use super::instruction::{BarrierOperand, Condition, Instruction, Policy};
use super::kinds::Kinds;
use super::*;
use crate::mem::operation::{Counter, Fence, Memory, Range, Scope, Spaces, Waits};
use crate::operation::{Action, Form, Mnemonic, Object, Operation};
use crate::program::{Body, Node, NodeId};
use crate::reading::Readings;
use crate::target::{Family, Target, TargetId};
use alloc::vec::Vec;

fn target(name: &str) -> &'static Target {
    TargetId::from_name(name).unwrap().get()
}

fn word(action: Action) -> Operation {
    Operation::new(action, Form::Word)
}

const ARRIVE: Action =
    Action::Arrive { object: Object::Workgroup, expected: None, is_first: false };
const WAIT: Action = Action::Wait { object: Object::Workgroup };

/// A body without branches.
fn straight(actions: &[Action]) -> Body {
    let node = |(at, &action): (usize, &Action)| Node::Operation {
        operation: word(action),
        next: [at as NodeId + 1; 2],
    };
    let mut nodes: Vec<Node> = actions.iter().enumerate().map(node).collect();
    nodes.push(Node::End);
    Body { nodes }
}

fn on(name: &str, known: Known) -> Scene<'static> {
    Scene { target: target(name), buffers: &[], known, lanes: 1 }
}

fn code(body: &Body, name: &str, known: Known) -> Vec<Instruction> {
    let items = lower(body, on(name, known), Readings::default()).unwrap();
    let line = |item| match item {
        Item::Line { instruction, .. } => Some(instruction),
        Item::Label(_) => None,
    };
    items.into_iter().filter_map(line).collect()
}

#[test]
fn the_workgroup_barrier_by_generation() {
    let body = straight(&[ARRIVE, WAIT]);
    let known = Known::Outstanding(Kinds::NONE);
    let bare = Instruction::Barrier(Mnemonic::SBarrier, BarrierOperand::Nothing);
    let all = Instruction::Waitcnt(
        [Counter::Vm, Counter::Exp, Counter::Lgkm]
            .into_iter()
            .fold(Waits::default(), |waits, counter| waits.with(counter, 0)),
    );
    assert_eq!(code(&body, "gfx900", Known::Nothing), [all, bare, Instruction::End]);
    assert_eq!(code(&body, "gfx900", known), [bare, Instruction::End]);
    assert_eq!(code(&body, "gfx90a", Known::Nothing), [bare, Instruction::End]);
    assert_eq!(code(&body, "gfx1100", Known::Nothing), [bare, Instruction::End]);
    let id = BarrierOperand::Id(-1);
    let split = [
        Instruction::Barrier(Mnemonic::SBarrierSignal, id),
        Instruction::Barrier(Mnemonic::SBarrierWait, id),
        Instruction::End,
    ];
    assert_eq!(code(&body, "gfx1200", Known::Nothing), split);
}

#[test]
fn a_second_iteration_waits_again_if_memory_is_unknown() {
    let body = straight(&[ARRIVE, WAIT, ARRIVE, WAIT]);
    let waits = |memory| {
        let code = code(&body, "gfx803", memory);
        code.iter().filter(|line| matches!(line, Instruction::Waitcnt(_))).count()
    };
    assert_eq!(waits(Known::Nothing), 2);
    assert_eq!(waits(Known::Outstanding(Kinds::ALL)), 1);
}

#[test]
fn first_arrives_become_branches() {
    let arrive = Action::Arrive { object: Object::Named(3), expected: Some(2), is_first: true };
    let nodes = alloc::vec![
        Node::Operation { operation: word(arrive), next: [1, 2] },
        Node::Operation { operation: word(WAIT), next: [0; 2] },
        Node::End,
    ];
    let items = lower(&Body { nodes }, on("gfx1250", Known::Nothing), Readings::default()).unwrap();
    let line = |node, instruction| Item::Line { node, instruction };
    assert_eq!(
        items,
        [
            Item::Label(0),
            line(0, Instruction::SetM0(0x2_0003)),
            line(0, Instruction::SetCondition),
            line(0, Instruction::Barrier(Mnemonic::SBarrierSignalIsfirst, BarrierOperand::M0)),
            line(0, Instruction::Branch(Condition::Scc1, 2)),
            line(1, Instruction::Barrier(Mnemonic::SBarrierWait, BarrierOperand::Id(-1))),
            line(0, Instruction::Branch(Condition::Always, 0)),
            Item::Label(2),
            line(2, Instruction::End),
        ]
    );
}

#[test]
fn an_operation_without_code_is_refused_with_its_node() {
    let refused =
        |body: &Body| lower(body, on("gfx1250", Known::Nothing), Readings::default()).unwrap_err();
    let plain = Action::Init { object: Object::Plain(0), expected: 1 };
    let wide = Action::Init { object: Object::Named(1), expected: 128 };
    let drop = Action::Drop { object: Object::Named(1) };
    let join = Action::Join { object: Object::Named(2) };
    assert_eq!(
        refused(&straight(&[plain, wide, join, drop])),
        [(0, Refusal::NoId), (1, Refusal::Count(128)), (3, Refusal::NotJoined)]
    );
    let choose = Body { nodes: alloc::vec![Node::Choose { next: alloc::vec![1, 1] }, Node::End] };
    let lanes = Scene { lanes: 2, ..on("gfx1250", Known::Nothing) };
    assert_eq!(lower(&choose, lanes, Readings::default()), Err(alloc::vec![(0, Refusal::Choice)]));
    assert_eq!(refused(&Body { nodes: alloc::vec![Node::Divergent] }), [(0, Refusal::Divergent)]);
}

/// Each instruction of a lowered fence exists on its target.
#[test]
fn fences_use_only_instructions_of_the_target() {
    let scopes = [Scope::Wavefront, Scope::Workgroup, Scope::Cluster, Scope::Agent, Scope::System];
    for id in TargetId::all().filter(|id| matches!(id.get().family, Family::Amdgpu { .. })) {
        for (scope, bits) in
            scopes.into_iter().flat_map(|scope| (0..16).map(move |bits| (scope, bits)))
        {
            let bit = |at: u32| bits >> at & 1 == 1;
            let spaces = if bit(3) { Spaces::ALL } else { Spaces::default() };
            let fence = Fence { release: bit(0), acquire: bit(1), scope, one_as: bit(2), spaces };
            for instruction in fence_code(fence, Kinds::ALL, id.get()) {
                let mnemonic = match instruction {
                    Instruction::Waitcnt(_) => Mnemonic::SWaitcnt,
                    Instruction::WaitFor(mnemonic, _) | Instruction::Cache(mnemonic, _) => mnemonic,
                    other => panic!("{other:?}"),
                };
                assert!(id.get().has(mnemonic), "{}: {mnemonic:?}", id.get().name);
            }
        }
    }
}

#[test]
fn a_fence_of_the_workgroup_by_generation() {
    let fence = Fence {
        release: false,
        acquire: true,
        scope: Scope::Workgroup,
        one_as: false,
        spaces: Spaces::ALL,
    };
    let on = |name| fence_code(fence, Kinds::ALL, target(name));
    let lgkm = Instruction::Waitcnt(Waits::default().with(Counter::Lgkm, 0));
    assert_eq!(on("gfx900"), [lgkm]);
    assert_eq!(
        on("gfx1200"),
        [
            Instruction::WaitFor(Mnemonic::SWaitStorecnt, 0),
            Instruction::WaitFor(Mnemonic::SWaitLoadcntDscnt, 0),
            Instruction::Cache(Mnemonic::GlobalInv, Policy::ScopeSe),
        ]
    );
    assert_eq!(on("gfx1250").len(), 2);
}

#[test]
fn a_choice_compares_a_register() {
    let nodes = alloc::vec![
        Node::Choose { next: alloc::vec![1, 2, 0] },
        Node::Operation { operation: word(ARRIVE), next: [2; 2] },
        Node::End,
    ];
    let body = Body { nodes };
    let lowered = code(&body, "gfx1250", Known::Nothing);
    let signal = Instruction::Barrier(Mnemonic::SBarrierSignal, BarrierOperand::Id(-1));
    let branch = |node| Instruction::Branch(Condition::Scc1, node);
    let compared = [Instruction::Compare(1), branch(2), Instruction::Compare(2), branch(0)];
    assert_eq!(lowered[..4], compared);
    assert_eq!(lowered[4..], [signal, Instruction::End]);
    let lanes = Scene { lanes: 4, ..on("gfx1250", Known::Nothing) };
    assert_eq!(lower(&body, lanes, Readings::default()), Err(alloc::vec![(0, Refusal::Choice)]));
}

/// A copy and a mark, a function with a copy, a mark and a wait, and a wait after it; a loop around all of them.
fn with_call(own: u16, callers: u16) -> Body {
    let range = Range { buffer: 0, start: 0, end: 4 };
    let copy = Memory::Copy { to: range, from: Range { buffer: 1, ..range } };
    let steps = [
        Memory::Enter,
        copy,
        Memory::Mark,
        Memory::WaitMarks(own),
        Memory::Leave,
        copy,
        Memory::Mark,
        Memory::WaitMarks(callers),
    ];
    let node = |(index, &memory): (usize, &Memory)| {
        let next = (index as u32 + 1) % steps.len() as u32;
        Node::Operation { operation: word(Action::Memory(memory)), next: [next; 2] }
    };
    Body { nodes: steps.iter().enumerate().map(node).collect() }
}

#[test]
fn a_call_is_inlined_if_every_wait_completes_the_same_copies() {
    let lowered = code(&with_call(0, 0), "gfx1250", Known::Outstanding(Kinds::NONE));
    // The loop returns to the first operation of the function, whose begin has no code.
    assert_eq!(lowered[0], Instruction::Kept);
    assert_eq!(lowered.last(), Some(&Instruction::Branch(Condition::Always, 1)));
    let waits = lowered.iter().filter(|one| matches!(one, Instruction::WaitFor(..)));
    assert_eq!(waits.count(), 2);
    // The function would wait for its caller's mark of the previous iteration.
    let scene = on("gfx1250", Known::Outstanding(Kinds::NONE));
    let refused = lower(&with_call(1, 1), scene, Readings::default());
    assert_eq!(refused, Err(alloc::vec![(0, Refusal::Function)]));
}
