//! Builds the execution of an interleaving, step by step.

use super::event::{Event, Kind};
use super::execution::Execution;
use super::text::Text;
use super::thread::{Next, Thread};
use crate::instance::InstanceId;
use crate::program::NodeId;
use alloc::vec::Vec;

/// An interleaving so far.
#[derive(Clone, Debug)]
pub struct Course {
    /// The performed operations. Each wait depends on a phase that was complete when the wait was performed.
    pub execution: Execution,
    /// The state of each agent.
    pub threads: Vec<Thread>,
    /// Whether each agent has ended.
    pub ended: Vec<bool>,
}

impl Course {
    /// The launch.
    #[must_use]
    pub fn new(text: &Text) -> Self {
        let agents = text.context.program.agents.len();
        Self {
            execution: Execution::new(text),
            threads: (0..agents).map(Thread::new).collect(),
            ended: alloc::vec![false; agents],
        }
    }

    /// Performs the next step of an agent, which moves to `node`; `false` if the execution has too many operations.
    pub fn step(&mut self, text: &Text, agent: usize, node: NodeId) -> bool {
        let thread = self.threads[agent];
        let fits = match thread.next(text) {
            Next::Performs { kind, instance, .. } => self.perform(text, agent, kind, instance),
            Next::End => self.end(text, agent),
            _ => true,
        };
        self.threads[agent] = thread.after(text, node);
        fits
    }

    fn perform(&mut self, text: &Text, agent: usize, kind: Kind, instance: InstanceId) -> bool {
        let Thread { node, steps: ordinal, .. } = self.threads[agent];
        let settled = match kind {
            Kind::Wait => self.execution.phases_of(text, instance).len(),
            _ => 0,
        };
        self.execution.settled.push(settled);
        self.execution.push(Event { agent, kind, instance, node, ordinal })
    }

    fn end(&mut self, text: &Text, agent: usize) -> bool {
        self.ended[agent] = true;
        let workgroup = text.context.program.agents[agent].workgroup;
        let last = text.context.in_workgroup(workgroup).all(|other| self.ended[other]);
        let drops = self.threads[agent].end(text, last);
        drops.into_iter().all(|instance| self.perform(text, agent, Kind::Drop, instance))
    }

    /// Adds the waits at which agents are blocked as waits that never complete; `false` if there are too many
    /// operations.
    pub fn leave_waiting(&mut self, text: &Text) -> bool {
        for agent in 0..self.threads.len() {
            let Next::Performs { kind: Kind::Wait, instance, .. } = self.threads[agent].next(text)
            else {
                continue;
            };
            let pending = super::relation::one(self.execution.events.len());
            if !self.ended[agent] && !self.perform(text, agent, Kind::Wait, instance) {
                return false;
            }
            self.execution.pending |= if self.ended[agent] { 0 } else { pending };
        }
        true
    }
}
