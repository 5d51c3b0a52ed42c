//! Selects a single agent or copy whose step can go first without losing any outcome.
//!
//! A state needs only the step of one actor if no operation that the others can perform before it depends on it (a
//! persistent set of one). The operations of the others are bounded from above: each agent continues as far as its waits
//! allow. A wait counts as passable if it returns now, or if the arrivals of the others suffice to complete a phase of its
//! object without the actor. Counting arrivals of different phases together only makes the bound coarser.
//!
//! Operations on one object commute unless a completion occurs between them. Arrivals and bytes commute while the others
//! cannot complete the phase. A wait that returns now commutes with everything while no agent can complete the phase and
//! it was observed before. Init and inval commute with nothing. Under these conditions two completions never race, so the
//! phase of each arrive, each token and the parity of each wait do not change. A step that ends the path commutes with
//! nothing. Memory accesses and fences change no barrier. Ends of agents only release others.

use super::Machine;
use super::node::action_of;
use super::state::{Held, State};
use crate::bitset::BitSet;
use crate::program::Node;
use crate::ptx::action::{Action, Asked, Patience};
use crate::ptx::bar;
use crate::ptx::bar::BARS;
use crate::ptx::cluster::arrive_once::Standing;
use crate::ptx::object::MOST;
use alloc::vec::Vec;

/// The operations of the others on an mbarrier object before the actor continues.
#[derive(Clone, Copy, Default)]
struct Others {
    /// The maximum number of arrivals.
    arrivals: i64,
    /// Whether they can change the tx-count.
    bytes: bool,
    /// The maximum number of bytes that they can complete.
    completed: i64,
    /// The maximum number of bytes that they can expect.
    expected: i64,
    /// Whether they can initialise or invalidate it.
    resets: bool,
    /// Whether they can use it.
    touches: bool,
    /// Whether they can perform a wait that returns or fails in the current phase.
    waits: bool,
    /// Whether one of their arrives must not complete the phase.
    no_complete: bool,
    /// Whether they can drop: the last drop may exceed the expected count.
    drops: bool,
}

/// The operations of the others on a barrier of a CTA.
#[derive(Clone, Copy, Default)]
struct OtherBar {
    threads: u64,
    named: Option<Option<u32>>,
    reds: u8,
}

/// The barrier at which the live lanes of a warp gather before it counts them, and the instruction if it is aligned, which
/// all lanes must execute.
pub(super) const fn meets_at(action: Action) -> Option<(i64, Option<u32>)> {
    match action {
        Action::Bar { id, aligned, site, .. } => {
            Some((id, if aligned { Some(site) } else { None }))
        }
        Action::ClusterArrive { aligned, .. } => Some((-1, aligned)),
        Action::ClusterWait { aligned, .. } => Some((-2, aligned)),
        _ => None,
    }
}

/// Work of a look at a node of another agent.
const WORK_PER_LOOK: u64 = 2;

struct Bound<'a> {
    machine: &'a Machine,
    state: &'a State,
    actor: usize,
    objects: Vec<Others>,
    bars: Vec<OtherBar>,
    /// By lane and barrier, the threads that its warp adds if each of its arrivals is with this lane.
    lanes: Vec<((usize, usize), u64)>,
    /// By agent, the nodes of its body that it may reach.
    seen: Vec<BitSet>,
    /// How many nodes are seen.
    looks: u64,
    /// Agents with nodes that they may not pass.
    waiting: Vec<(usize, u32)>,
    /// Whether some agent other than the actor ended or can end, by CTA.
    ends: Vec<bool>,
    /// By agent, whether it is not the actor and ended or can end.
    ended: Vec<bool>,
    changed: bool,
}

