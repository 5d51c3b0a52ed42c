//! Barriers that order what is not ordered: before an access, or behind an init.

use super::statement::Statement;
use super::table::{added, instead};
use crate::memory::fix;
use crate::report::{Edit, Finding, Fix};
use crate::scene::Scene;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Span;

/// Flags of OpenCL, each with what it may be meant to be.
const FLAGS: [(&str, &str); 4] = [
    ("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"),
    ("CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE"),
    ("mem_fence::local", "mem_fence::global"),
    ("mem_fence::global", "mem_fence::local"),
];

/// Words with which a statement begins that initialises a barrier.
const INITS: [&str; 4] = ["init ", "mbarrier.init", "s_barrier_init", "SYNCS.EXCH"];

/// Words with which a block of agents begins.
const BLOCKS: [&str; 12] = [
    "wave",
    "warp",
    "subgroup",
    "thread",
    "item",
    "lane",
    "workgroup",
    "cta",
    "group",
    "cluster",
    "kernel",
    "func",
];

/// A barrier of the whole work-group or CTA before one of two accesses or before what it stands in, spelled as in the text;
/// or other flags at a barrier that is there.
pub(super) fn between(scene: &Scene, target: &str, finding: &Finding) -> Vec<Fix> {
    let text = scene.text();
    let barriers: &[&str] = match () {
        () if target.starts_with("sm_") => &["bar.sync 0"],
        () if text.contains("CLK_")
            || text.contains("__kernel")
            || text.contains("kernel void") =>
        {
            &["barrier(CLK_LOCAL_MEM_FENCE)", "barrier(CLK_GLOBAL_MEM_FENCE)"]
        }
        () if text.contains("mem_fence::") || target == "opencl" => {
            &["work_group_barrier(mem_fence::local)", "work_group_barrier(mem_fence::global)"]
        }
        () => &[],
    };
    let own = Statement::of(scene, finding);
    let other = finding.related.iter().filter_map(|it| Statement::at(text, it.line, it.column));
    let steps = finding.witness.iter().rev().filter(|step| Some(step.line) != finding.line);
    let step = steps.take(1).filter_map(|step| Statement::beginning(text, step.line));
    let mut accesses: Vec<Statement<'_>> = own.into_iter().chain(other).chain(step).collect();
    accesses.sort_by_key(|at| core::cmp::Reverse(at.line()));
    accesses.dedup_by_key(|at| at.line());
    let behind = accesses.first().map(Statement::whole).into_iter().flat_map(|place| {
        barriers.iter().map(move |barrier| added(barrier, "behind", place, place.after(barrier)))
    });
    let behind: Vec<Fix> = behind.collect();
    let places = accesses.into_iter().flat_map(with_what_is_around).flatten();
    let rounds = places.flat_map(|place| {
        barriers.iter().map(move |barrier| added(barrier, "before", place, place.before(barrier)))
    });
    other_flags(scene).into_iter().take(2).chain(rounds.take(4)).chain(behind).collect()
}

/// The whole statement of an access, and those in which it stands.
fn with_what_is_around(access: Statement<'_>) -> [Option<Statement<'_>>; 3] {
    let whole = access.whole();
    let around = whole.enclosing();
    [Some(whole), around, around.and_then(|around| around.enclosing())]
}

/// Barriers with other flags.
fn other_flags(scene: &Scene) -> Vec<Fix> {
    let lines = scene.text().lines().enumerate().filter(|(_, line)| line.contains("barrier("));
    let others = lines.flat_map(|(index, _)| {
        FLAGS.iter().filter_map(move |(old, new)| {
            let at = Statement::beginning(scene.text(), index as u32 + 1)?;
            let words = at.words();
            let single = words.contains(old) && !words.contains(new);
            single.then(|| instead(at, &words.replacen(old, new, 1)))
        })
    });
    others.collect()
}

