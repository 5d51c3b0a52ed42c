//! The machine and its reduced search against a separate, direct simulation of small random programs.

extern crate std;

mod reasons;
mod reduction;
mod remote;
mod simulation;
mod words;

use super::judged;
use crate::scene::Options;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use simulation::{Generation, Op, Random, Simulation, World};
use tidegate_model::context::Context;
use tidegate_model::operation::{Action as Any, Form, Operation};
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::{Agent, Body, Launch, Node, Program};
use tidegate_model::ptx::action::{
    Action, Arrive, Asked, Bar, Name, Order, Patience, Place, Reduce, Reduction, Spelling,
};
use tidegate_model::ptx::object::Law;
use tidegate_model::reading::{ReadingId, Readings};

fn node(op: Op, (id, last): (u32, u32), cta: usize) -> Node {
    let name = |index: usize| Name { index: index as u16, place: Place::Own };
    let remote = |index: usize| Name { index: index as u16, place: Place::Rank(1 - cta as u32) };
    let form = |expect, drop| Arrive {
        count: 1,
        drop,
        no_complete: false,
        expect,
        order: Order::Cta,
        token: None,
    };
    let arrive =
        |object, expect, drop| Action::Arrive { name: name(object), form: form(expect, drop) };
    let wait = |object, parity, patience| Action::Wait {
        name: name(object),
        asked: Asked::Parity(i64::from(parity)),
        patience,
        order: Order::Cta,
    };
    let bar = |bar: usize, threads: u32, kind| Action::Bar {
        id: bar as i64,
        threads: Some(i64::from(threads)),
        kind,
        reduction: None,
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
            reduces: false,
            bytes,
            to: None,
            from: None,
            tile: None,
        },
        Op::Sync(id, threads) => bar(id, threads, Bar::Sync),
        Op::BarArrive(id, threads) => bar(id, threads, Bar::Arrive),
        Op::Keep(object, no_complete) => Action::Arrive {
            name: name(object),
            form: Arrive { no_complete, token: Some(object as u16), ..form(None, false) },
        },
        Op::WaitKept(object) => Action::Wait {
            name: name(object),
            asked: Asked::Token(object as u16),
            patience: Patience::Try,
            order: Order::Cta,
        },
        Op::Count(object) => {
            Action::PendingCount { token: object as u16, register: Some(2 + object as u16) }
        }
        Op::Red(id, threads, predicate) => {
            let predicate = Some(predicate);
            let reduction = Reduction { reduce: Reduce::Count, predicate, register: Some(4) };
            match bar(id, threads, Bar::Red) {
                Action::Bar { id, threads, kind, aligned, site, .. } => {
                    let reduction = Some(reduction);
                    Action::Bar { id, threads, kind, reduction, aligned, site }
                }
                other => other,
            }
        }
        Op::Skip(register, least) => Action::Compare { register: 2 + register as u16, least },
        Op::Inval(object) => Action::Inval { name: name(object) },
        Op::Init(object) => Action::Init { name: name(object), count: 1 },
        Op::Remote(object) => Action::Arrive { name: remote(object), form: form(None, false) },
        Op::RemoteWait(object) => Action::Wait {
            name: remote(object),
            asked: Asked::Parity(0),
            patience: Patience::Try,
            order: Order::Cta,
        },
        Op::ClusterArrive => Action::ClusterArrive { order: Order::Cluster, aligned: None },
        Op::ClusterWait => Action::ClusterWait { order: Order::Cluster, aligned: None },
    };
    // A wait is written as a loop around `try_wait`.
    let loops = matches!(op, Op::Wait(..) | Op::WaitKept(_) | Op::RemoteWait(_));
    let no = if loops { id } else { id + 1 };
    let operation = Operation::new(Any::Ptx(action, Spelling::Ptx(80)), Form::Word);
    let yes = if matches!(op, Op::Skip(..)) { (id + 2).min(last) } else { id + 1 };
    Node::Operation { operation, next: [no, yes] }
}

fn context(programs: &[Vec<Op>], counts: [i64; 2], ctas: usize) -> Rc<Context> {
    let warps = programs.len() / ctas;
    let mut bodies: Vec<Body> = Vec::new();
    let mut agents = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let cta = index / warps;
        let nodes = (0..).zip(program).map(|(id, &op)| node(op, (id, program.len() as u32), cta));
        let nodes = nodes.chain([Node::End]).collect();
        let body = Body { nodes };
        let id = bodies.iter().position(|other| *other == body).unwrap_or_else(|| {
            bodies.push(body);
            bodies.len() - 1
        });
        let wave = (index % warps) as u32;
        agents.push(Agent { workgroup: cta as u32, wave, body: id as u32 });
    }
    let launch = Launch { clusters: 1, workgroups: ctas as u32, waves: warps as u32, lanes: 1 };
    let mbarriers = counts.map(Some).to_vec();
    Rc::new(Context::new(Rc::new(Program { mbarriers, ..Program::of(launch, agents, bodies) })))
}

/// Rules that the simulation does not know.
fn is_compared(rule: &str) -> bool {
    rule != "ptx.mbarrier.parity-alias"
}