impl Machine {
    /// An agent or copy whose next step is the only one to explore from this state, if one is found.
    #[must_use]
    pub fn ample(&self, state: &State) -> Option<usize> {
        if state.stopped {
            return None;
        }
        let mut ready: Vec<usize> =
            (0..self.actors(state)).filter(|&actor| self.ways(state, actor) > 0).collect();
        if let [only] = ready[..] {
            return Some(only);
        }
        // No step commutes with the end of a path, after which the others do nothing. Each look at a step copies the state.
        let continues = |actor: usize| {
            (0..self.ways(state, actor)).all(|way| !self.perform(state, actor, way).stopped)
        };
        let local = |&&actor: &&usize| self.is_local(state, actor) && continues(actor);
        if let Some(&actor) = ready.iter().find(local) {
            return Some(actor);
        }
        // The agent with the least progress is the least likely to have another agent wait for it.
        ready.sort_by_key(|&actor| state.agents.get(actor).map_or(0, |at| at.node));
        let mut tried: Vec<usize> = Vec::new();
        ready.into_iter().find(|&actor| {
            let is_tried = tried.iter().any(|&other| self.are_alike(state, actor, other));
            tried.push(actor);
            !is_tried && continues(actor) && self.commutes(state, actor)
        })
    }

    /// Whether two agents are equal up to their numbers: what depends on the step of one depends on that of the other.
    pub(super) fn are_alike(&self, state: &State, one: usize, other: usize) -> bool {
        let [one, other] =
            [one, other].map(|agent| Some((state.agents.get(agent)?, self.classes[agent])));
        one.is_some() && one == other
    }

    /// Whether a step changes nothing that is visible to another agent.
    fn is_local(&self, state: &State, actor: usize) -> bool {
        if actor >= state.agents.len() {
            return false;
        }
        let Some(node) = self.node(state, actor) else { return false };
        match node {
            Node::Choose { .. } => true,
            Node::End => !self.ends_matter && self.leaves_quietly(state, actor),
            Node::Divergent => false,
            Node::Operation { .. } => {
                let Some(action) = action_of(node) else { return false };
                if self.law.text && self.reaches(actor, node).is_some() {
                    return false;
                }
                match meets_at(action).filter(|_| self.context.program.lanes_apart() > 1) {
                    Some(at) => self.only_gathers(state, actor, at),
                    None => matches!(
                        action,
                        Action::Nothing
                            | Action::FenceInit
                            | Action::Fence { .. }
                            | Action::Commit { .. }
                            | Action::WaitGroup { .. }
                            | Action::Copy { name: None, .. }
                            | Action::Tensor { .. }
                            | Action::PendingCount { .. }
                            | Action::Compare { .. }
                            | Action::WarpSync { .. }
                            | Action::ClusterWait { .. }
                    ),
                }
            }
        }
    }

    /// Whether a lane at a barrier only begins to wait for the other lanes of its warp: at least one has not arrived, and all
    /// are at the same barrier, so that none can end or reach another barrier first.
    fn only_gathers(&self, state: &State, lane: usize, at: (i64, Option<u32>)) -> bool {
        let stands = |other: &usize| {
            let here = self.node(state, *other).and_then(action_of).and_then(meets_at);
            !state.agents[*other].ended && here == Some(at)
        };
        let mut others = self.lanes(lane).filter(|&other| other != lane);
        let comes = |other: usize| state.agents[other].held == Held::Free;
        others.clone().all(|other| stands(&other)) && others.any(comes)
    }

