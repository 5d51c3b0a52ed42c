//! The exploration updates its choices incrementally and drops facts that no longer matter. Random walks through random
//! programs compare it at every step with the relations computed from their definitions: which waits can return, and
//! which rules are broken under every choice and under some.

use crate::support::{Random, random_program, random_readings, share, show};
use std::collections::BTreeSet;
use tidegate_model::axioms::course::Course;
use tidegate_model::axioms::event::Kind;
use tidegate_model::axioms::execution::Execution;
use tidegate_model::axioms::participates::{Assignment, Candidate};
use tidegate_model::axioms::relation::{Events, one};
use tidegate_model::axioms::text::Text;
use tidegate_model::instance::InstanceId;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reading::ReadingId;
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;
use tidegate_model::spec::step::WaitsOn;

/// Rules that depend on the operations that participate in a wait.
const DEPENDENT: u64 = 1 << RuleId::AmdDropRace as u64 | 1 << RuleId::AmdJoinBeforeWait as u64;

struct Walk {
    spec: Spec,
    text: Text,
    state: State,
    course: Course,
    assignments: Vec<Assignment>,
}

impl Walk {
    fn is_wait(&self, agent: usize) -> bool {
        let Some(Node::Operation { operation, .. }) = self.spec.node(&self.state, agent) else {
            return false;
        };
        let Action::Wait { object } = operation.action else { return false };
        self.spec.waits_on(&self.state, agent, object) != WaitsOn::Null
    }

    /// The trace and the relations after one more step of an agent, by definition; `None` if a wait cannot return.
    fn by_definition(&self, agent: usize, node: u32) -> (Course, Vec<Assignment>) {
        let mut course = self.course.clone();
        assert!(course.step(&self.text, agent, node));
        if !self.is_wait(agent) {
            return (course, self.assignments.clone());
        }
        let extended =
            Candidate::new(&course.execution, &self.text, false).extensions(&self.assignments);
        (course, extended)
    }

    /// Compares, then takes a random step; returns `false` at the end.
    fn step(&mut self, random: &mut Random) -> bool {
        let mut ready = Vec::new();
        for agent in 0..self.state.agents.len() {
            let passes = self.spec.ways(&self.state, agent) > 0;
            if self.is_wait(agent) {
                let (_, relations) = self.by_definition(agent, 0);
                assert_eq!(passes, !relations.is_empty(), "agent {agent}: {}", self.show());
            }
            ready.extend(passes.then_some(agent));
        }
        if ready.is_empty() {
            return false;
        }
        let agent = ready[random.below(ready.len())];
        let state = self.spec.perform(&self.state, agent, 0);
        let (course, assignments) = self.by_definition(agent, state.agents[agent].node);
        (self.state, self.course, self.assignments) = (state, course, assignments);
        let independent = Spec::broken(&self.state) & !DEPENDENT != 0;
        if !independent {
            self.compare_broken();
        }
        self.state.stop.is_none()
    }

    /// The operations that can participate in one wait by the order of an object: counted by the phases, and by the
    /// definition. Returns whether a drop left both counts at zero within reach of a later phase.
    fn compare_intervals(&self) -> usize {
        let execution = &self.course.execution;
        let phases = execution.phases(&self.text);
        (0..self.text.objects())
            .map(|instance| {
                let own = phases.iter().filter(|phase| phase.instance == instance);
                let suffixes = own.flat_map(|phase| {
                    (0..=phase.leading.len()).map(|start| {
                        phase.leading[start..].iter().fold(phase.rest, |set, &e| set | one(e))
                    })
                });
                let counted: BTreeSet<Events> = suffixes.filter(|&set| set != 0).collect();
                let (defined, cut) = intervals(execution, &self.text, instance);
                assert_eq!(counted, defined, "object {instance}: {}", self.show());
                cut
            })
            .sum()
    }

    fn show(&self) -> String {
        let events: Vec<String> = self
            .course
            .execution
            .events
            .iter()
            .map(|e| format!("{}:{:?}@{}", e.agent, e.kind, e.instance))
            .collect();
        format!(
            "\n{}after {}\n{:?}\n{:?}",
            show(&self.spec.context),
            events.join(" "),
            self.assignments,
            self.state.choices
        )
    }

