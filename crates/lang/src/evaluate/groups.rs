//! OpenCL work-groups with equal behaviour: some of them are checked and represent the others.
//!
//! Nothing orders the operations of one work-group with those of another, so each work-group executes independently. Two
//! work-groups are of one *class* if their bodies are equal when the bytes of each global memory are counted from the
//! first byte that the group accesses. One group of each class is checked.
//!
//! Groups interact only through bytes of global memory. Accesses are of one *kind* if each can be reached whenever the
//! others can: they belong to work-groups of one class and to the same node of bodies that differ only in bytes, in
//! sub-groups of such bodies. For every two kinds that touch the same bytes in different groups, two such groups are
//! checked with the two accesses.

use super::compilation::{Compilation, Shared};
use super::instances::number;
use crate::diagnostic::Diagnostic;
use crate::lower::code::Looks;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::hash::{Hash, Hasher};
use core::mem;
use tidegate_model::hash::Fnv;
use tidegate_model::mem::map::accesses;
use tidegate_model::mem::operation::{Access, Buffer, Memory, Range, Space};
use tidegate_model::operation::{Action, Alike};
use tidegate_model::ordered::OrderedMap;
use tidegate_model::ordered::OrderedSet;
use tidegate_model::program::{Body, BodyId, Node};

/// Largest number of comparisons of accesses to find out which work-groups conflict.
const MOST_WORK: usize = 30_000_000;

/// The work-items that are evaluated together: those of a work-group, or all if groups are not distinguished.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) agents: Rc<[Shared]>,
    /// A number that is equal for groups with equal bodies.
    pub(super) class: u32,
    /// For each memory, the byte from which the bodies count.
    pub(super) begins: Rc<[u32]>,
}

/// The checked groups, and their accesses.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) groups: Vec<u32>,
    /// By index among the checked work-items.
    pub(super) across: Vec<(usize, Access)>,
}

impl Compilation<'_> {
    /// All agents, with one value of each argument.
    pub(super) fn groups(&mut self) -> Result<Vec<Group>, Vec<Diagnostic>> {
        self.done.clear();
        let all = self.launch.workgroups;
        if !self.by_groups {
            let agents = self.agents(0..all)?;
            return Ok(alloc::vec![self.group(agents, Rc::default())]);
        }
        let code = self.code;
        let looks = code.units.iter().any(|unit| unit.looks.at(Looks::WORKGROUP));
        let size = self.group_size();
        let units = |group: u32| &code.lanes[group as usize * size..][..size];
        let mut groups: Vec<Group> = Vec::with_capacity(all as usize);
        for group in 0..all {
            if let Some(last) = groups.last()
                && !looks
                && units(group) == units(group - 1)
            {
                groups.push(last.clone());
                continue;
            }
            self.done.clear();
            let (known, kept) = (self.bodies.len(), self.budget.kept());
            let mut agents = self.agents(group..group + 1)?;
            let fresh = mem::take(&mut self.fresh);
            let begins = begins(&fresh, &code.buffers);
            let mut ids: Vec<BodyId> = Vec::with_capacity(fresh.len());
            for mut body in fresh {
                moved(&mut body, &code.buffers, |range| begins[usize::from(range)].wrapping_neg());
                ids.push(self.body(body));
            }
            agents.iter_mut().for_each(|(body, _)| *body = ids[*body as usize]);
            if self.bodies.len() == known {
                self.budget.give_back(kept);
            }
            groups.push(self.group(agents, begins.into()));
        }
        Ok(groups)
    }

    pub(super) fn group_size(&self) -> usize {
        (self.launch.waves * self.apart) as usize
    }

    fn group(&mut self, agents: Vec<Shared>, begins: Rc<[u32]>) -> Group {
        let place = |from: usize| [from as u32, (from as u64 >> 32) as u32];
        let key = agents.iter().flat_map(|(body, from)| {
            let [low, high] = place(from.as_ptr() as usize);
            [*body, low, high]
        });
        let class = number(&self.classes.numbers, key.collect());
        if self.classes.agents.len() <= class as usize {
            self.classes.agents.push(agents.into());
        }
        Group { agents: self.classes.agents[class as usize].clone(), class, begins }
    }

    /// The work-items of the checked groups, in each case with their own bytes.
    pub(super) fn settled(&mut self, cases: &[&[Group]], chosen: &[u32]) -> Vec<Vec<Shared>> {
        let of = |groups: &[Group]| -> Vec<Shared> {
            chosen.iter().flat_map(|&at| groups[at as usize].agents.iter().cloned()).collect()
        };
        if !self.by_groups {
            return cases.iter().map(|groups| of(groups)).collect();
        }
        let bodies = mem::take(&mut self.bodies);
        self.forget_bodies();
        let mut all = Vec::with_capacity(cases.len());
        for groups in cases {
            let mut agents = Vec::new();
            for group in chosen.iter().map(|&at| &groups[at as usize]) {
                for (body, from) in &*group.agents {
                    let mut body = bodies[*body as usize].clone();
                    moved(&mut body, &self.code.buffers, |buffer| {
                        group.begins[usize::from(buffer)]
                    });
                    agents.push((self.body(body), from.clone()));
                }
            }
            all.push(agents);
        }
        all
    }
}

