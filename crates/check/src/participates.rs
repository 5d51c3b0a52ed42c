//! How many *barrier-participates-in* relations the orders of an execution admit.
//!
//! The text's footnote promises one. Here every maximal execution that some interleaving reaches is taken by its
//! *barrier-modification-orders* alone, and every relation is counted that keeps the rules which constrain executions,
//! drops that lead a phase being in it or not.

use crate::judge::{KeepGoing, Progress};
use crate::report::ParticipatesIn;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use tidegate_model::axioms::execution::Execution;
use tidegate_model::axioms::participates::Candidate;
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
    let mut count =
        Count { spec, seen: BTreeSet::new(), executions: BTreeSet::new(), most: 0, unique: true };
    let mut paths = alloc::vec![(spec.initial(), Execution::default())];
    while let Some((state, execution)) = paths.pop() {
        let states = count.seen.len();
        if states > MOST_STATES[usize::from(asked)]
            || !keep_going(Progress { states: states as u64, frontier: paths.len() as u64 })
        {
            return None;
        }
        count.visit(&state, &execution, &mut paths)?;
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
        execution: &Execution,
        paths: &mut Vec<(State, Execution)>,
    ) -> Option<()> {
        let mut terminal = state.stop.is_none();
        for agent in 0..state.agents.len() {
            for way in 0..self.spec.ways(state, agent) {
                terminal = false;
                let mut longer = execution.clone();
                if !longer.record(self.spec, state, agent) {
                    return None;
                }
                let next = self.spec.perform(state, agent, way);
                let mut key = self.orders(&next, &longer);
                self.spec.pack(&next, &mut key);
                if self.seen.insert(key) {
                    paths.push((next, longer));
                }
            }
        }
        if terminal && self.executions.insert(self.orders(state, execution)) {
            let relations =
                Candidate::new(execution, self.spec, true).assignments(MOST_RELATIONS).len();
            self.most = self.most.max(relations);
            self.unique &= relations == 1;
        }
        Some(())
    }

    /// What tells executions apart: how far each agent came and in which order each object was modified.
    fn orders(&self, state: &State, execution: &Execution) -> Vec<u8> {
        let mut key = Vec::new();
        state
            .agents
            .iter()
            .for_each(|agent| key.extend((agent.node << 1 | u32::from(agent.ended)).to_le_bytes()));
        for instance in 0..state.objects.len() as u16 {
            let agents =
                execution.modifications(instance).map(|event| execution.events[event].agent as u16);
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
