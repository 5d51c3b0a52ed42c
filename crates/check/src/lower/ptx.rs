//! Scenarios of OpenCL in PTX: a sub-group is a warp, a named barrier one of the barriers of the CTA, and what it counts
//! are threads: its sub-groups, each 32.

use super::{LoweredBlock, LoweredLine, LoweringProblem, of_all, text};
use crate::scene::Scene;
use crate::tell;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::assembly;
use tidegate_model::context::Context;
use tidegate_model::mem::operation::Space;
use tidegate_model::opencl::action::{Action, Flags, Group, Scope};
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{Node, NodeId};
use tidegate_model::target::Target;

/// Threads of a warp: what it counts at a barrier.
pub(super) const WARP: u64 = 32;

/// Makes the whole text, once its target is known.
type Text = alloc::boxed::Box<dyn Fn(&Scene, &Target) -> String>;

/// Sub-groups by declared named barrier.
type Counts = OrderedMap<u16, u32>;

fn counts(context: &Context) -> Counts {
    let constructed = context.operations().filter_map(|(_, _, operation)| match operation.action {
        Any::Opencl(Action::Construct { object, count, .. }) => Some((object, count)),
        _ => None,
    });
    constructed.collect()
}

/// The code of each warp.
pub(super) fn blocks(scene: &Scene) -> Result<(Text, Vec<LoweredBlock>), Vec<LoweringProblem>> {
    let Some(context) = scene.context() else { return Err(Vec::new()) };
    let mut blocks = Vec::new();
    let mut problems = Vec::new();
    let counts = counts(&context);
    for group in text::groups(&context.program) {
        match lines(scene, &context, group.first, blocks.len(), &counts) {
            Ok(lines) => {
                let agents = group.name.replace("workgroup", "cta").replace("wave", "warp");
                blocks.push(LoweredBlock { agents, lines });
            }
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let all = blocks.clone();
    let launch = context.program.launch;
    let buffers = context.program.buffers.clone();
    let whole = move |scene: &Scene, target: &Target| {
        let mut out = String::new();
        if !scene.title().is_empty() {
            out.push_str(&format!("title {}\n", text::quoted(scene.title())));
        }
        out.push_str(&format!("target {}\n", target.name));
        out.push_str(&format!("launch ctas={} warps={}\n", launch.workgroups, launch.waves));
        for (index, buffer) in (0..).zip(&buffers) {
            let word = if buffer.space == Space::Local { "shared" } else { "global" };
            out.push_str(&format!("{word} {}[{}]\n", scene.buffer_name(index), buffer.size));
        }
        all.iter().for_each(|block| write(&mut out, block));
        out
    };
    Ok((alloc::boxed::Box::new(whole), blocks))
}

fn write(out: &mut String, block: &LoweredBlock) {
    out.push_str(&format!("\n{} {{\n", block.agents));
    for line in &block.lines {
        if let Some(label) = &line.label {
            out.push_str(&format!("{label}:\n"));
        }
        match &line.operation {
            Some(said) => {
                out.push_str(&format!("  {:<24}  // line {}: {said}\n", line.code, line.line))
            }
            None => out.push_str(&format!("  {}\n", line.code)),
        }
    }
    out.push_str("}\n");
}

/// The lines of a warp. Nothing but a `choose` branches, so they are in one row, which may come back to an earlier one.
fn lines(
    scene: &Scene,
    context: &Context,
    agent: usize,
    group: usize,
    counts: &Counts,
) -> Result<Vec<LoweredLine>, LoweringProblem> {
    let nodes = &context.program.body_of(agent).nodes;
    let mut order: Vec<NodeId> = Vec::new();
    let mut seen = OrderedSet::new();
    let mut at = 0;
    let mut back = None;
    loop {
        if !seen.insert(at) {
            back = Some(at);
            break;
        }
        match &nodes[at as usize] {
            Node::Operation { next, .. } if order.len() < super::MOST_LINES => {
                order.push(at);
                at = next[0];
            }
            Node::End => break,
            Node::Operation { .. } => {
                let most = super::MOST_LINES;
                return Err(of_all(format!("the code exceeds the limit of {most} lines")));
            }
            Node::Choose { .. } => {
                return Err(at_node(scene, agent, at, super::CHOICE));
            }
            Node::Divergent => {
                return Err(at_node(
                    scene,
                    agent,
                    at,
                    "its work-items are at different operations, but an instruction is executed by a whole warp",
                ));
            }
        }
    }
    let label = |node: NodeId| format!("L{group}_{node}");
    let mut lines = Vec::new();
    for node in order {
        let source = scene.source(agent, node);
        let begins = lines.len();
        for (code, is_code) in code(scene, &nodes[node as usize], counts) {
            let first = lines.len() == begins && is_code;
            lines.push(LoweredLine {
                label: (lines.len() == begins && back == Some(node)).then(|| label(node)),
                code,
                is_code,
                operation: first.then(|| source.text.clone()),
                line: source.span.line,
            });
        }
    }
    if let Some(node) = back {
        lines.push(LoweredLine {
            label: None,
            code: format!("bra {};", label(node)),
            is_code: true,
            operation: None,
            line: 0,
        });
    }
    Ok(lines)
}

fn at_node(scene: &Scene, agent: usize, node: NodeId, why: &str) -> LoweringProblem {
    let span = scene.source(agent, node).span;
    let message = format!("{}: {why}", tell::operation(scene, agent, node));
    let agent = String::from(scene.agent_name(agent));
    LoweringProblem { agent, line: span.line, column: span.column, ..of_all(message) }
}

/// The lines of a node: instructions, or words for accesses. Never empty, so that a label has a position.
fn code(scene: &Scene, node: &Node, counts: &Counts) -> Vec<(String, bool)> {
    let Node::Operation { operation, .. } = node else { return Vec::new() };
    let one = |code: String| alloc::vec![(code, true)];
    match operation.action {
        Any::Memory(memory) => {
            let name =
                |range: tidegate_model::mem::operation::Range| scene.buffer_name(range.buffer);
            let said = assembly::memory(memory, &name).unwrap_or_default();
            alloc::vec![(said, false)]
        }
        Any::Opencl(action) => {
            let mut lines: Vec<(String, bool)> = fence(action).into_iter().collect();
            lines.extend(one(barrier(action, counts)));
            lines
        }
        _ => Vec::new(),
    }
}

/// A barrier orders memory for its CTA; a larger scope requires a fence before it.
fn fence(action: Action) -> Option<(String, bool)> {
    let arguments = action.arguments()?;
    if arguments.flags.is_empty() || arguments.flags == Flags::LOCAL {
        return None;
    }
    let scope = match arguments.scope {
        Scope::Device => "gl",
        Scope::AllDevices => "sys",
        _ => return None,
    };
    Some((format!("membar.{scope};"), true))
}

fn barrier(action: Action, counts: &Counts) -> String {
    match action {
        Action::Barrier { group: Group::Work, .. } | Action::Await { .. } => "bar.sync 0;".into(),
        Action::Barrier { group: Group::Sub, .. } => "bar.warp.sync 0xffffffff;".into(),
        Action::Wait { object, .. } => {
            let sub_groups = counts.get(&object).copied().unwrap_or(1);
            format!("bar.sync {}, {};", u32::from(object) + 1, u64::from(sub_groups) * WARP)
        }
        Action::Construct { .. } | Action::Arrive { .. } => "membar.cta;".into(),
    }
}
