//! B: rings of slots between producers and consumers, each slot with a full and an empty barrier.

use crate::case::{Case, Counting, Goal, Step};

/// The error of a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mutant {
    None,
    /// Producers start with phase 0: they wait for a slot that no consumer has emptied.
    FirstPhase,
    /// A full barrier expects one arrival more than there are producers.
    Count,
    /// Consumers go round in one stage less.
    Stage,
}

/// Sizes of rings with an error.
const WRONG: [[u32; 4]; 4] = [[1, 2, 4, 8], [2, 4, 4, 16], [4, 8, 4, 16], [16, 16, 8, 100]];

/// Rings, their mutants, and the pipelines of GEMM kernels.
pub(super) fn rings() -> Vec<Case> {
    let rings = [[1, 2, 4, 8], [2, 4, 4, 16], [4, 4, 4, 16], [4, 8, 4, 16], [16, 16, 8, 100]];
    let mut cases: Vec<Case> = rings.map(|sizes| ring(sizes, Mutant::None)).to_vec();
    for mutant in [Mutant::FirstPhase, Mutant::Count, Mutant::Stage] {
        cases.extend(WRONG.map(|sizes| ring(sizes, mutant)));
    }
    cases.extend([2, 4, 8].map(|stages| pipeline(stages, 2, 16, false)));
    cases.push(pipeline(8, 2, 16, true));
    cases.extend([false, true].map(|forgets| pipeline(8, 8, 256, forgets).long(true)));
    cases
}

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
    let case = Case::new("B", size, text, verdict).long(rounds > 16);
    if mutant != Mutant::None {
        return case;
    }
    let steps = u64::from((producers + consumers) * (2 * rounds + 1));
    let case = case.goals(&[Goal::States(steps + 1)]);
    if rounds > 16 {
        return case.goals(&[Goal::Units(0.3)]);
    }
    let slot = |k: u32| (k % stages) as usize;
    let produce = |k| {
        [Step::WaitParity(stages as usize + slot(k), ((k / stages) & 1) ^ 1), Step::Arrive(slot(k))]
    };
    let consume =
        |k| [Step::WaitParity(slot(k), (k / stages) & 1), Step::Arrive(stages as usize + slot(k))];
    let agents = (0..producers).map(|_| (0..rounds).flat_map(produce).collect());
    let agents = agents.chain((0..consumers).map(|_| (0..rounds).flat_map(consume).collect()));
    let each = |count: u32| vec![count; stages as usize];
    case.beside(Counting {
        expected: [each(producers), each(consumers)].concat(),
        agents: agents.collect(),
    })
}

/// A GEMM with warp specialisation: one producer of two operands by TMA, several consumers, with the accesses to memory. If it
/// forgets, no consumer releases a tile in the first half.
fn pipeline(stages: u32, consumers: u32, tiles: u32, forgets: bool) -> Case {
    let arrive = "tlx.barrier_arrive(empty[slot])";
    let arrive = match forgets {
        true => format!("if k != {} {{ {arrive} }}", tiles / 4),
        false => arrive.to_owned(),
    };
    let text = format!(
        "target sm_90\nlaunch warps={warps}\n\
         full = tlx.alloc_barriers({stages}, arrive_count=1)\nempty = tlx.alloc_barriers({stages}, arrive_count={consumers})\n\
         shared a[{bytes}]\nshared b[{bytes}]\nglobal tiles[64]\n\
         warp 0 {{\n  for k in 0..{tiles} {{\n    let slot = k % {stages}\n\
         \x20   tlx.barrier_wait(empty[slot], (k / {stages} & 1) ^ 1)\n\
         \x20   tlx.barrier_expect_bytes(full[slot], 128)\n\
         \x20   tlx.async_descriptor_load(a[slot * 64..slot * 64 + 64], tiles, full[slot])\n\
         \x20   tlx.async_descriptor_load(b[slot * 64..slot * 64 + 64], tiles, full[slot])\n  }}\n}}\n\
         warp 1-{consumers} {{\n  for k in 0..{tiles} {{\n    let slot = k % {stages}\n\
         \x20   tlx.barrier_wait(full[slot], k / {stages} & 1)\n\
         \x20   load a[slot * 64..slot * 64 + 64]\n    load b[slot * 64..slot * 64 + 64]\n\
         \x20   {arrive}\n  }}\n}}\n",
        warps = consumers + 1,
        bytes = 64 * stages
    );
    let (name, verdict) = if forgets { (", no release", "deadlock") } else { ("", "ok") };
    let size = format!("GEMM {stages} stages x {tiles}, {consumers} consumers{name}");
    Case::new("B", size, text, verdict)
}
