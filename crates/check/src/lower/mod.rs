//! A scenario as machine code of a target.
//!
//! The result is both assembly and a scenario: `;` begins a comment in assembly, and separates statements in a
//! scenario.

mod host;
mod opencl;
mod ptx;
mod text;

use crate::explain;
use crate::report::ReportDiagnostic;
use crate::scene::{Options, Scene};
use crate::tell;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::assembly;
use tidegate_model::context::Context;
use tidegate_model::lowering::instruction::{BarrierOperand, Instruction};
use tidegate_model::lowering::{self, Item, Known, Refusal};
use tidegate_model::operation::{Action, Mnemonic};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{BodyId, Node, NodeId};
use tidegate_model::rule::RuleId;
use tidegate_model::support;
use tidegate_model::target::{Family, Target};

/// A scenario as machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lowered {
    /// The file, as the caller named it.
    pub file: String,
    /// The target.
    pub target: String,
    /// The whole code as one text, which is assembly for that processor and a scenario; empty if there are problems.
    pub text: String,
    /// The code of each wave, with equal neighbours merged; empty if there are problems.
    pub blocks: Vec<LoweredBlock>,
    /// Operations that have no machine code on the target.
    pub problems: Vec<LoweringProblem>,
    /// Diagnostics of the scenario.
    pub diagnostics: Vec<ReportDiagnostic>,
}

/// The code of waves that do the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoweredBlock {
    /// The waves, as a scenario names them (`wave 0-3`).
    pub agents: String,
    /// The lines.
    pub lines: Vec<LoweredLine>,
}

/// One line of code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoweredLine {
    /// The label that it begins with, where something branches to it.
    pub label: Option<String>,
    /// The instruction; or, where `is_code` is false, an operation on memory in the words of the model.
    pub code: String,
    /// Whether it is machine code.
    pub is_code: bool,
    /// The lowered operation of the scenario, on the first line of its code.
    pub operation: Option<String>,
    /// The line of that operation in the scenario, from 1; 0 for the end of a wave without a statement.
    pub line: u32,
}

/// An operation without machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoweringProblem {
    /// The rule that the target breaks, if there is one.
    pub rule: Option<String>,
    /// A description, as a sentence.
    pub message: String,
    /// The agent.
    pub agent: String,
    /// Line of the operation, from 1; 0 without an operation.
    pub line: u32,
    /// Column of the operation, from 1; 0 without an operation.
    pub column: u32,
}

/// Lowers a scenario for the target of the options, else its own.
///
/// ```
/// use tidegate_check::{Options, Scene, lower};
///
/// let text = "target gfx1250\nlaunch waves=2\nkernel { arrive wg; wait wg }\n";
/// let lowered = lower(&Scene::new("two-waves.tide", text), &Options::default());
/// assert!(lowered.text.contains("s_barrier_signal -1") && lowered.problems.is_empty());
/// ```
#[must_use]
pub fn lower(scene: &Scene, options: &Options) -> Lowered {
    let target = options.target_of(scene).get();
    let mut lowered = Lowered {
        file: scene.file().to_owned(),
        target: target.name.to_owned(),
        text: String::new(),
        blocks: Vec::new(),
        problems: Vec::new(),
        diagnostics: scene.diagnostics(),
    };
    let Some(context) = scene.context() else { return lowered };
    let launch = context.program.launch;
    let waves = (launch.workgroups * launch.waves) as usize;
    let of_opencl = scene.target().is_some_and(|own| own.get().family == Family::Opencl);
    // Work-items are agents of their own there, also where no barrier is used.
    let items = of_opencl && context.program.agents.len() > waves || context.program.part.is_some();
    if items || tidegate_model::opencl::support::uses(&context) {
        opencl::lower(scene, &context, options, target, &mut lowered);
        return lowered;
    }
    match blocks(scene, &context, options, target) {
        Ok(blocks) => {
            lowered.text = text::text(scene, target, &blocks);
            lowered.blocks = blocks;
        }
        Err(problems) => lowered.problems = problems,
    }
    lowered
}

/// Limit of printed lines.
const MOST_LINES: usize = 200_000;
/// Why a `choose` of a work-item has no machine code.
const CHOICE: &str =
    "each work-item chooses separately, but a branch is executed by a whole sub-group";

