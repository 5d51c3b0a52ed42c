//! Programs: what agents do at two mbarrier objects, and two tiles of shared memory.

use crate::support::Random;

const OBJECTS: [&str; 2] = ["a", "b"];
const TILES: [&str; 2] = ["x", "y"];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arrive {
    Plain,
    /// Orders nothing.
    Relaxed,
    /// Keeps its token.
    Keep,
    /// Keeps its token, and must not complete the phase.
    NoComplete,
    Drop,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    Parity(bool),
    /// The token that this agent kept last at the object.
    Token,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Init(usize, i64),
    Inval(usize),
    Arrive(usize, Arrive, i64),
    /// With bytes; whether it drops.
    ArriveExpect(usize, i64, bool),
    Expect(usize, i64),
    Complete(usize, i64),
    /// A bulk copy of bytes into a tile.
    Copy(usize, usize, i64),
    /// A loop around `try_wait`.
    Wait(usize, Asked),
    /// One `test_wait`, or one `try_wait`, which may fail for no reason. The next operation depends on it.
    Test(usize, Asked, bool),
    /// The pending count of the token kept last; the next operation depends on whether it is at least a number.
    Count(usize, i64),
    Load(usize),
    Store(usize),
    /// A barrier of all agents.
    Sync,
}

pub(super) struct Program {
    /// Whether the agents are lanes of one warp, not warps.
    lanes: bool,
    pub(super) agents: Vec<Vec<Op>>,
}

fn asked(random: &mut Random, kept: bool) -> Asked {
    if kept && random.chance(60) { Asked::Token } else { Asked::Parity(random.chance(35)) }
}

/// One operation, or two of which the second depends on the first.
fn ops(random: &mut Random, kept: &mut [bool; 2]) -> Vec<Op> {
    let (object, tile) = (random.below(2), random.below(2));
    let bytes = 16 * (1 + random.below(2) as i64);
    let count = if random.chance(75) { 1 } else { 1 + random.below(3) as i64 };
    let asked = asked(random, kept[object]);
    match random.below(44) {
        0 => vec![Op::Init(object, 1 + random.below(3) as i64)],
        1 => vec![Op::Inval(object)],
        2..9 => vec![Op::Arrive(object, Arrive::Plain, count)],
        9 => vec![Op::Arrive(object, Arrive::Relaxed, count)],
        10..14 => {
            let no_complete = random.chance(25);
            kept[object] = true;
            vec![Op::Arrive(
                object,
                if no_complete { Arrive::NoComplete } else { Arrive::Keep },
                count,
            )]
        }
        14 | 15 => vec![Op::Arrive(object, Arrive::Drop, count)],
        16 | 17 => vec![Op::ArriveExpect(object, bytes, random.chance(10))],
        18 => vec![Op::Expect(object, bytes)],
        19 => vec![Op::Complete(object, bytes)],
        20 => vec![Op::Copy(object, tile, bytes)],
        21 => vec![Op::ArriveExpect(object, bytes, false), Op::Copy(object, tile, bytes)],
        22 | 23 => {
            let [next, ..] = ops(random, kept)[..] else { unreachable!("there is one") };
            vec![Op::Test(object, asked, random.chance(50)), next]
        }
        24 if kept[object] => {
            vec![Op::Count(object, random.below(3) as i64), Op::Arrive(object, Arrive::Plain, 1)]
        }
        25 | 26 => vec![Op::Load(tile)],
        27 => vec![Op::Store(tile)],
        28..31 => vec![Op::Sync],
        31..35 => vec![Op::Arrive(object, Arrive::Plain, 1), Op::Wait(object, asked)],
        _ => vec![Op::Wait(object, asked)],
    }
}

/// A producer, and consumers of its data, in some rounds. The first object is full, and the second one empty.
fn pipeline(random: &mut Random, agents: usize) -> Vec<Vec<Op>> {
    let rounds = 1 + random.below(if agents == 2 { 3 } else { 2 });
    let copies = random.chance(60);
    let producer = (0..rounds).flat_map(|round| {
        let mut ops = vec![Op::Wait(1, Asked::Parity(round % 2 == 0))];
        match copies {
            true => ops.extend([Op::ArriveExpect(0, 16, false), Op::Copy(0, 0, 16)]),
            false => ops.extend([Op::Store(0), Op::Arrive(0, Arrive::Plain, 1)]),
        }
        ops
    });
    let consumer = (0..rounds).flat_map(|round| {
        let wait = Op::Wait(0, Asked::Parity(round % 2 == 1));
        [wait, Op::Load(0), Op::Arrive(1, Arrive::Plain, 1)]
    });
    let consumer: Vec<Op> = consumer.collect();
    let mut all = vec![producer.collect()];
    all.extend((1..agents).map(|_| consumer.clone()));
    all
}

