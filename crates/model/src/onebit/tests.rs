use super::*;
use crate::operation::{Form, Operation};
use crate::program::{Agent, Body, Launch, Program};

fn machine(waves: u32) -> Machine {
    let join = Operation { action: Action::Join { object: Object::Named(1) }, form: Form::Word };
    let wait = Operation { action: Action::Wait { object: Object::Workgroup }, form: Form::Word };
    let nodes = alloc::vec![
        Node::Operation { operation: join, next: [1, 1] },
        Node::Operation { operation: wait, next: [2, 2] },
        Node::End
    ];
    let agents = (0..waves).map(|wave| Agent { workgroup: 0, wave, body: 0 }).collect();
    let launch = Launch { clusters: 1, workgroups: 1, waves, lanes: 1 };
    let program = Program {
        launch,
        plain_objects: 0,
        buffers: Vec::new(),
        agents,
        bodies: alloc::vec![Body { nodes }],
    };
    Machine::new(Rc::new(Context::new(Rc::new(program)))).unwrap()
}

const WG: usize = 0;
const NAMED: usize = 1;

fn joined(machine: &Machine) -> State {
    let mut state = machine.perform(&machine.perform(&machine.initial(), 0, 0), 1, 0);
    state.objects[NAMED] = state.objects[NAMED].init(2);
    state
}

#[test]
fn words_of_a_named_barrier_for_two() {
    let empty = Counters::default().init(2);
    assert_eq!(empty.word(1), 0x0100_0021);
    let (one, first, completed) = empty.signal(0);
    assert_eq!((one.word(1), first, completed), (0x0101_0021, true, false));
    let (two, first, completed) = one.signal(0);
    assert_eq!((two.word(1), first, completed), (0x0100_0021, false, true));
}

#[test]
fn a_wave_that_ends_wakes_the_waiter_of_the_workgroup() {
    let machine = machine(2);
    let mut state = machine.perform(&machine.initial(), 0, 0);
    state.objects[WG] = state.objects[WG].signal(0).0;
    machine.end(&mut state, 1);
    assert_eq!(state.objects[WG].word(0), 0x0000_0011);
    assert_eq!(machine.ways(&state, 0), 1);
}

#[test]
fn a_wave_that_ends_leaves_named_barriers_alone() {
    let machine = machine(2);
    let mut state = joined(&machine);
    state.objects[NAMED] = state.objects[NAMED].signal(0).0;
    machine.end(&mut state, 1);
    assert_eq!(state.objects[NAMED].word(1), 0x0101_0021);
    assert_eq!(state.bits[0] & Class::Named.bit(), 0);
}

#[test]
fn a_wave_that_leaves_wakes_the_waiter() {
    let machine = machine(2);
    let mut state = joined(&machine);
    state.objects[NAMED] = state.objects[NAMED].signal(0).0;
    machine.operate(&mut state, 1, Action::Leave);
    assert_eq!(state.objects[NAMED].word(1), 0x0100_0011);
    assert_ne!(state.bits[0] & Class::Named.bit(), 0);
    machine.operate(&mut state, 0, Action::Leave);
    assert_eq!(state.objects[NAMED].word(1), 0x0100_0001);
}

#[test]
fn a_workgroup_of_one_wave_ignores_its_barriers() {
    let machine = machine(1);
    let state = machine.perform(&machine.initial(), 0, 0);
    assert_eq!(state.agents[0].joined, Joined::Nothing);
    assert_eq!(machine.ways(&state, 0), 1);
}

#[test]
fn states_pack_and_unpack() {
    let machine = machine(2);
    for mut state in [machine.initial(), joined(&machine)] {
        state.lost = true;
        let mut bytes = Vec::new();
        machine.pack(&state, &mut bytes);
        assert_eq!(machine.unpack(&bytes), state);
    }
}
