//! Times: of checks in this process, and of whole commands as user CPU.

use crate::case::Case;
use anyhow::{Context as _, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use std::hint::black_box;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tidegate_check::report::Report;
use tidegate_check::{Options, Scene, check};

/// Longest time of a measurement, unless a single run takes longer.
const PATIENCE: Duration = Duration::from_secs(2);
const MOST_RUNS: usize = 101;
/// A case that is not judged within this time is reported as not finished.
const LIMIT: Duration = Duration::from_secs(60);
/// Longest time of another model checker.
pub(crate) const PEER_LIMIT: Duration = Duration::from_secs(20);
/// Number of runs of a whole command, of which the median counts.
const COMMANDS: usize = 3;

/// Judges a case repeatedly; returns the report and the median time in milliseconds.
pub(crate) fn checks(case: &Case) -> (Report, f64) {
    let begin = Instant::now();
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let report = black_box(judge(case));
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        if times.len() >= MOST_RUNS || begin.elapsed() >= PATIENCE {
            return (report, median(times));
        }
    }
}

fn judge(case: &Case) -> Report {
    let begin = Instant::now();
    let options = Options {
        ambiguities: false,
        machine: false,
        shortest: false,
        engine: case.engine,
        max_states: case.max_states,
        ..Options::default()
    };
    check(&Scene::new("bench.tide", &case.text), &options, &mut |_| begin.elapsed() < LIMIT)
}

/// The median.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The unit of user CPU: a loop in Python, in seconds. `None` without Python.
pub(crate) fn unit() -> Option<f64> {
    let mut python = Command::new("python3");
    python.args(["-c", "s = 0\nfor i in range(3000000): s += i * i"]);
    let times = (0..COMMANDS).map(|_| user_cpu(&mut python).ok()).collect::<Option<Vec<f64>>>()?;
    Some(median(times))
}

/// User CPU of `tidegate check` on a text, in seconds: the median of a few runs.
pub(crate) fn command(tidegate: &Path, folder: &Path, text: &str) -> Result<f64> {
    let file = folder.join("bench.tide");
    std::fs::write(&file, text)?;
    let mut times = Vec::new();
    for _ in 0..COMMANDS {
        times.push(user_cpu(Command::new(tidegate).arg("check").arg(&file))?);
        if times[0] > 5.0 {
            break;
        }
    }
    Ok(median(times))
}

/// Runs a command without output, and returns its user CPU in seconds.
fn user_cpu(command: &mut Command) -> Result<f64> {
    let used = || -> Result<f64> {
        let time = getrusage(UsageWho::RUSAGE_CHILDREN)?.user_time();
        Ok(time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6)
    };
    let before = used()?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().with_context(|| format!("cannot run {command:?}"))?;
    Ok(used()? - before)
}

/// Runs a command for at most [`PEER_LIMIT`], and returns its output and seconds; `None` if it was stopped.
pub(crate) fn limited(command: &mut Command) -> Result<Option<(String, f64)>> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    let mut pipe = child.stdout.take().context("no output")?;
    let output = std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    while child.try_wait()?.is_none() {
        if start.elapsed() > PEER_LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let seconds = start.elapsed().as_secs_f64();
    match output.join() {
        Ok(text) => Ok(Some((text?, seconds))),
        Err(_) => bail!("cannot read the output of {command:?}"),
    }
}
