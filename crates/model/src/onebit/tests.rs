//! Test vectors of the public hardware model, each reached by the steps of a program.

use super::*;
use crate::operation::{Form, Mnemonic, Operation};
use crate::program::{Agent, Body, Launch, Program};

const WG: Object = Object::Workgroup;
const N1: Object = Object::Named(1);

fn arrive(object: Object) -> Action {
    Action::Arrive { object, expected: None, is_first: false }
}

fn is_first(object: Object) -> Action {
    Action::Arrive { object, expected: None, is_first: true }
}

/// Performs the operations in sequence; both outcomes continue.
fn body(actions: &[Action]) -> Body {
    let node = |(index, action): (u32, &Action)| Node::Operation {
        operation: Operation::new(*action, Form::Word),
        next: [index + 1; 2],
    };
    let nodes = (0..).zip(actions).map(node).chain([Node::End]).collect();
    Body { nodes }
}

/// A machine with `workgroups` workgroups, with one wave for each body.
fn machine(workgroups: u32, bodies: &[Body]) -> Machine {
    let waves = bodies.len() as u32;
    let agents = (0..workgroups)
        .flat_map(|workgroup| (0..waves).map(move |wave| Agent { workgroup, wave, body: wave }))
        .collect();
    let launch = Launch { clusters: 1, workgroups, waves, lanes: 1 };
    let bodies = bodies.to_vec();
    let program = Program::of(launch, agents, bodies);
    Machine::new(Rc::new(Context::new(Rc::new(program)))).unwrap()
}

/// Performs steps of agents in that order; each must be possible.
fn run(machine: &Machine, agents: &[usize]) -> State {
    agents.iter().fold(machine.initial(), |state, &agent| {
        assert!(machine.ways(&state, agent) > 0, "agent {agent} is blocked in {agents:?}");
        machine.perform(&state, agent, 0)
    })
}

fn word(machine: &Machine, state: &State, object: Object) -> u32 {
    let list = &machine.context.instances.list;
    let instance = list.iter().position(|at| at.object == object).unwrap();
    machine.word(state, instance as InstanceId)
}

/// Counts the outcomes of the last step of the program's first agent.
fn first_of(actions: &[Action], others: &[Action], agents: &[usize]) -> (u32, u32) {
    let mut first = body(actions);
    let last = actions.len() - 1;
    let end = actions.len() as u32;
    first.nodes[last] = match first.nodes[last].clone() {
        Node::Operation { operation, .. } => Node::Operation { operation, next: [end, end + 1] },
        other => other,
    };
    first.nodes.push(Node::End);
    let machine = machine(1, &[first, body(others)]);
    let state = run(&machine, agents);
    (word(&machine, &state, N1), state.agents[0].node - end)
}

#[test]
fn two_signals_of_a_named_barrier_for_two() {
    let init = Action::Init { object: N1, expected: 2 };
    let one = machine(1, &[body(&[init]), body(&[])]);
    assert_eq!(word(&one, &run(&one, &[0]), N1), 0x0100_0021);
    assert_eq!(first_of(&[init, is_first(N1)], &[], &[0, 0]), (0x0101_0021, 1));
    let second = first_of(&[init, is_first(N1)], &[arrive(N1)], &[0, 1, 0]);
    assert_eq!(second, (0x0100_0021, 0));
}

#[test]
fn a_wave_that_ends_wakes_the_waiter_of_the_workgroup() {
    let machine = machine(1, &[body(&[arrive(WG), Action::Wait { object: WG }]), body(&[])]);
    assert_eq!(machine.ways(&run(&machine, &[0]), 0), 0, "before, it waits");
    let state = run(&machine, &[0, 1]);
    assert_eq!(word(&machine, &state, WG), 0x0000_0011);
    assert_eq!(machine.ways(&state, 0), 1);
}

const JOINED: [Action; 4] = [
    Action::Join { object: N1 },
    Action::Init { object: N1, expected: 2 },
    Action::Arrive { object: N1, expected: None, is_first: false },
    Action::Wait { object: Object::Named(7) },
];

#[test]
fn a_wave_that_ends_does_not_change_named_barriers() {
    let mut waiter = JOINED;
    waiter[3] = Action::Wait { object: N1 };
    let machine = machine(1, &[body(&waiter), body(&[Action::Join { object: N1 }])]);
    let state = run(&machine, &[1, 0, 0, 0, 1]);
    assert!(state.agents[1].ended);
    assert_eq!(word(&machine, &state, N1), 0x0101_0021);
    assert_eq!(machine.ways(&state, 0), 0);
}

#[test]
fn a_wave_that_leaves_wakes_the_waiter() {
    let mut waiter = JOINED.to_vec();
    waiter[3] = Action::Wait { object: N1 };
    waiter.push(Action::Leave);
    let machine = machine(1, &[body(&waiter), body(&[Action::Join { object: N1 }, Action::Leave])]);
    let before = run(&machine, &[1, 0, 0, 0]);
    assert_eq!((word(&machine, &before, N1), machine.ways(&before, 0)), (0x0101_0021, 0));
    let after = run(&machine, &[1, 0, 0, 0, 1]);
    assert_eq!((word(&machine, &after, N1), machine.ways(&after, 0)), (0x0100_0011, 1));
    let last = run(&machine, &[1, 0, 0, 0, 1, 0, 0]);
    assert_eq!(word(&machine, &last, N1), 0x0100_0001);
}

