//! The machine and its reduced search against a separate, direct simulation of small random programs.

mod reduction;

use super::judged;
use crate::scene::Options;
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::context::Context;
use tidegate_model::operation::{Action as Any, Form, Operation};
use tidegate_model::program::{Agent, Body, Launch, Node, Program};
use tidegate_model::ptx::action::{
    Action, Arrive, Asked, Bar, Name, Order, Patience, Place, Spelling,
};
use tidegate_model::ptx::transition::Law;
use tidegate_model::reading::{ReadingId, Readings};

/// What the simulation knows: nothing but numbers.
#[derive(Clone, Copy, Debug)]
enum Op {
    Arrive(usize),
    Drop(usize),
    Expect(usize, i64),
    Complete(usize, i64),
    ArriveExpect(usize, i64),
    /// Object, parity.
    Wait(usize, bool),
    /// The same with `test_wait` and no loop.
    Test(usize, bool),
    Copy(usize, i64),
    Sync(usize, u32),
    BarArrive(usize, u32),
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn op(&mut self, warps: u32) -> Op {
        let object = self.below(2) as usize;
        let bytes = 16 * (1 + self.below(2) as i64);
        let parity = self.below(3) == 0;
        match self.below(16) {
            0..5 => Op::Arrive(object),
            5..9 => Op::Wait(object, parity),
            9 => Op::ArriveExpect(object, bytes),
            10 => Op::Copy(object, bytes),
            11 => [Op::Expect(object, bytes), Op::Complete(object, bytes)][self.below(2) as usize],
            12 => Op::Test(object, parity),
            13 => Op::Drop(object),
            14 => Op::BarArrive(object, 64),
            _ => Op::Sync(object, if self.below(4) == 0 { 32 * warps } else { 64 }),
        }
    }
}

/// One mbarrier object: phase, pending, expected, bytes, and whether the phase before was observed.
type Object = (u32, i64, i64, i64, bool);
/// One barrier: who arrived in order, and the count.
type Generation = (Vec<usize>, u32);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    at: Vec<usize>,
    held: Vec<Option<usize>>,
    objects: [Object; 2],
    bars: [Generation; 2],
    /// Bytes in flight and the object that they complete.
    flying: Vec<(usize, i64)>,
    broken: BTreeSet<&'static str>,
    over: bool,
}

struct Simulation<'a> {
    programs: &'a [Vec<Op>],
    strict: bool,
}

