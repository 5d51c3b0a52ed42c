//! The unordered operations of every agent. The orders of all objects and the options of the waits are enumerated from
//! them.

use super::event::{Event, Kind};
use super::execution::Execution;
use super::meter::{Bound, Meter};
use super::participates::{Assignment, Candidate};
use super::path::{Rest, Stop};
use super::phase::Part;
use super::relation::{Events, MAX_EVENTS, Relation, each, one};
use super::text::Text;
use super::timeline::{Item, Line, Timeline, timelines};
use crate::instance::{InstanceId, NO_INSTANCE};
use crate::ordered::OrderedMap;
use crate::reading::ReadingId;
use alloc::vec::Vec;

/// The operations and final state of each agent.
#[derive(Clone, Debug)]
pub struct Skeleton<'a> {
    /// By agent.
    pub stops: Vec<&'a Stop>,
    /// The operations, including waits that never complete, without orders.
    pub execution: Execution,
    /// For each object and agent, the operations on it.
    lines: Vec<Vec<Vec<Item>>>,
    /// The modification that breaks a rule and must be last.
    error: Option<usize>,
}

/// The orders of one execution, with the options of its waits.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// The execution.
    pub execution: Execution,
    /// Every valid assignment.
    pub assignments: Vec<Assignment>,
    /// Rules that single modifications break, by number.
    pub broken: u64,
}

/// Whether there are more operations than an execution can relate.
#[must_use]
pub fn too_many(stops: &[&Stop]) -> bool {
    stops.iter().map(|stop| stop.operations()).sum::<usize>() > MAX_EVENTS
}

impl<'a> Skeleton<'a> {
    /// Combines stops; `None` if they contradict each other about the ends of waves, or have too many operations. With
    /// `error`, the last operation of that agent must break a rule.
    #[must_use]
    pub fn new(text: &Text, stops: Vec<&'a Stop>, error: Option<usize>) -> Option<Self> {
        if !ends_agree(text, &stops) {
            return None;
        }
        let mut execution = Execution::new(text);
        let agents = stops.len();
        let mut lines = alloc::vec![alloc::vec![Vec::new(); agents]; usize::from(text.objects())];
        for (agent, stop) in stops.iter().enumerate() {
            for performed in &stop.events {
                let Event { kind, instance, .. } = performed.event;
                let event = execution.events.len();
                execution.events.push(performed.event);
                if kind != Kind::Join && instance != NO_INSTANCE {
                    let item = Item { event, kind, first: performed.first };
                    lines[usize::from(instance)][agent].push(item);
                }
            }
            if let Rest::Stuck(event) = stop.rest {
                execution.pending |= one(execution.events.len());
                execution.events.push(event);
            }
        }
        let of = |agent: usize| execution.events.iter().rposition(|event| event.agent == agent);
        let error = error.map(of);
        let fits = execution.events.len() <= MAX_EVENTS && error != Some(None);
        fits.then_some(Self { error: error.flatten(), stops, execution, lines })
    }

