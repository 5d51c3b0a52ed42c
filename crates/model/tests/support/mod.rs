//! Random programs and walks, the same on every machine.
#![allow(dead_code, missing_docs, unreachable_pub)]

extern crate alloc;
extern crate std;

pub mod memory;

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action, Form, Object, Operation};
use tidegate_model::program::{Agent, Body, Launch, Node, Program};
use tidegate_model::reading::{ReadingId, Readings};

/// The number of random programs that a test run takes out of `all`: a quarter, or all with `TIDEGATE_RANDOM=full`
/// (`cargo xtask soak random`), and then `TIDEGATE_TIMES` times as many. The numbers that they must show scale with it.
pub fn share(all: u64) -> u64 {
    if is_full() { all * times() } else { all / 4 }
}

/// The first seed of [`more`].
pub const MORE: u64 = 1 << 32;

/// Seeds, and after them from [`MORE`] on as many for each further time that `TIDEGATE_TIMES` asks for.
pub fn more(seeds: core::ops::Range<u64>) -> impl Iterator<Item = u64> {
    let further = as_many().saturating_sub(1);
    let (start, length) = (seeds.start, seeds.end - seeds.start);
    seeds.chain((0..further * length).map(move |at| MORE + (start << 32) + at))
}

/// How many times as many programs a test without seeds compares.
pub fn as_many() -> u64 {
    if is_full() { times() } else { 1 }
}

fn is_full() -> bool {
    std::env::var("TIDEGATE_RANDOM").is_ok_and(|words| words == "full")
}

fn times() -> u64 {
    let words = std::env::var("TIDEGATE_TIMES").ok();
    words.and_then(|words| words.parse().ok()).unwrap_or(1)
}

/// A small pseudo-random generator (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % end
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

fn word(action: Action) -> Operation {
    Operation::new(action, Form::Word)
}

pub fn arrive(object: Object) -> Action {
    Action::Arrive { object, expected: None, is_first: false }
}

/// A body that performs the actions one after another.
pub fn straight(actions: &[Action]) -> Body {
    let node = |(index, &action): (usize, &Action)| {
        let next = index as u32 + 1;
        Node::Operation { operation: word(action), next: [next, next] }
    };
    let mut nodes: Vec<Node> = actions.iter().enumerate().map(node).collect();
    nodes.push(Node::End);
    Body { nodes }
}

/// A program of straight bodies; equal bodies are shared.
pub fn program(launch: Launch, bodies: &[Vec<Action>]) -> Rc<Context> {
    let mut shared: Vec<Body> = Vec::new();
    let mut agents = Vec::new();
    for (index, actions) in bodies.iter().enumerate() {
        let body = straight(actions);
        let id = shared.iter().position(|other| *other == body).unwrap_or_else(|| {
            shared.push(body);
            shared.len() - 1
        });
        let (workgroup, wave) = (index as u32 / launch.waves, index as u32 % launch.waves);
        agents.push(Agent { workgroup, wave, body: id as u32 });
    }
    let (plain_objects, buffers) = (2, Vec::new());
    Rc::new(Context::new(Rc::new(Program {
        plain_objects,
        buffers,
        ..Program::of(launch, agents, shared)
    })))
}

/// A random program of a few waves, which mostly initialises the objects that it uses.
pub fn random_program(random: &mut Random) -> Rc<Context> {
    let two_groups = random.chance(15);
    let waves = if two_groups { 1 + random.below(2) } else { 1 + random.below(3) };
    let two_clusters = two_groups && random.chance(50);
    let launch = Launch {
        clusters: 1 + u32::from(two_clusters),
        workgroups: 1 + u32::from(two_groups),
        waves: waves as u32,
        lanes: 1,
    };
    // A plain object belongs to one workgroup; a use from another breaks a separate rule.
    let last = if two_groups || random.chance(50) { Object::Named(3) } else { Object::Plain(0) };
    let objects = [Object::Workgroup, Object::Named(1), Object::Named(2), last];
    let prelude = random.chance(80);
    let count = waves * (1 + usize::from(two_groups));
    let alike = random.chance(25);
    // Many arrives and waits on few objects, so that waits can depend on several phases.
    let dense = random.chance(40);
    let mut bodies: Vec<Vec<Action>> = Vec::new();
    for agent in 0..count {
        if alike && agent > 1 {
            let last = bodies[agent - 1].clone();
            bodies.push(last);
            continue;
        }
        let mut body = Vec::new();
        if prelude {
            if agent % waves == 0 {
                for object in &objects[1..] {
                    let expected = 1 + random.below(3) as i64;
                    body.push(Action::Init { object: *object, expected });
                }
            }
            if random.chance(60) {
                body.push(Action::Join { object: objects[1 + random.below(2)] });
            }
            body.extend([arrive(Object::Workgroup), Action::Wait { object: Object::Workgroup }]);
        }
        for _ in 0..random.below(if dense { 9 } else { 6 }) {
            body.push(if dense {
                dense_action(random, &objects)
            } else {
                random_action(random, &objects, two_groups)
            });
        }
        bodies.push(body);
    }
    program(launch, &bodies)
}