/// A round of a barrier behind the inits of a block and at the beginning of every other.
pub(super) fn behind_init(scene: &Scene, target: &str) -> Vec<Fix> {
    let text = scene.text();
    let rounds: &[&str] = match () {
        () if target.starts_with("sm_") => {
            &["bar.sync 0", "barrier.cluster.arrive; barrier.cluster.wait"]
        }
        () if text.contains("s_barrier_signal") => &["s_barrier_signal -1; s_barrier_wait -1"],
        () => &["arrive wg; wait wg"],
    };
    rounds.iter().filter_map(|round| round_behind_init(scene, round)).collect()
}

fn round_behind_init(scene: &Scene, round: &str) -> Option<Fix> {
    let blocks = blocks(scene.text());
    let init = |line: u32| {
        let words = scene.text().lines().nth(line as usize - 1)?;
        INITS.iter().find_map(|init| {
            let at = words.find(init)?;
            Statement::spelled(scene, line, words[at..].split(';').next()?.trim_end())
        })
    };
    let with_init = |block: &Block| (block.line..=block.end).filter_map(init).next_back();
    let last = blocks.iter().find_map(with_init)?;
    let mut edits: Vec<Edit> = alloc::vec![last.after(round)];
    let mut where_else = Vec::new();
    for block in blocks.iter().filter(|block| with_init(block).is_none() && !block.is_function) {
        edits.push(block.begins_with(round));
        where_else.push(format!("{}", block.line));
    }
    let also = match where_else.as_slice() {
        [] => String::new(),
        [one] => format!(", and at the beginning of the block in line {one}"),
        many => format!(", and at the beginning of the blocks in lines {}", many.join(", ")),
    };
    let message = format!("Add `{round}` behind `{}` (line {}){also}.", last.words(), last.line());
    fix::fix(message, edits)
}

/// Where a block of agents begins.
struct Block {
    line: u32,
    /// The line that closes it.
    end: u32,
    /// Byte behind its brace, and the column there.
    inside: (usize, u32),
    /// Whether its brace ends the line.
    is_open: bool,
    is_function: bool,
}

impl Block {
    fn begins_with(&self, statement: &str) -> Edit {
        let (start, column) = self.inside;
        let span = Span { start: start as u32, length: 0, line: self.line, column };
        fix::instead(
            span,
            &match self.is_open {
                true => format!("\n  {statement}"),
                false => format!(" {statement};"),
            },
        )
    }
}

/// The blocks of agents, none of which stands within another.
fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let code =
            line.split("//").next().unwrap_or_default().split('#').next().unwrap_or_default();
        let word = code.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if depth == 0
            && BLOCKS.contains(&word)
            && let Some(brace) = code.find('{')
        {
            blocks.push(Block {
                line: index as u32 + 1,
                end: index as u32 + 1,
                inside: (start + brace + 1, code[..=brace].chars().count() as u32 + 1),
                is_open: code[brace + 1..].trim().is_empty(),
                is_function: word == "func",
            });
        }
        if let Some(block) = blocks.last_mut().filter(|_| depth > 0) {
            block.end = index as u32 + 1;
        }
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
        start += line.len();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_agents() {
        let text = "title \"a { b\"\nfunc f() { wait b }\nwave 0 {\n  if x {\n  }\n}\nwave 1 { }\n";
        let found: Vec<(u32, bool, bool)> =
            blocks(text).iter().map(|it| (it.line, it.is_open, it.is_function)).collect();
        // The brace in the title opens nothing that is closed, so nothing below it is at the outermost place.
        assert!(found.is_empty());
        let text = text.replace("a { b", "a");
        let found: Vec<(u32, u32, bool, bool)> =
            blocks(&text).iter().map(|it| (it.line, it.end, it.is_open, it.is_function)).collect();
        assert_eq!(found, [(2, 2, false, true), (3, 6, true, false), (7, 7, false, false)]);
    }
}
