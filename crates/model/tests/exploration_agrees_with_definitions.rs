//! The exploration keeps its choices incrementally and forgets what no longer matters. Here random walks through random
//! programs compare it, step by step, with the relations computed from their definitions on everything performed so far:
//! which waits can pass, and which rules are broken under every and under some choice.

mod support;

use support::{Random, random_program, show};
use tidegate_model::axioms::course::Course;
use tidegate_model::axioms::event::Kind;
use tidegate_model::axioms::participates::{Assignment, Candidate};
use tidegate_model::axioms::text::Text;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;
use tidegate_model::spec::step::WaitsOn;

/// Rules that depend on what takes part in which wait.
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

    /// The course and the relations after one more step of an agent, by definition; none when a wait cannot pass.
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

    /// Compares, then takes a random step; `false` at the end.
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

fn random_readings(random: &mut Random) -> Readings {
    let ids = [
        ReadingId::AmdA2,
        ReadingId::AmdA3,
        ReadingId::AmdA4,
        ReadingId::AmdA7,
        ReadingId::AmdA8,
        ReadingId::AmdA10,
    ];
    ids.into_iter()
        .fold(Readings::default(), |readings, id| readings.with(id, u8::from(random.chance(12))))
}

#[test]
fn random_walks_through_random_programs() {
    let (mut steps, mut waits, mut open) = (0, 0, 0);
    for seed in 0..6_000 {
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
            waits += events.iter().filter(|event| event.kind == Kind::Wait).count();
            open += usize::from(walk.assignments.len() > 1);
        }
    }
    assert!(
        steps > 60_000 && waits > 10_000 && open > 500,
        "{steps} steps, {waits} waits, {open} walks with an open choice"
    );
}