/// Compares the machine with a simulation of some programs; returns their broken rules, or nothing if the simulation
/// has too many states.
fn compared(simulation: &Simulation, counts: [i64; 2]) -> Option<OrderedSet<&'static str>> {
    let Simulation { programs, strict, discounted, ctas } = *simulation;
    let start = World {
        at: alloc::vec![0; programs.len()],
        held: alloc::vec![None; programs.len()],
        objects: counts.map(|count| (0, count, count, 0, true)).repeat(ctas),
        valid: alloc::vec![true; 2 * ctas],
        bars: alloc::vec![Generation::default(); 2 * ctas],
        tokens: alloc::vec![[None; 2]; programs.len()],
        numbers: alloc::vec![[0; 3]; programs.len()],
        votes: alloc::vec![(None, 0); 2 * ctas],
        cluster: alloc::vec![0; programs.len()],
        forever: OrderedSet::new(),
        flying: Vec::new(),
        broken: OrderedSet::new(),
        over: false,
    };
    let wanted = simulation.run(start)?;
    let readings = Readings::default()
        .with(ReadingId::PtxMissingWait, u8::from(!strict))
        .with(ReadingId::PtxExitCounted, u8::from(discounted));
    let law = Law { text: true, hazards: true, readings };
    let context = context(programs, counts, ctas);
    let (_, judgement) = judged(&context, law, &Options::default(), true, &mut |_| true);
    assert!(judgement.exhaustive);
    let got: OrderedSet<&'static str> = judgement
        .broken
        .iter()
        .map(|broken| broken.rule.get().id)
        .filter(|rule| is_compared(rule))
        .collect();
    // Findings after undefined behaviour, or after a violation that ends the path, depend on the order of steps.
    let ends = |rules: &OrderedSet<&'static str>| rules.iter().any(|rule| ENDS.contains(rule));
    if ends(&wanted) || ends(&got) {
        let only = |rules: &OrderedSet<&'static str>| -> Vec<&'static str> {
            rules
                .iter()
                .copied()
                .filter(|rule| ENDS.contains(rule) || rule.ends_with("never-completes"))
                .collect()
        };
        assert_eq!(only(&got), only(&wanted), "{}", shown(programs, counts));
    } else {
        assert_eq!(got, wanted, "{}", shown(programs, counts));
    }
    Some(wanted)
}

#[test]
fn random_programs_agree_with_a_direct_simulation() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut met: OrderedSet<&'static str> = OrderedSet::new();
    let (tries, mut held) = (3000, 0);
    for _ in 0..tries {
        let ctas = 1 + usize::from(random.below(4) == 0);
        let warps = 2 + if ctas == 1 { random.below(2) as u32 } else { 0 };
        let warps = if ctas == 2 && random.below(2) == 0 { 1 } else { warps };
        let all = warps as usize * ctas;
        let programs: Vec<Vec<Op>> = (0..all).map(|_| random.program(warps, ctas)).collect();
        let counts = [1 + random.below(2) as i64, 1 + random.below(2) as i64];
        let strict = random.below(3) > 0;
        let simulation = Simulation { programs: &programs, strict, discounted: false, ctas };
        if let Some(wanted) = compared(&simulation, counts) {
            met.extend(wanted);
            held += 1;
        }
    }
    assert!(held > tries * 5 / 6, "{held}");
    for rule in [
        "ptx.mbarrier.never-completes",
        "ptx.bar.never-completes",
        "ptx.mbarrier.missing-wait",
        "ptx.mbarrier.late-expect-tx",
        "ptx.bar.leftover",
        "ptx.bar.red-mix",
        "ptx.bar.double-arrive",
        "ptx.cluster.arrive-once",
        "ptx.mbarrier.no-complete",
        "ptx.mbarrier.phase-window",
        "ptx.mbarrier.pending-count-token",
        "ptx.mbarrier.valid-object",
        "ptx.mbarrier.init-on-valid",
        "ptx.mbarrier.remote-operation",
        "ptx.async-copy.outstanding-at-exit",
        "ptx.cluster.exited-cta",
    ] {
        assert!(met.contains(rule), "no program breaks {rule}");
    }
}

#[test]
fn random_barriers_agree_with_a_direct_simulation() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut met, mut ok) = ([0; 2], 0);
    for _ in 0..1000 {
        let warps = 2 + random.below(3) as u32;
        let programs: Vec<Vec<Op>> = (0..warps).map(|_| random.barriers(warps)).collect();
        let stuck = [false, true].map(|discounted| {
            let simulation = Simulation { programs: &programs, strict: true, discounted, ctas: 1 };
            let broken = compared(&simulation, [1, 1]).unwrap_or_default();
            ok += usize::from(broken.is_empty());
            broken.contains("ptx.bar.never-completes")
        });
        met = [met[0] + usize::from(stuck[0]), met[1] + usize::from(stuck[0] && !stuck[1])];
    }
    assert!(met[0] > 20 && met[1] > 0 && ok > 5, "{met:?}, {ok}");
}

/// Rules whose breach ends a path.
const ENDS: [&str; 11] = [
    "ptx.async-copy.outstanding-at-exit",
    "ptx.cluster.exited-cta",
    "ptx.bar.red-mix",
    "ptx.mbarrier.over-arrival",
    "ptx.mbarrier.drop-to-zero",
    "ptx.bar.count-mismatch",
    "ptx.mbarrier.no-complete",
    "ptx.mbarrier.pending-count-token",
    "ptx.mbarrier.valid-object",
    "ptx.mbarrier.init-on-valid",
    "ptx.mbarrier.remote-operation",
];

fn shown(programs: &[Vec<Op>], counts: [i64; 2]) -> String {
    alloc::format!("counts {counts:?}\n{programs:#?}")
}