    fn commutes(&self, state: &State, actor: usize) -> bool {
        let bound = Bound::of(self, state, actor);
        if let Some(copy) = actor.checked_sub(state.agents.len()) {
            let copy = state.copies[copy];
            let object = copy.object as usize;
            if self.touched(&copy).into_iter().flatten().any(|cta| bound.may_leave(cta)) {
                return false;
            }
            return match copy.left {
                Some(left) => bound.bytes_commute(object, i64::from(left)),
                None => bound.arrival_commutes(object, self.arrivals_of(&copy), false),
            };
        }
        let Some(node) = self.node(state, actor) else { return false };
        if self.reaches(actor, node).is_some_and(|cta| bound.may_leave(cta)) {
            return false;
        }
        let Some(action) = action_of(node) else { return false };
        match action {
            Action::Bar { id, threads, kind, .. } => {
                let Ok(id @ 0..16) = usize::try_from(id) else { return false };
                let Ok(threads) = self.threads(threads) else { return false };
                bound.bar_commutes(self.cta(actor) as usize * BARS + id, threads, kind)
            }
            Action::ClusterArrive { .. } => {
                let alone = self.context.program.lanes_apart() == 1;
                alone && state.agents[actor].cluster == Standing::Away
            }
            _ => {
                let mut objects = self.objects(actor, action).peekable();
                if objects.peek().is_none() {
                    return action.name().is_none();
                }
                objects.all(|(object, remote)| {
                    let waits = matches!(action, Action::Wait { .. });
                    let may_go = remote && (waits || bound.may_leave(self.named(object).1));
                    !may_go && bound.object_commutes(object, action)
                })
            }
        }
    }
}

impl<'a> Bound<'a> {
    fn of(machine: &'a Machine, state: &'a State, actor: usize) -> Self {
        let agents = state.agents.len();
        let mut bound = Self {
            machine,
            state,
            actor,
            objects: alloc::vec![Others::default(); state.mbarriers.len()],
            bars: alloc::vec![OtherBar::default(); state.bars.len()],
            lanes: Vec::new(),
            seen: alloc::vec![BitSet::default(); agents],
            looks: 0,
            ended: alloc::vec![false; agents],
            waiting: Vec::new(),
            ends: alloc::vec![false; machine.context.program.launch.workgroups as usize],
            changed: false,
        };
        for (index, copy) in state.copies.iter().enumerate() {
            if agents + index != actor {
                let other = &mut bound.objects[copy.object as usize];
                other.touches = true;
                other.bytes |= copy.left.is_some();
                other.completed += i64::from(copy.left.unwrap_or(0));
                other.arrivals += machine.arrivals_of(copy);
            }
        }
        for agent in (0..agents).filter(|&agent| agent != actor) {
            let at = &state.agents[agent];
            if at.ended {
                bound.ended[agent] = true;
                bound.ends[machine.cta(agent) as usize] = true;
            } else if at.held == Held::Free {
                bound.visit(agent, at.node);
            } else {
                // Where it gathers, its warp has yet to be counted.
                if at.held == Held::Gathering
                    && let Some(action) = machine.node(state, agent).and_then(action_of)
                {
                    bound.note(agent, at.node, action);
                }
                bound.waiting.push((agent, at.node));
            }
        }
        loop {
            bound.changed = false;
            let waiting = core::mem::take(&mut bound.waiting);
            for (agent, node) in waiting {
                if bound.may_pass(agent, node) {
                    bound.changed = true;
                    bound.go_on(agent, node);
                } else {
                    bound.waiting.push((agent, node));
                }
            }
            if !bound.changed {
                machine.context.work.add(bound.looks * WORK_PER_LOOK);
                return bound;
            }
        }
    }

    /// Visits the nodes from a node, up to waits that may not return.
    fn visit(&mut self, agent: usize, node: u32) {
        let mut stack = alloc::vec![node];
        while let Some(node) = stack.pop() {
            if self.seen[agent].contains(node as usize) {
                continue;
            }
            self.seen[agent].insert(node as usize);
            self.looks += 1;
            match &self.machine.context.program.body_of(agent).nodes[node as usize] {
                Node::Choose { next } => stack.extend(next),
                Node::End => {
                    self.ended[agent] = true;
                    self.ends[self.machine.cta(agent) as usize] = true;
                }
                Node::Divergent => {}
                at @ Node::Operation { next, .. } => {
                    let action = action_of(at).unwrap_or(Action::Nothing);
                    self.note(agent, node, action);
                    let blocks = match action {
                        Action::Wait { patience, .. } => {
                            if patience != Patience::Block {
                                stack.push(next[0]);
                            }
                            true
                        }
                        Action::Bar { kind, .. } => {
                            kind != crate::ptx::action::Bar::Arrive
                                || self.machine.context.program.lanes_apart() > 1
                        }
                        Action::ClusterArrive { .. } => {
                            self.machine.context.program.lanes_apart() > 1
                        }
                        Action::ClusterWait { .. } | Action::WarpSync { .. } => true,
                        _ => false,
                    };
                    if !blocks {
                        stack.extend(next);
                    } else if self.may_pass(agent, node) {
                        stack.push(next[1]);
                        stack.push(next[0]);
                    } else {
                        self.waiting.push((agent, node));
                    }
                }
            }
        }
    }

