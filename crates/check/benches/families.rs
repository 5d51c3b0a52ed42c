//! Measures the checker on families of scenarios: `cargo xtask bench [FAMILY…] [--quick]`.
//!
//! Each row is a scenario in text form, checked as a user would check it. `states` and `executions` are those of the
//! report. `millis` is the median of the runs from text to report, of the specification only, under the scenario's own
//! readings. `states/s` follows.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, check};

/// A scenario of a family, and the verdict that it must have.
struct Case {
    family: &'static str,
    size: String,
    text: String,
    verdict: &'static str,
    /// Whether `--quick` leaves it out.
    long: bool,
}

/// Longest time of a measurement, unless a single run takes longer.
const PATIENCE: Duration = Duration::from_secs(2);
const MOST_RUNS: usize = 101;
/// A case that is not judged within this time is reported as not finished.
const LIMIT: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let quick = words.iter().any(|word| word == "--quick");
    let families: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    println!(
        "{:<3} {:<20} {:<9} {:>10} {:>11} {:>11} {:>6} {:>12}",
        "", "size", "verdict", "states", "executions", "millis", "runs", "states/s"
    );
    let mut held = true;
    for case in cases() {
        let chosen = families.is_empty()
            || families.iter().any(|family| family.eq_ignore_ascii_case(case.family));
        if chosen && !(quick && case.long) {
            held &= measure(&case);
        }
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Measures a case and prints its row; false if the verdict is wrong.
fn measure(case: &Case) -> bool {
    let begin = Instant::now();
    let mut times = Vec::new();
    let report = loop {
        let start = Instant::now();
        let report = black_box(judge(&case.text));
        times.push(start.elapsed());
        if times.len() >= MOST_RUNS || begin.elapsed() >= PATIENCE {
            break report;
        }
    };
    times.sort();
    let median = times[times.len() / 2].as_secs_f64();
    let rate = report.stats.states as f64 / median;
    let right = report.verdict == case.verdict;
    println!(
        "{:<3} {:<20} {:<9} {:>10} {:>11} {:>11.3} {:>6} {:>12.0}{}",
        case.family,
        case.size,
        report.verdict,
        report.stats.states,
        report.stats.executions,
        median * 1000.0,
        times.len(),
        rate,
        if right { String::new() } else { format!("  expected {}", case.verdict) }
    );
    right
}

fn judge(text: &str) -> Report {
    let begin = Instant::now();
    let options = Options { ambiguities: false, machine: false, ..Options::default() };
    check(&Scene::new("bench.tide", text), &options, &mut |_| begin.elapsed() < LIMIT)
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (waves, rounds) in [(4, 3), (8, 3), (12, 3), (16, 3), (32, 3), (8, 100), (32, 100)] {
        cases.push(one_barrier(waves, rounds));
    }
    let rings = [[1, 2, 4, 8], [2, 4, 4, 16], [4, 4, 4, 16], [4, 8, 4, 16], [16, 16, 8, 100]];
    cases.extend(rings.map(|ring| self::ring(ring, Mutant::None)));
    for mutant in [Mutant::FirstPhase, Mutant::Count, Mutant::Stage] {
        cases.extend([[1, 2, 4, 8], [2, 4, 4, 16], [4, 8, 4, 16]].map(|it| ring(it, mutant)));
    }
    cases.extend([2, 4, 8].map(ws_gemm));
    cases.extend([8, 12, 32].map(forgotten_arrive));
    cases.extend([4, 5, 8, 16].map(pairs));
    cases.extend([4, 6, 8].map(shared));
    cases
}

/// A: all waves synchronise at the workgroup barrier, repeatedly.
fn one_barrier(waves: u32, rounds: u32) -> Case {
    let text = format!(
        "target gfx1250\nlaunch waves={waves}\nwave * {{\n  repeat {rounds} {{\n    arrive wg\n    wait wg\n  }}\n}}\n"
    );
    Case {
        family: "A",
        size: format!("{waves} waves x {rounds}"),
        text,
        verdict: "ok",
        long: waves * rounds > 100,
    }
}

/// The error of a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutant {
    None,
    /// Producers start with phase 0: they wait for a slot that no consumer has filled.
    FirstPhase,
    /// A full barrier expects one arrival more than there are producers.
    Count,
    /// Consumers go round in one stage less.
    Stage,
}

