//! Barriers that several waves use: one for all, one for each pair, one for any two.

use crate::case::{Case, Counting, Goal, Step};
use tidegate_check::Engine;

/// A: all waves synchronise at the workgroup barrier, repeatedly.
pub(super) fn one_barrier() -> Vec<Case> {
    let sizes = [(4, 3), (8, 3), (12, 3), (16, 3), (32, 3), (8, 100), (32, 100)];
    let meet = |(waves, rounds): (u32, u32)| {
        let text = format!(
            "target gfx1250\nlaunch waves={waves}\nwave * {{\n  repeat {rounds} {{\n    arrive wg\n    wait wg\n  }}\n}}\n"
        );
        let states = Goal::States(u64::from(waves * (2 * rounds + 1)) + 1);
        let case = Case::new("A", format!("{waves} waves x {rounds}"), text, "ok");
        let case = case.goals(&[states]).long(waves * rounds > 100);
        if rounds <= 3 { case.beside(meeting(waves, rounds)) } else { case }
    };
    let mut cases: Vec<Case> = sizes.map(meet).to_vec();
    let plain = meet((8, 3));
    cases.push(Case {
        size: "8 waves x 3 plain".into(),
        engine: Engine::Plain,
        goals: vec![],
        ..plain
    });
    let text = "target sm_90\nlaunch warps=32\nwarp * {\n  repeat 200 {\n    bar.sync 0\n  }\n}\n";
    let warps = Case::new("A", "bar.sync 32 x 200".into(), text.into(), "ok");
    cases.push(warps.goals(&[Goal::Units(0.15)]).long(true));
    cases
}

fn meeting(waves: u32, rounds: u32) -> Counting {
    let agent = [Step::Arrive(0), Step::Wait(0)].repeat(rounds as usize);
    Counting { expected: vec![waves], agents: vec![agent; waves as usize] }
}

/// D: the first wave arrives in two rounds of three only. The shortest witness is known.
pub(super) fn forgotten_arrive() -> Vec<Case> {
    let forget = |(waves, witness): (u32, Option<usize>)| {
        let text = format!(
            "target gfx1250\nlaunch waves={waves}\nwave 0 {{\n  repeat 2 {{\n    arrive wg\n    wait wg\n  }}\n  wait wg\n}}\n\
             wave 1-{} {{\n  repeat 3 {{\n    arrive wg\n    wait wg\n  }}\n}}\n",
            waves - 1
        );
        let mut counting = meeting(waves, 3);
        counting.agents[0] =
            [[Step::Arrive(0), Step::Wait(0)].repeat(2), vec![Step::WaitCompleted(0, 3)]].concat();
        let case = Case::new("D", format!("{waves} waves"), text, "deadlock").long(waves > 12);
        let case =
            if waves <= 12 { case.beside(counting).goals(&[Goal::Millis(16.0)]) } else { case };
        witness.map_or(case.clone(), |steps| case.goals(&[Goal::Witness(steps)]))
    };
    // Each wave arrives and waits twice; then all waves but the first arrive.
    [(8, Some(39)), (12, Some(59)), (32, None)].map(forget).to_vec()
}

/// E: independent pairs of waves, each with its own barrier.
pub(super) fn pairs() -> Vec<Case> {
    let independent = |pairs: u32| {
        let mut text = format!("target model\nlaunch waves={}\n", 2 * pairs);
        (0..pairs).for_each(|pair| text.push_str(&format!("barrier b{pair}\n")));
        for pair in 0..pairs {
            let (first, second) = (2 * pair, 2 * pair + 1);
            text.push_str(&format!(
                "wave {first} {{\n  init b{pair}, 2\n  arrive wg; wait wg\n  repeat 3 {{\n    arrive b{pair}\n    wait b{pair}\n  }}\n}}\n\
                 wave {second} {{\n  arrive wg; wait wg\n  repeat 3 {{\n    arrive b{pair}\n    wait b{pair}\n  }}\n}}\n"
            ));
        }
        let steps = u64::from(pairs * (2 * (2 + 6 + 1) + 1));
        let agent = |pair: u32| [Step::Arrive(pair as usize), Step::Wait(pair as usize)].repeat(3);
        let counting = Counting {
            expected: vec![2; pairs as usize],
            agents: (0..2 * pairs).map(|wave| agent(wave / 2)).collect(),
        };
        let case = Case::new("E", format!("{pairs} pairs x 3"), text, "ok");
        case.goals(&[Goal::States(steps + 1)]).long(pairs > 8).beside(counting)
    };
    [4, 5, 8, 16].map(independent).to_vec()
}

