//! Judges a program by the axioms only.
//!
//! Enumerates candidate executions: a control path of each agent, a modification order of each object, and the
//! operations that participate in each wait. Candidates that break a rule that constrains executions are dropped; the
//! others are checked against the rules that programs must satisfy ([`super::rules`]). There are three kinds of
//! executions:
//!
//! * *whole* ones, in which every agent has ended or is at a wait that never completes;
//! * those *cut off* at an operation that breaks a rule by itself, with only the operations of other agents it depends on;
//! * if there is one of these, all *beginnings*, because a rule on participation can be broken before that operation.

use super::group::{self, Group};
use super::meter::{Bound, Meter};
use super::participates::Candidate;
use super::path::{self, Rest, Stop};
use super::rules::undefined;
use super::sample::Sample;
use super::seen::Seen;
use super::skeleton::{self, Ordered, Skeleton};
use super::tally::{self, Tally};
use super::text::Text;
use crate::instance::NO_INSTANCE;
use crate::ordered::{OrderedMap, OrderedSet};
use crate::program::NodeId;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use alloc::vec::Vec;

/// Options of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Largest number of steps of the enumeration.
    pub steps: u64,
    /// Largest amount of elementary work: see [`Meter`].
    pub work: u64,
    /// Whether the whole order of each object distinguishes executions. Otherwise, orders with equal counts are one execution,
    /// identical agents are not distinguished, and executions outside interleavings are not enumerated.
    pub every_order: bool,
    /// Whether every valid assignment is counted, with and without the leading drops of a phase.
    pub count: bool,
    /// Whether only whole executions are enumerated, which suffices to count but not to judge.
    pub whole: bool,
}

/// A work limit of one to two seconds.
pub const WORK: u64 = 2_000_000_000;

impl Default for Plan {
    fn default() -> Self {
        Self { steps: 20_000_000, work: WORK, every_order: true, count: true, whole: false }
    }
}

/// The number of *barrier-participates-in* relations that the orders admit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Whole executions that match an interleaving.
    pub executions: u64,
    /// Number of executions with exactly one relation.
    pub unique: u64,
    /// Largest number of relations of one execution.
    pub most: u64,
}

/// The result of a judgement.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The reason if the enumeration is incomplete.
    pub bound: Option<Bound>,
    /// Rules broken under every choice of phases in some execution, each with the shortest such execution found.
    pub broken: OrderedMap<RuleId, Sample>,
    /// Rules broken in every execution, by number.
    pub always: u64,
    /// Rules broken under some choice of phases in some whole execution, by number.
    pub somewhere: u64,
    /// The final states of whole executions with an interleaving: the node of each agent and whether it has ended, with
    /// identical agents in ascending order.
    pub outcomes: OrderedSet<Vec<(NodeId, bool)>>,
    /// Executions that end a schedule: whole ones and those cut off.
    pub executions: u64,
    /// Relations of whole executions.
    pub counted: Counted,
    /// Whole executions that match no interleaving.
    pub outside: u64,
    /// Rules broken in such executions, each with the first execution; `None` for executions that break no rule.
    pub broken_outside: OrderedMap<Option<RuleId>, Sample>,
    /// Steps of the enumeration.
    pub steps: u64,
}

impl Judgement {
    /// Whether the enumeration is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.bound.is_none()
    }
}

/// Judges a program. `keep_going` is called periodically with the steps so far and cancels by returning false.
pub fn judge(text: &Text, plan: Plan, keep_going: &mut dyn FnMut(u64) -> bool) -> Judgement {
    let meter = Meter::new(plan.steps, plan.work, keep_going);
    let found = Judgement { always: u64::MAX, ..Judgement::default() };
    let mut engine = Engine { text, plan, meter, found };
    let end = engine.all();
    let Engine { meter, mut found, .. } = engine;
    found.bound = end.err().or(found.bound);
    found.steps = meter.steps;
    if found.executions == 0 {
        found.always = 0;
    }
    found
}

