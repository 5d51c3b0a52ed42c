//! Evaluates flat code to programs: each body is run with concrete numbers from one operation to the next. A repeated
//! state is the same node, so that a loop whose state repeats becomes a cycle.

mod answers;
mod arguments;
mod budget;
mod cases;
mod compilation;
mod graph;
mod groups;
mod instances;
mod key;
mod lanes;
mod meeting;
mod nvidia;
pub(crate) mod opencl;
mod operands;
mod states;
mod surroundings;
mod terms;
mod thread;
mod through;
mod values;
mod warp;

use crate::diagnostic::Diagnostic;
use crate::lower::agents::{MOST_AGENTS, Words, agent_names};
use crate::lower::code::Argument;
use crate::scenario::{Compiled, Scenario};
use alloc::format;
use alloc::vec::Vec;
use compilation::{Compilation, too_many};
use tidegate_model::program::{Agent, Launch, Program, Proxies};
use tidegate_model::ptx::sizes;
use tidegate_model::target::Family;

/// The names of agents in the vocabulary of the scenario.
fn words(scenario: &Scenario, items: bool) -> Words {
    match scenario.target.map(|target| target.get().family) {
        _ if items => Words::Opencl,
        Some(Family::Nvidia) => Words::Nvidia,
        _ => Words::Amdgpu,
    }
}

/// See [`crate::compile`]; with `whole`, an OpenCL sub-group is one agent. If an OpenCL launch has more than `plain`
/// work-items, only work-groups that represent all are compiled.
pub(crate) fn compile(
    scenario: &Scenario,
    whole: bool,
    plain: u32,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut compiled = compiled(scenario, whole, plain);
    let found = match &mut compiled {
        Ok(compiled) => &mut compiled.warnings,
        Err(errors) => errors,
    };
    scenario.code.places.place(found);
    compiled
}

fn compiled(scenario: &Scenario, whole: bool, plain: u32) -> Result<Compiled, Vec<Diagnostic>> {
    let errors: Vec<_> =
        scenario.diagnostics.iter().filter(|found| found.is_error()).cloned().collect();
    if let Some(program) = scenario.program.as_ref().filter(|_| errors.is_empty()) {
        return program.clone();
    }
    let code = &scenario.code;
    let Some(launch) = code.launch.filter(|_| errors.is_empty()) else { return Err(errors) };
    if !code.pending.is_empty() {
        return Err(code.pending.clone());
    }
    // The lanes of a warp branch separately; each is an agent.
    let items = !whole && (code.opencl || is_for(scenario, Family::Opencl) && !code.nvidia);
    let warps = !whole && (code.nvidia || is_for(scenario, Family::Nvidia));
    let apart = if warps || items { launch.lanes } else { 1 };
    let mut compilation = Compilation::new(code, (launch, apart));
    compilation.per_thread = code.per_thread && code.nvidia && !code.opencl && apart == 1;
    let agents = launch.workgroups * launch.waves * apart;
    compilation.by_groups =
        items && launch.workgroups > 1 && launch.clusters == 1 && agents > plain;
    if !compilation.by_groups && agents > MOST_AGENTS {
        return Err(alloc::vec![too_many(code, agents)]);
    }
    let cases = cases::all(&mut compilation)?;
    let mut unfollowed = compilation.instances.unfollowed.take();
    if !cases.passed.is_empty() && !items && !whole {
        let data = cases.data.iter().map(|&span| Diagnostic::error("unknown-data", span, OF_WAVES));
        return Err(code.arguments.iter().map(without_value).chain(data).collect());
    }
    let (mut agents, mut sources) = (Vec::new(), Vec::new());
    for (at, (body, source)) in (0..).zip(cases.agents) {
        let workgroup = at / (launch.waves * apart);
        agents.push(Agent { workgroup, wave: at % (launch.waves * apart), body });
        sources.push(source);
    }
    let all: Vec<u32> = (0..launch.workgroups).collect();
    let names = cases.part.as_ref().map_or(&all, |part| &part.groups);
    let agent_names = agent_names(launch, names, apart, words(scenario, items));
    let judged = Launch { workgroups: names.len() as u32, ..launch };
    let plain_objects = code.plain_names.len() as u16;
    let remote = compilation.instances.remote.take();
    let remote_names = remote.iter().filter_map(|it| it.instance_of);
    let remote_names = remote_names.map(|of| code.buffer_names[usize::from(of)].clone());
    let mut program = Program {
        launch: judged,
        part: cases.part,
        plain_objects,
        buffers: [&code.buffers[..], &remote].concat(),
        mbarriers: code.mbarriers.clone(),
        agents,
        lanes_meet: compilation.lanes_meet,
        leaves: code.leaves,
        host_chooses: !cases.passed.is_empty(),
        host_passes_more: !cases.all || code.more_dimensions,
        proxies: Proxies::Apart,
        covering: 0,
        groups_assumed: code.assumed.groups,
        sizes_guessed: false,
        doubtful: cases.doubtful,
        doubts_choices: false,
        guesses: false,
        whens: compilation.instances.whens.take(),
        only_certain: false,
        by_data: cases.by_data,
        bodies: compilation.bodies,
    };
    sizes::infer(&mut program);
    program.doubtful |= !unfollowed.is_empty();
    unfollowed.extend(compilation.instances.met.take());
    Ok(Compiled {
        program,
        passed: cases.passed,
        assumed: code.assumed.clone(),
        alike: false,
        steps: compilation.budget.instructions(),
        warnings: cases.warnings.into_iter().chain(unfollowed).collect(),
        agent_names,
        sources,
        plain_names: code.plain_names.clone(),
        named_names: code.named_names.clone(),
        mbarrier_names: code.mbarrier_names.clone(),
        buffer_names: code.buffer_names.iter().cloned().chain(remote_names).collect(),
        barrier_names: code.barrier_names.clone(),
        restricted: code.restricted.clone(),
    })
}

/// Control flow that depends on memory in a kernel that waves execute.
const OF_WAVES: &str = "control flow depends on memory, which is not modelled for a kernel on waves: write `choose { … } or { … }`";

/// An error that an argument of a kernel that waves execute has no value.
fn without_value(argument: &Argument) -> Diagnostic {
    let name = &argument.name;
    let message = format!("argument `{name}` has no known value: add `argument {name}=4`");
    Diagnostic::error("argument-without-value", argument.span, message)
}

/// Whether the scenario is for targets of a family.
fn is_for(scenario: &Scenario, family: Family) -> bool {
    scenario.target.is_some_and(|target| target.get().family == family)
}
