//! Cases: values of the arguments for which all agents do the same.

use super::alike;
use super::conflicts::Conflicts;
use super::graph::{Fnv, Recorded, record};
use super::inputs::Inputs;
use super::known::Known;
use super::launch::Standing;
use super::pace::Loops;
use super::prove::prove;
use super::run::{Run, World};
use super::strides::Strides;
use super::{Evaluated, Note, Request, Stop};
use crate::ir::{Argument, Machine, Passed, Place, Space, Style};
use crate::value::ones;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::Buffer;
use tidegate_model::operation::{Action, Operation};
use tidegate_model::program::{Agent, Body, BodyId, Node, NodeId, Program};
use tidegate_model::ptx::action::Action as Ptx;

/// Most agents.
const MOST_AGENTS: usize = 1024;
/// Most cases.
const MOST_CASES: usize = 72;
/// Most cases of a kernel with mbarrier objects.
const MOST_OBJECT_CASES: usize = 22;
/// Most nodes of all cases together.
const MOST_NODES: usize = 32_000;
/// Instructions of one agent in one case.
const STEPS: u64 = 300_000;
/// Instructions in all.
const ALL_STEPS: u64 = 40_000_000;
/// Most evaluations of a case until what is known of shared memory follows from it.
const MOST_ROUNDS: usize = 5;
/// After how many cases a proof is tried for all other values.
const PROOFS: [usize; 9] = [3, 5, 8, 11, 15, 22, 32, 48, 72];

/// By how much arguments grow in a proof, if one for all of their values at once fails.
const STEPS_OF_ARGUMENTS: [u64; 5] = [1, 2, 4, 8, 16];
/// Most proofs, one for each combination of remainders.
const MOST_CLASSES: u64 = 16;

/// Values of the arguments: for each the least and the most.
type Region = Vec<(i64, i64)>;

/// All agents with one value of each argument.
struct Case {
    values: Vec<i64>,
    agents: Vec<(u32, Recorded)>,
}

/// Evaluates a kernel: see [`super::evaluate`].
pub(super) fn evaluate(request: &Request<'_>) -> Result<Evaluated, Note> {
    let mut world = World::new(request.module);
    let [x, y, z] = request.launch.cluster;
    world.apart = request.module.machine == Machine::Nvidia
        && x * y * z > 1
        && !super::nvidia::multicasts(request.module);
    let standings = Standing::all(request.module, request.launch);
    let place = request
        .module
        .functions
        .get(request.kernel.function as usize)
        .map_or_else(Place::default, |function| function.place);
    let problem = |message: &str| Note { place, message: String::from(message) };
    if standings.len() > MOST_AGENTS {
        return Err(problem(&format!(
            "this launch has {} agents; at most {MOST_AGENTS} can be judged",
            standings.len()
        )));
    }
    let mut search = Search {
        request,
        world: &world,
        standings: &standings,
        place,
        left: ALL_STEPS,
        known: None,
        coarse: false,
        by_lane: false,
        strides: Strides::default(),
    };
    let (mut cases, mut complete) = search.cases()?;
    if !complete && search.by_lane {
        // Findings of the exact cases are certain; those in which arguments are data where lanes compare with them cover
        // the rest.
        // If something is not followed in those, they would leave the findings of the exact cases open, and prove nothing.
        (search.coarse, search.left) = (true, ALL_STEPS / 4);
        let notes = world.notes.borrow().clone();
        let (more, proved) = search.cases()?;
        if proved && *world.notes.borrow() == notes {
            cases.extend(more);
            complete = true;
        } else {
            *world.notes.borrow_mut() = notes;
        }
    }
    if cases.is_empty() {
        return Err(problem("the kernel takes more steps than the checker evaluates"));
    }
    Ok(program(&search, cases, complete))
}