struct Engine<'a, 'b> {
    text: &'a Text,
    plan: Plan,
    meter: Meter<'b>,
    found: Judgement,
}

/// The purpose of enumerating an execution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Whole,
    CutOff,
    Beginning,
}

impl Engine<'_, '_> {
    fn all(&mut self) -> Result<(), Bound> {
        let mut stops = Vec::new();
        for agent in 0..self.text.context.program.agents.len() {
            stops.push(path::stops(self.text, agent, &mut self.meter)?);
        }
        let stops = &stops;
        let finals =
            stops.iter().map(|stops| stops.iter().filter(|stop| stop.is_final()).collect());
        let finals: Vec<Vec<&Stop>> = finals.collect();
        let undecided = self.skeletons(&finals, None, Purpose::Whole)?;
        if self.plan.whole {
            return Ok(());
        }
        let cut = self.cut_off(stops)?;
        if cut || undecided {
            let anywhere = |stop: &&Stop| matches!(stop.rest, Rest::Cut | Rest::Ended { .. });
            let all = stops.iter().map(|stops| stops.iter().filter(anywhere).collect());
            let all: Vec<Vec<&Stop>> = all.collect();
            let _ = self.skeletons(&all, None, Purpose::Beginning)?;
        }
        Ok(())
    }

    /// Enumerates the executions cut off at an operation that breaks a rule by itself; returns whether there is one.
    fn cut_off(&mut self, stops: &[Vec<Stop>]) -> Result<bool, Bound> {
        let mut any = false;
        for agent in self.representatives(stops.len()) {
            for stop in &stops[agent] {
                self.meter.step(stop.events.len())?;
                if !self.can_break(stop) {
                    continue;
                }
                let rest = |other: usize| beside(stop, &stops[other], other == agent);
                let options: Vec<Vec<&Stop>> = (0..stops.len()).map(rest).collect();
                any |= self.skeletons(&options, Some((agent, stop)), Purpose::CutOff)?;
            }
        }
        Ok(any)
    }

    /// The agents with one representative for each set of identical agents, unless identical agents are distinguished.
    fn representatives(&self, agents: usize) -> Vec<usize> {
        let classes = &self.text.context.classes;
        let first =
            |&agent: &usize| self.plan.every_order || !classes[..agent].contains(&classes[agent]);
        (0..agents).filter(first).collect()
    }

    /// Whether the last step can break a rule by itself.
    fn can_break(&self, stop: &Stop) -> bool {
        match stop.rest {
            Rest::Breaks(_) | Rest::Uninitialised(_) => true,
            Rest::Cut => stop.events.last().is_some_and(|last| self.may_err(&last.event)),
            _ => false,
        }
    }

    /// Whether a modification can break a rule, as far as the text of the program shows.
    fn may_err(&self, event: &super::event::Event) -> bool {
        use super::event::Kind;
        use crate::operation::{Action, Object};
        let context = &self.text.context;
        if event.instance == NO_INSTANCE || !event.kind.modifies() {
            return false;
        }
        let object = context.object(event.instance);
        let launched = matches!(object, Object::Workgroup | Object::Cluster);
        let changed = || {
            context.operations().any(|(agent, node, operation)| {
                let changes = matches!(
                    operation.action,
                    Action::Init { .. }
                        | Action::Drop { .. }
                        | Action::Arrive { expected: Some(_), .. }
                );
                changes && context.instances.at(agent, node) == event.instance
            })
        };
        !launched
            || matches!(event.kind, Kind::Init(_) | Kind::Arrive(Some(_)))
            || (object == Object::Cluster && self.arrives_twice(event))
            || (object == Object::Cluster && !self.text.usual(ReadingId::AmdA4))
            || changed()
    }

    /// Whether waves of the workgroup arrive at an object at several operations, or can repeat one.
    fn arrives_twice(&self, event: &super::event::Event) -> bool {
        let context = &self.text.context;
        let workgroup = |agent: usize| context.program.agents[agent].workgroup;
        let arrives = context.operations().filter(|&(agent, node, operation)| {
            matches!(operation.action, crate::operation::Action::Arrive { .. })
                && workgroup(agent) == workgroup(event.agent)
                && context.instances.at(agent, node) == event.instance
        });
        arrives.count() > 1
    }

