//! The offered count of outstanding marks, compared with trying every count: random programs with several waits,
//! branches, and functions with waits of their own.

use crate::common::{Random, by_text_alone as judge};
use tidegate_check::apply;

/// The largest number of marks that is tried.
const MOST: usize = 6;

fn copy(slot: usize) -> String {
    format!("async_load l[{0}..{1}] <- g[{0}..{1}]", slot * 4, slot * 4 + 4)
}

fn load(slot: usize) -> String {
    format!("load l[{}..{}]", slot * 4, slot * 4 + 4)
}

/// A program in which `{0}`, `{1}`, … are the counts of its waits; returns their number.
fn program(random: &mut Random) -> (String, usize) {
    let (mut body, mut callee, mut waits, mut slot) = (String::new(), String::new(), 0, 0);
    let wait = |waits: &mut usize| {
        *waits += 1;
        format!("wait_asyncmark {{{}}}\n", *waits - 1)
    };
    for _ in 0..3 + random.below(3) {
        match random.below(6) {
            0 if slot > 0 => {
                body += &format!("choose {{\n{}\nasyncmark\n}} or {{\n}}\n", copy(slot));
                slot += 1;
            }
            1 if waits < 2 && slot > 0 => {
                body += &wait(&mut waits);
                body += &format!("{}\n", load(random.below(slot)));
            }
            2 if callee.is_empty() && waits < 2 && slot > 0 => {
                callee = format!("{}\nasyncmark\n{}\nasyncmark\n", copy(slot), copy(slot + 1));
                callee += &wait(&mut waits);
                callee += &format!("{}\n", load(slot));
                body += "call fetch()\n";
                slot += 2;
            }
            _ => {
                body += &format!("{}\nasyncmark\n", copy(slot));
                slot += 1;
            }
        }
    }
    body += &wait(&mut waits);
    body += &format!("{}\n", load(random.below(slot.max(1))));
    let text = format!(
        "target gfx942\nglobal g[64]\nlds l[64]\nfunc fetch() {{\n{callee}}}\nwave 0 {{\n{body}}}\n"
    );
    (text, waits)
}

fn with(text: &str, numbers: &[usize]) -> String {
    let fill = |text: String, (index, number): (usize, &usize)| {
        text.replace(&format!("{{{index}}}"), &number.to_string())
    };
    numbers.iter().enumerate().fold(text.to_owned(), fill)
}

/// The counts of the waits in a text.
fn numbers(text: &str) -> Vec<usize> {
    let waits = text.lines().filter_map(|line| line.strip_prefix("wait_asyncmark "));
    waits.map(|number| number.parse().unwrap()).collect()
}

/// If a race comes from a count that is too large, the fix inserts the largest safe count.
#[test]
fn fixes_reach_the_largest_safe_number() {
    let (mut random, mut mended) = (Random(1), 0);
    for _ in 0..400 {
        let (text, waits) = program(&mut random);
        if waits != 1 {
            continue;
        }
        let safe = (0..=MOST).rev().find(|&most| judge(&with(&text, &[most])).verdict == "ok");
        let mut now = with(&text, &[MOST]);
        let report = judge(&now);
        let race = report.findings.iter().find(|finding| finding.class == "race");
        if let Some(fix) = race.and_then(|race| race.fix.as_ref()) {
            now = apply(&now, fix);
        }
        if let Some(safe) = safe.filter(|safe| *safe < MOST) {
            assert_eq!(numbers(&now), [safe], "{text}\n{now}");
            assert_eq!(judge(&now).verdict, "ok", "{now}");
            mended += 1;
        }
    }
    assert!(mended > 60, "{mended}");
}

/// Each wait reported as too strict may allow the suggested count, all of them together, and no more.
#[test]
fn suggested_waits_are_the_weakest_safe_ones() {
    let (mut random, mut strict, mut several) = (Random(2), 0, 0);
    for round in 0..500 {
        let (text, waits) = program(&mut random);
        let first: Vec<usize> =
            (0..waits).map(|_| if round % 3 == 0 { random.below(2) } else { 0 }).collect();
        let text = with(&text, &first);
        let report = judge(&text);
        if report.verdict != "ok" {
            continue;
        }
        assert!(report.limits.is_empty(), "{:?}", report.limits);
        let lints: Vec<_> =
            report.findings.iter().filter(|finding| finding.rule == "async.strict-wait").collect();
        let mut all = text.clone();
        // From last to first, so that earlier places stay valid.
        let mut fixes: Vec<_> = lints.iter().map(|lint| lint.fix.as_ref().unwrap()).collect();
        fixes.sort_by_key(|fix| core::cmp::Reverse(fix.edits[0].offset));
        for fix in &fixes {
            assert_eq!(judge(&apply(&text, fix)).verdict, "ok", "alone\n{text}\n{fix:?}");
            all = apply(&all, fix);
        }
        assert_eq!(judge(&all).verdict, "ok", "together\n{text}\n{all}");
        // One more mark is too many for any weakened wait. For other waits it is too many or makes no difference.
        let (before, after) = (numbers(&text), numbers(&all));
        for index in 0..waits {
            let try_with = |most: usize| {
                let lines = all.lines().scan(0, |seen, line| {
                    let is_wait = line.starts_with("wait_asyncmark ");
                    *seen += usize::from(is_wait);
                    let here = is_wait && *seen == index + 1;
                    Some(if here {
                        format!("wait_asyncmark {most}\n")
                    } else {
                        format!("{line}\n")
                    })
                });
                judge(&lines.collect::<String>()).verdict
            };
            if after[index] > before[index] {
                assert_eq!(try_with(after[index] + 1), "race", "{all}");
            } else if try_with(after[index] + 1) == "ok" {
                assert_eq!(try_with(50), "ok", "wait {index} could let more run\n{all}");
            }
        }
        strict += lints.len();
        several += usize::from(lints.len() > 1);
    }
    assert!(strict > 100 && several > 10, "{strict} strict, {several} several");
}