struct Search<'a> {
    request: &'a Request<'a>,
    world: &'a World<'a>,
    standings: &'a [Standing],
    place: Place,
    /// Instructions that may still be evaluated.
    left: u64,
    /// What was known of shared memory in the cases in which something was, and whether it was the same in all.
    known: Option<(Rc<Known>, bool)>,
    /// Whether comparisons with arguments that may differ between lanes are data.
    coarse: bool,
    /// Whether there were such comparisons.
    by_lane: bool,
    /// The arguments that are strides.
    strides: Strides,
}

impl Search<'_> {
    /// The values that an argument can have.
    fn range(&self, at: usize, argument: &Argument) -> (i64, i64) {
        let given = self.request.given.iter().find(|(id, _)| *id as usize == at);
        match (given, argument.passed) {
            (Some((_, value)), _) => (*value, *value),
            (None, Passed::Integer) => {
                let most = (ones(argument.width) >> 1) as i64;
                (-most - 1, most)
            }
            _ => (0, 0),
        }
    }

    /// Evaluates cases until all values are in one, or proved to be like one. The second value: whether they are.
    fn cases(&mut self) -> Result<(Vec<Case>, bool), Note> {
        let arguments = self.request.module.arguments.iter().enumerate();
        let mut open: Vec<Region> =
            alloc::vec![arguments.map(|(at, argument)| self.range(at, argument)).collect()];
        let (mut cases, mut nodes) = (Vec::<Case>::new(), 0);
        while !open.is_empty() {
            let objects = !self.world.mbarriers.borrow().is_empty();
            let most = if objects { MOST_OBJECT_CASES } else { MOST_CASES };
            let full = cases.len() >= most || nodes > MOST_NODES;
            if full || PROOFS.contains(&cases.len()) {
                open.retain(|region| !self.proves(region));
                if full {
                    return Ok((cases, open.is_empty()));
                }
            }
            let Some(at) = nearest(&open) else { break };
            let region = open.swap_remove(at);
            let value = |(at, &range)| self.strides.value(at, range).unwrap_or_else(|| near(range));
            let values: Vec<i64> = region.iter().enumerate().map(value).collect();
            let inputs = Inputs::new(self.request.module, &values, self.request.given, None);
            let inputs = inputs.coarse(self.coarse).spaced(self.spaced(&values));
            let varying = self.world.varying.borrow().clone();
            let agents = self.agents(&inputs);
            if let Ok(agents) = &agents
                && self.spread(&values, &inputs.reach(), agents)
            {
                *self.world.varying.borrow_mut() = varying;
                open.push(region);
                continue;
            }
            self.by_lane |= inputs.differ_by_lane();
            match agents {
                Ok(agents) => {
                    nodes += agents.iter().map(|(_, one)| one.nodes.len()).sum::<usize>();
                    cases.push(Case { values: values.clone(), agents });
                    split(&region, &values, &inputs.reach(), &mut open);
                }
                Err(Stop::TooDeep(place)) => {
                    let message = String::from("functions call each other too deeply");
                    return Err(Note { place, message });
                }
                Err(_) => {
                    open.push(region);
                    let proved = !cases.is_empty() && open.iter().all(|region| self.proves(region));
                    return Ok((cases, proved));
                }
            }
        }
        Ok((cases, true))
    }

    /// The arguments that are strides with which rows are far apart, for these values.
    fn spaced<'a>(&'a self, values: &'a [i64]) -> impl Iterator<Item = usize> + 'a {
        self.strides.arguments().filter(|&at| self.strides.is_chosen(at, values[at]))
    }

    /// Chooses one more stride for which a case is evaluated again, if there is one.
    fn spread(&mut self, values: &[i64], reach: &[(u64, u64)], agents: &[(u32, Recorded)]) -> bool {
        let (factors, buffers) = (self.world.factors.borrow(), self.world.buffers.borrow());
        let of = (self.request.module, &*buffers);
        self.strides.extend(&factors, (values, reach), agents, of)
    }

    /// Evaluates all agents in a case, with what is known of shared memory.
    fn agents(&mut self, inputs: &Inputs) -> Result<Vec<(u32, Recorded)>, Stop> {
        let (world, launch) = (self.world, self.request.launch);
        let notes = world.notes.borrow().clone();
        // What was known in other cases is known in this one if it follows from it.
        let mut known = self.known.as_ref().map(|(known, _)| known.clone()).unwrap_or_default();
        let mut first = true;
        for _ in 0..MOST_ROUNDS {
            *world.known.borrow_mut() = known.clone();
            *world.notes.borrow_mut() = notes.clone();
            let agents = self.recorded(inputs)?;
            let decided = |node: &Node| matches!(node, Node::Operation { operation, .. } if operation.decided);
            if known.is_empty() && !agents.iter().any(|(_, one)| one.nodes.iter().any(decided)) {
                return Ok(agents);
            }
            let more = Rc::new(Known::of(world, launch, &agents));
            if more == known {
                self.known = match self.known.take() {
                    old if known.is_empty() => old,
                    Some((old, same)) => Some((old.clone(), same && old == known)),
                    None => Some((known, true)),
                };
                return Ok(agents);
            }
            known = if first && !known.is_empty() { Rc::default() } else { more };
            first = false;
        }
        *world.known.borrow_mut() = Rc::default();
        *world.notes.borrow_mut() = notes;
        self.recorded(inputs)
    }

    /// Evaluates all agents in a case.
    fn recorded(&mut self, inputs: &Inputs) -> Result<Vec<(u32, Recorded)>, Stop> {
        let mut agents = Vec::with_capacity(self.standings.len());
        for standing in self.standings {
            let run = Run { world: self.world, standing, inputs };
            let start = run.start(self.request.kernel).ok_or(Stop::TooLong)?;
            let steps = STEPS.min(self.left);
            self.world.steps.set(steps);
            let recorded = record(&run, start, self.place)?;
            self.left -= steps - self.world.steps.get();
            agents.push((standing.group, recorded));
        }
        Ok(agents)
    }

    /// Takes as known in a proof from some values on what is known of shared memory in all cases and for these values.
    fn know(&mut self, values: &[i64]) {
        let known = match &self.known {
            Some((known, true)) => known.clone(),
            _ => Rc::default(),
        };
        let inputs = Inputs::new(self.request.module, values, self.request.given, None);
        let same =
            known.is_empty() || self.agents(&inputs).is_ok() && *self.world.known.borrow() == known;
        *self.world.known.borrow_mut() = if same { known } else { Rc::default() };
    }

    /// Whether every agent repeats itself for all values of a region, and everything is followed. A failed proof leaves the
    /// findings of the exact cases as they are.
    fn proves(&mut self, region: &Region) -> bool {
        let notes = self.world.notes.borrow().clone();
        let proved = self.repeats(region) && *self.world.notes.borrow() == notes;
        if !proved {
            *self.world.notes.borrow_mut() = notes;
        }
        proved
    }

    /// Whether every agent repeats itself for all values of a region: at once, or for each remainder of arguments.
    fn repeats(&mut self, region: &Region) -> bool {
        let mut stepped = 0;
        for step in STEPS_OF_ARGUMENTS {
            let count = u128::count_ones(stepped);
            let classes = step.checked_pow(count).filter(|classes| *classes <= MOST_CLASSES);
            let tried = region.iter().zip(0..128).filter(|(_, at)| stepped >> at & 1 == 1);
            let mut tried = tried.map(|(&range, _)| near(range).unsigned_abs());
            let Some(classes) = classes.filter(|_| tried.all(|tried| tried >= step)) else {
                return false;
            };
            let mut hints = 0;
            let mut proves = |class| {
                let (proved, more) = self.proves_class(region, (step, stepped, class));
                hints |= more;
                proved
            };
            if (0..classes).all(&mut proves) {
                return true;
            }
            if hints == 0 {
                return false;
            }
            stepped |= hints;
        }
        false
    }

    /// Whether every agent repeats itself for all values of a region in which the stepped arguments have remainders that a
    /// number gives; and the arguments of which fewer values may be taken at once.
    fn proves_class(
        &mut self,
        region: &Region,
        (step, stepped, mut class): (u64, u128, u64),
    ) -> (bool, u128) {
        // Values grow from the one that is nearest to zero; a region below zero is entered from its least value.
        let (mut values, mut room) = (Vec::new(), Vec::new());
        for (at, &(least, most)) in region.iter().enumerate() {
            let mut value = if most < 0 { least } else { near((least, most)) };
            let mut by = 1;
            if at < 128 && stepped >> at & 1 == 1 {
                value = value.wrapping_add((class % step) as i64);
                (class, by) = (class / step, step);
            }
            if value > most {
                return (true, 0);
            }
            values.push(value);
            room.push(most.wrapping_sub(value) as u64 / by);
        }
        self.know(&values);
        let inputs = Inputs::new(self.request.module, &values, self.request.given, Some(room));
        let inputs = inputs.coarse(self.coarse).stepped(step, stepped);
        let inputs = inputs.spaced(self.strides.arguments());
        let mut loops = Loops::default();
        let proved = (0..).zip(self.standings).all(|(agent, standing)| {
            let run = Run { world: self.world, standing, inputs: &inputs };
            let steps = STEPS.min(self.left);
            self.world.steps.set(steps);
            let found = run.start(self.request.kernel).map(|start| prove(&run, start));
            self.left -= steps - self.world.steps.get();
            let Some(Ok(found)) = found else { return false };
            found.into_iter().for_each(|one| loops.add(agent, standing.group, one));
            true
        });
        let clusters = self.request.launch.cluster.iter().any(|&size| size > 1);
        (proved && loops.keep_pace(clusters), inputs.hints())
    }
}