    /// Enumerates every combination of stops; returns whether one was found that matters for the purpose.
    fn skeletons(
        &mut self,
        options: &[Vec<&Stop>],
        error: Option<(usize, &Stop)>,
        purpose: Purpose,
    ) -> Result<bool, Bound> {
        let mut any = false;
        if options.iter().any(Vec::is_empty) {
            return Ok(false);
        }
        let alike = |agent: usize| self.alike_before(agent, error.map(|(agent, _)| agent));
        let alike: Vec<Option<usize>> = (0..options.len()).map(alike).collect();
        let objects = usize::from(self.text.objects());
        let words: usize = options.iter().flatten().map(|stop| stop.words()).sum();
        self.meter.work(words)?;
        let most: Vec<Vec<Tally>> =
            options.iter().map(|stops| path::most_of_each(stops, objects)).collect();
        let (mut at, mut chosen) = (alloc::vec![0], Vec::<&Stop>::new());
        while let Some(&index) = at.last() {
            let agent = chosen.len();
            let Some(&stop) = options[agent].get(index) else {
                let _ = (at.pop(), chosen.pop());
                at.last_mut().into_iter().for_each(|index| *index += 1);
                continue;
            };
            chosen.push(stop);
            let can_be = self.can_be(&chosen, &most[chosen.len()..])?;
            let too_many = can_be && skeleton::too_many(&chosen);
            if too_many {
                self.found.bound = Some(Bound::Operations);
            }
            if can_be && !too_many && chosen.len() < options.len() {
                let first = alike[chosen.len()].map_or(0, |other| at[other]);
                at.push(first);
                continue;
            }
            if can_be && !too_many {
                any |= self.combined(chosen.clone(), error, purpose)?;
            }
            let _ = chosen.pop();
            at.last_mut().into_iter().for_each(|index| *index += 1);
        }
        Ok(any)
    }

    /// The identical agent before this one. If combinations differ only by exchanging the two, one is enumerated: that in
    /// which the stop of this agent does not precede the stop of the other.
    fn alike_before(&self, agent: usize, error: Option<usize>) -> Option<usize> {
        let classes = &self.text.context.classes;
        let alike = |&other: &usize| classes[other] == classes[agent] && error != Some(other);
        let told_apart = self.plan.every_order || error == Some(agent);
        (0..agent).rev().find(alike).filter(|_| !told_apart)
    }

