//! The program of all cases, and the notes that keep its verdict open.

use super::alike;
use super::conflicts::Conflicts;
use super::lds::NAMED;
use super::offsets::{self, Arguments, Shift};
use super::parted::parted;
use super::proxies;
use super::recorded::Parted;
use super::recorded::Recorded;
use super::request::{Evaluated, Note, Request};
use super::search::{Case, Search};
use super::warp;
use crate::hash::WordHasher;
use crate::ir::{Machine, Place, Space, Style};
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Buffer, Space as MemorySpace};
use tidegate_model::operation::{Action, Operation};
use tidegate_model::ordered::{OrderedMap, OrderedSet};
use tidegate_model::program::{Agent, Body, BodyId, Node, NodeId, Program, Proxies};
use tidegate_model::ptx::action::Action as Ptx;

/// Bodies without duplicates.
#[derive(Default)]
struct Bodies {
    bodies: Vec<Body>,
    known: OrderedMap<u64, Vec<BodyId>>,
}

impl Bodies {
    fn add(&mut self, body: Body) -> BodyId {
        let mut hasher = WordHasher::new();
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

/// All cases as one program: the host chooses a case. The first `exact` cases have only executions that their values allow.
pub(super) fn program(
    search: &Search<'_>,
    (cases, exact): (Vec<Case>, usize),
    mut complete: bool,
) -> Evaluated {
    let module = search.request.module;
    let declared = search.world.buffers.borrow().declared(module);
    let buffers: Vec<Buffer> = declared.iter().map(|(buffer, _)| *buffer).collect();
    // If a bare `s_barrier` needs all counters at zero, the model counts every access.
    let counted = module.target.is_some_and(|target| !target.get().back_off_barrier);
    let filter = module.style == Style::Lanes || !counted;
    foreign(search, &cases);
    uninitialised(search, &cases);
    let mut parts = Bodies::default();
    let mut distinct: Vec<Distinct> = Vec::new();
    let mut conflicting: Vec<u16> = Vec::new();
    let mut agents = cases.iter().flat_map(|case| &case.agents);
    let unordered = agents.find_map(|(_, one)| one.unordered);
    let shared = |buffer: u16| {
        let object = declared.get(usize::from(buffer)).map(|(_, object)| *object as usize);
        object.is_some_and(|object| module.objects[object].space == Space::Local)
    };
    let factors = search.world.factors.borrow();
    let of = |object| Arguments { object, factors: &factors, judged: &search.cases };
    let may_overlap = |object: u32, shifts: [&Shift; 2]| !offsets::move_alike(shifts, &of(object));
    let (mut covering, mut relied, mut fences_proxies) = (0, None, false);
    let fences = module.machine != Machine::Nvidia || module.fences_proxies;
    for (at, mut case) in cases.into_iter().enumerate() {
        alike::mark(&mut case.agents, shared);
        let conflicts = Conflicts::of(&case.agents, &buffers);
        if module.machine == Machine::Nvidia && relied.is_none() {
            let touches = &search.world.touches.borrow();
            let several = search.standings.len() > 1;
            relied = (0..).zip(&case.agents).find_map(|(agent, (group, one))| {
                let shared = |it: &Operation| conflicts.keeps((agent, *group), it, &buffers);
                parted(one, touches, several, shared)
                    .or_else(|| warp::moved(one, touches, several, &may_overlap))
            });
        }
        let fenced = !fences && proxies::are_shared(&case.agents);
        fences_proxies |= fenced;
        conflicting.extend(conflicts.buffers());
        let simple: Vec<Recorded> = (0..)
            .zip(&case.agents)
            .map(|(agent, (group, one))| {
                let keep = |_, operation: &Operation| {
                    (fenced || !operation.action.is_proxy_fence())
                        && (!filter || conflicts.keeps((agent, *group), operation, &buffers))
                };
                let simple = one.simplified(keep);
                if module.machine == Machine::Amdgpu { simple.straightened() } else { simple }
            })
            .collect();
        let key: Vec<BodyId> =
            simple.iter().map(|one| parts.add(Body { nodes: one.nodes.clone() })).collect();
        if distinct.iter().all(|(known, ..)| *known != key) {
            distinct.push((key, (case.values, case.answers), simple));
            covering += u32::from(at >= exact);
        }
    }
    conflicting.sort_unstable();
    conflicting.dedup();
    let mut open = search.world.notes.borrow().clone();
    let varying = search.world.varying.borrow();
    let varies = |buffer: &&u16| {
        declared.get(usize::from(**buffer)).is_some_and(|(_, object)| varying.contains(object))
    };
    let assumed = strides_that_may_overlap(search)
        .into_iter()
        .map(|at| overlapping(search.request, at))
        .collect();
    open.extend(search.world.overruns.borrow().iter().map(|(object, &place)| {
        let name = &module.objects[*object as usize].name;
        let message = format!(
            "some values of an argument move this access outside `{name}`; assuming that the host does not pass them"
        );
        Note { place, message }
    }));
    let all = search.request.launch.group_count();
    let represents_all = {
        #[cfg(feature = "proofs")]
        let known = search.world.grid.is_some();
        #[cfg(not(feature = "proofs"))]
        let known = false;
        known
    };
    if search.groups < all && !represents_all {
        complete = false;
        let message = format!("only the first {} of {all} workgroups are checked", search.groups);
        open.push(Note { place: search.place, message });
    }
    let moving = conflicting.iter().find(varies).map(|&it| (declared[usize::from(it)].1, ""));
    let offsets = search.world.offsets.borrow();
    let meet = |object: &u32| offsets.may_meet(&of(*object));
    let meeting = || (0..module.objects.len() as u32).find(meet).map(|object| (object, "can "));
    if let Some((object, can)) = moving.or_else(meeting) {
        complete = false;
        let name = &module.objects[object as usize].name;
        let message = format!(
            "agents {can}conflict in `{name}` at addresses that depend on an argument; only its values near zero are checked"
        );
        open.push(Note { place: search.place, message });
    }
    if let (false, Some(object)) = (complete, search.world.rounds.borrow().meeting()) {
        let name = &module.objects[object as usize].name;
        let message = format!(
            "agents may conflict in `{name}` in later rounds of a loop; only the first rounds are checked"
        );
        open.push(Note { place: search.place, message });
    }
    for Parted { places, why } in [unordered, relied].into_iter().flatten() {
        open.extend(places.map(|place| Note { place, message: String::from(why) }));
        open.dedup();
    }
    let passed = match distinct.len() {
        1 => Vec::new(),
        _ => distinct.iter().map(|(_, values, _)| described(search, &distinct, values)).collect(),
    };
    let global = |at: &u16| declared[usize::from(*at)].0.space == MemorySpace::Global;
    if search.world.lds.is_used()
        && let Some(at) = conflicting.iter().copied().find(global)
    {
        let name = &module.objects[declared[usize::from(at)].1 as usize].name;
        let message = format!(
            "the order of accesses to `{name}` is not modelled in a kernel with barriers in LDS"
        );
        open.push(Note { place: search.place, message });
        complete = false;
    }
    let (bodies, agents, places) = joined(search, &distinct);
    let counted = search.request.launch.counted(module.machine, search.groups);
    let counts = search.world.lds.counts.borrow();
    let initial = |&(object, id): &(u32, u64)| match object {
        NAMED => counts.get(&(id as u8)).copied(),
        _ => None,
    };
    let program = Program {
        buffers,
        mbarriers: search.world.mbarriers.borrow().iter().map(initial).collect(),
        lanes_meet: unordered.is_some() || relied.is_some(),
        host_chooses: distinct.len() > 1,
        host_passes_more: !complete,
        proxies: if fences_proxies { Proxies::Fenced } else { Proxies::Apart },
        covering,
        doubtful: !search.world.notes.borrow().is_empty(),
        doubts_choices: !search.world.doubts.get(),
        guesses: search.guesses,
        ..Program::of(counted, agents, bodies)
    };
    let buffers = search.world.buffers.borrow().names(module);
    let objects = search.world.mbarriers.borrow();
    let all = |object: u32| objects.iter().filter(|it| it.0 == object).count() as u64;
    // An object that consists only of mbarrier objects is an array of them.
    let element = |object: u32| {
        let (known, all) = (&module.objects[object as usize], all(object));
        (all > 1 && known.size == Some(8 * all)).then_some(8).or(known.element)
    };
    let name = |(object, offset): &(u32, u64)| match offset {
        id if *object == NAMED => format!("barrier {id}"),
        offset => {
            let known = &module.objects[*object as usize];
            known.part_name(*offset, element(*object), module.hexadecimal)
        }
    };
    let mbarriers = objects.iter().map(name).collect();
    let (outside, steps) = (search.world.outside.get(), search.taken);
    Evaluated { program, places, buffers, mbarriers, passed, open, assumed, outside, steps }
}

/// The arguments that are strides with which rows may overlap: those for which a large value was chosen, and those that move
/// accesses of several agents differently.
fn strides_that_may_overlap(search: &Search<'_>) -> OrderedSet<usize> {
    let (offsets, factors) = (search.world.offsets.borrow(), search.world.factors.borrow());
    let others = factors.strides().filter(|(object, symbol)| offsets.may_overlap(*object, *symbol));
    let arguments = search.request.module.arguments.len();
    let others = others.map(|(_, symbol)| search.split.argument(symbol.into(), arguments));
    search.strides.arguments().chain(others).collect()
}

/// Notes uses of barriers in LDS that no agent initialises, because their contents are not known.
fn uninitialised(search: &Search<'_>, cases: &[Case]) {
    if !search.world.lds.is_used() {
        return;
    }
    let mut uses: OrderedMap<u16, (bool, Place)> = OrderedMap::new();
    for (_, one) in cases.iter().flat_map(|case| &case.agents) {
        for (node, place) in one.nodes.iter().zip(&one.places) {
            let Node::Operation { operation, .. } = node else { continue };
            let Action::Ptx(action, _) = operation.action else { continue };
            let Some(name) = action.name() else { continue };
            let initialises = matches!(action, Ptx::Init { .. });
            uses.entry(name.index).or_insert((false, *place)).0 |= initialises;
        }
    }
    let objects = search.world.mbarriers.borrow();
    for (index, (initialised, place)) in uses {
        if !initialised && objects[usize::from(index)].0 != NAMED {
            let why = "no agent initialises the barrier in LDS that this uses";
            search.world.note(place, String::from(why));
        }
    }
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

/// Describes a case: the values of arguments in which cases differ, and the answers for agreed data.
fn described(
    search: &Search<'_>,
    all: &[Distinct],
    (values, answers): &(Vec<i64>, Vec<bool>),
) -> String {
    let arguments = &search.request.module.arguments;
    let differs = |at: &usize| all.iter().any(|(_, (other, _), _)| other[*at] != values[*at]);
    let one = |at: usize| format!("{} = {}", arguments[at].name, values[at]);
    let mut parts: Vec<String> = (0..values.len()).filter(differs).map(one).collect();
    if all.iter().any(|(_, (_, other), _)| other != answers) {
        let words = answers.iter().map(|&answer| if answer { "true" } else { "false" });
        let words: Vec<&str> = words.collect();
        parts.push(match words[..] {
            [] => String::from("data"),
            [word] => format!("data for which the shared condition is {word}"),
            _ => format!("data for which the shared conditions are {}", words.join(", then ")),
        });
    }
    if parts.is_empty() { String::from("any values") } else { parts.join(", ") }
}

/// A case: its bodies, the values of the arguments with the answers for agreed data, and the graph of each agent.
type Distinct = (Vec<BodyId>, (Vec<i64>, Vec<bool>), Vec<Recorded>);

type Joined = (Vec<Body>, Vec<Agent>, Vec<Rc<[Place]>>);

/// For each agent, one body with all cases.
fn joined(search: &Search<'_>, cases: &[Distinct]) -> Joined {
    let mut bodies = Bodies::default();
    let (mut agents, mut all_places) = (Vec::new(), Vec::new());
    let mut known: OrderedMap<Vec<Place>, Rc<[Place]>> = OrderedMap::new();
    let items = search.standings.len() as u32 / search.groups.max(1);
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

/// The note that an argument is assumed to be a stride with which rows do not overlap.
pub(super) fn overlapping(request: &Request<'_>, argument: usize) -> Note {
    let name = &request.module.arguments[argument].name;
    let message = format!("values of `{name}` for which rows in memory overlap are not checked");
    Note { place: request.place(), message }
}
