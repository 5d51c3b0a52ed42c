//! Help for races.

use super::tell::{Teller, accesses, space};
use crate::tell::help;
use alloc::format;
use alloc::string::String;

impl Teller<'_> {
    /// The help for a race.
    pub(super) fn barrier_between(&self) -> String {
        let machine = &self.replay.machine;
        if let Some(text) = self.same_statement() {
            return help::opencl::one_item(&text);
        }
        let groups = self.raced_with().map(|(_, other, _)| machine.group(other));
        if groups.is_some_and(|group| group != machine.group(self.last.step.agent)) {
            return help::opencl::other_groups();
        }
        let own = accesses(machine, self.last.step.agent, self.last.node).next();
        let flag = self.flag(own.map_or("global", |own| space(machine, own).1));
        help::opencl::barrier(&flag)
    }

    /// The name of a flag in the vocabulary of the scenario.
    pub(super) fn flag(&self, space: &str) -> String {
        let text = self.scene.text();
        match text.contains("mem_fence::") || !text.contains("kernel void") {
            true => format!("mem_fence::{space}"),
            false => format!("CLK_{}_MEM_FENCE", space.to_uppercase()),
        }
    }

    /// The statement that two work-items execute in the same iteration, if that is the race.
    fn same_statement(&self) -> Option<String> {
        let (made, other, _) = self.raced_with()?;
        let place = |agent: usize, node: u32| self.scene.source(agent, node).span;
        let span = place(self.last.step.agent, self.last.node);
        let round = |agent: usize| {
            let own = self.replay.done.iter().filter(|done| done.step.agent == agent);
            own.filter(|done| place(agent, done.node) == span).count()
        };
        let same = place(other, self.replay.done[made].node) == span;
        (same && round(other) == round(self.last.step.agent))
            .then(|| self.scene.source(self.last.step.agent, self.last.node).text)
    }
}
