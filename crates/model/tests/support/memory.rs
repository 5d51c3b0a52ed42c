//! Random programs with memory, and their happens-before relation by definition.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::needless_range_loop)]

use super::Random;
use super::alloc::collections::BTreeSet;
use super::alloc::format;
use super::alloc::rc::Rc;
use super::alloc::string::String;
use super::alloc::vec::Vec;
use tidegate_model::axioms::relation::Events;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::{Buffer, Fence, Memory, Range, Scope, Space, Spaces};
use tidegate_model::operation::{Action, Form, Object, Operation};
use tidegate_model::program::{Agent, Body, Launch, Node, Program};

/// Parameters of random programs.
#[derive(Clone, Copy)]
pub struct Taste {
    /// The largest number of waves of all workgroups together.
    pub waves: usize,
    /// The largest number of operations of a body after its prelude.
    pub length: usize,
    /// Whether bodies can restart.
    pub loops: bool,
}

/// A random program of a few waves that exchange memory, more or less correctly.
pub fn memory_program(random: &mut Random, taste: Taste) -> Rc<Context> {
    let groups = if random.chance(25) { 2 } else { 1 };
    let waves = (1 + random.below(taste.waves)).div_ceil(groups).max(1);
    let clusters = if groups == 2 && random.chance(50) { 2 } else { 1 };
    let launch = Launch { clusters, workgroups: groups as u32, waves: waves as u32, lanes: 1 };
    let spaces =
        [Space::Local, Space::Global, if random.chance(50) { Space::Local } else { Space::Global }];
    let buffers = spaces
        .map(|space| Buffer { space, size: 8, image: false, owner: None, instance_of: None })
        .to_vec();
    let asynchronous = random.chance(50);
    let named = random.chance(40);
    let (mut bodies, mut agents): (Vec<Body>, Vec<Agent>) = (Vec::new(), Vec::new());
    for index in 0..waves * groups {
        let mut actions = Vec::new();
        if named && index % waves == 0 {
            actions.push(Action::Init {
                object: Object::Named(1),
                expected: 1 + random.below(2) as i64,
            });
        }
        if named {
            actions.push(Action::Join { object: Object::Named(1) });
            actions.extend([arrive(Object::Workgroup), Action::Wait { object: Object::Workgroup }]);
        }
        for _ in 0..1 + random.below(taste.length) {
            step(random, named, groups > 1, asynchronous, &mut actions);
        }
        let body = body(&actions, taste.loops && random.chance(30));
        let id = bodies.iter().position(|other| *other == body).unwrap_or_else(|| {
            bodies.push(body);
            bodies.len() - 1
        });
        agents.push(Agent {
            workgroup: (index / waves) as u32,
            wave: (index % waves) as u32,
            body: id as u32,
        });
    }
    Rc::new(Context::new(Rc::new(Program { buffers, ..Program::of(launch, agents, bodies) })))
}

fn arrive(object: Object) -> Action {
    Action::Arrive { object, expected: None, is_first: false }
}

/// A straight body, with a restart if requested.
fn body(actions: &[Action], again: bool) -> Body {
    let node = |(index, &action): (usize, &Action)| {
        let next = index as u32 + 1;
        Node::Operation { operation: Operation::new(action, Form::Word), next: [next; 2] }
    };
    let mut nodes: Vec<Node> = actions.iter().enumerate().map(node).collect();
    if again {
        let end = nodes.len() as u32 + 1;
        nodes.push(Node::Choose { next: super::alloc::vec![0, end] });
    }
    nodes.push(Node::End);
    Body { nodes }
}

fn step(
    random: &mut Random,
    named: bool,
    cluster: bool,
    asynchronous: bool,
    out: &mut Vec<Action>,
) {
    let objects = [Object::Workgroup, Object::Named(1), Object::Cluster];
    let object = match random.below(10) {
        0..3 if named => objects[1],
        3..8 if cluster => objects[2],
        _ => objects[0],
    };
    let memory = |memory| Action::Memory(memory);
    match random.below(20) {
        // A complete exchange at a barrier, mostly with its fences.
        0..4 => {
            if random.chance(70) {
                out.push(memory(Memory::Fence(fence(random, Some(true)))));
            }
            out.extend([arrive(object), Action::Wait { object }]);
            if random.chance(70) {
                out.push(memory(Memory::Fence(fence(random, Some(false)))));
            }
        }
        4 => out.push(arrive(object)),
        5 => out.push(Action::Wait { object }),
        6 if named => out.push(Action::Drop { object: objects[1] }),
        7..9 => out.push(memory(Memory::Fence(fence(random, None)))),
        9..12 if asynchronous => {
            let to = range(random);
            let size = to.end - to.start;
            let start = random.below(9 - size as usize) as u32;
            let from = Range { buffer: random.below(3) as u16, start, end: start + size };
            out.push(memory(Memory::Copy { to, from }));
        }
        12 | 13 if asynchronous => out.push(memory(Memory::Mark)),
        14 | 15 if asynchronous => out.push(memory(Memory::WaitMarks(random.below(3) as u16))),
        16 if asynchronous => {
            out.push(memory(Memory::Enter));
            for _ in 0..random.below(4) {
                step(random, false, false, true, out);
            }
            out.push(memory(Memory::Leave));
        }
        _ if random.chance(50) => out.push(memory(Memory::Load(range(random)))),
        _ => out.push(memory(Memory::Store(range(random)))),
    }
}

