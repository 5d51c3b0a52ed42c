//! The lowering as one text.

use super::LoweredBlock;
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use tidegate_model::mem::operation::Space;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::{BodyId, Program};
use tidegate_model::reading::READINGS;
use tidegate_model::target::Target;

/// Consecutive agents with the same body.
pub(super) struct Group {
    /// The first of them.
    pub first: usize,
    /// Their name in a scenario.
    pub name: String,
}

/// The agents in groups: waves that do the same, in workgroups that do the same.
pub(super) fn groups(program: &Program) -> Vec<Group> {
    let (waves, all) = (program.launch.waves as usize, program.launch.workgroups as usize);
    let bodies: Vec<BodyId> = program.agents.iter().map(|agent| agent.body).collect();
    let mut groups = Vec::new();
    for workgroups in runs(bodies.chunks(waves.max(1))) {
        let start = workgroups.0 * waves;
        for (first, last) in runs(bodies[start..start + waves].iter()) {
            let wave = span("wave", (first, last), waves);
            let name = match workgroups {
                (0, last) if last + 1 == all => wave,
                some => format!("{} {wave}", span("workgroup", some, 0)),
            };
            groups.push(Group { first: start + first, name });
        }
    }
    groups
}

/// The first and last index of each run of equal items.
fn runs<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut before = None;
    for (index, item) in items.enumerate() {
        let same = before.as_ref() == Some(&item);
        match runs.last_mut().filter(|_| same) {
            Some(run) => run.1 = index,
            None => runs.push((index, index)),
        }
        before = Some(item);
    }
    runs
}

/// `wave 1`, `wave 1-3`, or `wave *` for all of several.
fn span(word: &str, (first, last): (usize, usize), all: usize) -> String {
    if first == last {
        format!("{word} {first}")
    } else if last - first + 1 == all {
        format!("{word} *")
    } else {
        format!("{word} {first}-{last}")
    }
}

/// The whole text.
pub(super) fn text(scene: &Scene, target: &Target, blocks: &[LoweredBlock]) -> String {
    let mut out = String::new();
    for line in headers(scene, target) {
        out.push_str(&format!("; {line}\n"));
    }
    for block in blocks {
        out.push_str(&format!("\n; {} {{\n", block.agents));
        body(&mut out, block);
        out.push_str("; }\n");
    }
    out
}

fn headers(scene: &Scene, target: &Target) -> Vec<String> {
    let mut lines = Vec::new();
    if !scene.title().is_empty() {
        lines.push(format!("title {}", quoted(scene.title())));
    }
    lines.push(format!("target {}", target.name));
    let readings = scene.readings();
    for reading in READINGS.iter().filter(|reading| !readings.is_default(reading.id)) {
        let choice = &reading.choices[usize::from(readings.chosen(reading.id))];
        lines.push(format!("reading {}={}", reading.name, choice.name));
    }
    let Some(context) = scene.context() else { return lines };
    let launch = context.program.launch;
    let mut said = String::from("launch");
    let counts =
        [("clusters", launch.clusters), ("workgroups", launch.workgroups), ("lanes", launch.lanes)];
    for (key, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        let _ = write!(said, " {key}={count}");
    }
    lines.push(format!("{said} waves={}", launch.waves));
    let buffers = (0..).zip(&context.program.buffers).map(|(index, _)| scene.buffer_name(index));
    let barriers = scene.named_barriers().map(|(_, name)| String::from(name));
    let taken: OrderedSet<String> = buffers.chain(barriers).collect();
    for (id, name) in scene.named_barriers() {
        // The code names barriers by their IDs; an array element becomes a separate barrier.
        let mut said = name.replace('[', "_").replace(']', "");
        while said != name && taken.contains(&said) {
            said.push('_');
        }
        lines.push(format!("barrier {said} = named({id})"));
    }
    for (index, buffer) in (0..).zip(&context.program.buffers) {
        let word = if buffer.space == Space::Local { "lds" } else { "global" };
        lines.push(format!("{word} {}[{}]", scene.buffer_name(index), buffer.size));
    }
    lines
}

/// A string as the language reads it.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '"' | '\\' => out.extend(['\\', character]),
            // It would end the comment that the assembler sees.
            '\r' => out.push(' '),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Smallest width of the code column, so that comments of short blocks are aligned too.
const CODE_WIDTH: usize = 24;

fn body(out: &mut String, block: &LoweredBlock) {
    let widths = block.lines.iter().filter(|line| line.operation.is_some());
    let width = widths.map(|line| line.code.len()).max().unwrap_or(0).max(CODE_WIDTH);
    for line in &block.lines {
        if let Some(label) = &line.label {
            out.push_str(&format!("{label}:\n"));
        }
        let code = &line.code;
        match &line.operation {
            _ if !line.is_code => out.push_str(&format!("  ; {code}\n")),
            Some(said) if line.line > 0 => {
                out.push_str(&format!("  {code:<width$}  // line {}: {said}\n", line.line));
            }
            _ => out.push_str(&format!("  {code}\n")),
        }
    }
}
