//! The agents of a launch, with the bodies and sources that they share.

use super::arguments::Arguments;
use super::budget::Budget;
use super::graph::{self, Evaluated};
use super::instances::Instances;
use super::surroundings::{Standing, Surroundings};
use crate::diagnostic::Diagnostic;
use crate::lower::agents::MOST_AGENTS;
use crate::lower::code::{Code, Looks};
use crate::lower::names::Reports;
use crate::source::Source;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::hash::{Hash, Hasher};
use core::ops::Range;
use tidegate_model::hash::Fnv;
use tidegate_model::operation::Action;
use tidegate_model::ordered::OrderedMap;
use tidegate_model::program::{Body, BodyId, Launch, Node};
use tidegate_model::ptx::action as ptx;

/// An error that there are more agents than can be checked.
pub(super) fn too_many(code: &Code, agents: u32) -> Diagnostic {
    let message = format!(
        "this launch needs {agents} agents, but at most {MOST_AGENTS} can be judged; only work-groups with identical behaviour are judged once"
    );
    Diagnostic::error("bound-agents", code.launch_span, message)
}

/// Whether an error of evaluation is that of a case without a launch.
pub(super) fn is_no_launch(found: &Diagnostic) -> bool {
    matches!(
        found.code,
        "division-by-zero" | "outside-memory" | "overflow" | "signed-overflow" | "shift-range"
    )
}

/// Everything that determines the behaviour of an agent: the units of its lanes, its observed position, and the number
/// of threads that each of its lanes represents.
type Alike = (Vec<Option<u32>>, Option<u32>, Option<u32>, Option<u32>, Option<i64>);

/// Threads of a warp.
const WARP: u32 = 32;

/// A body and the sources of its nodes.
pub(super) type Shared = (BodyId, Rc<[Source]>);

/// The classes of groups so far.
#[derive(Debug, Default)]
pub(super) struct Classes {
    pub(super) numbers: RefCell<OrderedMap<Vec<u32>, u32>>,
    pub(super) agents: Vec<Rc<[Shared]>>,
}

/// A compilation of all agents.
pub(super) struct Compilation<'a> {
    pub(super) code: &'a Code,
    pub(super) launch: Launch,
    /// Number of agents of a wave.
    pub(super) apart: u32,
    /// Whether a kernel is written per thread and a warp is one agent.
    pub(super) per_thread: bool,
    /// The values of kernel arguments.
    pub(super) arguments: Rc<Arguments>,
    pub(super) budget: Budget,
    pub(super) instances: Instances,
    /// Whether work-groups are evaluated separately, with bytes relative to their first byte.
    pub(super) by_groups: bool,
    pub(super) classes: Classes,
    /// Bodies of the current work-group.
    pub(super) fresh: Vec<Body>,
    pub(super) bodies: Vec<Body>,
    pub(super) by_hash: OrderedMap<u64, Vec<BodyId>>,
    pub(super) by_sources: OrderedMap<Vec<u32>, Rc<[Source]>>,
    pub(super) lanes_meet: bool,
    pub(super) done: OrderedMap<Alike, Result<Shared, Diagnostic>>,
}

impl<'a> Compilation<'a> {
    pub(super) fn new(code: &'a Code, (launch, apart): (Launch, u32)) -> Self {
        Self {
            code,
            launch,
            apart,
            per_thread: false,
            arguments: Rc::default(),
            budget: Budget::default(),
            instances: Instances::default(),
            by_groups: false,
            classes: Classes::default(),
            fresh: Vec::new(),
            bodies: Vec::new(),
            by_hash: OrderedMap::new(),
            by_sources: OrderedMap::new(),
            lanes_meet: false,
            done: OrderedMap::new(),
        }
    }

    /// The agents of some work-groups.
    pub(super) fn agents(&mut self, groups: Range<u32>) -> Result<Vec<Shared>, Vec<Diagnostic>> {
        let (mut agents, mut problems) = (Vec::new(), Vec::new());
        for workgroup in groups {
            for at in 0..self.launch.waves * self.apart {
                let (wave, lane) = (at / self.apart, at % self.apart);
                match self.agent(Standing { workgroup, wave, lane }, self.apart > 1) {
                    Ok(agent) => agents.push(agent),
                    Err(problem) if self.passes() && is_no_launch(&problem) => {
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
    pub(super) fn passes(&self) -> bool {
        !self.code.arguments.is_empty() || self.instances.terms.questions() > 0
    }

    pub(super) fn agent(&mut self, standing: Standing, apart: bool) -> Result<Shared, Diagnostic> {
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
        if !result.as_ref().is_err_and(is_no_launch) {
            self.arguments.reach.join(&asked);
        }
        let shared = result.map(|evaluated| self.share(evaluated));
        self.done.insert(alike, shared.clone());
        shared
    }

    /// Returns the indices of a body and of its sources; equal ones share an index.
    pub(super) fn share(&mut self, evaluated: Evaluated) -> Shared {
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
    pub(super) fn body(&mut self, body: Body) -> BodyId {
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
    pub(super) fn forget_bodies(&mut self) {
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