/// The value of a range that is nearest to zero.
fn near((least, most): (i64, i64)) -> i64 {
    0.clamp(least, most)
}

/// The region that has values nearest to zero, positive ones first.
fn nearest(open: &[Region]) -> Option<usize> {
    let far = |region: &Region| -> u64 {
        let away = |&range: &(i64, i64)| {
            2 * near(range).unsigned_abs().min(1 << 40) + u64::from(near(range) < 0)
        };
        region.iter().map(away).sum()
    };
    (0..open.len()).min_by_key(|&at| (far(&open[at]), open[at].clone()))
}

/// What is left of a region without what a case stands for.
fn split(region: &Region, values: &[i64], reach: &[(u64, u64)], open: &mut Vec<Region>) {
    let mut rest = region.clone();
    for (argument, &value) in values.iter().enumerate() {
        let (down, up) = reach.get(argument).copied().unwrap_or((u64::MAX, u64::MAX));
        let (least, most) = region[argument];
        let first = i128::from(value) - i128::from(down);
        let last = i128::from(value) + i128::from(up);
        let clamped = |to: i128| to.clamp(i128::from(least), i128::from(most)) as i64;
        let (first, last) = (clamped(first), clamped(last));
        if first > least {
            rest[argument] = (least, first - 1);
            open.push(rest.clone());
        }
        if last < most {
            rest[argument] = (last + 1, most);
            open.push(rest.clone());
        }
        rest[argument] = (first, last);
    }
}