fn dense_action(random: &mut Random, objects: &[Object]) -> Action {
    let object = objects[random.below(2)];
    if random.chance(60) { arrive(object) } else { Action::Wait { object } }
}

fn random_action(random: &mut Random, objects: &[Object], two_groups: bool) -> Action {
    let cluster = two_groups && random.chance(40);
    let object = if cluster { Object::Cluster } else { objects[random.below(objects.len())] };
    match random.below(20) {
        0..8 => arrive(object),
        8..15 => Action::Wait { object },
        15 => Action::Join { object: objects[1 + random.below(2)] },
        16 => Action::Drop { object },
        17 => Action::Leave,
        18 => {
            Action::Arrive { object, expected: Some(1 + random.below(3) as i64), is_first: false }
        }
        _ if random.chance(30) => Action::Init { object, expected: 1 + random.below(2) as i64 },
        _ if random.chance(30) => Action::Join { object: Object::Null },
        _ => arrive(object),
    }
}

/// The program with branches: alternatives, loops, and `isfirst` arrives.
pub fn branching(random: &mut Random, context: &Context) -> Rc<Context> {
    let mut program = (*context.program).clone();
    for body in &mut program.bodies {
        for _ in 0..random.below(3) {
            let at = random.below(body.nodes.len());
            let back = random.chance(20);
            let to = if back {
                random.below(at + 1)
            } else {
                at + 1 + random.below(body.nodes.len() - at)
            };
            insert_choice(body, at, to);
        }
        for id in 0..body.nodes.len() {
            let later = (id + 1 + random.below(body.nodes.len() - id)).min(body.nodes.len() - 1);
            if let Node::Operation { operation, next } = &mut body.nodes[id]
                && let Action::Arrive { is_first, .. } = &mut operation.action
                && random.chance(10)
            {
                (*is_first, next[1]) = (true, later as u32);
            }
        }
    }
    Rc::new(Context::new(Rc::new(program)))
}

/// Inserts a choice before the node `at`: continue there, or at the node that will have the number `to`.
fn insert_choice(body: &mut Body, at: usize, to: usize) {
    let moved = |id: &mut u32| *id += u32::from(*id as usize > at);
    for node in &mut body.nodes {
        match node {
            Node::Operation { next, .. } => next.iter_mut().for_each(moved),
            Node::Choose { next } => next.iter_mut().for_each(moved),
            Node::Divergent | Node::End => {}
        }
    }
    body.nodes.insert(at, Node::Choose { next: Vec::from([at as u32 + 1, to as u32]) });
}

/// Random readings of some ambiguous rules.
pub fn random_readings(random: &mut Random) -> Readings {
    let ids = [
        ReadingId::AmdA2,
        ReadingId::AmdA3,
        ReadingId::AmdA4,
        ReadingId::AmdA7,
        ReadingId::AmdA8,
        ReadingId::AmdA10,
    ];
    ids.into_iter()
        .fold(Readings::default(), |readings, id| readings.with(id, u8::from(random.chance(12))))
}

/// A program as text, one agent per line.
pub fn show(context: &Context) -> String {
    let operation = |node: &Node| match node {
        Node::Operation { operation, .. } => match operation.action {
            Action::Init { object, expected } => format!("init {object:?},{expected}"),
            Action::Arrive { object, expected: None, .. } => format!("arrive {object:?}"),
            Action::Arrive { object, expected: Some(count), .. } => {
                format!("arrive {object:?},={count}")
            }
            Action::Wait { object } => format!("wait {object:?}"),
            Action::Drop { object } => format!("drop {object:?}"),
            Action::Join { object } => format!("join {object:?}"),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    };
    let line = |agent: &Agent| {
        let nodes = &context.program.bodies[agent.body as usize].nodes;
        let nodes: Vec<String> = nodes.iter().map(operation).collect();
        format!("  {}.{}: {}\n", agent.workgroup, agent.wave, nodes.join("; "))
    };
    context.program.agents.iter().map(line).collect()
}