fn blocks(
    scene: &Scene,
    context: &Context,
    options: &Options,
    target: &Target,
) -> Result<Vec<LoweredBlock>, Vec<LoweringProblem>> {
    if !matches!(target.family, Family::Amdgpu { .. }) {
        let name = target.name;
        let message = format!("{name} is not an AMDGPU processor; choose one, such as gfx1250");
        return Err(alloc::vec![of_all(message)]);
    }
    if context.program.lanes_apart() > 1 {
        let message = format!(
            "the scenario has agents for single lanes; an instruction of {} is executed by a whole wave",
            target.name
        );
        return Err(alloc::vec![of_all(message)]);
    }
    let readings = options.readings_of(scene);
    let mut problems = Problems { scene, seen: OrderedSet::new(), found: Vec::new() };
    let lacking = support::lacking(context, target, readings);
    for lack in &lacking {
        problems.add(lack.agent, lack.node, Some(lack.rule), |scene| {
            lacks(scene, context, lack, target)
        });
    }
    let program = &context.program;
    let lanes = program.launch.lanes;
    let on =
        lowering::Scene { target, buffers: &program.buffers, known: Known::of(program), lanes };
    let mut code: OrderedMap<BodyId, Vec<Item>> = OrderedMap::new();
    for (agent, standing) in program.agents.iter().enumerate().filter(|_| lacking.is_empty()) {
        if code.contains_key(&standing.body) {
            continue;
        }
        let lowered = lowering::lower(program.body_of(agent), on, readings);
        for &(node, refusal) in lowered.as_ref().err().into_iter().flatten() {
            let (rule, why) = match action(context, agent, node) {
                Some(Action::Ptx(..) | Action::Opencl(_)) => foreign(target),
                _ => reason(refusal, target),
            };
            problems.add(agent, node, rule, |scene| {
                format!("{}: {why}", tell::operation(scene, agent, node))
            });
        }
        code.insert(standing.body, lowered.unwrap_or_default());
    }
    if !problems.found.is_empty() {
        return Err(problems.found);
    }
    let groups = text::groups(program);
    let body = |group: &text::Group| program.agents[group.first].body;
    let items = |group: &text::Group| code.get(&body(group)).map_or(&[][..], Vec::as_slice);
    if groups.iter().map(|group| items(group).len()).sum::<usize>() > MOST_LINES {
        return Err(alloc::vec![of_all(format!(
            "the code exceeds the limit of {MOST_LINES} lines"
        ))]);
    }
    let groups = groups.into_iter().enumerate();
    Ok(groups
        .map(|(index, group)| LoweredBlock {
            lines: lines(scene, context, group.first, index, items(&group)),
            agents: group.name,
        })
        .collect())
}

/// Problems, each once at each place.
struct Problems<'a> {
    scene: &'a Scene,
    seen: OrderedSet<(u32, Option<RuleId>)>,
    found: Vec<LoweringProblem>,
}

impl Problems<'_> {
    fn add(
        &mut self,
        agent: usize,
        node: NodeId,
        rule: Option<RuleId>,
        message: impl FnOnce(&Scene) -> String,
    ) {
        let span = self.scene.source(agent, node).span;
        if self.seen.insert((span.start, rule)) {
            self.found.push(LoweringProblem {
                rule: rule.map(|rule| rule.get().id.to_owned()),
                message: message(self.scene),
                agent: self.scene.agent_name(agent).to_owned(),
                line: span.line,
                column: span.column,
            });
        }
    }
}

/// The lines of a group of agents, of which this is one.
fn lines(
    scene: &Scene,
    context: &Context,
    agent: usize,
    group: usize,
    items: &[Item],
) -> Vec<LoweredLine> {
    let label = |node: NodeId| format!("L{group}_{node}");
    let mut lines: Vec<LoweredLine> = Vec::with_capacity(items.len());
    let mut pending = None;
    let mut before = None;
    for item in items {
        match *item {
            Item::Label(node) => pending = Some(label(node)),
            Item::Line { node, instruction } => {
                let (code, is_code) = spelled(scene, context, agent, node, instruction, &label);
                let said = operation(scene, context, agent, node, instruction);
                let speaks = is_code && is_of_the_operation(instruction) && said != code;
                let operation = (speaks && before.replace(node) != Some(node)).then_some(said);
                lines.push(LoweredLine {
                    label: pending.take(),
                    operation,
                    code,
                    is_code,
                    line: scene.source(agent, node).span.line,
                });
            }
        }
    }
    lines
}