fn range(random: &mut Random) -> Range {
    let start = random.below(8) as u32;
    let end = start + 1 + random.below(3.min(8 - start as usize)) as u32;
    Range { buffer: random.below(3) as u16, start, end }
}

fn fence(random: &mut Random, release: Option<bool>) -> Fence {
    let scopes = [
        Scope::Wavefront,
        Scope::Workgroup,
        Scope::Workgroup,
        Scope::Cluster,
        Scope::Agent,
        Scope::System,
    ];
    let order = match release {
        Some(true) => (true, random.chance(20)),
        Some(false) => (random.chance(20), true),
        None => [(true, false), (false, true), (true, true)][random.below(3)],
    };
    let spaces = match random.below(10) {
        0 => Spaces::default().with(Space::Local),
        1 => Spaces::default().with(Space::Global),
        _ => Spaces::ALL,
    };
    Fence {
        release: order.0,
        acquire: order.1,
        scope: scopes[random.below(6)],
        one_as: random.chance(5),
        spaces,
    }
}

/// A performed operation: the agent, the operation, and its position among the barrier operations.
#[derive(Clone, Debug)]
pub struct Performed {
    pub agent: usize,
    pub action: Option<Action>,
    pub barrier: Option<usize>,
}

/// One access of an execution; for a copy, an access of the copy.
struct Access {
    event: usize,
    copy: bool,
    range: Range,
    write: bool,
}

/// The races of an execution, as pairs of performed operations and whether a copy is involved; `before` returns whether
/// one barrier operation *barrier-executes-before* another.
pub fn races(
    program: &Program,
    done: &[Performed],
    before: &dyn Fn(usize, usize) -> bool,
    v1: bool,
) -> BTreeSet<(usize, usize, bool)> {
    let mut found = BTreeSet::new();
    for space in [Space::Local, Space::Global] {
        let order = happens_before(program, done, before, space, v1);
        let all: Vec<Access> = (0..done.len())
            .flat_map(|event| accesses(done, event))
            .filter(|access| program.buffers[usize::from(access.range.buffer)].space == space)
            .collect();
        for (index, one) in all.iter().enumerate() {
            for other in &all[..index] {
                let here = |access: &Access| program.agents[done[access.event].agent].workgroup;
                let same_memory = space == Space::Global || here(one) == here(other);
                let own =
                    !one.copy && !other.copy && done[one.event].agent == done[other.event].agent;
                let itself = one.event == other.event;
                if !(one.write || other.write)
                    || !one.range.overlaps(other.range)
                    || !same_memory
                    || own
                    || itself
                {
                    continue;
                }
                let point =
                    |access: &Access| access.event + if access.copy { done.len() } else { 0 };
                if !order[point(one)][point(other)] && !order[point(other)][point(one)] {
                    found.insert((other.event, one.event, one.copy || other.copy));
                }
            }
        }
    }
    found
}

fn accesses(done: &[Performed], event: usize) -> Vec<Access> {
    let access = |copy, range, write| Access { event, copy, range, write };
    match done[event].action {
        Some(Action::Memory(Memory::Load(range))) => {
            super::alloc::vec![access(false, range, false)]
        }
        Some(Action::Memory(Memory::Store(range))) => {
            super::alloc::vec![access(false, range, true)]
        }
        Some(Action::Memory(Memory::Copy { to, from })) => {
            super::alloc::vec![access(true, from, false), access(true, to, true)]
        }
        _ => Vec::new(),
    }
}

