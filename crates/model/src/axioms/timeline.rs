//! Every possible *barrier-modification-order* of one object, given the operations of each agent on it.
//!
//! Orders are built from the first element, so that dead ends are found early. A modification after a wait of its agent on
//! the same object follows enough complete phases, because *barrier-executes-before* is consistent with the order.
//! Modifications of one phase that neither set nor test a count may stay unordered (`collapse`), because counts do not
//! distinguish their orders. Arrives and drops both reduce the pending arrivals of a phase by one, so only the last of
//! them completes it.

use super::event::Kind;
use super::meter::{Bound, Meter};
use super::phase::modification;
use super::relation::{Events, one};
use super::text::Text;
use crate::amd::cluster;
use crate::barrier::{Barrier, Effect, Modification};
use crate::instance::InstanceId;
use crate::operation::Object;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// An operation on the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its index in the execution.
    pub event: usize,
    /// Its kind.
    pub kind: Kind,
    /// The guessed result, if it tests whether it is the first arrive.
    pub first: Option<bool>,
}

/// The operations on one object.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The object.
    pub instance: InstanceId,
    /// By agent, its modifications and waits on the object in *program-order*.
    pub items: &'a [Vec<Item>],
    /// The modification that must be last and break a rule; `None` if no modification may break one.
    pub error: Option<usize>,
    /// Whether modifications that counts cannot distinguish stay unordered.
    pub collapse: bool,
}

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The modifications in order.
    pub order: Vec<usize>,
    /// For each of them, its rank; modifications of different agents with equal rank are unordered.
    pub ranks: Vec<u32>,
    /// Rules that single modifications break, by number.
    pub broken: u64,
    /// Completed phases: the operations in each, and the one that completes it.
    pub phases: Vec<(Events, usize)>,
}

/// Returns every order.
///
/// # Errors
///
/// At a limit of the meter.
pub fn timelines(
    text: &Text,
    line: &Line<'_>,
    meter: &mut Meter<'_>,
) -> Result<Vec<Timeline>, Bound> {
    let agents = line.items.len();
    let total = line.items.iter().flatten().filter(|item| item.kind.modifies()).count();
    let state = State {
        barrier: text.launched(line.instance),
        done: alloc::vec![0; agents],
        waits: alloc::vec![0; agents],
        ..State::default()
    };
    let mut search = Search { text, line, total, found: Vec::new(), meter };
    search.extend(&state)?;
    Ok(search.found)
}

/// How a modification is ordered with its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It has its own rank.
    Own,
    /// It shares its rank with modifications of its phase, in any order.
    Shared,
    /// The same, and these modifications complete the phase.
    Last,
}

#[derive(Clone, Debug, Default)]
struct State {
    barrier: Barrier,
    /// For each agent, the number of performed items.
    done: Vec<usize>,
    /// For each agent, the number of these that are waits.
    waits: Vec<usize>,
    order: Vec<usize>,
    ranks: Vec<u32>,
    broken: u64,
    phases: Vec<(Events, usize)>,
    open: Events,
    arrivals: Vec<u32>,
    /// The agent of the last item, while others may still share its rank.
    block: Option<usize>,
}

struct Search<'a, 'b> {
    text: &'a Text,
    line: &'a Line<'a>,
    total: usize,
    found: Vec<Timeline>,
    meter: &'a mut Meter<'b>,
}

impl Search<'_, '_> {
    fn extend(&mut self, state: &State) -> Result<(), Bound> {
        // A state is cloned twice for each step.
        self.meter.step(2 * (state.done.len() + state.order.len()) + 8 * state.phases.len())?;
        let state = &self.pass_waits(state);
        if state.order.len() == self.total {
            let all = |(agent, items): (usize, &Vec<Item>)| {
                state.done[agent] == items.len() && state.waits[agent] <= state.phases.len()
            };
            if self.line.error.is_none() && self.line.items.iter().enumerate().all(all) {
                self.keep(state)?;
            }
            return Ok(());
        }
        if self.is_dead(state) {
            return Ok(());
        }
        for agent in 0..self.line.items.len() {
            let Some(&item) = self.line.items[agent].get(state.done[agent]) else { continue };
            if state.waits[agent] > state.phases.len() {
                continue;
            }
            if let Some(next) = self.apply(state, agent, item)? {
                self.extend(&next)?;
            }
        }
        Ok(())
    }

    /// Whether others precede the agents that may still share the last rank, only arrives and drops that can share it
    /// remain, and those agents by themselves do not complete the phase. A drop that leaves both counts zero has its
    /// own rank, which is open to all.
    fn is_dead(&self, state: &State) -> bool {
        let Some(block) = state.block else { return false };
        let left = |agent: usize| &self.line.items[agent][state.done[agent]..];
        let plain = |item: &Item| match item.kind {
            Kind::Arrive(None) => item.first.is_none(),
            Kind::Drop => self.text.usual(ReadingId::AmdA10),
            kind => kind == Kind::Wait,
        };
        let next = |agent: usize| {
            let can = state.waits[agent] <= state.phases.len();
            let items = left(agent).iter().take_while(|item| item.kind != Kind::Wait);
            if can { items.count() } else { 0 }
        };
        let agents = self.line.items.len();
        let Barrier { expected, arrived, .. } = state.barrier;
        let short = expected.saturating_sub(arrived) as usize;
        let last_drop = usize::from(arrived == 0);
        self.line.error.is_none()
            && (0..block).any(|agent| !left(agent).is_empty())
            && (block..agents).map(next).sum::<usize>() + last_drop < short
            && (0..agents).all(|agent| left(agent).iter().all(plain))
    }

