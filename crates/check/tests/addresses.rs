//! Random CUDA kernels whose addresses depend on two arguments: a verdict for all values agrees with the verdicts for single
//! values.

use crate::support::{Random, share};
use std::fmt::Write as _;
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, check};

/// An index, from the thread `x`, the arguments `n` and `m`, and constants.
fn index(random: &mut Random) -> String {
    let by = ["n", "m", "3", "8"][random.below(4)];
    match random.below(9) {
        0 | 1 => "x".to_owned(),
        2 => format!("x + {by}"),
        3 => format!("x * {by} + x"),
        4 => format!("x * {by}"),
        5 => format!("(x + {by}) % 64"),
        6 => format!("(x + {by}) / 2"),
        7 => format!("(x * n + x) * m + {by}"),
        _ => format!("x ^ {by}"),
    }
}

fn condition(random: &mut Random) -> String {
    let by = ["n", "m", "5"][random.below(3)];
    match random.below(3) {
        0 => format!("x < {by}"),
        1 => "x == 0".to_owned(),
        _ => format!("x + 1 < {by}"),
    }
}

/// Loads and stores of one array, a few under conditions, with barriers in between.
fn kernel(random: &mut Random) -> String {
    let mut body = String::new();
    for _ in 0..1 + random.below(3) {
        let at = index(random);
        let access = match random.below(3) {
            0 => format!("s += all[{at}];"),
            _ => format!("all[{at}] = x + 1;"),
        };
        let _ = match random.below(4) {
            0 => writeln!(body, "  if ({}) {access}", condition(random)),
            1 => writeln!(body, "  __syncthreads();\n  {access}"),
            _ => writeln!(body, "  {access}"),
        };
    }
    let threads = [32, 64][random.below(2)];
    format!(
        "__global__ void __launch_bounds__({threads}) k(unsigned *all, unsigned *to, unsigned n, unsigned m) {{\n  \
         unsigned x = threadIdx.x, s = 0;\n{body}  to[x] = s;\n}}\n"
    )
}

fn judged(text: &str, header: &str) -> Report {
    let scene = Scene::new("text.cu", &format!("launch ctas=1\n{header}{text}"));
    assert!(scene.is_valid(), "{text}\n{:?}", scene.diagnostics());
    let options =
        Options { ambiguities: false, machine: false, shortest: false, ..Options::default() };
    check(&scene, &options, &mut |_| true)
}

/// Values of each argument.
const VALUES: [u32; 9] = [0, 1, 2, 3, 4, 7, 31, 40, 64];

#[test]
fn a_verdict_for_all_addresses_agrees_with_single_arguments() {
    let (mut ok, mut bad) = (0, 0);
    let count = share(160);
    for seed in 0..count {
        let text = kernel(&mut Random::new(seed));
        let all = judged(&text, "");
        // The host is taken to pass strides with which rows do not overlap.
        let assumes = all.diagnostics.iter().any(|it| it.code == "rows-overlap");
        if !matches!(all.verdict.as_str(), "ok" | "race") || assumes {
            continue;
        }
        let pairs = VALUES.iter().flat_map(|n| VALUES.iter().map(move |m| (n, m)));
        let verdict = |(n, m)| judged(&text, &format!("argument n={n}\nargument m={m}\n")).verdict;
        let singles: Vec<String> = pairs.map(verdict).collect();
        let all_ok = singles.iter().all(|one| one == "ok");
        assert_eq!(
            all.verdict == "ok",
            all_ok,
            "seed {seed}: {}, {singles:?}\n{text}",
            all.verdict
        );
        ok += u64::from(all_ok);
        bad += u64::from(!all_ok);
    }
    assert!(20 * ok >= count && 20 * bad >= count, "{ok} are ok and {bad} race, of {count}");
}
