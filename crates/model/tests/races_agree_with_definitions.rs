//! The exploration keeps only accesses with which later ones can still race. Random walks through random programs
//! compare it at every step with happens-before and races computed from their definitions: the races under every choice
//! of phases, and those under some.

use crate::support::memory::{Performed, Taste, memory_program, races, show};
use crate::support::{Random, share};
use tidegate_model::axioms::course::Course;
use tidegate_model::axioms::participates::{Assignment, Candidate};
use tidegate_model::axioms::text::Text;
use tidegate_model::operation::Action;
use tidegate_model::program::Node;
use tidegate_model::reading::{ReadingId, Readings};
use tidegate_model::rule::RuleId;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;
use tidegate_model::spec::step::WaitsOn;

const RACES: u64 = RuleId::MemRace.bit() | RuleId::AsyncRace.bit();

struct Walk {
    spec: Spec,
    text: Text,
    state: State,
    course: Course,
    assignments: Vec<Assignment>,
    done: Vec<Performed>,
}

impl Walk {
    fn step(&mut self, random: &mut Random) -> bool {
        let ready: Vec<usize> = (0..self.state.agents.len())
            .filter(|&agent| self.spec.ways(&self.state, agent) > 0)
            .collect();
        if ready.is_empty() || self.done.len() > 40 {
            return false;
        }
        let agent = ready[random.below(ready.len())];
        let action = match self.spec.node(&self.state, agent) {
            Some(Node::Operation { operation, .. }) => Some(operation.action),
            _ => None,
        };
        let before = self.course.execution.events.len();
        let waits = match action {
            Some(Action::Wait { object }) => {
                self.spec.waits_on(&self.state, agent, object) != WaitsOn::Null
            }
            _ => false,
        };
        let way = random.below(self.spec.ways(&self.state, agent));
        let after = self.spec.perform(&self.state, agent, way);
        assert!(self.course.step(&self.text, agent, after.agents[agent].node));
        if waits {
            let candidate = Candidate::new(&self.course.execution, &self.text, false);
            self.assignments = candidate.extensions(&self.assignments);
        }
        let barrier = (self.course.execution.events.len() > before).then_some(before);
        self.done.push(Performed { agent, action, barrier });
        self.state = after;
        if self.state.stop.is_some() {
            return false;
        }
        self.compare();
        true
    }

    fn compare(&self) {
        let candidate = Candidate::new(&self.course.execution, &self.text, false);
        let v1 = !self.spec.readings.is_default(ReadingId::AsyncV1V2);
        let broken = |assignment: &Assignment| {
            let relation = candidate.executes_before(assignment);
            let found =
                races(&self.spec.context.program, &self.done, &|a, b| relation.has(a, b), v1);
            found.iter().fold(0, |set, &(_, _, copy)| {
                set | if copy { RuleId::AsyncRace } else { RuleId::MemRace }.bit()
            })
        };
        let broken: Vec<u64> = self.assignments.iter().map(broken).collect();
        let every = broken.iter().fold(RACES, |all, rules| all & rules);
        let some = broken.iter().fold(0, |all, rules| all | rules);
        assert_eq!(Spec::broken(&self.state) & RACES, every, "every\n{}", self.show());
        assert_eq!(Spec::broken_somewhere(&self.state) & RACES, some, "some\n{}", self.show());
    }

    fn show(&self) -> String {
        let done: Vec<String> =
            self.done.iter().map(|done| format!("{}: {:?}", done.agent, done.action)).collect();
        format!(
            "{}{}\n{:#?}\n{:?}",
            show(&self.spec.context),
            done.join("\n"),
            self.state.memory,
            self.state.choices
        )
    }
}

#[test]
fn random_walks() {
    let (mut steps, mut raced, mut kept, mut open) = (0, 0, 0, 0);
    for seed in 0..share(12_000) {
        let mut random = Random::new(seed);
        let taste = Taste { waves: 3, length: 7, loops: seed % 3 == 0 };
        let context = memory_program(&mut random, taste);
        let readings = Readings::default().with(ReadingId::AsyncV1V2, u8::from(random.chance(40)));
        let spec = Spec::new(context, readings).unwrap();
        for _ in 0..2 {
            let state = spec.initial();
            let text = Text::new(spec.context.clone(), spec.readings);
            let mut walk = Walk {
                spec: spec.clone(),
                state,
                course: Course::new(&text),
                text,
                assignments: vec![Vec::new()],
                done: Vec::new(),
            };
            while walk.step(&mut random) {
                steps += 1;
            }
            let found = Spec::broken(&walk.state) & RACES;
            raced += u64::from(found != 0);
            kept += u64::from(found == 0 && walk.done.len() > 8);
            open += u64::from(Spec::broken_somewhere(&walk.state) & RACES != found);
        }
    }
    assert!(
        steps > share(100_000) && raced > share(3_000) && kept > share(3_000),
        "{steps} steps, {raced} races, {kept} without, {open} open"
    );
}