    fn go_on(&mut self, agent: usize, node: u32) {
        if let Node::Operation { next, .. } =
            &self.machine.context.program.body_of(agent).nodes[node as usize]
        {
            next.iter().for_each(|&next| self.visit(agent, next));
        }
    }

    /// Whether an agent reaches a wait only after the arrive whose token it uses. The phase of that arrive is incomplete, so the
    /// wait does not return before a completion.
    fn takes_token_first(&self, agent: usize, wait: u32, register: u16) -> bool {
        let nodes = &self.machine.context.program.body_of(agent).nodes;
        let takes = |node: &Node| {
            let form = match action_of(node) {
                Some(Action::Arrive { form, .. }) => form.token,
                _ => None,
            };
            form == Some(register)
        };
        let (mut seen, mut stack) = (Vec::new(), alloc::vec![self.state.agents[agent].node]);
        while let Some(node) = stack.pop() {
            if node == wait {
                return false;
            }
            if !seen.contains(&node) {
                seen.push(node);
                let at = &nodes[node as usize];
                if !takes(at) {
                    stack.extend(crate::program::successors(at));
                }
            }
        }
        true
    }

    /// Adds the effects of an operation to the bounds.
    fn note(&mut self, agent: usize, node: u32, action: Action) {
        let often = self.machine.facts_of(agent).repeats[node as usize];
        if let Action::Bar { id, threads, kind, .. } = action {
            let Ok(id @ 0..16) = usize::try_from(id) else { return };
            let named = self.machine.threads(threads).ok();
            let index = self.machine.cta(agent) as usize * BARS + id;
            let threads = self.more_threads(agent, index, often);
            let bar = &mut self.bars[index];
            bar.threads += threads;
            bar.reds |= if kind == crate::ptx::action::Bar::Red { 2 } else { 1 };
            bar.named = match bar.named {
                None => Some(named),
                Some(known) if known == named => Some(known),
                Some(_) => Some(None),
            };
            return;
        }
        for (object, _) in self.machine.objects(agent, action) {
            self.note_at((agent, node), object, action, often);
        }
    }

    /// How many more threads the warp of an agent can add to a barrier, where one more operation of the agent can arrive. A
    /// warp arrives with all of its live lanes: at most as often as the lane that arrives most often, and never before the
    /// actor moves, if that is one of them.
    fn more_threads(&mut self, agent: usize, index: usize, often: bool) -> u64 {
        let lanes = self.machine.lanes(agent);
        let threads = if often { 1 << 32 } else { bar::count_multiple::WARP as u64 };
        if lanes.len() == 1 {
            return threads;
        }
        if lanes.contains(&self.actor) {
            return 0;
        }
        let of_warp = |bound: &Self| {
            let own =
                bound.lanes.iter().filter(|((lane, at), _)| *at == index && lanes.contains(lane));
            own.map(|(_, threads)| *threads).max().unwrap_or(0)
        };
        let before = of_warp(self);
        match self.lanes.iter_mut().find(|(at, _)| *at == (agent, index)) {
            Some((_, known)) => *known += threads,
            None => self.lanes.push(((agent, index), threads)),
        }
        of_warp(self) - before
    }