/// Bodies, each once.
#[derive(Default)]
struct Bodies {
    bodies: Vec<Body>,
    known: BTreeMap<u64, Vec<BodyId>>,
}

impl Bodies {
    fn add(&mut self, body: Body) -> BodyId {
        let mut hasher = Fnv::new();
        body.hash(&mut hasher);
        let same = self.known.entry(hasher.finish()).or_default();
        if let Some(&id) = same.iter().find(|&&id| self.bodies[id as usize] == body) {
            return id;
        }
        let id = self.bodies.len() as BodyId;
        self.bodies.push(body);
        same.push(id);
        id
    }
}

/// All cases as one program: the host chooses a case.
fn program(search: &Search<'_>, cases: Vec<Case>, mut complete: bool) -> Evaluated {
    let module = search.request.module;
    let declared = search.world.buffers.borrow().declared(module);
    let buffers: Vec<Buffer> = declared.iter().map(|(buffer, _)| *buffer).collect();
    // Where a bare `s_barrier` needs all counters at zero, the model counts every access.
    let counted = module.target.is_some_and(|target| !target.get().back_off_barrier);
    let filter = module.style == Style::Lanes || !counted;
    foreign(search, &cases);
    let mut parts = Bodies::default();
    let mut distinct: Vec<(Vec<BodyId>, Vec<i64>, Vec<Recorded>)> = Vec::new();
    let mut conflicting: Vec<u16> = Vec::new();
    let mut agents = cases.iter().flat_map(|case| &case.agents);
    let unordered = agents.find_map(|(_, one)| one.unordered);
    let shared = |buffer: u16| {
        let object = declared.get(usize::from(buffer)).map(|(_, object)| *object as usize);
        object.is_some_and(|object| module.objects[object].space == Space::Local)
    };
    for mut case in cases {
        alike::mark(&mut case.agents, shared);
        let conflicts = Conflicts::of(&case.agents, &buffers);
        conflicting.extend(conflicts.buffers());
        let simple: Vec<Recorded> = (0..)
            .zip(&case.agents)
            .map(|(agent, (group, one))| {
                let keep = |_, operation: &_| {
                    !filter || conflicts.keeps((agent, *group), operation, &buffers)
                };
                let simple = one.simplified(keep);
                if module.machine == Machine::Amdgpu { simple.straightened() } else { simple }
            })
            .collect();
        let key: Vec<BodyId> =
            simple.iter().map(|one| parts.add(Body { nodes: one.nodes.clone() })).collect();
        if distinct.iter().all(|(known, ..)| *known != key) {
            distinct.push((key, case.values, simple));
        }
    }
    conflicting.sort_unstable();
    conflicting.dedup();
    let mut open = search.world.notes.borrow().clone();
    let varying = search.world.varying.borrow();
    let varies = |buffer: &&u16| {
        declared.get(usize::from(**buffer)).is_some_and(|(_, object)| varying.contains(object))
    };
    open.extend(search.strides.arguments().map(|at| {
        let name = &module.arguments[at].name;
        let message =
            format!("values of `{name}` for which rows in memory overlap are not checked");
        Note { place: search.place, message }
    }));
    let moving = conflicting.iter().find(varies).map(|&it| (declared[usize::from(it)].1, ""));
    let (offsets, factors) = (search.world.offsets.borrow(), search.world.factors.borrow());
    let meet = |object: &u32| offsets.may_meet(*object, &factors);
    let meeting = || (0..module.objects.len() as u32).find(meet).map(|object| (object, "can "));
    if let Some((object, can)) = moving.or_else(meeting) {
        complete = false;
        let name = &module.objects[object as usize].name;
        let message = format!(
            "agents {can}conflict in `{name}` at addresses that depend on an argument; only the values that are listed are checked"
        );
        open.push(Note { place: search.place, message });
    }
    if let Some((first, second)) = unordered {
        let message = "threads of one warp may access the same bytes without a barrier in between";
        open.extend([first, second].map(|place| Note { place, message: String::from(message) }));
        open.dedup();
    }
    let passed = match distinct.len() {
        1 => Vec::new(),
        _ => distinct.iter().map(|(_, values, _)| told(search, &distinct, values)).collect(),
    };
    let (bodies, agents, places) = joined(search, &distinct);
    let counted = search.request.launch.counted(module.machine);
    let program = Program {
        launch: counted,
        part: None,
        plain_objects: 0,
        buffers,
        mbarriers: alloc::vec![None; search.world.mbarriers.borrow().len()],
        agents,
        lanes_meet: unordered.is_some(),
        leaves: false,
        host_chooses: distinct.len() > 1,
        host_passes_more: !complete,
        groups_assumed: false,
        doubtful: !search.world.notes.borrow().is_empty(),
        whens: Vec::new(),
        only_certain: false,
        by_data: Vec::new(),
        bodies,
    };
    let buffers = search.world.buffers.borrow().names(module);
    let objects = search.world.mbarriers.borrow();
    let name = |(object, offset): &(u32, u64)| match offset {
        0 => module.objects[*object as usize].name.clone(),
        offset => format!("{}+{offset}", module.objects[*object as usize].name),
    };
    let mbarriers = objects.iter().map(name).collect();
    Evaluated { program, places, buffers, mbarriers, passed, open }
}

