//! Evaluates flat code to programs: each body is run with concrete numbers from one operation to the next. A repeated
//! state is the same node, so that a loop whose state repeats becomes a cycle.

mod answers;
mod arguments;
mod budget;
mod cases;
mod graph;
mod groups;
mod key;
mod lanes;
mod meeting;
mod nvidia;
pub(crate) mod opencl;
mod operands;
mod states;
mod terms;
mod thread;
mod through;
mod values;
mod warp;

use crate::diagnostic::Diagnostic;
use crate::lower::agents::{MOST_AGENTS, Words, agent_names};
use crate::lower::code::{Argument, Code, Looks};
use crate::lower::names::Reports;
use crate::scenario::{Compiled, Scenario, Source};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use arguments::Arguments;
use budget::Budget;
use core::hash::{Hash, Hasher};
use core::ops::Range;
use graph::Evaluated;
use thread::Surroundings;
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::{Agent, Body, BodyId, Launch, Node, Program, Proxies};
use tidegate_model::ptx::{action as ptx, sizes};
use tidegate_model::target::Family;

/// The position of an agent, as far as its body can observe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Standing {
    pub(crate) workgroup: u32,
    pub(crate) wave: u32,
    /// The lane, if each lane is an agent.
    pub(crate) lane: u32,
}

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

/// An error that there are more agents than can be checked.
fn too_many(code: &Code, agents: u32) -> Diagnostic {
    let message = format!(
        "this launch needs {agents} agents, but at most {MOST_AGENTS} can be judged; only work-groups with identical behaviour are judged once"
    );
    Diagnostic::error("bound-agents", code.launch_span, message)
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

/// Everything that determines the behaviour of an agent: the units of its lanes, its observed position, and the number
/// of threads that each of its lanes represents.
type Alike = (Vec<Option<u32>>, Option<u32>, Option<u32>, Option<u32>, Option<i64>);

/// Threads of a warp.
const WARP: u32 = 32;

/// A body and the sources of its nodes.
type Shared = (BodyId, Rc<[Source]>);

struct Compilation<'a> {
    code: &'a Code,
    launch: Launch,
    /// Number of agents of a wave.
    apart: u32,
    /// Whether a kernel is written per thread and a warp is one agent.
    per_thread: bool,
    /// The values of kernel arguments.
    arguments: Rc<Arguments>,
    budget: Budget,
    instances: opencl::Instances,
    /// Whether work-groups are evaluated separately, with bytes relative to their first byte.
    by_groups: bool,
    classes: groups::Classes,
    /// Bodies of the current work-group.
    fresh: Vec<Body>,
    bodies: Vec<Body>,
    by_hash: OrderedMap<u64, Vec<BodyId>>,
    by_sources: OrderedMap<Vec<u32>, Rc<[Source]>>,
    lanes_meet: bool,
    done: OrderedMap<Alike, Result<Shared, Diagnostic>>,
}

impl<'a> Compilation<'a> {
    fn new(code: &'a Code, (launch, apart): (Launch, u32)) -> Self {
        Self {
            code,
            launch,
            apart,
            per_thread: false,
            arguments: Rc::default(),
            budget: Budget::default(),
            instances: opencl::Instances::default(),
            by_groups: false,
            classes: groups::Classes::default(),
            fresh: Vec::new(),
            bodies: Vec::new(),
            by_hash: OrderedMap::new(),
            by_sources: OrderedMap::new(),
            lanes_meet: false,
            done: OrderedMap::new(),
        }
    }

    /// The agents of some work-groups.
    fn agents(&mut self, groups: Range<u32>) -> Result<Vec<Shared>, Vec<Diagnostic>> {
        let (mut agents, mut problems) = (Vec::new(), Vec::new());
        for workgroup in groups {
            for at in 0..self.launch.waves * self.apart {
                let (wave, lane) = (at / self.apart, at % self.apart);
                match self.agent(Standing { workgroup, wave, lane }, self.apart > 1) {
                    Ok(agent) => agents.push(agent),
                    Err(problem) if self.passes() && cases::is_no_launch(&problem) => {
                        return Err(alloc::vec![problem]);
                    }
                    Err(problem) => {
                        let bounded = problem.code.starts_with("bound-");
                        Reports(&mut problems).push(problem);
                        if bounded {
                            return Err(problems);
                        }
                    }
                }
            }
        }
        if problems.is_empty() { Ok(agents) } else { Err(problems) }
    }

    /// Whether the host passes values.
    fn passes(&self) -> bool {
        !self.code.arguments.is_empty() || self.instances.terms.questions() > 0
    }