/// The bytes of global memory that a node's access names, unless it names all of it.
fn range<'a>(node: &'a mut Node, buffers: &[Buffer]) -> Option<&'a mut Range> {
    let Node::Operation { operation, .. } = node else { return None };
    let (Action::Memory(Memory::Load(range)) | Action::Memory(Memory::Store(range))) =
        &mut operation.action
    else {
        return None;
    };
    let buffer = buffers.get(usize::from(range.buffer))?;
    let part = (range.start, range.end) != (0, buffer.size);
    (buffer.space == Space::Global && part).then_some(range)
}

/// For each memory, the first byte that any of the bodies accesses.
fn begins(bodies: &[Body], buffers: &[Buffer]) -> Vec<u32> {
    let mut begins = alloc::vec![u32::MAX; buffers.len()];
    for node in bodies.iter().flat_map(|body| &body.nodes) {
        if let Some(range) = range(&mut node.clone(), buffers) {
            let first = &mut begins[usize::from(range.buffer)];
            *first = range.start.min(*first);
        }
    }
    begins.iter_mut().filter(|first| **first == u32::MAX).for_each(|first| *first = 0);
    begins
}

/// Moves the accesses of a body to global memory.
fn moved(body: &mut Body, buffers: &[Buffer], by: impl Fn(u16) -> u32) {
    for node in &mut body.nodes {
        if let Some(range) = range(node, buffers) {
            let by = by(range.buffer);
            (range.start, range.end) = (range.start.wrapping_add(by), range.end.wrapping_add(by));
        }
    }
}

/// An access of a work-item of a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    range: (u16, u32, u32),
    group: u32,
    agent: u32,
    kind: u32,
    write: bool,
    alike: Alike,
}

impl Touch {
    const fn conflicts(self, other: Self) -> bool {
        (self.write || other.write) && !self.alike.excuses(other.alike)
    }

    const fn access(self) -> Access {
        let (buffer, start, end) = self.range;
        Access { range: Range { buffer, start, end }, write: self.write }
    }
}

/// The groups of all cases to check; `None` if all must be checked.
pub(super) fn choose(cases: &[&[Group]], compilation: &Compilation) -> Option<Chosen> {
    let bodies = &compilation.bodies;
    if !compilation.by_groups || !bodies.iter().flat_map(|body| &body.nodes).all(is_of_opencl) {
        return None;
    }
    let kinds =
        Kinds { erased: erased(bodies), numbers: RefCell::default(), compilation, of: Vec::new() };
    let (mut kinds, mut groups, mut meeting) = (kinds, OrderedSet::new(), Vec::new());
    let mut work = MOST_WORK;
    for case in cases {
        let mut classes = OrderedSet::new();
        let mut known: OrderedMap<Vec<u32>, u32> = OrderedMap::new();
        let mut touches = Vec::new();
        for (at, group) in (0..).zip(*case) {
            if classes.insert(group.class) {
                groups.insert(at);
            }
            // Two identical groups suffice to find their conflicts.
            let mut key = group.begins.to_vec();
            key.push(group.class);
            let seen = known.entry(key).or_default();
            *seen += 1;
            if *seen <= 2 {
                kinds.touches(at, group, &mut touches);
                work = work.checked_sub(touches.len() / case.len().max(1))?;
            }
        }
        touches.sort_unstable();
        for (one, other) in met(&touches, &mut work)? {
            groups.extend([one.group, other.group]);
            meeting.extend([one, other]);
        }
    }
    let groups: Vec<u32> = groups.into_iter().collect();
    let size = compilation.group_size();
    let place = |touch: Touch| {
        let at = groups.iter().position(|group| *group == touch.group).unwrap_or_default();
        (at * size + touch.agent as usize, touch.access())
    };
    let mut across: Vec<(usize, Access)> = meeting.into_iter().map(place).collect();
    across.sort_unstable();
    across.dedup();
    Some(Chosen { groups, across })
}

/// Whether work-groups can interact at a node only through the bytes that it accesses.
fn is_of_opencl(node: &Node) -> bool {
    let Node::Operation { operation, .. } = node else { return true };
    matches!(
        operation.action,
        Action::Opencl(_) | Action::Memory(Memory::Load(_) | Memory::Store(_) | Memory::Fence(_))
    )
}