/// Notes accesses to the memory of an mbarrier object that no agent invalidates.
fn foreign(search: &Search<'_>, cases: &[Case]) {
    let world = search.world;
    let objects = world.mbarriers.borrow();
    if objects.is_empty() {
        return;
    }
    let agents = || cases.iter().flat_map(|case| &case.agents);
    let operations = |one: &Recorded, apply: &mut dyn FnMut(&Operation, Place)| {
        for (node, place) in one.nodes.iter().zip(&one.places) {
            if let Node::Operation { operation, .. } = node {
                apply(operation, *place);
            }
        }
    };
    let mut valid = alloc::vec![true; objects.len()];
    for (_, one) in agents() {
        operations(one, &mut |operation, _| {
            if let Action::Ptx(Ptx::Inval { name }, _) = operation.action {
                valid[usize::from(name.index)] = false;
            }
        });
    }
    let buffers = world.buffers.borrow();
    for (_, one) in agents() {
        operations(one, &mut |operation, place| {
            for access in accesses(operation.action).filter(|_| !operation.possible) {
                let (start, end) = (u64::from(access.range.start), u64::from(access.range.end));
                let of = buffers.object(access.range.buffer);
                let hit = |(&(object, at), valid): (&(u32, u64), &bool)| {
                    *valid && Some(object) == of && start < at + 8 && at < end
                };
                if objects.iter().zip(&valid).any(hit) {
                    let why = "this accesses the memory of an mbarrier object";
                    world.note(place, String::from(why));
                }
            }
        });
    }
}

