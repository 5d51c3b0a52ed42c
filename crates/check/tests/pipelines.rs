//! Software pipelines of 1 to 8 stages in 1 to 3 nested loops, with every count in their wait, compared with a direct
//! simulation of the sequence of marks.

use std::fmt::Write;
use tidegate_check::{Options, Scene, check};

/// A pipeline: the number of blocks started ahead, the nesting of the loops, and the count of the innermost wait.
#[derive(Clone, Debug)]
struct Pipeline {
    stages: usize,
    rounds: Vec<usize>,
    most: usize,
    /// Whether the loop waits in a function, which does not see the marks of the caller.
    in_callee: bool,
}

impl Pipeline {
    fn total(&self) -> usize {
        self.rounds.iter().product()
    }

    fn text(&self, reading: &str) -> String {
        let Self { stages, rounds, most, .. } = self;
        let mut text = format!(
            "target gfx942\nreading async.v1-v2={reading}\nglobal src[64]\nlds dst[{}]\n",
            64 * stages
        );
        let wait = if self.in_callee {
            "call finish()".to_string()
        } else {
            format!("wait_asyncmark {most}")
        };
        writeln!(text, "func finish() {{ wait_asyncmark {most} }}\nwave 0 {{\nlet k = 0").unwrap();
        writeln!(
            text,
            "for i in 0..{stages} {{ async_load dst[i * 64..i * 64 + 64] <- src; asyncmark }}"
        )
        .unwrap();
        for (depth, round) in rounds.iter().enumerate() {
            writeln!(text, "for r{depth} in 0..{round} {{").unwrap();
        }
        writeln!(text, "{wait}\nlet s = k % {stages}\nload dst[s * 64..s * 64 + 64]").unwrap();
        writeln!(text, "async_load dst[s * 64..s * 64 + 64] <- src; asyncmark\nk += 1").unwrap();
        text += &"}\n".repeat(rounds.len());
        text += "wait_asyncmark 0\nload dst\n}\n";
        text
    }

    /// Whether every block is complete when it is read and before its bytes are overwritten.
    fn is_safe(&self) -> bool {
        let (mut marks, mut completed) = (self.stages, 0);
        for round in 0..self.total() {
            if !self.in_callee {
                completed = completed.max(marks.saturating_sub(self.most));
            }
            // Reads block number `round`, then overwrites its bytes with a new block.
            if round >= completed {
                return false;
            }
            marks += 1;
        }
        true
    }
}

#[test]
fn every_pipeline_agrees_with_the_simulation() {
    let (mut safe, mut raced) = (0, 0);
    for stages in 1..=8 {
        for rounds in [vec![1], vec![5], vec![2, 3], vec![2, 2, 2]] {
            for most in 0..=stages + 1 {
                for in_callee in [false, true] {
                    let pipeline = Pipeline { stages, rounds: rounds.clone(), most, in_callee };
                    for reading in ["v2", "v1"] {
                        let text = pipeline.text(reading);
                        let scene = Scene::new("pipeline.tide", &text);
                        assert!(scene.is_valid(), "{:?}\n{text}", scene.diagnostics());
                        let options =
                            Options { ambiguities: false, machine: false, ..Options::default() };
                        let report = check(&scene, &options, &mut |_| true);
                        let wanted = if pipeline.is_safe() { "ok" } else { "race" };
                        assert_eq!(report.verdict, wanted, "{pipeline:?} {reading}\n{text}");
                        assert!(report.exhaustive);
                    }
                    if pipeline.is_safe() { safe += 1 } else { raced += 1 }
                }
            }
        }
    }
    assert!(safe > 100 && raced > 100, "{safe} safe, {raced} raced");
}

/// Walks an infinite loop until its sequence repeats.
#[test]
fn an_infinite_pipeline_agrees_with_the_simulation() {
    for (most, wanted) in [(0, "ok"), (1, "ok"), (2, "ok"), (3, "race")] {
        let text = format!(
            "target gfx942\nglobal src[64]\nlds dst[192]\nwave 0 {{\nfor i in 0..3 {{ async_load dst[i * 64..i * 64 + 64] <- src; asyncmark }}\nlet s = 0\nloop {{ wait_asyncmark {most}; load dst[s * 64..s * 64 + 64]; async_load dst[s * 64..s * 64 + 64] <- src; asyncmark; s = (s + 1) % 3 }}\n}}\n"
        );
        let report = check(&Scene::new("endless.tide", &text), &Options::default(), &mut |_| true);
        assert_eq!((report.verdict.as_str(), report.exhaustive), (wanted, true), "{text}");
    }
}