#[test]
fn a_named_wait_acts_on_the_joined_object_for_any_operand() {
    let other = [Action::Join { object: N1 }, arrive(N1)];
    let machine = machine(1, &[body(&JOINED), body(&other)]);
    assert_eq!(machine.ways(&run(&machine, &[0, 0, 0]), 0), 0);
    assert_eq!(machine.ways(&run(&machine, &[0, 0, 0, 1, 1]), 0), 1);
}

#[test]
fn a_join_of_the_same_barrier_also_clears_the_bit() {
    let again = [JOINED[0], JOINED[1], JOINED[2], JOINED[0], JOINED[3]];
    let machine = machine(1, &[body(&again), body(&[arrive(N1)])]);
    let state = run(&machine, &[0, 0, 0, 1, 0]);
    assert_eq!(machine.ways(&state, 0), 0, "the completion before the second join is gone");
}

#[test]
fn waits_and_leaves_with_nothing_joined_do_nothing() {
    let nothing =
        [Action::Wait { object: N1 }, Action::Leave, Action::Join { object: Object::Null }];
    let machine = machine(1, &[body(&nothing), body(&[])]);
    let state = run(&machine, &[0, 0, 0]);
    assert_eq!((state.agents[0].joined, state.bits[0]), (Joined::Nothing, 0));
    assert_eq!(word(&machine, &state, N1), 0x0100_0001);
}

#[test]
fn counts_have_seven_bits() {
    let kept = Counters { members: 5, signals: 3 };
    assert_eq!(
        kept.init(0),
        Counters { members: 5, signals: 0 },
        "a count of 0 leaves the members"
    );
    assert_eq!(kept.init(0x85), Counters { members: 5, signals: 0 });
    assert_eq!(Counters::default().signal(0), (Counters::default(), false, false), "no members");
    assert_eq!(kept.signal(3), (Counters { members: 3, signals: 0 }, false, true));
    let full = Counters { members: 0x7f, signals: 0x7e };
    assert_eq!(full.signal(0), (Counters { members: 0x7f, signals: 0 }, false, true));
    assert_eq!(Counters { members: 0, signals: 0 }.leave(), (Counters::default(), true));
}

#[test]
fn the_end_of_a_workgroup_takes_a_member_of_the_cluster_barrier() {
    let cluster = [arrive(Object::Cluster), Action::Wait { object: Object::Cluster }];
    let machine = machine(2, &[body(&cluster), body(&[])]);
    // Workgroup 0 has agents 0 and 1, workgroup 1 has 2 and 3.
    let state = run(&machine, &[0, 2, 0, 2, 0, 1]);
    assert_eq!(word(&machine, &state, Object::Cluster), 0x0000_0011);
}

#[test]
fn a_workgroup_of_one_wave_ignores_its_barriers() {
    let machine = machine(1, &[body(&JOINED)]);
    let state = run(&machine, &[0, 0, 0, 0]);
    assert_eq!(state.agents[0].joined, Joined::Nothing);
    assert_eq!(word(&machine, &state, N1) & !(7 << 24), 1);
}

/// A lone wave tests for the first arrival: SCC is unchanged, and undetermined if no operation has set it.
#[test]
fn an_ignored_question_leaves_scc() {
    let fork = |action, at: u32| Node::Operation {
        operation: Operation::new(action, Form::Machine(Mnemonic::SBarrierSignalIsfirst)),
        next: [at, at + 1],
    };
    let asked = Body { nodes: alloc::vec![fork(is_first(WG), 1), Node::End, Node::End] };
    let machine_unset = machine(1, &[asked]);
    let start = machine_unset.initial();
    assert_eq!(machine_unset.ways(&start, 0), 2);
    for way in [0, 1] {
        let after = machine_unset.perform(&start, 0, way);
        assert_eq!(after.agents[0].node, 1 + way as u32);
    }
    for expected in [0, 1] {
        let mut nodes = body(&[is_first(Object::Cluster)]).nodes;
        nodes[1] = fork(is_first(WG), 2);
        nodes.extend([Node::End, Node::End]);
        let set = machine(2, &[Body { nodes }]);
        // The first workgroup to arrive gets 1, the second 0, and an ignored question changes neither.
        let order: &[usize] = if expected == 1 { &[0] } else { &[1, 0] };
        let state = run(&set, order);
        assert_eq!(set.ways(&state, 0), 1);
        assert_eq!(set.perform(&state, 0, 0).agents[0].node, 2 + expected);
        let mut bytes = Vec::new();
        set.pack(&state, &mut bytes);
        assert_eq!(set.unpack(&bytes), state);
    }
}

#[test]
fn states_pack_and_unpack() {
    let machine = machine(1, &[body(&JOINED), body(&[Action::Join { object: N1 }])]);
    for mut state in [machine.initial(), run(&machine, &[1, 0, 0, 0])] {
        state.lost = true;
        let mut bytes = Vec::new();
        machine.pack(&state, &mut bytes);
        assert_eq!(machine.unpack(&bytes), state);
    }
}
