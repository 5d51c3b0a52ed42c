//! Memory in an execution of NVIDIA or OpenCL: *happens-before* of its accesses, as the machine tracks it.
//!
//! An access happens before a later one if the agent of the later one knows that it is complete: by its own program
//! order, or through barriers, waits for groups and fences. This knowledge comes from the machine and is not computed
//! again, so two conflicting accesses race exactly if neither happens before the other. Knowing that a copy is complete
//! does not imply knowing that the operations before its start are: the relation is not transitive through copies.

use super::why::{HAPPENS_BEFORE, answer};
use super::{Events, Explained, Fact, Words, is_passed, operation, path};
use crate::graph::{ExecutionGraph, Explanation, Operation, RelationId, Source};
use crate::replay::Kinds;
use crate::replay::{Replay, Steps};
use crate::scene::Scene;
use crate::step::memory::kind;
use crate::step::view::{MemoryView, PairView};
use alloc::collections::VecDeque;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tidegate_model::mem::operation::{Memory, Space};
use tidegate_model::operation::{Action, Alike};
use tidegate_model::program::{Node, When};
use tidegate_model::ptx::tile::Region;

/// Limit of reported pairs of accesses.
const MOST_PAIRS: usize = 32;

/// The memory that a step accesses, itself or by the copy that it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// The bytes.
    pub region: Region,
    /// Their address space.
    pub space: Space,
    /// The instance: that of a CTA or work-group, or 0 for a single one.
    pub place: u32,
    /// Whether it writes.
    pub write: bool,
    /// Which other accesses it never races with.
    pub alike: Alike,
    /// Whether a copy does that.
    pub copies: bool,
    /// The condition on a datum under which it happens, if data decide.
    pub when: Option<When>,
    /// By agent, the number of steps after which it knows that this is past.
    pub learned: Vec<Option<usize>>,
}

impl Touch {
    /// Whether two touch a byte, one of them writing, and not alike.
    fn meets(&self, other: &Self) -> bool {
        let bytes = |touch: &Self| touch.region.range;
        let excluded =
            When::exclude((self.when.as_ref(), bytes(self)), (other.when.as_ref(), bytes(other)));
        self.place == other.place
            && !excluded
            && self.region.overlaps(&other.region)
            && (self.write || other.write)
            && !self.alike.excuses(other.alike)
    }

    /// Whether an agent knows that it is past when it performs that step.
    fn is_known(&self, agent: usize, step: usize) -> bool {
        self.learned.get(agent).copied().flatten().is_some_and(|after| after <= step)
    }
}

/// The accesses of each step of an execution.
pub(crate) type Touches = Vec<Vec<Touch>>;

/// The memory of one step that a later one also accesses.
fn met<'a>(first: &'a [Touch], second: &'a [Touch]) -> impl Iterator<Item = &'a Touch> {
    first.iter().filter(|one| second.iter().any(|other| one.meets(other)))
}

/// The memory of one step that the agent of a later one has observed: the common part, or everything without a common
/// part.
fn known<'a>(
    (first, second): (&'a [Touch], &'a [Touch]),
    space: Space,
    (agent, step): (usize, usize),
) -> Vec<&'a Touch> {
    let is_known = |one: &&Touch| one.is_known(agent, step);
    let met: Vec<&Touch> = met(first, second).filter(|one| one.space == space).collect();
    if met.is_empty() {
        return first.iter().filter(|one| one.space == space).filter(is_known).collect();
    }
    if met.iter().all(is_known) { met } else { Vec::new() }
}

/// The relations with those on memory, or where that is too much without them.
pub(crate) fn as_far_as_it_fits(
    related: impl Fn(bool) -> Option<ExecutionGraph>,
) -> Option<ExecutionGraph> {
    related(true).or_else(|| related(false))
}

