//! Help for races.

use super::tell::{Teller, accesses, space};
use crate::cause::{At, Opencl};
use crate::tell::help;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use tidegate_lang::diagnostic::Span;
use tidegate_lang::source::Source;

impl Teller<'_> {
    /// The help for a race.
    pub(super) fn barrier_between(&self) -> String {
        let machine = &self.replay.machine;
        if let Some(text) = self.updated() {
            return help::opencl::atomic(&text);
        }
        if let Some(text) = self.same_statement() {
            return help::opencl::one_item(&text);
        }
        if let Some((made, other, access)) = self.raced_with()
            && let Opencl::NoFlag { barrier: (agent, node), flag, .. } =
                self.gap(made, other, access)
        {
            let Source { text, span, .. } = self.scene.source(agent, node);
            return help::opencl::flag(&flag, &text, span.line);
        }
        let groups = self.raced_with().map(|(_, other, _)| machine.group(other));
        if groups.is_some_and(|group| group != machine.group(self.last.step.agent)) {
            return help::opencl::other_groups();
        }
        let own = accesses(machine, self.last.step.agent, self.last.node).next();
        let flag = self.flag(own.map_or("global", |own| space(machine, own).1));
        let own = (self.last.step.agent, self.last.node);
        let Some((made, other, _)) = self.raced_with() else {
            return help::opencl::any_barrier(&flag);
        };
        let met = (other, self.replay.done[made].node);
        let start = |at: At| self.scene.source(at.0, at.1).span.start;
        let [rounds, others] = [own, met].map(|at| self.round(at));
        let is_first = match rounds.cmp(&others) {
            Ordering::Equal => start(own) < start(met),
            other => other == Ordering::Less,
        };
        let order = if is_first { [own, met] } else { [met, own] };
        let later = start(order[0]) >= start(order[1]);
        help::opencl::barrier(self.scene, &flag, order, later)
    }

    /// How often an agent has performed the statement of an operation.
    fn round(&self, at: At) -> usize {
        let place = |node: u32| self.scene.source(at.0, node).span;
        let all = self.replay.done.iter().filter(|done| done.step.agent == at.0);
        all.filter(|done| place(done.node) == place(at.1)).count()
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
        let source = |at: At| {
            let Source { span, text, .. } = self.scene.source(at.0, at.1);
            (span, text)
        };
        let own = (self.last.step.agent, self.last.node);
        let met = (other, self.replay.done[made].node);
        let same = source(met).0 == source(own).0;
        (same && self.round(met) == self.round(own)).then(|| source(own).1)
    }

    /// The element that two work-items update in the same statement: each reads it and writes it.
    fn updated(&self) -> Option<String> {
        let machine = &self.replay.machine;
        let (made, other, access) = self.raced_with()?;
        let met = self.replay.done[made].node;
        let (agent, own) = (self.last.step.agent, self.last.node);
        let both = |agent: usize, node: u32| {
            let line = self.scene.source(agent, node).span;
            let all = &machine.context.program.body_of(agent).nodes;
            let touches = |write: bool| {
                (0..all.len() as u32).any(|node| {
                    self.in_one_statement(self.scene.source(agent, node).span, line)
                        && accesses(machine, agent, node)
                            .any(|one| one.write == write && one.range == access.range)
                })
            };
            touches(false) && touches(true)
        };
        let [one, two] =
            [(agent, own), (other, met)].map(|(agent, node)| self.scene.source(agent, node).span);
        let same = self.in_one_statement(one, two);
        let first = if one.start < two.start { one } else { two };
        (same && both(agent, own) && both(other, met)).then(|| self.statement(first))
    }

    /// Whether no end of a statement is between two positions.
    fn in_one_statement(&self, one: Span, other: Span) -> bool {
        let (first, last) = if one.start < other.start { (one, other) } else { (other, one) };
        let between = first.start as usize..(last.start + last.length) as usize;
        self.scene.text().get(between).is_some_and(|text| !text.contains([';', '{', '}', '\n']))
    }

    /// The text from an operand to the end of its statement, with the operators before it.
    fn statement(&self, at: Span) -> String {
        let text = self.scene.text();
        let (before, rest) = text.split_at(at.start as usize);
        let begin = before.trim_end_matches(['+', '-', '*']).len();
        let end = rest.find([';', '{', '}', '\n']).map_or(text.len(), |end| before.len() + end);
        let words: Vec<&str> = text[begin..end].split_whitespace().collect();
        words.join(" ")
    }
}