/// B: a ring of slots, each with a full and an empty barrier; every producer and every consumer arrives at each.
fn ring([producers, consumers, stages, rounds]: [u32; 4], mutant: Mutant) -> Case {
    let (last, all) = (producers - 1, producers + consumers - 1);
    let full = producers + u32::from(mutant == Mutant::Count);
    let first = u32::from(mutant != Mutant::FirstPhase);
    let seen = stages - u32::from(mutant == Mutant::Stage);
    let text = format!(
        "target sm_90\nlaunch warps={}\n\
         full = tlx.alloc_barriers({stages}, {full})\nempty = tlx.alloc_barriers({stages}, {consumers})\n\
         warp 0-{last} {{\n  for k in 0..{rounds} {{\n\
         \x20   tlx.barrier_wait(empty[k % {stages}], (k / {stages} & 1) ^ {first})\n\
         \x20   tlx.barrier_arrive(full[k % {stages}])\n  }}\n}}\n\
         warp {producers}-{all} {{\n  for k in 0..{rounds} {{\n\
         \x20   tlx.barrier_wait(full[k % {seen}], k / {seen} & 1)\n\
         \x20   tlx.barrier_arrive(empty[k % {seen}])\n  }}\n}}\n",
        all + 1
    );
    let (name, verdict) = match mutant {
        Mutant::None => ("", "ok"),
        Mutant::FirstPhase => (" phase", "deadlock"),
        Mutant::Count => (" count", "deadlock"),
        Mutant::Stage => (" stage", "deadlock"),
    };
    let size = format!("{producers}x{consumers}x{stages}x{rounds}{name}");
    Case { family: "B", size, text, verdict, long: rounds > 16 }
}

/// B: WS-GEMM as in the gallery: a producer of two operands by TMA, two consumers, 16 tiles, with the accesses to memory.
fn ws_gemm(stages: u32) -> Case {
    let text = format!(
        "target sm_90\nlaunch warps=3\n\
         full = tlx.alloc_barriers({stages}, arrive_count=1)\nempty = tlx.alloc_barriers({stages}, arrive_count=2)\n\
         shared a[{bytes}]\nshared b[{bytes}]\nglobal tiles[64]\n\
         warp 0 {{\n  for k in 0..16 {{\n    let slot = k % {stages}\n\
         \x20   tlx.barrier_wait(empty[slot], (k / {stages} & 1) ^ 1)\n\
         \x20   tlx.barrier_expect_bytes(full[slot], 128)\n\
         \x20   tlx.async_descriptor_load(a[slot * 64..slot * 64 + 64], tiles, full[slot])\n\
         \x20   tlx.async_descriptor_load(b[slot * 64..slot * 64 + 64], tiles, full[slot])\n  }}\n}}\n\
         warp 1-2 {{\n  for k in 0..16 {{\n    let slot = k % {stages}\n\
         \x20   tlx.barrier_wait(full[slot], k / {stages} & 1)\n\
         \x20   load a[slot * 64..slot * 64 + 64]\n    load b[slot * 64..slot * 64 + 64]\n\
         \x20   tlx.barrier_arrive(empty[slot])\n  }}\n}}\n",
        bytes = 64 * stages
    );
    Case { family: "B", size: format!("WS-GEMM {stages}x16"), text, verdict: "ok", long: false }
}

/// D: the first wave arrives in two rounds of three only.
fn forgotten_arrive(waves: u32) -> Case {
    let text = format!(
        "target gfx1250\nlaunch waves={waves}\nwave 0 {{\n  repeat 2 {{\n    arrive wg\n    wait wg\n  }}\n  wait wg\n}}\n\
         wave 1-{} {{\n  repeat 3 {{\n    arrive wg\n    wait wg\n  }}\n}}\n",
        waves - 1
    );
    Case {
        family: "D",
        size: format!("{waves} waves"),
        text,
        verdict: "deadlock",
        long: waves > 12,
    }
}

/// E: independent pairs of waves, each with its own barrier.
fn pairs(pairs: u32) -> Case {
    let mut text = format!("target model\nlaunch waves={}\n", 2 * pairs);
    for pair in 0..pairs {
        text.push_str(&format!("barrier b{pair}\n"));
    }
    for pair in 0..pairs {
        let (first, second) = (2 * pair, 2 * pair + 1);
        text.push_str(&format!(
            "wave {first} {{\n  init b{pair}, 2\n  arrive wg; wait wg\n  repeat 3 {{\n    arrive b{pair}\n    wait b{pair}\n  }}\n}}\n\
             wave {second} {{\n  arrive wg; wait wg\n  repeat 3 {{\n    arrive b{pair}\n    wait b{pair}\n  }}\n}}\n"
        ));
    }
    Case { family: "E", size: format!("{pairs} pairs x 3"), text, verdict: "ok", long: pairs > 8 }
}

/// Q: one barrier of count 2 that every wave uses, so that the pairs of synchronising waves are open.
fn shared(waves: u32) -> Case {
    let text = format!(
        "target model\nlaunch waves={waves}\nbarrier b\nwave * {{\n  if wave_id == 0 {{\n    init b, 2\n  }}\n  arrive wg; wait wg\n\
         \x20 repeat 3 {{\n    arrive b\n    wait b\n  }}\n}}\n"
    );
    Case {
        family: "Q",
        size: format!("{waves} waves x 3"),
        text,
        verdict: "deadlock",
        long: waves > 6,
    }
}
