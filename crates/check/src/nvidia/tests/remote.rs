//! One run against plain enumeration where warps act on mbarriers and memory of other CTAs.

use super::Random;
use crate::Scene;
use crate::nvidia::judge::tests_support::one_run_agrees;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tidegate_model::ptx::machine::Machine;
use tidegate_model::ptx::object::Law;
use tidegate_model::reading::{ReadingId, Readings};

/// Rounds in which warps arrive at the mbarriers of their cluster and wait for their own. One statement may be left out or moved.
fn rounds(random: &mut Random) -> String {
    let (ctas, rounds) = (2 + random.below(2), 1 + random.below(2));
    let to_all = random.below(2) == 0;
    let count = if to_all { ctas } else { 1 };
    let mut text = format!("target sm_90\nlaunch clusters=1 ctas={ctas} warps=1\n");
    text += "mbarrier full\nshared x[16]\n";
    let (early, late) = (random.below(10) > 0, random.below(10) > 3);
    let (bytes, stores) = (random.below(4) == 0, random.below(4) == 0);
    for cta in 0..ctas {
        let mut body: Vec<String> = Vec::new();
        body.push(format!("mbarrier.init.shared::cta.b64 [full], {count}"));
        if early {
            body.push("fence.mbarrier_init.release.cluster".to_string());
            body.push("barrier.cluster.arrive\nbarrier.cluster.wait".to_string());
        }
        for rank in 0..ctas {
            let at = ["full", "x"].map(|name| {
                format!("mapa.shared::cluster.u32 {}{rank}, {name}, {rank}", &name[..1])
            });
            body.extend(at);
        }
        let next = (cta + 1) % ctas;
        for round in 0..rounds {
            for rank in (0..ctas).filter(|&rank| to_all || rank == next) {
                if stores && rank != cta {
                    body.push(format!("st.shared::cluster.u32 [x{rank}], 5"));
                }
                let how = if bytes { ".expect_tx" } else { "" };
                let what = if bytes { ", 8" } else { "" };
                body.push(format!(
                    "mbarrier.arrive{how}.release.cluster.shared::cluster.b64 _, [f{rank}]{what}"
                ));
                if bytes {
                    body.push(format!(
                        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [f{rank}], 8"
                    ));
                }
            }
            body.push(format!("tlx.barrier_wait(full, {})", round & 1));
        }
        if late {
            body.push("barrier.cluster.arrive\nbarrier.cluster.wait".to_string());
        }
        if random.below(6) == 0 {
            let moved = body.remove(random.below(body.len() as u64) as usize);
            if random.below(2) == 0 && !moved.starts_with("mapa") {
                body.push(moved);
            }
        }
        text += &format!("cta {cta} warp 0 {{\n{}\n}}\n", body.join("\n"));
    }
    text
}

#[test]
fn one_run_agrees_on_arrives_at_other_ctas() {
    let mut random = Random(0x0e_0f_20);
    let (mut decided, mut programs) = (0, 0);
    for index in 0_u64..600 {
        let text = rounds(&mut random);
        let Some(context) = Scene::new("x.tide", &text).context() else { continue };
        programs += 1;
        let readings =
            Readings::default().with(ReadingId::PtxMissingWait, 1 - (index % 4 / 3) as u8);
        let law = Law { text: index % 5 > 0, hazards: true, readings };
        decided += usize::from(one_run_agrees(&Machine::new(context, law), &text));
    }
    assert!(decided > 100, "{decided} decided of {programs}");
}
