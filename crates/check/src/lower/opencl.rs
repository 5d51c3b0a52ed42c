//! Scenarios of OpenCL as code of a processor: a sub-group becomes a wave or a warp.

use super::{CHOICE, Lowered, LoweringProblem, Problems, blocks, host, lacks, of_all, ptx, text};
use crate::scene::host::is_of_none;
use crate::scene::{Options, Scene};
use crate::tell;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_lang::diagnostic::Diagnostic;
use tidegate_lang::scenario::Compiled;
use tidegate_lang::source::Source;
use tidegate_model::context::Context;
use tidegate_model::opencl::action::Action;
use tidegate_model::opencl::lowering::{self, For};
use tidegate_model::operation::Action as Any;
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{Body, BodyId, Node};
use tidegate_model::rule::RuleId;
use tidegate_model::support;
use tidegate_model::target::{Family, Target};

/// Lowers a scenario that uses operations of OpenCL.
pub(super) fn lower(
    scene: &Scene,
    context: &Context,
    options: &Options,
    target: &'static Target,
    lowered: &mut Lowered,
) {
    if context.program.part.is_some() {
        let message = "the launch exceeds the limit of 256 work-items for code";
        lowered.problems = alloc::vec![of_all(String::from(message))];
        return;
    }
    let problems = problems(scene, context, options, target);
    if !problems.is_empty() {
        lowered.problems = problems;
        return;
    }
    let whole = match scene.sub_groups() {
        Ok(whole) => whole,
        Err(found) => {
            lowered.problems = found.into_iter().map(no_wave).collect();
            return;
        }
    };
    let (whole, passed) = host::one_way(whole);
    lowered.problems = of_none(&scene.with_program(whole.clone()));
    if !lowered.problems.is_empty() {
        return;
    }
    if target.family == Family::Nvidia {
        let scene = scene.with_program(whole);
        match ptx::blocks(&scene) {
            Ok((text, blocks)) => {
                let text = with_note(text(&scene, target), counted(context), "");
                lowered.text = with_note(text, passed, "");
                lowered.blocks = blocks;
            }
            Err(problems) => lowered.problems = problems,
        }
        return;
    }
    lowered.problems = shared(&scene.with_program(whole.clone()), target);
    if !lowered.problems.is_empty() {
        return;
    }
    let scene = scene.with_program(in_words(whole, target));
    let Some(context) = scene.context() else { return };
    match blocks(&scene, &context, options, target) {
        Ok(blocks) => {
            lowered.text = with_note(text::text(&scene, target, &blocks), passed, "; ");
            lowered.blocks = blocks;
        }
        Err(problems) => lowered.problems = problems,
    }
}

/// The problem of a program whose sub-groups are no agents: a limit, or an operation that is not followed for a whole sub-group.
fn no_wave(found: Diagnostic) -> LoweringProblem {
    if found.code.starts_with("bound-") {
        let message = "the work-items of a sub-group have too many paths; give arguments values, such as `argument n=4`";
        return of_all(String::from(message));
    }
    let (line, column) = (found.span.line, found.span.column);
    LoweringProblem { rule: None, message: found.message, agent: String::new(), line, column }
}

/// The note on thread counts if a sub-group has another size than a warp.
fn counted(context: &Context) -> Option<String> {
    let items = context.program.launch.lanes;
    let items_said =
        if items == 1 { "1 work-item".to_owned() } else { format!("{items} work-items") };
    (items != ptx::WARP as u32).then(|| {
        format!(
            "A sub-group of {items_said} becomes a warp, which counts {} threads at its barriers.",
            ptx::WARP
        )
    })
}

/// The text with a note before the line of its target, which `sign` may make a comment.
fn with_note(text: String, note: Option<String>, sign: &str) -> String {
    let line = format!("{sign}target ");
    let at = if text.starts_with(&line) {
        Some(0)
    } else {
        text.find(&format!("\n{line}")).map(|at| at + 1)
    };
    let (Some(at), Some(note)) = (at, note) else { return text };
    format!("{}{sign}note {}\n{}", &text[..at], text::quoted(&note), &text[at..])
}

/// Problems that are known before lowering.
fn problems(
    scene: &Scene,
    context: &Context,
    options: &Options,
    target: &Target,
) -> Vec<LoweringProblem> {
    if !matches!(target.family, Family::Amdgpu { .. } | Family::Nvidia) {
        let name = target.name;
        let message = format!("{name} is not a processor; choose one, such as gfx1250 or sm_90");
        return alloc::vec![of_all(message)];
    }
    let items = context.program.launch.lanes;
    if let Some(most) = target.most_lanes().filter(|&most| items > most) {
        let (name, unit) = match target.family {
            Family::Nvidia => (target.name, "warp"),
            _ => (target.name, "wave"),
        };
        let message = format!(
            "a sub-group of {items} work-items exceeds a {unit} of {name}, which has at most {most} lanes"
        );
        return alloc::vec![of_all(message)];
    }
    let mut problems = Problems { scene, seen: OrderedSet::new(), found: Vec::new() };
    for lack in support::lacking(context, target, options.readings_of(scene)) {
        problems.add(lack.agent, lack.node, Some(lack.rule), |scene| {
            lacks(scene, context, &lack, target)
        });
    }
    for agent in 0..context.program.agents.len() {
        // The choice of the host is first and the same for all.
        let host = usize::from(!scene.passed().is_empty());
        let nodes = (0..).zip(&context.program.body_of(agent).nodes).skip(host);
        for (at, node) in nodes {
            match node {
                Node::Choose { .. } => {
                    problems.add(agent, at, None, |_| format!("`choose`: {CHOICE}."));
                }
                Node::Operation { operation, .. } if operation.alike.is_atomic() => {
                    problems.add(agent, at, None, |scene| {
                        let text = scene.source(agent, at).text;
                        format!("`{text}`: atomic accesses are not lowered.")
                    });
                }
                _ => {}
            }
        }
    }
    for found in scene.restricted() {
        let rule = Some(String::from(found.rule.get().id));
        let (line, column) = (found.span.line, found.span.column);
        problems.found.push(LoweringProblem {
            rule,
            line,
            column,
            ..of_all(found.message.clone())
        });
    }
    problems.found
}