    /// Adds the effects of an operation on one object.
    fn note_at(&mut self, (agent, node): (usize, u32), object: usize, action: Action, often: bool) {
        // A wait that fails and continues elsewhere also depends on the current phase.
        let passes = match action {
            Action::Wait { patience, asked, .. } => {
                let asks = patience != Patience::Block
                    && !self.machine.facts_of(agent).spins[node as usize];
                let passes = || match asked {
                    Asked::Token(register) if self.takes_token_first(agent, node, register) => {
                        false
                    }
                    _ => self.machine.passes(self.state, agent, node).unwrap_or(true),
                };
                asks || passes()
            }
            _ => false,
        };
        let other = &mut self.objects[object];
        other.touches = true;
        let most = if often { MOST } else { 1 };
        match action {
            Action::Init { .. } | Action::Inval { .. } => other.resets = true,
            Action::Arrive { form, .. } => {
                other.arrivals += form.count.clamp(0, MOST) * most;
                other.no_complete |= form.no_complete;
                other.drops |= form.drop;
                other.bytes |= form.expect.is_some();
                other.expected += form.expect.unwrap_or(0).clamp(0, MOST) * most;
            }
            Action::Expect { bytes, .. } => {
                other.bytes = true;
                other.expected += bytes.clamp(0, MOST) * most;
            }
            Action::Complete { bytes, .. } | Action::Copy { bytes, .. } => {
                other.bytes = true;
                other.completed += bytes.clamp(0, MOST) * most;
            }
            Action::CopyArrive { threads, .. } => other.arrivals += i64::from(threads) * most,
            Action::Wait { .. } => other.waits |= passes,
            _ => {}
        }
    }

    /// Whether an agent may pass the operation at a node without the actor.
    fn may_pass(&self, agent: usize, node: u32) -> bool {
        let machine = self.machine;
        let Some(action) = action_of(&machine.context.program.body_of(agent).nodes[node as usize])
        else {
            return true;
        };
        match action {
            Action::Wait { name, .. } => {
                let Some((object, _)) = machine.object(agent, name) else { return true };
                self.objects[object].resets
                    || self.completes(object)
                    || machine.passes(self.state, agent, node).unwrap_or(true)
            }
            Action::Bar { id, threads, .. } => {
                let Ok(id @ 0..16) = usize::try_from(id) else { return true };
                let Ok(threads) = machine.threads(threads) else { return true };
                let cta = machine.cta(agent) as usize;
                let index = cta * BARS + id;
                let here = u64::from(self.state.bars[index].arrived) + self.bars[index].threads;
                let actor_is_here = machine.in_cta(cta as u32).contains(&self.actor);
                here >= u64::from(threads)
                    || self.bars[index].named == Some(None)
                    || self.ends[cta] && (machine.ends_matter || !actor_is_here)
            }
            Action::ClusterWait { .. } => {
                let actor = self.state.agents.get(self.actor);
                let needed = machine.in_cluster(agent).contains(&self.actor)
                    && actor.is_some_and(|actor| actor.cluster != Standing::Arrived);
                self.state.agents[agent].cluster == Standing::Released || !needed
            }
            _ => true,
        }
    }

    /// Whether a CTA can end before the actor moves, if the specification limits operations at that point.
    fn may_leave(&self, cta: u32) -> bool {
        self.machine.law.text && self.machine.in_cta(cta).all(|agent| self.ended[agent])
    }

    /// Whether others can complete the current phase of an object.
    fn completes(&self, object: usize) -> bool {
        let other = self.objects[object];
        let at = self.state.mbarriers[object];
        // If bytes are pending, the others must be able to complete that many.
        let counted = match at.tx {
            1.. => other.completed >= i64::from(at.tx),
            _ => other.arrivals > 0 || other.bytes,
        };
        other.arrivals >= i64::from(at.pending) && counted
    }

