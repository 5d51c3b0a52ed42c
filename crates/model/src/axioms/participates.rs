//! *Barrier-participates-in* by its definition: every valid relation for the given orders, and what each breaks.

use super::execution::{Execution, Kind, Phase};
use super::relation::{Events, Relation};
use crate::rule::RuleId;
use crate::spec::Spec;
use alloc::vec::Vec;

/// What takes part in each wait, in the order of the waits, and the number of the phase.
pub type Assignment = Vec<(Events, usize)>;

/// An execution with what every question about it needs.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    execution: &'a Execution,
    order: Relation,
    waits: Vec<usize>,
    /// For each wait the sets that could take part in it.
    options: Vec<Assignment>,
}

impl<'a> Candidate<'a> {
    /// Prepares an execution. With `suffixes`, every suffix of the drops that lead a phase is an option of its own;
    /// without, all of them take part (reading `amd.A10`).
    #[must_use]
    pub fn new(execution: &'a Execution, spec: &Spec, suffixes: bool) -> Self {
        let phases = execution.phases(spec);
        let events = execution.events.iter().enumerate();
        let waits: Vec<usize> =
            events.filter(|(_, event)| event.kind == Kind::Wait).map(|(index, _)| index).collect();
        let options =
            waits.iter().map(|&wait| options(execution, &phases, wait, suffixes)).collect();
        Self { execution, order: execution.program_order(), waits, options }
    }

    /// Every valid relation, up to `most` of them.
    #[must_use]
    pub fn assignments(&self, most: usize) -> Vec<Assignment> {
        let mut found = Vec::new();
        self.extend(&mut Vec::new(), most, &mut found);
        found
    }

    fn extend(&self, so_far: &mut Assignment, most: usize, found: &mut Vec<Assignment>) {
        if found.len() >= most {
            return;
        }
        // A rule that constrains executions and is broken already stays broken whatever is added.
        if !self.is_valid(so_far) {
            return;
        }
        let Some(options) = self.options.get(so_far.len()) else {
            return found.push(so_far.clone());
        };
        for &option in options {
            if self.is_distinct(so_far, option.0) {
                so_far.push(option);
                self.extend(so_far, most, found);
                so_far.pop();
            }
        }
    }

    /// Every valid relation that extends those given for the first waits by what can take part in one more wait.
    #[must_use]
    pub fn extensions(&self, so_far: &[Assignment]) -> Vec<Assignment> {
        let mut found = Vec::new();
        for assignment in so_far {
            let Some(options) = self.options.get(assignment.len()) else { continue };
            for &option in options.iter().filter(|option| self.is_distinct(assignment, option.0)) {
                let mut next = assignment.clone();
                next.push(option);
                if self.is_valid(&next) {
                    found.push(next);
                }
            }
        }
        found
    }

    /// An operation takes part in at most one wait of the same agent.
    fn is_distinct(&self, so_far: &Assignment, set: Events) -> bool {
        let agent = |index: usize| self.execution.events[self.waits[index]].agent;
        let own = agent(so_far.len());
        so_far.iter().enumerate().all(|(index, (other, _))| agent(index) != own || other & set == 0)
    }

    /// Whether every rule that constrains executions holds.
    #[must_use]
    pub fn is_valid(&self, assignment: &Assignment) -> bool {
        let before = self.executes_before(assignment);
        self.agrees_with_modification_orders(&before) && self.is_separated(assignment, &before)
    }

    /// *Barrier-executes-before*.
    #[must_use]
    pub fn executes_before(&self, assignment: &Assignment) -> Relation {
        let mut relation = self.order.clone();
        for (&wait, (set, _)) in self.waits.iter().zip(assignment) {
            each(*set).for_each(|event| relation.add(event, wait));
        }
        relation.closure()
    }

    /// *Barrier-executes-before* is consistent with each *barrier-modification-order*, which the order of the events extends.
    fn agrees_with_modification_orders(&self, before: &Relation) -> bool {
        let modifies =
            |event: usize| !matches!(self.execution.events[event].kind, Kind::Wait | Kind::Join);
        let same = |a: usize, b: usize| {
            self.execution.events[a].instance == self.execution.events[b].instance
        };
        let count = self.execution.events.len();
        (0..count)
            .filter(|&b| modifies(b))
            .all(|b| each(before.from(b)).filter(|&a| modifies(a) && same(a, b)).all(|a| b < a))
    }