/// Agents that synchronise with one object in some rounds, each with its token.
fn meetings(random: &mut Random, agents: usize) -> Vec<Vec<Op>> {
    let rounds = 1 + random.below(2);
    let meet = [Op::Arrive(0, Arrive::Keep, 1), Op::Wait(0, Asked::Token)];
    let one = |agent: usize| {
        let mut ops = vec![if agent == 0 { Op::Store(0) } else { Op::Load(1) }];
        (0..rounds).for_each(|_| ops.extend(meet));
        ops.push(Op::Load(0));
        ops
    };
    (0..agents).map(one).collect()
}

/// Removes, repeats, exchanges or changes one operation.
fn change(random: &mut Random, agents: &mut [Vec<Op>]) {
    let agent = random.below(agents.len());
    let ops = &mut agents[agent];
    if ops.is_empty() {
        return;
    }
    let at = random.below(ops.len());
    match random.below(6) {
        0 => drop(ops.remove(at)),
        1 => ops.insert(at, ops[at]),
        2 => {
            let with = random.below(ops.len());
            ops.swap(at, with);
        }
        // The agent ends early.
        3 => ops.truncate(at),
        4 => match &mut ops[at] {
            Op::Wait(_, Asked::Parity(parity)) => *parity = !*parity,
            Op::Arrive(_, _, count) => *count += 1,
            Op::ArriveExpect(_, bytes, _) | Op::Copy(_, _, bytes) => *bytes = 48 - *bytes,
            _ => {}
        },
        _ => {
            let new = self::ops(random, &mut [false; 2]);
            ops.splice(at..at, new);
        }
    }
}

/// A token is asked for only after an arrive of the same agent that keeps one at the object.
fn sound(ops: &[Op]) -> bool {
    let mut kept = [false; 2];
    // What depends on a test may be left out, so that it keeps nothing for later.
    let mut depends = false;
    ops.iter().all(|op| {
        let skipped = std::mem::take(&mut depends);
        match *op {
            Op::Arrive(object, Arrive::Keep | Arrive::NoComplete, _) => kept[object] |= !skipped,
            Op::Wait(object, Asked::Token) | Op::Count(object, _) if !kept[object] => return false,
            Op::Test(object, Asked::Token, _) if !kept[object] => return false,
            _ => {}
        }
        depends = matches!(op, Op::Test(..) | Op::Count(..));
        // One level of dependence, and something that depends.
        !(depends && skipped)
    }) && !depends
}

impl Program {
    pub(super) fn random(seed: u64) -> Self {
        let random = &mut Random::new(seed);
        loop {
            let agents = 1 + random.below(5).div_ceil(2);
            let mut bodies = match random.below(10) {
                0..3 => pipeline(random, agents),
                3 => meetings(random, agents),
                _ => {
                    let body = |random: &mut Random| {
                        let (mut kept, mut body) = ([false; 2], Vec::new());
                        for _ in 0..random.below(if agents == 2 { 6 } else { 4 }) {
                            body.extend(ops(random, &mut kept));
                        }
                        body
                    };
                    (0..agents).map(|_| body(random)).collect()
                }
            };
            for _ in 0..random.below(3) {
                change(random, &mut bodies);
            }
            let most = agents - usize::from(random.chance(50));
            let count = |random: &mut Random| 1 + random.below(most.max(1)) as i64;
            let start = [Op::Init(0, count(random)), Op::Init(1, count(random)), Op::Sync];
            match random.below(10) {
                // The first agent initialises, and others wait for it.
                0..9 => {
                    bodies[0].splice(0..0, start);
                    bodies[1..].iter_mut().for_each(|body| body.insert(0, Op::Sync));
                }
                _ => drop(bodies[0].splice(0..0, start[..2].iter().copied())),
            }
            if bodies.iter().all(|body| sound(body)) {
                return Self { lanes: random.chance(25), agents: bodies };
            }
        }
    }