impl Simulation<'_> {
    fn settle(object: &mut Object) {
        if object.1 == 0 && object.3 == 0 {
            *object = (object.0 + 1, object.2, object.2, 0, false);
        }
    }

    fn arrive(&self, world: &mut World, object: usize, bytes: i64, drop: bool) {
        let mut it = world.objects[object];
        if it.1 < 1 {
            world.broken.insert("ptx.mbarrier.over-arrival");
            world.over = true;
            return;
        }
        if self.strict && !it.4 {
            world.broken.insert("ptx.mbarrier.missing-wait");
        }
        it.3 += bytes;
        if drop {
            it.2 -= 1;
            if it.2 == 0 {
                world.broken.insert("ptx.mbarrier.drop-to-zero");
                world.over = true;
                return;
            }
        }
        it.1 -= 1;
        Self::settle(&mut it);
        world.objects[object] = it;
    }

    fn bar(&self, world: &mut World, agent: usize, bar: usize, threads: u32, waits: bool) {
        let (arrived, count) = &mut world.bars[bar];
        if arrived.contains(&agent) {
            world.broken.insert("ptx.bar.double-arrive");
        }
        if !arrived.is_empty() && *count != threads {
            world.broken.insert("ptx.bar.count-mismatch");
            world.over = true;
            return;
        }
        *count = threads;
        arrived.push(agent);
        if waits {
            world.held[agent] = Some(bar);
        } else {
            world.at[agent] += 1;
        }
        if arrived.len() as u32 * 32 >= threads {
            self.release(world, bar);
        }
    }

    fn release(&self, world: &mut World, bar: usize) {
        world.bars[bar] = (Vec::new(), 0);
        for agent in 0..world.at.len() {
            if world.held[agent] == Some(bar) {
                world.held[agent] = None;
                world.at[agent] += 1;
            }
        }
    }

    fn ended(&self, world: &World, agent: usize) -> bool {
        world.at[agent] > self.programs[agent].len()
    }

    /// Warps that ended are not waited for.
    fn discount(&self, world: &mut World) {
        let live: Vec<usize> =
            (0..world.at.len()).filter(|&agent| !self.ended(world, agent)).collect();
        let Some(&first) = live.first() else { return };
        if let Some(bar) = world.held[first]
            && live.len() < world.at.len()
            && live.iter().all(|&agent| world.held[agent] == Some(bar))
        {
            self.release(world, bar);
        }
    }

    /// Every world one step further.
    fn next(&self, world: &World) -> Vec<World> {
        let mut all = Vec::new();
        if world.over {
            return all;
        }
        for agent in 0..world.at.len() {
            if !self.ended(world, agent) && world.held[agent].is_none() {
                all.extend(self.step(world, agent));
            }
        }
        for index in 0..world.flying.len() {
            let (object, left) = world.flying[index];
            // Copies move 16 bytes at a time.
            for bytes in (1..=left / 16).map(|chunk| chunk * 16) {
                let mut next = world.clone();
                next.flying[index].1 -= bytes;
                if next.flying[index].1 == 0 {
                    next.flying.remove(index);
                }
                next.objects[object].3 -= bytes;
                Self::settle(&mut next.objects[object]);
                next.flying.sort_unstable();
                all.push(next);
            }
        }
        all
    }

    fn step(&self, world: &World, agent: usize) -> Option<World> {
        let mut next = world.clone();
        let Some(&op) = self.programs[agent].get(world.at[agent]) else {
            next.at[agent] += 1;
            self.discount(&mut next);
            let all = (0..next.at.len()).all(|agent| self.ended(&next, agent));
            if all && next.bars.iter().any(|bar| !bar.0.is_empty()) {
                next.broken.insert("ptx.bar.leftover");
            }
            return Some(next);
        };
        match op {
            Op::Wait(object, parity) | Op::Test(object, parity) => {
                let passes = (world.objects[object].0 % 2 == 1) != parity;
                if !passes && matches!(op, Op::Wait(..)) {
                    return None;
                }
                if passes && world.objects[object].0 == 0 {
                    next.broken.insert("ptx.mbarrier.first-parity");
                }
                next.objects[object].4 |= passes && world.objects[object].0 > 0;
            }
            Op::Arrive(object) => self.arrive(&mut next, object, 0, false),
            Op::Drop(object) => self.arrive(&mut next, object, 0, true),
            Op::ArriveExpect(object, bytes) => self.arrive(&mut next, object, bytes, false),
            Op::Expect(object, bytes) => {
                let it = &mut next.objects[object];
                it.3 += bytes;
                if it.3 == 0 && it.1 == 0 {
                    next.broken.insert("ptx.mbarrier.late-expect-tx");
                }
            }
            Op::Complete(object, bytes) => {
                next.objects[object].3 -= bytes;
                Self::settle(&mut next.objects[object]);
            }
            Op::Copy(object, bytes) => {
                next.flying.push((object, bytes));
                next.flying.sort_unstable();
            }
            Op::Sync(bar, threads) | Op::BarArrive(bar, threads) => {
                self.bar(&mut next, agent, bar, threads, matches!(op, Op::Sync(..)));
                self.discount(&mut next);
                return Some(next);
            }
        }
        next.at[agent] += 1;
        Some(next)
    }

    /// Every rule that some execution breaks; `None` where there are too many worlds.
    fn run(&self, first: World) -> Option<BTreeSet<&'static str>> {
        let (mut seen, mut stack, mut broken) =
            (BTreeSet::new(), alloc::vec![first], BTreeSet::new());
        while let Some(world) = stack.pop() {
            if seen.len() > 40_000 {
                return None;
            }
            let next = self.next(&world);
            if next.is_empty() && !world.over {
                for agent in (0..world.at.len()).filter(|&agent| !self.ended(&world, agent)) {
                    broken.insert(match world.held[agent] {
                        Some(_) => "ptx.bar.never-completes",
                        None => "ptx.mbarrier.never-completes",
                    });
                }
            }
            broken.extend(world.broken.iter().copied());
            stack.extend(next.into_iter().filter(|next| seen.insert(next.clone())));
        }
        Some(broken)
    }
}

fn node(op: Op, id: u32) -> Node {
    let name = |index: usize| Name { index: index as u16, place: Place::Own };
    let arrive = |object, expect, drop| Action::Arrive {
        name: name(object),
        form: Arrive { count: 1, drop, no_complete: false, expect, order: Order::Cta, token: None },
    };
    let wait = |object, parity, patience| Action::Wait {
        name: name(object),
        asked: Asked::Parity(parity),
        patience,
        order: Order::Cta,
    };
    let bar = |bar: usize, threads: u32, kind| Action::Bar {
        id: bar as i64,
        threads: Some(i64::from(threads)),
        kind,
        aligned: true,
        site: 0,
    };
    let action = match op {
        Op::Arrive(object) => arrive(object, None, false),
        Op::Drop(object) => arrive(object, None, true),
        Op::ArriveExpect(object, bytes) => arrive(object, Some(bytes), false),
        Op::Expect(object, bytes) => Action::Expect { name: name(object), bytes },
        Op::Complete(object, bytes) => Action::Complete { name: name(object), bytes },
        Op::Wait(object, parity) => wait(object, parity, Patience::Try),
        Op::Test(object, parity) => wait(object, parity, Patience::Test),
        Op::Copy(object, bytes) => Action::Copy {
            name: Some(name(object)),
            bulk: true,
            ranks: None,
            bytes,
            to: None,
            from: None,
        },
        Op::Sync(id, threads) => bar(id, threads, Bar::Sync),
        Op::BarArrive(id, threads) => bar(id, threads, Bar::Arrive),
    };
    // A wait is written as a loop around `try_wait`.
    let no = if matches!(op, Op::Wait(..)) { id } else { id + 1 };
    let operation = Operation { action: Any::Ptx(action, Spelling::Ptx(80)), form: Form::Word };
    Node::Operation { operation, next: [no, id + 1] }
}