/// What the host passes in a case: the arguments in which cases differ.
fn told(
    search: &Search<'_>,
    all: &[(Vec<BodyId>, Vec<i64>, Vec<Recorded>)],
    values: &[i64],
) -> String {
    let arguments = &search.request.module.arguments;
    let differs = |at: &usize| all.iter().any(|(_, other, _)| other[*at] != values[*at]);
    let one = |at: usize| format!("{} = {}", arguments[at].name, values[at]);
    let told: Vec<String> = (0..values.len()).filter(differs).map(one).collect();
    told.join(", ")
}

type Joined = (Vec<Body>, Vec<Agent>, Vec<Rc<[Place]>>);

/// For each agent one body with all cases.
fn joined(search: &Search<'_>, cases: &[(Vec<BodyId>, Vec<i64>, Vec<Recorded>)]) -> Joined {
    let mut bodies = Bodies::default();
    let (mut agents, mut all_places) = (Vec::new(), Vec::new());
    let mut known: BTreeMap<Vec<Place>, Rc<[Place]>> = BTreeMap::new();
    let items = search.standings.len() as u32 / search.request.launch.group_count().max(1);
    for (at, standing) in search.standings.iter().enumerate() {
        let (mut nodes, mut places) = (Vec::new(), Vec::new());
        if cases.len() > 1 {
            nodes.push(Node::Choose { next: Vec::new() });
            places.push(search.place);
        }
        let mut firsts = Vec::new();
        for (_, _, recorded) in cases {
            let first = nodes.len() as NodeId;
            firsts.push(first);
            let one = &recorded[at];
            let moved: Vec<NodeId> =
                (0..one.nodes.len() as NodeId).map(|node| node + first).collect();
            nodes.extend(one.nodes.iter().map(|node| node.moved(&moved)));
            places.extend(&one.places);
        }
        if let Some(Node::Choose { next }) = nodes.first_mut().filter(|_| cases.len() > 1) {
            *next = firsts;
        }
        let body = bodies.add(Body { nodes });
        let wave = at as u32 % items.max(1);
        agents.push(Agent { workgroup: standing.group, wave, body });
        let shared = known.entry(places.clone()).or_insert_with(|| places.into());
        all_places.push(shared.clone());
    }
    (bodies.bodies, agents, all_places)
}