    fn compare_broken(&self) {
        let candidate = Candidate::new(&self.course.execution, &self.text, false);
        let broken: Vec<u64> = self
            .assignments
            .iter()
            .map(|relation| candidate.broken(relation, &self.text))
            .collect();
        let every = broken.iter().fold(u64::MAX, |all, rules| all & rules);
        let some = broken.iter().fold(0, |all, rules| all | rules);
        let state = &self.state;
        assert_eq!(Spec::broken(state) & DEPENDENT, every & DEPENDENT, "{}", self.show());
        assert_eq!(Spec::broken_somewhere(state) & DEPENDENT, some & DEPENDENT, "{}", self.show());
    }
}

/// Every interval of an object's modification order that the definition of *barrier-participates-in* admits: only
/// arrives and drops, the arrive count zero before the first, and both counts equal after the last and after no other.
/// In the default reading of A2, two zero counts complete no phase, so they end no interval, but they are equal. Also
/// returns the number of intervals that only such a drop excludes.
fn intervals(
    execution: &Execution,
    text: &Text,
    instance: InstanceId,
) -> (BTreeSet<Events>, usize) {
    let launched = text.launched(instance);
    let (mut ready, mut expected, mut arrived) = (launched.initialised, launched.expected, 0);
    // For every open interval, its operations, and whether both counts were zero inside.
    let mut open: Vec<(Events, bool)> = Vec::new();
    let (mut found, mut cut) = (BTreeSet::new(), 0);
    for &event in &execution.orders[usize::from(instance)] {
        let kind = execution.events[event].kind;
        if let Kind::Init(count) = kind {
            (ready, expected, arrived) = (count > 0, count as i32, 0);
            open.clear();
            if ready { continue } else { break }
        }
        if arrived == 0 {
            open.push((0, false));
        }
        open.iter_mut().for_each(|(set, _)| *set |= one(event));
        match kind {
            Kind::Drop => expected -= 1,
            Kind::Arrive(Some(count)) if count <= i64::from(arrived) => break,
            Kind::Arrive(Some(count)) => (expected, arrived) = (count as i32, arrived + 1),
            _ => arrived += 1,
        }
        if !ready || expected < 0 {
            break;
        }
        if arrived != expected {
            continue;
        }
        if arrived == 0 && text.usual(ReadingId::AmdA2) {
            open.iter_mut().for_each(|(_, equal)| *equal = true);
            continue;
        }
        cut += open.iter().filter(|(_, equal)| *equal).count();
        found.extend(open.drain(..).filter(|(_, equal)| !equal).map(|(set, _)| set));
        arrived = 0;
    }
    (found, cut)
}

#[test]
fn random_walks_through_random_programs() {
    let (mut steps, mut waits, mut open, mut cut) = (0, 0, 0, 0_u64);
    for seed in 0..share(6_000) {
        let mut random = Random::new(seed);
        let spec = Spec::new(random_program(&mut random), random_readings(&mut random)).unwrap();
        for _ in 0..3 {
            let state = spec.initial();
            let text = Text::new(spec.context.clone(), spec.readings);
            let course = Course::new(&text);
            let mut walk =
                Walk { spec: spec.clone(), text, state, course, assignments: vec![Vec::new()] };
            while walk.step(&mut random) {
                steps += 1;
            }
            let events = &walk.course.execution.events;
            waits += events.iter().filter(|event| event.kind == Kind::Wait).count() as u64;
            if walk.text.usual(ReadingId::AmdA10) {
                cut += walk.compare_intervals() as u64;
            }
            open += u64::from(walk.assignments.len() > 1);
        }
    }
    assert!(cut > share(10), "{cut} intervals with equal counts inside");
    assert!(
        steps > share(60_000) && waits > share(10_000) && open > share(500),
        "{steps} steps, {waits} waits, {open} walks with an open choice"
    );
}