    fn object_commutes(&self, object: usize, action: Action) -> bool {
        let (other, at) = (self.objects[object], self.state.mbarriers[object]);
        if matches!(action, Action::Init { .. } | Action::Inval { .. }) {
            return !other.touches;
        }
        if other.resets {
            return false;
        }
        let quiet = !self.completes(object);
        match action {
            Action::Copy { .. } | Action::Access { .. } => true,
            Action::Wait { .. } => quiet && (at.observed || other.arrivals == 0),
            Action::Arrive { form, .. } => {
                self.arrival_commutes(object, form.count, form.no_complete)
                    && !(form.drop && other.drops)
                    && self.bytes_stay_in_range(object, form.expect.unwrap_or(0))
            }
            Action::CopyArrive { .. } => {
                quiet
                    && !other.no_complete
                    && !(self.machine.counts && other.arrivals > 0)
                    && other.arrivals <= i64::from(at.pending)
            }
            // An expect_tx does not check for completion, so it matters whether an arrival precedes it.
            Action::Expect { bytes, .. } => {
                other.arrivals < i64::from(at.pending)
                    && quiet
                    && self.bytes_stay_in_range(object, bytes)
            }
            Action::Complete { bytes, .. } => self.bytes_commute(object, bytes),
            _ => false,
        }
    }

    /// Whether an arrival commutes: one that may be the last conflicts with waits that return now, and with bytes that decide
    /// whether it is.
    fn arrival_commutes(&self, object: usize, count: i64, no_complete: bool) -> bool {
        let (other, at) = (self.objects[object], self.state.mbarriers[object]);
        let last = other.arrivals + count >= i64::from(at.pending);
        let strict = no_complete || other.no_complete || count != 1;
        // `mbarrier.pending_count` distinguishes earlier arrivals from later ones.
        if self.machine.counts && other.arrivals > 0 {
            return false;
        }
        !other.resets
            && !self.completes(object)
            && other.arrivals + count <= i64::from(at.pending)
            && (at.observed || !other.waits)
            && !(last && (other.waits || other.bytes || strict && other.arrivals > 0))
    }

    /// Whether bytes commute. They do while arrivals are pending that the others cannot make. Otherwise the completion of the
    /// phase may depend on the order of bytes, unless the others neither complete nor expect bytes, or the currently expected
    /// bytes suffice for all that can complete: the tx-count then reaches zero with the last of them or not at all.
    fn bytes_commute(&self, object: usize, bytes: i64) -> bool {
        let (other, at) = (self.objects[object], self.state.mbarriers[object]);
        let (tx, pending) = (i64::from(at.tx), i64::from(at.pending));
        if other.resets || self.completes(object) || !self.bytes_stay_in_range(object, -bytes) {
            return false;
        }
        // Pending bytes decide whether the last arrival completes the phase, which some arrivals must not do.
        let seen = other.waits || other.no_complete || other.arrivals > pending;
        let alone = !other.bytes || other.expected == 0 && tx >= bytes + other.completed;
        let never = tx > bytes + other.completed;
        other.arrivals < pending || !seen && (alone || never)
    }

    /// Whether the tx-count stays in its range in every order of the changes by others.
    fn bytes_stay_in_range(&self, object: usize, change: i64) -> bool {
        let (other, tx) = (self.objects[object], i64::from(self.state.mbarriers[object].tx));
        let lowest = tx + change.min(0) - other.completed;
        let highest = tx + change.max(0) + other.expected;
        !other.bytes || lowest >= -MOST && highest <= MOST
    }

    fn bar_commutes(&self, index: usize, threads: u32, kind: crate::ptx::action::Bar) -> bool {
        let (other, at) = (self.bars[index], self.state.bars[index]);
        if self.machine.ends_matter && self.ends[index / BARS] {
            return false;
        }
        let red = if kind == crate::ptx::action::Bar::Red { 2 } else { 1 };
        let alike =
            other.named.is_none_or(|named| named == Some(threads)) && other.reds & !red == 0;
        other.threads == 0
            || alike
                && u64::from(at.arrived) + other.threads < u64::from(at.threads.unwrap_or(threads))
    }
}
