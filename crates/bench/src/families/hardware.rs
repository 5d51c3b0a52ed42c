//! H and M: a workgroup of the largest size that hardware has, with 200 operations in each wave.

use crate::case::{Case, Goal};

const WAVES: u32 = 32;

/// H: the workgroup barrier, a ring of mbarriers, and named barriers with joins and drops.
pub(super) fn hardware() -> Vec<Case> {
    let wasm = [Goal::Wasm(2.0)];
    let barriers = format!(
        "target gfx1250\nlaunch waves={WAVES}\nwave * {{\n  repeat 100 {{\n    arrive wg\n    wait wg\n  }}\n}}\n"
    );
    let ring = "target sm_90\nlaunch warps=32\nfull = tlx.alloc_barriers(8, 16)\nempty = tlx.alloc_barriers(8, 16)\n\
         warp 0-15 {\n  for k in 0..100 {\n    tlx.barrier_wait(empty[k % 8], (k / 8 & 1) ^ 1)\n    tlx.barrier_arrive(full[k % 8])\n  }\n}\n\
         warp 16-31 {\n  for k in 0..100 {\n    tlx.barrier_wait(full[k % 8], k / 8 & 1)\n    tlx.barrier_arrive(empty[k % 8])\n  }\n}\n";
    vec![
        Case::new("H", "workgroup barrier".into(), barriers, "ok").goals(&wasm),
        Case::new("H", "ring of 16 mbarriers".into(), ring.into(), "ok").goals(&wasm),
        Case::new("H", "named, join and leave".into(), mixed(), "ok").goals(&wasm),
    ]
}

/// Sixteen named barriers, one for each pair of waves, which they join, use and leave; the workgroup barrier in between.
fn mixed() -> String {
    let mut text = format!("target gfx1250\nlaunch waves={WAVES}\n");
    (1..=WAVES / 2).for_each(|id| text.push_str(&format!("barrier p{id} = named({id})\n")));
    for wave in 0..WAVES {
        let id = wave / 2 + 1;
        let init = if wave % 2 == 0 { format!("    init p{id}, 2\n") } else { String::new() };
        text.push_str(&format!(
            "wave {wave} {{\n  repeat 8 {{\n{init}    arrive wg; wait wg\n    join p{id}\n    arrive wg; wait wg\n\
             \x20   repeat 9 {{ arrive p{id}; wait p{id} }}\n    arrive wg; wait wg\n  }}\n}}\n"
        ));
    }
    text
}

/// M: a tile with two buffers that the waves fill and read in turn, with fences.
pub(super) fn memory() -> Vec<Case> {
    let tile = |rounds: u32, goals: &[Goal]| {
        let text = format!(
            "target gfx1250\nlaunch waves={WAVES}\nlds tile[{bytes}]\nwave * {{\n  for i in 0..{rounds} {{\n    let h = i % 2 * {half}\n\
             \x20   store tile[h + 4 * wave_id..h + 4 * wave_id + 4]\n    fence release workgroup\n    arrive wg; wait wg\n    fence acquire workgroup\n\
             \x20   load tile[h..h + {half}]\n  }}\n}}\n",
            half = 4 * WAVES,
            bytes = 8 * WAVES
        );
        Case::new("M", format!("{WAVES} waves x {rounds}"), text, "ok").goals(goals)
    };
    vec![tile(20, &[]), tile(50, &[Goal::Units(0.5)])]
}
