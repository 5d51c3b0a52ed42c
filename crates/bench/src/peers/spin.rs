//! Spin: a program in Promela, the verifier that Spin makes of it, compiled and run.

use super::Peer;
use crate::case::{Counting, Phases, Step};
use crate::measure::{PEER_LIMIT, limited};
use anyhow::{Result, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether Spin and a C compiler are installed.
pub(super) fn is_installed() -> bool {
    let runs = |program: &str, option: &str| {
        let mut command = Command::new(program);
        command.arg(option).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    runs("spin", "-V") && runs("cc", "--version")
}

/// Verifies a program with or without Spin's partial-order reduction.
pub(super) fn run(counting: &Counting, reduce: bool, folder: &Path) -> Result<Peer> {
    std::fs::write(folder.join("bench.pml"), promela(counting))?;
    quietly(Command::new("spin").args(["-a", "bench.pml"]).current_dir(folder))?;
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-w", "-DSAFETY", "-DMEMLIM=3072", "-DVECTORSZ=4096", "-o", "pan", "pan.c"]);
    if !reduce {
        cc.arg("-DNOREDUCE");
    }
    quietly(cc.current_dir(folder))?;
    // `-c0` continues after an error, so that every state is counted.
    let mut pan = Command::new(folder.join("pan"));
    let ran = limited(pan.args(["-m1000000", "-c0"]).current_dir(folder))?;
    let name = if reduce { "Spin" } else { "Spin, not reduced" };
    // Out of memory, it prints how many states it has stored so far.
    let finished = ran.filter(|(output, _)| !output.contains("Search not completed"));
    let Some((output, seconds)) = finished else {
        let seconds = PEER_LIMIT.as_secs_f64();
        return Ok(Peer { name, states: None, transitions: None, seconds });
    };
    let states = number(&output, "states, stored");
    let transitions = number(&output, "transitions (= stored+matched)");
    if states.is_none() {
        bail!("cannot find the number of states in Spin's output:\n{output}");
    }
    Ok(Peer { name, states, transitions, seconds })
}

/// The number at the start of the line that continues with these words.
fn number(output: &str, words: &str) -> Option<u64> {
    output.lines().find_map(|line| {
        let (number, rest) = line.trim_start().split_once(' ')?;
        rest.trim_start().starts_with(words).then(|| number.parse().ok())?
    })
}

fn quietly(command: &mut Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// The program in Promela: straight-line code for each agent. `at` is the barrier at which an agent waits for its own phase, from
/// 1; the completion of the phase sets it to 0.
fn promela(counting: &Counting) -> String {
    let (barriers, agents) = (counting.expected.len(), counting.agents.len());
    let mut text =
        format!("byte arrived[{barriers}];\nbyte completed[{barriers}];\nbyte at[{agents}];\n");
    for barrier in 0..barriers {
        let _ = writeln!(text, "inline complete{barrier}() {{\n  arrived[{barrier}] = 0;");
        let _ = match counting.phases(barrier) {
            Phases::Own => Ok(()),
            Phases::Parity => writeln!(text, "  completed[{barrier}] = 1 - completed[{barrier}];"),
            Phases::Number => writeln!(text, "  completed[{barrier}]++;"),
        };
        let waits = |agent: &usize| counting.agents[*agent].contains(&Step::Wait(barrier));
        for agent in (0..agents).filter(waits) {
            let here = barrier + 1;
            let _ = writeln!(text, "  if :: at[{agent}] == {here} -> at[{agent}] = 0 :: else fi;");
        }
        text.push_str("}\n");
    }
    for (agent, steps) in counting.agents.iter().enumerate() {
        let _ = writeln!(text, "active proctype agent{agent}() {{");
        for (index, step) in steps.iter().enumerate() {
            let line = match *step {
                Step::Arrive(b) => {
                    let waits = steps.get(index + 1) == Some(&Step::Wait(b));
                    let at =
                        if waits { format!("at[{agent}] = {}; ", b + 1) } else { String::new() };
                    let expected = counting.expected[b];
                    format!(
                        "d_step {{ {at}arrived[{b}]++; if :: arrived[{b}] == {expected} -> complete{b}() :: else fi }}"
                    )
                }
                Step::Wait(_) => format!("at[{agent}] == 0"),
                Step::WaitCompleted(b, phases) => format!("completed[{b}] >= {phases}"),
                Step::WaitParity(b, parity) => format!("completed[{b}] != {parity}"),
            };
            let _ = writeln!(text, "  {line};");
        }
        text.push_str("}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_output() {
        let output = "State-vector 52 byte, depth reached 55\n    13886 states, stored\n    2 states, matched\n    99 transitions (= stored+matched)\n";
        assert_eq!(number(output, "states, stored"), Some(13_886));
        assert_eq!(number(output, "transitions (= stored+matched)"), Some(99));
        assert_eq!(number(output, "bytes"), None);
    }

    #[test]
    fn each_step_is_a_statement() {
        let steps = vec![Step::Arrive(1), Step::Wait(1), Step::WaitParity(0, 1)];
        let text = promela(&Counting { expected: vec![2, 3], agents: vec![steps] });
        for part in ["at[0] = 2", "arrived[1] == 3", "at[0] == 0", "completed[0] != 1"] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