    /// Skips waits: whether they can complete is decided at the agent's next modification and at the end.
    fn pass_waits(&self, state: &State) -> State {
        let mut state = state.clone();
        for (agent, items) in self.line.items.iter().enumerate() {
            while items.get(state.done[agent]).is_some_and(|item| item.kind == Kind::Wait) {
                state.done[agent] += 1;
                state.waits[agent] += 1;
            }
        }
        state
    }

    fn keep(&mut self, state: &State) -> Result<(), Bound> {
        self.meter.keep(16 * state.order.len() + 64 * state.phases.len())?;
        self.found.push(Timeline {
            order: state.order.clone(),
            ranks: state.ranks.clone(),
            broken: state.broken,
            phases: state.phases.clone(),
        });
        Ok(())
    }

    /// The state after a modification; `None` if it is not allowed here.
    fn apply(&mut self, state: &State, agent: usize, item: Item) -> Result<Option<State>, Bound> {
        let Some(modification) = modification(item.kind) else { return Ok(None) };
        let before = state.barrier;
        if item.first.is_some_and(|first| first != before.is_first()) {
            return Ok(None);
        }
        let mut next = state.clone();
        next.done[agent] += 1;
        let twice = self.arrives_twice(&mut next, agent, item.kind);
        let last = next.order.len() + 1 == self.total;
        let is_error = self.line.error == Some(item.event);
        if is_error && !last {
            return Ok(None);
        }
        let outcome = before.apply(modification, self.text.readings);
        next.broken |= if twice { RuleId::AmdClusterOneArrival.bit() } else { 0 };
        match outcome {
            Err(rule) if is_error => {
                next.broken |= rule.bit();
                let _ = self.place(&mut next, agent, item, Place::Own);
                self.keep(&next)?;
                Ok(None)
            }
            Err(_) => Ok(None),
            Ok((barrier, effect)) => {
                let place = self.place_of(item, modification, (barrier, effect), is_error);
                if self.place(&mut next, agent, item, place).is_none() {
                    return Ok(None);
                }
                next.barrier = barrier;
                next.take(item.event, effect);
                if is_error && twice {
                    self.keep(&next)?;
                }
                Ok(Some(next))
            }
        }
    }

    /// Whether an arrive on the cluster barrier is the second of its workgroup in the phase.
    fn arrives_twice(&self, state: &mut State, agent: usize, kind: Kind) -> bool {
        if !matches!(kind, Kind::Arrive(_))
            || self.text.context.object(self.line.instance) != Object::Cluster
        {
            return false;
        }
        let workgroup = self.text.context.program.agents[agent].workgroup;
        let twice =
            cluster::one_arrival::check(&state.arrivals, workgroup, self.text.readings).is_err();
        if let Err(at) = state.arrivals.binary_search(&workgroup) {
            state.arrivals.insert(at, workgroup);
        }
        twice
    }

    /// Whether a modification shares its rank within the phase, because the order within a rank is not observable.
    fn place_of(
        &self,
        item: Item,
        modification: Modification,
        (after, effect): (Barrier, Effect),
        error: bool,
    ) -> Place {
        let kind = match modification {
            Modification::Arrive(None) => item.first.is_none(),
            Modification::Drop => self.text.usual(ReadingId::AmdA10),
            _ => false,
        };
        let kind = self.line.collapse && kind && !error;
        match effect {
            // If the arrive count exceeds the expected count, an arrive does not advance the phase.
            Effect::Joins if kind && after.arrived < after.expected => Place::Shared,
            Effect::Completes if kind => Place::Last,
            _ => Place::Own,
        }
    }

    /// Assigns a rank to a modification; `None` if another order of the same rank represents it.
    fn place(&self, state: &mut State, agent: usize, item: Item, place: Place) -> Option<()> {
        let last = state.ranks.last().copied();
        let rank = match (state.block, last) {
            (Some(other), Some(_)) if place != Place::Own && agent < other => return None,
            (Some(_), Some(last)) if place != Place::Own => last,
            (_, last) => last.map_or(0, |last| last + 1),
        };
        state.order.push(item.event);
        state.ranks.push(rank);
        state.block = (place == Place::Shared).then_some(agent);
        Some(())
    }
}

impl State {
    /// Adds a modification to the open phase.
    fn take(&mut self, event: usize, effect: Effect) {
        match effect {
            Effect::Outside => {}
            Effect::Abandons => {
                self.open = 0;
                self.arrivals.clear();
            }
            Effect::Joins => self.open |= one(event),
            Effect::Completes => {
                self.phases.push((self.open | one(event), event));
                self.open = 0;
                self.arrivals.clear();
            }
        }
    }
}