/// The memory view of the steps: conflicting accesses.
pub(crate) fn view<M: Steps>(
    replay: &Replay<M>,
    touches: &Touches,
    related: impl Fn() -> Option<ExecutionGraph>,
) -> MemoryView {
    MemoryView { pairs: pairs(replay, touches, related), ..MemoryView::default() }
}

/// Conflicting accesses of different agents: all unordered pairs, and those of the last access.
fn pairs<M: Steps>(
    replay: &Replay<M>,
    touches: &Touches,
    related: impl Fn() -> Option<ExecutionGraph>,
) -> Vec<PairView> {
    let agent = |step: usize| replay.machine.agent_of(&replay.done[step]);
    let last = touches.iter().rposition(|touched| !touched.is_empty());
    let mut found = Vec::new();
    for (second, own) in touches.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
        let who = agent(second);
        for (first, others) in touches[..second].iter().enumerate() {
            let apart = |one: &&Touch| agent(first) != who || one.copies;
            let met: Vec<&Touch> = met(others, own).filter(apart).collect();
            let ordered = met.iter().all(|one| one.is_known(who, second));
            if !met.is_empty() && (!ordered || last == Some(second)) {
                let after = met.iter().filter_map(|one| one.learned[who]).max();
                let through = after.and_then(|after| after.checked_sub(1)).filter(|_| ordered);
                let (through, missing) = (through.into_iter().collect(), Vec::new());
                found.push(PairView { first, second, ordered, through, missing });
            }
        }
    }
    // Unordered pairs come first, because the number of pairs is limited.
    found.sort_by_key(|pair| pair.ordered);
    found.truncate(MOST_PAIRS);
    found.sort_by_key(|pair| (pair.second, pair.first));
    if found.iter().any(|pair| !pair.ordered)
        && let Some(graph) = related()
        && let Source::Replayed(replayed) = &graph.source
    {
        let told = Explained { graph: &graph, replayed, names: &graph.names() };
        for pair in found.iter_mut().filter(|pair| !pair.ordered) {
            pair.missing = told.missing_between(pair.first, pair.second).into_iter().collect();
        }
    }
    found
}

impl Events {
    /// Adds the memory operations of a step: an access or a fence, or in addition to the step that starts it, a copy.
    pub(crate) fn add_memory<M: Kinds>(
        &mut self,
        scene: &Scene,
        replay: &Replay<M>,
        step: usize,
        touches: &[Touch],
    ) {
        let done = &replay.done[step];
        let agent = replay.machine.agent_of(done);
        let node = &replay.machine.context().program.body_of(agent).nodes[done.node as usize];
        let word = match node {
            Node::Operation { operation, .. } => match operation.action {
                Action::Memory(memory) if memory.accesses() != (None, None) => Some(kind(memory)),
                Action::Memory(memory @ Memory::Fence(_)) => Some(kind(memory)),
                _ => None,
            },
            _ => None,
        };
        let copies = touches.iter().any(|touch| touch.copies);
        let known = self.list.iter().rposition(|(_, fact)| fact.step == Some(step));
        let orders = replay.machine.orders_memory(node);
        let at = match known {
            Some(at) => at,
            None if copies || word.is_some() || orders.is_some() => {
                let kind = word.or(orders).unwrap_or("copy");
                let shown = Operation { kind, ..operation(scene, replay, agent, Some(step)) };
                self.add((shown, Fact { step: Some(step), ..Fact::default() }))
            }
            None => return,
        };
        if !copies {
            self.list[at].1.touches = touches.to_vec();
            return;
        }
        let shown = &self.list[at].0;
        let copy = Operation {
            label: format!("copy of {}", shown.label),
            key: format!("{}+copy", shown.key),
            kind: "async-copy",
            object: None,
            phase: None,
            completes: false,
            ..shown.clone()
        };
        let fact = Fact {
            step: Some(step),
            started: Some(Some(at)),
            touches: touches.to_vec(),
            ..Fact::default()
        };
        let _ = self.add((copy, fact));
    }
}