/// Named barriers with a count of 0.
fn of_none(scene: &Scene) -> Vec<LoweringProblem> {
    let Some(context) = scene.context() else { return Vec::new() };
    let mut problems = Problems { scene, seen: OrderedSet::new(), found: Vec::new() };
    for agent in 0..context.program.agents.len() {
        let nodes = (0..).zip(&context.program.body_of(agent).nodes);
        for (node, _) in nodes.filter(|(_, node)| is_of_none(node)) {
            problems.add(agent, node, None, |scene| {
                let what = tell::operation(scene, agent, node);
                format!("{what}: a barrier of 0 sub-groups has no machine code")
            });
        }
    }
    problems.found
}

/// Named barriers on which more sub-groups wait than their count, also at different times. In the AMDGPU model, a wait can
/// return on any complete phase that its wave has not waited for, including phases of other waves that it joined too
/// late. Therefore every phase must have the same waves.
fn shared(scene: &Scene, target: &Target) -> Vec<LoweringProblem> {
    let Some(context) = scene.context() else { return Vec::new() };
    let mut counts = OrderedMap::new();
    let mut waits: OrderedMap<(u32, u16), OrderedMap<usize, u32>> = OrderedMap::new();
    for (agent, node, operation) in context.operations() {
        match operation.action {
            Any::Opencl(Action::Construct { object, count, .. }) => {
                counts.insert(object, count);
            }
            Any::Opencl(Action::Wait { object, .. }) => {
                let group = context.program.agents[agent].workgroup;
                waits.entry((group, object)).or_default().entry(agent).or_insert(node);
            }
            _ => {}
        }
    }
    let mut problems = Problems { scene, seen: OrderedSet::new(), found: Vec::new() };
    for ((_, object), agents) in waits {
        let count = counts.get(&object).copied().unwrap_or(0) as usize;
        if let Some((&agent, &node)) = agents.iter().nth(count) {
            problems.add(agent, node, Some(RuleId::AmdJoinBeforeWait), |scene| {
                let what = tell::operation(scene, agent, node);
                let (name, all) = (scene.named_barrier_name(object), agents.len());
                format!(
                    "{what}: {all} sub-groups wait on `{name}`, which counts {count}, so a wave of {} could return on a phase of other sub-groups; use one barrier for each set of sub-groups",
                    target.name
                )
            });
        }
    }
    problems.found
}

/// The same program in the words of the AMDGPU model.
fn in_words(compiled: Compiled, target: &Target) -> Compiled {
    let mut made: OrderedMap<(BodyId, bool), (BodyId, Vec<u32>)> = OrderedMap::new();
    let mut bodies: Vec<Body> = Vec::new();
    let mut program = compiled.program.clone();
    let mut sources: Vec<Rc<[Source]>> = Vec::new();
    let constructions: OrderedSet<Vec<[bool; 2]>> =
        compiled.program.bodies.iter().map(lowering::constructions).collect();
    let (alike, split) = (constructions.len() == 1, target.split_barriers);
    for (index, agent) in program.agents.iter_mut().enumerate() {
        let first = agent.wave == 0;
        let (body, origins) = made.entry((agent.body, first)).or_insert_with(|| {
            let how = For { first, split, alike };
            let (body, origins) =
                lowering::lower(&compiled.program.bodies[agent.body as usize], how);
            let known = bodies.iter().position(|other| *other == body);
            let id = known.unwrap_or_else(|| {
                bodies.push(body);
                bodies.len() - 1
            });
            (id as BodyId, origins)
        });
        agent.body = *body;
        let own = &compiled.sources[index];
        let source = |&node: &u32| own.get(node as usize).cloned().unwrap_or_default();
        sources.push(origins.iter().map(source).collect());
    }
    program.bodies = bodies;
    let named_names = names(&compiled);
    Compiled { program, sources, named_names, ..compiled }
}

/// A name for each named barrier that no other thing has.
fn names(compiled: &Compiled) -> Vec<(i64, String)> {
    let mut taken: OrderedSet<String> = compiled.buffer_names.iter().cloned().collect();
    let named = (1_i64..).zip(&compiled.barrier_names).map(|(id, name)| {
        let mut free = name.clone();
        while taken.contains(&free) || ["wg", "cluster", "null"].contains(&free.as_str()) {
            free.push('_');
        }
        taken.insert(free.clone());
        (id, free)
    });
    named.collect()
}
