//! The pseudo-code of `tlx-barriers`, executed as written, compared with the model.
//!
//! "Memory Barriers": *arrive* subtracts its count from the barrier's; at zero the phase flips and the count is reset.
//! *wait* loops while its phase argument equals the phase of the barrier.

use std::collections::BTreeSet;
use std::fmt::Write;
use tidegate_check::{Options, Scene, check};
use tidegate_model::ptx::object::{Law, Mbarrier};
use tidegate_model::ptx::transition::Change;
use tidegate_model::reading::Readings;
use tidegate_model::target::TargetId;

/// A barrier of the pseudo-code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Barrier {
    count: i64,
    expected_count: i64,
    phase: bool,
}

impl Barrier {
    fn new(expected_count: i64) -> Self {
        Self { count: expected_count, expected_count, phase: false }
    }

    fn arrive(&mut self, arrive_count: i64) {
        self.count -= arrive_count;
        if self.count == 0 {
            self.phase ^= true;
            self.count = self.expected_count;
        }
    }

    /// Whether the loop of *wait* iterates again.
    fn goes_round(&self, local_phase: bool) -> bool {
        local_phase == self.phase
    }
}

#[derive(Clone, Copy, Debug)]
enum Call {
    Arrive(usize, i64),
    Wait(usize, bool),
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

const SOFTWARE: fn() -> Law = || Law { text: false, hazards: false, readings: Readings::default() };

/// Any sequence of arrives, including counts that are too large, gives the same phase bit, count and returning waits.
#[test]
fn sequences_of_operations_agree_with_the_pseudo_code() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..20_000 {
        let expected = 1 + random.below(6) as i64;
        let mut written = Barrier::new(expected);
        let mut model = Mbarrier::default().apply(Change::Init(expected), SOFTWARE()).unwrap().next;
        for _ in 0..random.below(40) {
            let count = 1 + random.below(4) as i64;
            written.arrive(count);
            let change = Change::Arrive { count, drop: false, no_complete: false, expect: 0 };
            let before = model;
            model = before.apply(change, SOFTWARE()).unwrap().next;
            assert_eq!(i64::from(model.pending), written.count);
            assert_eq!(model.phase & 1 == 1, written.phase);
            for phase in [false, true] {
                assert_eq!(model.passes_parity(phase), !written.goes_round(phase));
            }
            // The specification agrees, as far as it allows the arrive.
            let law = Law { text: true, hazards: true, ..SOFTWARE() };
            if let Ok(outcome) = before.apply(change, law) {
                assert_eq!(outcome.next, model);
            }
        }
    }
}

/// The positions of the threads, and the barriers.
type World = (Vec<usize>, Vec<Barrier>);

/// Whether some order of steps ends with a thread in the loop of a *wait*, and whether every order does.
fn stuck(threads: &[Vec<Call>], barriers: Vec<Barrier>) -> (bool, bool) {
    let (mut some, mut all) = (false, true);
    let mut seen: BTreeSet<World> = BTreeSet::new();
    let mut stack = vec![(vec![0; threads.len()], barriers)];
    while let Some(world) = stack.pop() {
        if !seen.insert(world.clone()) {
            continue;
        }
        let next: Vec<World> =
            (0..threads.len()).filter_map(|it| step(threads, &world, it)).collect();
        if next.is_empty() {
            let ended = (0..threads.len()).all(|it| world.0[it] == threads[it].len());
            some |= !ended;
            all &= !ended;
        }
        stack.extend(next);
    }
    (some, all)
}

fn step(threads: &[Vec<Call>], (at, barriers): &World, thread: usize) -> Option<World> {
    let call = *threads[thread].get(at[thread])?;
    let (mut at, mut barriers) = (at.clone(), barriers.clone());
    match call {
        Call::Wait(barrier, phase) if barriers[barrier].goes_round(phase) => return None,
        Call::Wait(..) => {}
        Call::Arrive(barrier, count) => barriers[barrier].arrive(count),
    }
    at[thread] += 1;
    Some((at, barriers))
}

/// The same program as a scenario.
fn text(threads: &[Vec<Call>], expected: [i64; 2]) -> String {
    let mut text = format!("target sm_90\nlaunch warps={}\n", threads.len());
    for (name, expected) in ["a", "b"].into_iter().zip(expected) {
        let _ = writeln!(text, "{name} = tlx.alloc_barriers(1, {expected})");
    }
    for (warp, calls) in threads.iter().enumerate() {
        let _ = writeln!(text, "warp {warp} {{");
        for call in calls {
            let _ = match *call {
                Call::Arrive(it, count) => {
                    writeln!(text, "  tlx.barrier_arrive({}[0], {count})", ["a", "b"][it])
                }
                Call::Wait(it, phase) => {
                    writeln!(text, "  tlx.barrier_wait({}[0], {})", ["a", "b"][it], u8::from(phase))
                }
            };
        }
        text.push_str("}\n");
    }
    text
}

/// Whether a report has the deadlock, and whether in all schedules.
fn deadlock(findings: &[tidegate_check::report::Finding]) -> (bool, bool) {
    let found = findings.iter().find(|finding| finding.rule == "ptx.mbarrier.never-completes");
    (found.is_some(), found.is_some_and(|finding| finding.schedules == "all"))
}

/// For threads in any order, the report has a deadlock in some schedules, in all or in none, like the pseudo-code. This
/// applies on AMD, where the pseudo-code is the barrier, and to the machine oracle of NVIDIA.
#[test]
fn programs_agree_with_the_pseudo_code() {
    let mut random = Random(0x0bad_cafe_dead_beef);
    let mut met = BTreeSet::new();
    for _ in 0..600 {
        let expected = [1 + random.below(3) as i64, 1 + random.below(3) as i64];
        let threads: Vec<Vec<Call>> = (0..2 + random.below(2))
            .map(|_| {
                (0..1 + random.below(5))
                    .map(|_| {
                        let barrier = random.below(2) as usize;
                        if random.below(2) == 0 {
                            Call::Wait(barrier, random.below(3) == 0)
                        } else {
                            Call::Arrive(barrier, 1 + i64::from(random.below(4) == 0))
                        }
                    })
                    .collect()
            })
            .collect();
        let wanted = stuck(&threads, expected.map(Barrier::new).to_vec());
        let text = text(&threads, expected);
        let scene = Scene::new("random.tide", &text);
        for target in ["gfx942", "sm_90"] {
            let options = Options { target: TargetId::from_name(target), ..Options::default() };
            let report = check(&scene, &options, &mut |_| true);
            let findings = match &report.machine {
                Some(machine) => &machine.findings,
                None => &report.findings,
            };
            assert_eq!(deadlock(findings), wanted, "{target}\n{text}");
        }
        met.insert(wanted);
    }
    assert_eq!(met.len(), 3, "{met:?}");
}