fn context(programs: &[Vec<Op>], counts: [i64; 2]) -> Rc<Context> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut agents = Vec::new();
    for (wave, program) in (0..).zip(programs) {
        let nodes = (0..).zip(program).map(|(id, &op)| node(op, id)).chain([Node::End]).collect();
        let body = Body { nodes };
        let id = bodies.iter().position(|other| *other == body).unwrap_or_else(|| {
            bodies.push(body);
            bodies.len() - 1
        });
        agents.push(Agent { workgroup: 0, wave, body: id as u32 });
    }
    let launch = Launch { clusters: 1, workgroups: 1, waves: programs.len() as u32, lanes: 1 };
    let mbarriers = counts.map(Some).to_vec();
    Rc::new(Context::new(Rc::new(Program {
        launch,
        plain_objects: 0,
        buffers: Vec::new(),
        mbarriers,
        agents,
        lanes_meet: false,
        bodies,
    })))
}

/// Rules that the simulation does not know.
fn is_compared(rule: &str) -> bool {
    rule != "ptx.mbarrier.parity-alias"
}

#[test]
fn random_programs_agree_with_a_direct_simulation() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut compared = 0;
    let mut met: BTreeSet<&'static str> = BTreeSet::new();
    for _ in 0..3000 {
        let warps = 2 + random.below(2) as u32;
        let programs: Vec<Vec<Op>> = (0..warps)
            .map(|_| (0..1 + random.below(4)).map(|_| random.op(warps)).collect())
            .collect();
        let counts = [1 + random.below(2) as i64, 1 + random.below(2) as i64];
        let strict = random.below(3) > 0;
        let start = World {
            at: alloc::vec![0; programs.len()],
            held: alloc::vec![None; programs.len()],
            objects: counts.map(|count| (0, count, count, 0, true)),
            bars: Default::default(),
            flying: Vec::new(),
            broken: BTreeSet::new(),
            over: false,
        };
        let Some(wanted) = (Simulation { programs: &programs, strict }).run(start) else {
            continue;
        };
        let readings = Readings::default().with(ReadingId::PtxMissingWait, u8::from(!strict));
        let law = Law { text: true, readings };
        let context = context(&programs, counts);
        let (_, judgement) = judged(&context, law, &Options::default(), true, &mut |_| true);
        assert!(judgement.exhaustive);
        let got: BTreeSet<&'static str> = judgement
            .broken
            .iter()
            .map(|broken| broken.rule.get().id)
            .filter(|rule| is_compared(rule))
            .collect();
        // What comes behind undefined behaviour or a violation that ends the path depends on the order that was taken.
        let ends = |rules: &BTreeSet<&'static str>| rules.iter().any(|rule| ENDS.contains(rule));
        if ends(&wanted) || ends(&got) {
            let only = |rules: &BTreeSet<&'static str>| -> Vec<&'static str> {
                rules
                    .iter()
                    .copied()
                    .filter(|rule| ENDS.contains(rule) || rule.ends_with("never-completes"))
                    .collect()
            };
            assert_eq!(only(&got), only(&wanted), "{}", shown(&programs, counts));
        } else {
            assert_eq!(got, wanted, "{}", shown(&programs, counts));
        }
        met.extend(wanted);
        compared += 1;
    }
    assert!(compared > 2500, "{compared}");
    for rule in [
        "ptx.mbarrier.never-completes",
        "ptx.bar.never-completes",
        "ptx.mbarrier.missing-wait",
        "ptx.mbarrier.late-expect-tx",
        "ptx.bar.leftover",
        "ptx.bar.double-arrive",
    ] {
        assert!(met.contains(rule), "no program breaks {rule}");
    }
}

/// Rules whose breach ends a path.
const ENDS: [&str; 3] =
    ["ptx.mbarrier.over-arrival", "ptx.mbarrier.drop-to-zero", "ptx.bar.count-mismatch"];

fn shown(programs: &[Vec<Op>], counts: [i64; 2]) -> String {
    alloc::format!("counts {counts:?}\n{programs:#?}")
}
