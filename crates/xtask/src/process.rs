//! Running programs.

use anyhow::{Context as _, Result, bail};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

/// Runs a program and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", describe(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", describe(command));
    }
    Ok(())
}

/// Runs a program without showing its output, and shows the output if it fails.
pub(crate) fn quietly(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("cannot start {}", describe(command)))?;
    if !output.status.success() {
        std::io::stderr().write_all(&output.stdout)?;
        std::io::stderr().write_all(&output.stderr)?;
        bail!("{} failed ({})", describe(command), output.status);
    }
    Ok(())
}

/// The standard output of a program that succeeds, or `None`.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program, shows its output while it runs, and returns the output and whether the program succeeded.
pub(crate) fn tee(command: &mut Command) -> Result<(bool, String)> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", describe(command)))?;
    let errors = child.stderr.take().map(|pipe| thread::spawn(move || copy(pipe)));
    let mut seen = child.stdout.take().map(copy).unwrap_or_default();
    if let Some(errors) = errors {
        seen.push_str(&errors.join().unwrap_or_default());
    }
    Ok((child.wait()?.success(), seen))
}

fn copy(pipe: impl Read) -> String {
    let mut seen = String::new();
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(count) if count > 0) {
        let text = String::from_utf8_lossy(&line);
        print!("{text}");
        seen.push_str(&text);
        line.clear();
    }
    seen
}

fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().take(6).map(|word| word.to_string_lossy().into_owned()));
    if command.get_args().len() > 6 {
        words.push("…".into());
    }
    format!("`{}`", words.join(" "))
}