/// N: pairs of waves on named barriers.
pub(super) fn named_pairs() -> Vec<Case> {
    let named = |(waves, units): (u32, Option<f64>)| {
        let rounds = 99;
        let mut text = format!("target gfx1250\nlaunch waves={waves}\n");
        (0..waves / 2).for_each(|pair| {
            text.push_str(&format!("barrier p{pair} = named({pair_id})\n", pair_id = pair + 1))
        });
        for wave in 0..waves {
            let pair = wave / 2;
            let init = if wave % 2 == 0 { format!("  init p{pair}, 2\n") } else { String::new() };
            text.push_str(&format!(
                "wave {wave} {{\n{init}  arrive wg; wait wg\n  join p{pair}\n  arrive wg; wait wg\n  repeat {rounds} {{\n    arrive p{pair}\n    wait p{pair}\n  }}\n}}\n"
            ));
        }
        let case = Case::new("N", format!("{waves} waves x {rounds}"), text, "ok").long(waves > 8);
        let goals: Vec<Goal> = units.map(Goal::Units).into_iter().collect();
        case.goals(&goals)
    };
    [(4, None), (8, Some(0.15)), (16, None), (32, Some(0.3))].map(named).to_vec()
}

/// Q: one barrier of count 2 that every agent uses, so that any two may meet: by the text of AMDGPU, where a wait may depend on
/// any phase that is still open to it, and as a barrier of PTX, where it depends on its own.
pub(super) fn shared() -> Vec<Case> {
    let waves = |waves: u32| {
        let text = format!(
            "target model\nlaunch waves={waves}\nbarrier b\nwave * {{\n  if wave_id == 0 {{\n    init b, 2\n  }}\n  arrive wg; wait wg\n\
             \x20 repeat 3 {{\n    arrive b\n    wait b\n  }}\n}}\n"
        );
        let goals: &[Goal] = match waves {
            4 => &[Goal::Exhaustive, Goal::Units(0.2)],
            8 => &[Goal::Exhaustive, Goal::Units(0.5)],
            _ => &[],
        };
        let case = Case::new("Q", format!("{waves} waves x 3"), text, "deadlock");
        case.goals(goals).long(waves > 3)
    };
    let warps = |warps: u32| {
        let text = format!(
            "target sm_90\nlaunch warps={warps}\nwarp * {{\n  repeat 3 {{\n    bar.sync 1, 64\n  }}\n}}\n"
        );
        let goals: &[Goal] = match warps {
            8 => &[Goal::Exhaustive, Goal::States(3_000), Goal::Millis(2.0)],
            16 => &[Goal::Exhaustive, Goal::Millis(16.0)],
            32 => &[Goal::Exhaustive, Goal::Millis(1_000.0)],
            _ => &[Goal::Exhaustive],
        };
        let agent = [Step::Arrive(0), Step::Wait(0)].repeat(3);
        let counting = Counting { expected: vec![2], agents: vec![agent; warps as usize] };
        let case = Case::new("Q", format!("{warps} warps x 3"), text, "deadlock");
        let case = case.goals(goals).long(warps > 8);
        if warps <= 8 { case.beside(counting) } else { case }
    };
    let plain = Case { size: "6 warps x 3 plain".into(), engine: Engine::Plain, ..warps(6) };
    [[3, 4, 8].map(waves).to_vec(), [4, 6, 8, 16, 32].map(warps).to_vec(), vec![plain]].concat()
}
