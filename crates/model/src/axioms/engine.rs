//! The judgement of a program by the axioms alone.
//!
//! Candidate executions are enumerated: a control path of each agent, an order of the modifications of each object by
//! itself, and what takes part in each wait. What breaks a rule that constrains executions is dropped; what is left is
//! held against the rules that say what a program must do ([`super::rules`]). Three kinds of executions are looked at:
//!
//! * *whole* ones, in which every agent has ended or stands at a wait that never completes;
//! * those *cut off* at an operation that breaks a rule by itself, with no more of the other agents than it depends on;
//! * where there is one of these, all *beginnings*, because a rule on what takes part can be broken before that operation.

use super::execution::Execution;
use super::group::{self, Group};
use super::participates::{Assignment, Candidate};
use super::path::{self, Endless, Rest, Stop};
use super::rules;
use super::skeleton::{self, Ordered, Skeleton};
use super::tally::Tally;
use super::text::Text;
use crate::instance::NO_INSTANCE;
use crate::program::NodeId;
use crate::reading::ReadingId;
use crate::rule::RuleId;
use crate::verdict::Class;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// A bound was hit, or the caller asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound;

/// How to enumerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Most steps of the enumeration.
    pub steps: u64,
    /// Whether executions are told apart by the whole order of each object. Otherwise orders that no count tells apart are
    /// one execution, and executions outside interleavings are not looked for.
    pub every_order: bool,
    /// Whether every valid assignment is counted, drops that lead a phase being in it or not.
    pub count: bool,
    /// Whether only whole executions are looked at: enough to count, not to judge.
    pub whole: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { steps: 20_000_000, every_order: true, count: true, whole: false }
    }
}

/// An execution that shows something.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The execution.
    pub execution: Execution,
    /// What takes part in its waits.
    pub assignment: Assignment,
    /// The operations in an order that an interleaving can have; empty where there is none.
    pub line: Vec<usize>,
    /// For each agent the alternative taken at each of its steps.
    pub ways: Vec<Vec<u32>>,
}

impl Sample {
    /// How many steps it takes.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.ways.iter().map(Vec::len).sum()
    }
}

/// How many *barrier-participates-in* relations the orders admit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Whole executions that some interleaving has.
    pub executions: u64,
    /// How many of them have one relation.
    pub unique: u64,
    /// The most that one of them has.
    pub most: u64,
}

/// What the axioms say.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Whether everything was enumerated.
    pub complete: bool,
    /// Rules broken under every choice of phases in some execution, each with a shortest such execution that was met.
    pub broken: BTreeMap<RuleId, Sample>,
    /// Rules broken in every execution, by number.
    pub always: u64,
    /// Rules broken under some choice of phases in some whole execution, by number.
    pub somewhere: u64,
    /// How whole executions that some interleaving has end: the node of each agent and whether it has ended.
    pub outcomes: BTreeSet<Vec<(NodeId, bool)>>,
    /// Executions that end a schedule: whole ones and those that are cut off.
    pub executions: u64,
    /// Relations of whole executions.
    pub counted: Counted,
    /// Whole executions that match no interleaving.
    pub outside: u64,
    /// Rules broken in one of those, with the first such execution; `None` stands for one that breaks nothing.
    pub broken_outside: BTreeMap<Option<RuleId>, Sample>,
    /// Steps of the enumeration.
    pub steps: u64,
}

/// The rules whose breach is undefined behaviour, by number.
#[must_use]
pub fn undefined() -> u64 {
    let undefined = RuleId::of_amdgpu().filter(|rule| rule.get().class == Some(Class::Ub));
    undefined.fold(0, |set, rule| set | 1 << rule as u32)
}

const STUCK: u64 = 1 << RuleId::AmdWaitNeverCompletes as u32;