/// *Happens-before* in an address space: first the performed operations, then the copies that they started.
fn happens_before(
    program: &Program,
    done: &[Performed],
    before: &dyn Fn(usize, usize) -> bool,
    space: Space,
    v1: bool,
) -> Vec<Vec<bool>> {
    let count = done.len();
    let mut order = super::alloc::vec![super::alloc::vec![false; 2 * count]; 2 * count];
    let same = |a: usize, b: usize| done[a].agent == done[b].agent;
    for b in 0..count {
        for a in 0..b {
            order[a][b] |= same(a, b);
            order[a][b] |= synchronizes(program, done, before, space, a, b);
        }
    }
    for copy in (0..count).filter(|&event| is_copy(done, event)) {
        order[copy][count + copy] = true;
        for wait in (copy..count).filter(|&wait| completes(done, copy, wait)) {
            if !v1 {
                order[count + copy][wait] = true;
                continue;
            }
            for later in (wait..count).filter(|&later| same(copy, later)) {
                let overlap = accesses(done, copy).iter().any(|one| {
                    accesses(done, later).iter().any(|other| one.range.overlaps(other.range))
                });
                if overlap {
                    let point = if is_copy(done, later) { count + later } else { later };
                    order[count + copy][point] = true;
                }
            }
        }
    }
    for middle in 0..2 * count {
        for from in 0..2 * count {
            if order[from][middle] {
                for to in 0..2 * count {
                    order[from][to] |= order[middle][to];
                }
            }
        }
    }
    order
}

fn is_copy(done: &[Performed], event: usize) -> bool {
    matches!(done[event].action, Some(Action::Memory(Memory::Copy { .. })))
}

/// A release fence and an acquire fence synchronise if some arrive after the first *barrier-executes-before* some wait
/// before the second.
fn synchronizes(
    program: &Program,
    done: &[Performed],
    before: &dyn Fn(usize, usize) -> bool,
    space: Space,
    a: usize,
    b: usize,
) -> bool {
    let (
        Some(Action::Memory(Memory::Fence(release))),
        Some(Action::Memory(Memory::Fence(acquire))),
    ) = (done[a].action, done[b].action)
    else {
        return false;
    };
    let names = |fence: Fence| !fence.one_as && fence.spaces.contains(space);
    if !release.release || !acquire.acquire || !names(release) || !names(acquire) {
        return false;
    }
    let (one, other) = (program.agents[done[a].agent], program.agents[done[b].agent]);
    let includes = |scope: Scope| match scope {
        Scope::Wavefront => done[a].agent == done[b].agent,
        Scope::Workgroup => one.workgroup == other.workgroup,
        Scope::Cluster => {
            program.launch.cluster_of(one.workgroup) == program.launch.cluster_of(other.workgroup)
        }
        Scope::Agent | Scope::System => true,
    };
    if !includes(release.scope) || !includes(acquire.scope) {
        return false;
    }
    let arrives = (a..done.len()).filter(|&x| {
        done[x].agent == done[a].agent && matches!(done[x].action, Some(Action::Arrive { .. }))
    });
    let waits = || {
        (0..b).filter(|&x| {
            done[x].agent == done[b].agent && matches!(done[x].action, Some(Action::Wait { .. }))
        })
    };
    let barrier = |x: usize| done[x].barrier;
    arrives.into_iter().any(|x| {
        waits().any(|y| matches!((barrier(x), barrier(y)), (Some(x), Some(y)) if before(x, y)))
    })
}

/// Whether a wait completes a copy: some mark of its function body follows the copy and is not among the last.
fn completes(done: &[Performed], copy: usize, wait: usize) -> bool {
    let Some(Action::Memory(Memory::WaitMarks(most))) = done[wait].action else { return false };
    if done[copy].agent != done[wait].agent {
        return false;
    }
    let frame = frame(done, wait);
    let marks: Vec<usize> = (0..wait)
        .filter(|&x| {
            done[x].agent == done[wait].agent
                && done[x].action == Some(Action::Memory(Memory::Mark))
                && self::frame(done, x) == frame
        })
        .collect();
    let completed = marks.len().saturating_sub(usize::from(most));
    marks[..completed].iter().any(|&mark| mark > copy)
}

/// The call that contains an operation: where it was entered.
fn frame(done: &[Performed], event: usize) -> Option<usize> {
    let mut open = Vec::new();
    for x in (0..event).filter(|&x| done[x].agent == done[event].agent) {
        match done[x].action {
            Some(Action::Memory(Memory::Enter)) => open.push(x),
            Some(Action::Memory(Memory::Leave)) => drop(open.pop()),
            _ => {}
        }
    }
    open.last().copied()
}

/// A program with memory as text.
pub fn show(context: &Context) -> String {
    let line = |agent: &Agent| {
        let nodes = &context.program.bodies[agent.body as usize].nodes;
        let node = |node: &Node| match node {
            Node::Operation { operation, .. } => format!("    {:?}\n", operation.action),
            other => format!("    {other:?}\n"),
        };
        format!(
            "  {}.{}:\n{}",
            agent.workgroup,
            agent.wave,
            nodes.iter().map(node).collect::<String>()
        )
    };
    format!(
        "{:?} {:?}\n{}",
        context.program.launch,
        context.program.buffers,
        context.program.agents.iter().map(line).collect::<String>()
    )
}

/// A set of operations, for the caller's closures.
pub type Set = Events;