    /// Calls a closure for each execution with these operations.
    ///
    /// # Errors
    ///
    /// At a limit of the meter.
    pub fn orders(
        &self,
        text: &Text,
        collapse: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Ordered>, Bound> {
        let mut choices = Vec::new();
        for instance in 0..text.objects() {
            let items = &self.lines[usize::from(instance)];
            if items.iter().all(Vec::is_empty) {
                continue;
            }
            let on = |event: &usize| self.execution.events[*event].is_on(instance);
            let line = Line { instance, items, error: self.error.filter(on), collapse };
            let found = timelines(text, &line, meter)?;
            if found.is_empty() {
                return Ok(Vec::new());
            }
            choices.push((instance, found));
        }
        choices.sort_by_key(|(instance, found)| (found.len(), *instance));
        let mut search = Search {
            skeleton: self,
            objects: &choices,
            meter: &mut *meter,
            chosen: Vec::new(),
            parts: Vec::new(),
            found: OrderedMap::new(),
        };
        search.object(&self.execution.program_order())?;
        let found = search.found;
        self.finish(text, &choices, found, meter)
    }

    fn finish(
        &self,
        text: &Text,
        objects: &[(InstanceId, Vec<Timeline>)],
        found: OrderedMap<Vec<usize>, Vec<Assignment>>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<Ordered>, Bound> {
        let mut ordered = Vec::new();
        for (chosen, mut assignments) in found {
            let mut execution = self.execution.clone();
            let mut broken = 0;
            for ((instance, timelines), index) in objects.iter().zip(chosen) {
                let timeline = &timelines[index];
                execution.orders[usize::from(*instance)].clone_from(&timeline.order);
                execution.set_ranks(*instance, &timeline.ranks);
                broken |= timeline.broken;
            }
            let candidate = Candidate::new(&execution, text, false);
            meter.step(assignments.len().saturating_mul(candidate.cost()))?;
            for assignment in &mut assignments {
                assignment.sort_unstable();
            }
            assignments.retain(|assignment| candidate.is_valid(assignment));
            if !assignments.is_empty() {
                assignments.sort_unstable();
                ordered.push(Ordered { execution, assignments, broken });
            }
        }
        Ok(ordered)
    }

    /// The ends of agents with their drops, as far as they were performed.
    #[must_use]
    pub fn ends(&self, text: &Text, execution: &Execution) -> Vec<End> {
        let instances = &text.context.instances;
        let of = |(agent, stop): (usize, &&Stop)| {
            let last = stop.ending?;
            let drop = |instance: InstanceId| {
                let own = |event: &Event| event.agent == agent && event.kind == Kind::Drop;
                execution.events.iter().rposition(|event| own(event) && event.is_on(instance))
            };
            let (own, cluster) = (instances.workgroup_of(agent), instances.cluster_of(agent));
            let drops = text.usual(ReadingId::AmdA3);
            let each = !text.usual(ReadingId::AmdA4);
            let drops_cluster = drops && cluster != NO_INSTANCE && (last || each);
            let second = drop(cluster).filter(|_| drops_cluster);
            let first = drop(own).filter(|_| own != NO_INSTANCE && drops);
            match (first, second) {
                (Some(first), Some(second)) if first < second => {
                    Some(End { first, last, then: Then::Drops(second) })
                }
                (Some(first), _) if drops_cluster => Some(End { first, last, then: Then::Owes }),
                (first, second) => {
                    Some(End { first: first.or(second)?, last, then: Then::Nothing })
                }
            }
        };
        self.stops.iter().enumerate().filter_map(of).collect()
    }

    /// The order that an interleaving must satisfy in addition to *program-order* and the orders of objects. The last
    /// wave of a workgroup drops the cluster barrier after all other waves have ended ([`Self::ends`]). If
    /// uninitialised objects must not be joined (reading `amd.A17`), the init is before the join.
    #[must_use]
    pub fn besides(&self, text: &Text, execution: &Execution, ends: &[End]) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        let events = &execution.events;
        for end in ends.iter().filter(|end| end.last) {
            let agent = events[end.first].agent;
            let workgroup = text.context.program.agents[agent].workgroup;
            let others = text.context.in_workgroup(workgroup).filter(|&other| other != agent);
            let last = |other| events.iter().rposition(|event| event.agent == other);
            edges.extend(others.filter_map(last).map(|other| (other, end.first)));
        }
        for (event, own) in events.iter().enumerate() {
            if own.kind == Kind::Join && !text.usual(ReadingId::AmdA17) {
                let order = execution.orders.get(usize::from(own.instance));
                edges.extend(order.and_then(|order| order.first()).map(|&init| (init, event)));
            }
        }
        edges
    }
}

/// The end of an agent, which is one step with all its drops.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The first drop.
    pub first: usize,
    /// Whether the agent is the last of its workgroup.
    pub last: bool,
    /// The other drops of the same step.
    pub then: Then,
}

/// The drops at the end of an agent after its first drop.
#[derive(Clone, Copy, Debug)]
pub enum Then {
    /// Nothing more.
    Nothing,
    /// The operation that drops the cluster barrier.
    Drops(usize),
    /// The drop of the cluster barrier was cut off: no operation can follow the first drop.
    Owes,
}

