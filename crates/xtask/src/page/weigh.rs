//! Compares the size of the built page after brotli with its budgets.

use crate::context::Context;
use crate::process;
use anyhow::{Context as _, Result, bail};
use std::path::Path;

/// A part of the page and its size limit.
struct Budget {
    part: &'static str,
    aim: u64,
    gate: u64,
    holds: fn(&str) -> bool,
}

/// Limits in bytes, after brotli. The first load is everything that the first paint needs, with its scenario, verdict
/// and steps. The engine, which judges everything else, loads afterwards. It contains views, exports, relations, hover
/// texts and completions that would otherwise be in the first load, so its limit is large.
const BUDGETS: [Budget; 7] = [
    Budget {
        part: "first load without the editor",
        aim: 200_000,
        gate: 260_000,
        holds: is_first_load,
    },
    Budget { part: "of which wasm", aim: 160_000, gate: 220_000, holds: is_wasm },
    Budget { part: "embed, read-only", aim: 170_000, gate: 230_000, holds: is_embed },
    Budget { part: "editor, after first paint", aim: 90_000, gate: 120_000, holds: is_editor },
    Budget { part: "engine, after first paint", aim: 600_000, gate: 906_000, holds: is_engine },
    Budget {
        part: "scripts and styles of the course",
        aim: 8_000,
        gate: 12_000,
        holds: is_of_course,
    },
    Budget {
        part: "front ends for compiled code, on first use",
        aim: 250_000,
        gate: 400_000,
        holds: is_front,
    },
];

fn is_editor(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("editor") && name.ends_with(".js"))
}

fn is_wasm(path: &str) -> bool {
    path.ends_with(".wasm") && !is_later(path)
}

/// The files that a frame in another site's page loads before its first paint: those of the page, with another module.
fn is_embed(path: &str) -> bool {
    let of_page = path.starts_with("tidegate-web");
    is_first_load(path) && !of_page || path.starts_with("embedded") || path == "embed.js"
}

fn is_engine(path: &str) -> bool {
    matches!(path, "engine_bg.wasm" | "engine.js" | "worker.js" | "compiled.js")
}

fn is_front(path: &str) -> bool {
    matches!(path, "front_bg.wasm" | "front.js")
}

/// The pages of the course and of the bug reports, with their scripts and styles.
fn is_beside(path: &str) -> bool {
    path.starts_with("course") || path.starts_with("stories/")
}

fn is_of_course(path: &str) -> bool {
    is_beside(path) && !path.contains('/')
}

/// Files that load on request, or after the first paint.
fn is_later(path: &str) -> bool {
    matches!(path, "library.txt" | "offline.js" | "embed.js" | "lesson.js" | "tide-gate.js")
        || matches!(
            path,
            "asking.js" | "lanes.js" | "mentions.js" | "overview.js" | "passages.js" | "table.js"
        )
        || path.starts_with("more")
        || path.starts_with("embedded")
        || is_beside(path)
        || is_engine(path)
        || is_front(path)
}

fn is_first_load(path: &str) -> bool {
    !is_editor(path) && !is_later(path)
}

/// A file of the page.
struct Weight {
    path: String,
    raw: u64,
    brotli: u64,
}

/// Prints the size of each file and each part of the page; fails if a part exceeds its limit.
pub(super) fn weigh(context: &Context, dist: &Path) -> Result<()> {
    let mut node = context.command("node");
    node.args(["--input-type=module", "--eval", include_str!("sizes.mjs")]).arg(dist);
    let table = process::output(&mut node).context("cannot measure the page")?;
    let weights: Vec<Weight> = table.lines().filter_map(row).collect();
    if !weights.iter().any(|weight| is_wasm(&weight.path)) {
        bail!("{} contains no wasm module", dist.display());
    }
    println!("{:<34} {:>10} {:>10}", "file", "bytes", "brotli");
    for weight in &weights {
        println!("{:<34} {:>10} {:>10}", weight.path, weight.raw, weight.brotli);
    }
    let (lines, within) = judge(&weights);
    print!("{lines}");
    if !within {
        bail!("the page exceeds its size limits");
    }
    Ok(())
}

fn row(line: &str) -> Option<Weight> {
    let mut cells = line.split('\t');
    Some(Weight {
        path: cells.next()?.into(),
        raw: cells.next()?.parse().ok()?,
        brotli: cells.next()?.parse().ok()?,
    })
}

/// Returns a line for each budget, and whether all limits hold.
fn judge(weights: &[Weight]) -> (String, bool) {
    let mut lines = String::new();
    let mut within = true;
    for budget in &BUDGETS {
        let part = weights.iter().filter(|weight| (budget.holds)(&weight.path));
        let sum: u64 = part.map(|weight| weight.brotli).sum();
        if sum == 0 {
            continue;
        }
        let kilobytes = |bytes: u64| format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100);
        let past = format!("PAST THE GATE of {}", kilobytes(budget.gate));
        let verdict = match sum {
            sum if sum <= budget.aim => "within its target".to_owned(),
            sum if sum <= budget.gate => "above its target, within its limit".to_owned(),
            _ => past,
        };
        within &= sum <= budget.gate;
        lines.push_str(&format!(
            "{}: {} brotli, {verdict} (aim {}, gate {})\n",
            budget.part,
            kilobytes(sum),
            kilobytes(budget.aim),
            kilobytes(budget.gate)
        ));
    }
    (lines, within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(files: &[(&str, u64)]) -> (String, bool) {
        let weights: Vec<Weight> = files
            .iter()
            .map(|&(path, brotli)| Weight { path: path.into(), raw: brotli, brotli })
            .collect();
        judge(&weights)
    }

    #[test]
    fn a_small_page_is_within_its_limits() {
        let (lines, within) =
            page(&[("index.html", 2_000), ("tidegate_bg.wasm", 100_000), ("editor.js", 80_000)]);
        assert!(within, "{lines}");
        assert!(
            lines.contains("first load without the editor: 102.0 kB brotli, within its target"),
            "{lines}"
        );
    }

    #[test]
    fn each_limit_is_checked() {
        let past = |part: &str| {
            BUDGETS.iter().find(|budget| budget.part == part).expect("the part has a budget").gate
                + 1
        };
        for (part, path) in [
            ("first load without the editor", "page.js"),
            ("of which wasm", "a.wasm"),
            ("embed, read-only", "embedded_bg.wasm"),
            ("editor, after first paint", "chunks/editor-1.js"),
            ("engine, after first paint", "engine_bg.wasm"),
            ("front ends for compiled code, on first use", "front_bg.wasm"),
            ("scripts and styles of the course", "course.js"),
        ] {
            let (lines, within) = page(&[(path, past(part))]);
            let line = lines.lines().find(|line| line.starts_with(part));
            assert!(!within && line.is_some_and(|line| line.contains("PAST THE GATE")), "{lines}");
            let (lines, within) = page(&[(path, past(part) - 1)]);
            let line = lines.lines().find(|line| line.starts_with(part));
            assert!(line.is_some_and(|line| !line.contains("PAST THE GATE")), "{within} {lines}");
        }
    }

    #[test]
    fn the_engine_is_not_part_of_the_first_load() {
        let (lines, within) = page(&[("a.wasm", 160_000), ("engine_bg.wasm", 300_000)]);
        assert!(within && lines.contains("first load without the editor: 160.0 kB"), "{lines}");
    }
}
