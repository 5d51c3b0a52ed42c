//! Inlines one call: the new text, and the changes at each wait for marks.

use crate::expect::expectations;
use crate::scene::{Options, Scene};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::inline::Refusal;
use tidegate_model::r#async::useful;
use tidegate_model::r#async::walk::walk;
use tidegate_model::mem::operation::Memory;
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::{Node, NodeId};

/// A scenario with one call inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Inlined {
    /// The text with the body of the function in place of the call.
    pub text: String,
    /// Every wait for marks, in the order of execution of each agent.
    pub waits: Vec<WaitChange>,
}

/// The copies that a wait for marks completes before and after inlining.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaitChange {
    /// The agent.
    pub agent: String,
    /// The wait as written.
    pub operation: String,
    /// Its line, from 1.
    pub line: u32,
    /// Its line in the new text.
    pub line_after: u32,
    /// The occurrence of this line of the new text in its agent, from 1.
    pub time: u32,
    /// The number of occurrences of that line in its agent.
    pub times: u32,
    /// The marks that it completes as written, on any path.
    pub before: Vec<Marked>,
    /// The marks that it completes after the inlining.
    pub after: Vec<Marked>,
    /// Whether the two differ.
    pub changes: bool,
}

/// A mark or a copy, by its position in the original text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Marked {
    /// Its line, from 1.
    pub line: u32,
    /// The operation.
    pub operation: String,
    /// The occurrence of this line in its agent, from 1.
    pub time: u32,
    /// The number of occurrences of that line in its agent.
    pub times: u32,
}

/// Inlines the first call on a line of a scenario.
///
/// # Errors
/// Why not, in a sentence.
pub fn inline(scene: &Scene, line: u32) -> Result<Inlined, String> {
    let text = tidegate_lang::inline::inline(scene.text(), line)
        .map_err(|refusal| sentence(&refusal, line))?;
    let after = scene.with_text(&text);
    if !scene.is_valid() {
        return Err("the scenario is not valid".to_owned());
    }
    if let Some(found) = after.diagnostics().into_iter().find(|found| found.severity == "error") {
        return Err(format!(
            "the inlined scenario is not valid: {} (line {})",
            found.message, found.line
        ));
    }
    let (text, after) = without_stale(text, after);
    let agents = scene.context().map_or(0, |context| context.program.agents.len());
    let waits = (0..agents).flat_map(|agent| changes(scene, &after, agent)).collect();
    Ok(Inlined { text, waits })
}

/// The same text where expectations that held before and hold no more are comments that say so.
fn without_stale(text: String, after: Scene) -> (String, Scene) {
    let outcomes = expectations(&after, &Options::default(), &mut |_| true);
    let stale: OrderedSet<u32> =
        outcomes.iter().filter(|outcome| !outcome.passed).map(|outcome| outcome.line).collect();
    if stale.is_empty() {
        return (text, after);
    }
    let lines = (1..).zip(text.split('\n')).map(|(number, line)| {
        if stale.contains(&number) && line.trim_start().starts_with("expect") {
            format!("# does not hold after inlining: {}", line.trim_start())
        } else {
            line.to_owned()
        }
    });
    let text = lines.collect::<Vec<String>>().join("\n");
    let after = after.with_text(&text);
    (text, after)
}

fn sentence(refusal: &Refusal, line: u32) -> String {
    match refusal {
        Refusal::NoCall => format!("no function call on line {line}"),
        Refusal::NoFunction(name) => format!("no function named `{name}`"),
        Refusal::Arguments(given, wanted) => {
            format!("the call has {given} arguments, but the function takes {wanted}")
        }
        Refusal::Recursive(name) => {
            format!("`{name}` is recursive and cannot be inlined")
        }
    }
}

/// The marks and waits of one agent in the order of discovery, which inlining preserves, and the copies that each wait
/// completes.
struct Agent {
    /// Marks and copies by node, numbered in order.
    marks: Vec<NodeId>,
    /// Waits, with the numbers of the marks that they complete.
    waits: Vec<(NodeId, OrderedSet<usize>)>,
}

fn agent(scene: &Scene, agent: usize) -> Option<Agent> {
    let context = scene.context()?;
    let body = context.program.body_of(agent);
    let walked = walk(body, &useful(&body.nodes));
    let of = |wanted: fn(Memory) -> bool| -> Vec<NodeId> {
        let nodes = (0..).zip(&body.nodes);
        let is = |node: &Node| matches!(node, Node::Operation { operation, .. } if matches!(operation.action, Action::Memory(memory) if wanted(memory)));
        nodes.filter(|(_, node)| is(node)).map(|(id, _)| id).collect()
    };
    let marks = of(|memory| matches!(memory, Memory::Mark));
    let number = |node: &NodeId| marks.binary_search(node).ok();
    let completes = |node: NodeId| {
        walked.completes.get(&node).into_iter().flatten().filter_map(number).collect()
    };
    let waits = of(|memory| matches!(memory, Memory::WaitMarks(_)))
        .into_iter()
        .map(|node| (node, completes(node)))
        .collect();
    Some(Agent { marks, waits })
}

fn changes(scene: &Scene, inlined: &Scene, index: usize) -> Vec<WaitChange> {
    let (Some(before), Some(after)) = (agent(scene, index), agent(inlined, index)) else {
        return Vec::new();
    };
    let line = |of: &Scene, node: NodeId| of.source(index, node).span.line;
    let marks: Vec<u32> = before.marks.iter().map(|&node| line(scene, node)).collect();
    let later: Vec<u32> = after.waits.iter().map(|(node, _)| line(inlined, *node)).collect();
    let marked = |numbers: &OrderedSet<usize>| -> Vec<Marked> {
        let nodes = numbers.iter().filter_map(|&number| Some((number, before.marks.get(number)?)));
        nodes
            .map(|(number, &node)| {
                let source = scene.source(index, node);
                let (time, times) = time(&marks, number);
                Marked { line: source.span.line, operation: source.text, time, times }
            })
            .collect()
    };
    before
        .waits
        .iter()
        .zip(&after.waits)
        .enumerate()
        .map(|(number, ((node, completed), (_, completes)))| {
            let source = scene.source(index, *node);
            let (time, times) = time(&later, number);
            WaitChange {
                time,
                times,
                agent: scene.agent_name(index).to_owned(),
                operation: source.text,
                line: source.span.line,
                line_after: later[number],
                before: marked(completed),
                after: marked(completes),
                changes: completed != completes,
            }
        })
        .collect()
}

/// The number of an item among those on its line, from 1, and their count.
fn time(lines: &[u32], number: usize) -> (u32, u32) {
    let alike = |among: &[u32]| among.iter().filter(|line| **line == lines[number]).count() as u32;
    (alike(&lines[..=number]), alike(lines))
}