/// If the last wave of a workgroup drops the cluster barrier, whether exactly one wave is the last, and only after all
/// have ended.
fn ends_agree(text: &Text, stops: &[&Stop]) -> bool {
    let program = &text.context.program;
    let told_apart = text.usual(ReadingId::AmdA3) && text.usual(ReadingId::AmdA4);
    (0..program.launch.workgroups).all(|workgroup| {
        let waves = || text.context.in_workgroup(workgroup);
        let used = waves()
            .next()
            .is_some_and(|wave| text.context.instances.cluster_of(wave) != NO_INSTANCE);
        let ended = |wave: usize| matches!(stops[wave].rest, Rest::Ended { .. });
        let mut lasts = waves().filter(|&wave| stops[wave].ending == Some(true));
        let agrees = match (lasts.next(), lasts.next()) {
            (None, _) => !waves().all(ended),
            (Some(last), None) => waves().all(|wave| wave == last || ended(wave)),
            (Some(_), Some(_)) => false,
        };
        !told_apart || !used || agrees
    })
}

/// Chooses an order for each object, and directly after it the participants of the waits on that object, because
/// executes-before then leaves few orders for the next object.
struct Search<'a, 'b, 'c> {
    skeleton: &'a Skeleton<'a>,
    objects: &'a [(InstanceId, Vec<Timeline>)],
    meter: &'b mut Meter<'c>,
    chosen: Vec<usize>,
    parts: Vec<Part>,
    found: OrderedMap<Vec<usize>, Vec<Assignment>>,
}

impl Search<'_, '_, '_> {
    fn object(&mut self, before: &Relation) -> Result<(), Bound> {
        let Some((instance, timelines)) = self.objects.get(self.chosen.len()) else {
            self.meter.keep(size_of::<Part>() * self.parts.len() + 64)?;
            self.found.entry(self.chosen.clone()).or_default().push(self.parts.clone());
            return Ok(());
        };
        let execution = &self.skeleton.execution;
        let waits: Vec<usize> =
            execution.waits().filter(|&wait| execution.events[wait].is_on(*instance)).collect();
        for (index, timeline) in timelines.iter().enumerate() {
            self.meter.step(timeline.order.len())?;
            if agrees(timeline, before) {
                self.chosen.push(index);
                self.wait(&waits, timeline, before)?;
                self.chosen.pop();
            }
        }
        Ok(())
    }

    fn wait(
        &mut self,
        waits: &[usize],
        timeline: &Timeline,
        before: &Relation,
    ) -> Result<(), Bound> {
        let count = self.skeleton.execution.events.len();
        self.meter.step(count + timeline.phases.len())?;
        let Some((&wait, rest)) = waits.split_first() else {
            return if self.agrees_with_all(before) { self.object(before) } else { Ok(()) };
        };
        let execution = &self.skeleton.execution;
        let later = execution.later_on_object(wait);
        let agent = execution.events[wait].agent;
        let own = |part: &&Part| execution.events[part.wait].agent == agent;
        let used = self.parts.iter().filter(own).fold(0, |set, part| set | part.set);
        for (phase, &(set, _)) in timeline.phases.iter().enumerate() {
            if set & (later | used) != 0 || before.from(wait) & set != 0 {
                continue;
            }
            self.meter.work(count * (set.count_ones() as usize + 3))?;
            let mut longer = before.clone();
            each(set).for_each(|event| longer.add_closed(event, wait));
            if agrees(timeline, &longer) {
                self.parts.push(Part { wait, set, phase });
                self.wait(rest, timeline, &longer)?;
                self.parts.pop();
            }
        }
        Ok(())
    }

    fn agrees_with_all(&self, before: &Relation) -> bool {
        let chosen = self.objects.iter().zip(&self.chosen);
        chosen.into_iter().all(|((_, timelines), &index)| agrees(&timelines[index], before))
    }
}

/// Whether an order never contradicts executes-before.
fn agrees(timeline: &Timeline, before: &Relation) -> bool {
    let (mut earlier, mut same): (Events, Events) = (0, 0);
    let mut rank = u32::MAX;
    timeline.order.iter().zip(&timeline.ranks).all(|(&event, &own)| {
        if own != rank {
            (earlier, same, rank) = (earlier | same, 0, own);
        }
        same |= one(event);
        before.from(event) & earlier == 0
    })
}