    /// `amd.phase.separation`.
    fn is_separated(&self, assignment: &Assignment, before: &Relation) -> bool {
        let classes = self.phase_with(assignment);
        self.waits.iter().zip(assignment).all(|(&wait, (set, _))| {
            let object = self.execution.events[wait].instance;
            let other = |x: &usize| {
                self.execution.events[*x].instance == object
                    && classes[*x] != 0
                    && classes[*x] & 1 << wait == 0
            };
            each(*set).all(|a| !each(before.from(a)).filter(other).any(|x| before.has(x, wait)))
        })
    }

    /// *Barrier-phase-with*: for each operation the set that it is in a phase with, itself included; empty for none.
    fn phase_with(&self, assignment: &Assignment) -> Vec<Events> {
        let mut groups: Vec<Events> = Vec::new();
        for (&wait, (set, _)) in self.waits.iter().zip(assignment) {
            let mut group = set | 1 << wait;
            groups.retain(|other| {
                let meets = other & group != 0;
                group |= if meets { *other } else { 0 };
                !meets
            });
            groups.push(group);
        }
        let of = |event: usize| {
            groups.iter().find(|group| *group & 1 << event != 0).copied().unwrap_or(0)
        };
        (0..self.execution.events.len()).map(of).collect()
    }

    /// The rules that depend on what takes part and that this relation breaks, by number.
    #[must_use]
    pub fn broken(&self, assignment: &Assignment, spec: &Spec) -> u64 {
        let before = self.executes_before(assignment);
        let race = u64::from(self.has_drop_race(assignment, &before)) << RuleId::AmdDropRace as u32;
        let join = u64::from(self.has_late_join(assignment, &before, spec))
            << RuleId::AmdJoinBeforeWait as u32;
        race | join
    }

    /// `amd.drop.race`: an arrive before a drop of the same agent takes part in a wait, and in none before the drop.
    fn has_drop_race(&self, assignment: &Assignment, before: &Relation) -> bool {
        let events = &self.execution.events;
        let same = |a: usize, d: usize| {
            events[a].agent == events[d].agent && events[a].instance == events[d].instance
        };
        let races = |a: usize, d: usize| {
            let waits = self.waits.iter().zip(assignment).filter(|(_, (set, _))| set & 1 << a != 0);
            let waits: Vec<usize> = waits.map(|(&wait, _)| wait).collect();
            !waits.is_empty() && !waits.iter().any(|&wait| before.has(wait, d))
        };
        let drops = (0..events.len()).filter(|&d| events[d].kind == Kind::Drop);
        drops.into_iter().any(|d| {
            (0..d).any(|a| matches!(events[a].kind, Kind::Arrive(_)) && same(a, d) && races(a, d))
        })
    }

    /// `amd.join.before-wait`: a named wait without a join that is before something that takes part in it.
    fn has_late_join(&self, assignment: &Assignment, before: &Relation, spec: &Spec) -> bool {
        self.waits.iter().zip(assignment).any(|(&wait, (set, _))| {
            let named = spec.context.object(self.execution.events[wait].instance).is_named();
            let joined = || {
                self.execution
                    .joined_before(wait)
                    .is_some_and(|join| each(*set).any(|x| before.has(join, x)))
            };
            named && !joined()
        })
    }
}

/// The sets that could take part in a wait: the phases of its object that no operation of its own agent after it is in.
fn options(execution: &Execution, phases: &[Phase], wait: usize, suffixes: bool) -> Assignment {
    let own = execution.events[wait];
    let later = |event: usize| event > wait && execution.events[event].agent == own.agent;
    let possible = |set: Events| !each(set).any(later);
    let of_phase = |phase: &Phase| -> Assignment {
        let starts = if suffixes { 0..phase.leading.len() + 1 } else { 0..1 };
        let set = |start: usize| {
            phase.leading[start..].iter().fold(phase.rest, |set, &event| set | 1 << event)
        };
        starts
            .map(set)
            .filter(|&set| set != 0 && possible(set))
            .map(|set| (set, phase.number))
            .collect()
    };
    phases.iter().filter(|phase| phase.instance == own.instance).flat_map(of_phase).collect()
}

fn each(set: Events) -> impl Iterator<Item = usize> {
    crate::spec::choice::indices(set)
}
