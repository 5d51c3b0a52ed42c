//! How many *barrier-participates-in* relations the orders of an execution admit.
//!
//! The text's footnote promises one. Here every maximal execution that some interleaving reaches is taken by its
//! *barrier-modification-orders* alone, and every relation is counted that keeps the rules which constrain executions,
//! drops that lead a phase being in it or not.

use crate::judge::{KeepGoing, Progress};
use crate::report::ParticipatesIn;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use tidegate_model::axioms::course::Course;
use tidegate_model::axioms::participates::Candidate;
use tidegate_model::axioms::text::Text;
use tidegate_model::context::Context;
use tidegate_model::instance::NO_INSTANCE;
use tidegate_model::program::Node;
use tidegate_model::spec::Spec;
use tidegate_model::spec::state::State;

/// Most operations on one object for which the count is made unasked.
const MOST_OPERATIONS: usize = 12;
/// Most interleavings' states visited unasked, and when asked.
const MOST_STATES: [usize; 2] = [2_000, 200_000];
/// Most relations counted for one execution.
const MOST_RELATIONS: usize = 10_000;

/// Counts the relations of every execution; `None` where the program is too large for it or the caller cancels.
pub(crate) fn count(spec: &Spec, asked: bool, keep_going: KeepGoing<'_>) -> Option<ParticipatesIn> {
    if !asked && operations_on_one_object(&spec.context) > MOST_OPERATIONS {
        return None;
    }
    let text = Text::new(spec.context.clone(), spec.readings);
    let mut count = Count {
        spec,
        text: &text,
        seen: BTreeSet::new(),
        executions: BTreeSet::new(),
        most: 0,
        unique: true,
    };
    let mut paths = alloc::vec![(spec.initial(), Course::new(&text))];
    while let Some((state, course)) = paths.pop() {
        let states = count.seen.len();
        if states > MOST_STATES[usize::from(asked)]
            || !keep_going(Progress { states: states as u64, frontier: paths.len() as u64 })
        {
            return None;
        }
        count.visit(&state, &course, &mut paths)?;
    }
    // Where every path ends early there is no execution to speak of.
    (!count.executions.is_empty()).then_some(ParticipatesIn {
        executions: count.executions.len() as u64,
        unique: count.unique,
        most: count.most as u64,
    })
}

/// The most operations that the bodies have on one object, ends of waves aside.
fn operations_on_one_object(context: &Context) -> usize {
    let mut counts = alloc::vec![0; context.instances.list.len()];
    for (agent, node, _) in context.operations() {
        let instance = context.instances.at(agent, node);
        if instance != NO_INSTANCE {
            counts[usize::from(instance)] += 1;
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

struct Count<'a> {
    spec: &'a Spec,
    text: &'a Text,
    seen: BTreeSet<Vec<u8>>,
    executions: BTreeSet<Vec<u8>>,
    most: usize,
    unique: bool,
}

impl Count<'_> {
    /// Goes one step further in every way; `None` where an execution is too long to be counted.
    fn visit(
        &mut self,
        state: &State,
        course: &Course,
        paths: &mut Vec<(State, Course)>,
    ) -> Option<()> {
        let mut terminal = state.stop.is_none();
        for agent in 0..state.agents.len() {
            for way in 0..self.spec.ways(state, agent) {
                terminal = false;
                let mut longer = course.clone();
                let next = self.spec.perform(state, agent, way);
                if !longer.step(self.text, agent, next.agents[agent].node) {
                    return None;
                }
                let mut key = self.orders(&next, &longer);
                self.spec.pack(&next, &mut key);
                if self.seen.insert(key) {
                    paths.push((next, longer));
                }
            }
        }
        if terminal && self.executions.insert(self.orders(state, course)) {
            let mut execution = course.execution.clone();
            // Every completed phase is open to every wait.
            execution.settled.clear();
            let relations =
                Candidate::new(&execution, self.text, true).assignments(MOST_RELATIONS).len();
            self.most = self.most.max(relations);
            self.unique &= relations == 1;
        }
        Some(())
    }

    /// What tells executions apart: how far each agent came and in which order each object was modified.
    fn orders(&self, state: &State, course: &Course) -> Vec<u8> {
        let mut key = Vec::new();
        state
            .agents
            .iter()
            .for_each(|agent| key.extend((agent.node << 1 | u32::from(agent.ended)).to_le_bytes()));
        for order in &course.execution.orders {
            let agents = order.iter().map(|&event| course.execution.events[event].agent as u16);
            agents.for_each(|agent| key.extend(agent.to_le_bytes()));
            key.extend(u16::MAX.to_le_bytes());
        }
        key
    }
}

/// Whether the program's nodes can repeat without end, so that executions have no bound.
pub(crate) fn is_endless(spec: &Spec) -> bool {
    spec.context.reaches.any_cycle()
        || spec.context.program.bodies.iter().any(|body| body.nodes.contains(&Node::Divergent))
}