/// The address space of a relation.
const fn space_of(relation: RelationId) -> Space {
    match relation {
        RelationId::HappensBeforeLocal => Space::Local,
        _ => Space::Global,
    }
}

/// The name of an address space.
const fn space_name(space: Space) -> &'static str {
    match space {
        Space::Local => "local",
        _ => "global",
    }
}

impl Explained<'_> {
    /// Why nothing orders the accesses of two steps, where these are among the operations.
    fn missing_between(&self, first: usize, second: usize) -> Option<String> {
        let touching =
            |fact: &Fact, step: usize| fact.step == Some(step) && !fact.touches.is_empty();
        let at = |step: usize| self.replayed.facts.iter().position(|fact| touching(fact, step));
        Some(self.unordered(at(first)?, at(second)?))
    }

    /// The accesses of an operation in an address space that a later conflicting operation knows to be complete.
    fn known(&self, space: Space, from: usize, to: usize) -> Vec<&Touch> {
        let (first, second) = (self.fact(from), self.fact(to));
        let touches = second.touches.iter().any(|touch| touch.space == space);
        let Some(step) = second.step.filter(|_| from < to && touches) else { return Vec::new() };
        known((&first.touches, &second.touches), space, (self.operation(to).agent, step))
    }

    /// Whether an access happens before a later one, as far as both touch an address space.
    pub(super) fn happens(&self, space: Space, from: usize, to: usize) -> bool {
        !self.known(space, from, to).is_empty()
    }

    /// Whether an access happens before another, and why or why not.
    pub(super) fn why_on_memory(
        &self,
        relation: RelationId,
        from: usize,
        to: usize,
    ) -> Explanation {
        let space = space_of(relation);
        let known = self.known(space, from, to);
        if !known.is_empty() {
            return match self.handed_on((from, to), &known) {
                Some(path) => self.along(&path),
                None => answer(true, HAPPENS_BEFORE, self.told_by((from, to), &known)),
            };
        }
        let of_space =
            |index: usize| self.fact(index).touches.iter().any(|touch| touch.space == space);
        let (first, second) = (&self.names[from], &self.names[to]);
        let because = if from == to {
            format!("{first} is the same operation.")
        } else if let Some(stranger) = [from, to].into_iter().find(|&index| !of_space(index)) {
            let copies =
                |fact: &Fact| fact.started == Some(Some(stranger)) && !fact.touches.is_empty();
            match self.replayed.facts.iter().position(copies) {
                Some(copy) => format!(
                    "{} itself accesses no memory: {} does.",
                    self.names[stranger], self.names[copy]
                ),
                None => {
                    format!("{} accesses no {} memory.", self.names[stranger], space_name(space))
                }
            }
        } else if self.happens(space, to, from) {
            format!("The order is reversed: {second} happens-before {first}.")
        } else {
            self.unordered(from, to)
        };
        answer(false, HAPPENS_BEFORE, because)
    }

    /// A path of *program-order* and *barrier-participates-in* on which every agent has observed an access.
    fn handed_on(&self, (from, to): (usize, usize), known: &[&Touch]) -> Option<Vec<usize>> {
        let own = |index: usize| {
            self.operation(index).agent == self.operation(from).agent
                && self.fact(from).started.is_none()
        };
        // A copy passes on the knowledge of the step that started it.
        let knows = |index: usize| {
            let agent = self.operation(index).agent;
            let fact = self.fact(index);
            let after = fact.went.or(fact.step).map(|step| {
                let waits = is_passed(self.operation(index));
                step + usize::from(waits)
            });
            own(index)
                || fact.started.is_some() && fact.started == self.fact(from).started
                || after.is_some_and(|after| known.iter().all(|it| it.is_known(agent, after)))
        };
        let mut before: Vec<Option<usize>> = alloc::vec![None; self.names.len()];
        let mut waiting = VecDeque::from([from]);
        while let Some(at) = waiting.pop_front() {
            let ahead = before.iter_mut().enumerate().take(to + 1).skip(at + 1);
            for (next, from) in ahead.filter(|(_, from)| from.is_none()) {
                if self.step(at, next) && (next == to || knows(next)) {
                    *from = Some(at);
                    waiting.push_back(next);
                }
            }
        }
        path(&before, to)
    }

    /// The operation at which an agent observes an access.
    fn told_by(&self, (from, to): (usize, usize), known: &[&Touch]) -> String {
        let (first, agent) = (&self.names[from], self.operation(to).agent);
        let who = &self.graph.agents[agent];
        let past = match known.iter().all(|touch| touch.copies && !touch.write) {
            true => format!("the source of {first} has been read"),
            false => format!("{first} is complete"),
        };
        let learned = known.iter().filter_map(|touch| touch.learned[agent]);
        let step = learned.max().and_then(|after| after.checked_sub(1));
        let facts = || self.replayed.facts.iter().enumerate();
        let own = |index: usize| self.operation(index).agent == agent;
        let waited = facts().find(|(at, fact)| own(*at) && step.is_some() && fact.went == step);
        let did = facts().find(|(at, fact)| {
            step.is_some() && fact.step == step && *at != from && (own(*at) || fact.counts)
        });
        match waited.or(did) {
            Some((at, _)) if own(at) => {
                format!("{who} observes at {} that {past}.", self.names[at])
            }
            Some((at, _)) => {
                format!("{who} observes, released by {}, that {past}.", self.names[at])
            }
            None => format!("{who} has observed that {past}."),
        }
    }

    /// Why two accesses are unordered.
    pub(super) fn unordered(&self, from: usize, to: usize) -> String {
        let (first, second) = (&self.names[from], &self.names[to]);
        let agent = self.operation(to).agent;
        let who = &self.graph.agents[agent];
        if self.fact(from).step > self.fact(to).step {
            let starts = if self.fact(to).started.is_some() { " has started" } else { "" };
            return format!(
                "In this execution, {first} is performed after {second}{starts}, and the two are unordered."
            );
        }
        let touches = &self.fact(from).touches;
        if self.fact(from).started.is_some() {
            let met: Vec<&Touch> = met(touches, &self.fact(to).touches).collect();
            let reads = !met.is_empty() && met.iter().all(|touch| !touch.write);
            let does = if reads { "has read its source" } else { "is complete" };
            return format!("{who} has not observed before {second} that {first} {does}.");
        }
        let Some(path) = path(&self.paths(from, to), to) else {
            return format!(
                "No path of program-order and barrier-participates-in leads from {first} to {second}."
            );
        };
        let way = format!(
            "A path of program-order and barrier-participates-in leads from {first} to {second}"
        );
        if let Some(&copy) = path.iter().find(|&&at| self.fact(at).started.is_some()) {
            return format!(
                "{way}, but through {}: a copy does not release accesses before its start.",
                self.names[copy]
            );
        }
        let deaf = |pair: &&[usize]| {
            let (operation, fact) = (self.operation(pair[1]), self.fact(pair[1]));
            let after = fact.went.or(fact.step).map_or(0, |step| step + 1);
            is_passed(operation) && !touches.iter().all(|it| it.is_known(operation.agent, after))
        };
        let Some(&[arrive, wait]) = path.windows(2).find(deaf) else {
            return format!("{way}, but it does not synchronise.");
        };
        let why = match self.replayed.words {
            Words::Nvidia => {
                "one of the two is relaxed or has too small a scope, and no fence replaces it"
            }
            Words::Opencl => "their flags or their scope exclude it",
        };
        let [arrive, wait] = [arrive, wait].map(|at| &self.names[at]);
        format!("{way}, but {arrive} does not synchronise with {wait}: {why}.")
    }
}