/// For each pair of access kinds that conflict between groups, two accesses that conflict; `None` if that is too much
/// work.
fn met(touches: &[Touch], work: &mut usize) -> Option<Vec<(Touch, Touch)>> {
    let end = |touch: &Touch| touch.range.2;
    let (mut found, mut known) = (Vec::new(), OrderedSet::new());
    // For each kind, the access with the largest end, and that of another group.
    let mut open: Vec<(Touch, Option<Touch>)> = Vec::new();
    for touch in touches {
        let (buffer, start, _) = touch.range;
        open.retain(|(first, _)| first.range.0 == buffer && end(first) > start);
        *work = work.checked_sub(open.len() + 1)?;
        for (first, second) in &open {
            let pair = (first.kind.min(touch.kind), first.kind.max(touch.kind));
            if !first.conflicts(*touch) || known.contains(&pair) {
                continue;
            }
            let other = if first.group == touch.group { *second } else { Some(*first) };
            if let Some(other) = other.filter(|other| end(other) > start) {
                known.insert(pair);
                found.push((other, *touch));
            }
        }
        match open.iter_mut().find(|(first, _)| first.kind == touch.kind) {
            None => open.push((*touch, None)),
            Some((first, _)) if first.group == touch.group => {
                *first = if end(touch) > end(first) { *touch } else { *first };
            }
            Some((first, second)) if end(touch) > end(first) => {
                *second = Some(mem::replace(first, *touch));
            }
            Some((_, second)) => {
                *second = Some(second.filter(|second| end(second) >= end(touch)).unwrap_or(*touch));
            }
        }
    }
    Some(found)
}

/// For each body, a number that it shares with the bodies that differ from it only in the accessed bytes.
fn erased(bodies: &[Body]) -> Vec<u32> {
    let mut known: OrderedMap<u64, Vec<BodyId>> = OrderedMap::new();
    let mut kept: Vec<Body> = Vec::new();
    let number = |body: &Body| {
        let mut body = body.clone();
        for node in &mut body.nodes {
            if let Node::Operation { operation, .. } = node {
                operation.action = operation.action.without_accesses();
            }
        }
        let mut hasher = Fnv::new();
        body.hash(&mut hasher);
        let same = known.entry(hasher.finish()).or_default();
        let found = same.iter().copied().find(|&id| kept[id as usize] == body);
        found.unwrap_or_else(|| {
            kept.push(body);
            same.push(kept.len() as BodyId - 1);
            kept.len() as BodyId - 1
        })
    };
    bodies.iter().map(number).collect()
}

/// The kinds of accesses.
struct Kinds<'a, 'b> {
    erased: Vec<u32>,
    numbers: RefCell<OrderedMap<Vec<u32>, u32>>,
    compilation: &'a Compilation<'b>,
    /// For each class, the accesses of its groups to global memory that is written.
    of: Vec<Option<Rc<[Touch]>>>,
}

impl Kinds<'_, '_> {
    /// Adds the accesses of a group.
    fn touches(&mut self, at: u32, group: &Group, touches: &mut Vec<Touch>) {
        let class = group.class as usize;
        if self.of.len() <= class {
            self.of.resize(class + 1, None);
        }
        let known = self.of[class].clone().unwrap_or_else(|| self.of_class(group).into());
        let buffers = &self.compilation.code.buffers;
        touches.extend(known.iter().map(|touch| {
            let (buffer, start, end) = touch.range;
            let at_all = (start, end) == (0, buffers[usize::from(buffer)].size);
            let begin = if at_all { 0 } else { group.begins[usize::from(buffer)] };
            let range = (buffer, start.wrapping_add(begin), end.wrapping_add(begin));
            Touch { range, group: at, ..*touch }
        }));
        self.of[class] = Some(known);
    }

    fn of_class(&self, group: &Group) -> Vec<Touch> {
        let Compilation { code, bodies, launch, .. } = self.compilation;
        let erased = |agent: &Shared| self.erased[agent.0 as usize];
        let mut touches = Vec::new();
        for (first, sub_group) in group.agents.chunks(launch.lanes as usize).enumerate() {
            let mut alike: Vec<u32> = sub_group.iter().map(erased).collect();
            alike.sort_unstable();
            let alike = number(&self.numbers, alike);
            for (at, agent) in sub_group.iter().enumerate() {
                let at = first * launch.lanes as usize + at;
                for (node, found) in (0_u32..).zip(&bodies[agent.0 as usize].nodes) {
                    let Node::Operation { operation, .. } = found else { continue };
                    for Access { range, write } in accesses(operation.action) {
                        let global = code.buffers[usize::from(range.buffer)].space == Space::Global;
                        if !global || range.start >= range.end {
                            continue;
                        }
                        let key = [group.class, alike, erased(agent), node, u32::MAX].to_vec();
                        let kind = number(&self.numbers, key);
                        let range = (range.buffer, range.start, range.end);
                        let (agent, alike) = (at as u32, operation.alike);
                        touches.push(Touch { range, group: 0, agent, kind, write, alike });
                    }
                }
            }
        }
        touches
    }
}