    /// Whether enough phases can complete for the waits of these stops, given the most that other agents can do.
    fn can_be(&mut self, stops: &[&Stop], most: &[Vec<Tally>]) -> Result<bool, Bound> {
        let objects = self.text.objects();
        self.meter.step((stops.len() + most.len()) * usize::from(objects))?;
        for instance in 0..objects {
            let place = usize::from(instance);
            let own = stops.iter().map(|stop| &stop.tallies[place]);
            let own = own.chain(most.iter().map(|most| &most[place]));
            let waits = stops.iter().map(|stop| stop.tallies[place].waits).max().unwrap_or(0);
            self.meter.work((stops.len() + most.len()) * waits as usize)?;
            if !tally::can_be(own, self.text.launched(instance), self.text) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn combined(
        &mut self,
        stops: Vec<&Stop>,
        error: Option<(usize, &Stop)>,
        purpose: Purpose,
    ) -> Result<bool, Bound> {
        let modifies = |(agent, stop): (usize, &Stop)| (stop.rest == Rest::Cut).then_some(agent);
        let Some(skeleton) = Skeleton::new(self.text, stops, error.and_then(modifies)) else {
            return Ok(false);
        };
        let mut any = false;
        for ordered in skeleton.orders(self.text, !self.plan.every_order, &mut self.meter)? {
            any |= self.ordered(&skeleton, ordered, error, purpose)?;
        }
        Ok(any)
    }

    fn ordered(
        &mut self,
        skeleton: &Skeleton<'_>,
        ordered: Ordered,
        error: Option<(usize, &Stop)>,
        purpose: Purpose,
    ) -> Result<bool, Bound> {
        let Ordered { execution, assignments, broken } = &ordered;
        let candidate = Candidate::new(execution, self.text, false);
        self.meter.step(assignments.len().saturating_mul(2 * candidate.cost()))?;
        let ends = skeleton.ends(self.text, execution);
        let besides = skeleton.besides(self.text, execution, &ends);
        let masks: Vec<u64> =
            assignments.iter().map(|one| candidate.broken(one, self.text) | broken).collect();
        let groups = group::groups(&candidate, assignments, &besides, &ends, &mut self.meter)?;
        let seen = Seen {
            skeleton,
            ordered: &ordered,
            candidate: &candidate,
            masks: &masks,
            besides: &besides,
        };
        match purpose {
            Purpose::Whole => self.whole(&seen, &groups),
            Purpose::CutOff => {
                let rule = error.map_or(0, |(_, stop)| own_rule(&stop.rest));
                Ok(self.broken_off(&seen, &groups, rule))
            }
            Purpose::Beginning => self.beginning(&seen, &groups),
        }
    }

    /// Judges a whole execution; returns whether some group of it is undefined for every choice of phases.
    fn whole(&mut self, seen: &Seen<'_>, groups: &[Group]) -> Result<bool, Bound> {
        let (mut counts, mut undecided) = (false, false);
        for group in groups {
            if seen.uninitialised(self.text) || seen.goes_on(&group.of, &mut self.meter)? {
                continue;
            }
            let (every, some) = seen.broken(&group.of);
            let stuck = seen.stuck(self.text) & !self.text.without;
            let ends = seen.is_undefined(&group.of);
            undecided |= ends;
            let every = if ends { every | undefined() & some } else { every | stuck };
            self.found.executions += 1;
            self.found.always &= every;
            self.found.somewhere |= some;
            counts |= !ends;
            if !ends {
                let _ = self.found.outcomes.insert(seen.outcome(&self.text.context.classes));
            }
            // Other violations in this execution may be after undefined behaviour; the beginnings decide that.
            let sure = if ends { every & undefined() } else { every };
            self.note(seen, group, sure);
        }
        if groups.is_empty() && self.plan.every_order {
            self.outside(seen)?;
        }
        if counts && self.plan.count && self.plan.every_order {
            self.count(seen)?;
        }
        Ok(undecided)
    }

    /// Judges an execution that is cut off by rules that its last step breaks; returns whether there is one.
    fn broken_off(&mut self, seen: &Seen<'_>, groups: &[Group], rule: u64) -> bool {
        for group in groups.iter().filter(|group| !seen.is_undefined_before(&group.of)) {
            let (every, some) = seen.broken(&group.of);
            let every = every | rule;
            self.note(seen, group, every);
            // These two rules do not end the schedule.
            if every & !(RuleId::AmdClusterOneArrival.bit() | RuleId::AmdDropRace.bit()) != 0 {
                self.found.executions += 1;
                self.found.always &= every;
                self.found.somewhere |= some;
            }
        }
        // If every group is undefined earlier, the beginnings report it.
        !groups.is_empty()
    }

    /// Records what a beginning of executions breaks under every choice of phases.
    fn beginning(&mut self, seen: &Seen<'_>, groups: &[Group]) -> Result<bool, Bound> {
        for group in groups {
            let (every, _) = seen.broken(&group.of);
            if every == 0 || !self.is_reached(seen, group)? {
                continue;
            }
            self.note(seen, group, every);
            if seen.is_undefined(&group.of) {
                self.found.executions += 1;
                self.found.always &= every;
            }
        }
        Ok(false)
    }

    /// Whether a beginning is reached before undefined behaviour: after removing some last operation, an assignment is
    /// defined.
    fn is_reached(&mut self, seen: &Seen<'_>, group: &Group) -> Result<bool, Bound> {
        if !seen.is_undefined(&group.of) {
            return Ok(true);
        }
        let count = seen.ordered.execution.events.len();
        for event in (0..count).filter(|&event| group.order.from(event) == 0) {
            if seen.is_defined_without(self.text, group, event, &mut self.meter)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Records what a group breaks, with the execution of fewest steps.
    fn note(&mut self, seen: &Seen<'_>, group: &Group, every: u64) {
        let steps: usize = seen.skeleton.stops.iter().map(|stop| stop.ways.len()).sum();
        for rule in RuleId::of_amdgpu().filter(|rule| every & rule.bit() != 0) {
            let known = self.found.broken.get(&rule);
            if known.is_none_or(|known| steps <= known.steps()) {
                let line = group::linear(&seen.ordered.execution, &group.order);
                let sample = seen.sample(&group.of, &group.settled, line, rule);
                // Among equally short ones, prefer the one in which the first agents move first.
                if known.is_none_or(|known| sample.order() < known.order()) {
                    let _ = self.found.broken.insert(rule, sample);
                }
            }
        }
    }

    /// A whole execution that matches no interleaving.
    fn outside(&mut self, seen: &Seen<'_>) -> Result<(), Bound> {
        let all: Vec<usize> =
            (0..seen.masks.len()).filter(|&index| seen.ends_agree(index)).collect();
        if all.is_empty() || seen.uninitialised(self.text) || seen.goes_on(&all, &mut self.meter)? {
            return Ok(());
        }
        self.found.outside += 1;
        let (every, _) = seen.broken(&all);
        let every = every | seen.stuck(self.text) & !self.text.without;
        let rules = RuleId::of_amdgpu().filter(|rule| every & rule.bit() != 0).map(Some);
        for rule in rules.chain((every == 0).then_some(None)) {
            let sample =
                || seen.sample(&all, &[], Vec::new(), rule.unwrap_or(RuleId::AmdInitFirst));
            let _ = self.found.broken_outside.entry(rule).or_insert_with(sample);
        }
        Ok(())
    }

    fn count(&mut self, seen: &Seen<'_>) -> Result<(), Bound> {
        const MOST: usize = 10_000;
        let candidate = Candidate::new(&seen.ordered.execution, self.text, true);
        let relations = candidate.assignments(MOST, &mut self.meter)?.len() as u64;
        let counted = &mut self.found.counted;
        counted.executions += 1;
        counted.unique += u64::from(relations == 1);
        counted.most = counted.most.max(relations);
        Ok(())
    }
}

/// The rule, as a bit by number, that the last step of a stop breaks by itself.
fn own_rule(rest: &Rest) -> u64 {
    match rest {
        Rest::Breaks(rule) => rule.bit(),
        Rest::Uninitialised(_) => RuleId::AmdInitFirst.bit(),
        _ => 0,
    }
}

/// The stops that an agent can have next to one whose last step breaks a rule; none for that agent itself. A drop can
/// race, in the same step, with an arrive that a wait depends on, so waits also count next to a drop.
fn beside<'a>(stop: &'a Stop, stops: &'a [Stop], own: bool) -> Vec<&'a Stop> {
    if own {
        return alloc::vec![stop];
    }
    let drops = stop.events.last().is_some_and(|last| last.event.kind == super::event::Kind::Drop);
    let rests = |other: &&Stop| other.is_needed() || (drops && other.rest == Rest::Cut);
    stops.iter().filter(|other| rests(other) && fits(stop, other)).collect()
}

/// Whether another agent may have this stop next to the one that breaks a rule: a step that finds its object
/// uninitialised is before every init of it.
fn fits(stop: &Stop, other: &Stop) -> bool {
    let Rest::Uninitialised(event) = stop.rest else { return true };
    !other
        .events
        .iter()
        .any(|performed| performed.event.is_on(event.instance) && performed.event.kind.modifies())
}