/// Judges a program. `keep_going` is asked now and then with the steps so far.
pub fn judge(text: &Text, plan: Plan, keep_going: &mut dyn FnMut(u64) -> bool) -> Judgement {
    let agents = 0..text.context.program.agents.len();
    let stops: Result<Vec<Vec<Stop>>, Endless> =
        agents.map(|agent| path::stops(text, agent)).collect();
    let mut engine = Engine {
        text,
        plan,
        keep_going,
        found: Judgement { always: u64::MAX, ..Judgement::default() },
    };
    let Ok(stops) = stops else {
        engine.found.always = 0;
        return engine.found;
    };
    engine.found.complete = engine.all(&stops).is_ok();
    if engine.found.executions == 0 {
        engine.found.always = 0;
    }
    engine.found
}

struct Engine<'a> {
    text: &'a Text,
    plan: Plan,
    keep_going: &'a mut dyn FnMut(u64) -> bool,
    found: Judgement,
}

/// What an execution is looked at for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Whole,
    CutOff,
    Beginning,
}

impl Engine<'_> {
    fn all(&mut self, stops: &[Vec<Stop>]) -> Result<(), Bound> {
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

    /// Executions that are cut off at an operation that breaks a rule by itself; whether there is one.
    fn cut_off(&mut self, stops: &[Vec<Stop>]) -> Result<bool, Bound> {
        let mut any = false;
        for agent in 0..stops.len() {
            for stop in &stops[agent] {
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

    /// Whether the last step can break a rule by itself.
    fn can_break(&self, stop: &Stop) -> bool {
        match stop.rest {
            Rest::Breaks(_) | Rest::Uninitialised(_) => true,
            Rest::Cut => stop.events.last().is_some_and(|last| self.may_err(&last.event)),
            _ => false,
        }
    }

    /// Whether a modification can break a rule, as far as the program's text tells.
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

    /// Whether waves of the workgroup arrive at an object in more than one place, or some place can be passed twice.
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

    /// Every combination of stops; whether one was found that matters for the purpose.
    fn skeletons(
        &mut self,
        options: &[Vec<&Stop>],
        error: Option<(usize, &Stop)>,
        purpose: Purpose,
    ) -> Result<bool, Bound> {
        let mut any = false;
        let mut at = alloc::vec![0; options.len()];
        if options.iter().any(Vec::is_empty) {
            return Ok(false);
        }
        loop {
            if !self.go_on() {
                return Err(Bound);
            }
            let stops: Vec<&Stop> =
                options.iter().zip(&at).map(|(stops, &index)| stops[index]).collect();
            let modifies =
                |(agent, stop): (usize, &Stop)| (stop.rest == Rest::Cut).then_some(agent);
            let can_be = self.can_be(&stops);
            if can_be && skeleton::too_many(&stops) {
                return Err(Bound);
            }
            if can_be
                && let Some(skeleton) = Skeleton::new(self.text, stops, error.and_then(modifies))
            {
                any |= self.skeleton(&skeleton, error, purpose)?;
            }
            let Some(place) =
                (0..at.len()).rev().find(|&place| at[place] + 1 < options[place].len())
            else {
                return Ok(any);
            };
            at[place] += 1;
            at[place + 1..].fill(0);
        }
    }

    /// Whether there can be enough phases for the waits of these stops.
    fn can_be(&self, stops: &[&Stop]) -> bool {
        (0..self.text.objects()).all(|instance| {
            let own = stops.iter().map(|stop| stop.tallies[usize::from(instance)]);
            let sum = own.fold(Tally::default(), Tally::and);
            sum.can_be(self.text.launched(instance), self.text)
        })
    }

    fn go_on(&mut self) -> bool {
        step(&mut self.found.steps, self.plan.steps, self.keep_going)
    }

    fn skeleton(
        &mut self,
        skeleton: &Skeleton<'_>,
        error: Option<(usize, &Stop)>,
        purpose: Purpose,
    ) -> Result<bool, Bound> {
        let Self { text, plan, keep_going, found } = self;
        let mut go_on = || step(&mut found.steps, plan.steps, *keep_going);
        let all = skeleton.orders(text, !plan.every_order, &mut go_on)?;
        let mut any = false;
        for ordered in all {
            any |= self.ordered(skeleton, ordered, error, purpose)?;
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
        let besides = skeleton.besides(self.text, execution);
        let masks: Vec<u64> =
            assignments.iter().map(|one| candidate.broken(one, self.text) | broken).collect();
        let Self { plan, keep_going, found, .. } = self;
        let mut go_on = || step(&mut found.steps, plan.steps, *keep_going);
        let groups = group::groups(&candidate, assignments, &besides, &mut go_on)?;
        let seen = Seen {
            skeleton,
            ordered: &ordered,
            candidate: &candidate,
            masks: &masks,
            besides: &besides,
        };
        Ok(match purpose {
            Purpose::Whole => self.whole(&seen, &groups),
            Purpose::CutOff => {
                let rule = error.map_or(0, |(_, stop)| own_rule(&stop.rest));
                self.broken_off(&seen, &groups, rule)
            }
            Purpose::Beginning => self.beginning(&seen, &groups),
        })
    }

    /// A whole execution; whether some group of it is undefined whatever the phases.
    fn whole(&mut self, seen: &Seen<'_>, groups: &[Group]) -> bool {
        let (mut counts, mut undecided) = (false, false);
        for group in groups {
            if seen.goes_on(&group.of) || seen.uninitialised(self.text) {
                continue;
            }
            let (every, some) = seen.broken(&group.of);
            let stuck = if seen.is_stuck() { STUCK } else { 0 };
            let ends = seen.is_undefined(&group.of);
            undecided |= ends;
            let every = if ends { every | undefined() & some } else { every | stuck };
            self.found.executions += 1;
            self.found.always &= every;
            self.found.somewhere |= some;
            counts |= !ends;
            if !ends {
                let _ = self.found.outcomes.insert(seen.outcome());
            }
            // What such an execution breaks besides may come after it is undefined: its beginnings tell.
            let sure = if ends { every & undefined() } else { every };
            self.note(seen, group, sure);
        }
        if groups.is_empty() && self.plan.every_order {
            self.outside(seen);
        }
        if counts && self.plan.count && self.plan.every_order {
            self.count(seen);
        }
        undecided
    }

    /// An execution that is cut off by rules that its last step breaks; whether there is one.
    fn broken_off(&mut self, seen: &Seen<'_>, groups: &[Group], rule: u64) -> bool {
        for group in groups.iter().filter(|group| !seen.is_undefined_before(&group.of)) {
            let (every, some) = seen.broken(&group.of);
            let every = every | rule;
            self.note(seen, group, every);
            // A rule that is broken and survived does not end the schedule.
            if every & !(1 << RuleId::AmdClusterOneArrival as u32 | 1 << RuleId::AmdDropRace as u32)
                != 0
            {
                self.found.executions += 1;
                self.found.always &= every;
                self.found.somewhere |= some;
            }
        }
        // Where all is undefined before, beginnings tell.
        !groups.is_empty()
    }

    /// The beginning of executions: what it breaks under every choice of phases.
    fn beginning(&mut self, seen: &Seen<'_>, groups: &[Group]) -> bool {
        for group in groups {
            let (every, _) = seen.broken(&group.of);
            if every == 0 || !self.is_reached(seen, group) {
                continue;
            }
            self.note(seen, group, every);
            if seen.is_undefined(&group.of) {
                self.found.executions += 1;
                self.found.always &= every;
            }
        }
        false
    }

    /// Whether a beginning is reached before what comes before it is undefined whatever the phases: some last operation
    /// can be taken away so that what is left is defined.
    fn is_reached(&self, seen: &Seen<'_>, group: &Group) -> bool {
        if !seen.is_undefined(&group.of) {
            return true;
        }
        let count = seen.ordered.execution.events.len();
        let lasts = (0..count).filter(|&event| group.order.from(event) == 0);
        lasts.into_iter().any(|event| seen.is_defined_without(self.text, group, event))
    }

    /// Remembers what a group breaks, where it takes the fewest steps.
    fn note(&mut self, seen: &Seen<'_>, group: &Group, every: u64) {
        let steps: usize = seen.skeleton.stops.iter().map(|stop| stop.ways.len()).sum();
        for rule in RuleId::of_amdgpu().filter(|rule| every & 1 << *rule as u32 != 0) {
            let known = self.found.broken.get(&rule).map(Sample::steps);
            if known.is_none_or(|known| steps < known) {
                let line = group::linear(&seen.ordered.execution, &group.order);
                let sample = seen.sample(&group.of, &group.settled, line, rule);
                let _ = self.found.broken.insert(rule, sample);
            }
        }
    }

    /// A whole execution that matches no interleaving.
    fn outside(&mut self, seen: &Seen<'_>) {
        let all: Vec<usize> =
            (0..seen.masks.len()).filter(|&index| seen.ends_agree(index)).collect();
        if all.is_empty() || seen.goes_on(&all) || seen.uninitialised(self.text) {
            return;
        }
        self.found.outside += 1;
        let (every, _) = seen.broken(&all);
        let every = every | if seen.is_stuck() { STUCK } else { 0 };
        let rules = RuleId::of_amdgpu().filter(|rule| every & 1 << *rule as u32 != 0).map(Some);
        for rule in rules.chain((every == 0).then_some(None)) {
            let sample =
                || seen.sample(&all, &[], Vec::new(), rule.unwrap_or(RuleId::AmdInitFirst));
            let _ = self.found.broken_outside.entry(rule).or_insert_with(sample);
        }
    }

    fn count(&mut self, seen: &Seen<'_>) {
        const MOST: usize = 10_000;
        let candidate = Candidate::new(&seen.ordered.execution, self.text, true);
        let relations = candidate.assignments(MOST).len() as u64;
        let counted = &mut self.found.counted;
        counted.executions += 1;
        counted.unique += u64::from(relations == 1);
        counted.most = counted.most.max(relations);
    }
}

/// Counts a step; `false` at the bound.
fn step(steps: &mut u64, most: u64, keep_going: &mut dyn FnMut(u64) -> bool) -> bool {
    *steps += 1;
    *steps <= most && (!steps.is_multiple_of(1024) || keep_going(*steps))
}

/// The rule that the last step of a stop breaks by itself, by number.
fn own_rule(rest: &Rest) -> u64 {
    match rest {
        Rest::Breaks(rule) => 1 << *rule as u32,
        Rest::Uninitialised(_) => 1 << RuleId::AmdInitFirst as u32,
        _ => 0,
    }
}

/// How an agent can rest beside one whose last step breaks a rule: not at all otherwise, where it is that one. A drop can
/// in the same step race with an arrive that a wait depends on, so beside a drop waits count, too.
fn beside<'a>(stop: &'a Stop, stops: &'a [Stop], own: bool) -> Vec<&'a Stop> {
    if own {
        return alloc::vec![stop];
    }
    let drops = stop.events.last().is_some_and(|last| last.event.kind == super::event::Kind::Drop);
    let rests = |other: &&Stop| other.is_needed() || (drops && other.rest == Rest::Cut);
    stops.iter().filter(|other| rests(other) && fits(stop, other)).collect()
}

/// Whether another agent may rest so beside the one that breaks a rule: what finds its object uninitialised comes before
/// every init of it.
fn fits(stop: &Stop, other: &Stop) -> bool {
    let Rest::Uninitialised(event) = stop.rest else { return true };
    !other
        .events
        .iter()
        .any(|performed| performed.event.is_on(event.instance) && performed.event.kind.modifies())
}

/// An execution with its assignments and what they break.
struct Seen<'a> {
    skeleton: &'a Skeleton<'a>,
    ordered: &'a Ordered,
    candidate: &'a Candidate<'a>,
    masks: &'a [u64],
    besides: &'a [(usize, usize)],
}

impl Seen<'_> {
    /// What every and what some assignment of a group breaks.
    fn broken(&self, of: &[usize]) -> (u64, u64) {
        let masks = of.iter().map(|&index| self.masks[index]);
        masks.fold((u64::MAX, 0), |(every, some), mask| (every & mask, some | mask))
    }

    /// Whether every assignment of a group breaks a rule whose breach is undefined.
    fn is_undefined(&self, of: &[usize]) -> bool {
        of.iter().all(|&index| self.masks[index] & undefined() != 0)
    }

    /// The same, leaving out what the last step breaks by itself.
    fn is_undefined_before(&self, of: &[usize]) -> bool {
        let own = undefined() & !self.ordered.broken;
        of.iter().all(|&index| self.masks[index] & own != 0)
    }

    fn outcome(&self) -> Vec<(NodeId, bool)> {
        let ended = |stop: &&Stop| (stop.node, matches!(stop.rest, Rest::Ended { .. }));
        self.skeleton.stops.iter().map(ended).collect()
    }

    fn is_stuck(&self) -> bool {
        let stuck = |stop: &&Stop| matches!(stop.rest, Rest::Stuck(_) | Rest::Blocked);
        self.skeleton.stops.iter().any(stuck)
    }

    /// Whether what an assignment orders agrees with what must be ordered besides: a wave that drops the cluster barrier
    /// for its workgroup comes after what the others of it performed.
    fn ends_agree(&self, index: usize) -> bool {
        if self.besides.is_empty() {
            return true;
        }
        let mut before = self.candidate.executes_before(&self.ordered.assignments[index]);
        self.besides.iter().for_each(|&(from, to)| before.add(from, to));
        let before = before.closure();
        let observed = self.candidate.execution.modification_orders();
        let in_order = observed.edges().all(|(a, b)| !before.has(b, a));
        in_order && (0..before.count()).all(|event| !before.has(event, event))
    }

    /// Whether a wait that does not complete could.
    fn goes_on(&self, of: &[usize]) -> bool {
        let execution = self.candidate.execution;
        let assignments: Vec<&Assignment> =
            of.iter().map(|&index| &self.ordered.assignments[index]).collect();
        let mut pending = (0..execution.events.len()).filter(|&event| execution.is_pending(event));
        pending.any(|wait| group::can_complete(self.candidate, wait, &assignments))
    }

    /// Whether a wait that does not complete, or a join, finds its object uninitialised where that is undefined (reading
    /// `amd.A17`): then the execution is not at its end.
    fn uninitialised(&self, text: &Text) -> bool {
        use super::event::Kind;
        let execution = self.candidate.execution;
        let bare = |instance: u16| {
            instance != NO_INSTANCE
                && !text.launched(instance).initialised
                && execution.orders[usize::from(instance)].is_empty()
        };
        !text.usual(ReadingId::AmdA17)
            && execution
                .events
                .iter()
                .any(|event| matches!(event.kind, Kind::Wait | Kind::Join) && bare(event.instance))
    }

    /// Whether without one of the last operations some assignment is defined.
    fn is_defined_without(&self, text: &Text, group: &Group, event: usize) -> bool {
        let execution = self.candidate.execution;
        let mut shorter = execution.clone();
        let gone = |index: &usize| *index != event;
        shorter.orders.iter_mut().for_each(|order| order.retain(gone));
        if shorter.events[event].kind == super::event::Kind::Wait {
            shorter.pending |= super::relation::one(event);
        }
        shorter.settled.clone_from(&group.settled);
        let candidate = Candidate::new(&shorter, text, false);
        let mut defined = false;
        candidate.for_each(&mut |assignment, before| {
            let judged = candidate.judged(assignment, before);
            defined |= rules::findings(&judged, text) & undefined() == 0;
            !defined
        });
        defined
    }

    fn sample(&self, of: &[usize], settled: &[usize], line: Vec<usize>, rule: RuleId) -> Sample {
        let breaks = |index: &&usize| self.masks[**index] & 1 << rule as u32 != 0;
        let chosen = of.iter().find(breaks).or(of.first());
        let mut execution = self.ordered.execution.clone();
        execution.settled = settled.to_vec();
        let assignment = chosen.map(|&index| self.ordered.assignments[index].clone());
        let ways = self.skeleton.stops.iter().map(|stop| stop.ways.clone()).collect();
        Sample { execution, assignment: assignment.unwrap_or_default(), line, ways }
    }
}