/// Whether an instruction is the operation itself, not an addition before or after it.
const fn is_of_the_operation(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::SetM0(_)
            | Instruction::Barrier(..)
            | Instruction::AsWritten
            | Instruction::Compare(_)
    )
}

/// The text of a line, and whether it is machine code.
fn spelled(
    scene: &Scene,
    context: &Context,
    agent: usize,
    node: NodeId,
    instruction: Instruction,
    label: &dyn Fn(NodeId) -> String,
) -> (String, bool) {
    let kept = || match action(context, agent, node) {
        Some(Action::Memory(memory)) => {
            assembly::memory(memory, &|range| scene.buffer_name(range.buffer))
        }
        _ => None,
    };
    match assembly::instruction(instruction, label) {
        Some(code) => (code, true),
        None if instruction == Instruction::Kept => (kept().unwrap_or_default(), false),
        None => (scene.source(agent, node).text, true),
    }
}

fn action(context: &Context, agent: usize, node: NodeId) -> Option<Action> {
    match context.program.body_of(agent).nodes.get(node as usize)? {
        Node::Operation { operation, .. } => Some(operation.action),
        _ => None,
    }
}

/// The operation of a node as written; an `s_barrier` is its *arrive* and the *wait* after it.
fn operation(
    scene: &Scene,
    context: &Context,
    agent: usize,
    node: NodeId,
    instruction: Instruction,
) -> String {
    let said = scene.source(agent, node).text;
    let bare = Instruction::Barrier(Mnemonic::SBarrier, BarrierOperand::Nothing);
    let nodes = &context.program.body_of(agent).nodes;
    match nodes.get(node as usize) {
        Some(Node::Choose { next }) => {
            format!("{said}: s1 selects one of its {} blocks, from 0", next.len())
        }
        Some(Node::Operation { next, .. }) if instruction == bare => {
            let wait = scene.source(agent, next[0]).text;
            if wait == said { said } else { format!("{said}; {wait}") }
        }
        _ => said,
    }
}

/// A problem of the whole scenario.
fn of_all(message: String) -> LoweringProblem {
    LoweringProblem { rule: None, message, agent: String::new(), line: 0, column: 0 }
}

/// The message for an operation that the target does not support.
fn lacks(scene: &Scene, context: &Context, lack: &support::Lacking, target: &Target) -> String {
    action(context, lack.agent, lack.node).map_or_else(String::new, |action| {
        let at = (lack.agent, lack.node);
        tell::say(scene, &explain::lacking(action, at, lack.rule, (target.name, &[])))
    })
}

/// The message for an operation that no AMDGPU processor supports.
fn foreign(target: &Target) -> (Option<RuleId>, String) {
    let why = format!(
        "{} has no such object; lower a scenario with barriers of the AMDGPU model",
        target.name
    );
    (Some(RuleId::AmdOperationUnsupported), why)
}

/// Why a supported operation has no machine code, and the rule, if there is one.
fn reason(refusal: Refusal, target: &Target) -> (Option<RuleId>, String) {
    match refusal {
        Refusal::Choice => {
            (None, "each lane chooses separately, but a branch is executed by a whole wave".to_owned())
        }
        Refusal::Divergent => (
            Some(RuleId::AmdBarrierWaveUniform),
            "its lanes are at different operations, but an instruction is executed by a whole wave"
                .to_owned(),
        ),
        Refusal::NoId => (
            Some(RuleId::AmdObjectUnsupported),
            format!(
                "machine code of {} names barriers by ID, and this object has none; declare it as `named(ID)`",
                target.name
            ),
        ),
        Refusal::Count(0) => (
            Some(RuleId::AmdArriveExpected),
            "a count of 0 in m0 keeps the expected count".to_owned(),
        ),
        Refusal::Count(count) => (
            Some(RuleId::AmdMachineCountWidth),
            format!("count {count} exceeds the seven bits of m0"),
        ),
        Refusal::NotJoined => (
            Some(RuleId::AmdJoinBeforeDrop),
            "`s_barrier_leave` drops the joined barrier, which may be another object here"
                .to_owned(),
        ),
        Refusal::Outcome => (None, "no condition code has its outcome".to_owned()),
        Refusal::Atomic => (None, "atomic accesses are not lowered".to_owned()),
        Refusal::Function => (
            None,
            "without the call, the async marks of its function count in its caller, which changes what a wait completes"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests;