    pub(super) fn text(&self) -> String {
        let count = self.agents.len();
        let launch =
            if self.lanes { format!("warps=1 lanes={count}") } else { format!("warps={count}") };
        let mut text = format!("target sm_90\nlaunch {launch}\nmbarrier a\nmbarrier b\n");
        text += "shared x[32]\nshared y[32]\nglobal g[32]\n";
        for (agent, ops) in self.agents.iter().enumerate() {
            text += &match self.lanes {
                true => format!("warp 0 lane {agent} {{\n"),
                false => format!("warp {agent} {{\n"),
            };
            let mut depends = false;
            for (at, &op) in ops.iter().enumerate() {
                let line = self.line(op, at);
                text +=
                    &if depends { format!("  if q {{ {line} }}\n") } else { format!("  {line}\n") };
                depends = matches!(op, Op::Test(..) | Op::Count(..));
            }
            text += "}\n";
        }
        text
    }

    fn line(&self, op: Op, at: usize) -> String {
        let wait = |form: &str, object: usize, asked: Asked, result: &str| {
            let name = OBJECTS[object];
            match asked {
                Asked::Parity(parity) => format!(
                    "mbarrier.{form}.parity.shared::cta.b64 {result}, [{name}], {}",
                    u8::from(parity)
                ),
                Asked::Token => {
                    format!("mbarrier.{form}.shared::cta.b64 {result}, [{name}], t{name}")
                }
            }
        };
        match op {
            Op::Init(object, count) => {
                format!("mbarrier.init.shared::cta.b64 [{}], {count}", OBJECTS[object])
            }
            Op::Inval(object) => format!("mbarrier.inval.shared::cta.b64 [{}]", OBJECTS[object]),
            Op::Arrive(object, form, count) => {
                let name = OBJECTS[object];
                let (words, token) = match form {
                    Arrive::Plain => ("arrive", "_".to_owned()),
                    Arrive::Relaxed => ("arrive.relaxed.cta", "_".to_owned()),
                    Arrive::Keep => ("arrive", format!("t{name}")),
                    Arrive::NoComplete => ("arrive.noComplete", format!("t{name}")),
                    Arrive::Drop => ("arrive_drop", "_".to_owned()),
                };
                let plain = count == 1 && form != Arrive::NoComplete;
                let count = if plain { String::new() } else { format!(", {count}") };
                format!("mbarrier.{words}.shared::cta.b64 {token}, [{name}]{count}")
            }
            Op::ArriveExpect(object, bytes, drop) => {
                let word = if drop { "arrive_drop" } else { "arrive" };
                format!(
                    "mbarrier.{word}.expect_tx.shared::cta.b64 _, [{}], {bytes}",
                    OBJECTS[object]
                )
            }
            Op::Expect(object, bytes) => {
                format!(
                    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{}], {bytes}",
                    OBJECTS[object]
                )
            }
            Op::Complete(object, bytes) => {
                let name = OBJECTS[object];
                format!("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [{name}], {bytes}")
            }
            Op::Copy(object, tile, bytes) => format!(
                "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{}], [g], {bytes}, [{}]",
                TILES[tile], OBJECTS[object]
            ),
            Op::Wait(object, asked) => {
                let name = format!("w{at}");
                let line = wait("try_wait", object, asked, &name);
                format!("loop {{ {line}; if {name} {{ break }} }}")
            }
            Op::Test(object, asked, patient) => {
                wait(if patient { "try_wait" } else { "test_wait" }, object, asked, "q")
            }
            Op::Count(object, least) => {
                let name = OBJECTS[object];
                format!("mbarrier.pending_count.b64 n, t{name}; setp.ge.u32 q, n, {least}")
            }
            Op::Load(tile) => format!("load {}[0..16]", TILES[tile]),
            Op::Store(tile) => format!("store {}[0..16]", TILES[tile]),
            Op::Sync if self.lanes => format!("bar.warp.sync {:#x}", (1 << self.agents.len()) - 1),
            Op::Sync => "bar.sync 0".to_owned(),
        }
    }
}