    fn agent(&mut self, standing: Standing, apart: bool) -> Result<Shared, Diagnostic> {
        let first = (standing.workgroup * self.launch.waves + standing.wave) * self.launch.lanes;
        let lanes = if apart {
            first + standing.lane..first + standing.lane + 1
        } else {
            first..first + self.launch.lanes
        };
        let lanes = &self.code.lanes[lanes.start as usize..lanes.end as usize];
        let looks = lanes.iter().flatten().fold(Looks::default(), |looks, &unit| {
            Looks(looks.0 | self.code.units[unit as usize].looks.0)
        });
        let uniform =
            lanes.iter().all(|unit| *unit == lanes[0]) && !looks.at(Looks::LANE | Looks::CHOOSE);
        let mut weight = None;
        let lanes = match () {
            () if self.per_thread => {
                let one = !looks.at(Looks::LANE) && !self.code.initialises();
                weight = Some(if one { i64::from(WARP) } else { 1 });
                alloc::vec![lanes[0]; if one { 1 } else { WARP as usize }]
            }
            () if uniform => lanes[..1].to_vec(),
            () => lanes.to_vec(),
        };
        let wave = looks.at(Looks::WAVE).then_some(standing.wave);
        let workgroup = looks.at(Looks::WORKGROUP).then_some(standing.workgroup);
        let lane = (apart && looks.at(Looks::LANE)).then_some(standing.lane);
        let alike = (lanes, wave, workgroup, lane, weight);
        if let Some(done) = self.done.get(&alike) {
            return done.clone();
        }
        let around = Surroundings {
            code: self.code,
            launch: self.launch,
            standing,
            lane: 0,
            instances: &self.instances,
            arguments: &self.arguments.clone(),
        };
        let asked = self.arguments.reach.apart();
        let result = graph::evaluate(around, &alike.0, weight, &mut self.budget);
        // A case without a launch is independent of the questions of others.
        if !result.as_ref().is_err_and(cases::is_no_launch) {
            self.arguments.reach.join(&asked);
        }
        let shared = result.map(|evaluated| self.share(evaluated));
        self.done.insert(alike, shared.clone());
        shared
    }

    /// Returns the indices of a body and of its sources; equal ones share an index.
    fn share(&mut self, evaluated: Evaluated) -> Shared {
        let Evaluated { nodes, sources, lanes_meet } = evaluated;
        self.lanes_meet |= lanes_meet;
        let code = self.code;
        let made = match self.by_sources.get(&sources) {
            Some(made) => made.clone(),
            None => {
                let made: Rc<[Source]> = sources.iter().map(|&index| source(code, index)).collect();
                self.by_sources.insert(sources, made.clone());
                made
            }
        };
        let made = asking(&nodes, &made).map_or(made, Rc::from);
        let body = Body { nodes };
        let id = match self.by_groups {
            true => {
                self.fresh.push(body);
                self.fresh.len() as BodyId - 1
            }
            false => self.body(body),
        };
        (id, made)
    }

    /// Returns the index of a body; equal bodies share an index.
    fn body(&mut self, body: Body) -> BodyId {
        let mut hasher = Fnv::new();
        body.hash(&mut hasher);
        let same = self.by_hash.entry(hasher.finish()).or_default();
        let known = same.iter().copied().find(|&id| self.bodies[id as usize] == body);
        known.unwrap_or_else(|| {
            self.bodies.push(body);
            let id = self.bodies.len() as BodyId - 1;
            same.push(id);
            id
        })
    }

    /// Forgets the shared bodies, so that bodies are created again.
    fn forget_bodies(&mut self) {
        self.bodies.clear();
        self.by_hash.clear();
    }
}

/// The sources of nodes, some of which test a number, with the tests.
fn asking(nodes: &[Node], sources: &[Source]) -> Option<Vec<Source>> {
    let asks = |node: &Node| match node {
        Node::Operation { operation, .. } => match operation.action {
            Action::Ptx(ptx::Action::Compare { least, .. }, _) => Some(least),
            _ => None,
        },
        _ => None,
    };
    nodes.iter().any(|node| asks(node).is_some()).then(|| {
        let with = |(node, source): (&Node, &Source)| match asks(node) {
            Some(least) => {
                Source { text: format!("{}: {least} or more?", source.text), ..source.clone() }
            }
            None => source.clone(),
        };
        nodes.iter().zip(sources).map(with).collect()
    })
}

/// Returns the source of an index; the end of an agent without a block has an empty source.
fn source(code: &Code, index: u32) -> Source {
    let nowhere = || Source { text: String::from("end"), ..Source::default() };
    code.sources.get(index as usize).cloned().unwrap_or_else(nowhere)
}

/// The index of the source of an agent without a block.
const NO_SOURCE: u32 = u32::MAX;

/// The 64-bit FNV hash (Fowler, Noll, Vo), because the standard library's hashes need std.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A node, with the index of its source.
type Sourced = (Node, u32);
